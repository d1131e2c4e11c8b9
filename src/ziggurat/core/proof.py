"""The proof at the end of a verification: how much was checked, how much could not be, and what is taken on trust.

>>> games = Judged("games", 12, 400, "played again, chosen by seed 7")
>>> print("\\n".join(Proof([games], believed=["the names of the seats"]).lines()))
judged: 12 of 400 games played again, chosen by seed 7
not judged: 388 games
believed from the file: the names of the seats
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Judged:
    """How many things of a kind were checked.

    Attributes:
        things: what they are, in the plural: "games".
        judged: how many were.
        of: how many there are.
        how: what was done with them: "played again, chosen by seed 7".
        why: why the others were not, if that needs a word.
    """

    things: str
    judged: int
    of: int
    how: str
    why: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.judged <= self.of:
            raise ValueError(f"{self.judged} of {self.of} {self.things} cannot be judged")

    @property
    def left(self) -> int:
        """How many were not checked."""
        return self.of - self.judged

    def __str__(self) -> str:
        return f"{self.judged:,} of {self.of:,} {self.things} {self.how}"


@dataclass(frozen=True)
class Proof:
    """A proof: what was checked and what was not, when no fault was found.

    Attributes:
        judged: what was looked at. What the verifier is there for comes first: of that something has to be judged.
        not_judged: what else it could not look at; what is left of ``judged`` is named by itself.
        believed: what the file says and nothing can be compared with.
        source: what is believed: "the file", "the folder".
    """

    judged: Sequence[Judged]
    not_judged: Sequence[str] = ()
    believed: Sequence[str] = ()
    source: str = "the file"

    @property
    def nothing(self) -> bool:
        """Whether nothing could be checked of what the verifier is there for, so that it has proved nothing."""
        return not self.judged or self.judged[0].judged == 0

    def lines(self) -> list[str]:
        """Return the three lines that every verifier ends with."""
        left = [f"{one.left:,} {one.things}{one.why and f' ({one.why})'}" for one in self.judged if one.left]
        said = {
            "judged": [str(one) for one in self.judged if one.judged],
            "not judged": [*left, *self.not_judged],
            f"believed from {self.source}": self.believed,
        }
        return [f"{name}: {'; '.join(what) or 'nothing'}" for name, what in said.items()]

"""Options: rules that the people at a table may choose, each declared once, together with its field of the record.

What a template holds, and what observations and networks are told of the rules that are played by, follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np

from ziggurat.core.features import Feature

Told = Literal["observation", "network"]
OBSERVED, NETWORK = "observed_options", "network_options"
"""The fields of a record that hold what observations and networks are told, as bits."""
OPTIONS_MEANING = "house rules that change play and are not as usual"


class Option(msgspec.Struct, frozen=True):
    """An option: a rule that the people at a table may choose.

    Attributes:
        name: of it.
        choices: empty for free text.
        default: the usual choice; by default the first one.
        players: limits the option to a range of table sizes.
        field: of the record, a number: the place of what was chosen among the choices. Without it the game's template
            does something else.
        on: a choice: the field is 1 if that was chosen, and else 0.
        told: it changes play, so that whoever plays wants to know of it: each choice that is not the usual one is a bit
            of observations and of what a network is told, or of one of the two.
        bit: the first of these bits; by default they follow those of the options before it.
    """

    name: str
    choices: tuple[str, ...] = ()
    default: str = ""
    players: tuple[int, int] | None = None
    field: str = ""
    on: str = ""
    told: bool | Told = False
    bit: int | None = None

    def __post_init__(self) -> None:
        if self.choices and not self.default:
            msgspec.structs.force_setattr(self, "default", self.choices[0])
        if not self.choices and (self.field or self.told):
            raise TypeError(f"option {self.name} is free text, which is no number of a field and no bit")
        if self.on and (self.on not in self.choices or not self.field):
            raise TypeError(f"option {self.name} sets a field to 1 for {self.on!r}, which is none of its choices")

    def value(self, chosen: str) -> int:
        """The value of its field."""
        return int(chosen == self.on) if self.on else self.choices.index(chosen)

    def fits(self, players: int) -> bool:
        """Whether tables of this size have it."""
        return self.players is None or self.players[0] <= players <= self.players[1]

    @property
    def labels(self) -> list[str]:
        """The labels of its bits: every choice that is not the usual one, as ``name=choice``."""
        return [f"{self.name}={choice}" for choice in self.choices if choice != self.default]


class Options(tuple[Option, ...]):
    """The options of a game, in the order in which people are asked for them."""

    def record(self, fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
        """The dtype of a position: fields, and behind them the options' fields that are not among them.

        What stands there follows from the options alone and never changes in play. So a position that was written
        when there were fewer options is still one, and replays of that time keep their word.
        """
        known = [option.field for option in self if option.field]
        if twice := {name for name in known if known.count(name) > 1}:
            raise TypeError(f"{', '.join(sorted(twice))}: fields of several options")
        own = {field[0] for field in fields}
        late = [(name, np.int8) for name in known if name not in own]
        return np.dtype([*fields, (OBSERVED, np.int16), (NETWORK, np.int16), *late])

    def fill(self, s: np.void, players: int, chosen: Mapping[str, str]) -> None:
        """Set the fields of a template.

        Args:
            chosen: a value for every option.
        """
        for option in self:
            if option.field:
                s[option.field] = option.value(chosen[option.name])
        unusual = {f"{name}={value}" for name, value in chosen.items()}
        for field, labels in ((OBSERVED, self._labels("observation", players)), (NETWORK, self._labels("network"))):
            s[field] = sum(1 << bit for bit, label in enumerate(labels) if label in unusual)

    def observed(self, players: int) -> Feature:
        """The column of ``s.observed_options``, as columns of observations declare it."""
        return _column(self._labels("observation", players))

    @property
    def network(self) -> tuple[Feature, ...]:
        """The column of ``s.network_options``, as columns declare it; none where the network has no options as
        input."""
        labels = self._labels("network")
        return (_column(labels),) if labels else ()

    def _labels(self, where: Told, players: int | None = None) -> list[str]:
        told = [one for one in self if one.told in (True, where) and (players is None or one.fits(players))]
        found = [label for option in told if option.bit is None for label in option.labels]
        for option in told:
            if option.bit is not None:
                found[option.bit : option.bit] = option.labels
        return found


def _column(labels: Sequence[str]) -> Feature:
    return Feature("options", 0, (1 << len(labels)) - 1, "bits", tuple(labels), OPTIONS_MEANING)


def late_fields(record: np.dtype[Any]) -> tuple[str, ...]:
    """The fields that follow from the options, at the end of a record; none of one that no options have made."""
    names = record.names or ()
    return names[names.index(OBSERVED) :] if OBSERVED in names else ()

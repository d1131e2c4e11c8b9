"""The 69 test vectors of the specification; see tests/games/vectors.py.

A vector with two answers, one for each ``coin_policy``, has two files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.games import vectors
from tests.games.architects.table import starting
from tests.games.table import legal, only, record

from ziggurat.core.position import Position
from ziggurat.core.trace import Event
from ziggurat.games.architects.rules import victories

FILES = vectors.files(__file__)

# What the specification lists.
VECTORS = {
    "PAY": 22,
    "ENUM": 4,
    "BUILD": 8,
    "SCI": 7,
    "BAT-2P": 10,
    "BAT-3P": 3,
    "BAT-4P": 1,
    "BAT-5P": 1,
    "HORN": 6,
    "SCORE": 7,
}


def test_every_vector_of_the_specification_has_a_file() -> None:
    wanted = {f"{kind}-{number:02}" for kind, count in VECTORS.items() for number in range(1, count + 1)}
    assert len(wanted) == 69
    assert {name(file) for file in FILES} == wanted
    both = {"ENUM-01", "ENUM-02", "ENUM-03", "ENUM-04"}
    assert sorted(map(name, FILES)) == sorted([*wanted, *both])


def name(file: Path) -> str:
    found = re.match(r"[A-Z]+-(\dP-)?\d\d", file.stem)
    assert found, f"{file.name} is named after no vector"
    return found[0]


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
@pytest.mark.usefixtures("compiled")
def test_vector(file: Path) -> None:
    vectors.check(file, name(file), Expectation)


class Expectation(vectors.Expectation):
    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.view = position.view(None)

    # --- Whose turn, and what may be done ---

    def stages(self, stages: Sequence[int]) -> None:
        """The stages that may be built now."""
        assert sorted({int(text.split()[1]) for text in starting(self.position, "build")}) == stages

    def forced(self, forced: bool) -> None:
        """Whether the turn cannot end yet: it has neither ended by itself nor may be ended."""
        ended = "turn" in [event.type for event in self.happened] or "end" in legal(self.position)
        assert ended is not forced

    def available(self, wanted: Mapping[str, list[int]]) -> None:
        for seat, stages in wanted.items():
            assert self.view.builders[int(seat) - 1].available == stages

    def most(self, count: int) -> None:
        """Every way through the turn builds so many stages, and none builds more where each stage is forced alone."""
        turn = self.position.actors[0] if self.position.actors else -1
        found = {len(only(happened, "built")) for happened in endings(self.position, turn)}
        assert found == {count}
        loose = with_option(self.position, forced_build_scope="greedy")
        assert max(len(only(happened, "built")) for happened in endings(loose, turn)) == count

    def sets(self, sets: Sequence[Sequence[str]]) -> None:
        """The sets of green cards that may be turned in now, for any token."""
        found = {text[len("claim ") :].partition(" for ")[0] for text in starting(self.position, "claim")}
        assert sorted(found) == sorted(" ".join(cards) for cards in sets)

    def tokens_in_the_end(self, count: int) -> None:
        """Whatever is chosen, the turn ends with so many progress tokens."""
        turn = self.position.actors[0]
        assert {len(only(happened, "claimed")) for happened in endings(self.position, turn)} == {count}

    # --- What lies where ---

    def shields(self, wanted: Sequence[int]) -> None:
        assert [builder.shields for builder in self.view.builders] == wanted

    def military(self, wanted: Sequence[int]) -> None:
        assert [builder.military for builder in self.view.builders] == wanted

    def conflict(self, wanted: Sequence[int]) -> None:
        """Conflict tokens in play and turned."""
        assert [self.view.conflict.tokens, self.view.conflict.turned] == wanted

    def would_win(self, wanted: Sequence[int]) -> None:
        """What a battle would give now, asked of the rule itself."""
        s = record(self.position)
        assert [victories(s, seat) for seat in range(self.position.players)] == wanted

    def score(self, wanted: Mapping[str, int]) -> None:
        for seat, points in wanted.items():
            assert self.position.scores[int(seat) - 1] == points
            tally = self.view.builders[int(seat) - 1].tally
            assert tally.stages + tally.cards + tally.military + tally.cat + tally.tokens == points

    # --- What happened ---

    def shields_fought(self, wanted: Sequence[int]) -> None:
        assert [event.args["shields"] for event in only(self.happened, "battle")] == [wanted]


def endings(position: Position, seat: int) -> Iterator[list[Event]]:
    """What happens on every way to the end of a seat's turn."""
    if position.finished or position.actors[0] != seat or position.view(None).phase == "draw":
        yield []
        return
    for action in position.legal(seat):
        ahead = position.copy()
        happened = ahead.play_all(seat, [action])
        for rest in endings(ahead, seat):
            yield happened + rest


def with_option(position: Position, **options: str) -> Position:
    """The same position under another option."""
    game = position.game
    template = game.template(position.components.values, position.players, {**position.options, **options})
    states = np.frombuffer(bytearray(position.to_bytes()), dtype=game.record)
    for field in ("maximal", "missing_only"):
        states[field] = template[field]
    return Position.from_bytes(
        game, states.tobytes(), players=position.players, options={**position.options, **options}
    )

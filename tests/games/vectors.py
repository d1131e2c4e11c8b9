"""Test vectors of a specification, each a scenario file: a position, the moves played on it, what must be true then.

A file that describes no position means a game just set up. Seats are counted from 1. What ``expect`` may ask for are
the methods of a game's ``Expectation``; a key such as ``score.1`` comes as a table by seat. ``expect`` may be a list,
each of which looks ``after`` some of the moves; ``seeds`` asks the same of many games just set up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.games.table import actors, legal, only, play

import ziggurat
from ziggurat.core import scenario
from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position
from ziggurat.core.trace import Event


def files(test: str) -> list[Path]:
    """The vectors beside a test."""
    return sorted((Path(test).parent / "vectors").glob("*.toml"))


class Expectation:
    """What a file may expect of any game; each method checks the key of its name."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.view: Any = position.view_all()
        self.happened = position.events

    def check(self, wanted: Mapping[str, Any]) -> None:
        checks = {key: value for key, value in wanted.items() if key not in ("after", "seeds")}
        assert checks
        for key, value in checks.items():
            getattr(self, key)(value)

    # --- Whose turn, and what may be done ---

    def actors(self, seats: Sequence[int]) -> None:
        assert actors(self.position) == seats

    def finished(self, finished: bool) -> None:
        assert self.position.finished is finished

    def winners(self, seats: Sequence[int]) -> None:
        assert [seat + 1 for seat in self.position.winners] == seats

    def legal(self, texts: Sequence[str]) -> None:
        assert sorted(legal(self.position)) == sorted(texts)

    def illegal(self, moves: Sequence[str]) -> None:
        before = self.position.to_bytes()
        for move in moves:
            with pytest.raises(IllegalAction):
                play(self.position, move)
        assert self.position.to_bytes() == before

    # --- What happened ---

    def events(self, wanted: Sequence[Mapping[str, Any]]) -> None:
        """These events in this order, others between them; seat 0 stands for none."""
        rest = iter(self.happened)
        for facts in wanted:
            assert any(matches(event, facts) for event in rest), f"no {facts} in this place of {self.happened}"

    def no_events(self, types: Sequence[str]) -> None:
        for kind in types:
            assert only(self.happened, kind) == []

    def count(self, wanted: Mapping[str, int]) -> None:
        assert {kind: len(only(self.happened, kind)) for kind in wanted} == wanted


def check(file: Path, name: str, expectation: Callable[[Position], Expectation]) -> None:
    """Play what a file says and look at what it expects; its title begins with the name of its vector."""
    data = scenario.parse(file.read_text(encoding="utf-8"))
    assert re.match(rf"{name}\b", data.name), data.name
    for wanted in data.expect if isinstance(data.expect, list) else [data.expect]:
        for seed in range(wanted["seeds"]) if "seeds" in wanted else [data.seed]:
            position = start(data, seed)
            play(position, *data.moves[: wanted.get("after", len(data.moves))])
            expectation(position).check(wanted)


def start(data: scenario.Scenario, seed: int | str) -> Position:
    if data.position:
        return scenario.build(data)
    assert data.players
    return ziggurat.new(data.game, data.players, seed=seed, options=data.options)


def matches(event: Event, facts: Mapping[str, Any]) -> bool:
    found = {"type": event.type, "seat": 0 if event.seat is None else event.seat + 1, **event.args}
    return all(found.get(name) == value for name, value in facts.items())

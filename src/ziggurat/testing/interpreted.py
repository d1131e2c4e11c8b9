"""The interpreted rules, run in parallel with a position that may be compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from ziggurat.core.game import Components, Game
from ziggurat.core.random import seed_words, set_key
from ziggurat.core.record import ListRecord, from_lists, to_lists
from ziggurat.core.trace import OUT, ListTrace


class InterpretedGame:
    """A game played by plain Python on lists."""

    def __init__(
        self, game: Game, players: int, options: Mapping[str, str], components: Components, seed: bytes
    ) -> None:
        self.game = game
        self._states = game.template(components.values, players, game.check_setup(players, options))
        self.record: ListRecord = to_lists(self._states)
        self._out = ListRecord(OUT)
        set_key(self.record.rng, seed_words(seed).tolist())
        self.rows: list[list[int]] = []
        self._run("setup")

    def play(self, seat: int, action: int) -> None:
        self._run("play", seat, action)

    def legal(self, seat: int) -> list[int]:
        n = self.game.rules["legal"](self.record, seat, self._out)
        actions: list[int] = self._out.values[:n]
        return actions

    def observe(self, seat: int | None) -> list[int]:
        n = self.game.rules["observe"](self.record, -1 if seat is None else seat, self._out)
        seen: list[int] = self._out.values[:n]
        return seen

    def actors(self) -> int:
        return int(self.game.rules["actors"](self.record))

    def to_bytes(self) -> bytes:
        from_lists(self.record, self._states)
        return bytes(self._states.tobytes())

    def digest(self) -> str:
        return hashlib.sha256(self.to_bytes()).hexdigest()

    def _run(self, rule: str, *arguments: int) -> None:
        trace = ListTrace(True)
        self.game.rules[rule](self.record, *arguments, trace)
        self.rows.extend(trace.rows)

"""The context of a check, for the message of one that fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn


@dataclass
class Context:
    """A point in a game, for messages. ``expect`` and ``fail`` put it in front of what they say."""

    game: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    played: int = 0

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items()) or "default options"
        return f"{self.game}, {self.players} players, {options}, seed {self.seed}, after {self.played} actions"

    def expect(self, condition: bool, message: str) -> None:
        if not condition:
            self.fail(message)

    def equal(self, found: object, wanted: object, what: str) -> None:
        if found != wanted:
            self.fail(f"{what}\n  found:  {found!r}\n  wanted: {wanted!r}")

    def fail(self, message: str) -> NoReturn:
        raise AssertionError(f"{self}: {message}")


def who(seat: int | None) -> str:
    """Return whom a message is about; people count seats from 1."""
    return "a spectator" if seat is None else f"seat {seat + 1}"

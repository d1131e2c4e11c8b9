"""Moments of games as pages are told them, by which the page's own tests ask the board questions.

`python -m tests.games.asked` writes them anew, to `asked.json` in the folder of each game: what a seat and a spectator
see.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

import ziggurat
from ziggurat.bots import decide
from ziggurat.core.position import Position

HERE = Path(__file__).parent
MOMENTS = (0, 9, 30)
"""After so many whole moves."""
LOG = 12
"""So many of the last events."""


def moments(game: str) -> list[dict[str, Any]]:
    """With as many players as there may be, and with as few."""
    chosen = ziggurat.game(game)
    found = [told(position, seat) for position in played(game, chosen.max_players) for seat in (0, None)]
    return found + [told(position, 0) for position in played(game, max(2, chosen.min_players))]


def played(game: str, players: int) -> list[Position]:
    position = ziggurat.new(game, players=players, seed=3)
    rng = ziggurat.generator(3)
    found = []
    for moves in range(max(MOMENTS) + 1):
        if moves in MOMENTS:
            found.append(position.copy())
        seat = position.actors[0]
        position.play_all(seat, decide(position, seat, "greedy", rng))
    return found


def told(position: Position, seat: int | None) -> dict[str, Any]:
    decision = position.decision(seat)
    moment = {
        "seats": list(range(position.players)),
        "you": seat,
        "actors": position.actors,
        "ask": decision.ask,
        "legal": decision.legal,
        "view": position.view(seat),
        "log": position.events_for(seat)[-LOG:],
    }
    builtins: dict[str, Any] = msgspec.to_builtins(moment)
    return builtins


def text(game: str) -> str:
    """A file: a line a moment."""
    lines = (json.dumps(moment, ensure_ascii=False, separators=(",", ":")) for moment in moments(game))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def file(game: str) -> Path:
    return HERE / game / "asked.json"


if __name__ == "__main__":
    for one in ziggurat.registered_games():
        file(one).write_text(text(one), encoding="utf-8")

"""Whole games as text. A change of the rules shows here as a difference that a person can read.

``pytest tests/games --update-golden`` writes the files anew; look at the difference before committing it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import pytest

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.core.trace import Event

FOLDER = Path(__file__).parent / "golden"

GAMES = {
    "2-players": (2, 11, {}),
    "2-players-money-first": (2, 12, {"refill_order": "money_first"}),
    "3-players": (3, 13, {}),
    "3-players-lowest-total": (3, 14, {"start_player": "lowest_total"}),
    "4-players-youngest": (4, 15, {"start_player": "youngest", "age_order": "3,1,4,2"}),
    "5-players-money-first": (5, 16, {"refill_order": "money_first", "start_player": "lowest_total"}),
    "6-players": (6, 17, {}),
}


@pytest.mark.parametrize("name", GAMES)
def test_golden_playthrough(name: str, backing: str, request: pytest.FixtureRequest) -> None:
    players, seed, options = GAMES[name]
    text = "\n".join(playthrough(players, seed, options)) + "\n"
    file = FOLDER / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        file.write_text(text, encoding="utf-8")
    wanted = file.read_text(encoding="utf-8")
    difference = list(difflib.unified_diff(wanted.splitlines(), text.splitlines(), file.name, "now", lineterm="", n=2))
    assert difference == [], "\n".join(difference[:60])


def playthrough(players: int, seed: int, options: dict[str, str]) -> Iterator[str]:
    """A game by players who like to buy: each move with its number of legal actions, then what happened."""
    position = ziggurat.new("alhambra", players, seed=seed, options=options)
    rng = ziggurat.generator(seed)
    chosen = " ".join(f"{key}={value}" for key, value in position.options.items())
    yield f"alhambra, rules {position.game.version}, {players} players, seed {seed}, {chosen}"
    yield from map(described, position.events)
    while not position.finished:
        seat = position.actors[0]
        before, mark = position.copy(), position.rows_written
        counts: list[str] = []
        steps: list[int] = []
        while not counts or position.in_move:
            legal = position.legal(seat)
            # Most of the time among the later half: the dearer cards, the buildings.
            low = len(legal) // 2 if draw(rng, 4) else 0
            action = legal[low + draw(rng, len(legal) - low)]
            counts.append(str(len(legal)))
            steps.append(action)
            position.play(seat, action)
        yield ""
        yield f"{seat + 1} {before.write_move(steps)}   [of {' '.join(counts)}]"
        yield from map(described, position.events_since(mark))
    yield ""
    yield from summary(position)


def described(event: Event) -> str:
    who = f" {event.seat + 1}" if event.seat is not None else ""
    facts = (
        f"{name} {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in event.args.items()
    )
    return f"  {event.type}{who}: {'; '.join(facts)}".rstrip(": ")


def summary(position: Position) -> Iterator[str]:
    view = position.view_all()
    for owner in view.owners:
        name = "neutral" if owner.neutral else f"seat {owner.seat + 1}"
        built = " ".join(f"{kind} {count}" for kind, count in owner.buildings.items())
        yield f"{name}: {owner.score} points, {owner.cards} cards; {built}"
    yield f"decks: {view.money_deck} money, {view.building_deck} buildings, {view.discard} discards"
    yield f"winners: {' '.join(str(seat + 1) for seat in position.winners)}"

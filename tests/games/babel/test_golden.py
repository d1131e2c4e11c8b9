"""Whole games as text. A change of the rules shows here as a difference that a person can read.

``pytest tests/games --update-golden`` writes the files anew; look at the difference before committing it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.games.babel.table import held

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.core.trace import Event

FOLDER = Path(__file__).parent / "golden"

GAMES: dict[str, tuple[int, int, dict[str, str]]] = {
    "3-players": (3, 23, {}),
    "3-players-two-colours-strict": (3, 25, {"two_colour_discs": "yes", "strict_units": "yes"}),
    "4-players": (4, 21, {}),
    "4-players-two-colours": (4, 27, {"two_colour_discs": "yes", "first_player": "first_seat"}),
    "5-players": (5, 25, {}),
    "5-players-no-action-cards": (5, 16, {"action_cards": "no"}),
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


def test_no_file_without_its_game() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(GAMES)


def playthrough(players: int, seed: int, options: dict[str, str]) -> Iterator[str]:
    """A game at random, with a taste for building: each move with its legal first steps, then what happened."""
    position = ziggurat.new("babel", players, seed=seed, options=options)
    rng = ziggurat.generator(seed)
    chosen = " ".join(f"{key}={value}" for key, value in position.options.items())
    yield f"babel, rules {position.game.version}, {players} players, seed {seed}, {chosen}"
    yield from map(described, position.events)
    while not position.finished:
        seat = position.actors[draw(rng, len(position.actors))]
        before, mark = position.copy(), position.rows_written
        steps: list[int] = []
        while not steps or position.in_move:
            legal = position.legal(seat)
            liked = [action for action in legal if likes(position, seat, action)]
            some = liked if liked and draw(rng, 4) else legal
            steps.append(some[draw(rng, len(some))])
            position.play(seat, steps[-1])
        yield ""
        yield f"{seat + 1} {before.write_move(steps)}   [of {len(before.legal(seat))}]"
        yield from map(described, position.events_since(mark))
    yield ""
    yield from summary(position)


def likes(position: Position, seat: int, action: int) -> bool:
    """A taste for building, so that the games are about it: discs that one can nearly pay, cards that are asked for."""
    view = position.view(seat)
    hand, (verb, *rest) = view.builders[seat].hand, position.write_step(action).split()
    if verb == "choose":
        [discs] = [wonder.discs for wonder in view.wonders if wonder.wonder == rest[0]]
        missing = sum(max(0, need - hand[name]) for name, need in discs[int(rest[1]) - 1].items())
        return bool(missing < 3)
    if verb == "lay" and view.phase == "offer":
        return bool(rest[0] in view.chosen.needs)
    return verb in ("accept", "exchange", "draw", "double", "triple")


def described(event: Event) -> str:
    who = f" {event.seat + 1}" if event.seat is not None else ""
    facts = (
        f"{name} {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in event.args.items()
    )
    private = " (private)" if event.private is True else ""
    return f"  {event.type}{who}{private}: {'; '.join(facts)}".rstrip(": ")


def summary(position: Position) -> Iterator[str]:
    view = position.view_all()
    for builder in view.builders:
        hand = " ".join(f"{card} {count}" for card, count in held(builder.hand).items())
        cards = " ".join(f"{card} {count}" for card, count in held(builder.actions).items())
        discs = " ".join("+".join(types) for types in builder.discs)
        yield (
            f"seat {builder.seat + 1}: {builder.score} points; discs {discs or 'none'}; "
            f"hand {hand or 'empty'}; action cards {cards or 'none'}"
        )
    for wonder in view.wonders:
        left = sum(disc is not None for disc in wonder.discs)
        if left and any(wonder.units):
            yield f"unfinished: {wonder.wonder}, {left} discs, units {' '.join(map(str, wonder.units))}"
    yield f"deck {view.deck}, discard {sum(view.discard.values())}, wonders {view.row}"
    yield f"winners: {' '.join(str(seat + 1) for seat in position.winners)}"

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

GAMES: dict[str, tuple[int, int, dict[str, str]]] = {
    "1-player": (1, 21, {}),
    "1-player-expert": (1, 22, {"hal": "expert"}),
    "2-players": (2, 23, {}),
    "3-players-draft": (3, 24, {"characters": "draft"}),
    "4-players-after-action": (4, 25, {"tiles_exhausted": "after_action"}),
    "5-players": (5, 26, {}),
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
    """A game by players who like to build: each move with its number of legal actions, then what happened."""
    position = ziggurat.new("ginkgopolis", players, seed=seed, options=options)
    rng = ziggurat.generator(seed)
    chosen = " ".join(f"{key}={value}" for key, value in position.options.items())
    yield f"ginkgopolis, rules {position.game.version}, {players} players, seed {seed}, {chosen}"
    yield from map(described, position.events)
    while not position.finished:
        seat = position.actors[draw(rng, len(position.actors))]
        before, mark = position.copy(), position.rows_written
        counts: list[str] = []
        steps: list[int] = []
        while not counts or position.in_move:
            legal = position.legal(seat)
            if position.write_step(legal[-1]) == "new hand" and draw(rng, 8):
                legal = legal[:-1]
            action = legal[draw(rng, len(legal))]
            counts.append(str(len(position.legal(seat))))
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
    secret = " (secret)" if event.private is True else ""
    return f"  {event.type}{who}{secret}: {'; '.join(facts)}".rstrip(": ")


def summary(position: Position) -> Iterator[str]:
    view = position.view_all()
    for builder in view.builders:
        name = "hal" if builder.hal else f"seat {builder.seat + 1}"
        tableau = ", ".join([*builder.characters, *builder.kept])
        yield f"{name}: {builder.points} points, {builder.resources} resources, {builder.tile_count} tiles; {tableau}"
    for b in view.buildings:
        owner = "nobody" if b.owner is None else f"{b.owner + 1}"
        yield f"({b.x}, {b.y}): {b.colour} {b.number}, height {b.height}, of {owner}{', site' if b.site else ''}"
    yield f"markers: {' '.join(f'{m.letter}({m.x}, {m.y})' for m in view.markers)}"
    yield f"round {view.round}, {view.deck} cards, {view.discard} discards, {view.tiles} tiles"
    yield f"winners: {' '.join(str(seat + 1) for seat in position.winners) or 'nobody'}"

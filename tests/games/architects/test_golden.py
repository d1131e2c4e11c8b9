"""Whole games as text. A change of the rules shows here as a difference that a person can read.

``pytest tests/games --update-golden`` writes the files anew; look at the difference before committing it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.games.architects.table import held

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.core.trace import Event

FOLDER = Path(__file__).parent / "golden"

STRICT = {"coin_policy": "missing_only", "extra_card_optional": "no", "battle_before_game_end": "no"}
LOOSE = {
    "wonder_effect_optional": "yes",
    "forced_build_scope": "greedy",
    "economy_counts_for_forced_build": "no",
    "engineering_counts_for_forced_build": "no",
}
GAMES: dict[str, tuple[int, int, dict[str, str]]] = {
    "2-players": (2, 11, {}),
    "2-players-strict": (2, 12, {**STRICT, "two_player_zero_shield_needs_two": "no"}),
    "3-players": (3, 13, {}),
    "3-players-drafted-loose": (3, 14, {"wonders": "drafted", **LOOSE}),
    "4-players": (4, 15, {}),
    "5-players-hidden-looks": (5, 16, {"halicarnassus_reveal_public": "no", "token_usable_same_turn": "no"}),
    "6-players": (6, 17, {}),
    "7-players-chosen": (7, 18, {"wonders": "chosen", "military_token_supply": "limited_28"}),
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
    """A game at random: each move with its number of legal actions, then what happened."""
    position = ziggurat.new("architects", players, seed=seed, options=options)
    rng = ziggurat.generator(seed)
    chosen = " ".join(f"{key}={value}" for key, value in position.options.items())
    yield f"architects, rules {position.game.version}, {players} players, seed {seed}, {chosen}"
    yield from map(described, position.events)
    while not position.finished:
        seat = position.actors[0]
        before, mark = position.copy(), position.rows_written
        legal = position.legal(seat)
        action = legal[draw(rng, len(legal))]
        position.play(seat, action)
        yield ""
        yield f"{seat + 1} {before.write_move([action])}   [of {len(legal)}]"
        yield from map(described, position.events_since(mark))
    yield ""
    yield from summary(position)


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
        cards = " ".join(f"{card} {count}" for card, count in held(builder.cards).items())
        tokens = " ".join(builder.tokens) or "no tokens"
        built = " ".join(map(str, builder.built)) or "none"
        yield (
            f"seat {builder.seat + 1}: {builder.score} points; {builder.wonder}, stages {built}; "
            f"{builder.military} victories, {builder.shields} shields; {tokens}; {cards or 'no cards'}"
        )
    decks = ", ".join(f"{deck.wonder} {deck.left}" for deck in view.decks)
    yield f"decks: {decks}, central {view.central.left}; stack {view.stack}; discard {sum(view.discard.values())}"
    yield f"winners: {' '.join(str(seat + 1) for seat in position.winners)}"

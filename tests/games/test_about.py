"""What is this? Of every piece of every game something is said, in words, with its rule, and nothing that is secret."""

from __future__ import annotations

import pytest

import ziggurat
from ziggurat.bots import decide
from ziggurat.core.errors import UnknownPiece
from ziggurat.core.position import Position
from ziggurat.server.api.rules import sections
from ziggurat.testing.context import Context
from ziggurat.testing.words import Words

GAMES = [name for name, game in ziggurat.registered_games().items() if game.text("en", "what")]
"""Those that have words for their pieces."""


def in_the_middle(game: str, players: int, moves: int) -> Position:
    position = ziggurat.new(game, players=players, seed=7)
    rng = ziggurat.generator(7)
    while moves and not position.finished:
        moves -= 1
        seat = position.actors[0]
        position.play_all(seat, decide(position, seat, "random", rng))
    return position


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_of_a_game_has_an_answer(game: str) -> None:
    rules, words = sections(game), Words(Context(game, 0), ziggurat.game(game))
    chosen = ziggurat.game(game)
    for players in (chosen.min_players, chosen.max_players):
        position = in_the_middle(game, players, 6 * players)
        names = position.named
        assert names, "a game has pieces"
        assert len(names) == len(set(names)), "a piece is named once"
        for seat in (*range(players), None):
            told = position.about(seat, names)
            assert [about for about in told if not about.what] == [], "of each something is said"
            # A game that says no more than its words names no section.
            assert {about.rule for about in told} - {*rules, ""} == set(), "of a section that the rules have"
            assert seat is not None or not any(about.worth for about in told)
            if not seat:  # the first seat and spectators: others are told the same in other numbers
                words.of(told)
            # What is drawn for a place is a piece itself, which can be asked about.
            drawn = {about.piece for about in told}
            assert [about.piece for about in position.about(seat, sorted(drawn))] == sorted(drawn)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_is_said_of_a_piece_depends_on_what_is_secret(game: str) -> None:
    rng = ziggurat.generator(11)
    position = in_the_middle(game, ziggurat.game(game).max_players, 20)
    for seat in (*range(position.players), None):
        other = position.redeal(seat, rng)
        assert other.named == position.named
        assert other.about(seat, position.named) == position.about(seat, position.named)


@pytest.mark.parametrize("game", GAMES)
def test_asking_changes_nothing_and_what_is_no_piece_is_told_so(game: str) -> None:
    position = in_the_middle(game, ziggurat.game(game).min_players, 5)
    before = position.to_bytes()
    first = position.about(0, position.named)
    assert position.about(0, position.named[::-1]) == first[::-1], "the order in which one asks changes nothing"
    assert position.to_bytes() == before
    good = position.named[0]
    for wrong in (
        "",
        " ",
        "dragon",
        "seat 99",
        "seat -1",
        "seat 0 0",
        f"{good} ",
        f" {good}",
        f"{good} 1 2 3",
        "é" * 60,
    ):
        with pytest.raises(UnknownPiece, match="one is named like") as refused:
            position.about(0, [wrong])
        assert refused.value.context == {"piece": wrong[:40]}
    with pytest.raises(ziggurat.ZigguratError, match="seats are"):
        position.about(99, [good])

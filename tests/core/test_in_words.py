"""Positions in words: all that a seat sees and nothing else, within bounds, in both languages."""

from __future__ import annotations

import random

import pytest
from tests.example import EXAMPLE

import ziggurat
from ziggurat.core.in_words import MOST_CHARACTERS, action_texts, observation_text
from ziggurat.core.languages import LANGUAGES

GAMES = [*ziggurat.registered_games()]


@pytest.mark.parametrize("game", GAMES)
def test_words_tell_what_the_seat_sees_and_no_more(game: str) -> None:
    """Another deal of what is hidden from a seat reads the same."""
    rules, rng = ziggurat.game(game), ziggurat.generator(1)
    chance = random.Random(game)
    for players in {rules.min_players, rules.max_players}:
        position = ziggurat.new(game, players=players, seed=players)
        number, differ = 0, 0
        while position.actors:
            seat = position.actors[0]
            legal = position.legal(seat)
            if number % 23 == 0:
                for language in LANGUAGES:
                    text = observation_text(position, seat, language)
                    assert len(text) <= MOST_CHARACTERS
                    assert text.splitlines()[0].strip()
                    other = position.redeal(seat, rng)
                    assert observation_text(other, seat, language) == text
                    words = action_texts(position, seat, legal, language)
                    assert action_texts(other, seat, legal, language) == words
                    assert all(words)
                    differ += other.to_bytes() != position.to_bytes()
                watcher = observation_text(position, None)
                assert observation_text(position.redeal(None, rng), None) == watcher
            position.play(seat, chance.choice(legal))
            number += 1
        assert differ or players == 1
        assert observation_text(position, 0)


def test_what_is_too_long_is_cut_where_it_matters_least() -> None:
    position = ziggurat.new(EXAMPLE, players=ziggurat.game(EXAMPLE).max_players, seed=1)
    seat = position.actors[0]
    whole = observation_text(position, seat)
    short = observation_text(position, seat, most=300)
    assert len(short) <= 300
    assert short.splitlines()[-1] == whole.splitlines()[-1], "what is asked stays"
    assert short.splitlines()[-2] == "…"

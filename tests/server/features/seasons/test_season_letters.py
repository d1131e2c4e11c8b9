"""The letter of a week."""

from __future__ import annotations

import pytest
from tests.server.features.seasons.virtual import VirtualSeason, weeks

from ziggurat.core.languages import LANGUAGES
from ziggurat.server.features.seasons.letters import letter
from ziggurat.server.features.seasons.state import Drawn
from ziggurat.server.words import words

NAMES = {1: "Ann", 2: "Bob", 3: "Cia", 4: "Dan", 5: "Eve", 6: "Fay"}


def season(rounds: int, until: int | None = None) -> VirtualSeason:
    played = VirtualSeason(weeks(rounds, zone="Europe/Budapest"), 6, habits=(0.0, 0.0, 0.0, 0.0)).play(until)
    return played


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_letter_says_how_it_went_how_one_stands_and_what_comes(language: str) -> None:
    played = season(3, 1)
    state = played.state
    played.do(state.drawing(2, state.terms.drawn_at(2)))
    assert isinstance(played.events[-1], Drawn)
    for row in state.standings(1):
        said = letter(state, "abc", row.who, NAMES, words(language))
        assert said.place == "#/season/abc"
        assert "Autumn" in said.title
        table = state.draws[0].tables[(state.table_of(1, row.who) or 0) - 1]
        assert all(NAMES[who] in said.text for who in table.people if who != row.who)
        assert "2027-01-22 09:00 (Europe/Budapest)" in said.text
        assert "{" not in said.text


def test_the_last_letter_says_who_has_won() -> None:
    state = season(2).state
    first, second, *_ = state.standings()
    won = letter(state, "abc", first.who, NAMES, words("en"))
    assert won.title == "Autumn is over"
    assert "you have won it" in won.text
    assert (
        f"{NAMES[first.who]} has won it. You came in at place 2"
        in letter(state, "abc", second.who, NAMES, words("en")).text
    )


def test_who_was_forgotten_is_a_number() -> None:
    state = season(2).state
    first, second, *_ = state.standings()
    others = {who: name for who, name in NAMES.items() if who != first.who}
    assert f"player {first.who} has won" in letter(state, "abc", second.who, others, words("en")).text

"""Lessons: whatever somebody does in a step is answered, in both languages, by what they may know."""

from __future__ import annotations

import re

import pytest

import ziggurat
from ziggurat.core.errors import IllegalAction
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.lesson import Lesson, Step, answer, lessons, whole_moves
from ziggurat.core.text import Catalogue, general

STEPS = [
    pytest.param(one, step, id=f"{game.id}-{one.name}-{step.name}")
    for game in ziggurat.registered_games().values()
    for one in lessons(game).values()
    for step in one.steps
]
TAUGHT = [game for game in ziggurat.registered_games().values() if lessons(game)]
REDEALS = 3


def catalogue(game: str, language: str) -> Catalogue:
    found = ziggurat.game(game)
    return Catalogue(language, {**general(language), **found.text(language), **found.text(language, "learn")})


@pytest.mark.parametrize("game", TAUGHT, ids=[game.id for game in TAUGHT])
def test_lessons_say_what_the_catalogues_have_and_nothing_else(game: ziggurat.Game) -> None:
    said = [key for one in lessons(game).values() for key in one.words()]
    for language in LANGUAGES:
        assert set(said) == set(game.text(language, "learn"))


@pytest.mark.parametrize("game", TAUGHT, ids=[game.id for game in TAUGHT])
def test_a_game_is_learned_in_two_or_three_short_lessons(game: ziggurat.Game) -> None:
    found = lessons(game).values()
    assert 2 <= len(found) <= 3
    assert 10 <= sum(len(one.steps) for one in found) <= 16
    assert all(1 <= one.minutes <= 3 for one in found)
    first = next(iter(found)).steps[0]
    assert first.answers, "one begins with a move of one's own"


@pytest.mark.parametrize(("one", "step"), STEPS)
def test_every_move_is_answered_and_every_answer_is_given(one: Lesson, step: Step) -> None:
    if step.choices:
        assert step.right in step.choices
        assert len(step.choices) > 1
        return
    position, seat = one.begin(step), step.seat - 1
    says = [catalogue(one.game, language) for language in LANGUAGES]
    given: dict[str, bool] = {}
    rng = ziggurat.generator(7)
    redealt = [position.redeal(seat, rng) for _ in range(REDEALS)]
    for moves in whole_moves(position, seat):
        verdict = answer(one, step, moves)
        name = verdict.say.key.rpartition(".")[2]
        given[name] = verdict.right
        for say in says:
            text = say(verdict.say.key, lambda seat: f"P{seat}", **verdict.say.args)
            assert text.strip()
            assert not re.search(r"[{}]", text), text
        # What is said hangs on nothing that the seat does not see.
        for other in redealt:
            ahead = other.copy(events=False)
            try:
                ahead.play_all(seat, moves)
            except IllegalAction:
                continue  # decks and hands of others decide whether it can be made, which the board says
            fits = next(a for a in step.answers if a.fits(other.write_move(moves), ahead.events))
            assert fits.say == name, f"{other.write_move(moves)}: by what is hidden"
    assert set(given) == {reply.say for reply in step.answers}, "answers that no move gets"
    assert set(given.values()) == {False, True}, "every step can be done, and failed"
    assert answer(one, step, position.read_move(step.show, seat)).right, "what is shown is right"

"""The writer by which moves ahead are measured: what it lists of what may come."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.standing_orders import Answer, Asked, Writing, course, listed

WISH = Writing(price=1.0)
"""A wait may cost one hundredth of a win."""


class May(Asked):
    """A question that may come, with what each move would lose there, in hundredths of a win."""

    def __init__(self, question: int, own: int, losses: Mapping[int, float], then: Asked | None = None) -> None:
        self.question, self.own = question, own
        self.answers = {move: Answer(loss / 100, None, False) for move, loss in losses.items()}
        self.answers[own] = Answer(0.0, then, True)

    def answer(self, move: int) -> Answer | None:
        return self.answers.get(move)


def of(*worlds: Asked) -> list[list[Asked]]:
    """Worlds of one turn each."""
    return [[first] for first in worlds]


def test_a_move_is_listed_that_loses_less_than_the_waits_that_it_saves_are_worth() -> None:
    often, seldom = May(0, 0, {1: 0.1}), May(0, 1, {0: 0.2})
    assert listed(of(often, often, often, seldom), [0, 0], WISH)[:1] == [0]
    dear = May(0, 1, {0: 30.0})
    assert 0 not in listed(of(often, often, often, dear), [0, 0], Writing(price=1.0, most=1))


def test_what_is_right_wherever_it_can_be_made_comes_first() -> None:
    both, one = May(0, 1, {0: 9.0}), May(0, 0, {})
    assert listed(of(both, both, both, one, one, one), [0, 0], WISH) == [1, 0]


def test_a_turn_is_listed_whole_or_not_at_all() -> None:
    def turn(last: int) -> Asked:
        return May(0, 0, {}, May(1, last, {}))

    assert sorted(listed(of(turn(1), turn(1), turn(1)), [0, 1], WISH)) == [0, 1]
    assert listed(of(turn(1), turn(2), turn(3)), [0, 1, 1, 1], WISH) == [], "somebody has to come all the same"


def test_what_was_thought_of_in_one_world_alone_is_no_reason() -> None:
    assert listed(of(May(0, 0, {}), May(0, 1, {}), May(0, 2, {})), [0, 0, 0], WISH) == []


def test_a_list_stops_where_somebody_has_to_come_and_later_turns_save_nothing() -> None:
    first, second = May(0, 0, {}), May(0, 1, {})
    found = course([first, second], [1], [0, 0])
    assert (found.turns, found.stops) == (0, first)
    assert course([first, second, first], [1, 0], [0, 0]).turns == 3, "moves stay"


def test_after_a_move_that_the_level_would_not_make_nothing_more_is_counted() -> None:
    found = course([May(0, 0, {1: 0.5}), May(0, 1, {})], [1], [0, 0])
    assert (found.turns, found.loss, found.stops) == (1, 0.005, None)

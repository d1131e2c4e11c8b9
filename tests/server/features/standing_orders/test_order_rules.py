"""When a move that was written ahead is made, and what is left of a list: the rules alone, in a time of our own."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import msgspec
import pytest
from tests.example import TABLES
from tests.server.test_clock import DAYS, LIVE, PEOPLE, Play
from tests.server.test_undo_rules import whole_move
from tests.server.watch import Watch

from ziggurat.server.domain.move import move
from ziggurat.server.domain.resign import resign
from ziggurat.server.domain.seating import come_back, leave
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import vacation
from ziggurat.server.domain.undo import answer, undo
from ziggurat.server.domain.votes import answer_vote, ask_pause, bot_plays, resume
from ziggurat.server.features.standing_orders.rules import (
    MOST_ORDERS,
    OrderList,
    arranged,
    decoded,
    encoded,
    has_come_to_light,
    left_after,
    moment,
    must_write,
    order_of,
    playable,
    written,
)
from ziggurat.server.problems import Problem


@pytest.fixture
def play(watch: Watch) -> Play:
    """A table of days of two, at which both have moved."""
    made = Play(watch, DAYS)
    for _ in range(4):
        made.moves()
    return made


def list_of(play: Play, seat: int) -> OrderList:
    """A list with the move that the seat would make now."""
    assert play.table.position is not None
    order = order_of(play.table.position, seat, whole_move(play.table, seat))
    return OrderList((order,), since=play.table.seq)


def left(
    play: Play, orders: OrderList, seat: int, verb: Callable[[], object], by_order: bool = False
) -> OrderList | None:
    """What is left of a list after something has happened."""
    before = play.table
    verb()
    assert play.table is not before
    return left_after(orders, str(before.seats[seat].person), seat, before, play.table, by_order)


def test_what_is_written_is_made_when_its_question_comes_and_only_then(play: Play) -> None:
    seat = play.mover
    orders = list_of(play, seat)
    answer_now = playable(play.table, seat, orders)
    assert answer_now is not None
    assert answer_now.place == 0
    other = 1 - seat
    if other not in play.table.actors:
        assert playable(play.table, other, orders) is None
    play.does(move, seat, "made", play.table.seq, answer_now.steps)
    assert play.table.changes[-1].seat == seat


def test_a_list_is_stored_and_read_as_it_was(play: Play) -> None:
    orders = replace_quiet(list_of(play, play.mover))
    assert decoded(encoded(orders)) == orders


def replace_quiet(orders: OrderList) -> OrderList:
    return OrderList(orders.orders, True, orders.since)


def test_it_waits_while_an_undo_is_asked_the_game_is_paused_or_the_person_has_got_up(play: Play) -> None:
    seat, other = play.mover, 1 - play.mover
    orders = list_of(play, seat)
    assert playable(play.table, seat, orders)
    play.does(undo, other, "u", lambda *_: 0.0, True)
    if play.table.undo is not None:
        assert playable(play.table, seat, orders) is None
        play.does(answer, seat, "no", False)
    assert playable(play.table, seat, orders)
    play.does(ask_pause, other, "p", 3600, lambda *_: 0.0)
    play.does(answer_vote, seat, "y", True)
    assert play.table.paused
    assert playable(play.table, seat, orders) is None
    play.does(resume, seat, "r")
    assert playable(play.table, seat, orders)
    person = str(play.table.seats[seat].person)
    play.does(leave, person)
    assert play.table.seats[seat].away
    assert playable(play.table, seat, orders) is None
    play.does(come_back, person)
    assert playable(play.table, seat, orders)


def test_on_vacation_it_is_made_all_the_same(watch: Watch) -> None:
    """Whoever goes away for days writes it for that."""
    play = Play(watch, msgspec.structs.replace(DAYS, vacation=5))
    seat = play.mover
    orders = list_of(play, seat)
    play.does(vacation, seat, "v", 2, play.watch.now)
    assert playable(play.table, seat, orders)


def test_one_that_is_made_takes_its_alternatives_along_and_leaves_what_answers_other_questions(play: Play) -> None:
    seat = play.mover
    orders = list_of(play, seat)
    (order,) = orders.orders
    elsewhere = type(order)(
        "other", type(order.move)({"key": "ask.other", "args": {}}, order.move.steps), None, order.words
    )
    both = OrderList((order, type(order)("twice", order.move, None, order.words), elsewhere))
    steps = playable(play.table, seat, both)
    assert steps is not None
    rest = left(play, both, seat, lambda: play.does(move, seat, "m", play.table.seq, steps.steps), by_order=True)
    assert rest is not None
    assert [one.id for one in rest.orders] == ["other"]


def test_of_a_list_that_goes_on_all_moves_stay_until_it_has_made_as_many_as_it_may_have(play: Play) -> None:
    seat = play.mover
    (order,) = list_of(play, seat).orders
    twice = type(order)("twice", order.move, None, order.words)
    orders = OrderList((order, twice), goes_on=True)
    found = playable(play.table, seat, orders)
    assert found is not None
    old = play.table
    person = old.seats[seat].person or ""
    play.does(move, seat, "m", play.table.seq, found.steps)
    for number in range(1, MOST_ORDERS):
        rest = left_after(orders, person, seat, old, play.table, by_order=True)
        assert rest is not None, number
        assert (rest.orders, rest.goes_on, rest.made) == ((order, twice), True, number), "for the turn after, too"
        orders = rest
    assert left_after(orders, person, seat, old, play.table, by_order=True) is None
    assert arranged(orders, ["twice"], False, 1, goes_on=False) == OrderList((twice,), since=1), "looked at: none made"
    assert written(orders, order, 2).made == 0
    rest = orders
    by_hand = left(play, rest, seat, lambda: play.moves(seat)) if seat in play.table.actors else None
    assert by_hand is None


def test_whoever_wants_to_be_alert_is_asked_where_something_of_another_kind_is_new(play: Play) -> None:
    seat = play.mover
    (order,) = list_of(play, seat).orders
    assert playable(play.table, seat, OrderList((order,), alert=True)), "nothing is new where it was written"
    position = play.table.position
    assert position is not None
    kinds = {position.game.space[action].type for action in position.legal(seat)}
    if len(kinds) > 1:
        assert order.known
        blind = msgspec.structs.replace(order, known=frozenset())
        assert playable(play.table, seat, OrderList((blind,), alert=True)) is None
        assert playable(play.table, seat, OrderList((blind,))), "who does not say so has it made"


def test_a_move_by_hand_takes_all_and_one_of_others_nothing(play: Play) -> None:
    seat = play.mover
    orders = list_of(play, seat)
    assert left(play, orders, seat, lambda: play.moves(seat)) is None
    while seat in play.table.actors:
        play.moves(seat)
    other = play.mover
    assert left(play, orders, seat, lambda: play.moves(other)) is orders


def test_it_ends_when_the_own_move_is_taken_back_or_somebody_else_plays_there(watch: Watch) -> None:
    def fresh() -> Play:
        play = Play(watch, DAYS)
        for _ in range(4):
            play.moves()
        return play

    play = fresh()
    seat = play.mover
    orders = list_of(play, seat)
    assert left(play, orders, seat, lambda: play.does(resign, seat, "r")) is None
    play = fresh()
    assert left(play, list_of(play, play.mover), play.mover, partial(play.does, bot_plays, play.mover)) is None
    play = fresh()
    orders = list_of(play, seat := play.mover)
    assert left(play, orders, seat, partial(play.passes, 30 * 86_400)) is None, "their time has run out"
    play = fresh()
    seat = play.mover
    play.moves(seat)
    before = play.table
    play.does(undo, seat, "u", lambda *_: 0.0, True)
    if play.table.undo is not None:
        play.does(answer, 1 - seat, "yes", True)
    assert play.table.changes[-1].kind == "undo"
    assert left_after(orders, str(before.seats[seat].person), seat, before, play.table, False) is None


def test_only_by_days(watch: Watch) -> None:
    for control in (None, LIVE):
        play = Play(watch, control)
        with pytest.raises(Problem) as told:
            must_write(play.table, play.table.seats[1 - play.mover])
        assert told.value.code == "not_by_days"
        assert playable(play.table, play.mover, list_of(play, play.mover)) is None


def test_the_wish_for_quiet_holds_until_something_comes_to_light(play: Play) -> None:
    """It does with nearly every move of the example: a card is turned up, and that is in the events."""
    seat = play.mover
    orders = replace_quiet(list_of(play, seat))
    assert playable(play.table, seat, orders)
    assert not has_come_to_light(play.table, seat, play.table.seq)
    assert has_come_to_light(play.table, seat, 0), "the set-up has shown something"
    earlier = OrderList(orders.orders, True, 0)
    assert playable(play.table, seat, earlier) is None
    assert playable(play.table, seat, OrderList(orders.orders, False, 0)), "whoever does not say so has it made"


@pytest.mark.parametrize(("game", "players"), [(game, players) for game, players in TABLES if players == 3])
def test_what_came_to_light_for_others_alone_is_nothing_new(watch: Watch, game: str, players: int) -> None:
    """It is asked of what the seat may read."""
    play = Play(watch, DAYS, players, game)
    kinds = play.table.position.game.events.turns_up if play.table.position else frozenset()
    for _ in range(30):
        if not play.table.actors:
            break
        before = play.table.seq
        play.moves()
        for seat in range(players):
            seen = {
                word
                for change in play.table.since(before)
                for stored in change.events
                if stored.may_read(seat)
                for word in kinds
                if b'"type":"%b"' % word.encode() in stored.text
            }
            assert has_come_to_light(play.table, seat, before) == bool(seen)


def test_the_time_is_drawn_as_people_take_it_and_never_near_the_end_of_the_clock(play: Play) -> None:
    seat = play.mover
    drawn = [moment(play.table, seat, 60, 1800) - play.table.updated for _ in range(400)]
    assert 60 <= min(drawn) < 90
    assert 1200 < max(drawn) <= 1800
    assert sum(one < 330 for one in drawn) in range(140, 261), "each doubling is as likely"
    short = replace(play.table)
    clock = play.clock(seat)
    assert clock.until is not None
    far = [moment(short, seat, 10**7, 10**8) for _ in range(20)]
    assert max(far) <= play.table.updated + (clock.until - play.table.updated) / 2


def test_a_list_is_bounded_and_says_what_it_has(play: Play) -> None:
    seat = play.mover
    (order,) = list_of(play, seat).orders
    orders = OrderList()
    for number in range(MOST_ORDERS):
        move_of_number = type(order.move)({"key": f"ask.{number}", "args": {}}, order.move.steps)
        orders = written(orders, type(order)(f"{number}", move_of_number, None, order.words), 7)
    assert len(orders.orders) == MOST_ORDERS
    with pytest.raises(Problem) as told:
        written(orders, order, 7)
    assert told.value.code == "too_many_orders"
    again = written(orders, orders.orders[0], 8)
    assert [one.id for one in again.orders] == [*map(str, range(1, MOST_ORDERS)), "0"], "the same goes to the end"
    ids = [str(number) for number in range(MOST_ORDERS)]
    random.Random(1).shuffle(ids)
    assert [one.id for one in arranged(orders, ids, False, 9).orders] == ids
    assert arranged(orders, [], True, 9) == OrderList((), True, 9)


def test_the_person_is_another_than_who_wrote_it(play: Play) -> None:
    """A list is its writer's: whoever takes the seat over has none."""
    seat = play.mover
    orders = list_of(play, seat)
    before: Table = play.table
    assert left_after(orders, "somebody", seat, before, play.table, False) is None
    assert PEOPLE[0].id in {str(one.person) for one in before.seats}

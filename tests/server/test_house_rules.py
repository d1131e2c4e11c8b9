"""What people at a table cannot do to each other: stop a clock, bind somebody who did not agree, write without end."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.example import EXAMPLE, SHORT
from tests.server.test_clock import PEOPLE, Play, person, refused
from tests.server.test_undo_rules import whole_move
from tests.server.watch import Watch

import ziggurat
from ziggurat.server import domain
from ziggurat.server.api.schemas import table_info
from ziggurat.server.domain.again import play_again
from ziggurat.server.domain.bounds import (
    CHANGE_BOUNDS,
    LATELY_SECONDS,
    MOST_OWN_CHANGES,
    MOST_REQUESTS,
    MOST_REQUESTS_LATELY,
)
from ziggurat.server.domain.clock import TimeControl, counted
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import move, play_bot, play_forced
from ziggurat.server.domain.ownership import forget
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.rules_gateway import visible
from ziggurat.server.domain.seat_transfer import TakeSeat, transfer_seat
from ziggurat.server.domain.seating import Join, by_hand, come_back, join, leave, take_over
from ziggurat.server.domain.start import start, start_by
from ziggurat.server.domain.substitutes import agree_to_substitute, agreed, moves_by_substitute, refuse_substitute
from ziggurat.server.domain.table import OnlyMove, Table
from ziggurat.server.domain.timing import pass_time
from ziggurat.server.domain.undo import answer, can_undo, undo
from ziggurat.server.domain.votes import answer_vote, ask_end, ask_pause, asked, resume
from ziggurat.server.features.notifications.rules import notices
from ziggurat.server.live.activity import notes, undo_wish
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.settings import Settings

LIVE = TimeControl("live", 300, 30)


def left(play: Play, seat: int) -> float:
    """What a seat has left now, before it loses the game's time."""
    clock = play.clock(seat)
    assert play.table.time is not None
    used = counted(clock, play.table.time.control, clock.since, play.watch.now) if clock.since is not None else 0.0
    return clock.delay_left + clock.reserve - used


def quietly(play: Play, seat: int) -> None:
    """Move so that nothing is learnt by it, and go on deciding, as far as the table can tell."""
    last = play.table
    play.moves(seat)
    assert play.table is not last
    play.watch.shown(play.table, nothing=True)


def pause(play: Play, seat: int) -> None:
    """Have both of two people agree to a pause."""
    play.does(ask_pause, seat, "p", 3600)
    play.does(answer_vote, 1 - seat, "y", True)


def leave_to_a_bot(play: Play, seat: int) -> None:
    """Of two people, let one leave and the other give the seat to a bot a minute later."""
    play.does(leave, person(play, seat))
    play.watch.now += 60
    play.does(agree_to_substitute, 1 - seat, "s", seat, lambda _: 60.0)
    assert play.table.seats[seat].bot


def until_a_quiet_move(play: Play) -> int:
    """Play until somebody can take a move back at once that shows nothing; return who."""
    while True:
        seat, before = play.mover, play.table
        quietly(play, seat)
        if can_undo(play.table, seat) == "free":
            play.table = before
            return seat


# --- Clocks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), often=[SHORT]))
def test_a_move_that_is_taken_back_at_once_gives_no_time_back(watch: Watch, game: str) -> None:
    play = Play(watch, LIVE, people=max(2, ziggurat.game(game).min_players), game=game)
    seat = until_a_quiet_move(play)
    until = play.watch.now + left(play, seat)
    while play.table.seats[seat].bot is None:
        assert watch.now <= until + 25, "their time runs out as if they had never moved"
        watch.now += 16.5
        quietly(play, seat)
        watch.now += 4
        play.does(undo, seat, f"u{play.table.seq}")
        assert left(play, seat) == pytest.approx(max(0.0, until - watch.now)), "the decision goes on as it was"
        play.passes(0)


def test_who_decides_again_after_their_own_move_has_no_more_time_when_it_is_taken_back(watch: Watch) -> None:
    """The mover has used of the next decision's own time, which was new; taken back, it was of the first's."""
    play = Play(watch, LIVE)
    seat = play.mover
    watch.now += 20
    quietly(play, seat)
    before = play.clock(seat)
    watch.now += 25  # of their own next decision, or of somebody else's
    play.does(undo, seat, "u")
    assert left(play, seat) == 330 - 45
    assert play.clock(seat).reserve == 300 - 15
    assert before.reserve == 300


def test_an_undo_by_consent_costs_only_ones_own_time(watch: Watch) -> None:
    play = Play(watch, LIVE)
    seat = play.mover
    watch.now += 20
    play.moves(seat)
    while play.mover == seat:
        play.moves(seat)
    other = play.mover
    watch.now += 25
    play.does(undo, seat, "u")
    watch.now += 3
    play.does(answer, other, "y", True)
    assert play.mover == seat
    assert left(play, seat) == 310
    assert left(play, other) >= 300, "who thinks about something that was never played loses nothing of it"


def test_a_pause_between_a_move_and_its_undo_costs_nothing(watch: Watch) -> None:
    play = Play(watch, LIVE)
    seat = play.mover
    watch.now += 10
    quietly(play, seat)
    pause(play, seat)
    watch.now += 1000
    play.does(resume, seat, "r")
    watch.now += 2
    play.does(undo, seat, "u")
    assert left(play, seat) == 330 - 12


def test_an_undo_in_a_pause_gives_no_time_back(watch: Watch) -> None:
    play = Play(watch, LIVE)
    seat = play.mover
    watch.now += 25
    quietly(play, seat)
    pause(play, seat)
    watch.now += 100
    play.does(undo, seat, "u")
    assert left(play, seat) == 305
    watch.now += 100
    play.does(resume, seat, "r")
    assert left(play, seat) == 305


def test_a_bots_move_that_is_taken_back_gives_no_new_time(watch: Watch) -> None:
    """Where the bot sat there because somebody was gone, whose time had not run out."""
    play = Play(watch, LIVE)
    seat = play.mover
    watch.now += 50
    leave_to_a_bot(play, seat)
    bot = play.table.seats[seat].bot
    play.does(play_bot, seat, bot, play.table.seq, whole_move(play.table, seat))
    while play.mover != seat:
        play.moves()
    play.does(take_over, seat, "b")  # and is asked anew
    play.does(undo, seat, "u")
    play.does(answer, 1 - seat, "y", True)
    assert left(play, seat) <= 330 - 110


def test_a_late_move_that_is_taken_back_gives_no_time(watch: Watch) -> None:
    """Where nothing happens when the time runs out, they move late, and go on with nothing."""
    play = Play(watch, TimeControl("live", 300, 30, then="nothing"))
    seat = play.mover
    watch.now += 400
    play.passes(0)
    assert play.clock(seat).late
    play.moves(seat)
    while play.mover != seat:
        play.moves()
    assert left(play, seat) == 30, "their next decision has its own time"
    play.does(undo, seat, "u")
    play.does(answer, 1 - seat, "y", True)
    assert left(play, seat) == 0


def test_nobody_moves_where_a_bot_plays_for_them(watch: Watch) -> None:
    """They take their seat back first: else the bot, which is thinking, would have thought for nothing."""
    play = Play(watch, LIVE)
    seat = play.mover
    play.passes(330)
    assert play.table.seats[seat].bot
    refused("bot_plays", play, move, seat, "x", play.table.seq, whole_move(play.table, seat))
    play.does(take_over, seat, "b")
    play.does(move, seat, "x", play.table.seq, whole_move(play.table, seat))


def test_what_the_clock_said_at_a_move_is_kept(watch: Watch) -> None:
    play = Play(watch, LIVE)
    watch.now += 40
    play.moves()
    assert play.table.changes[-1].left == (kept := play.table.changes[-1].left)
    assert kept is not None
    assert (kept.delay_left, kept.used, kept.drawn) == (0.0, 40.0, 10.0)


def test_a_forced_answer_is_given_while_somebody_asks_for_an_undo(watch: Watch) -> None:
    play = Play(watch, TimeControl("live", 0, 3))
    seat = play.mover
    while play.mover == seat:
        play.moves(seat)
    other = play.mover
    play.does(undo, seat, "u")
    action = whole_move(play.table, other)[0]
    table = replace(play.table)
    object.__setattr__(table, "_answers", {other: OnlyMove((action,), told=True)})
    assert table.due, "some worker has to play it"
    assert table.forced == {other: (action,)}


@pytest.mark.parametrize("control", [TimeControl("live", 0, 3), LIVE])
@pytest.mark.parametrize("late", [100, 400])
def test_a_forced_answer_that_comes_too_late_costs_nobody_anything(
    watch: Watch, control: TimeControl, late: int
) -> None:
    """The service stood still for longer than the decision's own time, and even for longer than the clock had left."""
    play = Play(watch, control)
    seat = play.mover
    action = whole_move(play.table, seat)[0]
    object.__setattr__(play.table, "_answers", {seat: OnlyMove((action,), told=True)})
    if play.table.tick is not None and play.table.tick > watch.now + late:
        watch.now += late
        play.does(play_forced, seat, play.table.seq)
    else:
        play.passes(late)
    move = play.table.changes[-1]
    assert play.table.seats[seat].bot is None
    assert (move.kind, move.steps) == ("move", (action,))
    clock = play.clock(seat)
    assert (clock.reserve, clock.used, clock.drawn) == (control.reserve, control.step, 0)
    assert move.left == (clock.left(False) if clock.since is None else move.left)


def test_a_bot_that_sat_down_for_a_moment_gives_nobody_new_time(watch: Watch) -> None:
    play = Play(watch, LIVE)
    seat = play.mover
    watch.now += 100
    leave_to_a_bot(play, seat)
    watch.now += 1000
    play.does(take_over, seat, "b")
    assert left(play, seat) == 330 - 160, "while a bot plays no time counts, and none comes back"


# --- Agreeing ------------------------------------------------------------------------------------------------------


def everybody(_seat: int) -> float:
    """All are connected."""
    return 0.0


@pytest.mark.parametrize(("verb", "more"), [(ask_end, ()), (ask_pause, (600,))])
def test_who_lost_their_time_is_asked_all_the_same(watch: Watch, verb: Any, more: tuple[int, ...]) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, bot="random"), people=3)
    late = play.mover
    play.passes(330)
    assert play.table.seats[late].bot == "random"
    seat, other = (one for one in range(3) if one != late)
    away = {late: 299.0}
    play.does(verb, seat, "w", *more, lambda one: away.get(one, 0.0))
    assert list(asked(play.table)) == sorted((late, other))
    play.does(answer_vote, other, "y", True)
    assert (play.table.status, play.table.paused) == ("playing", False)
    play.does(answer_vote, late, "y", True)
    assert play.table.status == "ended" or play.table.paused
    told = notes(play.table, 0, None)[-1]
    assert told.seat == seat, "it is told of whoever asked, not of who agreed last"


def test_nobody_ends_the_game_of_the_others_because_bots_stand_in(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, bot="random"))
    late = play.mover
    play.passes(330)
    seat = 1 - late
    play.does(ask_end, seat, "e", everybody)
    assert (play.table.status, list(asked(play.table))) == ("playing", [late])
    play.does(answer_vote, late, "n", False)
    # Who has been gone for more than five minutes is not asked.
    watch.now += LATELY_SECONDS
    play.does(ask_end, seat, "f", lambda one: 301.0 if one == late else 0.0)
    assert play.table.status == "ended"


def test_in_a_game_of_days_somebody_is_asked_for_a_day(watch: Watch) -> None:
    for absent_for, status in ((86_400.0, "playing"), (86_401.0, "ended")):
        play = Play(watch, TimeControl("days", 0, 3600, bot="random"))
        late = play.mover
        play.passes(3600)
        assert play.table.seats[late].bot
        play.does(ask_end, 1 - late, "e", lambda _, gone=absent_for: gone)
        assert play.table.status == status


def test_an_undo_is_told_of_whoever_took_back(watch: Watch) -> None:
    play = Play(watch, None, people=3)
    seat = play.mover
    play.moves(seat)
    play.does(undo, seat, "u", everybody)
    others = [one for one in range(3) if one != seat]
    play.does(answer, others[0], "y", True)
    refused("agreed_already", play, answer, others[0], "z", True)
    play.does(answer, others[1], "y", True)
    told = notes(play.table, 0, None)[-1]
    assert (told.kind, told.seat, told.args) == ("undo", seat, {})
    assert answer(play.table, others[1], "y", True) is play.table, "the last answer again is acknowledged"


def undo_asked(watch: Watch) -> tuple[Play, int]:
    """A game of three with a clock, in which whoever began asks to have the move back."""
    play = Play(watch, LIVE, people=3)
    by = play.mover
    play.moves(by)
    play.does(undo, by, "u")
    assert play.table.undo is not None
    return play, by


WISHES: dict[str, tuple[Any, Any, str]] = {
    "undo": (None, lambda play, seat: play.does(answer, seat, f"a{seat}", False), "undo"),
    "pause": (
        lambda play: play.does(ask_pause, 0, "w", 600),
        lambda play, seat: play.does(answer_vote, seat, f"a{seat}", False),
        "pause",
    ),
    "end": (
        lambda play: play.does(ask_end, 0, "w"),
        lambda play, seat: play.does(answer_vote, seat, f"a{seat}", False),
        "end",
    ),
}
"""What is asked, and how somebody refuses it."""


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("how", ["refused", "withdrawn", "late"])
def test_who_asked_is_told_who_refused(watch: Watch, wish: str, how: str) -> None:
    """In the log, which the page says in the bar, and by the channels of whoever looks elsewhere."""
    ask, refuse, said = WISHES[wish]
    play, by = undo_asked(watch) if ask is None else (Play(watch, LIVE, people=3), 0)
    if ask is not None:
        ask(play)
    other = (by + 1) % 3
    before, seat = play.table, {"refused": other, "withdrawn": by, "late": None}[how]
    if seat is None:
        until = before.undo.until if before.undo is not None else before.vote.until if before.vote else None
        assert until is not None
        play.does(pass_time, until + 1)
    else:
        refuse(play, seat)
    assert (play.table.undo, play.table.vote) == (None, None)
    for viewer in (0, 1, 2, None):
        (told,) = notes(play.table, before.seq, viewer)
        assert (told.kind, told.seat) == ("undo_no" if wish == "undo" else "vote_no", seat)
        assert told.args == {"asked": said, **({"withdrawn": 1} if how == "withdrawn" else {})}
        again = notes(play.table, 0, viewer)[-1]
        assert (again.kind, again.seat, again.args) == (told.kind, told.seat, told.args), "to whoever comes later, too"
    news = [(one.people, one.seats) for one in notices(before, play.table) if one.kind == "refused"]
    whom = {"refused": [((person(play, by),), (other,))], "withdrawn": [], "late": [((person(play, by),), ())]}
    assert news == whom[how]


@pytest.mark.parametrize(("seat", "withdrawn"), [(2, {}), (0, {"withdrawn": 1})])
def test_one_word_refuses_a_bot_for_who_is_gone(watch: Watch, seat: int, withdrawn: dict[str, int]) -> None:
    """As with a pause: whoever suggested it is told, and it can be suggested again."""
    play = Play(watch, None, people=4)
    play.does(leave, person(play, 1))
    watch.now += 400

    def absent_for(seat: int) -> float:
        return 400.0 if seat == 1 else 0.0

    refused("no_stand_in_asked", play, refuse_substitute, seat, "x", 1)
    play.does(agree_to_substitute, 0, "a", 1, absent_for)
    play.does(agree_to_substitute, 3, "b", 1, absent_for)
    refused("no_leaver", play, refuse_substitute, 1, "y", 1)
    before = play.table
    play.does(refuse_substitute, seat, "no", 1)
    assert agreed(play.table, 1) == ()
    for viewer in (0, 1, 2, None):
        (told,) = notes(play.table, before.seq, viewer)
        assert (told.kind, told.seat, told.args) == ("stand_in_no", seat, {"gone": 1, **withdrawn})
    news = [(one.people, one.seats) for one in notices(before, play.table) if one.kind == "refused"]
    assert news == ([] if withdrawn else [((person(play, 0),), (2,))])
    for again in (0, 2):
        play.does(agree_to_substitute, again, f"c{again}", 1, absent_for)
    assert play.table.seats[1].bot is None, "who had agreed before is asked anew"
    play.does(agree_to_substitute, 3, "d", 1, absent_for)
    assert play.table.seats[1].bot is not None


def test_a_move_that_refuses_an_undo_is_told_as_that(watch: Watch) -> None:
    play, by = undo_asked(watch)
    before, mover = play.table, play.mover
    assert mover != by
    play.moves(mover)
    (told,) = notes(play.table, before.seq, 0)
    assert (told.kind, told.seat, told.args) == ("undo_no", mover, {"moved": 1})
    assert [one.seats for one in notices(before, play.table) if one.kind == "refused"] == [(mover,)]
    before = play.table
    play.moves()
    assert not notes(play.table, before.seq, 0), "the next one refuses nothing"


def test_everybody_is_told_which_move_an_undo_is_about(watch: Watch) -> None:
    """By the events that they read in the log; what followed by itself goes with it."""
    play, by = undo_asked(watch)
    one, two = sorted({0, 1, 2} - {by})
    moved = next(change for change in play.table.changes if change.kind == "move")
    for seat in (0, 1, 2, None):
        wish = undo_wish(play.table, seat)
        assert wish is not None
        assert (wish.by, wish.asked) == (by, [one, two])
        seen = [
            happened
            for event in visible(moved.events, seat)
            for happened in msgspec.json.decode(b"[%b]" % bytes(event))
        ]
        assert (wish.events, wish.move) == (len(seen), len(seen))
        assert seen
    # One agrees, and an answer that the rules force comes meanwhile.
    play.does(answer, one, "y", True)
    events = (*moved.events, *moved.events)
    forced = replace(moved, seq=play.table.seq + 1, seat=one, forced=True, events=events)
    play.table = replace(play.table, seq=forced.seq, changes=(*play.table.changes, forced))
    wish = undo_wish(play.table, 0)
    assert wish is not None
    assert wish.asked == [two]
    assert wish.events == 3 * wish.move


def test_who_comes_back_while_something_is_asked_is_asked_too(watch: Watch) -> None:
    play = Play(watch, None, people=3)
    play.does(leave, PEOPLE[2].id)
    watch.now += 1000
    play.does(ask_end, 0, "e", lambda seat: 1000.0 if seat == 2 else 0.0)
    assert list(asked(play.table)) == [1]
    play.does(come_back, PEOPLE[2].id)
    assert list(asked(play.table)) == [1, 2]
    play.does(answer_vote, 1, "y", True)
    assert play.table.status == "playing"


def test_who_takes_a_seat_is_not_bound_by_what_the_one_before_said(watch: Watch) -> None:
    play = Play(watch, None, people=3)
    seat = play.mover
    one, other = (number for number in range(3) if number != seat)
    play.moves(seat)
    play.does(undo, seat, "u")
    play.does(answer, one, "y", True)
    play.does(ask_end, other, "e")
    play.does(answer_vote, one, "y2", True)
    play.does(transfer_seat, person(play, one), PEOPLE[3], TakeSeat("", "Dan"))
    play.does(answer, other, "y", True)
    play.does(answer_vote, seat, "y", True)
    assert play.table.undo is not None
    assert play.table.vote is not None
    assert list(asked(play.table)) == [one]
    dan = PEOPLE[3]
    play.does(transfer_seat, person(play, other), Person("eve", "Eve", "en"), TakeSeat("", "Eve"))
    assert play.table.vote is None, "a wish ends with whoever had it"
    assert play.table.seat_of(dan.id) is not None


def test_who_was_not_asked_does_not_answer(watch: Watch) -> None:
    play = Play(watch, None, people=3)
    play.does(leave, PEOPLE[2].id)
    if play.mover == 2:
        play.moves(2)
    seat = play.mover
    play.moves(seat)
    play.does(undo, seat, "u")
    refused("not_asked", play, answer, 2, "y", True)
    refused("not_asked", play, answer, 2, "n", False)
    play.does(answer, seat, "w", False)
    play.does(ask_end, seat, "e")
    refused("not_asked", play, answer_vote, 2, "y", True)


# --- Nobody is left ------------------------------------------------------------------------------------------------


def test_a_table_with_nobody_left_waits(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, bot="random"))
    first = play.mover
    play.passes(330)
    while play.mover == first:
        play.does(play_bot, first, "random", play.table.seq, whole_move(play.table, first))
    assert not play.table.waits
    play.passes(330)
    assert play.table.waits
    assert (play.table.bot_due, play.table.due, play.table.tick) == (None, False, None)
    assert table_info(play.table, None, Bus(Settings())).waits
    play.does(take_over, first, "b")
    assert not play.table.waits
    assert play.table.bot_due is not None, "for who is still gone a bot plays on"


def test_a_table_of_bots_alone_plays(watch: Watch) -> None:
    table = create(NewTable(EXAMPLE, [NewSeat("bot", "random"), NewSeat("bot", "random")]), PEOPLE[0])
    assert (table.waits, table.bot_due is None) == (False, False)


def test_the_end_says_for_whom_a_bot_played(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, bot="random"))
    late = play.mover
    play.moves(late)
    while play.mover != late:
        play.moves()
    play.passes(330)
    for _ in range(3):
        seat = play.mover
        if seat == late:
            play.does(play_bot, late, "random", play.table.seq, whole_move(play.table, late))
        else:
            play.moves(seat)
    assert moves_by_substitute(play.table)[late][0] >= 1
    assert table_info(play.table, None, Bus(Settings())).seats[late].moves is msgspec.UNSET, (
        "while it is played nothing is counted"
    )
    play.does(take_over, late, "b")
    play.does(ask_end, 0, "e")
    played, of = moves_by_substitute(play.table)[late]
    play.does(answer_vote, 1, "y", True)
    told = table_info(play.table, None, Bus(Settings())).seats
    assert (told[late].moves, told[late].by_bot) == (of, played)
    assert (told[1 - late].by_bot, of > played >= 1) == (0, True)


# --- The waiting room ----------------------------------------------------------------------------------------------


def waiting(*people: int) -> Table:
    table = create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open"), NewSeat("open")]), PEOPLE[0])
    for one in people:
        table = join(table, Join(table.invite or "", PEOPLE[one].name), PEOPLE[one])
    return table


def test_the_hosting_goes_on_with_whoever_is_there() -> None:
    table = leave(waiting(1, 2), PEOPLE[0].id)
    assert table.host == PEOPLE[1].id
    table = join(table, Join(table.invite or "", "Dan"), PEOPLE[3])
    assert start_by(table, PEOPLE[1].id).status == "playing"
    with pytest.raises(Problem):
        start_by(table, PEOPLE[0].id)


def test_where_the_host_was_alone_the_next_to_sit_down_hosts() -> None:
    table = leave(waiting(), PEOPLE[0].id)
    assert table.host == PEOPLE[0].id, "there is nobody else yet"
    table = join(table, Join(table.invite or "", "Bob"), PEOPLE[1])
    assert table.host == PEOPLE[1].id


def test_who_made_a_table_for_others_stays_its_host() -> None:
    table = create(NewTable(EXAMPLE, [NewSeat("open"), NewSeat("open")]), PEOPLE[0])
    table = join(table, Join(table.invite or "", "Bob"), PEOPLE[1])
    assert leave(table, PEOPLE[1].id).host == table.host == PEOPLE[0].id


def test_where_the_host_is_forgotten_the_others_still_play() -> None:
    table = forget(waiting(1), PEOPLE[0].id)
    assert (table.status, table.host, table.seats[0].kind) == ("waiting", PEOPLE[1].id, "open")
    assert forget(waiting(), PEOPLE[0].id).status == "expired"


# --- Logs and ids --------------------------------------------------------------------------------------------------


def test_every_kind_of_change_has_its_bound() -> None:
    """Whatever a verb writes is declared, and nothing else is."""
    written: set[str] = set()
    server = Path(next(iter(domain.__path__))).parent
    for file in [*server.glob("domain/*.py"), *server.glob("features/*/*.py")]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "after"):
                continue
            (kind, *_) = node.args
            if isinstance(kind, ast.JoinedStr):
                assert ast.unparse(kind) == "f'{kind}_ask'", f"{file.name}: {ast.unparse(node)} names no kind"
                written |= {"pause_ask", "end_ask", "watch_ask"}
            for one in (kind.body, kind.orelse) if isinstance(kind, ast.IfExp) else (kind,):
                if isinstance(one, ast.Constant):
                    written.add(str(one.value))
    assert written == CHANGE_BOUNDS.keys()
    for name, bound in CHANGE_BOUNDS.items():
        assert bound.most is not None or bound.why, name


def test_one_does_not_press_the_others(watch: Watch) -> None:
    play = Play(watch, LIVE)
    for number in range(MOST_REQUESTS_LATELY):
        play.does(ask_end, 0, f"e{number}")
        play.does(answer_vote, 0, f"n{number}", False)
        watch.now += 1
    with pytest.raises(Problem) as told:
        play.does(ask_end, 0, "e")
    assert (told.value.status, told.value.code) == (429, "asked_often")
    assert told.value.args_["seconds"] == LATELY_SECONDS - MOST_REQUESTS_LATELY
    play.does(ask_pause, 0, "p", 600)  # which is something else
    play.does(answer_vote, 1, "no", False)
    play.does(ask_end, 1, "e")
    play.does(answer_vote, 0, "no", False)
    watch.now += LATELY_SECONDS
    assert ask_end(play.table, 0, "e").vote is not None


def test_wishes_have_an_end(watch: Watch) -> None:
    play = Play(watch, None)
    for number in range(MOST_REQUESTS):
        play.does(ask_end, 0, f"e{number}")
        play.does(answer_vote, 1, f"n{number}", False)
        watch.now += LATELY_SECONDS
    refused("long_story", play, ask_end, 0, "e")
    assert ask_end(play.table, 1, "e").vote is not None, "for whoever has pressed alone"


def test_a_wish_of_ones_own_about_answers_is_written_so_often() -> None:
    table = start(waiting(1, 2))
    for _ in range(MOST_REQUESTS):
        table = by_hand(by_hand(table, PEOPLE[0].id, True), PEOPLE[0].id, False)
    assert sum(change.kind == "by_hand" for change in table.changes) == MOST_REQUESTS
    assert by_hand(table, PEOPLE[0].id, True) is table


def test_who_opens_a_table_again_and_again_is_let_in_but_looks_on() -> None:
    table = start(waiting(1, 2))
    for _ in range(MOST_OWN_CHANGES):
        table = come_back(leave(table, PEOPLE[0].id), PEOPLE[0].id)
    gone = replace(table, seats=table.with_seat(replace(table.seats[0], away=True)))
    assert come_back(gone, PEOPLE[0].id) is gone
    with pytest.raises(Problem, match="Very much"):
        take_over(gone, 0, "b")


def test_a_new_game_is_a_table_of_whoever_asks_for_it() -> None:
    table = replace(start(waiting(1, 2)), status="ended", host=PEOPLE[0].id)
    spawned = play_again(table, PEOPLE[1].id).spawned
    assert spawned is not None
    assert spawned.host == PEOPLE[1].id


def test_one_person_has_one_seat_in_a_new_game() -> None:
    table = replace(start(waiting(1, 2)), status="ended")
    both = replace(table, seats=table.with_seat(replace(table.seats[2], person=PEOPLE[0].id)))
    spawned = play_again(both, PEOPLE[0].id).spawned
    assert spawned is not None
    assert [seat.person or seat.kept for seat in spawned.seats] == [PEOPLE[0].id, PEOPLE[1].id, None]
    assert spawned.seats[2].bot is not None


def test_a_clock_restores_nothing_for_who_is_not_asked(watch: Watch) -> None:
    play = Play(watch, LIVE, people=3)
    before = [play.clock(seat).reserve for seat in range(3)]
    seat = play.mover
    watch.now += 40
    quietly(play, seat)
    play.does(undo, seat, "u")
    others = [one for one in range(3) if one != seat]
    assert [play.clock(one).reserve for one in others] == [before[one] for one in others]

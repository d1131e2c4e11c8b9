"""How much time counts for somebody, and what a clock does at a table: the domain alone, in a time of our own."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from tests.example import EXAMPLE, first_move, needs
from tests.properties import given, settings, st
from tests.server.test_undo_rules import whole_move
from tests.server.watch import NOON, Watch

import ziggurat
from ziggurat import Position
from ziggurat.core.replay import Replay
from ziggurat.server.api.schemas import table_info
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.again import accept, play_again
from ziggurat.server.domain.clock import DAY_SECONDS, Clock, Outages, TimeControl, counted, moment
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import move, play_bot
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.rules_gateway import decision
from ziggurat.server.domain.seat_transfer import TakeSeat, transfer_seat
from ziggurat.server.domain.seating import Join, by_hand, join, leave, take_over
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import excuse, pass_time, ran, vacation
from ziggurat.server.domain.undo import answer, undo
from ziggurat.server.domain.votes import answer_vote, ask_end, ask_pause, asked, resume
from ziggurat.server.features.review.history import history
from ziggurat.server.live.activity import notes
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.settings import Settings

HOUR = 3600
LIVE = TimeControl("live", reserve=300, step=15)
DAYS = TimeControl("days", reserve=2 * DAY_SECONDS, step=12 * HOUR)
DAYS_WITH_NIGHTS = msgspec.structs.replace(DAYS, nights=True)
PEOPLE = [Person(name.lower(), name, "en") for name in ("Ann", "Bob", "Cid", "Dan")]


# --- Time that counts ---


def by_minutes(clock: Clock, control: TimeControl, begin: int, end: int, outages: Outages) -> int:
    """As `counted`, minute by minute."""
    from zoneinfo import ZoneInfo

    place, found = ZoneInfo(clock.zone or "UTC"), 0
    for minute in range(begin, end, 60):
        hour = datetime.fromtimestamp(minute, place).hour
        night = control.nights and (hour >= 22 or hour < 8)
        down = any(start <= minute < stop for start, stop in outages)
        found += not (night or down or minute < clock.holiday_until)
    return 60 * found


MINUTES = st.integers(0, 6 * 24 * 60).map(lambda minutes: minutes * 60)
# Around both changes of the clocks in Europe and in America, and where there are none.
BEGINS = st.sampled_from(
    [datetime(2026, month, day, 12, tzinfo=UTC) for month, day in ((3, 28), (10, 24), (11, 1), (7, 1))]
)
ZONES = st.sampled_from(["", "Europe/Budapest", "America/New_York", "Asia/Kolkata", "Pacific/Chatham"])


@settings(max_examples=60, deadline=None)
@given(BEGINS, ZONES, st.booleans(), MINUTES, MINUTES, st.lists(st.tuples(MINUTES, MINUTES), max_size=3))
def test_nights_vacation_and_outages_do_not_count(
    noon: datetime, zone: str, nights: bool, length: int, off: int, downs: list[tuple[int, int]]
) -> None:
    begin = int(noon.timestamp())
    outages = sorted((begin + a - DAY_SECONDS, begin + a - DAY_SECONDS + b) for a, b in downs)
    clock = Clock(0, holiday_until=begin + off - DAY_SECONDS, zone=zone)
    control = TimeControl("days", 0, HOUR, nights=nights)
    seconds = counted(clock, control, begin, begin + length, outages)
    assert seconds == by_minutes(clock, control, begin, begin + length, outages)
    until = moment(clock, control, begin, seconds, outages)
    assert counted(clock, control, begin, until, outages) == seconds
    assert moment(clock, control, begin, seconds + 60, outages) >= begin + length


def test_a_clock_that_was_stored_before_is_read() -> None:
    """The names of the database's JSON are not those of the fields."""
    stored = b'{"reserve":60.0,"free":4.5,"since":null,"until":null,"vacation":2,"off":99.0,"out":true,"late":true,'
    stored += b'"zone":"Asia/Kolkata","used":7.0,"drawn":1.0}'
    clock = msgspec.json.decode(stored, type=Clock)
    assert (clock.delay_left, clock.holiday_until, clock.flagged) == (4.5, 99.0, True)
    assert msgspec.json.encode(clock) == stored


# --- At a table ---


class Play:
    """A table that is changed as a worker does it."""

    def __init__(self, watch: Watch, control: TimeControl | None, people: int = 2, game: str = EXAMPLE) -> None:
        self.watch = watch
        wish = NewTable(game, [NewSeat("me"), *[NewSeat("open")] * (people - 1)], time=control)
        self.table = ran(None, create(wish, PEOPLE[0]))
        for person in PEOPLE[1:people]:
            self.does(join, Join(self.table.invite or "", person.name, zone="Europe/Budapest"), person)
        self.does(start)

    def does(self, verb: Callable[..., Table], *given: Any, outages: Any = ()) -> Table:
        before = self.table
        after = verb(before, *given)
        if after is not before:
            self.table = ran(before, after, outages)
        return self.table

    @property
    def mover(self) -> int:
        return self.table.actors[0]

    def moves(self, seat: int | None = None) -> None:
        seat = self.mover if seat is None else seat
        self.does(move, seat, f"m{self.table.seq}", self.table.seq, whole_move(self.table, seat))

    def passes(self, seconds: float, outages: Any = ()) -> Table:
        self.watch.now += seconds
        while self.table.tick is not None and self.table.tick <= self.watch.now:
            before = self.table
            self.does(pass_time, self.watch.now, outages, outages=outages)
            assert self.table is not before, "what is due is done, and is not due any more"
        return self.table

    def clock(self, seat: int) -> Clock:
        assert self.table.time is not None
        return self.table.time.seats[seat]


def refused(code: str, play: Play, verb: Callable[..., Table], *given: Any) -> None:
    before = play.table
    with pytest.raises(Problem) as told:
        play.does(verb, *given)
    assert told.value.code == code
    assert play.table is before


def person(play: Play, seat: int) -> str:
    return str(play.table.seats[seat].person)


def test_a_decision_has_its_own_time_and_then_draws_on_the_reserve(watch: Watch) -> None:
    play = Play(watch, LIVE)
    first = play.mover
    other = 1 - first
    assert (play.clock(first).since, play.clock(first).until) == (NOON, NOON + 315)
    assert play.clock(other).since is None
    watch.now += 10
    play.moves()
    assert play.clock(first).reserve == 300
    while play.mover == first:
        play.moves()
    assert play.clock(first).since is None
    asked_at = watch.now
    assert play.clock(other).until == asked_at + 315
    watch.now += 75
    play.moves()
    assert play.clock(other).reserve == 240, "15 seconds were the decision's own"
    assert play.table.tick == min(c.until for c in map(play.clock, (0, 1)) if c.until is not None)


@needs("ginkgopolis")
def test_those_who_decide_at_once_have_each_their_own_clock(watch: Watch) -> None:
    play = Play(watch, LIVE, people=3, game="ginkgopolis")
    assert len(play.table.actors) == 3
    watch.now += 20
    play.moves(1)
    assert play.clock(1).reserve == 295
    assert [play.clock(seat).since for seat in (0, 2)] == [NOON, NOON], "theirs is the same question still"
    watch.now += 20
    play.moves(0)
    assert (play.clock(0).reserve, play.clock(2).since) == (275, NOON)


def test_whoever_is_asked_again_after_their_own_move_has_new_time(watch: Watch) -> None:
    play = Play(watch, LIVE)
    seat = play.mover
    watch.now += 25
    asked_again = play.table.after("move", seat)
    chosen = replace(asked_again.changes[-1], client_id="m")
    play.does(lambda table: replace(asked_again, changes=(*table.changes, chosen)))
    assert play.table.actors == (seat,)
    assert (play.clock(seat).reserve, play.clock(seat).until) == (290, watch.now + 15 + 290)


def test_a_bot_plays_for_whoever_ran_out_of_time_until_they_are_back(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, bot="random"))
    seat = play.mover
    play.passes(314)
    assert play.table.seats[seat].bot is None
    play.passes(1)
    assert (play.table.seats[seat].bot, play.table.bot_due) == ("random", seat)
    told = notes(play.table, 0, None)[-1]
    assert (told.kind, told.seat, told.args) == ("timeout", None, {"gone": seat, "bot": "random"})
    assert play.table.tick is None, "no clock runs for a bot"
    assert table_info(play.table, None, Bus(Settings())).time.seats[seat].out  # type: ignore[union-attr]
    play.does(play_bot, seat, "random", play.table.seq, whole_move(play.table, seat))
    play.does(take_over, seat, "b")
    assert play.table.seats[seat].bot is None
    assert (play.clock(seat).reserve, play.clock(seat).flagged) == (75, False), (
        "a quarter of the reserve, to go on with"
    )
    assert seat not in play.table.actors or play.clock(seat).until == watch.now + 90


def test_the_others_are_asked_whether_they_wait(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, then="ask", bot="random"), people=3)
    seat = play.mover
    others = [other for other in range(3) if other != seat]
    play.passes(315)
    assert list(asked(play.table)) == others
    assert play.clock(seat).since is None
    refused("own_vote", play, answer_vote, seat, "v", True)
    play.does(answer_vote, others[0], "v", True)
    assert play.table.vote is None, "one who waits is enough"
    assert (play.clock(seat).reserve, play.clock(seat).until) == (75, watch.now + 90)
    play.passes(90)
    play.does(answer_vote, others[0], "w", False)
    assert play.table.seats[seat].bot is None
    refused("agreed_already", play, answer_vote, others[0], "x", False)
    play.does(answer_vote, others[1], "w", False)
    assert play.table.seats[seat].bot == "random"


def test_whoever_says_nothing_does_not_wait_for_ever(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, then="ask", bot="random"))
    seat = play.mover
    play.passes(315)
    assert play.table.vote is not None
    play.passes(LIVE.answer)
    assert play.table.seats[seat].bot == "random"
    assert not asked(play.table)
    # Those whose time ran out may still move: then nobody is asked any more.
    again = Play(watch, msgspec.structs.replace(LIVE, then="ask"))
    seat = again.mover
    again.passes(400)
    again.moves(seat)
    assert again.table.vote is None


@needs("ginkgopolis")
def test_of_two_whose_time_runs_out_one_is_asked_about_after_the_other(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, then="ask", bot="random"), people=3, game="ginkgopolis")
    play.moves(2)
    play.passes(315)
    assert [play.clock(seat).flagged for seat in range(3)] == [True, True, False]
    first = play.table.vote
    assert first is not None
    play.does(answer_vote, 2, "v", False)
    play.does(answer_vote, 1 - first.by, "v", False)
    play.passes(0)
    assert play.table.vote is not None
    assert play.table.vote.by == 1 - first.by


def test_a_friend_who_takes_the_seat_has_time_again(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, then="ask"))
    seat = play.mover
    play.passes(315)
    assert play.table.vote is not None
    play.does(transfer_seat, person(play, seat), PEOPLE[3], TakeSeat("", "Dan"))
    assert play.table.vote is None
    assert (play.clock(seat).flagged, play.clock(seat).until) == (False, watch.now + 90)


def test_nothing_happens_where_the_table_wanted_it_so(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(LIVE, then="nothing"))
    seat = play.mover
    play.passes(10_000)
    assert (play.clock(seat).flagged, play.table.tick, play.table.seats[seat].bot) == (True, None, None)
    play.moves(seat)
    while play.mover != seat:
        play.moves()
    assert play.clock(seat).until == watch.now + 15, "each decision still has its own time"


def test_a_pause_takes_everybody_and_ends_by_anybody(watch: Watch) -> None:
    play = Play(watch, LIVE, people=3)
    seat = play.mover
    others = [other for other in range(3) if other != seat]
    refused("bad_pause", play, ask_pause, seat, "p", 5)
    watch.now += 45
    play.does(ask_pause, seat, "p", 600)
    refused("vote_waiting", play, ask_end, others[0], "e")
    refused("own_vote", play, answer_vote, seat, "v", True)
    play.does(answer_vote, others[0], "v", True)
    assert not play.table.paused
    refused("agreed_already", play, answer_vote, others[0], "w", True)
    play.does(answer_vote, others[1], "v", True)
    assert play.table.paused
    assert (play.clock(seat).reserve, play.clock(seat).since) == (270, None)
    refused("paused", play, move, seat, "x", play.table.seq, whole_move(play.table, seat))
    assert (play.table.bot_due, play.table.forced) == (None, {})
    watch.now += 100
    play.does(resume, others[0], "r")
    assert play.clock(seat).until == watch.now + 270
    play.does(ask_pause, seat, "q", 600)
    play.does(answer_vote, others[0], "n", False)
    assert (play.table.vote, play.table.paused) == (None, False)
    # Nobody has to end it, either.
    play.does(ask_pause, seat, "s", 600)
    for other in others:
        play.does(answer_vote, other, "s", True)
    play.passes(600)
    assert not play.table.paused
    assert [n.kind for n in notes(play.table, 0, None)][-2:] == ["pause", "resume"]


def test_those_who_are_left_end_a_game_and_it_stays_unfinished(watch: Watch) -> None:
    play = Play(watch, None, people=3)
    play.moves()
    play.does(leave, PEOPLE[2].id)
    play.does(ask_end, 0, "e")
    assert asked(play.table) == (1,), "whoever has gone is not asked"
    play.does(answer_vote, 1, "v", True)
    table = play.table
    assert (table.status, table.result, table.actors) == ("ended", None, ())
    info = table_info(table, PEOPLE[0].id, Bus(Settings()))
    assert (info.scores, info.winners, info.vote) == (None, None, None)
    assert info.seed, "as of any game that is over"
    assert table.over
    refused("game_over", play, move, 0, "x", table.seq, (0,))
    refused("game_over", play, ask_end, 0, "f")
    assert play_again(table, PEOPLE[0].id).spawned is not None
    # Alone with bots nobody has to be asked.
    alone = create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("bot", "random")]), PEOPLE[0])
    assert ask_end(alone, 0, "e").status == "ended"


def test_what_is_asked_lapses(watch: Watch) -> None:
    play = Play(watch, None)
    play.does(ask_end, 0, "e")
    play.passes(DAY_SECONDS - 1)
    assert play.table.vote is not None
    play.passes(1)
    assert not asked(play.table)
    assert (play.table.status, play.table.tick) == ("playing", None)
    play.does(ask_end, 0, "f")
    play.does(leave, PEOPLE[1].id)
    play.passes(DAY_SECONDS)
    assert not play.table.over, "whoever was asked has not agreed by going away"
    play.does(ask_end, 0, "g")
    assert play.table.over, "who is gone is not asked"


def test_nights_are_everybodys_own(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(DAYS, reserve=0, nights=True), people=2)
    budapest = next(seat for seat, clock in enumerate(play.table.time.seats) if clock.zone)  # type: ignore[union-attr]
    while play.mover != budapest:
        play.moves()
    # From 14:00 there until 22:00, and four hours from 8:00 on; Greenwich is two hours behind.
    assert play.clock(budapest).until == NOON + 8 * HOUR + 10 * HOUR + 4 * HOUR
    while play.mover == budapest:
        play.moves()
    assert play.clock(play.mover).until == NOON + 10 * HOUR + 10 * HOUR + 2 * HOUR
    told = msgspec.json.encode(table_info(play.table, PEOPLE[0].id, Bus(Settings())))
    assert b"Budapest" not in told
    assert b"zone" not in told


def test_who_takes_a_seat_has_nights_of_their_own_from_then_on(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(DAYS, reserve=0, nights=True))
    seat = play.mover
    watch.now += 12 * HOUR  # eight or ten of them were day
    free = counted(play.clock(seat), DAYS_WITH_NIGHTS, NOON, watch.now)
    play.does(transfer_seat, person(play, seat), PEOPLE[3], TakeSeat("", "Dan", zone="Asia/Tokyo"))
    clock = play.clock(seat)
    assert clock.zone == "Asia/Tokyo"
    assert clock.delay_left == 12 * HOUR - free
    assert clock.until == moment(clock, DAYS_WITH_NIGHTS, watch.now, clock.delay_left)


def test_a_clock_whose_nights_were_not_foreseen_runs_on(watch: Watch) -> None:
    """As when the law says otherwise where somebody lives, and a newer list of time zones knows it."""
    play = Play(watch, msgspec.structs.replace(DAYS, reserve=0, nights=True, bot="random"))
    seat, time_ = play.mover, play.table.time
    assert time_ is not None
    early = msgspec.structs.replace(play.clock(seat), until=NOON + HOUR)
    play.table = replace(play.table, time=time_.with_seat(seat, early))
    play.passes(HOUR)
    assert play.table.seats[seat].bot is None
    assert (play.clock(seat).delay_left, play.table.tick) == (11 * HOUR, play.clock(seat).until)
    assert not [note for note in notes(play.table, 0, None) if note.kind == "outage"]


def test_nobody_has_to_answer_at_night(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(DAYS, reserve=0, nights=True, then="ask", bot="random"), people=3)
    watch.now = datetime(2026, 6, 1, 15, tzinfo=UTC).timestamp()
    play.does(ask_end, 0, "e")
    assert play.table.vote is not None
    # Five hours until it is 22:00 in Budapest, seven more from 8:00 on.
    assert play.table.vote.until == datetime(2026, 6, 2, 13, tzinfo=UTC).timestamp()


def test_vacation(watch: Watch) -> None:
    play = Play(watch, msgspec.structs.replace(DAYS, vacation=5))
    seat = play.mover
    refused("no_vacation", play, vacation, seat, "v", 6, watch.now)
    refused("no_vacation", play, vacation, seat, "v", 0, watch.now)
    watch.now += HOUR
    play.does(vacation, seat, "v", 3, watch.now)
    assert play.clock(seat).until == watch.now + 3 * DAY_SECONDS + 11 * HOUR + 2 * DAY_SECONDS
    assert play.clock(seat).vacation == 2
    info = table_info(play.table, None, Bus(Settings()))
    assert info.time is not None
    assert info.time.seats[seat].off == watch.now + 3 * DAY_SECONDS
    watch.now += DAY_SECONDS + HOUR
    play.does(vacation, seat, "w", 0, watch.now)
    assert play.clock(seat).vacation == 3, "whole days come back"
    assert play.clock(seat).until == watch.now + 11 * HOUR + 2 * DAY_SECONDS
    refused("no_vacation", Play(watch, LIVE), vacation, 0, "v", 1, watch.now)


def test_nobody_pays_for_time_in_which_the_service_was_down(watch: Watch) -> None:
    play = Play(watch, LIVE)
    seat = play.mover
    down = [(NOON + 100, NOON + 1000)]
    watch.now = NOON + 1000
    play.does(excuse, watch.now, down, outages=down)
    assert play.clock(seat).until == NOON + 1000 + 215
    assert notes(play.table, 0, None)[-1].kind == "outage"
    before = play.table
    assert play.does(excuse, watch.now + 1, down) is before, "given once"
    # Also where nobody looked before its moment had come.
    late = Play(watch, LIVE)
    begun = watch.now
    late.passes(400, outages=[(begun + 10, begun + 390)])
    assert (late.table.seats[late.mover].bot, late.table.tick) == (None, watch.now + 295)


def test_a_forced_answer_costs_no_reserve_whoever_gives_it(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(watch, LIVE)
    seat = play.mover
    monkeypatch.setattr(Position, "forced", lambda self, who: self.legal(who)[0])
    monkeypatch.setattr(Position, "sole", first_move)
    play.does(by_hand, person(play, seat), True)
    assert seat not in play.table.forced
    assert not play.table.due
    info = table_info(play.table, None, Bus(Settings()))
    assert info.time is not None
    assert info.time.seats[seat].until == NOON + 315, "as for anybody who has a choice"
    assert not any(
        "hand" in name for name in (*info.seats[seat].__struct_fields__, *info.time.seats[0].__struct_fields__)
    )
    before = len(play.table.story())
    play.passes(7.4)
    assert len(play.table.story()) == before
    given = play.table.tick
    assert given is not None
    assert NOON + 7.5 <= given <= NOON + 14.25
    again = replace(play.table, seed=b"another").tick
    assert again != given, "nobody can tell the moment before"
    watch.now = given
    play.does(pass_time, watch.now)
    assert len(play.table.story()) == before + 1
    assert play.clock(seat).reserve == 300
    play.does(by_hand, person(play, seat), False)
    assert set(play.table.forced) == set(play.table.actors)


@pytest.mark.parametrize("game", ziggurat.registered_games())
def test_who_has_one_move_alone_pays_nothing_for_it(watch: Watch, game: str) -> None:
    """In random play, whatever the reason: the game says that it is forced, everybody sees it, or nobody."""
    chance, control = random.Random(game), TimeControl("live", 0, 5, "nothing")
    players = max(3, ziggurat.game(game).min_players)
    play = Play(watch, control, people=players, game=game)
    position, tried = ziggurat.new(game, players=players, seed=1, trace=False), 0
    while not position.finished and tried < 5:
        seat, begun = chance.choice(position.actors), position.copy()
        steps, choices = list[int](), 0
        while not steps or position.in_move:
            legal = position.legal(seat)
            choices += len(legal) - 1
            steps.append(chance.choice(legal))
            position.play(seat, steps[-1])
        if choices:
            continue
        tried += 1
        play.table = ran(None, replace(play.table, position=begun))
        # Pages and programs are asked for nothing that is about to be played for them.
        assert decision(play.table, seat).forced is (seat in play.table.forced)
        play.passes(chance.choice([5, 500]))  # they do nothing, and the service is in time or late
        assert not play.clock(seat).flagged
        change = next(one for one in reversed(play.table.changes) if one.seat == seat)
        assert (change.kind, list(change.steps)) == ("move", steps), "it was made for them"


def test_an_undo_gives_nobody_more_time_and_does_not_wait_for_ever(watch: Watch) -> None:
    play = Play(watch, LIVE)
    seat = play.mover
    watch.now += 10
    play.moves()
    watch.shown(play.table, nothing=True)
    free = play.clock(seat).delay_left if play.mover != seat else None
    play.does(undo, seat, "u")
    assert play.table.actors == (seat,)
    assert play.clock(seat).delay_left == (5 if free is not None else 15)
    while play.mover == seat:
        play.moves()
    watch.shown(play.table, nothing=False)
    play.does(undo, seat, "w")
    assert play.table.undo is not None
    play.passes(LIVE.answer)
    assert play.table.undo is None
    play.does(undo, seat, "x")
    if play.table.undo is not None:
        play.does(answer, 1 - seat, "y", True)


@pytest.mark.parametrize(
    ("control", "name"),
    [
        (TimeControl("live", 300, 2), "step"),
        (TimeControl("live", 7201, 15), "reserve"),
        (TimeControl("days", 0, 3599), "step"),
        (TimeControl("live", 300, 15, nights=True), "nights"),
        (TimeControl("live", 300, 15, vacation=1), "vacation"),
    ],
)
def test_clocks_out_of_range(control: TimeControl, name: str) -> None:
    with pytest.raises(Problem) as told:
        create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], time=control), PEOPLE[0])
    assert (told.value.code, told.value.args_["name"]) == ("bad_time", name)


def test_a_clock_names_a_bot_that_there_is() -> None:
    control = TimeControl("live", 300, 15, bot="hal")
    with pytest.raises(Problem, match="no bot 'hal'"):
        create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], time=control), PEOPLE[0])


def test_without_a_clock_there_is_nothing_to_pause(watch: Watch) -> None:
    play = Play(watch, None)
    for verb, more in ((ask_pause, (60,)), (resume, ()), (vacation, (1, NOON))):
        with pytest.raises(Problem, match=r"clock|paused|days"):
            verb(play.table, 0, "x", *more)
    assert play.table.tick is None


def test_again_with_the_same_clock(watch: Watch) -> None:
    play = Play(watch, DAYS)
    play.passes(HOUR)
    play.does(ask_end, 0, "e")
    play.does(answer_vote, 1, "e", True)
    asked = play_again(play.table, PEOPLE[0].id).spawned
    assert asked is not None
    assert asked.tick is None, "nobody's time runs before all are there"
    again = ran(asked, accept(asked, PEOPLE[1]))
    assert again.time is not None
    assert again.time.control == DAYS
    assert [clock.zone for clock in again.time.seats] == [c.zone for c in play.table.time.seats]  # type: ignore[union-attr]
    assert again.tick == watch.now + 2 * DAY_SECONDS + 12 * HOUR


def test_the_replay_of_an_ended_game_ends_where_it_did_without_a_result(watch: Watch) -> None:
    play = Play(watch, DAYS)
    play.moves()
    play.does(ask_end, 0, "e")
    play.does(answer_vote, 1, "e", True)
    text = rules_gateway.replay_text(play.table)
    kept = Replay.parse(text)
    assert kept.verify().actors
    assert kept.result is None
    assert len(kept.moves) == 1
    assert len(history(play.table, rules_gateway.views(play.table)).frames) == 2

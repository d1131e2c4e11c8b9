"""Open tables: what is listed, who is led where, and what happens at them by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed
from tests.example import EXAMPLE, GAME, first_move
from tests.server.watch import Watch

from ziggurat.server.domain.again import play_again
from ziggurat.server.domain.clock import DAY_SECONDS, TimeControl
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import play
from ziggurat.server.domain.open_table import OpenTable, is_listed, listing
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import OpenTerms, TablePolicy
from ziggurat.server.domain.seating import ChangeSeat, Join, change_seat, join, leave, may_look, may_see
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import moves_by_substitute
from ziggurat.server.domain.table import EMPTY_TABLE_SECONDS, FULL_TABLE_SECONDS, Seat, Table
from ziggurat.server.domain.timing import pass_time, ran
from ziggurat.server.features.open_tables.find import MOST_NEAR_TABLES, Find, candidates, near, new_table
from ziggurat.server.problems import Problem

ANN, BOB, CID, EVE = (Person(name.lower() * 4, name, "en") for name in ("Ann", "Bob", "Cid", "Eve"))
LIVE = TimeControl("live", 600, 30)
DAYS = TimeControl("days", 3 * DAY_SECONDS, DAY_SECONDS)
TERMS = OpenTerms(wait=180, bot="random", language="en")


def opened(*seats: str, terms: OpenTerms | None = TERMS, person: Person = ANN, **more: object) -> Table:
    """A table of Ann's that anybody may join."""
    chairs = [NewSeat(one) if one in ("me", "open") else NewSeat("bot", one) for one in seats or ("me", "open", "open")]  # type: ignore[arg-type]
    wish = NewTable(EXAMPLE, chairs, policy=TablePolicy(join="anyone", terms=terms), **more)  # type: ignore[arg-type]
    return ran(None, create(wish, person))


def sits(table: Table, person: Person, **more: object) -> Table:
    """The table after somebody has sat down without an invitation."""
    return ran(table, join(table, Join("", person.name, **more), person))  # type: ignore[arg-type]


def passes(table: Table, watch: Watch, seconds: float) -> Table:
    """The table after all that is due in some time."""
    watch.now += seconds
    while table.tick is not None and table.tick <= watch.now:
        after = pass_time(table, watch.now)
        assert after is not table, "what is due is done"
        table = ran(table, after)
    return table


def shown(table: Table) -> OpenTable:
    """What strangers are shown."""
    one = listing(table)
    assert one is not None
    return one.table


# --- What is listed ------------------------------------------------------------------------------------------------


def test_what_strangers_are_shown_of_an_open_table(watch: Watch) -> None:
    option = next(one for one in GAME.options if len(one.choices) > 1 and one.players is None)
    other = next(choice for choice in option.choices if choice != option.default)
    table = opened("me", "random", "open", time=LIVE, options={option.name: other}, hints=True)
    told = shown(table)
    assert (told.id, told.game, told.tempo, told.time) == (table.id, EXAMPLE, "live", LIVE)
    assert [(seat.kind, seat.name, seat.bot, seat.free) for seat in told.seats] == [
        ("human", "Ann", None, False),
        ("bot", "", "random", False),
        ("open", "", None, True),
    ]
    assert told.options == {option.name: other}, "of the options only what is not usual"
    assert (told.hints, told.own, told.strength, told.language) == (True, False, "anyone", "en")
    assert (told.until, told.fill, told.running, told.taken) == (watch.now + 180, "random", False, 1)
    secrets = {table.invite, table.invite_hash, ANN.id}
    assert secrets.isdisjoint(map(str, [getattr(told, name) for name in told.__struct_fields__]))


@pytest.mark.parametrize(
    ("control", "tempo"), [(LIVE, "live"), (None, "evening"), (TimeControl("days", DAY_SECONDS, 3600), "days")]
)
def test_the_pace_is_one_word(control: TimeControl | None, tempo: str) -> None:
    assert shown(opened(time=control)).tempo == tempo


def test_a_table_is_listed_while_somebody_sits_there_and_a_seat_is_free(watch: Watch) -> None:
    table = opened("me", "open")
    assert is_listed(table)
    full = sits(table, BOB)
    assert not is_listed(full)
    assert is_listed(leave(full, BOB.id))
    assert not is_listed(leave(table, ANN.id)), "nobody sits there"
    assert not is_listed(start(full))
    invited = create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")]), ANN)
    assert not is_listed(invited)
    assert listing(invited) is None
    assert listing(replace(table, game="gone")) is None, "its game is not here any more"


def test_terms_belong_to_tables_that_anybody_may_join_and_are_checked() -> None:
    assert opened(terms=None).policy.terms == OpenTerms()
    policy = TablePolicy(join="invited", terms=TERMS)
    kept = create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], policy=policy), ANN)
    assert kept.policy.terms is None
    for wrong in (changed(TERMS, bot="nobody"), changed(TERMS, language="xx")):
        with pytest.raises(Problem):
            opened(terms=wrong)


def test_who_may_join_may_look_and_a_secret_is_not_needed(watch: Watch) -> None:
    table = opened(terms=TERMS)
    may_look(table, EVE.id, None)
    assert may_see(table, None, has_link=False)
    closed = passes(opened(terms=changed(TERMS, bot=None)), watch, 200)
    assert not may_see(closed, None, has_link=False)
    with pytest.raises(Problem, match="invitation"):
        join(closed, Join("", "Eve"), EVE)


# --- What happens by itself ----------------------------------------------------------------------------------------


def test_a_table_that_is_full_begins_by_itself(watch: Watch) -> None:
    table = sits(opened("me", "open", time=LIVE), BOB)
    assert table.tick == watch.now + FULL_TABLE_SECONDS
    assert passes(table, watch, FULL_TABLE_SECONDS - 1).status == "waiting"
    table = passes(table, watch, 2)
    assert (table.status, table.changes[-1].kind) == ("playing", "start")
    assert table.time is not None
    assert any(clock.since is not None for clock in table.time.seats), "the clock runs"


def test_bots_take_what_is_free_when_its_time_has_come_and_it_begins(watch: Watch) -> None:
    table = sits(opened(time=LIVE), BOB)
    assert passes(table, watch, 170).status == "waiting"
    table = passes(table, watch, 11)
    assert table.status == "playing"
    assert [change.kind for change in table.changes] == ["created", "join", "fill", "start"]
    assert [(seat.kind, seat.bot, seat.yields) for seat in table.seats] == [
        ("human", None, False),
        ("human", None, False),
        ("bot", "random", True),
    ]
    told = shown(table)
    assert told.running
    assert [seat.free for seat in told.seats] == [False, False, True]


def test_bots_that_were_asked_for_yield_to_nobody(watch: Watch) -> None:
    table = passes(opened("me", "random", "open"), watch, 181)
    assert [seat.yields for seat in table.seats] == [False, False, True]
    table = sits(table, BOB)
    assert table.seats[2].name == "Bob"
    with pytest.raises(Problem, match="started"):
        join(table, Join("", "Eve"), EVE)
    assert not is_listed(table)


def test_a_late_person_takes_the_hand_of_a_bot_and_its_next_decision_is_theirs(watch: Watch) -> None:
    table = passes(opened(time=LIVE), watch, 181)
    assert table.position is not None
    while 2 not in table.actors:
        position = table.position
        assert position is not None
        seat = table.actors[0]
        table = ran(table, play(table, seat, first_move(position, seat)))
    assert table.bot_due == 2
    before, clock = table.position, table.time.seats[2] if table.time else None
    late = sits(table, CID, seat=2, zone="Europe/Budapest")
    assert late.position is before, "their hand stays"
    assert late.changes[-1].kind == "late"
    chair = late.seats[2]
    assert (chair.kind, chair.name, chair.person, chair.bot, chair.yields) == ("human", "Cid", CID.id, None, False)
    assert late.bot_due != 2
    assert 2 in late.people_due
    assert late.time is not None
    assert clock is not None
    assert late.time.seats[2].since == watch.now, "from now on their clock runs, and is whole"
    assert late.time.seats[2].reserve == clock.reserve == LIVE.reserve
    assert sits(late, CID) is late, "who sits there stays"
    with pytest.raises(Problem, match="called Cid"):
        join(late, Join("", "Cid", seat=1), EVE)
    assert may_see(late, None, has_link=False), "another seat is free still"
    alone = replace(late, policy=changed(late.policy, watch="nobody"))
    assert not any(may_see(alone, None, has_link=link) for link in (False, True)), "who may come late may not look on"
    assert may_see(alone, CID.id, has_link=False)
    may_look(alone, None, None)  # but knows of it, to sit down


def test_moves_of_the_bot_before_them_are_not_counted_as_a_late_persons(watch: Watch) -> None:
    table = passes(opened("me", "open"), watch, 181)
    moved = 0
    while moved < 1:
        assert table.position is not None
        seat = table.actors[0]
        moved += seat == 1
        table = ran(table, play(table, seat, first_move(table.position, seat)))
    table = sits(table, BOB)
    by_bot, moves = moves_by_substitute(table)[1]
    assert (by_bot, moves) == (1, 1)


def test_without_a_bot_it_is_open_no_longer_and_waits_for_the_invited(watch: Watch) -> None:
    table = passes(sits(opened(terms=changed(TERMS, bot=None)), BOB), watch, 181)
    assert (table.status, table.policy.join, table.changes[-1].kind) == ("waiting", "invited", "closed")
    assert table.tick is None
    assert join(table, Join(table.invite or "", "Cid"), CID).seat_of(CID.id) is not None


def test_where_nobody_sits_any_more_it_goes(watch: Watch) -> None:
    table = leave(opened(), ANN.id)
    assert passes(table, watch, EMPTY_TABLE_SECONDS - 1).status == "waiting", "they may be back"
    assert passes(table, watch, 2).status == "expired"
    back = sits(table, BOB)
    assert passes(back, watch, EMPTY_TABLE_SECONDS).status == "playing", "somebody has come, and bots with them"


def test_the_host_may_take_seats_away_while_strangers_come(watch: Watch) -> None:
    table = sits(opened(), BOB)
    table = change_seat(table, ChangeSeat(2, "bot", "random"), ANN.id)
    assert not is_listed(table)
    assert passes(table, watch, FULL_TABLE_SECONDS).status == "playing"


def test_a_rematch_is_among_the_same_and_no_bot_hurries_them(watch: Watch) -> None:
    table = sits(passes(opened(), watch, 181), BOB)
    again = play_again(replace(table, status="finished"), ANN.id).spawned
    assert again is not None
    assert [(seat.kind, seat.kept, seat.yields) for seat in again.seats] == [
        ("human", None, False),
        ("open", BOB.id, False),
        ("bot", None, False),
    ]
    assert (again.policy.join, again.policy.terms, again.tick) == ("invited", None, None)
    assert not is_listed(again)


def test_a_seat_that_is_kept_for_somebody_is_no_strangers_and_does_not_say_whose(watch: Watch) -> None:
    table = opened()
    kept = replace(table, seats=table.with_seat(Seat(1, "open", "Cid", kept=CID.id)))
    assert [(seat.name, seat.free) for seat in shown(kept).seats] == [("Ann", False), ("", False), ("", True)]
    full = sits(kept, BOB)
    assert full.seats[2].person == BOB.id
    assert not is_listed(full)
    table = passes(full, watch, 181)
    assert table.seats[1].yields, "who is late finds a bot that has kept it warm"
    assert sits(table, CID).seats[1].person == CID.id


# --- Finding -------------------------------------------------------------------------------------------------------


def wish(**more: object) -> Find:
    """What Eve looks for."""
    return Find("x", [EXAMPLE], **{"tempo": "live", **more})  # type: ignore[arg-type]


def ids(tables: list[Table], looks: Find, watch: Watch) -> list[str]:
    """Where she is led, best first."""
    found = [one for table in tables if (one := listing(table)) is not None]
    return [one.table.id for one in candidates(found, looks, EVE.id, watch.now)]


def test_the_fullest_comes_first_then_the_oldest_and_running_games_last(watch: Watch) -> None:
    running = passes(opened(time=LIVE), watch, 181)
    old = opened(time=LIVE)
    watch.now += 10
    new = opened(time=LIVE)
    fuller = sits(opened(time=LIVE), BOB)
    assert ids([running, new, old, fuller], wish(), watch) == [fuller.id, old.id, new.id, running.id]
    watch.now += 3600
    assert running.id not in ids([running], wish(), watch), "nobody is led into the middle of a game"


@pytest.mark.parametrize(
    ("looks", "suits"),
    [
        (wish(), True),
        (wish(tempo="any"), True),
        (Find("x", [EXAMPLE]), True),
        (wish(tempo="days"), False),
        (wish(company="people"), False),
        (wish(strength="experienced"), True),
        (Find("x", ["another"], "live"), False),
    ],
)
def test_only_what_suits_is_found(watch: Watch, looks: Find, suits: bool) -> None:
    assert bool(ids([opened(time=LIVE)], looks, watch)) is suits


def test_at_any_pace_the_fullest_is_found_and_what_is_opened_is_played_at_once(watch: Watch) -> None:
    slow, calm, live = opened(time=DAYS), opened(), opened(time=LIVE)
    fuller = sits(opened(), BOB)
    assert ids([slow, live, calm, fuller], wish(tempo="any"), watch)[0] == fuller.id
    assert ids([slow, live, calm, fuller], wish(tempo="any"), watch)[-1] == slow.id, "at once before by days"
    made = ran(None, create(new_table(wish(tempo="any")), ANN))
    assert ids([made], wish(tempo="live"), watch) == [made.id]


def test_what_is_close_to_a_wish_is_told_with_what_is_other_there(watch: Watch) -> None:
    live, slow = opened(time=LIVE), opened(time=DAYS)
    alone = opened(time=LIVE, terms=changed(TERMS, bot=None, strength="beginners"))
    running = passes(opened(time=LIVE), watch, 181)
    mine = opened(time=LIVE, person=EVE)

    def told(looks: Find) -> dict[str, list[str]]:
        found = [one for table in (slow, alone, live, running, mine) if (one := listing(table)) is not None]
        return {one.table.id: list(one.misses) for one in near(found, looks, EVE.id, watch.now)}

    both = {live.id: [], slow.id: ["tempo"], alone.id: ["company", "strength"]}
    assert list(told(wish(strength="experienced")).items()) == list(both.items()), "what suits best first"
    assert told(wish(tempo="days"))[live.id] == ["tempo"]
    assert told(Find("x", ["another"], "live"))[live.id] == ["game"]
    found = [one for _ in range(MOST_NEAR_TABLES + 1) if (one := listing(opened(time=LIVE))) is not None]
    assert len(near(found, wish(), EVE.id, watch.now)) == MOST_NEAR_TABLES


def test_people_among_themselves_are_led_where_no_bot_comes(watch: Watch) -> None:
    alone = opened(time=LIVE, terms=changed(TERMS, bot=None))
    assert ids([alone, opened(time=LIVE)], wish(company="people"), watch) == [alone.id]
    assert ids([alone], wish(), watch) == []
    beginners = opened(time=LIVE, terms=changed(TERMS, strength="beginners"))
    assert ids([beginners], wish(strength="experienced"), watch) == []
    assert ids([beginners], wish(strength="beginners"), watch) == [beginners.id]


def test_nobody_is_led_to_a_table_of_their_own(watch: Watch) -> None:
    mine, joined = opened(time=LIVE, person=EVE), sits(opened(time=LIVE), EVE)
    stood_up = leave(sits(opened(time=LIVE, person=EVE), BOB), EVE.id)
    assert ids([mine, joined], wish(), watch) == []
    assert ids([stood_up], wish(), watch) == [stood_up.id], "it is Bob's now"


@pytest.mark.parametrize("tempo", ["live", "evening", "days"])
@pytest.mark.parametrize("company", ["people", "bots"])
def test_what_is_opened_for_a_wish_suits_the_same_wish_of_another(watch: Watch, tempo: str, company: str) -> None:
    looks = wish(tempo=tempo, company=company, language="hu")
    table = ran(None, create(new_table(looks), ANN))
    assert ids([table], looks, watch) == [table.id]
    assert shown(table).language == "hu"

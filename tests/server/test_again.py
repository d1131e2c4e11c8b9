"""Again, and resigning: who is asked, who sits where, when it begins, and what is won in a series."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as changed
from tests.example import EXAMPLE, SHORT
from tests.server.inside import house
from tests.server.player import visitor
from tests.server.test_clock import LIVE, PEOPLE, Play, refused
from tests.server.test_http import problem
from tests.server.watch import Watch

import ziggurat
from ziggurat.server.api.schemas import table_info
from ziggurat.server.domain.again import _fitting, accept, decline, play_again
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.ownership import forget, hand_over
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.resign import resign
from ziggurat.server.domain.seat_transfer import transferable_seat
from ziggurat.server.domain.seating import ChangeSeat, Join, change_seat, come_back, join, leave, take_over
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import SUBSTITUTE_BOT, moves_by_substitute
from ziggurat.server.domain.table import Result, Seat, Table
from ziggurat.server.domain.votes import ask_end
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.settings import Settings

ANN, BOB, CID, DAN = PEOPLE[:4]
needs_another = pytest.mark.skipif(len(ziggurat.registered_games()) < 2, reason="there is no other game")


def over(*people: Person, bots: int = 0, winners: tuple[int, ...] = (0,)) -> Table:
    seats = [NewSeat("me"), *[NewSeat("open")] * (len(people) - 1), *[NewSeat("bot", "random")] * bots]
    table = create(NewTable(EXAMPLE, seats, start=False), people[0])
    for person in people[1:]:
        table = join(table, Join(table.invite or "", person.name), person)
    return replace(start(table), status="finished", result=Result([0] * len(seats), [*winners]))


def again(table: Table, person: Person, game: str | None = None) -> Table:
    spawned = play_again(table, person.id, game=game).spawned
    assert spawned is not None
    return spawned


def test_everybody_is_asked_and_the_last_yes_begins() -> None:
    asked = again(over(ANN, BOB, CID), BOB)
    assert asked.status == "waiting"
    assert asked.host == BOB.id
    assert [(seat.kind, seat.name, seat.person, seat.kept) for seat in asked.seats] == [
        ("open", ANN.name, None, ANN.id),
        ("human", BOB.name, BOB.id, None),
        ("open", CID.name, None, CID.id),
    ]
    info = table_info(asked, CID.id, Bus(Settings()))
    assert (info.you, info.invite) == (None, asked.invite)
    assert [seat.kept for seat in info.seats if seat.kind == "open"] == ["other", "you"]
    asked = accept(asked, ANN)
    assert asked.status == "waiting"
    assert accept(asked, ANN) is asked, "said twice"
    begun = accept(asked, CID)
    assert begun.status == "playing"
    assert [seat.person for seat in begun.seats] == [ANN.id, BOB.id, CID.id]


def test_alone_with_bots_nobody_is_asked() -> None:
    assert again(over(ANN, bots=2), ANN).status == "playing"


def test_a_kept_seat_is_for_nobody_else_and_who_declines_leaves_it_to_all() -> None:
    asked = again(over(ANN, BOB, CID), ANN)
    link = asked.invite or ""
    with pytest.raises(Problem, match="No seat is free"):
        join(asked, Join(link, DAN.name), DAN)
    with pytest.raises(Problem, match="kept for you"):
        accept(asked, DAN)
    declined = decline(asked, BOB.id)
    with pytest.raises(Problem, match="Seat 3 is not free"):
        join(declined, Join(link, DAN.name, seat=2), DAN)
    assert declined.seats[1].kept is None
    assert not declined.is_member(BOB.id)
    with pytest.raises(Problem, match="kept for you"):
        decline(declined, BOB.id)
    joined = join(declined, Join(link, DAN.name), DAN)
    assert joined.seats[1].person == DAN.id
    # By the link as well as by a yes; on another seat the kept one is free.
    moved = join(declined, Join(link, CID.name, seat=1), CID)
    assert [(seat.person, seat.kept) for seat in moved.seats] == [(ANN.id, None), (CID.id, None), (None, None)]
    replaced = change_seat(asked, ChangeSeat(1, "bot", "random"), ANN.id)
    with pytest.raises(Problem, match="kept for you"):
        accept(replaced, BOB)


def test_the_host_may_stand_up_and_the_next_who_says_yes_hosts() -> None:
    asked = leave(again(over(ANN, BOB), ANN), ANN.id)
    asked = accept(asked, BOB)
    assert asked.host == BOB.id


def test_a_live_clock_does_not_run_for_who_is_not_there(watch: Watch) -> None:
    play = Play(watch, LIVE, people=2)
    asked = again(replace(play.table, status="ended"), ANN)
    assert accept(asked, BOB, present=[]).status == "waiting", "its host starts it"
    assert accept(asked, BOB, present=[0]).status == "playing"


def test_a_series_has_a_score() -> None:
    first = over(ANN, BOB, winners=(1,))
    second = again(first, ANN)
    assert (second.games, [seat.wins for seat in second.seats]) == (1, [0, 1])
    second = accept(second, BOB)
    assert [seat.wins for seat in second.seats] == [0, 1]
    info = table_info(second, ANN.id, Bus(Settings()))
    assert [seat.series for seat in info.seats] == [(0, 1), (1, 1)]
    ended = replace(second, status="finished", result=Result([9, 9], [0, 1]))
    third = again(ended, BOB)
    assert (third.games, [seat.wins for seat in third.seats]) == (2, [1, 2])
    unfinished = again(replace(second, status="ended"), BOB)
    assert (unfinished.games, [seat.wins for seat in unfinished.seats]) == (1, [0, 1]), "no game was won"
    gave_up = replace(ended, seats=ended.with_seat(replace(ended.seats[1], resigned=True)))
    assert [seat.wins for seat in again(gave_up, ANN).seats] == [1, 1], "a bot has won it"
    # Another person begins with nothing.
    other = join(decline(third, ANN.id), Join(third.invite or "", DAN.name), DAN)
    assert other.seats[0].wins == 0


def another_for(people: int) -> ziggurat.Game:
    """Another game than the example that takes so many players."""
    games = [ziggurat.game(id) for id in ziggurat.registered_games() if id != EXAMPLE]
    return next(game for game in games if game.min_players <= people <= game.max_players)


@needs_another
def test_the_same_people_are_asked_to_another_game() -> None:
    wished = another_for(4)
    first = replace(over(ANN, BOB, bots=2, winners=(1,)), hints=True, group="g", components=None)
    first = replace(first, seats=first.with_seat(replace(first.seats[3], bot="nobody's")))
    after = play_again(first, BOB.id, game=wished.id)
    second = after.spawned
    assert second is not None
    assert (second.game, second.rules, second.status) == (wished.id, wished.version, "waiting")
    assert [(seat.kind, seat.person or seat.kept, seat.wins) for seat in second.seats] == [
        ("open", ANN.id, 0),
        ("human", BOB.id, 1),
        ("bot", None, 0),
        ("bot", None, 0),
    ], "the series goes on"
    assert [seat.bot for seat in second.seats[2:]] == ["random", SUBSTITUTE_BOT], (
        "a bot that knows no other game gets up"
    )
    assert (second.hints, second.group, second.invite, second.games) == (True, "g", first.invite, 1)
    assert second.options.keys() == {option.name for option in wished.options}
    assert accept(second, ANN).status == "playing"
    assert play_again(after, ANN.id) is after, "who is second joins what the first has asked for"


@needs_another
def test_seats_are_as_many_as_another_game_takes() -> None:
    for id in ziggurat.registered_games():
        if id == EXAMPLE:
            continue
        wished, most = ziggurat.game(id), ziggurat.game(EXAMPLE).max_players
        crowd = again(over(ANN, BOB, bots=most - 2), ANN, id)
        assert [seat.person or seat.kept for seat in crowd.seats][:2] == [ANN.id, BOB.id]
        assert len(crowd.seats) == min(most, wished.max_players)
        assert [seat.seat for seat in crowd.seats] == [*range(len(crowd.seats))]
        few = again(over(ANN, BOB), ANN, id)
        assert len(few.seats) == max(2, wished.min_players)
        assert [seat.kept for seat in few.seats[2:]] == [None] * (len(few.seats) - 2), "for whoever comes"
        with pytest.raises(Problem, match=f"at most {wished.max_players} players"):
            _fitting(tuple(Seat(n, "human", person=str(n)) for n in range(wished.max_players + 1)), wished, ())


@needs_another
def test_everybody_keeps_their_time_zone_in_another_game(watch: Watch) -> None:
    play = Play(watch, LIVE, people=2)
    table = replace(play.table, status="ended")
    assert table.time is not None
    zones = ["Europe/Budapest", "Asia/Tokyo"]
    clocks = tuple(changed(clock, zone=zone) for clock, zone in zip(table.time.seats, zones, strict=True))
    table = replace(table, time=changed(table.time, seats=clocks))
    for id in ziggurat.registered_games():
        time = again(table, ANN, id).time
        assert time is not None
        assert time.control == LIVE
        assert [clock.zone for clock in time.seats][:2] == zones


def test_people_who_are_asked_may_become_others_or_be_forgotten() -> None:
    asked = again(over(ANN, BOB), ANN)
    known = hand_over(asked, BOB.id, CID.id)
    assert known.seats[1].kept == CID.id
    assert accept(known, CID).status == "playing"
    gone = forget(asked, BOB.id)
    assert (gone.seats[1].kept, gone.seats[1].name, gone.seats[1].kind) == (None, "", "open")
    with pytest.raises(Problem, match="sit twice"):
        hand_over(asked, BOB.id, ANN.id)


def test_who_resigns_does_not_come_back(watch: Watch) -> None:
    play = Play(watch, None, people=3)
    play.does(ask_end, 1, "e")
    play.does(resign, 0, "r")
    table = play.table
    assert (table.seats[0].resigned, table.seats[0].bot, table.vote) == (True, "builder", None)
    assert table.status == "playing"
    assert come_back(table, ANN.id) is table
    refused("resigned", play, take_over, 0, "b")
    refused("resigned", play, resign, 0, "again")
    with pytest.raises(Problem, match="resigned"):
        transferable_seat(table, ANN.id)
    assert table.others(1) == (2,), "nothing is asked of them any more"
    while table.actors != (0,):
        play.moves()
        table = play.table
    play.does(resign, 1, "s")
    assert play.table.status == "playing"
    assert not play.table.waits
    last = play.does(resign, 2, "t")
    assert last.status == "ended", "nobody is left"
    assert moves_by_substitute(play.table)[0] == (0, moves_by_substitute(play.table)[0][1])


def test_a_deal_is_played_to_its_end() -> None:
    table = replace(start(create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("bot", "random")], start=False), ANN)))
    with pytest.raises(Problem, match="to the end"):
        resign(replace(table, deal="2026-11-27"), 0, "r")


async def test_again_and_resigning_at_a_server(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as eve:
        table = await ann.table("me", "open", game=SHORT)
        await bob.join(table, "Bob")
        path = f"/api/tables/{table['id']}"
        await ann.post(f"{path}/start")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            answer: Any = await a.reply(type="resign")
            assert answer["type"] == "ack"
            await b.until(lambda: b.state["table"]["seats"][0].get("resigned"))
            assert (await a.reply(type="back"))["code"] == "resigned"
            await b.play()
            await b.until(lambda: b.over)
            await a.until(lambda: a.over)
        first = await bob.post(f"{path}/rematch")
        assert (first["status"], first["you"], first["seats"][1]["series"][1]) == ("waiting", 1, 1)
        again = f"/api/tables/{first['id']}"
        problem(await eve.http.get(again), 404, "unknown_table")
        problem(await eve.http.post(f"{again}/accept"), 404, "unknown_table")
        listed = await ann.get("/api/tables")
        assert [(one["id"], one["seats"][0].get("kept")) for one in listed] == [
            (first["id"], "you"),
            (table["id"], None),
        ]
        second = await ann.post(f"{path}/rematch")
        assert (second["id"], second["status"], second["you"]) == (first["id"], "playing", 0)
        assert (await asyncio.gather(ann.post(f"{path}/rematch")))[0]["id"] == first["id"]


async def test_another_game_is_asked_for_at_a_server(tmp_path: Path) -> None:
    wished = [id for id in ziggurat.registered_games() if id != EXAMPLE and ziggurat.game(id).min_players <= 3]
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(house(Settings(data=tmp_path, prepare=False, copies=None)))
        ann = await stack.enter_async_context(visitor(f"http://127.0.0.1:{port}", "Ann"))
        table = await ann.table("me", "random", "random")
        path = f"/api/tables/{table['id']}"
        async with ann.at(table["id"]) as live:
            await live.reply(type="ask_end")
        problem(await ann.http.post(f"{path}/rematch?game=chess"), 404, "unknown_game")
        for game in wished[:1]:
            next_one = await ann.post(f"{path}/rematch?game={game}")
            assert (next_one["game"], next_one["status"]) == (game, "playing")

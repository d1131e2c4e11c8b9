"""Again, and resigning: who is asked, who sits where, when it begins, and what is won in a series."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from tests.example import EXAMPLE, SHORT
from tests.server.player import visitor
from tests.server.test_clock import LIVE, PEOPLE, Play, refused
from tests.server.test_http import problem
from tests.server.watch import Watch

from ziggurat.server.api.schemas import table_info
from ziggurat.server.domain.again import accept, decline, play_again
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.ownership import forget, hand_over
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.resign import resign
from ziggurat.server.domain.seat_transfer import transferable_seat
from ziggurat.server.domain.seating import ChangeSeat, Join, change_seat, come_back, join, leave, take_over
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import moves_by_substitute
from ziggurat.server.domain.table import Result, Table
from ziggurat.server.domain.votes import ask_end
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.settings import Settings

ANN, BOB, CID, DAN = PEOPLE[:4]


def over(*people: Person, bots: int = 0, winners: tuple[int, ...] = (0,)) -> Table:
    seats = [NewSeat("me"), *[NewSeat("open")] * (len(people) - 1), *[NewSeat("bot", "random")] * bots]
    table = create(NewTable(EXAMPLE, seats, start=False), people[0])
    for person in people[1:]:
        table = join(table, Join(table.invite or "", person.name), person)
    return replace(start(table), status="finished", result=Result([0] * len(seats), [*winners]))


def again(table: Table, person: Person) -> Table:
    spawned = play_again(table, person.id).spawned
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

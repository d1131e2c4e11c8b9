"""Several people on one device: who they are, who is asked, what is told to whom, and what becomes of them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.example import EXAMPLE, SHORT
from tests.server.player import visitor
from tests.server.test_clock import PEOPLE
from tests.server.test_http import problem

from ziggurat.server.api.schemas import table_info
from ziggurat.server.domain.again import accept, decline, play_again
from ziggurat.server.domain.companions import SeatCompanion, seat_companion, speaker
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.ownership import forget, hand_over
from ziggurat.server.domain.seat_transfer import TakeSeat, transfer_seat
from ziggurat.server.domain.seating import ChangeSeat, Join, change_seat, come_back, join, leave
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.undo import can_undo
from ziggurat.server.domain.votes import answer_vote, ask_end, asked
from ziggurat.server.features.notifications.rules import notices
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.settings import Settings

ANN, BOB, CID = PEOPLE[:3]


def sofa(*more: NewSeat) -> Table:
    """Ann with Zoe on her device, and others."""
    return create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("companion", name="Zoe"), *more], start=False), ANN)


def with_bob() -> Table:
    table = sofa(NewSeat("open"))
    return start(join(table, Join(table.invite or "", BOB.name), BOB))


def test_a_companion_is_a_person_on_the_device_of_another() -> None:
    table = sofa()
    zoe = table.seats[1]
    assert (zoe.kind, zoe.name, zoe.guardian, zoe.owner) == ("human", "Zoe", ANN.id, ANN.id)
    assert zoe.person not in (None, ANN.id)
    assert table.companions(0) == (1,)
    assert table.companions(1) == (0,)
    assert speaker(table, ANN.id, None) == speaker(table, ANN.id, 0) == ANN.id
    assert speaker(table, ANN.id, 1) == zoe.person
    for person, seat in ((BOB.id, 1), (ANN.id, 7), (zoe.person, -1)):
        with pytest.raises(Problem, match="on your device"):
            speaker(table, person, seat)
    with pytest.raises(Problem, match="sit down there"):
        create(NewTable(EXAMPLE, [NewSeat("companion", name="Zoe"), NewSeat("open")]), ANN)
    with pytest.raises(Problem, match="is called"):
        sofa(NewSeat("companion", name="ZOE"))
    with pytest.raises(Problem, match="A name has"):
        create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("companion")]), ANN)


def test_who_is_on_the_same_device_is_told_as_much() -> None:
    table, bus = with_bob(), Bus(Settings())
    near = [
        [seat.near == "secret" for seat in table_info(table, person, bus).seats] for person in (ANN.id, BOB.id, None)
    ]
    assert near == [[False, True, False], [False] * 3, [False] * 3]
    zoe = table.seats[1].person
    info = table_info(table, zoe, bus)
    assert [seat.near == "secret" for seat in info.seats] == [True, False, False]
    assert (info.you, info.host) == (1, True)


def test_they_sit_down_get_up_and_come_back_together() -> None:
    table = sofa(NewSeat("open"), NewSeat("open"))
    table = seat_companion(table, SeatCompanion(2, "Yve"), ANN.id)
    assert [seat.name for seat in table.seats] == [ANN.name, "Zoe", "Yve", ""]
    for wish, person, says in ((SeatCompanion(2, "X"), ANN, "not free"), (SeatCompanion(3, "X"), BOB, "not sit")):
        with pytest.raises(Problem, match=says):
            seat_companion(table, wish, person.id)
    assert {seat.kind for seat in leave(table, ANN.id).seats} == {"open"}
    freed = change_seat(table, ChangeSeat(1, "open"), ANN.id)
    assert [seat.kind for seat in freed.seats] == ["human", "open", "human", "open"]
    running = leave(with_bob(), ANN.id)
    assert [seat.away for seat in running.seats] == [True, True, False]
    assert [seat.away for seat in come_back(running, ANN.id).seats] == [False] * 3


def test_a_companion_is_nobodys_host() -> None:
    table = sofa(NewSeat("open"))
    assert leave(table, ANN.id).host == ANN.id, "Zoe has got up, too"
    table = leave(join(table, Join(table.invite or "", BOB.name), BOB), ANN.id)
    assert table.host == BOB.id
    table = sofa(NewSeat("open"))
    assert forget(join(table, Join(table.invite or "", BOB.name), BOB), ANN.id).host == BOB.id


def test_who_hands_a_seat_on_takes_companions_along_only_out_of_a_waiting_room() -> None:
    waits = transfer_seat(sofa(NewSeat("open")), ANN.id, CID, TakeSeat("", CID.name))
    assert [seat.person for seat in waits.seats] == [CID.id, None, None]
    runs = transfer_seat(with_bob(), ANN.id, CID, TakeSeat("", CID.name))
    assert [seat.owner for seat in runs.seats] == [CID.id, ANN.id, BOB.id], "Zoe plays on"


def test_one_device_has_one_voice() -> None:
    table = with_bob()
    assert table.others(0) == (2,)
    vote = ask_end(table, 0, "e", lambda _: 0.0)
    assert asked(vote) == (2,)
    assert answer_vote(vote, 2, "y", True).status == "ended"
    vote = ask_end(table, 2, "e", lambda _: 0.0)
    assert asked(vote) == (0, 1)
    assert answer_vote(vote, 1, "y", True).status == "ended", "Zoe answers for Ann, too"
    alone = start(sofa())
    assert ask_end(alone, 0, "e").status == "ended"
    assert can_undo(alone, 0) is None
    assert {person for notice in notices(sofa(), alone) for person in notice.people} == {ANN.id}


def test_again_with_the_same_companion() -> None:
    over = replace(with_bob(), status="ended")
    again = play_again(over, BOB.id).spawned
    assert again is not None
    assert [seat.kind for seat in again.seats] == ["open", "open", "human"]
    assert accept(again, ANN).status == "playing"
    assert accept(again, ANN).seats[1].person == over.seats[1].person
    assert [seat.kept for seat in decline(again, ANN.id).seats] == [None, None, None]
    mine = play_again(over, ANN.id).spawned
    assert mine is not None
    assert [seat.kind for seat in mine.seats] == ["human", "human", "open"]


def test_a_companion_who_was_left_is_in_no_other_game() -> None:
    """Ann has handed her seat to Cid, and Zoe plays on with her; whoever asks, nobody would bring Zoe to the next."""
    over = replace(transfer_seat(with_bob(), ANN.id, CID, TakeSeat("", CID.name)), status="ended")
    for asks in (ANN, BOB, CID):
        again = play_again(over, asks.id).spawned
        assert again is not None
        assert [seat.bot for seat in again.seats] == [None, "builder", None]
        assert not any(seat.guardian for seat in again.seats)


def test_they_go_where_their_guardian_goes() -> None:
    table = with_bob()
    known = hand_over(table, ANN.id, CID.id)
    assert (known.seats[0].person, known.seats[1].guardian) == (CID.id, CID.id)
    with pytest.raises(Problem, match="sit twice"):
        hand_over(table, ANN.id, BOB.id)
    gone = forget(table, ANN.id)
    assert [(seat.name, seat.person, seat.guardian, bool(seat.bot)) for seat in gone.seats[:2]] == [
        ("", None, None, True),
        ("", None, None, True),
    ]
    assert [seat.kind for seat in forget(sofa(NewSeat("open")), ANN.id).seats] == ["open"] * 3


async def test_who_has_handed_a_seat_on_is_still_there_with_their_companion(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        seats = [{"kind": "me"}, {"kind": "companion", "name": "Zoe"}]
        table = await ann.post("/api/tables", {"game": EXAMPLE, "seats": seats}, 201)
        path = f"/api/tables/{table['id']}"
        async with ann.at(table["id"]):
            secret = (await ann.post(f"{path}/hand"))["secret"]
            await bob.post(f"{path}/take", {"secret": secret, "name": "Bob"})
            async with bob.at(table["id"]) as b:
                await b.until(lambda: all(seat["online"] for seat in b.state["table"]["seats"]))
                refused = await b.reply(type="stand_in", seat=1)
                assert refused["code"] == "still_here", "Ann's page is open, and Zoe's turn is played there"


async def test_a_page_speaks_for_one_seat_at_a_time(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        seats = [{"kind": "me"}, {"kind": "companion", "name": "Zoe"}]
        table = await ann.post("/api/tables", {"game": SHORT, "seats": seats}, 201)
        assert (table["status"], table["you"]) == ("playing", 0)
        assert table["seats"][1]["near"]
        async with ann.at(table["id"]) as a, ann.at(table["id"], seat=1) as z:
            assert (a.state["table"]["you"], z.state["table"]["you"]) == (0, 1)
            await a.until(lambda: all(seat["online"] for seat in a.state["table"]["seats"]))
            await asyncio.gather(a.play(), z.play())
            await a.until(lambda: a.over)
        async with ann.at(table["id"]) as a:
            assert [seat["name"] for seat in a.state["table"]["seats"]] == ["Ann", "Zoe"]
        refused = await bob.http.post(f"/api/tables/{table['id']}/companions", json={"seat": 0, "name": "Eve"})
        problem(refused, 404, "unknown_table")
        data = (await ann.http.get("/api/me/everything")).json()
        assert [one["name"] for one in data["companions"]] == ["Zoe"]
        again = await ann.post(f"/api/tables/{table['id']}/rematch")
        assert (again["status"], [seat["name"] for seat in again["seats"]]) == ("playing", ["Ann", "Zoe"])
        assert (await ann.http.delete("/api/me")).status_code in (200, 204)

"""The waiting room: the host changes what is agreed and who sits where, and hands the hosting on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed
from tests.example import EXAMPLE, GAME, SEATS
from tests.server.player import Live, visitor
from tests.server.test_http import problem

from ziggurat.core.errors import BadOption
from ziggurat.server.domain.again import accept
from ziggurat.server.domain.bounds import CHANGE_BOUNDS
from ziggurat.server.domain.clock import TimeControl
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.invite import Invited, invite
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import OpenTerms, TablePolicy, agreed_by
from ziggurat.server.domain.seating import ChangeSeat, Join, change_seat, join, let_in, may_look
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.waiting import NewHost, SeatOrder, Terms, change_host, change_terms, order_seats
from ziggurat.server.problems import Problem

ANN, BOB, CAT = (Person(name.lower(), name, "en") for name in ("Ann", "Bob", "Cat"))
OPTION = next(option for option in GAME.options if len(option.choices) > 1 and not option.players)
OTHER = next(choice for choice in OPTION.choices if choice != OPTION.default)
CLOCK = TimeControl("days", 86_400, 43_200, "bot", "random", nights=True)


def waiting(*people: Person, seats: int = SEATS, **more: Any) -> Table:
    wish = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (seats - 1)], **more)
    table = create(wish, ANN)
    for person in people:
        table = join(table, Join(table.invite or "", person.name, zone="Europe/Budapest"), person)
    return table


def refused(code: str, act: Any, *told: Any) -> Problem:
    with pytest.raises(Problem) as caught:
        act(*told)
    assert caught.value.code == code
    return caught.value


def test_terms_are_those_of_a_new_table() -> None:
    table = waiting(BOB)
    policy = TablePolicy(watch="nobody", talk="phrases")
    wish = Terms({OPTION.name: OTHER}, "instant", True, 600, CLOCK, "Europe/Budapest", policy)
    new = change_terms(table, wish, ANN.id)
    assert (new.options[OPTION.name], new.pace, new.hints, new.patience) == (OTHER, "instant", True, 600)
    assert new.policy == policy
    assert new.time is not None
    assert [clock.zone for clock in new.time.seats][:2] == ["Europe/Budapest"] * 2
    assert (new.changes[-1].kind, new.seats) == ("terms", table.seats)
    assert change_terms(new, wish, ANN.id) is new, "nothing has changed"
    usual = change_terms(new, Terms(), ANN.id)
    assert (usual.options, usual.time, usual.hints, usual.policy) == (table.options, None, False, table.policy)
    begun = start(replace(new, seats=tuple(replace(s, kind="bot", bot="random", person=None) for s in new.seats)))
    assert begun.status == "playing"


def test_a_table_is_not_opened_to_everybody_later() -> None:
    """How many open tables a person may have is asked where they are made."""
    table = waiting(BOB)
    wish = Terms(policy=TablePolicy(join="anyone"))
    refused("bad_request", change_terms, table, wish, ANN.id)
    opened = replace(table, policy=TablePolicy(join="anyone", terms=OpenTerms()))
    assert change_terms(opened, Terms(policy=changed(opened.policy, talk="off")), ANN.id).policy.join == "anyone"
    assert change_terms(opened, Terms(), ANN.id).policy.join == "invited"


@pytest.mark.parametrize(
    "policy",
    [
        TablePolicy(join="anyone"),
        TablePolicy(join="anyone", terms=OpenTerms(wait=900, bot=None, language="hu")),
        TablePolicy(join="anyone", terms=OpenTerms(bot="hal")),
        TablePolicy(join="anyone", terms=OpenTerms(language="\u202e<b>")),
        TablePolicy(terms=OpenTerms(bot="hal", language="\u202e<b>")),
    ],
    ids=str,
)
def test_what_a_table_is_changed_to_is_what_a_new_one_would_be(policy: TablePolicy) -> None:
    """Strangers read the terms of an open table, and the bot that they name sits down there."""

    def kept(act: Any, *told: Any) -> Any:
        try:
            return act(*told).policy
        except Problem as refusal:
            return refusal.code

    seats = [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)]
    before = create(NewTable(EXAMPLE, seats, policy=TablePolicy(join=policy.join, terms=OpenTerms(wait=60))), ANN)
    made = kept(create, NewTable(EXAMPLE, seats, policy=policy), ANN)
    assert kept(change_terms, before, Terms(policy=policy), ANN.id) == made


def test_who_may_not_change_what() -> None:
    table = waiting(BOB)
    refused("not_host", change_terms, table, Terms(), BOB.id)
    for wrong in ({"wind": "strong"}, {OPTION.name: "never"}):
        with pytest.raises(BadOption):
            change_terms(table, Terms(wrong), ANN.id)
    refused("unknown_bot", change_terms, table, Terms(time=TimeControl("live", 600, 30, "bot", "hal")), ANN.id)
    refused("not_host", order_seats, table, SeatOrder(None), BOB.id)
    for order in ([0], [0, 0, 1][:SEATS], [1, 2, 3][:SEATS], [-1, 0, 1][:SEATS], []):
        refused("bad_seat", order_seats, table, SeatOrder(order), ANN.id)
    full = replace(table, seats=table.seats[:2] + tuple(replace(s, kind="bot", bot="random") for s in table.seats[2:]))
    for act, wish in ((change_terms, Terms()), (order_seats, SeatOrder(None)), (change_host, NewHost(1))):
        refused("already_started", act, start(full), wish, ANN.id, *([0.0] if act is change_host else []))


def test_all_sit_in_another_order_with_what_is_theirs() -> None:
    table = waiting(BOB, time=CLOCK, zone="Europe/London")
    order = [1, *range(2, SEATS), 0]
    new = order_seats(table, SeatOrder(order), ANN.id)
    assert [seat.seat for seat in new.seats] == list(range(SEATS))
    assert (new.seats[0].person, new.seats[-1].person, new.host) == (BOB.id, ANN.id, ANN.id)
    assert new.time is not None
    assert (new.time.seats[0].zone, new.time.seats[-1].zone) == ("Europe/Budapest", "Europe/London")
    assert (new.changes[-1].kind, new.changes[-1].steps) == ("order", tuple(order))
    assert order_seats(new, SeatOrder(list(range(SEATS))), ANN.id) is new


def test_lots_are_drawn_by_chance_and_everybody_can_read_that_they_were() -> None:
    drawn = [order_seats(waiting(BOB), SeatOrder(None), ANN.id) for _ in range(60)]
    assert {table.changes[-1].kind for table in drawn} == {"lots"}
    where = {table.seat_of(ANN.id).seat for table in drawn if table.seat_of(ANN.id)}  # type: ignore[union-attr]
    assert where == set(range(SEATS))
    table = drawn[0]
    for _ in range((CHANGE_BOUNDS["lots"].most or 0) - 1):
        table = order_seats(table, SeatOrder(None), ANN.id)
    refused("long_story", order_seats, table, SeatOrder(None), ANN.id)


def test_the_hosting_is_handed_to_those_who_sit_there() -> None:
    table = waiting(BOB)
    new = change_host(table, NewHost(1), ANN.id, 0.0)
    assert (new.host, new.changes[-1].kind) == (BOB.id, "host")
    refused("not_host", change_host, new, NewHost(0), ANN.id, 0.0)
    assert change_host(table, NewHost(0), ANN.id, 0.0) is table
    for seat in (SEATS - 1, -1, SEATS):
        refused("bad_seat", change_host, table, NewHost(seat), ANN.id, 0.0)


def test_where_the_host_is_gone_those_who_sit_there_may_host() -> None:
    table = waiting(BOB, patience=60)
    assert refused("host_here", change_host, table, NewHost(None), BOB.id, 80.5).args_["seconds"] == 40
    refused("not_seated", change_host, table, NewHost(None), CAT.id, 100.0)
    assert change_host(table, NewHost(None), BOB.id, 120.0).host == BOB.id
    assert change_host(table, NewHost(None), ANN.id, 120.0) is table


def test_who_is_put_out_is_out_until_they_are_let_in_or_asked_by_name() -> None:
    table = change_seat(waiting(BOB), ChangeSeat(1, "open"), ANN.id)
    secret = Join(table.invite or "", "Bob")
    assert (table.seat_of(BOB.id), table.seats[1].kind) == (None, "open")
    refused("put_out", join, table, secret, BOB)
    refused("put_out", may_look, table, BOB.id, table.invite)
    assert join(let_in(table, ANN.id), secret, BOB).seat_of(BOB.id) is not None
    asked = invite(table, ANN.id, Invited(BOB.id, "Bob"))
    assert accept(asked, BOB).seat_of(BOB.id) is not None
    # Whatever the host agrees on meanwhile, and in the next game by the same link.
    assert change_terms(table, Terms(hints=True), ANN.id).is_out(BOB.id)
    refused("not_host", let_in, waiting(CAT), CAT.id)
    assert agreed_by(table.policy).out == ()
    assert not table.is_out(CAT.id)
    assert not replace(table, invite_hash="another").is_out(BOB.id), "a mark says nothing elsewhere"
    assert create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], policy=table.policy), ANN).policy.out == ()


async def test_all_is_seen_live_and_kept(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", *["open"] * (SEATS - 1), patience=45)
        path = f"/api/tables/{table['id']}"
        await bob.join(table, "Bob")
        assert (await bob.get("/api/me"))["name"] == "Bob", "a name typed once is kept"
        async with bob.at(table["id"]) as live:
            told: Any = {"options": {OPTION.name: OTHER}, "hints": True, "policy": {"watch": "anyone"}}
            await ann.post(f"{path}/terms", told)
            await live.until(lambda: live.state["table"]["hints"])
            seen = live.state["table"]
            assert (seen["options"][OPTION.name], seen["policy"]["watch"]) == (OTHER, "anyone")
            await ann.post(f"{path}/order", {"order": [1, 0, *range(2, SEATS)]})
            await live.until(lambda: live.state["table"]["you"] == 0)
            await ann.post(f"{path}/order", {"order": None})
            await live.until(lambda: [one["kind"] for one in live.state.get("notes", [])] == ["lots"])
            mine = live.state["table"]["you"]
            await ann.post(f"{path}/host", {"seat": mine})
            await live.until(lambda: live.state["table"]["host"])
            assert live.state["table"]["starter"] == mine
            problem(await ann.http.post(f"{path}/terms", json=told), 403, "not_host")
            problem(await bob.http.post(f"{path}/terms", json={"patience": -1}), 400, "bad_request")
            problem(await bob.http.post(f"{path}/terms", json={"options": {"wind": "x"}}), 400, "bad_option")
            await bob.post(f"{path}/seats", {"seat": (await ann.get(path))["you"], "kind": "open"})
        again = (await bob.get(path))["seats"]
        assert sum(seat["kind"] == "open" for seat in again) == SEATS - 1
        assert (await bob.get(path))["options"][OPTION.name] == OTHER


async def test_a_name_that_is_there_already_is_not_overwritten(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Robert") as bob:
        table = await ann.table("me", *["open"] * (SEATS - 1))
        await bob.join(table, "Bob")
        assert (await bob.get("/api/me"))["name"] == "Robert"


async def test_the_hosting_is_taken_over_from_who_is_gone(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", *["open"] * (SEATS - 1), patience=45)
        path = f"/api/tables/{table['id']}"
        await bob.join(table, "Bob")
        async with ann.at(table["id"]) as host, bob.at(table["id"]) as live:
            await live.until(lambda: live.state["table"]["seats"][0]["online"] or present(live, 0))
            answer = problem(await bob.http.post(f"{path}/host", json={"seat": None}), 409, "host_here")
            assert answer["args"]["seconds"] == 45
            await host.connection.close()
            await live.until(lambda: not present(live, 0))
            await bob.http.post(f"{path}/host", json={"seat": None})
            info = await bob.get(path)
            assert info["host_gone"] is not None
            assert not info["host"], "not before the table's patience is over"


async def test_the_link_is_a_picture_for_those_who_have_it(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve:
        table = await ann.table("me", *["open"] * (SEATS - 1), policy={"watch": "anyone"})
        path = f"/api/tables/{table['id']}/invitation"
        mine = await ann.get(path)
        assert mine["url"].endswith(f"/#/join/{table['id']}/{table['invite']}")
        assert {len(row) for row in mine["qr"]} == {len(mine["qr"])}
        assert await eve.get(path, headers={"X-Invite": table["invite"]}) == mine
        for wrong in ({}, {"X-Invite": "guess"}):
            problem(await eve.http.get(path, headers=wrong), 404, "unknown_table")


def present(live: Live, seat: int) -> bool:
    told = [one for one in live.messages if one["type"] == "presence"]
    return seat in told[-1]["online"] if told else bool(live.state["table"]["seats"][seat]["online"])


async def test_who_hosts_without_a_seat_is_here_too(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table(*["open"] * SEATS)
        await bob.join(table, "Bob")
        async with bob.at(table["id"]) as live:
            assert live.state["table"]["host_gone"] is not None
            async with ann.at(table["id"]):
                await live.until(lambda: any(one["type"] == "presence" and one["host_here"] for one in live.messages))
            async with asyncio.timeout(10):
                await live.until(
                    lambda: not [one for one in live.messages if one["type"] == "presence"][-1]["host_here"]
                )

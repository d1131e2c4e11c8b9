"""Those a person has played with: invited by name, and blocked without being told."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE
from tests.server.features.notifications.test_notification_tables import told
from tests.server.features.notifications.test_notifications import House
from tests.server.features.notifications.test_notifications import believed as believed
from tests.server.features.notifications.test_notifications import house as house
from tests.server.fixtures import MOSTLY_SQLITE, on_both
from tests.server.player import PATIENCE, Json, Live, Player, visitor
from tests.server.process import Server
from tests.server.test_again import over
from tests.server.test_clock import PEOPLE
from tests.server.test_http import problem
from websockets.asyncio.client import ClientConnection, connect

from ziggurat.server.api.tables import _called
from ziggurat.server.domain.again import accept, decline, play_again
from ziggurat.server.domain.companions import SeatCompanion, seat_companion
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.invite import Invited, handle, invite
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.table import Result
from ziggurat.server.features.groups import rows as groups
from ziggurat.server.features.notifications.rules import notices, notices_of_new, still_relevant
from ziggurat.server.problems import Problem
from ziggurat.server.store import blocks, people
from ziggurat.server.store.log import insert
from ziggurat.server.store.played_with import played_with

DATABASES = MOSTLY_SQLITE
ANN, BOB, CID, DAN = PEOPLE[:4]
BOBBY = Invited(BOB.id, "Bob", "owl teal")


def waiting(seats: int = 3, *guests: Invited) -> Any:
    chairs = [NewSeat("open", invite=guest.person) for guest in guests]
    wish = NewTable(EXAMPLE, [NewSeat("me"), *chairs, *[NewSeat("open")] * (seats - 1 - len(guests))], start=False)
    return create(wish, ANN, guests={guest.person: guest for guest in guests})


# --- The rules ---


def test_a_seat_is_kept_for_who_is_invited_and_they_are_told() -> None:
    table = waiting()
    asked = invite(table, ANN.id, BOBBY)
    assert [(seat.kind, seat.name, seat.mark, seat.kept) for seat in asked.seats] == [
        ("human", ANN.name, "", None),
        ("open", "Bob", "owl teal", BOB.id),
        ("open", "", "", None),
    ]
    assert [(one.kind, one.people) for one in notices(table, asked)] == [("invite", (BOB.id,))]
    assert still_relevant(asked, "invite", asked.seq, None, BOB.id)
    assert invite(asked, ANN.id, BOBBY) is asked, "asked already"
    seated = accept(asked, BOB)
    assert invite(seated, ANN.id, BOBBY) is seated, "sits there already"
    assert not still_relevant(seated, "invite", asked.seq, seated.seats[1], BOB.id)
    with pytest.raises(Problem, match="by name"):
        invite(table, BOB.id, BOBBY)
    with pytest.raises(Problem, match="No seat is free"):
        invite(invite(asked, ANN.id, Invited(CID.id, "Cid")), ANN.id, Invited(DAN.id, "Dan"))
    with pytest.raises(Problem, match="started"):
        invite(over(ANN, BOB), ANN.id, BOBBY)


def test_a_new_table_may_be_for_certain_people() -> None:
    table = waiting(3, BOBBY)
    assert [seat.kept for seat in table.seats] == [None, BOB.id, None]
    told = [(one.kind, one.people) for one in notices_of_new(table, [ANN.id, BOB.id, CID.id])]
    assert told == [("invite", (BOB.id,)), ("evening", (CID.id,))]
    assert still_relevant(table, "evening", 1, None, CID.id)
    assert not still_relevant(table, "evening", 1, None, BOB.id)


def test_who_has_blocked_the_host_is_not_asked_and_nobody_sees_it() -> None:
    deaf = replace_deaf(BOBBY)
    asked, usual = invite(waiting(), ANN.id, deaf), invite(waiting(), ANN.id, BOBBY)
    shown = [(seat.kind, seat.name, seat.mark, seat.kept is not None) for seat in asked.seats]
    assert shown == [(seat.kind, seat.name, seat.mark, seat.kept is not None) for seat in usual.seats]
    assert not asked.is_member(BOB.id)
    assert invite(asked, ANN.id, deaf) is asked, "as with everybody who was asked already"
    assert not [one for one in notices(waiting(), asked) if BOB.id in one.people]


def replace_deaf(guest: Invited) -> Invited:
    return Invited(guest.person, guest.name, guest.mark, deaf=True)


def test_again_asks_nobody_who_is_blocked() -> None:
    table = over(ANN, BOB, CID)
    spawned = play_again(table, ANN.id, {BOB.id}, {CID.id}).spawned
    assert spawned is not None
    assert spawned.status == "waiting"
    assert [(seat.kind, seat.name, seat.kept) for seat in spawned.seats] == [
        ("human", ANN.name, None),
        ("open", "", None),
        ("open", CID.name, HOUSE_PERSON.id),
    ]


def test_nobody_is_asked_to_sit_beside_who_is_called_alike() -> None:
    """They would sit down under the name by which they were asked."""
    with pytest.raises(Problem, match="called Ann"):
        invite(waiting(), ANN.id, Invited(BOB.id, "\u0410nn"))
    asked = invite(waiting(), ANN.id, BOBBY)
    with pytest.raises(Problem, match="called Bob"):
        invite(asked, ANN.id, Invited(CID.id, "B\u043eb"))
    with pytest.raises(Problem, match="called Bob"):
        join(asked, Join(asked.invite or "", "bob"), CID)
    with pytest.raises(Problem, match="called Bob"):
        seat_companion(asked, SeatCompanion(2, "BOB"), ANN.id)
    assert join(asked, Join("", "Bob", 2), BOB).seats[2].name == "Bob", "it is their own name"


def test_a_handle_is_of_one_asker_and_place() -> None:
    names = {handle("s", asker, place, "bob") for asker in ("ann", "cid") for place in ("played", "group")}
    assert len(names) == 4
    assert handle("s", "ann", "played", "bob") in names
    assert handle("t", "ann", "played", "bob") not in names


# --- At a server ---


async def test_who_is_invited_is_told_by_their_channels(house: House) -> None:
    await house.hook(BOB)
    add = house.table_service.add
    made = await add(waiting(3), "here")
    await house.table_service.change(made.id, lambda t: invite(t, ANN.id, BOBBY))
    assert await told(house) == ["invite"]
    assert house.hooks.got[0].json["news"][0]["url"].endswith(f"/#/table/{made.id}")
    await add(waiting(3, BOBBY), "here")
    assert await told(house) == ["invite"]
    gone = await add(waiting(3, BOBBY), "here")
    await house.table_service.change(gone.id, lambda t: decline(t, BOB.id))
    assert await told(house) == [], "answered before it was told"
    # The people of a group, where its page is.
    group = await house.database.write(partial(groups.found, name="Friday", person=ANN.id, called="Ann"))
    await add(replace(waiting(3), group=group), "here", called=[ANN.id, BOB.id])
    assert await told(house) == ["evening"]
    assert house.hooks.got[0].json["news"][0]["url"].endswith(f"/#/group/{group}")


async def played(ann: Player, *others: Player) -> Json:
    """A game that was begun, and ended by agreement."""
    table = await ann.table("me", *["open"] * len(others))
    for number, other in enumerate(others):
        await other.join(table, ("Bob", "Cid", "Dan")[number])
    await ann.post(f"/api/tables/{table['id']}/start")
    return table


async def test_who_gives_up_has_not_won(house: House) -> None:
    """A bot plays on and wins: it is told that they gave up, and nobody lost to them."""
    table = over(ANN, BOB, winners=(1,))
    table = replace(table, result=Result([3, 8], [1]))
    await house.database.write(partial(insert, table=table))
    for gave_up in (False, True):
        if gave_up:
            seats = table.with_seat(replace(table.seats[1], resigned=True))
            await house.database.write(partial(insert, table=replace(table, id="another", seats=seats, updated=1e12)))
        mine, theirs = [(await house.database.read(partial(played_with, person=person.id)))[0] for person in (ANN, BOB)]
        assert (mine.mine, mine.theirs, mine.won, mine.resigned) == (3, 8, (False, not gave_up), (False, gave_up))
        assert (theirs.won, theirs.resigned) == ((not gave_up, False), (gave_up, False))


async def block(person: Player, name: str) -> None:
    answer = await person.http.post("/api/blocks", json={"person": (await known(person))[name]["id"]})
    assert answer.status_code == 204, answer.text


async def known(person: Player) -> dict[str, Json]:
    found = await person.get("/api/people")
    return {one["name"]: one for one in found["played"]}


async def test_those_of_a_group_are_called_who_sit_down_with_each_other(house: House) -> None:
    def lay(connection: sa.Connection) -> str:
        people.insert(connection, DAN, "dan")
        id = groups.found(connection, "Friday", ANN.id, "Ann")
        for person in (BOB, CID, DAN):
            groups.join(connection, id, person.id, person.name)
        blocks.add(connection, BOB.id, ANN.id, "Ann")
        blocks.add(connection, ANN.id, CID.id, "Cid")
        return id

    id = await house.database.write(lay)
    wish = NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], group=id, call=True)
    assert {*await _called(house.table_service, wish, ANN.id)} == {ANN.id, DAN.id}
    assert await _called(house.table_service, wish, ANN.id) == [], "a moment later"


async def test_people_are_invited_by_name(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as eve:
        assert await eve.get("/api/people") == {"played": [], "blocked": [], "groups": [], "tables": []}
        table = await played(ann, bob)
        found = (await known(ann))["Bob"]
        assert (found["game"], found["table"], found["running"], found["times"]) == (EXAMPLE, table["id"], True, 1)
        assert list(await known(bob)) == ["Ann"]
        # A table that waits already.
        made = await ann.table("me", "open", "open")
        assert [(one["id"], one["free"]) for one in (await ann.get("/api/people"))["tables"]] == [(made["id"], 2)]
        path = f"/api/tables/{made['id']}/invite"
        problem(await eve.http.post(path, json={"person": found["id"]}), 404, "unknown_table")
        problem(await ann.http.post(path, json={"person": "played.nobody"}), 404, "unknown_person")
        asked = await ann.post(path, {"person": found["id"]})
        assert (asked["seats"][1]["name"], asked["seats"][1]["kept"]) == ("Bob", "other")
        stored = (await bob.get("/api/me/everything"))["asked_to_sit_down"]
        assert [(one["table"], one["name"]) for one in stored] == [(made["id"], "Bob")]
        mine = (await bob.get("/api/tables"))[0]
        assert (mine["id"], mine["seats"][1]["kept"]) == (made["id"], "you")
        # Another who hears the handle can do nothing with it.
        theirs = await eve.table("me", "open")
        path = f"/api/tables/{theirs['id']}/invite"
        problem(await eve.http.post(path, json={"person": found["id"]}), 404, "unknown_person")
        # No is an answer.
        await bob.post(f"/api/tables/{made['id']}/leave")
        assert [one["id"] for one in await bob.get("/api/tables")] == [table["id"]]
        # A new table for them.
        seats = [{"kind": "me"}, {"kind": "open", "invite": found["id"]}]
        new = await ann.post("/api/tables", {"game": EXAMPLE, "seats": seats}, 201)
        assert (await bob.post(f"/api/tables/{new['id']}/accept"))["status"] == "playing"
        assert (await known(ann))["Bob"]["times"] == 2
        refused = {"game": EXAMPLE, "seats": [*seats, seats[1]]}
        problem(await ann.http.post("/api/tables", json=refused), 400, "bad_request")


async def test_who_is_blocked_learns_nothing_and_sits_nowhere(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as cid:
        table = await played(ann, bob, cid)
        await block(ann, "Bob")
        assert list(await known(ann)) == ["Cid"]
        assert list(await known(bob)) == ["Ann", "Cid"], "nothing is different for them"
        # The game goes on.
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await a.until(lambda: a.state["view"])
            await b.until(lambda: b.state["view"])
        # At a table of Ann's it is for Bob as if it were full.
        made = await ann.table("me", "open", "open")
        seen = await bob.get(f"/api/tables/{made['id']}?invite={made['invite']}")
        full = await ann.table("me", "random", "random", start=False)
        assert [one.get("kept") for one in seen["seats"]] == [None, "other", "other"]
        wish = {"invite": made["invite"], "name": "Bob"}
        told = problem(await bob.http.post(f"/api/tables/{made['id']}/join", json=wish), 409, "table_full")
        wish = {"invite": full["invite"], "name": "Bob"}
        usual = problem(await bob.http.post(f"/api/tables/{full['id']}/join", json=wish), 409, "table_full")
        assert told == usual
        wish = {"invite": made["invite"], "name": "Ann", "seat": 0}
        problem(await bob.http.post(f"/api/tables/{made['id']}/join", json=wish), 409, "table_full")
        # What Bob asks of Ann is not heard, and looks as if it were.
        theirs = await bob.table("me", "open", "open")
        path = f"/api/tables/{theirs['id']}"
        asked = await bob.post(f"{path}/invite", {"person": (await known(bob))["Ann"]["id"]})
        assert (asked["seats"][1]["name"], asked["seats"][1]["kept"]) == ("Ann", "other")
        assert theirs["id"] not in [one["id"] for one in await ann.get("/api/tables")]
        problem(await ann.http.post(f"{path}/accept"), 404, "unknown_table")
        # Ann is told that it is her own doing.
        wish = {"invite": theirs["invite"], "name": "Ann"}
        problem(await ann.http.post(f"{path}/join", json=wish), 409, "blocked_here")
        # Cid, who has asked both, sits down with one of them.
        mixed = await cid.table("me", "open", "open")
        for name in ("Ann", "Bob"):
            await cid.post(f"/api/tables/{mixed['id']}/invite", {"person": (await known(cid))[name]["id"]})
        await ann.post(f"/api/tables/{mixed['id']}/accept")
        problem(await bob.http.post(f"/api/tables/{mixed['id']}/accept"), 409, "seat_gone")
        assert [one.get("kept") for one in (await cid.get(f"/api/tables/{mixed['id']}"))["seats"]] == [None] * 3
        # Until Ann has thought better of it.
        blocked = (await ann.get("/api/people"))["blocked"]
        assert [one["name"] for one in blocked] == ["Bob"]
        assert (await ann.http.delete(f"/api/blocks/{blocked[0]['id']}")).status_code == 204
        await cid.post(f"/api/tables/{mixed['id']}/invite", {"person": (await known(cid))["Bob"]["id"]})
        assert (await bob.post(f"/api/tables/{mixed['id']}/accept"))["status"] == "playing"


def _sits_a_bot(live: Live) -> bool:
    return bool(live.state["table"]["seats"][1]["kind"] == "bot")


async def test_a_table_looks_full_wherever_it_is_shown_to_who_is_blocked(base: str) -> None:
    """Somebody who is told that no seat is free, and sees one, knows that they are blocked."""

    def free(table: Json) -> list[int]:
        waits = table["status"] == "waiting"
        shown = [seat for seat in table["seats"] if seat.get("yields") or (waits and seat["kind"] == "open")]
        return [seat["seat"] for seat in shown if "kept" not in seat]

    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as cid, AsyncExitStack() as stack:
        await played(ann, bob, cid)
        group = await ann.post("/api/groups", {"name": "Friday", "called": "Ann"}, 201)
        path = f"/api/groups/{group['id']}"
        secret = (await ann.get(path))["invite"]
        for one, name in ((bob, "Bob"), (cid, "Cid")):
            await one.post(f"{path}/join", {"invite": secret, "name": name})
        await block(ann, "Bob")
        made = await ann.table("me", "open", "open", group=group["id"])
        at, invite = f"/api/tables/{made['id']}", made["invite"]
        live = {
            name: await stack.enter_async_context(one.at(made["id"], invite=invite))
            for name, one in (("Bob", bob), ("Cid", cid))
        }
        for seen, there in ((cid, [1, 2]), (bob, [])):
            assert free(await seen.get(at, headers={"x-invite": invite})) == there
            assert free((await seen.get(path))["tables"][0]) == there
        assert (free(live["Cid"].state["table"]), free(live["Bob"].state["table"])) == ([1, 2], [])
        # Nor when it changes.
        await ann.post(f"{at}/seats", {"seat": 1, "kind": "bot", "bot": "random"})
        for name, there in (("Cid", [2]), ("Bob", [])):
            await live[name].until(partial(_sits_a_bot, live[name]))
            assert free(live[name].state["table"]) == there
        # A seat is handed on to Bob: for him the link was used.
        await cid.join(made, "Cid")
        link = (await cid.post(f"{at}/hand"))["secret"]
        problem(await bob.http.get(f"{at}/take", headers={"x-invite": link}), 403, "bad_seat_link")
        for name in ("Bob", "Ann"):
            wish = {"secret": link, "name": name}
            problem(await bob.http.post(f"{at}/take", json=wish), 403, "bad_seat_link")
        problem(await ann.http.post(f"{at}/take", json={"secret": link, "name": "Ann"}), 409, "sits_here")


async def test_a_table_is_not_in_the_list_of_who_is_blocked_there(base: str) -> None:
    async def listed(person: Player) -> list[str]:
        return [one["id"] for one in await person.get("/api/open-tables")]

    @asynccontextmanager
    async def following(person: Player) -> AsyncIterator[ClientConnection]:
        url = f"{base.replace('http', 'ws', 1)}/api/open-tables/live"
        async with connect(url, additional_headers=person.cookie, max_size=2**24) as socket:
            yield socket

    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base) as eve:
        await played(ann, bob)
        await block(ann, "Bob")
        async with following(bob) as blocked, following(eve) as other:
            for socket in (blocked, other):
                assert json.loads(await socket.recv())["type"] == "open"
            hidden = await ann.table("me", "open", policy={"join": "anyone"})
            seen = await eve.table("me", "open", policy={"join": "anyone"})
            for person, those in ((bob, [seen["id"]]), (eve, [hidden["id"], seen["id"]])):
                assert {*await listed(person)} >= {*those}
            assert hidden["id"] not in await listed(bob)
            for socket, shown in ((other, True), (blocked, False)):
                said = ""
                async with asyncio.timeout(PATIENCE):
                    while seen["id"] not in said:
                        said += str(await socket.recv())
                assert (hidden["id"] in said) is shown
        for one in (hidden, seen):
            await (ann if one is hidden else eve).post(f"/api/tables/{one['id']}/leave")


async def test_invitations_that_nobody_answers_are_bounded(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        await played(ann, bob)
        person = (await known(ann))["Bob"]["id"]
        seats = [{"kind": "me"}, {"kind": "open", "invite": person}]
        for _ in range(20):
            last = await ann.post("/api/tables", {"game": EXAMPLE, "seats": seats}, 201)
        refusal = await ann.http.post("/api/tables", json={"game": EXAMPLE, "seats": seats})
        assert problem(refusal, 409, "too_many_asked")["args"] == {"max": 20}
        await bob.post(f"/api/tables/{last['id']}/leave")
        await ann.post("/api/tables", {"game": EXAMPLE, "seats": seats}, 201)


@on_both
async def test_blocks_follow_and_go_with_their_person(running: Server) -> None:
    async with visitor(running.base, "Ann") as ann, visitor(running.base) as bob:
        await played(ann, bob)
        await block(ann, "Bob")
        everything = await ann.get("/api/me/everything")
        assert [one["name"] for one in everything["blocked"]] == ["Bob"]
        assert (await bob.get("/api/me/everything"))["blocked"] == []
        ids = [(await one.get("/api/me"))["id"] for one in (ann, bob)]

        def look(connection: sa.Connection) -> set[tuple[str, str]]:
            return blocks.blocked_pairs(connection, ids)

        assert await running.in_database(look) == {(ids[0], ids[1])}
        assert [one.person for one in await running.in_database(partial(played_with, person=ids[0]))] == [ids[1]]
        assert (await bob.http.delete("/api/me")).status_code in (200, 204)
        assert await running.in_database(look) == set()
        assert (await ann.get("/api/people"))["blocked"] == []


@on_both
async def test_a_guests_blocks_become_those_of_the_person(running: Server) -> None:
    async with visitor(running.base, "Ann") as ann, visitor(running.base, "Bob") as bob, visitor(running.base) as cid:
        await played(ann, bob, cid)
        ids = [(await one.get("/api/me"))["id"] for one in (ann, bob, cid)]

        def job(connection: sa.Connection) -> set[tuple[str, str]]:
            blocks.add(connection, ids[0], ids[1], "Bob")
            blocks.add(connection, ids[2], ids[1], "Bob")
            blocks.add(connection, ids[1], ids[0], "Ann")
            blocks.add(connection, ids[0], ids[2], "Cid")
            blocks.become(connection, ids[0], ids[2])
            return blocks.blocked_pairs(connection, ids)

        # Both have blocked Bob; the guest who Cid was has blocked Cid.
        assert await running.in_database(job) == {(ids[2], ids[1]), (ids[1], ids[2])}


def test_a_person_blocks_so_many(tmp_path: Any) -> None:
    from ziggurat.server.store.models import schema

    engine = sa.create_engine("sqlite://")
    schema().create_all(engine)
    with engine.begin() as connection:
        for number in range(blocks.MOST_BLOCKS):
            blocks.add(connection, "ann", f"p{number}", "X")
        blocks.add(connection, "ann", "p1", "X")
        with pytest.raises(Problem, match="You have blocked 200"):
            blocks.add(connection, "ann", "one more", "X")


async def test_who_looks_for_a_table_finds_none_with_a_person_who_is_blocked(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        await played(ann, bob)
        await block(ann, "Bob")
        found = []
        for number, person in enumerate((ann, bob, ann, bob)):
            wish = {"id": f"blocked-{number}", "games": [EXAMPLE], "tempo": "days", "strength": "beginners"}
            found.append((await person.post("/api/open-tables/find", wish))["id"])
        assert not {*found[::2]} & {*found[1::2]}, "neither of them sits down with the other"


async def test_who_does_not_belong_to_a_table_sees_the_same_at_every_door(base: str) -> None:
    """A seat that is kept is taken, and nobody reads for whom; who is blocked is sent what others are at a full table,
    to the byte."""
    open_to_all = {"join": "anyone"}

    def plain(said: Any, table: Json) -> str:
        """As it was sent, without what names a table and its moments."""
        text = json.dumps(said)
        for name in ("id", "invite", "created", "updated"):
            text = text.replace(str(table[name]), name)
        return re.sub(r'"(created|updated|until|now|host_gone|seq|at)": [^,}]*', r'"\1"', text)

    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as eve, AsyncExitStack() as stack:
        await played(ann, bob)
        guest = (await known(ann))["Bob"]["id"]
        secret = {"kind": "open", "invite": guest}
        group = await ann.post("/api/groups", {"name": "Friday", "called": "Ann"}, 201)
        link = (await ann.get(f"/api/groups/{group['id']}"))["invite"]
        await eve.post(f"/api/groups/{group['id']}/join", {"invite": link, "name": "Eve"})

        async def doors(who: Player, table: Json, invite: str) -> dict[str, str]:
            at, found = f"/api/tables/{table['id']}", {}
            said = await who.http.get(at, headers={"x-invite": invite})
            found["table"] = plain(said.json(), table)
            live = await stack.enter_async_context(who.at(table["id"], invite=invite))
            await live.until(lambda: live.state)
            found["socket"] = plain({**live.state, "seq": 0}, table)
            listed = [one for one in await who.get("/api/open-tables") if one["id"] == table["id"]]
            found["list"] = plain(listed, table)
            url = f"{base.replace('http', 'ws', 1)}/api/open-tables/live"
            async with connect(url, additional_headers=who.cookie, max_size=2**24) as socket:
                told = json.loads(await socket.recv())["tables"]
            found["list's socket"] = plain([one for one in told if one["id"] == table["id"]], table)
            for name in ("Dorothy", "Anna (bot)", "Ann"):
                wish = {"invite": invite, "name": name, "seat": 9}
                answer = await who.http.post(f"{at}/join", json=wish)
                found[f"join as {name}"] = f"{answer.status_code} {plain(answer.json(), table)}"
            for what in ("accept", "start", "leave"):
                answer = await who.http.post(f"{at}/{what}")
                found[what] = f"{answer.status_code} {plain(answer.json(), table)}"
            code = await who.http.get(f"{at}/invitation", headers={"x-invite": invite})
            found["invitation"] = str(code.status_code)
            return found

        kept = {"game": EXAMPLE, "group": group["id"], "policy": open_to_all}
        full = await ann.post("/api/tables", {**kept, "seats": [{"kind": "me"}, secret]}, 201)
        member = plain(await ann.get(f"/api/tables/{full['id']}"), full)
        assert '"name": "Bob"' in member
        seen = await doors(eve, full, full["invite"])
        theirs = await eve.get(f"/api/groups/{group['id']}")
        assert "Bob" not in json.dumps({**seen, "group": theirs["tables"]})
        assert "409" in seen["join as Dorothy"]
        # The same with a free seat, to somebody whom Ann has blocked.
        await block(ann, "Bob")
        free = await ann.post("/api/tables", {**kept, "seats": [{"kind": "me"}, {"kind": "open"}]}, 201)
        assert await doors(bob, free, free["invite"]) == seen
        # And in the group.
        await bob.post(f"/api/groups/{group['id']}/join", {"invite": link, "name": "Bob"})
        mine = {one["id"]: one for one in (await bob.get(f"/api/groups/{group['id']}"))["tables"]}
        assert plain(mine[free["id"]], free) == plain(theirs["tables"][0], full)
        for table in (full, free):
            await ann.post(f"/api/tables/{table['id']}/leave")

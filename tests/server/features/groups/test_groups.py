"""Groups: their link, people, tables, results and evenings."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, SHORT
from tests.server.fixtures import MOSTLY_SQLITE, on_both
from tests.server.player import Json, Player, visitor
from tests.server.process import Server
from tests.server.test_http import problem

from ziggurat.server.features.groups import rows as groups
from ziggurat.server.features.groups.models import group_members
from ziggurat.server.features.groups.rules import MOST_EVENINGS, MOST_GROUPS, MOST_PEOPLE
from ziggurat.server.problems import Problem
from ziggurat.server.store.models import people, schema

DATABASES = MOSTLY_SQLITE
EVENING: Json = {
    "weekday": 4,
    "time": "19:30",
    "zone": "Europe/Budapest",
    "minutes": 180,
    "games": [EXAMPLE],
    "on": None,
}


async def founded(person: Player) -> Json:
    made = await person.post("/api/groups", {"name": "Friday", "called": "Ann"}, 201)
    group: Json = await person.get(f"/api/groups/{made['id']}")
    return group


async def joined(person: Player, group: Json, name: str) -> Json:
    body = {"invite": group["invite"], "name": name}
    answer: Json = await person.post(f"/api/groups/{group['id']}/join", body)
    return answer


def person_of(group: Json, name: str) -> Json:
    found: Json = next(one for one in group["people"] if one["name"] == name)
    return found


async def change(person: Player, group: Json, **what: Any) -> Any:
    return await person.http.put(f"/api/groups/{group['id']}", json=what)


async def test_people_join_by_the_link_and_nobody_else_learns_anything(base: str) -> None:
    async with visitor(base) as ann, visitor(base) as bob, visitor(base) as eve:
        group = await founded(ann)
        path = f"/api/groups/{group['id']}"
        assert [(one["name"], one["role"], one["you"]) for one in group["people"]] == [("Ann", "founder", True)]
        problem(await eve.http.get(path), 404, "unknown_group")
        problem(await eve.http.get("/api/groups/nosuchgroup"), 404, "unknown_group")
        seen = await bob.get(path, headers={"X-Invite": group["invite"]})
        assert (seen["name"], seen["count"], seen["by"], seen["role"], seen["people"], seen["invite"]) == (
            *("Friday", 1, "Ann", None),
            *([], None),
        )
        assert "ziggurat" not in bob.http.cookies, "who only looks is not made a guest"
        both = await joined(bob, group, "Bob")
        assert [one["name"] for one in both["people"]] == ["Ann", "Bob"]
        assert await joined(bob, group, "Bobby") == both, "joined already"
        assert (await bob.get("/api/people"))["groups"] == [{"id": group["id"], "name": "Friday", "role": "member"}]
        # The same person has another handle for each who asks.
        theirs = person_of(await ann.get(path), "Bob")["id"]
        assert theirs != person_of(both, "Bob")["id"]
        problem(await change(bob, group, name="Mine"), 403, "not_keeper")
        problem(await bob.http.post(f"{path}/people", json={"person": theirs, "role": None}), 403, "not_keeper")
        problem(await bob.http.delete(path), 403, "not_keeper")
        for refused in ({"name": "http://x"}, {"name": "a\u202eb"}, {"name": "x" * 31}):
            assert (await change(ann, group, **refused)).status_code == 400
        assert (await change(ann, group, name="Péntek")).json()["name"] == "Péntek"


async def test_the_name_that_is_said_for_a_group_is_that_of_who_has_none(base: str) -> None:
    """At every door that asks for one: the founder sits down at the table that they open at once."""
    async with visitor(base) as ann, visitor(base) as bob, visitor(base, "Robert") as rob:
        group = await founded(ann)
        assert (await ann.get("/api/me"))["name"] == "Ann"
        opened = await ann.table("me", "open", group=group["id"], call=True)
        assert [seat["name"] for seat in opened["seats"]] == ["Ann", ""]
        await joined(bob, group, "Bob")
        await joined(rob, group, "Rob")
        names = [(await one.get("/api/me"))["name"] for one in (bob, rob)]
        assert names == ["Bob", "Robert"], "who has one keeps it"


async def test_who_has_said_a_name_for_a_group_alone_sits_under_it_at_its_tables(running: Server) -> None:
    async with visitor(running.base) as ann:
        group = await founded(ann)
        # As it was stored when a name for a group was for the group alone.
        await running.in_database(lambda connection: connection.execute(sa.update(people).values(name="")))
        opened = await ann.table("me", "open", group=group["id"])
        assert [seat["name"] for seat in opened["seats"]] == ["Ann", ""]


async def test_nobody_is_in_a_group_under_the_name_of_another(base: str) -> None:
    async with visitor(base) as ann, visitor(base) as bob:
        group = await founded(ann)
        for name in ("Ann", "aNN", "\u0410nn", "\uff21nn"):
            wish = {"invite": group["invite"], "name": name}
            answer = await bob.http.post(f"/api/groups/{group['id']}/join", json=wish)
            assert problem(answer, 409, "name_taken")["args"] == {"name": "Ann"}
        assert [one["name"] for one in (await joined(bob, group, "Anna"))["people"]] == ["Ann", "Anna"]


async def test_a_link_that_was_withdrawn_says_so(base: str) -> None:
    async with visitor(base) as ann, visitor(base) as bob:
        group = await founded(ann)
        path = f"/api/groups/{group['id']}"
        new = (await change(ann, group, link="renew")).json()
        assert new["invite"] not in (None, group["invite"])
        wish = {"invite": group["invite"], "name": "Bob"}
        problem(await bob.http.post(f"{path}/join", json=wish), 403, "group_link")
        problem(await bob.http.get(path, headers={"X-Invite": group["invite"]}), 403, "group_link")
        assert (await change(ann, group, link="withdraw")).json()["invite"] is None
        wish["invite"] = new["invite"]
        problem(await bob.http.post(f"{path}/join", json=wish), 403, "group_link")
        assert "ziggurat" not in bob.http.cookies


async def test_keepers_take_people_out_and_the_next_founds_after_the_founder(base: str) -> None:
    async with visitor(base) as ann, visitor(base) as bob, visitor(base) as cid:
        group = await founded(ann)
        path = f"/api/groups/{group['id']}"
        await joined(bob, group, "Bob")
        await joined(cid, group, "Cid")
        seen = await ann.get(path)
        kept = await ann.post(f"{path}/people", {"person": person_of(seen, "Cid")["id"], "role": "keeper"})
        assert [(one["name"], one["role"]) for one in kept["people"]] == [
            ("Ann", "founder"),
            ("Cid", "keeper"),
            ("Bob", "member"),
        ]
        seen = await cid.get(path)
        for name, role in (("Ann", None), ("Bob", "keeper")):
            wish = {"person": person_of(seen, name)["id"], "role": role}
            problem(await cid.http.post(f"{path}/people", json=wish), 403, "not_keeper")
        left = await cid.post(f"{path}/people", {"person": person_of(seen, "Bob")["id"], "role": None})
        assert [one["name"] for one in left["people"]] == ["Ann", "Cid"]
        # Who was taken out does not come back by the link that they know.
        assert left["invite"] not in (None, group["invite"])
        wish = {"invite": group["invite"], "name": "Bob"}
        problem(await bob.http.post(f"{path}/join", json=wish), 403, "group_link")
        problem(await bob.http.get(path), 404, "unknown_group")
        assert (await ann.http.post(f"{path}/leave")).status_code == 204
        assert [(one["name"], one["role"]) for one in (await cid.get(path))["people"]] == [("Cid", "founder")]
        assert (await cid.http.delete(path)).status_code == 204
        problem(await cid.http.get(path), 404, "unknown_group")


async def test_who_belongs_to_the_group_sits_down_at_its_tables(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Eve") as eve:
        group = await founded(ann)
        path = f"/api/groups/{group['id']}"
        await joined(bob, group, "Bob")
        wish = {"game": SHORT, "seats": [{"kind": "me"}, {"kind": "open"}], "group": group["id"], "call": True}
        problem(await eve.http.post("/api/tables", json=wish), 404, "unknown_group")
        made = await ann.post("/api/tables", wish, 201)
        listed = (await bob.get(path))["tables"]
        assert [(one["id"], one["you"], one["invite"]) for one in listed] == [(made["id"], None, made["invite"])]
        await bob.join(listed[0], "Bob")
        await ann.post(f"/api/tables/{made['id']}/start")
        assert [one["status"] for one in (await bob.get(path))["tables"]] == ["playing"]
        async with ann.at(made["id"]) as a, bob.at(made["id"]) as b:
            await asyncio.gather(a.play(), b.play())
            await a.until_over()
            winners = a.state["table"]["winners"]
        again = await bob.post(f"/api/tables/{made['id']}/rematch")
        seen = await ann.get(path)
        assert [(one["id"], one["status"]) for one in seen["tables"]] == [
            (again["id"], "waiting"),
            (made["id"], "finished"),
        ]
        for seat, name in enumerate(("Ann", "Bob")):
            one = person_of(seen, name)
            assert one["games"] == {SHORT: 1}
            assert one["wins"] == ({SHORT: 1} if seat in winners else {})
        # Her games stay when the group ends.
        assert (await ann.http.delete(path)).status_code == 204
        assert len(await ann.get("/api/tables")) == 2
        # The next game of a table that was the group's is nobody's in particular.
        await ann.post(f"/api/tables/{again['id']}/accept")
        async with ann.at(again["id"]) as a, bob.at(again["id"]) as b:
            await a.reply(type="ask_end")
            await b.reply(type="vote", agree=True)
        assert (await ann.post(f"/api/tables/{again['id']}/rematch"))["status"] == "waiting"


async def test_an_evening_has_a_calendar(base: str) -> None:
    async with visitor(base) as ann, visitor(base) as bob:
        group = await founded(ann)
        for wrong in ({"zone": "Nowhere"}, {"time": "soon"}, {"weekday": None}, {"on": "2026-12-24"}, {"on": "soon"}):
            problem(await change(ann, group, evenings=[{**EVENING, **wrong}]), 400, "bad_request")
        problem(await change(ann, group, evenings=[EVENING] * (MOST_EVENINGS + 1)), 400, "bad_request")
        told = (await change(ann, group, evenings=[EVENING])).json()["evening"]
        assert told["evening"] == EVENING
        answer = await bob.http.get(told["calendar"])
        assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
        assert "RRULE:FREQ=WEEKLY;BYDAY=FR\r\n" in answer.text
        assert f"/#/group/{group['id']}\r\n" in answer.text.replace("\r\n ", "")
        problem(await bob.http.get(told["calendar"].replace("key=", "key=x")), 404, "unknown_group")
        problem(await bob.http.get(told["calendar"].partition("?")[0] + "?key=é"), 404, "unknown_group")
        other = told["calendar"].replace("language=en", "language=../en")
        assert (await bob.http.get(other)).status_code == 200
        # Who was sent away knows its address.
        await change(ann, group, link="renew")
        problem(await bob.http.get(told["calendar"]), 404, "unknown_group")
        assert (await change(ann, group, evenings=[])).json()["evening"] is None
        assert (await change(ann, group, name="Other")).json()["evening"] is None


async def test_all_of_a_group_see_who_comes_to_its_next_evening(base: str) -> None:
    async with visitor(base) as ann, visitor(base) as bob, visitor(base) as eve:
        group = await founded(ann)
        path = f"/api/groups/{group['id']}"
        await joined(bob, group, "Bob")
        wish: Json = {"evening": "2026-11-27T18:30:00Z", "comes": True}
        problem(await ann.http.put(f"{path}/evening", json=wish), 409, "other_evening")
        wish["evening"] = (await change(ann, group, evenings=[EVENING])).json()["evening"]["next"]
        problem(await eve.http.put(f"{path}/evening", json=wish), 404, "unknown_group")

        async def says(person: Player, comes: bool | None) -> dict[str, bool | None]:
            answer = await person.http.put(f"{path}/evening", json={**wish, "comes": comes})
            assert answer.status_code == 200, answer.text
            return {one["name"]: one["comes"] for one in answer.json()["people"]}

        assert await says(ann, True) == {"Ann": True, "Bob": None}
        assert await says(bob, False) == {"Ann": True, "Bob": False}
        assert await says(bob, True) == await says(bob, True), "said twice is said once"
        assert [one["comes"] for one in (await ann.get(path))["people"]] == [True, True]
        assert await says(bob, None) == {"Ann": True, "Bob": None}
        assert [one["comes"] for one in (await ann.get("/api/me/everything"))["groups"]] == [True]
        # Who has only the link is told nobody's name.
        assert (await eve.get(path, headers={"X-Invite": group["invite"]}))["people"] == []
        # What was said of one evening is not said of another.
        moved = (await change(ann, group, evenings=[{**EVENING, "weekday": 5}])).json()
        assert [one["comes"] for one in moved["people"]] == [None, None]
        problem(await bob.http.put(f"{path}/evening", json=wish), 409, "other_evening")
        for bad in ({"evening": wish["evening"]}, {**wish, "comes": 1}, {**wish, "more": 1}, {**wish, "evening": 5}):
            problem(await ann.http.put(f"{path}/evening", json=bad), 400, "bad_request")


def test_what_was_said_of_an_evening_goes_with_a_person(connection: sa.Connection) -> None:
    """A guest who turns out to be another person of the group has said it for both; the later evening counts."""
    id = groups.found(connection, "Friday", "p0", "Ann")
    for guest, (hers, his) in enumerate(((1.0, 2.0), (2.0, 1.0), (None, 2.0), (2.0, None)), start=1):
        groups.join(connection, id, f"p{guest}", f"X{guest}")
        groups.answer(connection, id, "p0", hers or 0.0, None if hers is None else False)
        groups.answer(connection, id, f"p{guest}", his or 0.0, None if his is None else True)
        groups.become(connection, f"p{guest}", "p0")
        [ann] = groups.members(connection, id)
        assert (ann.comes_to(2.0), ann.comes_to(1.0)) == ((his or 0) > (hers or 0), None), guest


@on_both
async def test_groups_follow_and_go_with_their_people(running: Server) -> None:
    async with visitor(running.base) as ann, visitor(running.base) as bob:
        group = await founded(ann)
        await joined(bob, group, "Bob")
        stored = (await bob.get("/api/me/everything"))["groups"]
        assert [(one["group"], one["name"], one["role"]) for one in stored] == [("Friday", "Bob", "member")]
        ids = [(await one.get("/api/me"))["id"] for one in (ann, bob)]

        def as_one(connection: sa.Connection) -> list[tuple[str, str]]:
            groups.become(connection, ids[0], ids[1])
            return [(one.person, one.role) for one in groups.members(connection, group["id"])]

        assert await running.in_database(as_one) == [(ids[1], "founder")]
        assert (await bob.http.delete("/api/me")).status_code in (200, 204)

        def left(connection: sa.Connection) -> int:
            query = sa.select(sa.func.count()).select_from(group_members)
            return int(connection.execute(query.where(group_members.c.group_id == group["id"])).scalar_one())

        assert await running.in_database(left) == 0


@pytest.fixture
def connection() -> Any:
    engine = sa.create_engine("sqlite://")
    schema().create_all(engine)
    with engine.begin() as connection:
        for number in range(MOST_PEOPLE + 1):
            row = {"id": f"p{number}", "token_hash": f"{number}", "name": "", "language": "en", "created": 0.0}
            connection.execute(sa.insert(people).values(row))
        yield connection


def test_a_group_and_a_person_have_so_many(connection: sa.Connection) -> None:
    id = groups.found(connection, "Friday", "p0", "Ann")
    for number in range(1, MOST_PEOPLE):
        groups.join(connection, id, f"p{number}", f"X{number}")
    with pytest.raises(Problem, match="at most 200"):
        groups.join(connection, id, f"p{MOST_PEOPLE}", "X")
    for _ in range(1, MOST_GROUPS):
        groups.found(connection, "Other", "p0", "Ann")
    with pytest.raises(Problem, match="You belong to 20"):
        groups.found(connection, "Other", "p0", "Ann")


def test_people_are_told_once_of_an_evening(connection: sa.Connection) -> None:
    id = groups.found(connection, "Friday", "p0", "Ann")
    assert groups.may_call(connection, id)
    assert not groups.may_call(connection, id)


def test_what_was_not_played_to_its_end_is_no_result(connection: sa.Connection) -> None:
    assert groups.results(connection, groups.found(connection, "Friday", "p0", "Ann")) == {}


def test_an_evening_of_before_is_still_read(connection: sa.Connection) -> None:
    """Once a group had one evening, which stood there by itself."""
    id = groups.found(connection, "Friday", "p0", "Ann")
    old = '{"weekday":4,"time":"19:30","zone":"Europe/Budapest","minutes":180,"games":[]}'
    groups.change(connection, id, evening=old)
    group = groups.load(connection, id)
    assert group is not None
    assert [(one.weekday, one.on, one.time) for one in group.evenings] == [(4, None, "19:30")]
    groups.change(connection, id, evening=groups.encode_evenings(group.evenings))
    assert groups.load(connection, id) == group


async def test_the_first_page_of_its_people_shows_a_group_its_tables_and_who_comes(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base) as eve:
        group = await founded(ann)
        await joined(bob, group, "Bobby")
        assert await eve.get("/api/home") == {"tables": [], "waits": {}, "groups": []}
        soon = (datetime.now(UTC) + timedelta(1)).date().isoformat()
        single = {**EVENING, "weekday": None, "on": soon, "games": []}
        told = (await change(ann, group, evenings=[EVENING, single])).json()
        assert [one["on"] for one in told["evenings"]] in ([None, soon], [soon, None]), "the next one first"
        comes = {"evening": told["evening"]["next"], "comes": True}
        assert (await ann.http.put(f"/api/groups/{group['id']}/evening", json=comes)).status_code == 200
        wish = {"game": SHORT, "seats": [{"kind": "me"}, {"kind": "open"}], "group": group["id"]}
        made = await ann.post("/api/tables", wish, 201)
        home = await bob.get("/api/home")
        (mine,) = home["groups"]
        assert (home["tables"], mine["name"], mine["called"], mine["count"]) == ([], "Friday", "Bobby", 2)
        assert mine["evening"] == {
            "evening": told["evening"]["evening"],
            "next": told["evening"]["next"],
            "coming": ["Ann"],
            "comes": None,
        }
        assert [(one["id"], one["invite"], one["group"]) for one in mine["tables"]] == [
            (made["id"], made["invite"], group["id"])
        ]
        # One press sits down, under one's name there; then the waiting room knows the group, and strangers do not.
        await bob.join(mine["tables"][0], mine["called"])
        assert (await bob.get(f"/api/tables/{made['id']}"))["group"] == group["id"]
        link = {"X-Invite": made["invite"]}
        assert (await eve.get(f"/api/tables/{made['id']}", headers=link))["group"] is None
        assert [one["id"] for one in (await bob.get("/api/home"))["tables"]] == [made["id"]]
        calendar = (await bob.http.get(told["evening"]["calendar"])).text.replace("\r\n ", "")
        assert calendar.count("DESCRIPTION:Ann invites you.") == 2
        assert calendar.count(": 1 person comes.") == 1
        hungarian = told["evening"]["calendar"].replace("language=en", "language=hu")
        assert "DESCRIPTION:Ann hív" in (await bob.http.get(hungarian)).text
        assert (await ann.http.delete(f"/api/groups/{group['id']}")).status_code == 204
        assert (await bob.get("/api/home"))["groups"] == []

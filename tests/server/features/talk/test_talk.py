"""What people say at tables: who hears it, in which order, how often, for how long, and what becomes of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests import runs
from tests.example import EXAMPLE, SEATS
from tests.server.fixtures import MOSTLY_SQLITE, NewDatabase
from tests.server.player import Json, Live, Player, visitor
from tests.server.process import Server, server

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.lines import LINE_CHARACTERS
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.features.talk import rows as talk
from ziggurat.server.features.talk.models import said
from ziggurat.server.features.talk.rules import LINE_RATES, LINES_PER_PAGE, PHRASES, Audience, Line
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.housekeeping import Housekeeping
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, people
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.models import report_lines, reports

pytestmark = pytest.mark.slow

on_either, own_on_either = (
    pytest.mark.parametrize(name, MOSTLY_SQLITE, indirect=True) for name in ("running", "own_url")
)
ANN = Person("ann", "Ann", "en")
BOTS = ["random"] * (SEATS - 2)


async def say(live: Live, text: str = "", **more: Any) -> Json:
    return await live.reply(type="say", text=text, **more)


def heard(live: Live) -> list[Json]:
    return [message["line"] for message in live.messages if message["type"] == "said"]


def texts(live: Live) -> list[str]:
    return [line.get("text") or line["phrase"] for line in heard(live)]


async def until_heard(count: int, *lives: Live) -> None:
    """Wait until each has heard so many lines."""
    for live in lives:
        await live.until(partial(_has_heard, live, count))


def _has_heard(live: Live, count: int) -> bool:
    return len(heard(live)) >= count


async def last(live: Live, **more: Any) -> list[Json]:
    lines: list[Json] = (await live.reply(type="talk", **more))["lines"]
    return lines


async def table_of_two(ann: Player, bob: Player, **more: Any) -> Json:
    """A table at which Ann and Bob sit, which has begun."""
    table = await ann.table("me", "open", *BOTS, **more)
    async with ann.at(table["id"]) as host:
        await bob.join(table, "Bob")
        await host.until(lambda: host.state["table"]["seats"][1]["name"] == "Bob")  # perhaps at another worker
    await ann.post(f"/api/tables/{table['id']}/start")
    return table


async def end(ann: Live, bob: Live) -> None:
    """Both agree to end the game."""
    await ann.reply(type="ask_end")
    await bob.until(lambda: bob.state["table"]["vote"])
    await bob.reply(type="vote", agree=True)
    await ann.until(lambda: ann.state["table"]["status"] == "ended")
    await bob.until(lambda: bob.state["table"]["status"] == "ended")


def refused(answer: Json) -> str:
    assert answer["type"] == "error", answer
    return str(answer["code"])


async def test_all_hear_what_is_said_in_order_and_once(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open", *BOTS)
        async with ann.at(table["id"]) as a, bob.at(table["id"], invite=table["invite"]) as guest:
            # In the waiting room, too; a person without a name says it first.
            assert (await say(a, "  Come\tin,\nplease  "))["type"] == "ack"
            assert refused(await say(guest, "Who are you?")) == "name_first"
            await guest.until(lambda: heard(guest))
            assert texts(guest) == ["Come in, please"]
            assert (line := heard(guest)[0])["name"] == "Ann"
            assert (line["seat"], line.get("mine"), line.get("bench")) == (0, None, None)
        await bob.join(table, "Bob")
        async with AsyncExitStack() as stack:
            pages = [await stack.enter_async_context(one.at(table["id"])) for one in (ann, ann, bob)]
            for n in range(4):
                await asyncio.gather(*(say(live, f"{n} {who}") for who, live in enumerate(pages[1:])))
            await until_heard(8, *pages)
            assert len({str(texts(live)) for live in pages}) == 1, "all hear the same order"
            assert [line["at"] for line in heard(pages[0])] == sorted({line["at"] for line in heard(pages[0])})
            assert [line.get("mine", False) for line in heard(pages[2])] == [
                text[-1] == "1" for text in texts(pages[2])
            ]
            # Whoever comes later reads it, a page at a time.
            lines = await last(pages[2])
            assert [line["text"] for line in lines] == ["Come in, please", *texts(pages[2])]
            newest = await last(pages[2], most=2)
            assert newest == lines[-2:]
            assert await last(pages[2], most=3, before=newest[0]["at"]) == lines[-5:-2]


async def test_a_repeated_message_is_said_once(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await table_of_two(ann, bob)
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            for _ in range(3):
                assert (await say(a, "Hello", id="same"))["type"] == "ack"
            await say(b, "Hello, too", id="same")
            await b.until(lambda: len(heard(b)) == 2)
            assert texts(b) == ["Hello", "Hello, too"]
            assert len(await last(a)) == 2


async def test_onlookers_are_heard_by_players_after_the_end_alone(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await table_of_two(ann, bob)
        async with visitor(base, "Eve") as eve, visitor(base, "Dan") as dan, AsyncExitStack() as stack:
            a, b = [await stack.enter_async_context(one.at(table["id"])) for one in (ann, bob)]
            e, d = [await stack.enter_async_context(one.at(table["id"], invite=table["invite"])) for one in (eve, dan)]
            await say(e, "Ann has a bad hand")
            await say(a, "Your turn")
            await say(d, phrase="nice_move")
            await say(b, "I know")
            await until_heard(4, e, d)
            assert texts(e) == texts(d) == ["Ann has a bad hand", "Your turn", "nice_move", "I know"]
            assert [line.get("bench", False) for line in heard(e)] == [True, False, True, False]
            assert heard(e)[0]["name"] == "Eve"
            assert "seat" not in heard(e)[0]
            await until_heard(2, a, b)
            for live in (a, b):
                assert texts(live) == ["Your turn", "I know"]
                assert [line["text"] for line in await last(live)] == ["Your turn", "I know"]
                assert "Eve" not in str(live.messages)
            # No line can be reported by those who may not hear it: that would tell that there is one.
            path, line = f"/api/tables/{table['id']}/reports", {"line": heard(e)[0]["at"]}
            assert (await ann.http.post(path, json=line)).json()["code"] == "unknown_line"
            await end(a, b)
            assert [line.get("text") or line["phrase"] for line in await last(a)] == texts(e)
            await say(e, "Well played")
            await a.until(lambda: len(heard(a)) == 3)
            assert not heard(a)[-1].get("bench")
            assert (await ann.http.post(path, json=line)).status_code == 204


async def test_who_looks_on_does_not_speak_under_the_name_of_who_sits_there(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "\u0410nn") as eve:
        table = await ann.table("me", "open")
        async with ann.at(table["id"]) as a, eve.at(table["id"], invite=table["invite"]) as e:
            answer = await e.reply(type="say", text="I give my seat to Eve")
            assert (answer.get("code"), answer.get("args")) == ("name_taken", {"name": "Ann"})
            assert (await eve.http.put("/api/me", json={"name": "Eve"})).status_code == 200
            await say(e, "Hello")
            await a.until(lambda: heard(a))
            assert [line["name"] for line in heard(a)] == ["Eve"]


async def test_who_is_blocked_is_not_heard_and_does_not_learn_of_it(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await table_of_two(ann, bob)
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await say(b, "before")
            await until_heard(1, a, b)
            (known,) = (await ann.get("/api/people"))["played"]
            assert (await ann.http.post("/api/blocks", json={"person": known["id"]})).status_code == 204
            assert (await say(b, "after"))["type"] == "ack"
            await say(a, "from Ann")
            await until_heard(3, b)
            await until_heard(2, a)
            assert texts(b) == ["before", "after", "from Ann"]
            assert texts(a) == ["before", "from Ann"]
            assert [line["text"] for line in await last(a)] == ["from Ann"]
            assert [line["text"] for line in await last(b)] == ["before", "after", "from Ann"]


async def test_who_plays_on_the_device_of_another_talks_under_their_own_name(running: Server) -> None:
    async with visitor(running.base, "Ann") as ann, visitor(running.base, "Eve") as eve, AsyncExitStack() as stack:
        seats = [{"kind": "me"}, {"kind": "companion", "name": "Zoe"}]
        seats += [{"kind": "bot", "bot": "random"}] * (SEATS - 2)
        table = await ann.post("/api/tables", {"game": EXAMPLE, "seats": seats}, 201)
        zoe = await stack.enter_async_context(ann.at(table["id"], seat=1))
        e = await stack.enter_async_context(eve.at(table["id"], invite=table["invite"]))
        await say(e, "Among us")
        await say(zoe, "Hello")
        await until_heard(2, e)
        await until_heard(1, zoe)
        assert [(line["name"], line["seat"], line["mine"]) for line in heard(zoe)] == [("Zoe", 1, True)]
        # It is Ann's: told her, and gone with her.
        told = (await ann.get("/api/me/everything"))["talk"]["said"]
        assert [(one["name"], one["text"]) for one in told] == [("Zoe", "Hello")]
        assert (await ann.http.delete("/api/me")).status_code == 204
        assert await count(running, said, said.c.table_id == table["id"]) == 1


async def test_two_readers_are_told_different_names_of_one_speaker(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Cid") as cid:
        tables = [await table_of_two(ann, bob) for _ in range(2)]
        told: list[list[str]] = []
        for table in tables:
            id, invite = table["id"], table["invite"]
            async with AsyncExitStack() as stack:
                unknown = await stack.enter_async_context(visitor(base))
                people = (ann, cid, unknown, bob)
                pages = [await stack.enter_async_context(one.at(id, invite=invite)) for one in people]
                await say(pages[-1], "Hello")
                await until_heard(1, *pages)
                told.append([heard(live)[0]["who"] for live in pages[:3]])
        (to_ann, to_cid, to_unknown), again = told
        assert len({to_ann, to_cid, to_unknown}) == 3
        assert again[:2] == [to_ann, to_cid], "at another table each knows them again"
        assert again[2] != to_unknown


async def test_a_table_says_what_can_be_said(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base, "Bob") as bob:
        for talking, code, said in (("phrases", "phrases_only", [PHRASES[0]]), ("off", "talk_off", [])):
            table = await table_of_two(ann, bob, policy={"talk": talking})
            async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
                assert refused(await say(a, "Hello")) == code
                assert (await say(a, phrase=PHRASES[0])).get("code") == (None if said else code)
                assert [line.get("phrase") for line in await last(b)] == said


async def test_what_cannot_be_said_changes_nothing(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base, "Bob") as bob:
        table = await table_of_two(ann, bob)
        async with ann.at(table["id"]) as a:
            await a.send(type="say", id="x", phrase="nonsense")
            await a.until_errors(1)
            assert refused(a.messages[-1]) == "bad_message"
            assert refused(await say(a, "Hello", phrase="hello")) == "bad_line"
            assert refused(await say(a)) == "bad_line"
            assert refused(await say(a, "x" * (LINE_CHARACTERS + 1))) == "long_line"
            assert refused(await say(a, "x" * 10_000)) == "long_line"
            for sign in "\u202e\u2066\u200f\x00\x1b":
                assert refused(await say(a, f"Hello{sign} you")) == "bad_line"
            markup = "<b onclick='x'>**Hello**</b> [x](https://evil.example) &amp;"
            await say(a, markup)
            await a.until(lambda: heard(a))
            assert texts(a) == [markup] == [line["text"] for line in await last(a)], "a text is a text"


async def test_a_person_does_not_speak_very_often(sqlite_base: str) -> None:
    (most, seconds), _ = LINE_RATES
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base, "Bob") as bob:
        table = await table_of_two(ann, bob)
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            answers = await asyncio.gather(*(say(a, f"Line {n}") for n in range(most + 20)))
            assert sum(answer["type"] == "ack" for answer in answers) == most
            answer = await say(a, "Another")
            assert refused(answer) == "talk_fast"
            assert 1 <= answer["args"]["seconds"] <= seconds
            assert (await say(b, "But I do"))["type"] == "ack", "others do not wait for it"
            other = await table_of_two(ann, bob)
            async with ann.at(other["id"]) as elsewhere:
                assert (await say(elsewhere, "Hello"))["type"] == "ack"


async def test_an_address_does_not_speak_very_often(tmp_path: Path) -> None:
    """At this host's, forty lines in an hour."""
    with server(tmp_path / "data", ZIGGURAT_QUOTA="0.02") as running:
        async with visitor(running.base, "Ann") as ann:
            table = await ann.table("me", *["random"] * (SEATS - 1))
        codes: list[str | None] = []
        for name in "ABCDEF":
            async with visitor(running.base, name) as one, one.at(table["id"], invite=table["invite"]) as live:
                codes += [(await say(live, str(n))).get("code") for n in range(8 if name != "F" else 1)]
        assert codes == [None] * 40 + ["talk_fast"]


@runs.whole
async def test_two_workers_tell_each_other_what_is_said(new_database: NewDatabase, tmp_path: Path) -> None:
    url = new_database()
    with server(tmp_path / "one", url) as one, server(tmp_path / "two", url) as two:
        async with (
            visitor(one.base, "Ann") as ann,
            visitor(two.base, "Bob") as bob,
            visitor(two.base, "Eve") as eve,
            AsyncExitStack() as stack,
        ):
            table = await table_of_two(ann, bob)
            a, b = [await stack.enter_async_context(one.at(table["id"])) for one in (ann, bob)]
            e = await stack.enter_async_context(eve.at(table["id"], invite=table["invite"]))
            most, _ = LINE_RATES[0]
            for n in range(most):
                said = (say(live, f"{n} {name}") for live, name in ((a, "Ann"), (b, "Bob"), (e, "Eve")))
                assert {answer["type"] for answer in await asyncio.gather(*said)} == {"ack"}
            await e.until(lambda: len(heard(e)) == 3 * most)
            everybody = [line for line in heard(e) if line["name"] != "Eve"]
            await until_heard(2 * most, a, b)
            for live in (a, b):
                assert texts(live) == [line["text"] for line in everybody]
            # What a person may say counts at all workers together.
            again = await stack.enter_async_context(visitor(two.base))
            again.http.cookies.update(ann.http.cookies)
            elsewhere = await stack.enter_async_context(again.at(table["id"]))
            assert refused(await say(elsewhere, "And more")) == "talk_fast"


async def test_what_was_said_while_a_worker_heard_nothing_comes_afterwards(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        running = stack.enter_context(server(tmp_path / "data", new_database()))
        ann = await stack.enter_async_context(visitor(running.base, "Ann"))
        tables = [await ann.table("me", "open", *BOTS) for _ in range(2)]
        silent, used = [await stack.enter_async_context(ann.at(table["id"])) for table in tables]
        await say(used, "Before")
        await until_heard(1, used)
        person = (await ann.get("/api/me"))["id"]

        def deafen(connection: sa.Connection) -> None:
            """What another worker would write just after this one was cut off."""
            listening = "datname = current_database() AND query LIKE 'LISTEN%'"
            found = sa.text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {listening}")
            assert connection.execute(found).scalars().all() == [True]
            for table in tables:
                line = Line(round(time.time() * 1000), person, 0, "Ann", "table", "", "Meanwhile")
                talk.add(connection, table["id"], line, "x")

        await running.in_database(deafen)
        await until_heard(1, silent)
        await until_heard(2, used)
        await say(used, "After")
        await until_heard(3, used)
        assert texts(silent) == ["Meanwhile"]
        assert texts(used) == ["Before", "Meanwhile", "After"]


async def count(running: Server, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
    query = sa.select(sa.func.count()).select_from(table).where(*where)
    return await running.in_database(lambda c: int(c.execute(query).scalar_one()))


@on_either
async def test_a_reported_line_is_kept_once_with_those_around_it(running: Server) -> None:
    base = running.base
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Cid") as cid:
        table = await table_of_two(ann, bob)
        path = f"/api/tables/{table['id']}/reports"
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            for n in range(3):
                await say(a, f"before {n}")
            await say(b, "You are stupid")
            await say(a, "after")
            await a.until(lambda: len(heard(a)) == 5)
            line = heard(a)[3]["at"]
        for _ in range(2):
            assert (await ann.http.post(path, json={"line": line})).status_code == 204
        assert (await ann.http.post(path, json={"line": line + 1})).json()["code"] == "unknown_line"
        assert (await cid.http.post(path, json={"line": line})).status_code == 404, "it is none of theirs"
        invited = await cid.http.post(path, json={"line": line}, headers={"X-Invite": table["invite"]})
        assert invited.status_code == 204

        def kept(connection: sa.Connection) -> list[tuple[Any, ...]]:
            query = sa.select(reports.c.status, report_lines.c.name, report_lines.c.text)
            query = query.join(report_lines).where(reports.c.table_id == table["id"])
            return [tuple(row) for row in connection.execute(query.order_by(reports.c.created, report_lines.c.at))]

        told = [("Ann", f"before {n}") for n in range(3)] + [("Bob", "You are stupid"), ("Ann", "after")]
        assert await running.in_database(kept) == [("new", *one) for one in 2 * told]
        assert [one["line"] for one in (await ann.get("/api/me/everything"))["talk"]["reports"]] == [line / 1000]
        # Who reported goes: the report stays. Who said it goes: nothing of it stays.
        assert (await ann.http.delete("/api/me")).status_code == 204
        assert await count(running, reports, reports.c.table_id == table["id"]) == 2
        assert [one[1] for one in await running.in_database(kept)] == ["Bob", "Bob"]
        assert (await bob.http.delete("/api/me")).status_code == 204
        assert await count(running, reports, reports.c.table_id == table["id"]) == 0
        assert await count(running, said, said.c.table_id == table["id"]) == 0


@on_either
async def test_what_i_said_is_told_me_and_goes_with_me(running: Server) -> None:
    base = running.base
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Eve") as eve:
        table = await table_of_two(ann, bob)
        async with bob.at(table["id"]) as b, eve.at(table["id"], invite=table["invite"]) as e:
            await say(b, "Mine")
            await say(e, phrase="wow")
        (told,) = (await eve.get("/api/me/everything"))["talk"]["said"]
        assert told == {
            "table": table["id"],
            "at": told["at"],
            "name": "Eve",
            "audience": "bench",
            "phrase": "wow",
            "text": "",
        }
        assert abs(told["at"] - time.time()) < 60
        assert (await eve.http.delete("/api/me")).status_code == 204
        assert await count(running, said, said.c.table_id == table["id"]) == 1


@on_either
async def test_what_a_guest_said_becomes_theirs_who_sign_in(running: Server) -> None:
    base = running.base
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Ann 2") as guest:
        code = (await ann.post("/api/me/codes"))["codes"][0]
        table = await table_of_two(ann, bob)
        id, invite = table["id"], table["invite"]
        async with bob.at(id) as b, guest.at(id, invite=invite) as g, ann.at(id) as a:
            await say(a, "As myself", id="the-same")
            await say(g, "As a guest", id="the-same")
            await say(b, "Bad")
            await a.until(lambda: len(heard(a)) == 2)
            line = {"line": heard(a)[-1]["at"]}
        for one in (ann, guest):
            path = f"/api/tables/{id}/reports"
            answer = await one.http.post(path, json=line, headers={"X-Invite": invite})
            assert answer.status_code == 204
        await guest.post("/api/sign-in", {"secret": code})
        told = (await guest.get("/api/me/everything"))["talk"]
        assert [one["text"] for one in told["said"]] == ["As myself", "As a guest"]
        assert len(told["reports"]) == 1


@asynccontextmanager
async def a_table(settings: Settings) -> AsyncIterator[tuple[Database, str]]:
    """A database with a table of Ann's."""
    table = create(NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)]), ANN)
    database = open_database(settings)
    await database.open()
    try:
        await database.write(partial(people.insert, person=ANN, token="ann"))
        await database.write(partial(log.insert, table=table))
        yield database, table.id
    finally:
        await database.close()


@own_on_either
async def test_it_is_kept_for_so_many_days(own_url: str | None, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, database_url=own_url, prepare=False)
    async with a_table(settings) as (database, table):
        for text, age in (("Old", 3), ("New", 0)):
            line = Line(round(1000 * (time.time() - age * 86_400)), ANN.id, 0, "Ann", "table", "", text)
            await database.write(partial(talk.add, table=table, line=line, client_id=text))
        for days, left in ((0.0, ["Old", "New"]), (2.0, ["New"])):
            service = TableService(replace(settings, talk_days=days), database, Bus(settings), CompiledRules(settings))
            await Housekeeping(service.settings, service).clear_away()
            lines = await database.read(lambda c: talk.page(c, table, None, True, None, LINES_PER_PAGE))
            assert [line.text for line in lines] == left


@own_on_either
async def test_of_very_many_lines_the_oldest_go(
    own_url: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "MOST_LINES_KEPT", 5)
    async with a_table(Settings(data=tmp_path, database_url=own_url)) as (database, table):

        def add(connection: sa.Connection) -> None:
            audiences: tuple[Audience, ...] = ("table", "bench")
            for n in range(12):
                for audience in audiences:
                    line = Line(1000, ANN.id, None, "Ann", audience, "", str(n))
                    talk.add(connection, table, line, f"{audience}-{n}")

        await database.write(add)
        lines = await database.read(lambda c: talk.page(c, table, None, True, None, LINES_PER_PAGE))
        assert [line.text for line in lines] == [str(n) for n in range(7, 12) for _ in range(2)]
        assert len({line.at for line in lines}) == 10
        heard_at_the_table = await database.read(lambda c: talk.page(c, table, None, False, None, LINES_PER_PAGE))
        assert [line.text for line in heard_at_the_table] == [str(n) for n in range(7, 12)]


def test_the_usual_table_lets_people_talk() -> None:
    assert TablePolicy().talk == "free"

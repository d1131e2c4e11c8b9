"""Hosts of the service: who is one, what they see and do, and what everybody else is told of it: nothing."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from tests import runs
from tests.example import SEATS, SHORT
from tests.server.features.talk.test_talk import heard, say, until_heard
from tests.server.fixtures import MOSTLY_SQLITE, NewDatabase, on_both
from tests.server.player import Json, Live, Player, visitor
from tests.server.process import Server, begun, server
from tests.server.test_http import problem

from ziggurat.cli.features.moderation.admin import DEEDS, PHRASES, command
from ziggurat.server.app import ENDPOINTS
from ziggurat.server.domain.people import Person
from ziggurat.server.feature import ServerFeature, features
from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.moderation.rules import Ready
from ziggurat.server.features.moderation.service import Do, Moderation
from ziggurat.server.features.moderation.views import tables_named, without_tables
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import models, people
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.verdict import CopyVerdict, write_verdict

pytestmark = pytest.mark.slow

DATABASES = MOSTLY_SQLITE
BOTS = ["random"] * (SEATS - 2)
REPORTS = "/api/host/reports"


async def token(running: Server, *, first: bool = False) -> str:
    """Make a token, as `ziggurat admin token` does."""
    made = secrets.token_urlsafe(18)
    await running.in_database(partial(hosting.offer, token=made, first=first))
    return made


@asynccontextmanager
async def host(running: Server, name: str = "Hanna") -> AsyncIterator[Player]:
    """A host."""
    async with visitor(running.base, name) as player:
        await player.post_nothing("/api/me/host", {"token": await token(running)})
        yield player


async def me(player: Player) -> str:
    return str((await player.get("/api/me"))["id"])


async def about(player: Player, person: str, do: str, **more: Any) -> None:
    await player.post_nothing(f"/api/host/people/{person}", {"do": do, **more})


async def until(player: Player, path: str, found: Any) -> Any:
    """Ask again until what is found is so: the server has to hear of it."""
    async with asyncio.timeout(30):
        while not found(answer := await player.get(path)):
            await asyncio.sleep(0.05)
        return answer


async def house(player: Player) -> Json:
    told: Json = await player.get("/api/house")
    return told


async def test_nothing_that_is_sent_is_an_outage_of_the_database(running: Server) -> None:
    """Who asks for what no database can hold is told so; the host is not woken."""
    logged = running.settings.data / "errors.txt"
    async with host(running) as hanna, visitor(running.base, "Eve") as eve:
        before = logged.read_text()
        for text in ("\0", "a\0b"):
            answer = await eve.http.post("/api/names/reports", json={"person": text})
            assert answer.status_code in (400, 404), answer.text
            answer = await eve.http.post("/api/sign-in", json={"secret": text})
            assert answer.status_code in (400, 403), answer.text
        for number in (-1, 2**53 + 1, 2**63, 10**30):
            problem(await hanna.http.get(f"/api/host/deeds?before={number}"), 400, "bad_request")
        assert (await hanna.get(f"/api/host/deeds?before={2**53}"))[0]["kind"] == "host"
        assert "outage" not in logged.read_text().removeprefix(before)


# --- Who is one ------------------------------------------------------------------------------------------------------


async def test_a_token_makes_one_person_a_host_once(running: Server) -> None:
    made = await token(running)
    async with (
        visitor(running.base, "Hanna") as hanna,
        visitor(running.base, "Ben") as ben,
        visitor(running.base) as eve,
    ):
        assert (await hanna.http.get("/api/host")).status_code == 404
        before = hanna.cookie
        await hanna.post_nothing("/api/me/host", {"token": made})
        assert hanna.cookie != before, "others may have known the cookie of before"
        told = await hanna.get("/api/host")
        assert [one["name"] for one in told["hosts"] if one["me"]] == ["Hanna"]
        assert not told["safe"], "she has no way back yet"
        assert (await house(hanna))["host"]
        for other in (ben, eve):
            answer = await other.http.post("/api/me/host", json={"token": made})
            problem(answer, 403, "bad_host_token")
            assert (await other.http.get("/api/host")).status_code == 404
        assert "set-cookie" not in answer.headers, "a stranger with a used link is nobody still"


async def test_only_while_nobody_is_a_host_the_start_offers_it(running: Server) -> None:
    async with host(running):
        later = await token(running, first=True)
        async with visitor(running.base, "Ben") as ben:
            answer = await ben.http.post("/api/me/host", json={"token": later})
            assert answer.json()["code"] == "bad_host_token"


async def test_for_everybody_else_there_is_nothing(running: Server) -> None:
    async def told(player: Player, verb: str, where: str, body: Any) -> tuple[int, str, set[str]]:
        answer = await player.http.request(verb, where, json=body)
        return answer.status_code, answer.text.replace(where, "/there"), {*answer.headers}

    async with visitor(running.base, "Ann") as ann, visitor(running.base) as eve:
        for body in (None, {"nothing": "like it"}, {"padding": "x" * 40_000}):
            for player in (ann, eve):
                wrong = []
                for method, path in [key for key, one in ENDPOINTS.items() if one.who.name == "house"]:
                    where = "/".join("x" if part.startswith("{") else part for part in path.split("/"))
                    for verb in (method, "DELETE"):
                        nothing = await told(player, verb, "/api/nowhere/at/all", body)
                        if nothing[0] != 404 or await told(player, verb, where, body) != nothing:
                            wrong.append(f"{verb} {path}")
                assert not wrong, body


async def test_hosts_name_hosts_and_the_last_one_stays(tmp_path: Path) -> None:
    with server(tmp_path) as own:
        async with host(own) as hanna, visitor(own.base, "Ben") as ben:
            mine, his = await me(hanna), await me(ben)
            problem(await hanna.http.post(f"/api/host/people/{mine}", json={"do": "no_host"}), 409, "last_host")
            assert (await hanna.http.delete("/api/me")).json()["code"] == "last_host"
            await about(hanna, his, "host")
            assert len((await ben.get("/api/host"))["hosts"]) == 2
            await about(ben, mine, "no_host")
            assert (await hanna.http.get("/api/host")).status_code == 404
            kinds = [deed["kind"] for deed in await ben.get("/api/host/deeds")]
            assert kinds == ["host_remove", "host_add", "host"]


async def test_who_plants_a_cookie_is_no_host_afterwards(running: Server) -> None:
    async with visitor(running.base, "Eve") as eve, visitor(running.base) as hanna:
        planted = eve.cookie["cookie"]
        hanna.http.headers["cookie"] = planted
        answer = await hanna.http.post("/api/me/host", json={"token": await token(running)})
        assert answer.status_code == 204
        assert (await eve.http.get("/api/host")).status_code == 404
        assert (await eve.get("/api/me"))["id"] is None


async def test_a_host_signs_in_elsewhere_and_not_as_somebody_else(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Ann") as ann, visitor(running.base) as phone:
        link = await ann.post("/api/me/link")
        answer = await hanna.http.post("/api/sign-in", json={"secret": link["secret"]})
        problem(answer, 409, "is_host")  # her page would be Ann's
        codes = (await hanna.post("/api/me/codes"))["codes"]
        assert (await hanna.get("/api/host"))["safe"]
        await phone.post("/api/sign-in", {"secret": codes[0]})
        assert [one["name"] for one in (await phone.get("/api/host"))["hosts"] if one["me"]] == ["Hanna"]


# --- Reports ---------------------------------------------------------------------------------------------------------


async def test_a_report_is_read_with_the_lines_around_it_and_settled(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Ann") as ann, visitor(running.base, "Bob") as bob:
        table = await ann.table("me", "open", *BOTS)
        await bob.join(table, "Bob")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            for text in ("one", "two", "three"):
                await say(b, text)
            await until_heard(3, a)
            line = heard(a)[1]["at"]
        answer = await ann.http.post(f"/api/tables/{table['id']}/reports", json={"line": line})
        assert answer.status_code == 204
        await ann.post(f"/api/tables/{table['id']}/start", {})
        known = await ann.get("/api/people")
        bobs = next(one["id"] for one in known["played"] if one["name"] == "Bob")
        for _ in range(2):
            assert (await ann.http.post("/api/names/reports", json={"person": bobs})).status_code == 204
        mine = [one for one in await hanna.get(REPORTS) if one["table"] == table["id"]]
        talk, name = mine
        assert [(one["text"], one["reported"]) for one in talk["lines"]] == [
            ("one", False),
            ("two", True),
            ("three", False),
        ]
        assert (name["name"], name["lines"], name["person_name"], name["others"]) == ("Bob", [], "Bob", 1)
        await hanna.post_nothing(
            f"{REPORTS}/{talk['id']}",
            {"done": "Talked to him.", "to_person": "warned", "to_reporter": "thanks", "text": "Not here, please."},
        )
        assert [one["id"] for one in await hanna.get(REPORTS) if one["table"] == table["id"]] == [name["id"]]
        seen = next(one for one in await hanna.get(f"{REPORTS}?status=seen") if one["id"] == talk["id"])
        assert seen["done"] == "Talked to him."
        assert seen["looked"] > seen["created"]
        (word,) = (await house(bob))["words"]
        assert (word["phrase"], word["text"]) == ("warned", "Not here, please.")
        assert [one["phrase"] for one in (await house(ann))["words"]] == ["thanks"]
        assert (await ann.http.delete(f"/api/me/words/{word['id']}")).status_code == 204
        assert len((await house(bob))["words"]) == 1, "nobody reads another's for them"
        assert (await bob.http.delete(f"/api/me/words/{word['id']}")).status_code == 204
        assert (await house(bob))["words"] == []
        problem(await hanna.http.post(f"{REPORTS}/unknown", json={}), 404, "unknown_report")


async def test_a_reported_line_is_taken_away_at_its_place(running: Server) -> None:
    """For all who have it before their eyes and all who come later; hosts still read what it said, and for what it was
    reported. Whoever reported it has blocked its speaker with the same press."""
    async with host(running) as hanna, visitor(running.base, "Ann") as ann, visitor(running.base, "Bob") as bob:
        table = await ann.table("me", "open", *BOTS)
        await bob.join(table, "Bob")
        async with hanna.at(table["id"], invite=table["invite"]) as looks, bob.at(table["id"]) as b:
            for text in ("one", "two"):
                await say(b, text)
            await until_heard(2, looks)
            at = heard(looks)[1]["at"]
            told = {"line": at, "about": "insult", "block": True}
            await ann.post_nothing(f"/api/tables/{table['id']}/reports", told)
            (report,) = [one for one in await hanna.get(REPORTS) if one["table"] == table["id"]]
            assert (report["about"], report["name"]) == ("insult", "")
            await hanna.post_nothing(f"{REPORTS}/{report['id']}", {"take": True})
            await until_heard(3, looks)
            await until_heard(3, b)
            for live in (looks, b):
                again = heard(live)[2]
                assert (again["at"], again["phrase"], again.get("text", "")) == (at, "taken", "")
            page = await looks.reply(type="talk")
            assert [(one.get("phrase", ""), one.get("text", "")) for one in page["lines"]] == [
                ("", "one"),
                ("taken", ""),
            ]
            await b.send(type="say", id="x", phrase="taken")  # which nobody says
            await b.until_errors(1)
        seen = next(one for one in await hanna.get(f"{REPORTS}?status=seen") if one["id"] == report["id"])
        assert [one["text"] for one in seen["lines"]] == ["one", "two"]
        assert [one["name"] for one in (await ann.get("/api/people"))["blocked"]] == ["Bob"]


async def test_a_host_who_plays_is_told_nothing_of_the_bench(running: Server) -> None:
    async with (
        host(running) as hanna,
        host(running, "Ben") as ben,
        visitor(running.base, "Ann") as ann,
        visitor(running.base, "Otto") as otto,
        visitor(running.base, "Ida") as ida,
    ):
        table = await ann.table("me", "open", *BOTS, start=False)
        await hanna.join(table, "Hanna")
        await ann.post(f"/api/tables/{table['id']}/start", {})
        async with otto.at(table["id"], invite=table["invite"]) as o, ida.at(table["id"], invite=table["invite"]) as i:
            await say(o, "word-of-the-bench")
            await until_heard(1, i)
            line = heard(i)[0]["at"]
        path = f"/api/tables/{table['id']}/reports"
        answer = await ida.http.post(path, json={"line": line}, headers={"x-invite": table["invite"]})
        assert answer.status_code == 204
        theirs = await ben.get(REPORTS)
        assert [one["lines"][0]["text"] for one in theirs if one["table"] == table["id"]] == ["word-of-the-bench"]
        mine = await hanna.http.get(REPORTS)
        assert "word-of-the-bench" not in mine.text
        assert table["id"] not in mine.text, "not even that there is one"
        report = next(one["id"] for one in theirs if one["table"] == table["id"])
        assert (await hanna.http.post(f"{REPORTS}/{report}", json={})).status_code == 404
        for what in ("end", "lock", "delete"):
            problem(await hanna.http.post(f"/api/host/tables/{table['id']}", json={"do": what}), 409, "own_table")
        await ben.post_nothing(f"/api/host/tables/{table['id']}", {"do": "end"})
        assert "word-of-the-bench" in (await hanna.http.get(REPORTS)).text, "the game is over"


async def test_who_was_reported_does_not_judge_it(tmp_path: Path) -> None:
    with server(tmp_path) as own:
        async with host(own) as hanna, host(own, "Ben") as ben, visitor(own.base, "Ann") as ann:
            table = await ann.table("me", "open", *BOTS, start=False)
            await hanna.join(table, "Hanna")
            await ann.post(f"/api/tables/{table['id']}/start", {})
            (known,) = (await ann.get("/api/people"))["played"]
            await ann.post_nothing("/api/names/reports", {"person": known["id"]})
            assert await hanna.get(REPORTS) == []
            assert len(await ben.get(REPORTS)) == 1


# --- People ----------------------------------------------------------------------------------------------------------


async def test_people_are_found_renamed_and_signed_out(running: Server) -> None:
    name = f"Rude{secrets.token_hex(3)}"
    async with host(running) as hanna, visitor(running.base, name) as rude, visitor(running.base, "Ann") as ann:
        table = await ann.table("me", "open", *BOTS)
        await rude.join(table, name)
        id = await me(rude)
        async with rude.at(table["id"]) as live, ann.at(table["id"]) as watching:
            await say(live, "hello")
            (row,) = await hanna.get(f"/api/host/people?text={name[1:6].lower()}")
            assert (row["id"], row["guest"], row["tables"]) == (id, True, 1)
            assert [one["id"] for one in await hanna.get(f"/api/host/people?text={id}")] == [id]
            found = {one["id"] for one in await hanna.get(f"/api/host/people?text={table['id']}")}
            assert found == {id, await me(ann)}
            await about(hanna, id, "rename", name="Anna")
            await watching.until(lambda: watching.state["table"]["seats"][1]["name"] == "Anna")
            assert (await rude.get("/api/me"))["name"] == "Anna"
            assert [one["phrase"] for one in (await house(rude))["words"]] == ["renamed"]
            assert (await watching.reply(type="talk"))["lines"][0]["name"] == "Anna"
            # So much like "Ann" it must not be.
            await about(hanna, id, "rename", name="Ann")
            await watching.until(lambda: watching.state["table"]["seats"][1]["name"] == "Ann 2")
            codes = (await rude.post("/api/me/codes"))["codes"]
        async with rude.at(table["id"]) as live:
            await about(hanna, id, "sign_out")
            assert await live.until_closed() == 4401
        assert (await rude.get("/api/me"))["id"] is None
        await rude.post("/api/sign-in", {"secret": codes[0]})
        assert await me(rude) == id


async def test_who_is_shut_out_is_told_so_and_nothing_else(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Rudi") as rudi, visitor(running.base, "Ann") as ann:
        id, table = await me(rudi), await ann.table("me", "open", *BOTS)
        await rudi.join(table, "Rudi")
        codes = (await rudi.post("/api/me/codes"))["codes"]
        async with rudi.at(table["id"]) as live:
            await about(hanna, id, "bar", days=2)
            assert await live.until_closed() == 4401
        problem(await rudi.http.get("/api/me"), 403, "barred")
        assert (await rudi.http.get(f"/api/tables/{table['id']}")).status_code == 403
        async with rudi.raw(table["id"]) as live:
            assert await live.until_closed() == 4403
        assert (await house(rudi))["barred"]
        async with visitor(running.base) as phone:
            await phone.http.post("/api/sign-in", json={"secret": codes[0]})
            assert (await phone.http.get("/api/me")).json()["code"] == "barred", "on every device"
        # What is stored of them is theirs all the same.
        assert (await rudi.get("/api/me/everything"))["hosting"]["barred_until"]
        (row,) = await hanna.get(f"/api/host/people?text={id}")
        assert row["barred"]
        await about(hanna, id, "unbar")
        assert await me(rudi) == id
        await about(hanna, id, "bar")
        assert (await house(rudi))["barred"] == "", "for good"
        assert (await rudi.http.delete("/api/me")).status_code == 204


async def test_newcomers_from_the_network_of_who_is_shut_out(tmp_path: Path) -> None:
    """Those who are known already go on: others may live behind the same address."""
    with server(tmp_path) as own:
        async with host(own) as hanna, visitor(own.base, "Rudi") as rudi, visitor(own.base, "Ann") as ann:
            await about(hanna, await me(rudi), "bar", days=2, network=True)
            async with visitor(own.base, "Ida"):
                pass  # nobody knows yet from where they come
            assert (await rudi.http.get("/api/me")).status_code == 403
            async with visitor(own.base) as again:
                problem(await again.http.put("/api/me", json={"name": "Rudi"}), 403, "barred_network")
                assert (await ann.get("/api/me"))["name"] == "Ann"
                assert b"127.0.0.1" not in (tmp_path / "ziggurat.db").read_bytes()
                await about(hanna, (await hanna.get("/api/host/people?text=Rudi"))[0]["id"], "unbar")
                assert (await again.http.put("/api/me", json={"name": "Rudi"})).status_code == 200


async def test_a_person_is_exported_without_what_they_do_in_games_that_go_on(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Ann") as ann, visitor(running.base, "Bob") as bob:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        async with ann.at(table["id"]) as live:
            await live.play(1)
            await say(live, "secret plans")
        others = await bob.table("me", *["random"] * (SEATS - 1))
        async with ann.at(others["id"], invite=others["invite"]) as live:
            await say(live, "Bob has bad cards")
        id = await me(ann)
        mine = await ann.get("/api/me/everything")
        assert mine["tables"][0]["changes"]
        told = await hanna.post(f"/api/host/people/{id}/everything", {})
        assert told["tables"][0]["changes"] == []
        assert told["talk"]["said"] == []
        assert told["person"] == mine["person"]
        await about(hanna, id, "delete")
        assert (await ann.get("/api/me"))["id"] is None
        assert await hanna.get(f"/api/host/people?text={id}") == []


def test_whatever_a_feature_stores_of_a_running_game_is_left_out() -> None:
    """Such as notes, and moves that are written ahead, which nobody else may read who plays there."""
    of_running, of_another = {"table": "a", "text": "secret"}, {"table": "b", "text": "told"}
    found = {"notes": {"written": [of_running, of_another]}, "moves_ahead": [of_running], "person": {"name": "Ann"}}
    assert {*tables_named(found)} == {"a", "b"}
    left = {"notes": {"written": [of_another]}, "moves_ahead": [], "person": {"name": "Ann"}}
    assert without_tables(found, {"a"}) == left


async def test_nobody_learns_of_a_deal_or_has_it_played_again_by_being_a_host(running: Server) -> None:
    """Of today's deal a host is told nothing before no try of it counts any more, and gives nobody another try."""

    async def make(deal: str) -> None:
        """Write the table down as a game of that day's deal which is over."""
        this = sa.update(models.tables).where(models.tables.c.id == table["id"])
        await running.in_database(lambda c: c.execute(this.values(status="finished", deal=deal)))

    async with host(running) as hanna, visitor(running.base, "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        where, id = f"/api/host/tables/{table['id']}", await me(ann)
        async with ann.at(table["id"]) as live:
            await live.play(1)
            await live.turn()  # the bots have moved, and write nothing any more
        for ago in (0, 1):
            await make(f"{datetime.now(UTC) - timedelta(ago):%Y-%m-%d}")
            told = await hanna.post(f"/api/host/people/{id}/everything", {})
            assert (told["tables"][0]["status"], told["tables"][0]["changes"]) == ("finished", [])
            problem(await hanna.http.post(where, json={"do": "delete"}), 409, "deal_open")
        assert (await ann.get("/api/me/everything"))["tables"][0]["changes"], "what is hers she may read"
        await make(f"{datetime.now(UTC) - timedelta(3):%Y-%m-%d}")
        assert (await hanna.post(f"/api/host/people/{id}/everything", {}))["tables"][0]["changes"]
        await hanna.post_nothing(where, {"do": "delete"})


async def test_who_signs_in_takes_along_what_hosts_said_and_did(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Kim") as kim, visitor(running.base, "Rudi") as rudi:
        code = (await kim.post("/api/me/codes"))["codes"][0]
        guest, known = await me(rudi), await me(kim)
        await about(hanna, guest, "word", text="Be kind.")
        await about(hanna, guest, "rename", name="Rita")
        await rudi.post("/api/sign-in", {"secret": code})
        assert [one["text"] or one["phrase"] for one in (await house(rudi))["words"]] == ["Be kind.", "renamed"]
        done = [deed["kind"] for deed in await hanna.get("/api/host/deeds") if deed["person"] == known]
        assert done == ["person_rename", "person_word"]
        assert await places_of(running, guest) == set()


async def test_a_deed_is_written_down_with_what_it_changes(own_url: str | None, tmp_path: Path) -> None:
    """Both or none: else a host could do something of which nobody knows, and no worker would follow."""
    settings = Settings(data=tmp_path, database_url=own_url, prepare=False)
    database = open_database(settings)
    await database.open()
    try:
        service = TableService(settings, database, Bus(settings), CompiledRules(settings))
        hosts = Moderation(service)
        await database.write(partial(people.insert, person=Person("rudi", "Rudi", "en"), token="rudi"))
        await hosts.bar(None, "rudi", None, network=False)
        before = await contents(database)

        def full(*_: object, **__: object) -> int:
            raise sa.exc.OperationalError("INSERT", None, OSError("disk"))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hosting, "note", full)
            for deed in (
                hosts.unbar(None, "rudi"),
                hosts.say(None, "rudi", "warned", ""),
                hosts.sign_out(None, "rudi"),
                hosts.bar(None, "rudi", 1.0, network=True),
                hosts.rename(None, "rudi", "Rita"),
                hosts.add_host(None, "rudi"),
                hosts.tell(None, {"en": "Tea"}),
                hosts.maintain(None, 5.0),
                hosts.new_token(),
                hosts.delete_person(None, "rudi"),
            ):
                with pytest.raises(sa.exc.OperationalError):
                    await deed
                assert await contents(database) == before, deed
    finally:
        await database.close()


async def contents(database: Database) -> Json:
    """All rows of people and of what hosts do."""
    names = ("barred_networks", "host_log", "host_words", "hosts", "house_state", "tickets")

    def job(connection: sa.Connection) -> Json:
        shown = {name: models.schema().tables[name] for name in names}
        found: Json = {name: [*map(tuple, connection.execute(sa.select(table)))] for name, table in shown.items()}
        rudi = sa.select(models.people).where(models.people.c.id == "rudi")
        return {**found, "rudi": [*map(tuple, connection.execute(rudi))]}

    return await database.read(job)


async def test_no_host_is_shut_out_by_another(running: Server) -> None:
    async with host(running) as hanna, host(running, "Ben") as ben:
        for do in ("bar", "sign_out", "delete"):
            problem(await hanna.http.post(f"/api/host/people/{await me(ben)}", json={"do": do}), 409, "person_is_host")


# --- Tables ----------------------------------------------------------------------------------------------------------


async def test_a_locked_table_lets_nobody_in_until_it_is_unlocked(running: Server) -> None:
    async with (
        host(running) as hanna,
        visitor(running.base, "Ann") as ann,
        visitor(running.base, "Bob") as bob,
        visitor(running.base, "Eve") as eve,
    ):
        table = await ann.table("me", "open", *BOTS)
        async with eve.at(table["id"], invite=table["invite"]) as looks, ann.at(table["id"]) as live:
            await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "lock"})
            body = {"invite": table["invite"], "name": "Bob"}
            problem(await bob.http.post(f"/api/tables/{table['id']}/join", json=body), 403, "locked")
            assert (await live.reply(type="say", text="hm"))["code"] == "talk_off"
            (row,) = await hanna.get(f"/api/host/tables?text={table['id']}")
            assert row["locked"]
            assert row["invite"] is None
            await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "unlock"})
            assert (await live.reply(type="say", text="ah"))["type"] == "ack"
            assert not looks.closed, "people were waited for all the time"
        await bob.join(table, "Bob")


async def test_nobody_comes_to_a_locked_table_by_another_way(running: Server) -> None:
    """Neither by its host's word, nor by a seat that was kept, is handed on or is taken on one's own device."""
    async with (
        host(running) as hanna,
        visitor(running.base, "Ann") as ann,
        visitor(running.base, "Bob") as bob,
        visitor(running.base, "Cid") as cid,
    ):
        earlier = await ann.table("me", "open", *BOTS)
        await bob.join(earlier, "Bob")
        await ann.post(f"/api/tables/{earlier['id']}/start")
        table = await ann.table("me", "open", *BOTS)
        path = f"/api/tables/{table['id']}"
        friend = next(one["id"] for one in (await ann.get("/api/people"))["played"] if one["name"] == "Bob")
        link = await ann.post(f"{path}/hand")
        await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "lock"})
        locked = (await ann.get(path))["policy"]
        usual = {**locked, "watch": "link", "talk": "free"}
        for player, where, body in (
            (ann, "terms", {"policy": usual}),
            (ann, "companions", {"seat": 1, "name": "Kit"}),
            (ann, "invite", {"person": friend}),
            (cid, "take", {"secret": link["secret"], "name": "Cid"}),
        ):
            answer = await player.http.post(f"{path}/{where}", json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "locked"), (where, answer.text)
        assert (await ann.post(f"{path}/terms", {"pace": "calm", "hints": True, "policy": locked}))["policy"] == locked
        await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "unlock"})
        await ann.post(f"{path}/invite", {"person": friend})
        await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "lock"})
        problem(await bob.http.post(f"{path}/accept"), 403, "locked")
        await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "unlock"})
        assert (await bob.post(f"{path}/accept"))["you"] == 1


async def test_a_table_is_looked_at_ended_and_deleted(running: Server) -> None:
    async with (
        host(running) as hanna,
        visitor(running.base, "Ann") as ann,
        visitor(running.base, "Bob") as bob,
        visitor(running.base) as eve,
    ):
        table = await ann.table("me", "open", *BOTS, start=False)
        await bob.join(table, "Bob")
        await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "give", "seat": 1})
        await bob.post(f"/api/tables/{table['id']}/start", {})
        told = await hanna.post(f"/api/host/tables/{table['id']}/look", {})
        async with hanna.at(table["id"], invite=told["secret"]) as looks, ann.at(table["id"]) as a:
            assert looks.state["decision"]["legal"] == []
            async with eve.at(table["id"], invite=table["invite"]) as stranger:
                assert looks.state["view"] == stranger.state["view"], "no more than anybody who looks on"
            await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "end"})
            await a.until(lambda: a.state["table"]["status"] == "ended")
            await hanna.post_nothing(f"/api/host/tables/{table['id']}", {"do": "delete"})
            assert await a.until_closed() == 4404
        assert (await ann.http.get(f"/api/tables/{table['id']}")).status_code == 404
        assert [one["id"] for one in await ann.get("/api/tables")] == []
        closed = await ann.table("me", "open", *BOTS, policy={"watch": "nobody"})
        answer = await hanna.http.post(f"/api/host/tables/{closed['id']}/look", json={})
        assert answer.json()["code"] == "not_watched"
        assert (await hanna.http.post("/api/host/tables/nothing", json={"do": "end"})).status_code == 404


async def test_a_game_counts_nowhere_when_a_host_says_so(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Ann") as ann:
        table = await ann.table("me", "mason", game=SHORT, pace="instant")
        deed = f"/api/host/tables/{table['id']}", {"do": "annul"}
        problem(await hanna.http.post(deed[0], json=deed[1]), 409, "counts_nowhere")
        async with ann.at(table["id"]) as live:
            await live.play()
        if any(feature.annul is not ServerFeature.annul for feature in features()):
            await hanna.post_nothing(*deed)
            assert (await hanna.get("/api/host/deeds"))[0]["kind"] == "table_annul"
        problem(await hanna.http.post(deed[0], json=deed[1]), 409, "counts_nowhere")
        own = await hanna.table("me", "mason", game=SHORT, pace="instant")
        async with hanna.at(own["id"]) as live:
            await live.play()
        problem(await hanna.http.post(f"/api/host/tables/{own['id']}", json={"do": "annul"}), 409, "own_table")
    assert "counts nowhere" in await shell(running, "table", "a-table-that-is-deleted", "annul", code=1)


# --- Everybody -------------------------------------------------------------------------------------------------------


def told_of(live: Live) -> bool:
    return any(message["type"] == "house" for message in live.messages)


async def test_a_message_reaches_everybody(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Ann") as ann, visitor(running.base) as eve:
        table = await ann.table("me", "open", *BOTS)
        async with ann.at(table["id"]) as live:
            answer = await hanna.http.put("/api/host/message", json={"text": {"en": "Tea!", "hu": "Tea!"}, "hours": 1})
            assert answer.status_code == 204
            await live.until(lambda: told_of(live))
        for player in (ann, eve):
            assert (await house(player))["message"]["text"] == {"en": "Tea!", "hu": "Tea!"}
        await hanna.http.put("/api/host/message", json={"text": None})
        await until(eve, "/api/house", lambda told: told["message"] is None)


async def test_maintenance_keeps_all_games_and_lets_hosts_in(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Ann") as ann, visitor(running.base) as eve:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        try:
            async with ann.at(table["id"]) as live:
                await hanna.http.put("/api/host/maintenance", json={"minutes": 60})
                await live.until(lambda: told_of(live))
                wish = {
                    "game": table["game"],
                    "seats": [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * (SEATS - 1)],
                }
                problem(await ann.http.post("/api/tables", json=wish), 503, "maintenance_soon")
                assert (await live.move())["type"] == "ack", "running games go on"
                seq = live.state["seq"]
                await hanna.http.put("/api/host/maintenance", json={"minutes": 0, "text": {"en": "New disks"}})
                assert await live.until_closed() == 1012
            for player in (ann, eve):
                answer = await player.http.get("/api/games")
                problem(answer, 503, "maintenance")
                assert int(answer.headers["retry-after"]) > 0
                told = (await house(player))["maintenance"]
                assert (told["on"], told["text"]["en"]) == (True, "New disks")
                assert (await player.http.get("/")).status_code == 200, "the page is there, and waits"
            assert (await hanna.get("/api/host"))["maintenance"]["on"]
            for probe in ("/healthz", "/readyz"):
                assert (await eve.http.get(probe)).status_code == 200, "it lives, and nothing is to be restarted"
        finally:
            await hanna.http.put("/api/host/maintenance", json={"minutes": None})
        await until(eve, "/api/house", lambda told: told["maintenance"] is None)
        async with ann.at(table["id"]) as live:
            assert live.state["seq"] >= seq
            await live.turn()
            assert (await live.move())["type"] == "ack"


async def test_what_maintenance_refuses_is_not_done_by_half(running: Server) -> None:
    """Nor served by another way of writing its address."""
    async with host(running) as hanna, visitor(running.base, "Kim") as kim, visitor(running.base, "Gus") as guest:
        code = (await kim.post("/api/me/codes"))["codes"][0]
        table = await guest.table("me", *["random"] * (SEATS - 1))
        his = await me(guest)
        try:
            await hanna.http.put("/api/host/maintenance", json={"minutes": 0})
            await until(guest, "/api/house", lambda told: told["maintenance"] is not None)
            for refused in (
                await guest.http.post("/api/sign-in", json={"secret": code}),
                await guest.http.put("/api/me", json={"name": "August", "by_hand": True}),
                await guest.http.delete("/api/me"),
                await hanna.http.post(f"/api/host/people/{his}", json={"do": "rename", "name": "August"}),
                *[
                    await guest.http.get(f"{running.base}{before}/api{between}tables/{table['id']}{after}")
                    for before in ("", "/", "//")
                    for between in ("/", "//")
                    for after in ("", "/", "/history")
                ],
            ):
                assert (refused.status_code, refused.json()["code"]) == (503, "maintenance"), refused.request.url
            found = await hanna.get(f"/api/host/people?text={his}")
            assert [one["name"] for one in found] == ["Gus"]
            assert "person_rename" not in [deed["kind"] for deed in await hanna.get("/api/host/deeds")][:2]
        finally:
            await hanna.http.put("/api/host/maintenance", json={"minutes": None})
        await until(guest, "/api/house", lambda told: told["maintenance"] is None)
        assert (await guest.post("/api/sign-in", {"secret": code}))["name"] == "Kim", "the code was not used up"
        assert [one["id"] for one in await guest.get("/api/tables")] == [table["id"]]


@pytest.mark.parametrize("names", ["", "games.example"])
def test_a_start_offers_the_page_where_others_can_come(tmp_path: Path, names: str) -> None:
    """Who plays at home is told nothing of hosts."""
    with begun("--port", "0", "--data", str(tmp_path), ZIGGURAT_HOSTS=names, ZIGGURAT_PREPARE="0") as program:
        program.until("Ziggurat is at")
        program.end()
        assert ("#/host/" in program.printed()) == bool(names)


@on_both
async def test_the_numbers_count(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Ann") as ann:
        before = (await hanna.get("/api/host"))["numbers"]
        table = await ann.table("me", "open", *BOTS)
        async with ann.at(table["id"]):
            now = (await hanna.get("/api/host"))["numbers"]
        assert now["people_here"] == before["people_here"] + 1
        assert now["counts"]["waiting"] == before["counts"]["waiting"] + 1
        assert now["counts"]["database_bytes"] > 0
        assert now["disk_free"] > 0
        assert (now["newer"], now["copies"]) == (None, None)
        rows = await hanna.get("/api/host/deeds")
        assert [row["number"] for row in rows] == sorted((row["number"] for row in rows), reverse=True)


async def test_the_page_says_how_the_copies_are_and_whether_there_is_a_newer_version(tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    with server(tmp_path, ZIGGURAT_COPIES=str(folder)) as own:
        async with host(own) as hanna:
            found = (await hanna.get("/api/host"))["numbers"]["copies"]
            assert (found["good"], found["at"], found["folder"]) == (False, 0, str(folder)), "none was made yet"
            write_verdict(folder, CopyVerdict(time.time(), False, "The newest copy is damaged.", kept=2))
            found = (await hanna.get("/api/host"))["numbers"]["copies"]
            assert (found["good"], found["says"], found["kept"]) == (False, "The newest copy is damaged.", 2)


# --- The command line ------------------------------------------------------------------------------------------------


async def shell(running: Server, *arguments: str, code: int = 0) -> str:
    """Run `ziggurat admin` on the database of a server that runs; return what it prints."""
    where = ["--database", running.settings.database_url] if running.settings.database_url else []
    where = where or ["--data", str(running.settings.data)]
    told = await asyncio.to_thread(CliRunner().invoke, command, [*where, *arguments])
    assert told.exit_code == code, (told.output, told.exception)
    return str(told.output)


@runs.whole
async def test_the_command_line_does_the_same_while_the_server_runs(running: Server) -> None:
    async with visitor(running.base, "Hanna") as hanna, visitor(running.base, "Rudi") as rudi:
        address, _, made = (await shell(running, "token")).strip().rpartition("/#/host/")
        assert address == running.base.rstrip("/"), "the port of the server, which the shell does not know"
        await hanna.post_nothing("/api/me/host", {"token": made})
        id, table = await me(rudi), await hanna.table("me", "open", *BOTS)
        await rudi.join(table, "Rudi")
        assert f"{id}  Rudi  guest" in await shell(running, "people", id)
        async with rudi.at(table["id"]) as live, hanna.at(table["id"]) as h:
            await shell(running, "rename", id, "Rita")
            await h.until(lambda: h.state["table"]["seats"][1]["name"] == "Rita")
            assert (await rudi.get("/api/me"))["name"] == "Rita"
            await shell(running, "message", "--en", "Tea!")
            await h.until(lambda: told_of(h))
            assert (await house(rudi))["message"]["text"]["en"] == "Tea!"
            await shell(running, "message", "--end")
            await shell(running, "bar", id, "--days", "1")
            assert await live.until_closed() == 4401
            await shell(running, "unbar", id)
            await shell(running, "word", id, "--text", "Be kind.")
            assert [one["text"] for one in (await house(rudi))["words"]][-1] == "Be kind."
            assert '"name": "Rita"' in await shell(running, "export", id)
            await shell(running, "table", table["id"], "give", "--seat", "2")
            await h.until(lambda: not h.state["table"]["host"])
            await shell(running, "table", table["id"], "delete")
            assert await h.until_closed() == 4404
        kinds = [row["kind"] for row in await hanna.get("/api/host/deeds")][:4]
        assert kinds == ["table_delete", "table_give", "person_export", "person_word"]
        assert {row["host"] for row in (await hanna.get("/api/host/deeds"))[:4]} == {None}
        assert "table_delete" in await shell(running, "deeds")
        assert "no such person" in await shell(running, "rename", "nobody", "Rita", code=1)
        assert "version" in await shell(running, "numbers")
        assert "Hanna" in await shell(running, "hosts")


async def test_the_command_line_takes_a_line_away(running: Server) -> None:
    async with visitor(running.base, "Ann") as ann, visitor(running.base, "Bob") as bob:
        table = await ann.table("me", "open", *BOTS)
        await bob.join(table, "Bob")
        async with bob.at(table["id"]) as b:
            await say(b, "one")
            await until_heard(1, b)
            told = {"line": heard(b)[0]["at"], "about": "insult"}
            await ann.post_nothing(f"/api/tables/{table['id']}/reports", told)
            said = (await shell(running, "reports")).splitlines()
            report = next(line.split()[0] for line in said if "a line (insult)" in line and table["id"] in line)
            await shell(running, "settle", report, "--take")
            page = await b.reply(type="talk")
            assert [(one.get("phrase", ""), one.get("text", "")) for one in page["lines"]] == [("taken", "")]


async def test_who_sits_with_a_person_sees_that_the_command_line_deletes_them(running: Server) -> None:
    async with visitor(running.base, "Ann") as ann, visitor(running.base, "Rudi") as rudi:
        table = await ann.table("me", "open", *BOTS)
        await rudi.join(table, "Rudi")
        async with ann.at(table["id"]) as live:
            assert live.state["table"]["seats"][1]["kind"] == "human"
            await shell(running, "delete-person", "--yes", await me(rudi))
            await live.until(lambda: live.state["table"]["seats"][1]["kind"] == "open")


async def test_the_command_line_maintains_and_a_new_server_does_so_too(tmp_path: Path) -> None:
    with server(tmp_path) as own:
        await shell(own, "maintenance", "on", "--en", "New disks")
        async with visitor(own.base) as eve:
            await until(eve, "/api/house", lambda told: told["maintenance"] is not None and told["maintenance"]["on"])
            assert (await eve.http.get("/api/tables")).status_code == 503
    with server(tmp_path) as own:
        async with visitor(own.base) as eve:
            assert (await eve.http.get("/api/tables")).status_code == 503
            await shell(own, "maintenance", "off")
            await until(eve, "/api/house", lambda told: told["maintenance"] is None)
            assert (await eve.http.get("/api/tables")).status_code == 200


def test_the_command_line_knows_every_deed_and_phrase() -> None:
    assert get_args(Do) == DEEDS
    assert get_args(Ready) == PHRASES


def test_without_a_database_it_says_so(tmp_path: Path) -> None:
    told = CliRunner().invoke(command, ["--data", str(tmp_path), "people"])
    assert told.exit_code == 1
    assert "There is no database" in told.output


async def test_all_workers_follow(new_database: NewDatabase, tmp_path: Path) -> None:
    """What is done at one worker is so at the other: whoever is connected where."""
    url = new_database()
    with server(tmp_path / "one", url) as one, server(tmp_path / "other", url) as other:
        async with host(one) as hanna, visitor(one.base, "Ann") as ann, visitor(other.base) as eve:
            table = await ann.table("me", "open", *BOTS)
            there = Player(ann.http, other.base)
            async with ann.at(table["id"]) as near, there.at(table["id"]) as far:
                await hanna.http.put("/api/host/message", json={"text": {"en": "Tea!"}})
                for live in (near, far):
                    await live.until(partial(told_of, live))
                await hanna.http.put("/api/host/maintenance", json={"minutes": 0})
                assert [await live.until_closed() for live in (near, far)] == [1012] * 2
            assert (await eve.http.get("/api/games")).status_code == 503
            await hanna.http.put("/api/host/maintenance", json={"minutes": None})
            await until(eve, "/api/house", lambda told: told["maintenance"] is None)


@on_both
async def test_who_is_deleted_is_in_nothing_that_hosts_did(running: Server) -> None:
    async with host(running) as hanna, visitor(running.base, "Rudi") as rudi, visitor(running.base, "Ann") as ann:
        table = await ann.table("me", "open", *BOTS)
        await rudi.join(table, "Rudi")
        async with rudi.at(table["id"]) as live, ann.at(table["id"]) as hears:
            await say(live, "well")
            await until_heard(1, hears)
            line = {"line": heard(hears)[0]["at"]}
        assert (await ann.http.post(f"/api/tables/{table['id']}/reports", json=line)).status_code == 204
        id = await me(rudi)
        (report,) = [one["id"] for one in await hanna.get(REPORTS) if one["person"] == id]
        await hanna.post_nothing(f"{REPORTS}/{report}", {"done": "Looked.", "to_person": "warned"})
        await about(hanna, id, "rename", name="Rita")
        try:
            await about(hanna, id, "bar", days=1, network=True)
            assert (await rudi.http.get("/api/me")).status_code == 403
            assert await places_of(running, id) >= {"people", "host_log", "host_words", "barred_networks", "reports"}
            told = (await rudi.get("/api/me/everything"))["hosting"]
            assert [one["phrase"] for one in told["words"]] == ["warned", "renamed"]
            assert {one["kind"] for one in told["done_about_me"]} == {"report", "person_rename", "person_bar"}
            assert (await rudi.http.delete("/api/me")).status_code == 204
            assert await places_of(running, id) == set()
        finally:
            # Other tests come from the same network.
            await running.in_database(lambda c: hosting.forget_networks(c, time.time() + 90 * 86_400, 0.0))


async def places_of(running: Server, id: str) -> set[str]:
    """Return the tables of the database in which a person's id stands."""

    def job(connection: sa.Connection) -> set[str]:
        found = set()
        for table in models.schema().sorted_tables:
            texts = [column for column in table.columns if isinstance(column.type, sa.Text)]
            if connection.execute(
                sa.select(table).where(sa.or_(sa.false(), *(column == id for column in texts)))
            ).first():
                found.add(table.name)
        return found

    return await running.in_database(job)

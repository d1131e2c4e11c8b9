"""Programs at tables: streams, moves, marks, and the examples that play whole games."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.docs.pages import script
from tests.example import EXAMPLE, SEATS, SHORT
from tests.server.features.programs.test_tokens import TOKENS, kept, new_token, program
from tests.server.player import PATIENCE, Json, Player, visitor
from tests.server.process import Server, server

import ziggurat
from ziggurat.server.app import ENDPOINTS
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.guards import must_let_programs
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.programs import streams as programs
from ziggurat.server.features.programs.rows import Bearer, Token
from ziggurat.server.features.programs.rules import SCOPES
from ziggurat.server.features.programs.streams import TOKEN_WITHDRAWN, LineTransport
from ziggurat.server.problems import Problem
from ziggurat.server.settings import Settings

ROOT = Path(__file__).parents[4]
LETS = {"programs": True}
BOTS = ["random"] * (SEATS - 2)


class Lines:
    """A stream that is read."""

    def __init__(self, stream: Any) -> None:
        self._lines = stream.aiter_lines()
        self.state: Json = {}

    async def line(self) -> Json | None:
        """The next message; None after the last."""
        async with asyncio.timeout(PATIENCE):
            async for line in self._lines:
                if line:
                    found: Json = json.loads(line)
                    self.state = found if found["type"] == "update" else self.state
                    return found
        return None

    async def until(self, is_it: Any) -> Json:
        while (found := await self.line()) is not None:
            if is_it(found):
                return found
        raise AssertionError("the stream has ended")

    async def turn(self, after: int = 0) -> Json:
        """The state in which it is our turn, or the game is over; the next one since a change."""
        return await self.until(
            lambda one: (
                one["type"] == "update"
                and one["seq"] >= after
                and (one["decision"]["legal"] or one["table"]["status"] == "finished")
            )
        )


@asynccontextmanager
async def stream(player: Player, path: str) -> AsyncIterator[Lines]:
    async with player.http.stream("GET", path) as answer:
        if answer.status_code != 200:
            await answer.aread()
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/x-ndjson"
        yield Lines(answer)


@asynccontextmanager
async def owner(base: str, name: str) -> AsyncIterator[Player]:
    """Somebody who may have tokens."""
    async with visitor(base, name) as player:
        await kept(player)
        yield player


@asynccontextmanager
async def bot(base: str, name: str = "Robo", scope: str = "bot") -> AsyncIterator[tuple[Player, Player]]:
    """A program, and its person."""
    async with owner(base, name) as person, program(base, await new_token(person, scope)) as robot:
        yield robot, person


async def seat_of(player: Player, table: str) -> Json:
    info = await player.get(f"/api/tables/{table}")
    return next(seat for seat in info["seats"] if seat["you"])


async def refusal(player: Player, path: str, body: Any = None) -> str:
    answer = await (player.http.get(path) if body is None else player.http.post(path, json=body))
    assert answer.status_code >= 400, answer.text
    assert answer.status_code < 500
    return str(answer.json()["code"])


async def open_table(ann: Player, **more: Any) -> Json:
    return await ann.table("me", "open", *BOTS, **{"policy": LETS, **more})


# --- Whole games by the examples -----------------------------------------------------------------------------------


def node() -> str:
    found = script("web").find_node()
    assert found is not None, "there is no Node.js"
    return str(found.node)


@asynccontextmanager
async def example(base: str, file: str, token: str, folder: Path, link: str) -> AsyncIterator[None]:
    kept_in = folder / f"{file}.token"
    kept_in.write_text(token + "\n")
    runs = [sys.executable] if file.endswith(".py") else [node()]
    process = await asyncio.create_subprocess_exec(*runs, str(ROOT / "examples" / file), base, str(kept_in), link)
    try:
        yield
        assert process.returncode is None, "it still waits for other games"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), [SHORT]))
async def test_the_examples_play_whole_games(sqlite_base: str, game: str, tmp_path: Path) -> None:
    base = sqlite_base
    players = max(2, ziggurat.game(game).min_players)
    async with (
        visitor(base, "Ann") as ann,
        owner(base, "Bob") as bob,
        owner(base, "Cid") as cid,
    ):
        seats = ["open", "open", *["random"] * (players - 2)]
        table = await ann.table(*seats, game=game, policy=LETS)
        link = f"{base}/#/join/{table['id']}/{table['invite']}"
        async with (
            example(base, "program.py", await new_token(bob), tmp_path, link),
            example(base, "program.mjs", await new_token(cid), tmp_path, link),
            ann.at(table["id"]) as live,
        ):
            await live.until(lambda: all(seat["kind"] != "open" for seat in live.state["table"]["seats"]))
            await ann.post(f"/api/tables/{table['id']}/start", {})
            await live.until_over()
        people = [seat for seat in live.state["table"]["seats"] if seat["kind"] == "human"]
        assert sorted(seat["name"] for seat in people) == ["Robi", "Robo"]
        assert all(seat["program"] == "bot" for seat in people), "everybody sees that they are bots"
        assert all(seat["by_bot"] == 0 for seat in people), "and they have made their moves themselves"
        replay = (await ann.http.get(f"/api/tables/{table['id']}/replay")).text
        assert "Robo" in replay


def test_the_examples_are_short() -> None:
    for file in ("program.py", "program.mjs"):
        text = (ROOT / "examples" / file).read_text(encoding="utf-8")
        lines = [
            line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "//", "/**"))
        ]
        assert len(lines) <= 60


# --- Streams -------------------------------------------------------------------------------------------------------


async def test_a_stream_says_what_the_page_is_sent(base: str) -> None:
    """The same state, and the same events, as the socket of the same person; and of no other."""
    async with visitor(base, "Ann") as ann, bot(base) as (robo, person):
        table = await open_table(ann)
        await robo.join(table, "Robo")
        await ann.post(f"/api/tables/{table['id']}/start", {})
        async with stream(robo, f"/api/tables/{table['id']}/stream") as lines, ann.at(table["id"]) as live:
            first = await lines.until(lambda one: one["type"] == "update")
            assert first["from"] == 0
            log = list(first["events"])
            async with person.at(table["id"]) as page:
                while lines.state["seq"] < page.state["seq"]:  # a bot may have moved
                    log += (await lines.until(lambda one: one["type"] == "update"))["events"]
                await page.until(lambda: page.state["seq"] >= lines.state["seq"])
                assert page.state["seq"] > lines.state["seq"] or page.state["view"] == lines.state["view"]
                assert page.log[: len(log)] == log
                for _ in range(6):
                    seq = lines.state["seq"]
                    if lines.state["decision"]["legal"]:
                        await one_move(robo, table["id"], lines.state)
                    elif live.legal:
                        assert (await live.move())["type"] == "ack"
                    while lines.state["seq"] <= seq:
                        now = await lines.until(lambda one: one["type"] == "update")
                        assert now["from"] <= seq, "no event is missed"
                        log = (log if now["from"] else []) + [*now["events"]]
                    await page.until(lambda: page.state["seq"] >= lines.state["seq"])
                    await live.until(lambda: live.state["seq"] >= lines.state["seq"])
                if page.state["seq"] == lines.state["seq"]:
                    assert page.state["view"] == lines.state["view"]
                    assert page.log == log
            assert lines.state["view"] != live.state["view"], "each sees their own hand"


async def one_move(robo: Player, table: str, state: Json) -> Json:
    """The first complete move."""
    told: Json = {"seq": state["seq"], "steps": []}
    legal = (await robo.post(f"/api/tables/{table}/steps", told))["legal"]
    assert legal == state["decision"]["legal"]
    while legal:
        told["steps"].append(legal[0]["action"])
        legal = (await robo.post(f"/api/tables/{table}/steps", told))["legal"]
    return dict(await robo.post(f"/api/tables/{table}/moves", told))


async def test_a_stream_goes_on_from_what_is_known(base: str) -> None:
    async with visitor(base, "Ann") as ann, bot(base) as (robo, _):
        table = await open_table(ann)
        await robo.join(table, "Robo")
        await ann.post(f"/api/tables/{table['id']}/start", {})
        path = f"/api/tables/{table['id']}/stream"
        async with stream(robo, path) as lines:
            seq = (await lines.until(lambda one: one["type"] == "update"))["seq"]
        async with stream(robo, f"{path}?since={seq}") as lines:
            now = await lines.until(lambda one: one["type"] == "update")
            assert now["from"] in (seq, 0)
            assert now["view"] is not None, "each line is whole"
        for wrong in ("-1", "x", str(2**40)):
            answer = await robo.http.get(f"{path}?since={wrong}")
            assert answer.status_code == 400


async def test_my_tables_are_told_as_they_change(base: str) -> None:
    async with visitor(base, "Ann") as ann, bot(base) as (robo, _):
        before = await open_table(ann)
        await robo.join(before, "Robo")
        other = await ann.table("me", "open", *BOTS)
        async with stream(robo, "/api/stream") as lines:
            first = await lines.line()
            assert first is not None
            assert (first["type"], first["table"]["id"]) == ("table", before["id"])
            after = await open_table(ann)
            await robo.join(after, "Robo")
            found = await lines.until(lambda one: one["table"]["id"] == after["id"])
            assert found["table"]["seats"][found["table"]["you"]]["program"] == "bot"
            await ann.post(f"/api/tables/{before['id']}/start", {})
            started = await lines.until(lambda one: one["table"]["id"] == before["id"])
            assert started["table"]["status"] == "playing"
            assert "view" not in started
            await robo.post(f"/api/tables/{after['id']}/leave", {})
            gone = await lines.until(lambda one: one.get("id") == after["id"])
            assert gone["type"] == "gone"
            assert other["id"] not in json.dumps(gone), "another's tables are nobody's"


async def test_a_stream_ends_when_its_token_does(base: str) -> None:
    async with visitor(base, "Ann") as ann, bot(base) as (robo, person):
        table = await open_table(ann)
        await robo.join(table, "Robo")
        paths = ["/api/stream", f"/api/tables/{table['id']}/stream"]
        async with stream(robo, paths[0]) as mine, stream(robo, paths[1]) as one:
            await mine.line()
            await one.line()
            [token] = await person.get(TOKENS)
            await person.http.delete(f"{TOKENS}/{token['id']}")
            for lines in (mine, one):
                end = await lines.until(lambda found: found["type"] == "end")
                assert end["code"] == 4401
                assert end["detail"].startswith("This token was withdrawn")
                assert await lines.line() is None
        assert await refusal(robo, paths[0]) == "bad_token"


async def test_a_stream_ends_with_its_person(running: Server) -> None:
    """A host shuts them out, or they sign out everywhere else."""
    for how in ("bar", "others"):
        async with bot(running.base, f"Robo {how}") as (robo, person):
            me = (await person.get("/api/me"))["id"]
            async with stream(robo, "/api/stream") as lines:
                if how == "others":
                    await person.http.delete("/api/me/devices/others")
                else:

                    def bar(connection: Any, me: str = me) -> None:
                        hosting.bar(connection, me, None, network=False)
                        hosting.note(connection, None, "person_bar", person=me)

                    await running.in_database(bar)
                end = await lines.until(lambda found: found["type"] == "end")
                assert (end["code"], end["detail"]) == (4401, TOKEN_WITHDRAWN)


@runs.whole
@pytest.mark.parametrize("own_url", ["postgresql"], indirect=True)
async def test_a_stream_of_another_worker_ends_when_its_token_does(own_url: str, tmp_path: Path) -> None:
    """And no worker stumbles over the news: `server` asserts that nothing was unexpected."""
    with server(tmp_path / "here", own_url) as here, server(tmp_path / "there", own_url) as there:
        async with visitor(here.base, "Ann") as ann, bot(here.base) as (robo, person):
            table = await open_table(ann)
            await robo.join(table, "Robo")
            token = robo.http.headers["authorization"].removeprefix("Bearer ")
            paths = ["/api/stream", f"/api/tables/{table['id']}/stream"]
            async with (
                program(there.base, token) as other,
                stream(other, paths[0]) as mine,
                stream(other, paths[1]) as one,
            ):
                await mine.line()
                await one.line()
                [made] = await person.get(TOKENS)
                await person.http.delete(f"{TOKENS}/{made['id']}")
                for lines in (mine, one):
                    assert (await lines.until(lambda found: found["type"] == "end"))["code"] == 4401


async def test_so_many_streams_and_no_more(sqlite_base: str) -> None:
    most = Settings().streams_per_person
    async with bot(sqlite_base) as (robo, _):
        answers = []
        try:
            for _ in range(most):
                request = robo.http.build_request("GET", "/api/stream")
                answers.append(await robo.http.send(request, stream=True))
                assert answers[-1].status_code == 200
            assert await refusal(robo, "/api/stream") == "too_many_streams"
        finally:
            for answer in answers:
                await answer.aclose()
        async with asyncio.timeout(PATIENCE):
            while (await robo.http.send(robo.http.build_request("GET", "/api/stream"), stream=True)).status_code != 200:
                pass  # those that were closed are noticed soon


async def test_no_program_is_told_the_link_of_a_table(base: str) -> None:
    """It is not for reading, and not for sitting down: who has it lets others in."""
    async with owner(base, "Ann") as ann:
        table = await open_table(ann, pace="instant")
        path = f"/api/tables/{table['id']}"
        for scope in SCOPES:
            async with program(base, await new_token(ann, scope)) as robo:
                for (method, route), endpoint in ENDPOINTS.items():
                    if method == "GET" and scope in endpoint.programs and not route.endswith("/stream"):
                        where = route.replace("{table_id:str}", table["id"]).replace("{game_id:str}", EXAMPLE)
                        answer = await robo.http.get(where.replace("{language:str}", "en"))
                        assert table["invite"] not in answer.text, route
                for where in ("/api/stream", f"{path}/stream"):
                    async with stream(robo, where) as lines:
                        assert table["invite"] not in json.dumps(await lines.line())
        async with bot(base) as (robo, _):
            assert table["invite"] not in json.dumps(await robo.join(table, "Robo"))
            async with stream(robo, f"{path}/stream") as lines:
                assert table["invite"] not in json.dumps(await lines.line())
        assert (await ann.get(path))["invite"] == table["invite"], "people are"


async def test_only_programs_have_streams(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await open_table(ann)
        assert await refusal(ann, "/api/stream") == "no_token"
        assert await refusal(ann, f"/api/tables/{table['id']}/stream") == "no_token"
        told = {"seq": 1, "steps": [0]}
        assert await refusal(ann, f"/api/tables/{table['id']}/moves", told) == "no_token"


# --- Which tables --------------------------------------------------------------------------------------------------


async def test_programs_sit_only_where_they_are_let(base: str) -> None:
    async with visitor(base, "Ann") as ann, bot(base) as (robo, person):
        for policy in ({}, {"programs": False}):
            table = await ann.table("me", "open", *BOTS, policy=policy)
            wish = {"invite": table["invite"], "name": "Robo"}
            assert await refusal(robo, f"/api/tables/{table['id']}/join", wish) == "no_programs"
            # Nor does a program play for a person who sits there, or see what they see.
            await person.join(table, "Robo")
            await ann.post(f"/api/tables/{table['id']}/start", {})
            path = f"/api/tables/{table['id']}"
            assert await refusal(robo, f"{path}/stream") == "no_programs"
            assert await refusal(robo, f"{path}/belief") == "no_programs"
            assert await refusal(robo, f"{path}/moves", {"seq": 1, "steps": [0]}) == "no_programs"
            assert await refusal(robo, f"{path}/steps", {"seq": 1, "steps": []}) == "no_programs"
            assert await refusal(robo, f"{path}/commands", {"type": "resign", "id": "x"}) == "no_programs"
            assert await refusal(robo, f"{path}/leave", {}) == "no_programs"
            assert "program" not in await seat_of(person, table["id"])


async def test_the_deal_of_the_day_is_for_people(thinking: Server) -> None:
    async with bot(thinking.base) as (robo, person):
        day = (await person.get(f"/api/day/{EXAMPLE}"))["today"]["day"]
        table = await person.post(f"/api/day/{EXAMPLE}", {"day": day}, 201)
        path = f"/api/tables/{table['id']}"
        assert await refusal(robo, f"{path}/stream") == "no_programs"
        assert await refusal(robo, f"{path}/moves", {"seq": 1, "steps": [0]}) == "no_programs"


async def test_the_host_says_whether_programs_may_come(base: str) -> None:
    async with visitor(base, "Ann") as ann, bot(base) as (robo, _):
        table = await ann.table("me", "open", *BOTS)
        path = f"/api/tables/{table['id']}"
        changed = await ann.post(f"{path}/terms", {"options": table["options"], "policy": LETS})
        assert changed["policy"]["programs"] is True
        await robo.join(table, "Robo")
        answer = await ann.http.post(f"{path}/terms", json={"options": table["options"]})
        assert answer.json()["code"] == "program_sits"
        await ann.post(f"{path}/seats", {"seat": 1, "kind": "open"})
        await ann.post(f"{path}/terms", {"options": table["options"]})
        sit = {"invite": table["invite"], "name": "Robo"}
        assert await refusal(robo, f"{path}/join", sit) == "put_out", "whose seat the host frees is out"
        async with bot(base) as (other, _):
            assert await refusal(other, f"{path}/join", sit) == "no_programs"


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_stream_ends_when_programs_are_let_in_no_more(base: str, scope: str) -> None:
    """It was opened while they were, where a person sits for whom no program has moved yet: nothing keeps the host from
    taking it back, and then a program sees no hand."""
    async with visitor(base, "Ann") as ann, owner(base, "Bob") as bob:
        table = await open_table(ann)
        path = f"/api/tables/{table['id']}"
        await bob.join(table, "Bob")
        async with program(base, await new_token(bob, scope)) as robo, stream(robo, f"{path}/stream") as lines:
            await lines.until(lambda one: one["type"] == "update")
            await ann.post(f"{path}/terms", {"options": table["options"]})
            await ann.post(f"{path}/start", {})
            end = await lines.until(lambda one: one["type"] == "end" or one["view"])
            assert end.get("code") == 4403
            assert await lines.line() is None


async def test_a_stream_ends_when_its_person_gets_up(base: str) -> None:
    """A program looks on at no table of others."""
    async with visitor(base, "Ann") as ann, owner(base, "Bob") as bob:
        table = await open_table(ann)
        path = f"/api/tables/{table['id']}"
        await bob.join(table, "Bob")
        async with program(base, await new_token(bob)) as robo, stream(robo, f"{path}/stream") as lines:
            await lines.until(lambda one: one["type"] == "update")
            await ann.post(f"{path}/seats", {"seat": 1, "kind": "open"})
            end = await lines.until(lambda one: one["type"] == "end" or one["table"].get("you") is None)
            assert end.get("code") == 4403


async def test_a_seat_is_marked_whenever_a_program_moves(base: str) -> None:
    """Also where its person sat down: and the mark stays, whoever moves afterwards."""
    async with visitor(base, "Ann") as ann, owner(base, "Bob") as bob:
        table = await open_table(ann)
        path = f"/api/tables/{table['id']}"
        await bob.join(table, "Bob")
        await ann.post(f"{path}/start", {})
        assert "program" not in await seat_of(bob, table["id"])
        async with program(base, await new_token(bob, "read")) as looks:
            async with stream(looks, f"{path}/stream") as lines:
                assert (await lines.until(lambda one: one["type"] == "update"))["view"] is not None
            assert await refusal(looks, f"{path}/moves", {"seq": 1, "steps": [0]}) == "token_scope"
        assert "program" not in await seat_of(bob, table["id"])
        async with ann.at(table["id"]) as live:
            for scope, marked in (("play", "play"), ("bot", "bot"), ("play", "bot")):
                async with program(base, await new_token(bob, scope)) as robo:
                    await robo.http.post(f"{path}/moves", json={"seq": 0, "steps": [0]})  # an old question
                    assert (await seat_of(bob, table["id"]))["program"] == marked
            await live.until(lambda: live.state["table"]["seats"][1].get("program") == "bot")
            await live.until(lambda: sum(note["kind"] == "program" for note in all_notes(live)) == 2)


def all_notes(live: Any) -> list[Json]:
    return [note for message in live.messages if message["type"] == "update" for note in message.get("notes", ())]


async def test_a_program_is_never_the_host_who_starts(base: str) -> None:
    """It could not: people would wait for it."""
    async with visitor(base, "Ann") as ann, bot(base) as (robo, _), visitor(base, "Cid") as cid:
        table = await ann.table("me", "open", "open", policy=LETS)
        path = f"/api/tables/{table['id']}"
        await robo.join(table, "Robo")
        answer = await ann.http.post(f"{path}/host", json={"seat": 1})
        assert answer.json()["code"] == "bad_seat"
        await ann.post(f"{path}/leave", {})
        assert (await robo.get(path))["host"] is False
        await cid.join(table, "Cid")
        assert (await cid.get(path))["host"] is True, "the next person is"


async def test_a_program_is_nobody_at_anothers_table(base: str) -> None:
    async with visitor(base, "Ann") as ann, bot(base) as (robo, _):
        table = await open_table(ann)
        path = f"/api/tables/{table['id']}"
        for what in ("/stream", "/belief"):
            assert await refusal(robo, f"{path}{what}") == "unknown_table"
        assert await refusal(robo, f"{path}/moves", {"seq": 1, "steps": [0]}) == "unknown_table"
        assert await refusal(robo, f"{path}/accept", {}) == "unknown_table"
        assert await refusal(robo, "/api/tables/nothing/stream") == "unknown_table"


# --- Moves ---------------------------------------------------------------------------------------------------------


WRONG: dict[str, Any] = {
    "nothing": {},
    "neither": {"seq": 1},
    "both": {"seq": 1, "steps": [0], "move": "x"},
    "empty": {"seq": 1, "steps": []},
    "many": {"seq": 1, "steps": [0] * 201},
    "negative": {"seq": 1, "steps": [-1]},
    "large": {"seq": 1, "steps": [2**31]},
    "larger": {"seq": 1, "steps": [2**70]},
    "float": {"seq": 1, "steps": [0.5]},
    "text": {"seq": 1, "steps": "0"},
    "no action": {"seq": 1, "steps": [2**31 - 1]},
    "notation": {"seq": 1, "move": "fly to the moon"},
    "no notation": {"seq": 1, "move": ""},
    "long notation": {"seq": 1, "move": "x" * 2001},
    "zeros": {"seq": 1, "move": "\0\0\0"},
    "odd": {"seq": 1, "move": "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace")},
    "future": {"seq": 10**6, "steps": [0]},
    "past": {"seq": 0, "steps": [0]},
    "another seat": {"seq": 1, "seat": 0, "steps": [0]},
    "an id": {"seq": 1, "steps": [0], "id": "x\n"},
    "a list": [],
    "a number": 7,
    "deep": "[" * 100_000,
    "no json": "{",
    "huge": "x" * 100_000,
}


async def test_a_wrong_move_changes_nothing(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann, bot(sqlite_base) as (robo, _):
        table = await open_table(ann)
        path = f"/api/tables/{table['id']}"
        await robo.join(table, "Robo")
        await ann.post(f"{path}/start", {})
        async with ann.at(table["id"]) as live:  # bots move until a person has to
            await live.until(lambda: 2 not in live.state["table"]["actors"])
        before = (await ann.get(path))["seq"]
        for name, body in WRONG.items():
            text = body if isinstance(body, str) else json.dumps(body)
            for what in ("moves", "steps", "commands"):
                answer = await robo.http.post(
                    f"{path}/{what}", content=text.encode(), headers={"content-type": "application/json"}
                )
                if what == "steps" and answer.status_code == 200:
                    continue
                assert 400 <= answer.status_code < 500, (name, what, answer.text)
            assert (await ann.get(path))["seq"] == before, name


@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), [EXAMPLE]))
async def test_steps_come_in_any_order_and_those_that_are_missing_are_waited_for(sqlite_base: str, game: str) -> None:
    """What `steps` offers is played, and the beginning of it is unfinished, whatever the order; never illegal."""
    rules, chance = ziggurat.game(game), random.Random(7)
    players = max(2, rules.min_players)
    async with visitor(sqlite_base, "Ann") as ann, bot(sqlite_base) as (robo, _):
        table = await ann.table("open", *["random"] * (players - 1), game=game, policy=LETS)
        path = f"/api/tables/{table['id']}"
        await robo.join(table, "Robo")
        await ann.post(f"{path}/start", {})
        async with stream(robo, f"{path}/stream") as lines:
            after = 0
            for _ in range(runs.number(6, 40)):
                state = await lines.turn(after)
                if state["table"]["status"] == "finished":
                    break
                told = {"seq": state["seq"]}
                if state["decision"]["forced"]:  # the server gives this answer by itself
                    after = state["seq"] + 1
                    continue

                async def further(steps: list[int], told: Json = told) -> list[Json]:
                    return list((await robo.post(f"{path}/steps", {**told, "steps": steps}))["legal"])

                legal, steps = state["decision"]["legal"], list[int]()
                while legal:
                    several = [one for one in legal if not steps and await further([one["action"]])]
                    steps.append(chance.choice(several or legal)["action"])
                    legal = await further(steps)
                other = [*steps[:1], *reversed(steps[1:-1]), *steps[1:][-1:]]
                steps = other if rules.arrange(other) == steps else steps
                for length in range(1, len(steps)):
                    assert await further(steps[:length])
                    assert await refusal(robo, f"{path}/moves", {**told, "steps": steps[:length]}) == "unfinished_move"
                # The bot may have moved on before anything is read.
                after = (await robo.post(f"{path}/moves", {**told, "steps": steps}))["seq"]


async def test_a_move_is_made_once_however_often_it_is_sent(base: str) -> None:
    async with visitor(base, "Ann") as ann, bot(base) as (robo, _):
        # Nobody else moves meanwhile.
        table = await ann.table("me", "open", policy=LETS)
        path = f"/api/tables/{table['id']}"
        await robo.join(table, "Robo")
        await ann.post(f"{path}/start", {})
        async with ann.at(table["id"]) as live, stream(robo, f"{path}/stream") as lines:
            while not (await lines.until(lambda one: one["type"] == "update"))["decision"]["legal"]:
                if live.legal:
                    await live.move()
            state = lines.state
            told = {"seq": state["seq"]}
            for simple in state["decision"]["legal"]:
                if not (await robo.post(f"{path}/steps", {**told, "steps": [simple["action"]]}))["legal"]:
                    break
            told |= {"move": simple["notation"], "id": "once"}
            made = await robo.post(f"{path}/moves", told)
            assert await robo.post(f"{path}/moves", told) == made, "the same again is the same"
            other = await robo.http.post(f"{path}/moves", json={**told, "move": "fly to the moon"})
            assert other.status_code in (400, 409)
            assert (await robo.get(path))["seq"] == made["seq"]


async def test_programs_answer_what_people_ask(base: str) -> None:
    """Or an undo, or a pause, would wait for a program for ever."""
    async with visitor(base, "Ann") as ann, bot(base) as (robo, _):
        table = await open_table(ann)
        path = f"/api/tables/{table['id']}"
        await robo.join(table, "Robo")
        await ann.post(f"{path}/start", {})
        async with ann.at(table["id"]) as live, stream(robo, f"{path}/stream") as lines:
            assert (await live.reply(type="ask_end"))["type"] == "ack"
            asked = await lines.until(lambda one: one["type"] == "update" and one["table"]["vote"])
            assert asked["table"]["vote"]["asked"] == [asked["table"]["you"]]
            await robo.post(f"{path}/commands", {"type": "vote", "id": "v", "agree": True})
            await live.until(lambda: live.state["table"]["status"] == "ended")


# --- What a seat may believe ---------------------------------------------------------------------------------------


async def test_a_belief_is_a_position_of_the_same_view(base: str) -> None:
    from ziggurat.remote.client import TableServer

    async with visitor(base, "Ann") as ann, bot(base) as (robo, _):
        table = await open_table(ann)
        path = f"/api/tables/{table['id']}"
        await robo.join(table, "Robo")
        await ann.post(f"{path}/start", {})
        token = robo.http.headers["authorization"].split()[1]
        async with stream(robo, f"{path}/stream") as lines:
            state = await lines.until(lambda one: one["type"] == "update")
            server = TableServer(base, token)
            found = await asyncio.to_thread(server.believed, table["id"])
            again = await asyncio.to_thread(server.believed, table["id"])
            seen = state["view"]
            if found.seq == state["seq"]:
                assert json.loads(msgspec.json.encode(found.position.view(found.seat))) == seen
                assert list(found.position.actors) == state["table"]["actors"]
            assert found.position.to_bytes() != again.position.to_bytes(), "dealt again each time"


@pytest.mark.parametrize("game", ziggurat.registered_games())
def test_a_belief_depends_on_nothing_that_its_seat_does_not_know(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From two worlds that look the same to a seat the same bytes are sent, by the same chance; at the end, too."""
    rules, chance = ziggurat.game(game), random.Random(game)
    compared = 0
    for players in {max(2, rules.min_players), rules.max_players}:
        position = ziggurat.new(game, players=players, seed=players)
        while True:
            if position.finished or (not position.in_move and chance.random() < 0.1):
                for seat in range(players):
                    other = position.redeal(seat, ziggurat.generator(compared))
                    rng = ziggurat.generator(10_000 + compared)
                    sent = []
                    for world in (position, other):
                        monkeypatch.setattr(rules_gateway, "_chance", rng.copy)
                        sent.append(rules_gateway.determinized(world, seat))
                    assert sent[0] == sent[1]
                    compared += 1
            if position.finished:
                break
            actor = position.actors[0]
            position.play(actor, chance.choice(position.legal(actor)))
    assert compared > 40


async def test_a_server_that_ends_says_so_and_waits_for_no_stream(tmp_path: Path) -> None:
    with server(tmp_path / "data") as running:
        async with bot(running.base) as (robo, _), stream(robo, "/api/stream") as lines:
            begun = time.monotonic()
            os.kill(running.pid, signal.SIGTERM)
            end = await lines.until(lambda one: one["type"] == "end")
            assert end["code"] == 1012
            assert await lines.line() is None
            assert time.monotonic() - begun < 4, "uvicorn gives requests five seconds"


async def test_what_a_slow_reader_has_not_read_waits_in_one_line() -> None:
    """The hub sends the newest state when there is room: nothing piles up for who reads nothing."""
    lines = LineTransport()
    assert lines.free
    lines.send_texts([b"1"])
    assert not lines.free
    room = asyncio.create_task(lines.drain())
    assert await lines.next_line() == b"1\n"
    after = asyncio.create_task(lines.next_line())  # and the reader wants more
    await asyncio.wait_for(room, PATIENCE)
    lines.close(4401, "Gone.")
    lines.send_texts([b"2"])
    assert b'"code":4401' in (await after or b"")
    assert await lines.next_line() is None
    await asyncio.wait_for(lines.drain(), PATIENCE)


async def test_a_quiet_stream_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert programs.KEEP_ALIVE == 15, "docs/programs.md says so"
    monkeypatch.setattr(programs, "KEEP_ALIVE", 0.001)
    lines = LineTransport()
    assert [await lines.next_line() for _ in range(3)] == [b"\n"] * 3
    lines.send_texts([b"1"])
    assert await lines.next_line() == b"1\n"
    assert not lines.ended


@pytest.mark.parametrize(("token", "stream"), [(86400.0, 3600.0), (60.0, 60.0), (-5.0, 0.0)])
async def test_a_stream_ends_after_an_hour_or_with_its_token(token: float, stream: float) -> None:
    bearer = Bearer(Person("p", "", "en"), Token("t", "", "play", 0.0, 0.0, time.time() + token), 0.0)
    loop, ended = asyncio.get_running_loop(), []
    timer = programs.ends_in(bearer, lambda *why: ended.append(why))
    assert timer.when() == pytest.approx(loop.time() + stream, abs=PATIENCE)
    timer._run()  # as the loop does when it is time
    assert ended == [(4408, "Connect again.")]
    timer.cancel()


def test_no_setting_lets_programs_play_the_deal_of_the_day() -> None:
    wish = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)], policy=TablePolicy(programs=True))
    table = create(wish, Person("ann", "Ann", "en"))
    must_let_programs(table)
    with pytest.raises(Problem, match="do not sit down"):
        must_let_programs(replace(table, deal="2026-11-01"))
    with pytest.raises(Problem, match="do not sit down"):
        must_let_programs(replace(table, policy=TablePolicy()))

"""After the last move: one room, what if, playing on from there, links to finished games, and replay files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests import runs
from tests.example import EXAMPLE, SEATS, SHORT
from tests.server.fixtures import MOSTLY_SQLITE, NewDatabase, on_both
from tests.server.player import Json, Live, Player, visitor
from tests.server.process import Server, server
from tests.server.test_http import problem

import ziggurat
from ziggurat.core.scenario import reached
from ziggurat.server.features.review.rooms import POINT_RATE
from ziggurat.server.features.review.what_if import MOST_LINE_MOVES

DATABASES = MOSTLY_SQLITE
BOTS = ["random"] * (SEATS - 2)


class Played(NamedTuple):
    """A game of two people that is over, after a few moves of each."""

    ann: Player
    bob: Player
    table: Json
    path: str
    seqs: list[int]
    """Of the moments: the first deal, and after each move."""


def _is_at(live: Live, seq: int) -> bool:
    return bool(live.state["seq"] >= seq)


def _has_ended(live: Live) -> bool:
    return bool(live.state["table"]["status"] == "ended")


def _leads_to(live: Live, seq: int) -> bool:
    rooms = told(live, "room")
    return bool(rooms) and rooms[-1]["seq"] == seq


async def end(a: Live, b: Live) -> None:
    """Both agree to end the game."""
    assert (await a.reply(type="ask_end"))["type"] == "ack"
    await b.until(lambda: b.state["table"]["vote"] or b.state["table"]["status"] == "ended")
    assert (await b.reply(type="vote", agree=True))["type"] == "ack"
    for live in (a, b):
        await live.until(partial(_has_ended, live))


async def moves(a: Live, b: Live, many: int) -> None:
    """Some moves, of whoever is to move."""
    for _ in range(many):
        await a.until(lambda: {0, 1} & {*a.state["table"]["actors"]})
        mover = a if 0 in a.state["table"]["actors"] else b
        assert await mover.turn()
        await mover.move()
        await a.until(partial(_is_at, a, mover.state["seq"]))


@asynccontextmanager
async def seated(base: str, **more: Any) -> AsyncIterator[tuple[Player, Player, Json]]:
    """Two people at a table that has begun."""
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await ann.table("me", "open", *BOTS, **more)
        await bob.join(table, "Bob")
        yield ann, bob, await ann.post(f"/api/tables/{table['id']}/start")


@asynccontextmanager
async def played(base: str, many: int = 4, **more: Any) -> AsyncIterator[Played]:
    async with seated(base, **more) as (ann, bob, table):
        path = f"/api/tables/{table['id']}"
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await moves(a, b, many)
            await end(a, b)
        frames = (await ann.get(f"{path}/history"))["frames"]
        yield Played(ann, bob, table, path, [frame["seq"] for frame in frames])


async def step(game: Played, seq: int, line: list[Any]) -> Json:
    """Let a line go on by the first move of one step that there is; return the state before it."""
    state = await game.ann.post(f"{game.path}/what-if", {"seq": seq, "line": line})
    for choice in reversed(state["decision"]["legal"]):
        tried = [*line, {"seat": state["seat"], "steps": [choice["action"]]}]
        if (await game.ann.http.post(f"{game.path}/what-if", json={"seq": seq, "line": tried})).status_code == 200:
            line.append(tried[-1])
            found: Json = state
            return found
    raise AssertionError("no move of one step")


# --- What if ------------------------------------------------------------------------------------------------------


async def test_a_line_goes_on_from_any_moment_and_changes_nothing(base: str) -> None:
    async with played(base, hints=True) as game:
        before = await game.ann.get(f"{game.path}/history")
        line: list[Any] = []
        for _ in range(3):
            await step(game, game.seqs[1], line)
        state = await game.bob.post(f"{game.path}/what-if", {"seq": game.seqs[1], "line": line})
        assert len(state["moves"]) == 3
        assert all(move["notation"] for move in state["moves"])
        assert state["events"], "what happened by the last move"
        assert state["view"].keys() == before["frames"][1]["view"].keys(), "the umpire's"
        assert state["seat"] in state["actors"]
        start = await game.bob.post(f"{game.path}/what-if", {"seq": game.seqs[1]})
        assert start["view"] == before["frames"][1]["view"]
        assert await game.ann.get(f"{game.path}/history") == before
        about = await game.ann.post(
            f"{game.path}/what-if/about", {"seq": game.seqs[1], "line": line, "pieces": [f"seat {state['seat']}"]}
        )
        assert len(about) == 1


async def test_what_cannot_be_tried_is_refused_with_a_clear_word(base: str) -> None:
    async with played(base) as game, visitor(base, "Eve") as eve:
        path = f"{game.path}/what-if"
        line: list[Any] = []
        state = await step(game, game.seqs[0], line)
        legal = {choice["action"] for choice in state["decision"]["legal"]}
        wrong = next(action for action in range(10_000) if action not in legal)
        bad = [*line, {"seat": line[0]["seat"], "steps": [wrong]}]
        said = problem(await game.ann.http.post(path, json={"seq": game.seqs[0], "line": bad}), 409, "bad_line")
        assert said["args"]["number"] == 2
        other = [{**line[0], "seat": (line[0]["seat"] + 1) % SEATS}]
        if len(state["actors"]) == 1:
            problem(await game.ann.http.post(path, json={"seq": game.seqs[0], "line": other}), 409, "bad_line")
        problem(await game.ann.http.post(path, json={"seq": 999}), 404, "no_such_move")
        deep = [line[0]] * (MOST_LINE_MOVES + 1)
        problem(await game.ann.http.post(path, json={"seq": game.seqs[0], "line": deep}), 400, "bad_request")
        problem(await game.ann.http.post(f"{path}/hint", json={"seq": game.seqs[0]}), 409, "no_hints")
        problem(await eve.http.post(path, json={"seq": game.seqs[0]}), 404, "unknown_table")
        link = {"X-Invite": game.table["invite"]}
        assert (await eve.http.post(path, json={"seq": game.seqs[0]}, headers=link)).status_code == 200


async def test_nothing_can_be_tried_or_shown_before_the_end(base: str) -> None:
    async with seated(base) as (ann, bob, table), visitor(base) as eve:
        path = f"/api/tables/{table['id']}"
        seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * (SEATS - 1)]
        piece = {"pieces": ["seat 0"]}
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await moves(a, b, 1)
            seq = a.state["seq"]
            for what, more in (
                ("what-if", {}),
                ("what-if/preview", {}),
                ("what-if/about", piece),
                ("what-if/hint", {}),
            ):
                for who in (ann, bob):
                    problem(await who.http.post(f"{path}/{what}", json={"seq": seq, **more}), 409, "not_over")
                link = {"X-Invite": table["invite"]}
                problem(await eve.http.post(f"{path}/{what}", json={"seq": seq, **more}, headers=link), 409, "not_over")
            problem(await ann.http.post(f"{path}/play-on", json={"seq": seq, "seats": seats}), 409, "not_over")
            problem(await ann.http.get(f"{path}/showing"), 409, "not_over")
            problem(await ann.http.put(f"{path}/showing", json={"agree": True}), 409, "not_over")
            for said in (
                {"type": "lead", "lead": True},
                {"type": "at", "seq": seq},
                {"type": "point", "piece": "seat 0"},
            ):
                assert (await a.reply(**said))["code"] == "not_over"
            assert not [m for m in b.messages if m["type"] in ("room", "pointed", "invited_on")]


@runs.whole
async def test_a_master_says_what_they_would_do(thinking: Server) -> None:
    async with played(thinking.base, hints=True) as game:
        state = await game.ann.post(f"{game.path}/what-if", {"seq": game.seqs[0]})
        advice = await game.bob.post(f"{game.path}/what-if/hint", {"seq": game.seqs[0]})
        steps = [one["action"] for one in advice["move"]["steps"]]
        assert (
            await game.bob.post(
                f"{game.path}/what-if", {"seq": game.seqs[0], "line": [{"seat": state["seat"], "steps": steps}]}
            )
        )["moves"]


# --- The room -----------------------------------------------------------------------------------------------------


def told(live: Live, kind: str) -> list[Json]:
    return [message for message in live.messages if message["type"] == kind]


async def test_who_leads_is_followed_and_a_piece_is_shown_to_all(base: str) -> None:
    async with played(base) as game, visitor(base) as eve:
        id, invite = game.table["id"], game.table["invite"]
        async with game.ann.at(id) as a, game.bob.at(id) as b, eve.at(id, invite=invite) as e:
            assert (await b.reply(type="at", seq=game.seqs[0]))["code"] == "not_leading"
            assert (await e.reply(type="lead", lead=True))["code"] == "not_seated"
            await a.reply(type="lead", lead=True)
            await a.reply(type="at", seq=game.seqs[1], line=[{"seat": 0, "steps": [1]}])
            for live in (a, b, e):
                await live.until(partial(_leads_to, live, game.seqs[1]))
                assert told(live, "room")[-1] == {
                    "type": "room",
                    "leader": a.state["table"]["you"],
                    "seq": game.seqs[1],
                    "line": [{"seat": 0, "steps": [1]}],
                }
            async with eve.at(id, invite=invite) as late:
                await late.until(lambda: told(late, "room"))
            # Anybody may take it.
            await b.reply(type="lead", lead=True)
            await a.until(lambda: told(a, "room")[-1]["leader"] == b.state["table"]["you"])
            assert told(a, "room")[-1]["seq"] == game.seqs[1], "from where the other was"
            assert (await a.reply(type="at", seq=game.seqs[0]))["code"] == "not_leading"
            assert (await b.reply(type="at", seq=12345))["code"] == "no_such_move"
            await a.reply(type="point", piece="seat 1", place="seat:1")
            await e.until(lambda: told(e, "pointed"))
            assert told(e, "pointed") == [{"type": "pointed", "seat": 0, "piece": "seat 1", "place": "seat:1"}]
            for piece in ("<b>no piece</b>", "seat 99", "\u202etaes"):
                assert (await a.reply(type="point", piece=piece))["type"] == "error"
            log = await game.ann.get(f"{game.path}/history")
        # Who is gone does not lead.
        async with game.ann.at(id) as a:
            assert not told(a, "room")
        assert await game.ann.get(f"{game.path}/history") == log, "and nothing is kept"


async def test_so_often_and_no_more(sqlite_base: str) -> None:
    async with played(sqlite_base, 1) as game, game.ann.at(game.table["id"]) as a:
        codes = [(await a.reply(type="point", piece="seat 0")).get("code") for _ in range(POINT_RATE[0] + 5)]
        assert codes[: POINT_RATE[0]] == [None] * POINT_RATE[0]
        assert codes[-1] == "too_fast"
        await a.reply(type="lead", lead=True)
        huge = [{"seat": 0, "steps": [2**31 - 1] * 60}] * 20
        assert (await a.reply(type="at", seq=game.seqs[0], line=huge))["code"] in ("line_too_long", "message_too_long")


@pytest.mark.slow
async def test_two_workers_share_a_room(tmp_path: Path, new_database: NewDatabase) -> None:
    url = new_database()
    with server(tmp_path / "one", url) as one, server(tmp_path / "two", url) as two:
        async with played(one.base) as game, AsyncExitStack() as stack:
            id = game.table["id"]
            a = await stack.enter_async_context(game.ann.at(id))
            b = await stack.enter_async_context(Player(game.bob.http, two.base).at(id))
            await a.reply(type="lead", lead=True)
            await a.reply(type="at", seq=game.seqs[2])
            await b.until(lambda: told(b, "room") and told(b, "room")[-1]["seq"] == game.seqs[2])
            await b.reply(type="lead", lead=True)
            await a.until(lambda: told(a, "room")[-1]["leader"] == 1)
            await b.reply(type="point", piece="seat 0")
            await a.until(lambda: told(a, "pointed"))
            seats = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "bot", "bot": "random"}] * len(BOTS)]
            laid = await game.ann.post(f"{game.path}/play-on", {"seq": game.seqs[1], "seats": seats}, 201)
            await b.until(lambda: told(b, "invited_on"))
            assert told(b, "invited_on")[-1]["table"] == laid["id"]
            assert not told(a, "invited_on")
            joined = await game.bob.post(f"/api/tables/{laid['id']}/accept")
            assert (joined["you"], joined["status"]) == (1, "playing")


# --- Playing on ---------------------------------------------------------------------------------------------------


def alone(kind: str = "me") -> list[Json]:
    return [{"kind": kind}, *[{"kind": "bot", "bot": "random"}] * (SEATS - 1)]


async def test_a_table_goes_on_from_a_moment_and_its_replay_verifies(base: str) -> None:
    async with played(base, game=SHORT) as game:
        line: list[Any] = []
        for _ in range(2):
            await step(game, game.seqs[1], line)
        reached_there = await game.ann.post(f"{game.path}/what-if", {"seq": game.seqs[1], "line": line})
        wish = {"seq": game.seqs[1], "line": line, "seats": alone()}
        laid = await game.ann.post(f"{game.path}/play-on", wish, 201)
        assert laid["laid"]
        assert laid["played_from"] == {"made": game.table["created"], "moves": 1, "tried": 2, "again": False}
        assert laid["seed"] is None
        async with game.ann.at(laid["id"]) as live:
            await live.turn()
            await live.play()
        text = (await game.ann.http.get(f"/api/tables/{laid['id']}/replay")).text
        assert ziggurat.Replay.parse(text).verify().finished
        frames = (await game.ann.get(f"/api/tables/{laid['id']}/history"))["frames"]
        assert frames[0]["view"] == reached_there["view"], "exactly there"
        # And on from there once more: the file grows.
        on = await game.ann.post(f"/api/tables/{laid['id']}/play-on", {"seq": frames[1]["seq"], "seats": alone()}, 201)
        assert on["played_from"]["moves"] == 1
        end = frames[-1]["seq"]
        path = f"/api/tables/{laid['id']}/play-on"
        problem(await game.ann.http.post(path, json={"seq": end, "seats": alone()}), 409, "nothing_left")
        problem(await game.ann.http.post(path, json={"seq": 1, "seats": alone()[:1]}), 400, "bad_request")
        again = await game.ann.post(f"/api/tables/{laid['id']}/rematch")
        assert again["played_from"] == laid["played_from"]


async def test_what_did_not_lie_open_is_dealt_again(base: str) -> None:
    async with played(base, game=SHORT) as game:
        wish = {"seq": game.seqs[2], "seats": alone(), "again": True}
        laid = [await game.ann.post(f"{game.path}/play-on", wish, 201) for _ in range(2)]
        assert all(one["played_from"]["again"] for one in laid)
        texts = []
        for one in laid:
            async with game.ann.at(one["id"]) as live:
                await live.play(1)
                assert (await live.reply(type="ask_end"))["type"] == "ack"
            texts.append((await game.ann.http.get(f"/api/tables/{one['id']}/replay")).text)
        for text in texts:
            ziggurat.Replay.parse(text).verify()
        first, second = (reached(text.partition("[scenario]\n")[2]) for text in texts)
        assert first.view(None) == second.view(None), "what lay open is as it was"
        assert first != second


async def test_nobody_is_asked_to_play_on_by_who_is_blocked_or_under_anothers_name(base: str) -> None:
    others: list[Json] = [{"kind": "bot", "bot": "random"}] * len(BOTS)
    async with played(base) as game, AsyncExitStack() as stack:
        ann, bob = game.ann, game.bob
        a, b = [await stack.enter_async_context(one.at(game.table["id"])) for one in (ann, bob)]
        wish = {"seq": game.seqs[1], "seats": [{"kind": "open"}, {"kind": "me"}, *others]}
        mine = {"seq": game.seqs[1], "seats": [{"kind": "me"}, {"kind": "open"}, *others]}
        named = {**mine, "seats": [{"kind": "me"}, {"kind": "open", "invite": "played.x"}, *others]}
        problem(await ann.http.post(f"{game.path}/play-on", json=named), 400, "bad_request")
        # Whoever takes the name of another meanwhile would sit beside them with it.
        assert (await bob.http.put("/api/me", json={"name": "ANN"})).status_code == 200
        problem(await bob.http.post(f"{game.path}/play-on", json=wish), 409, "name_taken")
        assert (await bob.http.put("/api/me", json={"name": "Bob"})).status_code == 200
        person = next(one["id"] for one in (await ann.get("/api/people"))["played"] if one["name"] == "Bob")
        assert (await ann.http.post("/api/blocks", json={"person": person})).status_code == 204
        # It looks to Bob as if Ann did not answer; and Ann does not ask him.
        laid = await bob.post(f"{game.path}/play-on", wish, 201)
        assert (laid["seats"][0]["name"], laid["seats"][0]["kept"]) == ("Ann", "other")
        assert laid["id"] not in [one["id"] for one in await ann.get("/api/tables")]
        free = await ann.post(f"{game.path}/play-on", mine, 201)
        assert (free["seats"][1]["name"], free["seats"][1].get("kept")) == ("", None)
        # Nobody was told; what is told now comes after.
        await a.reply(type="lead", lead=True)
        await b.until(lambda: told(b, "room"))
        assert not told(a, "invited_on")
        assert not told(b, "invited_on")


# --- A link for others --------------------------------------------------------------------------------------------


async def test_a_game_has_a_link_once_all_agree_until_one_withdraws(base: str) -> None:
    async with played(base) as game, visitor(base) as eve:
        path = f"{game.path}/showing"
        before = await game.ann.get(path)
        assert before == {"mine": None, "suggested": None, "agreed": [], "missing": [0, 1], "secret": None}
        await _put(game.ann, path, agree=True, named=True)
        assert (await game.bob.get(path))["secret"] is None, "who has not answered has not agreed"
        said = await _put(game.bob, path, agree=True, named=False)
        secret = said["secret"]
        assert secret
        assert said["missing"] == []
        link = {"X-Game": secret}
        shown = await eve.get("/api/shown", headers=link)
        assert [seat["name"] for seat in shown["table"]["seats"]][:2] == ["Ann", ""]
        assert shown["table"]["id"] == ""
        assert shown["table"]["invite"] is None
        assert [frame["seq"] for frame in shown["frames"]] == game.seqs
        text = (await eve.http.get("/api/shown/replay", headers=link)).text
        assert "Ann" in text
        assert "Bob" not in text
        ziggurat.Replay.parse(text).verify()
        assert game.table["id"] not in (await eve.http.get("/api/shown", headers=link)).text
        problem(await eve.http.get("/api/shown", headers={"X-Game": "x" + secret}), 404, "unknown_game_link")
        problem(await eve.http.get("/api/shown"), 404, "unknown_game_link")
        # One withdraws it for all; and gives it back.
        assert (await _put(game.bob, path, agree=False))["secret"] is None
        for what in ("", "/replay", f"/review/{game.seqs[1]}"):
            problem(await eve.http.get(f"/api/shown{what}", headers=link), 410, "game_withdrawn")
        assert (await _put(game.bob, path, agree=True))["secret"] == secret
        problem(await eve.http.get(path), 404, "unknown_table")
        problem(await eve.http.put(path, json={"agree": True}), 404, "unknown_table")


@on_both
async def test_who_agrees_at_the_same_moment_agrees_together(base: str) -> None:
    async with seated(base) as (ann, bob, first):
        games: list[str] = []
        for _ in range(4):
            table = await ann.table("me", "open", *BOTS) if games else first
            if games:
                await bob.join(table, "Bob")
                await ann.post(f"/api/tables/{table['id']}/start")
            async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
                await end(a, b)
            games.append(f"/api/tables/{table['id']}/showing")
        wish = {"agree": True, "named": True}
        await asyncio.gather(*(one.http.put(game, json=wish) for game in games for one in (ann, bob)))
        assert all([(await ann.get(game))["secret"] for game in games])


async def test_the_same_people_are_asked_with_their_answer_filled_in(base: str) -> None:
    async with seated(base) as (ann, bob, table):
        for number in range(2):
            path = f"/api/tables/{table['id']}"
            async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
                await moves(a, b, 1)
                await end(a, b)
            said = await ann.get(f"{path}/showing")
            assert said["mine"] is None
            assert said["suggested"] == ({"agree": True, "named": True} if number else None)
            await _put(ann, f"{path}/showing", agree=True, named=True)
            table = await ann.post(f"{path}/rematch")
            await bob.post(f"/api/tables/{table['id']}/accept")
        found = await ann.get("/api/me/everything")
        assert [one["agree"] for one in found["showings"]] == [True, True]


async def test_who_is_deleted_shows_nothing_any_more(base: str) -> None:
    async with played(base, 1) as game, visitor(base) as eve:
        path = f"{game.path}/showing"
        await _put(game.ann, path, agree=True, named=True)
        secret = (await _put(game.bob, path, agree=True, named=True))["secret"]
        assert secret
        assert (await game.bob.http.delete("/api/me")).status_code == 204
        problem(await eve.http.get("/api/shown", headers={"X-Game": secret}), 410, "game_withdrawn")
        assert (await game.ann.get(path))["secret"] is None


async def _put(who: Player, path: str, **body: Any) -> Json:
    answer = await who.http.put(path, json=body)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


# --- Replay files -------------------------------------------------------------------------------------------------


async def test_a_replay_file_is_opened_by_anybody(base: str) -> None:
    async with played(base) as game, visitor(base) as eve:
        text = (await game.ann.http.get(f"{game.path}/replay")).text
        shown = await eve.post("/api/replays", {"text": text})
        history = await game.ann.get(f"{game.path}/history")
        assert [frame["view"] for frame in shown["frames"]] == [frame["view"] for frame in history["frames"]]
        assert [frame["events"] for frame in shown["frames"]] == [frame["events"] for frame in history["frames"]]
        assert [seat["name"] for seat in shown["table"]["seats"]][:2] == ["Ann", "Bob"]
        assert shown["table"]["status"] == "ended"
        assert "ziggurat" not in eve.http.cookies, "nobody becomes known by it"
        lines = text.split("\n")
        at = next(n for n, line in enumerate(lines) if line[:2] in ("1 ", "2 "))
        for wrong, says in (
            ("", "begins with"),
            ("<html>", "begins with"),
            (text.replace(f"game: {EXAMPLE}", "game: chess"), "chess"),
            ("\n".join([*lines[:at], "1 fly to the moon", *lines[at + 1 :]]), f"line {at + 1}"),
            (text.replace("seed: ", "seed: 00"), "seed"),
            (text + "\n[components]\nx = [", "components"),
        ):
            answer = await eve.http.post("/api/replays", json={"text": wrong})
            assert answer.status_code == 400, answer.text
            assert answer.json()["code"] == "bad_replay"
            assert says in answer.json()["detail"].lower()
        problem(await eve.http.post("/api/replays", json={"text": "x" * 200_001}), 400, "bad_request")
        problem(await eve.http.post("/api/replays", json={"text": "x" * 300_000}), 413, "too_large")


def test_a_scenario_says_the_same_when_it_is_written() -> None:
    from ziggurat.core import scenario

    text = (
        'game = "x"\nseed = "a\\"b\\u007f"\nmoves = ["1 a"]\n[position]\nhands.1 = ["blue 5"]\nturn = 2\nopen = true\n'
    )
    first = scenario.parse(text)
    assert scenario.parse(scenario.dump(first)) == first

"""`ziggurat bot`: programs at tables, whole games, and all that a program can answer wrongly."""

from __future__ import annotations

import asyncio
import http.server
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner
from tests import runs
from tests.example import EXAMPLE, SEATS, SHORT
from tests.server.features.programs.test_programs import LETS, open_table, owner
from tests.server.features.programs.test_tokens import TOKENS, new_token
from tests.server.player import PATIENCE, visitor
from tests.server.process import server

import ziggurat
from ziggurat.cli.bot import command
from ziggurat.core.errors import UnknownBot
from ziggurat.remote import Bridge, ServerAway, ServerRefused, TableServer, TokenRefused, read_token
from ziggurat.remote.bridge import checked
from ziggurat.remote.client import read_link

BOTS = ["random"] * (SEATS - 2)

PROGRAM = """
import json, os, sys, time

asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"want": ["choices"]}}), flush=True)
        continue
    if message["type"] != "decision":
        continue
    asked += 1
    id, legal = message["id"], message["legal"]
    right = json.dumps({{"id": id, "action": legal[0]}})
    {answer}
"""
WRONG: dict[str, str] = {
    "not legal": "print(json.dumps({'id': id, 'action': -1}), flush=True)",
    "older question": "print(json.dumps({'id': id - 1, 'action': legal[0]}), flush=True)",
    "another seat": "print(json.dumps({'id': id, 'seat': 0, 'action': legal[0]}) + '\\n' + right, flush=True)",
    "late": "time.sleep(60)",
    "is killed": "os.kill(os.getpid(), 9)",
}
"""What a program answers, by what is wrong with it: each way to go on. `tests/core/test_outside.py` and
`tests/lab/test_wrong_answers.py` have all that can be wrong."""


def program(folder: Path, name: str) -> str:
    file = folder / "bot.py"
    file.write_text(PROGRAM.format(answer=WRONG.get(name, "print(right, flush=True)")))
    return f"cmd:{sys.executable} {file}"


@contextmanager
def bridged(base: str, token: str, bot: str, **more: Any) -> Iterator[tuple[Bridge, list[str]]]:
    """A bridge at work."""
    said: list[str] = []
    bridge = Bridge(TableServer(base, token), bot, say=said.append, **more)
    failed: list[BaseException] = []

    def run() -> None:
        try:
            bridge.run()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield bridge, said
    finally:
        bridge.close()
    assert not failed or isinstance(failed[0], TokenRefused), failed


@pytest.mark.slow
@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), often=[SHORT]))
async def test_a_program_plays_whole_games(sqlite_base: str, game: str, tmp_path: Path) -> None:
    """Of docs/agents.md, which knows nothing of servers; and one of our levels beside it."""
    players = max(2, ziggurat.game(game).min_players)
    async with visitor(sqlite_base, "Ann") as ann, owner(sqlite_base, "Bob") as bob, owner(sqlite_base, "Cid") as cid:
        table = await ann.table("open", "open", *["random"] * (players - 2), game=game, policy=LETS)
        link = f"{sqlite_base}/#/join/{table['id']}/{table['invite']}"
        with (
            bridged(sqlite_base, await new_token(bob), program(tmp_path, "")) as (one, said),
            bridged(sqlite_base, await new_token(cid), "greedy") as (other, _),
        ):
            await asyncio.to_thread(one.join, link, "Robo")
            await asyncio.to_thread(other.join, f"{table['id']}/{table['invite']}", "Robi")
            async with ann.at(table["id"]) as live:
                await ann.post(f"/api/tables/{table['id']}/start", {})
                await live.until_over()
                seats = [seat for seat in live.state["table"]["seats"] if seat["kind"] == "human"]
                assert [seat["program"] for seat in seats] == ["bot", "bot"]
                assert [seat["by_bot"] for seat in seats] == [0, 0]
        assert not any("heuristic" in line for line in said), said


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
async def test_a_wrong_answer_is_this_programs_alone(sqlite_base: str, name: str, tmp_path: Path) -> None:
    """Its own game goes on by the heuristic, and what others play is not touched."""
    async with (
        visitor(sqlite_base, "Ann") as ann,
        owner(sqlite_base, "Robo") as person,
        visitor(sqlite_base, "Eve") as eve,
    ):
        others = await eve.table("me", *["random"] * (SEATS - 1))
        async with eve.at(others["id"]) as live:
            await live.turn()  # then nothing happens there by itself
        table = await open_table(ann)
        before = await eve.get(f"/api/tables/{others['id']}")
        fine = ("older question", "another seat")
        with bridged(sqlite_base, await new_token(person), program(tmp_path, name), seconds=0.3) as (bridge, said):

            def heard() -> bool:
                return name in fine or any("the heuristic moves for it" in line for line in said)

            await asyncio.to_thread(bridge.join, f"{table['id']}/{table['invite']}", "Robo")
            async with ann.at(table["id"]) as live:
                await ann.post(f"/api/tables/{table['id']}/start", {})
                made = 0
                while made < 3 or not heard():  # who pays exactly moves again, and the program is not asked
                    await live.until(lambda: live.legal or live.over)
                    if live.over:
                        break
                    seq = live.state["seq"]
                    assert (await live.move())["type"] == "ack"
                    await live.until(partial(lambda before: live.state["seq"] > before, seq))
                    made += 1
                await live.until(lambda: live.legal or live.over)
                seat = live.state["table"]["seats"][1]
                assert (seat["program"], seat["bot"]) == ("bot", None), "it has moved itself, each time"
        after = await eve.get(f"/api/tables/{others['id']}")
        assert (after["seq"], after["status"], after["actors"]) == (before["seq"], before["status"], before["actors"])
        assert heard(), said


@pytest.mark.slow
async def test_it_survives_a_server_that_goes_and_comes_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with server(data) as first:
        port = first.base.rpartition(":")[2]
        async with visitor(first.base, "Ann") as ann, owner(first.base, "Robo") as person:
            table = await open_table(ann, game=EXAMPLE)
            cookies = dict(ann.http.cookies)
            token = await new_token(person)
            bridge = Bridge(TableServer(first.base, token), "greedy")
            await asyncio.to_thread(bridge.join, f"{table['id']}/{table['invite']}", "Robo")
            await ann.post(f"/api/tables/{table['id']}/start", {})
        thread = threading.Thread(target=bridge.run, daemon=True)
        thread.start()
        async with visitor(first.base) as ann:
            ann.http.cookies.update(cookies)
            async with ann.at(table["id"]) as live:
                await live.play(2)
        first.kill()
    with server(data, port=int(port)) as second:
        async with visitor(second.base) as ann:
            ann.http.cookies.update(cookies)
            async with ann.at(table["id"]) as live:
                await live.play()
                assert live.over
                assert live.state["table"]["seats"][1]["by_bot"] == 0
    bridge.close()


async def test_it_sits_down_where_it_is_asked_and_let(sqlite_base: str) -> None:
    """By the next game of the same people: a seat is kept for it there."""
    async with visitor(sqlite_base, "Ann") as ann, owner(sqlite_base, "Robo") as person:
        table = await open_table(ann)
        path = f"/api/tables/{table['id']}"
        with bridged(sqlite_base, await new_token(person), "greedy") as (bridge, _):
            await asyncio.to_thread(bridge.join, f"{table['id']}/{table['invite']}", "Robo")
            await ann.post(f"{path}/start", {})
            async with ann.at(table["id"]) as live:
                assert (await live.reply(type="ask_end"))["type"] == "ack"
                await live.until(lambda: live.state["table"]["status"] == "ended")  # it agrees to what people wish
            again = await ann.post(f"{path}/rematch", {})
            async with ann.at(again["id"]) as live:
                await live.until(lambda: live.state["table"]["seats"][1].get("program") == "bot")
                await live.until(lambda: live.state["table"]["status"] == "playing")


async def test_it_ends_when_its_token_does(sqlite_base: str) -> None:
    async with owner(sqlite_base, "Robo") as person:
        bridge = Bridge(TableServer(sqlite_base, await new_token(person)), "greedy")
        running = asyncio.create_task(asyncio.to_thread(bridge.run))
        [token] = await person.get(TOKENS)
        await person.http.delete(f"{TOKENS}/{token['id']}")
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(TokenRefused, match=r"withdrawn"):
                await running


# --- What is said on the command line ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("games.example", "https://games.example"),
        ("ftp://games.example", "https://games.example"),
        ("https://ann:secret@games.example", "https://games.example"),
        ("https://games.example?token=x", "https://games.example"),
        ("https://games.example:port", "https://games.example"),
        ("http://games.example", "in the clear"),
        ("http://8.8.8.8", "in the clear"),
    ],
)
def test_a_wrong_address_is_refused_before_the_token_leaves(address: str, says: str) -> None:
    with pytest.raises(ServerRefused, match=says):
        TableServer(address, "ziggurat_x")


def test_a_wrong_file_of_a_token_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    for text in (None, "", "secret", "ziggurat_a b", "ziggurat_á"):
        if text is not None:
            file.write_text(text, encoding="utf-8")
        with pytest.raises(ServerRefused, match="token"):
            read_token(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ServerRefused, match="no text"):
        read_token(file)
    file.write_text("ziggurat_abc\n")
    assert read_token(file) == "ziggurat_abc"


def test_tables_are_named_by_links_and_ids() -> None:
    found = read_link("https://games.example/#/join/ab12/s-_x")
    assert (found.table, found.secret) == ("ab12", "s-_x")
    assert (read_link("ab12").table, read_link("ab12").secret) == ("ab12", "")
    for wrong in ("", "a b", "../..", "https://games.example/", "a/b/c/d"):
        with pytest.raises(ServerRefused):
            read_link(wrong)


def test_a_wrong_command_says_what_would_be_right(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("ziggurat_x")
    usual = ["--server", "http://127.0.0.1:9", "--token-file", str(token)]
    for given, says in (
        ([*usual, "--bot", "nobody"], "nobody"),
        ([*usual, "--bot", "cmd:there-is-no-such-program"], "there-is-no-such-program"),
        ([*usual, "--bot", "greedy", "--join", "x y"], "link or its id"),
        ([*usual[:3], str(tmp_path / "none"), "--bot", "greedy"], "cannot be read"),
        (["--server", "http://games.example", *usual[2:], "--bot", "greedy"], "in the clear"),
    ):
        answer = CliRunner().invoke(command, given)
        assert answer.exit_code == 2
        assert says in answer.output
        assert "Traceback" not in answer.output
        assert "ziggurat_x" not in answer.output
    with pytest.raises(UnknownBot):
        checked("nobody")


# --- A server that is none -----------------------------------------------------------------------------------------


class Hostile(http.server.BaseHTTPRequestHandler):
    """Answers whatever the test wants; notes what it is told."""

    status, headers_, body = 200, {}, b""  # type: ignore[var-annotated]
    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        type(self).asked.append((self.path, self.headers.get("authorization")))
        self.send_response(self.status)
        for name, value in self.headers_.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(self.body)

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def hostile(status: int = 200, body: bytes = b"", **headers: str) -> Iterator[tuple[str, type[Hostile]]]:
    kind = type("One", (Hostile,), {"status": status, "body": body, "headers_": headers, "asked": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind) as there:
        threading.Thread(target=there.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{there.server_port}", kind
        finally:
            there.shutdown()


def waits(_: float) -> None:
    """Nobody waits in a test."""


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>"),
        (200, b""),
        (200, b"[" * 100_000),
        (200, b"\xff" * 10),
        (200, b"7"),
        (200, b'{"seq": "x"}'),
        (
            200,
            json.dumps(
                {
                    "seq": 1,
                    "seat": 0,
                    "game": EXAMPLE,
                    "players": SEATS,
                    "options": {},
                    "components": None,
                    "versions": {},
                    "state": "AA==",
                }
            ).encode(),
        ),
        (200, b"x" * (5 << 20)),
        (404, b"nothing"),
        (500, b"{}"),
        (301, b""),
    ],
)
def test_a_server_that_says_nonsense_is_an_error_of_one_sentence(status: int, body: bytes) -> None:
    with hostile(status, body) as (base, _):
        there = TableServer(base, "ziggurat_x", sleep=waits)
        with pytest.raises((ServerAway, ServerRefused)):
            there.believed("x")
        if status == 200 and body not in (b"", b'{"seq": "x"}') and not body.startswith(b'{"seq": 1'):
            with pytest.raises(ServerAway):
                list(there.lines("/api/stream"))


def test_the_token_goes_nowhere_else() -> None:
    with hostile() as (elsewhere, other), hostile(307, b"", location=f"{elsewhere}/") as (base, _):
        with pytest.raises(ServerRefused):
            TableServer(base, "ziggurat_x", sleep=waits).ask("GET", "/api/tables")
        assert other.asked == []


def test_who_is_asked_to_wait_waits_and_asks_again() -> None:
    waited: list[float] = []
    body = json.dumps({"code": "rate_limited", "detail": "Too many."}).encode()
    with hostile(429, body, **{"retry-after": "7"}) as (base, kind):
        with pytest.raises(ServerRefused, match="Too many"):
            TableServer(base, "ziggurat_x", sleep=waited.append).ask("GET", "/api/tables", tries=3)
        assert waited == [7, 7]
        assert len(kind.asked) == 3
    with hostile(429, body, **{"retry-after": "9999999"}) as (base, _):
        with pytest.raises(ServerRefused):
            TableServer(base, "ziggurat_x", sleep=waited.append).ask("GET", "/api/tables", tries=2)
        assert waited[-1] == 60

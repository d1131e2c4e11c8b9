"""What one hostile visitor can do to the others: their moves are timed in peace and under every attack.

    python -m benchmarks.attack [--attack NAME ...] [--seconds 20] [--tables 20] [--json]
    python -m benchmarks.attack --wrong 100000 [--seed 1]    wrong requests and frames: answers, and memory

People play at tables of four, from one address; the attacker comes from another one, in a process of its
own. Each line tells how long the people's moves took until they were acknowledged, beside the same people in peace just
before, what the attacker was answered, and how much memory the server had before and after.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import psutil  # type: ignore[import-untyped]
from benchmarks import wrong
from benchmarks.service import Tally, alone, our_table
from benchmarks.sockets import Socket
from benchmarks.tables import machine, server

import ziggurat

GAME = next(iter(ziggurat.registered_games()))
Attack = Callable[["Attacker"], Awaitable[None]]
ATTACKS: dict[str, Attack] = {}


def elsewhere() -> str:
    """An address of this machine that is not the others'; where there is none, theirs."""
    with socket.socket() as tried:
        try:
            tried.bind(("127.0.0.2", 0))
        except OSError:
            return "127.0.0.1"
    return "127.0.0.2"


HOSTILE = elsewhere()


def attack(function: Attack) -> Attack:
    """An attack by the name of its function."""
    ATTACKS[function.__name__.replace("_", "-")] = function
    return function


class Attacker:
    """Somebody from another address."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.answers: Counter[str] = Counter()
        self.cookie = ""

    async def raw(self, sent: bytes, wait: float = 5.0) -> bytes:
        """Send bytes on a connection of its own; return what comes back."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(HOSTILE, 0))
        except OSError as error:
            self.answers[type(error).__name__] += 1
            return b""
        try:
            writer.write(sent)
            async with asyncio.timeout(wait):
                answer = await reader.read(1 << 20)
            self.answers[answer[9:12].decode(errors="replace") or "closed"] += 1
            return answer
        except (OSError, TimeoutError) as error:
            self.answers[type(error).__name__] += 1
            return b""
        finally:
            writer.close()

    async def request(self, method: str, path: str, body: Any = None, wait: float = 5.0, **headers: str) -> Any:
        """Send a request; return the JSON of its answer, if it has some."""
        text = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{method} {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Connection: close",
            f"Cookie: {self.cookie}",
            "Content-Type: application/json",
            f"Content-Length: {len(text)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        answer = await self.raw("\r\n".join([*lines, "", ""]).encode(errors="replace") + text, wait)
        head, _, rest = answer.partition(b"\r\n\r\n")
        for line in head.decode(errors="replace").split("\r\n"):
            if line.lower().startswith("set-cookie:"):
                self.cookie = line.partition(":")[2].split(";")[0].strip()
        with contextlib.suppress(ValueError):
            found = json.loads(rest)
            if isinstance(found, dict) and "code" in found:
                self.answers[found["code"]] += 1
            return found

    async def ready(self) -> None:
        """Wait until the server answers, however busy the machine is, and be known there."""
        until = time.monotonic() + wrong.AT_FIRST
        while not self.cookie:
            if time.monotonic() > until:
                raise SystemExit(f"the server did not answer within {wrong.AT_FIRST:.0f} seconds")
            await self.request("PUT", "/api/me", {"name": "Mallory"}, until - time.monotonic())
            if not self.cookie:
                await asyncio.sleep(wrong.AGAIN)
        self.answers.clear()

    def friend(self) -> Attacker:
        """Somebody else who is as hostile, from the same address."""
        found = Attacker(self.port)
        found.answers = self.answers
        return found

    async def table(self, *seats: str) -> dict[str, Any]:
        """Make a table, and begin it if nobody is waited for."""
        wishes = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "bot": seat} for seat in seats]
        body = {"game": GAME, "seats": wishes, "pace": "instant"}
        made = await self.request("POST", "/api/tables", body, wait=60.0)
        return made if isinstance(made, dict) else {}

    async def socket(
        self, table: str, heard: Callable[[Socket, bytes], None] = lambda _, __: None, invite: str = ""
    ) -> Socket | None:
        """Open a socket at a table and say hello."""
        path = f"/api/tables/{table}/live" + (f"?invite={invite}" if invite else "")
        try:
            found = await Socket.connect(self.port, path, self.cookie, heard, lambda: None, HOSTILE)
        except (OSError, TimeoutError) as error:
            self.answers[type(error).__name__] += 1
            return None
        self.answers["101"] += 1
        found.send(b'{"type":"hello","since":null}')
        return found


async def side_by_side(count: int, what: Callable[[], Awaitable[object]]) -> None:
    """Do something again and again, so many times at once."""

    async def again() -> None:
        while True:
            await what()
            await asyncio.sleep(0)

    await asyncio.gather(*(again() for _ in range(count)))


# --- The attacks -------------------------------------------------------------------------------------------------


@attack
async def components(attacker: Attacker) -> None:
    """Files of components that are slow to read."""
    await attacker.request("PUT", "/api/me", {"name": "Mallory"})
    bombs = [".".join(["a"] * 25_000) + " = 1", "[" * 100_000, "a = " + "{b=" * 40_000, "x = '" + "y" * 90_000 + "'"]
    bombs += ["\n".join(f"k{n} = {n}" for n in range(8_000)), "\n".join(f"[t{n}.{n}]" for n in range(8_000))]
    # Those that are not too long to be read.
    bombs += [
        "x = [" + "1," * 5_900 + "]",
        "\n".join("a." * 30 + f"k{n} = 1" for n in range(170)),
        "#\n" * 5_990 + "x = 1",
    ]
    bombs += ["\n".join(f"a.b{n} = 1" for n in range(950)), "\n".join(f"[{'a.' * 30}k{n}]" for n in range(170))]

    async def send() -> None:
        body = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}], "components": random.choice(bombs)}
        await attacker.request("POST", "/api/tables", body)

    await side_by_side(16, send)


@attack
async def silence(attacker: Attacker) -> None:
    """1,100 connections that say nothing, or half of something."""
    said = [b"", b"GET / HT", b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"]
    await side_by_side(1100, lambda: attacker.raw(random.choice(said), wait=60))


@attack
async def masters(attacker: Attacker) -> None:
    """60 tables of Masters alone, with somebody who looks on at each."""
    await attacker.request("PUT", "/api/me", {"name": "Mallory"})
    for _ in range(60):
        made = await attacker.table(*["master"] * 5)
        if "id" in made:
            await attacker.request("POST", f"/api/tables/{made['id']}/start")
            await attacker.socket(made["id"])
    await asyncio.sleep(3600)


@attack
async def hints(attacker: Attacker) -> None:
    """20 sockets that ask for hints and previews as fast as they can."""
    await attacker.request("PUT", "/api/me", {"name": "Mallory"})
    sockets = []
    for _ in range(20):
        wishes = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
        made = await attacker.request(
            "POST", "/api/tables", {"game": GAME, "seats": wishes, "pace": "instant", "hints": True}
        )
        if isinstance(made, dict) and "id" in made:
            await attacker.request("POST", f"/api/tables/{made['id']}/start")
            sockets.append(await attacker.socket(made["id"]))
    number = 0
    while True:
        number += 1
        for one in sockets:
            if one is not None:
                one.send(json.dumps({"type": "hint", "id": f"h{number}", "seq": 1}).encode())
                one.send(json.dumps({"type": "preview", "id": f"p{number}", "seq": 1, "steps": []}).encode())
        await asyncio.sleep(0.005)


@attack
async def onlookers(attacker: Attacker) -> None:
    """1,500 who look on at one table and come and go, and hellos without end."""
    await attacker.request("PUT", "/api/me", {"name": "Mallory"})
    made = await attacker.table("me", "greedy", "greedy")
    await attacker.request("POST", f"/api/tables/{made.get('id')}/start")

    async def look() -> None:
        one = await attacker.socket(made.get("id", "x"), invite=made.get("invite") or "")
        if one is None:
            await asyncio.sleep(0.05)
            return
        for _ in range(200):
            one.send(b'{"type":"hello","since":null}')
            await asyncio.sleep(0.05)
        one.close()

    await side_by_side(1500, look)


@attack
async def deafness(attacker: Attacker) -> None:
    """Sockets that never read what they ask for."""
    await attacker.request("PUT", "/api/me", {"name": "Mallory"})
    made = await attacker.table("me", "greedy", "greedy")
    await attacker.request("POST", f"/api/tables/{made.get('id')}/start")

    async def ask() -> None:
        one = await attacker.socket(made.get("id", "x"))
        if one is None or one.transport is None:
            await asyncio.sleep(0.1)
            return
        one.transport.pause_reading()
        for number in range(100_000):
            if one.transport.is_closing():
                break
            one.send(json.dumps({"type": "preview", "id": f"p{number}", "seq": 1, "steps": []}).encode())
            if one.transport.get_write_buffer_size() > 1 << 16:
                await asyncio.sleep(0.1)
            await asyncio.sleep(0)
        one.close()

    await side_by_side(30, ask)


@attack
async def handshakes(attacker: Attacker) -> None:
    """Sockets that are opened and closed, and pages that are loaded, as fast as it goes."""

    async def knock() -> None:
        one = await attacker.socket("x" * random.randrange(1, 40))
        if one is not None:
            one.close()
        await attacker.request("GET", random.choice(["/", "/api/games", "/api/me", "/api/tables", "/favicon.svg"]))

    await side_by_side(50, knock)


@attack
async def nonsense(attacker: Attacker) -> None:
    """Requests and frames that are wrong in every way."""
    await attacker.request("PUT", "/api/me", {"name": "Mallory"})
    made = await attacker.table("me", "greedy")
    paths = ["/", "/api/tables", "/api/me", "/api/tables/x/join", "/schema/x", "/assets/../x", f"/api/{'a' * 300}"]
    bodies = [
        b"\xff\xfe",
        b"{",
        b"[]",
        b"null",
        b'{"name":1}',
        b'{"seats":"x"}',
        b'"' + b"a" * 50_000 + b'"',
        b"[" * 9000,
    ]
    frames = [b"{", b"[]", b'{"type":"x"}', b'{"type":"move"}', b'{"type":"move","id":"","seq":-1,"steps":[]}']
    frames += [b'{"type":"hello","since":"x"}', b"\xff\xff", b'{"type":"hint","id":"\\u0000","seq":99999999999}']

    async def send() -> None:
        if random.random() < 0.5:
            await attacker.raw(random.randbytes(random.randrange(1, 2000)) + b"\r\n\r\n")
        method = random.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "FOO"])
        await attacker.request(method, random.choice(paths), random.choice(bodies))
        one = await attacker.socket(made.get("id", "x"))
        if one is not None:
            for frame in random.choices(frames, k=20):
                one.send(frame)
            await asyncio.sleep(0.01)
            one.close()

    await side_by_side(20, send)


class Seated:
    """A hostile person at a table, who tries a move when it is their turn."""

    def __init__(self, attacker: Attacker) -> None:
        self.attacker = attacker
        self.socket: Socket | None = None
        self.acknowledged = asyncio.Event()
        self._number = self._seq = 0
        self._legal: list[int] = []

    async def sit(self, table: str) -> None:
        """Open a socket at the table."""
        self.socket = await self.attacker.socket(table, self.hear)

    def hear(self, socket: Socket, text: bytes) -> None:
        """Count what was answered, and move."""
        message = json.loads(text)
        kind = message["type"]
        if kind == "error":
            self.attacker.answers[message["code"]] += 1
            if message["code"] == "unfinished_move":
                self.move()
            elif message["code"] == "game_over":
                self.acknowledged.set()
        elif kind == "ack":
            self.attacker.answers["ack"] += 1
            self.acknowledged.set()
        elif kind in ("update", "news") and (legal := (message["decision"] or {}).get("legal")):
            self.socket, self._seq, self._legal = socket, message["seq"], [choice["action"] for choice in legal]
            self.move()

    def move(self) -> None:
        """Try a move of one step."""
        self.say("move", seq=self._seq, steps=[random.choice(self._legal)])

    def say(self, kind: str, **more: Any) -> None:
        """Send a message under an id that is new."""
        if self.socket is not None:
            self._number += 1
            self.socket.send(json.dumps({"type": kind, "id": f"{kind}{self._number}", **more}).encode())


@attack
async def rematches(attacker: Attacker) -> None:
    """Games that are ended as soon as they have begun, and played again: each is a new table."""

    async def game() -> None:
        made = await attacker.table("me", "greedy", "greedy")
        while "id" in made:
            me = Seated(attacker)
            await me.sit(made["id"])
            with contextlib.suppress(TimeoutError):
                me.say("ask_end")
                async with asyncio.timeout(5):
                    await me.acknowledged.wait()
            if me.socket is not None:
                me.socket.close()
            again = await attacker.request("POST", f"/api/tables/{made['id']}/rematch")
            if isinstance(again, dict) and "id" in again:
                made = again

    await side_by_side(8, game)


@attack
async def answers(attacker: Attacker) -> None:
    """Six tables of three who ask to undo and to end, take it back, and answer the same again and again."""
    friends = [attacker.friend(), attacker.friend()]
    tables: list[list[Seated]] = []
    for _ in range(6):
        made = await attacker.table("me", "open", "open")
        if "id" not in made:
            continue
        for at, friend in enumerate(friends):
            body = {"invite": made["invite"], "name": f"Eve {at}", "seat": at + 1}
            await friend.request("POST", f"/api/tables/{made['id']}/join", body)
        await attacker.request("POST", f"/api/tables/{made['id']}/start")
        tables.append([Seated(person) for person in (attacker, *friends)])
        for seated in tables[-1]:
            await seated.sit(made["id"])
    rounds = 0
    while True:
        rounds += 1
        for people in tables:
            asks, repeats, _ = people
            for seated in people:
                seated.say("undo")
            asks.say("ask_end")
            for _ in range(3):
                repeats.say("undo_answer", agree=True)
                repeats.say("vote", agree=True)
            asks.say("vote", agree=False)
            if rounds % 20 == 0:
                for seated in people:
                    seated.say("undo_answer", agree=False)
        await asyncio.sleep(0.02)


@attack
async def settings(attacker: Attacker) -> None:
    """40 running tables, and a setting that each of them has to be told, there and back."""
    for _ in range(40):
        await attacker.table("me", "greedy")
    wishes = itertools.cycle([True, False])
    await side_by_side(8, lambda: attacker.request("PUT", "/api/me", {"by_hand": next(wishes)}))


@attack
async def signing_in(attacker: Attacker) -> None:
    """Recovery codes, links for other devices and signing in by them, and by what is guessed, as fast as it goes."""

    async def knock() -> None:
        friend, kind = attacker.friend(), random.randrange(4)
        if kind == 0:
            await attacker.request("POST", "/api/me/codes")
        elif kind == 1:
            await friend.request("POST", "/api/sign-in", {"secret": "AAAA-BBBB-CCCC"})
        elif kind == 2:
            link = await attacker.request("POST", "/api/me/link")
            if isinstance(link, dict) and "secret" in link:
                await friend.request("POST", "/api/sign-in", {"secret": link["secret"]})
        else:
            await attacker.request("POST", "/api/sign-in/passkey/question")

    await side_by_side(16, knock)


async def hostile(name: str, port: int) -> None:
    """Attack until told to end; say when it begins, and in the end what was answered."""
    if hasattr(os, "nice"):
        os.nice(19)  # what is timed beside it shall not wait for a processor of its own
    attacker = Attacker(port)
    await attacker.ready()
    print("begun", flush=True)
    task = asyncio.ensure_future(ATTACKS[name](attacker))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task
    print(json.dumps(attacker.answers), flush=True)


# --- Measuring ---------------------------------------------------------------------------------------------------


def _percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] * 1000 if values else float("nan")


async def timed(tally: Tally, seconds: float) -> list[float]:
    """How long the people's moves take for a while."""
    tally.latencies.clear()
    tally.on = True
    await asyncio.sleep(seconds)
    tally.on = False
    return list(tally.latencies)


async def measured(
    base: str, running: psutil.Process, names: list[str], seconds: float, tables: int
) -> dict[str, dict[str, Any]]:
    """Time the people's moves in peace and under every attack."""
    tally, results = Tally(), {}
    tasks = []
    for _ in range(tables):
        sits = asyncio.Event()
        tasks.append(asyncio.create_task(our_table(base, GAME, 4, tally, 1.0, sits.set)))
        await sits.wait()
    try:
        await asyncio.sleep(5)
        for name in names:
            quiet, before = await timed(tally, seconds), running.memory_info().rss
            command = [sys.executable, "-m", "benchmarks.attack", "--as", name, "--port", base.rpartition(":")[2]]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            if not await asyncio.to_thread(process.stdout.readline):
                raise SystemExit(f"{name} did not begin")
            await asyncio.sleep(3)  # it goes on
            began = time.perf_counter()
            under = await timed(tally, seconds)
            process.terminate()
            said, _ = await asyncio.to_thread(process.communicate)
            results[name] = {
                "seconds": round(time.perf_counter() - began, 1),
                "quiet_p50_ms": round(_percentile(quiet, 0.5), 1),
                "quiet_p99_ms": round(_percentile(quiet, 0.99), 1),
                "p50_ms": round(_percentile(under, 0.5), 1),
                "p99_ms": round(_percentile(under, 0.99), 1),
                "moves": len(under),
                "memory_mb": [round(before / 2**20), round(running.memory_info().rss / 2**20)],
                "answers": json.loads(said or "{}"),
                "errors": dict(tally.errors),
            }
            print(f"{name}: {results[name]}", file=sys.stderr, flush=True)
            if name != names[-1]:
                await asyncio.sleep(20)  # what it left is cleared away
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return results


async def answers_to_wrong(base: str, running: psutil.Process, count: int, seed: int) -> dict[str, Any]:
    """Send what is wrong; return how it was answered, and the server's memory before and after."""
    port, memory = int(base.rpartition(":")[2]), list[int]()

    def note() -> None:
        memory.append(round(running.memory_info().rss / 2**20))

    await wrong.send(port, GAME, 2000, seed + 1)  # what is loaded once is there
    note()
    began = time.perf_counter()
    found = await wrong.send(port, GAME, count, seed, note)
    return {
        "seconds": round(time.perf_counter() - began, 1),
        "sent": found.sent,
        "answers": dict(found.kinds.most_common()),
        "memory_mb": [memory[0], memory[len(memory) // 2], memory[-1]],
        "our_mistakes": found.bad,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--attack", action="append", choices=list(ATTACKS), help="(default: all)")
    parser.add_argument("--seconds", type=float, default=20, help="of peace, and of each attack (default: 20)")
    parser.add_argument("--tables", type=int, default=20, help="tables of four people (default: 20)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--wrong", type=int, metavar="COUNT", help="send so many wrong requests and frames instead")
    parser.add_argument("--seed", type=int, default=1, help="of what is wrong (default: 1)")
    parser.add_argument("--as", dest="name", choices=list(ATTACKS), help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.name:
        asyncio.run(hostile(options.name, options.port))
        return
    ziggurat.prepare(GAME)
    if options.wrong:
        wrong.with_usual_quotas()
        with server(None) as (base, running):
            print(json.dumps(asyncio.run(answers_to_wrong(base, running, options.wrong, options.seed)), indent=1))
        return
    with server(None, bounded=True) as (base, running):
        alone(running)
        wanted = options.attack or list(ATTACKS)
        results = asyncio.run(measured(base, running, wanted, options.seconds, options.tables))
    if options.json:
        print(json.dumps({"machine": machine(), "results": results}, indent=1))
        return
    columns = ("quiet_p50_ms", "quiet_p99_ms", "p50_ms", "p99_ms", "moves", "memory_mb")
    print(f"{'':14}" + "".join(f"{column:>14}" for column in columns) + "  answers")
    for name, found in results.items():
        line = "".join(f"{found[column]!s:>14}" for column in columns)
        print(f"{name:14}{line}  {found['answers']}")


if __name__ == "__main__":
    main()

"""Several workers under one parent: what dies is started again, what is replaced refuses nobody, and nobody is left."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families
from tests import runs
from tests.example import SEATS
from tests.server.fixtures import NewDatabase
from tests.server.player import PATIENCE, Json, Live, Player, socket_url, visitor
from tests.server.process import Server, ended, launch, server
from tests.server.receivers import listening
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus

from ziggurat.server import startup_responder, supervisor
from ziggurat.server.problems import StartError
from ziggurat.server.services import compiled_rules
from ziggurat.server.settings import Settings
from ziggurat.server.supervisor import Orders, Supervisor, shares

pytestmark = pytest.mark.slow

WORKER = """
import contextlib, json, os, select, socket, sys, threading, time
channel = socket.socket(fileno=0)
orders = json.loads(channel.makefile().readline())
me = orders["host"] + orders.get("host_token", ""), os.getpid(), time.monotonic()
open(sys.argv[1], "a").write(json.dumps(me) + "\\n")
while (does := open(sys.argv[2]).read()) in ("", "wait"):
    time.sleep(0.01)
def answer():
    listener = socket.socket(fileno=orders["listener"])
    while True:
        try:
            select.select([listener], [], [])
            came, _ = listener.accept()
        except BlockingIOError:
            continue
        with came, contextlib.suppress(OSError):
            came.settimeout(60)
            if came.recv(1000):
                came.sendall(b"HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\nconnection: close\\r\\n\\r\\nme")
if does not in ("refuse", "die"):
    threading.Thread(target=answer, daemon=True).start()
if does == "refuse":
    channel.sendall(b'{"type":"refused","why":"The cellar is full of water."}\\n')
elif does != "die":
    channel.sendall(b'{"type":"ready"}\\n')
    channel.settimeout(0.02)
    while True:
        try:
            channel.recv(1)
            break
        except TimeoutError:
            channel.sendall(b'{"type":"alive"}\\n')
sys.exit(3)
"""
"""A worker that does as a file says; until its parent ends, if it serves. Whoever comes is told `me`."""


class Family:
    """A parent with workers that are quick to start."""

    def __init__(self, folder: Path) -> None:
        self.book, self.does = folder / "started", folder / "does"
        self.does.write_text("serve")
        self.announced = 0
        self.base = ""
        self.life: asyncio.Task[None]

    @property
    def started(self) -> list[tuple[str, int, float]]:
        """Name, process and time of each start."""
        return [json.loads(line) for line in self.book.read_text().splitlines()] if self.book.exists() else []

    def alive(self) -> set[int]:
        return {process.pid for process in psutil.Process().children() if process.pid in {s[1] for s in self.started}}

    def _announce(self, _hosts: str) -> None:
        self.announced += 1

    @asynccontextmanager
    async def running(self, workers: int) -> AsyncIterator[Supervisor]:
        with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
            self.base = f"http://127.0.0.1:{listener.getsockname()[1]}"
            orders = [Orders(listener.fileno(), "", None, f"worker {number}", 1, True) for number in range(workers)]
            command = (sys.executable, "-I", "-S", "-c", WORKER, str(self.book), str(self.does))
            parent = Supervisor(command, orders, listener)
            self.life = asyncio.create_task(parent.run(self._announce))
            try:
                yield parent
            finally:
                parent.stop()
                async with asyncio.timeout(PATIENCE):
                    await self.life
        assert not self.alive()


@pytest.fixture
def family(tmp_path: Path) -> Family:
    return Family(tmp_path)


SELDOM = 0.2
"""Seconds between two looks at what takes long to look at: all processes of the machine, or what servers count."""


async def until(holds: Callable[[], Any], seconds: float = PATIENCE, pause: float = 0.01) -> Any:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not (result := holds()):
            await asyncio.sleep(pause)
        return result


def test_who_thinks_is_divided() -> None:
    assert shares(7, 3) == [3, 2, 2]
    assert shares(4, 2) == [2, 2]
    assert shares(1, 3) == [1, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--workers", "2"), "PostgreSQL"),
        (("--workers", "0"), "1 to"),
        (("--workers", "2", "--database-url", "mysql://x/y"), "postgresql://"),
    ],
)
def test_what_cannot_be_is_refused_at_once(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    code, _, err = ended("--port", "0", "--data", str(tmp_path), *arguments)
    assert code == 2
    assert says in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(("does", "says"), [("refuse", "full of water"), ("die", "ended with code 3 before it served")])
async def test_when_no_worker_can_start_the_parent_says_why(family: Family, does: str, says: str) -> None:
    family.does.write_text(does)
    with pytest.raises(StartError, match=says):
        async with family.running(2):
            await asyncio.wait([family.life], timeout=PATIENCE)
    assert not family.announced


async def test_what_dies_is_started_again(family: Family) -> None:
    async with family.running(2):
        await until(lambda: len(family.alive()) == 2 and family.announced)
        [victim] = [pid for name, pid, _ in family.started if name == "worker 1"]
        os.kill(victim, signal.SIGKILL)
        await until(lambda: len(family.started) == 3)
        assert family.started[-1][0] == "worker 1"
        assert family.announced == 1


async def test_what_hangs_is_killed_and_started_again(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    """As SIGSTOP has it hang; who serves is left alone however often it is looked at."""
    monkeypatch.setattr(supervisor, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(supervisor, "MOST_MISSED_BEATS", 40)
    async with family.running(2) as parent:
        await until(lambda: len(family.alive()) == 2 and family.announced)
        await until(lambda: all(place.worker and place.worker.ready.is_set() for place in parent.slots))
        [victim] = [pid for name, pid, _ in family.started if name == "worker 1"]
        os.kill(victim, signal.SIGSTOP)
        await until(lambda: len(family.started) == 3 and victim not in family.alive())
        assert [name for name, _, _ in family.started[2:]] == ["worker 1"]


async def test_who_serves_next_is_told_who_died(family: Family) -> None:
    async with family.running(1) as parent:
        await until(lambda: family.announced)
        [place] = parent.slots
        assert place.worker
        name = place.worker.name
        family.does.write_text("die")
        os.kill(family.started[0][1], signal.SIGKILL)
        await until(lambda: len(place.gone) > 1)
        assert place.gone[0] == name
        family.does.write_text("serve")
        await until(lambda: not place.gone)


def test_the_bounds_of_an_address_are_divided() -> None:
    one = Settings()
    two, eight = one.among(2), one.among(8)
    assert two == one
    assert (eight.requests_per_minute, eight.connections_per_address) == (150, 64)
    assert eight.onlookers_per_table == one.onlookers_per_table, "they all come to the same worker"
    assert eight.strangers_per_address == one.strangers_per_address
    assert eight.sockets_per_person == 10
    assert one.among(64).sockets_per_person == 10, "one's pages may all come to the same worker"
    assert Settings(sockets_per_person=3).among(64).sockets_per_person == 3


async def test_what_dies_at_once_is_started_ever_more_rarely(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = (0.0, 0.1, 0.2, 0.4)
    monkeypatch.setattr(supervisor, "RESTART_PAUSES_SECONDS", pauses)
    async with family.running(1):
        await until(lambda: family.announced)
        family.does.write_text("die")
        os.kill(family.started[0][1], signal.SIGKILL)
        await until(lambda: len(family.started) == 6)
        times = [at for _, _, at in family.started[1:]]
        gaps = [after - before for before, after in pairwise(times)]
        assert all(gap >= pause for gap, pause in zip(gaps, (*pauses[1:], pauses[-1]), strict=True))


async def test_workers_are_replaced_one_after_the_other(family: Family) -> None:
    """Nobody goes before the next one serves, whenever and however often it is asked for."""
    async with family.running(3) as parent:
        before = await until(lambda: len(family.started) == 3 and family.alive())
        await until(lambda: all(place.worker and place.worker.ready.is_set() for place in parent.slots))
        parent.renew()
        await until(lambda: len(family.started) == 4)
        parent.renew()
        fewest = []

        def renewed() -> bool:
            fewest.append(len(family.alive()))
            return len(family.started) == 9 and fewest[-1] == 3

        await until(renewed)
        assert min(fewest) == 3
        assert not before & family.alive()
        assert [name for name, _, _ in family.started[3:]] == [f"worker {number}" for number in (0, 1, 2)] * 2


async def test_the_token_for_the_first_host_is_offered_at_the_start_alone(family: Family) -> None:
    """A worker that comes later would offer it again: for longer than a week, and in the place of a newer one."""
    async with family.running(2) as parent:
        family.does.write_text("wait")
        parent.orders = [replace(orders, host_token=" token") for orders in parent.orders]
        await until(lambda: len(family.started) == 2)
        assert {name for name, _, _ in family.started} == {"worker 0 token", "worker 1 token"}
        family.does.write_text("serve")
        await until(lambda: all(place.worker and place.worker.ready.is_set() for place in parent.slots))
        before = family.alive()
        parent.renew()
        await until(lambda: len(family.started) == 4 and not before & family.alive())
        assert parent._renewal
        await parent._renewal  # while it lasts, nobody who dies is missed: the others stay
        os.kill(family.alive().pop(), signal.SIGKILL)
        await until(lambda: len(family.started) >= 5)
        assert {name for name, _, _ in family.started[2:]} == {"worker 0", "worker 1"}


async def test_the_hangup_of_its_terminal_ends_the_parent(family: Family) -> None:
    """The window was closed: there is nobody who could end it later."""
    async with family.running(1) as parent:
        await until(lambda: family.announced)
        parent._terminal = True  # as if there had been one; the standard error of tests is none
        parent.renew()
        await asyncio.wait_for(asyncio.shield(family.life), PATIENCE)
        assert len(family.started) == 1


async def test_the_old_worker_stays_when_the_new_one_cannot_serve(family: Family) -> None:
    async with family.running(2) as parent:
        before = await until(lambda: len(family.started) == 2 and family.alive())
        await until(lambda: all(place.worker and place.worker.ready.is_set() for place in parent.slots))
        family.does.write_text("die")
        parent.renew()
        assert parent._renewal
        await parent._renewal
        assert family.alive() == before
        assert len(family.started) == 3


# --- While nobody serves ---


async def get(base: str, path: str = "/readyz", **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=base, timeout=PATIENCE, verify=False) as http:
        return await http.get(path, headers=headers)


async def told_to_come_again(base: str) -> None:
    answer = await get(base)
    assert (answer.status_code, answer.text) == (503, "not ready: starting\n")
    assert (answer.headers["retry-after"], answer.headers["cache-control"]) == ("1", "no-store")
    answer = await get(base, "/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    answer = await get(base, "/api/me")
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "restarting", "1")
    for language, says in (("hu-HU,hu", "szerver"), ("en", "server"), ("../x", "server"), ("xx", "server")):
        page = await get(base, "/", accept="text/html", **{"accept-language": language})
        assert (page.status_code, page.headers["refresh"]) == (503, "2")
        assert says in page.text


async def test_while_no_worker_serves_the_parent_answers(family: Family) -> None:
    """Before the first one does, and when all have died; not when one is left."""
    family.does.write_text("wait")
    async with family.running(2) as parent:
        await told_to_come_again(family.base)
        assert not family.announced
        family.does.write_text("serve")
        await until(lambda: family.announced)
        assert {(await get(family.base)).text for _ in range(20)} == {"me"}
        await until(lambda: all(place.worker and place.worker.ready.is_set() for place in parent.slots))
        family.does.write_text("wait")
        first, second = (pid for _, pid, _ in family.started)
        os.kill(first, signal.SIGKILL)
        await until(lambda: first not in family.alive())
        assert {(await get(family.base)).text for _ in range(20)} == {"me"}
        os.kill(second, signal.SIGKILL)
        await until(lambda: second not in family.alive())
        await told_to_come_again(family.base)
        family.does.write_text("serve")
        await until(lambda: len(family.started) == 4)
        async with asyncio.timeout(PATIENCE):
            while (await get(family.base)).status_code != 200:
                await asyncio.sleep(0.01)


async def test_no_request_is_lost_when_the_first_worker_serves(family: Family) -> None:
    family.does.write_text("wait")
    answers: list[int] = []

    async def come_and_go() -> None:
        while answers.count(200) < 50:
            answers.append((await get(family.base)).status_code)

    async with family.running(2):
        coming = [asyncio.create_task(come_and_go()) for _ in range(4)]
        await until(lambda: len(answers) > 50)
        port = int(family.base.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /readyz HT")
        await until(lambda: len(answers) > 100)
        family.does.write_text("serve")
        await until(lambda: family.announced)
        writer.write(b"TP/1.1\r\n\r\n")
        assert (await asyncio.wait_for(reader.read(), PATIENCE)).startswith(b"HTTP/1.1 503 ")
        writer.close()
        await asyncio.wait_for(asyncio.gather(*coming), PATIENCE)
    assert {*answers} == {200, 503}


async def test_who_stands_about_before_the_door_keeps_nobody_out(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither who says nothing, nor who sends without end, nor who takes no answer."""
    monkeypatch.setattr(startup_responder, "MOST_CONNECTIONS", 5)
    family.does.write_text("wait")
    async with family.running(1) as parent, AsyncExitStack() as stack:
        port = int(family.base.rpartition(":")[2])

        async def came(said: bytes) -> asyncio.StreamReader:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            stack.callback(lambda: writer.transport.abort())
            writer.write(said)
            return reader

        first = await came(b"")
        for said in [b"", b"POST / HTTP/1.1\r\ncontent-length: 9\r\n"] * 20:
            await came(said)
            assert len(parent._responder.pending) <= 5
            assert len(parent._responder.leaving) <= 5
        assert b" 503 " in await asyncio.wait_for(first.readline(), PATIENCE), "its place was needed"
        assert (await get(family.base)).status_code == 503
        endless = await came(b"GET / HTTP/1.1\r\nx: " + b"y" * 2 * startup_responder.HEAD_BYTES)
        assert b" 503 " in await asyncio.wait_for(endless.readline(), PATIENCE)
        monkeypatch.setattr(startup_responder, "REQUEST_SECONDS", 0.05)
        late, silent = await came(b"GET / HTTP/1.1\r\n"), await came(b"")
        assert b" 503 " in await asyncio.wait_for(late.readline(), PATIENCE)
        assert await asyncio.wait_for(silent.read(), PATIENCE) == b""
        await until(lambda: not parent._responder.pending and not parent._responder.leaving)


@pytest.mark.parametrize("said", [b"", b"\n\n", b"GET\n\n", b"\0\xff /healthz?\n\n", b"HEAD /healthz?a=b HTTP/1.1\n\n"])
def test_whatever_is_asked_there_is_one_small_answer(said: bytes) -> None:
    answer = startup_responder.answer(said)
    assert answer.startswith((b"HTTP/1.1 503 ", b"HTTP/1.1 200 "))
    assert (b"200 OK" in answer) == (b"/healthz" in said)
    assert answer.endswith(b"\r\n\r\n") == said.startswith(b"HEAD")
    assert len(answer) < 1000


class Silent:
    """A database that lets one in and then says nothing."""

    def __init__(self) -> None:
        self.came = 0
        self.url = ""

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came += 1
        await reader.read()
        writer.close()


@asynccontextmanager
async def silent_database() -> AsyncIterator[Silent]:
    made = Silent()
    async with listening(made.take) as port:
        made.url = f"postgresql://nobody:secret@127.0.0.1:{port}/none"
        yield made


@runs.whole
@pytest.mark.parametrize("workers", [1, 2])
async def test_while_the_database_hangs_a_server_says_that_it_is_not_ready(tmp_path: Path, workers: int) -> None:
    async with silent_database() as database:
        port = free_port()
        arguments = ("--port", str(port), "--data", str(tmp_path), "--database-url", database.url)
        process = launch(*arguments, "--workers", str(workers))
        try:
            await until(lambda: database.came >= workers or process.poll() is not None)
            await told_to_come_again(f"http://127.0.0.1:{port}")
            assert process.poll() is None
        finally:
            process.terminate()
            assert process.stdout
            assert process.stderr
            await asyncio.to_thread(process.wait, PATIENCE)
            process.stdout.close()
            process.stderr.close()


# --- The real ones ---


def workers(running: Server) -> set[int]:
    """The processes that serve."""
    children = psutil.Process(running.pid).children()
    return {child.pid for child in children if "ziggurat.server.worker" in _command(child)}


def _command(process: psutil.Process) -> list[str]:
    with suppress(psutil.NoSuchProcess):  # or a zombie
        return list(process.cmdline())
    return []


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def told(port: int) -> dict[str, float]:
    """What Prometheus reads, by the name of the metric and its labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        text = answer.read().decode()
    return {
        " ".join((sample.name, *sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture(scope="module")
def metrics() -> int:
    """The port at which two workers say what they count."""
    return free_port()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, new_database: NewDatabase, metrics: int) -> Iterator[Server]:
    """Two workers behind one port, for all tests from here on: each start takes more than most of what they do."""
    options = {"workers": 2, "metrics": f"127.0.0.1:{metrics}"}
    with server(tmp_path_factory.mktemp("two"), new_database(), options=options, ZIGGURAT_LEASE="1") as running:
        yield running


async def both_serve(running: Server, metrics: int, without: int = 0) -> None:
    """Wait until two workers serve, and not only live; none of them somebody who died."""
    await until(lambda: len(now := workers(running)) == 2 and without not in now, pause=SELDOM)
    await until(lambda: told(metrics)["ziggurat_workers"] == 2, pause=SELDOM)


class Steadfast:
    """Plays on whatever happens to its connection, as the page does: what was not acknowledged is sent again."""

    def __init__(self, player: Player, table: str) -> None:
        self.player = player
        self.table = table
        self.acked: list[tuple[Json, int]] = []
        self.closed: list[int] = []
        self.over = False
        self._unanswered: Any = None

    async def play(self) -> None:
        while not self.over:
            with suppress(OSError, ConnectionClosed, InvalidHandshake, AssertionError, TimeoutError):
                async with self.player.at(self.table) as live:
                    try:
                        await self._play_on(live)
                    finally:
                        if live.closed:
                            self.closed.append(live.connection.close_code or 0)

    async def _play_on(self, live: Live) -> None:
        while self._unanswered or await live.turn():
            if self._unanswered is None:
                steps = await live.choose()
                self._unanswered = {"id": f"move{len(self.acked)}", "seq": live.state["seq"], "steps": steps}
            answer = await live.reply(type="move", **self._unanswered)
            if answer["type"] == "ack":
                self.acked.append((self._unanswered, answer["seq"]))
            self._unanswered = None
            seen = answer.get("seq", 0)
            await live.until(lambda: live.state["seq"] >= seen)  # noqa: B023
        self.over = True

    async def goes_on(self) -> None:
        """Wait for another move."""
        so_far = len(self.acked)
        await until(lambda: len(self.acked) > so_far)

    async def check(self) -> None:
        """Everything that was acknowledged is known, as it was."""
        assert len({seq for _, seq in self.acked}) == len(self.acked)
        async with self.player.at(self.table) as live:
            for move, seq in self.acked:
                assert await live.reply(type="move", **move) == {"type": "ack", "id": move["id"], "seq": seq}


@runs.whole
async def test_the_dead_leave_their_bots_and_what_they_counted(two: Server, metrics: int) -> None:
    """The first to ask what was counted. A claim runs out, and another worker at which somebody looks on takes it."""
    async with visitor(two.base, "Ann") as ann:
        await until(lambda: told(metrics)["ziggurat_workers"] == 2, pause=SELDOM)
        played, alone = (
            await ann.table("me", *["random"] * (SEATS - 1)),
            await ann.table(*["random"] * SEATS, pace="calm"),
        )
        async with ann.at(played["id"]) as live:
            made = await live.play(3)
            enough = lambda: (now := told(metrics))["ziggurat_acknowledge_seconds_count"] >= made and now  # noqa: E731
            now = await until(enough, pause=SELDOM)
            assert now["ziggurat_moves_total person"] == made
            assert now["ziggurat_moves_total bot"] >= 1
            assert now["ziggurat_database_write_seconds_count"] >= made
            assert now["ziggurat_sockets"] == 1
            assert now["ziggurat_tables_in_memory"] >= 1
            assert now["ziggurat_process_cpu_seconds_total"] > 0
            assert now["ziggurat_process_resident_bytes"] > 2e7
            assert now["ziggurat_thoughts_waiting"] == 0

        async def goes_on() -> None:
            async with ann.at(alone["id"]) as live:
                begun = live.state["seq"]
                await live.until(lambda: live.state["seq"] > begun)

        for victim in workers(two):
            await goes_on()
            os.kill(victim, signal.SIGKILL)
            await both_serve(two, metrics, without=victim)
        await goes_on()
        after = await until(
            lambda: (now := told(metrics))["ziggurat_workers"] == 2 and not now["ziggurat_sockets"] and now,
            pause=SELDOM,
        )
        assert after["ziggurat_moves_total person"] == made
        names = "\n".join(after)
        for secret in (played["id"], alone["id"], "Ann", "127.0.0.1", ann.http.cookies["ziggurat"]):
            assert secret not in names


def served_by(running: Server) -> dict[int, list[int]]:
    """Which workers have a connection open, by the port of the client."""
    found: dict[int, list[int]] = {}
    for worker in workers(running):
        for connection in psutil.Process(worker).net_connections("tcp"):
            if connection.raddr:
                found.setdefault(connection.raddr.port, []).append(worker)
    return found


@runs.whole
async def test_whoever_accepts_it_a_socket_is_served_by_the_home_of_its_table(two: Server, metrics: int) -> None:
    """So a table lies in the memory of one worker."""
    async with visitor(two.base, "Ann") as ann:
        await both_serve(two, metrics)
        homes: set[int] = set()
        # A table's home follows from its random id: in one of two, once in 2^31, do all lie.
        for _ in range(32):
            if homes == workers(two):
                break
            table = await ann.table("me", *["random"] * (SEATS - 1))
            async with AsyncExitStack() as stack:
                # The listener wakes the workers in turn, as a queue of visitors does.
                pages = [await stack.enter_async_context(ann.at(table["id"])) for _ in range(6)]
                assert await pages[0].play(1)
                seq = pages[0].state["seq"]
                for page in pages:
                    await page.until(lambda: page.state["seq"] >= seq)  # noqa: B023
                ports = [page.connection.local_address[1] for page in pages]
                served = served_by(two)
                home, *others = {worker for port in ports for worker in served[port]}
                assert not others
                assert all(len(served[port]) == 1 for port in ports), "nobody else holds the connection open"
                homes.add(home)
        assert homes == workers(two)


@runs.whole
async def test_a_game_goes_on_while_workers_are_killed_one_after_the_other(two: Server, metrics: int) -> None:
    async with visitor(two.base, "Ann") as ann:
        await both_serve(two, metrics)
        # Bots that take their time: the game is not over before the second dies.
        table = await ann.table("me", *["random"] * (SEATS - 1), pace="calm")
        ann_plays = Steadfast(ann, table["id"])
        playing = asyncio.create_task(ann_plays.play())
        for victim in workers(two):
            await ann_plays.goes_on()
            os.kill(victim, signal.SIGKILL)
            await both_serve(two, metrics, without=victim)
        await ann_plays.goes_on()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        assert ann_plays.closed, "none of the two was hers"
        await ann_plays.check()


@runs.whole
async def test_a_renewal_refuses_nobody(two: Server, metrics: int) -> None:
    """The sockets are told to come again; connections that are made meanwhile are all answered. A handshake that comes
    too late for its worker may be made again: it is no 500, which pages and proxies take for a mistake of ours."""
    await both_serve(two, metrics)
    async with visitor(two.base, "Ann") as ann:
        before = workers(two)
        table = await ann.table("me", *["random"] * (SEATS - 1), pace="calm")
        ann_plays = Steadfast(ann, table["id"])
        playing = asyncio.create_task(ann_plays.play())
        await until(lambda: ann_plays.acked)
        answered, renewed = 0, asyncio.Event()

        async def watch() -> None:
            await until(lambda: not before & workers(two), 2 * PATIENCE, SELDOM)
            renewed.set()

        async def come_and_go() -> None:
            nonlocal answered
            while not renewed.is_set():
                async with httpx.AsyncClient(base_url=two.base, timeout=PATIENCE, verify=False) as http:
                    answer = await http.get("/api/me")
                assert answer.status_code in (200, 429)
                answered += 1
                await asyncio.sleep(0.02)  # or they would take the processor from those who start

        statuses = set[int]()

        async def look_in() -> None:
            while not renewed.is_set():
                try:
                    async with connect(socket_url(two.base, table["id"]), additional_headers=ann.cookie):
                        statuses.add(101)
                except InvalidStatus as refused:
                    statuses.add(refused.response.status_code if "retry-after" in refused.response.headers else 0)
                except (ConnectionClosed, InvalidMessage, OSError):
                    pass  # the connection was made, and its worker ended
                await asyncio.sleep(0.02)

        os.kill(two.pid, signal.SIGHUP)
        await asyncio.wait_for(asyncio.gather(watch(), come_and_go(), look_in(), look_in()), 2 * PATIENCE)
        assert answered
        assert statuses <= {101, 503}
        await until(lambda: ann_plays.closed)
        assert set(ann_plays.closed) == {1012}
        await ann_plays.goes_on()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await ann_plays.check()


async def nobody_is_left(parent: Server, how: signal.Signals) -> None:
    await until(lambda: len(workers(parent)) == 2, pause=SELDOM)
    family = [psutil.Process(parent.pid), *psutil.Process(parent.pid).children(recursive=True)]
    async with visitor(parent.base, "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        async with ann.at(table["id"]) as live:
            os.kill(parent.pid, how)
            assert await live.until_closed() == 1012
    _, left = await asyncio.to_thread(psutil.wait_procs, family, supervisor.LAST_SECONDS)
    assert not left


@runs.whole
async def test_nobody_is_left_when_the_parent_ends(two: Server) -> None:
    """The last of those who share it."""
    await nobody_is_left(two, signal.SIGTERM)


@runs.whole
async def test_nobody_is_left_when_the_parent_is_killed(tmp_path: Path, new_database: NewDatabase) -> None:
    with server(tmp_path, new_database(), options={"workers": 2}) as parent:
        await nobody_is_left(parent, signal.SIGKILL)


@runs.whole
def test_a_compiler_ends_when_its_server_was_killed(tmp_path: Path) -> None:
    compiler = subprocess.Popen(
        [sys.executable, "-m", compiled_rules.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "ZIGGURAT_CACHE": str(tmp_path)},
    )
    with compiler:
        assert compiler.stdin
        compiler.stdin.close()
        assert compiler.wait(PATIENCE) == 1


COMPILED = """
from ziggurat.server.services import compiled_rules
compiled_rules.is_compiled = lambda game, program: True
compiled_rules.main()
"""
"""A compiler that has nothing to compile."""


@runs.whole
def test_a_compiler_whose_server_was_killed_has_no_complaints() -> None:
    """It would have stood in the log as a traceback: it tells what is ready while its server dies."""
    compiler = subprocess.Popen(
        [sys.executable, "-c", COMPILED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with compiler:
        assert compiler.stdout
        assert compiler.stderr
        compiler.stdout.close()
        assert compiler.stderr.read() == b""
        assert compiler.wait(PATIENCE) == 1

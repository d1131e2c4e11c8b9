"""What everybody would wait for: what one visitor can make the event loop do at a stretch has a bound."""

from __future__ import annotations

import asyncio
import gc
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests import runs
from tests.example import EXAMPLE, GAME, SEATS
from tests.server.inside import house
from tests.server.player import PATIENCE, visitor
from tests.server.test_connections import connected, everything, handshake, until

import ziggurat
from ziggurat.core.errors import ZigguratError
from ziggurat.server.api.security import PAGE_COSTS, REQUEST_SECONDS, WRITES_COST
from ziggurat.server.domain.create import COMPONENTS_CHARACTERS, NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.daily import rules as daily
from ziggurat.server.live import connections
from ziggurat.server.live.connections import ConnectionLimiter, LimitedListener
from ziggurat.server.live.socket import MESSAGE_SECONDS
from ziggurat.server.problems import Problem
from ziggurat.server.services import compiled_rules
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import MOST_DEBT_SECONDS, LoopShare, TokenBucket
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import accounts
from ziggurat.server.store.engine import open_database

pytestmark = pytest.mark.slow

PLENTY = TokenBucket(1e9, 1)
"""An allowance of time that is never used up."""
ME = b"GET /api/me HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, prepare=False, refusal_seconds=0.05)


KINDS = (
    "protocols.<locals>.Http",
    "protocols.<locals>.WebSocket",
    "WebSocket",
    "ServerProtocol",
    "WebSocketTransport",
    "Connection",
)


def of_connections(port: int) -> Counter[str]:
    """What is in memory of the connections that have come to a port, and is not garbage by itself."""
    found: Counter[str] = Counter()
    for one in gc.get_objects():
        kind = type(one).__qualname__
        if "Transport" in kind and hasattr(one, "get_extra_info"):
            found[kind] += (one.get_extra_info("sockname") or (0, 0))[1] == port
        else:
            ours = str(type(one).__module__).startswith(("ziggurat.server.", "litestar.", "websockets.server"))
            found[kind] += ours and kind in KINDS
    return +found


@pytest.mark.parametrize(
    ("said", "most", "expected"),
    [
        pytest.param(ME, 100, b"HTTP/1.1 200", marks=runs.whole),
        (handshake("/api/tables/none/live").replace(b"host: x", b"host: localhost"), 100, b"HTTP/1.1 101"),
        (ME, 0, b"HTTP/1.1 429"),
    ],
    ids=["a request", "a socket", "a refusal"],
)
@runs.whole
async def test_connections_that_have_ended_leave_nothing_to_the_garbage(
    settings: Settings, said: bytes, most: int, expected: bytes
) -> None:
    """Collecting it takes a millisecond for a thousand objects, for which everybody waits; a socket left a hundred."""
    async with house(replace(settings, connections_per_address=most)) as port:
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                async with connected(port, said) as (reader, _):
                    answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                    assert answer.startswith(expected)
            await until(lambda: not of_connections(port))
        finally:
            gc.enable()


async def test_a_socket_that_has_followed_a_table_leaves_nothing_to_the_garbage(settings: Settings) -> None:
    def left() -> set[str]:
        return {*KINDS[1:]} & of_connections(port).keys()

    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        gc.collect()
        gc.disable()
        try:
            async with ann.at(table["id"]) as live:
                await live.turn()
                await live.move()
                assert "Connection" in left()
            await until(lambda: not left())
        finally:
            gc.enable()


async def test_a_move_that_is_refused_leaves_nothing_to_the_garbage(settings: Settings) -> None:
    """It was tried on positions of hundreds of objects, which took half of the memory of some tables."""

    def left() -> list[object]:
        return [one for one in gc.get_objects() if issubclass(type(one), Problem | ZigguratError)]

    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        async with ann.at(table["id"]) as live:
            await live.turn()
            gc.collect()
            gc.disable()
            try:
                for _ in range(3):
                    answer = await live.reply(type="move", seq=live.state["seq"], steps=[GAME.actions - 1])
                    assert answer["code"] == "illegal_action"
                await until(lambda: not left())
            finally:
                gc.enable()


async def test_garbage_is_collected_in_small_pieces(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_threshold()
    monkeypatch.setattr(compiled_rules.CompiledRules, "_fill", lambda _: None)
    seen: list[int] = []

    def note(phase: str, info: dict[str, Any]) -> None:
        if phase == "stop" and info["generation"] < 2:
            seen.append(info["collected"])

    try:
        async with house(replace(settings, prepare=True)):
            gc.callbacks.append(note)
            for _ in range(100_000):
                circle: list[Any] = []
                circle.append(circle)
        assert sum(seen) > 50_000
        assert max(seen) <= 5000
    finally:
        gc.callbacks.remove(note)
        gc.unfreeze()
        gc.set_threshold(*before)


async def test_other_things_go_on_while_many_connect(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    many, rounds, let_in = 100, 0, Counter[int]()
    made = ConnectionLimiter.enter

    def enter(limiter: ConnectionLimiter, address: str) -> None:
        let_in[rounds] += 1
        made(limiter, address)

    monkeypatch.setattr(ConnectionLimiter, "enter", enter)
    async with house(settings) as port:

        def count() -> None:
            nonlocal rounds
            rounds += 1
            loop.call_soon(count)

        loop = asyncio.get_running_loop()
        waiting = [socket.create_connection(("127.0.0.1", port)) for _ in range(many)]  # before the server hears of any
        loop.call_soon(count)
        await until(lambda: let_in.total() == many)
        assert max(let_in.values()) <= connections.AT_ONCE
        for one in waiting:
            one.close()


async def test_whoever_has_been_refused_often_enough_gets_no_answer(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor anything made for it: from one address that comes a thousand times a second only a few wait for theirs."""
    monkeypatch.setattr(connections, "MOST_HELD_PER_ADDRESS", 3)
    doormen: list[ConnectionLimiter] = []
    of = LimitedListener.of

    def listener(listening: socket.socket, limiter: ConnectionLimiter) -> LimitedListener:
        doormen.append(limiter)
        return of(listening, limiter)

    monkeypatch.setattr(LimitedListener, "of", listener)
    async with house(replace(settings, connections_per_address=1, refusal_seconds=PATIENCE)) as port:
        (limiter,) = doormen
        async with connected(port):
            await until(lambda: limiter.here.total() == 1)
            held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
            await until(lambda: limiter.held.total() == 3)
            monkeypatch.setattr(connections, "get_remote_addr", pytest.fail)  # what a connection asks that is let in
            for _ in range(20):
                try:
                    async with connected(port, ME) as (reader, _):
                        assert await everything(reader) == b""
                except ConnectionError:
                    pass
            assert limiter.held.total() == 3
            monkeypatch.undo()
            for _, each in held:
                each.transport.abort()
            await until(lambda: not limiter.held)
            async with connected(port, ME):
                await until(lambda: limiter.held.total() == 1)


def test_a_proxy_speaks_for_many() -> None:
    limiter = ConnectionLimiter(Settings(proxies=("10.0.0.1",), connections_per_address=1), capacity=500)
    for address in ("10.0.0.1", "10.0.0.2"):
        limiter.enter(address)
        for _ in range(connections.MOST_HELD_PER_ADDRESS):
            limiter.hold(address)
    assert not limiter.shuts("10.0.0.1")
    assert limiter.shuts("10.0.0.2")
    assert not limiter.shuts("10.0.0.3")
    for _ in range(500):
        limiter.enter("10.0.0.1")
    assert not limiter.shuts("10.0.0.1"), "told that there is no room"
    for _ in range(250):
        limiter.hold("10.0.0.1")
    assert limiter.shuts("10.0.0.1")


async def test_other_things_go_on_between_two_of_one_address() -> None:
    order: list[str] = []
    mine, share = LoopShare("mine", PLENTY), LoopShare("yours", PLENTY)

    async def compute(whose: str, of: LoopShare) -> None:
        async with of:
            order.append(whose)

    await asyncio.gather(*(compute("mine", mine) for _ in range(50)), *(compute("yours", share) for _ in range(2)))
    assert order.count("mine") == 50
    assert order.index("yours") <= 2, "the first of mine, and no more"
    assert [place for place, whose in enumerate(order) if whose == "yours"][1] <= 4


async def test_whoever_has_used_their_share_waits_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = 100.0, []
    sleep = asyncio.sleep

    async def sleeping(seconds: float) -> None:
        nonlocal now
        slept.append(round(seconds, 6))
        now += seconds
        await sleep(0)

    monkeypatch.setattr("ziggurat.server.services.rate_limits.asyncio.sleep", sleeping)
    allowed = TokenBucket(100, 0.5, lambda: now)  # a fifth of the time
    hog, other = LoopShare("hog", allowed), LoopShare("other", allowed)
    hog.used(0.1)
    await hog.spend(0.0)
    assert slept == [], "all may be used at once"
    hog.used(0.3)
    await other.spend(0.01)
    assert slept == []
    async with hog:
        assert slept == [1.5], "a fifth of that is what was used"
    await hog.spend(0.02)
    assert slept[-1] == pytest.approx(0.1, abs=0.05)
    unbounded = LoopShare("hog", None)
    for _ in range(100):
        await unbounded.spend(1.0)
        async with unbounded:
            pass
    assert len(slept) == 2


def test_nobody_waits_long_whatever_was_counted() -> None:
    now = 100.0
    allowed = TokenBucket(100, 0.5, lambda: now)
    assert allowed.spend("mine", 1e9) == MOST_DEBT_SECONDS
    assert allowed.spend("mine", 1e9) == MOST_DEBT_SECONDS
    assert allowed.spend("yours", 50) == 0
    assert allowed.use("mine") <= MOST_DEBT_SECONDS + allowed.each
    now += MOST_DEBT_SECONDS
    assert allowed.spend("mine", 0.0) == 0
    now += 0.5
    assert allowed.use("mine", 100) == 0, "nothing is left of it"


def busy(seconds: float) -> None:
    """Take so much of the processor."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


@pytest.fixture
def paid(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What is counted of somebody's share."""
    found = list[float]()
    monkeypatch.setattr(LoopShare, "used", lambda _, seconds: found.append(seconds))
    return found


async def test_what_a_thread_computes_is_counted_and_neither_its_waiting_nor_what_others_do(paid: list[float]) -> None:
    share, go_on = LoopShare("mine", PLENTY), threading.Event()
    waits = asyncio.create_task(share.counted(asyncio.to_thread, partial(go_on.wait, PATIENCE), 5))
    await asyncio.sleep(0)
    busy(0.1)
    go_on.set()
    assert await waits
    assert sum(paid) < 0.05
    paid.clear()
    await share.counted(asyncio.to_thread, partial(busy, 0.02), 5)
    assert 0.1 <= sum(paid) < 0.2
    paid.clear()

    def fails() -> None:
        busy(0.02)
        raise KeyError

    with pytest.raises(KeyError):
        await share.counted(asyncio.to_thread, fails)
    assert sum(paid) >= 0.02
    assert await LoopShare("mine", None).counted(asyncio.to_thread, lambda: 5) == 5


async def test_what_a_thread_computes_is_counted_where_nobody_waits_for_it_any_more(paid: list[float]) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def job() -> None:
        begun.set()
        go_on.wait(PATIENCE)
        busy(0.02)

    asked = asyncio.create_task(LoopShare("mine", PLENTY).counted(asyncio.to_thread, job))
    await until(begun.is_set)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    go_on.set()
    await until(lambda: sum(paid) >= 0.02)


async def test_what_the_loop_computes_step_by_step_is_counted_without_what_others_do_in_between(
    paid: list[float],
) -> None:
    """As a database does that is waited for in the loop itself."""
    told = asyncio.get_running_loop().create_future()

    async def run(job: Callable[[], int]) -> int:
        with pytest.raises(KeyError):
            await told
        return job()

    def job() -> int:
        busy(0.02)
        return 7

    asked = asyncio.create_task(LoopShare("mine", PLENTY).counted(run, job, 5))
    await asyncio.sleep(0)
    busy(0.1)
    told.set_exception(KeyError())
    assert await asked == 7
    assert 0.02 <= sum(paid) < 0.05


async def test_nobody_pays_for_a_machine_that_does_other_things(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that takes a minute, because others compute or something is read first, costs its address no waiting."""
    spent, ahead, clock = list[float](), 0.0, time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + ahead)

    def slowly(done: Callable[..., Any]) -> Callable[..., Any]:
        def whatever(*given: Any, **named: Any) -> Any:
            nonlocal ahead
            ahead += 60
            return done(*given, **named)

        return whatever

    def spend(_: TokenBucket, __: str, much: float) -> float:
        spent.append(much / 1000)
        return 0.0

    monkeypatch.setattr("ziggurat.server.api.tables.create", slowly(create))
    monkeypatch.setattr(daily, "deal", slowly(daily.deal))
    monkeypatch.setattr(accounts, "everything", slowly(accounts.everything))
    monkeypatch.setattr(compiled_rules.CompiledRules, "can_search", lambda *_: True)
    monkeypatch.setattr(TokenBucket, "spend", spend)
    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}") as ann:
        await ann.table(*["me"], *["random"] * (SEATS - 1))
        today = (await ann.get(f"/api/day/{EXAMPLE}"))["today"]["day"]
        await ann.post(f"/api/day/{EXAMPLE}", {"day": today}, 201)
        await ann.get("/api/me/everything")
    assert ahead >= 3 * 60
    assert sum(spent) < 6


FRESH = """
import asyncio, sys
import ziggurat
from ziggurat.server import app
from ziggurat.server.settings import Settings
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.services.compiled_rules import CompiledRules

asyncio.run(CompiledRules(Settings(prepare=False)).open())
before = {*sys.modules}
for game in ziggurat.registered_games().values():
    seats = [NewSeat("me"), *[NewSeat("bot", "builder")] * (game.max_players - 1)]
    table = create(NewTable(game.id, seats), Person("ann", "Ann", "en"))
    table.position.view(0)
    table.position.decision(table.position.actors[0])
print(sorted({*sys.modules} - before))
"""


@runs.whole
async def test_a_first_table_loads_nothing_more() -> None:
    """What is loaded when a game is dealt first is there before anybody is served: no visitor's share pays for it."""
    ended = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", FRESH], capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "[]"


async def test_whoever_gives_up_waiting_leaves_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = TokenBucket(100, 0.5)
    share = LoopShare("here", allowed)
    share.used(1000.0)
    waiting = asyncio.create_task(share.__aenter__())
    await until(share.line.locked)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert not share.line.locked()


async def test_nobody_holds_a_table_while_waiting_for_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    table = create(NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)]), Person("ann", "Ann", "en"))
    settings = Settings(prepare=False)
    rules = compiled_rules.CompiledRules(settings)
    table_service = TableService(settings, open_database(settings), Bus(settings), rules)

    async def get(_: str) -> Table:
        return table

    async def write(*_: object) -> bool:
        return True

    monkeypatch.setattr(table_service, "get", get)
    monkeypatch.setattr(table_service, "_write", write)
    share, used = LoopShare("slow", PLENTY), list[float]()
    monkeypatch.setattr(share, "used", used.append)
    await share.line.acquire()
    slow = asyncio.create_task(table_service.change(table.id, lambda t: t.after("clock"), share=share))
    quick = await asyncio.wait_for(table_service.change(table.id, lambda t: t.after("outage")), PATIENCE)
    assert quick.changes[-1].kind == "outage"
    assert not slow.done()
    share.line.release()
    assert (await slow).changes[-1].kind == "clock"
    assert len(used) == 2, "coming to their turn, and the change"


async def test_everything_that_one_can_send_is_counted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[float] = []

    def spend(_: TokenBucket, key: str, much: float) -> float:
        assert key == "127.0.0.1"
        spent.append(much / 1000)
        return 0.0

    monkeypatch.setattr(TokenBucket, "spend", spend)

    def counted(*fixed: float, computed: int) -> bool:
        """Whether so much was counted since the last time, and so many things besides that took a while."""
        assert [much for much in spent if much in FIXED] == list(fixed)
        others = [much for much in spent if much not in FIXED and much]
        spent.clear()
        return len(others) >= computed

    FIXED = (REQUEST_SECONDS, WRITES_COST * REQUEST_SECONDS, PAGE_COSTS * REQUEST_SECONDS, MESSAGE_SECONDS)
    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        spent.clear()
        await ann.get("/api/me")
        assert counted(REQUEST_SECONDS, computed=0)
        await ann.http.get("/")
        assert counted(PAGE_COSTS * REQUEST_SECONDS, computed=0)
        table = await ann.table(*["me"], *["random"] * (SEATS - 1))
        assert [much for much in spent if much and much not in FIXED], "what is read beside the loop is in its way"
        await ann.get("/api/tables")
        spent.clear()
        async with ann.at(table["id"]) as live:
            await live.turn()
            spent.clear()
            await live.reply(type="preview", seq=live.state["seq"], steps=[live.legal[0]["action"]])
            assert counted(MESSAGE_SECONDS, computed=1)
            await live.send(type="hello", since=None)
            await live.reply(type="hint", seq=live.state["seq"])
            assert counted(MESSAGE_SECONDS, MESSAGE_SECONDS, computed=0)
            answer = await live.reply(type="move", seq=live.state["seq"], steps=await live.choose())
            assert answer["type"] == "ack"
            assert [much for much in spent if much not in FIXED and much], "the move, and what is told of it"


async def test_a_file_of_components_has_a_bound(sqlite_base: str) -> None:
    """Three times as long as the longest that there is; and so is what one person makes of it."""
    async with visitor(sqlite_base, "Ann") as ann:
        for name, game in ziggurat.registered_games().items():
            assert 3 * len(game.components.text) <= COMPONENTS_CHARACTERS, name
        long = {"components": "#" * (COMPONENTS_CHARACTERS + 1)}
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
        refused = await ann.post("/api/tables", {"game": EXAMPLE, "seats": seats, **long}, status=400)
        assert str(COMPONENTS_CHARACTERS) in refused["detail"]


async def test_whoever_goes_before_their_body_has_come_is_no_mistake_of_ours(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    def answering() -> bool:
        return any("run_asgi" in repr(task) for task in asyncio.all_tasks())

    begun = b"PUT /api/me HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
    async with house(settings) as port:
        async with connected(port, begun):
            await until(answering)
        await until(lambda: not answering())
    assert [record.getMessage() for record in caplog.records if record.name == "ziggurat.server"] == []


@pytest.mark.parametrize("said", [b"\0\1\2\r\n\r\n", ME.replace(b"close", b"upgrade\r\nupgrade: h2c")])
async def test_what_a_stranger_sends_fills_no_log(
    settings: Settings, caplog: pytest.LogCaptureFixture, said: bytes
) -> None:
    async with house(settings) as port, connected(port, said) as (reader, _):
        assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).startswith(b"HTTP/1.1 ")
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == []

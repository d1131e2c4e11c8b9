"""How soon a change of the list of open tables reaches everybody who looks at it.

    python -m benchmarks.open_tables [--sockets 500] [--changes 40] [--database-url URL]

So many pages follow the list while tables are opened, seats are taken and left. Measured is from before the request
of a change until the last page has it. The server and the pages share the machine: two processors are meant.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time

import httpx
import msgspec
import psutil  # type: ignore[import-untyped]
from benchmarks.messages import percentile
from benchmarks.sockets import Socket
from benchmarks.tables import machine, person, server

import ziggurat

GAME = next(iter(ziggurat.registered_games()))
AN_ADDRESS = 90
"""Pages from each address: strangers have so many sockets there."""
MOST = 1.0
"""Seconds in which a change has to reach all."""


class _Seat(msgspec.Struct):
    kind: str


class _Table(msgspec.Struct):
    id: str
    seats: list[_Seat]

    @property
    def free(self) -> int:
        return sum(seat.kind == "open" for seat in self.seats)


class _News(msgspec.Struct):
    type: str
    tables: list[_Table]
    gone: list[str] = []


_decode = msgspec.json.Decoder(_News).decode


class Audience:
    """Everybody who follows the list. One of them reads all; of the others is known what came, and when."""

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self.free: dict[str, int] = {}
        self._frame = b""
        self._had: set[Socket] = set()
        self._all: asyncio.Future[float] | None = None

    async def come(self, base: str, number: int) -> None:
        """So many begin to follow the list."""
        port = int(base.rpartition(":")[2])
        for count in range(number):
            where = f"127.0.0.{2 + count // AN_ADDRESS}"
            self.sockets.append(await Socket.connect(port, "/api/open-tables/live", "", self._heard, self._lost, where))

    def _heard(self, socket: Socket, frame: bytes) -> None:
        if self.sockets and socket is self.sockets[0]:
            news = _decode(frame)
            self.free |= {table.id: table.free for table in news.tables}
            for id in news.gone:
                self.free.pop(id, None)
        if b'"type":"open_changes"' not in frame[:40]:
            return
        if frame != self._frame:
            self._frame, self._had = frame, set()
        self._had.add(socket)
        if len(self._had) == len(self.sockets) and self._all is not None and not self._all.done():
            self._all.set_result(time.perf_counter())

    def _lost(self) -> None:
        raise SystemExit("a socket was closed")

    async def all_have(self, id: str, free: int | None) -> float:
        """Wait until all have the frame that says so of a table; return when the last one had it."""
        while True:
            self._all = asyncio.get_running_loop().create_future()
            moment = await self._all
            if self.free.get(id) == free:
                return moment


async def measured(base: str, process: psutil.Process, sockets: int, changes: int) -> dict[str, object]:
    """Return the figures of a server."""
    audience = Audience()
    await audience.come(base, sockets)
    waits: list[float] = []

    async def change(http: httpx.AsyncClient, path: str, body: object, free: int | None, id: str = "") -> str:
        begun = time.perf_counter()
        sent = asyncio.create_task(http.post(path, json=body))
        waiting = asyncio.create_task(audience.all_have(id, free)) if id else None
        answer = await sent
        answer.raise_for_status()
        found: str = answer.json()["id"]
        moment = await (waiting or audience.all_have(found, free))
        waits.append(moment - begun)
        return found

    async with person(base) as ann, person(base) as bob:
        terms = {"wait": 86_400, "bot": None}
        wish: dict[str, object] = {"game": GAME, "seats": [{"kind": "me"}, *[{"kind": "open"}] * 2]}
        wish |= {"policy": {"join": "anyone", "terms": terms}}
        id = await change(ann, "/api/tables", wish, 2)
        before, spent = time.perf_counter(), sum(process.cpu_times()[:2])
        for _ in range(changes // 2):
            name = f"Bob {len(waits)}"
            await change(bob, f"/api/tables/{id}/join", {"invite": "", "name": name}, 1, id)
            await change(bob, f"/api/tables/{id}/leave", {}, 2, id)
        took, spent = time.perf_counter() - before, sum(process.cpu_times()[:2]) - spent
        idle = sum(process.cpu_times()[:2])
        await asyncio.sleep(5)
        idle = sum(process.cpu_times()[:2]) - idle
    for socket in audience.sockets:
        socket.lost = lambda: None
        socket.close()
    return {
        "sockets": sockets,
        "changes": len(waits),
        "all_have_it_ms": {
            "median": round(1000 * percentile(waits, 0.5)),
            "p95": round(1000 * percentile(waits, 0.95)),
            "most": round(1000 * max(waits)),
        },
        "server_cpu_ms_a_change": round(1000 * spent / max(1, len(waits) - 1), 1),
        "server_cpu_percent_meanwhile": round(100 * spent / took),
        "server_cpu_percent_at_rest": round(100 * idle / 5, 1),
        "machine": machine(),
    }


def main() -> int:
    """Measure and print; return 1 where a change took longer than it may."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--changes", type=int, default=40)
    parser.add_argument("--database-url", help="a PostgreSQL database to use instead of SQLite")
    options = parser.parse_args()
    ziggurat.prepare(GAME)
    with server(options.database_url) as (base, process):
        figures = asyncio.run(measured(base, process, options.sockets, options.changes))
    print(json.dumps(figures, indent=1))
    told = figures["all_have_it_ms"]
    assert isinstance(told, dict)
    return 0 if told["p95"] < 1000 * MOST else 1


if __name__ == "__main__":
    sys.exit(main())

"""A person with a browser, as far as the server can tell."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from tests.example import EXAMPLE
from tests.patience import patience
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ziggurat.server.live.delta import changed

Json = dict[str, Any]
PATIENCE = patience(60.0)
_ids = itertools.count(1)


def socket_url(base: str, table: str, invite: str | None = None, seat: int | None = None) -> str:
    """Return the address of a table's socket; `seat`: of a companion."""
    query = f"?invite={invite}" if invite else f"?seat={seat}" if seat is not None else ""
    return f"{base.replace('http', 'ws', 1)}/api/tables/{table}/live{query}"


def idle(decision: Json) -> bool:
    """Whether somebody is told nothing but what everybody waits for."""
    return not (decision["legal"] or decision["refusals"] or decision["forced"])


def caught_up(message: Json, before: Json) -> Json:
    """Return news as the update that they make of the one before; any other message as it is."""
    if message["type"] != "news":
        return message
    news = {part: changed(before[part], message[part]) for part in ("table", "view")}
    return {**message, "type": "update", **news, "decision": message["decision"] or before["decision"]}


class Live:
    """A socket at a table: everything that arrived, and the state that follows from it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.messages: list[Json] = []
        self.log: list[Json] = []
        self.state: Json = {"seq": -1}
        self.closed = False
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for raw in self.connection:
                await self._take(json.loads(raw))
        except ConnectionClosed:
            pass
        finally:
            self.closed = True
            async with self._news:
                self._news.notify_all()

    async def _take(self, message: Json) -> None:
        async with self._news:
            message = caught_up(message, self.state)
            self.messages.append(message)
            if message["type"] == "update":
                if message["from"] == 0:
                    self.log = []
                else:
                    assert message["from"] == self.state["seq"], "numbered updates follow one another"
                self.log += message["events"]
                self.state = message
            self._news.notify_all()

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until a condition holds; return what it returned."""
        async with asyncio.timeout(PATIENCE), self._news:
            while not (result := condition()):
                assert not self.closed, f"closed: {self.connection.close_code} {self.connection.close_reason}"
                await self._news.wait()
            return result

    async def until_seq(self, seq: int) -> None:
        """Wait until the table has come so far; it must not be further."""
        await self.until(lambda: self.state["seq"] >= seq)
        assert self.state["seq"] == seq

    async def until_errors(self, count: int) -> None:
        """Wait until so many messages were refused."""
        await self.until(lambda: sum(message["type"] == "error" for message in self.messages) >= count)

    async def until_over(self) -> None:
        """Wait until the game is over."""
        await self.until(lambda: self.over)

    async def until_closed(self) -> int | None:
        """Wait until the server closes; return the code."""
        async with asyncio.timeout(PATIENCE):
            await self._reader
        return self.connection.close_code

    async def reply(self, **message: Any) -> Json:
        """Send a message with an id and return what answers it."""
        id = message.setdefault("id", f"m{next(_ids)}")
        seen = len(self.messages)
        await self.send(**message)
        answer: Json = await self.until(lambda: next((m for m in self.messages[seen:] if m.get("id") == id), None))
        return answer

    async def hello(self, since: int | None = None) -> Json:
        seen = len(self.messages)
        if since is not None and self.state["seq"] < 0:
            self.state = {"seq": since}
        await self.send(type="hello", since=since)
        return await self.until(lambda: next((m for m in self.messages[seen:] if m["type"] == "update"), None))  # type: ignore[no-any-return]

    # --- Playing ---

    @property
    def over(self) -> bool:
        return bool(self.state["table"]["status"] == "finished")

    @property
    def public(self) -> list[Json]:
        """What everybody was told."""
        return [event for event in self.log if not event.get("private")]

    @property
    def legal(self) -> list[Json]:
        return list(self.state["decision"]["legal"])

    async def turn(self) -> bool:
        """Wait until it is our turn (True) or the game is over (False)."""
        await self.until(lambda: self.legal or self.over)
        return bool(self.legal)

    async def choose(self) -> list[int]:
        """Return the steps of a complete move: a purchase that pays exactly, else any, else take; else what is last."""
        buys = [choice for choice in self.legal if choice["type"] == "buy"]
        candidates: dict[bool, list[int]] = {}
        for choice in buys[:2]:
            steps, preview = await self.begun(choice["action"])
            if preview["confirm"]:
                candidates[any("exact" in phrase["key"] for phrase in preview["say"])] = steps
        return (
            candidates.get(True) or candidates.get(False) or [(self.takes() or [c["action"] for c in self.legal])[-1]]
        )

    async def begun(self, action: int) -> tuple[list[int], Json]:
        """Return the move that begins so and goes on as the server suggests, and the last it says of it."""
        seq, steps = self.state["seq"], [action]
        preview = (await self.reply(type="preview", seq=seq, steps=steps))["preview"]
        if preview["suggest"]:
            steps += [step["action"] for step in preview["suggest"]]
            preview = (await self.reply(type="preview", seq=seq, steps=steps))["preview"]
        return [*steps, *[step["action"] for step in (preview["confirm"] or [])[:1]]], preview

    def takes(self) -> list[int]:
        """Return the moves of one step; where all are, what is legal."""
        takes = [choice["action"] for choice in self.legal if choice["type"] == "take"]
        return takes or [choice["action"] for choice in self.legal if choice["type"] != "buy"]

    async def move(self, steps: list[int] | None = None, **more: Any) -> Json:
        """Make a move and wait until it is acknowledged and seen."""
        seq = self.state["seq"]
        answer = await self.reply(type="move", **{"seq": seq, "steps": steps or await self.choose(), **more})
        if answer["type"] == "ack":
            await self.until(lambda: self.state["seq"] >= answer["seq"])
        elif answer["code"] == "stale":
            await self.until(lambda: self.state["seq"] > seq)
        return answer

    async def play(self, moves: int | None = None) -> int:
        """Play to the end, or a number of moves; return how many were made."""
        made = 0
        while (moves is None or made < moves) and await self.turn():
            answer = await self.move()
            # Somebody else may have moved meanwhile, and it may have been the last move.
            assert answer["type"] == "ack" or answer["code"] in ("stale", "game_over"), answer
            if answer.get("code") == "game_over":
                await self.until(lambda: self.over)
            made += answer["type"] == "ack"
        return made


class Player:
    """Somebody with a cookie."""

    def __init__(self, http: httpx.AsyncClient, base: str) -> None:
        self.http = http
        self.base = base

    @property
    def cookie(self) -> dict[str, str]:
        return {"cookie": f"ziggurat={self.http.cookies['ziggurat']}"} if "ziggurat" in self.http.cookies else {}

    async def get(self, path: str, **more: Any) -> Any:
        answer = await self.http.get(path, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = await self.http.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def post_nothing(self, path: str, body: Any) -> None:
        """Send what is answered by nothing."""
        answer = await self.http.post(path, json=body)
        assert answer.status_code == 204, answer.text

    async def table(self, *seats: str, **more: Any) -> Json:
        """Make a table: `me`, `open`, or the name of a bot."""
        wishes = [{"kind": s} if s in ("me", "open") else {"kind": "bot", "bot": s} for s in seats]
        body = {"game": EXAMPLE, "pace": "instant", "seats": wishes, **more}
        made: Json = await self.post("/api/tables", body, 201)
        return made

    async def join(self, table: Json, name: str, **more: Any) -> Json:
        body = {"invite": table["invite"], "name": name, **more}
        joined: Json = await self.post(f"/api/tables/{table['id']}/join", body)
        return joined

    @asynccontextmanager
    async def raw(
        self, table: str, invite: str | None = None, seat: int | None = None, **more: Any
    ) -> AsyncIterator[Live]:
        """Open a socket and say nothing."""
        url = socket_url(self.base, table, invite, seat)
        async with connect(url, additional_headers=self.cookie, max_size=2**24, compression=None, **more) as connection:
            yield Live(connection)

    @asynccontextmanager
    async def at(
        self, table: str, since: int | None = None, invite: str | None = None, seat: int | None = None
    ) -> AsyncIterator[Live]:
        """Open a socket and say hello; `seat`: that of a companion."""
        async with self.raw(table, invite, seat) as live:
            await live.hello(since)
            yield live


@asynccontextmanager
async def visitor(base: str, name: str | None = None) -> AsyncIterator[Player]:
    """Somebody who comes by, with a name or unknown."""
    # Nothing here is encrypted: to read the certificates of the world would take longer than most of what is asked.
    async with httpx.AsyncClient(base_url=base, timeout=PATIENCE, verify=False) as http:
        if name is not None:
            answer = await http.put("/api/me", json={"name": name})
            assert answer.status_code == 200, answer.text
        yield Player(http, base)

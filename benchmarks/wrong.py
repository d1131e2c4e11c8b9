"""Requests and frames that are wrong: right ones, altered at random, and what never was one.

`python -m benchmarks.attack --wrong 100000` sends so many and counts the answers. The same seed alters the same way.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

ODD: list[Any] = [
    *(None, True, -1, 0, 16, 2**31, 2**63, 2**64, 10**400, 1e308, -0.5, "", " ", "0", "me", "open", "bot"),
    *("\0", "\u1d2c", "\ud800", "\u3164", "\u202eabc", "x" * 300, "a" * 20_000, "../../etc/passwd", "' OR 1=1 --"),
    *("%00", "{}", [], {}, [[]], [None] * 50, {"kind": "me"}, {"": {"": {}}}, ["me"] * 40, "a.b = 1", "[" * 5000),
    "9" * 5000,
]
"""Values that nobody expects where they come."""
UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
UPGRADE["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
PATIENCE = 1.5
"""Seconds that are waited for an answer; half a request has none."""
AT_FIRST = 600.0
"""Seconds within which a server answers the first that is asked of it, however busy the machine is."""
AGAIN = 1.0
"""Seconds after which it is asked again where it was not ready."""
BESIDE = 60
"""Connections at once."""
FRAMES = 20
"""Frames that are sent on a socket before it is looked at whether somebody still answers."""


@dataclass
class Answers:
    """What was answered to how many."""

    sent: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    """Statuses of HTTP; of frames the type of the answer, with the code of an error, or the code of the close."""
    bad: list[str] = field(default_factory=list)
    """What was answered as if it were our mistake: the first of them, with the answer."""

    def note(self, kind: str, sent: bytes, answer: bytes) -> None:
        """Count an answer."""
        self.kinds[kind] += 1
        ours = (kind.startswith("5") and kind != "503") or kind in ("error internal", "close 1011")
        if ours and len(self.bad) < 20:
            self.bad.append(f"{kind}: {sent[:1500]!r} -> {answer[-300:]!r}")


class Wrong:
    """Alters what is right."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def value(self, right: Any, depth: int = 0) -> Any:
        """Return a JSON value with something altered in it."""
        chance = self.chance
        if depth > 6 or chance.random() < 0.25 or not isinstance(right, dict | list) or not right:
            return chance.choice(ODD)
        if isinstance(right, list):
            place = chance.randrange(len(right))
            more = [self.value(right[place], depth + 1)] * chance.choice((0, 1, 1, 1, 2, 20))
            return [*right[:place], *more, *right[place + 1 :]]
        key = chance.choice(list(right))
        kept = {name: value for name, value in right.items() if name != key or chance.random() < 0.8}
        if chance.random() < 0.8:
            name = chance.choice(("x", "", "type", "ID")) if chance.random() < 0.1 else key
            kept[name] = self.value(right[key], depth + 1)
        return kept

    def json(self, right: Any) -> bytes:
        """Return JSON with something wrong, in what it says or in how it is written."""
        value = self.value(right) if self.chance.random() < 0.7 else right
        raw = json.dumps(value, ensure_ascii=self.chance.random() < 0.5).encode(errors="surrogatepass")
        return self.bytes(raw) if self.chance.random() < 0.3 else raw

    def bytes(self, right: bytes) -> bytes:
        """Return bytes of which a few are others, more or fewer."""
        chance, raw = self.chance, bytearray(right)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at, to = sorted(chance.randrange(len(raw) + 1) for _ in range(2))
            kind = chance.randrange(6)
            if kind == 0 and raw:
                raw[min(at, len(raw) - 1)] ^= 1 << chance.randrange(8)
            elif kind == 1:
                raw[at:at] = chance.randbytes(chance.choice((1, 2, 20, 2000)))
            elif kind == 2:
                del raw[at : min(to, at + 20)]
            elif kind == 3:
                raw[at:at] = raw[at : min(to, at + 200)] * chance.choice((1, 1, 50))
            elif kind == 4:
                odd = (b"\0", b"\r\n", b"\r\n\r\n", b"\xff", b'"', b"\\u0000", b"\\ud800", b"[" * 3000)
                raw[at:at] = chance.choice(odd)
            else:
                del raw[at : None if chance.random() < 0.3 else at + 1]
        return bytes(raw[:200_000])


class Sender:
    """Sends what is wrong, as several people who each made a table."""

    def __init__(self, port: int, seed: int, answers: Answers) -> None:
        self.port = port
        self.wrong = Wrong(seed)
        self.chance = self.wrong.chance
        self.answers = answers
        self.cookie = ""
        self.table: dict[str, Any] = {}
        self.seats: list[dict[str, Any]] = []
        self.game = ""

    async def begin(self, game: str) -> None:
        """Become somebody, and sit down at a table with a bot."""
        self.game = game
        await self.call("PUT", "/api/me", {"name": f"Mallory {self.chance.randrange(10**6)}"})
        self.seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * 2]
        body = {"game": game, "seats": self.seats, "pace": "instant", "hints": True}
        answer = await self.call("POST", "/api/tables", body)
        self.table = json.loads(answer.partition(b"\r\n\r\n")[2])

    async def call(self, method: str, path: str, body: Any) -> bytes:
        """Send a right request, again where the server is not ready for it; return the answer."""
        answer, until = b"", time.monotonic() + AT_FIRST
        while answer[9:10] != b"2":
            left = until - time.monotonic()
            if left < 0 or answer[9:12] not in (b"", b"429", b"503"):
                raise SystemExit(f"{method} {path} was not answered as it should be: {answer[:1000]!r}")
            answer = await self.raw(self.request(method, path, json.dumps(body).encode()), left)
            if answer[9:10] != b"2":
                await asyncio.sleep(AGAIN)
        for line in answer.partition(b"\r\n\r\n")[0].decode().split("\r\n"):
            if line.lower().startswith("set-cookie:"):
                self.cookie = line.partition(":")[2].split(";")[0].strip()
        return answer

    def request(self, method: str, path: str, body: bytes, **headers: str) -> bytes:
        """Return a request as it is sent."""
        said = {
            "Host": "127.0.0.1",
            "Connection": "close",
            "Cookie": self.cookie,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **headers,
        }
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in said.items()), "", ""]
        return "\r\n".join(lines).encode(errors="surrogatepass") + body

    async def raw(self, sent: bytes, wait: float = PATIENCE) -> bytes:
        """Send bytes on a connection of its own; return what comes back."""
        answer = b""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return answer
        try:
            writer.write(sent)
            async with asyncio.timeout(wait):
                while b" 101 " not in answer[:16] and (more := await reader.read(1 << 16)):
                    answer += more
        except (OSError, TimeoutError):
            pass
        finally:
            writer.transport.abort()
        return answer

    # --- HTTP ---

    def wrong_request(self) -> bytes:
        """Return a request with something wrong: in its body, its address, its headers or its bytes."""
        chance, id = self.chance, self.table.get("id", "x")
        rights: list[tuple[str, str, Any]] = [
            ("GET", "/", None),
            ("GET", "/api/me", None),
            ("GET", "/api/games", None),
            ("GET", f"/api/games/{self.game}/components", None),
            ("GET", f"/api/games/{self.game}/rules/en", None),
            ("GET", f"/api/tables/{id}?invite={self.table.get('invite')}", None),
            ("GET", f"/api/tables/{id}/history", None),
            ("GET", f"/api/tables/{id}/replay", None),
            ("GET", f"/api/tables/{id}/live", None),
            ("GET", f"/api/tables/{id}/review/3", None),
            ("GET", "/schema/openapi.json", None),
            ("GET", "/assets/x.js", None),
            ("PUT", "/api/me", {"name": "Mallory", "language": "hu"}),
            ("POST", f"/api/tables/{id}/join", {"invite": self.table.get("invite"), "name": "Eve", "seat": 1}),
            ("POST", f"/api/tables/{id}/seats", {"seat": 1, "kind": "bot", "bot": "greedy"}),
            ("POST", f"/api/tables/{id}/start", None),
            ("POST", f"/api/tables/{id}/rematch", None),
        ]
        table = {"game": self.game, "seats": self.seats, "options": {}, "pace": "calm", "hints": True, "patience": 45}
        rights += [("POST", "/api/tables", {**table, "components": "a = 1", "start": False, "scenario": None})] * 4
        method, path, right = chance.choice(rights)
        body = b"" if right is None else json.dumps(right).encode()
        headers = dict(UPGRADE) if path.endswith("/live") else {}
        what = chance.randrange(5) if right is None else chance.randrange(10)
        if what == 0:
            method = chance.choice(("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO", "get"))
        elif what == 1:
            head, _, tail = path.rpartition("/")
            odd = str(chance.choice(ODD))[:400].replace(" ", "%20").replace("\n", "")
            path = chance.choice((f"{head}/{odd}", f"{odd}/{tail}", f"{path}?invite={odd}", f"{path}/{odd}"))
        elif what == 2:
            path = "".join(self.wrong.bytes(path.encode()).decode("latin-1").split())
        elif what == 3:
            odd = str(chance.choice(ODD))[:4000].replace("\r", "").replace("\n", "")
            names = ["Host", "Cookie", "Content-Type", "Content-Length", "Origin", "Transfer-Encoding", "X-Invite", odd]
            names += [
                *UPGRADE,
                "Accept-Encoding",
                "If-None-Match",
                "Range",
                "Expect",
                "Upgrade",
                "X-Forwarded-For",
                "Forwarded",
            ]
            headers[chance.choice(names)] = chance.choice((odd, "chunked", "text/plain", "http://evil.example", "br"))
        elif what > 4:
            body = self.wrong.json(right)
        sent = self.request(method, path, body, **headers)
        return self.wrong.bytes(sent) if what == 4 else sent

    async def requests(self, count: int) -> None:
        """Send wrong requests one after another."""
        for _ in range(count):
            sent = self.wrong_request()
            answer = await self.raw(sent)
            self.answers.sent += 1
            self.answers.note(answer[9:12].decode(errors="replace") or "no answer", sent, answer)

    # --- Frames ---

    def wrong_frame(self, heard: dict[str, Any]) -> bytes:
        """Return a frame with something wrong: a message, or the bytes of the frame itself."""
        chance, seq = self.chance, heard.get("seq", 1)
        legal = [choice["action"] for choice in (heard.get("decision") or {}).get("legal", [])] or [1]
        rights: list[dict[str, Any]] = [
            {"type": "hello", "since": None},
            {"type": "move", "id": f"m{chance.randrange(10**9)}", "seq": seq, "steps": [chance.choice(legal)]},
            {"type": "move", "id": f"m{chance.randrange(10**9)}", "seq": seq, "steps": [chance.choice(legal)]},
            {"type": "preview", "id": "p", "seq": seq, "steps": [chance.choice(legal)]},
            {"type": "undo", "id": f"u{chance.randrange(10**9)}"},
            {"type": "undo_answer", "id": f"a{chance.randrange(10**9)}", "agree": True},
            {"type": "stand_in", "id": f"s{chance.randrange(10**9)}", "seat": 1},
            {"type": "hint", "id": "h", "seq": seq},
            {"type": "ping"},
        ]
        right = chance.choice(rights)
        # Those after which a socket is closed are few.
        if chance.random() < 0.003:
            return self.wrong.bytes(frame(json.dumps(right).encode()))
        kind = 1 if chance.random() < 0.997 else chance.randrange(16)
        text = self.wrong.json(right)
        return frame(text if chance.random() < 0.01 else text.decode(errors="replace").encode(), kind)

    async def frames(self, count: int) -> None:
        """Send wrong frames, on a new socket whenever one was closed."""
        left = count
        while left > 0:
            left -= await self.socket(left)

    async def socket(self, most: int) -> int:
        """Send wrong frames on one socket until it ends; return how many."""
        sent, heard, last = 0, dict[str, Any](), b""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
            writer.write(self.request("GET", f"/api/tables/{self.table.get('id')}/live", b"", **UPGRADE))
            async with asyncio.timeout(AT_FIRST if self.answers.sent == 0 else PATIENCE * 10):
                if b" 101 " not in await reader.readuntil(b"\r\n\r\n"):
                    return 1
            writer.write(frame(b'{"type":"hello","since":null}'))
        except (OSError, EOFError, TimeoutError):
            return 1
        try:
            while sent < most:
                for _ in range(min(FRAMES, most - sent)):
                    last = self.wrong_frame(heard)
                    writer.write(last)
                    sent += 1
                    self.answers.sent += 1
                writer.write(frame(b'{"type":"ping"}'))
                async with asyncio.timeout(PATIENCE * 3):
                    while await self.hear(reader, heard, last) != "pong":
                        pass
        except (OSError, EOFError, TimeoutError) as error:
            self.answers.kinds[f"ended {type(error).__name__}"] += 1
        finally:
            writer.transport.abort()
        return sent

    async def hear(self, reader: asyncio.StreamReader, heard: dict[str, Any], last: bytes) -> str:
        """Hear one message; return its type."""
        head = await reader.readexactly(2)
        size = head[1] & 127
        if size > 125:
            size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8))
        text = await reader.readexactly(size)
        if head[0] & 15 == 8:
            self.answers.note(f"close {int.from_bytes(text[:2])}", last, text)
            raise EOFError
        if head[0] & 15 != 1:
            return "control"
        message = json.loads(text)
        kind = str(message["type"])
        if kind in ("update", "news"):
            heard["seq"] = message["seq"]
            heard["decision"] = message["decision"] or heard.get("decision")
        elif kind not in ("pong", "presence", "thinking"):
            self.answers.note(f"error {message['code']}" if kind == "error" else kind, last, text)
        return kind


def frame(text: bytes, kind: int = 1) -> bytes:
    """Return a message as a client sends it."""
    size = len(text)
    if size < 126:
        length = bytes([0x80 | size])
    else:
        length = b"\xfe" + size.to_bytes(2) if size < 1 << 16 else b"\xff" + size.to_bytes(8)
    return bytes([0x80 | kind]) + length + b"\0\0\0\0" + text


async def send(port: int, game: str, count: int, seed: int, told: Callable[[], object] = lambda: None) -> Answers:
    """Send so many wrong requests and frames, half and half; `told` is called every second."""
    answers = Answers()
    many = min(BESIDE, max(2, count // 50))
    senders = [Sender(port, seed * 1000 + number, answers) for number in range(many)]
    for sender in senders:
        await sender.begin(game)
    each = -(-count // many)
    jobs = [sender.requests(each) if number % 2 else sender.frames(each) for number, sender in enumerate(senders)]
    sending = asyncio.gather(*jobs)
    while not sending.done():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(sending), 1.0)
        told()
    sending.result()
    return answers


def with_usual_quotas() -> None:
    """Of tables a server makes as few as ever: what is wrong is not to fill its memory with what is right."""
    os.environ["ZIGGURAT_QUOTA"] = "1"

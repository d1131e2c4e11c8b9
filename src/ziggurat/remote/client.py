"""The client of a server's API for programs: requests, streams, and believed positions."""

from __future__ import annotations

import base64
import binascii
import http.client
import ipaddress
import json
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec

import ziggurat
from ziggurat.core.errors import ZigguratError
from ziggurat.core.position import Position
from ziggurat.core.versions import versions

TOKEN_PREFIX = "ziggurat_"
"""How tokens begin."""
ANSWER_SECONDS, SILENCE_SECONDS = 30.0, 45.0
"""Seconds for an answer; and for which a stream may say nothing: it says every 15 that it is there."""
ANSWER_BYTES = 4 << 20
"""Bytes of an answer, or of a line."""
LONGEST_WAIT = 60.0
"""Seconds that are waited where a server says for how long; at most."""
Json = dict[str, Any]


class ServerAway(ZigguratError):
    """A server cannot be reached, or sends an invalid answer."""

    code = "server_away"


class ServerRefused(ZigguratError):
    """A server has refused a request: `status` and `reason`, its code."""

    code = "server_refused"

    def __init__(self, status: int, reason: str, says: str, retry: float | None = None) -> None:
        super().__init__(says)
        self.status = status
        self.reason = reason
        self.retry = retry


class TokenRefused(ServerRefused):
    """A token is not valid, or has another scope; nothing is gained by asking again."""


class TableLink(msgspec.Struct, frozen=True):
    """A table's link: its id and its secret; without a secret it is known by its id alone."""

    table: str
    secret: str = ""


class BeliefMessage(msgspec.Struct, frozen=True):
    """A determinized position, as a server sends it."""

    seq: int
    seat: int
    game: str
    players: int
    options: dict[str, str]
    components: str | None
    versions: dict[str, str]
    state: str


class BelievedPosition(msgspec.Struct, frozen=True):
    """A determinized position, as a seat may believe it to be, at `seq` of its table."""

    seq: int
    seat: int
    position: Position


def read_token(file: Path) -> str:
    """Return the token in a file.

    Raises:
        ServerRefused: where there is none.
    """
    try:
        text = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ServerRefused(0, "no_token", f"the token cannot be read from {file}: {why}") from None
    if not text.startswith(TOKEN_PREFIX) or not text.isascii() or len(text.split()) != 1:
        says = f"{file} holds no token: one begins with {TOKEN_PREFIX} and is made on your own page of the server"
        raise ServerRefused(0, "no_token", says)
    return text


def read_link(text: str) -> TableLink:
    """Parse a link, or an id, into the table that it names."""
    parts = text.partition("#")[2].strip("/").split("/") if "#" in text else text.strip("/").split("/")
    if parts[0] in ("join", "table"):
        parts = parts[1:]
    if not parts or not parts[0].isalnum() or len(parts) > 2:
        raise ServerRefused(0, "bad_link", f"a table is named by its link or its id, not by {text[:80]!r}")
    return TableLink(parts[0], parts[1] if len(parts) == 2 else "")


def _is_near(host: str) -> bool:
    """Whether unencrypted requests to a hostname stay in one's own network."""
    if host == "localhost" or host.endswith((".localhost", ".local")):
        return True
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return found.is_loopback or found.is_private


class TableServer:
    """A server and the token for its requests. No redirect is followed: the token is for this server."""

    def __init__(self, address: str, token: str, *, sleep: Callable[[float], None] = time.sleep) -> None:
        """Raises ServerRefused for an invalid URL, or one over which the token would travel in the clear."""
        parts = urlsplit(address)
        try:
            host, port = parts.hostname or "", parts.port
        except ValueError:
            host, port = "", None
        if parts.scheme not in ("http", "https") or not host or parts.username or parts.query or parts.fragment:
            says = f"a server is named as https://games.example, not as {address[:80]!r}"
            raise ServerRefused(0, "bad_address", says)
        if parts.scheme == "http" and not _is_near(host):
            says = f"http sends the token to {host} in the clear, for everybody on the way; use https"
            raise ServerRefused(0, "bad_address", says)
        self.address = f"{parts.scheme}://{parts.netloc}"
        self._secure, self._host, self._port = parts.scheme == "https", host, port
        self._token = token
        self._sleep = sleep

    def _begin(self, method: str, path: str, body: Json | None, seconds: float) -> Any:
        connection: http.client.HTTPConnection
        if self._secure:
            safe = ssl.create_default_context()
            connection = http.client.HTTPSConnection(self._host, self._port, timeout=seconds, context=safe)
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=seconds)
        headers = {"authorization": f"Bearer {self._token}", "user-agent": f"ziggurat/{ziggurat.__version__}"}
        data = None
        if method != "GET":
            headers["content-type"] = "application/json"
            data = json.dumps(body or {}).encode()
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            if answer.status != 200:
                raise _refused(answer.status, answer.headers.get("retry-after"), answer.read(ANSWER_BYTES))
            return connection, answer
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise ServerAway(f"{self.address} does not answer ({_why(error)})") from None
        except BaseException:
            connection.close()
            raise

    def ask(self, method: str, path: str, body: Json | None = None, *, tries: int = 5) -> Any:
        """Send a request, with retries where they may help: each has the same id, and takes effect once.

        Raises:
            ServerRefused, TokenRefused, ServerAway.
        """
        for again in range(tries):
            try:
                connection, answer = self._begin(method, path, body, ANSWER_SECONDS)
                with closing(connection):
                    return _read(_whole(answer))
            except ServerRefused as refused:
                if refused.retry is None or again == tries - 1:
                    raise
                self._sleep(min(LONGEST_WAIT, max(0.1, refused.retry)))
            except ServerAway:
                if again == tries - 1:
                    raise
                self._sleep(0.5 * 2**again)
            except (OSError, http.client.HTTPException) as error:
                if again == tries - 1:
                    raise ServerAway(f"{self.address} broke off ({_why(error)})") from None
                self._sleep(0.5 * 2**again)
        raise AssertionError

    def lines(self, path: str) -> Iterator[Json]:
        """Read the messages of a stream until it ends; one with the type "alive" where nothing happens.

        Raises:
            ServerRefused, TokenRefused, ServerAway.
        """
        connection, answer = self._begin("GET", path, None, SILENCE_SECONDS)
        with closing(connection):
            while True:
                try:
                    line = answer.readline(ANSWER_BYTES + 1)
                except (OSError, ValueError, http.client.HTTPException) as error:
                    raise ServerAway(f"{self.address} broke off ({_why(error)})") from None
                if not line:
                    return
                if len(line) > ANSWER_BYTES:
                    raise ServerAway(f"{self.address} sent a line of more than {ANSWER_BYTES} bytes")
                yield _object(_read(line)) if line.strip() else {"type": "alive"}

    def table(self, id: str, *what: str) -> str:
        """Return the path of a table, or of a part of it."""
        return "/".join(("/api/tables", quote(id, safe=""), *what))

    def accept(self, id: str) -> None:
        """Sit down where a seat is kept."""
        self.ask("POST", self.table(id, "accept"))

    def join(self, invitation: TableLink, name: str) -> Json:
        """Sit down by a link; where a seat is kept, without one."""
        if not invitation.secret:
            return _object(self.ask("POST", self.table(invitation.table, "accept")))
        wish = {"invite": invitation.secret, "name": name}
        return _object(self.ask("POST", self.table(invitation.table, "join"), wish))

    def believed(self, id: str) -> BelievedPosition:
        """Return a determinized position, as one's seat may believe it to be.

        Raises:
            ServerRefused: also where the server plays by other rules than this program has.
        """
        try:
            told = msgspec.convert(self.ask("GET", self.table(id, "belief")), BeliefMessage)
            game = ziggurat.game(told.game)
            components = game.components_of(told.components)
            here = versions(game, components)
            other = [name for name in ("rules", "actions", "components") if told.versions.get(name) != here[name]]
            if other:
                says = (
                    f"the server has other {' and other '.join(other)} of {game.id} than this program: it has ziggurat "
                    f"{told.versions.get('ziggurat', 'unknown')[:20]}, here is {here['ziggurat']}"
                )
                raise ServerRefused(409, "other_rules", says)
            state = base64.b64decode(told.state, validate=True)
            found = Position.from_bytes(game, state, players=told.players, options=told.options, components=components)
        except (msgspec.ValidationError, binascii.Error) as error:
            raise ServerAway(f"{self.address} sent no position: {error}") from None
        return BelievedPosition(told.seq, told.seat, found)


def _refused(status: int, retry: str | None, body: bytes) -> ServerRefused:
    try:
        told = _object(json.loads(body))
    except (ValueError, RecursionError, ServerAway):
        told = {}
    reason, says = str(told.get("code", "")), str(told.get("detail", f"the server answered {status}"))[:500]
    if status == 401 or reason in ("token_scope", "barred"):
        return TokenRefused(status, reason, says)
    passes = retry is not None and retry.isdecimal()
    wait = float(retry) if passes and retry is not None else 2.0 if status in (502, 504) else None
    return ServerRefused(status, reason, says, wait)


def _whole(answer: http.client.HTTPResponse) -> bytes:
    text = answer.read(ANSWER_BYTES + 1)
    if len(text) > ANSWER_BYTES:
        raise ServerAway(f"the answer has more than {ANSWER_BYTES} bytes")
    return text


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ServerAway("the answer is no JSON: is there a Ziggurat server at this address?") from None


def _object(found: Any) -> Json:
    if not isinstance(found, dict):
        raise ServerAway("the answer is no object: is there a Ziggurat server at this address?")
    return found


def _why(error: Exception) -> str:
    return str(error)[:200] or type(error).__name__

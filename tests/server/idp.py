"""A provider of OpenID Connect of the tests' own, on this machine."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from base64 import b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from anyio.from_thread import start_blocking_portal
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

CLIENT, SECRET = "ziggurat", "a secret of ours"
Claims = dict[str, Any]
LARGE, SLOW = b"large", b"slow"
"""Said instead of an answer: what is right, but very long, or a bit at a time."""


class Idp:
    """Signs in whoever says who they are (`answers`); `spoils` the tokens if a test wants it."""

    def __init__(self) -> None:
        self.base = ""
        self.key = ECKey.generate_key("P-256", {"kid": "first"})
        self.asked: Counter[str] = Counter()
        self.spoils: Callable[[Claims], str | None] = lambda claims: None
        self.says: Callable[[str], bytes | None] = lambda path: None
        """What is said at a path instead of what is right."""
        self.at_login = ("ann", "Ann")
        """Who signs in whenever a browser comes: by what they are told from others, and their name."""
        self._codes: dict[str, dict[str, str]] = {}

    def answers(self, url: str, subject: str, name: str = "") -> dict[str, str]:
        """Sign somebody in at the address to which a browser was sent; return with what it comes back."""
        parts = urlsplit(url)
        asks = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert url.startswith(f"{self.base}/login?")
        assert (asks["response_type"], asks["code_challenge_method"]) == ("code", "S256")
        assert asks["client_id"] == CLIENT
        assert "openid" in asks["scope"].split()
        code = secrets.token_hex(8)
        self._codes[code] = {**asks, "sub": subject, "name": name}
        return {"code": code, "state": asks["state"], "iss": self.base}

    def itself(self) -> dict[str, str]:
        """What it says of itself."""
        places = {"authorization_endpoint": "login", "token_endpoint": "token", "jwks_uri": "keys"}
        return {"issuer": self.base, **{name: f"{self.base}/{place}" for name, place in places.items()}}

    def signed(self, claims: Claims, key: Any = None, **header: str) -> str:
        """Return a token."""
        key = key or self.key
        head = {"alg": "ES256", "kid": self.key.kid or "", **header}
        return jwt.encode(head, claims, key, algorithms=[head["alg"]])

    def _document(self, path: str, form: dict[str, str], client: tuple[str, str]) -> tuple[int, Any]:
        self.asked[path] += 1
        if path == "/.well-known/openid-configuration":
            return 200, self.itself()
        if path == "/keys":
            return 200, KeySet([self.key]).as_dict(private=False)
        asks = self._codes.pop(form.get("code", ""), None)
        challenge = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if asks is None or challenge != asks["code_challenge"] or asks["redirect_uri"] != form["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        if client != (CLIENT, SECRET):
            return 401, {"error": "invalid_client"}
        now = int(time.time())
        claims = {"iss": self.base, "aud": CLIENT, "sub": asks["sub"], "name": asks["name"], "nonce": asks["nonce"]}
        claims |= {"iat": now, "exp": now + 60}  # type: ignore[dict-item]
        return 200, {
            "id_token": self.spoils(claims) or self.signed(claims),
            "token_type": "bearer",
            "access_token": "x",
        }

    async def _login(self, writer: asyncio.StreamWriter, url: str) -> None:
        """Send a browser back as somebody, without asking who they are."""
        back = parse_qs(urlsplit(url).query)["redirect_uri"][0]
        place = f"{back}?{urlencode(self.answers(url, *self.at_login))}"
        writer.write(f"HTTP/1.1 303 OK\r\nlocation: {place}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode())
        await writer.drain()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            lines = head.split("\r\n")
            headers = {n.lower(): v.strip() for n, _, v in (line.partition(":") for line in lines[1:])}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            if lines[0].startswith("GET /login?"):
                await self._login(writer, self.base + lines[0].split()[1])
                return
            known = b64decode(headers.get("authorization", "").removeprefix("Basic ")).decode()
            path = lines[0].split()[1]
            id, _, secret = known.partition(":")
            status, document = self._document(path, form, (id, secret.replace("%20", " ")))
            right, text = json.dumps(document).encode(), self.says(path)
            slow = text == SLOW
            if text in (None, LARGE, SLOW):
                text = right + b" " * (300_000 if text == LARGE else 600 * slow)
            assert text is not None
            lines = [f"HTTP/1.1 {status} OK", f"content-length: {len(text)}", "connection: close", "", ""]
            writer.write("\r\n".join(lines).encode())
            piece = 40 if slow else len(text)
            for at in range(0, len(text), piece):
                writer.write(text[at : at + piece])
                await writer.drain()
                await asyncio.sleep(0.1 * slow)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@contextmanager
def provider() -> Iterator[Idp]:
    """Run one, in a loop of its own: the client of the tests holds up theirs."""
    idp = Idp()
    with start_blocking_portal() as portal:
        server = portal.call(asyncio.start_server, idp._answer, "127.0.0.1", 0)
        idp.base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield idp
        portal.call(server.close)

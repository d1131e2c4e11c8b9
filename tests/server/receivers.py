"""What is sent to: a push service, webhooks and a mail server of the tests' own, on this machine."""

from __future__ import annotations

import asyncio
import base64
import email
import hashlib
import hmac
import ipaddress
import json
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ziggurat.server.features.notifications.senders import b64, unb64, unhook

Json = dict[str, Any]


def certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return how a server on this machine proves who it is, and who believes it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a push service of the tests")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=400))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    proof = made.public_bytes(Encoding.PEM)
    none = serialization.NoEncryption()
    private = key.private_bytes(Encoding.PEM, serialization.PrivateFormat.PKCS8, none)
    (folder / "both.pem").write_bytes(proof + private)
    (folder / "ca.pem").write_bytes(proof)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "both.pem")
    return server, ssl.create_default_context(cafile=str(folder / "ca.pem"))


class Request:
    """What was posted."""

    def __init__(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.path = path
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Json:
        found: Json = json.loads(self.body)
        return found

    def is_signed(self, secret: str) -> bool:
        """Whether a webhook proves who sent it, as standardwebhooks.com says."""
        id, moment = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = hmac.digest(unhook(secret), f"{id}.{moment}.".encode() + self.body, hashlib.sha256)
        return self.headers["webhook-signature"] == f"v1,{base64.b64encode(signed).decode()}"


class Receiver:
    """Takes what is posted to it. `answers`: how, the next times; then 201."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.got: list[Request] = []
        self.answers: list[bytes] = []
        self.before: Callable[[], Awaitable[None]] | None = None

    def says(self, *statuses: int, **headers: str) -> None:
        """Answer like that the next times."""
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.answers += [f"HTTP/1.1 {status} Said\r\n{more}content-length: 0\r\n\r\n".encode() for status in statuses]

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers["content-length"]))
            self.got.append(Request(head[0].split()[1], headers, body))
            if self.before is not None:
                await self.before()
            writer.write(self.answers.pop(0) if self.answers else b"HTTP/1.1 201 Made\r\ncontent-length: 0\r\n\r\n")
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiver(tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """Run one."""
    made = Receiver("")
    server = await asyncio.start_server(lambda reader, writer: made.take(reader, writer), "127.0.0.1", 0, ssl=tls)
    made.base = f"{'https' if tls else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield made


class Browser:
    """A browser's subscription, and what it reads of what is pushed to it (RFC 8291)."""

    def __init__(self, service: Receiver) -> None:
        self.service = service
        self.path = f"/push/{secrets.token_hex(8)}"
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = secrets.token_bytes(16)

    @property
    def subscription(self) -> Json:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": b64(point), "auth": b64(self.auth)}
        return {"endpoint": self.service.base + self.path, "expirationTime": None, "keys": keys}

    def read(self) -> list[Json]:
        """Return what it was told."""
        mine = [request for request in self.service.got if request.path == self.path]
        return [json.loads(self._open(request)) for request in mine]

    def _open(self, request: Request) -> bytes:
        assert request.headers["content-encoding"] == "aes128gcm"
        kind, _, rest = request.headers["authorization"].partition(" ")
        assert kind == "vapid"
        said = dict(part.strip().split("=", 1) for part in rest.split(","))
        claims = json.loads(unb64(said["t"].split(".")[1]))
        assert claims["aud"] == self.service.base
        _prove(said["t"], unb64(said["k"]))
        opened: bytes = http_ece.decrypt(request.body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        return opened


def _prove(token: str, public: bytes) -> None:
    """Fail unless a token was signed by a key (RFC 8292)."""
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    head, _, signed = token.rpartition(".")
    raw = unb64(signed)
    signature = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    key.verify(signature, head.encode(), ec.ECDSA(hashes.SHA256()))


class Letters:
    """A mail server. `refuses`: addresses that it does not know."""

    def __init__(self) -> None:
        self.url = ""
        self.got: list[EmailMessage] = []
        self.refuses: set[str] = set()
        self.down = False

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode())
            await writer.drain()

        await say("421 not now" if self.down else "220 tests")
        while line := (await reader.readline()).decode().strip():
            verb = line[:4].upper()
            if verb in ("EHLO", "HELO"):
                await say("250 tests")
            elif verb == "RCPT" and line.partition("<")[2].rstrip(">") in self.refuses:
                await say("550 no such address")
            elif verb == "DATA":
                await say("354 go on")
                letter = await reader.readuntil(b"\r\n.\r\n")
                self.got.append(email.message_from_bytes(letter[:-3].replace(b"\r\n..", b"\r\n."), policy=default))
                await say("250 taken")
            elif verb == "QUIT":
                await say("221 bye")
                break
            else:
                await say("250 fine")
        writer.close()


@asynccontextmanager
async def letters() -> AsyncIterator[Letters]:
    """Run a mail server."""
    made = Letters()
    async with listening(made.take) as port:
        made.url = f"smtp://127.0.0.1:{port}"
        yield made


@asynccontextmanager
async def listening(
    take: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[int]:
    """Have something take connections; give the port."""
    async with await asyncio.start_server(take, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]

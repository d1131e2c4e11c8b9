"""Nothing that a server writes leads back to a visitor's address: neither the address nor a hash that anybody could try
all addresses against."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.example import SEATS
from tests.server.player import visitor
from tests.server.process import server
from tests.server.test_workers import free_port

from ziggurat.server.store.models import tables

HERE = ("198.51.100.77", "2001:db8:1234:5678::9abc")
SHORT = 8
"""Bytes of a hash by which it is found: they are shortened, but hardly to less."""
SIZES = (8, 10, 12, 16, 20, 24, 28, 32, 48, 64)
"""Bytes of a hash of BLAKE, each of which begins otherwise."""


def traces(address: str) -> Iterator[tuple[str, bytes]]:
    """Everything by which an address may have been written down, with what it is called."""
    parsed = ipaddress.ip_address(address)
    network = ipaddress.ip_network(f"{address}/64", strict=False) if parsed.version == 6 else None
    texts = {address, parsed.exploded, *({str(network), str(network.network_address)} if network else ())}
    for text in texts:
        yield "text", text.encode()
    yield "number", str(int(parsed)).encode()
    yield "hex", parsed.packed.hex().encode()
    if parsed.version == 6:
        yield "bytes", parsed.packed[:8]  # four bytes stand anywhere by chance
    for said in (*(text.encode() for text in texts), parsed.packed):
        for name in sorted(hashlib.algorithms_guaranteed):
            if name.startswith("shake"):
                digests = [hashlib.new(name, said).digest(32)]  # type: ignore[call-arg]
            elif name.startswith("blake"):  # whose digests of other lengths begin otherwise
                make = getattr(hashlib, name)
                digests = [make(said, digest_size=size).digest() for size in SIZES if size <= make().digest_size]
            else:
                digests = [hashlib.new(name, said).digest()]
            for digest in digests:
                yield name, digest[:SHORT]
                yield name, digest.hex()[: 2 * SHORT].encode()
                for encode in (base64.b64encode, base64.urlsafe_b64encode, base64.b32encode):
                    yield name, encode(digest)[: 8 * SHORT // 6]


def found(written: bytes) -> set[str]:
    """What leads back to an address in what was written."""
    lower = written.lower()
    return {name for address in HERE for name, trace in traces(address) if trace in written or trace.lower() in lower}


def written(folder: Path, port: int) -> dict[str, bytes]:
    """Every file of a server, and its metrics."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        metrics = answer.read()
    return {"metrics": metrics} | {file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_what_would_lead_back_is_found() -> None:
    """An address, in whatever way it is written, and an unkeyed hash of it."""
    assert found(b"... 198.51.100.77 ...") == {"text"}
    assert found(b"..." + ipaddress.ip_address(HERE[1]).packed) == {"bytes"}
    assert found(b"x" + str(int(ipaddress.ip_address(HERE[0]))).encode()) == {"number"}
    shortened = hashlib.blake2b(HERE[0].encode(), digest_size=12).hexdigest().encode()
    assert found(shortened) == {"blake2b"}
    assert found(hashlib.sha256(b"2001:db8:1234:5678::/64").digest()) == {"sha256"}
    keyed = hashlib.blake2b(HERE[0].encode(), key=b"k" * 32, digest_size=12).hexdigest().encode()
    assert found(keyed) == set()


@pytest.mark.slow
async def test_neither_database_nor_log_nor_metrics_lead_back_to_an_address(tmp_path: Path) -> None:
    """People come by a proxy, which says their addresses, and do what leaves something behind."""
    port = free_port()
    options = {"metrics": f"127.0.0.1:{port}"}
    with server(tmp_path, options=options, ZIGGURAT_PROXIES="127.0.0.1", ZIGGURAT_QUOTA="1") as running:
        origins = set[str]()
        for address in HERE:
            async with visitor(running.base) as ann, visitor(running.base) as eve:
                for one in (ann, eve):
                    one.http.headers["x-forwarded-for"] = address
                await ann.http.put("/api/me", json={"name": "Ann"})
                table = await ann.table("me", "open", *["random"] * (SEATS - 2))
                assert (await eve.http.put("/api/me", json={"name": "Eve"})).status_code == 200
                async with ann.at(table["id"]) as live:
                    await live.reply(type="say", text="hello")
                # What is refused, and what is wrong.
                await eve.http.get("/api/tables/none")
                await eve.http.post("/api/sign-in/code", json={"code": "x" * 20})
                await eve.http.put("/api/me", json={"name": "Eve"}, headers={"origin": "http://elsewhere.example"})
                await eve.http.get("/api/me", headers={"host": "elsewhere.example"})
                await eve.http.get("/api/me", headers={"x-forwarded-for": f"{address}, {address}, nonsense"})
            held = await running.in_database(lambda c: c.execute(sa.select(tables.c.origin)).scalars().all())
            origins |= {origin for origin in held if origin is not None}
        assert len(origins) == 2, "the quota of each address is counted"
        for name, text in written(tmp_path, port).items():
            assert found(text) == set(), name

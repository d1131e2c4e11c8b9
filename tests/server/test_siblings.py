"""Connections are passed to the worker that has the table, and to nobody where that cannot be."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from itertools import count

import msgspec
import pytest

from ziggurat.server.siblings import REQUEST_BYTES, Siblings, SiblingSockets, SiblingsParent

REQUEST = b"GET /api/tables/%b/live HTTP/1.1\r\nhost: localhost\r\n\r\n"


@pytest.fixture
def parent() -> Iterator[SiblingsParent]:
    made = SiblingsParent(2)
    yield made
    made.close()


def child(parent: SiblingsParent, slot: int) -> Siblings:
    """A worker as it is told, with descriptors of its own as if it had inherited them."""
    told = parent.sockets(slot)
    return Siblings(
        SiblingSockets(slot, os.dup(told.serving), os.dup(told.inbox), [os.dup(outbox) for outbox in told.outboxes])
    )


def table_of(siblings: Siblings, slot: int) -> str:
    """A table whose home is in a slot."""
    return next(table for number in count() if siblings.home(table := f"table{number}") == slot)


class Connected:
    """A connection that one worker has accepted, and its client."""

    def __init__(self) -> None:
        self.client, self.accepted = socket.socketpair()
        self.client.settimeout(20)

    def get_extra_info(self, name: str) -> socket.socket:
        assert name == "socket"
        return self.accepted


class Heard(asyncio.Protocol):
    """What a worker does with a connection: here it says which request it was given."""

    def __init__(self, request: bytes) -> None:
        self.request = request

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(self.request)
        transport.close()


def passes(siblings: Siblings, connected: Connected, table: str, more: bytes = b"") -> bool:
    request = REQUEST % table.encode() + more
    return siblings.pass_on(connected, f"/api/tables/{table}/live?seat=1".encode(), request)  # type: ignore[arg-type]


def test_one_that_is_alone_is_everybodys_home() -> None:
    alone = Siblings()
    assert all(alone.is_home(f"table{number}") for number in range(50))
    assert not passes(alone, Connected(), "table1")


def test_orders_tell_a_worker_where_the_others_are(parent: SiblingsParent) -> None:
    told = parent.sockets(1)
    assert msgspec.json.decode(msgspec.json.encode(told), type=SiblingSockets) == told


async def test_a_connection_goes_to_the_home_of_its_table(parent: SiblingsParent) -> None:
    here, there = child(parent, 0), child(parent, 1)
    assert here.is_home("table1"), "nobody serves yet"
    parent.note(0, True)
    parent.note(1, True)
    ours, theirs = table_of(here, 0), table_of(here, 1)
    assert there.is_home(theirs)
    assert there.home(ours) == 0
    connected = Connected()
    assert not passes(here, connected, ours)
    assert passes(here, connected, theirs)
    connected.accepted.close()
    there.open(Heard)
    said = await asyncio.to_thread(connected.client.makefile("rb").read)
    assert said == REQUEST % theirs.encode()
    there.close()
    # Of one that does not serve any more, everybody is the home.
    parent.note(1, False)
    assert here.is_home(theirs)
    assert not passes(here, Connected(), theirs)


@pytest.mark.parametrize(
    "target", [b"/api/tables/%b", b"/api/tables/%b/moves", b"/api/tables/%b/lives", b"/x/api/tables/%b/live", b"/"]
)
def test_only_what_follows_a_table_is_passed_on(parent: SiblingsParent, target: bytes) -> None:
    here = child(parent, 0)
    parent.note(1, True)
    table = table_of(here, 1).encode()
    asked = target % table if b"%b" in target else target
    assert not here.pass_on(Connected(), asked, b"GET / HTTP/1.1\r\n\r\n")  # type: ignore[arg-type]


def test_what_is_too_long_or_too_much_stays(parent: SiblingsParent) -> None:
    here = child(parent, 0)
    parent.note(1, True)
    table = table_of(here, 1)
    assert not passes(here, Connected(), table, b"x" * REQUEST_BYTES)
    waiting = []
    for _ in range(5000):
        waiting.append(Connected())
        if not passes(here, waiting[-1], table):
            break
    else:
        pytest.fail("so many wait, and nobody is kept")
    for connected in waiting:
        connected.accepted.close()
        connected.client.close()


async def test_what_waits_is_taken_by_the_next_worker(parent: SiblingsParent) -> None:
    """Many at once, and one whose client has gone meanwhile."""
    here, old = child(parent, 0), child(parent, 1)
    parent.note(1, True)
    table = table_of(here, 1)
    old.open(Heard)
    old.close()
    waiting = [Connected() for _ in range(9)]
    for connected in waiting:
        assert passes(here, connected, table)
        connected.accepted.close()
    waiting[3].client.close()
    new = child(parent, 1)
    new.open(Heard)
    for number, connected in enumerate(waiting):
        if number != 3:
            assert await asyncio.to_thread(connected.client.makefile("rb").read) == REQUEST % table.encode()
    new.close()

"""What goes over a socket after its handshake, frame by frame (RFC 6455)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from tests.server.test_connections import LIMITS, PATIENCE, Echo, connected, everything, handshake, serving, until
from websockets.exceptions import ProtocolError
from websockets.frames import Close, Frame, Opcode
from websockets.streams import StreamReader

pytestmark = pytest.mark.slow

MOST = 16 * 2**20
"""Bytes of a message to uvicorn, if nothing else was said."""
EMPTY = Frame(Opcode.CLOSE, b"").serialize(mask=True)


def sent(opcode: Opcode, data: bytes = b"", *, last: bool = True, mask: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, data, fin=last).serialize(mask=mask)


def read(data: bytes) -> Iterator[Frame]:
    """The frames of a server, as another library reads them."""
    reader = StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    while reader.buffer:
        parsing = Frame.parse(reader.read_exact, mask=False)
        try:
            next(parsing)
        except StopIteration as end:
            yield end.value


@asynccontextmanager
async def talking() -> AsyncIterator[tuple[Echo, asyncio.StreamReader, asyncio.StreamWriter]]:
    """A socket whose handshake is over."""
    async with serving(pings=None) as (app, doorman, port):
        async with connected(port, handshake()) as (reader, writer):
            await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
            await until(lambda: app.line)
            yield app, reader, writer
        await until(lambda: not doorman.here)
        await asyncio.wait_for(app.ended.wait(), PATIENCE)


MESSAGES: dict[str, tuple[bytes, list[str | bytes]]] = {
    "a text": (sent(Opcode.TEXT, b"hello"), ["hello"]),
    "one of nothing": (sent(Opcode.TEXT), [""]),
    "one of two bytes' size": (sent(Opcode.TEXT, b"x" * 126), ["x" * 126]),
    "one of eight bytes' size": (sent(Opcode.TEXT, b"x" * 65536), ["x" * 65536]),
    "a binary one": (sent(Opcode.BINARY, b"\xff"), [b"\xff"]),
    "two at once": (sent(Opcode.TEXT, b"a") + sent(Opcode.TEXT, b"b"), ["a", "b"]),
    "one in pieces, a letter in two of them, with a question between": (
        sent(Opcode.TEXT, b"\xc3", last=False)
        + sent(Opcode.PING, b"there?")
        + sent(Opcode.CONT, b"\xa9", last=False)
        + sent(Opcode.CONT),
        ["é"],
    ),
}


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "byte by byte"])
@pytest.mark.parametrize("name", MESSAGES)
async def test_messages_are_heard(name: str, at_once: bool) -> None:
    frames, expected = MESSAGES[name]
    async with talking() as (app, reader, writer):
        for at in range(0, len(frames), len(frames) if at_once else max(1, len(frames) // 50)):
            writer.write(frames[at : at + (len(frames) if at_once else max(1, len(frames) // 50))])
            if not at_once:
                await asyncio.sleep(0)
        await until(lambda: len(app.heard) == len(expected))
        assert app.heard == expected
        writer.write(sent(Opcode.CLOSE, Close(1000, "enough").serialize()))
        *before, last = read(await everything(reader))
        assert (last.opcode, last.data) == (Opcode.CLOSE, (1000).to_bytes(2, "big"))
        assert [(f.opcode, f.data) for f in before] == [(Opcode.PONG, b"there?")] * ("question" in name)


WRONG = {
    "not masked": (sent(Opcode.TEXT, b"hello", mask=False), 1002),
    "a reserved bit": (bytes([0xC1, *sent(Opcode.TEXT, b"x")[1:]]), 1002),
    "no such frame": (bytes([0x83, *sent(Opcode.TEXT, b"x")[1:]]), 1002),
    "no such frame of control": (bytes([0x8B, *sent(Opcode.TEXT, b"x")[1:]]), 1002),
    "goes on with nothing": (sent(Opcode.CONT, b"x"), 1002),
    "begins in the middle": (sent(Opcode.TEXT, b"x", last=False) + sent(Opcode.TEXT, b"y"), 1002),
    "control in pieces": (bytes([0x09, *sent(Opcode.PING, b"x")[1:]]), 1002),
    "long control": (bytes([0x89, *sent(Opcode.TEXT, b"x" * 126)[1:]]), 1002),
    "a goodbye of one byte": (bytes([0x88, *sent(Opcode.TEXT, b"x")[1:]]), 1002),
    "a goodbye that means nothing": (bytes([0x88, *sent(Opcode.TEXT, b"\x03\xed")[1:]]), 1002),
    "no text": (sent(Opcode.TEXT, b"\xff"), 1007),
    "no text at the end of its pieces": (sent(Opcode.TEXT, b"\xc3", last=False) + sent(Opcode.CONT), 1007),
    "too large": (b"\x81\xff" + (MOST + 1).to_bytes(8, "big") + b"mask", 1009),
    "absurd": (b"\x81\xff" + b"\xff" * 8 + b"mask", 1009),
    "too large in pieces": (
        sent(Opcode.TEXT, b"x" * MOST, last=False) + sent(Opcode.CONT, b"x", last=False),
        1009,
    ),
}


@pytest.mark.parametrize("name", WRONG)
async def test_what_is_no_frame_ends_the_socket_and_says_why(name: str) -> None:
    frames, code = WRONG[name]
    async with talking() as (app, reader, writer):
        writer.write(sent(Opcode.TEXT, b"before") + frames + sent(Opcode.TEXT, b"after"))
        (goodbye,) = read(await everything(reader))
        close = Close.parse(goodbye.data)
        assert (goodbye.opcode, close.code) == (Opcode.CLOSE, code)
        assert close.reason.endswith(".")
        await asyncio.wait_for(app.ended.wait(), PATIENCE)
        assert app.heard == ["before"]


async def test_who_says_goodbye_is_answered_also_without_a_word() -> None:
    async with talking() as (_, reader, writer):
        writer.write(EMPTY)
        assert [(frame.opcode, frame.data) for frame in read(await everything(reader))] == [(Opcode.CLOSE, b"")]


async def test_after_our_goodbye_nothing_is_heard_and_the_connection_ends_with_theirs() -> None:
    async with talking() as (app, reader, writer):
        assert app.line is not None
        app.line.close(4408, "The first message must be a hello.")
        app.line.close(1011, "said once")
        app.line.send_texts([b"too late"])
        assert app.line.ended
        assert not app.line.free
        writer.write(sent(Opcode.TEXT, b"too late") + sent(Opcode.CLOSE, Close(4408, "").serialize()))
        (goodbye,) = read(await everything(reader))
        assert Close.parse(goodbye.data) == Close(4408, "The first message must be a hello.")
        assert app.heard == []


async def test_what_is_held_up_is_heard_later() -> None:
    async with talking() as (app, _, writer):
        assert app.line is not None
        app.line.hold()
        writer.write(sent(Opcode.TEXT, b"patience"))
        await writer.drain()
        await asyncio.sleep(0)
        assert app.heard == []
        app.line.go_on()
        await until(lambda: app.heard)


async def test_a_server_that_ends_says_goodbye() -> None:
    async with talking() as (app, reader, _):
        assert app.server is not None
        app.server.should_exit = True
        (goodbye,) = read(await everything(reader))
        assert Close.parse(goodbye.data).code == 1012


async def test_there_is_room_when_what_was_said_has_been_read() -> None:
    patient = replace(LIMITS, send_seconds=PATIENCE)
    async with serving(patient, pings=None) as (app, _, port), connected(port, handshake("/100000")) as (reader, _w):
        await until(lambda: app.line and not app.line.free)
        assert app.line is not None
        waits = asyncio.create_task(app.line.drain())
        await asyncio.sleep(0)
        assert not waits.done()
        reading = asyncio.create_task(reader.read())
        await asyncio.wait_for(waits, PATIENCE)
        assert app.line.free
        reading.cancel()


def test_the_other_library_would_see_a_mistake() -> None:
    with pytest.raises(ProtocolError):
        list(read(sent(Opcode.TEXT, b"masked", mask=True)))

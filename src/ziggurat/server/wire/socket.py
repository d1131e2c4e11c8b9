"""`/api/tables/{id}/live`: one socket at one table."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketException
from litestar.params import FromPath, FromQuery

from ziggurat.core.errors import ZigguratError
from ziggurat.server.problems import Problem, by_the_rules, unexpected
from ziggurat.server.settings import Settings
from ziggurat.server.verbs.move import move, preview
from ziggurat.server.verbs.sit import come_back, may_look
from ziggurat.server.verbs.stand_in import stand_in
from ziggurat.server.verbs.table import Table
from ziggurat.server.verbs.undo import answer, undo
from ziggurat.server.wire import messages as m
from ziggurat.server.wire.guests import whoever
from ziggurat.server.wire.hub import BROKEN, Connection, Hub
from ziggurat.server.workers.advice import hint
from ziggurat.server.workers.keeper import Keeper

HELLO_SECONDS = 20.0


class Pace:
    """Lets `rate` messages a second through, and twice as many at once; who sends more is read more slowly."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.left = 2 * rate
        self.at = time.monotonic()

    async def keep(self) -> None:
        """Wait until one more message may pass."""
        now = time.monotonic()
        self.left = min(2 * self.rate, self.left + (now - self.at) * self.rate) - 1
        self.at = now
        if self.left < 0:
            # Nothing is refused or lost: what is not read yet holds up its sender.
            await asyncio.sleep(-self.left / self.rate)


def _error(problem: Problem, id: str | None = None) -> m.ErrorAnswer:
    return m.ErrorAnswer(id, problem.code, problem.detail, problem.args_)


async def _refuse(socket: WebSocket[Any, Any, Any], problem: Problem) -> None:
    # Accepted first: a browser cannot read the answer to a failed handshake.
    await socket.accept()
    await socket.send_data(m.encode(_error(problem)).decode())
    await socket.close(4000 + problem.status, problem.detail[:120])


@websocket("/api/tables/{table_id:str}/live")
async def live(
    socket: WebSocket[Any, Any, Any],
    table_id: FromPath[str],
    settings: NamedDependency[Settings],
    keeper: NamedDependency[Keeper],
    hub: NamedDependency[Hub],
    invite: FromQuery[str | None] = None,
) -> None:
    """Follow a table and play at it."""
    try:
        person = await whoever(socket, keeper.database)
        id = person.id if person else None
        table = await keeper.get(table_id)
        may_look(table, id, invite)
        if hub.people[id or ""] >= settings.sockets_per_person and id is not None:
            raise Problem(
                429, "too_many_sockets", f"One person may have {settings.sockets_per_person} connections at once."
            )
        if (seat := table.seat_of(id)) is not None and (seat.away or seat.bot is not None):
            table = await keeper.change(table_id, lambda t: come_back(t, id))
    except Problem as problem:
        await _refuse(socket, problem)
        return
    except Exception as error:
        await _refuse(socket, unexpected(error))
        return
    await socket.accept()
    connection = Connection(hub, socket, table_id, id)
    connection.seat = seat.seat if seat else None
    hub.enter(connection)
    writer = asyncio.create_task(connection.write())
    try:
        await _listen(connection, keeper, settings)
    except BROKEN:
        pass
    finally:
        hub.leave(connection)
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)


async def _receive(connection: Connection) -> str | bytes | None:
    event = await connection.socket.receive()
    if event["type"] != "websocket.receive":
        return None
    text: str | None = event.get("text")
    return text if text is not None else event.get("bytes") or b""


async def _listen(connection: Connection, keeper: Keeper, settings: Settings) -> None:
    pace = Pace(settings.socket_messages_per_second)
    while True:
        try:
            raw = await asyncio.wait_for(_receive(connection), None if connection.greeted else HELLO_SECONDS)
        except TimeoutError:
            await connection.hub.drop(connection, 4408, "The first message must be a hello.")
            return
        except WebSocketException:
            return
        if raw is None:
            return
        await pace.keep()
        await _handle(connection, keeper, settings, raw)


async def _handle(connection: Connection, keeper: Keeper, settings: Settings, raw: str | bytes) -> None:
    id: str | None = None
    try:
        message = _read(raw, settings.socket_message_bytes)
        id = getattr(message, "id", None)
        reply = await _answer(connection, keeper, message)
        if reply is not None:
            connection.send(reply)
    except Problem as problem:
        connection.send(_error(problem, id))
    except ZigguratError as error:
        connection.send(_error(by_the_rules(error), id))
    except Exception as error:
        connection.send(_error(unexpected(error), id))


def _read(raw: str | bytes, limit: int) -> m.ToServer:
    size = len(raw.encode()) if isinstance(raw, str) else len(raw)
    if size > limit:
        raise Problem(
            413, "too_large", f"A message has at most {limit} bytes; this one has {size}.", max=limit, size=size
        )
    if isinstance(raw, bytes):
        raise Problem(400, "bad_message", "Messages are JSON in text frames, not binary ones.")
    try:
        return m.decode(raw)
    except msgspec.ValidationError as error:
        raise Problem(400, "bad_message", f"This message is not understood: {error}.") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise Problem(400, "bad_message", f"A message is one JSON object with a type: {error}.") from None


async def _answer(connection: Connection, keeper: Keeper, message: m.ToServer) -> msgspec.Struct | None:
    if isinstance(message, m.Ping):
        return m.Pong()
    if isinstance(message, m.Hello):
        connection.greet(message.since)
        return None
    if not connection.greeted:
        raise Problem(400, "hello_first", "The first message must be a hello.")
    table = await keeper.get(connection.table)
    sits = table.seat_of(connection.person)
    if sits is None:
        raise Problem(403, "not_seated", "You are looking on; only those who sit at the table play.")
    seat = sits.seat
    if isinstance(message, m.AskPreview):
        return m.PreviewAnswer(message.id, table.seq, preview(table, seat, message.seq, message.steps))
    if isinstance(message, m.AskHint):
        connection.later(_hint(connection, table, seat, message, keeper.settings.hint))
        return None
    if isinstance(message, m.Move):
        id, seq, steps = message.id, message.seq, tuple(message.steps)
        table = await keeper.change(connection.table, lambda t: move(t, seat, id, seq, steps))
    elif isinstance(message, m.AskUndo):
        id = message.id
        table = await keeper.change(connection.table, lambda t: undo(t, seat, id))
    elif isinstance(message, m.StandIn):
        id, gone = message.id, message.seat
        bus = connection.hub.bus
        present, unheard = bus.present(connection.table), bus.unheard(connection.table, gone)
        table = await keeper.change(connection.table, lambda t: stand_in(t, seat, id, gone, present, unheard))
    else:
        id, agree = message.id, message.agree
        table = await keeper.change(connection.table, lambda t: answer(t, seat, id, agree))
    known = table.known(seat, message.id)
    return m.Ack(message.id, known.seq if known else table.seq)


async def _hint(connection: Connection, table: Table, seat: int, message: m.AskHint, seconds: float) -> None:
    """Answer when the thought is done; what is said meanwhile is not held up."""
    try:
        connection.send(m.HintAnswer(message.id, table.seq, await hint(table, seat, message.seq, seconds)))
    except Problem as problem:
        connection.send(_error(problem, message.id))
    except Exception as error:
        connection.send(_error(unexpected(error), message.id))

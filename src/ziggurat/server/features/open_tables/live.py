"""`/api/open-tables/live`: the live list of open tables. All followers are sent the same bytes, but those whom somebody
has blocked."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency

from ziggurat.server.api.endpoints import ANYONE, Endpoint
from ziggurat.server.api.error_handlers import trouble
from ziggurat.server.api.sessions import address, current_person, must_be_signed_in
from ziggurat.server.domain.open_table import OpenTable
from ziggurat.server.features.open_tables.service import OpenTables
from ziggurat.server.live.connection_limits import QuotaKey
from ziggurat.server.live.delta import encode
from ziggurat.server.live.hub import Hub
from ziggurat.server.live.socket import BROKEN_SOCKET_ERRORS, breaking_cycles, refuse
from ziggurat.server.live.websocket import WebSocketTransport, frame_of, hand_over
from ziggurat.server.problems import Problem

GATHER_SECONDS = 0.25
"""Seconds for which changes are gathered before they are sent together."""
LIST_QUOTA_KEY = "open"
"""The key of the list in the connection quotas, in the place of a table's id."""


class OpenList(msgspec.Struct, tag="open"):
    """All open tables, the newest first."""

    tables: list[OpenTable]


class OpenChanges(msgspec.Struct, tag="open_changes"):
    """The delta of the list: open tables that are new or have changed, and those that are gone."""

    tables: list[OpenTable]
    gone: list[str]


class Follower:
    """A socket that follows the list, and what it has yet to be sent."""

    __slots__ = ("blocking", "device", "hub", "late", "person", "quota_keys", "shown", "transport")

    def __init__(
        self,
        hub: OpenTablesHub,
        person: str | None,
        device: str,
        quota_keys: tuple[QuotaKey, ...],
        blocking: frozenset[str] = frozenset(),
    ) -> None:
        self.hub = hub
        self.person = person
        self.device = device
        self.quota_keys = quota_keys
        self.transport: WebSocketTransport | None = None
        self.late = False
        """Whether it reads slowly, and waits for the whole list."""
        self.blocking = blocking
        """Whose tables are not shown to the person; if there are such people, all that is shown is sent at once."""
        self.shown = b""
        """What was sent last, of all that is shown."""

    def begin(self, transport: WebSocketTransport) -> None:
        """Send the whole list."""
        self.transport = transport
        self.send_whole()

    def send_whole(self) -> None:
        """Send the whole list, if it has changed by now."""
        if self.transport is not None:
            frame = self.hub.whole(self.blocking)
            if not self.blocking or frame != self.shown:
                self.transport.send_frames(frame)
            self.shown = frame if self.blocking else b""

    def hear(self, message: str | bytes) -> None:
        """Ignore messages: a follower has nothing to say."""
        if self.transport is not None:
            self.transport.close(4400, "Nothing is to be said here.")
        self.gone()

    def gone(self) -> None:
        """Unregister the follower."""
        self.hub.leave(self)


class OpenTablesHub:
    """The followers of the list at this worker."""

    def __init__(self, listed: OpenTables, hub: Hub) -> None:
        self.listed = listed
        self.quota = hub.quota
        self._followers: set[Follower] = set()
        self._changed: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._whole: dict[frozenset[str], bytes] = {}
        """By whose tables are not in it."""
        self._tasks: set[asyncio.Task[None]] = set()
        listed.on_change.append(self._note)
        hub.bus.on_sign_out.append(self._on_sign_out)

    def sockets(self) -> int:
        """Return the number of followers."""
        return len(self._followers)

    def enter(self, follower: Follower) -> None:
        """Register a follower, and send it the list."""
        self._followers.add(follower)

    def leave(self, follower: Follower) -> None:
        """Unregister a follower."""
        if follower in self._followers:
            self._followers.discard(follower)
            self.quota.give_back(follower.quota_keys)

    def whole(self, blocking: frozenset[str] = frozenset()) -> bytes:
        """Return the encoded list, cached until it changes; without the tables of people who have blocked those whom it
        is for."""
        if blocking not in self._whole:
            self._whole[blocking] = frame_of(encode(OpenList(self.listed.tables(blocking))))
        return self._whole[blocking]

    def _note(self, id: str) -> None:
        self._whole.clear()
        if not self._followers:
            return
        self._changed.add(id)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._send)

    def _send(self) -> None:
        """Send the delta, the same to all: it is encoded once."""
        self._timer = None
        ids, self._changed = self._changed, set()
        tables = [(id, self.listed.get(id)) for id in sorted(ids)]
        gone = [id for id, table in tables if table is None]
        frame = frame_of(encode(OpenChanges([table for _, table in tables if table is not None], gone)))
        for follower in list(self._followers):
            transport = follower.transport
            if transport is None or follower.late:
                continue  # is sent the whole list
            if transport.free:
                if follower.blocking:
                    follower.send_whole()
                else:
                    transport.send_frames(frame)
            elif not transport.ended:
                follower.late = True
                task = asyncio.create_task(self._send_late(follower, transport))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _send_late(self, follower: Follower, transport: WebSocketTransport) -> None:
        """Send the whole list to a slow follower, when it reads on: what came meanwhile is in it."""
        await transport.drain()
        follower.late = False
        follower.send_whole()

    def _on_sign_out(self, person: str, device: str) -> None:
        for follower in [one for one in self._followers if one.person == person]:
            if not device or follower.device == device:
                self._drop(follower, 4401, "You are signed out here, or somebody else now.")

    def _drop(self, follower: Follower, code: int, reason: str) -> None:
        self.leave(follower)
        if follower.transport is not None:
            follower.transport.close(code, reason)

    async def close(self) -> None:
        """Close all connections: the server stops, clients come again."""
        if self._timer is not None:
            self._timer.cancel()
        for follower in list(self._followers):
            self._drop(follower, 1012, "The server restarts.")
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@websocket("/api/open-tables/live", endpoint=Endpoint(ANYONE))
@breaking_cycles
async def follow(
    socket: WebSocket[Any, Any, Any], hub: NamedDependency[Hub], open_hub: NamedDependency[OpenTablesHub]
) -> None:
    """Follow the list of open tables."""
    since = hub.bus.sign_outs
    try:
        person = await current_person(socket, hub.table_service.database)
        id = person.id if person else None
        blocking = await open_hub.listed.blocking(person)
        if person is not None:
            must_be_signed_in(hub.bus, person.id, person.device, since)
        # Given back by `leave`; nothing is waited for, and nothing can fail, before `enter`.
        quota_keys = open_hub.quota.take(LIST_QUOTA_KEY, id, address(socket), member=True)
    except Problem as problem:
        await refuse(socket, problem)
        return
    except Exception as error:
        await refuse(socket, trouble(error))
        return
    follower = Follower(open_hub, id, person.device if person else "", quota_keys, blocking)
    open_hub.enter(follower)
    try:
        await socket.accept()
    except BaseException as error:
        open_hub.leave(follower)
        if not isinstance(error, BROKEN_SOCKET_ERRORS):
            raise
        return
    hand_over(socket, follower)

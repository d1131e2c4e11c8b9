"""The relay of the talk to the sockets of its table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b

from ziggurat.server.api.error_handlers import trouble
from ziggurat.server.features.talk.lines import Said, SaidLine
from ziggurat.server.features.talk.rows import TALK_CHANNEL
from ziggurat.server.features.talk.rules import LINES_PER_PAGE, Line, hears_bench
from ziggurat.server.features.talk.service import TalkService, Told
from ziggurat.server.live.hub import Hub
from ziggurat.server.problems import Problem

MOST_TABLES_KNOWN = 1000
"""Tables of which is remembered what was sent last, before those are forgotten that nobody follows any more."""
CLOCK_SKEW_SECONDS = 10.0
"""Seconds by which the clocks of workers may differ."""


def lines_for(table: str, reader: str | None, lines: Iterable[Line]) -> list[SaidLine]:
    """Return lines encoded for a person (None: an unknown one), who must be allowed to hear them."""
    return [
        SaidLine(
            line.at,
            _who(table, reader, line.person),
            line.name,
            line.seat,
            line.person == reader,
            line.audience == "bench",
            line.phrase,
            line.text,
        )
        for line in lines
    ]


def _who(table: str, reader: str | None, speaker: str | None) -> str:
    """Return a pseudonym of a speaker for one reader. No two readers get the same: together they could follow a person
    by it from table to table."""
    return blake2b(f"{reader or table} {speaker}".encode(), digest_size=9).hexdigest()


def _known(told: Sequence[Told], sent: int) -> tuple[list[Line], Collection[tuple[str, str]]] | None:
    """Return the lines after those that were sent, and the blocks among the readers; None where other lines may lie
    between."""
    new = [one for one in told if one.line.at > sent]
    if not new or any(one.before > at for one, at in zip(new, (sent, *(one.line.at for one in new)), strict=False)):
        return None
    return [one.line for one in new], {(reader, one.line.person or "") for one in new for reader in one.deaf}


class TalkRelay:
    """The relay of lines to the sockets of this worker: in order, each line once, to those who hear it."""

    def __init__(self, hub: Hub, talk: TalkService) -> None:
        self.hub = hub
        self.talk = talk
        self._sent: dict[str, int] = {}
        """The last line of a table that was sent."""
        self._newest: dict[str, int] = {}
        """The last line of a table that is still to be sent."""
        self._told: dict[str, list[Told]] = {}
        """Lines that are known already and are still to be sent."""
        self._running: dict[str, asyncio.Task[None]] = {}
        self._lost: float | None = None
        talk.on_told.append(self._on_told)
        talk.bus.listen(TALK_CHANNEL, self._heard)
        talk.bus.on_lost.append(self._on_lost)

    async def close(self) -> None:
        """Stop sending."""
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _heard(self, payload: str) -> None:
        table, _, at = payload.rpartition(":")
        self._on_said(table, int(at))

    def _on_said(self, table: str, at: int) -> None:
        if not self.hub.at(table):
            self._sent.pop(table, None)
            return
        if at < 0:  # it says something else now (`features.talk.rows.take_away`)
            name = f"{table}{at}"
            self._running[name] = asyncio.create_task(self._send_again(name, table, -at))
            return
        if at > self._sent.setdefault(table, at - 1):
            self._send(table, at)

    def _on_told(self, table: str, told: Told) -> None:
        if self.hub.at(table):
            self._told.setdefault(table, []).append(told)
        self._on_said(table, told.line.at)

    def _on_lost(self) -> None:
        self._lost = self._lost or time.time()

    def catch_up(self) -> None:
        """Send the lines that may have been missed while nothing was heard of other workers."""
        if self._lost is None:
            return  # the service begins
        since = round(1000 * (self._lost - CLOCK_SKEW_SECONDS))
        self._lost = None
        for table in self.hub.tables():
            self._sent.setdefault(table, since)
            self._send(table, self._sent[table] + 1)

    def _send(self, table: str, newest: int) -> None:
        self._newest[table] = max(newest, self._newest.get(table, 0))
        if table not in self._running:
            self._running[table] = asyncio.create_task(self._send_all(table))
        if len(self._sent) > MOST_TABLES_KNOWN:
            followed = {*self.hub.tables()}
            self._sent = {id: at for id, at in self._sent.items() if id in followed}

    async def _send_all(self, table: str) -> None:
        try:
            while (sent := self._sent.get(table)) is not None and (newest := self._newest.pop(table, 0)) > sent:
                lines, unheard = _known(self._told.pop(table, ()), sent) or await self._read(table, sent)
                await self._pass_on(table, lines, unheard)
                if lines and lines[-1].at < newest:
                    self._newest[table] = max(newest, self._newest.get(table, 0))  # there are more
                self._sent[table] = max(self._sent.get(table, 0), lines[-1].at if lines else newest)
        except Problem:
            pass  # the table is gone
        except Exception as error:
            trouble(error)
        finally:
            self._told.pop(table, None)
            del self._running[table]

    async def _read(
        self, table: str, sent: int, most: int = LINES_PER_PAGE
    ) -> tuple[list[Line], Collection[tuple[str, str]]]:
        """Read the lines after those that were sent, and the blocks among the readers."""
        readers = {connection.owner for connection in self.hub.at(table) if connection.owner is not None}
        return await self.talk.after(table, sent, readers, most)

    async def _send_again(self, name: str, table: str, at: int) -> None:
        try:
            lines, unheard = await self._read(table, at - 1, 1)
            await self._pass_on(table, [line for line in lines if line.at == at], unheard)
        except Problem:
            pass  # the table is gone
        except Exception as error:
            trouble(error)
        finally:
            self._running.pop(name, None)

    async def _pass_on(self, table: str, lines: list[Line], unheard: Collection[tuple[str, str]]) -> None:
        state = await self.talk.table_service.get(table)
        for connection in self.hub.at(table):
            if connection.greeted:
                bench, reader = hears_bench(state, connection.owner), connection.owner
                heard = [line for line in lines if bench or line.audience == "table"]
                heard = [line for line in heard if (reader, line.person) not in unheard]
                for line in lines_for(table, connection.owner, heard):
                    connection.send(Said(line))

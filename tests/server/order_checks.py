"""What must be so in whatever order things happen: looked at while they do, and when all is quiet again."""

from __future__ import annotations

import json
import logging
from collections import Counter, defaultdict
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.guards import asked_since
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.store import log

if TYPE_CHECKING:
    from tests.server.order_world import Client, Intent, Thought, World

KINDS = {
    "durable": "what was acknowledged, or shown, is not in the database",
    "twice": "something was done twice, or by two",
    "views": "somebody sees something else than there is",
    "news": "news was lost, or told twice",
    "clocks": "a time ran out before it was due, or never",
    "stuck": "what has to be done is not done",
    "error": "the server made a mistake",
}
"""What can be found."""
OVERSLEPT = 0.6
"""Seconds by which the service may be early."""
PRESENT = 12.0
"""Seconds after which nobody believes any more that somebody is here."""


class Log(logging.Handler):
    """Hears what the server writes down of its mistakes."""

    def __init__(self, checks: Checks) -> None:
        super().__init__(logging.WARNING)
        self.checks = checks

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of a line."""
        if record.levelno >= logging.ERROR and not record.getMessage().startswith("outage: "):
            self.checks.find("error", record.getMessage())
        else:
            self.checks.warnings[record.getMessage()] += 1


class Checks:
    """Watches a world."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []
        self.warnings: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        """How often there was something to look at."""
        self.world: World

    def find(self, kind: str, text: str) -> None:
        """Note what is wrong."""
        self.world.tell(f"!!! {kind}: {text}")
        self.found.append((kind, text))

    # --- While things happen ---

    def _one(self, query: str, *given: Any) -> Any:
        return self.world.database.raw.execute(query, given).fetchone()

    def on_sent(self, client: Client, text: bytes) -> None:
        """Nobody is told what is not durable."""
        if text[9:15] in (b"update", b'news",'):
            seq = json.loads(text)["seq"]
            row = self._one("select seq from tables where id = ?", client.table)
            self.counts["durable"] += 1
            if row is None or row[0] < seq:
                self.find("durable", f"{client.name} is sent {seq} of {client.table}, which is at {row and row[0]}")

    def on_acknowledged(self, client: Client, intent: Intent) -> None:
        """What is acknowledged is there."""
        self.counts["durable"] += 1
        if intent.message["type"] == "say":
            query = "select 1 from said where table_id = ? and person = ? and client_id = ?"
            found = self._one(query, client.table, client.person, intent.id)
        else:
            query = "select seq from changes where table_id = ? and client_id = ?"
            found = self._one(query, client.table, intent.id)
            if found is None and intent.message["type"] == "back":
                return  # they had come back by opening the page
        if found is None:
            self.find("durable", f"{intent.id} was acknowledged, and is not in the log")
        elif intent.message["type"] != "say" and found[0] != intent.acknowledged:
            self.find("twice", f"{intent.id} was done at {found[0]}, and acknowledged as {intent.acknowledged}")

    def on_thought(self, thought: Thought) -> None:
        """A bot thinks at one worker at a time: at the one that holds the claim."""
        self.counts["twice"] += 1
        row = self._one("select seq, claim_by, claim_until from tables where id = ?", thought.table)
        now = self.world.database_clock()
        if row and row[0] == thought.seq and row[1] not in (thought.process.name, None) and row[2] > now:
            told = f"{thought.process.name} thinks about {thought.seq}, and {row[1]} holds it for {row[2] - now:.2f} s"
            self.find("twice", told)

    # --- When all is quiet ---

    def at_rest(self) -> bool:
        """Whether nothing is left to happen: everybody is here, answered, told, and has seen the last."""
        if self._one("select 1 from tables where bot_due") or self._one("select 1 from outbox"):
            return False
        seqs = dict(self.world.database.raw.execute("select id, seq from tables").fetchall())
        return all(
            client.socket is not None
            and client.state["seq"] == seqs.get(client.table)
            and client.online == self._online(client.table)
            and all(intent.acknowledged is not None or intent.refused for intent in client.intents)
            for client in self.world.clients
        )

    def _online(self, table: str) -> set[int]:
        """The seats of which somebody has a page open."""
        there = (client for client in self.world.clients if client.table == table and client.socket is not None)
        return {client.seat for client in there if client.seat is not None}

    def at_the_end(self) -> None:
        """Compare what everybody knows with the database."""
        with self.world.database.engine.connect() as connection:
            ids = list(connection.execute(sa.text("select id from tables order by id")).scalars())
            tables = {id: rules_gateway.restore(*found) for id in ids if (found := log.load(connection, id))}
            for table in tables.values():
                self._log(table)
                self._clocks(table)
                self._stuck(table)
            for client in self.world.clients:
                self._client(client, tables.get(client.table), connection)
            self._news(tables)
        self._moves_back()

    def _log(self, table: Table) -> None:
        """The log leads to the position; nobody did a thing twice."""
        name = table.id
        if [change.seq for change in table.changes] != list(range(1, table.seq + 1)):
            self.find("durable", f"{name}: the log has gaps")
        if table.position is not None and rules_gateway.replay(table).to_bytes() != table.position.to_bytes():
            self.find("durable", f"{name}: the log leads elsewhere than the snapshot")
        known = {intent.id: intent for client in self.world.clients for intent in client.intents}
        done = Counter(change.client_id for change in table.changes if change.client_id is not None)
        for id, count in done.items():
            self.counts["twice"] += 1
            if count > 1:
                self.find("twice", f"{name}: {id} was done {count} times")
            if id in known and known[id].refused:
                self.find("twice", f"{name}: {id} was refused ({known[id].refused}), and done")
        said = {
            row[0] for row in self.world.database.raw.execute("select client_id from said where table_id = ?", (name,))
        }
        for id in said & known.keys():
            if known[id].refused:
                self.find("twice", f"{name}: {id} was refused ({known[id].refused}), and said")
        for change in table.changes:
            self.counts[f"log: {change.kind}"] += 1
            if change.kind != "move" or change.client_id is not None or change.forced or change.seat is None:
                continue
            before = [one for one in table.changes if one.seq < change.seq]
            asked = _asked_since(before, change.seat)
            thought = [
                one
                for one in self.world.thoughts
                if (one.table, one.seat, one.steps) == (name, change.seat, change.steps)
                and asked <= one.seq < change.seq
            ]
            self.counts["twice"] += 1
            if not thought and not _is_only_move(table, change):
                self.find("twice", f"{name}: move {change.seq} of seat {change.seat} is nobody's, or was made before")

    def _clocks(self, table: Table) -> None:
        """Time runs out when it is due, and not before."""
        if table.time is None:
            return
        control = table.time.control
        for change in table.changes:
            if change.kind == "timeout" or (change.kind == "stand_in" and change.seat is None):
                self._not_before(table, change.seq, control.step)
        self.counts["clocks"] += 1
        now = self.world.database_clock()
        if table.tick is not None and table.tick < now - 8.0 - self.world.apart:
            self.find("clocks", f"{table.id}: what was due {now - table.tick:.1f} s ago is not done")

    def _not_before(self, table: Table, seq: int, step: int) -> None:
        """A seat has had its time, by the time of the world; less by as much as the clocks of the workers differ."""
        raw = self.world.database.raw
        real = dict(raw.execute("select seq, now from seen where of = ?", (table.id,)).fetchall())
        change = table.changes[seq - 1]
        before = [one for one in table.changes if one.seq < seq]
        seats = change.steps or ((change.seat,) if change.seat is not None else ())
        for seat in seats[:1]:
            asked = _asked_since(before, seat)
            if not asked:
                continue
            had = change.at - before[asked - 1].at
            for begun, ended in self.world.downtimes:  # which nobody pays
                had -= max(0.0, min(ended, real[seq]) - max(begun, real.get(asked, ended)))
            self.counts["clocks"] += 1
            undone = table.changes[asked - 1].kind == "undo"  # what was left then is the table's business
            if had < step - OVERSLEPT - self.world.apart and not undone:
                self.find("clocks", f"{table.id}: {change.kind} at {seq}: seat {seat} had {had:.2f} s of {step}")

    def _stuck(self, table: Table) -> None:
        """Nothing is left that a worker has to play."""
        self.counts["stuck"] += 1
        if table.due:
            self.find("stuck", f"{table.id} at {table.seq}: a bot or an answer is due, and is not played")
        for worker in self.world.workers:
            known = worker.table_service._remembered.get(table.id) if worker.ready else None
            if (
                known is not None
                and known.seq < table.seq
                and known.seq >= worker.table_service.bus.newest_seq(table.id)
            ):
                self.find("views", f"{worker.process.name} believes {table.id} to be at {known.seq}, not {table.seq}")

    def _client(self, client: Client, table: Table | None, connection: sa.Connection) -> None:
        for intent in client.intents:
            if intent.acknowledged is None and not intent.refused:
                self.find("stuck", f"{intent.id} is still not answered, after {intent.sent} times")
        if table is None or client.socket is None:
            return
        self.counts["views"] += 1
        state, seat = client.state, table.seat_of(client.person)
        if state["seq"] != table.seq:
            self.find("views", f"{client.name} sees {state['seq']} of {table.id}, which is at {table.seq}")
            return
        position = table.position
        if position is not None:
            sees = _json(position.view(seat.seat if seat is not None else None))
            if state["view"] != sees:
                self.find("views", f"{client.name} sees another position")
        if state["decision"] != _json(rules_gateway.decision(table, seat.seat if seat is not None else None)):
            self.find("views", f"{client.name} is asked something else")
        told = state["table"]
        bots = [(one.bot, one.away, one.kind) for one in table.seats]
        if [(one["bot"], one["away"], one["kind"]) for one in told["seats"]] != bots or told["status"] != table.status:
            self.find("views", f"{client.name} sees others at the table")
        if client.online != (online := self._online(table.id)):
            self.find("views", f"{client.name} believes that {client.online} are here, and not {online}")
        story = [event for change in table.story() for event in change.events]
        heard = [
            event
            for raw in rules_gateway.visible(story, seat.seat if seat is not None else None)
            for event in msgspec.json.decode(b"[%b]" % bytes(raw))
        ]
        if client.log != heard:
            self.find("views", f"{client.name} heard of {len(client.log)} events, of {len(heard)}")
        ats = [line["at"] for line in client.said]
        if len(set(ats)) != len(ats):
            self.find("twice", f"{client.name} heard a line twice")

    # --- News ---

    def _news(self, tables: dict[str, Table]) -> None:
        raw = self.world.database.raw
        names = "what, id, way, of, kind, seq, batch, begun, at, now, reached"
        rows = raw.execute(f"select {names} from ledger order by n").fetchall()
        ways = {row[0] for row in raw.execute("select id from ways")}
        waits = {row[0]: row[1] for row in raw.execute("select id, due from outbox")}
        arrived: dict[str, list[Any]] = defaultdict(list)
        for one in self.world.arrivals:
            for id in one.ids:
                arrived[id].append(one)
        for id, some in arrived.items():
            self.counts["news"] += 1
            if len({one.key for one in some}) > 1:
                self.find("news", f"{id} was told {len(some)} times, under different keys")
        known = {row[1] for row in rows if row[0] == "new"}
        for id in arrived.keys() - known:
            self.find("news", f"{id} was told, and never written")
        for place, (what, id, way, of, kind, seq, _batch, begun, _at, now, reached) in enumerate(rows):
            if what != "gone" or id in arrived or way not in ways:
                continue
            again = any(row[:1] == ("new",) and row[2:5] == (way, of, kind) for row in rows[place + 1 :])
            if again or begun >= 2:
                continue  # a later one took its place, or it was given up
            self.counts["news"] += 1
            table = tables.get(of)
            if id not in self.world.sifted:
                self.find("news", f"{id} is gone, and nobody was told")
            elif kind == "turn" and table is not None and self._still_asked(table, way, seq, reached):
                if not self._was_here(table, way, now):
                    self.find("news", f"{id} is gone as past, and was still true at {reached}")
        now = self.world.database_clock()
        for id, due in waits.items():
            if due < now - 25.0 - 2 * self.world.apart:
                self.find("news", f"{id} has waited for {now - due:.1f} s")
        self._written(tables, known)

    def _written(self, tables: dict[str, Table], known: set[str]) -> None:
        """What is asked of somebody who wants to be told of it has been news; not that a table begins at once."""
        hooks = self.world.hooks
        made = dict(self.world.database.raw.execute("select of, min(seq) from seen group by of").fetchall())
        for table in tables.values():
            for change in table.changes:
                for seat in table.seats:
                    way = hooks.get(seat.person or "")
                    if way is None or _stood_up(table, seat.seat) or change.seq <= made[table.id]:
                        continue
                    before = [one for one in table.changes if one.seq <= change.seq]
                    if seat.seat in change.actors and _asked_since(before, seat.seat) == change.seq:
                        self.counts["news"] += 1
                        if f"{table.id}.{change.seq}.turn.{way}" not in known:
                            self.find("news", f"{seat.person} was asked at {change.seq}, and that was no news")

    def _still_asked(self, table: Table, way: str, seq: int, reached: int) -> bool:
        seat = next((one for one in table.seats if self.world.hooks.get(one.person or "") == way), None)
        before = [one for one in table.changes if one.seq <= reached]
        if seat is None or not before or _stood_up(table, seat.seat) or any(one.kind == "pause" for one in before):
            return False
        return seat.seat in before[-1].actors and _asked_since(before, seat.seat) <= seq

    def _was_here(self, table: Table, way: str, now: float) -> bool:
        return any(
            client.table == table.id
            and self.world.hooks.get(client.person or "") == way
            and client.last_here > now - PRESENT
            for client in self.world.clients
        )

    def _moves_back(self) -> None:
        """No table was ever at an earlier state than before, or was deleted while people played at it."""
        last: dict[str, tuple[int, str]] = {}
        for of, seq, status in self.world.database.raw.execute("select of, seq, status from seen order by n"):
            was = last.get(of, (0, ""))
            if status == "deleted":
                if was[1] != "expired":
                    self.find("stuck", f"{of} was deleted while it was {was[1]}")
            elif seq != was[0] + 1 and was[0]:
                self.find("twice", f"{of} went from {was[0]} to {seq}")
            elif status == "expired" and was[1] != "waiting":
                self.find("stuck", f"{of} expired while it was {was[1]}")
            last[of] = seq, status


def _json(struct: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(struct))


def _stood_up(table: Table, seat: int) -> bool:
    """Whether a person did not play for themselves all the time."""
    gone = ("away", "back", "stand_in", "resign", "timeout", "bot", "leave", "end", "wait")
    return any(one.kind in gone and (one.seat in (seat, None) or seat in one.steps) for one in table.changes)


def _is_only_move(table: Table, change: LogEntry) -> bool:
    """Whether a move that stands was the only one, which a clock gives before it costs time."""
    if change.undone or change.seat is None or table.time is None:
        return False
    story = [one.seq for one in table.story()]
    position = rules_gateway.moment(table, story[story.index(change.seq) - 1])
    return position.sole(change.seat) == tuple(change.steps)


def _asked_since(changes: list[Any], seat: int) -> int:
    """Return since when a seat is asked what it is asked after some changes."""

    return asked_since(cast(Any, SimpleNamespace(changes=changes)), seat)

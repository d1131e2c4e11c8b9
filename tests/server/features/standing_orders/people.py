"""People write lists of moves ahead, arrange and withdraw them; what is made of them is what they wished, and nobody
else learns that there are any. What is left of a list is followed by arithmetic of one's own."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import msgspec
import sqlalchemy as sa
from tests.server.people_features import FeatureActs, NotNow
from tests.server.people_world import Browser, any_move

import ziggurat
from ziggurat.core.meant import MeantMove, found, meant, others, question
from ziggurat.core.position import Position
from ziggurat.server.domain.table import LogEntry, Seat, Table
from ziggurat.server.features.standing_orders.guesses import Guesses
from ziggurat.server.features.standing_orders.models import standing_orders
from ziggurat.server.features.standing_orders.rules import has_come_to_light
from ziggurat.server.services.rate_limits import LoopShare

ID = re.compile(rb"\b[0-9a-f]{12}\b")
"""A move of a list, or what looks like one."""
LONGEST = 1800.0
"""Seconds for which a move waits at most that was written ahead."""
SLACK = 30.0


@dataclass
class KnownList:
    """A list as its writer knows it. `known`: by move, what else could be begun where it was written."""

    person: str
    moves: dict[str, MeantMove] = field(default_factory=dict)
    known: dict[str, frozenset[str]] = field(default_factory=dict)
    quiet: bool = False
    goes_on: bool = False
    alert: bool = False
    since: int = 0


class OrdersPeople(FeatureActs):
    """What people do with moves ahead."""

    OFTEN: ClassVar[dict[str, float]] = {"write": 5, "arrange": 2.5, "come_to_it": 3, "not_mine": 1}
    KINDS: ClassVar[dict[str, str]] = {"ahead": "a move was made ahead that nobody wished so, or was not made"}

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.lists: dict[tuple[str, int], KnownList] = {}
        self.writers: dict[bytes, set[str]] = defaultdict(set)
        """By the id of a move: who has written it."""
        self._ready: dict[tuple[str, int], float] = {}
        """Since when a list answers what is asked."""

    # --- What people do ---

    async def _by_days(self) -> None:
        """Two or three begin a table by days."""
        game = self.game
        time = {"kind": "days", "step": self.chance.choice([7200, 86_400]), "reserve": 0, "then": "bot"}
        host, id = game.anybody(), game.favourite
        seats: list[Any] = [{"kind": "me"}, *[{"kind": "open"}] * (max(2, ziggurat.game(id).min_players) - 1)]
        body: dict[str, Any] = {"game": id, "seats": seats, "pace": "instant", "time": time}
        made = await game.http(host, "POST", "/api/tables", body)
        if made.status != 201:
            raise NotNow
        for human in self.chance.sample(game.people, len(game.people)):
            browser, table = self.chance.choice(human.browsers), self.checks.tables[made.json["id"]]
            for known in (table.id, table.invite or ""):
                self.checks.given[known].add(human)
            if human is not host.human and any(seat.kind == "open" for seat in table.seats):
                body = {"invite": table.invite, "name": human.name, "zone": ""}
                await game.http(browser, "POST", f"/api/tables/{table.id}/join", body)
        await game.http(host, "POST", f"/api/tables/{made.json['id']}/start")

    def _writer(self, fits: Any) -> tuple[Table, Seat, Browser]:
        def by_days(table: Table, seat: Seat) -> bool:
            return table.by_days and table.deal is None and bool(fits(table, seat))

        return self.game.player(by_days)

    async def write(self) -> None:
        """Write a move ahead, or several; or begin a table at which that can be done."""
        try:
            table, seat, browser = self._writer(lambda table, seat: seat.plays and seat.seat not in table.actors)
        except NotNow:
            return await self._by_days()
        for _ in range(self.chance.choice([1, 1, 2, 3, 13])):
            await self._write(table, seat, browser)

    async def _write(self, table: Table, seat: Seat, browser: Browser) -> None:
        chance, path = self.chance, f"/api/tables/{table.id}/ahead"
        body: dict[str, Any] = {"guess": chance.choice([0, 0, 1, 99]), "answers": []}
        if seat.guardian is not None or self.game.by_chance(0.3):
            body["seat"] = seat.seat
        at = await self._guess(table, seat.seat, body["guess"], [])
        if at is not None and self.game.by_chance(0.2):  # what is asked after that
            body["answers"] = [any_move(at, seat.seat, chance)]
            at = await self._guess(table, seat.seat, body["guess"], body["answers"])
        if at is None:
            raise NotNow
        if self.game.by_chance(0.15):
            await self.game.http(browser, "POST", f"{path}/guess", body)
            await self.game.http(browser, "POST", f"{path}/preview", {**body, "steps": at.legal(seat.seat)[:1]})
            await self.game.http(browser, "POST", f"{path}/about", {**body, "pieces": at.named[:1]})
        steps = any_move(at, seat.seat, chance) if self.game.by_chance(0.95) else [10**6]
        seq = table.seq - self.game.by_chance(0.05)
        answer = await self._quietly(browser, table, "POST", path, {**body, "steps": steps, "seq": max(0, seq)})
        if answer.status == 200:
            new = answer.json["orders"][-1]["id"]
            mine = self.lists.setdefault((table.id, seat.seat), KnownList(seat.person or ""))
            move = meant(at, seat.seat, steps)
            for id in [id for id, one in mine.moves.items() if one == move]:
                del mine.moves[id]
            mine.moves[new], mine.since = move, table.seq
            mine.known[new] = frozenset(others(at, seat.seat, move))
            self._told(table, seat, answer.json)

    async def _guess(self, table: Table, seat: int, number: int, answers: list[list[int]]) -> Position | None:
        guesses, share = cast(Guesses, self.world.parts["guesses"]), LoopShare("", None)
        at = (await guesses.get(table, seat, number, answers, share)).position
        return None if at.finished or seat not in at.actors else at

    async def arrange(self) -> None:
        """Arrange a list, take something out, or withdraw all; perhaps by an id that is not there."""
        table, seat, browser = self._writer(lambda table, seat: (table.id, seat.seat) in self.lists)
        mine = self.lists[table.id, seat.seat]
        ids = self.chance.sample([*mine.moves], self.chance.randint(0, len(mine.moves)))
        ids = [] if self.game.by_chance(0.3) else [*ids, "feedbeef0000"] if self.game.by_chance(0.05) else ids
        wish = {name: self.game.by_chance(0.3) for name in ("quiet", "goes_on", "alert")}
        body = {"ids": ids, "seat": seat.seat, **wish}
        answer = await self._quietly(browser, table, "PUT", f"/api/tables/{table.id}/ahead", body)
        if answer.status == 200:
            now = KnownList(mine.person, {id: mine.moves[id] for id in ids}, mine.known, **wish, since=table.seq)
            self.lists[table.id, seat.seat] = now
            self._told(table, seat, answer.json)
            if not ids:
                del self.lists[table.id, seat.seat]

    async def come_to_it(self) -> None:
        """The others move, and what was written ahead has its time; perhaps its writer has got up, or one of the others
        wants a move back."""
        table, writer, browser = self._writer(lambda table, seat: (table.id, seat.seat) in self.lists)
        for _ in range(self.chance.randint(1, 8)):
            table = self.checks.tables[table.id]
            due = [seat for seat in table.people_due if (table.id, seat) not in self.lists]
            if not due or table.status != "playing":
                break
            seat = table.seats[due[0]]
            live = await self.game.live(table.id, self.game.somebodys(seat.person), seat=seat)
            await self.game.deed(live, **self.game.move_of(table, seat.seat))
        what = self.chance.choice(["", "", "leave", "undo"])
        if what == "leave" and writer.guardian is None:
            await self.game.http(browser, "POST", f"/api/tables/{table.id}/leave")
        other = next((seat for seat in table.seats if seat.person and seat.seat != writer.seat), None)
        if what == "undo" and other is not None:
            live = await self.game.live(table.id, self.game.somebodys(other.person), seat=other)
            await self.game.deed(live, type="undo")
        await self.game.pass_time(self.chance.choice([30.0, 600.0, LONGEST + 2 * SLACK]))

    async def not_mine(self) -> None:
        """Read, write and withdraw the list of a seat that is not one's own."""
        table = self.game.table(lambda table: any(id == table.id for id, _ in self.lists) or table.by_days)
        seat = self.chance.choice(table.seats)
        browser = self.chance.choice([self.game.anybody(), *self.game.mallory.browsers])
        person, path = self.checks.person_of(browser), f"/api/tables/{table.id}/ahead"
        wish: dict[str, Any] = {"ids": [], "seat": seat.seat}
        move: dict[str, Any] = {"seat": seat.seat, "steps": [0], "seq": table.seq}
        ways: list[tuple[str, str, Any]] = [("GET", f"{path}?seat={seat.seat}", None), ("PUT", path, wish)]
        ways += [("POST", path, move), ("POST", f"{path}/guess", {"seat": seat.seat})]
        method, path, body = self.chance.choice(ways)
        answer = await self.game.http(browser, method, path, body)
        mine = person is not None and person in (seat.person, seat.guardian)
        self.checks.must(mine or answer.status >= 400, "secret", f"{browser.human.name} gets {method} {path}")
        if mine and method == "PUT" and answer.status == 200:
            self.lists.pop((table.id, seat.seat), None)

    async def _quietly(self, browser: Browser, table: Table, method: str, path: str, body: Any) -> Any:
        """Change a list: no other hears of it, and what they can ask is told as before."""
        lives = [
            live for live in self.world.lives if live.table == table.id and live.browser.human is not browser.human
        ]
        before = {live: live.heard for live in lives}
        known = [one for seat in table.seats if (one := self.game.browser_of(seat.owner)) is not None]
        other = next((one for one in known if one.human is not browser.human and self.game.by_chance(0.3)), None)
        there = f"/api/tables/{table.id}"
        told = (await self.world.http(other, "GET", there)).body if other is not None else b""
        changes = len(self.checks.changes)
        answer = await self.game.http(browser, method, path, body)
        await self.world.idle()
        if len(self.checks.changes) == changes:
            heard = [live.browser.human.name for live in lives if live.heard != before[live]]
            self.checks.must(not heard, "secret", f"{heard} hear that {browser.human.name} writes ahead at {table.id}")
            same = other is None or (await self.world.http(other, "GET", there)).body == told
            self.checks.must(same, "secret", f"{table.id} is told otherwise, for {browser.human.name} has written")
        return answer

    def _told(self, table: Table, seat: Seat, told: Any) -> None:
        mine = self.lists[table.id, seat.seat]
        for id in mine.moves:
            self.writers[id.encode()].add(mine.person)
        ids = [one["id"] for one in told["orders"]]
        self.checks.must(ids == [*mine.moves], "ahead", f"the list of {seat.seat} at {table.id} is {ids}, not {mine}")

    # --- What must be so ---

    def sent(self, browser: Browser, person: str | None, text: bytes, what: str) -> None:
        """Only who has written a list is sent it."""
        for id in {*ID.findall(text)} & self.writers.keys() if self.writers else ():
            mine = any(self.is_theirs(one, browser, person) for one in self.writers[id])
            self.checks.must(mine, "secret", f"{browser.human.name} reads a move that is written ahead in {what}")

    def explains(self, before: Table, change: LogEntry) -> bool:
        """Whether a list stands there by which a move was made."""
        return change.kind == "move" and (before.id, change.seat) in self.lists

    def _answers(self, table: Table, seat: int, mine: KnownList) -> tuple[str, tuple[int, ...]] | None:
        """Return the move of a list that answers what is asked, by its id and steps."""
        position, who = table.position, table.seats[seat]
        if position is None or table.status != "playing" or seat not in position.actors or not who.plays or who.away:
            return None
        if table.undo is not None or table.paused or not table.by_days or seat in table.forced:
            return None
        if mine.quiet and has_come_to_light(table, seat, mine.since):
            return None
        for id, move in mine.moves.items():
            if (steps := found(position, seat, move)) is not None:
                return (id, steps) if not mine.alert or {*others(position, seat, move)} <= mine.known[id] else None
        return None

    def changed(self, before: Table | None, after: Table) -> None:
        """Follow the lists of a table; what is made is what its writer wished."""
        change = after.changes[-1]
        for (id, seat), mine in [*self.lists.items()] if before is not None else ():
            if id != after.id or before is None:
                continue
            if change.kind == "owner" and before.seats[seat].person == mine.person:
                mine.person = after.seats[seat].person or ""
                for one in mine.moves:
                    self.writers[one.encode()].add(mine.person)
            moves = change.kind == "move" and change.seat == seat and change.client_id is not None
            if moves and not self.checks.said[id, change.client_id or ""]:
                self._made(before, seat, mine, change)
            elif moves:
                mine.moves.clear()
            who = after.seats[seat]
            taken = change.kind == "undo" and any(
                one.undone == change.seq and one.seat == seat for one in after.changes
            )
            ends = taken or change.kind in ("rules", "rules_stop") or after.status != "playing" or not after.by_days
            if ends or who.person != mine.person or not who.plays or not mine.moves:
                del self.lists[id, seat]
            if (id, seat) not in self.lists or self._answers(after, seat, mine) is None:
                self._ready.pop((id, seat), None)  # if it answers again, it waits anew

    def _made(self, before: Table, seat: int, mine: KnownList, change: LogEntry) -> None:
        says = f"seat {seat} of {before.id} at {before.seq}: {change.notation}"
        answers, person = self._answers(before, seat, mine), before.seats[seat].person
        self.checks.must(person == mine.person, "ahead", f"a list is another's, {says}")
        right = answers is not None and answers[1] == (*change.steps,)
        self.checks.must(right, "ahead", f"{says} is made, and the list would do {answers}; {mine}")
        self.game.result.did["made ahead"] += 1
        if answers is not None and before.position is not None:
            asked = question(before.position, seat)
            gone = [
                id for id, one in mine.moves.items() if id == answers[0] or (not mine.goes_on and one.question == asked)
            ]
            for id in gone:
                del mine.moves[id]

    async def stepped(self) -> None:
        """The lists are those that their writers know; what answers is made in its time."""
        query, now = sa.select(standing_orders), self.world.watch.time()
        with self.world.engine.connect() as connection:
            rows = connection.execute(query).all()
        ids = {
            (row.table_id, row.seat): [one["id"] for one in msgspec.json.decode(row.orders)["orders"]] for row in rows
        }
        known = {place: [*one.moves] for place, one in self.lists.items()}
        self.checks.must(ids == known, "ahead", f"lists are {ids}, and would be {known}")
        for place, mine in self.lists.items():
            if self._answers(self.checks.tables[place[0]], place[1], mine) is None:
                self._ready.pop(place, None)
            else:
                waits = now - self._ready.setdefault(place, now)
                self.checks.must(waits < LONGEST + SLACK, "ahead", f"{place} waits for {waits:.0f} s with {mine}")


PEOPLE = OrdersPeople

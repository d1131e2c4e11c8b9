"""A small community in virtual time: do people who know nobody find each other?

python -m benchmarks.community [--days 14] [--people 40] [--seed 1]

People come on an evening's curve, and to games of days now and then. They look for a table, wait, give up, leave in the
middle, come late, and are told of tables that they wished for. All of it goes through the functions of the domain and
the rows of the store; only the moves are left out: how long a game takes is drawn. Nothing sleeps.

What people do is assumed, and written below: how often they come, how patient they are, how many leave. What the
figures show is what the rules of the service make of that.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import msgspec
import sqlalchemy as sa

import ziggurat
from ziggurat.server.domain.clock import DAY_SECONDS, Tempo
from ziggurat.server.domain.create import create
from ziggurat.server.domain.open_table import is_listed, listing
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, join, leave
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import pass_time, ran
from ziggurat.server.domain.votes import answer_vote, ask_end
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.models import outbox
from ziggurat.server.features.notifications.rows import Channel
from ziggurat.server.features.notifications.rules import Notification, notices, quiet_until, still_relevant
from ziggurat.server.features.open_tables import rows as open_tables
from ziggurat.server.features.open_tables.find import Find, candidates, new_table
from ziggurat.server.features.open_tables.rows import Wish
from ziggurat.server.problems import Problem
from ziggurat.server.store import log, models, people

HOUR, MINUTE = 3600.0, 60.0
MONDAY = 1_767_571_200.0
"""Midnight, UTC, of the day with which it begins."""
COMES, ALSO_AT_WEEKENDS = 0.45, 0.25
"""How likely somebody comes of an evening, and once more of an afternoon at the weekend."""
EVENING, SPREAD = 20.25 * HOUR, 65 * MINUTE
"""Around when, and how far from it."""
TEMPOS: dict[Tempo, float] = {"live": 0.6, "evening": 0.15, "days": 0.25}
"""What they look for then."""
PEOPLE_ONLY = 0.15
"""How many want no bots."""
PATIENCE: dict[Tempo, float] = {"live": 10 * MINUTE, "evening": 30 * MINUTE, "days": 5.0 * DAY_SECONDS}
"""After how long, about, somebody gives up who waits."""
LASTS: dict[Tempo, tuple[float, float]] = {
    "live": (20 * MINUTE, 45 * MINUTE),
    "evening": (40 * MINUTE, 90 * MINUTE),
    "days": (4.0 * DAY_SECONDS, 12.0 * DAY_SECONDS),
}
"""How long a game takes."""
LEAVES: dict[Tempo, float] = {"live": 0.06, "evening": 0.1, "days": 0.15}
"""How many leave in the middle of a game."""
WISHES, FOLLOWS = 0.4, 0.3
"""How many want to be told of tables, and how many of those who are told come."""
QUIET = (22 * 60, 8 * 60)
WAIT = 15.0
"""Seconds from a change to when it may be told."""


@dataclass
class Report:
    """What came of it: waits in seconds by pace, in vain or not, and what became of tables."""

    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    gave_up: Counter[str] = field(default_factory=Counter)
    began: int = 0
    finished: int = 0
    together: int = 0
    """Tables with more than one person when they began or later."""
    late: int = 0
    told: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Person, kind and table."""
    hushed: int = 0
    """What was told in quiet hours."""
    in_vain: int = 0
    """What was true no more when it was to be told, and so was not."""

    def median(self, tempo: Tempo) -> float:
        """The median wait of a pace, in seconds."""
        return statistics.median(self.waits[tempo]) if self.waits[tempo] else float("inf")

    @property
    def share(self) -> float:
        """Of the tables that began, how many people finished or ended by agreement."""
        return self.finished / self.began if self.began else 0.0

    @property
    def twice(self) -> int:
        """How often somebody was told the same once more."""
        return sum(count - 1 for count in self.told.values())


class Community:
    """The people, their tables, and what is due."""

    def __init__(self, people_count: int, days: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now = MONDAY
        self.report = Report()
        self.tables: dict[str, Table] = {}
        self.people = [Person(f"person{n:03}", f"P{n}", "en") for n in range(people_count)]
        self.playing: set[tuple[str, Tempo]] = set()
        """Who sits at a table already, by pace."""
        self.since: dict[tuple[str, str], float] = {}
        """Since when somebody waits at a table."""
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._count = itertools.count()
        self.engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
        models.schema().create_all(self.engine)
        with self.engine.begin() as connection:
            connection.execute(sa.insert(models.chores).values(name=log.CLOCKS_CHORE, begun=0.0))
            for person in self.people:
                self._settle(connection, person)
        for day, person in itertools.product(range(days), self.people):
            self._visits(person, MONDAY + day * DAY_SECONDS, day % 7 >= 5)

    def _settle(self, connection: sa.Connection, person: Person) -> None:
        """Somebody comes for the first time; some say of which tables they want to be told."""
        people.insert(connection, person, person.id)
        if self.chance.random() >= WISHES:
            return
        wants, base = ["turn", "over", "invited", "table"], "https://games.example"
        way = Channel(person.id, person.id, None, "hook", base, "games", "", "", None, wants, base, True, 0.0, 0.0, 0)
        notifications.add_channel(connection, way, 10)
        open_tables.set_wishes(connection, person.id, [Wish(self._games(), ["live", "days"])], self.now)

    # --- Time ---

    def at(self, moment: float, what: Callable[[], None]) -> None:
        """Do something later."""
        heapq.heappush(self._due, (max(moment, self.now), next(self._count), what))

    def run(self) -> Report:
        """Let it all happen."""
        with told_by(self):
            while self._due:  # nobody looks for a table after the last day, but what has begun is played to its end
                self.now, _, what = heapq.heappop(self._due)
                what()
        return self.report

    # --- People ---

    def _games(self) -> list[str]:
        games = [*ziggurat.registered_games()]
        return self.chance.sample(games, self.chance.randint(1, len(games)))

    def _visits(self, person: Person, midnight: float, weekend: bool) -> None:
        if self.chance.random() < COMES:
            self.at(midnight + self.chance.gauss(EVENING, SPREAD), partial(self._looks, person))
        if weekend and self.chance.random() < ALSO_AT_WEEKENDS:
            self.at(midnight + self.chance.uniform(13, 18) * HOUR, partial(self._looks, person))

    def _looks(self, person: Person) -> None:
        """Somebody looks for a table."""
        tempo = self.chance.choices([*TEMPOS], [*TEMPOS.values()])[0]
        if (person.id, tempo) in self.playing:
            return
        company = "people" if self.chance.random() < PEOPLE_ONLY else "bots"
        wish = Find(f"find{next(self._count)}", self._games(), tempo, company, person.name)  # type: ignore[arg-type]
        found = (one for table in self.tables.values() if (one := listing(table)) is not None)
        for one in candidates(found, wish, person.id, self.now):
            if self._sits_down(person, one.table.id):
                return
        table = ran(None, create(new_table(wish), person))
        with self.engine.begin() as connection:
            log.insert(connection, table)
            people = open_tables.who_wishes(connection, table)
            told = bool(people)
            if people:
                notifications.add(connection, table, [Notification("open", table.id, table.seq, people)], WAIT)
        self._keep(table, told)
        self._waits(person, table)

    def _sits_down(self, person: Person, id: str) -> bool:
        table = self.tables[id]
        try:
            after = join(table, Join("", person.name), person)
        except Problem:
            return False
        self._change(table, after)
        if after.changes[-1].kind == "late":
            self.report.late += 1  # who waits for nothing is not counted among those who wait
            self.playing.add((person.id, _tempo(after)))
        else:
            self._waits(person, after)
        return True

    def _waits(self, person: Person, table: Table) -> None:
        tempo = _tempo(table)
        self.playing.add((person.id, tempo))
        self.since[table.id, person.id] = self.now
        self.at(self.now + self.chance.uniform(0.7, 1.6) * PATIENCE[tempo], partial(self._gives_up, person, table.id))

    def _gives_up(self, person: Person, id: str) -> None:
        table = self.tables[id]
        if table.status != "waiting" or table.seat_of(person.id) is None:
            return
        self.report.gave_up[_tempo(table)] += 1
        self.report.waits[_tempo(table)].append(self.now - self.since[table.id, person.id])
        self.playing.discard((person.id, _tempo(table)))
        self._change(table, leave(table, person.id))

    # --- Tables ---

    def _change(self, old: Table, new: Table) -> None:
        """Write a change of a table, with what is to be told of it."""
        new = ran(old, new)
        with self.engine.begin() as connection:
            news = [*notices(old, new)]
            assert log.update(connection, old, new)
            notifications.add(connection, new, news, WAIT)
        self._keep(new, bool(news))
        if old.status == "waiting" and new.status == "playing":
            self._begins(new)

    def _keep(self, table: Table, told: bool) -> None:
        self.tables[table.id] = table
        if table.status == "waiting" and table.tick is not None:
            self.at(table.tick, partial(self._tick, table.id, table.seq))
        if told:
            self.at(self.now + WAIT, self._deliver)

    def _tick(self, id: str, seq: int) -> None:
        table = self.tables[id]
        if table.seq == seq and table.status == "waiting":
            after = pass_time(table, self.now)
            assert after is not table, "what is due is done"
            self._change(table, after)

    def _begins(self, table: Table) -> None:
        tempo = _tempo(table)
        self.report.began += 1
        for seat in table.seats:
            if seat.person is not None:
                self.report.waits[tempo].append(self.now - self.since[table.id, seat.person])
                if self.chance.random() < LEAVES[tempo]:
                    soon = self.chance.uniform(0.1, 0.9) * LASTS[tempo][0]
                    self.at(self.now + soon, partial(self._leaves, seat.person, table.id))
        self.at(self.now + self.chance.uniform(*LASTS[tempo]), partial(self._ends, table.id))

    def _leaves(self, person: str, id: str) -> None:
        table = self.tables[id]
        if table.status == "playing":
            self._change(table, leave(table, person))

    def _ends(self, id: str) -> None:
        """Those who are there end it together: in place of the last moves, which are not played here."""
        table = self.tables[id]
        people = [seat for seat in table.seats if seat.person is not None]
        there = [seat.seat for seat in people if not seat.away]
        self.report.together += len(people) > 1
        for number, seat in enumerate(there):
            if table.status == "playing":
                after = answer_vote(table, seat, f"yes{number}", True) if number else ask_end(table, seat, "end", _gone)
                self._change(table, after)
                table = self.tables[id]
        self.report.finished += table.over
        for one in people:
            self.playing.discard((one.person or "", _tempo(table)))

    # --- News ---

    def _deliver(self) -> None:
        """Tell what is due and true still, but in nobody's quiet hours."""
        quiet = quiet_until(*QUIET, "UTC", self.now)
        with self.engine.begin() as connection:
            rows = connection.execute(sa.select(outbox).where(outbox.c.due <= self.now)).all()
            if quiet is not None:
                notifications.postpone(connection, [row.id for row in rows], quiet)
                self.at(quiet, self._deliver)
                return
            notifications.drop(connection, [row.id for row in rows])
        self.report.hushed += sum(quiet_until(*QUIET, "UTC", self.now) is not None for _ in rows)
        for row in rows:
            table, person = self.tables[row.table_id], next(one for one in self.people if one.id == row.way)
            if not still_relevant(table, row.kind, row.seq, table.seat_of(person.id), person.id):
                self.report.in_vain += 1
                continue
            self.report.told[person.id, row.kind, table.id] += 1
            free = (person.id, _tempo(table)) not in self.playing
            if row.kind == "open" and free and self.chance.random() < FOLLOWS:
                pause = self.chance.uniform(20, 150) if _tempo(table) == "live" else self.chance.uniform(60, 3 * HOUR)
                self.at(self.now + pause, partial(self._comes, person, table.id))

    def _comes(self, person: Person, id: str) -> None:
        table = self.tables[id]
        if is_listed(table) and table.seat_of(person.id) is None and (person.id, _tempo(table)) not in self.playing:
            self._sits_down(person, id)


def _gone(_seat: int) -> float:
    """Who has left is gone for good."""
    return float("inf")


def _tempo(table: Table) -> Tempo:
    if table.time is None:
        return "evening"
    return "live" if table.time.control.kind == "live" else "days"


@contextmanager
def told_by(community: Community) -> Iterator[None]:
    """Let the time be the community's."""
    before = time.time
    time.time = lambda: community.now
    try:
        yield
    finally:
        time.time = before


def main() -> int:
    """Print what came of it; return 1 where it is not good enough."""
    parser = argparse.ArgumentParser(description="A small community in virtual time.")
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--days", type=int, default=14)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    report = Community(chosen.people, chosen.days, chosen.seed).run()
    live, days = report.median("live"), report.median("days")
    figures = {
        "people": chosen.people,
        "days": chosen.days,
        "seed": chosen.seed,
        "waited": {tempo: len(waits) for tempo, waits in report.waits.items()},
        "gave_up": dict(report.gave_up),
        "median_wait_live_minutes": round(live / MINUTE, 2),
        "median_wait_evening_minutes": round(report.median("evening") / MINUTE, 2),
        "median_wait_days_hours": round(days / HOUR, 2),
        "tables_begun": report.began,
        "with_several_people": report.together,
        "came_late": report.late,
        "finished_by_people": round(report.share, 3),
        "told": sum(report.told.values()),
        "told_of_open_tables": sum(count for (_, kind, _), count in report.told.items() if kind == "open"),
        "told_twice": report.twice,
        "told_in_quiet_hours": report.hushed,
        "no_longer_true": report.in_vain,
    }
    print(msgspec.json.format(msgspec.json.encode(figures)).decode())
    good = live < 5 * MINUTE and days < 12 * HOUR and report.share >= 0.95 and not (report.twice or report.hushed)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

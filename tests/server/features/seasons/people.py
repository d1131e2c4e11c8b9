"""People found seasons in their groups, enter, say what they want in a round, come or do not, and leave; whatever they
do, nobody plays twice at once, no round waits longer than its terms say, all seasons end, and their files prove it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from typing import Any, ClassVar, cast

import pytest
import sqlalchemy as sa
from tests.server.people_features import FeatureActs, NotNow
from tests.server.people_world import Browser

import ziggurat
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.features.seasons import drawing, rows
from ziggurat.server.features.seasons.drawing import DrawQuestion, answer
from ziggurat.server.features.seasons.file import SeasonFileError, verify
from ziggurat.server.features.seasons.models import season_people, season_tables, seasons
from ziggurat.server.features.seasons.service import Seasons
from ziggurat.server.features.seasons.state import Drawn, SeasonState, Started

PART = re.compile(rb"\b[0-9a-f]{64}\b")
"""A part of a beacon, the secret of a season, or what looks like one."""
SLACK = 30.0
"""Seconds after which what is due by itself has been done."""
MOMENTS = 60
"""Things that are due one after the other until a season is over."""
SAYS = ("enter", "enter", "leave", "round", "round", "here", "here", "file", "csv", "look", "list")


class SeasonsPeople(FeatureActs):
    """What people do with seasons."""

    OFTEN: ClassVar[dict[str, float]] = {"found": 1.5, "say": 4, "come": 3, "not_mine": 1}
    KINDS: ClassVar[dict[str, str]] = {"season": "a season waits, does not end, proves nothing, or has somebody twice"}

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.known: dict[str, SeasonState] = {}
        self.parts: dict[bytes, tuple[str, str]] = {}
        """Of beacons: of which season, and whose."""
        self.secrets: dict[bytes, str] = {}

    @staticmethod
    def rule(patch: pytest.MonkeyPatch) -> None:
        """Draw at once."""

        async def ask(question: DrawQuestion) -> Drawn:
            return answer(question)

        patch.setattr(drawing, "ask", ask)

    @property
    def service(self) -> Seasons:
        """The seasons of the worker."""
        return cast(Seasons, self.world.parts["seasons"])

    def _rows(self, query: sa.Select[Any]) -> list[Any]:
        with self.world.engine.connect() as connection:
            return [*connection.execute(query)]

    # --- What people do ---

    async def _group(self) -> tuple[str, Browser]:
        """Return a group, to which all come who like, and somebody who belongs to it."""
        game = self.game
        host = game.anybody()
        if not game.groups or game.by_chance(0.1):
            made = await game.http(host, "POST", "/api/groups", {"name": "Club", "called": host.human.name})
            if made.status != 201:
                raise NotNow
            await game.look_at_group(host, made.json["id"])
        id, secret = game.groups[-1]
        for human in game.people:
            if game.by_chance(0.9):
                browser = self.chance.choice(human.browsers)
                self.checks.given[id].add(human)
                self.checks.given[secret].add(human)
                wish = {"invite": secret, "name": human.name}
                joined = await game.http(browser, "POST", f"/api/groups/{id}/join", wish)
                host = browser if joined.status < 300 else host
        return id, host

    def _terms(self) -> dict[str, Any]:
        chance, now = self.chance, int(self.world.watch.time())
        play = chance.choice(["evenings", "evenings", "days", "mixed"])
        game = ziggurat.game(self.game.favourite)
        least, rounds = max(2, game.min_players), chance.randint(1, 3)
        ahead, wait = chance.choice([0, 600]), chance.choice([60, 900])
        between = ahead + wait + chance.choice([3600, 3600, 86_400]) + (3600 if play != "evenings" else 0)
        first = now + ahead + chance.choice([300, 3000])
        starts = [first + between * round for round in range(rounds)]
        clocks = {"step": chance.choice([3, 60]), "reserve": chance.choice([0, 600]), "days": 3600, "bot": "random"}
        moments = {"starts": starts, "ends": starts[-1] + between, "ahead": ahead, "wait": wait}
        return {
            "name": "Autumn",
            "games": [{"game": game.id, "sizes": [*range(least, min(least + 2, game.max_players + 1))]}],
            **clocks,
            **moments,
            "play": play,
            "pairing": chance.choice(["all", "swiss", "divisions"]),
            "late_until": rounds,
            "free_absences": chance.choice([0, 2]),
        }

    async def found(self) -> None:
        """Found a season, with terms that can be or cannot; people enter."""
        group, browser = await self._group()
        terms = self._terms()
        if self.game.by_chance(0.1):
            terms |= self.chance.choice([{"ends": 0}, {"late_until": 9}, {"bot": "nobody"}, {"starts": [1]}])
        made = await self.game.http(browser, "POST", "/api/seasons", {"group": group, "terms": terms})
        if made.status == 201:
            season = await self.service.known(made.json["id"])
            self.secrets[season.season.secret.hex().encode()] = made.json["id"]
            for human in self.game.people:
                if self.game.by_chance(0.85):
                    await self._say(self.chance.choice(human.browsers), made.json["id"], "enter")

    def _season(self, all: bool = False) -> str:
        open = [row.id for row in self._rows(sa.select(seasons).where(sa.true() if all else ~seasons.c.closed))]
        if not open:
            raise NotNow
        return str(self.chance.choice(sorted(open)))

    async def say(self) -> None:
        """Enter or leave a season, say what one wants in a round, and look at what there is."""
        id, browser = self._season(all=self.game.by_chance(0.2)), self.game.anybody()
        what = self.chance.choice(SAYS)
        people = [row.person for row in self._rows(sa.select(season_people).where(season_people.c.season_id == id))]
        if what != "enter" and self.game.by_chance(0.85):
            browser = self.game.somebodys(*people)
        await self._say(browser, id, what)

    async def _say(self, browser: Browser, id: str, what: str) -> Any:
        path, chance = f"/api/seasons/{id}", self.chance
        if what == "enter":
            part = f"{chance.getrandbits(256):064x}"
            self.parts.setdefault(part.encode(), (id, self.checks.person_of(browser) or ""))
            return await self.game.http(browser, "POST", f"{path}/enter", {"part": part})
        if what == "leave":
            return await self.game.http(browser, "POST", f"{path}/leave")
        if what == "round":
            wish = {"round": chance.randint(1, 3), "wish": chance.choice(["play", "absent", "stand_in"])}
            return await self.game.http(browser, "PUT", f"{path}/round", wish)
        if what == "here":
            how = chance.choice(["here", "here", "by_days"])
            return await self.game.http(browser, "POST", f"{path}/here", {"how": how})
        if what == "list":
            (row,) = self._rows(sa.select(seasons).where(seasons.c.id == id))
            return await self.game.http(browser, "GET", f"/api/seasons?group={row.group_id}")
        return await self.game.http(browser, "GET", path + {"file": "/file", "csv": "/table.csv"}.get(what, ""))

    async def come(self) -> None:
        """The next moment of a season comes, and with it most of its people; they play, or do not."""
        await self._go_on(self._season(), self.chance.choice([0.3, 0.8, 1.0]))

    async def _go_on(self, id: str, coming: float) -> None:
        for row in self._rows(sa.select(season_people).where(season_people.c.season_id == id)):
            browser = self.game.browser_of(row.person)
            if browser is not None and self.game.by_chance(coming):
                await self._say(browser, id, "here")
        due, now = (await self.service.known(id)).state.due(), self.world.watch.time()
        if due is not None:
            await self.game.pass_time(max(0.0, due[0] - now) + self.chance.choice([1.0, 1.0, 60.0]))
        tables = self._rows(sa.select(season_tables).where(season_tables.c.season_id == id))
        for row in tables[-2:]:
            if self.game.by_chance(0.5) and row.table_id in self.checks.tables:
                with suppress(NotNow):  # somebody there has no browser any more
                    await self.game.play_on(row.table_id)

    async def not_mine(self) -> None:
        """Try all that there is at a season whose group one does not know."""
        id, browser = self._season(all=True), self.chance.choice(self.game.mallory.browsers)
        person = self.checks.person_of(browser)
        mine = self._belongs(id, person)
        for what in ("enter", "leave", "round", "here", "file", "csv", "look", "list"):
            answer = await self._say(browser, id, what)
            self.checks.must(mine or answer.status >= 400, "secret", f"Mallory does {what} at the season {id}")
            mine = mine or self._belongs(id, person)

    def _belongs(self, id: str, person: str | None) -> bool:
        """Whether a person is in a season or may be in its group."""
        of = season_people.c
        entered = self._rows(sa.select(of.who).where(of.season_id == id, of.person == (person or "")))
        group = self._rows(sa.select(seasons.c.group_id).where(seasons.c.id == id))
        return bool(entered) or any(
            self.checks.is_of_group(one, row.group_id) for row in group for one in self._may(person)
        )

    def _may(self, person: str | None) -> Collection[Any]:
        return self.checks.legit[person or ""]

    # --- What must be so ---

    def sent(self, browser: Browser, person: str | None, text: bytes, what: str) -> None:
        """No part of a beacon is told before the start, but to whose it is, nor the secret before the end."""
        for word in {*PART.findall(text)} if self.parts else ():
            if word in self.parts:
                id, whose = self.parts[word]
                with self.world.engine.connect() as connection:
                    started = any(isinstance(event, Started) for event in rows.events_of(connection, id))
                may = started or self.is_theirs(whose, browser, person) or browser.human.hosts
                self.checks.must(may, "secret", f"{browser.human.name} reads another's part of {id} in {what}")
            elif word in self.secrets:
                id = self.secrets[word]
                over = bool(self._rows(sa.select(seasons).where(seasons.c.id == id, seasons.c.closed)))
                self.checks.must(over, "secret", f"{browser.human.name} reads the secret of {id} in {what}")

    def changed(self, before: Table | None, after: Table) -> None:
        """Nobody sits down at a table of a season who plays at another one of it."""
        if before is not None or after.group is None:
            return
        place = self._rows(sa.select(season_tables).where(season_tables.c.table_id == after.id))
        for row in place:
            same = self._rows(sa.select(season_tables).where(season_tables.c.season_id == row.season_id))
            going = [self.checks.tables[one.table_id] for one in same if one.table_id in self.checks.tables]
            people = [
                seat.person for table in going if table.status == "playing" for seat in table.seats if seat.person
            ]
            twice = [one for one, often in Counter(people).items() if often > 1]
            self.checks.must(not twice, "season", f"{twice} play twice at once in {row.season_id}, at {after.id}")

    def explains(self, before: Table, change: LogEntry) -> bool:
        """Whether a game ended because the time of its round is over."""
        for row in self._rows(sa.select(season_tables).where(season_tables.c.table_id == before.id)):
            over = self.known[row.season_id].terms.over_at(row.round)
            return change.kind == "end" and change.seat is None and self.world.watch.time() >= over
        return False

    def ticks(self) -> list[float]:
        """Return when something is due in a season."""
        return [row.due for row in self._rows(sa.select(seasons).where(seasons.c.due.is_not(None), ~seasons.c.closed))]

    async def stepped(self) -> None:
        """No season waits for longer than its terms say, nor a table of one for somebody whose time is over."""
        now = self.world.watch.time()
        for row in self._rows(sa.select(seasons).where(~seasons.c.closed)):
            state = self.known[row.id] = (await self.service.known(row.id)).state
            due = state.due()
            self.checks.must(due is None or now < due[0] + SLACK, "season", f"{row.id} waits at {now} for {due}")
            terms = state.terms
            late = state.draws and now > terms.over_at(state.round) + SLACK
            self.checks.must(not late, "season", f"round {state.round} of {row.id} goes on at {now}")
            late = state.draws and now > terms.starts[state.round - 1] + terms.wait + SLACK
            self.checks.must(not late or not state.unopened(), "season", f"{row.id} waits for people at {now}")
            for one in self._rows(sa.select(season_tables).where(season_tables.c.season_id == row.id)):
                table = self.checks.tables.get(one.table_id)
                tick = table.tick if table is not None and table.status == "playing" else None
                self.checks.must(tick is None or now < tick + SLACK, "season", f"{one.table_id} waits since {tick}")

    async def ended(self) -> None:
        """All seasons come to their end, and each file is what follows from it."""
        for row in self._rows(sa.select(seasons).where(~seasons.c.closed).order_by(seasons.c.id)):
            for _ in range(MOMENTS):
                if (await self.service.known(row.id)).state.closed:
                    break
                await self._go_on(row.id, self.chance.choice([0.0, 0.7, 1.0]))
                await self.stepped()
        for row in self._rows(sa.select(seasons).order_by(seasons.c.id)):
            self.checks.must(
                row.closed, "season", f"{row.id} does not end: {(await self.service.known(row.id)).state.due()}"
            )
            try:
                verdict = verify(await self.service.file(row.id))
            except SeasonFileError as error:
                self.checks.failed("season", f"the file of {row.id}: {error}")
            else:
                self.game.result.did["season verified"] += 1
                self.game.result.did["game of a season verified"] += verdict.games


PEOPLE = SeasonsPeople

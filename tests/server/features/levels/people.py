"""People look at their levels and those of others, and say who may see theirs: a level is shown to nobody to whom its
person does not show it, and does not fall by a win.

A level takes more games than people come to here, so some of their games are played elsewhere: they are put into the
list as if they had ended just now.
"""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
import sqlalchemy as sa
from tests.server.people_features import FeatureActs, NotNow
from tests.server.people_world import Browser

from ziggurat.server.domain.table import Table
from ziggurat.server.features.levels import rows
from ziggurat.server.features.levels.fit import BOT_PREFIX, CountedGame, PartShare, Side
from ziggurat.server.features.levels.marks import has_won
from ziggurat.server.features.levels.metre import metre_of
from ziggurat.server.features.levels.models import level_people
from ziggurat.server.features.levels.process import FitOrder, Fitted, fitted
from ziggurat.server.features.levels.rules import PERSON_PREFIX
from ziggurat.server.features.levels.service import LevelService

WISHES = ("me", "known", "anyone", "anyone")


class LevelsPeople(FeatureActs):
    """What people do with levels."""

    OFTEN: ClassVar[dict[str, float]] = {"played": 3, "mine": 1.5, "show": 1.5, "page": 2, "of_table": 2}
    KINDS: ClassVar[dict[str, str]] = {"level": "a level has fallen by a win, or is not the same for all"}

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.pages: list[str] = []
        """Those that there are and those that have lapsed."""
        self._shown: dict[tuple[str, str], tuple[float, list[str]]] = {}
        """Of a person and game: the level that was shown last, and of which games."""
        self._met: set[frozenset[str]] = set()
        self._games = 0

    @staticmethod
    def rule(patch: pytest.MonkeyPatch) -> None:
        """Fit at once."""

        async def beside(_: LevelService, order: FitOrder) -> Fitted:
            return fitted(order)

        patch.setattr(LevelService, "_beside", beside)

    # --- What people do ---

    async def played(self) -> None:
        """Some games have been played, most of them with a bot; those who played them look at what that says."""
        game, chance = self.game.favourite, self.chance
        people = sorted({one for one in map(self.checks.person_of, self._browsers()) if one is not None})
        metre = metre_of(game)
        bots = sorted(metre.places)
        if not metre.usable or len(people) < 2:
            raise NotNow
        with self.world.engine.begin() as connection:
            known = {*connection.execute(sa.text("select id from people where name != ''")).scalars()}
            people = [one for one in people if one in known][:4]
            for _ in range(chance.choice([1, 1, 1, 8]) if len(people) > 1 else 0):
                self._put(connection, game, chance.sample(people, 2), chance.choice([*bots, None]))
        for browser in self._browsers():
            if self.checks.person_of(browser) in people and self.game.by_chance(0.5):
                await self.look(browser)

    def _browsers(self) -> list[Browser]:
        return [browser for human in self.game.people for browser in human.browsers]

    def _put(self, connection: sa.Connection, game: str, people: list[str], bot: str | None) -> None:
        self._games += 1
        who = [*(f"{PERSON_PREFIX}{at}" for at in range(2)), *([f"{BOT_PREFIX}{bot}"] if bot is not None else [])]
        places = self.chance.sample(range(1, len(who) + 1), len(who))
        sides = tuple(Side(place, (PartShare(one),)) for one, place in zip(who, places, strict=True))
        ended = self.world.watch.time() + self._games / 1000
        counted = CountedGame(f"elsewhere{self._games}", ended, len(who), sides, ())
        rows.add(connection, counted.id, game, counted, dict(enumerate(people)))
        self._met.add(frozenset(people))

    async def mine(self) -> None:
        """Look at one's own levels."""
        await self.look(self.game.anybody())

    async def look(self, browser: Browser) -> None:
        """Look at one's own levels, and see that none has fallen by a win."""
        answer = await self.game.http(browser, "GET", "/api/levels/me")
        if answer.status == 200:
            self._read(self.checks.person_of(browser) or "", answer.json)

    async def show(self) -> None:
        """Say who may see one's levels."""
        browser = self.game.anybody()
        answer = await self.game.http(browser, "PUT", "/api/levels/me", {"shows": self.chance.choice(WISHES)})
        if answer.status == 200 and answer.json["page"]:
            self.pages.append(answer.json["page"])

    async def page(self) -> None:
        """Look at somebody's page, also where its address has lapsed."""
        if not self.pages:
            raise NotNow
        page, browser = self.chance.choice(self.pages[-8:]), self.game.anybody()
        if self.game.by_chance(0.3):
            browser = self.chance.choice(self.game.mallory.browsers)
        answer = await self.game.http(browser, "GET", f"/api/levels/people/{page}")
        me, whose = self.checks.person_of(browser), self._person_of(page)
        may = whose is not None and self._may(me, whose)
        self.checks.must(may or answer.status == 404, "secret", f"{browser.human.name} sees the levels of {whose}")
        seen = answer.status == 200 or me is None or answer.status == 429
        self.checks.must(not may or seen, "level", f"{browser.human.name} does not see {whose}")
        if answer.status == 200 and whose is not None:
            self._read(whose, answer.json)
            told = {one["name"] for game in answer.json["games"] for one in game["opponents"]}
            hidden = {name for name in told if me != whose and name not in self._open_names()}
            self.checks.must(not hidden, "secret", f"{browser.human.name} reads of {hidden} on the page of {whose}")

    async def of_table(self) -> None:
        """Look at the people of a table before one sits down."""
        table, browser = self.game.table(lambda table: any(seat.person for seat in table.seats)), self.game.anybody()
        invite = {"x_invite": table.invite} if table.invite and self.game.by_chance(0.8) else {}
        answer = await self.game.http(browser, "GET", f"/api/tables/{table.id}/levels", **invite)
        me = self.checks.person_of(browser)
        for one in answer.json["seats"] if answer.status == 200 else ():
            whose = table.seats[one["seat"]].person or ""
            told = one["level"] is not None or one["games"] or one["page"]
            shown = self._may(me, whose)
            self.checks.must(shown or not told, "secret", f"{browser.human.name} sees {one} of {whose} at {table.id}")
            strangers = table.policy.join == "anyone"
            says = f"{table.id} tells of {one['reliability']}"
            self.checks.must(strangers or one["reliability"] is None, "secret", says)
            if one["level"] is not None:
                self._level(whose, table.game, one["level"])

    # --- What must be so ---

    def _shows(self) -> dict[str, tuple[str, str]]:
        with self.world.engine.connect() as connection:
            return {row.person: (row.shows, row.page) for row in connection.execute(sa.select(level_people))}

    def _person_of(self, page: str) -> str | None:
        return next((person for person, (_, its) in self._shows().items() if its == page), None)

    def _open_names(self) -> set[str]:
        people = [person for person, (shows, _) in self._shows().items() if shows == "anyone"]
        with self.world.engine.connect() as connection:
            named = connection.execute(sa.text("select id, name from people")).all()
        return {row.name for row in named if row.id in people}

    def _may(self, me: str | None, whose: str) -> bool:
        """Whether somebody may see a person's levels, by what that one has said."""
        shows, _ = self._shows().get(whose, ("me", ""))
        together = any({me, whose} <= {seat.person for seat in table.seats} for table in self.checks.tables.values())
        return me == whose or shows == "anyone" or (shows == "known" and me is not None and together)

    def _read(self, person: str, told: Any) -> None:
        for one in told["games"]:
            if one["level"] is not None:
                self._level(person, one["game"], one["level"])

    def _level(self, person: str, game: str, level: float) -> None:
        """Take note of a level that is shown; it is no lower than before if all since was won."""
        with self.world.engine.connect() as connection:
            games = [one for one in rows.games_of(connection, game) if person in one.people()]
        ids, key = [one.id for one in games], (person, game)
        self.game.result.did["level shown"] += 1
        if key in self._shown:
            before, known = self._shown[key]
            news = games[len(known) :]
            won = bool(news) and ids[: len(known)] == known and all(has_won(one, person) for one in news)
            self.checks.must(not won or level >= before, "level", f"{person} falls from {before} to {level} by a win")
        self._shown[key] = level, ids

    def forgotten(self, person: str) -> None:
        """What was learnt of others by somebody's games stays, and their marks are made anew."""
        self._shown.clear()

    def changed(self, before: Table | None, after: Table) -> None:
        """A guest who becomes a person brings their games."""
        if after.changes[-1].kind == "owner":
            self._shown.clear()


PEOPLE = LevelsPeople

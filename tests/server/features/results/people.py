"""People fetch what their finished games came to: each line says what the game says, is theirs, and no spreadsheet
computes it."""

from __future__ import annotations

import csv
import io
from typing import Any, ClassVar

from tests.server.people_features import FeatureActs

from ziggurat.server.domain.table import Table

COMPUTED = tuple("=+-@\t\r\n＝＋－＠")


class ResultsPeople(FeatureActs):
    """What people do with results."""

    OFTEN: ClassVar[dict[str, float]] = {"fetch": 2, "fetch_all": 1}
    KINDS: ClassVar[dict[str, str]] = {"result": "a result that is told elsewhere is not that of the game"}

    async def fetch(self) -> None:
        """Fetch the result of a game, who played it and who did not; also of one that goes on."""
        over = self.game.by_chance(0.8)
        table = self.game.table(lambda table: table.over == over and any(seat.person for seat in table.seats))
        browser = self.game.somebodys(*(seat.owner for seat in table.seats))
        if self.game.by_chance(0.4):
            browser = self.chance.choice([self.game.anybody(), *self.game.mallory.browsers])
        person, path = self.checks.person_of(browser), f"/api/tables/{table.id}"
        for way in ("/result", "/results.csv"):
            answer = await self.game.http(browser, "GET", path + way)
            may = table.over and table.is_member(person)
            self.checks.must(may or answer.status >= 400, "secret", f"{browser.human.name} gets {path}{way}")
            if answer.status == 200 and way.endswith("csv"):
                self._lines(answer.body, person)

    async def fetch_all(self) -> None:
        """Fetch all of one's games; perhaps somebody is called as no spreadsheet should read it."""
        browser = self.game.anybody()
        if self.game.by_chance(0.3):
            await self.game.http(browser, "PUT", "/api/me", {"name": "=SUM(A1)"})
        answer = await self.game.http(browser, "GET", "/api/me/results.csv")
        if answer.status == 200:
            self._lines(answer.body, self.checks.person_of(browser))

    def _lines(self, body: bytes, person: str | None) -> None:
        lines = [*csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline=""))]
        for line in lines:
            table = self.checks.tables[line["table"]]
            says = f"seat {line['seat']} of {table.id}: {line}"
            self.checks.must(table.over and table.is_member(person), "secret", f"{person} reads {says}")
            self.checks.must(self._told(line) == self._true(table, int(line["seat"]) - 1, person), "result", says)
            computed = [value for value in line.values() if value and value.startswith(COMPUTED)]
            computed = [value for value in computed if not value.removeprefix("-").isdecimal()]
            self.checks.must(not computed, "result", f"a spreadsheet computes {computed}: {says}")
        tables = [line["table"] for line in lines]
        per_table = {id: tables.count(id) for id in tables}
        wrong = {id: many for id, many in per_table.items() if many != len(self.checks.tables[id].seats)}
        self.checks.must(not wrong, "result", f"so many lines of tables: {wrong}")

    def _told(self, line: dict[str, str]) -> tuple[Any, ...]:
        return line["game"], line["status"], line["score"], line["won"], line["resigned"], line["me"]

    def _true(self, table: Table, at: int, person: str | None) -> tuple[Any, ...]:
        seat, score, won = table.seats[at], "", ""
        if table.status == "finished" and table.position is not None:
            score, won = str(int(table.position.scores[at])), str(int(at in table.position.winners))
        mine = person is not None and person in (seat.person, seat.guardian)
        return table.game, table.status, score, won, str(int(seat.resigned)), str(int(mine))


PEOPLE = ResultsPeople

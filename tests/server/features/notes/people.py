"""People write notes while they play, agree to read them or not, and read those of others; no word of a note is ever
sent to anybody but its writer before all agree."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, ClassVar

import sqlalchemy as sa
from tests.server.people_features import FeatureActs
from tests.server.people_world import Browser, Human

from ziggurat.server.domain.table import Table
from ziggurat.server.store.models import metadata

NOTE = re.compile(rb"note-[0-9]{6}")
"""What somebody has written, and nobody else."""
READERS = ("nobody", "players", "watchers")


class NotesPeople(FeatureActs):
    """What people do with notes."""

    OFTEN: ClassVar[dict[str, float]] = {"write": 3, "agree": 1.5, "read": 1.5}

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.written: dict[bytes, tuple[str, str]] = {}
        """At which table, and by whom."""
        self.said: dict[str, dict[Human, str]] = defaultdict(dict)
        """Of a table: whom each lets read."""

    async def write(self) -> None:
        """Write a note, over another one, or where one does not sit."""
        table, chance = self.game.table(lambda table: any(seat.person for seat in table.seats)), self.chance
        sits = self.game.by_chance(0.9)
        browser = self.game.somebodys(*(seat.owner for seat in table.seats)) if sits else self.game.anybody()
        person, path = self.checks.person_of(browser), f"/api/tables/{table.id}/notes"
        word = f"note-{len(self.written):06}"
        self.written[word.encode()] = table.id, person or ""
        seq, before = chance.choice([0, table.seq, chance.randint(0, table.seq), table.seq + 1]), ""
        if self.game.by_chance(0.7) and (known := (await self.game.http(browser, "GET", path)).json):
            before = next((one["text"] for one in known.get("mine", ()) if one["seq"] == seq), "")
        text = chance.choice(
            [f"I think: {word} <b>!", word, f"{before}\n{word}"[-1900:], word * 150, "", f"{word}\x07"]
        )
        answer = await self.game.http(browser, "PUT", f"{path}/{seq}", {"text": text, "before": before})
        seated = table.seat_of(person) is not None
        self.checks.must(answer.status != 200 or seated, "person", f"{browser.human.name} writes a note at {table.id}")

    async def agree(self) -> None:
        """Let others read one's notes, or not any more; also where the game still goes on."""
        over = self.game.by_chance(0.8)
        table = self.game.table(lambda table: table.over == over and any(seat.person for seat in table.seats))
        for owner in sorted({seat.owner for seat in table.seats if seat.person is not None and seat.owner is not None}):
            browser = self.game.browser_of(owner) if self.game.by_chance(0.8) else self.game.anybody()
            if browser is None:
                continue
            readers = self.chance.choice(READERS[1:] if self.game.by_chance(0.85) else READERS)
            path = f"/api/tables/{table.id}/notes/readers"
            self.said[table.id][browser.human] = max(readers, self._says(table.id, browser.human), key=READERS.index)
            answer = await self.game.http(browser, "PUT", path, {"readers": readers})
            if answer.status == 200:
                self.said[table.id][browser.human] = readers
            self.checks.must(
                answer.status != 200 or table.over, "secret", f"notes of {table.id} are read before its end"
            )
        await self._read(table)

    def _says(self, table: str, human: Human) -> str:
        return self.said[table].get(human, "nobody")

    async def read(self) -> None:
        """Read what there is, who may and who may not."""
        await self._read(self.game.table(lambda table: any(table.id == id for id, _ in self.written.values())))

    async def _read(self, table: Table) -> None:
        people = [self.game.browser_of(seat.owner) for seat in table.seats]
        for browser in [self.game.anybody(), self.chance.choice(self.game.mallory.browsers), *filter(None, people)]:
            invite = {"x_invite": table.invite} if table.invite and self.game.by_chance(0.5) else {}
            answer = await self.game.http(browser, "GET", f"/api/tables/{table.id}/notes", **invite)
            if answer.status == 200:
                mine = {word for one in answer.json["mine"] for word in NOTE.findall(one["text"].encode())}
                wrong = [one for one in mine if not self._theirs(one, browser, self.checks.person_of(browser))]
                self.checks.must(not wrong, "secret", f"{browser.human.name} is told that {wrong} are theirs")

    # --- What must be so ---

    def _theirs(self, word: bytes, browser: Browser, person: str | None) -> bool:
        return self.is_theirs(self.written[word][1], browser, person)

    def sent(self, browser: Browser, person: str | None, text: bytes, what: str) -> None:
        """Only their writer is sent notes; and after the game those on whom all agree."""
        for word in {*NOTE.findall(text)}:
            read = what.startswith("GET /api/tables/") or what.endswith("/readers")
            may = self._theirs(word, browser, person) or (read and self._all_agree(word, browser.human))
            what = what.partition("?")[0]
            self.checks.must(may, "secret", f"{browser.human.name} reads {word!r} of {self.written[word]} in {what}")

    def _all_agree(self, word: bytes, human: Human) -> bool:
        table = self.checks.tables[self.written[word][0]]
        owners = {seat.owner for seat in table.seats if seat.kind == "human" and seat.person is not None and seat.owner}
        speak = {owner: self.spoken_for(owner) for owner in owners}
        said = [
            max((self._says(table.id, one) for one in some), key=READERS.index, default="") for some in speak.values()
        ]
        if not table.over or not said or "" in said:
            return False
        least = min(said, key=READERS.index)
        return least == "watchers" or (least == "players" and any(human in some for some in speak.values()))

    async def ended(self) -> None:
        """Nothing but the notes themselves holds a word of them: no letter, no line of a log."""
        with self.world.engine.connect() as connection:
            for name in sorted({*metadata.tables} - {"notes"}):
                for row in connection.execute(sa.select(metadata.tables[name])) if self.written else ():
                    held = {*NOTE.findall(" ".join(str(value) for value in row).encode())}
                    self.checks.must(not held, "secret", f"{held} are kept in {name}")


PEOPLE = NotesPeople

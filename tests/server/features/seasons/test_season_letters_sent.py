"""The letter of a week comes by the ways that people have: mail, webhook, in their language, once."""

from __future__ import annotations

import asyncio
import secrets
import time

import sqlalchemy as sa
from tests.example import SHORT
from tests.server.features.notifications.test_notifications import ANN, BOB, CID, WAIT, House
from tests.server.features.notifications.test_notifications import believed as believed
from tests.server.features.notifications.test_notifications import house as house
from tests.server.fixtures import MOSTLY_SQLITE

from ziggurat.server.domain.people import Person
from ziggurat.server.features.seasons import rows
from ziggurat.server.features.seasons.drawing import answer
from ziggurat.server.features.seasons.service import Seasons
from ziggurat.server.features.seasons.state import AnyEvent, Drawn, Entered, SeasonState
from ziggurat.server.features.seasons.terms import DAY_SECONDS, SeasonGame, SeasonTerms, complete
from ziggurat.server.services.bus import Bus

DATABASES = MOSTLY_SQLITE


class Held:
    """Seasons of a worker that looks when it is told to."""

    def __init__(self, house: House) -> None:
        self.seasons = Seasons(house.table_service, Bus(house.settings))

        async def drawn(question: object) -> Drawn:
            return await asyncio.to_thread(answer, question)  # type: ignore[arg-type]

        self.seasons.draw = drawn

    async def enter(self, id: str, person: Person) -> None:
        def enters(state: SeasonState, now: int) -> list[AnyEvent]:
            return [Entered(at=now, who=len(state.people) + 1, part=secrets.token_hex(32))]

        def also(connection: sa.Connection, state: SeasonState) -> None:
            rows.enter(connection, id, len(state.people), person.id, person.name or "")

        await self.seasons.act(id, enters, also)


async def test_a_round_that_was_drawn_is_told_by_mail_and_webhook(house: House) -> None:
    held = Held(house)
    await house.way(BOB, "mail", "bob@games.example")
    await house.hook(ANN)
    first = int(time.time()) + 7200
    starts = (first, first + 7 * DAY_SECONDS)
    terms = SeasonTerms(
        "Autumn",
        (SeasonGame(SHORT, (3,)),),
        starts,
        starts[-1] + DAY_SECONDS,
        zone="Europe/Budapest",
        bot="random",
        late_until=1,
    )
    id = await held.seasons.make(complete(terms), "friday")
    for person in (ANN, BOB, CID):
        await held.enter(id, person)
    house.now = float(first)
    await held.seasons._look()
    await house.deliver(WAIT)
    (letter,) = house.mails.got
    assert letter["To"] == "bob@games.example"
    assert "Autumn" in letter["Subject"]
    said = letter.get_content()
    assert "Ann" in said
    assert "Cid" in said
    assert f"https://games.example/#/season/{id}" in said
    (request,) = house.hooks.got
    assert "Bob" in request.json["text"]
    assert f"#/season/{id}" in request.json["text"]
    # It is told once, and whoever was forgotten is told nothing more.
    await house.deliver(WAIT)
    assert (len(house.mails.got), len(house.hooks.got)) == (1, 1)
    await house.database.write(lambda connection: rows.forget(connection, BOB.id))
    house.now = float(starts[1])
    for _ in range(3):
        await held.seasons._look()
    season = await held.seasons.known(id)
    assert season.state.people[2].gone
    await house.deliver(WAIT)
    assert len(house.mails.got) == 1

"""Two who are one, and one who is forgotten: everything of theirs, table by table."""

from __future__ import annotations

from functools import partial

from ziggurat.server.problems import Problem
from ziggurat.server.store import accounts
from ziggurat.server.verbs.belong import forget, hand_over
from ziggurat.server.verbs.people import Person
from ziggurat.server.workers.keeper import Keeper


class Accounts:
    """What is done to all tables of a person. Broken off in between it can be done again: what is left goes on."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper

    async def join(self, guest: Person, person: str) -> None:
        """Make everything of a guest's another person's.

        Raises Problem, before anything has changed, when both sit at a game that is not over.
        """
        database = self.keeper.database
        ids = await database.read(partial(accounts.tables_of, person=guest.id))
        for id in ids:
            hand_over(await self.keeper.get(id), guest.id, person)
        for id in ids:
            await self.keeper.change(id, partial(hand_over, guest=guest.id, person=person))
        await database.write(partial(accounts.become, guest=guest.id, person=person))

    async def forget(self, person: Person) -> None:
        """Delete a person and what is known of them."""
        database = self.keeper.database
        await database.write(accounts.must_be_house)
        # Somebody may sit down once more meanwhile.
        for _ in range(8):
            ids = await database.read(partial(accounts.tables_of, person=person.id))
            if not ids:
                await database.write(partial(accounts.forget, person=person.id))
                return
            for id in ids:
                await self.keeper.change(id, partial(forget, person=person.id))
        raise Problem(409, "still_playing", "You sit down at tables while you are being deleted; try again.")

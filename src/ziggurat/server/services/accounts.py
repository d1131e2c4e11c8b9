"""Accounts: merge two identities of one person, or delete a person, table by table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.ownership import forget, hand_over
from ziggurat.server.problems import Problem
from ziggurat.server.services.table_service import Command, TableService
from ziggurat.server.store import accounts

MOST_ATTEMPTS = 8


class Accounts:
    """Merges and deletions of accounts, over all tables of a person. After an interruption they can be repeated: what
    is left is done then."""

    def __init__(self, table_service: TableService) -> None:
        self.table_service = table_service

    async def must_be_one(self, guest: str, person: str) -> None:
        """Refuse to merge where a guest and a person sit at the same unfinished game, or where no table can be changed
        now: the ticket that would be used up stays valid."""
        for id in await self._tables(guest):
            self.table_service.must_not_be_closed()
            hand_over(await self.table_service.get(id), guest, person)

    async def join(self, guest: str, person: str) -> None:
        """Merge a guest into another person."""
        await self._everywhere(
            guest, partial(hand_over, guest=guest, person=person), partial(accounts.become, guest=guest, person=person)
        )

    async def forget(self, person: str, also: Callable[[sa.Connection], object] = lambda _: None) -> None:
        """Delete a person and their data; `also`: what else is written with that."""

        def job(connection: sa.Connection) -> None:
            accounts.forget(connection, person)
            also(connection)

        await self.table_service.database.write_own(accounts.must_be_house)
        await self._everywhere(person, partial(forget, person=person), job)

    async def _tables(self, person: str) -> list[str]:
        return await self.table_service.database.read(partial(accounts.tables_of, person=person))

    async def _everywhere(self, person: str, command: Command, then: Callable[[sa.Connection], None]) -> None:
        """Change all tables of a person, then the person; once more, if they have sat down elsewhere meanwhile."""
        for _ in range(MOST_ATTEMPTS):
            for id in await self._tables(person):
                await self.table_service.change(id, command)
            try:
                return await self.table_service.database.write_own(then)  # features move rows that are there
            except sa.exc.IntegrityError:
                continue  # a table of theirs came into being
        raise Problem(409, "still_playing", "You sit down at tables at the same moment; try again.")

"""Acquaintances: the handles by which one person may speak of another, and whom they mean."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.invite import BLOCKED_PLACE, PLAYED_PLACE, Invited, handle
from ziggurat.server.feature import features
from ziggurat.server.problems import Problem
from ziggurat.server.store import blocks
from ziggurat.server.store.database import Database
from ziggurat.server.store.played_with import played_with
from ziggurat.server.store.secrets import secret

PEOPLE_SECRET = "people"


class Acquaintances:
    """The handles of people, `place.hash`: the place is where the asker knows the person from. A handle is valid as
    long as the asker knows them, and for nobody else."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._secret = ""

    async def open(self) -> None:
        """Read the server's secret, or generate it."""
        while not self._secret:
            made = secrets.token_urlsafe(32)
            with suppress(sa.exc.IntegrityError):  # another worker makes it at the same moment
                self._secret = await self.database.write(partial(secret, name=PEOPLE_SECRET, made=made))

    def handle(self, asker: str, place: str, person: str) -> str:
        """Return the handle by which the asker may speak of a person."""
        return f"{place}.{handle(self._secret, asker, place, person)}"

    async def find(self, asker: str, handles: Collection[str]) -> dict[str, Invited]:
        """Return the people of these handles; refuse a handle that is none of the asker's."""
        if not handles:
            return {}
        await self.open()
        found = await self.database.read(partial(self._found, asker=asker, handles=set(handles)))
        if missing := set(handles) - found.keys():
            says = "You do not know anybody by this name any more; load the page again."
            raise Problem(404, "unknown_person", says, person=min(missing)[:60])
        return found

    def _found(self, connection: sa.Connection, asker: str, handles: set[str]) -> dict[str, Invited]:
        deaf = blocks.blocking(connection, asker)
        found: dict[str, Invited] = {}
        for place in {name.partition(".")[0] for name in handles}:
            for one in _known(connection, asker, place):
                if (name := self.handle(asker, place, one.person)) in handles:
                    found[name] = Invited(one.person, one.name, one.mark, one.person in deaf)
        return found


def _known(connection: sa.Connection, asker: str, place: str) -> Iterator[Invited]:
    """Yield the people whom the asker knows from a place."""
    if place == PLAYED_PLACE:
        yield from (Invited(one.person, one.name, one.mark) for one in played_with(connection, asker))
    elif place == BLOCKED_PLACE:
        yield from (Invited(one.blocked, one.name) for one in blocks.of_person(connection, asker))
    else:
        for feature in features():
            yield from feature.acquaintances(connection, asker, place)

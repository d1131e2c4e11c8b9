"""Hooks of features into the changes of a table: before a change, in its transaction and after it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import sqlalchemy as sa

from ziggurat.server.domain.table import Table

Also = Callable[[sa.Connection], object]
"""What is written in the transaction of a change, with it or not at all; what it returns says whether it wrote."""


class TableFollower:
    """The hooks of a feature into the changes of tables; by default they do nothing. Each worker has one of a
    feature."""

    def made(self, table: Table, called: Sequence[str]) -> Also | None:
        """Return what is written with a new table. `called`: people who are invited to it."""

    def changed(self, old: Table, new: Table) -> Also | None:
        """Return what is written with a change."""

    def plays_for(self, connection: sa.Connection, old: Table, new: Table) -> Collection[int]:
        """Return the seats of people that owe a decision and for which it will make the move, in the transaction of the
        change: they are not told that it is their turn. Nobody else may learn of it."""
        return ()

    def may_be_made(self, connection: sa.Connection, table: Table, origin: str) -> None:
        """Refuse (Problem) a new table; `origin`: the hash of the address from which it is made."""

    async def has_to_wait(self, table: Table) -> bool:
        """Whether a waiting table cannot start yet, whatever its clock says."""
        return False

    def tell(self, connection: sa.Connection, table: Table, kind: str, people: Sequence[str]) -> bool:
        """Notify people of a table, in the transaction in which it is written; return whether anybody is notified."""
        return False

    def write_to(self, connection: sa.Connection, kind: str, about: str, people: Sequence[str]) -> bool:
        """Write people a letter about something that is no table (`ServerFeature.letters`); return whether anybody is
        notified."""
        return False

    def tell_hosts(self, connection: sa.Connection) -> bool:
        """Notify the operators that the service needs them; return whether anybody is notified."""
        return False

    def may_be_shown(self, connection: sa.Connection, table: Table) -> None:
        """Refuse (Problem) to reveal all of a finished game."""

    def written(self) -> None:
        """React to a write that is durable now."""

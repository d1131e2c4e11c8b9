"""What follows from a change of a table: each feature may have something to say before it, in it and after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sqlalchemy as sa

from ziggurat.server.domain.table import Table

Also = Callable[[sa.Connection], object]
"""What is written in the transaction of a change, with it or not at all; what it returns says whether it wrote."""


class TableFollower:
    """What a feature does with the changes of tables; by itself nothing. Each worker has one of a feature."""

    def made(self, table: Table, called: Sequence[str]) -> Also | None:
        """Return what is written with a new table. `called`: people who are told of it."""

    def changed(self, old: Table, new: Table) -> Also | None:
        """Return what is written with a change."""

    def may_be_made(self, connection: sa.Connection, table: Table, origin: str) -> None:
        """Refuse (Problem) a new table; `origin`: the hash of the address from which it is made."""

    def may_be_shown(self, connection: sa.Connection, table: Table) -> None:
        """Refuse (Problem) to show all of a finished game."""

    def written(self) -> None:
        """Something was written, and is durable now."""

"""Prepared statements: each is compiled once for each kind of database, because it runs again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa


class Prepared:
    """A statement that is compiled once for each kind of database.

    Finding it among those compiled before, and the types of its values, takes longer than SQLite takes to run it. Its
    values must be such as the drivers understand: text, bytes, numbers and None.
    """

    def __init__(self, statement: sa.Insert | sa.Update, columns: Sequence[str] | None = None) -> None:
        """`columns`: the columns whose values `run` is given; by default all of the table."""
        self._statement = statement
        self._columns = columns
        self._texts: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {}

    def run(self, connection: sa.Connection, values: Mapping[str, Any]) -> sa.CursorResult[Any]:
        """Execute the statement once."""
        text, parameters = self._texts.get(connection.dialect.name) or self._compile(connection.dialect)
        return connection.exec_driver_sql(text, tuple(values.get(name, usual) for name, usual in parameters))

    def _compile(self, dialect: sa.Dialect) -> tuple[str, tuple[tuple[str, Any], ...]]:
        compiled = self._statement.compile(dialect=dialect, column_keys=list(self._columns) if self._columns else None)
        usual = compiled.params
        parameters = tuple((name, usual[name]) for name in compiled.positiontup or ())
        found = self._texts[dialect.name] = compiled.string, parameters
        return found

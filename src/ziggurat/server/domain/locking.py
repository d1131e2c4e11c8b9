"""A locked table: an operator has seen to it that nobody joins, looks on or talks there any more."""

from __future__ import annotations

import msgspec

from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem

LOCKED_POLICY = TablePolicy(watch="nobody", talk="off")
"""The policy of a locked table: nobody comes, looks on or speaks there; those who play go on."""


def is_locked(table: Table) -> bool:
    """Whether an operator has locked a table."""
    kind = next((change.kind for change in reversed(table.changes) if change.kind in ("locked", "unlocked")), "")
    return kind == "locked"


def must_not_be_locked(table: Table) -> None:
    """Refuse commands that would bring people to a locked table, or undo what the lock means."""
    if is_locked(table):
        raise Problem(403, "locked", "A host of the server has locked this table: nobody can sit down there now.")


def lock(table: Table) -> Table:
    """Return the table locked: nobody joins, looks on or talks there any more."""
    if is_locked(table):
        return table
    return table.after("locked", notation=msgspec.json.encode(table.policy).decode(), policy=LOCKED_POLICY)


def unlock(table: Table) -> Table:
    """Return the table with the policy that it had before the lock."""
    if not is_locked(table):
        return table
    said = next(change.notation for change in reversed(table.changes) if change.kind == "locked")
    return table.after("unlocked", policy=msgspec.json.decode(said, type=TablePolicy))

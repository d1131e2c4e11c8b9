"""What new rules do to games that are running, in the log of each: people at a table see why something is as it is."""

from __future__ import annotations

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.table import LogEntry, Table


def upgraded(table: Table) -> Table:
    """Return the table with a line in its log that says what the rules of this program mean for it; as it is, if they
    are those by which it was begun, or if that was said already."""
    if table.mended:
        return table.after("rules", notation=table.rules, mended=False)
    version = rules_gateway.version(table.game)
    stopped = table.status == "playing" and table.trouble is not None and table.rules != version
    if not stopped or any(_is_stop(change, version) for change in table.changes):
        return table
    return table.after("rules_stop", notation=version)


def _is_stop(change: LogEntry, version: str) -> bool:
    return change.kind == "rules_stop" and change.notation == version

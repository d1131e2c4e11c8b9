"""What new rules do to running games, noted in the log of each: people at a table see why something is as it is."""

from __future__ import annotations

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.table import LogEntry, Table


def upgraded(table: Table) -> Table:
    """Return the table with a log entry that says what this program's rules mean for it; unchanged if it began by these
    rules, or if the log says so already."""
    if table.mended:
        return table.after("rules", notation=table.rules, mended=False)
    version = rules_gateway.version(table.game)
    stopped = table.status == "playing" and table.trouble is not None and table.rules != version
    if not stopped or any(_is_stop(change, version) for change in table.changes):
        return table
    return table.after("rules_stop", notation=version)


def _is_stop(change: LogEntry, version: str) -> bool:
    return change.kind == "rules_stop" and change.notation == version

"""Idempotency keys: a message that arrives twice takes effect once, by one rule for every command of a table.

A page that loses its connection cannot know whether its last message arrived, so it sends it again with the same id.

- The same id from the same seat of a table is the same message. It is answered as the first time, and does nothing.
- The same id with other content is refused (`id_reused`): otherwise that message would never be carried out. Content is
  what the message asks for, with its numbers; not the state of the table (`seq`) that it was sent from.
- An id is remembered as long as the table, in the log (`LogEntry.client_id`): a restart, another worker or an undo does
  not forget it.
- A message that changed nothing, because it was refused or there was nothing to do, is not remembered. When it comes
  again it is decided by what the table is then.
- Ids belong to the seat, also after a seat transfer. So clients make them at random: one that counts
  could repeat an id of the person who sat there before.

`idempotent` is the only place that looks for an id and the only one that writes one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec

from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.problems import Problem

P = ParamSpec("P")


def idempotent(
    matches: Callable[Concatenate[LogEntry, P], bool],
) -> Callable[[Callable[Concatenate[Table, int, P], Table]], Callable[Concatenate[Table, int, str, P], Table]]:
    """Return a decorator that makes a seat's command idempotent: it then takes the message id after the seat.

    Args:
        matches: whether a change of the log is what the command leads to, with the content that it is called with.
    """

    def decorate(
        command: Callable[Concatenate[Table, int, P], Table],
    ) -> Callable[Concatenate[Table, int, str, P], Table]:
        @wraps(command)
        def once(table: Table, seat: int, client_id: str, /, *args: P.args, **kwargs: P.kwargs) -> Table:
            known = table.known(seat, client_id)
            if known is None:
                after = command(table, seat, *args, **kwargs)
                return after if after is table else _signed(after, seat, client_id)
            if not matches(known, *args, **kwargs):
                says = "This message id was used for something else; every new message needs a new id."
                raise Problem(409, "id_reused", says)
            return table

        return once

    return decorate


def _signed(table: Table, seat: int, client_id: str) -> Table:
    """Return the table with a message id as the idempotency key of its last change."""
    change = table.changes[-1]
    assert change.seat == seat
    return replace(table, changes=(*table.changes[:-1], replace(change, client_id=client_id)))

"""The start of a game: the first deal."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.guards import must_wait
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem


class Keys(NamedTuple):
    """The seed of a shuffle, and the salt that is hashed with it."""

    seed: bytes
    salt: bytes


def start(table: Table, keys: Keys | None = None) -> Table:
    """Return the table with the game started; `keys`: from a seed that is known already.

    The seed is drawn here; the hash of salt and seed is published at once, both of them at the end. A scenario's cards
    were not shuffled, so there is nothing to promise: the seed is that of the file, and has no salt.
    """
    must_wait(table)
    open_seats = [seat.seat for seat in table.seats if seat.kind == "open"]
    if open_seats:
        raise Problem(
            409, "open_seats", "Every seat needs a person or a bot before the game can start.", seats=open_seats
        )
    drawn = table.scenario is None
    keys = keys or Keys(secrets.token_bytes(32), secrets.token_bytes(32))
    position = rules_gateway.deal(table, keys.seed if drawn else None)
    return table.after(
        "start",
        events=rules_gateway.events(position.events),
        status="playing",
        rules=rules_gateway.version(table.game),
        seed=position.seed,
        salt=keys.salt if drawn else None,
        position=position,
    )


def start_by(table: Table, person: str) -> Table:
    """Return the table with the game started by its host."""
    if person != table.host:
        raise Problem(403, "not_host", "Only the person who made the table can start the game.")
    return start(table)

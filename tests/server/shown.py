"""What a move showed whoever made it, where a test says so: otherwise the game is asked, which takes longer."""

from __future__ import annotations

from typing import Protocol

import pytest

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.table import Table


class Shown(Protocol):
    def __call__(self, table: Table, *, nothing: bool) -> Table:
        """Say whether the last change of a table showed nothing; return the table."""


def saying(patch: pytest.MonkeyPatch) -> Shown:
    """Let a test say what moves show, for its time."""
    told: dict[tuple[str, int], bool] = {}
    asked = rules_gateway.showed_nothing

    def showed_nothing(table: Table, first: int) -> bool:
        moves = [(table.id, one.seq) for one in table.story() if one.kind == "move" and one.seq >= first]
        return all(told[move] for move in moves) if told.keys() >= {*moves} else asked(table, first)

    def say(table: Table, *, nothing: bool) -> Table:
        told[table.id, table.changes[-1].seq] = nothing
        return table

    patch.setattr(rules_gateway, "showed_nothing", showed_nothing)
    return say

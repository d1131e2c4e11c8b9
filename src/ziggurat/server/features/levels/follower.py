"""The hook into tables: a game that counts is written with its last change."""

from __future__ import annotations

from functools import partial

from ziggurat.server.domain.table import Table
from ziggurat.server.features.levels import rows
from ziggurat.server.features.levels.fit import CountedGame
from ziggurat.server.features.levels.rules import counted
from ziggurat.server.services.followers import Also, TableFollower
from ziggurat.server.settings import Settings


class LevelFollower(TableFollower):
    """The hook into the ends of games."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def changed(self, old: Table, new: Table) -> Also | None:
        """Return the write of a game that has ended and counts."""
        if not self.settings.levels or old.over or not new.over:
            return None
        game = counted(new)
        if not isinstance(game, CountedGame):
            return None
        people = {seat.seat: seat.person for seat in new.seats if seat.person is not None}
        return partial(rows.add, table=new.id, game=new.game, counted=game, people=people)

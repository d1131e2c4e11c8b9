"""A finished game is shown to whoever has its link, if all people who played agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ziggurat.server.domain.guards import must_be_free, must_be_over
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import Problem


class Consent(Protocol):
    """What a person says of it."""

    @property
    def agree(self) -> bool: ...
    @property
    def named(self) -> bool: ...


def people(table: Table) -> list[Seat]:
    """Return the seats of those who are asked."""
    return [seat for seat in table.seats if seat.kind == "human"]


def asked_people(table: Table) -> list[str]:
    """Return the people who are asked, each once."""
    return sorted({seat.owner for seat in people(table) if seat.owner is not None})


def must_be_showable(table: Table) -> None:
    """Refuse a game of which nobody is to be asked: one that goes on, or the day's deal."""
    must_be_over(table)
    must_be_free(table)


def is_shown(table: Table, said: Mapping[str, Consent]) -> bool:
    """Whether all agree. Who was deleted agrees to nothing any more."""
    asked = people(table)
    return bool(asked) and all(agrees(seat, said) for seat in asked)


def agrees(seat: Seat, said: Mapping[str, Consent]) -> bool:
    """Whether the person of a seat agrees; for one without a browser of their own speaks whose device it was."""
    owner = seat.owner
    return seat.person is not None and owner is not None and owner in said and said[owner].agree


def must_be_shown_to_all(table: Table | None, said: Mapping[str, Consent]) -> Table:
    """Return a table that its link shows; refuse a link that shows nothing, or not any more."""
    if table is None:
        raise Problem(404, "unknown_game_link", "This link leads to no game; perhaps its end is missing.")
    if not is_shown(table, said):
        raise Problem(410, "game_withdrawn", "Somebody who played this game does not show it any more.")
    return table


def shown_names(table: Table, said: Mapping[str, Consent]) -> list[str]:
    """Return the names of the seats as others may know them: empty where somebody does not want to be named."""
    return [seat.name if seat.kind != "human" or _is_named(seat, said) else "" for seat in table.seats]


def _is_named(seat: Seat, said: Mapping[str, Consent]) -> bool:
    owner = seat.owner
    return seat.person is not None and owner is not None and owner in said and said[owner].named

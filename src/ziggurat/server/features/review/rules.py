"""The rules of showing a finished game to everybody with its link: all people who played have to consent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ziggurat.server.domain.guards import must_be_free, must_be_over
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import Problem


class Consent(Protocol):
    """A person's consent to show a game."""

    @property
    def agree(self) -> bool: ...
    @property
    def named(self) -> bool: ...


def people(table: Table) -> list[Seat]:
    """Return the seats whose people are asked for consent."""
    return [seat for seat in table.seats if seat.kind == "human"]


def asked_people(table: Table) -> list[str]:
    """Return the people who are asked for consent, each once."""
    return sorted({seat.owner for seat in people(table) if seat.owner is not None})


def must_be_showable(table: Table) -> None:
    """Refuse a game that cannot be shown: a running one, or the day's deal."""
    must_be_over(table)
    must_be_free(table)


def is_shown(table: Table, said: Mapping[str, Consent]) -> bool:
    """Whether all consent. A deleted person consents to nothing any more."""
    asked = people(table)
    return bool(asked) and all(agrees(seat, said) for seat in asked)


def agrees(seat: Seat, said: Mapping[str, Consent]) -> bool:
    """Whether the person of a seat consents; for a companion their guardian decides."""
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

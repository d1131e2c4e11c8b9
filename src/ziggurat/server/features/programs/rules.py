"""Bearer tokens, by which a program acts for a person: the scopes of each, and the tables where it may play."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import msgspec

from ziggurat.server.api.endpoints import Scope
from ziggurat.server.domain.guards import must_let_programs
from ziggurat.server.domain.lines import clean_line
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem

SCOPES: tuple[Scope, ...] = ("read", "play", "bot")
MOST_TOKENS, MOST_TOKEN_DAYS, TOKEN_NAME_CHARACTERS = 20, 366, 60
"""Of one person; for how long one holds; characters of its name."""


class NewToken(msgspec.Struct, forbid_unknown_fields=True):
    """A token to be made: its name, its scope, and for how many days it is valid."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    scope: Scope
    days: Annotated[int, msgspec.Meta(ge=1, le=MOST_TOKEN_DAYS)] = 90


def clean_label(name: str) -> str:
    """Return the name of a token as one line, or refuse it."""
    if not 1 <= len(name.strip()) <= TOKEN_NAME_CHARACTERS:
        raise Problem(400, "bad_line", f"A token's name has 1 to {TOKEN_NAME_CHARACTERS} characters.")
    return clean_line(name)


def marked(table: Table, seat: int, program: Literal["play", "bot"]) -> Table:
    """Return the table with a seat marked as one whose moves a program sends (`play`) or chooses (`bot`). The mark
    stays for the whole game; a seat marked as a bot's stays one."""
    must_let_programs(table)
    sits = table.seats[seat]
    if sits.program in (program, "bot"):
        return table
    return table.after("program", seat, notation=program, seats=table.with_seat(replace(sits, program=program)))

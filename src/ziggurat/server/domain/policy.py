"""The policy of a table about people: who may join it, watch it, and talk at it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

Joining = Literal["invited", "anyone"]
Watching = Literal["link", "anyone", "nobody"]
Talking = Literal["free", "phrases", "off"]
Strength = Literal["anyone", "beginners", "experienced"]
WAIT_SECONDS = (60, 14 * 86_400)
"""Seconds for which an open table waits for people, least and most."""


class OpenTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of an open table for strangers: for whom it is, and what happens when nobody comes.

    `wait`: seconds from its making after which it waits no longer. Then the `bot` takes the free seats, and gives each
    of them to a person who comes later; without one the table is no longer open.
    """

    wait: Annotated[int, msgspec.Meta(ge=WAIT_SECONDS[0], le=WAIT_SECONDS[1])] = 180
    bot: Annotated[str, msgspec.Meta(max_length=200)] | None = "mason"
    strength: Strength = "anyone"
    """Whom its maker hopes for."""
    language: Annotated[str, msgspec.Meta(max_length=8)] = ""
    """The maker's; empty: they do not say."""


class TablePolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The policy of a table about people. The usual: people come by invitation, they may say what they like, and
    everybody with the link may watch."""

    join: Joining = "invited"
    """Who may take a free seat: people with the link, or anybody. A table that anybody may join is listed."""
    watch: Watching = "link"
    """Who may look on: people with the link, anybody who knows the table's address, or nobody."""
    talk: Talking = "free"
    """What can be said at the table: anything, ready phrases only, or nothing."""
    terms: OpenTerms | None = None
    """Of a table that anybody may join."""
    programs: bool = False
    """Whether people's own programs may sit down and play; everybody sees which seats these are."""
    counted: bool = True
    """Whether the game may say something about how good its people are, where a feature counts games."""
    out: tuple[str, ...] = ()
    """Who was put out, by marks that say nothing elsewhere (`Table.mark_of`): the table's own, and sent to nobody."""


MOST_PUT_OUT = 100
"""The most put-out people that a table remembers; the first are forgotten."""
WATCHING_KINDS: tuple[Watching, ...] = ("nobody", "link", "anyone")
"""From the narrowest on."""
USUAL_POLICY = TablePolicy()
DAILY_DEAL_POLICY = TablePolicy(watch="nobody", talk="off")
"""Of a table of the day's deal: others may still play it."""


def agreed_by(policy: TablePolicy) -> TablePolicy:
    """Return the policy with what people have agreed on."""
    return replace(policy, out=()) if policy.out else policy


def among_invited(policy: TablePolicy) -> TablePolicy:
    """Return the policy of a table closed to strangers."""
    return replace(policy, join="invited", terms=None)

"""Invitations by name: the people whom a person may invite, and how many at once."""

from __future__ import annotations

from ziggurat.server.domain.invite import Invited
from ziggurat.server.problems import Problem
from ziggurat.server.services.acquaintances import Acquaintances
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import accounts, blocks
from ziggurat.server.store.played_with import open_invitations

MOST_UNANSWERED = 20
"""People whom a person may have invited who have not answered."""


async def guests_of(
    acquaintances: Acquaintances, table_service: TableService, asker: str, handles: list[str]
) -> dict[str, Invited]:
    """Return the people to be invited, by the asker's handles for them; refuse those whom the asker has blocked, and
    more than may be invited at once."""
    found = await acquaintances.find(asker, handles)
    if not found:
        return found
    blocked = await table_service.database.read(lambda c: blocks.blocked_by(c, asker))
    if any(guest.person in blocked for guest in found.values()):
        raise Problem(409, "you_blocked", "You have blocked this person; take them off your list first.")
    if len({guest.person for guest in found.values()}) < len(handles):
        raise Problem(400, "bad_request", "seats: one person sits on one seat, and is invited to one.")
    if await table_service.database.read(lambda c: open_invitations(c, asker)) + len(found) > MOST_UNANSWERED:
        says = f"{MOST_UNANSWERED} people have not answered your invitations; wait for some of them."
        raise Problem(409, "too_many_asked", says, max=MOST_UNANSWERED)
    if any(guest.deaf for guest in found.values()):
        await table_service.database.write_own(accounts.must_be_house)
    return found


async def not_asked(table_service: TableService, person: str) -> tuple[set[str], set[str]]:
    """Return the people who are not invited to a person's new table (`domain.invite.uninvited`): those whom the person
    has blocked, and those who have blocked the person."""
    blocked = await table_service.database.read(lambda c: blocks.blocked_by(c, person))
    deaf = await table_service.database.read(lambda c: blocks.blocking(c, person))
    if deaf:
        await table_service.database.write_own(accounts.must_be_house)
    return blocked, deaf

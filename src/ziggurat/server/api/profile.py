"""`/api/me`: a person's own name, language, avatar and preferences."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec
from litestar import get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from ziggurat.server.api.endpoints import ANYONE, CHANGE_ROWS, NEWCOMER, READ_SCOPES, SMALL_BODY, Endpoint
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import current_person, proxy_user, require_person
from ziggurat.server.domain import avatars
from ziggurat.server.domain.avatars import AvatarChoice
from ziggurat.server.domain.people import Person, clean_name, fit_to_show
from ziggurat.server.domain.seating import by_hand
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import log, people
from ziggurat.server.store.database import Database


class Me(msgspec.Struct, omit_defaults=True):
    """A person's profile. A newcomer has no id yet and an empty name."""

    id: str | None
    """None for a browser that the server does not know yet."""
    name: str
    language: str
    by_hand: bool = False
    """Whether I answer myself where the rules leave no choice; otherwise it is done for me."""
    mark: AvatarChoice | None = None


class MeUpdate(msgspec.Struct, forbid_unknown_fields=True):
    """The changes to a profile."""

    name: str | None = None
    language: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2}$(?!\n)")] | None = None
    by_hand: bool | None = None
    mark: AvatarChoice | msgspec.UnsetType | None = msgspec.UNSET
    """None: no mark any more."""


@get("/api/me", summary="Who I am", endpoint=Endpoint(ANYONE, programs=READ_SCOPES))
async def get_me(request: AnyRequest, database: NamedDependency[Database]) -> Me:
    """Return the asker's profile."""
    person = await current_person(request, database)
    return profile_of(person) if person else Me(None, fit_to_show(proxy_user(request) or ""), "en")


def profile_of(person: Person) -> Me:
    """Return a person's profile, for themselves."""
    return Me(person.id, person.name, person.language, person.by_hand, avatars.parsed_avatar(person.mark))


@put("/api/me", summary="Change my name or language", endpoint=Endpoint(NEWCOMER, body=SMALL_BODY, rows=CHANGE_ROWS))
async def put_me(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    data: JSONBody[MeUpdate],
) -> Me:
    """Change the name or the avatar (used for tables from now on), the language, or who gives forced answers."""
    name = clean_name(data.name) if data.name is not None else None
    database = table_service.database
    person = await require_person(request, database, rate_limits)
    changed = msgspec.structs.replace(
        person,
        name=person.name if name is None else name,
        language=data.language or person.language,
        by_hand=person.by_hand if data.by_hand is None else data.by_hand,
        mark=person.mark if data.mark is msgspec.UNSET else avatars.stored_avatar(data.mark),
    )
    if changed.by_hand != person.by_hand:
        table_service.must_not_be_closed()
    await database.write(lambda c: people.update(c, changed))
    if changed.by_hand != person.by_hand:
        for id in await database.read(lambda c: log.played_by(c, person.id)):
            await table_service.change(id, partial(by_hand, person=person.id, wish=changed.by_hand))
    return profile_of(changed)

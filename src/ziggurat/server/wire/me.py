"""`/api/me`: one's own name and language."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from ziggurat.server.store import people
from ziggurat.server.store.engine import Database
from ziggurat.server.verbs.people import Person, clean_name
from ziggurat.server.wire.guests import somebody, whoever
from ziggurat.server.workers.visitors import Visitors


class Me(msgspec.Struct):
    """What one tells about oneself. A newcomer has no id yet and an empty name."""

    id: str | None
    """None for a browser that the server does not know yet."""
    name: str
    language: str


class MeUpdate(msgspec.Struct, forbid_unknown_fields=True):
    """What to change."""

    name: str | None = None
    language: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2}$(?!\n)")] | None = None


@get("/api/me", summary="Who I am")
async def get_me(request: Request[Any, Any, Any], database: NamedDependency[Database]) -> Me:
    """Return the asker's name and language."""
    person = await whoever(request, database)
    return Me(person.id, person.name, person.language) if person else Me(None, "", "en")


@put("/api/me", summary="Change my name or language")
async def put_me(
    request: Request[Any, Any, Any],
    database: NamedDependency[Database],
    visitors: NamedDependency[Visitors],
    data: JSONBody[MeUpdate],
) -> Me:
    """Change the name (used for tables from now on) or the language."""
    name = clean_name(data.name) if data.name is not None else None
    person = await somebody(request, database, visitors)
    changed = Person(person.id, person.name if name is None else name, data.language or person.language)
    await database.write(lambda c: people.update(c, changed))
    return Me(changed.id, changed.name, changed.language)

"""`/api/games/<game>/printed`: the printed numbers of a game as JSON, for people who count the points of a game with
the box. The server stores nothing: people with numbers of their own keep the answer."""

from __future__ import annotations

from functools import cache
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

import ziggurat
from ziggurat import Components
from ziggurat.server.api.endpoints import ANYONE, LARGE_BODY, Endpoint
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import address
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.create import COMPONENTS_CHARACTERS
from ziggurat.server.services.components_reader import Reader
from ziggurat.server.services.rate_limits import ClientKey, RateLimits


class PrintedNumbers(msgspec.Struct):
    """The numbers of a components file, in the form of that file; `own`: they differ from the game's."""

    digest: str
    own: bool
    values: msgspec.Raw


class OwnNumbers(msgspec.Struct):
    """A components file to be read."""

    components: Annotated[str, msgspec.Meta(max_length=COMPONENTS_CHARACTERS)]


def _said(components: Components) -> PrintedNumbers:
    values = msgspec.Raw(msgspec.json.encode(components.values))
    return PrintedNumbers(components.digest, not components.is_default, values)


@cache
def _default(game: str) -> PrintedNumbers:
    return _said(ziggurat.game(game).components)


@get("/api/games/{game_id:str}/printed", summary="The printed numbers of a game, as JSON", endpoint=Endpoint(ANYONE))
async def get_printed(game_id: FromPath[str]) -> PrintedNumbers:
    """Return the default numbers."""
    return _default(ziggurat.game(game_id).id)


@post(
    "/api/games/{game_id:str}/printed",
    status_code=200,
    summary="Read a component file",
    endpoint=Endpoint(ANYONE, body=LARGE_BODY),
)
async def read_printed(
    request: AnyRequest,
    game_id: FromPath[str],
    rate_limits: NamedDependency[RateLimits],
    reader: NamedDependency[Reader],
    data: JSONBody[OwnNumbers],
) -> PrintedNumbers:
    """Return the numbers of a file, with the game's own where it has none; or the errors in it."""
    at = address(request)
    async with rate_limits.share(at).line:  # of one address not the next file is read before others' were
        await reader.read(ClientKey(at, ""), game_id, data.components)
        return _said(rules_gateway.components_of(game_id, data.components))


ROUTES = (get_printed, read_printed)

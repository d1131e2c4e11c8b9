"""The ASGI application, put together from its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache, partial
from typing import Any

from litestar import Litestar, Request, Router
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException, NotFoundException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ASGIApp, Receive, Scope, Send

from ziggurat import ZigguratError, __version__
from ziggurat.server.api import (
    accounts,
    components,
    error_handlers,
    games,
    home,
    oidc,
    onlookers,
    parts,
    people,
    seat_transfer,
    waiting,
)
from ziggurat.server.api.endpoints import declared, endpoints_of, must_be_declared
from ziggurat.server.api.guard import must_be_let
from ziggurat.server.api.health import Readiness, healthz, readyz
from ziggurat.server.api.my_turns import get_turns
from ziggurat.server.api.profile import get_me, put_me
from ziggurat.server.api.requests import StrictJsonRequest
from ziggurat.server.api.security import SecurityMiddleware, add_security_headers
from ziggurat.server.api.sessions import loop_share
from ziggurat.server.api.tables import ROUTES
from ziggurat.server.assembly import Assembly, close_all, open_all
from ziggurat.server.counters import gauge_callbacks
from ziggurat.server.feature import features
from ziggurat.server.live.hub import Hub
from ziggurat.server.live.socket import live
from ziggurat.server.problems import Problem
from ziggurat.server.services.acquaintances import Acquaintances
from ziggurat.server.services.advice import AdviceService
from ziggurat.server.services.beginnings import Beginnings
from ziggurat.server.services.bot_turns import BotTurns
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.clocks import Clocks
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.components_reader import Reader
from ziggurat.server.services.housekeeping import Housekeeping
from ziggurat.server.services.monitor import Monitor
from ziggurat.server.services.newer import Newer
from ziggurat.server.services.oidc_provider import Provider
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database

HANDLERS = (
    get_me,
    put_me,
    get_turns,
    games.list_games,
    games.get_components,
    games.get_rules,
    *accounts.ROUTES,
    *ROUTES,
    *waiting.ROUTES,
    *people.ROUTES,
    *home.ROUTES,
    *seat_transfer.ROUTES,
    *oidc.ROUTES,
    *onlookers.ROUTES,
    *components.ROUTES,
    *(handler for feature in features() for handler in feature.handlers),
)
"""What answers over HTTP. The page's types are written from what these take and return."""
OTHER_HANDLERS = (live, *(socket for feature in features() for socket in feature.sockets), healthz, readyz)
"""What answers besides: the sockets, and what monitors ask."""
ENDPOINTS = endpoints_of((*HANDLERS, *OTHER_HANDLERS))
"""What they declare, by method and path."""


class Application:
    """An ASGI application: the routes that all applications of a process share, and the parts of this one.

    To find out how each route is called takes Litestar longer than all else at a start.
    """

    def __init__(self, routes: Litestar, parts: Mapping[str, object], lifespan: Lifespan) -> None:
        self.routes, self.parts, self.lifespan = routes, parts, lifespan

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or open and close the parts."""
        if scope["type"] != "lifespan":
            scope[parts.PARTS_KEY] = self.parts
            await self.routes(scope, receive, send)
            return
        await receive()
        async with self.lifespan():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


Lifespan = Callable[[], AbstractAsyncContextManager[None]]


def create_app(settings: Settings, database: Database, ending: Callable[[], bool] = lambda: False) -> Application:
    """Return the application. The database must be up to date (`store.migrate`).

    `ending`: whether the process is about to end, and wants no more visitors.
    """
    bus = _bus(settings, database)
    compiled_rules, search_pool = CompiledRules(settings), SearchPool(settings.search_processes)
    rate_limits, reader, newer = RateLimits(settings), Reader(), Newer(settings)
    table_service = TableService(settings, database, bus, compiled_rules)
    hub = Hub(table_service, bus)
    bots, advice_service = Bots(compiled_rules, search_pool, rate_limits), AdviceService(compiled_rules, search_pool)
    assembly = Assembly(
        settings=settings,
        database=database,
        bus=bus,
        table_service=table_service,
        hub=hub,
        rate_limits=rate_limits,
        compiled_rules=compiled_rules,
        search_pool=search_pool,
        bots=bots,
        newer=newer,
        sockets=[hub.sockets],
    )
    bus.on_gap += [table_service.forget, hub.mark_all_stale]
    assembly.running += [database, bus, reader, search_pool, bots, table_service.standby]
    for feature in features():
        feature.build(assembly)
    assembly.running += [
        Clocks(settings, table_service),
        Beginnings(table_service, bus),
        BotTurns(settings, table_service, bus, bots, rate_limits),
        compiled_rules,
        Housekeeping(settings, table_service),
        Monitor(settings, database),
        newer,
        hub,
    ]
    gauge_callbacks["tables"] = table_service.remembered
    gauge_callbacks["sockets"] = lambda: sum(count() for count in assembly.sockets)
    gauge_callbacks["waiting"], gauge_callbacks["workers"] = lambda: search_pool.waiting, lambda: 1
    gauge_callbacks["thinking"] = lambda: search_pool.running

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        try:
            await open_all(assembly.running)
            yield
        finally:
            await close_all(assembly.running)

    assembly.named |= {
        "settings": settings,
        "database": database,
        "bus": bus,
        "table_service": table_service,
        "acquaintances": Acquaintances(database),
        "hub": hub,
        "advice_service": advice_service,
        "rate_limits": rate_limits,
        "compiled_rules": compiled_rules,
        "reader": reader,
        "newer": newer,
        "provider": Provider(settings.oidc) if settings.oidc is not None else None,
        "standby": table_service.standby,
        "readiness": Readiness(database, ending),
        "security": SecurityMiddleware(settings, rate_limits, database, lambda: table_service.is_closed()),
    }
    return Application(_routes(tuple(assembly.named), settings.body_bytes), assembly.named, lifespan)


@cache
def _routes(names: tuple[str, ...], body_bytes: int) -> Litestar:
    """Return the router of all applications whose parts have these names."""
    for handler in HANDLERS:  # have the schema say which tokens of programs do what
        if scopes := declared(handler).programs:
            handler.security = [{"token": list(scopes)}]
    must_be_declared((*HANDLERS, *OTHER_HANDLERS))
    routes = Litestar(
        route_handlers=[*HANDLERS, *OTHER_HANDLERS],
        dependencies={name: parts.given(name) for name in names} | {"share": Provide(loop_share, sync_to_thread=False)},
        guards=[*(guard for feature in features() for guard in feature.guards), must_be_let],
        request_class=StrictJsonRequest,
        before_send=[add_security_headers],
        exception_handlers={
            Problem: error_handlers.on_problem,
            ZigguratError: error_handlers.on_ziggurat_error,
            NotFoundException: error_handlers.page_or_not_found,
            HTTPException: error_handlers.on_http_error,
            UnicodeDecodeError: error_handlers.on_no_text,
            Exception: error_handlers.on_anything,
        },
        request_max_body_size=body_bytes,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1400, gzip_compress_level=6, exclude_opt_key="as_it_is"
        ),
        openapi_config=OpenAPIConfig(
            title="Ziggurat",
            version=__version__,
            openapi_router=_schema(),
            render_plugins=[JsonRenderPlugin()],
            components=Components(security_schemes={"token": SecurityScheme("http", scheme="bearer")}),
        ),
        # Exceptions are logged by our own handlers, without what they may have seen.
        logging_config=None,
        debug=False,
    )
    # Before routes are looked for, so that pages are counted too.
    routes.asgi_handler = partial(_checked, routes.asgi_handler)
    return routes


async def _checked(inside: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Run the security middleware before the routing: pass a request on, or refuse it."""
    await parts.of(scope)["security"](inside, scope, receive, send)


def _schema() -> Router:
    """Return the router of the OpenAPI schema: it serves one path, and not Litestar's page at others."""

    def only_there(request: Request[Any, Any, Any]) -> None:
        if request.scope["path"] != "/schema/openapi.json":
            raise NotFoundException

    return Router("/schema", route_handlers=[], include_in_schema=False, before_request=only_there)


def _bus(settings: Settings, database: Database) -> Bus:
    if settings.sqlite:
        return Bus(settings)
    # Their driver is an extra, and not there for those who need no PostgreSQL.
    from ziggurat.server.services.postgres_bus import PostgresBus
    from ziggurat.server.store.postgres import PostgresDatabase

    assert isinstance(database, PostgresDatabase)
    return PostgresBus(settings, database)

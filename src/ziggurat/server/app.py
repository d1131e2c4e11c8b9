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
from ziggurat.server.counters import gauge_callbacks
from ziggurat.server.feature import features
from ziggurat.server.features.copies.minutes import MinuteCopier
from ziggurat.server.features.copies.service import FrequentCopies, NightlyCopies
from ziggurat.server.features.daily.bots import DailyBotRuns
from ziggurat.server.features.moderation.house import House
from ziggurat.server.features.moderation.service import Hosting
from ziggurat.server.features.notifications.notifier import Notifier
from ziggurat.server.features.open_tables.live import OpenTablesHub
from ziggurat.server.features.open_tables.service import OpenTables
from ziggurat.server.features.programs.streams import ProgramStreams
from ziggurat.server.features.review.lines import WhatIfs
from ziggurat.server.features.review.rooms import Rooms
from ziggurat.server.features.talk.relay import TalkRelay
from ziggurat.server.features.talk.service import TalkService
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
UNSEEN = (live, *(socket for feature in features() for socket in feature.sockets), healthz, readyz)
"""What answers besides: the sockets, and what monitors ask."""
ENDPOINTS = endpoints_of((*HANDLERS, *UNSEEN))
"""What they declare, by method and path."""


class Application:
    """What answers: routes that all applications of a process share, and the parts of this one.

    To find out how each route is called takes Litestar longer than all else at a start.
    """

    def __init__(self, routes: Litestar, parts: Mapping[str, object], lifespan: Lifespan) -> None:
        self.routes, self.parts, self.lifespan = routes, parts, lifespan

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or open and close the parts."""
        if scope["type"] != "lifespan":
            scope[parts.PARTS] = self.parts
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
    rate_limits = RateLimits(settings)
    reader = Reader()
    table_service = TableService(settings, database, bus, compiled_rules)
    rooms = Rooms(bus)
    house = House(settings, table_service, bus)
    hub = Hub(table_service, bus, rooms, house)
    talk_service = TalkService(table_service, bus, rate_limits)
    relay = TalkRelay(hub, talk_service)
    listed = OpenTables(table_service, bus)
    open_hub = OpenTablesHub(listed, hub)
    streams = ProgramStreams(table_service, bus, house)
    bots, advice_service = Bots(compiled_rules, search_pool, rate_limits), AdviceService(compiled_rules, search_pool)
    bot_turns = BotTurns(settings, table_service, bus, bots, rate_limits)
    beginnings = Beginnings(table_service, bus)
    housekeeping, copies = Housekeeping(settings, table_service), NightlyCopies(settings, table_service)
    frequent_copies = FrequentCopies(settings, table_service.quiet, MinuteCopier(settings).copy)
    daily_bots = DailyBotRuns(table_service, bus, compiled_rules, search_pool, bots)
    clocks, notifier = Clocks(settings, table_service), Notifier(settings, table_service)
    newer = Newer(settings)
    gauge_callbacks["tables"] = table_service.remembered
    gauge_callbacks["sockets"] = lambda: hub.sockets() + open_hub.sockets() + streams.streams()
    gauge_callbacks["waiting"], gauge_callbacks["workers"] = lambda: search_pool.waiting, lambda: 1
    gauge_callbacks["thinking"] = lambda: search_pool.running
    monitor = Monitor(settings, database)
    bus.on_gap += [table_service.forget, hub.mark_all_stale, relay.catch_up]

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        try:
            await database.open()
            await table_service.quiet.open()
            await bus.open()
            await house.open()
            await listed.open()
            await rooms.open()
            await clocks.open()
            await beginnings.open()
            await bot_turns.open()
            await compiled_rules.open()
            await housekeeping.open()
            await copies.open()
            await frequent_copies.open()
            await notifier.open()
            await daily_bots.open()
            await monitor.open()
            await newer.open()
            yield
        finally:
            await table_service.quiet.close()
            streams.close()
            await hub.close()
            await monitor.close()
            await relay.close()
            await open_hub.close()
            await listed.close()
            await rooms.close()
            await newer.close()
            await daily_bots.close()
            await notifier.close()
            await frequent_copies.close()
            await copies.close()
            await housekeeping.close()
            await beginnings.close()
            await clocks.close()
            await bot_turns.close()
            bots.close()
            await search_pool.close()
            await reader.close()
            await compiled_rules.close()
            await house.close()
            await bus.close()
            await database.close()

    own = {
        "settings": settings,
        "database": database,
        "bus": bus,
        "table_service": table_service,
        "acquaintances": Acquaintances(database),
        "house": house,
        "hosting": Hosting(table_service, newer),
        "hub": hub,
        "listed": listed,
        "open_hub": open_hub,
        "streams": streams,
        "advice_service": advice_service,
        "talk_service": talk_service,
        "rate_limits": rate_limits,
        "rooms": rooms,
        "what_ifs": WhatIfs(),
        "compiled_rules": compiled_rules,
        "reader": reader,
        "newer": newer,
        "notifier": notifier,
        "provider": Provider(settings.oidc) if settings.oidc is not None else None,
        "quiet": table_service.quiet,
        "readiness": Readiness(database, ending),
        "security": SecurityMiddleware(settings, rate_limits, database, house),
    }
    return Application(_routes(tuple(own), settings.body_bytes), own, lifespan)


@cache
def _routes(names: tuple[str, ...], body_bytes: int) -> Litestar:
    """Return all that answers, for all applications with parts of these names."""
    for handler in HANDLERS:  # have the schema say which tokens of programs do what
        if scopes := declared(handler).programs:
            handler.security = [{"token": list(scopes)}]
    must_be_declared((*HANDLERS, *UNSEEN))
    routes = Litestar(
        route_handlers=[*HANDLERS, *UNSEEN],
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
    """Let pass, or refuse, before routes are looked for."""
    await parts.of(scope)["security"](inside, scope, receive, send)


def _schema() -> Router:
    """Where the schema is: there alone, and not Litestar's page for what is not there."""

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

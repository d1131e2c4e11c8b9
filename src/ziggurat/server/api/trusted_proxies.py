"""The headers of trusted proxies: a request's address, its scheme, and its user."""

from __future__ import annotations

import logging
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from ziggurat.server.api.sessions import PROXY_USER_KEY
from ziggurat.server.services.rate_limits import TokenBucket
from ziggurat.server.settings import Settings

log = logging.getLogger("ziggurat.server")
LOG_LINE_BUCKET = TokenBucket(10, 600)
"""In the log, about headers that nobody believes."""


def behind(app: Any, settings: Settings) -> Any:
    """Return an application wrapped in the middleware for trusted proxies; without proxies, the application."""
    return TrustedProxyMiddleware(app, settings) if settings.proxies else app


class TrustedProxyMiddleware:
    """The middleware that believes the headers of the configured proxies, and nobody else's."""

    def __init__(self, app: Any, settings: Settings) -> None:
        self.inside = ProxyHeadersMiddleware(app, trusted_hosts=list(settings.proxies))
        self.user = settings.proxy_user.encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Note the user whom a proxy introduces, then pass the request on."""
        if self.user and scope["type"] in ("http", "websocket"):
            said = [value for name, value in scope["headers"] if name.lower() == self.user]
            peer = scope["client"][0] if scope.get("client") else ""
            if said and peer not in self.inside.trusted_hosts:
                if not LOG_LINE_BUCKET.use("all"):
                    log.warning("a header that says who somebody is came from elsewhere than a proxy, and is ignored")
            elif len(said) == 1 and (name := said[0].decode("utf-8", "replace").strip()):
                scope.setdefault("state", {})[PROXY_USER_KEY] = name
        await self.inside(scope, receive, send)

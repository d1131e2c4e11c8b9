"""The OpenID Connect provider where people have accounts (authorization code flow with PKCE)."""

from __future__ import annotations

import asyncio
import ssl
import time
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from ziggurat.server.alarms import PROVIDER, alarms
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.settings import Oidc

# Authlib and httpx are imported where they are needed: most hosts need neither.

METADATA_SECONDS = 3600.0
"""Seconds for which the provider's metadata and keys are kept."""
KEY_RETRY_SECONDS = 60.0
"""Seconds after which keys are asked for again because one is missing: it may have new ones."""
MOST_BYTES = 200_000
REQUEST_SECONDS = 10.0
SILENT_SECONDS = 5.0
"""Seconds for which a silent provider is not asked again: nobody waits for what others have waited for."""
LEEWAY_SECONDS = 60
"""Seconds by which the provider's clock may differ."""
SIGNATURE_ALGORITHMS = [
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed25519",
]
"""Signatures by a key that the provider alone has; never `none`, and none by a secret that we have too."""


class ProviderMetadata(msgspec.Struct):
    """A provider's metadata (OpenID Connect Discovery 1.0, section 3)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class Tokens(msgspec.Struct):
    """The tokens that a provider gives for a code."""

    id_token: str
    access_token: str | None = None


class EndUser(NamedTuple):
    """An end user as the provider knows them: by an identifier that never changes, and by a name."""

    subject: str
    name: str


def refused() -> Problem:
    """Return the refusal of an invalid response, whatever is wrong with it."""
    return Problem(403, "bad_sign_in", "What the provider has answered does not hold; begin again.")


def _silent() -> Problem:
    return Problem(
        502, "provider_silent", "The provider with which you sign in does not answer as it should.", **{RETRY_KEY: 30}
    )


class Provider:
    """The operator's provider. Its metadata is fetched at the first sign-in."""

    def __init__(self, settings: Oidc) -> None:
        self.settings = settings
        self._cached: tuple[float, ProviderMetadata] | None = None
        self._keys: tuple[float, Any] | None = None
        self._silent_at: float | None = None
        self._lock = asyncio.Lock()

    async def authorization_url(self, back: str, state: str, nonce: str, verifier: str) -> str:
        """Return the URL of the provider's sign-in page, which redirects people `back`."""
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
        from authlib.oauth2.rfc7636 import create_s256_code_challenge

        metadata = await self._metadata()
        url: str = prepare_grant_uri(
            metadata.authorization_endpoint,
            client_id=self.settings.client,
            response_type="code",
            redirect_uri=back,
            scope="openid profile",
            state=state,
            nonce=nonce,
            code_challenge=create_s256_code_challenge(verifier),
            code_challenge_method="S256",
        )
        return url

    async def end_user(self, back: str, code: str, nonce: str, verifier: str) -> EndUser:
        """Exchange the authorization code for the end user. Raises Problem for a bad code."""
        from httpx import BasicAuth

        metadata = await self._metadata()
        client, secret = self.settings.client, self.settings.secret
        asks = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
        basic = bool(secret) and "client_secret_basic" in metadata.token_endpoint_auth_methods_supported
        if not basic:
            asks |= {"client_id": client} | ({"client_secret": secret} if secret else {})
        auth = BasicAuth(client, secret) if basic else None
        status, text = await _fetch("POST", metadata.token_endpoint, data=asks, auth=auth)
        if status in (400, 401, 403):
            raise refused()  # such as a code that was used already
        tokens = _read(status, text, Tokens)
        claims = await self._checked(metadata, tokens, nonce)
        name = claims.get("name") or claims.get("preferred_username") or ""
        return EndUser(str(claims["sub"]), name if isinstance(name, str) else "")

    async def _checked(self, metadata: ProviderMetadata, tokens: Tokens, nonce: str) -> dict[str, Any]:
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import JoseError

        options = {
            "iss": {"essential": True, "value": metadata.issuer},
            "aud": {"essential": True, "value": self.settings.client},
        }
        params = {"client_id": self.settings.client, "nonce": nonce, "access_token": tokens.access_token}
        for fresh in (False, True):
            keys = await self._key_set(metadata, fresh)
            try:
                token = jwt.decode(tokens.id_token, keys, algorithms=SIGNATURE_ALGORITHMS)
                claims: dict[str, Any] = CodeIDToken(token.claims, token.header, options, params)
                claims.validate(leeway=LEEWAY_SECONDS)  # type: ignore[attr-defined]
                if claims["sub"] and isinstance(claims["sub"], str):
                    return claims
            except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
                continue  # it may be signed with a new key
        raise refused()

    async def _metadata(self) -> ProviderMetadata:
        async with self._lock:
            if self._cached is None or self._cached[0] + METADATA_SECONDS < time.monotonic():
                if self._silent_at is not None and time.monotonic() < self._silent_at + SILENT_SECONDS:
                    raise _silent()
                try:
                    self._cached = time.monotonic(), await self._discover()
                except Problem:
                    self._silent_at = time.monotonic()
                    raise
            return self._cached[1]

    async def _discover(self) -> ProviderMetadata:
        url = self.settings.issuer.rstrip("/") + "/.well-known/openid-configuration"
        metadata: ProviderMetadata = _read(*await _fetch("GET", url), ProviderMetadata)
        places = (metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri)
        if metadata.issuer != self.settings.issuer or not all(map(may_be_asked, places)):
            raise _silent()
        return metadata

    async def _key_set(self, metadata: ProviderMetadata, fresh: bool) -> Any:
        """Return the provider's key set; `fresh`: fetched again, because a key was missing."""
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        async with self._lock:
            lasts = KEY_RETRY_SECONDS if fresh else METADATA_SECONDS
            if self._keys is None or self._keys[0] + lasts < time.monotonic():
                found = _read(*await _fetch("GET", metadata.jwks_uri), dict[str, Any])
                try:
                    self._keys = time.monotonic(), KeySet.import_key_set(found)
                except (JoseError, ValueError, TypeError, KeyError):
                    alarms.failed(PROVIDER, "its keys cannot be read")
                    raise _silent() from None
            return self._keys[1]


def may_be_asked(url: str) -> bool:
    """Whether a provider's URL can be trusted: https, or on this machine."""
    try:
        parts = urlsplit(url)
        here = parts.hostname in ("127.0.0.1", "::1", "localhost")
        return parts.scheme == "https" or (parts.scheme == "http" and here)
    except ValueError:
        return False


@cache
def _tls() -> ssl.SSLContext:
    """Return the TLS context; reading the certificates takes longer than all requests."""
    import httpx

    return httpx.create_ssl_context()


async def _fetch(method: str, url: str, **more: Any) -> tuple[int, bytes]:
    """Return the status and the body of a response, within bounds of time and size."""
    import httpx

    text = bytearray()
    tls = await asyncio.to_thread(_tls)
    try:
        async with (
            asyncio.timeout(REQUEST_SECONDS),
            httpx.AsyncClient(follow_redirects=False, verify=tls) as client,
            client.stream(method, url, headers={"accept": "application/json"}, **more) as answer,
        ):
            async for piece in answer.aiter_bytes():
                text += piece
                if len(text) > MOST_BYTES:
                    alarms.failed(PROVIDER, "its answer is too long")
                    raise _silent()
            return answer.status_code, bytes(text)
    except (httpx.HTTPError, TimeoutError, OSError) as error:
        alarms.failed(PROVIDER, type(error).__name__)
        raise _silent() from None


def _read(status: int, text: bytes, kind: Any) -> Any:
    if status != 200:
        alarms.failed(PROVIDER, f"it answers {status}")
        raise _silent()
    try:
        found = msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError):
        alarms.failed(PROVIDER, "its answer cannot be read")
        raise _silent() from None
    alarms.works(PROVIDER)
    return found

"""The settings of a server process."""

from __future__ import annotations

import math
import os
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_data_path

from ziggurat.server.address_hash import AddressHasher
from ziggurat.server.problems import StartError

HOSTED = "host:"
"""How a seat names a bot of the host's own, before its name: nobody else's begins so."""
PAGES = 10
"""That one person has open for good reasons: each worker lets in so many sockets of them."""
STATIC = Path(__file__).parent / "static"


def default_data() -> Path:
    """Return the folder that holds the database when nobody names another one."""
    return user_data_path("ziggurat", appauthor=False)


def hosts_from_environment() -> tuple[str, ...]:
    """Return the host names of `ZIGGURAT_HOSTS` (separated by commas; `*` lets every name in)."""
    return tuple(name.strip().lower() for name in os.environ.get("ZIGGURAT_HOSTS", "").split(",") if name.strip())


def proxies_from_environment() -> tuple[str, ...]:
    """Return the addresses of `ZIGGURAT_PROXIES` (separated by commas): only what these say of a visitor's address and
    scheme is believed."""
    return tuple(name.strip() for name in os.environ.get("ZIGGURAT_PROXIES", "").split(",") if name.strip())


@dataclass(frozen=True)
class HostBot:
    """A bot that the host has added. Visitors know its name, and nothing of what makes it.

    Attributes:
        text: what makes it, such as ``cmd:python my_bot.py``; see `ziggurat.bots.entrants`.
        game: the only one that it plays; None: all.
    """

    name: str
    text: str
    game: str | None = None

    @classmethod
    def read(cls, said: str) -> HostBot:
        """Read `NAME=cmd:...` or `GAME/NAME=cmd:...`."""
        label, equals, text = said.partition("=")
        game, slash, name = label.rpartition("/")
        if not equals or not name.strip() or not text.strip():
            raise StartError(
                f"A bot is given as NAME=cmd:PROGRAM, NAME=my_module:MyBot or NAME=tcp:HOST:PORT, not {said!r}."
            )
        return cls(" ".join(name.split()), text.strip(), game.strip() if slash else None)

    @property
    def id(self) -> str:
        """What a seat calls it."""
        return HOSTED + self.name


@dataclass(frozen=True)
class Oidc:
    """A provider of OpenID Connect with which people sign in, and who we are to it."""

    issuer: str
    client: str
    secret: str = field(repr=False)
    name: str


def oidc_from_environment() -> Oidc | None:
    """Return what `ZIGGURAT_OIDC_ISSUER`, `_CLIENT`, `_SECRET` and `_NAME` say; None where there is no provider."""
    issuer, client, secret, name = (_said(f"OIDC_{what}") for what in ("ISSUER", "CLIENT", "SECRET", "NAME"))
    if not (issuer or client or secret or name):
        return None
    parts = urlsplit(issuer)
    if not parts.hostname or (parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost")):
        raise StartError(f"ZIGGURAT_OIDC_ISSUER is an address that begins with https://, not {issuer[:80]!r}.")
    if not client:
        raise StartError("ZIGGURAT_OIDC_CLIENT has to say how the provider calls this server.")
    if find_spec("authlib") is None:
        raise StartError("Signing in with a provider needs Authlib: pip install 'ziggurat[oidc]'.")
    return Oidc(issuer, client, secret, name[:40] or parts.hostname)


def proxy_user_from_environment() -> str:
    """Return the header of `ZIGGURAT_PROXY_USER`, in which a proxy names the person; nothing where none does."""
    name = _said("PROXY_USER").lower()
    if name and not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise StartError(f"ZIGGURAT_PROXY_USER is the name of a header, such as X-Remote-User, not {name[:80]!r}.")
    if name and not proxies_from_environment():
        raise StartError("ZIGGURAT_PROXY_USER is believed of the addresses in ZIGGURAT_PROXIES alone; name them.")
    return name


def _said(name: str, usual: object = "") -> str:
    return os.environ.get(f"ZIGGURAT_{name}", "").strip() or str(usual)


def _one_of(name: str, usual: str, other: str) -> str:
    said = _said(name, usual)
    if said not in (usual, other):
        raise StartError(f"ZIGGURAT_{name} is {usual} or {other}, not {said[:80]!r}.")
    return said


def _number(said: str, name: str, least: float, what: str = "a number", kind: Callable[[str], float] = float) -> float:
    try:
        number = kind(said)
    except ValueError:
        number = math.nan
    if not least <= number < math.inf:
        raise StartError(f"ZIGGURAT_{name} is {what}, at least {least:g}, not {said[:80]!r}.")
    return number


def _switch(name: str, usual: str) -> Any:
    """Return a field that is on or off, as 1 or 0."""
    return field(default_factory=lambda: _one_of(name, usual, "0" if usual == "1" else "1") == "1")


def _real(name: str, usual: float, least: float = 0.0) -> Any:
    """Return a field that is a number."""
    return field(default_factory=lambda: _number(_said(name, usual), name, least))


def _whole(name: str, usual: int, least: int = 0) -> Any:
    """Return a field that is a whole number."""

    return field(default_factory=lambda: int(_number(_said(name, usual), name, least, "a whole number", int)))


def _address() -> str:
    said = _said("ADDRESS").rstrip("/")
    if said and not said.startswith(("https://", "http://")):
        raise StartError(
            f"ZIGGURAT_ADDRESS is where people reach the server, such as https://games.example, not {said[:80]!r}."
        )
    return said


def _forced() -> tuple[float, float]:
    least, _, most = _said("FORCED", "0.8-2.5").partition("-")
    found = [_number(part, "FORCED", 0.0, "seconds, such as 0.8-2.5,") for part in (least, most or least)]
    return min(found), max(found)


@dataclass(frozen=True)
class Settings:
    """Everything that the parts of the server want to know about their surroundings."""

    data: Path = field(default_factory=default_data)
    database_url: str | None = None
    """A PostgreSQL URL; None is SQLite in `data`."""
    host: str = "127.0.0.1"
    hosts: tuple[str, ...] = field(default_factory=hosts_from_environment)
    """Names, in addition to localhost and plain addresses, under which browsers may reach the server."""
    scenarios: bool = _switch("SCENARIOS", "0")
    """May every visitor lay tables from scenario files? It lets them choose everybody's cards."""
    static: Path = STATIC
    """The built web part."""
    worker: str = field(default_factory=lambda: secrets.token_hex(6))
    """This process among those that share a database."""
    address_hasher: AddressHasher = field(default_factory=AddressHasher, repr=False, compare=False)
    """Makes what the database keeps of an address."""
    after: tuple[str, ...] = ()
    """Those before it that died: who was there by them is not there any more."""
    lease: float = _real("LEASE", 10, 0.1)
    """Seconds for which a claim on what a worker has to play holds; after that another worker takes it up."""
    write_seconds: float = _real("WRITE", 30, 1)
    """Seconds within which a write is durable; after them its asker is told, and the process is not ready."""
    prepare: bool = _switch("PREPARE", "1")
    """Whether rules and searching bots are compiled, or loaded, after the start; without, tables run interpreted."""
    pace: float = 0.9
    """Seconds between the moves of bots at a calm table."""
    forced: tuple[float, float] = field(default_factory=_forced)
    """Seconds, least and most, after which an answer that the rules force is played for a person: as long as a person
    might think, so that nobody can tell who had a choice."""
    hint: float = _real("HINT", 0.5)
    """Seconds for which a Master thinks about a hint, at most."""
    least_patience: int = _whole("PATIENCE", 15)
    """The fewest seconds of absence after which a table may let a bot play for a person."""
    log: str = field(default_factory=lambda: _one_of("LOG", "text", "json"))
    """How the log is written."""
    search_processes: int = _whole("THINKERS", min(8, max(1, (os.cpu_count() or 1) - 1)), 1)
    """Processes of this worker that think for bots and for advice; one takes at most one processor."""
    proxies: tuple[str, ...] = field(default_factory=proxies_from_environment)
    """Addresses of reverse proxies."""
    proxy_user: str = field(default_factory=proxy_user_from_environment)
    """The header in which they name the person."""
    oidc: Oidc | None = field(default_factory=oidc_from_environment)
    requests_per_minute: int = _whole("REQUESTS", 600, 1)
    """HTTP requests and handshakes of sockets that one address may make in a minute."""
    share: float = _real("SHARE", 0.2, 0.01)
    """Of the time in which a worker computes, what one address may have of it; 1: no bound."""
    refusal_seconds: float = 1.0
    """For which the answer to one request too many is held back, at most."""
    socket_messages_per_second: float = 50.0
    socket_message_bytes: int = 16 * 1024
    body_bytes: int = 256 * 1024
    sockets_per_person: int = 40
    strangers_per_address: int = 100
    """Sockets of those who have no cookie and look on at whatever table."""
    onlookers_per_table: int = _whole("ONLOOKERS", 200)
    quota: float = _real("QUOTA", 1, 0.01)
    """How much larger the bounds below are, as far as they say so."""
    tables_per_hour: tuple[int, int] = (40, 400)
    """Tables that a person, and an address, may make (times `quota`)."""
    unfinished_tables: tuple[int, int] = (100, 2000)
    """Tables of a person, and of an address, that may be unfinished at once (times `quota`)."""
    newcomers_per_hour: int = 400
    """New visitors of one address who become known by their name or their seat (times `quota`)."""
    bot_moves_per_second: tuple[int, int] = (25, 50)
    """Moves at tables where bots are alone, of those that a person, and an address, made (times `quota`)."""
    address: str = field(default_factory=_address)
    """Where people reach the server, for links in what they are sent; without, where they came to set it up."""
    smtp: str = field(default_factory=lambda: _said("SMTP"))
    """A mail server: `smtp://` or `smtps://`, perhaps with name and password; without one nobody is told by e-mail."""
    mail_from: str = field(default_factory=lambda: _said("MAIL_FROM"))
    news_wait: float = _real("NEWS_WAIT", 15)
    """Seconds before a notification is sent: a person who answers sooner gets none."""
    news_private: bool = _switch("NEWS_PRIVATE", "0")
    """Whether news may be sent to addresses inside the host's own network."""
    bots: tuple[HostBot, ...] = ()
    """Bots of the host's own, which tables are offered in addition to ours."""
    deal_bots: bool = _switch("DEAL_BOTS", "1")
    """Whether bots play the day's deals too, when nobody else thinks, for people to compare themselves with."""
    expiry_days: float = _real("EXPIRY", 14)
    """Days after which a table that nobody begins is cleared away; 0: never. A game that was begun stays."""
    connections_per_address: int = _whole("CONNECTIONS", 256, 1)
    """A household or a school may be behind one address; proxies are not counted."""
    request_seconds: float = 15.0
    """Within which a request has to arrive, from the first byte of the connection on."""
    send_seconds: float = 20.0
    """After which a client that does not read what it was sent is gone."""

    def __post_init__(self) -> None:
        if self.smtp and not self.smtp.startswith(("smtp://", "smtps://")):
            raise StartError("ZIGGURAT_SMTP is a mail server, such as smtps://NAME:PASSWORD@mail.example:465.")
        if self.smtp and not (self.address and "@" in self.mail_from):
            raise StartError(
                "ZIGGURAT_SMTP needs ZIGGURAT_ADDRESS, where people reach the server, and ZIGGURAT_MAIL_FROM, the "
                "address from which mails are sent."
            )

    def among(self, workers: int) -> Settings:
        """Return the settings of one of several workers under one parent.

        Of what an address or a person may do, and of who may look on, each lets in twice its part: all together at most
        twice as many as one worker alone, and nobody is refused because more of them came to one than to another.
        """

        def part(most: int) -> int:
            return most if workers <= 2 else math.ceil(most * 2 / workers)

        person, address = self.bot_moves_per_second
        return replace(
            self,
            requests_per_minute=part(self.requests_per_minute),
            connections_per_address=part(self.connections_per_address),
            # One's few pages may well all come to the same worker, however many there are.
            sockets_per_person=max(part(self.sockets_per_person), min(self.sockets_per_person, PAGES)),
            strangers_per_address=part(self.strangers_per_address),
            onlookers_per_table=part(self.onlookers_per_table),
            newcomers_per_hour=part(self.newcomers_per_hour),
            bot_moves_per_second=(part(person), part(address)),
        )

    def hosted(self, game: str) -> dict[str, HostBot]:
        """The host's own bots for a game, by what a seat calls them."""
        return {bot.id: bot for bot in self.bots if bot.game in (None, game)}

    @property
    def url(self) -> str:
        """The database URL with the driver that we use for it."""
        if self.database_url is None:
            return f"sqlite:///{self.data / 'ziggurat.db'}"
        return f"postgresql+asyncpg://{self.database_url.partition('://')[2]}"

    @property
    def lone(self) -> bool:
        """Whether only people at this machine can come, as far as is known."""
        outside = self.proxies or self.hosts or self.address or self.oidc
        return self.sqlite and not outside and self.host in ("127.0.0.1", "::1", "localhost")

    @property
    def sqlite(self) -> bool:
        """Whether the database is the SQLite file."""
        return self.database_url is None

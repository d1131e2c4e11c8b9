"""The settings of a server process."""

from __future__ import annotations

import difflib
import ipaddress
import math
import os
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_data_path

from ziggurat.server.address_hash import AddressHasher
from ziggurat.server.problems import StartError
from ziggurat.server.siblings import Siblings

HOUSE_BOT_PREFIX = "host:"
"""How a seat names a house bot, before its name: nobody else's begins so."""
PAGES_PER_PERSON = 10
"""That one person has open for good reasons: each worker lets in so many sockets of them."""
LEAST_PATIENCE = 30
"""Seconds for which a person at a live table is not gone, though their page is: a telephone locks itself sooner."""
STATIC_FOLDER = Path(__file__).parent / "static"
BESIDE_DATABASE = Path()
"""Stands for the folder `copies` beside the database, as long as nobody has said another one for the copies."""


def default_data() -> Path:
    """Return the default folder of the database."""
    return user_data_path("ziggurat", appauthor=False)


def hostnames_from_environment() -> tuple[str, ...]:
    """Return the hostnames of `ZIGGURAT_HOSTS` (separated by commas; `*` allows every name), with that of
    `ZIGGURAT_ADDRESS`: under it people come."""
    found = [urlsplit(_address()).hostname or "", *(name.strip().lower() for name in _said("HOSTS").split(","))]
    return tuple(dict.fromkeys(map(_hostname, filter(None, found))))


def _hostname(name: str) -> str:
    """Return a hostname as browsers send it."""
    with suppress(ValueError):
        return str(ipaddress.ip_address(name.strip("[]")))
    try:
        sent = name.encode("idna").decode()
    except UnicodeError:
        sent = ""
    if name != "*" and not re.fullmatch(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?", sent):
        raise StartError(f"ZIGGURAT_HOSTS names hosts, such as games.example, without https:// and port, not {name!r}.")
    return sent


def proxies_from_environment() -> tuple[str, ...]:
    """Return the networks of `ZIGGURAT_PROXIES` (addresses and networks, separated by commas): only their headers about
    a visitor's address and scheme are believed. A hostname is not accepted: its address may change at any time."""
    found = []
    for name in filter(None, map(str.strip, _said("PROXIES").split(","))):
        try:
            network = ipaddress.ip_network(name)
        except ValueError:
            raise StartError(
                f"ZIGGURAT_PROXIES names addresses, and networks such as 172.16.0.0/12, not {name[:80]!r}."
            ) from None
        found.append(str(network))
        if network.version == 4:  # as it is seen by a server that listens at `::`
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return tuple(found)


@lru_cache(1000)
def is_one_of(address: str, proxies: tuple[str, ...]) -> bool:
    """Whether an address is in one of the networks."""
    if address in proxies:
        return True
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in ipaddress.ip_network(name) for name in proxies if "/" in name)


@dataclass(frozen=True)
class HouseBot:
    """A house bot, added by the operator. Visitors know its name, and nothing of how it runs.

    Attributes:
        text: what makes it, such as ``cmd:python my_bot.py``; see `ziggurat.bots.entrants`.
        game: the only one that it plays; None: all.
    """

    name: str
    text: str
    game: str | None = None

    @classmethod
    def read(cls, said: str) -> HouseBot:
        """Parse `NAME=cmd:...` or `GAME/NAME=cmd:...`."""
        label, equals, text = said.partition("=")
        game, slash, name = label.rpartition("/")
        if not equals or not name.strip() or not text.strip():
            raise StartError(
                f"A bot is given as NAME=cmd:PROGRAM, NAME=my_module:MyBot or NAME=tcp:HOST:PORT, not {said!r}."
            )
        return cls(" ".join(name.split()), text.strip(), game.strip() if slash else None)

    @property
    def id(self) -> str:
        """The id by which a seat names the bot."""
        return HOUSE_BOT_PREFIX + self.name


@dataclass(frozen=True)
class Oidc:
    """An OpenID Connect provider with which people sign in, and our client id and secret there."""

    issuer: str
    client: str
    secret: str = field(repr=False)
    name: str


def oidc_from_environment() -> Oidc | None:
    """Return the provider of `ZIGGURAT_OIDC_ISSUER`, `_CLIENT`, `_SECRET` and `_NAME`; None where there is none."""
    issuer, client, secret, name = (_said(f"OIDC_{what}") for what in ("ISSUER", "CLIENT", "SECRET", "NAME"))
    if not (issuer or client or secret or name):
        return None
    parts = urlsplit(issuer)
    if not parts.hostname or (parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost")):
        raise StartError(f"ZIGGURAT_OIDC_ISSUER is an address that begins with https://, not {issuer[:80]!r}.")
    if not client:
        raise StartError("ZIGGURAT_OIDC_CLIENT has to say how the provider calls this server.")
    if find_spec("authlib") is None:
        raise StartError("Signing in with a provider needs Authlib: pip install 'ziggurat-games[oidc]'.")
    return Oidc(issuer, client, secret, name[:40] or parts.hostname)


def proxy_user_from_environment() -> str:
    """Return the header of `ZIGGURAT_PROXY_USER`, in which a proxy names the person; empty where none does."""
    name = _said("PROXY_USER").lower()
    if name and not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise StartError(f"ZIGGURAT_PROXY_USER is the name of a header, such as X-Remote-User, not {name[:80]!r}.")
    if name and not proxies_from_environment():
        raise StartError("ZIGGURAT_PROXY_USER is believed of the addresses in ZIGGURAT_PROXIES alone; name them.")
    return name


_asked = {"METRICS", "CACHE"}
"""Names of settings: those that somebody else reads, and all that were asked for here."""
TOOL_VARIABLES = re.compile(r"TEST_.*|CHROMIUM|SCREEN_READER|SERVER|TRAP|WITHOUT")
"""Names that the tests and scripts of the source tree use."""
SERVICE_LINK_VARIABLES = re.compile(r"(.+_)?(SERVICE_(HOST|PORT).*|PORT(_\d+_(TCP|UDP)(_.+)?)?)")
"""Names that Kubernetes, or Docker, gives to what runs beside a service whose own name begins with ziggurat."""


def check_names(environment: Mapping[str, str]) -> None:
    """Refuse an unknown setting: a mistyped one would have no effect.

    `Settings` have to have been made before: what they ask for are the names that there are.
    """
    for name, value in environment.items():
        what = name.removeprefix("ZIGGURAT_")
        if what == name or what in _asked or TOOL_VARIABLES.fullmatch(what):
            continue
        if SERVICE_LINK_VARIABLES.fullmatch(what) and (
            "SERVICE_" in what or "_TCP" in what or "_UDP" in what or "://" in value
        ):
            continue
        near = difflib.get_close_matches(what.upper(), sorted(_asked), n=1)
        hint = f"did you mean ZIGGURAT_{near[0]}?" if near else "docs/hosting.md lists those that there are."
        raise StartError(f"There is no setting {name[:80]}; {hint}")


def _said(name: str, usual: object = "") -> str:
    _asked.add(name)
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
    """Return a boolean field, on as 1 or off as 0."""
    return field(default_factory=lambda: _one_of(name, usual, "0" if usual == "1" else "1") == "1")


def _real(name: str, usual: float, least: float = 0.0) -> Any:
    """Return a field for a number."""
    return field(default_factory=lambda: _number(_said(name, usual), name, least))


def _whole(name: str, usual: int, least: int = 0) -> Any:
    """Return a field for a whole number."""

    return field(default_factory=lambda: int(_number(_said(name, usual), name, least, "a whole number", int)))


def _address() -> str:
    said = _said("ADDRESS").rstrip("/")
    try:
        parts = urlsplit(said)
        right = parts.scheme in ("https", "http") and bool(parts.hostname) and not (parts.query or parts.fragment)
        right = right and (parts.port is None or parts.port > 0)
    except ValueError:
        right = False
    if said and not right:
        raise StartError(
            f"ZIGGURAT_ADDRESS is where people reach the server, such as https://games.example, not {said[:80]!r}."
        )
    return said


def _is_mail_server(said: str) -> bool:
    try:
        parts = urlsplit(said)
        return parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def _folder(name: str) -> Path | None:
    said = _said(name)
    if said and not Path(said).is_absolute():
        raise StartError(
            f"ZIGGURAT_{name} is a folder from the root on, such as /var/backups/ziggurat, not {said[:80]!r}."
        )
    return Path(said) if said else None


def _copies() -> Path | None:
    return None if _said("COPIES") == "0" else _folder("COPIES") or BESIDE_DATABASE


def _hour(name: str, usual: int) -> int:
    found = int(_number(_said(name, usual), name, 0, "an hour", int))
    if found > 23:
        raise StartError(f"ZIGGURAT_{name} is an hour from 0 to 23, not {found}.")
    return found


def _newer() -> str:
    said = _said("NEWER")
    parts = urlsplit(said)
    if (
        said
        and (parts.scheme, parts.hostname) != ("http", "127.0.0.1")
        and (parts.scheme != "https" or not parts.hostname)
    ):
        raise StartError(f"ZIGGURAT_NEWER is an address that begins with https://, not {said[:80]!r}.")
    return said


def _between(name: str, usual: str) -> tuple[float, float]:
    least, _, most = _said(name, usual).partition("-")
    found = [_number(part, name, 0.0, f"seconds, such as {usual},") for part in (least, most or least)]
    return min(found), max(found)


def _forced() -> tuple[float, float]:
    return _between("FORCED", "0.8-2.5")


def _ahead() -> tuple[float, float]:
    return _between("AHEAD", "60-1800")


@dataclass(frozen=True)
class Settings:
    """All settings of the parts of a server."""

    data: Path = field(default_factory=default_data)
    database_url: str | None = None
    """A PostgreSQL URL; None is SQLite in `data`."""
    listen: str = "127.0.0.1"
    hosts: tuple[str, ...] = field(default_factory=hostnames_from_environment)
    """Names, in addition to localhost and plain addresses, under which browsers may reach the server."""
    scenarios: bool = _switch("SCENARIOS", "0")
    """May every visitor lay tables from scenario files? It lets them choose everybody's cards."""
    static: Path = STATIC_FOLDER
    """The built web part."""
    worker: str = field(default_factory=lambda: secrets.token_hex(6))
    """This process among those that share a database."""
    address_hasher: AddressHasher = field(default_factory=AddressHasher, repr=False, compare=False)
    """Makes what the database keeps of an address."""
    siblings: Siblings = field(default_factory=Siblings, repr=False, compare=False)
    """The workers under the same parent."""
    after: tuple[str, ...] = ()
    """Those before it that died: who was there by them is not there any more."""
    pool: int = _whole("POOL", 16, 2)
    """Connections to PostgreSQL for reads and writes, at most."""
    tables_in_memory: int = _whole("TABLES", 2000, 10)
    """Tables that a worker remembers, at most; others are read again when they are needed."""
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
    ahead: tuple[float, float] = field(default_factory=_ahead)
    """Seconds, least and most, after which a move is made that a person has written ahead at a table by days: as long
    as a person takes who is told that it is their turn, so that nobody can tell how it was made."""
    hint: float = _real("HINT", 0.5)
    """Seconds for which a Master thinks about a hint, at most."""
    least_patience: int = _whole("PATIENCE", LEAST_PATIENCE)
    """The fewest seconds of absence after which a table may let a bot play for a person."""
    log: str = field(default_factory=lambda: _one_of("LOG", "text", "json"))
    """How the log is written."""
    search_processes: int = _whole("THINKERS", min(8, max(1, (os.cpu_count() or 1) - 1)), 1)
    """Processes of this worker that think for bots and for advice; one takes at most one processor."""
    proxies: tuple[str, ...] = field(default_factory=proxies_from_environment)
    """Addresses and networks of reverse proxies."""
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
    streams_per_person: int = 12
    """Streams of the programs of one person."""
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
    bots: tuple[HouseBot, ...] = ()
    """House bots, which tables are offered in addition to ours."""
    deal_bots: bool = _switch("DEAL_BOTS", "1")
    """Whether bots play the day's deals too, when nobody else thinks, for people to compare themselves with."""
    levels: bool = _switch("LEVELS", "1")
    """Whether games may count for levels of people; without, none does, and no level is shown."""
    newer: str = field(default_factory=_newer)
    """Where it is asked once a day whether there is a newer version; without, nobody is asked (`services.newer`)."""
    expiry_days: float = _real("EXPIRY", 14)
    """Days after which a table that nobody begins is cleared away; 0: never. A game that was begun stays."""
    talk_days: float = _real("TALK_DAYS", 0)
    """Days for which what is said at tables is kept; 0: as long as the table."""
    copies: Path | None = field(default_factory=_copies)
    """The folder in which a copy of the database is made and checked each night; None: no copies are made."""
    copy_hour: int = field(default_factory=lambda: _hour("COPY_HOUR", 4))
    """At which hour, by the clock of the machine."""
    copies_kept: int = _whole("COPIES_KEPT", 7, 1)
    """How many stay."""
    copy_minutes: float = _real("COPY_MINUTES", 0)
    """Minutes of which at most is lost what happened if the database is (SQLite): so often it is copied between the
    nights, too; 0: never."""
    game_days: float = _real("GAME_DAYS", 0)
    """Days after which a game that is over is deleted; 0: never."""
    guest_days: float = _real("GUEST_DAYS", 180, 1)
    """Days after their last visit after which guests without a table are forgotten."""
    report_days: float = _real("REPORT_DAYS", 180, 1)
    """Days for which reports are kept, looked at or not."""
    deed_days: float = _real("DEED_DAYS", 365, 1)
    """Days for which it is kept what hosts did."""
    connections_per_address: int = _whole("CONNECTIONS", 256, 1)
    """A household or a school may be behind one address; proxies are not counted."""
    request_seconds: float = 15.0
    """Within which a request has to arrive, from the first byte of the connection on."""
    send_seconds: float = 20.0
    """After which a client that does not read what it was sent is gone."""

    def reached(self, port: int) -> str:
        """Return the URL where people reach the server, as far as it is known; `port`: where it listens."""
        if self.address:
            return self.address
        named = next((name for name in self.hosts if name != "*"), "")
        if self.proxies and named:
            return f"https://{named}"
        host = named or ("localhost" if self.listen in ("0.0.0.0", "::", "") else self.listen)
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def __post_init__(self) -> None:
        if self.copies == BESIDE_DATABASE:
            object.__setattr__(self, "copies", self.data.absolute() / "copies")
        if self.smtp and not _is_mail_server(self.smtp):
            raise StartError("ZIGGURAT_SMTP is a mail server, such as smtps://NAME:PASSWORD@mail.example:465.")
        if self.mail_from and not self.smtp:
            raise StartError("ZIGGURAT_MAIL_FROM needs ZIGGURAT_SMTP, the mail server that sends its mails.")
        if self.smtp and not (self.address and "@" in self.mail_from):
            raise StartError(
                "ZIGGURAT_SMTP needs ZIGGURAT_ADDRESS, where people reach the server, and ZIGGURAT_MAIL_FROM, the "
                "address from which mails are sent."
            )

    def among(self, workers: int) -> Settings:
        """Return the settings of one of several workers under one parent.

        Of what an address or a person may do each lets in twice its part: all together at most twice as many as one
        worker alone, and nobody is refused because more of them came to one than to another. Those who look on at a
        table are all at its home.
        """

        def part(most: int) -> int:
            return most if workers <= 2 else math.ceil(most * 2 / workers)

        person, address = self.bot_moves_per_second
        return replace(
            self,
            requests_per_minute=part(self.requests_per_minute),
            connections_per_address=part(self.connections_per_address),
            # One's few pages may well all come to the same worker, however many there are.
            sockets_per_person=max(part(self.sockets_per_person), min(self.sockets_per_person, PAGES_PER_PERSON)),
            newcomers_per_hour=part(self.newcomers_per_hour),
            bot_moves_per_second=(part(person), part(address)),
        )

    def house_bots(self, game: str) -> dict[str, HouseBot]:
        """Return the house bots for a game, by their ids."""
        return {bot.id: bot for bot in self.bots if bot.game in (None, game)}

    @property
    def url(self) -> str:
        """Return the database URL with our driver for it."""
        if self.database_url is None:
            return f"sqlite:///{self.data / 'ziggurat.db'}"
        return f"postgresql+asyncpg://{self.database_url.partition('://')[2]}"

    @property
    def lone(self) -> bool:
        """Whether only people at this machine can connect, as far as it is known."""
        outside = self.proxies or self.hosts or self.address or self.oidc
        return self.sqlite and not outside and self.listen in ("127.0.0.1", "::1", "localhost")

    @property
    def sqlite(self) -> bool:
        """Whether the database is the SQLite file."""
        return self.database_url is None

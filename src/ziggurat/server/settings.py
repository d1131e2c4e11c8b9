"""How one server process is set up."""

from __future__ import annotations

import math
import os
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path

from platformdirs import user_data_path

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


def _forced_from_environment() -> tuple[float, float]:
    least, _, most = os.environ.get("ZIGGURAT_FORCED", "0.8-2.5").partition("-")
    return float(least), float(most or least)


def _thinkers_from_environment() -> int:
    usual = min(8, max(1, (os.cpu_count() or 1) - 1))
    return max(1, int(os.environ.get("ZIGGURAT_THINKERS", usual)))


@dataclass(frozen=True)
class Settings:
    """Everything that the parts of the server want to know about their surroundings."""

    data: Path = field(default_factory=default_data)
    database_url: str | None = None
    """A PostgreSQL URL; None is SQLite in `data`."""
    host: str = "127.0.0.1"
    hosts: tuple[str, ...] = field(default_factory=hosts_from_environment)
    """Names besides localhost and plain addresses under which browsers may reach the server."""
    scenarios: bool = field(default_factory=lambda: os.environ.get("ZIGGURAT_SCENARIOS") == "1")
    """May whoever comes lay tables from scenario files? It lets them choose everybody's cards."""
    static: Path = STATIC
    """The built web part."""
    worker: str = field(default_factory=lambda: secrets.token_hex(6))
    """This process among those that share a database."""
    after: tuple[str, ...] = ()
    """Those before it that died: who was there by them is not there any more."""
    lease: float = field(default_factory=lambda: float(os.environ.get("ZIGGURAT_LEASE", "10")))
    """Seconds for which a claim on what a worker has to play holds; after that another worker takes it up."""
    prepare: bool = field(default_factory=lambda: os.environ.get("ZIGGURAT_PREPARE") != "0")
    """Whether rules and searching bots are compiled, or loaded, after the start; without, tables run interpreted."""
    pace: float = 0.9
    """Seconds between the moves of bots at a calm table."""
    forced: tuple[float, float] = field(default_factory=_forced_from_environment)
    """Seconds, least and most, after which an answer that the rules force is played for a person. As long as somebody
    might think: who could choose must not be told from who could not."""
    hint: float = field(default_factory=lambda: float(os.environ.get("ZIGGURAT_HINT", "2")))
    """Seconds for which a Master thinks about a hint, at most."""
    least_patience: int = field(default_factory=lambda: int(os.environ.get("ZIGGURAT_PATIENCE", "15")))
    """The fewest seconds of absence after which a table may let a bot play for somebody."""
    thinkers: int = field(default_factory=_thinkers_from_environment)
    """Processes of this worker that think for bots and for whoever asks for advice; one takes at most one processor."""
    proxies: tuple[str, ...] = field(default_factory=proxies_from_environment)
    """Addresses of reverse proxies."""
    requests_per_minute: int = field(default_factory=lambda: int(os.environ.get("ZIGGURAT_REQUESTS", "600")))
    """HTTP requests and handshakes of sockets that one address may make in a minute."""
    share: float = field(default_factory=lambda: float(os.environ.get("ZIGGURAT_SHARE", "0.2")))
    """Of the time in which a worker computes, what one address may have of it; 1: no bound."""
    refusal_seconds: float = 1.0
    """For which the answer to one request too many is held back, at most."""
    socket_messages_per_second: float = 50.0
    socket_message_bytes: int = 16 * 1024
    body_bytes: int = 256 * 1024
    sockets_per_person: int = 40
    strangers_per_address: int = 100
    """Sockets of those who have no cookie and look on at whatever table."""
    onlookers_per_table: int = field(default_factory=lambda: int(os.environ.get("ZIGGURAT_ONLOOKERS", "200")))
    quota: float = field(default_factory=lambda: float(os.environ.get("ZIGGURAT_QUOTA", "1")))
    """How much larger the bounds below are, as far as they say so."""
    tables_per_hour: tuple[int, int] = (40, 400)
    """Tables that a person, and an address, may make (times `quota`)."""
    unfinished_tables: tuple[int, int] = (100, 2000)
    """Tables of a person, and of an address, that may be unfinished at once (times `quota`)."""
    newcomers_per_hour: int = 400
    """New visitors of one address who become known by their name or their seat (times `quota`)."""
    bot_moves_per_second: tuple[int, int] = (25, 50)
    """Moves at tables where bots are alone, of those that a person, and an address, made (times `quota`)."""
    expiry_days: float = field(default_factory=lambda: float(os.environ.get("ZIGGURAT_EXPIRY", "14")))
    """Days after which a table that nobody begins is cleared away; 0: never. A game that was begun stays."""
    connections_per_address: int = field(default_factory=lambda: int(os.environ.get("ZIGGURAT_CONNECTIONS", "256")))
    """A household or a school may be behind one address; proxies are not counted."""
    request_seconds: float = 15.0
    """Within which a request has to arrive, from the first byte of the connection on."""
    send_seconds: float = 20.0
    """After which whoever does not read what they were sent is gone."""

    def among(self, workers: int) -> Settings:
        """Return the settings of one of several workers under one parent.

        Of what an address may do, and of who may look on, each lets in twice its part: all together at most twice as
        many as one worker alone, and nobody is refused because more of them came to one than to another.
        """

        def part(most: int) -> int:
            return most if workers <= 2 else math.ceil(most * 2 / workers)

        person, address = self.bot_moves_per_second
        return replace(
            self,
            requests_per_minute=part(self.requests_per_minute),
            connections_per_address=part(self.connections_per_address),
            strangers_per_address=part(self.strangers_per_address),
            onlookers_per_table=part(self.onlookers_per_table),
            newcomers_per_hour=part(self.newcomers_per_hour),
            bot_moves_per_second=(part(person), part(address)),
        )

    @property
    def url(self) -> str:
        """The database URL with the driver that we use for it."""
        if self.database_url is None:
            return f"sqlite:///{self.data / 'ziggurat.db'}"
        return f"postgresql+asyncpg://{self.database_url.partition('://')[2]}"

    @property
    def sqlite(self) -> bool:
        """Whether the database is the SQLite file."""
        return self.database_url is None

"""Egress: requests to addresses given by strangers, never into the operator's own network (SSRF), and never with a long
wait."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import h11
from cachetools import TTLCache

from ziggurat.server.problems import Problem

REQUEST_SECONDS = 10.0
"""Seconds within which an address is found, reached and answers."""
ANSWER_BYTES = 16 * 1024
"""Bytes of an answer that are read."""
URL_CHARACTERS = 1000
"""Characters of an address."""
ADDRESS_SECONDS = 300.0
"""Seconds for which it is known which address a name has."""
MOST_NAMES_KNOWN = 1000
LOOKUPS_AT_ONCE = 16
"""Names that are looked up at once."""
SCHEME_PORTS = {"https": 443, "http": 80}
ALLOWED_PORTS = (80, 443, 8080, 8443)
"""Ports on which pages are served: behind others are mail, databases, printers, and strangers do not use us to speak
to them."""
_URL = re.compile(r"[!-~]+")
_NAME = re.compile(r"(?!-)[a-z0-9._-]{1,253}")
# Addresses that are not of the internet at large, or that lead to a neighbour: IANA's registries of special purposes,
# and what is anycast there, whatever a version of Python knows of them.
_SPECIAL_IPV4 = [
    ipaddress.IPv4Network(net)
    for net in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # in no registry: by it machines of a large cloud speak to their host
    )
]
# Of what lies in 2000::/3; nothing else of IPv6 is given to anybody.
_SPECIAL_IPV6 = [ipaddress.IPv6Network(net) for net in ("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20")]
_GLOBAL_IPV6 = ipaddress.IPv6Network("2000::/3")
# Addresses of IPv6 that lead to one of IPv4: the last bits of those (RFC 4291, 6052), bits in the middle (RFC 3056), or
# the last bits where others are before them (RFC 5214).
_IPV4_IN_LAST_BITS = [ipaddress.IPv6Network(net) for net in ("::ffff:0:0/96", "64:ff9b::/96")]
_IPV4_IN_MIDDLE_BITS = ipaddress.IPv6Network("2002::/16")
_BITS_BEFORE_IPV4 = (0x0000_5EFE, 0x0200_5EFE)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], list[str]]


class Destination(NamedTuple):
    """The parts of a URL; no name has been resolved yet."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """The origin of the URL, as browsers write it."""
        scheme = "https" if self.secure else "http"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}" + ("" if self.port == SCHEME_PORTS[scheme] else f":{self.port}")


class EgressResponse(NamedTuple):
    """A server's response; status 0: none that could be understood, or not in time."""

    status: int
    retry_after: float = 0.0


class Unreachable(Exception):
    """A URL that may not be, or cannot be, reached."""


def target(url: str, *, secure: bool = False) -> Destination:
    """Parse a URL, or refuse it. `secure`: only https."""
    schemes = ["https"] if secure else ["https", "http"]
    says = f"An address is a URL that begins with {' or '.join(f'{one}://' for one in schemes)}, without a name in it."
    refusal = Problem(400, "bad_address", says)
    if len(url) > URL_CHARACTERS or not _URL.fullmatch(url):
        raise refusal
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower().rstrip("."), parts.port
    except ValueError:
        raise refusal from None
    if parts.scheme not in schemes or parts.username is not None or parts.password is not None or port == 0:
        raise refusal
    if not (_NAME.fullmatch(host) or _as_address(host)):
        raise refusal
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(parts.scheme == "https", host, port or SCHEME_PORTS[parts.scheme], path)


def _as_address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_outside(text: str) -> bool:
    """Whether an IP address is global, and not of this machine."""
    address = _as_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in net for net in _SPECIAL_IPV4) and not _is_ours(address)
    if address is None:
        return False
    inner = _inner(address)
    if inner is not None and not is_outside(str(inner)):
        return False
    if any(address in net for net in _IPV4_IN_LAST_BITS):
        return True
    return address in _GLOBAL_IPV6 and not any(address in net for net in _SPECIAL_IPV6) and not _is_ours(address)


def _inner(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that is embedded in an IPv6 address, if there is one."""
    bits = int(address)
    if address in _IPV4_IN_MIDDLE_BITS:
        return ipaddress.IPv4Address(bits >> 80 & 0xFFFF_FFFF)
    if any(address in net for net in _IPV4_IN_LAST_BITS) or bits >> 32 & 0xFFFF_FFFF in _BITS_BEFORE_IPV4:
        return ipaddress.IPv4Address(bits & 0xFFFF_FFFF)
    return None


def _is_ours(address: Address) -> bool:
    """Whether an IP address is this machine's: what would be sent there would be sent from there."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((str(address), 9))  # which sends nothing
            return bool(probe.getsockname()[0] == str(address))
        except OSError:
            return False


def _resolve(host: str, port: int) -> list[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


class Egress:
    """A client that posts to servers of strangers.

    A name is looked up once, and what is found is both looked at and connected to: a name whose address changes leads
    nowhere else. Nobody is followed who says that something is elsewhere.
    """

    def __init__(self, private: bool = False, resolve: Resolve = _resolve, tls: ssl.SSLContext | None = None) -> None:
        """`private`: addresses inside the operator's network are allowed. `tls`: the certificates to trust."""
        self.private = private
        self._resolve = resolve
        self._tls = tls
        self._found: TTLCache[tuple[str, int], str] = TTLCache(MOST_NAMES_KNOWN, ADDRESS_SECONDS)
        self._threads: ThreadPoolExecutor | None = None

    def close(self) -> None:
        """Resolve no more names."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    async def find(self, host: str, port: int) -> str:
        """Resolve a name to an IP address.

        Raises:
            Unreachable: when it has none, or any of them lies in the host's own network.
        """
        if (known := self._found.get((host, port))) is not None:
            return known
        if self._threads is None:
            self._threads = ThreadPoolExecutor(LOOKUPS_AT_ONCE, thread_name_prefix="names")
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._threads, self._resolve, host, port)
        except (OSError, UnicodeError) as error:
            raise Unreachable from error
        if not found or not (self.private or all(map(is_outside, found))):
            raise Unreachable
        self._found[host, port] = found[0]
        return found[0]

    def takes(self, port: int) -> bool:
        """Whether requests to a port are allowed."""
        return self.private or port in ALLOWED_PORTS

    async def check(self, where: Destination) -> None:
        """Refuse a URL to which nothing could be sent."""
        if not self.takes(where.port):
            ports = f"{', '.join(map(str, ALLOWED_PORTS[:-1]))} and {ALLOWED_PORTS[-1]}"
            says = f"Nothing is sent to port {where.port}; the ports are {ports}."
            raise Problem(400, "bad_port", says, port=where.port, ports=[*ALLOWED_PORTS])
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                await self.find(where.host, where.port)
        except (Unreachable, TimeoutError):
            says = f"{where.host[:100]} is not known, or lies inside the host's own network; name one of the internet."
            raise Problem(400, "private_address", says, host=where.host[:100]) from None

    async def post(self, where: Destination, headers: Mapping[str, str], body: bytes) -> EgressResponse:
        """Post a body; return the response, and never raise."""
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                return await self._post(where, headers, body)
        except (Unreachable, TimeoutError, OSError, ssl.SSLError, h11.ProtocolError, EOFError):
            return EgressResponse(0)

    async def _post(self, where: Destination, headers: Mapping[str, str], body: bytes) -> EgressResponse:
        if not self.takes(where.port):
            raise Unreachable  # it was set before ports were looked at
        address = await self.find(where.host, where.port)
        if where.secure and self._tls is None:
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        secured: dict[str, Any] = {"ssl": self._tls, "server_hostname": where.host} if where.secure else {}
        reader, writer = await asyncio.open_connection(address, where.port, limit=ANSWER_BYTES, **secured)
        try:
            speaker = h11.Connection(h11.CLIENT, max_incomplete_event_size=ANSWER_BYTES)
            usual = {"host": where.origin.partition("://")[2], "content-length": str(len(body)), "connection": "close"}
            asked = h11.Request(method="POST", target=where.path, headers=[*(usual | dict(headers)).items()])
            for part in (asked, h11.Data(body), h11.EndOfMessage()):
                writer.write(speaker.send(part) or b"")
            await writer.drain()
            while True:
                event = speaker.next_event()
                if event is h11.NEED_DATA:
                    speaker.receive_data(await reader.read(4096))
                elif isinstance(event, h11.Response):
                    return EgressResponse(event.status_code, _retry_after(event))
                elif not isinstance(event, h11.InformationalResponse):
                    return EgressResponse(0)
        finally:
            writer.transport.abort()  # what else it says is not read


def _retry_after(response: h11.Response) -> float:
    said = next((value for name, value in response.headers if name == b"retry-after"), b"")
    return min(float(said), 24 * 3600.0) if re.fullmatch(rb"\d{1,9}", said) else 0.0

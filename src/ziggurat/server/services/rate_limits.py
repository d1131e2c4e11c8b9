"""Rate limits for visitors: all addresses that one visitor may have count as one."""

from __future__ import annotations

import asyncio
import ipaddress
import threading
import time
import types
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from ziggurat.server.problems import rate_limited
from ziggurat.server.settings import Settings

MOST_CLIENTS_REMEMBERED = 100_000
SIGN_INS_PER_10_MINUTES = 60
JOINS_PER_10_MINUTES = 200
NEW_CHANNELS_PER_HOUR, LETTERS_PER_DAY = 40, 3
LINES_PER_HOUR, REPORTS_PER_HOUR = 2000, 60
INVITES_PER_HOUR = 60
AT_ONCE_SECONDS = 0.5
"""Seconds whose share an address may use at once."""
MOST_DEBT_SECONDS = 10.0
"""Seconds for which a client waits at most, whatever was counted: one that waits longer believes that we are broken,
and a school comes from one address. Nobody gets more out of it: what an address has under way at the same time, two
milliseconds on each of 256 connections, is paid off in three seconds; what computes longer is done one after the other,
and nothing of that is counted with the two seconds of the processor that make ten."""

Rate = Literal["newcomers", "sign_ins", "joins", "invites", "ways", "reports"]
"""Allowances of an address that an endpoint declares (`api.endpoints`)."""
REFUSALS: dict[Rate, tuple[str, str]] = {
    "newcomers": ("too_many_newcomers", "Too many new visitors from your address; try again in {minutes} minutes."),
    "sign_ins": ("too_many_tries", "Too many tries to sign in; try again in {seconds} seconds."),
    "joins": ("too_many_joins", "Too many seats were taken from your address; try again in {seconds} seconds."),
    "invites": ("too_many_invites", "That were many invitations; try again in {minutes} minutes."),
    "ways": ("too_many_ways_tried", "That is too often; try again in {minutes} minutes."),
    "reports": ("too_many_reports", "Very much was reported from your address; try again in {minutes} minutes."),
}
"""How who has nothing left of an allowance is refused: the code, and the words."""

P = ParamSpec("P")
T = TypeVar("T")


@lru_cache(maxsize=10_000)
def client_network(host: str) -> str:
    """Return the network that counts as one address: of IPv6 the 64-bit prefix, which is what one visitor is given."""
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False))


class TokenBucket:
    """A token bucket for each key: so many tokens in so many seconds; all may be used at once, and they come back
    evenly.

    It keeps only when a key will have everything back, for at most `MOST_CLIENTS_REMEMBERED` keys; a forgotten key
    starts full.
    """

    def __init__(self, much: float, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: a monotonic clock."""
        self.each = seconds / much
        self.seconds = max(seconds, self.each)  # one at least may be used at once
        self.clock = clock
        self._whole: OrderedDict[str, float] = OrderedDict()

    def use(self, key: str, much: float = 1.0) -> float:
        """Take tokens of a key; return 0, or after how many seconds there will be enough (none is taken)."""
        now = self.clock()
        whole = max(now, self._whole.get(key, now)) + much * self.each
        if whole > now + self.seconds:
            return whole - now - self.seconds
        self._note(key, whole, now)
        return 0.0

    def give_back(self, key: str, much: float = 1.0) -> None:
        """Refund tokens that were taken for something that was not done after all."""
        if key in self._whole:
            self._whole[key] -= much * self.each

    def spend(self, key: str, much: float) -> float:
        """Take tokens of a key even where there are not enough; return after how many seconds nothing is owed: at most
        `MOST_DEBT_SECONDS`, for what would be more is let off."""
        now = self.clock()
        whole = max(now, self._whole.get(key, now)) + much * self.each
        whole = min(whole, now + self.seconds + MOST_DEBT_SECONDS)
        self._note(key, whole, now)
        return max(0.0, whole - now - self.seconds)

    def _note(self, key: str, whole: float, now: float) -> None:
        self._whole[key] = whole
        self._whole.move_to_end(key)
        while self._whole and (len(self._whole) > MOST_CLIENTS_REMEMBERED or next(iter(self._whole.values())) <= now):
            self._whole.popitem(last=False)


@types.coroutine
def _stepwise(work: Awaitable[T], took: list[float]) -> Generator[Any, Any, T]:
    """Await some work, and measure its processor time here: not what others do while it waits."""
    steps = work.__await__()
    go_on: Callable[[], Any] = partial(next, steps)
    while True:
        begun = time.thread_time()
        try:
            awaited = go_on()
        except StopIteration as ended:
            result: T = ended.value
            return result
        finally:
            took.append(time.thread_time() - begun)
        try:
            go_on = partial(steps.send, (yield awaited))
        except BaseException as trouble:
            go_on = partial(steps.throw, trouble)


class LoopShare:
    """One address's share of the event loop: its jobs run one at a time, in their order, for so much of the loop's
    time. A client that sends a thousand waits for them alone.

    Enter it around what computes, without waiting for anything meanwhile; others go on after each thing. For work in a
    thread or the database hold only the `line`.
    """

    def __init__(self, address: str, time: TokenBucket | None) -> None:
        """`time`: the bucket of milliseconds, for every address; None: without a bound."""
        self.address = address
        self._time = time
        self.line = asyncio.Lock()
        self._begun = 0.0

    async def __aenter__(self) -> None:
        if self._time is None:
            return
        await self.line.acquire()
        try:
            await self.spend(0.0)
        except BaseException:
            self.line.release()
            raise
        self._begun = time.thread_time()

    async def __aexit__(self, *_: object) -> None:
        if self._time is not None:
            self.used(time.thread_time() - self._begun)
            # Not at once: who waits for it would go on before everybody else.
            asyncio.get_running_loop().call_soon(self.line.release)

    def used(self, seconds: float) -> None:
        """Charge milliseconds to the share."""
        if self._time is not None:
            self._time.spend(self.address, 1000 * seconds)

    async def counted(
        self, run: Callable[[Callable[P, T]], Awaitable[T]], job: Callable[P, T], times: float = 1.0
    ) -> T:
        """Run a job in a thread or in the database, and charge its processor time: neither what it waits for nor what
        others compute meanwhile.

        Args:
            run: `asyncio.to_thread`, or what a database does with jobs.
            times: how often the time counts that the job takes outside the event loop.
        """
        if self._time is None:
            return await run(job)
        loop, here, took = asyncio.get_running_loop(), threading.get_ident(), list[float]()

        def timed(*given: P.args, **named: P.kwargs) -> T:
            if threading.get_ident() == here:  # a step of ours
                return job(*given, **named)
            begun = time.thread_time()
            try:
                return job(*given, **named)
            finally:
                seconds = time.thread_time() - begun
                with suppress(RuntimeError):  # nobody is there any more
                    loop.call_soon_threadsafe(self.used, times * seconds)  # also where nobody waits for it by now

        try:
            return await _stepwise(run(timed), took)
        finally:
            self.used(sum(took))

    async def spend(self, seconds: float) -> None:
        """Charge milliseconds, and wait until nothing is owed."""
        if self._time is not None and (wait := self._time.spend(self.address, 1000 * seconds)):
            await asyncio.sleep(wait)


class ClientKey(NamedTuple):
    """The key of fair scheduling: every address gets as much, and every person of an address."""

    address: str
    person: str


class RateLimits:
    """The rate limits of addresses, and the address from which each person came last. Kept in memory alone."""

    def __init__(self, settings: Settings) -> None:
        self.newcomers = TokenBucket(settings.quota * settings.newcomers_per_hour, 3600)
        """Of an address: who is to be remembered."""
        self.sign_ins = TokenBucket(settings.quota * SIGN_INS_PER_10_MINUTES, 600)
        """Of an address: attempts to come back."""
        self.joins = TokenBucket(settings.quota * JOINS_PER_10_MINUTES, 600)
        """Of an address: seats that are taken. A table lets in so many while it waits for people, and no more."""
        self.invites = TokenBucket(settings.quota * INVITES_PER_HOUR, 3600)
        """Of an address: people who are invited by name."""
        self.ways = TokenBucket(settings.quota * NEW_CHANNELS_PER_HOUR, 3600)
        """Of an address: ways by which to be told news, and trials of them."""
        self.letters = TokenBucket(settings.quota * LETTERS_PER_DAY, 24 * 3600)
        """To an e-mail address of which nobody has said that it is theirs."""
        self.talk = TokenBucket(settings.quota * LINES_PER_HOUR, 3600)
        """Of an address: lines that are said, at whatever table."""
        self.reports = TokenBucket(settings.quota * REPORTS_PER_HOUR, 3600)
        """Of an address: lines that are reported."""
        self._addresses: LRUCache[str, str] = LRUCache(MOST_CLIENTS_REMEMBERED)
        bounded = settings.share < 1
        self._time = TokenBucket(1000 * settings.share * AT_ONCE_SECONDS, AT_ONCE_SECONDS) if bounded else None
        self._shares: WeakValueDictionary[str, LoopShare] = WeakValueDictionary()

    def must(self, rate: Rate, address: str, much: float = 1.0) -> None:
        """Take tokens of an address, or refuse (Problem)."""
        bucket: TokenBucket = getattr(self, rate)
        rate_limited(bucket.use(address, much), *REFUSALS[rate])

    def note_client(self, person: str, address: str) -> ClientKey:
        """Remember the address from which a person came last; return their key."""
        self._addresses[person] = address
        return ClientKey(address, person)

    def client(self, person: str) -> ClientKey:
        """Return the key for what a person has started."""
        return ClientKey(self._addresses.get(person, ""), person)

    def share(self, address: str) -> LoopShare:
        """Return an address's share of the event loop."""
        found = self._shares.get(address)
        if found is None:
            found = self._shares[address] = LoopShare(address, self._time)
        return found

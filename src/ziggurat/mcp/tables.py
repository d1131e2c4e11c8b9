"""The games of clients of the Model Context Protocol: who may speak for which seat, and what each is told."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping, Sequence
from functools import partial

import anyio
import anyio.to_thread

import ziggurat
from ziggurat.bots import SEARCHING, Bot, GreedyBot, decide
from ziggurat.bots.entrants import visitor_entrant
from ziggurat.core.errors import NotYourTurn, ZigguratError
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.core.trace import Event

MOST_GAMES = 64
"""Games at once, over or not; for one more the one that was left alone longest goes, if that was for
``IDLE_SECONDS``."""
IDLE_SECONDS = 600.0
"""Seconds."""
_SECRET = re.compile(r"[0-9a-f]{8}-[\w-]{12,16}", re.ASCII)
"""A key or an invitation: which run of a server gave it, and what nobody guesses."""


class NotToBeHad(ZigguratError):
    """The refusal of something unavailable; the sentence says what would be available."""

    code = "refused"


class McpTable:
    """A game: clients speak for some seats, bots for the others."""

    def __init__(self, position: Position, bots: Mapping[int, Bot], free: Sequence[int], invite: str) -> None:
        """``free``: seats that other clients may take, by ``invite``."""
        self.position = position
        self.bots = dict(bots)
        self.free = list(free)
        self.invite = invite
        self.used = time.monotonic()
        self.rng = ziggurat.generator()
        self._told: dict[int, int] = {}
        self._lock = anyio.Lock()
        self._changed = anyio.Event()

    @property
    def waits_for_people(self) -> bool:
        """Whether a seat is still free: then nobody moves."""
        return bool(self.free)

    async def act(self, seat: int, action: int | str) -> None:
        """Play a step of a move, or a whole move in notation, and let the bots play.

        Raises:
            IllegalAction: when the rules do not allow it; nothing has changed then.
        """
        async with self._lock:
            if self.waits_for_people:
                raise NotYourTurn("the game begins when every free seat is taken")
            position = self.position
            if isinstance(action, str):
                if seat not in position.actors:
                    raise NotYourTurn(_waits(position, seat), seat=seat)
                position.play_all(seat, position.read_move(action, seat))
            else:
                position.play(seat, action)
            await self._go_on()
        self._tell()

    async def begin(self) -> None:
        """Let the bots play, unless a person is waited for."""
        async with self._lock:
            await self._go_on()
        self._tell()

    async def catch_up(self) -> None:
        """Let the bots play if nobody does: the client who had them play may have gone while they thought."""
        if not self._lock.locked():
            await self.begin()

    async def give_up(self, seat: int) -> None:
        """Replace a client by a bot, which plays its seat to the end."""
        self.bots[seat] = GreedyBot()
        await self.begin()

    async def _go_on(self) -> None:
        position = self.position
        while position.actors and not self.waits_for_people:
            for seat in position.actors:
                forced = position.forced(seat)
                if forced is not None:
                    position.play(seat, forced)
                    break
                if seat in self.bots:
                    steps = await anyio.to_thread.run_sync(decide, position, seat, self.bots[seat], self.rng)
                    position.play_all(seat, steps)
                    break
            else:
                return

    async def wait(self, seat: int, seconds: float) -> None:
        """Wait until a seat has to decide or the game is over, but no longer than some seconds."""
        with anyio.move_on_after(seconds):
            while not self.position.finished and (self.waits_for_people or seat not in self.position.actors):
                await self._changed.wait()

    def news(self, seat: int) -> list[Event]:
        """Return the events since a seat was last told, as far as it may read them."""
        mark = self._told.get(seat, 0)
        self._told[seat] = self.position.rows_written
        return self.position.events_for(seat, mark)

    def _tell(self) -> None:
        self.used = time.monotonic()
        self._changed.set()
        self._changed = anyio.Event()


class McpTables:
    """The games of a server, in its memory: they end with it.

    A key is a secret that speaks for one seat, or for the several of one client.
    """

    def __init__(self, most: int = MOST_GAMES) -> None:
        self.most = most
        self._run = secrets.token_hex(4)
        self._by_key: dict[str, tuple[McpTable, tuple[int, ...]]] = {}
        self._open: dict[str, McpTable] = {}

    async def begin(
        self,
        game: str,
        players: int,
        seats: Sequence[int],
        free: Sequence[int],
        opponents: str | Sequence[str],
        options: Mapping[str, str],
        seed: int | str | None,
    ) -> tuple[str, McpTable]:
        """Begin a game for a client; return its key.

        Args:
            seats: for which the client speaks.
            free: that wait for other clients; ``McpTable.invite`` leads to them.
            seed: only where nobody else can come: another game with the same one has the same cards.
            opponents: bots of the seats that are left: one for all, or one for each.

        Raises:
            UnknownGame, BadOption, BadSeed, UnknownBot, NotToBeHad.
        """
        chosen = ziggurat.game(game)
        complete = chosen.check_setup(players, options)
        taken = [*seats, *free]
        if not seats or len({*taken}) != len(taken) or not {*taken} <= {*range(players)}:
            raise NotToBeHad(f"seats are different numbers from 0 to {players - 1}, and one of them at least is yours")
        if free and seed is not None:
            raise NotToBeHad("whoever knows the seed knows all hands: a game with free seats is dealt without one")
        others = [seat for seat in range(players) if seat not in taken]
        texts = [opponents] * len(others) if isinstance(opponents, str) else list(opponents)
        if len(texts) != len(others):
            raise NotToBeHad(f"bots play the seats {others}: name one for all, or {len(others)}, not {len(texts)}")
        bots = {seat: visitor_entrant(text, chosen).bot() for seat, text in zip(others, texts, strict=True)}
        self._make_room()
        await anyio.to_thread.run_sync(prepare, chosen)
        if any(not bot.ready for bot in bots.values()):
            await anyio.to_thread.run_sync(partial(prepare, chosen, program=SEARCHING))
        table = McpTable(ziggurat.new(game, players=players, seed=seed, options=complete), bots, free, self._secret(9))
        self._make_room()  # others may have begun meanwhile
        if free:
            self._open[table.invite] = table
        key = self._key(table, tuple(seats))
        await table.begin()
        return key, table

    async def join(self, invite: str) -> tuple[str, McpTable, int]:
        """Take the first free seat; return its key.

        Raises:
            NotToBeHad: when nothing is free there.
        """
        table = self._open.get(invite)
        if table is None:
            raise NotToBeHad(
                self._lost(invite) or "no seat is free by this invitation; another game begins with `begin`"
            )
        seat = table.free.pop(0)
        if not table.free:
            del self._open[invite]
        key = self._key(table, (seat,))
        await table.begin()
        return key, table, seat

    def seat(self, key: str, seat: int | None) -> tuple[McpTable, int]:
        """Return the table of a key, and a seat of it: the only one, or the first that must decide.

        Raises:
            NotToBeHad: for a key that there is not, and for somebody else's seat.
        """
        table, own = self._by_key.get(key, (None, ()))
        if table is None:
            known = "there is no such key; `begin` and `join` give one, and a game left alone may be gone"
            raise NotToBeHad(self._lost(key) or known)
        if seat is None:
            asked = [one for one in own if one in table.position.actors]
            return table, (asked or own)[0]
        if seat not in own:
            raise NotToBeHad(f"this key speaks for {_seats(own)}, not for seat {seat}")
        return table, seat

    async def leave(self, key: str) -> None:
        """Give the seats of a key up: bots play on, and the key is revoked.

        Raises:
            NotToBeHad: for a key that there is not.
        """
        self.seat(key, None)
        table, own = self._by_key.pop(key)
        if all(other is not table for other, _ in self._by_key.values()):
            self._open.pop(table.invite, None)
            return  # nobody is there any more
        for seat in own:
            await table.give_up(seat)

    def _key(self, table: McpTable, seats: tuple[int, ...]) -> str:
        key = self._secret(12)
        self._by_key[key] = table, seats
        return key

    def _secret(self, size: int) -> str:
        return f"{self._run}-{secrets.token_urlsafe(size)}"

    def _lost(self, secret: str) -> str | None:
        """Return the explanation for a key or an invitation from an earlier run of a server, if it is one."""
        if not _SECRET.fullmatch(secret) or secret.startswith(f"{self._run}-"):
            return None
        return "this server has started anew since it gave that, and its games ended with it; `begin` deals another"

    def _make_room(self) -> None:
        there = {id(table): table for table, _ in self._by_key.values()}
        if len(there) < self.most:
            return
        oldest = min(there.values(), key=lambda table: table.used)
        if time.monotonic() - oldest.used < IDLE_SECONDS:
            raise NotToBeHad(f"there are {self.most} games already: leave one with `leave`, or come again in a while")
        self._by_key = {key: one for key, one in self._by_key.items() if one[0] is not oldest}
        self._open.pop(oldest.invite, None)


def _waits(position: Position, seat: int) -> str:
    if position.finished:
        return "the game is over"
    return f"it is not the turn of seat {seat}; the game waits for {_seats(position.actors)}"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, seats))}"

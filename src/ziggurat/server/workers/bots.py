"""The bots at the tables: what each would do. `turns` plays it."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from ziggurat import Position
from ziggurat.bots import Bot, bot, decide
from ziggurat.server.problems import unexpected
from ziggurat.server.verbs.table import Table

# Searches share the cores by time and answer by the clock; fewer threads would make tables wait for each other.
THINKERS = 8
# Searches that are kept until the bot's next move, of at most 15 MB each.
REMEMBERED = 16


def think(position: Position, seat: int, bot: Bot) -> tuple[int, ...]:
    """Return the whole move that a bot chooses. Runs in a thread, on a position of its own."""
    return tuple(int(step) for step in decide(position, seat, bot, hurry=True))


def blunder(position: Position, seat: int) -> tuple[int, ...]:
    """Return any whole move, for a bot that is at a loss: its table wants to go on. Alters the position."""
    steps: list[int] = []
    while not steps or position.in_move:
        steps.append(secrets.choice(position.legal(seat)))
        position.play(seat, steps[-1])
    return tuple(steps)


class Bots:
    """Thinks for the bots of this worker."""

    def __init__(self) -> None:
        # Thinking must not hold up the event loop.
        self._threads = ThreadPoolExecutor(THINKERS, thread_name_prefix="bot")
        self._players: dict[tuple[str, int, str], Bot] = {}

    def close(self) -> None:
        """Let thoughts that have begun end unheard."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def decide(self, table: Table, seat: int) -> tuple[int, ...]:
        """Return the whole move of a bot; any, if it is at a loss."""
        position = table.position
        assert position is not None
        loop = asyncio.get_running_loop()
        try:
            player = self._player(table, seat)
            return await loop.run_in_executor(self._threads, think, position.copy(), seat, player)
        except Exception as error:
            unexpected(error)
            return await loop.run_in_executor(self._threads, blunder, position.copy(), seat)

    def _player(self, table: Table, seat: int) -> Bot:
        """The bot of a seat, with what it remembers of its last search."""
        assert table.position is not None
        name = table.seats[seat].bot or ""
        key = (table.id, seat, name)
        player = self._players.pop(key, None) or bot(name, table.position.game)
        self._players[key] = player  # the latest last
        if len(self._players) > REMEMBERED:
            del self._players[next(iter(self._players))]
        return player

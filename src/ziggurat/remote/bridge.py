"""A bridge from a bot to the tables of a server: a level of ours, or any program of docs/agents.md."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Any

import ziggurat
from ziggurat.bots import SEARCHING, GreedyBot, decide
from ziggurat.bots.belief import Bot
from ziggurat.bots.entrants import entrant
from ziggurat.bots.outside import USUAL_LIMITS, Limits
from ziggurat.core.errors import BotFailed, IllegalAction, ZigguratError
from ziggurat.core.position import Position
from ziggurat.core.runtime import PLAYING, prepare
from ziggurat.remote.client import Json, ServerAway, ServerRefused, TableServer, TokenRefused, read_link

MOST_GAMES = 8
"""Games at once."""
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 1.0, 30.0
"""Seconds before a server that is away is tried again: at first, and at most."""
MOST_REFUSALS = 3
"""How often in a row a move that was chosen may be refused before the heuristic makes one."""


class _Stopped(Exception):
    """Raised when the bridge is being closed."""


class Bridge:
    """A bridge: it plays at all tables where the person of its token sits or is invited, until it is closed."""

    def __init__(
        self,
        server: TableServer,
        bot: str,
        *,
        seconds: float = 5.0,
        most: int = MOST_GAMES,
        invitations: bool = True,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Make a bridge, which does nothing yet.

        Args:
            bot: as `ziggurat tournament` names it.
            seconds: for a decision of a program; after them the heuristic decides.
            most: games at once; others wait.
            invitations: whether it sits down where a seat is kept for its person.
            say: is told what happens.
        """
        self.server = server
        self.bot = bot
        self.limits = Limits(start=USUAL_LIMITS.start, decision=seconds, wary=True, kept=2 * most)
        self.most = most
        self.invitations = invitations
        self.say = say
        self.failure: TokenRefused | None = None
        self._games: dict[str, threading.Thread] = {}
        self._waiting: dict[str, None] = {}
        self._declined: set[str] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def join(self, link: str, name: str) -> None:
        """Sit down by the link of a table, or by its id where a seat is kept. Raises ServerRefused, ServerAway."""
        self.server.join(read_link(link), name)

    @property
    def closed(self) -> bool:
        """Whether the bridge is closed."""
        return self._closed.is_set()

    def close(self) -> None:
        """Stop; games go on without us, and the next bridge takes them up."""
        self._closed.set()

    def run(self) -> None:
        """Play until closed, however often the server goes and comes back.

        Raises:
            TokenRefused: when the token does not hold any more.
        """
        self._again(self._follow)
        if self.failure is not None:
            raise self.failure

    def _again(self, follow: Callable[[], bool]) -> None:
        """Follow a stream to its last line; where it breaks off before, reconnect with backoff."""
        wait = FIRST_WAIT_SECONDS
        while not self._closed.is_set():
            heard = False
            try:
                if follow():
                    return
                heard = True
            except TokenRefused as refused:
                self.failure = self.failure or refused
                self._closed.set()
                return
            except (ServerAway, ServerRefused) as error:
                if isinstance(error, ServerRefused) and 400 <= error.status < 500 and error.retry is None:
                    self.say(error.detail)
                    return
                self.say(f"{error.detail}; trying again")
            wait = FIRST_WAIT_SECONDS if heard else min(LONGEST_WAIT_SECONDS, 2 * wait)
            self._closed.wait(wait)

    def _follow(self) -> bool:
        for news in self.server.lines("/api/stream"):
            if self._closed.is_set():
                return True
            if news.get("type") == "table":
                self._on_table(_of(news, "table"))
            self._begin_waiting()
        return False

    def _on_table(self, table: Json) -> None:
        id, status = str(table.get("id", "")), table.get("status")
        kept = any(seat.get("kept") == "you" for seat in _all(table, "seats"))
        if kept and self.invitations and status == "waiting" and id not in self._declined:
            if _of(table, "policy").get("programs") is not True:
                self._declined.add(id)
                self.say(f"table {id}: programs may not sit down there")
                return
            try:
                self.server.accept(id)
                self.say(f"table {id}: sat down")
            except ServerRefused as refused:
                if isinstance(refused, TokenRefused):
                    raise
                self._declined.add(id)
                self.say(f"table {id}: {refused.detail}")
        if status == "playing" and isinstance(table.get("you"), int):
            self._waiting[id] = None
        else:
            self._waiting.pop(id, None)

    def _begin_waiting(self) -> None:
        self._games = {id: thread for id, thread in self._games.items() if thread.is_alive()}
        for id in list(self._waiting):
            if id in self._games:
                del self._waiting[id]
            elif len(self._games) < self.most:
                del self._waiting[id]
                thread = threading.Thread(target=self._play, args=[id], name=f"table {id}", daemon=True)
                self._games[id] = thread
                thread.start()

    def _play(self, id: str) -> None:
        """Play a game to its end. An error here ends this game alone."""
        try:
            self._again(_Game(self, id).follow)
        except _Stopped:
            pass
        except Exception as error:
            self.say(f"table {id}: given up, {type(error).__name__}: {str(error)[:200]}")

    def make(self, game: str) -> Bot:
        """Return the bot, for one seat of one game. Raises UnknownBot, BadBudget.

        For a program the rules run interpreted: what a server sends is looked at by Python, not by compiled code.
        """
        chosen = entrant(self.bot, ziggurat.game(game), self.limits)
        if not chosen.outside:
            prepare(chosen.game, program=SEARCHING if chosen.searches else PLAYING)
        return chosen.bot()


class _Game:
    """One seat of one game, played by the bridge."""

    def __init__(self, bridge: Bridge, id: str) -> None:
        self.bridge = bridge
        self.server = bridge.server
        self.id = id
        self.rng = ziggurat.generator()
        self._bot: Bot | None = None
        self._refused = 0
        self._answered: set[str] = set()

    def follow(self) -> bool:
        """Play on; return whether the game is over."""
        for state in self.server.lines(self.server.table(self.id, "stream")):
            if self.bridge.closed:
                raise _Stopped
            if state.get("type") != "update":
                continue
            table = _of(state, "table")
            if table.get("status") != "playing":
                self._end(table)
                return True
            self._agree(state, table)
            decision = _of(state, "decision")
            if decision.get("legal") and decision.get("forced") is not True:
                self._move()
        return False

    def _move(self) -> None:
        believed = self.server.believed(self.id)
        position, seat = believed.position, believed.seat
        if seat not in position.actors:
            return  # it was too late already: the next state says what is asked
        steps = self._chosen(position, seat)
        wish = {"seq": believed.seq, "steps": steps, "id": f"bridge-{secrets.token_hex(12)}"}
        try:
            self.server.ask("POST", self.server.table(self.id, "moves"), wish)
            self._refused = 0
        except TokenRefused:
            raise
        except ServerRefused as refused:
            if refused.status >= 500 or refused.retry is not None:
                raise
            if refused.reason not in ("stale", "not_your_turn", "game_over", "paused"):
                self._refused += 1
                self.bridge.say(f"table {self.id}: {refused.detail}")

    def _chosen(self, position: Position, seat: int) -> list[int]:
        if self._refused < MOST_REFUSALS:
            try:
                if self._bot is None:
                    self._bot = self.bridge.make(position.game.id)
                return decide(position, seat, self._bot, self.rng)
            except (BotFailed, IllegalAction) as error:
                self.bridge.say(f"table {self.id}: the bot {error.detail}; the heuristic moves for it")
        self._refused = 0
        return decide(position, seat, GreedyBot(), self.rng)

    def _agree(self, state: Json, table: Json) -> None:
        """Agree to what people request: to undo, to pause, to end."""
        undo, vote, you = state.get("undo"), table.get("vote"), table.get("you")
        commands: list[tuple[str, Json]] = []
        if isinstance(undo, dict) and undo.get("ask") is True:
            commands.append(("undo", {"type": "undo_answer", "agree": True}))
        if isinstance(vote, dict) and you in (vote.get("asked") or ()):
            commands.append(("vote", {"type": "vote", "agree": True}))
        for _, said in commands:
            try:
                body = {**said, "id": f"bridge-{secrets.token_hex(12)}"}
                self.server.ask("POST", self.server.table(self.id, "commands"), body)
            except TokenRefused:
                raise
            except ServerRefused as refused:
                self.bridge.say(f"table {self.id}: {refused.detail}")

    def _end(self, table: Json) -> None:
        self.bridge.say(f"table {self.id}: the game is over")
        scores, winners, you = table.get("scores"), table.get("winners"), table.get("you")
        end: Callable[[int, Sequence[Any], Sequence[int]], None] | None = getattr(self._bot, "end", None)
        if end is not None and isinstance(scores, list) and isinstance(winners, list) and isinstance(you, int):
            end(you, scores, winners)


def _of(message: Json, field: str) -> Json:
    found = message.get(field)
    return found if isinstance(found, dict) else {}


def _all(message: Json, field: str) -> list[Json]:
    found = message.get(field)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def checked(bot: str) -> None:
    """Refuse a text that names no bot of any game. Raises UnknownBot, BadBudget."""
    failures: list[ZigguratError] = []
    games = list(ziggurat.registered_games().values())
    for game in games:
        try:
            entrant(bot, game)
        except ZigguratError as error:
            failures.append(error)
    if len(failures) == len(games):
        raise failures[0]

"""Bots in any language: programs that answer requests in JSON lines. docs/agents.md has the protocol.

A program receives what its seat may know, from a :class:`Belief`, and nothing else.
"""

from __future__ import annotations

import atexit
import shlex
import shutil
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from ziggurat.bots.belief import Belief, Bot
from ziggurat.bots.channel import BotProcess, LineChannel, Socket, shown
from ziggurat.bots.simple import draw
from ziggurat.core.actions import Choice
from ziggurat.core.errors import BotFailed, UnknownBot
from ziggurat.core.features import Feature
from ziggurat.core.versions import versions

PROTOCOL_VERSION = 1
MOST_STALE_ANSWERS = 1000
"""Answers to older questions that are passed over."""
SEED_BOUND = 1 << 30
LEGAL_SEPARATOR = "; legal are: "
"""What separates a reason from what was possible in that position."""


@dataclass(frozen=True)
class Limits:
    """The limits of a bot from outside: times, and what it may send.

    Attributes:
        start: seconds until it has answered to the hello; its program is started within them.
        decision: seconds for a decision.
        tries: how often in a row it may be waited for in vain; then it is left alone for ``rest`` seconds.
        wary: to be left alone as well when it ends or answers nonsense so often in a row.
        kept: programs and connections that are kept open at once.
    """

    start: float = 30.0
    decision: float = 10.0
    tries: int = 3
    rest: float = 600.0
    wary: bool = False
    kept: int = 64


USUAL_LIMITS = Limits()


class Patience:
    """The count of a bot's failures in a row, so that nobody waits for it for ever."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._failed = 0
        self._until = 0.0
        self._last = ""

    def check(self) -> None:
        """Raise BotFailed while the bot has a break after its failures."""
        if self._failed >= self._limits.tries and time.monotonic() < self._until:
            often = f"{self._limits.tries} times in a row"
            raise BotFailed(f"is not asked for a while, having failed {often}: it {self._last}", "resting")

    def failed(self, error: BotFailed) -> None:
        if self._limits.wary or error.kind in ("late", "start"):
            self._failed += 1
            self._last = error.detail
            self._until = time.monotonic() + self._limits.rest

    def answered(self) -> None:
        self._failed = 0


_patiences: dict[Any, Patience] = {}


def patience(text: str, game: str, limits: Limits) -> Patience:
    """Return the patience with a bot in one game, the same for every number of players and all options."""
    return _patiences.setdefault((text, game, limits), Patience(limits))


class BotHello(msgspec.Struct, tag="hello"):
    """The first line of the protocol: the game that is played."""

    protocol: int
    game: str
    players: int
    options: dict[str, str]
    actions: int
    seconds: float
    versions: dict[str, str]
    columns: Sequence[Feature]


Want = Literal["view", "choices", "observation"]


class Wants(msgspec.Struct):
    """The bot's answer to it: what every request shall hold in addition to the numbers of the legal actions."""

    want: tuple[Want, ...] = ("view", "choices")


class BotRequest(msgspec.Struct, tag="decision"):
    """A request for a decision."""

    id: int
    match: int
    seat: int
    seed: int
    legal: Sequence[int]
    choices: list[Choice] | UnsetType = UNSET
    observation: list[int] | UnsetType = UNSET
    view: Any = UNSET


CostName = Annotated[str, msgspec.Meta(min_length=1, max_length=20, pattern="^[a-z_]+$")]
CostAmount = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
MOST_COSTS = 8
"""Kinds of cost that are added up."""


class BotReply(msgspec.Struct):
    """The reply to a request.

    Attributes:
        cost: what it took, if the bot wants to tell: tokens, seconds of another machine, money.
    """

    id: int
    action: int | str
    cost: dict[CostName, CostAmount] = {}


class End(msgspec.Struct, tag="end"):
    """The end of a game; no reply is awaited."""

    match: int
    seat: int
    scores: list[int | None]
    winners: list[int]


class Client:
    """A client of a program or a socket, for one game with one number of players and one set of options.

    It is started with the first question, and again with the first one after it has failed.
    """

    def __init__(self, text: str, belief: Belief, limits: Limits) -> None:
        self.text = text
        self.limits = limits
        self.patience = patience(text, belief.game.id, limits)
        self.matches = 0
        self.costs: dict[str, float] = {}
        game = belief.game
        known = versions(game, belief.components)
        self._hello = BotHello(
            PROTOCOL_VERSION,
            game.id,
            belief.players,
            dict(belief.options),
            game.actions,
            limits.decision,
            known,
            game.features(belief.players),
        )
        self._channel: LineChannel | None = None
        self._want: tuple[Want, ...] = ()
        self._asked = 0
        self._lock = threading.Lock()

    def ask(self, belief: Belief, legal: Sequence[int], seed: int, match: int) -> int:
        """Return the program's reply to a request.

        Raises:
            BotFailed: nothing.
        """
        with self._lock:
            self.patience.check()
            try:
                channel = self._open()
                action = self._ask(channel, belief, legal, seed, match)
            except BotFailed as error:
                self._close()
                self.patience.failed(error)
                raise
            self.patience.answered()
            return action

    def end(self, match: int, seat: int, scores: Sequence[int | None], winners: Sequence[int]) -> None:
        """Send the end of a game, if the program is still there."""
        with self._lock:
            if self._channel is not None:
                self._channel.send(_line(End(match, seat, list(scores), list(winners))))

    def hang_up(self) -> None:
        """Close the sending side, so that the program can end."""
        if self._channel is not None:
            self._channel.hang_up()

    def close(self, grace: float = 0.0) -> None:
        with self._lock:
            self._close(grace)

    def _close(self, grace: float = 0.0) -> None:
        if self._channel is not None:
            self._channel.close(grace)
            self._channel = None

    def _open(self) -> LineChannel:
        if self._channel is not None:
            return self._channel
        seconds = self.limits.start
        deadline = time.monotonic() + seconds
        channel = self._channel = connected(self.text, seconds)
        channel.send(_line(self._hello))
        line = channel.receive(deadline, f"did not answer to the hello within {seconds:g} s")
        self._want = _read(line, Wants, "the hello").want
        return channel

    def _ask(self, channel: LineChannel, belief: Belief, legal: Sequence[int], seed: int, match: int) -> int:
        self._asked += 1
        legal = belief.game.listed(list(legal))
        asked = BotRequest(self._asked, match, belief.seat, seed, legal)
        if "choices" in self._want:
            asked.choices = [belief.choice(action) for action in legal]
        if "observation" in self._want:
            asked.observation = belief.observation.tolist()
        if "view" in self._want:
            asked.view = belief.view
        deadline = time.monotonic() + self.limits.decision
        channel.send(_line(asked))
        for _ in range(MOST_STALE_ANSWERS):
            line = channel.receive(deadline, f"said nothing for {self.limits.decision:g} s")
            answer = _read(line, BotReply, "a decision")
            if answer.id == asked.id:
                add_costs(self.costs, answer.cost)
                return chosen(answer.action, legal, belief)
            if answer.id > asked.id:
                raise BotFailed(f"answered question {answer.id}, which nobody has asked it", "nonsense")
        raise BotFailed(f"sent {MOST_STALE_ANSWERS} answers to older questions", "nonsense")


def add_costs(costs: dict[str, float], more: Mapping[str, float]) -> None:
    """Add up the costs of decisions, of a few kinds."""
    for name, amount in more.items():
        if name in costs or len(costs) < MOST_COSTS:
            costs[name] = costs.get(name, 0.0) + amount


def _line(message: msgspec.Struct) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def _read(line: bytes, kind: type[Any], what: str) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        why = str(error).rstrip(".")
        raise BotFailed(
            f"sent {shown(line)}, which is no answer to {what}: {why}; what is not an answer goes to standard error",
            "nonsense",
        ) from None


def chosen(action: Any, legal: Sequence[int], belief: Belief) -> int:
    """Return the legal action that a number or a notation names.

    Raises:
        BotFailed: when it names none.
    """
    if isinstance(action, str):
        wanted = " ".join(action.split())
        for number in legal:
            if belief.choice(number).notation == wanted:
                return number
    else:
        try:
            if index(action) in legal:
                return index(action)
        except TypeError:
            pass
    possible = ", ".join(f"{number} ({belief.choice(number).notation})" for number in legal[:6])
    more = ", ..." if len(legal) > 6 else ""
    raise BotFailed(f"answered {repr(action)[:60]}, which is not legal{LEGAL_SEPARATOR}{possible}{more}", "illegal")


class ExternalBot(Bot):
    """A program or a socket as a bot, for one seat of one game; ``costs`` is what it reports of its decisions.

    Programs are kept, to be asked about other seats and games: `end_programs` ends them, and so does the end of this
    process.

    Args:
        text: ``cmd:python my_bot.py`` or ``tcp:127.0.0.1:9000``.
    """

    def __init__(self, text: str, limits: Limits = USUAL_LIMITS) -> None:
        self.text = text
        self.limits = limits
        self.costs: dict[str, float] = {}
        self._client: Client | None = None
        self._match = 0

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        """See `Bot.choose`.

        Raises:
            BotFailed: when it does not.
        """
        client = _kept(self.text, belief, self.limits)
        if client is not self._client:
            client.matches += 1
            self._client, self._match = client, client.matches
        client.costs = self.costs  # one process plays many seats
        return client.ask(belief, legal, draw(rng, SEED_BOUND), self._match)

    def end(self, seat: int, scores: Sequence[int | None], winners: Sequence[int]) -> None:
        """Send the end of the game; a score of None is that of a seat that has failed."""
        if self._client is not None:
            self._client.end(self._match, seat, scores, winners)


_clients: OrderedDict[Any, Client] = OrderedDict()
_keeping = threading.Lock()


def _kept(text: str, belief: Belief, limits: Limits) -> Client:
    key = (text, belief.game.id, belief.players, tuple(belief.options.items()), belief.components.digest, limits)
    with _keeping:
        client = _clients.pop(key, None) or Client(text, belief, limits)
        _clients[key] = client
        oldest = _clients.popitem(last=False)[1] if len(_clients) > limits.kept else None
    if oldest is not None:
        oldest.close()
    return client


@atexit.register
def end_programs(grace: float = 1.0) -> None:
    """End all programs and connections; programs get ``grace`` seconds, and are killed then."""
    for client in _clients.values():
        client.hang_up()
    _patiences.clear()
    deadline = time.monotonic() + grace
    while _clients:
        _clients.popitem()[1].close(max(0.0, deadline - time.monotonic()))


def connected(text: str, seconds: float) -> LineChannel:
    """Return the channel to the program or the socket that a text names, started or connected.

    Raises:
        BotFailed: when that is not possible.
    """
    if text.startswith("cmd:"):
        return BotProcess(shlex.split(text.partition(":")[2]))
    host, port = address(text)
    return Socket(host, port, seconds)


def address(text: str) -> tuple[str, int]:
    """Return host and port of ``tcp:127.0.0.1:9000`` or ``tcp:[::1]:9000``.

    Raises:
        UnknownBot: when it is no such text.
    """
    host, _, port = text.partition(":")[2].rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise UnknownBot(f"a bot at a socket is tcp:HOST:PORT, such as tcp:127.0.0.1:9000, not {text!r}", bot=text)
    return host.removeprefix("[").removesuffix("]"), int(port)


def arguments(text: str) -> list[str]:
    """Return the arguments of ``cmd:python my_bot.py``, by which the program is started without a shell.

    Raises:
        UnknownBot: when there are none, or no such program.
    """
    try:
        words = shlex.split(text.partition(":")[2])
    except ValueError as error:
        raise UnknownBot(f"a quotation mark is missing in {text!r} ({error})", bot=text) from None
    if not words:
        raise UnknownBot("a program is named as cmd:PROGRAM ARGUMENTS, such as cmd:python my_bot.py", bot=text)
    if shutil.which(words[0]) is None:
        raise UnknownBot(f"there is no program {words[0]!r} to be started for {text!r}", bot=text)
    return words

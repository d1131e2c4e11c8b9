"""A search process: questions on its input, answers on its output, one after the other.

python -m ziggurat.server.services.search_process      is started by `search_pool`, and ends with its input

Both are lines of JSON; the first byte of an answer says whether it is one.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any

import msgspec
from cachetools import LRUCache

import ziggurat
from ziggurat import Event, Game, Position, Replay
from ziggurat.bots import SEARCHING, Advice, Bot, Budget, Judgement, SearchBot, advise, analyse, bot, decide, timeless
from ziggurat.bots.entrants import entrant
from ziggurat.bots.outside import Limits, patience
from ziggurat.bots.reasons import YOUR_MOVE, PairedRollouts, reasons
from ziggurat.core.errors import BadBudget, BotFailed, ComponentsError, ReplayError, UnknownBot
from ziggurat.core.runtime import is_compiled, prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import Phrase

# Searches that are kept until the bot's next move, of at most 15 MB each.
SEARCHES_KEPT = 8
# What a house bot may take, for people wait for it.
TABLE_LIMITS = Limits(start=20.0, decision=5.0, wary=True, kept=4)
# How an answer begins.
ANSWER_MARK, FAILURE_MARK = b"+", b"-"


class SentPosition(msgspec.Struct, array_like=True):
    """A position as it is sent to a search process."""

    game: str
    players: int
    options: dict[str, str]
    components: str | None
    state: bytes
    history: list[tuple[int, int, bool]]

    @classmethod
    def of(cls, position: Position) -> SentPosition:
        """Return a position serialised for another process."""
        game, players, options = position.game.id, position.players, dict(position.options)
        return cls(game, players, options, position.components.own_text, position.to_bytes(), position.history)

    def position(self, *, load: bool = True) -> Position:
        """Return the position, with the rules and the search of its game loaded."""
        game = loaded(self.game) if load else ziggurat.game(self.game)
        components = game.components_of(self.components)
        return Position.from_bytes(
            game, self.state, players=self.players, options=self.options, components=components, history=self.history
        )


class Choose(msgspec.Struct, array_like=True, tag=1):
    """The request for a bot's move. `key`: the bot whose search tree it reuses. `share`: of the seconds of its level.

    `chance`: what its chance follows from; then it remembers nothing and looks at no clock. `text`: what makes it, if
    it is a house bot.
    """

    moment: SentPosition
    seat: int
    bot: str
    key: str
    share: float = 1.0
    chance: bytes = b""
    text: str = ""


class Advise(msgspec.Struct, array_like=True, tag=2):
    """The request for advice in a position."""

    moment: SentPosition
    seat: int
    iterations: int
    seconds: float
    share: float = 1.0


class Judge(msgspec.Struct, array_like=True, tag=3):
    """The request to judge a move."""

    moment: SentPosition
    seat: int
    steps: list[int]
    iterations: int
    seed: bytes
    share: float = 1.0
    """Without meaning: a judgement is the same every time."""


class Preload(msgspec.Struct, array_like=True, tag=4):
    """The request to load a game, about which there will be questions soon. The answer is empty."""

    game: str
    share: float = 1.0


class ReadFile(msgspec.Struct, array_like=True, tag=5):
    """The request to parse a components file."""

    game: str
    text: str
    share: float = 1.0
    """Without meaning."""


class Compare(msgspec.Struct, array_like=True, tag=6):
    """The request for the reasons why a move is better than the one that was made."""

    moment: SentPosition
    seat: int
    best: list[int]
    made: list[int]
    pairs: int
    seed: bytes
    share: float = 1.0
    """Without meaning: a comparison is the same every time."""


class ReadReplay(msgspec.Struct, array_like=True, tag=7):
    """The request to read a replay file."""

    text: str
    share: float = 1.0
    """Without meaning."""


class ComponentsRead(msgspec.Struct, array_like=True, tag=1):
    """The parsed components: the values are the game's own struct."""

    values: msgspec.Raw
    digest: str
    is_default: bool


class ComponentsRefused(msgspec.Struct, array_like=True, tag=2):
    """The errors of a components file: all of a `ComponentsError`."""

    detail: str
    line: int | None
    context: dict[str, Any]


class ReplayMoment(msgspec.Struct):
    """A moment of a replayed game, with the fields of a finished table's."""

    seq: int
    seat: int | None
    notation: str
    events: list[Event]
    view: Any


class ReplayHead(msgspec.Struct, tag="read"):
    """The head of a replay: the game as a whole. `actors`: the seats that decide at its end, if it is not over."""

    game: str
    options: dict[str, str]
    components: str | None
    laid: bool
    players: int
    names: list[str]
    scores: list[int] | None
    winners: list[int] | None
    actors: list[int]


class ReplayRead(ReplayHead, tag="read"):
    """A replay, moment by moment."""

    frames: list[ReplayMoment]


class ReplayRefused(msgspec.Struct, tag="refused"):
    """The error of a replay file: the sentence, and the line."""

    detail: str
    line: int | None


class BotFailure(msgspec.Struct, tag=True):
    """The failure of a house bot to answer: why. What is `secret` may tell of its hand."""

    why: str
    secret: bool = False


Question = Choose | Advise | Judge | Preload | ReadFile | Compare | ReadReplay
Answer = (
    list[int]
    | BotFailure
    | Advice
    | Judgement
    | ComponentsRead
    | ComponentsRefused
    | ReplayRead
    | ReplayRefused
    | list[Phrase]
)
MOST_REPLAY_MOVES = 3000
"""Of a replay that is read; no game of ours has a third of them."""


def loaded(id: str) -> Game:
    """Return a game with its rules and its search loaded."""
    game = ziggurat.game(id)
    prepare(game)
    prepare(game, program=SEARCHING)
    return game


def read_components(game: Game, text: str) -> ComponentsRead | ComponentsRefused:
    """Parse a components file."""
    try:
        found = game.load_components(text)
    except ComponentsError as error:
        return ComponentsRefused(
            error.bare, error.line, {name: fact for name, fact in error.context.items() if name != "line"}
        )
    return ComponentsRead(msgspec.Raw(msgspec.json.encode(found.values)), found.digest, found.is_default)


def read_replay(text: str) -> ReplayRead | ReplayRefused:
    """Play a replay file, and check what it says of its end.

    A file can bring a position of its own. Rules that run interpreted look whether an index is one; nothing else of the
    file is believed, so that is how it is played.
    """
    try:
        replay = Replay.parse(text)
        if len(replay.moves) > MOST_REPLAY_MOVES:
            return ReplayRefused(f"the file has {len(replay.moves)} moves; at most {MOST_REPLAY_MOVES} are read", None)
        positions = replay.positions()
        replay.check_end(positions[-1])
        frames = [
            ReplayMoment(
                number,
                move.seat if move else None,
                move.text if move else "",
                position.events_since(before.rows_written if before else 0),
                position.view_all(),
            )
            for number, (move, before, position) in enumerate(
                zip((None, *replay.moves), (None, *positions), positions, strict=False), start=1
            )
        ]
    except ReplayError as error:
        return ReplayRefused(error.bare, error.line)
    except (ArithmeticError, LookupError, RecursionError, ValueError):
        return ReplayRefused("this file begins with a position from which the game cannot go on", None)
    last = positions[-1]
    return ReplayRead(
        replay.game.id,
        dict(last.options),
        None if replay.components.is_default else replay.components.digest,
        replay.scenario is not None,
        replay.players,
        replay.names,
        last.scores if last.finished else None,
        last.winners if last.finished else None,
        list(last.actors),
        frames,
    )


def answer(question: Question, players: MutableMapping[str, Bot]) -> Answer:
    """Answer a question; `players` are the bots that are kept for their next move."""
    if isinstance(question, ReadFile):
        return read_components(ziggurat.game(question.game), question.text)
    if isinstance(question, ReadReplay):
        return read_replay(question.text)
    if isinstance(question, Preload):
        loaded(question.game)
        return []
    if isinstance(question, Choose) and question.text:
        return choose_house_bot(question, players)
    position = question.moment.position()
    if isinstance(question, Advise):
        budget = Budget(question.iterations, question.seconds).share(question.share)
        return advise(position, question.seat, budget, generator())
    if isinstance(question, Judge):
        rng = generator(question.seed)
        judgement = analyse(position, question.seat, question.steps, question.iterations, rng).judgement
        assert judgement is not None
        return judgement
    if isinstance(question, Compare):
        pairs = PairedRollouts(position, question.seat, generator(question.seed))
        return reasons(pairs.play(question.best, question.made, question.pairs), YOUR_MOVE)
    if question.chance:
        return decide(position, question.seat, timeless(question.bot, position.game), generator(question.chance))
    player = players.pop(question.key, None) or bot(question.bot, position.game)
    if not isinstance(player, SearchBot):  # it has nothing to go on with
        return decide(position, question.seat, player)
    players[question.key] = player
    usual = player.budget
    player.budget = usual.share(question.share)
    try:
        return decide(position, question.seat, player)
    finally:
        player.budget = usual


def choose_house_bot(question: Choose, players: MutableMapping[str, Bot]) -> list[int] | BotFailure:
    """Ask a house bot for its move. It needs no search, and does not wait for rules to be compiled."""
    game = ziggurat.game(question.moment.game)
    if is_compiled(game):
        prepare(game)
    position = question.moment.position(load=False)
    key = f"{question.key} {question.text}"
    try:
        player = players.pop(key, None) or _house_bot(question.text, game)
        players[key] = player
        return decide(position, question.seat, player)
    except (BotFailed, UnknownBot, BadBudget) as error:
        return BotFailure(error.detail, getattr(error, "kind", "") == "illegal")


def _house_bot(text: str, game: Game) -> Bot:
    """Create a house bot for one seat; the number of timeouts is bounded over all tables."""
    return replace(entrant(text, game, TABLE_LIMITS), patience=patience(text, game.id, TABLE_LIMITS)).bot()


def main() -> None:
    """Answer questions until the input ends."""
    if hasattr(os, "nice"):
        os.nice(10)
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not talk into our answers
    decoder = msgspec.json.Decoder(Question)
    players: LRUCache[str, Bot] = LRUCache(SEARCHES_KEPT)
    for line in sys.stdin.buffer:
        try:
            said = ANSWER_MARK + msgspec.json.encode(answer(decoder.decode(line), players))
        except Exception as error:
            # Only the kind and the places are sent: the message may tell a hand.
            places = "".join(traceback.format_tb(error.__traceback__))
            said = FAILURE_MARK + msgspec.json.encode(f"{type(error).__name__}\n{places}")
        try:
            target.write(said + b"\n")
            target.flush()
        except BrokenPipeError:  # the server was killed; at a usual end Python would complain that nobody reads
            os._exit(1)


if __name__ == "__main__":
    main()

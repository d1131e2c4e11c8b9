"""A game of a client: what it may begin, what each of its seats is told, and what an answer leads to.

Nothing here needs OpenEnv; :mod:`ziggurat.rl.openenv.environment` says it in OpenEnv's words.

**Rewards** come at the end. ``returns`` add up to zero over all seats: (players * share of the win - 1) / (players -
1), so 1 for a sole winner, as in all our environments; ``share`` is the share of the win, from 0 to 1. Whoever gives
``MOST_REFUSALS`` answers in a row that are refused has lost: -1, or 0 as a share.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import uuid4

import numpy as np

import ziggurat
from ziggurat.bots import BOTS, SEARCHING, Bot, Budget, GreedyBot, SearchBot, decide
from ziggurat.bots.entrants import VISITOR_ITERATIONS, visitor_entrant
from ziggurat.core.board import board_of
from ziggurat.core.errors import BadOption, IllegalAction, NotYourTurn, ZigguratError
from ziggurat.core.in_words import action_texts, observation_text, seat_names
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import parse_seed
from ziggurat.core.text import catalogue, rules_text
from ziggurat.rl.openenv.arguments import REWARDS, BadArgument, checked

MOST_GAMES = 64
"""Games at once of one server."""
MOST_SECONDS = 20.0
"""In which the bots answer a call, together; then they play by the heuristic, which takes no time."""
MOST_REFUSALS = 8
"""Answers in a row that are refused; the last of them loses the game."""
MOST_EVENTS = 60
"""Events that are told at once, at most: the last ones."""
PAGE_CHARACTERS = 6_000
"""Characters of the rules on one page."""
LOST = {"returns": -1.0, "share": 0.0}
"""The reward of whoever gave too many wrong answers."""
BEGIN = (
    "game",
    "players",
    "seats",
    "opponents",
    "options",
    "seed",
    "episode_id",
    "language",
    "rewards",
    "rules",
)
"""What a game is begun with, all of it optional."""
ACT = ("action", "seat")
BESIDE = ("metadata",)
"""In an action of OpenEnv, of anybody's own."""


class NoGameYet(ZigguratError):
    """Something was asked of a session in which no game was begun, or none can be."""

    code = "no_game"


class HouseFull(ZigguratError):
    """There are as many games as a server holds."""

    code = "house_full"


@dataclass(frozen=True)
class LegalChoice:
    """A legal action: its number, its notation and what it is in words."""

    action: int
    notation: str
    words: str


@dataclass(frozen=True)
class SeatTold:
    """All that a client is told after a call, as one of its seats."""

    game: str
    players: int
    seat: int
    text: str
    """What the seat sees, and what it is asked, in words; at most 2,000 characters."""
    news: list[str] = field(default_factory=list)
    """What has happened since the seat was last told."""
    asked: bool = False
    """Whether it must decide now."""
    waits_for: list[int] = field(default_factory=list)
    """All seats that must decide now: several where a game has them decide at the same time."""
    legal: list[LegalChoice] = field(default_factory=list)
    error: str | None = None
    """Why the last answer was refused, and what would be right; nothing has changed then."""
    tries_left: int = MOST_REFUSALS
    """Answers that may still be refused before the game is lost."""
    rules: str | None = None
    """The rules of the game, if they were asked for when it was begun."""
    scores: list[int] | None = None
    """Points of all seats, when the game is over."""
    winners: list[int] = field(default_factory=list)
    returns: list[float] | None = None
    """Of all seats, when the game is over: zero-sum."""
    reward: float | None = None
    """Of this seat, for the last answer."""
    done: bool = False

    @cached_property
    def prompt(self) -> str:
        """All of this as one text, for a language model."""
        said = [self.error] if self.error else []
        said += [*self.news, "", self.text] if self.news else [self.text]
        if self.legal:
            said += ["", *(f"[{one.notation}] {one.words}" for one in self.legal)]
        if self.scores is not None:
            said += ["", f"The game is over: {self.scores}."]
        return "\n".join(said)


@dataclass(frozen=True)
class SessionFacts:
    """What is known about a session whoever looks: nothing that a seat is not shown."""

    episode_id: str | None
    step_count: int
    game: str | None = None
    players: int = 0
    seats: list[int] = field(default_factory=list)
    opponents: dict[str, str] = field(default_factory=dict)
    """The bots, by the number of their seat."""
    options: dict[str, str] = field(default_factory=dict)
    language: str = "en"
    rewards: str = "returns"
    waits_for: list[int] = field(default_factory=list)
    done: bool = False
    scores: list[int] | None = None


@dataclass
class _Play:
    """A game that was begun."""

    position: Position[Any]
    seats: tuple[int, ...]
    bots: dict[int, Bot]
    names: dict[int, str]
    options: Mapping[str, str]
    language: str
    rewards: str
    chance: np.ndarray
    by_trainer: bool
    told: dict[int, int] = field(default_factory=dict)
    """How many rows of events each seat has been told."""
    refusals: int = 0
    lost: bool = False

    @property
    def over(self) -> bool:
        return self.lost or self.position.finished


class GameHouse:
    """What the sessions of one server share: how many games there may be, how long a call may take, and what a game is
    begun with when nothing is said.

    Raises:
        BadArgument, UnknownGame: for usual arguments with which no game could begin.
    """

    def __init__(
        self, usual: Mapping[str, Any] | None = None, *, most: int = MOST_GAMES, seconds: float = MOST_SECONDS
    ) -> None:
        self.usual = checked("a game", usual or {}, BEGIN)
        if "game" in self.usual:
            ziggurat.game(self.usual["game"])
        self.most, self.seconds = most, seconds
        self._games = 0
        self._lock = threading.Lock()

    def enter(self) -> None:
        """Take a place for a game.

        Raises:
            HouseFull.
        """
        with self._lock:
            if self._games >= self.most:
                raise HouseFull(f"all {self.most} places for games are taken: end one, or come again in a while")
            self._games += 1

    def leave(self) -> None:
        """Give the place of a game back."""
        with self._lock:
            self._games -= 1


class Session:
    """One client's session: a game after the other, never two at once."""

    def __init__(self, house: GameHouse) -> None:
        self._house = house
        self._lock = threading.RLock()
        self._play: _Play | None = None
        self._closed = False
        self._place: weakref.finalize[[], Session] | None = None
        self._episode: str | None = None
        self._steps = 0

    def begin(self, given: Any, *, by_trainer: bool = True) -> SeatTold:
        """Begin a game, in place of the one before.

        Args:
            given: arguments of ``BEGIN`` by name. ``seats`` are the client's, by default 0; bots play the others:
                ``opponents`` names one for all, or a list in the order of the seats. A ``seed`` deals the same cards
                each time, which betrays nothing: nobody else sits at this game.
            by_trainer: whether this is not the agent that plays; a game so begun cannot be put aside by the agent.

        Raises:
            BadArgument, UnknownGame, BadOption, UnknownBot, HouseFull: one sentence; the game before goes on.
        """
        said = checked("a game", given, BEGIN)
        with self._lock:
            if not by_trainer and self._play is not None and self._play.by_trainer and not self._play.over:
                raise NoGameYet("a game is being played that was begun for you; play it to its end with `act`")
            if self._closed:
                raise NoGameYet("this session has ended; open another")
            usual = self._house.usual
            if said.get("game", usual.get("game")) != usual.get("game"):
                usual = {name: usual[name] for name in ("language", "rewards", "rules") if name in usual}
            made = self._made({**usual, **said}, by_trainer)
            if self._place is None:
                self._house.enter()
                # Given back too where the server drops a session without closing it.
                self._place = weakref.finalize(self, self._house.leave)
            self._play = made
            self._episode, self._steps = said.get("episode_id") or str(uuid4()), 0
            self._bots_play(made, self._house.seconds)
            text = rules_text(made.position.game.id, made.language) if {**usual, **said}.get("rules") else None
            return self._told(made, self._asked(made), rules=text)

    def act(self, given: Any, *, timeout: float | None = None) -> SeatTold:
        """Play an action of a seat, and let the bots play until one of the client's seats must decide.

        Args:
            given: ``action``, the number of a legal action or a move in notation; ``seat``, by default the first of
                the client's that must decide.
            timeout: seconds for the bots' answers, if less than usual.

        Raises:
            NoGameYet: when no game was begun. What the rules refuse is told, not raised.
        """
        with self._lock:
            play = self._now()
            self._steps += 1
            seat = self._asked(play)
            if play.over:
                return self._told(play, seat, error="the game is over; another one begins with `reset`", reward=0.0)
            seconds = self._house.seconds if timeout is None else min(self._house.seconds, max(timeout, 0.0))
            position = play.position
            try:
                said = checked("a step", given, ACT, needed=("action",), beside=BESIDE)
                seat = self._own(play, said.get("seat"))
                if seat not in position.actors:
                    raise NotYourTurn(f"seat {seat} owes no decision; the game waits for {_seats(position.actors)}")
                position.play_all(seat, _actions(position, seat, said["action"]))
            except (BadArgument, BadOption, IllegalAction) as error:
                return self._refused(play, seat, error.detail)
            play.refusals = 0
            self._bots_play(play, seconds)
            asked = self._asked(play)
            if not position.finished:
                return self._told(play, asked, reward=0.0)
            return self._told(play, seat, reward=_reward(play, seat))

    def observe(self, given: Any) -> SeatTold:
        """What a seat of the client's sees now, by default the first that must decide.

        Raises:
            NoGameYet, BadArgument, BadOption.
        """
        said = checked("observe", given, ("seat",))
        with self._lock:
            play = self._now()
            return self._told(play, self._own(play, said.get("seat")))

    def about(self, given: Any) -> list[dict[str, Any]]:
        """What pieces are and do, by their names in notation, and what they are worth to a seat of the client's now.

        Raises:
            NoGameYet, BadArgument, BadOption, UnknownPiece.
        """
        said = checked("about", given, ("pieces", "seat"), needed=("pieces",))
        with self._lock:
            play = self._now()
            seat, position = self._own(play, said.get("seat")), play.position
            say = catalogue(play.language, position.game)
            name = seat_names(say, position)
            return [
                {
                    "piece": one.piece,
                    "name": say.say(one.name, name),
                    "what": [say.say(phrase, name) for phrase in one.what],
                    "worth": [say.say(phrase, name) for phrase in one.worth],
                }
                for one in position.about(seat, said["pieces"])
            ]

    @property
    def facts(self) -> SessionFacts:
        """What is known about this session whoever looks."""
        play = self._play
        if play is None:
            return SessionFacts(self._episode, self._steps)
        position = play.position
        return SessionFacts(
            self._episode,
            self._steps,
            position.game.id,
            position.players,
            [*play.seats],
            {str(seat): name for seat, name in play.names.items()},
            {**play.options},
            play.language,
            play.rewards,
            [] if play.lost else [*position.actors],
            play.over,
            position.scores if position.finished else None,
        )

    def close(self) -> None:
        """End the session; its game is lost."""
        with self._lock:
            self._play, self._closed = None, True
            if self._place is not None:
                self._place()
                self._place = None

    def _made(self, said: Mapping[str, Any], by_trainer: bool) -> _Play:
        game = ziggurat.game(said["game"]) if "game" in said else next(iter(ziggurat.registered_games().values()))
        players = said.get("players", max(2, game.min_players))
        options = game.check_setup(players, said.get("options", {}))
        seats = said.get("seats", [0])
        if len({*seats}) != len(seats) or not {*seats} <= {*range(players)}:
            raise BadOption(f"seats are different numbers from 0 to {players - 1}")
        others = [seat for seat in range(players) if seat not in seats]
        texts = said.get("opponents", "builder")
        texts = [texts] * len(others) if isinstance(texts, str) else texts
        if len(texts) != len(others):
            raise BadOption(f"bots play the seats {others}: name one for all, or {len(others)}, not {len(texts)}")
        seed = said.get("seed")
        specs = {seat: visitor_entrant(text, game) for seat, text in zip(others, texts, strict=True)}
        # What follows from a seed must not depend on how fast a machine is.
        bots = {seat: spec.bot() if seed is None else spec.timeless() for seat, spec in specs.items()}
        prepare(game)
        if any(not bot.ready for bot in bots.values()):
            prepare(game, program=SEARCHING)
        return _Play(
            ziggurat.new(game, players=players, seed=seed, options=options),
            tuple(seats),
            bots,
            {seat: spec.name for seat, spec in specs.items()},
            options,
            said.get("language", "en"),
            said.get("rewards", REWARDS[0]),
            ziggurat.generator(None if seed is None else parse_seed((1 << 128) + seed)),
            by_trainer,
        )

    def _now(self) -> _Play:
        if self._play is None:
            ended = "this session has ended; open another"
            none = "no game has begun: `reset` begins one, and a session of its own (/ws) is needed to go on with it"
            raise NoGameYet(ended if self._closed else none)
        return self._play

    def _own(self, play: _Play, seat: int | None) -> int:
        if seat is None:
            return self._asked(play)
        if seat not in play.seats:
            raise BadOption(f"this session plays {_seats(play.seats)}, not seat {seat}")
        return seat

    def _asked(self, play: _Play) -> int:
        """The first of the client's seats that must decide; the first of all when none must."""
        asked = [seat for seat in play.seats if seat in play.position.actors]
        return (asked or play.seats)[0]

    def _refused(self, play: _Play, seat: int, error: str) -> SeatTold:
        play.refusals += 1
        if play.refusals < MOST_REFUSALS:
            return self._told(play, seat, error=error, reward=0.0)
        play.lost = True
        said = f"{error.rstrip('.')}; that was refused answer {MOST_REFUSALS} in a row, so the game is lost"
        return self._told(play, seat, error=said, reward=LOST[play.rewards])

    def _bots_play(self, play: _Play, seconds: float) -> None:
        """Let the bots play until one of the client's seats must decide, or the game is over."""
        position, until = play.position, time.monotonic() + seconds
        while position.actors:
            for seat in position.actors:
                forced = position.forced(seat)
                if forced is not None:
                    position.play(seat, forced)
                    break
                if seat in play.bots:
                    left = until - time.monotonic()
                    steps = decide(position, seat, _within(play.bots[seat], left), play.chance)
                    position.play_all(seat, steps)
                    break
            else:
                return

    def _told(
        self,
        play: _Play,
        seat: int,
        *,
        error: str | None = None,
        reward: float | None = None,
        rules: str | None = None,
    ) -> SeatTold:
        position, over = play.position, play.over
        say = catalogue(play.language, position.game)
        name, unsaid = seat_names(say, position), board_of(position.game.id).unsaid
        events = position.events_for(seat, play.told.get(seat, 0))
        play.told[seat] = position.rows_written
        legal = [] if over else position.legal(seat)
        words = action_texts(position, seat, legal, play.language)
        return SeatTold(
            game=position.game.id,
            players=position.players,
            seat=seat,
            text=observation_text(position, seat, play.language),
            news=[say.event(event, name) for event in events if event.type not in unsaid][-MOST_EVENTS:],
            asked=bool(legal),
            waits_for=[] if over else [*position.actors],
            legal=[
                LegalChoice(action, position.write_step(action), said)
                for action, said in zip(legal, words, strict=True)
            ],
            error=error,
            tries_left=MOST_REFUSALS - play.refusals,
            rules=rules,
            scores=position.scores if position.finished else None,
            winners=position.winners,
            returns=position.returns() if position.finished else None,
            reward=reward,
            done=over,
        )


def rules_page(given: Any) -> dict[str, Any]:
    """A page of the rules of a game.

    Raises:
        BadArgument, UnknownGame, NoGameYet.
    """
    said = checked("rules", given, ("game", "page", "language"), needed=("game",))
    game, page = ziggurat.game(said["game"]).id, said.get("page", 1)
    text = rules_text(game, said.get("language", "en"))
    if text is None:
        raise NoGameYet(f"the rules of {game} are not written down here")
    pages = [""]
    for paragraph in text.split("\n\n"):
        if pages[-1] and len(pages[-1]) + len(paragraph) > PAGE_CHARACTERS:
            pages.append("")
        pages[-1] += f"{paragraph}\n\n"
    if page > len(pages):
        raise BadArgument(f"the rules of {game} have {len(pages)} pages, not {page}")
    return {"text": pages[page - 1].rstrip(), "page": page, "pages": len(pages)}


def games_there() -> dict[str, Any]:
    """The games that can be begun, with how many play and their options, the usual value first; and the bots."""
    return {
        "games": [
            {
                "id": game.id,
                "name": catalogue("en", game)("name"),
                "players": [game.min_players, game.max_players],
                "options": {
                    one.name: [one.default, *(value for value in one.choices if value != one.default)]
                    for one in game.options
                },
            }
            for game in ziggurat.registered_games().values()
        ],
        "bots": [*BOTS, f"search:N, N from 1 to {VISITOR_ITERATIONS}"],
    }


def prepare_all(games: Iterable[str] | None = None) -> None:
    """Compile the rules and the searches of games, by default all, so that no first call waits for it."""
    for name in ziggurat.registered_games() if games is None else games:
        prepare(ziggurat.game(name))
        prepare(ziggurat.game(name), program=SEARCHING)


def _actions(position: Position[Any], seat: int, action: int | str) -> list[int]:
    """The actions that an answer means; digits that are no notation are the number of an action."""
    if not isinstance(action, str):
        return [action]
    try:
        return position.read_move(action, seat)
    except IllegalAction:
        text = action.strip()
        if text.isascii() and text.isdecimal() and len(text) < 10:
            return [int(text)]
        raise


def _within(bot: Bot, seconds: float) -> Bot:
    """A bot that answers within some seconds: a search that stops then, or the heuristic."""
    if seconds <= 0:
        return GreedyBot()
    if isinstance(bot, SearchBot):
        own = bot.budget.seconds
        hurried = copy(bot)  # with the same tree
        hurried.budget = Budget(bot.budget.iterations, seconds if own is None else min(seconds, own))
        return hurried
    return bot


def _reward(play: _Play, seat: int) -> float:
    if play.rewards == "share":
        winners = play.position.winners
        return 1 / len(winners) if seat in winners else 0.0
    return play.position.returns()[seat]


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, seats))}"

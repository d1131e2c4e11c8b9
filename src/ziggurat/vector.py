"""Vectorised games: many of one kind at once, for training agents and for studying games by the million.

>>> from ziggurat import vector
>>> games = vector.make("alhambra", players=2, n=1000, seed=1)
>>> for _ in range(100):
...     games.step(games.sample())
>>> games.masks.shape
(1000, 30)

All games lie in one array of records. Compiled code plays, observes, masks and rewards them, on all cores and without
Python's lock; every array is made once and overwritten by each step.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import index
from typing import Any, Literal, NoReturn, TypeAlias
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

import ziggurat
from ziggurat.core import many
from ziggurat.core.errors import BadOption, IllegalAction, NotYourTurn, PositionError, UnknownBot
from ziggurat.core.features import one_hot_layout, one_hot_size
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.core.random import seed_words
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import parse_seed

Observations: TypeAlias = Literal["compact", "one_hot"]
Inside: TypeAlias = Literal["random", "greedy"]

BRAINS: dict[str, int] = {"random": many.RANDOM, "greedy": many.GREEDY}
REWARDS = {"win": many.WIN, "points": many.POINTS}
STREAM_BITS = 32
"""Each game has a part of the generators' stream for itself: 2 ** 32 blocks of 16 words."""
MOST_GAMES = 1 << 31
"""Games, and threads."""
LEAST_GAMES_PER_THREAD = 64
"""So many games at least are worth a thread of their own."""


class Vector:
    """``n`` games of one kind, stepped together. Made by :func:`make`, which says what can be chosen.

    Whatever is shown of a game is shown to one seat, the one in ``seats``: it is the lowest of those that must decide,
    or the one that ``observe`` was asked for. With ``seats="all"`` everything is shown for every seat; the axis of
    players comes after that of games.

    Attributes:
        game, players, n, options, components: what is played.
        features: the columns of the compact observations, see ``Game.features``.
        size: columns of ``observations``: of the form that was chosen.
        actions: how many numbers of actions there are; the columns of ``masks``.
        observations: (n, size), or (n, players, size) for all seats: int16 in the compact form, float32 in the one-hot
            form. What the seat may know, as ``Position.observe`` tells it, and nothing else.
        masks: (n, actions), or (n, players, actions), bool: what the seat may play; nothing, if it is not asked.
        seats: (n,) int8: who is asked; -1 when the game is over.
        actors: (n,) int16: bit masks of all seats that must decide.
        outside: (n, players) uint8: 1 for seats that are asked, 0 for those that the bots inside play.
        rewards: (n, players) float32: of the last step, see ``make``.
        ended: (n,) uint8: 1 if the last step ended a game.
        played: (n,) int8: the seat that was asked in the last step, -1 after a deal.
        scores, shares, lengths: of the game that ended last: points (n, players) int32, parts of the win (n, players)
            float32, decisions (n,) int32.
        states: (n,) records: the positions, hidden facts included, field by field (``states["score"]``). For
            studies: an agent that is trained on them looks at the cards of others.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        n: int,
        options: Mapping[str, str],
        components: Components,
        seed: int | str | bytes | None,
        observations: Observations | None,
        masks: bool,
        seats: Literal["actor", "all"],
        brains: Sequence[int],
        rotate: bool,
        rewards: Literal["win", "points"],
        autoreset: bool,
        threads: int,
    ) -> None:
        # What makes games like these, but for their deals.
        self._made: tuple[Any, ...] = (game, players, n, options, components, 0, observations)
        self._made += (masks, seats, brains, rotate, rewards, autoreset, threads)
        self.game, self.players, self.n = game, players, n
        self.options, self.components = options, components
        self.actions = game.actions
        self.features = tuple(game.features(players))
        self._layout = one_hot_layout(self.features)
        self.autoreset = autoreset
        self._wide = seats == "all"
        self._kernel = prepare(game, program=many.MANY).kernels["many"]

        rows = n * players if self._wide else n
        columns = {"compact": len(self.features), "one_hot": one_hot_size(self.features), None: 0}[observations]
        self.size = columns
        shape = (n, players) if self._wide else (n,)
        self._compact = np.zeros((rows, columns if observations == "compact" else 0), dtype=np.int16)
        self._expanded = np.zeros((rows, columns if observations == "one_hot" else 0), dtype=np.float32)
        self._masks = np.zeros((rows, game.actions if masks else 0), dtype=np.uint8)
        self._steps = np.full((n, players if self._wide else 1), -1, dtype=np.int64)
        self._asked = np.full((n, 1), -1, dtype=np.int64)
        self._rows = (
            self._compact,
            self._expanded,
            self._masks,
            self._layout.runs,
            self._layout.rest,
            self._layout.scales,
        )
        shown = self._expanded if observations == "one_hot" else self._compact
        self.observations = shown.reshape(*shape, columns)
        self.masks = self._masks.view(np.bool_).reshape(*shape, self._masks.shape[1])

        self._slots = np.zeros(n, dtype=many.slot(game.record))
        self.states = self._slots["state"]
        # The positions as bytes, since NumPy copies records field by field.
        first = self._slots.dtype.fields["state"][1]
        self._bytes = self._slots.view(np.uint8).reshape(n, -1)[:, first : first + game.record.itemsize]
        self.seats, self.actors = self._slots["seat"], self._slots["actors"]
        self.outside = self._slots["outside"][:, :players]
        self.rewards, self.ended = self._slots["rewards"][:, :players], self._slots["ended"]
        self.played, self.lengths = self._slots["played"], self._slots["length"]
        self.scores, self.shares = self._slots["scores"][:, :players], self._slots["shares"][:, :players]
        self._chairs(brains, rotate)

        threads = max(1, min(threads, n // LEAST_GAMES_PER_THREAD))
        self._parts = [(n * k // threads, n * (k + 1) // threads) for k in range(threads)]
        self._helms = [self._helm(masks, observations, rewards, rotate, autoreset) for _ in self._parts]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        if self._pool is not None:
            _THREADED.add(self)
        self.reset(seed)

    def __repr__(self) -> str:
        what = f"{self.n} of {self.game.id}, {self.players} players, {self.actions} actions"
        return f"<Vector: {what}, observations {self.observations.shape} {self.observations.dtype}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the vector: a copy, here or in another process, goes on where these games are, in arrays of its
        own."""
        return _again, (self._made, self._slots.tobytes())

    def _chairs(self, brains: Sequence[int], rotate: bool) -> None:
        for seat in range(self.players):
            # Slots begin at different chairs, so that the first games are as mixed as all later ones.
            shift = np.arange(self.n) % self.players if rotate else np.zeros(self.n, dtype=np.int64)
            self._slots["brains"][:, seat] = np.asarray(brains)[(seat - shift) % self.players]
        self.outside[:] = self._slots["brains"][:, : self.players] == many.OUTSIDE
        self._first_chairs = {name: self._slots[name].copy() for name in ("brains", "outside")}

    def _helm(self, masks: bool, observations: str | None, rewards: str, rotate: bool, autoreset: bool) -> np.ndarray:
        helm = np.zeros(1, dtype=many.helm(self.game.record))
        helm["template"] = self.game.template_states(self.components, self.players, self.options)
        helm["brain"]["weights"][0, : len(self.game.weight_values)] = self.game.weight_values
        helm["players"], helm["all_seats"] = self.players, self._wide
        helm["autoreset"], helm["rotate"], helm["reward"] = autoreset, rotate, REWARDS[rewards]
        helm["masks"] = masks
        helm["columns"], helm["places"] = self._compact.shape[1], self._expanded.shape[1]
        helm["numbers"], helm["categories"] = self._layout.numbers, self._layout.categories
        return helm

    # --- Playing ---

    def reset(self, seed: int | str | bytes | None = None, games: ArrayLike | None = None) -> None:
        """Begin new games.

        Args:
            seed: without it the next games are dealt from what the last seed gave. Game k of slot i, and who sits where
                in it, follows from the seed, i and k alone, whatever is played, however many slots there are.
            games: indices of those to replace; by default all.

        Raises:
            BadSeed, IndexError.
        """
        which = self._indices(games)
        if seed is not None or not self._slots["deals"]["used"][0]:
            self._seed(parse_seed(seed))
            for name, chairs in self._first_chairs.items():
                self._slots[name][which] = chairs[which]
        self._all(many.BEGIN, self._marked(which))

    def _seed(self, seed: bytes) -> None:
        for name in ("deals", "chance"):
            rngs = self._slots[name]
            rngs["key"] = seed_words(hashlib.sha256(seed + name.encode()).digest())
            rngs["counter"] = np.arange(self.n, dtype=np.int64) << STREAM_BITS
            rngs["block"], rngs["used"] = 0, 16

    def step(self, actions: ArrayLike) -> None:
        """Play an action in every game, and return the results.

        Args:
            actions: (n,) integers: of the seats in ``seats``; -1 for games that are over. For all seats (n, players),
                with -1 where a seat does not decide. They are played from the lowest seat on; a seat that has to wait
                for what a lower one has begun is asked again, and its action is not played.

        Raises:
            IllegalAction: naming the first game whose action is not legal, and why; nothing has changed then.
        """
        steps = self._steps
        if actions is not steps:
            given = np.asarray(actions)
            shape = self.actions_shape
            if given.shape != shape:
                raise IllegalAction(f"actions of these games have the shape {shape}, not {given.shape}")
            if _integers(given) is None:
                raise IllegalAction(f"actions are integers, not {given.dtype}")
            steps[:] = given.reshape(steps.shape)
        if self._pool is None:
            wrong = self._call(many.STEP, 0, self.n, steps)
        else:
            wrong = self._call(many.CHECK, 0, self.n, steps)
            if wrong < 0:
                self._all(many.PLAY, steps)
        if wrong >= 0:
            self._refuse(*divmod(wrong, steps.shape[1]))

    @property
    def actions_shape(self) -> tuple[int, ...]:
        """The shape of the actions of ``step`` and ``sample``."""
        return (self.n, self.players) if self._wide else (self.n,)

    def sample(self) -> np.ndarray:
        """Return random legal actions for ``step``, uniformly; -1 where nothing is decided.

        Returns:
            int64 of shape ``actions_shape``, overwritten by the next call and by ``step``.
        """
        self._all(many.SAMPLE, self._steps)
        return self._steps if self._wide else self._steps[:, 0]

    def observe(self, seats: ArrayLike | None = None) -> None:
        """Show the games to other seats. A seat that is shown a game and must decide there is asked by the next step.

        Args:
            seats: (n,) integers, -1 for the lowest seat that must decide; by default that everywhere. One number is
                for all games.

        Raises:
            NotYourTurn: for one that there is not, naming the game.
        """
        given = _integers(-1 if seats is None else seats)
        if given is None or given.shape not in ((), (self.n,)):
            raise NotYourTurn(f"seats are integers, one for each of the {self.n} games or one for all of them")
        asked = self._asked
        asked[:, 0] = given
        bad = np.flatnonzero((asked[:, 0] < -1) | (asked[:, 0] >= self.players))
        if len(bad):
            raise NotYourTurn(f"game {bad[0]}: seats are 0 to {self.players - 1}, not {asked[bad[0], 0]}")
        self._all(many.SHOW, asked)

    def _all(self, op: int, rows: np.ndarray) -> None:
        if self._pool is None:
            self._call(op, 0, self.n, rows)
            return
        for done in [self._pool.submit(self._call, op, *part, rows, k) for k, part in enumerate(self._parts)]:
            done.result()

    def _call(self, op: int, first: int, last: int, rows: np.ndarray, thread: int = 0) -> int:
        return int(self._kernel(op, first, last, self._slots, self._helms[thread], rows, *self._rows))

    def _refuse(self, game: int, row: int) -> NoReturn:
        action, seat = int(self._steps[game, row]), row if self._wide else int(self.seats[game])
        if not self.actors[game]:
            raise IllegalAction(
                f"game {game} is over: its action is -1 until it is begun anew, not {action}", game=game
            )
        if action == -1 and self.actors[game] >> seat & 1:
            raise IllegalAction(f"game {game}: seat {seat} must decide, and was given -1", game=game)
        try:
            self.position(game).play(seat, action)
        except IllegalAction as error:
            raise type(error)(f"game {game}: {error.detail}", **{**error.context, "game": game}) from None
        raise AssertionError("the kernel refused a legal action")

    # --- Positions ---

    def save(self, games: ArrayLike | None = None) -> np.ndarray:
        """Return positions as bytes: (games, bytes of a position) uint8, by default of all games.
        ``Position.from_bytes`` reads a row of them, too."""
        kept: np.ndarray = self._bytes[self._indices(games)]
        return kept

    def load(self, states: ArrayLike, games: ArrayLike | None = None) -> None:
        """Restore positions that ``save`` or ``Position.to_bytes`` wrote, and go on from there.

        Args:
            states: (games, bytes of a position) uint8. Only bytes that these wrote for these rules: others are not
                found out, and compiled code that goes on from them may read what is not there, and end the process.

        Raises:
            PositionError: for what are not bytes, or naming the row that is no position of this game and number of
                players; nothing has changed.
        """
        which, size = self._indices(games), self.game.record.itemsize
        given = _integers(states)
        if given is None or (given.dtype != np.uint8 and given.size and not 0 <= given.min() <= given.max() <= 255):
            raise PositionError("positions are bytes: an array of uint8, as save() gives them")
        data = np.ascontiguousarray(given, dtype=np.uint8)
        if data.shape != (len(which), size):
            raise PositionError(
                f"{len(which)} positions of {self.game.id} have the shape {(len(which), size)}, not {data.shape}"
            )
        records = data.view(self.game.record)[:, 0]
        wrong = np.flatnonzero(records["players"] != self.players)
        if len(wrong):
            found = records["players"][wrong[0]]
            raise PositionError(f"row {wrong[0]}: a position with {found} players, not {self.players}")
        self._bytes[which] = data
        self._slots["decisions"][which] = 0
        self._all(many.TAKE_UP, self._marked(which))

    def position(self, game: int) -> Position:
        """Return a game as a :class:`ziggurat.Position` of its own, whose events begin now."""
        return Position.from_bytes(
            self.game,
            self.save([game]).tobytes(),
            players=self.players,
            options=self.options,
            components=self.components,
        )

    def put(self, game: int, position: Position) -> None:
        """Replace a game by a position, and go on from there.

        Raises:
            PositionError: if it is one of another game or number of players.
        """
        if not isinstance(position, Position):
            raise PositionError(f"this is a {type(position).__name__}, no ziggurat.Position")
        if position.game is not self.game:
            raise PositionError(f"these are games of {self.game.id}, not of {position.game.id}")
        self.load(np.frombuffer(position.to_bytes(), dtype=np.uint8)[None], [game])

    def _marked(self, which: np.ndarray) -> np.ndarray:
        self._asked[:] = -1
        self._asked[which] = 0
        return self._asked

    def _indices(self, games: ArrayLike | None) -> np.ndarray:
        found = np.arange(self.n) if games is None else np.asarray(games)
        if found.dtype == np.bool_ and found.shape == (self.n,):
            found = np.flatnonzero(found)
        if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
            raise IndexError("games are named by a list of indices, or by an array with a bool for each of them")
        if len(found) and not (found.min() >= 0 and found.max() < self.n):
            raise IndexError(
                f"games are 0 to {self.n - 1}: {found[(found < 0) | (found >= self.n)][0]} is none of them"
            )
        return found.astype(np.int64)


_THREADED: WeakSet[Vector] = WeakSet()
"""Those that work with threads."""


def _after_fork() -> None:
    """Give a forked child threads of its own: those of its parent do not run there, and it would wait for ever."""
    for games in _THREADED:
        games._pool = ThreadPoolExecutor(len(games._parts))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _again(made: tuple[Any, ...], slots: bytes) -> Vector:
    games = Vector(*made)
    games._slots.view(np.uint8)[:] = np.frombuffer(slots, dtype=np.uint8)
    games.observe(games.seats)
    return games


def make(
    game: str | Game,
    players: int,
    n: int = 1,
    options: Mapping[str, str] | None = None,
    *,
    components: Components | None = None,
    seed: int | str | bytes | None = None,
    observations: Observations | None = "compact",
    masks: bool = True,
    seats: Literal["actor", "all"] = "actor",
    inside: Mapping[int, Inside] | None = None,
    rotate: bool = True,
    rewards: Literal["win", "points"] = "win",
    autoreset: bool = True,
    threads: int | None = None,
) -> Vector:
    """Set up ``n`` games that are played side by side. The rules are compiled first if they are not yet.

    Args:
        game: id of a game, see :func:`ziggurat.games`.
        players: number of seats in each.
        options, components: see :func:`ziggurat.new`.
        seed: everything random follows from it; from the system's randomness when left out.
        observations: their form, see ``Feature``; None for none, which is quicker.
        masks: whether ``masks`` is written.
        seats: whether a game is shown to the seat that decides, or to all seats at once, so that those who decide at
            the same time act in the same step.
        inside: bots that play seats within the compiled loop, by seat: ``random``, or ``greedy``, the game's
            heuristic. At least one seat is left.
        rotate: with bots inside, whether everybody moves up one seat from game to game.
        rewards: ``win``: at the end (players * share - 1) / (players - 1), where share is the part of the win: 1 for a
            sole winner, adding up to 0 (alone 1 or -1; 0 for all if nobody wins). ``points``: those gained since the
            last step, by every seat.
        autoreset: whether a new game replaces one that ends, in the same step. The arrays then show the new game, while
            ``rewards``, ``ended``, ``scores``, ``shares`` and ``lengths`` belong to the old one.
        threads: at most so many work at the same time; by default one for each core.

    Raises:
        UnknownGame, BadOption, BadSeed, UnknownBot: saying what would have been right.
    """
    chosen = game if isinstance(game, Game) else ziggurat.game(game)
    complete = chosen.check_setup(players, options or {})
    n = _number(n, "game")
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = _number(threads, "thread")
    for name, value, known in (
        ("observations", observations, ("compact", "one_hot", None)),
        ("seats", seats, ("actor", "all")),
        ("rewards", rewards, tuple(REWARDS)),
    ):
        if value not in known:
            raise BadOption(f"{name} are one of {', '.join(map(str, known))}, not {value!r}")
    brains = [many.OUTSIDE] * players
    if not isinstance(inside or {}, Mapping):
        raise BadOption(f"bots inside are named by seat, such as {{1: 'greedy'}}, not by {inside!r}")
    for seat, bot in (inside or {}).items():
        if seat not in range(players):
            raise BadOption(f"seats are 0 to {players - 1}, not {seat!r}")
        if bot not in (*BRAINS,):
            raise UnknownBot(f"there is no bot {bot!r} inside; there are: {', '.join(BRAINS)}", bot=bot)
        brains[seat] = BRAINS[bot]
    if many.OUTSIDE not in brains:
        raise BadOption("at least one seat is left for who calls; games between bots alone: ziggurat.lab.simulate")
    return Vector(
        chosen,
        players,
        n,
        complete,
        components or chosen.components,
        seed,
        observations,
        bool(masks),
        seats,
        brains,
        bool(rotate and inside),
        rewards,
        bool(autoreset),
        threads,
    )


def _number(given: Any, what: str) -> int:
    try:
        number = -1 if isinstance(given, bool) else index(given)
    except TypeError:
        number = -1
    if not 1 <= number <= MOST_GAMES:
        raise BadOption(f"there is at least 1 {what} and at most {MOST_GAMES}, not {given!r}")
    return number


def _integers(given: ArrayLike) -> np.ndarray | None:
    """Return an array of integers that int64 holds, if these are some."""
    try:
        found = np.asarray(given)
    except (TypeError, ValueError):  # lists of different lengths
        return None
    if found.dtype.kind not in "iu" or (found.dtype == np.uint64 and (found >> np.uint64(63)).any()):
        return None
    return found

"""A position of any game: small, exact, no surprises."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Generic

import msgspec
import numpy as np

from ziggurat.core import engine, limits
from ziggurat.core.actions import Choice
from ziggurat.core.decision import About, Decision, Description, Preview
from ziggurat.core.errors import IllegalAction, NotYourTurn, PositionError, TooManySteps, UnfinishedMove, ZigguratError
from ziggurat.core.game import Components, Game, V
from ziggurat.core.random import RNG, seed_words, set_key
from ziggurat.core.record import FieldReader, ListRecord, from_lists, states_of, to_lists
from ziggurat.core.runtime import Runtime, Workspace, runtime
from ziggurat.core.seed import Attributes, parse_seed
from ziggurat.core.trace import OUT, WIDTH, Event, ListTrace, Phrase, check_rows, list_out

# The seats that each bit mask of actors names.
_SEATS = tuple(tuple(seat for seat in range(limits.SEATS) if mask >> seat & 1) for mask in range(1 << limits.SEATS))
_NO_RNG = np.zeros(1, dtype=RNG)


class _Buffer(threading.local):
    """The output buffer of interpreted rules (actions, points, observations): one in each thread, as with compiled
    rules, because making it takes up to a third of the time of a decision."""

    def __init__(self) -> None:
        self.out = ListRecord(OUT)


_BUFFER = _Buffer()


def _played(seat: int, action: int, secret: bool) -> int:
    """A played action, packed into 8 bytes: the action, the seat, and whether in secret. A table remembers hundreds."""
    return action << 5 | seat << 1 | secret


class Position(Generic[V]):
    """A position of a game, with the events since it was made.

    Make one with :func:`ziggurat.new`, ``Position.from_bytes`` or a scenario. Seats are counted from 0.

    ``copy.copy``, ``copy.deepcopy`` and ``pickle`` give an independent one, history included. Two are equal when they
    are of one game with the same options and components and have the same bytes, hidden facts and generator among them;
    how they came about does not count. It changes when a seat plays, so it is no key of a dictionary; ``to_bytes``
    gives one.
    """

    __slots__ = (
        "_bytes",
        "_concealed",
        "_history",
        "_legal",
        "_lists",
        "_mask",
        "_public",
        "_readable",
        "_rows",
        "_runtime",
        "_states",
        "_tracing",
        "components",
        "game",
        "options",
        "players",
        "seed",
    )

    def __init__(
        self,
        game: Game[V],
        states: np.ndarray,
        players: int,
        options: Mapping[str, str],
        components: Components,
        seed: bytes | None,
        *,
        trace: bool = True,
    ) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.components = components
        self.seed = seed
        self._runtime: Runtime = runtime(game)
        self._states = states_of(states.tobytes(), game.record)
        self._bytes = self._states.view(np.uint8).data
        self._lists: ListRecord | None = None  # the truth while rules run interpreted
        self._readable: ListRecord | None = None  # made for readers when first asked for, and dropped at every move
        self._public: V | None = None  # what everybody sees, made and dropped like it
        self._tracing = trace
        self._rows: list[np.ndarray] = []
        self._history = array("q")  # of `_played`
        self._concealed = False
        self._mask = 0
        self._legal: list[int] = []
        if not self._runtime.ready:
            self._lists = to_lists(self._states)

    # --- Making one ---

    @classmethod
    def new(
        cls,
        game: Game[V],
        players: int,
        *,
        seed: int | str | bytes | None = None,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        trace: bool = True,
    ) -> Position[V]:
        """Set up a game. See :func:`ziggurat.new`."""
        complete = game.check_setup(players, options or {})
        components = components or game.components
        key = parse_seed(seed)
        states = states_of(game.template_states(components, players, complete).tobytes(), game.record)
        set_key(Attributes(states[0]["rng"]), seed_words(key))
        position = cls(game, states, players, complete, components, key, trace=trace)
        position._start()
        return position

    @classmethod
    def from_bytes(
        cls,
        game: Game[V],
        data: bytes,
        *,
        players: int,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        seed: bytes | None = None,
        trace: bool = True,
        history: Sequence[tuple[int, int, bool]] = (),
    ) -> Position[V]:
        """The position that ``to_bytes`` wrote; its events begin now.

        Args:
            data: what ``to_bytes`` wrote under these rules, and nothing else: as with a pickle, bytes from
                another source can end the process, since compiled code does not look whether an index is one.
            options, components: those with which the game was set up. Bytes hold all that play depends on, but do not
                say by which names it was chosen.
            history: of the position that was written, if seats shall go on from what they have heard.

        Raises:
            PositionError: when it is seen that the bytes are not a position of this game and number of players.
        """
        try:
            data = bytes(memoryview(data))
        except TypeError:
            raise PositionError(f"a position is made of bytes, not of {type(data).__name__}") from None
        complete = game.check_setup(players, options or {})
        printed = components or game.components
        if game.size_without_options <= len(data) < game.record.itemsize:  # written when there were fewer options
            template = game.template_states(printed, players, complete).tobytes()
            data = data[: game.size_without_options] + template[game.size_without_options :]
        if len(data) != game.record.itemsize:
            raise PositionError(f"a position of {game.id} has {game.record.itemsize} bytes, these are {len(data)}")
        states = states_of(data, game.record)
        if states["players"][0] != players:
            raise PositionError(f"this position has {states['players'][0]} players, not {players}")
        position = cls(game, states, players, complete, printed, seed, trace=trace)
        position._history.extend(_played(*one) for one in history)
        try:
            position._look()
        except IndexError:  # interpreted; compiled code asks no index whether it is one
            position._mask = -1
        if not 0 <= position._mask < 1 << players:
            raise PositionError(f"these bytes are no position of {game.id}: nobody could decide in it")
        return position

    def copy(self, *, events: bool = True) -> Position[V]:
        """An independent copy, history included; without ``events`` it has only the events from now on."""
        self._write_back()
        position = Position(
            self.game, self._states, self.players, self.options, self.components, self.seed, trace=self._tracing
        )
        position._rows = list(self._rows) if events else []
        position._history = self._history[:]
        position._mask, position._legal, position._concealed = self._mask, self._legal, self._concealed
        return position

    def clone(self) -> Position[V]:
        """An independent copy, by the name that it has in OpenSpiel."""
        return self.copy()

    def __copy__(self) -> Position[V]:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Position[V]:
        return self.copy()  # what it shares with others, the game and what is printed, does not change

    def __reduce__(self) -> tuple[Any, ...]:
        printed = self.components
        rows = np.concatenate(self._rows).tobytes() if self._rows else b""
        state = (
            *(self.game, self.game.version, printed.own_text, printed.digest),
            *(self.players, dict(self.options), self.to_bytes()),
            *(self.seed, self._tracing, [len(some) for some in self._rows], rows, self._history.tobytes()),
        )
        return _unpickle, state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.game.id == other.game.id
            and self.players == other.players
            and dict(self.options) == dict(other.options)
            and self.components.digest == other.components.digest
            and self.to_bytes() == other.to_bytes()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        who = f"seats {self.actors} decide" if self._mask else f"won by {tuple(self.winners)}"
        name = f"{self.game.id}, {self.players} players"
        return f"<Position: {name}, {len(self._history)} actions played, {who}, scores {self.scores}>"

    # --- What everybody may know ---

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that must decide now; none when the game is over."""
        return _SEATS[self._mask]

    @property
    def finished(self) -> bool:
        """Whether the game is over: nobody has to decide any more."""
        return self._mask == 0

    @property
    def scores(self) -> list[int]:
        """Points of every seat so far."""
        return self.all_scores[: self.players]

    @property
    def all_scores(self) -> list[int]:
        """Points of every owner so far: of the seats, then of an owner who is no seat, such as Hal in Ginkgopolis."""
        if self._lists is None:
            workspace = self._workspace()
            return workspace.numbers[: self._ask(workspace, engine.SCORES)].tolist()  # type: ignore[no-any-return]
        out = _BUFFER.out
        owners = self.game.rules["scores"](self._lists, out)
        points: list[int] = out.values[:owners]
        return points

    @property
    def winners(self) -> list[int]:
        """The winning seats; empty until the end."""
        if self._mask:
            return []
        return self.game.winners(self._read())

    def returns(self) -> list[float]:
        """The return of every seat at the end, zero-sum: 1 for a sole winner, less for several; alone 1 or -1."""
        if self._mask:
            return [0.0] * self.players
        winners = self.winners
        share = 1 / len(winners) if winners else 0.0
        if self.players == 1:
            return [2 * share - 1]
        others = self.players - 1
        return [((self.players * share if seat in winners else 0.0) - 1) / others for seat in range(self.players)]

    @property
    def events(self) -> list[Event]:
        """All events so far, hidden facts included if the game has hidden events."""
        return self.events_since(0)

    @property
    def rows_written(self) -> int:
        """A mark for ``events_since``: how far the events have come."""
        return len(self._rows)

    @property
    def rows(self) -> list[np.ndarray]:
        """The events as trace rows: for every action that wrote any, rows of shape (rows, columns)."""
        return self._rows[:]

    def events_since(self, mark: int) -> list[Event]:
        """The events after a mark that ``rows_written`` gave."""
        events = self.game.events.read
        return [event for rows in self._rows[mark:] for event in events(rows.tolist())]

    def events_for(self, seat: int | None, mark: int = 0) -> list[Event]:
        """The events after a mark that ``rows_written`` gave, as a seat (None: a spectator) may read them.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        seat = seat if seat is None else self.known_seat(seat)
        return [event for event in self.events_since(mark) if event.may_read(seat)]

    def heard(self, seat: int) -> tuple[int, list[tuple[int, int]]]:
        """The latest actions, as far back as a seat knows all of them: the number of those before, seats and actions.

        An action that another seat chose in secret is left out, even later: not all of them are ever shown.
        """
        seat, played = self.known_seat(seat), self.history
        first = len(played)
        while first and (not played[first - 1][2] or played[first - 1][0] == seat):
            first -= 1
        return first, [(actor, action) for actor, action, _ in played[first:]]

    @property
    def history(self) -> list[tuple[int, int, bool]]:
        """Everything that was played since this position was dealt or read: seat, action, and whether in secret."""
        return [(one >> 1 & 0xF, one >> 5, bool(one & 1)) for one in self._history]

    @property
    def concealed(self) -> bool:
        """Whether a choice made now is secret: others learn its result, and not its steps."""
        return self._concealed

    # --- Deciding ---

    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat now; none when it owes no decision.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        if self._mask and seat == _SEATS[self._mask][0]:
            return self._legal.copy()
        seat = self.known_seat(seat)
        if not self._mask >> seat & 1:
            return []
        if self._lists is None:
            workspace = self._workspace()
            return workspace.numbers[: self._ask(workspace, engine.LEGAL, seat)].tolist()  # type: ignore[no-any-return]
        out = _BUFFER.out
        n = self.game.rules["legal"](self._lists, seat, out)
        actions: list[int] = out.values[:n]
        return actions

    def legal_mask(self, seat: int) -> np.ndarray:
        """The legal actions of a seat as a mask: bool of shape (actions of the game,).

        Raises:
            NotYourTurn: when there is no such seat.
        """
        mask = np.zeros(self.game.actions, dtype=np.bool_)
        mask[self.legal(seat)] = True
        return mask

    def play(self, seat: int, action: int) -> None:
        """Play one action.

        Raises:
            IllegalAction: when the rules do not allow it; nothing has changed then.
        """
        lists = self._lists
        try:  # compiled code would take 0.5 for 0
            seat, action = index(seat), index(action)
        except TypeError:
            given = repr(action)[:60] if _is_whole(seat) else f"seat {seat!r}"[:60]
            raise IllegalAction(f"seats and actions are whole numbers, not {given}") from None
        # Asked before the game is: its rules may take every seat for one at the table.
        if not 0 <= seat < self.players or not self._mask >> seat & 1:
            raise self._refuse(seat, action)
        if lists is None:
            workspace = self._workspace()
            try:
                seen = self._runtime.kernels["step"](workspace.place, seat, action)
            except OverflowError:  # wider than any action
                seen = -1
            if seen < 0:
                raise self._refuse(seat, action)
            self._bytes[:] = workspace.bytes
            self._history.append(_played(seat, action, self._concealed))
            self._seen(seen, workspace)
        else:
            if action not in self.legal(seat):
                raise self._refuse(seat, action)
            self._history.append(_played(seat, action, self._concealed))
            trace = ListTrace(self._tracing)
            self.game.rules["play"](lists, seat, action, trace)
            self._keep_rows(trace.used, trace.rows)
            if self._runtime.ready:
                self._write_back()
                self._lists = None
            self._look()

    def play_all(self, seat: int, actions: Sequence[int]) -> list[Event]:
        """Play the steps of one move, all or none; return the events.

        Raises:
            IllegalAction: naming the first step that is not allowed; nothing has changed then.
        """
        if not actions:
            raise IllegalAction("a move has at least one step")
        self._write_back()
        before, length, mask, legal = bytes(self._bytes), len(self._rows), self._mask, self._legal
        played, concealed = len(self._history), self._concealed
        try:
            for action in actions:
                self.play(seat, action)
        except IllegalAction:
            self._bytes[:] = before
            self._readable = self._public = None
            if self._lists is not None:
                self._lists = to_lists(self._states)
            self._rows = self._rows[:length]
            self._history = self._history[:played]
            self._mask, self._legal, self._concealed = mask, legal, concealed
            raise
        return self.events_since(length)

    def after_move(self, seat: int, steps: Sequence[int]) -> Position[V]:
        """The position after one whole move of a seat; it has only the events from now on.

        Args:
            steps: in any order in which people may choose them (``game.arrange``, ``preview``).

        Raises:
            UnfinishedMove: when others have to follow.
            TooManySteps: when the move was complete before the last one.
            IllegalAction: when they begin no move that the seat could make.
        """
        seat, actions = self.known_seat(seat), self.game.arrange(steps)
        if not actions:
            raise IllegalAction("a move has at least one step")
        after = self.copy(events=False)
        for number, action in enumerate(actions):
            if number and not after.in_move:
                raise TooManySteps(f"the move was complete after step {number}; send one move at a time", step=number)
            try:
                after.play(seat, action)
            except IllegalAction:
                if not self._begins(seat, steps):
                    raise
                raise _unfinished() from None  # what is missing comes before it in the order of the rules
        if after.in_move:
            raise _unfinished()
        return after

    def _begins(self, seat: int, steps: Sequence[int]) -> bool:
        try:
            self._preview(seat, steps)
        except IllegalAction:
            return False
        return True

    # --- Looking ---

    def view(self, seat: int | None) -> V:
        """The view of a seat (None: a spectator): the game's own struct, ``game.View``. Views share what all show.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        if seat is None:
            return self._in_sight()
        return self.game.own(self._read(), self.known_seat(seat), self._in_sight(), False)

    def view_all(self) -> V:
        """The umpire's view: every hand open."""
        return self.game.own(self._read(), None, self._in_sight(), True)

    def svg(self, seat: int | None = None, language: str = "en", names: Sequence[str] | None = None) -> str:
        """The view of a seat (None: a spectator) as a picture, in SVG. Jupyter shows a spectator's.

        Args:
            language: ``en`` or ``hu``.
            names: of the seats; by default they are counted, from 1, as people do.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        from ziggurat.core.picture import svg

        return svg(self, seat, language, names)

    def _repr_svg_(self) -> str:
        return self.svg()

    def secrets(self) -> dict[str, Any]:
        """The facts that no seat may see, such as the order of the decks. For the umpire's log alone."""
        return self.game.secrets(self._read())

    def ask(self, seat: int | None) -> Phrase | None:
        """The question to a seat; for a seat that waits, or a spectator (None), what it waits for, if there is more to
        say than for whom.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        seat = seat if seat is None else self.known_seat(seat)
        return self.game.ask(self._read(), seat)

    def decision(self, seat: int | None) -> Decision:
        """The decision of a seat now: its question and choices; for a spectator (None), what everybody waits for."""
        game, record, ask = self.game, self._read(), self.ask(seat)
        if seat is None:
            return Decision(ask, [], [])
        possible = self.legal(seat)
        legal = game.listed(possible)
        choices = [game.choice(record, seat, action) for action in legal]
        return Decision(ask, choices, game.refusals(record, seat, legal), self._forced(seat, possible) is not None)

    def forced(self, seat: int) -> int | None:
        """The forced action of a seat: it owes it without having anything to decide, and is asked so that asking
        betrays nothing.

        The program that runs the game plays it, at a table after a time that betrays nothing either.
        """
        seat = self.known_seat(seat)
        return self._forced(seat, self.legal(seat)) if self.game.forced is not None else None

    def _forced(self, seat: int, legal: list[int]) -> int | None:
        if self.game.forced is None or not self._mask >> seat & 1:
            return None
        return self.game.forced(self._glance(), seat, legal)

    def sole(self, seat: int) -> tuple[int, ...] | None:
        """The steps of the only whole move that a seat can make; None where it has a choice, or owes no decision."""
        legal = self.legal(seat)
        if len(legal) != 1:
            return None
        steps, after = legal, self.copy(events=False)
        after.play(seat, legal[0])
        while after.in_move:
            legal = after.legal(seat)
            if len(legal) != 1:
                return None
            steps = [*steps, legal[0]]
            after.play(seat, legal[0])
        return tuple(steps)

    def imposed(self, seat: int) -> tuple[int, ...] | None:
        """The steps of the only move of a seat, where making it for the player reveals nothing to anybody.

        The rules call it forced, or everybody can tell that there is no other.
        """
        seat = self.known_seat(seat)
        if (action := self.forced(seat)) is not None:
            return (action,)
        known = self.game.known is not None and self._mask >> seat & 1 and self.game.known(self._glance(), seat)
        return self.sole(seat) if known else None

    def passes_for_forced(self, seat: int, steps: Sequence[int]) -> bool:
        """Whether nobody else can tell a move that a seat could make now from one that is made for the player."""
        seat = self.known_seat(seat)
        if self.game.forced is not None and self.game.forced(self._read(), seat, list(steps)) is not None:
            return True
        return self.imposed(seat) == tuple(steps)

    def preview(self, seat: int, steps: Sequence[int]) -> Preview:
        """The preview of an unfinished move. It reads only what the seat sees.

        Raises:
            IllegalAction: when the steps do not begin a move that the seat could make.
        """
        seat = self.known_seat(seat)
        preview = self._preview(seat, steps)
        if not preview.suggest:
            return preview
        then = self._preview(seat, [*steps, *(step.action for step in preview.suggest)])
        return msgspec.structs.replace(preview, then=then)

    def _preview(self, seat: int, steps: Sequence[int]) -> Preview:
        # A private copy: previews lay cards down.
        return self.game.preview(to_lists(self._bytes_now()), seat, steps)

    @property
    def named(self) -> list[str]:
        """The names of all pieces and places that have a description."""
        return self.game.named(self._read(), self.components.values)

    def about(self, seat: int | None, pieces: Sequence[str]) -> list[About]:
        """Descriptions of pieces, and what each is worth to a seat (None: a spectator) now. It reads only what the seat
        sees.

        Raises:
            UnknownPiece: for a name that no piece and no place has.
        """
        if seat is not None:
            seat = self.known_seat(seat)
        # A private copy: to say what a piece would be worth it is laid down, and taken up again.
        s, whose = to_lists(self._bytes_now()), None if self.finished else seat
        return [self.game.about(s, self.components.values, whose, piece) for piece in pieces]

    def describe(self, seat: int, steps: Sequence[int]) -> Description:
        """The description of a move that a seat could make now: in notation, in words, and step by step."""
        game, record, seat = self.game, self._read(), self.known_seat(seat)
        choices = [game.choice(record, seat, action) for action in steps]
        return Description(game.write_move(record, steps), game.describe(record, seat, steps), choices)

    def choice(self, seat: int, action: int) -> Choice:
        """An action that a seat may play, or try now: its type, its notation and all its fields."""
        return self.game.choice(self._read(), self.known_seat(seat), action)

    def write_move(self, steps: Sequence[int]) -> str:
        """The notation of a move that could be made now."""
        return self.game.write_move(self._read(), steps)

    def write_step(self, action: int) -> str:
        """The notation of a single action."""
        space = self.game.space
        return space.write(action) if space[action].fixed else self.game.write_step(self._read(), action)

    def read_move(self, text: str, seat: int | None = None) -> list[int]:
        """The actions that a text in notation names; by default for the lowest seat that must decide.

        Raises:
            NotationError: when it names nothing that could be played.
        """
        actor = max(engine.lowest_seat(self._mask), 0) if seat is None else self.known_seat(seat)
        return self.game.read_move(self._read(), actor, text)

    @property
    def in_move(self) -> bool:
        """Whether a move of several steps has begun and is not finished."""
        return self.game.in_move(self._glance())

    def rest(self) -> None:
        """Free the memory of cached views; they are made again when needed."""
        self._readable = self._public = None

    # --- Belief, bytes ---

    def redeal(self, seat: int | None, rng: np.ndarray) -> Position[V]:
        """A position drawn at random from those that look the same to ``seat`` (None: to a spectator).

        Args:
            rng: generator of shape (1,), see :func:`generator`; it moves on.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        observer = -1 if seat is None else self.known_seat(seat)
        _check(rng)
        position = self.copy()
        position._rows = []
        position._history = array("q")
        if position._lists is None:
            position._call(engine.REDEAL, observer, rng)
        else:
            source = to_lists(rng)
            self.game.rules["redeal"](position._lists, observer, source)
            from_lists(source, rng)
        position.seed = None
        position._look()
        return position

    def suggest(self, rng: np.ndarray, seat: int | None = None) -> int:
        """The heuristic's action for a seat that must decide, by default the lowest one.

        Bots call it on a redealt copy.

        Raises:
            NotYourTurn: for a seat that has nothing to decide.
        """
        seat = self.deciding_seat(engine.lowest_seat(self._mask) if seat is None and self._mask else seat)
        _check(rng)
        weights = self.game.weight_values
        if self._lists is None:
            self._runtime.workspace().weights[: len(weights)] = weights
            return self._call(engine.SUGGEST, seat, rng)
        source = to_lists(rng)
        action: int = self.game.rules["suggest"](self._lists, seat, source, list_out(weights))
        from_lists(source, rng)
        return action

    def observe(self, seat: int | None) -> np.ndarray:
        """The observation of a seat (None: a spectator): int16 of shape (columns,).

        ``game.features(players)`` says what each column is.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        observer = -1 if seat is None else self.known_seat(seat)
        if self._lists is None:
            workspace = self._workspace()
            seen: np.ndarray = workspace.numbers[: self._ask(workspace, engine.OBSERVE, observer)].astype(np.int16)
            return seen
        out = _BUFFER.out
        n = self.game.rules["observe"](self._lists, observer, out)
        return np.array(out.values[:n], dtype=np.int16)

    def learns(self, seat: int, actions: Sequence[int], rng: np.ndarray, trials: int = 12) -> bool:
        """Whether a move of a seat, whose steps are legal now, reveals anything to it.

        It is tried on other hidden cards, and nothing is learned when it tells the same and leads to the same sight on
        all of them; so what is learned with a chance of one half is missed once in 4,096 times.

        Args:
            rng: generator of shape (1,); it moves on.
        """
        seat = self.known_seat(seat)
        if self._lists is None:
            workspace = self._workspace(tracing=True)
            given = [len(actions), *actions, *self.game.events.readers]
            workspace.numbers[: len(given)] = given
            return bool(self._runtime.kernels["call"](engine.LEARN, workspace.places, trials << 8 | seat, rng))
        truth = self._told(seat, actions)
        return any(self.redeal(seat, rng)._told(seat, actions) != truth for _ in range(trials))

    def _told(self, seat: int, actions: Sequence[int]) -> tuple[list[Event], list[int]] | None:
        """What a move tells a seat, and what it sees after it; empty if the move cannot be made."""
        position, mark = self.copy(), self.rows_written
        try:
            position.play_all(seat, actions)
        except IllegalAction:
            return None
        return position.events_for(seat, mark), position.observe(seat).tolist()

    def to_bytes(self) -> bytes:
        """The whole position, hidden facts and generator included."""
        return bytes(self._bytes_now().tobytes())

    def pieces(self) -> dict[str, int]:
        """The number of every card and piece, wherever they are."""
        return dict(self.game.count_pieces(self._read()))

    # --- Inside ---

    def _start(self) -> None:
        if self._lists is None:
            self._seen(self._call(engine.START), self._runtime.workspace())
        else:
            trace = ListTrace(self._tracing)
            self.game.rules["setup"](self._lists, trace)
            self._keep_rows(trace.used, trace.rows)
            self._look()

    def _look(self) -> None:
        if self._lists is None:
            self._seen(self._call(engine.LOOK), self._runtime.workspace())
            return
        self._public = None
        out = _BUFFER.out
        self._mask = int(self.game.rules["actors"](self._lists))
        n = self.game.rules["legal"](self._lists, engine.lowest_seat(self._mask), out) if self._mask else 0
        self._legal = out.values[:n]
        self._concealed = bool(self._mask and self.game.rules["concealed"](self._lists))

    def _call(self, op: int, seat: int = 0, rng: np.ndarray = _NO_RNG) -> int:
        workspace = self._workspace()
        found = int(self._runtime.kernels["call"](op, workspace.place, seat, rng))
        self._bytes[:] = workspace.bytes
        return found

    def _ask(self, workspace: Workspace, op: int, seat: int = 0) -> int:
        """The count that a kernel returns for a query that changes no position."""
        return int(self._runtime.kernels["call"](op, workspace.place, seat, _NO_RNG))

    def known_seat(self, seat: Any) -> int:
        """Check a seat that exists.

        Raises:
            NotYourTurn: for any other.
        """
        try:
            found = index(seat)
        except TypeError:
            found = -1
        if not 0 <= found < self.players:
            raise NotYourTurn(f"seats are 0 to {self.players - 1}, not {seat!r}", seat=seat)
        return found

    def deciding_seat(self, seat: Any) -> int:
        """Check a seat that must decide.

        Raises:
            NotYourTurn: for any other.
        """
        if self.finished:
            raise NotYourTurn("the game is over", seat=seat)
        if not self._mask >> (found := self.known_seat(seat)) & 1:
            raise NotYourTurn(f"seat {found} owes no decision now", seat=seat)
        return found

    def _workspace(self, tracing: bool | None = None) -> Workspace:
        """This thread's workspace, with the position on it."""
        workspace = self._runtime.workspace()
        workspace.trace(self._tracing if tracing is None else tracing)
        workspace.bytes[:] = self._bytes
        return workspace

    def _seen(self, seen: int, workspace: Workspace) -> None:
        """Unpack what the kernel ``look`` returned."""
        self._readable = self._public = None
        self._mask = seen & engine.ACTORS_MASK
        self._concealed = bool(seen >> engine.CONCEALED_SHIFT & 1)
        self._legal = workspace.numbers[: seen >> engine.COUNT_SHIFT & engine.COUNT_MASK].tolist()
        rows = seen >> engine.ROWS_SHIFT
        if rows:
            check_rows(rows)
            self._rows.append(workspace.rows[:rows].copy())

    def _keep_rows(self, used: int, rows: Any) -> None:
        if used:
            check_rows(used)
            self._rows.append(np.array(rows, dtype=np.int16))

    def _refuse(self, seat: int, action: int) -> IllegalAction:
        """Raise the reason for which an action is refused."""
        if self.finished:
            return IllegalAction("the game is over")
        if seat not in range(self.players):
            return NotYourTurn(f"seats are 0 to {self.players - 1}, not {seat}", seat=seat)
        if seat not in self.actors:
            waiting = ", ".join(map(str, self.actors))
            return NotYourTurn(f"it is not the turn of seat {seat}; the game waits for seat {waiting}", seat=seat)
        legal = self.legal(seat)
        for refusal in self.game.refusals(self._read(), seat, legal):
            if refusal.choice.action == action:
                return IllegalAction(
                    f"{refusal.choice.notation!r} is not possible: {describe(refusal.reason, self.game)}",
                    action=action,
                    reason=msgspec.to_builtins(refusal.reason),
                )
        possible = ", ".join(self.write_step(choice) for choice in legal[:8]) + (", ..." if len(legal) > 8 else "")
        known = action in range(self.game.actions)  # numbers that are none among them
        name = repr(self.write_step(action)) if known else f"action {action}"
        return IllegalAction(f"{name} is not possible now; possible are: {possible}", action=action)

    def _read(self) -> Any:
        """A read-only backing for readers in Python."""
        if self._lists is not None:
            return self._lists
        readable = self._readable
        if readable is None:
            readable = self._readable = to_lists(self._states)
        return readable

    def _glance(self) -> Any:
        """The same for what is asked at every step, and answered from a field or two."""
        return self._lists or self._readable or FieldReader(self._states)

    def _in_sight(self) -> V:
        """The public view."""
        public = self._public  # another thread may look, too, or let it rest
        if public is None:
            public = self._public = self.game.public(self._read(), self.components.values)
        return public

    def _write_back(self) -> None:
        if self._lists is not None:
            from_lists(self._lists, self._states)

    def _bytes_now(self) -> np.ndarray:
        self._write_back()
        return self._states


def _unfinished() -> UnfinishedMove:
    return UnfinishedMove("this move is not complete; send all of its steps together")


def _is_whole(number: Any) -> bool:
    try:
        index(number)
    except TypeError:
        return False
    return True


def _check(rng: Any) -> None:
    if not (isinstance(rng, np.ndarray) and rng.dtype == RNG and rng.shape == (1,)):
        raise TypeError(f"chance is a generator that ziggurat.generator(seed) made, not {type(rng).__name__}")


def _unpickle(
    game: Game,
    version: str,
    components_text: str | None,
    digest: str,
    players: int,
    options: Mapping[str, str],
    data: bytes,
    seed: bytes | None,
    trace: bool,
    lengths: list[int],
    rows: bytes,
    history: bytes,
) -> Position[V]:
    if version != game.version:
        raise PositionError(f"this position was pickled by version {version} of {game.id}, this is {game.version}")
    components = game.components_of(components_text)
    if components.digest != digest:
        raise PositionError(f"this position was pickled with other components of {game.id} than those that are printed")
    position = Position.from_bytes(
        game, data, players=players, options=options, components=components, seed=seed, trace=trace
    )
    all_rows = np.frombuffer(rows, dtype=np.int16).reshape(-1, WIDTH)
    position._rows = np.split(all_rows, np.cumsum(lengths[:-1])) if lengths else []
    position._history.frombytes(history)
    return position


def describe(phrase: Any, game: Game) -> str:
    """A phrase of a game in English, for error messages."""
    from ziggurat.core.text import catalogue

    try:
        return catalogue("en", game).say(phrase)
    except (OSError, ZigguratError):
        return f"{phrase.key} {dict(phrase.args)}"

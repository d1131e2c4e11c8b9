"""The games for OpenSpiel: importing this module registers ``python_ziggurat_<game>`` for each.

    import pyspiel
    import ziggurat.rl.openspiel

    state = pyspiel.load_game("python_ziggurat_alhambra(players=3)").new_initial_state()

A game begins with chance nodes that draw the digits of a number, the deal. All that is random follows from it and stays
hidden, so a history tells the whole game. Where several seats decide at once they are asked one after the other, and
none is told what those before it chose.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import random
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
import pyspiel

import ziggurat
from ziggurat.core.errors import PositionError, ZigguratError
from ziggurat.core.features import Feature, OneHot
from ziggurat.core.game import Game
from ziggurat.core.in_words import observation_text, seat_names
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.core.trace import Event
from ziggurat.rl import parameters

PREFIX = "python_ziggurat_"

DIGITS = 8
"""How many chance nodes a game begins with; each draws a digit of the deal, the highest first."""
BASE = 16

FINGERPRINT = 64
"""How many places at the end of an information state's tensor tell it from all others."""

# As numbers: OpenSpiel would turn members of its enumeration into them at every call.
CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)
_DIGIT = [(digit, 1 / BASE) for digit in range(BASE)]


class _Setup(NamedTuple):
    """The setup of a game, in plain data."""

    game: str
    players: int
    options: tuple[tuple[str, str], ...]

    def deal(self, number: int, *, trace: bool = False) -> Position:
        return ziggurat.new(self.game, self.players, seed=number, options=dict(self.options), trace=trace)

    @property
    def versions(self) -> tuple[str, str]:
        """Return the versions of the rules and of the printed numbers, on which the effect of an action depends."""
        game = ziggurat.game(self.game)
        return game.version, game.components.digest


class _Resampling(NamedTuple):
    """A resampling of what a player does not know: after how many actions, for which player, from which seed."""

    after: int
    player: int
    seed: int


class _View:
    """The information states of all seats up to a position, line by line; immutable.

    A line is an action that the seat knows of, an event that it may read, or how what it sees differs from what it saw
    when it decided last, which is written down whenever it decides.
    """

    __slots__ = ("lines", "position", "seen", "steps")

    def __init__(self, position: Position, lines: list[list[str]], seen: list[np.ndarray], steps: int = 0) -> None:
        """``steps`` is how many actions have been played since ``position`` was dealt."""
        self.position = position
        self.lines = lines
        self.seen = seen
        self.steps = steps

    @classmethod
    def begin(cls, position: Position) -> _View:
        """Return the view at the beginning of a game; the position has its events."""
        nothing = np.zeros_like(position.observe(None))
        told = cls(position, [[] for _ in range(position.players)], [nothing] * position.players)
        told._hear(position.events)
        return told

    def redealt(self, seat: int, rng: np.ndarray) -> _View:
        """Return the view of a redealt position: the seat keeps its own records, the others begin without any."""
        told = _View.begin(self.position.redeal(seat, rng))
        told.lines[seat], told.seen[seat] = self.lines[seat], self.seen[seat]
        told.steps = self.steps
        return told

    def after(self, actions: Sequence[int]) -> _View:
        """Return the view after all that has been played since the position was dealt."""
        if len(actions) == self.steps:
            return self
        told = _View(self.position.copy(events=False), [list(own) for own in self.lines], list(self.seen), len(actions))
        for action in actions[self.steps :]:
            told._play(action)
        return told

    def text(self, seat: int) -> str:
        return "\n".join([f"p{seat}", *self.lines[seat], self._sees(seat, self.position.observe(seat))])

    def _play(self, action: int) -> None:
        position = self.position
        seat = position.actors[0]
        sees = position.observe(seat)
        self.lines[seat].append(self._sees(seat, sees))
        self.seen[seat] = sees
        played = f"p{seat} plays {position.write_step(action)}"
        for listener in [seat] if position.concealed else range(position.players):
            self.lines[listener].append(played)
        mark = position.rows_written
        position.play(seat, action)
        self._hear(position.events_since(mark))

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            who = "" if event.seat is None else f" p{event.seat}"
            line = f"{event.type}{who} {msgspec.json.encode(event.args).decode()}"
            for listener, lines in enumerate(self.lines):
                if event.may_read(listener):
                    lines.append(line)

    def _sees(self, seat: int, sees: np.ndarray) -> str:
        changed = np.flatnonzero(sees != self.seen[seat]).tolist()
        features = self.position.game.features(self.position.players)
        return f"p{seat} sees " + " ".join(f"{features[column].name}={sees[column]}" for column in changed)


class _Table:
    """The present state of a game: all of a state that OpenSpiel copies and keeps, in one object."""

    __slots__ = ("actions", "deal", "drawn", "player", "position", "resampled", "root", "setup", "told")

    def __init__(self, setup: _Setup) -> None:
        self.setup = setup
        self.deal = 0
        self.drawn = 0
        self.position: Position | None = None  # until all digits are drawn
        self.root: bytes | None = None  # the position that it began with, pickled, where that is not the deal's
        self.actions: list[int] = []  # all that were played
        self.player = CHANCE
        self.told: _View | None = None  # made when a seat is first asked what it knows
        self.resampled: tuple[_Resampling, ...] = ()

    def __deepcopy__(self, memo: Any) -> _Table:
        twin = copy(self)
        twin.actions = self.actions.copy()
        if self.position is not None:
            twin.position = self.position.copy()
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what was drawn and played, as one text: all else is found again from it.

        Pickled field by field, a table that was read would be written in other bytes than before, since pickle tells
        equal values from the same one; OpenSpiel compares states by these bytes.
        """
        setup, deal = self.setup, f"{self.deal:0{self.drawn}x}" if self.drawn else ""
        kept = _Kept(setup.versions, setup, deal, self.actions, self.resampled, self.root)
        return _laid_again, (msgspec.json.encode(kept),)

    def draw(self, digit: int) -> None:
        if not 0 <= digit < BASE:
            raise ValueError(f"a digit of the deal is 0 to {BASE - 1}, not {digit}")
        self.deal = self.deal * BASE + digit
        self.drawn += 1
        if self.drawn == DIGITS:
            self._take(self.setup.deal(self.deal))

    def begin(self, root: bytes) -> None:
        """Begin with a position instead of a deal, and with the seat whose turn it is there.

        Args:
            root: both, pickled: read again, they would be written in other bytes.
        """
        position, seat = pickle.loads(root)
        self.root = root
        self.told = _View.begin(position.copy())
        self._take(position)
        self.player = seat

    def _take(self, position: Position) -> None:
        """Go on from another position."""
        self.position = position
        self.player = min(position.actors, default=TERMINAL)

    def resample(self, how: _Resampling) -> None:
        """Deal again what a player does not know."""
        assert self.position is not None
        rng = ziggurat.generator(how.seed)
        self.told = self.knows().redealt(how.player, rng.copy())
        self._take(self.position.redeal(how.player, rng))
        self.resampled = (*self.resampled, how)

    def play(self, position: Position, action: int) -> None:
        position.play(self.player, action)
        self.actions.append(action)
        actors = position.actors
        self.player = actors[0] if actors else TERMINAL

    def knows(self) -> _View:
        """Return what everybody has been told."""
        assert self.position is not None
        told = self.told or _View.begin(self.setup.deal(self.deal, trace=True))
        self.told = told = told.after(self.actions)
        return told


class _Kept(msgspec.Struct, array_like=True):
    """The pickled form of a table."""

    versions: tuple[str, str]
    setup: _Setup
    deal: str  # as many digits as were drawn
    actions: list[int]
    resampled: tuple[_Resampling, ...]
    root: bytes | None


def _laid_again(text: bytes) -> _Table:
    """Return the table from its pickled form.

    Raises:
        PositionError: for one of other rules or printed numbers, under which its actions may lead elsewhere.
    """
    kept = msgspec.json.decode(text, type=_Kept)
    if kept.versions != kept.setup.versions:
        was, now = (f"{version} (components {digest[:8]})" for version, digest in (kept.versions, kept.setup.versions))
        raise PositionError(f"this state was kept by version {was} of {kept.setup.game}, this is {now}")
    table = _Table(kept.setup)
    for digit in kept.deal:
        table.draw(int(digit, BASE))
    if kept.root is not None:
        table.begin(kept.root)
    resampled = list(kept.resampled)
    for number in range(len(kept.actions) + 1):
        while resampled and resampled[0].after == number:
            table.resample(resampled.pop(0))
        if number < len(kept.actions):
            assert table.position is not None
            table.play(table.position, kept.actions[number])
    return table


class ZigguratState(pyspiel.State):  # type: ignore[misc]
    """A state of a game. ``position`` is what has been dealt and played, hidden facts included."""

    def __init__(self, game: ZigguratGame) -> None:
        super().__init__(game)
        # OpenSpiel copies and pickles what is in __dict__, one by one: there is one.
        self._table = _Table(game.setup)

    @property
    def position(self) -> Position | None:
        """None until the deal is drawn."""
        return self._table.position

    @property
    def deal(self) -> int:
        """The drawn digits of the deal: when all are drawn, the seed of the game."""
        return self._table.deal

    # --- What OpenSpiel calls ---

    def current_player(self) -> int:
        return self._table.player

    def is_terminal(self) -> bool:
        return self._table.player == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return _DIGIT

    def is_chance_node(self) -> bool:
        return self._table.player == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions; OpenSpiel's own method would call back four times to find the same."""
        decides = self._table.player
        if decides < 0 or player not in (None, decides):
            found: list[int] = super().legal_actions() if player is None else super().legal_actions(player)
            return found
        return self._legal_actions(decides)

    def _legal_actions(self, player: int) -> list[int]:
        position = self._table.position
        assert position is not None
        return sorted(position.legal(player))

    def _apply_action(self, action: int) -> None:
        position = self._table.position
        if position is None:
            self._table.draw(action)
        else:
            self._table.play(position, action)

    def returns(self) -> list[float]:
        """Return the returns: for a sole winner 1, less for more of them, and what makes the sum 0 for others; alone 1
        or -1."""
        position = self._table.position
        return [0.0] * self._table.setup.players if position is None else position.returns()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"digit {action:x}"
        position = self._table.position
        if not 0 <= action < self.num_distinct_actions():
            raise ValueError(f"actions are 0 to {self.num_distinct_actions() - 1}, not {action}")
        if position is None:
            return ziggurat.game(self._table.setup.game).space.write(action)
        return position.write_step(action)

    def __str__(self) -> str:
        """Return the deal, the moves, and a digest of everything, so that equal strings mean equal states."""
        table = self._table
        position = table.position
        if position is None:
            return f"deal {table.deal:0{table.drawn}x}" if table.drawn else "deal"
        last = ", ".join(map(str, table.actions[-4:]))
        # What follows from the options is said by the game's parameters.
        told = position.to_bytes()[: position.game.size_without_options]
        lines = [
            f"deal 0x{table.deal:0{DIGITS}x}, {len(table.actions)} played, the last: {last}",
            f"points {' '.join(map(str, position.scores))}",
            f"position {hashlib.sha256(told).hexdigest()[:16]}",
        ]
        return "\n".join(lines)

    def resample_from_infostate(self, player: int, uniform: Callable[[], float]) -> ZigguratState:
        """Return a state at random from those that look the same to a player, for searching with what it knows.

        What others know begins with it, and its history is the true one.

        Args:
            uniform: gives numbers from 0 to 1, such as ``pyspiel.UniformProbabilitySampler(0.0, 1.0)``.
        """
        if self._table.position is not None:
            self._table.knows()  # made once for all that are drawn
        twin: ZigguratState = self.clone()
        if self._table.position is not None:
            twin._resample(player, int(uniform() * 2**32) << 32 | int(uniform() * 2**32))
        return twin

    def _resample(self, player: int, seed: int) -> None:
        self._table.resample(_Resampling(len(self._table.actions), player, seed))

    # --- In words, structs and JSON ---

    def observation_text(self, player: int, language: str = "en") -> str:
        """Return a player's view and decision, in words: at most 2,000 characters.

        Args:
            language: ``en`` or ``hu``.
        """
        position = self._table.position
        return "" if position is None else observation_text(position, player, language)

    def _to_struct(self) -> dict[str, Any]:
        """Return the whole state, hidden facts included: the draws and moves determine it, the rest is there to be
        read."""
        table = self._table
        position, setup = table.position, table.setup
        told: dict[str, Any] = {
            "game": setup.game,
            "players": setup.players,
            "options": dict(setup.options),
            "current_player": table.player,
            "history": [int(action) for action in self.history()],
        }
        if table.resampled:
            told["resampled"] = [{**how._asdict(), "seed": f"{how.seed:016x}"} for how in table.resampled]
        told["table"] = None if position is None else plain(position.view_all())
        told["hidden"] = None if position is None else plain(position.secrets())
        return told

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        """Return a player's observation: its view, its question, and its legal actions."""
        table = self._table
        position = table.position
        told: dict[str, Any] = {"player": player, "current_player": table.player, "view": None, "asked": None}
        if position is not None:
            say, ask = catalogue("en", position.game), position.ask(player)
            told["view"] = plain(position.view(player))
            told["asked"] = None if ask is None else say.say(ask, seat_names(say, position))
        legal = self._legal_actions(player) if player == table.player else []
        told["legal_actions"] = [self._action_to_struct(player, action) for action in legal]
        return told

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        """Return an action as names: its type, its fields, and its notation."""
        if player == CHANCE:
            return {"type": "digit", "digit": action}
        notation = self._action_to_string(player, action)
        declared = ziggurat.game(self._table.setup.game).space[action]
        return {"type": declared.type, **plain(declared.values(action)), "notation": notation}

    def _struct_to_actions(self, struct: Mapping[str, Any]) -> list[int]:
        """Return the actions that a struct names: by its type and fields, or by its notation alone.

        Raises:
            ValueError: saying what is wrong; whether an action is legal is another question.
        """
        if not isinstance(struct, Mapping):
            raise ValueError(f"an action is an object of names and values, not {struct!r:.60}")
        table = self._table
        if table.player == CHANCE:
            if set(struct) != {"type", "digit"} or struct["type"] != "digit" or struct["digit"] not in range(BASE):
                raise ValueError(f'a digit of the deal is {{"type": "digit", "digit": 0 to {BASE - 1}}}, not {struct}')
            return [int(struct["digit"])]
        position, notation = table.position, struct.get("notation")
        if position is None or position.finished:
            raise ValueError("the game is over: there are no more actions")
        if "type" not in struct:
            if set(struct) != {"notation"} or not isinstance(notation, str):
                raise ValueError(f"an action has a type and its fields, or a notation alone, not {', '.join(struct)}")
            return [self._read_step(position, notation)]
        fields = {key: struct[key] for key in struct if key not in _BESIDE}
        try:
            action = position.game.space.named(struct["type"], fields)
        except ZigguratError as error:
            raise ValueError(error.detail) from None
        if notation is not None and notation != self._action_to_string(table.player, action):
            said = self._action_to_string(table.player, action)
            raise ValueError(f"this action is written {said!r} here, not {notation!r:.60}")
        return [action]

    def _read_step(self, position: Position, notation: str) -> int:
        try:
            steps = position.read_move(notation, self._table.player)
        except ZigguratError as error:
            raise ValueError(error.detail) from None
        if len(steps) > 1:
            raise ValueError(f"{notation!r} is a move of {len(steps)} actions; name them one by one")
        return steps[0]

    def get_action_struct_sampler(self, seed: int) -> ActionSampler:
        return ActionSampler(self, seed)


_BESIDE = frozenset({"type", "notation"})


class ActionSampler:
    """A sampler of legal actions of a state, as structs; OpenSpiel's own does not work for games in Python."""

    def __init__(self, state: ZigguratState, seed: int) -> None:
        self._state = state
        self._random = random.Random(seed)

    def sample_action_struct(self) -> Any:
        return self._state.action_to_struct(self._random.choice(self._state.legal_actions()))


class _Carrier(pyspiel.State):  # type: ignore[misc]
    """A carrier of a dictionary into a struct: only states can make one of it."""

    def __init__(self, game: ZigguratGame, told: Mapping[str, Any] | str) -> None:
        super().__init__(game)
        try:
            self._told = json.loads(told) if isinstance(told, str) else dict(told)
        except (TypeError, ValueError) as error:
            raise ValueError(f"a struct is made of a dictionary, or of its JSON: {error}") from None
        if not isinstance(self._told, dict):
            raise ValueError(f"a struct is made of an object in JSON, not of {self._told!r:.60}")

    def _to_struct(self) -> dict[str, Any]:
        return self._told

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self._told

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return self._told


class ZigguratGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its number of players and options; each has a class of its own, with its ``rules``."""

    rules: Game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Compile the rules, or load them from the cache.

        Raises:
            BadOption: for a number of players or a value of an option that the game does not have.
        """
        game, usual = self.rules, parameters.specification(self.rules)
        players, options = parameters.setup(game, params or {})
        self.setup = _Setup(game.id, players, tuple(options.items()))
        # OpenSpiel puts them into the name of the game.
        given = {name: value for name, value in self.get_parameters().items() if value != usual[name]}
        self.features = tuple(game.features(players))
        kind = _game_type(game) if players > 1 else _game_type(game, pyspiel.GameType.Utility.GENERAL_SUM)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions,
            max_chance_outcomes=BASE,
            num_players=players,
            min_utility=-1 / max(players - 1, 1),
            max_utility=1.0,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=game.longest(players),
        )
        super().__init__(kind, info, given)
        ziggurat.prepare(game)

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def get_parameters(self) -> dict[str, Any]:
        return dict(parameters.parameters(self.rules, self.setup.players, dict(self.setup.options)))

    def new_initial_state(self, state: Any = None) -> ZigguratState:
        """Return a state before the deal, or the one of a struct, a dictionary or JSON.

        Raises:
            ValueError: naming what is wrong with it: its history decides, and whatever else it says must follow.
        """
        new = ZigguratState(self)
        if state is not None:
            _go_on(new, state.to_dict() if isinstance(state, pyspiel.SpielStruct) else state)
        return new

    # As on the classes of games in C++: a struct of a dictionary, or of its JSON.

    def StateStruct(self, told: Mapping[str, Any] | str) -> Any:
        return _Carrier(self, told).to_struct()

    def ObservationStruct(self, told: Mapping[str, Any] | str) -> Any:
        return _Carrier(self, told).to_observation_struct(0)

    def ActionStruct(self, told: Mapping[str, Any] | str) -> Any:
        return _Carrier(self, told).action_to_struct(0, 0)

    def action_struct_spec(self) -> tuple[str, str]:
        """Return the types of actions with the values of their fields, and an example; both in JSON."""
        declared = self.rules.space.types.values()
        types = {one.type: {name: _some(of.values) for name, of in one.fields.items()} for one in declared}
        first = max(declared, key=lambda one: len(one.fields))
        return json.dumps(types), json.dumps({"type": first.type, **plain(first.values(first.base))})

    def max_chance_nodes_in_history(self) -> int:
        return DIGITS

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> ZigguratObserver | None:
        """Return an observer of a player's view, or with perfect recall of its information state; None for other kinds
        of observation."""
        if params:
            raise ValueError(f"observations have no parameters, not {', '.join(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return ZigguratObserver(self.features, kind.perfect_recall)


class ZigguratObserver:
    """An observation of a player as numbers and as text.

    Attributes:
        tensor: float32: the one-hot form of the observation, see ``ziggurat.core.features``. Of an information state,
            which no tensor of a fixed size has room for, a fingerprint follows: 64 places that are 0 or 1, the same
            for two states exactly if the player was told the same.
        dict: its parts by name, ``observation`` and perhaps ``fingerprint``.
    """

    def __init__(self, features: Sequence[Feature], recall: bool) -> None:
        self._features = features
        self._recall = recall
        self._one_hot = OneHot(features)
        size = self._one_hot.size
        self.tensor = np.zeros(size + FINGERPRINT * recall, dtype=np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if recall:
            self.dict["fingerprint"] = self.tensor[size:]

    def set_from(self, state: ZigguratState, player: int) -> None:
        position = state.position
        if position is None:
            self.tensor.fill(0)
            return
        self._one_hot.fill(position.observe(player), self.dict["observation"])
        if self._recall:
            digest = hashlib.sha256(self.string_from(state, player).encode()).digest()
            self.dict["fingerprint"][:] = np.unpackbits(np.frombuffer(digest, np.uint8))[:FINGERPRINT]

    def string_from(self, state: ZigguratState, player: int) -> str:
        position = state.position
        if position is None:
            return ""
        if self._recall:
            return state._table.knows().text(player)
        sees = position.observe(player)
        return " ".join(self._features[column].said(int(sees[column])) for column in np.flatnonzero(sees).tolist())


FEW = 24
"""Values of a field that are all listed; of more the first and the last."""


def _some(values: Sequence[Any]) -> Any:
    all_ = plain(values)
    return all_ if len(all_) <= FEW else f"one of {len(all_)}, from {all_[0]} to {all_[-1]}"


def plain(value: Any) -> Any:
    """Return a value as dictionaries, lists, texts and numbers, as in JSON."""
    return json.loads(msgspec.json.encode(value))


def _go_on(state: ZigguratState, told: Any) -> None:
    """Lead a state before the deal to the described one.

    Raises:
        ValueError: see ``ZigguratGame.new_initial_state``.
    """
    try:
        told = json.loads(told) if isinstance(told, str) else told
    except ValueError as error:
        raise ValueError(f"this is no state in JSON: {error}") from None
    if not isinstance(told, Mapping) or "history" not in told:
        raise ValueError("a state is told by its history: the digits of its deal and the actions after it")
    try:
        history = msgspec.convert(told["history"], list[int])
        resampled = msgspec.convert(told.get("resampled", []), list[_Told])
    except msgspec.ValidationError as error:
        raise ValueError(f"history and resampled are not what a state told: {error}") from None
    for number in range(len(history) + 1):
        try:
            while resampled and resampled[0].after == number - DIGITS:
                how = resampled.pop(0)
                state._resample(how.player, int(how.seed, 16))
            if number < len(history):
                state.apply_action(history[number])
        except (ValueError, RuntimeError, ZigguratError) as error:
            raise ValueError(f"history, place {number}: {error}") from None
    if resampled:
        raise ValueError(f"resampled after {resampled[0].after} actions, of which there are not so many")
    found = state.to_dict()
    for key in told:
        if key not in found or found[key] != told[key]:
            raise ValueError(f"{key} is not what the history leads to")


class _Told(msgspec.Struct, forbid_unknown_fields=True):
    """A resampling in JSON."""

    after: Annotated[int, msgspec.Meta(ge=0)]
    player: int
    seed: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]


def _game_type(game: Game, utility: Any = pyspiel.GameType.Utility.ZERO_SUM) -> Any:
    told: dict[str, Any] = {
        "short_name": f"{PREFIX}{game.id}",
        "long_name": catalogue("en", game)("name"),
        "dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL,
        "chance_mode": pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        "information": pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        "utility": utility,
        "reward_model": pyspiel.GameType.RewardModel.TERMINAL,
        "max_num_players": game.max_players,
        "min_num_players": game.min_players,
        "provides_information_state_string": True,
        "provides_information_state_tensor": True,
        "provides_observation_string": True,
        "provides_observation_tensor": True,
        "parameter_specification": parameters.specification(game),
    }
    kind = pyspiel.GameType(**told)
    if kind.is_concrete:
        return kind
    # The binding hands its last argument on as `is_concrete`, which leaves games in Python out of the list of names
    # (pyspiel 2.0.2, its own games too).
    listed = pyspiel.GameType(**told, action_structs_only=True)
    return kind if listed.action_structs_only else listed


def _register(game: Game) -> None:
    # A class, because OpenSpiel lets go of what makes games after Python has ended: classes live for ever.
    pyspiel.register_game(_game_type(game), type(f"Ziggurat{game.id.title()}", (ZigguratGame,), {"rules": game}))


for _each in ziggurat.registered_games().values():
    _register(_each)

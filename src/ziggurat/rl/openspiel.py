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
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyspiel

import ziggurat
from ziggurat.core.features import Feature, OneHot
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.core.trace import Event

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
    """What is played, in plain data."""

    game: str
    players: int
    options: tuple[tuple[str, str], ...]

    def deal(self, number: int, *, trace: bool = False) -> Position:
        return ziggurat.new(self.game, self.players, seed=number, options=dict(self.options), trace=trace)


class _View:
    """What every seat has been told up to a position, line by line; never changed.

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
        """At the beginning of a game; the position has its events."""
        nothing = np.zeros_like(position.observe(None))
        told = cls(position, [[] for _ in range(position.players)], [nothing] * position.players)
        told._hear(position.events)
        return told

    def redealt(self, seat: int, rng: np.ndarray) -> _View:
        """Return the records of a redealt position: the seat keeps its own, the others begin without any."""
        told = _View.begin(self.position.redeal(seat, rng))
        told.lines[seat], told.seen[seat] = self.lines[seat], self.seen[seat]
        return told

    def after(self, actions: Sequence[int]) -> _View:
        """The same after all that has been played since the position was dealt."""
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
    """A game as it stands: all of a state that OpenSpiel copies and keeps, in one object."""

    __slots__ = ("actions", "deal", "drawn", "player", "position", "setup", "told")

    def __init__(self, setup: _Setup) -> None:
        self.setup = setup
        self.deal = 0
        self.drawn = 0
        self.position: Position | None = None  # until all digits are drawn
        self.actions: list[int] = []  # played on it
        self.player = CHANCE
        self.told: _View | None = None  # made when a seat is first asked what it knows

    def __deepcopy__(self, memo: Any) -> _Table:
        twin = copy(self)
        twin.actions = self.actions.copy()
        if self.position is not None:
            twin.position = self.position.copy()
        return twin

    def draw(self, digit: int) -> None:
        if not 0 <= digit < BASE:
            raise ValueError(f"a digit of the deal is 0 to {BASE - 1}, not {digit}")
        self.deal = self.deal * BASE + digit
        self.drawn += 1
        if self.drawn == DIGITS:
            self.take(self.setup.deal(self.deal))

    def take(self, position: Position) -> None:
        """Go on from another position."""
        self.position = position
        self.actions = []
        self.player = min(position.actors, default=TERMINAL)

    def play(self, position: Position, action: int) -> None:
        position.play(self.player, action)
        self.actions.append(action)
        actors = position.actors
        self.player = actors[0] if actors else TERMINAL

    def knows(self) -> _View:
        """What everybody has been told."""
        assert self.position is not None
        told = self.told or _View.begin(self.setup.deal(self.deal, trace=True))
        self.told = told = told.after(self.actions)
        return told


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
        """What has been drawn of it: when all is, the seed of the game."""
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
        """OpenSpiel's own would call back four times to find the same."""
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
        """For a sole winner 1, less for more of them, and what makes the sum 0 for others; alone 1 or -1."""
        position, players = self._table.position, self._table.setup.players
        if position is None or not position.finished:
            return [0.0] * players
        winners = position.winners
        share = 1 / len(winners) if winners else 0.0
        if players == 1:
            return [2 * share - 1]
        return [((players * share if seat in winners else 0.0) - 1) / (players - 1) for seat in range(players)]

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
        """The deal, what was played, and a digest of everything, so that equal strings mean equal states."""
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
        """A state at random from those that look the same to a player, for searching with what it knows.

        What others know begins with it, and its history is the true one.

        Args:
            uniform: gives numbers from 0 to 1, such as ``pyspiel.UniformProbabilitySampler(0.0, 1.0)``.
        """
        table = self._table
        twin: ZigguratState = self.clone()
        if table.position is not None:
            rng = ziggurat.generator(int(uniform() * 2**32) << 32 | int(uniform() * 2**32))
            twin._table.told = table.knows().redealt(player, rng.copy())
            twin._table.take(table.position.redeal(player, rng))
        return twin


class ZigguratGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its number of players and options; each has a class of its own, with its ``rules``."""

    rules: Game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Compile the rules, or load them from the cache.

        Raises:
            BadOption: for a number of players or a value of an option that the game does not have.
        """
        game, usual = self.rules, _parameters(self.rules)
        # Commas separate parameters: where a value has some, it is written with slashes.
        told = {name: str(value).replace(",", "/") for name, value in (params or {}).items() if name != "players"}
        players = int((params or {}).get("players", usual["players"]))
        options = game.check_setup(players, {name: value.replace("/", ",") for name, value in told.items()})
        # OpenSpiel puts them into the name of the game.
        given = {name: value for name, value in {"players": players, **told}.items() if value != usual[name]}
        self.setup = _Setup(game.id, players, tuple(options.items()))
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
        return {"players": self.setup.players, **dict(self.setup.options)}

    def new_initial_state(self) -> ZigguratState:
        return ZigguratState(self)

    def max_chance_nodes_in_history(self) -> int:
        return DIGITS

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> ZigguratObserver | None:
        """What a player sees, or with perfect recall knows; None for other kinds of observation."""
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
        return " ".join(f"{self._features[column].name}={sees[column]}" for column in np.flatnonzero(sees).tolist())


def _parameters(game: Game) -> dict[str, Any]:
    """What can be said about a game, and what holds when nobody says it."""
    return {"players": max(2, game.min_players), **{option.name: option.default for option in game.options}}


def _game_type(game: Game, utility: Any = pyspiel.GameType.Utility.ZERO_SUM) -> Any:
    return pyspiel.GameType(
        short_name=f"{PREFIX}{game.id}",
        long_name=catalogue("en", game)("name"),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.max_players,
        min_num_players=game.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _register(game: Game) -> None:
    # A class, because OpenSpiel lets go of what makes games after Python has ended: classes live for ever.
    pyspiel.register_game(_game_type(game), type(f"Ziggurat{game.id.title()}", (ZigguratGame,), {"rules": game}))


for _each in ziggurat.registered_games().values():
    _register(_each)

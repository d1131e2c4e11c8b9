"""The games as Kaggle's environment plays them: ``python_ziggurat_<game>_proxy`` in OpenSpiel, registered by this
import.

They differ from those of :mod:`ziggurat.rl.openspiel` in what is sent to agents. An observation is JSON: what the seat
sees, in structs and in words, and all that it may do. Nothing else is sent: the state hides itself
(``hides_state_from_agents``) and has no serialised form. Where seats decide at the same time, all of them are asked
in one step and go on in the next, so that not even the number of steps tells anybody of another's choice.

Kaggle's environment draws the digits of the deal from a seed that stands in the configuration, which agents are
handed. So the digits are keyed: the cards follow from them and from a secret of this process, or of the host
(``ZIGGURAT_KAGGLE_KEY``), with which the same seed deals the same cards again.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import pyspiel

import ziggurat
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.rl import parameters, prompts
from ziggurat.rl.at_once import AtOnce
from ziggurat.rl.openspiel import BASE, CHANCE, DIGITS, PREFIX, TERMINAL, plain

KEY = "ZIGGURAT_KAGGLE_KEY"
"""The environment variable with the secret that deals, of a host who wants to deal the same again."""
SIMULTANEOUS = int(pyspiel.PlayerId.SIMULTANEOUS)
BLANK = "not to be had: it would hold what is hidden"
"""In place of a serialised state."""

_key = secrets.token_bytes(32)


def short_name(game: str) -> str:
    """Return the name of a game in OpenSpiel, as Kaggle's environment looks for it."""
    return f"{PREFIX}{game}_proxy"


def _dealt(digits: Sequence[int]) -> bytes:
    """Return the seed of a deal, which nobody finds who knows the digits and not the secret."""
    key = os.environ[KEY].encode() if os.environ.get(KEY) else _key
    return hmac.digest(key, bytes(digits), "sha256")


class _Deal(NamedTuple):
    """How a game is set up."""

    game: str
    players: int
    options: tuple[tuple[str, str], ...]


class _Held:
    """All of a state that OpenSpiel copies, in one object."""

    def __init__(self, deal: _Deal) -> None:
        self.deal = deal
        self.digits: list[int] = []
        self.table: AtOnce | None = None
        self.told = [0] * deal.players

    def __deepcopy__(self, memo: Any) -> _Held:
        twin = _Held(self.deal)
        twin.digits, twin.told = list(self.digits), list(self.told)
        twin.table = deepcopy(self.table)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"the state of a game at Kaggle is {BLANK}")


class KaggleState(pyspiel.State):  # type: ignore[misc]
    """A state of a game as Kaggle's environment plays it."""

    def __init__(self, game: KaggleGame) -> None:
        super().__init__(game)
        self._held = _Held(game.deal)

    @property
    def position(self) -> Position | None:
        """What has been played; None before the deal."""
        return None if self._held.table is None else self._held.table.position

    def hides_state_from_agents(self) -> bool:
        """Whether agents are sent no serialised state; Kaggle's environment asks."""
        return True

    def serialize(self) -> str:
        """Return nothing of the state, for versions of Kaggle's environment that do not ask."""
        return BLANK

    def __getstate__(self) -> Any:
        raise TypeError(f"the state of a game at Kaggle is {BLANK}")

    # --- What OpenSpiel calls ---

    def current_player(self) -> int:
        table = self._held.table
        if table is None:
            return CHANCE
        if table.position.finished:
            return TERMINAL
        return SIMULTANEOUS if table.together else table.position.actors[0]

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def is_chance_node(self) -> bool:
        return self._held.table is None

    def is_simultaneous_node(self) -> bool:
        return self.current_player() == SIMULTANEOUS

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(digit, 1 / BASE) for digit in range(BASE)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return what a seat may play now, by default the one that decides."""
        decides = self.current_player() if player is None else player
        if decides == CHANCE:
            return list(range(BASE)) if self._held.table is None else []
        return self._legal_actions(decides)

    def _legal_actions(self, player: int) -> list[int]:
        table = self._held.table
        if table is None or player not in table.waiting:
            return []
        return sorted(table.sight(player).legal(player))

    def _apply_action(self, action: int) -> None:
        held = self._held
        if held.table is not None:
            self._play(self.current_player(), action)
            return
        if not 0 <= action < BASE:
            raise ValueError(f"a digit of the deal is 0 to {BASE - 1}, not {action}")
        held.digits.append(int(action))
        if len(held.digits) == DIGITS:
            deal = held.deal
            dealt = ziggurat.new(deal.game, deal.players, seed=_dealt(held.digits), options=dict(deal.options))
            held.table = AtOnce(dealt)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        table = self._held.table
        for seat in () if table is None else table.waiting:
            self._play(seat, actions[seat])

    def _play(self, seat: int, action: int) -> None:
        held = self._held
        table = held.table
        assert table is not None
        sees, all_see = table.sight(seat).rows_written, table.position.rows_written
        table.play(seat, int(action))
        held.told[seat] = sees if table.has_begun(seat) else all_see

    def _action_to_string(self, player: int, action: int) -> str:
        table = self._held.table
        if player == CHANCE or table is None:
            return f"digit {action:x}"
        return table.sight(player).write_step(action)

    def returns(self) -> list[float]:
        position = self.position
        return [0.0] * self._held.deal.players if position is None else position.returns()

    def rewards(self) -> list[float]:
        return self.returns()

    # --- In JSON ---

    def observation_dict(self, player: int | None) -> dict[str, Any]:
        """Return what a seat (None: an onlooker) is sent."""
        held, table = self._held, self._held.table
        told: dict[str, Any] = {
            "game": held.deal.game,
            "players": held.deal.players,
            "options": dict(held.deal.options),
            "player": player,
            "current_player": self.current_player(),
            "is_terminal": self.is_terminal(),
            "view": None,
            "text": "",
            "happened": [],
            "asked": None,
            "legal_actions": [],
        }
        if table is None:
            return told
        names = prompts.player_names(held.deal.players)
        position = table.position if player is None else table.sight(player)
        told["view"] = plain(position.view(player))
        if player is None or position.finished:
            told["text"] = prompts.seen(position, player, names)
        elif player in table.waiting:
            # Words are for who must decide: a replay holds what everybody is sent at every step.
            told["text"] = prompts.seen(position, player, names)
            told["happened"] = prompts.news(position, player, held.told[player], names)
            told["asked"] = prompts.asked(position, player, names)
            told["legal_actions"] = [
                {
                    "action": one.action,
                    **_named(position.game, one.action),
                    "notation": one.notation,
                    "words": one.words,
                }
                for one in prompts.choices(position, player, names)
            ]
        if position.finished:
            told["scores"], told["winners"] = list(position.scores), list(position.winners or ())
            told["returns"] = position.returns()
        return told

    def to_json(self, player: int | None = None) -> str:
        """Return what a seat, or an onlooker, is sent, as JSON."""
        return json.dumps(self.observation_dict(player), ensure_ascii=False)

    def observation_string(self, player: int) -> str:
        return self.to_json(player)

    def __str__(self) -> str:
        """Return what an onlooker sees: Kaggle's environment writes it into its replays."""
        return self.to_json(None)


def _named(game: Game, action: int) -> dict[str, Any]:
    declared = game.space[action]
    return {"type": declared.type, **plain(declared.values(action))}


class KaggleGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its number of players and options; each has a class of its own, with its ``rules``."""

    rules: Game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """
        Raises:
            BadOption: for a number of players or a value of an option that the game does not have.
        """
        game = self.rules
        players, options = parameters.setup(game, params or {})
        self.deal = _Deal(game.id, players, tuple(options.items()))
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions,
            max_chance_outcomes=BASE,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=game.longest(players),
        )
        super().__init__(_game_type(game), info, dict(parameters.parameters(game, players, options)))

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def get_parameters(self) -> dict[str, Any]:
        return dict(parameters.parameters(self.rules, self.deal.players, dict(self.deal.options)))

    def new_initial_state(self, state: Any = None) -> KaggleState:
        """Return a state before the deal.

        Raises:
            ValueError: for a state to go on from: there is none that could be written down.
        """
        if state is not None:
            raise ValueError(f"a state is {BLANK}")
        return KaggleState(self)

    def max_chance_nodes_in_history(self) -> int:
        return DIGITS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> KaggleObserver:
        return KaggleObserver()


class KaggleObserver:
    """An observer that says what a seat is sent, and has no numbers."""

    def __init__(self) -> None:
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: KaggleState, player: int) -> None:
        """Do nothing: there are no numbers."""

    def string_from(self, state: KaggleState, player: int) -> str:
        return state.to_json(player)


def _game_type(game: Game) -> Any:
    return pyspiel.GameType(
        short_name=short_name(game.id),
        long_name=f"{catalogue('en', game)('name')} (proxy)",
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.max_players,
        min_num_players=game.min_players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification=parameters.specification(game),
    )


for _each in ziggurat.registered_games().values():
    # A class, because OpenSpiel lets go of what makes games after Python has ended: classes live for ever.
    pyspiel.register_game(_game_type(_each), type(f"Kaggle{_each.id.title()}", (KaggleGame,), {"rules": _each}))

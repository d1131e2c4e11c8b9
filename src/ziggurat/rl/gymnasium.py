"""Gymnasium: one seat of a game learns, bots play the others.

>>> import gymnasium, ziggurat.rl
>>> env = gymnasium.make("ziggurat/Alhambra-v0", players=2, opponents="greedy")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

docs/rl.md tells the conventions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Literal, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

from ziggurat import vector
from ziggurat.bots import Belief, Bot
from ziggurat.core.errors import BadOption, IllegalAction
from ziggurat.core.game import Components, Game
from ziggurat.core.seed import generator
from ziggurat.rl import spaces
from ziggurat.rl.opponents import chosen, drawn, opponents_of, ready

ILLEGAL_REWARD = -1.0
"""For ending a game by an illegal action."""
INSIDE = tuple(vector.BRAINS)
"""Bots that play inside the compiled loop."""


def plays_inside(opponent: Any) -> bool:
    """Whether a bot plays inside the compiled loop."""
    return isinstance(opponent, str) and opponent in INSIDE


def check_seat(seat: int | None, players: int) -> None:
    """Refuse a seat that does not exist.

    Raises:
        BadOption.
    """
    if seat is not None and seat not in range(players):
        raise BadOption(f"seats are 0 to {players - 1}, not {seat}")


class GameEnv(gymnasium.Env[np.ndarray, np.int64]):
    """A game seen from one seat.

    A step ends when that seat must decide again, or the game is over. An illegal action ends the game with a reward
    of -1, since Gymnasium's own tools draw actions without a mask; ``info["illegal"]`` says which it was.

    ``info`` holds ``action_mask``, int8 of shape (actions,), and ``seat``; at the end ``scores`` of all seats,
    ``share``, the learner's part of the win, and ``length``, the number of everybody's decisions.

    Args:
        game: id of a game, see :func:`ziggurat.games`.
        players: number of seats; by default two, or as many as the game needs.
        opponents: whatever :func:`ziggurat.bots.entrants.entrant` takes, such as ``greedy`` or ``builder``: one for all
            other seats, or a list from the learner clockwise. ``random`` and ``greedy`` are played in compiled code.
            Each game draws one of a :class:`ziggurat.rl.opponents.Pool`.
        seat: of the learner; by default it moves up by one from game to game.
        options, components: see :func:`ziggurat.new`.
        observations, rewards: see :func:`ziggurat.vector.make`.
        render_mode: ``human`` prints the board after each step, ``ansi`` lets ``render`` return it, every hand open;
            with ``rgb_array`` it returns a picture of what the learner sees, uint8 of shape (960, 1280, 3).

    Raises:
        UnknownGame, BadOption, UnknownBot: saying what would have been right.
    """

    metadata: dict[str, Any] = {"render_modes": [*spaces.RENDER_MODES], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        opponents: Any = "greedy",
        *,
        seat: int | None = None,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        observations: vector.Observations = "one_hot",
        rewards: Literal["win", "points"] = "win",
        render_mode: spaces.RenderMode | None = None,
    ) -> None:
        found, players = chosen(game, players)
        check_seat(seat, players)
        spaces.check_render_mode(render_mode)
        others = opponents_of(opponents, players)
        compiled = all(plays_inside(other) for other in others)
        self._opponents = None if compiled else [ready(other, found) for other in others]
        chairs = range(players) if seat is None else [seat]
        # Compiled opponents: games for each chair of the learner, since theirs do not change.
        self._tables = {
            chair: vector.make(
                found,
                players,
                options=options,
                components=components,
                observations=observations,
                inside={(chair + 1 + k) % players: other for k, other in enumerate(others)} if compiled else None,
                rotate=False,
                rewards=rewards,
                autoreset=False,
                threads=1,
            )
            for chair in (chairs if compiled else list(chairs)[:1])
        }
        self._chairs = list(chairs)
        self._number = 0
        self.render_mode = render_mode
        self.games = next(iter(self._tables.values()))
        self.seat = self._chairs[0]
        self.metadata = {**spaces.metadata(found, players, self.games.components)}
        self.observation_space = spaces.observation_space(self.games)
        self.action_space = Discrete(found.actions)
        self._over = True
        self._points = rewards == "points"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game.

        Args:
            seed: without it the next deal follows from the last seed. Where the learner changes seats, it also says
                with which one that goes on: ``seed`` modulo the number of seats, so that seeds in a row measure all.
            options: ``{"position": position}`` begins from a :class:`ziggurat.Position`; other names are ignored.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._number = seed
            for chair, table in self._tables.items():
                table.reset(seed + (chair << 192))  # each with deals of its own
        self.seat = self._chairs[self._number % len(self._chairs)]
        self._number += 1
        self.games = self._tables.get(self.seat, self.games)
        while True:
            self.games.reset()
            if options and options.get("position") is not None:
                self.games.put(0, options["position"])
            self._begin_bots()
            self._let_others_play()
            if self.games.actors[0] or (options and options.get("position") is not None):
                break  # else nobody asked the learner in the whole game, and the next one is dealt
        if not self.games.actors[0]:
            raise BadOption("a game begins from a position in which the learner still has to decide")
        self._over = False
        return self._look()

    def _begin_bots(self) -> None:
        if self._opponents is None:
            return
        players = self.games.players
        self._position = self.games.position(0)
        self._chance = generator(int(self.np_random.integers(2**63)))
        specs = [drawn(one, self.games.game, self.np_random) for one in self._opponents]
        self._bots: dict[int, Bot] = {(self.seat + 1 + k) % players: spec.bot() for k, spec in enumerate(specs)}

    def _let_others_play(self) -> None:
        """Let the others play until the learner is asked or the game is over."""
        games = self.games
        self._gained = games.rewards[0].copy()
        if self._opponents is None:
            return
        while (seat := int(games.seats[0])) != self.seat and seat >= 0:
            legal = self._position.legal(seat)
            bot, chance = self._bots[seat], self._chance
            action = legal[0] if len(legal) == 1 else bot.choose(Belief(self._position, seat, chance), legal, chance)
            self._position.play(seat, action)
            games.step([action])
            self._gained += games.rewards[0]

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the others play until this seat is asked again.

        Raises:
            IllegalAction: for what is no number of an action, and for a game that is over.
        """
        games = self.games
        number = self._read(action)
        if self._over:
            raise IllegalAction("the game is over: reset() begins the next one")
        if not games.masks[0, number]:
            self._over = True
            seen, info = self._look()
            return seen, ILLEGAL_REWARD, True, False, {**info, "illegal": number}
        games.step([number])
        if self._opponents is not None:
            self._position.play(self.seat, number)
        self._let_others_play()
        reward = float(self._gained[self.seat])
        over = self._over = not games.actors[0]
        if over:
            games.observe(self.seat)
        seen, info = self._look()
        if over:
            info["scores"] = games.scores[0].copy()
            info["share"] = float(games.shares[0, self.seat])
            info["length"] = int(games.lengths[0])
        if self.render_mode == "human":
            self.render()
        return seen, reward, over, False, info

    def _read(self, action: Any) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.games.actions:
            raise IllegalAction(f"an action is a number from 0 to {self.games.actions - 1}, not {action!r}")
        return number

    def _look(self) -> tuple[np.ndarray, dict[str, Any]]:
        games = self.games
        return games.observations[0].copy(), {"action_mask": games.masks[0].astype(np.int8), "seat": self.seat}

    def action_masks(self) -> np.ndarray:
        """Return the legal actions as a mask, bool of shape (actions,): the method that sb3-contrib asks for."""
        masks: np.ndarray = self.games.masks[0].copy()
        return masks

    def render(self) -> Any:
        """Draw the board, as ``render_mode`` says."""
        return spaces.render(self.games, self.render_mode, self.seat)


class GameVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """``num_envs`` games, each seen from one seat, played by compiled code; arguments as for :class:`GameEnv`.

    A new game replaces one that ends, in the same step (``AutoresetMode.SAME_STEP``): observations are of the new game,
    and ``infos["final_info"]`` tells of the old one: ``scores``, ``share``, ``length`` and ``seat``, and by
    ``infos["_final_info"]`` where. There is no ``final_obs``: no game is cut off, and behind its end nothing is worth
    anything. An illegal action is refused, by the number of its game; ``infos["action_mask"]``, int8 of shape
    (num_envs, actions), and ``action_masks()`` tell what is legal.

    Args:
        opponents: ``random`` or ``greedy``, one or a list.
        copy: whether what is returned are copies; without it they are arrays that the next step overwrites.
    """

    def __init__(
        self,
        num_envs: int,
        game: str | Game,
        players: int | None = None,
        opponents: Any = "greedy",
        *,
        seat: int | None = None,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        observations: vector.Observations = "one_hot",
        rewards: Literal["win", "points"] = "win",
        threads: int | None = None,
        copy: bool = True,
    ) -> None:
        found, players = chosen(game, players)
        check_seat(seat, players)
        first = seat or 0
        self.games = vector.make(
            found,
            players,
            num_envs,
            options,
            components=components,
            observations=observations,
            inside={(first + 1 + k) % players: other for k, other in enumerate(opponents_of(opponents, players))},
            rotate=seat is None,
            rewards=rewards,
            threads=threads,
        )
        self.num_envs = num_envs
        self.copy = copy
        self.metadata = {
            **spaces.metadata(found, players, self.games.components),
            "render_modes": [],
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self.single_observation_space = spaces.observation_space(self.games)
        self.single_action_space = Discrete(found.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)
        self._everywhere = np.ones(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin all games; see :meth:`GameEnv.reset`, but that there is nothing to choose in ``options``."""
        super().reset(seed=seed)
        self.games.reset(seed)
        return self._shown(self.games.observations), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play an action in every game.

        Args:
            actions: (num_envs,) integers.

        Raises:
            IllegalAction: naming the first game whose action is not legal; nothing has changed then.
        """
        games = self.games
        games.step(actions)
        ended = games.ended.astype(np.bool_)
        infos = self._infos()
        if ended.any():
            infos["final_info"] = self._final(ended)
            infos["_final_info"] = ended.copy()
        rewards = games.rewards[self._rows, games.played]
        return self._shown(games.observations), rewards, ended, np.zeros(self.num_envs, dtype=np.bool_), infos

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._shown(self.games.masks.view(np.int8)),
            "_action_mask": self._everywhere.copy(),
            "seat": self.games.seats.copy(),
            "_seat": self._everywhere.copy(),
        }

    def _final(self, ended: np.ndarray) -> dict[str, Any]:
        games = self.games
        told = {
            "scores": games.scores.copy(),
            "share": games.shares[self._rows, games.played],
            "length": games.lengths.copy(),
            "seat": games.played.copy(),
        }
        for name in tuple(told):
            told[name][~ended] = 0
            told[f"_{name}"] = ended.copy()
        return told

    def _shown(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def action_masks(self) -> np.ndarray:
        """Return the legal actions as masks, bool of shape (num_envs, actions)."""
        return self._shown(self.games.masks)


def vector_env(num_envs: int = 1, **settings: Any) -> VectorEnv[Any, Any, Any]:
    """Return the vector environment of ``gymnasium.make_vec``: :class:`GameVectorEnv`, or with other bots than those
    inside the compiled loop so many :class:`GameEnv`, one after the other."""
    others = settings.get("opponents", "greedy")
    each = [others] if isinstance(others, str) or not isinstance(others, Sequence) else others
    if all(plays_inside(one) for one in each):
        return GameVectorEnv(num_envs, **settings)
    made = SyncVectorEnv([lambda: GameEnv(**settings)] * num_envs, autoreset_mode=AutoresetMode.SAME_STEP)
    return cast("VectorEnv[Any, Any, Any]", made)

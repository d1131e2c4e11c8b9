"""PettingZoo: the games as AEC environments, where agents act one after the other, and as parallel ones.

>>> from ziggurat.rl import pettingzoo
>>> env = pettingzoo.env("alhambra", players=3)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter(max_iter=10):
...     observation, reward, termination, truncation, info = env.last()
...     env.step(env.action_space(agent).sample(observation["action_mask"]))

docs/rl.md tells the conventions.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.utils.env import AECEnv, ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from ziggurat import vector
from ziggurat.core.errors import BadOption, IllegalAction
from ziggurat.core.game import Components, Game
from ziggurat.rl import spaces
from ziggurat.rl.opponents import chosen

ILLEGAL_REWARD = -1.0
"""Of an agent that ends a game by an illegal action."""
_AFTER_RESET = {"agent_selection", "rewards", "terminations", "truncations", "infos"}

Masks = Literal["observation", "info"]
RenderMode = spaces.RenderMode


class _Common:
    """The common base of both kinds of environments: games, spaces, drawing."""

    def _set_up(
        self,
        game: str | Game,
        players: int | None,
        options: Mapping[str, str] | None,
        components: Components | None,
        observations: vector.Observations,
        rewards: Literal["win", "points"],
        masks: Masks,
        render_mode: RenderMode | None,
        seats: Literal["actor", "all"],
    ) -> None:
        game, players = chosen(game, players)
        if masks not in ("observation", "info"):
            raise BadOption(f"masks are in the observation or in the info, not in {masks!r}")
        spaces.check_render_mode(render_mode)
        self.games = vector.make(
            game,
            players,
            options=options,
            components=components,
            observations=observations,
            rewards=rewards,
            seats=seats,
            autoreset=False,
        )
        self.render_mode = render_mode
        self.possible_agents = spaces.names(players)
        self._masks_inside = masks == "observation"
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.metadata = {
            **spaces.metadata(game, players, self.games.components),
            "name": f"{game.id}_v{game.version}",
            "is_parallelizable": False,  # not by PettingZoo's wrapper, which lets every agent act in every cycle
        }
        actions = game.actions + (seats == "all")

        def seen() -> Box | Dict:
            seen = spaces.observation_space(self.games)
            if not self._masks_inside:
                return seen
            return Dict({"observation": seen, "action_mask": Box(0, 1, (actions,), np.int8)})

        self.observation_spaces = {agent: seen() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self.state_space = spaces.observation_space(self.games, players)

    def observation_space(self, agent: str) -> Any:
        spaces.seat_of(agent, self._seats)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        spaces.seat_of(agent, self._seats)
        return self.action_spaces[agent]

    def _begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        self.games.reset(seed)
        if options and options.get("position") is not None:
            self.games.put(0, options["position"])
            if not self.games.actors[0]:
                raise BadOption("a game begins from a position in which somebody must decide")

    def render(self) -> str | np.ndarray | None:
        """The board with every hand open: printed (``human``) or as text (``ansi``). Or a picture (``rgb_array``): what
        the agent that is asked sees, or a spectator where several act at once, and at the end."""
        return spaces.render(self.games, self.render_mode, self._looks())

    def _looks(self) -> int | None:
        return None

    def close(self) -> None:
        """Close nothing: no resource is held."""


class raw_env(_Common, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game whose agents, ``player_0`` and so on by seat, act one after the other.

    Where several must decide at once they are asked in the order of their seats; none sees what another has chosen.
    What is observed and the mask are copies, which later steps do not change.

    Args:
        game: id of a game, see :func:`ziggurat.games`.
        players: number of seats; by default two, or as many as the game needs.
        options, components: see :func:`ziggurat.new`.
        observations, rewards: see :func:`ziggurat.vector.make`.
        masks: the legal actions, int8 of shape (actions,), are always in ``info["action_mask"]``: zeros for an agent
            that is not asked, or whose game is over. With ``observation`` what is observed is ``{"observation",
            "action_mask"}``, as in PettingZoo's classic games; with ``info`` it is the plain array, which wrappers of
            observations take.
        render_mode: ``human`` prints the board after each step, ``ansi`` lets ``render`` return it, every hand open;
            with ``rgb_array`` it returns a picture of what the agent that is asked sees, uint8 of shape
            (960, 1280, 3).

    Raises:
        UnknownGame, BadOption: saying what would have been right.
    """

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        components: Components | None = None,
        observations: vector.Observations = "one_hot",
        rewards: Literal["win", "points"] = "win",
        masks: Masks = "observation",
        render_mode: RenderMode | None = None,
    ) -> None:
        super().__init__()
        self._set_up(game, players, options, components, observations, rewards, masks, render_mode, "actor")
        self.agents: list[str] = self.possible_agents[:]
        self._nothing = np.zeros(self.games.actions, dtype=np.int8)
        self._always_rewarded = rewards != "win"
        self._asked = self._shown = -1
        self._link()

    def _link(self) -> None:
        """Make the array views once: to look them up takes longer than to copy them."""
        games = self.games
        self._row, self._mask_row = games.observations[0], games.masks[0].view(np.int8)
        self._asks, self._steps = games.seats, games._steps

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, which plays games of its own from here on."""
        self.__dict__.update(state)
        self._link()

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: without it the next deal follows from the last seed.
            options: ``{"position": position}`` begins from a :class:`ziggurat.Position`; other names are ignored.

        Raises:
            PositionError: for one of another game or number of players.
            BadOption: for one in which nobody decides.
        """
        self._begin(seed, options)
        self.agents = agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._no_choice() for agent in agents}
        self._skip_agent_selection = None
        self._ask(self._asks.item())

    def step(self, action: Any) -> None:
        """Play an action of the agent in ``agent_selection``; None for one whose game is over.

        Raises:
            IllegalAction: naming what is wrong; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if self._shown != self._asked:
            self._show(self._asked)
        try:
            self._steps[0, 0] = index(action)
            self.games.step(self._steps)
        except (OverflowError, TypeError):
            last = self.games.actions - 1
            raise IllegalAction(f"an action of {agent} is a number from 0 to {last}, not {action!r}") from None
        except IllegalAction as error:
            raise IllegalAction(error.detail.replace("game 0", agent, 1), **error.context) from None
        self.infos[agent] = self._no_choice()
        self._cumulative_rewards[agent] = 0.0
        seat = self._asks.item()
        if seat < 0 or self._always_rewarded:
            self.rewards = dict(zip(self.agents, self.games.rewards[0].tolist(), strict=True))
            self._accumulate_rewards()
        if seat < 0:
            self._end()
        else:
            self._ask(seat)
        if self.render_mode == "human":
            self.render()

    def _looks(self) -> int | None:
        return None if self._asked < 0 else self._asked

    def _ask(self, seat: int) -> None:
        """Select the agent of the seat that must decide."""
        self._asked = self._shown = seat
        self.agent_selection = agent = self.possible_agents[seat]
        self._mask = self._mask_row.copy()  # ours: what is given out may be changed by whoever gets it
        self.infos[agent] = {"action_mask": self._mask.copy()}

    def _end(self) -> None:
        games = self.games
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]
        self._asked, self._shown, self._mask = -2, -1, self._nothing
        for seat, agent in enumerate(self.agents):
            told = {"score": int(games.scores[0, seat]), "share": float(games.shares[0, seat])}
            self.infos[agent] = {**self._no_choice(), **told}

    def _no_choice(self) -> dict[str, Any]:
        """Return the info of an agent that is not asked: an empty mask, for PettingZoo's wrappers look for one at the
        end, too."""
        return {"action_mask": self._nothing.copy()}

    def _show(self, seat: int) -> None:
        self.games.observe(seat)
        self._shown = seat

    def observe(self, agent: str) -> Any:
        """Return an agent's observation, and its mask: empty, while another one is asked.

        Raises:
            NotYourTurn: for an agent that there is not.
        """
        seat = self._seats.get(agent)
        if seat is None:
            seat = spaces.seat_of(agent, self._seats)
        if seat != self._shown:
            self._show(seat)
        if self._masks_inside:
            mask = self._mask if seat == self._asked else self._nothing
            return {"observation": self._row.copy(), "action_mask": mask.copy()}
        return self._row.copy()

    def state(self) -> np.ndarray:
        """Return the observations of all seats, one after the other: shape (players * columns,)."""
        seen = []
        for seat in range(self.games.players):
            self._show(seat)
            seen.append(self._row.copy())
        return np.concatenate(seen)


class env(raw_env):
    """The game as agents that still learn the rules can play it: an illegal action ends it.

    The agent that plays one gets a reward of -1, the others 0, as by PettingZoo's ``TerminateIllegalWrapper``, around
    ``raw_env`` too; wrappers for this alone would take several times as long as the game.
    """

    def step(self, action: Any) -> None:
        agents = self.agents
        if not agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if not self.terminations[agent] and self._is_illegal(action):
            EnvLogger.warn_on_illegal_move()
            self._end()
            self.infos = {one: self._no_choice() for one in agents}
            self.infos[agent]["illegal"] = int(action)
            self._cumulative_rewards[agent] = 0.0
            self.rewards = dict.fromkeys(agents, 0.0)
            self.rewards[agent] = ILLEGAL_REWARD
            self._accumulate_rewards()
            return
        super().step(action)

    def _is_illegal(self, action: Any) -> bool:
        """Whether a number is an illegal action; one out of range is refused."""
        try:
            return action >= 0 and not self._mask[action]
        except (IndexError, TypeError):
            return False


class parallel_env(_Common, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which all agents that must decide act in the same step.

    The last action, ``wait``, is legal for an agent that does not decide, and nothing else is; such an agent may be
    left out of the actions, too. Most games ask one agent at a time. An illegal action ends the game: -1 for the agent
    that played it, 0 for the others.

    Args:
        game, players, options, components, observations, rewards, masks, render_mode: as for :class:`raw_env`.

    Attributes:
        wait: the number of the action that only waits.
    """

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        components: Components | None = None,
        observations: vector.Observations = "one_hot",
        rewards: Literal["win", "points"] = "win",
        masks: Masks = "observation",
        render_mode: RenderMode | None = None,
    ) -> None:
        self._set_up(game, players, options, components, observations, rewards, masks, render_mode, "all")
        self.agents: list[str] = []
        self.wait = self.games.actions
        self._steps = np.full((1, self.games.players), -1, dtype=np.int64)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; see :meth:`raw_env.reset`."""
        self._begin(seed, options)
        self.agents = self.possible_agents[:]
        return self._observe()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play an action of every agent that must decide.

        Raises:
            IllegalAction: for an agent that must decide and has no action, and for what is no action at all.
            NotYourTurn: for an agent that there is not.
        """
        agents = self.agents
        if not agents:
            return {}, {}, {}, {}, {}
        for agent in actions:
            spaces.seat_of(agent, self._seats)
        games, steps = self.games, self._steps
        deciding, masks = int(games.actors[0]), games.masks[0]
        illegal = {}
        for seat, agent in enumerate(agents):
            action = self._number(agent, actions.get(agent, self.wait))
            steps[0, seat] = -1 if action == self.wait else action
            if deciding >> seat & 1:
                if agent not in actions:
                    raise IllegalAction(f"{agent} must decide, and has no action", seat=seat)
                if action == self.wait or not masks[seat, action]:
                    illegal[agent] = action
            elif action != self.wait:
                illegal[agent] = action
        if illegal:
            EnvLogger.warn_on_illegal_move()
            rewards = {agent: ILLEGAL_REWARD if agent in illegal else 0.0 for agent in agents}
        else:
            games.step(steps)
            rewards = dict(zip(agents, games.rewards[0].tolist(), strict=True))
        over = bool(illegal) or not games.actors[0]
        seen, infos = self._observe(over)
        if illegal:
            for agent, action in illegal.items():
                infos[agent]["illegal"] = action
        elif over:
            for seat, agent in enumerate(agents):
                infos[agent] |= {"score": int(games.scores[0, seat]), "share": float(games.shares[0, seat])}
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _number(self, agent: str, action: Any) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number <= self.wait:
            raise IllegalAction(f"an action of {agent} is a number from 0 to {self.wait} (wait), not {action!r}")
        return number

    def _observe(self, over: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
        games = self.games
        seen = games.observations[0].copy()
        masks = np.zeros((games.players, games.actions + 1), dtype=np.int8)
        if not over:
            masks[:, :-1] = games.masks[0]
            masks[:, -1] = ~masks.any(axis=1)
        infos = {agent: {"action_mask": masks[seat].copy()} for agent, seat in self._seats.items()}
        if not self._masks_inside:
            return {agent: seen[seat] for agent, seat in self._seats.items()}, infos
        return {
            agent: {"observation": seen[seat], "action_mask": masks[seat]} for agent, seat in self._seats.items()
        }, infos

    def state(self) -> np.ndarray:
        """Return the observations of all seats, one after the other: shape (players * columns,)."""
        seen: np.ndarray = self.games.observations[0].flatten()
        return seen

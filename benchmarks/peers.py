"""Random play beside other people's games, in the same loops and the same run.

python -m benchmarks.peers [--group pettingzoo] [--seconds 1] [--rounds 5] [--json]

Whoever plays in a group is driven by the same code, which draws each action from the legal ones with the same
generator. They take turns, round after round; what counts is the best round of each, by processor time, so that other
programs on the machine count for little. Our games are played by as few as they allow, two at least. The peers of
PettingZoo need ``pip install "pettingzoo[classic]"``; who cannot be played is named with the reason.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import ziggurat

Play = Callable[[int], int]
"""Plays at least so many decisions, and returns how many it has played."""


@dataclass(frozen=True)
class Contestant:
    """Who is measured.

    Attributes:
        group: whoever is in the same one is driven by the same code.
        name: what the table calls it.
        ours: whether it is one of our games; the others are peers.
        begin: sets it up, which is not measured.
    """

    group: str
    name: str
    ours: bool
    begin: Callable[[], Play]


def turns(make: Callable[[], Any]) -> Play:
    """PettingZoo's loop over agents; the last step of each, by which it only leaves, is no decision."""
    env, rng = make(), np.random.default_rng(1)
    env.reset(seed=1)

    def play(least: int) -> int:
        played = 0
        while played < least:
            env.reset()
            for agent in env.agent_iter():
                seen, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                if isinstance(seen, dict):
                    legal = np.flatnonzero(seen["action_mask"])
                    env.step(int(legal[int(rng.random() * len(legal))]))
                else:
                    env.step(int(rng.random() * int(env.action_space(agent).n)))
                played += 1
                if played >= 2 * least:  # some games of chess last very long
                    break
        return played

    return play


def steps(make: Callable[[], Any]) -> Play:
    """Gymnasium's loop; the opponents' decisions are not counted."""
    env, rng = make(), np.random.default_rng(1)
    env.reset(seed=1)
    actions = int(env.action_space.n)

    def play(least: int) -> int:
        played = 0
        while played < least:
            over, info = False, env.reset()[1]
            while not over:
                if "action_mask" in info:
                    legal = np.flatnonzero(info["action_mask"])
                    action = int(legal[int(rng.random() * len(legal))])
                else:
                    action = int(rng.random() * actions)
                _, _, terminated, truncated, info = env.step(action)
                over = terminated or truncated
                played += 1
        return played

    return play


def nodes(name: str) -> Play:
    """OpenSpiel's loop over the nodes of a game, chance's not counted."""
    for registers in ("open_spiel.python.games", "ziggurat.rl.openspiel"):
        importlib.import_module(registers)
    game, rng = importlib.import_module("pyspiel").load_game(name), np.random.default_rng(1)

    def play(least: int) -> int:
        played = 0
        while played < least:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(rng.random() * len(legal))])
                    played += 1
        return played

    return play


def batches(make: Callable[[], Any]) -> Play:
    """The vector interface, actions drawn by itself."""
    games = make()

    def play(least: int) -> int:
        played = 0
        while played < least:
            games.step(games.sample())
            played += games.n
        return played

    return play


CLASSIC = (
    *("rps_v2", "tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6"),
    *("chess_v6", "go_v5", "hanabi_v5"),
)
"""All of PettingZoo's classic games."""
TOYS = ("CartPole-v1", "Blackjack-v1", "FrozenLake-v1")
"""Gymnasium's that are quick: no simulation of physics but a few multiplications."""


def gymnasiums(name: str, **more: Any) -> Callable[[], Any]:
    """How Gymnasium makes an environment."""
    return lambda: importlib.import_module("gymnasium").make(name, **more)


SPIELS = {
    "openspiel, games in Python": (
        *("python_block_dominoes", "python_kuhn_poker", "python_liars_poker", "python_team_dominoes"),
        "python_tic_tac_toe",
    ),
    "openspiel, games in C++": ("backgammon", "gin_rummy", "hanabi", "hearts", "leduc_poker", "tic_tac_toe"),
}
"""Of OpenSpiel's games some that are played in turns, as ours are, for the same code."""


def contestants() -> Iterator[Contestant]:
    """Everybody, group by group."""

    def theirs(name: str, kind: str) -> Callable[[], Play]:
        return lambda: turns(getattr(importlib.import_module(f"pettingzoo.classic.{name}"), kind))

    def ours(module: str, *args: Any, **more: Any) -> Callable[[], Any]:
        where, _, name = module.rpartition(".")
        return lambda: getattr(importlib.import_module(f"ziggurat.{where}"), name)(*args, **more)

    tables = [(game.id, max(2, game.min_players)) for game in ziggurat.registered_games().values()]
    for group, kind in (("pettingzoo env()", "env"), ("pettingzoo raw_env()", "raw_env")):
        for name in CLASSIC:
            yield Contestant(group, name, False, theirs(name, kind))
        for game, players in tables:
            make = ours(f"rl.pettingzoo.{kind}", game, players)
            yield Contestant(group, f"{game}, {players} players", True, lambda make=make: turns(make))  # type: ignore[misc]
    for name in TOYS:
        yield Contestant("gymnasium", name, False, lambda name=name: steps(gymnasiums(name)))  # type: ignore[misc]
    for game, players in tables:
        make = gymnasiums(f"ziggurat.rl:ziggurat/{game.title()}-v0", players=players, opponents="random")
        yield Contestant("gymnasium", f"{game}, {players} players", True, lambda make=make: steps(make))  # type: ignore[misc]
    for group, names in SPIELS.items():
        for name in names:
            yield Contestant(group, name, False, partial(nodes, name))
        for game, players in tables:
            begin = partial(nodes, f"python_ziggurat_{game}(players={players})")
            yield Contestant(group, f"{game}, {players} players", True, begin)
    for group, told in (
        ("vector, one-hot observations and masks", {"observations": "one_hot"}),
        ("vector, compact observations and masks", {"observations": "compact"}),
        ("vector, masks", {"observations": None}),
        ("vector, nothing shown", {"observations": None, "masks": False}),
    ):
        for game, players in tables:
            make = ours("vector.make", game, players, 1024, seed=1, threads=1, **told)
            yield Contestant(group, f"{game}, {players} players", True, lambda make=make: batches(make))  # type: ignore[misc]


def measure(play: Play, seconds: float) -> float:
    """Decisions per second of processor time, over about so many seconds."""
    number, spent = 16, 0.0
    while True:
        began = time.process_time()
        played = play(number)
        spent = time.process_time() - began
        if spent >= seconds / 2:
            return played / spent
        number = max(2 * number, int(0.8 * seconds * played / max(spent, 1e-6)))


def compete(group: list[Contestant], seconds: float, rounds: int) -> tuple[dict[str, float], dict[str, str]]:
    """The best rate of each, and why some could not play."""
    plays: dict[str, Play] = {}
    absent = {}
    for one in group:
        try:
            plays[one.name] = one.begin()
            plays[one.name](16)
        except Exception as error:
            absent[one.name] = str(error).partition("\n")[0][:80]
    best = dict.fromkeys(plays, 0.0)
    for _ in range(rounds):
        for name, play in plays.items():
            best[name] = max(best[name], measure(play, seconds))
    return best, absent


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--group", help="only the groups whose name begins so")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each round of each contestant (default: 0.5)")
    parser.add_argument("--rounds", type=int, default=5, help="how often everybody plays (default: 5)")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    args = parser.parse_args()
    everybody = [one for one in contestants() if one.group.startswith(args.group or "")]
    if not everybody:
        parser.error(f"the groups are: {', '.join(dict.fromkeys(one.group for one in contestants()))}")
    report = {}
    for name in dict.fromkeys(one.group for one in everybody):
        group = [one for one in everybody if one.group == name]
        best, absent = compete(group, args.seconds, args.rounds)
        peers = [best[one.name] for one in group if not one.ours and one.name in best]
        report[name] = {"decisions_per_second": best, "absent": absent, "fastest_peer": max(peers, default=None)}
        if args.json:
            continue
        print(f"\n{name:<44}{'decisions/s':>14}{'to the fastest peer':>22}")
        ours = {one.name for one in group if one.ours}
        for who, rate in sorted(best.items(), key=lambda item: -item[1]):
            ratio = f"{rate / max(peers):.2f}" if peers else ""
            print(f"{'* ' if who in ours else '  '}{who:<42}{rate:>14,.0f}{ratio:>22}")
        for who, why in absent.items():
            print(f"  {who:<42}{'not played':>14}  {why}")
    if args.json:
        print(json.dumps({"python": platform.python_version(), "groups": report}, indent=2))
    else:
        print(f"\n* ours; Python {platform.python_version()}, by processor time")


if __name__ == "__main__":
    main()

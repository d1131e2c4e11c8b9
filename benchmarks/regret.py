"""How much worse a bot's choices are than the best ones, in positions of which the worth of every action is known.

    python -m benchmarks.regret alhambra --players 2 --positions 200 --games 300 --bots greedy,classic:1000,search:1000

Positions are taken from games that the game's network plays without a search. Every action of each is played on, by
the network too, in so many games from redealt positions, with the same chance for all actions of a position. Printed
is, for each bot, how much less its choices are worth than the best ones, in thousandths of a reward (as a search
counts it) and of a win, the error of the mean, and the processor time of a choice. The best action of a position is
found with the same games that say what it is worth, so it seems better than it is: what a choice costs is too high by
that. After "at least" stands what it costs compared with the action that half of the games find best and the other
half values, which may be another one than the best: too low. The truth lies between the two. It takes far fewer games
than matches do.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Belief, SearchBot, SearchConfig, Searcher
from ziggurat.bots.entrants import entrant
from ziggurat.bots.learned import network_of
from ziggurat.bots.probe import NetworkProbe
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.lab.work import cores, in_order

WHOLE = 1_000_000
"""Decisions; more than any game has."""
LOOKS = 4
"""Positions of one game."""
MOST = 25
"""Actions of a position, so that one does not take as long as all others."""


class Known(NamedTuple):
    """A position, who decides, and what each action is worth: (2, actions, 2), for each half of the games the reward
    and the part of the win."""

    data: bytes
    seat: int
    actions: list[int]
    worth: np.ndarray


@dataclass(frozen=True)
class Games:
    """Makes what plays a game and values some of its positions. See ``ziggurat.lab.work``."""

    game: str
    players: int
    games: int
    seed: int

    def __call__(self) -> Callable[[int], list[Known]]:
        game = ziggurat.prepare(self.game).game
        prepare(game, program=SEARCHING)
        probe = NetworkProbe(game, network_of(game))

        def play(number: int) -> list[Known]:
            chance = np.random.default_rng([self.seed, number])
            rng = ziggurat.generator(chance.bytes(32))
            position = ziggurat.new(game, self.players, seed=chance.bytes(32), trace=False)
            found: list[Known] = []
            while len(found) < LOOKS:
                position, seat = probe.self_play_steps(position, int(chance.integers(5, 14)), rng, 30)
                if seat < 0:
                    break
                actions = position.legal(seat)
                if 2 <= len(actions) <= MOST:
                    seed = chance.bytes(32)
                    worth = [valued(probe, position, seat, action, self.games, seed) for action in actions]
                    found.append(Known(position.to_bytes(), seat, actions, np.stack(worth, axis=1)))
            return found

        return play


def valued(probe: NetworkProbe, position: Position, seat: int, action: int, games: int, seed: bytes) -> np.ndarray:
    """What an action is worth to its seat when the network plays on; shape (2, 2), see `Known`."""
    rng, share = ziggurat.generator(seed), SearchConfig().share_win
    worth = np.zeros((2, 2))
    for number in range(games):
        ahead = position.redeal(seat, rng)
        ahead.play(seat, action)
        end = probe.settle(probe.self_play_steps(ahead, WHOLE, rng)[0])
        win = end.win[seat]
        worth[number % 2] += share * win + (1 - share) * end.standing[seat], win
    return worth / (games // 2)


def losses(worth: np.ndarray, chosen: int) -> tuple[np.ndarray, np.ndarray]:
    """What a choice costs at most, and at least: of the reward and of the win; see the module."""
    both = worth.mean(axis=0)
    crossed = [
        [worth[1 - half, worth[half, :, kind].argmax(), kind] - worth[1 - half, chosen, kind] for kind in (0, 1)]
        for half in (0, 1)
    ]
    return both.max(axis=0) - both[chosen], np.mean(crossed, axis=0)


def measure(game: Game, players: int, name: str, known: list[Known]) -> str:
    """A line about a bot."""
    made = entrant(name, game)
    rng, bot = ziggurat.generator(7), made.bot()
    lost, least, spent = [], [], 0.0
    for one in known:
        position = Position.from_bytes(game, one.data, players=players, trace=False)
        if isinstance(bot, SearchBot):
            bot.searcher.forget()
        belief = Belief(position, one.seat, rng)
        begun = time.thread_time()
        action = bot.choose(belief, one.actions, rng)
        spent += time.thread_time() - begun
        most, few = losses(one.worth, one.actions.index(action))
        lost.append(most)
        least.append(few)
    return f"{made.name:<32} {told(lost, least, 0)}   win {told(lost, least, 1)}   {1000 * spent / len(lost):8.2f} ms"


def told(lost: list[np.ndarray], least: list[np.ndarray], kind: int) -> str:
    """What choices cost, in thousandths, and at least: the means with their errors."""
    parts = []
    for costs in (lost, least):
        one = 1000 * np.array(costs)[:, kind]
        parts.append(f"{one.mean():5.1f} ± {one.std() / np.sqrt(len(one)):3.1f}")
    return ", at least ".join(parts)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--games", type=int, default=300, help="for every action (default: 300)")
    parser.add_argument("--bots", default="greedy,classic:100,classic:1000,search:16,search:100,search:1000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=cores())
    options = parser.parse_args()
    if options.games < 2 or options.games % 2:
        parser.error(f"--games is 2, 4, 6 and so on, half of them for either figure, not {options.games}")
    known: list[Known] = []
    found = in_order(Games(options.game, options.players, options.games, options.seed), range(100_000), options.workers)
    for some in found:
        known += some
        if sys.stderr.isatty():
            print(f"\r{len(known)} of {options.positions} positions", end="", file=sys.stderr, flush=True)
        if len(known) >= options.positions:
            break
    found.close()
    setattr(Searcher, "clock", staticmethod(time.thread_time))  # noqa: B010
    game = ziggurat.game(options.game)
    prepare(game, program=SEARCHING)
    print(f"{game.id}, {options.players} players, {len(known)} positions, {options.games} games for every action")
    for name in options.bots.split(","):
        print(measure(game, options.players, name, known), flush=True)


if __name__ == "__main__":
    main()

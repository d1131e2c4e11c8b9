"""How often the arena's interval holds the truth, and after how many games it ends: the protocol on games of a model.

    python -m benchmarks.placings --placings 500

Each placing draws the true ratings of a kept ladder's anchors from what the ladder knows of them, and an agent's
between its weakest and its strongest. Games follow the model of Plackett and Luce by these; who sits, when it ends and
what is stated are the protocol's own functions, which know the ladder's ratings and not the true ones. A part of the
agent's fortune in a game is seen as its luck and taken off, as in the arena.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

import ziggurat
from ziggurat.lab import wilson
from ziggurat.lab.arena import protocol
from ziggurat.lab.arena.ladder import Ladder, kept
from ziggurat.lab.arena.place import LUCK_SHARE, Place
from ziggurat.lab.arena.records import ArenaConfig, GameRecord
from ziggurat.lab.tournament.rating import POINTS_PER_LOGIT

AGENT = "agent"


class Placing(NamedTuple):
    """A placing that was simulated: the agent's true rating, and what was stated of it."""

    true: float
    stated: Place


def config_of(ladder: Ladder, points: float, games: int) -> ArenaConfig:
    """A run of the arena on a ladder."""
    same = {name: getattr(ladder, name) for name in ("game", "rules", "players", "options", "components", "ziggurat")}
    own = {"components_text": None, "agent": AGENT, "agent_text": "", "seconds": 10.0, "judged": 0, "iterations": 1}
    return ArenaConfig(**same, **own, points=points, games=games, ladder=ladder)  # type: ignore[arg-type]


def placing(ladder: Ladder, points: float, games: int, luck: float, rng: np.random.Generator) -> Placing:
    """Draw a truth and place an agent in it. `luck`: the part of an agent's fortune in a game that is seen as luck."""
    config = config_of(ladder, points, games)
    names, ratings = [one.name for one in ladder.anchors], np.array([one.rating for one in ladder.anchors])
    values, vectors = np.linalg.eigh(np.array(ladder.covariance))
    drawn = ratings + vectors @ (np.sqrt(np.maximum(values, 0)) * rng.normal(size=len(values)))
    true = dict(zip(names, drawn.tolist(), strict=True)) | {AGENT: float(rng.uniform(*np.quantile(ratings, (0.1, 1))))}
    records: list[GameRecord] = []
    while not protocol.over(config, records):
        for seats in protocol.to_play(config, records):
            table = protocol.around(config.agent, seats)
            records.append(played(len(records) + 1, seats, table, true, luck, rng))
    stated = protocol.place_of(config, records)
    assert stated is not None
    return Placing(true[AGENT], stated)


def played(
    number: int,
    seats: protocol.Seats,
    table: list[str],
    true: dict[str, float],
    luck: float,
    rng: np.random.Generator,
) -> GameRecord:
    """A game by the model: who finished ahead, and the luck that was seen."""
    noise = rng.gumbel(size=len(table))
    worth = np.array([true[name] for name in table]) / POINTS_PER_LOGIT + noise
    own = worth[seats.chair]
    others = np.delete(worth, seats.chair)
    fortune = np.exp(-np.exp(-noise[seats.chair])) - 0.5  # uniform, and higher the luckier it was
    return GameRecord(
        game=number,
        group=seats.group + 1,
        chair=seats.chair + 1,
        seats=table,
        ahead=float(np.mean(own > others)),
        luck=float(luck * fortune / LUCK_SHARE),
        moves=[],
        scores=[],
        places=[],
        regrets=[],
        decisions=0,
        seconds=0.0,
    )


def main() -> None:
    """Simulate and print, ladder by ladder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--placings", type=int, default=500, help="on each ladder")
    parser.add_argument("--points", type=float, default=protocol.USUAL_POINTS)
    parser.add_argument("--games", type=int, default=protocol.USUAL_GAMES)
    parser.add_argument("--luck", type=float, default=0.2, help="how much of an agent's fortune is seen (default: 0.2)")
    parser.add_argument("--game", help="one alone")
    parser.add_argument("--players", type=int, help="one size alone")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("ladder                placings  covered (95 % interval)      games: median, most   width: games, all")
    for game in ziggurat.registered_games().values():
        for ladder in kept(game):
            if options.game not in (None, game.id) or options.players not in (None, ladder.players):
                continue
            rng = np.random.default_rng([options.seed, ladder.players, *game.id.encode()])
            found = [placing(ladder, options.points, options.games, options.luck, rng) for _ in range(options.placings)]
            covered = np.mean([one.stated.low <= one.true <= one.stated.high for one in found])
            low, high = wilson(float(covered), len(found))
            games = [one.stated.games for one in found]
            widths = [(one.stated.by_games, (one.stated.high - one.stated.low) / 2) for one in found]
            name = f"{game.id}, {ladder.players}"
            print(
                f"{name:<22}{len(found):>8}  {covered:.1%} ({low:.1%} to {high:.1%})"
                f"{np.median(games):>15.0f}, {max(games)}"
                f"{np.median([one[0] for one in widths]):>15.0f}, {np.median([one[1] for one in widths]):.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

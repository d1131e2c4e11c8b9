"""Do levels say the truth? Simulated clubs, whose people have strengths that are known here and nowhere else.

python -m benchmarks.clubs [--game alhambra] [--clubs 10] [--games 300] [--people 40] [--seed 1]

Forty people of many strengths, who learn, come and go; tables of two to as many as the game has, a bot at about half of
them. A club plays its games one by one. From game to game the fit knows those before, says the chance of each pair at
the table, and then it is seen who was ahead. After the last game the order of people by the fit is compared with the
true one.

`--real` has the games themselves played, by fallible bots of many error rates: see `real`.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ziggurat.server.features.levels.fit import (
    CountedGame,
    Curve,
    Share,
    Side,
    chance_ahead,
    fit,
)
from ziggurat.server.features.levels.metre import RUNG_BOTS, Metre, metre_of

POINTS_PER_LOGIT = 400 / math.log(10)
DAY = 86_400.0
CLUB_DAYS = 180.0
LEARNT_SHARE = 0.5
"""Of the distance from apprentice to master, by which people are better in the end than at first, at most."""
TIE_POINTS = 6.0
"""How close performances are that tie."""
BOT_TABLES = 0.5


@dataclass
class Member:
    """A simulated person: strength at first and in the end, in points; games until half is learnt; when there."""

    id: str
    start: float
    gain: float
    half: float
    comes: float
    goes: float
    keen: float
    played: int = 0

    @property
    def strength(self) -> float:
        return self.start + self.gain * self.played / (self.played + self.half)


@dataclass
class Outcomes:
    """What was said before games, and what came true."""

    said: list[tuple[float, float]] = field(default_factory=list)
    ranks: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def bins(self, many: int = 10) -> list[tuple[float, float, int]]:
        """Return for each bin what was said, what came true, and how often."""
        pairs = sorted(self.said)
        size = max(1, len(pairs) // many)
        found = []
        for i in range(many):
            some = pairs[i * size : (i + 1) * size if i < many - 1 else None]
            if some:
                found.append((statistics.fmean(s for s, _ in some), statistics.fmean(t for _, t in some), len(some)))
        return found

    def log_loss(self) -> float:
        return -statistics.fmean(
            (true * math.log(max(said, 1e-9)) + (1 - true) * math.log(max(1 - said, 1e-9))) for said, true in self.said
        )


def members(metre: Metre, people: int, rng: random.Random) -> list[Member]:
    """Return the people of a club."""
    low, high = metre.rungs[0], metre.rungs[-1]
    found = []
    for i in range(people):
        start = rng.gauss((metre.rungs[1] + metre.rungs[2]) / 2, (high - low) / 4)
        comes = 0.0 if rng.random() < 0.6 else rng.uniform(0, 0.7 * CLUB_DAYS)
        goes = CLUB_DAYS if rng.random() < 0.7 else rng.uniform(comes + 20, CLUB_DAYS + 20)
        gain = rng.uniform(0, LEARNT_SHARE) * (high - low) / 2
        found.append(Member(f"p{i:02}", start, gain, rng.uniform(5, 30), comes, goes, rng.lognormvariate(0, 0.6)))
    return found


def club(
    metre: Metre, people: int, games: int, rng: random.Random
) -> tuple[list[CountedGame], list[Member], list[dict[str, float]]]:
    """Return a club's games, its people, and the true strengths of those at the table in each game."""
    crowd = members(metre, people, rng)
    seats = sorted(metre.luck)
    played, truths = [], []
    for number in range(games):
        day = CLUB_DAYS * number / games
        here = [one for one in crowd if one.comes <= day <= one.goes]
        size = rng.choice(seats)
        bots = 0
        if rng.random() < BOT_TABLES or len(here) < size:
            bots = rng.randint(1, max(1, size - 1))
        bots = max(bots, size - len(here))
        table = weighted(here, size - bots, rng)
        strengths = {one.id: one.strength for one in table}
        names = [one.id for one in table]
        at = [one.strength for one in table]
        for _ in range(bots):
            bot = rng.choice(RUNG_BOTS)
            names.append(f"bot:{bot}")
            at.append(metre.places[bot])
        places = played_out(at, metre.luck[size], rng)
        sides = tuple(Side(place, (Share(name),)) for name, place in zip(names, places, strict=True))
        played.append(CountedGame(f"g{number:05}", day * DAY, size, sides))
        truths.append(strengths)
        for one in table:
            one.played += 1
    return played, crowd, truths


def weighted(here: Sequence[Member], many: int, rng: random.Random) -> list[Member]:
    """Return some people, the keener the likelier."""
    return sorted(here, key=lambda one: rng.random() ** (1 / one.keen))[-many:] if many else []


def played_out(strengths: Sequence[float], luck: float, rng: random.Random) -> list[int]:
    """Return the places of a game. Luck is that of the ladders' model, whose tail is longer than the fit's."""
    scale = POINTS_PER_LOGIT * luck / 209.0
    shown = [one - scale * math.log(-math.log(rng.random())) for one in strengths]
    rounded = [round(one / TIE_POINTS) for one in shown]
    return [1 + sum(other > one for other in rounded) for one in rounded]


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return Spearman's."""

    def ranks(values: Sequence[float]) -> list[float]:
        order = sorted(range(len(values)), key=values.__getitem__)
        found = [0.0] * len(values)
        for rank, i in enumerate(order):
            found[i] = float(rank)
        return found

    return statistics.correlation(ranks(xs), ranks(ys))


def pairs_of(game: CountedGame, known: dict[str, Curve], metre: Metre) -> list[tuple[float, float]]:
    """Return what the fit says of each pair of a game with a person in it, and who was ahead."""

    def where(who: str) -> tuple[float, float] | None:
        if who.startswith("bot:"):
            return metre.places[who[4:]], 0.0
        curve = known.get(who)
        return (curve.final.mean, curve.final.sigma) if curve is not None and curve.known else None

    found = []
    for i, one in enumerate(game.sides):
        for other in game.sides[i + 1 :]:
            a, b = where(one.shares[0].who), where(other.shares[0].who)
            people = not (one.shares[0].who.startswith("bot:") and other.shares[0].who.startswith("bot:"))
            if a is None or b is None or not people or one.place == other.place:
                continue
            said, true = chance_ahead(metre, game.players, a, b), float(one.place < other.place)
            # Either way round, so that neither is named first.
            found += [(said, true), (1 - said, 1 - true)]
    return found


def try_club(metre: Metre, people: int, games: int, seed: int, tested: Outcomes, every: int = 15) -> None:
    """Add a club to what was tested; the fit is made every so many games."""
    rng = random.Random(seed)
    played, crowd, _ = club(metre, people, games, rng)
    for begin in range(every, games, every):
        known = fit(played[:begin], metre)
        for game in played[begin : begin + every]:
            tested.said += pairs_of(game, known, metre)
    begun = time.process_time()
    known = fit(played, metre)
    tested.seconds.append(time.process_time() - begun)
    # Of those who have played enough to be shown.
    final = [one for one in crowd if one.id in known and known[one.id].known]
    tested.ranks.append(rank_correlation([known[one.id].final.mean for one in final], [one.strength for one in final]))
    for one in final:
        point = known[one.id].final
        tested.errors.append(point.mean - one.strength)
        tested.inside.append(abs(point.mean - one.strength) < 1.96 * point.sigma)


def report(name: str, tested: Outcomes) -> None:
    """Print what came of it."""
    print(f"\n{name}: {len(tested.ranks)} clubs, {len(tested.said)} chances")
    print("  said   true   off")
    worst = 0.0
    for said, true, many in tested.bins():
        worst = max(worst, abs(said - true))
        print(f"  {said:5.3f}  {true:5.3f}  {true - said:+.3f}  ({many})")
    print(f"  chances off by at most {worst:.3f}; log loss {tested.log_loss():.4f}")
    print(
        f"  rank correlation {statistics.fmean(tested.ranks):.3f} (least {min(tested.ranks):.3f}); "
        f"off by {statistics.fmean(map(abs, tested.errors)):.0f} points; in the 95 % range: "
        f"{statistics.fmean(tested.inside):.3f}; a fit takes {statistics.fmean(tested.seconds):.2f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", action="append")
    parser.add_argument("--clubs", type=int, default=10)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for game in given.game or ["alhambra", "architects", "babel", "ginkgopolis"]:
        tested = Outcomes()
        for i in range(given.clubs):
            try_club(metre_of(game), given.people, given.games, given.seed + i, tested)
        report(game, tested)


if __name__ == "__main__":
    main()

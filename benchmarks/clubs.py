"""Do levels say the truth? Simulated clubs, whose people have strengths that are known here and nowhere else.

python -m benchmarks.clubs [--game alhambra] [--clubs 10] [--games 300] [--people 40] [--seed 1] [--real] [--ladders D]

Forty people of many strengths, who learn, come and go; tables of two to as many as the game has, a bot at about half
of them. A club plays its games one by one. Every thirty games the fit that knows those before says the chance of each
pair at the tables to come, and then it is seen who was ahead. After the last game the order of people by the fit is
compared with the true one.

Results are drawn from the strengths; with `--real` the games themselves are played, by fallible bots of many error
rates.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import ziggurat
from ziggurat.bots import SEARCHING, Bot
from ziggurat.bots.fallible import Errors, FallibleBot
from ziggurat.bots.levels import timeless
from ziggurat.bots.playing import chooser
from ziggurat.core.runtime import PLAYING
from ziggurat.lab.loop import play_out, prepare_all
from ziggurat.server.features.levels.fit import CountedGame, Curve, PartShare, Side, chance_ahead, fit
from ziggurat.server.features.levels.metre import ANCHORS_FILE, LUCK_POINTS, RUNG_BOTS, Metre, metre_of, read
from ziggurat.server.features.levels.rules import game_ids, is_sure

POINTS_PER_LOGIT = 400 / math.log(10)
DAY = 86_400.0
CLUB_DAYS = 180.0
LEARNT_SHARE = 0.5
"""Of the distance from apprentice to master, by which people are better in the end than at first, at most."""
HALF_LEARNT = 5.0, 30.0
"""Games after which half of that is learnt: of somebody who learns quickly, and slowly."""
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
    shown: list[tuple[int, float]] = field(default_factory=list)
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


class Table(Protocol):
    """Plays a game between people and bots; returns their places."""

    @property
    def bots(self) -> Sequence[str]: ...

    def members(self, people: int, rng: random.Random) -> list[Member]: ...

    def places(self, people: Sequence[Member], bots: Sequence[str], rng: random.Random) -> list[int]: ...


@dataclass(frozen=True)
class DrawnGames:
    """Games whose results are drawn from strengths. Luck is that of the ladders' model, whose tail is longer than the
    fit's."""

    metre: Metre
    bots: Sequence[str] = RUNG_BOTS

    def members(self, people: int, rng: random.Random) -> list[Member]:
        """Return people whose strengths are spread as those of the bots."""
        return crowd(people, *crowd_of(self.metre), rng)

    def places(self, people: Sequence[Member], bots: Sequence[str], rng: random.Random) -> list[int]:
        """Return the places of people, then of bots."""
        strengths = [one.strength for one in people] + [self.metre.places[bot] for bot in bots]
        scale = POINTS_PER_LOGIT * self.metre.luck[len(strengths)] / LUCK_POINTS
        return in_order([round((s - scale * math.log(-math.log(rng.random()))) / TIE_POINTS) for s in strengths])


def crowd_of(metre: Metre) -> tuple[float, float, float]:
    """Return mean and spread of people's first strengths by a metre, and how far its rungs reach."""
    span = metre.rungs[-1] - metre.rungs[0]
    return (metre.rungs[1] + metre.rungs[2]) / 2, span / 4, span


class RealGames:
    """The game itself, played by fallible bots: people are bots whose errors are larger or smaller than those of the
    levels. Strength is how little they err; nobody knows what that is in points."""

    bots = RUNG_BOTS[:-1]  # a Master takes seconds

    def __init__(self, game: str) -> None:
        self.game = ziggurat.game(game)
        prepare_all(self.game, (PLAYING, SEARCHING))

    def members(self, people: int, rng: random.Random) -> list[Member]:
        """Return people from those who see next to nothing to those who hardly err."""
        return crowd(people, -0.55, 0.28, 1.0, rng)

    def places(self, people: Sequence[Member], bots: Sequence[str], rng: random.Random) -> list[int]:
        """Return the places of people, then of bots, who sit in any order."""
        players: list[Bot] = [FallibleBot(self.game, errors_of(-one.strength)) for one in people]
        players += [timeless(bot, self.game) for bot in bots]
        seats = list(range(len(players)))
        rng.shuffle(seats)
        seed = rng.randrange(1 << 62)
        position = ziggurat.new(self.game.id, players=len(players), seed=seed)
        choosers = [chooser(players[who], ziggurat.generator(seed + 1 + n)) for n, who in enumerate(seats)]
        position = play_out(position, choosers)
        won = set(position.winners)
        found = in_order([(seat in won, int(points)) for seat, points in enumerate(position.scores)])
        return [found[seats.index(who)] for who in range(len(players))]


def errors_of(weakness: float) -> Errors:
    """Return the errors of somebody who is as weak: 0 makes none, 0.5 those of a Mason, 1 those of an Apprentice."""
    weakness = max(0.0, weakness)
    return Errors(overlook=min(1.0, 0.9 * weakness), grab=2 * weakness, miscount=2 * weakness)


def crowd(people: int, mean: float, sigma: float, span: float, rng: random.Random) -> list[Member]:
    """Return the people of a club, in some measure of strength."""
    found = []
    for i in range(people):
        comes = 0.0 if rng.random() < 0.6 else rng.uniform(0, 0.7 * CLUB_DAYS)
        goes = CLUB_DAYS if rng.random() < 0.7 else rng.uniform(comes + 20, CLUB_DAYS + 20)
        start, gain = rng.gauss(mean, sigma), rng.uniform(0, LEARNT_SHARE) * span / 2
        found.append(
            Member(f"p{i:02}", start, gain, rng.uniform(*HALF_LEARNT), comes, goes, rng.lognormvariate(0, 0.6))
        )
    return found


def in_order(results: Sequence[Any]) -> list[int]:
    """Return the places of results; equal ones tie."""
    return [1 + sum(other > one for other in results) for one in results]


def club(
    metre: Metre, people: int, games: int, rng: random.Random, given: Table | None = None
) -> tuple[list[CountedGame], list[Member]]:
    """Return the games that a club plays, and its people."""
    table: Table = given or DrawnGames(metre)
    everybody = table.members(people, rng)
    played = []
    for number in range(games):
        day = CLUB_DAYS * number / games
        here = [one for one in everybody if one.comes <= day <= one.goes]
        size = rng.choice(sorted(metre.luck))
        many = rng.randint(1, max(1, size - 1)) if rng.random() < BOT_TABLES else 0
        some = weighted(here, size - max(many, size - len(here)), rng)
        bots = [rng.choice(table.bots) for _ in range(size - len(some))]
        names = [*(one.id for one in some), *(f"bot:{bot}" for bot in bots)]
        places = table.places(some, bots, rng)
        sides = tuple(Side(place, (PartShare(name),)) for name, place in zip(names, places, strict=True))
        played.append(CountedGame(f"g{number:05}", day * DAY, size, sides))
        for one in some:
            one.played += 1
    return played, everybody


def weighted(here: Sequence[Member], many: int, rng: random.Random) -> list[Member]:
    """Return some people, the keener the likelier."""
    return sorted(here, key=lambda one: rng.random() ** (1 / one.keen))[-many:] if many else []


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


def try_club(
    metre: Metre, people: int, games: int, seed: int, tested: Outcomes, every: int = 30, table: Table | None = None
) -> None:
    """Add a club to what was tested; the fit is made every so many games."""
    played, everybody = club(metre, people, games, random.Random(seed), table)
    for begin in range(every, games, every):
        known = fit(played[:begin], metre)
        for game in played[begin : begin + every]:
            tested.said += pairs_of(game, known, metre)
    begun = time.process_time()
    known = fit(played, metre)
    tested.seconds.append(time.process_time() - begun)
    # Of those who are on the metre.
    final = [one for one in everybody if one.id in known and known[one.id].known]
    tested.ranks.append(rank_correlation([known[one.id].final.mean for one in final], [one.strength for one in final]))
    sure = [one for one in final if is_sure(known[one.id], metre)]
    if len(sure) > 2:
        order = rank_correlation([known[one.id].final.mean for one in sure], [one.strength for one in sure])
        tested.shown.append((len(sure), order))
    if table is not None:
        return
    for one in final:
        point = known[one.id].final
        tested.errors.append(point.mean - one.strength)
        tested.inside.append(abs(point.mean - one.strength) < 1.96 * point.sigma)


def report(name: str, tested: Outcomes) -> None:
    """Print what came of it."""
    print(f"\n{name}: {len(tested.ranks)} clubs, {len(tested.said)} chances")
    print("   said   true     off")
    worst = 0.0
    for said, true, many in tested.bins():
        worst = max(worst, abs(said - true))
        print(f"  {said:5.3f}  {true:5.3f}  {true - said:+.3f}  ({many})")
    print(f"  chances are off by at most {worst:.3f}; log loss {tested.log_loss():.4f}")
    print(f"  rank correlation {statistics.fmean(tested.ranks):.3f} (least {min(tested.ranks):.3f})")
    if tested.shown:
        people, ranks = (statistics.fmean(column) for column in zip(*tested.shown, strict=True))
        print(f"  of the {people:.0f} whose level is shown: {ranks:.3f}")
    if tested.errors:
        off = statistics.fmean(map(abs, tested.errors))
        print(f"  places are off by {off:.0f} points; in the 95 % range: {statistics.fmean(tested.inside):.3f}")
    print(f"  the last fit takes {statistics.fmean(tested.seconds):.2f} s", flush=True)


def main() -> None:
    """Play clubs, and print what was said of them and what came true."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", action="append")
    parser.add_argument("--clubs", type=int, default=10)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true", help="play the game itself, between fallible bots")
    parser.add_argument("--ladders", type=Path, help="a folder with GAME/anchors.json (default: those of the games)")
    parser.add_argument("--every", type=int, default=30, help="games between two fits")
    given = parser.parse_args()
    for game in given.game or game_ids():
        tested, table = Outcomes(), RealGames(game) if given.real else None
        metre = read(game, (given.ladders / game / ANCHORS_FILE).read_bytes()) if given.ladders else metre_of(game)
        for seed in range(given.seed, given.seed + given.clubs):
            try_club(metre, given.people, given.games, seed, tested, given.every, table)
        report(f"{game}, {'played' if given.real else 'drawn'}", tested)


if __name__ == "__main__":
    main()

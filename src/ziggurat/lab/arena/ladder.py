"""The ladder: anchors, which are opponents the same for everybody, and their ratings, measured once and stored.

Their strengths come from games in line-ups that are planned (``ziggurat arena ladder``, `steering`). They are those of
the model of Plackett and Luce. How sure they are is what the model says, or more where whole deals vary more than that
(a sandwich with a cluster for each deal, for games with the same cards need not be independent). A ladder may go on
from an earlier one whose games are gone: what that one knew is a normal distribution. A game keeps its ladders,
one for each number of seats, in ``anchors.json`` of its folder.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.whole_files import write_whole
from ziggurat.lab.intervals import Z
from ziggurat.lab.results import read_json
from ziggurat.lab.tournament.rating import ANCHOR_RATING, POINTS_PER_LOGIT, Chosen, Placed, choices

if TYPE_CHECKING:
    import polars

    from ziggurat.lab.tournament.match import TournamentConfig

ANCHORS_FILE = "anchors.json"
REFERENCE = "greedy"
"""Has 1000 points."""
BOTS = (
    "random",
    "apprentice",
    "mason",
    "builder",
    "greedy",
    "architect=search:32",
    "search:100",
    "search:400",
    "search:1600",
    "classic:400",
    "master=search:12000",
)
"""The ladder. Those that search do so by iterations, without a clock, so that every machine has the same ones."""
LADDER_SEED = 1


class Anchor(msgspec.Struct, frozen=True):
    """An anchor of the ladder, and its rating.

    Attributes:
        text: what makes it.
        low, high: the 95 % confidence interval of its distance to the reference.
        games: in which it sat.
    """

    name: str
    text: str
    rating: float
    low: float
    high: float
    games: int


class Ladder(msgspec.Struct, frozen=True):
    """The anchors of one game with one number of seats, and how their ratings were measured.

    Attributes:
        covariance: of the ratings, in points.
        games, deals: with those of the ladder that it goes on from; ``before`` is the digest of that one.
        seconds: of processor time that its own games took, on the machine that measured it.
    """

    game: str
    players: int
    rules: str
    components: str
    options: dict[str, str]
    ziggurat: str
    seed: str
    games: int
    deals: int
    anchors: list[Anchor]
    covariance: list[list[float]]
    seconds: float = 0.0
    before: str = ""

    def variance(self, weights: Mapping[str, float]) -> float:
        """Return the variance of a weighted mean of the anchors' ratings."""
        w = np.array([weights.get(anchor.name, 0.0) for anchor in self.anchors])
        return float(w @ np.array(self.covariance) @ w)


def read_ladders(file: Path) -> list[Ladder]:
    """Return the ladders of a file.

    Raises:
        ResultsError: when it cannot be read, or is none.
    """
    return read_json(file, list[Ladder])


def put(ladder: Ladder, file: Path) -> None:
    """Write a ladder to a file, with the file's ladders for other numbers of seats.

    Raises:
        OSError, ResultsError: when it cannot be written, or holds something else.
    """
    there = read_ladders(file) if file.exists() else []
    others = [one for one in there if (one.game, one.players) != (ladder.game, ladder.players)]
    lines = [msgspec.json.encode(one).decode() for one in sorted([*others, ladder], key=lambda one: one.players)]
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, "[\n" + ",\n".join(lines) + "\n]\n")


def kept(game: Game) -> list[Ladder]:
    """Return the ladders that come with a game."""
    file = game.folder / ANCHORS_FILE
    return read_ladders(Path(str(file))) if file.is_file() else []


def ladder_of(
    game: Game, players: int, options: Mapping[str, str], components: str, file: Path | None = None
) -> Ladder:
    """Return the ladder for a game with so many seats.

    Args:
        components: digest of the printed numbers.
        file: with ladders of one's own.

    Raises:
        BadOption: when there is none, or one of other rules.
    """
    known = kept(game) if file is None else read_ladders(file)
    seats = [one for one in known if one.players == players and one.game == game.id]
    make = f"'ziggurat arena ladder {game.id} --players {players} --out DIR' measures one"
    if not seats:
        there = ", ".join(str(one.players) for one in known if one.game == game.id) or "none"
        raise BadOption(f"there is no ladder of {game.id} for {players} players (there are: {there}); {make}")
    faults = [misfit(one, game, players, options, components) for one in seats]
    if None in faults:
        return seats[faults.index(None)]
    raise BadOption(f"the ladder of {game.id} for {players} players {faults[0]}; {make}")


def misfit(ladder: Ladder, game: Game, players: int, options: Mapping[str, str], components: str) -> str | None:
    """Return why a ladder does not fit these games, if so; the sentence goes on from "the ladder"."""
    there = (ladder.game, ladder.players, ladder.rules, ladder.components, ladder.options)
    if there != (game.id, players, game.version, components, dict(options)):
        return f"is one of other rules, options or numbers than {game.id} for {players} players has here"
    names, size = [one.name for one in ladder.anchors], len(ladder.anchors)
    if not names or len(set(names)) < size:
        return "has no anchors, or two of one name"
    numbers = [one.rating for one in ladder.anchors] + [value for row in ladder.covariance for value in row]
    if [len(row) for row in ladder.covariance] != [size] * size or any(abs(one) > 1e9 for one in numbers):
        return f"has {size} anchors, but not as many numbers of how sure their ratings are"
    return None


def digest(ladder: Ladder) -> str:
    """Return a digest of a ladder: twelve hexadecimal digits."""
    return hashlib.sha256(msgspec.json.encode(ladder)).hexdigest()[:12]


def measured(config: TournamentConfig, rows: polars.DataFrame, before: Ladder | None = None) -> Ladder:
    """Return the ladder that follows from games between its bots, and from the one that they go on from."""
    groups = by_deal(rows)
    names = [bot for bot in config.bots if before or bot in set(rows["bot"])]
    values, covariance, _ = fit([choices(games) for games in groups], names, reference_of(names), before)
    sat = _sat(rows)
    earlier = {anchor.name: anchor.games for anchor in before.anchors} if before else {}
    anchors = [
        Anchor(
            name,
            config.bot_texts.get(name, name),
            round(float(value), 1),
            round(float(value - Z * math.sqrt(max(0.0, covariance[i, i]))), 1),
            round(float(value + Z * math.sqrt(max(0.0, covariance[i, i]))), 1),
            sat.get(name, 0) + earlier.get(name, 0),
        )
        for i, (name, value) in enumerate(zip(names, values, strict=True))
    ]
    return Ladder(
        game=config.game,
        players=config.players,
        rules=config.rules,
        components=config.components,
        options=config.options,
        ziggurat=config.ziggurat,
        seed=config.seed,
        games=len(rows) // config.players + (before.games if before else 0),
        deals=len(groups) + (before.deals if before else 0),
        anchors=sorted(anchors, key=lambda one: -one.rating),
        covariance=_ordered(covariance, anchors),
        seconds=round(float(rows["seconds"].sum()), 1),
        before=digest(before) if before else "",
    )


def reference_of(names: Sequence[str]) -> str:
    """Return the bot that has 1000 points."""
    return REFERENCE if REFERENCE in names else names[0]


def _ordered(covariance: np.ndarray, anchors: Sequence[Anchor]) -> list[list[float]]:
    order = sorted(range(len(anchors)), key=lambda i: -anchors[i].rating)
    return [[round(float(covariance[i, j]), 2) for j in order] for i in order]


def _sat(rows: polars.DataFrame) -> dict[str, int]:
    return dict(rows.unique(["game", "bot"]).group_by("bot").len().iter_rows())


def by_deal(rows: polars.DataFrame) -> list[list[Placed]]:
    """Return the games of every deal, in order: who sat, with places."""
    deals: dict[int, dict[int, list[tuple[str, int]]]] = defaultdict(lambda: defaultdict(list))
    for deal, game, bot, place in rows.select("deal", "game", "bot", "place").iter_rows():
        deals[deal][game].append((bot, place))
    return [list(games.values()) for _, games in sorted(deals.items())]


class LadderFit(NamedTuple):
    """Ratings that follow from games.

    Attributes:
        values: in points, by bot.
        covariance: of the distances to the reference, in points.
        more: how many times as much whole deals vary as the model says, at least 1.
    """

    values: np.ndarray
    covariance: np.ndarray
    more: float


def fitted(deals: Sequence[Sequence[Placed]], bots: Sequence[str], reference: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the maximum likelihood ratings of some bots, and the covariance of their distances to the reference.

    Args:
        deals: the games of every deal.
    """
    found = fit([choices(games) for games in deals], bots, reference)
    return found.values, found.covariance


def fit(deals: Sequence[Chosen], bots: Sequence[str], reference: str, before: Ladder | None = None) -> LadderFit:
    """Fit the ratings of some bots.

    Every bot is given one drawn game more than it played, a part of it against each of the others.

    Args:
        deals: the choices that the games of every deal are for the model, see `rating.choices`.
        before: what is known from earlier games, on other deals: all these bots with their covariance.
    """
    every: Chosen = defaultdict(lambda: defaultdict(float))
    for found in deals:
        for left, won in found.items():
            for bot, times in won.items():
                every[left][bot] += times
    for i, one in enumerate(bots):
        for other in bots[i + 1 :]:
            for bot in (one, other):
                every[tuple(sorted((one, other)))][bot] += 0.5 / (len(bots) - 1)
    number = {bot: place for place, bot in enumerate(bots)}
    free = [place for bot, place in number.items() if bot != reference]
    mean, precision = _earlier(before, [bots[place] for place in free])
    values, more = np.zeros(len(bots)), 1.0
    # How much games vary follows from the ratings, and how much they count beside earlier ones from that.
    for _ in range(2 if before else 1):
        for _ in range(100):
            score, information = _score(every, values, number)
            inner = information[np.ix_(free, free)]
            slope = score[free] / more + precision @ (mean - values[free])
            step = np.linalg.solve(inner / more + precision, slope)
            values[free] += np.clip(step, -1, 1)
            if float(np.abs(step).max()) < 1e-9:
                break
        inverse = np.linalg.inv(inner)
        scores = np.array([_score_of(found, values, number)[free] for found in deals])
        middle = scores.T @ scores * len(deals) / max(1, len(deals) - len(free))
        # A few deals say little about how much games vary: never less than the model says.
        more = max(1.0, float(np.mean(np.diag(inverse @ middle @ inverse) / np.diag(inverse))))
    covariance = np.zeros((len(bots), len(bots)))
    covariance[np.ix_(free, free)] = POINTS_PER_LOGIT**2 * np.linalg.inv(inner / more + precision)
    return LadderFit(ANCHOR_RATING + POINTS_PER_LOGIT * values, covariance, more)


def _earlier(before: Ladder | None, bots: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the precision of what is known of some bots' distances to the reference, in logits."""
    if before is None:
        return np.zeros(len(bots)), np.zeros((len(bots), len(bots)))
    places = {anchor.name: place for place, anchor in enumerate(before.anchors)}
    where = [places[bot] for bot in bots]
    ratings = np.array([before.anchors[place].rating for place in where])
    covariance = np.array(before.covariance)[np.ix_(where, where)]
    return (ratings - ANCHOR_RATING) / POINTS_PER_LOGIT, np.linalg.inv(covariance / POINTS_PER_LOGIT**2)


def _score_of(chosen: Chosen, values: np.ndarray, number: Mapping[str, int]) -> np.ndarray:
    """Return the first derivative of the log-likelihood of a deal."""
    score = np.zeros(len(number))
    strengths = np.exp(values - values.max())
    for left, won in chosen.items():
        places = [number[bot] for bot in left]
        weights = strengths[places]
        times = sum(won.values())
        np.add.at(score, places, -times / weights.sum() * weights)
        for bot, some in won.items():
            score[number[bot]] += some
    return score


def _score(chosen: Chosen, values: np.ndarray, number: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the first derivative of the log-likelihood, and the negative of the second one."""
    score, information = np.zeros(len(number)), np.zeros((len(number), len(number)))
    for left, won in chosen.items():
        places = [number[bot] for bot in left]
        weights = np.exp(values[places] - values[places].max())
        chance = np.zeros(len(number))
        np.add.at(chance, places, weights / weights.sum())
        times = sum(won.values())
        for bot, some in won.items():
            score[number[bot]] += some
        score -= times * chance
        information += times * (np.diag(chance) - np.outer(chance, chance))
    return score, information

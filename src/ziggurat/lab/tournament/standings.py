"""The standings of a tournament: a ladder, who is ahead of whom, and how certain that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from ziggurat.bots.outside import LEGAL_SEPARATOR
from ziggurat.lab.bench import machine
from ziggurat.lab.intervals import wilson
from ziggurat.lab.tournament.match import TournamentConfig, made_with
from ziggurat.lab.tournament.rating import Placed, Rating, rate

if TYPE_CHECKING:
    import polars

MOST_REASONS = 5
"""For which a bot failed, that are told."""


class Share(msgspec.Struct, frozen=True):
    """A share of some games, with its 95 % confidence interval (Wilson's, as if the games were independent)."""

    games: int
    share: float
    low: float
    high: float

    @classmethod
    def of(cls, share: float, games: int) -> Share:
        """Return the share with the bounds of its interval."""
        low, high = wilson(share, games)
        return cls(games, share, low, high)


class Failure(msgspec.Struct, frozen=True):
    """A reason for which a bot lost games."""

    reason: str
    games: int


class Rank(msgspec.Struct, frozen=True):
    """A bot on the ladder.

    Attributes:
        rating, rating_low, rating_high: see :mod:`ziggurat.lab.tournament.rating`; None alone, against nobody.
        wins: its part of the games that it sat in; with two seats in a game these are two games.
        score: mean points of the games that it did not lose by failing.
        decisions_per_second: of those in which it had a choice, per second of processor time; of bots from outside, per
            second.
        failed: games that it lost by failing.
        failures: why, and how often; the most frequent reasons first.
    """

    bot: str
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    wins: Share
    score: float | None
    decisions: int
    decisions_per_second: float | None
    failed: int = 0
    failures: list[Failure] = []


class Duel(msgspec.Struct, frozen=True):
    """A duel: how often ``bot`` finished ahead of ``other`` when both were at the table; a tie is half."""

    bot: str
    other: str
    ahead: Share


class Standings:
    """The standings of a tournament.

    Attributes:
        rows: a Polars table with one row for every game and seat, see ``results.SCHEMA``.
        ladder: the bots, the best one first.
        duels: for every two bots that met, in both directions.
    """

    def __init__(self, config: TournamentConfig, rows: polars.DataFrame) -> None:
        self.config = config
        self.rows = rows
        games = list(_placed(rows))
        self.games = len(games)
        self.duels = _duels(games)
        self.ladder = self._ladder(games)

    @property
    def anchor(self) -> str:
        """Return the bot that has 1000 points."""
        return "greedy" if "greedy" in self.config.bots else self.config.bots[0]

    def json(self) -> str:
        """Return the standings without the rows, for programs."""
        found = {
            "terms": self.config,
            "versions": made_with(self.config),
            "games": self.games,
            "anchor": self.anchor,
            "ladder": self.ladder,
            "duels": self.duels,
            "machine": machine(),
        }
        return msgspec.json.format(msgspec.json.encode(found)).decode()

    def _ladder(self, games: list[Placed]) -> list[Rank]:
        import polars

        together = self.rows.group_by("bot").agg(
            polars.len().alias("games"), polars.col("win", "score").mean(), polars.col("decisions", "seconds").sum()
        )
        played = {row["bot"]: row for row in together.iter_rows(named=True)}
        ratings: dict[str, Rating] = {}
        if self.config.players > 1 and len(played) > 1:
            present = [bot for bot in self.config.bots if bot in played]
            ratings = rate(games, present, self.anchor if self.anchor in played else present[0])
        failures = self._failures()
        ladder = []
        for bot, row in played.items():
            rating = ratings.get(bot)
            ladder.append(
                Rank(
                    bot=bot,
                    rating=rating.value if rating else None,
                    rating_low=rating.low if rating else None,
                    rating_high=rating.high if rating else None,
                    wins=Share.of(row["win"], row["games"]),
                    score=row["score"],
                    decisions=row["decisions"],
                    decisions_per_second=row["decisions"] / row["seconds"] if row["seconds"] else None,
                    failed=sum(one.games for one in failures.get(bot, [])),
                    failures=failures.get(bot, [])[:MOST_REASONS],
                )
            )
        order = {bot: place for place, bot in enumerate(self.config.bots)}
        return sorted(
            ladder, key=lambda rank: (-(rank.rating or 0.0), -rank.wins.share, -(rank.score or 0.0), order[rank.bot])
        )

    def _failures(self) -> dict[str, list[Failure]]:
        counted: dict[str, Counter[str]] = {}
        for bot, reason in self.rows.select("bot", "failure").drop_nulls().iter_rows():
            counted.setdefault(bot, Counter())[reason.partition(LEGAL_SEPARATOR)[0]] += (
                1  # what was legal differs each time
            )
        return {bot: [Failure(*one) for one in found.most_common()] for bot, found in counted.items()}


def _placed(rows: polars.DataFrame) -> Iterator[Placed]:
    for _, seats in groupby(rows.select("game", "bot", "place").iter_rows(), key=lambda row: row[0]):
        yield [(bot, place) for _, bot, place in seats]


def _duels(games: list[Placed]) -> list[Duel]:
    """Return the duels: a bot on several seats meets another one as often as their seats do, together as one game."""
    met: dict[tuple[str, str], list[float]] = {}
    for placed in games:
        here: dict[tuple[str, str], list[float]] = {}
        for bot, place in placed:
            for other, rival in placed:
                if bot != other:
                    here.setdefault((bot, other), []).append(0.5 if place == rival else float(place < rival))
        for pair, ahead in here.items():
            met.setdefault(pair, []).append(sum(ahead) / len(ahead))
    return [Duel(bot, other, Share.of(sum(won) / len(won), len(won))) for (bot, other), won in sorted(met.items())]

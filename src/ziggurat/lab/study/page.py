"""A study as one HTML page that needs no network and no other file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
import polars

from ziggurat.core.facts import FactColumn
from ziggurat.core.seed import shown_seed
from ziggurat.core.text import catalogue
from ziggurat.lab import report
from ziggurat.lab.report import Html, figures, more, section, table
from ziggurat.lab.report.charts import Point, Scale, bars, curve, histogram, mark, round_end, ruler
from ziggurat.lab.study.config import MOMENTS_PER_GAME
from ziggurat.lab.study.plays import GAME_COLUMNS, MOMENT_COLUMNS
from ziggurat.lab.study.stats import (
    SOURCES,
    Estimate,
    bins,
    cells,
    difference,
    games_to_be_sure,
    mean,
    numbers,
    share,
    sources,
    strict,
    winners_beside_others,
)

if TYPE_CHECKING:
    from ziggurat.lab.study import Study

FEWEST_ROWS = 20
"""Rows below which nothing is said of a group."""
MOST_FACTS = 18
"""Facts that a table of what winners did shows; the others are in the tables."""
METHOD_TEXT = (
    "Intervals are 95 % confidence intervals; what belongs to one game, or one deal, is not taken for independent. A"
    " star marks what stays clear when all lines of its table are looked at together (Bonferroni). Everybody here is a"
    " program: people may play otherwise."
)


def page(study: Study) -> str:
    """Return the page as HTML."""
    return _Page(study).html()


class _Page:
    def __init__(self, study: Study) -> None:
        self.study = study
        self.config = study.config
        self.words = study.game.text("en")
        self.frame = study.games
        self.moments = study.moments
        assert study.game.facts is not None
        self.columns = study.game.facts.columns

    def html(self) -> str:
        name = catalogue("en", self.study.game)("name")
        sections = [
            self._about(),
            self._section("Seats and what is dealt", CHANCE_TEXT, self._balance),
            self._section("Scores, margins, lengths", SCORES_TEXT, self._distributions),
            self._section("Where the points come from", POINTS_TEXT, self._points),
            self._section("What winners did", WINNERS_TEXT, self._winners),
            self._section("Openings", OPENINGS_TEXT, self._openings),
            self._section("Luck and skill", LUCK_TEXT, self._luck),
            self._section("How decisive a decision is", DECISIVE_TEXT, self._decisive),
            self._section("Rules that can be chosen", OPTIONS_TEXT, self._options),
            self._columns(),
        ]
        return report.page(f"A study of {name}", self._facts(), sections)

    def _facts(self) -> str:
        config = self.config
        options = " ".join(f"{key}={value}" for key, value in config.options.items()) or "usual options"
        made = config.made_with
        return (
            f"rules version {made['rules']} · {options} · components {made['components'][:12]} · Ziggurat"
            f" {made['ziggurat']} · seed {shown_seed(bytes.fromhex(config.seed))}"
        )

    def _about(self) -> Html:
        games = self.frame.filter(polars.col("seat") == 1).height
        said = (
            f"{games:,} games. {self.config.bots} plays at every seat in {self.config.games:,} of them for each number"
            " of players, searching by iterations without a clock; the heuristic (greedy) in many more, so that one can"
            " see whether a weaker player leads to the same answer."
        )
        again = Html(f"<p>Again: <code>{escape(self.study.command)}</code></p>")
        return section("What was played", said, METHOD_TEXT, again)

    def _section(self, title: str, text: str, made: Callable[[int], str]) -> str:
        """Return a section with a part for each number of players; empty where all parts are."""
        blocks = [(players, made(players)) for players in self.config.players]
        drawn = [Html(f"<h3>{players} players</h3>{block}") for players, block in blocks if block]
        return section(title, text, *drawn) if drawn else ""

    def _rows(self, sample: str, players: int, variant: str = "") -> polars.DataFrame:
        wanted = polars.col("sample") == sample, polars.col("players") == players, polars.col("variant") == variant
        return self.frame.filter(*wanted)

    # --- Words ---

    def _value(self, column: FactColumn, value: str) -> str:
        said = self.words.get(column.words.format(value)) if column.words else None
        return said if said and "{" not in said else value.replace("_", " ")

    def _label(self, column: FactColumn) -> str:
        said = f"{column.text}: {self._value(column, column.value)}" if column.value else column.text
        if column.kind == "points":
            part = column.fact.removeprefix("points_").replace("_", " ")
            said = f"{part}: {self._value(column, column.value)}" if column.value else part
        return said

    # --- Sections ---

    def _balance(self, players: int) -> str:
        """Return the part on shares of wins by what nobody chose."""
        even, lines = 1 / players, self._dealt(players)
        z = strict(len(lines))
        scale = _from_nothing(one for number in self.config.players for _, *pair in self._dealt(number) for one in pair)
        rows = [
            [
                label,
                _percent(mine, even, z),
                _mark(mine, scale, even),
                _percent(other, even, z),
                _mark(other, scale, even),
            ]
            for label, mine, other in lines
        ]
        drawn = ruler(scale, "{:.0%}".format)
        heads = ["what was dealt", f"wins, {self.config.bots}", drawn, "wins, greedy", drawn]
        return f"<p>Even would be {even:.1%}.</p>{table(heads, rows)}"

    def _dealt(self, players: int) -> list[tuple[str, Estimate, Estimate]]:
        """Return the part on what nobody chose, with the shares of wins of the bots and of the heuristic."""
        strong, quick = self._rows("games", players), self._rows("quick", players)
        lines = []
        for column in self.columns:
            if not column.chance:
                continue
            for label, chosen in self._groups(column):
                mine, other = strong.filter(chosen), quick.filter(chosen)
                if other.height >= FEWEST_ROWS:
                    lines.append((label, _share(mine), _share(other)))
        return lines

    def _groups(self, column: FactColumn) -> Iterable[tuple[str, polars.Expr]]:
        if column.name == "order":
            for place in range(1, max(self.config.players) + 1):
                yield f"moves {_ordinal(place)}", polars.col("order") == place
        elif column.kind == "category":
            for value in column.values:
                yield f"{column.text}: {self._value(column, value)}", polars.col(column.name) == value
        else:
            yield self._label(column), polars.col(column.name) > 0

    def _distributions(self, players: int) -> str:
        known = self._distributed(players)
        every = [self._distributed(number) for number in self.config.players]
        drawn = []
        for said, values in known.items():
            alike = [said] if said not in POINTS_ON_ONE_SCALE else list(POINTS_ON_ONE_SCALE)
            beside = [one[name] for one in every for name in alike]
            among = np.concatenate(beside)
            top = max(float(bars(one, among=among).shares.max()) for one in beside)
            drawn.append((said, histogram(bars(values, among=among), alt=said, top=top)))
        charts, rows = figures(*drawn), []
        for said, values in known.items():
            spread = [f"{np.quantile(values, part):.0f}" for part in (0.05, 0.25, 0.5, 0.75, 0.95)]
            rows.append([said, _number(mean(values)), f"{values.std(ddof=1):.1f}", *spread])
        heads = ["of the games", "mean", "deviation", "5\u00a0%", "25\u00a0%", "median", "75\u00a0%", "95\u00a0%"]
        win = numbers(self._rows("games", players), "win").reshape(-1, players)
        ties = float((win.max(axis=1) < 1).mean())
        return f"{charts}{table(heads, rows)}<p>Shared wins: {ties:.1%} of the games.</p>"

    def _distributed(self, players: int) -> dict[str, np.ndarray]:
        """Return the part with the distributions of points, margins and lengths."""
        frame = self._rows("games", players)
        scores, win = (numbers(frame, name).reshape(-1, players) for name in ("score", "win"))
        ordered = np.sort(scores, axis=1)
        return {
            POINTS_ON_ONE_SCALE[0]: scores.reshape(-1),
            POINTS_ON_ONE_SCALE[1]: scores[win > 0],
            "points between first and second": ordered[:, -1] - ordered[:, -2],
            "turns of a player": numbers(frame, "turns").reshape(-1, players).max(axis=1),
            "actions in a game": numbers(frame, "decisions").reshape(-1, players)[:, 0],
        }

    def _points(self, players: int) -> str:
        lines = self._parts(players)
        low, high = _ends(one for number in self.config.players for *_, one in self._parts(number))
        widest = round_end(max(-low, high))
        scale = Scale(-widest, widest)
        rows = [
            [self._label(column), f"{usual:.2f}", _number(found, 0.0, strict(len(lines))), _mark(found, scale, 0)]
            for column, usual, found in lines
        ]
        drawn = ruler(scale, lambda more: f"{more:+.3g}" if more else "0")
        return table(["part of the score", "mean", "winners have more by", drawn], rows)

    def _parts(self, players: int) -> list[tuple[FactColumn, float, Estimate]]:
        """Return the part on the parts of the score that anybody got: the mean, and how much more winners have."""
        frame = self._rows("games", players)
        win = numbers(frame, "win").reshape(-1, players)
        lines = []
        for column in self.columns:
            if column.kind != "points":
                continue
            values = numbers(frame, column.name).reshape(-1, players)
            if values.any():
                lines.append((column, float(values.mean()), winners_beside_others(values, win)[0]))
        return lines

    def _winners(self, players: int) -> str:
        frame = self._rows("quick", players), self._rows("games", players)
        win = [numbers(one, "win").reshape(-1, players) for one in frame]
        lines = []
        for column in self.columns:
            if column.kind not in ("number", "first") or column.chance:
                continue
            quick, strong = (numbers(one, column.name).reshape(-1, players) for one in frame)
            known = strong[~np.isnan(strong)]
            if len(known) < FEWEST_ROWS or not known.std():
                continue
            found, size = winners_beside_others(strong, win[1])
            other, _ = winners_beside_others(quick, win[0])
            if found.rows >= len(win[1]) / 4:
                lines.append((abs(size), size, column, float(known.mean()), found, other))
        lines.sort(key=lambda one: -one[0])
        z = strict(len(lines))
        rows = [
            [self._label(column), f"{usual:.2f}", _number(found, 0.0, z), _number(other, 0.0, z), f"{size:+z.2f}"]
            for _, size, column, usual, found, other in lines
        ]
        heads = ["what they did", "mean", "winners have more by", "the same, greedy", "in deviations"]
        told = table(heads, rows[:MOST_FACTS])
        others = (
            more(f"{len(rows) - MOST_FACTS} more", table(heads, rows[MOST_FACTS:])) if len(rows) > MOST_FACTS else ""
        )
        best = [column for _, _, column, *_ in lines[:6]]
        by_number = [self._by_number(column, frame[1], players) for column in best]
        return f"{told}{others}{more(f'Wins by how many, for the first {len(best)}', *by_number)}"

    def _by_number(self, column: FactColumn, frame: polars.DataFrame, players: int) -> Html:
        known = frame.drop_nulls(column.name)
        rows = []
        for low, high in bins(numbers(known, column.name)):
            found = _share(known.filter(polars.col(column.name).is_between(low, high)))
            said = f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"
            rows.append([said, f"{found.rows:,}", _percent(found), _mark(found, WHOLE_SCALE, 1 / players)])
        if known.height < frame.height:
            found = _share(frame.filter(polars.col(column.name).is_null()))
            rows.append(["never", f"{found.rows:,}", _percent(found), _mark(found, WHOLE_SCALE, 1 / players)])
        shown = table(["how many", "players", "wins", ruler(WHOLE_SCALE, "{:.0%}".format)], rows)
        return Html(f"<p><b>{escape(self._label(column))}</b></p>{shown}")

    def _openings(self, players: int) -> str:
        column = next((one for one in self.columns if one.name == "opening"), None)
        if column is None:
            return ""
        even, lines = 1 / players, self._opened(column, players)
        z = strict(len(lines))
        scale = _from_nothing(
            tried
            for number in self.config.players
            for *_, tried in self._opened(column, number)
            if tried.rows >= FEWEST_ROWS
        )
        rows = [
            [
                self._value(column, value),
                f"{part:.1%}",
                _percent(own, even, z) if own.rows >= FEWEST_ROWS else "",
                _percent(tried, even, z) if tried.rows >= FEWEST_ROWS else "",
                _mark(tried, scale, even) if tried.rows >= FEWEST_ROWS else "",
            ]
            for value, part, own, tried in lines
        ]
        drawn = ruler(scale, "{:.0%}".format)
        return table([column.text, "how often", "wins", "wins, when drawn by lot", drawn], rows)

    def _opened(self, column: FactColumn, players: int) -> list[tuple[str, float, Estimate, Estimate]]:
        """Return the part on first actions: how often they were chosen, and their wins when chosen and when drawn at
        random."""
        strong, drawn = self._rows("games", players), self._rows("openings", players)
        lines = []
        for value in column.values:
            own, tried = (frame.filter(polars.col("opening") == value) for frame in (strong, drawn))
            if max(own.height, tried.height) >= FEWEST_ROWS:
                lines.append((value, own.height / max(strong.height, 1), _share(own), _share(tried)))
        return lines

    def _luck(self, players: int) -> str:
        heads = ["who meets", "deals", "wins", "skill", "seat", "deal", "style", "chance"]
        rows = []
        for contest in self.config.contests(players):
            frame = self._rows("levels", players, ",".join(contest))
            deal, seat = (frame[name].to_numpy() for name in ("deal", "seat"))
            place = (seat - 1 + frame["arrangement"].to_numpy()) % players
            win = numbers(frame, "win")
            played = cells(deal, place, seat - 1, frame["replay"].to_numpy() - 1, win - 1 / players)
            if len(played) < 3:
                continue
            equal = len(set(contest)) == 1
            parts = sources(played, equal=equal)
            wins = []
            for bot in dict.fromkeys(contest):
                found = share(win[frame["bot"].to_numpy() == bot], deal[frame["bot"].to_numpy() == bot])
                sure = games_to_be_sure(found.value) if players == 2 and not equal else None
                soon = f"<br><small>ahead with 95 %<br>after {sure:,} games</small>" if sure else ""
                wins.append(f"{escape(bot)} {found.value:.1%}{soon}")
            told = [f"equals: {contest[0]}"] if equal else contest
            said = "" if equal else Html("<br>".join(wins))
            kinds = [
                "" if equal and name in ("skill", "style") else Html(_percent(parts[name]).replace(" <s", "<br><s"))
                for name in SOURCES
            ]
            rows.append([", ".join(told), f"{len(played):,}", said, *kinds])
        return table(heads, rows) if rows else ""

    def _decisive(self, players: int) -> str:
        points = self._eighths(players)
        if not points:
            return ""
        low, high = _ends(one[0] for number in self.config.players for one in self._eighths(number))
        scale = Scale(math.floor(low * 20) / 20, math.ceil(max(high, 0.05) * 20) / 20)
        gain = _curve([one[0] for one in points], scale, "what a move is worth, by moment", 0.0)
        chance = _curve([one[2] for one in points], WHOLE_SCALE, "chance of the later winner, by moment", 1 / players)
        rows = [
            [f"{_ordinal(part + 1)} eighth", *(_percent(one) for one in found), f"{alike.value:.0%}"]
            for part, (*found, alike) in enumerate(points)
        ]
        heads = ["of the game", "beside another move", "beside the heuristic's", "later winner", "leader", "same move"]
        drawn = figures(
            ("chance to win that a move brings, beside another one at random", gain),
            ("chance of the later winner (dotted: even)", chance),
        )
        return f"{drawn}{table(heads, rows)}"

    def _eighths(self, players: int) -> list[list[Estimate]]:
        """Return the part on the value of decisions in every eighth of a game; empty where one has too few of them."""
        frame = self.moments.filter(polars.col("players") == players)
        at = np.minimum((numbers(frame, "part") * MOMENTS_PER_GAME).astype(int), MOMENTS_PER_GAME - 1)
        game = frame["game"].to_numpy()
        names = ("gain", "gain_over_heuristic", "chance_of_winner", "chance_of_leader", "as_heuristic")
        owns = [at == part for part in range(MOMENTS_PER_GAME)]
        if min(own.sum() for own in owns) < 2:
            return []
        return [[mean(numbers(frame, name)[own], game[own]) for name in names] for own in owns]

    def _options(self, players: int) -> str:
        base = self._rows("quick", players)
        lines = []
        for name, value in self.config.variants(players):
            frame = self._rows("option", players, f"{name}={value}")
            if not frame.height:
                continue
            found = []
            for column in ("score", "turns", "first"):
                mine, usual = (_of_games(one, column, players) for one in (frame, base))
                found.append(difference(mine, usual))
            lines.append((f"{name}={value}", found))
        z = strict(3 * len(lines))
        rows = [
            [_breaking(label), _number(score, 0.0, z), _number(turns, 0.0, z), _percent(first, 0.0, z)]
            for label, (score, turns, first) in lines
        ]
        return table(["option", "points of a player", "turns", "wins of who begins"], rows) if rows else ""

    def _columns(self) -> Html:
        of_games = {**GAME_COLUMNS, **{one.name: self._label(one) for one in self.columns}}
        shown = [
            more(f"Columns of {file}", table(["column", "what it is"], [[_code(name), known[name]] for name in known]))
            for file, known in (("games.parquet", of_games), ("moments.parquet", MOMENT_COLUMNS))
        ]
        return section("The tables", TABLES_TEXT, *shown)


TABLES_TEXT = (
    "games.parquet has a row for every player and game, moments.parquet one for every decision that was looked at."
)
CHANCE_TEXT = "Shares of wins by what nobody chose, when equally strong bots play."
SCORES_TEXT = (
    "Of the games between equals: the part of all that fell into each bar. All pictures of one thing have the same"
    " scales, whatever the number of players; the points of winners have those of all points."
)
POINTS_ON_ONE_SCALE = ("points of all players", "points of winners")
"""What stands on one scale."""
WHOLE_SCALE = Scale(0, 1)
POINTS_TEXT = "The mean of all players, and how much more winners have than the others of their game; the parts add up."
WINNERS_TEXT = (
    "How much more of something winners have than the others at their table, those first that tell them apart best;"
    " a first time is compared where it came for both."
    " This is what goes with winning, not what makes one win: whoever is ahead also does more of some things."
)
OPENINGS_TEXT = (
    "What players did first. Bots choose what suits their cards, so shares of wins also say how good the cards were; in"
    " games of their own the first action was drawn by lot among all that were legal, which tells what it is worth."
)
LUCK_TEXT = (
    "The same deals are played with everybody at every seat, twice. Of the variance of a win, so much comes from who"
    " plays (skill), from the seat, from the cards dealt to a seat (deal), from bots that suit some deals or seats"
    " better (style); the rest falls out otherwise when the same bots play the same deal again (chance). Parts of"
    " nothing may come out a little below 0. How large skill is depends on how different those are who meet."
)
DECISIVE_TEXT = (
    "Moves were played on beside another one at random, with the same hidden cards and the same chance, dealt from what"
    " the mover knew: how much more often does the move win? And how likely was the later winner to win by then?"
)
OPTIONS_TEXT = (
    "What changes when one rule is chosen otherwise, in games of the heuristic: the difference to the usual rules."
    " Where a rule leaves the deals as they are, game is compared with game. Of rules that only a player who searches"
    " would use, there is no difference here."
)


def _share(frame: polars.DataFrame) -> Estimate:
    return share(numbers(frame, "win"), frame["game"].to_numpy())


def _of_games(frame: polars.DataFrame, column: str, players: int) -> np.ndarray:
    """Return for every game the mean of a column, or the share of the win of the seat that began."""
    if column == "first":
        began: np.ndarray = (numbers(frame, "win") * (frame["order"].to_numpy() == 1)).reshape(-1, players).sum(axis=1)
        return began
    means: np.ndarray = numbers(frame, column).reshape(-1, players).mean(axis=1)
    return means


def _percent(found: Estimate, even: float | None = None, z: float = 0.0) -> Html:
    return report.estimate(*found[:3], "{:z.1%}".format, star=even is not None and found.differs_from(even, z))


def _number(found: Estimate, even: float | None = None, z: float = 0.0) -> Html:
    return report.estimate(*found[:3], "{:z.2f}".format, star=even is not None and found.differs_from(even, z))


def _mark(found: Estimate, scale: Scale, even: float) -> Html:
    return mark(Point("", *found[:3]), scale, even)


def _from_nothing(found: Iterable[Estimate]) -> Scale:
    """Return a scale of shares, from 0 on, on which all intervals lie."""
    return Scale(0, min(1.0, round_end(_ends(found)[1] or 1.0)))


def _ends(found: Iterable[Estimate]) -> tuple[float, float]:
    """Return the ends of a scale for all intervals and 0."""
    ends = [0.0, *(end for one in found for end in one[:3] if math.isfinite(end))]
    return min(ends), max(ends)


def _curve(found: Sequence[Estimate], scale: Scale, alt: str, even: float) -> Html:
    points = [Point(f"{_ordinal(part + 1)} eighth", *one[:3]) for part, one in enumerate(found)]
    axis, ends = "by eighths of the game", ("beginning", "end")
    return curve(points, "{:z.0%}".format, alt=alt, axis=axis, ends=ends, scale=scale, even=even)


def _code(name: str) -> Html:
    return Html(f"<code>{escape(name)}</code>")


def _breaking(option: str) -> Html:
    """Return the name of an option that may break between its words."""
    return Html(escape(option).replace("_", "_<wbr>").replace("=", "=<wbr>"))


def _ordinal(place: int) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")[place - 1]

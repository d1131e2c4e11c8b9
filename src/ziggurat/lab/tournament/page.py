"""A tournament as one HTML page that needs no network and no other file."""

from __future__ import annotations

from html import escape

import numpy as np

from ziggurat.core.seed import shown_seed
from ziggurat.lab import report
from ziggurat.lab.report import Html, Shaded, section, table
from ziggurat.lab.report.charts import LOW, Point, Scale, bars, dots, histogram, scale_of
from ziggurat.lab.tournament.standings import Rank, Share, Standings

METHOD_TEXT = "In a round everybody meets everybody at every seat, with the same deal."
HOW_ALONE = "Every bot plays the same deals against the game itself."
INTERVALS_TEXT = "Intervals are 95 % confidence intervals, as if the games were independent of each other."
MODEL_TEXT = (
    "The rating is that of {model}, fitted with statsmodels: {anchor} has 1000 points, and 400 points more are odds of "
    "10 to 1 to finish ahead. Every bot was given one drawn game more than it played, a part of it against each of the "
    "others, so that nobody is infinitely strong."
)

FAILED_TEXT = (
    "A bot that breaks, is late or answers what is not legal has lost that game and is last; its points do not count. "
    "The game's heuristic plays on in its seat, so that the others can end the game."
)
SPEED_TEXT = (
    "Decisions in which there was a choice, per second of processor time, on the machine that played; of programs and"
    " sockets per second that passed."
)
MOST_BARS = 30
"""At most so many in a histogram."""


def page(standings: Standings) -> str:
    """Return the page as HTML."""
    config = standings.config
    words = f"{config.game}, {config.players} player{'s' * (config.players > 1)}"
    sections = [_ladder(standings), _duels(standings), _failures(standings), _points(standings), _speed(standings)]
    return report.page(f"Tournament: {words}", _facts(standings), sections)


def _facts(standings: Standings) -> Html:
    config = standings.config
    options = " ".join(f"{name}={value}" for name, value in config.options.items() if value)
    numbers = "usual components" if config.components_text is None else f"components {config.components[:12]}"
    known = (
        f"{standings.games:,} games · Ziggurat {config.ziggurat}, rules version {config.rules} · {options} · {numbers}"
    )
    return Html(f"{escape(known)} · seed <code>{escape(shown_seed(bytes.fromhex(config.seed)))}</code>")


def _ladder(standings: Standings) -> Html:
    """Return the chart of ratings, or alone of the shares of wins, with their intervals."""
    ladder, anchor = standings.ladder, standings.anchor
    games = [f"{rank.wins.games:,}" for rank in ladder]
    wins = [_share(rank.wins) for rank in ladder]
    points = ["" if rank.score is None else f"{rank.score:.2f}" for rank in ladder]
    speed = [_rate(rank.decisions_per_second) if rank.decisions_per_second else "" for rank in ladder]
    columns = {"bot": [rank.bot for rank in ladder], "games": games, "wins": wins, "mean points": points}
    if standings.config.players == 1:
        title, text = "Wins against the game", f"{HOW_ALONE} {INTERVALS_TEXT}"
        shares = [Point(rank.bot, rank.wins.share, rank.wins.low, rank.wins.high) for rank in ladder]
        drawn = dots(shares, "{:.0%}".format, alt="Shares of wins", axis="share of wins", scale=Scale(0, 1))
    else:
        model = "Bradley and Terry" if standings.config.players == 2 else "Plackett and Luce"
        title, text = "Ladder", f"{METHOD_TEXT} {INTERVALS_TEXT} {MODEL_TEXT.format(model=model, anchor=anchor)}"
        rated = [_rating(rank, anchor) for rank in ladder if rank.rating is not None]
        drawn = dots(rated, "{:.0f}".format, alt="Ratings", axis="rating")
        known = {point.name: report.estimate(*point[1:], "{:.0f}".format) for point in rated}
        columns = {"bot": columns["bot"], "rating": [known.get(rank.bot, "") for rank in ladder], **columns}
    columns["decisions/s"] = speed
    return section(title, text, drawn, table([*columns], zip(*columns.values(), strict=True)))


def _rating(rank: Rank, anchor: str) -> Point:
    assert rank.rating is not None
    if rank.bot == anchor:  # by which the others are measured
        return Point(rank.bot, rank.rating)
    return Point(rank.bot, rank.rating, rank.rating_low, rank.rating_high)


def _duels(standings: Standings) -> str:
    """Return the table of who finished ahead of whom: shares, with their intervals."""
    if not standings.duels:
        return ""
    ahead = {(duel.bot, duel.other): duel.ahead for duel in standings.duels}
    order = [rank.bot for rank in standings.ladder]
    rows = [
        [bot, *(_duel(bot, other, ahead[bot, other]) if (bot, other) in ahead else "" for other in order)]
        for bot in order
    ]
    text = "How often the bot of the row finished ahead of the bot of the column; a tie is half."
    return section("Who is ahead of whom", text, table(["ahead of", *order], rows))


def _duel(bot: str, other: str, ahead: Share) -> Shaded:
    return Shaded(_share(ahead), ahead.share, f"{bot} ahead of {other} in {ahead.share:.1%} of {_games(ahead.games)}")


def _failures(standings: Standings) -> str:
    """Return the table of why bots failed; empty where none did."""
    said = []
    for rank in standings.ladder:
        for one in rank.failures:
            said.append(f"<b>{escape(rank.bot)}</b>, {_games(one.games)}: it {escape(one.reason)}")
        if rest := rank.failed - sum(one.games for one in rank.failures):
            said.append(f"<b>{escape(rank.bot)}</b>, {_games(rest)}: for other reasons")
    lines = Html(f"<ul>{''.join(f'<li>{one}</li>' for one in said)}</ul>")
    return section("Games lost by failing", FAILED_TEXT, lines) if said else ""


def _points(standings: Standings) -> Html:
    """Return the histograms of the bots' points, all of the same scale."""
    rows = standings.rows.drop_nulls("score")
    every = rows["score"].to_numpy()
    found = {rank.bot: rows.filter(rows["bot"] == rank.bot)["score"].to_numpy() for rank in standings.ladder}
    drawn = {bot: bars(points, MOST_BARS, every) for bot, points in found.items() if len(points)}
    top = max((float(one.shares.max()) for one in drawn.values()), default=1.0)
    shown = []
    for bot, one in drawn.items():
        low, quarter, half, most, high = np.quantile(found[bot], (0, 0.25, 0.5, 0.75, 1))
        alt = f"Points of {bot}: {low:.0f} to {high:.0f}, in half of the games {quarter:.0f} to {most:.0f}"
        picture = histogram(one, alt=f"{alt}, in the middle {half:.0f}", top=top, height=LOW)
        shown.append(Html(f"<h3>{escape(bot)}</h3>{picture}"))
    return section("Points", "Of all games of each bot.", *shown)


def _speed(standings: Standings) -> Html:
    """Return the chart of decisions per second, on a scale of powers of ten."""
    known = [
        Point(rank.bot, rank.decisions_per_second) for rank in standings.ladder if rank.decisions_per_second is not None
    ]
    alt = "Decisions per second"
    drawn = dots(known, _rate, alt=alt, axis=alt.lower(), scale=scale_of(known, log=True))
    return section("Speed", SPEED_TEXT, drawn if known else "")


def _rate(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")


def _games(number: int) -> str:
    return f"{number:,} game{'s' * (number > 1)}"


def _share(share: Share) -> Html:
    return report.estimate(share.share, share.low, share.high, "{:.1%}".format)

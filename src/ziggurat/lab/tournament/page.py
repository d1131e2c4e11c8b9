"""A tournament as one HTML page that needs nothing else: no network, and no file beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from ziggurat.lab.simulate import shown_seed
from ziggurat.lab.tournament.standings import Share, Standings

HOW = "In a round everybody meets everybody at every seat, with the same deal."
HOW_ALONE = "Every bot plays the same deals against the game itself."
INTERVALS = "Intervals are 95 % confidence intervals, as if the games were independent of each other."
MODEL = (
    "The rating is that of {model}, fitted with statsmodels: {anchor} has 1000 points, and 400 points more are odds of "
    "10 to 1 to finish ahead. Every bot was given one drawn game more than it played, a part of it against each of the "
    "others, so that nobody is infinitely strong."
)

FAILED = (
    "A bot that breaks, is late or answers what is not legal has lost that game and is last; its points do not count. "
    "The game's heuristic plays on in its seat, so that the others can end the game."
)


def write_page(standings: Standings, file: Path) -> None:
    """Write the page, all of it or nothing."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_text(page(standings), encoding="utf-8", newline="\n")
    fresh.replace(file)


def page(standings: Standings) -> str:
    """The page as HTML."""
    from ziggurat.lab.tournament import charts

    terms = standings.terms
    alone = terms.players == 1
    model = "Bradley and Terry" if terms.players == 2 else "Plackett and Luce"
    rated = f"{HOW} {INTERVALS} {MODEL.format(model=model, anchor=standings.anchor)}"
    explained = f"{HOW_ALONE} {INTERVALS}" if alone else rated
    sections = [
        _section(
            "Wins against the game" if alone else "Ladder", explained, charts.ladder(standings), _ladder(standings)
        )
    ]
    if standings.duels:
        text = "How often the bot of the row finished ahead of the bot of the column; a tie is half."
        sections.append(_section("Who is ahead of whom", text, charts.duels(standings), _duels(standings)))
    if failed := _failures(standings):
        sections.append(f"<section><h2>Games lost by failing</h2><p>{escape(FAILED)}</p>{failed}</section>")
    sections += [
        _section("Points", "Of all games of each bot.", charts.scores(standings)),
        _section(
            "Speed",
            "Decisions in which there was a choice, per second of processor time, on the machine that played; of "
            "programs and sockets per second that passed.",
            charts.speed(standings),
        ),
    ]
    words = f"{terms.game}, {terms.players} player{'s' * (not alone)}"
    return Template(files("ziggurat.lab.tournament").joinpath("page.html").read_text(encoding="utf-8")).substitute(
        title=escape(f"Tournament: {words}"),
        facts=_facts(standings),
        sections="\n".join(sections),
        library=_library(),
    )


@cache
def _library() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script, in the version that Altair writes for."""
    import altair
    import vl_convert

    version = ".".join(altair.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    library: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", version)
    return library.replace("</script", "<\\/script")


def _section(title: str, text: str, chart: Any, table: str = "") -> str:
    spec = json.dumps(chart.to_dict()).replace("<", "\\u003c")
    return (
        f"<section><h2>{escape(title)}</h2><p>{escape(text)}</p>"
        f'<div class="wide" data-chart role="img" aria-label="{escape(title)}">'
        f'<script type="application/json">{spec}</script></div>{table}</section>'
    )


def _facts(standings: Standings) -> str:
    terms = standings.terms
    options = " ".join(f"{name}={value}" for name, value in terms.options.items() if value)
    numbers = "usual components" if terms.numbers is None else f"components {terms.components[:12]}"
    known = (
        f"{standings.games:,} games · Ziggurat {terms.ziggurat}, rules version {terms.rules} · {options} · {numbers}"
    )
    return f"{escape(known)} · seed <code>{escape(shown_seed(bytes.fromhex(terms.seed)))}</code>"


def _ladder(standings: Standings) -> str:
    heads = ["bot", "rating", "games", "wins", "mean points", "decisions/s"]
    rows = []
    for rank in standings.ladder:
        rating = "" if rank.rating is None else f"{rank.rating:.0f}"
        if rank.rating_low is not None and rank.rating_high is not None and rank.bot != standings.anchor:
            rating += f" <small>{rank.rating_low:.0f} to {rank.rating_high:.0f}</small>"
        speed = f"{rank.decisions_per_second:,.1f}" if rank.decisions_per_second else ""
        rows.append(
            [escape(rank.bot), rating, f"{rank.wins.games:,}", _share(rank.wins), _points(rank.score), speed],
        )
    if standings.terms.players == 1:
        heads, rows = [heads[0], *heads[2:]], [[row[0], *row[2:]] for row in rows]
    return _table(heads, rows)


def _points(score: float | None) -> str:
    return "" if score is None else f"{score:.2f}"


def _failures(standings: Standings) -> str:
    """Why bots failed; nothing where none did."""
    said = []
    for rank in standings.ladder:
        for one in rank.failures:
            said.append(f"<b>{escape(rank.bot)}</b>, {_games(one.games)}: it {escape(one.reason)}")
        if rest := rank.failed - sum(one.games for one in rank.failures):
            said.append(f"<b>{escape(rank.bot)}</b>, {_games(rest)}: for other reasons")
    return f"<ul>{''.join(f'<li>{one}</li>' for one in said)}</ul>" if said else ""


def _games(number: int) -> str:
    return f"{number:,} game{'s' * (number > 1)}"


def _duels(standings: Standings) -> str:
    ahead = {(duel.bot, duel.other): duel.ahead for duel in standings.duels}
    order = [rank.bot for rank in standings.ladder]
    rows = [
        [escape(bot), *(_share(ahead[bot, other]) if (bot, other) in ahead else "" for other in order)] for bot in order
    ]
    return _table(["ahead of", *map(escape, order)], rows)


def _share(share: Share) -> str:
    return f"{share.share:.1%} <small>{share.low:.1%} to {share.high:.1%}</small>"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Cells are HTML."""
    head = "".join(f"<th>{cell}</th>" for cell in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'

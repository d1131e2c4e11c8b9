"""The progress of a training run as a page that needs no other file: learning curves as pictures, and the same numbers
as a table."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ziggurat.bots.learned import open_network
from ziggurat.core.text import catalogue
from ziggurat.lab import report
from ziggurat.lab.learn.evaluation_match import LOST_SHARE
from ziggurat.lab.report import Html, figures, section, table
from ziggurat.lab.report.charts import Point, curve

if TYPE_CHECKING:
    from ziggurat.lab.learn.trainer import Trainer

CURVES = {
    "win": ("Who wins", "cross-entropy in nats of the chances that are stated, in games it has not learned from"),
    "error": ("Error of the chance of winning", "mean square error, in games it has not learned from"),
    "choice": ("What the search prefers", "cross-entropy in nats of its preferences"),
    "share": ("Against the one before", "share of the wins; one half when both are alike"),
}
SMALL_TEXT = "Small: the same for games that it has learned from."


def page(trainer: Trainer) -> str:
    """Return the page as HTML."""
    state, config, rows = trainer.state, trainer.config, trainer.state.history
    name = catalogue("en", trainer.game)("name")
    title = f"{name} learned: {min(state.generation, config.generations)} of {config.generations} generations"
    facts = f"rules version {trainer.game.version} · {state.games:,} games · {state.positions:,} positions"
    again = Html(f"<p>Again: <code>{escape(trainer.command)}</code></p>")
    sections = [section("How", _said(trainer), again)]
    if rows:
        sections.append(section("Curves", _curves(rows), _table(rows), SMALL_TEXT))
    return report.page(title, facts, sections)


def _said(trainer: Trainer) -> str:
    config = trainer.config
    said = (
        f"The heuristic plays {config.first:,} games before the first fit, the strongest network {config.games:,}"
        f" before each further one, for {', '.join(map(str, config.players))} players; some decisions are searched"
        f" with {config.iterations} iterations. A candidate plays up to {config.contest} games against the network"
        f" before, at {config.contest_iterations} iterations a decision (the first against the search without one),"
        f" until it is clear which is stronger, and takes its place unless it wins less than {LOST_SHARE:.0%}."
    )
    if trainer.champion:
        header = open_network(trainer.game, trainer.champion).header
        said += f" The strongest is that of generation {header.generations}."
        if trainer.state.stated >= config.stated:
            said += (
                f" In {trainer.state.stated:,} games between its searches its chances of winning came true most nearly"
                f" at temperature {header.temperature:g}: below 1 they are stated more surely than it sees them."
            )
    return said


def _curves(rows: list[dict[str, float]]) -> Html:
    """Return the learning curves: values by generation."""
    drawn = []
    for key, (title, text) in CURVES.items():
        points = [Point(f"generation {row['generation'] + 1:.0f}", row[key]) for row in rows if key in row]
        if points:
            form, even = ("{:.0%}".format, 0.5) if key == "share" else ("{:.3f}".format, None)
            words = Html(f"<strong>{escape(title)}</strong>: {escape(text)}")
            drawn.append((words, curve(points, form, alt=title, even=even)))
    return figures(*drawn)


def _table(rows: list[dict[str, float]]) -> Html:
    heads = ["generation", "games", "positions", "who wins", "standing", "preferences", "square error", "share of wins"]
    cells = []
    for row in rows:
        met = "" if "share" not in row else f"{row['share']:.1%} of {row['contest']:.0f}"
        losses = [
            Html(f"{row[name]:.3f} <small>{row[f'learned_{name}']:.3f}</small>")
            for name in ("win", "standing", "choice", "error")
        ]
        numbers = [f"{row['generation'] + 1:.0f}", f"{row['games']:,.0f}", f"{row['positions']:,.0f}"]
        cells.append([*numbers, *losses, met + ("" if row.get("promoted", 1.0) else " (not promoted)")])
    return table(heads, cells)

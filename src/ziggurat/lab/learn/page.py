"""How far learning is, as a page that needs nothing else: curves as pictures, and the same numbers as a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from ziggurat.bots.learned import open_network
from ziggurat.lab.learn.contest import LOST

if TYPE_CHECKING:
    from ziggurat.lab.learn.learner import Learner

CURVES = {
    "win": ("Who wins", "cross-entropy in nats of the chances that are stated, in games it has not learned from"),
    "error": ("Error of the chance of winning", "mean square error, in games it has not learned from"),
    "choice": ("What the search prefers", "cross-entropy in nats of its preferences"),
    "share": ("Against the one before", "share of the wins; one half when both are alike"),
}
WIDTH, HEIGHT = 300, 110


def page(learner: Learner) -> str:
    """The page as HTML."""
    state, course = learner.state, learner.course
    name = learner.game.text("en")["name"]
    facts = f"rules version {learner.game.version} · {state.games:,} games · {state.positions:,} positions"
    about = (
        f"<section><h2>How</h2><p>{escape(_said(learner))}</p>"
        f"<p>Again: <code>{escape(learner.command)}</code></p></section>"
    )
    rows = state.history
    drawn = "".join(
        f"<figure><figcaption><strong>{escape(title)}</strong>: {escape(text)}</figcaption>"
        f"{_curve([row[key] for row in rows if key in row], title, 0.5 if key == 'share' else None)}</figure>"
        for key, (title, text) in CURVES.items()
        if rows and key in rows[0]
    )
    curves = f'<section><h2>Curves</h2><div class="charts">{drawn}</div>{_table(rows)}</section>' if rows else ""
    return Template(files("ziggurat.lab.study").joinpath("page.html").read_text(encoding="utf-8")).substitute(
        title=escape(
            f"{name} learned: {min(state.generation, course.generations)} of {course.generations} generations"
        ),
        facts=escape(facts),
        sections=about + curves,
    )


def _said(learner: Learner) -> str:
    course = learner.course
    said = (
        f"The heuristic plays {course.first:,} games before the first fit, the strongest network {course.games:,}"
        f" before each further one, for {', '.join(map(str, course.players))} players; some decisions are searched"
        f" with {course.iterations} iterations. A candidate plays up to {course.contest} games against the network"
        f" before, at {course.contest_iterations} iterations a decision (the first against the search without one),"
        f" until it is clear which is stronger, and takes its place unless it wins less than {LOST:.0%}."
    )
    if learner.champion:
        header = open_network(learner.game, learner.champion).header
        said += f" The strongest is that of generation {header.generations}."
        if learner.state.stated >= course.stated:
            said += (
                f" In {learner.state.stated:,} games between its searches its chances of winning came true most nearly"
                f" at temperature {header.temperature:g}: below 1 they are stated more surely than it sees them."
            )
    return said


def _curve(values: Sequence[float], title: str, even: float | None) -> str:
    """Values of one generation after another."""
    low, high = min([*values, *([even] if even else [])]), max([*values, *([even] if even else [])])
    spread = max(high - low, 1e-6)

    def at(place: int, value: float) -> str:
        x = WIDTH * (place + 0.5) / len(values)
        return f"{x:.1f},{HEIGHT - HEIGHT * (value - low) / spread:.1f}"

    points = [at(place, value) for place, value in enumerate(values)]
    dots = "".join('<circle class="dot" cx="{}" cy="{}" r="3.5"/>'.format(*point.split(",")) for point in points)
    level = HEIGHT - HEIGHT * ((even or low) - low) / spread
    line = f'<line class="even" x1="0" x2="{WIDTH}" y1="{level:.1f}" y2="{level:.1f}"/>' if even else ""
    return (
        f'<svg class="chart" viewBox="-44 -8 352 142" role="img" aria-label="{escape(title)}">'
        f'<line class="axis" x1="0" x2="{WIDTH}" y1="{HEIGHT}" y2="{HEIGHT}"/>{line}'
        f'<polyline class="line" points="{" ".join(points)}"/>{dots}'
        f'<text x="-6" y="{HEIGHT}" text-anchor="end">{low:.3f}</text>'
        f'<text x="-6" y="6" text-anchor="end">{high:.3f}</text>'
        f'<text x="0" y="{HEIGHT + 18}">generation 1</text>'
        f'<text x="{WIDTH}" y="{HEIGHT + 18}" text-anchor="end">{len(values)}</text></svg>'
    )


def _table(rows: Sequence[dict[str, float]]) -> str:
    head = ["generation", "games", "positions", "who wins", "standing", "preferences", "square error", "share of wins"]
    body = ""
    for row in rows:
        met = "" if "share" not in row else f"{row['share']:.1%} of {row['contest']:.0f}"
        cells = [
            f"{row['generation'] + 1:.0f}",
            f"{row['games']:,.0f}",
            f"{row['positions']:,.0f}",
            *(
                f"{row[name]:.3f} <small>{row[f'learned_{name}']:.3f}</small>"
                for name in ("win", "standing", "choice", "error")
            ),
            met + ("" if row.get("promoted", 1.0) else " (not promoted)"),
        ]
        body += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    return (
        f'<div class="wide"><table><thead><tr>{"".join(f"<th>{one}</th>" for one in head)}</tr></thead>'
        f'<tbody>{body}</tbody></table></div><p class="soft">Small: the same for games that it has learned from.</p>'
    )


def write_page(learner: Learner) -> None:
    """Write ``index.html``."""
    learner.store.write("index.html", page(learner).encode())

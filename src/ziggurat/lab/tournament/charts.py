"""The plots of a tournament, as Altair charts. Whatever they show is also in a table of the page."""

from __future__ import annotations

import math
from typing import Any

import altair
import polars

from ziggurat.lab.tournament.standings import Standings

INK, ACCENT, LINE, PAPER = "#2a231d", "#1a5a80", "#8f7c59", "#fcf7ea"  # as in the browser
WIDTH = 520
ROW = 30
CELL = 74
BARS = 30
"""About so many in a histogram."""


def ladder(standings: Standings) -> Any:
    """Ratings, or alone the shares of wins, with their intervals."""
    alone = standings.terms.players == 1
    values = [
        {"bot": rank.bot, "value": rank.wins.share, "low": rank.wins.low, "high": rank.wins.high}
        if alone
        else {"bot": rank.bot, "value": rank.rating, "low": rank.rating_low, "high": rank.rating_high}
        for rank in standings.ladder
    ]
    title, form = ("share of wins", ".1%") if alone else ("rating", ".0f")
    scale = altair.Scale(domain=[0, 1]) if alone else altair.Scale(zero=False, padding=12)
    base = altair.Chart(polars.DataFrame(values)).encode(
        y=altair.Y("bot:N", sort=_order(standings), title=None),
        tooltip=[
            altair.Tooltip("bot:N"),
            *(altair.Tooltip(f"{key}:Q", format=form, title=key) for key in ("value", "low", "high")),
        ],
    )
    x = altair.X("value:Q", title=title, scale=scale, axis=altair.Axis(format="%" if alone else "d"))
    interval = base.mark_rule(color=ACCENT, strokeWidth=3, opacity=0.55).encode(
        x=altair.X("low:Q", title=title, scale=scale), x2="high:Q"
    )
    point = base.mark_point(color=ACCENT, filled=True, size=90, opacity=1).encode(x=x)
    return _styled((interval + point).properties(width=WIDTH, height=ROW * len(values)))


def duels(standings: Standings) -> Any:
    """Who finished ahead of whom: shares, with their intervals below."""
    values = [
        {
            "bot": duel.bot,
            "other": duel.other,
            "share": duel.ahead.share,
            "games": duel.ahead.games,
            "said": f"{duel.ahead.share:.0%}",
            "interval": f"{duel.ahead.low:.0%} to {duel.ahead.high:.0%}".replace("% to", " to"),
        }
        for duel in standings.duels
    ]
    order = _order(standings)
    base = altair.Chart(polars.DataFrame(values)).encode(
        x=altair.X("other:N", sort=order, title="... ahead of", axis=altair.Axis(orient="top", labelAngle=-30)),
        y=altair.Y("bot:N", sort=order, title=None),
        tooltip=["bot:N", "other:N", altair.Tooltip("share:Q", format=".1%"), "interval:N", "games:Q"],
    )
    scale = altair.Scale(domain=[0, 0.5, 1], range=["#a65a1e", PAPER, ACCENT])
    cells = base.mark_rect(stroke=LINE).encode(color=altair.Color("share:Q", scale=scale, legend=None))
    far = altair.condition("abs(datum.share - 0.5) > 0.3", altair.value("white"), altair.value(INK))
    said = base.mark_text(dy=-7, fontSize=14).encode(text="said:N", color=far)
    interval = base.mark_text(dy=11, fontSize=11).encode(text="interval:N", color=far)
    side = {"width": CELL * len(order), "height": 0.6 * CELL * len(order)}
    return _styled((cells + said + interval).properties(**side))


def scores(standings: Standings) -> Any:
    """How many points each bot had, as a histogram for each."""
    rows = standings.rows.drop_nulls("score")
    points = rows["score"] if len(rows) else polars.Series([0])
    low, high = int(points.min()), int(points.max())  # type: ignore[arg-type]
    step = max(1, math.ceil((high - low + 1) / BARS))
    first = low // step * step
    values = []
    for bot in _order(standings):
        own = rows.filter(rows["bot"] == bot)["score"]
        counts = ((own - first) // step).value_counts(sort=False)
        for place, count in zip(counts["score"], counts["count"], strict=True):
            start = first + place * step
            values.append({"bot": bot, "from": start, "to": start + step, "share": count / len(own)})
    said = altair.Header(title=None, labelAngle=0, labelAlign="left", labelFontSize=13)
    chart = altair.Chart(polars.DataFrame(values)).mark_bar(color=ACCENT, opacity=0.75)
    return _styled(
        chart.encode(
            x=altair.X("from:Q", bin="binned", title="points", scale=altair.Scale(zero=False)),
            x2="to:Q",
            y=altair.Y("share:Q", title=None, axis=altair.Axis(format="%", tickCount=2)),
            row=altair.Row("bot:N", sort=_order(standings), header=said),
            tooltip=["bot:N", "from:Q", "to:Q", altair.Tooltip("share:Q", format=".1%")],
        ).properties(width=WIDTH, height=48, bounds="flush")
    )


def speed(standings: Standings) -> Any:
    """Decisions per second, on a scale of powers of ten."""
    values = [
        {"bot": rank.bot, "rate": rank.decisions_per_second, "said": f"{rank.decisions_per_second:,.1f}"}
        for rank in standings.ladder
        if rank.decisions_per_second
    ]
    base = altair.Chart(polars.DataFrame(values)).encode(
        y=altair.Y("bot:N", sort=_order(standings), title=None),
        x=altair.X("rate:Q", title="decisions per second", scale=altair.Scale(type="log", padding=24)),
        tooltip=["bot:N", altair.Tooltip("rate:Q", format=",.1f")],
    )
    point = base.mark_point(color=ACCENT, filled=True, size=90, opacity=1)
    said = base.mark_text(color=INK, align="left", dx=10).encode(text="said:N")
    return _styled((point + said).properties(width=WIDTH, height=ROW * len(values)))


def _order(standings: Standings) -> list[str]:
    return [rank.bot for rank in standings.ladder]


def _styled(chart: Any) -> Any:
    axis = {"labelFontSize": 13, "titleFontSize": 13, "labelColor": INK, "titleColor": INK, "gridColor": "#e4d9bf"}
    return chart.configure(background="transparent").configure_view(stroke=None).configure_axis(**axis)

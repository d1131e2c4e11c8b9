"""An agent's results as one HTML page that needs no network and no other file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ziggurat.lab import report
from ziggurat.lab.arena.protocol import own
from ziggurat.lab.arena.records import ArenaResults, MeanRegret
from ziggurat.lab.report import Html, Prose, section, table
from ziggurat.lab.report.charts import Point, dots

METHOD_TEXT = (
    "The agent sits at every chair of each deal, with the same anchors at the others; the next deal is against those"
    " nearest to where it seems to stand. 400 points more are odds of 10 to 1 to finish ahead; greedy has 1000."
)
INTERVALS_TEXT = (
    "Intervals are 95 % confidence intervals. That of the agent is made of two: what its own games leave open"
    " ({games:.0f} points either way), and how well the anchors that it met are known ({ladder:.0f}), which more games"
    " do not mend."
)
SPREAD_TEXT = (
    "Turned chairs, and the luck that was taken off, make its games vary {spread:.2f} times as much as the model says."
)
REGRET_TEXT = (
    "How much less the agent's chance of winning was than after the best move of a search, in parts of a game won: of"
    " decisions drawn by lot, both moves played on with the same chance. Below 0 the search was mistaken, or unlucky."
)
WORST_TEXT = (
    "The decisions that seemed to cost most, judged again with fresh chance and ten times the search: what seems worst"
    " was unlucky as well."
)
FAILED_TEXT = (
    "An agent that breaks, is late, or answers what is not legal has lost that game and is last; the heuristic plays on"
    " in its seat."
)


def page(results: ArenaResults) -> str:
    """Return the page as HTML."""
    config = results.config
    parts = [_ladder(results), _against(results), _regret(results), _worst(results), _failures(results)]
    return report.page(f"Arena: {config.agent} at {config.game}, {config.players} players", _facts(results), parts)


def _facts(results: ArenaResults) -> Html:
    config = results.config
    options = " ".join(f"{name}={value}" for name, value in config.options.items() if value)
    known = f"{len(results.games):,} games · Ziggurat {config.ziggurat}, rules version {config.rules} · {options}"
    chosen = own(config)
    return Html(escape(f"{known} · its own, not the protocol's: {', '.join(chosen)}" if chosen else known))


def _ladder(results: ArenaResults) -> Html:
    place, config = results.place, results.config
    points = [Point(one.name, one.rating, one.low, one.high) for one in config.ladder.anchors]
    games = {one.name: one.games for one in config.ladder.anchors}
    if place is not None:
        points.append(Point(config.agent, place.rating, place.low, place.high))
        games[config.agent] = place.games
    points.sort(key=lambda one: -one.value)
    form = "{:.0f}".format
    rows = [[one.name, report.estimate(*one[1:], form), str(games[one.name])] for one in points]
    words = [METHOD_TEXT]
    if place is not None:
        words += [
            INTERVALS_TEXT.format(games=place.by_games, ladder=place.by_ladder),
            SPREAD_TEXT.format(spread=place.spread),
        ]
        known = (
            "The place is known as well as was asked for" if results.reached else "The place is not yet known as well"
        )
        words.append(f"{known} ({config.points:.0f} points, at most {config.games} games).")
    drawn = dots(points, form, alt="Ratings of the ladder and of the agent", axis="rating")
    return section("Ladder", " ".join(words), drawn, table(["who", "rating", "games"], rows))


def _against(results: ArenaResults) -> str:
    rows = [[one.name, str(one.decisions), _share(one)] for one in results.by_opponent]
    text = "How often the agent finished ahead of each anchor that it met; a tie is half."
    return section("Against whom", text, table(["anchor", "games", "ahead"], rows)) if rows else ""


def _regret(results: ArenaResults) -> str:
    if results.regret is None:
        return ""
    phases = [Point(f"{one.name}/8", one.mean, one.low, one.high) for one in results.by_phase]
    drawn = dots(
        phases, _percent, alt="Regret of a decision by eighth of the game", axis="regret of a decision", even=0
    )
    rows = [[f"{one.name}. eighth", str(one.decisions), _share(one)] for one in results.by_phase]
    kinds = [[one.name, str(one.decisions), _share(one), _total(one, results)] for one in results.by_kind]
    whole = f"On average {_percent(results.regret.mean)} of a game a decision"
    whole += (
        f" ({_percent(results.regret.low)} to {_percent(results.regret.high)}; {results.regret.decisions} decisions)."
    )
    return section(
        "Regret of a decision",
        f"{REGRET_TEXT} {whole}",
        drawn,
        table(["when", "decisions", "regret"], rows),
        table(["what", "decisions", "regret", "part of all"], kinds),
    )


def _total(one: MeanRegret, results: ArenaResults) -> str:
    assert results.regret is not None
    whole = results.regret.mean * results.regret.decisions
    return f"{round(one.mean * one.decisions / whole, 2) + 0.0:.0%}" if whole > 0 else ""


def _worst(results: ArenaResults) -> str:
    rows = [
        [f"game {one.game}, move {one.move}", _percent(one.lost), *map(Prose, (one.made, one.best, " ".join(one.why)))]
        for one in results.worst
    ]
    return (
        section("Where it lost most", WORST_TEXT, table(["where", "cost", "made", "better", "why"], rows))
        if rows
        else ""
    )


def _failures(results: ArenaResults) -> str:
    games = results.games
    decisions, seconds = sum(one.decisions for one in games), sum(one.seconds for one in games)
    rows = [["decisions", f"{decisions:,}"], ["seconds for each", f"{seconds / decisions:.4f}" if decisions else ""]]
    rows += [[f"{name} (said by the agent)", f"{amount:,.6g}"] for name, amount in results.costs.items()]
    rows += [[f"games lost by failing: {kind}", str(times)] for kind, times in results.failures.items()]
    said: Sequence[str] = [f"Game {one.game}: it {one.failure}" for one in games if one.failure][:10]
    return section("Time, cost and failures", FAILED_TEXT if said else "", table(["what", "how much"], rows), *said)


def _percent(value: float) -> str:
    return f"{100 * round(value, 3) + 0.0:.1f} %"


def _share(one: MeanRegret) -> Html:
    known = one.high - one.low < 1  # an interval as wide as a whole game says nothing
    return report.estimate(one.mean, one.low if known else None, one.high if known else None, _percent)

"""Trace rows of Alhambra as events, and the score from events alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ziggurat.core.trace import Event
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.state import CURRENCIES, KINDS, ROUNDS
from ziggurat.games.alhambra.tokens import building_token, money_token

TYPES = (
    "dealt",
    "start",
    "building_revealed",
    "money_revealed",
    "turn",
    "took",
    "bought",
    "gave",
    "again",
    "skipped",
    "reshuffled",
    "scoring_card",
    "scored",
    "round_scored",
    "neutral_drew",
    "deck_empty",
    "leftover",
    "finished",
)


def events(rows: list[list[int]]) -> list[Event]:
    """Rows of one action in the order written; rows of one hand, purchase or total become one event."""
    found: list[Event] = []
    for row in rows:
        code, seat = row[0], row[1]
        last = found[-1] if found else None
        if code in (state.DEALT, state.TOOK):
            kind = "dealt" if code == state.DEALT else "took"
            if last is None or last.type != kind or last.seat != seat:
                last = Event(kind, seat, {"cards": [], **({"positions": []} if kind == "took" else {})})
                found.append(last)
            last.args["cards"].append(money_token(row[2]))
            if kind == "took":
                last.args["positions"].append(row[3])
        elif code == state.PAID and last is not None:
            last.args["cards"].append(money_token(row[2]))
        elif code == state.ROUND_SCORED:
            if last is None or last.type != "round_scored" or last.args["round"] != ROUNDS[row[2]]:
                last = Event("round_scored", None, {"round": ROUNDS[row[2]], "points": []})
                found.append(last)
            last.args["points"].append(row[3])
        elif code == state.NEUTRAL_DREW and last is not None and last.type == "neutral_drew":
            last.args["buildings"].append(building_token(row[2]))
        else:
            found.append(_single(code, None if seat < 0 else seat, *row[2:]))
    return found


def _single(code: int, seat: int | None, a: int, b: int, c: int, d: int) -> Event:
    args: dict[str, Any]
    match code:
        case state.BUILDING_REVEALED:
            return Event("building_revealed", None, {"slot": b, "building": building_token(a)})
        case state.MONEY_REVEALED:
            return Event("money_revealed", None, {"position": b, "cards": [money_token(a)]})
        case state.BOUGHT | state.GAVE:
            args = {"slot": b, "building": building_token(a), "currency": CURRENCIES[b]}
            args |= {"cards": [], "total": c, "exact": c == a % state.BUILDING_BASE}
            return Event("bought" if code == state.BOUGHT else "gave", seat, args)
        case state.RESHUFFLED:
            return Event("reshuffled", None, {"count": a})
        case state.SCORING_CARD:
            return Event("scoring_card", seat, {"round": ROUNDS[a]})
        case state.SCORED:
            args = {"round": ROUNDS[a // 6], "building": KINDS[a % 6], "place": b // 8, "tied": b % 8}
            args |= {"count": c, "points": d}
            return Event("scored", seat, args)
        case state.NEUTRAL_DREW:
            return Event("neutral_drew", None, {"buildings": [building_token(a)]})
        case state.DECK_EMPTY:
            return Event("deck_empty", None, {})
        case state.LEFTOVER:
            args = {"slot": b, "building": building_token(a), "currency": CURRENCIES[b], "total": c}
            return Event("leftover", seat, args)
        case state.FINISHED:
            return Event("finished", None, {"winners": [i for i in range(state.MAX_PLAYERS) if a >> i & 1]})
    return Event({state.START: "start", state.TURN: "turn", state.AGAIN: "again", state.SKIPPED: "skipped"}[code], seat)


def scores_from_events(log: Sequence[Event], owners: int) -> list[int]:
    """Every owner's score, added up from the points that the log explains."""
    scores = [0] * owners
    for event in log:
        if event.type == "scored" and event.seat is not None:
            scores[event.seat] += event.args["points"]
    return scores

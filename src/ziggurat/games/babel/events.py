"""Trace rows of Babel as events, and the score from events alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ziggurat.core.trace import Event
from ziggurat.games.babel import state
from ziggurat.games.babel.tokens import needs_tokens

TYPES_OF_EVENTS = (
    "disc_laid",
    "start",
    "dealt",
    "turn",
    "passed",
    "drew",
    "drew_cards",
    "closing",
    "chose",
    "laid",
    "offered",
    "revealed",
    "accepted",
    "failed",
    "placed",
    "built",
    "tripled",
    "refused",
    "wonder_scored",
    "wonder_done",
    "got_action",
    "saw_action",
    "exchanged",
    "played_draw",
    "doubled",
    "reshuffled",
    "exhausted",
    "stalled",
    "bonus",
    "finished",
)

_DRAWS = {state.BY_PASS: "pass", state.BY_DRAW: "draw", state.BY_EXCHANGE: "exchange"}
_ROUNDS = {state.BY_SETUP: "dealt", state.BY_CLOSING: "closing"}


def events(rows: list[list[int]]) -> list[Event]:
    """Rows of one action in the order written; cards of one draw, offer or payment become one event."""
    found: list[Event] = []
    drawn: dict[int, Event] = {}  # what each seat saw of the draw that is being read
    for code, seat, *rest in rows:
        last = found[-1] if found else None
        if code == state.DREW:
            _drew(found, drawn, seat, rest[0], rest[1])
            continue
        drawn = {}
        if code == state.PAID and last is not None:
            last.args["cards"] += [state.TYPES[rest[0]]] * rest[1]
        elif code == state.OFFERED:
            if last is None or last.type != "offered" or last.seat != seat:
                last = Event("offered", seat, {"cards": [], "trade": bool(rest[2])}, private=True)
                found.append(last)
            last.args["cards"] += [state.TYPES[rest[0]]] * rest[1]
        elif code == state.REVEALED:
            if last is None or last.type != "revealed" or last.seat != seat:
                last = Event("revealed", seat, {"cards": [], "returned": [], "trade": bool(rest[3])})
                found.append(last)
            last.args["cards"] += [state.TYPES[rest[0]]] * rest[2]
            last.args["returned"] += [state.TYPES[rest[0]]] * (rest[1] - rest[2])
        elif code == state.EXCHANGED:
            if last is None or last.type != "exchanged" or last.seat != seat:
                last = Event("exchanged", seat, {"cards": []})
                found.append(last)
            last.args["cards"].append(state.TYPES[rest[0]])
        else:
            found.append(_single(code, None if seat < 0 else seat, *rest))
    return found


def _drew(found: list[Event], drawn: dict[int, Event], seat: int, kind: int, by: int) -> None:
    """A card drawn: how many shows, which only to whoever drew it."""
    last = next((event for event in reversed(found) if not event.private), None)
    if by in _ROUNDS:
        if not drawn or last is None or last.type != _ROUNDS[by]:
            last = Event(_ROUNDS[by], None, {"counts": [0] * state.MAX_PLAYERS})
            found.append(last)
            drawn.clear()  # what a seat saw belongs to the draw that is told before it
        last.args["counts"][seat] += 1
    else:
        if not drawn or last is None or last.type != "drew":
            last = Event("drew", seat, {"count": 0, "by": _DRAWS[by]})
            found.append(last)
        last.args["count"] = last.args["count"] + 1
    if seat not in drawn:
        drawn[seat] = Event("drew_cards", seat, {"cards": []}, private=True)
        found.append(drawn[seat])
    drawn[seat].args["cards"].append(state.TYPES[kind])


def _place(disc: int) -> dict[str, Any]:
    return {"wonder": state.WONDERS[disc // state.SPACES], "space": disc % state.SPACES + 1}


def _needs(b: int, c: int) -> list[str]:
    return needs_tokens([b // 16, b % 16, c // 16, c % 16])


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(state.MAX_PLAYERS) if mask >> seat & 1]


def _single(code: int, seat: int | None, a: int, b: int, c: int, d: int, *_: int) -> Event:
    match code:
        case state.DISC_LAID | state.CHOSE | state.BUILT:
            name = {state.DISC_LAID: "disc_laid", state.CHOSE: "chose", state.BUILT: "built"}[code]
            return Event(name, seat, {**_place(a), "needs": _needs(b, c)})
        case state.LAID:
            return Event("laid", seat, {"count": a})
        case state.ACCEPTED:
            return Event("accepted", seat, {"seats": _seats(a), "jokers": b, **_place(c), "cards": []})
        case state.FAILED:
            return Event("failed", seat, _place(a))
        case state.PLACED:
            return Event("placed", seat, {"wonder": state.WONDERS[a], "units": b})
        case state.REFUSED:
            return Event("refused", seat, {"count": a, "points": b, "triple": bool(c)})
        case state.WONDER_SCORED:
            args = {"wonder": state.WONDERS[a], "units": b, "place": c // 8, "tied": c % 8, "points": d}
            return Event("wonder_scored", seat, args)
        case state.WONDER_DONE:
            return Event("wonder_done", None, {"wonder": state.WONDERS[a], "number": b + 1})
        case state.SAW_ACTION:
            return Event("saw_action", seat, {"action": state.ACTION_CARDS[a]}, private=True)
        case state.RESHUFFLED:
            return Event("reshuffled", None, {"count": a})
        case state.BONUS:
            reason = state.TYPES[a] if a < len(state.TYPES) else state.ACTION_CARDS[a - len(state.TYPES)]
            two_colour = c if a < len(state.TYPES) else 0
            return Event("bonus", seat, {"reason": reason, "count": b, "two_colour": two_colour, "points": d})
        case state.FINISHED:
            return Event("finished", None, {"winners": _seats(a)})
    return Event(_PLAIN[code], seat)


_PLAIN = {
    state.STARTED: "start",
    state.TURNED: "turn",
    state.PASSED: "passed",
    state.TRIPLED: "tripled",
    state.GOT_ACTION: "got_action",
    state.PLAYED_DRAW: "played_draw",
    state.DOUBLED: "doubled",
    state.EXHAUSTED: "exhausted",
    state.STALLED: "stalled",
}


def scores_from_events(log: Sequence[Event], owners: int) -> list[int]:
    """Every seat's score, added up from the points that the log explains."""
    scores = [0] * owners
    for event in log:
        if event.seat is not None:
            scores[event.seat] += event.args.get("points", 0)
    return scores

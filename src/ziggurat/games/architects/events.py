"""Trace rows of Architects as events, and the score from events alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ziggurat.core.trace import Event
from ziggurat.games.architects import state

TYPES = (
    "start",
    "wonder",
    "deck_top",
    "token_revealed",
    "turn",
    "peeked",
    "saw",
    "took",
    "cat",
    "horns",
    "built",
    "claimed",
    "granted",
    "effect_lost",
    "declined",
    "looked",
    "saw_cards",
    "reshuffled",
    "passed",
    "skipped",
    "battle",
    "disarmed",
    "final",
    "decks_empty",
    "finished",
)

GREEN = state.CARDS[state.COMPASS - 1 : state.TABLET]


def set_cards(green: int) -> list[str]:
    """The symbols of a set of green cards."""
    return list(GREEN) if green == state.SET_OF_THREE else [GREEN[green]] * 2


def events(rows: list[list[int]]) -> list[Event]:
    """Rows of one action in the order written; rows of one payment, look or battle become one event."""
    found: list[Event] = []
    for code, seat, *rest in rows:
        last = found[-1] if found else None
        if code in (state.PAID, state.LOOKED_AT) and last is not None:
            last.args["cards"].append(state.CARDS[rest[0] - 1])
        elif code == state.SAW_CARDS:
            if last is None or last.type != "saw_cards":
                last = Event("saw_cards", seat, {"deck": state.DECKS[rest[1]], "cards": []}, private=True)
                found.append(last)
            last.args["cards"].append(state.CARDS[rest[0] - 1])
        elif code == state.FOUGHT and last is not None:
            for name, value in zip(("shields", "won", "points"), rest[:3], strict=True):
                last.args[name] += [0] * (seat + 1 - len(last.args[name]))
                last.args[name][seat] = value
        elif code == state.DISARMED:
            if last is None or last.type != "disarmed" or last.seat != seat:
                last = Event("disarmed", seat, {"cards": []})
                found.append(last)
            last.args["cards"] += [state.CARDS[rest[0] - 1]] * rest[1]
        else:
            found.append(_single(code, None if seat < 0 else seat, *rest))
    return found


def _single(code: int, seat: int | None, a: int, b: int, c: int, d: int, *_: int) -> Event:
    match code:
        case state.WONDER:
            return Event("wonder", seat, {"wonder": state.WONDERS[a]})
        case state.DECK_TOP:
            return Event(
                "deck_top", None, {"deck": state.DECKS[a], "card": state.CARDS[b - 1] if b else None, "left": c}
            )
        case state.TOKEN_REVEALED:
            return Event("token_revealed", None, {"place": a, "token": state.TOKENS[b]})
        case state.SAW:
            return Event("saw", seat, {"card": state.CARDS[a - 1]}, private=True)
        case state.TOOK:
            return Event(
                "took", seat, {"cards": [state.CARDS[a - 1]], "deck": state.DECKS[b], "by": _by(c), "points": d}
            )
        case state.CAT:
            return Event("cat", seat, {"points": b, "from": None if a < 0 else a})
        case state.HORNS:
            return Event("horns", seat, {"count": a, "turned": b, "tokens": c})
        case state.BUILT:
            args: dict[str, Any] = {"stage": a % 8 + 1, "wonder": state.WONDERS[a // 8], "cards": [], "points": b}
            args |= {"economy": bool(c & 1), "engineering": bool(c & 2), "complete": d == state.ALL_BUILT}
            return Event("built", seat, args)
        case state.CLAIMED:
            return Event("claimed", seat, {"cards": set_cards(b), "token": state.TOKENS[a], "stack": bool(c)})
        case state.GRANTED:
            return Event("granted", seat, {"token": state.TOKENS[a], "stack": bool(b), "wonder": state.WONDERS[c]})
        case state.EFFECT_LOST | state.DECLINED:
            return Event("declined" if code == state.DECLINED else "effect_lost", seat, {"wonder": state.WONDERS[a]})
        case state.LOOKED:
            return Event("looked", seat, {"deck": state.DECKS[a], "count": b, "cards": []})
        case state.RESHUFFLED:
            return Event("reshuffled", None, {"deck": state.DECKS[a], "count": b})
        case state.BATTLE:
            return Event("battle", None, {"shields": [], "won": [], "points": []})
        case state.FINAL:
            return Event("final", seat, {"token": state.TOKENS[a], "count": b, "points": c})
        case state.FINISHED:
            winners = [other for other in range(state.MAX_PLAYERS) if a >> other & 1]
            return Event("finished", None, {"winners": winners, "completed": seat})
    return Event(_PLAIN[code], seat)


_PLAIN = {
    state.STARTED: "start",
    state.TURN: "turn",
    state.PEEKED: "peeked",
    state.PASSED: "passed",
    state.SKIPPED: "skipped",
    state.DECKS_EMPTY: "decks_empty",
}


def _by(number: int) -> str:
    """What gave a card: the turn, a progress token or a wonder."""
    if number == state.BY_TURN:
        return "turn"
    return state.WONDERS[number - state.BY_WONDER] if number >= state.BY_WONDER else state.TOKENS[number]


def scores_from_events(log: Sequence[Event], owners: int) -> list[int]:
    """Every seat's score, added up from the points that the log explains."""
    scores = [0] * owners
    for event in log:
        points = event.args.get("points")
        if event.type == "battle":
            for seat, won in enumerate(event.args["points"]):
                scores[seat] += won
        elif points is not None and event.seat is not None:
            scores[event.seat] += points
            if event.type == "cat" and event.args["from"] is not None:
                scores[event.args["from"]] -= points
    return scores

"""Trace rows of Ginkgopolis as events, and the score from events alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ziggurat.core.trace import Event
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.state import COLOURS, GOODS, LETTERS, MAX_PLAYERS, TRIGGERS
from ziggurat.games.ginkgopolis.tokens import card_token, tile_token

TYPES = (
    "city",
    "start",
    "character",
    "picked",
    "gained",
    "drew_cards",
    "drew_tiles",
    "saw_tiles",
    "round",
    "new_hand",
    "committed",
    "chose",
    "exploited",
    "urbanized",
    "constructed",
    "fell_back",
    "got_back",
    "marker_moved",
    "marker_shifted",
    "rebuilt",
    "passed_hands",
    "tiles_out",
    "returned",
    "saw_returned",
    "ending",
    "hal_card",
    "hal_stopped",
    "card_scored",
    "tokens_scored",
    "district",
    "finished",
)


def events(rows: list[list[int]]) -> list[Event]:
    """Rows of one action in the order written; goods, cards and tiles that somebody gets together become one event."""
    found: list[Event] = []
    for code, seat, *rest in rows:
        last = found[-1] if found else None
        if code == state.CITY:
            if last is None or last.type != "city":
                last = Event("city", None, {"tiles": []})
                found.append(last)
            last.args["tiles"].append(tile_token(rest[2]))
        elif code == state.GAINED:
            if last is None or last.type != "gained" or last.seat != seat:
                last = Event("gained", seat, {"resources": 0, "points": 0})
                found.append(last)
            name = "resources" if GOODS[rest[0]] == "resource" else "points"
            last.args[name] = last.args[name] + rest[1]
        elif code == state.DREW_CARD:
            if last is None or last.type != "drew_cards" or last.seat != seat:
                last = Event("drew_cards", seat, {"cards": []}, private=True)
                found.append(last)
            last.args["cards"].append(card_token(rest[0]))
        elif code == state.DREW_TILE:
            if last is None or last.type != "saw_tiles" or last.seat != seat:
                found.append(Event("drew_tiles", seat, {"count": 0}))
                last = Event("saw_tiles", seat, {"tiles": []}, private=True)
                found.append(last)
            found[-2].args["count"] = found[-2].args["count"] + 1
            last.args["tiles"].append(tile_token(rest[0]))
        elif code == state.SAW_RETURNED:
            if last is None or last.type != "saw_returned" or last.seat != seat:
                last = Event("saw_returned", seat, {"tiles": []}, private=True)
                found.append(last)
            last.args["tiles"].append(tile_token(rest[0]))
        else:
            found.append(_single(code, None if seat < 0 else seat, *rest))
    return found


def _owners(mask: int) -> list[int]:
    return [owner for owner in range(MAX_PLAYERS) if mask >> owner & 1]


def _single(code: int, seat: int | None, a: int, b: int, c: int, d: int, *_: int) -> Event:
    args: dict[str, Any]
    match code:
        case state.CHARACTER:
            return Event("character", seat, {"colour": COLOURS[a // 3], "trigger": TRIGGERS[a % 3]})
        case state.ROUND:
            return Event("round", seat, {"number": a})
        case state.NEW_HAND:
            return Event("new_hand", seat, {"left": a})
        case state.COMMITTED:
            return Event("committed", seat, {"with_tile": bool(a)})
        case state.CHOSE:
            return Event("chose", seat, {"card": card_token(a), "tile": tile_token(b) if b else None}, private=True)
        case state.EXPLOITED:
            return Event("exploited", seat, {"card": card_token(a)})
        case state.URBANIZED:
            return Event("urbanized", seat, {"marker": LETTERS[a], "tile": tile_token(b), "x": c, "y": d})
        case state.CONSTRUCTED:
            args = {"card": card_token(a), "tile": tile_token(b), "height": c, "cost": d // 2, "changed": d % 2 == 1}
            return Event("constructed", seat, args)
        case state.FELL_BACK:
            return Event("fell_back", seat, {"card": card_token(a), "tile": tile_token(b)})
        case state.GOT_BACK:
            return Event("got_back", seat, {"resources": a, "points": b})
        case state.MARKER_MOVED | state.MARKER_SHIFTED:
            name = "marker_moved" if code == state.MARKER_MOVED else "marker_shifted"
            return Event(name, seat, {"marker": LETTERS[a], "x": b, "y": c})
        case state.REBUILT:
            return Event("rebuilt", None, {"added": a, "count": b, "discarded": c})
        case state.TILES_OUT:
            return Event("tiles_out", None, {"times": a})
        case state.RETURNED:
            return Event("returned", seat, {"count": a, "points": b})
        case state.HAL_CARD:
            return Event("hal_card", None, {"card": card_token(a), "second": bool(b)})
        case state.HAL_STOPPED:
            return Event("hal_stopped", None, {"card": card_token(a)})
        case state.CARD_SCORED:
            return Event("card_scored", seat, {"card": card_token(a), "points": b})
        case state.TOKENS_SCORED:
            return Event("tokens_scored", seat, {"count": a, "points": b})
        case state.DISTRICT:
            args = {"district": a, "place": b // 4, "colour": COLOURS[b % 4], "total": c // 64, "count": c % 64}
            return Event("district", seat, {**args, "points": d})
        case state.FINISHED:
            return Event("finished", None, {"winners": _owners(a)})
    return Event(_PLAIN[code], seat)


_PLAIN = {
    state.STARTED: "start",
    state.PICKED: "picked",
    state.PASSED_HANDS: "passed_hands",
    state.ENDING: "ending",
}


def scores_from_events(log: Sequence[Event], owners: int) -> list[int]:
    """Every owner's points, added up from what the log explains."""
    scores = [0] * owners
    for event in log:
        if event.seat is not None:
            scores[event.seat] += event.args.get("points", 0)
            if event.type == "constructed":
                scores[event.seat] -= event.args["cost"]
    return scores

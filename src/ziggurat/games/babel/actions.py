"""Actions as numbers, as structs for a board, and as notation.

A step is one action: ``pass``, ``choose zeus 2``, ``lay ship``, ``commit``, ``commit trade``, ``accept 2 4``, ``fail``,
``exchange``, ``draw``, ``triple``, ``decline``, ``double``. A move is a whole offer or exchange: ``offer ship ship with
trade``, ``offer nothing``, ``exchange camel crane``. Jokers say what they stand for: ``accept 2 joker for ship ship``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ziggurat.core.actions import Choice
from ziggurat.core.decision import Confirmation, Preview, Refusal
from ziggurat.core.errors import NotationError
from ziggurat.core.events import seats as seats_in
from ziggurat.core.pieces import word_at
from ziggurat.core.record import ListRecord
from ziggurat.core.trace import OUT, Phrase
from ziggurat.games.babel import choices, state
from ziggurat.games.babel.cards import at_once, drawable, joker_cards, jokers_of, size_of
from ziggurat.games.babel.choices import (
    ACCEPT,
    COMMIT,
    COMMIT_TRADE,
    DECLINE,
    DOUBLE,
    DRAW,
    EXCHANGE,
    LAY,
    SPACE,
    TRIPLE,
    Accept,
)
from ziggurat.games.babel.rules import (
    actors,
    legal,
    may_accept,
    missing,
    offers_of,
    seats_of,
    units_left,
    valid_units,
)
from ziggurat.games.babel.tokens import cards_of, needs_tokens


def choice(s: Any, seat: int, action: int) -> Choice:
    """The struct of an action, with what it would mean for this seat."""
    declared = SPACE[action].type
    if declared == "choose":
        needs = tuple(s.disc[action - choices.CHOOSE])
        return _choose(action, needs, sum(map(min, needs, s.hand[seat])))
    if declared == "accept":
        offers = _about_offers(s, *divmod(action - ACCEPT, state.WAYS))
        return Accept(action=action, notation=_write_accept(s, action), **SPACE[action].values(action), **offers)
    return SPACE.choice(action, **_more(s, seat, declared))


def _more(s: Any, seat: int, declared: str) -> dict[str, Any]:
    match declared:
        case "commit" | "commit_trade":
            return {"count": size_of(s.given[seat] if s.exchanging[seat] else s.laid[seat])}
        case "fail":
            refused = [size_of(s.laid[other]) * s.refused for other in range(s.players)]
            return {"refused": refused, "say": [Phrase("preview.fail", {})], "others": _gets(refused)}
        case "draw":
            return {"plays": state.ACTION_CARDS[state.DRAW_CARDS], "count": min(s.draw_cards, drawable(s))}
        case "triple":
            points = size_of(s.laid[seat]) * s.refused_triple
            return {"plays": state.ACTION_CARDS[state.TRIPLE_REFUSAL], "points": points}
        case "decline":
            without = "do_without" if s.actions[seat][state.TRIPLE_REFUSAL] else "go_on"
            means = "end_turn" if s.phase == state.CLOSING else without
            return {"means": means, "points": size_of(s.laid[seat]) * s.refused}
        case "exchange" | "double" as card:
            kind = state.EXCHANGE if card == "exchange" else state.DOUBLE_TURN
            return {"plays": state.ACTION_CARDS[kind]}
    return {}


# Made once for all that it depends on: most discs are there a turn later.
@lru_cache(maxsize=4096)
def _choose(action: int, needs: tuple[int, ...], have: int) -> Choice:
    """Return what a disc needs, and how much of that the seat has itself."""
    tokens = needs_tokens(needs)
    wonder = state.WONDERS[(action - choices.CHOOSE) // state.SPACES]
    say = Phrase("preview.choose", {"needs": tokens, "wonder": wonder, "have": have, "count": sum(needs)})
    return SPACE.choice(action, needs=[*tokens], say=[say])


def _about_offers(s: Any, mask: int, way: int) -> dict[str, Any]:
    """Return what accepting these offers would cost, and bring everybody."""
    accepted = seats_of(s, mask)
    jokers, by_jokers, add = jokers_of(way), [0] * state.KINDS, [0] * state.KINDS
    for kind in range(state.KINDS):
        if s.chosen != state.NO_DISC and s.disc[s.chosen][kind]:
            by_jokers[kind] = joker_cards(s, way, kind) if jokers else 0
            add[kind] = missing(s, accepted, kind) - by_jokers[kind]
    paid = sum(add) + sum(by_jokers)
    units = [0] * s.players
    units[s.turn] = paid
    disc = s.turn
    refused = [0] * s.players
    for seat in range(s.players):
        count = size_of(s.laid[seat])
        if not accepted >> seat & 1:
            refused[seat] = count * s.refused
        elif s.trade[seat]:
            disc = seat
            units[s.turn] += count
        else:
            units[seat] += count
    seats = seats_in(accepted)
    say = [Phrase("preview.accept", {"seats": seats})]
    if any(add) or not jokers:
        say.append(Phrase("preview.adds", {"cards": cards_of(add)}))
    if jokers:
        say.append(Phrase("preview.jokers", {"jokers": jokers, "cards": cards_of(by_jokers)}))
    if units[s.turn]:
        say.append(Phrase("preview.you_place", {"units": units[s.turn]}))
    say.append(Phrase("preview.disc_to", {"seat": disc}) if disc != s.turn else Phrase("preview.your_disc", {}))
    places = [(seat, count) for seat, count in enumerate(units) if count and seat != s.turn]
    return {
        "seats": seats,
        "add": _by_type(add),
        "jokers": jokers,
        "joker_cards": _by_type(by_jokers),
        "units": units,
        "disc": disc,
        "refused": refused,
        "cost": 1000 * ((state.MOST_JOKERS + 1) * paid + jokers) + sum(refused),
        "say": say,
        "others": [Phrase("preview.places", {"seat": seat, "units": count}) for seat, count in places] + _gets(refused),
    }


def _by_type(counts: Sequence[int]) -> dict[str, int]:
    return {name: count for name, count in zip(state.TYPES, counts, strict=True) if count}


def _gets(refused: Sequence[int]) -> list[Phrase]:
    """Return what everybody gets whose offer is not accepted."""
    return [Phrase("preview.gets", {"seat": seat, "points": points}) for seat, points in enumerate(refused) if points]


# --- What is asked -----------------------------------------------------------------------------------------------


def ask(s: Any, seat: int | None) -> Phrase | None:
    """The question to a seat, or what it waits for."""
    if s.finished:
        return Phrase("ask.finished")
    if seat is None or not actors(s) >> seat & 1:
        return _waits_for(s, seat)
    if s.exchanging[seat]:
        return _ask_exchange(s)
    if s.phase == state.OFFER:
        return _ask_offer(s)
    if s.phase == state.TURN:
        return Phrase("ask.turn")
    out = ListRecord(OUT)
    possible = out.values[: legal(s, seat, out)]
    if forced(s, seat, possible) is not None:
        return Phrase("ask.in_vain")
    if s.phase == state.SELECT and not any(SPACE.is_a(action, "accept") for action in possible):
        return Phrase("ask.select_none")
    if s.phase in (state.REFUSAL, state.CLOSING) and TRIPLE not in possible and DOUBLE not in possible:
        return Phrase("ask.go_on")
    return Phrase(f"ask.{state.PHASES[s.phase]}")


def _waits_for(s: Any, seat: int | None) -> Phrase | None:
    if s.phase == state.REFUSAL:
        return Phrase("ask.refusal_waiting")
    if s.phase == state.OFFER and seat is not None:
        return Phrase("ask.offers_coming" if seat == s.turn else "ask.offer_waiting")
    return None


def _ask_offer(s: Any) -> Phrase:
    wonder = state.WONDERS[s.chosen // state.SPACES]
    return Phrase("ask.offer", {"seat": int(s.turn), "needs": needs_tokens(s.disc[s.chosen]), "wonder": wonder})


def _ask_exchange(s: Any) -> Phrase:
    return Phrase("ask.exchange", {"limit": _most_gifts(s)})


def _most_gifts(s: Any) -> int:
    return min(s.exchange_cards, drawable(s))


def describe(s: Any, seat: int, steps: Sequence[int]) -> Phrase:
    """A move in words: an offer or an exchange with its cards, anything else as it is."""
    cards = _laid(steps)
    if steps[0] == EXCHANGE and cards:
        return Phrase("move.exchange_cards", {"cards": cards})
    if cards:
        return Phrase("move.offer", {"cards": cards, "trade": int(steps[-1] == COMMIT_TRADE)})
    return choice(s, seat, steps[0]).words


def _laid(steps: Sequence[int]) -> list[str]:
    return [state.TYPES[action - LAY] for action in steps if SPACE.is_a(action, "lay")]


def forced(s: Any, seat: int, legal: Sequence[int]) -> int | None:
    """R23: every holder of an action card is asked, so that asking betrays nothing; who has not the right one declines
    by itself."""
    return DECLINE if list(legal) == [DECLINE] else None


# --- Why not -----------------------------------------------------------------------------------------------------


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """The refusals: what a player may want to do and cannot now, with the reason."""
    if not legal:
        return []
    refused = []

    def refuse(action: int, key: str, **args: Any) -> None:
        if action not in legal:
            refused.append(Refusal(choice(s, seat, action), Phrase(f"refuse.{key}", args)))

    if s.phase == state.SELECT:
        for mask in range(1 << (s.players - 1)):
            first = ACCEPT + mask * state.WAYS
            if not any(first <= action < first + state.WAYS for action in legal):
                key, args = _why_not_accept(s, seats_of(s, mask))
                refuse(first, key, **args)
    if s.phase == state.OFFER:
        if s.strict:
            refuse(COMMIT, "units", left=units_left(s, seat))
        if not size_of(s.laid[seat]) and not s.exchanging[seat]:
            refuse(COMMIT_TRADE, "trade_alone")
    for action, card in ((EXCHANGE, state.EXCHANGE), (DRAW, state.DRAW_CARDS)):
        if s.actions[seat][card]:
            empty_hand = card == state.EXCHANGE and drawable(s) > 0
            refuse(action, "no_hand" if empty_hand else "nothing_to_draw")
    for action, card in ((TRIPLE, state.TRIPLE_REFUSAL), (DOUBLE, state.DOUBLE_TURN)):
        if s.actions[seat][card]:
            refuse(action, "card_triple" if card == state.TRIPLE_REFUSAL else "card_double")
    return refused


def _why_not_accept(s: Any, accepted: int) -> tuple[str, dict[str, Any]]:
    seats = seats_in(accepted)
    empty = [seat for seat in seats if not sum(s.laid[seat])]
    if empty:
        return "empty_offer", {"seats": empty}
    if sum(s.trade[seat] for seat in seats) > 1:
        return "two_trades", {}
    for kind in range(state.KINDS):
        if missing(s, accepted, kind) < 0:
            need = s.disc[s.chosen][kind]
            return "too_many", {"card": state.TYPES[kind], "need": need, "count": need - missing(s, accepted, kind)}
    if s.strict and may_accept(at_once(s.disc[s.chosen]), offers_of(s, accepted)):
        lacking = [kind for kind in range(state.KINDS) if missing(s, accepted, kind) > s.hand[s.turn][kind]]
        if not lacking:
            return "units", {"left": units_left(s, s.turn)}
    kind = max(range(state.KINDS), key=lambda kind: missing(s, accepted, kind) - s.hand[s.turn][kind])
    return "cannot_pay", {
        "card": state.TYPES[kind],
        "missing": missing(s, accepted, kind),
        "have": s.hand[s.turn][kind],
    }


# --- Moves of several steps --------------------------------------------------------------------------------------


def arrange(steps: Sequence[int]) -> list[int]:
    """Sort the steps: the rules take cards in the order of their types; people lay them in any order."""
    laid = iter(sorted(action for action in steps if SPACE.is_a(action, "lay")))
    return [next(laid) if SPACE.is_a(action, "lay") else action for action in steps]


def preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """The preview of the offer or the exchange that ``steps`` begin. ``s`` is a copy that may be changed.

    Raises:
        NotationError: when the steps are not the beginning of one that this seat could make.
    """
    exchange = bool(steps) and steps[0] == EXCHANGE
    laid = steps[1:] if exchange else steps
    if not steps or not all(SPACE.is_a(action, "lay") for action in laid):
        raise NotationError("only an unfinished offer or exchange can be previewed: the cards that are laid so far")
    asked = actors(s) >> seat & 1
    if exchange:
        if not asked or not s.actions[seat][state.EXCHANGE] or s.exchanging[seat]:
            raise NotationError(f"seat {seat + 1} cannot exchange cards now")
    elif not asked or s.phase != state.OFFER:
        raise NotationError(f"seat {seat + 1} is not asked for an offer now")
    limit = _most_gifts(s) if exchange else size_of(s.disc[s.chosen])
    pile = s.given[seat] if exchange else s.laid[seat]
    for action in laid:
        kind = action - LAY
        if s.hand[seat][kind] == 0:
            raise NotationError(f"there is no further {state.TYPES[kind]} in the hand")
        s.hand[seat][kind] -= 1
        pile[kind] += 1
    count = size_of(pile)
    if count > limit:
        raise NotationError(f"at most {limit} cards may be laid here, not {count}")
    held = [choice(s, seat, LAY + kind) for kind in range(state.KINDS) if s.hand[seat][kind]]
    full = Phrase("refuse.exchange_limit" if exchange else "refuse.offer_limit", {"limit": limit})
    return Preview(
        ask=_ask_exchange(s) if exchange else _ask_offer(s),
        add=held if count < limit else [],
        confirm=_confirm_exchange(count) if exchange else _confirm_offer(s, seat, count),
        say=[Phrase("preview.exchange", {"count": count, "limit": limit})]
        if exchange
        else [_about_offer(s, seat, count, limit)],
        refusals=[] if count < limit else [Refusal(card, full) for card in held],
    )


def _confirm_exchange(count: int) -> list[Confirmation]:
    return [Confirmation(COMMIT, Phrase("confirm.exchange_cards", {"count": count}))] if count else []


def _confirm_offer(s: Any, seat: int, count: int) -> list[Confirmation]:
    alone = not s.strict or valid_units(s, seat) <= units_left(s, seat)
    # Beside the other button the whole sentence would say everything twice.
    trade = Phrase("confirm.with_trade", {}) if alone else Phrase("confirm.commit_trade", {"count": count})
    offer = [Confirmation(COMMIT, Phrase("confirm.commit", {"count": count}))] if alone else []
    return [*offer, Confirmation(COMMIT_TRADE, trade)] if count else offer


def _about_offer(s: Any, seat: int, count: int, limit: int) -> Phrase:
    """How many cards are offered, and how many of them are a bluff (R3: also those above the number of their type)."""
    valid = valid_units(s, seat)
    key = "preview.offer" if valid == count else "preview.bluff"
    return Phrase(key, {"count": count, "limit": limit, "valid": valid, "wrong": count - valid})


# --- Notation ----------------------------------------------------------------------------------------------------


def write_step(s: Any, action: int) -> str:
    """The notation of an action; whose offers are accepted depends on whose turn it is."""
    return _write_accept(s, action) if SPACE.is_a(action, "accept") else SPACE.write(action)


def _write_accept(s: Any, action: int) -> str:
    way = (action - ACCEPT) % state.WAYS
    seats = [str((s.turn + place) % s.players + 1) for place in SPACE[action].values(action)["offers"]]
    text = "accept " + (" ".join(seats) or "none")
    jokers = jokers_of(way)
    if not jokers:
        return text
    first, second = _two_types(s)
    of_first = way - jokers * jokers
    return f"{text} joker for " + " ".join([first] * of_first + [second] * (2 * jokers - of_first))


def _two_types(s: Any) -> tuple[str, str]:
    """The types that the chosen disc asks for; ``-`` stands for one that it does not."""
    needed = [state.TYPES[kind] for kind in range(state.KINDS) if s.chosen != state.NO_DISC and s.disc[s.chosen][kind]]
    first, second, *_ = [*needed, "-", "--"]
    return first, second


def write_move(s: Any, steps: Sequence[int]) -> str:
    """The notation of a move, whole or still unfinished; ``s`` is the position before it."""
    first, end = steps[0], steps[-1]
    cards = _laid(steps)
    unfinished = "" if end in (COMMIT, COMMIT_TRADE) else " ..."
    if first == EXCHANGE:
        return " ".join(["exchange", *cards]) + unfinished
    if cards or first in (COMMIT, COMMIT_TRADE):
        return f"offer {' '.join(cards) or 'nothing'}" + (" with trade" if end == COMMIT_TRADE else unfinished)
    return write_step(s, first)


def read_move(s: Any, seat: int, text: str) -> list[int]:
    """The actions of a step or a move in notation. Whether they are legal is for the rules to say.

    Raises:
        NotationError: when the text names nothing that could be done.
    """
    verb, *rest = text.split() or [""]
    if verb in ("offer", "exchange") and rest:
        return _read_cards(verb, rest)
    if verb == "accept" and rest:
        return [_read_accept(s, rest)]
    return [SPACE.read(text)]


def _read_cards(verb: str, words: list[str]) -> list[int]:
    end = [COMMIT]
    if words[-1] == "...":
        words, end = words[:-1], []
    elif verb == "offer" and words[-2:] == ["with", "trade"]:
        words, end = words[:-2], [COMMIT_TRADE]
    elif words == ["nothing"] and verb == "offer":
        words = []
    laid = sorted(LAY + word_at(word, state.TYPES) for word in words)
    return [*([EXCHANGE] if verb == "exchange" else []), *laid, *end]


def _read_accept(s: Any, words: list[str]) -> int:
    at = words.index("joker") if "joker" in words else len(words)
    mask = 0
    seats = [str(seat + 1) for seat in range(s.players) if seat != s.turn]
    if words[:at] != ["none"]:
        for word in words[:at]:
            word_at(word, seats)
            mask |= 1 << (int(word) - 1 - s.turn - 1) % s.players
        if not words[:at]:
            raise NotationError("name the seats whose offers are accepted, or 'none'")
    cards = words[at + 2 :]
    if at < len(words):
        types = _two_types(s)
        if words[at : at + 2] != ["joker", "for"] or not cards or len(cards) % 2 or len(cards) > 6:
            raise NotationError("a joker stands for exactly two cards: 'accept 2 joker for ship ship'")
        for card in cards:
            word_at(card, types)
        return ACCEPT + mask * state.WAYS + (len(cards) // 2) ** 2 + cards.count(types[0])
    return ACCEPT + mask * state.WAYS

"""Actions as numbers, as structs for a board, and as notation.

A step is one action: ``pass``, ``choose zeus 2``, ``lay ship``, ``commit``, ``commit trade``, ``accept 2 4``, ``fail``,
``exchange``, ``draw``, ``triple``, ``decline``, ``double``. A move is a whole offer or exchange: ``offer ship ship with
trade``, ``offer nothing``, ``exchange camel crane``. Jokers say what they stand for: ``accept 2 joker for ship ship``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ziggurat.core.actions import Choice
from ziggurat.core.decision import Confirmation, Preview, Refusal
from ziggurat.core.errors import NotationError
from ziggurat.core.trace import Phrase
from ziggurat.games.babel import state
from ziggurat.games.babel.cards import drawable, joker_cards, jokers_of, size_of
from ziggurat.games.babel.rules import may_accept, missing, seats_of, units_left, valid_units


class DiscChoice(Choice, frozen=True, kw_only=True):
    """``choose``: a disc by its wonder and its space, counted from 0."""

    wonder: str
    space: int


class LayChoice(Choice, frozen=True, kw_only=True):
    """A card for an offer or an exchange."""

    card: str


class AcceptChoice(Choice, frozen=True, kw_only=True):
    """Offers that are accepted, and what that means.

    Attributes:
        seats: whose offers.
        add: cards that the active player adds, by type.
        jokers: jokers that are used; ``joker_cards`` says for which cards they stand.
        units: units that every seat places.
        disc: who gets the disc.
        refused: points of every refused offer by seat, without the action card.
    """

    seats: list[int]
    add: dict[str, int]
    jokers: int
    joker_cards: dict[str, int]
    units: list[int]
    disc: int
    refused: list[int]


NAMES = {
    state.A_PASS: "pass",
    state.A_COMMIT: "commit",
    state.A_TRADE: "commit trade",
    state.A_FAIL: "fail",
    state.A_EXCHANGE: "exchange",
    state.A_DRAW: "draw",
    state.A_TRIPLE: "triple",
    state.A_DECLINE: "decline",
    state.A_DOUBLE: "double",
}


def is_lay(action: int) -> bool:
    return state.A_LAY <= action < state.A_LAY + state.KINDS


def is_accept(action: int) -> bool:
    return state.A_ACCEPT <= action < state.A_FAIL


def choice(s: Any, seat: int, action: int) -> Choice:
    notation = write_step(s, action)
    if state.A_DISC <= action < state.A_LAY:
        wonder, space = divmod(action - state.A_DISC, state.SPACES)
        return DiscChoice(action=action, type="choose", notation=notation, wonder=state.WONDERS[wonder], space=space)
    if is_lay(action):
        return LayChoice(action=action, type="lay", notation=notation, card=state.TYPES[action - state.A_LAY])
    if is_accept(action) and s.chosen != state.NO_DISC:
        return _accept_choice(s, action, notation)
    return Choice(
        action=action, type="accept" if is_accept(action) else NAMES[action].replace(" ", "_"), notation=notation
    )


def _accept_choice(s: Any, action: int, notation: str) -> AcceptChoice:
    mask, way = divmod(action - state.A_ACCEPT, state.WAYS)
    accepted = seats_of(s, mask) & (1 << s.players) - 1
    needed = [kind for kind in range(state.KINDS) if s.disc[s.chosen][kind]]
    by_jokers = {state.TYPES[kind]: joker_cards(s, way, kind) for kind in needed}
    add = {state.TYPES[kind]: missing(s, accepted, kind) - joker_cards(s, way, kind) for kind in needed}
    units = [0] * s.players
    units[s.turn] = sum(add.values()) + sum(by_jokers.values())
    disc = s.turn
    refused = [0] * s.players
    for seat in range(s.players):
        count = sum(s.laid[seat])
        if not accepted >> seat & 1:
            refused[seat] = count * s.refused
        elif s.trade[seat]:
            disc = seat
            units[s.turn] += count
        else:
            units[seat] += count
    return AcceptChoice(
        action=action,
        type="accept",
        notation=notation,
        seats=[seat for seat in range(s.players) if accepted >> seat & 1],
        add={name: count for name, count in add.items() if count},
        jokers=jokers_of(way),
        joker_cards={name: count for name, count in by_jokers.items() if count},
        units=units,
        disc=disc,
        refused=refused,
    )


def ask(s: Any, seat: int | None) -> Phrase | None:
    """What is asked of a seat."""
    return Phrase("ask.finished") if s.finished else None


def describe(s: Any, seat: int, steps: Sequence[int]) -> Phrase:
    """A move in words."""
    return choice(s, seat, steps[0]).words


def forced(s: Any, seat: int, legal: Sequence[int]) -> int | None:
    """R23: every holder of an action card is asked, so that asking betrays nothing; who has not the right one declines
    by itself."""
    return state.A_DECLINE if list(legal) == [state.A_DECLINE] else None


# --- Why not -----------------------------------------------------------------------------------------------------


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """What a player may want to do and cannot now, with the reason."""
    if not legal:
        return []
    refused = []

    def refuse(action: int, key: str, **args: Any) -> None:
        if action not in legal:
            refused.append(Refusal(choice(s, seat, action), Phrase(f"refuse.{key}", args)))

    if s.phase == state.SELECT:
        for mask in range(1 << (s.players - 1)):
            first = state.A_ACCEPT + mask * state.WAYS
            if not any(first <= action < first + state.WAYS for action in legal):
                key, args = _why_not_accept(s, seats_of(s, mask))
                refuse(first, key, **args)
    if s.phase == state.OFFER and s.strict:
        refuse(state.A_COMMIT, "units", left=units_left(s, seat))
    for action, card in ((state.A_EXCHANGE, state.EXCHANGE), (state.A_DRAW, state.DRAW_CARDS)):
        if s.actions[seat][card]:
            empty_hand = card == state.EXCHANGE and drawable(s) > 0
            refuse(action, "no_hand" if empty_hand else "nothing_to_draw")
    for action, card in ((state.A_TRIPLE, state.TRIPLE_REFUSAL), (state.A_DOUBLE, state.DOUBLE_TURN)):
        if s.actions[seat][card]:
            refuse(action, "card_triple" if card == state.TRIPLE_REFUSAL else "card_double")
    return refused


def _why_not_accept(s: Any, accepted: int) -> tuple[str, dict[str, Any]]:
    seats = [seat for seat in range(s.players) if accepted >> seat & 1]
    empty = [seat for seat in seats if not sum(s.laid[seat])]
    if empty:
        return "empty_offer", {"seats": empty}
    if sum(s.trade[seat] for seat in seats) > 1:
        return "two_trades", {}
    for kind in range(state.KINDS):
        if missing(s, accepted, kind) < 0:
            need = s.disc[s.chosen][kind]
            return "too_many", {"card": state.TYPES[kind], "need": need, "count": need - missing(s, accepted, kind)}
    if s.strict and may_accept(s, accepted):
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


def in_move(s: Any) -> bool:
    """Whether an offer or an exchange has begun and not been finished."""
    if any(s.exchanging[seat] for seat in range(s.players)):
        return True
    return s.phase == state.OFFER and any(s.waiting >> seat & 1 and sum(s.laid[seat]) for seat in range(s.players))


def arrange(steps: Sequence[int]) -> list[int]:
    """The rules take cards in the order of their types; people lay them in any order."""
    laid = iter(sorted(action for action in steps if is_lay(action)))
    return [next(laid) if is_lay(action) else action for action in steps]


def preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """What the offer or the exchange that ``steps`` begin would be. ``s`` is a copy that may be changed.

    Raises:
        NotationError: when the steps are not the beginning of one that this seat could make.
    """
    exchange = bool(steps) and steps[0] == state.A_EXCHANGE
    laid = steps[1:] if exchange else steps
    if not steps or not all(is_lay(action) for action in laid):
        raise NotationError("only an unfinished offer or exchange can be previewed: the cards that are laid so far")
    if exchange:
        if s.finished or not s.actions[seat][state.EXCHANGE] or s.exchanging[seat]:
            raise NotationError(f"seat {seat + 1} cannot exchange cards now")
        limit = min(s.exchange_cards, drawable(s))
    else:
        if s.finished or s.phase != state.OFFER or not s.waiting >> seat & 1:
            raise NotationError(f"seat {seat + 1} is not asked for an offer now")
        limit = size_of(s.disc[s.chosen])
    pile = s.given[seat] if exchange else s.laid[seat]
    for action in laid:
        kind = action - state.A_LAY
        if s.hand[seat][kind] == 0:
            raise NotationError(f"there is no further {state.TYPES[kind]} in the hand")
        s.hand[seat][kind] -= 1
        pile[kind] += 1
    count = sum(pile)
    if count > limit:
        raise NotationError(f"at most {limit} cards may be laid here, not {count}")
    more = [state.A_LAY + kind for kind in range(state.KINDS) if s.hand[seat][kind] and count < limit]
    add = [choice(s, seat, action) for action in more]
    if exchange:
        say = [Phrase("preview.exchange", {"count": count, "limit": limit})]
        done = [Confirmation(state.A_COMMIT, Phrase("confirm.exchange", {"count": count}))] if count else []
        return Preview(Phrase("ask.exchange", {"limit": limit}), add, done, say)
    valid = sum(min(pile[kind], s.disc[s.chosen][kind]) for kind in range(state.KINDS))
    key = "preview.offer" if valid == count else "preview.bluff"
    say = [Phrase(key, {"count": count, "limit": limit, "valid": valid, "wrong": count - valid})]
    confirm = []
    if not s.strict or valid_units(s, seat) <= units_left(s, seat):
        confirm.append(Confirmation(state.A_COMMIT, Phrase("confirm.offer", {"count": count})))
    if count:
        confirm.append(Confirmation(state.A_TRADE, Phrase("confirm.trade", {"count": count})))
    return Preview(Phrase("ask.offer"), add, confirm, say)


# --- Notation ----------------------------------------------------------------------------------------------------


def write_step(s: Any, action: int) -> str:
    if state.A_DISC <= action < state.A_LAY:
        wonder, space = divmod(action - state.A_DISC, state.SPACES)
        return f"choose {state.WONDERS[wonder]} {space + 1}"
    if is_lay(action):
        return f"lay {state.TYPES[action - state.A_LAY]}"
    if is_accept(action):
        return _write_accept(s, action)
    return NAMES[action]


def _write_accept(s: Any, action: int) -> str:
    mask, way = divmod(action - state.A_ACCEPT, state.WAYS)
    seats = [str((s.turn + 1 + place) % s.players + 1) for place in range(4) if mask >> place & 1]
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
    cards = [state.TYPES[action - state.A_LAY] for action in steps if is_lay(action)]
    unfinished = "" if end in (state.A_COMMIT, state.A_TRADE) else " ..."
    if first == state.A_EXCHANGE:
        return " ".join(["exchange", *cards]) + unfinished
    if is_lay(first) or first in (state.A_COMMIT, state.A_TRADE):
        return f"offer {' '.join(cards) or 'nothing'}" + (" with trade" if end == state.A_TRADE else unfinished)
    return write_step(s, first)


def read_move(s: Any, seat: int, text: str) -> list[int]:
    """The actions of a step or a move in notation. Whether they are legal is for the rules to say.

    Raises:
        NotationError: when the text names nothing that could be done.
    """
    words = text.split()
    for action, name in NAMES.items():
        if words == name.split():
            return [action]
    verb, rest = (words[0], words[1:]) if words else ("", [])
    if verb == "choose" and len(rest) == 2:
        spaces = tuple(str(space + 1) for space in range(state.SPACES))
        return [state.A_DISC + _index(state.WONDERS, rest[0]) * state.SPACES + _index(spaces, rest[1])]
    if verb == "lay" and len(rest) == 1:
        return [state.A_LAY + _index(state.TYPES, rest[0])]
    if verb in ("offer", "exchange") and rest:
        return _read_cards(verb, rest)
    if verb == "accept" and rest:
        return [_read_accept(s, rest)]
    raise NotationError(
        f"{text!r:.80} is no move; write 'pass', 'choose zeus 2', 'offer ship ship with trade', 'offer nothing', "
        "'accept 2 4', 'accept none', 'fail' or the name of an action card"
    )


def _index(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise NotationError(f"{name!r:.40} is none of {', '.join(names)}")
    return names.index(name)


def _read_cards(verb: str, words: list[str]) -> list[int]:
    end = [state.A_COMMIT]
    if words[-1] == "...":
        words, end = words[:-1], []
    elif verb == "offer" and words[-2:] == ["with", "trade"]:
        words, end = words[:-2], [state.A_TRADE]
    elif words == ["nothing"] and verb == "offer":
        words = []
    laid = sorted(state.A_LAY + _index(state.TYPES, word) for word in words)
    return [*([state.A_EXCHANGE] if verb == "exchange" else []), *laid, *end]


def _read_accept(s: Any, words: list[str]) -> int:
    at = words.index("joker") if "joker" in words else len(words)
    mask = 0
    seats = [str(seat + 1) for seat in range(s.players) if seat != s.turn]
    if words[:at] != ["none"]:
        for word in words[:at]:
            _index(seats, word)
            mask |= 1 << (int(word) - 1 - s.turn - 1) % s.players
        if not words[:at]:
            raise NotationError("name the seats whose offers are accepted, or 'none'")
    cards = words[at + 2 :]
    if at < len(words):
        types = _two_types(s)
        if words[at : at + 2] != ["joker", "for"] or not cards or len(cards) % 2 or len(cards) > 6:
            raise NotationError("a joker stands for exactly two cards: 'accept 2 joker for ship ship'")
        for card in cards:
            _index(types, card)
        return state.A_ACCEPT + mask * state.WAYS + (len(cards) // 2) ** 2 + cards.count(types[0])
    return state.A_ACCEPT + mask * state.WAYS

"""Actions as numbers, as structs for a board, and as notation.

A step is one action: ``take blue 3 yellow 2``, ``buy arcades 8 blue``, ``pay 5``, ``keep``, ``give``. A move is a whole
purchase or a take: ``buy arcades 8 blue with 5 3``, with ``for neutral`` at the end when the building is given away.
Two equal open cards are told apart by their place, counted from 1: ``take blue 3#2``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ziggurat.core.actions import Choice
from ziggurat.core.decision import Confirmation, Preview, Refusal
from ziggurat.core.errors import NotationError
from ziggurat.core.record import ListRecord
from ziggurat.core.trace import OUT, Phrase
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.choices import BUY, GIVE, KEEP, PAY, SPACE, TAKE, Take
from ziggurat.games.alhambra.heuristics import next_payment
from ziggurat.games.alhambra.rules import pay_card
from ziggurat.games.alhambra.tokens import building_token, money_token

# The places of open money, by the mask of an action.
_PLACES = {mask: tuple(SPACE[TAKE + mask].values(TAKE + mask)["positions"]) for mask in range(1, 1 << state.OPEN_MONEY)}


def choice(s: Any, seat: int, action: int) -> Choice:
    """The struct of an action, with the cards that lie open there."""
    if SPACE.is_a(action, "take"):
        return _takes(tuple(s.open_money))[action - TAKE - 1]
    if SPACE.is_a(action, "buy"):
        return _buy(action, s.slots[action - BUY])
    return SPACE.choice(action)


# Made once for all that they depend on: a turn has 15 of them, most of which were there a turn before.
@lru_cache(maxsize=1024)
def _takes(money: tuple[int, ...]) -> tuple[Take, ...]:
    """Return the takes of open money, by mask."""
    words = _open_tokens(money)
    return tuple(
        _take(TAKE + mask, tuple([money[place] for place in places]), tuple([words[place] for place in places]))
        for mask, places in _PLACES.items()
    )


@lru_cache(maxsize=4096)
def _take(action: int, cards: tuple[int, ...], words: tuple[str, ...]) -> Take:
    return Take(
        action=action,
        notation=_write_take(words),
        positions=[*_PLACES[action - TAKE]],
        cards=[money_token(card) for card in cards if card],
        total=sum(card % state.MONEY_BASE for card in cards),
    )


@lru_cache(maxsize=4096)
def _buy(action: int, card: int) -> Choice:
    building, currency = building_token(card) if card else None, state.CURRENCIES[action - BUY]
    return SPACE.choice(action, _write_buy(building, currency), building=building, currency=currency)


def ask(s: Any, seat: int | None) -> Phrase | None:
    """The question to a seat."""
    if s.finished:
        return Phrase("ask.finished")
    if seat != s.turn:
        return None
    if s.paying != state.NOBODY:
        return Phrase("ask.pay")
    if not any(s.slots):
        return Phrase("ask.take_only")
    # What was bought leaves its place empty for the rest of the turn, which goes on after an exact payment alone.
    return Phrase("ask.choose" if all(s.slots) else "ask.again")


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """The refusals: what lies open and cannot be had now, with the reason."""
    if s.finished or seat != s.turn or s.paying != state.NOBODY:
        return []
    allowed = set(legal)
    refused = []
    for slot in range(state.SLOTS):
        if BUY + slot not in allowed:
            refused.append(Refusal(choice(s, seat, BUY + slot), _why_not_buy(s, seat, slot)))
    for take in _takes(tuple(s.open_money)):
        if take.action not in allowed and len(take.cards) == len(take.positions):
            reason = Phrase("refuse.take_limit", {"total": take.total, "limit": s.take_limit})
            refused.append(Refusal(take, reason))
    return refused


def _why_not_buy(s: Any, seat: int, slot: int) -> Phrase:
    card = s.slots[slot]
    if card == 0:
        return Phrase("refuse.empty_slot", {"currency": state.CURRENCIES[slot]})
    args = {"currency": state.CURRENCIES[slot], "price": card % state.BUILDING_BASE, "total": s.worth[seat][slot]}
    return Phrase("refuse.buy_money", args)


def arrange(steps: Sequence[int]) -> list[int]:
    """Sort the steps of a payment: the rules take cards from the highest down; people lay them in any order."""
    paid = sorted((action for action in steps if SPACE.is_a(action, "pay")), reverse=True)
    rest = iter(paid)
    return [next(rest) if SPACE.is_a(action, "pay") else action for action in steps]


def preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """The preview of the purchase that ``steps`` begin. ``s`` is a copy that may be changed.

    Raises:
        NotationError: when the steps are not the beginning of a purchase that this seat could make.
    """
    if not steps or not SPACE.is_a(steps[0], "buy") or not all(SPACE.is_a(action, "pay") for action in steps[1:]):
        raise NotationError("only an unfinished purchase can be previewed: first its building, then the cards paid")
    slot = steps[0] - BUY
    card = s.slots[slot]
    if s.paying != state.NOBODY:
        raise NotationError("a purchase that is already begun is not previewed; give its steps from the start")
    if s.finished or seat != s.turn or card == 0 or s.worth[seat][slot] < card % state.BUILDING_BASE:
        raise NotationError(f"seat {seat + 1} cannot buy from the {state.CURRENCIES[slot]} slot now")
    s.paying, s.paid_last = slot, state.MAX_VALUE
    hand = s.hand[seat][slot]
    for action in arrange(steps)[1:]:
        if hand[action - PAY] == 0:
            raise NotationError(f"there is no further {state.CURRENCIES[slot]} {action - PAY} in the hand")
        pay_card(s, seat, action - PAY)
    price, total = card % state.BUILDING_BASE, s.paid_total
    say = {"currency": state.CURRENCIES[slot], "price": price, "total": total, "building": building_token(card)}
    if total < price:
        phrase = Phrase("preview.short", {**say, "missing": price - total})
    elif total == price:
        phrase = Phrase("preview.exact", say)
    else:
        phrase = Phrase("preview.over", {**say, "over": total - price})
    held = [PAY + value for value in range(state.MAX_VALUE, 0, -1) if hand[value] > 0]
    return Preview(
        ask=Phrase("ask.pay"),
        add=[choice(s, seat, action) for action in held],
        confirm=_confirmations(s, total >= price),
        say=[phrase],
        good=total == price,
        suggest=[choice(s, seat, action) for action in _suggested_payment(s, seat)],
    )


def _confirmations(s: Any, paid: bool) -> list[Confirmation]:
    if not paid:
        return []
    keep = Confirmation(KEEP, Phrase("confirm.keep"))
    return [keep, Confirmation(GIVE, Phrase("confirm.give"))] if s.owners > s.players else [keep]


def _suggested_payment(s: Any, seat: int) -> list[int]:
    """The cheapest further cards that reach the price."""
    s.paid_last = state.MAX_VALUE
    suggested: list[int] = []
    out = ListRecord(OUT)
    while value := next_payment(s, seat, out):
        pay_card(s, seat, value)
        suggested.append(PAY + value)
    return suggested


# --- Notation ----------------------------------------------------------------------------------------------------


def write_step(s: Any, action: int) -> str:
    """The notation of an action; only what lies open has another name in every position."""
    if SPACE.is_a(action, "take"):
        words = _open_tokens(tuple(s.open_money))
        return _write_take([words[place] for place in _PLACES[action - TAKE]])
    if SPACE.is_a(action, "buy"):
        card = s.slots[action - BUY]
        return _write_buy(building_token(card) if card else None, state.CURRENCIES[action - BUY])
    return SPACE.write(action)


def _write_take(words: Sequence[str]) -> str:
    return f"take {' '.join(words)}"


def _write_buy(building: str | None, currency: str) -> str:
    return f"buy {building or 'nothing'} {currency}"


@lru_cache(maxsize=1024)
def _open_tokens(money: tuple[int, ...]) -> tuple[str, ...]:
    """Open cards by their places; two equal ones are told apart by them."""
    tokens = [money_token(card) if card else "nothing" for card in money]
    places = enumerate(tokens, start=1)
    return tuple(f"{token}#{place}" if tokens.count(token) > 1 else token for place, token in places)


def write_move(s: Any, steps: Sequence[int]) -> str:
    """The notation of a move, whole or still unfinished; ``s`` is the position before it."""
    first = write_step(s, steps[0])
    if not SPACE.is_a(steps[0], "buy"):
        return " ".join(write_step(s, action) for action in steps)
    paid = [str(action - PAY) for action in steps if SPACE.is_a(action, "pay")]
    text = first + (" with " + " ".join(paid) if paid else "")
    if steps[-1] == GIVE:
        return text + " for neutral"
    return text if steps[-1] == KEEP else text + " ..."


def describe(s: Any, seat: int, steps: Sequence[int]) -> Phrase:
    """A move in words: a purchase with what it is paid with, anything else step by step."""
    if len(steps) == 1 or not SPACE.is_a(steps[0], "buy"):
        return choice(s, seat, steps[0]).words
    slot = steps[0] - BUY
    cards = [f"{state.CURRENCIES[slot]} {action - PAY}" for action in steps if SPACE.is_a(action, "pay")]
    neutral = int(steps[-1] == GIVE)
    return Phrase("move.purchase", {"building": building_token(s.slots[slot]), "cards": cards, "neutral": neutral})


def read_move(s: Any, seat: int, text: str) -> list[int]:
    """The actions of a step or a move in notation. Whether they are legal is for the rules to say.

    Raises:
        NotationError: when the text names nothing that lies on the table.
    """
    verb, *rest = text.split() or [""]
    if verb == "take" and rest:
        return [TAKE + _read_take(s, rest)]
    if verb == "buy" and rest:
        return _read_buy(s, rest)
    return [SPACE.read(text)]


def _read_value(word: str) -> int:
    if len(word) != 1 or word not in "123456789"[: state.MAX_VALUE]:
        raise NotationError(f"money cards have values from 1 to {state.MAX_VALUE}, not {word:.20}")
    return int(word)


def _read_take(s: Any, words: list[str]) -> int:
    mask = 0
    cards = re.findall(r"([a-z]+) (\d+)(?:#(\d))?", " ".join(words))
    if " ".join(f"{c} {v}#{p}" if p else f"{c} {v}" for c, v, p in cards) != " ".join(words):
        raise NotationError(f"{' '.join(words)!r} names no open money; cards are written like 'blue 3 yellow 2'")
    for currency, value, place in cards:
        found = [
            position
            for position in range(state.OPEN_MONEY)
            if not mask >> position & 1
            and s.open_money[position]
            and money_token(s.open_money[position]) == f"{currency} {value}"
            and place in ("", str(position + 1))
        ]
        if not found:
            raise NotationError(f"no {currency} {value} lies open{' at place ' + place if place else ''}")
        mask |= 1 << found[0]
    return mask


def _read_buy(s: Any, words: list[str]) -> list[int]:
    pattern = r"([a-z]+ \d+)(?: ([a-z]+))?(?: with ([\d ]+?))?( for neutral)?( \.\.\.)?"
    match = re.fullmatch(pattern, " ".join(words))
    if not match:
        text = " ".join(words)
        raise NotationError(f"'buy {text}' is no purchase; one is written like 'buy arcades 8 blue with 5 3'")
    building, currency, paid, neutral, unfinished = match.groups()
    slots = [
        slot
        for slot in range(state.SLOTS)
        if s.slots[slot] and building_token(s.slots[slot]) == building and currency in (None, state.CURRENCIES[slot])
    ]
    if len(slots) != 1:
        where = f" in the {currency} slot" if currency else ""
        raise NotationError(
            f"{building} lies open twice; name its currency too" if slots else f"no {building} lies open{where}"
        )
    values = sorted(map(_read_value, (paid or "").split()), reverse=True)
    if neutral and (unfinished or not values):
        raise NotationError("only a building that is paid can be given away: 'buy arcades 8 blue with 5 3 for neutral'")
    steps = [BUY + slots[0], *(PAY + value for value in values)]
    if values and not unfinished:
        steps.append(GIVE if neutral else KEEP)
    return steps

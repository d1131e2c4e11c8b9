"""Actions as numbers, as structs for a board, and as notation.

A step is one action: ``take blue 3 yellow 2``, ``buy arcades 8 blue``, ``pay 5``, ``keep``, ``give``. A move is a whole
purchase or a take: ``buy arcades 8 blue with 5 3``, with ``for neutral`` at the end when the building is given away.
Two equal open cards are told apart by their place, counted from 1: ``take blue 3#2``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ziggurat.core.errors import NotationError
from ziggurat.core.game import Choice, Confirmation, Preview, Refusal
from ziggurat.core.record import ListRecord
from ziggurat.core.trace import OUT, Phrase
from ziggurat.games.alhambra.heuristics import next_payment
from ziggurat.games.alhambra.rules import pay_card
from ziggurat.games.alhambra.state import (
    BUILDING_BASE,
    BUY,
    CURRENCIES,
    GIVE,
    KEEP,
    MAX_VALUE,
    MONEY_BASE,
    NOBODY,
    OPEN_MONEY,
    PAY,
    SLOTS,
    TAKE,
)
from ziggurat.games.alhambra.tokens import building_token, money_token


class TakeChoice(Choice, frozen=True, kw_only=True):
    cards: list[int]


class BuyChoice(Choice, frozen=True, kw_only=True):
    slot: int


class PayChoice(Choice, frozen=True, kw_only=True):
    value: int


def is_pay(action: int) -> bool:
    return PAY < action <= PAY + MAX_VALUE


def is_buy(action: int) -> bool:
    return BUY <= action < BUY + SLOTS


def choice(s: Any, action: int) -> Choice:
    notation = write_step(s, action)
    if action < BUY:
        mask = action - TAKE + 1
        cards = [position for position in range(OPEN_MONEY) if mask >> position & 1]
        return TakeChoice(action=action, type="take", notation=notation, cards=cards)
    if is_buy(action):
        return BuyChoice(action=action, type="buy", notation=notation, slot=action - BUY)
    if is_pay(action):
        return PayChoice(action=action, type="pay", notation=notation, value=action - PAY)
    return Choice(action=action, type="keep" if action == KEEP else "give", notation=notation)


def choices(s: Any, legal: Sequence[int]) -> list[Choice]:
    return [choice(s, action) for action in legal]


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """What lies open and cannot be had now, with the reason."""
    if s.finished or seat != s.turn or s.paying != NOBODY:
        return []
    allowed = set(legal)
    refused = []
    for slot in range(SLOTS):
        if BUY + slot not in allowed:
            refused.append(Refusal(choice(s, BUY + slot), _why_not_buy(s, seat, slot)))
    for mask in range(1, 1 << OPEN_MONEY):
        cards = [s.open_money[position] for position in range(OPEN_MONEY) if mask >> position & 1]
        if TAKE + mask - 1 not in allowed and all(cards):
            total = sum(card % MONEY_BASE for card in cards)
            reason = Phrase("refuse.take_limit", {"total": total, "limit": s.take_limit})
            refused.append(Refusal(choice(s, TAKE + mask - 1), reason))
    return refused


def _why_not_buy(s: Any, seat: int, slot: int) -> Phrase:
    card = s.slots[slot]
    if card == 0:
        return Phrase("refuse.empty_slot", {"currency": CURRENCIES[slot]})
    args = {"currency": CURRENCIES[slot], "price": card % BUILDING_BASE, "total": s.worth[seat][slot]}
    return Phrase("refuse.buy_money", args)


def in_move(s: Any) -> bool:
    """Whether a purchase has begun and not been finished."""
    return bool(s.paying != NOBODY)


def arrange(steps: Sequence[int]) -> list[int]:
    """The rules take payments from the highest card down; people lay them in any order."""
    paid = sorted((action for action in steps if is_pay(action)), reverse=True)
    rest = iter(paid)
    return [next(rest) if is_pay(action) else action for action in steps]


def preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """What the purchase that ``steps`` begin would do. ``s`` is a copy that may be changed.

    Raises:
        NotationError: when the steps are not the beginning of a purchase that this seat could make.
    """
    if not steps or not is_buy(steps[0]) or not all(is_pay(action) for action in steps[1:]):
        raise NotationError("only an unfinished purchase can be previewed: first its building, then the cards paid")
    slot = steps[0] - BUY
    card = s.slots[slot]
    if s.paying != NOBODY:
        raise NotationError("a purchase that is already begun is not previewed; give its steps from the start")
    if s.finished or seat != s.turn or card == 0 or s.worth[seat][slot] < card % BUILDING_BASE:
        raise NotationError(f"seat {seat + 1} cannot buy from the {CURRENCIES[slot]} slot now")
    s.paying, s.paid_last = slot, MAX_VALUE
    hand = s.hand[seat][slot]
    for action in arrange(steps)[1:]:
        if hand[action - PAY] == 0:
            raise NotationError(f"there is no further {CURRENCIES[slot]} {action - PAY} in the hand")
        pay_card(s, seat, action - PAY)
    price, total = card % BUILDING_BASE, s.paid_total
    say = {"currency": CURRENCIES[slot], "price": price, "total": total, "building": building_token(card)}
    if total < price:
        phrase = Phrase("preview.short", {**say, "missing": price - total})
    elif total == price:
        phrase = Phrase("preview.exact", say)
    else:
        phrase = Phrase("preview.over", {**say, "over": total - price})
    return Preview(
        add=[PAY + value for value in range(MAX_VALUE, 0, -1) if hand[value] > 0],
        confirm=_confirmations(s, total >= price),
        say=[phrase],
        suggest=_suggested_payment(s, seat),
    )


def _confirmations(s: Any, paid: bool) -> list[Confirmation]:
    if not paid:
        return []
    keep = Confirmation(KEEP, Phrase("confirm.keep"))
    return [keep, Confirmation(GIVE, Phrase("confirm.give"))] if s.owners > s.players else [keep]


def _suggested_payment(s: Any, seat: int) -> list[int]:
    """Further cards that reach the price as cheaply as possible."""
    s.paid_last = MAX_VALUE
    suggested: list[int] = []
    out = ListRecord(OUT)
    while value := next_payment(s, seat, out):
        pay_card(s, seat, value)
        suggested.append(PAY + value)
    return suggested


# --- Notation ----------------------------------------------------------------------------------------------------


def write_step(s: Any, action: int) -> str:
    if action < BUY:
        mask = action - TAKE + 1
        return "take " + " ".join(_open_token(s, position) for position in range(OPEN_MONEY) if mask >> position & 1)
    if is_buy(action):
        slot = action - BUY
        building = building_token(s.slots[slot]) if s.slots[slot] else "nothing"
        return f"buy {building} {CURRENCIES[slot]}"
    if is_pay(action):
        return f"pay {action - PAY}"
    return "keep" if action == KEEP else "give"


def _open_token(s: Any, position: int) -> str:
    card = s.open_money[position]
    token = money_token(card) if card else "nothing"
    return f"{token}#{position + 1}" if list(s.open_money).count(card) > 1 else token


def write_move(s: Any, steps: Sequence[int]) -> str:
    """The notation of a move, whole or still unfinished; ``s`` is the position before it."""
    first = write_step(s, steps[0])
    paid = [str(action - PAY) for action in steps if is_pay(action)]
    if not is_buy(steps[0]):
        return " ".join(write_step(s, action) if not is_pay(action) else f"pay {action - PAY}" for action in steps)
    text = first + (" with " + " ".join(paid) if paid else "")
    if steps[-1] == GIVE:
        return text + " for neutral"
    return text if steps[-1] == KEEP else text + " ..."


def read_move(s: Any, seat: int, text: str) -> list[int]:
    """The actions of a step or a move in notation. Whether they are legal is for the rules to say.

    Raises:
        NotationError: when the text names nothing that lies on the table.
    """
    words = text.split()
    verb, rest = (words[0], words[1:]) if words else ("", [])
    if verb == "take" and rest:
        return [TAKE + _read_take(s, rest) - 1]
    if verb == "buy" and rest:
        return _read_buy(s, rest)
    if verb == "pay" and len(rest) == 1:
        return [PAY + _read_value(rest[0])]
    if verb in ("keep", "give") and not rest:
        return [KEEP if verb == "keep" else GIVE]
    raise NotationError(
        f"{text!r} is no move; write 'take blue 3', 'buy arcades 8 blue with 5 3', 'pay 5', 'keep' or 'give'"
    )


def _read_value(word: str) -> int:
    if len(word) != 1 or word not in "123456789"[:MAX_VALUE]:
        raise NotationError(f"money cards have values from 1 to {MAX_VALUE}, not {word:.20}")
    return int(word)


def _read_take(s: Any, words: list[str]) -> int:
    mask = 0
    cards = re.findall(r"([a-z]+) (\d+)(?:#(\d))?", " ".join(words))
    if " ".join(f"{c} {v}#{p}" if p else f"{c} {v}" for c, v, p in cards) != " ".join(words):
        raise NotationError(f"{' '.join(words)!r} names no open money; cards are written like 'blue 3 yellow 2'")
    for currency, value, place in cards:
        found = [
            position
            for position in range(OPEN_MONEY)
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
        for slot in range(SLOTS)
        if s.slots[slot] and building_token(s.slots[slot]) == building and currency in (None, CURRENCIES[slot])
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

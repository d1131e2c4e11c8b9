"""Descriptions of pieces, in words: what a piece is and what it is worth to a seat now; the answer to a long press on
it.

A piece is named as in notation and events, with its sort before it: ``building garden 8``, ``money blue 5``; a place by
the name that the board gives it: ``slot 2``, ``built 1 garden``. Nothing is said that the seat does not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ziggurat.core import pieces
from ziggurat.core.decision import About
from ziggurat.core.pieces import nothing, number, one_of, with_changed
from ziggurat.core.trace import Phrase
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.heuristics import reachable_sums, with_copies
from ziggurat.games.alhambra.rules import place_of, shared_points, tied_with
from ziggurat.games.alhambra.tokens import building_token, money_token, parse_building, parse_money

DECKS = ("building", "money")


def named(s: Any, values: Any) -> list[str]:
    """Every card of the box, and every place of the table."""
    money = [f"{currency} {value}" for currency in state.CURRENCIES for value in range(1, state.MAX_VALUE + 1)]
    buildings = [f"{kind} {price}" for kind in state.KINDS for price in sorted({*values.building(kind).prices})]
    places = [
        f"{name} {place}"
        for name, size in (("slot", state.SLOTS), ("money", state.OPEN_MONEY))
        for place in range(size)
    ]
    return [
        *(f"building {token}" for token in buildings),
        *(f"money {token}" for token in money),
        *(f"kind {kind}" for kind in state.KINDS),
        *(f"{sort} {currency}" for sort in ("currency", "hand") for currency in state.CURRENCIES),
        *(f"scoring {name}" for name in state.ROUNDS),
        *(f"deck {name}" for name in DECKS),
        "discard",
        *places,
        *(f"seat {owner}" for owner in range(s.owners)),
        *(f"built {owner} {kind}" for owner in range(s.owners) for kind in state.KINDS),
    ]


# --- Buildings ---------------------------------------------------------------------------------------------------


def _building(s: Any, values: Any, seat: int | None, token: str) -> About:
    card = parse_building(token)
    if building_token(card) != token or card % state.BUILDING_BASE not in values.building(token.split()[0]).prices:
        raise ValueError(token)
    return _card(s, values, seat, card, None)


def _slot(s: Any, values: Any, seat: int | None, place: str) -> About:
    slot = number(place, state.SLOTS)
    currency = state.CURRENCIES[slot]
    if card := s.slots[slot]:
        return _card(s, values, seat, card, slot)
    what = [Phrase("what.slot", {"currency": currency})]
    return About(f"currency {currency}", Phrase("what.slot.name"), what, [], "at-the-end-of-your-turn")


def _card(s: Any, values: Any, seat: int | None, card: int, slot: int | None) -> About:
    kind, price, token = card // state.BUILDING_BASE, card % state.BUILDING_BASE, building_token(card)
    args = {"building": state.KINDS[kind], "price": price, "cards": len(values.building(state.KINDS[kind]).prices)}
    what = [Phrase("what.building", args), *_points(s, kind)]
    if slot is not None:
        what.insert(1, Phrase("what.building.here", {"currency": state.CURRENCIES[slot]}))
    worth = [] if seat is None else [*_payable(s, seat, card, slot), *_with_it(s, seat, kind), *_given(s, seat, kind)]
    name = Phrase("what.building.name", {"building": token})
    return About(f"building {token}", name, what, worth, "buying-a-building")


def _payable(s: Any, seat: int, card: int, slot: int | None) -> Iterator[Phrase]:
    """Yield whether the hand can pay a building, and exactly."""
    if slot is None or s.paying != state.NOBODY:
        return
    price, total = card % state.BUILDING_BASE, s.worth[seat][slot]
    args = {"currency": state.CURRENCIES[slot], "price": price, "total": total, "missing": price - total}
    if total < price:
        yield Phrase("what.pay.short", args)
    else:
        exact = reachable_sums(s, seat, slot) >> price & 1
        yield Phrase("what.pay.exact" if exact else "what.pay.over", args)


def _points(s: Any, kind: int) -> list[Phrase]:
    """What the places of a kind earn, scoring by scoring."""
    rounds = {f"points_{name.lower()}": _table(s, at, kind) for at, name in enumerate(state.ROUNDS)}
    return [Phrase("what.points", {"building": state.KINDS[kind], **rounds})]


def _table(s: Any, scoring: int, kind: int) -> list[int]:
    return [s.points[scoring][kind][place] for place in range(scoring + 1)]


def _next_scoring(s: Any) -> int:
    return next((at for at in range(len(state.ROUNDS)) if not s.scored >> at & 1), len(state.ROUNDS) - 1)


def _earned(s: Any, owner: int, kind: int, scoring: int) -> int:
    """The points of an owner for a kind, if the scoring came now."""
    place = place_of(s, kind, owner)
    return shared_points(s, scoring, kind, place, tied_with(s, kind, owner)) if 0 < place <= scoring + 1 else 0


def _standing(s: Any, owner: int, kind: int, scoring: int) -> dict[str, Any]:
    """How an owner stands in a kind."""
    return {
        "seat": owner,
        "building": state.KINDS[kind],
        "count": s.built[owner][kind],
        "place": place_of(s, kind, owner),
        "tied": tied_with(s, kind, owner),
        "round": state.ROUNDS[scoring],
        "points": _earned(s, owner, kind, scoring),
    }


def _with_it(s: Any, seat: int, kind: int) -> list[Phrase]:
    """Return what one more building of a kind changes in the next scoring."""
    scoring = _next_scoring(s)
    before, after = with_changed(lambda: _standing(s, seat, kind, scoring), (s.built[seat], kind, 1))
    said = "more" if after["points"] > before["points"] else "same"
    most = max(s.built[owner][kind] for owner in range(s.owners))
    leaders = [owner for owner in range(s.owners) if s.built[owner][kind] == most]
    leads = [Phrase("what.leads", {"seats": leaders, "count": most})] if most else []
    return [*leads, Phrase(f"what.with_it.{said}", {**after, "before": before["points"]})]


def _given(s: Any, seat: int, kind: int) -> list[Phrase]:
    """Return what it takes from the other player to give a building to the neutral one."""
    if s.owners == s.players:
        return []
    scoring, other = _next_scoring(s), 1 - seat
    before, after = with_changed(lambda: _earned(s, other, kind, scoring), (s.built[state.NEUTRAL], kind, 1))
    args = {"seat": other, "round": state.ROUNDS[scoring], "before": before, "points": after}
    return [Phrase("what.given", args)] if after < before else []


def _kind(s: Any, values: Any, seat: int | None, word: str) -> About:
    return _kind_of(s, values, seat, one_of(word, state.KINDS), seat)


def _built(s: Any, values: Any, seat: int | None, rest: str) -> About:
    owner, _, word = rest.partition(" ")
    return _kind_of(s, values, seat, one_of(word, state.KINDS), number(owner, s.owners))


def _kind_of(s: Any, values: Any, seat: int | None, kind: int, owner: int | None) -> About:
    """Return the description of a kind of building: what its places earn, how somebody stands in it, and how many are
    still to come."""
    word = state.KINDS[kind]
    cards = len(values.building(word).prices)
    what = [Phrase("what.kind", {"building": word, "cards": cards}), *_points(s, kind)]
    scoring, worth = _next_scoring(s), []
    if seat is not None and owner is not None:
        worth = [_stands(s, owner, kind, scoring)]
        if owner == seat:
            worth += _with_it(s, seat, kind)
        seen = sum(s.built[one][kind] for one in range(s.owners))
        seen += sum(1 for card in s.slots if card and card // state.BUILDING_BASE == kind)
        worth.append(Phrase("what.kind.left", {"building": word, "left": cards - seen}))
    return About(f"kind {word}", Phrase("what.kind.name", {"building": word}), what, worth, "points")


def _stands(s: Any, owner: int, kind: int, scoring: int) -> Phrase:
    stands = _standing(s, owner, kind, scoring)
    return Phrase("what.stands" if stands["count"] else "what.stands.none", stands)


# --- Money -------------------------------------------------------------------------------------------------------


def _money(s: Any, values: Any, seat: int | None, rest: str) -> About:
    if len(rest) == 1:
        if card := s.open_money[number(rest, state.OPEN_MONEY)]:
            return _money_card(s, seat, card, True)
        return About("deck money", Phrase("what.gap.name"), [Phrase("what.gap")], [], "at-the-end-of-your-turn")
    card = parse_money(rest)
    if card >= state.SCORING_A or money_token(card) != rest:
        raise ValueError(rest)
    return _money_card(s, seat, card, bool(seat is None or not s.hand[seat][card // 10][card % 10]))


def _money_card(s: Any, seat: int | None, card: int, open_: bool) -> About:
    currency, value = card // state.MONEY_BASE, card % state.MONEY_BASE
    args = {"currency": state.CURRENCIES[currency], "value": value, "limit": s.take_limit}
    what = [Phrase("what.money", args), *([Phrase("what.money.open", args)] if open_ else [])]
    worth = [] if seat is None else _helps(s, seat, currency, value, open_)
    rule = "taking-money" if open_ else "buying-a-building"
    token = money_token(card)
    return About(f"money {token}", Phrase("what.money.name", {"currency": token}), what, worth, rule)


def _helps(s: Any, seat: int, currency: int, value: int, open_: bool) -> list[Phrase]:
    """Return what a card does for the one building that is paid in its currency."""
    total, sums = s.worth[seat][currency], reachable_sums(s, seat, currency)
    if open_:
        total, with_it = total + value, with_copies(sums, value, 1)
    else:
        _, without = with_changed(lambda: reachable_sums(s, seat, currency), (s.hand[seat][currency], value, -1))
        with_it = without << value
    args: dict[str, Any] = {"currency": state.CURRENCIES[currency], "total": total}
    worth = [Phrase("what.money.would" if open_ else "what.money.held", args)]
    card = s.slots[currency]
    if not card:
        return [*worth, Phrase("what.money.nothing", args)]
    price = card % state.BUILDING_BASE
    args |= {"building": building_token(card), "price": price, "missing": price - total}
    if total < price:
        said = "short"
    elif with_it >> price & 1:
        said = "exact" if not open_ or not sums >> price & 1 else "exact_anyway"
    else:
        said = "over"
    return [*worth, Phrase(f"what.money.{said}", args)]


def _currency(s: Any, values: Any, seat: int | None, word: str) -> About:
    currency = one_of(word, state.CURRENCIES)
    worth = []
    if seat is not None:
        worth = [Phrase("what.money.held", {"currency": word, "total": s.worth[seat][currency]})]
        if card := s.slots[currency]:
            worth += [
                Phrase("what.currency.building", {"building": building_token(card)}),
                *_payable(s, seat, card, currency),
            ]
    what = [Phrase("what.currency", {"currency": word})]
    return About(f"currency {word}", Phrase("what.currency.name", {"currency": word}), what, worth, "buying-a-building")


# --- Decks, scorings, players ------------------------------------------------------------------------------------


def _deck(s: Any, values: Any, seat: int | None, word: str) -> About:
    which = DECKS[one_of(word, DECKS)]
    if which == "building":
        what = [Phrase("what.deck.building", {"count": s.building_left})]
        return About("deck building", Phrase("label.building_deck"), what, [], "end-of-the-game")
    coming = [name for at, name in enumerate(state.ROUNDS[:2]) if not s.scored >> at & 1]
    what = [
        Phrase("what.deck.money", {"count": s.money_left}),
        *(Phrase("what.deck.scoring", {"round": name}) for name in coming),
    ]
    return About("deck money", Phrase("label.money_deck"), what, [], "when-there-is-a-scoring")


def _discard(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    what = [Phrase("what.discard", {"count": s.discard_left})]
    return About("discard", Phrase("label.discard"), what, [], "at-the-end-of-your-turn")


def _scoring(s: Any, values: Any, seat: int | None, word: str) -> About:
    scoring = one_of(word, state.ROUNDS)
    worth = []
    if seat is not None and not s.scored >> scoring & 1:
        for owner in [seat, *(one for one in range(s.owners) if one != seat)]:
            points = sum(_earned(s, owner, kind, scoring) for kind in range(len(state.KINDS)))
            worth.append(Phrase("what.scoring.now", {"seat": owner, "points": points}))
    done = [Phrase("what.scoring.done")] if s.scored >> scoring & 1 else []
    return About(
        f"scoring {word}", Phrase(f"label.scoring.{word}"), [Phrase(f"what.scoring.{word}"), *done], worth, "points"
    )


def _seat(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.owners)
    if owner >= s.players:
        return About(f"seat {owner}", Phrase("label.neutral"), [Phrase("what.neutral")], [], "two-players")
    what = [Phrase("what.seat", {"seat": owner, "count": s.cards[owner], "points": s.score[owner]})]
    return About(f"seat {owner}", Phrase("what.seat.name", {"seat": owner}), what, [], "what-is-open-what-is-secret")


about = pieces.about(
    {
        "building": _building,
        "built": _built,
        "currency": _currency,
        "deck": _deck,
        "discard": _discard,
        "hand": _currency,
        "kind": _kind,
        "money": _money,
        "scoring": _scoring,
        "seat": _seat,
        "slot": _slot,
    },
    "'building garden 8', 'money blue 5', 'slot 2'",
)

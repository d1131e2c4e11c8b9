"""The observation of a seat as numbers: the columns, and the kernel that writes them.

Everything that the view of a seat shows and that matters for play, but for printed numbers and what follows from the
rest, such as the size of the discard pile; and but for what a table remembers of the hands, if it does: who learns from
observations remembers what was taken, or does not, at any table.
"""

from __future__ import annotations

from functools import cache

from ziggurat.core.columns import Columns, bits, category, clockwise, number, seat_after
from ziggurat.core.game import as_printed
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.components import AlhambraComponents


@cache
def observation(players: int) -> type[Columns]:
    """The fields that ``observe`` writes."""
    printed = as_printed("alhambra", AlhambraComponents)
    copies = printed.money.copies_two_players if players == 2 else printed.money.copies
    kinds = [printed.building(kind) for kind in state.KINDS]
    one_currency = sum(value * count for value, count in enumerate(copies, start=1))
    money_cards = 4 * sum(copies)

    class Slot(Columns):
        kind = category(["none", *state.KINDS], tells="the building that is paid for in this currency")
        price = number(max(max(kind.prices) for kind in kinds))

    class Money(Columns):
        currency = category(["none", *state.CURRENCIES], tells="an open money card")
        value = number(state.MAX_VALUE)

    class Owner(Columns):
        score = number(sum(sum(kind.points_a[:1] + kind.points_b[:1] + kind.points_c[:1]) for kind in kinds))
        built = number([len(kind.prices) for kind in kinds], tells="buildings of each kind").each(state.KINDS)

    class Observation(Columns):
        turn = category(players - 1, -1, tells="whose turn; -1: the game is over")
        scored = bits(state.ROUNDS, tells="scorings that are over")
        deck__buildings = number(sum(len(kind.prices) for kind in kinds), tells="cards left")
        deck__money = number(money_cards + 2, tells="cards left, scoring cards among them")
        options = state.OPTIONS.observed(players)
        paying = category(["none", *state.CURRENCIES], tells="the slot of a purchase that has begun")
        paid__total = number(one_currency, tells="what is laid down for it")
        paid = number(copies, tells="cards of each value laid down for it").each(state.MAX_VALUE)
        slot = Slot.each(state.CURRENCIES)
        money = Money.each(state.OPEN_MONEY)
        discard = number(copies, tells="cards of each value").each(state.CURRENCIES, state.MAX_VALUE)
        hand = number(copies, tells="the observer's own cards").each(state.CURRENCIES, state.MAX_VALUE)
        player = Owner.each(range(players))
        neutral = Owner.when(players == 2)
        cards = number(money_cards, name="player.{}.cards", tells="money cards in hand").each(range(players))

    return Observation


@kernel
def observe(s: Record, seat: int, seen: Record) -> None:
    """Write the observation of a seat (-1: a spectator, in the place of the first seat)."""
    out_of_line()
    players = s.players + 0
    me = max(seat, 0)
    seen.turn = -1 if s.finished else clockwise(me, s.turn, players)
    seen.scored = s.scored
    seen.deck__buildings = s.building_left
    seen.deck__money = s.money_left
    seen.paying = s.paying + 1
    seen.paid__total = s.paid_total
    for value in range(9):
        seen.paid[value] = s.paid[1 + value]
    for place in range(4):
        card = s.slots[place] + 0
        kind = card // state.BUILDING_BASE
        slot = seen.slot[place]
        slot.kind = kind + 1 if card else 0
        slot.price = card - kind * state.BUILDING_BASE
    for place in range(4):
        card = s.open_money[place] + 0
        currency = card // state.MONEY_BASE
        money = seen.money[place]
        money.currency = currency + 1 if card else 0
        money.value = card - currency * state.MONEY_BASE
    for currency in range(4):
        for value in range(9):
            seen.discard[currency][value] = s.discard[currency][1 + value]
    sees = 1 if seat >= 0 else 0
    for currency in range(4):
        for value in range(9):
            seen.hand[currency][value] = s.hand[me][currency][1 + value] * sees
    owner = me
    for player in range(players):
        observe_owner(s, owner, seen.player[player])
        seen.cards[player] = s.cards[owner]
        owner = seat_after(owner, players)
    if s.owners > players:
        observe_owner(s, state.NEUTRAL, seen.neutral)


@kernel
def observe_owner(s: Record, owner: int, of: Record) -> None:
    of.score = s.score[owner]
    for kind in range(6):
        of.built[kind] = s.built[owner][kind]

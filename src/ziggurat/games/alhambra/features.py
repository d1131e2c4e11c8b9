"""What a seat sees as numbers: the columns, and the kernel that writes them in the same order.

Everything that the view of a seat shows and that matters for play, but for printed numbers and what follows from the
rest, such as the size of the discard pile; and but for what a table remembers of the hands, if it does: who learns from
observations remembers what was taken, or does not, at any table.
"""

from __future__ import annotations

from functools import cache

from ziggurat.core.features import Feature, bits, category, number
from ziggurat.core.game import as_printed
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.components import AlhambraComponents


@cache
def features(players: int) -> tuple[Feature, ...]:
    """The columns of ``observe``."""
    printed = as_printed("alhambra", AlhambraComponents)
    copies = printed.money.copies_two_players if players == 2 else printed.money.copies
    values = range(1, state.MAX_VALUE + 1)
    kinds = [printed.building(kind) for kind in state.KINDS]
    cards = 4 * sum(copies)
    one_currency = sum(value * count for value, count in zip(values, copies, strict=True))
    most_points = sum(sum(kind.points_a[:1] + kind.points_b[:1] + kind.points_c[:1]) for kind in kinds)
    found = [
        category("turn", players - 1, -1, tells="whose turn; -1: the game is over"),
        bits("scored", state.ROUNDS, tells="scorings that are over"),
        number("deck.buildings", sum(len(kind.prices) for kind in kinds), tells="cards left"),
        number("deck.money", cards + 2, tells="cards left, scoring cards among them"),
        state.OPTIONS.observed(players),
        category("paying", ["none", *state.CURRENCIES], tells="the slot of a purchase that has begun"),
        number("paid.total", one_currency, tells="what is laid down for it"),
        *(number(f"paid.{value}", copies[value - 1], tells="cards of each value laid down for it") for value in values),
    ]
    for currency in state.CURRENCIES:
        found.append(
            category(
                f"slot.{currency}.kind", ["none", *state.KINDS], tells="the building that is paid for in this currency"
            )
        )
        found.append(number(f"slot.{currency}.price", max(max(kind.prices) for kind in kinds)))
    for place in range(1, state.OPEN_MONEY + 1):
        found.append(category(f"money.{place}.currency", ["none", *state.CURRENCIES], tells="an open money card"))
        found.append(number(f"money.{place}.value", state.MAX_VALUE))
    for where, tells in (("discard", "cards of each value"), ("hand", "the observer's own cards")):
        for currency in state.CURRENCIES:
            found += [number(f"{where}.{currency}.{value}", copies[value - 1], tells=tells) for value in values]
    for owner in [*(f"player.{player}" for player in range(players)), *["neutral"] * (players == 2)]:
        found.append(number(f"{owner}.score", most_points))
        found += [
            number(f"{owner}.built.{name}", len(kind.prices), tells="buildings of each kind")
            for name, kind in zip(state.KINDS, kinds, strict=True)
        ]
    found += [number(f"player.{player}.cards", cards, tells="money cards in hand") for player in range(players)]
    return tuple(found)


@kernel
def observe(s: Record, seat: int, out: Record) -> int:
    """Write what a seat (-1: a spectator, in the place of the first seat) sees, column by column; return how many."""
    out_of_line()
    players = s.players + 0
    me = max(seat, 0)
    turn = s.turn - me
    out.values[0] = -1 if s.finished else turn if turn >= 0 else turn + players
    out.values[1] = s.scored
    out.values[2] = s.building_left
    out.values[3] = s.money_left
    out.values[4] = s.observed_options
    out.values[5] = s.paying + 1
    out.values[6] = s.paid_total
    for value in range(9):
        out.values[7 + value] = s.paid[1 + value]
    n = 16
    for slot in range(4):
        card = s.slots[slot] + 0
        kind = card // state.BUILDING_BASE
        out.values[n] = kind + 1 if card else 0
        out.values[n + 1] = card - kind * state.BUILDING_BASE
        n += 2
    for place in range(4):
        card = s.open_money[place] + 0
        currency = card // state.MONEY_BASE
        out.values[n] = currency + 1 if card else 0
        out.values[n + 1] = card - currency * state.MONEY_BASE
        n += 2
    for currency in range(4):
        for value in range(9):
            out.values[n + value] = s.discard[currency][1 + value]
        n += 9
    sees = 1 if seat >= 0 else 0
    for currency in range(4):
        for value in range(9):
            out.values[n + value] = s.hand[me][currency][1 + value] * sees
        n += 9
    owner = me
    for _ in range(players):
        out.values[n] = s.score[owner]
        for kind in range(6):
            out.values[n + 1 + kind] = s.built[owner][kind]
        n += 7
        owner = owner + 1 if owner + 1 < players else 0
    if s.owners > players:
        out.values[n] = s.score[state.NEUTRAL]
        for kind in range(6):
            out.values[n + 1 + kind] = s.built[state.NEUTRAL][kind]
        n += 7
    for _ in range(players):
        out.values[n] = s.cards[owner]
        n += 1
        owner = owner + 1 if owner + 1 < players else 0
    return n

"""A full position drawn at random from those consistent with what one seat has seen (section 5).

What a seat knows is what it sees, its own hand, the table, the discard pile, and the sizes of all else; and what
everybody has seen go into the others' hands, until as many equal cards were paid. The starting capital lies open too,
so in a game played from its set-up that is every card of every hand: only both decks are dealt anew. Where a scenario
begins nobody has seen anything, and the rest of the hands is dealt with the decks.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, reseed_from, shuffle
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.rules import add_to_hand, derive_payable, insert_card

# How often a hand is dealt anew before one that can finish the purchase in progress is built on purpose.
TRIES = 50


@kernel
def redeal(s: Record, seat: int, rng: Record) -> None:
    """Replace everything that ``seat`` (-1: a spectator) does not see, the generator included."""
    out_of_line()
    size = collect_unseen_money(s, seat)
    shuffle_anew(s, rng, s.money_deck, size, state.MONEY_CARDS)
    payer = s.turn if s.paying != state.NOBODY and s.turn != seat else state.NOBODY
    if payer != state.NOBODY:
        size = deal_payer(s, payer, size, rng)
        derive_payable(s)
    for other in range(s.players):
        if other != seat and other != payer:
            for _ in range(unknown_cards(s, other)):
                size -= 1
                put_in_hand(s, other, s.money_deck[size])
    s.money_left = size
    hide_scoring_cards(s, rng)
    shuffle_anew(s, rng, s.building_deck, s.building_left, state.BUILDING_CARDS)
    reseed_from(s.rng, rng)


@kernel
def shuffle_anew(s: Record, rng: Record, items: Record, n: int, cards: int) -> None:
    """Shuffle ``items[0..n-1]`` so that the outcome reveals nothing of the order in which they lay: they are sorted
    first, by counting equal ones. All are less than ``cards``."""
    out_of_line()
    tally = s.tally
    for i in range(n):
        tally[items[i]] += 1
    place = 0
    for card in range(cards):
        while tally[card] > 0:
            tally[card] -= 1
            items[place] = card
            place += 1
    shuffle(rng, items, n)


@kernel
def collect_unseen_money(s: Record, seat: int) -> int:
    """Move the unknown money of the other hands and that of the deck into ``money_deck`` without A and B; return how
    many cards."""
    out_of_line()
    size = 0
    for i in range(s.money_left):
        card = s.money_deck[i]
        if card != state.SCORING_A and card != state.SCORING_B:
            s.money_deck[size] = card
            size += 1
    for other in range(s.players):
        if other != seat:
            size = empty_hand(s, other, size)
    return size


@kernel
def empty_hand(s: Record, other: int, size: int) -> int:
    """Move the unknown cards of a hand to the end of ``money_deck``; its size stays written in ``cards``."""
    out_of_line()
    for currency in range(4):
        for value in range(1, state.MAX_VALUE + 1):
            while s.hand[other][currency][value] > s.known[other][currency][value]:
                s.hand[other][currency][value] -= 1
                s.worth[other][currency] -= value
                s.money_deck[size] = currency * state.MONEY_BASE + value
                size += 1
    return size


@kernel
def unknown_cards(s: Record, other: int) -> int:
    """The number of cards of a hand that are to be dealt."""
    unknown = s.cards[other] + 0
    for currency in range(4):
        for value in range(1, state.MAX_VALUE + 1):
            unknown -= s.known[other][currency][value]
    return unknown


@kernel
def put_in_hand(s: Record, other: int, card: int) -> None:
    """Put a card in a hand, as in play, but without a change of the hand's size, which was known all along."""
    add_to_hand(s, other, card)
    s.cards[other] -= 1


@kernel
def deal_payer(s: Record, payer: int, size: int, rng: Record) -> int:
    """Deal to a player in the middle of a purchase, which is known to be payable with cards not above the last one."""
    out_of_line()
    unknown = unknown_cards(s, payer)
    for _ in range(TRIES):
        left = size
        for _ in range(unknown):
            left -= 1
            put_in_hand(s, payer, s.money_deck[left])
        if can_finish(s, payer):
            return left
        empty_hand(s, payer, left)
        shuffle(rng, s.money_deck, size)
    # The dearest usable cards suffice, since the true hand did.
    left = size
    for _ in range(unknown):
        best = left - 1
        if not can_finish(s, payer):
            for i in range(left):
                if usable_value(s, s.money_deck[i]) > usable_value(s, s.money_deck[best]):
                    best = i
        card = s.money_deck[best] + 0
        left -= 1
        s.money_deck[best] = s.money_deck[left]
        put_in_hand(s, payer, card)
    return left


@kernel
def usable_value(s: Record, card: int) -> int:
    if card // state.MONEY_BASE != s.paying or card % state.MONEY_BASE > s.paid_last:
        return 0
    return card % state.MONEY_BASE


@kernel
def can_finish(s: Record, payer: int) -> bool:
    reachable = s.paid_total + 0
    for value in range(1, s.paid_last + 1):
        reachable += value * s.hand[payer][s.paying][value]
    return reachable >= s.prices[s.paying]


@kernel
def hide_scoring_cards(s: Record, rng: Record) -> None:
    """A and B were inserted uniformly into their piles (section 2.6); given that they have not been turned up, each
    lies uniformly among the places of its pile that are left."""
    out_of_line()
    # The deck below the place of a scoring card that is still to come holds the other money cards; B lies deeper.
    b_hidden = not s.scored >> 1 & 1
    a_hidden = not s.scored & 1
    total = s.money_left + (1 if a_hidden else 0) + (1 if b_hidden else 0)
    if b_hidden:
        place = s.b_from + below(rng, min(s.b_below, total) - s.b_from)
        insert_card(s, state.SCORING_B, place)
    if a_hidden:
        place = s.a_from + below(rng, min(s.a_below, total) - s.a_from)
        insert_card(s, state.SCORING_A, place)

"""Building cards, action cards, and where they lie: sections 1.5, 4, 6 and 9."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import shuffle
from ziggurat.core.trace import NO_SEAT, note, traced
from ziggurat.games.babel import events, state

# --- Building cards ----------------------------------------------------------------------------------------------


@kernel
def size_of(cards: Record) -> int:
    """The number of cards of all types."""
    total: int = cards[0] + cards[1] + cards[2] + cards[3]
    return total


@kernel
def at_once(cards: Record) -> int:
    """The counts of cards of all types, or any four numbers, packed into one number: a byte for each, so that they are
    added and compared all at once."""
    number: int = cards[0] & 255 | (cards[1] & 255) << 8 | (cards[2] & 255) << 16 | (cards[3] & 255) << 24
    return number


@kernel
def of_type(cards: int, kind: int) -> int:
    """The count of a type in counts packed ``at_once``."""
    return cards >> 8 * kind & 255


@kernel
def of_all_types(cards: int) -> int:
    """The sum of counts packed ``at_once``."""
    return cards * 0x01010101 >> 24 & 255


@kernel
def put(cards: Record, number: int) -> None:
    """Write counts that are packed ``at_once``."""
    cards[0], cards[1], cards[2], cards[3] = number & 255, number >> 8 & 255, number >> 16 & 255, number >> 24 & 255


@kernel
def fewer(one: int, other: int) -> int:
    """The minimum for each type, ``at_once``."""
    enough = (one | 0x80808080) - other & 0x80808080  # the top bits of the types of which one has as many
    enough = 2 * enough - (enough >> 7)  # all bits of these
    return other & enough | one & ~enough


@kernel
def covers(many: int, few: int) -> bool:
    """Whether there are as many cards of each type, ``at_once``: a byte borrows from its top bit, not from the next."""
    return (many | 0x80808080) - few & 0x80808080 == 0x80808080


@kernel
def drawable(s: Record) -> int:
    """The number of building cards that can still be drawn."""
    return s.deck_left + s.discard[0] + s.discard[1] + s.discard[2] + s.discard[3]


@kernel
def draw_card(s: Record, seat: int, by: int, trace: Record) -> None:
    """Draw a building card. R7, R21: the discards are shuffled when one is needed; with none left nothing happens."""
    if s.deck_left == 0:
        if drawable(s) == 0:
            return
        reshuffle(s, trace)
    s.deck_left -= 1
    card = s.deck[s.deck_left] - 1
    s.deck[s.deck_left] = 0
    s.hand[seat][card] += 1
    s.busy = 1
    if traced() and trace.on:
        note_draw(seat, card, by, trace)


@kernel
def note_draw(seat: int, card: int, by: int, trace: Record) -> None:
    """That somebody draws a card is for all to see, which one it is for whoever draws it."""
    out_of_line()
    if by == events.BY_SETUP:
        note(trace, events.DEALT, NO_SEAT, seat)
    elif by == events.BY_CLOSING:
        note(trace, events.CLOSING, NO_SEAT, seat)
    else:
        note(trace, events.DREW, seat, 1, by)
    note(trace, events.DREW_CARDS, seat, card)


@kernel
def reshuffle(s: Record, trace: Record) -> None:
    out_of_line()
    for kind in range(state.KINDS):
        for _ in range(s.discard[kind]):
            s.deck[s.deck_left] = kind + 1
            s.deck_left += 1
        s.discard[kind] = 0
    note(trace, events.RESHUFFLED, NO_SEAT, s.deck_left)
    shuffle(s.rng, s.deck, s.deck_left)


@kernel
def forget(s: Record, seat: int, kind: int, count: int) -> None:
    """Cards leave the cards of a seat for all to see."""
    s.known[seat][kind] = max(s.known[seat][kind] - count, 0)


# --- 1.5, 6. Action cards ----------------------------------------------------------------------------------------


@kernel
def holds_action(s: Record, seat: int) -> bool:
    """Whether a seat holds any action card: their number is public, their kinds are not."""
    held = s.actions[seat]  # none is negative; the processor could not guess where a search would end
    return (held[0] | held[1] | held[2] | held[3] | held[4] | held[5] | held[6]) != 0


@kernel
def action_count(s: Record, seat: int) -> int:
    """How many action cards a seat holds."""
    count = 0
    for kind in range(state.ACTION_KINDS):
        count += s.actions[seat][kind]
    return count


@kernel
def use_card(s: Record, seat: int, kind: int) -> None:
    s.actions[seat][kind] -= 1
    s.action_used[kind] += 1


@kernel
def exchange(s: Record, seat: int, trace: Record) -> None:
    """R17: the replacements are drawn first, then the cards are discarded."""
    out_of_line()
    s.exchanging[seat] = 0
    s.last[seat] = 0  # an offer that follows begins with any type
    for kind in range(state.KINDS):
        for _ in range(s.given[seat][kind]):
            note(trace, events.EXCHANGED, seat, kind)
        forget(s, seat, kind, s.given[seat][kind])
    for _ in range(size_of(s.given[seat])):
        draw_card(s, seat, events.BY_EXCHANGE, trace)
    for kind in range(state.KINDS):
        s.discard[kind] += s.given[seat][kind]
        s.given[seat][kind] = 0


@kernel
def jokers_of(way: int) -> int:
    """The number of jokers that a way to pay uses."""
    jokers = 0
    while (jokers + 1) * (jokers + 1) <= way:
        jokers += 1
    return jokers


@kernel
def joker_cards(s: Record, way: int, kind: int) -> int:
    """R11: for how many cards of a type the jokers of a way stand; a disc asks for one type or for two."""
    jokers = jokers_of(way)
    first = way - jokers * jokers
    for other in range(kind):
        if s.disc[s.chosen][other] > 0:
            return 2 * jokers - first  # the second type
    return first


@kernel
def by_jokers(s: Record, way: int) -> int:
    """What the jokers of a way stand for, ``at_once``."""
    cards = 0
    if way:
        for kind in range(state.KINDS):
            if s.disc[s.chosen][kind] > 0:
                cards |= joker_cards(s, way, kind) << 8 * kind
    return cards

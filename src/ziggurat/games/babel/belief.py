"""A full position drawn at random from those consistent with what one seat has seen (section 7).

Known to everybody are the cards that somebody took back from a revealed offer, until as many of them were spent; what
hands and face-down offers hold besides is dealt anew, and so are action cards and decks. How many cards somebody has,
and how many lie in an offer, shows; whether the trade card is among them does not.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, reseed_from, shuffle, shuffle_anew
from ziggurat.games.babel.cards import action_count, size_of
from ziggurat.games.babel.state import ACTION_KINDS, KINDS, OFFER


@kernel
def redeal(s: Record, seat: int, rng: Record) -> None:
    """Replace everything that ``seat`` (-1: a spectator) has not seen, the generator included."""
    out_of_line()
    size = s.deck_left + 0
    for other in range(s.players):
        if other != seat:
            size = collect(s, other, size)
    sort_cards(s.deck, size)
    shuffle(rng, s.deck, size)
    for other in range(s.players):
        if other != seat:
            size = deal(s, other, size, rng)
    redeal_actions(s, seat, rng)
    reseed_from(s.rng, rng)


@kernel
def sort_cards(deck: Record, size: int) -> None:
    """Sort the cards, so that how they are shuffled reveals nothing of how they lay. There are few types, so they are
    counted, 16 bits a type."""
    out_of_line()
    counts = 0
    for i in range(size):
        counts += 1 << 16 * (deck[i] - 1)
    i = 0
    for kind in range(KINDS):
        for _ in range(counts >> 16 * kind & 0xFFFF):
            deck[i] = kind + 1
            i += 1


@kernel
def is_face_down(s: Record, other: int) -> bool:
    """Whether the cards that a seat has laid are hidden."""
    return s.phase == OFFER and other != s.turn


@kernel
def collect(s: Record, other: int, size: int) -> int:
    """Put the hidden cards of a seat onto the deck, but for those that everybody knows, which stay in its hand.

    ``last`` remembers how many are to be dealt again; how many lie face down, and how many are named for an exchange,
    stays written at the first type.
    """
    out_of_line()
    face_down = is_face_down(s, other)
    laid, given = 0, size_of(s.given[other])
    if face_down:
        laid = size_of(s.laid[other])
    s.last[other] = 0
    for kind in range(KINDS):
        open_cards = 0
        count = s.hand[other][kind] + s.given[other][kind]
        if face_down:
            count += s.laid[other][kind]
            s.laid[other][kind] = 0
        else:
            open_cards = s.laid[other][kind] + 0
        kept = max(s.known[other][kind] - open_cards, 0)
        s.hand[other][kind] = kept
        s.given[other][kind] = 0
        s.last[other] += count - kept
        for _ in range(count - kept):
            s.deck[size] = kind + 1
            size += 1
    s.given[other][0] = given
    if face_down:
        s.laid[other][0] = laid
    return size


@kernel
def deal(s: Record, other: int, size: int, rng: Record) -> int:
    """Deal a seat its cards from the end of the deck, and choose at random which of them lie face down."""
    out_of_line()
    for _ in range(s.last[other]):
        size -= 1
        s.hand[other][s.deck[size] - 1] += 1
        s.deck[size] = 0
    s.last[other] = 0
    given = s.given[other][0] + 0
    s.given[other][0] = 0
    for _ in range(given):
        kind = random_card(s, other, rng)
        s.given[other][kind] += 1
        s.last[other] = max(s.last[other], kind)
    if is_face_down(s, other):
        laid = s.laid[other][0] + 0
        s.laid[other][0] = 0
        if s.waiting >> other & 1 == 0:
            shown = laid + s.trade[other]
            s.trade[other] = random_trade(s, other, shown, rng)
            laid = shown - s.trade[other]
        for _ in range(laid):
            kind = random_card(s, other, rng)
            s.laid[other][kind] += 1
            s.last[other] = max(s.last[other], kind)
    return size


@kernel
def random_card(s: Record, other: int, rng: Record) -> int:
    """Take a random card out of a hand."""
    number = below(rng, size_of(s.hand[other]))
    kind = 0
    while number >= s.hand[other][kind]:
        number -= s.hand[other][kind]
        kind += 1
    s.hand[other][kind] -= 1
    return kind


@kernel
def random_trade(s: Record, other: int, shown: int, rng: Record) -> int:
    """Whether the trade card is among the cards of an offer: never alone, and the others within what the disc asks.

    It must be when the seat has no more cards in hand, for it would be one of those.
    """
    if shown < 2:
        return 0
    if shown > size_of(s.disc[s.chosen]) or shown > size_of(s.hand[other]):
        return 1
    return below(rng, 2)


@kernel
def redeal_actions(s: Record, seat: int, rng: Record) -> None:
    """Deal the action cards of the others anew; how many each has is known."""
    out_of_line()
    size = s.action_left + 0
    for other in range(s.players):
        if other != seat:
            s.last[other] = s.last[other] + 16 * action_count(s, other)
            for kind in range(ACTION_KINDS):
                for _ in range(s.actions[other][kind]):
                    s.action_deck[size] = kind + 1
                    size += 1
                s.actions[other][kind] = 0
    shuffle_anew(rng, s.action_deck, size)
    for other in range(s.players):
        if other != seat:
            for _ in range(s.last[other] // 16):
                size -= 1
                s.actions[other][s.action_deck[size] - 1] += 1
                s.action_deck[size] = 0
            s.last[other] = s.last[other] % 16

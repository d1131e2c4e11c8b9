"""A full position drawn at random from those consistent with what one seat has seen (section 3).

A seat knows where a card is from having held it, until the card is shuffled: ``seen`` says so card by card, so the
three cards that one has passed on are known in the neighbour's hand. The other cards of hands, deck and face-down
discards, and all tiles behind other screens, on other cards and in the supply, are dealt anew. What everybody has
gained and spent was done openly, so the numbers of tiles and points are as they are.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, reseed_from, shuffle_anew
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import find_held


@kernel
def redeal(s: Record, seat: int, rng: Record) -> None:
    """Replace everything that ``seat`` (-1: a spectator) has not seen, the generator included."""
    out_of_line()
    redeal_cards(s, seat, rng)
    redeal_tiles(s, seat, rng)
    if s.phase == state.DRAFT:
        redeal_characters(s, seat, rng)
    reseed_from(s.rng, rng)


@kernel
def is_unknown(s: Record, seat: int, card: int) -> bool:
    return card != 0 and (seat < 0 or s.seen[card] >> seat & 1 == 0) and s.seen[card] != -1


@kernel
def redeal_cards(s: Record, seat: int, rng: Record) -> None:
    """Deal the unknown cards again: they are collected on the deck, shuffled, and dealt to where unknown cards lay.

    Until then a negative number stands in their places and tells who else knows the card there.
    """
    out_of_line()
    size = s.deck_left + 0
    for other in range(s.players):
        if other != seat:
            if s.chosen[other] != 0:  # which of the four cards is the chosen one is not known either
                s.hand[other][state.HAND - 1] = s.chosen[other]
            for place in range(state.HAND):
                card = s.hand[other][place] + 0
                if is_unknown(s, seat, card):
                    s.hand[other][place] = -1 - s.seen[card]
                    s.deck[size] = card
                    size += 1
            sort_hand(s.hand[other])
    if s.hal_card != 0:
        s.deck[size] = s.hal_card
        s.hal_card = -1
        size += 1
    for i in range(s.discard_left):
        card = s.discard[i] + 0
        if is_unknown(s, seat, card):
            s.discard[i] = -1 - s.seen[card]
            s.deck[size] = card
            size += 1
    shuffle_anew(rng, s.deck, size)
    for i in range(s.discard_left):
        if s.discard[i] < 0:
            size -= 1
            s.seen[s.deck[size]] = -1 - s.discard[i]
            s.discard[i] = s.deck[size]
            s.deck[size] = 0
    if s.hal_card == -1:
        size -= 1
        s.hal_card = s.deck[size]
        s.seen[s.hal_card] = 0
        s.deck[size] = 0
    for other in range(s.players):
        if other != seat:
            for place in range(state.HAND):
                if s.hand[other][place] < 0:
                    size -= 1
                    s.seen[s.deck[size]] = -1 - s.hand[other][place]
                    s.hand[other][place] = s.deck[size]
                    s.deck[size] = 0
            if s.chosen[other] != 0:
                choose_again(s, other, rng)
    for i in range(size):
        s.seen[s.deck[i]] = 0


@kernel
def sort_hand(cards: Record) -> None:
    """Sort a hand, largest first: known cards, then unknown ones, as nobody sees in which order they are held; empty
    places last."""
    for i in range(1, state.HAND):
        card = cards[i] + 0
        j = i
        while j > 0 and is_before(card, cards[j - 1]):
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@kernel
def is_before(card: int, other: int) -> bool:
    return card != 0 and (other == 0 or card > other)


@kernel
def choose_again(s: Record, other: int, rng: Record) -> None:
    """Draw the chosen card again: any of the cards of a hand may be it."""
    count = 0
    for place in range(state.HAND):
        count += 1 if s.hand[other][place] != 0 else 0
    place = below(rng, count)
    s.chosen[other] = s.hand[other][place]
    s.hand[other][place] = s.hand[other][count - 1]
    s.hand[other][count - 1] = 0


@kernel
def redeal_tiles(s: Record, seat: int, rng: Record) -> None:
    """Deal the unknown tiles again: in the supply and out of the game, behind the other screens and on the others'
    chosen cards."""
    out_of_line()
    size = s.tiles_left + 0
    for tile in range(1, state.TILES + 1):
        holder = s.holder[tile] + 0
        if holder > 0 and holder % state.RETURNING != seat + 1:
            s.tiles[size] = tile
            s.holder[tile] = 0
            size += 1
    for other in range(s.players):
        if other != seat and s.tile[other] > 0:
            s.tiles[size] = s.tile[other]
            s.tile[other] = -1
            size += 1
    shuffle_anew(rng, s.tiles, size)
    for other in range(s.players):
        if other != seat:
            for _ in range(s.count[other]):
                size -= 1
                s.holder[s.tiles[size]] = other + 1
                s.tiles[size] = 0
            if s.tile[other] == -1:
                size -= 1
                s.tile[other] = s.tiles[size]
                s.tiles[size] = 0
            if s.phase == state.RETURN:
                name_returns(s, other, rng)
    find_held(s)


@kernel
def name_returns(s: Record, other: int, rng: Record) -> None:
    """Draw again which tiles the others have named to be returned: they are not known, not even how many."""
    s.last[other] = 0
    if s.waiting >> other & 1 == 0:
        for tile in range(1, state.TILES + 1):
            if s.holder[tile] == other + 1 and below(rng, 2) == 1:
                s.holder[tile] = other + 1 + state.RETURNING


@kernel
def redeal_characters(s: Record, seat: int, rng: Record) -> None:
    """Deal the unknown characters again: of the others' hands, those that they keep so far, and the rest of the box."""
    out_of_line()
    size = s.character_left + 0
    for other in range(s.players):
        if other != seat:
            for place in range(state.HAND):
                if s.draft[other][place] != 0:
                    s.character_deck[size] = s.draft[other][place]
                    s.draft[other][place] = -1
                    size += 1
            for place in range(state.KEPT_CHARACTERS):
                if s.characters[other][place] != 0:
                    s.character_deck[size] = s.characters[other][place]
                    s.characters[other][place] = -1
                    size += 1
    shuffle_anew(rng, s.character_deck, size)
    for other in range(s.players):
        for place in range(state.HAND):
            if s.draft[other][place] == -1:
                size -= 1
                s.draft[other][place] = s.character_deck[size]
                s.character_deck[size] = 0
        for place in range(state.KEPT_CHARACTERS):
            if s.characters[other][place] == -1:
                size -= 1
                s.characters[other][place] = s.character_deck[size]
                s.character_deck[size] = 0

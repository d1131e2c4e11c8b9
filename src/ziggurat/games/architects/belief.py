"""A full position drawn at random from those consistent with what one seat has seen (section 14).

Everything in front of the players, the top cards of the wonder decks and what the decks were made of is public, so
only the order below the tops, the central deck and the stack of tokens are hidden. A card that the cat has shown
stays known to those who saw it until it is taken.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import reseed_from, shuffle_anew
from ziggurat.games.architects import state
from ziggurat.games.architects.decks import in_play


@kernel
def redeal(s: Record, seat: int, rng: Record) -> None:
    """Replace everything that ``seat`` (-1: a spectator) has not seen, the generator included."""
    out_of_line()
    for deck in range(8):
        if in_play(s, deck):
            shuffle_anew(rng, s.deck[deck], max(s.deck_left[deck] - known_on_top(s, seat, deck), 0))
    shuffle_anew(rng, s.stack, s.stack_left)
    reseed_from(s.rng, rng)


@kernel
def known_on_top(s: Record, seat: int, deck: int) -> int:
    """The number of cards on top of a deck that a seat knows."""
    if deck == state.CENTRAL:
        return 1 if seat >= 0 and s.knows >> seat & 1 else 0
    if deck == s.looking and (s.reveal_public or seat == s.turn):
        return s.looks_at + 0
    return 1

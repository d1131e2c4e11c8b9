"""Everybody plays a card for its points and draws one, until somebody has none left."""

from __future__ import annotations

from tests.core.lotus import choices, state

from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import shuffle
from ziggurat.core.trace import NO_SEAT, note, offer


@kernel
def setup(s: Record, trace: Record) -> None:
    """Everybody has two cards in hand, another one put by and a charm; two lie open."""
    for i in range(state.COPIES * 3):
        s.deck[i] = 1 + i % 3
    for i in range(4):
        s.box[i] = 1 + i
    s.deck_left, s.box_left, s.deal, s.last = state.COPIES * 3, 4, 2, -1
    shuffle(s.rng, s.deck, s.deck_left)
    shuffle(s.rng, s.box, s.box_left)
    for seat in range(s.players):
        for _ in range(s.deal):
            draw(s, seat, trace)
        s.deck_left -= 1
        s.stash[seat][0] = s.deck[s.deck_left]
        s.stash_left[seat] = 1
        s.box_left -= 1
        s.charm[seat] = s.box[s.box_left]
    s.box_left -= 1
    s.token = s.box[s.box_left]
    for place in range(2):
        s.deck_left -= 1
        s.row[place] = s.deck[s.deck_left]


@kernel
def draw(s: Record, seat: int, trace: Record) -> None:
    s.deck_left -= 1
    kind = s.deck[s.deck_left] - 1
    s.hand[seat][kind] += 1
    s.drawn += 1
    note(trace, choices.DREW, seat, kind)


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    n = 0
    if s.finished or s.turn != seat:
        return 0
    for kind in range(3):
        n = offer(out, n, choices.PLAY + kind, s.hand[seat][kind] > 0)
    for place in range(2):
        n = offer(out, n, choices.TAKE + 1 + place, s.row[place] > 0)
    return n


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    if action > choices.TAKE:
        take_card(s, seat, action - choices.TAKE - 1, trace)
    else:
        play_card(s, seat, action - choices.PLAY, trace)
    s.last = seat
    s.phase = 1
    s.turn = seat + 1 if seat + 1 < s.players else 0
    left = 0
    for kind in range(3):
        left += s.hand[s.turn][kind]
    if left == 0:
        s.finished = 1


@kernel
def play_card(s: Record, seat: int, kind: int, trace: Record) -> None:
    """If everybody has seen such a card go into the hand, it may have been this one."""
    s.hand[seat][kind] -= 1
    s.hand_known[seat][kind] = max(s.hand_known[seat][kind] - 1, 0)
    s.discard[s.discard_left] = kind + 1
    s.discard_left += 1
    s.played[seat][kind] += 1
    s.score[seat] += kind + 1
    s.passed[seat] = 1
    note(trace, choices.PLAYED, seat, kind, kind + 1)
    if s.deck_left > 0:
        draw(s, seat, trace)


@kernel
def take_card(s: Record, seat: int, place: int, trace: Record) -> None:
    """Everybody sees which; another one is turned up."""
    kind = s.row[place] - 1
    s.hand[seat][kind] += 1
    s.hand_known[seat][kind] += 1
    s.row[place] = 0
    note(trace, choices.TOOK, seat, kind, place)
    if s.deck_left > 0:
        s.deck_left -= 1
        s.row[place] = s.deck[s.deck_left]
        note(trace, choices.TURNED, NO_SEAT, s.row[place] - 1)

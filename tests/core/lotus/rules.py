"""Everybody plays a card for its points and draws one, until the deck and the hands are empty."""

from __future__ import annotations

from tests.core.lotus import choices

from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import offer


@kernel
def setup(s: Record, trace: Record) -> None:
    shuffle(s.rng, s.deck, s.deck_left)
    shuffle(s.rng, s.box, s.box_left)
    s.last = -1
    for seat in range(s.players):
        for _ in range(s.deal):
            draw(s, seat)
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
def draw(s: Record, seat: int) -> None:
    s.deck_left -= 1
    s.hand[seat][s.deck[s.deck_left] - 1] += 1
    s.drawn += 1


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    n = 0
    if s.finished or s.turn != seat:
        return 0
    for card in range(3):
        n = offer(out, n, choices.PLAY + card, s.hand[seat][card] > 0)
    return n


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    card = action - choices.PLAY
    s.hand[seat][card] -= 1
    s.discard[s.discard_left] = card + 1
    s.discard_left += 1
    s.played[seat][card] += 1
    s.score[seat] += card + 1
    s.last = seat
    s.phase = 1
    if s.deck_left > 0:
        draw(s, seat)
    s.turn = seat + 1 if seat + 1 < s.players else 0
    left = 0
    for kind in range(3):
        left += s.hand[s.turn][kind]
    s.passed[seat] = 1
    if left == 0:
        s.finished = 1


@kernel
def actors(s: Record) -> int:
    return 0 if s.finished else 1 << s.turn


@kernel
def concealed(s: Record) -> bool:
    return False


@kernel
def scores(s: Record, out: Record) -> int:
    for seat in range(s.players):
        out.values[seat] = s.score[seat]
    players: int = s.players
    return players


@kernel
def winners(s: Record) -> int:
    mask = 0
    for seat in range(s.players):
        mask |= 1 << seat if s.score[seat] == max(s.score[0], s.score[1], s.score[2]) else 0
    return mask


@kernel
def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    action: int = out.values[below(rng, legal(s, seat, out))]
    return action

"""Sections 5 and 9: progress tokens, what they are worth, and the green cards that buy them."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.trace import NO_SEAT, note, offer
from ziggurat.games.architects import choices, events, state

# --- 5. Progress tokens ------------------------------------------------------------------------------------------


@kernel
def active_tokens(s: Record, seat: int) -> int:
    """Bit mask of the tokens that work now; A10: perhaps not those gained this turn."""
    active = s.owned[seat] & ~s.used
    return active if s.same_turn else active & ~s.gained


@kernel
def usable(s: Record, seat: int, token: int) -> bool:
    """Whether a token of a seat works now."""
    return active_tokens(s, seat) >> token & 1 != 0


@kernel
def tokens_of(s: Record, seat: int) -> int:
    """How many progress tokens a seat owns."""
    count = max(s.culture[seat] - 1, 0)
    owned = s.owned[seat] + 0
    while owned:
        owned &= owned - 1
        count += 1
    return count


@kernel
def final_points(s: Record, seat: int, token: int) -> int:
    """Section 5: what a token gives at the end of the game, as things stand."""
    if token == state.DECOR:
        return s.decor[1] + 0 if s.built[seat] == state.ALL_BUILT else s.decor[0] + 0
    if token == state.POLITICS:
        return s.politics * s.cards[seat][state.VP2CAT]
    if token == state.STRATEGY:
        return s.strategy * s.military[seat]
    if token == state.EDUCATION:
        return s.education * tokens_of(s, seat)
    if token == state.CULTURE:
        return s.culture_points[1] + 0 if s.culture[seat] > 1 else s.culture_points[0] + 0
    return 0


# --- 9. Science --------------------------------------------------------------------------------------------------


@kernel
def tokens_left(s: Record) -> bool:
    if s.stack_left > 0:
        return True
    for place in range(s.face_up):
        if s.offer[place] != 0:
            return True
    return False


@kernel
def must_claim(s: Record, seat: int) -> bool:
    """Section 9: two equal symbols or three different ones; A20: not when no token is left."""
    cards = s.cards[seat]
    compasses, gears, tablets = cards[state.COMPASS], cards[state.COMPASS + 1], cards[state.COMPASS + 2]
    # Numbers up to 1 have no higher bit; three that are all odd have the lowest one in common.
    complete = ((compasses | gears | tablets) > 1) | (compasses & gears & tablets != 0)
    return complete and tokens_left(s)


@kernel
def has_set(s: Record, seat: int, green: int) -> bool:
    """A19: the owner chooses between a pair and a triple."""
    cards = s.cards[seat]
    if green == choices.SET_OF_THREE:
        return cards[state.COMPASS] > 0 and cards[state.COMPASS + 1] > 0 and cards[state.COMPASS + 2] > 0
    return cards[state.COMPASS + green] > 1


@kernel
def legal_claims(s: Record, seat: int, out: Record, n: int) -> int:
    """What may be claimed for every set that a seat has."""
    for green in range(choices.SETS):
        if has_set(s, seat, green):
            n = legal_tokens(s, out, n, choices.CLAIM + green * choices.OFFERED)
    return n


@kernel
def legal_tokens(s: Record, out: Record, n: int, base: int) -> int:
    """Every kind of token on offer (A40: two Culture tokens are one choice) and the unseen one."""
    out_of_line()
    seen = 0
    for place in range(s.face_up):
        token = s.offer[place] + 0
        n = offer(out, n, base + token - 1, token != 0 and seen >> token & 1 == 0)
        seen |= 1 << token
    return offer(out, n, base + choices.STACK, s.stack_left > 0)


@kernel
def claim(s: Record, seat: int, green: int, token: int, trace: Record) -> None:
    """Section 9: exactly the cards of the set are discarded."""
    out_of_line()
    note(trace, events.CLAIMED, seat, green, token_named(s, token), 1 if token == choices.STACK else 0)
    for symbol in range(3):
        count = 1 if green == choices.SET_OF_THREE else 2 if symbol == green else 0
        s.cards[seat][state.COMPASS + symbol] -= count
        s.discard[state.COMPASS + symbol] += count
    take_token(s, seat, token, trace)


@kernel
def token_named(s: Record, token: int) -> int:
    """The token that a choice means; that of the stack is revealed when it is placed."""
    return s.stack[s.stack_left - 1] - 1 if token == choices.STACK else token


@kernel
def take_token(s: Record, seat: int, choice: int, trace: Record) -> None:
    """Section 9: a face-up token is replaced at once from the stack."""
    token = token_named(s, choice)
    if choice == choices.STACK:
        s.stack_left -= 1
        s.stack[s.stack_left] = 0
    else:
        place = 0
        while s.offer[place] != choice + 1:
            place += 1
        reveal_token(s, place, trace)
    s.owned[seat] |= 1 << token
    s.gained |= 1 << token
    if token == state.CULTURE:
        s.culture[seat] += 1
    elif token == state.TACTICS:
        s.shields[seat] += s.tactics_shields  # A32: at once


@kernel
def reveal_token(s: Record, place: int, trace: Record) -> None:
    """A place on offer is filled from the stack; A20: it stays empty when the stack is gone."""
    s.offer[place] = 0
    if s.stack_left > 0:
        s.stack_left -= 1
        s.offer[place] = s.stack[s.stack_left]
        s.stack[s.stack_left] = 0
        note(trace, events.TOKEN_REVEALED, NO_SEAT, place, s.offer[place] - 1)

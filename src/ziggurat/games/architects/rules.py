"""The rules of 7 Wonders: Architects, in the order of the specification.

Section numbers (6, 7, ...) and rulings (A1, ...) are those of the project's specification of the game. Sections of some
length have files of their own: ``decks`` (2, 12), ``effects`` (4), ``science`` (5, 9), ``payments`` (8).
Everything here runs interpreted and compiled alike: nested ``cards[seat][kind]``, no NumPy, no allocation.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note, offer
from ziggurat.games.architects import choices, events, state
from ziggurat.games.architects.decks import can_draw, cards_left, deck_at, left_neighbour, right_neighbour, take, top_of
from ziggurat.games.architects.effects import begin_effect, legal_effects, resolve
from ziggurat.games.architects.payments import (
    FIELD,
    MASK,
    can_build,
    legal_builds,
    paid_cards,
    renew_costs,
    uses_engineering,
)
from ziggurat.games.architects.science import (
    active_tokens,
    claim,
    final_points,
    legal_claims,
    must_claim,
    reveal_token,
    usable,
)

# --- 6. Set-up ---------------------------------------------------------------------------------------------------


@kernel
def setup(s: Record, trace: Record) -> None:
    """Section 6. ``s`` is a template: decks full and in order, options and printed numbers set, generator keyed."""
    out_of_line()
    s.cat = NO_SEAT
    s.looking = state.NO_DECK
    s.start = 0 if s.first_seat else below(s.rng, s.players)
    s.turn = s.start
    note(trace, events.START, s.start)
    for place in range(7):
        s.wonder[place] = place
    if s.wonder_rule != state.WONDERS_CHOSEN:
        shuffle(s.rng, s.wonder, 7)
    if s.wonder_rule == state.WONDERS_RANDOM:
        for seat in range(7):
            if seat < s.players:
                note(trace, events.WONDER, seat, s.wonder[seat])
            else:
                s.wonder[seat] = state.NO_WONDER
        lay_out(s, trace)
        go_on(s, trace)
        return
    s.open_wonders = 0
    for place in range(7):
        # Chosen: all of them. Drafted: one more than there are players, so that the last to choose has a choice.
        if s.wonder_rule == state.WONDERS_CHOSEN or place <= s.players:
            s.open_wonders |= 1 << s.wonder[place]
        s.wonder[place] = state.NO_WONDER
    s.phase = state.PICK
    s.picks = s.players
    if s.wonder_rule != state.WONDERS_CHOSEN:
        s.turn = right_neighbour(s, s.start)  # who plays last chooses first


@kernel
def pick(s: Record, seat: int, wonder: int, trace: Record) -> None:
    """Section 6.1: wonders that are chosen or drafted, each once."""
    out_of_line()
    s.wonder[seat] = wonder
    s.open_wonders &= ~(1 << wonder)
    note(trace, events.WONDER, seat, wonder)
    s.picks -= 1
    if s.picks > 0:
        s.turn = left_neighbour(s, seat) if s.wonder_rule == state.WONDERS_CHOSEN else right_neighbour(s, seat)
        return
    s.open_wonders = 0
    s.turn = s.start
    lay_out(s, trace)


@kernel
def legal_picks(s: Record, out: Record) -> int:
    """The wonders that may still be chosen."""
    n = 0
    for wonder in range(7):
        n = offer(out, n, choices.PICK + wonder, s.open_wonders >> wonder & 1 != 0)
    return n


@kernel
def lay_out(s: Record, trace: Record) -> None:
    """Sections 6.2 to 6.7, once everybody has a wonder."""
    out_of_line()
    for seat in range(s.players):
        deck = s.wonder[seat] + 0
        renew_costs(s, seat)
        shuffle(s.rng, s.deck[deck], s.deck_left[deck])
        note(trace, events.DECK_TOP, NO_SEAT, deck, top_of(s, deck), s.deck_left[deck])
    shuffle(s.rng, s.deck[state.CENTRAL], s.deck_left[state.CENTRAL])
    shuffle(s.rng, s.stack, s.stack_left)
    for place in range(s.face_up):
        reveal_token(s, place, trace)
    begin_turn(s, trace)


# --- 7. The turn -------------------------------------------------------------------------------------------------


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    """Write the legal actions of a seat; return how many (0 when it owes no decision)."""
    if s.finished or seat != s.turn:
        return 0
    if s.phase == state.DRAW:
        n = offer(out, 0, choices.DRAW + state.LEFT, s.deck_left[deck_at(s, seat, state.LEFT)] > 0)
        n = offer(out, n, choices.DRAW + state.RIGHT, s.deck_left[deck_at(s, seat, state.RIGHT)] > 0)
        return offer(out, n, choices.DRAW + state.MIDDLE, s.deck_left[state.CENTRAL] > 0)
    if s.phase == state.ACT:
        return legal_acts(s, seat, out)
    if s.phase == state.PICK:
        return legal_picks(s, out)
    return legal_effects(s, seat, out)


@kernel
def legal_acts(s: Record, seat: int, out: Record) -> int:
    """Section 7.3 and section 16: builds, claims, extra cards; the end of the turn when nothing is forced (A30)."""
    out_of_line()
    n = legal_builds(s, seat, out)
    forced = n > 0 and must_build(s, seat)
    if must_claim(s, seat):
        n = legal_claims(s, seat, out, n)
        forced = True
    extras = s.triggered & ~s.used
    found = 0
    if extras:
        for token in range(state.EXTRA_TOKENS):
            if extras >> token & 1:
                for side in range(3):
                    allowed = s.deck_left[deck_at(s, seat, side)] > 0
                    n = offer(out, n, choices.EXTRA + token * 3 + side, allowed)
                    found |= allowed
    if not forced and (s.extra_optional or not found):
        n = offer(out, n, choices.END, True)
    return n


@kernel
def is_asked(s: Record, seat: int) -> bool:
    """Whether anything but the end of the turn is left to do after the main draw."""
    extras = s.triggered & ~s.used != 0 and can_draw(s, seat)
    builds = can_build(s, seat, usable(s, seat, state.ECONOMY), usable(s, seat, state.ENGINEERING))
    return must_claim(s, seat) | extras | builds  # all at once: the processor cannot guess any of them


@kernel
def must_build(s: Record, seat: int) -> bool:
    """Section 8, A1, A11, A12: a stage that can be paid must be built."""
    return can_build(
        s,
        seat,
        usable(s, seat, state.ECONOMY) and s.economy_forces != 0,
        usable(s, seat, state.ENGINEERING) and s.engineering_forces != 0,
    )


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """Play a legal action, then go on to where somebody has to decide."""
    if action < choices.EXTRA:
        s.phase = state.ACT
        take(s, seat, deck_at(s, seat, action - choices.DRAW), events.BY_TURN, trace)
    elif action < choices.BUILD:
        token = (action - choices.EXTRA) // 3
        s.used |= 1 << token  # A8: used when the card is taken
        take(s, seat, deck_at(s, seat, (action - choices.EXTRA) % 3), token, trace)
    elif action < choices.CLAIM:
        build(s, seat, (action - choices.BUILD) // choices.PAYMENTS, (action - choices.BUILD) % choices.PAYMENTS, trace)
    elif action < choices.TOKEN:
        claim(s, seat, (action - choices.CLAIM) // choices.OFFERED, (action - choices.CLAIM) % choices.OFFERED, trace)
    elif action == choices.END:
        note(trace, events.PASSED, seat)
        end_turn(s, trace)
    elif action >= choices.PICK:
        pick(s, seat, action - choices.PICK, trace)
    else:
        resolve(s, seat, action, trace)
    go_on(s, trace)


@kernel
def go_on(s: Record, trace: Record) -> None:
    """End the turn, and those of players who can do nothing, until somebody has to decide."""
    while s.phase == state.ACT and not s.finished and not is_asked(s, s.turn):
        end_turn(s, trace)


@kernel
def begin_turn(s: Record, trace: Record) -> None:
    """Section 7.1. A24: the game ends when nothing is left on the table; who reaches no card draws none (A36)."""
    left = s.deck_left[state.CENTRAL] + 0
    if left == 0 and not cards_left(s):
        note(trace, events.DECKS_EMPTY)
        end_game(s, trace)
        return
    s.triggered = 0
    s.used = 0
    s.gained = 0
    note(trace, events.TURN, s.turn)
    if s.cat == s.turn and left > 0:  # A37: looking costs nothing, so it is not asked
        s.knows |= 1 << s.turn
        note(trace, events.PEEKED, s.turn)
        note(trace, events.SAW, s.turn, top_of(s, state.CENTRAL))
    if left > 0 or can_draw(s, s.turn):
        s.phase = state.DRAW
    else:
        note(trace, events.SKIPPED, s.turn)
        s.phase = state.ACT


@kernel
def end_turn(s: Record, trace: Record) -> None:
    """Section 7.4, A22: a battle, the end of the game, or the left neighbour."""
    complete = s.built[s.turn] == state.ALL_BUILT
    if s.turned >= s.conflict and (s.battle_first or not complete):
        fight(s, trace)
    if complete:
        end_game(s, trace)
    else:
        s.turn = left_neighbour(s, s.turn)
        begin_turn(s, trace)


# --- 8. Building stages ------------------------------------------------------------------------------------------


@kernel
def build(s: Record, seat: int, stage: int, payment: int, trace: Record) -> None:
    """Section 8: the cards go to the discard pile, the piece is turned, its effect happens at once."""
    out_of_line()
    wonder = s.wonder[seat] + 0
    engineering = uses_engineering(s, stage, payment)
    doubled = payment & 1
    points = s.stage_points[wonder][stage] + 0
    s.built[seat] |= 1 << stage
    renew_costs(s, seat)
    s.score[seat] += points
    complete = 1 if s.built[seat] == state.ALL_BUILT else 0
    note(trace, events.BUILT, seat, stage, wonder, points, doubled, engineering, complete)
    paid = paid_cards(s, stage, payment)
    for kind in range(1, state.COIN + 1):
        count = paid & MASK
        s.cards[seat][kind] -= count
        s.discard[kind] += count
        if count > 0:
            note(trace, events.PAID, seat, kind, count)
        paid >>= FIELD
    if doubled:
        s.used |= 1 << state.ECONOMY  # A14
    if engineering:
        s.used |= 1 << state.ENGINEERING
    s.triggered |= 1 << state.ARCHITECTURE & active_tokens(s, seat)  # A16
    if s.effects[wonder] >> stage & 1:
        begin_effect(s, seat, trace)


# --- 10. Military ------------------------------------------------------------------------------------------------


@kernel
def fight(s: Record, trace: Record) -> None:
    """Section 10: all players compare shields; then the cards with horns are discarded, and peace returns."""
    out_of_line()
    note(trace, events.BATTLE)
    tokens = 0  # won by each seat, at most 2: two bits
    seat = s.turn + 0
    for _ in range(s.players):
        won = victories(s, seat)
        if s.supply >= 0:  # A34: clockwise from the active seat
            won = min(won, s.supply)
            s.supply -= won
        s.military[seat] += won
        s.score[seat] += won * s.military_points
        tokens |= won << 2 * seat
        seat = left_neighbour(s, seat)
    for seat in range(s.players):
        won = tokens >> 2 * seat & 3
        note(trace, events.FOUGHT, seat, s.shields[seat], won, won * s.military_points)
    for loser in range(s.players):
        for kind in range(state.RED1, state.RED2 + 1):
            count = s.cards[loser][kind] + 0
            if count > 0:
                s.cards[loser][kind] = 0
                s.discard[kind] += count
                s.shields[loser] -= count
                note(trace, events.DISARMED, loser, kind, count)
    s.turned = 0


@kernel
def victories(s: Record, seat: int) -> int:
    """Section 10: victory tokens of a seat in a battle, 0 to 2."""
    mine = s.shields[seat] + 0
    left = s.shields[left_neighbour(s, seat)] + 0
    if s.players > 2:
        right = s.shields[right_neighbour(s, seat)] + 0
        return (1 if mine > left else 0) + (1 if mine > right else 0)
    if mine <= left:
        return 0
    if left == 0 and s.zero_needs_two:
        return 2 if mine >= 2 else 1  # A26; A41 without this option
    return 2 if mine >= 2 * left else 1


# --- 13. End of the game -----------------------------------------------------------------------------------------


@kernel
def end_game(s: Record, trace: Record) -> None:
    """Section 13: the tokens that count at the end, then the winners."""
    out_of_line()
    for seat in range(s.players):
        for token in range(state.DECOR, state.CULTURE + 1):
            if s.owned[seat] >> token & 1:
                points = final_points(s, seat, token)
                s.score[seat] += points
                note(trace, events.FINAL, seat, token, s.culture[seat] if token == state.CULTURE else 1, points)
    s.finished = 1
    complete = NO_SEAT
    for seat in range(s.players):
        if s.built[seat] == state.ALL_BUILT:
            complete = seat + 0
    note(trace, events.FINISHED, NO_SEAT, winners(s), complete)


@kernel
def stages_of(s: Record, seat: int) -> int:
    built = s.built[seat] + 0
    count = 0
    while built:
        built &= built - 1
        count += 1
    return count


@kernel
def winners(s: Record) -> int:
    """Section 13, A28: bit mask of the seats with most points; tied, with most stages; still tied, all of them."""
    best = -1
    mask = 0
    for seat in range(s.players):
        rank = (s.score[seat] + 1000) * 8 + stages_of(s, seat)
        if rank > best:
            best = rank
            mask = 1 << seat
        elif rank == best:
            mask |= 1 << seat
    return mask

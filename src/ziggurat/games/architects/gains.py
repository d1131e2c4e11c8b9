"""The gains of cards for a seat, in numbers for the network: cheaper than the heuristic, and without its weights.

A gain is one number, so that the gains of all cards of a deck can be added up: in its fields how much the card is worth
in tenths of a point, and whether it advances a stage, lets one be built, completes a set, triggers a token, or wins in
battle. What is learned from these columns must not change when the weights of the heuristic are tuned anew.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.architects import state
from ziggurat.games.architects.decks import left_neighbour, right_neighbour
from ziggurat.games.architects.payments import COINS, FIELD, MASK, is_available, purse
from ziggurat.games.architects.rules import victories
from ziggurat.games.architects.science import active_tokens, final_points, tokens_left

# The fields of a gain: those of 64 cards, the most that a deck holds, may be added without running over.
WORTH = 0xFFFF
ADVANCES, BUILDS, CLAIMS, TRIGGERS, WINS = 16, 24, 32, 40, 48
COUNT = 0xFF
DOES = ("advances", "builds", "claims", "triggers", "wins")
MOST_WORTH = 250
EXTRAS = (1 << state.EXTRA_TOKENS) - 1  # the tokens that give another card

# The fields of what a seat needs to build.
NOTHING = 5  # units that are missing where no stage is left: no stage costs more than 4
MISSING = 0xF
ADVANCING, HELPFUL, DIFFERENT, IDENTICAL, STAGE_WORTH = 4, 11, 18, 22, 26
KINDS_MASK = 0x7F
GREY_KINDS = 0b11111 << state.WOOD
COIN_BIT = 1 << state.COIN


@kernel
def end_points(s: Record, seat: int) -> int:
    """Section 13: what the tokens of a seat would give if the game ended now."""
    if s.finished:
        return 0  # they are part of the score
    points = 0
    ends = s.owned[seat] >> state.DECOR
    token = state.DECOR
    while ends:
        if ends & 1:
            points += final_points(s, seat, token)
        ends >>= 1
        token += 1
    return points


@kernel
def stage_count(built: int) -> int:
    """The number of stages in a mask."""
    return (built & 1) + (built >> 1 & 1) + (built >> 2 & 1) + (built >> 3 & 1) + (built >> 4 & 1)


@kernel
def units_needed(s: Record, seat: int) -> int:
    """The cost of all remaining stages, less the resources and coins that a seat holds."""
    needed = 0
    built = s.built[seat] + 0
    for stage in range(state.STAGES):
        if built >> stage & 1 == 0:
            needed += s.cost[stage]
    if needed == 0:
        return 0
    for kind in range(state.WOOD, state.COIN + 1):
        needed -= s.cards[seat][kind]
    return max(needed, 1)  # what is held need not fit


# --- Section 8: what is missing to the next stage ----------------------------------------------------------------


@kernel
def needs_with(s: Record, wonder: int, built: int, packed: int, economy: bool, engineering: bool) -> int:
    """The needs of a purse: the units missing to the nearest stage, to the nearest of either relation, which kinds of
    card advance it, which help to any stage, and what that stage is worth."""
    coins = packed >> COINS & MASK
    distinct, most, total = 0, 0, 0
    fresh, equal = 0, 0  # kinds that add a type, kinds that add to the most of a type
    for kind in range(state.WOOD, state.COIN):
        held = packed & MASK
        packed >>= FIELD
        total += held
        if held:
            distinct += 1
        else:
            fresh |= 1 << kind
        if held > most:
            most = held
            equal = 1 << kind
        elif held == most:
            equal |= 1 << kind
    units = coins + (1 if economy and coins > 0 else 0)
    missing, different, identical, worth = NOTHING, NOTHING, NOTHING, 0
    for stage in range(state.STAGES):
        if is_available(s, wonder, built, stage):
            have = total if engineering else most if s.identical[stage] else distinct
            lacks = max(s.cost[stage] - have - units, 0)
            if s.identical[stage]:
                identical = min(identical, lacks)
            else:
                different = min(different, lacks)
            points = 13 + 10 * s.stage_points[wonder][stage] + (27 if s.effects[wonder] >> stage & 1 else 0)
            if lacks < missing or (lacks == missing and points > worth):
                missing = lacks
                worth = points
    advancing, helpful = 0, 0
    if 0 < missing < NOTHING:
        if engineering:
            advancing = GREY_KINDS
        else:
            advancing = (fresh if different == missing else 0) | (equal if identical == missing else 0)
        helpful = (fresh if 0 < different < NOTHING else 0) | (equal if 0 < identical < NOTHING else 0)
        advancing |= COIN_BIT
    found = missing | advancing << ADVANCING | helpful << HELPFUL
    return found | different << DIFFERENT | identical << IDENTICAL | worth << STAGE_WORTH


@kernel
def needs(s: Record, seat: int) -> int:
    """The needs of a seat for its next stage; none while it has no wonder."""
    out_of_line()
    wonder = s.wonder[seat] + 0
    if wonder < 0:
        return NOTHING | NOTHING << DIFFERENT | NOTHING << IDENTICAL
    active = active_tokens(s, seat)
    return needs_with(
        s,
        wonder,
        s.built[seat] + 0,
        purse(s, seat),
        active >> state.ECONOMY & 1 != 0,
        active >> state.ENGINEERING & 1 != 0,
    )


# --- Section 10: what a shield does ------------------------------------------------------------------------------


@kernel
def defeats(s: Record, seat: int) -> int:
    """The number of tokens that the others would win by their shields against this seat, if the battle came now."""
    left = left_neighbour(s, seat)
    if s.players == 2:
        return victories(s, left)
    mine = s.shields[seat] + 0
    return (1 if s.shields[left] > mine else 0) + (1 if s.shields[right_neighbour(s, seat)] > mine else 0)


@kernel
def arms(s: Record, seat: int) -> int:
    """The worth of a shield to a seat with no, one and two horns, 8 bits each, and the tokens that it would win or take
    from others, above."""
    out_of_line()
    won, lost = victories(s, seat), defeats(s, seat)
    s.shields[seat] += 1
    then_won, then_lost = victories(s, seat), defeats(s, seat)
    s.shields[seat] -= 1
    others = s.players - 1
    points = 10 * s.military_points
    swing = points * (then_won - won) + points * (lost - then_lost) // others
    standing = points * then_won - points * then_lost // others
    found = min(4 + swing * 2 // 3, MOST_WORTH)
    for horns in range(1, 3):
        turned = s.turned + horns
        if turned >= s.conflict:
            worth = standing  # the battle comes this turn
        else:
            worth = 2 + swing * 2 // 3 + standing * turned // (3 * s.conflict)
        found |= min(max(worth, 0), MOST_WORTH) << 8 * horns
    return found | (then_won - won + lost - then_lost) << 24


# --- Gains -------------------------------------------------------------------------------------------------------


@kernel
def gain(s: Record, seat: int, kind: int, needed: int, armed: int) -> int:
    """The gain of a card of a kind, from the seat's needs and the worth of a shield to it."""
    found = 0
    worth = 10 * s.card_points[kind]
    if kind == 0:
        return 0
    if kind <= state.COIN:
        worth += 11 if kind == state.COIN else 6
        if needed >> ADVANCING + kind & 1:
            missing = needed & MISSING
            stage = needed >> STAGE_WORTH
            found = 1 << ADVANCES
            if missing == 1:
                found |= 1 << BUILDS
                worth += stage * 2 // 3
            else:
                worth += stage // 4 if missing == 2 else stage // 8
        elif needed >> HELPFUL + kind & 1:
            worth += 4
    elif kind == state.VP2CAT:
        if s.cat != seat:
            worth += 7 * s.cat_points
        worth += 10 * s.politics * (s.owned[seat] >> state.POLITICS & 1)
    elif state.COMPASS <= kind <= state.TABLET:
        compasses, gears = s.cards[seat][state.COMPASS] + 0, s.cards[seat][state.GEAR] + 0
        tablets = s.cards[seat][state.TABLET] + 0
        kinds = (1 if compasses else 0) + (1 if gears else 0) + (1 if tablets else 0)
        if s.cards[seat][kind] > 0 or kinds == 2:  # the pair, or the third symbol
            if tokens_left(s):  # A20
                found = 1 << CLAIMS
                worth += 55
        else:
            worth += 5 if kinds else 15
    elif kind >= state.RED0:
        worth += armed >> 8 * (kind - state.RED0) & COUNT
        found = min(armed >> 24, 3) << WINS if armed >> 24 > 0 else 0
    if s.triggers[kind] & active_tokens(s, seat) & ~s.triggered:
        found |= 1 << TRIGGERS
        worth += 38
    return found | min(worth, MOST_WORTH)


@kernel
def gain_of(s: Record, seat: int, kind: int) -> int:
    """The gain of a card of a kind for a seat."""
    if kind == 0:
        return 0
    armed = arms(s, seat) if kind >= state.RED0 else 0
    needed = needs(s, seat) if kind <= state.COIN else 0
    return gain(s, seat, kind, needed, armed)


@kernel
def gains_of_cards(s: Record, seat: int, needed: int, out: Record) -> None:
    """Write the gain of a card of every kind for a seat, in the place of its kind."""
    out_of_line()
    armed = arms(s, seat)
    for kind in range(state.KINDS):
        out.values[kind] = gain(s, seat, kind, needed, armed)


@kernel
def gains_in(s: Record, deck: int, out: Record) -> int:
    """The sum of the gains in ``out.values`` over the cards of a deck: everybody knows which are left, not their
    order."""
    total = 0
    for place in range(s.deck_left[deck]):
        total += out.values[s.deck[deck][place]]
    return total


@kernel
def does(found: int) -> int:
    """The fields of a gain except its worth, as the bits of ``DOES``."""
    bits = found >> ADVANCES & 1 | (found >> BUILDS & 1) << 1 | (found >> CLAIMS & 1) << 2
    return bits | (found >> TRIGGERS & 1) << 3 | (1 if found >> WINS & COUNT else 0) << 4

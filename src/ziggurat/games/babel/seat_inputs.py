"""The kernel that tells a network of a seat: the columns OPEN of ``inputs``, and then CLOSED."""

from __future__ import annotations

from ziggurat.core.inputs import clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import state, survey
from ziggurat.games.babel.cards import action_count, size_of
from ziggurat.games.babel.scoring import bonus_of
from ziggurat.games.babel.survey import ahead, disc_gain, look_round, points_for, standing, stands_after

# Among ``out.values``, behind what ``survey`` leaves there: own cards by type, and by wonder the fewest cards that the
# seat lacks for a disc, and the most that it has for one.
OWN = 128
LACKS = 132
TAKES = 140

NOW_LEAD = 6  # the column of that name
NO_DISC_THERE = 99


@kernel
def seat_inputs(s: Record, seat: int, out: Record) -> int:
    """Write the columns of a seat, the open ones first; return how many."""
    out_of_line()
    look_round(s, out)
    n = points_inputs(s, seat, out)
    n = disc_inputs(s, seat, out, n)
    n = wonder_inputs(s, seat, out, n)
    n = card_inputs(s, seat, out, n)
    n = offer_inputs(s, seat, out, n)
    n = hand_inputs(s, seat, out, n)
    return secret_inputs(s, seat, out, n)


@kernel
def role_of(s: Record, seat: int) -> int:
    """What a seat is doing, by its place in ROLES."""
    if s.exchanging[seat]:
        return 13
    active = seat == s.turn
    if s.phase == state.TURN:
        return 1 if active else 0
    if s.phase == state.OFFER:
        if active:
            return 2
        return 3 if s.waiting >> seat & 1 else 4
    if s.phase == state.SELECT:
        if active:
            return 5
        return 6 if size_of(s.laid[seat]) > 0 else 7
    if s.phase == state.REFUSAL:
        if active:
            return 8
        return 9 if s.waiting >> seat & 1 else 10
    return 11 if active else 12


@kernel
def points_inputs(s: Record, seat: int, out: Record) -> int:
    """Points so far and in sight, each beside those of the best other seat."""
    score = s.score[seat] + 0
    certain, near, bonus = (
        out.values[survey.CERTAIN + seat],
        out.values[survey.NEAR + seat],
        out.values[survey.BONUS + seat],
    )
    now = certain + bonus + out.values[survey.LIGHT + seat]
    hoped = certain + bonus + near + out.values[survey.FAR + seat]
    best_score, best_now, best_hoped, best_near, best_bonus = -1, -1, -1, 0, 0
    score_place, now_place = 1, 1
    for other in range(s.players):
        if other != seat:
            points = s.score[other] + 0
            score_place += 1 if points > score else 0
            best_score = max(best_score, points)
            points = out.values[survey.CERTAIN + other] + out.values[survey.BONUS + other]
            best_hoped = max(best_hoped, points + out.values[survey.NEAR + other] + out.values[survey.FAR + other])
            points += out.values[survey.LIGHT + other]
            now_place += 1 if points > now else 0
            best_now = max(best_now, points)
            best_near = max(best_near, out.values[survey.NEAR + other])
            best_bonus = max(best_bonus, out.values[survey.BONUS + other])
    turn = seat - s.turn
    out.inputs[0] = role_of(s, seat)
    out.inputs[1] = turn if turn >= 0 else turn + s.players
    out.inputs[2] = clipped(score, 0, 60)
    out.inputs[3] = clipped(score - best_score, -30, 30)
    out.inputs[4] = score_place
    out.inputs[5] = clipped(now, 0, 80)
    out.inputs[6] = clipped(now - best_now, -30, 30)
    out.inputs[7] = now_place
    out.inputs[8] = clipped(hoped, 0, 90)
    out.inputs[9] = clipped(hoped - best_hoped, -40, 40)
    out.inputs[10] = clipped(certain - score, 0, 20)
    out.inputs[11] = clipped(out.values[survey.LIGHT + seat], 0, 15)
    out.inputs[12] = clipped(near, 0, 25)
    out.inputs[13] = clipped(near - best_near, -20, 20)
    out.inputs[14] = clipped(out.values[survey.FAR + seat], 0, 25)
    out.inputs[15] = clipped(bonus, 0, 40)
    out.inputs[16] = clipped(bonus - best_bonus, -20, 20)
    return 17


@kernel
def disc_inputs(s: Record, seat: int, out: Record, n: int) -> int:
    """Discs by type, and what more of them would bring (section 8.2)."""
    total, best_next, most = 0, 0, 0
    for rank in range(state.KINDS):
        kind = out.values[survey.RANKED + rank]
        count = out.values[survey.COUNTS + state.KINDS * seat + kind]
        left = out.values[survey.LEFT + kind]
        total += count
        rival = 0
        for other in range(s.players):
            if other != seat:
                rival = max(rival, out.values[survey.COUNTS + state.KINDS * other + kind])
        now = bonus_of(s, count)
        gain = bonus_of(s, count + 1) - now if left > 0 else 0
        most = max(most, bonus_of(s, count + min(left, 3)) - now)
        best_next = max(best_next, gain)
        out.inputs[n + 1 + rank] = clipped(count, 0, 7)
        out.inputs[n + 5 + rank] = clipped(gain, 0, 10)
        out.inputs[n + 9 + rank] = clipped(count - rival, -3, 3)
    out.inputs[n] = clipped(total, 0, 8)
    out.inputs[n + 13] = clipped(best_next, 0, 10)
    out.inputs[n + 14] = clipped(out.values[survey.BONUS + seat] + most, 0, 40)
    return n + 15


@kernel
def wonder_inputs(s: Record, seat: int, out: Record, n: int) -> int:
    """How a seat stands on wonders: how often, and on each of the slots (section 5)."""
    behind, units = 7, 0
    for i in range(8):
        out.inputs[n + i] = 0
    for wonder in range(state.WONDER_COUNT):
        stage = out.values[survey.STAGE + wonder]
        units += s.units[wonder][seat]
        if stage == 0 or (stage > 1 and out.values[survey.MOST + wonder] == 0):
            continue
        place = standing(s, wonder, seat, out)
        if place != survey.NONE:
            column = n + place - 1 if stage == 1 else n + 3 + place
            out.inputs[column] = min(out.inputs[column] + 1, 3)
        if stage == 1 and place != survey.FIRST:
            behind = min(behind, out.values[survey.MOST + wonder] - s.units[wonder][seat] + 1)
    out.inputs[n + 8] = behind
    for slot in range(survey.SLOTS):
        wonder = out.values[survey.SLOT + slot]
        known = wonder != survey.NO_WONDER
        out.inputs[n + 9 + slot] = standing(s, wonder, seat, out) if known else survey.NONE
        out.inputs[n + 13 + slot] = clipped(ahead(s, wonder, seat, out), -6, 6) if known else 0
    out.inputs[n + 17] = clipped(units, 0, 15)
    out.inputs[n + 18] = clipped(s.units_each - units if s.strict else 29, 0, 29)
    return n + 19


@kernel
def held(s: Record, seat: int) -> int:
    """How many building cards a seat has, wherever they lie: everybody can count them."""
    return size_of(s.hand[seat]) + size_of(s.laid[seat]) + size_of(s.given[seat])


@kernel
def card_inputs(s: Record, seat: int, out: Record, n: int) -> int:
    """How many cards a seat has, and which of them everybody knows."""
    cards, most = held(s, seat), 0
    for other in range(s.players):
        if other != seat:
            most = max(most, held(s, other))
    out.inputs[n] = clipped(cards, 0, 12)
    out.inputs[n + 1] = clipped(cards - most, -6, 6)
    for rank in range(state.KINDS):
        out.inputs[n + 2 + rank] = clipped(s.known[seat][out.values[survey.RANKED + rank]], 0, 4)
    out.inputs[n + 6] = clipped(action_count(s, seat), 0, 4)
    return n + 7


@kernel
def offer_inputs(s: Record, seat: int, out: Record, n: int) -> int:
    """What the build under way may bring a seat, and what it has offered as far as everybody sees it."""
    for i in range(10):
        out.inputs[n + i] = 0
    out.inputs[n + 10] = out.inputs[NOW_LEAD]
    if s.chosen == state.NO_DISC:
        return n + 11
    wonder = s.chosen // state.SPACES
    out.inputs[n] = standing(s, wonder, seat, out)
    out.inputs[n + 1] = clipped(ahead(s, wonder, seat, out), -6, 6)
    out.inputs[n + 2] = clipped(disc_gain(s, seat, s.chosen, out), 0, 10)
    if s.phase != state.REFUSAL:
        out.inputs[n + 10] = clipped(lead_when_built(s, seat, s.turn, s.chosen, out), -30, 30)
        if out.values[survey.STAGE + wonder] == 1:
            out.inputs[n + 9] = clipped(points_for(s, stands_after(s, seat, out), False), 0, 20)
    if seat == s.turn:
        return n + 11
    laid, trade = size_of(s.laid[seat]), s.trade[seat] + 0
    if s.phase == state.OFFER:
        if s.waiting >> seat & 1 == 0:
            out.inputs[n + 3] = clipped(laid + trade + 1, 0, 9)
        return n + 11
    out.inputs[n + 3] = clipped(laid + size_of(s.returned[seat]) + trade + 1, 0, 9)
    out.inputs[n + 4] = clipped(laid, 0, 7)
    out.inputs[n + 5] = trade
    out.inputs[n + 6] = s.accepted >> seat & 1
    if s.phase == state.REFUSAL:
        out.inputs[n + 7] = clipped(laid * (s.refused_triple if s.tripled >> seat & 1 else s.refused), 0, 9)
    elif out.values[survey.STAGE + wonder] == 1:
        units = 0 if trade else laid
        out.values[survey.AFTER + seat] += units
        out.values[survey.AFTER + s.turn] -= units
        out.inputs[n + 8] = clipped(points_for(s, stands_after(s, seat, out), False), 0, 20)
    return n + 11


@kernel
def lead_when_built(s: Record, seat: int, builder: int, disc: int, out: Record) -> int:
    """By how much a seat is before the best other one if a builder pays a disc alone, and the game ends then.

    It leaves the units on the wonder in AFTER.
    """
    out_of_line()
    wonder = disc // state.SPACES
    light = out.values[survey.STAGE + wonder] > 1
    for other in range(s.players):
        out.values[survey.AFTER + other] = s.units[wonder][other]
    out.values[survey.AFTER + builder] += size_of(s.disc[disc])
    own, best = 0, -1
    for other in range(s.players):
        points = out.values[survey.CERTAIN + other] + out.values[survey.BONUS + other]
        points += out.values[survey.LIGHT + other] + points_for(s, stands_after(s, other, out), light)
        points -= points_for(s, standing(s, wonder, other, out), True)
        if other == builder:
            points += disc_gain(s, other, disc, out)
        if other == seat:
            own = points
        else:
            best = max(best, points)
    return own - best


# --- What a seat alone sees --------------------------------------------------------------------------------------


@kernel
def hand_inputs(s: Record, seat: int, out: Record, n: int) -> int:
    """The seat's own cards, and the discs that it can pay with them: what it can do without anybody's help."""
    out_of_line()
    hand, laid, given = s.hand[seat], s.laid[seat], s.given[seat]
    longest, fits = 0, 0
    for kind in range(state.KINDS):
        count = hand[kind] + laid[kind] + given[kind]
        out.values[OWN + kind] = count
        longest = max(longest, count)
        if s.chosen != state.NO_DISC:
            fits += min(count, s.disc[s.chosen][kind])
    for rank in range(state.KINDS):
        out.inputs[n + rank] = clipped(out.values[OWN + out.values[survey.RANKED + rank]], 0, 6)
    out.inputs[n + 4] = clipped(fits, 0, 7)
    out.inputs[n + 5] = clipped(longest, 0, 8)
    payable, nearly, points, bonus, ends = 0, 0, 0, 0, 0
    for wonder in range(state.WONDER_COUNT):
        fewest, takes = 4, 0
        if out.values[survey.STAGE + wonder] > 0:
            last = out.values[survey.STAGE + wonder] == 1
            for space in range(state.SPACES):
                disc = state.SPACES * wonder + space
                lacks = lacking(s, seat, disc, out)
                if lacks == NO_DISC_THERE:
                    continue
                if lacks == 0:
                    payable += 1
                    gain = disc_gain(s, seat, disc, out)
                    bonus = max(bonus, gain)
                    if last:
                        points = max(points, gain + points_alone(s, seat, disc, out))
                    if takes_last(s, disc, out):
                        lead = lead_when_built(s, seat, seat, disc, out)
                        ends = max(ends, 1 if lead < 0 else 2 if lead == 0 else 3)
                elif lacks == 1:
                    nearly += 1
                fewest = min(fewest, lacks)
                takes = max(takes, size_of(s.disc[disc]) - lacks)
        out.values[LACKS + wonder] = fewest
        out.values[TAKES + wonder] = takes
    out.inputs[n + 6] = clipped(payable, 0, 6)
    out.inputs[n + 7] = clipped(nearly, 0, 6)
    for slot in range(survey.SLOTS):
        wonder = out.values[survey.SLOT + slot]
        there = wonder != survey.NO_WONDER
        reach = ahead(s, wonder, seat, out) + out.values[TAKES + wonder] if there else 0
        out.inputs[n + 8 + slot] = out.values[LACKS + wonder] if there else 4
        out.inputs[n + 12 + slot] = clipped(reach, -6, 6)
    out.inputs[n + 16] = clipped(points, 0, 25)
    out.inputs[n + 17] = clipped(bonus, 0, 10)
    out.inputs[n + 18] = ends
    return n + 19


@kernel
def lacking(s: Record, seat: int, disc: int, out: Record) -> int:
    """How many cards a seat lacks for a disc, its jokers counted; NO_DISC_THERE when the disc is taken.

    A joker stands for exactly two cards (R11), but one card of one's own can be spared for it.
    """
    need = s.disc[disc]
    if (need[0] | need[1] | need[2] | need[3]) == 0:
        return NO_DISC_THERE
    lacks = 0
    for kind in range(state.KINDS):
        lacks += max(need[kind] - out.values[OWN + kind], 0)
    return max(lacks - 2 * s.actions[seat][state.JOKER], 0)


@kernel
def points_alone(s: Record, seat: int, disc: int, out: Record) -> int:
    """What a seat gets for a wonder when it pays its last disc alone."""
    wonder = disc // state.SPACES
    for other in range(s.players):
        out.values[survey.AFTER + other] = s.units[wonder][other]
    out.values[survey.AFTER + seat] += size_of(s.disc[disc])
    return points_for(s, stands_after(s, seat, out), False)


@kernel
def takes_last(s: Record, disc: int, out: Record) -> bool:
    """Whether no disc of one of its types is left without this one (section 8.1)."""
    for kind in range(state.KINDS):
        if s.disc[disc][kind] > 0 and out.values[survey.LEFT + kind] == 1:
            return True
    return False


@kernel
def secret_inputs(s: Record, seat: int, out: Record, n: int) -> int:
    """Action cards, and what lies face down or is named for an exchange."""
    actions = s.actions[seat]
    for kind in range(state.ACTION_KINDS):
        out.inputs[n + kind] = clipped(actions[kind], 0, 2)
    counts = survey.COUNTS + state.KINDS * seat
    discs = out.values[counts] + out.values[counts + 1] + out.values[counts + 2] + out.values[counts + 3]
    bonus = discs * s.disc_points * actions[state.DISC_BONUS] + s.end_points * actions[state.END_BONUS]
    own, best = 0, -1
    for other in range(s.players):
        now = out.values[survey.CERTAIN + other] + out.values[survey.BONUS + other] + out.values[survey.LIGHT + other]
        if other == seat:
            own = now
        else:
            best = max(best, now)
    valid, wrong = 0, 0
    if s.phase == state.OFFER and seat != s.turn:
        for kind in range(state.KINDS):
            laid = s.laid[seat][kind] + 0
            fits = min(laid, s.disc[s.chosen][kind])
            valid += fits
            wrong += laid - fits
    out.inputs[n + 7] = clipped(bonus, 0, 10)
    out.inputs[n + 8] = clipped(own + bonus - best, -30, 30)
    out.inputs[n + 9] = clipped(valid, 0, 7)
    out.inputs[n + 10] = clipped(wrong, 0, 3)
    out.inputs[n + 11] = s.trade[seat]
    out.inputs[n + 12] = clipped(size_of(s.given[seat]), 0, 5)
    return n + 13

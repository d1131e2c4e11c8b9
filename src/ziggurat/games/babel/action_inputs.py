"""The kernel that tells a network of an action: the columns ACTION of ``inputs``."""

from __future__ import annotations

from ziggurat.core.inputs import clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import choices, state, survey
from ziggurat.games.babel.cards import joker_cards, jokers_of, size_of
from ziggurat.games.babel.rules import is_there, missing, seats_of
from ziggurat.games.babel.scoring import bonus_of
from ziggurat.games.babel.survey import (
    ahead_after,
    count_discs,
    disc_gain,
    points_for,
    stands_after,
    survey_discs,
    survey_seats,
    survey_wonders,
)

# Places among ACTION_TYPES.
PASS, CHOOSE, LAY, GIVE, COMMIT, COMMIT_TRADE, EXCHANGE_GIVEN, ACCEPT, FAIL = range(9)
EXCHANGE, DRAW, TRIPLE, DO_WITHOUT, END_TURN, DOUBLE = range(9, 15)

# Points for a refused offer and for a wonder, by seat, among ``out.values``, behind what ``survey`` leaves there.
GAINS = 160


@kernel
def action_inputs(s: Record, seat: int, action: int, out: Record) -> int:
    """Write the columns of a legal action of a seat, from the second one on; return how many there are."""
    out_of_line()
    for i in range(1, 48):
        out.inputs[i] = 0
    out.inputs[10] = 4
    out.inputs[34] = clipped(size_of(s.hand[seat]), 0, 12)
    if action < choices.LAY:
        if action == choices.PASS:
            out.inputs[1] = PASS
            out.inputs[34] = clipped(size_of(s.hand[seat]) + 2, 0, 12)
        else:
            choose_inputs(s, seat, action - choices.CHOOSE, out)
    elif action < choices.ACCEPT:
        if s.exchanging[seat]:
            gift_inputs(s, seat, action, out)
        else:
            lay_inputs(s, seat, action, out)
    elif action <= choices.FAIL:
        select_inputs(s, seat, action, out)
    else:
        card_inputs(s, seat, action, out)
    return 48


# --- What several of them tell -----------------------------------------------------------------------------------


@kernel
def about_disc(s: Record, seat: int, disc: int, out: Record) -> None:
    """What a disc is worth to whom (section 8.2), and how its wonder stands before the action."""
    wonder = disc // state.SPACES
    need, hand = s.disc[disc], s.hand[seat]
    total, types, fewest, own = 0, 0, 99, 0
    for other in range(s.players):
        count_discs(s, other, out)
    for kind in range(state.KINDS):
        asked = need[kind] + 0
        if asked > 0:
            fewest = min(fewest, discs_left(s, kind))
            own = max(own, out.values[survey.COUNTS + state.KINDS * seat + kind])
            out.inputs[32 + min(types, 1)] = clipped(hand[kind], 0, 8 if types == 0 else 6)
            total += asked
            types += 1
            known = 0
            for other in range(s.players):
                if other != seat:
                    known += s.known[other][kind]
            out.inputs[35] = min(out.inputs[35] + known, 6)
    rival, together = 0, 0
    for other in range(s.players):
        if other != seat:
            gain = disc_gain(s, other, disc, out)
            rival = max(rival, gain)
            together += gain
    out.inputs[2] = clipped(total, 0, 7)
    out.inputs[3] = 1 if types > 1 else 0
    out.inputs[4] = clipped(fewest, 0, 7)
    out.inputs[5] = clipped(own, 0, 6)
    out.inputs[6] = clipped(disc_gain(s, seat, disc, out), 0, 10)
    out.inputs[7] = clipped(bonus_of(s, own + 2) - bonus_of(s, own + 1), 0, 10) if fewest > 1 else 0
    out.inputs[8] = clipped(rival, 0, 10)
    out.inputs[9] = clipped(together, 0, 20)
    about_wonder(s, seat, wonder, disc, out)


@kernel
def about_wonder(s: Record, seat: int, wonder: int, disc: int, out: Record) -> None:
    """How a wonder stands before the action, and what its other discs ask for; AFTER is what stands there."""
    contributors, most, leader, stage, rest, covered = 0, 0, -1, 0, 0, 0
    for other in range(s.players):
        units = s.units[wonder][other] + 0
        out.values[survey.AFTER + other] = units
        out.values[GAINS + other] = 0
        if units > most:
            most, leader = units, other
        elif units == most:
            leader = -1
        contributors += 1 if units > 0 and other != seat else 0
    for space in range(state.SPACES):
        one = state.SPACES * wonder + space
        if is_there(s, one):
            stage += 1
            if one != disc:
                for kind in range(state.KINDS):
                    asked = s.disc[one][kind] + 0
                    rest += asked
                    covered += min(asked, s.hand[seat][kind])
    distance = 0
    if leader >= 0:
        distance = leader - seat + 1 if leader >= seat else leader - seat + s.players + 1
    out.inputs[10] = stage
    out.inputs[11] = stands_after(s, seat, out)
    out.inputs[12] = out.inputs[11]
    out.inputs[13] = clipped(ahead_after(s, seat, out), -6, 6)
    out.inputs[14] = out.inputs[13]
    out.inputs[17] = clipped(contributors, 0, 4)
    out.inputs[18] = distance
    out.inputs[19] = clipped(rest, 0, 12)
    out.inputs[20] = clipped(covered, 0, 8)


@kernel
def what_comes(s: Record, seat: int, disc: int, owner: int, out: Record) -> None:
    """What everybody gets when the disc is built with the units in AFTER, beside the refused offers in GAINS."""
    out_of_line()
    wonder = disc // state.SPACES
    last = out.inputs[10] == 1
    refused, worth_others = 0, 0
    for other in range(s.players):
        refused += out.values[GAINS + other] if other != seat else 0
        before = s.units[wonder][other] + 0
        place = stands_after(s, other, out)
        points = points_for(s, place, False)
        if last:
            out.values[GAINS + other] += points
        elif other == seat:
            out.inputs[25] = clipped(points - points_for(s, out.inputs[11], False), -10, 10)
        elif before > 0 or place != survey.NONE:
            worth_others += points - points_for(s, stood_before(s, wonder, other), False)
        if other == seat:
            out.inputs[12] = place
    out.inputs[14] = clipped(ahead_after(s, seat, out), -6, 6)
    out.inputs[26] = clipped(worth_others, -20, 20)
    out.inputs[41] = clipped(refused, 0, 10)
    share_out(s, seat, out)
    if out.inputs[4] == 1:
        at_the_end(s, seat, wonder, last, disc, owner, out)


@kernel
def stood_before(s: Record, wonder: int, seat: int) -> int:
    """How a seat stands on a wonder, without a survey."""
    units = s.units[wonder][seat] + 0
    if units == 0:
        return survey.NONE
    above, equal = 0, 0
    for other in range(s.players):
        if other != seat:
            above += 1 if s.units[wonder][other] > units else 0
            equal += 1 if s.units[wonder][other] == units else 0
    if above == 0:
        return survey.FIRST if equal == 0 else survey.TIED
    return survey.SECOND if above == 1 and equal == 0 else survey.OTHER


@kernel
def share_out(s: Record, seat: int, out: Record) -> None:
    """The columns of points, from GAINS."""
    rival, together, leader, most = 0, 0, 0, -1
    for other in range(s.players):
        if other != seat:
            points = out.values[GAINS + other]
            rival = max(rival, points)
            together += points
            if s.score[other] > most:
                most = s.score[other] + 0
                leader = points
            elif s.score[other] == most:
                leader = max(leader, points)
    out.inputs[21] = clipped(out.values[GAINS + seat], 0, 20)
    out.inputs[22] = clipped(rival, 0, 20)
    out.inputs[23] = clipped(together, 0, 30)
    out.inputs[24] = clipped(leader, 0, 20)


@kernel
def at_the_end(s: Record, seat: int, wonder: int, last: bool, disc: int, owner: int, out: Record) -> None:
    """Section 8.2: the final points, when the disc is the last one of a type."""
    out_of_line()
    survey_discs(s, out)
    survey_wonders(s, wonder, out)
    survey_seats(s, out)
    own, best = 0, -1
    for other in range(s.players):
        points = (
            out.values[survey.CERTAIN + other] + out.values[survey.BONUS + other] + out.values[survey.LIGHT + other]
        )
        points += out.values[GAINS + other]
        if not last:
            points += points_for(s, stands_after(s, other, out), True)
        if other == owner:
            points += disc_gain(s, other, disc, out)
        if other == seat:
            own = points
        else:
            best = max(best, points)
    out.inputs[27] = clipped(own - best, -30, 30)
    out.inputs[28] = 1 if own < best else 2 if own == best else 3


# --- The turn ----------------------------------------------------------------------------------------------------


@kernel
def choose_inputs(s: Record, seat: int, disc: int, out: Record) -> None:
    """A disc is chosen: as if it were paid with the cards that the seat has, and the rest with others' cards."""
    out_of_line()
    about_disc(s, seat, disc, out)
    need, hand = s.disc[disc], s.hand[seat]
    total = need[0] + need[1] + need[2] + need[3]
    cards = min(need[0], hand[0]) + min(need[1], hand[1]) + min(need[2], hand[2]) + min(need[3], hand[3])
    jokers = min((total - cards + 1) // 2, s.actions[seat][state.JOKER])
    units = min(cards + 2 * jokers, total)
    out.values[survey.AFTER + seat] += units
    what_comes(s, seat, disc, seat, out)
    out.inputs[1] = CHOOSE
    out.inputs[15] = clipped(units, 0, 7)
    out.inputs[29] = clipped(cards, 0, 7)
    out.inputs[30] = clipped(jokers, 0, 3)
    out.inputs[31] = clipped(total - units, 0, 7)
    out.inputs[34] = clipped(size_of(hand) - cards, 0, 12)


# --- Offers and exchanges ----------------------------------------------------------------------------------------


@kernel
def lay_inputs(s: Record, seat: int, action: int, out: Record) -> None:
    """A card of an offer, or the offer as it lies, with the trade card or without."""
    out_of_line()
    about_disc(s, seat, s.chosen, out)
    need, laid = s.disc[s.chosen], s.laid[seat]
    card = action - choices.LAY if action < choices.COMMIT else -1
    trade = action == choices.COMMIT_TRADE
    total, valid, wrong = 0, 0, 0
    for kind in range(state.KINDS):
        count = laid[kind] + (1 if kind == card else 0)
        fits = min(count, need[kind])
        total += need[kind]
        valid += fits
        wrong += count - fits
    mine = 0 if trade else valid
    if valid > 0:
        out.values[survey.AFTER + seat] += mine
        out.values[survey.AFTER + s.turn] += total - mine
        what_comes(s, seat, s.chosen, seat if trade else s.turn + 0, out)
    out.inputs[1] = LAY if card >= 0 else COMMIT_TRADE if trade else COMMIT
    out.inputs[15] = clipped(mine, 0, 7)
    out.inputs[16] = clipped(total - mine, 0, 7)
    out.inputs[29] = clipped(valid, 0, 7)
    out.inputs[31] = clipped(total - valid, 0, 7)
    out.inputs[39] = 1 if trade else 2
    out.inputs[40] = clipped(s.score[s.turn] - s.score[seat], -20, 20)
    out.inputs[42] = clipped(valid, 0, 7)
    out.inputs[43] = clipped(wrong, 0, 3)
    if card >= 0:
        stay = s.hand[seat][card] - 1
        out.inputs[34] = clipped(size_of(s.hand[seat]) - 1, 0, 12)
        if need[card] > 0:
            second = 1 if out.inputs[3] == 1 and is_second(s, card) else 0
            out.inputs[32 + second] = clipped(stay, 0, 6 if second else 8)
        still = 0
        for kind in range(card, state.KINDS):
            one = 1 if kind == card else 0
            still += clipped(need[kind] - laid[kind] - one, 0, s.hand[seat][kind] - one)
        out.inputs[45] = clipped(still, 0, min(total - valid - wrong, 7))
        out.inputs[46] = clipped(stay, 0, 6)
        out.inputs[47] = clipped(discs_left(s, card), 0, 6)


@kernel
def discs_left(s: Record, kind: int) -> int:
    """How many discs of a type are on the board."""
    left = 0
    for disc in range(state.DISCS):
        left += 1 if s.disc[disc][kind] > 0 else 0
    return left


@kernel
def is_second(s: Record, kind: int) -> bool:
    """Whether the disc of the build asks for another type before this one."""
    for other in range(kind):
        if s.disc[s.chosen][other] > 0:
            return True
    return False


@kernel
def gift_inputs(s: Record, seat: int, action: int, out: Record) -> None:
    """A card for an exchange, or the exchange of those that are named."""
    given = size_of(s.given[seat])
    if action >= choices.COMMIT:
        out.inputs[1] = EXCHANGE_GIVEN
        out.inputs[34] = clipped(size_of(s.hand[seat]) + given, 0, 12)
        out.inputs[44] = clipped(given, 0, 5)
        return
    card = action - choices.LAY
    stay = s.hand[seat][card] - 1
    still = stay + 0
    for kind in range(card + 1, state.KINDS):
        still += s.hand[seat][kind]
    count_discs(s, seat, out)
    own = out.values[survey.COUNTS + state.KINDS * seat + card]
    out.inputs[1] = GIVE
    out.inputs[5] = clipped(own, 0, 6)
    out.inputs[6] = clipped(bonus_of(s, own + 1) - bonus_of(s, own), 0, 10)
    out.inputs[29] = 1
    out.inputs[34] = clipped(size_of(s.hand[seat]) - 1, 0, 12)
    out.inputs[44] = clipped(given + 1, 0, 5)
    out.inputs[45] = clipped(still, 0, clipped(s.exchange_cards - given - 1, 0, 7))
    out.inputs[46] = clipped(stay, 0, 6)
    out.inputs[47] = clipped(discs_left(s, card), 0, 6)


# --- Which offers are accepted -----------------------------------------------------------------------------------


@kernel
def select_inputs(s: Record, seat: int, action: int, out: Record) -> None:
    """Offers are accepted and the rest is paid (section 4.2, B3 and B4), or the build is given up (4.3)."""
    out_of_line()
    about_disc(s, seat, s.chosen, out)
    if action == choices.FAIL:
        for other in range(s.players):
            if other != seat:
                out.values[GAINS + other] += size_of(s.laid[other]) * s.refused
                out.inputs[41] = min(out.inputs[41] + out.values[GAINS + other], 10)
        share_out(s, seat, out)
        out.inputs[1] = FAIL
        return
    mask = (action - choices.ACCEPT) // state.WAYS
    way = (action - choices.ACCEPT) % state.WAYS
    seats = seats_of(s, mask)
    jokers = jokers_of(way)
    units, helpers, accepted, owner, helped = 2 * jokers, 0, 0, seat + 0, -1
    for other in range(s.players):
        if other == seat:
            continue
        count = size_of(s.laid[other])
        if seats >> other & 1 == 0:
            out.values[GAINS + other] += count * s.refused
            continue
        accepted += 1
        if s.trade[other]:
            owner = other
            units += count
        else:
            out.values[survey.AFTER + other] += count
            helpers += count
            helped = max(helped, s.score[other])
    types, cost = 0, 0
    for kind in range(state.KINDS):
        if s.disc[s.chosen][kind] > 0:
            paid = missing(s, seats, kind) - joker_cards(s, way, kind)
            cost += paid
            out.inputs[32 + min(types, 1)] = clipped(s.hand[seat][kind] - paid, 0, 8 if types == 0 else 6)
            types += 1
    units += cost
    out.values[survey.AFTER + seat] += units
    what_comes(s, seat, s.chosen, owner, out)
    out.inputs[1] = ACCEPT
    out.inputs[15] = clipped(units, 0, 7)
    out.inputs[16] = clipped(helpers, 0, 7)
    out.inputs[29] = clipped(cost, 0, 7)
    out.inputs[30] = clipped(jokers, 0, 3)
    out.inputs[34] = clipped(size_of(s.hand[seat]) - cost, 0, 12)
    out.inputs[36] = clipped(accepted, 0, 4)
    out.inputs[37] = mask
    out.inputs[38] = clipped(helped - s.score[seat], -20, 20) if helped >= 0 else 0
    out.inputs[39] = 1 if owner == seat else 2
    out.inputs[40] = clipped(s.score[owner] - s.score[seat], -20, 20)


# --- Action cards ------------------------------------------------------------------------------------------------


@kernel
def card_inputs(s: Record, seat: int, action: int, out: Record) -> None:
    """An action card, or none (section 6)."""
    hand = size_of(s.hand[seat])
    if action == choices.EXCHANGE:
        out.inputs[1] = EXCHANGE
    elif action == choices.DRAW:
        out.inputs[1] = DRAW
        out.inputs[34] = clipped(hand + s.draw_cards, 0, 12)
    elif action == choices.DOUBLE:
        out.inputs[1] = DOUBLE
    elif s.phase == state.CLOSING:
        out.inputs[1] = END_TURN
        out.inputs[34] = clipped(hand + 1, 0, 12)
    else:
        laid = size_of(s.laid[seat])
        tripled = action == choices.TRIPLE
        out.inputs[1] = TRIPLE if tripled else DO_WITHOUT
        out.inputs[21] = clipped(laid * (s.refused_triple if tripled else s.refused), 0, 20)
        out.inputs[42] = clipped(laid, 0, 7)

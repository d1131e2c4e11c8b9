"""The kernels that write the network's inputs of an action."""

from __future__ import annotations

from ziggurat.core.inputs import clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import choices, state
from ziggurat.games.babel.cards import joker_cards, jokers_of, size_of
from ziggurat.games.babel.discs import discs_there
from ziggurat.games.babel.network import survey
from ziggurat.games.babel.network.survey import (
    ahead_after,
    disc_gain,
    points_for,
    stands_after,
    survey_discs,
    survey_seats,
    survey_wonders,
)
from ziggurat.games.babel.rules import missing, seats_of
from ziggurat.games.babel.scoring import bonus_of

# Places among ACTION_TYPES.
PASS, CHOOSE, LAY, GIVE, COMMIT, COMMIT_TRADE, EXCHANGE_GIVEN, ACCEPT, FAIL = range(9)
EXCHANGE, DRAW, TRIPLE, DO_WITHOUT, END_TURN, DOUBLE = range(9, 15)

# Points for a refused offer and for a wonder, by seat, among ``out.values``, behind what ``survey`` leaves there.
GAINS = 160


@kernel
def tell_action(s: Record, seat: int, action: int, act: Record, out: Record) -> None:
    """Write the columns of a legal action of a seat, ``ActionColumns``, but for the first; after those of the table,
    which leaves COUNTS."""
    out_of_line()
    act.stage = 4
    act.hand = size_of(s.hand[seat])
    if action < choices.LAY:
        if action == choices.PASS:
            act.type = PASS
            act.hand = size_of(s.hand[seat]) + 2
        else:
            tell_choose(s, seat, action - choices.CHOOSE, act, out)
    elif action < choices.ACCEPT:
        if s.exchanging[seat]:
            tell_gift(s, seat, action, act, out)
        else:
            tell_lay(s, seat, action, act, out)
    elif action <= choices.FAIL:
        tell_select(s, seat, action, act, out)
    else:
        tell_card(s, seat, action, act)


# --- What several of them tell -----------------------------------------------------------------------------------


@kernel
def about_disc(s: Record, seat: int, disc: int, act: Record, out: Record) -> None:
    """Write what a disc is worth to whom (section 8.2), and the state of its wonder before the action."""
    wonder = disc // state.SPACES
    need, hand = s.disc[disc], s.hand[seat]
    total, types, fewest, own = 0, 0, 99, 0
    for kind in range(state.KINDS):
        asked = need[kind] + 0
        if asked > 0:
            fewest = min(fewest, discs_left(s, kind))
            own = max(own, out.values[survey.COUNTS + state.KINDS * seat + kind])
            if types == 0:
                act.first = hand[kind]
            else:
                act.second = hand[kind]
            total += asked
            types += 1
            known = 0
            for other in range(s.players):
                if other != seat:
                    known += s.known[other][kind]
            act.known += known
    rival, together = 0, 0
    for other in range(s.players):
        if other != seat:
            gain = disc_gain(s, other, disc, out)
            rival = max(rival, gain)
            together += gain
    act.need = total
    act.two = 1 if types > 1 else 0
    act.left = fewest
    act.own = own
    act.bonus = disc_gain(s, seat, disc, out)
    act.bonus__then = bonus_of(s, own + 2) - bonus_of(s, own + 1) if fewest > 1 else 0
    act.bonus__rival = rival
    act.bonus__others = together
    about_wonder(s, seat, wonder, disc, act, out)


@kernel
def about_wonder(s: Record, seat: int, wonder: int, disc: int, act: Record, out: Record) -> None:
    """Write the state of a wonder before the action, and what its other discs ask for; AFTER is what stands there."""
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
        if discs_there(s) >> one & 1:
            stage += 1
            if one != disc:
                for kind in range(state.KINDS):
                    asked = s.disc[one][kind] + 0
                    rest += asked
                    covered += min(asked, s.hand[seat][kind])
    distance = 0
    if leader >= 0:
        distance = leader - seat + 1 if leader >= seat else leader - seat + s.players + 1
    act.stage = stage
    act.place = stands_after(s, seat, out)
    act.place__then = act.place
    act.ahead = ahead_after(s, seat, out)
    act.ahead__then = act.ahead
    act.contributors = contributors
    act.leader = distance
    act.rest = rest
    act.rest__covered = covered


@kernel
def what_comes(s: Record, seat: int, disc: int, owner: int, act: Record, out: Record) -> None:
    """Compute what everybody gets when the disc is built with the units in AFTER, beside the refused offers in
    GAINS."""
    out_of_line()
    wonder = disc // state.SPACES
    last = act.stage == 1
    refused, worth_others = 0, 0
    for other in range(s.players):
        refused += out.values[GAINS + other] if other != seat else 0
        before = s.units[wonder][other] + 0
        place = stands_after(s, other, out)
        points = points_for(s, place, False)
        if last:
            out.values[GAINS + other] += points
        elif other == seat:
            act.worth = points - points_for(s, act.place, False)
        elif before > 0 or place != survey.NONE:
            worth_others += points - points_for(s, stood_before(s, wonder, other), False)
        if other == seat:
            act.place__then = place
    act.ahead__then = ahead_after(s, seat, out)
    act.worth__others = worth_others
    act.refused = refused
    share_out(s, seat, act, out)
    if act.left == 1:
        at_the_end(s, seat, wonder, last, disc, owner, act, out)


@kernel
def stood_before(s: Record, wonder: int, seat: int) -> int:
    """The standing of a seat on a wonder, without a survey."""
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
def share_out(s: Record, seat: int, act: Record, out: Record) -> None:
    """Write the columns of points, from GAINS."""
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
    act.points = out.values[GAINS + seat]
    act.points__rival = rival
    act.points__others = together
    act.points__leader = leader


@kernel
def at_the_end(s: Record, seat: int, wonder: int, last: bool, disc: int, owner: int, act: Record, out: Record) -> None:
    """Add the final points (section 8.2), when the disc is the last one of a type."""
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
    act.wins = own - best
    act.ends = 1 if own < best else 2 if own == best else 3


# --- The turn ----------------------------------------------------------------------------------------------------


@kernel
def tell_choose(s: Record, seat: int, disc: int, act: Record, out: Record) -> None:
    """Write the columns of choosing a disc: as if it were paid with the cards that the seat has, and the rest with
    others' cards."""
    out_of_line()
    about_disc(s, seat, disc, act, out)
    need, hand = s.disc[disc], s.hand[seat]
    total = need[0] + need[1] + need[2] + need[3]
    cards = min(need[0], hand[0]) + min(need[1], hand[1]) + min(need[2], hand[2]) + min(need[3], hand[3])
    jokers = min((total - cards + 1) // 2, s.actions[seat][state.JOKER])
    units = min(cards + 2 * jokers, total)
    out.values[survey.AFTER + seat] += units
    what_comes(s, seat, disc, seat, act, out)
    act.type = CHOOSE
    act.units = units
    act.cost = cards
    act.jokers = jokers
    act.lacks = total - units
    act.hand = size_of(hand) - cards


# --- Offers and exchanges ----------------------------------------------------------------------------------------


@kernel
def tell_lay(s: Record, seat: int, action: int, act: Record, out: Record) -> None:
    """Write the columns of a card of an offer, or of the offer as it lies, with the trade card or without."""
    out_of_line()
    about_disc(s, seat, s.chosen, act, out)
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
        what_comes(s, seat, s.chosen, seat if trade else s.turn + 0, act, out)
    act.type = LAY if card >= 0 else COMMIT_TRADE if trade else COMMIT
    act.units = mine
    act.units__others = total - mine
    act.cost = valid
    act.lacks = total - valid
    act.owner = 1 if trade else 2
    act.owner__lead = s.score[s.turn] - s.score[seat]
    act.laid = valid
    act.wrong = wrong
    if card >= 0:
        stay = s.hand[seat][card] - 1
        act.hand = size_of(s.hand[seat]) - 1
        if need[card] > 0:
            if act.two == 1 and is_second(s, card):
                act.second = stay
            else:
                act.first = stay
        still = 0
        for kind in range(card, state.KINDS):
            one = 1 if kind == card else 0
            still += clipped(need[kind] - laid[kind] - one, 0, s.hand[seat][kind] - one)
        act.still = clipped(still, 0, min(total - valid - wrong, 7))
        act.named__stay = stay
        act.named__discs = discs_left(s, card)


@kernel
def discs_left(s: Record, kind: int) -> int:
    """The number of discs of a type on the board."""
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
def tell_gift(s: Record, seat: int, action: int, act: Record, out: Record) -> None:
    """Write the columns of a card for an exchange, or of the exchange of those that are named."""
    given = size_of(s.given[seat])
    if action >= choices.COMMIT:
        act.type = EXCHANGE_GIVEN
        act.hand = size_of(s.hand[seat]) + given
        act.given = given
        return
    card = action - choices.LAY
    stay = s.hand[seat][card] - 1
    still = stay + 0
    for kind in range(card + 1, state.KINDS):
        still += s.hand[seat][kind]
    own = out.values[survey.COUNTS + state.KINDS * seat + card]
    act.type = GIVE
    act.own = own
    act.bonus = bonus_of(s, own + 1) - bonus_of(s, own)
    act.cost = 1
    act.hand = size_of(s.hand[seat]) - 1
    act.given = given + 1
    act.still = clipped(still, 0, clipped(s.exchange_cards - given - 1, 0, 7))
    act.named__stay = stay
    act.named__discs = discs_left(s, card)


# --- Which offers are accepted -----------------------------------------------------------------------------------


@kernel
def tell_select(s: Record, seat: int, action: int, act: Record, out: Record) -> None:
    """Write the columns of accepting offers and paying the rest (section 4.2, B3 and B4), or of giving up the build
    (4.3)."""
    out_of_line()
    about_disc(s, seat, s.chosen, act, out)
    if action == choices.FAIL:
        for other in range(s.players):
            if other != seat:
                out.values[GAINS + other] += size_of(s.laid[other]) * s.refused
                act.refused += out.values[GAINS + other]
        share_out(s, seat, act, out)
        act.type = FAIL
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
            if types == 0:
                act.first = s.hand[seat][kind] - paid
            else:
                act.second = s.hand[seat][kind] - paid
            types += 1
    units += cost
    out.values[survey.AFTER + seat] += units
    what_comes(s, seat, s.chosen, owner, act, out)
    act.type = ACCEPT
    act.units = units
    act.units__others = helpers
    act.cost = cost
    act.jokers = jokers
    act.hand = size_of(s.hand[seat]) - cost
    act.accepted = accepted
    act.accepts = mask
    act.helped = helped - s.score[seat] if helped >= 0 else 0
    act.owner = 1 if owner == seat else 2
    act.owner__lead = s.score[owner] - s.score[seat]


# --- Action cards ------------------------------------------------------------------------------------------------


@kernel
def tell_card(s: Record, seat: int, action: int, act: Record) -> None:
    """Write the columns of an action card, or of none (section 6)."""
    hand = size_of(s.hand[seat])
    if action == choices.EXCHANGE:
        act.type = EXCHANGE
    elif action == choices.DRAW:
        act.type = DRAW
        act.hand = hand + s.draw_cards
    elif action == choices.DOUBLE:
        act.type = DOUBLE
    elif s.phase == state.CLOSING:
        act.type = END_TURN
        act.hand = hand + 1
    else:
        laid = size_of(s.laid[seat])
        tripled = action == choices.TRIPLE
        act.type = TRIPLE if tripled else DO_WITHOUT
        act.points = laid * (s.refused_triple if tripled else s.refused)
        act.laid = laid

"""The kernels that write the network's inputs of a seat."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import state
from ziggurat.games.babel.cards import action_count, at_once, fewer, of_all_types, of_type, size_of
from ziggurat.games.babel.network import survey
from ziggurat.games.babel.network.survey import ahead, disc_gain, points_for, standing, stands_after
from ziggurat.games.babel.scoring import bonus_of

# Among ``out.values``, behind what ``survey`` leaves there: by wonder the fewest cards that the seat lacks for a disc,
# and the most that it has for one.
LACKS = 132
TAKES = 140

NO_DISC_THERE = 99


@kernel
def tell_seat(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of a seat, ``SeatColumns``, after those of the table: what it saw is still there."""
    out_of_line()
    tell_points(s, seat, own, out)
    tell_disc(s, seat, own, out)
    tell_wonder(s, seat, own, out)
    tell_card(s, seat, own, out)
    tell_offer(s, seat, own, out)
    tell_hand(s, seat, own, out)
    tell_secret(s, seat, own, out)


@kernel
def role_of(s: Record, seat: int) -> int:
    """The role of a seat now, by its index in ROLES."""
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
def tell_points(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of points so far and in sight, each next to those of the best other seat."""
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
    own.role = role_of(s, seat)
    own.turn = turn if turn >= 0 else turn + s.players
    own.score = score
    own.score__lead = score - best_score
    own.score__place = score_place
    own.now = now
    own.now__lead = now - best_now
    own.now__place = now_place
    own.hoped = hoped
    own.hoped__lead = hoped - best_hoped
    own.pending = certain - score
    own.light = out.values[survey.LIGHT + seat]
    own.near = near
    own.near__lead = near - best_near
    own.far = out.values[survey.FAR + seat]
    own.bonus = bonus
    own.bonus__lead = bonus - best_bonus


@kernel
def tell_disc(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of discs by type, and of what more of them would bring (section 8.2)."""
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
        own.type_discs[rank] = count
        own.type_next[rank] = gain
        own.type_ahead[rank] = count - rival
    own.discs = total
    own.next = best_next
    own.most = out.values[survey.BONUS + seat] + most


@kernel
def tell_wonder(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of a seat's standing on wonders: how often, and on each of the slots (section 5)."""
    behind, units = 7, 0
    for wonder in range(state.WONDER_COUNT):
        stage = out.values[survey.STAGE + wonder]
        units += s.units[wonder][seat]
        if stage == 0 or (stage > 1 and out.values[survey.MOST + wonder] == 0):
            continue
        place = standing(s, wonder, seat, out)
        if place != survey.NONE:
            if stage == 1:
                own.near_by_place[place - 1] += 1
            else:
                own.far_by_place[place - 1] += 1
        if stage == 1 and place != survey.FIRST:
            behind = min(behind, out.values[survey.MOST + wonder] - s.units[wonder][seat] + 1)
    own.near__behind = behind
    for slot in range(survey.SLOTS):
        wonder = out.values[survey.SLOT + slot]
        known = wonder != survey.NO_WONDER
        own.slot_place[slot] = standing(s, wonder, seat, out) if known else survey.NONE
        own.slot_ahead[slot] = ahead(s, wonder, seat, out) if known else 0
    own.units = units
    own.units__left = s.units_each - units if s.strict else 29


@kernel
def held(s: Record, seat: int) -> int:
    """The number of building cards of a seat, wherever they lie: everybody can count them."""
    return size_of(s.hand[seat]) + size_of(s.laid[seat]) + size_of(s.given[seat])


@kernel
def tell_card(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of a seat's cards: how many, and which of them everybody knows."""
    cards, most = held(s, seat), 0
    for other in range(s.players):
        if other != seat:
            most = max(most, held(s, other))
    own.held = cards
    own.held__lead = cards - most
    for rank in range(state.KINDS):
        own.type_known[rank] = s.known[seat][out.values[survey.RANKED + rank]]
    own.actions = action_count(s, seat)


@kernel
def tell_offer(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of what the build under way may bring a seat, and what it has offered as far as everybody sees
    it."""
    own.built__lead = own.now__lead
    if s.chosen == state.NO_DISC:
        return
    wonder = s.chosen // state.SPACES
    own.build__place = standing(s, wonder, seat, out)
    own.build__ahead = ahead(s, wonder, seat, out)
    own.build__next = disc_gain(s, seat, s.chosen, out)
    if s.phase != state.REFUSAL:
        own.built__lead = lead_when_built(s, seat, s.turn, s.chosen, out)
        if out.values[survey.STAGE + wonder] == 1:
            own.built__points = points_for(s, stands_after(s, seat, out), False)
    if seat == s.turn:
        return
    laid, trade = size_of(s.laid[seat]), s.trade[seat] + 0
    if s.phase == state.OFFER:
        if s.waiting >> seat & 1 == 0:
            own.offer__shown = laid + trade + 1
        return
    own.offer__shown = laid + size_of(s.returned[seat]) + trade + 1
    own.offer__valid = laid
    own.offer__trade = trade
    own.offer__accepted = s.accepted >> seat & 1
    if s.phase == state.REFUSAL:
        own.offer__refused = laid * (s.refused_triple if s.tripled >> seat & 1 else s.refused)
    elif out.values[survey.STAGE + wonder] == 1:
        units = 0 if trade else laid
        out.values[survey.AFTER + seat] += units
        out.values[survey.AFTER + s.turn] -= units
        own.offer__brings = points_for(s, stands_after(s, seat, out), False)


@kernel
def lead_when_built(s: Record, seat: int, builder: int, disc: int, out: Record) -> int:
    """The lead of a seat over the best other one if a builder pays a disc alone, and the game ends then.

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
def tell_hand(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of the seat's own cards, and of the discs that it can pay with them, without anybody's help."""
    out_of_line()
    hand, laid, given = s.hand[seat], s.laid[seat], s.given[seat]
    cards = at_once(hand) + at_once(laid) + at_once(given)
    longest, fits = 0, 0
    for kind in range(state.KINDS):
        longest = max(longest, of_type(cards, kind))
    if s.chosen != state.NO_DISC:
        fits = of_all_types(fewer(cards, at_once(s.disc[s.chosen])))
    for rank in range(state.KINDS):
        own.held_type[rank] = of_type(cards, out.values[survey.RANKED + rank])
    own.held__build = fits
    own.held__longest = longest
    payable, nearly, points, bonus, ends = 0, 0, 0, 0, 0
    for wonder in range(state.WONDER_COUNT):
        fewest, takes = 4, 0
        if out.values[survey.STAGE + wonder] > 0:
            last = out.values[survey.STAGE + wonder] == 1
            for space in range(state.SPACES):
                disc = state.SPACES * wonder + space
                lacks = lacking(s, seat, disc, cards)
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
    own.payable = payable
    own.nearly = nearly
    for slot in range(survey.SLOTS):
        wonder = out.values[survey.SLOT + slot]
        there = wonder != survey.NO_WONDER
        reach = ahead(s, wonder, seat, out) + out.values[TAKES + wonder] if there else 0
        own.slot_lacks[slot] = out.values[LACKS + wonder] if there else 4
        own.slot_reach[slot] = reach
    own.alone__points = points
    own.alone__bonus = bonus
    own.alone__ends = ends


@kernel
def lacking(s: Record, seat: int, disc: int, cards: int) -> int:
    """The number of cards that a seat lacks for a disc, its jokers counted; NO_DISC_THERE when the disc is taken.

    A joker stands for exactly two cards (R11), but one card of one's own can be spared for it.
    """
    need = at_once(s.disc[disc])
    if need == 0:
        return NO_DISC_THERE
    lacks = of_all_types(need - fewer(cards, need))
    return max(lacks - 2 * s.actions[seat][state.JOKER], 0)


@kernel
def points_alone(s: Record, seat: int, disc: int, out: Record) -> int:
    """The points of a seat for a wonder when it pays its last disc alone."""
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
def tell_secret(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of action cards, and of what lies face down or is named for an exchange."""
    actions = s.actions[seat]
    for kind in range(state.ACTION_KINDS):
        own.action[kind] = actions[kind]
    counts = survey.COUNTS + state.KINDS * seat
    discs = out.values[counts] + out.values[counts + 1] + out.values[counts + 2] + out.values[counts + 3]
    bonus = discs * s.disc_points * actions[state.DISC_BONUS] + s.end_points * actions[state.END_BONUS]
    mine, best = 0, -1
    for other in range(s.players):
        now = out.values[survey.CERTAIN + other] + out.values[survey.BONUS + other] + out.values[survey.LIGHT + other]
        if other == seat:
            mine = now
        else:
            best = max(best, now)
    valid, wrong = 0, 0
    if s.phase == state.OFFER and seat != s.turn:
        for kind in range(state.KINDS):
            laid = s.laid[seat][kind] + 0
            fits = min(laid, s.disc[s.chosen][kind])
            valid += fits
            wrong += laid - fits
    own.end__bonus = bonus
    own.end__lead = mine + bonus - best
    own.laid__valid = valid
    own.laid__wrong = wrong
    own.laid__trade = s.trade[seat]
    own.given = size_of(s.given[seat])

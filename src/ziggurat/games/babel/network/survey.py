"""The survey behind the network's inputs: a look at discs, wonders and seats, left among ``out.values``.

All of it is for everybody to see. The table is told first and looks round; seats and actions find it there.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import state
from ziggurat.games.babel.discs import discs_there
from ziggurat.games.babel.scoring import bonus_of, places_on

SLOTS = 4  # wonders of which a network is told each by itself: those that are nearest to completion

# How a seat stands on a wonder (section 5).
PLACES = ("none", "first", "tied", "second", "other")
NONE, FIRST, TIED, SECOND, OTHER = range(5)

# Places among ``out.values``. By type:
LEFT = 0  # discs on the board
RANKED = 4  # the types themselves, the one nearest to its last disc first
# By wonder:
STAGE = 8  # discs left
MOST = 16  # units of the leader
RUNNER = 24  # most units of others than leaders
LEADERS = 32  # seats with most units
FOLLOWERS = 40  # seats with the runner-up's units
SLOT = 48  # the wonders of the slots, or NO_WONDER
# By seat:
CERTAIN = 56  # points, and those that the build under way brings for certain
LIGHT = 64  # points on unfinished wonders if the game ended now
NEAR = 72  # points on wonders that lack one disc, if they were scored now
FAR = 80  # the same for those that lack more
BONUS = 88  # points for discs
AFTER = 96  # units on a wonder when something has been done, for ``stands_after``
COUNTS = 104  # discs by seat and type, each of two colours where there are more

NO_WONDER = -1


@kernel
def look_round(s: Record, out: Record) -> None:
    """Compute the whole survey but AFTER."""
    out_of_line()
    survey_discs(s, out)
    survey_wonders(s, -1, out)
    survey_seats(s, out)
    survey_slots(s, out)


@kernel
def survey_discs(s: Record, out: Record) -> None:
    """Compute LEFT, RANKED and STAGE."""
    stages = by_wonder(discs_there(s))
    for wonder in range(state.WONDER_COUNT):
        out.values[STAGE + wonder] = stages >> state.SPACES * wonder & 0b111
    for kind in range(state.KINDS):
        left = by_wonder(s.asking[kind])
        left = (left & 0o07070707) + (left >> 3 & 0o07070707)  # of four pairs of wonders
        out.values[LEFT + kind] = (left * 0o01010101 >> 18) & 0o77  # their sum
    for kind in range(state.KINDS):
        left = out.values[LEFT + kind]
        rank = 0
        for other in range(state.KINDS):
            fewer = out.values[LEFT + other] < left or (out.values[LEFT + other] == left and other < kind)
            rank += 1 if fewer else 0
        out.values[RANKED + rank] = kind


@kernel
def by_wonder(discs: int) -> int:
    """The number of these discs on each wonder, packed into one number: three bits a wonder, as many as there are
    spaces."""
    return (discs & 0o11111111) + (discs >> 1 & 0o11111111) + (discs >> 2 & 0o11111111)


@kernel
def survey_wonders(s: Record, skipped: int, out: Record) -> None:
    """Compute CERTAIN, LIGHT, NEAR, FAR by seat, and who leads on every wonder; one wonder may bring nothing.

    A wonder without discs whose units still stand is scored as soon as refused offers are paid.
    """
    row = min(s.row, state.ROWS - 1)
    first, second = s.first[row] + 0, s.second[row] + 0
    for seat in range(s.players):
        out.values[CERTAIN + seat] = s.score[seat]
        out.values[LIGHT + seat] = 0
        out.values[NEAR + seat] = 0
        out.values[FAR + seat] = 0
    for wonder in range(state.WONDER_COUNT):
        most, runner, leaders, followers = places_on(s, wonder)
        out.values[MOST + wonder] = most
        out.values[RUNNER + wonder] = runner
        out.values[LEADERS + wonder] = leaders
        out.values[FOLLOWERS + wonder] = followers
        if out.values[MOST + wonder] == 0 or wonder == skipped:
            continue
        stage = out.values[STAGE + wonder]
        for seat in range(s.players):
            place = standing(s, wonder, seat, out)
            points = s.other + 0
            light = s.other + 0
            if place == FIRST:
                points, light = first, s.light_first + 0
            elif place != OTHER:
                points, light = second, s.light_second + 0
            if place == NONE:
                points, light = 0, 0
            if stage == 0:
                out.values[CERTAIN + seat] += points
            else:
                out.values[LIGHT + seat] += light
                out.values[(NEAR if stage == 1 else FAR) + seat] += points


@kernel
def standing(s: Record, wonder: int, seat: int, out: Record) -> int:
    """The standing of a seat on a wonder."""
    units = s.units[wonder][seat] + 0
    if units == 0:
        return NONE
    leaders = out.values[LEADERS + wonder]
    if units == out.values[MOST + wonder]:
        return FIRST if leaders == 1 else TIED
    alone = leaders == 1 and out.values[FOLLOWERS + wonder] == 1
    return SECOND if alone and units == out.values[RUNNER + wonder] else OTHER


@kernel
def ahead(s: Record, wonder: int, seat: int, out: Record) -> int:
    """The lead of a seat in units over the best other one on a wonder; below 0: behind."""
    units = s.units[wonder][seat] + 0
    if units < out.values[MOST + wonder]:
        return units - out.values[MOST + wonder]
    return units - out.values[RUNNER + wonder] if out.values[LEADERS + wonder] == 1 else 0


@kernel
def survey_seats(s: Record, out: Record) -> None:
    """Compute COUNTS and BONUS, and what refused offers are about to bring."""
    paying = s.phase == state.REFUSAL
    for seat in range(s.players):
        count_discs(s, seat, out)
        first = COUNTS + state.KINDS * seat
        out.values[BONUS + seat] = (
            bonus_of(s, out.values[first])
            + bonus_of(s, out.values[first + 1])
            + bonus_of(s, out.values[first + 2])
            + bonus_of(s, out.values[first + 3])
        )
        if paying:
            laid = s.laid[seat]
            each = s.refused_triple if s.tripled >> seat & 1 else s.refused
            out.values[CERTAIN + seat] += (laid[0] + laid[1] + laid[2] + laid[3]) * each


@kernel
def count_discs(s: Record, seat: int, out: Record) -> None:
    """Compute COUNTS of a seat. A disc of two colours counts where the seat has more, which is best but for rare
    cases."""
    first = COUNTS + state.KINDS * seat
    owned = s.owned[seat]
    for kind in range(state.KINDS):
        out.values[first + kind] = owned[1 << kind]
    if owned[3] | owned[5] | owned[6] | owned[9] | owned[10] | owned[12]:
        for low in range(state.KINDS - 1):
            for high in range(low + 1, state.KINDS):
                more = low if out.values[first + low] >= out.values[first + high] else high
                out.values[first + more] += owned[1 << low | 1 << high]


@kernel
def disc_gain(s: Record, seat: int, disc: int, out: Record) -> int:
    """The gain of a disc in the bonus of a seat: the better of its types."""
    gain = 0
    for kind in range(state.KINDS):
        if s.disc[disc][kind] > 0:
            count = out.values[COUNTS + state.KINDS * seat + kind]
            gain = max(gain, bonus_of(s, count + 1) - bonus_of(s, count))
    return gain


@kernel
def survey_slots(s: Record, out: Record) -> None:
    """Compute SLOT: wonders with fewer discs first, among these those with more units."""
    taken = 0
    for slot in range(SLOTS):
        best, least = NO_WONDER, 1 << 20
        for wonder in range(state.WONDER_COUNT):
            stage, most = out.values[STAGE + wonder], out.values[MOST + wonder]
            key = (stage << 10) - most - out.values[RUNNER + wonder]
            if (stage > 0 or most > 0) and key < least and taken >> wonder & 1 == 0:
                best, least = wonder, key
        out.values[SLOT + slot] = best
        if best != NO_WONDER:
            taken |= 1 << best


@kernel
def points_for(s: Record, place: int, light: bool) -> int:
    """The worth of a place on a wonder: with the row of the value marker, or with the light one."""
    if place == NONE:
        return 0
    if place == OTHER:
        return s.other + 0
    row = min(s.row, state.ROWS - 1)
    if place == FIRST:
        return s.light_first + 0 if light else s.first[row] + 0
    return s.light_second + 0 if light else s.second[row] + 0


@kernel
def stands_after(s: Record, seat: int, out: Record) -> int:
    """The standing of a seat with the units in AFTER."""
    units = out.values[AFTER + seat]
    if units == 0:
        return NONE
    above, equal = 0, 0
    for other in range(s.players):
        if other != seat:
            above += 1 if out.values[AFTER + other] > units else 0
            equal += 1 if out.values[AFTER + other] == units else 0
    if above == 0:
        return FIRST if equal == 0 else TIED
    return SECOND if above == 1 and equal == 0 else OTHER


@kernel
def ahead_after(s: Record, seat: int, out: Record) -> int:
    """The lead of a seat in units of AFTER over the best other one; below 0: behind."""
    best = 0
    for other in range(s.players):
        if other != seat:
            best = max(best, out.values[AFTER + other])
    return out.values[AFTER + seat] - best

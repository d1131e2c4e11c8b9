"""The kernels that write the network's inputs of the table."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.architects import gains, state
from ziggurat.games.architects.decks import top_of
from ziggurat.games.architects.gains import MISSING, NOTHING, end_points, gains_in, needs, stage_count, units_needed
from ziggurat.games.architects.network.survey import POINTS, UNITS, share

# The composition of a deck in fields of 8 bits; a deck holds up to 64 cards.
GREY_FIELD, COIN_FIELD, VP3_FIELD, CAT_FIELD, GREEN_FIELD, RED_FIELD, HORN_FIELD, TWO_HORNS_FIELD = range(0, 64, 8)


@kernel
def tell_central(s: Record, table: Record, out: Record) -> None:
    """Write how many cards of each colour the central deck holds: everybody can count it, since all that left it is
    open."""
    out_of_line()
    for kind in range(state.KINDS):
        out.values[kind] = 1 << GREY_FIELD if kind < state.COIN else 1 << GREEN_FIELD
    out.values[state.COIN] = 1 << COIN_FIELD
    out.values[state.VP3] = 1 << VP3_FIELD
    out.values[state.VP2CAT] = 1 << CAT_FIELD
    out.values[state.RED0] = 1 << RED_FIELD
    out.values[state.RED1] = 1 << HORN_FIELD
    out.values[state.RED2] = 1 << TWO_HORNS_FIELD
    total = gains_in(s, state.CENTRAL, out)
    left = s.deck_left[state.CENTRAL] + 0
    inverse = (100 << 16) // max(left, 1)
    table.central__left = left
    table.central__few = left
    table.central__grey = share(total, GREY_FIELD, inverse)
    table.central__coin = share(total, COIN_FIELD, inverse)
    table.central__vp3 = share(total, VP3_FIELD, inverse)
    table.central__vp2cat = share(total, CAT_FIELD, inverse)
    table.central__green = share(total, GREEN_FIELD, inverse)
    table.central__red0 = share(total, RED_FIELD, inverse)
    one, two = share(total, HORN_FIELD, inverse), share(total, TWO_HORNS_FIELD, inverse)
    table.central__horned = one + two
    table.central__horns = one + 2 * two


@kernel
def tell_table(s: Record, table: Record, out: Record) -> None:
    """Write the columns of the table, ``TableColumns``."""
    out_of_line()
    players = s.players + 0
    laid_out = s.phase != state.PICK
    table.players = players
    table.phase = s.phase
    table.conflict__turned = s.turned
    table.conflict__left = s.conflict - s.turned
    table.cat__free = 1 if s.cat < 0 else 0
    table.stack = s.stack_left
    offered, both = 0, 0
    for place in range(s.face_up):
        token = s.offer[place] + 0
        if token > 0:
            if token - 1 == state.CULTURE and offered >> state.CULTURE & 1:
                both = 1
            offered |= 1 << token - 1
    table.offer = offered
    table.offer__both_cultures = both
    tell_central(s, table, out)
    cats, horns, left, empty = 0, 0, 0, 0
    built, last, stages, needed, missing = 0, 0, 0, 99, NOTHING + 1
    most, second, shields = -99, -99, 0
    for seat in range(players):
        if laid_out:
            deck = s.wonder[seat] + 0
            top = top_of(s, deck)
            cats += 1 if top == state.VP2CAT else 0
            horns += top - state.RED0 if top > state.RED0 else 0
            left += s.deck_left[deck]
            empty += 1 if s.deck_left[deck] == 0 else 0
        count = stage_count(s.built[seat])
        stages += count
        built = max(built, count)
        units = units_needed(s, seat)
        out.values[UNITS + seat] = units
        needed = min(needed, units)
        if count == state.STAGES - 1:
            last += 1
            missing = min(missing, needs(s, seat) & MISSING)
        points = s.score[seat] + end_points(s, seat)
        out.values[POINTS + seat] = points
        if points > most:
            second = most
            most = points
        else:
            second = max(second, points)
        shields = max(shields, s.shields[seat])
    table.tops__cats = cats
    table.tops__horns = horns
    table.decks__left = left
    table.decks__empty = empty
    table.stages__most = built
    table.stages__last = last
    table.stages__mean = 10 * stages // players
    table.needed__least = needed
    table.last__missing = missing
    table.points__most = most
    table.points__lead = most - second
    table.shields__most = shields
    table.extras = s.triggered & ~s.used & gains.EXTRAS
    table.used = s.used & (1 << state.ENGINEERING + 1) - 1
    table.military__left = 28 if s.supply < 0 else min(s.supply, 28)
    table.open_wonders = 0 if laid_out else s.open_wonders + 0

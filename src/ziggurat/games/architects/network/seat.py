"""The kernels that write the network's inputs of a seat."""

from __future__ import annotations

from ziggurat.core.inputs import clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.architects import gains, state
from ziggurat.games.architects.decks import deck_at, left_neighbour, right_neighbour, top_of
from ziggurat.games.architects.gains import (
    BUILDS,
    DIFFERENT,
    IDENTICAL,
    MISSING,
    STAGE_WORTH,
    WORTH,
    defeats,
    does,
    gain_of,
    gains_in,
    gains_of_cards,
    needs,
    stage_count,
)
from ziggurat.games.architects.network.survey import POINTS, UNITS, share
from ziggurat.games.architects.rules import victories
from ziggurat.games.architects.science import must_claim, tokens_of


@kernel
def tell_points(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of a seat's standing among the others, as if the game ended now, and in the race to complete a
    wonder."""
    out_of_line()
    mine = out.values[POINTS + seat]
    stages, needed = stage_count(s.built[seat]), out.values[UNITS + seat]
    best, above, rival_stages, rival_needed = -99, 0, 0, 99
    other = left_neighbour(s, seat)
    while other != seat:
        points = out.values[POINTS + other]
        best = max(best, points)
        above += 1 if points > mine else 0
        rival_stages = max(rival_stages, stage_count(s.built[other]))
        rival_needed = min(rival_needed, out.values[UNITS + other])
        other = left_neighbour(s, other)
    lead, furthest = mine - best, max(stages, rival_stages)
    own.points = mine
    own.points__lead = lead
    own.points__lead__late = lead if furthest >= 3 else 0
    own.points__lead__last = lead if furthest >= 4 else 0
    own.points__place = above
    own.points__tokens = mine - s.score[seat]
    own.points__military = s.military[seat] * s.military_points
    own.stages = stages
    own.stages__lead = stages - rival_stages
    own.needed = needed
    own.needed__lead = rival_needed - needed


@kernel
def tell_wonder(s: Record, seat: int, needed: int, own: Record) -> None:
    """Write the columns of what a seat has built, and what it can pay the next stage with."""
    out_of_line()
    wonder, built = s.wonder[seat] + 0, s.built[seat] + 0
    own.wonder = wonder + 1
    own.built = built
    points, effects = 0, 0
    if wonder >= 0:
        for stage in range(state.STAGES):
            if built >> stage & 1 == 0:
                points += s.stage_points[wonder][stage]
        effects = stage_count(s.effects[wonder] & ~built)
    missing = needed & MISSING
    own.stages__points = points
    own.stages__effects = effects
    own.missing = missing
    own.missing__different = needed >> DIFFERENT & MISSING
    own.missing__identical = needed >> IDENTICAL & MISSING
    own.next__worth = needed >> STAGE_WORTH
    grey, kinds, most = 0, 0, 0
    for kind in range(state.WOOD, state.COIN):
        held = s.cards[seat][kind] + 0
        grey += held
        kinds += 1 if held else 0
        most = max(most, held)
    own.coins = s.cards[seat][state.COIN]
    own.grey = grey
    own.grey__kinds = kinds
    own.grey__most = most
    left = state.STAGES - stage_count(built)
    own.last = 6 if left == 0 else 1 + min(missing, 4) if left == 1 else 0


@kernel
def tell_science(s: Record, seat: int, own: Record) -> None:
    """Write the columns of a seat's symbols and progress tokens."""
    symbols = 0
    for kind in range(state.COMPASS, state.TABLET + 1):
        symbols += s.cards[seat][kind]
    own.green = 3 if own.claims else min(symbols, 2)
    own.tokens = tokens_of(s, seat)
    own.owned = s.owned[seat]
    own.culture = s.culture[seat]
    extra, owned = 0, s.owned[seat] & gains.EXTRAS
    while owned:
        owned &= owned - 1
        extra += 1
    own.tokens__extra = extra


@kernel
def lasting_shields(s: Record, seat: int) -> int:
    """Section 10: those that a battle leaves."""
    return s.shields[seat] - s.cards[seat][state.RED1] - s.cards[seat][state.RED2]


@kernel
def tell_military(s: Record, seat: int, own: Record) -> None:
    """Write the columns of a battle now, and of the one after it, as far as shields last."""
    out_of_line()
    left, right = left_neighbour(s, seat), right_neighbour(s, seat)
    shields, lasting = s.shields[seat] + 0, lasting_shields(s, seat)
    won, lost = victories(s, seat), defeats(s, seat)
    own.shields = shields
    own.shields__lasting = lasting
    own.shields__left = shields - s.shields[left]
    own.shields__right = shields - s.shields[right]
    own.lasting__left = lasting - lasting_shields(s, left)
    own.lasting__right = lasting - lasting_shields(s, right)
    own.victories = won
    own.defeats = lost
    soon = 6 * min(s.turned, s.conflict) // s.conflict
    own.victories__soon = won * soon
    own.defeats__soon = lost * soon
    own.military = s.military[seat]
    own.cat = 1 if s.cat == seat else 0
    own.cats = s.cards[seat][state.VP2CAT]


@kernel
def tell_deck(s: Record, seat: int, side: int, columns: Record, out: Record) -> int:
    """Write the columns of the deck on the left or right of a seat, ``DeckColumns``; return what its top card is
    worth."""
    deck = deck_at(s, seat, side)
    top = top_of(s, deck)
    found = out.values[top] + 0
    columns.top = top
    columns.worth = found & WORTH
    columns.does = does(found)
    columns.left = s.deck_left[deck]
    return found & WORTH


@kernel
def tell_finish(s: Record, seat: int, needed: int, chance: int, own: Record) -> None:
    """Write the columns of the finish (section 13): who completes a wonder ends the game; ``chance`` is that of a card
    that lets one build, per cent."""
    built = s.built[seat] + 0
    if stage_count(built) != state.STAGES - 1:
        return
    points = 0
    for stage in range(state.STAGES):
        if built >> stage & 1 == 0:
            points = s.stage_points[s.wonder[seat]][stage] + 0
    points += (s.decor[1] - s.decor[0]) * (s.owned[seat] >> state.DECOR & 1)
    lead = clipped(own.points__lead, -20, 20) + points  # as it is told
    own.finish__chance = 100 if needed & MISSING == 0 else chance
    own.finish = 1 if lead < 0 else 2 if lead == 0 else 3
    own.finish__lead = lead


@kernel
def tell_reach(s: Record, seat: int, needed: int, own: Record, out: Record) -> None:
    """Write the columns of the cards that a seat may draw: open ones on the left and the right, and what the central
    deck may hold."""
    out_of_line()
    gains_of_cards(s, seat, needed, out)
    left = tell_deck(s, seat, state.LEFT, own.left, out)
    right = tell_deck(s, seat, state.RIGHT, own.right, out)
    total = gains_in(s, state.CENTRAL, out)
    inverse = (100 << 16) // max(s.deck_left[state.CENTRAL], 1)
    mean = (total & WORTH) * inverse // (100 << 16)
    own.central__worth = mean
    for field in range(5):
        own.central__does[field] = share(total, gains.ADVANCES + 8 * field, inverse)
    best = max(left, right, mean)
    own.best__worth = best
    own.neighbour__worth = gain_of(s, left_neighbour(s, seat), top_of(s, deck_at(s, seat, state.LEFT))) & WORTH
    knows = s.knows >> seat & 1 != 0
    own.saw_central = 1 if knows else 0
    builds = (own.left.does | own.right.does) >> 1 & 1 != 0
    tell_finish(s, seat, needed, 100 if builds else share(total, BUILDS, inverse), own)
    top = top_of(s, state.CENTRAL) if knows else 0
    found = out.values[top] + 0
    own.seen__top = top
    own.seen__worth = found & WORTH
    own.seen__does = does(found)
    own.seen__best = max(left, right, found & WORTH) if top else best
    looked = 0
    if s.phase == state.KEEP and seat == s.turn:
        cards = s.deck_left[s.looking] + 0
        for place in range(max(cards - s.looks_at, 0), cards):
            looked = max(looked, out.values[s.deck[s.looking][place]] & WORTH)
    own.looked__best = looked


@kernel
def tell_seat(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of a seat, ``SeatColumns``, after those of the table: POINTS and UNITS are still there."""
    out_of_line()
    distance = seat - s.turn
    active = distance == 0 and not s.finished
    own.turn__distance = distance if distance >= 0 else distance + s.players
    own.asked = s.phase + 1 if active else 0
    extras = s.triggered & ~s.used & gains.EXTRAS if active else 0
    count = 0
    while extras:
        extras &= extras - 1
        count += 1
    own.extras = count
    own.claims = 1 if must_claim(s, seat) else 0
    needed = needs(s, seat)
    tell_points(s, seat, own, out)
    tell_wonder(s, seat, needed, own)
    tell_science(s, seat, own)
    tell_military(s, seat, own)
    if s.phase != state.PICK:
        tell_reach(s, seat, needed, own, out)

"""What a network is told of a position: the columns of the table and of a seat, and the kernels that write them.

A column tells the same whichever seat it is told of: other seats are named by how far they sit from it. What a network
cannot work out itself is worked out here: who leads and by how much, how near the end is, what is missing to the next
stage, what the cards within reach do, who would win a battle now and after the horned cards are gone.
"""

from __future__ import annotations

from ziggurat.core.features import Feature, bits, category, number
from ziggurat.core.inputs import Inputs, clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.architects import gains, state
from ziggurat.games.architects.action_inputs import ACTION
from ziggurat.games.architects.decks import deck_at, left_neighbour, right_neighbour, top_of
from ziggurat.games.architects.gains import (
    BUILDS,
    COUNT,
    DIFFERENT,
    DOES,
    IDENTICAL,
    MISSING,
    NOTHING,
    STAGE_WORTH,
    WORTH,
    defeats,
    does,
    end_points,
    gain_of,
    gains_in,
    gains_of_cards,
    needs,
    stage_count,
    units_needed,
)
from ziggurat.games.architects.rules import victories
from ziggurat.games.architects.science import must_claim, tokens_of

MOST_TURNED = 6
CARDS = ("none", *state.CARDS)

TABLE = (
    category("players", 7, 2),
    category("phase", state.PHASES, tells="what is asked"),
    category("conflict.turned", MOST_TURNED, tells="conflict tokens on their battle side"),
    category("conflict.left", MOST_TURNED, tells="horns until the battle; 0: it comes at the end of this turn"),
    number("cat.free", 1, tells="the pawn is nobody's yet"),
    number("stack", 12, tells="progress tokens face down"),
    bits("offer", state.TOKENS, tells="progress tokens face up"),
    number("offer.both_cultures", 1),
    number("central.left", 60),
    category("central.few", 3, tells="cards left in the central deck, 3 or more"),
    number("central.grey", 60, tells="per cent of the central deck"),
    number("central.coin", 20),
    number("central.vp3", 15),
    number("central.vp2cat", 25),
    number("central.green", 35),
    number("central.red0", 15),
    number("central.horned", 25),
    number("central.horns", 35, tells="horns per hundred cards"),
    category("tops.cats", 3, tells="cat icons on top of the wonder decks, 3 or more"),
    category("tops.horns", 3, tells="horns on top of the wonder decks, 3 or more"),
    number("decks.left", 75, tells="cards left in all wonder decks"),
    category("decks.empty", 3, tells="wonder decks without a card, 3 or more"),
    category("stages.most", state.STAGES, tells="of the seat that has built most"),
    category("stages.last", 3, tells="seats with one stage left, 3 or more"),
    number("stages.mean", 50, tells="in tenths"),
    category("needed.least", 9, tells="units that the seat nearest to the end needs"),
    category("last.missing", NOTHING + 1, tells="least that a seat with one stage left needs; 6: nobody has"),
    number("points.most", 50),
    number("points.lead", 15, tells="of the best seat before the next"),
    number("shields.most", 6),
    bits("extras", state.TOKENS[: state.EXTRA_TOKENS], tells="tokens that give another card now"),
    bits("used", state.TOKENS[: state.ENGINEERING + 1], tells="tokens used this turn"),
    number("military.left", 28, tells="victory tokens in the supply; 28: enough"),
    bits("open_wonders", state.WONDERS, tells="those that may still be chosen"),
    *state.OPTIONS.network,
)


def _deck(side: str) -> list[Feature]:
    """The deck on a side, that the seat may draw from."""
    return [
        category(f"{side}.top", CARDS),
        number(f"{side}.worth", 60, tells="of its top card, in tenths of a point"),
        bits(f"{side}.does", DOES, tells="what its top card does for the seat"),
        number(f"{side}.left", 25, tells="its cards"),
    ]


OPEN = (
    # Tempo.
    category("turn.distance", 6, tells="turns until it is this seat's; 0: now"),
    category("asked", ("nothing", *state.PHASES), tells="what the seat is asked"),
    category("extras", 3, tells="further cards that it may take now"),
    number("claims", 1, tells="it has a set to turn in"),
    # Points.
    number("points", 50, tells="as if the game ended now"),
    number("points.lead", 20, -20, tells="before the best other seat"),
    number("points.lead.late", 15, -15, tells="the same once somebody has built three stages"),
    number("points.lead.last", 10, -10, tells="the same once somebody has built four stages"),
    category("points.place", 6, tells="how many have more"),
    number("points.tokens", 12, tells="those of the end among them"),
    number("points.military", 12),
    # The wonder.
    category("wonder", ("none", *state.WONDERS)),
    bits("built", [str(stage + 1) for stage in range(state.STAGES)]),
    category("stages", state.STAGES),
    category("stages.lead", 3, -3, tells="before the best other seat"),
    number("stages.points", 30, tells="of those that are left"),
    category("stages.effects", 3, tells="left with the wonder's effect"),
    category("missing", NOTHING, tells="units to the nearest stage; 5: none is left"),
    category("missing.different", NOTHING),
    category("missing.identical", NOTHING),
    number("next.worth", 100, tells="of the nearest stage, in tenths of a point"),
    category("coins", 4),
    number("grey", 6),
    category("grey.kinds", 5),
    category("grey.most", 4, tells="cards of one kind"),
    category("needed", 14, tells="units that all its stages need besides what it holds"),
    number("needed.lead", 10, -10, tells="fewer than the other seat nearest to the end"),
    category("last", 6, tells="0: more than one stage is left; else 1 more than what the last one lacks; 6: complete"),
    # Science.
    category("green", ("none", "one", "two", "set"), tells="symbols"),
    category("tokens", 6),
    bits("owned", state.TOKENS),
    category("culture", 2),
    category("tokens.extra", 4, tells="those that give cards"),
    # Military.
    number("shields", 6),
    number("shields.lasting", 5, tells="without the cards with horns"),
    category("shields.left", 3, -3, tells="more than the left neighbour has"),
    category("shields.right", 3, -3),
    category("lasting.left", 3, -3, tells="more than the left neighbour has without cards with horns"),
    category("lasting.right", 3, -3),
    category("victories", 2, tells="if the battle came now"),
    category("defeats", 2, tells="victory tokens of others by their shields against this seat"),
    number("victories.soon", 12, tells="victories, the more the nearer the battle is"),
    number("defeats.soon", 12),
    number("military", 5, tells="victory tokens"),
    number("cat", 1, tells="it has the pawn"),
    number("cats", 5, tells="its blue cards with a cat"),
    # What it may take.
    *_deck("left"),
    *_deck("right"),
    number("central.worth", 40, tells="mean of the cards left in the central deck, in tenths of a point"),
    *(number(f"central.{field}", 60, tells="per cent of the central deck that do so for the seat") for field in DOES),
    number("best.worth", 60, tells="of the tops and of the mean of the central deck"),
    number("neighbour.worth", 60, tells="of the top of the left deck for the left neighbour, who may draw it next"),
    number("saw_central", 1, tells="has been shown the top card of the central deck"),
    # The end, for a seat with one stage left.
    number(
        "finish.chance", 100, tells="that its next card completes the wonder, if it takes the best; 100: it is paid"
    ),
    category("finish", ("no", "losing", "tied", "winning"), tells="how the game would stand with the wonder complete"),
    number("finish.lead", 15, -15, tells="before the best other seat then"),
)

CLOSED = (
    category("seen.top", CARDS, tells="of the central deck, shown by the cat"),
    number("seen.worth", 60),
    bits("seen.does", DOES),
    number("seen.best", 60, tells="worth of the best card within reach, the seen one among them"),
    number("looked.best", 60, tells="worth of the best card that Halicarnassus looks at"),
)

INPUTS = Inputs(table=TABLE, open=OPEN, closed=CLOSED, action=ACTION)

# The composition of a deck in fields of 8 bits; a deck holds up to 64 cards.
GREY_FIELD, COIN_FIELD, VP3_FIELD, CAT_FIELD, GREEN_FIELD, RED_FIELD, HORN_FIELD, TWO_HORNS_FIELD = range(0, 64, 8)


@kernel
def share(total: int, field: int, inverse: int) -> int:
    """Per cent of a deck, of which ``inverse`` is 100 << 16 over its cards."""
    return (total >> field & COUNT) * inverse >> 16


@kernel
def central_inputs(s: Record, out: Record) -> None:
    """How many cards of each colour the central deck holds: everybody can count it, since all that left it is open."""
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
    out.inputs[8] = clipped(left, 0, 60)
    out.inputs[9] = min(left, 3)
    out.inputs[10] = clipped(share(total, GREY_FIELD, inverse), 0, 60)
    out.inputs[11] = clipped(share(total, COIN_FIELD, inverse), 0, 20)
    out.inputs[12] = clipped(share(total, VP3_FIELD, inverse), 0, 15)
    out.inputs[13] = clipped(share(total, CAT_FIELD, inverse), 0, 25)
    out.inputs[14] = clipped(share(total, GREEN_FIELD, inverse), 0, 35)
    out.inputs[15] = clipped(share(total, RED_FIELD, inverse), 0, 15)
    one, two = share(total, HORN_FIELD, inverse), share(total, TWO_HORNS_FIELD, inverse)
    out.inputs[16] = clipped(one + two, 0, 25)
    out.inputs[17] = clipped(one + 2 * two, 0, 35)


@kernel
def table_inputs(s: Record, out: Record) -> int:
    """Write the columns of ``TABLE``; return how many."""
    out_of_line()
    players = s.players + 0
    laid_out = s.phase != state.PICK
    out.inputs[0] = players
    out.inputs[1] = s.phase
    out.inputs[2] = clipped(s.turned, 0, MOST_TURNED)
    out.inputs[3] = clipped(s.conflict - s.turned, 0, MOST_TURNED)
    out.inputs[4] = 1 if s.cat < 0 else 0
    out.inputs[5] = min(s.stack_left, 12)
    offered, both = 0, 0
    for place in range(s.face_up):
        token = s.offer[place] + 0
        if token > 0:
            if token - 1 == state.CULTURE and offered >> state.CULTURE & 1:
                both = 1
            offered |= 1 << token - 1
    out.inputs[6] = offered
    out.inputs[7] = both
    central_inputs(s, out)
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
        needed = min(needed, units_needed(s, seat))
        if count == state.STAGES - 1:
            last += 1
            missing = min(missing, needs(s, seat) & MISSING)
        points = s.score[seat] + end_points(s, seat)
        if points > most:
            second = most
            most = points
        else:
            second = max(second, points)
        shields = max(shields, s.shields[seat])
    out.inputs[18] = min(cats, 3)
    out.inputs[19] = min(horns, 3)
    out.inputs[20] = min(left, 75)
    out.inputs[21] = min(empty, 3)
    out.inputs[22] = built
    out.inputs[23] = min(last, 3)
    out.inputs[24] = 10 * stages // players
    out.inputs[25] = min(needed, 9)
    out.inputs[26] = missing
    out.inputs[27] = clipped(most, 0, 50)
    out.inputs[28] = clipped(most - second, 0, 15)
    out.inputs[29] = clipped(shields, 0, 6)
    out.inputs[30] = s.triggered & ~s.used & gains.EXTRAS
    out.inputs[31] = s.used & (1 << state.ENGINEERING + 1) - 1
    out.inputs[32] = 28 if s.supply < 0 else min(s.supply, 28)
    out.inputs[33] = 0 if laid_out else s.open_wonders + 0
    out.inputs[34] = s.network_options
    return 35


@kernel
def points_inputs(s: Record, seat: int, out: Record) -> None:
    """How a seat stands among the others, as if the game ended now, and in the race to complete a wonder."""
    out_of_line()
    tokens = end_points(s, seat)
    mine = s.score[seat] + tokens
    stages, needed = stage_count(s.built[seat]), units_needed(s, seat)
    best, above, rival_stages, rival_needed = -99, 0, 0, 99
    other = left_neighbour(s, seat)
    while other != seat:
        points = s.score[other] + end_points(s, other)
        best = max(best, points)
        above += 1 if points > mine else 0
        rival_stages = max(rival_stages, stage_count(s.built[other]))
        rival_needed = min(rival_needed, units_needed(s, other))
        other = left_neighbour(s, other)
    lead, furthest = mine - best, max(stages, rival_stages)
    out.inputs[4] = clipped(mine, 0, 50)
    out.inputs[5] = clipped(lead, -20, 20)
    out.inputs[6] = clipped(lead, -15, 15) if furthest >= 3 else 0
    out.inputs[7] = clipped(lead, -10, 10) if furthest >= 4 else 0
    out.inputs[8] = min(above, 6)
    out.inputs[9] = clipped(tokens, 0, 12)
    out.inputs[10] = clipped(s.military[seat] * s.military_points, 0, 12)
    out.inputs[13] = stages
    out.inputs[14] = clipped(stages - rival_stages, -3, 3)
    out.inputs[25] = clipped(needed, 0, 14)
    out.inputs[26] = clipped(rival_needed - needed, -10, 10)


@kernel
def wonder_inputs(s: Record, seat: int, needed: int, out: Record) -> None:
    """What a seat has built, and what it can pay the next stage with."""
    out_of_line()
    wonder, built = s.wonder[seat] + 0, s.built[seat] + 0
    out.inputs[11] = wonder + 1
    out.inputs[12] = built
    points, effects = 0, 0
    if wonder >= 0:
        for stage in range(state.STAGES):
            if built >> stage & 1 == 0:
                points += s.stage_points[wonder][stage]
        effects = stage_count(s.effects[wonder] & ~built)
    missing = needed & MISSING
    out.inputs[15] = clipped(points, 0, 30)
    out.inputs[16] = min(effects, 3)
    out.inputs[17] = missing
    out.inputs[18] = needed >> DIFFERENT & MISSING
    out.inputs[19] = needed >> IDENTICAL & MISSING
    out.inputs[20] = min(needed >> STAGE_WORTH, 100)
    grey, kinds, most = 0, 0, 0
    for kind in range(state.WOOD, state.COIN):
        held = s.cards[seat][kind] + 0
        grey += held
        kinds += 1 if held else 0
        most = max(most, held)
    out.inputs[21] = min(s.cards[seat][state.COIN], 4)
    out.inputs[22] = min(grey, 6)
    out.inputs[23] = kinds
    out.inputs[24] = min(most, 4)
    left = state.STAGES - stage_count(built)
    out.inputs[27] = 6 if left == 0 else 1 + min(missing, 4) if left == 1 else 0


@kernel
def science_inputs(s: Record, seat: int, out: Record) -> None:
    """The symbols and the progress tokens of a seat."""
    symbols = 0
    for kind in range(state.COMPASS, state.TABLET + 1):
        symbols += s.cards[seat][kind]
    out.inputs[28] = 3 if out.inputs[3] else min(symbols, 2)
    out.inputs[29] = min(tokens_of(s, seat), 6)
    out.inputs[30] = s.owned[seat]
    out.inputs[31] = min(s.culture[seat], 2)
    extra, owned = 0, s.owned[seat] & gains.EXTRAS
    while owned:
        owned &= owned - 1
        extra += 1
    out.inputs[32] = min(extra, 4)


@kernel
def lasting_shields(s: Record, seat: int) -> int:
    """Section 10: those that a battle leaves."""
    return s.shields[seat] - s.cards[seat][state.RED1] - s.cards[seat][state.RED2]


@kernel
def military_inputs(s: Record, seat: int, out: Record) -> None:
    """What a battle would bring a seat now, and the one after it, as far as shields last."""
    out_of_line()
    left, right = left_neighbour(s, seat), right_neighbour(s, seat)
    shields, lasting = s.shields[seat] + 0, lasting_shields(s, seat)
    won, lost = victories(s, seat), defeats(s, seat)
    out.inputs[33] = clipped(shields, 0, 6)
    out.inputs[34] = clipped(lasting, 0, 5)
    out.inputs[35] = clipped(shields - s.shields[left], -3, 3)
    out.inputs[36] = clipped(shields - s.shields[right], -3, 3)
    out.inputs[37] = clipped(lasting - lasting_shields(s, left), -3, 3)
    out.inputs[38] = clipped(lasting - lasting_shields(s, right), -3, 3)
    out.inputs[39] = won
    out.inputs[40] = lost
    soon = 6 * min(s.turned, s.conflict) // s.conflict
    out.inputs[41] = won * soon
    out.inputs[42] = lost * soon
    out.inputs[43] = clipped(s.military[seat], 0, 5)
    out.inputs[44] = 1 if s.cat == seat else 0
    out.inputs[45] = clipped(s.cards[seat][state.VP2CAT], 0, 5)


@kernel
def deck_inputs(s: Record, seat: int, side: int, n: int, out: Record) -> int:
    """The deck on the left or right of a seat, from column ``n`` on; return what its top card is worth."""
    deck = deck_at(s, seat, side)
    top = top_of(s, deck)
    found = out.values[top] + 0
    out.inputs[n] = top
    out.inputs[n + 1] = min(found & WORTH, 60)
    out.inputs[n + 2] = does(found)
    out.inputs[n + 3] = min(s.deck_left[deck], 25)
    return found & WORTH


@kernel
def finish_inputs(s: Record, seat: int, needed: int, chance: int, out: Record) -> None:
    """Section 13: who completes a wonder ends the game; ``chance`` is that of a card that lets one build, per cent."""
    built = s.built[seat] + 0
    out.inputs[63] = 0
    out.inputs[64] = 0
    out.inputs[65] = 0
    if stage_count(built) != state.STAGES - 1:
        return
    points = 0
    for stage in range(state.STAGES):
        if built >> stage & 1 == 0:
            points = s.stage_points[s.wonder[seat]][stage] + 0
    points += (s.decor[1] - s.decor[0]) * (s.owned[seat] >> state.DECOR & 1)
    lead = out.inputs[5] + points
    out.inputs[63] = 100 if needed & MISSING == 0 else min(chance, 100)
    out.inputs[64] = 1 if lead < 0 else 2 if lead == 0 else 3
    out.inputs[65] = clipped(lead, -15, 15)


@kernel
def reach_inputs(s: Record, seat: int, needed: int, out: Record) -> None:
    """The cards that a seat may draw: open ones on the left and the right, and what the central deck may hold."""
    out_of_line()
    gains_of_cards(s, seat, needed, out)
    left = deck_inputs(s, seat, state.LEFT, 46, out)
    right = deck_inputs(s, seat, state.RIGHT, 50, out)
    total = gains_in(s, state.CENTRAL, out)
    inverse = (100 << 16) // max(s.deck_left[state.CENTRAL], 1)
    mean = (total & WORTH) * inverse // (100 << 16)
    out.inputs[54] = min(mean, 40)
    for field in range(5):
        out.inputs[55 + field] = min(share(total, gains.ADVANCES + 8 * field, inverse), 60)
    best = max(left, right, mean)
    out.inputs[60] = min(best, 60)
    out.inputs[61] = min(gain_of(s, left_neighbour(s, seat), top_of(s, deck_at(s, seat, state.LEFT))) & WORTH, 60)
    knows = s.knows >> seat & 1 != 0
    out.inputs[62] = 1 if knows else 0
    builds = (out.inputs[48] | out.inputs[52]) >> 1 & 1 != 0
    finish_inputs(s, seat, needed, 100 if builds else share(total, BUILDS, inverse), out)
    top = top_of(s, state.CENTRAL) if knows else 0
    found = out.values[top] + 0
    out.inputs[66] = top
    out.inputs[67] = min(found & WORTH, 60)
    out.inputs[68] = does(found)
    out.inputs[69] = min(max(left, right, found & WORTH) if top else best, 60)
    looked = 0
    if s.phase == state.KEEP and seat == s.turn:
        cards = s.deck_left[s.looking] + 0
        for place in range(max(cards - s.looks_at, 0), cards):
            looked = max(looked, out.values[s.deck[s.looking][place]] & WORTH)
    out.inputs[70] = min(looked, 60)


@kernel
def seat_inputs(s: Record, seat: int, out: Record) -> int:
    """Write the columns of ``OPEN`` and ``CLOSED``; return how many."""
    out_of_line()
    distance = seat - s.turn
    active = distance == 0 and not s.finished
    out.inputs[0] = distance if distance >= 0 else distance + s.players
    out.inputs[1] = s.phase + 1 if active else 0
    extras = s.triggered & ~s.used & gains.EXTRAS if active else 0
    count = 0
    while extras:
        extras &= extras - 1
        count += 1
    out.inputs[2] = min(count, 3)
    out.inputs[3] = 1 if must_claim(s, seat) else 0
    needed = needs(s, seat)
    points_inputs(s, seat, out)
    wonder_inputs(s, seat, needed, out)
    science_inputs(s, seat, out)
    military_inputs(s, seat, out)
    if s.phase == state.PICK:
        for i in range(46, 71):
            out.inputs[i] = 0
    else:
        reach_inputs(s, seat, needed, out)
    return 71

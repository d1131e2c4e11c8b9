"""What a network is told of a position: the columns of the table and of a seat, and the kernels that write them.

Types and wonders have no names here, they go by how near they are to the end: ``type.1`` is the one with the fewest
discs left (section 8.1), ``slot.1`` the wonder that lacks the fewest (section 5). So what is learned about one holds
for all of them.
"""

from __future__ import annotations

from ziggurat.core.features import Feature, category, number
from ziggurat.core.inputs import Inputs, clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import state, survey
from ziggurat.games.babel.action_inputs import ACTION
from ziggurat.games.babel.cards import action_count, size_of
from ziggurat.games.babel.scoring import bonus_of
from ziggurat.games.babel.survey import (
    PLACES,
    ahead,
    disc_gain,
    look_round,
    points_for,
    standing,
    stands_after,
)

KINDS = tuple(f"type.{rank}" for rank in range(1, state.KINDS + 1))
SLOTS = tuple(f"slot.{slot}" for slot in range(1, survey.SLOTS + 1))
USED = ("exchange", "joker", "triple_refusal", "draw", "double_turn")

# What a seat is doing.
ROLES = (
    *("waits", "takes_turn", "awaits_offers", "offers", "has_offered", "selects", "may_be_selected", "has_no_offer"),
    *("is_refusing", "answers", "is_refused", "may_go_on", "awaits_closing", "exchanges"),
)

# --- The columns -------------------------------------------------------------------------------------------------

TABLE: tuple[Feature, ...] = (
    category("players", 5, low=3),
    category("phase", state.PHASES),
    category("row", 7, tells="wonders completed"),
    number("first", 20, tells="what the next wonder brings its leader"),
    number("strict", 1, tells="units are limited"),
    category("two_colour", 4, tells="discs of two colours on the board"),
    number("deck", 80),
    number("discarded", 60),
    number("cards", 30, tells="in all hands"),
    number("action_deck", 15),
    number("action_held", 6, tells="action cards in all hands"),
    *(number(f"used.{name}", 3, tells="action cards used up") for name in USED),
    number("discs", 24, tells="left on the board"),
    number("idle", 10, tells="turns in which nothing happened (R28)"),
    *(category(f"{kind}.left", 7, tells="discs of the type on the board, the fewest first") for kind in KINDS),
    *(number(f"{kind}.discard", 20) for kind in KINDS),
    *(category(f"{kind}.cheapest", 7, tells="the least that one of them asks for; 0: none") for kind in KINDS),
    category("lacking_one", 5, tells="wonders that lack one disc"),
    category("lacking_two", 5, tells="wonders that lack two"),
    category("untouched", 8, tells="wonders that lack all three"),
    *(category(f"{slot}.stage", 4, tells="discs left on it; 4: there is no such wonder") for slot in SLOTS),
    *(category(f"{slot}.cheapest", 7, tells="the least that one of its discs asks for") for slot in SLOTS),
    *(number(f"{slot}.need", 15, tells="what its discs ask for together") for slot in SLOTS),
    *(number(f"{slot}.units", 12) for slot in SLOTS),
    *(number(f"{slot}.lead", 6, tells="units between the first and the second") for slot in SLOTS),
    category("build.need", 7, tells="what the disc of the build asks for; 0: there is none"),
    number("build.two", 1, tells="of two types"),
    category("build.stage", 4, tells="discs left on its wonder, itself among them; 4: nothing is built"),
    category("build.left", 7, tells="discs left of its type, of two types of the one with fewer"),
    category("build.waiting", 4, tells="seats that have yet to offer, or to answer"),
    number("build.face_down", 10, tells="cards that lie face down"),
    number("build.offered", 8, tells="valid cards of revealed offers"),
    category("build.trades", 4, tells="trade cards in revealed offers"),
    number("build.done", 1, tells="the build has succeeded"),
    number("over", 1, tells="a type is exhausted: only refused offers are still paid"),
)

OPEN: tuple[Feature, ...] = (
    category("role", ROLES),
    category("turn", 4, tells="turns until its own"),
    number("score", 60),
    number("score.lead", 30, -30, tells="before the best other one"),
    category("score.place", 5, low=1),
    number("now", 80, tells="points if the game ended now, but for action cards"),
    number("now.lead", 30, -30),
    category("now.place", 5, low=1),
    number("hoped", 90, tells="points with those of all wonders as they stand, by the row of the value marker"),
    number("hoped.lead", 40, -40),
    number("pending", 20, tells="points that the build under way brings for certain"),
    number("light", 15, tells="points of unfinished wonders if the game ended now"),
    number("near", 25, tells="points of wonders that lack one disc, by the row of the value marker"),
    number("near.lead", 20, -20),
    number("far", 25, tells="points of the others that have been begun"),
    number("bonus", 40, tells="points for discs"),
    number("bonus.lead", 20, -20),
    number("discs", 8),
    *(category(f"{kind}.discs", 7) for kind in KINDS),
    *(number(f"{kind}.next", 10, tells="what one more disc of the type brings, if there is one") for kind in KINDS),
    *(number(f"{kind}.ahead", 3, -3, tells="discs of the type before the best other seat") for kind in KINDS),
    number("next", 10, tells="the best of these"),
    number("most", 40, tells="the bonus with all discs that are left of its best type, at most three of them"),
    *(category(f"near.{place}", 3, tells="wonders that lack one disc on which it stands so") for place in PLACES[1:]),
    *(category(f"far.{place}", 3, tells="other wonders on which it stands so") for place in PLACES[1:]),
    category("near.behind", 7, tells="the fewest units to lead alone one more that lacks one disc; 7: more, or none"),
    *(category(f"{slot}.place", PLACES) for slot in SLOTS),
    *(number(f"{slot}.ahead", 6, -6, tells="units before the best other seat") for slot in SLOTS),
    number("units", 15, tells="on all wonders"),
    number("units.left", 29, tells="as many as there are when they are not limited"),
    number("cards", 12, tells="building cards, those in an offer among them"),
    number("cards.lead", 6, -6, tells="before whoever else has most"),
    *(number(f"{kind}.known", 4, tells="cards that everybody has seen it take back") for kind in KINDS),
    category("actions", 4, tells="action cards"),
    category("build.place", PLACES, tells="how it stands on the wonder of the build"),
    number("build.ahead", 6, -6),
    number("build.next", 10, tells="what the disc brings it"),
    category("offer.shown", 9, tells="cards in its offer, the trade card among them, and one; 0: none is made"),
    category("offer.valid", 7, tells="revealed, without the trade card"),
    number("offer.trade", 1, tells="revealed"),
    number("offer.accepted", 1),
    number("offer.refused", 9, tells="points that its refused offer brings so far"),
    number("offer.brings", 20, tells="its points for a wonder that would be completed, if its offer alone is accepted"),
)

CLOSED: tuple[Feature, ...] = (
    *(number(f"hand.{kind}", 6) for kind in KINDS),
    number("hand.build", 7, tells="cards that the disc of the build asks for"),
    category("hand.longest", 8, tells="cards of the type that it has most of"),
    number("payable", 6, tells="discs that it can pay alone, jokers among the cards"),
    number("nearly", 6, tells="those for which it lacks one card"),
    *(category(f"{slot}.lacks", 4, tells="cards that it lacks for the disc there that is easiest") for slot in SLOTS),
    number("alone.points", 25, tells="the most that it can complete a wonder for alone, with the disc's bonus"),
    number("alone.bonus", 10, tells="the best bonus of a disc that it can pay alone"),
    number("alone.ends", 1, tells="it can take the last disc of a type alone"),
    *(number(f"action.{card}", 2) for card in state.ACTION_CARDS),
    number("action.points", 10, tells="what its action cards bring at the end"),
    number("end.lead", 30, -30, tells="with these, before the best other one as everybody sees it"),
    category("laid.valid", 7, tells="cards of its offer that the disc asks for"),
    number("laid.wrong", 3, tells="others"),
    number("laid.trade", 1),
    number("given", 5, tells="cards named for an exchange"),
)

INPUTS = Inputs(table=TABLE, open=OPEN, closed=CLOSED, action=ACTION)

# --- The table ---------------------------------------------------------------------------------------------------

# Among ``out.values``, behind what ``survey`` leaves there: by type, and by wonder.
CHEAPEST = 128
WONDER_CHEAPEST = 132
WONDER_NEED = 140
OWN = 148
LACKS = 152


@kernel
def table_inputs(s: Record, out: Record) -> int:
    """Write the columns of the table; return how many."""
    out_of_line()
    look_round(s, out)
    pairs = survey_needs(s, out)
    discarded = s.discard
    cards, held, near, far, untouched, discs = 0, 0, 0, 0, 0, 0
    for seat in range(s.players):
        cards += size_of(s.hand[seat]) + size_of(s.laid[seat]) + size_of(s.given[seat])
        held += action_count(s, seat)
    for wonder in range(state.WONDER_COUNT):
        stage = out.values[survey.STAGE + wonder]
        discs += stage
        near += 1 if stage == 1 else 0
        far += 1 if stage == 2 else 0
        untouched += 1 if stage == 3 else 0
    out.inputs[0] = s.players
    out.inputs[1] = s.phase
    out.inputs[2] = clipped(s.row, 0, 7)
    out.inputs[3] = clipped(s.first[min(s.row, state.ROWS - 1)], 0, 20)
    out.inputs[4] = s.strict
    out.inputs[5] = clipped(pairs, 0, 4)
    out.inputs[6] = clipped(s.deck_left, 0, 80)
    out.inputs[7] = clipped(size_of(discarded), 0, 60)
    out.inputs[8] = clipped(cards, 0, 30)
    out.inputs[9] = clipped(s.action_left, 0, 15)
    out.inputs[10] = clipped(held, 0, 6)
    out.inputs[11] = clipped(s.action_used[state.EXCHANGE], 0, 3)
    out.inputs[12] = clipped(s.action_used[state.JOKER], 0, 3)
    out.inputs[13] = clipped(s.action_used[state.TRIPLE_REFUSAL], 0, 3)
    out.inputs[14] = clipped(s.action_used[state.DRAW_CARDS], 0, 3)
    out.inputs[15] = clipped(s.action_used[state.DOUBLE_TURN], 0, 3)
    out.inputs[16] = discs
    out.inputs[17] = clipped(s.idle, 0, 10)
    for rank in range(state.KINDS):
        kind = out.values[survey.RANKED + rank]
        out.inputs[18 + rank] = clipped(out.values[survey.LEFT + kind], 0, 7)
        out.inputs[22 + rank] = clipped(discarded[kind], 0, 20)
        out.inputs[26 + rank] = clipped(out.values[CHEAPEST + kind], 0, 7)
    out.inputs[30] = clipped(near, 0, 5)
    out.inputs[31] = clipped(far, 0, 5)
    out.inputs[32] = untouched
    for slot in range(survey.SLOTS):
        slot_inputs(s, slot, out, 33 + slot)
    return build_inputs(s, out, 33 + 5 * survey.SLOTS)


@kernel
def survey_needs(s: Record, out: Record) -> int:
    """CHEAPEST, WONDER_CHEAPEST and WONDER_NEED; return how many discs of two colours there are."""
    pairs = 0
    for kind in range(state.KINDS):
        out.values[CHEAPEST + kind] = 0
    for wonder in range(state.WONDER_COUNT):
        cheapest, together = 0, 0
        for space in range(state.SPACES):
            need = s.disc[state.SPACES * wonder + space]
            total, types = 0, 0
            for kind in range(state.KINDS):
                asked = need[kind] + 0
                if asked > 0:
                    total += asked
                    types += 1
                    known = out.values[CHEAPEST + kind]
                    if known == 0 or asked < known:
                        out.values[CHEAPEST + kind] = asked
            if total > 0:
                cheapest = total if cheapest == 0 else min(cheapest, total)
                together += total
                pairs += types - 1
        out.values[WONDER_CHEAPEST + wonder] = cheapest
        out.values[WONDER_NEED + wonder] = together
    return pairs


@kernel
def slot_inputs(s: Record, slot: int, out: Record, n: int) -> None:
    """One wonder: five columns, each beside those of the other slots."""
    wonder = out.values[survey.SLOT + slot]
    stage, cheapest, need, units, lead = 4, 0, 0, 0, 0
    if wonder != survey.NO_WONDER:
        stage = out.values[survey.STAGE + wonder]
        cheapest = out.values[WONDER_CHEAPEST + wonder]
        need = out.values[WONDER_NEED + wonder]
        for seat in range(s.players):
            units += s.units[wonder][seat]
        if out.values[survey.LEADERS + wonder] == 1:
            lead = out.values[survey.MOST + wonder] - out.values[survey.RUNNER + wonder]
    out.inputs[n] = stage
    out.inputs[n + survey.SLOTS] = clipped(cheapest, 0, 7)
    out.inputs[n + 2 * survey.SLOTS] = clipped(need, 0, 15)
    out.inputs[n + 3 * survey.SLOTS] = clipped(units, 0, 12)
    out.inputs[n + 4 * survey.SLOTS] = clipped(lead, 0, 6)


@kernel
def build_inputs(s: Record, out: Record, n: int) -> int:
    """The build under way; return how many columns there are with it."""
    need, types, stage, left = 0, 0, 4, 0
    waiting, face_down, offered, trades = 0, 0, 0, 0
    if s.chosen != state.NO_DISC:
        stage = out.values[survey.STAGE + s.chosen // state.SPACES]
        for kind in range(state.KINDS):
            asked = s.disc[s.chosen][kind] + 0
            if asked > 0:
                of_kind = out.values[survey.LEFT + kind]
                left = of_kind if types == 0 else min(left, of_kind)
                need += asked
                types += 1
        for seat in range(s.players):
            if s.waiting >> seat & 1:
                waiting += 1
            elif s.phase == state.OFFER and seat != s.turn:
                face_down += size_of(s.laid[seat]) + s.trade[seat]
            if s.phase != state.OFFER:
                offered += size_of(s.laid[seat])
                trades += s.trade[seat]
    fewest = out.values[survey.LEFT + out.values[survey.RANKED]]
    out.inputs[n] = clipped(need, 0, 7)
    out.inputs[n + 1] = 1 if types > 1 else 0
    out.inputs[n + 2] = stage
    out.inputs[n + 3] = clipped(left, 0, 7)
    out.inputs[n + 4] = waiting
    out.inputs[n + 5] = clipped(face_down, 0, 10)
    out.inputs[n + 6] = clipped(offered, 0, 8)
    out.inputs[n + 7] = trades
    out.inputs[n + 8] = s.built
    out.inputs[n + 9] = 1 if fewest == 0 else 0
    return n + 10


# --- A seat ------------------------------------------------------------------------------------------------------


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
    for i in range(9):
        out.inputs[n + i] = 0
    if s.chosen == state.NO_DISC:
        return n + 9
    wonder = s.chosen // state.SPACES
    out.inputs[n] = standing(s, wonder, seat, out)
    out.inputs[n + 1] = clipped(ahead(s, wonder, seat, out), -6, 6)
    out.inputs[n + 2] = clipped(disc_gain(s, seat, s.chosen, out), 0, 10)
    if seat == s.turn:
        return n + 9
    laid = size_of(s.laid[seat])
    if s.phase == state.OFFER:
        if s.waiting >> seat & 1 == 0:
            out.inputs[n + 3] = clipped(laid + s.trade[seat] + 1, 0, 9)
        return n + 9
    out.inputs[n + 3] = clipped(laid + size_of(s.returned[seat]) + s.trade[seat] + 1, 0, 9)
    out.inputs[n + 4] = clipped(laid, 0, 7)
    out.inputs[n + 5] = s.trade[seat]
    out.inputs[n + 6] = s.accepted >> seat & 1
    if s.phase == state.REFUSAL:
        out.inputs[n + 7] = clipped(laid * (s.refused_triple if s.tripled >> seat & 1 else s.refused), 0, 9)
    elif out.values[survey.STAGE + wonder] == 1:
        for other in range(s.players):
            out.values[survey.AFTER + other] = s.units[wonder][other]
        out.values[survey.AFTER + seat] += 0 if s.trade[seat] else laid
        out.values[survey.AFTER + s.turn] += size_of(s.disc[s.chosen]) - (0 if s.trade[seat] else laid)
        out.inputs[n + 8] = clipped(points_for(s, stands_after(s, seat, out), False), 0, 20)
    return n + 9


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
        fewest = 4
        if out.values[survey.STAGE + wonder] > 0:
            last = out.values[survey.STAGE + wonder] == 1
            for space in range(state.SPACES):
                disc = state.SPACES * wonder + space
                lacks = lacking(s, seat, disc, out)
                if lacks == 0:
                    payable += 1
                    gain = disc_gain(s, seat, disc, out)
                    bonus = max(bonus, gain)
                    if last:
                        points = max(points, gain + points_alone(s, seat, disc, out))
                    if takes_last(s, disc, out):
                        ends = 1
                elif lacks == 1:
                    nearly += 1
                fewest = min(fewest, lacks)
        out.values[LACKS + wonder] = fewest
    out.inputs[n + 6] = clipped(payable, 0, 6)
    out.inputs[n + 7] = clipped(nearly, 0, 6)
    for slot in range(survey.SLOTS):
        wonder = out.values[survey.SLOT + slot]
        out.inputs[n + 8 + slot] = out.values[LACKS + wonder] if wonder != survey.NO_WONDER else 4
    out.inputs[n + 12] = clipped(points, 0, 25)
    out.inputs[n + 13] = clipped(bonus, 0, 10)
    out.inputs[n + 14] = ends
    return n + 15


@kernel
def lacking(s: Record, seat: int, disc: int, out: Record) -> int:
    """How many cards a seat lacks for a disc, its jokers counted; many when the disc is taken.

    A joker stands for exactly two cards (R11), but one card of one's own can be spared for it.
    """
    need = s.disc[disc]
    if (need[0] | need[1] | need[2] | need[3]) == 0:
        return 9
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

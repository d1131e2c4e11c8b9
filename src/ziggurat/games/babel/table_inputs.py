"""The kernel that tells a network of the table: the columns TABLE of ``inputs``."""

from __future__ import annotations

from ziggurat.core.inputs import clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import state, survey
from ziggurat.games.babel.cards import action_count, size_of
from ziggurat.games.babel.survey import look_round

# Among ``out.values``, behind what ``survey`` leaves there: by type, and by wonder.
CHEAPEST = 128
WONDER_CHEAPEST = 132
WONDER_NEED = 140


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
    n = build_inputs(s, out, 33 + 5 * survey.SLOTS)
    if state.TOLD:
        out.inputs[n] = s.network_options
    return n + state.TOLD


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

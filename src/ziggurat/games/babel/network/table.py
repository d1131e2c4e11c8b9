"""The kernels that write the network's inputs of the table."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import state
from ziggurat.games.babel.cards import action_count, size_of
from ziggurat.games.babel.network import survey
from ziggurat.games.babel.network.survey import look_round

# Among ``out.values``, behind what ``survey`` leaves there: by type, and by wonder.
CHEAPEST = 128
WONDER_CHEAPEST = 132
WONDER_NEED = 140


@kernel
def tell_table(s: Record, table: Record, out: Record) -> None:
    """Write the columns of the table, ``TableColumns``."""
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
    table.players = s.players
    table.phase = s.phase
    table.row = s.row
    table.first = s.first[min(s.row, state.ROWS - 1)]
    table.strict = s.strict
    table.two_colour = pairs
    table.deck = s.deck_left
    table.discarded = size_of(discarded)
    table.cards = cards
    table.action_deck = s.action_left
    table.action_held = held
    table.used.exchange = s.action_used[state.EXCHANGE]
    table.used.joker = s.action_used[state.JOKER]
    table.used.triple_refusal = s.action_used[state.TRIPLE_REFUSAL]
    table.used.draw = s.action_used[state.DRAW_CARDS]
    table.used.double_turn = s.action_used[state.DOUBLE_TURN]
    table.discs = discs
    table.idle = s.idle
    for rank in range(state.KINDS):
        kind = out.values[survey.RANKED + rank]
        table.type_left[rank] = out.values[survey.LEFT + kind]
        table.type_discard[rank] = discarded[kind]
        table.type_cheapest[rank] = out.values[CHEAPEST + kind]
    table.lacking_one = near
    table.lacking_two = far
    table.untouched = untouched
    for slot in range(survey.SLOTS):
        tell_slot(s, slot, table, out)
    tell_build(s, table, out)


@kernel
def survey_needs(s: Record, out: Record) -> int:
    """Compute CHEAPEST, WONDER_CHEAPEST and WONDER_NEED; return how many discs of two colours there are."""
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
def tell_slot(s: Record, slot: int, table: Record, out: Record) -> None:
    """Write the columns of one wonder."""
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
    table.slot_stage[slot] = stage
    table.slot_cheapest[slot] = cheapest
    table.slot_need[slot] = need
    table.slot_units[slot] = units
    table.slot_lead[slot] = lead


@kernel
def tell_build(s: Record, table: Record, out: Record) -> None:
    """Write the columns of the build under way."""
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
    table.build__need = need
    table.build__two = 1 if types > 1 else 0
    table.build__stage = stage
    table.build__left = left
    table.build__waiting = waiting
    table.build__face_down = face_down
    table.build__offered = offered
    table.build__trades = trades
    table.build__done = s.built
    table.over = 1 if fewest == 0 else 0

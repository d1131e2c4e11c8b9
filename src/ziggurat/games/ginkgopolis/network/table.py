"""The kernels that write the network's inputs of the table."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.heuristics import rounds_left
from ziggurat.games.ginkgopolis.network.survey import (
    DISTRICT_POINTS,
    END_POINTS,
    EXPOSED,
    HOUSES,
    STANDING,
    TALLEST,
    final_of,
    of,
    survey,
)
from ziggurat.games.ginkgopolis.supply import supply_of_tiles


@kernel
def kept_in_draft(s: Record) -> int:
    """The number of characters that everybody has kept (section 2.2.8); who is still asked has one less than the
    others."""
    if s.phase != state.DRAFT:
        return 0
    least = state.KEPT_CHARACTERS + 0
    for seat in range(s.players):
        kept = 0
        for place in range(state.KEPT_CHARACTERS):
            kept += 1 if s.characters[seat][place] != 0 else 0
        least = min(least, kept)
    return least


@kernel
def tell_table(s: Record, table: Record, out: Record) -> None:
    """Write the columns of the table, ``TableColumns``."""
    out_of_line()
    survey(s, out)
    left = max(supply_of_tiles(s), 0)
    solo = s.owners > s.players
    table.players = s.players
    table.phase = s.phase
    table.stack = left
    table.stack_near = left
    table.depleted = s.depleted
    table.ending = s.ending
    table.rounds = rounds_left(s)
    table.acted = s.acted
    deciding = 0
    for seat in range(s.players):
        deciding += s.waiting >> seat & 1
    table.deciding = deciding
    table.kept_in_draft = kept_in_draft(s)
    fewest, leader, second = 99, -1000, -1000
    for owner in range(s.owners):
        fewest = min(fewest, s.supply[owner] + s.stock[owner])
        points = final_of(s, owner, out)
        if points > leader:
            leader, second = points, leader
        else:
            second = max(second, points)
    table.fewest = fewest
    table.fewest_near = fewest
    table.deck = s.deck_left
    table.deck_near = s.deck_left
    table.houses = s.buildings
    sites, neutral = 0, 0
    for building in range(s.buildings):
        colour, height = (s.top[building] - 1) // state.NUMBERS, s.height[building] + 0
        sites += s.site[building]
        table.houses_by_colour[colour] += 1
        table.tallest_by_colour[colour] = max(table.tallest_by_colour[colour], height)
        if s.owner[building] < 0:
            neutral += 1
        else:
            table.laid_by_colour[colour] += height
    table.sites = sites
    table.neutral = neutral
    table.leader = leader
    table.leader_ahead = leader - second
    if solo:
        tell_hal(s, table, out)


@kernel
def tell_hal(s: Record, table: Record, out: Record) -> None:
    """Write the columns of Hal's standing (section 7)."""
    base = of(state.HAL)
    total, houses, laid = final_of(s, state.HAL, out), 0, 0
    for colour in range(3):
        houses += out.values[base + HOUSES + colour]
        laid += out.values[base + STANDING + colour]
    table.hal_ahead = total - final_of(s, 0, out)
    table.hal_total = total
    table.hal_success = s.points[state.HAL]
    table.hal_cards = out.values[base + END_POINTS]
    table.hal_districts = out.values[base + DISTRICT_POINTS]
    table.hal_supply = s.supply[state.HAL]
    table.hal_houses = houses
    table.hal_laid = laid
    table.hal_exposed = out.values[base + EXPOSED]
    table.hal_tallest = out.values[base + TALLEST]

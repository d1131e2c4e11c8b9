"""What a network is told of a position and of an action: see ``ziggurat.core.inputs``. The columns, and those of the
table; seats and actions are told by ``seat_inputs`` and ``action_inputs``."""

from __future__ import annotations

from ziggurat.core.features import category, number
from ziggurat.core.inputs import Inputs, clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.effects import (
    CARD_COLOURS,
    LEADS,
    SHIFT,
    TILE_COLOURS,
    TOTALS,
    alone_columns,
    use_columns,
)
from ziggurat.games.ginkgopolis.heuristics import rounds_left
from ziggurat.games.ginkgopolis.supply import supply_of_tiles
from ziggurat.games.ginkgopolis.survey import (
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

HAL_COLUMNS = 10

TABLE = (
    category("players", state.MAX_PLAYERS, 1),
    category("phase", state.PHASES, tells="what is asked"),
    *state.OPTIONS.network,
    # How near the end is.
    number("stack", 51, tells="tiles left in the supply"),
    category("stack_near", 9, tells="the same, when few are left"),
    category("depleted", 2, tells="how often the supply ran out"),
    number("ending", 1, tells="this round is the last one"),
    number("rounds", 20, tells="about so many are to come"),
    category("acted", state.MAX_PLAYERS, tells="how many have acted this round"),
    category("deciding", state.MAX_PLAYERS, tells="how many are still asked"),
    category("kept_in_draft", state.KEPT_CHARACTERS, tells="characters that everybody has chosen"),
    number("fewest", 30, tells="resources of the owner who has least that are not in the city"),
    category("fewest_near", 8),
    # The cards.
    number("deck", 30),
    category("deck_near", 5, tells="it is rebuilt when it is empty"),
    number("sites", 30, tells="buildings whose cards come in with the next deck"),
    # The city.
    number("houses", state.TILES),
    number("neutral", 9, tells="buildings of nobody"),
    *(number(f"houses_{colour}", 20) for colour in state.COLOURS),
    *(number(f"laid_{colour}", 30, tells="resources on its buildings") for colour in state.COLOURS),
    *(number(f"tallest_{colour}", 8) for colour in state.COLOURS),
    # The standings.
    number("leader", 120, tells="most points, if the game ended now"),
    number("leader_ahead", 40, tells="before the next"),
    # Hal, who is an owner without being a seat (section 7).
    number("hal_ahead", 60, -60, tells="points before the player, if the game ended now"),
    number("hal_total", 120, tells="points, if the game ended now"),
    number("hal_success", 50, tells="points so far"),
    number("hal_cards", 40, tells="points of his end cards"),
    number("hal_districts", 60),
    number("hal_supply", 30, tells="resources left"),
    number("hal_houses", 20),
    number("hal_laid", 30, tells="resources in the city"),
    number("hal_exposed", 30, tells="those on buildings whose cards are in play"),
    number("hal_tallest", 8),
)

OPEN = (
    # What it does, and when.
    category("order", state.MAX_PLAYERS - 1, tells="how many act before it in a round"),
    category("asked", ("nothing", *state.PHASES)),
    category("committed", ("nothing", "card", "card_and_tile"), tells="laid face down, and not yet turned over"),
    category("last_card", CARD_COLOURS, tells="that it turned over"),
    # Points.
    number("success", 100, tells="points so far"),
    number("total", 120, tells="points, if the game ended now"),
    number("ahead", 60, -60, tells="of the best other by that"),
    category("place", state.MAX_PLAYERS - 1, tells="how many have more"),
    number("end_points", 60, tells="of its cards that count at the end"),
    number("district_points", 60),
    *(number(f"districts_{colour}", 30) for colour in state.COLOURS),
    category("tokens", 2, tells="for new hands"),
    # Districts (section 6.4).
    category("firsts", 5, tells="districts where it is first before others"),
    category("alones", 5, tells="and without others"),
    category("seconds", 5),
    category("behind", 4, tells="districts where two resources more may bring it further"),
    category("pressed", 4, tells="where others are so near behind it"),
    number("stake", 40, tells="the most points that being first where it is so near would bring"),
    # Goods.
    number("stock", 25, tells="resources behind the screen"),
    category("stock_near", 6),
    number("supply", 25, tells="resources in the supply"),
    category("supply_near", 3),
    number("not_laid", 40, tells="both together; the game ends when one has none"),
    category("not_laid_near", 8),
    number("tiles", 20, tells="behind the screen"),
    category("tiles_near", 5),
    # In the city.
    *(number(f"laid_{colour}", 20, tells="resources on its buildings") for colour in state.COLOURS),
    *(number(f"houses_{colour}", 15) for colour in state.COLOURS),
    number("exposed", 20, tells="resources on buildings whose cards are in play"),
    number("tallest", 8),
    number("lows", 20, tells="buildings that count as low for cards at the end"),
    number("highs", 12),
    # What its cards give.
    *(number(f"{trigger}_{good}", 6, tells="its bonus") for trigger in state.TRIGGERS for good in state.GOODS),
    *(number(f"cards_{trigger}", 10, tells="in its tableau") for trigger in state.TRIGGERS),
    *(number(f"cards_{colour}", 15) for colour in state.COLOURS),
    *(number(f"per_{colour}", 4, tells="end points for a resource on it") for colour in state.COLOURS),
    number("per_low", 3, tells="end points for a low building"),
    number("per_high", 9, tells="for a high one"),
    *(number(f"per_card_{trigger}", 6, tells="for a card with it") for trigger in state.TRIGGERS),
    *(number(f"per_card_{colour}", 4) for colour in state.COLOURS),
    number("fixed", 27, tells="end points for nothing else"),
)

CLOSED = (
    # The hand.
    *(category(f"hand_{colour}", state.HAND, tells="its cards") for colour in (*state.COLOURS, "urban")),
    *(number(f"yields_{colour}", 6, tells="of the highest building of a card") for colour in state.COLOURS),
    *(number(f"beside_{good}", 8, tells="of the marker of a card that yields most") for good in state.GOODS),
    category("hand_own", state.HAND, tells="cards that name own buildings"),
    category("hand_rival", state.HAND, tells="and those of others"),
    number("hand_rival_height", 6, tells="of the highest of them"),
    category("hand_buildable", state.HAND, tells="building cards that it can pay for with the right tile"),
    *(category(f"hand_{trigger}", state.HAND, tells="cards with such a bonus") for trigger in state.TRIGGERS),
    category("hand_end", state.HAND, tells="cards that count at the end"),
    number("hand_end_points", 30, tells="of the best of them now"),
    # While it chooses: the most that a card brings with the tile that looks best, as of an action.
    number("could_total", TOTALS, tells="points more if the game ended then"),
    number("could_districts", SHIFT),
    number("could_ahead", LEADS, -LEADS, tells="before the best other"),
    number("could_take", SHIFT, tells="points less for the rival who then gains most"),
    # The tiles.
    *(number(f"tiles_{colour}", 10) for colour in state.COLOURS),
    *(number(f"tile_most_{colour}", state.NUMBERS, tells="the highest number") for colour in state.COLOURS),
    number("returns", 10, tells="tiles that it has named to be returned"),
    # Cards of others that it has held.
    number("threatened", 8, tells="own resources on buildings that such cards name"),
    number("threatens", 8, tells="resources of all others there"),
    # What it has chosen.
    category("chosen", CARD_COLOURS),
    number("chosen_number", state.NUMBERS),
    category("chosen_tile", TILE_COLOURS, tells="while it chooses one: that looks best"),
    number("chosen_tile_number", state.NUMBERS),
    # The draft.
    *(category(f"picked_{colour}", state.KEPT_CHARACTERS, tells="characters") for colour in state.COLOURS),
    *(category(f"picked_{trigger}", state.KEPT_CHARACTERS) for trigger in state.TRIGGERS),
    *(category(f"offered_{colour}", state.HAND) for colour in state.COLOURS),
    *(category(f"offered_{trigger}", state.HAND) for trigger in state.TRIGGERS),
    *alone_columns("coming_alone"),
    *use_columns("coming"),
)

ACTION_TYPES = ("pick", "card", "alone", "tile", "new_hand", "take", "move", "shift", "move_to", "return", "done")

ACTION = (
    number("suggested", 1),
    category("type", ACTION_TYPES),
    category("colour", CARD_COLOURS, tells="of the card"),
    number("number", state.NUMBERS, tells="of the building card"),
    category("gives", ("none", *state.TRIGGERS, "end"), tells="what its bonus waits for"),
    *(number(f"gives_{good}", 2, tells="its bonus") for good in state.GOODS),
    category("formula", ("none", *state.FORMULAS)),
    category("tile_colour", TILE_COLOURS),
    number("tile_number", state.NUMBERS),
    number("payable", 10, tells="tiles that can be paid for with the card"),
    # The cards that go to the left neighbour (section 4.3).
    number("passed_most", 6, tells="of the highest building that they name"),
    number("passed_own", 8, tells="own resources on these buildings"),
    number("passed_next", 8, tells="the left neighbour's"),
    # The draft.
    category("character", TILE_COLOURS),
    category("character_trigger", ("none", *state.TRIGGERS)),
    *(number(f"character_{good}", 3, tells="to start with") for good in state.GOODS),
    category("same_colour", state.KEPT_CHARACTERS, tells="characters that it has"),
    category("same_trigger", state.KEPT_CHARACTERS),
    # The marker, and what it leaves beside it.
    category("direction", ("none", *state.DIRECTIONS)),
    category("side", ("none", *state.SIDES)),
    number("ring_place", 60),
    *(number(f"next_to_{colour}", 6, tells="heights beside the cell") for colour in state.COLOURS),
    number("next_to_own", 6, tells="own resources beside it"),
    number("next_to_others", 6),
    category("next_to", 4, tells="buildings beside it"),
    category("free", 4, tells="free cells beside it"),
    # The rest.
    category("taken", ("none", "resource", "tile")),
    category("tokens_left", 2, tells="for new hands, if one is used"),
    number("returned", 10, tells="tiles that it has named to be returned, with this one"),
    number("kept_tiles", 15, tells="that it would keep"),
    number("kept_of_colour", 8, tells="and of that colour"),
    category("letter", ("none", *state.LETTERS), tells="of the urbanization card"),
    *alone_columns("by_itself"),
    *use_columns("with_tile"),
)

INPUTS = Inputs(table=TABLE, open=OPEN, closed=CLOSED, action=ACTION)


@kernel
def kept_in_draft(s: Record) -> int:
    """Section 2.2.8: how many characters everybody has kept; who is still asked has one less than the others."""
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
def table_inputs(s: Record, out: Record) -> int:
    """Write the columns of ``TABLE``; return how many."""
    out_of_line()
    survey(s, out)
    left = max(supply_of_tiles(s), 0)
    solo = s.owners > s.players
    out.inputs[0] = s.players
    out.inputs[1] = s.phase
    out.inputs[2] = s.network_options
    out.inputs[3] = clipped(left, 0, 51)
    out.inputs[4] = clipped(left, 0, 9)
    out.inputs[5] = clipped(s.depleted, 0, 2)
    out.inputs[6] = s.ending
    out.inputs[7] = clipped(rounds_left(s), 0, 20)
    out.inputs[8] = clipped(s.acted, 0, state.MAX_PLAYERS)
    deciding = 0
    for seat in range(s.players):
        deciding += s.waiting >> seat & 1
    out.inputs[9] = deciding
    out.inputs[10] = kept_in_draft(s)
    fewest, leader, second = 99, -1000, -1000
    for owner in range(s.owners):
        fewest = min(fewest, s.supply[owner] + s.stock[owner])
        points = final_of(s, owner, out)
        if points > leader:
            leader, second = points, leader
        else:
            second = max(second, points)
    out.inputs[11] = clipped(fewest, 0, 30)
    out.inputs[12] = clipped(fewest, 0, 8)
    out.inputs[13] = clipped(s.deck_left, 0, 30)
    out.inputs[14] = clipped(s.deck_left, 0, 5)
    out.inputs[16] = clipped(s.buildings, 0, state.TILES)
    for i in range(18, 27):
        out.inputs[i] = 0
    sites, neutral = 0, 0
    for building in range(s.buildings):
        colour, height = (s.top[building] - 1) // state.NUMBERS, s.height[building] + 0
        sites += s.site[building]
        out.inputs[18 + colour] += 1
        out.inputs[24 + colour] = max(out.inputs[24 + colour], min(height, 8))
        if s.owner[building] < 0:
            neutral += 1
        else:
            out.inputs[21 + colour] += height
    for colour in range(3):
        out.inputs[18 + colour] = clipped(out.inputs[18 + colour], 0, 20)
        out.inputs[21 + colour] = clipped(out.inputs[21 + colour], 0, 30)
    out.inputs[15] = clipped(sites, 0, 30)
    out.inputs[17] = clipped(neutral, 0, 9)
    out.inputs[27] = clipped(leader, 0, 120)
    out.inputs[28] = clipped(leader - second, 0, 40)
    n = 29
    if solo:
        hal_inputs(s, n, out)
    else:
        for i in range(n, n + HAL_COLUMNS):
            out.inputs[i] = 0
    return n + HAL_COLUMNS


@kernel
def hal_inputs(s: Record, n: int, out: Record) -> None:
    """Section 7: Hal's standing, from column ``n`` on."""
    base = of(state.HAL)
    total, houses, laid = final_of(s, state.HAL, out), 0, 0
    for colour in range(3):
        houses += out.values[base + HOUSES + colour]
        laid += out.values[base + STANDING + colour]
    out.inputs[n] = clipped(total - final_of(s, 0, out), -60, 60)
    out.inputs[n + 1] = clipped(total, 0, 120)
    out.inputs[n + 2] = clipped(s.points[state.HAL], 0, 50)
    out.inputs[n + 3] = clipped(out.values[base + END_POINTS], 0, 40)
    out.inputs[n + 4] = clipped(out.values[base + DISTRICT_POINTS], 0, 60)
    out.inputs[n + 5] = clipped(s.supply[state.HAL], 0, 30)
    out.inputs[n + 6] = clipped(houses, 0, 20)
    out.inputs[n + 7] = clipped(laid, 0, 30)
    out.inputs[n + 8] = clipped(out.values[base + EXPOSED], 0, 30)
    out.inputs[n + 9] = clipped(out.values[base + TALLEST], 0, 8)

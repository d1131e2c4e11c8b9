"""The columns of the network's inputs."""

from __future__ import annotations

from ziggurat.core.columns import Columns, category, inputs_of, number
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.network.effects import (
    BEFORE,
    CARD_COLOURS,
    ENDS,
    FLOORS,
    GOODS,
    LEADS,
    POINTS,
    SHIFT,
    STOCK,
    TILE_COLOURS,
    TOTALS,
)


class TableColumns(Columns):
    players = category(state.MAX_PLAYERS, 1)
    phase = category(state.PHASES, tells="what is asked")
    options = state.OPTIONS
    # How near the end is.
    stack = number(51, tells="tiles left in the supply")
    stack_near = category(9, tells="the same, when few are left")
    depleted = category(2, tells="how often the supply ran out")
    ending = number(1, tells="this round is the last one")
    rounds = number(20, tells="about so many are to come")
    acted = category(state.MAX_PLAYERS, tells="how many have acted this round")
    deciding = category(state.MAX_PLAYERS, tells="how many are still asked")
    kept_in_draft = category(state.KEPT_CHARACTERS, tells="characters that everybody has chosen")
    fewest = number(30, tells="resources of the owner who has least that are not in the city")
    fewest_near = category(8)
    # The cards.
    deck = number(30)
    deck_near = category(5, tells="it is rebuilt when it is empty")
    sites = number(30, tells="buildings whose cards come in with the next deck")
    # The city.
    houses = number(state.TILES)
    neutral = number(9, tells="buildings of nobody")
    houses_by_colour = number(20, name="houses_{}").each(state.COLOURS)
    laid_by_colour = number(30, tells="resources on its buildings", name="laid_{}").each(state.COLOURS)
    tallest_by_colour = number(8, name="tallest_{}").each(state.COLOURS)
    # The standings.
    leader = number(120, tells="most points, if the game ended now")
    leader_ahead = number(40, tells="before the next")
    # Hal, who is an owner without being a seat (section 7).
    hal_ahead = number(60, -60, tells="points before the player, if the game ended now")
    hal_total = number(120, tells="points, if the game ended now")
    hal_success = number(50, tells="points so far")
    hal_cards = number(40, tells="points of his end cards")
    hal_districts = number(60)
    hal_supply = number(30, tells="resources left")
    hal_houses = number(20)
    hal_laid = number(30, tells="resources in the city")
    hal_exposed = number(30, tells="those on buildings whose cards are in play")
    hal_tallest = number(8)


class AloneColumns(Columns):
    """The columns of a card without a tile (section 5.1)."""

    resources = number(GOODS, tells="gained by playing the card alone")
    tiles = number(GOODS)
    points = number(POINTS)
    either = number(1, tells="besides a resource or a tile, as one likes")
    good = category(("none", *state.GOODS), tells="that is yielded")
    lost = number(GOODS, tells="what the supply lacks of it")
    lead = number(LEADS, -LEADS, tells="before the best other, if the game ended then")
    ends = category(ENDS, tells="whether the tiles run out")


class UseColumns(Columns):
    """The columns of a card with a tile (sections 5.2 and 5.3), if that can be paid for; otherwise all are 0 but the
    second."""

    does = category(("nothing", "urbanize", "construct"))
    unpaid = number(1, tells="there is a tile, but it cannot be paid for")
    resources = number(GOODS, tells="gained")
    tiles = number(GOODS)
    points = number(POINTS)
    placed = number(FLOORS, tells="resources that it puts on the building")
    back = number(FLOORS, tells="own resources that come back before")
    changed = number(1, tells="another colour, for a resource")
    lower = number(19, tells="points to pay")
    stock = number(STOCK, tells="resources left then")
    net = number(GOODS, -GOODS, tells="change of the resources in stock")
    height = number(FLOORS, tells="then")
    before = category(BEFORE, tells="who had the building")
    evicted = number(FLOORS, tells="points and resources that somebody else gets for it")
    alike = number(4, tells="neighbours that have the colour then")
    districts = number(SHIFT, -SHIFT, tells="points more that districts would give")
    districts__rival = number(SHIFT, -SHIFT, tells="the most that they give somebody else more")
    districts__others = number(TOTALS, -TOTALS, tells="all others together")
    cards = number(SHIFT, -SHIFT, tells="points more that end cards give, with the one that is kept")
    cards__evicted = number(0, -SHIFT, tells="and the end cards of who had the building")
    total = number(TOTALS, -TOTALS, tells="points more if the game ended then")
    total__rival = number(TOTALS, -TOTALS, tells="the most that somebody else has more")
    lead = number(LEADS, -LEADS, tells="before the best other, if the game ended then")
    ends = category(ENDS, tells="whether tiles run out or it is the last resource")


class OpenColumns(Columns):
    """The public columns of a seat."""

    # What it does, and when.
    order = category(state.MAX_PLAYERS - 1, tells="how many act before it in a round")
    asked = category(("nothing", *state.PHASES))
    committed = category(("nothing", "card", "card_and_tile"), tells="laid face down, and not yet turned over")
    last_card = category(CARD_COLOURS, tells="that it turned over")
    # Points.
    success = number(100, tells="points so far")
    total = number(120, tells="points, if the game ended now")
    ahead = number(60, -60, tells="of the best other by that")
    place = category(state.MAX_PLAYERS - 1, tells="how many have more")
    end_points = number(60, tells="of its cards that count at the end")
    district_points = number(60)
    districts_by_colour = number(30, name="districts_{}").each(state.COLOURS)
    tokens = category(2, tells="for new hands")
    # Districts (section 6.4).
    firsts = category(5, tells="districts where it is first before others")
    alones = category(5, tells="and without others")
    seconds = category(5)
    behind = category(4, tells="districts where two resources more may bring it further")
    pressed = category(4, tells="where others are so near behind it")
    stake = number(40, tells="the most points that being first where it is so near would bring")
    # Goods.
    stock = number(25, tells="resources behind the screen")
    stock_near = category(6)
    supply = number(25, tells="resources in the supply")
    supply_near = category(3)
    not_laid = number(40, tells="both together; the game ends when one has none")
    not_laid_near = category(8)
    tiles = number(20, tells="behind the screen")
    tiles_near = category(5)
    # In the city.
    laid_by_colour = number(20, tells="resources on its buildings", name="laid_{}").each(state.COLOURS)
    houses_by_colour = number(15, name="houses_{}").each(state.COLOURS)
    exposed = number(20, tells="resources on buildings whose cards are in play")
    tallest = number(8)
    lows = number(20, tells="buildings that count as low for cards at the end")
    highs = number(12)
    # What its cards give.
    bonus = number(6, tells="its bonus", name="{}_{}").each(state.TRIGGERS, state.GOODS)
    cards_by_trigger = number(10, tells="in its tableau", name="cards_{}").each(state.TRIGGERS)
    cards_by_colour = number(15, name="cards_{}").each(state.COLOURS)
    per_by_colour = number(4, tells="end points for a resource on it", name="per_{}").each(state.COLOURS)
    per_low = number(3, tells="end points for a low building")
    per_high = number(9, tells="for a high one")
    per_card_by_trigger = number(6, tells="for a card with it", name="per_card_{}").each(state.TRIGGERS)
    per_card_by_colour = number(4, name="per_card_{}").each(state.COLOURS)
    fixed = number(27, tells="end points for nothing else")


class SeatColumns(OpenColumns):
    """The columns of a seat: the public ones, and those that only the seat itself sees."""

    # The hand.
    hand_by_colour = category(state.HAND, tells="its cards", name="hand_{}").each((*state.COLOURS, "urban"))
    yields_by_colour = number(6, tells="of the highest building of a card", name="yields_{}").each(state.COLOURS)
    beside_by_good = number(8, tells="of the marker of a card that yields most", name="beside_{}").each(state.GOODS)
    hand_own = category(state.HAND, tells="cards that name own buildings")
    hand_rival = category(state.HAND, tells="and those of others")
    hand_rival_height = number(6, tells="of the highest of them")
    hand_buildable = category(state.HAND, tells="building cards that it can pay for with the right tile")
    hand_by_trigger = category(state.HAND, tells="cards with such a bonus", name="hand_{}").each(state.TRIGGERS)
    hand_end = category(state.HAND, tells="cards that count at the end")
    hand_end_points = number(30, tells="of the best of them now")
    # While it chooses: the most that a card brings with the tile that looks best, as of an action.
    could_total = number(TOTALS, tells="points more if the game ended then")
    could_districts = number(SHIFT)
    could_ahead = number(LEADS, -LEADS, tells="before the best other")
    could_take = number(SHIFT, tells="points less for the rival who then gains most")
    # The tiles.
    tiles_by_colour = number(10, name="tiles_{}").each(state.COLOURS)
    tile_most_by_colour = number(state.NUMBERS, tells="the highest number", name="tile_most_{}").each(state.COLOURS)
    returns = number(10, tells="tiles that it has named to be returned")
    # Cards of others that it has held.
    threatened = number(8, tells="own resources on buildings that such cards name")
    threatens = number(8, tells="resources of all others there")
    # What it has chosen.
    chosen = category(CARD_COLOURS)
    chosen_number = number(state.NUMBERS)
    chosen_tile = category(TILE_COLOURS, tells="while it chooses one: that looks best")
    chosen_tile_number = number(state.NUMBERS)
    # The draft.
    picked_by_colour = category(state.KEPT_CHARACTERS, tells="characters", name="picked_{}").each(state.COLOURS)
    picked_by_trigger = category(state.KEPT_CHARACTERS, name="picked_{}").each(state.TRIGGERS)
    offered_by_colour = category(state.HAND, name="offered_{}").each(state.COLOURS)
    offered_by_trigger = category(state.HAND, name="offered_{}").each(state.TRIGGERS)
    coming_alone = AloneColumns
    coming = UseColumns


ACTION_TYPES = ("pick", "card", "alone", "tile", "new_hand", "take", "move", "shift", "move_to", "return", "done")


class ActionColumns(Columns):
    suggested = number(1)
    type = category(ACTION_TYPES)
    colour = category(CARD_COLOURS, tells="of the card")
    card_number = number(state.NUMBERS, tells="of the building card", name="number")
    gives = category(("none", *state.TRIGGERS, "end"), tells="what its bonus waits for")
    gives_by_good = number(2, tells="its bonus", name="gives_{}").each(state.GOODS)
    formula = category(("none", *state.FORMULAS))
    tile_colour = category(TILE_COLOURS)
    tile_number = number(state.NUMBERS)
    payable = number(10, tells="tiles that can be paid for with the card")
    # The cards that go to the left neighbour (section 4.3).
    passed_most = number(6, tells="of the highest building that they name")
    passed_own = number(8, tells="own resources on these buildings")
    passed_next = number(8, tells="the left neighbour's")
    # The draft.
    character = category(TILE_COLOURS)
    character_trigger = category(("none", *state.TRIGGERS))
    character_by_good = number(3, tells="to start with", name="character_{}").each(state.GOODS)
    same_colour = category(state.KEPT_CHARACTERS, tells="characters that it has")
    same_trigger = category(state.KEPT_CHARACTERS)
    # The marker, and what it leaves beside it.
    direction = category(("none", *state.DIRECTIONS))
    side = category(("none", *state.SIDES))
    ring_place = number(60)
    next_to_by_colour = number(6, tells="heights beside the cell", name="next_to_{}").each(state.COLOURS)
    next_to_own = number(6, tells="own resources beside it")
    next_to_others = number(6)
    next_to = category(4, tells="buildings beside it")
    free = category(4, tells="free cells beside it")
    # The rest.
    taken = category(("none", "resource", "tile"))
    tokens_left = category(2, tells="for new hands, if one is used")
    returned = number(10, tells="tiles that it has named to be returned, with this one")
    kept_tiles = number(15, tells="that it would keep")
    kept_of_colour = number(8, tells="and of that colour")
    letter = category(("none", *state.LETTERS), tells="of the urbanization card")
    by_itself = AloneColumns
    with_tile = UseColumns


COMING, USE = SeatColumns.span("coming")
INPUTS = inputs_of(TableColumns, OpenColumns, SeatColumns, ActionColumns)

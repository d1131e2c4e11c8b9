"""The observation of a seat as numbers: the columns, and the kernel that writes them.

Everything that the view of a seat shows and that matters for play, but for printed numbers and what follows from the
rest; besides which cards it knows to be on the discard pile, because they were turned over or because it has held them.
The city is told by the tile on top of each building, since that is what a building card names: so a column means the
same wherever the building stands and whenever it was built.
"""

from __future__ import annotations

from functools import cache

from ziggurat.core.columns import Columns, category, clockwise, number, seat_after
from ziggurat.core.game import as_printed
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.components import GinkgopolisComponents
from ziggurat.games.ginkgopolis.rules import actors
from ziggurat.games.ginkgopolis.setup import START_TILES
from ziggurat.games.ginkgopolis.supply import supply_of_tiles
from ziggurat.games.ginkgopolis.tokens import character_token, tile_token

# Points above it are shown as this; they are far more than anybody gets.
MOST_POINTS = 300
# Each urbanization takes the city, and the markers around it, one cell further.
FAR = state.TILES - START_TILES + 2
FIRST = 3  # in each colour the city begins with so many tiles, and the others are drawn
DRAWN = state.TILES - FIRST * len(state.COLOURS)
# Where a tile is, as far as the observer knows.
TILE_AT = ("unknown", "behind_screen", "to_be_returned", "laid")
BEHIND, RETURNED, LAID = 1, 2, 3
# And a card; then follow those who keep it.
CARD_AT = ("unknown", "laid", "discarded")
CHOSEN, DISCARDED, IN_HAND = 1, 2, 3


@cache
def observation(players: int) -> type[Columns]:
    """The fields that ``observe`` writes."""
    printed = as_printed("ginkgopolis", GinkgopolisComponents)
    solo = players == 1
    owners = ["player.0", "hal"] if solo else [f"player.{player}" for player in range(players)]
    all_resources = printed.setup.resources[players - 1]
    all_tiles = state.TILES - START_TILES - printed.setup.tiles_removed[players - 1]
    every_tile = [tile_token(tile).replace(" ", ".") for tile in range(1, state.TILES + 1)]
    # The others lie in the city from the start, are nobody's, and are covered one day.
    drawn = [tile for i, tile in enumerate(every_tile) if i % state.NUMBERS >= FIRST]
    characters = [character_token(type).replace(" ", ".") for type in range(state.TYPES)]
    card_at = [*CARD_AT, *(f"hand.{player}" for player in range(players))]
    where = "where each card is, as far as the observer knows; laid by itself"
    bonuses = [[_most(printed, trigger, good) for good in state.GOODS] for trigger in state.TRIGGERS]

    class Player(Columns):
        supply = number(all_resources)
        resources = number(all_resources, tells="behind the screen")
        tiles = number(all_tiles, tells="behind the screen")
        hand = number(state.HAND, tells="cards")
        decides = number(1, tells="owes a decision")
        bonus = number(bonuses, tells="what all its cards give").each(state.TRIGGERS, state.GOODS)
        new_hands = number(printed.setup.new_hands, tells="tokens left").when(not solo)
        committed = category(["nothing", "card", "card_and_tile"], tells="what it has laid face down").when(not solo)
        character = number(state.KEPT_CHARACTERS, tells="those it keeps, once all are shown, or its own")
        character = character.each(characters).when(not solo)

    class Hal(Columns):
        supply = number(all_resources)
        points = number(MOST_POINTS)

    class Observation(Columns):
        phase = category(state.PHASES, tells="what is asked")
        turn = category(len(owners) - 1, tells="who acts; while all choose, the first player")
        deck = number(state.CARDS, tells="cards left")
        discard = number(state.CARDS)
        tiles = number(all_tiles, tells="left in the supply")
        depleted = number(2, tells="how often the supply of tiles ran out")
        ending = number(1, tells="this round is the last one")
        moving = category(["none", *state.LETTERS], tells="the marker that has to be moved")
        options = state.OPTIONS.observed(players)
        points = number(MOST_POINTS, name="player.0.points", tells="so far; more is shown as this")
        marker_x = number(FAR, -FAR, "the cell of each marker", "marker.{}.x").each(state.LETTERS)
        marker_y = number(FAR, -FAR, "the cell of each marker", "marker.{}.y").each(state.LETTERS)
        height = number(all_resources, 0, "if the tile lies on top of a building; else 0", "building.{}.height")
        height = height.each(every_tile)
        x = number(FAR, -FAR, "the cell of that building", "building.{}.x").each(every_tile)
        y = number(FAR, -FAR, "the cell of that building", "building.{}.y").each(every_tile)
        owner = category(["nobody", *owners], 0, "who has resources on it", "building.{}.owner").each(drawn)
        site = number(1, 0, "its card is not in the deck yet", "building.{}.site").each(drawn)
        tile = category(TILE_AT, tells="the observer's own tiles").each(drawn)
        card = category([*card_at, *(f"kept.{owner}" for owner in owners)], tells=where).each(every_tile)
        urban = category(card_at, tells=where, name="card.{}").each(state.LETTERS)
        player = Player.each(range(players))
        hal = Hal.when(solo)
        first = category(players - 1, tells="the first player").when(not solo)
        draft = number(state.HAND, tells="characters that the observer chooses from").each(characters).when(not solo)

    return Observation


def _most(printed: GinkgopolisComponents, trigger: str, good: str) -> int:
    """The sum of all cards with a trigger, and three characters besides."""
    cards = printed.cards
    numbers = [number for number in range(9) if cards.triggers[number] == trigger]
    own = sum(cards.own_good[number] for number in numbers)
    extra = sum(cards.extra_points[number] for number in numbers)
    return state.KEPT_CHARACTERS + own + (extra * len(state.COLOURS) if good == "point" else 0)


@kernel
def observe(s: Record, seat: int, seen: Record) -> None:
    """Write the observation of a seat (-1: a spectator, in the place of the first seat)."""
    out_of_line()
    players = s.players + 0
    me = max(seat, 0)
    seen.phase = s.phase
    seen.turn = clockwise(me, s.actor if s.phase > state.CHOOSE else s.first, players)
    seen.deck = s.deck_left
    seen.discard = s.discard_left
    seen.tiles = supply_of_tiles(s)
    seen.depleted = s.depleted
    seen.ending = s.ending
    seen.moving = s.moving + 1 if s.phase == state.MARKER else 0
    seen.points = min(s.points[me], MOST_POINTS) if seat >= 0 else 0
    for marker in range(12):
        seen.marker_x[marker] = s.marker_x[marker]
        seen.marker_y[marker] = s.marker_y[marker]
    observe_city(s, me, seen)
    observe_tiles(s, seat, seen)
    observe_cards(s, seat, seen)
    asked = actors(s)
    player = me
    for place in range(players):
        observe_player(s, player, asked >> player & 1, player == seat, seen.player[place])
        player = seat_after(player, players)
    # A table has Hal, or a first player and perhaps a draft: what it has no columns of is not told.
    seen.hal.supply = s.supply[state.HAL]
    seen.hal.points = min(s.points[state.HAL], MOST_POINTS)
    seen.first = clockwise(me, s.first, players)
    for type in range(state.TYPES):
        seen.draft[type] = 0
    if seat >= 0 and s.phase == state.DRAFT:
        for place in range(4):
            character = s.draft[seat][place] + 0
            if character > 0:
                seen.draft[character - 1] += 1


@kernel
def observe_city(s: Record, me: int, seen: Record) -> None:
    """Write of each tile that lies on top of a building height, x, y, and of those that are drawn owner and site."""
    for tile in range(state.TILES):
        seen.height[tile] = 0
        seen.x[tile] = 0
        seen.y[tile] = 0
    for place in range(DRAWN):
        seen.owner[place] = 0
        seen.site[place] = 0
    for building in range(s.buildings):
        tile = s.top[building] - 1
        seen.height[tile] = s.height[building]
        seen.x[tile] = s.x[building]
        seen.y[tile] = s.y[building]
        if s.owner[building] >= 0:
            seen.owner[among_drawn(tile)] = 1 + clockwise(me, s.owner[building], s.owners)
            seen.site[among_drawn(tile)] = s.site[building]


@kernel
def among_drawn(tile: int) -> int:
    """The index among the drawn tiles of one that is counted from 0."""
    return tile - FIRST * (1 + tile // state.NUMBERS)


@kernel
def observe_tiles(s: Record, seat: int, seen: Record) -> None:
    """Write the place of each drawn tile, as far as a seat knows."""
    place = 0
    for colour in range(3):
        for tile in range(colour * state.NUMBERS + FIRST + 1, (colour + 1) * state.NUMBERS + 1):
            holder = s.holder[tile] - seat
            at = BEHIND if holder == 1 else RETURNED if holder == 1 + state.RETURNING else 0
            seen.tile[place] = at if seat >= 0 else 0
            place += 1
    if seat >= 0 and s.tile[seat] > 0:
        seen.tile[among_drawn(s.tile[seat] - 1)] = LAID


@kernel
def observe_cards(s: Record, seat: int, seen: Record) -> None:
    """Write the place of each card, as far as a seat knows."""
    players, owners = s.players + 0, s.owners + 0
    me = max(seat, 0)
    first = IN_HAND + players - 1 - me
    for i in range(60):
        keeper = s.kept[1 + i] + 0
        kept = keeper + first
        seen.card[i] = 0 if keeper == 0 else kept if keeper > me else kept + owners
    for i in range(state.MARKERS):
        seen.urban[i] = 0
    if s.remember:
        for i in range(s.discard_left):
            card = s.discard[i] + 0
            if s.seen[card] == -1 or (seat >= 0 and s.seen[card] >> me & 1):
                put(card, DISCARDED, seen)
    if seat < 0:
        return
    if s.remember and not s.finished:
        other = seat
        for i in range(1, players):
            other = seat_after(other, players)
            for place in range(4):
                observe_card(s, s.hand[other][place] + 0, seat, IN_HAND + i, seen)
            observe_card(s, s.chosen[other] + 0, seat, IN_HAND + i, seen)
    for place in range(4):
        put(s.hand[seat][place] + 0, IN_HAND, seen)
    put(s.chosen[seat] + 0, CHOSEN, seen)


@kernel
def observe_card(s: Record, card: int, seat: int, at: int, seen: Record) -> None:
    """Write the place of somebody else's card, if a seat has held it."""
    if s.seen[card] >> seat & 1:
        put(card, at, seen)


@kernel
def put(card: int, at: int, seen: Record) -> None:
    """Write the place of a card, if it is one."""
    if card > state.URBAN:
        seen.urban[card - state.URBAN - 1] = at
    elif card > 0:
        seen.card[card - 1] = at


@kernel
def observe_player(s: Record, player: int, decides: int, own: bool, of: Record) -> None:
    """Write what everybody sees of a player, and the characters that it keeps in secret if it is the observer."""
    cards = 0
    for place in range(4):
        cards += 1 if s.hand[player][place] != 0 else 0
    committed = 1 if s.chosen[player] != 0 and s.choosing[player] == 0 else 0
    of.supply = s.supply[player]
    of.resources = s.stock[player]
    of.tiles = s.count[player]
    of.hand = cards
    of.decides = decides
    for trigger in range(3):
        for good in range(3):
            of.bonus[trigger][good] = s.bonus[player][trigger][good]
    of.new_hands = s.new_hands[player]
    of.committed = committed + (committed if s.tile[player] != 0 else 0)
    for type in range(state.TYPES):
        of.character[type] = 0
    if s.phase != state.DRAFT or own:
        for place in range(3):
            character = s.characters[player][place] + 0
            if character > 0:
                of.character[character - 1] += 1

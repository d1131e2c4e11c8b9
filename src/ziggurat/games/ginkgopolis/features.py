"""What a seat sees as numbers: the columns, and the kernel that writes them in the same order.

Everything that the view of a seat shows and that matters for play, but for printed numbers and what follows from the
rest; besides which cards it knows to be on the discard pile, because they were turned over or because it has held them.
The city is told by the tile on top of each building, since that is what a building card names: so a column means the
same wherever the building stands and whenever it was built.
"""

from __future__ import annotations

from functools import cache

from ziggurat.core.features import Feature, category, number
from ziggurat.core.game import as_printed
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.components import GinkgopolisComponents
from ziggurat.games.ginkgopolis.rules import actors
from ziggurat.games.ginkgopolis.setup import START_TILES
from ziggurat.games.ginkgopolis.supply import supply_of_tiles
from ziggurat.games.ginkgopolis.tokens import card_token, character_token, tile_token

# Points above it are shown as this; they are far more than anybody gets.
MOST_POINTS = 300
# Each urbanization takes the city, and the markers around it, one cell further.
FAR = state.TILES - START_TILES + 2
FIRST = 3  # in each colour the city begins with so many tiles, and the others are drawn
# Where a tile is, as far as the observer knows.
BEHIND, RETURNED, LAID = 1, 2, 3
# And a card; then follow those who keep it.
CHOSEN, DISCARDED, IN_HAND = 1, 2, 3
TILE_AT = ("unknown", "behind_screen", "to_be_returned", "laid")


@cache
def features(players: int) -> tuple[Feature, ...]:
    """The columns of ``observe``."""
    printed = as_printed("ginkgopolis", GinkgopolisComponents)
    solo = players == 1
    owners = ["player.0", "hal"] if solo else [f"player.{player}" for player in range(players)]
    resources = printed.setup.resources[players - 1]
    tiles = state.TILES - START_TILES - printed.setup.tiles_removed[players - 1]
    every_tile = [tile_token(tile).replace(" ", ".") for tile in range(1, state.TILES + 1)]
    # The others lie in the city from the start, are nobody's, and are covered one day.
    drawn = [tile for i, tile in enumerate(every_tile) if i % state.NUMBERS >= FIRST]
    cards = [card_token(card).replace(" ", ".") for card in range(1, state.CARDS + 1)]
    hands = [f"hand.{player}" for player in range(players)]
    found = [
        category("phase", state.PHASES, tells="what is asked"),
        category("turn", len(owners) - 1, tells="who acts; while all choose, the first player"),
        number("deck", state.CARDS, tells="cards left"),
        number("discard", state.CARDS),
        number("tiles", tiles, tells="left in the supply"),
        number("depleted", 2, tells="how often the supply of tiles ran out"),
        number("ending", 1, tells="this round is the last one"),
        category("moving", ["none", *state.LETTERS], tells="the marker that has to be moved"),
        state.OPTIONS.observed(players),
        number("player.0.points", MOST_POINTS, tells="so far; more is shown as this"),
    ]
    for axis in "xy":
        found += [
            number(f"marker.{letter}.{axis}", FAR, -FAR, tells="the cell of each marker") for letter in state.LETTERS
        ]
    found += [
        number(f"building.{tile}.height", resources, tells="if the tile lies on top of a building; else 0")
        for tile in every_tile
    ]
    found += [
        number(f"building.{tile}.{axis}", FAR, -FAR, tells="the cell of that building")
        for axis in "xy"
        for tile in every_tile
    ]
    found += [
        category(f"building.{tile}.owner", ["nobody", *owners], tells="who has resources on it") for tile in drawn
    ]
    found += [number(f"building.{tile}.site", 1, tells="its card is not in the deck yet") for tile in drawn]
    found += [category(f"tile.{tile}", TILE_AT, tells="the observer's own tiles") for tile in drawn]
    for card, name in enumerate(cards, start=1):
        kept = [f"kept.{owner}" for owner in owners] if card <= state.TILES else []
        found.append(
            category(
                f"card.{name}",
                ["unknown", "laid", "discarded", *hands, *kept],
                tells="where each card is, as far as the observer knows; laid by itself",
            )
        )
    for name in owners:
        found.append(number(f"{name}.supply", resources))
        if name == "hal":
            found.append(number(f"{name}.points", MOST_POINTS))
            continue
        found += [
            number(f"{name}.resources", resources, tells="behind the screen"),
            number(f"{name}.tiles", tiles, tells="behind the screen"),
            number(f"{name}.hand", state.HAND, tells="cards"),
            number(f"{name}.decides", 1, tells="owes a decision"),
        ]
        for trigger in state.TRIGGERS:
            found += [
                number(f"{name}.bonus.{trigger}.{good}", _most(printed, trigger, good), tells="what all its cards give")
                for good in state.GOODS
            ]
        if not solo:
            found.append(number(f"{name}.new_hands", printed.setup.new_hands, tells="tokens left"))
            found.append(
                category(f"{name}.committed", ["nothing", "card", "card_and_tile"], tells="what it has laid face down")
            )
            found += [
                number(
                    f"{name}.character.{type}",
                    state.KEPT_CHARACTERS,
                    tells="those it keeps, once all are shown, or its own",
                )
                for type in _characters()
            ]
    if not solo:
        found.append(category("first", players - 1, tells="the first player"))
        found += [
            number(f"draft.{type}", state.HAND, tells="characters that the observer chooses from")
            for type in _characters()
        ]
    return tuple(found)


def _characters() -> list[str]:
    return [character_token(type).replace(" ", ".") for type in range(state.TYPES)]


def _most(printed: GinkgopolisComponents, trigger: str, good: str) -> int:
    """What all cards with a trigger give together, and three characters besides."""
    cards = printed.cards
    numbers = [number for number in range(9) if cards.triggers[number] == trigger]
    own = sum(cards.own_good[number] for number in numbers)
    extra = sum(cards.extra_points[number] for number in numbers)
    return state.KEPT_CHARACTERS + own + (extra * len(state.COLOURS) if good == "point" else 0)


@kernel
def observe(s: Record, seat: int, out: Record) -> int:
    """Write what a seat (-1: a spectator, in the place of the first seat) sees, column by column; return how many."""
    out_of_line()
    players = s.players + 0
    me = max(seat, 0)
    turn = (s.actor if s.phase > state.CHOOSE else s.first) - me
    out.values[0] = s.phase
    out.values[1] = turn if turn >= 0 else turn + players
    out.values[2] = s.deck_left
    out.values[3] = s.discard_left
    out.values[4] = supply_of_tiles(s)
    out.values[5] = s.depleted
    out.values[6] = s.ending
    out.values[7] = s.moving + 1 if s.phase == state.MARKER else 0
    out.values[8] = s.observed_options
    out.values[9] = min(s.points[me], MOST_POINTS) if seat >= 0 else 0
    for marker in range(12):
        out.values[10 + marker] = s.marker_x[marker]
        out.values[22 + marker] = s.marker_y[marker]
    observe_city(s, me, out)
    observe_tiles(s, seat, out)
    observe_cards(s, seat, out)
    n = 439
    asked = actors(s)
    player = me
    for _ in range(players):
        n = observe_player(s, player, asked >> player & 1, player == seat, out, n)
        player = player + 1 if player + 1 < players else 0
    if players == 1:
        out.values[n] = s.supply[state.HAL]
        out.values[n + 1] = min(s.points[state.HAL], MOST_POINTS)
        return n + 2
    first = s.first - me
    out.values[n] = first if first >= 0 else first + players
    n += 1
    for character in range(9):
        out.values[n + character] = 0
    if seat >= 0 and s.phase == state.DRAFT:
        for place in range(4):
            character = s.draft[seat][place] + 0
            if character > 0:
                out.values[n + character - 1] += 1
    return n + 9


@kernel
def observe_city(s: Record, me: int, out: Record) -> None:
    """From 34 on: of each tile that lies on top of a building height, x, y, and of those that are drawn owner and site;
    zeros of all others."""
    for i in range(282):
        out.values[34 + i] = 0
    for building in range(s.buildings):
        tile = s.top[building] - 1
        out.values[34 + tile] = s.height[building]
        out.values[94 + tile] = s.x[building]
        out.values[154 + tile] = s.y[building]
        owner = s.owner[building] + 0
        if owner >= 0:
            n = 214 + tile - FIRST * (1 + tile // state.NUMBERS)
            out.values[n] = 1 + (owner - me if owner >= me else owner - me + s.owners)
            out.values[n + 51] = s.site[building]


@kernel
def observe_tiles(s: Record, seat: int, out: Record) -> None:
    """From 316 on: where each tile is that is drawn, as far as a seat knows."""
    n = 316
    for colour in range(3):
        first = colour * state.NUMBERS + FIRST + 1
        for i in range(17):
            holder = s.holder[first + i] - seat
            at = BEHIND if holder == 1 else RETURNED if holder == 1 + state.RETURNING else 0
            out.values[n + i] = at if seat >= 0 else 0
        n += 17
    if seat >= 0 and s.tile[seat] > 0:
        tile = s.tile[seat] - 1
        out.values[316 + tile - FIRST * (1 + tile // state.NUMBERS)] = LAID


@kernel
def observe_cards(s: Record, seat: int, out: Record) -> None:
    """From 367 on: where each card is, as far as a seat knows."""
    players, owners = s.players + 0, s.owners + 0
    me = max(seat, 0)
    first = IN_HAND + players - 1 - me
    for i in range(60):
        keeper = s.kept[1 + i] + 0
        kept = keeper + first
        out.values[367 + i] = 0 if keeper == 0 else kept if keeper > me else kept + owners
    for i in range(12):
        out.values[427 + i] = 0
    if s.remember:
        for i in range(s.discard_left):
            card = s.discard[i] + 0
            if s.seen[card] == -1 or (seat >= 0 and s.seen[card] >> me & 1):
                out.values[366 + card] = DISCARDED
    if seat < 0:
        return
    if s.remember and not s.finished:
        other = seat
        for i in range(1, players):
            other = other + 1 if other + 1 < players else 0
            for place in range(4):
                observe_card(s, s.hand[other][place], seat, IN_HAND + i, out)
            observe_card(s, s.chosen[other], seat, IN_HAND + i, out)
    for place in range(4):
        card = s.hand[seat][place] + 0
        if card > 0:
            out.values[366 + card] = IN_HAND
    if s.chosen[seat] > 0:
        out.values[366 + s.chosen[seat]] = CHOSEN


@kernel
def observe_card(s: Record, card: int, seat: int, at: int, out: Record) -> None:
    """A card of somebody else, if a seat has held it."""
    if card > 0 and s.seen[card] >> seat & 1:
        out.values[366 + card] = at


@kernel
def observe_player(s: Record, player: int, decides: int, own: bool, out: Record, n: int) -> int:
    """What everybody sees of a player, and the characters that it keeps in secret if it is the observer."""
    cards = 0
    for place in range(4):
        cards += 1 if s.hand[player][place] != 0 else 0
    out.values[n] = s.supply[player]
    out.values[n + 1] = s.stock[player]
    out.values[n + 2] = s.count[player]
    out.values[n + 3] = cards
    out.values[n + 4] = decides
    for trigger in range(3):
        for good in range(3):
            out.values[n + 5 + trigger * 3 + good] = s.bonus[player][trigger][good]
    n += 14
    if s.players == 1:
        return n
    committed = 1 if s.chosen[player] != 0 and s.choosing[player] == 0 else 0
    out.values[n] = s.new_hands[player]
    out.values[n + 1] = committed + (committed if s.tile[player] != 0 else 0)
    n += 2
    for character in range(9):
        out.values[n + character] = 0
    if s.phase != state.DRAFT or own:
        for place in range(3):
            character = s.characters[player][place] + 0
            if character > 0:
                out.values[n + character - 1] += 1
    return n + 9

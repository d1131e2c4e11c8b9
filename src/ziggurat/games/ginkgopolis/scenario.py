"""Scenarios of Ginkgopolis: a fresh game, rearranged until it is the start of the round that a file describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ziggurat.core.box import Box, Seat, by_seat, fill, parsed, seat_of, sized
from ziggurat.core.errors import ScenarioError
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import find_held, good_of
from ziggurat.games.ginkgopolis.city import draw_plan
from ziggurat.games.ginkgopolis.tokens import card_token, parse_card, parse_character, parse_tile, tile_token

Count = Annotated[int, Meta(ge=0, le=60)]
Coordinate = Annotated[int, Meta(ge=-30, le=30)]


class Site(msgspec.Struct, forbid_unknown_fields=True):
    """A building: its cell, its top tile, its height, whose it is (a seat, or ``hal``), whether it has a site pawn."""

    x: Coordinate
    y: Coordinate
    tile: str
    height: Annotated[int, Meta(ge=1, le=30)] = 1
    owner: str = ""
    site: bool = False


class Arrangement(msgspec.Struct, forbid_unknown_fields=True):
    """The schema of the start of a round in a scenario file. Tables go by seat, counted from 1; in the solo game 2 is
    Hal.

    ``city`` names every building; the tiles below the tops are any that are left. Decks begin with the top card.
    """

    first: Seat | None = None
    round: Annotated[int, Meta(ge=1, le=999)] | None = None
    city: list[Site] | None = None
    markers: dict[str, tuple[Coordinate, Coordinate]] = {}
    characters: dict[str, list[str]] = {}
    kept: dict[str, list[str]] = {}
    resources: dict[str, Count] = {}
    supply: dict[str, Count] = {}
    points: dict[str, Count] = {}
    tiles: dict[str, list[str]] = {}
    hands: dict[str, list[str]] = {}
    new_hands: dict[str, Count] = {}
    deck: list[str] = []
    deck_left: Count | None = None
    hal_card: str | None = None
    supply_tiles: list[str] = []
    tiles_left: Count | None = None
    depleted: Annotated[int, Meta(ge=0, le=1)] = 0


def arrange_scenario(s: Any, given: Mapping[str, Any], template: Any) -> None:
    """Rearrange ``s``, a game just set up from ``template``, to what ``given`` says; the rest keeps its random cards.

    Raises:
        msgspec.ValidationError: for what does not look like an ``Arrangement``.
        ScenarioError: for a card or tile that does not exist or is used twice, or a seat that is not there.
    """
    wanted = msgspec.convert(given, Arrangement)
    if s.draft[0][0]:
        raise ScenarioError('a scenario begins after the draft; use the option characters = "sets"', where="characters")
    if wanted.first is not None:
        s.first = seat_of(s.players, wanted.first, "first")
    if wanted.round is not None:
        s.round = wanted.round
    s.phase, s.waiting, s.depleted = state.CHOOSE, (1 << s.players) - 1, wanted.depleted
    _arrange_city(s, wanted)
    _arrange_tableaus(s, wanted)
    _arrange_goods(s, wanted)
    _arrange_tiles(s, wanted)
    _arrange_cards(s, wanted)


def _arrange_city(s: Any, wanted: Arrangement) -> None:
    if wanted.city is not None:
        if not wanted.city:
            raise ScenarioError("a city has at least one building", where="city")
        tops = [parsed(parse_tile, site.tile, "city") for site in wanted.city]
        cells = {(site.x, site.y) for site in wanted.city}
        if len(set(tops)) < len(tops) or len(cells) < len(tops):
            raise ScenarioError("every tile and every cell occurs once in a city", where="city")
        s.buildings = len(tops)
        for i, (site, top) in enumerate(zip(wanted.city, tops, strict=True)):
            owner = state.NOBODY
            if site.owner:
                names = [str(seat + 1) for seat in range(s.players)] + (["hal"] if s.owners > s.players else [])
                if site.owner not in names:
                    raise ScenarioError(f"owner is one of {', '.join(names)}, not {site.owner!r}", where="city")
                owner = names.index(site.owner)
            s.x[i], s.y[i], s.top[i], s.height[i], s.owner[i] = site.x, site.y, top, site.height, owner
            s.site[i] = int(site.site)
        for i in range(len(tops), state.TILES):
            s.x[i] = s.y[i] = s.top[i] = s.height[i] = s.owner[i] = s.site[i] = 0
    for letter, (x, y) in wanted.markers.items():
        if letter not in state.LETTERS or len(letter) != 1:
            raise ScenarioError(
                f"markers are {state.LETTERS[0]} to {state.LETTERS[-1]}, not {letter!r}", where=f"markers.{letter}"
            )
        s.marker_x[state.LETTERS.index(letter)], s.marker_y[state.LETTERS.index(letter)] = x, y
    cells = {(s.x[i], s.y[i]) for i in range(s.buildings)}
    places = [(s.marker_x[i], s.marker_y[i]) for i in range(state.MARKERS)]
    if len(set(places)) < state.MARKERS or cells & set(places):
        raise ScenarioError("every marker lies on a cell of its own, beside the buildings", where="markers")
    draw_plan(s)


def _arrange_tableaus(s: Any, wanted: Arrangement) -> None:
    for seat, names in by_seat(s.owners, wanted.characters, "characters").items():
        if len(names) > state.KEPT_CHARACTERS:
            raise ScenarioError(f"at most {state.KEPT_CHARACTERS} characters", where=f"characters.{seat + 1}")
        found = [parsed(parse_character, name, f"characters.{seat + 1}") + 1 for name in names]
        fill(s.characters[seat], found)
    tops = set(s.top[: s.buildings])
    for owner, tokens in by_seat(s.owners, wanted.kept, "kept").items():
        for token in tokens:
            card = parsed(parse_tile, token, f"kept.{owner + 1}")
            if s.kept[card] or card in tops:
                raise ScenarioError(f"{token} is kept twice, or still on top of a building", where=f"kept.{owner + 1}")
            s.kept[card] = owner + 1
    for seat in range(s.players):
        bonus = [[0] * 3 for _ in range(3)]
        for character in s.characters[seat]:
            if character:
                bonus[(character - 1) % 3][good_of((character - 1) // 3)] += 1
        for card in range(1, state.TILES + 1):
            if s.kept[card] == seat + 1 and s.trigger[card] >= 0:
                for good in range(3):
                    bonus[s.trigger[card]][good] += s.gain[card][good]
        s.bonus[seat] = bonus


def _arrange_goods(s: Any, wanted: Arrangement) -> None:
    resources, supply = by_seat(s.owners, wanted.resources, "resources"), by_seat(s.owners, wanted.supply, "supply")
    for owner in range(s.owners):
        placed = sum(s.height[i] for i in range(s.buildings) if s.owner[i] == owner)
        s.stock[owner] = resources.get(owner, min(s.stock[owner], max(s.resources - placed, 0)))
        s.supply[owner] = supply.get(owner, s.resources - placed - s.stock[owner])
        if s.supply[owner] < 0:
            raise ScenarioError(f"seat {owner + 1} has only {s.resources} resources", where=f"resources.{owner + 1}")
    for owner, points in by_seat(s.owners, wanted.points, "points").items():
        s.points[owner] = points
    for owner, left in by_seat(s.owners, wanted.new_hands, "new_hands").items():
        s.new_hands[owner] = left


def _arrange_tiles(s: Any, wanted: Arrangement) -> None:
    everything = range(1, state.TILES + 1)
    box = Box({*everything}.difference(s.top[: s.buildings]), tile_token, parse_tile, "{} is there twice")
    given = box.in_front(s.owners, wanted.tiles, "tiles")
    top = box.several(wanted.supply_tiles, "supply_tiles")
    # Tiles that are kept as cards, and those of the starting city, lie covered somewhere in the city.
    box.left -= Counter(tile for tile in everything if s.kept[tile] or (tile - 1) % state.NUMBERS < 3)
    old = box.rest(s.tiles[: s.tiles_left])
    for seat in range(s.players):
        mine = [tile for tile in everything if s.holder[tile] % state.RETURNING == seat + 1]
        for tile in mine:
            s.holder[tile] = 0
        mine = box.rest(mine)
        if seat in given:
            old += mine
            mine = given[seat]
        for tile in mine:
            s.holder[tile] = seat + 1
        s.count[seat] = len(mine)
    find_held(s)
    size = len(old) + len(top) - s.removed if wanted.tiles_left is None else wanted.tiles_left
    s.removed = min(s.removed, len(old))
    sized(size, len(top), len(old) - s.removed + len(top), "supply", "tiles_left", "tiles")
    supply = old[s.removed : s.removed + size - len(top)]
    # What is cut off leaves the game with the tiles that were removed.
    tiles = [tile for tile in old if tile not in supply] + supply + top[::-1]
    s.removed = len(tiles) - size
    s.tiles_left = fill(s.tiles, tiles)


def _arrange_cards(s: Any, wanted: Arrangement) -> None:
    """The cards in play are the letters and those of buildings without a site pawn (section 4.4)."""
    in_play = [state.URBAN + 1 + marker for marker in range(state.MARKERS)]
    in_play += [s.top[i] for i in range(s.buildings) if not s.site[i]]
    box = Box(in_play, card_token, parse_card, "{} is not in play, or there twice")
    hands = box.in_front(s.owners, wanted.hands, "hands")
    top = box.several(wanted.deck, "deck")
    hal = box.named(wanted.hal_card, "hal_card") if wanted.hal_card is not None else 0
    size = s.hand_size if s.players == 1 else state.HAND
    before = [*(card for hand in s.hand for card in hand), s.hal_card, *s.deck[: s.deck_left], *s.discard]
    rest = box.rest([*before, *in_play])
    for seat in range(s.players):
        cards = hands.get(seat, [])
        if len(cards) > size:
            raise ScenarioError(f"a hand has at most {size} cards", where=f"hands.{seat + 1}")
        while len(cards) < size and rest:
            cards.append(rest.pop())
        fill(s.hand[seat], cards)
    if s.owners > s.players:
        s.hal_card = hal or rest.pop()
    left = sized(wanted.deck_left, max(len(top), 1), len(rest) + len(top), "deck", "deck_left") - len(top)
    s.deck_left = fill(s.deck, rest[:left] + top[::-1])
    s.discard_left = fill(s.discard, rest[left:])
    s.seen = [0] * len(s.seen)
    for seat in range(s.players):
        for card in s.hand[seat]:
            if card:
                s.seen[card] |= 1 << seat


def count_pieces(s: Any) -> dict[str, int]:
    """Resources by owner, tiles and cards, wherever they are: the same from first to last."""
    pieces: Counter[str] = Counter()
    for owner in range(s.owners):
        placed = sum(s.height[i] for i in range(s.buildings) if s.owner[i] == owner)
        pieces[f"resources of {owner + 1}"] = s.stock[owner] + s.supply[owner] + placed
    heights = sum(s.height[i] for i in range(s.buildings))
    held = sum(1 for tile in range(1, state.TILES + 1) if s.holder[tile])
    pieces["tiles"] = heights + held + s.tiles_left + sum(1 for tile in s.tile if tile)
    # Section 4.4: as many cards are in play as there are letters and buildings without a site pawn.
    cards = [*s.deck[: s.deck_left], *s.discard[: s.discard_left], s.hal_card]
    cards += [card for hand in s.hand for card in hand] + list(s.chosen)
    in_play = sum(1 for card in cards if card)
    pieces["cards, less buildings"] = in_play - sum(1 for i in range(s.buildings) if not s.site[i])
    return dict(pieces)

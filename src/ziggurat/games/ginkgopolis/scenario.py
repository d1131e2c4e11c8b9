"""Scenarios of Ginkgopolis: a fresh game, rearranged until it is the start of the round that a file describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ziggurat.core.errors import ScenarioError
from ziggurat.core.scenario import by_seat
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import good_of
from ziggurat.games.ginkgopolis.tokens import parse_card, parse_character, parse_tile

Seat = Annotated[int, Meta(ge=1, le=state.MAX_PLAYERS)]
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
    """What a file may say about the start of a round. Tables go by seat, counted from 1; in the solo game 2 is Hal.

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
        if wanted.first > s.players:
            raise ScenarioError(f"first is a seat from 1 to {s.players}", where="first")
        s.first = wanted.first - 1
    if wanted.round is not None:
        s.round = wanted.round
    s.phase, s.waiting, s.depleted = state.CHOOSE, (1 << s.players) - 1, wanted.depleted
    _arrange_city(s, wanted)
    _arrange_tableaus(s, wanted)
    _arrange_goods(s, wanted)
    _arrange_tiles(s, wanted)
    _arrange_cards(s, wanted)


def _parsed(parse: Any, token: str, where: str) -> int:
    try:
        number: int = parse(token)
    except ValueError as error:
        raise ScenarioError(str(error), where=where) from None
    return number


def _arrange_city(s: Any, wanted: Arrangement) -> None:
    if wanted.city is not None:
        if not wanted.city:
            raise ScenarioError("a city has at least one building", where="city")
        tops = [_parsed(parse_tile, site.tile, "city") for site in wanted.city]
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


def _arrange_tableaus(s: Any, wanted: Arrangement) -> None:
    for seat, names in by_seat(s.owners, wanted.characters, "characters").items():
        if len(names) > state.KEPT_CHARACTERS:
            raise ScenarioError(f"at most {state.KEPT_CHARACTERS} characters", where=f"characters.{seat + 1}")
        found = [_parsed(parse_character, name, f"characters.{seat + 1}") + 1 for name in names]
        s.characters[seat] = found + [0] * (state.KEPT_CHARACTERS - len(found))
    tops = set(s.top[: s.buildings])
    for owner, tokens in by_seat(s.owners, wanted.kept, "kept").items():
        for token in tokens:
            card = _parsed(parse_tile, token, f"kept.{owner + 1}")
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
    used = set(s.top[: s.buildings])

    def take(token: str, where: str) -> int:
        tile = _parsed(parse_tile, token, where)
        if tile in used:
            raise ScenarioError(f"{token} is there twice", where=where)
        used.add(tile)
        return tile

    given = {
        owner: [take(token, f"tiles.{owner + 1}") for token in tokens]
        for owner, tokens in by_seat(s.owners, wanted.tiles, "tiles").items()
    }
    top = [take(token, "supply_tiles") for token in wanted.supply_tiles]
    # Tiles that are kept as cards, and those of the starting city, lie covered somewhere in the city.
    covered = {card for card in range(1, state.TILES + 1) if s.kept[card]}
    covered |= {tile for tile in range(1, state.TILES + 1) if (tile - 1) % state.NUMBERS < 3}
    old = [tile for tile in s.tiles[: s.tiles_left] if tile not in used and tile not in covered]
    for seat in range(s.players):
        mine = [tile for tile in range(1, state.TILES + 1) if s.holder[tile] % state.RETURNING == seat + 1]
        if seat in given:
            old += [tile for tile in mine if tile not in used and tile not in covered]
        for tile in mine:
            s.holder[tile] = 0
        for tile in given.get(seat, [tile for tile in mine if tile not in used and tile not in covered]):
            s.holder[tile] = seat + 1
            used.add(tile)
        s.count[seat] = sum(1 for tile in range(1, state.TILES + 1) if s.holder[tile] == seat + 1)
    old = [tile for tile in old if tile not in used]
    size = len(old) + len(top) - s.removed if wanted.tiles_left is None else wanted.tiles_left
    s.removed = min(s.removed, len(old))
    if not len(top) <= size <= len(old) - s.removed + len(top):
        high = len(old) - s.removed + len(top)
        raise ScenarioError(f"the supply can have {len(top)} to {high} tiles here, not {size}", where="tiles_left")
    supply = old[s.removed : s.removed + size - len(top)]
    # What is cut off leaves the game with the tiles that were removed.
    tiles = [tile for tile in old if tile not in supply] + supply + top[::-1]
    s.removed = len(tiles) - size
    s.tiles_left = len(tiles)
    s.tiles = tiles + [0] * (len(s.tiles) - len(tiles))


def _arrange_cards(s: Any, wanted: Arrangement) -> None:
    """The cards in play are the letters and those of buildings without a site pawn (section 4.4)."""
    in_play = [state.URBAN + 1 + marker for marker in range(state.MARKERS)]
    in_play += [s.top[i] for i in range(s.buildings) if not s.site[i]]
    pool = Counter(in_play)

    def take(token: str, where: str) -> int:
        card = _parsed(parse_card, token, where)
        if not pool[card]:
            raise ScenarioError(f"{token} is not in play, or there twice", where=where)
        pool[card] -= 1
        return card

    hands = {
        seat: [take(token, f"hands.{seat + 1}") for token in tokens]
        for seat, tokens in by_seat(s.owners, wanted.hands, "hands").items()
    }
    top = [take(token, "deck") for token in wanted.deck]
    hal = take(wanted.hal_card, "hal_card") if wanted.hal_card is not None else 0
    size = s.hand_size if s.players == 1 else state.HAND
    before = [*(card for hand in s.hand for card in hand), s.hal_card, *s.deck[: s.deck_left], *s.discard]
    rest = [card for card in [*before, *in_play] if pool[card] and not pool.subtract([card])]
    for seat in range(s.players):
        cards = hands.get(seat, [])
        if len(cards) > size:
            raise ScenarioError(f"a hand has at most {size} cards", where=f"hands.{seat + 1}")
        while len(cards) < size and rest:
            cards.append(rest.pop())
        s.hand[seat] = cards + [0] * (state.HAND - len(cards))
    if s.owners > s.players:
        s.hal_card = hal or rest.pop()
    left = len(rest) + len(top) if wanted.deck_left is None else wanted.deck_left
    if not max(len(top), 1) <= left <= len(rest) + len(top):
        low, high = max(len(top), 1), len(rest) + len(top)
        raise ScenarioError(f"the deck can have {low} to {high} cards here, not {left}", where="deck_left")
    deck = rest[: left - len(top)] + top[::-1]
    discard = rest[left - len(top) :]
    s.deck_left, s.deck = len(deck), deck + [0] * (len(s.deck) - len(deck))
    s.discard_left, s.discard = len(discard), discard + [0] * (len(s.discard) - len(discard))
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

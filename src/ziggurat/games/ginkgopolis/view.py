"""The view of one seat, an allow-list: a fact that is not written here is not shown (section 3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from ziggurat.core.events import seats
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.faces import Face, face
from ziggurat.games.ginkgopolis.rules import actors
from ziggurat.games.ginkgopolis.scoring import card_points, winners
from ziggurat.games.ginkgopolis.state import Colour, Good, Phase, Trigger
from ziggurat.games.ginkgopolis.supply import supply_of_tiles
from ziggurat.games.ginkgopolis.tokens import card_token, character_token, tile_token


class Building(msgspec.Struct, frozen=True):
    """A building. ``owner`` is a seat or Hal's place; an owned building carries as many of its owner's resources as it
    is high."""

    x: int
    y: int
    colour: Colour
    number: int
    height: int
    owner: int | None
    site: bool


class Marker(msgspec.Struct, frozen=True):
    letter: str
    x: int
    y: int


class Share(msgspec.Struct, frozen=True):
    """An owner's share of a district if the game ended now."""

    owner: int
    resources: int
    points: int


class District(msgspec.Struct, frozen=True):
    """A district: adjacent buildings of one colour, by their places in ``buildings``; the leader first."""

    colour: Colour
    buildings: list[int]
    shares: list[Share]


class Chosen(msgspec.Struct, frozen=True):
    """A chosen card, laid down; what it is, is None while it is hidden from the viewer."""

    card: str | None
    tile: str | None
    with_tile: bool


class Builder(msgspec.Struct, frozen=True):
    """A player, or Hal. What is behind the screen, or in the hand, is None unless the viewer may see it.

    ``played`` is what was turned over last, in this round or the one before, with its tile even if that could not be
    paid for; ``aside`` the card that expert Hal turned over and did not use; ``worth`` what each of the kept cards that
    count at the end would give now.
    """

    seat: int
    hal: bool
    resources: int
    supply: int
    points: int | None
    tiles: list[str] | None
    tile_count: int
    hand: list[str] | None
    cards: int
    known: list[str]
    chosen: Chosen | None
    played: Chosen | None
    aside: str | None
    new_hands: int
    characters: list[str]
    draft: list[str] | None
    kept: list[str]
    worth: dict[str, int]
    bonus: dict[Trigger, dict[Good, int]]


class GinkgopolisView(msgspec.Struct, frozen=True):
    """``faces`` says what each building card and character in sight gives, by its token."""

    game: str
    players: int
    seat: int | None
    actors: list[int]
    turn: int
    first: int
    round: int
    finished: bool
    winners: list[int]
    phase: Phase
    buildings: list[Building]
    markers: list[Marker]
    moving: str | None
    districts: list[District]
    deck: int
    discard: int
    tiles: int
    depleted: int
    ending: bool
    faces: dict[str, Face]
    builders: list[Builder]


Cell: TypeAlias = tuple[int, int, int, int, int, int]
"""Of a building: x, y, the tile on top, the height, the owner, and whether it is a building site."""


def public(s: Any, values: Any) -> GinkgopolisView:
    """The public view: the table as everybody sees it."""
    buildings, found = _city(_cells(s))
    kept = _kept(s)
    builders = [_builder(s, owner, kept[owner]) for owner in range(s.owners)]
    return GinkgopolisView(
        game="ginkgopolis",
        players=s.players,
        seat=None,
        actors=seats(actors(s)),
        turn=s.actor if s.phase not in (state.DRAFT, state.CHOOSE) else s.first,
        first=s.first,
        round=s.round,
        finished=bool(s.finished),
        winners=winner_seats(s),
        phase=state.PHASES[s.phase],
        buildings=[*buildings],
        markers=[*map(_marker, state.LETTERS, s.marker_x, s.marker_y)],
        moving=state.LETTERS[s.moving] if s.phase == state.MARKER else None,
        districts=[*found],
        deck=s.deck_left,
        discard=s.discard_left,
        tiles=supply_of_tiles(s),
        depleted=s.depleted,
        ending=bool(s.ending),
        faces={token: face(s, token) for token in sorted(_in_sight(builders))},
        builders=builders,
    )


def own(s: Any, seat: int | None, public: GinkgopolisView, everything: bool = False) -> GinkgopolisView:
    """The view of ``seat``: the public one, what is behind its screen and in its hand, what it remembers of others'
    hands, and what all of that gives. ``everything`` lifts all screens, for the umpire."""
    builders = []
    for builder in public.builders:
        if everything or builder.seat == seat:
            builder = _behind_screen(s, builder)
        elif known := _known(s, builder.seat, seat):
            builder = replace(builder, known=known)
        builders.append(builder)
    # Only what the seat has in sight more than everybody; who sees itself loses sight of nothing.
    shown = (builder for builder, other in zip(builders, public.builders, strict=True) if builder is not other)
    faces = public.faces
    if more := _in_sight(shown) - faces.keys():
        faces = {**faces, **{token: face(s, token) for token in more}}
        faces = {token: faces[token] for token in sorted(faces)}
    return replace(public, seat=seat, faces=faces, builders=builders)


_LETTERS = frozenset(state.LETTERS)


def _in_sight(builders: Iterable[Builder]) -> set[str]:
    """The building cards and characters that the viewer sees."""
    tokens: set[str] = set()
    for builder in builders:
        tokens.update(builder.characters, builder.kept, builder.known, builder.hand or (), builder.draft or ())
        tokens.update(laid.card for laid in (builder.chosen, builder.played) if laid is not None and laid.card)
        if builder.aside:
            tokens.add(builder.aside)
    return tokens - _LETTERS


def winner_seats(s: Any) -> list[int]:
    """The winners once the game is over; nobody when Hal has won."""
    return [seat for seat in seats(winners(s)) if seat < s.players] if s.finished else []


def _cells(s: Any) -> tuple[Cell, ...]:
    """The city, building by building."""
    n = s.buildings
    return tuple(zip(s.x[:n], s.y[:n], s.top[:n], s.height[:n], s.owner[:n], s.site[:n], strict=True))


# It stays as it is while everybody chooses.
@lru_cache(maxsize=256)
def _city(cells: tuple[Cell, ...]) -> tuple[list[Building], list[District]]:
    return [_building(*cell) for cell in cells], _districts(cells)


# Most buildings are those of a turn ago.
@lru_cache(maxsize=4096)
def _building(x: int, y: int, top: int, height: int, owner: int, site: int) -> Building:
    return Building(x, y, state.COLOURS[_colour(top)], _number(top), height, owner if owner >= 0 else None, bool(site))


def districts(s: Any) -> list[District]:
    """The districts of the city, and what everybody would get for them if the game ended now."""
    return _city(_cells(s))[1]


@lru_cache(maxsize=4096)
def _marker(letter: str, x: int, y: int) -> Marker:
    return Marker(letter, x, y)


def _colour(tile: int) -> int:
    return (tile - 1) // state.NUMBERS


def _number(tile: int) -> int:
    return (tile - 1) % state.NUMBERS + 1


def _districts(city: tuple[Cell, ...]) -> list[District]:
    """Section 6.4, as things stand."""
    at = {(x, y): building for building, (x, y, *_) in enumerate(city)}
    colours = [_colour(top) for _, _, top, *_ in city]
    group = list(range(len(city)))  # by its first building
    for one, (x, y, *_) in enumerate(city):
        for other in (at.get((x + 1, y)), at.get((x, y + 1))):
            if other is not None and colours[one] == colours[other] and group[one] != group[other]:
                first, gone = sorted((group[one], group[other]))
                group = [first if found == gone else found for found in group]
    members: dict[int, list[int]] = {}
    for building, its in enumerate(group):
        members.setdefault(its, []).append(building)
    return [
        District(state.COLOURS[colours[first]], found, _shares([city[building] for building in found]))
        for first, found in members.items()
        if len(found) > 1
    ]


def _shares(members: list[Cell]) -> list[Share]:
    ranks = []
    for owner in sorted({owner for _, _, _, _, owner, _ in members if owner >= 0}):
        own = [(height, _number(top)) for _, _, top, height, mine, _ in members if mine == owner]
        ranks.append((sum(height for height, _ in own), max(own), owner))
    ranks.sort(reverse=True)
    total = sum(resources for resources, _, _ in ranks)
    # The first gets what all have, the second what it has itself; an only one both.
    points = [2 * total] if len(ranks) == 1 else [total, *(rank[0] for rank in ranks[1:2]), *(0 for _ in ranks[2:])]
    return [Share(owner, resources, won) for (resources, _, owner), won in zip(ranks, points, strict=False)]


def tiles_of(s: Any, seat: int) -> list[str]:
    """The tiles behind a screen."""
    return [tile_token(tile) for tile, at in enumerate(s.holder) if at and at % state.RETURNING == seat + 1]


def _kept(s: Any) -> list[list[int]]:
    """The building cards that each owner keeps."""
    kept: list[list[int]] = [[] for _ in range(s.owners)]
    for card, keeper in enumerate(s.kept):
        if keeper:
            kept[keeper - 1].append(card)
    return kept


def _builder(s: Any, owner: int, kept: list[int]) -> Builder:
    """What everybody sees of an owner."""
    hal = owner >= s.players
    drafting = s.phase == state.DRAFT
    return Builder(
        seat=owner,
        hal=hal,
        resources=s.stock[owner],
        supply=s.supply[owner],
        points=s.points[owner] if hal or s.finished else None,
        tiles=[] if hal else None,
        tile_count=s.count[owner],
        hand=None,
        cards=len(s.hand[owner]) - s.hand[owner].count(0),
        known=[],
        chosen=chosen_of(s, owner, False),
        played=_laid(s.played[owner], s.played_tile[owner]) if s.played[owner] else None,
        aside=card_token(s.put_aside) if hal and s.put_aside else None,
        new_hands=s.new_hands[owner],
        characters=[] if drafting else _characters(s.characters[owner]),
        draft=None,
        kept=[tile_token(card) for card in kept],
        worth={tile_token(card): card_points(s, owner, card) for card in kept if s.formula[card] > 0},
        bonus={
            trigger: dict(zip(state.GOODS, counts, strict=True))
            for trigger, counts in zip(state.TRIGGERS, s.bonus[owner], strict=True)
        },
    )


def _behind_screen(s: Any, builder: Builder) -> Builder:
    """Return an owner with what that owner alone sees."""
    owner = builder.seat
    return replace(
        builder,
        points=s.points[owner],
        tiles=builder.tiles if builder.hal else tiles_of(s, owner),
        hand=[card_token(card) for card in sorted(s.hand[owner]) if card],
        chosen=chosen_of(s, owner, True),
        characters=_characters(s.characters[owner]),
        draft=_characters(s.draft[owner]) if s.phase == state.DRAFT else None,
    )


def _characters(types: list[int]) -> list[str]:
    return [character_token(type - 1) for type in types if type]


def _known(s: Any, owner: int, viewer: int | None) -> list[str]:
    """Cards that somebody else holds and the viewer has held before, if the table remembers them."""
    if viewer is None or not s.remember or s.finished:
        return []
    cards = [card for card in (*s.hand[owner], s.chosen[owner]) if card and s.seen[card] >> viewer & 1]
    return [card_token(card) for card in sorted(cards)]


def chosen_of(s: Any, owner: int, own: bool) -> Chosen | None:
    """The card that an owner has laid down, as it sees it itself or as the others do."""
    card, tile = s.chosen[owner], s.tile[owner]
    if not card or s.choosing[owner]:
        return None
    if not own:
        return Chosen(None, None, bool(tile))
    return _laid(card, tile)


@cache
def _laid(card: int, tile: int) -> Chosen:
    return Chosen(card_token(card), tile_token(tile) if tile else None, bool(tile))


def secrets(s: Any) -> dict[str, Any]:
    """The secrets that nobody's view shows, for the umpire's log: decks, top card first, hands, chosen cards, what
    screens hide."""
    return {
        "deck": [card_token(card) for card in reversed(s.deck[: s.deck_left])],
        "hands": [sorted(card_token(card) for card in s.hand[seat] if card) for seat in range(s.players)],
        "chosen": [card_token(s.chosen[seat]) if s.chosen[seat] else "" for seat in range(s.players)],
        "tiles": [tile_token(tile) for tile in reversed(s.tiles[: s.tiles_left])],
        "screens": [tiles_of(s, seat) for seat in range(s.players)],
        "chosen_tiles": [tile_token(s.tile[seat]) if s.tile[seat] else "" for seat in range(s.players)],
        "drafts": [[character_token(c - 1) for c in s.draft[seat] if c] for seat in range(s.players)],
    }

"""Descriptions of pieces, in words: what a piece is and what it is worth to a seat now; the answer to a long press on
it.

Pieces are named by their sort: ``card red 5``, ``card A``, ``card blue exploit``, ``tile red 5``, ``marker A``; a place
by the name that the board gives it: ``at 1,0``, ``hand red 5``, ``laid 1``. Nothing is said that the seat does not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ziggurat.core import pieces
from ziggurat.core.decision import About
from ziggurat.core.pieces import nothing, number, one_of, with_changed
from ziggurat.core.trace import Phrase
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import can_pay, colour_of
from ziggurat.games.ginkgopolis.faces import face, goods, yield_of
from ziggurat.games.ginkgopolis.faces import named as by_name
from ziggurat.games.ginkgopolis.scoring import card_points
from ziggurat.games.ginkgopolis.supply import supply_of_tiles
from ziggurat.games.ginkgopolis.tokens import (
    card_token,
    character_token,
    parse_card,
    parse_character,
    parse_tile,
    tile_token,
)
from ziggurat.games.ginkgopolis.uses import urbanized, uses
from ziggurat.games.ginkgopolis.view import District, chosen_of, districts

OWN = ("tiles", "resources", "points", "new_hand")
"""Places of whoever looks: what lies behind the own screen."""


def named(s: Any, values: Any) -> list[str]:
    """Every card, tile and marker, and every place of the table."""
    cards = [card_token(card) for card in range(1, state.CARDS + 1)]
    tiles = [tile_token(tile) for tile in range(1, state.TILES + 1)]
    characters = [character_token(type) for type in range(state.TYPES)]
    return [
        *(f"{sort} {card}" for sort in ("card", "hand") for card in cards),
        *(f"{sort} {character}" for sort in ("card", "pick") for character in characters),
        *(f"tile {tile}" for tile in tiles),
        *(f"marker {letter}" for letter in state.LETTERS),
        *(f"colour {colour}" for colour in state.COLOURS),
        *(f"at {s.x[building]},{s.y[building]}" for building in range(s.buildings)),
        *(f"district {place}" for place in range(len(districts(s)))),
        *("hand", *OWN, "supply", "deck", "discard"),
        *(f"{sort} {owner}" for sort in ("seat", "laid") for owner in range(s.owners)),
    ]


# --- Cards -------------------------------------------------------------------------------------------------------


def _card(s: Any, values: Any, seat: int | None, token: str) -> About:
    if token in (character_token(type) for type in range(state.TYPES)):
        return _character(s, seat, token)
    card = parse_card(token)
    if card_token(card) != token:
        raise ValueError(token)
    if card > state.URBAN:
        return _urban(s, seat, card)
    shown = face(s, token)
    what = [Phrase("what.card"), shown.effect]
    worth = [] if seat is None else [*_kept(s, seat, card), *_played(s, seat, card)]
    return About(f"card {token}", Phrase("what.card.name", {"card": token}), what, worth, "building-cards")


def _kept(s: Any, seat: int, card: int) -> Iterator[Phrase]:
    """What a building card gives, or would give, in front of a seat."""
    keeper = s.kept[card] - 1
    owner = keeper if keeper >= 0 else seat
    if keeper >= 0:
        yield _held(seat, keeper)
    if s.formula[card] > 0:
        _, points = with_changed(lambda: card_points(s, owner, card), (s.kept, card, owner + 1 - s.kept[card]))
        yield Phrase("what.card.counts" if keeper >= 0 else "what.card.would", {"points": points})
    else:
        yield from _together(s, seat, owner, s.trigger[card])


def _held(seat: int, keeper: int) -> Phrase:
    """Who has a card, said to a seat."""
    return Phrase("what.kept.own") if keeper == seat else Phrase("what.kept", {"seat": keeper})


def _together(s: Any, seat: int, owner: int, trigger: int) -> Iterator[Phrase]:
    """All that an owner's cards give for an action, said to a seat."""
    if owner < s.players:
        args = {"trigger": state.TRIGGERS[trigger], "gains": goods(by_name(s.bonus[owner][trigger]))}
        own = owner == seat
        yield Phrase("what.together.own", args) if own else Phrase("what.together", {"seat": owner, **args})


def _played(s: Any, seat: int, card: int) -> Iterator[Phrase]:
    """What a card of the own hand would do now, alone and with tiles."""
    if card not in s.hand[seat]:
        return
    found = uses(s, seat, card)
    if found:
        told = found[0].told
        yield Phrase("what.alone", {"told": [line.text for line in told if line.tone != "warn"]})
        yield from (line.text for line in told if line.tone == "warn")  # a sentence of its own
        payable = [use.tile for use in found if use.tile and use.payable]
        held = any(use.tile for use in found)
        if held:
            yield Phrase("what.payable" if payable else "what.payable.none", {"tiles": payable})


def _urban(s: Any, seat: int | None, card: int) -> About:
    letter = card_token(card)
    worth = [] if seat is None else [*_urbanizing(s, seat, card), *_played(s, seat, card)]
    name = Phrase("what.card.name", {"card": letter})
    return About(f"card {letter}", name, [Phrase("what.urban")], worth, "urbanize-an-urbanization-card-with-a-tile")


def _urbanizing(s: Any, seat: int, card: int) -> Iterator[Phrase]:
    gains, _ = urbanized(s, seat, card)
    yield Phrase("what.urban.gives", {"gains": goods(gains)})
    if s.stock[seat] == 0:
        yield Phrase("what.urban.poor")


def _character(s: Any, seat: int | None, token: str) -> About:
    colour, trigger = token.split()
    shown = face(s, token)
    what = [
        Phrase("what.character"),
        shown.effect,
        Phrase("label.character.start", {"gains": goods(shown.start or {})}),
    ]
    worth: list[Phrase] = []
    if seat is not None and s.phase != state.DRAFT:
        type = parse_character(token)
        keepers = [owner for owner in range(s.players) if type + 1 in s.characters[owner]]
        worth = [_held(seat, owner) for owner in keepers]
        worth += _together(s, seat, seat, type % 3)
    name = Phrase("label.character", {"colour": colour, "trigger": trigger})
    return About(f"card {token}", name, what, worth, "characters")


# --- Tiles, buildings, districts ---------------------------------------------------------------------------------


def _tile(s: Any, values: Any, seat: int | None, token: str) -> About:
    tile = parse_tile(token)
    if tile_token(tile) != token:
        raise ValueError(token)
    colour = colour_of(tile)
    worth = [] if seat is None or s.holder[tile] != seat + 1 else [*_lays(s, seat, tile)]
    what = [Phrase("what.tile"), Phrase(f"what.colour.{state.COLOURS[colour]}")]
    return About(f"tile {token}", Phrase("label.tile", {"tile": token}), what, worth, "the-three-colours")


def _lays(s: Any, seat: int, tile: int) -> Iterator[Phrase]:
    """The cards of the hand with which an own tile could be paid for."""
    cards = [card for card in sorted(s.hand[seat]) if card]
    payable = [card_token(card) for card in cards if can_pay(s, seat, card, tile)]
    yield Phrase("what.tile.cards" if payable else "what.tile.none", {"cards": payable})


def _colour(s: Any, values: Any, seat: int | None, word: str) -> About:
    colour = state.COLOURS[one_of(word, state.COLOURS)]
    what = [Phrase(f"what.colour.{colour}")]
    return About(f"colour {colour}", Phrase("what.colour.name", {"colour": colour}), what, [], "the-three-colours")


def _at(s: Any, values: Any, seat: int | None, cell: str) -> About:
    building = [f"{s.x[building]},{s.y[building]}" for building in range(s.buildings)].index(cell)
    top, height, owner = s.top[building], s.height[building], s.owner[building]
    token = tile_token(top)
    colour, _, shown = token.partition(" ")
    args: dict[str, Any] = {"colour": colour, "number": int(shown), "height": height}
    free = owner == state.NOBODY
    what = [Phrase("label.building_free", args) if free else Phrase("label.building", {**args, "seat": owner})]
    good, count = yield_of(s, building)
    what.append(Phrase("what.yields", {"gains": goods(by_name([count if one == good else 0 for one in range(3)]))}))
    if s.site[building]:
        what.append(Phrase("label.site"))
    worth = [] if seat is None else [*_over(s, seat, building), *_in_district(s, seat, building)]
    name = Phrase("what.building.name", {"tile": token})
    return About(f"tile {token}", name, what, worth, "construct-a-building-card-with-a-tile")


def _over(s: Any, seat: int, building: int) -> Iterator[Phrase]:
    """Yield what it takes to build on a building, and whether its card is at hand."""
    height, owner, card = s.height[building], s.owner[building], s.top[building]
    if card in s.hand[seat]:
        yield Phrase("label.named_by", {"card": card_token(card)})
        yield from _played(s, seat, card)
    said = "own" if owner == seat else "free" if owner == state.NOBODY else "other"
    yield Phrase(f"what.over.{said}", {"count": height + 1, "back": height, "seat": owner})


def _in_district(s: Any, seat: int, building: int) -> list[Phrase]:
    found = [district for district in districts(s) if building in district.buildings]
    return _shares(found[0], seat) if found else [Phrase("what.district.alone")]


def _shares(district: District, seat: int) -> list[Phrase]:
    """What a district gives now, the asker first."""
    said = [Phrase("what.district", {"colour": district.colour, "count": len(district.buildings)})]
    for share in sorted(district.shares, key=lambda share: share.owner != seat):
        args = {"seat": share.owner, "resources": share.resources, "points": share.points}
        said.append(Phrase("what.district.share", args))
    if not district.shares:
        said.append(Phrase("district.nobody"))
    return said


def _district(s: Any, values: Any, seat: int | None, place: str) -> About:
    found = districts(s)
    district = found[number(place, len(found))]
    what = [Phrase("what.districts")]
    worth = [] if seat is None else _shares(district, seat)
    name = Phrase("district.title", {"colour": district.colour})
    return About(f"colour {district.colour}", name, what, worth, "districts")


def _marker(s: Any, values: Any, seat: int | None, letter: str) -> About:
    card = state.URBAN + 1 + one_of(letter, state.LETTERS)
    worth: list[Phrase] = []
    if seat is not None:
        if card in s.hand[seat]:
            worth = [Phrase("label.named_by", {"card": letter})]
        worth += _urbanizing(s, seat, card)
    what = [Phrase("what.marker", {"marker": letter})]
    name = Phrase("what.marker.name", {"marker": letter})
    return About(f"marker {letter}", name, what, worth, "urbanize-an-urbanization-card-with-a-tile")


# --- Places ------------------------------------------------------------------------------------------------------


def _hand(s: Any, values: Any, seat: int | None, rest: str) -> About:
    if rest:
        return _card(s, values, seat, rest)
    return About("hand", Phrase("label.hand"), [Phrase("what.hand")], [], "1-choose")


def _own(sort: str, rule: str) -> pieces.Tell:
    def tell(s: Any, values: Any, seat: int | None, rest: str) -> About:
        nothing(rest)
        worth: list[Phrase] = []
        if seat is not None:
            counts = {"tiles": s.count, "resources": s.stock, "points": s.points, "new_hand": s.new_hands}
            args = {
                "count": counts[sort][seat],
                "supply": s.supply[seat],
                "points": s.new_hands[seat] * s.new_hand_points,
            }
            worth = [Phrase(f"what.{sort}.have", args)]
        return About(sort, Phrase(f"what.{sort}.name"), [Phrase(f"what.{sort}")], worth, rule)

    return tell


def _supply(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    what = [Phrase("label.tiles_left", {"count": supply_of_tiles(s)})]
    what.append(Phrase("label.depleted" if s.depleted else "label.not_depleted"))
    return About("tiles", Phrase("what.supply.name"), what, [], "the-tiles-run-out")


def _deck(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    what = [Phrase("label.deck_left", {"count": s.deck_left}), Phrase("what.deck")]
    return About("hand", Phrase("what.deck.name"), what, [], "3-the-next-round")


def _discard(s: Any, values: Any, seat: int | None, rest: str) -> About:
    nothing(rest)
    what = [Phrase("label.discard_left", {"count": s.discard_left}), Phrase("what.discard")]
    return About("hand", Phrase("what.discard.name"), what, [], "3-the-next-round")


def _laid(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.owners)
    chosen = chosen_of(s, owner, owner == seat)
    if chosen is not None and chosen.card is None:
        what = [Phrase("label.chosen_hidden_tile" if chosen.with_tile else "label.chosen_hidden")]
        return About("hand", Phrase("label.chosen_card"), what, [], "1-choose")
    card = chosen.card if chosen is not None else card_token(s.played[owner]) if s.played[owner] else None
    if card is None:
        return About("hand", Phrase("label.played_title"), [Phrase("what.laid")], [], "2-act")
    return _card(s, values, seat, card)


def _seat(s: Any, values: Any, seat: int | None, word: str) -> About:
    owner = number(word, s.owners)
    if owner >= s.players:
        return About(f"seat {owner}", Phrase("label.neutral"), [Phrase("what.hal")], [], "alone-against-hal")
    args = {"count": s.count[owner], "resources": s.stock[owner], "cards": len(s.hand[owner]) - s.hand[owner].count(0)}
    what = [Phrase("what.seat", args)]
    return About(f"seat {owner}", Phrase("what.seat.name", {"seat": owner}), what, [], "what-is-open-what-is-secret")


about = pieces.about(
    {
        "at": _at,
        "card": _card,
        "colour": _colour,
        "deck": _deck,
        "discard": _discard,
        "district": _district,
        "hand": _hand,
        "laid": _laid,
        "marker": _marker,
        "new_hand": _own("new_hand", "1-choose"),
        "pick": _card,
        "points": _own("points", "end-of-the-game"),
        "resources": _own("resources", "the-actions"),
        "seat": _seat,
        "supply": _supply,
        "tile": _tile,
        "tiles": _own("tiles", "1-choose"),
    },
    "'card red 5', 'tile blue 12', 'marker A'",
)

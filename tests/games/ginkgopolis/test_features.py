"""What a seat observes is what it sees."""

from __future__ import annotations

import pytest
from tests import runs
from tests.games.features import around, check_bounds, check_facts, house_rules, left_out
from tests.games.table import record

import ziggurat
from ziggurat.core.position import Position
from ziggurat.games.ginkgopolis.state import CARDS, GOODS, LETTERS, NUMBERS, PHASES, RETURNING, TILES, TRIGGERS, TYPES
from ziggurat.games.ginkgopolis.tokens import card_token, character_token, tile_token
from ziggurat.games.ginkgopolis.view import Builder, GinkgopolisView

GAME = ziggurat.game("ginkgopolis")
CHARACTERS = [character_token(type) for type in range(TYPES)]
ALL_TILES = [tile_token(tile) for tile in range(1, TILES + 1)]
DRAWN = [token for number, token in enumerate(ALL_TILES) if number % NUMBERS >= 3]


def name(token: str) -> str:
    return token.replace(" ", ".")


def facts(position: Position, observer: int | None) -> dict[str, int]:
    view = position.view(observer)
    seats = around(len(view.builders), observer)
    own = None if observer is None else view.builders[observer]
    found = {
        "phase": PHASES.index(view.phase),
        "turn": seats.index(view.turn),
        "deck": view.deck,
        "discard": view.discard,
        "tiles": view.tiles,
        "depleted": view.depleted,
        "ending": int(view.ending),
        "moving": LETTERS.index(view.moving) + 1 if view.moving else 0,
        "options": house_rules(position),
        "player.0.points": own.points if own else 0,
    }
    for marker in view.markers:
        found |= {f"marker.{marker.letter}.x": marker.x, f"marker.{marker.letter}.y": marker.y}
    found |= city(view, seats) | tiles(position, observer, own) | cards(view, seats, own)
    found |= discarded(position, observer)
    if own and (chosen := record(position).chosen[observer]):  # also while its tile is still to be chosen
        found[f"card.{name(card_token(chosen))}"] = 1
    for player, seat in enumerate(seats):
        if not view.builders[seat].hal:
            found |= owned(f"player.{player}", view, seat)
    if position.players == 1:
        hal = view.builders[1]
        found |= {"hal.supply": hal.supply, "hal.points": hal.points}
        return found
    draft = (own.draft if own else None) or []
    found |= {f"draft.{name(character)}": draft.count(character) for character in CHARACTERS}
    return found | {"first": seats.index(view.first)}


def city(view: GinkgopolisView, seats: list[int]) -> dict[str, int]:
    at = {f"{building.colour} {building.number}": building for building in view.buildings}
    found = {}
    for token in ALL_TILES:
        building = at.get(token)
        found[f"building.{name(token)}.height"] = building.height if building else 0
        found[f"building.{name(token)}.x"] = building.x if building else 0
        found[f"building.{name(token)}.y"] = building.y if building else 0
        if token in DRAWN:
            owner = building.owner if building else None
            found[f"building.{name(token)}.owner"] = 0 if owner is None else 1 + seats.index(owner)
            found[f"building.{name(token)}.site"] = int(building is not None and building.site)
        else:
            assert building is None or (building.owner is None and not building.site)
    return found


def tiles(position: Position, observer: int | None, own: Builder | None) -> dict[str, int]:
    """1 behind the screen, 2 named to be returned, which the seat itself has done, 3 on the chosen card."""
    found = {f"tile.{name(token)}": 0 for token in DRAWN}
    if own:
        holder = record(position).holder
        for tile, token in enumerate(ALL_TILES, start=1):
            if token in (own.tiles or ()):
                found[f"tile.{name(token)}"] = 2 if holder[tile] >= RETURNING else 1
        laid = own.chosen.tile if own.chosen else None
        if laid:
            found[f"tile.{name(laid)}"] = 3
    return found


def cards(view: GinkgopolisView, seats: list[int], own: Builder | None) -> dict[str, int]:
    """1 chosen, 2 discarded, then the hands, then those who keep building cards."""
    found = {f"card.{name(card_token(card))}": 0 for card in range(1, CARDS + 1)}
    for player, seat in enumerate(seats):
        builder = view.builders[seat]
        found |= {f"card.{name(token)}": 3 + player for token in builder.known}
        found |= {f"card.{name(token)}": 3 + view.players + player for token in builder.kept}
    if own:
        found |= {f"card.{name(token)}": 3 for token in own.hand or ()}
    return found


def discarded(position: Position, observer: int | None) -> dict[str, int]:
    """What was turned over, and what a seat has held before: no view lists it."""
    s = record(position)
    known = [
        card
        for card in s.discard[: s.discard_left]
        if s.seen[card] == -1 or (observer is not None and s.seen[card] >> observer & 1)
    ]
    return {f"card.{name(card_token(card))}": 2 for card in known if s.remember}


def owned(player: str, view: GinkgopolisView, seat: int) -> dict[str, int]:
    builder = view.builders[seat]
    found = {
        f"{player}.supply": builder.supply,
        f"{player}.resources": builder.resources,
        f"{player}.tiles": builder.tile_count,
        f"{player}.hand": builder.cards,
        f"{player}.decides": int(seat in view.actors),
    }
    for trigger in TRIGGERS:
        found |= {f"{player}.bonus.{trigger}.{good}": builder.bonus[trigger][good] for good in GOODS}
    if view.players == 1:
        assert not builder.characters
        assert not builder.new_hands
        return found
    chosen = builder.chosen
    found[f"{player}.new_hands"] = builder.new_hands
    found[f"{player}.committed"] = 0 if chosen is None else 2 if chosen.with_tile else 1
    return found | {f"{player}.character.{name(type)}": builder.characters.count(type) for type in CHARACTERS}


@pytest.mark.usefixtures("compiled")
def test_what_is_not_observed_follows_from_the_rest() -> None:
    """Or was told before: what was played last, and the number of the round."""
    told = ("builders.aside", "builders.played", "builders.seat", "builders.worth", "districts", "faces", "round")
    assert [field for field in sorted(left_out(GAME, facts)) if not field.startswith(told)] == []


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each(range(1, 6), often=[1, 5]))
def test_observations_say_what_the_view_shows(players: int) -> None:
    check_facts(GAME, players, facts, games=8, every=20)
    check_bounds(GAME, players, games=60)

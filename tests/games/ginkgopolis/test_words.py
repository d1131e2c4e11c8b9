"""Every move is named for what it does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ginkgopolis.table import GAME, OPTIONS, builder, marker, new

from ziggurat.bots import draw
from ziggurat.core.hungarian import article
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.core.text import catalogue
from ziggurat.games.ginkgopolis.choices import SPACE

pytestmark = pytest.mark.usefixtures("compiled")

SAID = """
    red=piros yellow=sárga blue=kék resource=erőforrás tile=lapka north=északra east=keletre south=délre west=nyugatra
    exploit=hasznosítás urbanize=bővítés construct=szintépítés
"""
HUNGARIAN = dict(pair.split("=") for pair in SAID.split())
SAID_IN_GERMAN = """
    red=Rot yellow=Gelb blue=Blau resource=eine_Ressource tile=ein_Plättchen
    north=Norden east=Osten south=Süden west=Westen exploit=Nutzen urbanize=Urbanisieren construct=Hochbauen
"""
GERMAN = dict(pair.replace("_", " ").split("=") for pair in SAID_IN_GERMAN.split())
PERSONS = {
    "yellow": ("Biourbanist", "Biováros-tervező", "Bio-Urbanist"),
    "red": ("Biotechnician", "Biotechnikus", "Bio-Techniker"),
    "blue": ("Bioengineer", "Biomérnök", "Bio-Ingenieur"),
}


def piece(words: dict[str, str], token: str) -> str:
    first, *rest = token.split()
    return " ".join([words.get(first, first), *rest])


def named(choice: Any) -> tuple[str, str, str]:
    """A move in English, in Hungarian and in German."""
    the = f"{article(choice.marker)} {choice.marker} jelző" if hasattr(choice, "marker") else ""
    match choice.type:
        case "pick":
            colour, trigger = choice.character.split()
            english, magyar, deutsch = PERSONS[colour]
            return (
                f"keep {english} ({trigger.title()})",
                f"megtartás: {magyar} ({HUNGARIAN[trigger]})",
                f"{deutsch} ({GERMAN[trigger]}) behalten",
            )
        case "card":
            outside = len(choice.card) == 1
            return (
                f"play {'card ' * outside}{choice.card}",
                f"kijátszás: {'külterület ' * outside}{piece(HUNGARIAN, choice.card)}",
                f"{'Karte ' * outside}{piece(GERMAN, choice.card)} spielen",
            )
        case "alone":
            return "alone", "lapka nélkül", "allein"
        case "tile":
            return (
                f"with {choice.tile}",
                f"lapkával: {piece(HUNGARIAN, choice.tile)}",
                f"mit {piece(GERMAN, choice.tile)}",
            )
        case "new_hand":
            return "take a new hand", "új lapok húzása", "neue Hand ziehen"
        case "take":
            good = choice.good
            return f"take a {good}", f"választás: {HUNGARIAN[good]}", f"{GERMAN[good]} nehmen"
        case "move":
            way = choice.direction
            return (
                f"move marker {choice.marker} {way}",
                f"{the} {HUNGARIAN[way]} lép",
                f"Marker {choice.marker} nach {GERMAN[way]} setzen",
            )
        case "shift":
            return (
                f"marker {choice.marker} makes room",
                f"{the} helyet csinál",
                f"Marker {choice.marker} macht Platz",
            )
        case "move_to":
            cell = f"({choice.x}, {choice.y})"
            return (
                f"put marker {choice.marker} at {cell}",
                f"{the} új helye: {cell}",
                f"Marker {choice.marker} nach {cell} setzen",
            )
        case "return":
            tile = choice.tile
            return f"give back {tile}", f"visszaadod: {piece(HUNGARIAN, tile)}", f"{piece(GERMAN, tile)} zurückgeben"
        case "done":
            return "give nothing back", "nem adsz vissza semmit", "nichts zurückgeben"
    raise AssertionError(choice.type)


def does(choice: Any, before: Position, after: Position, seat: int) -> bool:
    """Whether a move did what its fields say."""
    mine, now = builder(before, seat + 1), builder(after, seat + 1)
    match choice.type:
        case "pick":
            return bool(choice.character in mine.draft and choice.character in (now.aside, *now.characters))
        case "card":
            return choice.card in mine.hand
        case "tile" | "return":
            return choice.tile in mine.tiles
        case "new_hand":
            return bool(now.new_hands == mine.new_hands - 1 == choice.left - 1)
        case "take":
            got = {"resource": now.resources - mine.resources, "tile": now.tile_count - mine.tile_count}
            return bool(got[choice.good] > 0)
        case "move" | "move_to":
            return marker(after, choice.marker) == (choice.x, choice.y) != marker(before, choice.marker)
        case "shift":
            return marker(before, choice.marker) == (choice.x, choice.y)
    return True


def test_every_move_is_named_for_what_it_does() -> None:
    says = [catalogue(language, GAME) for language in LANGUAGES]
    met: set[str] = set()
    for seed in range(60):
        position = new(5, seed, **OPTIONS[seed % len(OPTIONS)])
        rng = generator(seed)
        while not position.finished:
            seat = position.actors[draw(rng, len(position.actors))]
            legal = position.legal(seat)
            [choice] = position.describe(seat, [legal[draw(rng, len(legal))]]).steps
            assert tuple(say.say(choice.words).replace("\u00ad", "") for say in says) == named(choice)
            before = position.copy()
            position.play(seat, choice.action)
            assert does(choice, before, position, seat), (seed, choice)
            met.add(choice.type)
        if met == set(SPACE.types):
            return
    assert met == set(SPACE.types)

"""The printed numbers, and a component file of one's own: what is left out keeps its number, errors name the line."""

from __future__ import annotations

import pytest
from tests.games.ginkgopolis.table import GAME, builder, new

import ziggurat
from ziggurat.core.errors import BadOption, ComponentsError
from ziggurat.games.ginkgopolis.components import template
from ziggurat.games.ginkgopolis.state import COLOURS, GOODS, TRIGGERS

BAD = [
    ("[setup", 1, "not TOML"),
    ('game = "babel"\n', 1, "components of 'babel', not of 'ginkgopolis'"),
    ("format = 2", 1, "format: Expected `int` <= 1"),
    ("\n\n[setup]\nresources = [25, 25]", 4, "setup.resources: Expected `array` of length >= 5"),
    ("[setup]\nresources = [25, 25, 20, 18, 5]", 2, "Expected `int` >= 6"),
    ("[setup]\ncards_discarded = [7, 7, 7, 0, 1]", 2, "with 5 players too few cards are left to be dealt"),
    ("[setup]\nnew_hands = 10", 2, "Expected `int` <= 9"),
    ("[solo]\nhand = 5", 2, "Expected `int` <= 4"),
    ('[cards]\ntriggers = ["exploit"]', 2, "length >= 9"),
    ('[cards]\nown_good = "1"', 2, "Expected `array`, got `str`"),
    ('[cards.end]\ncolours_red = ["red", "green", "red", "red"]', 2, "Invalid enum value 'green'"),
    ("[cards.end]\nfixed = 51", 2, "Expected `int` <= 50"),
    ("[characters.green]\nexploit = 1", 1, "unknown field `green`"),
    ("[characters.red]\nexploit.copies = 9", 1, "there are 20 to 27 character cards, these are 32"),
    ('[sets]\nbonuses = [["urbanize", "construct", "construct"]]', 2, "length >= 6"),
    ("x = " + "[" * 9000, 1, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "line", "said"), BAD, ids=range(len(BAD)))
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(ComponentsError) as refused:
        GAME.load_components(text)
    assert said in str(refused.value)
    assert refused.value.line == line


def test_printed_numbers_are_the_ones_played_with() -> None:
    changed = GAME.load_components("""
        [setup]
        resources = [60, 30, 30, 30, 30]
        tiles_removed = [10, 10, 10, 10, 10]
        new_hands = 5
        [solo]
        start = { resource = 7, tile = 8, point = 9 }
    """)
    position = ziggurat.new(GAME, 1, seed=2, components=changed)
    someone = builder(position, 1)
    assert (someone.resources, someone.supply, someone.tile_count, someone.points) == (7, 53, 8, 9)
    assert position.view(None).tiles == 51 - 10 - 8
    position = ziggurat.new(GAME, 4, seed=2, components=changed)
    assert all(b.new_hands == 5 and b.supply + b.resources == 30 for b in position.view(None).builders)


# --- Section 1 once more, as the specification prints it ---------------------------------------------------------


def test_the_building_cards_of_section_1_1() -> None:
    s = template(GAME.components.values, 2, GAME.check_setup(2, {}))[0]
    own = {"red": "resource", "yellow": "point", "blue": "tile"}
    for colour, name in enumerate(COLOURS):
        for number in range(1, 10):
            card = colour * 20 + number
            assert TRIGGERS[s["trigger"][card]] == ("exploit", "urbanize", "construct")[(number - 1) % 3]
            wanted: dict[str, int] = dict.fromkeys(GOODS, 0)
            wanted[own[name]] += 1
            wanted["point"] += number >= 7
            assert dict(zip(GOODS, s["gain"][card].tolist(), strict=True)) == wanted
            assert s["formula"][card] == 0
        for number in range(10, 21):
            assert s["trigger"][colour * 20 + number] == -1
            assert not s["gain"][colour * 20 + number].any()
        points = [int(s["formula_points"][colour * 20 + number]) for number in range(10, 21)]
        assert points == [1, 1, 1, 1, 1, 3, 2, 2, 2, 2, 9]
    end = GAME.components.values.cards.end
    targets = {"red": "red yellow blue red", "yellow": "yellow red blue yellow", "blue": "blue red yellow blue"}
    assert {name: " ".join(end.colours(name)) for name in COLOURS} == targets


# Copies; resources, tiles and points at the start.
CHARACTERS = {
    "red exploit": (4, 1, 1, 1),
    "red urbanize": (4, 1, 1, 1),
    "red construct": (4, 0, 1, 0),
    "yellow exploit": (2, 2, 1, 2),
    "yellow urbanize": (2, 2, 1, 2),
    "yellow construct": (2, 2, 1, 1),
    "blue exploit": (3, 2, 0, 1),
    "blue urbanize": (3, 2, 0, 1),
    "blue construct": (3, 1, 0, 0),
}
SETS = {
    ("urbanize", "construct", "construct"): (4, 2, 2),
    ("construct", "construct", "exploit"): (4, 2, 2),
    ("exploit", "urbanize", "urbanize"): (5, 2, 4),
    ("urbanize", "urbanize", "construct"): (4, 2, 3),
    ("exploit", "exploit", "construct"): (4, 2, 3),
    ("urbanize", "exploit", "exploit"): (5, 2, 4),
}


def test_the_characters_of_section_1_2() -> None:
    found = GAME.components.values.characters.types()
    assert [(c.copies, c.resource, c.tile, c.point) for c in found] == list(CHARACTERS.values())
    assert sum(copies for copies, *_ in CHARACTERS.values()) == 27


def test_what_each_of_the_six_sets_starts_with() -> None:
    dealt = {}
    for seed in range(12):
        for someone in new(5, seed).view_all().builders:
            names = tuple(character.split()[1] for character in someone.characters)
            dealt[names] = (someone.resources, someone.tile_count, someone.points)
    assert dealt == SETS


def test_no_set_is_dealt_twice() -> None:
    for seed in range(10):
        sets = [tuple(someone.characters) for someone in new(5, seed).view(None).builders]
        assert len(set(sets)) == 5


@pytest.mark.parametrize(
    ("players", "resources", "tiles", "deck", "discard"),
    [(1, 25, 45, 14, 7), (2, 25, 45, 14, 7), (3, 20, 45, 14, 7), (4, 18, 51, 21, 0), (5, 16, 51, 21, 0)],
)
def test_the_set_up_of_section_2_1(players: int, resources: int, tiles: int, deck: int, discard: int) -> None:
    position = new(players, 3)
    view = position.view_all()
    assert all(b.resources + b.supply == resources for b in view.builders)
    assert view.tiles + sum(b.tile_count for b in view.builders) == tiles
    assert view.deck + sum(b.cards for b in view.builders) + (players == 1) == deck
    assert view.discard == discard
    cells = [(b.x, b.y) for b in view.buildings]
    assert sorted(cells) == [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    assert all(b.height == 1 and b.owner is None and not b.site for b in view.buildings)
    markers = [(-1, 2), (0, 2), (1, 2), (2, 1), (2, 0), (2, -1), (1, -2), (0, -2), (-1, -2), (-2, -1), (-2, 0), (-2, 1)]
    assert [(m.x, m.y) for m in view.markers] == markers


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (1, {"characters": "draft"}),
        (1, {"tiles_exhausted": "after_action"}),
        (2, {"hal": "expert"}),
        (3, {"hal_points": "buildings"}),
        (2, {"characters": "all"}),
    ],
)
def test_options_belong_to_table_sizes(players: int, options: dict[str, str]) -> None:
    with pytest.raises(BadOption):
        new(players, 1, **options)


def test_set_up_must_leave_tiles_to_be_drawn() -> None:
    """D14: when the last tile is drawn at set-up nobody ever draws it, and the game would not end."""
    text = """[setup]
tiles_removed = [20, 20, 20, 20, 20]
[characters]
blue.exploit = { copies = 3, resource = 0, tile = 9, point = 0 }
"""
    with pytest.raises(ComponentsError, match=r"with . players 31 tiles are left, and up to \d+ of them") as refused:
        GAME.load_components(text)
    assert refused.value.line == 2

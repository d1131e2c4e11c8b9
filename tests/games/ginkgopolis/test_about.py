"""What a piece of Ginkgopolis is worth to somebody now: the numbers are those of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ziggurat.core.position import Position
from ziggurat.core.scenario import load

SCENE = Path(__file__).parent / "browser" / "scenes" / "playing.toml"
TABLE = load(SCENE.read_text(encoding="utf-8"))


def worth(piece: str, seat: int = 1, table: Position = TABLE) -> dict[str, list[dict[str, Any]]]:
    """What a piece is worth to a seat, counted from 1: the sentences and their numbers."""
    found: dict[str, list[dict[str, Any]]] = {}
    (about,) = table.about(seat - 1, [piece])
    for phrase in about.worth:
        found.setdefault(phrase.key.removeprefix("what."), []).append(dict(phrase.args))
    return found


def test_a_building_says_what_building_on_it_takes_and_what_its_district_gives() -> None:
    found = worth("at -1,1")
    assert (found["over.own"][0]["count"], found["over.own"][0]["back"]) == (3, 2)
    # Red: two resources of Ada, three of Bob, who leads and gets all five.
    shares = [(share["seat"], share["resources"], share["points"]) for share in found["district.share"]]
    assert shares == [(0, 2, 2), (1, 3, 5)]
    found = worth("at -1,1", seat=2)
    assert [share["seat"] for share in found["district.share"]] == [1, 0], "whoever asks comes first"
    assert worth("at -1,0")["over.other"][0] == {"count": 4, "back": 3, "seat": 1}
    assert "district.alone" in worth("at 0,1")
    assert worth("at 0,0")["over.free"][0]["count"] == 2


def test_a_card_at_hand_says_what_it_would_do_alone_and_which_tiles_it_pays() -> None:
    found = worth("hand blue 8")
    assert found["payable"] == [{"tiles": ["red 16"]}], "yellow 2 is too dear on blue 8"
    assert "alone" in found
    assert worth("hand red 5")["payable"] == [{"tiles": ["red 16", "yellow 2"]}]
    assert "alone" not in worth("card blue 8", seat=2), "of cards that somebody else may hold nothing is said"


def test_an_end_card_says_what_it_would_count() -> None:
    # 2 for each card with an Urbanize bonus: her blue character.
    assert worth("card blue 17")["card.counts"] == [{"points": 2}]
    assert worth("card blue 17", seat=2)["kept"] == [{"seat": 0}]
    assert worth("card blue 17")["kept.own"] == [{}], "nobody is told of themselves by their name"
    # 1 for each of her buildings of 1 or 2 storeys: six of them.
    assert worth("card yellow 14", seat=1)["kept"] == [{"seat": 1}]
    assert worth("card blue 20")["card.would"] == [{"points": 9}]
    # 2 for each blue card: the character, blue 17, and itself.
    assert worth("card blue 19")["card.would"] == [{"points": 6}]


def test_what_ones_own_cards_give_together_is_told_as_ones_own() -> None:
    own = worth("card red 4")
    assert own["together.own"][0].keys() == {"trigger", "gains"}
    assert "together" not in own


def test_an_edge_of_the_city_says_what_a_new_building_there_would_bring() -> None:
    # C lies above blue 8 of two storeys; her blue character adds a tile.
    (gains,) = worth("marker C")["urban.gives"]
    assert [(gain.key, gain.args["count"]) for gain in gains["gains"]] == [("gain.tile", 3)]
    assert worth("tile yellow 2")["tile.cards"] == [{"cards": ["red 5", "C", "K"]}]
    assert worth("tile yellow 2", seat=2) == {}, "whose it is nobody else is told"


def test_what_lies_face_down_is_told_to_its_owner_alone() -> None:
    table = load(SCENE.read_text(encoding="utf-8"))
    for step in ("card red 5", "tile red 16"):
        table.play_all(0, table.read_move(step, 0))
    assert [table.about(seat, ["laid 0"])[0].piece for seat in (0, 1, None)] == ["card red 5", "hand", "hand"]

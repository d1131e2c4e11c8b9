"""What a piece of Tower of Babel is worth to somebody now: the numbers are those of the rules."""

from __future__ import annotations

from typing import Any

from tests.games.babel.table import scene
from tests.games.table import play
from tests.games.table import worth as worth_of

TABLE = """
    row = 2
    discs.zeus = ["ship 5", "", ""]
    discs.tower = ["camel 3", "crane 3", ""]
    units.zeus = [4, 4, 1]
    units.tower = [2, 0, 0]
    hands = { 1 = { ship = 3, camel = 3 }, 2 = { ship = 2 }, 3 = { ship = 1 } }
    owned = { 1 = ["ship", "ship", "camel"] }
"""


OFFERS = """
    discs.zeus = ["ship 5", "camel 3", "crane 3"]
    hands = { 1 = { ship = 3 }, 2 = { ship = 2, camel = 1 }, 3 = { ship = 2 } }
"""


def worth(piece: str, seat: int = 1) -> dict[str, dict[str, Any]]:
    return worth_of(scene(TABLE), piece, seat)


def test_a_disc_says_what_it_lacks_what_it_brings_and_what_it_completes() -> None:
    found = worth("disc zeus 0")
    assert (found["disc.lacks"]["have"], found["disc.lacks"]["missing"]) == (3, 2)
    assert found["disc.bonus"] == {"before": 5, "points": 10}, "a third ship"
    # The third wonder to be completed: 12, 6, and 3 for all others.
    row = {"number": 3, "first": 12, "second": 6, "other": 3}
    assert found["disc.completes"] == {"wonder": "zeus", **row}
    found = worth("disc tower 0")
    assert "disc.pays" in found
    assert "disc.completes" not in found
    assert found["disc.bonus"] == {"before": 5, "points": 10}, "two camels beside two ships"


def test_a_wonder_says_what_everybody_would_get_if_it_were_complete() -> None:
    table = scene(TABLE)
    (about,) = table.about(1, ["site zeus"])
    now = [phrase.args for phrase in about.worth if phrase.key == "what.site.now"]
    # Tied for the most, both get what the second place is worth; Bob is told his own first.
    assert [(args["seat"], args["points"]) for args in now] == [(1, 6), (0, 6), (2, 3)]
    assert worth("site zeus", seat=2)["site.lead"]["count"] == 1
    assert "site.none" in worth("site tower", seat=3)
    assert worth("house 0")["house.now"]["points"] in (6, 12)


def test_a_card_says_which_open_discs_ask_for_it() -> None:
    assert worth("card camel")["hold"]["count"] == 3
    assert worth("card camel", seat=2)["hold"]["count"] == 0
    assert worth("card camel")["alone"]["count"] >= 1


def test_an_offer_is_worth_what_it_would_bring_if_it_is_not_accepted() -> None:
    table = scene(OFFERS)
    play(table, "1 choose zeus 1", "2 offer ship ship camel", "3 offer ship with trade")
    assert worth_of(table, "offer 1 0")["offer.refused"] == {"seat": 1, "points": 2}, "the camel brings nothing"
    assert worth_of(table, "offer 2 1")["offer.refused"] == {"seat": 2, "points": 1}, "nor does the trade card"


def test_an_offer_that_lies_face_down_says_no_more_than_how_many_cards_it_has() -> None:
    table = scene(OFFERS)
    play(table, "1 choose zeus 1", "2 offer ship camel")
    assert worth_of(table, "offer 1 0") == {}
    assert worth_of(table, "offer 1 0", seat=2)["offer.refused"]["points"] == 1, "its owner knows it"

"""What a piece of Alhambra is worth to somebody now: the numbers are those of the rules."""

from __future__ import annotations

from tests.games.alhambra.table import scene
from tests.games.table import worth

TABLE = """
slots = ["garden 9", "arcades 8", "tower 13", "pavilion 4"]
open_money = ["blue 4", "green 6", "orange 3", "yellow 7"]
hands.1 = ["yellow 5", "yellow 4", "green 9", "orange 1"]
hands.2 = ["yellow 9"]
hands.3 = ["orange 8"]
built = { 1 = { garden = 1, tower = 1 }, 2 = { garden = 1, pavilion = 2 }, 3 = { tower = 2, chambers = 1 } }
scored = ["A"]
building_deck_left = 20
"""


def test_a_building_says_what_the_next_scoring_would_give_with_it() -> None:
    table = scene(TABLE)
    # Tied for the most gardens: (12 + 5) / 2 = 8 each in scoring B; with another one first alone, 12.
    found = worth(table, "slot 0")["with_it.more"]
    assert (found["count"], found["place"], found["tied"], found["round"]) == (2, 1, 1, "B")
    assert (found["before"], found["points"]) == (8, 12)
    assert worth(table, "slot 0")["leads"] == {"seats": [0, 1], "count": 1}
    # The second most towers already, 6 points; with another one tied for the most: (13 + 6) / 2 = 9.
    found = worth(table, "building tower 13")["with_it.more"]
    assert (found["before"], found["points"], found["tied"]) == (6, 9, 2)
    # Two pavilions are ahead: the first one of a third player would be second.
    found = worth(table, "slot 3", seat=3)["with_it.more"]
    assert (found["before"], found["points"], found["place"]) == (0, 1, 2)


def test_a_building_says_whether_it_can_be_paid_exactly() -> None:
    table = scene(TABLE)
    assert worth(table, "slot 0")["pay.exact"]["total"] == 9  # yellow 5 and 4
    assert worth(table, "slot 1")["pay.over"]["total"] == 9  # green 9 for 8
    assert worth(table, "slot 2")["pay.short"]["missing"] == 13
    assert worth(table, "slot 0", seat=3)["pay.short"]["missing"] == 9, "by the hand of whoever asks"
    assert not [key for key in worth(table, "building garden 9") if key.startswith("pay")], "a place decides that"


def test_money_says_what_it_would_help_to_pay() -> None:
    table = scene(TABLE)
    assert worth(table, "money 2").keys() == {"money.would", "money.exact"}  # orange 3 and 1 pay the pavilion for 4
    assert worth(table, "money 0")["money.short"]["missing"] == 9  # blue 4 of 13
    assert worth(table, "money 1")["money.over"]["total"] == 15  # green 9 and 6 for 8
    assert worth(table, "money 3").keys() == {"money.would", "money.exact_anyway"}
    assert worth(table, "money yellow 5").keys() == {"money.held", "money.exact"}, "of one's own hand"
    assert worth(table, "money yellow 5", seat=2)["money.would"]["total"] == 14


def test_a_scoring_says_what_everybody_would_get_now() -> None:
    table = scene(TABLE)
    (about,) = table.about(0, ["scoring B"])
    # Ada: gardens 8, towers 6; Bob: gardens 8, pavilions 8; Cyd: towers 13, chambers 11.
    assert [(phrase.args["seat"], phrase.args["points"]) for phrase in about.worth] == [(0, 14), (1, 16), (2, 24)]
    assert table.about(0, ["scoring A"])[0].worth == [], "it is over"


def test_of_a_kind_it_is_known_how_many_are_to_come() -> None:
    table = scene(TABLE)
    assert worth(table, "built 1 garden")["kind.left"]["left"] == 11 - 2 - 1
    assert worth(table, "built 1 garden")["stands"]["seat"] == 1


def test_for_two_a_building_says_what_giving_it_away_takes_from_the_other() -> None:
    table = scene("""
players = 2
slots = ["garden 9", "arcades 8", "tower 13", "pavilion 4"]
built = { 1 = {}, 2 = { garden = 1 }, neutral = {} }
""")
    # Alone in front Bob gets 5 in scoring A; shared with the neutral player (5 + 0) / 2 = 2.
    assert worth(table, "slot 0")["given"] == {"seat": 1, "round": "A", "before": 5, "points": 2}

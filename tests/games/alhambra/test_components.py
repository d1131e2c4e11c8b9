"""A component file of one's own: it may say a part, and what is wrong in it is named with its line."""

from __future__ import annotations

import pytest
from tests.games.alhambra.table import buildings
from tests.games.backings import to_the_end
from tests.properties import given, st

import ziggurat
from ziggurat.core.errors import ComponentsError
from ziggurat.games.alhambra.state import KINDS

GAME = ziggurat.game("alhambra")
ONE_EACH = "".join(f"{kind}.prices = [5]\n" for kind in KINDS)

BAD = [
    ("[money", 1, "not TOML"),
    ("game = 1\n", 1, "these are components of 1"),
    ('game = "babel"\n', 1, "components of 'babel', not of 'alhambra'"),
    ("format = 2", 1, "format: Expected `int` <= 1"),
    ("\n\n[money]\ncopies = [1, 2]", 4, "money.copies: Expected `array` of length >= 9"),
    ("[money]\ncopies = [3, 3, 3, 3, 3, 3, 3, 3, 13]", 2, "money.copies: Expected `int` <= 12"),
    ("[money]\ncopies = [0, 0, 0, 0, 0, 0, 0, 0, 1]", 2, "6 players need money worth at least 169 in all, this is 36"),
    ("[money]\ncopies_two_players = [0, 0, 0, 0, 0, 0, 0, 0, 1]", 2, "2 players need money worth"),
    ("[money]\ncopies = [9, 9, 9, 9, 9, 9, 9, 9, 9]", 2, "at most 59 cards in each currency, these are 81"),
    ("[setup]\nstarting_capital = 99", 2, "Expected `int` <= 60"),
    ("[setup]\npiles = 4\npile_of_b = 5", 3, "both within the piles"),
    ("[setup]\npile_of_a = 4\n", 1, "A must lie in a higher pile than B"),
    ('[take]\nseveral_max_total = "5"', 2, "Expected `int`, got `str`"),
    ("[take]\nseveral_max_total = -1", 2, "Expected `int` >= 0"),
    ("[neutral]\nafter_c = 1", 2, "unknown field `after_c`"),
    ("[buildings.palace]\nprices = [1]", 1, "unknown field `palace`"),
    ("[buildings]\n" + ONE_EACH.replace("5", ""), 1, "there must be 11 to 96 building cards, these are 0"),
    ("[buildings.tower]\n# none\nprices = [20]", 3, "buildings.tower.prices: Expected `int` <= 19"),
    ("[buildings.tower]\npoints_b = [1, 2, 3]", 2, "length <= 2"),
    ("buildings.tower.points_c = [100]", 1, "Expected `int` <= 99"),
    ("[neutral]\nat_the_start = 20\n[buildings]\n" + ONE_EACH, None, "there must be 25 to 96 building cards"),
    ("x = " + "[" * 9000, 1, "nested too deeply"),
    ("\nformat = " + "9" * 9000, 2, "a number too long"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "said"), BAD, ids=range(len(BAD)))
def test_what_is_wrong_is_named_with_its_line(text: str, line: int | None, said: str) -> None:
    with pytest.raises(ComponentsError) as refused:
        GAME.load_components(text)
    assert said in str(refused.value)
    assert refused.value.line == (line or refused.value.line)
    assert refused.value.line is not None


def test_what_is_left_out_keeps_its_number() -> None:
    changed = GAME.load_components("[neutral]\nat_the_start = 9\n")
    assert not changed.is_default
    assert changed.digest != GAME.components.digest
    position = ziggurat.new("alhambra", 2, seed=1, components=changed)
    assert buildings(position, 2) == 9
    assert position.view(None).building_deck == 54 - 4 - 9


def test_the_digest_is_of_the_numbers_and_not_of_the_layout() -> None:
    text = GAME.components_text()
    assert GAME.load_components(text.replace("\n", "\n\n# again\n")).is_default
    assert GAME.load_components("take.several_max_total = 5").is_default
    assert not GAME.load_components("take.several_max_total = 6").is_default


def test_printed_numbers_are_the_ones_played_with() -> None:
    changed = GAME.load_components("""
        [take]
        several_max_total = 9
        [setup]
        starting_capital = 30
        [buildings.tower]
        prices = [1]
        points_a = [50]
    """)
    position = ziggurat.new("alhambra", 4, seed=2, components=changed)
    assert all(30 <= sum(card.value for card in owner.hand) <= 38 for owner in position.view_all().owners)
    assert position.view(None).take_limit == 9
    tower = next(kind for kind in position.view(None).kinds if kind.kind == "tower")
    assert (tower.count, tower.prices, tower.points["A"]) == (1, [1], [50])


COUNTS = st.lists(st.integers(0, 12), min_size=9, max_size=9) | st.lists(st.integers(0, 1), min_size=9, max_size=9)
PRICES = st.lists(st.integers(1, 19), max_size=16)


@given(COUNTS, st.integers(1, 60), st.integers(0, 36), PRICES, PRICES, st.integers(2, 6), st.integers(0, 2**64))
def test_whatever_is_accepted_can_be_played_to_the_end_in_both_backings(
    copies: list[int], capital: int, limit: int, tower: list[int], garden: list[int], players: int, seed: int
) -> None:
    text = f"""
        money = {{ copies = {copies}, copies_two_players = {copies} }}
        setup.starting_capital = {capital}
        take.several_max_total = {limit}
        buildings.tower.prices = {tower}
        buildings.garden.prices = {garden}
    """
    try:
        components = GAME.load_components(text)
    except ComponentsError:
        return
    to_the_end(GAME, components, players, seed, lambda position, legal: legal[seed % 7 % len(legal)])


def test_money_may_be_so_scarce_that_places_stay_empty_and_both_scorings_come_at_once() -> None:
    """R7, and section 4.1: A completely, then B. A type of building may have no card at all."""
    scarce = "[money]\ncopies_two_players = [0, 0, 1, 0, 0, 0, 0, 0, 0]\n[setup]\nstarting_capital = 3\n"
    components = GAME.load_components(scarce + "[buildings.pavilion]\nprices = []")
    position = ziggurat.new(GAME, 2, seed=1, components=components)
    view = position.view(None)
    assert (sum(card is not None for card in view.money), view.money_deck) == (2, 2)
    position.play(position.actors[0], position.legal(position.actors[0])[0])
    scored = [event.args["round"] for event in position.events_since(0) if event.type == "round_scored"]
    assert sorted(set(scored)) == ["A", "B"]
    assert scored == sorted(scored)
    assert not position.view(None).money_deck
    with pytest.raises(ComponentsError, match="2 players need money worth at least 13 in all, this is 12"):
        GAME.load_components(scarce.replace("capital = 3", "capital = 4"))


def test_more_than_127_cards_fit_into_a_hand() -> None:
    """Somebody who only ever takes money, with all the money that a file may ask for."""
    ziggurat.prepare(GAME)
    copies = [12, 12, 12, 12, 11, 0, 0, 0, 0]
    components = GAME.load_components(f"[money]\ncopies_two_players = {copies}\n[take]\nseveral_max_total = 36")
    position = ziggurat.new(GAME, 2, seed=1, components=components)
    most = 0
    while not position.finished:
        seat = position.actors[0]
        takes = [action for action in position.legal(seat) if action < 15]
        if not takes:
            break
        position.play(seat, takes[-1] if seat == 0 else takes[0])
        most = max(most, position.view(None).owners[0].cards)
        hand = position.view_all().owners[0].hand
        assert position.view(None).owners[0].cards == len(hand)
    assert most > 127

"""A component file of one's own: it may say a part, and what is wrong in it is named with its line."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.architects import by_hand
from tests.games.architects.table import scene
from tests.games.backings import to_the_end
from tests.games.table import play, record
from tests.properties import given, st

import ziggurat
from ziggurat.core.errors import ComponentsError
from ziggurat.core.position import Position
from ziggurat.core.scenario import Scenario, build
from ziggurat.core.text import catalogue
from ziggurat.games.architects.state import CARDS, DECKS, TOKENS, WONDERS

GAME = ziggurat.game("architects")

NO_TOKENS = "[tokens]\n" + "".join(f"copies.{token} = 0\n" for token in TOKENS[:-1])
NO_CARDS = "[decks.rhodes]\n" + "".join(f"{card} = 0\n" for card in CARDS)

BAD = [
    ("[cards", 1, "not TOML"),
    ('game = "alhambra"\n', 1, "components of 'alhambra', not of 'architects'"),
    ("format = 2", 1, "format: Expected `int` <= 1"),
    ("\n\n[points]\ncat = -1", 4, "points.cat: Expected `int` >= 0"),
    ("[points]\ncat = 2\nmilitary = 1000", 3, "points.military: Expected `int` <="),
    ("[cards.points]\nwood = 1", 2, "unknown field `wood`"),
    ("[tokens]\nface_up = 6", 2, "tokens.face_up: Expected `int` <= 5"),
    ("[tokens]\nface_up = 0", 2, "tokens.face_up: Expected `int` >= 1"),
    ("[tokens]\ndecor = [4]", 2, "length >= 2"),
    ("[tokens.copies]\nculture = 3", 2, "tokens.copies.culture: Expected `int` <= 2"),
    ("[tokens.copies]\ntactics = 2", 2, "tokens.copies.tactics: Expected `int` <= 1"),
    (NO_TOKENS, 1, "there are 2 progress tokens, fewer than lie face up"),
    ("[conflict]\ntokens = [3, 3, 4]", 2, "length >= 6"),
    ("[conflict]\ntokens = [3, 3, 4, 5, 6, 0]", 2, "Expected `int` >= 1"),
    ("[halicarnassus]\nlooks_at = 0", 2, "Expected `int` >= 1"),
    ("costs = [{ count = 2, relation = 'different' }]", 1, "costs: Expected `array` of length >= 5"),
    ("costs = [{ count = 2, relation = 'same' }]", 1, "costs"),
    ("[wonders.rome]\neffects = []", 1, "unknown field `rome`"),
    ("[wonders.giza]\nlevels = [[1], [2], [3], [4]]", 2, "every stage from 1 to 5 stands on one level"),
    ("[wonders.giza]\nlevels = [[1, 2], [2, 3], [4, 5]]", 2, "every stage from 1 to 5 stands on one level"),
    ("[wonders.giza]\nlevels = [[1, 2, 3, 4, 6], [5]]", 2, "Expected `int` <= 5"),
    ("[wonders.giza]\neffects = [2, 2]", 2, "a stage is named twice"),
    ("[wonders.giza]\npoints = [1, 2, 3, 4]", 2, "length >= 5"),
    ("[decks.rhodes]\nwood = 65", 2, "Expected `int` <= 64"),
    ("[decks.rhodes]\nwood = 60", 1, "a deck has 1 to 64 cards, this one 83"),
    (NO_CARDS, 1, "a deck has 1 to 64 cards, this one 0"),
    ("[decks.rhodes]\nwood = '2'", 2, "Expected `int`, got `str`"),
    ("x = " + "[" * 9000, 1, "nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "said"), BAD, ids=range(len(BAD)))
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(ComponentsError) as refused:
        GAME.load_components(text)
    assert said in str(refused.value)
    assert refused.value.line == line


def test_the_printed_numbers_are_those_of_the_specification() -> None:
    values: Any = GAME.components.values
    for name in WONDERS:
        wonder = values.wonder(name)
        assert tuple(map(tuple, wonder.levels)) == by_hand.LEVELS[name]
        assert tuple(wonder.points) == by_hand.POINTS[name]
        assert tuple(wonder.effects) == by_hand.EFFECTS[name]
        assert len(values.deck(name).cards()) == 25
        red = values.deck(name)
        assert red.red1 + 2 * red.red2 == by_hand.HORNS[name]
    assert {stage: (cost.count, cost.relation) for stage, cost in enumerate(values.costs, 1)} == by_hand.COSTS
    assert len(values.deck("central").cards()) == 60
    totals = {card: sum(getattr(values.deck(name), card) for name in DECKS) for card in CARDS}
    assert list(totals.values()) == [17, 17, 17, 17, 17, 27, 16, 24, 14, 14, 14, 18, 15, 8]
    babylon = values.deck("babylon")
    assert (babylon.stone, babylon.brick) == (1, 2)


# Section 3.3, column by column as in the table.
DECK_TABLE = {
    "alexandria": (2, 2, 2, 2, 1, 4, 2, 2, 1, 2, 1, 2, 1, 1),
    "babylon": (2, 1, 2, 2, 2, 3, 2, 2, 2, 2, 1, 2, 1, 1),
    "ephesus": (2, 2, 2, 2, 2, 3, 1, 2, 2, 1, 2, 2, 1, 1),
    "giza": (2, 2, 1, 2, 2, 3, 2, 3, 2, 1, 1, 2, 2, 0),
    "halicarnassus": (2, 2, 2, 1, 2, 3, 2, 2, 1, 1, 2, 2, 2, 1),
    "olympia": (1, 2, 2, 2, 2, 3, 1, 3, 1, 1, 2, 2, 2, 1),
    "rhodes": (2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 1, 2, 2, 1),
    "central": (4, 4, 4, 4, 4, 6, 4, 8, 4, 4, 4, 4, 4, 2),
}


@pytest.mark.parametrize("name", DECKS)
def test_the_decks_are_those_of_the_specification(name: str) -> None:
    values: Any = GAME.components.values
    assert tuple(getattr(values.deck(name), card) for card in CARDS) == DECK_TABLE[name]


def test_printed_numbers_are_the_ones_played_with() -> None:
    text = """
        [points]
        cat = 5
        military = 4
        [cards.points]
        vp3 = 7
        [tokens]
        culture = [1, 20]
        [halicarnassus]
        looks_at = 3
        [conflict]
        tokens = [1, 1, 1, 1, 1, 1]
        [wonders.giza]
        levels = [[5], [4], [3], [2], [1]]
        points = [50, 1, 1, 1, 1]
    """
    arranged = {"cat": 1, "military": {"2": 2}, "cards": {"2": {"vp3": 1}}}
    view = build(Scenario(game="architects", players=2, seed=2, components=text, position=arranged)).view(None)
    assert [(builder.tally.cat, builder.tally.military, builder.tally.cards) for builder in view.builders] == [
        (5, 0, 0),
        (0, 8, 7),
    ]
    assert (view.military_points, view.card_points["vp3"], view.conflict.tokens) == (4, 7, 1)
    giza, halicarnassus = (next(k for k in view.wonders if k.wonder == name) for name in ("giza", "halicarnassus"))
    assert (giza.levels, giza.points) == ([[5], [4], [3], [2], [1]], [50, 1, 1, 1, 1])
    say = catalogue("en", GAME)
    assert "top 3 cards" in say.say(halicarnassus.effect)
    assert say.say(view.tokens["culture"].effect) == "At the end: 1 point; both Culture tokens together give 20."


def deck_of(deck: str, counts: dict[str, int]) -> str:
    return "".join(f"decks.{deck}.{card} = {counts.get(card, 0)}\n" for card in CARDS)


COUNTS = st.lists(st.integers(0, 4), min_size=14, max_size=14)
LEVELS = st.permutations(range(1, 6)).flatmap(
    lambda order: st.sets(st.integers(1, 4)).map(
        lambda cuts: [order[a:b] for a, b in zip([0, *sorted(cuts)], [*sorted(cuts), 5], strict=True)]
    )
)
COSTS: st.SearchStrategy[list[dict[str, Any]]] = st.lists(
    st.builds(dict, count=st.integers(1, 4), relation=st.sampled_from(["different", "identical"])),
    min_size=5,
    max_size=5,
)
FIVE = st.lists(st.integers(0, 99), min_size=5, max_size=5)


@given(
    decks=st.lists(COUNTS, min_size=8, max_size=8),
    levels=LEVELS,
    costs=COSTS,
    points=FIVE,
    effects=st.lists(st.integers(1, 5), unique=True),
    numbers=st.tuples(st.integers(1, 5), st.integers(1, 20), st.integers(1, 9), st.integers(0, 9), st.integers(0, 99)),
    players=st.integers(2, 7),
    seed=st.integers(0, 2**64),
)
def test_whatever_is_accepted_can_be_played_to_the_end_in_both_backings(
    decks: list[list[int]],
    levels: list[list[int]],
    costs: list[dict[str, Any]],
    points: list[int],
    effects: list[int],
    numbers: tuple[int, ...],
    players: int,
    seed: int,
) -> None:
    face_up, conflict, looks_at, shields, cat = numbers
    text = f"tokens = {{ face_up = {face_up}, tactics_shields = {shields} }}\npoints.cat = {cat}\n"
    text += f"conflict.tokens = {[conflict] * 6}\nhalicarnassus.looks_at = {looks_at}\n"
    text += "costs = [" + ", ".join(f'{{ count = {c["count"]}, relation = "{c["relation"]}" }}' for c in costs) + "]\n"
    for deck, counts in zip(DECKS, decks, strict=True):
        text += deck_of(deck, dict(zip(CARDS, counts, strict=True)))
    for wonder in WONDERS:
        text += f"[wonders.{wonder}]\nlevels = {levels}\npoints = {points}\neffects = {effects}\n"
    try:
        components = GAME.load_components(text)
    except ComponentsError:
        return
    position = to_the_end(GAME, components, players, seed, lambda position, legal: legal[seed % 7 % len(legal)])
    assert position.scores == record(position).score[:players], "a number grew wider than its field"


ALL_AT_ONCE = (
    """
players = 2
components = """
    + "'''\n"
    + "".join(deck_of(deck, dict.fromkeys(CARDS[:6], 10)) for deck in DECKS)
    + """
costs = [ COST, COST, COST, COST, COST ]
wonders.giza.levels = [[1, 2, 3, 4, 5]]
'''
options.economy_counts_for_forced_build = "no"
options.engineering_counts_for_forced_build = "no"
options.forced_build_scope = "SCOPE"
tokens.1 = ["economy", "engineering"]
decks.giza = ["wood"]
cards.1 = { wood = 6, stone = 6, brick = 6, papyrus = 6, glass = 6, coin = 6 }
""".replace("COST", '{ count = 4, relation = "different" }')
)


@pytest.mark.parametrize("scope", ["greedy", "maximal"])
def test_as_many_payments_as_a_file_can_make_possible(scope: str) -> None:
    """Five stages for four cards each, with Engineering and Economy, and enough of everything."""
    ziggurat.prepare(GAME)
    position = scene(ALL_AT_ONCE.replace("SCOPE", scope))
    play(position, "1 draw left")
    each = by_hand.payments(by_hand.Hand((7, 6, 6, 6, 6), 6, True, True), 4, "different", False)
    assert len(each) == 126 + 21
    assert len(position.legal(0)) == len(set(position.legal(0))) == 5 * len(each)


def test_the_greatest_numbers_fit_into_their_fields() -> None:
    """A battle at every card, won by one seat again and again, for as many points as a file may give."""
    most = next(n for n in range(1000, 0, -1) if accepted(f"points.military = {n}"))
    decks = "".join(deck_of(deck, {"red1": 60, "gear": 4}) for deck in DECKS)
    components = GAME.load_components(f"""
        points = {{ military = {most}, cat = 99 }}
        conflict.tokens = [1, 1, 1, 1, 1, 1]
        tokens.strategy = 9
        tokens.tactics_shields = 9
        {decks}
    """)
    for players, seed in ((2, 0), (3, 0), (7, 4)):
        position = to_the_end(GAME, components, players, seed, wanting_tactics)
        assert max(record(position).military) > 300
        for builder in position.view(None).builders:
            assert builder.score == most * builder.military + builder.tally.tokens


def wanting_tactics(position: Position, legal: list[int]) -> int:
    wanted = [action for action in legal if position.write_step(action).endswith(("for tactics", "for strategy"))]
    return [*wanted, *legal][0]


def accepted(text: str) -> bool:
    try:
        GAME.load_components(text)
    except ComponentsError:
        return False
    return True

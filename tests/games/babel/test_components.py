"""A component file of one's own: it may say a part, and what is wrong in it is named with its line."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.games.babel import by_hand
from tests.games.babel.table import points, scene
from tests.games.backings import to_the_end
from tests.games.table import play, record
from tests.properties import given, st

import ziggurat
from ziggurat.core.errors import ComponentsError
from ziggurat.core.position import Position
from ziggurat.core.replay import Move, Replay
from ziggurat.core.replay import record as recorded

GAME = ziggurat.game("babel")

BAD = [
    ("[cards", 1, "not TOML"),
    ('game = "alhambra"\n', 1, "components of 'alhambra', not of 'babel'"),
    ("format = 2", 1, "format: Expected `int` <= 1"),
    ("\n\n[cards]\ncopies = 9", 4, "cards.copies: Expected `int` >= 10"),
    ("[cards]\ncopies = 51", 2, "<= 50"),
    ("[cards]\nstart_hand = 9", 2, "cards.start_hand: Expected `int` <= 8"),
    ("[cards]\ncolour = 9", 2, "unknown field `colour`"),
    ("[discs]\ncamel = [3, 4, 4, 5, 5, 8]", 2, "Expected `int` <= 7"),
    ("[discs]\ncamel = [3, 4, 4, 5, 5, 0]", 2, "Expected `int` >= 1"),
    ("[discs]\ncamel = []", 2, "length >= 1"),
    ("[discs]\ncamel = [3, 4, 4, 5, 5]", 1, "take 24 one-colour discs, these are 23"),
    ("[discs]\nelephant = [3]", 2, "unknown field `elephant`"),
    ("[discs]\nmason = [3, 4, 4, 4, 4, 6]", 2, "discs.mason: there is no mason disc of 5 that could leave"),
    ("[two_colour]\nreplaced = 7", 2, "there is no camel disc of 7"),
    ("[two_colour]\ndiscs = [{ camel = 2, mason = 3 }]", 2, "length >= 4"),
    ("[two_colour]\ndiscs = [{ camel = 2 }, { ship = 1, mason = 3 }, { ship = 1, mason = 3 }, { ship = 1, mason = 3 }]",
     2, "two types and at most 7 cards"),
    ("[two_colour]\ndiscs = [" + ", ".join(["{ camel = 4, mason = 4 }"] * 4) + "]", 2, "at most 7 cards"),
    ("[discs]\nship = [5]\ncrane = [3, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6]\n[two_colour]\n"
     "discs = [" + ", ".join(["{ camel = 2, mason = 3 }"] * 4) + "]",
     2, "discs.ship: the only ship disc leaves for those of two colours, so one of them has to show ship too"),
    ("[wonders]\nfirst = [8, 10, 12]", 2, "length >= 7"),
    ("[wonders]\nfirst = [3, 10, 12, 14, 16, 18, 20]", 2, "first place is worth at least as much"),
    ("[wonders]\nlight_first = 2", 2, "first place is worth at least as much"),
    ("[wonders]\nother = 100", 2, "Expected `int` <= 99"),
    ("[wonders]\nother = -1", 2, "Expected `int` >= 0"),
    ("[bonus]\npoints = [0]", 2, "length >= 2"),
    ("[bonus]\npoints = [0, 0, 5, 4]", 2, "more discs are worth at least as much"),
    ("[offers]\nrefused = 10", 2, "Expected `int` <= 9"),
    ("[units]\nsmall = 1\nlarge = 2", 2, "building pieces for 7 to 99 units"),
    ("[actions]\nexchange_cards = 0", 2, "Expected `int` >= 1"),
    ("[actions.copies]\njoker = 4", 2, "Expected `int` <= 3"),
    ("[actions.copies]\nexchange = 9\ndisc_bonus = 9\ndraw = 9\nend_bonus = 9", 1, "at most 40 action cards"),
    ("[actions.copies]\ndraw = '2'", 2, "Expected `int`, got `str`"),
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
    assert (values.cards.copies, values.cards.start_hand) == (25, 4)
    for name in by_hand.TYPES:
        assert values.discs.numbers(name) == [3, 4, 4, 5, 5, 6]
    two = [dict(zip(by_hand.TYPES, disc.needs(), strict=True)) for disc in values.two_colour.discs]
    assert [{name: count for name, count in disc.items() if count} for disc in two] == [
        {"camel": 2, "mason": 3},
        {"crane": 3, "mason": 2},
        {"crane": 2, "ship": 3},
        {"camel": 3, "ship": 2},
    ]
    assert (tuple(values.wonders.first), tuple(values.wonders.second)) == (by_hand.FIRST, by_hand.SECOND)
    assert (values.wonders.other, values.wonders.light_first, values.wonders.light_second) == (3, 6, 3)
    assert tuple(values.bonus.points) == by_hand.BONUS
    assert (values.offers.refused, values.offers.refused_triple) == (1, 3)
    assert values.units.small - 1 + 3 * values.units.large == 29
    assert [values.actions.copies_of(name) for name in ("exchange", "joker", "disc_bonus", "triple_refusal")] == [
        3,
        2,
        2,
        2,
    ]
    assert [values.actions.copies_of(name) for name in ("draw", "double_turn", "end_bonus")] == [2, 2, 2]
    assert (values.actions.exchange_cards, values.actions.draw_cards) == (5, 3)
    assert (values.actions.disc_points, values.actions.end_points) == (1, 5)


def test_the_file_says_what_is_reconstructed() -> None:
    """Section 12: every number that could not be verified is marked where it stands."""
    text = GAME.components_text()
    sections = {part.split("]")[0]: part for part in text.split("\n[")[1:]}
    before = text[: text.index("[discs]")].rpartition("\n\n")[2]
    for marked in (before, sections["two_colour"], sections["wonders"], sections["bonus"]):
        assert "econstructed" in marked
    assert "econstructed" in text[: text.index("[actions.copies]")].rpartition("\n\n")[2]
    assert "Likely" in sections["actions"]


@pytest.mark.usefixtures("interpreted")
def test_printed_numbers_are_the_ones_played_with() -> None:
    position = scene("""
        components = '''
        discs.ship = [1, 4, 4, 5, 5, 6]
        offers = { refused = 2, refused_triple = 5 }
        actions = { draw_cards = 2, disc_points = 4, end_points = 9 }
        bonus.points = [1, 2, 7]
        [wonders]
        first = [50, 51, 52, 53, 54, 55, 56]
        second = [40, 41, 42, 43, 44, 45, 46]
        other = 1
        light_first = 20
        light_second = 10
        '''
        discs.zeus = ["ship 1", "", ""]
        discs.tower = ["camel 4", "crane 3", "crane 4"]
        units = { zeus = [0, 3, 2], tower = [1, 2, 3] }
        hands = { 1 = { ship = 1 }, 2 = { ship = 1 }, 3 = { ship = 1 } }
        owned.3 = ["ship", "ship", "ship", "ship", "ship"]
        actions = { 1 = ["draw", "disc_bonus"], 2 = ["triple_refusal"], 3 = ["end_bonus"] }
    """)
    play(position, "1 draw")
    assert position.view(None).builders[0].cards == 4
    happened = play(
        position, "1 choose zeus 1", "2 offer ship", "3 offer ship", "1 accept none", "2 triple", "3 decline"
    )
    assert position.finished
    assert points(happened, "refused", 3) == [0, 5, 2]
    assert points(happened, "wonder_scored", 3) == [1 + 1, 50 + 10, 40 + 20]
    # Nobody has any disc of some types, and even that is worth a point here.
    assert points(happened, "bonus", 3) == [3 + 2 + 4, 4, 3 + 7 + 9]


# --- Whatever is accepted can be played --------------------------------------------------------------------------


def some(seed: int) -> Callable[[Position, list[int]], int]:
    """Mostly the last of the legal actions, so that something is built."""
    chance = random.Random(seed)
    return lambda position, legal: legal[-1] if chance.random() < 0.45 else chance.choice(legal)


NUMBERS = st.integers(1, 7)
DISCS = st.lists(st.tuples(st.integers(0, 3), NUMBERS), min_size=20, max_size=20)
SEVEN = st.lists(st.integers(0, 99), min_size=7, max_size=7)
PAIR = st.tuples(st.permutations(by_hand.TYPES), st.integers(1, 3), st.integers(1, 4))


@given(
    discs=DISCS,
    pairs=st.lists(PAIR, min_size=4, max_size=4),
    tables=st.tuples(SEVEN, SEVEN, st.lists(st.integers(0, 99), min_size=2, max_size=12).map(sorted)),
    cards=st.tuples(st.integers(10, 50), st.integers(0, 8)),
    numbers=st.tuples(*[st.integers(0, 9)] * 5),
    copies=st.lists(st.integers(0, 9), min_size=7, max_size=7),
    options=st.fixed_dictionaries(
        {}, optional={option.name: st.sampled_from(option.choices) for option in GAME.options}
    ),
    players=st.integers(3, 5),
    seed=st.integers(0, 2**63),
)
def test_whatever_is_accepted_can_be_played_to_the_end_in_both_backings(
    discs: list[tuple[int, int]],
    pairs: list[tuple[list[str], int, int]],
    tables: tuple[list[int], list[int], list[int]],
    cards: tuple[int, int],
    numbers: tuple[int, ...],
    copies: list[int],
    options: dict[str, str],
    players: int,
    seed: int,
) -> None:
    replaced = discs[0][1]
    by_type = {name: [replaced] + [n for kind, n in discs if by_hand.TYPES[kind] == name] for name in by_hand.TYPES}
    first = [max(a, b) for a, b in zip(*tables[:2], strict=True)]
    second = [min(a, b) for a, b in zip(*tables[:2], strict=True)]
    two = ", ".join(f"{{ {names[0]} = {a}, {names[1]} = {b} }}" for names, a, b in pairs)
    kinds = ("exchange", "joker", "disc_bonus", "triple_refusal", "draw", "double_turn", "end_bonus")
    text = f"cards = {{ copies = {cards[0]}, start_hand = {cards[1]} }}\nbonus.points = {tables[2]}\n"
    text += "".join(f"discs.{name} = {values}\n" for name, values in by_type.items())
    text += f"two_colour = {{ replaced = {replaced}, discs = [{two}] }}\n"
    text += f"wonders = {{ first = {first}, second = {second}, other = {numbers[0]} }}\n"
    text += f"offers = {{ refused = {numbers[1]}, refused_triple = {numbers[2]} }}\n"
    text += f"units = {{ small = {1 + numbers[3]}, large = {numbers[4]} }}\n[actions.copies]\n"
    text += "".join(f"{kind} = {min(n, 3 if kind == 'joker' else 9)}\n" for kind, n in zip(kinds, copies, strict=True))
    try:
        components = GAME.load_components(text)
    except ComponentsError as refused:
        reason = str(refused)
    else:
        to_the_end(GAME, components, players, seed, some(seed), options)
        return
    shown = {name for names, _, _ in pairs for name in names[:2]}
    gone = any(len(numbers) == 1 and name not in shown for name, numbers in by_type.items())
    assert "building pieces" in reason or "action cards" in reason or (gone and "disc leaves" in reason)


def test_a_type_may_be_left_on_discs_of_two_colours_alone() -> None:
    """Its only disc is replaced, and another shows it (8.1: the type is exhausted when that one is taken)."""
    components = GAME.load_components("discs.ship = [5]\ndiscs.crane = [3, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6]\n")
    options = {"two_colour_discs": "yes"}
    start = ziggurat.new("babel", 3, seed=1, components=components, options=options)
    ships = [disc for wonder in start.view(None).wonders for disc in wonder.discs if "ship" in disc]
    assert [len(disc) for disc in ships] == [2, 2]
    to_the_end(GAME, components, 3, 1, some(1), options)


def test_the_greatest_numbers_fit_into_their_fields() -> None:
    text = """
        cards = { copies = 50, start_hand = 8 }
        bonus.points = [99, 99, 99]
        offers = { refused = 9, refused_triple = 9 }
        units = { small = 40, large = 20 }
        [wonders]
        first = [99, 99, 99, 99, 99, 99, 99]
        second = [99, 99, 99, 99, 99, 99, 99]
        other = 99
        light_first = 99
        light_second = 99
        [discs]
        camel = [7, 5, 7, 7, 7, 7]
        crane = [7, 5, 7, 7, 7, 7]
        ship = [7, 5, 7, 7, 7, 7]
        mason = [7, 5, 7, 7, 7, 7]
        [actions]
        exchange_cards = 9
        draw_cards = 9
        disc_points = 9
        end_points = 50
        [actions.copies]
        exchange = 4
        joker = 3
        disc_bonus = 9
        triple_refusal = 6
        draw = 5
        double_turn = 4
        end_bonus = 9
    """
    components = GAME.load_components(text)
    for players in (3, 4, 5):
        position = to_the_end(GAME, components, players, players, some(players), {"two_colour_discs": "yes"})
        assert min(position.scores) > 4 * 99 - 1
        assert record(position).score[:players] == position.scores


def test_a_replay_carries_numbers_that_are_not_the_default() -> None:
    components = GAME.load_components("wonders.other = 2\nactions.copies.joker = 3\n")
    position = ziggurat.new("babel", 3, seed=5, components=components)
    moves = []
    while not position.finished:
        seat, before, steps = position.actors[0], position.copy(), list[int]()
        while not steps or position.in_move:
            steps.append(position.legal(seat)[-1])
            position.play(seat, steps[-1])
        moves.append(Move(seat, before.write_move(steps)))
    text = recorded(position, moves).dump()
    assert "[components]" in text
    assert f"components: {components.digest}" in text
    replay = Replay.parse(text)
    assert replay.components.digest == components.digest
    assert replay.verify().to_bytes() == position.to_bytes()
    with pytest.raises(ziggurat.ZigguratError, match="components"):
        Replay.parse(text.replace("other = 2", "other = 3")).verify()

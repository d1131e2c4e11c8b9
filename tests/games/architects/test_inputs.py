"""What a network is told of a game of Architects: nothing that is hidden, and the truth."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.architects.table import scene
from tests.games.features import played
from tests.games.inputs import check_inputs, told, told_alike
from tests.games.table import play

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.games.architects.state import CARDS, TOKENS

GAME = ziggurat.game("architects")
# Halicarnassus hides what it looks at, effects may be declined, wonders are drafted: what else is decided, and hidden.
UNUSUAL = {
    "wonders": "drafted",
    "wonder_effect_optional": "yes",
    "extra_card_optional": "no",
    "coin_policy": "missing_only",
    "economy_counts_for_forced_build": "no",
    "token_usable_same_turn": "no",
    "battle_before_game_end": "no",
    "halicarnassus_reveal_public": "no",
    "military_token_supply": "limited_28",
}


def action(position: Position, text: str) -> dict[str, int]:
    """What is told of a move of the seat that decides."""
    (number,) = position.read_move(text, position.actors[0])
    return told(position, position.actors[0], number)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", range(2, 8))
def test_columns_keep_their_bounds_and_tell_nothing_hidden(players: int) -> None:
    check_inputs(GAME, players, {}, games=2, seed=players)
    check_inputs(GAME, players, UNUSUAL, games=2, seed=players)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", [2, 5])
def test_every_two_actions_are_told_apart(players: int) -> None:
    for position, rng in played(GAME, players, games=10):
        if position.actors and draw(rng, 6) == 0:
            assert told_alike(position, position.actors[0]) == []


RACE = """
players = 3
[position]
wonders = ["giza", "babylon", "rhodes"]
turn = 2
conflict_turned = 1
built.1 = [1, 2, 3, 4]
built.2 = [1, 2]
cards.1 = { wood = 2, coin = 1, gear = 1, vp3 = 1 }
cards.2 = { red0 = 1, vp2cat = 2, stone = 1, tablet = 1 }
cards.3 = { red0 = 1, red1 = 2 }
tokens.2 = ["politics", "decor"]
cat = 2
knows = [1]
decks.giza = ["stone", "vp3"]
decks.babylon = ["tablet"]
decks.rhodes = ["red2"]
decks.central = ["vp2cat"]
"""


def has(columns: dict[str, int], **expected: Any) -> None:
    """Columns by their names, with ``__`` for the points in them."""
    wanted = {name.replace("__", "."): value for name, value in expected.items()}
    assert {name: columns[name] for name in wanted} == wanted


def test_seats_are_told_how_they_stand() -> None:
    position = scene(RACE)
    first, second, third = (told(position, seat) for seat in range(3))
    # Stages 4 5 6 7 and a blue card of 3 points; stages 3 0, two cats, the pawn, and tokens for 2 and 4 points.
    has(first, points=25, points__lead=10, points__place=0, points__lead__late=10, stages=4, stages__lead=2)
    has(second, points=15, points__lead=-10, points__place=1, points__tokens=6, cats=2, cat=1, stages__points=17)
    has(third, points=0, points__place=2, stages=0, stages__points=26)
    # Four different ones: wood and a coin are half of it.
    has(first, missing=2, missing__identical=5, last=3, needed=1, needed__lead=8)
    has(first, finish=3, finish__lead=15, finish__chance=0)  # 8 points more would do, but no one card
    has(second, missing=2, last=0, finish=0)
    has(first, turn__distance=2, asked=0)
    has(second, turn__distance=0, asked=2)
    # Shields 0, 1 and 3, of which 0, 1 and 1 last.
    has(first, shields__left=-1, shields__right=-3, lasting__right=-1, victories=0, defeats=2, defeats__soon=4)
    has(second, shields__left=-2, lasting__left=0, victories=1, defeats=1)
    has(third, victories=2, defeats=0, shields=3, shields__lasting=1)
    has(first, left__top=CARDS.index("stone") + 1, left__does=0b00001, right__top=CARDS.index("red2") + 1)
    has(second, left__does=0b00100, right__does=0)  # the second tablet is a pair, a second stone no new type
    has(first, seen__top=CARDS.index("vp2cat") + 1, saw_central=1, green=1)
    has(second, seen__top=0, saw_central=0)


def test_the_table_is_told_the_race_and_the_battle() -> None:
    table = told(scene(RACE))
    has(table, players=3, conflict__turned=1, conflict__left=2, stages__most=4, stages__last=1, last__missing=2)
    has(table, points__most=25, points__lead=10, tops__horns=2, tops__cats=0, shields__most=3, cat__free=0)


def test_actions_are_told_what_they_do() -> None:
    position = scene(RACE)
    left, right, central = (action(position, f"draw {side}") for side in ("left", "right", "central"))
    has(left, type=0, deck=1, card=CARDS.index("tablet") + 1, claims=100, points=0, denies__next=1)
    has(right, deck=2, advances=0, builds=0, denies__next=0)
    assert right["denies"] > 0  # a second type for Giza's last stage
    has(central, deck=3, card=0, points=0)
    assert 0 < central["claims"] < 100
    play(position, "2 draw left")
    assert position.write_step(position.legal(1)[0]).startswith("claim tablet tablet")
    claim = told(position, 1, position.legal(1)[0])
    has(claim, type=3, set=3, green__after=0)
    assert 1 <= claim["token"] <= len(TOKENS) + 1


FIRST = RACE.replace("turn = 2", "turn = 1")


def test_a_draw_is_told_of_the_battle_and_of_the_pawn() -> None:
    pawn = action(scene(FIRST), "draw central")
    has(pawn, card=CARDS.index("vp2cat") + 1, points=4, pawn=2)
    has(action(scene(FIRST), "draw right"), horns=2, conflict__left=0, battle=1, battle__swing=-1)
    third = action(scene(RACE.replace("turn = 2", "turn = 3")), "draw left")
    has(third, horns=2, battle=3, battle__swing=2, shields__win=0)


def test_a_build_is_told_what_it_leaves_and_how_the_game_ends() -> None:
    position = scene(FIRST.replace("wood = 2, coin = 1", "wood = 2, brick = 1, coin = 2"))
    play(position, "1 draw left")
    build = action(position, "build 5 with wood stone brick coin")
    has(build, stage=5, points=6, completes=3, completes__lead=15, pays__coins=1, pays__wood=1, after__missing=6)
    has(build, after__coins=1, after__grey=1)


def test_a_card_that_ends_the_game_is_told_who_wins_by_it() -> None:
    text = FIRST.replace("wood = 2, coin = 1", "wood = 1, brick = 1, coin = 1")
    ends = action(scene(text), "draw left")
    has(ends, builds=100, completes=3, completes__lead=15)
    behind = text.replace("vp2cat = 2", "vp2cat = 6, vp3 = 6")
    has(action(scene(behind), "draw left"), completes=1, completes__lead=-12)  # 25 and 8 points to 45

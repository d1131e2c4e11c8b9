"""What a network is told of a position and of an action."""

from __future__ import annotations

import pytest
from tests import runs
from tests.games.babel.table import new, phase
from tests.games.inputs import check_inputs, told

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.games.babel.network.columns import ENDS

pytestmark = pytest.mark.usefixtures("compiled")

GAME = ziggurat.game("babel")
TWO_COLOURS = {"two_colour_discs": "yes", "strict_units": "yes"}

# Far from what is printed: nearly all that a file may ask for.
MORE = """
game = "babel"
format = 1
[cards]
copies = 50
start_hand = 8
[discs]
camel = [1, 7]
crane = [7, 7]
ship = [3, 7, 7, 7, 7, 7, 7, 7]
mason = [3, 4, 4, 5, 5, 6, 7, 7, 7, 7, 7, 7]
[two_colour]
replaced = 7
[wonders]
first = [99, 99, 99, 99, 99, 99, 99]
second = [98, 98, 98, 98, 98, 98, 98]
other = 99
light_first = 99
light_second = 99
[bonus]
points = [0, 9, 99]
[offers]
refused = 9
refused_triple = 9
[actions]
exchange_cards = 9
draw_cards = 9
disc_points = 9
end_points = 50
[actions.copies]
exchange = 9
joker = 3
disc_bonus = 9
triple_refusal = 4
draw = 9
double_turn = 3
end_bonus = 3
"""


@pytest.mark.parametrize("players", runs.each([3, 4, 5], often=[4]))
@pytest.mark.parametrize("options", runs.each([{}, TWO_COLOURS, {"action_cards": "no"}], often=[{}, TWO_COLOURS]))
def test_columns_are_as_declared_and_tell_no_secret(players: int, options: dict[str, str]) -> None:
    check_inputs(GAME, players, options, games=1, seed=players)


def test_columns_are_as_declared_with_any_components() -> None:
    check_inputs(GAME, 5, {}, games=2, seed=1, every=24, components=GAME.load_components(MORE))


@pytest.mark.parametrize("seed", runs.each(range(4), often=[0, 3]))
def test_what_accepting_brings_is_what_it_brings(seed: int) -> None:
    """Without action cards nothing is asked between a choice of offers and its points."""
    position = new(3 + seed % 3, seed, action_cards="no", two_colour_discs="yes" if seed > 1 else "no")
    rng, seen, ended = generator(seed), 0, 0
    while position.actors:
        if phase(position) == "select":
            for choice in position.legal(position.actors[0]):
                ended += compare(position, choice)
                seen += 1
        seat = position.actors[draw(rng, len(position.actors))]
        position.play(seat, position.suggest(rng, seat))
    assert seen > 50
    assert ended


def compare(position: Position, choice: int) -> bool:
    """What is told of a choice of offers, and what comes of it; whether it ends the game."""
    seat = position.actors[0]
    accepting, after, before = told(position, seat, choice), position.copy(), position.scores
    after.play(seat, choice)
    if after.finished:
        lead = lead_of(after.scores, seat)
        assert accepting["wins"] == min(max(lead, -30), 30)
        assert ENDS[accepting["ends"]] == ("behind" if lead < 0 else "ahead" if lead > 0 else "level")
        return True
    gains = [now - then for now, then in zip(after.scores, before, strict=True)]
    others = gains[:seat] + gains[seat + 1 :]
    assert ENDS[accepting["ends"]] == "no"
    assert (accepting["points"], accepting["points.rival"]) == (gains[seat], max(others))
    assert accepting["points.others"] == min(sum(others), 30)
    return False


def lead_of(points: list[int], seat: int) -> int:
    return points[seat] - max(points[:seat] + points[seat + 1 :])

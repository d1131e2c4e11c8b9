"""Why a card is good, where that is known: the cat that somebody else has."""

from __future__ import annotations

import pytest

from ziggurat.bots import SEARCHING
from ziggurat.bots.reasons import MADE, PairedRollouts, reasons
from ziggurat.core import scenario
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import Arg, Phrase
from ziggurat.games.architects import GAME

SCENE = """
game = "architects"
players = 2
[position]
wonders = ["giza", "babylon"]
turn = 2
cat = 1
cards = { 1 = { vp2cat = 1 } }
decks.giza = ["wood", "vp3", "stone"]
decks.babylon = ["vp2cat", "brick", "glass"]
"""


@pytest.mark.usefixtures("compiled")
def test_the_cat_gives_points_and_takes_them_from_whoever_had_it() -> None:
    prepare(GAME, program=SEARCHING)
    position = scenario.reached(SCENE)
    seat = position.actors[0]
    by_card = {choice.words.args["card"]: choice.action for choice in position.decision(seat).legal}
    pairs = PairedRollouts(position, seat, generator(2)).play([by_card["vp2cat"]], [by_card["wood"]], 300)
    told: dict[str, Arg] = {"points": "2", "n": 2}
    assert [one for one in reasons(pairs, MADE) if one.key in ("why.gives", "why.takes")] == [
        Phrase("why.gives", {**told, "part": Phrase("why.blue")}),
        Phrase("why.gives", {**told, "part": Phrase("why.cat")}),
        Phrase("why.takes", {**told, "part": Phrase("why.cat"), "seat": 1 - seat}),
    ]

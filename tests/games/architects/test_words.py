"""What is asked and what can be done, in words."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.games.architects.table import new, scene
from tests.games.table import play

from ziggurat.core.languages import LANGUAGES
from ziggurat.core.position import Position
from ziggurat.core.text import Catalogue, catalogue
from ziggurat.core.trace import Phrase
from ziggurat.games.architects.choices import SPACE

pytestmark = pytest.mark.usefixtures("compiled")


def own(say: Catalogue, words: Phrase) -> str:
    """The words for whoever makes the move."""
    key = f"{words.key}.own"
    return say.say(Phrase(key, words.args) if key in say.texts else words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_has_words_of_its_own(language: str) -> None:
    """A sentence without gaps, which no other move of the same decision has."""
    say = catalogue(language, new(2, 1).game)
    met = Counter[str]()
    for seed, options in enumerate([{}, {"wonders": "chosen", "wonder_effect_optional": "yes"}] * 6):
        position = new(2 + seed % 6, seed, **options)
        chance = random.Random(seed).choice
        while not position.finished:
            [seat] = position.actors
            legal = position.decision(seat).legal
            for told in ([say.say(choice.words) for choice in legal], [own(say, choice.words) for choice in legal]):
                assert not any(set("{}_") & set(text) for text in told), told
                assert len(set(told)) == len(legal), told
            choice = chance(legal)
            assert position.describe(seat, [choice.action]).words == choice.words
            met[choice.type] += 1
            position.play(seat, choice.action)
    assert set(met) == set(SPACE.types)


def asked(position: Position) -> str:
    ask = position.decision(position.actors[0]).ask
    assert ask
    return ask.key.removeprefix("ask.")


ACTING = """
phase = "act"
"""


def test_what_is_asked_is_what_has_to_be_done() -> None:
    assert asked(new(2, 1)) == "draw"
    assert asked(new(2, 1, wonders="chosen")) == "choose_wonder"
    assert asked(scene(ACTING + "cards.1 = { coin = 2 }")) == "act_forced"
    token = 'tokens.1 = ["science"]\ntriggered = ["science"]\n'
    assert asked(scene(ACTING + token)) == "act_optional"
    assert asked(scene(ACTING + token, extra_card_optional="no")) == "act_extra"
    engineering = ACTING + 'tokens.1 = ["engineering"]\ncards.1 = { wood = 2 }'
    position = scene(engineering, engineering_counts_for_forced_build="no")
    assert asked(position) == "act_voluntary"
    assert [(choice.type, getattr(choice, "forced", None)) for choice in position.decision(0).legal] == [
        ("build", False),
        ("end", None),
    ]


def test_who_waits_is_asked_nothing_and_everybody_that_the_game_is_over() -> None:
    position = scene(
        ACTING.replace('"act"', '"draw"') + 'built.1 = [1, 2, 3, 4]\ncards.1 = { coin = 3 }\ndecks.giza = ["coin"]'
    )
    assert position.decision(1).ask is None
    assert position.decision(None).ask is None
    play(position, "1 draw left", "1 build 5 with coin coin coin coin")
    assert [position.decision(seat).ask for seat in (0, 1, None)] == [Phrase("ask.finished")] * 3


def test_a_card_is_named_only_where_it_is_seen() -> None:
    """The top of the central deck is known to those alone whom the cat has shown it."""
    for knows, card in (("", "unseen"), ("knows = [1]", "gear")):
        position = scene(f'{knows}\ndecks.central = ["gear"]')
        [central] = [choice for choice in position.decision(0).legal if choice.notation == "draw central"]
        assert getattr(central, "card", None) == card

"""What a decision says: what is asked, what each choice costs and brings, in words of both languages."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.games.babel.table import new, phase, scene
from tests.games.table import play

from ziggurat.core.languages import LANGUAGES
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.core.trace import Phrase
from ziggurat.games.babel import choices

pytestmark = pytest.mark.usefixtures("interpreted")


def table(given: str, *moves: str) -> Position:
    """Seat 1 is on turn, or has chosen ship 5 at Zeus and these moves were made."""
    position = scene(f'discs.zeus = ["ship 5", "camel 3", "crane 3"]\n{given}')
    play(position, *moves)
    return position


def asked(position: Position, seat: int | None) -> tuple[str, dict[str, Any]] | None:
    """What a seat, counted from 1, is asked or waits for."""
    phrase = position.decision(None if seat is None else seat - 1).ask
    return (phrase.key.removeprefix("ask."), dict(phrase.args)) if phrase else None


def choice(position: Position, seat: int, notation: str) -> Any:
    return next(one for one in position.decision(seat - 1).legal if one.notation == notation)


def said(phrases: list[Phrase]) -> list[str]:
    return [catalogue("en", new(3, 1).game).say(phrase, "ABC".__getitem__) for phrase in phrases]


OFFERS = "hands = { 1 = { ship = 4 }, 2 = { ship = 2 }, 3 = { ship = 3 } }"
BUILD = ("1 choose zeus 1", "2 offer ship ship with trade", "3 offer ship")


def test_the_numbers_of_actions_stay_what_stored_games_mean_by_them() -> None:
    bases = {one.type: one.base for one in choices.SPACE.types.values()}
    assert bases == {
        "pass": 0,
        "choose": 1,
        "lay": 25,
        "commit": 29,
        "commit_trade": 30,
        "accept": 31,
        "fail": 287,
        "exchange": 288,
        "draw": 289,
        "triple": 290,
        "decline": 291,
        "double": 292,
    }
    assert choices.SPACE.size == 293


def test_what_is_asked_of_everybody_through_a_build() -> None:
    given = OFFERS + '\nactions = { 1 = ["double_turn"], 2 = ["triple_refusal"], 3 = ["end_bonus"] }'
    position = table(given)
    assert [asked(position, seat) for seat in (1, 2, None)] == [("turn", {}), None, None]
    play(position, BUILD[0])
    assert asked(position, 1) == ("offers_coming", {})
    assert asked(position, 2) == ("offer", {"seat": 0, "needs": ["ship 5"], "wonder": "zeus"})
    assert asked(position, None) is None
    play(position, BUILD[1])
    assert asked(position, 2) == ("offer_waiting", {})
    play(position, BUILD[2])
    assert [asked(position, seat) for seat in (1, 2)] == [("select", {}), None]
    play(position, "1 fail")
    assert asked(position, 1) == asked(position, None) == ("refusal_waiting", {})
    assert [asked(position, seat) for seat in (2, 3)] == [("refusal", {}), ("in_vain", {})]
    play(position, "2 decline", "3 decline")
    assert asked(position, 1) == ("closing", {})


def test_who_cannot_build_is_told_so() -> None:
    position = table("hands = { 1 = {}, 2 = { ship = 1 }, 3 = {} }", "1 choose zeus 1", "2 offer nothing")
    assert asked(position, 1) == ("select_none", {})


def test_who_has_another_action_card_may_play_it_or_go_on() -> None:
    position = table(OFFERS + '\nactions = { 1 = ["draw"], 2 = ["exchange"] }', "1 pass")
    assert asked(position, 1) == ("go_on", {})
    assert choice(position, 1, "decline").means == "end_turn"
    position = table(OFFERS + '\nactions.3 = ["draw"]', *BUILD, "1 fail")
    assert asked(position, 3) == ("go_on", {})
    assert choice(position, 3, "decline").means == "go_on"


def test_an_exchange_asks_for_no_more_cards_than_can_be_drawn() -> None:
    position = table(OFFERS + '\nactions.1 = ["exchange"]\ndeck_left = 3', "1 exchange")
    assert asked(position, 1) == ("exchange", {"limit": 3})


def test_a_disc_says_what_it_needs_and_what_of_it_one_has() -> None:
    position = table("hands = { 1 = { ship = 7, camel = 1 }, 2 = {}, 3 = {} }")
    ship, camel = choice(position, 1, "choose zeus 1"), choice(position, 1, "choose zeus 2")
    assert ship.say[0].args == {"needs": ["ship 5"], "wonder": "zeus", "have": 5, "count": 5}
    assert camel.say[0].args == {"needs": ["camel 3"], "wonder": "zeus", "have": 1, "count": 3}
    assert (ship.wonder, ship.space, ship.needs) == ("zeus", 0, ["ship 5"])


def test_a_way_to_build_says_what_it_costs_and_brings_everybody() -> None:
    way = choice(table(OFFERS, *BUILD), 1, "accept 2")
    assert said(way.say) == [
        "You accept the offer of B.",
        "You add 3 ships.",
        "You place 5 houses.",
        "The disc goes to B.",
    ]
    assert said(way.others) == ["C: 1 point."]
    way = choice(table(OFFERS, *BUILD), 1, "accept 3")
    assert said(way.say)[-1] == "The disc is yours."
    assert said(way.others) == ["C places 1 house.", "B: 2 points."]


def test_ways_to_build_cost_cards_first_then_jokers_then_points() -> None:
    position = table(
        """
        hands = { 1 = { ship = 5 }, 2 = { ship = 2 }, 3 = { ship = 2 } }
        actions.1 = ["joker"]
        """,
        "1 choose zeus 1",
        "2 offer ship ship",
        "3 offer ship",
    )
    ways: list[Any] = [one for one in position.decision(0).legal if one.type == "accept"]
    found = [one.notation for one in sorted(ways, key=lambda one: one.cost)]
    assert found == [
        "accept 2 3",
        "accept 2 3 joker for ship ship",
        "accept 2",
        "accept 2 joker for ship ship",
        "accept 3",
        "accept 3 joker for ship ship",
        "accept none",
        "accept none joker for ship ship",
    ]
    position = table(
        "hands = { 1 = { ship = 5 }, 2 = { ship = 1 }, 3 = { ship = 3 } }",
        "1 choose zeus 1",
        "2 offer ship",
        "3 offer ship with trade",
    )
    ways = [one for one in position.decision(0).legal if one.type == "accept"]
    costs = {one.notation: one.cost for one in ways}
    assert costs["accept 2"] == costs["accept 3"], "both add four cards and give one point"


def test_giving_up_pays_everybody_whose_offer_counts() -> None:
    given = OFFERS.replace("3 = { ship = 3 }", "3 = { camel = 3 }")
    fail = choice(table(given, *BUILD[:2], "3 offer camel"), 1, "fail")
    assert fail.refused == [0, 2, 0]
    assert said(fail.others) == ["B: 2 points."]


def test_an_answer_says_what_it_brings() -> None:
    position = table(OFFERS + '\nactions.2 = ["triple_refusal"]', *BUILD, "1 fail")
    assert (choice(position, 2, "triple").points, choice(position, 2, "triple").plays) == (6, "triple_refusal")
    decline = choice(position, 2, "decline")
    assert (decline.points, decline.means) == (2, "do_without")


def test_the_trade_card_alone_is_refused_with_its_reason() -> None:
    position = table(OFFERS, BUILD[0])
    [reason] = [one.reason.key for one in position.decision(1).refusals if one.choice.type == "commit_trade"]
    assert reason == "refuse.trade_alone"


def test_a_full_offer_says_how_many_cards_there_may_be() -> None:
    position = table("hands = { 1 = {}, 2 = { ship = 7, camel = 1 }, 3 = {} }", BUILD[0])
    preview = position.preview(1, [choices.LAY + 2] * 4)
    assert [one.notation for one in preview.add] == ["lay camel", "lay ship"]
    assert preview.refusals == []
    assert preview.ask == position.decision(1).ask
    preview = position.preview(1, [choices.LAY + 2] * 5)
    assert preview.add == []
    assert [(one.choice.notation, one.reason) for one in preview.refusals] == [
        (card, Phrase("refuse.offer_limit", {"limit": 5})) for card in ("lay camel", "lay ship")
    ]
    labels = {one.action: one.label.key for one in preview.confirm}
    assert labels == {choices.COMMIT: "confirm.commit", choices.COMMIT_TRADE: "confirm.with_trade"}


def test_the_effects_of_action_cards_have_the_numbers_that_are_played_with() -> None:
    position = scene("components = 'actions = { draw_cards = 2, end_points = 9 }'")
    effects = position.view(None).effects
    assert (effects["draw"].args, effects["end_bonus"].args) == ({"count": 2}, {"points": 9})
    for language in LANGUAGES:
        for phrase in effects.values():
            assert "{" not in catalogue(language, position.game).say(phrase)


def test_a_move_in_words() -> None:
    position = table(OFFERS + '\nactions.2 = ["exchange"]', BUILD[0])

    def words(seat: int, text: str) -> str:
        phrase = position.game.describe(position._read(), seat - 1, position.read_move(text, seat - 1))
        return said([phrase])[0]

    assert words(2, "offer ship ship with trade") == "offer 2 ships, with the trade card"
    assert words(2, "offer nothing") == "offer nothing"
    assert words(2, "exchange ship") == "exchange a ship"
    play(position, *BUILD[1:])
    assert words(1, "accept 3") == "accept the offer of C"
    assert words(1, "fail") == "give up this build"


def test_everything_that_may_be_done_has_words_in_both_languages() -> None:
    position, chance = new(4, 9, two_colour_discs="yes"), random.Random(9)
    met = set()
    while not position.finished:
        seat = chance.choice(position.actors)
        decision = position.decision(seat)
        met |= {one.type for one in decision.legal} | {phase(position)}
        for one in decision.legal:
            phrases = [one.words, *getattr(one, "say", []), *getattr(one, "others", [])]
            for language in LANGUAGES:
                for phrase in phrases:
                    text = catalogue(language, position.game).say(phrase)
                    assert text
                    assert "{" not in text
        rather = [one.action for one in decision.legal if one.type in ("choose", "lay", "accept", "exchange", "draw")]
        position.play(seat, chance.choice(rather if rather and chance.random() < 0.6 else position.legal(seat)))
    assert met >= {"pass", "choose", "lay", "commit", "commit_trade", "accept", "fail", "decline"}

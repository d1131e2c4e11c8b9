"""What a seat may know (section 7): no offer before all are in, and of hands only what everybody has seen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.games.babel.table import hand, new, phase, scene
from tests.games.table import actors, only, play, record

from ziggurat.bots import decide
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.games.babel.state import TYPES

pytestmark = pytest.mark.usefixtures("compiled")

TABLE = """
players = 4
discs.zeus = ["ship 4", "camel 3", "crane 3"]
hands.1 = { ship = 4 }
hands.2 = { camel = 3, ship = 3 }
hands.3 = { crane = 2, ship = 1 }
hands.4 = { mason = 3 }
"""


def observers(position: Position, seat: int) -> list[int | None]:
    """Everybody but a seat, counted from 1, and a spectator."""
    return [None, *(other for other in range(position.players) if other != seat - 1)]


def shown(position: Position, observer: int | None) -> tuple[Any, ...]:
    """Everything that is handed to somebody: view, features, events, choices."""
    events = [event for event in position.events_for(observer) if event.type != "drew_cards"]
    return (
        msgspec.json.encode(position.view(observer)),
        tuple(position.observe(observer)),
        msgspec.json.encode(events),
        msgspec.json.encode(position.decision(observer)),
    )


def walk(position: Position, seed: int) -> Iterator[Position]:
    """A game at random; after every move. Seats that decide at once do so in any order."""
    chance = random.Random(seed)
    while not position.finished:
        seat = chance.choice(position.actors)
        while True:
            liked = [a for a in position.legal(seat) if position.write_step(a).startswith(("lay", "accept", "choose"))]
            position.play(seat, chance.choice(liked if liked and chance.random() < 0.6 else position.legal(seat)))
            if not position.in_move:
                break
        yield position


# --- Offers before the reveal ------------------------------------------------------------------------------------

SAME_SIZE = ["ship ship ship", "camel ship ship", "camel camel camel", "ship ship with trade", "camel camel with trade"]


def test_two_offers_of_the_same_number_look_the_same_to_everybody_else() -> None:
    seen: dict[int | None, set[tuple[Any, ...]]] = {}
    for offer in SAME_SIZE:
        position = scene(TABLE)
        play(position, "1 choose zeus 1", f"2 offer {offer}")
        assert actors(position) == [3, 4]
        for observer in observers(position, 2):
            seen.setdefault(observer, set()).add(shown(position, observer))
        play(position, "3 offer crane with trade")
        for observer in (None, 0, 3):
            seen.setdefault(("later", observer), set()).add(shown(position, observer))  # type: ignore[arg-type]
    assert {len(found) for found in seen.values()} == {1}


def test_the_offer_s_own_seat_sees_it() -> None:
    position = scene(TABLE)
    play(position, "1 choose zeus 1", "2 offer camel ship with trade")
    offer = position.view(1).builders[1].offer
    assert (offer.count, offer.cards["camel"], offer.cards["ship"], offer.trade) == (3, 1, 1, True)
    [event] = only(position.events_for(1), "offered")
    assert event.args == {"cards": ["camel", "ship"], "trade": True}


def test_offers_are_shown_together_when_the_last_one_is_in() -> None:
    position = scene(TABLE)
    play(position, "1 choose zeus 1", "4 offer mason", "2 offer ship with trade")
    for observer in observers(position, 2):
        assert only(position.events_for(observer), "revealed") == []
        assert "offered" not in {event.type for event in position.events_for(observer) if event.seat != observer}
    play(position, "3 offer ship")
    for observer in (None, 0, 1, 2, 3):
        told = [event for event in position.events_for(observer) if event.type == "revealed"]
        assert [event.seat for event in told] == [1, 2, 3], "in the order of the seats, whoever was first"
        assert position.view(observer).builders[1].offer.trade is True


def test_in_whole_games_nobody_is_told_more_than_the_number() -> None:
    looked = 0
    for seed in range(8):
        position = new(3 + seed % 3, seed)
        for _ in walk(position, seed):
            if phase(position) != "offer" or position.finished:
                continue
            for observer in (None, *range(position.players)):
                for builder in position.view(observer).builders:
                    if builder.seat != observer and builder.offer is not None:
                        assert builder.offer.cards is builder.offer.trade is builder.offer.returned is None
                        looked += 1
        for observer in (None, *range(position.players)):
            for event in position.events_for(observer):
                assert not event.private or event.seat == observer
                assert event.private is True or event.type not in ("offered", "drew_cards", "saw_action")
    assert looked > 500


# --- Redeals -----------------------------------------------------------------------------------------------------


def hands(position: Position, observer: int | None, seat: int, count: int = 60) -> list[Counter[str]]:
    """What somebody may believe that a seat, counted from 1, has in hand."""
    rng = generator(5)
    found = []
    for _ in range(count):
        world = position.redeal(observer, rng)
        found.append(Counter(hand(world, seat)))
    return found


def test_cards_that_everybody_saw_return_stay_known_until_as_many_were_spent() -> None:
    position = scene(TABLE + f"deck = {['crane'] * 8}")
    play(position, "1 choose zeus 1", "2 offer camel camel ship ship", "3 offer nothing", "4 offer nothing", "1 fail")
    for observer in observers(position, 2):
        found = hands(position, observer, 2)
        assert all(cards["camel"] >= 2 and cards["ship"] >= 2 for cards in found)
        assert len({tuple(sorted(cards.items())) for cards in found}) > 5
    play(position, "2 choose zeus 1", "1 offer ship", "3 offer nothing", "4 offer nothing", "2 accept 1")
    assert hand(position, 2)["camel"] == 3, "three ships were spent, two of them known"
    for observer in observers(position, 2):
        found = hands(position, observer, 2)
        assert all(cards["camel"] >= 2 for cards in found)
        assert {cards["ship"] for cards in found} > {0, 1}


def test_while_an_offer_lies_open_its_cards_are_not_in_the_hand_as_well() -> None:
    position = scene(TABLE)
    play(position, "1 choose zeus 1", "2 offer camel ship ship", "3 offer nothing", "4 offer nothing")
    assert phase(position) == "select"
    for observer in observers(position, 2):
        for cards in hands(position, observer, 2):
            assert sum(cards.values()) == 4
            assert cards["camel"] >= 1
        assert {cards["ship"] for cards in hands(position, observer, 2)} > {0, 1}


def test_cards_that_were_exchanged_openly_are_known_no_longer() -> None:
    position = scene(TABLE + "actions.2 = ['exchange']")
    offers = ("2 offer camel camel camel ship", "3 offer nothing", "4 offer nothing", "1 fail")
    play(position, "1 choose zeus 1", *offers, "2 decline")
    play(position, "2 exchange camel camel")
    found = hands(position, 0, 2)
    assert all(cards["camel"] >= 1 and cards["ship"] >= 1 for cards in found)
    assert 1 in {cards["camel"] for cards in found}


def test_what_lies_face_down_may_be_anything_that_could_have_been_laid() -> None:
    position = scene(TABLE)
    play(position, "1 choose zeus 1", "2 offer ship ship ship")
    rng = generator(6)
    worlds = [position.redeal(0, rng).secrets()["offers"][1] for _ in range(200)]
    assert all(sum(offer.values()) == 3 for offer in worlds)
    assert {offer["trade"] for offer in worlds} == {0, 1}
    for name in TYPES:
        assert len({offer[name] for offer in worlds}) > 1
    play(position, "3 offer crane crane ship with trade")
    worlds = [position.redeal(None, rng).secrets()["offers"][2] for _ in range(60)]
    assert {offer["trade"] for offer in worlds} == {1}, "three cards were in the hand, and four lie there"


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_a_bot_plays_on_when_somebody_has_laid_every_card_and_the_trade_card(bot: str) -> None:
    for seed in range(40):
        position = scene(f"""
            players = 4
            seed = {seed}
            discs.zeus = ["ship 5", "camel 3", "crane 3"]
            hands = {{ 1 = {{ ship = 4 }}, 2 = {{ ship = 3 }}, 3 = {{ ship = 1 }}, 4 = {{ ship = 2, camel = 3 }} }}
        """)
        play(position, "1 choose zeus 1", "2 offer ship ship ship with trade", "3 offer ship with trade")
        assert [builder.cards for builder in position.view(None).builders] == [5, 0, 0, 6]
        rng = generator(seed)
        position.play_all(3, decide(position, 3, bot, rng))
        assert phase(position) == "select"
        position.play_all(0, decide(position, 0, bot, rng))


def test_an_exchange_that_is_being_named_tells_only_how_many() -> None:
    seen = set()
    for card in ("camel", "ship"):
        position = scene(TABLE + "actions.2 = ['exchange']")
        play(position, "1 pass", "2 exchange", f"2 lay {card}")
        seen.add(msgspec.json.encode(position.view(0)))
        world = position.redeal(0, generator(1))
        assert world.view(0) == position.view(0)
    assert len(seen) == 1


# --- Action cards and decks --------------------------------------------------------------------------------------


def test_kinds_of_action_cards_are_hidden_and_every_kind_that_is_left_may_be_held() -> None:
    position = scene(TABLE + "actions = { 2 = ['joker', 'draw'], 3 = ['exchange'] }")
    play(position, "1 pass", "2 draw")
    rng = generator(8)
    for observer in observers(position, 2):
        assert position.view(observer).builders[1].actions is None
        found = Counter[str]()
        for _ in range(200):
            cards = position.redeal(observer, rng).secrets()["actions"][1]
            assert sum(cards.values()) == 1
            found.update(name for name, count in cards.items() if count)
        assert set(found) == {"exchange", "joker", "disc_bonus", "triple_refusal", "draw", "double_turn", "end_bonus"}
    worlds = [position.redeal(1, rng).secrets() for _ in range(60)]
    assert all(world["actions"][1] == position.secrets()["actions"][1] for world in worlds)


def test_a_drawn_action_card_is_told_to_its_seat_alone() -> None:
    position = scene("""
        discs.zeus = ["ship 4", "", ""]
        hands = { 1 = { ship = 4 }, 2 = {}, 3 = {} }
        action_deck = ["joker"]
    """)
    play(position, "1 choose zeus 1", "1 accept none")
    assert [event.args for event in only(position.events_for(0), "saw_action")] == [{"action": "joker"}]
    for observer in observers(position, 1):
        assert only(position.events_for(observer), "saw_action") == []
        assert len(only(position.events_for(observer), "got_action")) == 1


def test_whose_kinds_are_asked_for_does_not_show() -> None:
    """R23: the same question for every holder of a card, and the same look of the table."""
    seen = set()
    for card in ("triple_refusal", "end_bonus", "joker"):
        position = scene(TABLE + f"actions.2 = ['{card}']")
        play(position, "1 choose zeus 1", "2 offer ship", "3 offer nothing", "4 offer nothing", "1 fail")
        assert actors(position) == [2]
        seen.add(shown(position, 0))
        play(position, "2 decline")
        seen.add(("after", *shown(position, None)[:2]))
    assert len(seen) == 2


def test_decks_change_in_a_redeal_and_the_discards_do_not() -> None:
    position = new(4, 9)
    for number, _ in enumerate(walk(position, 9)):
        if number == 80:
            break
    truth, rng = position.secrets(), generator(9)
    for observer in (None, 0, 1, 2, 3):
        worlds = [position.redeal(observer, rng) for _ in range(8)]
        assert all(len(world.secrets()["deck"]) == len(truth["deck"]) for world in worlds)
        assert sum(world.secrets()["deck"] != truth["deck"] for world in worlds) > 6
        assert sum(world.secrets()["action_deck"] != truth["action_deck"] for world in worlds) > 5
        assert all(world.view(None).discard == position.view(None).discard for world in worlds)
        assert record(worlds[0]).rng.key != record(position).rng.key

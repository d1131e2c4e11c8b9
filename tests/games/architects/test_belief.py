"""What a seat may know (section 14): the card of the cat, hidden looks, and nothing of decks and stack."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from tests.games.architects.table import new, scene, turn
from tests.games.table import legal, only, play

from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.core.trace import Event

pytestmark = pytest.mark.usefixtures("compiled")


def deck(position: Position, name: str) -> list[str]:
    cards: list[str] = position.secrets()["decks"][name]
    return cards


def tops(position: Position, name: str, seat: int | None, count: int = 1, tries: int = 60) -> set[tuple[str, ...]]:
    """What a seat may believe to lie on top of a deck."""
    rng = generator(7)
    return {tuple(deck(position.redeal(seat, rng), name)[:count]) for _ in range(tries)}


def seen(position: Position) -> list[str | None]:
    """The top central card as every seat and a spectator see it."""
    return [position.view(seat).central.seen for seat in (*range(position.players), None)]


CAT = """
players = 3
wonders = ["giza", "babylon", "olympia"]
turn = 3
cat = 1
decks.giza = ["vp3", "vp3"]
decks.babylon = ["vp3", "vp2cat"]
decks.olympia = ["vp3", "vp3"]
decks.central = ["glass"]
"""


# --- The cat -----------------------------------------------------------------------------------------------------


def test_the_card_of_the_cat_is_known_to_who_saw_it_until_it_is_taken() -> None:
    position = scene(CAT)
    assert seen(position) == [None] * 4
    play(position, "3 draw left")
    for move in ("1 draw left", "2 draw left", "3 draw left"):
        assert seen(position) == ["glass", None, None, None]
        assert position.view(2).central.known_by == [0]
        assert tops(position, "central", 0) == {("glass",)}
        assert all(len(tops(position, "central", seat)) > 5 for seat in (1, 2, None))
        play(position, move)
    position = scene(CAT)
    play(position, "3 draw left", "1 draw left", "2 draw central")
    assert seen(position) == [None] * 4
    assert position.view(0).central.known_by == []
    assert all(len(tops(position, "central", seat)) > 5 for seat in (0, 1, 2, None))


@pytest.mark.parametrize("move", ["1 draw central", "1 draw left"])
def test_a_card_that_one_takes_oneself_is_known_no_longer(move: str) -> None:
    position = scene(CAT)
    play(position, "3 draw left", move)
    assert (seen(position)[0] is None) == (move == "1 draw central")


def test_two_may_know_the_same_card() -> None:
    position = scene(CAT)
    play(position, "3 draw left", "1 draw left", "2 draw left", "3 draw right")  # the cat goes to seat 3
    assert position.view(None).cat == 2
    play(position, "1 draw left", "2 draw left")
    assert seen(position) == ["glass", None, "glass", None]
    assert position.view(1).central.known_by == [0, 2]
    assert tops(position, "central", 0) == tops(position, "central", 2) == {("glass",)}
    play(position, "3 draw central")
    assert seen(position) == [None] * 4


def test_a_wonder_that_takes_the_central_card_ends_the_knowledge_too() -> None:
    position = scene("""
        wonders = ["ephesus", "giza"]
        cat = 1
        knows = [1, 2]
        built.1 = [1]
        cards.1 = { wood = 2 }
        decks.ephesus = ["vp3"]
        decks.giza = ["vp3"]
        decks.central = ["glass"]
    """)
    assert seen(position) == ["glass", "glass", None]
    play(position, "1 draw left")
    play(position, "1 build 2 with wood wood")
    assert seen(position) == [None] * 3


def test_what_is_seen_is_what_lies_there_in_whole_games() -> None:
    """From its own events alone each seat knows what its view says, and what is drawn next."""
    looks = 0
    for seed in range(12):
        position = new(2 + seed % 6, seed)
        chance = random.Random(seed).randrange
        known: dict[int, str] = {}
        while not position.finished:
            seat = position.actors[0]
            actions = position.legal(seat)
            events = position.play_all(seat, [actions[chance(len(actions))]])
            for event in events:
                if event.type == "took" and event.args["deck"] == "central":
                    assert all(card == event.args["cards"][0] for card in known.values())
                    known.clear()
                if event.type == "saw":
                    assert event.seat is not None
                    known[event.seat] = event.args["card"]
                    looks += 1
            for other in range(position.players):
                assert position.view(other).central.seen == known.get(other)
            assert position.view(None).central.known_by == sorted(known)
    assert looks > 100


# --- Private events ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("public", ["yes", "no"])
def test_private_events_reach_their_seat_alone(public: str) -> None:
    kinds = Counter[str]()
    for seed in range(8):
        position = new(7, seed, halicarnassus_reveal_public=public)
        chance = random.Random(seed).randrange
        while not position.finished:
            seat = position.actors[0]
            actions = position.legal(seat)
            position.play(seat, actions[chance(len(actions))])
        events = position.events
        for reader in (None, *range(7)):
            mine = [event for event in events if not is_private(event) or event.seat == reader]
            assert position.events_for(reader) == mine
        kinds.update(event.type for event in events if is_private(event))
    assert set(kinds) == ({"saw"} if public == "yes" else {"saw", "saw_cards"})


def is_private(event: Event) -> bool:
    return event.type in ("saw", "saw_cards")


# --- Halicarnassus -----------------------------------------------------------------------------------------------


LOOK = """
players = 3
options.halicarnassus_reveal_public = "{public}"
wonders = ["halicarnassus", "giza", "olympia"]
built.1 = [1]
cards.1 = {{ wood = 2 }}
decks.halicarnassus = ["vp3", "coin", "wood", "gear", "red0", "glass", "vp2cat"]
"""
FIVE = ["coin", "wood", "gear", "red0", "glass"]


def looking(public: str) -> Position:
    position = scene(LOOK.format(public=public))
    play(position, "1 draw left", "1 build 2 with wood wood", "1 look left")
    return position


def test_a_look_is_public_by_default() -> None:
    position = looking("yes")
    for seat in (0, 1, 2, None):
        assert position.view(seat).looked.cards == FIVE
        assert tops(position, "halicarnassus", seat, 5) == {tuple(FIVE)}
        assert only(position.events_for(seat), "looked")[0].args["cards"] == FIVE
    assert len(tops(position, "halicarnassus", None, 6)) > 3  # the sixth card is nobody's


def test_a_hidden_look_is_for_the_looker_alone() -> None:
    position = looking("no")
    assert position.view(0).looked.cards == FIVE
    assert tops(position, "halicarnassus", 0, 5) == {tuple(FIVE)}
    assert only(position.events_for(0), "saw_cards")[0].args == {"deck": "halicarnassus", "cards": FIVE}
    for seat in (1, 2, None):
        view = position.view(seat)
        assert view.looked is None
        assert (view.decks[0].top, view.phase) == ("coin", "keep")
        believed = tops(position, "halicarnassus", seat, 5)
        assert {cards[0] for cards in believed} == {"coin"}
        assert len({cards[1:] for cards in believed}) > 30
        events = position.events_for(seat)
        assert only(events, "saw_cards") == []
        assert only(events, "looked")[0].args == {"deck": "halicarnassus", "count": 5, "cards": []}


@pytest.mark.parametrize("public", ["yes", "no"])
def test_after_the_look_nobody_knows_the_order(public: str) -> None:
    position = looking(public)
    play(position, "1 keep gear")
    top = position.view(None).decks[0].top
    for seat in (0, 1, None):
        believed = tops(position, "halicarnassus", seat, 3)
        assert {cards[0] for cards in believed} == {top}
        assert len(believed) > 20
    assert only(position.events_for(None), "took")[-1].args["cards"] == ["gear"]


def test_the_choice_of_a_card_to_keep_is_the_looker_s() -> None:
    position = looking("no")
    assert sorted(legal(position)) == sorted(f"keep {card}" for card in FIVE)
    for seat in (1, 2, None):
        decision = position.decision(seat)
        assert (decision.legal, decision.refusals) == ([], [])


# --- Decks and stack ---------------------------------------------------------------------------------------------


def test_every_unseen_card_and_token_may_be_next() -> None:
    position, rng = new(2, 6), generator(6)
    truth = position.secrets()
    found: dict[str, Counter[str]] = {name: Counter() for name in ("central", "second", "stack")}
    wonder = position.view(None).decks[0].wonder
    for _ in range(1500):
        world: dict[str, Any] = position.redeal(0, rng).secrets()
        found["central"][world["decks"]["central"][0]] += 1
        found["second"][world["decks"][wonder][1]] += 1
        found["stack"][world["stack"][0]] += 1
    unseen = {
        "central": Counter(truth["decks"]["central"]),
        "second": Counter(truth["decks"][wonder][1:]),
        "stack": Counter(truth["stack"]),
    }
    for name, counts in unseen.items():
        assert set(found[name]) == set(counts)
        share = 1500 / sum(counts.values())
        assert all(abs(found[name][c] - n * share) < 5 * (n * share) ** 0.5 for c, n in counts.items())


def test_before_the_decks_are_laid_out_nothing_is_known_of_them() -> None:
    position = new(3, 2, wonders="chosen")
    play(position, f"{turn(position)} wonder giza")
    assert seen(position) == [None] * 4
    assert position.view(None).decks == []
    worlds = []
    for seed in range(10):
        world = position.redeal(0, generator(seed))
        while world.view(None).phase == "choose":
            play(world, f"{turn(world)} {legal(world)[0]}")
        worlds.append((*deck(world, "giza"), *world.view(None).offer))
    assert len(set(worlds)) == 10

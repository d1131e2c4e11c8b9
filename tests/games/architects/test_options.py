"""Set-up and its options: who begins, how wonders are got; and what is refused, with a reason and nothing changed."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.architects.table import new, reason, scene, turn
from tests.games.table import legal, only, play, record, types

from ziggurat.core.errors import BadOption, IllegalAction, NotationError, NotYourTurn
from ziggurat.core.options import NETWORK, OBSERVED
from ziggurat.core.position import Position
from ziggurat.games.architects.state import OPTIONS, WONDERS

pytestmark = pytest.mark.usefixtures("interpreted")


def got(position: Position) -> list[str | None]:
    return [builder.wonder for builder in position.view(None).builders]


# --- Set-up ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 8))
def test_section_6_what_lies_on_the_table(players: int) -> None:
    position = new(players, players)
    view = position.view(None)
    assert view.conflict.tokens == {2: 3, 3: 3, 4: 4, 5: 5, 6: 6, 7: 6}[players]
    assert view.conflict.turned == 0
    assert [(deck.seat, deck.left) for deck in view.decks] == [(seat, 25) for seat in range(players)]
    assert [deck.wonder for deck in view.decks] == got(position)
    assert all(deck.top for deck in view.decks)
    assert (view.central.left, view.central.seen, view.central.known_by) == (60, None, [])
    assert (len(view.offer), view.stack, view.cat) == (3, 12, None)
    assert all(view.offer)
    assert (view.turn, view.phase) == (view.start, "draw")
    assert sum(view.discard.values()) == 0
    assert position.scores == [0] * players
    hidden = position.secrets()
    assert len(hidden["stack"]) == 12
    assert Counter(hidden["decks"]["central"]) == {
        "wood": 4, "stone": 4, "brick": 4, "papyrus": 4, "glass": 4, "coin": 6, "vp3": 4, "vp2cat": 8,
        "compass": 4, "gear": 4, "tablet": 4, "red0": 4, "red1": 4, "red2": 2,
    }  # fmt: skip


def test_turns_go_to_the_left() -> None:
    position = new(5, 4)
    order = [event.seat for event in position.events if event.type == "turn"]
    while len(order) < 12:
        order += [e.seat for e in position.play_all(position.actors[0], position.legal(position.actors[0])[:1])
                  if e.type == "turn"]  # fmt: skip
    first = order[0]
    assert first is not None
    assert order == [(first + i) % 5 for i in range(len(order))]


def test_first_player() -> None:
    assert {new(3, seed).view(None).start for seed in range(30)} == {0, 1, 2}
    assert {new(3, seed, first_player="first_seat").view(None).start for seed in range(10)} == {0}


# --- How wonders are got -----------------------------------------------------------------------------------------


def test_random_wonders_are_dealt_to_all_alike() -> None:
    counts: Counter[tuple[int, str | None]] = Counter()
    for seed in range(700):
        wonders = got(new(2, seed))
        assert len(set(wonders)) == 2
        counts.update(enumerate(wonders))
    assert len(counts) == 14
    assert all(60 < count < 145 for count in counts.values())


def test_chosen_wonders_clockwise_from_the_start_player_all_seven_open() -> None:
    position = new(4, 5, wonders="chosen")
    start = position.view(None).start
    assert position.view(None).phase == "choose"
    assert position.view(None).decks == []
    left = list(WONDERS)
    for i in range(4):
        seat = (start + i) % 4
        assert position.actors == (seat,)
        assert position.view(None).open_wonders == left
        assert legal(position) == [f"wonder {wonder}" for wonder in left]
        wonder = left.pop(i % len(left))
        happened = play(position, f"{seat + 1} wonder {wonder}")
        assert only(happened, "wonder")[0].args == {"wonder": wonder}
        assert got(position)[seat] == wonder
    assert (position.view(None).phase, position.actors) == ("draw", (start,))
    assert position.view(None).open_wonders == []
    assert [deck.left for deck in position.view(None).decks] == [25] * 4
    assert all(position.view(None).offer)


@pytest.mark.parametrize("players", [2, 5, 6, 7])
def test_drafted_wonders_one_more_than_players_the_last_in_turn_order_first(players: int) -> None:
    position = new(players, 8, wonders="drafted")
    start = position.view(None).start
    open_wonders = position.view(None).open_wonders
    assert len(open_wonders) == min(players + 1, 7)
    order = []
    while position.view(None).phase == "choose":
        order.append(position.actors[0])
        play(position, f"{position.actors[0] + 1} {legal(position)[-1]}")
    assert order == [(start - 1 - i) % players for i in range(players)]
    assert position.actors == (start,)
    assert set(got(position)) <= set(open_wonders)
    assert len(set(got(position))) == players


def test_drafted_wonders_are_drawn_anew_for_every_game() -> None:
    found = Counter(wonder for seed in range(60) for wonder in new(2, seed, wonders="drafted").view(None).open_wonders)
    assert set(found) == set(WONDERS)
    assert sum(found.values()) == 3 * 60


@pytest.mark.parametrize("option", ["chosen", "drafted"])
def test_the_dealt_decks_are_shuffled_whoever_chose_them(option: str) -> None:
    seen = set()
    for seed in range(12):
        position = new(2, seed, wonders=option, first_player="first_seat")
        while position.view(None).phase == "choose":
            play(position, f"{turn(position)} {legal(position)[0]}")
        seen.add(tuple(position.secrets()["decks"]["central"]))
    assert len(seen) == 12


# --- What is refused ---------------------------------------------------------------------------------------------


def refused(position: Position, move: str, said: str) -> None:
    """A move is refused for a reason, and leaves everything as it was."""
    before, rows = position.to_bytes(), position.rows_written
    with pytest.raises(IllegalAction, match=said):
        play(position, move)
    assert (position.to_bytes(), position.rows_written) == (before, rows)


def test_a_wonder_chosen_twice() -> None:
    position = new(3, 1, wonders="chosen", first_player="first_seat")
    play(position, "1 wonder giza")
    assert reason(position, "wonder giza") == "wonder_taken"
    refused(position, "2 wonder giza", "'wonder giza' is not possible: .*[Gg]iza")
    position = new(2, 1, wonders="drafted", first_player="first_seat")
    other = next(wonder for wonder in WONDERS if wonder not in position.view(None).open_wonders)
    assert reason(position, f"wonder {other}") == "wonder_not_open"
    refused(position, f"2 wonder {other}", "is not possible")


PAYING = """
cards.1 = { wood = 2, stone = 1 }
decks.giza = ["vp3"]
"""


def test_a_payment_that_does_not_pay() -> None:
    position = scene(PAYING)
    play(position, "1 draw left")
    refused(position, "1 build 1 with wood brick", "not possible")
    refused(position, "1 build 1 with wood wood", "not possible")
    refused(position, "1 build 1 with wood coin", "not possible")
    refused(position, "1 build 1 with coin2", "not possible")
    refused(position, "1 build 2 with wood wood", "not possible")
    refused(position, "1 build 1 with wood", "costs 2 different resources; 'wood' makes 1")
    refused(position, "1 build 1 with wood stone coin", "makes 3")
    refused(position, "1 build 1 with wood gold", "'gold' is none of")
    refused(position, "1 build 6 with wood stone", "is none of 1, 2, 3, 4, 5")
    play(position, "1 build 1 with stone wood")


def test_a_token_used_twice_a_turn() -> None:
    position = scene('tokens.1 = ["urbanism", "jewellery", "economy"]\ndecks.giza = ["wood", "brick", "stone", "coin"]')
    refused(position, "1 extra urbanism left", "not possible")
    play(position, "1 draw left")
    assert reason(position, "extra jewellery left") == "token_not_triggered"
    refused(position, "1 extra jewellery left", "not possible")
    refused(position, "1 extra crafts left", "not possible")  # somebody else's, or nobody's
    play(position, "1 extra urbanism left")
    assert reason(position, "extra urbanism left") == "token_used"
    refused(position, "1 extra urbanism left", "not possible")


def test_each_reason_why_a_stage_cannot_be_built() -> None:
    position = scene('built.1 = [1]\ncards.1 = { stone = 1 }\ntokens.1 = ["urbanism"]\ndecks.giza = ["wood"]')
    refused(position, "1 build 2 with wood wood", "not possible")
    refused(position, "1 end", "not possible")
    play(position, "1 draw left")
    reasons = {r.choice.stage: r.reason for r in position.decision(0).refusals if r.choice.type == "build"}  # type: ignore[attr-defined]
    keys = {stage: reason.key.removeprefix("refuse.") for stage, reason in reasons.items()}
    assert keys == {1: "stage_built", 2: "stage_cost", 3: "stage_locked", 4: "stage_locked", 5: "stage_locked"}
    assert reasons[2].args == {"stage": 2, "wonder": "giza", "have": 1, "need": 2, "relation": "identical"}
    refused(position, "1 draw left", "not possible")
    refused(position, "1 claim gear gear for stack", "not possible")


def test_out_of_turn_and_after_the_end() -> None:
    position = scene(PAYING)
    before = position.to_bytes()
    with pytest.raises(NotYourTurn):
        play(position, "2 draw left")
    assert position.to_bytes() == before
    over = scene("decks.giza = ['coin']\ndeck_left = { giza = 1, babylon = 0, central = 0 }")
    assert types(play(over, "1 draw left"))[-1] == "finished"
    refused(over, "1 draw left", "the game is over")


def test_an_empty_deck() -> None:
    position = scene("wonders = ['giza', 'babylon']\ndeck_left.giza = 0")
    assert reason(position, "draw left") == "deck_empty"
    refused(position, "1 draw left", "not possible")
    assert legal(position) == ["draw right", "draw central"]


@pytest.mark.parametrize(
    "text",
    ["", "draw", "draw up", "draw left left", "extra decor left", "claim gear compass for decor", "claim gear gear",
     "claim gear gear for gold", "keep", "token", "take rome", "wonder rome", "build 1", "build 1 with",
     "build x with wood"],
)  # fmt: skip
def test_what_is_no_move_is_said(text: str) -> None:
    with pytest.raises(NotationError):
        scene(PAYING).read_move(text)


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (3, {"wonders": "bought"}, "wonders is one of random, chosen, drafted"),
        (3, {"two_player_zero_shield_needs_two": "no"}, "is for 2 players, not for 3"),
        (3, {"coin_policy": "yes"}, "one of free, missing_only"),
        (2, {"cat": "no"}, "no option 'cat'"),
        (8, {}, "2 to 7 players"),
        (1, {}, "2 to 7 players"),
    ],
)
def test_a_bad_option_is_refused_with_what_would_be_right(players: int, options: dict[str, str], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        new(players, 1, **options)


def test_every_option_that_may_be_chosen_leaves_its_mark() -> None:
    """Each choice that is not the default changes the record that set-up makes, and nothing else of the table but what
    observations and networks are told of it."""
    plain = record(new(2, 1))
    for option in OPTIONS:
        for choice in option.choices:
            if choice != option.default and option.name not in ("wonders", "first_player"):
                changed = record(new(2, 1, **{option.name: choice}))
                fields = [name for name in plain.__dict__ if getattr(plain, name) != getattr(changed, name)]
                assert len([name for name in fields if name not in ("rng", OBSERVED, NETWORK)]) == 1, option.name

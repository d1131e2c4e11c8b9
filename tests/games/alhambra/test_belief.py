"""What a seat may believe: everything that could be, as likely as it is, and nothing else.

What lay open is remembered, the starting capital too; so whether hands are dealt well shows in games whose capital was
dealt face down.
"""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.alhambra.table import dealt_face_down, new, scene
from tests.games.table import play, record

from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.games.alhambra import choices
from ziggurat.games.alhambra.state import SCORING_A, SCORING_B

pytestmark = pytest.mark.usefixtures("compiled")


def advanced(players: int, seed: int, decisions: int, *, face_down: bool = False) -> Position:
    position, rng = (dealt_face_down if face_down else new)(players, seed), generator(seed)
    for _ in range(decisions):
        if position.finished:
            break
        legal = position.legal(position.actors[0])
        position.play(position.actors[0], legal[draw(rng, len(legal))])
    return position


def places(position: Position) -> tuple[int, int]:
    s = record(position)
    deck = s.money_deck[: s.money_left]
    return tuple(deck.index(card) if card in deck else -1 for card in (SCORING_A, SCORING_B))  # type: ignore[return-value]


@pytest.mark.parametrize("players", [2, 3, 6])
def test_scoring_cards_lie_only_where_set_up_could_have_put_them(players: int) -> None:
    rng = generator(1)
    for decisions in (0, 10, 40, 90, 150):
        position = advanced(players, 5, decisions)
        s = record(position)
        for _ in range(60):
            a, b = places(position.redeal(0, rng))
            assert (a < 0) == bool(s.scored & 1)
            assert (b < 0) == bool(s.scored & 2)
            assert a < 0 or s.a_from <= a < min(s.a_below, s.money_left)
            assert b < 0 or s.b_from <= b < min(s.b_below, s.money_left)


def test_every_possible_place_is_equally_likely() -> None:
    position, rng = new(3, 2), generator(2)
    s = record(position)
    counts = Counter(places(position.redeal(None, rng)) for _ in range(3000))
    for index, (low, below) in enumerate(((s.a_from, s.a_below), (s.b_from, s.b_below))):
        found = Counter[int]()
        for pair, n in counts.items():
            found[pair[index]] += n
        size = below - low
        assert set(found) == set(range(low, below))
        square = sum((found[place] - 3000 / size) ** 2 for place in found) * size / 3000
        assert square < size - 1 + 5 * (2 * (size - 1)) ** 0.5


def test_when_part_of_its_pile_is_gone_a_lies_in_the_rest() -> None:
    # The top pile and half of the second are gone, and A has not turned up.
    rng, found = generator(3), Counter[int]()
    position = next(
        p
        for p in (advanced(3, seed, 30 + seed % 40) for seed in range(400))
        if not record(p).scored & 1 and record(p).a_from + 3 < record(p).money_left < record(p).a_below - 2
    )
    s = record(position)
    for _ in range(800):
        found[places(position.redeal(1, rng))[0]] += 1
    assert set(found) == set(range(s.a_from, s.money_left))


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("face_down", [False, True])
def test_what_lay_open_and_was_not_paid_since_stays_in_the_hand(players: int, face_down: bool) -> None:
    """Counted from the events alone; what else is in the hands changes, if there is anything else."""
    rng, changed, kept = generator(5), 0, 0
    for decisions in (0, 20, 60, 110, 160):
        position = advanced(players, 21, decisions, face_down=face_down)
        seen = [Counter[str]() for _ in range(players)]
        for event in position.events:
            if event.type == "took" or (event.type == "dealt" and not face_down):
                seen[event.seat or 0].update(event.args["cards"])
            elif event.type in ("bought", "gave"):
                seen[event.seat or 0] -= Counter(event.args["cards"])  # never below none
        payment = position.view(None).paying
        if payment:
            seen[position.actors[0]] -= Counter(f"{card.currency} {card.value}" for card in payment.cards)
        truth = position.secrets()["hands"]
        for seat in (None, *range(players)):
            for _ in range(4):
                world = position.redeal(seat, rng).secrets()["hands"]
                for owner in range(players):
                    assert seen[owner] <= Counter(world[owner])
                    assert len(world[owner]) == len(truth[owner])
                    changed += world[owner] != truth[owner]
                    kept += seen[owner].total()
        assert face_down or all(seen[owner] == Counter(truth[owner]) for owner in range(players))
    assert kept > 100
    assert bool(changed) == face_down


def test_equal_cards_are_alike_so_that_a_paid_one_may_be_the_one_that_was_seen() -> None:
    position = scene("""
        slots = ["tower 7", "tower 8", "tower 9", "pavilion 5"]
        open_money = ["orange 5", "blue 9", "blue 1", "green 9"]
        money_deck = ["yellow 8", "orange 5", "yellow 9"]
        hands.1 = ["orange 5", "blue 3"]
        hands.2 = ["green 9"]
        hands.3 = ["green 9"]
    """)

    def known() -> list[str]:
        """What every belief of another seat has in the hand of the first."""
        hands = [Counter(position.redeal(1, rng).secrets()["hands"][0]) for _ in range(40)]
        sure = hands[0]
        for hand in hands:
            sure &= hand
        return sorted(sure.elements())

    rng = generator(6)
    assert known() == []  # a scenario has no past
    play(position, "1 take orange 5", "2 take blue 9", "3 take blue 1")
    assert known() == ["orange 5"]
    play(position, "1 buy pavilion 5 orange with 5")
    assert known() == []  # the other copy may be the one that nobody has seen


def test_every_unseen_card_may_be_in_a_hand_or_next_in_the_deck() -> None:
    position, rng = dealt_face_down(3, 6), generator(6)
    hands, tops = Counter[str](), Counter[str]()
    for _ in range(1500):
        world = position.redeal(0, rng).secrets()
        hands.update(world["hands"][1])
        tops[world["money_deck"][0]] += 1
    unseen = Counter(
        [*position.secrets()["money_deck"], *position.secrets()["hands"][1], *position.secrets()["hands"][2]]
    )
    money = {card for card in unseen if card not in ("A", "B")}
    assert set(hands) == money
    assert set(tops) == money  # A lies deeper
    # As often as there are copies unseen.
    share = sum(hands.values()) / sum(unseen[card] for card in money)
    assert all(abs(hands[card] - unseen[card] * share) < 6 * (unseen[card] * share) ** 0.5 for card in money)


@pytest.mark.parametrize("seat", [None, 1, 2])
def test_in_the_middle_of_a_purchase_the_payer_can_always_finish_it(seat: int | None) -> None:
    position = scene("""
        slots = ["tower 13", "tower 12", "garden 12", "tower 11"]
        hands.1 = ["blue 9", "blue 1", "blue 1", "blue 1", "green 1"]
    """)
    # After the 9 only three cards not above it are left to make up 3: hard to be dealt by chance.
    position.play(0, position.read_move("buy garden 12 blue")[0])
    position.play(0, choices.PAY + 9)
    rng = generator(1)
    hands = set()
    for _ in range(60):
        world = position.redeal(seat, rng)
        assert world.in_move
        assert world.view(None).paying == position.view(None).paying
        assert world.view(None).owners[0].cards == 4
        hands.add(tuple(world.secrets()["hands"][0]))
        while world.in_move:
            legal = world.legal(0)
            assert legal
            world.play(0, legal[-1])
    assert len(hands) > 20


def test_even_when_only_one_hand_can_finish_it() -> None:
    position = scene("""
        slots = ["tower 13", "tower 12", "tower 11", "chambers 9"]
        scored = ["A", "B"]
        hands.1 = ["yellow 1", "yellow 1", "yellow 1", "yellow 2", "yellow 2", "yellow 2", "yellow 4"]
        money_deck_left = 60
    """)
    position.play(0, position.read_move("buy tower 13 yellow")[0])
    position.play(0, choices.PAY + 4)
    position.play(0, choices.PAY + 2)
    assert position.legal(0) == [choices.PAY + 2]
    rng = generator(1)
    for _ in range(40):
        world = position.redeal(1, rng)
        assert world.secrets()["hands"][0].count("yellow 2") == 2
        assert world.secrets()["hands"][0].count("yellow 1") == 3

"""What a seat may believe: everything that could be, as likely as it is, and nothing else."""

from __future__ import annotations

from collections import Counter
from functools import partial

import msgspec
import pytest
from tests.games.ginkgopolis.table import at_random, builder, changed, new, town
from tests.games.table import legal, only, play, record

from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord
from ziggurat.core.seed import generator
from ziggurat.games.ginkgopolis.tokens import card_token

pytestmark = pytest.mark.usefixtures("compiled")


def advanced(players: int, seed: int, decisions: int, **options: str) -> Position:
    position = new(players, seed, **options)
    for number, _ in enumerate(at_random(position, seed)):
        if number == decisions:
            break
    return position


def hands(position: Position) -> list[list[str]]:
    """The cards of every seat, those that are chosen among them."""
    secrets = position.secrets()
    return [
        sorted([*hand, card] if card else hand) for hand, card in zip(secrets["hands"], secrets["chosen"], strict=True)
    ]


def known(position: Position, seat: int) -> list[set[str]]:
    """Which cards of every hand a seat has held before."""
    s = record(position)
    return [
        {card_token(card) for card in (*s.hand[other], s.chosen[other]) if card and s.seen[card] >> seat & 1}
        for other in range(position.players)
    ]


def everybody_plays_alone(position: Position) -> dict[int, list[str]]:
    """A round in which every seat plays one card alone; what each passes on."""
    passed = {}
    for seat in range(1, position.players + 1):
        hand = builder(position, seat).hand
        play(position, f"{seat} play {hand[0]}")
        passed[seat] = hand[1:]
    while position.view(None).phase in ("good", "return"):
        seat = position.actors[0]
        position.play(seat, position.legal(seat)[-1])
    return passed


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_three_passed_cards_stay_known_in_the_neighbours_hand(players: int) -> None:
    position, rng = new(players, 4), generator(1)
    passed = everybody_plays_alone(position)
    for seat in range(players):
        left = (seat + 1) % players
        still = set(passed[seat + 1]) & set(hands(position)[left])
        assert len(still) == 3 or only(position.events, "rebuilt")
        assert set(position.view(seat).builders[left].known) == known(position, seat)[left] == still
        fourths = set()
        for _ in range(40):
            world = hands(position.redeal(seat, rng))
            assert still <= set(world[left])
            assert world[seat] == hands(position)[seat]
            fourths |= set(world[left]) - still
        assert len(fourths) > 2  # the card that the neighbour drew could be any


def test_what_is_known_stays_so_until_it_is_played_or_shuffled() -> None:
    position, rng = new(3, 8), generator(2)
    everybody_plays_alone(position)
    before = known(position, 0)[1]
    assert len(before) == 3
    # Seat 2 has chosen: one of its four cards lies on the table, and it may be any of them.
    play(position, f"2 play {builder(position, 2).hand[0]}")
    assert known(position, 0)[1] == before
    chosen = Counter[str]()
    for _ in range(200):
        world = position.redeal(0, rng)
        assert before <= set(hands(world)[1])
        chosen[world.secrets()["chosen"][1]] += 1
    assert before < set(chosen)
    assert all(chosen[card] > 20 for card in before)
    # A rebuilt deck forgets where cards were.
    for _ in at_random(position, 3):
        s = record(position)
        if any(event.type == "rebuilt" for event in position.events_since(position.rows_written - 1)):
            assert all(s.seen[card] == 0 for card in s.deck[: s.deck_left])
            assert all(
                s.seen[card] == 0 for card in s.discard[: s.discard_left] if s.discard_left == s.rebuild_discards
            )


@pytest.mark.parametrize("players", [2, 3, 5])
def test_who_knows_a_card_is_who_has_held_it_since_it_was_shuffled(players: int) -> None:
    """Followed from the log: cards are drawn, passed on, chosen, discarded and shuffled."""
    for seed in range(6):
        position, read = new(players, seed), 0
        held: dict[str, set[int]] = {}
        cards: list[set[str]] = [set() for _ in range(players)]
        for _ in at_random(position, seed):
            for event in position.events_since(read):
                seat = -1 if event.seat is None else event.seat
                match event.type:
                    case "drew_cards":
                        held.update({card: {seat} for card in event.args["cards"]})
                        cards[seat].update(event.args["cards"])
                    case "new_hand":
                        cards[seat].clear()
                    case "exploited" | "constructed":
                        cards[seat].discard(event.args["card"])
                    case "urbanized":
                        cards[seat].discard(event.args["marker"])
                    case "passed_hands":
                        cards = [cards[seat - 1] for seat in range(players)]
                        for holder, hand in enumerate(cards):
                            for card in hand:
                                held[card].add(holder)
                    case "rebuilt":
                        held = {card: who for card, who in held.items() if any(card in hand for hand in cards)}
            read = position.rows_written
            assert [set(hand) for hand in hands(position)] == cards
            for seat in range(players):
                wanted = [{card for card in hand if seat in held[card]} for hand in cards]
                assert known(position, seat) == wanted


@pytest.mark.parametrize("players", [1, 2, 3, 5])
def test_chosen_cards_tiles_and_screens_are_dealt_anew(players: int) -> None:
    rng = generator(4)
    moved: Counter[str] = Counter()
    for decisions in (3, 20, 60, 110):
        position = advanced(players, 8, decisions)
        if position.finished:
            continue
        truth = position.secrets()
        for seat in (None, *range(players)):
            for _ in range(8):
                world = position.redeal(seat, rng)
                assert world.view(seat) == position.view(seat)
                found = world.secrets()
                for owner in range(players):
                    for name in ("hands", "screens", "chosen", "chosen_tiles"):
                        if owner == seat:
                            assert found[name][owner] == truth[name][owner]
                        else:
                            moved[name] += found[name][owner] != truth[name][owner]
                    assert len(found["screens"][owner]) == len(truth["screens"][owner])
                    assert bool(found["chosen_tiles"][owner]) == bool(truth["chosen_tiles"][owner])
                moved["deck"] += found["deck"] != truth["deck"]
                moved["tiles"] += found["tiles"] != truth["tiles"]
                assert world.pieces() == position.pieces()
    assert min(moved[name] for name in ("hands", "screens", "deck", "tiles")) > 0


def test_chosen_cards_and_the_tiles_on_them_may_be_any() -> None:
    given = "hands.1 = ['A']\nhands.2 = ['B', 'C', 'D', 'E']\ntiles.2 = ['red 9', 'red 10', 'red 11']"
    position, rng = town({}, given), generator(7)
    play(position, "2 play B with red 9")
    chosen, tiles, screens = Counter[str](), Counter[str](), Counter[str]()
    for _ in range(600):
        found = position.redeal(0, rng).secrets()
        chosen[found["chosen"][1]] += 1
        tiles[found["chosen_tiles"][1]] += 1
        screens.update(found["screens"][1])
    assert len(chosen) > 10
    # All tiles that seat 1 does not see are equally likely to lie there.
    unseen = {*position.secrets()["tiles"], *position.secrets()["screens"][1], "red 9"}
    assert set(tiles) == unseen == set(screens)
    share = 600 / len(unseen)
    assert all(abs(count - share) < 6 * share**0.5 for count in tiles.values())


def test_tiles_that_others_have_named_are_not_known_nor_how_many() -> None:
    given = "tiles_left = 1\nhands.1 = ['blue 1']\nhands.2 = ['A']\ntiles.1 = ['red 5']\n"
    position, rng = town({}, given + "tiles.2 = ['red 9', 'red 10', 'red 11']"), generator(1)
    play(position, "1 play blue 1", "2 play A")
    play(position, "2 return red 9 red 11")
    numbers = Counter[int]()
    for _ in range(100):
        world = position.redeal(0, rng)
        assert world.view(0) == position.view(0)
        assert world.actors == (0,)
        play(world, "1 return nothing")
        numbers[only(world.events, "returned")[-1].args["count"]] += 1
    assert set(numbers) == {0, 1, 2, 3}


def test_characters_of_the_draft_are_dealt_anew_but_ones_own() -> None:
    position, rng = new(3, 2, characters="draft"), generator(5)
    for seat in range(1, 4):
        play(position, f"{seat} pick {builder(position, seat).draft[0]}")
    own = record(position)
    changed = 0
    for _ in range(30):
        s = record(position.redeal(0, rng))
        assert (s.draft[0], s.characters[0]) == (own.draft[0], own.characters[0])
        changed += s.characters[1] != own.characters[1]
        assert box(s) == box(own)
    assert changed > 15


def box(s: ListRecord) -> Counter[int]:
    cards = [*s.character_deck[: s.character_left]]
    return Counter([*cards, *(card for seat in range(3) for card in (*s.draft[seat], *s.characters[seat]) if card)])


def test_hals_card_is_unknown_until_it_is_turned_over() -> None:
    position, rng = new(1, 6), generator(6)
    cards = Counter(card_token(record(position.redeal(0, rng)).hal_card) for _ in range(300))
    assert len(cards) > 10
    assert not set(cards) & set(hands(position)[0])


def test_in_the_middle_of_a_move_the_redeal_asks_for_the_same() -> None:
    position, rng = town({}, "hands.1 = ['A']\nhands.2 = ['B']\ntiles.2 = ['red 9']"), generator(1)
    position.play_all(1, position.read_move("card B", 1))
    for seat in (None, 0, 1):
        world = position.redeal(seat, rng)
        assert world.in_move
        assert len(legal(world, 2)) == 2
    # Nobody else sees that a card is chosen before the tile is settled.
    assert position.view(0).builders[1].chosen is None


@pytest.mark.parametrize("players", [2, 5])
def test_no_seat_is_told_in_which_places_of_its_hand_the_cards_lie(players: int) -> None:
    """The hand is shown sorted, so what may be done with it is listed so too."""
    moved = 0
    for decisions in range(0, 60, 7):
        position = advanced(players, 11, decisions)
        for seat in range(players):
            hand = list(record(position).hand[seat])
            for first in range(1, len(hand)):
                turned = [*hand[first:], *hand[:first]]
                moved += turned != hand
                other = changed(position, partial(lay_hand, seat, turned))
                for told in (Position.view, Position.decision):
                    assert msgspec.json.encode(told(other, seat)) == msgspec.json.encode(told(position, seat))
                for action in () if position.in_move else position.legal(seat):
                    assert preview(other, seat, action) == preview(position, seat, action)
    assert moved


def lay_hand(seat: int, cards: list[int], s: ListRecord) -> None:
    s.hand[seat][:] = cards


def preview(position: Position, seat: int, action: int) -> bytes:
    try:
        return msgspec.json.encode(position.preview(seat, [action]))
    except IllegalAction as error:
        return str(error).encode()

"""What holds in every game of Alhambra, whatever the players do: Hypothesis chooses set-up and moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.alhambra.table import dealt_face_down
from tests.games.table import record

import ziggurat
from ziggurat.core.position import Position
from ziggurat.core.runtime import Runtime
from ziggurat.games.alhambra.state import CURRENCIES, KINDS, NOBODY

pytestmark = pytest.mark.usefixtures("compiled")

PLAYERS, SEEDS = st.integers(2, 6), st.integers(0, 2**256 - 1)


@dataclass(frozen=True)
class Play:
    """A set-up, and how each seat chooses: the first or the last legal action, or any."""

    players: int
    seed: int
    start_player: str
    refill_order: str
    tastes: tuple[str, ...]

    def start(self) -> Position:
        options = {"start_player": self.start_player, "refill_order": self.refill_order}
        return ziggurat.new("alhambra", self.players, seed=self.seed, options=options)

    def turns(self, position: Position) -> Iterator[tuple[int, int]]:
        """Play to the end; yields seat and action after each."""
        chance = random.Random(self.seed).randrange
        while not position.finished:
            seat = position.actors[0]
            legal = position.legal(seat)
            assert legal, "a dead end"
            last = len(legal) - 1
            taste = self.tastes[seat % len(self.tastes)]
            action = legal[{"first": 0, "last": last, "any": chance(last + 1)}[taste]]
            position.play(seat, action)
            yield seat, action


PLAYS = st.builds(
    Play,
    PLAYERS,
    SEEDS,
    st.sampled_from(["random", "lowest_total", "youngest"]),
    st.sampled_from(["buildings_first", "money_first"]),
    st.lists(st.sampled_from(["first", "last", "any"]), min_size=1, max_size=6).map(tuple),
)


@settings(max_examples=40)
@given(play=PLAYS)
def test_every_card_is_kept_and_every_game_ends(play: Play) -> None:
    position = play.start()
    copies = 2 if play.players == 2 else 3
    money = {f"{c} {v}": copies for c in ("yellow", "green", "blue", "orange") for v in range(1, 10)}
    wanted: dict[str, int] = {**money, **dict(zip(KINDS, (7, 7, 9, 9, 11, 11), strict=True))}
    for decisions, _ in enumerate(play.turns(position)):
        assert position.pieces() == wanted
        assert decisions < 3000
    assert sum(wanted[name] for name in money) == (72 if play.players == 2 else 108)


@settings(max_examples=40)
@given(play=PLAYS)
def test_nothing_is_ever_negative_and_sums_agree(play: Play) -> None:
    position = play.start()
    for _ in play.turns(position):
        s = record(position)
        for seat in range(play.players):
            hand = s.hand[seat]
            assert all(count >= 0 for currency in hand for count in currency)
            assert s.cards[seat] == sum(map(sum, hand))
            assert s.worth[seat] == [sum(value * count for value, count in enumerate(currency)) for currency in hand]
        assert s.discard_left == sum(map(sum, s.discard))
        assert s.paid_total == sum(value * count for value, count in enumerate(s.paid))
        assert min(s.score) >= 0
        assert min(map(min, s.built)) >= 0


@settings(max_examples=30)
@given(play=PLAYS)
def test_the_log_explains_every_point(play: Play) -> None:
    position = play.start()
    for _ in play.turns(position):
        pass
    owners = position.view(None).owners
    assert position.game.scores_from_events(position.events, len(owners)) == [owner.score for owner in owners]
    # Each award once more, from the table of section 4.2 and the counts that the log gives.
    table = {kind.kind: kind.points for kind in position.view(None).kinds}
    for event in position.events:
        if event.type == "scored":
            places = table[event.args["building"]][event.args["round"]]
            shared = [*places, 0, 0, 0, 0, 0, 0][event.args["place"] - 1 :][: event.args["tied"]]
            assert event.args["points"] == sum(shared) // event.args["tied"]


@settings(max_examples=30)
@given(play=PLAYS)
def test_a_reader_of_the_log_knows_the_table(play: Play) -> None:
    """Hands, market, buildings and turn, rebuilt from the events alone, are those of the umpire's view."""
    position = play.start()
    for _ in play.turns(position):
        pass
    hands = [Counter[str]() for _ in range(play.players)]
    built = [Counter[str]() for _ in position.view(None).owners]
    market: dict[int, str | None] = {}
    money: dict[int, str | None] = {}
    for event in position.events:
        match event.type, event.seat:
            case ("dealt", int(seat)):
                hands[seat].update(event.args["cards"])
            case ("took", int(seat)):
                assert [money[place] for place in event.args["positions"]] == event.args["cards"]
                money.update(dict.fromkeys(event.args["positions"]))
                hands[seat].update(event.args["cards"])
            case (("bought" | "gave") as kind, int(seat)):
                assert market[event.args["slot"]] == event.args["building"]
                market[event.args["slot"]] = None
                hands[seat].subtract(event.args["cards"])
                assert min(hands[seat].values()) >= 0
                built[seat if kind == "bought" else 2][event.args["building"].split()[0]] += 1
            case ("leftover", int(seat)):
                market[event.args["slot"]] = None
                built[seat][event.args["building"].split()[0]] += 1
            case ("building_revealed", _):
                assert market.get(event.args["slot"]) is None
                market[event.args["slot"]] = event.args["building"]
            case ("money_revealed", _):
                assert money.get(event.args["position"]) is None
                money[event.args["position"]] = event.args["cards"][0]
            case ("neutral_drew", _):
                built[2].update(building.split()[0] for building in event.args["buildings"])
    view = position.view_all()
    for owner in view.owners:
        assert +built[owner.seat] == +Counter(owner.buildings)
        if not owner.neutral:
            assert +hands[owner.seat] == Counter(f"{card.currency} {card.value}" for card in owner.hand)
    assert [money.get(place) for place in range(4)] == [f"{c.currency} {c.value}" if c else None for c in view.money]


@settings(max_examples=30)
@given(play=PLAYS, face_down=st.booleans())
def test_what_is_known_of_the_hands_is_what_the_log_tells(play: Play, face_down: bool) -> None:
    """A copy that lay open is known until as many were paid; from set-up on that is every card of every hand."""
    position = dealt_face_down(play.players, play.seed % 2**32) if face_down else play.start()
    seen: Counter[tuple[int | None, str]] = Counter()
    read = 0
    for _ in chain([(0, 0)], play.turns(position)):
        happened = position.events_since(read)
        read = position.rows_written
        for event in happened:
            for card in event.args.get("cards", []) if event.seat is not None else []:
                step = {"dealt": 1, "took": 1, "bought": -1, "gave": -1}[event.type]
                seen[event.seat, card] = max(seen[event.seat, card] + step, 0)
        s = record(position)
        if s.paying != NOBODY:
            continue  # cards that are laid down are told with the building
        for seat in range(play.players):
            known = {
                f"{name} {value}": s.known[seat][currency][value]
                for currency, name in enumerate(CURRENCIES)
                for value in range(10)
            }
            assert {card: n for card, n in known.items() if n} == {
                card: n for (owner, card), n in seen.items() if n and owner == seat
            }
            pairs = [pair for k in range(4) for pair in zip(s.known[seat][k], s.hand[seat][k], strict=True)]
            assert all(sure <= held for sure, held in pairs)
            assert face_down or all(sure == held for sure, held in pairs)


@settings(max_examples=30)
@given(play=PLAYS)
def test_turns_go_round_and_the_table_is_refilled(play: Play) -> None:
    position = play.start()
    before, mark = position.actors[0], position.rows_written
    for seat, action in play.turns(position):
        assert seat == before
        if position.finished:
            break
        after = position.actors[0]
        view = position.view(None)
        happened = position.events_since(mark)
        if action < 15:  # money was taken: the left neighbours, until one can do something
            called = [event.seat for event in happened if event.type in ("skipped", "turn")]
            assert called == [(seat + 1 + i) % play.players for i in range(len(called))]
            assert called[-1] == after
        if any(event.type == "turn" for event in happened):
            assert all(slot.building for slot in view.slots)
            assert all(view.money) or (view.money_deck == 0 and view.discard == 0)
            assert view.paying is None
        before, mark = after, position.rows_written
    view = position.view(None)
    assert view.building_deck == 0
    assert view.rounds_scored[-1] == "C"
    assert position.winners == [seat for seat, points in enumerate(position.scores) if points == max(position.scores)]


@settings(max_examples=60)
@given(players=PLAYERS, seed=SEEDS, actions=st.lists(st.integers(-2, 31), max_size=60))
def test_any_numbers_are_played_or_refused(compiled: Runtime, players: int, seed: int, actions: list[int]) -> None:
    position = ziggurat.new("alhambra", players, seed=seed)
    for action in actions:
        seat = position.actors[0]
        before = position.to_bytes()
        if action in position.legal(seat):
            position.play(seat, action)
        else:
            with pytest.raises(ziggurat.IllegalAction):
                position.play_all(seat, [action])
            assert position.to_bytes() == before

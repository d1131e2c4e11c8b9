"""What holds in every game of Alhambra, whatever the players do: Hypothesis chooses set-up and moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import pytest
from tests.games.alhambra.table import dealt_face_down, follows
from tests.games.table import record
from tests.properties import given, st

import ziggurat
from ziggurat.core.position import Position
from ziggurat.games.alhambra.state import CURRENCIES, NOBODY

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


@given(play=PLAYS, face_down=st.booleans())
def test_what_is_kept_beside_the_cards_follows_from_them(play: Play, face_down: bool) -> None:
    """After every action, and in every belief of the others and of a spectator."""
    position = dealt_face_down(play.players, play.seed % 2**32) if face_down else play.start()
    rng = ziggurat.generator(play.seed)
    for seat, _ in chain([(0, 0)], play.turns(position)):
        beliefs = [position.redeal(one, rng) for one in (None, (seat + 1) % play.players)]
        for s in map(record, [position, *beliefs]):
            assert follows(s) == {name: getattr(s, name) for name in follows(s)}


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

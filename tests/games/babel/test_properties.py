"""What holds in every game of Tower of Babel, whatever the players do: Hypothesis chooses set-up and moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pytest
from tests.games.babel import by_hand
from tests.games.babel.reader import Reader
from tests.games.babel.table import card_names
from tests.games.table import held, only, play
from tests.properties import examples, given, st

import ziggurat
from ziggurat.core.position import Position
from ziggurat.core.record import states_of
from ziggurat.core.scenario import Scenario, build
from ziggurat.core.trace import Event
from ziggurat.games.babel import GAME
from ziggurat.games.babel.state import OPTIONS

pytestmark = pytest.mark.usefixtures("compiled")

PLAYERS, SEEDS = st.integers(3, 5), st.integers(0, 2**256 - 1)
LIKED = {
    "builder": ("accept", "choose", "double", "draw", "exchange", "triple"),
    "generous": ("lay", "accept", "choose"),
}
TASTES = ["builder", "generous", "any", "last", "first"]


@dataclass(frozen=True)
class Play:
    """A set-up, and how each seat chooses its actions."""

    players: int
    seed: int
    options: dict[str, str]
    tastes: tuple[str, ...]

    def start(self) -> Position:
        return ziggurat.new("babel", self.players, seed=self.seed, options=self.options)

    def moves(self, position: Position) -> Iterator[tuple[int, list[Event]]]:
        """Play to the end, seats that decide at once in any order; yields seat and what happened after each move."""
        chance = random.Random(self.seed)
        while not position.finished:
            seat = chance.choice(position.actors)
            mark = position.rows_written
            while True:
                position.play(seat, self.choice(position, seat, chance))
                if not position.in_move:
                    break
            yield seat, position.events_since(mark)

    def choice(self, position: Position, seat: int, chance: random.Random) -> int:
        actions = position.legal(seat)
        assert actions, "a dead end"
        taste = self.tastes[seat % len(self.tastes)]
        if taste in ("first", "last") and chance.random() < 0.6:  # else they only pass
            return actions[0 if taste == "first" else -1]
        liked = [action for action in actions if position.write_step(action).startswith(LIKED.get(taste, ()))]
        if liked and chance.random() < 0.9:
            return chance.choice(liked)
        return chance.choice(actions)


PLAYS = st.builds(
    Play,
    PLAYERS,
    SEEDS,
    st.fixed_dictionaries({}, optional={option.name: st.sampled_from(option.choices) for option in OPTIONS}),
    st.lists(st.sampled_from(TASTES), min_size=1, max_size=5).map(tuple),
)


# --- Whole games -------------------------------------------------------------------------------------------------


@given(play=PLAYS)
def test_a_reader_of_the_public_log_knows_the_table(play: Play) -> None:
    position = play.start()
    reader = Reader(play.players, action_deck=15 if position.options["action_cards"] == "yes" else 0)
    for event in position.events_for(None):
        reader.read(event)
    for _, events in play.moves(position):
        for event in events:
            if event.may_read(None):
                reader.read(event)
        reader.compare(position.view(None))


@given(play=PLAYS)
def test_every_point_is_explained_by_the_log(play: Play) -> None:
    """Each with its reason: refused offers, wonders by the table of section 5, and the final scoring."""
    position = play.start()
    total = [0] * play.players
    rows = [*zip(by_hand.FIRST, by_hand.SECOND, strict=True)]
    units: dict[str, list[int]] = {}
    for _, events in play.moves(position):
        for event in only(events, "placed"):
            units.setdefault(event.args["wonder"], [0] * play.players)[event.seat or 0] += event.args["units"]
        scored: dict[str, list[int]] = {}
        for event in only(events, "wonder_scored"):
            scored.setdefault(event.args["wonder"], [0] * play.players)[event.seat or 0] += event.args["points"]
        for event in only(events, "wonder_done"):
            name = event.args["wonder"]
            wanted = by_hand.wonder_points(units.pop(name), *rows[event.args["number"] - 1])
            assert scored.pop(name) == wanted
        if not position.finished:
            assert scored == {}
        for name, points in scored.items():
            assert points == by_hand.wonder_points(units.pop(name), *by_hand.LIGHT)
        for event in only(events, "refused"):
            assert event.args["points"] == event.args["count"] * (3 if event.args["triple"] else 1)
        for seat, gained in enumerate(position.game.scores_from_events(events, play.players)):
            total[seat] += gained
        assert total == position.scores
    assert all(sum(counts) == 0 for counts in units.values())
    view = position.view_all()
    for builder in view.builders:
        bonus = Counter[str]()
        for event in only(position.events, "bonus", builder.seat + 1):
            bonus[event.args["reason"]] += event.args["points"]
        assert sum(bonus[name] for name in by_hand.TYPES) == by_hand.disc_bonus(builder.discs)
        assert bonus["disc_bonus"] == len(builder.discs) * builder.actions["disc_bonus"]
        assert bonus["end_bonus"] == 5 * builder.actions["end_bonus"]
    best = max(position.scores)
    assert position.winners == [seat for seat, score in enumerate(position.scores) if score == best]


@given(play=PLAYS)
def test_the_game_ends_exactly_when_a_type_is_gone_or_nothing_moves(play: Play) -> None:
    position = play.start()
    for _, events in play.moves(position):
        view = position.view(None)
        left = [disc for wonder in view.wonders for disc in wonder.discs if disc]
        if view.phase == "refusal" and not position.finished:
            continue  # a build is over when refused offers are paid
        assert bool(only(events, "exhausted")) == by_hand.is_over(left)
        assert position.finished == bool(only(events, "exhausted") or only(events, "stalled"))


@given(play=PLAYS)
def test_builds_are_paid_exactly_and_units_follow_the_cards(play: Play) -> None:
    position = play.start()
    offers: dict[int, by_hand.Offer] = {}
    for seat, events in play.moves(position):
        if only(events, "chose"):
            offers = {}
        for event in only(events, "revealed"):
            assert event.seat is not None
            cards = Counter(event.args["cards"])
            offers[event.seat] = by_hand.Offer(event.seat, cards, event.args["trade"] and bool(cards))
        for event in only(events, "accepted"):
            [built] = only(events, "built")
            needs = Counter({token.split()[0]: int(token.split()[1]) for token in built.args["needs"]})
            taken = [offers[other] for other in event.args["seats"]]
            paid = Counter(event.args["cards"])
            for offer in taken:
                paid.update(offer.cards)
            assert sum((needs - paid).values()) == 2 * event.args["jokers"]
            assert paid - needs == Counter()
            traders = [offer for offer in taken if offer.trade]
            assert len(traders) <= 1
            assert built.seat == (traders[0].seat if traders else seat)
            wanted = Counter({offer.seat: offer.size() for offer in taken if not offer.trade})
            wanted[seat] += len(event.args["cards"]) + 2 * event.args["jokers"] + sum(o.size() for o in traders)
            placed = {other.seat: other.args["units"] for other in only(events, "placed")}
            assert placed == {who: count for who, count in wanted.items() if count}


def asking(position: Position) -> tuple[list[int], list[int]]:
    """Which discs ask for each type, as the record keeps it, and as its discs say."""
    [state] = states_of(position.to_bytes(), GAME.record)
    discs = [needs.tolist() for needs in state["disc"]]
    masks = [sum(1 << disc for disc, needs in enumerate(discs) if needs[kind]) for kind in range(len(by_hand.TYPES))]
    return state["asking"].tolist(), masks


@given(play=PLAYS)
def test_which_discs_ask_for_a_type_is_kept(play: Play) -> None:
    position = play.start()
    kept, found = asking(position)
    assert kept == found
    for _ in play.moves(position):
        kept, found = asking(position)
        assert kept == found


def test_which_discs_ask_for_a_type_is_kept_where_a_scenario_begins() -> None:
    arranged = {"discs": {"zeus": ["camel 5", "", ""], "tower": ["", "camel 2 mason 3", "ship 3"]}}
    options = {"two_colour_discs": "yes"}
    kept, found = asking(build(Scenario(game="babel", players=3, options=options, position=arranged)))
    assert kept == found


# --- Deciding at once --------------------------------------------------------------------------------------------


def whole_move(position: Position, seat: int, chance: random.Random) -> list[int]:
    """An offer or an answer, without action cards that draw."""
    ahead, steps = position.copy(), list[int]()
    while not steps or ahead.in_move:
        actions = [a for a in ahead.legal(seat) if ahead.write_step(a) not in ("exchange", "draw")]
        steps.append(chance.choice(actions))
        ahead.play(seat, steps[-1])
    return steps


@given(play=PLAYS)
def test_the_order_of_arrival_changes_nothing(play: Play) -> None:
    position = play.start()
    chance = random.Random(play.seed + 1)
    looked = Counter[str]()
    for _ in play.moves(position):
        phase, seats = position.view(None).phase, position.actors
        if phase not in ("offer", "refusal") or len(seats) < 2 or looked[phase] >= 6:
            continue
        looked[phase] += 1
        moves = {seat: whole_move(position, seat, chance) for seat in seats}
        found, told = set(), set()
        for order in permutations(seats):
            ahead = position.copy()
            mark = ahead.rows_written
            for seat in order:
                ahead.play_all(seat, moves[seat])
            found.add(ahead.to_bytes())
            events = ahead.events_since(mark)
            told.add(str([event for event in events if event.type not in ("laid", "offered", "tripled")]))
        assert len(found) == len(told) == 1


@given(
    players=PLAYERS,
    seed=SEEDS,
    deck=st.integers(0, 4),
    asked=st.lists(st.lists(st.sampled_from(["exchange", "draw"]), max_size=1), min_size=5, max_size=5),
    strict=st.sampled_from(["no", "yes"]),
)
def test_whoever_is_asked_can_answer_in_any_order_of_single_steps(
    players: int, seed: int, deck: int, asked: list[list[str]], strict: str
) -> None:
    """Also when few cards can be drawn; and who names a card for an exchange draws one for it (R26)."""
    arranged = {
        "hands": {str(seat + 1): {"camel": 1, "ship": 1} for seat in range(players)},
        "actions": {str(seat + 1): asked[seat] for seat in range(players) if asked[: seat + 1].count(asked[seat]) <= 2},
        "deck_left": deck,
    }
    options = {"strict_units": strict}
    position = build(Scenario(game="babel", players=players, options=options, position=arranged))
    chance = random.Random(seed)
    for _ in range(80):
        if position.finished:
            break
        choices = {
            seat: [(position.write_step(action), action) for action in position.legal(seat)] for seat in position.actors
        }
        assert all(choices.values()), "a seat is asked and can do nothing"
        seat = chance.choice(list(choices))
        liked = [action for text, action in choices[seat] if text in ("exchange", "draw") or text.startswith("choose")]
        mark = position.rows_written
        position.play(seat, chance.choice(liked or [action for _, action in choices[seat]]))
        happened = position.events_since(mark)
        for event in only(happened, "exchanged"):
            assert len(event.args["cards"]) == sum(
                other.args["count"] for other in only(happened, "drew") if other.args["by"] == "exchange"
            )


# --- B3 and B4 against everything tried out ----------------------------------------------------------------------


def payments_of(position: Position) -> list[by_hand.Payment]:
    """What the active player may choose, as the brute force says it."""
    choices: list[Any] = position.decision(position.actors[0]).legal
    return [
        by_hand.Payment(
            frozenset(choice.seats),
            tuple(card_names(choice.joker_cards)),
            tuple(choice.add.get(name, 0) for name in by_hand.TYPES),
        )
        for choice in choices
        if choice.type == "accept"
    ]


def by_trying(position: Position) -> list[by_hand.Payment]:
    view = position.view(position.actors[0])
    me = view.builders[view.turn]
    offers = [
        by_hand.Offer(other.seat, other.offer.cards, other.offer.trade)
        for other in view.builders
        if other.seat != view.turn
    ]
    return list(by_hand.payments(view.chosen.needs, offers, me.hand, me.actions["joker"], me.units_left))


@given(play=PLAYS)
def test_what_may_be_accepted_in_whole_games(play: Play) -> None:
    position = play.start()
    for _ in play.moves(position):
        if not position.finished and position.view(None).phase == "select":
            found = payments_of(position)
            assert len(found) == len(set(found))
            assert set(found) == set(by_trying(position))
            assert position.write_step(position.legal(position.actors[0])[0]) == "fail"


DISCS = [{name: number} for name in by_hand.TYPES for number in (3, 4, 5, 6)] + [
    {"camel": 2, "mason": 3},
    {"mason": 2, "crane": 3},
    {"crane": 2, "ship": 3},
    {"ship": 2, "camel": 3},
]


@dataclass(frozen=True)
class Building:
    """A disc, what everybody lays for it, and what its builder has."""

    players: int
    needs: dict[str, int]
    laid: tuple[dict[str, int], ...]
    trades: tuple[bool, ...]
    hand: dict[str, int]
    jokers: int
    units: int | None

    def position(self) -> Position:
        """The selection."""
        token = " ".join(f"{name} {number}" for name, number in self.needs.items())
        arranged: dict[str, Any] = {
            "turn": 1,
            "discs": {"zeus": [token, "", ""]},
            "hands": {"1": self.hand, **{str(seat): cards for seat, cards in enumerate(self.laid, 2)}},
            "actions": {"1": ["joker"] * self.jokers},
            "units": {"tower": [self.units or 0]},
        }
        options = {"two_colour_discs": "yes", "strict_units": "no" if self.units is None else "yes"}
        position = build(Scenario(game="babel", players=self.players, options=options, position=arranged))
        play(position, "1 choose zeus 1")
        for seat, (cards, trade) in enumerate(zip(self.laid, self.trades, strict=True), 2):
            if cards:
                text = " ".join(card_names(cards)) + (" with trade" if trade else "")
                play(position, f"{seat} offer {text}")
        return position


@st.composite
def buildings(draw: st.DrawFn) -> Building:
    players = draw(PLAYERS)
    needs = draw(st.sampled_from(DISCS))
    likely = st.sampled_from([*needs, *needs, *needs, *by_hand.TYPES])
    limit = sum(needs.values())
    laid = tuple(
        dict(Counter(draw(st.lists(likely, max_size=draw(st.sampled_from([1, 2, limit])))))) for _ in range(players - 1)
    )
    trades = tuple(draw(st.lists(st.booleans(), min_size=players - 1, max_size=players - 1)))
    hand = {name: draw(st.integers(0, needs[name])) for name in needs}
    units = draw(st.sampled_from([None, 20, 24, 26, 28]))
    return Building(players, needs, laid, trades, hand, draw(st.integers(0, 2)), units)


@examples(4)
@given(building=buildings())
def test_what_may_be_accepted_is_found_by_trying_everything(building: Building) -> None:
    position = building.position()
    view = position.view(0)
    needs = view.chosen.needs
    offers = []
    for seat, (cards, trade) in enumerate(zip(building.laid, building.trades, strict=True), 1):
        kept = by_hand.valid(cards, needs)
        offers.append(by_hand.Offer(seat, kept, trade and sum(kept.values()) > 0))
        shown = view.builders[seat].offer
        assert held(shown.cards) == held(kept)
        assert held(shown.returned) == {n: c - kept[n] for n, c in cards.items() if c > kept[n]}
        assert shown.trade == offers[-1].trade
    left = None if building.units is None else 29 - building.units
    wanted = list(by_hand.payments(needs, offers, building.hand, building.jokers, left))
    found = payments_of(position)
    assert len(found) == len(set(found))
    assert set(found) == set(wanted)
    check_consequences(position, building, offers)


def check_consequences(position: Position, building: Building, offers: list[by_hand.Offer]) -> None:
    """Every choice says what it brings, and brings it."""
    choices: list[Any] = position.decision(0).legal
    for choice in choices:
        if choice.type != "accept":
            continue
        ahead = position.copy()
        happened = ahead.play_all(0, [choice.action])
        placed = {event.seat: event.args["units"] for event in only(happened, "placed")}
        assert [placed.get(seat, 0) for seat in range(building.players)] == choice.units
        assert [event.seat for event in only(happened, "built")] == [choice.disc]
        paid = {event.seat: event.args["points"] for event in only(happened, "refused")}
        assert [paid.get(seat, 0) for seat in range(building.players)] == choice.refused
        taken = [offer for offer in offers if offer.seat in choice.seats]
        assert sum(choice.units) == sum(building.needs.values())
        assert choice.disc == next((offer.seat for offer in taken if offer.trade), 0)


# --- Anything else -----------------------------------------------------------------------------------------------


@given(play=PLAYS)
def test_moves_are_read_as_they_are_written(play: Play) -> None:
    """In any order of the cards, and played from their notation they lead to the same game."""
    position, again = play.start(), play.start()
    chance = random.Random(play.seed)
    while not position.finished:
        seat = chance.choice(position.actors)
        steps, before = list[int](), position.copy()
        while not steps or position.in_move:
            steps.append(play.choice(position, seat, chance))
            position.play(seat, steps[-1])
        text = before.write_move(steps)
        assert before.read_move(text, seat) == steps
        middle = steps[1:-1] if text.startswith("exchange") else steps[:-1]
        chance.shuffle(middle)
        mixed = [*steps[:1], *middle, steps[-1]] if text.startswith("exchange") else [*middle, steps[-1]]
        again.play_all(seat, again.game.arrange(mixed) if len(steps) > 1 else steps)
    assert again.to_bytes() == position.to_bytes()

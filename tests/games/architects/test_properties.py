"""What holds in every game of Architects (section 16), whatever the players do: Hypothesis chooses set-up and moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from tests.games.architects import by_hand
from tests.games.architects.by_hand import GREY, SYMBOLS, Hand, Policy
from tests.games.architects.reader import Reader
from tests.games.table import legal, only, play
from tests.properties import example, examples, given, st

import ziggurat
from ziggurat.core.errors import ScenarioError
from ziggurat.core.position import Position
from ziggurat.core.scenario import Scenario, build
from ziggurat.core.trace import Event
from ziggurat.games.architects.state import OPTIONS

pytestmark = pytest.mark.usefixtures("compiled")

PLAYERS, SEEDS = st.integers(2, 7), st.integers(0, 2**256 - 1)


@dataclass(frozen=True)
class Play:
    """A set-up, and how each seat chooses: the first or the last legal action, or any."""

    players: int
    seed: int
    options: dict[str, str]
    tastes: tuple[str, ...]

    def start(self) -> Position:
        options = dict(self.options)
        if self.players > 2:
            options.pop("two_player_zero_shield_needs_two", None)
        return ziggurat.new("architects", self.players, seed=self.seed, options=options)

    def moves(self, position: Position) -> Iterator[tuple[int, list[Event]]]:
        """Play to the end; yields seat and what happened after each action."""
        chance = random.Random(self.seed).randrange
        while not position.finished:
            seat = position.actors[0]
            actions = position.legal(seat)
            assert actions, "a dead end"
            last = len(actions) - 1
            taste = self.tastes[seat % len(self.tastes)]
            action = actions[{"first": 0, "last": last, "any": chance(last + 1)}[taste]]
            yield seat, position.play_all(seat, [action])


PLAYS = st.builds(
    Play,
    PLAYERS,
    SEEDS,
    st.fixed_dictionaries({}, optional={option.name: st.sampled_from(option.choices) for option in OPTIONS}),
    st.lists(st.sampled_from(["first", "last", "any", "any"]), min_size=1, max_size=7).map(tuple),
)


def turns(events: list[Event]) -> Iterator[tuple[int, list[Event]]]:
    """The log by turns: whose, and what happened in it."""
    starts = [place for place, event in enumerate(events) if event.type == "turn"]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        seat = events[start].seat
        assert seat is not None
        yield seat, events[start + 1 : end]


# --- 16: invariants ----------------------------------------------------------------------------------------------


@given(play=PLAYS)
def test_every_card_is_kept_and_every_game_ends(play: Play) -> None:
    position = play.start()
    pieces = position.pieces()
    cards = 25 * play.players + 60
    assert sum(pieces.values()) == 235 + 15  # those of unused wonders too
    for decisions, _ in enumerate(play.moves(position)):
        assert position.pieces() == pieces
        view = position.view(None)
        assert min(min(pile.values()) for pile in (view.discard, *(b.cards for b in view.builders))) >= 0
        if view.phase != "choose":
            found = view.central.left + sum(deck.left for deck in view.decks) + sum(view.discard.values())
            assert found + sum(sum(builder.cards.values()) for builder in view.builders) == cards
        assert decisions < 12 * cards


@given(play=PLAYS)
def test_a_turn_ends_only_when_nothing_forced_is_left(play: Play) -> None:
    """The stages that cannot be paid are found by the plain rules of ``by_hand``."""
    position = play.start()
    options = position.options
    policy = policy_of(options)
    happened: list[Event] = []
    for seat, new_events in play.moves(position):
        happened += new_events
        if not only(new_events, "turn") and not position.finished:
            continue
        mine = [event for event in happened[: last_turn(happened)] if event.seat == seat]
        view = position.view(None)
        builder = view.builders[seat]
        if builder.wonder is None or view.phase == "choose" or not only(mine, "took"):
            happened = []
            continue
        used = {name for event in only(mine, "built") for name in ("economy", "engineering") if event.args[name]}
        if options["token_usable_same_turn"] == "no":
            used |= {event.args["token"] for event in mine if event.type in ("claimed", "granted")}
        assert not by_hand.must_build(
            builder.wonder, frozenset(builder.built), hand_of(builder, set(builder.tokens) - used), policy
        )
        if view.stack or any(view.offer):
            green = [builder.cards[symbol] for symbol in SYMBOLS]
            assert sum(green) <= 2
            assert max(green) <= 1
        happened = []


def last_turn(events: list[Event]) -> int:
    """Where the first turn after this one begins, or the end of the game."""
    return next((place for place, event in enumerate(events) if event.type == "turn"), len(events))


@given(play=PLAYS)
def test_every_turn_takes_what_it_may_and_no_token_gives_two_cards(play: Play) -> None:
    position = play.start()
    for _ in play.moves(position):
        if not position.finished and position.view(None).phase == "draw":
            track = position.view(None).conflict
            assert track.turned < track.tokens
    order = []
    for seat, events in turns(position.events):
        order.append(seat)
        by = Counter(event.args["by"] for event in only(events, "took"))
        skipped = bool(only(events, "skipped"))
        assert by["turn"] == (0 if skipped else 1)
        assert all(by[token] <= 1 for token in (*by_hand.TRIGGERS, "architecture"))
        spent = Counter(
            name for event in only(events, "built") for name in ("economy", "engineering") if event.args[name]
        )
        assert max(spent.values(), default=0) <= 1
        assert {event.seat for event in only(events, "took") + only(events, "built")} <= {seat}
        extras_were_triggered(events)
    assert order == [(order[0] + i) % play.players for i in range(len(order))]


def extras_were_triggered(events: list[Event]) -> None:
    """Sections 5 and 12: each extra card follows a card or a stage that its token speaks of."""
    taken: list[str] = []
    for event in events:
        if event.type == "took":
            by = event.args["by"]
            if by in by_hand.TRIGGERS:
                assert set(taken) & set(by_hand.TRIGGERS[by])
            elif by == "architecture":
                assert "stage" in taken
            taken += event.args["cards"]
        elif event.type == "built":
            taken.append("stage")


@given(play=PLAYS)
def test_stages_stand_on_stages_and_are_paid_exactly(play: Play) -> None:
    position = play.start()
    built: dict[int, set[int]] = {seat: set() for seat in range(play.players)}
    for seat, events in play.moves(position):
        for event in only(events, "built"):
            wonder, stage = event.args["wonder"], event.args["stage"]
            assert stage in by_hand.may_build(wonder, frozenset(built[seat]))
            built[seat].add(stage)
            cards = Counter(event.args["cards"])
            paid = Hand(
                tuple(cards[kind] for kind in GREY), cards["coin"], event.args["economy"], event.args["engineering"]
            )
            wanted = (*paid[:2], event.args["economy"], event.args["engineering"])
            assert wanted in by_hand.payments(paid, *by_hand.COSTS[stage], False)
            assert event.args["points"] == by_hand.POINTS[wonder][stage - 1]
            assert event.args["complete"] == (len(built[seat]) == 5)
        view = position.view(None)
        for builder in view.builders:
            assert set(builder.built) == built[builder.seat]
            if builder.wonder:
                assert builder.available == by_hand.may_build(builder.wonder, frozenset(builder.built))
    for event, following in zip(position.events, position.events[1:], strict=False):
        if event.type == "built":
            effect = event.args["stage"] in by_hand.EFFECTS[event.args["wonder"]] and event.args["wonder"] != "rhodes"
            lost = following.type in ("granted", "looked", "effect_lost", "declined")
            assert (lost or following.args.get("by") == event.args["wonder"]) == effect
    complete = [seat for seat, stages in built.items() if len(stages) == 5]
    [end] = only(position.events, "finished")
    assert complete == ([] if end.args["completed"] is None else [end.args["completed"]])
    assert bool(complete) != bool(only(position.events, "decks_empty"))


@given(players=PLAYERS, seed=SEEDS)
@example(players=7, seed=0)
def test_the_horns_of_a_game(players: int, seed: int) -> None:
    position = ziggurat.new("architects", players, seed=seed)
    decks = position.secrets()["decks"].values()
    horns = sum(int(card[-1]) for deck in decks for card in deck if card.startswith("red"))
    wonders = [builder.wonder for builder in position.view(None).builders]
    assert horns == by_hand.CENTRAL_HORNS + sum(by_hand.HORNS[wonder] for wonder in wonders)
    if players == 7:
        assert horns == 31


@given(play=PLAYS)
def test_the_final_score_is_what_lies_on_the_table(play: Play) -> None:
    position = play.start()
    for _ in play.moves(position):
        pass
    view = position.view(None)
    points = []
    for builder in view.builders:
        assert builder.wonder
        tokens = Counter(builder.tokens)
        stages = sum(by_hand.POINTS[builder.wonder][stage - 1] for stage in builder.built)
        blue = 3 * builder.cards["vp3"] + 2 * builder.cards["vp2cat"]
        total = stages + blue + 3 * builder.military + 2 * (view.cat == builder.seat)
        total += tokens["decor"] * (6 if len(builder.built) == 5 else 4)
        total += tokens["politics"] * builder.cards["vp2cat"]
        total += tokens["strategy"] * builder.military
        total += tokens["education"] * 2 * len(builder.tokens)
        total += {0: 0, 1: 4, 2: 12}[tokens["culture"]]
        points.append(total)
    assert position.scores == points
    best = max((total, len(builder.built)) for total, builder in zip(points, view.builders, strict=True))
    winners = [seat for seat in range(play.players) if (points[seat], len(view.builders[seat].built)) == best]
    assert position.winners == winners


@given(play=PLAYS)
def test_battles_are_won_by_shields(play: Play) -> None:
    """Section 10, from the table before the battle and the shields that the event tells."""
    position = play.start()
    n = play.players
    left: int | None = 28 if position.options["military_token_supply"] == "limited_28" else None
    for seat, events in play.moves(position):
        for event in only(events, "battle"):
            shields = event.args["shields"]
            won = [0] * n
            for i in range(n):
                who = (seat + i) % n
                won[who] = victories(shields, who, position.options["two_player_zero_shield_needs_two"] == "yes")
                if left is not None:
                    won[who] = min(won[who], left)
                    left -= won[who]
            assert event.args["won"] == won
            assert event.args["points"] == [3 * count for count in won]
        view = position.view(None)
        if only(events, "battle"):
            assert all(builder.cards["red1"] + builder.cards["red2"] == 0 for builder in view.builders)
        for builder in view.builders:
            red = sum(builder.cards[kind] for kind in ("red0", "red1", "red2"))
            feet = sum(stage in (2, 4) for stage in builder.built) if builder.wonder == "rhodes" else 0
            assert builder.shields == red + feet + 2 * builder.tokens.count("tactics")
        assert view.military_left == left


def victories(shields: list[int], seat: int, zero_needs_two: bool) -> int:
    mine, n = shields[seat], len(shields)
    if n > 2:
        return sum(mine > shields[other] for other in ((seat + 1) % n, (seat - 1) % n))
    other = shields[1 - seat]
    if mine <= other:
        return 0
    if other == 0:
        return 2 if mine >= 2 or not zero_needs_two else 1
    return 2 if mine >= 2 * other else 1


# --- The log -----------------------------------------------------------------------------------------------------


@given(play=PLAYS)
def test_a_reader_of_the_public_log_knows_the_table(play: Play) -> None:
    position = play.start()
    reader = Reader(play.players, position.options["military_token_supply"] == "limited_28")
    hidden_looks = position.options["halicarnassus_reveal_public"] == "no"
    for event in position.events_for(None):
        reader.read(event)
    for _, events in play.moves(position):
        for event in events:
            if event.may_read(None):
                reader.read(event)
        view = position.view(None)
        if view.phase == "choose":
            assert {b.seat: b.wonder for b in view.builders if b.wonder} == reader.wonders
        else:
            reader.compare(view, hidden_looks)


# --- Scenarios ---------------------------------------------------------------------------------------------------

OWNED = ("urbanism", "science", "architecture", "economy", "engineering")
FEW = st.dictionaries(st.sampled_from([*GREY, "coin", *SYMBOLS, "red1"]), st.integers(1, 3), max_size=4)
ARRANGED: dict[str, st.SearchStrategy[Any]] = {
    "phase": st.sampled_from(["draw", "act"]),
    "built": st.dictionaries(st.sampled_from(["1", "2", "3"]), st.sampled_from([[1], [1, 2], [1, 2, 3]])),
    "cards": st.dictionaries(st.sampled_from(["1", "2", "3"]), FEW),
    "conflict_turned": st.integers(0, 2),
    "cat": st.integers(1, 3),
    "deck_left": st.dictionaries(st.sampled_from(["giza", "babylon", "olympia", "central"]), st.integers(0, 2)),
    "offer": st.just(["", "", ""]),
    "stack_left": st.integers(0, 2),
    "tokens": st.just({"1": OWNED}),
    "triggered": st.lists(st.sampled_from(OWNED[:3]), unique=True),
    "used": st.lists(st.sampled_from(OWNED), unique=True),
}


@given(st.fixed_dictionaries({}, optional=ARRANGED), SEEDS)
@example({"deck_left": {"giza": 0, "olympia": 0, "central": 0}}, 1)
def test_every_scenario_that_is_accepted_can_be_played_to_its_end(arranged: dict[str, Any], seed: int) -> None:
    given_too = {"wonders": ["giza", "babylon", "olympia"], "turn": 1}
    try:
        position = build(Scenario(game="architects", players=3, seed=seed, position={**given_too, **arranged}))
    except ScenarioError:
        return
    chance = random.Random(seed).choice
    while position.actors:
        [seat] = position.actors
        position.play(seat, chance(position.legal(seat)))
    assert position.winners


# --- Section 8 and 15: forced builds, against everything tried out -----------------------------------------------


@dataclass(frozen=True)
class Building:
    """A wonder with some stages, cards and tokens, and the options that matter."""

    wonder: str
    built: tuple[int, ...]
    cards: dict[str, int]
    tokens: tuple[str, ...]
    policy: Policy

    def position(self) -> Position:
        """The turn of its builder after a draw that changes nothing."""
        other = "rhodes" if self.wonder == "giza" else "giza"
        chosen = {
            "coin_policy": "missing_only" if self.policy.missing_only else "free",
            "forced_build_scope": "maximal" if self.policy.maximal else "greedy",
            "economy_counts_for_forced_build": "yes" if self.policy.economy_forces else "no",
            "engineering_counts_for_forced_build": "yes" if self.policy.engineering_forces else "no",
        }
        arranged = {
            "wonders": [self.wonder, other],
            "turn": 1,
            "built": {"1": list(self.built)},
            "cards": {"1": self.cards},
            "tokens": {"1": list(self.tokens)},
            "decks": {self.wonder: ["vp3"]},
        }
        position = build(Scenario(game="architects", players=2, options=chosen, position=arranged))
        play(position, "1 draw left")
        return position


@st.composite
def buildings(draw: st.DrawFn) -> Building:
    wonder = draw(st.sampled_from(sorted(by_hand.LEVELS)))
    built: list[int] = []
    for _ in range(draw(st.integers(0, 4))):
        built.append(draw(st.sampled_from(by_hand.may_build(wonder, frozenset(built)))))
    kinds = draw(st.lists(st.sampled_from([*GREY, "coin"]), min_size=1, max_size=4, unique=True))
    cards = Counter(draw(st.lists(st.sampled_from(kinds), max_size=9)))
    cards = Counter({kind: min(count, 6) for kind, count in cards.items()})  # so many are on the table in any case
    tokens = draw(st.lists(st.sampled_from(["economy", "engineering"]), unique=True))
    policy = Policy(*(draw(st.booleans()) for _ in range(4)))
    return Building(wonder, tuple(sorted(built)), dict(cards), tuple(tokens), policy)


def policy_of(options: Any) -> Policy:
    return Policy(
        options["coin_policy"] == "missing_only",
        options["forced_build_scope"] == "maximal",
        options["economy_counts_for_forced_build"] == "yes",
        options["engineering_counts_for_forced_build"] == "yes",
    )


def hand_of(builder: Any, tokens: set[str]) -> Hand:
    return Hand(
        tuple(builder.cards[kind] for kind in GREY), builder.cards["coin"], "economy" in tokens, "engineering" in tokens
    )


@examples(6)
@given(building=buildings())
def test_legal_payments_are_those_found_by_trying_everything(building: Building) -> None:
    position = building.position()
    compare_builds(position, building)


def compare_builds(position: Position, building: Building) -> None:
    builder = position.view(None).builders[0]
    hand = hand_of(builder, set(building.tokens))
    built = frozenset(building.built)
    wanted = {
        (stage, payment.cards(), payment.economy, payment.engineering)
        for stage, payment in by_hand.legal_builds(building.wonder, built, hand, building.policy)
    }
    if not wanted:
        assert position.actors == (1,), "nothing was left to do"
        return
    choices: list[Any] = position.decision(0).legal
    found = [(c.stage, tuple(c.cards), c.economy, c.engineering) for c in choices if c.type == "build"]
    assert len(found) == len(set(found))
    assert set(found) == wanted
    assert ("end" in legal(position)) is not by_hand.must_build(building.wonder, built, hand, building.policy)


@given(building=buildings(), choice=st.randoms(use_true_random=False))
def test_as_many_stages_are_built_as_can_be(building: Building, choice: random.Random) -> None:
    """Giza, which has no effects, builds the greatest number of stages, whatever is chosen on the way."""
    policy = building.policy._replace(maximal=True)
    built = building.built if building.wonder == "giza" else ()
    start = Building("giza", built, building.cards, building.tokens, policy)
    position = start.position()
    hand = by_hand.forced_hand(hand_of(position.view(None).builders[0], set(start.tokens)), policy)
    most = by_hand.most_builds("giza", frozenset(built), hand, policy.missing_only)
    while position.actors == (0,):
        compelled = [text for text in legal(position) if text != "end"]
        if "end" in legal(position) and choice.random() < 0.5:
            compelled = ["end"]
        play(position, f"1 {choice.choice(compelled)}")
    assert len(position.view(None).builders[0].built) - len(built) >= most
    if (policy.economy_forces or "economy" not in start.tokens) and (
        policy.engineering_forces or "engineering" not in start.tokens
    ):
        assert len(position.view(None).builders[0].built) - len(built) == most


# --- Anything else -----------------------------------------------------------------------------------------------

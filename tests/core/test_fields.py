"""What follows from declared fields: seen the same by name and by number, secret where it is not declared as seen."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, get_type_hints

import msgspec
import numpy as np
import pytest
from tests.core import lotus
from tests.core.lotus import state

from ziggurat.core import registry, runtime
from ziggurat.core.engine import RULES
from ziggurat.core.errors import ScenarioError
from ziggurat.core.fields import EACH_SEAT, Field, Fields, card, choice, flag, hand, number, pile, seat
from ziggurat.core.fields.cards import HandField
from ziggurat.core.game import Game
from ziggurat.core.generated import digest_of
from ziggurat.core.kernel import Record, kernel
from ziggurat.core.position import Position
from ziggurat.core.record import from_lists, to_lists
from ziggurat.core.seed import generator
from ziggurat.testing import check_game
from ziggurat.testing.context import Context
from ziggurat.testing.interpreted import InterpretedGame
from ziggurat.testing.leaks import Leak
from ziggurat.testing.secrecy import Secrecy
from ziggurat.testing.typed import wrong_types

GAME = lotus.GAME


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    runtime.prepare(GAME)


def new(players: int = 2, seed: int = 1, **options: str) -> Position:
    return Position.new(GAME, players, seed=seed, options=options)


def other(**parts: Any) -> Game:
    """The game with something else in it."""
    game = replace(GAME, **parts)
    vars(game)["folder"] = GAME.folder
    return game


def states_of_games(game: Game = GAME) -> Iterator[Position]:
    """Positions from whole games."""
    for players in (2, 3):
        position = Position.new(game, players, seed=players, options={"first": ("low", "high")[players - 2]})
        yield position
        while not position.finished:
            position.play(position.actors[0], position.legal(position.actors[0])[-1])
            yield position


# --- The record ---


def test_wide_fields_come_first_and_options_last() -> None:
    names = list(GAME.record.names or ())
    assert names[0] == "rng"
    assert names[-3:] == ["observed_options", "network_options", "high_first"]
    widths = [GAME.record[name].base.itemsize for name in names[1:-3]]
    assert widths == sorted(widths, reverse=True)
    assert {"players", "turn", "finished", "deck_left", "stash_left"} <= set(names)
    assert GAME.record["hand"].shape == (3, 3)
    assert GAME.record["stash"].shape == (3, 2)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (lambda: [number("a", most=1), flag("a")], "a: a field, or a part of every view, has that name already"),
        (lambda: [number("a", most=1, seen="own")], "a: only a field of EACH_SEAT"),
        (lambda: [number("a", 3, EACH_SEAT, most=1)], "a: EACH_SEAT is the first axis"),
        (lambda: [number("a b", most=1)], "'a b' is no name of a field"),
        (lambda: [hand("a", ["x"], EACH_SEAT, most=1, pool="p")], "the pool 'p' needs a pile that nobody sees"),
        (lambda: [pile("a", ["x"], 3, pool="p"), card("b", ["y"], pool="p")], "the pool 'p' have cards of other names"),
        (lambda: [card("a", ["x"], seen="nobody"), number("a_left", most=1)], "a_left: a field, or a part"),
        (lambda: [number("winners", most=1)], "winners: a field, or a part"),
        (lambda: [number("a", most=40000)], "a goes from 0 to 40000, in 16 bits"),
        (lambda: [hand("a", ["x"], most=1, known=True, seen="all")], "a is seen by all: what is known"),
        (lambda: [choice("a", ["x", "x"])], "a needs names, each of them once"),
        (lambda: [pile("a", ["x", "top"], 3)], "a: 'top' cannot be the name of a card"),
        (lambda: [pile("a", ["x"], 3), number("a_left", most=1)], "a_left: a field, or a part"),
    ],
)
def test_fields_that_do_not_go_together_are_refused(declared: Callable[[], list[Field]], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Fields(declared(), players=2)


def test_a_game_may_declare_turn_itself() -> None:
    fields = Fields([seat("turn", nobody=True)], players=2)
    assert [field.name for field in fields.fields] == ["players", "finished", "turn"]
    assert [one.low for one in fields.readers("some.game")["features"](2) if one.name == "turn"] == [-1]


def test_a_template_has_its_cards_and_says_what_cannot_be() -> None:
    states = state.FIELDS.template(2, {"first": "high"}, deck=[3, 1], deal=2)
    assert (states["players"][0], states["high_first"][0], states["observed_options"][0]) == (2, 1, 1)
    assert states["deck"][0, :3].tolist() == [3, 1, 0]
    assert (states["deck_left"][0], states["deal"][0]) == (2, 2)
    with pytest.raises(TypeError, match="there is no field 'dek'"):
        state.FIELDS.template(2, {"first": "low"}, dek=[1])
    with pytest.raises(TypeError, match="deck can hold 16 cards, and 'cards' has 17"):
        state.FIELDS.template(2, {"first": "low"}, deck=[1] * 15, row=[1, 2])


# --- What is seen ---


def columns_of(view: Any) -> dict[str, Any]:
    """What a view shows, by the names of columns."""
    observer = view.seat or 0
    found: dict[str, Any] = {}

    def note(name: str, value: Any) -> None:
        name = name.replace(" ", ".")
        if isinstance(value, Mapping):
            for key, one in value.items():
                note(f"{name}.{key}", one)
        elif isinstance(value, list) and name.split(".")[-1] in ("discard", "stash"):
            for kind in state.CARDS:
                note(f"{name}.{kind}", value.count(kind))
            note(f"{name}.top", value[-1] if value else None)
        elif isinstance(value, list):
            for place, one in enumerate(value, start=1):
                note(f"{name}.{place}", one)
        else:
            found[name] = value

    for name in view.__struct_fields__:
        if name not in ("game", "players", "seat", "actors", "winners", "seats"):
            note(name, getattr(view, name))
    for place in range(view.players):
        shown = view.seats[(observer + place) % view.players]
        for name in shown.__struct_fields__:
            if name not in ("seat", "hand", "stash", "charm"):
                note(f"player.{place}.{name}", getattr(shown, name))
            elif name != "seat" and place == 0 and view.seat is not None:
                note(name, getattr(shown, name))
    for name in ("turn", "last"):
        found[name] = -1 if found[name] is None else (found[name] - observer) % view.players
    return found


def test_observe_writes_what_the_view_shows() -> None:
    meanings: dict[str, set[Any]] = {}
    for position in states_of_games():
        features = GAME.features(position.players)
        for viewer in (*range(position.players), None):
            seen = dict(zip([one.name for one in features], position.observe(viewer).tolist(), strict=True))
            assert seen.pop("options") == (position.options["first"] == "high")
            shown = columns_of(position.view(viewer))
            if viewer is None:
                own = [name for name in seen if name.split(".")[0] in ("hand", "stash", "charm")]
                assert len(own) == 8
                assert [seen.pop(name) for name in own] == [0] * 8
            assert seen.keys() == shown.keys()
            by_name = {one.name: one for one in features}
            for name, value in seen.items():
                one = by_name[name]
                assert one.low <= value <= one.high, name
                meant = one.labels[value - one.low] if one.labels else value
                assert shown[name] in (meant, None if meant in ("none", -1) else meant), name
                meanings.setdefault(name, set()).add(value)
    moving = {name for name, values in meanings.items() if len(values) > 1}
    assert {"turn", "last", "phase", "hand.red.1", "discard.blue.1", "discard.top", "charm", "stash.red.2"} <= moving
    assert {"deck_left", "player.1.hand_left", "player.2.score", "player.1.passed", "row.2"} <= moving


def test_numbers_beyond_their_bounds_are_shown_as_these() -> None:
    position = new()
    s = to_lists(np.frombuffer(position.to_bytes(), dtype=GAME.record))
    s.score[1], s.played[0][2] = 100, -5
    out = to_lists(np.zeros(1, dtype=[("values", np.int64, (100,))]))
    n = GAME.rules["observe"](s, 0, out)
    seen = dict(zip([one.name for one in GAME.features(2)], out.values[:n], strict=True))
    assert (seen["player.1.score"], seen["player.0.played.blue.1"]) == (60, -1)


def test_a_view_is_what_its_struct_says_and_survives_json() -> None:
    for position in states_of_games():
        for view in (position.view(0), position.view(None), position.view_all()):
            assert wrong_types(view) == []
            assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view
    assert get_type_hints(GAME.public)["return"] is type(new().view(0))
    hints = get_type_hints(type(new().view(0)))
    assert hints["discard"] == list[Literal["red 1", "red 2", "blue 1"]]
    assert "deck" not in hints


def test_a_seat_sees_its_own_and_the_umpire_everything() -> None:
    position = new(3)
    mine, spectator, umpire = position.view(1), position.view(None), position.view_all()
    assert [one.hand is None for one in mine.seats] == [True, False, True]
    assert [one.hand is None for one in spectator.seats] == [True] * 3
    assert sum(mine.seats[1].hand.values()) == mine.seats[1].hand_left == 2
    secrets = position.secrets()
    assert [one.charm for one in umpire.seats] == secrets["charm"]
    assert [one.stash for one in umpire.seats] == secrets["stash"]
    assert set(secrets) == {"hand", "deck", "stash", "charm", "token", "box"}
    assert len(secrets["deck"]) == mine.deck_left == 1
    assert mine.actors == [0]
    assert mine.winners == []


def test_a_view_names_the_winners_at_the_end() -> None:
    *_, last = states_of_games()
    assert last.view(None).winners == last.winners != []
    assert last.view(None).actors == []


# --- Secrets ---


@pytest.mark.usefixtures("few_worlds")
def test_the_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.loaded, GAME.id, GAME)
    check_game(GAME, games=4, closely=9)


def check_secrets(game: Game) -> dict[str, set[str]]:
    """Check whole games; who was dealt which secret anew."""
    changed: dict[str, set[str]] = {}
    for players in (2, 3):
        secrecy = Secrecy(Context("lotus", players), generator(7))
        position = Position.new(game, players, seed=players)
        while True:
            secrecy.check(position, position, [])
            if position.finished:
                break
            position.play(position.actors[0], position.legal(position.actors[0])[0])
        for name, who in secrecy.secrets_changed.items():
            changed.setdefault(name, set()).update(who)
    return changed


def test_what_a_seat_does_not_see_is_dealt_anew_and_nothing_else() -> None:
    changed = check_secrets(GAME)
    everybody = {"seat 1", "seat 2", "seat 3", "a spectator"}
    assert changed.pop("box") == everybody - {"seat 3"}  # at a table of three it is empty
    assert changed == dict.fromkeys(("hand", "deck", "stash", "charm", "token"), everybody)


def test_every_deal_of_a_pool_comes_up() -> None:
    """A seat has one charm; the three others lie with the other seat, below the token and in the box, in six orders."""
    position, rng = new(), generator(3)
    others = [position.redeal(0, rng).secrets() for _ in range(200)]
    assert {one["charm"][0] for one in others} == {position.secrets()["charm"][0]}
    assert len({(one["charm"][1], one["token"], *one["box"]) for one in others}) == 6


def test_nothing_is_left_behind_the_cards_that_were_dealt_again() -> None:
    """There the rules may have left what they took away, in the order in which it lay."""
    *_, position = states_of_games()
    states = np.frombuffer(bytearray(position.to_bytes()), dtype=GAME.record)
    states["deck"], states["stash"], states["box"] = 1, 2, 3
    s: Any = to_lists(states)
    GAME.rules["redeal"](s, 0, to_lists(generator(1)))
    assert s.deck[s.deck_left :] == [0] * (16 - s.deck_left)
    assert s.box[s.box_left :] == [0] * (4 - s.box_left)
    assert [s.stash[seat][1] for seat in range(3)] == [2, 0, 0]


@pytest.mark.parametrize(
    ("seen", "part", "message"),
    [
        ("charm", "observe", "observe tells seat 1 what it may not know"),
        ("token", "view", "the view of seat 1 shows what it may not know"),
        ("stash", "view", "the view of seat 1 shows what it may not know"),
    ],
)
def test_a_planted_leak_is_found(seen: str, part: str, message: str) -> None:
    fields = [replace(one, seen="all") if one.name == seen else one for one in state.DECLARED]
    leaky = Fields(fields, options=state.OPTIONS, players=state.MAX_PLAYERS)
    readers, kernels = leaky.readers(lotus.__name__), leaky.kernels(lotus.__name__)
    if part == "observe":
        rules = {**GAME.rules, "observe": kernels["observe"]}
        game = other(rules=rules, features=readers["features"])
    else:
        game = other(public=readers["public"], own=readers["own"])
    with pytest.raises(Leak, match=message):
        check_secrets(game)


def test_a_belief_that_forgets_what_everybody_has_seen_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = [replace(one, known=False) if isinstance(one, HandField) else one for one in state.DECLARED]
    forgetful = Fields(fields, options=state.OPTIONS, players=state.MAX_PLAYERS).kernels(lotus.__name__)
    game = other(rules={**GAME.rules, "redeal": forgetful["redeal"]})
    monkeypatch.setitem(registry.loaded, game.id, game)
    with pytest.raises(Leak, match=r"tells (a spectator|seat .) what its belief does not know"):
        check_game(game, games=12, seed=31, compiled=False, closely=4)


def test_what_everybody_has_seen_go_into_a_hand_stays_there() -> None:
    position, rng = new(3), generator(8)
    position.play(0, position.game.space.read("take 1"))
    position.play(1, position.game.space.read("take 2"))
    known = [one.hand_known for one in position.view(None).seats]
    assert [sum(one.values()) for one in known] == [1, 1, 0]
    hands = [position.redeal(2, rng).secrets()["hand"] for _ in range(50)]
    for taker in range(2):
        assert all(hand[taker][card] >= count for hand in hands for card, count in known[taker].items())
        assert len({tuple(hand[taker].values()) for hand in hands}) > 1


def test_a_pile_that_is_too_small_loses_cards_and_nothing_else() -> None:
    fields = Fields(
        [hand("hand", ["x", "y"], EACH_SEAT, most=3, pool="p"), pile("deck", ["x", "y"], 2, pool="p")], players=2
    )
    s: Any = to_lists(np.zeros(1, dtype=fields.record))
    s.players, s.hand, s.deck, s.deck_left = 2, [[2, 0], [0, 1]], [1, 0], 1
    fields.kernels("some.game")["redeal"](s, -1, to_lists(generator(1)))
    assert fields.readers("some.game")["count_pieces"](s) == {"x": 4}


def test_something_hidden_that_is_in_no_pool_is_left_to_the_game() -> None:
    """What deals the pools again can be begun with; by itself it would know the bids."""
    fields = Fields([number("bid", EACH_SEAT, most=5, seen="own")], players=2)
    assert fields.unpooled == ["bid"]
    s: Any = to_lists(np.zeros(1, dtype=fields.record))
    s.players, s.bid = 2, [3, 4]
    fields.kernels("some.game")["redeal"](s, 0, to_lists(generator(1)))
    assert s.bid == [3, 4]


# --- Both backings, and what is kept of the compiled one ---


def test_interpreted_and_compiled_are_the_same() -> None:
    for players, seed in ((2, 1), (2, 2), (3, 3)):
        position = new(players, seed, first="high")
        interpreted = InterpretedGame(GAME, players, position.options, position.components, position.seed or b"")
        rng = generator(5)
        while True:
            assert position.to_bytes() == interpreted.to_bytes()
            for viewer in (*range(players), None):
                assert position.observe(viewer).tolist() == interpreted.observe(viewer)
                states = np.frombuffer(bytearray(position.to_bytes()), dtype=GAME.record)
                source, copy = to_lists(rng), to_lists(states)
                GAME.rules["redeal"](copy, -1 if viewer is None else viewer, source)
                from_lists(copy, states)
                assert position.redeal(viewer, rng).to_bytes() == states.tobytes()
            if position.finished:
                break
            action = position.legal(position.actors[0])[0]
            interpreted.play(position.actors[0], action)
            position.play(position.actors[0], action)


def test_every_rule_that_follows_is_one_of_the_game() -> None:
    kernels = state.FIELDS.kernels(lotus.__name__)
    assert set(kernels) == {"observe", "redeal"} < set(RULES)
    assert kernels is state.FIELDS.kernels(lotus.__name__)
    assert inspect.getsource(kernels["observe"]).startswith("def observe(s: Record")  # debuggers find it


FOLLOWING = GAME.rules["redeal"]


@kernel
def redeal_and_more(s: Record, seat: int, rng: Record) -> None:
    FOLLOWING(s, seat, rng)
    s.drawn = 0


def test_a_rule_of_a_games_own_may_begin_with_the_one_that_follows() -> None:
    assert digest_of([redeal_and_more]) == digest_of([FOLLOWING]) != ""
    more = other(rules={**GAME.rules, "redeal": redeal_and_more}, kernel_modules=(*GAME.kernel_modules, __name__))
    started = new(seed=4)
    dealt = Position.from_bytes(more, started.to_bytes(), players=2).redeal(0, generator(1))
    assert dealt.secrets() == started.redeal(0, generator(1)).secrets()
    assert np.frombuffer(dealt.to_bytes(), dtype=GAME.record)["drawn"] == 0


def test_compiled_code_of_another_declaration_is_kept_elsewhere() -> None:
    again = Fields(state.DECLARED, options=state.OPTIONS, players=3).kernels(lotus.__name__)
    shifted = Fields([*state.DECLARED, flag("new")], options=state.OPTIONS, players=3).kernels(lotus.__name__)
    assert digest_of(GAME.rules.values()) == digest_of({**GAME.rules, **again}.values())
    assert digest_of(GAME.rules.values()) != digest_of({**GAME.rules, **shifted}.values())
    assert runtime.is_compiled(GAME)
    assert not runtime.is_compiled(other(rules={**GAME.rules, **shifted}))


# --- A position in words ---


def arranged(players: int = 2, **given: Any) -> Position:
    position = new(players)
    states = np.frombuffer(bytearray(position.to_bytes()), dtype=GAME.record)
    s = to_lists(states)
    GAME.arrange_scenario(s, given, None)
    from_lists(s, states)
    return Position.from_bytes(GAME, states.tobytes(), players=players)


def test_a_position_is_as_it_is_said() -> None:
    position = arranged(
        turn=2,
        last=0,
        score={"2": 40},
        played={"1": {"red 2": 3}},
        phase="middle",
        passed={"1": True},
        hand={"1": ["blue 1", "blue 1", "blue 1"]},
        row=["blue 1", ""],
        charm={"2": "toad"},
        deck=["red 1", "red 2"],
        deck_left=3,
    )
    view = position.view_all()
    assert (view.turn, view.last, view.phase, view.row) == (1, None, "middle", ["blue 1", None])
    assert [one.score for one in view.seats] == [0, 40]
    assert (view.seats[0].played["red 2"], view.seats[0].passed) == (3, True)
    assert view.seats[0].hand == {"red 1": 0, "red 2": 0, "blue 1": 3}
    assert view.seats[1].charm == "toad"
    assert view.seats[0].charm != "toad"
    assert position.secrets()["deck"][1:] == ["red 1", "red 2"]
    assert view.deck_left == 3
    assert sum(view.seats[1].hand.values()) == 2
    charms = [one.charm for one in view.seats] + [position.secrets()["token"], *position.secrets()["box"]]
    assert sorted(charms) == sorted(state.CHARMS)
    assert all(count <= state.COPIES for name, count in position.pieces().items() if name in state.CARDS)


def test_what_is_not_said_stays_as_it_was_dealt() -> None:
    before, after = new(), arranged(score={"1": 3})
    assert [one.score for one in after.view_all().seats] == [3, 0]
    assert after.secrets() == before.secrets()
    assert after.view_all().row == before.view_all().row


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"turn": 3}, "turn is a seat from 1 to 2, not 3"),
        ({"turn": 0}, "turn is a seat from 1 to 2, not 0"),
        ({"last": -1}, "last is a seat from 1 to 2, or 0 for nobody, not -1"),
        ({"hand": {"1": ["blue 1"] * 3, "2": ["blue 1"] * 2}}, "the box holds no further blue 1"),
        ({"hand": {"3": []}}, "hand goes by seats 1, 2, not by '3'"),
        ({"row": ["red 1"]}, "row has 2 places, not 1"),
        ({"deck_left": 9}, "the deck can have 0 to 4 cards here, not 9"),
        ({"deck_left": -1}, "the deck can have 0 to 4 cards here, not -1"),
    ],
)
def test_what_cannot_be_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        arranged(**given)


@pytest.mark.parametrize(
    ("given", "where", "message"),
    [
        ({"deal": 4}, "deal", "deal is a number from 0 to 3, not 4"),
        ({"score": {"1": 3, "2": 61}}, "score.2", "score.2 is a number from 0 to 60, not 61"),
        ({"score": {"1": -1}}, "score.1", "score.1 is a number from 0 to 60, not -1"),
        ({"score": {"1": 1 << 70}}, "score.1", f"score.1 is a number from 0 to 60, not {1 << 70}"),
        ({"played": {"1": {"red 2": 10}}}, "played.1.red 2", "played.1.red 2 is a number from -1 to 9, not 10"),
        ({"hand": {"2": ["blue 1"] * 5}}, "hand.2", "hand.2 holds at most 4 of 'blue 1', not 5"),
        ({"stash": {"1": ["red 1"] * 3}}, "stash.1", "stash.1 holds at most 2 cards, not 3"),
        ({"discard": ["red 1"] * 17}, "discard", "discard holds at most 16 cards, not 17"),
    ],
)
def test_a_field_holds_no_more_than_it_declares(given: dict[str, Any], where: str, message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        arranged(**given)
    assert (refused.value.bare, refused.value.context["where"]) == (message, where)


def test_what_a_field_declares_at_most_may_be_said() -> None:
    view = arranged(deal=3, score={"1": 60}, played={"1": {"red 2": -1}}, hand={"2": ["blue 1"] * 4}).view_all()
    assert (view.deal, view.seats[0].score, view.seats[0].played["red 2"]) == (3, 60, -1)
    assert view.seats[1].hand["blue 1"] == 4


def test_a_hand_has_a_size_in_all() -> None:
    fields = Fields([hand("dice", ("one", "two"), EACH_SEAT, most=5, size=5)], players=2)
    s = to_lists(fields.template(2, {}))
    arrange = fields.readers(lotus.__name__)["arrange_scenario"]
    arrange(s, {"dice": {"2": ["one"] * 3 + ["two"] * 2}}, None)
    assert s.dice[1] == [3, 2]
    with pytest.raises(ScenarioError, match=r"dice\.2 holds at most 5 cards, not 6"):
        arrange(s, {"dice": {"2": ["one"] * 3 + ["two"] * 3}}, None)


def test_a_described_position_has_no_past_that_anybody_knows() -> None:
    position = new()
    position.play(0, position.game.space.read("take 1"))
    s = to_lists(np.frombuffer(position.to_bytes(), dtype=GAME.record))
    GAME.arrange_scenario(s, {"turn": 1}, None)
    assert s.hand_known == [[0, 0, 0]] * 3


@pytest.mark.parametrize("given", [{"dek": []}, {"charm": {"1": "cat"}}, {"drawn": 3}, {"score": {"1": "3"}}])
def test_what_is_no_field_or_no_value_of_it_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        arranged(**given)

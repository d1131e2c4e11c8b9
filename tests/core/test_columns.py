"""Columns of a network are fields of a record: their names, their places, and what both backings write to them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from ziggurat.bots.probe import within
from ziggurat.core import columns, limits
from ziggurat.core.columns import Columns, bits, category, clockwise, inputs_of, number, observed, rule_of, seat_after
from ziggurat.core.features import Feature
from ziggurat.core.kernel import Compiler, Kernels, Record, kernel
from ziggurat.core.options import Option, Options
from ziggurat.core.trace import OUT, list_out, new_out

OPTIONS = Options((Option("start", ("random", "youngest"), field="start", told=True),))
RECORD = OPTIONS.record([("players", np.int8)])
UNWRITTEN = 77


class Place(Columns):
    kind = category(["none", "red", "blue"])
    price = number(9, 1, tells="as printed")
    owner = number(4, name="owner.{}")


class Purse(Columns):
    gold = number(9)
    gold__most = number(9, name="most.gold")


class Table(Columns):
    players = category(4, 2)
    lead__late = number(5, -5)
    purse = Purse
    place = Place.each(2)
    built = number(10, name="{}.built").each(["tower", "garden"])
    gives = bits(["a", "b"]).each(["x", "y"], 2)
    options = OPTIONS
    over = number(1)


class Open(Columns):
    turn = category(3)


class Seat(Open):
    hand = number(9)


class Action(Columns):
    suggested = number(1)
    type = category(["a", "b"])
    cost = number(9)


NAMES = [
    *("players", "lead.late", "purse.gold", "most.gold"),
    *("place.1.kind", "place.1.price", "owner.1", "place.2.kind", "place.2.price", "owner.2"),
    *("tower.built", "garden.built", "gives.x.1", "gives.x.2", "gives.y.1", "gives.y.2", "options", "over"),
]


@kernel
def tell_table(s: Record, table: Record, out: Record) -> None:
    """Every kind of field, numbers beyond their bounds among them."""
    table.players = s.players
    table.lead__late = -1000
    table.purse.gold = 12
    table.purse.gold__most += table.purse.gold + 1
    for i in range(2):
        place = table.place[i]
        place.kind = i + 1
        table.place[i].price = 0
        table.built[i] += 5 + i
        for j in range(2):
            table.gives[i][j] = 2 * i + j
    price_of(table.place[1])
    table.over = 300


@kernel
def price_of(place: Record) -> None:
    """A record within another one may be handed on."""
    place.price += 7
    place.owner = place.price + place.kind


@kernel
def tell_action(s: Record, seat: int, action: int, act: Record, out: Record) -> None:
    act.type = seat
    if action > 3:
        act.cost = action


TOLD = [3, -1000, 12, 13, 1, 0, 0, 2, 7, 9, 5, 6, 0, 1, 2, 3, 1, 300]


def test_columns_are_named_by_the_fields_that_lead_to_them() -> None:
    found = list(Table.features())
    assert [one.name for one in found] == NAMES
    assert found[5] == Feature("place.1.price", 1, 9, "number", tells="as printed")
    assert found[4] == Feature("place.1.kind", 0, 2, "category", ("none", "red", "blue"))
    assert found[15] == Feature("gives.y.2", 0, 3, "bits", ("a", "b"))
    assert found[16:17] == list(OPTIONS.network)
    assert Table.dtype.itemsize == 8 * len(NAMES)
    assert (Table.span("place"), Table.span("over")) == ((4, 6), (17, 1))


def test_a_game_without_options_that_are_told_has_no_column_of_them() -> None:
    class Silent(Columns):
        options = Options((Option("quiet", ("yes", "no"), field="quiet"),))
        over = number(1)

    assert [one.name for one in Silent.features()] == ["over"]


def test_the_columns_of_a_seat_begin_with_what_everybody_sees() -> None:
    inputs = inputs_of(Table, Open, Seat, Action)
    assert [one.name for one in inputs.open] == ["turn"]
    assert [one.name for one in inputs.closed] == ["hand"]
    assert inputs.records == (Table, Seat, Action)
    with pytest.raises(TypeError, match="Action begins with the columns that everybody sees"):
        inputs_of(Table, Open, Action, Action)


def position() -> np.ndarray:
    s = np.zeros(1, RECORD)
    s["players"], s["network_options"] = 3, 1
    return s


def test_plain_python_writes_what_is_declared() -> None:
    out = list_out(())
    out.inputs[:] = [UNWRITTEN] * len(out.inputs)
    s = type("s", (), {"players": 3, "network_options": 1})()
    assert rule_of("table_inputs", tell_table, Table)(s, out) == len(NAMES)
    assert out.inputs[: len(NAMES) + 1] == [*TOLD, UNWRITTEN]
    assert rule_of("action_inputs", tell_action, Action)(s, 1, 2, out) == 3
    assert out.inputs[:4] == [3, 1, 0, TOLD[3]]


def test_a_place_that_an_array_has_not_is_an_error() -> None:
    view: Any = columns._viewing(Table.dtype, "inputs")(list_out(()))
    for place in (-1, 2):
        with pytest.raises(IndexError, match=f"an array of 2 columns has no place {place}"):
            view.built[place] = 1
        with pytest.raises(IndexError):
            view.gives[place][0]
        with pytest.raises(IndexError):
            view.place[place].kind = 1


@kernel
def table_inputs(s: Record, out: Record) -> int:
    return 0


@kernel
def action_inputs(s: Record, seat: int, action: int, out: Record) -> int:
    return 0


@kernel
def entry(states: Record, outs: Record, seat: int, action: int) -> int:
    n = table_inputs(states[0], outs[0])
    if seat >= 0:
        return action_inputs(states[0], seat, action, outs[0])
    return n


def test_compiled_code_writes_the_same_bytes() -> None:
    from numba import from_dtype, int64, typeof

    rules = {
        "table_inputs": rule_of("table_inputs", tell_table, Table),
        "action_inputs": rule_of("action_inputs", tell_action, Action),
    }
    states, outs = position(), new_out()
    outs["inputs"] = UNWRITTEN
    records = {"s": RECORD, "out": OUT, "table": Table.dtype, "act": Action.dtype}
    made = Kernels({"entry": entry}, Compiler("columns", rules, cached=False), None)
    made.fix_types({name: from_dtype(record) for name, record in records.items()})
    made.compile({"entry": (typeof(states), typeof(outs), int64, int64)})
    assert made.functions["entry"](states, outs, -1, 0) == len(NAMES)
    assert outs["inputs"][0, : len(NAMES) + 1].tolist() == [*TOLD, UNWRITTEN]
    assert made.functions["entry"](states, outs, 1, 5) == 3
    assert outs["inputs"][0, :4].tolist() == [3, 1, 5, TOLD[3]]


def test_whoever_reads_cuts_to_the_bounds() -> None:
    cut = within(np.array(TOLD, dtype=np.int64), list(Table.features()))
    assert cut.tolist() == [3, -5, 9, 9, 1, 1, 0, 2, 7, 4, 5, 6, 0, 1, 2, 3, 1, 1]
    assert cut.dtype == np.int16


# --- Observations, of tables of any size ---


@cache
def observation(players: int) -> type[Columns]:
    class Player(Columns):
        score = number(10 * players)
        alone = number(5).when(players == 1)
        cards = number([[1, 2], [3, 4]]).each(["red", "blue"], 2)

    class Rival(Columns):
        score = number(50)

    class Observation(Columns):
        turn = category(players - 1, -1)
        options = OPTIONS.observed(players)
        player = Player.each(range(players))
        rival = Rival.when(players == 1)
        hand = number(9, name="player.{}.hand").each(range(players))
        first = number([7, 8]).each(["x", "y"]).when(players > 1)

    return Observation


@kernel
def observe(s: Record, seat: int, seen: Record) -> None:
    players = s.players + 0
    me = max(seat, 0)
    seen.turn = clockwise(me, 1, players) if players > 1 else -1
    player = me
    for place in range(players):
        of = seen.player[place]
        of.score = 10 + player
        of.alone = 5
        for colour in range(2):
            for value in range(2):
                of.cards[colour][value] = 100 * (1 + player) + 10 * colour + value
        seen.hand[place] = 20 + player
        player = seat_after(player, players)
    seen.rival.score = 50
    seen.first[0] = 7
    seen.first[1] = 8


SEEN = {
    1: [-1, 1, 10, 5, 100, 101, 110, 111, 50, 20],
    2: [0, 1, 11, 200, 201, 210, 211, 10, 100, 101, 110, 111, 21, 20, 7, 8],
    3: [0, 1, 11, 200, 201, 210, 211, 12, 300, 301, 310, 311, 10, 100, 101, 110, 111, 21, 22, 20, 7, 8],
}


def test_a_table_has_the_columns_of_its_size() -> None:
    _, features = observed(observe, observation, (1, 3))
    alone = ["turn", "options", "player.0.score", "player.0.alone", "player.0.cards.red.1", "player.0.cards.red.2"]
    alone += ["player.0.cards.blue.1", "player.0.cards.blue.2", "rival.score", "player.0.hand"]
    assert [one.name for one in features(1)] == alone
    two = [one for one in features(2) if ".cards." in one.name]
    assert [one.high for one in two] == [1, 2, 3, 4, 1, 2, 3, 4]
    assert [one.name for one in features(2)[-4:]] == ["player.0.hand", "player.1.hand", "first.x", "first.y"]
    assert (features(2)[2].high, features(3)[2].high, features(3)[-1].high) == (20, 30, 8)
    assert {players: len(features(players)) for players in SEEN} == {players: len(SEEN[players]) for players in SEEN}


@kernel
def observing(states: Record, outs: Record, seat: int) -> int:
    return engine_observe(states[0], seat, outs[0])


@kernel
def engine_observe(s: Record, seat: int, out: Record) -> int:
    return 0


def test_observers_of_tables_of_all_sizes_are_told_by_both_backings() -> None:
    from numba import from_dtype, int64, typeof

    rule, _ = observed(observe, observation, (1, 3))
    made = Kernels({"observing": observing}, Compiler("seen", {"engine_observe": rule}, cached=False), None)
    made.fix_types({name: from_dtype(record) for name, record in {"s": RECORD, "out": OUT}.items()})
    states, outs = np.zeros(1, RECORD), new_out()
    made.compile({"observing": (typeof(states), typeof(outs), int64)})
    for players, told in SEEN.items():
        states["players"], states["observed_options"] = players, 1
        s = type("s", (), {"players": players, "observed_options": 1})()
        seat = 1 if players > 1 else -1
        outs["values"], out = UNWRITTEN, list_out(())
        assert made.functions["observing"](states, outs, seat) == rule(s, seat, out) == len(told)
        assert outs["values"][0, : len(told)].tolist() == out.values[: len(told)] == told


def test_small_tables_have_columns_of_the_largest_one() -> None:
    def other(players: int) -> type[Columns]:
        class Observation(Columns):
            if players == 2:
                few = number(1)
            turn = number(1)

        return Observation

    with pytest.raises(TypeError, match="the columns for 2 players are not among those of 3, in the same order"):
        observed(observe, other, (2, 3))

    class Many(Columns):
        each_of = number(1).each(limits.LEGAL + 1)

    with pytest.raises(TypeError, match=f"at most {limits.LEGAL} columns, not {limits.LEGAL + 1}"):
        observed(observe, lambda players: Many, (2, 2))

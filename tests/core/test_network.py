"""The network that judges positions and actions: what it computes, what its file may hold, and how a search uses it."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests import runs
from tests.core.networks import (
    GAMES,
    RULES,
    Interpreted,
    a_network,
    header,
    inputs_of,
    packed,
    preferences_of,
    weights,
    worth_of,
)
from tests.core.searching import a_position, check_tree, grow
from tests.example import LARGEST, SEARCHED

import ziggurat
from ziggurat.bots import SEARCHING, Belief, Budget, SearchBot, SearchConfig, Searcher, decide, learned, network
from ziggurat.bots.entrants import entrant
from ziggurat.bots.learned import (
    LARGEST_FILE,
    WEIGHT_STEPS,
    Network,
    NetworkError,
    network_of,
    open_network,
    read_network,
)
from ziggurat.bots.network import CHOICE
from ziggurat.bots.probe import NetworkProbe
from ziggurat.bots.search import Candidate
from ziggurat.bots.tree import NODES
from ziggurat.core import limits
from ziggurat.core.features import Feature, Kind
from ziggurat.core.game import Game
from ziggurat.core.inputs import Inputs
from ziggurat.core.position import Position
from ziggurat.core.record import states_of
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import new_out

TOLERANCE = 1e-5
"""Compiled code adds up in single precision."""
BUDGET = Budget(iterations=60)


def sizes(game: str) -> list[int]:
    """Numbers of players: the least, the most, and one between."""
    least, most = ziggurat.game(game).min_players, ziggurat.game(game).max_players
    return sorted({least, (least + most) // 2, most})


TABLES = runs.each(
    [(game, players) for game in GAMES for players in sizes(game)], often=[one for one in LARGEST if one[0] in SEARCHED]
)
SOME = runs.each(GAMES, often=SEARCHED)
"""Networks are the same for every game but for the columns."""


def moments(game: str, players: int) -> Iterator[Position]:
    """Positions from the beginning of a game to its end."""
    for moves in (0, 5, 20):
        yield a_position(game, moves, players)


def near(found: Any, expected: Any) -> None:
    assert np.asarray(found).tolist() == pytest.approx(np.asarray(expected).tolist(), abs=TOLERANCE)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_position_is_worth_what_the_formula_says(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = a_network(ziggurat.game(game), seed=players)
    probe, interpreted = NetworkProbe(made.game, made), Interpreted(made, monkeypatch)
    for position in moments(game, players):
        win, standing = worth_of(made, probe.inputs_of(position, position.actors[0]))
        for found in (probe.evaluate(position), interpreted.evaluate(position)):
            near(found[0], win)
            near(found[1], standing)
        assert win.max() - win.min() > 100 * TOLERANCE or players == 1
        assert sum(probe.evaluate(position).win) == pytest.approx(1) or players == 1
        assert all(0 < one < 1 for one in (*win, *standing))


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_an_action_is_preferred_as_the_formula_says(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = a_network(ziggurat.game(game), seed=players, units=(CHOICE, CHOICE // 2, 7)[players % 3])
    interpreted = Interpreted(made, monkeypatch)
    for position in moments(game, players):
        for seat in position.actors:
            # Of each its own: what the heuristic suggests may depend on chance.
            told = NetworkProbe(made.game, made).inputs_of(position, seat)
            actions, preferences = NetworkProbe(made.game, made).preferences(position, seat)
            assert actions.tolist() == told.actions.tolist() == position.legal(seat)
            assert told.acts[:, 0].sum() == 1
            expected = preferences_of(made, told, seat)
            near(preferences, expected)
            found = interpreted.preferences(position, seat)
            assert found[0] == actions.tolist()
            near(found[1], expected)
            assert expected.max() - expected.min() > 100 * TOLERANCE or len(actions) == 1
            assert preferences.sum() == pytest.approx(1)


@pytest.mark.parametrize("game", SOME)
def test_adding_what_changed_comes_to_the_same_as_adding_everything(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = a_network(ziggurat.game(game), units=8)
    interpreted, probe = Interpreted(made, monkeypatch), NetworkProbe(made.game, made)
    monkeypatch.setattr(network, "forget", lambda activations: None)
    positions = [a_position(game, moves) for moves in range(network.USES_PER_REFRESH + 4)]
    for position in positions:
        near(interpreted.evaluate(position)[0], probe.evaluate(position).win)
        for seat in position.actors:
            near(
                interpreted.preferences(position, seat)[1], NetworkProbe(made.game, made).preferences(position, seat)[1]
            )
    # Compiled: the last one of several is what it is alone.
    query, activations = prepare(made.game, program=SEARCHING).kernels["query"], np.zeros(1, network.ACTIVATIONS)
    for n in range(2, len(positions) + 1):
        states = np.concatenate([states_of(one.to_bytes(), made.game.record) for one in positions[:n]])
        out, rows = new_out(made.game.weight_values), np.zeros((1, 1), np.int64)
        query(network.EVALUATE, states, made.net, activations, generator(0), out, 0, rows)
        near(activations["win"][0, : positions[0].players], probe.evaluate(positions[n - 1]).win)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_who_knows_nothing_holds_all_alike(game: str, players: int) -> None:
    made = a_network(ziggurat.game(game), size=0)
    probe, position = NetworkProbe(made.game, made), a_position(game, 4, players)
    win, standing = probe.evaluate(position)
    near(win, [1 / max(players, 2)] * players)
    near(standing, [0.5] * players)
    actions, preferences = probe.preferences(position, position.actors[0])
    near(preferences, [1 / len(actions)] * len(actions))


@pytest.mark.parametrize("game", SOME)
def test_preferences_do_not_depend_on_what_is_hidden(game: str) -> None:
    made = a_network(ziggurat.game(game))
    for position in moments(game, ziggurat.game(game).max_players):
        for seat in position.actors:
            _, expected = NetworkProbe(made.game, made).preferences(position, seat)
            for seed in range(8):
                other = position.redeal(seat, generator(seed))
                assert NetworkProbe(made.game, made).preferences(other, seat)[1].tolist() == expected.tolist()


@pytest.mark.parametrize("game", SOME)
def test_a_game_that_is_over_was_worth_what_it_brought(game: str) -> None:
    position = a_position(game, 0, ziggurat.game(game).max_players)
    rng, probe = generator(1), NetworkProbe(position.game)
    while not position.finished:
        position.play(position.actors[0], position.suggest(rng))
    win, standing = probe.settle(position)
    expected = [1 / len(position.winners) if seat in position.winners else 0 for seat in range(position.players)]
    assert win.tolist() == pytest.approx(expected)
    by_scores = np.argsort(position.scores, kind="stable")
    assert (np.diff(standing[by_scores]) >= 0).all()
    assert ((standing > 0) & (standing < 1)).all()


@pytest.mark.parametrize("game", SOME)
def test_a_file_holds_the_network_in_half_precision(game: str) -> None:
    made = a_network(ziggurat.game(game), ahead=3, units=CHOICE // 2)
    data = made.to_bytes()
    assert len(data) < LARGEST_FILE / 20
    read = read_network(made.game, data)
    assert read.header == made.header
    assert read.arrays.keys() == made.arrays.keys()
    assert all(array.dtype == np.float16 for array in read.arrays.values())
    for name, array in read.arrays.items():
        assert np.allclose(array, made.arrays[name].astype(np.float64), atol=0.6 / WEIGHT_STEPS, rtol=1e-3)
    assert read.to_bytes() == data


def without(arrays: dict[str, np.ndarray], name: str) -> dict[str, np.ndarray]:
    return {other: array for other, array in arrays.items() if other != name}


def refused(game: Game, said: str, arrays: dict[str, Any] | None = None, /, **changed: Any) -> None:
    """A file with these weights, and a header with these fields, is refused with these words."""
    arrays = weights(game) if arrays is None else arrays
    encoded = np.frombuffer(msgspec.json.encode(header(game, **changed)), dtype=np.uint8)
    with pytest.raises(NetworkError) as error:
        read_network(game, packed({"header": encoded, **arrays}, pickles=True))
    assert said in error.value.detail
    assert error.value.code == "bad_network"


@pytest.mark.parametrize("name", SOME)
def test_what_was_learned_elsewhere_is_refused(name: str) -> None:
    game = ziggurat.game(name)
    refused(game, f"has learned 'chess', not '{name}'", game="chess")
    refused(game, f"has learned rules '0.0' of {name}, now '{game.version}'", rules="0.0")
    refused(game, f"was told other columns of {name} than there are now", columns=None, inputs="0123456789ab")
    for other in GAMES:
        if other != name:
            with pytest.raises(NetworkError, match=f"has learned '{other}', not '{name}'"):
                read_network(game, a_network(ziggurat.game(other)).to_bytes())
    silent = replace(game, inputs=None)
    with pytest.raises(NetworkError, match=f"{name} tells a network nothing"):
        Network(silent, header(game), weights(game))


@pytest.mark.parametrize("name", GAMES[:1])
def test_arrays_that_do_not_fit_are_refused(name: str) -> None:
    game = ziggurat.game(name)
    arrays = weights(game)
    for array in arrays:
        refused(game, f"has no array '{array}'", without(arrays, array))
    for array, values in arrays.items():
        said = f"{array} of a network of {name} has shape {values.shape}, not"
        refused(game, said, {**arrays, array: values[:-1]})
        refused(game, said, {**arrays, array: values[..., None]})
    for wrong in (np.nan, np.inf, -np.inf):
        broken = arrays["choice_action"].copy()
        broken[-1, -1] = wrong
        refused(
            game, "choice_action of this network holds something that is no number", {**arrays, "choice_action": broken}
        )
    large = np.full(arrays["value_out"].shape, 1e300)
    refused(game, "value_out of this network holds something that is no number", {**arrays, "value_out": large})
    for odd in (np.full((2,), "far"), np.full((2,), 1j), np.full((2,), 1), np.full((2,), b"a")):
        refused(game, "value_out_bias of a network holds fractions, not", {**arrays, "value_out_bias": odd})


@pytest.mark.parametrize("wrong", [0.0, -1.0, 1e9])
def test_a_temperature_that_makes_no_chances_is_refused(wrong: float) -> None:
    refused(ziggurat.game(GAMES[0]), "a temperature is from 0.1 to 10, not ", temperature=wrong)


@pytest.mark.parametrize("game", SOME)
def test_chances_are_stated_at_the_temperature_of_the_network(game: str, tmp_path: Path) -> None:
    """More surely by a cold one, and what is played stays the same."""
    made, position = a_network(ziggurat.game(game)), a_position(game, 6)
    seat, found = position.actors[0], []
    for temperature in (1.0, 0.5):
        file = tmp_path / f"{temperature}.npz"
        header = msgspec.structs.replace(made.header, temperature=temperature)
        file.write_bytes(Network(made.game, header, made.arrays).to_bytes())
        searcher = Searcher(made.game, config=SearchConfig(network=str(file)))
        found.append((searcher.think(Belief(position, seat, generator(3)), Budget(60), generator(4)), searcher.chances))
    (options, even), (same, sure) = found
    assert options == same
    assert sum(even) == pytest.approx(1)
    assert sure == pytest.approx([one**2 / sum(two**2 for two in even) for one in even])
    assert max(sure) > max(even)


@pytest.mark.parametrize("name", GAMES)
def test_the_network_that_comes_with_a_game_is_small(name: str) -> None:
    if learned.has_network(ziggurat.game(name)):
        assert (
            len((ziggurat.game(name).folder / learned.NETWORK_FOLDER / learned.NETWORK_FILE).read_bytes())
            < LARGEST_FILE / 25
        )


@pytest.mark.parametrize("units", [0, CHOICE + 1])
def test_a_network_has_no_more_units_than_there_is_room_for(units: int) -> None:
    game = ziggurat.game(GAMES[0])
    refused(game, f"has shape ({CHOICE},), not ({units},)", weights(game, units=units))


@pytest.fixture(scope="module", params=SOME)
def file(request: pytest.FixtureRequest) -> tuple[Game, bytes]:
    """A network's file, and its game."""
    game = ziggurat.game(request.param)
    return game, a_network(game).to_bytes()


def test_a_file_that_was_cut_off_is_refused(file: tuple[Game, bytes]) -> None:
    game, data = file
    ends = {*range(30), *range(0, len(data), len(data) // 40), *range(len(data) - 30, len(data))}
    for length in sorted(ends):
        with pytest.raises(NetworkError, match="this is no network, or it was cut off"):
            read_network(game, data[:length])


def test_damage_is_found_or_does_none(file: tuple[Game, bytes]) -> None:
    game, data = file
    rng = np.random.default_rng(1)
    expected, found = read_network(game, data).net.tobytes(), 0
    for place in (*range(0, 60, 2), *rng.integers(0, len(data), 40), *range(len(data) - 300, len(data), 4)):
        damaged = bytearray(data)
        damaged[place] ^= 1 << rng.integers(0, 8)
        try:
            assert read_network(game, bytes(damaged)).net.tobytes() == expected
        except NetworkError:
            found += 1
    assert found > 30


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        b"PK\x05\x06" + bytes(18),
        b"{}",
        np.random.default_rng(1).bytes(50_000),
        bytes(50_000),
        packed({"header": np.zeros(3)}),
        packed({"other": np.zeros(3)}),
        packed({"header": np.frombuffer(b'{"game": 3}', dtype=np.uint8)}),
    ],
    ids=["empty", "magic", "empty zip", "json", "random", "zeros", "no header", "no name", "no game"],
)
def test_what_is_no_network_is_refused(data: bytes, file: tuple[Game, bytes]) -> None:
    with pytest.raises(NetworkError, match="this is no network, or it was cut off"):
        read_network(file[0], data)


def test_a_single_array_is_no_network(file: tuple[Game, bytes]) -> None:
    stream = io.BytesIO()
    np.save(stream, np.zeros(3))
    with pytest.raises(NetworkError, match="this is no network"):
        read_network(file[0], stream.getvalue())


def test_what_is_too_large_is_not_even_read(file: tuple[Game, bytes]) -> None:
    game, data = file
    with pytest.raises(NetworkError, match=f"a network has at most {LARGEST_FILE} bytes, not {LARGEST_FILE + 1}"):
        read_network(game, data + bytes(LARGEST_FILE + 1 - len(data)))
    # Nor what is packed in a small file.
    packed_well = packed({"header": np.zeros(5 * LARGEST_FILE, dtype=np.uint8)})
    assert len(packed_well) < LARGEST_FILE
    with pytest.raises(NetworkError, match="it would take"):
        read_network(game, packed_well)


class Trap:
    """What runs when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.putenv, ("ZIGGURAT_TRAP", "shut")


def test_what_is_pickled_is_not_unpickled(file: tuple[Game, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pickle.load", lambda *_, **__: pytest.fail("unpickled"))
    monkeypatch.setattr("pickle.loads", lambda *_, **__: pytest.fail("unpickled"))
    game, _ = file
    refused(game, "this is no network", {**weights(game), "value_bias": np.array([Trap()], dtype=object)})
    stream = io.BytesIO()
    np.save(stream, np.array([Trap()], dtype=object), allow_pickle=True)
    with pytest.raises(NetworkError, match="this is no network"):
        read_network(game, stream.getvalue())


def test_a_file_is_named_with_what_is_wrong_in_it(file: tuple[Game, bytes], tmp_path: Path) -> None:
    game, data = file
    path = tmp_path / "mine.npz"
    with pytest.raises(NetworkError, match=r"cannot read .*mine.npz: No such file"):
        open_network(game, path)
    path.write_bytes(data[:100])
    with pytest.raises(NetworkError, match=r"mine.npz: this is no network"):
        Searcher(game, config=SearchConfig(network=str(path)))
    path.write_bytes(data)
    assert Searcher(game, config=SearchConfig(network=str(path))).config.learned


def test_columns_have_to_fit_into_a_network() -> None:
    first = Feature("suggested", 0, 1)
    with pytest.raises(TypeError, match=f"at most {limits.PLACES} places, not {limits.PLACES + 1}"):
        Inputs((Feature("kind", 0, limits.PLACES, "category"),), (), (), (first,))
    with pytest.raises(TypeError, match=f"at most {limits.INPUTS} columns of seat"):
        Inputs((), (), tuple(Feature(f"n.{place}", 0, 1) for place in range(limits.INPUTS + 1)), (first,))
    with pytest.raises(TypeError, match="two columns of action have the same name"):
        Inputs((), (), (), (first, first))
    with pytest.raises(TypeError, match="the first column of an action is 'suggested'"):
        Inputs((), (), (), (Feature("gain", 0, 1),))


# --- Columns by name ---


def of_other_columns(game: Game, inputs: Inputs, **rules: Any) -> Game:
    """A game that tells a network other columns, written by other rules."""
    return replace(game, inputs=inputs, rules={**game.rules, **rules})


def shuffled(game: Game, seed: int) -> Game:
    """The same columns, those of each kind in another order."""
    inputs, rng = inputs_of(game), np.random.default_rng(seed)
    orders = {name: rng.permutation(len(getattr(inputs, name))) for name in ("table", "open", "closed")}
    orders["action"] = np.array([0, *(1 + rng.permutation(len(inputs.action) - 1))])
    columns = {name: tuple(getattr(inputs, name)[old] for old in order) for name, order in orders.items()}
    seat = np.concatenate([orders["open"], len(inputs.open) + orders["closed"]])

    def written(rule: str, order: np.ndarray) -> Any:
        def write(*arguments: Any) -> int:
            n, out = int(game.rules[rule](*arguments)), arguments[-1]
            values = [out.inputs[column] for column in range(n)]
            for new, old in enumerate(order):
                out.inputs[new] = values[old]
            return n

        return write

    rules = {"table_inputs": orders["table"], "seat_inputs": seat, "action_inputs": orders["action"]}
    return of_other_columns(game, Inputs(**columns), **{rule: written(rule, order) for rule, order in rules.items()})


def thought_of(made: Network, position: Position, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    """All that a network thinks of a position, to the last bit."""
    interpreted = Interpreted(made, monkeypatch)
    worth = [list(found) for found in interpreted.evaluate(position)]
    return worth, [interpreted.preferences(position, seat) for seat in position.actors]


@pytest.mark.parametrize("name", SOME)
def test_columns_in_another_order_make_no_difference_at_all(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ziggurat.game(name)
    other = shuffled(game, seed=4)
    assert [one.name for one in inputs_of(other).seat] != [one.name for one in inputs_of(game).seat]
    data = a_network(game).to_bytes()
    made, moved = read_network(game, data), read_network(other, data)
    for position in moments(name, game.max_players):
        assert thought_of(moved, position, monkeypatch) == thought_of(made, position, monkeypatch)
    # Written by the other game, and read by the first, the rows are the same again.
    again = read_network(game, moved.to_bytes())
    assert {key: array.tolist() for key, array in again.arrays.items()} == {
        key: array.tolist() for key, array in made.arrays.items()
    }


def with_more(game: Game) -> Game:
    """A game with a column more of each kind, in the middle of the others; they say something at every decision."""
    inputs, rules = inputs_of(game), game.rules

    def written(rule: str, place: int) -> Any:
        def write(*arguments: Any) -> int:
            n, out = int(rules[rule](*arguments)), arguments[-1]
            for column in range(n, place, -1):
                out.inputs[column] = out.inputs[column - 1]
            out.inputs[place] = 1
            return n + 1

        return write

    def more(columns: tuple[Feature, ...]) -> tuple[Feature, ...]:
        return (*columns[:1], Feature("new", 0, 1, "category", ("off", "on")), *columns[1:])

    changed = msgspec.structs.replace(
        inputs, table=more(inputs.table), open=more(inputs.open), action=more(inputs.action)
    )
    return of_other_columns(game, changed, **{rule: written(rule, 1) for rule in RULES if rule.endswith("_inputs")})


@pytest.mark.parametrize("name", SOME)
def test_a_column_that_a_network_has_not_learned_counts_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ziggurat.game(name)
    other, data = with_more(game), a_network(game).to_bytes()
    made, grown = read_network(game, data), read_network(other, data)
    for position in moments(name, game.max_players):
        assert thought_of(grown, position, monkeypatch) == thought_of(made, position, monkeypatch)
    rows = grown.arrays["choice_table"]
    assert rows.shape[0] == made.arrays["choice_table"].shape[0] + 2
    assert not rows[inputs_of(game).table[0].width :][:2].any()
    # What learns on from there has the column, too.
    assert read_network(other, grown.to_bytes()).net["known"].tolist() == [
        [len(inputs_of(other).table), len(inputs_of(other).seat), len(inputs_of(other).action)]
    ]


def test_a_larger_bound_of_a_number_leaves_its_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ziggurat.game(GAMES[0])
    inputs = inputs_of(game)
    place = next(place for place, one in enumerate(inputs.table) if one.kind == "number" and one.low == 0)
    old = inputs.table[place]
    wider = msgspec.structs.replace(old, high=2 * max(old.high, 1))
    table = (*inputs.table[:place], wider, *inputs.table[place + 1 :])
    made = a_network(game)
    moved = read_network(of_other_columns(game, msgspec.structs.replace(inputs, table=table)), made.to_bytes())
    row = sum(one.width for one in inputs.table[:place])
    first = read_network(game, made.to_bytes())
    assert (moved.arrays["value_table"][row] == 2 * first.arrays["value_table"][row].astype(np.float32)).all()
    assert moved.net["scale"][0, place] * 2 == first.net["scale"][0, place]


def test_columns_that_a_game_has_not_are_refused_by_name() -> None:
    game = ziggurat.game(GAMES[0])
    inputs, data = inputs_of(game), a_network(game).to_bytes()

    def refuses(said: str, **columns: tuple[Feature, ...]) -> None:
        with pytest.raises(NetworkError, match=said):
            read_network(replace(game, inputs=msgspec.structs.replace(inputs, **columns)), data)

    gone = inputs.open[-1]
    refuses(f"was told {gone.name} of a seat, which the game has not", open=inputs.open[:-1])
    hidden = (gone, *inputs.closed)
    refuses(f"was told {gone.name} of a seat, which the game has not", open=inputs.open[:-1], closed=hidden)
    first = inputs.table[0]
    kind: Kind = "bits" if first.kind != "bits" else "number"
    other = Feature(first.name, 0, 1, kind, ("one",) if kind == "bits" else ())
    refuses(f"{first.name} of the table is a {kind} now, and was a {first.kind}", table=(other, *inputs.table[1:]))
    labelled = next(one for one in inputs.action if one.labels)
    fewer = msgspec.structs.replace(labelled, labels=labelled.labels[:-1], high=labelled.high - 1)
    action = tuple(fewer if one is labelled else one for one in inputs.action)
    refuses(f"{labelled.name} of an action has no value {labelled.labels[-1]} any more", action=action)


def test_files_of_the_first_version_are_read_as_long_as_nothing_has_changed() -> None:
    game = ziggurat.game(GAMES[0])
    old = header(game, columns=None, weights={}, inputs=learned.digest(game))
    made = Network(game, old, weights(game))
    assert made.differs == ()
    assert read_network(game, made.to_bytes()).header.columns == learned.columns_of(inputs_of(game))


def test_a_heuristic_with_other_weights_leaves_the_network_and_says_what_differs(
    file: tuple[Game, bytes], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game, _ = file
    name = next(iter(game.weights))
    before = {**game.weights, name: game.weights[name] + 1}
    (folder / learned.NETWORK_FILE).write_bytes(Network(game, header(game, weights=before), weights(game)).to_bytes())
    with caplog.at_level(logging.WARNING, "ziggurat"):
        assert network_of(game) is not None
    assert f"{name} {game.weights[name]}, learned beside {game.weights[name] + 1}" in caplog.text


@pytest.fixture
def folder(file: tuple[Game, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the network of the game lies, with none as yet."""
    game, _ = file
    assert game.weights  # lie in the true one
    a_position(game.id, 0)  # what else lies in the game's folder is read by now
    monkeypatch.setitem(vars(game), "folder", tmp_path)
    learned._own.cache_clear()
    home = tmp_path / learned.NETWORK_FOLDER
    home.mkdir()
    yield home
    learned._own.cache_clear()


def thoughts(position: Position, config: SearchConfig | None = None) -> list[Candidate]:
    rng = generator(3)
    return Searcher(position.game, config=config).think(Belief(position, position.actors[0], rng), BUDGET, rng)


def chosen(position: Position, text: str) -> list[int]:
    bot = entrant(text, position.game).bot()
    return decide(position, position.actors[0], bot, generator(3))


def test_a_network_that_does_not_fit_is_told_once_and_play_goes_on(
    file: tuple[Game, bytes], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game, data = file
    (folder / learned.NETWORK_FILE).write_bytes(data[:-100])
    position = a_position(game.id, 6)
    with caplog.at_level(logging.WARNING, logger="ziggurat"):
        assert network_of(game) is None
        assert thoughts(position) == thoughts(position, SearchConfig(learned=False))
        assert not Searcher(game).config.learned
    [said] = [record.getMessage() for record in caplog.records if record.name == "ziggurat"]
    assert said.startswith(f"{game.id} plays without its network: this is no network, or it was cut off")


def test_without_a_network_nothing_is_said(
    file: tuple[Game, bytes], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game, _ = file
    assert network_of(game) is None
    position = a_position(game.id, 6)
    assert thoughts(position) == thoughts(position, SearchConfig(learned=False))
    assert chosen(position, "search:60") == chosen(position, "classic:60")
    assert not caplog.records


def test_a_classic_search_does_not_look_at_the_network(file: tuple[Game, bytes], folder: Path) -> None:
    game, data = file
    position = a_position(game.id, 6)
    before, moves = thoughts(position), chosen(position, "search:60")
    (folder / learned.NETWORK_FILE).write_bytes(data)
    learned._own.cache_clear()
    assert Searcher(game).config.learned
    assert thoughts(position) != before
    assert thoughts(position, SearchConfig(learned=False)) == before
    assert chosen(position, "classic:60") == moves


def test_a_network_says_how_far_to_play_before_it_is_asked(file: tuple[Game, bytes], folder: Path) -> None:
    game, _ = file
    made = a_network(game, ahead=5)
    (folder / learned.NETWORK_FILE).write_bytes(made.to_bytes())
    found = Searcher(game)
    assert found.network is not None
    assert found.network.header == made.header
    assert (found.config.learned, found.config.ahead) == (True, 5)
    assert Searcher(game, config=SearchConfig(ahead=0)).config.ahead == 0
    assert Searcher(game, config=SearchConfig(learned=False)).config.ahead == 0


@pytest.fixture
def mine(file: tuple[Game, bytes], tmp_path: Path) -> str:
    """A network of one's own."""
    path = tmp_path / "mine.npz"
    path.write_bytes(file[1])
    return str(path)


@pytest.mark.parametrize("ahead", [0, 8])
def test_every_iteration_adds_one_decision_and_is_counted_once(ahead: int, file: tuple[Game, bytes], mine: str) -> None:
    game, _ = file
    for players in sizes(game.id):
        searcher = Searcher(game, config=SearchConfig(network=mine, ahead=ahead))
        [tree] = searcher._trees
        position = a_position(game.id, 6, players)
        for iterations in (1, 2, 50):
            grow(position, tree, iterations, net=searcher._net)
        check_tree(tree, 53, judged=ahead == 0)
        assert tree[0]["won"][:players].sum() == pytest.approx(53) or players == 1
        assert not tree[0]["won"][players:].any()


@pytest.mark.parametrize("ahead", [0, 8])
def test_a_full_tree_goes_on(ahead: int, file: tuple[Game, bytes], mine: str) -> None:
    game, _ = file
    searcher = Searcher(game, config=SearchConfig(network=mine, ahead=ahead))
    [tree] = searcher._trees
    tree[0]["nodes"] = NODES - 3
    grow(a_position(game.id, 4), tree, 50, net=searcher._net)
    assert tree[0]["nodes"] == NODES - 1
    assert tree[0]["games"] == 50


@pytest.mark.parametrize("ahead", [0, 8])
def test_the_same_sight_and_the_same_chance_is_the_same_choice(ahead: int, file: tuple[Game, bytes], mine: str) -> None:
    game, _ = file
    position = a_position(game.id, 12, ziggurat.game(game.id).max_players)
    seat = position.actors[0]

    def choice(world: Position) -> tuple[int, ...]:
        bot = SearchBot(game, Budget(iterations=24), config=SearchConfig(network=mine, ahead=ahead))
        return tuple(decide(world, seat, bot, generator(5)))

    choices = {
        choice(world) for world in (position, position, *(position.redeal(seat, generator(n)) for n in range(8)))
    }
    assert len(choices) == 1


@pytest.mark.parametrize("ahead", [0, 8])
def test_a_search_of_one_iteration_finds_what_the_heuristic_would_do(
    ahead: int, file: tuple[Game, bytes], mine: str
) -> None:
    game, _ = file
    position = a_position(game.id, 6)
    rng = generator(3)
    searcher = Searcher(game, config=SearchConfig(network=mine, ahead=ahead))
    [found] = searcher.think(Belief(position, position.actors[0], rng), Budget(iterations=1), rng)
    assert found.tries == 1
    assert found.action in position.legal(position.actors[0])


def test_one_action_alone_is_judged_if_wished(file: tuple[Game, bytes], mine: str) -> None:
    game, _ = file
    position, rng = a_position(game.id, 6), generator(3)
    for action in position.legal(position.actors[0])[:3]:
        searcher = Searcher(game, config=SearchConfig(network=mine, ahead=0))
        [found] = searcher.think(Belief(position, position.actors[0], rng), BUDGET, rng, only=action)
        assert (found.action, found.tries, searcher.games) == (action, 60, 60)

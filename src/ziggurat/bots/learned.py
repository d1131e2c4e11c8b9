"""Network files, those of the games and your own: read, checked and written.

A network is a NumPy archive: the arrays of :mod:`ziggurat.bots.network` in half precision, and a header in JSON that
says what it was made with, and which columns its rows belong to, by name. So a game may get new columns, or its columns
another order, and its network plays on: rows are found by name, a column that the network has not learned counts
nothing, and sums are made in the order of the file, so that not even a rounding changes.
"""

from __future__ import annotations

import hashlib
import io
import logging
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ziggurat.bots.network import CHOICE, NET, SECOND, VALUE
from ziggurat.core import limits, registry
from ziggurat.core.errors import ZigguratError
from ziggurat.core.features import KINDS, Feature, Kind
from ziggurat.core.game import Game
from ziggurat.core.inputs import Inputs

NETWORK_FILE = "network.npz"
NETWORK_FOLDER = "network"
"""Of a game, where its own file lies."""
WEIGHT_STEPS = 512
"""Parts of one that weights are rounded to in a file, which makes it a third smaller."""
LARGEST_FILE = 4 << 20
"""Bytes; a network has a thirtieth of it. What is packed in it has at most four times as many."""
COLDEST, HOTTEST = 0.1, 10.0
"""Temperatures of stated chances; what is measured is near 1."""
ALIGNMENT_BYTES = 64
"""Bytes that a processor fetches at once: rows that begin with them are read in half the time."""
NO_NETWORK = np.zeros(1, dtype=NET)
"""What compiled code is given where there is none."""


class NetworkError(ZigguratError):
    """An error of a network file: truncated, of another game, or of other rules."""

    code = "bad_network"


class LearnedColumn(msgspec.Struct, frozen=True, array_like=True):
    """A column in a network file, as :class:`ziggurat.core.features.Feature` describes it."""

    name: str
    low: int
    high: int
    kind: Kind
    labels: tuple[str, ...] = ()


class LearnedColumns(msgspec.Struct, frozen=True):
    """The columns in a network file, in the order of its rows; of a seat the open ones are first."""

    table: tuple[LearnedColumn, ...]
    open: tuple[LearnedColumn, ...]
    closed: tuple[LearnedColumn, ...]
    action: tuple[LearnedColumn, ...]


class Header(msgspec.Struct, frozen=True):
    """The header of a network file.

    Attributes:
        rules: the version of the game's rules.
        columns: its inputs.
        weights: those of the heuristic with which it learned: its suggestion is one of the columns.
        inputs: files of version 0.1 have no columns, but a digest of them and of the weights.
        ahead: how many decisions of the heuristic are played before it judges a position, as measured.
        mix: how much the heuristic's game from there to the end counts compared with that, from 0 to 1, as measured.
        temperature: at which the chances that a search states are those with which seats win, as measured: below 1
            they are surer than its values are.
        command: what made it; ``games`` how many it learned from, ``generations`` in how many steps; ``date`` when.
        matches: how it did against those before.
    """

    game: str
    rules: str
    columns: LearnedColumns | None = None
    weights: dict[str, int] = msgspec.field(default_factory=dict)
    inputs: str = ""
    ahead: int = 0
    mix: float = 0.0
    temperature: float = 1.0
    command: str = ""
    games: int = 0
    positions: int = 0
    generations: int = 0
    date: str = ""
    matches: tuple[str, ...] = ()


def columns_of(inputs: Inputs) -> LearnedColumns:
    """Return the columns of a game in the form of a network file."""

    def named(features: Sequence[Feature]) -> tuple[LearnedColumn, ...]:
        return tuple(LearnedColumn(one.name, one.low, one.high, one.kind, one.labels) for one in features)

    return LearnedColumns(named(inputs.table), named(inputs.open), named(inputs.closed), named(inputs.action))


def header_of(game: Game, **more: Any) -> Header:
    """Return the header of a new network for a game.

    Raises:
        NetworkError: the game has no inputs for a network.
    """
    if game.inputs is None:
        raise NetworkError(f"{game.id} tells a network nothing")
    return Header(game.id, game.version, columns_of(game.inputs), dict(game.weights), **more)


def digest(game: Game) -> str:
    """Return the digest that version 0.1 wrote of a game's columns and of its heuristic's weights."""
    inputs = game.inputs.digest if game.inputs else ""
    return hashlib.sha256(f"{inputs} {list(game.weights.values())}".encode()).hexdigest()[:12]


def shapes(inputs: Inputs | LearnedColumns, units: int = CHOICE) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays of a network with so many units in the policy head."""
    table, seat, action = places(inputs.table), places(inputs.open) + places(inputs.closed), places(inputs.action)
    return {
        "value_bias": (VALUE,),
        "value_table": (table, VALUE),
        "value_seat": (seat, VALUE),
        "value_others": (seat, VALUE),
        "second_bias": (SECOND,),
        "second": (VALUE, SECOND),
        "value_out_bias": (2,),
        "value_out": (2, SECOND),
        "choice_bias": (units,),
        "choice_table": (table, units),
        "choice_seat": (seat, units),
        "choice_others": (seat, units),
        "choice_action": (action, units),
        "choice_out": (units,),
    }


def units_of(arrays: Mapping[str, np.ndarray]) -> int:
    """Return the number of units in the policy head, as far as that is a number of units at all; else the highest
    allowed."""
    rows = arrays.get("choice_action")
    units = rows.shape[1] if rows is not None and rows.ndim > 1 else 0
    return units if 1 <= units <= CHOICE else CHOICE


def places(columns: Sequence[Feature | LearnedColumn]) -> int:
    """Return how many rows of weights columns have."""
    return sum(len(_values(column)) for column in columns)


def _values(column: Feature | LearnedColumn) -> Sequence[str | int]:
    """Return the meanings of a column's rows: nothing for a number, values, or labels where it has some."""
    if column.kind == "number":
        return ("",)
    if column.labels:
        return column.labels
    return range(column.low, column.high + 1) if column.kind == "category" else range(column.high.bit_length())


class LearnedRows(NamedTuple):
    """The rows of one kind of columns in a file.

    Attributes:
        order: the present columns that the file has, in the order of the file.
        target, source: rows of the present arrays, and those of the file that belong there.
        factor: what each counts more, since its number is given in parts of another largest value.
    """

    order: list[int]
    target: list[int]
    source: list[int]
    factor: list[float]


def find_rows(present: Sequence[Feature], learned: Sequence[LearnedColumn], what: str) -> LearnedRows:
    """Find the rows of the present columns in a file, by name.

    Args:
        what: what the columns are of, for the error.

    Raises:
        NetworkError: naming columns, or values of one, that the file has and the game has not.
    """
    first = np.cumsum([0, *(len(_values(one)) for one in present)]).tolist()
    numbers = {one.name: number for number, one in enumerate(present)}
    if missing := [one.name for one in learned if one.name not in numbers]:
        raise NetworkError(
            f"this network was told {', '.join(missing[:5])} of {what}, which the game has not: learn anew"
        )
    rows, source = LearnedRows([], [], [], []), 0
    for old in learned:
        new = present[numbers[old.name]]
        if new.kind != old.kind:
            raise NetworkError(f"{old.name} of {what} is a {new.kind} now, and was a {old.kind}: learn anew")
        known = {value: place for place, value in enumerate(_values(new))}
        for value in _values(old):
            if value not in known:
                raise NetworkError(f"{old.name} of {what} has no value {value} any more: learn anew")
            rows.target.append(first[numbers[old.name]] + known[value])
            rows.source.append(source)
            rows.factor.append(scale(old) / scale(new))
            source += 1
        rows.order.append(numbers[old.name])
    return rows


def scale(column: Feature | LearnedColumn) -> float:
    """Return a column's scale factor: numbers are given in parts of the largest."""
    return 1 / max(-column.low, column.high, 1) if column.kind == "number" else 1.0


def assembled(
    game: Game,
    arrays: Mapping[str, np.ndarray],
    orders: Sequence[Sequence[int]] | None = None,
    shown: int | None = None,
) -> np.ndarray:
    """Return a record ``NET`` of shape (1,) from arrays of the right shapes.

    Args:
        orders: the columns of the table, of a seat and of an action that it knows, in the order in which they are
            added up; by default all in that of the game.
        shown: how many of a seat's come first that everybody sees.
    """
    assert game.inputs is not None
    room = np.zeros(NET.itemsize + ALIGNMENT_BYTES, dtype=np.uint8)
    begin = -room.ctypes.data % ALIGNMENT_BYTES
    net = room[begin : begin + NET.itemsize].view(NET)
    kinds = (game.inputs.table, game.inputs.seat, game.inputs.action)
    for kind, order in enumerate(orders or [range(len(columns)) for columns in kinds]):
        net["known"][0, kind] = len(order)
        net["order"][0, kind * limits.INPUTS : kind * limits.INPUTS + len(order)] = order
    for kind, columns in enumerate(kinds):
        place = 0
        for number, column in enumerate(columns, kind * limits.INPUTS):
            net["columns"][0, number] = KINDS.index(column.kind), column.low, place, column.high
            net["scale"][0, number] = scale(column)
            place += column.width
    net["in_order"] = all(list(order) == list(range(len(order))) for order in orders or ())
    net["open"] = len(game.inputs.open) if shown is None else shown
    net["ready"] = 1
    net["units"] = len(arrays["choice_out"])
    for name, array in arrays.items():
        net[name][0][tuple(slice(0, size) for size in array.shape)] = array
    net["value_seat"] -= net["value_others"]
    return net


class Network:
    """A network: its weights, and their origin.

    Attributes:
        arrays: as many rows as the game has places now; those that the network has not learned are zero.
        net: the record for compiled code, of shape (1,), which nobody writes to.
        differs: weights of the heuristic that are not those with which the network learned, in words.
    """

    def __init__(self, game: Game, header: Header, arrays: Mapping[str, np.ndarray]) -> None:
        """Check the weights.

        Raises:
            NetworkError: saying what does not fit.
        """
        if game.inputs is None:
            raise NetworkError(f"{game.id} tells a network nothing")
        if header.game != game.id:
            raise NetworkError(f"this network has learned {header.game!r}, not {game.id!r}")
        if header.rules != game.version:
            raise NetworkError(f"this network has learned rules {header.rules!r} of {game.id}, now {game.version!r}")
        learned = header.columns or columns_of(game.inputs)
        if header.columns is None and header.inputs != digest(game):
            raise NetworkError(
                f"this network was told other columns of {game.id} than there are now, or learned beside other "
                "weights; made by version 0.1, it does not say which: learn anew"
            )
        if not COLDEST <= header.temperature <= HOTTEST:
            raise NetworkError(f"a temperature is from {COLDEST:g} to {HOTTEST:g}, not {header.temperature}")
        wanted = shapes(learned, units_of(arrays))
        for name, shape in wanted.items():
            if name not in arrays:
                raise NetworkError(f"this network has no array {name!r}")
            if arrays[name].dtype.kind != "f":
                raise NetworkError(f"{name} of a network holds fractions, not {arrays[name].dtype}")
            if arrays[name].shape != shape:
                raise NetworkError(f"{name} of a network of {game.id} has shape {shape}, not {arrays[name].shape}")
            if not (np.abs(arrays[name]) <= np.finfo(np.float32).max).all():
                raise NetworkError(f"{name} of this network holds something that is no number")
        self.game = game
        self.header = header
        open_ = find_rows(game.inputs.open, learned.open, "a seat")
        closed = find_rows(game.inputs.closed, learned.closed, "a seat")
        more = places(game.inputs.open), places(learned.open)
        seat = LearnedRows(
            [*open_.order, *(len(game.inputs.open) + one for one in closed.order)],
            [*open_.target, *(more[0] + one for one in closed.target)],
            [*open_.source, *(more[1] + one for one in closed.source)],
            open_.factor + closed.factor,
        )
        table = find_rows(game.inputs.table, learned.table, "the table")
        action = find_rows(game.inputs.action, learned.action, "an action")
        rows = {"table": table, "seat": seat, "others": seat, "action": action}
        now = shapes(game.inputs, units_of(arrays))
        self.arrays = {
            name: _moved(np.asarray(arrays[name]), shape, rows.get(name.partition("_")[2]))
            for name, shape in now.items()
        }
        self.net = assembled(game, self.arrays, [table.order, seat.order, action.order], len(open_.order))
        self.differs = tuple(
            f"{name} {game.weights.get(name, 0)}, learned beside {header.weights.get(name, 0)}"
            for name in (sorted({*header.weights, *game.weights}) if header.weights else ())
            if header.weights.get(name) != game.weights.get(name)
        )

    def to_bytes(self) -> bytes:
        """Return the network as the bytes of a file."""
        stream = io.BytesIO()
        assert self.game.inputs is not None
        whole = msgspec.structs.replace(self.header, columns=columns_of(self.game.inputs), inputs="")
        header = np.frombuffer(msgspec.json.encode(whole), dtype=np.uint8)
        halves = {
            name: (np.round(array * WEIGHT_STEPS) / WEIGHT_STEPS).astype(np.float16)
            for name, array in self.arrays.items()
        }
        np.savez_compressed(stream, allow_pickle=False, header=header, **halves)
        return stream.getvalue()


def _moved(array: np.ndarray, shape: tuple[int, ...], rows: LearnedRows | None) -> np.ndarray:
    """Return an array of a file with its rows in the order of the game's present columns."""
    if rows is None or (rows.target == rows.source and array.shape == shape and set(rows.factor) <= {1.0}):
        return array
    moved = np.zeros(shape, dtype=np.float32)
    moved[rows.target] = array[rows.source] * np.array(rows.factor, dtype=np.float32)[:, None]
    return moved


def read_network(game: Game, data: bytes) -> Network:
    """Read a network from the bytes of its file.

    Raises:
        NetworkError: when they are no network, or one for something else.
    """
    if len(data) > LARGEST_FILE:
        raise NetworkError(f"a network has at most {LARGEST_FILE} bytes, not {len(data)}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(one.file_size for one in archive.infolist())
            if size > 4 * LARGEST_FILE:
                raise ValueError(f"it would take {size} bytes")
            arrays = {
                name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False)
                for name in archive.namelist()
            }
        header = msgspec.json.decode(arrays.pop("header").tobytes(), type=Header)
    except Exception as error:  # zipfile and NumPy raise whatever comes when bytes are none of theirs
        raise NetworkError(f"this is no network, or it was cut off: {error}") from None
    return Network(game, header, arrays)


def open_network(game: Game, path: str | Path) -> Network:
    """Read a network from a file.

    Raises:
        NetworkError: as `read_network`, with the path.
    """
    try:
        return read_network(game, Path(path).read_bytes())
    except OSError as error:
        raise NetworkError(f"cannot read {path}: {error.strerror or error}") from None
    except NetworkError as error:
        raise NetworkError(f"{path}: {error.detail}") from None


def network_of(game: Game, path: str = "") -> Network | None:
    """Return the network that comes with a game, or one's own; None where a game has none that fits, which is reported
    once.

    Raises:
        NetworkError: for one's own.
    """
    return open_network(game, path) if path else _own(game.id)


def has_network(game: Game) -> bool:
    """Whether a network comes with a game. Whether it fits is known when it is read."""
    return game.inputs is not None and (game.folder / NETWORK_FOLDER / NETWORK_FILE).is_file()


@cache
def _own(name: str) -> Network | None:
    game = registry.game(name)
    if not has_network(game):
        return None
    log = logging.getLogger("ziggurat")
    try:
        found = read_network(game, (game.folder / NETWORK_FOLDER / NETWORK_FILE).read_bytes())
    except NetworkError as error:
        log.warning("%s plays without its network: %s", game.id, error.detail)
        return None
    if found.differs:
        log.warning(
            "the heuristic of %s has other weights than its network learned: %s", game.id, "; ".join(found.differs)
        )
    return found

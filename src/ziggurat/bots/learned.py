"""The networks that come with the games, and one's own: read, checked and written.

A network is a NumPy archive: the arrays of :mod:`ziggurat.bots.network` in half precision, as many rows as the game has
places, and a header in JSON that says what it was made with and what it needs.
"""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from ziggurat.bots.network import CHOICE, NET, SECOND, VALUE
from ziggurat.core import limits, registry
from ziggurat.core.errors import ZigguratError
from ziggurat.core.features import KINDS, Feature
from ziggurat.core.game import Game
from ziggurat.core.inputs import Inputs

FILE = "network.npz"
FINE = 512
"""Parts of one that weights are rounded to in a file, which makes it a third smaller."""
LARGEST_FILE = 4 << 20
"""Bytes; a network has a thirtieth of it. What is packed in it has at most four times as many."""
COLDEST, HOTTEST = 0.1, 10.0
"""Temperatures of stated chances; what is measured is near 1."""
NO_NETWORK = np.zeros(1, dtype=NET)
"""What compiled code is given where there is none."""


class NetworkError(ZigguratError):
    """A network that cannot be used: cut off, of another game, or of other rules."""

    code = "bad_network"


class Header(msgspec.Struct, frozen=True):
    """What a network is of.

    Attributes:
        rules: the version of the game's rules.
        inputs: the digest of the columns that it was told, and of the weights of the heuristic, whose opinion is a part
            of them.
        ahead: how many decisions of the heuristic are played before it judges a position, as measured.
        mix: how much the heuristic's game from there to the end counts beside that, from 0 to 1, as measured.
        temperature: at which the chances that a search states are those with which seats win, as measured: below 1
            they are surer than its values are.
        command: what made it; ``games`` how many it learned from, ``generations`` in how many steps; ``date`` when.
        matches: how it did against those before.
    """

    game: str
    rules: str
    inputs: str
    ahead: int = 0
    mix: float = 0.0
    temperature: float = 1.0
    command: str = ""
    games: int = 0
    positions: int = 0
    generations: int = 0
    date: str = ""
    matches: tuple[str, ...] = ()


def digest(game: Game) -> str:
    """What a network of this game needs: the same columns, and the same heuristic."""
    import hashlib

    inputs = game.inputs.digest if game.inputs else ""
    return hashlib.sha256(f"{inputs} {list(game.weights.values())}".encode()).hexdigest()[:12]


def shapes(inputs: Inputs, units: int = CHOICE) -> dict[str, tuple[int, ...]]:
    """The arrays of a network with so many units for the preferences."""
    table, seat, action = (places(columns) for columns in (inputs.table, inputs.seat, inputs.action))
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
    """How many units the preferences have, as far as that is a number of units at all; else as many as there can be."""
    rows = arrays.get("choice_action")
    units = rows.shape[1] if rows is not None and rows.ndim > 1 else 0
    return units if 1 <= units <= CHOICE else CHOICE


def places(columns: Sequence[Feature]) -> int:
    """How many rows of weights columns have."""
    return sum(column.width for column in columns)


def scale(column: Feature) -> float:
    """What a column's value counts: numbers are told in parts of the largest."""
    return 1 / max(-column.low, column.high, 1) if column.kind == "number" else 1.0


def assembled(game: Game, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """A record ``NET`` of shape (1,) from arrays of the right shapes."""
    assert game.inputs is not None
    net = np.zeros(1, dtype=NET)
    for kind, columns in enumerate((game.inputs.table, game.inputs.seat, game.inputs.action)):
        place = 0
        for number, column in enumerate(columns, kind * limits.INPUTS):
            net["columns"][0, number] = KINDS.index(column.kind), column.low, place, column.width
            net["scale"][0, number] = scale(column)
            place += column.width
    net["open"] = len(game.inputs.open)
    net["ready"] = 1
    net["units"] = len(arrays["choice_out"])
    for name, array in arrays.items():
        net[name][0][tuple(slice(0, size) for size in array.shape)] = array
    net["value_seat"] -= net["value_others"]
    return net


class Network:
    """Weights and where they come from.

    Attributes:
        net: the record for compiled code, of shape (1,), which nobody writes to.
    """

    def __init__(self, game: Game, header: Header, arrays: Mapping[str, np.ndarray]) -> None:
        """Check.

        Raises:
            NetworkError: saying what does not fit.
        """
        if game.inputs is None:
            raise NetworkError(f"{game.id} tells a network nothing")
        if header.game != game.id:
            raise NetworkError(f"this network has learned {header.game!r}, not {game.id!r}")
        if header.rules != game.version:
            raise NetworkError(f"this network has learned rules {header.rules!r} of {game.id}, now {game.version!r}")
        if header.inputs != digest(game):
            raise NetworkError(f"this network was told other columns of {game.id} than there are now: learn anew")
        if not COLDEST <= header.temperature <= HOTTEST:
            raise NetworkError(f"a temperature is from {COLDEST:g} to {HOTTEST:g}, not {header.temperature}")
        wanted = shapes(game.inputs, units_of(arrays))
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
        self.arrays = {name: np.asarray(arrays[name]) for name in wanted}
        self.net = assembled(game, self.arrays)

    def to_bytes(self) -> bytes:
        """The file."""
        stream = io.BytesIO()
        header = np.frombuffer(msgspec.json.encode(self.header), dtype=np.uint8)
        halves = {name: (np.round(array * FINE) / FINE).astype(np.float16) for name, array in self.arrays.items()}
        np.savez_compressed(stream, allow_pickle=False, header=header, **halves)
        return stream.getvalue()


def read_network(game: Game, data: bytes) -> Network:
    """A network from the bytes of its file.

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
    """A network from a file.

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
    """The network that comes with a game, or one's own; None where a game has none that fits, which is said once.

    Raises:
        NetworkError: for one's own.
    """
    return open_network(game, path) if path else _own(game.id)


def has_network(game: Game) -> bool:
    """Whether a network comes with a game. Whether it fits is known when it is read."""
    return game.inputs is not None and (game.folder / FILE).is_file()


@cache
def _own(name: str) -> Network | None:
    game = registry.game(name)
    if not has_network(game):
        return None
    try:
        return read_network(game, (game.folder / FILE).read_bytes())
    except NetworkError as error:
        logging.getLogger("ziggurat").warning("%s plays without its network: %s", game.id, error.detail)
        return None

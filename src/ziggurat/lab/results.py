"""Results of a command in a folder: begun, or resumed where the same is asked for, and saved meanwhile.

One file of the folder says what is played: its configuration. By this file the folder is known to be the command's own.
"""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import msgspec
import numpy as np

import ziggurat
from ziggurat.core.errors import FileError
from ziggurat.core.own_folders import must_be_ours
from ziggurat.core.seed import shown_seed
from ziggurat.core.whole_files import check_writable, write_whole

if TYPE_CHECKING:
    import polars

    from ziggurat.core.game import Game
    from ziggurat.core.runtime import Program
    from ziggurat.lab.work import Workers

Config = TypeVar("Config", bound=msgspec.Struct | Mapping[str, Any])
Kept = TypeVar("Kept")
Arrays = TypeVar("Arrays", bound=NamedTuple)
Result = TypeVar("Result")

SECONDS_BETWEEN_SAVES = 10.0
SHOWN_LENGTH = 80
"""Characters of a value that a refusal shows."""


class ResultsError(FileError):
    """An error of stored results: they are damaged, have another configuration, or claim what did not happen."""

    code = "bad_results"


class ResumableRun(Protocol):
    """A run of games that a command plays, and may save in a folder.

    Attributes:
        programs: what they need compiled.
        total: how many games there are, at most.
    """

    game: Game
    programs: Sequence[Program]
    total: int

    @property
    def left(self) -> int:
        """Return the number of games that are still to be played, at most."""
        ...

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Play what is left; yield the number of games finished since the last time."""
        ...


def open_or_resume(
    file: Path,
    config: Config,
    read: Callable[[Path], Any],
    *,
    resume: bool,
    any_seed: bool = False,
    bounds: Collection[str] = (),
    page: bool = False,
) -> tuple[Config, Any]:
    """Return the configuration to go on with, and the results in a folder; None where nothing was begun in it.

    Args:
        file: the one that says what the folder holds. Its folder is made.
        config: everything that decides what is played, field by field, as it is asked for.
        read: returns what the file says: the configuration, or what has it as ``config``.
        resume: whether to go on with what is there.
        any_seed: go on with the seed that is there.
        bounds: fields of the configuration that may be other ones now.
        page: whether an ``index.html`` is written to the folder.

    Raises:
        StrangeFolder: when the folder holds something else.
        ResultsError: when there are results and ``resume`` is not set, when they are damaged, or when they were begun
            with another configuration: naming the first field that differs.
        OSError: when the file cannot be written.
    """
    folder, kept = file.parent, None
    must_be_ours(folder, file.name, page=page)
    if file.exists():
        if not resume:
            raise ResultsError(f"{folder} has results already: go on with --resume, or choose another folder")
        kept = read(file)
        there = kept if isinstance(kept, type(config)) else kept.config
        for name, old, new in _differences(there, config, {*bounds, *(("seed",) if any_seed else ())}):
            begun, asked = (_shown(name, value)[:SHOWN_LENGTH] for value in (old, new))
            raise ResultsError(
                f"{folder} was begun with {name} {begun}, not {asked}: go on as it was begun, or choose another folder"
            )
        config = there if any_seed else config
    folder.mkdir(parents=True, exist_ok=True)
    check_writable(file)
    return config, kept


def _differences(there: Any, asked: Any, free: Collection[str] = ()) -> Iterator[tuple[str, Any, Any]]:
    """Yield the fields in which two configurations differ, with both values; of a field that is a table, its
    entries."""
    old, new = (one if isinstance(one, Mapping) else msgspec.structs.asdict(one) for one in (there, asked))
    for name in {**new, **old}:
        one, other = old.get(name), new.get(name)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from _differences(one, other)
        elif name not in free and one != other:
            yield name, one, other


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "(none)"
    if name == "seed":
        return shown_seed(bytes.fromhex(value))
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def read_json(file: Path, kind: type[Kept]) -> Kept:
    """Read a JSON file.

    Raises:
        ResultsError: when it cannot be read, or holds something else.
    """
    return read_as(file, read_bytes(file), kind)


def read_bytes(file: Path) -> bytes:
    """Read a file as bytes.

    Raises:
        ResultsError: when it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise ResultsError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None


def read_as(file: Path, data: bytes, kind: type[Kept]) -> Kept:
    """Return the bytes of a file parsed as a type.

    Raises:
        ResultsError: when they hold something else.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise ResultsError(f"{file} is damaged, or holds something else ({error})") from None


def write_json(file: Path, value: msgspec.Struct) -> None:
    """Write a JSON file atomically.

    Raises:
        OSError: when it cannot be written; then it is as it was.
    """
    write_whole(file, msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def read_table(file: Path, remedy: str = "") -> polars.DataFrame:
    """Read a Parquet file.

    Args:
        remedy: what to do where it cannot be read: the sentence goes on with it.

    Raises:
        ResultsError: when it cannot be read.
    """
    import polars

    try:
        return polars.read_parquet(file)
    except (OSError, polars.exceptions.PolarsError) as error:
        raise ResultsError(f"{file} is damaged, or cannot be read: {str(error).splitlines()[0]}{remedy}") from None


def packed(arrays: NamedTuple) -> bytes:
    """Pack arrays as bytes; ``unpacked`` is the reverse."""
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays._asdict())
    return stream.getvalue()


def unpacked(data: bytes, kind: type[Arrays]) -> Arrays | None:
    """Return the arrays that ``packed`` packed, or None for other bytes, such as truncated ones."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return kind._make(archive[name] for name in kind._fields)
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile):
        return None


def metadata_of(said: Mapping[str, object]) -> dict[str, str]:
    """Return a Parquet file's metadata: JSON by name."""
    return {name: msgspec.json.encode(value).decode() for name, value in said.items()}


def saving(results: Iterable[Result], save: Callable[[], None]) -> Iterator[Result]:
    """Yield results, and save them: after the first one, then every few seconds."""
    due = 0.0
    for result in results:
        yield result
        if time.monotonic() >= due:
            save()
            due = time.monotonic() + SECONDS_BETWEEN_SAVES


def command_of(command: str, config: Any, fields: Sequence[str]) -> str:
    """Return the command line that plays the same again.

    Args:
        config: has a game, options, components (``numbers``) and a seed.
        fields: those of it that are options of the command.
    """
    words = [f"ziggurat {command} {config.game}"]
    words += [f"--{name} {_shown(name, getattr(config, name))}" for name in fields]
    words += [f"--option {name}={value}" for name, value in ziggurat.game(config.game).changed(config.options).items()]
    words += ["--components FILE"] if config.numbers else []
    return " ".join([*words, f"--seed {_shown('seed', config.seed)}", "--out FOLDER"])

"""The decisions that a network learns from, on disk: a bounded number of files, each written whole or not at all."""

from __future__ import annotations

import io
import secrets
import zipfile
from pathlib import Path

import msgspec
import numpy as np

from ziggurat.core.errors import ZigguratError
from ziggurat.core.own_folders import must_be_ours
from ziggurat.core.whole_files import write_whole
from ziggurat.lab.learn.games import Sample, joined


class StoreError(ZigguratError):
    """A store that cannot be read or written."""

    code = "bad_store"


class State(msgspec.Struct):
    """The state of a training run.

    Attributes:
        settings: those at its start; a command with others does not go on with it.
        seed: 64 hexadecimal digits.
        played: games of the present generation that are stored; ``games`` of all.
        history: a row of figures for each generation.
        stated: games that say how sure the strongest network is to be; ``log_loss`` at each temperature.
    """

    settings: dict[str, str]
    seed: str
    generation: int = 0
    played: int = 0
    games: int = 0
    positions: int = 0
    fitted: bool = False
    results: list[float] = []
    history: list[dict[str, float]] = []
    stated: int = 0
    log_loss: list[float] = msgspec.field(default_factory=list, name="surprise")


class Store:
    """A folder with the state, the networks and the decisions of the latest games."""

    def __init__(self, folder: Path, settings: dict[str, str], seed: bytes | None = None) -> None:
        """Begin, or go on; without ``seed`` it is that of the start, or a new one.

        Raises:
            StoreError: when the folder cannot be used, or holds what was begun with other settings.
            StrangeFolder: when it holds something else.
        """
        self.folder = folder
        try:
            must_be_ours(folder, "state.json", page=True)
            (folder / "games").mkdir(parents=True, exist_ok=True)
            file = folder / "state.json"
            known = file.exists()
            fresh = State(settings, (seed or secrets.token_bytes(32)).hex())
            self.state = msgspec.json.decode(file.read_bytes(), type=State) if known else fresh
        except msgspec.MsgspecError as error:
            raise StoreError(f"{folder / 'state.json'} is damaged ({error}): delete it to begin anew") from None
        except OSError as error:
            raise StoreError(f"cannot use {folder}: {error.strerror or error}") from None
        self.seed = bytes.fromhex(self.state.seed)
        if self.state.settings != settings or seed not in (None, self.seed):
            kept = " ".join(f"{name}={value}" for name, value in self.state.settings.items())
            raise StoreError(f"{folder} holds what was begun with {kept}; name another folder, or the same settings")
        if not known:
            self.save()  # by this the folder is known to be ours, however soon the run ends

    def path(self, name: str) -> Path:
        return self.folder / name

    def save(self) -> None:
        """Write the state."""
        self.write("state.json", msgspec.json.format(msgspec.json.encode(self.state)))

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole: a process that is stopped in the middle leaves the file before.

        Raises:
            StoreError: when there is no room, say.
        """
        target = self.path(name)
        try:
            write_whole(target, data)
        except OSError as error:
            raise StoreError(f"cannot write {target}: {error.strerror or error}; nothing is lost") from None

    def keep(self, sample: Sample, number: int) -> None:
        """Keep the decisions of some games."""
        stream = io.BytesIO()
        np.savez_compressed(stream, allow_pickle=False, **sample._asdict())
        self.write(f"games/{number:08}.npz", stream.getvalue())

    def files(self) -> list[Path]:
        """Return the files of decisions, the oldest first."""
        return sorted(self.path("games").glob("*.npz"))

    def forget(self, most: int) -> None:
        """Delete the oldest files while there are more than ``most`` decisions; the newest file stays."""
        sizes = [(file, len(_read(file).game)) for file in self.files()]
        total = sum(size for _, size in sizes)
        for file, size in sizes[:-1]:
            if total <= most:
                return
            file.unlink(missing_ok=True)
            total -= size

    def sample(self) -> Sample:
        """Return all decisions that are kept; a file that was cut off is left out, and deleted."""
        found = []
        for file in self.files():
            try:
                found.append(_read(file))
            except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile):
                file.unlink(missing_ok=True)
        if not found:
            raise StoreError(f"{self.folder} holds no games")
        return joined(found)


def _read(file: Path) -> Sample:
    with np.load(file, allow_pickle=False) as archive:
        return Sample(**{name: archive[name] for name in Sample._fields})

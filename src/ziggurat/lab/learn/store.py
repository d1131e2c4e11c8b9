"""The replay buffer on disk: a bounded number of files of decisions, each written whole or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ziggurat.core.whole_files import write_whole
from ziggurat.lab.learn.games import Sample, joined
from ziggurat.lab.results import ResultsError, open_or_resume, packed, read_json, unpacked, write_json

STATE_FILE = "state.json"


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

    @property
    def config(self) -> dict[str, str]:
        """Return the settings that decide what is learned."""
        return {**self.settings, "seed": self.seed}


class Store:
    """The folder of a training run, with its state, its networks and the replay buffer."""

    def __init__(self, folder: Path, settings: dict[str, str], seed: bytes | None = None) -> None:
        """Create the folder, or resume from it; without ``seed`` it is that of the start, or a new one.

        Raises:
            StrangeFolder, ResultsError, OSError: as `open_or_resume`.
        """
        self.folder = folder
        fresh = State(settings, (seed or secrets.token_bytes(32)).hex())
        _, kept = open_or_resume(
            self.path(STATE_FILE),
            fresh.config,
            lambda file: read_json(file, State),
            resume=True,
            any_seed=seed is None,
            page=True,
        )
        self.state: State = kept or fresh
        self.seed = bytes.fromhex(self.state.seed)
        self.path("games").mkdir(exist_ok=True)
        self.save()  # by this the folder is known to be ours, however soon the run ends

    def path(self, name: str) -> Path:
        return self.folder / name

    def save(self) -> None:
        """Write the state."""
        write_json(self.path(STATE_FILE), self.state)

    def write(self, name: str, data: bytes | str) -> None:
        """Write a file atomically: a process that is stopped in the middle leaves the file before.

        Raises:
            OSError: when there is no room, say.
        """
        write_whole(self.path(name), data)

    def keep(self, sample: Sample, number: int) -> None:
        """Add the decisions of some games to the replay buffer."""
        self.write(f"games/{number:08}.npz", packed(sample))

    def files(self) -> list[Path]:
        """Return the files of the replay buffer, the oldest first."""
        return sorted(self.path("games").glob("*.npz"))

    def forget(self, most: int) -> None:
        """Delete the oldest files while there are more than ``most`` decisions; the newest file stays."""
        sizes = [(file, len(sample.game)) for file, sample in self._samples()]
        total = sum(size for _, size in sizes)
        for file, size in sizes[:-1]:
            if total <= most:
                return
            file.unlink(missing_ok=True)
            total -= size

    def sample(self) -> Sample:
        """Return all decisions of the replay buffer; a truncated file is left out, and deleted."""
        found = [sample for _, sample in self._samples()]
        if not found:
            raise ResultsError(f"{self.folder} holds no games")
        return joined(found)

    def _samples(self) -> Iterator[tuple[Path, Sample]]:
        """Yield the files and their decisions; a truncated file is deleted."""
        for file in self.files():
            if (sample := unpacked(file.read_bytes(), Sample)) is None:
                file.unlink(missing_ok=True)
            else:
                yield file, sample

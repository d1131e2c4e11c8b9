"""Whether a data set is what it says: its files are whole, and its games play again to the byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import ziggurat
from ziggurat.core.errors import ZigguratError
from ziggurat.core.replay import Move, Replay, record
from ziggurat.core.setup import Setup
from ziggurat.lab.dataset import DatasetError, DatasetManifest, digest, read_manifest, shard_path
from ziggurat.lab.dataset.games import replayed
from ziggurat.lab.dataset.tables import DECISIONS, GAMES, frames

if TYPE_CHECKING:
    import polars

MOST_NAMED = 20
"""Things that are named in one game; one mistake can lead to thousands."""


class DatasetCheck:
    """A check of a data set.

    Args:
        games: how many are played again, drawn at random by ``seed``; all if there are no more.

    Raises:
        DatasetError: when the folder has no data set that can be checked here, and why.
    """

    def __init__(self, folder: Path, *, games: int = 1000, seed: int | None = None) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self.config = self.manifest.config
        if not self.manifest.complete:
            raise DatasetError(f"{folder} is not finished: the command that began it goes on with --resume")
        self.setup = setup_of(self.manifest)
        number = min(games, self.config.games)
        chance = np.random.default_rng(seed)
        self.games = sorted(chance.choice(self.config.games, number, replace=False).tolist())

    def files(self) -> Iterator[str]:
        """Yield what is wrong with the files."""
        named = {one.path: one for one in self.manifest.files}
        for path, told in named.items():
            file = self.folder / path
            if not file.is_file():
                yield f"{path} is missing"
            elif file.stat().st_size != told.bytes:
                yield f"{path} has {file.stat().st_size} bytes, not {told.bytes}"
            elif digest(file) != told.sha256:
                yield f"{path} was changed: its SHA-256 is not that of the manifest"
        for name in (DECISIONS, GAMES):
            wanted = {shard_path(name, place) for place in range(len(self.config.shards))}
            yield from (f"{path} is not named in the manifest" for path in sorted(wanted - named.keys()))
            for file in sorted((self.folder / name).glob("*")):
                if f"{name}/{file.name}" not in wanted:
                    yield f"{name}/{file.name} does not belong here"

    def play(self, advance: Callable[[int], None] = lambda done: None) -> Iterator[str]:
        """Play games again; yield what is wrong with them."""
        by_shard: dict[int, list[int]] = {}
        for game in self.games:
            by_shard.setdefault(game // self.config.shard, []).append(game)
        ziggurat.prepare(self.setup.game)
        for place, games in by_shard.items():
            stored = {}
            for name in (DECISIONS, GAMES):
                try:
                    stored[name] = _read(self.folder / shard_path(name, place))
                except DatasetError as error:
                    yield error.detail
            for game in games:
                if len(stored) == 2:
                    yield from self._game(game, stored)
                advance(1)

    def _game(self, number: int, stored: dict[str, polars.DataFrame]) -> Iterator[str]:
        import polars

        found = {name: frame.filter(polars.col("game") == number + 1) for name, frame in stored.items()}
        where = f"game {number + 1}"
        if len(found[GAMES]) != 1:
            yield f"{where} stands {len(found[GAMES])} times in {shard_path(GAMES, number // self.config.shard)}"
            return
        try:
            played = replayed(self.setup, number, *_replay(found[GAMES]))
        except (ZigguratError, ValueError, polars.exceptions.PolarsError) as error:
            yield f"{where} cannot be played again: {error}"
            return
        wrong: list[str] = []
        for name, right in frames(self.config, played).items():
            wrong += self._compared(f"{where}, {name}", found[name], right)
        yield from wrong[:MOST_NAMED]
        if len(wrong) > MOST_NAMED:
            yield f"{where}: {len(wrong) - MOST_NAMED} more"

    def _compared(self, where: str, there: polars.DataFrame, right: polars.DataFrame) -> Iterator[str]:
        if there.schema != right.schema:
            names = [
                name for name in {**right.schema, **there.schema} if there.schema.get(name) != right.schema.get(name)
            ]
            yield f"{where}: other columns than it should have: {', '.join(names)}"
            return
        if len(there) != len(right):
            yield f"{where}: {len(there)} rows, not {len(right)}"
            return
        for column in right.columns:
            if column == "value":
                known = there[column].drop_nulls().to_numpy()
                if len(known) and not (known.min() >= 0 and known.max() <= 1):
                    yield f"{where}: a value is not a chance from 0 to 1"
            elif not there[column].equals(right[column], check_names=True, null_equal=True):
                yield from self._different(where, column, there[column], right[column])

    def _different(self, where: str, column: str, there: polars.Series, right: polars.Series) -> Iterator[str]:
        for row, (one, other) in enumerate(zip(there.to_list(), right.to_list(), strict=True), start=1):
            if one == other:
                continue
            at = f"{where} {row}" if len(right) > 1 else where
            if column not in ("observation", "mask"):
                yield f"{at}: {column} is {one!r:.80}, not {other!r:.80}"
                continue
            for place in [k for k, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]:
                name = self.manifest.features[place]["name"] if column == "observation" else f"action {place}"
                yield f"{at}: {column} of {name} is {one[place]}, not {other[place]}"


def setup_of(manifest: DatasetManifest) -> Setup:
    """Return what deals the games of a data set.

    Raises:
        DatasetError: when it was made by other rules than there are here.
        UnknownGame: when the game is not here.
    """
    config = manifest.config
    game = ziggurat.game(config.game)
    components = game.components_of(config.numbers)
    here = ziggurat.versions(game, components)
    for name in ("rules", "components", "actions", "observations"):
        if config.made_with.get(name) != here[name]:
            made = config.made_with.get(name)
            raise DatasetError(
                f"this data set was made with {name} {made} of {game.id}, and these are {name} {here[name]}:"
                f" it can be played again with ziggurat {config.made_with.get('ziggurat')}"
            )
    return Setup.of(game, config.players, config.options, components, bytes.fromhex(config.seed))


def replay_of(folder: str | Path, number: int) -> Replay:
    """Return a game of a data set as a replay.

    Args:
        number: of the game, from 1.

    Raises:
        DatasetError: when there is no such game, or it cannot be played here.
    """
    import polars

    place = Path(folder)
    manifest = read_manifest(place)
    config, setup = manifest.config, setup_of(manifest)
    if not 1 <= number <= config.games:
        raise DatasetError(f"{folder} has games 1 to {config.games}, not {number}")
    games = _read(place / shard_path(GAMES, (number - 1) // config.shard)).filter(polars.col("game") == number)
    if len(games) != 1:
        raise DatasetError(f"game {number} stands {len(games)} times in {folder}")
    seed, steps = _replay(games)
    position = setup.position(seed, trace=False)
    moves: list[Move] = []
    while steps:
        whole: list[int] = []
        seat, before = steps[0][0], position.copy()
        while steps and (not whole or position.in_move):
            position.play(*steps[0])
            whole.append(steps.pop(0)[1])
        moves.append(Move(seat, before.write_move(whole)))
    names = [f"{bot} {seat}" for seat, bot in enumerate(games["bots"][0], start=1)]
    return record(position, moves, names=names)


def _replay(game: polars.DataFrame) -> tuple[bytes, list[tuple[int, int]]]:
    """Return the seed of a game, and who played what."""
    seats: Sequence[int] = game["seats"][0].to_list()
    actions: Sequence[int] = game["actions"][0].to_list()
    return bytes.fromhex(game["seed"][0]), [(seat - 1, action) for seat, action in zip(seats, actions, strict=True)]


def _read(file: Path) -> polars.DataFrame:
    import polars

    try:
        return polars.read_parquet(file)
    except (OSError, polars.exceptions.PolarsError) as error:
        raise DatasetError(f"{file} cannot be read: {str(error).splitlines()[0]}") from None

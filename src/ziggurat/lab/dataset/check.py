"""The verification of a dataset: its files are whole, and its games replay to the byte."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import ziggurat
from ziggurat.core.errors import ZigguratError
from ziggurat.core.proof import Judged, Proof
from ziggurat.core.replay import Move, Replay, record
from ziggurat.core.setup import Setup
from ziggurat.lab.dataset import DatasetManifest, read_manifest, shard_path
from ziggurat.lab.dataset.config import GameRange
from ziggurat.lab.dataset.games import OneByOne, PlayedGames, compiled, replayed
from ziggurat.lab.dataset.tables import GAMES, frames
from ziggurat.lab.dataset.whole import file_faults, manifest_faults, read_shard, unjudged
from ziggurat.lab.record import seed_of_game
from ziggurat.lab.results import ResultsError, read_table

if TYPE_CHECKING:
    import polars

MOST_NAMED = 20
"""Things that are named in one game; one mistake can lead to thousands."""


class DatasetCheck:
    """A verification of a dataset.

    Args:
        games: how many are played again; all if there are no more.
        seed: draws them; drawn itself if it is left out.

    Raises:
        ResultsError: when the folder has no data set that can be checked here, and why.
    """

    def __init__(self, folder: Path, *, games: int = 1000, seed: int | None = None) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self.config = self.manifest.config
        if not self.manifest.complete:
            raise ResultsError(f"{folder} is not finished: the command that began it goes on with --resume")
        self.setup = setup_of(self.manifest)
        self.seed = secrets.randbelow(1 << 32) if seed is None else seed
        chance = np.random.default_rng(self.seed)
        number = min(games, self.config.games)
        self.games = sorted(chance.choice(self.config.games, number, replace=False).tolist()) if number else []
        same = self.config.made_with.get("ziggurat") == ziggurat.__version__
        self.bots_again = same and compiled(self.config)

    def files(self) -> Iterator[str]:
        """Yield the faults of the files, and of their metadata."""
        yield from manifest_faults(self.folder, self.manifest)
        yield from file_faults(self.folder, self.manifest)

    def play(self, advance: Callable[[int], None] = lambda done: None) -> Iterator[str]:
        """Check every row's game and number, and replay games; yield the faults."""
        by_shard: dict[int, list[int]] = {}
        for game in self.games:
            by_shard.setdefault(game // self.config.shard, []).append(game)
        ziggurat.prepare(self.setup.game)
        bots = OneByOne(self.config.simulation(), 0) if self.bots_again else None
        for place in range(len(self.config.shards)):
            stored, wrong = read_shard(self.folder, self.manifest, place)
            yield from wrong
            for game in by_shard.get(place, ()):
                if not wrong:
                    yield from self._game(game, stored, bots)
                advance(1)

    def proof(self) -> Proof:
        """Return the proof when there is no fault: what was checked, and what was taken on trust."""
        number, all, files = len(self.games), self.config.games, len(self.manifest.files)
        drawn = f", drawn by seed {self.seed}" if number < all else ""
        bots = ", with the moves of their bots" if self.bots_again else ""
        judged = [
            Judged("games", number, all, f"played again to the byte from the data set's own seed{bots}{drawn}"),
            Judged("files", files, files, "as the manifest has them, with each game and decision once"),
        ]
        believed = [f"that it was made with ziggurat {self.config.made_with.get('ziggurat')}"]
        if not self.bots_again:
            believed.insert(0, f"that these bots made the moves: {', '.join(dict.fromkeys(self.config.bots))}")
        if self.config.values:
            believed.append("the values, but that they are chances, where there was a choice")
        return Proof(judged, [*unjudged(self.folder, self.manifest)], believed, "the folder")

    def _game(self, number: int, stored: dict[str, polars.DataFrame], bots: OneByOne | None) -> Iterator[str]:
        import polars

        found = {name: frame.filter(polars.col("game") == number + 1) for name, frame in stored.items()}
        where = f"game {number + 1}"
        try:
            seed, moves = _replay(found[GAMES])
            if seed != seed_of_game(self.setup.seed, number):
                yield f"{where} was dealt by {seed.hex()}, which does not follow from the seed of the data set"
                return
            played = replayed(self.setup, number, seed, moves)
        except (ZigguratError, ValueError, TypeError) as error:
            yield f"{where} cannot be played again: {error}"
            return
        if bots is not None and (fault := _other_moves(bots.play(GameRange(number, 1)), moves)):
            yield f"{where}: {fault}"
        wrong: list[str] = []
        for name, right in frames(self.config, played).items():
            wrong += self._compared(f"{where}, {name}", found[name], right)
        yield from wrong[:MOST_NAMED]
        if len(wrong) > MOST_NAMED:
            yield f"{where}: {len(wrong) - MOST_NAMED} more"

    def _compared(self, where: str, there: polars.DataFrame, right: polars.DataFrame) -> Iterator[str]:
        if len(there) != len(right):
            yield f"{where}: {len(there)} rows, not {len(right)}"
            return
        for column in right.columns:
            if column == "value":
                known = there[column].drop_nulls().to_numpy()
                if len(known) and not (known.min() >= 0 and known.max() <= 1):
                    yield f"{where}: a value is not a chance from 0 to 1"
                if (there[column].is_null() != (right["mask"].arr.sum() == 1)).any():
                    yield f"{where}: a value is missing where there is a choice, or there where there is none"
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
    """Return the setup of the games of a dataset: what deals them.

    Raises:
        ResultsError: when it was made by other rules than there are here.
        UnknownGame: when the game is not here.
    """
    config = manifest.config
    if config.games < 0 or config.shard < 1 or config.values < 0 or len(config.bots) != config.players:
        raise ResultsError("the manifest is damaged: it says what no data set can be")
    game = ziggurat.game(config.game)
    components = game.components_of(config.numbers)
    here = ziggurat.versions(game, components)
    for name in ("rules", "components", "actions", "observations"):
        if config.made_with.get(name) != here[name]:
            made = config.made_with.get(name)
            raise ResultsError(
                f"this data set was made with {name} {made} of {game.id}, and these are {name} {here[name]}:"
                f" it can be played again with ziggurat {config.made_with.get('ziggurat')}"
            )
    return Setup.of(game, config.players, config.options, components, bytes.fromhex(config.seed))


def replay_of(folder: str | Path, number: int) -> Replay:
    """Return a game of a dataset as a replay.

    Args:
        number: of the game, from 1.

    Raises:
        ResultsError: when there is no such game, or it cannot be played here.
    """
    import polars

    place = Path(folder)
    manifest = read_manifest(place)
    config, setup = manifest.config, setup_of(manifest)
    if not 1 <= number <= config.games:
        raise ResultsError(f"{folder} has games 1 to {config.games}, not {number}")
    games = read_table(place / shard_path(GAMES, (number - 1) // config.shard)).filter(polars.col("game") == number)
    if len(games) != 1:
        raise ResultsError(f"game {number} stands {len(games)} times in {folder}")
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
    """Return the replay of a game: its seed, and the moves of each player."""
    seats: Sequence[int] = game["seats"][0].to_list()
    actions: Sequence[int] = game["actions"][0].to_list()
    return bytes.fromhex(game["seed"][0]), [(seat - 1, action) for seat, action in zip(seats, actions, strict=True)]


def _other_moves(played: PlayedGames, moves: Sequence[tuple[int, int]]) -> str:
    """Return where bots would have played otherwise, as a sentence."""
    right = [*zip(played.seats.tolist(), played.actions.tolist(), strict=True)]
    for place, (one, other) in enumerate(zip(moves, right, strict=False), start=1):
        if one != other:
            return f"decision {place} is action {one[1]} of seat {one[0] + 1}, and its bot plays action {other[1]}"
    return ""

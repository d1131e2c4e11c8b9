"""The integrity of a dataset: its files are those of its manifest, and hold the games that it claims, each once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

import ziggurat
from ziggurat.lab.dataset import CARD_FILE, MANIFEST_FILE, DatasetManifest, digest, manifest_of, shard_path
from ziggurat.lab.dataset.card import card
from ziggurat.lab.dataset.games import PlayedGames, bytes_of_mask
from ziggurat.lab.dataset.tables import CONFIG_KEY, DECISIONS, GAMES, frames
from ziggurat.lab.results import ResultsError, read_table

if TYPE_CHECKING:
    import polars

TABLES = (DECISIONS, GAMES)


def manifest_faults(folder: Path, manifest: DatasetManifest) -> Iterator[str]:
    """Yield what in a manifest contradicts its configuration; descriptions in words are not checked."""
    twice: list[str] = []

    def noting(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        twice.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        return dict(pairs)

    said = json.loads((folder / MANIFEST_FILE).read_bytes(), object_pairs_hook=noting)
    yield from (f"{MANIFEST_FILE}: {name!r} stands twice" for name in twice)
    if said != _plain(manifest):
        yield f"{MANIFEST_FILE} has fields that no manifest has"
    right = manifest_of(manifest.config, True, manifest.files)
    if _names(manifest.columns) != _names(right.columns):
        yield f"{MANIFEST_FILE}: columns are not those of these tables"
    if _without_words(manifest.features) != _without_words(right.features):
        yield f"{MANIFEST_FILE}: features are not those of {manifest.config.game}"
    if manifest.actions != right.actions:
        yield f"{MANIFEST_FILE}: actions are {manifest.actions}, not {right.actions}"
    if manifest.command != right.command and manifest.config.made_with.get("ziggurat") == ziggurat.__version__:
        yield f"{MANIFEST_FILE}: command is {manifest.command!r}, not {right.command!r}"


def _names(columns: dict[str, dict[str, str]]) -> dict[str, list[str]]:
    return {name: [*told] for name, told in columns.items()}


def _without_words(features: list[dict[str, Any]]) -> Any:
    return _plain([{name: value for name, value in one.items() if name != "tells"} for one in features])


def _plain(value: Any) -> Any:
    """Return a value as it is after a round trip through JSON."""
    return json.loads(msgspec.json.encode(value))


def unjudged(folder: Path, manifest: DatasetManifest) -> Iterator[str]:
    """Yield the files in the folder that nothing verifies: descriptions for people, and foreign files."""
    right = manifest_of(manifest.config, True, manifest.files)
    if _plain(manifest) != _plain(right):
        yield f"the words of {MANIFEST_FILE}, which are not those of this program"
    if not (folder / CARD_FILE).is_file():
        yield f"{CARD_FILE}, which is not there"
    elif not manifest.files or (folder / CARD_FILE).read_bytes() != card(folder, manifest).encode():
        yield f"{CARD_FILE}, which is not the one that this program writes of these files"
    others = sorted(one.name for one in folder.iterdir() if one.name not in (MANIFEST_FILE, CARD_FILE, *TABLES))
    if others:
        yield f"other files in the folder ({', '.join(others[:3])}{', ...' if len(others) > 3 else ''})"


def file_faults(folder: Path, manifest: DatasetManifest) -> Iterator[str]:
    """Yield the faults of the files: those of the manifest have to be there, to the byte, and no others."""
    wanted = {shard_path(name, place) for name in TABLES for place in range(len(manifest.config.shards))}
    named = Counter(one.path for one in manifest.files)
    for told in manifest.files:
        file = folder / told.path
        if told.path not in wanted:
            yield f"{told.path!r:.80} is named in the manifest and does not belong there"
        elif named[told.path] > 1:
            yield f"{told.path} is named {named[told.path]} times in the manifest"
        elif not file.is_file():
            yield f"{told.path} is missing"
        elif file.stat().st_size != told.bytes:
            yield f"{told.path} has {file.stat().st_size} bytes, not {told.bytes}"
        elif digest(file) != told.sha256:
            yield f"{told.path} was changed: its SHA-256 is not that of the manifest"
    yield from (f"{path} is not named in the manifest" for path in sorted(wanted - named.keys()))
    for name in TABLES:
        for one in sorted((folder / name).glob("*")):
            if f"{name}/{one.name}" not in wanted:
                yield f"{name}/{one.name} does not belong here"


def read_shard(folder: Path, manifest: DatasetManifest, place: int) -> tuple[dict[str, polars.DataFrame], list[str]]:
    """Return both tables of a shard, and the faults that show before any game is played."""
    stored, wrong = {}, []
    for name in TABLES:
        try:
            stored[name] = read_table(folder / shard_path(name, place))
        except ResultsError as error:
            wrong.append(error.detail)
    if not wrong:
        wrong = list(_shard_faults(folder, manifest, place, stored))
    return stored, wrong


def _shard_faults(
    folder: Path, manifest: DatasetManifest, place: int, stored: dict[str, polars.DataFrame]
) -> Iterator[str]:
    """Yield the faults of a shard's metadata, and of the games in its tables."""
    import polars

    config = manifest.config
    rows = {one.path: one.rows for one in manifest.files}
    right = frames(config, _no_games(manifest))
    for name, frame in stored.items():
        path = shard_path(name, place)
        if frame.schema != right[name].schema:
            both = {**right[name].schema, **frame.schema}
            names = [one for one in both if frame.schema.get(one) != right[name].schema.get(one)]
            yield f"{path}: other columns than it should have: {', '.join(names) or 'in another order'}"
            return
        if frame.height != rows.get(path, frame.height):
            yield f"{path} has {frame.height} rows, and the manifest says {rows[path]}"
        if holes := [one.name for one in frame if one.name != "value" and one.null_count()]:
            yield f"{path}: something is missing in {', '.join(holes)}"
            return
        about = polars.read_parquet_metadata(folder / path)
        for key, value in {"ziggurat": config.made_with, CONFIG_KEY: config}.items():
            if _decoded(about.get(key)) != _plain(value):
                yield f"{path}: what it says of itself under {key!r} is not what the manifest says"
    first, number = config.shards[place]
    games, decisions = stored[GAMES], stored[DECISIONS]
    wanted = range(first + 1, first + number + 1)
    if games["game"].to_list() != [*wanted]:
        yield _other_games(shard_path(GAMES, place), games["game"].to_list(), wanted)
        return
    lengths = games["decisions"].to_numpy().astype(np.int64).clip(min=0)
    if lengths.sum() != decisions.height or (np.repeat(wanted, lengths) != decisions["game"].to_numpy()).any():
        yield f"{shard_path(DECISIONS, place)}: its rows are not those of the decisions that {GAMES} counts, in order"
        return
    begins = np.repeat(np.cumsum(lengths) - lengths, lengths)
    if (np.arange(decisions.height) - begins + 1 != decisions["decision"].to_numpy()).any():
        yield f"{shard_path(DECISIONS, place)}: the decisions of its games are not counted from 1 on"


def _other_games(path: str, there: list[int], wanted: range) -> str:
    counted = Counter(there)
    for game in wanted:
        if counted[game] != 1:
            return f"game {game} stands {counted[game]} times in {path}"
    if strange := sorted(set(there) - {*wanted}):
        return f"game {strange[0]} stands in {path}, which has games {wanted[0]} to {wanted[-1]}"
    return f"the games of {path} are not in their order"


def _decoded(text: str | None) -> Any:
    try:
        return json.loads(text or "")
    except ValueError:
        return None


def _no_games(manifest: DatasetManifest) -> PlayedGames:
    """Return an empty batch of games, for the schema of their tables."""
    game, players = ziggurat.game(manifest.config.game), manifest.config.players
    width = len(game.features(players))
    return PlayedGames(
        np.zeros(1, np.int64),
        np.zeros(0, np.int32),
        np.zeros(0, np.int8),
        np.zeros(0, np.int16),
        np.zeros((0, width), np.int16),
        np.zeros((0, bytes_of_mask(game)), np.uint8),
        np.zeros(0, np.float32),
        np.zeros((0, players), np.int32),
        np.zeros((0, players), np.float32),
        np.array([], dtype=str),
        np.array([], dtype=str),
    )

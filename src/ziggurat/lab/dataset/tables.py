"""The two tables of a dataset, as Parquet: a row for every decision, and a row for every game."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

import ziggurat
from ziggurat.core.game import Game
from ziggurat.lab.dataset.config import DatasetConfig
from ziggurat.lab.dataset.games import PlayedGames
from ziggurat.lab.results import metadata_of

if TYPE_CHECKING:
    import polars

CONFIG_KEY = "ziggurat dataset 1"
"""The key of the configuration in the metadata of every file; the number is that of the format."""
DECISIONS, GAMES = "decisions", "games"
"""The tables, and the folders of their files."""
COMPRESSION: Literal["zstd"] = "zstd"
COMPRESSION_LEVEL = 3

DECISION_COLUMNS = {
    "game": "number of the game, from 1",
    "decision": "which decision of the game it is, from 1",
    "seat": "who decides, from 1",
    "player": "who sits there, from 1; a player has one bot in all games, and changes chairs from game to game",
    "observation": "what the seat may know, as numbers; what each means is in manifest.json",
    "mask": "which actions are legal",
    "action": "the number of the action that was played",
    "score": "the points of the seat at the end of the game",
    "win": "the seat's part of the win: 1, less when several have won, or 0",
}
VALUE_COLUMN = {"value": "the seat's chance of winning as a search states it; missing where only one action is legal"}
GAME_COLUMNS = {
    "game": "number of the game, from 1",
    "bots": "who played, by seat",
    "scores": "points at the end, by seat",
    "wins": "parts of the win, by seat",
    "decisions": "how many there were",
    "seed": "what dealt the game: 64 hexadecimal digits",
    "seats": "who made each decision, from 1; with seed and actions this is the replay",
    "actions": "the number of each action",
    "final": "a digest of the last position, as replays have it",
    "versions": "what the game was made with",
}


def columns_of(config: DatasetConfig) -> dict[str, dict[str, str]]:
    """Return the columns of both tables, with their meanings."""
    return {DECISIONS: DECISION_COLUMNS | (VALUE_COLUMN if config.values else {}), GAMES: GAME_COLUMNS}


def frames(config: DatasetConfig, played: PlayedGames) -> dict[str, polars.DataFrame]:
    """Return both tables of some games, by name."""
    return {DECISIONS: _decisions(config, played), GAMES: _games(config, played)}


def _decisions(config: DatasetConfig, played: PlayedGames) -> polars.DataFrame:
    import polars

    game = ziggurat.game(config.game)
    numbers, lengths = _numbers(played), played.lengths
    of_game = np.repeat(np.arange(len(lengths)), lengths)
    begins = np.cumsum(lengths) - lengths
    seats = played.seats.astype(np.int64)
    masks = np.unpackbits(played.masks, axis=1, count=game.actions, bitorder="little").astype(bool)
    series = [
        polars.Series("game", numbers[of_game] + 1, polars.Int32),
        polars.Series("decision", np.arange(len(of_game)) - begins[of_game] + 1, polars.Int32),
        polars.Series("seat", seats + 1, polars.Int8),
        polars.Series("player", (seats + numbers[of_game]) % config.players + 1, polars.Int8),
        polars.Series("observation", played.observations, polars.Array(polars.Int16, played.observations.shape[1])),
        polars.Series("mask", masks, polars.Array(polars.Boolean, game.actions)),
        polars.Series("action", played.actions, polars.Int16),
        polars.Series("score", played.scores[of_game, seats], polars.Int32),
        polars.Series("win", played.wins[of_game, seats], polars.Float32),
    ]
    if config.values:
        series.append(polars.Series("value", played.values, polars.Float32).fill_nan(None))
    return polars.DataFrame(series)


def _games(config: DatasetConfig, played: PlayedGames) -> polars.DataFrame:
    import polars

    numbers, players = _numbers(played), config.players
    ends = np.cumsum(played.lengths)
    bots = [[config.bots[(seat + number) % players] for seat in range(players)] for number in numbers.tolist()]
    series = [
        polars.Series("game", numbers + 1, polars.Int32),
        polars.Series("bots", bots, polars.List(polars.String)),
        polars.Series("scores", played.scores, polars.Array(polars.Int32, players)),
        polars.Series("wins", played.wins, polars.Array(polars.Float32, players)),
        polars.Series("decisions", played.lengths, polars.Int32),
        polars.Series("seed", played.seeds.tolist(), polars.String),
        polars.Series("seats", _split(played.seats + 1, ends), polars.List(polars.Int8)),
        polars.Series("actions", _split(played.actions, ends), polars.List(polars.Int16)),
        polars.Series("final", played.finals.tolist(), polars.String),
        polars.Series("versions", [config.made_with] * len(numbers), _versions(config)),
    ]
    return polars.DataFrame(series)


def _split(values: np.ndarray, ends: np.ndarray) -> list[list[int]]:
    # Lists, because of arrays of one length Polars would make another type.
    return [one.tolist() for one in np.split(values, ends)[:-1]]


def _versions(config: DatasetConfig) -> polars.Struct:
    import polars

    return polars.Struct(dict.fromkeys(config.made_with, polars.String))


def _numbers(played: PlayedGames) -> np.ndarray:
    numbers: np.ndarray = int(played.first[0]) + np.arange(len(played.lengths))
    return numbers


def encoded(config: DatasetConfig, played: PlayedGames) -> dict[str, bytes]:
    """Return both tables of some games as the bytes of Parquet files."""
    metadata = metadata_of({"ziggurat": config.made_with, CONFIG_KEY: config})
    found = {}
    for name, frame in frames(config, played).items():
        stream = io.BytesIO()
        frame.write_parquet(stream, compression=COMPRESSION, compression_level=COMPRESSION_LEVEL, metadata=metadata)
        found[name] = stream.getvalue()
    return found


def features_of(game: Game, players: int) -> list[dict[str, object]]:
    """Return the meaning of each number of an observation, in order."""
    return [msgspec.to_builtins(one) for one in game.features(players)]

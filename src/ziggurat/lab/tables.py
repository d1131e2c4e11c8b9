"""Games as a table: a row for every player and game, as Parquet files have it (docs/simulate.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

import ziggurat
from ziggurat.core.facts import NO_FACT
from ziggurat.core.game import Game
from ziggurat.core.whole_files import write_parquet
from ziggurat.lab.batch import Batch
from ziggurat.lab.simulate import Simulation

if TYPE_CHECKING:
    import polars

COLUMNS = {
    "game": "number of the game, from 1",
    "player": "from 1; a player has one bot in all games",
    "seat": "where the player sat, from 1; players change chairs from game to game",
    "bot": "who played",
    "score": "points",
    "win": "1, a part of it when several have won, or 0",
    "decisions": "actions in the whole game",
}
"""Of every game; the facts of the game come after them."""


def table(wanted: Simulation, batch: Batch) -> polars.DataFrame:
    """Return the games of a batch as a table: ``COLUMNS``, and the facts of the game if the batch has them."""
    import polars

    games, players = batch.scores.shape
    number = batch.first + np.repeat(np.arange(games), players)
    player = np.tile(np.arange(players), games)
    names = [one.name for one in wanted.bots]
    series = [
        polars.Series("game", number + 1, polars.Int32),
        polars.Series("player", player + 1, polars.Int8),
        polars.Series("seat", (player - number) % players + 1, polars.Int8),
        polars.Series("bot", names * games, polars.String),
        polars.Series("score", batch.scores.ravel(), polars.Int32),
        polars.Series("win", batch.wins.ravel(), polars.Float64),
        polars.Series("decisions", np.repeat(batch.decisions, players), polars.Int32),
    ]
    return polars.DataFrame(series + facts(wanted.setup.game, batch.facts or {}))


def facts(game: Game, found: Mapping[str, np.ndarray]) -> list[polars.Series]:
    """Return the columns of facts: numbers, or the values of a category; null where a fact does not apply."""
    import polars

    series = []
    for column in game.facts.columns if game.facts else ():
        if column.name in found:
            numbers = polars.Series(column.name, found[column.name].ravel(), polars.Int32)
            known = numbers.set(numbers == NO_FACT, None)
            if column.kind == "category":
                known = polars.Series(column.name, column.values, polars.String).gather(known)
            series.append(known)
    return series


def write(file: str | Path, wanted: Simulation, batches: Sequence[polars.DataFrame]) -> None:
    """Write one Parquet file; its metadata say under ``ziggurat`` what it was made with (docs/versions.md)."""
    import polars

    setup = wanted.setup
    about = {
        **ziggurat.versions(setup.game, setup.components),
        "players": setup.players,
        "options": setup.options,
        "bots": [one.name for one in wanted.bots],
        "seed": setup.seed.hex(),
    }
    metadata = {"ziggurat": msgspec.json.encode(about).decode()}
    write_parquet(Path(file), polars.concat(batches, rechunk=True), metadata)

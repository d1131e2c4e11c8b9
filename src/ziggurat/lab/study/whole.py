"""The integrity of a study: its tables hold the games of its jobs, each once and in their order.

What was played in these games is believed: a study keeps no moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ziggurat.lab.study.config import MOMENTS_PER_GAME, REPLAYS_PER_DEAL, Job, StudyConfig
from ziggurat.lab.study.plays import GAME_COLUMNS, MOMENT_COLUMNS

if TYPE_CHECKING:
    import polars

KEY_COLUMNS = ("sample", "variant", "players", "game", "deal", "arrangement", "replay", "seat", "bot")
"""Columns that follow from the configuration."""
Key = tuple[str, str, int, int, int, int, int, int, str]


def says_another(file: Path, key: str, config: StudyConfig) -> bool:
    """Whether a file's metadata name another study."""
    import polars

    try:
        return msgspec.json.decode(polars.read_parquet_metadata(file).get(key, ""), type=StudyConfig) != config
    except msgspec.MsgspecError:
        return True


def game_faults(
    config: StudyConfig, jobs: Sequence[Job], frame: polars.DataFrame, facts: Sequence[str], words: Sequence[str]
) -> Iterator[str]:
    """Yield the faults of the table of games.

    Args:
        facts: columns of the game's own, of which some have ``words``.
    """
    if frame.columns != [*GAME_COLUMNS, *facts]:
        yield f"it has other columns: {', '.join({*frame.columns} ^ {*GAME_COLUMNS, *facts}) or 'in another order'}"
        return
    if wrong := _of_other_kind(frame, {"sample", "variant", "bot", *words}):
        yield f"it has words for numbers, or numbers for words: {', '.join(wrong)}"
        return
    there = frame.select(KEY_COLUMNS).rows()
    right = [key for job in jobs if job.sample != "moments" for key in _keys(config, job)]
    if len(there) != len(right):
        yield f"it has {len(there):,} rows, not {len(right):,}"
        return
    for row, (one, other) in enumerate(zip(there, right, strict=True), start=1):
        if one != other:
            yield f"row {row:,} is of {one}, not of {other}"
            return
    for *game, win in frame.select(*KEY_COLUMNS[:4], "win").group_by(KEY_COLUMNS[:4], maintain_order=True).sum().rows():
        if win is None or not (abs(win) < 1e-6 or abs(win - 1) < 1e-6):
            yield f"the wins of {game} are {win} together, not 1"
            return


def _of_other_kind(frame: polars.DataFrame, words: Set[str]) -> list[str]:
    return [name for name, kind in frame.schema.items() if kind.is_numeric() == (name in words)]


def _keys(config: StudyConfig, job: Job) -> Iterator[Key]:
    """Yield the keys of the rows of a job."""
    for number in range(job.first, job.first + job.number):
        for game, arrangement, replay, bots in _of_deal(config, job, number):
            for seat, bot in enumerate(bots):
                yield job.sample, job.variant, job.players, game + 1, number + 1, arrangement, replay + 1, seat + 1, bot


def _of_deal(config: StudyConfig, job: Job, number: int) -> Iterator[tuple[int, int, int, list[str]]]:
    players = range(job.players)
    if job.sample != "levels":
        yield number, 0, 0, ["greedy" if job.sample in ("quick", "option") else config.bots] * job.players
        return
    contest = job.variant.split(",")
    for arrangement in players:
        seats = [contest[(seat + arrangement) % job.players] for seat in players]
        for replay in range(REPLAYS_PER_DEAL):
            yield (number * job.players + arrangement) * REPLAYS_PER_DEAL + replay, arrangement, replay, seats


def moment_faults(jobs: Sequence[Job], frame: polars.DataFrame) -> Iterator[str]:
    """Yield the faults of the table of sampled decisions."""
    if frame.columns != [*MOMENT_COLUMNS]:
        yield f"it has other columns: {', '.join({*frame.columns} ^ {*MOMENT_COLUMNS}) or 'in another order'}"
        return
    if wrong := _of_other_kind(frame, set()):
        yield f"it has words for numbers: {', '.join(wrong)}"
        return
    counted: dict[tuple[int, int], int] = {}
    for one in frame.select("players", "game").rows():
        counted[one] = counted.get(one, 0) + 1
    right = [
        (job.players, number + 1)
        for job in jobs
        if job.sample == "moments"
        for number in range(job.first, job.first + job.number)
    ]
    if [*counted] != right:
        yield f"it has decisions of {len(counted)} games, which are not the {len(right)} that were looked at, in order"
    elif max(counted.values(), default=0) > MOMENTS_PER_GAME:
        yield f"it has more than {MOMENTS_PER_GAME} decisions of a game"

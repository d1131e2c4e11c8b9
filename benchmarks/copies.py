"""How long copies of a database take: to make one, restore it, check all of it, and write its finished games.

    python -m benchmarks.copies [--games 1000] [--database-url URL]

The games are of all kinds in turn, of three seats where the game has so many, played at random, with the views that the
service keeps of finished games. A PostgreSQL URL names an empty database; restored is into one beside it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from benchmarks.tables import machine
from tests.server.migrated import aside, fill

import ziggurat
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import play
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies import checking, exporting
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, people

T = TypeVar("T")
ANN = Person("ann", "Ann", "en")


def played(game: ziggurat.Game, rng: Iterator[int]) -> Table:
    """Return a finished game."""
    seats = max(game.min_players, min(3, game.max_players))
    bots = [NewSeat("bot", "random")] * (seats - 1)
    table = create(NewTable(game.id, [NewSeat("me"), *bots]), ANN)
    while table.status == "playing":
        assert table.position is not None
        seat, steps, at = table.actors[0], list[int](), table.position.copy(events=False)
        while not steps or at.in_move:
            legal = at.legal(seat)
            steps.append(legal[next(rng) % len(legal)])
            at.play(seat, steps[-1])
        table = play(table, seat, tuple(steps))
    return table


def chance() -> Iterator[int]:
    """Yield numbers, the same in every run."""
    number = 1
    while True:
        number = number * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        yield number >> 33


def fill_with(settings: Settings, games: int) -> int:
    """Fill a database; return how many moves were made."""
    rng, moves, kinds = chance(), 0, list(ziggurat.registered_games().values())
    for game in kinds:
        ziggurat.prepare(game)
    copies.write(settings, partial(people.insert, person=ANN, token="x"))
    for number in range(games):
        table = played(kinds[number % len(kinds)], rng)
        moves += sum(change.kind == "move" for change in table.changes)

        def job(connection: sa.Connection, table: Table = table) -> None:
            log.insert(connection, table)
            log.keep_views(connection, table.id, rules_gateway.views(table))

        copies.write(settings, job)
    return moves


def timed(what: str, work: Callable[[], T]) -> T:
    """Do something, and print how long it took."""
    begun, computed = time.perf_counter(), time.process_time()
    found = work()
    took, computed = time.perf_counter() - begun, time.process_time() - computed
    print(f"{what:<10} {took:7.1f} s, of them {computed:5.1f} s computing here")
    return found


@contextmanager
def place(url: str | None, folder: Path) -> Iterator[tuple[Settings, Callable[[], copies.Manifest]]]:
    """Yield an up-to-date database, and what restores the copy of it."""
    here = Settings(data=folder / "data", database_url=url)
    here.data.mkdir()
    aside(fill(here))
    copy = folder / "copy"
    if url is None:
        yield here, lambda: copies.restore(copy, Settings(data=folder / "restored"))
        return
    with copies.scratch_database(here) as other:
        yield here, lambda: copies.restore(copy, other)


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--database-url")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="ziggurat-copies-") as name,
        place(chosen.database_url, Path(name)) as (settings, restored),
    ):
        folder = Path(name)
        begun = time.perf_counter()
        moves = fill_with(settings, chosen.games)
        print(machine())
        print(f"{chosen.games} games, {moves} moves (made in {time.perf_counter() - begun:.0f} s)")
        copy = timed("backup", lambda: copies.backup(settings, folder / "copy"))
        size = sum(file.bytes for file in copies.manifest_of(copy).files.values())
        print(f"           {size / 1e6:7.1f} MB")
        timed("restore", restored)
        found = timed("check", lambda: checking.check_database(settings))
        again = timed("check copy", lambda: checking.check_copy(copy, settings))
        assert not found.wrong + again.wrong, checking.summed(found)
        told = timed("export", lambda: exporting.export(settings, folder / "out"))
        assert told.games == chosen.games
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The export of finished games, as replay files and as a table, for those who study them; never a card of a running
game."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

import ziggurat
from ziggurat.core.errors import ZigguratError
from ziggurat.core.own_folders import must_be_ours
from ziggurat.core.whole_files import write_parquet
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.table import Table
from ziggurat.server.feature import features
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies.archive import CopyError
from ziggurat.server.features.copies.checking import Begin, unwatched
from ziggurat.server.settings import Settings
from ziggurat.server.store import files, log
from ziggurat.server.store.models import tables

GAMES_FILE = "games.parquet"


class Exported(msgspec.Struct):
    """The result of an export; `held`: games whose cards may still be in play elsewhere; `lost`: games that cannot be
    read."""

    games: int = 0
    held: int = 0
    lost: int = 0


def export(settings: Settings, out: Path, begin: Begin = unwatched) -> Exported:
    """Write the finished games of a database into a new folder, which appears when it is complete.

    Raises CopyError when the database cannot be read, or the folder not be written; StrangeFolder when it holds
    something.
    """
    must_be_ours(out, None)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{out.name}{copies.PARTIAL_MARK}", dir=out.parent))
    except OSError as error:
        raise _unwritten(out, error) from None
    try:
        found = copies.read_only(settings, lambda c: _write(c, part, begin))
        part.chmod(0o755)
        part.rename(out)
        return found
    except OSError as error:
        raise _unwritten(out, error) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _unwritten(out: Path, error: OSError) -> CopyError:
    return CopyError(f"{out} cannot be written: {(error.strerror or str(error)).lower()}.")


def _write(connection: sa.Connection, folder: Path, begin: Begin) -> Exported:
    import polars

    copies.must_be_ours(connection)
    found, rows = Exported(), list[dict[str, Any]]()
    query = sa.select(tables.c.id).where(tables.c.status == "finished").order_by(tables.c.created, tables.c.id)
    ids = list(connection.execute(query).scalars())
    advance, going = begin(len(ids)), _Going(connection)
    for id in ids:
        advance(1)
        try:
            loaded = log.load(connection, id)
            assert loaded is not None
            table = loaded[0]
            if going.plays(table):
                found.held += 1
                continue
            ziggurat.prepare(ziggurat.game(table.game))
            table = rules_gateway.restore(table, None)  # by its log, which is the truth
            text = rules_gateway.replay_text(table)
        except (ZigguratError, msgspec.DecodeError, RuntimeError, AssertionError, sa.exc.NoResultFound):
            found.lost += 1
            continue
        place = folder / "replays" / table.game
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{table.id}.txt").write_text(text, encoding="utf-8")
        rows += _rows(table)
        found.games += 1
    schema: dict[str, Any] = {
        **dict.fromkeys(("table", "game", "rules", "options", "components", "deal"), polars.String),
        **dict.fromkeys(("begun", "finished"), polars.Datetime("ms", "UTC")),
        **dict.fromkeys(("players", "moves", "seat"), polars.Int32),
        **dict.fromkeys(("name", "bot"), polars.String),
        "points": polars.Int32,
        "won": polars.Boolean,
        "resigned": polars.Boolean,
        "clock": polars.Boolean,
    }
    write_parquet(folder / GAMES_FILE, polars.DataFrame(rows, schema=schema, orient="row"))
    return found


class _Going:
    """The deals of running games: a finished game of the same deal is not exported."""

    def __init__(self, connection: sa.Connection) -> None:
        on = tables.c.status.in_(("waiting", "playing"))
        seeds = connection.execute(sa.select(tables.c.seed).where(on, tables.c.seed.is_not(None))).scalars()
        self._seeds = {bytes(seed) for seed in seeds}
        laid = sa.select(tables.c.scenario_file).where(on, tables.c.scenario_file.is_not(None)).distinct()
        self._texts = [files.text_of(connection, digest) or "" for digest in connection.execute(laid).scalars()]
        held = (feature.held_back(connection) for feature in features() if feature.held_back is not None)
        self._held = set(connection.execute(sa.select(tables.c.id).where(sa.or_(sa.false(), *held))).scalars())

    def plays(self, table: Table) -> bool:
        """Whether a finished game could reveal hidden cards of a running one."""
        if table.id in self._held:
            return True
        seed = table.seed or b""
        return seed in self._seeds or any(seed.hex() in text for text in self._texts)


def _rows(table: Table) -> Iterator[dict[str, Any]]:
    assert table.result is not None
    story = table.story()
    of_game = {
        "table": table.id,
        "game": table.game,
        "rules": table.rules,
        "options": msgspec.json.encode(table.options).decode(),
        "components": table.components_digest,
        "deal": table.deal,
        "begun": datetime.fromtimestamp(story[0].at, UTC),
        "finished": datetime.fromtimestamp(story[-1].at, UTC),
        "players": len(table.seats),
        "moves": len(story) - 1,
        "clock": table.time is not None,
    }
    for seat in table.seats:
        yield {
            **of_game,
            "seat": seat.seat + 1,
            "name": seat.name or None,
            "bot": seat.bot,
            "points": table.result.scores[seat.seat],
            "won": seat.seat in table.result.winners,
            "resigned": seat.resigned,
        }

"""Integrity check of a database: every log is replayed, every reference looked up, every result compared.

What is said of a fault names tables, columns and changes, and never what a row holds: it may be a hand.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import sqlalchemy as sa

import ziggurat
from ziggurat.core.errors import UnknownGame
from ziggurat.core.proof import Judged, Proof
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.table import Table
from ziggurat.server.feature import features
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies.archive import CopyError, Manifest, counts, must_be_ours
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, original
from ziggurat.server.store.models import changes, files, frames, schema, seats, tables

MOST_FAULTS = 10_000
"""Faults that are told; a database with more of them has been told enough."""
Advance = Callable[[int], None]
Begin = Callable[[int], Advance]
"""Called with how much there is to do; returns what is called with how much more was done."""


class Wrong(msgspec.Struct, frozen=True):
    """A fault that the check has found.

    Attributes:
        kind: of what: `file`, `rows`, `reference`, `log`.
        where: the table of the database.
        row: which row, by its key; for a log, which table people sit at.
        seq: at which change of the log, if at a certain one.
        says: what is wrong with it.
    """

    kind: str
    where: str
    row: str
    seq: int | None
    says: str


class Checked(msgspec.Struct):
    """The report of a check: what was checked, and the faults."""

    tables: int = 0
    """Tables that people or bots sit at."""
    dealt: int = 0
    """Of these, those at which a game was begun."""
    played: int = 0
    """Games whose log was played again."""
    moves: int = 0
    """Of these games."""
    finished: int = 0
    """Of these games, those whose result was compared."""
    others: int = 0
    """Games that were played by other rules, by which they cannot be compared here."""
    references: int = 0
    """Kinds of references that were looked up."""
    rows: int | None = None
    """Rows of a copy, whose number was compared with what it says, and each byte of its file; None for a database."""
    wrong: list[Wrong] = []

    def add(self, kind: str, where: str, row: str, says: str, seq: int | None = None) -> None:
        """Note a fault."""
        if len(self.wrong) < MOST_FAULTS:
            self.wrong.append(Wrong(kind, where, row, seq, says))

    def proof(self) -> Proof:
        """Return the proof: what was checked, and what was taken on trust."""
        how = f"played again from their logs ({self.moves:,} moves, {self.finished:,} results)"
        judged = [
            Judged("games", self.played, self.dealt, how, "of other rules, or of games that are not here"),
            Judged("kinds of references", self.references, self.references, "looked up"),
        ]
        believed = ["names, words and times of people", "the kept views of finished games"]
        if self.rows is None:
            believed.append("that no rows are gone that nothing names")
        else:
            judged.append(Judged("rows", self.rows, self.rows, "counted, in a file that is the copy's to the byte"))
        return Proof(judged, (), believed, "the database")


def unwatched(total: int) -> Advance:
    """Ignore the progress."""
    return lambda done: None


def check(connection: sa.Connection, begin: Begin = unwatched, manifest: Manifest | None = None) -> Checked:
    """Check everything in a database.

    Args:
        begin: called with the number of tables that people sit at; returns what is called as they are done.
        manifest: of the copy that it is: whose database it is and how many rows there are is compared too.

    Raises CopyError when it is none that this program makes.
    """
    must_be_ours(connection)
    found = Checked()
    if connection.dialect.name == "sqlite" and not _is_sound(connection, found):
        return found
    if manifest is not None:
        _compare(connection, manifest, found)
    _references(connection, found)
    _files(connection, found)
    known = _Known()
    ids = list(connection.execute(sa.select(tables.c.id).order_by(tables.c.created, tables.c.id)).scalars())
    dealt = sa.select(sa.func.count()).select_from(tables).where(tables.c.seed.is_not(None))
    found.dealt = connection.execute(dealt).scalar_one()
    advance = begin(len(ids))
    for id in ids:
        _table(connection, id, known, found)
        advance(1)
    found.tables = len(ids)
    return found


def _is_sound(connection: sa.Connection, found: Checked) -> bool:
    """Check that SQLite itself can read all of its file."""
    try:
        said = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
    except sa.exc.DBAPIError as error:
        said = [type(error.orig).__name__]
    if said == ["ok"]:
        return True
    for line in said:
        found.add("file", "", "", f"SQLite finds: {' '.join(line.split())[:200]}")
    return False


def _compare(connection: sa.Connection, manifest: Manifest, found: Checked) -> None:
    here = original.read_installation(connection)
    if (here.id, here.epoch) != (manifest.installation, manifest.epoch):
        found.add("rows", "installation", "", "the manifest and the database are of two different copies")
    now = counts(connection)
    for name in sorted(now.keys() | manifest.rows.keys()):
        said, there = manifest.rows.get(name, 0), now.get(name, 0)
        if said != there:
            found.add("rows", name, "", f"{there} rows are there, {said} were copied")
    found.rows = sum(now.values())


def _references(connection: sa.Connection, found: Checked) -> None:
    all_tables = schema().sorted_tables
    pairs = [
        ([*key.columns], [element.column for element in key.elements])
        for table in all_tables
        for key in sorted(table.foreign_key_constraints, key=lambda key: str(key.name))
    ]
    of = [(column, column.info["names"].split(".")) for table in all_tables for column in table.c if column.info]
    pairs += [([column], [schema().tables[name].c[key]]) for column, (name, key) in of]
    for children, parents in pairs:
        child, parent = children[0].table, parents[0].table.alias()
        there = sa.exists().where(*(parent.c[to.name] == by for by, to in zip(children, parents, strict=True)))
        lost = sa.select(*child.primary_key).where(*(by.is_not(None) for by in children), ~there).limit(MOST_FAULTS)
        for row in connection.execute(lost):
            names = ", ".join(column.name for column in children)
            says = f"{names} names a row of {parents[0].table.name} that is not there"
            found.add("reference", child.name, _key(child, row), says)
        found.references += 1


def _key(table: sa.Table, row: sa.Row[tuple[object, ...]]) -> str:
    """Return the key of a row, for the report. Some keys are secrets, or hashes of them: of those the beginning is
    enough."""
    return " ".join(str(value)[:16] for value in row)


def _files(connection: sa.Connection, found: Checked) -> None:
    for digest, text in connection.execute(sa.select(files.c.digest, files.c.text)):
        if hashlib.sha256(text.encode()).hexdigest() != digest:
            found.add("rows", "files", str(digest)[:16], "its text is not the one of its digest")


class _Known:
    """The games whose compiled rules are ready."""

    def __init__(self) -> None:
        self._ready: set[str] = set()

    def use(self, game: str) -> None:
        """Compile or load the rules of a game: interpreted, each game takes fifty times as long."""
        if game not in self._ready:
            ziggurat.prepare(game)
            self._ready.add(game)


def _table(connection: sa.Connection, id: str, known: _Known, found: Checked) -> None:
    try:
        seq, due = connection.execute(sa.select(tables.c.seq, tables.c.bot_due).where(tables.c.id == id)).one()
        numbers = _numbers(connection, changes.c.seq, id)
        if numbers != list(range(1, seq + 1)):
            missing = sorted(set(range(1, seq + 1)) - set(numbers))
            found.add("log", "changes", id, "a change of its log is missing", missing[0] if missing else None)
            return
        sat = _numbers(connection, seats.c.seat, id)
        if sat != list(range(len(sat))) or not sat:
            found.add("log", "seats", id, "a seat is missing")
            return
        loaded = log.load(connection, id)
        assert loaded is not None
        table, snapshot = loaded
        for says, at in _faults(table, snapshot, bool(due), known, found):
            found.add("log", "changes", id, says, at)
        _views(connection, table, found)
        for feature in features():
            if (wrong := feature.check(connection, table)) is not None:
                found.add("rows", "tries", table.id, wrong)
    except UnknownGame:
        found.others += 1
    except Exception as error:
        # Its kind and not what it says: that may be a hand.
        found.add("log", "tables", id, f"it cannot be read ({type(error).__name__})")


def _numbers(connection: sa.Connection, column: sa.Column[int], id: str) -> list[int]:
    query = sa.select(column).where(column.table.c.table_id == id).order_by(column)
    return list(connection.execute(query).scalars())


def _faults(
    table: Table, snapshot: bytes | None, due: bool, known: _Known, found: Checked
) -> Iterator[rules_gateway.Fault]:
    if table.seed is None:
        if table.status not in ("waiting", "expired"):
            yield rules_gateway.Fault(f"it is stored as {table.status}, and nothing was dealt")
        return
    game = ziggurat.game(table.game)
    if not game.min_players <= len(table.seats) <= game.max_players:
        yield rules_gateway.Fault("a seat is missing")
        return
    known.use(table.game)
    again = rules_gateway.played_again(table, snapshot)
    if again is None:
        found.others += 1
        return
    position, faults = again
    found.played += 1
    found.moves += sum(change.kind == "move" for change in table.story())
    found.finished += table.status == "finished"
    yield from faults
    if not (faults or due) and replace(table, position=position).due:
        yield rules_gateway.Fault("a bot has to move there, and no worker would know of it")


def _views(connection: sa.Connection, table: Table, found: Checked) -> None:
    """Check that a finished game has stored views of each move, or of none."""
    if not table.over:
        return
    kept = set(connection.execute(sa.select(frames.c.seq).where(frames.c.table_id == table.id)).scalars())
    if kept and (missing := sorted({change.seq for change in table.story()} - kept)):
        found.add("log", "frames", table.id, "a view of a finished game is missing", missing[0])


def summed(found: Checked) -> str:
    """Return the faults in one sentence, by kinds."""
    kinds = Counter(f"{wrong.where or wrong.kind}: {wrong.says}" for wrong in found.wrong)
    told = "; ".join(f"{says} ({count})" if count > 1 else says for says, count in kinds.most_common(3))
    return told + (f"; and {len(kinds) - 3} kinds more" if len(kinds) > 3 else "")


def check_database(settings: Settings, begin: Begin = unwatched) -> Checked:
    """Check a database at one moment, while people play. Raises CopyError when it cannot be read."""
    return copies.read_only(settings, lambda c: check(c, begin))


def check_copy(copy: Path, server: Settings, begin: Begin = unwatched) -> Checked:
    """Check a copy: its manifest, each byte, and then everything in it.

    Args:
        server: for a copy of a PostgreSQL database: where it is restored into a database beside, for as long as this
            takes.

    Raises CopyError when it is no copy of this version, or not as it was written.
    """
    manifest = copies.manifest_of(copy)
    copies.must_be_of_this_version(copy, manifest, older=False)
    copies.must_be_whole(copy, manifest)
    if manifest.database == "sqlite":
        return copies.read_only(Settings(data=copy), lambda c: check(c, begin, manifest), immutable=True)
    if server.sqlite:
        raise CopyError(
            f"The copy {copy} is of a PostgreSQL database; say with --database on which server it can be opened: it is "
            "restored there into a database of its own, which goes when it was checked."
        )
    with copies.scratch_database(server) as scratch:
        copies.restore_postgres(copy / copies.DATABASE_FILES["postgresql"], manifest, scratch, standby=False)
        return copies.read_only(scratch, lambda c: check(c, begin, manifest))

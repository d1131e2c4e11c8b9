"""Copies of the database: a backup made while people play, and its restoration into an empty place.

A copy is a folder of two files: the database (of SQLite the file itself, of PostgreSQL what pg_dump writes in its own
format), and a manifest that says what it is. It appears under its name when both are on the disk, and never before.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal, TypeVar
from urllib.parse import quote

import msgspec
import sqlalchemy as sa

from ziggurat import __version__
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings
from ziggurat.server.store import migrate, original
from ziggurat.server.store.models import schema
from ziggurat.server.store.places import FolderLock
from ziggurat.server.store.sqlite import keep_private
from ziggurat.server.store.trouble import cause

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

log = logging.getLogger(__name__)
COPY_FORMAT = 1
MANIFEST_FILE = "manifest.json"
DATABASE_FILES = {"sqlite": "ziggurat.db", "postgresql": "ziggurat.dump"}
"""Of the file that holds the database, by its kind."""
PARTIAL_MARK = ".part-"
"""Stands in the name of a copy that is not whole yet."""
CHUNK_BYTES = 1 << 20
CHECK_DATABASE_PREFIX = "ziggurat_check_"
"""How the name of a database begins into which a copy is restored to be checked; the time follows."""
CONNECT_SECONDS = 20.0
"""Seconds within which a database has to answer."""
OLDER_VERSION = "an older one"
"""Stands for the version of the program in a copy of a database that another one has written: none is older."""
ERROR_CHARACTERS = 300
"""Letters of what another program says of its failure."""
STEPS = 20_000
"""Instructions of SQLite's machine after which it tells how much of a database is copied: of rows some thousands."""
Advance = Callable[[float], None]
"""Called with the part that is done, between 0 and 1."""
T = TypeVar("T")


class CopyError(StartError):
    """The reason why a copy cannot be made, used or checked, as one sentence."""


Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Short = Annotated[str, msgspec.Meta(max_length=100)]


class File(msgspec.Struct):
    """A file of a copy."""

    bytes: Count
    sha256: str


class Manifest(msgspec.Struct):
    """The manifest of a copy; `digest`: of everything else in it."""

    format: Count
    ziggurat: Short
    """The version of the program that made it."""
    rows: dict[str, Count]
    """How many there are, by the tables of the database."""
    schema: Short
    database: Literal["sqlite", "postgresql"]
    made: str
    """When, in UTC: `2026-11-27T03:00:00Z`."""
    installation: str
    epoch: Count
    """Which database it is a copy of (`store.original`)."""
    files: dict[str, File]
    digest: str = ""

    def signed(self) -> Manifest:
        """Return the manifest with its digest."""
        bare = msgspec.structs.replace(self, digest="")
        digest = hashlib.sha256(msgspec.json.encode(bare, order="deterministic")).hexdigest()
        return msgspec.structs.replace(self, digest=digest)

    @property
    def seconds(self) -> float:
        """The time when the copy was made, in seconds since 1970."""
        return datetime.fromisoformat(self.made).timestamp()


# --- Reading a database ---------------------------------------------------------------------------------------------


def read_only(
    settings: Settings, job: Callable[[sa.Connection], T], *, immutable: bool = False, seconds: float = CONNECT_SECONDS
) -> T:
    """Run a job in a read-only transaction that sees the database at one moment.

    Args:
        immutable: a SQLite file that nobody else has open: nothing is written beside it.
        seconds: within which a PostgreSQL server has to answer.

    Raises CopyError when the database cannot be read.
    """
    with _readable(settings):
        if settings.sqlite:
            engine = sa.create_engine("sqlite://", creator=lambda: _opened(settings.data, immutable=immutable))
            try:
                with engine.connect() as connection:
                    connection.exec_driver_sql("BEGIN")  # the driver begins none before what only reads
                    return job(connection)
            finally:
                engine.dispose()
        return asyncio.run(_read_postgres(settings, job, seconds))


@contextmanager
def _readable(settings: Settings) -> Iterator[None]:
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error, OSError) as error:
        raise CopyError(f"The database {shown_address(settings)} cannot be used: {cause(error)}.") from error
    except TypeError as error:
        if "connect() got an unexpected keyword" not in str(error):
            raise
        raise CopyError(f"The URL {shown_address(settings)} has an option that its driver does not know.") from None


def shown_address(settings: Settings) -> str:
    """Return the address of a database, without a password."""
    return sa.make_url(settings.url).render_as_string(hide_password=True)


def _opened(data: Path, *, immutable: bool = False) -> sqlite3.Connection:
    file = data / DATABASE_FILES["sqlite"]
    if not file.is_file():
        raise CopyError(f"There is no database in the folder {data}.")
    how = "mode=ro&immutable=1" if immutable else "mode=ro"
    # Threads take turns with it: SQLAlchemy asks for that.
    return sqlite3.connect(f"file:{quote(str(file.absolute()))}?{how}", uri=True, check_same_thread=False)


def _engine(settings: Settings, **given: Any) -> AsyncEngine:
    from sqlalchemy.ext.asyncio import create_async_engine

    from ziggurat.server.store.places import check_url

    check_url(settings.database_url)
    return create_async_engine(settings.url, hide_parameters=True, **given)


async def _read_postgres(settings: Settings, job: Callable[[sa.Connection], T], seconds: float) -> T:
    engine = _engine(settings, isolation_level="REPEATABLE READ", connect_args={"timeout": seconds})
    try:
        from ziggurat.server.store.postgres import reachable

        with reachable():
            async with engine.connect() as connection:
                await connection.execute(sa.text("SET TRANSACTION READ ONLY"))
                return await connection.run_sync(job)
    finally:
        await engine.dispose()


def write(settings: Settings, job: Callable[[sa.Connection], T]) -> T:
    """Run a job in a transaction of an existing database. Raises CopyError when it cannot be used."""

    async def run() -> T:
        engine = _engine(settings)
        try:
            from ziggurat.server.store.postgres import reachable

            with reachable():
                async with engine.begin() as connection:
                    return await connection.run_sync(job)
        finally:
            await engine.dispose()

    with _readable(settings):
        if not settings.sqlite:
            return asyncio.run(run())
        file = settings.data / DATABASE_FILES["sqlite"]
        if not file.is_file():
            raise CopyError(f"There is no database in the folder {settings.data}.")
        engine = sa.create_engine(f"sqlite:///{file}", hide_parameters=True)
        try:
            with engine.begin() as connection:
                return job(connection)
        finally:
            engine.dispose()


def must_be_ours(connection: sa.Connection) -> None:
    """Refuse a database whose schema is not this program's."""
    revision = migrate.revision(connection)
    if revision is None:
        raise CopyError("This database is empty: there are no tables in it.")
    if revision != migrate.HEAD:
        raise CopyError(
            f"This database is of schema {revision}, this program's is {migrate.HEAD}; use the program that made it, "
            "or start the server with this one, which brings it up to date."
        )
    if lost := sorted({*schema().tables} - {*sa.inspect(connection).get_table_names()}):
        raise CopyError(f"This database is damaged: it has no table {', '.join(lost)}.")


def counts(connection: sa.Connection) -> dict[str, int]:
    """Return the number of rows of each table that exists."""
    there = sa.inspect(connection).get_table_names()
    return {
        table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        for table in schema().sorted_tables
        if table.name in there
    }


def _facts_of(connection: sa.Connection, schema: str) -> tuple[dict[str, int], original.Installation]:
    """Return the row counts of a database with a schema, and which installation it is."""
    if schema == migrate.HEAD:
        must_be_ours(connection)
    if sa.inspect(connection).has_table("installation"):
        return counts(connection), original.read_installation(connection)
    return counts(connection), original.Installation("", 0, False, 0.0, "", "")  # of before there were copies


# --- Making a copy --------------------------------------------------------------------------------------------------


def backup(
    settings: Settings, place: Path, advance: Advance = lambda part: None, *, schema: str = migrate.HEAD
) -> Path:
    """Make a copy while people play; return its folder.

    Args:
        place: a folder that holds copies, in which it gets a name that says when it was made; or the name of the copy,
            where nothing is yet.
        schema: that the database has; an older one before it is upgraded.

    Raises CopyError: then there is nothing that could be taken for a copy.
    """
    now = datetime.now(UTC)
    if (place / MANIFEST_FILE).exists():
        raise CopyError(f"{place} is a copy already; say another name.")
    target = place / f"ziggurat-{now:%Y%m%dT%H%M%SZ}" if place.is_dir() else place
    if target.exists() or target.is_symlink():
        raise CopyError(f"{target} is there already; say another name.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Nobody but its owner may look into it: it holds everybody's secrets.
        part = Path(tempfile.mkdtemp(prefix=f".{target.name}{PARTIAL_MARK}", dir=target.parent))
    except OSError as error:
        raise CopyError(f"The copy {target} cannot be made: {cause(error)}.") from None
    try:
        kind: Literal["sqlite", "postgresql"] = "sqlite" if settings.sqlite else "postgresql"
        file = part / DATABASE_FILES[kind]
        copy = partial(_copy_sqlite, advance=advance) if settings.sqlite else _dump
        rows, installed = copy(settings, file, schema)
        manifest = Manifest(
            format=COPY_FORMAT,
            ziggurat=__version__ if schema == migrate.HEAD else OLDER_VERSION,
            schema=schema,
            database=kind,
            made=f"{now:%Y-%m-%dT%H:%M:%SZ}",
            installation=installed.id,
            epoch=installed.epoch,
            rows=rows,
            files={file.name: _digested(file)},
        )
        text = msgspec.json.format(msgspec.json.encode(manifest.signed(), order="deterministic"), indent=2)
        (part / MANIFEST_FILE).write_bytes(text + b"\n")
        for one in (file, part / MANIFEST_FILE, part):
            _to_disk(one)
        part.rename(target)
        _to_disk(target.parent)
    except (OSError, sqlite3.Error) as error:
        raise CopyError(f"The copy {target} cannot be made: {cause(error)}.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return target


def before_upgrade(settings: Settings, schema: str) -> None:
    """Copy a database before its migration from a schema into the folder of the copies.

    Raises StartError when it cannot be copied: then it is not upgraded either.
    """
    if settings.copies is None:
        return
    try:
        settings.copies.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = backup(settings, settings.copies, schema=schema)
    except (CopyError, OSError) as error:
        why = str(error) if isinstance(error, CopyError) else f"{cause(error)}."
        raise StartError(
            f"This database has to be brought up to date, and is copied before, which is not possible: {why} "
            "Mend that, or say ZIGGURAT_COPIES=0 to go on without a copy."
        ) from error
    log.info("copies: the database is brought up to date; as it was before it is in %s", made)


def _to_disk(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk, so that it outlasts a power cut."""
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folders
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _digested(file: Path) -> File:
    with file.open("rb") as stream:
        return File(file.stat().st_size, hashlib.file_digest(stream, "sha256").hexdigest())


def _copy_sqlite(
    settings: Settings, file: Path, schema: str, advance: Advance
) -> tuple[dict[str, int], original.Installation]:
    whole = (settings.data / "ziggurat.db").stat().st_size

    def told() -> None:
        advance(min(1.0, file.stat().st_size / whole) if file.exists() else 0.0)

    with _readable(settings):
        source = _opened(settings.data)
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
    with closing(source):
        source.set_progress_handler(told, STEPS)
        source.execute("VACUUM INTO ?", (str(file),))  # of one moment, whatever is written meanwhile
    return read_only(Settings(data=file.parent), partial(_facts_of, schema=schema), immutable=True)


def _dump(settings: Settings, file: Path, schema: str) -> tuple[dict[str, int], original.Installation]:
    async def run() -> tuple[dict[str, int], original.Installation]:
        from ziggurat.server.store.postgres import reachable

        engine = _engine(settings, isolation_level="REPEATABLE READ")
        try:
            with reachable():
                async with engine.connect() as connection:
                    # What is counted is what is copied: pg_dump sees the same moment.
                    snapshot = (await connection.execute(sa.text("SELECT pg_export_snapshot()"))).scalar_one()
                    found = await connection.run_sync(_facts_of, schema)
                    number = (await connection.execute(sa.text("SHOW server_version_num"))).scalar_one()
                    program = _of_postgres("pg_dump", int(number) // 10000)
                    how = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}")
                    await asyncio.to_thread(_run, settings, program, *how, f"--file={file}")
                    return found
        finally:
            await engine.dispose()

    with _readable(settings):
        return asyncio.run(run())


def _of_postgres(name: str, server: int) -> str:
    """Return the path of one of PostgreSQL's programs that fits a server of a major version."""
    found = shutil.which(name)
    if found is None:
        raise CopyError(
            f"Copies of a PostgreSQL database need its program {name}, which is not there; install PostgreSQL's client "
            f"of version {server} or newer (on Debian: apt install postgresql-client)."
        )
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"\) (\d+)", said)
    if version is None or int(version[1]) < server:
        raise CopyError(
            f"{found} is of version {version[1] if version else 'unknown'}, and the PostgreSQL server of {server}; "
            f"install PostgreSQL's client of version {server} or newer."
        )
    return found


def _libpq(settings: Settings) -> tuple[str, dict[str, str]]:
    """Return the URL of a database for PostgreSQL's programs, and their environment: a password stands in no list of
    processes."""
    url = sa.make_url(settings.url)
    query = {("sslmode" if name == "ssl" else name): value for name, value in url.query.items()}
    environment = {**os.environ, "PGCONNECT_TIMEOUT": "20"}
    if url.password is not None:
        environment["PGPASSWORD"] = str(url.password)
    plain = sa.URL.create("postgresql", url.username, None, url.host, url.port, url.database, query)
    return plain.render_as_string(hide_password=False), environment


def _run(settings: Settings, program: str, *arguments: str) -> None:
    url, environment = _libpq(settings)
    ran = subprocess.run(
        [program, "--no-password", f"--dbname={url}", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if ran.returncode:
        raise _failed(program, ran.stderr)


def _failed(program: str, said: str) -> CopyError:
    # The first line only: those that follow may hold a row.
    line = next((line for line in said.splitlines() if line.strip()), "it says nothing")
    return CopyError(f"{Path(program).name} has failed: {line[:ERROR_CHARACTERS].rstrip('.')}.")


# --- A copy that is there -------------------------------------------------------------------------------------------


def is_copy(place: Path) -> bool:
    """Whether a folder has the manifest of a copy."""
    return (place / MANIFEST_FILE).is_file()


def all_in(folder: Path) -> list[Path]:
    """Return the copies in a folder, the newest first; not those that are still incomplete."""
    if not folder.is_dir():
        return []
    found = [one for one in folder.iterdir() if PARTIAL_MARK not in one.name and one.is_dir() and is_copy(one)]
    return sorted(found, key=lambda one: (_made(one), one.name), reverse=True)


def keep_newest(folder: Path, newest: int) -> int:
    """Delete all copies in a folder but so many of the newest; return how many are left.

    One that is being deleted is a copy no more: where that is cut off, its rest is not taken for a damaged one.
    """
    for copy in all_in(folder)[newest:]:
        with suppress(OSError):  # then it stays, and is counted
            gone = copy.rename(copy.with_name(f".{copy.name}{PARTIAL_MARK}{os.getpid()}"))
            shutil.rmtree(gone, ignore_errors=True)
    return len(all_in(folder))


def tidy(folder: Path, older: float) -> None:
    """Delete what killed processes have left, if they began so many seconds ago."""
    for one in folder.iterdir():
        if PARTIAL_MARK in one.name and one.name.startswith(".") and one.stat().st_mtime < time.time() - older:
            shutil.rmtree(one, ignore_errors=True)


def _made(copy: Path) -> float:
    with suppress(CopyError):
        return manifest_of(copy).seconds
    return copy.stat().st_mtime  # it is damaged; let it be found where it was


def manifest_of(copy: Path) -> Manifest:
    """Return the manifest of a copy. Raises CopyError when there is none, or it is damaged."""
    try:
        text = (copy / MANIFEST_FILE).read_bytes()
    except OSError:
        raise CopyError(f"{copy} is no copy: it has no {MANIFEST_FILE}.") from None
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
        _ = manifest.seconds, manifest.rows["tables"]
    except (ValueError, KeyError, OverflowError, RecursionError):  # no JSON, no manifest, or no time
        raise CopyError(f"The manifest of the copy {copy} is damaged.") from None
    if manifest.format > COPY_FORMAT:
        raise CopyError(f"The copy {copy} was made by a newer Ziggurat ({manifest.ziggurat}); use that program.")
    if manifest.signed().digest != manifest.digest:
        raise CopyError(f"The manifest of the copy {copy} is damaged.")
    return manifest


def must_be_whole(copy: Path, manifest: Manifest) -> None:
    """Refuse a copy whose files differ from its manifest, to the byte."""
    there = {one.name for one in copy.iterdir() if one.name != MANIFEST_FILE}
    if more := sorted(there - manifest.files.keys()):
        raise CopyError(f"The folder {copy} holds more than one copy: {', '.join(more)} is not of this one.")
    if set(manifest.files) != {DATABASE_FILES[manifest.database]}:
        raise CopyError(f"The manifest of the copy {copy} names other files than a copy has.")
    for name, said in manifest.files.items():
        try:
            found = _digested(copy / name)
        except FileNotFoundError:
            raise CopyError(f"{copy / name} is not there.") from None
        except OSError as error:
            raise CopyError(f"{copy / name} cannot be read: {cause(error)}.") from None
        if found.bytes < said.bytes:
            raise CopyError(f"{copy / name} is cut off: {found.bytes} of {said.bytes} bytes are there.")
        if found != said:
            raise CopyError(f"{copy / name} is not what was written: its digest is another one.")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def must_be_of_this_version(copy: Path, manifest: Manifest, *, older: bool) -> None:
    """Refuse a copy that another version of the program made; `older`: except older ones."""
    ours, theirs = (migrate.HEAD, _numbers(__version__)), (manifest.schema, _numbers(manifest.ziggurat))
    if theirs[0] > ours[0] or theirs[1] > ours[1]:
        raise CopyError(
            f"The copy {copy} was made by a newer Ziggurat ({manifest.ziggurat}, schema {manifest.schema}; this one is "
            f"{__version__}, {migrate.HEAD}); use that program."
        )
    if theirs != ours and not older:
        raise CopyError(
            f"The copy {copy} was made by another version ({manifest.ziggurat}, schema {manifest.schema}; this one is "
            f"{__version__}, {migrate.HEAD}); restore it with that version, or say --older: then the server brings it "
            "up to date when it starts."
        )


# --- Restoring one --------------------------------------------------------------------------------------------------


def restore(copy: Path, settings: Settings, *, older: bool = False) -> Manifest:
    """Restore a copy into an empty place, on standby; return its manifest.

    Args:
        older: restore also what an older version has made.

    Raises CopyError: then nothing was touched.
    """
    manifest = manifest_of(copy)
    must_be_of_this_version(copy, manifest, older=older)
    if manifest.database != ("sqlite" if settings.sqlite else "postgresql"):
        wanted = {"sqlite": "SQLite; say --data FOLDER", "postgresql": "PostgreSQL; say --database URL"}
        raise CopyError(f"The copy {copy} is one of {wanted[manifest.database]}.")
    if settings.sqlite:
        _must_be_empty_folder(settings)
    else:
        with _readable(settings):
            read_only(settings, _must_be_empty)
    must_be_whole(copy, manifest)
    if settings.sqlite:
        _restore_sqlite(copy, manifest, settings)
    else:
        restore_postgres(copy / DATABASE_FILES["postgresql"], manifest, settings)
    return manifest


def _must_be_empty_folder(settings: Settings) -> None:
    data = settings.data
    if data.exists() and not data.is_dir():
        raise CopyError(f"{data} is a file, and no folder for data.")
    name = DATABASE_FILES["sqlite"]
    if there := [one.name for one in (data.iterdir() if data.exists() else ()) if one.name.startswith(name)]:
        raise CopyError(f"The folder {data} is not empty: {there[0]} is there. Restore into an empty one.")


def _must_be_empty(connection: sa.Connection) -> None:
    if there := sa.inspect(connection).get_table_names():
        name = connection.engine.url.database
        raise CopyError(f"The database {name} is not empty: the table {there[0]} is there. Restore into an empty one.")


def _restore_sqlite(copy: Path, manifest: Manifest, settings: Settings) -> None:
    data, name = settings.data, DATABASE_FILES["sqlite"]
    try:
        with FolderLock(settings):
            part = data / f".{name}{PARTIAL_MARK}{os.getpid()}"
            try:
                keep_private(part)
                shutil.copyfile(copy / name, part)
                connection = sqlite3.connect(part)
                engine = sa.create_engine("sqlite://", creator=lambda: connection)
                with engine.begin() as opened:
                    _settle(opened, manifest)
                connection.close()
                _to_disk(part)
                _must_be_empty_folder(settings)
                part.rename(data / name)
                _to_disk(data)
            finally:
                part.unlink(missing_ok=True)
    except (OSError, sqlite3.Error, sa.exc.DBAPIError) as error:
        raise CopyError(f"{copy} cannot be restored into {data}: {cause(error)}.") from None


def _settle(connection: sa.Connection, manifest: Manifest) -> None:
    found = original.read_installation(connection)
    if (found.id, found.epoch) != (manifest.installation, manifest.epoch):
        raise CopyError("The manifest and the database are of two different copies.")
    original.make_standby(connection, time.time(), manifest.seconds)


def restore_postgres(file: Path, manifest: Manifest, settings: Settings, *, standby: bool = True) -> None:
    """Restore into an empty PostgreSQL database, in one transaction: it is empty afterwards, or whole and on standby.

    `standby`: without, it is as it was copied; for those who only look.
    """
    settling = _settling(manifest, standby)
    number = int(read_only(settings, lambda c: c.execute(sa.text("SHOW server_version_num")).scalar_one()))
    programs = [_of_postgres(name, number // 10000) for name in ("pg_restore", "psql")]
    url, environment = _libpq(settings)
    reads = [programs[0], "--no-owner", "--no-privileges", "--exit-on-error", "--file=-", str(file)]
    writes = [programs[1], "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--no-password"]
    with tempfile.TemporaryFile() as complaints, tempfile.TemporaryFile() as refusals:
        reader = subprocess.Popen(reads, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints)
        writer = subprocess.Popen(
            [*writes, f"--dbname={url}", "--file=-"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=refusals,
        )
        try:
            assert reader.stdout is not None
            assert writer.stdin is not None
            with suppress(BrokenPipeError):  # psql has said why
                shutil.copyfileobj(reader.stdout, writer.stdin, CHUNK_BYTES)
            reader.stdout.close()
            if reader.wait():
                writer.kill()  # before its end: so nothing of it stays
                writer.wait()
                if not _said(refusals):
                    raise _failed(programs[0], _said(complaints))
            with suppress(BrokenPipeError):
                writer.stdin.write(settling.encode())
                writer.stdin.close()
            if writer.wait():
                raise _failed(programs[1], _said(refusals))
        finally:
            for process in (reader, writer):
                if process.poll() is None:
                    process.kill()
                    process.wait()


def _said(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _settling(manifest: Manifest, standby: bool) -> str:
    """Return the statements that check what was restored against the manifest, and put it on standby, as
    `original.make_standby` does."""
    now = time.time()
    known = re.fullmatch(r"[0-9a-f]{32}", manifest.installation) is not None and manifest.epoch >= 0
    if not known:
        raise CopyError("The manifest names no installation.")
    same = f"""
SET search_path = public;
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM installation WHERE id = '{manifest.installation}' AND epoch = {manifest.epoch}) THEN
    RAISE EXCEPTION 'the manifest and the database are of two different copies';
  END IF;
END $$;
"""
    if not standby:
        return same
    return f"""{same}
UPDATE installation SET quiet = true, changed = {now!r};
INSERT INTO outages (begun, ended)
  SELECT CASE WHEN begun > 0 THEN begun ELSE {manifest.seconds!r} END, {now + original.CLOCKS_STAND_SECONDS!r}
  FROM chores WHERE name = 'clocks'
  ON CONFLICT (begun) DO UPDATE SET ended = excluded.ended;
"""


@contextmanager
def scratch_database(settings: Settings) -> Iterator[Settings]:
    """Yield an empty scratch database on the PostgreSQL server of the settings, which is dropped afterwards.

    Raises CopyError when the role may not make one.
    """
    name = f"{CHECK_DATABASE_PREFIX}{int(time.time())}_{secrets.token_hex(4)}"
    try:
        for left in _administer(
            settings, f"SELECT datname FROM pg_database WHERE datname LIKE '{CHECK_DATABASE_PREFIX}%'"
        ):
            made = re.fullmatch(rf"{CHECK_DATABASE_PREFIX}(\d+)_[0-9a-f]+", left)
            if made and int(made[1]) < time.time() - 86_400:
                _administer(settings, f"DROP DATABASE IF EXISTS {left} WITH (FORCE)")  # of one that was killed
        _administer(settings, f"CREATE DATABASE {name} TEMPLATE template0")
    except sa.exc.ProgrammingError:
        role = sa.make_url(settings.url).username or "ziggurat"
        raise CopyError(
            "A copy of a PostgreSQL database is checked by restoring it into a database beside, which the role may not "
            f"make: ALTER ROLE {role} CREATEDB."
        ) from None
    try:
        url = sa.make_url(settings.url).set(database=name)
        yield replace(settings, database_url=url.render_as_string(hide_password=False))
    finally:
        _administer(settings, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _administer(settings: Settings, statement: str) -> list[str]:
    async def run() -> list[str]:
        from ziggurat.server.store.postgres import reachable

        engine = _engine(settings, isolation_level="AUTOCOMMIT")
        try:
            with reachable():
                async with engine.connect() as connection:
                    result = await connection.execute(sa.text(statement))
                    return list(result.scalars()) if result.returns_rows else []
        finally:
            await engine.dispose()

    return asyncio.run(run())

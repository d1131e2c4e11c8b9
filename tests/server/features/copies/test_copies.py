"""Copies of the database: made while people play, restored into an empty place, and never two originals."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.copied import done, filled, tools
from tests.server.fixtures import MOSTLY_SQLITE, NewDatabase, own_on_both
from tests.server.migrated import lay
from tests.server.process import ended

import ziggurat
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies import originals
from ziggurat.server.features.copies.archive import CopyError, backup, manifest_of, restore
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings
from ziggurat.server.store import migrate, original
from ziggurat.server.store.models import installation, outages, schema

pytestmark = pytest.mark.slow
DATABASES = MOSTLY_SQLITE


@pytest.fixture
def settings(tmp_path: Path, own_url: str | None, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A server's database, with people and games."""
    tools(monkeypatch)
    return filled(Settings(data=tmp_path / "data", database_url=own_url))


@pytest.fixture
def elsewhere(settings: Settings, tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[], Settings]:
    """An empty place of the same kind."""

    def make() -> Settings:
        if settings.sqlite:
            return replace(settings, data=tmp_path / "elsewhere")
        new: NewDatabase = request.getfixturevalue("new_database")
        return replace(settings, database_url=new(migrated=False))

    return make


def rows(settings: Settings) -> dict[str, list[Any]]:
    """All that a database holds, but for what says which one it is."""
    leave = {installation.name, outages.name}

    def job(connection: sa.Connection) -> dict[str, list[Any]]:
        return {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for table in schema().sorted_tables
            if table.name not in leave
        }

    return done(settings, job)


def changed(copy: Path, **fields: Any) -> None:
    """Have a manifest say something else, and be whole."""
    manifest = msgspec.structs.replace(manifest_of(copy), **fields).signed()
    (copy / copies.MANIFEST_FILE).write_bytes(msgspec.json.encode(manifest))


def is_empty(settings: Settings) -> bool:
    if settings.sqlite:
        return not settings.data.exists() or not list(settings.data.iterdir())
    return done(settings, lambda c: sa.inspect(c).get_table_names()) == []


# --- Making and restoring ---


@own_on_both
def test_what_is_restored_is_what_was_copied_and_quiet(
    settings: Settings, elsewhere: Callable[[], Settings], tmp_path: Path
) -> None:
    copy = backup(settings, tmp_path / "copy")
    manifest = manifest_of(copy)
    assert manifest.rows["tables"] == 5
    assert (manifest.schema, manifest.ziggurat) == (migrate.HEAD, ziggurat.__version__)
    there = elsewhere()
    restore(copy, there)
    assert rows(there) == rows(settings)
    here, copied = done(settings, original.read_installation), done(there, original.read_installation)
    assert not here.quiet
    assert copied.quiet
    assert (copied.id, copied.epoch) == (here.id, here.epoch) == (manifest.installation, manifest.epoch)
    assert done(there, lambda c: c.execute(sa.select(outages.c.ended)).scalar_one()) > time.time() + 86_400


def test_a_copy_in_a_folder_of_copies_is_named_by_its_time(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    copy = backup(settings, folder)
    assert copy.parent == folder
    assert copies.all_in(folder) == [copy]
    assert copy.stat().st_mode & 0o077 == 0  # it holds secrets
    with pytest.raises(CopyError, match="is a copy already"):
        backup(settings, copy)


@own_on_both
def test_a_copy_is_of_one_moment_while_people_play(
    settings: Settings, elsewhere: Callable[[], Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written after it was begun is not in it, nor does it begin again for that: people never stop."""
    before, played = rows(settings), list[bool]()

    def play(connection: sa.Connection) -> None:
        number = time.monotonic_ns()
        connection.execute(sa.insert(schema().tables["files"]).values(digest=f"a{number}", text="x" * 5000, used=0.0))
        connection.execute(sa.insert(schema().tables["secrets"]).values(name=f"a{number}", value="x"))

    run, parts = copies._run, list[float]()

    def told(part: float) -> None:
        parts.append(part)
        if len(parts) == 5:
            done(settings, play)
            played.append(True)

    def dump(*given: Any) -> None:
        done(settings, play)
        run(*given)

    monkeypatch.setattr(copies, "STEPS", 1000)
    monkeypatch.setattr(copies, "_run", dump)
    copy = backup(settings, tmp_path / "copy", told)
    assert played or not settings.sqlite
    assert parts == sorted(parts)
    assert all(0 <= part <= 1 for part in parts)
    assert rows(settings) != before
    there = elsewhere()
    restore(copy, there)
    assert rows(there) == before
    assert manifest_of(copy).rows == {
        name: len(found) for name, found in {**before, "installation": [1], "outages": []}.items()
    }


def test_what_is_not_whole_is_no_copy(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    seen: list[list[Path]] = []

    def full(path: Path) -> None:
        seen.append(copies.all_in(folder))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(copies, "_to_disk", full)
    with pytest.raises(CopyError, match="cannot be made: no space left on device"):
        backup(settings, folder)
    assert seen == [[]]
    assert list(folder.iterdir()) == []
    # One that was killed leaves this behind.
    left = folder / f".ziggurat-1{copies.PARTIAL_MARK}x"
    left.mkdir()
    (left / copies.MANIFEST_FILE).write_text("{}")
    assert copies.all_in(folder) == []


def test_what_was_deleted_in_part_is_no_damaged_copy(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def cut_off(copy: Path, **_: object) -> None:
        next(copy.glob("ziggurat.d*")).unlink()
        raise Killed

    for name in ("a", "b"):
        backup(settings, tmp_path / "copies" / name)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", cut_off)
        with pytest.raises(Killed):
            copies.keep_newest(tmp_path / "copies", 1)
    assert [one.name for one in copies.all_in(tmp_path / "copies")] == ["b"]
    assert copies.keep_newest(tmp_path / "copies", 1) == 1


def test_what_is_no_database_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "ziggurat.db").write_text("no database, but long enough to be looked at " * 100)
    for work in (backup, lambda settings, place: copies.read_only(settings, original.read_installation)):
        with pytest.raises(CopyError, match=r"its file is not a database\.$"):
            work(Settings(data=tmp_path), tmp_path / "copy")
    with pytest.raises(CopyError, match="has an option that its driver does not know"):
        copies.read_only(Settings(database_url="postgresql://ann@127.0.0.1:1/x?colour=red"), original.read_installation)
    with pytest.raises(CopyError, match="nobody answers there"):
        copies.read_only(Settings(database_url="postgresql://ann@127.0.0.1:1/x"), original.read_installation)


@pytest.mark.parametrize("own_url", ["postgresql"], indirect=True)
def test_pg_dump_has_to_be_there_and_as_new_as_the_server(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(CopyError, match="need its program pg_dump, which is not there"):
        backup(settings, tmp_path / "copy")
    (programs / "pg_dump").write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    (programs / "pg_dump").chmod(0o755)
    with pytest.raises(CopyError, match=r"is of version 9, and the PostgreSQL server of \d+"):
        backup(settings, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_password_stands_in_no_list_of_processes() -> None:
    url, environment = copies._libpq(Settings(database_url="postgresql://ann:secret-word@db:5433/games?ssl=require"))
    assert url == "postgresql://ann@db:5433/games?sslmode=require"
    assert environment["PGPASSWORD"] == "secret-word"


# --- Refusals, after which nothing was touched ---


def flip(copy: Path) -> None:
    file = next(one for one in copy.iterdir() if one.name != copies.MANIFEST_FILE)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def cut(copy: Path) -> None:
    file = next(one for one in copy.iterdir() if one.name != copies.MANIFEST_FILE)
    file.write_bytes(file.read_bytes()[:-1])


def flip_manifest(copy: Path) -> None:
    text = (copy / copies.MANIFEST_FILE).read_text()
    (copy / copies.MANIFEST_FILE).write_text(text.replace('"tables": 5', '"tables": 4'))


def of_two(copy: Path) -> None:
    (copy / "another.db").write_text("x")


def of_another(copy: Path) -> None:
    changed(copy, epoch=7)


def newer(copy: Path) -> None:
    changed(copy, schema="9999")


def newer_program(copy: Path) -> None:
    changed(copy, ziggurat="99.0.0")


def older(copy: Path) -> None:
    changed(copy, schema="0001")


def no_time(copy: Path) -> None:
    changed(copy, made="yesterday")


def counts_nothing(copy: Path) -> None:
    changed(copy, rows={})


def counts_too_much(copy: Path) -> None:
    changed(copy, rows={"tables": 10**30})


def of_a_far_epoch(copy: Path) -> None:
    changed(copy, epoch=10**30)


def long_version(copy: Path) -> None:
    changed(copy, ziggurat="9" * 5000)


def no_database(copy: Path) -> None:
    next(one for one in copy.iterdir() if one.name != copies.MANIFEST_FILE).unlink()


def no_manifest(copy: Path) -> None:
    (copy / copies.MANIFEST_FILE).unlink()


FAULTS: list[tuple[Callable[[Path], None], str]] = [
    (flip, "its digest is another one"),
    (cut, r"is cut off: \d+ of \d+ bytes are there"),
    (flip_manifest, "The manifest of the copy .* is damaged"),
    (no_time, r"The manifest of the copy .* is damaged"),
    (of_two, "holds more than one copy: another.db"),
    (of_another, "two different copies"),
    (newer, "was made by a newer Ziggurat .* use that program"),
    (newer_program, "was made by a newer Ziggurat .* use that program"),
    (older, "was made by another version .* say --older"),
    *((plant, r"The manifest of the copy .* is damaged") for plant in (counts_nothing, counts_too_much)),
    *((plant, r"The manifest of the copy .* is damaged") for plant in (of_a_far_epoch, long_version)),
    (no_database, r"ziggurat\.\w+ is not there"),
    (no_manifest, "is no copy: it has no manifest.json"),
]


def test_what_is_no_whole_copy_of_this_version_is_refused_and_nothing_is_touched(
    settings: Settings, elsewhere: Callable[[], Settings], tmp_path: Path
) -> None:
    """Each fault in a copy of its own of one copy; the place that nothing may touch is the same for all."""
    whole, there = backup(settings, tmp_path / "whole"), elsewhere()
    for plant, says in FAULTS:
        copy = Path(shutil.copytree(whole, tmp_path / plant.__name__))
        plant(copy)
        with pytest.raises(CopyError, match=says):
            restore(copy, there)
        if settings.sqlite and there.data.exists():  # the lock was taken
            assert {one.name for one in there.data.iterdir()} <= {"ziggurat.lock"}, plant
        else:
            assert is_empty(there), plant
    restore(whole, there)


def test_a_place_that_is_not_empty_is_left_as_it_is(settings: Settings, tmp_path: Path) -> None:
    copy = backup(settings, tmp_path / "copy")
    before = rows(settings)
    with pytest.raises(CopyError, match=r"is not empty: .* is there"):
        restore(copy, settings)
    assert rows(settings) == before


def test_a_copy_of_the_other_kind_is_refused(
    settings: Settings, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    copy = backup(settings, tmp_path / "copy")
    new: NewDatabase = request.getfixturevalue("new_database")
    there = replace(settings, database_url=new(migrated=False) if settings.sqlite else None, data=tmp_path / "other")
    with pytest.raises(CopyError, match=r"say --data FOLDER|say --database URL"):
        restore(copy, there)
    assert is_empty(there)


def test_an_older_copy_is_restored_on_request(
    settings: Settings, elsewhere: Callable[[], Settings], tmp_path: Path
) -> None:
    copy = backup(settings, tmp_path / "copy")
    changed(copy, ziggurat="0.0.1")
    there = elsewhere()
    with pytest.raises(CopyError, match="say --older"):
        restore(copy, there)
    restore(copy, there, older=True)
    assert done(there, original.is_standby)


# --- Which is the original ---


def restored(settings: Settings, elsewhere: Callable[[], Settings], tmp_path: Path) -> Settings:
    there = elsewhere()
    restore(backup(settings, tmp_path / "copy"), there)
    return there


async def served(settings: Settings) -> None:
    from ziggurat.server.store.engine import open_database

    database = open_database(settings)
    try:
        await originals.register_original(database, settings)
    finally:
        await database.close()


def test_a_copy_is_not_declared_the_original_while_its_original_is_there(
    settings: Settings, elsewhere: Callable[[], Settings], tmp_path: Path
) -> None:
    asyncio.run(served(settings))  # it knows where it is
    there = restored(settings, elsewhere, tmp_path)
    with pytest.raises(CopyError, match="Its original is still at"):
        originals.declare(there)
    assert done(there, original.is_standby)
    originals.set_aside(settings)
    before = done(settings, original.read_installation).epoch
    originals.declare(there)
    assert not done(there, original.is_standby)
    assert done(there, original.read_installation).epoch > before
    with pytest.raises(CopyError, match="is the original already"):
        originals.declare(there)
    with pytest.raises(CopyError, match="is a copy already"):
        originals.set_aside(settings)
    with pytest.raises(CopyError, match="Its original is still at"):
        originals.declare(settings)
    asyncio.run(served(there))


def test_a_copy_by_hand_beside_its_original_does_not_serve(
    settings: Settings, elsewhere: Callable[[], Settings], tmp_path: Path
) -> None:
    """Such as `cp -r`, or pg_restore: it says that it is the original, as its original does."""
    asyncio.run(served(settings))
    there = restored(settings, elsewhere, tmp_path)
    done(there, lambda c: c.execute(sa.update(installation).values(quiet=False)))
    with pytest.raises(StartError, match="is a copy of the one at"):
        asyncio.run(served(there))
    asyncio.run(served(settings))
    originals.set_aside(there)
    asyncio.run(served(there))


def test_a_database_that_was_moved_goes_on(settings: Settings, tmp_path: Path) -> None:
    asyncio.run(served(settings))
    if settings.sqlite:
        moved = replace(settings, data=tmp_path / "moved")
        shutil.move(settings.data, moved.data)
    else:  # by another name: it is the same one
        moved = settings
        other = sa.make_url(originals.place_of(settings)).update_query_dict({"ssl": "prefer"})
        done(settings, lambda c: original.serve_at(c, other.render_as_string()))
    asyncio.run(served(moved))
    assert done(moved, original.read_installation).place == originals.place_of(moved)


def test_a_server_does_not_start_on_a_copy_by_hand(tmp_path: Path) -> None:
    data = tmp_path / "data"
    lay(data)
    asyncio.run(served(Settings(data=data)))
    shutil.copytree(data, tmp_path / "by-hand")
    code, _, said = ended("--port", "0", "--data", str(tmp_path / "by-hand"))
    assert code == 2
    assert f"{data}, which says that it is the original too" in said

"""SQLite's file is copied between the nights, so often that no more than the minutes that are set are lost."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.copied import done
from tests.server.features.copies.test_copies import changed
from tests.server.migrated import lay
from tests.server.process import ended

from ziggurat.server.alarms import COPIES_FOLDER, alarms
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies.minutes import ABANDONED_SECONDS, COPIES_KEPT, MinuteCopier
from ziggurat.server.features.copies.service import RETRY_SECONDS, SLOWDOWN_FACTOR, FrequentCopies
from ziggurat.server.services.standby import Standby
from ziggurat.server.settings import Settings
from ziggurat.server.store import original
from ziggurat.server.store.engine import open_database
from ziggurat.server.verdict import MINUTES_FOLDER, latest

DATABASES = ("sqlite",)


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    lay(tmp_path / "data")
    with closing(sqlite3.connect(tmp_path / "data" / "ziggurat.db")) as opened:  # as a server has it
        opened.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield Settings(data=tmp_path / "data", copies=tmp_path / "copies", copy_minutes=1)


@pytest.fixture
def folder(settings: Settings) -> Path:
    assert settings.copies is not None
    return settings.copies / MINUTES_FOLDER


def named(folder: Path, number: int) -> None:
    """Give the newest copy another name and time: two of one second would have the same."""
    newest = copies.all_in(folder)[0]
    changed(newest, made=f"2026-11-27T03:00:{number:02}Z")
    newest.rename(folder / f"ziggurat-{number}")


def write(settings: Settings) -> None:
    done(settings, original.write_pulse)


def test_a_copy_holds_what_was_written(settings: Settings, folder: Path) -> None:
    write(settings)
    assert MinuteCopier(settings).copy() is None
    [copy] = copies.all_in(folder)
    copies.restore(copy, replace(settings, data=settings.data.parent / "restored"))
    there = replace(settings, data=settings.data.parent / "restored")
    assert done(there, original.read_installation).pulse == done(settings, original.read_installation).pulse


def test_where_nothing_was_written_nothing_is_copied(settings: Settings, folder: Path) -> None:
    copier = MinuteCopier(settings)
    assert copier.copy() is None
    named(folder, 1)
    assert settings.copies is not None
    os.utime(folder / "ziggurat-1", (5, 5))
    assert copier.copy() is None
    assert [one.name for one in copies.all_in(folder)] == ["ziggurat-1"]
    told = latest(settings.copies)
    assert told is not None
    assert told > time.time() - 60, "it tells of now, too"
    write(settings)
    assert copier.copy() is None
    assert len(copies.all_in(folder)) == 2


def test_the_newest_stay(settings: Settings, folder: Path) -> None:
    copier = MinuteCopier(settings)
    for number in range(COPIES_KEPT + 2):
        write(settings)
        assert copier.copy() is None
        named(folder, number)
    write(settings)
    assert copier.copy() is None
    assert len(copies.all_in(folder)) == COPIES_KEPT
    assert {one.name for one in copies.all_in(folder)} >= {f"ziggurat-{COPIES_KEPT}", f"ziggurat-{COPIES_KEPT + 1}"}


def test_what_was_cut_off_is_deleted_when_it_is_nobodys(settings: Settings, folder: Path) -> None:
    old, new = (folder / f".ziggurat-{name}{copies.PARTIAL_MARK}x" for name in ("old", "new"))
    for one in (old, new):
        one.mkdir(parents=True)
    os.utime(old, (time.time() - ABANDONED_SECONDS - 60,) * 2)
    assert MinuteCopier(settings).copy() is None
    assert not old.exists()
    assert new.exists()


@pytest.mark.parametrize("among", ["nights", "minutes"])
def test_beside_a_copy_of_a_later_original_none_is_made(settings: Settings, folder: Path, among: str) -> None:
    assert settings.copies is not None
    there = folder if among == "minutes" else settings.copies
    there.mkdir(parents=True)
    changed(copies.backup(settings, there), epoch=done(settings, original.read_installation).epoch + 1)
    why = MinuteCopier(settings).copy()
    assert why is not None
    assert "is of a later original" in why
    assert done(settings, original.is_standby)


def test_why_none_can_be_made(settings: Settings) -> None:
    assert settings.copies is not None
    settings.copies.write_text("a file")
    why = MinuteCopier(settings).copy()
    assert why is not None
    assert "directory" in why


async def test_the_next_one_is_whole_before_more_is_lost(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a copy is too early to see is in one that is whole a minute later, also if that takes longer."""
    now = [100.0]
    monkeypatch.setattr("ziggurat.server.features.copies.service.time.monotonic", lambda: now[0])
    took, why = [2.0], [None, "no space left on device", "no space left on device", None]

    def copy() -> str | None:
        now[0] += took[0]
        return why.pop(0)

    database = open_database(settings)
    await database.open()
    try:
        frequent = FrequentCopies(settings, Standby(database), copy)
        begun = now[0]
        wait = await frequent._copy()
        assert now[0] + wait + SLOWDOWN_FACTOR * took[0] == begun + 60
        # An outage is told when it begins, and when it is over.
        said: list[str] = []
        monkeypatch.setattr(alarms, "on_begin", lambda what, why: said.append(f"{what}: {why}"))
        monkeypatch.setattr(alarms, "on_over", lambda what, seconds, failed: said.append(f"{what}: {failed}"))
        assert [await frequent._copy(), await frequent._copy()] == [RETRY_SECONDS, RETRY_SECONDS]
        # One that takes very long makes half of the time, and no more.
        took[0] = 40.0
        assert await frequent._copy() == 40.0
        assert said == [f"{COPIES_FOLDER}: no space left on device", f"{COPIES_FOLDER}: 2"]
    finally:
        await database.close()


def test_it_needs_a_folder_and_is_for_sqlite(tmp_path: Path) -> None:
    where = ("--port", "0", "--data", str(tmp_path))
    code, _, said = ended(*where, ZIGGURAT_COPY_MINUTES="1")
    assert (code, "ZIGGURAT_COPY_MINUTES copies into the folder ZIGGURAT_COPIES; that is 0" in said) == (2, True)
    url = ("--database-url", "postgresql://nobody@127.0.0.1:1/none")
    code, _, said = ended(*where, *url, ZIGGURAT_COPY_MINUTES="1", ZIGGURAT_COPIES=str(tmp_path))
    assert (code, "ZIGGURAT_COPY_MINUTES is for SQLite" in said) == (2, True)

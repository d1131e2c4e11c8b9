"""What is wrong with a database, or with a copy of one, is found: each kind is planted and told, and nothing else."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from prometheus_client import CollectorRegistry
from tests.cli.fixtures import Cli
from tests.patience import patience
from tests.server.copied import done, filled, made, tools
from tests.server.features.copies.test_copies import changed, cut, flip, older
from tests.server.fixtures import MOSTLY_SQLITE, own_on_both

from ziggurat.server import verdict as copy_verdict
from ziggurat.server.counters import Counters
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies import night
from ziggurat.server.features.copies.archive import CopyError, backup
from ziggurat.server.features.copies.checking import check_copy, check_database
from ziggurat.server.features.copies.service import NightlyCopies, last_due
from ziggurat.server.features.daily.models import tries
from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.moderation.service import Moderation
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.rows import Channel
from ziggurat.server.features.notifications.text import message
from ziggurat.server.metrics import _MetricsPage
from ziggurat.server.problems import StartError
from ziggurat.server.serve import _look_for_copies
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import original
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.models import changes, files, frames, people, seats, tables
from ziggurat.server.verdict import LATE_SECONDS, CopyVerdict, read_verdict, write_verdict
from ziggurat.server.words import words

pytestmark = pytest.mark.slow
DATABASES = MOSTLY_SQLITE
Plant = Callable[[sa.Connection, str], object]


@pytest.fixture
def settings(tmp_path: Path, own_url: str | None, monkeypatch: pytest.MonkeyPatch) -> Settings:
    tools(monkeypatch)
    return filled(Settings(data=tmp_path / "data", database_url=own_url, copies=tmp_path / "copies", copies_kept=2))


def over(number: int = 0) -> str:
    """The id of one of the games that are over."""
    return made()[0][number].id


def a_move(id: str) -> sa.ColumnElement[bool]:
    return sa.and_(changes.c.table_id == id, changes.c.seq == 7)


def a_change_lost(c: sa.Connection, id: str, seq: int) -> None:
    for table in (frames, changes):
        c.execute(sa.delete(table).where(table.c.table_id == id, table.c.seq == seq))


def lost_change(c: sa.Connection, id: str) -> None:
    a_change_lost(c, id, 7)


def lost_last_change(c: sa.Connection, id: str) -> None:
    a_change_lost(c, id, next(table.seq for table in made()[0] if table.id == id))


def lost_seat(c: sa.Connection, id: str) -> None:
    c.execute(sa.delete(seats).where(seats.c.table_id == id, seats.c.seat == 0))


def lost_last_seat(c: sa.Connection, id: str) -> None:
    c.execute(sa.delete(seats).where(seats.c.table_id == id, seats.c.seat == len(made()[0][0].seats) - 1))


def lost_view(c: sa.Connection, id: str) -> None:
    c.execute(sa.delete(frames).where(frames.c.table_id == id, frames.c.seq == 7))


def otherwise(**values: Any) -> Plant:
    """Something else stands in the row of a move."""
    return lambda c, id: c.execute(sa.update(changes).where(a_move(id)).values(**values))


def other_snapshot(c: sa.Connection, id: str) -> None:
    kept = c.execute(sa.select(tables.c.snapshot).where(tables.c.id == id)).scalar_one()
    middle = len(kept) // 2
    flipped = kept[:middle] + bytes([kept[middle] ^ 1]) + kept[middle + 1 :]
    c.execute(sa.update(tables).where(tables.c.id == id).values(snapshot=flipped))


def other_result(c: sa.Connection, id: str) -> None:
    result = made()[0][0].result
    assert result is not None
    said = {"scores": [points + 1 for points in result.scores], "winners": result.winners}
    c.execute(sa.update(tables).where(tables.c.id == id).values(result=json.dumps(said)))


def other_seed(c: sa.Connection, id: str) -> None:
    c.execute(sa.update(tables).where(tables.c.id == id).values(seed=bytes(32)))


def other_try(c: sa.Connection, id: str) -> None:
    """Somebody's try at the deal of a day ended better than its game."""
    better = {"finished": 2.0, "points": 999, "place": 1, "margin": 99, "counts": True}
    c.execute(sa.insert(tries).values(game="x", day="2026-11-24", person="ann", table_id=id, begun=1.0, **better))


def no_start(c: sa.Connection, id: str) -> None:
    """What was dealt is in the log no more."""
    c.execute(sa.update(changes).where(changes.c.table_id == id, changes.c.kind == "start").values(kind="leave"))


def no_end(c: sa.Connection, id: str) -> None:
    c.execute(sa.update(tables).where(tables.c.id == id).values(status="playing", result=None))


PLANTS: list[tuple[Plant, str]] = [
    (lost_change, "a change of its log is missing"),
    (lost_last_change, "a change of its log is missing"),
    (lost_seat, "a seat is missing"),
    (lost_last_seat, "."),
    (lost_view, "a view of a finished game is missing"),
    (otherwise(notation="x"), "the notation of a move is not that of its steps"),
    (otherwise(events="[]"), "other things happen than are stored"),
    (otherwise(actors="[9]"), "others have to decide than are stored"),
    (otherwise(steps="[1"), r"it cannot be read \(DecodeError\)"),
    (other_snapshot, "its snapshot is another position"),
    (other_result, "its result is not that of its log"),
    (other_seed, "."),
    (other_try, "its outcome is not that of its table"),
    (no_start, "a game is dealt, and its log does not begin with that"),
    (no_end, "it is stored as playing, and the log leads to an end"),
]
"""What may be wrong with a game that is over, and how it is told."""


def planted(settings: Settings, plant: Plant, id: str) -> None:
    """Have that be wrong with a game."""
    done(settings, lambda c: plant(c, id))


def others_planted(c: sa.Connection) -> None:
    """What may be wrong elsewhere. References are not watched meanwhile, as in a file that was damaged."""
    off = "SET session_replication_role = replica"
    c.exec_driver_sql(off if c.dialect.name == "postgresql" else "PRAGMA foreign_keys = OFF")
    _, running, waiting, _ = made()
    c.execute(sa.update(tables).where(tables.c.id == running.id).values(bot_due=False))
    c.execute(sa.update(tables).where(tables.c.id == waiting.id).values(components_file="0" * 64))
    c.execute(sa.insert(files).values(digest="1" * 64, text="x", used=0.0))
    c.execute(sa.delete(people).where(people.c.id == "bob"))


OTHERS = (
    "a bot has to move there, and no worker would know of it",
    "components_file names a row of files that is not there",
    "its text is not the one of its digest",
    "names a row of people that is not there",
)


def test_of_a_whole_database_nothing_is_wrong(settings: Settings) -> None:
    found = check_database(settings)
    assert found.wrong == []
    assert (found.tables, found.played, found.finished, found.others) == (5, 4, 2, 0)
    assert found.moves > 50
    assert found.references > 30


@pytest.mark.parametrize("own_url", ["sqlite"], indirect=True)
def test_what_is_wrong_is_told(settings: Settings) -> None:
    """Of the row in which it is, and of no other; each of two games has something else."""
    for plants in zip(PLANTS[::2], [*PLANTS[1::2], None], strict=True):
        filled(settings)
        for number, plant in enumerate(plants):
            if plant is not None:
                planted(settings, plant[0], over(number))
        found = check_database(settings).wrong
        for number, plant in enumerate(plants):
            told = [wrong.says for wrong in found if over(number) in wrong.row]
            assert bool(told) == (plant is not None), found
            assert plant is None or any(re.search(plant[1], says) for says in told), found
        # No word of it is a card, a name or a secret: the rows are named by their keys alone.
        everything = " ".join(f"{wrong.row} {wrong.says}" for wrong in found)
        assert "Ann" not in everything
        for table in made()[0]:
            assert table.seed is not None
            assert table.seed.hex() not in everything


@own_on_both
def test_what_is_wrong_elsewhere_is_told(settings: Settings) -> None:
    done(settings, others_planted)
    for says in OTHERS:
        assert [wrong for wrong in check_database(settings).wrong if says in wrong.says], says


@pytest.mark.parametrize("own_url", ["sqlite"], indirect=True)
def test_a_database_without_one_of_its_tables_is_refused(settings: Settings) -> None:
    done(settings, lambda c: c.exec_driver_sql("DROP TABLE tries"))
    with pytest.raises(CopyError, match=r"This database is damaged: it has no table tries\."):
        check_database(settings)


def test_a_game_of_other_rules_is_no_fault(settings: Settings) -> None:

    def job(connection: sa.Connection) -> None:
        connection.execute(sa.update(tables).where(tables.c.id == over()).values(rules="0"))
        connection.execute(sa.update(changes).where(a_move(over())).values(events="[]"))

    done(settings, job)
    found = check_database(settings)
    assert (found.wrong, found.others) == ([], 1)
    assert "not judged: 1 games (of other rules, or of games that are not here)" in found.proof().lines()


def test_a_file_that_sqlite_cannot_read_is_told(tmp_path: Path) -> None:
    filled(Settings(data=tmp_path))
    file = tmp_path / "ziggurat.db"
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = b"\xff" * 4096
    file.write_bytes(content)
    (wrong, *_) = check_database(Settings(data=tmp_path)).wrong
    assert wrong.kind == "file"


# --- On the command line ---


def test_the_command_says_what_is_wrong_and_writes_it(cli: Cli, tmp_path: Path) -> None:
    import polars

    data = tmp_path / "data"
    filled(Settings(data=data))
    ran = cli("check", "--data", str(data), "--out", "wrong.parquet")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("judged: 4 of 4 games played again from their logs (")
    assert polars.read_parquet(tmp_path / "wrong.parquet").height == 0
    planted(Settings(data=data), otherwise(notation="x"), over())
    ran = cli("check", "--data", str(data), "--out", "wrong.parquet")
    assert ran.code == 1
    assert "the notation of a move is not that of its steps" in ran.err
    assert "1 are wrong" in ran.out
    rows = polars.read_parquet(tmp_path / "wrong.parquet").to_dicts()
    assert [(row["kind"], row["row"], row["seq"]) for row in rows] == [("log", over(), 7)]


def test_copies_are_made_checked_and_restored_by_commands(cli: Cli, tmp_path: Path) -> None:
    data = tmp_path / "data"
    filled(Settings(data=data))
    made_one = cli("backup", "copy", "--data", str(data))
    assert made_one.code == 0, made_one.err
    assert "5 tables" in made_one.out
    assert cli("check", "copy").code == 0
    assert cli("restore", "copy", "--data", "there").code == 0
    again = cli("restore", "copy", "--data", "there")
    assert again.code == 2
    assert "is not empty" in again.err
    assert cli("restore", "--original", "--data", "there").code == 0
    assert cli("restore", "--aside", "--data", "there").code == 0
    assert cli("restore", "--data", "there").code == 2
    assert cli("backup", "other", "--data", "nowhere").code == 2
    assert cli("backup", "other", "--data", str(data), "--keep", "1").code == 2
    (tmp_path / "minutes").mkdir()
    for number in (1, 2):
        old = backup(Settings(data=data), tmp_path / "minutes" / f"ziggurat-{number}")
        changed(old, made=f"2026-11-0{number}T04:00:00Z")
    assert cli("backup", "minutes", "--data", str(data), "--keep", "2").code == 0
    left = [copy.name for copy in copies.all_in(tmp_path / "minutes")]
    assert left[1:] == ["ziggurat-2"]
    assert cli("check", "--data", "there", "--database", "postgresql://x/y").code == 2
    flip(tmp_path / "copy")
    ran = cli("check", "copy")
    assert ran.code == 2
    assert "its digest is another one" in ran.err


# --- Each night ---


def lost_row(copy: Path, settings: Settings) -> None:
    """A row is missing, and nothing else says so than the number of rows in the manifest: its digests are those of the
    file as it is."""
    if settings.sqlite:
        connection = sqlite3.connect(copy / copies.DATABASE_FILES["sqlite"])
        connection.execute("DELETE FROM chores WHERE name = 'expire'")
        connection.commit()
        connection.close()
        changed(copy, files={copies.DATABASE_FILES["sqlite"]: copies._digested(copy / copies.DATABASE_FILES["sqlite"])})
    else:
        said = copies.manifest_of(copy).rows
        changed(copy, rows={**said, "chores": said["chores"] + 1})


Fault = Callable[[Path, Settings], None]
FAULTS: list[tuple[Fault, str]] = [
    (lambda copy, _: flip(copy), "its digest is another one"),
    (lambda copy, _: cut(copy), "is cut off"),
    (lambda copy, _: older(copy), "was made by another version"),
    (lost_row, "chores: 2 rows are there, 3 were copied|chores: 3 rows are there, 4 were copied"),
]


def test_what_is_wrong_with_the_newest_copy_is_told_in_the_morning(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy of the night is damaged after it was made, as by a bad disk."""
    assert settings.copies is not None
    for number, (plant, says) in enumerate(FAULTS):

        def spoilt(settings: Settings, place: Path, plant: Fault = plant) -> Path:
            copy = backup(settings, place)
            plant(copy, settings)
            return copy

        monkeypatch.setattr(copies, "backup", spoilt)
        verdict = night.night(settings, settings.copies / f"{number}", 2)
        assert not verdict.good
        assert re.search(says, verdict.says), verdict.says
        assert verdict.damaged == [verdict.newest]


def test_a_good_night_and_what_stays(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = settings.copies
    assert folder is not None
    names: list[str] = []
    stamps = iter(range(10))

    def named(settings: Settings, place: Path) -> Path:
        copy = backup(settings, place / f"ziggurat-{next(stamps)}")
        changed(copy, made=f"2026-11-0{1 + len(names)}T04:00:00Z")
        names.append(copy.name)
        return copy

    monkeypatch.setattr(copies, "backup", named)
    for _ in range(3):
        verdict = night.night(settings, folder, 2)
        assert verdict.good, verdict.says
        assert "tables: 5, games played again: 4 of 4" in verdict.says
    assert [copy.name for copy in copies.all_in(folder)] == names[:0:-1]
    assert verdict.kept == 2
    # One that is kept goes bad: that is told too, and none is deleted while something is wrong.
    flip(folder / names[1])
    verdict = night.night(settings, folder, 2)
    assert (verdict.good, verdict.damaged) == (False, [names[1]])
    assert len(copies.all_in(folder)) == 3


@pytest.mark.parametrize("own_url", ["postgresql"], indirect=True)
def test_a_copy_of_postgresql_is_opened_where_a_database_may_be_made(settings: Settings, tmp_path: Path) -> None:
    copy = backup(settings, tmp_path / "copy")
    with pytest.raises(CopyError, match="say with --database on which server it can be opened"):
        check_copy(copy, Settings(data=tmp_path))
    role = f"poor_{time.monotonic_ns()}"
    done(settings, lambda c: c.execute(sa.text(f"CREATE ROLE {role} LOGIN")))
    url = sa.make_url(settings.database_url or "").set(username=role, password=None)
    poor = replace(settings, database_url=url.render_as_string())
    with pytest.raises(CopyError, match=f"may not make: ALTER ROLE {role} CREATEDB"):
        check_copy(copy, poor)
    assert check_copy(copy, settings).wrong == []

    def left(connection: sa.Connection) -> int:
        beside = sa.text("SELECT count(*) FROM pg_database WHERE datname LIKE 'ziggurat_check_%'")
        return int(connection.execute(beside).scalar_one())

    assert done(settings, left) == 0


def test_no_copy_is_no_good_night(settings: Settings, tmp_path: Path) -> None:
    nowhere = (
        replace(settings, data=tmp_path / "nowhere")
        if settings.sqlite
        else replace(settings, database_url="postgresql://nobody@127.0.0.1:1/none")
    )
    assert settings.copies is not None
    verdict = night.night(nowhere, settings.copies, 2)
    assert not verdict.good
    assert "There is no database in the folder" in verdict.says or "cannot be used" in verdict.says
    assert "There is no copy in" in verdict.says


def test_a_later_original_makes_an_older_one_quiet(settings: Settings) -> None:
    """Both use the same folder for their copies: so it is found out that there are two."""
    folder = settings.copies
    assert folder is not None
    folder.mkdir()
    copy = backup(settings, folder)
    changed(copy, epoch=done(settings, original.read_installation).epoch + 1)
    verdict = night.night(settings, folder, 2)
    assert not verdict.good
    assert "is of a later original than this database, which is quiet from now on" in verdict.says
    assert done(settings, original.is_standby)


async def test_the_service_has_it_done_beside_once_a_night(
    settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(settings)
    await database.open()
    try:
        service = TableService(settings, database, Bus(settings), CompiledRules(settings))
        workers = [NightlyCopies(settings, service) for _ in range(2)]
        with caplog.at_level(logging.INFO):
            await asyncio.gather(*(worker._look() for worker in workers))
        assert settings.copies is not None
        assert len(copies.all_in(settings.copies)) == 1, "two workers, one copy"
        verdict = read_verdict(settings.copies)
        assert verdict is not None
        assert verdict.good, verdict.says
        [line] = [one for one in caplog.records if verdict.says in one.getMessage()]
        assert line.levelname == "INFO", "nobody has to be woken"
        await workers[0]._look()
        assert len(copies.all_in(settings.copies)) == 1, "once a night"
        registry = CollectorRegistry()
        registry.register(_MetricsPage(Counters, settings.copies))
        assert registry.get_sample_value("ziggurat_copy_good") == 1
        assert registry.get_sample_value("ziggurat_copy_bytes") == verdict.bytes
        assert registry.get_sample_value("ziggurat_copy_kept") == 1
        # A process beside that ends without a word is told too.
        (settings.copies / "verdict.json").unlink()
        monkeypatch.setattr("sys.executable", "/bin/false")
        await workers[0].night()
        lost = read_verdict(settings.copies)
        assert lost is not None
        assert lost.says == "The process that checks the copies has ended without a word, with code 1."
        assert lost.says in caplog.text
    finally:
        await database.close()


async def test_a_night_in_which_the_server_ends_is_made_up_for_by_the_next(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(settings)
    await database.open()
    try:
        service = TableService(settings, database, Bus(settings), CompiledRules(settings))
        nights: list[str] = []
        for end in ("in the middle", "when it is done", "after it"):
            begun, over = asyncio.Event(), asyncio.Event()

            async def night(
                _: object, begun: asyncio.Event = begun, over: asyncio.Event = over, end: str = end
            ) -> None:
                nights.append(end)
                begun.set()
                await over.wait()

            monkeypatch.setattr(NightlyCopies, "night", night)
            monkeypatch.setattr("ziggurat.server.features.copies.service.FIRST_LOOK_SECONDS", 0.0)
            one = NightlyCopies(settings, service)
            await one.open()
            if end != "in the middle":
                over.set()
            if end == "after it":
                await one._look()
            else:
                async with asyncio.timeout(patience(10)):
                    await begun.wait()
                await asyncio.sleep(0)
            await one.close()
        assert nights == ["in the middle", "when it is done"]
    finally:
        await database.close()


def test_a_verdict_of_another_night_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_verdict(None) is None
    none_yet = CopyVerdict(0.0, False, "No copy was looked at yet.", folder=str(tmp_path))
    assert read_verdict(tmp_path) == none_yet
    now = time.time()
    write_verdict(tmp_path, CopyVerdict(now, True, "All is well."))
    assert read_verdict(tmp_path, now) == CopyVerdict(now, True, "All is well.", folder=str(tmp_path))
    late = read_verdict(tmp_path, now + LATE_SECONDS + 1)
    assert late is not None
    assert not late.good
    assert late.says == "No copy was checked for 26 hours. The last word was: All is well."
    (tmp_path / "verdict.json").write_text("{")
    assert read_verdict(tmp_path) == none_yet
    # Where a verdict cannot be kept, the one of before goes: it would go on saying that all is well.
    write_verdict(tmp_path, CopyVerdict(now, True, "All is well."))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(copy_verdict, "write_whole", full)
    write_verdict(tmp_path, CopyVerdict(now, False, "Nothing is."))
    assert read_verdict(tmp_path) == none_yet


async def test_a_folder_that_cannot_be_written_is_told_at_every_door(
    settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start, in the night, on the hosts' page and the command line, in the metrics, and to a host by mail."""
    settings.data.mkdir(parents=True, exist_ok=True)
    settings.data.joinpath("a file").touch()
    settings = replace(settings, copies=settings.data / "a file" / "copies")
    why = f"The folder for the copies, {settings.copies}, cannot be written: not a directory."
    _look_for_copies(settings)
    assert [(one.levelname, one.getMessage()) for one in caplog.records] == [
        ("ERROR", f"copies: {why} No copies are made until it can.")
    ]
    database = open_database(settings)
    await database.open()
    try:
        service = TableService(settings, database, Bus(settings), CompiledRules(settings))
        [host] = [one.person for one in await database.read(hosting.all_operators)] or [await named_host(database)]
        told = {"kind": "mail", "address": "ann@games.example", "host": "games.example", "keys": "", "name": ""}
        way = Channel(
            "way", host, None, **told, device=None, wants=[], base="", confirmed=True, created=0, used=0, failed=0
        )
        await database.write(lambda c: notifications.add_channel(c, way, 9))
        for _ in range(2):
            await NightlyCopies(settings, service).night()
        assert f"copies: No copy was made: {why}" in caplog.text
        waiting, _ = await database.read(lambda c: notifications.due_by(c, "way", time.time() + 1))
        assert [one.kind for one in waiting] == ["copies"], "one letter waits, however many nights have failed"
        assert [(line.said, line.place) for line in message(way, "key", [(waiting[0], None)], {}).lines] == [
            (words("en")("news.copies"), "#/host")
        ]
        numbers = await Moderation(service).numbers()
        assert numbers.copies is not None
        assert (numbers.copies.good, numbers.copies.says) == (False, why)
        registry = CollectorRegistry()
        registry.register(_MetricsPage(Counters, settings.copies))
        assert registry.get_sample_value("ziggurat_copy_good") == 0
    finally:
        await database.close()


async def named_host(database: Database) -> str:
    """Make somebody who is there a host."""

    def job(connection: sa.Connection) -> str:
        person: str = connection.execute(sa.select(people.c.id).where(people.c.name == "Ann")).scalar_one()
        hosting.add_operator(connection, person, None)
        return person

    return await database.write(job)


def test_a_copy_is_due_at_its_hour() -> None:
    noon = datetime(2026, 11, 27, 12, 0).timestamp()
    assert last_due(noon, 4) == datetime(2026, 11, 27, 4, 0).timestamp()
    assert last_due(noon, 12) == noon
    assert last_due(noon, 13) == datetime(2026, 11, 26, 13, 0).timestamp()


@pytest.mark.parametrize(
    ("name", "said", "says"),
    [
        ("COPIES", "copies", "is a folder from the root on"),
        ("COPY_HOUR", "24", "is an hour from 0 to 23"),
        ("COPY_HOUR", "night", "is an hour"),
        ("COPIES_KEPT", "0", "is a whole number, at least 1"),
    ],
)
def test_settings_of_copies_that_mean_nothing(name: str, said: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"ZIGGURAT_{name}", said)
    with pytest.raises(StartError, match=says):
        Settings()

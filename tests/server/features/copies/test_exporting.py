"""Finished games are written as files that verify; no card of a game that goes on is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars
import pytest
import sqlalchemy as sa
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE
from tests.server.copied import done, filled, made
from tests.server.fixtures import MOSTLY_SQLITE

from ziggurat.core.own_folders import StrangeFolder
from ziggurat.core.replay import Replay
from ziggurat.server.features.copies.exporting import export
from ziggurat.server.settings import Settings
from ziggurat.server.store import files
from ziggurat.server.store.models import changes, tables

pytestmark = pytest.mark.slow
DATABASES = MOSTLY_SQLITE


@pytest.fixture
def settings(tmp_path: Path, own_url: str | None) -> Settings:
    return filled(Settings(data=tmp_path / "data", database_url=own_url))


def told(folder: Path) -> str:
    return "".join(file.read_text() for file in folder.rglob("*.txt"))


def test_every_finished_game_is_a_file_that_verifies_and_rows(settings: Settings, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = export(settings, out)
    assert (found.games, found.held, found.lost) == (2, 0, 0)
    over, running, _, timed = made()
    assert sorted(file.stem for file in (out / "replays" / EXAMPLE).iterdir()) == sorted(table.id for table in over)
    for file in out.rglob("*.txt"):
        Replay.parse(file.read_text()).verify()
    rows = polars.read_parquet(out / "games.parquet")
    assert rows.height == sum(len(table.seats) for table in over)
    first = rows.filter(table=over[0].id).sort("seat")
    assert over[0].result is not None
    assert first["points"].to_list() == over[0].result.scores
    assert first["name"].to_list()[0] == "Ann"
    assert first["moves"][0] == sum(change.kind == "move" for change in over[0].story())
    # Of the games that go on neither the table nor the cards.
    for table in (running, timed):
        assert table.seed is not None
        assert table.id not in rows["table"].to_list()
        assert table.seed.hex() not in told(out)
    with pytest.raises(StrangeFolder, match="holds something else"):
        export(settings, out)


def test_a_game_whose_cards_are_in_play_elsewhere_is_left_out(settings: Settings, tmp_path: Path) -> None:
    over, running, waiting, _ = made()
    seed = over[0].seed
    assert seed is not None

    def the_same_seed(c: sa.Connection) -> None:
        c.execute(sa.update(tables).where(tables.c.id == running.id).values(seed=seed))

    def its_scenario(c: sa.Connection) -> None:
        c.execute(sa.update(tables).where(tables.c.id == running.id).values(seed=running.seed))
        digest = files.store_file(c, f'seed = "{seed.hex()}"')
        c.execute(sa.update(tables).where(tables.c.id == waiting.id).values(scenario_file=digest))

    def a_deal_of_today(c: sa.Connection) -> None:
        c.execute(sa.update(tables).where(tables.c.id == waiting.id).values(scenario_file=None))
        today = datetime.now(UTC).date().isoformat()
        c.execute(sa.update(tables).where(tables.c.id == over[0].id).values(deal=today))

    for number, plant in enumerate((the_same_seed, its_scenario, a_deal_of_today)):
        done(settings, plant)
        out = tmp_path / f"out{number}"
        found = export(settings, out)
        assert (found.games, found.held) == (1, 1), plant.__name__
        assert seed.hex() not in told(out)


def test_what_cannot_be_read_is_left_out_and_counted(settings: Settings, tmp_path: Path) -> None:
    def job(c: sa.Connection) -> None:
        c.execute(sa.update(changes).where(changes.c.table_id == made()[0][0].id, changes.c.seq == 7).values(steps="["))

    done(settings, job)
    found = export(settings, tmp_path / "out")
    assert (found.games, found.lost) == (1, 1)


@pytest.mark.parametrize("own_url", ["sqlite"], indirect=True)
def test_the_command(cli: Cli, settings: Settings) -> None:
    ran = cli("export", "--data", str(settings.data), "--out", "out")
    assert ran.code == 0, ran.err
    assert ran.out == "out: 2 games\n"
    assert cli("export", "--data", str(settings.data), "--out", "out").code == 2
    assert cli("export", "--data", str(replace(settings, data=Path("nowhere")).data), "--out", "other").code == 2
    assert not Path("other").exists()

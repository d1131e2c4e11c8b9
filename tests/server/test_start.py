"""What prevents a start is said in one sentence, with exit code 2."""

from __future__ import annotations

import os
import socket
import sqlite3
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from tests.server.process import ended, launch, server

from ziggurat.server.settings import Settings
from ziggurat.server.store import migrate

pytestmark = pytest.mark.slow


def refusal(*arguments: str, **environment: Any) -> str:
    """Start a server that cannot start; return what it says."""
    code, out, err = ended(*arguments, **environment)
    assert code == 2, err
    assert out == ""
    assert len(err.strip().splitlines()) == 1, err
    assert err.startswith("ziggurat: ")
    assert err.strip().endswith(".")
    return err


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        says = refusal("--port", port, "--data", str(tmp_path))
    assert port in says
    assert "in use" in says


@pytest.mark.parametrize("port", ["70000", "-1"])
def test_a_port_that_is_none(tmp_path: Path, port: str) -> None:
    assert "not a port" in refusal(f"--port={port}", "--data", str(tmp_path))


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    assert "192.0.2.1" in refusal("--host", "192.0.2.1", "--port", "0", "--data", str(tmp_path))


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "data folder" in refusal("--port", "0", "--data", str(tmp_path / "file"))
    assert "data folder" in refusal("--port", "0", "--data", str(tmp_path / "file" / "inside"))
    # Not even root may write here.
    if Path("/proc/self").exists():
        assert "data folder" in refusal("--port", "0", "--data", "/proc/self/ziggurat")
    if os.geteuid():
        (tmp_path / "locked").mkdir(mode=0o500)
        assert "data folder" in refusal("--port", "0", "--data", str(tmp_path / "locked"))


def test_a_read_only_database(tmp_path: Path) -> None:
    with server(tmp_path):
        pass
    database = tmp_path / "ziggurat.db"
    database.unlink()
    database.mkdir()
    assert "cannot be used" in refusal("--port", "0", "--data", str(tmp_path))


def test_a_database_from_a_newer_version(tmp_path: Path) -> None:
    with server(tmp_path):
        pass
    with sqlite3.connect(tmp_path / "ziggurat.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    says = refusal("--port", "0", "--data", str(tmp_path))
    assert "newer" in says
    assert "9999" in says


def test_a_damaged_database(tmp_path: Path) -> None:
    (tmp_path / "ziggurat.db").write_bytes(b"no database" * 1000)
    assert "not a database" in refusal("--port", "0", "--data", str(tmp_path))


def test_a_folder_that_another_server_uses(tmp_path: Path) -> None:
    with server(tmp_path):
        assert "already" in refusal("--port", "0", "--data", str(tmp_path))


def test_a_database_of_another_kind(tmp_path: Path) -> None:
    assert "postgresql://" in refusal("--port", "0", "--data", str(tmp_path), "--database-url", "mysql://x/y")


def test_a_start_takes_less_than_three_seconds(tmp_path: Path) -> None:
    """Counted in the process's own time, so that a busy machine does not matter."""
    with server(tmp_path):
        pass
    process = launch("--port", "0", "--data", str(tmp_path), ZIGGURAT_PREPARE="0")
    try:
        assert process.stdout is not None
        assert "http://" in process.stdout.readline()
        spent = psutil.Process(process.pid).cpu_times()
        assert spent.user + spent.system < 3
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_the_newest_migration_is_known() -> None:
    """`HEAD` spares an up-to-date database the import of Alembic; it must name the last migration."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == migrate.HEAD


def test_the_migrations_make_the_tables_that_the_program_uses(tmp_path: Path) -> None:
    import sqlalchemy as sa
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from ziggurat.server.store.models import metadata

    with server(tmp_path):
        pass
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'ziggurat.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("LOG", "xml", "text or json"),
        ("PREPARE", "no", "1 or 0"),
        ("SCENARIOS", "true", "0 or 1"),
        ("SHARE", "a fifth", "a number, at least 0.01"),
        ("SHARE", "0", "at least 0.01"),
        ("QUOTA", "nan", "a number"),
        ("REQUESTS", "2.5", "a whole number, at least 1"),
        ("THINKERS", "0", "at least 1"),
        ("CONNECTIONS", "-1", "at least 1"),
        ("NEWER", "http://games.example/", "begins with https://"),
        ("HINT", "inf", "a number"),
        ("FORCED", "soon", "0.8-2.5"),
    ],
)
def test_a_setting_of_the_environment_that_is_none(tmp_path: Path, name: str, value: str, right: str) -> None:
    says = refusal("--port", "0", "--data", str(tmp_path), **{f"ZIGGURAT_{name}": value})
    assert says.startswith(f"ziggurat: ZIGGURAT_{name} is ")
    assert right in says
    assert repr(value) in says


def test_settings_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "LOG": "json",
        "PREPARE": "0",
        "SHARE": " 0.5 ",
        "REQUESTS": "7",
        "FORCED": "3",
        "HINT": "",
    }.items():
        monkeypatch.setenv(f"ZIGGURAT_{name}", value)
    found = Settings()
    assert (found.log, found.prepare, found.share, found.requests_per_minute) == ("json", False, 0.5, 7)
    assert (found.forced, found.hint, found.scenarios) == ((3.0, 3.0), 0.5, False)

"""What prevents a start is said in one sentence, with exit code 2."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from tests import runs
from tests.server.migrated import lay
from tests.server.process import ended, launch, server

from ziggurat.server.problems import StartError
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


def test_an_address_where_nobody_can_listen(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, says in (
            (["--port", port], f"Port {port} is in use"),
            (["--port", "70000"], "70000 is not a port"),
            (["--port=-1"], "-1 is not a port"),
            (["--host", "192.0.2.1", "--port", "0"], "192.0.2.1"),
        ):
            assert says in refusal(*arguments, "--data", str(tmp_path)), arguments


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "locked").mkdir(mode=0o500)
    # Not even root may write in the last of these.
    places = [tmp_path / "file", tmp_path / "file/inside", tmp_path / "locked", Path("/proc/self/ziggurat")]
    for place in places[:2] + places[2:3] * bool(os.geteuid()) + places[3:] * Path("/proc/self").exists():
        assert "data folder" in refusal("--port", "0", "--data", str(place)), place
    with server(tmp_path):
        assert "already" in refusal("--port", "0", "--data", str(tmp_path))


def test_what_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged/ziggurat.db").write_bytes(b"no database" * 1000)
    assert "not a database" in refusal("--port", "0", "--data", str(tmp_path / "damaged"))
    (tmp_path / "folder/ziggurat.db").mkdir(parents=True)
    assert "cannot be used" in refusal("--port", "0", "--data", str(tmp_path / "folder"))
    assert "postgresql://" in refusal("--port", "0", "--data", str(tmp_path), "--database-url", "mysql://x/y")


@runs.whole
def test_a_start_takes_less_than_three_seconds(tmp_path: Path) -> None:
    """Counted in the process's own time, so that a busy machine does not matter."""
    lay(tmp_path)
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

    lay(tmp_path)
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'ziggurat.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


WRONG = [
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
]


def test_a_setting_of_the_environment_that_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value, right in WRONG:
        with monkeypatch.context() as patch:
            patch.setenv(f"ZIGGURAT_{name}", value)
            with pytest.raises(StartError) as refused:
                Settings()
        assert re.match(rf"ZIGGURAT_{name} is .*{re.escape(right)}.*{re.escape(repr(value))}", str(refused.value))


def test_a_setting_that_is_none_prevents_the_start(tmp_path: Path) -> None:
    assert "ZIGGURAT_LOG is " in refusal("--port", "0", "--data", str(tmp_path), ZIGGURAT_LOG="xml")


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

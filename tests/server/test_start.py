"""What prevents a start is said in one sentence, with exit code 2."""

from __future__ import annotations

import ast
import os
import re
import socket
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from tests import runs
from tests.docs.pages import DOCS
from tests.server.migrated import lay
from tests.server.process import ended, launch, server

from ziggurat.server import run, serve
from ziggurat.server.api.trusted_proxies import TrustedProxyMiddleware
from ziggurat.server.live import connections
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings, is_one_of
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


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("uvicorn.protocols.http.h11_impl:H11Protocol", "handle_websocket_upgrade"),
        ("uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol", "stop_keepalive"),
        ("uvicorn.protocols.websockets.websockets_sansio_impl", "WebSocketsSansIOProtocol"),
        ("websockets.utils", "apply_mask"),
        ("h11._receivebuffer", "ReceiveBuffer"),
    ],
)
def test_another_version_of_a_package_that_lacks_a_part(
    where: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(resolve_name(where), name)
    assert run("127.0.0.1", 70000, tmp_path) == 2
    package = where.partition(".")[0]
    (line,) = capsys.readouterr().err.splitlines()
    assert re.fullmatch(
        rf"ziggurat: {package} [\d.]+ is not one .* \(.*{name}.*\); install '{package}[\d.<>=,]+'\.", line
    )


def test_what_connections_put_in_the_place_of_another_has_to_be_there() -> None:
    places = {
        where.rpartition(":")[2]: (where, names) for parts in serve.PACKAGES.values() for where, names in parts.items()
    }
    found = set()
    for node in ast.walk(ast.parse(Path(connections.__file__).read_text(encoding="utf-8"))):
        for base in (ast.unparse(one).rpartition(".")[2] for one in getattr(node, "bases", ())):
            if isinstance(node, ast.ClassDef) and base in places:
                found.add(base)
                where, names = places[base]
                methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
                assert methods & {*dir(resolve_name(where))} <= {"__init__", *names}
    assert found == {"Connection", "H11Protocol", "ReceiveBuffer", "WebSocketsSansIOProtocol"}


def test_a_package_whose_objects_hold_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """uvicorn 0.51 had no `disconnected`: every socket would have broken, and the start have succeeded."""
    parts = {"websockets.server:ServerProtocol": ["handshake_exc_of_tomorrow"]}
    monkeypatch.setitem(serve.PACKAGES, "websockets>=14,<18", parts)
    assert run("127.0.0.1", 70000, tmp_path) == 2
    assert "has no handshake_exc_of_tomorrow" in capsys.readouterr().err


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

    from ziggurat.server.store.models import schema

    lay(tmp_path)
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'ziggurat.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema()) == []
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
    ("AHEAD", "soon", "60-1800"),
    ("POOL", "1", "at least 2"),
    ("TABLES", "9", "at least 10"),
    ("LEASE", "0", "at least 0.1"),
    ("WRITE", "0.5", "at least 1"),
    ("PATIENCE", "1.5", "a whole number"),
    ("ONLOOKERS", "many", "a whole number"),
    ("NEWS_WAIT", "-1", "at least 0"),
    ("NEWS_PRIVATE", "yes", "0 or 1"),
    ("DEAL_BOTS", "no", "1 or 0"),
    ("LEVELS", "no", "1 or 0"),
    *((f"{what}_DAYS", "a year", "a number") for what in ("TALK", "GAME", "GUEST", "REPORT", "DEED")),
    ("EXPIRY", "never", "a number"),
    ("COPIES", "copies", "a folder from the root on"),
    ("COPIES_KEPT", "0", "at least 1"),
    ("COPY_MINUTES", "often", "a number"),
    ("COPY_HOUR", "night", "an hour"),
    ("PROXY_USER", "x remote user", "the name of a header"),
    ("OIDC_ISSUER", "login.example", "begins with https://"),
    *(("ADDRESS", said, "such as https://games.example") for said in ("games.example", "https:", "https://a.b:c")),
]
SAID = [
    ("PROXIES", "caddy", "names addresses, and networks such as 172.16.0.0/12, not 'caddy'"),
    ("PROXIES", "*", "not '*'"),
    ("PROXIES", "172.16.0.1/12", "not '172.16.0.1/12'"),
    ("PROXIES", "127.0.0.1,localhost", "not 'localhost'"),
    ("HOSTS", "https://games.example", "without https:// and port, not 'https://games.example'"),
    ("HOSTS", "games.example:443", "without https:// and port"),
    ("HOSTS", "*.games.example", "without https:// and port"),
    ("SMTP", "mail.example", "is a mail server"),
    ("SMTP", "smtp://", "is a mail server"),
    ("SMTP", "smtp://mail.example:ssl", "is a mail server"),
    ("MAIL_FROM", "games@games.example", "needs ZIGGURAT_SMTP"),
    ("OIDC_CLIENT", "ziggurat", "ZIGGURAT_OIDC_ISSUER is an address"),
    ("OIDC_SECRET", "secret", "ZIGGURAT_OIDC_ISSUER is an address"),
    ("OIDC_NAME", "Our club", "ZIGGURAT_OIDC_ISSUER is an address"),
]
"""What was taken once, and then meant nothing."""
ELSEWHERE = {"METRICS", "CACHE"}
"""Those that are no part of `Settings`: a wrong one is said by `serve_metrics`, and when rules are prepared."""


def test_a_setting_of_the_environment_that_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value, right in WRONG:
        with monkeypatch.context() as patch:
            patch.setenv(f"ZIGGURAT_{name}", value)
            with pytest.raises(StartError) as refused:
                Settings()
        assert re.match(rf"ZIGGURAT_{name} is .*{re.escape(right)}.*{re.escape(repr(value))}", str(refused.value))


@pytest.mark.parametrize(("name", "value", "says"), SAID, ids=str)
def test_no_setting_is_passed_over_in_silence(
    name: str, value: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"ZIGGURAT_{name}", value)
    with pytest.raises(StartError, match=re.escape(says)):
        Settings()


def test_every_setting_that_there_is_can_be_wrong() -> None:
    """Whoever adds one says here what is wrong for it."""
    page = (DOCS / "hosting.md").read_text(encoding="utf-8").partition("\n## Settings")[2].partition("\n## ")[0]
    shown = [
        re.findall(r"`(?:ZIGGURAT)?(_[A-Z_]+)`", line.split("|")[1]) for line in page.splitlines() if "| `Z" in line
    ]
    names = {f"{first if one is first else '_OIDC' + one}"[1:] for first, *more in shown for one in (first, *more)}
    assert names == {name for name, *_ in [*WRONG, *SAID]} | ELSEWHERE


@pytest.mark.parametrize(
    ("said", "hosts", "reached"),
    [
        ({}, (), "http://localhost:8000"),
        ({"ADDRESS": "https://games.example/"}, ("games.example",), "https://games.example"),
        ({"ADDRESS": "https://games.example", "HOSTS": "b.example"}, ("games.example", "b.example"), "https://games.example"),
        ({"HOSTS": "Játék.example", "PROXIES": "127.0.0.1"}, ("xn--jtk-ela5b.example",), "https://xn--jtk-ela5b.example"),
        ({"HOSTS": "*,mypi"}, ("*", "mypi"), "http://mypi:8000"),
    ],
    ids=str,
)  # fmt: skip
def test_the_address_that_hosts_are_told_is_one_at_which_people_come(
    said: dict[str, str], hosts: tuple[str, ...], reached: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in said.items():
        monkeypatch.setenv(f"ZIGGURAT_{name}", value)
    found = Settings(listen="0.0.0.0")
    assert found.hosts == hosts
    assert found.reached(8000) == reached


@pytest.mark.parametrize("said", ["10.0.0.5", "10.0.0.0/8"])
def test_a_proxy_is_known_however_its_address_is_seen(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_PROXIES", said)
    found = Settings()
    trusted = TrustedProxyMiddleware(None, found).inside.trusted_hosts
    for address, known in (
        ("10.0.0.5", True),
        ("::ffff:10.0.0.5", True),
        ("11.0.0.5", False),
        ("::ffff:11.0.0.5", False),
    ):
        assert is_one_of(address, found.proxies) is known
        assert (address in trusted) is known


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

"""A Ray cluster gives to the byte what one machine gives.

There is one test, because a cluster takes seconds to start: two workers on this machine, reached by a token alone.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import polars
import psutil  # type: ignore[import-untyped]
import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.lab.on_cluster import COMPILED, PLAYED, kept, said, simulated, tuned
from tests.lab.test_work import Squares

from ziggurat.lab import work

pytestmark = pytest.mark.slow


@contextmanager
def cluster() -> Iterator[dict[str, str]]:
    """A cluster that is this machine alone: the environment of those who know it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "RAY_ADDRESS": f"127.0.0.1:{port}",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_USAGE_STATS_ENABLED": "0",
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)]),
    }
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # the names of its sockets must be short
    command = [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"),
        *(f"--port={port}", "--num-cpus=2", "--object-store-memory=80000000", "--include-dashboard=false"),
        *(f"--temp-dir={folder}", "--disable-usage-stats"),
    ]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as head:
        assert head.stdout
        there: list[psutil.Process] = []
        try:
            log = ""
            for line in head.stdout:
                log += line
                if "--block" in line:
                    break
            assert "Ray runtime started" in log, log
            yield environment
        finally:
            there = psutil.Process(head.pid).children(recursive=True)
            head.terminate()
            head.communicate()
            _, left = psutil.wait_procs(there, timeout=60)
            for process in left:
                process.kill()
            shutil.rmtree(folder, ignore_errors=True)
    assert left == []


def without_seconds(folder: str) -> bytes:
    """The file of a tournament but for what its machines took."""
    file = BytesIO()
    polars.read_parquet(Path(folder) / "games.parquet").drop("seconds").write_parquet(file)
    return file.getvalue()


def told(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(text)
    for rank in found["ladder"]:  # type: ignore[attr-defined]
        del rank["decisions_per_second"]
    return found


@runs.whole
def test_a_cluster_gives_what_one_machine_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "tests.lab.on_cluster"]
    with cluster() as environment:
        ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    far = json.loads(Path("found.json").read_text(encoding="utf-8"))

    assert far["simulated"] == simulated("1") == simulated("2")
    for number in range(len(far["simulated"])):
        files = [Path(f"{workers}-{number}.parquet").read_bytes() for workers in ("ray", "1", "2")]
        assert files[0] == files[1] == files[2]
    near = said((*PLAYED, "--games", "12", "--workers", "1", "--out", "near"))
    assert told(far["played"][0]) == told(near)
    assert without_seconds("far") == without_seconds("near")
    assert far["kept"] == kept("1") == kept("2")
    assert json.loads(far["tuned"][0]) == tuned(1)
    assert far["broken"][0].startswith("ValueError: 7 has no square\nin job 8: 7\n")
    assert "of the Ray cluster is another Ziggurat than here: install the same one" in far["another"][0]


def test_without_a_cluster_it_is_said_how_to_start_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as nobody:  # bound and not listening: whoever knocks is refused at once
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{nobody.getsockname()[1]}")
        ran = cli(*COMPILED, "--workers", "ray")
    assert ran.code == 2
    assert "no Ray cluster answers at RAY_ADDRESS=127.0.0.1:" in ran.err
    assert ran.err.count("\n") == 1
    assert "start one with 'ray start --head'" in work.NO_CLUSTER
    assert ran.out == ""


def test_without_ray_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "find_spec", lambda name: None)
    with pytest.raises(work.WorkError, match=r"pip install 'ziggurat-games\[ray\]'"):
        list(work.in_order(Squares(), range(9), "ray"))

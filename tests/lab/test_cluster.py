"""A Ray cluster gives to the byte what one machine gives.

There is one test, because a cluster takes seconds to start: two workers on this machine, reached by a token alone.
"""

from __future__ import annotations

import json
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path

import polars
import psutil  # type: ignore[import-untyped]
import pytest
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE, GAME
from tests.lab.test_work import Squares

from ziggurat.lab import work
from ziggurat.lab.tune import Tuner

SIMULATED = ("simulate", EXAMPLE, "--players", "3", "--seed", "1")
PLAYED = ("tournament", EXAMPLE, "--players", "2", "--bots", "greedy,random,mason", "--seed", "3", "--json")


@contextmanager
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cluster that is this machine alone, and the only one that this process knows."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name, value in {
        "RAY_ADDRESS": f"127.0.0.1:{port}",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_USAGE_STATS_ENABLED": "0",
        "PYTHONPATH": ":".join(path for path in sys.path if path),
    }.items():
        monkeypatch.setenv(name, value)
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # the names of its sockets must be short
    command = [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"),
        *(f"--port={port}", "--num-cpus=2", "--object-store-memory=80000000", "--include-dashboard=false"),
        *(f"--temp-dir={folder}", "--disable-usage-stats"),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as head:
        assert head.stdout
        try:
            said = next((line for line in head.stdout if "--block" in line), "")
            assert said, "the cluster did not start"
            yield
        finally:
            if "ray" in sys.modules:
                sys.modules["ray"].shutdown()
            there = psutil.Process(head.pid).children(recursive=True)
            head.terminate()
            head.stdout.read()
            head.wait()
            _, left = psutil.wait_procs(there, timeout=20)
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


def tuned(workers: work.Workers) -> dict[str, int]:
    tuner = Tuner(GAME, players=3, games=9, seed=3, workers=workers)
    for _ in tuner.step():
        pass
    return tuner.best


def test_a_cluster_gives_what_one_machine_gives(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster(monkeypatch):
        for bots, games in (("greedy,random,random", "1200"), ("greedy,mason,random", "6")):
            line = (*SIMULATED, "--bots", bots, "--games", games)
            ran = {where: cli(*line, "--workers", where, "--out", f"{where}.parquet") for where in ("1", "2", "ray")}
            assert ran["ray"].code == 0, ran["ray"].err
            assert ran["1"].out == ran["2"].out == ran["ray"].out
            files = [Path(f"{where}.parquet").read_bytes() for where in ran]
            assert files[0] == files[1] == files[2]

        first = cli(*PLAYED, "--games", "6", "--workers", "ray", "--out", "far")
        assert first.code == 0, first.err
        more = cli(*PLAYED, "--games", "12", "--workers", "ray", "--out", "far", "--resume")
        whole = cli(*PLAYED, "--games", "12", "--workers", "1", "--out", "near")
        assert told(more.out) == told(whole.out)
        assert without_seconds("far") == without_seconds("near")

        assert tuned("ray") == tuned(1)

        with pytest.raises(ValueError, match="7 has no square") as caught:
            list(work.in_order(Squares(breaks=7), range(9), "ray"))
        assert "in job 8: 7\n" in caught.value.__notes__[0]

        monkeypatch.setattr(work, "digest", partial(str, "another"))
        with pytest.raises(work.WorkError, match="of the Ray cluster is another Ziggurat than here"):
            list(work.in_order(Squares(), range(9), "ray"))


def test_without_a_cluster_it_is_said_how_to_start_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as nobody:  # bound and not listening: whoever knocks is refused at once
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{nobody.getsockname()[1]}")
        ran = cli(*SIMULATED, "--games", "1", "--workers", "ray")
    assert ran.code == 2
    assert "no Ray cluster answers at RAY_ADDRESS=127.0.0.1:" in ran.err
    assert ran.err.count("\n") == 1
    assert "start one with 'ray start --head'" in work.NO_CLUSTER
    assert (ran.out, list(Path().iterdir())) == ("", [])


def test_without_ray_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "find_spec", lambda name: None)
    with pytest.raises(work.WorkError, match=r"pip install 'ziggurat\[ray\]'"):
        list(work.in_order(Squares(), range(9), "ray"))

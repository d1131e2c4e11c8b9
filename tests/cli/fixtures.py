"""Command lines, run in this process."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass
class Ran:
    """What a command line did."""

    code: int
    out: str
    err: str


Cli = Callable[..., Ran]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """``cli("games", "--lang", "hu")`` in an empty folder; ``typed`` is what the person types."""
    from ziggurat.cli import run

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8"))
        capsys.readouterr()
        code = run(arguments)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return call


@pytest.fixture
def replay(cli: Cli, tmp_path: Path) -> Path:
    """A finished game of two greedy bots and a random one."""
    from tests.example import EXAMPLE

    ran = cli(
        *("simulate", EXAMPLE, "--players", "3", "--games", "1", "--seed", "5"),
        *("--bots", "greedy,greedy,random", "--replay", "game.txt"),
    )
    assert ran.code == 0, ran.err
    return tmp_path / "game.txt"

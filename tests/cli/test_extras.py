"""What a command needs besides is installed in a source tree, and named anywhere else."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE

from ziggurat.cli import extras

ROOT = Path(__file__).parents[2]
LINES = {
    "a tournament": ("lab", f"tournament {EXAMPLE} --bots greedy,random"),
    "--out": ("lab", f"simulate {EXAMPLE} --games 1 --out games.parquet"),
    "a study": ("lab", f"study {EXAMPLE} --out study"),
    "tuning": ("lab", f"tune {EXAMPLE} --out weights.toml"),
    "--workers ray": ("ray", f"simulate {EXAMPLE} --games 1 --workers ray"),
}


@pytest.fixture
def without_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    monkeypatch.setattr(extras, "installer", lambda: None)


@pytest.mark.usefixtures("without_packages")
@pytest.mark.parametrize("what", LINES)
def test_elsewhere_it_is_said_what_installs_them(cli: Cli, tmp_path: Path, what: str) -> None:
    extra, line = LINES[what]
    ran = cli(*line.split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"ziggurat: {what} needs more packages: pip install 'ziggurat-games[{extra}]'\n"
    assert list(tmp_path.iterdir()) == []


def test_in_a_source_tree_they_are_installed_by_what_made_its_environment(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here by a script that only says what it was asked for."""
    script = tmp_path / "environment.py"
    script.write_text("import sys; open('asked', 'w').write(' '.join(sys.argv[1:])); sys.exit(len(sys.argv) - 3)")
    monkeypatch.setattr(extras, "installer", lambda: script)
    monkeypatch.setattr(extras, "find_spec", lambda name: Path("asked").exists() or None)
    ran = cli("simulate", EXAMPLE, "--games", "1", "--out", "games.parquet")
    assert ran.code == 0, ran.err
    assert Path("asked").read_text() == "add lab"
    assert "--out needs more packages; they are installed into .venv, once" in ran.err
    assert Path("games.parquet").stat().st_size


def test_what_cannot_be_installed_ends_the_command(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "environment.py"
    script.write_text("import sys; sys.exit(1)")
    monkeypatch.setattr(extras, "installer", lambda: script)
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    ran = cli("tournament", EXAMPLE, "--bots", "greedy,random")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("ziggurat: the packages that a tournament needs could not be installed\n")


def test_only_the_environment_of_the_source_tree_is_added_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(ROOT / ".venv"))
    assert extras.installer() == ROOT / "scripts/environment.py"
    monkeypatch.setattr(sys, "prefix", "/usr")
    assert extras.installer() is None


def test_every_module_of_an_extra_is_known() -> None:
    """The names of packages and of modules differ, but for a word that both have."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for extra, modules in extras.MODULES_OF_EXTRA.items():
        packages = [line.partition(">=")[0].replace("-", "_") for line in declared[extra]]
        assert sorted(packages) == sorted(modules)

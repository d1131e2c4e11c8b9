"""What `./test` makes of its arguments, and what it says with `--coverage`."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tests import runs
from tests.covered import table
from tests.docs.pages import ROOT, script

import ziggurat
from ziggurat.core.bits import lowest_bit

SOURCES = Path(ziggurat.__file__).parent
SHARED = ["--dist", "loadfile", "--no-loadscope-reorder"]
Started = Callable[..., list[str]]


@pytest.fixture(scope="module")
def environment() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "scripts"))  # as the program itself has it
    yield script("environment")
    sys.path.remove(str(ROOT / "scripts"))


@pytest.fixture
def checked() -> list[dict[str, bool]]:
    return []


@pytest.fixture
def started(checked: list[Any], environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Started:
    """What is started for arguments, while nothing is installed, checked or run; `checked` says what would be."""

    class Installed:
        def __init__(self, extras: set[str]) -> None:
            assert extras == {"test", "lint"}

            self.computed: dict[str, float] = {}

        def update(self) -> None:
            pass

    run: list[str] = []

    def check(**what: bool) -> dict[str, float]:
        checked.append(what)
        return {}

    def become(command: list[Any]) -> None:
        run[:] = map(str, command)

    monkeypatch.setattr(environment, "Environment", Installed)
    monkeypatch.setattr(environment, "COVERAGE", tmp_path / "coverage")
    monkeypatch.setattr(environment, "_check", check)
    monkeypatch.setattr(environment, "_refuse_unknown", lambda arguments: None)
    monkeypatch.setattr(environment, "_become", become)
    monkeypatch.setattr(environment, "chromium", lambda: "chromium")
    monkeypatch.setattr(os, "environ", {**os.environ, "COVERAGE_CORE": ""})
    del os.environ["COVERAGE_CORE"]

    def start(*arguments: str) -> list[str]:
        environment.test([*arguments])
        python, _, *command = run
        assert Path(python) == environment.PYTHON
        return command

    return start


def test_arguments_are_those_of_pytest_but_for_our_own(started: Started) -> None:
    assert started("tests/core", "-k", "x")[-3:] == ["tests/core", "-k", "x"]
    assert started("--no-browser", "tests/core")[-3:] == ["-m", "not browser", "tests/core"]
    assert started("--quick")[-3:] == ["-m", "not browser", "--quick"]
    assert started("--pdb")[:3] == ["pytest", "-n", "0"]
    assert started()[3:6] == SHARED
    assert started()[-2:] == ["--durations=25", "--durations-min=5"]
    assert started("--all", "--deals", "3")[-5:] == ["--durations=25", "--durations-min=5", "--all", "--deals", "3"]
    assert "coverage" not in started()


@pytest.mark.parametrize(
    ("arguments", "everything", "page"),
    [([], True, True), (["--all"], True, True), (["--quick"], False, False), (["-k", "x"], False, True)],
)
def test_what_is_checked_before(
    started: Started, checked: list[dict[str, bool]], arguments: list[str], everything: bool, page: bool
) -> None:
    started(*arguments)
    assert checked == [{"everything": everything, "page": page, "whole": "--all" in arguments}]


def test_a_share_is_run_without_the_checks(started: Started, checked: list[dict[str, bool]]) -> None:
    assert started("--share", "3/40")[-2:] == ["--share", "3/40"]
    assert checked == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--quick", "--all"], "not allowed with"),
        (["--share"], "expected one argument"),
        (["--share", "0/3"], "--share takes K/N"),
        (["--whole"], "unrecognized arguments: --whole; there are --quick, --all, --share"),
    ],
)
def test_a_wrong_argument_is_refused_before_anything_is_done(
    started: Started,
    checked: list[dict[str, bool]],
    environment: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(environment, "Environment", lambda extras: SimpleNamespace(update=lambda: None, computed={}))
    monkeypatch.setattr(environment, "chromium", lambda: "chromium")
    monkeypatch.setattr(environment, "PYTHON", sys.executable)
    monkeypatch.setattr(environment, "_check", lambda **what: pytest.fail("it was checked"))
    with pytest.raises(environment.Problem, match=re.escape(said)):
        environment.test(arguments)


def test_lines_are_counted_when_that_is_asked_for(started: Started, environment: ModuleType) -> None:
    left = environment.COVERAGE / "data.of.before"
    environment.COVERAGE.mkdir()
    left.touch()
    for arguments in ([], ["--no-browser"], ["--quick", "tests/core"], ["-k", "x"]):
        plain = started(*arguments)
        counted = started("--coverage", *arguments)
        assert counted == ["coverage", "run", f"--rcfile={ROOT / 'pyproject.toml'}", "-m", *plain]
    assert not left.exists()
    assert os.environ["COVERAGE_FILE"] == str(environment.COVERAGE / "data")
    assert os.environ["COVERAGE_CORE"] == ("sysmon" if sys.version_info >= (3, 12) else "ctrace")


def test_whoever_chooses_how_lines_are_counted_gets_that(started: Started) -> None:
    os.environ["COVERAGE_CORE"] = "pytrace"
    started("--coverage")
    assert os.environ["COVERAGE_CORE"] == "pytrace"


def test_the_help_names_every_argument_of_ours(environment: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        environment.test(["--help"])
    named = {*re.findall(r"--[a-z-]+", capsys.readouterr().out)}
    assert {"--no-browser", "--quick", "--coverage", "--all", "--share", "--deals"} <= named


# --- The table ---


def test_the_least_covered_come_first_and_the_sum_last() -> None:
    modules: list[tuple[str, int, list[int]]] = [
        ("src/all.py", 9, []),
        ("src/none.py", 4, [1, 2, 3, 4]),
        ("src/most.py", 300, [7]),
        ("src/half.py", 10, [1, 2, 3, 4, 5]),
        ("src/empty.py", 0, []),
    ]
    *rows, total, _ = table(modules, shown=2)
    assert rows == [
        "  0 %      4 of     4 lines left out  src/none.py",
        " 50 %      5 of    10 lines left out  src/half.py",
    ]
    assert total == " 96 %     10 of   323 lines left out, 5 modules, 1 more that are not all covered"
    assert list(table(modules))[2] == " 99 %      1 of   300 lines left out  src/most.py"


INNER = ["tests/core/test_bits.py", "tests/cli/test_help.py::test_help_waits_for_no_large_library"]
"""Tests that run lines of ours in a worker of pytest, and in a process of their own."""


@pytest.mark.slow
@runs.whole
def test_all_processes_count_and_the_last_line_is_that_of_pytest(tmp_path: Path) -> None:
    coverage = pytest.importorskip("coverage")
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={ROOT / 'pyproject.toml'}", "-m", "pytest"]
    ran = subprocess.run(
        [*command, "-n", "1", "-p", "no:cacheprovider", *INNER],
        cwd=ROOT,
        # What says that we are a worker of pytest is not for one that is its own.
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))},
            "COVERAGE_FILE": str(tmp_path / "data"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    head, _, said = ran.stdout.partition("least covered modules")
    *rows, total, kernels, last = said.splitlines()
    assert " passed" not in head
    assert re.fullmatch(r"=+ \d+ passed in .* =+", last)
    assert kernels.startswith("Kernels count where tests run them as plain Python")
    assert re.match(r" +\d+ % .* lines left out, \d+ modules", total)
    assert len(rows) > 10
    data = coverage.CoverageData(str(tmp_path / "data"))
    data.read()
    counted = {Path(file).relative_to(SOURCES).as_posix(): data.lines(file) for file in data.measured_files()}
    assert inspect.getsourcelines(lowest_bit)[1] + 3 in counted["core/bits.py"]
    assert counted["cli/simulate.py"], "a test has asked for its help, in a process of its own"
    assert not counted["cli/tune.py"], "none of the tests has asked for that"


def test_what_the_package_was_called_before_is_taken_out(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = tmp_path / "lib/python3.11/site-packages"
    kept = ["numba-1.0.dist-info", "ziggurat_games-0.2.0.dist-info"]
    for name in [*kept, "ziggurat-0.1.0.dist-info"]:
        (places / name).mkdir(parents=True)
        (places / name / "METADATA").touch()
    monkeypatch.setattr(environment, "VENV", tmp_path)
    environment.Environment._remove_old_name()
    assert sorted(path.name for path in places.iterdir()) == kept

"""What a run says of itself: how far it is, what failed, where its seconds went; and which tests it takes."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests import runs
from tests.docs.pages import ROOT
from tests.progress import TICKS, Clock, Seconds, by_kind

TESTS = """
import pytest
from tests.runs import each, whole

@pytest.mark.parametrize("number", each(range(4), often=[0, 3]))
def test_numbers(number):
    assert number != 3, "three is wrong"

@whole
def test_long():
    assert False, "long is wrong"
"""


def ran(folder: Path, *arguments: str) -> str:
    """What pytest says of these tests, in processes of its own."""
    (folder / "test_some.py").write_text(TESTS)
    plugins = ("-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder))
    command = [
        sys.executable,
        "-m",
        "pytest",
        *plugins,
        "-o",
        f"cache_dir={folder / 'cache'}",
        "-o",
        "testpaths=",
        *arguments,
    ]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def test_every_change_runs_what_is_not_for_the_whole_alone(tmp_path: Path) -> None:
    said = ran(tmp_path, str(tmp_path))
    assert "1 failed, 1 passed, 3 deselected" in said
    assert re.search(r"^FAILED .*test_numbers\[3\] \(call, .* s\): AssertionError: three is wrong", said, re.MULTILINE)
    assert said.index("three is wrong") < said.index("= FAILURES =")


@runs.whole
def test_the_whole_runs_all_and_a_name_is_enough(tmp_path: Path) -> None:
    assert "2 failed, 3 passed" in ran(tmp_path, "--all", str(tmp_path))
    assert "1 failed" in ran(tmp_path, f"{tmp_path / 'test_some.py'}::test_long")


@runs.whole
def test_shares_are_all_of_the_rest_and_name_their_command(tmp_path: Path) -> None:
    said = [ran(tmp_path, "--share", f"{part}/3", str(tmp_path)) for part in (1, 2, 3)]
    assert (
        sum(int(number) for one in said for number in re.findall(r"(\d+) (?:passed|failed)", one.splitlines()[-1])) == 3
    )
    [failed] = [part for part, one in enumerate(said, 1) if "long is wrong" in one]
    assert f"./test --share {failed}/3" in said[failed - 1]


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "a/b", "1/0", "-1/3"])
def test_a_wrong_share_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="--share takes K/N"):
        runs.share_of(text)


def test_who_names_a_parameter_that_is_none_is_told() -> None:
    with pytest.raises(AssertionError, match="are none of"):
        runs.each([1, 2], often=[3])


def test_the_clock_counts_what_ended_and_what_nobody_waits_for() -> None:
    clock = Clock()
    if not clock._last:
        pytest.skip("this system does not say what processes compute")
    before = clock.read()
    work = "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    subprocess.run([sys.executable, "-c", work], check=True)
    cut = 4 / TICKS  # the system tells whole ticks of four counters
    assert clock.read() - before >= 0.3 - cut
    began = time.process_time()
    while time.process_time() - began < 0.1:
        pass
    assert clock.read() - before >= 0.4 - cut


def test_the_dearest_kind_comes_first() -> None:
    of = {"a": Seconds(2, 9.0, 1.0, "server"), "b": Seconds(3, 9.0, 1.5, "server"), "c": Seconds(1, 1.0, 1.0, "core")}
    assert by_kind(of, {"Types": 2.0}) == [
        (2.5, "tests: server (5 in 2 files)"),
        (2.0, "Types"),
        (1.0, "tests: core (1 in 1 files)"),
    ]


def test_what_is_left_for_later_is_there() -> None:
    """A line that names nothing any more would leave a new test of that name out of every run of a change."""
    for line in runs.LATER:
        file, _, name = line.partition("::")
        assert f"def {name.partition('[')[0]}" in (ROOT / file).read_text(encoding="utf-8"), line

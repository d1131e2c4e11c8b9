"""What `ziggurat check` says: of what is wrong the first lines, apart from what a program reads, and how many more."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.fixtures import Cli

from ziggurat.cli.check import SHOWN
from ziggurat.server.checking import Checked


@pytest.mark.parametrize("number", [0, 1, SHOWN, SHOWN + 3])
def test_the_first_that_is_wrong_is_told_and_how_many_more(
    number: int, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Checked(tables=7, played=5, moves=90, finished=4, others=2, references=12)
    for row in range(number):
        found.add("log", "changes", f"t{row}", "is another move", row)
    monkeypatch.setattr("ziggurat.server.checking.check_database", lambda *_: found)
    ran = cli("check", "--data", str(tmp_path))
    assert ran.code == (1 if number else 0)
    said = [f"changes t{row}, change {row}: is another move" for row in range(min(number, SHOWN))]
    assert ran.err.splitlines() == [*said, *(["... and 3 more"] if number > SHOWN else [])]
    [summary] = ran.out.splitlines()
    assert summary.startswith(
        "7 tables; 5 games played again, 90 moves; 4 results; 12 kinds of references. 2 games were"
    )
    assert summary.endswith(f"{number} are wrong." if number else "Everything agrees.")

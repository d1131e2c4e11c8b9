"""What `ziggurat check` says: of what is wrong the first lines, apart from what a program reads, and how many more."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.fixtures import Cli

from ziggurat.cli.features.copies.check import MOST_FAULTS_SHOWN
from ziggurat.server.features.copies.checking import Checked


@pytest.mark.parametrize("number", [0, 1, MOST_FAULTS_SHOWN, MOST_FAULTS_SHOWN + 3])
def test_the_first_that_is_wrong_is_told_and_how_many_more(
    number: int, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Checked(tables=7, dealt=7, played=5, moves=90, finished=4, others=2, references=12)
    for row in range(number):
        found.add("log", "changes", f"t{row}", "is another move", row)
    monkeypatch.setattr("ziggurat.server.features.copies.checking.check_database", lambda *_: found)
    ran = cli("check", "--data", str(tmp_path))
    assert ran.code == (1 if number else 0)
    said = [f"changes t{row}, change {row}: is another move" for row in range(min(number, MOST_FAULTS_SHOWN))]
    assert ran.err.splitlines() == [*said, *(["... and 3 more"] if number > MOST_FAULTS_SHOWN else [])]
    lines = ran.out.splitlines()
    assert lines[:3] == [
        "judged: 5 of 7 games played again from their logs (90 moves, 4 results); "
        "12 of 12 kinds of references looked up",
        "not judged: 2 games (of other rules, or of games that are not here)",
        "believed from the database: names, words and times of people; the kept views of finished games; "
        "that no rows are gone that nothing names",
    ]
    assert lines[3:] == ([f"{number} are wrong."] if number else [])


@pytest.mark.parametrize(
    ("dealt", "copy", "code", "said"),
    [
        (0, False, 1, "the database is not verified: no game was begun in it"),
        (3, False, 1, "the database is not verified: none of its games could be played again"),
        (3, True, 1, "night is not verified: none of its games could be played again"),
        (0, True, 0, "Nothing to play again: no game was begun yet."),
    ],
)
def test_where_no_game_was_judged(
    dealt: int, copy: bool, code: int, said: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Checked(tables=3, dealt=dealt, others=dealt, references=12, rows=40 if copy else None)
    monkeypatch.setattr("ziggurat.server.features.copies.checking.check_database", lambda *_: found)
    monkeypatch.setattr("ziggurat.server.features.copies.checking.check_copy", lambda *_: found)
    ran = cli("check", *(["night"] if copy else []), "--data", str(tmp_path))
    assert ran.code == code
    assert said in ran.out + ran.err
    assert ("40 of 40 rows counted" in ran.out) is copy

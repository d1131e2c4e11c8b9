"""The example of a bot as a program plays legally, and not stupidly."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from tests import runs

from ziggurat.lab.tournament import tournament

EXAMPLE = Path(__file__).parents[3] / "examples/architect.py"


@runs.whole
def test_the_bot_that_is_a_program_beats_chance() -> None:
    text = f"mine=cmd:{shlex.quote(sys.executable)} -I -S {EXAMPLE}"
    rows = tournament("architects", ["random", text], players=2, games=20, seed=1).rows
    mine = rows.filter(rows["bot"] == "mine")
    assert mine["failure"].to_list() == [None] * 20
    assert mine["win"].sum() >= 13

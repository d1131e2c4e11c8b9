"""The example of a bot in another language plays legally, and not stupidly."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests import runs

from ziggurat.lab.tournament import tournament

pytestmark = [pytest.mark.slow, runs.whole]

EXAMPLE = Path(__file__).parents[3] / "examples/alhambra.mjs"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_bot_for_node_beats_chance() -> None:
    rows = tournament("alhambra", ["random", f"node=cmd:node {EXAMPLE}"], players=2, games=8, seed=1).rows
    mine = rows.filter(rows["bot"] == "node")
    assert mine["failure"].to_list() == [None] * 8
    assert mine["win"].sum() >= 7

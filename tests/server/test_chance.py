"""The tests' own chance: what a test is dealt follows from its name alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests import chance, runs
from tests.server.player import visitor
from tests.server.process import server

from ziggurat.core.seed import parse_seed


async def dealt(data: Path) -> tuple[Any, list[int]]:
    """What somebody sees at a new table of a new server, and what bots chose before it was their turn."""
    with server(data) as running:
        async with visitor(running.base, "Ann") as ann:
            table = await ann.table("me", "mason", "random")
            async with ann.at(table["id"]) as live:
                assert await live.turn()
                return live.state["view"], [choice["action"] for choice in live.legal]


@runs.whole
async def test_every_server_deals_the_same_to_a_test(tmp_path: Path, monkeypatch: Any) -> None:
    now = tmp_path / "now"
    monkeypatch.setenv(chance.NOW, str(now))
    chance.tell("1", "one test")
    first = await dealt(tmp_path / "first")
    assert await dealt(tmp_path / "again") == first
    chance.tell("1", "another test")
    assert await dealt(tmp_path / "other") != first


def test_deals_of_a_test_differ_and_there_are_others() -> None:
    """In this process too."""
    seeds = set[bytes]()
    for deals in "1", "2":
        chance.tell(deals, "a test")
        seeds |= {parse_seed(None) for _ in range(3)}
    assert len(seeds) == 6

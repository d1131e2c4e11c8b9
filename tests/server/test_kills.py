"""The command that kills and fills while people play: its seed says what happens, and it finds what is wrong."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks import kills, steadfast
from benchmarks.kept import look
from benchmarks.kills import Event, House, Run, plan, plan_alone
from tests import runs
from tests.server.process import copied

pytestmark = pytest.mark.slow


def test_the_same_seed_is_the_same_events() -> None:
    events = plan(1, 200, 20, 10, disk=True)
    assert events == plan(1, 200, 20, 10, disk=True) != plan(2, 200, 20, 10, disk=True)
    count = Counter(event.kind for event in events)
    both = count["both workers and the database killed"]
    assert count["a worker killed"] + 2 * count["both workers killed"] + 2 * both == 200
    assert count["the database killed"] + both == 20
    assert (count["the parent killed"], count["a full disk"]) == (10, 5)
    assert "a full disk" not in {event.kind for event in plan(1, 5, 5, 5, disk=False)}
    assert len(plan_alone(1, 7, disk=False)) == 7


@runs.whole
async def test_what_is_lost_doubled_or_shown_otherwise_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server is killed while people play. What they were told agrees with its database, until that is changed."""
    monkeypatch.setenv("ZIGGURAT_PREPARE", "0")
    monkeypatch.setattr(steadfast, "PAUSE", (0.0, 0.1))
    monkeypatch.setattr(steadfast, "BACK", (0.1,))
    monkeypatch.setattr(kills, "launch", copied)
    house = House(tmp_path / "data", None, None, 1)
    run = Run(house, 1, 2)
    try:
        await run.play([Event("killed and started", 0.5)], lambda _: None)
        await run.at_rest()
    finally:
        house.process.kill()
        house.process.wait()
    looked = run.compare()
    assert not run.tally.findings
    assert looked["starts"] == 2
    assert looked["acknowledged"] >= 2
    assert min(looked["views"], looked["events"]) > looked["acknowledged"]
    assert len(run.tally.waits["killed and started"]) >= 2
    assert {answer for _, _, answer in run.tally.answers} <= {"200", "201", "101", "503", "refused", "cut"}

    [(id, told), *_] = [(id, told) for id, told in run.world.tables.items() if told.acknowledged]
    _, first, seq = told.acknowledged[0]
    told.acknowledged.append((0, first, seq))
    told.views[told.acknowledged[-1][0]][seq] = b"another"
    told.refused.add(first.id)
    told.heard[0][2].append(b"more")
    says = "\n".join(look(house.settings, run.world.tables).findings)
    for wrong in ("was refused, and done", "another position", "heard of", f"was acknowledged as {seq} after"):
        assert wrong in says
    with closing(sqlite3.connect(tmp_path / "data" / "ziggurat.db")) as connection, connection:
        connection.execute("DELETE FROM changes WHERE table_id = ? AND seq = ?", (id, seq))
    says = "\n".join(look(house.settings, run.world.tables).findings)
    for wrong in ("is lost", "the log has gaps", "a change of its log is missing"):
        assert wrong in says
    run.tally.answers[steadfast.CALM, "GET /", "500"] += 1
    run.tally.answers["a renewal", "GET /", "cut"] += 1
    run.compare()
    for wrong in ("GET / was answered 1 times by 500 (nothing)", "GET / was answered 1 times by cut (a renewal)"):
        assert run.tally.findings[wrong] == 1

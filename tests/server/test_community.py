"""A simulated community finds each other, and nobody is told anything twice or at night."""

from __future__ import annotations

import pytest
from benchmarks.community import MINUTE, Community
from tests import runs

from ziggurat.server.features.open_tables import find
from ziggurat.server.features.open_tables import rows as open_tables


def test_people_find_each_other_and_are_told_once() -> None:
    report = Community(25, 5, seed=3).run()
    assert report.began > 20
    assert report.together > 5
    assert report.late > 0
    assert report.median("live") < 5 * MINUTE
    assert report.share > 0.9
    assert sum(kind == "open" for _, kind, _ in report.told) > 10
    assert (report.twice, report.hushed) == (0, 0)


@runs.whole
def test_the_same_seed_is_the_same_community() -> None:
    one, other = (Community(12, 3, seed=5).run() for _ in range(2))
    assert (one.waits, one.gave_up, one.began, one.finished) == (
        other.waits,
        other.gave_up,
        other.began,
        other.finished,
    )
    opened = [sorted(person for person, kind, _ in report.told if kind == "open") for report in (one, other)]
    assert opened[0] == opened[1]


@runs.whole
def test_it_shows_what_becomes_of_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no bot comes for long, people wait for long."""
    monkeypatch.setitem(find.WAIT_SECONDS, "live", 1800)
    assert Community(25, 5, seed=3).run().median("live") > 5 * MINUTE


@runs.whole
def test_it_finds_who_is_told_of_table_after_table(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Community(25, 5, seed=3).run()
    monkeypatch.setattr(open_tables, "WISH_APART_SECONDS", 0.0)
    often = Community(25, 5, seed=3).run()
    assert sum(often.told.values()) > 1.5 * sum(usual.told.values())

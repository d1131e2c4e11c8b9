"""Every game ends, whoever comes, sleeps, vanishes or returns, and the log says why a bot plays for somebody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.ten_days import MONDAY, House, TenDays
from tests.server.watch import Watch

pytestmark = pytest.mark.slow


async def test_ten_days(tmp_path: Path, watch: Watch) -> None:
    watch.now = MONDAY
    days = TenDays(House(tmp_path), tables=4, seed=5, watch=watch)
    await days.play()
    assert days.did["bots told"], "somebody was never seen"
    # That the log says why is looked at indeed.
    last = max(days.tables, key=lambda table: sum(change.kind == "timeout" for change in table.changes))
    silent = tuple(change for change in last.changes if change.kind != "timeout")
    with pytest.raises(AssertionError, match="why does a bot play"):
        days.check_log(replace(last, changes=silent))

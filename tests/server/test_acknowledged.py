"""A move is acknowledged together with the news of it, and the news of others with nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ziggurat.server.domain.table import LogEntry
from ziggurat.server.live.delta import encode
from ziggurat.server.live.hub import Connection
from ziggurat.server.live.messages import Ack

NEWS = b"the news"


@pytest.mark.parametrize(
    ("moves", "last", "told"),
    [
        ("m7", LogEntry(5, 0.0, "move", 1, "m7"), [NEWS, encode(Ack("m7", 5))]),
        ("m7", LogEntry(5, 0.0, "move", 1, "another"), [NEWS]),
        ("m7", LogEntry(5, 0.0, "move", 0, "m7"), [NEWS]),
        (None, LogEntry(5, 0.0, "move", 1), [NEWS]),
    ],
)
def test_a_move_is_acknowledged_with_its_news(moves: str | None, last: LogEntry, told: list[bytes]) -> None:
    changes = (LogEntry(4, 0.0, "move", 0, "m6"), last)
    sent: list[bytes] = []
    one: Any = SimpleNamespace(
        sent=object(),
        last_seq=4,
        moves=moves,
        seat=1,
        acknowledged=None,
        _free=lambda: True,
        _may_see=lambda _table: True,
        _frame=lambda _table, _snapshot: NEWS,
        _pass_by=lambda *texts: sent.extend(texts),
    )
    snapshot: Any = SimpleNamespace(table=SimpleNamespace(seq=5, changes=changes))
    Connection.push(one, snapshot)
    assert sent == told
    assert one.acknowledged == (moves if len(told) > 1 else None)

"""Who follows the list of open tables is dropped when they sign out, and nobody else is."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from ziggurat.server.features.open_tables.live import Follower, OpenTablesHub


class Transport:
    """Notes how it was closed."""

    closed: int | None = None

    def close(self, code: int, reason: str) -> None:
        self.closed = code


@pytest.mark.parametrize(
    ("device", "dropped"),
    [("", ["Ann at home", "Ann outside"]), ("outside", ["Ann outside"]), ("nowhere", [])],
)
def test_those_are_dropped_who_are_signed_out(device: str, dropped: list[str]) -> None:
    sign_out: list[Callable[[str, str], None]] = []
    given_back: list[Any] = []
    hub: Any = SimpleNamespace(
        quota=SimpleNamespace(give_back=given_back.append), bus=SimpleNamespace(on_sign_out=sign_out)
    )
    listed: Any = SimpleNamespace(on_change=[])
    follow = OpenTablesHub(listed, hub)
    there: dict[str, Any] = {}
    for person, place in (("Ann", "at home"), ("Ann", "outside"), ("Bob", "outside"), (None, "outside")):
        name = f"{person} {place}"
        follower = Follower(follow, person, place.removeprefix("at "), (("keys", name),))
        follower.transport = there[name] = Transport()  # type: ignore[assignment]
        follow.enter(follower)
    [told] = sign_out
    told("Ann", device)
    assert {name: one.closed for name, one in there.items() if one.closed} == dict.fromkeys(dropped, 4401)
    assert sorted(given_back) == [(("keys", name),) for name in dropped]
    assert follow.sockets() == 4 - len(dropped)

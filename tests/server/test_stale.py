"""A worker that has not heard yet what another has done refuses nothing by what it remembers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.example import EXAMPLE
from tests.server.fixtures import MOSTLY_SQLITE
from tests.server.test_clock import PEOPLE

from ziggurat.server import api
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.seating import Join, join, leave
from ziggurat.server.domain.start import start_by
from ziggurat.server.domain.table import Table
from ziggurat.server.live import socket
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate

DATABASES = MOSTLY_SQLITE
ANN, BOB, CID = PEOPLE[:3]


class DeafBus(Bus):
    """Of other workers nothing is heard."""

    shared = True


@pytest.fixture
async def two(tmp_path: Path, own_url: str | None) -> AsyncIterator[tuple[TableService, TableService, Table]]:
    """Two workers that know a table of Ann's, where one seat is free."""
    settings = Settings(data=tmp_path, database_url=own_url)
    database = open_database(settings)
    await migrate(database, None)
    await database.open()
    try:
        for person in (ANN, BOB, CID):
            await database.write(lambda c, person=person: people.insert(c, person, person.id))  # type: ignore[misc]
        one, other = (TableService(settings, database, DeafBus(settings), CompiledRules(settings)) for _ in range(2))
        table = await one.add(create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], start=False), ANN), "here")
        await other.get(table.id)
        yield one, other, table
    finally:
        await database.close()


def sits(table: Table, person: Any) -> Any:
    return lambda t: join(t, Join(table.invite or "", person.name), person)


async def test_what_another_worker_has_made_possible_is_not_refused(
    two: tuple[TableService, TableService, Table],
) -> None:
    one, other, table = two
    await one.change(table.id, sits(table, BOB))
    assert (await other.get(table.id)).seat_of(BOB.id) is None, "this one has not heard"
    # Bob comes by the other one, and gets up there; Cid sits down where he sat as this one knows.
    assert (await other.change(table.id, lambda t: leave(t, BOB.id))).seat_of(BOB.id) is None
    assert (await one.change(table.id, sits(table, CID))).seat_of(CID.id) is not None
    assert (await other.change(table.id, lambda t: start_by(t, ANN.id))).status == "playing"


async def test_what_was_done_already_is_done_again_if_another_worker_has_undone_it(
    two: tuple[TableService, TableService, Table],
) -> None:
    one, other, table = two
    await one.change(table.id, sits(table, BOB))
    other.evict(table.id)
    assert (await other.get(table.id)).is_member(BOB.id)
    await one.change(table.id, lambda t: leave(t, BOB.id))
    await other.change(table.id, sits(table, BOB))
    one.evict(table.id)
    assert (await one.get(table.id)).seat_of(BOB.id) is not None


async def test_what_is_refused_is_refused_once_and_for_its_reason(
    two: tuple[TableService, TableService, Table],
) -> None:
    one, other, table = two
    await one.change(table.id, sits(table, BOB))
    with pytest.raises(Problem, match="No seat is free"):
        await other.change(table.id, sits(table, CID))
    asked = 0

    def never(table: Table) -> Table:
        nonlocal asked
        asked += 1
        raise Problem(409, "never", "Never.")

    with pytest.raises(Problem, match="Never"):
        await other.change(table.id, never)
    assert asked == 1, "this worker knew the newest state"


async def test_who_comes_by_another_worker_is_shown_what_is_so(two: tuple[TableService, TableService, Table]) -> None:
    one, other, table = two
    await one.change(table.id, sits(table, BOB))
    assert (await other.newest(table.id)).is_member(BOB.id)
    assert (await other.get(table.id)).is_member(BOB.id), "it is remembered"


def test_whoever_asks_for_a_table_is_answered_by_its_newest_state() -> None:
    server = Path(api.__path__[0]).parent
    places = [
        *server.glob("api/*.py"),
        *server.glob("features/*/*routes.py"),
        *server.glob("features/*/streams.py"),
        Path(socket.__file__),
    ]
    by_memory = [place.name for place in places if "table_service.get(table_id)" in place.read_text()]
    assert not by_memory, "these know what this worker has heard: TableService.newest"


async def test_the_notice_of_ones_own_change_makes_nobody_read_it_again(
    two: tuple[TableService, TableService, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may come before the answer that the change is written, or after it."""
    one, _, table = two
    news: list[tuple[int, bool]] = []
    one.bus.on_change.append(lambda id, seq, changed: news.append((seq, changed is not None)))
    write = one.database.write

    async def told_first(job: Any, **more: Any) -> Any:
        answer = await write(job, **more)
        one.bus.heard_of(table.id, table.seq + 1)
        return answer

    with monkeypatch.context() as early:
        early.setattr(one.database, "write", told_first)
        new = await one.change(table.id, sits(table, BOB))
    assert new.seq == table.seq + 1
    one.bus.heard_of(table.id, new.seq)
    assert news == [(new.seq, True)]

    # What another worker does meanwhile is heard, whether ours is written or not.
    async def overtaken(job: Any, **more: Any) -> Any:
        answer = await write(job, **more)
        one.bus.heard_of(table.id, new.seq + 2)
        return answer

    with monkeypatch.context() as both:
        both.setattr(one.database, "write", overtaken)
        await one.change(table.id, lambda t: leave(t, BOB.id))
    assert news[1:] == [(new.seq + 1, True), (new.seq + 2, False)]

    async def lost(*given: Any, **more: Any) -> bool:
        one.bus.heard_of(table.id, new.seq + 3)
        return False

    with monkeypatch.context() as slower:
        slower.setattr(one, "_write", lost)
        with pytest.raises(Problem):
            await one.change(table.id, sits(table, CID))
    assert news[3:] == [(new.seq + 3, False)]

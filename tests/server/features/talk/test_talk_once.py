"""A line of talk is one write, which says all that is needed to tell it on; what is refused costs nobody anything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.example import EXAMPLE
from tests.server.inside import application, house
from tests.server.player import visitor

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.talk import rows as talk
from ziggurat.server.features.talk.relay import _known
from ziggurat.server.features.talk.rules import LINE_RATES, Line
from ziggurat.server.features.talk.service import TalkService, Told
from ziggurat.server.problems import Problem
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.database import Database

pytestmark = pytest.mark.slow

ANN = Person("ann", "Ann", "en")


async def test_a_line_is_one_write_until_all_have_heard_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trips: list[str] = []
    for kind in ("read", "write"):
        real = getattr(Database, kind)

        async def counted(this: Database, job: Any, kind: str = kind, real: Any = real, **how: Any) -> Any:
            if "features.talk" in getattr(job, "__module__", ""):
                trips.append(kind)
            return await real(this, job, **how)

        monkeypatch.setattr(Database, kind, counted)
    async with house(Settings(data=tmp_path, prepare=False)) as port:
        base = f"http://127.0.0.1:{port}"
        async with visitor(base, "Ann") as ann, visitor(base) as bob:
            table = await ann.table("me", "open")
            await bob.join(table, "Bob")
            async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
                for n in range(3):
                    assert (await a.reply(type="say", text=f"line {n}"))["type"] == "ack"
                await b.until(lambda: len(said(b.messages)) == 3)
                await a.until(lambda: len(said(a.messages)) == 3)
                assert said(b.messages) == said(a.messages) == ["line 0", "line 1", "line 2"]
    assert trips == ["write"] * 3


def said(messages: list[dict[str, Any]]) -> list[str]:
    return [message["line"]["text"] for message in messages if message["type"] == "said"]


def told(at: int, before: int, *deaf: str) -> Told:
    return Told(Line(at, "ann", 0, "Ann", "table", "", str(at)), before, frozenset(deaf))


def test_lines_are_told_on_from_memory_only_where_none_lies_between() -> None:
    found = _known([told(5, 3, "bob"), told(7, 5, "cid")], 3)
    assert found is not None
    assert [line.at for line in found[0]] == [5, 7]
    assert found[1] == {("bob", "ann"), ("cid", "ann")}
    assert _known([], 3) is None
    assert _known([told(3, 1)], 3) is None, "it was sent already"
    assert _known([told(5, 4)], 3) is None, "one that was not heard of lies between"
    assert _known([told(7, 5), told(5, 3)], 3) is None, "they are read in their order"


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[TalkService]:
    app = application(tmp_path)
    async with app.lifespan():
        found = app.parts["talk_service"]
        assert isinstance(found, TalkService)
        await found.database.write(lambda c: people.insert(c, ANN, "token"))
        yield found


async def laid(service: TalkService) -> Table:
    seats = [NewSeat("me"), NewSeat("open")]
    return await service.table_service.add(create(NewTable(EXAMPLE, seats), ANN), "127.0.0.1")


async def says(service: TalkService, table: Table, id: str, text: str = "Hello") -> None:
    await service.say(table.id, ANN.id, ANN.id, "127.0.0.1", id, None, text)


async def test_what_is_refused_or_repeated_uses_nothing_of_what_an_address_may_say(service: TalkService) -> None:
    table, bucket = await laid(service), service.rate_limits.talk
    bucket.clock = lambda: 1000.0  # nothing comes back meanwhile
    most, _ = LINE_RATES[0]
    for n in range(most):
        await says(service, table, f"m{n}")
    used = dict(bucket._whole)
    await says(service, table, "m0")
    with pytest.raises(Problem, match="go on in") as refused:
        await says(service, table, "more")
    assert refused.value.code == "talk_fast"
    assert bucket._whole == pytest.approx(used)


async def test_what_was_said_is_acknowledged_again_also_when_an_address_has_said_very_much(
    service: TalkService, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await laid(service)
    await says(service, table, "first")
    monkeypatch.setattr(service.rate_limits.talk, "use", lambda _: 10.0)
    await says(service, table, "first")
    with pytest.raises(Problem) as refused:
        await says(service, table, "second")
    assert refused.value.code == "talk_fast"


async def test_a_refusal_takes_nothing_with_it_that_is_written_at_the_same_moment(
    service: TalkService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits to be written is one transaction: nothing of it is done twice because a line is refused."""
    table, tries = await laid(service), 0
    monkeypatch.setattr("ziggurat.server.features.talk.service.must_not_hurry", refuse)

    def other(_: Any) -> None:
        nonlocal tries
        tries += 1

    answers = await asyncio.gather(
        service.database.write(other), says(service, table, "x"), service.database.write(other), return_exceptions=True
    )
    assert isinstance(answers[1], Problem)
    assert tries == 2
    assert await service.database.read(lambda c: talk.after(c, table.id, 0)) == []


def refuse(*_: object) -> None:
    raise Problem(429, "talk_fast", "Later.")

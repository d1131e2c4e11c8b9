"""Hints are thought about once for each question, and what others do meanwhile takes none away: without a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import msgspec
import pytest
from tests.example import EXAMPLE, needs
from tests.server.test_undo_rules import ANN, BOB, whole_move

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.guards import asked_since, same_question
from ziggurat.server.domain.move import move
from ziggurat.server.domain.seating import Join, join, leave
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.domain.undo import answer, undo
from ziggurat.server.problems import Problem
from ziggurat.server.services import search_pool
from ziggurat.server.services.advice import AdviceService
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import ClientKey
from ziggurat.server.services.search_pool import SearchPool, SearchProcessError
from ziggurat.server.services.search_process import ANSWER_MARK, FAILURE_MARK, Advise, Question
from ziggurat.server.settings import Settings

WHO = ClientKey("1.2.3.4", "a")


class Head:
    """A process that thinks until it is told what to say."""

    def __init__(self) -> None:
        self.asked: list[Advise] = []
        self.says: asyncio.Queue[bytes] = asyncio.Queue()

    async def ask(self, question: Question) -> bytes:
        assert isinstance(question, Advise)
        self.asked.append(question)
        return await self.says.get()

    def say(self, answer: str, how: bytes = ANSWER_MARK) -> None:
        self.says.put_nowait(how + msgspec.json.encode(answer))


@pytest.fixture
def head(monkeypatch: pytest.MonkeyPatch) -> Head:
    head = Head()
    monkeypatch.setattr(search_pool._Process, "ask", lambda _, question: head.ask(question))
    monkeypatch.setattr(CompiledRules, "can_search", lambda *_: True)
    return head


@pytest.fixture
async def advice_service(head: Head) -> AsyncIterator[AdviceService]:
    pool = SearchPool(1)
    yield AdviceService(CompiledRules(Settings()), pool)
    await pool.close()


def two(game: str = EXAMPLE) -> Table:
    """A game of two people in which hints are allowed."""
    table = create(NewTable(game, [NewSeat("me"), NewSeat("open")], hints=True), ANN)
    assert table.invite
    return start(join(table, Join(table.invite, "Bob"), BOB))


def moved(table: Table, seat: int) -> Table:
    return move(table, seat, f"move {table.seq}", table.seq, whole_move(table, seat))


def taken_back(table: Table) -> Table:
    wish = undo(table, 0, "undo")
    return answer(wish, 1, "yes", agree=True) if wish.undo else wish


def asking(advice_service: AdviceService, table: Table, seat: int) -> asyncio.Task[object]:
    """Somebody who waits for a hint."""

    async def wait() -> object:
        return msgspec.json.decode(await advice_service.hint(table, seat, table.seq, 1.0, WHO))

    return asyncio.create_task(wait())


async def until_asked(head: Head, count: int) -> None:
    async with asyncio.timeout(60):
        while len(head.asked) < count:
            await asyncio.sleep(0)


async def test_a_question_is_thought_about_once(advice_service: AdviceService, head: Head) -> None:
    table = two()
    seat = table.actors[0]
    waiting = [asking(advice_service, table, seat) for _ in range(3)]
    await until_asked(head, 1)
    waiting[0].cancel()  # whoever stops waiting leaves the others their answer
    head.say("wait")
    assert await asyncio.gather(*waiting[1:]) == ["wait", "wait"]
    assert await asking(advice_service, table, seat) == "wait"
    # What alters no position alters no question.
    assert await asking(advice_service, leave(table, table.seats[1 - seat].person or ""), seat) == "wait"
    assert len(head.asked) == 1


async def test_another_question_ends_the_thought_about_the_last(advice_service: AdviceService, head: Head) -> None:
    table = two()
    seat = table.actors[0]
    first = asking(advice_service, table, seat)
    await until_asked(head, 1)
    later = moved(table, seat)
    while seat not in later.actors:
        later = moved(later, later.actors[0])
    second = asking(advice_service, later, seat)
    with pytest.raises(Problem) as told:
        await first
    assert told.value.code == "stale"
    head.say("too late")
    head.say("in time")
    assert await second == "in time"
    assert len(head.asked) == 2


async def test_a_thought_that_failed_is_begun_again(advice_service: AdviceService, head: Head) -> None:
    table = two()
    seat = table.actors[0]
    head.say("lost", FAILURE_MARK)
    with pytest.raises(SearchProcessError):
        await asking(advice_service, table, seat)
    head.say("found")
    assert await asking(advice_service, table, seat) == "found"


@needs("ginkgopolis")  # where everybody chooses a card at once
async def test_what_others_choose_at_the_same_time_takes_no_hint_away(
    advice_service: AdviceService, head: Head
) -> None:
    table = two("ginkgopolis")
    assert table.actors == (0, 1)
    early = asking(advice_service, table, 0)
    await until_asked(head, 1)
    table = moved(table, 1)
    late = asking(advice_service, table, 0)
    head.say("gather")
    assert [await early, await late] == ["gather", "gather"]
    steps = whole_move(table, 0)
    assert move(table, 0, "x", asked_since(table, 0), steps).changes[-1].steps == steps, "the question is the same"
    assert len(head.asked) == 1


@needs("ginkgopolis")
def test_a_question_stands_until_one_has_answered_it_or_somebody_answers_alone() -> None:
    table = two("ginkgopolis")
    began = table.seq
    assert [asked_since(table, seat) for seat in (0, 1)] == [began, began]
    table = moved(table, 1)
    assert [asked_since(table, seat) for seat in (0, 1)] == [began, began + 1]
    table = moved(table, 0)
    assert asked_since(table, 0) == began + 2
    assert all(same_question(table, seat, began + 2) and not same_question(table, seat, began) for seat in (0, 1))


@pytest.mark.parametrize("game", [EXAMPLE, pytest.param("ginkgopolis", marks=needs("ginkgopolis"))])
def test_since_when_one_is_asked_follows_from_what_everybody_sees(game: str) -> None:
    """Who moved when, and who has to decide: neither what was played nor what lies on the table."""
    table = two(game)
    for turn in range(12):
        before, mover = table, table.actors[-1]
        table = taken_back(table) if turn == 7 else moved(table, mover)
        for seat in table.actors:
            waited = turn != 7 and seat != mover and seat in before.actors
            assert asked_since(table, seat) == (asked_since(before, seat) if waited else table.seq)
        open_to_all = tuple(LogEntry(c.seq, 0.0, c.kind, c.seat, actors=c.actors) for c in table.changes)
        bare = replace(table, changes=open_to_all, position=None, seed=None)
        assert [asked_since(bare, seat) for seat in (0, 1)] == [asked_since(table, seat) for seat in (0, 1)]

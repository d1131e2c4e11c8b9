"""Thinking apart from serving: whose turn it is to think, for how long, and what happens when a process is lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest
from tests import runs
from tests.example import EXAMPLE, SEATS
from tests.server.player import visitor
from tests.server.process import Server

import ziggurat
from ziggurat import Position
from ziggurat.bots import SEARCHING, Bot, GreedyBot
from ziggurat.bots.levels import RANDOM_PER_MILLE
from ziggurat.core.runtime import prepare
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem
from ziggurat.server.services import search_pool
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import ClientKey, RateLimits
from ziggurat.server.services.search_pool import SearchPool, SearchProcessError, SearchProcessLost
from ziggurat.server.services.search_process import (
    ANSWER_MARK,
    Advise,
    Choose,
    Preload,
    Question,
    ReadFile,
    SentPosition,
)
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow

POSITION = ziggurat.new(EXAMPLE, SEATS, seed=1)
COMPILED, SEARCHES = (f"ziggurat.server.services.{name}" for name in ("compiled_rules", "search_process"))
ADA, BOB = ClientKey("1.2.3.4", "ada"), ClientKey("5.6.7.8", "bob")


@pytest.fixture
async def one() -> AsyncIterator[SearchPool]:
    """One process."""
    pool = SearchPool(1)
    yield pool
    await pool.close()


def choose(key: str = "") -> Choose:
    return Choose(SentPosition.of(POSITION), POSITION.actors[0], "builder", key)


def advise(iterations: int = 10, seconds: float = 5.0) -> Advise:
    return Advise(SentPosition.of(POSITION), POSITION.actors[0], iterations, seconds)


@pytest.mark.parametrize("process", runs.each(["search_process", "compiled_rules"], often=["search_process"]))
def test_a_process_whose_server_was_killed_ends_without_a_word(process: str) -> None:
    """Those that say something to the server; all others have nobody to talk to. Nothing of its own prints a word."""
    code = f"import {COMPILED} as compiled_rules, {SEARCHES} as search_process; "
    code += "compiled_rules.is_compiled = lambda *_: True; "
    code += f"search_process.answer = lambda *_: []; {process}.main()"
    left = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert left.stdin is not None
    assert left.stdout is not None
    assert left.stderr is not None
    left.stdout.close()
    left.stdin.write(msgspec.json.encode(Preload(EXAMPLE)) + b"\n")
    left.stdin.flush()
    assert (left.stderr.read(), left.wait(60)) == (b"", 1)
    left.stdin.close()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """What the processes are asked; they answer at once."""
    questions: list[Question] = []

    async def ask(_: object, question: Question) -> bytes:
        questions.append(question)
        await asyncio.sleep(0)
        return ANSWER_MARK + b"[7]"

    monkeypatch.setattr(search_pool._Process, "ask", ask)
    return questions


async def test_whoever_waited_longest_is_next(one: SearchPool, asked: list[Question]) -> None:
    """Neither many questions nor many names of one address hold up another one."""
    many = [ClientKey(ADA.address, f"guest {number}") for number in range(3)]
    wishes = [one.think(who, choose(f"{who.person} {turn}")) for turn in range(3) for who in many]
    wishes.append(one.think(BOB, choose("bob")))
    assert [bytes(answer) for answer in await asyncio.gather(*wishes)] == [b"[7]"] * 10
    order = [question.key for question in asked if isinstance(question, Choose)]
    assert order.index("bob") == 1
    assert [key for key in order if key != "bob"] == [f"guest {name} {turn}" for turn in range(3) for name in range(3)]


async def test_when_many_wait_all_have_less_time(one: SearchPool, asked: list[Question]) -> None:
    await asyncio.gather(*(one.think(ADA, advise()) for _ in range(10)))
    shares = [question.share for question in asked]
    assert shares[0] == shares[-1] == 1.0
    assert shares[1] == pytest.approx(1 / 9)


async def test_one_person_s_questions_have_a_bound(one: SearchPool, asked: list[Question]) -> None:
    wishes = [asyncio.create_task(one.think(ADA, choose())) for _ in range(search_pool.MOST_WAITING_QUESTIONS + 2)]
    _, refused = await asyncio.gather(asyncio.wait(wishes), asyncio.sleep(0))
    assert refused is None
    problems = [wish.exception() for wish in wishes if wish.exception()]
    assert [problem.code for problem in problems if isinstance(problem, Problem)] == ["still_thinking"]
    assert bytes(await one.think(BOB, choose())) == b"[7]"


async def test_a_question_that_nobody_waits_for_is_not_thought_about(one: SearchPool, asked: list[Question]) -> None:
    first = asyncio.create_task(one.think(ADA, choose("first")))
    gone = asyncio.create_task(one.think(ADA, choose("gone")))
    await asyncio.sleep(0)
    gone.cancel()
    await first
    await one.think(ADA, choose("last"))
    assert [question.key for question in asked if isinstance(question, Choose)] == ["first", "last"]


@runs.whole
async def test_a_process_that_is_lost_is_replaced(one: SearchPool, caplog: pytest.LogCaptureFixture) -> None:
    game = ziggurat.game(EXAMPLE)
    prepare(game)
    prepare(game, program=SEARCHING)  # into the cache, from where the process takes it
    advice = msgspec.json.decode(await one.think(ADA, advise()))
    steps = advice["move"]["steps"]
    assert POSITION.copy().play_all(POSITION.actors[0], [step["action"] for step in steps])
    assert steps[0] == msgspec.to_builtins(POSITION.describe(POSITION.actors[0], [steps[0]["action"]]).steps[0])
    (process,) = one._processes
    assert process.running is not None
    process.running.kill()
    await process.running.wait()
    long = asyncio.create_task(one.think(ADA, advise(10_000_000, 3600.0)))
    while process.running.returncode is not None:
        await asyncio.sleep(0.01)
    process.running.kill()
    with pytest.raises(SearchProcessError):
        await long
    assert msgspec.json.decode(await one.think(BOB, advise()))["chances"]
    begins, over = (said for said in caplog.messages if "the search of bots" in said)
    assert begins.startswith("outage: the search of bots and advisers cannot be used (a process was lost: ")
    assert over.endswith("; meanwhile 1 failed")


async def test_what_cannot_be_answered_says_only_what_kind_of_trouble_it_was(one: SearchPool) -> None:
    question = advise()
    question.moment.state = b"secret"
    with pytest.raises(SearchProcessError) as told:
        await one.think(ADA, question)
    assert "PositionError" in str(told.value)
    assert "secret" not in str(told.value)


async def test_an_answer_has_a_bound(one: SearchPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that reads what strangers wrote does not fill the server's memory."""
    question = ReadFile(EXAMPLE, ziggurat.game(EXAMPLE).components_text())
    monkeypatch.setattr(search_pool, "LARGEST", 100)
    with pytest.raises(SearchProcessLost):
        await one.think(ADA, question)
    monkeypatch.undo()
    assert msgspec.json.decode(await one.think(ADA, question))


async def test_bots_that_are_alone_play_while_somebody_looks_on(base: str, running: Server) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table(*["random"] * SEATS, pace="instant")
        other = await ann.table(*["random"] * SEATS, pace="instant")
        async with ann.at(other["id"]) as live:
            await live.until(lambda: live.state["seq"] > other["seq"] + 3)
        assert (await ann.get(f"/api/tables/{table['id']}"))["seq"] == table["seq"], "nobody has looked"
        async with ann.at(table["id"]) as live:
            await live.until(lambda: live.state["seq"] > table["seq"] + 3)


class Absent:
    """Nobody who could think: they are only counted who are asked to."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def think(self, who: ClientKey, question: Question) -> bytes:
        self.asked.append(question)
        raise SearchProcessError("nobody is here")


@pytest.mark.parametrize(("network", "compiled"), [(False, True), (True, False), (True, True)])
async def test_who_asks_a_network_does_so_beside_the_server(
    network: bool, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the program is compiled, and where nobody can think, the heuristic plays as weakly here."""
    monkeypatch.setattr("ziggurat.bots.levels.has_network", lambda game: network)
    monkeypatch.setattr("ziggurat.bots.fallible.network_of", lambda game: None)
    monkeypatch.setattr(CompiledRules, "can_search", lambda *_: compiled)
    settings, absent, players = Settings(), Absent(), list[Bot]()
    bots = Bots(CompiledRules(settings), cast(SearchPool, absent), RateLimits(settings))
    here = bots._here

    async def noted(position: Position, seat: int, player: Bot, who: ClientKey) -> tuple[int, ...]:
        players.append(player)
        return await here(position, seat, player, who)

    monkeypatch.setattr(bots, "_here", noted)
    position = ziggurat.new(EXAMPLE, SEATS, seed=1)
    seat = position.actors[0]
    places = [SimpleNamespace(bot="mason")] * SEATS
    table = cast(Table, SimpleNamespace(id="a", game=EXAMPLE, position=position, seats=places, deal=None))
    try:
        found = await bots.decide(table, seat, ADA)
    finally:
        bots.close()
    position.play_all(seat, list(found.steps))
    assert len(absent.asked) == (network and compiled)
    [player] = players
    plain = player if isinstance(player, GreedyBot) else player.meanwhile
    assert isinstance(plain, GreedyBot)
    assert plain.random == RANDOM_PER_MILLE["mason"]
    assert isinstance(player, GreedyBot) is network

"""Files of components are read in a process beside: the same is said of them, and nobody's moves wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.example import EXAMPLE, GAME, SEATS
from tests.server.inside import house
from tests.server.player import visitor

import ziggurat
from ziggurat import Game
from ziggurat.core.errors import ComponentsError, UnknownGame
from ziggurat.server.domain import rules_gateway
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services import components_reader, search_pool
from ziggurat.server.services.components_reader import Reader
from ziggurat.server.services.rate_limits import ClientKey
from ziggurat.server.services.search_process import Question
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow

ADA = ClientKey("1.2.3.4", "ada")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, prepare=False)


@pytest.fixture
async def reader() -> AsyncIterator[Reader]:
    one = Reader()
    yield one
    await one.close()


def own(note: str) -> str:
    """The components of the example, in a file that nobody has read."""
    return f"{GAME.components_text()}\n# {note}\n"


async def test_what_a_file_says_is_what_it_says_to_the_game(reader: Reader) -> None:
    for game in ziggurat.registered_games().values():
        printed = game.components_text()
        for text in ("", "# read beside", printed + "\n# read beside"):
            assert not rules_gateway.has_components(game.id, text)
            await reader.read(ADA, game.id, text)
            assert rules_gateway.has_components(game.id, text)
            assert rules_gateway.components_of(game.id, text) == game.load_components(text)
        bad = ["x = = 1", "a.b = 1\na.b = 2", "\n\nnope = 3", "game = 'x'", f"{printed}\n[game]", "a = " + "[" * 5_000]
        bad += [
            ".".join(["a"] * 40) + " = 1",
            "\n".join(f"{line.partition(' = ')[0]} = -7" for line in printed.split("\n")),
        ]
        for text in bad:
            with pytest.raises(ComponentsError) as right:
                game.load_components(text)
            with pytest.raises(ComponentsError) as told:
                await reader.read(ADA, game.id, text)
            for said in ("detail", "context", "bare", "line", "args"):
                assert getattr(told.value, said) == getattr(right.value, said), text
    with pytest.raises(UnknownGame):
        await reader.read(ADA, "chess", "")


async def test_the_server_itself_reads_no_file_and_the_process_none_twice(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert GAME.components.is_default  # the printed ones it has to know
    asked: list[Question] = []
    ask = search_pool._Process.ask

    async def noted(self: search_pool._Process, question: Question) -> bytes:
        asked.append(question)
        return await ask(self, question)

    def read(_: Game, text: str) -> None:
        raise AssertionError("a move would have waited for this")

    monkeypatch.setattr(search_pool._Process, "ask", noted)
    monkeypatch.setattr(Game, "load_components", read)
    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        seats = ["me", *["random"] * (SEATS - 1)]
        for _ in range(2):
            table = await ann.table(*seats, components=own("of Ann"))
            async with ann.at(table["id"]) as live:
                await live.turn()
        assert len(asked) == 1
        wishes = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
        body = {"game": EXAMPLE, "seats": wishes, "components": "x = = 1"}
        refused = await ann.post("/api/tables", body, status=400)
        assert (refused["code"], refused["args"]) == ("bad_components", {"line": 1})
        assert len(asked) == 2


def test_a_table_in_memory_keeps_what_its_file_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many files others have read meanwhile: who hears of its move elsewhere restores it at once."""
    kept = rules_gateway.components_of(EXAMPLE, own("kept"))
    for number in range(100):
        rules_gateway.remember_components(EXAMPLE, own(str(number)), GAME.load_components(own(str(number))))
    assert rules_gateway.components_of(EXAMPLE, own("kept")) is kept
    assert not rules_gateway.has_components(EXAMPLE, own("0"))
    assert len(rules_gateway._components) < 100
    del kept
    assert not rules_gateway.has_components(EXAMPLE, own("kept"))


async def test_a_start_takes_nothing_of_a_files_time(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a machine that does much else would start process after process, and read none."""
    ask = search_pool._Process.ask

    async def slowly(process: search_pool._Process, question: Question) -> bytes:
        if not process.runs:
            await asyncio.sleep(2 * reader._process._longest)
        return await ask(process, question)

    reader._process._longest = 0.05
    monkeypatch.setattr(search_pool._Process, "ask", slowly)
    await reader.read(ADA, EXAMPLE, own("slow"))
    assert rules_gateway.has_components(EXAMPLE, own("slow"))


async def test_a_process_that_hangs_is_given_up_and_one_that_ended_started_again(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(reader._process, "_longest", 0.01)
        patch.setattr(search_pool, "STARTING_SECONDS", 0.0)
        patch.setattr(search_pool._Process, "ask", lambda *_: asyncio.sleep(3600))
        with pytest.raises(Problem) as told:
            await reader.read(ADA, EXAMPLE, own("hangs"))
    assert (told.value.status, told.value.code, told.value.args_) == (503, "busy", {RETRY_KEY: 5})
    await reader.read(ADA, EXAMPLE, own("hangs"))
    assert rules_gateway.has_components(EXAMPLE, own("hangs"))
    (process,) = reader._process._processes
    assert process.running is not None
    process.running.kill()
    await process.running.wait()
    await reader.read(ADA, EXAMPLE, own("second"))


async def test_no_more_files_wait_than_are_read_in_a_second(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_pool._Process, "ask", lambda *_: asyncio.sleep(3600))
    count = components_reader.MOST_WAITING_FILES + 1  # one is read
    waiting = [
        asyncio.create_task(reader.read(ClientKey(f"10.0.0.{number}", ""), EXAMPLE, own(f"waits {number}")))
        for number in range(count)
    ]
    await asyncio.sleep(0)
    with pytest.raises(Problem) as told:
        await reader.read(ADA, EXAMPLE, own("one more"))
    assert (told.value.status, told.value.args_) == (503, {RETRY_KEY: 5})
    assert not any(task.done() for task in waiting)
    for task in waiting:
        task.cancel()

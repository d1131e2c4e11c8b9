"""What measures the service still understands it: each of the benchmarks' visitors plays a little."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Iterator

import psutil  # type: ignore[import-untyped]
import pytest
from benchmarks import open_tables, service, soak, tables, wrong
from benchmarks.attack import ATTACKS, Attacker
from benchmarks.service import Load, Tally, our_table
from tests import runs
from tests.example import EXAMPLE, SHORT
from tests.patience import patience
from tests.server.process import FORKS, Server, server

pytestmark = pytest.mark.slow

PATIENCE = patience(60.0)


async def test_people_who_move_at_random(sqlite_base: str) -> None:
    tally, sits = Tally(on=True), asyncio.Event()
    playing = asyncio.create_task(our_table(sqlite_base, EXAMPLE, 3, tally, 0.0, sits.set))
    try:
        async with asyncio.timeout(PATIENCE):
            while len(tally.latencies) < 10 and not playing.done():
                await asyncio.wait([playing], timeout=0.01)
        assert sits.is_set()
        assert len(tally.frames) >= 20
        assert set(tally.errors) <= {"stale"}, "what they choose was offered"
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def test_one_who_moves_and_one_who_sees_it(sqlite_base: str) -> None:
    found = await tables.latency(sqlite_base, 4)
    assert (len(found.latencies), found.errors) == (4, [])


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of which nobody has asked anything else."""
    with server(tmp_path_factory.mktemp("alone")) as running:
        yield running


@pytest.fixture
def process(alone: Server) -> psutil.Process:
    return psutil.Process(alone.pid)


async def test_everybody_who_sees_a_change_of_the_open_tables(alone: Server, process: psutil.Process) -> None:
    found = await open_tables.measured(alone.base, process, 4, 4)
    assert (found["sockets"], found["changes"]) == (4, 5)


async def test_many_tables_for_a_long_time(
    alone: Server, process: psutil.Process, capsys: pytest.CaptureFixture[str]
) -> None:
    options = Namespace(game=[EXAMPLE], tables=2, seats=2, pause=0.0, minutes=2, workers=1, masters=0)
    sizes = await soak.soak(alone.base, process, options, 0.5)
    assert len(sizes) == 2
    assert all(len(each) == 1 and each[0] > 2e7 for each in sizes)
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.skipif(not FORKS, reason="collects its garbage at no signal")
@runs.whole
async def test_what_a_server_takes_of_the_memory(
    alone: Server, process: psutil.Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "SETTLED", 0.1)
    await service.a_game(alone.base, SHORT)
    found = await asyncio.to_thread(service.used, process)
    assert 20 < found["server_pss"] <= found["server_rss"]
    assert found["thinkers_rss"] == 0
    assert await service.live_tables(alone.base, process, EXAMPLE, Load(4, 2, 0.0, 0.0)) < 10_000


@runs.whole
def test_they_start_a_server_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_PREPARE", "0")
    with tables.server(None, collects=True) as (base, process):
        found = asyncio.run(open_tables.measured(base, process, 4, 4))
        assert service.used(process)["server_rss"] > 20
    assert (found["sockets"], found["changes"]) == (4, 5)


@pytest.mark.parametrize(
    "name",
    runs.each(
        ["nonsense", "handshakes", "rematches", "answers", "settings", "signing-in"], often=["nonsense", "rematches"]
    ),
)
async def test_attackers_are_answered(sqlite_base: str, name: str) -> None:
    attacker = Attacker(int(sqlite_base.rpartition(":")[2]))
    await attacker.ready()
    attacking = asyncio.ensure_future(ATTACKS[name](attacker))
    try:
        async with asyncio.timeout(PATIENCE):
            while attacker.answers.total() < 30 and not attacking.done():
                await asyncio.wait([attacking], timeout=0.01)
        assert not {answer for answer in attacker.answers if answer.startswith("5") and answer != "503"}
    finally:
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)


async def test_what_is_wrong_is_refused_and_never_a_mistake_of_ours(sqlite_base: str) -> None:
    """The long version: `python -m benchmarks.attack --wrong 100000`."""
    found = await wrong.send(int(sqlite_base.rpartition(":")[2]), EXAMPLE, 300, seed=14)
    assert found.bad == []
    assert found.sent >= 300
    assert found.kinds["400"] > 10
    assert found.kinds["error bad_message"] > 10
    assert not {kind for kind in found.kinds if kind.startswith("5") and kind != "503"}


async def test_what_is_asked_first_is_asked_again_until_the_server_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the first table of a new server takes a while; no figure would be got there."""
    monkeypatch.setattr(wrong, "AGAIN", 0.0)
    answers = [b"", b"HTTP/1.1 503 x\r\n\r\n", b"HTTP/1.1 200 OK\r\nset-cookie: ziggurat=abc; Path=/\r\n\r\n"]

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answers.pop(0))
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as fake:
        port = fake.sockets[0].getsockname()[1]
        sender = wrong.Sender(port, 1, wrong.Answers())
        await sender.call("PUT", "/api/me", {"name": "Mallory"})
        assert (sender.cookie, answers) == ("ziggurat=abc", [])
        answers.append(b"HTTP/1.1 400 x\r\n\r\n")
        with pytest.raises(SystemExit, match="PUT /api/me"):
            await sender.call("PUT", "/api/me", {"name": ""})


def test_an_answer_that_is_our_mistake_is_told_with_what_was_sent() -> None:
    found = wrong.Answers()
    for kind in ("400", "503", "500", "error internal", "close 1011", "close 1002", "error bad_message"):
        found.note(kind, b"sent " + kind.encode(), b"answer")
    assert [bad.partition(":")[0] for bad in found.bad] == ["500", "error internal", "close 1011"]
    assert "sent 500" in found.bad[0]

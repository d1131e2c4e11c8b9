"""Bots of the host's own: offered by name, asked outside, and no table waits for one that fails."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.example import EXAMPLE, GAME, SEATS, SHORT
from tests.server.player import visitor
from tests.server.process import Server, ended, server

import ziggurat
from ziggurat.bots import Bot
from ziggurat.bots.outside import Limits, end_programs
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import StartError
from ziggurat.server.services import search_process
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.search_pool import SearchProcessLost
from ziggurat.server.services.search_process import Answer, BotFailure, Choose, SentPosition, answer
from ziggurat.server.settings import HouseBot, Settings
from ziggurat.server.supervisor import Orders

pytestmark = pytest.mark.slow

OTHER = [*ziggurat.registered_games()][-1]
BOT = """
import json, pathlib, sys
folder = pathlib.Path(__file__).parent
for line in sys.stdin:
    message = json.loads(line)
    with open(folder / "heard", "a") as heard:
        heard.write(line)
    if message["type"] == "hello":
        print(json.dumps({"want": ["view", "choices"]}), flush=True)
    elif message["type"] == "decision":
        print(json.dumps({"id": message["id"], "action": message["legal"][0]}), flush=True)
"""


def program(folder: Path) -> str:
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    return f"cmd:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(folder / 'bot.py'))}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bots")


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[Server]:
    text = program(folder)
    bots = [f"Robo={text}", "Gone=cmd:cat /nowhere", f"{OTHER}/Sulky={text}"]
    with server(folder / "data", options={"bots": bots}) as running:
        yield running


async def test_it_is_offered_by_its_name_alone(house: Server) -> None:
    async with visitor(house.base, "Ann") as ann:
        games = {game["id"]: game for game in await ann.get("/api/games")}
    assert games[EXAMPLE]["host_bots"] == (["Robo", "Gone"] if OTHER != EXAMPLE else ["Robo", "Gone", "Sulky"])
    assert "Sulky" in games[OTHER]["host_bots"]
    assert "cmd" not in json.dumps(games)


async def test_it_plays_and_knows_what_its_seat_sees(house: Server, folder: Path) -> None:
    async with visitor(house.base, "Ann") as ann:
        table = await ann.table("me", *["host:Robo"] * (SEATS - 1), game=SHORT)
        async with ann.at(table["id"]) as live:
            await live.play()
            assert [seat["bot"] for seat in live.state["table"]["seats"][1:]] == ["host:Robo"] * (SEATS - 1)
        async with ann.at(table["id"]) as again:
            assert not again.state.get("notes")
    heard = [json.loads(line) for line in (folder / "heard").read_text(encoding="utf-8").splitlines()]
    asked = [one for one in heard if one["type"] == "decision"]
    assert {one["seat"] for one in asked} == {one["view"]["seat"] for one in asked} == {*range(1, SEATS)}
    assert [one["seconds"] for one in heard if one["type"] == "hello"] == [5.0]


async def test_nobody_waits_for_one_that_fails_and_all_are_told_once(house: Server, folder: Path) -> None:
    async with visitor(house.base, "Ann") as ann:
        table = await ann.table("me", *["host:Gone"] * (SEATS - 1))
        async with ann.at(table["id"]) as live:
            await live.play(moves=3)
            await live.until(lambda: live.legal or live.over)
        async with ann.at(table["id"]) as again:
            notes = [(note["kind"], note["seat"]) for note in again.state["notes"]]
    assert sorted(notes) == [("bot_failed", seat) for seat in range(1, SEATS)]
    said = (house.settings.data / "errors.txt").read_text(encoding="utf-8")
    assert "bot Gone cannot be used (it ended with code 1: cat: /nowhere: No such file or directory" in said


async def test_visitors_name_no_commands_and_no_bot_of_another_game(house: Server, folder: Path) -> None:
    async with visitor(house.base, "Ann") as ann:
        seats = ["host:Nobody", "cmd:touch oops", "host:cmd:touch oops", "Robo", *["host:Sulky"] * (OTHER != EXAMPLE)]
        for bot in seats:
            wish = {"game": EXAMPLE, "seats": [{"kind": "me"}, *[{"kind": "bot", "bot": bot}] * (SEATS - 1)]}
            refused = await ann.post("/api/tables", wish, 400)
            assert refused["code"] == "unknown_bot"
        table = await ann.table("me", *["open"] * (SEATS - 1))
        change = {"seat": 1, "kind": "bot", "bot": "cmd:touch oops"}
        assert (await ann.post(f"/api/tables/{table['id']}/seats", change, 400))["code"] == "unknown_bot"
        changed = await ann.post(f"/api/tables/{table['id']}/seats", {**change, "bot": "host:Robo"})
        assert changed["seats"][1]["bot"] == "host:Robo"


def choose(text: str) -> Choose:
    now = ziggurat.new(GAME, SEATS, seed=3)
    while len(now.legal(now.actors[0])) < 2:
        now.play(now.actors[0], now.legal(now.actors[0])[0])
    return Choose(SentPosition.of(now), now.actors[0], "host:Robo", "table 1", text=text)


@pytest.fixture
def players() -> Iterator[dict[str, Bot]]:
    yield {}
    end_programs(grace=0)


def test_what_is_not_legal_is_told_without_the_hand(players: dict[str, Bot], tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT.replace('message["legal"][0]', "-1"), encoding="utf-8")
    said = answer(choose(f"cmd:{shlex.quote(sys.executable)} -I -S {tmp_path / 'bot.py'}"), players)
    assert isinstance(said, BotFailure)
    assert (said.secret, said.why.partition(";")[0]) == (True, "answered -1, which is not legal")
    assert msgspec.json.decode(msgspec.json.encode(said), type=list[int] | BotFailure) == said


def test_one_that_cannot_even_be_named_has_failed(players: dict[str, Bot]) -> None:
    said: Answer = answer(choose("zoo_not_there:Bot"), players)
    assert said == BotFailure("there is no bot and no module 'zoo_not_there' for 'zoo_not_there:Bot'")


def test_a_class_plays_its_seat_and_is_interrupted_when_it_hangs(
    players: dict[str, Bot], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zoo_table.py").write_text(
        "import time\n"
        "class Last:\n    def choose(self, belief, legal, rng):\n        return legal[-1]\n"
        "class Hangs:\n    def choose(self, belief, legal, rng):\n        time.sleep(1000)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    question = choose("zoo_table:Last")
    position = question.moment.position(load=False)
    steps = answer(question, players)
    assert isinstance(steps, list)
    assert steps[0] == position.legal(question.seat)[-1]
    position.play_all(question.seat, steps)
    monkeypatch.setattr(search_process, "TABLE_LIMITS", Limits(decision=0.01, wary=True, tries=1))
    assert answer(choose("zoo_table:Hangs"), players) == BotFailure("said nothing for 0.01 s")
    elsewhere = msgspec.structs.replace(choose("zoo_table:Hangs"), key="table 2")
    said = answer(elsewhere, players)
    assert isinstance(said, BotFailure)
    assert said.why.startswith("is not asked for a while"), "nobody waits anew at another table"


class FakeEngines:
    def __init__(self, *bots: HouseBot) -> None:
        self.settings = Settings(bots=bots)


class FakeThinkers:
    """Says one thing after the other."""

    def __init__(self, *said: Any) -> None:
        self.said = [*said]

    async def think(self, who: object, question: object) -> msgspec.Raw:
        one = self.said.pop(0)
        if isinstance(one, Exception):
            raise one
        return msgspec.Raw(msgspec.json.encode(one))


async def test_a_table_is_told_once_until_the_bot_answers_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def here(*_: object) -> tuple[int, ...]:
        return (-1,)

    monkeypatch.setattr(Bots, "_here", here)
    search_pool: Any = FakeThinkers([7], BotFailure("is late"), BotFailure("is late"), [8], SearchProcessLost())
    compiled_rules: Any = FakeEngines(HouseBot("Robo", "cmd:true"))
    bots = Bots(compiled_rules, search_pool, None)  # type: ignore[arg-type]
    now = ziggurat.new(GAME, SEATS, seed=3)
    seats = tuple(Seat(seat, "bot", bot="host:Robo") for seat in range(SEATS))
    table: Any = Table.__new__(Table)
    for name, value in {"id": "t", "game": EXAMPLE, "seats": seats, "position": now, "deal": None}.items():
        object.__setattr__(table, name, value)
    found = [await bots.decide(table, 0, None) for _ in range(5)]  # type: ignore[arg-type]
    assert [(one.steps, one.fails) for one in found] == [
        ((7,), False),
        ((-1,), True),
        ((-1,), False),
        ((8,), False),
        ((-1,), True),
    ]
    begins, over, begins_again = caplog.messages
    assert begins.startswith("outage: bot Robo cannot be used (it is late)")
    assert re.fullmatch(r"outage over: bot Robo can be used again after 0 s; meanwhile 2 failed", over)
    assert begins_again.startswith("outage: bot Robo cannot be used (it was lost with the process that asked it)")
    compiled_rules.settings = Settings()  # the host has taken it away, and the table stays
    assert (await bots.decide(table, 0, None)).steps == (-1,)  # type: ignore[arg-type]
    bots.close()


def test_bots_travel_to_every_worker() -> None:
    bots = [HouseBot.read("Robo = cmd:./bot a=b"), HouseBot.read(f"{EXAMPLE}/Deep Thought=my_module:MyBot")]
    assert bots == [HouseBot("Robo", "cmd:./bot a=b"), HouseBot("Deep Thought", "my_module:MyBot", EXAMPLE)]
    orders = Orders(3, "", None, "host", 1, False, bots=bots)
    assert msgspec.json.decode(msgspec.json.encode(orders), type=Orders).bots == bots


@pytest.mark.parametrize("said", ["Robo", "=cmd:true", "Robo=", " =cmd:true"])
def test_a_bot_needs_a_name_and_a_command(said: str) -> None:
    with pytest.raises(StartError, match=r"NAME=cmd:PROGRAM, NAME=my_module:MyBot or NAME=tcp:HOST:PORT"):
        HouseBot.read(said)


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (["Robo=cmd:./not-there"], "--bot Robo: there is no program './not-there'"),
        (["Robo=zoo_not_there:Bot"], "--bot Robo: there is no bot and no module 'zoo_not_there'"),
        (["no-game/Robo=cmd:true"], "--bot Robo: "),
        (["Master=cmd:true"], "--bot Master: Bots are called Master"),
        (["Robo=cmd:true", "Robo=cmd:false"], "--bot names Robo twice"),
    ],
)
def test_what_cannot_be_started_is_said_at_the_start(bots: list[str], said: str, tmp_path: Path) -> None:
    arguments = [part for bot in bots for part in ("--bot", bot)]
    code, _, errors = ended("--data", str(tmp_path), *arguments)
    assert code == 2
    assert said in errors

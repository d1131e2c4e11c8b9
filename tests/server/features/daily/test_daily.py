"""The day's deal: one shuffle for everybody, one try, and who may know what of it when."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import sqlalchemy as sa
from tests import runs
from tests.example import SHORT, first_move
from tests.server.copied import done
from tests.server.inside import house
from tests.server.player import Json, Live, Player, visitor

from ziggurat import Position
from ziggurat.server.app import ENDPOINTS
from ziggurat.server.features.daily import rows as daily
from ziggurat.server.features.daily.models import deals as deals_table
from ziggurat.server.features.daily.models import tries
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow

T = TypeVar("T")
DAY = f"/api/day/{SHORT}"


async def begin(player: Player, day: str | None = None, status: int = 201) -> Json:
    """Play today's deal, or that of another day."""
    day = day or (await player.get(DAY))["today"]["day"]
    made: Json = await player.post(DAY, {"day": day, "pace": "instant"}, status)
    return made


async def played(player: Player, id: str, moves: int | None = None) -> Live:
    async with player.at(id) as live:
        await live.play(moves)
    return live


def told(live: Live) -> list[Any]:
    return [event for event in live.log if event["type"] != "undone"]


@pytest.fixture
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that play the first thing that they may, without a process that thinks."""

    async def fixed(_: object, position: Position, seat: int, *__: object) -> tuple[int, ...]:
        return first_move(position, seat)

    monkeypatch.setattr(Bots, "fixed", fixed)
    monkeypatch.setattr(Bots, "expect", lambda *_: None)
    monkeypatch.setattr(CompiledRules, "can_search", lambda *_: True)


class Served(NamedTuple):
    """A server of which everybody can play the deals of the day."""

    base: str
    settings: Settings

    def in_database(self, job: Callable[[sa.Connection], T]) -> T:
        return done(self.settings, job)


@pytest.fixture
async def served(tmp_path: Path, quick_bots: None) -> AsyncIterator[Served]:
    settings = Settings(data=tmp_path, prepare=False, share=1, hosts=("localhost",), deal_bots=False)
    async with house(settings) as port:
        yield Served(f"http://127.0.0.1:{port}", settings)


async def test_one_deal_one_try_and_the_same_moves_are_the_same_game(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann, visitor(served.base, "Bob") as bob:
        before = await ann.get(DAY)
        assert (before["today"]["standing"], before["today"]["world"], before["today"]["table"]) == ("new", None, None)
        tables = await asyncio.gather(*(begin(ann) for _ in range(3)))
        assert len({table["id"] for table in tables}) == 1, "asked for at once it is the same table"
        table, theirs = tables[0], await begin(bob)
        assert table["deal"] == before["today"]["day"]
        assert table["you"] == before["today"]["seat"] == theirs["you"]
        assert table["seed_hash"] == theirs["seed_hash"]
        sealed = before["today"]["sealed"]
        assert sealed["seed_hash"] in ((None,) if before["lone"] else (table["seed_hash"],))
        mine, other = await asyncio.gather(played(ann, table["id"]), played(bob, theirs["id"]))
        assert told(mine) == told(other)
        assert mine.state["table"]["scores"] == other.state["table"]["scores"]

        over = await ann.get(f"/api/tables/{table['id']}")
        assert (over["status"], over["seed"], over["salt"]) == ("finished", None, None)
        refused = await ann.http.get(f"/api/tables/{table['id']}/replay")
        assert (refused.status_code, refused.json()["code"]) == (409, "deal_open")
        again = await ann.post(DAY, {"day": table["deal"]}, 409)
        assert (again["code"], again["args"]["table"]) == ("deal_tried", table["id"])
        after = await ann.get(DAY)
        assert (after["today"]["standing"], after["row"], after["best"]) == ("done", 1, 1)
        points = over["scores"][over["you"]]
        assert after["today"]["outcome"]["points"] == points
        assert dict(after["today"]["world"]["points"])[points] >= 2
        assert after["today"]["sealed"]["seed"] is None


async def test_nobody_is_told_anything_of_a_deal_that_they_can_still_play(served: Served) -> None:
    async with (
        visitor(served.base, "Ann") as ann,
        visitor(served.base, "Cat") as cat,
        visitor(served.base) as nobody,
    ):
        table = await begin(ann)
        before = [await cat.get(DAY), await cat.get("/api/day")]
        await played(ann, table["id"], 3)
        assert [await cat.get(DAY), await cat.get("/api/day")] == before
        assert not (await nobody.get(DAY))["today"]["world"]
        assert "ziggurat" not in nobody.http.cookies, "looking makes nobody a guest"
        for path in ("", "/history", "/replay"):
            assert (await cat.http.get(f"/api/tables/{table['id']}{path}")).status_code == 404
        closed, yesterday, today, tomorrow = (one for one in before[1] if one["game"] == SHORT)
        assert closed["day"] < yesterday["day"] < today["day"] == closed["opens"] < tomorrow["day"]
        assert [one["seed"] is None for one in (closed, yesterday, today, tomorrow)] == [False, True, True, True]
        if closed["seed_hash"]:
            hashed = hashlib.sha256(bytes.fromhex(closed["salt"] + closed["seed"])).hexdigest()
            assert hashed == closed["seed_hash"]


async def test_earlier_deals_are_played_for_nothing_and_no_others_at_all(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann:
        closed, yesterday = (one["day"] for one in (await ann.get("/api/day"))[:2])
        one, other = await begin(ann, closed), await begin(ann, closed)
        assert one["id"] != other["id"]
        assert one["seed_hash"] == other["seed_hash"]
        deal = await ann.get(f"{DAY}/{closed}")
        assert (deal["standing"], deal["table"], deal["closed"]) == ("new", None, True)
        assert deal["world"]["bots"] == []
        waits = await ann.get(f"{DAY}/{yesterday}")
        assert (waits["closed"], waits["world"]) == (False, None), "others may still finish it"
        refused = await ann.post(DAY, {"day": yesterday}, 409)
        assert (refused["code"], refused["args"]["opens"]) == ("deal_open", waits["sealed"]["opens"])
        assert (await ann.get(DAY))["row"] == 0
        for day, code in (("2999-01-01", "day_to_come"), ("1999-01-01", "day_too_old")):
            assert (await ann.post(DAY, {"day": day}, 409))["code"] == code
            assert (await ann.http.get(f"{DAY}/{day}")).json()["code"] == code
        assert (await ann.post(DAY, {"day": "soon"}, 400))["code"] == "bad_day"
        assert (await ann.http.get("/api/day/chess")).status_code == 404
        async with ann.at(one["id"]) as live:
            await live.turn()
            assert (await live.reply(type="hint", seq=live.state["seq"]))["code"] == "no_hints"
            await live.move()
            assert live.state["can_undo"] is None
            assert (await live.reply(type="undo"))["code"] == "deal_stands"
        assert (await ann.http.post(f"/api/tables/{one['id']}/hand")).json()["code"] == "deal_stands"


async def test_a_clock_that_was_set_back_is_told_and_costs_nothing(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann:
        mine = await begin(ann)
        ahead = deals_table.c.game == SHORT, deals_table.c.day > mine["deal"]
        served.in_database(lambda c: c.execute(sa.update(deals_table).where(*ahead).values(begun=1.0)))
        try:
            told = await ann.get(DAY)
            assert told["back"] == told["tomorrow"]["day"]
            assert (await begin(ann))["id"] == mine["id"], "who has begun goes on"
            async with visitor(served.base, "Bob") as bob:
                assert (await bob.post(DAY, {"day": mine["deal"]}, 409))["code"] == "clock_back"
                await begin(bob, (await bob.get("/api/day"))[0]["day"])
        finally:
            served.in_database(lambda c: c.execute(sa.update(deals_table).where(*ahead).values(begun=None)))


async def test_tries_come_along_and_go_with_whose_they_are(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann, visitor(served.base) as guest:
        first, second = await begin(ann), await begin(guest)
        assert first["id"] != second["id"]
        link = await ann.post("/api/me/link")
        await guest.post("/api/sign-in", {"secret": link["secret"]})
        assert (await guest.get(DAY))["today"]["table"] == first["id"], "which was begun first"
        kept = (await guest.get("/api/me/everything"))["deals"]
        assert [(one["game"], one["table_id"], one["points"]) for one in kept] == [(SHORT, first["id"], None)]
        assert (await ann.http.delete("/api/me")).status_code == 204
        left = served.in_database(lambda c: c.execute(sa.select(tries).where(tries.c.table_id == first["id"])).all())
        assert left == []


# --- While a try may still count ---------------------------------------------------------------------------------


class Calendar:
    """The clock of the database, as a test sets it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.day = self.today = datetime.now(UTC).date()
        monkeypatch.setattr(daily, "today", lambda _: self.today)

    def later(self, days: int) -> None:
        """Let it be so many days after the first."""
        self.today = self.day + timedelta(days)


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    return Calendar(monkeypatch)


def shuffle(served: Served, day: date) -> list[str]:
    """Return seed and salt of a deal as whoever keeps the database could read them."""
    found = served.in_database(partial(daily.seeds, game=SHORT, days=[day]))
    return [key.hex() for key in found[day].keys]


async def asked_everything(player: Player, day: date, tables: list[str]) -> dict[str, tuple[int, str]]:
    """Ask whatever can be asked without changing anything, of these tables and of this day; return the answers."""
    about = {"game_id": [SHORT], "day": [f"{day}"], "table_id": tables, "seq": ["1", "2"]}
    found = {}
    for method, path in ENDPOINTS:
        if method != "GET":
            continue
        names, ways = re.findall(r"{(\w+):", path), [re.sub(r":\w+}", "}", path)]
        for name in names:
            ways = [way.replace(f"{{{name}}}", each) for way in ways for each in about.get(name, ["1"])]
        for way in ways:
            answer = await player.http.get(way)
            found[way] = answer.status_code, answer.text
    return found


async def test_no_way_leads_to_the_shuffle_while_a_try_may_count(served: Served, calendar: Calendar) -> None:
    """Who has begun on the day goes on until the end of the next; whoever looks on the next day, under whatever name,
    must not see the cards that are still to come there."""
    day, base = f"{calendar.day}", served.base
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base) as nobody:
        mine, theirs = await begin(ann), await begin(bob)
        ended = await played(bob, theirs["id"])
        tables = [mine["id"], theirs["id"]]
        secret = shuffle(served, calendar.day)
        ends = [f"{DAY}/{day}", "/api/day", DAY]

        for days in (0, 1):
            calendar.later(days)
            for player in (nobody, bob) if days else (nobody, ann):
                answers = await asked_everything(player, calendar.day, tables)
                assert {answers[end][0] for end in ends} == {200}
                told = {way for way, (_, text) in answers.items() if any(key in text for key in secret)}
                assert not told, f"{days} days later"
                assert json.loads(answers[f"{DAY}/{day}"][1])["closed"] is False
            for what in ("history", "replay", "review/2"):
                refused = await bob.http.get(f"/api/tables/{theirs['id']}/{what}")
                assert (refused.status_code, refused.json()["code"]) == (409, "deal_open"), what
                assert refused.json()["args"]["opens"] == f"{calendar.day + timedelta(2)}"
        said = json.dumps([ended.messages, ended.state])
        assert not [key for key in secret if key in said], "nor by the socket"

        async with visitor(base, "Ann again") as cat:
            for player in (cat, bob, nobody):
                assert (await player.post(DAY, {"day": day}, 409))["code"] == "deal_open", "nobody practises it"
            assert (await cat.get(f"{DAY}/{day}"))["world"] is None
        assert (await begin(ann, day))["id"] == mine["id"], "who has begun goes on"
        await played(ann, mine["id"])
        assert (await ann.get(f"{DAY}/{day}"))["standing"] == "done"
        assert (await ann.http.get(f"/api/tables/{mine['id']}/history")).json()["code"] == "deal_open"

        calendar.later(2)
        for end in (f"{DAY}/{day}", "/api/day", DAY):
            text = (await nobody.http.get(end)).text
            assert all(key in text for key in secret), end
        assert (await ann.get(f"/api/tables/{mine['id']}/history"))["frames"]
        assert secret[0] in (await ann.http.get(f"/api/tables/{mine['id']}/replay")).text
        assert (await begin(nobody, day))["deal"] == day


@runs.whole
async def test_who_finishes_too_late_shows_nobody_anything_too_early(served: Served, calendar: Calendar) -> None:
    async with visitor(served.base, "Ann") as ann:
        mine = await begin(ann)
        calendar.later(2)
        assert (await ann.get(f"{DAY}/{mine['deal']}"))["standing"] == "given_up"
        await played(ann, mine["id"])
        assert (await ann.get(f"{DAY}/{mine['deal']}"))["standing"] == "late"
        assert (await ann.get(f"/api/tables/{mine['id']}/history"))["frames"]

"""A season of four people at a real server, in virtual time: drawn, played, looked back at, verified."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from tests.example import SHORT
from tests.server.features.seasons.clock import Clock
from tests.server.fixtures import MOSTLY_SQLITE, NewDatabase
from tests.server.inside import house
from tests.server.player import PATIENCE, Json, Player, visitor
from tests.server.test_http import problem

from ziggurat.server.features.seasons.file import verify
from ziggurat.server.features.seasons.terms import DAY_SECONDS
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow
DATABASES = MOSTLY_SQLITE
WEEK = 7 * DAY_SECONDS
NAMES = ("Ann", "Bob", "Cia", "Dan")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@asynccontextmanager
async def club(folder: Path, url: str | None = None) -> AsyncIterator[tuple[str, str, list[Player]]]:
    """A group of four at a server; its address, the group's id, and the people."""
    settings = Settings(data=folder, database_url=url, prepare=False, copies=None, refusal_seconds=0.0)
    async with house(settings) as port, AsyncExitStack() as stack:
        base = f"http://127.0.0.1:{port}"
        people = [await stack.enter_async_context(visitor(base)) for _ in NAMES]
        made = await people[0].post("/api/groups", {"name": "Friday", "called": NAMES[0]}, 201)
        group = await people[0].get(f"/api/groups/{made['id']}")
        for person, name in zip(people[1:], NAMES[1:], strict=True):
            await person.post(f"/api/groups/{group['id']}/join", {"invite": group["invite"], "name": name})
        yield base, group["id"], people


def terms(rounds: int = 2, **more: object) -> Json:
    first = int(time.time()) + 3600
    starts = [first + WEEK * round for round in range(rounds)]
    usual = {
        "name": "Autumn",
        "games": [{"game": SHORT, "sizes": [2]}],
        "starts": starts,
        "ends": starts[-1] + 3 * DAY_SECONDS,
        "bot": "random",
        "late_until": 1,
    }
    return {**usual, **more}


async def until(person: Player, id: str, holds: Callable[[Json], object]) -> Json:
    """Read a season until something holds of it."""
    async with asyncio.timeout(PATIENCE):
        while not holds(season := await person.get(f"/api/seasons/{id}")):
            await asyncio.sleep(0.02)
        return season  # type: ignore[no-any-return]


async def begun(group: str, people: list[Player], **more: object) -> Json:
    """Make a season that all have entered."""
    made = await people[0].post("/api/seasons", {"group": group, "terms": terms(**more)}, 201)  # type: ignore[arg-type]
    for person in people:
        season = await person.post(f"/api/seasons/{made['id']}/enter", {"part": secrets.token_hex(32)})
    return season  # type: ignore[no-any-return]


def has_rounds(count: int) -> Callable[[Json], object]:
    """Whether so many rounds were drawn."""
    return lambda season: len(season["rounds"]) == count


def is_played(round: int) -> Callable[[Json], object]:
    """Whether all tables of a round have ended."""

    def ended(season: Json) -> bool:
        rounds = season["rounds"]
        return len(rounds) >= round and all(table["points"] for table in rounds[round - 1]["tables"])

    return ended


async def play(person: Player, table: str) -> None:
    async with person.at(table) as live:
        await live.play()


async def test_a_season_of_four(tmp_path: Path, own_url: str | None, clock: Clock) -> None:
    async with club(tmp_path, own_url) as (base, group, people):
        season = await begun(group, people)
        id, moments = season["id"], season["terms"]["starts"]
        assert season["beacon"] == ""
        assert not season["started"]
        assert [one["part"] for one in season["people"]] == [None] * 4
        # Whoever read the others' parts before the start could choose their own, and with it the beacon.
        problem(await people[1].http.get(f"/api/seasons/{id}/file"), 409, "season")
        for round, moment in enumerate(moments, start=1):
            clock.until(moment)
            season = await until(people[0], id, has_rounds(round))
            assert len(season["rounds"][-1]["tables"]) == 2
            for person in people:
                await person.post(f"/api/seasons/{id}/here", {})
            season = await until(
                people[0], id, lambda season: all(table["table"] for table in season["rounds"][-1]["tables"])
            )
            whose = {(await person.get(f"/api/seasons/{id}"))["you"]: person for person in people}
            games = [
                play(whose[who], table["table"]) for table in season["rounds"][-1]["tables"] for who in table["people"]
            ]
            await asyncio.gather(*games)
            await until(people[0], id, is_played(round))
        season = await until(people[0], id, lambda season: season["closed"])
        assert season["secret"]
        assert sorted(row["place"] for row in season["standings"]) == [1, 2, 3, 4]
        assert sum(row["points"] for row in season["standings"]) == 2 * 2 * 120
        file = await people[1].http.get(f"/api/seasons/{id}/file")
        verdict = verify(file.content)
        assert (verdict.games, verdict.shuffles, verdict.state.closed) == (4, 4, True)
        places = [(row.who, row.place, row.points) for row in verdict.state.standings()]
        assert places == [(row["who"], row["place"], row["points"]) for row in season["standings"]]
        lines = (await people[1].http.get(f"/api/seasons/{id}/table.csv")).text.splitlines()
        assert len(lines) == 1 + 4 * 2
        assert "Ann" in "".join(lines)
        # Strangers learn nothing, not even that there is one.
        async with visitor(base, "Eve") as eve:
            problem(await eve.http.get(f"/api/seasons/{id}"), 404, "unknown_season")
            problem(await eve.http.get(f"/api/seasons/{id}/file"), 404, "unknown_season")
            problem(await eve.http.get(f"/api/seasons?group={group}"), 404, "unknown_group")


async def test_who_does_not_come_is_played_for_and_who_was_forgotten_leaves_a_place(
    tmp_path: Path, own_url: str | None, clock: Clock
) -> None:
    async with club(tmp_path, own_url) as (_, group, people):
        season = await begun(group, people)
        id, moments = season["id"], season["terms"]["starts"]
        absent = await people[3].http.put(f"/api/seasons/{id}/round", json={"round": 1, "wish": "absent"})
        assert absent.json()["wishes"] == {"1": "absent"}
        clock.until(moments[0])
        season = await until(people[0], id, lambda season: len(season["rounds"]) == 1)
        (table,), rests = season["rounds"][0]["tables"], season["rounds"][0]["rests"]
        assert len(rests) == 1
        assert 4 not in table["people"]
        late = await people[3].http.put(f"/api/seasons/{id}/round", json={"round": 1, "wish": "play"})
        problem(late, 409, "season")
        assert late.json()["args"] == {"why": "drawn", "round": 1}
        comes, stays_away = table["people"]
        whose = {(await person.get(f"/api/seasons/{id}"))["you"]: person for person in people}
        await whose[comes].post(f"/api/seasons/{id}/here", {})
        clock.until(moments[0] + season["terms"]["wait"])
        season = await until(people[0], id, lambda season: season["rounds"][0]["tables"][0]["table"])
        assert season["rounds"][0]["tables"][0]["seats"] == [comes, 0]
        # Somebody is forgotten; nobody plays on, and the round ends as it stands.
        assert (await whose[stays_away].http.delete("/api/me")).status_code == 204
        clock.until(moments[1])
        season = await until(whose[comes], id, lambda season: len(season["rounds"]) == 2)
        assert season["rounds"][0]["tables"][0]["absent"] == [1]
        assert season["rounds"][0]["tables"][0]["points"] == [120, 0]
        gone = next(one for one in season["people"] if one["who"] == stays_away)
        assert gone["gone"]
        assert gone["name"] is None
        assert not any(stays_away in table["people"] for table in season["rounds"][1]["tables"])
        clock.until(season["terms"]["ends"])
        season = await until(whose[comes], id, lambda season: season["closed"])
        assert len(season["standings"]) == 4
        verdict = verify((await whose[comes].http.get(f"/api/seasons/{id}/file")).content)
        assert verdict.state.closed


async def test_by_days_tables_begin_by_themselves(tmp_path: Path, clock: Clock) -> None:
    async with club(tmp_path) as (_, group, people):
        season = await begun(group, people, play="days")
        id = season["id"]
        clock.until(season["terms"]["starts"][0])
        season = await until(
            people[0], id, lambda season: season["rounds"] and all(t["table"] for t in season["rounds"][0]["tables"])
        )
        table = await people[0].get(f"/api/tables/{season['rounds'][0]['tables'][0]['table']}")
        assert table["time"]["control"]["kind"] == "days"
        refused = await people[0].http.post(f"/api/seasons/{id}/here", json={})
        problem(refused, 409, "season")
        assert refused.json()["args"]["why"] == "begun"


async def test_a_new_season_begins_with_the_divisions_of_the_last(
    tmp_path: Path, own_url: str | None, clock: Clock
) -> None:
    divided = {"pairing": "divisions", "division": 6, "moves": 1, "play": "days"}
    async with club(tmp_path, own_url) as (base, group, people), AsyncExitStack() as stack:
        invite = (await people[0].get(f"/api/groups/{group}"))["invite"]
        for number in range(4):  # eight are two divisions
            person = await stack.enter_async_context(visitor(base))
            await person.post(f"/api/groups/{group}/join", {"invite": invite, "name": f"Eve {number}"})
            people.append(person)
        season = await begun(group, people, **divided)
        clock.until(season["terms"]["starts"][0])
        await until(people[0], season["id"], has_rounds(1))
        clock.until(season["terms"]["starts"][1])
        await until(people[0], season["id"], has_rounds(2))
        clock.until(season["terms"]["ends"])
        season = await until(people[0], season["id"], lambda season: season["closed"])
        of = {row["who"]: row["division"] for row in season["standings"]}
        rows = {n: [row["who"] for row in season["standings"] if row["division"] == n] for n in (1, 2)}
        assert [len(some) for some in rows.values()] == [4, 4]
        expected = of | {rows[1][-1]: 2, rows[2][0]: 1}
        again = await begun(group, people, **divided)
        clock.until(again["terms"]["starts"][0])
        again = await until(people[0], again["id"], has_rounds(1))
        file = (await people[0].http.get(f"/api/seasons/{again['id']}/file")).content
        entered = [one for one in map(json.loads, file.splitlines()) if one.get("event") == "entered"]
        assert {one["who"]: one["division"] for one in entered} == expected
        now = {who: table["division"] for table in again["rounds"][0]["tables"] for who in table["people"]}
        assert now == {who: expected[who] for who in now}


def is_drawn_and_open(round: int) -> Callable[[Json], object]:
    """Whether a round is the last one drawn, and all of its tables have begun."""
    return lambda season: (
        len(season["rounds"]) == round and all(table["table"] for table in season["rounds"][-1]["tables"])
    )


async def test_two_workers_draw_and_open_once(tmp_path: Path, new_database: NewDatabase, clock: Clock) -> None:
    url = new_database()
    async with club(tmp_path, url) as (_, group, people):
        other = Settings(data=tmp_path, database_url=url, worker="w2", prepare=False, copies=None, refusal_seconds=0.0)
        async with house(other) as port, visitor(f"http://127.0.0.1:{port}") as ann:
            ann.http.cookies.set("ziggurat", people[0].http.cookies["ziggurat"])
            season = await begun(group, people, play="days", rounds=3)
            id = season["id"]
            for round, moment in enumerate(season["terms"]["starts"], start=1):
                clock.until(moment)
                for person in (ann, people[0]):  # as each of the workers sees it
                    season = await until(person, id, is_drawn_and_open(round))
            clock.until(season["terms"]["ends"])
            await until(ann, id, lambda season: season["closed"])
            file = (await people[0].http.get(f"/api/seasons/{id}/file")).content
            kinds = [json.loads(line).get("event") for line in file.splitlines()]
            assert (kinds.count("drawn"), kinds.count("opened"), kinds.count("ended")) == (3, 6, 6)
            assert len(clock.seasons) == 2, "both looked"


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": []},
        {"games": [{"game": "nine", "sizes": [2]}]},
        {"games": [{"game": SHORT, "sizes": [7, 7]}]},
        {"starts": [1, 2]},
        {"ends": 5},
        {"bot": "nobody"},
        {"stage": 2},
        {"ties": ["wins", "wins"]},
        {"name": ""},
        {"late_until": 40},
    ],
)
async def test_terms_that_cannot_be_are_refused(tmp_path: Path, wrong: Json) -> None:
    async with club(tmp_path) as (_, group, people):
        answer = await people[0].http.post("/api/seasons", json={"group": group, "terms": terms(**wrong)})
        assert answer.status_code in (400, 409, 422), answer.text
        assert answer.json()["detail"]

"""Results of finished games for elsewhere: CSV that every program reads alike, and what a link to BG Stats needs."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from importlib.resources import files

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, SEATS
from tests.properties import given, st
from tests.server.fixtures import MOSTLY_SQLITE, on_both, own_on_both
from tests.server.player import Json, Player, visitor
from tests.server.test_http import problem

import ziggurat
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.features.results import rows
from ziggurat.server.features.results.routes import FILES_PER_HOUR
from ziggurat.server.features.results.rules import (
    COLUMNS,
    FORMULA_STARTS,
    GameResult,
    PlayerResult,
    csv_text,
    known_as,
    minutes,
    place,
)
from ziggurat.server.store import log, people
from ziggurat.server.store.database import Database
from ziggurat.server.store.models import tables

DATABASES = MOSTLY_SQLITE
BOTS = ["random"] * (SEATS - 1)


def result(
    scores: tuple[int, ...] = (30, 41, 41),
    winners: tuple[int, ...] = (2,),
    names: tuple[str, ...] = ("Ada", "", "Béla"),
    **more: object,
) -> GameResult:
    """A game of three; on the second seat a bot."""
    players = [PlayerResult(n, name, "" if name else "master", False, n == 0) for n, name in enumerate(names)]
    known = {"table": "t1", "game": "go", "status": "finished", "begun": 0.0, "ended": 3000.0, "by_days": False}
    known |= {"laid": False, "starter": 1, "scores": scores, "winners": winners, "players": tuple(players)}
    return GameResult(**{**known, **more})  # type: ignore[arg-type]


def read(text: str) -> list[dict[str, str]]:
    """Read CSV as a program does that knows nothing of us."""
    assert text.startswith("\ufeff")
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text[1:], newline=""), strict=True))


def test_a_line_for_each_player_says_all_that_the_table_saw() -> None:
    lines = read(csv_text([result()]))
    assert [*lines[0]] == [*COLUMNS]
    assert [line["place"] for line in lines] == ["3", "2", "1"], "a tie that was broken"
    assert [line["won"] for line in lines] == ["0", "0", "1"]
    assert [(line["player"], line["bot"], line["me"]) for line in lines] == [
        ("Ada", "", "1"),
        ("", "master", "0"),
        ("Béla", "", "0"),
    ]
    assert [line["started"] for line in lines] == ["0", "1", "0"]
    assert {(line["begun_utc"], line["ended_utc"], line["minutes"]) for line in lines} == {
        ("1970-01-01 00:00:00", "1970-01-01 00:50:00", "50")
    }


def test_equal_scores_share_a_place_and_a_game_without_end_has_none() -> None:
    shared = result(scores=(41, 7, 41), winners=(0, 2))
    assert [place(shared, seat) for seat in range(3)] == [1, 3, 1]
    ended = result(scores=(), winners=(), status="ended")
    assert [(line["score"], line["place"], line["won"]) for line in read(csv_text([ended]))] == [("", "", "")] * 3


def test_nobody_sat_there_for_days() -> None:
    assert minutes(result(ended=30.0)) == 1
    assert minutes(result(ended=20 * 3600.0)) is None
    assert minutes(result(by_days=True)) is None


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_a_name_is_no_formula(start: str) -> None:
    name = f"{start}HYPERLINK(1)"
    (line, *_) = read(csv_text([result(names=(name, "", "B"))]))
    assert line["player"] == f"'{name}"


@given(st.lists(st.text(alphabet='",;\r\n=+-@ aé\u2028\t', max_size=12), min_size=3, max_size=3))
def test_whatever_people_are_called_comes_back(names: list[str]) -> None:
    lines = read(csv_text([result(names=(names[0], names[1], names[2]))]))
    assert len(lines) == 3
    for line, name in zip(lines, names, strict=True):
        assert line["player"].removeprefix("'") == name.removeprefix("'") or line["player"] == name
        assert not line["player"].startswith(FORMULA_STARTS)


def test_every_game_that_says_its_number_says_it_right() -> None:
    for game in ziggurat.registered_games():
        file = files(f"ziggurat.games.{game}") / "figures.json"
        if file.is_file() and (told := json.loads(file.read_text(encoding="utf-8")).get("elsewhere")):
            assert told.keys() <= {"name", "bgg"}
            assert type(told.get("bgg", 1)) is int
        assert known_as(game).name
    assert known_as("nothing").bgg is None


async def finished(who: Player, **more: object) -> Json:
    """A game of one person against bots, played to its end."""
    table = await who.table("me", *BOTS, **more)
    async with who.at(table["id"]) as live:
        await live.play()
        await live.until_over()
    return table


@on_both
async def test_a_finished_game_is_a_file_and_the_facts_for_a_link(base: str) -> None:
    async with visitor(base, "=Ann") as ann, visitor(base, "Eve") as eve:
        table = await ann.table("me", *BOTS)
        path = f"/api/tables/{table['id']}"
        for what in ("result", "results.csv"):
            problem(await ann.http.get(f"{path}/{what}"), 409, "not_over")
        async with ann.at(table["id"]) as live:
            await live.play()
            await live.until_over()
            told = live.state["table"]
        for what in ("result", "results.csv"):
            problem(await eve.http.get(f"{path}/{what}"), 404, "unknown_table")
        answer = await ann.http.get(f"{path}/results.csv")
        assert answer.headers["content-type"].startswith("text/csv")
        assert answer.headers["content-disposition"] == f'attachment; filename="{EXAMPLE}-{table["id"]}.csv"'
        lines = read(answer.content.decode())
        assert [int(line["score"]) for line in lines] == told["scores"][: len(lines)]
        assert [n for n, line in enumerate(lines) if line["won"] == "1"] == told["winners"]
        assert (lines[0]["player"], lines[0]["me"], lines[1]["bot"]) == ("'=Ann", "1", "random")
        found = await ann.get(f"{path}/result")
        assert (found["name"], found["bgg"]) == known_as(EXAMPLE)
        assert found["begun"] <= found["ended"]
        assert found["minutes"] == 1
        assert found["starter"] in (None, *range(SEATS))


@on_both
async def test_all_my_games_are_one_file(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        empty = await ann.http.get("/api/me/results.csv")
        assert read(empty.content.decode()) == []
        made = [(await finished(ann))["id"] for _ in range(2)]
        running = await ann.table("me", *BOTS)
        lines = read((await ann.http.get("/api/me/results.csv")).content.decode())
        assert [*dict.fromkeys(line["table"] for line in lines)] == made[::-1]
        assert running["id"] not in {line["table"] for line in lines}
        assert len(lines) == 2 * SEATS
        assert read((await bob.http.get("/api/me/results.csv")).content.decode()) == []
        for _ in range(FILES_PER_HOUR):
            answer = await bob.http.get("/api/me/results.csv")
        problem(answer, 429, "too_fast")
        async with visitor(base) as stranger:
            problem(await stranger.http.get("/api/me/results.csv"), 401, "nobody_yet")


@own_on_both
async def test_no_game_is_lost_between_two_pages(database: Database) -> None:
    """Also where several were made at the same moment; a companion's games are those of the device."""
    ann = Person("ann", "Ann", "en")
    await database.write(partial(people.insert, person=ann, token="ann"))
    made = []
    for number in range(5):
        wish = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("bot", bot="random")] * (SEATS - 1)])
        table = create(wish, ann)
        made.append(table.id)
        await database.write(partial(log.insert, table=table))
        over = {"status": "finished", "result": json.dumps({"scores": [number] * SEATS, "winners": [0]})}
        this = sa.update(tables).where(tables.c.id == table.id).values(**over, created=float(number // 3))
        await database.write(partial(sa.Connection.execute, statement=this))
    found: list[str] = []
    before: tuple[float, str] | None = None
    for _ in range(3):
        job = partial(rows.of_person, person=ann.id, before=before, limit=2)
        page, before = await database.read(job)
        found += [one.table for one in page]
    assert before is None
    newest_first = sorted(made[3:], reverse=True) + sorted(made[:3], reverse=True)
    assert found == newest_first
    assert all(one.players[0].mine and one.players[1].bot == "random" for one in page)

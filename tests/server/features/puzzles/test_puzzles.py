"""Find the move: puzzles over HTTP, what an answer is worth, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.fixtures import MOSTLY_SQLITE, ServerOn
from tests.server.player import PATIENCE, Json, visitor
from tests.server.test_http import problem

import ziggurat
from ziggurat.core.puzzle import answers, book, position_of
from ziggurat.core.trace import Phrase
from ziggurat.server.domain.people import Person
from ziggurat.server.features.puzzles import rows as puzzles
from ziggurat.server.features.puzzles.rating import (
    FIRST_DEVIATION,
    FIRST_RATING,
    LEAST_DEVIATION,
    PUZZLE_DEVIATION,
    PuzzleRating,
    expected,
    rated,
    score,
)
from ziggurat.server.settings import Settings
from ziggurat.server.store import accounts, housekeeping, people
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate

on_either = pytest.mark.parametrize("own_url", MOSTLY_SQLITE, indirect=True)
GAME = next(game for game in ziggurat.registered_games().values() if book(game))
BASE = f"/api/find/{GAME.id}"
PUZZLES = [*book(GAME).values()]


@pytest.fixture
def base(server_on: ServerOn) -> str:
    """The address of a server that can compare the moves of the game by now."""
    running = server_on("sqlite", engines=True)
    running.until_advisers_are_ready(GAME.id)
    return running.base


async def test_an_answer_is_graded_by_what_it_costs_and_the_first_one_counts(base: str) -> None:
    one = PUZZLES[0]
    position = position_of(GAME, one)
    moves = answers(position, one.seat)
    costs = [cost.loss for cost in one.costs]
    worst = costs.index(max(costs))
    async with visitor(base) as ann:
        before = await ann.get(BASE)
        assert (before["answered"], before["all"], before["rating"]["value"]) == (0, len(PUZZLES), FIRST_RATING)
        put = await ann.get(f"{BASE}/{one.name}")
        assert [choice["action"] for choice in put["scene"]["decision"]["legal"]] == position.legal(one.seat)
        assert put["scene"]["view"] == msgspec.to_builtins(position.view(one.seat))
        assert set(put) == {"name", "scene", "moves", "rating", "answered"}, "nothing tells the answer"
        assert not ann.http.cookies, "to look at one nobody has to be known"
        told = await ann.post(f"{BASE}/{one.name}", {"steps": moves[worst]})
        assert told["loss"] == pytest.approx(costs[worst] / 10)
        assert told["low"] < told["loss"] < told["high"]
        assert told["place"] == sum(loss < costs[worst] for loss in costs)
        assert [step["action"] for step in told["best"]["steps"]] == moves[one.best]
        beside = one.why[0].args["beside"]
        assert isinstance(beside, Phrase)
        # Reasons beside another move than mine are none for me.
        assert told["why"] == []
        assert told["counted"]
        assert told["after"]["value"] < told["before"]["value"]
        assert told["scene"]["decision"]["legal"] == []
        again = await ann.post(f"{BASE}/{one.name}", {"steps": moves[one.best]})
        assert (again["loss"], again["counted"], again["after"]) == (0, False, told["after"])
        assert again["tried"] == told["tried"]
        after = await ann.get(BASE)
        assert (after["answered"], after["found"], after["rating"]) == (1, 0, told["after"])
        assert after["next"] != one.name
        kept = (await ann.get("/api/me/everything"))["puzzles"]
        assert [(row["puzzle"], row["loss"]) for row in kept["answers"]] == [(one.name, costs[worst])]
        assert (await ann.http.delete("/api/me")).status_code == 204


async def test_reasons_are_beside_the_move_that_was_made(base: str) -> None:
    """Somebody asks why their move was worse, not why a move that they never made was."""
    one = PUZZLES[2]
    position = position_of(GAME, one)
    moves = answers(position, one.seat)
    named = [position.describe(one.seat, move).words for move in moves]
    beside = one.why[0].args["beside"]
    assert isinstance(beside, Phrase)
    rival = next(place for place, words in enumerate(named) if words == beside.args["move"])
    other = next(place for place in range(len(moves)) if place not in (rival, one.best))
    path = f"{BASE}/{one.name}"
    async with visitor(base) as ann:
        problem(await ann.http.post(f"{path}/why", json={"steps": moves[other]}), 401, "nobody_yet")
        await ann.post(
            f"{BASE}/{PUZZLES[3].name}", {"steps": answers(position_of(GAME, PUZZLES[3]), PUZZLES[3].seat)[0]}
        )
        problem(await ann.http.post(f"{path}/why", json={"steps": moves[other]}), 409, "not_answered")
        right = await ann.post(path, {"steps": moves[one.best]})
        assert right["why"] == msgspec.to_builtins(one.why)
        assert (await ann.post(path, {"steps": moves[rival]}))["why"] == msgspec.to_builtins(one.why)
        assert (await ann.post(path, {"steps": moves[other]}))["why"] == []
        async with asyncio.timeout(PATIENCE):
            while (asked := await ann.http.post(f"{path}/why", json={"steps": moves[other]})).status_code == 503:
                assert asked.json()["code"] == "busy"
        [first, *_] = asked.json()
        assert first["args"]["beside"] == {"key": "why.beside.yours", "args": {}}
        assert (await ann.http.post(f"{path}/why", json={"steps": moves[other]})).json() == asked.json()


async def test_two_answers_at_once_are_one(base: str) -> None:
    one = PUZZLES[1]
    best = answers(position_of(GAME, one), one.seat)[one.best]
    async with visitor(base, "Ann") as ann:
        told: list[Json] = await asyncio.gather(*(ann.post(f"{BASE}/{one.name}", {"steps": best}) for _ in range(4)))
        assert [one["counted"] for one in told].count(True) == 1
        assert (await ann.get(BASE))["found"] == 1


async def test_what_cannot_be_is_refused(sqlite_base: str) -> None:
    one = next(one for one in PUZZLES if any(len(move) > 1 for move in answers(position_of(GAME, one), one.seat)))
    longer = next(move for move in answers(position_of(GAME, one), one.seat) if len(move) > 1)
    path = f"{BASE}/{one.name}"
    async with visitor(sqlite_base) as ann:
        problem(await ann.http.get(f"{BASE}/00000000"), 404, "unknown_puzzle")
        problem(await ann.http.get("/api/find/chess"), 404, "unknown_game")
        problem(await ann.http.post(path, json={"steps": []}), 400, "bad_request")
        problem(await ann.http.post(path, json={"steps": [1] * 201}), 400, "bad_request")
        problem(await ann.http.post(path, json={"steps": [2**31 - 1]}), 400, "illegal_action")
        problem(await ann.http.post(path, json={"steps": longer[:1]}), 409, "unfinished_move")
        problem(await ann.http.post(path, json={"steps": [*longer, longer[0]]}), 409, "too_many_steps")
        seen = (await ann.http.post(f"{path}/preview", json={"steps": longer[:1]})).json()
        assert seen["add"] or seen["confirm"]
        pieces = position_of(GAME, one).named[:5]
        found = (await ann.http.post(f"{path}/about", json={"pieces": pieces})).json()
        assert len(found) == len(pieces)
        assert not ann.http.cookies, "whoever answers nothing leaves nothing"


@pytest.fixture
async def kept(tmp_path: Path, own_url: str | None) -> AsyncIterator[Database]:
    database = open_database(Settings(data=tmp_path, database_url=own_url))
    await database.open()
    await migrate(database, None)
    for name in ("ann", "bob"):
        await database.transact(partial(people.insert, person=Person(name, name, "en"), token=name))
    yield database
    await database.close()


async def test_a_guest_who_has_answered_signs_in_and_takes_it_along(sqlite_base: str) -> None:
    """The rows of a feature come with its person, whichever request brings them."""
    one = PUZZLES[0]
    best = answers(position_of(GAME, one), one.seat)[one.best]
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base) as guest:
        code = (await ann.post("/api/me/codes"))["codes"][0]
        await guest.post(f"{BASE}/{one.name}", {"steps": best})
        await guest.post("/api/sign-in", {"secret": code})
        assert (await ann.get(BASE))["answered"] == 1
        assert (await guest.get("/api/me"))["name"] == "Ann"


@on_either
async def test_a_guest_becomes_a_person_with_both_their_answers(kept: Database) -> None:
    def job(c: sa.Connection) -> None:
        for number, (person, puzzle, loss) in enumerate(
            [("ann", "a", 0), ("bob", "a", 80), ("bob", "b", 0), ("bob", "c", 0), ("ann", "d", 30)]
        ):
            assert puzzles.answer(c, "game", puzzle, 1500 + number, person, loss)
        surer = puzzles.rating(c, "game", "bob")
        accounts.become(c, "ann", "bob")
        assert puzzles.rating(c, "game", "bob") == surer
        assert puzzles.of_person(c, "game", "ann") == {}
        mine = puzzles.of_person(c, "game", "bob")
        assert mine.keys() == {"a", "b", "c", "d"}
        assert mine["d"] == 30
        assert {row["puzzle"] for row in accounts.everything(c, "bob")["puzzles"]["answers"]} == mine.keys()
        assert puzzles.of_game(c, "game")["a"][1:] == (2, 1)
        accounts.forget(c, "bob")
        assert puzzles.of_person(c, "game", "bob") == {}
        assert puzzles.of_game(c, "game")["a"][1:] == (2, 1), "what was learned of the puzzle stays"

    await kept.transact(job)


@on_either
async def test_strangers_are_forgotten_with_their_answers(kept: Database) -> None:
    def job(c: sa.Connection) -> None:
        assert puzzles.answer(c, "game", "a", 1500, "ann", 0)
        assert not puzzles.answer(c, "game", "a", 1500, "ann", 50)
        assert housekeeping.delete_strangers(c, 1e12, 100) == 2
        assert puzzles.of_person(c, "game", "ann") == {}

    await kept.transact(job)


def test_ratings_follow_what_was_scored() -> None:
    new, puzzle = PuzzleRating(FIRST_RATING, FIRST_DEVIATION), PuzzleRating(1500, PUZZLE_DEVIATION)
    better, harder = rated(new, puzzle, 1.0)
    assert better.value > 1600 > 1500 > harder.value, "a newcomer's rating moves more"
    assert better.deviation < FIRST_DEVIATION
    assert [round(score(loss), 2) for loss in (-5, 0, 30, 60, 120, 700)] == [1, 1, 0.75, 0.5, 0, 0]
    assert expected(PuzzleRating(1700, 50), puzzle) > 0.7
    # What one expects changes nothing; and a puzzle that thousands have failed is no harder than there is.
    as_expected, _ = rated(new, puzzle, expected(new, puzzle))
    assert as_expected.value == pytest.approx(new.value)
    for _ in range(3000):
        _, puzzle = rated(new, puzzle, 0.0)
    assert puzzle.value <= 3000
    assert puzzle.deviation >= LEAST_DEVIATION


def test_a_player_is_found_out() -> None:
    # Answers as a player of 1800 gives them on average, to puzzles of all kinds.
    player, able = PuzzleRating(FIRST_RATING, FIRST_DEVIATION), PuzzleRating(1800.0, 30.0)
    for number in range(150):
        puzzle = PuzzleRating(1300.0 + number * 37 % 700, 60.0)
        player, _ = rated(player, puzzle, expected(able, puzzle))
    assert abs(player.value - able.value) < 60

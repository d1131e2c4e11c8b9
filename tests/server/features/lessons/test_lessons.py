"""Lessons over HTTP: a step is begun, tried, missed and done, and nothing of it is kept."""

from __future__ import annotations

import msgspec
import pytest
from tests.server.player import visitor
from tests.server.test_http import problem

import ziggurat
from ziggurat.core.lesson import answer, lessons, whole_moves

TAUGHT = next(game for game in ziggurat.registered_games().values() if lessons(game))
BASE = f"/api/games/{TAUGHT.id}/lessons"


async def test_a_step_is_begun_missed_and_done_by_somebody_whom_nobody_knows(sqlite_base: str) -> None:
    one = next(iter(lessons(TAUGHT).values()))
    step = next(step for step in one.steps if step.answers)
    position = one.begin(step)
    verdicts = [(moves, answer(one, step, moves)) for moves in whole_moves(position, step.seat - 1)]
    right = next(moves for moves, verdict in verdicts if verdict.right)
    wrong, missed = next((moves, verdict) for moves, verdict in verdicts if not verdict.right)
    path = f"{BASE}/{one.name}/{step.name}"
    async with visitor(sqlite_base) as ann:
        listed = await ann.get(BASE)
        assert [(found["name"], [each["name"] for each in found["steps"]]) for found in listed] == [
            (found.name, [each.name for each in found.steps]) for found in lessons(TAUGHT).values()
        ]
        begun = await ann.get(path)
        scene = begun["scene"]
        assert scene["table"]["you"] == step.seat - 1
        assert [choice["action"] for choice in scene["decision"]["legal"]] == position.legal(step.seat - 1)
        assert begun["show"]["notation"] == step.show
        said = (await ann.http.post(path, json={"steps": wrong})).json()
        assert (said["right"], said["scene"], said["say"]["key"]) == (False, None, missed.say.key)
        said = (await ann.http.post(path, json={"steps": right})).json()
        assert said["right"]
        assert said["scene"]["decision"]["legal"] == []
        assert said["scene"]["events"]
        assert await ann.get(path) == begun, "it can be begun anew"
        for steps in ([], right):
            here = answer(one, step, steps).position if steps else position
            assert here is not None
            pieces = here.named[:100]
            wanted = here.about(step.seat - 1, pieces)
            found = (await ann.http.post(f"{path}/about", json={"pieces": pieces, "steps": steps})).json()
            assert found == msgspec.to_builtins(wanted)
        assert not ann.http.cookies, "nobody has to be known for it"


async def test_an_unfinished_move_is_looked_at(sqlite_base: str) -> None:
    for one in lessons(TAUGHT).values():
        for step in one.steps:
            longer = [moves for moves in whole_moves(one.begin(step), step.seat - 1) if len(moves) > 1]
            if not step.answers or not longer:
                continue
            async with visitor(sqlite_base) as ann:
                path = f"{BASE}/{one.name}/{step.name}/preview"
                seen = (await ann.http.post(path, json={"steps": longer[0][:1]})).json()
                assert seen["say"]
                assert seen["add"]
            return
    pytest.fail("no lesson has a move of several steps")


async def test_what_cannot_be_is_refused(sqlite_base: str) -> None:
    one = next(iter(lessons(TAUGHT).values()))
    path = f"{BASE}/{one.name}/{one.steps[0].name}"
    async with visitor(sqlite_base) as ann:
        problem(await ann.http.get(f"{BASE}/none/none"), 404, "unknown_lesson")
        problem(await ann.http.get(f"{BASE}/{one.name}/none"), 404, "unknown_lesson")
        problem(await ann.http.get("/api/games/chess/lessons"), 404, "unknown_game")
        problem(await ann.http.post(path, json={"steps": []}), 400, "bad_request")
        problem(await ann.http.post(path, json={"steps": [1] * 201}), 400, "bad_request")
        problem(await ann.http.post(path, json={"steps": [2**31 - 1]}), 400, "illegal_action")
        problem(await ann.http.post(f"{path}/preview", json={"steps": [2**31 - 1]}), 400, "bad_notation")

"""`/api/games/<game>/lessons`: lessons. The server keeps nothing of them: the browser knows how far its person is."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

import ziggurat
from ziggurat.core.decision import About, Description, Preview
from ziggurat.core.lesson import Lesson, Step, answer, lesson, lessons
from ziggurat.core.trace import Phrase
from ziggurat.server.api.sandbox import MoveAttempt, PieceQuestion, SandboxState, sandbox_state
from ziggurat.server.api.sessions import address
from ziggurat.server.services.rate_limits import RateLimits

AnyRequest = Request[Any, Any, Any]


class StepInfo(msgspec.Struct):
    """A step of a lesson; with `choices` it is a question, else something to do on the board.

    `lit`: places of the board that it is about. `right`: the choice that is.
    """

    name: str
    choices: list[str]
    right: str | None
    lit: list[str]


class LessonInfo(msgspec.Struct):
    """A lesson, and about how many minutes it takes."""

    name: str
    minutes: int
    steps: list[StepInfo]


class StepStart(msgspec.Struct):
    """The start of a step; `show`: a right answer, for those who ask to see one."""

    scene: SandboxState
    show: Description | None


class StepAnswer(msgspec.Struct):
    """What is said to a move, and what follows from it if it is right."""

    right: bool
    say: Phrase
    scene: SandboxState | None


def _step(game_id: str, lesson_name: str, step_name: str) -> tuple[Lesson, Step]:
    found = lesson(ziggurat.game(game_id), lesson_name)
    return found, found.step(step_name)


@get("/api/games/{game_id:str}/lessons", summary="The lessons of a game")
async def list_lessons(game_id: FromPath[str]) -> list[LessonInfo]:
    """Return the lessons in their order."""
    return [
        LessonInfo(
            one.name, one.minutes, [StepInfo(step.name, list(step.choices), step.right, step.lit) for step in one.steps]
        )
        for one in lessons(ziggurat.game(game_id)).values()
    ]


@get("/api/games/{game_id:str}/lessons/{lesson_name:str}/{step_name:str}", summary="Where a step of a lesson begins")
async def get_step(
    request: AnyRequest,
    rate_limits: NamedDependency[RateLimits],
    game_id: FromPath[str],
    lesson_name: FromPath[str],
    step_name: FromPath[str],
) -> StepStart:
    """Return the position of a step as its seat sees it."""
    found, step = _step(game_id, lesson_name, step_name)
    async with rate_limits.share(address(request)):
        position, seat = found.begin(step), step.seat - 1
        show = position.describe(seat, position.read_move(step.show, seat)) if step.show else None
        return StepStart(sandbox_state(position, seat, over=not step.answers), show)


@post(
    "/api/games/{game_id:str}/lessons/{lesson_name:str}/{step_name:str}",
    status_code=200,
    summary="Try a move in a step of a lesson",
)
async def try_move(
    request: AnyRequest,
    rate_limits: NamedDependency[RateLimits],
    game_id: FromPath[str],
    lesson_name: FromPath[str],
    step_name: FromPath[str],
    data: JSONBody[MoveAttempt],
) -> StepAnswer:
    """Return what there is to say to a move, and the position after it if it is right."""
    found, step = _step(game_id, lesson_name, step_name)
    async with rate_limits.share(address(request)):
        said = answer(found, step, data.steps)
        after = sandbox_state(said.position, step.seat - 1, over=True) if said.position is not None else None
        return StepAnswer(said.right, said.say, after)


@post(
    "/api/games/{game_id:str}/lessons/{lesson_name:str}/{step_name:str}/preview",
    status_code=200,
    summary="What an unfinished move would do in a step of a lesson",
)
async def preview_move(
    request: AnyRequest,
    rate_limits: NamedDependency[RateLimits],
    game_id: FromPath[str],
    lesson_name: FromPath[str],
    step_name: FromPath[str],
    data: JSONBody[MoveAttempt],
) -> Preview:
    """Return what the steps would do so far."""
    found, step = _step(game_id, lesson_name, step_name)
    async with rate_limits.share(address(request)):
        return found.begin(step).preview(step.seat - 1, data.steps)


@post(
    "/api/games/{game_id:str}/lessons/{lesson_name:str}/{step_name:str}/about",
    status_code=200,
    summary="What pieces are in a step of a lesson",
)
async def about_pieces(
    request: AnyRequest,
    rate_limits: NamedDependency[RateLimits],
    game_id: FromPath[str],
    lesson_name: FromPath[str],
    step_name: FromPath[str],
    data: JSONBody[PieceQuestion],
) -> list[About]:
    """Return what pieces are, and what each is worth to the learner."""
    found, step = _step(game_id, lesson_name, step_name)
    async with rate_limits.share(address(request)):
        after = answer(found, step, data.steps).position if data.steps else None
        return (after or found.begin(step)).about(step.seat - 1, data.pieces)


ROUTES = (list_lessons, get_step, try_move, preview_move, about_pieces)

"""`/api/games/<game>/lessons`: lessons. The server stores nothing of them: the browser keeps the person's progress."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from litestar import get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

import ziggurat
from ziggurat.core.decision import About, Description, Preview
from ziggurat.core.lesson import Lesson, Step, answer, lesson, lessons
from ziggurat.core.trace import Phrase
from ziggurat.server.api.endpoints import ANYONE, SMALL_BODY, Endpoint
from ziggurat.server.api.sandbox import MoveAttempt, PieceQuestion, SandboxState, sandbox_state
from ziggurat.server.services.rate_limits import LoopShare

STEP_PATH = "/api/games/{game_id:str}/lessons/{lesson_name:str}/{step_name:str}"


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
    """The comment on a move, and the position after it if it is right."""

    right: bool
    say: Phrase
    scene: SandboxState | None


class LessonStep(NamedTuple):
    """The step of a lesson that a request names."""

    lesson: Lesson
    step: Step


def _at(game_id: FromPath[str], lesson_name: FromPath[str], step_name: FromPath[str]) -> LessonStep:
    found = lesson(ziggurat.game(game_id), lesson_name)
    return LessonStep(found, found.step(step_name))


STEP_DEPENDENCY = {"at": Provide(_at, sync_to_thread=False)}


@get("/api/games/{game_id:str}/lessons", summary="The lessons of a game", endpoint=Endpoint(ANYONE))
async def list_lessons(game_id: FromPath[str]) -> list[LessonInfo]:
    """Return the lessons in their order."""
    return [
        LessonInfo(
            one.name, one.minutes, [StepInfo(step.name, list(step.choices), step.right, step.lit) for step in one.steps]
        )
        for one in lessons(ziggurat.game(game_id)).values()
    ]


@get(STEP_PATH, dependencies=STEP_DEPENDENCY, summary="Where a step of a lesson begins", endpoint=Endpoint(ANYONE))
async def get_step(share: NamedDependency[LoopShare], at: NamedDependency[LessonStep]) -> StepStart:
    """Return the position of a step as its seat sees it."""
    found, step = at
    async with share:
        position, seat = found.begin(step), step.seat - 1
        show = position.describe(seat, position.read_move(step.show, seat)) if step.show else None
        return StepStart(sandbox_state(position, seat, over=not step.answers), show)


@post(
    STEP_PATH,
    dependencies=STEP_DEPENDENCY,
    status_code=200,
    summary="Try a move in a step of a lesson",
    endpoint=Endpoint(ANYONE, body=SMALL_BODY),
)
async def try_move(
    share: NamedDependency[LoopShare], at: NamedDependency[LessonStep], data: JSONBody[MoveAttempt]
) -> StepAnswer:
    """Return the comment on a move, and the position after it if it is right."""
    found, step = at
    async with share:
        said = answer(found, step, data.steps)
        after = sandbox_state(said.position, step.seat - 1, over=True) if said.position is not None else None
        return StepAnswer(said.right, said.say, after)


@post(
    f"{STEP_PATH}/preview",
    dependencies=STEP_DEPENDENCY,
    status_code=200,
    summary="What an unfinished move would do in a lesson",
    endpoint=Endpoint(ANYONE, body=SMALL_BODY),
)
async def preview_move(
    share: NamedDependency[LoopShare], at: NamedDependency[LessonStep], data: JSONBody[MoveAttempt]
) -> Preview:
    """Return the preview of the steps so far."""
    found, step = at
    async with share:
        return found.begin(step).preview(step.seat - 1, data.steps)


@post(
    f"{STEP_PATH}/about",
    dependencies=STEP_DEPENDENCY,
    status_code=200,
    summary="What pieces are in a step of a lesson",
    endpoint=Endpoint(ANYONE, body=SMALL_BODY),
)
async def about_pieces(
    share: NamedDependency[LoopShare], at: NamedDependency[LessonStep], data: JSONBody[PieceQuestion]
) -> list[About]:
    """Return descriptions of pieces, and what each is worth to the learner."""
    found, step = at
    async with share:
        after = answer(found, step, data.steps).position if data.steps else None
        return (after or found.begin(step)).about(step.seat - 1, data.pieces)


ROUTES = (list_lessons, get_step, try_move, preview_move, about_pieces)

"""`/api/find/<game>`: puzzles, positions in which one move is clearly better, and the value of an answer.

Nothing of a puzzle is told before it is answered; what is kept of an answer is what it cost.
"""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import NamedTuple, cast

import msgspec
import sqlalchemy as sa
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

import ziggurat
from ziggurat import Game, Position
from ziggurat.core import puzzle as puzzles
from ziggurat.core.decision import About, Description, Preview
from ziggurat.core.puzzle import Puzzle
from ziggurat.core.trace import Phrase
from ziggurat.server.api.endpoints import ANYONE, NEWCOMER, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import PERSON, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sandbox import MoveAttempt, PieceQuestion, SandboxState, sandbox_state
from ziggurat.server.api.sessions import address, current_person, require_person
from ziggurat.server.features.puzzles import rows as puzzle_store
from ziggurat.server.features.puzzles.rating import PuzzleRating
from ziggurat.server.problems import Problem
from ziggurat.server.services.advice import AdviceService
from ziggurat.server.services.rate_limits import LoopShare, RateLimits
from ziggurat.server.services.table_service import TableService

NEAREST_PUZZLES = 5
"""The next puzzle is drawn from so many that are nearest to the person's rating."""


class RatingInfo(msgspec.Struct):
    """A rating: 95 times in 100 it lies within `give` of the value."""

    value: int
    give: int


class PuzzleProgress(msgspec.Struct):
    """A person's progress with the puzzles of a game. `next`: the name of one for them; null when all are answered."""

    rating: RatingInfo
    answered: int
    found: int
    all: int
    next: str | None


class PuzzleInfo(msgspec.Struct):
    """A puzzle as it is put: the position, how many whole moves there are, and how hard it has been so far."""

    name: str
    scene: SandboxState
    moves: int
    rating: RatingInfo
    answered: bool


class PuzzleVerdict(msgspec.Struct):
    """The verdict on an answer. `loss`: how much less it wins than the best move, in per cent of the games, with the 95
    % interval. `place`: how many moves are better. `counted`: it was the first answer. `before`, `after`: the rating.
    `tried`, `found`: by how many people, this one included. `why`: the reasons for the best move, compared with the
    move that was made; empty where they are compared with another one (`.../why` then gives them).
    """

    made: Description
    best: Description
    loss: float
    low: float
    high: float
    place: int
    why: list[Phrase]
    counted: bool
    before: RatingInfo
    after: RatingInfo
    tried: int
    found: int
    scene: SandboxState


class _PuzzlePosition(NamedTuple):
    game: Game
    puzzle: Puzzle
    position: Position


def _of(game_id: str, name: str) -> _PuzzlePosition:
    game = ziggurat.game(game_id)
    found = puzzles.puzzle(game, name)
    return _PuzzlePosition(game, found, puzzles.position_of(game, found))


def _rating(rating: PuzzleRating) -> RatingInfo:
    return RatingInfo(round(rating.value), round(1.96 * rating.deviation))


def _next(
    book: dict[str, Puzzle], known: dict[str, puzzle_store.PuzzleStats], mine: set[str], rating: float
) -> str | None:
    """Return the name of an unanswered puzzle near a rating; None when all are answered."""

    def far(one: Puzzle) -> float:
        return abs((known[one.name].rating.value if one.name in known else one.rating) - rating)

    left = sorted((one for one in book.values() if one.name not in mine), key=far)
    return random.choice(left[:NEAREST_PUZZLES]).name if left else None


@get("/api/find/{game_id:str}", summary="How far I am with the puzzles of a game", endpoint=Endpoint(ANYONE))
async def get_puzzle_progress(
    request: AnyRequest, table_service: NamedDependency[TableService], game_id: FromPath[str]
) -> PuzzleProgress:
    """Return my rating, and the name of a puzzle for me."""
    game = ziggurat.game(game_id)
    book = await asyncio.to_thread(puzzles.book, game)
    person = await current_person(request, table_service.database)
    me = person.id if person else ""

    def job(connection: sa.Connection) -> PuzzleProgress:
        rating = puzzle_store.rating(connection, game.id, me)
        mine = puzzle_store.of_person(connection, game.id, me)
        wanted = _next(book, puzzle_store.of_game(connection, game.id), {*mine}, rating.value)
        losses = [loss for name, loss in mine.items() if name in book]
        return PuzzleProgress(_rating(rating), len(losses), losses.count(0), len(book), wanted)

    return await table_service.database.read(job)


@get("/api/find/{game_id:str}/{name:str}", summary="A puzzle", endpoint=Endpoint(ANYONE))
async def get_puzzle(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    share: NamedDependency[LoopShare],
    game_id: FromPath[str],
    name: FromPath[str],
) -> PuzzleInfo:
    """Return the position of a puzzle, as the seat to move sees it."""
    person = await current_person(request, table_service.database)
    async with share:
        game, one, position = _of(game_id, name)
        put = sandbox_state(position, one.seat)

    def job(connection: sa.Connection) -> PuzzleInfo:
        known = puzzle_store.stats(connection, game.id, name, one.rating)
        answered = name in puzzle_store.of_person(connection, game.id, person.id) if person else False
        return PuzzleInfo(name, put, len(one.costs), _rating(known.rating), answered)

    return await table_service.database.read(job)


@post(
    "/api/find/{game_id:str}/{name:str}",
    status_code=200,
    summary="Answer a puzzle",
    endpoint=Endpoint(NEWCOMER, body=SMALL_BODY, rows=("answers", "finders", "riddles")),
)
async def answer_puzzle(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    advice_service: NamedDependency[AdviceService],
    rate_limits: NamedDependency[RateLimits],
    game_id: FromPath[str],
    name: FromPath[str],
    share: NamedDependency[LoopShare],
    data: JSONBody[MoveAttempt],
) -> PuzzleVerdict:
    """Return the value of a move and the best one. A person's first answer counts for both ratings. `why` is filled
    where the reasons compare with this move, or where no search can be asked about it."""
    async with share:
        game, one, position = _of(game_id, name)
        place = puzzles.place_of(position, one, data.steps)
        best = puzzles.answers(position, one.seat)[one.best]
        made, better = (position.describe(one.seat, moves) for moves in (game.arrange(data.steps), best))
        put = sandbox_state(position, one.seat, over=True)
    person = await require_person(request, table_service.database, rate_limits)
    cost = one.costs[place]
    loss = max(0, cost.loss)
    known_ones_do = loss == 0 or _compares(one.why, made) or not advice_service.ready(game.id)
    why = one.why if known_ones_do else []

    def job(connection: sa.Connection) -> PuzzleVerdict:
        before = puzzle_store.rating(connection, game.id, person.id)
        counted = puzzle_store.answer(connection, game.id, name, one.rating, person.id, loss)
        known = puzzle_store.stats(connection, game.id, name, one.rating)
        return PuzzleVerdict(
            made,
            better,
            loss / 10,
            max(0.0, round(loss - 1.96 * cost.error) / 10),
            round(loss + 1.96 * cost.error) / 10,
            sum(other.loss < cost.loss for other in one.costs),
            why,
            counted,
            _rating(before),
            _rating(puzzle_store.rating(connection, game.id, person.id)),
            known.tried,
            known.found,
            put,
        )

    try:
        return await table_service.database.write(job)
    except sa.exc.IntegrityError:  # answered twice at the same moment
        return await table_service.database.write(job)


def _compares(why: list[Phrase], made: Description) -> bool:
    """Whether the stored reasons compare the best move with this one."""
    beside = why[0].args.get("beside") if why else None
    return isinstance(beside, Phrase) and beside.args.get("move") == made.words


@post(
    "/api/find/{game_id:str}/{name:str}/why",
    status_code=200,
    summary="Why another move would have been better",
    endpoint=Endpoint(PERSON, body=SMALL_BODY),
)
async def explain_answer(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    advice_service: NamedDependency[AdviceService],
    rate_limits: NamedDependency[RateLimits],
    game_id: FromPath[str],
    name: FromPath[str],
    share: NamedDependency[LoopShare],
    data: JSONBody[MoveAttempt],
) -> list[Phrase]:
    """Return why the best move is better than mine; only to those who have answered."""
    person = asker(request)
    if name not in await table_service.database.read(partial(puzzle_store.of_person, game=game_id, person=person.id)):
        raise Problem(409, "not_answered", "This puzzle is explained to whoever has answered it.")
    async with share:
        _, one, position = _of(game_id, name)
        made = puzzles.place_of(position, one, data.steps)
        moves = puzzles.answers(position, one.seat)
    who = rate_limits.note_client(person.id, address(request))
    found = await advice_service.compare(position, one.seat, moves[one.best], moves[made], who)
    return cast("list[Phrase]", found)  # written down already


@post(
    "/api/find/{game_id:str}/{name:str}/preview",
    status_code=200,
    summary="What an unfinished answer would do",
    endpoint=Endpoint(ANYONE, body=SMALL_BODY),
)
async def preview_answer(
    share: NamedDependency[LoopShare], game_id: FromPath[str], name: FromPath[str], data: JSONBody[MoveAttempt]
) -> Preview:
    """Return the preview of the steps so far."""
    async with share:
        _, one, position = _of(game_id, name)
        return position.preview(one.seat, data.steps)


@post(
    "/api/find/{game_id:str}/{name:str}/about",
    status_code=200,
    summary="What pieces are in a puzzle",
    endpoint=Endpoint(ANYONE, body=SMALL_BODY),
)
async def about_pieces(
    share: NamedDependency[LoopShare], game_id: FromPath[str], name: FromPath[str], data: JSONBody[PieceQuestion]
) -> list[About]:
    """Return descriptions of pieces, and what each is worth to the seat to move."""
    async with share:
        _, one, position = _of(game_id, name)
        return position.about(one.seat, data.pieces)


ROUTES = (get_puzzle_progress, get_puzzle, answer_puzzle, explain_answer, preview_answer, about_pieces)

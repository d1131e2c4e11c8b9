"""The work of one worker: read a question into decisions, and answer one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from ziggurat.bots import SEARCHING, CandidateMove, analyse
from ziggurat.core import scenario
from ziggurat.core.decision import Description
from ziggurat.core.errors import FileError, UnfinishedMove, ZigguratError
from ziggurat.core.position import Position
from ziggurat.core.registry import game as find_game
from ziggurat.core.replay import Replay
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import generator
from ziggurat.core.text import Catalogue, catalogue
from ziggurat.core.trace import Phrase
from ziggurat.lab.analyse.questions import AnalysisRequest, BadRequest

MOST_REPLAY_MOVES = 3000
"""Of a replay that is read; no game of ours has a third of them."""


@dataclass(frozen=True)
class Inquiry:
    """One decision that a question asks about.

    Attributes:
        number: of the move in the replay, from 1; None in a position.
        steps: of the move that was made, or None.
    """

    position: Position
    seat: int
    number: int | None
    steps: tuple[int, ...] | None


def load_game(id: str) -> None:
    """Load a game with its search; compiles what the cache lacks."""
    game = find_game(id)
    prepare(game)
    prepare(game, program=SEARCHING)


def read(asked: AnalysisRequest) -> list[Inquiry]:
    """Return all decisions of a question.

    Raises:
        BadRequest: with the field that is wrong.
    """
    try:
        return _of_replay(asked) if asked.position is UNSET else [_of_position(asked)]
    except BadRequest:
        raise
    except FileError as error:
        field = "position" if asked.replay is UNSET else "replay"
        raise BadRequest(f"{field}: {error}", asked.id, field) from None
    except (ArithmeticError, LookupError, RecursionError, ValueError) as error:
        field = "position" if asked.replay is UNSET else "replay"
        raise BadRequest(f"{field}: the game cannot go on from there ({error})", asked.id, field) from None


def _of_replay(asked: AnalysisRequest) -> list[Inquiry]:
    assert isinstance(asked.replay, str)
    replay = Replay.parse(asked.replay)
    if len(replay.moves) > MOST_REPLAY_MOVES:
        raise BadRequest(
            f"replay: it has {len(replay.moves)} moves; at most {MOST_REPLAY_MOVES} are read", asked.id, "replay"
        )
    known = range(1, len(replay.moves) + 1)
    wanted = set(known) if asked.moves is UNSET else set(asked.moves)
    if strange := sorted(wanted - set(known)):
        has = f"the replay has the moves 1 to {len(known)}" if known else "the replay has no moves"
        raise BadRequest(f"moves: there is no move {strange[0]}; {has}", asked.id, "moves")
    seats = set(range(replay.players)) if asked.seats is UNSET else set(asked.seats)
    if strange := sorted(seats - set(range(replay.players))):
        raise BadRequest(f"seats: {_seats(strange[0], range(replay.players))}", asked.id, "seats")
    positions = replay.positions()
    found = []
    for number, (before, move) in enumerate(zip(positions, replay.moves, strict=False), start=1):
        if number in wanted and move.seat in seats:
            steps = before.game.arrange(before.read_move(move.text, move.seat))
            found.append(Inquiry(before.copy(events=False), move.seat, number, tuple(steps)))
    return found


def _of_position(asked: AnalysisRequest) -> Inquiry:
    assert isinstance(asked.position, str)
    position = scenario.reached(asked.position)
    if position.finished:
        raise BadRequest("position: the game is over there", asked.id, "position")
    if asked.seat is UNSET and len(position.actors) > 1:
        several = ", ".join(map(str, position.actors))
        raise BadRequest(f"seat: say whose decision is meant: {several} decide at once", asked.id, "seat")
    seat = position.actors[0] if asked.seat is UNSET else asked.seat
    if seat not in position.actors:
        raise BadRequest(f"seat: {_seats(seat, position.actors)}", asked.id, "seat")
    steps: Sequence[int] | None = None
    if asked.move is not UNSET:
        try:
            steps = position.game.arrange(position.read_move(asked.move, seat))
            position.after_move(seat, steps)
        except UnfinishedMove:
            raise BadRequest(f"move: {asked.move!r} is not a whole move", asked.id, "move") from None
        except ZigguratError as error:
            raise BadRequest(f"move: {error}", asked.id, "move") from None
    return Inquiry(position, seat, None, None if steps is None else tuple(steps))


def _seats(strange: int, known: Sequence[int]) -> str:
    return f"there is no seat {strange} that decides; there are: {', '.join(map(str, known))} (counted from 0)"


def answer(asked: AnalysisRequest, inquiry: Inquiry) -> dict[str, Any]:
    """Return the analysis of one decision; the same every time."""
    position, seat = inquiry.position, inquiry.seat
    chance = hashlib.sha256(f"analyse {asked.seed} {inquiry.number or 0}".encode()).digest()
    found = analyse(
        position,
        seat,
        inquiry.steps,
        asked.iterations,
        generator(chance),
        candidates=asked.candidates,
        explain=asked.why,
    )
    says = catalogue(asked.language, position.game, "why")
    judged = found.judgement
    # Both are played on again in as many games, which the search for the best move alone was not.
    said: dict[str, Any] = {"id": asked.id}
    if inquiry.number is not None:
        said["move"] = inquiry.number
    said |= {"seat": seat, "chances": (judged or found.advice).chances, "games": (judged or found.advice).games}
    if judged is not None:
        said |= {
            "made": _move(judged.move, says),
            "cost": judged.cost,
            "difference": found.difference,
            "best_chances": judged.best.chances,
        }
    said["best"] = [_candidate(one, says) for one in found.candidates]
    if asked.why:
        said["why"] = _words(says, judged.why if judged is not None else found.advice.why)
    return said


def _candidate(one: CandidateMove, says: Catalogue) -> dict[str, Any]:
    return {**_move(one.move, says), "visits": one.visits, "value": one.value}


def _move(move: Description, says: Catalogue) -> dict[str, Any]:
    return {"notation": move.notation, "steps": [step.action for step in move.steps], "words": says.say(move.words)}


def _words(says: Catalogue, phrases: Sequence[Phrase]) -> list[str]:
    return [says.say(phrase) for phrase in phrases]

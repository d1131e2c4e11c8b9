"""The questions of an analysis, and the reading of one from a line."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ziggurat.core.errors import ZigguratError
from ziggurat.core.languages import LANGUAGES, Language

LINE_BYTES = 4 << 20
"""Bytes of the longest line that is read."""
MOST_ITERATIONS = 1_000_000
"""Of one question for each move: what is begun is not stopped, so that the answer follows from the question."""

Id = Annotated[str, Meta(max_length=200)] | int


class AnalysisRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A question about a game or a position.

    Attributes:
        id: by which its answers are known.
        replay: the text of a replay file; its moves are judged.
        position: the text of a scenario file instead; the best moves there are wanted.
        moves: which moves of the replay, counted from 1; all if it is left out.
        seats: whose moves of the replay; everybody's if it is left out.
        seat: who decides in the position; may be left out where only one does.
        move: a move in the position, in notation, to be judged.
        iterations: of the search for the best move, and of what each of the two is worth.
        candidates: how many of the best moves are named.
        why: give reasons.
        language: of the reasons and of the words of moves.
        priority: questions with a higher one are answered first.
        seed: all chance follows from it.
    """

    id: Id
    replay: str | UnsetType = UNSET
    position: str | UnsetType = UNSET
    moves: list[Annotated[int, Meta(ge=1)]] | UnsetType = UNSET
    seats: list[Annotated[int, Meta(ge=0)]] | UnsetType = UNSET
    seat: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    move: str | UnsetType = UNSET
    iterations: Annotated[int, Meta(ge=1, le=MOST_ITERATIONS)] = 1000
    candidates: Annotated[int, Meta(ge=1, le=100)] = 3
    why: bool = True
    language: Language = LANGUAGES[0]
    priority: int = 0
    seed: int | str = 0


class Termination(msgspec.Struct, forbid_unknown_fields=True):
    """The request to drop what is left of a question."""

    terminate: Id


class BadRequest(ZigguratError):
    """A line that is no valid question.

    Attributes:
        id: of the question, if that much could be read.
        field: what is wrong in it, if that is one field.
    """

    code = "bad_request"

    def __init__(self, detail: str, id: str | int | None = None, field: str | None = None) -> None:
        super().__init__(detail)
        self.id = id
        self.field = field


_PLACE = re.compile(r" - at `\$\.(\w+)[^`]*`$")
_UNKNOWN = re.compile(r"unknown field `([^`]*)`")


def read_request(line: bytes | str) -> AnalysisRequest | Termination:
    """Read a question from a line.

    Raises:
        BadRequest: saying what would have been right.
    """
    if len(line) > LINE_BYTES:
        raise BadRequest(f"a line has at most {LINE_BYTES >> 20} MiB")
    try:
        said = msgspec.json.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadRequest(f"this line is no JSON: {str(error).rstrip('.')}") from None
    if not isinstance(said, dict):
        raise BadRequest(f'a question is an object, such as {{"id": 1, "replay": "..."}}, not {_kind(said)}')
    kind: type[AnalysisRequest | Termination] = Termination if "terminate" in said else AnalysisRequest
    id = _id(said)
    try:
        asked = msgspec.convert(said, kind)
    except msgspec.ValidationError as error:
        raise _refused(str(error), id, kind) from None
    if isinstance(asked, AnalysisRequest):
        _check(asked)
    return asked


def _id(said: dict[str, Any]) -> str | int | None:
    id = said.get("terminate", said.get("id"))
    known = isinstance(id, int) and not isinstance(id, bool)
    return id if known or (isinstance(id, str) and len(id) <= 200) else None


def _refused(why: str, id: str | int | None, kind: type[msgspec.Struct]) -> BadRequest:
    place = _PLACE.search(why)
    field = place[1] if place else None
    if unknown := _UNKNOWN.search(why):
        return BadRequest(f"there is no field {unknown[1]!r}; there are: {', '.join(kind.__struct_fields__)}", id)
    why = _PLACE.sub("", why)
    return BadRequest(f"{field}: {why}" if field else why, id, field)


def _check(asked: AnalysisRequest) -> None:
    if (asked.replay is UNSET) == (asked.position is UNSET):
        raise BadRequest("a question has either a replay or a position", asked.id, "replay")
    of_replay = {"moves": asked.moves, "seats": asked.seats}
    of_position = {"seat": asked.seat, "move": asked.move}
    for name, value in (of_position if asked.position is UNSET else of_replay).items():
        if value is not UNSET:
            other = "a position" if asked.position is UNSET else "a replay"
            raise BadRequest(f"{name} goes with {other}", asked.id, name)


def _kind(said: Any) -> str:
    return {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}.get(type(said), "a number")

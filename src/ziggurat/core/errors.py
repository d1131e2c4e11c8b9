"""Every error that a person can cause, each with a code for programs and one sentence for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")


class ZigguratError(Exception):
    """Base of all our errors.

    Attributes:
        code: stable name for programs, such as ``illegal_action``.
        detail: one English sentence that says what was wrong and what would be right.
        context: the facts in the sentence, for translation.
    """

    code = "error"

    def __init__(self, detail: str, **context: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.context = context


class IllegalAction(ZigguratError):
    """The rules do not allow this action now; the position is untouched."""

    code = "illegal_action"


class UnfinishedMove(IllegalAction):
    """The steps are the first of a move; others have to follow."""

    code = "unfinished_move"


class TooManySteps(IllegalAction):
    """The move was complete before the last of these steps."""

    code = "too_many_steps"


class NotYourTurn(IllegalAction):
    """This seat owes no decision now."""

    code = "not_your_turn"


class UnknownPiece(ZigguratError):
    """There is no piece and no place of this name in the game."""

    code = "unknown_piece"


class NotationError(IllegalAction):
    """The text names no move that could be played now."""

    code = "bad_notation"


class UnknownGame(ZigguratError):
    code = "unknown_game"


class BadBudget(ZigguratError, ValueError):
    """The budget of a search is empty, or too large."""

    code = "bad_budget"


class UnknownBot(ZigguratError):
    code = "unknown_bot"


class BotFailed(ZigguratError):
    """A bot from outside failed: it crashed, hung, or sent an invalid answer.

    ``detail`` goes on from its name: "said nothing for 10 s". ``kind`` is one of ``KINDS``.
    """

    code = "bot_failed"
    KINDS = ("start", "late", "ended", "nonsense", "illegal", "error", "resting")

    def __init__(self, detail: str, kind: str = "error") -> None:
        # A bot may have had a word in it, which is not to reach a terminal as it is.
        super().__init__("".join(letter if letter.isprintable() else " " for letter in detail), kind=kind)
        self.kind = kind


class BrokenGame(ZigguratError, TypeError):
    """A game's folder lacks a part, or has one of the wrong form."""

    code = "broken_game"


class BadOption(ZigguratError, ValueError):
    """An option, its value, or the number of players does not exist in this game."""

    code = "bad_option"


class BadSeed(ZigguratError, ValueError):
    code = "bad_seed"


class FileError(ZigguratError):
    """A file in one of our formats is damaged.

    ``line`` is 1-based, or None when no single line is to blame; ``bare`` is the sentence without it.
    """

    code = "bad_file"

    def __init__(self, detail: str, line: int | None = None, **context: Any) -> None:
        super().__init__(f"line {line}: {detail}" if line else detail, line=line, **context)
        self.bare = detail
        self.line = line


class ComponentsError(FileError):
    code = "bad_components"


class WeightsError(FileError):
    """The weights do not fit the heuristic."""

    code = "bad_weights"


class ReplayError(FileError):
    code = "bad_replay"


class ScenarioError(FileError):
    code = "bad_scenario"


class UnknownPuzzle(ZigguratError):
    """A game has no puzzle of this name."""

    code = "unknown_puzzle"


class UnknownLesson(ZigguratError):
    code = "unknown_lesson"


class PositionError(ZigguratError):
    """The bytes are no position of this game and version."""

    code = "bad_position"


def refuse(where: str, message: str) -> NoReturn:
    """Raise ComponentsError for a key of a components file."""
    raise ComponentsError(f"{where}: {message}", where=where)


def told_as(kind: type[ZigguratError], read: Callable[[str], T], text: str, **context: Any) -> T:
    """Parse a text with ``read``; its ValueError becomes an error of another class with the same words.

    Args:
        kind: of the error.
        context: of the error.
    """
    try:
        return read(text)
    except ValueError as error:
        raise kind(str(error), **context) from None

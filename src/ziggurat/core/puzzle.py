"""Puzzles: positions in which one move is clearly better, with the cost of every other one.

A book holds those of a game. Its positions are dealt again from what the seat knows, so that nothing in them is a
secret; they fit the rules and the printed numbers of their time, and a book of others is not opened.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence

import msgspec

from ziggurat.core.errors import FileError, IllegalAction, UnknownPuzzle
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.trace import Phrase

MOST_MOVES = 60
"""Whole moves that there are to choose from, at most."""
PUZZLES_FILE = "puzzles.xz"


class Cost(msgspec.Struct, frozen=True, array_like=True):
    """The cost of a move, in thousandths of the chance of winning, and its standard error."""

    loss: int
    error: int


class Puzzle(msgspec.Struct, frozen=True, array_like=True):
    """A puzzle: a position, with the cost of every whole move in it.

    Attributes:
        name: of it, for ever: eight hexadecimal digits.
        players: at the table.
        seat: who is to move.
        state: the position.
        costs: of the moves in the order of ``answers``; 0 for the best one alone.
        usual: the place of the move that the heuristic makes.
        why: what speaks for the best one, compared with the usual one or the next best.
        rating: what a player's rating is who finds it half of the time, as far as one can tell beforehand.
    """

    name: str
    players: int
    seat: int
    state: bytes
    costs: list[Cost]
    usual: int
    why: list[Phrase]
    rating: int

    @property
    def best(self) -> int:
        """The index of the best move."""
        return min(range(len(self.costs)), key=lambda place: self.costs[place].loss)


class Book(msgspec.Struct, frozen=True):
    """The book of a game's puzzles, with the versions of its rules and printed numbers."""

    game: str
    version: str
    components: str
    puzzles: list[Puzzle]


def answers(position: Position, seat: int, most: int = MOST_MOVES) -> list[list[int]]:
    """Every whole move of a seat, step by step, in the order of the actions' numbers; at most one more than ``most``.

    Moves that lead to the same position, such as taking one of two equal cards, count once.
    """
    found: dict[bytes, list[int]] = {}

    def look(ahead: Position, steps: list[int]) -> None:
        for action in ahead.legal(seat):
            after = ahead.copy()
            after.play(seat, action)
            if after.in_move and seat in after.actors and len(steps) < 40:
                look(after, [*steps, action])
            else:
                found.setdefault(after.to_bytes(), [*steps, action])
            if len(found) > most:
                return

    look(position, [])
    return list(found.values())


def fits(game: Game, puzzle: Puzzle) -> bool:
    """Whether the position of a puzzle has the length of one of the game, with or without what follows from options."""
    return game.size_without_options <= len(puzzle.state) <= game.record.itemsize


def position_of(game: Game, puzzle: Puzzle) -> Position:
    """The position of a puzzle."""
    return Position.from_bytes(game, puzzle.state, players=puzzle.players)


def place_of(position: Position, puzzle: Puzzle, steps: Sequence[int]) -> int:
    """The index of a move among all answers.

    Raises:
        IllegalAction: when it is no whole move.
    """
    state = position.after_move(puzzle.seat, steps).to_bytes()
    for place, other in enumerate(answers(position, puzzle.seat)):
        if position.after_move(puzzle.seat, other).to_bytes() == state:
            return place
    raise IllegalAction("this is none of the answers to this puzzle")


def pack(book: Book) -> bytes:
    """Pack a book as a file."""
    return lzma.compress(msgspec.msgpack.encode(book), preset=9 | lzma.PRESET_EXTREME)


def unpack(data: bytes) -> Book:
    """Unpack the book of a file.

    Raises:
        FileError: when it is damaged, or is no book.
    """
    try:
        return msgspec.msgpack.decode(lzma.decompress(data), type=Book)
    except (lzma.LZMAError, msgspec.MsgspecError) as error:
        raise FileError(
            f"{PUZZLES_FILE} is damaged, or no book of puzzles ({error}); ziggurat puzzles makes it again"
        ) from None


_books: dict[str, dict[str, Puzzle]] = {}


def book(game: Game) -> dict[str, Puzzle]:
    """The puzzles of a game by name; none where it has no book, or one of other rules, components or records.

    Raises:
        FileError: when its file is damaged.
    """
    if game.id not in _books:
        file = game.folder.joinpath(PUZZLES_FILE)
        found = unpack(file.read_bytes()) if file.is_file() else None
        mark = (game.id, game.version, game.components.digest)
        right = (
            found is not None
            and (found.game, found.version, found.components) == mark
            and all(fits(game, puzzle) for puzzle in found.puzzles)
        )
        _books[game.id] = {puzzle.name: puzzle for puzzle in found.puzzles} if found and right else {}
    return _books[game.id]


def puzzle(game: Game, name: str) -> Puzzle:
    """A puzzle by its name.

    Raises:
        UnknownPuzzle: when the game has none of that name.
    """
    try:
        return book(game)[name]
    except KeyError:
        raise UnknownPuzzle(f"{game.id} has no puzzle {name!r:.40}", puzzle=name[:40]) from None

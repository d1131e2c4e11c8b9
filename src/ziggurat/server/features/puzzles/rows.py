"""Rows of answers to puzzles, and of the ratings of people and puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from ziggurat.server.features.puzzles.models import answers, finders, riddles
from ziggurat.server.features.puzzles.rating import (
    FIRST_DEVIATION,
    FIRST_RATING,
    PUZZLE_DEVIATION,
    PuzzleRating,
    rated,
    score,
)
from ziggurat.server.store.log import DB_NOW


class PuzzleStats(NamedTuple):
    """The statistics of a puzzle: its rating, how many people have answered it, and how many with the best move."""

    rating: PuzzleRating
    tried: int
    found: int


def of_game(connection: sa.Connection, game: str) -> dict[str, PuzzleStats]:
    """Return the statistics of the puzzles that were answered."""
    rows = connection.execute(sa.select(riddles).where(riddles.c.game == game))
    return {row.puzzle: PuzzleStats(PuzzleRating(row.rating, row.deviation), row.tried, row.found) for row in rows}


def of_person(connection: sa.Connection, game: str, person: str) -> dict[str, int]:
    """Return the cost of each of a person's answers, by puzzle."""
    mine = answers.c.game == game, answers.c.person == person
    return {row.puzzle: row.loss for row in connection.execute(sa.select(answers).where(*mine))}


def rating(connection: sa.Connection, game: str, person: str) -> PuzzleRating:
    """Return a person's rating."""
    mine = finders.c.game == game, finders.c.person == person
    row = connection.execute(sa.select(finders).where(*mine)).one_or_none()
    return PuzzleRating(FIRST_RATING, FIRST_DEVIATION) if row is None else PuzzleRating(row.rating, row.deviation)


def stats(connection: sa.Connection, game: str, puzzle: str, usual: int) -> PuzzleStats:
    """Return the statistics of a puzzle; its first rating, by the computer, if nobody has answered it."""
    this = riddles.c.game == game, riddles.c.puzzle == puzzle
    row = connection.execute(sa.select(riddles).where(*this)).one_or_none()
    return (
        PuzzleStats(PuzzleRating(float(usual), PUZZLE_DEVIATION), 0, 0)
        if row is None
        else PuzzleStats(PuzzleRating(row.rating, row.deviation), row.tried, row.found)
    )


def answer(connection: sa.Connection, game: str, puzzle: str, usual: int, person: str, loss: int) -> bool:
    """Store a person's answer and the new ratings; return whether it is their first, for no other counts.

    Raises IntegrityError where another one is kept at the same moment.
    """
    key = {"game": game, "puzzle": puzzle, "person": person}
    mine = answers.c.game == game, answers.c.puzzle == puzzle, answers.c.person == person
    if connection.execute(sa.select(answers.c.loss).where(*mine)).first() is not None:
        return False
    connection.execute(sa.insert(answers).values(key | {"at": DB_NOW, "loss": loss}))
    known = stats(connection, game, puzzle, usual)
    player, other = rated(rating(connection, game, person), known.rating, score(loss))
    _put(connection, finders, {"game": game, "person": person}, _told(player))
    counts = {"tried": known.tried + 1, "found": known.found + (loss == 0)}
    _put(connection, riddles, {"game": game, "puzzle": puzzle}, _told(other) | counts)
    return True


def _told(rating: PuzzleRating) -> dict[str, float]:
    return {"rating": rating.value, "deviation": rating.deviation}


def _put(connection: sa.Connection, table: sa.Table, key: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    this = [table.c[name] == value for name, value in key.items()]
    if not connection.execute(sa.update(table).where(*this).values(**values)).rowcount:
        connection.execute(sa.insert(table).values(**key, **values))


def everything(connection: sa.Connection, person: str) -> dict[str, Any]:
    """Return all stored data about a person's answers."""
    found = {}
    for name, table in (("ratings", finders), ("answers", answers)):
        query = sa.select(table).where(table.c.person == person).order_by(*table.primary_key.columns)
        rows = connection.execute(query).mappings()
        found[name] = [{key: value for key, value in row.items() if key != "person"} for row in rows]
    return found


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's answers to another person; of two of the same puzzle the earlier one is kept, of two ratings of
    the same game the surer one."""
    for table, better in ((answers, answers.c.at), (finders, finders.c.deviation)):
        both = sa.select(table).where(table.c.person.in_((guest, person))).order_by(better)
        rows = connection.execute(both).mappings().all()
        connection.execute(sa.delete(table).where(table.c.person.in_((guest, person))))
        kept: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in rows:
            kept.setdefault((row["game"], row.get("puzzle")), {**row, "person": person})
        if kept:
            connection.execute(sa.insert(table), [*kept.values()])


def forget(connection: sa.Connection, *people: str) -> None:
    """Delete people's answers; the ratings of the puzzles keep what followed from them."""
    for table in (answers, finders):
        connection.execute(sa.delete(table).where(table.c.person.in_(people)))

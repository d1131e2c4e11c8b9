"""The arena's results file: everything on its page follows from it, and its games can be replayed."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ziggurat.bots.entrants import NAME_CHARACTERS
from ziggurat.core.errors import BotFailed
from ziggurat.lab.arena.ladder import Ladder
from ziggurat.lab.arena.place import Place
from ziggurat.lab.results import ResultsError, read_as, read_bytes

RECORD_FORMAT = 2
RECORD_DIGITS = 6
MOST_LUCK = 1e4
"""Luck in parts of a game won, at most: more than any game has, and little enough to be computed with."""


class ArenaConfig(msgspec.Struct, frozen=True):
    """The configuration of a run: everything that decides how the games go, and the ladder by which they are measured.

    Attributes:
        agent, agent_text: what it is called, and what makes it; nothing where it is an object of Python.
        seconds: for a decision of an agent from outside.
        games: at most so many, in whole groups.
        points: the games end when the place is known to so many points either way.
        judged: decisions of each game that are analysed, with ``iterations`` each.
    """

    game: str
    rules: str
    players: int
    options: dict[str, str]
    components: str
    components_text: str | None
    agent: str
    agent_text: str
    seconds: float
    games: int
    points: float
    judged: int
    iterations: int
    ladder: Ladder
    ziggurat: str
    format: int = RECORD_FORMAT


class Regret(msgspec.Struct, frozen=True):
    """The regret of a decision of the agent: what it cost.

    Attributes:
        move: its number in the game, from 1.
        phase: in which eighth of the game, from 1.
        kind: type of the first action in which there was a choice.
        lost: how much less its chance of winning was than after the best move, as `Analysis.difference`.
        made, best: in notation.
    """

    move: int
    phase: int
    kind: str
    lost: float
    made: str
    best: str


class GameRecord(msgspec.Struct, frozen=True):
    """The record of one game.

    Attributes:
        game, group: their numbers, from 1. The games of a group have one deal and the same opponents.
        chair: where the agent sat, from 1.
        seats: who sat where.
        moves: as in a replay: the seat, from 1, and what it did.
        ahead: the part of its opponents that the agent finished ahead of.
        luck: see :mod:`ziggurat.lab.arena.luck`.
        failure, failure_kind, failed_at: why the agent lost by failing, in a word, and after how many moves.
        decisions: of the agent, in which it had a choice; the one at which it failed is the last.
        seconds, costs: of the agent.
    """

    game: int
    group: int
    chair: int
    seats: list[str]
    moves: list[str]
    scores: list[int | None]
    places: list[int]
    ahead: float
    luck: float
    regrets: list[Regret]
    decisions: int
    seconds: float
    costs: dict[str, float] = {}
    failure: str | None = None
    failure_kind: str | None = None
    failed_at: int | None = None


def must_stand(record: GameRecord) -> None:
    """Check the parts of a record that no replay can verify: times, costs and failure; and that a place can be
    computed.

    Raises:
        ResultsError: when it cannot be so.
    """
    game = f"game {record.game}"
    for name, amount in {"seconds": record.seconds, **record.costs}.items():
        if not 0 <= amount < float("inf") or not name.isprintable() or len(name) > NAME_CHARACTERS:
            raise ResultsError(
                f"{game}: {name[:NAME_CHARACTERS]!r} is {amount:g}: what an agent takes is a number from 0 on"
            )
    if not 0 <= record.ahead <= 1 or abs(record.luck) > MOST_LUCK:
        raise ResultsError(
            f"{game}: nobody is ahead of {record.ahead:g} of the opponents with a luck of {record.luck:g}"
        )
    failed = (record.failure, record.failure_kind, record.failed_at)
    if failed == (None, None, None):
        return
    if record.failure is None or record.failure_kind is None or record.failed_at is None:
        raise ResultsError(f"{game}: failure, failure_kind and failed_at stand together, not {failed}")
    if record.failure_kind not in BotFailed.KINDS:
        raise ResultsError(
            f"{game}: a failure is of the kinds {', '.join(BotFailed.KINDS)}, not {record.failure_kind!r:.80}"
        )
    if not record.failure or not record.failure.isprintable():
        raise ResultsError(f"{game}: its failure is a sentence that can be printed, not {record.failure!r:.80}")
    if not 0 <= record.failed_at < len(record.moves):
        raise ResultsError(f"{game}: it has {len(record.moves)} moves, so nobody failed after {record.failed_at}")


class MeanRegret(msgspec.Struct, frozen=True):
    """The mean regret of decisions, in parts of a game won, with the 95 % confidence interval (games independent)."""

    name: str
    decisions: int
    mean: float
    low: float
    high: float


class WorstMove(msgspec.Struct, frozen=True):
    """A costly decision, judged again with fresh chance, since those that seem worst were unlucky as well."""

    game: int
    move: int
    lost: float
    made: str
    best: str
    why: list[str]


class ArenaResults(msgspec.Struct, frozen=True):
    """The results of a run. ``place`` and what follows come from the games."""

    config: ArenaConfig
    games: list[GameRecord]
    place: Place | None
    reached: bool
    by_opponent: list[MeanRegret]
    regret: MeanRegret | None
    by_phase: list[MeanRegret]
    by_kind: list[MeanRegret]
    worst: list[WorstMove]
    failures: dict[str, int]
    costs: dict[str, float]


def encoded(results: ArenaResults) -> bytes:
    """Return the results as a file: a game on each line, always the same bytes for the same results."""
    whole: dict[str, object] = msgspec.to_builtins(results)
    games = whole.pop("games")
    assert isinstance(games, list)
    lines = [f'"{name}":{msgspec.json.encode(value).decode()}' for name, value in whole.items()]
    rows = ",\n".join(msgspec.json.encode(game).decode() for game in games)
    return ("{" + ",\n".join(lines) + f',\n"games":[\n{rows}\n]}}\n').encode()


def load(file: Path) -> ArenaResults:
    """Read a results file.

    Raises:
        ResultsError: when it cannot be read, or is none.
    """
    return decoded(file, read_bytes(file))


def decoded(file: Path, data: bytes) -> ArenaResults:
    """Parse the bytes of a results file.

    Raises:
        ResultsError: when it is no file of results, or of another format.
    """
    if (there := read_as(file, data, _ArenaHead).config.format) != RECORD_FORMAT:
        raise ResultsError(f"{file} is of format {there}; this program reads format {RECORD_FORMAT}")
    return read_as(file, data, ArenaResults)


class _ArenaFormat(msgspec.Struct):
    format: int


class _ArenaHead(msgspec.Struct):
    config: _ArenaFormat

"""The one gateway to the rules: every question of the server to a game passes through here."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from weakref import WeakValueDictionary

import msgspec
import numpy as np

import ziggurat
from ziggurat import Components, Event, Game, Position, ZigguratError
from ziggurat.core.decision import Decision
from ziggurat.core.errors import PositionError, ScenarioError
from ziggurat.core.replay import Move, Replay, record
from ziggurat.core.scenario import reached
from ziggurat.server.domain.table import LogEntry, Result, StoredEvents, Table, coalesced
from ziggurat.server.problems import Problem
from ziggurat.server.settings import HOSTED

Events = tuple[StoredEvents, ...]
_encode = msgspec.json.Encoder().encode


def version(game: str) -> str:
    """Return the version of a game's rules."""
    return ziggurat.game(game).version


_components: WeakValueDictionary[tuple[str, str], Components] = WeakValueDictionary()
"""Files of components that were read: those that a table in memory is played by, and the last ones."""
_last: deque[Components] = deque(maxlen=64)


def has_components(game: str, text: str) -> bool:
    """Whether a file of components has been read here."""
    return (game, text) in _components


def remember_components(game: str, text: str, components: Components) -> Components:
    """Remember what a file of components says."""
    _last.append(components)
    return _components.setdefault((game, text), components)


def components_of(game: str, text: str | None) -> Components:
    """Return what a file of components says; the game's own without one."""
    chosen = ziggurat.game(game)
    if text is None:
        return chosen.components
    return _components.get((game, text)) or remember_components(game, text, chosen.load_components(text))


def check(
    game: Game, players: int, options: Mapping[str, str], components: str | None
) -> tuple[dict[str, str], str, bool]:
    """Return the complete options, the digest of the components, and whether they are the game's own.

    Raises BadOption and ComponentsError.
    """
    complete = game.check_setup(players, options)
    chosen = components_of(game.id, components)
    return complete, chosen.digest, chosen.is_default


def events(happened: Sequence[Event]) -> Events:
    """Return events as they are stored."""
    return coalesced(StoredEvents(_encode(event), event.private is True, event.seat) for event in happened)


def scenario_position(text: str) -> Position:
    """Return the first position of a table that is laid from a scenario file. Raises ScenarioError."""
    position = reached(text)
    if position.finished:
        raise ScenarioError("the game is over in this position; a table needs one in which somebody is to decide")
    for seat in position.actors:
        if not position.legal(seat):
            raise ScenarioError(f"seat {seat + 1} is to decide in this position, and has nothing that it may do")
    return position


def deal(table: Table, seed: bytes | None) -> Position:
    """Return the first position: dealt from the seed, or laid out as the table's scenario says."""
    if table.scenario is not None:
        return scenario_position(table.scenario)
    components = components_of(table.game, table.components)
    return ziggurat.new(table.game, players=len(table.seats), seed=seed, options=table.options, components=components)


def play(table: Table, seat: int, steps: Sequence[int]) -> tuple[Position, str, Events, bool]:
    """Return the position after one whole move, its notation, what happened, and whether the mover learnt nothing.

    Raises IllegalAction, or Problem when the steps are less or more than one move.
    """
    before = table.position
    assert before is not None
    steps = before.game.arrange(steps)
    position, happened = _steps(before, seat, steps)
    # Whether the move showed anything matters only where others would have to be asked.
    quiet = bool(table.others(seat)) and table.seats[seat].kind == "human" and not before.learns(seat, steps, _chance())
    return position, before.write_move(steps), events(happened), quiet


@cache
def _chance() -> np.ndarray:
    """The generator that deals other cards to try a move on; only the event loop plays moves."""
    return ziggurat.generator()


def passes_for_forced(table: Table, seat: int, steps: Sequence[int]) -> bool:
    """Whether the others cannot tell this move from an answer that the rules force."""
    assert table.position is not None
    return table.position.passes_for_forced(seat, steps)


def _steps(before: Position, seat: int, steps: Sequence[int]) -> tuple[Position, list[Event]]:
    position = before.copy(events=False)  # those before are in the table's changes
    happened: list[Event] = []
    for number, step in enumerate(steps, start=1):
        happened += position.play_all(seat, [step])
        if not position.in_move and number < len(steps):
            raise Problem(
                409,
                "too_many_steps",
                f"The move was complete after step {number}; send one move at a time.",
                step=number,
            )
    if position.in_move:
        raise Problem(409, "unfinished_move", "This move is not complete; send all of its steps together.")
    return position, happened


def replay(table: Table) -> Position:
    """Return the position to which the changes that stand lead: the truth, without the snapshot."""
    position = deal(table, table.seed)
    for _ in _played(table, position):
        pass
    return position


def _played(table: Table, position: Position) -> Iterator[tuple[LogEntry, Sequence[Event]]]:
    """Play the moves that stand in the first position; yield each change after it, with what happened by it."""
    happened: Sequence[Event] = position.events
    for change in table.story():
        if change.kind == "move":
            assert change.seat is not None
            happened = position.play_all(change.seat, position.game.arrange(change.steps))
        yield change, happened


def views(table: Table) -> dict[int, bytes]:
    """Return the umpire's view after every move that stands, by its seq, as the rules of today lead to it; nothing for
    a game that was played by others."""
    if table.position is None or table.seed is None:
        return {}
    position = deal(table, table.seed)
    return {change.seq: _encode(position.view_all()) for change, _ in _played(table, position)}


def _same_story(table: Table) -> Position | None:
    """Replay a game under rules that were mended since; None if they tell anything differently so far."""
    position = deal(table, table.seed)
    told = (_read(events(happened)) == _read(change.events) for change, happened in _played(table, position))
    return position if all(told) else None


def _read(events: Iterable[StoredEvents]) -> list[Any]:
    return [one for event in events for one in msgspec.json.decode(b"[%b]" % event.text)]


def restore(table: Table, snapshot: bytes | None) -> Table:
    """Return a table that was read from the database with its position, or with what prevents it."""
    if table.seed is None:
        return table
    try:
        return replace(table, **_restored(table, snapshot))
    except ZigguratError as error:
        return replace(table, trouble=f"This game cannot go on with the rules of this program: {error}.")


def _restored(table: Table, snapshot: bytes | None) -> dict[str, Any]:
    game = ziggurat.game(table.game)
    if table.rules == game.version:
        return {"position": (_kept(table, snapshot) if snapshot is not None else None) or replay(table)}
    mended = _same_story(table)
    if mended is not None:
        return {"position": mended, "rules": game.version}
    if table.over:
        return {"trouble": f"This game was played under version {table.rules} of the rules; it can be looked at."}
    return {
        "trouble": f"This game was begun under version {table.rules} of the rules, and would have gone differently "
        f"under version {game.version}; it can only be finished with the older program."
    }


def _kept(table: Table, snapshot: bytes) -> Position | None:
    """The position of a snapshot; None if a program wrote it that had the same rules and another record."""
    try:
        return Position.from_bytes(
            ziggurat.game(table.game),
            snapshot,
            players=len(table.seats),
            options=table.options,
            components=components_of(table.game, table.components),
            seed=table.seed,
        )
    except PositionError:
        return None


def result(position: Position) -> Result | None:
    """Return the scores and the winners of a finished game."""
    if not position.finished:
        return None
    return Result([int(points) for points in position.scores], [int(seat) for seat in position.winners])


def decision(table: Table, seat: int | None) -> Decision:
    """Return what a seat (None: a spectator) is asked, and what it may do if it is to decide."""
    position = table.position
    if position is None:
        return Decision(None, [], [])
    if seat is None or seat not in table.actors:
        return Decision(position.ask(seat), [], [])
    return position.decision(seat)


def visible(happened: Iterable[StoredEvents], seat: int | None) -> list[msgspec.Raw]:
    """Return what a seat may read of the events, several in each piece of JSON."""
    return [msgspec.Raw(event.text) for event in happened if event.may_read(seat)]


def replay_text(table: Table) -> str:
    """Return the replay file of a finished game, also of one that was played by older rules."""
    assert table.seed is not None
    moves = [Move(change.seat or 0, change.notation) for change in table.story() if change.kind == "move"]
    names = [seat.name or (seat.bot or "").removeprefix(HOSTED) for seat in table.seats]
    if table.position is not None:
        return record(table.position, moves, names=names, salt=table.salt, scenario=table.scenario).dump()
    return Replay(
        game=ziggurat.game(table.game),
        players=len(table.seats),
        options=table.options,
        components=components_of(table.game, table.components),
        seed=table.seed,
        moves=moves,
        names=names,
        salt=table.salt,
        result=table.result.scores if table.result else None,
        rules=table.rules,
        scenario=table.scenario,
    ).dump()

"""The gateway to the rules: every question of the server to a game passes through here."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import msgspec
import numpy as np

import ziggurat
from ziggurat import Components, Event, Game, Position, ZigguratError
from ziggurat.core import scenario
from ziggurat.core.actions import Choice
from ziggurat.core.decision import Decision
from ziggurat.core.errors import BrokenGame, IllegalAction, PositionError, ScenarioError, UnfinishedMove
from ziggurat.core.replay import Move, Replay, record
from ziggurat.core.scenario import reached
from ziggurat.server.domain.table import LogEntry, Result, StoredEvents, Table, coalesced
from ziggurat.server.problems import BROKEN_GAME
from ziggurat.server.settings import HOUSE_BOT_PREFIX

Events = tuple[StoredEvents, ...]
_encode = msgspec.json.Encoder().encode


def version(game: str) -> str:
    """Return the version of a game's rules."""
    return ziggurat.game(game).version


_components: WeakValueDictionary[tuple[str, str], Components] = WeakValueDictionary()
"""Files of components that were read: those that a table in memory is played by, and the last ones."""
_last: deque[Components] = deque(maxlen=64)


def has_components(game: str, text: str) -> bool:
    """Whether this process has parsed a components file."""
    return (game, text) in _components


def remember_components(game: str, text: str, components: Components) -> Components:
    """Cache a parsed components file."""
    _last.append(components)
    return _components.setdefault((game, text), components)


def components_of(game: str, text: str | None) -> Components:
    """Return the parsed components of a file; the game's own without one."""
    chosen = ziggurat.game(game)
    if text is None:
        return chosen.components
    return _components.get((game, text)) or remember_components(game, text, chosen.load_components(text))


def check(
    game: Game, players: int, options: Mapping[str, str], components: str | None
) -> tuple[dict[str, str], str, bool]:
    """Return the complete options, the digest of the components, and whether the components are the game's own.

    Raises BadOption and ComponentsError.
    """
    complete = game.check_setup(players, options)
    chosen = components_of(game.id, components)
    return complete, chosen.digest, chosen.is_default


def events(happened: Sequence[Event]) -> Events:
    """Return events in the form in which they are stored."""
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


def play(table: Table, seat: int, steps: Sequence[int]) -> tuple[Position, str, Events]:
    """Return the position after one whole move, its notation, and what happened.

    Raises IllegalAction, also when the steps are less or more than one move.
    """
    before = table.position
    assert before is not None
    position, steps = before.after_move(seat, steps), before.game.arrange(steps)
    return position, before.write_move(steps), events(position.events)


def showed_nothing(table: Table, first: int) -> bool:
    """Whether the moves from the change `first` on revealed nothing to the player who made them: the game is played
    again, and each move is tried on other hidden cards. The answer is always the same: else a player could ask until it
    errs."""
    position = deal(table, table.seed)
    for change in table.story():
        if change.kind == "move":
            assert change.seat is not None
            steps = position.game.arrange(change.steps)
            own = sha256(b"%b %b %d" % (table.seed or b"", table.id.encode(), change.seq)).digest()
            if change.seq >= first and position.learns(change.seat, steps, ziggurat.generator(own)):
                return False
            position.play_all(change.seat, steps)
    return True


@cache
def _chance() -> np.ndarray:
    """Return the generator that deals other cards to try a move on; only the event loop plays moves."""
    return ziggurat.generator()


def next_steps(position: Position, seat: int, steps: Sequence[int]) -> list[Choice]:
    """Return the steps that can follow the first steps of a seat's move, in any order; none where the move is complete.

    They are tried where all that the seat does not know is dealt again. Raises IllegalAction, also when there are more
    of them than one move has.
    """
    ahead = position.redeal(seat, _chance())
    try:
        if steps:
            ahead.after_move(seat, steps)
            return []
    except UnfinishedMove:
        try:
            ahead.play_all(seat, ahead.game.arrange(steps))
        except IllegalAction:  # what is missing comes before them in the order of the rules
            offered = position.preview(seat, steps)
            return [*offered.add, *(position.choice(seat, closing.action) for closing in offered.confirm)]
    return [ahead.choice(seat, action) for action in ahead.legal(seat)]


def determinized(position: Position, seat: int) -> bytes:
    """Return a determinized position, stored as bytes: all that a seat does not know is dealt again."""
    return position.redeal(seat, _chance()).to_bytes()


def passes_for_forced(table: Table, seat: int, steps: Sequence[int]) -> bool:
    """Whether the others cannot tell this move from an answer that the rules force."""
    assert table.position is not None
    return table.position.passes_for_forced(seat, steps)


def replay(table: Table) -> Position:
    """Return the position that the standing changes lead to: the truth, without the snapshot."""
    position = deal(table, table.seed)
    for _ in _played(table, position):
        pass
    return position


def _played(table: Table, position: Position) -> Iterator[tuple[LogEntry, Sequence[Event]]]:
    """Play the standing moves in the first position; yield each change after it, with the events of its move."""
    happened: Sequence[Event] = position.events
    for change in table.story():
        if change.kind == "move":
            assert change.seat is not None
            happened = position.play_all(change.seat, position.game.arrange(change.steps))
        yield change, happened


def moment(table: Table, seq: int) -> Position:
    """Return the position after one of the standing changes. Raises KeyError where there is no such change."""
    position = deal(table, table.seed)
    for change, _ in _played(table, position):
        if change.seq == seq:
            return position
    raise KeyError(seq)


def scenario_of(table: Table, seq: int, line: Iterable[str], redeal: str | None) -> str:
    """Return a scenario file of a table's position at a moment, after some more moves.

    Args:
        line: the moves: seats, counted from 1, and notations.
        redeal: 64 hexadecimal digits: deal again what does not lie open to everybody.
    """
    assert table.seed is not None
    if table.scenario is not None:
        told = scenario.parse(table.scenario)
    else:
        told = scenario.Scenario(
            table.game, len(table.seats), table.seed.hex(), dict(table.options), components=table.components
        )
    story = (change for change in table.story() if change.kind == "move" and change.seq <= seq)
    told.moves += [*(f"{(change.seat or 0) + 1} {change.notation}" for change in story), *line]
    if redeal is not None:
        told.moves.append(f"{scenario.REDEAL_PREFIX}{redeal}")
    return scenario.dump(told)


def views(table: Table) -> dict[int, bytes]:
    """Return the umpire's view after every standing move, by its seq, as today's rules lead to it; none for a game that
    was played by other rules."""
    if table.position is None or table.seed is None:
        return {}
    position = deal(table, table.seed)
    return {change.seq: _encode(position.view_all()) for change, _ in _played(table, position)}


def _same_story(table: Table) -> Position | None:
    """Replay a game under rules that were mended since; None if any event differs so far."""
    position = deal(table, table.seed)
    told = (_read(events(happened)) == _read(change.events) for change, happened in _played(table, position))
    return position if all(told) else None


def _read(events: Iterable[StoredEvents]) -> list[Any]:
    return [one for event in events for one in msgspec.json.decode(b"[%b]" % event.text)]


def restore(table: Table, snapshot: bytes | None) -> Table:
    """Return a table from the database with its position, or with what prevents it."""
    if table.seed is None:
        return table
    try:
        return replace(table, **_restored(table, snapshot))
    except BrokenGame:
        return replace(table, trouble=BROKEN_GAME)
    except ZigguratError as error:
        return replace(table, trouble=f"This game cannot go on with the rules of this program: {error}.")


def _restored(table: Table, snapshot: bytes | None) -> dict[str, Any]:
    game = ziggurat.game(table.game)
    if table.rules == game.version:
        return {"position": (_kept(table, snapshot) if snapshot is not None else None) or replay(table)}
    mended = _same_story(table)
    if mended is not None:
        return {"position": mended, "rules": game.version, "mended": table.status == "playing"}
    if table.over:
        return {"trouble": f"This game was played under version {table.rules} of the rules; it can be looked at."}
    return {
        "trouble": f"This game was begun under version {table.rules} of the rules, and would have gone differently "
        f"under version {game.version}; it can only be finished with the older program."
    }


def _kept(table: Table, snapshot: bytes) -> Position | None:
    """Return the position of a snapshot; None if a program wrote it that had the same rules and another record."""
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


class Fault(NamedTuple):
    """A difference between a stored game and its log: at which change, if at a certain one."""

    says: str
    seq: int | None = None


def played_again(table: Table, snapshot: bytes | None) -> tuple[Position | None, list[Fault]] | None:
    """Replay the log of a stored game and compare; return the position that it leads to, and the differences.

    None: it was played by other rules, by which it cannot be compared here. Bytes of a snapshot are compared and never
    played: damaged ones could end the process.
    """
    game = ziggurat.game(table.game)
    same = table.rules == game.version
    try:
        position = deal(table, table.seed)
        found = list(_story_faults(table, position))
    except ZigguratError as error:
        return (None, [Fault(f"it cannot be played again ({error.code})")]) if same else None
    if found and not same:
        return None
    if not found and same and snapshot is not None and not _is_of(position, snapshot):
        found.append(Fault("its snapshot is another position than the log leads to"))
    ended = result(position)
    if (ended is not None) != (table.status == "finished"):
        found.append(Fault(f"it is stored as {table.status}, and the log leads to {'an end' if ended else 'no end'}"))
    elif ended != table.result:
        found.append(Fault("its result is not that of its log"))
    return position, found


def _story_faults(table: Table, position: Position) -> Iterator[Fault]:
    """Replay the standing moves in the first position, until something differs."""
    happened: Sequence[Event] = position.events
    if [change.kind for change in table.story()][:1] != ["start"]:
        yield Fault("a game is dealt, and its log does not begin with that")
    for change in table.story():
        if change.kind == "move":
            seat = change.seat
            if seat is None or seat not in position.actors:
                yield Fault("a seat moves that was not asked", change.seq)
                return
            steps = position.game.arrange(change.steps)
            if position.write_move(steps) != change.notation:
                yield Fault("the notation of a move is not that of its steps", change.seq)
            happened = position.play_all(seat, steps)
            if position.in_move:
                yield Fault("a move is not complete", change.seq)
                return
        if not _says_the_same(events(happened), tuple(change.events)):
            yield Fault("other things happen than are stored", change.seq)
            return
        if tuple(change.actors) != (() if position.finished else position.actors):
            yield Fault("others have to decide than are stored", change.seq)
            return


def _says_the_same(happened: Events, stored: Events) -> bool:
    texts = (b",".join(event.text for event in some) for some in (happened, stored))
    return len(set(texts)) == 1 or _read(happened) == _read(stored)


def _is_of(position: Position, snapshot: bytes) -> bool:
    """Whether a snapshot holds a position, as far as a program with the same rules has written it."""
    game, now = position.game, position.to_bytes()
    if not game.size_without_options <= len(snapshot) <= len(now):
        return True  # of another record, and not read at all (`_kept`)
    return now.startswith(snapshot)


def result(position: Position) -> Result | None:
    """Return the scores and the winners of a finished game."""
    if not position.finished:
        return None
    return Result([int(points) for points in position.scores], [int(seat) for seat in position.winners])


def decision(table: Table, seat: int | None) -> Decision:
    """Return the decision of a seat (None: a spectator): what it is asked, and its choices if it is to decide."""
    position = table.position
    if position is None:
        return Decision(None, [], [])
    if seat is None or seat not in table.actors:
        return Decision(position.ask(seat), [], [])
    found = position.decision(seat)
    # What the server is about to play nobody is asked for, whether the rules call it forced or everybody can tell.
    return msgspec.structs.replace(found, forced=True) if seat in table.forced else found


def visible(happened: Iterable[StoredEvents], seat: int | None) -> list[msgspec.Raw]:
    """Return the events that a seat may read, several in each piece of JSON."""
    return [msgspec.Raw(event.text) for event in happened if event.may_read(seat)]


def replay_text(table: Table, names: Sequence[str] | None = None) -> str:
    """Return the replay file of a finished game, also of one that was played by older rules.

    `names`: of the seats, where it does not tell those that everybody at the table knows.
    """
    assert table.seed is not None
    moves = [Move(change.seat or 0, change.notation) for change in table.story() if change.kind == "move"]
    told = names if names is not None else [seat.name for seat in table.seats]
    names = [
        name or (seat.bot or "").removeprefix(HOUSE_BOT_PREFIX) for name, seat in zip(told, table.seats, strict=True)
    ]
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


def has_secrets(table: Table, seat: int) -> bool:
    """Whether the view of a seat holds hidden information now."""
    if table.position is None or table.over:
        return False
    public, own = (msgspec.to_builtins(table.position.view(viewer)) for viewer in (None, seat))
    return any(own[field] != public.get(field) for field in own if field != "seat")

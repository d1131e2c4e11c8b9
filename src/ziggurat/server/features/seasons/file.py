"""The file of a season: from what people did, everything else is made again, to the byte.

Lines of JSON: the terms; names; what happened, in order, each followed by what came of it (the beacon, the fingerprint
of a draw, the hash of a table's seed, its game move by move, the standings); the secret, when the season is over; and
the digest of all of it. A verifier reads what cannot be computed (entries, absences, moves, moments), makes every line
anew, and names the first that differs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, NoReturn

import msgspec

import ziggurat
from ziggurat.core.errors import FileError, ReplayError, ZigguratError
from ziggurat.core.position import Position
from ziggurat.core.replay import Move, Replay, final_digest, seed_hash
from ziggurat.server.features.seasons.beacon import commitment
from ziggurat.server.features.seasons.schedule import Unproved
from ziggurat.server.features.seasons.standings import Standing
from ziggurat.server.features.seasons.state import (
    EVENT_TYPES,
    AnyEvent,
    Closed,
    Drawn,
    Opened,
    SeasonState,
    Started,
    TableEnded,
    moves_digest,
)
from ziggurat.server.features.seasons.terms import MAX_PEOPLE, SeasonError, SeasonTerms, complete, encoded

FORMAT = 1
MAX_LINES = 200_000
"""Of a file that is read: those of a thousand people have a tenth of them."""
MAX_MOVES = 5_000
Hex = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
MoveText = Annotated[str, msgspec.Meta(max_length=500)]


class SeasonFileError(FileError):
    """The file of a season is not what it should be; with the line."""

    code = "season_file"


class ImpossibleMove(SeasonError):
    """A game has a move that cannot be played."""


class SeasonLine(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", forbid_unknown_fields=True):
    """A line of the file that is no event."""


class SeasonHead(SeasonLine, frozen=True, tag="ziggurat season"):
    """The first line."""

    format: int
    program: Annotated[str, msgspec.Meta(max_length=40)]
    commitment: Hex
    digest: Hex
    """Of the terms."""
    terms: SeasonTerms


class Names(SeasonLine, frozen=True, tag="names"):
    """What people are called; no name is part of a proof."""

    names: dict[str, Annotated[str, msgspec.Meta(max_length=200)]]


class BeaconLine(SeasonLine, frozen=True, tag="beacon"):
    """The beacon, after the start."""

    beacon: Hex


class FingerprintLine(SeasonLine, frozen=True, tag="fingerprint"):
    """The fingerprint of everything before a draw, or at the end."""

    fingerprint: Hex


class SeedHash(SeasonLine, frozen=True, tag="hash"):
    """What a table published before its first move: the hash of its seed and salt."""

    hash: Hex


class SeasonGameLine(SeasonLine, frozen=True, tag="game"):
    """A game that was played at a table. `final`: the digest of its last position."""

    options: dict[str, str]
    seed: Hex
    salt: Hex
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MAX_MOVES)]
    final: Hex


class StandingsLine(SeasonLine, frozen=True, tag="standings"):
    """How people stand when all tables of a round have ended."""

    round: int
    rows: Annotated[list[Standing], msgspec.Meta(max_length=MAX_PEOPLE)]


class SecretLine(SeasonLine, frozen=True, tag="secret"):
    """The secret of the season: all seeds follow from it and the beacon."""

    secret: Hex


class EndLine(SeasonLine, frozen=True, tag="end"):
    """The last line: how many there are before it, and SHA-256 of them."""

    lines: int
    digest: Hex


LINE_TYPES = (
    SeasonHead,
    Names,
    BeaconLine,
    FingerprintLine,
    SeedHash,
    SeasonGameLine,
    StandingsLine,
    SecretLine,
    EndLine,
)
AnyLine = (
    SeasonHead | Names | BeaconLine | FingerprintLine | SeedHash | SeasonGameLine | StandingsLine | SecretLine | EndLine
)


@dataclass
class SeasonRecord:
    """What cannot be computed of a season.

    Attributes:
        moves: of each table at which there was a game, by round and number.
        keys: seed and salt of those tables, where the secret is not told yet.
        hashes: of seeds of tables that are still played, likewise.
    """

    terms: SeasonTerms
    commitment: str
    names: Mapping[int, str]
    events: Sequence[AnyEvent]
    moves: Mapping[tuple[int, int], Sequence[str]]
    secret: bytes | None = None
    keys: Mapping[tuple[int, int], tuple[bytes, bytes]] = field(default_factory=dict)
    hashes: Mapping[tuple[int, int], str] = field(default_factory=dict)
    program: str = ziggurat.__version__


@dataclass
class SeasonVerdict:
    """What was computed again of a season."""

    state: SeasonState
    lines: int
    games: int = 0
    shuffles: int = 0
    fingerprints: list[str] = field(default_factory=list)
    unsolved: list[int] = field(default_factory=list)
    """Rounds that were drawn without the solver."""


def lines(record: SeasonRecord, checks: bool = True) -> Iterator[tuple[bytes, SeasonState]]:
    """Yield the lines of a season's file, computed from what cannot be, with the state after each.

    `checks`: draws and results are computed again; otherwise they are believed, as by a server that has made them.
    Raises SeasonError in the middle, where something cannot be as it is told: it would be the next line.
    """
    state = SeasonState(record.terms, record.commitment, checks)
    said = _SeasonLines()
    yield said.add(SeasonHead(format=FORMAT, program=record.program, commitment=record.commitment,
                        digest=record.terms.digest, terms=record.terms)), state  # fmt: skip
    yield said.add(Names(names={str(who): name for who, name in sorted(record.names.items())})), state
    complete = 0
    for event in record.events:
        after = list[Any]()
        if isinstance(event, TableEnded):
            event, game = _ended(record, state, event, checks)
            after += [game] if game is not None else []
        state.apply(event)
        yield said.add(event), state
        if isinstance(event, Started):
            after.append(BeaconLine(beacon=state.beacon))
        elif isinstance(event, Drawn):
            after.append(FingerprintLine(fingerprint=state.draws[-1].fingerprint))
        elif isinstance(event, Opened) and any(event.seats):
            after.append(SeedHash(hash=_hash(record, state, event)))
        if state.complete_rounds() > complete:
            complete = state.complete_rounds()
            after.append(StandingsLine(round=complete, rows=state.standings(complete)))
        if isinstance(event, Closed):
            after.append(FingerprintLine(fingerprint=state.fingerprint()))
            if record.secret is None:
                raise SeasonError("The season is over, and its secret is not told.")
            if commitment(record.secret) != record.commitment:
                raise SeasonError("The secret is not that to which the season was committed.")
            after.append(SecretLine(secret=record.secret.hex()))
        for line in after:
            yield said.add(line), state
    yield said.end(), state


class _SeasonLines:
    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._count = 0

    def add(self, line: object) -> bytes:
        text = encoded(line) + b"\n"
        self._hash.update(text)
        self._count += 1
        return text

    def end(self) -> bytes:
        return encoded(EndLine(lines=self._count, digest=self._hash.hexdigest())) + b"\n"


def write(record: SeasonRecord) -> bytes:
    """Return the file of a season, as the server that held it knows it."""
    return b"".join(line for line, _ in lines(record, checks=False))


def _keys(record: SeasonRecord, state: SeasonState, place: tuple[int, int]) -> tuple[bytes, bytes] | None:
    """Return seed and salt of a table: by the secret, if it is told."""
    if record.secret is None:
        return record.keys.get(place)
    return state.key_of(*place, record.secret, "seed"), state.key_of(*place, record.secret, "salt")


def _hash(record: SeasonRecord, state: SeasonState, event: Opened) -> str:
    place = event.round, event.table
    keys = _keys(record, state, place)
    if keys is None:
        if place not in record.hashes:
            raise SeasonError("There is no hash of a table's seed.")
        return record.hashes[place]
    return seed_hash(*keys)


def _ended(
    record: SeasonRecord, state: SeasonState, event: TableEnded, checks: bool
) -> tuple[TableEnded, SeasonGameLine | None]:
    """Return the end of a table as its moves lead to it, and its game; none where nobody came."""
    place = event.round, event.table
    if place not in state.opened or place in state.ended:
        raise SeasonError(f"There is no table {event.table} of round {event.round} that could end.")
    opened = state.opened[place]
    if not any(opened.seats):
        return event, None
    keys, moves = _keys(record, state, place), record.moves.get(place)
    if keys is None or moves is None:
        raise SeasonError(f"The game of table {event.table} of round {event.round} is missing.")
    drawn = state.draws[event.round - 1].tables[event.table - 1]
    terms = next(game for game in record.terms.games if game.game == drawn.game)
    position = play(drawn.game, len(opened.seats), terms.options, keys[0], moves)
    game = SeasonGameLine(
        options=dict(position.options), seed=keys[0].hex(), salt=keys[1].hex(), moves=[*moves],
        final=final_digest(position),
    )  # fmt: skip
    if checks:
        event = msgspec.structs.replace(
            event,
            scores=tuple(int(points) for points in position.scores),
            winners=tuple(sorted(int(seat) for seat in position.winners)) if position.finished else (),
            over=position.finished,
            moves=moves_digest(moves),
        )
    return event, game


def play(game: str, players: int, options: Mapping[str, str], seed: bytes, moves: Sequence[str]) -> Position:
    """Return the position to which moves lead: each a seat, counted from 1, and its notation. Raises SeasonError."""
    known = ziggurat.game(game)
    told = [
        Move(int(seat) - 1 if seat.isdecimal() else -1, text) for seat, _, text in (m.partition(" ") for m in moves)
    ]
    replay = Replay(known, players, dict(options), known.components, seed, told, rules=known.version)
    try:
        return replay.play()
    except ReplayError as error:
        raise ImpossibleMove(error.detail) from None


# --- Reading ---------------------------------------------------------------------------------------------------------


def verify(data: bytes, watch: Callable[[int], object] = lambda _: None) -> SeasonVerdict:
    """Make every line of a season's file anew from what people did, and compare.

    `watch` is told how many lines are done. Raises SeasonFileError with the first line that differs, or with what in it
    cannot be.
    """
    there = data.split(b"\n")
    if there[-1] != b"":
        _refuse("the file is cut: its last line has no end", len(there))
    there.pop()
    record = _read(there)
    verdict = SeasonVerdict(SeasonState(record.terms, record.commitment), len(there))
    made = lines(record)
    number = 0
    while True:
        try:
            line, state = next(made)
        except StopIteration:
            break
        except ImpossibleMove as error:  # of the game that stands behind the end of its table
            _refuse(error.detail, number + 2)
        except SeasonError as error:
            _refuse(error.detail, number + 1)
        except Unproved:
            _refuse("the solver cannot prove this draw within its bound", number + 1)
        number += 1
        if number > len(there):
            _refuse(f"the file ends here, and this would follow: {_short(line)}", len(there))
        if there[number - 1] + b"\n" != line:
            _refuse(_difference(there[number - 1], line), number)
        verdict.state = state
        verdict.games += line.startswith(b'{"line":"game"')
        verdict.shuffles += line.startswith(b'{"line":"game"') and record.secret is not None
        if line.startswith(b'{"line":"fingerprint"'):
            verdict.fingerprints.append(msgspec.json.decode(line, type=FingerprintLine).fingerprint)
        watch(number)
    if number != len(there):
        _refuse("nothing follows the end of a season", number + 1)
    verdict.unsolved = [draw.round for draw in verdict.state.draws if not draw.solver]
    return verdict


@cache
def _decoders() -> tuple[msgspec.json.Decoder[Any], msgspec.json.Decoder[Any]]:
    return msgspec.json.Decoder(AnyLine), msgspec.json.Decoder(AnyEvent)


def _read(there: Sequence[bytes]) -> SeasonRecord:
    """Read what cannot be computed."""
    if not there or len(there) > MAX_LINES:
        _refuse(f"the file of a season has 1 to {MAX_LINES} lines", 1)
    head, names, found = _head(there[0]), dict[int, str](), list[Any]()
    of_line, of_event = _decoders()
    for number, text in enumerate(there[1:], start=2):
        try:
            found.append((of_event if text.startswith(b'{"event"') else of_line).decode(text))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            _refuse(f"no line of a season: {error}", number)
    events = list[AnyEvent]()
    moves, keys, hashes = dict[Any, Any](), dict[Any, Any](), dict[Any, Any]()
    secret: bytes | None = None
    if not found or not isinstance(found[-1], EndLine):
        _refuse("the file is cut: its last line is not the end", len(there))
    for number, one in enumerate(found, start=2):
        if isinstance(one, EVENT_TYPES):
            events.append(one)
        elif isinstance(one, Names):
            if not all(who.isdecimal() and who == str(int(who)) for who in one.names):
                _refuse("names stand by the numbers of people", number)
            names = {int(who): name for who, name in one.names.items()}
        elif isinstance(one, SecretLine):
            secret = bytes.fromhex(one.secret)
        elif isinstance(one, SeasonGameLine | SeedHash):
            last = events[-1] if events else None
            if not isinstance(last, TableEnded if isinstance(one, SeasonGameLine) else Opened):
                _refuse("this stands behind the table that it is of", number)
            place = last.round, last.table
            if isinstance(one, SeedHash):
                hashes[place] = one.hash
            else:
                moves[place] = one.moves
                keys[place] = bytes.fromhex(one.seed), bytes.fromhex(one.salt)
    return SeasonRecord(head.terms, head.commitment, names, events, moves, secret, keys, hashes, head.program)


def _head(text: bytes) -> SeasonHead:
    try:
        head = msgspec.json.decode(text, type=SeasonHead)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        try:
            format = msgspec.json.decode(text)["format"]
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError):
            format = FORMAT
        if format != FORMAT:
            _refuse(f"a file of format {str(format)[:20]}; this program reads format {FORMAT}", 1)
        _refuse(f"not the file of a season: {error}", 1)
    if head.format != FORMAT:
        _refuse(f"a file of format {head.format}; this program reads format {FORMAT}", 1)
    for one in head.terms.games:
        try:
            game = ziggurat.game(one.game)
        except ZigguratError as error:
            _refuse(error.detail, 1)
        if one.rules != game.version:
            _refuse(f"played by version {one.rules} of the rules of {one.game}; these are {game.version}", 1)
        if one.components != game.components.digest:
            _refuse(f"played with other printed numbers of {one.game} than these ({game.components.digest})", 1)
    try:
        if complete(head.terms) != head.terms:
            _refuse("options of its games are missing", 1)
    except SeasonError as error:
        _refuse(error.detail, 1)
    return head


def _refuse(says: str, line: int) -> NoReturn:
    raise SeasonFileError(says, line)


def _short(text: bytes, most: int = 160) -> str:
    said = text.decode("utf-8", "replace").strip()
    return said if len(said) <= most else f"{said[: most - 3]}..."


def _difference(there: bytes, made: bytes) -> str:
    """Return in which field two lines differ."""
    try:
        old, new = msgspec.json.decode(there), msgspec.json.decode(made)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return f"it says {_short(there)}, and what follows is {_short(made)}"
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for name, value in new.items():
            if old[name] != value:
                at, to = _within(old[name], value)
                return f"{name} is {at} here, and {to} follows"
    return f"it says {_short(there)}, and what follows is {_short(made)}"


def _within(old: Any, new: Any) -> tuple[str, str]:
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for one, other in zip(old, new, strict=True):
            if one != other:
                return _short(encoded(one)), _short(encoded(other))
    return _short(encoded(old)), _short(encoded(new))

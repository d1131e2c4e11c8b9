"""Replays: a game as a text file that plays again exactly, or says why not.

    ziggurat replay 1
    game: alhambra
    rules: 1
    ziggurat: 0.1.0
    players: 3
    options: start_player=random refill_order=buildings_first
    components: 3f0c... (SHA-256 of the numbers)
    seed: 64 hexadecimal digits
    salt: 64 hexadecimal digits (when the table published a hash of the seed)
    seat 1: Ada

    1 take blue 3 yellow 2
    3 buy arcades 8 blue with 5 3

    result: 80 80 61
    final: SHA-256 of the position at the end

A move line begins with its seat, counted from 1. ``result`` is there when the game is over (``final``
too, in older files). Numbers that were not the default ones follow at the end, between ``[components]`` and the
end of the file. A game that was not dealt but laid out has there, after ``[scenario]``, the file that says how (with
its own components, if it has any).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ziggurat.core import scenario
from ziggurat.core.errors import ComponentsError, FileError, IllegalAction, ReplayError, ScenarioError, ZigguratError
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.core.record import states_of
from ziggurat.core.registry import game as find_game
from ziggurat.version import __version__

FIRST_LINE = "ziggurat replay 1"


def seed_hash(seed: bytes, salt: bytes) -> str:
    """The commitment of a table before the first move: SHA-256 of salt and seed."""
    return hashlib.sha256(salt + seed).hexdigest()


@dataclass
class Move:
    """One move: its seat (from 0) and its notation; ``line`` is where it stands in the file."""

    seat: int
    text: str
    line: int = 0


@dataclass
class Replay:
    """A game from its seed on, or from the position that the text of a ``scenario`` describes."""

    game: Game
    players: int
    options: dict[str, str]
    components: Components
    seed: bytes
    moves: list[Move] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    salt: bytes | None = None
    result: list[int] | None = None
    final: str | None = None
    rules: str = ""
    program: str = ""
    scenario: str | None = None
    # Where the fields stand in the file that this was read from.
    lines: dict[str, int] = field(default_factory=dict, compare=False)

    def dump(self) -> str:
        """The text of the file."""
        lines = [FIRST_LINE, f"game: {self.game.id}", f"rules: {self.rules or self.game.version}"]
        lines += [f"ziggurat: {self.program or __version__}", f"players: {self.players}"]
        lines.append("options: " + " ".join(f"{name}={value}" for name, value in self.options.items()))
        lines += [f"components: {self.components.digest}", f"seed: {self.seed.hex()}"]
        if self.salt is not None:
            lines.append(f"salt: {self.salt.hex()}")
        # JSON strings, so that no name can break a line.
        lines += [f"seat {i}: {_quoted(name)}" for i, name in enumerate(self.names, start=1)]
        lines += ["", *(f"{move.seat + 1} {move.text}" for move in self.moves), ""]
        if self.result is not None:
            lines.append("result: " + " ".join(str(points) for points in self.result))
        if self.final is not None:
            lines.append(f"final: {self.final}")
        if self.scenario is not None:
            lines += ["[scenario]", self.scenario.rstrip()]
        elif not self.components.is_default:
            lines += ["[components]", self.components.text.rstrip()]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Replay:
        """Read a file. Moves are not played yet.

        Raises:
            ReplayError: with the line, what is wrong there.
        """
        return _Reader(text).read()

    def positions(self) -> list[Position]:
        """Play the game again: the position at the start and after every move.

        Raises:
            ReplayError: with the line of the first move that cannot be played; or naming the version of the rules, when
                the game was played by others and does not come to the same end by these.
        """
        found = [self._start()]
        for move in self.moves:
            position = found[-1].copy()
            self._play(position, move)
            found.append(position)
        self._check_rules(found[-1])
        return found

    def play(self) -> Position:
        """Play the game again; return the last position. Raises ReplayError as ``positions``."""
        position = self._start()
        for move in self.moves:
            self._play(position, move)
        self._check_rules(position)
        return position

    def verify(self) -> Position:
        """Play the game again and compare everything that the file says about its end, which may be nothing: then
        ``result`` and ``final`` are None.

        Raises:
            ReplayError: naming what does not agree.
        """
        position = self.play()
        self.check_end(position)
        return position

    def check_end(self, position: Position) -> None:
        """Compare the last position with everything that the file says about it. Raises ReplayError as ``verify``."""
        if self.result is not None and not position.finished:
            raise ReplayError(
                "the file has a result, but its moves do not reach the end of the game", self.lines.get("result")
            )
        if self.result is not None and position.scores != self.result:
            raise ReplayError(
                f"the file says the result is {self.result}, the moves lead to {position.scores}",
                self.lines.get("result"),
            )
        if self.final is not None and final_digest(position) != self.final:
            raise ReplayError("the moves lead to another final position than the file says", self.lines.get("final"))

    @property
    def _by_other_rules(self) -> bool:
        return bool(self.rules) and self.rules != self.game.version

    def _start(self) -> Position:
        try:
            if self.scenario is not None:
                return scenario.reached(self.scenario)
            return Position.new(
                self.game, self.players, seed=self.seed, options=self.options, components=self.components
            )
        except ScenarioError as error:
            raise _in_section("scenario", error, self.lines.get("scenario", 0)) from None
        except ZigguratError as error:
            raise ReplayError(error.detail) from None

    def _play(self, position: Position, move: Move) -> None:
        try:
            _play(position, move)
        except ReplayError:
            if self._by_other_rules:
                raise self._other_rules() from None
            raise

    def _check_rules(self, position: Position) -> None:
        """Check a game of other rules: where they did not differ it is the same game, with the same final position."""
        if self._by_other_rules and final_digest(position) != self.final:
            raise self._other_rules()

    def _other_rules(self) -> ReplayError:
        return ReplayError(
            f"this game was played by version {self.rules} of the rules of {self.game.id}, and goes differently by "
            f"version {self.game.version}, which these are",
            self.lines.get("rules"),
        )


def final_digest(position: Position) -> str:
    """The digest of a replay's last position: SHA-256 of its bytes, in hexadecimal digits, without those of fields that
    the game calls ``beside``, or that follow from the options, which the replay names."""
    return final_digests(position.game, states_of(position.to_bytes(), position.game.record))[0]


def final_digests(game: Game, states: np.ndarray) -> list[str]:
    """``final_digest`` of many positions, records of shape (n,)."""
    left_out = {*game.beside, *game.late_fields}
    kept = [np.ascontiguousarray(states[name]) for name in game.record.names or () if name not in left_out]
    rows = np.concatenate([one.view(np.uint8).reshape(len(states), -1) for one in kept], axis=1)
    return [hashlib.sha256(row.tobytes()).hexdigest() for row in rows]


def record(
    position: Position,
    moves: Sequence[Move],
    *,
    names: Sequence[str] = (),
    salt: bytes | None = None,
    scenario: str | None = None,
) -> Replay:
    """Make a replay of a game that came to ``position`` by ``moves``, from its seed or from where a ``scenario``
    begins."""
    if position.seed is None:
        raise ReplayError("a position without a seed has no replay")
    return Replay(
        game=position.game,
        players=position.players,
        options=dict(position.options),
        components=position.components,
        seed=position.seed,
        moves=list(moves),
        names=list(names),
        salt=salt,
        result=position.scores if position.finished else None,
        final=final_digest(position),
        scenario=scenario,
    )


def _quoted(name: str) -> str:
    """A name in quotation marks, on one line and writable as UTF-8 whatever it holds."""
    quoted = json.dumps(name.encode("utf-8", "replace").decode(), ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in quoted)


def _in_section(name: str, error: FileError, begins: int) -> ReplayError:
    """An error in an embedded file that is the end of this one, with its line in the whole."""
    return ReplayError(f"in [{name}]: {error.bare}", begins + (error.line or 0))


def _play(position: Position, move: Move) -> None:
    try:
        if move.seat not in position.actors:
            raise IllegalAction("the game is over" if position.finished else f"seat {move.seat + 1} is not on turn")
        position.play_all(move.seat, position.read_move(move.text, move.seat))
    except IllegalAction as error:
        raise ReplayError(f"{move.text!r} cannot be played: {error.detail}", move.line or None) from None


class _Reader:
    def __init__(self, text: str) -> None:
        body, section, rest = [*re.split(r"\r?\n\[(components|scenario)\]\r?\n", text, maxsplit=1), "", ""][:3]
        self.components_text = rest if section == "components" else None
        self.scenario_text = rest if section == "scenario" else None
        self.lines = body.split("\n")
        self.fields: dict[str, tuple[str, int]] = {}
        self.moves: list[Move] = []
        self.names: list[str] = []

    def read(self) -> Replay:
        if not self.lines or self.lines[0].strip() != FIRST_LINE:
            raise ReplayError(f"a replay begins with {FIRST_LINE!r}", 1)
        for number, line in enumerate(self.lines[1:], start=2):
            self._line(line.strip(), number)
        try:
            game = find_game(self._need("game"))
        except ReplayError:
            raise
        except ZigguratError as error:
            raise ReplayError(error.detail, self.fields["game"][1]) from None
        players = self._number("players")
        options = self._options(game, players)
        self._check_seats(players)
        seed = self._bytes("seed")
        components = self._components(game) if self.scenario_text is None else self._laid(game, players, options, seed)
        lines = {name: line for name, (_, line) in self.fields.items()}
        return Replay(
            game=game,
            players=players,
            options=options,
            components=components,
            seed=seed,
            moves=self.moves,
            names=self.names,
            salt=self._bytes("salt") if "salt" in self.fields else None,
            result=self._result(players),
            final=self.fields["final"][0] if "final" in self.fields else None,
            rules=self._need("rules"),
            lines={**lines, "scenario": len(self.lines) + 1},
            program=self.fields.get("ziggurat", ("", 0))[0],
            scenario=self.scenario_text,
        )

    def _line(self, line: str, number: int) -> None:
        if not line:
            return
        first, _, rest = line.partition(" ")
        if first.isascii() and first.isdecimal() and len(first) < 4 and rest:
            self.moves.append(Move(int(first) - 1, rest, number))
            return
        name, colon, value = line.partition(":")
        if not colon:
            raise ReplayError(f"{line!r} is neither 'name: value' nor a move such as '1 take blue 3'", number)
        if name.startswith("seat "):
            self._name(name, value.strip(), number)
            return
        known = {"game", "rules", "ziggurat", "players", "options", "components", "seed", "salt", "result", "final"}
        if name not in known:
            raise ReplayError(f"unknown field {name!r}; known: {', '.join(sorted(known))}", number)
        if name in self.fields:
            raise ReplayError(f"{name!r} stands twice", number)
        self.fields[name] = (value.strip(), number)

    def _name(self, field_name: str, value: str, number: int) -> None:
        expected = f"seat {len(self.names) + 1}"
        if field_name != expected:
            raise ReplayError(f"the next seat to be named is {expected!r}, not {field_name!r}", number)
        try:
            name = json.loads(value) if value.startswith('"') else None
        except ValueError:
            name = None
        if not isinstance(name, str):
            raise ReplayError(f"the name of a seat stands in quotation marks, not {value:.60}", number)
        self.names.append(name)

    def _need(self, name: str) -> str:
        if not self.fields.get(name, ("", 0))[0]:
            raise ReplayError(f"the file has no line '{name}: ...'")
        return self.fields[name][0]

    def _number(self, name: str) -> int:
        value = self._need(name)
        if not (value.isascii() and value.isdecimal() and len(value) < 4):
            raise ReplayError(f"{name} is a number, not {value!r}", self.fields[name][1])
        return int(value)

    def _bytes(self, name: str) -> bytes:
        value = self._need(name)
        try:
            found = bytes.fromhex(value)
        except ValueError:
            found = b""
        if len(found) != 32:
            raise ReplayError(f"{name} is 64 hexadecimal digits", self.fields[name][1])
        return found

    def _options(self, game: Game, players: int) -> dict[str, str]:
        value, line = self.fields.get("options", ("", 0))
        pairs = [part.partition("=") for part in value.split()]
        if twice := next((name for name, times in Counter(name for name, _, _ in pairs).items() if times > 1), None):
            raise ReplayError(f"option {twice!r} stands twice", line)
        try:
            return game.check_setup(players, {name: chosen for name, _, chosen in pairs})
        except ZigguratError as error:
            to_blame = self.fields["players"][1] if "players" in error.context or not line else line
            raise ReplayError(error.detail, to_blame) from None

    def _components(self, game: Game) -> Components:
        digest = self._need("components")
        line = self.fields["components"][1]
        components = game.components
        if self.components_text is not None:
            try:
                components = game.load_components(self.components_text)
            except ComponentsError as error:
                raise _in_section("components", error, len(self.lines) + 1) from None
        return self._same(components, digest, line)

    @staticmethod
    def _same(components: Components, digest: str, line: int) -> Components:
        if components.digest != digest:
            raise ReplayError(f"the game was played with other components than these ({components.digest})", line)
        return components

    def _laid(self, game: Game, players: int, options: dict[str, str], seed: bytes) -> Components:
        """The components of the embedded scenario's game, if it is the game that the lines above name."""
        assert self.scenario_text is not None
        try:
            found = scenario.deal(scenario.parse(self.scenario_text), self.scenario_text)
        except ScenarioError as error:
            raise _in_section("scenario", error, len(self.lines) + 1) from None
        same = {
            "game": found.game is game,
            "players": found.players == players,
            "options": found.options == options,
            "seed": found.seed == seed,
        }
        for name, agrees in same.items():
            if not agrees:
                line = self.fields.get(name, ("", 0))[1] or None
                raise ReplayError(f"the [scenario] of this file has another {name} than this line says", line)
        return self._same(found.components, self._need("components"), self.fields["components"][1])

    def _check_seats(self, players: int) -> None:
        for move in self.moves:
            if not 0 <= move.seat < players:
                raise ReplayError(f"there is no seat {move.seat + 1} with {players} players", move.line)
        if self.names and len(self.names) != players:
            raise ReplayError(
                f"{len(self.names)} seats have names, but there are {players} players", self.fields["players"][1]
            )

    def _result(self, players: int) -> list[int] | None:
        if "result" not in self.fields:
            return None
        value, line = self.fields["result"]
        parts = value.split()
        if len(parts) != players or not all(re.fullmatch(r"-?[0-9]{1,9}", part) for part in parts):
            raise ReplayError(f"result is one number for each of the {players} players, not {value!r}", line)
        return [int(part) for part in parts]

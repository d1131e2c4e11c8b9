"""Lessons: a game learned by doing, step by step, as data.

A lesson is a file ``lessons/<number>-<name>.toml`` of its game: a scenario (:mod:`ziggurat.core.scenario`) with steps.

    game = "alhambra"
    players = 3
    minutes = 2
    [position]                       # of every step that does not say otherwise
    turn = 1
    [[steps]]                        # something to do: a move on the board
    name = "exact"
    moves = ["1 take blue 5"]        # what was played before; [steps.position] changes keys of the lesson's
    then = ["2 take green 3"]        # what the others do after a right answer, whatever it was
    lit = ["slot:2"]                 # places of the board that are lit from the beginning
    show = "buy garden 8 blue with 5 3"   # a right answer, for a person who wants to see one
    [[steps.answers]]                # the first that fits a move is its answer
    say = "paid"
    right = true
    move = ["buy garden 8 *"]        # patterns of its notation: ``*`` is anything
    event = { type = "again" }       # what happens by it: an event with these arguments
    [[steps.answers]]
    say = "other"                    # without a condition: every other move
    [[steps]]                        # something to know: a question with choices
    name = "majority"
    choices = ["first", "second", "nobody"]
    right = "second"

Its words are in the catalogue ``text/learn``: ``learn.<lesson>`` is the title, ``learn.<lesson>.<step>`` the text,
``.goal`` what is to be done, ``.<say>`` an answer (with the arguments of the move's own words), ``.<choice>`` a choice
and ``.<choice>.say`` its answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Annotated, Any

import msgspec

from ziggurat.core.decision import Description
from ziggurat.core.errors import IllegalAction, ScenarioError, UnknownLesson
from ziggurat.core.game import Game, place_of
from ziggurat.core.position import Position
from ziggurat.core.registry import game as find_game
from ziggurat.core.scenario import Scenario, build, play_moves
from ziggurat.core.toml import line_of, parse_toml
from ziggurat.core.trace import Event, Phrase

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]*$")]


class Happens(msgspec.Struct, forbid_unknown_fields=True):
    """A pattern of an event: a type, with these of its arguments; ``seat`` is counted from 1."""

    type: str
    seat: int | None = None
    args: dict[str, Any] = {}

    def fits(self, event: Event) -> bool:
        """Whether an event matches the pattern."""
        if event.type != self.type or (self.seat is not None and event.seat != self.seat - 1):
            return False
        return all(event.args.get(name) == value for name, value in self.args.items())


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """A prepared answer to moves: to those in one of these notations, or with such an event."""

    say: Name
    right: bool = False
    move: list[str] = []
    event: Happens | None = None

    def fits(self, notation: str, events: Sequence[Event]) -> bool:
        """Whether it answers a move with these events."""
        if self.move and not any(fnmatchcase(notation, pattern) for pattern in self.move):
            return False
        return self.event is None or any(map(self.event.fits, events))


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """A step of a lesson: something to do, with ``answers``, or to know, with ``choices``."""

    name: Name
    position: dict[str, Any] = {}
    players: int | None = None
    moves: list[str] = []
    seat: int = 1
    lit: list[str] = []
    show: str = ""
    answers: list[Answer] = []
    then: list[str] = []
    choices: list[Name] = []
    right: Name | None = None


class Lesson(msgspec.Struct, forbid_unknown_fields=True):
    """A lesson as its file says it, and its name."""

    game: str
    minutes: int
    steps: Annotated[list[Step], msgspec.Meta(min_length=1)]
    players: int | None = None
    position: dict[str, Any] = {}
    name: str = ""

    def step(self, name: str) -> Step:
        """Return a step by its name."""
        found = next((step for step in self.steps if step.name == name), None)
        if found is None:
            known = ", ".join(step.name for step in self.steps)
            raise UnknownLesson(f"lesson {self.name} has no step {name[:40]!r}; it has: {known}", lesson=self.name)
        return found

    def begin(self, step: Step) -> Position:
        """Return the position in which a step begins, with the events that led to it: boards tell some of that."""
        return _begin(self.game, self.name, step.name).copy()

    def _begin(self, step: Step) -> Position:
        scenario = Scenario(
            self.game,
            step.players if step.players is not None else self.players,
            position={**self.position, **step.position},
        )
        position = build(scenario)
        play_moves(position, step.moves)
        return position

    def words(self) -> Iterator[str]:
        """Yield the keys of all words of the lesson."""
        yield f"learn.{self.name}"
        for step in self.steps:
            key = f"learn.{self.name}.{step.name}"
            yield from (key, f"{key}.goal")
            yield from (f"{key}.{answer.say}" for answer in step.answers)
            yield from (f"{key}.{choice}{end}" for choice in step.choices for end in ("", ".say"))


class Verdict(msgspec.Struct, frozen=True):
    """The answer to a move, and the position after it if it is right."""

    right: bool
    say: Phrase
    move: Description
    position: Position | None


def lessons(game: Game) -> Mapping[str, Lesson]:
    """Return the lessons of a game by name, in their order.

    Raises:
        ScenarioError: with the file and its line, what is wrong there.
    """
    return _lessons(game.id)


@cache
def _lessons(id: str) -> dict[str, Lesson]:
    game = find_game(id)
    folder = game.folder / "lessons"
    found: dict[str, Lesson] = {}
    if not folder.is_dir():
        return found
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            name = file.name.removesuffix(".toml").partition("-")[2]
            found[name] = _read(file.read_text(encoding="utf-8"), name, game)
    return found


def _read(text: str, name: str, game: Game) -> Lesson:
    try:
        lesson = msgspec.convert(parse_toml(text), Lesson, str_keys=True)
    except msgspec.ValidationError as error:
        message, keys = place_of(error)
        raise ScenarioError(f"lesson {name}: {'.'.join(keys)}: {message}", line_of(text, keys)) from None
    if lesson.game != game.id:
        raise ScenarioError(f"lesson {name} is of {lesson.game!r}, not of {game.id!r}", line_of(text, ["game"]))
    for step in lesson.steps:
        if bool(step.answers) == bool(step.choices):
            raise ScenarioError(f"lesson {name}, step {step.name}: it has either answers or choices")
        if step.choices and step.right not in step.choices:
            raise ScenarioError(f"lesson {name}, step {step.name}: right is one of its choices, not {step.right!r}")
    lesson.name = name
    return lesson


def lesson(game: Game, name: str) -> Lesson:
    """Return a lesson by name.

    Raises:
        UnknownLesson: with the list of those that there are.
    """
    known = lessons(game)
    if name not in known:
        names = ", ".join(known) or "none"
        raise UnknownLesson(f"{game.id} has no lesson {name[:40]!r}; it has: {names}", game=game.id)
    return known[name]


@lru_cache(maxsize=256)
def _begin(game: str, name: str, step: str) -> Position:
    found = lesson(find_game(game), name)
    return found._begin(found.step(step))


def answer(lesson: Lesson, step: Step, moves: Sequence[int]) -> Verdict:
    """Return the answer to a whole move in a step.

    Raises:
        IllegalAction: when the move cannot be made, or is not whole.
    """
    if not step.answers:
        raise IllegalAction(f"step {step.name} is a question; no move is made in it")
    position, seat = lesson.begin(step), step.seat - 1
    happened = position.after_move(seat, moves)
    made = position.describe(seat, position.game.arrange(moves))
    found = next(one for one in step.answers if one.fits(made.notation, happened.events))
    say = Phrase(f"learn.{lesson.name}.{step.name}.{found.say}", made.words.args)
    if found.right:
        play_moves(happened, step.then)
    return Verdict(found.right, say, made, happened if found.right else None)


def whole_moves(position: Position, seat: int) -> Iterator[list[int]]:
    """Yield every whole move that a seat can make, as its actions, each once."""
    ways: list[tuple[Position, list[int]]] = [(position, [])]
    while ways:
        here, steps = ways.pop()
        for action in here.legal(seat):
            ahead = here.copy(events=False)
            ahead.play(seat, action)
            if ahead.in_move:
                ways.append((ahead, [*steps, action]))
            else:
                yield [*steps, action]

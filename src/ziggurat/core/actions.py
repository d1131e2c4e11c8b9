"""The action space of a game: each type of action is declared once, as a struct whose fields give its numbers, its
notation and its words.

    class Pay(Choice, frozen=True, kw_only=True):
        type: Literal["pay"] = "pay"
        value: Annotated[int, IntRange(9, first=1)]

    SPACE = Space("'pay 5' or 'keep'")
    PAY = SPACE.add(Pay)  # the rules write PAY + value

Numbers follow each other as the types are added, and within a type as the fields' values do, the last field varying
fastest. Fields without a range are no part of the number: a game fills them in from the position, to show the
action.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from string import Formatter
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ziggurat.core.errors import NotationError
from ziggurat.core.trace import Phrase

MOST_CHOICES_KEPT = 20_000
"""Choices that a game keeps to show them again."""


NUMBERS = ("action", "notation", "type")
"""Fields of every choice, which tell what it names only in one position."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """An action that is legal, or that somebody may try, as a board, a terminal or a bot needs it.

    In words it is the text ``move.<type>`` of the game's catalogue, with its fields for the placeholders.
    """

    action: int
    type: str
    notation: str

    @property
    def words(self) -> Phrase:
        fields = [name for name in self.__struct_fields__ if name not in Choice.__struct_fields__]
        return Phrase(f"move.{self.type}", {name: getattr(self, name) for name in fields})

    def meant(self, then: Sequence[int] | None = None) -> dict[str, Any]:
        """What the action names, wherever that lies: its type, and the pieces and numbers that say what it does.

        Two actions of different positions that mean the same here are the same to whoever wishes for one of them. So
        where a piece lies is left out only if it makes no difference which of two equal ones is taken, and what is said
        of the action in words only if it follows from the rest.

        Args:
            then: the steps that follow it in its move, where these decide what it does; None: what it names by itself,
                whatever follows.
        """
        names = (name for name in self.__struct_fields__ if name not in NUMBERS)
        return {"type": self.type, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True)
class Domain:
    """The domain of a field: its values in order, and the word of each in notation."""

    values: tuple[Any, ...]
    words: tuple[str, ...]
    first: int = 0


def IntRange(size: int, *, first: int = 0) -> Domain:
    """A domain of whole numbers: from ``first`` on, so many."""
    values = tuple(range(first, first + size))
    return Domain(values, tuple(map(str, values)), first)


def Names(names: Sequence[str]) -> Domain:
    """A domain of names or tokens; several words make a token too."""
    return Domain(tuple(names), tuple(names))


def Encoded(size: int, value: Callable[[int], Any], word: Callable[[int], str] = str, *, first: int = 0) -> Domain:
    """A domain of codes: what each stands for, and its word; where that depends on the position, the game writes it."""
    codes = range(first, first + size)
    return Domain(tuple(map(value, codes)), tuple(map(word, codes)), first)


class Declared:
    """A declared type of action, as ``Space.add`` read it from its struct."""

    def __init__(self, struct: type[Choice], base: int, notation: str | None) -> None:
        hints = get_type_hints(struct, include_extras=True)
        self.struct = struct
        self.base = base
        self.type: str = get_args(hints["type"])[0] if get_origin(hints["type"]) is Literal else ""
        if not self.type:
            raise TypeError(f"{struct.__name__} needs its type: type: Literal['pay'] = 'pay'")
        self.fields: dict[str, Domain] = {}
        for name in struct.__struct_fields__:
            for extra in getattr(hints[name], "__metadata__", ()):
                if isinstance(extra, Domain):
                    self.fields[name] = extra
        self.size = prod(len(domain.values) for domain in self.fields.values())
        self.zero = base
        stride = 1
        for domain in reversed(self.fields.values()):
            self.zero -= domain.first * stride
            stride *= len(domain.values)
        self._values: dict[int, Mapping[str, Any]] = {}
        self.notation = notation or " ".join([self.type.replace("_", " "), *(f"{{{name}}}" for name in self.fields)])
        # Whether the number alone tells how it is written; where it does not, the game writes and reads it.
        self.fixed = all(name is None or name in self.fields for _, name, _, _ in Formatter().parse(self.notation))

    def values(self, action: int) -> Mapping[str, Any]:
        """The values of the fields that make up a number."""
        if action not in self._values:
            self._values[action] = self._taken_apart(action)
        return self._values[action]

    def _taken_apart(self, action: int) -> dict[str, Any]:
        rest = action - self.base
        found: dict[str, Any] = {}
        for name, domain in reversed(self.fields.items()):
            rest, place = divmod(rest, len(domain.values))
            found[name] = domain.values[place]
        return dict(reversed(found.items()))

    def write(self, action: int) -> str:
        rest = action - self.base
        words: dict[str, str] = {}
        for name, domain in reversed(self.fields.items()):
            rest, place = divmod(rest, len(domain.values))
            words[name] = domain.words[place]
        return self.notation.format(**words) if self.fixed else self.notation

    @property
    def form(self) -> str:
        """The form of its notation, for messages: ``choose zeus|giza 1|2|3``."""

        def some(words: tuple[str, ...]) -> str:
            return "|".join(words) if len(words) <= 8 else f"{words[0]}...{words[-1]}"

        words = {name: some(domain.words) for name, domain in self.fields.items()}
        return self.notation.format(**words) if self.fixed else self.notation

    @property
    def ranges(self) -> str:
        """The values of each field, for documentation."""
        return "; ".join(
            f"`{name}`: {len(domain.values)}, from `{domain.values[0]}` to `{domain.values[-1]}`"
            for name, domain in self.fields.items()
        )


class Space:
    """The action space of a game: the numbers from 0 to ``size`` - 1, type after type as they were added."""

    def __init__(self, examples: str) -> None:
        """``examples`` of moves, for the message to a person whose text is no move."""
        self.examples = examples
        self.types: dict[str, Declared] = {}
        self.size = 0
        self._declared: list[Declared] = []  # by number
        self._written: dict[int, str] = {}
        self._made: dict[tuple[Any, ...], Choice] = {}

    def add(self, struct: type[Choice], notation: str | None = None) -> int:
        """Declare a type of action; return its first number, with all fields 0.

        Args:
            notation: with placeholders for the fields; by default the type's name, then the fields of the number. With
                a field that the number does not tell, the game writes and reads it itself.
        """
        declared = Declared(struct, self.size, notation)
        self.types[declared.type] = declared
        self.size += declared.size
        self._declared += [declared] * declared.size
        return declared.zero

    def __getitem__(self, action: int) -> Declared:
        """The type of an action.

        Raises:
            IndexError: for a number that is no action of this game.
        """
        if not 0 <= action < self.size:
            raise IndexError(f"there are actions from 0 to {self.size - 1}, not {action}")
        return self._declared[action]

    @cached_property
    def digest(self) -> str:
        """A digest of 16 hexadecimal digits that changes when a number comes to mean another action."""
        sha = hashlib.sha256()
        for declared in self.types.values():
            fields = [f"{name}={'|'.join(domain.words)}" for name, domain in declared.fields.items()]
            sha.update(f"{declared.base} {declared.type} {' '.join(fields)}\n".encode())
        return sha.hexdigest()[:16]

    def is_a(self, action: int, *types: str) -> bool:
        """Whether an action is of one of these types; False also for a number that is no action."""
        return 0 <= action < self.size and self._declared[action].type in types

    def choice(self, action: int, notation: str | None = None, **more: Any) -> Choice:
        """The struct of an action. ``more`` are the fields that its number does not tell.

        The same one again, where it was made before: most of what can be done is the same as a turn ago.
        """
        text = self.write(action) if notation is None else notation
        key = (action, text, *more.values())
        try:
            made = self._made.get(key)
        except TypeError:  # of lists, which are compared as slowly as they are made
            return self._make(action, text, more)
        if made is None:
            if len(self._made) >= MOST_CHOICES_KEPT:
                self._made.clear()
            made = self._made[key] = self._make(action, text, more)
        return made

    def _make(self, action: int, text: str, more: Mapping[str, Any]) -> Choice:
        declared = self[action]
        return declared.struct(action=action, type=declared.type, notation=text, **declared.values(action), **more)

    def write(self, action: int) -> str:
        text = self._written.get(action)
        if text is None:
            text = self._written[action] = self[action].write(action)
        return text

    def read(self, text: str) -> int:
        """Parse a text in notation; return the action.

        Raises:
            NotationError: with what could have been written.
        """
        words = " ".join(text.split())
        if words in self._numbers:
            return self._numbers[words]
        begun = [one.form for one in self.types.values() if words.split(" ")[0] == one.notation.split(" ")[0]]
        wanted = " or ".join(f"'{form}'" for form in begun) or self.examples
        raise NotationError(f"{text!r:.80} is no move; write {wanted}")

    def named(self, type: str, fields: Mapping[str, Any]) -> int:
        """The action of a type, by the values of the fields that make up its number.

        Raises:
            NotationError: with what there is instead.
        """
        declared = self.types.get(str(type))
        if declared is None:
            raise NotationError(f"there is no action of type {type!r:.40}; there are: {', '.join(self.types)}")
        if set(fields) != set(declared.fields):
            wanted, given = (", ".join(names) or "none" for names in (declared.fields, fields))
            raise NotationError(f"the fields of {declared.type} are: {wanted}; not: {given:.80}")
        action, stride = declared.base, declared.size
        for name, domain in declared.fields.items():
            stride //= len(domain.values)
            plain = msgspec.to_builtins(fields[name])
            values = [msgspec.to_builtins(value) for value in domain.values]
            if plain not in values:
                raise NotationError(f"{name} of {declared.type} is one of {declared.ranges}; not {fields[name]!r:.40}")
            action += stride * values.index(plain)
        return action

    @cached_property
    def _numbers(self) -> dict[str, int]:
        fixed = [range(one.base, one.base + one.size) for one in self.types.values() if one.fixed]
        return {self.write(action): action for actions in fixed for action in actions}

    def table(self) -> str:
        """The space as a table in Markdown: numbers, notation, the values of the fields, and what it is."""
        lines = ["| numbers | type | notation | values | |", "|---|---|---|---|---|"]
        for one in self.types.values():
            numbers = f"{one.base}–{one.base + one.size - 1}" if one.size > 1 else f"{one.base}"
            about = " ".join((one.struct.__doc__ or "").split("Attributes:")[0].split())
            lines.append(f"| {numbers} | `{one.type}` | `{one.notation}` | {one.ranges} | {about} |")
        return "\n".join(lines)

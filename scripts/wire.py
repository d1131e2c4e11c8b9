#!/usr/bin/env python3
"""The page's types, written from the structs that travel to it.

    python scripts/web.py types            write web/src/lib/wire.ts and web/src/games/<game>/wire.ts

`tests/test_wire.py` compares them.

A struct becomes an interface, or a type on one line; a `Literal` with a name a type of that name. Types that name
`Choice`, the legal actions of any game, take those of one game as a parameter. What is stored or sent as plain JSON
says in its annotation which struct it has the form of: `Annotated[dict[str, Any], Event]`.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Union

import msgspec

import ziggurat
from ziggurat.core.actions import Choice
from ziggurat.core.game import Game
from ziggurat.core.trace import Phrase
from ziggurat.server.app import HANDLERS
from ziggurat.server.feature import features
from ziggurat.server.live import messages
from ziggurat.server.problems import ProblemDocument

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "web" / "src"
HEAD = "// Written by `python scripts/web.py types` from the structs of {source}. Change those, not this.\n"
WIDTH = 120
Struct = type[msgspec.Struct]

PLAIN = {
    int: "number",
    float: "number",
    str: "string",
    date: "string",
    bool: "boolean",
    type(None): "null",
    msgspec.Raw: "unknown",
}
RENAMED = {
    "Event": "GameEvent",  # the browser has an `Event` of its own
}
ARGS = """\
/** The values of a sentence's placeholders: numbers, tokens such as "blue 5", other phrases, lists of them. */
export type Arg = number | string | string[] | number[] | boolean | null | Phrase | Phrase[]
export type Args = Record<string, Arg>
"""


# --- Reading structs ---------------------------------------------------------------------------------------------


def is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)


@cache
def hints(struct: Struct) -> dict[str, Any]:
    return typing.get_type_hints(struct, include_extras=True)


def parent(struct: Struct) -> Struct | None:
    """The struct that it extends, if it extends one."""
    base = struct.__base__
    return base if is_struct(base) and base is not msgspec.Struct else None


def parts(hint: Any) -> Iterator[Any]:
    """The types that a type is made of, itself first."""
    yield hint
    if typing.get_origin(hint) is Annotated:
        form = form_of(hint)
        yield from parts(form if form is not None else typing.get_args(hint)[0])
    elif typing.get_origin(hint) is not Literal:
        for inner in typing.get_args(hint):
            yield from parts(inner)


def form_of(hint: Any) -> Struct | None:
    """The struct whose form a value has that is no struct in Python."""
    return next((note for note in typing.get_args(hint)[1:] if is_struct(note)), None)


def used(struct: Struct) -> Iterator[Struct]:
    """The structs that one names."""
    if (base := parent(struct)) is not None:
        yield base
    for hint in hints(struct).values():
        yield from (part for part in parts(hint) if is_struct(part))


def reachable(roots: Iterable[Struct]) -> list[Struct]:
    """Structs and all that they name, each after those that it names."""
    found: dict[Struct, None] = {}

    def visit(struct: Struct) -> None:
        if struct not in found:
            for other in used(struct):
                if other is not struct:
                    visit(other)
            found[struct] = None

    for root in roots:
        visit(root)
    return list(found)


@cache
def is_generic(struct: Struct) -> bool:
    """Whether it names the legal actions of any game."""
    if issubclass(struct, Choice):  # of one game, with all that it names
        return False
    return any(other is Choice or is_generic(other) for other in used(struct) if other is not struct)


def named_literals(struct: Struct) -> dict[Any, str]:
    """The names that a struct's module has for sets of words: those of types, and ``Card`` for a constant ``CARDS``."""
    module = vars(sys.modules[struct.__module__])
    types = {RENAMED.get(name, name): value for name, value in module.items() if typing.get_origin(value) is Literal}
    lists = {
        name.title().replace("_", "").removesuffix("s"): Literal[tuple(value)]
        for name, value in module.items()
        if name.isupper() and isinstance(value, (tuple, list)) and value and all(isinstance(one, str) for one in value)
    }
    return {value: name for name, value in {**lists, **types}.items()}


# --- Words about them --------------------------------------------------------------------------------------------


def sentences(text: str) -> str:
    text = re.sub(r"``(.*?)``", r"`\1`", " ".join(text.split()))
    return re.sub(r"\bNone\b", "null", text[:1].upper() + text[1:])


def described(struct: Struct) -> tuple[str, dict[str, str]]:
    """What is said about a struct, and about its fields: under `Attributes:`, or in a string below each."""
    text = inspect.cleandoc(vars(struct).get("__doc__") or "")
    if text.startswith(f"{struct.__name__}("):
        text = ""  # made up by Python
    text, _, attributes = text.partition("Attributes:\n")
    fields = dict(re.findall(r"^ {4}(\w+): ((?:.|\n {8,})*)", attributes, re.MULTILINE))
    body = _body(struct)
    for field, below in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
                fields[field.target.id] = below.value.value
    return sentences(text), {name: sentences(said) for name, said in fields.items()}


def _body(struct: Struct) -> list[ast.stmt]:
    """What stands in a struct; nothing for one that a program has made of a declaration."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(struct)))
    except OSError:
        return []
    return tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []


def comment(text: str, indent: str = "") -> list[str]:
    if not text:
        return []
    if len(indent) + len(text) + 7 <= WIDTH:
        return [f"{indent}/** {text} */"]
    lines, line = [f"{indent}/**"], f"{indent} *"
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = f"{indent} *"
        line += f" {word}"
    return [*lines, line, f"{indent} */"]


# --- Writing TypeScript ------------------------------------------------------------------------------------------


class Types:
    """One file of types."""

    def __init__(self, names: Mapping[Struct, str], asked: Iterable[Struct] = ()) -> None:
        """
        Args:
            names: what the structs are called here, those of other files too.
            asked: structs that the page makes: what has a default there may be left out.
        """
        self.names = names
        self.asked = set(asked)
        self.used: set[Struct] = set()
        self.args = False
        self.words: dict[str, str] = {}  # the named sets of words, in the order of their use
        self._named: dict[Any, str] = {}

    def declaration(self, struct: Struct) -> list[str]:
        """A struct's lines: one, where it extends none, nothing is said of its fields, and they fit."""
        self._named = named_literals(struct)
        said, fields = described(struct)
        base = parent(struct)
        generic = f"<C extends {self.names[Choice]} = {self.names[Choice]}>" if is_generic(struct) else ""
        extends = f" extends {self._name(base)}" if base else ""
        config = struct.__struct_config__
        lines = [] if config.tag is None else [f"  {config.tag_field}: {quoted(config.tag)}"]
        own = vars(struct).get("__annotations__", {})
        for field in msgspec.structs.fields(struct):
            if base is None or field.name in own:
                lines += comment(fields.get(field.name, ""), "  ")
                left_out = struct in self.asked or struct.__struct_config__.omit_defaults
                optional = field.default is msgspec.UNSET or (left_out and not field.required)
                text = f"  {field.encode_name}{'?' * optional}: {self.type(hints(struct)[field.name])}"
                lines.append(broken(text, ": ", "  "))
        short = f"export type {self.names[struct]}{generic} = {{ {'; '.join(map(str.strip, lines))} }}"
        if not base and lines and len(short) <= WIDTH and not any(fields.values()):
            return [*comment(said), short]
        return [*comment(said), f"export interface {self.names[struct]}{generic}{extends} {{", *lines, "}"]

    def _name(self, struct: Struct) -> str:
        self.used.add(struct)
        if struct is Choice:
            return "C" if self._generic else self.names[Choice]
        return self.names[struct] + ("<C>" if is_generic(struct) and self._generic else "")

    _generic = False

    def type(self, hint: Any) -> str:
        """A type as TypeScript writes it."""
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if origin is Annotated:  # first: what is noted may not be hashable
            return self.type(form_of(hint) or inner[0])
        if hint in self._named:
            name = self._named[hint]
            self.words[name] = " | ".join(map(quoted, typing.get_args(hint)))
            return name
        if hint in PLAIN:
            return PLAIN[hint]
        if is_struct(hint):
            return self._name(hint)
        if hint is Any or hint is object:
            return "unknown"
        if origin is Literal:
            return " | ".join(map(quoted, inner))
        if origin in (Union, types.UnionType):
            found = [self.type(one) for one in inner if one is not msgspec.UnsetType]
            return " | ".join(dict.fromkeys(found))
        if origin in (dict, Mapping):
            if inner[1] is Any or (inner[1] is not Phrase and Phrase in parts(inner[1])):  # of a sentence
                self.args = True
                return "Args"
            return f"Record<{self.type(inner[0])}, {self.type(inner[1])}>"
        if origin is tuple and inner[-1] is not Ellipsis:
            return f"[{', '.join(map(self.type, inner))}]"
        if origin in (list, tuple, set, frozenset):
            item = self.type(inner[0])
            return f"({item})[]" if " | " in item else f"{item}[]"
        raise TypeError(f"no TypeScript is known for {hint!r}")

    def body(self, structs: Iterable[Struct]) -> str:
        found: list[list[str]] = []
        for struct in structs:
            self._generic = is_generic(struct)
            found.append(self.declaration(struct))
        self._generic = False
        lines = [declared(name, values) for name, values in self.words.items()]
        for before, now in pairwise([lines[-1:], *found]):
            lines += now if len(before) == len(now) == 1 else ["", *now]
        return "\n".join(lines[0 if self.words else 1 :]) + "\n"


def declared(name: str, values: str) -> str:
    """A type that is one of several."""
    return broken(f"export type {name} = {values}", " = ")


def broken(text: str, after: str, indent: str = "") -> str:
    """A line as the formatter leaves it: alternatives that do not fit have a line each."""
    if len(text) <= WIDTH:
        return text
    head, _, values = text.partition(after)
    return head + after.rstrip() + "".join(f"\n{indent}  | {value}" for value in values.split(" | "))


def imports(names: list[str], place: str) -> str:
    line = f"import type {{ {', '.join(names)} }} from '{place}'\n"
    if len(line) <= WIDTH + 1:
        return line
    return "import type {\n" + "".join(f"  {name},\n" for name in names) + f"}} from '{place}'\n"


def quoted(word: Any) -> str:
    return f"'{word}'" if isinstance(word, str) else str(word).lower() if isinstance(word, bool) else str(word)


def named(structs: Iterable[Struct], names: dict[Struct, str]) -> dict[Struct, str]:
    """The names of structs in one file, each there once."""
    for struct in structs:
        name = names.setdefault(struct, RENAMED.get(struct.__name__, struct.__name__))
        twin = next((other for other, its in names.items() if its == name and other is not struct), None)
        if twin is not None:
            raise TypeError(f"{struct.__module__}.{name} and {twin.__module__}.{name} would be one type: rename one")
    return names


# --- The files ---------------------------------------------------------------------------------------------------


def package(game: Game) -> str:
    return f"ziggurat.games.{game.id}"


def subclasses(struct: Struct) -> Iterator[Struct]:
    for child in struct.__subclasses__():
        yield child
        yield from subclasses(child)


def roots(game: Game) -> tuple[Struct, list[Struct]]:
    """The view of a game, and the structs of its legal actions; what several of them extend is none itself."""
    view = typing.get_type_hints(game.public)["return"]
    leaves = [struct for struct in subclasses(Choice) if not struct.__subclasses__()]
    own = [struct for struct in leaves if f"{struct.__module__}.".startswith(f"{package(game)}.")]
    return view, sorted(own, key=lambda struct: inspect.getsourcelines(struct)[1])


def game_types(game: Game) -> tuple[str, list[Struct]]:
    """The types of a game's view and of its legal actions, and the structs of the house that they name."""
    view, choices = roots(game)
    structs = reachable([view, *choices])
    own = [struct for struct in structs if f"{struct.__module__}.".startswith(f"{package(game)}.")]
    shared = [struct for struct in structs if struct not in own and struct is not Choice]
    names = named([*shared, *own], {Choice: "AnyChoice", view: "View"})
    file = Types(names)
    body = file.body(own)
    # Actions with nothing to tell but their type are the house's own.
    all_told = all(typing.get_origin(hints(choice)["type"]) is Literal for choice in choices)
    union = " | ".join([*([] if all_told else ["AnyChoice"]), *(names[choice] for choice in choices)])
    imported = ["Choice as AnyChoice", *(["Args"] if file.args else [])]
    imported += sorted(names[struct] for struct in shared if struct in file.used)
    return (
        HEAD.format(source=f"src/ziggurat/games/{game.id}")
        + imports(imported, "../../lib/wire")
        + "\n"
        + body
        + f"\n/** A legal action. */\n{declared('Choice', union)}\n"
    ), shared


def on_the_page() -> set[str]:
    """Every word of the page's own sources."""
    sources = [file for end in ("ts", "svelte") for file in PAGE.rglob(f"*.{end}") if file.name != "wire.ts"]
    return {word for file in sources for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}


def house_types(shared: Iterable[Struct]) -> str:
    """The types of everything that all games share, as far as the page names what it asks for and is told over HTTP."""
    said: list[Struct] = [ProblemDocument]
    asked: list[Struct] = []
    for handler in HANDLERS:
        annotations = typing.get_type_hints(handler.fn, include_extras=True)
        for name, into in (("return", said), ("data", asked)):
            into += [part for part in parts(annotations.get(name)) if is_struct(part)]
    to_server, to_page = tuple(messages.all_messages()), messages.all_news()
    asked += to_server
    streams = {name: structs for feature in features() for name, structs in feature.streams.items()}
    sent = [struct for structs in streams.values() for struct in structs]
    structs = reachable([Choice, *said, *shared, *to_page, *sent, *asked])
    names, words = named(structs, {}), on_the_page()
    needed = reachable([Choice, *shared, *to_page, *sent, *to_server, *(one for one in structs if names[one] in words)])
    structs = [struct for struct in structs if struct in needed]
    file = Types(names, reachable(asked))
    body = file.body(structs)
    unions = [
        f"/** {what} */\n{declared(name, ' | '.join(file.names[one] for one in union))}\n"
        for what, name, union in (
            ("What the page says at a table.", "ToServer", to_server),
            ("What the page is told at a table.", "ToPage", to_page),
            *(("What the page is told at a socket of a feature.", name, structs) for name, structs in streams.items()),
        )
    ]
    return HEAD.format(source="src/ziggurat/core and src/ziggurat/server") + "\n".join(["", ARGS, body, *unions])


def files() -> dict[Path, str]:
    """Every file of types with what it should hold."""
    found: dict[Path, str] = {}
    shared: dict[Struct, None] = {}
    for game in ziggurat.registered_games().values():
        text, named_there = game_types(game)
        shared.update(dict.fromkeys(named_there))
        if (folder := PAGE / "games" / game.id).is_dir():
            found[folder / "wire.ts"] = text
    found[PAGE / "lib" / "wire.ts"] = house_types(shared)
    return found


def main() -> None:
    """Write the files that are not what they should be."""
    for path, text in files().items():
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

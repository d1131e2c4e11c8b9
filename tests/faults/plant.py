"""One-line mistakes: which there may be in a file, and how one is planted."""

from __future__ import annotations

import ast
import json
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import count, pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ("tests/faults/faults.toml", "tests/games/*/faults.toml")
"""The kept list; what stands in a game's folders is kept in one of them."""
LIST_BEGINS = """\
# Planted faults, each one line (`python -m tests.faults --help`), as `--propose --seed 1` draws them, floor by
# floor and in this order; left out was what nobody could notice, and what nothing starts with. `seen` is the test
# that saw it last and is tried first; `why` says why no test sees it and none should.
"""

FLOORS: dict[str, tuple[str, ...]] = {
    "rules": (
        *(f"src/ziggurat/games/*/{name}.py" for name in ("rules", "state", "setup", "supply", "city", "uses", "cards")),
        *(f"src/ziggurat/games/*/{name}.py" for name in ("scoring", "payments", "gains", "battle", "actions")),
        "src/ziggurat/games/*/components.toml",
    ),
    "view": ("src/ziggurat/games/*/view.py", "src/ziggurat/core/fields/views.py"),
    "belief": ("src/ziggurat/games/*/belief.py", "src/ziggurat/bots/belief.py"),
    "events": ("src/ziggurat/games/*/events.py", "src/ziggurat/core/*event*.py", "src/ziggurat/core/trace.py"),
    "core": ("src/ziggurat/core/**/*.py",),
    "store": ("src/ziggurat/server/store/*.py",),
    "api": ("src/ziggurat/server/api/*.py",),
    "live": ("src/ziggurat/server/live/*.py",),
    "services": ("src/ziggurat/server/services/**/*.py",),
    "domain": ("src/ziggurat/server/domain/*.py",),
    "page": ("web/src/**/*.ts", "web/src/**/*.svelte"),
    "css": ("web/src/**/*.css", "web/src/**/*.svelte"),
    "words": ("src/ziggurat/**/text/**/*.json",),
    "lab": ("src/ziggurat/lab/**/*.py",),
    "bots": ("src/ziggurat/bots/*.py",),
    "cli": ("src/ziggurat/cli/*.py",),
}
OTHERS = re.compile(r"\.test\.ts$|/wire\.ts$|/migrations/|__init__\.py$|/static/")
"""Files that are no part of a floor, or written by a program."""
SPREAD = {
    "rules": 16,
    "view": 6,
    "belief": 6,
    "events": 4,
    "core": 2,
    "store": 6,
    "api": 6,
    "live": 6,
    "services": 4,
    "domain": 4,
    "page": 8,
    "css": 3,
    "words": 3,
    "lab": 2,
    "bots": 2,
    "cli": 2,
}
"""How many faults each floor gets."""


@dataclass(frozen=True)
class Fault:
    """A mistake: ``old`` stands once in ``file``, and differs from ``new`` in one line."""

    id: str
    file: str
    old: str
    new: str
    seen: str = ""
    """The test that saw it last, which is tried first."""
    why: str = ""
    """Why no test sees it, where none does and none should."""

    @property
    def floor(self) -> str:
        return self.id.rpartition("-")[0]

    def planted(self, text: str) -> str:
        """The text of the file with the mistake in it; ValueError where it does not fit any more."""
        if (times := text.count(self.old)) != 1:
            raise ValueError(f"{self.id}: what it replaces stands {times} times in {self.file}, not once")
        return text.replace(self.old, self.new)


def kept() -> list[Fault]:
    """All faults of the list, floor by floor."""
    lists = (path.read_text(encoding="utf-8") for pattern in KEPT for path in sorted(ROOT.glob(pattern)))
    found = [Fault(**entry) for text in lists for entry in tomllib.loads(text)["fault"]]
    return sorted(found, key=lambda fault: ([*SPREAD].index(fault.floor), int(fault.id.rpartition("-")[2])))


def keep(faults: list[Fault]) -> None:
    """Write the list."""
    texts: defaultdict[str, str] = defaultdict(lambda: LIST_BEGINS)
    for fault in faults:
        game = re.search(r"games/(\w+)/", fault.file)
        texts[KEPT[1].replace("*", game[1]) if game else KEPT[0]] += "\n[[fault]]\n" + "".join(
            f"{name} = {json.dumps(text)}\n" if name not in ("old", "new") else f"{name} = '''\n{text}'''\n"
            for name, text in asdict(fault).items()
            if text or name == "new"
        )
    for name, text in texts.items():
        (ROOT / name).write_text(text, encoding="utf-8")


def propose(floor: str, seed: int) -> Iterator[Fault]:
    """Draw mistakes for a floor, one after the other: first a folder, then a file in it, then a mistake."""
    chance = random.Random(f"{floor} {seed}")
    folders: defaultdict[Path, set[Path]] = defaultdict(set)
    for pattern in FLOORS[floor]:
        for path in ROOT.glob(pattern):
            if not OTHERS.search(path.as_posix()):
                folders[path.parent].add(path)
    order = sorted(folders)
    games = [folder for folder in order if folder.parent.name == "games" and floor not in ("page", "css")]
    for number in count(1):
        # A folder as often as it has files, but the games turn by turn.
        folder = games[number % len(games)] if games else chance.choices(order, [len(folders[one]) for one in order])[0]
        path = chance.choice(sorted(folders[folder]))
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        if found := [one for one in mistakes(path.suffix, text, floor == "css") if one[1] != lines[one[0]]]:
            at, line = chance.choice(found)
            yield _with_context(f"{floor}-{number}", path, lines, at, line)


def _with_context(name: str, path: Path, lines: list[str], at: int, line: str) -> Fault:
    """As many lines before as make what is replaced unique in its file."""
    first, text = at, "".join(lines)
    while text.count(old := "".join(lines[first : at + 1])) > 1:
        first -= 1
    return Fault(name, path.relative_to(ROOT).as_posix(), old, "".join(lines[first:at]) + line)


def mistakes(suffix: str, text: str, styles: bool = False) -> list[tuple[int, str]]:
    """Every mistake that could be made in a text: the number of the line, and the line as it would be."""
    if suffix == ".py":
        return list(_in_python(text))
    if suffix == ".json":
        return list(_in_words(text))
    if suffix == ".toml":
        return list(_replaced(text, range(text.count("\n")), NUMBERS))
    within = [at for at, inside in enumerate(_inside_style(text, suffix)) if inside == styles]
    return list(_replaced(text, within, STYLES if styles else SCRIPT))


Change = tuple[str, str | Callable[[re.Match[str]], str]]
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
COMPARED |= {"is": "is not", "is not": "is", "in": "not in", "not in": "in"}
PAIRS = {"and": "or", "or": "and", "+": "-", "-": "+", "True": "False", "False": "True", "min": "max", "max": "min"}
PAIRS |= {"all": "any", "any": "all", "append": "add", "first": "last", "last": "first"}
NUMBERS: list[Change] = [(r"(?<![\w.\"-])\d+(?![\w.\"])(?=[^#]*$|[^#]*#)", lambda found: str(int(found[0]) + 1))]
SCRIPT: list[Change] = [
    (r" === ", " !== "),
    (r" !== ", " === "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" < (?=\w)", " <= "),
    (r" <= ", " < "),
    (r" > (?=\w)", " >= "),
    (r" >= ", " > "),
    (r" \+ 1\b", ""),
    (r" - 1\b", ""),
    (r"(?<=[( {])!(?=\w)", ""),
    (r"\{#if (?=\w)", "{#if !"),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"\.filter\((.*)\)(?=[.;)])", ""),
    (r" (?:aria-\w+|disabled|role|title|tabindex|class:\w+)=(?:\{[^{}]*\}|\"[^\"{}]*\")", ""),
    (r"(?<=[\w)] \? )([^:?{}()]+) : ([^:?;,{}()]+)(?=[;,)}\n])", lambda found: f"{found[2]} : {found[1]}"),
    (r"\((\w+), (\w+)\)(?! (?:\{|=>))", lambda found: f"({found[2]}, {found[1]})"),
    (r"^\s+(?:this\.)?[\w.#]+(?:\([^()]*\)| = [^=]+);\n", ""),
]
STYLES: list[Change] = [
    (r"(?<=[\s(])(\d*\.?\d+)(?=px|rem|em|%|vw|s\b)", lambda found: f"{float(found[1]) * 2:g}"),
    (r"var\(--(?:ink|accent|line|ground)\)", "var(--faint)"),
    (r"(?<=display: )(?:flex|grid|none)", "block"),
    (r"(?<=position: )\w+", "static"),
    (r"^\s+[\w-]+: [^;{}]+;\n", ""),
]


def _replaced(text: str, within: range | list[int], changes: list[Change]) -> Iterator[tuple[int, str]]:
    lines = text.splitlines(keepends=True)
    for at in within:
        if re.match(r"\s*(//|\*|/\*|#|<!--|import )", lines[at]):
            continue
        for pattern, by in changes:
            for found in re.finditer(pattern, lines[at]):
                yield (
                    at,
                    lines[at][: found.start()] + (by if isinstance(by, str) else by(found)) + lines[at][found.end() :],
                )


def _inside_style(text: str, suffix: str) -> Iterator[bool]:
    inside = suffix == ".css"
    for line in text.splitlines():
        inside = inside and "</style>" not in line
        yield inside
        inside = inside or line.startswith("<style")


def _in_words(text: str) -> Iterator[tuple[int, str]]:
    """A placeholder is forgotten, or stands in another case; a text is that of the line after it."""
    lines = text.splitlines(keepends=True)
    entry = re.compile(r'(\s+"[^"]+": )(".*")(,?\n)')
    yield from _replaced(text, range(len(lines)), [(r" ?\{\w+\}", ""), (r"\.acc\}", "}"), (r"(?<=\{\w{4})\}", ".acc}")])
    for at, (line, following) in enumerate(pairwise(lines)):
        one, other = entry.fullmatch(line), entry.fullmatch(following)
        if one and other:
            yield at, one[1] + other[2] + one[3]


def _in_python(text: str) -> Iterator[tuple[int, str]]:
    lines = text.splitlines(keepends=True)

    def segment(node: ast.expr, by: str) -> Iterator[tuple[int, str]]:
        first, last, begin, end = (
            getattr(node, name) for name in ("lineno", "end_lineno", "col_offset", "end_col_offset")
        )
        if first == last:
            raw = lines[first - 1].encode()
            yield first - 1, (raw[:begin] + by.encode() + raw[end:]).decode()

    def between(left: ast.expr, right: ast.expr, word: str, by: str) -> Iterator[tuple[int, str]]:
        if left.end_lineno == right.lineno:
            raw = lines[right.lineno - 1].encode()
            sign = raw[left.end_col_offset : right.col_offset].decode().replace(word, by)
            put = raw[: left.end_col_offset].decode() + sign + raw[right.col_offset :].decode()
            yield right.lineno - 1, put

    for node in ast.walk(tree := ast.parse(text)):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                word = SIGNS[type(op)]
                yield from between(left, right, word, COMPARED[word])
            case ast.BoolOp(op=op, values=[left, right, *_]):
                word = "and" if isinstance(op, ast.And) else "or"
                yield from between(left, right, word, PAIRS[word])
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                yield from between(left, right, *("+-" if isinstance(op, ast.Add) else "-+"))
                if isinstance(right, ast.Constant):
                    yield from segment(node, ast.unparse(left))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield from segment(node, ast.unparse(operand))
            case ast.Constant(value=bool() as value):
                yield from segment(node, str(not value))
            case ast.Constant(value=int() as value):
                yield from segment(node, str(value + 1))
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in PAIRS and arguments:
                yield from segment(node.func, PAIRS[name])
            case (
                ast.FunctionDef(args=ast.arguments(args=arguments))
                | ast.AsyncFunctionDef(args=ast.arguments(args=arguments))
            ):
                yield from _other_names(node, arguments, segment)
            case _:
                pass
    yield from _removed(tree, lines)


def _other_names(
    function: ast.AST, arguments: list[ast.arg], segment: Callable[[ast.expr, str], Iterator[tuple[int, str]]]
) -> Iterator[tuple[int, str]]:
    """An argument stands where another of the same type is meant."""
    kinds = {one.arg: ast.unparse(one.annotation) for one in arguments if one.annotation is not None}
    kinds = {name: kind for name, kind in kinds.items() if kind not in ("Any", "Record")}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in kinds:
            for other, kind in kinds.items():
                if other != node.id and kind == kinds[node.id]:
                    yield from segment(node, other)
        elif isinstance(node, ast.Call):
            for one, other_one in pairwise(node.args):
                names = (ast.unparse(one), ast.unparse(other_one))
                if len({kinds.get(name, name) for name in names}) == 1:
                    left, right = names
                    swapped = ast.unparse(node).replace(f"{left}, {right}", f"{right}, {left}")
                    yield from segment(node, swapped)


def _removed(tree: ast.AST, lines: list[str]) -> Iterator[tuple[int, str]]:
    """A statement of one line is forgotten."""
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            found = getattr(node, name, None)
            block: list[ast.stmt] = found if isinstance(found, list) else []
            for statement in block:
                simple = isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant)
                stored = isinstance(statement, ast.Assign) and not isinstance(statement.targets[0], ast.Name)
                leaves = isinstance(statement, (ast.AugAssign, ast.Continue, ast.Break))
                if (simple or stored or leaves) and statement.lineno == statement.end_lineno:
                    indent = " " * statement.col_offset
                    yield statement.lineno - 1, "" if len(block) > 1 else f"{indent}pass\n"


SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip

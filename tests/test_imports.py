"""Dependencies point one way: core <- games <- bots <- lab, server <- cli."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import ziggurat

PACKAGE = Path(ziggurat.__file__).parent

# What each part may import of ours, besides itself.
ALLOWED: dict[str, set[str]] = {
    "version": set(),
    "core": {"version"},
    "games": {"core"},
    "bots": {"core"},
    "testing": {"core", "bots"},
    "vector": {"core"},
    "lab": {"core", "bots", "testing", "vector"},
    "rl": {"core", "bots", "vector"},
    "remote": {"core", "bots"},
    "mcp": {"core", "bots", "remote"},
    "server": {"core", "bots"},
    "cli": {"core", "bots", "lab", "mcp", "remote", "server", "testing"},
}
# The floors of the server, from the ground up: each may stand on those before it. A feature stands on all of them, in a
# folder of its own, and knows no other one. What lies outside puts them together, but for the ground, which everybody
# may use.
FLOORS = ("domain", "store", "services", "api", "live")
GROUND = {
    "feature",
    "verdict",
    "words",
    "logs",
    "problems",
    "settings",
    "address_hash",
    "alarms",
    "counters",
    "heap",
    "siblings",
}
# The public face of the package, which stands on core alone: for everything that stands on core as well.
FACE = {"bots", "lab", "mcp", "remote", "rl", "server", "cli", "testing", "vector"}
# Where games are looked for, whichever there are.
DISCOVERY = {"__init__.py", "core/registry.py"}


def modules() -> Iterator[Path]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if "static" not in path.relative_to(PACKAGE).parts:
            yield path


def part_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


@cache
def tree_of(text: str) -> ast.Module:
    """A file as it is read, once for all tests."""
    return ast.parse(text)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All that stands in a file but expressions, in which nothing is imported: they are most of it."""
    for part in ast.iter_child_nodes(tree):
        if not isinstance(part, ast.expr):
            yield part
            yield from statements(part)


@cache
def imports(text: str) -> list[str]:
    """Every module of ours that is imported anywhere in a file, in functions too."""
    found: list[str] = []
    for node in ast.walk(tree_of(text)) if "import_module" in text else statements(tree_of(text)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names if alias.name.split(".")[0] == "ziggurat")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            if node.module == "ziggurat":  # each name may be a part of the package
                found += (f"ziggurat.{alias.name}" for alias in node.names)
            elif node.module and node.module.startswith("ziggurat."):
                found.append(node.module)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module":
            found += re.findall(r"ziggurat\.\w+(?:\.\w+)*", ast.unparse(node.args[0]))
    return found


def wrong_imports(path: Path, text: str) -> list[str]:
    """The imports of a file that point the wrong way."""
    part, place = part_of(path), path.relative_to(PACKAGE).as_posix()
    found = [name for name in imports(text) if place not in DISCOVERY or name != "ziggurat.games"]
    if part == "__init__":
        return [name for name in found if not name.startswith(("ziggurat.core", "ziggurat.version"))]
    if part == "__main__":
        part = "cli"
    wrong = []
    for name in found:
        target = name.split(".")[1] if "." in name else ""
        if not (PACKAGE / (target or "no folder")).is_dir() and not (PACKAGE / f"{target}.py").exists():
            # The face: `import ziggurat`, `from ziggurat import Position`.
            if part not in FACE:
                wrong.append(name)
        elif target == part == "games":
            home = path.relative_to(PACKAGE / "games").parts[0]
            if name.split(".")[2:3] != [home]:
                wrong.append(name)  # a game does not know another one
        elif target != part and target not in ALLOWED[part]:
            wrong.append(name)
    return wrong


def wrong_floors(path: Path, text: str) -> list[str]:
    """The imports of a file of the server that point up: from domain to services, from a floor to a feature; or aside,
    from one feature to another."""
    place = path.relative_to(PACKAGE / "server").with_suffix("").parts
    floor = place[0]
    ours = [name.split(".") for name in imports(text) if name.split(".")[1:2] == ["server"]]
    if floor == "features":
        below, own = {*FLOORS, *GROUND, "assembly"}, place[1]
    elif floor in FLOORS:
        below, own = {*FLOORS[: FLOORS.index(floor) + 1], *GROUND}, ""
    elif floor in GROUND - {"feature"}:  # which finds features, and names types alone
        below, own = GROUND, ""
    else:
        return []
    return [".".join(name) for name in ours if not {*name[2:3]} & below and name[2:4] != ["features", own]]


Check = Callable[[Path, str], list[str]]


def wrong(paths: Iterator[Path], check: Check) -> dict[str, list[str]]:
    """What a check finds in which files."""
    found = {str(path.relative_to(PACKAGE)): check(path, path.read_text(encoding="utf-8")) for path in paths}
    assert len(found) > 100
    return {place: names for place, names in found.items() if names}


def missed(check: Check, lines: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Of lines, by the file in which they would stand, those that a check does not find wrong."""
    return [(file, line) for file, some in lines.items() for line in some if not check(PACKAGE / file, line)]


def test_imports_point_one_way() -> None:
    assert wrong(modules(), wrong_imports) == {}


def test_the_floors_of_the_server_stand_on_those_below() -> None:
    assert wrong((path for path in modules() if part_of(path) == "server"), wrong_floors) == {}


@cache
def needed(module: str, text: str, known: frozenset[str]) -> frozenset[str]:
    """The modules that a module imports anywhere, but for its types."""
    found: set[str] = set()

    def walk(node: ast.AST) -> None:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                continue
            if isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING":
                continue
            if isinstance(part, ast.Import):
                found.update(alias.name for alias in part.names)
            elif isinstance(part, ast.ImportFrom) and part.module:
                names = [f"{part.module}.{alias.name}" for alias in part.names]
                found.update(name if name in known else part.module or "" for name in names)
            walk(part)

    walk(tree_of(text))
    return (known & found) - {module}


def circle(modules: Mapping[str, str]) -> list[str]:
    """Modules that import each other in a ring, the first one last again; nothing: there is none."""
    known = frozenset(modules)
    graph = {module: needed(module, text, known) for module, text in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def texts() -> dict[str, str]:
    found = {}
    for path in modules():
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text(encoding="utf-8")
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    """In functions neither: who reads one of them would have to know all."""
    assert circle(texts()) == []


def test_a_circle_is_found() -> None:
    planted = {**texts(), "ziggurat.version": "def late():\n    from ziggurat.core import versions"}
    assert {"ziggurat.version", "ziggurat.core.versions"} <= {*circle(planted)}
    typed = "if TYPE_CHECKING:\n    from ziggurat.core import versions"
    assert circle({**texts(), "ziggurat.version": typed}) == []


def test_only_the_terminal_board_of_a_game_needs_a_terminal() -> None:
    """A server or a simulation never loads it."""
    needs = re.compile(r"^\s*(from|import) (rich|click)\b|\bimport .*\bterminal\b", re.MULTILINE)
    others = (path for path in modules() if part_of(path) == "games" and path.name != "terminal.py")
    assert [str(path.relative_to(PACKAGE)) for path in others if needs.search(path.read_text(encoding="utf-8"))] == []


def test_an_import_in_the_wrong_direction_is_found() -> None:
    lines = {
        "core/new.py": [
            "from ziggurat.games.alhambra import GAME",
            "import ziggurat",
            "def late():\n    import ziggurat.bots",
            "importlib.import_module('ziggurat.server.app')",
        ],
        "games/alhambra/new.py": [
            "from ziggurat.bots import decide",
            "from ziggurat import bots",
            "from ziggurat import Position",
            "from ziggurat.games.babel import rules",
            "import ziggurat.server",
        ],
        "bots/new.py": ["from ziggurat.lab import simulate"],
        "server/new.py": ["from ziggurat.cli import main", "from ziggurat.games.alhambra import view"],
        "lab/new.py": ["from ziggurat.server import app"],
        "__init__.py": ["from ziggurat.bots import decide"],
    }
    assert missed(wrong_imports, lines) == []
    right = {
        "core/new.py": ["from ziggurat.version import __version__", "from ziggurat.core.game import Game"],
        "games/alhambra/new.py": [
            "from ziggurat.core.kernel import kernel",
            "from ziggurat.games.alhambra import rules",
        ],
        "server/new.py": ["import ziggurat", "from ziggurat import Position", "from ziggurat.bots import decide"],
        "cli/new.py": ["from ziggurat.server.serve import serve", "from ziggurat.lab import simulate"],
    }
    assert len(missed(wrong_imports, right)) == sum(map(len, right.values()))


def test_an_import_of_a_floor_above_is_found() -> None:
    lines = {
        "domain/new.py": [
            "from ziggurat.server.services.table_service import TableService",
            "from ziggurat.server.api.schemas import TableInfo",
            "def late():\n    from ziggurat.server.store import log",
            "from ziggurat.server.app import create_app",
        ],
        "store/new.py": ["from ziggurat.server.api import schemas", "from ziggurat.server.services.bus import Bus"],
        "services/new.py": ["from ziggurat.server.live.hub import Hub"],
        "api/new.py": ["from ziggurat.server.live.messages import Move"],
        "live/new.py": ["from ziggurat.server import run"],
        "problems.py": ["from ziggurat.server.domain.table import Table"],
        "store/more.py": [
            "from ziggurat.server.features.talk import rows",
            "from ziggurat.server.features import talk",
        ],
        "features/talk/new.py": [
            "from ziggurat.server.features.daily import rows",
            "from ziggurat.server.app import create_app",
        ],
    }
    right = {
        "domain/new.py": [
            "from ziggurat.server.domain import rules_gateway",
            "from ziggurat.server.problems import Problem",
        ],
        "live/new.py": ["from ziggurat.server.api import schemas", "from ziggurat.server.services.bus import Bus"],
        "features/talk/new.py": [
            "from ziggurat.server.features.talk import rows",
            "from ziggurat.server.live.hub import Hub",
        ],
        "app.py": ["from ziggurat.server.live.hub import Hub", "from ziggurat.server.services.bots import Bots"],
    }
    wrong_lines, right_lines = ({f"server/{file}": some for file, some in one.items()} for one in (lines, right))
    assert missed(wrong_floors, wrong_lines) == []
    assert len(missed(wrong_floors, right_lines)) == sum(map(len, right.values()))

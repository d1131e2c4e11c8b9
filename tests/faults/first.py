"""A plugin of pytest for runs with a fault: which tests, in which order, and which of them failed.

It reads and writes the files that `tests.faults.tree` names in the environment: not as `ZIGGURAT_...`, since a server
refuses to start with a setting that it does not know, and then every test of a server fails, with a fault or without.
Rules that a fault is in are not compiled for it, which would take longer than all tests that are near: they run as
plain Python.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

ASKED = "FAULTS_ASKED"
"""A file: the tests to run (all where there are none), those to leave out, files, nearest first, and in which
files there are faults, so that what they are in is not compiled."""
FAILED = "FAULTS_FAILED"
"""A file that gets a line for each test that fails, and each file that cannot be read."""
ROOT = Path(__file__).parents[2]


def _asked() -> Any:
    return json.loads(Path(os.environ[ASKED]).read_text())


def pytest_configure() -> None:
    planted = [ROOT / file for file in _asked()["planted"]]
    if not planted:
        return
    from ziggurat.core.runtime import PLAYING, Runtime

    prepare = Runtime.prepare

    def load(self: Runtime, progress: Any = None, cache: Path | None = None) -> None:
        """Compile what no fault is in, as ever; of the rest the rules of tables run as plain Python."""
        sources = self.program.sources(self.game)
        if not any(file in sources or (file.suffix == ".toml" and self.game.id in file.parts) for file in planted):
            prepare(self, progress, cache)
        elif self.program is not PLAYING:
            pytest.skip(f"{self.program.name} of {self.game.id} would have to be compiled")

    Runtime.prepare = load  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    from tests.conftest import is_slow

    yield
    asked = _asked()
    only, never = set(asked["only"]), set(asked["never"])
    wanted = [item for item in items if item.nodeid not in never and (not only or item.nodeid in only)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(wanted)])
    turn = {path: place for place, path in enumerate(asked["order"])}
    items[:] = sorted(
        wanted, key=lambda item: (is_slow(item), turn.get(item.path.relative_to(ROOT).as_posix(), len(turn)))
    )


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note(report)


def _note(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.failed:
        with Path(os.environ[FAILED]).open("a") as file:
            file.write(report.nodeid + "\n")

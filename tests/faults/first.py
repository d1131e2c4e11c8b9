"""A plugin of pytest for runs with a fault: which tests, in which order, and which of them failed.

It reads and writes the files that `tests.faults.tree` names in the environment.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

ASKED = "ZIGGURAT_FAULTS_ASKED"
"""A file: the tests to run (all where there are none), those to leave out, and files, nearest first."""
FAILED = "ZIGGURAT_FAULTS_FAILED"
"""A file that gets a line for each test that fails, and each file that cannot be read."""
ROOT = Path(__file__).parents[2]


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    yield
    asked = json.loads(Path(os.environ[ASKED]).read_text())
    only, never = set(asked["only"]), set(asked["never"])
    wanted = [item for item in items if item.nodeid not in never and (not only or item.nodeid in only)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(wanted)])
    turn = {path: place for place, path in enumerate(asked["order"])}
    items[:] = sorted(wanted, key=lambda item: turn.get(item.path.relative_to(ROOT).as_posix(), len(turn)))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note(report)


def _note(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.failed:
        with Path(os.environ[FAILED]).open("a") as file:
            file.write(report.nodeid + "\n")

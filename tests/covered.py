"""Which modules the tests leave out most: the end of `./test --coverage`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SHOWN = 30


def least_covered() -> Iterator[str]:
    """A table of the modules of which most is left out, and all together; nothing where no lines are counted.

    What is counted ends here, in this process; all others have ended before.
    """
    if "coverage" not in sys.modules:
        return
    from coverage import Coverage

    running = Coverage.current()
    if running is None or "PYTEST_XDIST_WORKER" in os.environ:
        return
    running.stop()
    running.save()
    found = Coverage(config_file=str(ROOT / "pyproject.toml"))
    found.combine()
    yield from table([_counted(found, path) for path in sorted(found.get_data().measured_files())])


def _counted(found: Any, path: str) -> tuple[str, int, list[int]]:
    """A module: its path, how many lines it has that can run, and which of them did not."""
    _, statements, _, missing, _ = found.analysis2(path)
    file = Path(path)
    name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
    return name.as_posix(), len(statements), missing


def table(modules: list[tuple[str, int, list[int]]], shown: int = SHOWN) -> Iterator[str]:
    """Lines of text: the modules of which the smallest part is covered, and all together.

    Args:
        modules: the path of each, how many lines can run, and the numbers of those that did not.
        shown: how many modules are shown.
    """
    some = sorted((one for one in modules if one[2]), key=lambda one: (-len(one[2]) / one[1], -len(one[2]), one[0]))
    for name, lines, missing in some[:shown]:
        yield _line(lines, len(missing), f"  {name}")
    more = f", {len(some) - shown} more that are not all covered" if len(some) > shown else ""
    yield _line(sum(one[1] for one in modules), sum(len(one[2]) for one in modules), f", {len(modules)} modules{more}")
    yield "Kernels count where tests run them as plain Python: what compiled rules run is not seen."


def _line(lines: int, missing: int, what: str) -> str:
    """A row; the share is rounded down, so that 100 % is all of it."""
    return f"{100 * (lines - missing) // max(lines, 1):3} %  {missing:5} of {lines:5} lines left out{what}"

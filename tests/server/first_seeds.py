"""Find the seeds at which the simulations soonest come to what is planted in them.

    python -m tests.server.first_seeds order|people [NAME ...]

A change of the server makes other runs of the same seeds, and then the tests search. Where they have become slow, this
says from where they should.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest
from tests.server import test_order, test_people

ENOUGH = 0.5
"""Seconds of the processor after which a fault that is found is found soon."""
MOST = 240.0
"""Seconds of the processor for each fault."""
FINDS = 4
"""Runs that find it, of which the quickest is taken."""


def soonest(finds: Callable[[int], bool]) -> tuple[int, float] | None:
    """Return a seed that finds a fault, and the seconds it takes; of the first few that do, the quickest."""
    found: list[tuple[float, int]] = []
    begun = time.process_time()
    for seed in count(1):
        before = time.process_time()
        if finds(seed):
            found.append((time.process_time() - before, seed))
            if min(found)[0] < ENOUGH or len(found) == FINDS:
                break
        if time.process_time() - begun > MOST:
            break
    return (min(found)[1], min(found)[0]) if found else None


def main() -> None:
    """Say the seed for each planted fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", choices=("order", "people"))
    parser.add_argument("name", nargs="*", help="of what is planted (default: all)")
    wish = parser.parse_args()
    planted: Any = {"order": test_order, "people": test_people}[wish.which]
    for wrong, kind, first in planted.WRONG:
        if wish.name and wrong.__name__ not in wish.name:
            continue
        with pytest.MonkeyPatch.context() as patch:
            wrong(patch)
            best = soonest(partial(planted.finds, kinds=kind))
        said = "not found" if best is None else f"{best[0]} ({best[1]:.1f} s)"
        print(f"{wrong.__name__}: {first} -> {said}", flush=True)


if __name__ == "__main__":
    main()

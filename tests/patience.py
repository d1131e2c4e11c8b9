"""How long a test waits for what must come: the slower the machine is found to be at the start, the longer."""

from __future__ import annotations

import os
import time
from statistics import median

SLOWNESS_NAME = "ZIGGURAT_TEST_SLOWNESS"
"""Where the first process of a run says it to the others."""
USUAL_S = 0.025
"""What the loop takes on a processor of two that do little else."""
SLOWEST = 10.0


def measured() -> float:
    """How many times as long a loop takes as usual, other programs that run included: 1 to `SLOWEST`."""

    def loop() -> float:
        began, total = time.perf_counter(), 0
        for number in range(300_000):
            total += number & 3
        return time.perf_counter() - began

    return min(max(median(loop() for _ in range(5)) / USUAL_S, 1.0), SLOWEST)


SLOWNESS = float(os.environ.setdefault(SLOWNESS_NAME, f"{measured():.2f}"))


def patience(seconds: float) -> float:
    """So many seconds on a usual machine."""
    return seconds * SLOWNESS

"""Memory that is free in the middle of the heap goes back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """
from ziggurat.server import heap
from ziggurat.server.counters import _memory
heap.share()
pieces = [bytearray(2000) for _ in range(40_000)]
kept = pieces[::20]
full = _memory()
del pieces
freed = _memory()
heap.trim()
print(full - freed < 20e6, freed - _memory() > 40e6, len(kept))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator")
def test_what_is_free_in_the_middle_is_given_back() -> None:
    said = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True).stdout
    assert said == "True True 2000\n"

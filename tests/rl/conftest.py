"""What the tests of an adapter share."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture
def advice_counts() -> Iterator[None]:
    """Advice counts as a mistake; what PettingZoo logs is not printed."""
    from pettingzoo.utils.env_logger import EnvLogger

    EnvLogger.suppress_output()
    EnvLogger.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Said of every game but its own whose observations are dictionaries.
        for advice in ("Observation is not a NumPy array", "Observation space for each agent probably should be"):
            warnings.filterwarnings("ignore", advice)
        yield
    EnvLogger.unsuppress_output()

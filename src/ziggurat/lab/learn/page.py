"""How far learning is, as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ziggurat.lab.learn.learner import Learner


def write_page(learner: Learner) -> None:
    """Write ``index.html``."""

"""Shared parts of the kernels that write the network's inputs."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel


@kernel
def next_round(s: Record) -> int:
    """The scoring that comes next: 0 for A, 1 for B, 2 for C."""
    if s.scored & 1 == 0:
        return 0
    return 2 if s.scored & 2 else 1


@kernel
def kind_of_place(place: int, tied: int) -> int:
    """The category of a place in a majority, by its index among PLACES."""
    if place <= 1:
        return place if tied < 2 else 2 * place
    return 3 if place == 2 else 4

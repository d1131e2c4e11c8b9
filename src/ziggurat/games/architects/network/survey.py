"""Shared parts of the kernels that write the network's inputs, and what is computed once for all, among ``out.values``,
when the table's are written."""

from __future__ import annotations

from ziggurat.core.kernel import kernel
from ziggurat.games.architects.gains import COUNT

# Places among ``out.values``, behind the kinds of cards, by seat.
POINTS = 64  # if the game ended now
UNITS = 72  # that its wonder still needs


@kernel
def share(total: int, field: int, inverse: int) -> int:
    """The share of a deck in per cent, of which ``inverse`` is 100 << 16 over its cards."""
    return (total >> field & COUNT) * inverse >> 16

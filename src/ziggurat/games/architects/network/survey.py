"""What several kernels tell alike."""

from __future__ import annotations

from ziggurat.core.kernel import kernel
from ziggurat.games.architects.gains import (
    COUNT,
)


@kernel
def share(total: int, field: int, inverse: int) -> int:
    """Per cent of a deck, of which ``inverse`` is 100 << 16 over its cards."""
    return (total >> field & COUNT) * inverse >> 16

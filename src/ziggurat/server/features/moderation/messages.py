"""What hosts say, on the socket of a table."""

from __future__ import annotations

import msgspec


class HouseNews(msgspec.Struct, tag="house"):
    """Hosts of the service say something else than before: `GET /api/house` tells it."""

"""The operators' messages on the socket of a table."""

from __future__ import annotations

import msgspec


class HouseNews(msgspec.Struct, tag="house"):
    """The operators' messages have changed: `GET /api/house` returns them."""

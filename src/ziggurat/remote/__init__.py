"""A client of a running server, for programs with a token (docs/programs.md)."""

from __future__ import annotations

from ziggurat.remote.bridge import Bridge
from ziggurat.remote.client import ServerAway, ServerRefused, TableServer, TokenRefused, read_token

__all__ = ["Bridge", "ServerAway", "ServerRefused", "TableServer", "TokenRefused", "read_token"]

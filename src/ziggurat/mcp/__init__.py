"""The games for language models: a server of the Model Context Protocol (docs/mcp.md).

A program that speaks it begins games, sees what its seats see, acts, and asks what pieces are. Needs the extra ``mcp``.
"""

from __future__ import annotations

from ziggurat.mcp.remote_tables import RemoteTables, remote_mcp_server
from ziggurat.mcp.tables import McpTable, McpTables
from ziggurat.mcp.tools import mcp_server

__all__ = ["McpTable", "McpTables", "RemoteTables", "mcp_server", "remote_mcp_server"]

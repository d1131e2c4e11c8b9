"""The sockets of tables: the messages of pages, and the snapshots and deltas that the server sends."""

"""The sockets: what a page says at a table, and what it is told."""

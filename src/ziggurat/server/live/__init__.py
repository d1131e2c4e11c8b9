"""The sockets: the messages of a page at a table, and what the server sends to it."""

"""Notes of one's own at a table."""

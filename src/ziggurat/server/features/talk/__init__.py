"""Talk at a table, and reports of it."""

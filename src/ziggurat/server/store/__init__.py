"""Where tables and people are kept: SQLite in a folder, or PostgreSQL behind a URL."""

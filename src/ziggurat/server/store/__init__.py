"""The storage of tables and people: SQLite in a folder, or PostgreSQL behind a URL."""

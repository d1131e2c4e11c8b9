"""Background and shared services: keep tables, spread changes, search, notify, compile."""

"""Shared services: tables, the bus, search, notifications, compilation, and what runs in the background."""

"""Copies of the database, and which of them is the original."""

"""Moves that are written ahead at tables by days."""

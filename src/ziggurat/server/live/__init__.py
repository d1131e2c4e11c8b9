"""Telling people what happened, at once."""

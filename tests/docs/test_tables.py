"""The tables of actions and events in the documentation are those of the declarations."""

from __future__ import annotations

from tests.docs.pages import script


def test_the_tables_are_as_declared() -> None:
    """When this fails: .venv/bin/python scripts/tables.py"""
    assert script("tables").stale() == []

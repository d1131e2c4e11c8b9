"""What a browser is told of a table: what lies open there, one's own hand, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.server.player import caught_up

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))
# What lies open on the table. A field that is new here must be public.
VIEW = {
    *("game", "players", "seat", "actors", "turn", "start", "finished", "winners", "neutral", "paying"),
    *("slots", "money", "building_deck", "money_deck", "discard", "discards", "rounds_scored", "owners"),
    *("kinds", "currencies", "take_limit"),
}
# The first cards are dealt openly; everything else happens in front of everybody anyway.
PUBLIC = {
    *("dealt", "start", "building_revealed", "money_revealed", "turn", "took", "bought", "again", "skipped", "gave"),
    *("reshuffled", "scoring_card", "scored", "round_scored", "neutral_drew"),
}


def told(file: Path) -> list[dict[str, Any]]:
    """All states of a recording, one after the other."""
    last: dict[str, Any] = {}
    found = []
    for line in json.loads(file.read_text(encoding="utf-8")):
        for message in line.get("hears", ()):
            now = caught_up(message, last)
            if now["type"] == "update":
                last = now
                found.append(now)
    return found


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_no_state_holds_what_its_reader_must_not_know(file: Path) -> None:
    for state in told(file):
        assert state["table"]["you"] == 0
        assert set(state["view"]) == VIEW
        # The piles are numbers, and nothing else.
        assert all(isinstance(state["view"][pile], int) for pile in ("building_deck", "money_deck", "discard"))
        for owner in state["view"]["owners"]:
            assert (owner["hand"] is not None) == (owner["seat"] == 0), owner
        for event in state["events"]:
            assert event["type"] in PUBLIC, event


def test_what_everybody_has_seen_is_told_where_it_is_remembered_alone() -> None:
    known = {
        file.stem: [owner["known"] for state in told(file) for owner in state["view"]["owners"]] for file in RECORDED
    }
    assert all(len(cards) for cards in known.pop("remembered"))
    assert sum(map(len, known.values())) > 20
    assert all(cards is None for one in known.values() for cards in one)

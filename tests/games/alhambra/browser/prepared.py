"""Tables of Alhambra at which something has happened already."""

from __future__ import annotations

from tests.server.player import Live


def late_in_the_game(live: Live) -> bool:
    """After the first scoring, on turn, with something to buy and something too dear."""
    kinds = [choice["type"] for choice in live.legal]
    refused = [refusal["choice"]["type"] for refusal in live.state["decision"]["refusals"]]
    return bool(live.state["view"]["rounds_scored"]) and "buy" in kinds and "buy" in refused

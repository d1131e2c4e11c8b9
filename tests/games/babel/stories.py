"""What happens at tables of the game, as the page's tests are told it."""

from __future__ import annotations

from tests.server.recorded import Story, scene

GAME = "babel"

STORIES: dict[str, Story] = {
    "turn": scene(GAME, "turn", "choose zeus 1"),
    "offering": scene(GAME, "offering", "lay camel > lay camel > commit"),
    "selecting": scene(GAME, "selecting", "accept 2"),
    "exchanging": scene(GAME, "exchanging", "exchange > lay camel > exchange_cards"),
}

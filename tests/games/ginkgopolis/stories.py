"""What happens at tables of the game, as the page's tests are told it."""

from __future__ import annotations

from tests.server.recorded import Story, scene

GAME = "ginkgopolis"

STORIES: dict[str, Story] = {
    "drafting": scene(GAME, "drafting", "pick yellow exploit"),
    "marker": scene(GAME, "marker", "move north"),
    "shift": scene(GAME, "shift", "shift before"),
    "returning": scene(GAME, "returning", "give red 7 > give blue 14 > return", "Béla: done"),
    "playing": scene(
        *(GAME, "playing", "card blue 8 > tile red 16", "Béla: card blue 5 > alone", "new hand", "new hand")
    ),
    "secrets": scene(
        GAME, "secrets", "Béla: card B > tile blue 15", "card D > tile red 16", "move north", "Béla: move north"
    ),
    "lost": scene(GAME, "lost", "card red 5"),
    "alone": scene(GAME, "alone", "card red 5"),
}

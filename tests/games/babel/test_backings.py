"""What two worlds that look alike may tell apart, and what not."""

from __future__ import annotations

import pytest

import ziggurat
from ziggurat.core.seed import generator
from ziggurat.testing.noticed import told


@pytest.mark.usefixtures("interpreted")
def test_in_which_order_a_seat_drew_its_own_cards_is_no_secret() -> None:
    """Whoever passes draws at once and again at the end of the turn: two worlds that differ in the order of these
    cards lead to the same view, and the seat has seen which came first."""
    position = ziggurat.new("babel", 4, seed=11, options={"action_cards": "no"})
    seat, chance, found = position.actors[0], generator(11), 0
    while found < 5:
        one, other = position.copy(), position.redeal(seat, chance)
        events = []
        for world in (one, other):
            before = len(world.events_for(seat))
            world.play_all(seat, world.read_move("pass"))
            events.append(world.events_for(seat)[before:])
        if one.view(seat) == other.view(seat) and events[0] != events[1]:
            assert told(events[0]) == told(events[1])
            found += 1

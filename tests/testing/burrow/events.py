"""What happens in Burrow."""

from __future__ import annotations

from tests.testing.burrow.choices import ANIMALS

from ziggurat.core.events import Events, points_by_seat, word

animal = word(ANIMALS, first=1)

EVENTS = Events()
STARTED = EVENTS.add("started", "-")
ROLLED = EVENTS.add("rolled", "who rolls", one=int, other=int, points=int)
PEEKED = EVENTS.add("peeked", "who peeks")
SAW = EVENTS.add("saw", "who peeks", private=True, animal=animal)
KEPT = EVENTS.add("kept", "who buries nothing")
BURIED = EVENTS.add("buried", "who buries")
SHOWED = EVENTS.add("showed", "who shows", animal=animal, points=int)
DREW = EVENTS.add("drew", "who draws", private=True, animal=animal)
COUNTED = EVENTS.add("counted", "whose rabbits", rabbits=int, points=int)
FINISHED = EVENTS.add("finished", "-")
# By leaks alone.
TOLD = EVENTS.add("told", "whose", animal=animal)
GAINED = EVENTS.add("gained", "who", private=True, points=int)

scores_from_events = points_by_seat

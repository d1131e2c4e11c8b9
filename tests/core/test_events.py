"""What the events of a log add up to."""

from __future__ import annotations

from ziggurat.core.events import points_by_seat, seats, word
from ziggurat.core.trace import Event


def test_points_are_added_up_for_those_whom_events_name() -> None:
    log = [
        Event("scored", 1, {"points": 3}),
        Event("took", 1, {"cards": ["mole"]}),
        Event("round", None, {"points": [9, 9, 9]}),
        Event("scored", 0, {"points": 2}),
        Event("lost", 1, {"points": -1}),
    ]
    assert points_by_seat(log, 3) == [2, 2, 0]


def test_a_number_is_a_word() -> None:
    assert [word(("hare", "mole"))(number) for number in (0, 1)] == ["hare", "mole"]
    assert word(("hare", "mole"), first=1)(1) == "hare"


def test_a_mask_names_seats() -> None:
    assert seats(0b1010) == [1, 3]
    assert seats(0) == []

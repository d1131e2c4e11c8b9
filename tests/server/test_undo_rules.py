"""When a move may be taken back, whoever is there: the domain alone, without a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import pytest
from tests.example import EXAMPLE, first_move
from tests.server.shown import Shown, saying

from ziggurat.server.domain.bounds import CHANGE_BOUNDS, Bound
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import move, play_bot
from ziggurat.server.domain.ownership import forget
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import ChangeSeat, Join, change_seat, come_back, join, leave
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import agree_to_substitute, gone_for
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.undo import answer, can_undo, undo
from ziggurat.server.problems import Problem

ANN, BOB = Person("a", "Ann", "en"), Person("b", "Bob", "en")


def whole_move(table: Table, seat: int) -> tuple[int, ...]:
    """A move of the seat that is to move."""
    assert table.position is not None
    return first_move(table.position, seat)


def two(before: int = 0) -> tuple[Table, int, int]:
    """A game of two people, the seat that is to move and the other; Bob came and left so many times before it."""
    table = create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")]), ANN)
    wish = Join(table.invite or "", "Bob")
    for _ in range(before):
        table = leave(join(table, wish, BOB), BOB.id)
    table = start(join(table, wish, BOB))
    return table, table.actors[0], 1 - table.actors[0]


def moved(table: Table, seat: int, id: str = "m") -> Table:
    return move(table, seat, id, table.seq, whole_move(table, seat))


def person(table: Table, seat: int) -> str:
    return str(table.seats[seat].person)


def gone(seconds: float) -> Callable[[int], float]:
    """Everybody has been without a connection for so long."""
    return lambda seat: seconds


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    return saying(monkeypatch)


def test_what_was_learnt_is_not_taken_back_because_nobody_looks(shown: Shown) -> None:
    table, mover, other = two()
    after = shown(moved(table, mover), nothing=False)
    with pytest.raises(Problem, match="the others have to agree"):
        undo(after, mover, "u", ask=False)
    asked = undo(after, mover, "u")
    assert asked.undo is not None
    assert can_undo(answer(asked, other, "n", agree=False), mover) == "ask", "what it showed is known by then"
    away = leave(after, person(after, other))
    stood_in = agree_to_substitute(after, mover, "s", other, absent_for=gone(300))
    assert stood_in.seats[other].bot
    for nobody in (away, stood_in):
        with pytest.raises(Problem, match="nobody is here who could agree"):
            undo(nobody, mover, "u")
    while mover in stood_in.actors:
        stood_in = moved(stood_in, mover, f"m{stood_in.seq}")
    stood_in = play_bot(stood_in, other, stood_in.seats[other].bot, stood_in.seq, whole_move(stood_in, other))
    assert can_undo(stood_in, mover) is None, "somebody has moved since, and nobody could agree"


def test_what_showed_nothing_is_taken_back_whoever_looks(shown: Shown) -> None:
    table, mover, other = two()
    after = shown(moved(table, mover), nothing=True)
    for now in (after, leave(after, person(after, other))):
        assert can_undo(now, mover) == "free"
        assert undo(now, mover, "u", ask=False).changes[-1].kind == "undo"


def test_somebody_is_gone_after_the_patience_of_the_table() -> None:
    table, mover, other = two()
    with pytest.raises(Problem) as told:
        agree_to_substitute(table, mover, "s", other, absent_for=gone(299.5))
    assert told.value.code == "not_gone_long"
    assert told.value.args_["left"] == 1
    assert agree_to_substitute(table, mover, "s", other, absent_for=gone(300)).seats[other].bot
    left = leave(table, person(table, other))
    with pytest.raises(Problem, match="may be back"):
        agree_to_substitute(left, mover, "s", other, absent_for=gone(60))
    long_ago = tuple(replace(c, at=c.at - 301) if c.kind == "away" else c for c in left.changes)
    assert agree_to_substitute(replace(left, changes=long_ago), mover, "s", other, absent_for=gone(0)).seats[other].bot


@pytest.mark.parametrize("leaves", [leave, forget])
def test_whichever_way_somebody_goes_they_are_gone_since_then(leaves: Callable[[Table, str], Table]) -> None:
    table, _, other = two()
    left = leaves(table, person(table, other))
    assert left.seats[other].away
    assert gone_for(left, other, absent_for=500) < 60
    # Whoever left long ago is not there again because they are forgotten.
    long_ago = tuple(replace(c, at=c.at - 1000) for c in left.changes)
    assert 1000 <= gone_for(replace(left, changes=long_ago), other, absent_for=0) < 1060


def test_whoever_leaves_and_is_then_forgotten_is_gone_since_they_left() -> None:
    table, _, other = two()
    left = leave(table, person(table, other))
    left = replace(left, changes=tuple(replace(c, at=c.at - 1000) for c in left.changes))
    assert 1000 <= gone_for(forget(left, person(table, other)), other, absent_for=0) < 1060
    again = leave(come_back(left, person(table, other)), person(table, other))
    assert gone_for(again, other, absent_for=0) < 60


def test_who_is_back_may_ask_for_all_that_a_bot_played_in_their_name() -> None:
    table, mover, other = two()
    table = moved(table, mover)
    while mover in table.actors:
        table = moved(table, mover, f"m{table.seq}")
    table = agree_to_substitute(table, mover, "s", other, absent_for=gone(300))
    before = table.position
    played = 0
    while played < 2:
        seat = table.actors[0]
        if seat == other:
            table = play_bot(table, other, table.seats[other].bot, table.seq, whole_move(table, other))
            played += 1
        else:
            table = moved(table, mover, f"m{table.seq}")
    table = come_back(table, person(table, other))
    assert can_undo(table, other) == "ask"
    table = answer(undo(table, other, "u"), mover, "yes", agree=True)
    assert before is not None
    assert table.position is not None
    assert table.position.to_bytes() == before.to_bytes()
    assert answer(table, mover, "yes", agree=True) is table, "the same answer again is acknowledged"


def test_what_can_be_done_and_taken_back_has_an_end(monkeypatch: pytest.MonkeyPatch, shown: Shown) -> None:
    """For whoever does it; the others, and the game, go on."""
    for kind in ("away", "back", "undo"):
        monkeypatch.setitem(CHANGE_BOUNDS, kind, Bound(5))
    table, mover, other = two(before=4)
    tries = 0

    def refused(verb: Callable[[], Table]) -> bool:
        try:
            verb()
        except Problem as problem:
            return (problem.status, problem.code) == (409, "long_story")
        return False

    while not refused(partial(leave, table, person(table, other))):
        table = come_back(leave(table, person(table, other)), person(table, other))
        tries += 1
    assert tries == 5
    for _ in range(5):
        table = undo(shown(moved(table, mover, f"m{table.seq}"), nothing=True), mover, f"u{table.seq}")
    assert refused(partial(undo, shown(moved(table, mover), nothing=True), mover, "u"))
    asked = undo(shown(moved(table, mover, f"m{table.seq}"), nothing=False), mover, "u")
    assert answer(asked, other, "a", agree=False).undo is None, "who has done much still answers"


def test_seats_are_not_changed_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("join", "seat"):
        monkeypatch.setitem(CHANGE_BOUNDS, kind, Bound(3, "table"))
    table = create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")]), ANN)
    wish = Join(table.invite or "", "Bob")
    for _ in range(3):
        table = leave(join(table, wish, BOB), BOB.id)
    with pytest.raises(Problem, match="Very much"):
        join(table, wish, BOB)
    kinds: tuple[Literal["bot", "open"], ...] = ("bot", "open", "bot")
    for kind in kinds:
        table = change_seat(table, ChangeSeat(1, kind, "random" if kind == "bot" else None), ANN.id)
    with pytest.raises(Problem, match="Very much"):
        change_seat(table, ChangeSeat(1, "open"), ANN.id)
    assert start(table).status == "playing"

"""What is lent to games that do not say it themselves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest

from ziggurat.core import usual
from ziggurat.core.actions import Choice, IntRange, Space
from ziggurat.core.decision import About
from ziggurat.core.errors import NotationError, UnknownPiece
from ziggurat.core.events import Events, each, total
from ziggurat.core.kernel import is_kernel
from ziggurat.core.parts import Parts
from ziggurat.core.random import RNG
from ziggurat.core.record import ListRecord
from ziggurat.core.trace import OUT, Event, Phrase


class Pay(Choice, frozen=True, kw_only=True):
    type: Literal["pay"] = "pay"
    value: Annotated[int, IntRange(9, first=1)]


class Show(Choice, frozen=True, kw_only=True):
    type: Literal["show"] = "show"
    card: str


def space(*structs: type[Choice], notation: str | None = None) -> Space:
    found = Space("'pay 5'")
    for struct in structs:
        found.add(struct, notation)
    return found


def s(**fields: Any) -> Any:
    return SimpleNamespace(**{"players": 3, "finished": 0, "turn": 1, "score": [0, 0, 0], **fields})


def test_the_turn_says_who_decides_until_the_end() -> None:
    assert (usual.actors(s()), usual.actors(s(turn=0)), usual.actors(s(turn=0, finished=1))) == (2, 1, 0)
    assert not usual.concealed(s())


def test_scores_are_those_of_the_record_and_the_most_wins() -> None:
    out = ListRecord(OUT)
    assert usual.scores(s(score=[4, -2, 7, 9]), out) == 3
    assert out.values[:4] == [4, -2, 7, 0]
    for score, mask in (([4, 7, 7], 0b110), ([-3, -5, -4], 0b001), ([0, 0, 0], 0b111), ([1, 2, 3], 0b100)):
        assert usual.winners(s(score=score)) == mask


def test_nothing_is_dealt_anew_but_chance() -> None:
    rng: Any = ListRecord(RNG)
    record = s(rng=ListRecord(RNG))
    rng.used = 16
    before = list(record.rng.key)
    usual.redeal(record, 0, rng)
    assert list(record.rng.key) != before


def test_a_legal_action_is_suggested_at_random() -> None:
    def legal(s: Any, seat: int, out: Any) -> int:
        out.values[:3] = [4, 5, 6]
        return 3

    rng: Any = ListRecord(RNG)
    suggest = usual.at_random(legal)
    rng.used = 16
    assert is_kernel(suggest)
    assert {suggest(s(), 0, rng, ListRecord(OUT)) for _ in range(60)} == {4, 5, 6}


def test_rules_are_lent_where_the_record_has_their_fields() -> None:
    import numpy as np

    bare, full = np.dtype([("players", np.int8)]), np.dtype([(n, np.int8) for n in ("turn", "finished", "score")])
    assert set(usual.kernels(bare, {}, secret=True)) == {"concealed"}
    assert set(usual.kernels(bare, {}, secret=False)) == {"concealed", "redeal"}
    assert set(usual.kernels(full, {"legal": len}, secret=True)) == {
        *("concealed", "actors", "scores", "winners", "suggest")
    }
    assert "winners" not in usual.kernels(full, {"scores": len}, secret=True), "who knows what else counts"


def test_steps_are_written_and_read_one_after_the_other() -> None:
    pay = space(Pay)
    write, read = usual.write_move(usual.write_step(pay)), usual.read_move(pay)
    assert write(None, [0, 8]) == "pay 1; pay 9"
    assert read(None, 0, " pay 1;pay  9 ") == [0, 8]
    assert read(None, 0, "pay 3") == [2]
    with pytest.raises(NotationError, match="is no move"):
        read(None, 0, "pay 1; ")


def test_what_the_number_of_an_action_tells() -> None:
    assert usual.shown_by_numbers(space(Pay))
    assert not usual.shown_by_numbers(space(Pay, Show))
    assert usual.written_by_numbers(space(Pay, Show))
    assert not usual.written_by_numbers(space(Show, notation="show {card}"))


def test_points_are_those_that_parts_book() -> None:
    events = Events()
    won = events.add("won", "who", points=int)
    paid = events.add("paid", "who", cost=total(), to=int)
    same = events.add("paid", "who", cost=total(), to=int)
    found = events.add("found", "who", things=each(int))
    events.add("told", "who", points=int)
    parts = Parts(events)
    parts.points(won, "won")
    for code in (paid, same):
        parts.points(code, "paid", "cost", sign=-1)
        parts.points(code, "got", "cost", seat="to")
    parts.points(found, "found", "")
    parts.count(paid, "times")
    log = [
        Event("won", 0, {"points": 5}),
        Event("paid", 0, {"cost": 2, "to": 1}),
        Event("found", 2, {"things": [1]}),
        Event("told", 1, {"points": 9}),
        Event("won", None, {"points": 3}),
    ]
    assert usual.scores_from_events(parts)(log, 3) == [3, 2, 1]
    assert usual.scores_from_events(None)(log, 3) == [5, 9, 0]


def test_points_of_rows_that_go_on_are_for_the_game_to_add_up() -> None:
    events = Events()
    events.add("won", "who")
    parts = Parts(events)
    parts.points(events.more(points=int), "more")
    with pytest.raises(TypeError, match="rows that go on"):
        usual.scores_from_events(parts)


def test_pieces_are_those_that_words_name() -> None:
    words = {
        "what.ship.name": "a ship",
        "what.ship": "It sails.",
        "what.port.name": "a port",
        "what.synonyms.sea": "sea",
    }
    named = usual.named(words)
    assert named(None, None) == ["ship", "port"]
    about = usual.about(words, lambda s, values: ["ship 5", "port", "crane 2"])
    name = Phrase("what.ship.name", {"piece": "ship 5"})
    assert about(None, None, 0, "ship 5") == About("ship 5", name, [Phrase("what.ship", {"piece": "ship 5"})], [], "")
    assert about(None, None, 0, "port").what == []
    assert about(None, None, None, "crane 2").name == Phrase("ui.game.piece", {"piece": "crane 2"})
    with pytest.raises(UnknownPiece, match="one is named like 'ship 5'"):
        about(None, None, 0, "dragon")

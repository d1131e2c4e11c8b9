"""What is told anew, and what is left out because it was told before."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.example import SHORT

import ziggurat
from ziggurat.server.live.delta import (
    EncodedFields,
    EncodedView,
    SharedEncoding,
    changed,
    changes,
    encode,
    intern,
    whole,
)


def sheet(struct: msgspec.Struct, before: EncodedView | None = None) -> EncodedView:
    return EncodedView(SharedEncoding(struct, before.shared if before else None), {})


def read(raw: Any) -> Any:
    return msgspec.json.decode(bytes(raw))


class Card(msgspec.Struct):
    name: str
    worth: int
    held: list[int] = []


class Table(msgspec.Struct, rename={"from_": "from"}):
    from_: int
    cards: list[Card | None]
    names: dict[str, int]


BEFORE = Table(1, [Card("a", 1), Card("b", 2), None], {"x": 1})


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (Table(1, [Card("a", 1), Card("b", 2), None], {"x": 1}), {"fields": {}, "items": {}}),
        (Table(2, BEFORE.cards, BEFORE.names), {"fields": {"from": 2}, "items": {}}),
        (
            Table(1, [Card("a", 1), Card("b", 3), None], BEFORE.names),
            {"fields": {}, "items": {"cards": {"1": {"worth": 3}}}},
        ),
        (
            Table(1, [Card("a", 1), None, Card("c", 0)], BEFORE.names),
            {"fields": {}, "items": {"cards": {"1": None, "2": {"name": "c", "worth": 0, "held": []}}}},
        ),
        (
            Table(1, [Card("a", 1)], {}),
            {"fields": {"cards": [{"name": "a", "worth": 1, "held": []}], "names": {}}, "items": {}},
        ),
    ],
)
def test_only_what_changed_is_told(after: Table, told: Any) -> None:
    before = sheet(BEFORE)
    for now in (sheet(after), sheet(after, before)):
        assert read(whole(now)) == read(encode(after))
        news = read(changes(before, now))
        assert news == told
        assert changed(read(encode(BEFORE)), news) == read(encode(after))


def test_what_stays_the_same_is_not_kept_a_second_time() -> None:
    first = SharedEncoding(BEFORE)
    first.rest()
    second = SharedEncoding(Table(2, [Card("a", 1), Card("b", 3), None], {"x": 1}), first)
    cards, names = b'"cards":', b'"names":'
    assert second.fields[names] is first.fields[names]
    assert [new is old for new, old in zip(second.fields[cards], first.fields[cards], strict=True)] == [
        True,
        False,
        True,
    ]
    second.rest()
    own = second.own(Table(2, [Card("a", 1), Card("b", 4), None], {"x": 1}))
    assert own.keys() == {cards}
    assert [new is old for new, old in zip(own[cards], second.fields[cards], strict=True)] == [True, False, True]


class Faces(msgspec.Struct):
    faces: dict[str, Card]


def test_parts_by_name_are_kept_once_for_all_tables() -> None:
    mine, yours = Faces({"a": Card("a", 1), "b": Card("b", 2)}), Faces({"a": Card("a", 1)})
    one, other = sheet(mine), sheet(yours)
    faces = b'"faces":'
    assert one.shared.fields[faces][0] is other.shared.fields[faces][0]
    assert sheet(mine, other).shared.fields[faces][1] is one.shared.fields[faces][1]
    assert (read(whole(one)), read(whole(other))) == (read(encode(mine)), read(encode(yours)))
    told = {"fields": {"faces": read(encode(mine))["faces"]}, "items": {}}
    assert read(changes(other, one)) == told
    assert read(changes(other, sheet(mine, other))) == told
    assert read(changes(one, sheet(mine, one))) == {"fields": {}, "items": {}}
    changed_part = Faces({"a": Card("a", 1), "b": Card("b", 3)})
    assert read(changes(one, sheet(changed_part, one)))["fields"] == read(encode(changed_part)), "told whole"
    one.shared.rest()
    assert read(whole(sheet(changed_part, one))) == read(encode(changed_part))


def test_what_several_see_alike_is_kept_once() -> None:
    a, b = b"a" * 50, b"b" * 50
    seats: list[EncodedFields] = [{b'"x":': (a, b), b'"y":': b"1"}, {b'"x":': (bytes(bytearray(a)), b)}]
    intern(seats)
    assert seats == [{b'"x":': (a, b), b'"y":': b"1"}, {b'"x":': (a, b)}]
    assert seats[0][b'"x":'][0] is seats[1][b'"x":'][0]


def test_what_one_is_told_otherwise_than_everybody() -> None:
    """Own fields stand instead of those of everybody, before and after; nobody is told another's."""
    after = Table(1, [Card("a", 1), Card("b", 5), None], {"x": 2})
    mine, yours = Table(1, [Card("a", 1, [7]), Card("b", 2), None], {"x": 1}), Table(3, BEFORE.cards, BEFORE.names)
    then = SharedEncoding(BEFORE)
    now = SharedEncoding(after, then)
    rested = SharedEncoding(after, then)
    rested.rest()
    for seen, will in ((mine, Table(1, [Card("a", 1, [7, 8]), Card("b", 5), None], {"x": 2})), (yours, after)):
        old, new = EncodedView(then, then.own(seen)), EncodedView(now, now.own(will))
        assert read(whole(old)) == read(encode(seen))
        assert read(whole(new)) == read(encode(will))
        assert changed(read(encode(seen)), read(changes(old, new))) == read(encode(will))
        assert b"7" not in bytes(changes(EncodedView(then, {}), EncodedView(now, {})))
        # What was forgotten for rest makes no difference.
        late = EncodedView(rested, rested.own(will))
        assert read(whole(late)) == read(encode(will))
        assert changed(read(encode(seen)), read(changes(old, late))) == read(encode(will))
        back = SharedEncoding(BEFORE, rested)
        assert changed(read(encode(will)), read(changes(late, EncodedView(back, back.own(seen))))) == read(encode(seen))


def test_a_list_of_which_an_item_lost_a_field_is_told_whole() -> None:
    class Said(msgspec.Struct, omit_defaults=True):
        key: str = ""
        args: int = 0

    class Log(msgspec.Struct):
        said: list[Said]

    before, after = Log([Said("a", 1)]), Log([Said("a")])
    news = read(changes(sheet(before), sheet(after)))
    assert news == {"fields": {"said": [{"key": "a"}]}, "items": {}}
    assert changed(read(encode(before)), news) == read(encode(after))


@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), often=[SHORT]))
def test_a_whole_game_is_followed_by_what_changed(game: str) -> None:
    """Everybody, onlookers too, has at every moment what they would have been told whole."""
    chance = random.Random(game)
    position = ziggurat.new(game, players=ziggurat.game(game).max_players, seed=7)
    seats: list[int | None] = [None, *range(position.players)]
    told: dict[int | None, tuple[EncodedView, Any]] = {}
    shared: SharedEncoding | None = None
    saved = sent = 0
    while not position.finished:
        shared = SharedEncoding(position.view(None), shared)
        for seat in seats:
            view = position.view(seat)
            now, all_of_it = EncodedView(shared, shared.own(view)), encode(view)
            assert bytes(whole(now)) == all_of_it
            known = read(all_of_it)
            if seat in told:
                before, had = told[seat]
                news = bytes(changes(before, now))
                assert changed(had, read(news)) == known
                sent, saved = sent + len(news), saved + len(all_of_it)
            told[seat] = now, known
        seat = chance.choice(position.actors)
        position.play(seat, chance.choice(position.legal(seat)))
    assert sent < saved / 4

"""What is told anew, and what is left out because it was told before."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import ziggurat
from ziggurat.server.wire.sheets import Sheet, changed, changes, encode, sheet, whole


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
    news = read(changes(sheet(BEFORE), sheet(after)))
    assert news == told
    assert changed(read(encode(BEFORE)), news) == read(encode(after))


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


@pytest.mark.parametrize("game", ziggurat.games())
def test_a_whole_game_is_followed_by_what_changed(game: str) -> None:
    """Everybody, onlookers too, has at every moment what they would have been told whole."""
    chance = random.Random(game)
    position = ziggurat.new(game, players=ziggurat.game(game).max_players, seed=7)
    seats: list[int | None] = [None, *range(position.players)]
    told: dict[int | None, tuple[Sheet, Any]] = {}
    saved = sent = 0
    while not position.finished:
        public = position.view(None)
        common = sheet(public)
        for seat in seats:
            view = position.view(seat)
            now, all_of_it = sheet(view, public, common), encode(view)
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

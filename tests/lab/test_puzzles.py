"""Positions in which one move is clearly better: how they are found, and that those of the package are as they say."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.example import EXAMPLE, GAME

import ziggurat
from ziggurat.core.errors import FileError, UnfinishedMove, UnknownPuzzle
from ziggurat.core.puzzle import (
    MOST_MOVES,
    PUZZLES_FILE,
    Book,
    answers,
    book,
    pack,
    place_of,
    position_of,
    puzzle,
    unpack,
)
from ziggurat.core.seed import generator
from ziggurat.core.trace import Phrase
from ziggurat.lab import puzzles as lab

GAMES = sorted(name for name, game in ziggurat.registered_games().items() if (game.folder / PUZZLES_FILE).is_file())
SEED = bytes(32)


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    for game in GAMES:
        ziggurat.prepare(game)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games, and nearly everything is a puzzle: what is looked at is how they are kept."""
    monkeypatch.setattr(lab, "ELIMINATION_ROUNDS", ((10, 4, -1.0),))
    monkeypatch.setattr(lab, "PROOF_GAMES", 30)
    monkeypatch.setattr(lab, "VALUING_GAMES", 20)
    monkeypatch.setattr(lab, "LEAST_MARGIN", -1.0)
    monkeypatch.setattr(lab, "SEARCH_BUDGETS", ())
    monkeypatch.setattr(lab, "LOOKED_AT", 2)
    monkeypatch.setattr(lab, "reasons", lambda *_: [Phrase("why.wins")])


@pytest.mark.parametrize("game", GAMES)
def test_the_puzzles_of_the_package_are_what_they_say(game: str) -> None:
    found = ziggurat.game(game)
    assert len(found.folder.joinpath(PUZZLES_FILE).read_bytes()) <= 60_000
    all_of_them = [*book(found).values()]
    assert len(all_of_them) >= 150
    assert len({one.players for one in all_of_them}) > 1
    assert sum(one.usual != one.best for one in all_of_them) >= len(all_of_them) * 0.29
    for one in all_of_them[::12]:
        position = position_of(found, one)
        moves = answers(position, one.seat)
        assert one.seat in position.actors
        assert 3 <= len(moves) == len(one.costs) <= MOST_MOVES
        losses = sorted(cost.loss for cost in one.costs)
        assert losses[0] == 0 < losses[1], "one move is the best"
        assert [place_of(position, one, move) for move in moves] == [*range(len(moves))]
        assert one.why[0].key in ("why.wins", "why.ahead")
        # Everything that the seat does not see may be otherwise, and looks the same.
        other = position.redeal(one.seat, generator(1))
        assert other.view(one.seat) == position.view(one.seat)
        assert answers(other, one.seat) == moves


def test_a_book_of_other_rules_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.core.puzzle._books", {})
    monkeypatch.setattr("ziggurat.core.puzzle.unpack", lambda _: Book(GAME.id, "0", GAME.components.digest, []))
    assert book(GAME) == {}
    with pytest.raises(UnknownPuzzle, match="no puzzle 'abc'"):
        puzzle(GAME, "abc")


@pytest.mark.parametrize(
    "damaged",
    [
        lambda made: made[: len(made) // 2],
        lambda made: b"no archive",
        lambda made: b"",
        lambda made: lzma.compress(b"no book"),
        lambda made: lzma.compress(msgspec.msgpack.encode({"game": 1})),
    ],
    ids=["cut", "other", "empty", "no message", "no book"],
)
def test_a_damaged_book_says_so_in_a_line(damaged: Callable[[bytes], bytes]) -> None:
    with pytest.raises(FileError, match=r"puzzles\.xz is damaged, or no book of puzzles"):
        unpack(damaged(pack(Book(EXAMPLE, "1", "", []))))


def test_a_book_of_another_record_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    made = unpack(GAME.folder.joinpath(PUZZLES_FILE).read_bytes())
    short = [replace(one, state=one.state[: GAME.size_without_options - 1]) for one in made.puzzles]
    monkeypatch.setattr("ziggurat.core.puzzle._books", {})
    monkeypatch.setattr("ziggurat.core.puzzle.unpack", lambda _: replace(made, puzzles=short))
    assert book(GAME) == {}


@pytest.mark.usefixtures("quick")
def test_a_search_that_was_interrupted_finds_the_same(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    seen: list[int] = []
    found = lab.gather(GAME, SEED, 2, whole, seen.append)
    assert sum(seen) == len(found) >= 2
    broken.write_bytes(whole.read_bytes()[: len(whole.read_bytes()) // 2])
    assert lab.gather(GAME, SEED, 2, broken, lambda _: None) == found
    assert broken.read_bytes() == whole.read_bytes()
    assert next(iter(lab.report(found, 10))).split(" ")[0] == str(len(found))
    made = Book(EXAMPLE, GAME.version, GAME.components.digest, lab.select(found, 4))
    assert unpack(pack(made)) == made
    assert len(made.puzzles) <= 4


def test_a_search_does_not_go_on_with_puzzles_of_another_record(tmp_path: Path) -> None:
    one = next(iter(book(GAME).values()))
    short = replace(one, state=one.state[: GAME.size_without_options - 1])
    names = [lab._key(lab._key(SEED.hex(), GAME.id, number).hex(), 0)[:4].hex() for number in range(2)]
    both = [replace(each, name=name) for each, name in zip((one, short), names, strict=True)]
    deals = [lab.Deal(number, 1, [lab.Found(each, 0.1, 0.01, "")]) for number, each in enumerate(both)]
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(deal) + b"\n" for deal in deals))
    before = file.read_bytes()
    with pytest.raises(FileError, match=f"line 2: .*not those of {GAME.id} now; begin another"):
        lab.gather(GAME, SEED, 1, file, lambda _: None)
    assert file.read_bytes() == before


def test_an_unfinished_move_has_no_place() -> None:
    one = next(one for one in book(GAME).values() if any(len(m) > 1 for m in answers(position_of(GAME, one), one.seat)))
    position = position_of(GAME, one)
    longer = next(move for move in answers(position, one.seat) if len(move) > 1)
    with pytest.raises(UnfinishedMove, match="not complete"):
        place_of(position, one, longer[:1])


def test_the_steps_of_an_answer_come_in_any_order() -> None:
    """As at a table: what a person laid last may come first by the rules."""
    tried = 0
    for one in book(GAME).values():
        position = position_of(GAME, one)
        for place, steps in enumerate(answers(position, one.seat)):
            other = [steps[0], *reversed(steps[1:-1]), steps[-1]]
            if other != steps and GAME.arrange(other) == steps:
                assert place_of(position, one, other) == place
                tried += 1
        if tried:
            return
    pytest.fail("no puzzle has a move whose steps have an order")

"""The file from which anybody computes levels again, and the command that does so."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import msgspec
import pytest
from benchmarks.clubs import club
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE
from tests.server.copied import done
from tests.server.migrated import lay

from ziggurat.server.domain.people import Person
from ziggurat.server.features.levels import rows
from ziggurat.server.features.levels.fit import CountedGame, PartShare, Side, fit
from ziggurat.server.features.levels.listing import ListedGame, WrongLine, _chained, checked, written
from ziggurat.server.features.levels.marks import Mark, marked
from ziggurat.server.features.levels.metre import metre_of
from ziggurat.server.settings import Settings
from ziggurat.server.store import people

METRE = metre_of(EXAMPLE)


@cache
def text() -> str:
    games = club(METRE, 6, 30, random.Random(2))[0]
    curves = fit(games, METRE)
    return written(games, curves, marked(games, curves, {}, 0), METRE)


def lines() -> list[str]:
    return text().splitlines()


def joined(some: list[str]) -> str:
    return "\n".join(some) + "\n"


def changed(at: int, change: Callable[[dict[str, object]], object]) -> str:
    """The file with one line changed."""
    some = lines()
    there = json.loads(some[at])
    change(there)
    some[at] = json.dumps(there)
    return joined(some)


def wrong(said: str) -> WrongLine:
    with pytest.raises(WrongLine) as refused:
        checked(said, metre_of)
    return refused.value


def test_the_levels_of_a_file_are_computed_again() -> None:
    metre, found = checked(text(), metre_of)
    assert metre == METRE
    assert len(found) == json.loads(lines()[0])["people"]
    assert "p00" not in text(), "names stay at home"


def test_a_game_that_was_left_out_changed_or_added_is_found_where_it_stands() -> None:
    assert wrong(changed(5, lambda line: line["sides"].reverse())).line == 6  # type: ignore[attr-defined]
    places = json.loads(lines()[3])["sides"]
    assert wrong(changed(3, lambda line: line.update(sides=[[places[-1][0], places[0][1]], *places[1:]]))).line == 4
    assert wrong(changed(9, lambda line: line.update(ended=line["ended"] + 1))).line == 10  # type: ignore[operator]
    without = [line for i, line in enumerate(lines()) if i != 7]
    assert wrong(joined(without)).line == 8, "the game after it stands there"
    less = json.loads(without[0]) | {"games": 29}
    assert wrong(joined([json.dumps(less), *without[1:]])).line == 8
    last = [line for i, line in enumerate(lines()) if i != 30]
    assert wrong(joined(last)).line == 31, "a person stands where the last game should be"
    twice = [*lines()[:8], lines()[7], *lines()[8:]]
    assert wrong(joined([json.dumps(json.loads(twice[0]) | {"games": 31}), *twice[1:]])).line == 9


def test_a_forger_who_makes_the_chain_anew_is_found_by_the_people() -> None:
    some = lines()
    chain = json.loads(some[4])["chain"]
    for at in range(5, 31):
        game = msgspec.json.decode(some[at], type=ListedGame)
        if at == 5:
            game.sides.reverse()
            game.sides[:] = [Side(place, side.shares) for place, side in enumerate(game.sides, 1)]
        game.chain = chain = _chained(game, chain)
        some[at] = msgspec.json.encode(game).decode()
    assert wrong(joined(some)).line > 31


def test_a_level_that_was_changed_is_found_with_its_line() -> None:
    for number in (31, len(lines()) - 2):
        for key in ("place", "sigma", "shown"):
            assert wrong(changed(number, lambda line, key=key: line.update({key: line[key] + 0.01}))).line == number + 1  # type: ignore[misc]


def test_what_is_said_to_be_kept_is_computed_again_too() -> None:
    def higher(line: dict[str, object]) -> None:
        line.update(kept=3000.0, shown=3000.0, upto=12)

    assert "kept" in str(wrong(changed(31, higher)))


def test_a_kept_place_that_is_true_is_accepted() -> None:
    def game(number: int, *who: str) -> CountedGame:
        sides = tuple(Side(place, (PartShare(one),)) for place, one in enumerate(who, 1))
        return CountedGame(f"g{number:03}", number * 86_400.0, 2, sides)

    games = [game(n, "bob", "bot:architect") for n in range(3)]
    games += [game(10 + n, "cat", "bob", "bot:builder") for n in range(6)]
    before = marked(games, fit(games, METRE), {}, 0)
    more = [*games, game(30, "cat", "bot:random", "bob")]
    curves = fit(more, METRE)
    marks = marked(more, curves, before, len(games))
    assert marks["cat"].place > curves["cat"].final.mean
    file = written(more, curves, marks, METRE)
    assert {line.shown for line in checked(file, metre_of)[1]} == {mark.place for mark in marks.values()}
    forged = marks | {"cat": Mark(marks["cat"].place + 1, 7, marks["cat"].place + 1, len(games))}
    assert "kept" in str(wrong(written(more, curves, forged, METRE)))


def test_a_file_that_was_cut_is_refused_where_it_ends() -> None:
    for many in (0, 1, 15, 31, len(lines()) - 1):
        assert wrong(joined(lines()[:many]) if many else "").line == many + 1
    assert wrong(text()[:2000]).line == text()[:2000].count("\n") + 1
    assert wrong(text() + "more\n").line == len(lines()) + 1


def test_a_file_of_other_ladders_or_another_fit_is_refused() -> None:
    assert "ladders" in str(wrong(changed(0, lambda line: line.update(metre="0123456789abcdef"))))
    assert "format" in str(wrong(changed(0, lambda line: line.update(format=0))))
    assert "fit" in str(wrong(changed(0, lambda line: line.update(fit=[0.5]))))
    assert "no game" in str(wrong(changed(0, lambda line: line.update(game="chess"))))


@pytest.mark.parametrize(
    "sides",
    [
        [[0, [["p1", 1]]]],
        [[1, []]],
        [[1, [["p1", 2]]]],
        [[1, [["p1", 1]]], [2, [["p1", 1]]]],
        [[1, [["bot:nobody", 1]]]],
        [[1, [["p" * 100, 1]]]],
        "sides",
    ],
)
def test_what_is_no_game_is_refused(sides: object) -> None:
    assert wrong(changed(4, lambda line: line.update(sides=sides))).line == 5


def test_a_digest_that_is_not_that_of_the_lines_is_refused() -> None:
    assert wrong(changed(len(lines()) - 1, lambda line: line.update(sha256="0" * 64))).line == len(lines())


def test_the_list_of_a_server_is_written_checked_and_annulled(tmp_path: Path, cli: Cli) -> None:
    lay(tmp_path)
    settings = Settings(data=tmp_path, prepare=False)
    for name in ("ann", "bob"):
        done(settings, lambda c, name=name: people.insert(c, Person(name, name, "en"), name))  # type: ignore[misc]
    for number in range(8):
        sides = (Side(1, (PartShare("seat:0"),)), Side(2, (PartShare("bot:mason"),)), Side(3, (PartShare("seat:2"),)))
        one = CountedGame(f"t{number}", 1000.0 * number, 3, sides)
        done(settings, partial(rows.add, table=one.id, game=EXAMPLE, counted=one, people={0: "ann", 2: "bob"}))
    data = ("--data", str(tmp_path))
    made = cli("levels", "--export", EXAMPLE, "--out", "levels.jsonl", *data)
    assert made.code == 0, made.err
    file = tmp_path / "levels.jsonl"
    said = file.read_text(encoding="utf-8")
    assert not any(name in said for name in ("ann", "bob", '"t1"'))
    again = cli("levels", "levels.jsonl")
    assert again.code == 0, again.err
    assert "the same to the last digit" in again.out
    file.write_text(said.replace('"games":8,"place"', '"games":9,"place"', 1), encoding="utf-8")
    refused = cli("levels", "levels.jsonl")
    assert (refused.code, "line 10" in refused.err) == (2, True)
    assert done(settings, partial(rows.annul, table="t3"))
    assert len(done(settings, partial(rows.games_of, game=EXAMPLE))) == 7
    assert cli("levels").code != 0

"""Replay files: they play again exactly, and every damage is named with its line."""

from __future__ import annotations

from functools import cache

import pytest
from tests.example import needs
from tests.properties import example, given, st

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.errors import ReplayError
from ziggurat.core.replay import Move, Replay, record, seed_hash
from ziggurat.core.scenario import reached

pytestmark = needs("alhambra")
NAMES = ["Ada", 'Bo "b" \\ : 1 take', "Čili\n[components]\u2028\x85\x1c#", "", "\ud800", "🏛"]


@cache
def game_text(players: int = 3, overridden: bool = False) -> str:
    game = ziggurat.game("alhambra")
    components = game.load_components("[neutral]\nat_the_start = 5\n") if overridden else None
    options = {"start_player": "youngest", "age_order": ",".join(str(seat) for seat in range(players, 0, -1))}
    position = ziggurat.new(game, players, seed=9, options=options, components=components)
    rng = ziggurat.generator(9)
    moves: list[Move] = []
    while not position.finished:
        seat, before = position.actors[0], position.copy()
        steps: list[int] = []
        while not steps or position.in_move:
            legal = position.legal(seat)
            steps.append(legal[-1 - draw(rng, (len(legal) + 1) // 2)])
            position.play(seat, steps[-1])
        moves.append(Move(seat, before.write_move(steps)))
    return record(position, moves, names=NAMES[:players], salt=bytes(range(32))).dump()


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("overridden", [False, True])
def test_a_replay_is_read_as_it_was_written(players: int, overridden: bool) -> None:
    text = game_text(players, overridden)
    replay = Replay.parse(text)
    assert replay.dump() == text
    assert replay.names == [name.encode("utf-8", "replace").decode() for name in NAMES[:players]]
    assert replay.verify().finished
    assert replay.salt is not None
    assert seed_hash(replay.seed, replay.salt) == seed_hash((9).to_bytes(32, "little"), bytes(range(32)))


def test_the_file_can_be_written_and_read_on_any_system() -> None:
    text = game_text(3, overridden=True)
    assert Replay.parse(text.replace("\n", "\r\n")).verify().finished
    assert Replay.parse(text.encode("utf-8").decode("utf-8")).verify().finished


def test_the_positions_after_every_move() -> None:
    replay = Replay.parse(game_text())
    positions = replay.positions()
    assert len(positions) == len(replay.moves) + 1
    assert positions[-1].to_bytes() == replay.play().to_bytes()


def number_of(text: str, start: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith(start))


DAMAGES = [
    ("ziggurat replay 1", "ziggurat replay 2", "begins with"),
    ("game: ", "game: chess", "there is no game 'chess'"),
    ("players: ", "players: 9", "2 to 6 players"),
    ("players: ", "players: three", "a number"),
    ("options: ", "options: colour=red", "no option 'colour'"),
    ("components: ", "components: 00", "other components"),
    ("seed: ", "seed: 00", "64 hexadecimal digits"),
    ("salt: ", "salt: xyz", "64 hexadecimal digits"),
    ("seat 1: ", "seat 1: Ada", "quotation marks"),
    ("seat 1: ", "seat 1: " + "[" * 50000, "quotation marks"),
    ("seat 1: ", "seat 1: 5", "quotation marks"),
    ("seat 2: ", 'seat 7: "x"', "the next seat to be named is 'seat 2'"),
    ("result: ", "result: 1 2 3", "the file says the result is"),
    ("result: ", "result: 1 2", "one number for each"),
    ("result: ", "result: --1 2 3", "one number for each"),
    ("result: ", "result: 1 2 " + "9" * 5000, "one number for each"),
    ("final: ", "final: 00", "another final position"),
    ("1 ", "1 take blue 99", "cannot be played"),
    ("1 ", "1 pay " + "9" * 5000, "cannot be played"),
    ("1 ", "1 sing", "cannot be played"),
    ("1 ", "7 take blue 1", "there is no seat 7"),
    ("1 ", "0 take blue 1", "there is no seat 0"),
    ("1 ", "9" * 5000 + " take blue 1", "neither"),
    ("1 ", "nonsense", "neither"),
    ("1 ", "colour: red", "unknown field"),
    ("1 ", "seed: 00", "stands twice"),
]


@pytest.mark.parametrize(("start", "damaged", "said"), DAMAGES, ids=[f"{d[1]:.20}" for d in DAMAGES])
def test_every_damage_is_named_with_its_line(start: str, damaged: str, said: str) -> None:
    text = game_text()
    number = number_of(text, start)
    lines = text.split("\n")
    lines[number - 1] = damaged
    with pytest.raises(ReplayError, match=said) as refused:
        Replay.parse("\n".join(lines)).verify()
    assert refused.value.line == number
    assert str(refused.value).startswith(f"line {number}: ")


def test_a_damage_in_the_components_is_named_with_its_line_in_the_whole_file() -> None:
    text = game_text(3, overridden=True)
    number = number_of(text, "at_the_start")
    with pytest.raises(ReplayError, match="Expected `int`") as refused:
        Replay.parse(text.replace("at_the_start = 5", 'at_the_start = "x"'))
    assert refused.value.line == number


def test_a_game_played_by_other_rules_opens_where_they_did_not_differ() -> None:
    text = game_text()
    number = number_of(text, "rules: ")
    older = text.replace("rules: 1", "rules: 0")
    assert Replay.parse(older).verify().finished
    assert len(Replay.parse(older).positions()) == len(Replay.parse(text).moves) + 1
    final = next(line for line in older.split("\n") if line.startswith("final: "))
    first = next(line for line in older.split("\n") if line.startswith("1 "))
    for damaged in (older.replace(final, ""), older.replace(final, "final: 00"), older.replace(first, "1 pay 9")):
        for play in (Replay.verify, Replay.play, Replay.positions):
            with pytest.raises(
                ReplayError, match="by version 0 of the rules of alhambra, and goes differently"
            ) as said:
                play(Replay.parse(damaged))
            assert said.value.line == number


@pytest.mark.parametrize("start", ["game: ", "rules: ", "players: ", "components: ", "seed: "])
def test_a_missing_line_is_named(start: str) -> None:
    lines = [line for line in game_text().split("\n") if not line.startswith(start)]
    with pytest.raises(ReplayError, match=f"no line '{start.strip()}"):
        Replay.parse("\n".join(lines))


def test_a_move_that_is_missing_is_found() -> None:
    lines = game_text().split("\n")
    del lines[number_of(game_text(), "2 ") - 1]
    with pytest.raises(ReplayError):
        Replay.parse("\n".join(lines)).verify()


@given(st.data())
def test_no_mutation_crashes(data: st.DataObject) -> None:
    """Whatever happens to a line, the file is refused as a damaged replay, or it still tells the same game."""
    text = game_text()
    lines = text.split("\n")
    index = data.draw(st.integers(0, len(lines) - 2), label="line")
    line = lines[index]
    place = data.draw(st.integers(0, len(line)), label="place")
    piece = data.draw(st.text(max_size=4) | st.sampled_from(["9" * 4400, "[components]", ": ", "#1"]), label="piece")
    cut = data.draw(st.integers(0, 3), label="cut")
    lines[index] = line[:place] + piece + line[place + cut :]
    try:
        end = Replay.parse("\n".join(lines)).verify()
    except ReplayError:
        return
    assert not end.finished or end.to_bytes() == Replay.parse(text).play().to_bytes()


@given(st.text())
@example("ziggurat replay 1\ngame: alhambra\nplayers: 3\nrules: 1\nseed: x")
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(ReplayError):
        Replay.parse(text)


LAID = """
game = "alhambra"
players = 2
moves = ["1 take blue 9"]
components = '''
[neutral]
at_the_start = 5
'''
[position]
turn = 1
slots = ["garden 10", "tower 13", "arcades 8", "pavilion 5"]
open_money = ["blue 9", "blue 1", "green 3", "green 2"]
hands = { 1 = ["yellow 6", "yellow 5"], 2 = ["orange 1"] }
building_deck_left = 0
scored = ["A", "B"]
"""


@cache
def laid_text() -> str:
    """A game that was not dealt but laid out, played to its end."""
    position = reached(LAID)
    moves = []
    while not position.finished:
        seat = position.actors[0]
        what = "buy garden 10 with 6 5" if seat == 0 else "take blue 1"
        moves.append(Move(seat, what))
        position.play_all(seat, position.read_move(what, seat))
    return record(position, moves, scenario=LAID).dump()


def test_a_game_that_was_laid_out_plays_again() -> None:
    text = laid_text()
    replay = Replay.parse(text)
    assert replay.dump() == text
    assert replay.verify().finished
    assert not replay.components.is_default
    assert Replay.parse(text.replace("\n", "\r\n")).verify().finished
    told = [event.type for event in replay.positions()[0].events]
    assert told[0] == "took", "what happened before the first move is told too"


@pytest.mark.parametrize(
    ("start", "damaged", "said"),
    [
        pytest.param("game: ", "game: babel", "players", marks=needs("babel")),
        ("players: ", "players: 3", "another players than this line says"),
        ("options: ", "options: refill_order=money_first", "another options than this line says"),
        ("seed: ", f"seed: {'0' * 64}", "another seed than this line says"),
        ("components: ", "components: 00", "other components"),
        ("at_the_start", "at_the_start = 'x'", "Expected `int`"),
        ("turn = ", "turn = 9", r"in \[scenario\]: "),
        ("moves = ", "moves = ['1 sing']", r"in \[scenario\]: '1 sing' cannot be played"),
        ("1 ", "1 take blue 99", "cannot be played"),
    ],
)
def test_every_damage_of_a_laid_game_is_named_with_its_line(start: str, damaged: str, said: str) -> None:
    number = number_of(laid_text(), start)
    lines = laid_text().split("\n")
    lines[number - 1] = damaged
    with pytest.raises(ReplayError, match=said) as refused:
        Replay.parse("\n".join(lines)).verify()
    if "at_the_start" not in start and "game" not in start:
        assert refused.value.line == number

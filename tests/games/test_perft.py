"""How many ways there are to go on, in every game: files in a game's ``perft`` say what there is to count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli

import ziggurat
from ziggurat.core.perft import perft
from ziggurat.core.scenario import parse, reached

FILES = sorted(Path(__file__).parent.glob("*/perft/*.toml"))


@pytest.mark.slow
@pytest.mark.parametrize("most", runs.each([3_000, 20_000], often=[3_000]))
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_the_ways_to_go_on_are_counted(file: Path, most: int) -> None:
    text = file.read_text(encoding="utf-8")
    wanted = {depth: count for depth, count in parse(text).perft.items() if count <= most}
    assert wanted
    ziggurat.prepare(parse(text).game)
    position = reached(text)
    assert {depth: perft(position, depth) for depth in wanted} == wanted


def test_the_command_counts_and_says_what_differs(cli: Cli, tmp_path: Path) -> None:
    text = FILES[0].read_text(encoding="utf-8")
    first, second = parse(text).perft[1], parse(text).perft[2]
    ran = cli("scenario", str(FILES[0]), "--perft", "2")
    assert ran.code == 0
    assert [line.split()[:2] for line in ran.out.splitlines()] == [["1", f"{first:,}"], ["2", f"{second:,}"]]
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text.replace(f"2 = {second}", f"2 = {second + 1}"), encoding="utf-8")
    ran = cli("scenario", str(wrong), "--perft", "2")
    assert (ran.code, f"the file says {second + 1:,}" in ran.out) == (1, True)


def test_what_a_file_does_not_say_is_counted_too(cli: Cli, tmp_path: Path) -> None:
    text = FILES[0].read_text(encoding="utf-8")
    silent = tmp_path / "silent.toml"
    silent.write_text(re.sub(r"(?m)^perft = .*$", "", text), encoding="utf-8")
    assert parse(silent.read_text(encoding="utf-8")).perft == {}
    ran = cli("scenario", str(silent), "--perft", "1")
    assert ran.code == 0
    assert ran.out.split()[:2] == ["1", f"{parse(text).perft[1]:,}"]
    assert "the file says" not in ran.out


def test_a_game_that_is_over_goes_nowhere() -> None:
    position = next(iter(map(over, ziggurat.registered_games())))
    assert perft(position, 1) == perft(position, 3) == 0


def over(game: str) -> ziggurat.Position:
    position = ziggurat.new(game, ziggurat.game(game).min_players, seed=1)
    while position.actors:
        position.play(position.actors[0], position.legal(position.actors[0])[-1])
    return position

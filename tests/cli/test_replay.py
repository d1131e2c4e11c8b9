"""Recorded games: shown, and checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE, needs

import ziggurat
from ziggurat import Replay
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.replay import Move, record, seed_hash
from ziggurat.core.scenario import reached
from ziggurat.core.text import catalogue

pytestmark = pytest.mark.slow


def test_a_simulated_game_verifies(cli: Cli, replay: Path) -> None:
    ran = cli("verify", "game.txt")
    assert ran.code == 0
    assert "legal, and they lead to the result and the final position that the file says" in ran.out
    text = replay.read_text(encoding="utf-8")
    assert Replay.parse(text).dump() == text


def test_several_games_have_a_file_each(cli: Cli, tmp_path: Path) -> None:
    assert cli("simulate", EXAMPLE, "--games", "3", "--seed", "2", "--replay", "game-{n}.txt").code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game-1.txt", "game-2.txt", "game-3.txt"]
    for number in (1, 2, 3):
        assert cli("verify", f"game-{number}.txt").code == 0


@pytest.mark.parametrize(
    ("game", "printed", "corrected"),
    [
        pytest.param("alhambra", "starting_capital = 20", "starting_capital = 25", marks=needs("alhambra")),
        pytest.param(
            "babel",
            "points = [0, 0, 5, 10, 20, 30, 40, 40]",
            "points = [0, 0, 5, 10, 20, 35, 55, 80]",
            marks=needs("babel"),
        ),
    ],
)
def test_a_game_with_numbers_of_its_own_carries_them(
    cli: Cli, tmp_path: Path, game: str, printed: str, corrected: str
) -> None:
    numbers = cli("components", game).out
    assert printed in numbers
    (tmp_path / "mine.toml").write_text(numbers.replace(printed, corrected), encoding="utf-8")
    line = ("simulate", game, "--games", "1", "--seed", "2", "--components", "mine.toml", "--replay", "game.txt")
    assert cli(*line).code == 0
    ran = cli("verify", "game.txt")
    assert ran.code == 0
    assert "numbers of its own, in the file" in ran.out
    text = (tmp_path / "game.txt").read_text(encoding="utf-8")
    assert text.count(corrected) == 1
    (tmp_path / "other.txt").write_text(text.replace(corrected, printed))
    assert cli("verify", "other.txt").code == 2


@pytest.fixture
def salted(replay: Path) -> Replay:
    found = Replay.parse(replay.read_text(encoding="utf-8"))
    found.salt = bytes(range(32))
    replay.write_text(found.dump(), encoding="utf-8")
    return found


def test_the_published_fingerprint_is_compared(cli: Cli, salted: Replay) -> None:
    assert salted.salt is not None
    published = seed_hash(salted.seed, salted.salt)
    assert published in cli("verify", "game.txt").out
    agreed = cli("verify", "game.txt", "--hash", published.upper())
    assert agreed.code == 0
    assert "the one that the table had fixed" in agreed.out
    other = cli("verify", "game.txt", "--hash", "0" * 64)
    assert other.code == 2
    assert published in other.err
    assert cli("verify", "game.txt", "--hash", "abc").code == 2


def test_without_a_salt_there_is_nothing_to_compare(cli: Cli, replay: Path) -> None:
    ran = cli("verify", "game.txt", "--hash", "0" * 64)
    assert ran.code == 2
    assert "has no salt" in ran.err


def changed(pattern: str, replacement: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        found, times = re.subn(pattern, replacement, text, count=1, flags=re.MULTILINE)
        assert times == 1
        return found

    return change


def without_a_move(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(lines[:30] + lines[31:]) + "\n"


def with_moves_exchanged(text: str) -> str:
    lines = text.splitlines()
    lines[29], lines[30] = lines[30], lines[29]
    return "\n".join(lines) + "\n"


def without_the_last_moves(text: str) -> str:
    lines = text.splitlines()
    end = next(i for i, line in enumerate(lines) if line.startswith("result:"))
    return "\n".join(lines[: end - 4] + lines[end - 1 :]) + "\n"


TAMPERINGS = {
    "first line": changed("^ziggurat replay 1$", "ziggurat replay 2"),
    "game": changed("^game: .*$", "game: chess"),
    "rules": lambda text: changed("^rules: .*$", "rules: 999")(changed("^final: .{8}", "final: 00000000")(text)),
    "players": changed("^players: 3$", "players: 4"),
    "options": changed("buildings_first", "money_first"),
    "unknown option": changed("^options: ", "options: speed=high "),
    "an option twice": changed("^options: (\\w+)=(\\w+)", r"options: \1=nonsense \1=\2"),
    "no version": changed("^rules: .*$", "rules:"),
    "components": changed("^components: .", "components: x"),
    "seed": changed("^seed: [0-9a-f]{8}", "seed: 00000000"),
    "short seed": changed("^seed: [0-9a-f]{8}", "seed: "),
    "no seed": changed("^seed: .*\n", ""),
    "seats": changed("^seat 2: .*\n", ""),
    "seat's name": changed("^seat 2: .*$", "seat 2: Ada"),
    "move": changed(r"^(\d) take \w+ \d$", r"\1 take blue 99"),
    "seat of a move": changed(r"^1 take", "2 take"),
    "no such seat": changed(r"^1 take", "7 take"),
    "a move left out": without_a_move,
    "moves exchanged": with_moves_exchanged,
    "the end left out": without_the_last_moves,
    "result": changed(r"^result: \d+", "result: 999"),
    "short result": changed(r"^result: \d+ ", "result: "),
    "final": changed("^final: .{8}", "final: 00000000"),
    "a field twice": changed("^players: 3$", "players: 3\nplayers: 3"),
    "nonsense": changed("^players: 3$", "players: 3\nhello"),
}


@needs("alhambra")
@pytest.mark.parametrize("what", TAMPERINGS)
def test_a_changed_file_is_refused(cli: Cli, replay: Path, what: str) -> None:
    replay.write_text(TAMPERINGS[what](replay.read_text(encoding="utf-8")), encoding="utf-8")
    ran = cli("verify", "game.txt")
    assert ran.code == 2
    assert ran.err.startswith("ziggurat: game.txt: ")
    assert ran.err.count("\n") == 1


def test_the_game_of_other_rules_is_verified_where_it_is_the_same(cli: Cli, replay: Path) -> None:
    replay.write_text(changed("^rules: .*$", "rules: 0")(replay.read_text(encoding="utf-8")), encoding="utf-8")
    ran = cli("verify", "game.txt")
    assert ran.code == 0
    assert "rules version 0, and the same game by version 1" in ran.out


def test_another_salt_has_another_fingerprint(cli: Cli, salted: Replay, replay: Path) -> None:
    assert salted.salt is not None
    published = seed_hash(salted.seed, salted.salt)
    replay.write_text(changed("^salt: .{8}", "salt: ffffffff")(replay.read_text(encoding="utf-8")), encoding="utf-8")
    assert cli("verify", "game.txt", "--hash", published).code == 2


@needs("alhambra")
def test_the_line_of_a_move_that_cannot_be_played_is_named(cli: Cli, replay: Path) -> None:
    lines = replay.read_text(encoding="utf-8").splitlines()
    number = lines.index("") + 3  # the third move
    lines[number - 1] = "1 take blue 99"
    replay.write_text("\n".join(lines), encoding="utf-8")
    assert f"game.txt: line {number}: " in cli("verify", "game.txt").err


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_is_told_in_words(cli: Cli, replay: Path, language: str) -> None:
    ran = cli("replay", "game.txt", "--lang", language)
    assert ran.code == 0
    moves = len(Replay.parse(replay.read_text(encoding="utf-8")).moves)
    last = {"en": f"Move {moves} of {moves}"}.get(language, f"{moves}")
    assert last in ran.out
    assert catalogue(language)("ui.end.breakdown") in ran.out


def test_a_replay_begins_where_one_wants(cli: Cli, replay: Path) -> None:
    moves = len(Replay.parse(replay.read_text(encoding="utf-8")).moves)
    late = cli("replay", "game.txt", "--from", str(moves))
    assert f"Move {moves} of {moves}" in late.out
    assert f"Move {moves - 1} of" not in late.out
    for wrong in (str(moves + 1), "-1"):
        assert cli("replay", "game.txt", "--from", wrong).code == 2


@needs("alhambra")
@runs.whole
def test_boards_on_the_way(cli: Cli, replay: Path) -> None:
    plain, boards = cli("replay", "game.txt"), cli("replay", "game.txt", "--board")
    assert boards.out.count("Construction yard") > 50 > plain.out.count("Construction yard")


def test_a_game_of_the_service_verifies(cli: Cli, tmp_path: Path) -> None:
    """An unfinished game, with names that try to be lines."""
    position = ziggurat.new(EXAMPLE, 2, seed=1)
    seat = position.actors[0]
    text = position.write_move([action := position.legal(seat)[0]])
    position.play(seat, action)
    replay = record(position, [Move(seat, text)], names=["Ada\nresult: 1 2", 'B"é"la'])
    (tmp_path / "open.txt").write_text(replay.dump(), encoding="utf-8")
    ran = cli("verify", "open.txt")
    assert ran.code == 0
    assert "the game is not over" in ran.out
    assert "judged: 1 of 1 moves legal, and they lead to the final position that the file says" in ran.out
    other = changed("^final: .{8}", "final: 00000000")(replay.dump())
    (tmp_path / "open.txt").write_text(other, encoding="utf-8")
    assert cli("verify", "open.txt").code == 2


def test_a_file_that_says_nothing_of_its_end_is_not_verified(cli: Cli, salted: Replay, replay: Path) -> None:
    assert salted.salt is not None
    text = replay.read_text(encoding="utf-8")
    without_final, without_result = changed("^final: .*\n", ""), changed("^result: .*\n", "")
    neither = without_final(without_result(text))
    replay.write_text(neither, encoding="utf-8")
    ran = cli("verify", "game.txt")
    assert ran.code == 1
    assert "they lead to" not in ran.out
    assert "game.txt is not verified" in ran.err
    assert "says no result and no final position" in ran.err
    published = seed_hash(salted.seed, salted.salt)
    with_hash = cli("verify", "game.txt", "--hash", published)
    assert with_hash.code == 0, "its seed was compared"
    assert "not judged: the result, which the file does not say; the final position, which" in with_hash.out
    assert "1 of 1 fingerprints that of seed and salt" in with_hash.out
    # What nothing is compared with says nothing: neither does the beginning of a game.
    position = Replay.parse(text)
    position.moves, position.result, position.final = position.moves[:5], None, None
    replay.write_text(position.dump(), encoding="utf-8")
    beginning = cli("verify", "game.txt")
    assert (beginning.code, "says no final position" in beginning.err) == (1, True)


@pytest.mark.parametrize(("left_out", "says"), [("final", "the final position"), ("result", "the result")])
def test_what_a_file_does_not_say_is_named(cli: Cli, replay: Path, left_out: str, says: str) -> None:
    text = replay.read_text(encoding="utf-8")
    replay.write_text(changed(f"^{left_out}: .*\n", "")(text), encoding="utf-8")
    ran = cli("verify", "game.txt")
    assert ran.code == 0
    assert f"not judged: {says}, which the file does not say; " in ran.out
    other = {"final": "result", "result": "final position"}[left_out]
    assert f"lead to the {other} that the file says" in ran.out


def test_a_replay_without_moves_is_nothing_to_verify(cli: Cli, tmp_path: Path) -> None:
    replay = record(ziggurat.new(EXAMPLE, 2, seed=1), [])
    (tmp_path / "empty.txt").write_text(replay.dump(), encoding="utf-8")
    ran = cli("verify", "empty.txt")
    assert (ran.code, ran.err) == (1, "ziggurat: empty.txt is not verified: it has no moves\n")
    assert "judged: nothing\n" in ran.out


LAID = """
game = "babel"
players = 3
moves = ["1 pass"]
[position]
turn = 1
"""


@needs("babel")
def test_of_a_game_that_was_laid_out_no_fingerprint_is_spoken(cli: Cli, tmp_path: Path) -> None:
    position = reached(LAID)
    position.play_all(1, position.read_move("pass", 1))
    (tmp_path / "laid.txt").write_text(record(position, [Move(1, "pass")], scenario=LAID).dump(), encoding="utf-8")
    ran = cli("verify", "laid.txt")
    assert ran.code == 0
    assert "laid out, as the scenario in the file says, and not shuffled" in ran.out
    refused = cli("verify", "laid.txt", "--hash", "0" * 64)
    assert refused.code == 2
    assert "not shuffled; there was no fingerprint" in refused.err
    assert cli("replay", "laid.txt").out.count("pass") >= 2, "what the file tells, and the move after it"

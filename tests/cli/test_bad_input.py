"""Whatever is wrong with a command line or a file: exit code 2 and one line that says what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE, GAME, RANGE, needs

SIMULATE = f"simulate {EXAMPLE} --games 1"
TOURNAMENT = f"tournament {EXAMPLE} --players 2"

MANY = GAME.max_players + 1

CASES = [
    (f"simulat {EXAMPLE}", "did you mean 'simulate'?"),
    ("dance", "there are: serve, play, games"),
    ("--colour", "No such option"),
    ("simulate", "Missing argument 'GAME'"),
    ("simulate chess", f"there is no game 'chess'; there are: {EXAMPLE}"),
    ("play Alhambra", f"there are: {EXAMPLE}"),
    ("components chess", f"there are: {EXAMPLE}"),
    ("prepare chess", f"there are: {EXAMPLE}"),
    ("bench --game chess", f"there are: {EXAMPLE}"),
    (f"bench --game {EXAMPLE} --players {MANY}", f"{EXAMPLE} is for {RANGE}, not {MANY}"),
    ("bench --players 9", "players, not 9"),
    (f"simulate {EXAMPLE} --games 0", "--games is at least 1, not 0"),
    (f"simulate {EXAMPLE} --games -5", "--games is at least 1, not -5"),
    (f"simulate {EXAMPLE} --games many", "'many' is not a valid integer"),
    (f"simulate {EXAMPLE} --gmaes 3", "--games"),
    (f"{SIMULATE} --players 0", f"{RANGE}, not 0"),
    (f"{SIMULATE} --players {MANY}", f"{RANGE}, not {MANY}"),
    (f"{SIMULATE} --players -3", f"{RANGE}, not -3"),
    (f"{SIMULATE} --seed x", "a seed is a number"),
    (f"{SIMULATE} --seed -1", "a seed is a number"),
    (f"{SIMULATE} --seed 1.5", "a seed is a number"),
    (f"{SIMULATE} --bots clever", "there are: random, apprentice, mason"),
    (f"{SIMULATE} --bots random,greedy", "one for each of the 3 seats, not 2"),
    (f"{SIMULATE} --bots clever", "there are: random, apprentice, mason"),
    (f"{SIMULATE} --bots search", "'search' needs a budget, such as search:800"),
    (f"{SIMULATE} --first 0", "--first is at least 1, not 0"),
    (f"{SIMULATE} --players 3 --bots random,greedy", "one for each of the 3 seats, not 2"),
    (f"{SIMULATE} --legal", "--legal goes with --log FILE"),
    (f"{SIMULATE} --log nowhere/log.jsonl", "cannot write nowhere/log.jsonl: no such file or directory"),
    (f"{SIMULATE} --log .", "cannot write .: is a directory"),
    (f"{SIMULATE} --replay nowhere/r.txt", "cannot write nowhere/r.txt"),
    (f"{SIMULATE} --out nowhere/r.parquet", "cannot write nowhere/r.parquet"),
    (f"{SIMULATE} --log - --replay -", "cannot both go to standard output"),
    (TOURNAMENT, "Missing option '--bots'"),
    ("tournament chess --bots greedy,random", f"there are: {EXAMPLE}"),
    (f"{TOURNAMENT} --bots greedy,deep", "there is no bot 'deep'; there are: random, "),
    (f"{TOURNAMENT} --bots greedy", "between at least two bots, not 1"),
    (f"{TOURNAMENT} --bots greedy,greedy", "greedy is named 2 times"),
    (f"{TOURNAMENT} --bots greedy,search:0", "iterations, not 0"),
    (f"{TOURNAMENT} --bots greedy,search:-3", "iterations, not -3"),
    (f"{TOURNAMENT} --bots greedy,flat:0s", "more than 0"),
    (f"{TOURNAMENT} --bots greedy,search", "needs a budget, such as search:800"),
    (f"{TOURNAMENT} --bots greedy,random --games 0", "--games is at least 1, not 0"),
    (f"{TOURNAMENT} --bots greedy,random --games 1", "has 2 games: not 1"),
    (
        f"{TOURNAMENT} --bots greedy,random --workers 0",
        "--workers: a number of workers, from 1 on, or 'ray' for those of a Ray cluster, not '0'",
    ),
    (f"{TOURNAMENT} --bots greedy,random --resume", "--resume goes with --out DIR"),
    (f"{TOURNAMENT} --bots greedy,random --out other.toml", "cannot write other.toml: "),
    (f"tournament {EXAMPLE} --players {MANY} --bots greedy,random", f"{RANGE}, not {MANY}"),
    (f"simulate {EXAMPLE} --games 2 --replay r.txt", "such as game-{n}.txt"),
    (f"{SIMULATE} --components missing.toml", "cannot read missing.toml: no such file or directory"),
    (f"{SIMULATE} --components broken.toml", "broken.toml: line 2: not TOML"),
    (f"{SIMULATE} --components binary.toml", "binary.toml: line 2 is not text in UTF-8"),
    (f"components {EXAMPLE} --check other.toml", "other.toml: line 1: these are components of 'chess'"),
    (f"play {EXAMPLE} --players {MANY}", f"{RANGE}, not {MANY}"),
    (f"play {EXAMPLE} --bots clever", "there are: random, apprentice, mason"),
    (f"play {EXAMPLE} --lang fr", "'en', 'hu', 'de'"),
    (f"play {EXAMPLE} --replay nowhere/r.txt", "cannot write nowhere/r.txt"),
    ("replay missing.txt", "cannot read missing.txt"),
    ("replay broken.toml", "broken.toml: line 1: a replay begins with 'ziggurat replay 1'"),
    ("verify missing.txt", "cannot read missing.txt"),
    ("verify binary.toml", "not text in UTF-8"),
    ("verify .", "cannot read .: is a directory"),
    ("scenario missing.toml", "cannot read missing.toml"),
    ("scenario broken.toml", "not TOML"),
    ("scenario unknown.toml", "unknown.toml: line 2: "),
    ("scenario position.toml --seats open,mason", "--table lays; give both"),
    ("scenario position.toml --table --seats open,clever", "There is no bot 'clever'; there are: random"),
    ("scenario position.toml --table --seats open", "the scenario is for 2 players, not 1"),
    ("scenario unknown.toml --table", "unknown.toml: line 2: "),
    ("scenario moves.toml --table", "moves.toml: line 2: 'pass' cannot be played"),
    ("serve --port 70000", "0<=x<=65535"),
    ("serve --port http", "'http' is not a valid integer"),
    ("serve --port 0 --no-browser --database mysql://x", "postgresql://"),
]
# What is said of the options and printed numbers of a certain game.
OF = {
    "alhambra": [
        (f"{SIMULATE} --option refill_order", "NAME=VALUE"),
        (f"{SIMULATE} --option colour=red", "it has: start_player, age_order, refill_order"),
        (f"{SIMULATE} --option refill_order=never", "buildings_first, money_first"),
        (f"{SIMULATE} --option refill_order=money_first --option refill_order=buildings_first", "given twice"),
        (f"{SIMULATE} --option age_order=1,2,3", "start_player=youngest"),
        (f"{SIMULATE} --option start_player=youngest --option age_order=1,1,2", "such as 1,2,3"),
        (f"components {EXAMPLE} --check wrong.toml", "wrong.toml: line 3: "),
    ],
    "architects": [
        ("play architects --players 9", "2 to 7 players, not 9"),
        ("simulate architects --games 1 --option wonders=bought", "one of random, chosen, drafted"),
    ],
}
LINES = [pytest.param(line, said, id=line) for line, said in CASES] + [
    pytest.param(line, said, id=line, marks=needs(game)) for game, cases in OF.items() for line, said in cases
]


@pytest.fixture
def files(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text(f'game = "{EXAMPLE}"\n[money\n')
    (tmp_path / "binary.toml").write_bytes(b"game = 1\n\xff\xfe")
    (tmp_path / "wrong.toml").write_text(f'game = "{EXAMPLE}"\n[money]\ncopies = [1, 2]\n')
    (tmp_path / "other.toml").write_text('game = "chess"\n')
    (tmp_path / "position.toml").write_text(f'game = "{EXAMPLE}"\n')
    (tmp_path / "moves.toml").write_text(f'game = "{EXAMPLE}"\nmoves = ["pass"]\n')
    (tmp_path / "unknown.toml").write_text(f'game = "{EXAMPLE}"\nturm = 1\n')


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "said"), LINES)
def test_one_line_says_what_is_wrong(cli: Cli, line: str, said: str) -> None:
    ran = cli(*line.split())
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("ziggurat: ")
    assert said in ran.err


def test_a_refused_command_leaves_no_file(cli: Cli, tmp_path: Path) -> None:
    cli("simulate", EXAMPLE, "--bots", "clever", "--log", "log.jsonl", "--out", "out.parquet")
    assert list(tmp_path.iterdir()) == []

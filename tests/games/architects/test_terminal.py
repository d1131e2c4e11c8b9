"""Architects in the terminal and in the files that commands write."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.fixtures import Cli

from ziggurat import Replay
from ziggurat.lab import batches

pytestmark = pytest.mark.slow

PLAY = ("play", "architects", "--seed", "17", "--players", "3")
TO_THE_END = "1\n" * 400  # always the first choice


def test_a_whole_game_in_the_terminal(cli: Cli, tmp_path: Path) -> None:
    ran = cli(*PLAY, "--replay", "mine.txt", typed=TO_THE_END)
    assert (ran.code, ran.err) == (0, "")
    assert Replay.parse((tmp_path / "mine.txt").read_text(encoding="utf-8")).verify().finished
    assert cli("verify", "mine.txt").code == 0
    assert cli("replay", "mine.txt").code == 0


def test_the_terminal_says_what_the_cat_shows_to_its_owner_alone(cli: Cli) -> None:
    """Of the bots' looks it says only that they looked."""
    ran = cli(*PLAY, "--replay", "mine.txt", typed=TO_THE_END)
    replay = Replay.parse(Path("mine.txt").read_text(encoding="utf-8"))
    events = replay.verify().events
    names = replay.names
    shown = "\n".join(line.strip() for line in ran.out.splitlines())
    for seat in range(3):
        looks = [event for event in events if event.type == "saw" and event.seat == seat]
        told = shown.count(f"The cat shows {names[seat]} the top card")
        assert looks, "nobody had the cat: choose another seed"
        assert told == (len(looks) if seat == 0 else 0)


def test_ties_are_broken_by_the_rules() -> None:
    """7 Wonders: Architects, A28: of those with as many points who has more stages wins."""
    [batch] = batches("architects", ["random"] * 2, games=60, seed=3, size=60)
    tied = batch.scores[:, 0] == batch.scores[:, 1]
    assert {tuple(wins) for wins in batch.wins[tied].tolist()} >= {(1.0, 0.0), (0.0, 1.0)}


def test_a_bot_of_ones_own_sits_here_too_and_when_it_fails_the_heuristic_moves(cli: Cli) -> None:
    ran = cli("play", "architects", "--seed", "4", "--bots", "Gone=cmd:cat,greedy", typed="1\nq\n")
    assert "Gone sent '{" in ran.out
    assert "which is no answer to a decision" in " ".join(ran.out.split())
    assert (ran.code, "Goodbye." in ran.out) == (0, True)

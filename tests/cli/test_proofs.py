"""Every command that verifies or checks says what it judged, what not, and what it believes; judging nothing fails."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE
from tests.lab.test_dataset_forged import Forger, emptied, laid

import ziggurat
from ziggurat.cli.app import COMMANDS, app
from ziggurat.core.proof import Judged, Proof
from ziggurat.core.replay import Move, record
from ziggurat.server.features.copies.checking import Checked

pytestmark = pytest.mark.slow

VERIFY = {"verify", "check", "check-game"}
"""What commands are called that judge something."""
ELSEWHERE = {"arena verify"}
"""Of which tests/lab/test_arena_forged.py has a file."""


def judges(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands that judge something, with what one types for them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        typed = (*before, name)
        if isinstance(command, click.Group):
            yield from judges(command, typed)
        if name in VERIFY:
            yield " ".join(typed), command


JUDGES = dict(judges(app))


def test_all_are_known() -> None:
    assert JUDGES.keys() == {"verify", "dataset verify", "arena verify", "check", "check-game"}
    assert set(COMMANDS) > VERIFY


@pytest.mark.parametrize("name", JUDGES)
def test_each_ends_with_the_same_lines(name: str) -> None:
    callback = JUDGES[name].callback
    assert callback is not None
    assert "conclude(" in inspect.getsource(sys.modules[callback.__module__])


def _nothing_compared(*_: Any, **__: Any) -> Proof:
    raise AssertionError("none of 12 beliefs could be compared with worlds that look alike")


PLAYED = {
    "holds": lambda *_, **__: Proof([Judged("games", 1, 1, "played to their end")], source="the game"),
    "empty": _nothing_compared,
}
"""What the checker says of a game; tests/testing plants what it finds, and what it cannot judge."""


def good(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, empty: bool) -> list[str]:
    """Lay something that holds, or with nothing in it to judge; return what one types."""
    if name == "verify":
        position = ziggurat.new(EXAMPLE, 2, seed=1)
        moves: list[Move] = []
        if not empty:
            seat = position.actors[0]
            action = position.legal(seat)[0]
            moves.append(Move(seat, position.write_move([action])))
            position.play(seat, action)
        (folder / "game.txt").write_text(record(position, moves).dump(), encoding="utf-8")
        return ["game.txt"]
    if name == "dataset verify":
        made = laid(folder / "set")
        if empty:
            emptied(Forger(made))
        return [str(made)]
    if name == "check-game":
        monkeypatch.setattr("ziggurat.testing.check_game", PLAYED["empty" if empty else "holds"])
        return [EXAMPLE, "--interpreted"]
    found = Checked() if empty else Checked(tables=2, dealt=2, played=2)
    monkeypatch.setattr("ziggurat.server.features.copies.checking.check_database", lambda *_: found)
    return ["--data", str(folder)]


@pytest.mark.parametrize("empty", [False, True], ids=["holds", "empty"])
@pytest.mark.parametrize("name", [name for name in JUDGES if name not in ELSEWHERE])
def test_three_things_are_said_and_nothing_judged_is_no_success(
    name: str, empty: bool, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = cli(*name.split(), *good(name, tmp_path, monkeypatch, empty=empty))
    assert ran.code == int(empty), ran.err
    if name == "check-game" and empty:  # it says so as of anything else that is wrong
        assert "wrong     none of 12 beliefs could be compared" in ran.out
        return
    said = [line.partition(": ") for line in ran.out.splitlines()[-3:]]
    assert [head.split(" from ")[0] for head, _, _ in said] == ["judged", "not judged", "believed"]
    assert (said[0][2] == "nothing") is empty
    assert (" is not verified: " in ran.err) is empty

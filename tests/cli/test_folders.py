"""Whoever names a folder of somebody else's as --out loses nothing: every command that fills one refuses it at once."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
from tests.cli.fixtures import Cli, cli  # noqa: F401
from tests.example import EXAMPLE, SEATS

from ziggurat.cli.app import COMMANDS, module_of
from ziggurat.core.own_folders import GENERATOR_TAG, StrangeFolder, must_be_ours
from ziggurat.lab.report import page

AT = (EXAMPLE, "--players", str(SEATS))
LINES: dict[str, tuple[str, ...]] = {
    "arena place": ("arena", "place", *AT, "--agent", "mason"),
    "benchmark brief": ("benchmark", "brief", EXAMPLE),
    "benchmark own": ("benchmark", "own", EXAMPLE),
    "arena ladder": ("arena", "ladder", *AT, "--games", "1000000"),
    "dataset make": ("dataset", *AT, "--games", "1000000"),
    "exploitability": ("exploitability", *AT, "--games", "1000000"),
    "export": ("export",),
    "learn": ("learn", *AT),
    "questions make": ("questions", "make", "--seed", "1"),
    "study": ("study", *AT, "--games", "1000000"),
    "tournament": ("tournament", *AT, "--bots", "greedy,random", "--games", "1000000"),
    "translate": ("translate", "fr"),
}
"""Most would be at work for hours, so that they are over at once only if they ask before."""
PAGES = {"arena place": "arena.json", "learn": "state.json", "study": "terms.json", "tournament": "games.parquet"}
"""Those that write a page, and by what a folder is known to be theirs."""


def every() -> Iterator[tuple[str, click.Command]]:
    for name in COMMANDS:
        command = import_module(module_of(name)).command
        inner = command.commands if isinstance(command, click.Group) else {}
        yield from [(f"{name} {one}", found) for one, found in inner.items()] or [(name, command)]


def test_all_commands_that_fill_a_folder_are_tried() -> None:
    fill = {
        name
        for name, command in every()
        for option in command.params
        if "--out" in option.opts and getattr(option, "metavar", "") in ("DIR", "FOLDER")
    }
    assert fill == {*LINES}


def test_no_command_writes_a_page_without_saying_so() -> None:
    said = {
        name
        for name, command in every()
        for option in command.params
        if "--out" in option.opts and "index.html" in f"{command.help} {getattr(option, 'help', '')}"
    }
    assert said == {*PAGES}


def holds(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("there", ["index.html", "letter to ada.txt", "ladder.json"])
def test_a_folder_of_others_is_refused(cli: Cli, tmp_path: Path, name: str, there: str) -> None:  # noqa: F811
    folder = tmp_path / "homepage"
    folder.mkdir()
    (folder / there).write_text("Dear Ada")
    found = cli(*LINES[name], "--out", "homepage")
    assert found.code == 2
    assert found.out == ""
    assert f"homepage holds something else ({there})" in found.err
    assert found.err.endswith("name an empty folder, or a new one\n")
    assert holds(folder) == {there: b"Dear Ada"}
    assert [*folder.iterdir()] == [folder / there]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_others_among_results_of_ours_is_refused(cli: Cli, tmp_path: Path, name: str) -> None:  # noqa: F811
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / PAGES[name]).write_text("")
    (folder / "index.html").write_text("<h1>Ada</h1>")
    found = cli(*LINES[name], "--out", "mixed")
    assert found.code == 2
    assert "index.html is no page of ours, and would be written over: move it away" in found.err
    assert holds(folder) == {PAGES[name]: b"", "index.html": b"<h1>Ada</h1>"}


def test_a_folder_that_is_ours(tmp_path: Path) -> None:
    must_be_ours(tmp_path / "new", "results", page=True)
    must_be_ours(tmp_path, "results", page=True)
    (tmp_path / ".results.77.new").write_text("")  # of a process that was killed
    must_be_ours(tmp_path, "results", page=True)
    (tmp_path / "results").write_text("")
    (tmp_path / "notes").write_text("")
    shown = page("Bots", "", [])
    assert GENERATOR_TAG in shown
    (tmp_path / "index.html").write_text(shown)
    must_be_ours(tmp_path, "results", page=True)
    (tmp_path / "index.html").write_text(shown.replace(GENERATOR_TAG, ""))  # as pages were before they said so
    must_be_ours(tmp_path, "results", page=True)
    with pytest.raises(StrangeFolder, match=r"holds something else \(index.html, notes, results\) and no other"):
        must_be_ours(tmp_path, "other")
    with pytest.raises(StrangeFolder, match="notes: it is a file; name a folder"):
        must_be_ours(tmp_path / "notes", "results")


def test_a_file_of_ladders_that_is_none_is_found_before_the_games(cli: Cli, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "diary.json").write_text('{"dear": "diary"}')
    found = cli(*LINES["arena ladder"], "--out", "fresh", "--into", "diary.json")
    assert found.code == 2
    assert "diary.json is damaged, or holds something else" in found.err
    assert not (tmp_path / "fresh").exists()

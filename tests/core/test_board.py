"""What the boards of all games look like in the terminal."""

from __future__ import annotations

from io import StringIO
from types import SimpleNamespace

from rich.console import Console, RenderableType

from ziggurat.core.board import player, right, starred, table_of

NAMES = ("Ann", "Bob").__getitem__


def shown(what: RenderableType) -> list[str]:
    written = StringIO()
    Console(file=written, width=40).print(what)
    return [line.rstrip() for line in written.getvalue().splitlines()]


def test_a_table_has_its_title_on_the_left_and_no_frame() -> None:
    table = table_of("Scores", "Name", right("Points"))
    table.add_row("Ann", "7")
    assert shown(table) == ["Scores", "", " Name   Points", " ─────────────", " Ann         7", ""]


def test_whose_turn_it_is_has_a_mark_and_the_viewer_is_bold() -> None:
    view = SimpleNamespace(turn=1, seat=0, finished=False)
    assert [(player(seat, view, NAMES).plain, player(seat, view, NAMES).style) for seat in (0, 1)] == [
        ("Ann", "bold"),
        ("> Bob", ""),
    ]
    view.finished = True
    assert player(1, view, NAMES).plain == "Bob"


def test_a_star_marks_the_most_of_a_row() -> None:
    assert starred([2, 0, 3, 3]) == ["2 ", "· ", "3*", "3*"]
    assert starred([0, 0]) == ["· ", "· "]

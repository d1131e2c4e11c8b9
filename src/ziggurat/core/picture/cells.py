"""A board as lines of cells: its parts as panels, and in each line the runs of letters of one style."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import pairwise

from rich.cells import cell_len
from rich.color import Color
from rich.console import Console, Group, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.terminal_theme import TerminalTheme

LINE_CELLS = 110
"""Cells of a line, at most."""
RULE_CHARACTERS = frozenset("─━═╌╴╶-")
RULE_LINES = 0.5
"""Height of a line that divides, in lines."""

# What terminals call by name, on paper.
PAPER_INKS = TerminalTheme(
    (255, 253, 248),
    (42, 38, 34),
    [
        (42, 38, 34),
        (176, 36, 24),
        (46, 117, 50),
        (138, 99, 0),
        (25, 85, 165),
        (128, 48, 128),
        (0, 112, 104),
        (90, 82, 74),
    ],
)
LEAST_CONTRAST = 4.5
"""Of letters to paper, at least."""


@dataclass(frozen=True)
class Run:
    """A run of letters of one style, from a cell on."""

    start: int
    text: str
    colour: str = ""
    bold: bool = False
    faint: bool = False
    slanted: bool = False


@dataclass(frozen=True)
class Chip:
    """A coloured chip behind a name, from one cell to another, and over so many lines."""

    start: int
    end: int
    colour: str
    lines: int = 1


@dataclass
class CellLine:
    runs: list[Run] = field(default_factory=list)
    chips: list[Chip] = field(default_factory=list)
    title: bool = False
    rule: bool = False

    @property
    def width(self) -> int:
        return max((run.start + cell_len(run.text) for run in self.runs), default=0)

    @property
    def height(self) -> float:
        return RULE_LINES if self.rule else 1.0


@dataclass
class Panel:
    lines: list[CellLine]

    @property
    def width(self) -> int:
        return max((line.width for line in self.lines if not line.rule), default=0)

    @property
    def height(self) -> float:
        return sum(line.height for line in self.lines)


def panels(board: RenderableType) -> list[Panel]:
    """The panels of a board: each table is one, and so is what stands between two."""
    console = Console(
        file=StringIO(), width=LINE_CELLS, color_system="truecolor", highlight=False, legacy_windows=False
    )
    found: list[Panel] = []
    loose: list[CellLine] = []
    for part in _parts(board):
        lines = [line for segments in console.render_lines(part, pad=False) if (line := _line(segments)) is not None]
        if not isinstance(part, Table):
            loose += lines
            continue
        found += [Panel(loose)] if loose else []
        loose = []
        if part.title and lines:
            lines[0].title = True
        found.append(Panel(lines))
    found += [Panel(loose)] if loose else []
    for panel in found:
        _join(panel.lines)
    return found


def _parts(board: RenderableType) -> Iterator[RenderableType]:
    if isinstance(board, Group):
        for part in board.renderables:
            yield from _parts(part)
    else:
        yield board


def _line(segments: Iterable[Segment]) -> CellLine | None:
    """A line of the console; None for one that is empty."""
    line = CellLine()
    at = 0
    for text, style, control in segments:
        if control:
            continue
        bare = text.strip()
        if bare:
            before = cell_len(text) - cell_len(text.lstrip())
            line.runs.append(_run(at + before, bare, style or Style()))
        at += cell_len(text)
    if not line.runs:
        return None
    line.rule = all(set(run.text) <= RULE_CHARACTERS for run in line.runs) and line.width > 3
    line.chips = list(_chips(line.runs))
    return line


def _join(lines: Sequence[CellLine]) -> None:
    """Make one chip of a name and the signs under it, as maps have them."""
    for above, below in pairwise(lines):
        signs = {run.start for run in below.runs if not any(letter.isalnum() for letter in run.text)}
        for number, chip in enumerate(above.chips):
            under = next((one for one in below.chips if (one.start, one.colour) == (chip.start, chip.colour)), None)
            if under is not None and under.start in signs:
                above.chips[number] = Chip(chip.start, max(chip.end, under.end), chip.colour, 2)
                below.chips.remove(under)


def _run(start: int, text: str, style: Style) -> Run:
    colour = ink(style.color) if style.color is not None and not style.color.is_default else ""
    return Run(start, text, colour, bool(style.bold), bool(style.dim), bool(style.italic))


def _chips(runs: Iterable[Run]) -> Iterator[Chip]:
    """A chip for each coloured name, and for the bold number behind it."""
    chip: Chip | None = None
    for run in runs:
        end = run.start + cell_len(run.text)
        if chip is not None and run.start - chip.end <= 1 and run.colour in ("", chip.colour) and run.bold:
            chip = Chip(chip.start, end, chip.colour)
            continue
        if chip is not None:
            yield chip
        chip = Chip(run.start, end, run.colour) if run.colour else None
    if chip is not None:
        yield chip


def ink(colour: Color) -> str:
    """A colour of the terminal, darkened so that it can be read on paper."""
    red, green, blue = colour.get_truecolor(PAPER_INKS)
    while _contrast(red, green, blue) < LEAST_CONTRAST:
        red, green, blue = (round(part * 0.9) for part in (red, green, blue))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _contrast(red: int, green: int, blue: int) -> float:
    """The contrast to white paper, by the Web Content Accessibility Guidelines."""
    parts = (part / 255 for part in (red, green, blue))
    straight = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    light = 0.2126 * straight[0] + 0.7152 * straight[1] + 0.0722 * straight[2]
    return 1.05 / (light + 0.05)

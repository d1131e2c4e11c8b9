"""A position as a picture: one seat's view, drawn from the game's board in the terminal.

``svg`` writes it as SVG, for notebooks and pages; ``rgb`` as an array of pixels, for videos, with the packages of the
extra ``pictures``. What the board says in colour becomes a chip, a table a panel; so every game has pictures that has a
board, and a game without one is drawn field by field.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np
from rich.cells import cell_len

from ziggurat.core.errors import ZigguratError
from ziggurat.core.in_words import seat_names
from ziggurat.core.picture.cells import CellLine, Chip, panels
from ziggurat.core.picture.layout import GAP, HEAD_LINES, MARGIN, Placed, arranged
from ziggurat.core.text import catalogue
from ziggurat.core.trace import Phrase

if TYPE_CHECKING:
    from ziggurat.core.position import Position

SIZE = (1280, 960)
"""Pixels of a picture, as a video wants them all: the same, whatever there is to see."""
FONT_FAMILY = "'DejaVu Sans Mono', Menlo, Consolas, monospace"
FONT_FILES = ("mono.ttf", "mono-bold.ttf")

TEXT = 14.0
"""Height of the letters, and with that everything: a cell is as wide as a letter."""
CELL = TEXT * 0.60205
LINE = 20.0

TABLE, PAPER, EDGE, INK, FAINT, TITLE = "#e9e2d3", "#fffdf8", "#cbbfa6", "#2a2622", "#6e665b", "#8a3324"


class NoPictures(ZigguratError, ImportError):
    """Pixels need packages that are not installed."""

    code = "no_pictures"


def svg(position: Position, seat: int | None, language: str = "en", names: Sequence[str] | None = None) -> str:
    """A seat's (None: a spectator's) view as SVG of the size ``SIZE``.

    Args:
        language: ``en`` or ``hu``.
        names: of the seats; by default they are counted, from 1, as people do.

    Raises:
        NotYourTurn: when there is no such seat.
    """
    from ziggurat.core.board import board_of

    say = catalogue(language, position.game)
    name = seat_names(say, position, names)
    board = board_of(position.game.id).show(position.view(seat), say, name)
    ask = position.ask(seat)
    title = say("name") if position.game.text(language) else position.game.id
    asked = ""
    if position.finished:
        asked = say.say(_end(position.winners), name)
    elif ask is not None:
        asked = say.say(ask, name)
    return _drawn(arranged(panels(board)), title, asked)


def png(position: Position, seat: int | None, language: str = "en", names: Sequence[str] | None = None) -> bytes:
    """The same view as a PNG file. The same bytes by the same version of the package that draws, ``resvg_py``.

    Raises:
        NotYourTurn: when there is no such seat.
        NoPictures: where the packages for it are not installed.
    """
    return png_of(svg(position, seat, language, names))


def png_of(drawing: str) -> bytes:
    """A picture of ours in SVG as a PNG file.

    Raises:
        NoPictures: where the packages for it are not installed.
    """
    check_packages()
    import resvg_py

    drawn = resvg_py.svg_to_bytes(
        svg_string=drawing, font_files=_fonts(), skip_system_fonts=True, monospace_family="DejaVu Sans Mono"
    )
    return bytes(drawn)


def rgb(position: Position, seat: int | None, language: str = "en", names: Sequence[str] | None = None) -> np.ndarray:
    """The same view as pixels: uint8 of shape (height, width, 3).

    Raises:
        NotYourTurn: when there is no such seat.
        NoPictures: where the packages for it are not installed.
    """
    check_packages()
    from PIL import Image

    return np.array(Image.open(BytesIO(png(position, seat, language, names))).convert("RGB"))


def check_packages() -> None:
    """Refuse pixels where the packages for them are not installed.

    Raises:
        NoPictures.
    """
    if any(find_spec(name) is None for name in ("resvg_py", "PIL")):
        raise NoPictures("pictures of pixels need more packages: pip install 'ziggurat-games[pictures]'")


@cache
def _fonts() -> list[str]:
    """The bundled fonts: many compute servers have none, and all shall draw the same."""
    return [str(files(__package__) / font) for font in FONT_FILES]


def _end(winners: Sequence[int]) -> Phrase:
    return Phrase("ui.end.won", {"winners": list(winners)}) if winners else Phrase("ui.end.title", {})


def _drawn(placed: Sequence[Placed], title: str, asked: str) -> str:
    """The whole drawing, scaled to its size and centred."""
    head = MARGIN + max(1.4 * cell_len(title), cell_len(asked))
    right = max([head, *(one.x + one.width for one in placed)]) + MARGIN
    below = max((one.y + one.height for one in placed), default=0) + MARGIN
    width, height = right * CELL, below * LINE
    scale = min(SIZE[0] / width, SIZE[1] / height)
    across, down = abs(SIZE[0] - width * scale) / 2, abs(SIZE[1] - height * scale) / 2
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE[0]} {SIZE[1]}" width="{SIZE[0]}" '
        f'height="{SIZE[1]}" font-family="{FONT_FAMILY}" font-size="{TEXT:g}" xml:space="preserve">',
        f"<title>{_plain(title)}</title>",
        f'<rect width="{SIZE[0]}" height="{SIZE[1]}" fill="{TABLE}"/>',
        f'<g transform="translate({across:.2f} {down:.2f}) scale({scale:.4f})">',
        _text(MARGIN, MARGIN + HEAD_LINES / 2 - 0.5, title, TITLE, bold=True, size=1.4),
        _text(MARGIN, MARGIN + HEAD_LINES / 2 + 0.5, asked, INK),
    ]
    for one in placed:
        out += _panel(one)
    return "\n".join([*(part for part in out if part), "</g>", "</svg>", ""])


def _panel(placed: Placed) -> list[str]:
    x, y = placed.x, placed.y
    out = [_box(x, y, placed.width, placed.height, PAPER, edge=EDGE, corner=6)]
    row = y + GAP
    for line in placed.panel.lines:
        if line.rule:
            at = (row + 0.25) * LINE
            ends = (x + GAP) * CELL, (x + placed.width - GAP) * CELL
            out.append(f'<line x1="{ends[0]:.1f}" y1="{at:.1f}" x2="{ends[1]:.1f}" y2="{at:.1f}" stroke="{EDGE}"/>')
        else:
            out += _line(x + 2 * GAP, row, line)
        row += line.height
    return out


def _line(x: float, y: float, line: CellLine) -> list[str]:
    out = [_chip(x, y, chip) for chip in line.chips]
    for run in line.runs:
        colour = TITLE if line.title else run.colour or (FAINT if run.faint else INK)
        out.append(_text(x + run.start, y + 0.5, run.text, colour, bold=run.bold or line.title, slanted=run.slanted))
    return out


def _chip(x: float, y: float, chip: Chip) -> str:
    left, wide = x + chip.start - 0.4, chip.end - chip.start + 0.8
    return _box(left, y + 0.08, wide, chip.lines - 0.16, chip.colour, shade=0.14, corner=4)


def _box(
    x: float, y: float, width: float, height: float, fill: str, edge: str = "", shade: float = 1, corner: int = 0
) -> str:
    more = (f' stroke="{edge}"' if edge else "") + (f' fill-opacity="{shade:g}"' if shade < 1 else "")
    place = f'x="{x * CELL:.1f}" y="{y * LINE:.1f}" width="{width * CELL:.1f}" height="{height * LINE:.1f}"'
    return f'<rect {place} rx="{corner}" fill="{fill}"{more}/>'


def _text(
    x: float, y: float, text: str, colour: str, *, bold: bool = False, slanted: bool = False, size: float = 1
) -> str:
    """A text of so many cells: in any font it is stretched to its planned width."""
    if not text:
        return ""
    more = ' font-weight="bold"' if bold else ""
    more += ' font-style="italic"' if slanted else ""
    more += f' font-size="{TEXT * size:g}"' if size != 1 else ""
    width = f'textLength="{cell_len(text) * CELL * size:.1f}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="{x * CELL:.1f}" y="{y * LINE + TEXT * 0.36:.1f}" fill="{colour}" {width}{more}>{_plain(text)}</text>'
    )


def _plain(text: str) -> str:
    """A text that XML may hold, escaped."""
    return escape("".join(letter if letter.isprintable() else "�" for letter in text))

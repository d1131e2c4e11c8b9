"""Building blocks of reports: one HTML file with sections, tables and pictures that needs no other file and no network.

Plain strings are text and are escaped; :class:`Html` is taken as it is. Whatever a picture shows also stands in its
alternative text or in a table.

>>> from ziggurat.lab.report import page, section, table
>>> shown = page("Bots", "20 games", [section("Wins", "Of all games.", table(["bot", "wins"], [["greedy", "90%"]]))])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import NamedTuple

__all__ = ["Html", "Ruler", "Shaded", "estimate", "figures", "html", "more", "page", "section", "table", "write"]

DEEPEST_SHADE_PERCENT = 40
"""Per cent of the colour behind the number that is farthest from the middle: what is written on it stays readable."""
NAMING = 'th scope="row"'


class Html(str):
    """Text that is HTML already, and is not escaped."""

    __slots__ = ()


class Ruler(Html):
    """The head of a column of pictures, with their scale. Rows are not sorted by it."""

    __slots__ = ()


class Shaded(NamedTuple):
    """A cell of a table with a background colour.

    Attributes:
        content: what it says.
        share: from 0 to 1; one half has no colour, and what is on the other side of it has another one.
        title: what is said when one points at it.
    """

    content: str
    share: float
    title: str


def html(content: str) -> Html:
    """Return text as HTML."""
    return content if isinstance(content, Html) else Html(escape(content))


def page(title: str, facts: str, sections: Iterable[str]) -> str:
    """Return the whole page as HTML.

    Args:
        facts: a line below the title: what it was made with.
        sections: made by :func:`section`; empty ones are left out.
    """
    text = files("ziggurat.lab.report").joinpath("page.html").read_text(encoding="utf-8")
    return Template(text).substitute(title=escape(title), facts=html(facts), sections="\n".join(filter(None, sections)))


def section(title: str, *parts: str) -> Html:
    """Return a section with a title; each plain string in it is a paragraph, empty ones are left out."""
    return Html(f"<section><h2>{escape(title)}</h2>{_flow(parts)}</section>")


def more(summary: str, *parts: str) -> Html:
    """Return a block that opens when its summary is pressed."""
    return Html(f"<details><summary>{escape(summary)}</summary>{_flow(parts)}</details>")


def _flow(parts: Iterable[str]) -> str:
    return "".join(part if isinstance(part, Html) else f"<p>{escape(part)}</p>" for part in parts if part)


def figures(*drawn: tuple[str, Html]) -> Html:
    """Return small pictures side by side, as many as there is room for, each with the words below it."""
    each = (f"<figure>{picture}<figcaption>{html(words)}</figcaption></figure>" for words, picture in drawn)
    return Html(f'<div class="figures">{"".join(each)}</div>')


class Prose(str):
    """A cell of words: left-aligned, on as many lines as it needs."""

    __slots__ = ()


def table(heads: Sequence[str], rows: Iterable[Sequence[str | Shaded]]) -> Html:
    """Return a table. A press on a head sorts its rows by the column; that is what the script is for.

    Args:
        heads: of the columns; a column of pictures has a :class:`Ruler`, or none.
        rows: the first cell of each names it.
    """
    rows = list(rows)
    said = [isinstance(cell, Prose) for cell in rows[0]] if rows else [False] * len(heads)
    head = "".join(map(_head, heads, said))
    body = "".join(f"<tr>{_cell(first, NAMING)}{''.join(map(_cell, others))}</tr>" for first, *others in rows)
    return Html(f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>')


def _head(name: str, said: bool) -> str:
    if isinstance(name, Ruler):
        return f"<td>{name}</td>"
    kind = ' class="words"' if said else ""
    return f'<th scope="col"{kind}>{html(name)}</th>' if name else "<td></td>"


def _cell(cell: str | Shaded, kind: str = "td") -> str:
    end = kind.partition(" ")[0]
    if isinstance(cell, Prose):
        return f'<{kind} class="words">{html(str(cell))}</{end}>'
    if isinstance(cell, str):
        return f"<{kind}>{html(cell)}</{end}>"
    side = "more" if cell.share > 0.5 else "less"
    much = f"{2 * DEEPEST_SHADE_PERCENT * abs(cell.share - 0.5):.0f}%"
    return f'<{kind} class="{side}" style="--much: {much}" title="{escape(cell.title)}">{html(cell.content)}</{end}>'


def estimate(
    value: float, low: float | None, high: float | None, form: Callable[[float], str], star: bool = False
) -> Html:
    """Return a number with its interval in small print behind it, if there is one; empty where the number is none.

    Args:
        star: whether a star marks it.
    """
    if math.isnan(value):
        return Html()
    ends = "" if low is None or high is None else f" <small>{form(low)} to {form(high)}</small>"
    return Html(f"{form(value)}{'*' * star}{ends}")

"""The tables of every game's actions and events in docs/games, made from their declarations.

.venv/bin/python scripts/tables.py            writes them
.venv/bin/python scripts/tables.py --check    fails if one is not what would be written
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import ziggurat
from ziggurat import Game

ROOT = Path(__file__).resolve().parent.parent

ACTIONS = """# The actions of {name}

Every action has a number from 0 to {last}, which never changes; a decision lists those that are legal now. Numbers
follow each other as the values do, the last one varying fastest. What stands in braces in the notation may depend on
the position: a card is called by what lies there. The guides to [Python](../../python.md) and
[the event log](../../event-log.md) say how they are used.

{table}
"""


def pages(game: Game) -> Iterator[tuple[Path, str]]:
    """The pages that hold a game's tables, with what they should say."""
    folder = ROOT / "docs" / "games" / game.id
    name = game.text("en")["name"]
    yield folder / "actions.md", ACTIONS.format(name=name, last=game.space.size - 1, table=game.space.table())
    events = folder / "events.md"
    text = events.read_text(encoding="utf-8")
    # A function, because a table may hold what a pattern would take for its own.
    yield events, re.sub(r"\| event \| seat \|.*?(?=\n\n)", lambda _: game.events.table(), text, count=1, flags=re.S)


def stale() -> list[Path]:
    """The pages whose tables are not those of the declarations."""
    return [
        page
        for game in ziggurat.games().values()
        for page, text in pages(game)
        if not page.exists() or page.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        for page in stale():
            print(f"{page.relative_to(ROOT)} is not what the declarations say; run {Path(__file__).name}")
        return bool(stale())
    for game in ziggurat.games().values():
        for page, text in pages(game):
            page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

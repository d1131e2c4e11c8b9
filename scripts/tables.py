"""The tables of every game's actions, events, observations and facts in docs/games, made from their declarations; and
that of what programs may ask a server for in docs/programs.md, made from its routes; and that of the ladders that are
kept in docs/arena.md, made from them; and what CITATION.cff says of the versions of ladders and data sets.

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
from ziggurat.core.features import described, one_hot_size
from ziggurat.core.text import catalogue
from ziggurat.lab.arena.ladder import Ladder, digest, kept

ROOT = Path(__file__).resolve().parent.parent

ACTIONS = """# The actions of {name}

Every action has a number from 0 to {last}, which never changes; a decision lists those that are legal now. Numbers
follow each other as the values do, the last one varying fastest. What stands in braces in the notation may depend on
the position: a card is called by what lies there. The guides to [Python](../../python.md) and
[the event log](../../event-log.md) say how they are used.

{table}
"""

OBSERVATIONS = """# What a seat of {name} observes

The columns of `position.observe(seat)` and of the vector interface, in order. Player 0 observes, the others follow
clockwise; a spectator observes in the place of the first seat, and what only a seat knows is 0 for it.

A number is more or less of something, the values of a category are only different, bits are a set. In the one-hot form
a number is one place, divided by its largest value, a category has a place for every value, bits one for each. Bounds
are those of the printed components. The guide to [Python](../../python.md#observations) says how they are used.

Version {version}: observations of another version have other columns.

{sizes}
{tables}
"""


def observations(game: Game) -> str:
    """The page of a game's columns: a table for each size at which others than those of further players are there."""
    sizes = ["| players | columns | one-hot places |", "|---|---|---|"]
    tables, shown = [], set()
    for players in range(game.min_players, game.max_players + 1):
        features = game.features(players)
        sizes.append(f"| {players} | {len(features)} | {one_hot_size(features)} |")
        kinds = frozenset(feature.name for feature in features if not re.match(r"player\.[1-9]", feature.name))
        if kinds not in shown:
            shown.add(kinds)
            tables.append(f"## With {players} player{'s' * (players > 1)}\n\n{described(features)}")
    return OBSERVATIONS.format(
        name=catalogue("en", game)("name"),
        version=f"`{game.features_version}`",
        sizes="\n".join(sizes) + "\n",
        tables="\n\n".join(tables),
    )


FACTS = """# What is known of a finished game of {name}

`ziggurat study` and `ziggurat simulate --out` write a row for every player and game, with these columns besides those
that all games have (the [guide to studies](../../studies.md) names them). Turns are counted from 1; a first time that
never came, and a category that none was of, is missing. The points by part add up to the score.

{table}
"""


def pages(game: Game) -> Iterator[tuple[Path, str]]:
    """The pages that hold a game's tables, with what they should say."""
    folder = ROOT / "docs" / "games" / game.id
    if not folder.is_dir():  # this game has no rules in words yet
        return
    name = catalogue("en", game)("name")
    yield folder / "actions.md", ACTIONS.format(name=name, last=game.space.size - 1, table=game.space.table())
    yield folder / "observations.md", observations(game)
    if game.facts:
        yield folder / "facts.md", FACTS.format(name=name, table=game.facts.table())
    events = folder / "events.md"
    if events.exists():
        text = events.read_text(encoding="utf-8")
        # A function, because a table may hold what a pattern would take for its own.
        table = r"\| event \| seat \|.*?(?=\n\n)"
        yield events, re.sub(table, lambda _: game.events.table(), text, count=1, flags=re.DOTALL)


def programs() -> tuple[Path, str]:
    """The page for programs, with the table of what they may ask for."""
    from ziggurat.server.app import ENDPOINTS, HANDLERS

    summaries = {
        (str(method), path): one.summary for one in HANDLERS for method in one.http_methods for path in one.paths
    }
    rows = ["| request | tokens | what it does |", "|---|---|---|"]
    for (method, path), endpoint in ENDPOINTS.items():
        if endpoint.programs and path.startswith("/api/"):
            shown = re.sub(r"\{(\w+):\w+\}", r"{\1}", path)
            rows.append(f"| `{method} {shown}` | {', '.join(endpoint.programs)} | {summaries[method, path]} |")
    page = ROOT / "docs" / "programs.md"
    table = r"\| request \| tokens \|.*?(?=\n\n)"
    text = page.read_text(encoding="utf-8")
    return page, re.sub(table, lambda _: "\n".join(rows), text, count=1, flags=re.DOTALL)


def ladders() -> tuple[Path, str]:
    """The page of the arena, with the table of the ladders that are kept; rows of games that are not here stay."""
    page = ROOT / "docs" / "arena.md"
    text = page.read_text(encoding="utf-8")
    found = re.search(r"(?<=\n)\| game, seats: games \|.*?(?=\n\n)", text, flags=re.DOTALL)
    assert found is not None
    head, line, *rows = found[0].splitlines()
    bots = [bot.strip() for bot in head.strip("| ").split(" | ")[1:-1]]
    by_game: dict[str, list[str]] = {}
    for row in rows:
        by_game.setdefault(row[2 : row.index(",")], []).append(row)
    for game in ziggurat.registered_games().values():
        name = catalogue("en", game)("name")
        if known := kept(game):
            by_game[name] = [ladder_row(name, one, bots) for one in known]
    made = "\n".join([head, line, *(row for rows in by_game.values() for row in rows)])
    return page, text[: found.start()] + made + text[found.end() :]


def ladder_row(name: str, ladder: Ladder, bots: list[str]) -> str:
    """A line of the table of ladders: ratings with half the width of their intervals, and what it cost."""
    known = {anchor.name: anchor for anchor in ladder.anchors}
    said = [f"{name}, {ladder.players}: {ladder.games}"]
    for bot in bots:
        wide = f" ± {(known[bot].high - known[bot].low) / 2:.0f}" if known[bot].low < known[bot].high else ""
        said.append(f"{round(known[bot].rating)}{wide}")
    return f"| {' | '.join([*said, str(round(ladder.seconds))])} |"


REFERENCE = """  - type: data
    title: "{title}"
    authors:
      - name: The Ziggurat authors
    version: "{version}"
    notes: "{notes}"
"""
LADDERS_NOTES = "By number of players: the digest that `ziggurat arena show` and a results file say."
DATA_NOTES = "What `ziggurat dataset` writes of this game; docs/versions.md says which of these must agree."


def citation() -> tuple[Path, str]:
    """CITATION.cff, with the versions of ladders and data sets; what is said of games that are not here stays."""
    page = ROOT / "CITATION.cff"
    head, _, rest = page.read_text(encoding="utf-8").partition("references:\n")
    known = {block.splitlines()[1]: block for block in re.findall(r"  - type:.*\n(?:    .*\n)+", rest)}
    for game in ziggurat.registered_games().values():
        name, parts = catalogue("en", game)("name"), ziggurat.versions(game)
        said = {
            "rules": parts["rules"],
            **{part: parts[part][:12] for part in ("components", "actions", "observations")},
        }
        ladders = [f"{one.players}: {digest(one)}" for one in kept(game)]
        blocks = [REFERENCE.format(title=f"Data sets of {name}", version=and_so_on(said), notes=DATA_NOTES)]
        if ladders:
            version = f"rules {game.version}; {', '.join(ladders)}"
            blocks.append(REFERENCE.format(title=f"Ladders of {name}", version=version, notes=LADDERS_NOTES))
        known |= {block.splitlines()[1]: block for block in blocks}
    return page, f"{head}references:\n{''.join(known[title] for title in sorted(known))}"


def and_so_on(parts: dict[str, str]) -> str:
    """Versions by name, as text."""
    return ", ".join(f"{name} {version}" for name, version in parts.items())


def all_pages() -> Iterator[tuple[Path, str]]:
    """All pages with tables, with what they should say."""
    for game in ziggurat.registered_games().values():
        yield from pages(game)
    yield programs()
    yield ladders()
    yield citation()


def stale() -> list[Path]:
    """The pages whose tables are not those of the declarations."""
    return [page for page, text in all_pages() if not page.exists() or page.read_text(encoding="utf-8") != text]


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        for page in stale():
            print(f"{page.relative_to(ROOT)} is not what the declarations say; run {Path(__file__).name}")
        return bool(stale())
    for page, text in all_pages():
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``ziggurat check-game``: how complete a game is, and whether it passes its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from ziggurat.cli.files import source_tree
from ziggurat.cli.options import game_argument
from ziggurat.cli.progress import prepare, progress
from ziggurat.cli.proof import conclude
from ziggurat.core.languages import LANGUAGES

if TYPE_CHECKING:
    from ziggurat.core.game import Game

NEEDED = "state.py, choices.py, rules.py, __init__.py"


class GamePart(NamedTuple):
    """An optional part of a game.

    Attributes:
        name: what it is called.
        where: its files, in the folder of the game or in the source tree.
        brings: what it is good for.
        has: tells whether a game has it.
    """

    name: str
    where: str
    brings: str
    has: Callable[[Game], bool]


@click.command("check-game")
@game_argument
@click.option("--games", type=click.IntRange(1), default=10, show_default=True, help="Games to play, at least.")
@click.option("--seed", type=int, default=1, show_default=True, help="All chance of the check follows from it.")
@click.option("--interpreted", is_flag=True, help="Do not compile the rules: sooner done after every change.")
def command(game: str, games: int, seed: int, interpreted: bool) -> int:
    """Show what GAME has, what is missing and what it may have, then check its rules.

    Whole games are played at random, at every table size and with every option, and looked at from all sides after
    every action (docs/adding-a-game.md says what is checked).
    Exit code 0: nothing is wrong in what was judged; 1: something is missing or wrong, and what.
    """
    import ziggurat
    from ziggurat.core import registry
    from ziggurat.core.errors import BrokenGame, FileError
    from ziggurat.testing import check_declaration, check_game, games_of

    if game not in registry.names():
        ziggurat.game(game)
    try:
        chosen = registry.game(game)
    except BrokenGame as error:
        click.echo(
            f"{game} cannot be played yet: a game begins with {NEEDED}, and with belief.py where it hides something"
        )
        click.echo(f"missing   {error}")
        return 1
    missing, pages = list(_missing_words(chosen)), list(_missing_pages(chosen))
    try:
        _show(chosen, missing, pages)
    except FileError as error:
        click.echo(f"wrong     {error}")
        return 1
    try:
        check_declaration(chosen)  # before anything is compiled: the compiler says less of what is wrong
        if not interpreted:
            prepare(chosen)
        with progress(f"{game}: checking", games_of(chosen, games)) as advance:
            proof = check_game(
                chosen, games=games, seed=seed, compiled=not interpreted, progress=lambda done, all: advance(1)
            )
    except AssertionError as error:
        click.echo(f"wrong     {error}")
        return 1
    if pages:
        click.echo(f"missing   {', '.join(pages)}")
        return 1
    click.echo(f"{game}: nothing is wrong in what was judged")
    return conclude(game, proof)


def _show(game: Game, missing: list[str], pages: list[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("", "part", "where", "what it brings"):
        table.add_column(title, overflow="fold")
    size = f"{game.min_players} to {game.max_players} players, {game.actions} actions, {game.record.itemsize} bytes"
    table.add_row("done", "rules", NEEDED, size)
    found = [(part.has(game), part) for part in PARTS]
    for done in (True, False):
        for has, part in found:
            if has is done:
                table.add_row("done" if done else "optional", part.name, part.where, part.brings)
    for what in missing:
        table.add_row("missing", "words", "text/", what)
    for page in pages:
        table.add_row("missing", "rules in words", page, "a folder with rules has it (section 10)")
    console = Console(highlight=False)
    console.width = max(console.width, 100)
    console.print(table)


def _missing_words(game: Game) -> Iterator[str]:
    """Yield the missing words of a game that has words."""
    from ziggurat.testing.declared import needed_words
    from ziggurat.testing.words import has_words

    if has_words(game):
        yield from (repr(key) for key in needed_words(game) if key not in game.text(LANGUAGES[0]))


RULES_PAGES = (
    *(f"rules.{language}.md" for language in LANGUAGES),
    *(f"{page}.md" for page in ("events", "actions", "observations")),
    "scenario.toml",
)
"""What a folder of rules in words has: the tests ask for all of it."""


def _missing_pages(game: Game) -> Iterator[str]:
    """Yield the missing files of a game's folder of rules in words, if it has one."""
    root = source_tree()
    folder = root / "docs" / "games" / game.id if root is not None else None
    if folder is not None and folder.is_dir():
        yield from (f"docs/games/{game.id}/{name}" for name in RULES_PAGES if not (folder / name).is_file())


def _own(field: str) -> Callable[[Game], bool]:
    """Whether a game has a reader of its own instead of the usual one."""

    def has(game: Game) -> bool:
        from ziggurat.core import usual

        return getattr(game, field) is not usual.FIXED[field]

    return has


def _file(*path: str) -> Callable[[Game], bool]:
    return lambda game: game.folder.joinpath(*path).is_file()


def _tree(*path: str) -> Callable[[Game], bool]:
    """Whether a path is in the source tree; an installed package has less."""

    def has(game: Game) -> bool:
        root = source_tree()
        return root is not None and root.joinpath(*path, game.id).exists()

    return has


def _has_rules_text(game: Game) -> bool:
    from ziggurat.core.text import rules_file

    return rules_file(game.id, "en") is not None


def _has_secrets(game: Game) -> bool:
    from ziggurat.testing.declared import hides_something

    return hides_something(game)


def _has_heuristic(game: Game) -> bool:
    from ziggurat.testing.declared import has_heuristic

    return has_heuristic(game)


def _has_lessons(game: Game) -> bool:
    from ziggurat.core.lesson import lessons

    return bool(lessons(game))


def _has_puzzles(game: Game) -> bool:
    from ziggurat.core.puzzle import book

    return bool(book(game))


PARTS = (
    GamePart("tests", "tests/games/<id>/", "its rules stay as they are meant", _tree("tests", "games")),
    GamePart(
        "words",
        ", ".join(f"text/{language}.json" for language in LANGUAGES),
        "sentences instead of the names in the code",
        lambda game: bool(game.text("en")),
    ),
    GamePart(
        "options", "state.py: OPTIONS", "rules that the people at a table choose", lambda game: bool(game.options)
    ),
    GamePart(
        "components", "components.toml, components.py", "printed numbers that people change", _file("components.toml")
    ),
    GamePart("refusals", "actions.py: refusals", "why something is not possible", _own("refusals")),
    GamePart("moves", "actions.py: in_move, preview", "moves of several steps", _own("in_move")),
    GamePart("belief", "state.py: FIELDS, or belief.py", "secrets, and what bots suppose of them", _has_secrets),
    GamePart("heuristic", "heuristics.py", "bots that play sensibly, alone and in a search", _has_heuristic),
    GamePart(
        "weights",
        "weights.toml, heuristics.py: WEIGHTS",
        "a heuristic that ziggurat tune improves",
        lambda game: bool(game.weight_names),
    ),
    GamePart("inputs", "network/", "ziggurat learn: a network for the search", lambda game: game.inputs is not None),
    GamePart("network", "network/network.npz", "bots that have learned", _file("network", "network.npz")),
    GamePart("parts", "reasons.py", "why a move is good, where points come from", lambda game: game.parts is not None),
    GamePart(
        "facts", "facts.py", "ziggurat study, and more columns of simulate --out", lambda game: game.facts is not None
    ),
    GamePart("about", "text/what/, about.py", "answers to: What is this?", _file("text", "what", "en.json")),
    GamePart(
        "scenarios", "state.py: FIELDS, or scenario.py", "positions that a person writes", _own("arrange_scenario")
    ),
    GamePart("lessons", "lessons/", "people learn it by doing", _has_lessons),
    GamePart("puzzles", "puzzles.xz", "find the move", _has_puzzles),
    GamePart("judge", "judged.py", "a machine judges what others write from its rules", _file("judged.py")),
    GamePart("anchors", "anchors.json", "a ladder on which the arena places agents", _file("anchors.json")),
    GamePart("terminal", "terminal.py", "a table of its own in the terminal", _file("terminal.py")),
    GamePart("board", "web/src/games/<id>/", "a board of its own in the browser", _tree("web", "src", "games")),
    GamePart("rules in words", "docs/games/<id>/", "rules a click away from the board", _has_rules_text),
)

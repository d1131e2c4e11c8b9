"""``ziggurat new-game``: the scaffold of a game."""

from __future__ import annotations

import re
from keyword import iskeyword
from pathlib import Path

import click

from ziggurat.cli.files import CommandProblem, reason, source_tree

SAMPLE = "ziggurat.testing.sample"
"""A small game that can be played, and is copied."""
LONGEST_ID = 24
SOURCES, TESTS = "src/ziggurat/games", "tests/games"
FOLDERS = (SOURCES, TESTS, "docs/games", "web/src/games", "benchmarks/games")
"""Where games have folders."""
TEST_TEMPLATE = '''"""The rules of {title}: what must hold in every game, and what each rule says."""

from __future__ import annotations

import ziggurat
from ziggurat.testing import check_game


def test_the_checker() -> None:
    check_game("{id}")


def test_everybody_is_dealt_three_cards_and_sees_no_others() -> None:
    game = ziggurat.new("{id}", players=2, seed=1)
    mine, other = game.view(0).seats
    assert sum(mine.hand.values()) == 3
    assert other.hand is None


def test_the_highest_card_wins_the_round() -> None:
    game = ziggurat.new("{id}", players=2, seed=1)
    hands = [game.view(seat).seats[seat].hand for seat in (0, 1)]
    lowest = [min(int(card) for card, count in hand.items() if count) for hand in hands]
    for seat in (0, 1):
        game.play_all(seat, game.read_move(f"lay {{lowest[seat]}}", seat))
    assert game.scores == [int(lowest[0] > lowest[1]), int(lowest[1] > lowest[0])]
'''


@click.command("new-game")
@click.argument("game", metavar="ID")
def command(game: str) -> None:
    """Lay the files of a small game called ID, which can be played at once, and turn it into yours.

    ID is a short name in small letters, a word that the program does not use otherwise. The rules come into
    src/ziggurat/games/ID of the source tree in which this runs, their test into tests/games/ID. docs/adding-a-game.md
    goes on from there.
    """
    root = _root()
    _check_name(game, root)
    folder, tests = root / SOURCES / game, root / TESTS / game
    made = {folder / name: text for name, text in _sample(game).items()}
    made[tests / "test_rules.py"] = TEST_TEMPLATE.format(id=game, title=_title(game))
    try:
        for path, text in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            click.echo(path.relative_to(root).as_posix())
    except OSError as error:
        raise CommandProblem(f"cannot write {error.filename}: {reason(error)}") from None
    click.echo(
        f"Try it: ziggurat simulate {game} --games 100, then change it. ziggurat check-game {game} says how far it is."
    )


def _root() -> Path:
    """Return the source tree, where a game is made."""
    root = source_tree()
    if root is None:
        raise CommandProblem(
            "a game is made in a source tree of ziggurat, and this one is installed: see CONTRIBUTING.md"
        )
    return root


def _check_name(game: str, root: Path) -> None:
    from ziggurat.testing.named import names_in, outside

    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", game) or len(game) > LONGEST_ID or iskeyword(game):
        raise CommandProblem(
            f"{game!r:.60} is no id of a game: up to {LONGEST_ID} small letters and digits, with a letter first, and"
            " single underscores between words"
        )
    for folder in FOLDERS:
        if (root / folder / game).exists():
            raise CommandProblem(f"there is a game {game!r} already: {folder}/{game}")
    for path in outside(root, [game]):
        if names_in(path, path.read_text(encoding="utf-8"), [game]):
            raise CommandProblem(
                f"{game!r} is a word that {path.relative_to(root).as_posix()} uses already, and a test looks for the"
                " names of games outside their folders: choose another one"
            )


def _sample(game: str) -> dict[str, str]:
    """Return the files of the sample under another name."""
    from importlib.resources import files

    found = {}
    for file in sorted(files(SAMPLE).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py"):
            text = file.read_text(encoding="utf-8")
            found[file.name] = text.replace(SAMPLE, f"ziggurat.games.{game}").replace("Sample", _title(game))
    return found


def _title(game: str) -> str:
    return game.replace("_", " ").title()

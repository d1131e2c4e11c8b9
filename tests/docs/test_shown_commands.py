"""The commands that the documentation shows can be given: they are there, with the options that stand beside them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import click
from tests.docs.pages import PAGES, ROOT

from ziggurat.cli.app import COMMANDS, module_of

# Lines that are indented, or in a block for a terminal; and what stands in a sentence as code.
SHOWN = re.compile(
    r"^(?:    |\$ ?)((?:\S*/)?(?:ziggurat|play|test|python3?) .+)$|`((?:\S*/)?(?:ziggurat|play|python3?) [^`\n]+)`",
    re.MULTILINE,
)
GLOBAL = {"--help", "-h", "--version"}


@cache
def options(name: str, *more: str) -> set[str]:
    """The options of a command; `more`: what follows, of which the first names the command within a group, if the group
    has no usual one."""
    command: click.Command = import_module(module_of(name)).command
    inner = None
    if isinstance(command, click.Group) and more:
        inner = command.commands.get(more[0]) or command.commands.get(getattr(command, "usual", ""))
    params = [*command.params, *(inner.params if inner is not None else ())]
    return GLOBAL | {text for one in params for text in (*one.opts, *one.secondary_opts) if text.startswith("-")}


def commands(page: Path) -> Iterator[list[str]]:
    for match in SHOWN.finditer(page.read_text(encoding="utf-8")):
        line = (match[1] or match[2]).split("  ")[0].split(" # ")[0].rstrip("\\")
        try:
            words = shlex.split(line)
        except ValueError:  # half a sentence in quotes
            continue
        yield words


def wrong(words: list[str]) -> str | None:
    """What a command names that there is not."""
    program, *rest = words
    name = program.rsplit("/", 1)[-1]
    if name.startswith("python"):
        if rest[0] == "-m" and rest[1].split(".")[0] in ("benchmarks", "tests", "ziggurat"):
            place = ROOT / ("src" if rest[1].startswith("ziggurat") else ".") / rest[1].replace(".", "/")
            return None if place.with_suffix(".py").exists() or place.is_dir() else rest[1]
        script = next(
            (
                word
                for word in rest
                if word.endswith(".py") and word.startswith(("scripts/", "benchmarks/", "examples/"))
            ),
            None,
        )
        return script if script and not (ROOT / script).exists() else None
    if name == "test":
        return None  # what pytest makes of it
    if name == "play":
        rest = ["serve", *rest]
    given = {word.split("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
    if rest[0].startswith("-"):
        return next(iter(given - GLOBAL), None)
    if not re.fullmatch(r"[a-z-]+", rest[0]):  # COMMAND, an ellipsis
        return None
    return rest[0] if rest[0] not in COMMANDS else next(iter(given - options(*rest)), None)


def test_a_command_that_is_shown_can_be_given() -> None:
    shown = [(page.name, words) for page in PAGES for words in commands(page)]
    assert len(shown) > 60
    assert [(page, shlex.join(words), found) for page, words in shown if (found := wrong(words))] == []


def test_a_command_that_is_not_there_is_found() -> None:
    for line, said in (
        ("ziggurat simulate GAME --gmaes 3", "--gmaes"),
        (".venv/bin/ziggurat simulat GAME", "simulat"),
        ("./play --hots 0.0.0.0", "--hots"),
        ("python scripts/sight.py", "scripts/sight.py"),
        ("python -m benchmarks.nothing", "benchmarks.nothing"),
    ):
        assert wrong(line.split()) == said

"""Engines that one can judge at once: our own rules, with or without a mistake in them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from ziggurat.core.errors import ZigguratError
from ziggurat.core.game import Game
from ziggurat.core.whole_files import write_whole
from ziggurat.lab.rulebook.engines import own_command
from ziggurat.lab.rulebook.own import mistakes_in


class NoMistake(ZigguratError):
    """There is no such mistake to be planted."""

    code = "no_mistake"


def write_own(game: Game, folder: Path, mistake: str | None = None, hide: str | None = None) -> Path:
    """Write an engine that is our own rules; return its file.

    Args:
        mistake: the file of mistakes and the name of one of them, ``mistakes.toml:take-six``.
        hide: the seed of names that are hidden.

    Raises:
        NoMistake: when there is none of that name.
        OSError: when it cannot be written.
    """
    words: list[str] = []
    if mistake is not None:
        file, _, name = mistake.rpartition(":")
        try:
            known = [one.name for one in mistakes_in(Path(file))]
        except OSError as error:
            raise NoMistake(f"cannot read {file or mistake}: {(error.strerror or str(error)).lower()}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
            raise NoMistake(f"{file} is no file of mistakes: {str(error)[:100]}") from None
        if name not in known:
            raise NoMistake(f"{file} has no mistake {name!r}; it has: {', '.join(known)}")
        words = [str(Path(file).absolute()), name]
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "engine.json"
    write_whole(made, json.dumps({"command": own_command(game.id, words, hide)}, indent=2) + "\n")
    return made

"""Runs an engine for the judge: a class in `engine.py`, or a program of any language. It knows nothing of our rules.

It is started in a process of its own, in Python without any packages. What it takes: JSON lines on standard input, as
docs/benchmark-rules.md has them. What an engine prints goes to standard error.
"""

from __future__ import annotations

import copy
import json
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

KEPT_NAMES = ("PATH", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "SYSTEMROOT")


def limit_memory(mebibytes: int) -> None:
    try:
        import resource

        size = mebibytes << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass  # a system that offers no such thing


def told(error: BaseException) -> str:
    """An error in one line, with where in the engine it was."""
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or 'engine.py').name}, line {error.lineno}: {error.msg}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno}, {frames[-1].name})" if frames else ""
    words = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}{': ' + words if words else ''}{where}"


class AskedChance:
    """What an engine asks whenever chance decides."""

    def __init__(self, lines: Iterator[str], out: TextIO) -> None:
        self._lines, self._out = lines, out

    def __deepcopy__(self, memo: dict[int, Any]) -> AskedChance:
        return self

    def shuffle(self, name: str, cards: Sequence[str]) -> list[str]:
        """Return the same cards in the order in which they lie now, the first one on top."""
        order: list[str] = self._asked({"ask": "shuffle", "name": name, "cards": list(cards)})["order"]
        return order

    def draw(self, name: str, of: int) -> int:
        """Return a number from 0 to ``of`` - 1."""
        drawn: int = self._asked({"ask": "draw", "name": name, "of": of})["drawn"]
        return drawn

    def _asked(self, question: Mapping[str, Any]) -> Any:
        say(self._out, question)
        answer = json.loads(next(self._lines))
        if "no" in answer:
            raise RuntimeError(answer["no"])
        return answer


def say(out: TextIO, what: Mapping[str, Any]) -> None:
    out.write(json.dumps(what, separators=(",", ":")) + "\n")
    out.flush()


def look(game: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that the judge wants to know of a game now."""
    actors = list(game.actors())
    return {
        "actors": actors,
        "legal": {str(seat): list(game.legal(seat)) for seat in actors} if asked.get("legal", True) else {},
        "views": [game.view(seat) for seat in asked.get("views", ())],
        "result": None if actors else game.result(),
    }


def serve(lines: Iterator[str], out: TextIO) -> None:
    sys.path.insert(0, str(Path.cwd()))
    sys.dont_write_bytecode = True
    games: dict[int, Any] = {}
    chance = AskedChance(lines, out)
    json.loads(next(lines))  # the hello
    try:
        Engine = import_module("engine").Engine
    except BaseException as error:
        say(out, {"error": told(error)})
        return
    say(out, {"ready": True})
    for line in lines:
        asked = json.loads(line)
        what, number = asked["do"], asked.get("game")
        try:
            if what == "new":
                games.clear()
                games[number] = Engine(asked["players"], asked["options"], chance)
            elif what == "play":
                games[number].play(asked["seat"], asked["action"])
            elif what == "copy":
                games[asked["as"]] = copy.deepcopy(games[number])
                say(out, {})
                continue
            elif what == "drop":
                del games[number]
                say(out, {})
                continue
            answer = look(games[number], asked)
            text = json.dumps(answer)
        except (Exception, SystemExit) as error:
            say(out, {"error": told(error)})
            continue
        out.write(text + "\n")
        out.flush()


def main(arguments: list[str]) -> None:
    memory, folder, *command = arguments
    os.chdir(folder)
    environment = {name: os.environ[name] for name in KEPT_NAMES if name in os.environ}
    environment["HOME"] = str(Path.cwd())
    limit_memory(int(memory))
    if command:
        try:
            os.execvpe(command[0], command, environment)
        except OSError as error:
            sys.exit(f"{command[0]}: {(error.strerror or str(error)).lower()}")
    os.environ.clear()
    os.environ.update(environment)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(iter(sys.stdin), out)


if __name__ == "__main__":
    main(sys.argv[1:])

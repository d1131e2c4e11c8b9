"""Our own rules as an engine: the baseline that scores 1. With a mistake planted in them, one that scores less.

    python -m ziggurat.lab.rulebook.own GAME [--hide SEED] [FILE NAME]

FILE is in TOML: a list ``mistakes``, each with a ``name``, a ``file`` of the game's folder, the text ``old`` that is
there once, and the text ``new`` that comes instead.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from ziggurat.lab.rulebook.names import HiddenNames

COMPONENTS = "components.toml"


@dataclass(frozen=True)
class Mistake:
    """A mistake in a game's rules: a text in one of its files, and what comes instead.

    Attributes:
        said: what is wrong, in English.
        rule: the section of the rules that a judge has to name, by its heading in English.
    """

    name: str
    said: str
    rule: str
    file: str
    old: str
    new: str

    def made(self, text: str) -> str:
        """The text of the file with the mistake in it.

        Raises:
            ValueError: when the old text is not there, or not once.
        """
        found = text.count(self.old)
        if found != 1:
            raise ValueError(f"mistake {self.name}: its text is {found} times in {self.file}, not once")
        return text.replace(self.old, self.new)


def mistakes_in(file: Path) -> list[Mistake]:
    """The mistakes of a file."""
    return [Mistake(**one) for one in tomllib.loads(file.read_text(encoding="utf-8"))["mistakes"]]


class _Mistaken(SourceFileLoader):
    """Loads a module with a mistake in it; nothing of it is kept on disk."""

    mistake: Mistake

    def get_code(self, fullname: str) -> Any:
        source = self.mistake.made(Path(self.path).read_text(encoding="utf-8"))
        return compile(source, self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, module: str, mistake: Mistake) -> None:
        self._module, self._mistake = module, mistake

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self._module:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.origin is None:
            return None
        spec.loader = _Mistaken(name, spec.origin)
        spec.loader.mistake = self._mistake
        return spec


class Asking:
    """A dealer that asks the judge."""

    def __init__(self, lines: Iterator[str], out: TextIO) -> None:
        self._lines, self._out = lines, out

    def shuffle(self, name: str, items: list[str]) -> list[int]:
        from ziggurat.lab.rulebook.exam import places_of

        return places_of(self._asked({"ask": "shuffle", "name": name, "cards": items})["order"], items)

    def draw(self, name: str, of: int) -> int:
        drawn: int = self._asked({"ask": "draw", "name": name, "of": of})["drawn"]
        return drawn

    def _asked(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        _say(self._out, question)
        answer: Mapping[str, Any] = json.loads(next(self._lines))
        if "no" in answer:
            raise RuntimeError(answer["no"])
        return answer


def _say(out: TextIO, what: Mapping[str, Any]) -> None:
    out.write(json.dumps(what, separators=(",", ":")) + "\n")
    out.flush()


class _Hidden:
    """The judge's lines in our names, and ours in the names that it knows."""

    def __init__(self, names: HiddenNames, lines: Iterator[str], out: TextIO) -> None:
        self._names, self._lines, self._out = names, lines, out

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return json.dumps(self._names.reveal(json.loads(next(self._lines))))

    def write(self, line: str) -> int:
        return self._out.write(json.dumps(self._names.hide(json.loads(line))) + "\n")

    def flush(self) -> None:
        self._out.flush()


def serve(game: str, mistake: Mistake | None, lines: Iterator[str], out: TextIO, hide: str | None = None) -> None:
    """Answer the judge until there are no more questions."""
    if mistake is not None and mistake.file != COMPONENTS:
        module = ".".join(("ziggurat.games", game, *Path(mistake.file).with_suffix("").parts))
        sys.meta_path.insert(0, _Finder(module, mistake))
    import ziggurat
    from ziggurat.lab.rulebook.world import Rules, World

    chosen = ziggurat.game(game)
    if hide is not None:
        from ziggurat.lab.rulebook.brief import hidden_names

        hidden = _Hidden(hidden_names(chosen, hide), lines, out)
        lines, out = hidden, cast(TextIO, hidden)
    components = None
    if mistake is not None and mistake.file == COMPONENTS:
        components = chosen.load_components(mistake.made(chosen.components_text()))
    rules, dealer, worlds = Rules(chosen, components), Asking(lines, out), dict[int, World]()
    next(lines)  # the hello
    _say(out, {"ready": True})
    for line in lines:
        asked = json.loads(line)
        what, number = asked["do"], asked.get("game", 0)
        try:
            if what == "new":
                worlds.clear()
                worlds[number] = World(rules, asked["players"], asked["options"], dealer)
            elif what == "play":
                world, seat = worlds[number], asked["seat"]
                action = world.actions(seat).get(asked["action"])
                if action is None:
                    raise ValueError(f"seat {seat} may not do {asked['action']!r}")
                world.play(seat, action, dealer)
            elif what == "copy":
                worlds[asked["as"]] = worlds[number].copy()
                _say(out, {})
                continue
            elif what == "drop":
                del worlds[number]
                _say(out, {})
                continue
            world = worlds[number]
            legal = {str(seat): list(world.actions(seat)) for seat in world.actors} if asked.get("legal", True) else {}
            look = {
                "actors": world.actors,
                "legal": legal,
                "views": world.views(asked.get("views", [])),
                "result": world.result(),
            }
        except Exception as error:
            _say(out, {"error": f"{type(error).__name__}: {error}"})
            continue
        _say(out, look)


def main(arguments: list[str]) -> None:
    game, *where = arguments
    hide = None
    if where[:1] == ["--hide"]:
        hide, where = where[1], where[2:]
    mistake = next(one for one in mistakes_in(Path(where[0])) if one.name == where[1]) if where else None
    serve(game, mistake, iter(sys.stdin), sys.stdout, hide)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Tries Ziggurat as it is installed for the Python that runs this: nothing of a source tree is used.

    cd /tmp && /path/to/venv/bin/python -I .../scripts/installed.py [--compile] [--all]

Imports every module, reads every file of data, plays each game, calls every command and starts the server. `--compile`:
also games by compiled rules. `--all`: the extras are installed, so that every import has to succeed.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.metadata import metadata, requires
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("ziggurat")
DISTRIBUTION = "ziggurat-games"
"""What is installed; it is imported and called as ziggurat."""
OTHERWISE = {"pyspiel": "open_spiel"}
"""Modules that are not named as what brings them."""
OTHERS = {"kaggle_environments", "openenv", "textarena"}
"""What no extra brings: the programs of other people's arenas, with versions of libraries of their own."""
STARTED = 120.0
"""Seconds in which the server has started on a slow machine."""


def said(*arguments: str) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"ziggurat {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def where() -> Iterator[str]:
    """It is that of this environment, and says so."""
    import ziggurat

    home = Path(str(ziggurat.__file__)).parent
    assert home.is_relative_to(sys.prefix), f"this is the Ziggurat of {home}, not of {sys.prefix}"
    assert (home / "py.typed").exists(), "py.typed is missing: nobody's type checker would look at it"
    assert said("--version") == f"ziggurat {metadata(DISTRIBUTION)['Version']}\n"
    yield f"ziggurat {ziggurat.__version__} for Python {sys.version.split()[0]}"


def modules(everything: bool) -> Iterator[str]:
    """Every module can be imported; only what an extra brings may be missing."""
    import ziggurat

    optional = {
        re.split(r"[\s<>=\[;!~]", need)[0].replace("-", "_") for need in requires(DISTRIBUTION) or () if "extra" in need
    }
    absent: dict[str, list[str]] = {}
    count = 0
    for module in pkgutil.walk_packages(ziggurat.__path__, "ziggurat."):
        # Migrations are run by their tool, and a `__main__` is the program.
        if module.name.endswith("__main__") or ".migrations." in module.name:
            continue
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            name = (error.name or "").split(".")[0]
            packaged = OTHERWISE.get(name, name)
            if name not in OTHERS and (everything or not any(one.startswith(packaged) for one in optional)):
                raise
            absent.setdefault(name, []).append(module.name)
        count += 1
    missing = "; ".join(f"{', '.join(found)} without {name}" for name, found in absent.items())
    yield f"{count} modules" + (f", but for {missing}" if missing else "")


def games() -> Iterator[str]:
    """Each game has its data, and is played to its end by interpreted rules."""
    import ziggurat
    from ziggurat.bots import draw
    from ziggurat.core.languages import LANGUAGES
    from ziggurat.core.text import catalogue, rules_file

    found = dict.fromkeys(("rules", "lessons", "puzzles"), False)  # what some game has, but none need have
    for name, game in ziggurat.registered_games().items():
        position = ziggurat.new(game, players=max(2, game.min_players), seed=1)
        rng, decisions = ziggurat.generator(1), 0
        while position.actors:
            legal = position.legal(position.actors[0])
            position.play(position.actors[0], legal[draw(rng, len(legal))])
            decisions += 1
        assert position.components.is_default
        assert [*game.weights] == [*game.weight_names]
        for language in LANGUAGES:
            assert catalogue(language, game)("name")
            rules = rules_file(name, language)
            found["rules"] |= rules is not None and rules.stat().st_size > 1000
        found["lessons"] |= (game.folder / "lessons").is_dir()
        found["puzzles"] |= (game.folder / "puzzles.xz").is_file()
        yield f"{name}: {decisions} decisions to {position.scores}"
    assert all(found.values()), found


def commands() -> Iterator[str]:
    """All of them explain themselves, and those that read the data do."""
    from ziggurat.cli.app import COMMANDS

    said("--help")
    for name in COMMANDS:
        assert f"ziggurat {name} " in said(name, "--help")
    listed = said("games")
    import ziggurat

    for name in ziggurat.registered_games():
        assert name in listed
        assert name in said("components", name)
        said("simulate", name, "--games", "1", "--seed", "1", "--log", f"{name}.jsonl")
        assert Path(f"{name}.jsonl").stat().st_size > 1000
    yield f"{len(COMMANDS)} commands"


def compiled() -> Iterator[str]:
    """Compiled rules play what interpreted ones do."""
    import ziggurat

    for name in ziggurat.registered_games():
        found = said("simulate", name, "--games", "1000", "--seed", "1")
        assert "1000 games" in found
        yield f"{name}, compiled: {found.splitlines()[-1].strip()}"
    from ziggurat import vector

    first = next(iter(ziggurat.registered_games()))
    games = vector.make(first, players=3, n=64, seed=1)
    for _ in range(100):
        games.step(games.sample())
    yield f"{first}, many at once: observations {games.observations.shape}, masks {games.masks.shape}"


def served() -> Iterator[str]:
    """The server starts, shows its page and its parts, and ends when it is told to."""
    data = Path(tempfile.mkdtemp())
    process = subprocess.Popen(
        [PROGRAM, "serve", "--no-browser", "--port", "0", "--data", data],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout
        lines: list[str] = []
        base = ""
        for line in process.stdout:
            lines.append(line)
            if found := re.search(r"http://[\w.:]+", line):
                base = found[0]
                break
        assert base, f"the server gave no address:\n{''.join(lines)}"
        page = fetched(f"{base}/")
        assert "<title>" in page
        parts = re.findall(r'(?:src|href)="(\./[^"]+)"', page)
        assert len(parts) > 2
        for part in parts:
            assert fetched(f"{base}/{part[2:]}")
        assert fetched(f"{base}/healthz")
        process.send_signal(signal.SIGTERM)
        lines += process.stdout.read().splitlines(keepends=True)
        code = process.wait(30)
        # Told to end it ends in order, and then as whoever told it expects: by the signal.
        assert code in (0, -signal.SIGTERM), f"the server ended with {code}:\n{''.join(lines)}"
        assert "Traceback" not in "".join(lines), "".join(lines)
    finally:
        process.kill()
        process.wait()
    yield f"the page and its {len(parts)} parts from {base}"


def fetched(address: str) -> str:
    ends = time.monotonic() + STARTED
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return str(answer.read().decode("utf-8", "replace"))
        except (urllib.error.HTTPError, ConnectionError):
            if time.monotonic() > ends:
                raise
            time.sleep(0.2)


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--all", action="store_true")
    chosen = parser.parse_args()
    os.environ.setdefault("ZIGGURAT_CACHE", tempfile.mkdtemp())
    os.chdir(tempfile.mkdtemp())
    for step in (
        where(),
        modules(chosen.all),
        games(),
        commands(),
        *([compiled()] if chosen.compile else []),
        served(),
    ):
        for line in step:
            print(f"  {line}", flush=True)


if __name__ == "__main__":
    main()

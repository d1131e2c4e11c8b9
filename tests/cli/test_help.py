"""Help that a stranger can follow, and at once."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

import pytest
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE

import ziggurat
from ziggurat.cli.app import COMMANDS, module_of

SLOW = ("numpy", "numba", "rich", "msgspec", "litestar", "sqlalchemy")


def test_version(cli: Cli) -> None:
    assert cli("--version").out == f"ziggurat {ziggurat.__version__}\n"


def test_help_names_every_command_and_gives_examples(cli: Cli) -> None:
    ran = cli("--help")
    assert ran.code == 0
    for name, summary in COMMANDS.items():
        assert f"  {name} " in ran.out
        assert summary in ran.out
    assert re.search(r"  ziggurat play \w+ --players 4 +a game in the terminal", ran.out)


def test_no_command_shows_the_help(cli: Cli) -> None:
    assert cli() == cli("--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(cli: Cli, name: str) -> None:
    assert import_module(module_of(name)).command.name == name
    ran = cli(name, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: ziggurat {name} ")


def test_every_example_of_the_help_is_a_command_line_that_is_understood(cli: Cli) -> None:
    lines = [line.split() for line in cli("--help").out.splitlines() if line.startswith("  ziggurat ")]
    assert len(lines) >= 5
    for words in lines:
        command = import_module(module_of(words[1])).command
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["simulate", "--help"]])
def test_help_waits_for_no_large_library(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom ziggurat.cli import run\n"
        f"code = run({arguments!r})\n"
        f"loaded = [name for name in {SLOW!r} if name in sys.modules]\n"
        "sys.exit(f'loaded: {loaded}' if loaded else code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_whoever_stops_reading_hears_no_complaint() -> None:
    program = f"import sys; from ziggurat.cli import run; sys.exit(run(['components', '{EXAMPLE}']))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait() == 0

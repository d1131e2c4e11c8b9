"""The commands by name. Each lives in a file of its own, which is imported when it is called."""

from __future__ import annotations

import difflib
from importlib import import_module
from pathlib import Path

import click

from ziggurat import __version__

# What `ziggurat --help` shows: commands in the order in which a newcomer may want them.
SECTIONS = {
    "Play": {
        "serve": "Start the server and open the browser (what ./play does).",
        "play": "Play a game here in the terminal, against bots.",
        "games": "List the games, their options and their bots.",
        "components": "Show a game's printed numbers, or check a file with your own.",
        "admin": "Look after a server: reports, people, tables, maintenance.",
    },
    "Look at games": {
        "replay": "Show a recorded game move by move.",
        "verify": "Play a recorded game again and check everything it says.",
        "analyse": "Say what moves were worth, for other programs, in JSON lines.",
        "scenario": "Show the position of a scenario file, or lay it on a table.",
    },
    "Study games": {
        "simulate": "Let bots play many games; show who wins, or log everything.",
        "tournament": "Let bots meet in every combination; show how strong each is.",
        "arena": "Place an agent on a ladder of bots that never change.",
        "study": "Who wins and how, what winners did, luck, skill: one page.",
        "exploitability": "How much there is to win against a bot that one knows.",
        "dataset": "Keep every decision of many games, as files to learn from.",
        "tune": "Look for better weights of a game's heuristic.",
        "learn": "Let a network learn a game by playing against itself.",
        "puzzles": "Find positions in which one move is clearly better.",
        "questions": "Ask models about positions nobody has seen; score them.",
        "bench": "Measure how fast the rules run.",
        "benchmark": "Judge an engine that somebody wrote from the rules in words.",
        "bot": "Let a bot of yours play at the tables of a server.",
        "mcp": "Let language models play, by the Model Context Protocol.",
        "prepare": "Compile the fast rules now, so that nothing waits for them.",
    },
    "Host": {
        "transfer": "Move everything from SQLite to PostgreSQL.",
        "backup": "Copy the tables and people of a server while people play.",
        "restore": "Restore a copy into an empty place; say which is the original.",
        "check": "Check a database or a copy: every log, reference and result.",
        "export": "Write the finished games as replay files and a table.",
        "levels": "Compute people's levels again, or export their games.",
    },
    "Make a game": {
        "new-game": "Lay the files of a small game that you turn into yours.",
        "translate": "Lay what is not translated yet; take in what was.",
        "check-game": "Show what a game has and what it may have; check its rules.",
    },
}

EXAMPLES = """\
  ziggurat serve                                        tables in the browser, for people and bots
  ziggurat play alhambra --players 4                    a game in the terminal
  ziggurat simulate alhambra --players 3 --games 10000 --seed 1 --bots greedy,random,random
  ziggurat simulate alhambra --players 2 --games 1 --seed 7 --log game.jsonl --legal
  ziggurat tournament alhambra --players 2 --games 200 --bots greedy,random,search:200 --out ladder
  ziggurat study alhambra --out study                   what there is to know about the game, as one page
  ziggurat tune alhambra --generations 40 --seed 1      let the heuristic play better
  ziggurat learn alhambra --out learned                 a network of your own, in an evening
  ziggurat scenario FILE --table                        play on from the position that a file describes
  ziggurat components alhambra > mine.toml              correct a number to match your edition, then
  ziggurat play alhambra --components mine.toml
"""


HERE = Path(__file__).parent


def place_of(command: str) -> Path | None:
    """Return the file of a command: here, or with a feature of the server; None: the feature is not installed."""
    name = f"{command.replace('-', '_')}.py"
    return next((path for path in (HERE / name, *HERE.glob(f"features/*/{name}")) if path.is_file()), None)


def module_of(command: str) -> str:
    """Return the module of a command."""
    path = place_of(command)
    assert path is not None
    return ".".join(("ziggurat.cli", *path.relative_to(HERE).with_suffix("").parts))


SECTIONS = {
    title: {name: text for name, text in section.items() if place_of(name)} for title, section in SECTIONS.items()
}
COMMANDS = {name: text for section in SECTIONS.values() for name, text in section.items()}


class Commands(click.Group):
    """A group that knows the names and one-line descriptions of its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(module_of(cmd_name)).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()), col_max=14)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            formatter.write(EXAMPLES)
        formatter.write_paragraph()
        formatter.write_text("'ziggurat COMMAND --help' explains a command.")


@click.command(
    "ziggurat",
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, message="ziggurat %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Board games about building, played in the browser and the terminal, and studied by programs."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())

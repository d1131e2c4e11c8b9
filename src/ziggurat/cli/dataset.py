"""``ziggurat dataset``: every decision of many games, as files to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem, writing, written
from ziggurat.cli.options import (
    AtLeast,
    bots_option,
    number_option,
    read_texts,
    results_options,
    setup_options,
    workers_option,
)
from ziggurat.cli.progress import play_run, prepare, progress
from ziggurat.cli.proof import conclude

if TYPE_CHECKING:
    from ziggurat.core.setup import Setup
    from ziggurat.lab.work import Workers

MAKE = "make"
MOST_SHOWN = 100
"""Things that are wrong and shown."""


class _Dataset(click.Group):
    """A group that runs `make` when its first argument is a game instead of a command."""

    usual = MAKE

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [self.usual, *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "GAME --games N --players P --bots A,B,... --out FOLDER")
        for other in ("verify FOLDER [--games N] [--seed N]", "replay FOLDER NUMBER [--out FILE]"):
            formatter.write_usage(ctx.command_path, other, prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.commands[MAKE].format_options(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pass


@click.group("dataset", cls=_Dataset)
def command() -> None:
    """Let bots play many games of GAME, and keep every decision: what the seat saw, what was legal, what it played.

    Files of Parquet with a card, for Polars, Hugging Face and PyTorch. The same command makes the same files, to the
    byte. After Ctrl+C, or whatever else ended it, the same command with --resume goes on.

    'verify' checks the files of a data set, plays games again and compares every number; 'replay' shows one of its
    games.
    """


@command.command(MAKE, hidden=True)
@number_option("--games", 1000, "Number of games.")
@bots_option("greedy")
@number_option(
    "--values", 0, "Also keep the chance of winning that a search of N iterations states at every decision.", least=0
)
@number_option("--shard", 1000, "Games in a file.")
@setup_options()
@workers_option
@results_options("the data set", required=True)
def make(
    setup: Setup,
    out: str,
    games: int,
    bots: str,
    values: int,
    shard: int,
    seed: str | None,
    workers: Workers,
    resume: bool,
) -> None:
    """Make a data set."""
    need("lab", "a data set")

    from ziggurat.lab.dataset import Dataset

    with written(out):
        made = Dataset(
            setup.game,
            out=out,
            games=games,
            bots=read_texts(bots, setup.players),
            options=setup.options,
            components=setup.components,
            seed=seed,
            shard=shard,
            values=values,
            resume=resume,
        )
        play_run(made, workers, out)
        made.write()
    size = sum(file.stat().st_size for file in Path(out).rglob("*.parquet"))
    click.echo(f"{out}: {games:,} game{'s' * (games > 1)}, {size / 1e6:,.1f} MB; README.md says what it is")


@command.command("verify")
@click.argument("folder", metavar="FOLDER")
@number_option("--games", 1000, "How many games are played again.")
@click.option("--seed", type=AtLeast(0), help="Draws the games; others each time if it is left out.")
def verify(folder: str, games: int, seed: int | None) -> int:
    """Check the files of a data set, and play games drawn at random again: every number has to agree.

    The last lines say how much was judged, what was not, and what is believed from the folder.
    Exit code 0: all that was judged agrees; 1: there is nothing to judge; 2: something does not agree, and what.
    """
    need("lab", "a data set")

    from ziggurat.lab.dataset.check import DatasetCheck

    check = DatasetCheck(Path(folder), games=games, seed=seed)
    prepare(check.setup.game)
    wrong = 0
    with progress(f"{check.setup.game.id}: {len(check.games)} games", len(check.games)) as advance:
        for problem in (*check.files(), *check.play(advance)):
            wrong += 1
            if wrong <= MOST_SHOWN:
                click.echo(problem)
    if wrong:
        more = f", of which the first {MOST_SHOWN} stand above" if wrong > MOST_SHOWN else ", see above"
        raise CommandProblem(f"{folder} is not what it says: {wrong} thing{'s' * (wrong > 1)} wrong{more}")
    return conclude(folder, check.proof(), "it has no games")


@command.command("replay")
@click.argument("folder", metavar="FOLDER")
@click.argument("number", metavar="NUMBER", type=int)
@click.option("--out", metavar="FILE", default="-", help="Write the replay there, and not to standard output.")
def replay(folder: str, number: int, out: str) -> None:
    """Show game NUMBER of a data set as a replay, which 'ziggurat replay' and 'ziggurat verify' read."""
    need("lab", "a data set")

    from ziggurat.lab.dataset.check import replay_of

    text = replay_of(folder, number).dump()
    with writing(out) as stream:
        stream.write(text)

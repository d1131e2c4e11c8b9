"""``ziggurat study``: what many games say about a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import written
from ziggurat.cli.options import (
    game_argument,
    number_option,
    player_counts_option,
    read_rules,
    results_options,
    rules_options,
    seed_option,
    workers_option,
)
from ziggurat.cli.progress import play_run

if TYPE_CHECKING:
    from ziggurat.lab.work import Workers


@click.command("study")
@game_argument
@player_counts_option("the smallest three from 2 on")
@number_option(
    "--games", 400, "Of the bots that are studied, for each number of players; the other games are in proportion."
)
@click.option("--bots", metavar="BOT", default="builder", show_default=True, help="Who plays at every seat.")
@click.option(
    "--levels",
    metavar="A,B,...",
    default="apprentice,mason,builder",
    show_default=True,
    help="Bots of different strength for luck and skill, the weakest first.",
)
@seed_option
@rules_options
@workers_option
@results_options("index.html, games.parquet and moments.parquet", required=True)
def command(
    game: str,
    out: str,
    players: tuple[int, ...] | None,
    games: int,
    bots: str,
    levels: str,
    seed: str | None,
    options: tuple[str, ...],
    components: str | None,
    workers: Workers,
    resume: bool,
) -> None:
    """Play what it takes to know GAME, and write a page: who wins and how, what winners did, luck and skill.

    The same seed gives the same files, to the byte. After Ctrl+C the same command with --resume goes on;
    of a finished study it makes the page again.
    """
    need("lab", "a study")

    from ziggurat.bots.entrants import split
    from ziggurat.lab.study import Study

    chosen, rules, numbers = read_rules(game, options, components)
    with written(out):
        study = Study(
            chosen,
            out=out,
            players=players,
            games=games,
            bots=bots,
            levels=split(levels),
            options=rules,
            components=numbers,
            seed=seed,
            resume=resume,
        )
        play_run(study, workers, out)
        study.write()
    rows, decisions = study.games, study.moments.height
    games = rows.filter(rows["seat"] == 1).height
    said = f"{games:,} games ({rows.height:,} rows, one for each player) and {decisions:,} decisions of further games"
    click.echo(f"{Path(out) / 'index.html'}: {said}; seed and command are in it")

"""``ziggurat study``: what many games say about a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem, parsed, reason
from ziggurat.cli.options import game_argument, read_numbers, read_pairs, setup_options, workers_option
from ziggurat.cli.progress import played, prepare

if TYPE_CHECKING:
    from ziggurat.lab.study import Study
    from ziggurat.lab.work import Workers


@click.command("study")
@game_argument
@click.option("--out", metavar="DIR", required=True, help="Write index.html, games.parquet and moments.parquet there.")
@click.option("--players", metavar="N,...", help="Numbers of players (default: the smallest three from 2 on).")
@click.option(
    "--games",
    type=int,
    default=400,
    show_default=True,
    help="Of the bots that are studied, for each number of players; the other games are in proportion.",
)
@click.option("--bots", metavar="BOT", default="builder", show_default=True, help="Who plays at every seat.")
@click.option(
    "--levels",
    metavar="A,B,...",
    default="apprentice,mason,builder",
    show_default=True,
    help="Bots of different strength for luck and skill, the weakest first.",
)
@setup_options
@workers_option
@click.option("--resume", is_flag=True, help="Go on with the study in DIR; of a finished one the page is made anew.")
def command(
    game: str,
    out: str,
    players: str | None,
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

    The same seed gives the same files, to the byte. After Ctrl+C the same command with --resume goes on.
    """
    import ziggurat

    need("lab", "a study")

    from ziggurat.bots.entrants import split
    from ziggurat.lab.study import Study

    chosen = ziggurat.game(game)
    try:
        study = Study(
            chosen,
            out=out,
            players=read_numbers(players) if players else None,
            games=games,
            bots=bots,
            levels=split(levels),
            options=read_pairs(options),
            components=parsed(components, chosen.load_components) if components else None,
            seed=seed,
            resume=resume,
        )
        _play(study, workers)
        study.write()
    except OSError as error:
        raise CommandProblem(f"cannot write {out}: {reason(error)}") from None
    rows, decisions = study.games, study.moments.height
    games = rows.filter(rows["seat"] == 1).height
    said = f"{games:,} games ({rows.height:,} rows, one for each player) and {decisions:,} decisions of further games"
    click.echo(f"{Path(out) / 'index.html'}: {said}; seed and command are in it")


def _play(study: Study, workers: Workers) -> None:
    from ziggurat.bots import SEARCHING
    from ziggurat.core.runtime import LOG, PLAYING

    missing = study.missing
    if not missing:
        return
    for program in (PLAYING, LOG, SEARCHING):
        prepare(study.game, program)
    total = study.games_of(missing)
    try:
        played(study.play(workers), f"{study.game.id}: {total} games", total)
    except KeyboardInterrupt:
        done = len(study.jobs) - len(study.missing)
        click.echo(f"ziggurat: {done} of {len(study.jobs)} parts are kept; --resume goes on from there", err=True)
        raise

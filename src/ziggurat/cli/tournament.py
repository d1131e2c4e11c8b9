"""``ziggurat tournament``: which bots are better, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import written
from ziggurat.cli.options import described, json_option, number_option, results_options, setup_options, workers_option
from ziggurat.cli.progress import play_run

if TYPE_CHECKING:
    from ziggurat.core.setup import Setup
    from ziggurat.lab.tournament import Share, Standings
    from ziggurat.lab.work import Workers


@click.command("tournament")
@click.option(
    "--bots",
    metavar="A,B,...",
    required=True,
    help="Who plays; also searches: search:800 (iterations), search:0.5s (seconds), flat:800 (flat Monte Carlo); and"
    " bots of your own: my_module:MyBot, 'cmd:python my_bot.py', tcp:HOST:PORT, NAME=... (docs/agents.md).",
)
@click.option(
    "--time",
    "seconds",
    type=float,
    default=10.0,
    show_default=True,
    help="Seconds for a decision of a bot of your own.",
)
@number_option("--games", 200, "At least so many, in whole rounds.")
@setup_options()
@workers_option
@results_options("games.parquet, and index.html with plots")
@json_option
def command(
    setup: Setup,
    bots: str,
    seconds: float,
    games: int,
    seed: str | None,
    workers: Workers,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Let bots meet in every combination at GAME, and show how strong each is, with 95 % confidence intervals.

    In a round everybody meets everybody at every seat with the same deal. The same seed gives the same games, unless a
    bot thinks by the clock. After Ctrl+C the same command with --resume goes on.
    """
    need("lab", "a tournament")

    from ziggurat.bots.entrants import split
    from ziggurat.core.own_folders import PAGE_FILE
    from ziggurat.core.whole_files import write_whole
    from ziggurat.lab.tournament import Tournament
    from ziggurat.lab.tournament.page import page

    with written(out):
        contest = Tournament(
            setup.game,
            split(bots),
            players=setup.players,
            games=games,
            seed=seed,
            options=setup.options,
            components=setup.components,
            out=out,
            resume=resume,
            seconds=seconds,
        )
        play_run(contest, workers, out)
        standings = contest.standings()
        if out:
            write_whole(Path(out) / PAGE_FILE, page(standings))
    if as_json:
        click.echo(standings.json())
    else:
        show(contest.match.setup, standings)
        hurried = [one.name for one in contest.match.bots if one.by_clock]
        if hurried:
            click.echo(f"  by the clock, so that another machine may play other games: {', '.join(hurried)}")
        if out:
            click.echo(f"  plots: {Path(out) / PAGE_FILE}")


def show(setup: Setup, standings: Standings) -> None:
    """Print the tables."""
    width = max(6, *(len(rank.bot) for rank in standings.ladder)) + 2
    alone = setup.players == 1
    head = "" if alone else f"{'rating':>8}   {'95 % interval':<16}"
    lines = [
        described(setup, f"{standings.games} games"),
        f"  {'bot':<{width}}{head}{'wins':>7}   {'95 % interval':<18}{'mean score':>11}{'decisions/s':>13}",
    ]
    for rank in standings.ladder:
        rating = ""
        if rank.rating is not None and rank.rating_low is not None and rank.rating_high is not None:
            between = "" if rank.bot == standings.anchor else f"{rank.rating_low:.0f} to {rank.rating_high:.0f}"
            rating = f"{rank.rating:>8.0f}   {between:<16}"
        speed = f"{rank.decisions_per_second:>13,.1f}" if rank.decisions_per_second else ""
        points = "" if rank.score is None else f"{rank.score:.2f}"
        lines.append(f"  {rank.bot:<{width}}{rating}{_share(rank.wins):<28}{points:>11}{speed}")
    for rank in standings.ladder:
        lines += [f"  {rank.bot} lost {_games(one.games)} by failing: it {one.reason}" for one in rank.failures]
    if alone:
        lines.append("  wins: games that the bot won against the game itself")
    else:
        lines += ["  ahead of the next, when both were at the table:", *_steps(standings, width)]
        lines.append(f"  {standings.anchor} has 1000 points; 400 more are odds of 10 to 1 to finish ahead")
    click.echo("\n".join(lines))


def _steps(standings: Standings, width: int) -> Iterator[str]:
    ahead = {(duel.bot, duel.other): duel.ahead for duel in standings.duels}
    for better, worse in zip(standings.ladder, standings.ladder[1:], strict=False):
        share = ahead.get((better.bot, worse.bot))
        if share:
            yield f"  {better.bot:<{width}}{worse.bot:<{width}}{_share(share)}   of {share.games} games"


def _games(number: int) -> str:
    return f"{number} game{'s' * (number > 1)}"


def _share(share: Share) -> str:
    return f"{share.share:>7.1%}   {f'{share.low:.1%} to {share.high:.1%}'}"

"""``ziggurat tournament``: which bots are better, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem, reason
from ziggurat.cli.options import described, game_argument, read_setup, setup_options, workers_option
from ziggurat.cli.progress import played, prepare

if TYPE_CHECKING:
    from ziggurat.core.setup import Setup
    from ziggurat.lab.tournament import Share, Standings, Tournament
    from ziggurat.lab.work import Workers


@click.command("tournament")
@game_argument
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
@click.option("--players", type=int, help="Number of players (default: 3, or as many as the game allows).")
@click.option("--games", type=int, default=200, show_default=True, help="At least so many games, in whole rounds.")
@setup_options
@workers_option
@click.option("--out", metavar="DIR", help="Keep the results there: games.parquet, and index.html with plots.")
@click.option("--resume", is_flag=True, help="With --out: play only the games that are not there yet.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(
    game: str,
    bots: str,
    seconds: float,
    players: int | None,
    games: int,
    seed: str | None,
    options: tuple[str, ...],
    components: str | None,
    workers: Workers,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Let bots meet in every combination at GAME, and show how strong each is, with 95 % confidence intervals.

    In a round everybody meets everybody at every seat with the same deal. The same seed gives the same games, unless a
    bot thinks by the clock. After Ctrl+C the same command with --resume goes on.
    """
    if games < 1:
        raise CommandProblem(f"--games is at least 1, not {games}")
    if resume and not out:
        raise CommandProblem("--resume goes with --out DIR")
    setup = read_setup(game, players, options, components, seed)
    need("lab", "a tournament")

    from ziggurat.bots.entrants import split
    from ziggurat.lab.tournament import Tournament

    contest = Tournament(
        setup.game,
        split(bots),
        players=setup.players,
        games=games,
        seed=None if seed is None else setup.seed,
        options=setup.options,
        components=setup.components,
        out=out,
        resume=resume,
        seconds=seconds,
    )
    setup = contest.match.setup
    try:
        _play(contest, workers, out)
        standings = contest.standings()
        if out:
            from ziggurat.lab.tournament.page import write_page

            write_page(standings, Path(out) / "index.html")
    except OSError as error:
        raise CommandProblem(f"cannot write {out}: {reason(error)}") from None
    if as_json:
        click.echo(standings.json())
    else:
        show(setup, standings)
        hurried = [one.name for one in contest.match.bots if one.by_clock]
        if hurried:
            click.echo(f"  by the clock, so that another machine may play other games: {', '.join(hurried)}")
        if out:
            click.echo(f"  plots: {Path(out) / 'index.html'}")


def _play(contest: Tournament, workers: Workers, out: str | None) -> None:
    from ziggurat.bots import SEARCHING

    if contest.left:
        contest.keep()  # what cannot be written is refused before anything is compiled
        prepare(contest.match.game)
        if contest.match.searches:
            prepare(contest.match.game, SEARCHING)
    title = f"{contest.config.game}: {contest.left} games"
    try:
        played(contest.play(workers), title, contest.left)
    except KeyboardInterrupt:
        if out:
            done = contest.total - contest.left
            click.echo(f"ziggurat: {done} of {contest.total} games are kept; --resume goes on from there", err=True)
        raise


def show(setup: Setup, standings: Standings) -> None:
    """The tables."""
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

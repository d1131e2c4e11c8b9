"""``ziggurat arena``: an agent's rating among opponents that never change, with its uncertainty."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem, written
from ziggurat.cli.options import (
    game_argument,
    json_option,
    number_option,
    results_options,
    setup_options,
    workers_option,
)
from ziggurat.cli.progress import play_run, played
from ziggurat.cli.proof import conclude

if TYPE_CHECKING:
    from ziggurat.core.setup import Setup
    from ziggurat.lab.arena import ArenaResults, Ladder
    from ziggurat.lab.work import Workers


@click.group("arena")
def command() -> None:
    """Say where an agent stands among opponents that never change, and how sure that is.

    'place' plays an agent against the ladder of a game, 'verify' plays a results file again, 'show' prints a ladder,
    'ladder' measures one. docs/arena.md says how the place is found.
    """


@command.command("place")
@click.option(
    "--agent",
    required=True,
    metavar="BOT",
    help="Who is placed: 'cmd:python bot.py', tcp:HOST:PORT, my_module:MyBot, search:200, NAME=... (docs/agents.md).",
)
@number_option("--games", 400, "At most so many games.")
@click.option(
    "--points", type=float, default=40.0, show_default=True, help="End when its games leave so many points either way."
)
@number_option("--judged", 6, "Decisions of each game that are analysed.", least=0)
@number_option("--iterations", 200, "Of the search that analyses them.")
@click.option("--time", "seconds", type=float, default=10.0, show_default=True, help="Seconds for a decision.")
@click.option("--ladder", metavar="FILE", help="A ladder of your own, see 'ziggurat arena ladder'.")
@setup_options(seeded=False)
@workers_option
@results_options("arena.json, and index.html with plots")
@json_option
def place(
    setup: Setup,
    agent: str,
    games: int,
    points: float,
    judged: int,
    iterations: int,
    seconds: float,
    ladder: str | None,
    workers: Workers,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Place an agent on the ladder of GAME.

    It ends when the agent's games leave no more than --points either way (95 %), or after --games games. Deals and
    opponents are the same for everybody: the same command gives the same table on every machine, if the agent always
    does the same.
    """
    need("lab", "an arena")
    from ziggurat.core.own_folders import PAGE_FILE
    from ziggurat.core.whole_files import write_whole
    from ziggurat.lab.arena import Arena
    from ziggurat.lab.arena.page import page
    from ziggurat.lab.arena.records import encoded

    with written(out):
        arena = Arena(
            setup.game,
            agent,
            players=setup.players,
            games=games,
            points=points,
            judged=judged,
            iterations=iterations,
            options=setup.options,
            components=setup.components,
            ladder=ladder,
            seconds=seconds,
            out=out,
            resume=resume,
        )
        play_run(arena, workers, out)
        if out:
            write_whole(Path(out) / PAGE_FILE, page(arena.results))
    if as_json:
        click.echo(encoded(arena.results), nl=False)
    else:
        show_results(arena.results)
        if out:
            click.echo(f"  results: {Path(out) / 'arena.json'}, plots: {Path(out) / PAGE_FILE}")


@command.command("verify")
@click.argument("file", metavar="FILE")
@workers_option
def verify_file(file: str, workers: Workers) -> int:
    """Play the games of a results FILE again, and say what of it follows from the protocol and what is believed.

    The first line says whether ladder and bounds are the protocol's. Exit code 0: everything that can be computed
    again agrees; 1: the file is not verified, and why.
    """
    need("lab", "an arena")
    from ziggurat.core.errors import BadBudget, UnknownBot
    from ziggurat.core.proof import Judged, Proof
    from ziggurat.lab.arena import ArenaCheck
    from ziggurat.lab.results import ResultsError

    try:
        check = ArenaCheck(file)
        number = len(check.results.games)
        played(check.play(workers), f"{check.results.config.game}: {number} games again", number)
    except (ResultsError, UnknownBot, BadBudget) as error:
        raise SystemExit(f"{file} is not verified: {error.detail.removeprefix(f'{file}: ')}") from None
    verdict = check.verdict()
    click.echo(f"{file}: {verdict.first}")
    click.echo("proved:")
    for line in verdict.proved:
        click.echo(f"  {line}")
    return conclude(file, Proof([Judged("games", number, number, "played again")], believed=verdict.believed))


@command.command("show")
@game_argument
@click.option("--players", type=int, help="Number of seats (default: all that there are).")
@click.option("--ladder", metavar="FILE", help="Of a file of your own.")
def show(game: str, players: int | None, ladder: str | None) -> None:
    """Print the ladders that come with GAME."""
    import ziggurat
    from ziggurat.lab.arena.ladder import kept, read_ladders

    chosen = ziggurat.game(game)
    known = read_ladders(Path(ladder)) if ladder else kept(chosen)
    found = [one for one in known if players in (None, one.players)]
    if not found:
        seats = "" if players is None else f" for {players} players"
        raise CommandProblem(f"there is no ladder of {chosen.id}{seats}")
    for one in found:
        show_ladder(one)


@command.command("ladder")
@number_option("--games", 100_000, "At most so many games.")
@click.option(
    "--points",
    type=float,
    default=50.0,
    show_default=True,
    help="End when every level that people meet is known to so many points either way.",
)
@click.option("--quick", is_flag=True, help="End when those of them that think little are known.")
@click.option(
    "--from",
    "earlier",
    metavar="FILE",
    help="Go on from the ladder in a file of several, whose games are gone; with another --seed than that had.",
)
@setup_options()
@workers_option
@click.option(
    "--out", metavar="DIR", required=True, help="Keep games.parquet and ladder.json there; goes on with them."
)
@click.option("--into", metavar="FILE", help="Put the ladder into a file of several, as a game's anchors.json.")
def measure(
    setup: Setup,
    games: int,
    points: float,
    quick: bool,
    earlier: str | None,
    seed: str | None,
    workers: Workers,
    out: str,
    into: str | None,
) -> None:
    """Measure the ladder of GAME: its levels, the heuristic and searches, in line-ups that are planned.

    Who sits next is who is known least for what it costs. It goes on with what is in DIR. After Ctrl+C, or with a
    larger --games or fewer --points, the same command goes on.
    """
    need("lab", "an arena")
    from ziggurat.core.seed import parse_seed
    from ziggurat.lab.arena.ladder import LADDER_SEED, ladder_of, put, read_ladders
    from ziggurat.lab.arena.measure import LadderRun

    if into and Path(into).exists():
        read_ladders(Path(into))  # what holds something else is refused now, and not after the games
    if seed is None:
        setup = replace(setup, seed=parse_seed(LADDER_SEED))
    before = None
    if earlier:
        before = ladder_of(setup.game, setup.players, setup.options, setup.components.digest, Path(earlier))
    with written(out):
        run = LadderRun(setup, games=games, points=points, quick=quick, before=before, out=out)
        play_run(run, workers, out, "the same command goes on from there")
    found = run.ladder
    for file in (Path(out) / "ladder.json", *([Path(into)] if into else [])):
        with written(file):
            put(found, file)
    show_ladder(found)


def show_ladder(ladder: Ladder) -> None:
    """Print a ladder."""
    from ziggurat.lab.arena.ladder import digest

    played = f"{ladder.games} games, {ladder.deals} deals"
    click.echo(f"{ladder.game}, {ladder.players} players: {played}; digest {digest(ladder)}")
    click.echo(f"  {'bot':<16}{'rating':>8}   {'95 % interval':<18}{'games':>8}")
    for one in ladder.anchors:
        between = "" if one.low == one.high else f"{one.low:.0f} to {one.high:.0f}"
        click.echo(f"  {one.name:<16}{one.rating:>8.0f}   {between:<18}{one.games:>8}")


def show_results(results: ArenaResults) -> None:
    """Print the place of the agent."""
    place, config = results.place, results.config
    click.echo(f"{config.game}, {config.players} players, {len(results.games)} games: {config.agent}")
    if place is not None:
        ends = "known as well as asked for" if results.reached else "the bound on games"
        click.echo(f"  rating {place.rating:.0f}, 95 % {place.low:.0f} to {place.high:.0f} ({ends})")
        click.echo(
            f"  of that its games leave {place.by_games:.0f} points either way, the ladder {place.by_ladder:.0f}"
        )
        rows = [(one.rating, one.name) for one in config.ladder.anchors] + [(place.rating, f"> {config.agent}")]
        for rating, name in sorted(rows, reverse=True):
            click.echo(f"  {rating:>8.0f}  {name}")
    for one in results.by_opponent:
        click.echo(f"  ahead of {one.name}: {one.mean:.1%} ({one.low:.1%} to {one.high:.1%}), {one.decisions} games")
    if results.regret is not None:
        known = results.regret
        click.echo(f"  a decision costs {known.mean:.2%} of a game ({known.low:.2%} to {known.high:.2%})")
    for kind, times in results.failures.items():
        click.echo(f"  games lost by failing, {kind}: {times}")
    for name, amount in results.costs.items():
        click.echo(f"  {name}, as the agent says: {amount:,.6g}")

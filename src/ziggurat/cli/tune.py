"""``ziggurat tune``: better weights for a game's heuristic."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import must_be_writable, parsed, written
from ziggurat.cli.options import game_argument, number_option, player_counts_option, seed_option, workers_option
from ziggurat.cli.progress import prepare, progress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ziggurat.lab.tune import Tuner, TuneVerdict
    from ziggurat.lab.work import Workers

GENERATIONS, GAMES, SIGMA, MARGIN, MATCH = 40, 400, 0.3, 0.5, 20_000


@click.command("tune")
@game_argument
@player_counts_option("as few as the game allows, but 2")
@number_option("--games", GAMES, "Of a candidate in a generation, per N.")
@number_option("--generations", GENERATIONS, "How long to search.")
@number_option("--match", MATCH, "Games of the last match, per N.")
@seed_option
@click.option("--sigma", type=float, default=SIGMA, show_default=True, help="First step, in parts of each weight.")
@click.option("--margin", type=float, default=MARGIN, show_default=True, help="Part of the fitness that is margin.")
@click.option("--start", metavar="FILE", help="Begin with these weights, and play against them (default: the game's).")
@workers_option
@click.option("--out", metavar="FILE", default="weights.toml", show_default=True, help="Write better weights there.")
def command(
    game: str,
    players: tuple[int, ...] | None,
    games: int,
    generations: int,
    match: int,
    seed: str | None,
    sigma: float,
    margin: float,
    start: str | None,
    workers: Workers,
    out: str,
) -> None:
    """Look for better weights of the heuristic of GAME, by playing against those that it has.

    Candidates are made by CMA-ES; what it arrives at plays a match of new games against the present weights, and is
    written only if the 95 % interval of its share of wins lies above an even share, for every number of players.
    Ctrl+C ends the search and goes on to the match.
    """
    import ziggurat
    from ziggurat.core.seed import parse_seed, shown_seed

    chosen = ziggurat.game(game)
    need("lab", "tuning")
    text, present = parsed(start, lambda text: (text, chosen.load_weights(text))) if start else (None, None)
    must_be_writable(out)
    target = Path(out)

    from ziggurat.core.runtime import GAMES
    from ziggurat.lab.tune import Tuner

    tuner = Tuner(
        chosen,
        players=players or max(2, chosen.min_players),
        games=games,
        seed=parse_seed(seed),
        sigma=sigma,
        margin=margin,
        workers=workers,
        start=present,
    )
    prepare(chosen, GAMES)
    counts = ",".join(str(contest.players) for contest in tuner.contests)
    again = [
        f"ziggurat tune {chosen.id} --players {counts} --games {games} --generations {generations}",
        f"--match {match} --seed {shown_seed(tuner.seed)} --sigma {sigma:g} --margin {margin:g}",
    ]
    whole = _search(tuner, generations)
    show(tuner.present, tuner.best)
    verdicts = _match(tuner, match)
    for verdict in verdicts:
        click.echo(f"against the present weights: {verdict}")
    if not all(verdict.better for verdict in verdicts):
        click.echo("nothing better was found; nothing is written")
        return
    from ziggurat.core.weights import write_weights
    from ziggurat.core.whole_files import write_whole

    ended = [] if whole else [f"ended by hand after {tuner.generation} generations"]
    matches = [f"Against the weights before: {verdict}." for verdict in verdicts]
    origin = [f"Made by: {again[0]}", f"  {again[1]}", *ended, *matches]
    with written(target):
        write_whole(target, write_weights(text or chosen.weights_text(), tuner.best, origin))
    click.echo(f"written: {target}")


def _search(tuner: Tuner, generations: int) -> bool:
    """Run the search; return whether it was not interrupted."""
    total = generations * tuner.games_per_generation
    with progress(f"{tuner.contests[0].game.id}: {generations} generations", total) as advance:
        try:
            for _ in range(generations):
                with closing(tuner.step()) as played:
                    for games in played:
                        advance(games)
        except KeyboardInterrupt:
            if not tuner.generation:
                raise
            click.echo(f"ziggurat: ended after {tuner.generation} generations; now the match", err=True)
            return False
    return True


def _match(tuner: Tuner, games: int) -> list[TuneVerdict]:
    from ziggurat.lab.tune import TuneVerdict, match

    verdicts = []
    with progress("Match", games * len(tuner.contests)) as advance:
        for contest in tuner.contests:
            for played in match(contest, tuner.best, -(-games // contest.players)):
                if isinstance(played, TuneVerdict):
                    verdicts.append(played)
                else:
                    advance(played)
    return verdicts


def show(before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Print the weights before and after."""
    width = max(len(name) for name in before)
    for name, value in before.items():
        click.echo(f"  {name:<{width}}{value:>8}  ->{after[name]:>8}")

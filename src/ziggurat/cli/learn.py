"""``ziggurat learn``: a network that learns a game by playing it against itself."""

from __future__ import annotations

from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem, written
from ziggurat.cli.options import game_argument, player_counts_option, seed_option, workers_option
from ziggurat.cli.progress import ended_politely, prepare, progress

if TYPE_CHECKING:
    from ziggurat.lab.learn.trainer import Trainer
    from ziggurat.lab.work import Workers

PHASES = {"play": "playing", "fit": "fitting", "evaluation match": "against the one before", "temper": "how sure to be"}


@click.command("learn")
@game_argument
@click.option("--out", metavar="DIR", required=True, help="Keep everything there; the same command goes on with it.")
@player_counts_option("all")
@click.option("--generations", type=int, help="How often to fit a network, and let it meet the one before.")
@click.option("--first", type=int, help="Games of the heuristic before the first fit.")
@click.option("--games", type=int, help="Games of the strongest network before each further fit.")
@click.option("--iterations", type=int, help="Of a decision that is searched in earnest.")
@click.option("--ahead", type=int, help="Decisions of the heuristic before the network judges a position.")
@click.option("--mix", type=float, help="How much its game from there to the end counts beside that, from 0 to 1.")
@click.option("--contest", type=int, help="Games at most against the network before.")
@click.option("--stated", type=int, help="Games at the end that tell how surely it is to state chances.")
@seed_option
@workers_option
def command(
    game: str, out: str, players: tuple[int, ...] | None, seed: str | None, workers: Workers, **given: Any
) -> None:
    """Learn GAME from nothing but its rules and its heuristic: DIR/network.npz is the strongest network so far.

    A generation is: the strongest network plays against itself, now and then with a search; a network is fitted to how
    these games ended, to how the heuristic ends them, and to what the search found; it meets the one before until it
    is clear which is stronger. At the end games between searches tell how surely it is to state chances.
    DIR/index.html shows how far it is. Ctrl+C, or whatever stops it, costs less than a minute of work: the same
    command goes on.

    'search:0.1s:network=DIR/network.npz' is a bot that plays by it.
    """
    import ziggurat
    from ziggurat.core.seed import parse_seed, shown_seed

    chosen = ziggurat.game(game)
    if chosen.inputs is None:
        raise CommandProblem(f"{chosen.id} has no inputs: it tells a network nothing (docs/adding-a-game.md)")
    need("learn", "learning")

    from ziggurat.bots import SEARCHING
    from ziggurat.core.own_folders import PAGE_FILE
    from ziggurat.core.runtime import PLAYING
    from ziggurat.lab.learn.store import Store
    from ziggurat.lab.learn.trainer import Trainer, TrainingConfig

    asked = {one.name: given[one.name] for one in fields(TrainingConfig) if given.get(one.name) is not None}
    counts = players or tuple(range(chosen.min_players, chosen.max_players + 1))
    config = TrainingConfig(players=counts, **asked)
    config.check(chosen)
    settings, key = config.settings, None if seed is None else parse_seed(seed)
    with written(out):
        store = Store(Path(out), {"game": chosen.id, **settings}, key)
    words = " ".join(f"--{name} {value}" for name, value in {"players": settings["players"], **asked}.items())
    again = f"ziggurat learn {chosen.id} {words} --seed {shown_seed(store.seed)} --out FOLDER"
    trainer = Trainer(chosen, config, store, workers, again)
    prepare(chosen, PLAYING, SEARCHING)
    try:
        with ended_politely(), written(out):
            _run(trainer)
    except KeyboardInterrupt:
        click.echo("ziggurat: stopped; the same command goes on from here", err=True)
        raise
    click.echo(f"{store.path('network.npz')}: after {store.state.games:,} games; {store.path(PAGE_FILE)} shows how")


def _run(trainer: Trainer) -> None:
    """Run the training to its end, with a bar for each phase, and a page after it."""
    from itertools import groupby

    from ziggurat.core.own_folders import PAGE_FILE
    from ziggurat.lab.learn.page import page

    with closing(trainer.run()) as found:
        for (generation, phase, total), steps in groupby(found, key=lambda one: (one.generation, one.phase, one.total)):
            title = f"{trainer.game.id}, generation {generation + 1}: {PHASES[phase]}"
            before = 0
            with progress(title, total) as advance:
                for step in steps:
                    advance(step.done - before)
                    before = step.done
            trainer.store.write(PAGE_FILE, page(trainer))
    trainer.store.write(PAGE_FILE, page(trainer))

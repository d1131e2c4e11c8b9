"""``ziggurat simulate``: bots play many games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ziggurat.cli.files import Problem, reason, writing
from ziggurat.cli.options import Setup, described, game_argument, read_setup, read_texts, setup_options, workers_option
from ziggurat.cli.progress import ended_politely, prepare, progress

if TYPE_CHECKING:
    from ziggurat.lab.simulate import Batch, Line, Simulation, Tally
    from ziggurat.lab.work import Workers

NUMBER = "{n}"  # in the name of a replay file


@click.command("simulate")
@game_argument
@click.option("--players", type=int, help="Number of players (default: 3, or as many as the game allows).")
@click.option("--games", type=int, default=1000, show_default=True, help="Number of games.")
@setup_options
@click.option("--first", type=int, default=1, show_default=True, help="Number of the first game, as in --out.")
@click.option(
    "--bots",
    metavar="A,B,...",
    help="One bot for all, or one for each player (default: random): by name, or as in a tournament (search:800).",
)
@workers_option
@click.option("--log", metavar="FILE", help="Write everything that happens as JSON lines (docs/event-log.md).")
@click.option("--legal", is_flag=True, help="With --log: list the legal actions at every decision.")
@click.option("--replay", metavar="FILE", help="Write the game as a replay; with several games FILE contains {n}.")
@click.option("--out", metavar="FILE.parquet", help="Write the score of every player in every game.")
def command(
    game: str,
    players: int | None,
    games: int,
    seed: str | None,
    options: tuple[str, ...],
    components: str | None,
    first: int,
    bots: str | None,
    workers: Workers,
    log: str | None,
    legal: bool,
    replay: str | None,
    out: str | None,
) -> None:
    """Let bots play many games of GAME, and show who wins.

    Players change chairs from game to game. The same seed gives the same games, with a log or without.
    """
    if games < 1:
        raise Problem(f"--games is at least 1, not {games}")
    if first < 1:
        raise Problem(f"--first is at least 1, not {first}")
    if legal and not log:
        raise Problem("--legal goes with --log FILE")
    if replay and replay != "-" and games > 1 and NUMBER not in replay:
        raise Problem(f"with {games} games the file of --replay needs {NUMBER} in its name, such as game-{NUMBER}.txt")
    if log == "-" and replay == "-":
        raise Problem("--log and --replay cannot both go to standard output")
    setup = read_setup(game, players, options, components, seed)
    from ziggurat.lab.simulate import Simulation, Tally

    texts = read_texts(bots, setup.players)
    wanted = Simulation.of(setup.game, texts, setup.seed, setup.options, setup.components)
    names = [one.name for one in wanted.entrants]
    rows = _Rows(out, names) if out else None
    if not (log or replay):
        prepare(setup.game)
    if any(one.searches for one in wanted.entrants):
        from ziggurat.bots import SEARCHING

        prepare(setup.game, SEARCHING)
    tally = Tally(setup.players)
    with ExitStack() as stack:
        if log or replay:
            found = _recorded(wanted, games, first - 1, log, legal, replay, stack)
        else:
            found = stack.enter_context(closing(wanted.batches(games, first=first - 1, workers=workers)))
        stack.enter_context(ended_politely())
        advance = stack.enter_context(progress(f"{setup.game.id}: {games} games", games))
        for batch in found:
            tally.add(batch)
            if rows:
                rows.add(batch)
            advance(len(batch.scores))
    if rows:
        rows.write()
    show(setup, names, tally, to_stderr="-" in (log, replay))
    if hurried := list(dict.fromkeys(one.name for one in wanted.entrants if one.by_clock)):
        click.echo(f"  by the clock, so that another machine may play other games: {', '.join(hurried)}", err=True)


def _recorded(
    wanted: Simulation,
    games: int,
    first: int,
    log: str | None,
    legal: bool,
    replay: str | None,
    stack: ExitStack,
) -> Iterator[Batch]:
    from ziggurat.core.eventlog import EventLog
    from ziggurat.core.replay import record
    from ziggurat.lab.record import recorded

    events = EventLog(stack.enter_context(writing(log)), legal=legal) if log else None
    if replay and games == 1:  # before the game, so that a wrong name is not found out after it
        with writing(replay):
            pass
    for played in recorded(wanted, games, first=first, log=events, moves=replay is not None):
        if replay:
            seats = [f"{bot} {seat}" for seat, bot in enumerate(played.bots, start=1)]
            with writing(replay.replace(NUMBER, str(played.number + 1))) as stream:
                stream.write(record(played.position, played.moves, names=seats).dump())
        yield played.batch


class _Rows:
    """One row for every player in every game, for a Parquet file."""

    def __init__(self, name: str, bots: list[str]) -> None:
        try:
            import polars
        except ImportError:
            raise Problem("--out needs polars: pip install 'ziggurat[lab]'") from None
        self._polars = polars
        self._name = name
        self._bots = bots
        self._batches: list[Batch] = []
        with writing(name):  # now rather than after a long run
            pass

    def add(self, batch: Batch) -> None:
        self._batches.append(batch)

    def write(self) -> None:
        import numpy as np

        scores = np.concatenate([batch.scores for batch in self._batches])
        wins = np.concatenate([batch.wins for batch in self._batches])
        games, players = scores.shape
        number = np.repeat(np.arange(games) + self._batches[0].first, players)
        player = np.tile(np.arange(players), games)
        columns: dict[str, Any] = {
            "game": number + 1,
            "player": player + 1,
            "seat": (player - number) % players + 1,
            "bot": [self._bots[k] for k in range(players)] * games,
            "score": scores.ravel(),
            "win": wins.ravel(),
        }
        try:
            self._polars.DataFrame(columns).write_parquet(Path(self._name))
        except OSError as error:
            raise Problem(f"cannot write {self._name}: {reason(error)}") from None


def show(setup: Setup, names: list[str], tally: Tally, *, to_stderr: bool = False) -> None:
    """The table."""

    width = max(8, *(len(name) for name in names)) + 1

    def row(label: str, bot: str, line: Line) -> str:
        mean = f"{line.mean:8.2f} " + (f"± {line.mean_error:<5.2f}" if tally.games > 1 else " " * 7)
        return f"  {label:<10}{bot:<{width}}{mean}{line.share:9.1%}   ({line.low:.1%} to {line.high:.1%})".rstrip()

    lines = [
        described(setup, f"{tally.games} game{'s' * (tally.games > 1)}"),
        f"  {'':<10}{'bot':<{width}}{'mean score':>14}  {'wins':>9}   95 % interval",
        *(row(f"player {k + 1}", names[k], tally.player(k)) for k in range(setup.players)),
        *(row(f"seat {k + 1}", "", tally.seat(k)) for k in range(setup.players)),
        f"  {tally.decisions / tally.games:.1f} decisions per game; a shared win counts as a part of one",
    ]
    click.echo("\n".join(lines), err=to_stderr)

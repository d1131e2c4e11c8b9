"""``ziggurat simulate``: bots play many games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem, must_be_writable, writing, written
from ziggurat.cli.options import bots_option, described, number_option, read_texts, setup_options, workers_option
from ziggurat.cli.progress import ended_politely, prepare, progress

if TYPE_CHECKING:
    import polars

    from ziggurat.core.setup import Setup
    from ziggurat.lab.batch import Batch
    from ziggurat.lab.simulate import PlayerSummary, Simulation, SimulationResult
    from ziggurat.lab.work import Workers

GAMES_PER_TABLE = 1000
NUMBER_MARK = "{n}"  # in the name of a replay file


@click.command("simulate")
@number_option("--games", 1000, "Number of games.")
@setup_options()
@number_option("--first", 1, "Number of the first game, as in --out.")
@bots_option("random")
@workers_option
@click.option("--log", metavar="FILE", help="Write everything that happens as JSON lines (docs/event-log.md).")
@click.option("--legal", is_flag=True, help="With --log: list the legal actions at every decision.")
@click.option("--replay", metavar="FILE", help="Write the game as a replay; with several games FILE contains {n}.")
@click.option("--out", metavar="FILE.parquet", help="Write a row for every player and game (docs/simulate.md).")
def command(
    setup: Setup,
    games: int,
    seed: str | None,
    first: int,
    bots: str,
    workers: Workers,
    log: str | None,
    legal: bool,
    replay: str | None,
    out: str | None,
) -> None:
    """Let bots play many games of GAME, and show who wins.

    Players change chairs from game to game. The same seed gives the same games, with a log or without.
    """
    if legal and not log:
        raise CommandProblem("--legal goes with --log FILE")
    if replay and replay != "-" and games > 1 and NUMBER_MARK not in replay:
        raise CommandProblem(
            f"with {games} games the file of --replay needs {NUMBER_MARK} in its name, such as game-{NUMBER_MARK}.txt"
        )
    if log == "-" and replay == "-":
        raise CommandProblem("--log and --replay cannot both go to standard output")
    from ziggurat.bots import SEARCHING
    from ziggurat.lab.simulate import Simulation, SimulationResult

    texts = read_texts(bots, setup.players)
    facts = bool(out) and setup.game.facts is not None
    wanted = Simulation.of(setup.game, texts, seed, setup.options, setup.components, facts=facts)
    names = [one.name for one in wanted.bots]
    rows = _Rows(out, wanted) if out else None
    if not (log or replay):
        prepare(setup.game, wanted.program)
    if any(one.searches for one in wanted.bots):
        prepare(setup.game, SEARCHING)
    tally = SimulationResult(setup.players)
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
    show(wanted.setup, names, tally, to_stderr="-" in (log, replay))
    if hurried := list(dict.fromkeys(one.name for one in wanted.bots if one.by_clock)):
        click.echo(f"  by the clock, so that another machine may play other games: {', '.join(hurried)}", err=True)


def _recorded(
    wanted: Simulation, games: int, first: int, log: str | None, legal: bool, replay: str | None, stack: ExitStack
) -> Iterator[Batch]:
    from ziggurat.core.eventlog import EventLog
    from ziggurat.core.replay import record
    from ziggurat.lab.record import recorded

    events = EventLog(stack.enter_context(writing(log)), legal=legal) if log else None
    if replay and games == 1:  # before the game, so that a wrong name is not found out after it
        must_be_writable(replay)
    for played in recorded(wanted, games, first=first, log=events, moves=replay is not None):
        if replay:
            seats = [f"{bot} {seat}" for seat, bot in enumerate(played.bots, start=1)]
            with writing(replay.replace(NUMBER_MARK, str(played.number + 1))) as stream:
                stream.write(record(played.position, played.moves, names=seats).dump())
        yield played.batch


class _Rows:
    """A writer of the rows of a Parquet file."""

    def __init__(self, name: str, wanted: Simulation) -> None:
        need("lab", "--out")
        self._name, self._wanted = name, wanted
        self._tables: list[polars.DataFrame] = []
        must_be_writable(name)

    def add(self, batch: Batch) -> None:
        import polars

        from ziggurat.lab.tables import table

        self._tables.append(table(self._wanted, batch))
        if len(self._tables) == GAMES_PER_TABLE:  # small tables take more room than what is in them
            self._tables = [polars.concat(self._tables, rechunk=True)]

    def write(self) -> None:
        from ziggurat.lab.tables import write

        with written(self._name):
            write(self._name, self._wanted, self._tables)


def show(setup: Setup, names: list[str], tally: SimulationResult, *, to_stderr: bool = False) -> None:
    """Print the table of results."""

    width = max(8, *(len(name) for name in names)) + 1

    def row(label: str, bot: str, line: PlayerSummary) -> str:
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

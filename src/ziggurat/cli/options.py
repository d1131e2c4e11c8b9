"""Arguments and options that several commands share, and their parsing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem, parsed

if TYPE_CHECKING:
    from ziggurat.core.game import Components, Game
    from ziggurat.core.setup import Setup
    from ziggurat.lab.work import Workers

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

USUAL_PLAYERS = 3


class AtLeast(click.types.IntParamType):
    """A parameter type: a whole number with a minimum."""

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number: int = super().convert(value, param, ctx)
        if number < self.least:
            name = param.opts[0] if param else "the number"
            raise CommandProblem(f"{name} is at least {self.least}, not {number}")
        return number


def together(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options, in their order."""

    def add(function: Command) -> Command:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def number_option(name: str, usual: int, said: str, least: int = 1) -> Decorator:
    """Return an option for a whole number."""
    return click.option(name, type=AtLeast(least), default=usual, show_default=True, help=said)


def player_counts_option(usual: str) -> Decorator:
    """Return the option --players for several numbers."""

    def read(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...] | None:
        return read_numbers(text) if text else None

    return click.option("--players", metavar="N,...", callback=read, help=f"Numbers of players (default: {usual}).")


def bots_option(usual: str) -> Decorator:
    """Return the option --bots, for every seat; see `read_texts`."""
    said = "One bot for all, or one for each player: by name, or as in a tournament (search:800)."
    return click.option("--bots", metavar="A,B,...", default=usual, show_default=True, help=said)


def _read_workers(context: click.Context, option: click.Parameter, text: str | None) -> Workers:
    from ziggurat.core.errors import BadOption
    from ziggurat.lab.work import RAY, read_workers

    try:
        workers = read_workers(text)
    except BadOption as error:
        raise CommandProblem(f"--workers: {error}") from None
    if workers == RAY:
        need("ray", "--workers ray")
    return workers


game_argument = click.argument("game", metavar="GAME")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
seed_option = click.option(
    "--seed", metavar="SEED", help="A number or 64 hexadecimal digits. The same seed gives the same game."
)
rules_options = together(
    click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        help="A rule that can be chosen; may be given several times (see 'ziggurat games').",
    ),
    click.option(
        "--components",
        metavar="FILE",
        help="Printed numbers of your own instead of the usual ones (see 'ziggurat components').",
    ),
)
workers_option = click.option(
    "--workers",
    metavar="N|ray",
    callback=_read_workers,
    help="How many work at once (default: one for each core), or 'ray': a Ray cluster (docs/many-machines.md).",
)


def setup_options(*, usual_players: int = USUAL_PLAYERS, seeded: bool = True) -> Decorator:
    """Return a decorator for GAME, --players, --option and --components, from which the command gets a ``setup``; and
    --seed if it has one."""

    def add(function: Command) -> Command:
        @wraps(function)
        def command(
            game: str, players: int | None, options: tuple[str, ...], components: str | None, **others: Any
        ) -> Any:
            setup = read_setup(game, players, options, components, others.get("seed"), usual_players)
            return function(setup=setup, **others)

        return command

    said = f"Number of players (default: {usual_players}, or the nearest that the game allows)."
    seed = [seed_option] if seeded else []
    return together(game_argument, click.option("--players", type=int, help=said), *seed, rules_options, add)


def results_options(holds: str, *, required: bool = False) -> Decorator:
    """Return a decorator for --out and --resume.

    Args:
        holds: what is kept in the folder.
    """

    def add(function: Command) -> Command:
        @wraps(function)
        def command(out: str | None, resume: bool, **others: Any) -> Any:
            if resume and not out:
                raise CommandProblem("--resume goes with --out DIR")
            return function(out=out, resume=resume, **others)

        return command

    return together(
        click.option("--out", metavar="DIR", required=required, help=f"Keep the results there: {holds}."),
        click.option("--resume", is_flag=True, help="With --out: go on with what is there."),
        add,
    )


def read_rules(
    game: str, options: Sequence[str], components: str | None
) -> tuple[Game, dict[str, str], Components | None]:
    """Check the values of ``rules_options``, as far as possible without the number of players."""
    import ziggurat

    chosen = ziggurat.game(game)
    numbers = parsed(components, chosen.load_components) if components else None
    return chosen, read_pairs(options), numbers


def read_setup(
    game: str,
    players: int | None,
    options: Sequence[str],
    components: str | None,
    seed: str | None,
    usual_players: int = USUAL_PLAYERS,
) -> Setup:
    """Check the values of ``setup_options``."""
    from ziggurat.core.setup import Setup

    chosen, pairs, numbers = read_rules(game, options, components)
    seats = max(chosen.min_players, min(usual_players, chosen.max_players)) if players is None else players
    return Setup.of(chosen, seats, pairs, numbers, seed)


def read_numbers(text: str) -> tuple[int, ...]:
    """Parse several numbers of players, between commas."""
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise CommandProblem(f"--players is a number, or several such as 2,4, not {text!r}") from None


def read_pairs(options: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise CommandProblem(f"--option is given as NAME=VALUE, such as refill_order=money_first, not {text!r}")
        if pairs.setdefault(name.strip(), value.strip()) != value.strip():
            raise CommandProblem(f"--option {name} is given twice, as {pairs[name]!r} and as {value!r}")
    return pairs


def described(setup: Setup, games: str) -> str:
    """Return a line that says what was played, and what it takes to play it again."""
    from ziggurat.core.seed import shown_seed

    changed = setup.game.changed(setup.options)
    chosen = " ".join(f"{name}={value}" for name, value in changed.items()) or "usual options"
    numbers = "" if setup.components.is_default else f", components {setup.components.digest[:12]}"
    players = f"{setup.players} player{'s' * (setup.players > 1)}"
    return f"{setup.game.id}, {players}, {games}, seed {shown_seed(setup.seed)}, {chosen}{numbers}"


def read_texts(text: str, number: int) -> list[str]:
    """Parse the texts of bots for ``number`` seats: one for each, or one for all."""
    from ziggurat.bots.entrants import split

    texts = split(text)
    if len(texts) == 1:
        texts *= number
    if len(texts) != number:
        raise CommandProblem(f"--bots names one bot for all or one for each of the {number} seats, not {len(texts)}")
    return texts

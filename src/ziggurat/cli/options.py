"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem, parsed

if TYPE_CHECKING:
    from ziggurat.core.setup import Setup
    from ziggurat.lab.work import Workers

F = TypeVar("F", bound=Callable[..., Any])


def game_argument(function: F) -> F:
    return click.argument("game", metavar="GAME")(function)


def rules_options(function: F) -> F:
    """--option and --components."""
    for add in (
        click.option(
            "--components",
            metavar="FILE",
            help="Printed numbers of your own instead of the usual ones (see 'ziggurat components').",
        ),
        click.option(
            "--option",
            "options",
            metavar="NAME=VALUE",
            multiple=True,
            help="A rule that can be chosen; may be given several times (see 'ziggurat games').",
        ),
    ):
        function = add(function)
    return function


def setup_options(function: F) -> F:
    """--seed, --option and --components."""
    return click.option(
        "--seed", metavar="SEED", help="A number or 64 hexadecimal digits. The same seed gives the same game."
    )(rules_options(function))


def workers_option(function: F) -> F:
    """--workers."""
    return click.option(
        "--workers",
        metavar="N|ray",
        callback=_read_workers,
        help="How many work at once (default: one for each core), or 'ray': a Ray cluster (docs/many-machines.md).",
    )(function)


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


def read_setup(
    game: str, players: int | None, options: Sequence[str], components: str | None, seed: str | None
) -> Setup:
    """Check what ``setup_options`` read."""
    import ziggurat
    from ziggurat.core.setup import Setup

    chosen = ziggurat.game(game)
    seats = max(chosen.min_players, min(3, chosen.max_players)) if players is None else players
    numbers = parsed(components, chosen.load_components) if components else None
    return Setup.of(chosen, seats, read_pairs(options), numbers, seed)


def read_numbers(text: str) -> tuple[int, ...]:
    """Several numbers of players, between commas."""
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
    """A line that says what was played, and what it takes to play it again."""
    from ziggurat.lab.simulate import shown_seed

    usual = {option.name: option.default for option in setup.game.options}
    changed = [f"{name}={value}" for name, value in setup.options.items() if value != usual[name]]
    chosen = " ".join(changed) or "usual options"
    numbers = "" if setup.components.is_default else f", components {setup.components.digest[:12]}"
    players = f"{setup.players} player{'s' * (setup.players > 1)}"
    return f"{setup.game.id}, {players}, {games}, seed {shown_seed(setup.seed)}, {chosen}{numbers}"


def read_texts(text: str | None, number: int) -> list[str]:
    """What names bots for ``number`` seats: one for each, or one for all."""
    from ziggurat.bots.entrants import split

    texts = split(text or "random")
    if len(texts) == 1:
        texts *= number
    if len(texts) != number:
        raise CommandProblem(f"--bots names one bot for all or one for each of the {number} seats, not {len(texts)}")
    return texts

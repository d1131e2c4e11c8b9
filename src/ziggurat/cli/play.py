"""``ziggurat play``: a game in the terminal, against bots."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ziggurat.cli.files import CommandProblem, must_be_writable, writing
from ziggurat.cli.options import game_argument, read_setup, read_texts, rules_options, seed_option
from ziggurat.cli.words import language_option

if TYPE_CHECKING:
    from ziggurat.bots import Bot
    from ziggurat.bots.entrants import BotSpec


@click.command("play")
@game_argument
@click.option("--players", type=int, help="Number of players, you included (default: 3, or as many as --bots need).")
@click.option(
    "--bots",
    metavar="A,B,...",
    help="One bot for all other seats, or one for each (default: mason); also bots of your own (docs/agents.md).",
)
@click.option("--name", metavar="NAME", help="Your name at the table.")
@click.option("--replay", metavar="FILE", help="Write the game to a replay file when it ends or when you quit.")
@seed_option
@rules_options
@language_option
def command(
    game: str,
    players: int | None,
    bots: str | None,
    name: str | None,
    replay: str | None,
    seed: str | None,
    options: tuple[str, ...],
    components: str | None,
    lang: str | None,
) -> None:
    """Play GAME here in the terminal, against bots. You sit at seat 1.

    Type the number of a move, or a move in notation such as 'take blue 5' or 'buy arcades 8 blue with 5 3'.
    """
    import ziggurat
    from ziggurat.bots.entrants import entrant, split
    from ziggurat.cli.screen import Screen
    from ziggurat.cli.table import TerminalTable

    if players is None and bots and "," in bots:
        players = len(split(bots)) + 1
    setup = read_setup(game, players, options, components, seed)
    others = [entrant(text, setup.game) for text in read_texts(bots or "mason", setup.players - 1)]
    if name is not None and not name.strip().isprintable():
        raise CommandProblem("--name is a name of visible characters")
    screen = Screen(setup.game, lang, setup.players, you=0)
    screen.names = [name.strip() if name and name.strip() else screen.say("ui.seat.guest"), *_bot_names(screen, others)]
    if replay:
        must_be_writable(replay)
    position = setup.position()
    # The bots' dice come from the seed too, so that the same answers give the same game.
    rng = ziggurat.generator(hashlib.sha256(b"bots" + setup.seed).digest())
    table = TerminalTable(position, screen, ["", *(_seated(one) for one in others)], rng)
    table.play()
    if replay:
        with writing(replay) as stream:
            stream.write(table.replay().dump())
        screen.ask("ui.cli.saved", file=replay)


def _seated(one: BotSpec) -> str | Bot:
    """Return the players: for bots that only query a network their stand-in, for nobody waits minutes for the
    compiler."""
    from ziggurat.bots import BOTS, SEARCHING, meanwhile
    from ziggurat.bots.levels import ERRORS
    from ziggurat.core.runtime import is_compiled

    if one.text in ERRORS and one.searches and not is_compiled(one.game, SEARCHING):
        return meanwhile(one.text)
    return one.text if one.text in BOTS else one.bot()


def _bot_names(screen: object, bots: Sequence[BotSpec]) -> list[str]:
    """Return the names of bots, numbered where one plays more than one seat."""
    from ziggurat.bots import BOTS
    from ziggurat.cli.screen import Screen

    assert isinstance(screen, Screen)
    many, seen = Counter(one.name for one in bots), Counter[str]()
    names = []
    for one in bots:
        bot = one.name
        seen[bot] += 1
        label = screen.say(f"ui.bot.{bot}") if bot in BOTS else bot
        names.append(screen.say("ui.bot.numbered", bot=label, n=seen[bot]) if many[bot] > 1 else label)
    return names

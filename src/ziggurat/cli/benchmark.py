"""``ziggurat benchmark``: somebody writes an engine from the rules of a game, and a machine judges it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.files import CommandProblem, must_be_writable, writing, written
from ziggurat.cli.options import AtLeast, game_argument, json_option
from ziggurat.cli.progress import ended_politely, progress

if TYPE_CHECKING:
    from ziggurat.lab.rulebook.judge import RulesVerdict

SHOWN = 6
"""Differences that are printed; all of them are in the JSON."""


@click.group("benchmark")
def command() -> None:
    """Write a game's rules from its rulebook, and have them judged by machine.

    'brief' writes what the author of an engine gets, 'rules' judges the engine, and 'own' writes an engine that is our
    own rules, which scores 1.
    """


@command.command("brief")
@game_argument
@click.option("--out", metavar="FOLDER", required=True, help="Where to write it: empty, new, or an earlier brief.")
@click.option("--hide", metavar="SEED", help="Hide the names of pieces, actions and the game; the seed makes new ones.")
def brief(game: str, out: str, hide: str | None) -> None:
    """Write what the author of an engine for GAME gets: rules, numbers, actions, views, an empty interface."""
    import ziggurat
    from ziggurat.core.own_folders import must_be_ours
    from ziggurat.lab.rulebook.brief import MARK, write_brief

    chosen, folder = ziggurat.game(game), Path(out)
    must_be_ours(folder, MARK)
    with written(out):
        for file in write_brief(chosen, folder, hide):
            click.echo(f"written: {file}")


@command.command("own")
@game_argument
@click.option("--out", metavar="FOLDER", required=True, help="Where to write it: empty, new, or an earlier one.")
@click.option("--mistake", metavar="FILE:NAME", help="Plant a mistake of a file in the rules.")
@click.option("--hide", metavar="SEED", help="It speaks in the hidden names of a brief.")
def own(game: str, out: str, mistake: str | None, hide: str | None) -> None:
    """Write an engine that is our own rules of GAME: the baseline."""
    import ziggurat
    from ziggurat.core.own_folders import must_be_ours
    from ziggurat.lab.rulebook.baseline import write_own

    chosen, folder = ziggurat.game(game), Path(out)
    must_be_ours(folder, "engine.json")
    with written(out):
        click.echo(f"written: {write_own(chosen, folder, mistake, hide)}")


@command.command("rules")
@click.argument("folder", metavar="FOLDER")
@click.option("--game", metavar="GAME", required=True, help="Which game the engine plays.")
@click.option("--seed", type=AtLeast(0), default=1, show_default=True, help="The same seed asks the same.")
@click.option("--hide", metavar="SEED", help="The seed of the brief, if its names were hidden.")
@click.option("--minutes", type=AtLeast(1), default=15, show_default=True, help="How long it may take.")
@json_option
@click.option("--out", metavar="FILE", help="Write the verdict there, in JSON.")
def rules(folder: str, game: str, seed: int, hide: str | None, minutes: int, as_json: bool, out: str | None) -> None:
    """Judge the engine in FOLDER: engine.py with a class Engine, or engine.toml with a command.

    The engine runs in a process of its own, with limits of time and memory. That bounds mistakes and no malice: it can
    read what you can read. Judge the engine of a stranger in a container.
    """
    import msgspec

    import ziggurat
    from ziggurat.lab.rulebook.brief import hidden_names, is_hidden
    from ziggurat.lab.rulebook.engines import Engine, EngineLimits
    from ziggurat.lab.rulebook.exam import PARTS, Maker
    from ziggurat.lab.rulebook.judge import RulesJudge
    from ziggurat.lab.rulebook.names import same_names

    chosen, place = ziggurat.game(game), Path(folder)
    if out:
        must_be_writable(out)
    if hide is None and is_hidden(place):
        raise CommandProblem(
            f"{folder} is a brief with hidden names: give the seed that it was written with, --hide SEED"
        )
    names = hidden_names(chosen, hide) if hide is not None else same_names()
    engine = Engine(place, names.hide(chosen.id) if hide is None else "hidden", EngineLimits(whole=60 * minutes))
    with ended_politely():
        try:
            engine.start()
            with progress("exam", len(PARTS)) as advance:
                exam = Maker(chosen, seed).exam(advance)
            with progress("asked", len(exam.scripts)) as advance:
                verdict = RulesJudge(exam, engine, names).judge(advance)
        except KeyboardInterrupt:
            raise CommandProblem("stopped; nothing is judged") from None
        finally:
            engine.close()
    plain = msgspec.json.format(msgspec.json.encode(verdict), indent=2).decode() + "\n"
    if out:
        with writing(out) as stream:
            stream.write(plain)
    if as_json:
        click.echo(plain, nl=False)
    else:
        show(verdict)


def show(verdict: RulesVerdict) -> None:
    """Print a verdict for people."""
    score = "1" if verdict.score == 1 else f"{verdict.score:.4f}"
    click.echo(f"{verdict.game}: score {score} of 1 (seed {verdict.seed})\n")
    click.echo(f"{'part':<10} {'weight':>6} {'score':>7} {'games':>6} {'whole':>6} {'right':>12}")
    for part in verdict.parts:
        answers = f"{part.right:,}/{part.asked:,}"
        line = f"{part.part:<10} {part.weight:>6.0%} {part.score:>7.4f} {part.games:>6} {part.whole:>6} {answers:>12}"
        click.echo(line)
    if verdict.ended:
        click.echo(f"\n{verdict.ended}")
    if not verdict.differences:
        if not verdict.ended:
            click.echo("\nno difference was found")
        return
    number = len(verdict.differences)
    about = verdict.rule or "nothing in particular"
    click.echo(f"\n{number} game{'s' * (number > 1)} with a difference, most of them about: {about}")
    # Each sentence once, those about this section first.
    told = {one.said: one for one in reversed(verdict.differences)}
    for one in sorted(told.values(), key=lambda one: (one.rule != verdict.rule, verdict.differences.index(one)))[
        :SHOWN
    ]:
        done = f"seat {one.seat} did {one.action!r}" if one.action else "the game was set up"
        click.echo(
            f"\n* {one.part}, {one.players} player{'s' * (one.players > 1)}, {one.title}, after {one.after} "
            f"action{'s' * (one.after != 1)}: {done}"
        )
        click.echo(f"  {one.said}")
        if one.happened:
            click.echo(f"  by the rules: {' '.join(one.happened)}")
        if one.rule:
            click.echo(f"  see the section {one.rule!r}")

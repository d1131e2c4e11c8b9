"""``ziggurat verify``: is this what happened?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ziggurat.cli.app import module_of, place_of
from ziggurat.cli.files import CommandProblem, parsed
from ziggurat.cli.proof import conclude
from ziggurat.core.proof import Judged, Proof

if TYPE_CHECKING:
    from ziggurat.core.replay import Replay

UNTOLD = "options and printed numbers where this game would have gone alike by others"
LAID = "the cards were laid out, as the scenario in the file says, and not shuffled"


class VerifyCommand(click.Command):
    """The command for replays, which hands the files of features to theirs: `verify season FILE`."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if len(args) > 1 and args[0].isalpha() and place_of(kind := f"verify-{args[0]}") is not None:
            other: click.Command = import_module(module_of(kind)).command
            return other.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command("verify", cls=VerifyCommand)
@click.argument("file", metavar="FILE")
@click.option("--hash", "published", metavar="HEX", help="The fingerprint that the table showed before the first move.")
def command(file: str, published: str | None) -> int:
    """Play the game of a replay FILE again and check everything that it says. `verify season FILE` checks a season.

    With --hash also that the cards were shuffled by the seed that the table had fixed before the first move.
    The last lines say what was judged, what was not, and what is believed from the file.
    Exit code 0: everything that the file says agrees; 1: it says nothing that could be judged; 2: something does not
    agree, and what.
    """
    from ziggurat.core.replay import Replay, seed_hash

    replay = parsed(file, Replay.parse)
    fingerprint = seed_hash(replay.seed, replay.salt) if replay.salt and replay.scenario is None else None
    if published is not None:
        _compare(file, fingerprint, published.strip().lower(), replay.scenario is not None)
    position = parsed(file, lambda text: replay.verify())
    numbers = "the usual numbers" if replay.components.is_default else "numbers of its own, in the file"
    rules = f"rules version {replay.rules}"
    if replay.rules != replay.game.version:
        rules += f", and the same game by version {replay.game.version}"
    lines = [
        ("game", f"{replay.game.id} for {replay.players}, {rules}"),
        ("options", " ".join(f"{name}={value}" for name, value in position.options.items() if value)),
        ("components", f"{numbers}, digest {replay.components.digest}"),
        ("moves", f"{len(replay.moves)}, all legal; the game is {'over' if position.finished else 'not over'}"),
        ("result", _said(replay.result, position.finished) or " ".join(str(points) for points in position.scores)),
        ("final position", _said(replay.final, position.finished) or "as the file says"),
        ("seed", _seed(fingerprint, published) if replay.scenario is None else LAID),
    ]
    for name, text in lines:
        click.echo(f"{name + ':':<16}{text}")
    says = [what for what, said in (("result", replay.result), ("final position", replay.final)) if said is not None]
    code = conclude(file, _proof(replay, position.finished, says, published), "it has no moves")
    if code or says or published:
        return code
    ends = "no result and no final position" if position.finished else "no final position"
    click.echo(
        f"ziggurat: {file} is not verified: its moves are legal, but it says {ends} to compare them with", err=True
    )
    return 1


def _proof(replay: Replay, finished: bool, says: list[str], published: str | None) -> Proof:
    """Return the proof of a replay without a fault."""
    lead = f", and they lead to the {' and the '.join(says)} that the file says" if says else ""
    judged = [Judged("moves", len(replay.moves), len(replay.moves), f"legal{lead}")]
    unsaid, believed = [], ["the names of the seats", "the version of the program", UNTOLD]
    if finished and replay.result is None:
        unsaid.append("the result, which the file does not say")
    if replay.final is None:
        unsaid.append("the final position, which the file does not say")
    if not finished:
        unsaid.append("how it goes on: the game is not over")
    if published:
        judged.append(Judged("fingerprints", 1, 1, "that of seed and salt"))
    elif replay.scenario is None:
        unsaid.append("whether the seed was fixed before the first move, which only --hash tells")
    if replay.rules != replay.game.version:
        believed.append(f"that it was played by version {replay.rules} of the rules")
    return Proof(judged, unsaid, believed)


def _compare(file: str, fingerprint: str | None, published: str, laid: bool) -> None:
    if len(published) != 64 or any(digit not in "0123456789abcdef" for digit in published):
        raise CommandProblem(f"--hash is 64 hexadecimal digits, not {published!r}")
    if laid:
        raise CommandProblem(f"{file}: {LAID}; there was no fingerprint to be shown")
    if fingerprint is None:
        raise CommandProblem(f"{file} has no salt, so its seed cannot be compared with a fingerprint")
    if fingerprint != published:
        raise CommandProblem(f"{file}: seed and salt have the fingerprint {fingerprint}, the table showed {published}")


def _said(value: object, finished: bool) -> str:
    """Return why there is nothing to compare, if so."""
    if value is not None:
        return ""
    return "the file does not say" if finished else "not reached"


def _seed(fingerprint: str | None, published: str | None) -> str:
    if fingerprint is None:
        return "without salt: no fingerprint was published"
    if published is None:
        return f"compare its fingerprint with what the table showed: {fingerprint}"
    return f"the one that the table had fixed, fingerprint {fingerprint}"

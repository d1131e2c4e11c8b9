"""``ziggurat analyse``: the analysis of moves for other programs, in JSON lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ziggurat.cli.files import written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


@click.command("analyse")
@click.option(
    "--workers", type=click.IntRange(1, 1024), help="How many processes think at once (default: one for each core)."
)
@click.option(
    "--queue",
    type=click.IntRange(1, 1_000_000),
    default=1000,
    show_default=True,
    help="How many questions wait or are answered; no more is read until one is done.",
)
def command(workers: int | None, queue: int) -> None:
    """Answer questions about games and positions: one in JSON on each line of the input, answers on the output.

    {"id": 1, "replay": "..."} asks what every move of a replay was worth, {"id": 2, "position": "..."} for the best
    moves in a scenario, {"terminate": 1} drops a question. Answers come in any order, each with the id of its question;
    the same question has the same answer. docs/analyse.md has every field. The command ends with its input, when
    everything is answered.
    """
    import msgspec

    from ziggurat.lab.analyse import AnalysisEngine
    from ziggurat.lab.analyse.questions import LINE_BYTES
    from ziggurat.lab.work import cores

    def say(said: dict[str, object]) -> None:
        target.write(msgspec.json.encode(said) + b"\n")
        target.flush()

    target = sys.stdout.buffer
    with written("the answers"), AnalysisEngine(say, workers=workers or cores(), queue=queue) as engine:
        for line in _lines(sys.stdin.buffer, LINE_BYTES):
            engine.ask(line)
        engine.finish()


def _lines(source: BinaryIO, longest: int) -> Iterator[bytes]:
    """Yield lines; one that is too long is truncated just beyond the limit."""
    while line := source.readline(longest + 2):
        rest = line
        while len(rest) == longest + 2 and not rest.endswith(b"\n"):
            rest = source.readline(longest + 2)
        yield line

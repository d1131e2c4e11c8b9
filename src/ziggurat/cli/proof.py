"""The proof at the end of every command that verifies or checks something."""

from __future__ import annotations

import click

from ziggurat.core.proof import Proof


def conclude(about: str, proof: Proof, nothing: str = "it has nothing to judge") -> int:
    """Print the proof: what was checked, what was not and what is taken on trust, after no fault was found.

    Args:
        about: what was given: the name of the file or folder.
        nothing: why nothing was judged, if so.

    Returns the exit code: 0, or 1 when nothing was judged, which is no success.
    """
    for line in proof.lines():
        click.echo(line)
    if proof.nothing:
        click.echo(f"ziggurat: {about} is not verified: {nothing}", err=True)
        return 1
    return 0

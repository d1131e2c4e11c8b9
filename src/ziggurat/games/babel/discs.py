"""The discs on the wonders: what they ask for, which are there, and whether those of a type are gone (section 8.1)."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel
from ziggurat.core.trace import note
from ziggurat.games.babel import state


@kernel
def note_disc(s: Record, code: int, seat: int, disc: int, trace: Record) -> None:
    """Write a row about a disc: which, and what it asks for."""
    need = s.disc[disc]
    note(trace, code, seat, disc, need[0], need[1], need[2], need[3])


@kernel
def find_asking(s: Record) -> None:
    """Compute ``asking``: for each type the discs that ask for it, whenever discs are laid out."""
    for kind in range(state.KINDS):
        discs = 0
        for disc in range(state.DISCS):
            discs |= (1 if s.disc[disc][kind] > 0 else 0) << disc
        s.asking[kind] = discs


@kernel
def discs_there(s: Record) -> int:
    """Bit mask of the discs that nobody has taken."""
    discs: int = s.asking[0] | s.asking[1] | s.asking[2] | s.asking[3]
    return discs


@kernel
def is_exhausted(s: Record) -> bool:
    """Section 8.1: the last disc of a type has been taken; one with two colours counts for both."""
    asking = s.asking
    return asking[0] == 0 or asking[1] == 0 or asking[2] == 0 or asking[3] == 0

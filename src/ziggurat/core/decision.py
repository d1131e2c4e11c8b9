"""Decisions: what a seat is asked, its choices and their consequences; all that a board or terminal has to say."""

from __future__ import annotations

import msgspec

from ziggurat.core.actions import Choice
from ziggurat.core.trace import Phrase


class Refusal(msgspec.Struct, frozen=True):
    """An action that a player may try and that is not possible now, and why."""

    choice: Choice
    reason: Phrase


class Decision(msgspec.Struct, frozen=True):
    """A decision of a seat: the question and its choices.

    Attributes:
        ask: the question; for a seat without one what it waits for, if there is more to say than for whom.
        legal: what it may do now; nothing for a seat that owes no decision, and for spectators.
        refusals: what it may want to do and cannot.
        forced: its one move is no decision and is played for it (`Position.forced`; at a table of a server what
            `Position.imposed` says, unless the person makes such moves themselves).
    """

    ask: Phrase | None
    legal: list[Choice]
    refusals: list[Refusal]
    forced: bool = False


class Confirmation(msgspec.Struct, frozen=True):
    """A finishing action of a move in the making, and what its button says."""

    action: int
    label: Phrase


class Preview(msgspec.Struct, frozen=True):
    """The preview of an unfinished move.

    Attributes:
        ask: what is asked now.
        add: what may be added to it.
        confirm: actions that would finish it now.
        say: what it would do, in words.
        good: whether that is worth pointing out, such as paying exactly.
        suggest: a sensible choice of all its further steps but the finishing one.
        then: what the move would do with the suggested steps, if there are any, so that nobody has to ask for that too.
        refusals: what one may want to add and cannot.
    """

    ask: Phrase
    add: list[Choice]
    confirm: list[Confirmation]
    say: list[Phrase]
    good: bool = False
    suggest: list[Choice] | None = None
    refusals: list[Refusal] = msgspec.field(default_factory=list)
    then: Preview | None = None


class Description(msgspec.Struct, frozen=True):
    """A whole move: in notation, in words, and step by step.

    Attributes:
        words: for everybody; where a catalogue has the same key with ``.own``, that is for whoever makes the move.
    """

    notation: str
    words: Phrase
    steps: list[Choice]


class About(msgspec.Struct, frozen=True):
    """The description of a piece: everything that somebody who touches it wants to know.

    Attributes:
        piece: its name, by which it is drawn: of a place, what lies there.
        name: what it is called.
        what: what it is and does, by the rules.
        worth: what it is worth to a seat in this position; nothing for spectators, and after the end.
        rule: the section of the rules that it belongs to: its heading in English, as in an address.
    """

    piece: str
    name: Phrase
    what: list[Phrase]
    worth: list[Phrase]
    rule: str

"""What language models are told at the doors of other people's arenas: rules that fit into a prompt, what a seat
sees, a numbered list of all that it may do, and how an answer is read.

Each list is complete, whatever is left out of the view: no seat is ever asked for what it is not shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ziggurat.core.board import board_of
from ziggurat.core.errors import BadOption, ZigguratError
from ziggurat.core.game import Game
from ziggurat.core.in_words import action_texts, observation_text, seat_names
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue, rules_text

Rules = Literal["all", "play", "minute", "none"]
"""How much of the rules a prompt has: the whole page; what is needed to play; its first section; nothing."""
AMOUNTS: tuple[Rules, ...] = ("all", "play", "minute", "none")

MOST_NEWS = 1500
"""Characters of what has happened since a seat was asked last; the oldest goes first."""
MOST_SEEN = 4000
"""Characters of what a seat sees; no game of ours has so many."""
MOST_READ = 2000
"""Characters of an answer that are read, from its end."""
MOST_QUOTED = 60
"""Characters of a wrong answer that are said back."""

_BESIDE_PLAY = ("options", "unclear points", "rulings", "printed numbers")
"""How the sections begin that players of a game as it is set up here do without."""
_FOR_PLAYERS = {"two players": 2, "alone": 1}
"""How the sections begin that only one number of players needs."""
_SEPARATES = re.compile(r"^ *\|(?:\s*:?-+:?\s*\|)+\s*$\n?", re.MULTILINE)
"""The row between the head and the body of a table in Markdown."""
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")


class AnswerError(ZigguratError):
    """An answer that names nothing that the seat may do; the sentence says what would."""

    code = "no_answer"


class TextChoice(NamedTuple):
    """An action that a seat may play now, as a list names it."""

    number: int
    """In the list, from 1."""
    action: int
    notation: str
    words: str

    def line(self) -> str:
        """Return its line of the list."""
        said = "" if self.words == self.notation else f" - {self.words}"
        return f"[{self.number}] {self.notation}{said}"


def check_amount(amount: str) -> Rules:
    """Return how much of the rules is asked for.

    Raises:
        BadOption: for anything else.
    """
    for one in AMOUNTS:
        if one == amount:
            return one
    raise BadOption(f"rules are {', '.join(AMOUNTS)}, not {amount!r:.60}")


def rules_for_prompt(game: Game, players: int, amount: Rules = "play") -> str:
    """Return the rules of a game in words, as much as is asked for; nothing where they are not written down."""
    text = None if amount == "none" else rules_text(game.id, "en")
    if text is None:
        return ""
    if amount != "all":
        first, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
        wanted = sections[:1] if amount == "minute" else [one for one in sections if _needed(one, players)]
        text = "".join([first, *wanted])
    return _SEPARATES.sub("", text.replace("**", "")).strip()


def _needed(section: str, players: int) -> bool:
    heading = section.split("\n", 1)[0].removeprefix("## ").lower()
    if heading.startswith(_BESIDE_PLAY):
        return False
    return all(players == number for begins, number in _FOR_PLAYERS.items() if heading.startswith(begins))


def player_names(players: int) -> list[str]:
    """Return the names of seats as arenas count them, from 0."""
    return [f"Player {seat}" for seat in range(players)]


def seated(players: int) -> str:
    """Return who plays, in a sentence."""
    return f"The seats, clockwise: {', '.join(player_names(players))}." if players > 1 else "You play alone."


def choices(position: Position, seat: int, names: Sequence[str] | None = None) -> list[TextChoice]:
    """Return all that a seat may play now."""
    legal = position.legal(seat)
    words = action_texts(position, seat, legal, "en", names)
    return [
        TextChoice(number, action, position.write_step(action), said)
        for number, (action, said) in enumerate(zip(legal, words, strict=True), 1)
    ]


def news(position: Position, seat: int, mark: int, names: Sequence[str] | None = None) -> list[str]:
    """Return what a seat may know of what has happened after a mark that ``rows_written`` gave: the latest of it, in at
    most ``MOST_NEWS`` characters."""
    say = catalogue("en", position.game)
    name, unsaid = seat_names(say, position, names), board_of(position.game.id).unsaid
    told: list[str] = []
    left = MOST_NEWS
    for event in reversed(position.events_for(seat, mark)):
        if event.type in unsaid:
            continue
        line = say.event(event, name)
        left -= len(line) + 1
        if left < 0:
            return ["…", *reversed(told)]
        told.append(line)
    return told[::-1]


def seen(position: Position, seat: int | None, names: Sequence[str] | None = None) -> str:
    """Return what a seat (None: an onlooker) sees, and what it is asked, in words."""
    return observation_text(position, seat, "en", names, MOST_SEEN)


def asked(position: Position, seat: int, names: Sequence[str] | None = None) -> str | None:
    """Return what a seat is asked now, in words; None where it is not."""
    say, ask = catalogue("en", position.game), position.ask(seat)
    return None if ask is None else say.say(ask, seat_names(say, position, names))


def listed(offered: Sequence[TextChoice]) -> str:
    """Return the list of all that a seat may do."""
    return "\n".join(one.line() for one in offered)


def chosen(said: str, offered: Sequence[TextChoice]) -> TextChoice | None:
    """Return the choice that a text names by its number in the list, its notation or its words; None for none."""
    text = _plain(said)
    if re.fullmatch(r"\d{1,6}", text, re.ASCII):
        return next((one for one in offered if one.number == int(text)), None)
    # Two cards that are alike are called by the same words: either is meant.
    for way in (lambda one: one.notation, lambda one: one.words, TextChoice.line):
        if (found := next((one for one in offered if _plain(way(one)) == text), None)) is not None:
            return found
    return None


def read_answer(answer: str, offered: Sequence[TextChoice]) -> TextChoice:
    """Return the choice that an answer ends with: what is in its last square brackets, or a short answer itself.

    Raises:
        AnswerError: when it is none of those that are offered.
    """
    end = answer[-MOST_READ:]
    brackets = _BRACKETS.findall(end)
    said = brackets[-1] if brackets else end
    if (found := chosen(said, offered)) is not None:
        return found
    right = f"a number from 1 to {len(offered)}" if len(offered) > 1 else "the number 1"
    example = offered[0].notation
    if not brackets:
        raise AnswerError(f"Your answer has no square brackets: end it with {right}, as [1], or with [{example}].")
    quoted = said if len(said) <= MOST_QUOTED else said[:MOST_QUOTED] + "…"
    raise AnswerError(f"[{quoted}] is not in the list of what you may do: answer with {right}, as [1], or [{example}].")


def _plain(text: str) -> str:
    """Return a text as answers are compared: in lower case, in single spaces, without brackets."""
    return " ".join(re.sub(r"[\[\]]", " ", text).lower().split()).rstrip(".")

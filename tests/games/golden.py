"""Whole games as text. A change of the rules shows here as a difference that a person can read.

The first line of a file says which game it is, for how many players, with what seed and which options that are not
usual; for a new one write that line. ``pytest tests/games --update-golden`` writes the files anew; look at the
difference before committing it. Another game under the same version of the rules is not written: somebody may compare
results by that version.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.features import version
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.trace import Event

# (position, seat, legal actions, generator) -> the action that is played: a taste, so that games are about something.
Taste = Callable[[Position, int, list[int], np.ndarray], int]
Summary = Callable[[Position], Iterator[str]]


OBSERVED = "observed by columns"
"""Begins the last line: the version of the columns, and a digest of what every seat observed after every move."""
HEADER = re.compile(r"(\w+), rules \S+, (\d+) players, seed (\d+),? ?(.*)")


def files(test: str) -> list[Path]:
    """The golden files beside a test."""
    return sorted((Path(test).parent / "golden").glob("*.txt"))


def check(file: Path, request: pytest.FixtureRequest, taste: Taste, summary: Summary, *, anybody: bool = False) -> None:
    """Complain about what differs from a golden file; or write it, if that is what was asked for."""
    wanted = file.read_text(encoding="utf-8")
    header = HEADER.fullmatch(wanted.splitlines()[0])
    assert header, f"{file} must begin like 'GAME, rules 1, 2 players, seed 11, refill_order=money_first'"
    game, players, seed, options = header.groups()
    chosen = dict(option.split("=", 1) for option in options.split())
    text = "\n".join(playthrough(game, int(players), int(seed), chosen, taste, summary, anybody=anybody)) + "\n"
    if request.config.getoption("--update-golden"):
        refused = (
            "goes otherwise under the same version of the rules: raise `version` in the game's __init__.py. If only the"
            " summary is worded anew, leave the first line of the file alone before."
            if other_rules(wanted, text)
            else "is observed otherwise by columns of the same names: one that comes to mean something else gets"
            " another name."
            if other_columns(wanted, text)
            else ""
        )
        if refused:
            pytest.fail(f"{file.name} {refused}", pytrace=False)
        file.write_text(text, encoding="utf-8")
        return
    difference = list(difflib.unified_diff(wanted.splitlines(), text.splitlines(), file.name, "now", lineterm="", n=2))
    assert difference == [], "\n".join(difference[:60])


def other_rules(before: str, after: str) -> bool:
    """Whether a version of the rules has come to play otherwise: other moves, numbers of legal actions, or another end.

    How events tell of it may change.
    """

    of_one_version = before.split(",")[:2] == after.split(",")[:2]
    return of_one_version and played(before) != [] and played(before) != played(after)


def played(text: str) -> list[str]:
    return [line for line in text.splitlines()[1:] if line and not line.startswith((" ", OBSERVED))]


def other_columns(before: str, after: str) -> bool:
    """Whether the same game is observed as other numbers, though the version of the columns is the same."""
    old, new = (re.search(rf"^{OBSERVED} (\w+): (\w+)$", text, re.MULTILINE) for text in (before, after))
    if old is None or new is None or played(before) != played(after):
        return False
    return old[1] == new[1] and old[2] != new[2]


def playthrough(
    game: str,
    players: int,
    seed: int,
    options: dict[str, str],
    taste: Taste,
    summary: Summary,
    *,
    anybody: bool = False,
) -> Iterator[str]:
    """A game: each move with the number of legal actions at each of its steps, then what happened.

    Args:
        anybody: of several who must decide, any one is next; otherwise the lowest seat.
    """
    position = ziggurat.new(game, players, seed=seed, options=options)
    rng, observed = ziggurat.generator(seed), hashlib.sha256()
    chosen = " ".join(f"{key}={value}" for key, value in position.game.changed(position.options).items())
    yield f"{game}, rules {position.game.version}, {players} players, seed {seed}{chosen and f', {chosen}'}"
    yield from map(described, position.events)
    while not position.finished:
        seat = position.actors[draw(rng, len(position.actors)) if anybody else 0]
        before, mark = position.copy(), position.rows_written
        counts: list[str] = []
        steps: list[int] = []
        while not steps or position.in_move:
            legal = position.legal(seat)
            counts.append(str(len(legal)))
            steps.append(taste(position, seat, legal, rng))
            position.play(seat, steps[-1])
        yield ""
        yield f"{seat + 1} {before.write_move(steps)}   [of {' '.join(counts)}]"
        yield from map(described, position.events_since(mark))
        for observer in range(position.players):
            observed.update(position.observe(observer).astype("<i2").tobytes())
    yield ""
    yield from summary(position)
    yield f"winners: {' '.join(str(seat + 1) for seat in position.winners) or 'nobody'}"
    yield f"{OBSERVED} {columns(position.game)}: {observed.hexdigest()[:16]}"


def columns(game: Game) -> str:
    """The version of the columns, however many bits a set has: one more at its end changes no number that was there."""
    sizes = range(game.min_players, game.max_players + 1)
    every = [one for players in sizes for one in game.features(players)]
    return version([[replace(one, high=1, labels=()) if one.kind == "bits" else one for one in every]])


def described(event: Event) -> str:
    who = f" {event.seat + 1}" if event.seat is not None else ""
    facts = (
        f"{name} {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in event.args.items()
    )
    private = " (private)" if event.private is True else ""
    return f"  {event.type}{who}{private}: {'; '.join(facts)}".rstrip(": ")

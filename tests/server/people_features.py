"""What people do with a feature, and what must be so then: each in the folder of its tests, `people.py`.

The fuzzer of people finds these files by their folders and names none, so that a feature goes with its folder. Such a
file says `PEOPLE = ...`, a class of `FeatureActs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
import sqlalchemy as sa
from tests.server.people_checks import KINDS, Checks
from tests.server.people_world import Browser

from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.feature import features
from ziggurat.server.store.models import metadata

if TYPE_CHECKING:
    from tests.server.people import Game

FOLDER = Path(__file__).parent / "features"


class NotNow(Exception):
    """There is nobody who could do it, or nothing to which it could be done."""


class FeatureActs:
    """What people do with a feature; each hook is called by the fuzzer, and finds by `self.checks.must`."""

    OFTEN: ClassVar[dict[str, float]] = {}
    """How often what is done: names of methods without arguments."""
    KINDS: ClassVar[dict[str, str]] = {}
    """What else can be found."""

    def __init__(self, game: Game) -> None:
        self.game, self.checks, self.world, self.chance = game, game.checks, game.world, game.chance

    @staticmethod
    def rule(patch: pytest.MonkeyPatch) -> None:
        """Have done at once, before the server is opened, what a process of its own would do."""

    def sent(self, browser: Browser, person: str | None, text: bytes, what: str) -> None:
        """Look at bytes that a browser is sent in which a person is at the moment."""

    def changed(self, before: Table | None, after: Table) -> None:
        """Look at a change of a table."""

    def explains(self, before: Table, change: LogEntry) -> bool:
        """Whether it is of this feature that a move was made on a person's seat which nobody has said, or a game ended
        to which nobody has agreed."""
        return False

    def ticks(self) -> list[float]:
        """Return when something is due by itself, in seconds since 1970."""
        return []

    async def stepped(self) -> None:
        """Look at all after a step."""

    async def ended(self) -> None:
        """Bring to its end what goes on, after the last step."""

    def forgotten(self, person: str) -> None:
        """Note that a person has been deleted."""

    # --- What several ask ---

    def is_theirs(self, whose: str, browser: Browser, person: str | None) -> bool:
        """Whether somebody may be told what is a person's: they may be that one, or have become another since."""
        may, joined = self.checks.legit[whose], self.checks.legit[person or ""]
        return browser.human in may or (browser.human in joined and may <= joined)

    def spoken_for(self, owner: str) -> set[Any]:
        """Return the humans who may have said something as the owner of a seat."""
        return self.checks.legit[owner] | self.checks.joined[owner]


def acts_of_features() -> dict[str, type[FeatureActs]]:
    """Return the acts of all features, by the feature, and note what can be found by them."""
    found = {}
    for path in sorted(FOLDER.glob("*/people.py")):
        name = path.parent.name
        acts: type[FeatureActs] = import_module(f"tests.server.features.{name}.people").PEOPLE
        found[name] = acts
        KINDS.update(acts.KINDS)
    return found


def rows_naming(checks: Checks, *words: str) -> Iterator[tuple[str, str]]:
    """Return the tables of features in which some word stands, and the word."""
    names = [name for feature in features() for name in feature.rows]
    with checks.world.engine.connect() as connection:
        for name in names:
            for row in connection.execute(sa.select(metadata.tables[name])):
                text = " ".join(str(value) for value in row)
                yield from ((name, word) for word in words if word in text)

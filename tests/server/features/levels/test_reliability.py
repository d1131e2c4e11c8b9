"""What strangers are told of how somebody's last games went."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.example import EXAMPLE
from tests.server.copied import LIVE, done
from tests.server.features.levels.test_levels_rules import ANN, BOB, begun, moved, over
from tests.server.migrated import lay

from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.votes import answer_vote, ask_end
from ziggurat.server.features.levels import rows
from ziggurat.server.features.levels.fit import DAY_SECONDS, CountedGame
from ziggurat.server.features.levels.reliability import LAST_GAMES, Reliability, reliability
from ziggurat.server.features.levels.rules import counted
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, people


@pytest.fixture
def kept(tmp_path: Path) -> Settings:
    lay(tmp_path)
    settings = Settings(data=tmp_path, prepare=False)
    for person in (ANN, BOB):
        done(settings, lambda c, one=person: people.insert(c, one, one.id))  # type: ignore[misc]
    return settings


def told(settings: Settings, *tables: Table, of: Person = ANN) -> Reliability:
    for table in tables:
        done(settings, lambda c, one=table: log.insert(c, one))  # type: ignore[misc]
    return done(settings, lambda c: reliability(c, of.id))


def seated(table: Table, seat: int, **fields: Any) -> Table:
    return replace(table, seats=table.with_seat(replace(table.seats[seat], **fields)))


def test_of_nobody_knows_anything(kept: Settings) -> None:
    assert told(kept) == Reliability(0, 0, 0, 0)


def test_who_resigns_or_is_gone_at_the_end_has_not_stayed(kept: Settings) -> None:
    tables = (
        over(begun(ANN, BOB), 50),
        over(seated(begun(ANN, BOB), 0, resigned=True, bot="builder"), 50),
        over(seated(begun(ANN, BOB), 0, bot="builder", away=True), 50),
    )
    assert told(kept, *tables) == Reliability(3, 1, 0, 0)
    assert told(kept, of=BOB) == Reliability(3, 3, 0, 0)


def test_who_left_a_game_that_goes_on_is_known_at_once(kept: Settings) -> None:
    assert told(kept, begun(ANN, BOB), seated(begun(ANN, BOB), 0, bot="builder", away=True)) == Reliability(1, 0, 0, 0)


def test_an_end_that_all_agree_on_is_nobodys_fault(kept: Settings) -> None:
    """Somebody fell ill: a bot sat there, and the others said that it was enough."""
    ended = answer_vote(ask_end(begun(ANN, BOB), 1, "e"), 0, "y", True)
    assert told(kept, ended, seated(ended_again(), 0, bot="builder", away=True)) == Reliability(2, 2, 0, 0)


def ended_again() -> Table:
    return answer_vote(ask_end(begun(ANN, BOB), 1, "e"), 0, "y", True)


def test_games_with_bots_alone_are_nobodys_business(kept: Settings) -> None:
    assert told(kept, over(begun(ANN), 50)) == Reliability(0, 0, 0, 0)


def test_whose_clock_ran_out_has_not_answered_in_time(kept: Settings) -> None:
    timed = begun(ANN, BOB, time=LIVE)
    assert told(
        kept, over(timed, 50), over(begun(ANN, BOB, time=LIVE).after("timeout", steps=(0,)), 50)
    ) == Reliability(2, 2, 2, 1)
    assert told(kept, of=BOB) == Reliability(2, 2, 2, 2)


def test_only_the_last_ones_count(kept: Settings) -> None:
    left = over(seated(begun(ANN, BOB), 0, resigned=True, bot="builder"), 50)
    later = [over(begun(ANN, BOB), 50) for _ in range(LAST_GAMES)]
    assert told(kept, left, *later) == Reliability(LAST_GAMES, LAST_GAMES, 0, 0)


def test_who_leaves_a_game_against_bots_without_a_word_has_lost_it(kept: Settings) -> None:
    moved_on, never, with_bob = (moved(begun(ANN), 0), begun(ANN), moved(begun(ANN, BOB), 0))
    told(kept, moved_on, never, with_bob)
    games = partial(rows.games_of, game=EXAMPLE)
    for days, many in ((29, 0), (31, 1), (31.5, 1)):
        done(kept, partial(rows.count_abandoned, now=moved_on.updated + days * DAY_SECONDS))
        assert len(done(kept, games)) == many
    (game,) = done(kept, games)
    assert (game.id, game.last, [side.place for side in game.sides]) == (moved_on.id, ("ann",), [1, 1])
    # Who comes back after all, and plays it to its end, has played it.
    ended = counted(over(moved_on, 50))
    assert isinstance(ended, CountedGame)
    done(kept, partial(rows.add, table=moved_on.id, game=EXAMPLE, counted=ended, people={0: "ann"}))
    assert [one.last for one in done(kept, games)] == [()]

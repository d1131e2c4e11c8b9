"""When a fit is made, and where."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE
from tests.server.fixtures import MOSTLY_SQLITE, own_on_both

from ziggurat.server.domain.people import Person
from ziggurat.server.features.levels import rows, service
from ziggurat.server.features.levels.fit import CountedGame, PartShare, Side, fit, fit_digest
from ziggurat.server.features.levels.metre import metre_of
from ziggurat.server.features.levels.models import level_marks
from ziggurat.server.features.levels.service import LevelService
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.database import Database

BY = fit_digest(metre_of(EXAMPLE))


DATABASES = MOSTLY_SQLITE


@pytest.fixture
async def database(database: Database) -> Database:
    """One of Ann and Bob."""
    for name in ("ann", "bob"):
        await database.write(partial(people.insert, person=Person(name, name, "en"), token=name))
    return database


async def play(database: Database, first: int, many: int, winner: int = 0) -> None:
    for number in range(first, first + many):
        order = ("seat:0", "bot:builder", "seat:2") if winner == 0 else ("bot:builder", "seat:2", "seat:0")
        sides = tuple(Side(place, (PartShare(who),)) for place, who in enumerate(order, 1))
        game = CountedGame(f"t{number:03}", 86_400.0 * number, 3, sides)
        await database.write(partial(rows.add, table=game.id, game=EXAMPLE, counted=game, people={0: "ann", 2: "bob"}))


async def test_a_fit_is_made_again_for_new_games_alone(database: Database) -> None:
    levels = LevelService(Settings(), database)
    await play(database, 0, 3)
    first = await levels.of(EXAMPLE)
    assert await levels.of(EXAMPLE) is first
    await play(database, 3, 1)
    second = await levels.of(EXAMPLE)
    assert len(second.games) == 4
    await database.write(partial(rows.annul, table="t003"))
    assert (await levels.of(EXAMPLE)).curves == first.curves


async def test_a_fit_that_takes_long_is_made_now_and_then(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = LevelService(Settings(), database)
    await play(database, 0, 3)
    for seconds, rests in ((2.0, 2000.0), (100.0, service.NIGHT_SECONDS)):
        first = replace(await levels.of(EXAMPLE), seconds=seconds)
        levels._standing[EXAMPLE] = first
        await play(database, len(first.games), 1)
        assert await levels.of(EXAMPLE) is first
        for later, many in ((rests - 1, len(first.games)), (rests + 1, len(first.games) + 1)):
            # Of the service alone: the loop of the test needs a clock that goes.
            clock = SimpleNamespace(monotonic=lambda moment=first.made + later: moment)
            monkeypatch.setattr(service, "time", clock)
            assert len((await levels.of(EXAMPLE)).games) == many
        levels._standing.clear()


async def test_many_games_are_fitted_by_a_process_beside_to_the_same_digit(database: Database) -> None:
    await play(database, 0, service.FEW_GAMES + 1)
    found = await LevelService(Settings(), database).of(EXAMPLE)
    assert found.curves == fit(found.games, metre_of(EXAMPLE))


@own_on_both
async def test_what_was_shown_is_kept_over_a_restart(database: Database) -> None:
    await play(database, 0, 6)
    first = await LevelService(Settings(), database).of(EXAMPLE)
    kept = await database.read(partial(rows.marks, game=EXAMPLE, fit=BY))
    assert kept == (first.marks, 6)
    # As if a fit had shown more before: what comes is wins alone, then a loss.
    higher = {"ann": first.marks["ann"]._replace(place=3000.0)}
    await database.write(partial(rows.set_marks, game=EXAMPLE, fit=BY, marks=higher, listed=6))
    await play(database, 6, 1)
    won = await LevelService(Settings(), database).of(EXAMPLE)
    assert (won.marks["ann"].place, won.marks["ann"].kept, won.marks["ann"].upto) == (3000.0, 3000.0, 6)
    await play(database, 7, 1, winner=1)
    lost = await LevelService(Settings(), database).of(EXAMPLE)
    assert lost.marks["ann"].place < 3000
    assert len(await database.read(lambda c: c.execute(sa.select(level_marks)).all())) == 2


@own_on_both
async def test_what_was_shown_by_other_ladders_is_not_kept(database: Database) -> None:
    """A new release has other ladders: places by the old ones mean nothing there."""
    await play(database, 0, 6)
    first = await LevelService(Settings(), database).of(EXAMPLE)
    higher = {"ann": first.marks["ann"]._replace(place=3000.0, kept=3000.0)}
    await database.write(partial(rows.set_marks, game=EXAMPLE, fit="older", marks=higher, listed=6))
    await play(database, 6, 1)
    won = await LevelService(Settings(), database).of(EXAMPLE)
    assert (won.marks["ann"].place, won.marks["ann"].kept) == (round(won.curves["ann"].final.mean, 2), None)
    assert {row.fit for row in await database.read(lambda c: c.execute(sa.select(level_marks)).all())} == {BY}
    alone = {"bob": won.marks["bob"]}
    await database.write(partial(rows.set_marks, game=EXAMPLE, fit="newer", marks=alone, listed=7))
    assert await database.read(partial(rows.marks, game=EXAMPLE, fit=BY)) == ({}, 0), "of Ann, too"

"""Whatever people do, in any order, what must be so is so; and the fuzzer that says so finds what was once wrong."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice
from typing import Any

import pytest
from tests.server.people import load_rules, play
from tests.server.people_checks import KINDS

from ziggurat.server.api import sessions
from ziggurat.server.domain import daily, seating, timing, undo, votes
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.votes import left
from ziggurat.server.live import activity
from ziggurat.server.services.table_service import TableService

pytestmark = pytest.mark.slow

SEEDS, STEPS = range(101, 104), 600
GAMES = 12
"""At most, until what is wrong is found; most often it is one."""

Patch = pytest.MonkeyPatch


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_found(seed: int) -> None:
    load_rules()
    result = play(seed, STEPS)
    told = "\n".join([*(f"step {step}: {finding}" for step, finding in result.found), *result.latest])
    assert not result.found, f"python -m tests.server.people --games 1 --seed {seed}\n{told}"
    assert result.steps == STEPS


def test_the_same_seed_is_the_same_game() -> None:
    load_rules()
    one, other = (play(7, 60) for _ in range(2))
    assert (one.trail, one.did, one.refusals) == (other.trail, other.did, other.refusals)


# --- What was wrong once ---------------------------------------------------------------------------------------------


def an_undo_gives_the_time_back(patch: Patch) -> None:
    patch.setattr(timing, "_taken_back", lambda *_: None)


def a_bot_that_sat_down_gives_time(patch: Patch) -> None:
    patch.setattr(timing, "_comes", lambda old, change, seat, clock: old.seats[seat].bot is not None)


def forced_answers_wait_for_an_undo(patch: Patch) -> None:
    find = Table._find_answers
    patch.setattr(Table, "_find_answers", lambda table: {} if table.undo is not None else find(table))


def a_bot_in_ones_place_agrees(patch: Patch) -> None:
    for module in (votes, undo):
        patch.setattr(module, "concerned", lambda table, seat, _: tuple(one for one in left(table) if one != seat))


def bots_play_on_alone(patch: Patch) -> None:
    patch.setattr(Table, "waits", False)


def a_host_who_stood_up_stays_host(patch: Patch) -> None:
    patch.setattr(seating, "next_host", lambda table, _: table.host)
    patch.setattr(seating, "_host_has_left", lambda _: False)


def an_undo_is_told_of_who_agreed_last(patch: Patch) -> None:
    patch.delitem(activity.STEPS, "undo")


def tables_have_no_quota(patch: Patch) -> None:
    patch.setattr(TableService, "_check_quotas", lambda *_: None)


def answers_are_taken_again_and_again(patch: Patch) -> None:
    for module in (votes, undo):
        patch.setattr(module, "must_be_asked", lambda *_: None)


def wishes_have_no_bound(patch: Patch) -> None:
    for module in (votes, undo):
        patch.setattr(module, "must_not_press", lambda *_: None)


def a_deal_is_told_the_day_after(patch: Patch) -> None:
    patch.setattr(daily, "closed", lambda day, today: today > day)


def a_plain_cookie_is_handed_on_over_https(patch: Patch) -> None:
    async def hand_on(connection: Any, _database: object, _person: object, old: str) -> bool:
        connection.scope["state"][sessions.TOKEN] = old
        return True

    patch.setattr(sessions, "_upgrade", hand_on)


@pytest.mark.parametrize(
    ("wrong", "kind", "first"),
    [
        (an_undo_gives_the_time_back, "time", 2),
        (a_bot_that_sat_down_gives_time, "rest", 4),
        (forced_answers_wait_for_an_undo, "forced", 9),
        (a_bot_in_ones_place_agrees, "bound", 2),
        (bots_play_on_alone, "alone", 1),
        (a_host_who_stood_up_stays_host, "host", 2),
        (an_undo_is_told_of_who_agreed_last, "note", 1),
        (tables_have_no_quota, "quota", 1),
        (answers_are_taken_again_and_again, "nothing", 16),
        (wishes_have_no_bound, "many", 15),
        (a_deal_is_told_the_day_after, "secret", 4),
        (a_plain_cookie_is_handed_on_over_https, "person", 2),
    ],
)
def test_what_was_wrong_is_found(monkeypatch: Patch, wrong: Callable[[Patch], None], kind: str, first: int) -> None:
    """`first`: the seed of a game in which it soon comes to that; where other games follow from it by now, those after
    it have their turn."""
    load_rules()
    wrong(monkeypatch)
    others = {*KINDS} - {kind}
    assert any(play(seed, over=others).found for seed in islice(count(first), GAMES))

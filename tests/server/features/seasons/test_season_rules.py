"""What follows in a season: draws, points, places, absences, divisions; and nobody waits for those who are gone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import msgspec
import pytest
from tests import runs
from tests.example import EXAMPLE as GAME
from tests.properties import given, settings, st
from tests.server.features.seasons.virtual import BEGIN, WEEK, VirtualSeason, must_hold, weeks

from ziggurat.server.features.seasons.beacon import Lots
from ziggurat.server.features.seasons.schedule import best_seating, pair, table_sizes
from ziggurat.server.features.seasons.standings import FULL, beats, table_points
from ziggurat.server.features.seasons.state import (
    Drawn,
    Entered,
    Gone,
    Here,
    RoundAbsence,
    SeasonState,
    Started,
    TableEnded,
    moves_digest,
)
from ziggurat.server.features.seasons.terms import DAY_SECONDS, SeasonError, SeasonGame, SeasonTerms, complete

NOBODY_AWAY = (0.0, 0.0, 0.0, 0.0)


def ended(scores: tuple[int, ...], absent: tuple[int, ...] = (), winners: tuple[int, ...] | None = None) -> TableEnded:
    best = tuple(at for at, score in enumerate(scores) if score == max(scores))
    return TableEnded(
        at=0,
        round=1,
        table=1,
        scores=scores,
        winners=best if winners is None else winners,
        over=True,
        absent=absent,
        moves=moves_digest(()),
    )


# --- Points ---


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((9, 5), (120, 0)),
        ((9, 5, 1), (120, 60, 0)),
        ((1, 9, 5, 7), (0, 120, 40, 80)),
        ((5, 4, 3, 2, 1), (120, 90, 60, 30, 0)),
        ((7, 6, 5, 4, 3, 2, 1), (120, 100, 80, 60, 40, 20, 0)),
        ((5, 5, 1), (90, 90, 0)),
        ((5, 5, 5, 5), (60, 60, 60, 60)),
    ],
)
def test_a_table_gives_the_share_of_the_others_who_are_beaten(scores: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert table_points(ended(scores)) == points


def test_who_was_absent_is_behind_all_and_has_nothing() -> None:
    assert table_points(ended((50, 9, 5), absent=(0,))) == (0, 120, 60)
    assert table_points(ended((50, 9, 5), absent=(0, 1))) == (0, 0, 120)


def test_the_rules_of_the_game_say_who_has_won_a_tie() -> None:
    assert table_points(ended((5, 5, 1), winners=(1,))) == (60, 120, 0)


@given(
    st.lists(st.integers(-5, 30), min_size=2, max_size=7),
    st.sets(st.integers(0, 6)),
)
def test_points_are_whole_and_every_table_of_the_present_gives_as_many(scores: list[int], away: set[int]) -> None:
    absent = tuple(sorted(at for at in away if at < len(scores)))
    end = ended(tuple(scores), absent)
    points = table_points(end)
    assert all(0 <= one <= FULL for one in points)
    for one, other in combinations(range(len(scores)), 2):
        assert beats(end, one, other) + beats(end, other, one) == 2
    if not absent:
        assert sum(points) == FULL * len(scores) // 2


# --- Draws ---


@pytest.mark.parametrize(
    ("people", "sizes", "found"),
    [
        (12, (4, 3, 5), (4, 4, 4)),
        (13, (4, 3, 5), (5, 4, 4)),
        (11, (4, 3, 5), (4, 4, 3)),
        (7, (4, 3, 5), (4, 3)),
        (5, (4,), (4,)),
        (2, (3,), ()),
    ],
)
def test_tables_have_the_sizes_that_are_liked(people: int, sizes: tuple[int, ...], found: tuple[int, ...]) -> None:
    assert sum(table_sizes(people, sizes)) == sum(found)
    assert sorted(table_sizes(people, sizes)) == sorted(found)


@pytest.mark.parametrize(("people", "size", "rounds"), [(9, 3, 4), (8, 2, 7), (16, 4, 5)])
def test_all_meet_all_once_where_that_can_be(people: int, size: int, rounds: int) -> None:
    season = VirtualSeason(weeks(rounds, games=(SeasonGame(GAME, (size,)),)), people, habits=NOBODY_AWAY).play()
    assert set(season.state.met.values()) == {1}


def test_meetings_differ_by_little_where_it_cannot_be() -> None:
    """Twelve people in fours, six rounds: each meets 18 others, of 11."""
    terms = weeks(6, games=(SeasonGame(GAME, (4,)),))
    season = VirtualSeason(terms, 12, habits=NOBODY_AWAY).play()
    times = Counter(season.state.met.get(pair(a, b), 0) for a, b in combinations(range(1, 13), 2))
    assert sum(many * count for many, count in times.items()) == 6 * 3 * 6
    assert times[0] <= 2
    assert max(times) <= 3


def test_a_draw_follows_from_the_beacon_alone() -> None:
    one, two = (VirtualSeason(weeks(2), 9, seed=seed, habits=NOBODY_AWAY) for seed in (4, 4))
    assert [e for e in one.play().events if isinstance(e, Drawn)] == [
        e for e in two.play().events if isinstance(e, Drawn)
    ]
    other = VirtualSeason(weeks(2), 9, seed=5, habits=NOBODY_AWAY).play()
    assert [e for e in other.events if isinstance(e, Drawn)] != [e for e in one.events if isinstance(e, Drawn)]


def test_another_draw_is_refused_with_the_table_that_differs() -> None:
    season = VirtualSeason(weeks(2), 8, habits=NOBODY_AWAY, checks=True)
    for _ in range(8):
        season.enter()
    season.do(Started(at=BEGIN))
    right = season.state.drawing(1, BEGIN)
    one, *others = right.tables
    turned = msgspec.structs.replace(one, people=tuple(reversed(one.people)))
    with pytest.raises(SeasonError, match=r"Table 1 of round 1 is .*; the beacon draws"):
        season.do(msgspec.structs.replace(right, tables=(turned, *others)))
    season.do(right)


def test_the_solver_finds_what_enumeration_finds() -> None:
    lots = Lots("b" * 64, "costs")
    people = list(range(6))
    cost = {(a, b): lots.below(100_000) for a, b in combinations(people, 2)}
    tables = [[0, 1, 2], [3, 4, 5]]

    def total(seating: list[list[int]]) -> int:
        return sum(cost[pair(a, b)] for table in seating for a, b in combinations(table, 2))

    found = best_seating(tables, cost)
    assert total(found) == min(
        total([[0, *two], [one for one in people[1:] if one not in two]]) for two in combinations(people[1:], 2)
    )


def test_seats_change() -> None:
    season = VirtualSeason(weeks(6, games=(SeasonGame(GAME, (3,)),)), 9, habits=NOBODY_AWAY).play()
    assert all(max(times[:3]) <= 3 for times in season.state.sat.values())


def test_swiss_rounds_bring_together_who_stands_alike() -> None:
    season = VirtualSeason(weeks(6, pairing="swiss", games=(SeasonGame(GAME, (4,)),)), 24, habits=NOBODY_AWAY)
    season.play(5)
    place = {row.who: row.place for row in season.state.standings(5)}
    season.play()
    spread = [max(place[w] for w in t.people) - min(place[w] for w in t.people) for t in season.state.draws[5].tables]
    assert sum(spread) / len(spread) < 12  # by lot it would be 15
    assert Counter(season.state.met.values())[4] <= 1


def test_divisions_exchange_their_first_and_last() -> None:
    terms = weeks(4, pairing="divisions", division=8, stage=2, moves=2)
    season = VirtualSeason(terms, 16, habits=NOBODY_AWAY).play(2)
    before = season.state.standings(2)
    season.play()
    first, second = season.state.divisions
    down = [row.who for row in before if row.division == 1][-2:]
    up = [row.who for row in before if row.division == 2][:2]
    assert [second[who] for who in (*down, *up)] == [2, 2, 1, 1]
    assert [first[who] for who in (*down, *up)] == [1, 1, 2, 2]
    assert all(t.division in (1, 2) for t in season.state.draws[3].tables)


# --- Absences, late comers, those who leave ---


def test_an_announced_absence_costs_nothing_as_often_as_was_said() -> None:
    season = VirtualSeason(weeks(4, free_absences=1), 8, habits=NOBODY_AWAY)
    while len(season.state.people) < 8:
        season.enter()
    for round in (2, 3):
        season.do(RoundAbsence(at=season.state.last, who=1, round=round))
    season.play()
    row = next(row for row in season.state.standings() if row.who == 1)
    played = [points for points in row.line if points is not None]
    assert (row.tables, row.missed, row.free) == (2, 2, 1)
    assert row.points == sum(played) + sum(played) // 2


def test_an_absence_after_the_draw_is_refused() -> None:
    season = VirtualSeason(weeks(2), 8, habits=NOBODY_AWAY).play(1)
    with pytest.raises(SeasonError, match="drawn already"):
        season.do(RoundAbsence(at=season.state.last, who=1, round=1))


def test_who_comes_late_is_let_in_until_the_round_that_was_said() -> None:
    season = VirtualSeason(weeks(4, late_until=2), 8, habits=NOBODY_AWAY).play(1)
    season.enter()
    assert season.state.people[9].since == 2
    season.play(2)
    with pytest.raises(SeasonError, match="Until round 2"):
        season.enter()


def test_who_has_left_keeps_the_place_and_is_drawn_no_more() -> None:
    season = VirtualSeason(weeks(3), 9, habits=NOBODY_AWAY).play(1)
    season.do(Gone(at=season.state.last, who=5))
    season.play()
    assert not any(5 in table.people for draw in season.state.draws[1:] for table in draw.tables)
    assert len(season.state.standings()) == 9


def test_a_late_comer_brings_no_part() -> None:
    season = VirtualSeason(weeks(3), 8, habits=NOBODY_AWAY).play(1)
    with pytest.raises(SeasonError, match="parts"):
        season.do(Entered(at=season.state.last, who=9, part="a" * 64))


def test_nobody_says_that_they_are_there_for_somebody_elses_table() -> None:
    season = VirtualSeason(weeks(2), 8, habits=NOBODY_AWAY).play(1)
    with pytest.raises(SeasonError):
        season.do(Here(at=season.state.last, who=1))


def test_too_few_people_make_no_season() -> None:
    season = VirtualSeason(weeks(2), 2, habits=NOBODY_AWAY).play()
    assert season.state.closed
    assert season.state.round == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"starts": (BEGIN, BEGIN + 60)}, "over before it can be played"),
        ({"ends": BEGIN}, "over before it can be played"),
        ({"stage": 2}, "only divisions"),
        ({"late_until": 9}, "there are 3 rounds"),
        ({"ties": ("wins", "wins")}, "once"),
        ({"games": (SeasonGame("nine", (2,)),)}, "there are:"),
    ],
)
def test_terms_that_contradict_themselves_are_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(SeasonError, match=says):
        weeks(3, **change)


# --- Many people, many weeks ---


@settings(max_examples=runs.number(5, 50))
@given(
    people=st.integers(3, 26),
    rounds=st.integers(1, 5),
    pairing=st.sampled_from(("all", "swiss", "divisions")),
    play=st.sampled_from(("evenings", "days", "mixed")),
    seed=st.integers(0, 10**6),
)
def test_every_season_ends_and_nobody_waits(people: int, rounds: int, pairing: str, play: str, seed: int) -> None:
    terms = weeks(rounds, pairing=pairing, play=play, stage=2 if pairing == "divisions" else 0, division=8)
    season = VirtualSeason(terms, people, seed=seed, habits=(0.15, 0.15, 0.2, 0.05), checks=False)
    season.watch = lambda state: None
    must_hold(season.play())


def test_many_people_through_thirteen_weeks() -> None:
    """`python -m benchmarks.seasons` does so with a thousand."""
    terms = weeks(13, pairing="divisions", division=8, stage=2)
    season = VirtualSeason(terms, runs.number(20, 40), habits=(0.1, 0.1, 0.1, 0.01)).play()
    must_hold(season)
    assert season.state.round == 13


def test_seasons_are_counted_in_weeks() -> None:
    terms = complete(
        SeasonTerms("x", (SeasonGame(GAME, (3,)),), (BEGIN, BEGIN + WEEK), BEGIN + WEEK + DAY_SECONDS, late_until=2)
    )
    assert (terms.drawn_at(2), terms.over_at(1), terms.over_at(2)) == (BEGIN + WEEK, BEGIN + WEEK, terms.ends)
    assert isinstance(SeasonState(terms, "0" * 64).due(), tuple)

"""Everybody meets everybody at every seat with the same deal."""

from __future__ import annotations

from collections import Counter

import pytest
from tests import runs

import ziggurat
from ziggurat.bots.entrants import entrants
from ziggurat.core.setup import Setup
from ziggurat.lab.tournament.match import Match, TournamentConfig
from ziggurat.lab.tournament.schedule import Schedule

SEED = bytes(32)
SIZES = [(2, 2), (3, 2), (6, 2), (4, 3), (5, 3), (6, 4), (2, 3), (2, 4), (3, 5), (5, 5), (3, 1)]


@pytest.mark.parametrize(("bots", "players"), SIZES)
def test_in_a_round_every_bot_sits_as_often_as_any_other_at_every_seat(bots: int, players: int) -> None:
    schedule = Schedule(bots, players, SEED)
    games = [schedule.seating(game) for game in range(schedule.round_games)]
    sat = Counter((bot, seat) for game in games for seat, bot in enumerate(game.seats))
    assert len(sat) == bots * players
    assert len(set(sat.values())) == 1


@pytest.mark.parametrize(("bots", "players"), SIZES)
def test_in_a_round_every_two_bots_meet_as_often_as_any_other_two(bots: int, players: int) -> None:
    schedule = Schedule(bots, players, SEED)
    games = [set(schedule.seating(game).seats) for game in range(schedule.round_games)]
    met = Counter((one, other) for seats in games for one in seats for other in seats if one < other)
    assert len(met) == (0 if players == 1 else bots * (bots - 1) // 2)
    assert len(set(met.values())) <= 1


def test_two_players_change_seats_with_the_same_deal() -> None:
    schedule = Schedule(3, 2, SEED)
    games = [schedule.seating(game) for game in range(12)]
    assert [game.seats for game in games[:6]] == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert [game.group for game in games[:6]] == [0, 0, 1, 1, 2, 2]
    assert {game.deal for game in games[:6]} == {0}
    assert len({game.seed for game in games[:6]}) == 1
    assert {game.seed for game in games[6:]}.isdisjoint({games[0].seed})


@pytest.mark.parametrize("name", ziggurat.registered_games())
def test_the_games_of_a_round_begin_with_the_same_position(name: str) -> None:
    game = ziggurat.game(name)
    players = max(game.min_players, 2)
    bots = entrants(["greedy", "random", "apprentice"], game)
    match = Match(TournamentConfig.of(Setup.of(game, players, seed=5), bots), bots)
    size = match.schedule.round_games
    assert len({match.position(number).to_bytes() for number in range(size)}) == 1
    assert match.position(0).to_bytes() != match.position(size).to_bytes()


def test_more_bots_than_two_do_not_always_have_the_same_neighbour() -> None:
    schedule = Schedule(4, 3, SEED)
    games = [schedule.seating(game).seats for game in range(schedule.round_games * 8)]
    after = Counter((seats[i], seats[(i + 1) % 3]) for seats in games for i in range(3))
    assert len(after) == 12


def test_no_bot_shares_its_chance_with_another_one_or_with_the_deal() -> None:
    schedule = Schedule(2, 2, SEED)
    seeds = [schedule.chance(game, seat) for game in range(6) for seat in range(2)]
    seeds += [schedule.seating(game).seed for game in (0, 2, 4)]
    assert len(set(seeds)) == 15


@pytest.mark.parametrize(("bots", "players"), [(11, 2), (11, 5), (11, 7), (5, 5), (4, 3), (2, 5)])
def test_drawn_line_ups_have_every_bot_about_as_often_as_any_other(bots: int, players: int) -> None:
    schedule = Schedule(bots, players, SEED, drawn=True)
    deals = runs.number(200, 600)
    games = [schedule.seating(game) for game in range(deals * players)]
    assert schedule.round_games == players
    assert all(len({game.deal for game in games[first : first + players]}) == 1 for first in range(0, 60, players))
    assert len({game.deal for game in games}) == deals
    if players <= bots:
        assert all(len(set(game.seats)) == players for game in games)
    sat = Counter((bot, seat) for game in games for seat, bot in enumerate(game.seats))
    assert min(sat.values()) > 0.8 * max(sat.values())
    met = Counter((one, other) for game in games for one in set(game.seats) for other in set(game.seats) if one < other)
    assert len(met) == bots * (bots - 1) // 2


def test_those_that_are_asked_rarely_sit_a_quarter_as_often() -> None:
    schedule = Schedule(11, 3, SEED, drawn=True, rarely=frozenset({4, 9}))
    sat = Counter(bot for game in range(3000) for bot in schedule.seating(game).seats)
    usual = [sat[bot] for bot in range(11) if bot not in (4, 9)]
    assert 0.2 < sat[4] / (sum(usual) / 9) < 0.32
    assert 0.2 < sat[9] / (sum(usual) / 9) < 0.32

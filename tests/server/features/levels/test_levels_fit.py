"""The fit: what it says of people, and what is shown of that."""

from __future__ import annotations

import random

import pytest
from benchmarks.clubs import Outcomes, club, try_club
from tests.example import EXAMPLE
from tests.properties import examples, given, st

from ziggurat.server.features.levels.fit import CountedGame, Curve, PartShare, Side, chance_ahead, fit
from ziggurat.server.features.levels.marks import Mark, marked
from ziggurat.server.features.levels.metre import metre_of
from ziggurat.server.features.levels.rules import is_sure

METRE = metre_of(EXAMPLE)
DAY = 86_400.0


def game(number: int, *order: str, players: int = 0, last: tuple[str, ...] = (), ties: bool = False) -> CountedGame:
    """A game of a day, in the order of its places."""
    sides = tuple(Side(1 if ties else place, (PartShare(who),)) for place, who in enumerate(order, 1))
    return CountedGame(f"g{number:05}", number * DAY, players or len(order) + len(last), sides, last)


def mean(curves: dict[str, Curve], who: str) -> float:
    return curves[who].final.mean


def with_bots(who: str, first: int = 0, wins: bool = True) -> list[CountedGame]:
    """Three games against bots, which put somebody on the metre."""
    order = (who, "bot:builder") if wins else ("bot:builder", who)
    return [game(first + n, *order) for n in range(3)]


def test_who_beats_bots_is_above_them_and_the_bots_stay() -> None:
    curves = fit([game(n, "ann", "bot:builder", "bob") for n in range(30)], METRE)
    assert mean(curves, "ann") > METRE.places["builder"] > mean(curves, "bob")
    assert set(curves) == {"ann", "bob"}


def test_a_list_in_any_order_is_the_same_list() -> None:
    games = club(METRE, 8, 40, random.Random(3))[0]
    shuffled = [*games]
    random.Random(4).shuffle(shuffled)
    assert fit(games, METRE) == fit(shuffled, METRE)


def test_a_game_that_is_annulled_is_as_if_it_had_never_been() -> None:
    games = club(METRE, 8, 40, random.Random(3))[0]
    without = [one for one in games if one.id != "g00020"]
    assert fit(without, METRE) == fit([one for one in fit_and_forget(games) if one.id != "g00020"], METRE)


def fit_and_forget(games: list[CountedGame]) -> list[CountedGame]:
    fit(games, METRE)
    return games


def test_of_more_players_luck_decides_more() -> None:
    orders = (("ann", "bot:builder"), ("bot:builder", "ann"))
    few, many = (fit([game(n, *orders[n % 2], players=seats) for n in range(10)], METRE)["ann"] for seats in (2, 5))
    assert few.final.sigma < many.final.sigma
    assert METRE.luck[5] > METRE.luck[2]


def test_a_tie_draws_together() -> None:
    known = [*with_bots("ann"), *with_bots("bob", 10, wins=False)]
    before, after = fit(known, METRE), fit([*known, game(20, "ann", "bob", ties=True)], METRE)
    assert mean(before, "ann") > mean(after, "ann") > mean(after, "bob") > mean(before, "bob")


def test_what_later_games_say_changes_what_is_believed_of_earlier_ones() -> None:
    early = [*with_bots("ann"), game(5, "ann", "bob"), *with_bots("bob", 6)]
    late = [*early, *[game(20 + n, "bob", "bot:master") for n in range(5)]]
    assert mean(fit(late, METRE), "ann") > mean(fit(early, METRE), "ann"), "bob was better than was known"


def test_who_was_away_for_long_is_known_less() -> None:
    soon, late = (fit([*with_bots("ann"), game(day, "ann", "bot:mason")], METRE)["ann"] for day in (4, 380))
    assert late.points[-1].sigma > soon.points[-1].sigma


def test_who_leaves_has_lost_to_everybody_and_lifts_nobody() -> None:
    known = [*with_bots("ann"), *with_bots("bob", 10)]
    before = fit(known, METRE)
    after = fit([*known, game(20, "ann", "bot:mason", last=("bob",))], METRE)
    alone = fit([*known, game(20, "ann", "bot:mason", players=3)], METRE)
    assert mean(after, "bob") < mean(before, "bob")
    assert mean(after, "ann") == pytest.approx(mean(alone, "ann"), abs=0.5)


def test_who_leaves_a_seat_that_a_bot_then_wins_with_has_lost_all_the_same() -> None:
    known = [*with_bots("ann"), *with_bots("bob", 10)]
    mixed = Side(1, (PartShare("bob", 0.5), PartShare("bot:architect", 0.5)))
    won = CountedGame("g", 20 * DAY, 2, (mixed, Side(2, (PartShare("ann"),))), ("bob",))
    before, after = fit(known, METRE), fit([*known, won], METRE)
    assert mean(after, "bob") < mean(before, "bob")
    assert mean(after, "ann") < mean(before, "ann"), "she has lost against both of them"


def test_beating_people_of_whom_nothing_is_known_lifts_nobody() -> None:
    """A second account costs nothing: fifty of them, each beaten once, say nothing."""
    known = with_bots("ann")
    farmed = [game(10 + n, "ann", f"guest{n}") for n in range(50)]
    assert mean(fit([*known, *farmed], METRE), "ann") == pytest.approx(mean(fit(known, METRE), "ann"), abs=0.01)


def test_beating_a_friend_who_loses_on_purpose_lifts_less_and_less() -> None:
    """The friend is on the metre, as good as a Builder, and then loses a hundred games and more to one person."""
    known = [*with_bots("ann"), *[game(5 + n, *sorted(("bob", "bot:builder"), reverse=n % 2 == 0)) for n in range(8)]]
    lifted = []
    for lost in (0, 20, 120):
        curves = fit([*known, *[game(20 + n, "ann", "bob") for n in range(lost)]], METRE)
        lifted.append(mean(curves, "ann"))
    step = (METRE.rungs[-1] - METRE.rungs[0]) / 4
    assert lifted[1] - lifted[0] < step
    assert lifted[2] - lifted[1] < step, "a hundred more are less than a step"


def test_a_bot_that_played_half_of_the_moves_has_half_of_the_credit() -> None:
    def won(part: float) -> CountedGame:
        shares = (PartShare("ann", part), PartShare("bot:builder", 1 - part)) if part < 1 else (PartShare("ann"),)
        return CountedGame("g", 30 * DAY, 2, (Side(1, shares), Side(2, (PartShare("bot:master"),))))

    known = with_bots("ann", wins=False)
    none, half, whole = (mean(fit(games, METRE), "ann") for games in (known, [*known, won(0.5)], [*known, won(1.0)]))
    assert none < half < whole


def test_what_is_all_but_impossible_ends_no_fit() -> None:
    games = [
        *[game(n, "bot:random", "ann", "bot:master") for n in range(60)],
        *[game(100 + n, "ann", "bot:master", ties=True) for n in range(60)],
    ]
    curves = fit(games, METRE)
    assert abs(mean(curves, "ann")) < 10_000
    assert curves["ann"].final.sigma > 0


def test_the_level_of_who_has_not_met_bots_is_not_known() -> None:
    people = fit([game(n, *sorted(("ann", "bob"), reverse=n % 2 == 0)) for n in range(60)], METRE)
    assert not is_sure(people["ann"], METRE)
    sure = fit([game(n, "ann", "bot:builder") for n in range(60)], METRE)
    assert is_sure(sure["ann"], METRE)


def test_chances_of_bots_are_those_of_their_ladder() -> None:
    """The luck of the fit is normal, that of the ladder logistic: they differ by a hundredth."""
    two = metre_of(EXAMPLE)
    for bot, other in (("builder", "mason"), ("architect", "builder"), ("greedy", "builder")):
        places = two.places[bot], two.places[other]
        said = chance_ahead(two, 2, (places[0], 0.0), (places[1], 0.0))
        assert said == pytest.approx(1 / (1 + 10 ** ((places[1] - places[0]) / 400)), abs=0.015)


PEOPLE = ("ann", "bob", "cat", "dan")
TABLES = st.lists(
    st.tuples(
        st.lists(st.sampled_from((*PEOPLE, "bot:mason", "bot:architect")), min_size=2, max_size=4, unique=True),
        st.integers(0, 30),
    ),
    min_size=4,
    max_size=25,
)


@examples(3)
@given(TABLES, st.sampled_from(PEOPLE), st.permutations([one for one in (*PEOPLE, "bot:mason") if one != "ann"]))
def test_a_win_never_lowers_what_is_shown(tables: object, winner: str, others: list[str]) -> None:
    """Whatever was before, and however those are placed whom the winner has beaten."""
    games, day = [*with_bots("ann"), *with_bots("bob", 3), *with_bots("cat", 6, wins=False)], 10
    for order, later in tables:  # type: ignore[attr-defined]
        day += later
        games.append(game(day * 1000 + len(games), *order))
    before: dict[str, Mark] = marked(games, fit(games, METRE), {}, 0)
    beaten = [one for one in others if one != winner][:3]
    won = [*games, game((day + 1) * 1000 + len(games), winner, *beaten)]
    after = marked(won, fit(won, METRE), before, len(games))
    if winner in before:
        assert after[winner].place >= before[winner].place


def test_a_fit_can_fall_by_a_win_and_then_what_was_shown_stays_until_a_loss() -> None:
    """Cat is known by Bob alone. She wins, and Bob is last behind a weak bot: what he told of her is worth less."""
    bobs = [game(n, "bob", "bot:architect") for n in range(3)]
    games = [*bobs, *[game(10 + n, "cat", "bob", "bot:builder", players=2) for n in range(6)]]
    first = fit(games, METRE)
    won = [*games, *[game(30 + n, "cat", "bot:random", "bob", players=2) for n in range(1)]]
    fitted = fit(won, METRE)
    assert mean(fitted, "cat") < mean(first, "cat"), "or this shows nothing"
    before = marked(games, first, {}, 0)
    after = marked(won, fitted, before, len(games))
    assert after["cat"].place == before["cat"].place
    assert (after["cat"].kept, after["cat"].upto) == (before["cat"].place, len(games))
    others = [*won, game(50, "bob", "bot:mason")]
    assert marked(others, fit(others, METRE), after, len(won))["cat"].place >= before["cat"].place
    lost = [*won, game(60, "bot:mason", "cat")]
    again = marked(lost, fit(lost, METRE), after, len(won))
    assert again["cat"].kept is None
    assert again["cat"].place < before["cat"].place


def test_in_a_club_chances_come_true() -> None:
    """Two simulated clubs, whose luck is not that of the fit; `benchmarks.clubs` has many."""
    tested = Outcomes()
    for seed in (1, 2):
        try_club(METRE, 12, 60, seed, tested, every=30)
    assert max(abs(said - true) for said, true, _ in tested.bins(4)) < 0.1
    assert sum(tested.ranks) / 2 > 0.7

"""Bots by name, and searches with a budget."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from tests.example import GAME

from ziggurat.bots import GreedyBot, SearchBot
from ziggurat.bots.entrants import entrant, entrants, split
from ziggurat.bots.outside import Limits
from ziggurat.core.errors import BadBudget, UnknownBot


def search(text: str) -> SearchBot:
    bot = entrant(text, GAME).bot()
    assert isinstance(bot, SearchBot)
    return bot


def test_a_search_has_its_budget() -> None:
    assert search("search:800").budget.iterations == 800
    assert search("search:800").budget.seconds is None
    assert search("search:0.5s").budget.seconds == 0.5
    assert not search("search:800").searcher.config.flat
    assert search("flat:800").searcher.config.flat
    assert not search("classic:800").searcher.config.learned
    assert search("search:800:ahead=4:doubt=0.5").searcher.config.doubt == 0.5
    assert search("search:800:explore=0.7:random=50").searcher.config.explore == 0.7
    assert search("search:800").searcher.config.trust == GAME.trust
    assert search("search:800:trust=0.7").searcher.config.trust == 0.7


def test_a_bot_has_one_name_however_it_is_written() -> None:
    assert entrant(" search:0800 ", GAME).name == "search:800"
    assert entrant("flat:0.50s", GAME).name == "flat:0.5s"
    assert entrant("classic:0800", GAME).name == "classic:800"
    assert entrant("search:9:network=mine.npz:ahead=04", GAME).name == "search:9:ahead=4:network=mine.npz"
    assert entrant("search:9:random=50:explore=1.50", GAME).name == "search:9:explore=1.5:random=50"


def test_which_ones_search_and_which_look_at_the_clock() -> None:
    found = entrants(["greedy", "search:20", "search:1s", "master"], GAME)
    assert [one.searches for one in found] == [False, True, True, True]
    assert [one.by_clock for one in found] == [False, False, True, True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("search", "'search' needs a budget, such as search:800"),
        ("search:0", "1 to 10000000 iterations, not 0"),
        ("search:-5", "iterations, not -5"),
        ("search:0s", "more than 0"),
        ("flat:-1s", "more than 0"),
        ("flat:nans", "more than 0"),
        ("flat:many", "such as 800, or of seconds, such as 0.5s, not 'many'"),
        ("search:", "not ''"),
        ("search:8:depth=3", "no setting 'depth'"),
        ("search:8:flat=1", "no setting 'flat'"),
        ("search:8:learned=0", "no setting 'learned'"),
        ("classic", "'classic' needs a budget, such as classic:800"),
        ("search:8:trust=far", f"trust is a number such as {GAME.trust}, not 'far'"),
        ("search:8:explore=far", "explore is a number such as 1, not 'far'"),
        ("greedy:8", "greedy has a budget of its own"),
    ],
)
def test_a_budget_that_is_none_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadBudget) as error:
        entrant(text, GAME)
    assert said in str(error.value)


def test_an_unknown_bot_is_named_with_those_there_are() -> None:
    with pytest.raises(
        UnknownBot, match=r"no bot 'deep'; there are: random, .*greedy, search:N, classic:N, flat:N, my_module:MyBot"
    ):
        entrant("deep", GAME)


def test_what_was_read_is_not_read_again_and_is_the_same_in_another_process() -> None:
    limits = Limits(decision=3.0)
    for text in ("greedy", "mine=search:0800:explore=0.7", "fractions:Fraction.from_float", "tcp:127.0.0.1:9000"):
        one = entrant(text, GAME, limits)
        assert entrant(one, GAME) is one
        sent = pickle.loads(pickle.dumps(one))
        assert sent == replace(one, patience=sent.patience)
    assert sent.limits == limits


def test_an_object_that_cannot_be_sent_is_not() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(entrant(lambda: None, GAME))


def test_a_bot_without_a_clock_has_its_iterations_alone() -> None:
    for text in ("search:30", "master"):
        bot = entrant(text, GAME).timeless()
        assert isinstance(bot, SearchBot)
        assert bot.budget.seconds is None
        assert bot.budget.iterations
    assert isinstance(entrant("greedy", GAME).timeless(), GreedyBot)
    with pytest.raises(BadBudget):
        entrant("search:1s", GAME).timeless()


def test_a_bot_may_be_given_a_name() -> None:
    one = entrant(" deep thought = search:0800:explore=0.7", GAME)
    assert (one.name, one.text) == ("deep thought", "search:800:explore=0.7")
    assert entrant("search:800:explore=0.7", GAME).name == "search:800:explore=0.7"
    assert [one.name for one in entrants(["a=greedy", "b=greedy"], GAME)] == ["a", "b"]
    with pytest.raises(UnknownBot, match="up to 60 characters"):
        entrant(f"{'x' * 61}=greedy", GAME)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("greedy, random", ["greedy", "random"]),
        ("cmd:python 'my bot.py' --sizes '1,2',greedy", ["cmd:python 'my bot.py' --sizes '1,2'", "greedy"]),
        ('cmd:sh -c "a,b"', ['cmd:sh -c "a,b"']),
        ("cmd:it's,greedy", ["cmd:it's", "greedy"]),
        ("", [""]),
    ],
)
def test_bots_stand_between_commas(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_no_bot_plays_against_itself() -> None:
    with pytest.raises(UnknownBot, match="search:8 is named 2 times"):
        entrants(["search:8", "greedy", "search:08"], GAME)

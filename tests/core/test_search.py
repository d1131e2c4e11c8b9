"""The tree search: what it learns, what it keeps, and what bounds it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from tests import runs
from tests.core.searching import a_position, a_tree, check_tree, grow
from tests.example import EXAMPLE, GAME, SEARCHED, needs
from tests.strength import is_better

import ziggurat
from ziggurat.bots import Belief, Budget, GreedyBot, SearchBot, SearchConfig, Searcher, decide
from ziggurat.bots.search import tempered
from ziggurat.bots.tree import EDGES, NODES, TREE, mix
from ziggurat.core.errors import BadBudget
from ziggurat.core.position import Position
from ziggurat.core.seed import generator

pytestmark = pytest.mark.slow

GAMES = sorted(ziggurat.registered_games())
SOME = runs.each(GAMES, often=SEARCHED)


@pytest.mark.parametrize("game", SOME)
def test_every_iteration_adds_one_decision_and_is_counted_once(game: str) -> None:
    position = a_position(game, 6)
    tree = a_tree()
    for number in (1, 2, 50):
        grow(position, tree, number)
    check_tree(tree, 53)


@pytest.mark.parametrize("chances", [[0.7, 0.2, 0.1], [0.5, 0.5], [1.0, 0.0], [0.8], [0.0], [1.0], [0.0, 0.0]])
def test_temperature_makes_chances_surer_or_less_sure(chances: list[float]) -> None:
    """Whoever is ahead stays ahead, what nobody doubts stays so, and it can be undone."""
    assert tempered(chances, 1.0) == chances
    cold, hot = tempered(chances, 0.5), tempered(chances, 2.0)
    assert tempered(cold, 2.0) == pytest.approx(chances)
    if len(chances) > 1:
        assert sum(hot) == pytest.approx(sum(chances))
    best = chances.index(max(chances))
    doubted = 0 < chances[best] < 1 and chances[best] != min([*chances, 1 - chances[best]])
    assert (cold[best] > chances[best] > hot[best]) if doubted else (cold == hot == chances)


@pytest.mark.parametrize("game", SOME)
def test_a_playout_goes_to_the_end_and_pays_every_seat(game: str) -> None:
    position = a_position(game, 3)
    tree = a_tree(SearchConfig(share_win=1.0, share_rank=0.0))
    for seed in range(20):
        states = grow(position, tree, 1, seed)
        end = Position.from_bytes(position.game, states[1:].tobytes(), players=position.players)
        assert end.finished
        won = [1 / len(end.winners) if seat in end.winners else 0 for seat in range(end.players)]
        assert tree[0]["reward"][: end.players].tolist() == pytest.approx(won)


@pytest.mark.parametrize("game", SOME)
def test_the_rank_and_the_margin_are_part_of_the_reward(game: str) -> None:
    position = a_position(game, 3, players=3)
    by_rank, by_margin = (
        a_tree(SearchConfig(share_win=0.0, share_rank=1.0)),
        a_tree(SearchConfig(share_win=0.0, share_rank=0.0)),
    )
    for seed in range(10):
        states = grow(position, by_rank, 1, seed)
        scores = Position.from_bytes(position.game, states[1:].tobytes(), players=3).scores
        for seat, score in enumerate(scores):
            rivals = [other for number, other in enumerate(scores) if number != seat]
            behind = sum(1.0 if other < score else 0.5 if other == score else 0.0 for other in rivals)
            assert by_rank[0]["reward"][seat] == behind / 2
        states = grow(position, by_margin, 1, seed)
        scores = Position.from_bytes(position.game, states[1:].tobytes(), players=3).scores
        for seat, score in enumerate(scores):
            rival = max(other for number, other in enumerate(scores) if number != seat)
            worth = by_margin[0]["reward"][seat]
            assert 0 < worth < 1
            assert (worth > 0.5, worth < 0.5) == (score > rival, score < rival)


@needs("architects")
def test_what_is_better_is_tried_more() -> None:
    # One step before the end every playout is exact: the search must find the move that wins.
    ziggurat.prepare("architects")
    found = 0
    for seed in range(40):
        position = ziggurat.new("architects", 2, seed=seed)
        rng = generator(seed)
        before = position.copy()
        while not position.finished:
            before = position.copy()
            seat = position.actors[0]
            position.play_all(seat, decide(position, seat, "greedy", rng))
        seat = before.actors[0]
        legal = before.legal(seat)
        if len(legal) > 1 and position.winners == [seat]:
            found += 1
            options = Searcher(before.game).think(Belief(before, seat, rng), Budget(iterations=400), rng)
            assert {option.action for option in options} <= set(legal)
            assert options == sorted(options, key=lambda option: 1 / math.sqrt(option.tries) - option.worth)
            assert options[0].worth >= max(option.worth for option in options if option.tries > 40) - 0.1
    assert found > 5


def test_a_few_lucky_games_prove_nothing() -> None:
    searcher = Searcher(GAME)
    tree = searcher._trees[0][0]
    tree["root"] = 1
    for action, tries, worth in ((3, 400, 0.6), (5, 5, 0.9), (7, 300, 0.65)):
        edge = int(tree["edges"]) + 1
        tree["edges"], tree["first"][1] = edge, edge
        tree["next"][edge], tree["action"][edge] = edge - 1, action
        tree["tries"][edge], tree["gain"][edge] = tries, tries * worth
    assert [found.action for found in searcher._candidates()] == [7, 3, 5]


@needs("alhambra")
def test_the_more_is_known_the_less_the_heuristic_is_heard() -> None:
    trust = GAME.trust
    favourite = {}
    for config in (SearchConfig(), SearchConfig(root_trust=trust)):  # the second one hears it always as much
        favourite[config.root_trust] = 0
        for moves in (4, 8, 12, 16):
            tree = a_tree(config)
            grow(a_position(EXAMPLE, moves), tree, 2000)
            favourite[config.root_trust] += int(tree[0]["tries"][: tree[0]["edges"] + 1].max())
    assert favourite[SearchConfig().root_trust] < 0.9 * favourite[trust]


@pytest.mark.parametrize("game", SOME)
def test_a_node_is_for_what_its_seat_sees(game: str) -> None:
    players = ziggurat.game(game).max_players
    position = a_position(game, 4, players)
    seat = position.actors[0]
    later = next(other for moves in range(6, 30) if (other := a_position(game, moves, players)).actors[0] == seat)
    tree = a_tree()
    grow(position, tree, 10)
    root = int(tree[0]["root"])
    # What it does not see may be otherwise. These positions have one history in the tree: none.
    grow(position.redeal(seat, generator(9)), tree, 10)
    assert tree[0]["root"] == root
    assert tree[0]["visits"][root] == 20
    grow(later, tree, 10)
    assert tree[0]["root"] != root
    assert tree[0]["visits"][tree[0]["root"]] == 10


@pytest.mark.parametrize(
    "game",
    [
        pytest.param("architects", marks=needs("architects")),
        pytest.param("alhambra", marks=[runs.whole, needs("alhambra")]),
    ],
)
def test_searching_beats_the_heuristic(game: str) -> None:
    ziggurat.prepare(game)

    def games() -> Iterator[float]:
        for number in range(200):
            position = ziggurat.new(game, 2, seed=number // 2)
            searches, rng = number % 2, generator(number)
            searching = SearchBot(position.game, Budget(iterations=100))
            while not position.finished:
                seat = position.actors[0]
                position.play_all(seat, decide(position, seat, searching if seat == searches else GreedyBot(), rng))
            yield (searches in position.winners) / len(position.winners)

    assert is_better(games())


@needs("architects")
def test_a_tree_is_kept_as_long_as_the_seat_knows_what_happened() -> None:
    position = ziggurat.new("architects", 2, seed=2)
    rng, searcher = generator(1), Searcher(ziggurat.game("architects"))
    kept = 0
    for _ in range(12):
        while len(position.legal(position.actors[0])) < 2:
            position.play(position.actors[0], position.legal(position.actors[0])[0])
        seat = position.actors[0]
        if seat == 0:
            options = searcher.think(Belief(position, seat, rng), Budget(iterations=2000), rng)
            kept += sum(option.tries for option in options) - 2000
            position.play(seat, options[0].action)
        else:
            position.play(seat, position.suggest(rng))
    assert kept > 0


def test_a_full_tree_goes_on_with_playouts() -> None:
    position = a_position(EXAMPLE, 4)
    tree = a_tree()
    tree[0]["nodes"] = NODES - 3
    states = grow(position, tree, 50)
    assert tree[0]["nodes"] == NODES - 1
    assert Position.from_bytes(position.game, states[1:].tobytes(), players=2).finished
    fresh = a_tree()
    fresh[0]["edges"] = EDGES - 3
    grow(position, fresh, 50)
    assert fresh[0]["edges"] == EDGES - 1


def test_the_memory_of_a_tree_is_what_the_documentation_says() -> None:
    assert 14_500_000 < TREE.itemsize < 15_000_000


@runs.whole
def test_hashes_are_the_same_in_both_backings() -> None:
    numba = pytest.importorskip("numba")
    compiled = numba.njit(mix)
    key = 0
    for value in (0, 1, 339, 2**61, 12345678901):
        assert compiled(key, value) == mix(key, value)
        key = mix(key, value)
        assert 0 <= key < 1 << 62


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ({}, "a number of iterations or of seconds"),
        ({"iterations": 0}, "1 to 10000000 iterations, not 0"),
        ({"iterations": -5}, "not -5"),
        ({"seconds": 0}, "more than 0 and at most 3600 seconds, not 0"),
        ({"seconds": float("nan")}, "not nan"),
        ({"seconds": 1e9}, "at most 3600"),
    ],
)
def test_a_budget_that_is_none_is_refused(budget: dict[str, float], said: str) -> None:
    with pytest.raises(BadBudget, match=said):
        Budget(**budget)  # type: ignore[arg-type]


def test_a_search_by_the_clock_ends() -> None:
    position = a_position(EXAMPLE, 2)
    rng = generator(1)
    options = Searcher(position.game).think(Belief(position, position.actors[0], rng), Budget(seconds=0.05), rng)
    assert sum(option.tries for option in options) >= 16


def test_a_search_by_the_clock_keeps_its_time_although_its_first_iterations_are_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent = [0.0, 0]

    def search(*arguments: object) -> None:
        number = arguments[-1]
        assert isinstance(number, int)
        for _ in range(number):
            spent[0] += 2e-6 if spent[1] < 100 else 2e-4
            spent[1] += 1

    monkeypatch.setattr("ziggurat.bots.search.prepare", lambda *_, **__: SimpleNamespace(kernels={"search": search}))
    monkeypatch.setattr(Searcher, "clock", staticmethod(lambda: spent[0]))
    position, rng = a_position(EXAMPLE, 2), generator(1)
    Searcher(position.game).think(Belief(position, position.actors[0], rng), Budget(seconds=0.1), rng)
    assert 0.1 <= spent[0] < 0.105


@runs.whole
@pytest.mark.parametrize("game", [game for game in GAMES if ziggurat.game(game).min_players == 1])
def test_who_plays_alone_may_search_longer(game: str) -> None:
    searched = []
    for players, alone in ((1, 1), (1, 6), (2, 6)):
        position, rng = a_position(game, 2, players), generator(1)
        seat = position.actors[0]
        bot = SearchBot(position.game, Budget(iterations=8), alone=alone)
        bot.choose(Belief(position, seat, rng), position.legal(seat), rng)
        searched.append(bot.searcher.games)
    assert searched == [8, 48, 8]

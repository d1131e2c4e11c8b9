"""What is special for a search: a rival whom nobody plays, and choices that stay secret."""

from __future__ import annotations

from tests.core.searching import a_position, a_tree, grow

import ziggurat
from ziggurat.bots import SearchConfig, decide
from ziggurat.core.position import Position
from ziggurat.core.seed import generator


def test_hal_is_a_rival_in_the_game_for_one() -> None:
    position = a_position("ginkgopolis", 2, players=1)
    tree = a_tree(SearchConfig(share_win=1.0, share_rank=0.0))
    seen = set()
    for seed in range(60):
        states = grow(position, tree, 1, seed)
        end = Position.from_bytes(position.game, states[1:].tobytes(), players=1)
        assert tree[0]["reward"][0] == float(end.winners == [0])
        seen.add(tree[0]["reward"][0])
    assert seen == {0.0, 1.0}


def test_a_secret_choice_is_never_told() -> None:
    position = ziggurat.new("ginkgopolis", 3, seed=3)
    rng, secrets = generator(1), 0
    for _ in range(40):
        for seat in range(3):
            _, heard = position.heard(seat)
            latest = position.history[len(position.history) - len(heard) :]
            assert heard == [(actor, action) for actor, action, _ in latest]
            assert not any(secret for actor, _, secret in latest if actor != seat)
            secrets += sum(secret for actor, _, secret in latest if actor == seat)
        if position.finished:
            break
        actor = position.actors[0]
        position.play_all(actor, decide(position, actor, "greedy", rng))
    assert secrets > 0  # one's own

"""What a purchase would do is said with the cards that would best pay for it, in one answer."""

from __future__ import annotations

import ziggurat


def test_the_preview_of_a_building_says_what_the_suggested_cards_would_do() -> None:
    seen = 0
    position = ziggurat.new("alhambra", players=3, seed=7)
    rng = ziggurat.generator(7)
    while not position.finished:
        seat = position.actors[0]
        for buy in [choice for choice in position.decision(seat).legal if choice.type == "buy"]:
            preview = position.preview(seat, [buy.action])
            assert preview.suggest
            assert preview.then is not None
            steps = [buy.action, *(step.action for step in preview.suggest)]
            assert preview.then == position.preview(seat, steps)
            assert preview.then.confirm
            assert not preview.then.suggest
            assert preview.then.then is None
            seen += 1
        position.play(seat, position.suggest(rng, seat))
    assert seen > 20

"""A game ends, however long everybody puts it off."""

from __future__ import annotations

import pytest

import ziggurat
from ziggurat.games.babel import choices

GAME = ziggurat.game("babel")
# Cards that bring cards back, then discs of which nobody gets any, with offers as large as can be.
PUT_OFF = (
    *(choices.EXCHANGE, choices.DRAW, choices.DOUBLE),
    *range(choices.LAY, choices.LAY + 4),
    *range(choices.CHOOSE, choices.CHOOSE + 24),
    *(choices.FAIL, choices.COMMIT),
)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", range(3, 6))
def test_putting_off_the_end_has_an_end(players: int) -> None:
    """With a build only when the cards have run out and the game would be over for that."""
    position, decisions, failed = ziggurat.new(GAME, players, seed=1), 0, 0
    while position.actors:
        seat = position.actors[0]
        legal = position.legal(seat)
        accept = [action for action in legal if choices.ACCEPT <= action < choices.FAIL]
        action = min(legal, key=lambda action: PUT_OFF.index(action) if action in PUT_OFF else len(PUT_OFF))
        if action == choices.FAIL and position.view(None).drawable == 0:
            failed += 1
            if accept and failed >= 2 * players - 1:
                action, failed = accept[0], 0
        position.play(seat, action)
        decisions += 1
    assert 1000 < decisions <= GAME.longest(players)

"""A table that the operator lays out from a scenario file, for everybody who follows its link."""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.table import Table

USUAL_BOT = "mason"
"""Who sits where nothing else is asked for: a fair opponent."""


def table_from_scenario(scenario: str, seats: Sequence[str] = ()) -> Table:
    """Return a table laid out from the text of a scenario file; it starts when nobody is missing.

    `seats` names for each of them a bot, or says `open`. Without them the first seat that is to decide is open, and
    bots sit at the others. Raises ScenarioError, and Problem when the seats are not those of the game.
    """
    position = rules_gateway.scenario_position(scenario)
    if not seats:
        seats = ["open" if seat == position.actors[0] else USUAL_BOT for seat in range(position.players)]
    wishes = [NewSeat("open") if seat == "open" else NewSeat("bot", seat) for seat in seats]
    return create(NewTable(position.game.id, wishes, hints=True, scenario=scenario), HOUSE_PERSON)

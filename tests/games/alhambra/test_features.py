"""What a seat observes is what it sees."""

from __future__ import annotations

from collections import Counter

import pytest
from tests import runs
from tests.games.features import around, check_bounds, check_facts, house_rules, left_out

import ziggurat
from ziggurat.core.position import Position
from ziggurat.games.alhambra.state import CURRENCIES, KINDS, ROUNDS
from ziggurat.games.alhambra.view import Money, Owner

GAME = ziggurat.game("alhambra")
VALUES = range(1, 10)


def facts(position: Position, observer: int | None) -> dict[str, int]:
    view, seats = position.view(observer), around(position.players, observer)
    found = {
        "turn": -1 if view.finished else seats.index(view.turn),
        "scored": sum(1 << ROUNDS.index(name) for name in view.rounds_scored),
        "deck.buildings": view.building_deck,
        "deck.money": view.money_deck,
        "options": house_rules(position),
        "paying": view.paying.slot + 1 if view.paying else 0,
        "paid.total": view.paying.total if view.paying else 0,
    }
    paid = Counter(card.value for card in view.paying.cards) if view.paying else Counter[int]()
    found |= {f"paid.{value}": paid[value] for value in VALUES}
    for slot in view.slots:
        found[f"slot.{slot.currency}.kind"] = KINDS.index(slot.building.kind) + 1 if slot.building else 0
        found[f"slot.{slot.currency}.price"] = slot.building.price if slot.building else 0
    for place, card in enumerate(view.money, start=1):
        found[f"money.{place}.currency"] = CURRENCIES.index(card.currency) + 1 if card else 0
        found[f"money.{place}.value"] = card.value if card else 0
    hand = Counter() if observer is None else Counter[Money](view.owners[observer].hand)
    for currency in CURRENCIES:
        for value in VALUES:
            found[f"discard.{currency}.{value}"] = view.discards[currency][value - 1]
            found[f"hand.{currency}.{value}"] = hand[Money(currency, value)]
    for player, seat in enumerate(seats):
        found |= owned(f"player.{player}", view.owners[seat])
        found[f"player.{player}.cards"] = view.owners[seat].cards
    return found | owned("neutral", view.owners[view.neutral]) if view.neutral is not None else found


def owned(name: str, owner: Owner) -> dict[str, int]:
    return {f"{name}.score": owner.score} | {f"{name}.built.{kind}": count for kind, count in owner.buildings.items()}


@pytest.mark.usefixtures("compiled")
def test_what_is_not_observed_follows_from_the_rest() -> None:
    """Or is printed; and who began does not matter any more."""
    told = (
        "actors",
        "currencies",
        "discard",
        "kinds",
        "owners.neutral",
        "owners.seat",
        "paying.cards.currency",
        "start",
    )
    assert [field for field in sorted(left_out(GAME, facts)) if not field.startswith(told)] == []


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each(range(2, 7), often=[2, 6]))
def test_observations_say_what_the_view_shows(players: int) -> None:
    check_facts(GAME, players, facts, games=4)
    check_bounds(GAME, players, games=12)

"""What a seat observes is what it sees."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests import runs
from tests.games.features import around, check_bounds, check_facts, house_rules, left_out
from tests.games.table import record

import ziggurat
from ziggurat.core.position import Position
from ziggurat.games.babel.state import ACTION_CARDS, PHASES, SPACES, TYPES, WONDERS

GAME = ziggurat.game("babel")
NEVER_USED = ("disc_bonus", "end_bonus")
# Of pairs that no printed disc has.
UNPRINTED = ("camel+crane", "ship+mason")
DISCS = [(name,) for name in TYPES] + [*combinations(TYPES, 2)]


def facts(position: Position, observer: int | None) -> dict[str, int]:
    """A seat knows what it is in the middle of doing, and everybody what hands were seen to hold; no view lists it."""
    view, seats, s = position.view(observer), around(position.players, observer), record(position)
    own = None if observer is None else view.builders[observer]
    chosen = view.chosen
    found = {
        "phase": PHASES.index(view.phase),
        "turn": seats.index(view.turn),
        "row": view.row,
        "deck": view.deck,
        "action_deck": view.action_deck,
        "chosen": WONDERS.index(chosen.wonder) * SPACES + chosen.space + 1 if chosen else 0,
        "options": house_rules(position),
        "exchanging": 0 if observer is None else s.exchanging[observer],
    }
    for kind, name in enumerate(TYPES):
        found[f"given.{name}"] = 0 if observer is None else s.given[observer][kind]
        found[f"hand.{name}"] = own.hand[name] if own else 0
        found[f"discard.{name}"] = view.discard[name]
    for name in ACTION_CARDS:
        found[f"action.{name}"] = own.actions[name] if own else 0
        if name not in NEVER_USED:
            found[f"action_used.{name}"] = view.actions_used[name]
    assert not any(view.actions_used[name] for name in NEVER_USED)
    for wonder in view.wonders:
        for space, disc in enumerate(wonder.discs, start=1):
            found |= {f"disc.{wonder.wonder}.{space}.{name}": (disc or {}).get(name, 0) for name in TYPES}
    for player, seat in enumerate(seats):
        builder = view.builders[seat]
        offer, cards = builder.offer, (builder.offer.cards if builder.offer else None) or {}
        if seat == observer:  # also while it is still laying them
            cards = dict(zip(TYPES, s.laid[seat], strict=True))
        found |= {
            f"player.{player}.decides": int(seat in view.actors),
            f"player.{player}.score": builder.score,
            f"player.{player}.cards": builder.cards,
            f"player.{player}.action_cards": builder.action_cards,
            f"player.{player}.offer.cards": offer.count if offer else -1,
            f"player.{player}.offer.trade": int(bool(offer and offer.trade)),
        }
        for kind, name in enumerate(TYPES):
            found[f"player.{player}.offer.{name}"] = cards.get(name, 0)
            found[f"player.{player}.known.{name}"] = s.known[seat][kind]
        found |= {f"player.{player}.units.{wonder.wonder}": wonder.units[seat] for wonder in view.wonders}
        for types in DISCS:
            found[f"player.{player}.discs.{'+'.join(types)}"] = sum(tuple(disc) == types for disc in builder.discs)
    return found


@pytest.mark.usefixtures("compiled")
def test_what_is_not_observed_follows_from_the_rest() -> None:
    """Or is printed; and who began does not matter any more. What was taken back from offers is known in the hand."""
    told = (
        *("bonus", "builders.offer.returned", "builders.seat", "builders.trade", "builders.units_left"),
        *("chosen.needs", "drawable", "rows", "start", "types"),
    )
    assert [field for field in sorted(left_out(GAME, facts)) if not field.startswith(told)] == []


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each(range(3, 6), often=[4]))
def test_observations_say_what_the_view_shows(players: int) -> None:
    check_facts(GAME, players, facts, games=10, every=20)
    rare = {f"player.{player}.discs.{types}" for player in range(players) for types in UNPRINTED}
    check_bounds(GAME, players, games=40, rare=frozenset(rare | {f"given.{name}" for name in TYPES}))

"""What a seat observes is what it sees."""

from __future__ import annotations

from collections import Counter

import pytest
from tests import runs
from tests.games.features import around, check_bounds, check_facts, house_rules, left_out
from tests.games.table import record

import ziggurat
from ziggurat.core.position import Position
from ziggurat.games.architects.state import CARDS, PHASES, TOKENS, WONDERS

GAME = ziggurat.game("architects")
NEVER_DISCARDED = ("vp3", "vp2cat", "red0")


def bits(names: list[str], among: tuple[str, ...]) -> int:
    return sum(1 << among.index(name) for name in set(names))


def card(name: str | None) -> int:
    return CARDS.index(name) + 1 if name else 0


def facts(position: Position, observer: int | None) -> dict[str, int]:
    view, seats = position.view(observer), around(position.players, observer)
    wonders = [view.builders[seat].wonder for seat in seats]
    looked = Counter(view.looked.cards) if view.looked else Counter[str]()
    offer = Counter(view.offer)
    found = {
        "turn": -1 if view.finished else seats.index(view.turn),
        "phase": PHASES.index(view.phase),
        "conflict.turned": view.conflict.turned,
        "cat": -1 if view.cat is None else seats.index(view.cat),
        "stack": view.stack,
        "military.left": -1 if view.military_left is None else view.military_left,
        "open_wonders": bits(view.open_wonders, WONDERS),
        "options": house_rules(position),
        "extras": bits(view.extras, TOKENS),
        "used": bits(view.used, TOKENS),
        "gained": record(position).gained,  # everybody has seen it this turn, but no view lists it
        "central.left": view.central.left,
        "central.top": card(view.central.seen),
        "looked.deck": wonders.index(view.looked.deck) + 1 if view.looked else 0,
    }
    found |= {f"looked.{name}": looked[name] for name in CARDS}
    found |= {f"offer.{name}": offer[name] for name in TOKENS}
    found |= {f"discard.{name}": view.discard[name] for name in CARDS if name not in NEVER_DISCARDED}
    assert not any(view.discard[name] for name in NEVER_DISCARDED)
    for player, seat in enumerate(seats):
        builder = view.builders[seat]
        deck = next((deck for deck in view.decks if deck.seat == seat), None)
        found |= {
            f"player.{player}.wonder": WONDERS.index(builder.wonder) + 1 if builder.wonder else 0,
            f"player.{player}.built": sum(1 << stage - 1 for stage in builder.built),
            f"player.{player}.deck.left": deck.left if deck else 0,
            f"player.{player}.deck.top": card(deck.top) if deck else 0,
            f"player.{player}.tokens": bits(builder.tokens, TOKENS),
            f"player.{player}.culture": builder.tokens.count("culture"),
            f"player.{player}.military": builder.military,
            f"player.{player}.shields": builder.shields,
            f"player.{player}.score": builder.score,
            f"player.{player}.saw_central": int(seat in view.central.known_by),
        }
        found |= {f"player.{player}.cards.{name}": builder.cards[name] for name in CARDS}
    return found


@pytest.mark.usefixtures("compiled")
def test_what_is_not_observed_follows_from_the_rest() -> None:
    """Or is printed; and who began does not matter any more."""
    told = (
        *("actors", "builders.available", "builders.decks", "builders.seat", "builders.tally", "conflict.pairs"),
        *("conflict.tokens", "costs", "decks.wonder", "ranking", "start", "tokens", "wonders"),
    )
    assert [field for field in sorted(left_out(GAME, facts)) if not field.startswith(told)] == []


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each(range(2, 8), often=[2, 7]))
def test_observations_say_what_the_view_shows(players: int) -> None:
    check_facts(GAME, players, facts, games=15, every=30)
    rare = frozenset(f"looked.{name}" for name in CARDS)
    check_bounds(GAME, players, games=40 if players < 5 else 20, rare=rare)

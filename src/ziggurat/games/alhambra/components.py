"""The printed numbers of Alhambra: the schema of a components file, and the record that set-up makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from ziggurat.core.errors import BadOption, refuse
from ziggurat.core.pieces import repeated
from ziggurat.games.alhambra.state import (
    BUILDING_BASE,
    BUILDING_CAPACITY,
    KINDS,
    MAX_PLAYERS,
    MAX_PRICE,
    MAX_VALUE,
    MONEY_BASE,
    MONEY_CAPACITY,
    OPTIONS,
    PLACES,
    RECORD,
    SLOTS,
)

Copies = Annotated[list[Annotated[int, Meta(ge=0, le=12)]], Meta(min_length=MAX_VALUE, max_length=MAX_VALUE)]
Points = Annotated[int, Meta(ge=0, le=99)]
Pile = Annotated[int, Meta(ge=1, le=20)]
Gift = Annotated[int, Meta(ge=0, le=20)]


class Money(msgspec.Struct, forbid_unknown_fields=True):
    copies: Copies
    copies_two_players: Copies


class SetUp(msgspec.Struct, forbid_unknown_fields=True):
    starting_capital: Annotated[int, Meta(ge=1, le=60)]
    piles: Pile
    pile_of_a: Pile
    pile_of_b: Pile


class Take(msgspec.Struct, forbid_unknown_fields=True):
    several_max_total: Annotated[int, Meta(ge=0, le=36)]


class Neutral(msgspec.Struct, forbid_unknown_fields=True):
    at_the_start: Gift
    after_a: Gift
    after_b: Gift


class Building(msgspec.Struct, forbid_unknown_fields=True):
    prices: Annotated[list[Annotated[int, Meta(ge=1, le=MAX_PRICE)]], Meta(max_length=20)]
    points_a: Annotated[list[Points], Meta(min_length=1, max_length=1)]
    points_b: Annotated[list[Points], Meta(min_length=1, max_length=2)]
    points_c: Annotated[list[Points], Meta(min_length=1, max_length=3)]


class Buildings(msgspec.Struct, forbid_unknown_fields=True):
    pavilion: Building
    seraglio: Building
    arcades: Building
    chambers: Building
    garden: Building
    tower: Building


class AlhambraComponents(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    format: Annotated[int, Meta(ge=1, le=1)]
    money: Money
    setup: SetUp
    take: Take
    neutral: Neutral
    buildings: Buildings

    def building(self, kind: str) -> Building:
        building: Building = getattr(self.buildings, kind)
        return building


def check_components(values: AlhambraComponents) -> None:
    """Check what no single number can show: that every game can be set up."""
    if not values.setup.pile_of_a < values.setup.pile_of_b <= values.setup.piles:
        refuse("setup.pile_of_b", "A must lie in a higher pile than B, and both within the piles (pile 1 is the top)")
    for name, players in (("copies", MAX_PLAYERS), ("copies_two_players", 2)):
        copies = getattr(values.money, name)
        total = 4 * sum(value * count for value, count in enumerate(copies, start=1))
        # Nobody draws more than the capital, less one, plus the highest card; one has to lie open, so that whoever
        # begins can act. With fewer than the table has places for, these stay empty (R7), and A and B lie together.
        highest = max((value for value, count in enumerate(copies, start=1) if count), default=MAX_VALUE)
        needed = players * (values.setup.starting_capital - 1 + highest) + 1
        if total < needed:
            refuse(f"money.{name}", f"{players} players need money worth at least {needed} in all, this is {total}")
        if 4 * sum(copies) + 2 > MONEY_CAPACITY:
            most = (MONEY_CAPACITY - 2) // 4
            refuse(f"money.{name}", f"at most {most} cards in each currency, these are {sum(copies)}")
    cards = sum(len(values.building(kind).prices) for kind in KINDS)
    fewest = SLOTS + values.neutral.at_the_start + 1
    if not fewest <= cards <= BUILDING_CAPACITY:
        refuse("buildings", f"there must be {fewest} to {BUILDING_CAPACITY} building cards, these are {cards}")


def longest(values: AlhambraComponents, players: int) -> int:
    """The bound on decisions. Every purchase takes a building off the yard for good, and pays at most all cards of one
    currency. Every other turn takes a card from the table into a hand, from where only payments bring it back."""
    copies = values.money.copies_two_players if players == 2 else values.money.copies
    purchases = sum(len(values.building(kind).prices) for kind in KINDS)
    paid = purchases * sum(copies)
    return 2 * purchases + paid + 4 * sum(copies) + paid  # begun and ended, cards paid, cards taken


def check_options(players: int, options: Mapping[str, str]) -> None:
    order = options["age_order"]
    if order:
        if options["start_player"] != "youngest":
            raise BadOption("age_order goes with start_player=youngest", option="age_order", value=order)
        seats = [part.strip() for part in order.split(",")]
        if sorted(seats) != sorted(str(seat) for seat in range(1, players + 1)):
            everybody = ",".join(str(seat) for seat in range(1, players + 1))
            raise BadOption(
                f"age_order names every seat once, the youngest first, such as {everybody}; not {order!r}",
                option="age_order",
                value=order,
            )


def shares(points: list[int]) -> list[list[int]]:
    """Section 4.3.2: the points of the places that tied players fill, shared and rounded down; by place and by how many
    share it."""
    return [
        [sum(points[place : place + tied]) // tied for tied in range(1, MAX_PLAYERS + 1)] for place in range(PLACES)
    ]


def template(values: AlhambraComponents, players: int, options: Mapping[str, str]) -> np.ndarray:
    """Template states of shape (1,): decks full and in order, options and numbers set, everything else zero."""
    states = np.zeros(1, dtype=RECORD)
    s = states[0]
    s["players"] = players
    s["owners"] = 3 if players == 2 else players
    OPTIONS.fill(s, players, options)
    order = options["age_order"]
    s["age_order"][:players] = [int(seat) - 1 for seat in order.split(",")] if order else range(players)
    s["capital"] = values.setup.starting_capital
    s["take_limit"] = values.take.several_max_total
    s["piles"], s["pile_of_a"], s["pile_of_b"] = values.setup.piles, values.setup.pile_of_a, values.setup.pile_of_b
    s["gifts"] = (values.neutral.at_the_start, values.neutral.after_a, values.neutral.after_b)
    copies = values.money.copies_two_players if players == 2 else values.money.copies
    money = [currency * MONEY_BASE + value for currency in range(4) for value in repeated(copies, first=1)]
    s["money_deck"][: len(money)], s["money_left"] = money, len(money)
    buildings = []
    for kind, name in enumerate(KINDS):
        building = values.building(name)
        buildings += [kind * BUILDING_BASE + price for price in building.prices]
        for scoring_round, points in enumerate((building.points_a, building.points_b, building.points_c)):
            s["points"][scoring_round][kind][: len(points)] = points
            s["shares"][kind, :, :, scoring_round] = shares(points)
    s["building_deck"][: len(buildings)], s["building_left"] = buildings, len(buildings)
    return states

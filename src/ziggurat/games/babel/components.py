"""The printed numbers of Babel: the schema of a components file, and the record that set-up makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from ziggurat.core.errors import refuse
from ziggurat.core.pieces import repeated
from ziggurat.games.babel import state

Number = Annotated[int, Meta(ge=1, le=state.MOST_CARDS)]
Numbers = Annotated[list[Number], Meta(min_length=1, max_length=state.DISCS)]
Points = Annotated[int, Meta(ge=0, le=99)]
Few = Annotated[int, Meta(ge=0, le=9)]
Copies = Annotated[int, Meta(ge=0, le=9)]
Rows = Annotated[list[Points], Meta(min_length=state.ROWS, max_length=state.ROWS)]


class Cards(msgspec.Struct, forbid_unknown_fields=True):
    copies: Annotated[int, Meta(ge=10, le=50)]
    start_hand: Annotated[int, Meta(ge=0, le=8)]


class Discs(msgspec.Struct, forbid_unknown_fields=True):
    camel: Numbers
    crane: Numbers
    ship: Numbers
    mason: Numbers

    def numbers(self, name: str) -> list[int]:
        numbers: list[int] = getattr(self, name)
        return numbers


class TwoColour(msgspec.Struct, forbid_unknown_fields=True):
    """A disc that asks for two types: exactly two of these are above 0."""

    camel: Few = 0
    crane: Few = 0
    ship: Few = 0
    mason: Few = 0

    def needs(self) -> list[int]:
        return [getattr(self, name) for name in state.TYPES]


class TwoColours(msgspec.Struct, forbid_unknown_fields=True):
    replaced: Number
    discs: Annotated[list[TwoColour], Meta(min_length=state.KINDS, max_length=state.KINDS)]


class Wonders(msgspec.Struct, forbid_unknown_fields=True):
    first: Rows
    second: Rows
    other: Points
    light_first: Points
    light_second: Points


class Bonus(msgspec.Struct, forbid_unknown_fields=True):
    points: Annotated[list[Points], Meta(min_length=2, max_length=state.BONUS_ROWS)]


class Offers(msgspec.Struct, forbid_unknown_fields=True):
    refused: Few
    refused_triple: Few


class Units(msgspec.Struct, forbid_unknown_fields=True):
    small: Annotated[int, Meta(ge=1, le=50)]
    large: Annotated[int, Meta(ge=0, le=20)]


class ActionCopies(msgspec.Struct, forbid_unknown_fields=True):
    exchange: Copies
    joker: Annotated[int, Meta(ge=0, le=state.MOST_JOKERS)]
    disc_bonus: Copies
    triple_refusal: Copies
    draw: Copies
    double_turn: Copies
    end_bonus: Copies


class Actions(msgspec.Struct, forbid_unknown_fields=True):
    exchange_cards: Annotated[int, Meta(ge=1, le=9)]
    draw_cards: Annotated[int, Meta(ge=1, le=9)]
    disc_points: Few
    end_points: Annotated[int, Meta(ge=0, le=50)]
    copies: ActionCopies

    def copies_of(self, name: str) -> int:
        copies: int = getattr(self.copies, name)
        return copies


class BabelComponents(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    format: Annotated[int, Meta(ge=1, le=1)]
    cards: Cards
    discs: Discs
    two_colour: TwoColours
    wonders: Wonders
    bonus: Bonus
    offers: Offers
    units: Units
    actions: Actions


def check_components(values: BabelComponents) -> None:
    """Check what no single number can show: that every game can be set up."""
    count = sum(len(values.discs.numbers(name)) for name in state.TYPES)
    if count != state.DISCS:
        refuse("discs", f"the eight wonders take {state.DISCS} one-colour discs, these are {count}")
    replaced = values.two_colour.replaced
    lacking = [name for name in state.TYPES if replaced not in values.discs.numbers(name)]
    if lacking:
        where = "two_colour.replaced" if len(lacking) == state.KINDS else f"discs.{lacking[0]}"
        refuse(where, f"there is no {lacking[0]} disc of {replaced} that could leave")
    for disc in values.two_colour.discs:
        needs = [number for number in disc.needs() if number]
        if len(needs) != 2 or sum(needs) > state.MOST_CARDS:
            refuse("two_colour.discs", f"each asks for two types and at most {state.MOST_CARDS} cards in all")
    for kind, name in enumerate(state.TYPES):
        if len(values.discs.numbers(name)) == 1 and not any(disc.needs()[kind] for disc in values.two_colour.discs):
            refuse(
                f"discs.{name}",
                f"the only {name} disc leaves for those of two colours, so one of them has to show {name} too, "
                f"or there has to be another {name} disc",
            )
    for name, first, second in (
        ("first", values.wonders.first, values.wonders.second),
        ("light_first", [values.wonders.light_first], [values.wonders.light_second]),
    ):
        if any(one < two for one, two in zip(first, second, strict=True)):
            refuse(f"wonders.{name}", "the first place is worth at least as much as the second")
    if any(one > two for one, two in zip(values.bonus.points, values.bonus.points[1:], strict=False)):
        refuse("bonus.points", "more discs are worth at least as much")
    units = values.units.small - 1 + 3 * values.units.large
    if not state.MOST_CARDS <= units <= 99:
        refuse(
            "units.small", f"building pieces for {state.MOST_CARDS} to 99 units, besides the one that marks the score"
        )
    cards = sum(values.actions.copies_of(name) for name in state.ACTION_CARDS)
    if cards > state.ACTION_CAPACITY:
        refuse("actions.copies", f"at most {state.ACTION_CAPACITY} action cards, these are {cards}")


def longest(values: BabelComponents, players: int) -> int:
    """The bound on decisions. At the end of a turn everybody draws a card. That ends when the cards run out, which only
    a build changes: it brings back what it cost, as an exchange does as long as there are cards to draw. After so many
    turns without a card and without a build the game is over (R28); and there are 24 discs to build."""
    names = [number for name in state.TYPES for number in values.discs.numbers(name)]
    largest = max(*names, *(sum(disc.needs()) for disc in values.two_colour.discs))
    actions = values.actions
    exchanges = actions.copies_of("exchange")
    drawn = state.KINDS * values.cards.copies + state.DISCS * largest + exchanges * actions.exchange_cards
    idle = (state.DISCS + 1) * (1 + 2 * players)
    turns = drawn // players + idle + actions.copies_of("double_turn")
    # What to do; the others' offers, card by card; which ones are accepted; answers of the refused; a second turn.
    turn = 1 + (players - 1) * (largest + 1) + 1 + (players - 1) + 1
    return turns * turn + exchanges * (actions.exchange_cards + 2) + actions.copies_of("draw")


def template(values: BabelComponents, players: int, options: Mapping[str, str]) -> np.ndarray:
    """Template states of shape (1,): decks full and in order, discs in order, options and numbers set, everything else
    zero."""
    states = np.zeros(1, dtype=state.RECORD)
    s = states[0]
    s["players"] = players
    state.OPTIONS.fill(s, players, options)
    s["units_each"] = values.units.small - 1 + 3 * values.units.large
    s["start_hand"] = values.cards.start_hand
    s["exchange_cards"], s["draw_cards"] = values.actions.exchange_cards, values.actions.draw_cards
    s["disc_points"], s["end_points"] = values.actions.disc_points, values.actions.end_points
    s["refused"], s["refused_triple"] = values.offers.refused, values.offers.refused_triple
    s["first"], s["second"], s["other"] = values.wonders.first, values.wonders.second, values.wonders.other
    s["light_first"], s["light_second"] = values.wonders.light_first, values.wonders.light_second
    bonus = values.bonus.points
    s["bonus"] = bonus + [bonus[-1]] * (state.BONUS_ROWS - len(bonus))
    s["disc"] = _discs(values, options["two_colour_discs"] == "yes")
    if options["action_cards"] == "yes":
        cards = repeated(map(values.actions.copies_of, state.ACTION_CARDS), first=1)
        s["action_deck"][: len(cards)], s["action_left"] = cards, len(cards)
    deck = repeated([values.cards.copies] * state.KINDS, first=1)
    s["deck"][: len(deck)], s["deck_left"] = deck, len(deck)
    return states


def _discs(values: BabelComponents, two_colour: bool) -> list[list[int]]:
    """What every disc in the game asks for, by type."""
    found = []
    for kind, name in enumerate(state.TYPES):
        numbers = list(values.discs.numbers(name))
        if two_colour:
            numbers.remove(values.two_colour.replaced)
        found += [[number if kind == other else 0 for other in range(state.KINDS)] for number in numbers]
    return found + [disc.needs() for disc in values.two_colour.discs] if two_colour else found

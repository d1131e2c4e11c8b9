"""Cards, tiles and characters as the tokens of notation, events and scenarios: ``red 5``, ``A``, ``blue exploit``."""

from __future__ import annotations

from functools import cache

from ziggurat.games.ginkgopolis.state import COLOURS, LETTERS, NUMBERS, TRIGGERS, URBAN


@cache
def tile_token(tile: int) -> str:
    return f"{COLOURS[(tile - 1) // NUMBERS]} {(tile - 1) % NUMBERS + 1}"


@cache
def card_token(card: int) -> str:
    return LETTERS[card - URBAN - 1] if card > URBAN else tile_token(card)


@cache
def character_token(character: int) -> str:
    """A type of character, 0 to 8."""
    return f"{COLOURS[character // 3]} {TRIGGERS[character % 3]}"


def parse_tile(token: str) -> int:
    """Parse a token into a tile. Raises ValueError that says what a token looks like."""
    colour, _, number = token.strip().partition(" ")
    if colour in COLOURS and number.isdecimal() and 1 <= int(number) <= NUMBERS:
        return COLOURS.index(colour) * NUMBERS + int(number)
    raise ValueError(f"{token!r:.40} is no tile; one is written like 'red 5' ({', '.join(COLOURS)}; 1 to {NUMBERS})")


def parse_card(token: str) -> int:
    """Parse a token into a card. Raises ValueError that says what a token looks like."""
    if len(token) == 1 and token in LETTERS:
        return URBAN + 1 + LETTERS.index(token)
    try:
        return parse_tile(token)
    except ValueError:
        message = f"{token!r:.40} is no card; one is written like 'red 5', or as a letter from A to L"
        raise ValueError(message) from None


def parse_character(token: str) -> int:
    """Parse a token into a type of character. Raises ValueError that says what a token looks like."""
    colour, _, trigger = token.strip().partition(" ")
    if colour in COLOURS and trigger in TRIGGERS:
        return COLOURS.index(colour) * 3 + TRIGGERS.index(trigger)
    raise ValueError(f"{token!r:.40} is no character; one is written like 'red exploit'")

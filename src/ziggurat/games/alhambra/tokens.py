"""Cards as the tokens of notation, events and scenarios: ``blue 5``, ``arcades 8``, ``A``."""

from __future__ import annotations

from ziggurat.games.alhambra.state import (
    BUILDING_BASE,
    CURRENCIES,
    KINDS,
    MAX_PRICE,
    MAX_VALUE,
    MONEY_BASE,
    SCORING_A,
    SCORING_B,
)


def money_token(card: int) -> str:
    if card in (SCORING_A, SCORING_B):
        return "AB"[card - SCORING_A]
    return f"{CURRENCIES[card // MONEY_BASE]} {card % MONEY_BASE}"


def building_token(card: int) -> str:
    return f"{KINDS[card // BUILDING_BASE]} {card % BUILDING_BASE}"


def parse_money(token: str) -> int:
    """Parse a token into a money card. Raises ValueError that says what a token looks like."""
    if token in ("A", "B"):
        return SCORING_A + "AB".index(token)
    currency, _, value = token.strip().partition(" ")
    if currency in CURRENCIES and len(value) == 1 and value in "123456789"[:MAX_VALUE]:
        return CURRENCIES.index(currency) * MONEY_BASE + int(value)
    raise ValueError(f"{token!r} is no money card; one is written like 'blue 5' ({', '.join(CURRENCIES)}; 1-9)")


def parse_building(token: str) -> int:
    """Parse a token into a building card. Raises ValueError that says what a token looks like."""
    kind, _, price = token.strip().partition(" ")
    if kind in KINDS and price.isdecimal() and 1 <= int(price) <= MAX_PRICE:
        return KINDS.index(kind) * BUILDING_BASE + int(price)
    raise ValueError(f"{token!r} is no building; one is written like 'arcades 8' ({', '.join(KINDS)})")

"""The readers that follow from the fields of a record: its columns, its secrets, and its pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ziggurat.core.features import Feature
from ziggurat.core.fields.scenario import arranging
from ziggurat.core.fields.views import everywhere, views

if TYPE_CHECKING:
    from ziggurat.core.fields import Fields


def readers(fields: Fields, package: str) -> Mapping[str, Any]:
    """The readers that follow from fields, by their names in ``Game``, with the record and the options.

    Args:
        package: of the game: its ``GAME`` says who must decide, and who has won.
    """
    pooled = [field for pool in fields.pools for field in fields.of_pool(pool)]

    @cache
    def features(players: int) -> tuple[Feature, ...]:
        """The columns of ``observe``."""
        return tuple(columns(fields, players))

    def secrets(s: Any) -> dict[str, Any]:
        """The values that some seat does not see; of a pile the top card last."""
        return {field.name: everywhere(field, s) for field in fields.shown if field.hidden}

    def count_pieces(s: Any) -> dict[str, int]:
        """The number of every card of a pool, wherever they are."""
        found: Counter[str] = Counter()
        for field in pooled:
            for place in field.places(s.players):
                found.update(field.names[card - 1] for card in field.cards(s, place))
        return dict(found)

    def named(s: Any, values: Any) -> list[str]:
        """The names of all cards of pools."""
        return list(dict.fromkeys(name for field in pooled for name in field.names))

    return {
        "options": fields.options,
        "record": fields.record,
        **views(fields, package),
        "secrets": secrets,
        "features": features,
        "count_pieces": count_pieces,
        "named": named,
        "arrange_scenario": arranging(fields),
    }


def columns(fields: Fields, players: int) -> Iterator[Feature]:
    """The columns of ``observe``, in its order."""
    for field in fields.shown:
        if not field.each_seat:
            yield from field.open_columns("", players)
    if fields.observes_options:
        told = fields.options.observed(players)
        yield told if told.high else Feature(told.name, 0, 1, "bits", ("none",), told.tells)
    for field in fields.shown:
        if field.seen == "own":
            yield from field.all_columns("", players)
    for player in range(players):
        for field in fields.shown:
            if field.each_seat:
                yield from field.open_columns(f"player.{player}.", players)

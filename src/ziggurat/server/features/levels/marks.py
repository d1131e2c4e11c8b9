"""What is shown of a fit: never less after a win than before it.

A win says that its winner is good, and sometimes also that those are worse whom the winner had beaten before; by that
a fit can fall by a win: by some points, in one win of sixty. So the number that was shown before is kept as long as
somebody goes on winning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ziggurat.server.features.levels.fit import CountedGame, Curve


class Mark(NamedTuple):
    """What was shown of a person last.

    Attributes:
        place: in points, as it was shown.
        games: how many of the person's games it knew.
        kept: the place below which it does not fall as long as the person wins; None: there is none.
        upto: how many games the list had of which that place followed.
    """

    place: float
    games: int
    kept: float | None = None
    upto: int = 0


def published(place: float) -> float:
    """Return a place as it is published."""
    return round(place, 2)


def has_won(game: CountedGame, who: str) -> bool:
    """Whether a person came first, alone or with others."""
    return who not in game.last and any(
        side.place == 1 and any(share.who == who for share in side.shares) for side in game.sides
    )


def wins_of(games: Iterable[CountedGame]) -> dict[str, list[bool]]:
    """Return for each person whether they won their games, in their order."""
    found: dict[str, list[bool]] = {}
    for game in games:
        for who in game.people():
            found.setdefault(who, []).append(has_won(game, who))
    return found


def marked(
    games: list[CountedGame], curves: Mapping[str, Curve], before: Mapping[str, Mark], upto_before: int
) -> dict[str, Mark]:
    """Return what is shown of each person after a fit of a list.

    Args:
        before: what was shown last; it followed from the first `upto_before` games of the list.
    """
    wins, found = wins_of(games), {}
    for who, curve in curves.items():
        place, mine = published(curve.final.mean), wins[who]
        mark = before.get(who)
        if mark is None or mark.games > len(mine) or not all(mine[mark.games :]):
            found[who] = Mark(place, len(mine))
            continue
        kept, upto = mark.kept, mark.upto
        if len(mine) > mark.games and (kept is None or mark.place > kept):
            kept, upto = mark.place, upto_before
        if kept is None or kept <= place:
            found[who] = Mark(place, len(mine), kept, upto)
        else:
            found[who] = Mark(kept, len(mine), kept, upto)
    return found

"""What a card of the hand would do now, alone and with each tile (section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, TypeAlias

from ziggurat.core.trace import Phrase
from ziggurat.games.ginkgopolis import choices, state
from ziggurat.games.ginkgopolis.cards import building_of, can_pay, colour_of, lower_by
from ziggurat.games.ginkgopolis.choices import Alone, Line, Tile, Use
from ziggurat.games.ginkgopolis.city import building_at, step_x, step_y
from ziggurat.games.ginkgopolis.faces import face, goods, named, yield_of
from ziggurat.games.ginkgopolis.supply import supply_of_tiles
from ziggurat.games.ginkgopolis.tokens import card_token, tile_token

Gained: TypeAlias = tuple[dict[str, int], list[Line]]


def cell_of(s: Any, card: int) -> tuple[int, int]:
    """The building or the marker that a card names; nowhere in particular when it is not in play."""
    if card > state.URBAN:
        return s.marker_x[card - state.URBAN - 1], s.marker_y[card - state.URBAN - 1]
    if card in s.top[: s.buildings]:
        building = building_of(s, card)
        return s.x[building], s.y[building]
    return 0, 0


def uses(s: Any, seat: int, card: int) -> list[Use]:
    """The card alone, then with each tile of the player."""
    if card <= state.URBAN and card not in s.top[: s.buildings]:
        return []
    tiles = [tile for tile in range(1, state.TILES + 1) if s.holder[tile] == seat + 1]
    alone = _exploit(s, seat, card, None, _step(choices.ALONE) if tiles else None)
    return [alone, *_with_tiles(s, seat, card, tiles)]


@cache
def _step(action: int) -> Any:
    return choices.SPACE.choice(action)


def _with_tiles(s: Any, seat: int, card: int, tiles: list[int]) -> Iterator[Use]:
    on_marker = card > state.URBAN
    # The same with every tile.
    gained = _gained(s, seat, state.URBANIZE, _beside(s, card)) if on_marker else _gained(s, seat, state.CONSTRUCT, [])
    for tile in tiles:
        step = _step(choices.TILE + tile)
        if not can_pay(s, seat, card, tile):
            yield _exploit(s, seat, card, tile, step)
        elif on_marker:
            yield _urbanize(s, seat, tile, step, gained)
        else:
            yield _construct(s, seat, card, tile, step, gained)


def _beside(s: Any, card: int) -> list[tuple[int, int]]:
    """What the buildings beside a marker yield."""
    x, y = cell_of(s, card)
    beside = [building_at(s, x + step_x(direction), y + step_y(direction)) for direction in range(4)]
    return [yield_of(s, other) for other in beside if other >= 0]


# --- 5.1 to 5.3 --------------------------------------------------------------------------------------------------


def _exploit(s: Any, seat: int, card: int, tile: int | None, step: Alone | Tile | None) -> Use:
    if card > state.URBAN:
        # D08: where only one of the two is left, that one comes without a question.
        supply = {state.RESOURCE: s.supply[seat], state.TILE: supply_of_tiles(s)}
        left = [good for good, count in supply.items() if count > 0]
        yielded = [(left[0], 1)] if len(left) == 1 else []
        gained = {"either": 1} if len(left) > 1 else {}
    else:
        yielded, gained = [yield_of(s, building_of(s, card))], {}
    told = [Line("warn", Phrase("use.unpayable.help"))] if tile else []
    gains, lines = _gained(s, seat, state.EXPLOIT, yielded, gained)
    label = Phrase("confirm.exploit")
    if tile:
        label = Phrase("confirm.with_tile", {"card": card_token(card), "tile": tile_token(tile)})
    told += lines or [Line("plain", Phrase("use.gains_nothing"))]
    told += _short(s, seat, gains, s.supply[seat])
    return Use(
        tile=tile_token(tile) if tile else None,
        step=step,
        kind="exploit",
        payable=tile is None,
        gains=gains,
        costs={},
        back=0,
        owner=None,
        last=False,
        label=label,
        told=told,
    )


def _urbanize(s: Any, seat: int, tile: int, step: Tile, gained: Gained) -> Use:
    gains, lines = gained
    last = s.stock[seat] == 1 and s.supply[seat] == 0
    told = [Line("cost", Phrase("use.places", {"count": 1})), *(lines or [Line("plain", Phrase("use.gains_nothing"))])]
    told += _short(s, seat, gains, s.supply[seat])
    return Use(
        tile=tile_token(tile),
        step=step,
        kind="urbanize",
        payable=True,
        gains=gains,
        costs={"resource": 1},
        back=0,
        owner=None,
        last=last,
        label=Phrase("confirm.urbanize"),
        told=told + _last(last),
    )


def _construct(s: Any, seat: int, card: int, tile: int, step: Tile, gained: Gained) -> Use:
    building = building_of(s, card)
    height, before = s.height[building], s.owner[building]
    changed, points = int(colour_of(card) != colour_of(tile)), lower_by(card, tile)
    back = height if before == seat else 0
    owner = before if before not in (state.NOBODY, seat) else None
    resources = height + 1 + changed
    # D13: what another colour costs goes back to the supply before the last one can be placed.
    last = s.stock[seat] + back == resources and s.supply[seat] + changed == 0
    told = [Line("gain", Phrase("use.back", {"count": back}))] if back else []
    told.append(Line("cost", Phrase("use.places", {"count": height + 1})))
    told += [Line("cost", Phrase("use.colour"))] if changed else []
    told += [Line("cost", Phrase("use.lower", {"count": points}))] if points else []
    if owner is not None:
        told.append(Line("warn", Phrase("use.covers", {"seat": owner, "count": height})))
    else:
        told.append(Line("plain", Phrase("use.height", {"height": height + 1})))
    gains, lines = gained
    told += lines + _short(s, seat, gains, s.supply[seat] + changed)
    told.append(Line("plain", Phrase("use.keep", {"effect": face(s, card_token(card)).effect})))
    return Use(
        tile=tile_token(tile),
        step=step,
        kind="construct",
        payable=True,
        gains=gains,
        costs={"resource": resources} | ({"point": points} if points else {}),
        back=back,
        owner=owner,
        last=last,
        label=Phrase("confirm.construct"),
        told=told + _last(last),
    )


def _gained(
    s: Any, seat: int, trigger: int, yielded: Iterable[tuple[int, int]], gained: dict[str, int] | None = None
) -> Gained:
    """What buildings yield and the player's own cards add, together and line by line."""
    counts = [0, 0, 0]
    for good, count in yielded:
        counts[good] += count
    own = named(s.bonus[seat][trigger])
    found = (gained or {}) | named(counts)
    lines = [Line("gain", Phrase("use.gains", {"gains": goods(found)}))] if found else []
    lines += [Line("gain", Phrase("use.from_cards", {"gains": goods(own)}))] if own else []
    gains = named([count + s.bonus[seat][trigger][good] for good, count in enumerate(counts)]) | (gained or {})
    return gains, lines


def _short(s: Any, seat: int, gains: dict[str, int], supply: int) -> list[Line]:
    """D07: what is not in the supply is lost."""
    short = gains.get("tile", 0) > supply_of_tiles(s) or gains.get("resource", 0) > supply
    return [Line("warn", Phrase("use.supply_short"))] if short else []


def _last(last: bool) -> list[Line]:
    return [Line("warn", Phrase("use.last_resource"))] if last else []

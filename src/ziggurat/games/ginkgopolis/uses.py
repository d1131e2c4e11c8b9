"""The uses of a card of the hand now, alone and with each tile (section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, TypeAlias

from msgspec.structs import replace

from ziggurat.core.trace import Phrase
from ziggurat.games.ginkgopolis import choices, state
from ziggurat.games.ginkgopolis.cards import building_of, can_pay, colour_of, lower_by
from ziggurat.games.ginkgopolis.choices import Line, Tile, Use
from ziggurat.games.ginkgopolis.city import building_beside
from ziggurat.games.ginkgopolis.faces import face, goods, named, yield_of
from ziggurat.games.ginkgopolis.supply import supply_of_tiles
from ziggurat.games.ginkgopolis.tokens import card_token

Gained: TypeAlias = tuple[dict[str, int], tuple[Line, ...]]

_NOTHING = Line("plain", Phrase("use.gains_nothing"))
_SHORT = Line("warn", Phrase("use.supply_short"))
_LAST = Line("warn", Phrase("use.last_resource"))
_UNPAYABLE = Line("warn", Phrase("use.unpayable.help"))


def cell_of(s: Any, card: int) -> tuple[int, int]:
    """The building or the marker that a card names; nowhere in particular when it is not in play."""
    if card > state.URBAN:
        return s.marker_x[card - state.URBAN - 1], s.marker_y[card - state.URBAN - 1]
    if card in s.top[: s.buildings]:
        building = building_of(s, card)
        return s.x[building], s.y[building]
    return 0, 0


def uses(s: Any, seat: int, card: int) -> list[Use]:
    """The uses of a card: alone, then with each tile of the player."""
    if card <= state.URBAN and card not in s.top[: s.buildings]:
        return []
    tiles = [tile for tile, holder in enumerate(s.holder) if holder == seat + 1]
    alone = _exploit(s, seat, card)
    if not tiles:
        return [alone]
    return [replace(alone, step=_step(choices.ALONE)), *_with_tiles(s, seat, card, tiles, alone)]


@cache
def _step(action: int) -> Any:
    return choices.SPACE.choice(action)


def _with_tiles(s: Any, seat: int, card: int, tiles: list[int], alone: Use) -> Iterator[Use]:
    on_marker = card > state.URBAN
    # The same with every tile.
    gained = urbanized(s, seat, card) if on_marker else _gained(tuple(s.bonus[seat][state.CONSTRUCT]))
    for tile in tiles:
        step: Tile = _step(choices.TILE + tile)
        if not can_pay(s, seat, card, tile):
            label = Phrase("confirm.with_tile", {"card": card_token(card), "tile": step.tile})
            told = [_UNPAYABLE, *alone.told]
            yield replace(alone, tile=step.tile, step=step, payable=False, label=label, told=told)
        elif on_marker:
            yield _urbanize(s, seat, step, gained)
        else:
            yield _construct(s, seat, card, tile, step, gained)


# --- 5.1 to 5.3 --------------------------------------------------------------------------------------------------


def _exploit(s: Any, seat: int, card: int) -> Use:
    counts, either = [0, 0, 0], False
    if card > state.URBAN:
        # D08: where only one of the two is left, that one comes without a question.
        resources, tiles = s.supply[seat] > 0, supply_of_tiles(s) > 0
        either = resources and tiles
        if resources != tiles:
            counts[state.RESOURCE if resources else state.TILE] = 1
    else:
        good, count = yield_of(s, building_of(s, card))
        counts[good] = count
    gains, lines = _gained(tuple(s.bonus[seat][state.EXPLOIT]), tuple(counts), either)
    return Use(
        tile=None,
        step=None,
        kind="exploit",
        payable=True,
        gains={**gains},
        costs={},
        back=0,
        owner=None,
        last=False,
        label=Phrase("confirm.exploit"),
        told=[*(lines or [_NOTHING]), *_short(s, gains, s.supply[seat])],
    )


def urbanized(s: Any, seat: int, card: int) -> Gained:
    """The yield of the buildings beside a marker."""
    x, y = cell_of(s, card)
    counts = [0, 0, 0]
    for direction in range(4):
        other = building_beside(s, x, y, direction)
        if other >= 0:
            good, count = yield_of(s, other)
            counts[good] += count
    return _gained(tuple(s.bonus[seat][state.URBANIZE]), tuple(counts))


def _urbanize(s: Any, seat: int, step: Tile, gained: Gained) -> Use:
    gains, lines = gained
    last = s.stock[seat] == 1 and s.supply[seat] == 0
    told = [Line("cost", Phrase("use.places", {"count": 1})), *(lines or [_NOTHING])]
    told += _short(s, gains, s.supply[seat])
    return Use(
        tile=step.tile,
        step=step,
        kind="urbanize",
        payable=True,
        gains={**gains},
        costs={"resource": 1},
        back=0,
        owner=None,
        last=last,
        label=Phrase("confirm.urbanize"),
        told=[*told, _LAST] if last else told,
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
    gains, lines = gained
    told = [*_placed(height, back, changed, points, owner), *lines, *_short(s, gains, s.supply[seat] + changed)]
    told.append(Line("plain", Phrase("use.keep", {"effect": face(s, card_token(card)).effect})))
    return Use(
        tile=step.tile,
        step=step,
        kind="construct",
        payable=True,
        gains={**gains},
        costs={"resource": resources, "point": points} if points else {"resource": resources},
        back=back,
        owner=owner,
        last=last,
        label=Phrase("confirm.construct"),
        told=[*told, _LAST] if last else told,
    )


@lru_cache(maxsize=4096)
def _placed(height: int, back: int, changed: int, points: int, owner: int | None) -> tuple[Line, ...]:
    """The costs of a tile on a building, and who bears them."""
    told = [Line("gain", Phrase("use.back", {"count": back}))] if back else []
    told.append(Line("cost", Phrase("use.places", {"count": height + 1})))
    told += [Line("cost", Phrase("use.colour"))] if changed else []
    told += [Line("cost", Phrase("use.lower", {"count": points}))] if points else []
    if owner is not None:
        told.append(Line("warn", Phrase("use.covers", {"seat": owner, "count": height})))
    else:
        told.append(Line("plain", Phrase("use.height", {"height": height + 1})))
    return tuple(told)


@lru_cache(maxsize=4096)
def _gained(bonus: tuple[int, ...], yielded: tuple[int, ...] = (0, 0, 0), either: bool = False) -> Gained:
    """The yield of buildings and what the player's own cards add, together and line by line."""
    choice = {"either": 1} if either else {}
    own, found = named(bonus), choice | named(yielded)
    lines = [Line("gain", Phrase("use.gains", {"gains": goods(found)}))] if found else []
    lines += [Line("gain", Phrase("use.from_cards", {"gains": goods(own)}))] if own else []
    gains = named([count + more for count, more in zip(yielded, bonus, strict=True)])
    return gains | choice, tuple(lines)


def _short(s: Any, gains: dict[str, int], supply: int) -> list[Line]:
    """D07: what is not in the supply is lost."""
    short = gains.get("tile", 0) > supply_of_tiles(s) or gains.get("resource", 0) > supply
    return [_SHORT] if short else []

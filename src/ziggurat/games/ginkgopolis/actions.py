"""Actions as numbers, as structs for a board, and as notation.

A step is one action: ``card red 5``, ``alone``, ``tile blue 7``, ``new hand``, ``pick red exploit``, ``take resource``,
``move north``, ``move to 3 -2``, ``shift before``, ``give red 5``, ``done``. A move is a card with or without a tile,
``play red 5 with blue 7``, ``play A``, or all tiles that are returned: ``return red 5 blue 7``, ``return nothing``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ziggurat.core.actions import Choice
from ziggurat.core.decision import Confirmation, Preview, Refusal
from ziggurat.core.errors import NotationError
from ziggurat.core.trace import Phrase
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import building_of, can_pay, colour_of, good_of, lower_by
from ziggurat.games.ginkgopolis.city import building_at, neighbour_place, step_x, step_y
from ziggurat.games.ginkgopolis.supply import supply_of_tiles
from ziggurat.games.ginkgopolis.tokens import (
    card_token,
    character_token,
    parse_card,
    parse_character,
    parse_tile,
    tile_token,
)


class Use(msgspec.Struct, frozen=True):
    """What a card would do now, alone or with a tile.

    Attributes:
        tile: the tile, None for the card alone.
        kind: ``exploit``, ``urbanize`` or ``construct``; with a tile that cannot be paid for, ``exploit``.
        payable: whether the tile can be paid for.
        gains: goods from the yield and from the player's own cards; of ``either`` one resource or one tile.
        costs: resources (those that are placed and those that are paid) and points.
        back: own resources that come back from the building.
        owner: whose building would be covered, if somebody else's; they get their resources and as many points.
    """

    tile: str | None
    kind: str
    payable: bool
    gains: dict[str, int]
    costs: dict[str, int]
    back: int
    owner: int | None


class CardChoice(Choice, frozen=True, kw_only=True):
    """A card of the hand, the building or the cell that it names, and what it would do now with each tile."""

    card: str
    x: int
    y: int
    uses: list[Use]


class TileChoice(Choice, frozen=True, kw_only=True):
    tile: str


class CharacterChoice(Choice, frozen=True, kw_only=True):
    character: str


class GoodChoice(Choice, frozen=True, kw_only=True):
    good: str


class CellChoice(Choice, frozen=True, kw_only=True):
    """Where the marker may go, or (``shift``) from where another one makes room."""

    x: int
    y: int


NAMES = {state.A_ALONE: "alone", state.A_NEW_HAND: "new hand", state.A_DONE: "done"}
SIDES = ("before", "after")


def is_card(action: int) -> bool:
    return state.A_CARD < action < state.A_ALONE


def is_return(action: int) -> bool:
    return state.A_RETURN < action < state.A_DONE


def choice(s: Any, seat: int, action: int) -> Choice:
    base: dict[str, Any] = {"action": action, "notation": write_step(s, action)}
    if action <= state.A_CARD:
        return CharacterChoice(type="pick", character=character_token(action - state.A_PICK), **base)
    if is_card(action):
        card = action - state.A_CARD
        x, y = cell_of(s, card)
        return CardChoice(type="card", card=card_token(card), x=x, y=y, uses=uses(s, seat, card), **base)
    if state.A_TILE < action <= state.A_TILE + state.TILES:
        return TileChoice(type="tile", tile=tile_token(action - state.A_TILE), **base)
    if state.A_GOOD <= action < state.A_STEP:
        return GoodChoice(type="take", good=state.GOODS[action - state.A_GOOD], **base)
    if state.A_STEP <= action < state.A_SHIFT:
        x, y = s.x[s.built] + step_x(action - state.A_STEP), s.y[s.built] + step_y(action - state.A_STEP)
        return CellChoice(type="move", x=x, y=y, **base)
    if state.A_SHIFT <= action < state.A_CELL:
        place = neighbour_place(s, action - state.A_SHIFT)
        return CellChoice(type="shift", x=s.ring_x[place], y=s.ring_y[place], **base)
    if state.A_CELL <= action < state.A_CELL + state.RING:
        return CellChoice(type="move", x=s.ring_x[action - state.A_CELL], y=s.ring_y[action - state.A_CELL], **base)
    if is_return(action):
        return TileChoice(type="return", tile=tile_token(action - state.A_RETURN), **base)
    return Choice(type={state.A_ALONE: "alone", state.A_NEW_HAND: "new_hand", state.A_DONE: "done"}[action], **base)


def ask(s: Any, seat: int | None) -> Phrase | None:
    """What is asked of a seat."""
    return Phrase("ask.finished") if s.finished else None


def describe(s: Any, seat: int, steps: Sequence[int]) -> Phrase:
    """A move in words."""
    return choice(s, seat, steps[0]).words


def _asked(s: Any, action: int) -> int:
    """Who could do this: cards, tiles and characters have one holder each."""
    if is_card(action):
        held = [seat for seat in range(s.players) if action - state.A_CARD in (*s.hand[seat], s.chosen[seat])]
        return held[0] if held else 0
    return 0


def cell_of(s: Any, card: int) -> tuple[int, int]:
    """The building or the marker that a card names; nowhere in particular when it is not in play."""
    if card > state.URBAN:
        return s.marker_x[card - state.URBAN - 1], s.marker_y[card - state.URBAN - 1]
    if card in s.top[: s.buildings]:
        building = building_of(s, card)
        return s.x[building], s.y[building]
    return 0, 0


# --- What a card would do ----------------------------------------------------------------------------------------


def uses(s: Any, seat: int, card: int) -> list[Use]:
    """The card alone, then with each tile of the player."""
    if card <= state.URBAN and card not in s.top[: s.buildings]:
        return []
    found = [_exploit(s, seat, card, None)]
    for tile in range(1, state.TILES + 1):
        if s.holder[tile] == seat + 1:
            if not can_pay(s, seat, card, tile):
                found.append(_exploit(s, seat, card, tile))
            elif card > state.URBAN:
                found.append(_urbanize(s, seat, card, tile))
            else:
                found.append(_construct(s, seat, card, tile))
    return found


def _gains(s: Any, seat: int, trigger: int, goods: Sequence[tuple[int, int]]) -> dict[str, int]:
    counts = list(s.bonus[seat][trigger])
    for good, count in goods:
        counts[good] += count
    return {name: count for name, count in zip(state.GOODS, counts, strict=True) if count}


def _exploit(s: Any, seat: int, card: int, tile: int | None) -> Use:
    token = tile_token(tile) if tile else None
    if card > state.URBAN:
        gains = _gains(s, seat, state.EXPLOIT, [])
        if s.supply[seat] > 0 or supply_of_tiles(s) > 0:
            gains["either"] = 1
    else:
        gains = _gains(s, seat, state.EXPLOIT, [(good_of(colour_of(card)), s.height[building_of(s, card)])])
    return Use(token, "exploit", tile is None, gains, {}, 0, None)


def _urbanize(s: Any, seat: int, card: int, tile: int) -> Use:
    x, y = cell_of(s, card)
    beside = [building_at(s, x + step_x(direction), y + step_y(direction)) for direction in range(4)]
    goods = [(good_of(colour_of(s.top[other])), s.height[other]) for other in beside if other >= 0]
    return Use(tile_token(tile), "urbanize", True, _gains(s, seat, state.URBANIZE, goods), {"resource": 1}, 0, None)


def _construct(s: Any, seat: int, card: int, tile: int) -> Use:
    building = building_of(s, card)
    height, owner = s.height[building], s.owner[building]
    resources = height + 1 + (colour_of(card) != colour_of(tile))
    costs = {"resource": resources} | ({"point": lower_by(card, tile)} if lower_by(card, tile) else {})
    back = height if owner == seat else 0
    other = owner if owner not in (state.NOBODY, seat) else None
    return Use(tile_token(tile), "construct", True, _gains(s, seat, state.CONSTRUCT, []), costs, back, other)


# --- Why not -----------------------------------------------------------------------------------------------------


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """What a player may touch and cannot have now, with the reason."""
    if not legal:
        return []
    refused = []
    if s.phase == state.CHOOSE and state.A_NEW_HAND not in legal and not s.choosing[seat] and s.players > 1:
        refused.append(Refusal(choice(s, seat, state.A_NEW_HAND), Phrase("refuse.new_hand", {})))
    if s.phase == state.MARKER:
        for direction in range(4):
            if state.A_STEP + direction not in legal:
                refused.append(Refusal(choice(s, seat, state.A_STEP + direction), Phrase("refuse.cell_taken", {})))
    return refused


# --- Moves of several steps --------------------------------------------------------------------------------------


def in_move(s: Any) -> bool:
    """Whether a card is chosen without its tile, or tiles are being named to be returned."""
    if any(s.choosing[seat] for seat in range(s.players)):
        return True
    return s.phase == state.RETURN and any(s.waiting >> seat & 1 and s.last[seat] for seat in range(s.players))


def arrange(steps: Sequence[int]) -> list[int]:
    """The rules take returned tiles in their order; people name them in any order."""
    named = iter(sorted(action for action in steps if is_return(action)))
    return [next(named) if is_return(action) else action for action in steps]


def preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """What an unfinished choice of a card, or of tiles to return, would be. ``s`` is a copy that may be changed.

    Raises:
        NotationError: when the steps are not the beginning of a move that this seat could make.
    """
    if s.finished or not steps:
        raise NotationError("there is nothing to preview")
    if s.phase == state.RETURN and all(is_return(action) for action in steps):
        return _preview_returns(s, seat, [action - state.A_RETURN for action in steps])
    if s.phase == state.CHOOSE and len(steps) == 1 and is_card(steps[0]):
        card = steps[0] - state.A_CARD
        if not s.waiting >> seat & 1 or s.choosing[seat] or card not in s.hand[seat]:
            raise NotationError(f"seat {seat + 1} cannot choose {card_token(card)} now")
        tiles = [tile for tile in range(1, state.TILES + 1) if s.holder[tile] == seat + 1]
        alone = Confirmation(state.A_ALONE, Phrase("confirm.alone", {"card": card_token(card)}))
        payable = sum(can_pay(s, seat, card, tile) for tile in tiles)
        say = Phrase("preview.card", {"card": card_token(card), "count": len(tiles), "payable": payable})
        add = [choice(s, seat, state.A_TILE + tile) for tile in tiles]
        return Preview(Phrase("ask.choose_tile", {"card": card_token(card)}), add, [alone] if tiles else [], [say])
    raise NotationError("only a card without its tile, or tiles to be returned, can be previewed")


def _preview_returns(s: Any, seat: int, tiles: list[int]) -> Preview:
    if not s.waiting >> seat & 1 or s.last[seat]:
        raise NotationError(f"seat {seat + 1} is not asked for tiles now")
    if len(set(tiles)) < len(tiles) or any(s.holder[tile] != seat + 1 for tile in tiles):
        raise NotationError("only tiles behind one's own screen can be returned, each once")
    rest = [tile for tile in range(1, state.TILES + 1) if s.holder[tile] == seat + 1 and tile not in tiles]
    args = {"count": len(tiles), "points": len(tiles) * s.returned_points}
    done = Confirmation(state.A_DONE, Phrase("confirm.return", args))
    add = [choice(s, seat, state.A_RETURN + tile) for tile in rest]
    return Preview(Phrase("ask.return", {"points": s.returned_points}), add, [done], [Phrase("preview.return", args)])


# --- Notation ----------------------------------------------------------------------------------------------------


def write_step(s: Any, action: int) -> str:
    if action in NAMES:
        return NAMES[action]
    if action <= state.A_CARD:
        return f"pick {character_token(action - state.A_PICK)}"
    if is_card(action):
        return f"card {card_token(action - state.A_CARD)}"
    if action <= state.A_TILE + state.TILES:
        return f"tile {tile_token(action - state.A_TILE)}"
    if action < state.A_STEP:
        return f"take {state.GOODS[action - state.A_GOOD]}"
    if action < state.A_SHIFT:
        return f"move {state.DIRECTIONS[action - state.A_STEP]}"
    if action < state.A_CELL:
        return f"shift {SIDES[action - state.A_SHIFT]}"
    if action < state.A_CELL + state.RING:
        place = action - state.A_CELL
        return f"move to {s.ring_x[place]} {s.ring_y[place]}" if place < s.ring_size else f"move to place {place}"
    return f"give {tile_token(action - state.A_RETURN)}"


def write_move(s: Any, steps: Sequence[int]) -> str:
    """The notation of a move, whole or still unfinished; ``s`` is the position before it."""
    first, end = steps[0], steps[-1]
    if is_card(first):
        text = f"play {card_token(first - state.A_CARD)}"
        if len(steps) > 1:
            return text if end == state.A_ALONE else f"{text} with {tile_token(end - state.A_TILE)}"
        seat = _asked(s, first)
        return f"{text} ..." if s.count[seat] else text
    if is_return(first) or first == state.A_DONE:
        tiles = [tile_token(action - state.A_RETURN) for action in steps if is_return(action)]
        return f"return {' '.join(tiles) or 'nothing'}" + ("" if end == state.A_DONE else " ...")
    return write_step(s, first)


def read_move(s: Any, seat: int, text: str) -> list[int]:
    """The actions of a step or a move in notation. Whether they are legal is for the rules to say.

    Raises:
        NotationError: when the text names nothing that could be done.
    """
    text = " ".join(text.split())
    for action, name in NAMES.items():
        if text == name:
            return [action]
    verb, _, rest = text.partition(" ")
    if verb == "play" and rest:
        return _read_play(s, seat, rest)
    if verb == "return" and rest:
        return _read_return(s, rest)
    if verb == "move" and rest.startswith("to "):
        return [state.A_CELL + _read_cell(s, rest[3:])]
    readers: dict[str, Callable[[str], int]] = {
        "pick": lambda word: state.A_PICK + parse_character(word),
        "card": lambda word: state.A_CARD + parse_card(word),
        "tile": lambda word: state.A_TILE + parse_tile(word),
        "take": lambda word: state.A_GOOD + state.GOODS[:2].index(word),
        "move": lambda word: state.A_STEP + state.DIRECTIONS.index(word),
        "shift": lambda word: state.A_SHIFT + SIDES.index(word),
        "give": lambda word: state.A_RETURN + parse_tile(word),
    }
    if verb in readers and rest:
        try:
            return [readers[verb](rest)]
        except ValueError as error:
            raise NotationError(f"{text!r:.80} is no move: {error}") from None
    raise NotationError(
        f"{text!r:.80} is no move; write 'play red 5', 'play A with blue 7', 'new hand', 'take tile', 'move north', "
        "'return red 5 blue 7' or 'return nothing'"
    )


def _read_play(s: Any, seat: int, text: str) -> list[int]:
    text, unfinished = re.subn(r" \.\.\.$", "", text)
    card, _, tile = text.partition(" with ")
    try:
        steps = [state.A_CARD + parse_card(card)]
        if tile:
            return [*steps, state.A_TILE + parse_tile(tile)]
    except ValueError as error:
        raise NotationError(str(error)) from None
    return steps if unfinished or not s.count[seat] else [*steps, state.A_ALONE]


def _read_return(s: Any, text: str) -> list[int]:
    text, unfinished = re.subn(r" ?\.\.\.$", "", text)
    words = [] if text == "nothing" else text.split()
    try:
        tiles = [parse_tile(" ".join(words[i : i + 2])) for i in range(0, len(words), 2)]
    except ValueError as error:
        raise NotationError(str(error)) from None
    return [*sorted(state.A_RETURN + tile for tile in tiles), *([] if unfinished else [state.A_DONE])]


def _read_cell(s: Any, text: str) -> int:
    words = text.split()
    if len(words) == 2 and words[0] == "place" and words[1].isdecimal() and int(words[1]) < state.RING:
        return int(words[1])
    for place in range(s.ring_size):
        if words == [str(s.ring_x[place]), str(s.ring_y[place])]:
            return place
    raise NotationError(f"no marker can go to {text!r:.40}; cells are written like 'move to 3 -2'")

"""The decisions of Ginkgopolis: what is asked, what may be done, and moves in notation and in words.

A step is one action: ``card red 5``, ``alone``, ``tile blue 7``, ``new hand``, ``pick red exploit``, ``take resource``,
``move north``, ``move to 3 -2``, ``shift before``, ``give red 5``, ``done``. A move is a card with or without a tile,
``play red 5 with blue 7``, ``play A``, or all tiles that are returned: ``return red 5 blue 7``, ``return nothing``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ziggurat.core.actions import Choice
from ziggurat.core.decision import Confirmation, Preview, Refusal
from ziggurat.core.errors import NotationError, told_as
from ziggurat.core.record import ListRecord
from ziggurat.core.trace import OUT, Phrase
from ziggurat.games.ginkgopolis import choices, state
from ziggurat.games.ginkgopolis.cards import can_pay
from ziggurat.games.ginkgopolis.choices import SPACE, Card
from ziggurat.games.ginkgopolis.city import is_marker_at, legal_destinations, neighbour_place, step_x, step_y
from ziggurat.games.ginkgopolis.rules import actors
from ziggurat.games.ginkgopolis.tokens import card_token, parse_card, parse_tile, tile_token
from ziggurat.games.ginkgopolis.uses import cell_of, uses


def choice(s: Any, seat: int, action: int) -> Choice:
    """The struct of an action, with what the position adds."""
    more: dict[str, Any] = {}
    match SPACE[action].type:
        case "card":  # is not looked up among those made before: it says too much for that
            card = action - choices.CARD
            token, (x, y) = card_token(card), cell_of(s, card)
            notation = SPACE.write(action)
            return Card(action=action, notation=notation, card=token, x=x, y=y, uses=uses(s, seat, card))
        case "new_hand":
            more = {"left": s.new_hands[seat]}
        case "shift":
            place = neighbour_place(s, action - choices.SHIFT)
            x, y = s.ring_x[place], s.ring_y[place]
            more = {"marker": state.LETTERS[is_marker_at(s, x, y) - 1], "x": x, "y": y}
        case "move" | "move_to":
            x, y = _goal(s, action)
            more = {"marker": state.LETTERS[s.moving], "x": x, "y": y}
    return SPACE.choice(action, write_step(s, action), **more)


def _goal(s: Any, action: int) -> tuple[int, int]:
    """Return where a marker would go."""
    if SPACE.is_a(action, "move_to"):
        return s.ring_x[action - choices.MOVE_TO], s.ring_y[action - choices.MOVE_TO]
    direction = action - choices.MOVE
    return s.x[s.built] + step_x(direction), s.y[s.built] + step_y(direction)


def _holder(s: Any, card: int) -> int:
    """Who has a card in hand."""
    held = [seat for seat in range(s.players) if card in (*s.hand[seat], s.chosen[seat])]
    return held[0] if held else 0


# --- What is asked -----------------------------------------------------------------------------------------------


def known(s: Any, seat: int) -> bool:
    """Whether everybody knows the seat's choices: where a marker can go and what is left in the supplies everybody
    sees, what is in a hand nobody else."""
    return int(s.phase) in (state.GOOD, state.MARKER)


def ask(s: Any, seat: int | None) -> Phrase | None:
    """The question to a seat that must decide, or the reason why a seat waits."""
    if s.finished:
        return Phrase("ask.finished")
    if seat is None or not actors(s) >> seat & 1:
        return _wait(s, seat)
    if s.phase == state.CHOOSE and s.choosing[seat]:
        return Phrase("ask.choose_tile", {"card": card_token(s.chosen[seat])})
    if s.phase == state.RETURN:
        return Phrase("ask.return", {"points": s.returned_points})
    if s.phase == state.MARKER:
        return Phrase(_ask_marker(s), {"marker": state.LETTERS[s.moving]})
    return Phrase(f"ask.{state.PHASES[s.phase]}")


def _ask_marker(s: Any) -> str:
    out = ListRecord(OUT)
    legal_destinations(s, out)
    if SPACE.is_a(out.values[0], "shift"):
        return "ask.marker_shift"
    if SPACE.is_a(out.values[0], "move_to"):
        return "ask.marker_special"
    return "ask.marker_hal" if s.actor >= s.players else "ask.marker"


def _wait(s: Any, seat: int | None) -> Phrase | None:
    if s.phase in (state.DRAFT, state.CHOOSE):
        return None if seat is None else Phrase(f"ask.{state.PHASES[s.phase]}_waiting")
    if s.phase == state.RETURN and seat is not None and s.count[seat] > 0:
        return Phrase("ask.return_waiting")
    return Phrase(f"ask.wait_{state.PHASES[s.phase]}")


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """The refusals: what a player may touch and cannot have now, with the reason."""
    if not legal:
        return []
    refused = []
    if s.phase == state.CHOOSE and choices.NEW_HAND not in legal and not s.choosing[seat] and s.players > 1:
        refused.append(Refusal(choice(s, seat, choices.NEW_HAND), Phrase("refuse.new_hand")))
    if s.phase == state.MARKER:
        for action in range(choices.MOVE, choices.MOVE + 4):
            if action not in legal:
                refused.append(Refusal(choice(s, seat, action), Phrase("refuse.cell_taken")))
    return refused


# --- Moves of several steps --------------------------------------------------------------------------------------


def arrange(steps: Sequence[int]) -> list[int]:
    """Sort the steps: the rules take returned tiles in their order; people name them in any order."""
    named = iter(sorted(action for action in steps if SPACE.is_a(action, "return")))
    return [next(named) if SPACE.is_a(action, "return") else action for action in steps]


def preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """The preview of an unfinished choice of a card, or of tiles to return. ``s`` is a copy that may be changed.

    Raises:
        NotationError: when the steps are not the beginning of a move that this seat could make.
    """
    if s.finished or not steps:
        raise NotationError("there is nothing to preview")
    if s.phase == state.RETURN and all(SPACE.is_a(action, "return") for action in steps):
        return _preview_returns(s, seat, [action - choices.RETURN for action in steps])
    if s.phase == state.CHOOSE and len(steps) == 1 and SPACE.is_a(steps[0], "card"):
        return _preview_card(s, seat, steps[0] - choices.CARD)
    raise NotationError("only a card without its tile, or tiles to be returned, can be previewed")


def _preview_card(s: Any, seat: int, card: int) -> Preview:
    token = card_token(card)
    if not s.waiting >> seat & 1 or s.choosing[seat] or card not in s.hand[seat]:
        raise NotationError(f"seat {seat + 1} cannot choose {token} now")
    tiles = [tile for tile in range(1, state.TILES + 1) if s.holder[tile] == seat + 1]
    payable = sum(can_pay(s, seat, card, tile) for tile in tiles)
    return Preview(
        ask=Phrase("ask.choose_tile", {"card": token}),
        add=[choice(s, seat, choices.TILE + tile) for tile in tiles],
        confirm=[Confirmation(choices.ALONE, Phrase("confirm.alone", {"card": token}))] if tiles else [],
        say=[Phrase("preview.card", {"card": token, "count": len(tiles), "payable": payable})],
    )


def _preview_returns(s: Any, seat: int, tiles: list[int]) -> Preview:
    if not s.waiting >> seat & 1 or s.last[seat]:
        raise NotationError(f"seat {seat + 1} is not asked for tiles now")
    if len(set(tiles)) < len(tiles) or any(s.holder[tile] != seat + 1 for tile in tiles):
        raise NotationError("only tiles behind one's own screen can be returned, each once")
    rest = [tile for tile in range(1, state.TILES + 1) if s.holder[tile] == seat + 1 and tile not in tiles]
    args = {"count": len(tiles), "points": len(tiles) * s.returned_points}
    return Preview(
        ask=Phrase("ask.return", {"points": s.returned_points}),
        add=[choice(s, seat, choices.RETURN + tile) for tile in rest],
        confirm=[Confirmation(choices.DONE, Phrase("confirm.return", args))],
        say=[Phrase("preview.return", args)],
    )


# --- Notation, and moves in words --------------------------------------------------------------------------------


def write_step(s: Any, action: int) -> str:
    """The notation of an action; where a marker goes along the edge is told by the cell."""
    if SPACE.is_a(action, "move_to"):
        place = action - choices.MOVE_TO
        return f"move to {s.ring_x[place]} {s.ring_y[place]}" if place < s.ring_size else f"move to place {place}"
    return SPACE.write(action)


def write_move(s: Any, steps: Sequence[int]) -> str:
    """The notation of a move, whole or still unfinished; ``s`` is the position before it."""
    first, end = steps[0], steps[-1]
    if SPACE.is_a(first, "card"):
        card = first - choices.CARD
        text = f"play {card_token(card)}"
        if len(steps) > 1:
            return text if end == choices.ALONE else f"{text} with {tile_token(end - choices.TILE)}"
        return f"{text} ..." if s.count[_holder(s, card)] else text
    if SPACE.is_a(first, "return", "done"):
        return f"return {' '.join(_returned(steps)) or 'nothing'}" + ("" if end == choices.DONE else " ...")
    return write_step(s, first)


def _returned(steps: Sequence[int]) -> list[str]:
    return [tile_token(action - choices.RETURN) for action in steps if SPACE.is_a(action, "return")]


def describe(s: Any, seat: int, steps: Sequence[int]) -> Phrase:
    """A move in words: a card with what goes on it, all tiles that are given back, anything else as it is."""
    first, end = steps[0], steps[-1]
    if SPACE.is_a(first, "card"):
        tile = tile_token(end - choices.TILE) if SPACE.is_a(end, "tile") else None
        return Phrase("move.play", {"card": card_token(first - choices.CARD), "tile": tile})
    if SPACE.is_a(first, "return", "done"):
        return Phrase("move.give_back", {"tiles": _returned(steps)})
    return choice(s, seat, first).words


def read_move(s: Any, seat: int, text: str) -> list[int]:
    """The actions of a step or a move in notation. Whether they are legal is for the rules to say.

    Raises:
        NotationError: when the text names nothing that could be done.
    """
    text = " ".join(text.split())
    verb, _, rest = text.partition(" ")
    if verb == "play" and rest:
        return _read_play(s, seat, rest)
    if verb == "return" and rest:
        return _read_return(rest)
    if text.startswith("move to "):
        return [choices.MOVE_TO + _read_cell(s, text.removeprefix("move to "))]
    return [SPACE.read(text)]


def _read_play(s: Any, seat: int, text: str) -> list[int]:
    text, unfinished = re.subn(r" \.\.\.$", "", text)
    card, _, tile = text.partition(" with ")
    steps = [choices.CARD + told_as(NotationError, parse_card, card)]
    if tile:
        return [*steps, choices.TILE + told_as(NotationError, parse_tile, tile)]
    return steps if unfinished or not s.count[seat] else [*steps, choices.ALONE]


def _read_return(text: str) -> list[int]:
    text, unfinished = re.subn(r" ?\.\.\.$", "", text)
    words = [] if text == "nothing" else text.split()
    tiles = [told_as(NotationError, parse_tile, " ".join(words[i : i + 2])) for i in range(0, len(words), 2)]
    return [*sorted(choices.RETURN + tile for tile in tiles), *([] if unfinished else [choices.DONE])]


def _read_cell(s: Any, text: str) -> int:
    words = text.split()
    if len(words) == 2 and words[0] == "place" and words[1].isdecimal() and int(words[1]) < state.RING:
        return int(words[1])
    for place in range(s.ring_size):
        if words == [str(s.ring_x[place]), str(s.ring_y[place])]:
            return place
    raise NotationError(f"no marker can go to {text!r:.40}; cells are written like 'move to 3 -2'")

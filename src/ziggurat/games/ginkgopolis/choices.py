"""The actions of Ginkgopolis, declared once: 340 in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from ziggurat.core.actions import Choice, Encoded, IntRange, Names, Space
from ziggurat.core.trace import Phrase
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.state import Good, Trigger
from ziggurat.games.ginkgopolis.tokens import card_token, character_token, tile_token

CHARACTERS = Names([character_token(type) for type in range(state.TYPES)])
CARDS = Encoded(state.CARDS, card_token, card_token, first=1)
TILES = Encoded(state.TILES, tile_token, tile_token, first=1)


class Pick(Choice, frozen=True, kw_only=True):
    """A character that is kept in the draft."""

    type: Literal["pick"] = "pick"
    character: Annotated[str, CHARACTERS]

    @property
    def words(self) -> Phrase:
        colour, trigger = self.character.split()
        return Phrase("move.pick", {"colour": colour, "trigger": trigger})


class Alone(Choice, frozen=True, kw_only=True):
    """The chosen card goes without a tile."""

    type: Literal["alone"] = "alone"


class Tile(Choice, frozen=True, kw_only=True):
    """A tile goes on the chosen card."""

    type: Literal["tile"] = "tile"
    tile: Annotated[str, TILES]


Tone = Literal["gain", "cost", "plain", "warn"]


class Line(msgspec.Struct, frozen=True):
    """Something that a card would cost or give."""

    tone: Tone
    text: Phrase


class Use(msgspec.Struct, frozen=True):
    """What a card would do now, alone or with a tile.

    Attributes:
        tile: the tile, None for the card alone.
        step: what is added to the card; None where the card says everything, because there is no tile.
        kind: with a tile that cannot be paid for, ``exploit``.
        payable: whether the tile can be paid for.
        gains: goods from the yield and from the player's own cards; of ``either`` one resource or one tile.
        costs: resources (those that are placed and those that are paid) and points.
        back: own resources that come back from the building.
        owner: whose building would be covered, if somebody else's; they get their resources and as many points.
        last: whether it would be the last resource: the end of the game.
        label: what the button says that plays it.
        told: everything that it would cost and give.
    """

    tile: str | None
    step: Alone | Tile | None
    kind: Trigger
    payable: bool
    gains: dict[str, int]
    costs: dict[str, int]
    back: int
    owner: int | None
    last: bool
    label: Phrase
    told: list[Line]

    def meant(self) -> dict[str, Any]:
        """All that the sentences say."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name not in ("step", "label", "told")}


class Card(Choice, frozen=True, kw_only=True):
    """A card of the hand, the building or the cell that it names, and what it would do now with each tile."""

    type: Literal["card"] = "card"
    card: Annotated[str, CARDS]
    x: int
    y: int
    uses: list[Use]

    @property
    def words(self) -> Phrase:
        return Phrase("move.card", {"card": self.card, "x": self.x, "y": self.y})

    def meant(self, then: Sequence[int] | None = None) -> dict[str, Any]:
        """The card and where it leads; with what goes on it also what that brings, what it costs, and whose building it
        covers."""
        named = {"type": self.type, "card": self.card, "x": self.x, "y": self.y}
        if then is None:
            return named
        goes_on = then[0] if then else None
        use = next((use for use in self.uses if (use.step.action if use.step else None) == goes_on), None)
        return {**named, "use": None if use is None else use.meant()}


class NewHand(Choice, frozen=True, kw_only=True):
    """A token is given up for a new hand; so many are left now."""

    type: Literal["new_hand"] = "new_hand"
    left: int


class Take(Choice, frozen=True, kw_only=True):
    """What an urbanization card alone brings."""

    type: Literal["take"] = "take"
    good: Annotated[Good, Names(state.GOODS[:2])]


class Move(Choice, frozen=True, kw_only=True):
    """The marker goes to a cell beside the new building."""

    type: Literal["move"] = "move"
    direction: Annotated[str, Names(state.DIRECTIONS)]
    marker: str
    x: int
    y: int


class Shift(Choice, frozen=True, kw_only=True):
    """The marker before or after it makes room: which one, and where it lies."""

    type: Literal["shift"] = "shift"
    side: Annotated[str, Names(state.SIDES)]
    marker: str
    x: int
    y: int


class MoveTo(Choice, frozen=True, kw_only=True):
    """The marker goes to another cell at the edge of the city."""

    type: Literal["move_to"] = "move_to"
    place: Annotated[int, IntRange(state.RING)]
    marker: str
    x: int
    y: int

    def meant(self, then: Sequence[int] | None = None) -> dict[str, Any]:
        """The cell; the places along the edge are counted anew when the city grows."""
        return {"type": self.type, "marker": self.marker, "x": self.x, "y": self.y}


class Return(Choice, frozen=True, kw_only=True):
    """A tile that is given back."""

    type: Literal["return"] = "return"
    tile: Annotated[str, TILES]


class Done(Choice, frozen=True, kw_only=True):
    """No more tiles are given back."""

    type: Literal["done"] = "done"


SPACE = Space(
    "'play red 5', 'play A with blue 7', 'new hand', 'take tile', 'move north', 'return red 5 blue 7' or "
    "'return nothing'"
)
PICK = SPACE.add(Pick)  # + type
CARD = SPACE.add(Card)  # + card, from 1
ALONE = SPACE.add(Alone)
TILE = SPACE.add(Tile)  # + tile, from 1
NEW_HAND = SPACE.add(NewHand)
TAKE = SPACE.add(Take)  # + resource or tile
MOVE = SPACE.add(Move)  # + direction
SHIFT = SPACE.add(Shift)  # + 0: the marker before, 1: the one after
MOVE_TO = SPACE.add(MoveTo, "move to {x} {y}")  # + place in the ring
RETURN = SPACE.add(Return, "give {tile}")  # + tile, from 1
DONE = SPACE.add(Done)

"""The events of Ginkgopolis, declared once: the codes that the rules write, and how their rows are read."""

from __future__ import annotations

from ziggurat.core.events import Events, each, seats, spread, total, word
from ziggurat.games.ginkgopolis.state import COLOURS, LETTERS, TRIGGERS
from ziggurat.games.ginkgopolis.tokens import card_token, tile_token

EVENTS = Events()

_letter, _colour = word(LETTERS), word(COLOURS)


def _character(type: int) -> dict[str, str]:
    return {"colour": COLOURS[type // 3], "trigger": TRIGGERS[type % 3]}


def _tile_or_none(tile: int) -> str | None:
    return tile_token(tile) if tile else None


CITY = EVENTS.add("city", "-", "the first nine buildings, row by row from the top left", tiles=each(tile_token))
START = EVENTS.add("start", "who begins")
PICKED = EVENTS.add("picked", "who keeps a character", "which one is in the decision")
CHARACTER = EVENTS.add(
    "character",
    "the owner",
    "one of the three characters, when all are turned over",
    character=spread(_character, "colour", "trigger"),
    turns_up=True,
)
GAINED = EVENTS.add(
    "gained",
    "who gets them, also Hal",
    "from the supply, at set-up, from a building or from bonuses",
    resources=total(),
    points=total(),
)
DREW_TILES = EVENTS.add(
    "drew_tiles", "who drew", "from the top of the tile supply", beside=["saw_tiles"], count=total()
)
SAW_TILES = EVENTS.add(
    "saw_tiles", "who drew", "what they are", private=True, beside=["drew_tiles"], tiles=each(tile_token), turns_up=True
)
ROUND = EVENTS.add("round", "the first player", number=int)
DREW_CARDS = EVENTS.add(
    "drew_cards", "who drew", "from the top of the deck", private=True, cards=each(card_token), turns_up=True
)
NEW_HAND = EVENTS.add("new_hand", "who asked for it", "tokens; the hand is discarded face down", left=int)
COMMITTED = EVENTS.add("committed", "who has chosen", with_tile=bool)
CHOSE = EVENTS.add(
    "chose",
    "who has chosen",
    "what lies face down; without a tile that is `null`",
    private=True,
    card=card_token,
    tile=_tile_or_none,
)
EXPLOITED = EVENTS.add("exploited", "who acts", "the card is discarded", card=card_token, turns_up=True)
URBANIZED = EVENTS.add(
    "urbanized",
    "who acts, also Hal",
    "where the new building stands",
    marker=_letter,
    tile=tile_token,
    x=int,
    y=int,
    turns_up=True,
)
CONSTRUCTED = EVENTS.add(
    "constructed",
    "who acts, also Hal",
    "the card is kept, the tile lies on top of its building; the cost is points for a lower number; changed: one "
    "resource for another colour",
    card=card_token,
    tile=tile_token,
    height=int,
    cost=int,
    changed=bool,
    turns_up=True,
)
FELL_BACK = EVENTS.add(
    "fell_back",
    "who acts",
    "it could not be paid; the tile goes back, `exploited` follows",
    card=card_token,
    tile=tile_token,
)
GOT_BACK = EVENTS.add(
    "got_back",
    "the owner before, also Hal",
    "resources from the building, and as many points, unless it was the builder's own",
    resources=int,
    points=int,
)
MARKER_MOVED = EVENTS.add("marker_moved", "who moved it", marker=_letter, x=int, y=int)
MARKER_SHIFTED = EVENTS.add("marker_shifted", "who moves another one", "it makes room", marker=_letter, x=int, y=int)
REBUILT = EVENTS.add(
    "rebuilt",
    "-",
    "cards of new buildings, cards in the new deck, and those put aside from it, face down",
    shuffles=True,
    added=int,
    count=int,
    discarded=int,
)
PASSED_HANDS = EVENTS.add("passed_hands", "the new first player", "every hand goes to the left", turns_up=True)
TILES_OUT = EVENTS.add("tiles_out", "-", "how often the tile supply has run out", times=int)
RETURNED = EVENTS.add("returned", "everybody", "tiles given back", shuffles=True, count=int, points=int)
SAW_RETURNED = EVENTS.add("saw_returned", "who gave them back", private=True, tiles=each(tile_token))
ENDING = EVENTS.add("ending", "-", "this round is the last")
HAL_CARD = EVENTS.add(
    "hal_card",
    "-",
    "Hal's card, or a second one drawn for an urbanization card; only in the game for one, so not in this game",
    card=card_token,
    second=bool,
    turns_up=True,
)
HAL_STOPPED = EVENTS.add(
    "hal_stopped",
    "-",
    "Hal cannot build, the game ends; only in the game for one, so not in this game",
    card=card_token,
)
CARD_SCORED = EVENTS.add("card_scored", "the owner, also Hal", "a card from 10 to 20", card=card_token, points=int)
TOKENS_SCORED = EVENTS.add("tokens_scored", "the owner", "unused new-hand tokens", count=int, points=int)
DISTRICT = EVENTS.add(
    "district",
    "who gets points, also Hal",
    "the place of its first building among all, counted from 0 in the order in which they were built; the place of the "
    "owner there, 0 for an only one; everybody's resources there, and the owner's",
    district=int,
    place=int,
    colour=_colour,
    total=int,
    count=int,
    points=int,
)
FINISHED = EVENTS.add("finished", "-", "1 when Hal has won", winners=seats)

"""The columns of the network's inputs: see ``ziggurat.core.columns``."""

from __future__ import annotations

from ziggurat.core.columns import Columns, bits, category, inputs_of, number
from ziggurat.games.alhambra import state

NEAR = 8  # decks are told exactly when so few cards are left
HIGHEST = 13  # of a building's price, as printed
GAIN = 20  # points
PLACES = ["none", "first", "shared", "second", "later"]


class OpenSlotColumns(Columns):
    """The columns of a building that is for sale, and the open money in its currency."""

    kind = category(["none", *state.KINDS])
    price = number(HIGHEST)
    cards = category(3, tells="open money of its currency")
    most = number(state.MAX_VALUE, tells="the dearest of it")
    total = number(2 * state.MAX_VALUE)
    fits = bits(["yes"], tells="one open card pays it exactly")


class NextScoringColumns(Columns):
    first = number(40, tells="money cards before which the next scoring card cannot come")
    last = number(60, tells="money cards within which it comes")


class OwnersColumns(Columns):
    """The columns of an owner's buildings of a kind."""

    built = number(10, name="built.{}", tells="by all owners")
    neutral = number(4, name="neutral.{}")


class TableColumns(Columns):
    players = category(state.MAX_PLAYERS, 2)
    paying = category(1, tells="a purchase has begun")
    due = number(HIGHEST, tells="what is left to pay")
    paid = number(HIGHEST)
    round = category(["A", "B", "C"], tells="the scoring that comes next")
    buildings = number(50, tells="left in the deck")
    deck_near = category(NEAR)
    money = number(100, tells="left in the deck")
    next_scoring = NextScoringColumns
    money_first = bits(["yes"], tells="the house rule refill_order")
    slot = OpenSlotColumns.each(state.SLOTS)
    of = OwnersColumns.each(state.KINDS)
    options = state.OPTIONS


class KindColumns(Columns):
    """The columns of a seat's standing in a kind of building."""

    built = category(6, name="{}.built")
    place = category(PLACES, name="{}.place")
    lead = category(3, -3, name="{}.lead", tells="buildings more than the best other owner")


class OpenColumns(Columns):
    """The public columns of a seat."""

    turn = category(state.MAX_PLAYERS - 1, tells="turns until this seat's own")
    score = number(100)
    ahead = number(30, -30, tells="points more than the best other player")
    last = category(1, tells="no other player has fewer points")
    cards = number(16, tells="in hand")
    points_a = number(12, name="points.A", tells="if it were scored now; 0 when it was")
    points_b = number(40, name="points.B")
    points_c = number(60, name="points.C")
    of = KindColumns.each(state.KINDS)


class PurchaseColumns(Columns):
    """The columns of what a seat can pay of a building."""

    money = number(25, tells="in its currency")
    pays = category(["none", "no", "dearer", "exact", "next"], tells="next: after one open card")
    gain = number(GAIN, -5, tells="points that this building gains")


class SeatColumns(OpenColumns):
    """The columns of a seat: the public ones, and those that only the seat itself sees."""

    money = number(50, tells="the total of the hand")
    can_buy = category(state.SLOTS, tells="buildings that it can pay")
    exact = category(state.SLOTS, tells="those that it can pay exactly")
    best = number(GAIN, tells="points that the best exact purchase gains")
    best_any = number(GAIN, tells="points that the best purchase gains")
    slot = PurchaseColumns.each(state.SLOTS)


class TakeColumns(Columns):
    cards = category(state.OPEN_MONEY)
    total = number(state.MAX_VALUE)
    exact = category(2, tells="buildings that can be paid exactly after it, but not before")
    pays = category(2, tells="buildings that can be paid after it, but not before")
    gain = number(GAIN, tells="points of the best building in one of these currencies")
    exact_gain = number(
        GAIN, name="take.exact.gain", tells="points of the best that can be paid exactly after it, but not before"
    )
    money = number(20, tells="what the hand has of the currencies that are taken")
    short = number(HIGHEST, tells="what it lacks for the building of that currency afterwards, the least")
    left = number(20, tells="the total that is left open")
    fits = category(2, tells="open cards left that pay a building exactly")


class BuyColumns(Columns):
    exact = category(1)
    over = number(8, tells="what is paid too much, at least")
    price = number(HIGHEST)
    left = number(20, tells="what the hand has left in this currency")


class PayColumns(Columns):
    value = number(state.MAX_VALUE)
    due = number(HIGHEST, -8, tells="what is left to pay then")
    exact = category(1, tells="the price can be reached exactly then")


TAKE, BUY, PAY, KEEP, GIVE = range(5)


class ActionColumns(Columns):
    suggested = number(1)
    type = category(["take", "buy", "pay", "keep", "give"])
    take = TakeColumns
    buy = BuyColumns
    building = category(["none", *state.KINDS], tells="that is bought or paid for")
    gain = number(GAIN, -5, tells="points that it gains")
    neutral_gain = number(GAIN, -GAIN, name="neutral.gain", tells="points that giving it away gains")
    denied = number(GAIN, -5, tells="points that it would gain the other who gains most")
    bought_place = category(PLACES, name="bought.place", tells="before it is built")
    bought_built = category(6, name="bought.built", tells="before it is built")
    again = category(3, tells="other buildings that can be paid exactly")
    ends = category(1, tells="the building deck is empty: the game ends when the turn does")
    pay = PayColumns


INPUTS = inputs_of(TableColumns, OpenColumns, SeatColumns, ActionColumns)

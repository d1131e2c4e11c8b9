"""The columns of the network's inputs, of a position and of an action.

Types and wonders have no names here, they go by how near they are to the end: ``type.1`` is the one with the fewest
discs left (section 8.1), ``slot.1`` the wonder that lacks the fewest (section 5). So what is learned about one holds
for all of them. Every comparison between seats is a column of its own: a network of one layer sees only sums.
"""

from __future__ import annotations

from ziggurat.core.columns import Columns, bits, category, inputs_of, number
from ziggurat.games.babel import state
from ziggurat.games.babel.network import survey
from ziggurat.games.babel.network.survey import PLACES

# What a seat is doing.
ROLES = (
    *("waits", "takes_turn", "awaits_offers", "offers", "has_offered", "selects", "may_be_selected", "has_no_offer"),
    *("is_refusing", "answers", "is_refused", "may_go_on", "awaits_closing", "exchanges"),
)

# What an action is.
ACTION_TYPES = (
    *("pass", "choose", "lay", "give", "commit", "commit_trade", "exchange_given", "accept", "fail"),
    *("exchange", "draw", "triple", "do_without", "end_turn", "double"),
)

# How a seat stands when the game ends.
ENDS = ("no", "behind", "level", "ahead")


class UsedColumns(Columns):
    exchange = joker = triple_refusal = draw = double_turn = number(3, tells="action cards used up")


class TableColumns(Columns):
    players = category(5, low=3)
    phase = category(state.PHASES)
    row = category(7, tells="wonders completed")
    first = number(20, tells="what the next wonder brings its leader")
    strict = number(1, tells="units are limited")
    two_colour = category(4, tells="discs of two colours on the board")
    deck = number(80)
    discarded = number(60)
    cards = number(30, tells="in all hands")
    action_deck = number(15)
    action_held = number(6, tells="action cards in all hands")
    used = UsedColumns
    discs = number(24, tells="left on the board")
    idle = number(10, tells="turns in which nothing happened (R28)")
    type_left = category(7, tells="discs of the type on the board, the fewest first", name="type.{}.left").each(
        state.KINDS
    )
    type_discard = number(20, name="type.{}.discard").each(state.KINDS)
    type_cheapest = category(7, tells="the least that one of them asks for; 0: none", name="type.{}.cheapest").each(
        state.KINDS
    )
    lacking_one = category(5, tells="wonders that lack one disc")
    lacking_two = category(5, tells="wonders that lack two")
    untouched = category(8, tells="wonders that lack all three")
    slot_stage = category(4, tells="discs left on it; 4: there is no such wonder", name="slot.{}.stage").each(
        survey.SLOTS
    )
    slot_cheapest = category(7, tells="the least that one of its discs asks for", name="slot.{}.cheapest").each(
        survey.SLOTS
    )
    slot_need = number(15, tells="what its discs ask for together", name="slot.{}.need").each(survey.SLOTS)
    slot_units = number(12, name="slot.{}.units").each(survey.SLOTS)
    slot_lead = number(6, tells="units between the first and the second", name="slot.{}.lead").each(survey.SLOTS)
    build__need = category(7, tells="what the disc of the build asks for; 0: there is none")
    build__two = number(1, tells="of two types")
    build__stage = category(4, tells="discs left on its wonder, itself among them; 4: nothing is built")
    build__left = category(7, tells="discs left of its type, of two types of the one with fewer")
    build__waiting = category(4, tells="seats that have yet to offer, or to answer")
    build__face_down = number(10, tells="cards that lie face down")
    build__offered = number(8, tells="valid cards of revealed offers")
    build__trades = category(4, tells="trade cards in revealed offers")
    build__done = number(1, tells="the build has succeeded")
    over = number(1, tells="a type is exhausted: only refused offers are still paid")
    options = state.OPTIONS


class OpenColumns(Columns):
    """The public columns of a seat."""

    role = category(ROLES)
    turn = category(4, tells="turns until its own")
    score = number(60)
    score__lead = number(30, -30, tells="before the best other one")
    score__place = category(5, low=1)
    now = number(80, tells="points if the game ended now, but for action cards")
    now__lead = number(30, -30)
    now__place = category(5, low=1)
    hoped = number(90, tells="points with those of all wonders as they stand, by the row of the value marker")
    hoped__lead = number(40, -40)
    pending = number(20, tells="points that the build under way brings for certain")
    light = number(15, tells="points of unfinished wonders if the game ended now")
    near = number(25, tells="points of wonders that lack one disc, by the row of the value marker")
    near__lead = number(20, -20)
    far = number(25, tells="points of the others that have been begun")
    bonus = number(40, tells="points for discs")
    bonus__lead = number(20, -20)
    discs = number(8)
    type_discs = category(7, name="type.{}.discs").each(state.KINDS)
    type_next = number(10, tells="what one more disc of the type brings, if there is one", name="type.{}.next").each(
        state.KINDS
    )
    type_ahead = number(3, -3, tells="discs of the type before the best other seat", name="type.{}.ahead").each(
        state.KINDS
    )
    next = number(10, tells="the best of these")
    most = number(40, tells="the bonus with all discs that are left of its best type, at most three of them")
    near_by_place = category(3, tells="wonders that lack one disc on which it stands so", name="near.{}").each(
        PLACES[1:]
    )
    far_by_place = category(3, tells="other wonders on which it stands so", name="far.{}").each(PLACES[1:])
    near__behind = category(
        7, low=1, tells="the fewest units to lead alone one more that lacks one disc; 7: more, or none"
    )
    slot_place = category(PLACES, name="slot.{}.place").each(survey.SLOTS)
    slot_ahead = number(6, -6, tells="units before the best other seat", name="slot.{}.ahead").each(survey.SLOTS)
    units = number(15, tells="on all wonders")
    units__left = number(29, tells="as many as there are when they are not limited")
    held = number(12, tells="building cards, those in an offer among them")
    held__lead = number(6, -6, tells="before whoever else has most")
    type_known = number(4, tells="cards that everybody has seen it take back", name="type.{}.known").each(state.KINDS)
    actions = category(4, tells="action cards")
    build__place = category(PLACES, tells="how it stands on the wonder of the build")
    build__ahead = number(6, -6)
    build__next = number(10, tells="what the disc brings it")
    offer__shown = category(9, tells="cards in its offer, the trade card among them, and one; 0: none is made")
    offer__valid = category(7, tells="revealed, without the trade card")
    offer__trade = number(1, tells="revealed")
    offer__accepted = number(1)
    offer__refused = number(9, tells="points that its refused offer brings so far")
    offer__brings = number(20, tells="its points for a wonder that would be completed, if its offer alone is accepted")
    built__points = number(20, tells="the same if the builder pays alone")
    built__lead = number(
        30, -30, tells="points if the builder pays alone and the game ends then, before the best other"
    )


class SeatColumns(OpenColumns):
    """The columns of a seat: the public ones, and those that only the seat itself sees."""

    held_type = number(6, name="held.type.{}").each(state.KINDS)
    held__build = number(7, tells="cards that the disc of the build asks for")
    held__longest = category(8, tells="cards of the type that it has most of")
    payable = number(6, tells="discs that it can pay alone, jokers among the cards")
    nearly = number(6, tells="those for which it lacks one card")
    slot_lacks = category(4, tells="cards that it lacks for the disc there that is easiest", name="slot.{}.lacks").each(
        survey.SLOTS
    )
    slot_reach = number(
        6, -6, tells="units before the best other seat with all cards that a disc there takes", name="slot.{}.reach"
    ).each(survey.SLOTS)
    alone__points = number(25, tells="the most that it can complete a wonder for alone, with the disc's bonus")
    alone__bonus = number(10, tells="the best bonus of a disc that it can pay alone")
    alone__ends = category(ENDS, tells="it can take the last disc of a type alone: and is then")
    action = number(2).each(state.ACTION_CARDS)
    end__bonus = number(10, tells="what its action cards bring at the end")
    end__lead = number(30, -30, tells="with these, before the best other one as everybody sees it")
    laid__valid = category(7, tells="cards of its offer that the disc asks for")
    laid__wrong = number(3, tells="others")
    laid__trade = number(1)
    given = number(5, tells="cards named for an exchange")


class ActionColumns(Columns):
    """The columns of an action: an offer as if it alone were accepted, a chosen disc as if the seat paid all of it that
    it can."""

    suggested = number(1, tells="the heuristic would play it")
    type = category(ACTION_TYPES)
    # the disc
    need = category(7, tells="cards that the disc asks for; 0: it is about none")
    two = number(1, tells="of two types")
    left = category(7, tells="discs left of its type, of two types of the one with fewer")
    own = category(6, tells="own discs of that type, or of the card's that is named")
    bonus = number(10, tells="what the disc would add to the seat's bonus")
    bonus__then = number(10, tells="and one more of the type after that")
    bonus__rival = number(10, tells="what it would add to the bonus of the rival who needs it most")
    bonus__others = number(20, tells="to those of all others together")
    # the wonder
    stage = category(4, tells="discs left on the wonder, this one among them; 4: it is about none")
    place = category(PLACES, tells="how the seat stands there")
    place__then = category(PLACES, tells="how it stands with the units that the action places")
    ahead = number(6, -6, tells="units before the best other seat")
    ahead__then = number(6, -6)
    units = number(7, tells="units that it places for the seat")
    units__others = number(7, tells="for others")
    contributors = category(4, tells="others with units there")
    leader = category(5, tells="who leads there alone; 0: nobody, 1: the seat, 2: its left neighbour, and so on")
    rest = number(12, tells="what the other discs of the wonder ask for")
    rest__covered = number(8, tells="as many of these cards the seat has")
    # points
    points = number(20, tells="certain points of the seat, with those of a wonder that is completed")
    points__rival = number(20, tells="the most that another one gets")
    points__others = number(30, tells="all others together")
    points__leader = number(20, tells="the other one who has most points so far")
    worth = number(10, -10, tells="what the seat's place on the unfinished wonder is worth more than before")
    worth__others = number(20, -20, tells="the places of all others together")
    wins = number(30, -30, tells="if it ends the game: points before the best other seat, but for action cards")
    ends = category(ENDS, tells="whether it ends the game, and how then")
    # cards
    cost = number(7, tells="own cards that are spent")
    jokers = category(3)
    lacks = category(7, tells="cards that others have to add")
    first = number(8, tells="cards of the disc's first type that stay in hand")
    second = number(6, tells="of its second type")
    hand = number(12, tells="cards in hand then")
    known = number(6, tells="cards that others are known to have for the disc")
    # offers
    accepted = category(4, tells="offers that are accepted")
    accepts = bits(("1", "2", "3", "4"), tells="whose, counted from the left neighbour")
    helped = number(20, -20, tells="the accepted seat with most points, without the disc: before the seat")
    owner = category(("nobody", "seat", "other"), tells="who gets the disc")
    owner__lead = number(20, -20, tells="if it is another one: points before the seat")
    refused = number(10, tells="points for refused offers")
    laid = category(7, tells="cards of the seat's offer that the disc asks for")
    wrong = number(3, tells="other cards of its offer")
    given = category(5, tells="cards named for an exchange")
    still = category(7, tells="cards that fit and can still be laid, or be named: they go in the order of types")
    named__stay = number(6, tells="cards of the type that is laid or named that stay in hand")
    named__discs = number(6, tells="discs left of that type")


INPUTS = inputs_of(TableColumns, OpenColumns, SeatColumns, ActionColumns)

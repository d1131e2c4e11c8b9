"""What a network is told of a position and of an action: the columns, in the order in which the kernels write them.

Types and wonders have no names here, they go by how near they are to the end: ``type.1`` is the one with the fewest
discs left (section 8.1), ``slot.1`` the wonder that lacks the fewest (section 5). So what is learned about one holds
for all of them. Every comparison between seats is a column of its own: a network of one layer sees only sums.
"""

from __future__ import annotations

from ziggurat.core.features import Feature, bits, category, number
from ziggurat.core.inputs import Inputs
from ziggurat.games.babel import state, survey
from ziggurat.games.babel.survey import PLACES

KINDS = tuple(f"type.{rank}" for rank in range(1, state.KINDS + 1))
SLOTS = tuple(f"slot.{slot}" for slot in range(1, survey.SLOTS + 1))
USED = ("exchange", "joker", "triple_refusal", "draw", "double_turn")

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

TABLE: tuple[Feature, ...] = (
    category("players", 5, low=3),
    category("phase", state.PHASES),
    category("row", 7, tells="wonders completed"),
    number("first", 20, tells="what the next wonder brings its leader"),
    number("strict", 1, tells="units are limited"),
    category("two_colour", 4, tells="discs of two colours on the board"),
    number("deck", 80),
    number("discarded", 60),
    number("cards", 30, tells="in all hands"),
    number("action_deck", 15),
    number("action_held", 6, tells="action cards in all hands"),
    *(number(f"used.{name}", 3, tells="action cards used up") for name in USED),
    number("discs", 24, tells="left on the board"),
    number("idle", 10, tells="turns in which nothing happened (R28)"),
    *(category(f"{kind}.left", 7, tells="discs of the type on the board, the fewest first") for kind in KINDS),
    *(number(f"{kind}.discard", 20) for kind in KINDS),
    *(category(f"{kind}.cheapest", 7, tells="the least that one of them asks for; 0: none") for kind in KINDS),
    category("lacking_one", 5, tells="wonders that lack one disc"),
    category("lacking_two", 5, tells="wonders that lack two"),
    category("untouched", 8, tells="wonders that lack all three"),
    *(category(f"{slot}.stage", 4, tells="discs left on it; 4: there is no such wonder") for slot in SLOTS),
    *(category(f"{slot}.cheapest", 7, tells="the least that one of its discs asks for") for slot in SLOTS),
    *(number(f"{slot}.need", 15, tells="what its discs ask for together") for slot in SLOTS),
    *(number(f"{slot}.units", 12) for slot in SLOTS),
    *(number(f"{slot}.lead", 6, tells="units between the first and the second") for slot in SLOTS),
    category("build.need", 7, tells="what the disc of the build asks for; 0: there is none"),
    number("build.two", 1, tells="of two types"),
    category("build.stage", 4, tells="discs left on its wonder, itself among them; 4: nothing is built"),
    category("build.left", 7, tells="discs left of its type, of two types of the one with fewer"),
    category("build.waiting", 4, tells="seats that have yet to offer, or to answer"),
    number("build.face_down", 10, tells="cards that lie face down"),
    number("build.offered", 8, tells="valid cards of revealed offers"),
    category("build.trades", 4, tells="trade cards in revealed offers"),
    number("build.done", 1, tells="the build has succeeded"),
    number("over", 1, tells="a type is exhausted: only refused offers are still paid"),
    *state.OPTIONS.network,
)

OPEN: tuple[Feature, ...] = (
    category("role", ROLES),
    category("turn", 4, tells="turns until its own"),
    number("score", 60),
    number("score.lead", 30, -30, tells="before the best other one"),
    category("score.place", 5, low=1),
    number("now", 80, tells="points if the game ended now, but for action cards"),
    number("now.lead", 30, -30),
    category("now.place", 5, low=1),
    number("hoped", 90, tells="points with those of all wonders as they stand, by the row of the value marker"),
    number("hoped.lead", 40, -40),
    number("pending", 20, tells="points that the build under way brings for certain"),
    number("light", 15, tells="points of unfinished wonders if the game ended now"),
    number("near", 25, tells="points of wonders that lack one disc, by the row of the value marker"),
    number("near.lead", 20, -20),
    number("far", 25, tells="points of the others that have been begun"),
    number("bonus", 40, tells="points for discs"),
    number("bonus.lead", 20, -20),
    number("discs", 8),
    *(category(f"{kind}.discs", 7) for kind in KINDS),
    *(number(f"{kind}.next", 10, tells="what one more disc of the type brings, if there is one") for kind in KINDS),
    *(number(f"{kind}.ahead", 3, -3, tells="discs of the type before the best other seat") for kind in KINDS),
    number("next", 10, tells="the best of these"),
    number("most", 40, tells="the bonus with all discs that are left of its best type, at most three of them"),
    *(category(f"near.{place}", 3, tells="wonders that lack one disc on which it stands so") for place in PLACES[1:]),
    *(category(f"far.{place}", 3, tells="other wonders on which it stands so") for place in PLACES[1:]),
    category(
        "near.behind", 7, low=1, tells="the fewest units to lead alone one more that lacks one disc; 7: more, or none"
    ),
    *(category(f"{slot}.place", PLACES) for slot in SLOTS),
    *(number(f"{slot}.ahead", 6, -6, tells="units before the best other seat") for slot in SLOTS),
    number("units", 15, tells="on all wonders"),
    number("units.left", 29, tells="as many as there are when they are not limited"),
    number("held", 12, tells="building cards, those in an offer among them"),
    number("held.lead", 6, -6, tells="before whoever else has most"),
    *(number(f"{kind}.known", 4, tells="cards that everybody has seen it take back") for kind in KINDS),
    category("actions", 4, tells="action cards"),
    category("build.place", PLACES, tells="how it stands on the wonder of the build"),
    number("build.ahead", 6, -6),
    number("build.next", 10, tells="what the disc brings it"),
    category("offer.shown", 9, tells="cards in its offer, the trade card among them, and one; 0: none is made"),
    category("offer.valid", 7, tells="revealed, without the trade card"),
    number("offer.trade", 1, tells="revealed"),
    number("offer.accepted", 1),
    number("offer.refused", 9, tells="points that its refused offer brings so far"),
    number("offer.brings", 20, tells="its points for a wonder that would be completed, if its offer alone is accepted"),
    number("built.points", 20, tells="the same if the builder pays alone"),
    number(
        "built.lead", 30, -30, tells="points if the builder pays alone and the game ends then, before the best other"
    ),
)

CLOSED: tuple[Feature, ...] = (
    *(number(f"held.{kind}", 6) for kind in KINDS),
    number("held.build", 7, tells="cards that the disc of the build asks for"),
    category("held.longest", 8, tells="cards of the type that it has most of"),
    number("payable", 6, tells="discs that it can pay alone, jokers among the cards"),
    number("nearly", 6, tells="those for which it lacks one card"),
    *(category(f"{slot}.lacks", 4, tells="cards that it lacks for the disc there that is easiest") for slot in SLOTS),
    *(
        number(f"{slot}.reach", 6, -6, tells="units before the best other seat with all cards that a disc there takes")
        for slot in SLOTS
    ),
    number("alone.points", 25, tells="the most that it can complete a wonder for alone, with the disc's bonus"),
    number("alone.bonus", 10, tells="the best bonus of a disc that it can pay alone"),
    category("alone.ends", ENDS, tells="it can take the last disc of a type alone: and is then"),
    *(number(f"action.{card}", 2) for card in state.ACTION_CARDS),
    number("end.bonus", 10, tells="what its action cards bring at the end"),
    number("end.lead", 30, -30, tells="with these, before the best other one as everybody sees it"),
    category("laid.valid", 7, tells="cards of its offer that the disc asks for"),
    number("laid.wrong", 3, tells="others"),
    number("laid.trade", 1),
    number("given", 5, tells="cards named for an exchange"),
)

# An offer is told as if it alone were accepted, a disc that is chosen as if the seat paid all of it that it can.
ACTION: tuple[Feature, ...] = (
    number("suggested", 1, tells="the heuristic would play it"),
    category("type", ACTION_TYPES),
    # the disc
    category("need", 7, tells="cards that the disc asks for; 0: it is about none"),
    number("two", 1, tells="of two types"),
    category("left", 7, tells="discs left of its type, of two types of the one with fewer"),
    category("own", 6, tells="own discs of that type, or of the card's that is named"),
    number("bonus", 10, tells="what the disc would add to the seat's bonus"),
    number("bonus.then", 10, tells="and one more of the type after that"),
    number("bonus.rival", 10, tells="what it would add to the bonus of the rival who needs it most"),
    number("bonus.others", 20, tells="to those of all others together"),
    # the wonder
    category("stage", 4, tells="discs left on the wonder, this one among them; 4: it is about none"),
    category("place", PLACES, tells="how the seat stands there"),
    category("place.then", PLACES, tells="how it stands with the units that the action places"),
    number("ahead", 6, -6, tells="units before the best other seat"),
    number("ahead.then", 6, -6),
    number("units", 7, tells="units that it places for the seat"),
    number("units.others", 7, tells="for others"),
    category("contributors", 4, tells="others with units there"),
    category("leader", 5, tells="who leads there alone; 0: nobody, 1: the seat, 2: its left neighbour, and so on"),
    number("rest", 12, tells="what the other discs of the wonder ask for"),
    number("rest.covered", 8, tells="as many of these cards the seat has"),
    # points
    number("points", 20, tells="certain points of the seat, with those of a wonder that is completed"),
    number("points.rival", 20, tells="the most that another one gets"),
    number("points.others", 30, tells="all others together"),
    number("points.leader", 20, tells="the other one who has most points so far"),
    number("worth", 10, -10, tells="what the seat's place on the unfinished wonder is worth more than before"),
    number("worth.others", 20, -20, tells="the places of all others together"),
    number("wins", 30, -30, tells="if it ends the game: points before the best other seat, but for action cards"),
    category("ends", ENDS, tells="whether it ends the game, and how then"),
    # cards
    number("cost", 7, tells="own cards that are spent"),
    category("jokers", 3),
    category("lacks", 7, tells="cards that others have to add"),
    number("first", 8, tells="cards of the disc's first type that stay in hand"),
    number("second", 6, tells="of its second type"),
    number("hand", 12, tells="cards in hand then"),
    number("known", 6, tells="cards that others are known to have for the disc"),
    # offers
    category("accepted", 4, tells="offers that are accepted"),
    bits("accepts", ("1", "2", "3", "4"), tells="whose, counted from the left neighbour"),
    number("helped", 20, -20, tells="the accepted seat with most points, without the disc: before the seat"),
    category("owner", ("nobody", "seat", "other"), tells="who gets the disc"),
    number("owner.lead", 20, -20, tells="if it is another one: points before the seat"),
    number("refused", 10, tells="points for refused offers"),
    category("laid", 7, tells="cards of the seat's offer that the disc asks for"),
    number("wrong", 3, tells="other cards of its offer"),
    category("given", 5, tells="cards named for an exchange"),
    category("still", 7, tells="cards that fit and can still be laid, or be named: they go in the order of types"),
    number("named.stay", 6, tells="cards of the type that is laid or named that stay in hand"),
    number("named.discs", 6, tells="discs left of that type"),
)

INPUTS = Inputs(table=TABLE, open=OPEN, closed=CLOSED, action=ACTION)

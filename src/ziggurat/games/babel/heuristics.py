"""The heuristic: what a disc, an offer and a set of accepted offers are worth, in hundredths of a point.

Not rules: nothing here decides what is legal. The weights are in weights.toml, found by ``ziggurat tune``.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below
from ziggurat.games.babel import choices, state
from ziggurat.games.babel.cards import at_once, fewer, jokers_of, of_all_types, of_type, size_of
from ziggurat.games.babel.discs import discs_there
from ziggurat.games.babel.rules import legal, seats_of
from ziggurat.games.babel.scoring import bonus_of

# By these names in weights.toml; a constant is the place of its weight in ``out.weights``.
WEIGHTS = (
    "card",
    "action_card",
    "unit",
    "early",
    "disc_set",
    "disc_next",
    "lacking",
    "lacking_disc",
    "hoped",
    "passing",
    "offer_more",
    "trade_above",
    "fail",
    "rival",
)
CARD = 0  # a building card in hand
ACTION_CARD = 1  # an action card
UNIT = 2  # a unit on a wonder, besides the place that it gives
EARLY = 3  # per cent that the places of an unfinished wonder count
DISC_SET = 4  # what the first disc of a type promises
DISC_NEXT = 5  # per cent of a third of what the next disc of the type would give
LACKING = 6  # a card that a disc needs beyond one's own, and that others have to offer
LACKING_DISC = 7  # per cent of the disc that each such card costs, since its owner may want the disc
HOPED = 8  # cards that each other player may offer, in hundredths
PASSING = 9  # drawing cards, beside the cards
OFFER_MORE = 10  # a disc worth so much is offered a card more for
TRADE_ABOVE = 11  # the disc is asked for when it is worth so much more than the units
FAIL = 12  # what it costs to choose a disc and accept nobody
RIVAL = 13  # per cent that what others get counts against oneself

LEAST = -1 << 40  # less than anything is worth


# Places among ``out.values``, behind the legal actions: what is worked out once for a decision. Of a choice:
THERE = 400  # bit mask of the discs
HAND = 401  # the seat's own cards, ``at_once``
HOPE = 402  # cards that others may add
OWNING = 404  # by type: what a disc is worth to the seat
# Of a selection, by seat:
HELPING = 408  # what it is worth that its offer is accepted
REFUSING = 416  # the same when it is refused
GETTING = 424  # what it is worth that it gets the disc


@kernel
def place_points(s: Record, wonder: int, seat: int, extra: int) -> int:
    """The points of a seat if the wonder were scored now with ``extra`` units more for it."""
    placed = s.units[wonder]
    mine = placed[seat] + extra
    if mine == 0:
        return 0
    above, equal = 0, 0 if extra else -1  # not counting itself
    for other in range(state.MAX_PLAYERS):  # whoever is not there has no units
        above += 1 if placed[other] > mine else 0
        equal += 1 if placed[other] == mine else 0
    if above + equal == 0:
        return s.first[min(s.row, state.ROWS - 1)] + 0
    return s.second[min(s.row, state.ROWS - 1)] + 0 if above == 0 or (above == 1 and equal == 0) else s.other + 0


@kernel
def units_worth(s: Record, wonder: int, seat: int, units: int, last: bool, out: Record) -> int:
    """The worth of more units on a wonder: all of it when the wonder is completed with them."""
    then = place_points(s, wonder, seat, units)
    if last:
        return 100 * then
    return (then - place_points(s, wonder, seat, 0)) * out.weights[EARLY] + units * out.weights[UNIT]


@kernel
def type_worth(s: Record, seat: int, kind: int, out: Record) -> int:
    """The worth of owning a disc of a type."""
    count = discs_of(s, seat, kind)
    now, then = bonus_of(s, count + 1) - bonus_of(s, count), bonus_of(s, count + 2) - bonus_of(s, count + 1)
    return 100 * now + out.weights[DISC_NEXT] * then // 3 + (out.weights[DISC_SET] if count == 0 else 0)


@kernel
def disc_worth(s: Record, seat: int, disc: int, out: Record) -> int:
    """The worth of owning a disc: the better of its types."""
    best = 0
    for kind in range(state.KINDS):
        if s.disc[disc][kind] > 0:
            best = max(best, type_worth(s, seat, kind, out))
    return best


@kernel
def discs_of(s: Record, seat: int, kind: int) -> int:
    """The number of a seat's discs of a type, with those of two."""
    count = 0
    for other in range(state.KINDS):
        count += s.owned[seat][1 << kind | 1 << other]
    return count


@kernel
def is_last(there: int, disc: int) -> bool:
    """Whether a wonder is complete with this disc, of those that are there."""
    first = disc // state.SPACES * state.SPACES
    return there >> first & 0b111 & ~(1 << disc - first) == 0


# --- A disc is chosen --------------------------------------------------------------------------------------------


@kernel
def survey_choice(s: Record, seat: int, out: Record) -> None:
    """Compute the table that ``choice_worth`` uses for every disc."""
    out.values[THERE] = discs_there(s)
    out.values[HAND] = at_once(s.hand[seat])
    cards = 0
    for other in range(s.players):
        cards += size_of(s.hand[other])
    cards -= size_of(s.hand[seat])
    out.values[HOPE] = min(cards // 4, out.weights[HOPED] * (s.players - 1) // 100)  # each type a quarter of the hands
    for kind in range(state.KINDS):
        out.values[OWNING + kind] = type_worth(s, seat, kind, out)


@kernel
def choice_worth(s: Record, seat: int, disc: int, out: Record) -> int:
    """The worth of choosing a disc, by one's own cards and what others may add."""
    asked = at_once(s.disc[disc])
    need = of_all_types(asked)
    own = min(of_all_types(fewer(out.values[HAND], asked)) + 2 * s.actions[seat][state.JOKER], need)
    lacking = need - own
    if lacking > out.values[HOPE]:
        return -1000 - 100 * lacking
    wonder = disc // state.SPACES
    last = is_last(out.values[THERE], disc)
    owning = 0
    for kind in range(state.KINDS):
        owning = max(owning, out.values[OWNING + kind] if of_type(asked, kind) > 0 else 0)
    worth = units_worth(s, wonder, seat, own, last, out) - own * out.weights[CARD]
    worth += owning * (100 - out.weights[LACKING_DISC] * lacking) // 100
    if last:
        worth += out.weights[ACTION_CARD]
        for other in range(s.players):
            if other != seat:
                worth -= out.weights[RIVAL] * place_points(s, wonder, other, 0) // (s.players - 1)
    return worth - out.weights[LACKING] * lacking


# --- An offer is made --------------------------------------------------------------------------------------------


@kernel
def lay_worth(s: Record, seat: int, laid: int, owning: int, out: Record) -> int:
    """The number of cards to offer: what is needed beside the builder's likely own, no more than helps."""
    asked = at_once(s.disc[s.chosen])
    need = of_all_types(asked)
    mine = of_all_types(fewer(at_once(s.hand[seat]), asked)) + laid
    wish = min(mine, (need + 1) // 2)
    if owning >= out.weights[OFFER_MORE]:
        wish = min(mine, need // 2 + 1)
    if wish > 2:
        wonder = s.chosen // state.SPACES
        if place_points(s, wonder, seat, wish) == place_points(s, wonder, seat, 0):
            wish = 2
    return wish


@kernel
def offer_step(s: Record, seat: int, out: Record, n: int) -> int:
    """Lay valid cards up to the number wished for, then commit, with the trade card where the disc is worth more."""
    out_of_line()
    laid = size_of(s.laid[seat])
    owning = disc_worth(s, seat, s.chosen, out)
    if laid < lay_worth(s, seat, laid, owning, out):
        for i in range(n):
            kind = out.values[i] - choices.LAY
            if 0 <= kind < state.KINDS and s.laid[seat][kind] < s.disc[s.chosen][kind]:
                return choices.LAY + kind
    wanted = choices.COMMIT
    if laid > 1:
        units = units_worth(s, s.chosen // state.SPACES, seat, laid, is_last(discs_there(s), s.chosen), out)
        if owning > units + out.weights[TRADE_ABOVE]:
            wanted = choices.COMMIT_TRADE
    for i in range(n):
        if out.values[i] == wanted:
            return wanted
    return choices.COMMIT_TRADE if wanted == choices.COMMIT else choices.COMMIT


# --- Offers are accepted -----------------------------------------------------------------------------------------


@kernel
def survey_selection(s: Record, seat: int, out: Record) -> None:
    """Compute the table that ``selection_worth`` uses for every set of offers: what each other seat gets counts against
    oneself."""
    out_of_line()
    wonder, last, rival = s.chosen // state.SPACES, is_last(discs_there(s), s.chosen), out.weights[RIVAL]
    for other in range(s.players):
        count = size_of(s.laid[other])
        owning = disc_worth(s, other, s.chosen, out)
        out.values[GETTING + other] = owning if other == seat else -(rival * owning // (100 * (s.players - 1)))
        units = units_worth(s, wonder, other, count, last, out)
        out.values[HELPING + other] = -(rival * units // (100 * (s.players - 1)))
        out.values[REFUSING + other] = -(rival * count * s.refused // (s.players - 1))
        if last:
            out.values[REFUSING + other] -= rival * place_points(s, wonder, other, 0) // (s.players - 1)


@kernel
def selection_worth(s: Record, seat: int, action: int, out: Record) -> int:
    """The worth of accepting offers: units and disc for oneself, less what the others get and the cards cost."""
    out_of_line()
    seats = seats_of(s, (action - choices.ACCEPT) // state.WAYS)
    jokers = jokers_of((action - choices.ACCEPT) % state.WAYS)
    last = is_last(discs_there(s), s.chosen)
    own = of_all_types(at_once(s.disc[s.chosen]))
    units = own
    owner = seat
    worth = out.weights[ACTION_CARD] if last else 0
    for other in range(s.players):
        if other == seat:
            continue
        if seats >> other & 1:
            count = size_of(s.laid[other])
            own -= count
            if s.trade[other]:
                owner = other
            else:
                units -= count
                worth += out.values[HELPING + other]
        else:
            worth += out.values[REFUSING + other]
    worth -= (own - 2 * jokers) * out.weights[CARD] + jokers * out.weights[ACTION_CARD]
    worth += units_worth(s, s.chosen // state.SPACES, seat, units, last, out)
    return worth + out.values[GETTING + owner]


@kernel
def fail_worth(s: Record, out: Record) -> int:
    worth = 0
    for other in range(s.players):
        if other != s.turn:
            worth -= out.weights[RIVAL] * size_of(s.laid[other]) * s.refused // (s.players - 1)
    return worth - out.weights[FAIL]


@kernel
def action_worth(s: Record, seat: int, action: int, out: Record) -> int:
    """The worth of a legal action; only actions of the same moment are compared."""
    if action == choices.PASS:
        return 2 * out.weights[CARD] + out.weights[PASSING]
    if action < choices.LAY:
        return choice_worth(s, seat, action - choices.CHOOSE, out)
    if action < choices.COMMIT:
        return spare(s, seat, action - choices.LAY)
    if action == choices.COMMIT:
        return 0
    if choices.ACCEPT <= action < choices.FAIL:
        return selection_worth(s, seat, action, out)
    if action == choices.FAIL:
        return fail_worth(s, out)
    if action in (choices.TRIPLE, choices.DRAW):
        return 100000
    if action == choices.DOUBLE:
        return 100
    return -100000 if action == choices.EXCHANGE else 0


@kernel
def spare(s: Record, seat: int, kind: int) -> int:
    """Whether a card may go in an exchange."""
    return 1 if s.hand[seat][kind] > 3 else -1


@kernel
def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    """The heuristic's action: the one of highest worth; ties are broken at random."""
    out_of_line()
    n = legal(s, seat, out)
    if s.phase == state.TURN:
        survey_choice(s, seat, out)
    elif s.phase == state.SELECT:
        survey_selection(s, seat, out)
    best, best_worth, ties = out.values[0], LEAST, 0
    for i in range(n):
        action = out.values[i]
        if action in (choices.COMMIT, choices.COMMIT_TRADE) and not s.exchanging[seat]:
            return offer_step(s, seat, out, n)
        worth = action_worth(s, seat, action, out)
        if worth > best_worth:
            best, best_worth, ties = action, worth, 1
        elif worth == best_worth:
            ties += 1
            if below(rng, ties) == 0:
                best = action
    return best

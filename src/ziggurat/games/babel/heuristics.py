"""Quick sensible play: what a disc, an offer and a set of accepted offers are worth, in hundredths of a point.

Not rules: nothing here decides what is legal. The weights are in weights.toml, found by ``ziggurat tune``.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below
from ziggurat.games.babel import choices, state
from ziggurat.games.babel.cards import jokers_of, size_of
from ziggurat.games.babel.discs import discs_there
from ziggurat.games.babel.rules import legal, missing, seats_of
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


@kernel
def place_points(s: Record, wonder: int, seat: int, extra: int) -> int:
    """Points of a seat if the wonder were scored now with ``extra`` units more for it."""
    row = min(s.row, state.ROWS - 1)
    mine = s.units[wonder][seat] + extra
    if mine == 0:
        return 0
    above, equal, second = 0, 0, 0
    for other in range(s.players):
        if other != seat:
            units = s.units[wonder][other] + 0
            above += 1 if units > mine else 0
            equal += 1 if units == mine else 0
            second = max(second, units)
    if above == 0:
        return s.first[row] + 0 if equal == 0 else s.second[row] + 0
    return s.second[row] + 0 if above == 1 and equal == 0 else s.other + 0


@kernel
def units_worth(s: Record, wonder: int, seat: int, units: int, last: bool, out: Record) -> int:
    """What more units on a wonder are worth: all of it when the wonder is completed with them."""
    gain = 100 * (place_points(s, wonder, seat, units) - place_points(s, wonder, seat, 0))
    if last:
        return 100 * place_points(s, wonder, seat, units)
    return gain * out.weights[EARLY] // 100 + units * out.weights[UNIT]


@kernel
def disc_worth(s: Record, seat: int, disc: int, out: Record) -> int:
    """What owning a disc is worth: the better of its types."""
    best = 0
    for kind in range(state.KINDS):
        if s.disc[disc][kind] > 0:
            count = discs_of(s, seat, kind)
            now = 100 * (bonus_of(s, count + 1) - bonus_of(s, count))
            then = out.weights[DISC_NEXT] * (bonus_of(s, count + 2) - bonus_of(s, count + 1)) // 3
            best = max(best, now + then + (out.weights[DISC_SET] if count == 0 else 0))
    return best


@kernel
def discs_of(s: Record, seat: int, kind: int) -> int:
    count = 0
    for types in range(16):
        if types >> kind & 1:
            count += s.owned[seat][types]
    return count


@kernel
def is_last(s: Record, disc: int) -> bool:
    """Whether a wonder is complete with this disc."""
    first = disc // state.SPACES * state.SPACES
    return discs_there(s) >> first & 0b111 & ~(1 << disc - first) == 0


@kernel
def covered(s: Record, seat: int, disc: int) -> int:
    """How many of the cards that a disc asks for a seat has."""
    total = 0
    for kind in range(state.KINDS):
        total += min(s.hand[seat][kind], s.disc[disc][kind])
    return total


@kernel
def choice_worth(s: Record, seat: int, disc: int, out: Record) -> int:
    """What choosing a disc promises, from one's own cards and what others may add."""
    out_of_line()
    need = size_of(s.disc[disc])
    own = min(covered(s, seat, disc) + 2 * s.actions[seat][state.JOKER], need)
    cards = 0
    for other in range(s.players):
        if other != seat:
            cards += size_of(s.hand[other])
    hoped = min(cards // 4, out.weights[HOPED] * (s.players - 1) // 100)  # each type a quarter of the hands
    lacking = need - own
    if lacking > hoped:
        return -1000 - 100 * lacking
    wonder = disc // state.SPACES
    last = is_last(s, disc)
    worth = units_worth(s, wonder, seat, own, last, out) - own * out.weights[CARD]
    worth += disc_worth(s, seat, disc, out) * (100 - out.weights[LACKING_DISC] * lacking) // 100
    if last:
        worth += out.weights[ACTION_CARD]
        for other in range(s.players):
            if other != seat:
                worth -= out.weights[RIVAL] * place_points(s, wonder, other, 0) // (s.players - 1)
    return worth - out.weights[LACKING] * lacking


@kernel
def lay_worth(s: Record, seat: int, out: Record) -> int:
    """How many cards to offer: what is needed beside the builder's likely own, no more than helps."""
    need = size_of(s.disc[s.chosen])
    wonder = s.chosen // state.SPACES
    mine = covered(s, seat, s.chosen) + size_of(s.laid[seat])
    wish = min(mine, (need + 1) // 2)
    if disc_worth(s, seat, s.chosen, out) >= out.weights[OFFER_MORE]:
        wish = min(mine, need // 2 + 1)
    if place_points(s, wonder, seat, wish) == place_points(s, wonder, seat, 0) and wish > 2:
        wish = 2
    return wish


@kernel
def offer_step(s: Record, seat: int, out: Record, n: int) -> int:
    """Lay valid cards up to the number wished for, then commit, with the trade card where the disc is worth more."""
    out_of_line()
    laid = size_of(s.laid[seat])
    if laid < lay_worth(s, seat, out):
        for i in range(n):
            kind = out.values[i] - choices.LAY
            if 0 <= kind < state.KINDS and s.laid[seat][kind] < s.disc[s.chosen][kind]:
                return choices.LAY + kind
    units = units_worth(s, s.chosen // state.SPACES, seat, laid, is_last(s, s.chosen), out)
    wants = laid > 1 and disc_worth(s, seat, s.chosen, out) > units + out.weights[TRADE_ABOVE]
    wanted = choices.COMMIT_TRADE if wants else choices.COMMIT
    for i in range(n):
        if out.values[i] == wanted:
            return wanted
    return choices.COMMIT_TRADE if wanted == choices.COMMIT else choices.COMMIT


@kernel
def selection_worth(s: Record, seat: int, action: int, out: Record) -> int:
    """What accepting offers is worth: units and disc for oneself, less what the others get and the cards cost."""
    out_of_line()
    seats = seats_of(s, (action - choices.ACCEPT) // state.WAYS)
    jokers = jokers_of((action - choices.ACCEPT) % state.WAYS)
    wonder = s.chosen // state.SPACES
    last = is_last(s, s.chosen)
    own = 0
    for kind in range(state.KINDS):
        own += missing(s, seats, kind)
    units = own
    owner = seat
    rival = out.weights[RIVAL]
    worth = -(own - 2 * jokers) * out.weights[CARD] - jokers * out.weights[ACTION_CARD]
    for other in range(s.players):
        if other == seat:
            continue
        count = size_of(s.laid[other])
        if seats >> other & 1:
            if s.trade[other]:
                owner = other
                units += count
            else:
                worth -= rival * units_worth(s, wonder, other, count, last, out) // (100 * (s.players - 1))
        else:
            worth -= rival * count * s.refused // (s.players - 1)
            if last:
                worth -= rival * place_points(s, wonder, other, 0) // (s.players - 1)
    worth += units_worth(s, wonder, seat, units, last, out)
    if owner == seat:
        worth += disc_worth(s, seat, s.chosen, out)
    else:
        worth -= rival * disc_worth(s, owner, s.chosen, out) // (100 * (s.players - 1))
    return worth + (out.weights[ACTION_CARD] if last else 0)


@kernel
def fail_worth(s: Record, out: Record) -> int:
    worth = 0
    for other in range(s.players):
        if other != s.turn:
            worth -= out.weights[RIVAL] * size_of(s.laid[other]) * s.refused // (s.players - 1)
    return worth - out.weights[FAIL]


@kernel
def action_worth(s: Record, seat: int, action: int, out: Record) -> int:
    """What a legal action is worth; only actions of the same moment are compared."""
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
    """The action that looks best; ties are broken at random."""
    out_of_line()
    n = legal(s, seat, out)
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

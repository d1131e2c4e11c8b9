"""The observation of a seat as numbers: the columns, and the kernel that writes them.

Everything that the view of a seat shows and that matters for play, but for printed numbers and what follows from the
rest; besides what everybody knows of somebody's hand, because it was shown and taken back.
"""

from __future__ import annotations

from functools import cache

from ziggurat.core.columns import Columns, category, clockwise, number, seat_after
from ziggurat.core.game import as_printed
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.babel import state
from ziggurat.games.babel.cards import action_count, size_of
from ziggurat.games.babel.components import BabelComponents
from ziggurat.games.babel.rules import actors

# A score above it is shown as this; it is far more than anybody gets.
MOST_POINTS = 250
# The action cards that are ever used up; the others count at the end.
USED = (state.EXCHANGE, state.JOKER, state.TRIPLE_REFUSAL, state.DRAW_CARDS, state.DOUBLE_TURN)
# The types of a disc, as the bit masks by which ``owned`` counts them: one, or two.
DISC_TYPES = (1, 2, 4, 8, 3, 5, 6, 9, 10, 12)


@cache
def observation(players: int) -> type[Columns]:
    """The fields that ``observe`` writes."""
    printed = as_printed("babel", BabelComponents)
    sizes = [size for name in state.TYPES for size in printed.discs.numbers(name)]
    doubles = [disc.needs() for disc in printed.two_colour.discs]
    largest = max(*sizes, *map(sum, doubles))
    copies = printed.cards.copies
    all_cards = copies * state.KINDS
    action_copies = [printed.actions.copies_of(card) for card in state.ACTION_CARDS]
    spaces = [f"{wonder}.{space}" for wonder in state.WONDERS for space in range(1, state.SPACES + 1)]
    disc_types = ["+".join(name for kind, name in enumerate(state.TYPES) if types >> kind & 1) for types in DISC_TYPES]

    class Player(Columns):
        decides = number(1, tells="owes a decision")
        score = number(MOST_POINTS, tells="more is shown as this")
        cards = number(all_cards + 1, tells="building cards in hand, the trade card among them")
        action_cards = number(sum(action_copies))
        offer__cards = number(largest + 1, -1, "cards in the offer, the trade card among them; -1: there is none")
        offer__trade = number(1, tells="the trade card is among them, if the observer sees it")
        offer = number(largest, tells="the others of each type, if the observer sees them").each(state.TYPES)
        known = number(copies, tells="cards that everybody has seen it take back").each(state.TYPES)
        units = number(largest * state.SPACES, tells="units on each wonder").each(state.WONDERS)
        discs = number(len(sizes) // state.KINDS, tells="discs taken, by what they ask for").each(disc_types)

    class Observation(Columns):
        phase = category(state.PHASES, tells="what is asked")
        turn = category(players - 1, tells="the active player")
        row = number(state.WONDER_COUNT, tells="wonders completed")
        deck = number(all_cards, tells="building cards left")
        action_deck = number(sum(action_copies), tells="cards left")
        chosen = category(["none", *spaces], tells="the disc of the build that has begun")
        options = state.OPTIONS.observed(players)
        exchanging = number(1, tells="the observer is in the middle of an exchange")
        given = number(printed.actions.exchange_cards, tells="cards that it has named for that").each(state.TYPES)
        hand = number(copies, tells="the observer's own cards").each(state.TYPES)
        discard = number(copies, tells="building cards of each type").each(state.TYPES)
        action = number(action_copies, tells="the observer's own action cards").each(state.ACTION_CARDS)
        action_used = number([action_copies[card] for card in USED], tells="used up so far").each(
            state.ACTION_CARDS[card] for card in USED
        )
        disc = number(
            max(*sizes, *(need for needs in doubles for need in needs)),
            tells="what each disc asks for; 0 of all: it is taken",
        ).each(spaces, state.TYPES)
        player = Player.each(range(players))

    return Observation


@kernel
def observe(s: Record, seat: int, seen: Record) -> None:
    """Write the observation of a seat (-1: a spectator, in the place of the first seat)."""
    out_of_line()
    players = s.players + 0
    me = max(seat, 0)
    seen.phase = s.phase
    seen.turn = clockwise(me, s.turn, players)
    seen.row = s.row
    seen.deck = s.deck_left
    seen.action_deck = s.action_left
    seen.chosen = s.chosen + 1
    sees = 1 if seat >= 0 else 0
    seen.exchanging = s.exchanging[me] * sees
    for kind in range(4):
        seen.given[kind] = s.given[me][kind] * sees
        seen.hand[kind] = s.hand[me][kind] * sees
        seen.discard[kind] = s.discard[kind]
    for card in range(7):
        seen.action[card] = s.actions[me][card] * sees
    for place in range(5):
        seen.action_used[place] = s.action_used[USED[place]]
    for disc in range(24):
        for kind in range(4):
            seen.disc[disc][kind] = s.disc[disc][kind]
    asked = actors(s)
    player = me
    for place in range(players):
        observe_player(s, player, asked >> player & 1, player == seat, seen.player[place])
        player = seat_after(player, players)


@kernel
def observe_player(s: Record, player: int, decides: int, own: bool, of: Record) -> None:
    """Write what everybody sees of a player, and its own cards that lie face down if it is the observer."""
    out_of_line()
    made = s.chosen != state.NO_DISC and player != s.turn
    face_down = s.phase == state.OFFER and not own
    of.decides = decides
    of.score = min(s.score[player], MOST_POINTS)
    of.cards = size_of(s.hand[player]) + 1 - s.trade[player]
    of.action_cards = action_count(s, player)
    if made and s.phase == state.OFFER and s.waiting >> player & 1:
        made = False
    of.offer__cards = size_of(s.laid[player]) + s.trade[player] if made else -1
    shown = 0 if face_down else 1
    of.offer__trade = s.trade[player] * shown
    for kind in range(4):
        of.offer[kind] = s.laid[player][kind] * shown
        of.known[kind] = s.known[player][kind]
    for wonder in range(8):
        of.units[wonder] = s.units[wonder][player]
    for place in range(10):
        of.discs[place] = s.owned[player][DISC_TYPES[place]]

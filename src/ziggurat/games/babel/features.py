"""What a seat sees as numbers: the columns, and the kernel that writes them in the same order.

Everything that the view of a seat shows and that matters for play, but for printed numbers and what follows from the
rest; besides what everybody knows of somebody's hand, because it was shown and taken back.
"""

from __future__ import annotations

from functools import cache

from ziggurat.core.features import Feature, category, number
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
SINGLE = (1, 2, 4, 8)
DOUBLE = (3, 5, 6, 9, 10, 12)


@cache
def features(players: int) -> tuple[Feature, ...]:
    """The columns of ``observe``."""
    printed = as_printed("babel", BabelComponents)
    discs = [number for name in state.TYPES for number in printed.discs.numbers(name)]
    needs = [need for disc in printed.two_colour.discs for need in disc.needs()]
    largest = max(*discs, *(sum(disc.needs()) for disc in printed.two_colour.discs))
    copies = printed.cards.copies
    actions = printed.actions
    found = [
        category("phase", state.PHASES, tells="what is asked"),
        category("turn", players - 1, tells="the active player"),
        number("row", state.WONDER_COUNT, tells="wonders completed"),
        number("deck", copies * state.KINDS, tells="building cards left"),
        number("action_deck", sum(actions.copies_of(card) for card in state.ACTION_CARDS), tells="cards left"),
        category(
            "chosen",
            ["none", *(f"{wonder}.{space + 1}" for wonder in state.WONDERS for space in range(3))],
            tells="the disc of the build that has begun",
        ),
        state.OPTIONS.observed(players),
        number("exchanging", 1, tells="the observer is in the middle of an exchange"),
    ]
    found += [
        number(f"given.{name}", actions.exchange_cards, tells="cards that it has named for that")
        for name in state.TYPES
    ]
    found += [number(f"hand.{name}", copies, tells="the observer's own cards") for name in state.TYPES]
    found += [number(f"discard.{name}", copies, tells="building cards of each type") for name in state.TYPES]
    found += [
        number(f"action.{card}", actions.copies_of(card), tells="the observer's own action cards")
        for card in state.ACTION_CARDS
    ]
    found += [
        number(f"action_used.{card}", actions.copies_of(card), tells="used up so far")
        for card in map(state.ACTION_CARDS.__getitem__, USED)
    ]
    for wonder in state.WONDERS:
        for space in range(1, state.SPACES + 1):
            found += [
                number(
                    f"disc.{wonder}.{space}.{name}",
                    max(*discs, *needs),
                    tells="what each disc asks for; 0 of all: it is taken",
                )
                for name in state.TYPES
            ]
    for player in (f"player.{player}" for player in range(players)):
        found += [
            number(f"{player}.decides", 1, tells="owes a decision"),
            number(f"{player}.score", MOST_POINTS, tells="more is shown as this"),
            number(
                f"{player}.cards", copies * state.KINDS + 1, tells="building cards in hand, the trade card among them"
            ),
            number(f"{player}.action_cards", sum(actions.copies_of(card) for card in state.ACTION_CARDS)),
            number(
                f"{player}.offer.cards",
                largest + 1,
                -1,
                tells="cards in the offer, the trade card among them; -1: there is none",
            ),
            number(f"{player}.offer.trade", 1, tells="the trade card is among them, if the observer sees it"),
        ]
        found += [
            number(f"{player}.offer.{name}", largest, tells="the others of each type, if the observer sees them")
            for name in state.TYPES
        ]
        found += [
            number(f"{player}.known.{name}", copies, tells="cards that everybody has seen it take back")
            for name in state.TYPES
        ]
        found += [
            number(f"{player}.units.{wonder}", largest * state.SPACES, tells="units on each wonder")
            for wonder in state.WONDERS
        ]
        for types in (*SINGLE, *DOUBLE):
            names = "+".join(name for kind, name in enumerate(state.TYPES) if types >> kind & 1)
            found.append(
                number(f"{player}.discs.{names}", len(discs) // state.KINDS, tells="discs taken, by what they ask for")
            )
    return tuple(found)


@kernel
def observe(s: Record, seat: int, out: Record) -> int:
    """Write what a seat (-1: a spectator, in the place of the first seat) sees, column by column; return how many."""
    out_of_line()
    players = s.players + 0
    me = max(seat, 0)
    sees = 1 if seat >= 0 else 0
    turn = s.turn - me
    out.values[0] = s.phase
    out.values[1] = turn if turn >= 0 else turn + players
    out.values[2] = s.row
    out.values[3] = s.deck_left
    out.values[4] = s.action_left
    out.values[5] = s.chosen + 1
    out.values[6] = s.observed_options
    out.values[7] = s.exchanging[me] * sees
    for kind in range(4):
        out.values[8 + kind] = s.given[me][kind] * sees
        out.values[12 + kind] = s.hand[me][kind] * sees
        out.values[16 + kind] = s.discard[kind]
    for kind in range(7):
        out.values[20 + kind] = s.actions[me][kind] * sees
    out.values[27] = s.action_used[state.EXCHANGE]
    out.values[28] = s.action_used[state.JOKER]
    out.values[29] = s.action_used[state.TRIPLE_REFUSAL]
    out.values[30] = s.action_used[state.DRAW_CARDS]
    out.values[31] = s.action_used[state.DOUBLE_TURN]
    n = 32
    for disc in range(24):
        for kind in range(4):
            out.values[n + kind] = s.disc[disc][kind]
        n += 4
    asked = actors(s)
    player = me
    for _ in range(players):
        observe_player(s, player, asked >> player & 1, player == seat, out, n)
        n += 32
        player = player + 1 if player + 1 < players else 0
    return n


@kernel
def observe_player(s: Record, player: int, decides: int, own: bool, out: Record, n: int) -> None:
    """What everybody sees of a player, and its own cards that lie face down if it is the observer."""
    out_of_line()
    made = s.chosen != state.NO_DISC and player != s.turn
    face_down = s.phase == state.OFFER and not own
    out.values[n] = decides
    out.values[n + 1] = min(s.score[player], MOST_POINTS)
    out.values[n + 2] = size_of(s.hand[player]) + 1 - s.trade[player]
    out.values[n + 3] = action_count(s, player)
    if made and s.phase == state.OFFER and s.waiting >> player & 1:
        made = False
    out.values[n + 4] = size_of(s.laid[player]) + s.trade[player] if made else -1
    shown = 0 if face_down else 1
    out.values[n + 5] = s.trade[player] * shown
    for kind in range(4):
        out.values[n + 6 + kind] = s.laid[player][kind] * shown
        out.values[n + 10 + kind] = s.known[player][kind]
    for wonder in range(8):
        out.values[n + 14 + wonder] = s.units[wonder][player]
    owned = s.owned[player]
    out.values[n + 22] = owned[1]
    out.values[n + 23] = owned[2]
    out.values[n + 24] = owned[4]
    out.values[n + 25] = owned[8]
    out.values[n + 26] = owned[3]
    out.values[n + 27] = owned[5]
    out.values[n + 28] = owned[6]
    out.values[n + 29] = owned[9]
    out.values[n + 30] = owned[10]
    out.values[n + 31] = owned[12]

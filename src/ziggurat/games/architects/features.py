"""The observation of a seat as numbers: the columns, and the kernel that writes them.

Everything that the view of a seat shows and that matters for play, but for printed numbers and what follows from the
rest. What lies on offer is counted by token, because it does not matter in which place a token lies.
"""

from __future__ import annotations

from functools import cache

from ziggurat.core.columns import Columns, bits, category, clockwise, number, seat_after
from ziggurat.core.game import as_printed
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.architects import state
from ziggurat.games.architects.components import ArchitectsComponents
from ziggurat.games.architects.decks import top_of

# A score above it is shown as this; it is far more than anybody gets.
MOST_POINTS = 200
# The kinds that are ever discarded: to pay, to claim a token, after a battle.
DISCARDED = (*range(state.WOOD, state.COIN + 1), state.COMPASS, state.GEAR, state.TABLET, state.RED1, state.RED2)


@cache
def observation(players: int) -> type[Columns]:
    """The fields that ``observe`` writes."""
    printed = as_printed("architects", ArchitectsComponents)
    decks = [printed.deck(name).cards() for name in state.DECKS]
    central = decks.pop()
    # Of each kind, if the wonders that have most of it are in play.
    most = [
        central.count(kind) + sum(sorted((deck.count(kind) for deck in decks), reverse=True)[:players])
        for kind in range(state.KINDS)
    ]
    battles = printed.conflict.tokens[players - 2]
    horns = most[state.RED1] + 2 * most[state.RED2]
    red = sum(most[state.RED0 : state.RED2 + 1])
    copies = [printed.copies(token) for token in state.TOKENS]

    class Player(Columns):
        wonder = category(["none", *state.WONDERS])
        built = bits([str(stage + 1) for stage in range(state.STAGES)], tells="stages")
        deck__left = number(max(map(len, decks)), tells="cards left in the deck of that wonder")
        deck__top = category(["none", *state.CARDS])
        tokens = bits(state.TOKENS)
        culture = number(printed.tokens.copies.culture, tells="how many tokens of that name")
        military = number(2 * (horns // battles), tells="victory tokens")
        shields = number(
            red + printed.tokens.tactics_shields + printed.rhodes.shields * len(printed.wonders.rhodes.effects)
        )
        score = number(MOST_POINTS, tells="without the tokens that count at the end; more is shown as this")
        saw_central = number(1, tells="has been shown the top card of the central deck")
        cards = number(most[1:], tells="cards of each kind in front of the player").each(state.CARDS)

    class Observation(Columns):
        turn = category(players - 1, -1, tells="whose turn; -1: the game is over")
        phase = category(state.PHASES, tells="what is asked")
        conflict__turned = number(battles, tells="conflict tokens on their battle side")
        cat = category(players - 1, -1, tells="who has it; -1: nobody")
        stack = number(sum(copies), tells="progress tokens face down")
        military__left = number(
            printed.conflict.military_supply, -1, tells="victory tokens in the supply; -1: no limit"
        )
        open_wonders = bits(state.WONDERS, tells="those that may still be chosen")
        options = state.OPTIONS.observed(players)
        extras = bits(state.TOKENS[: state.EXTRA_TOKENS], tells="tokens that give another card now")
        used = bits(state.TOKENS[: state.ENGINEERING + 1], tells="tokens used this turn")
        gained = bits(state.TOKENS, tells="tokens gained this turn")
        central__left = number(len(central), tells="cards left in the central deck")
        central__top = category(
            ["unknown", *state.CARDS], tells="its top card, if the cat has shown it to the observer"
        )
        looked__deck = category(
            ["none", *(f"player.{player}" for player in range(players))],
            tells="whose deck Halicarnassus looks at, if the observer sees it",
        )
        looked = number(printed.halicarnassus.looks_at, tells="cards of each kind that it looks at").each(state.CARDS)
        offer = number(copies, tells="progress tokens face up").each(state.TOKENS)
        discard = number([most[kind] for kind in DISCARDED], tells="cards of each kind that can be discarded").each(
            state.CARDS[kind - 1] for kind in DISCARDED
        )
        player = Player.each(range(players))

    return Observation


@kernel
def observe(s: Record, seat: int, seen: Record) -> None:
    """Write the observation of a seat (-1: a spectator, in the place of the first seat)."""
    out_of_line()
    players = s.players + 0
    me = max(seat, 0)
    laid_out = s.phase != state.PICK
    seen.turn = -1 if s.finished else clockwise(me, s.turn, players)
    seen.phase = s.phase
    seen.conflict__turned = s.turned
    seen.cat = -1 if s.cat < 0 else clockwise(me, s.cat, players)
    seen.stack = s.stack_left
    seen.military__left = s.supply
    seen.open_wonders = s.open_wonders
    seen.extras = s.triggered & ~s.used
    seen.used = s.used
    seen.gained = s.gained
    seen.central__left = s.deck_left[state.CENTRAL]
    seen.central__top = top_of(s, state.CENTRAL) if seat >= 0 and laid_out and s.knows >> me & 1 else 0
    seen.looked__deck = 0
    for kind in range(14):
        seen.looked[kind] = 0
        seen.offer[kind] = 0
    if s.phase == state.KEEP and (s.reveal_public or seat == s.turn):
        observe_looked(s, me, seen)
    for place in range(s.face_up):
        token = s.offer[place] + 0
        if token > 0:
            seen.offer[token - 1] += 1
    for place in range(11):
        seen.discard[place] = s.discard[DISCARDED[place]]
    player = me
    for place in range(players):
        of = seen.player[place]
        wonder = s.wonder[player] + 0
        of.wonder = wonder + 1
        of.built = s.built[player]
        of.deck__left = s.deck_left[wonder] if laid_out else 0
        of.deck__top = top_of(s, wonder) if laid_out else 0
        of.tokens = s.owned[player]
        of.culture = s.culture[player]
        of.military = s.military[player]
        of.shields = s.shields[player]
        of.score = min(s.score[player], MOST_POINTS)
        of.saw_central = s.knows >> player & 1
        for kind in range(14):
            of.cards[kind] = s.cards[player][1 + kind]
        player = seat_after(player, players)


@kernel
def observe_looked(s: Record, me: int, seen: Record) -> None:
    """Write the cards that Halicarnassus looks at, and whose deck they are of."""
    for other in range(s.players):
        if s.wonder[other] == s.looking:
            seen.looked__deck = 1 + clockwise(me, other, s.players)
    left = s.deck_left[s.looking] + 0
    for place in range(max(left - s.looks_at, 0), left):
        seen.looked[s.deck[s.looking][place] - 1] += 1

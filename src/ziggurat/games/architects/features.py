"""What a seat sees as numbers: the columns, and the kernel that writes them in the same order.

Everything that the view of a seat shows and that matters for play, but for printed numbers and what follows from the
rest. What lies on offer is counted by token, because it does not matter in which place a token lies.
"""

from __future__ import annotations

from functools import cache

from ziggurat.core.features import Feature, bits, category, number
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
def features(players: int) -> tuple[Feature, ...]:
    """The columns of ``observe``."""
    printed = as_printed("architects", ArchitectsComponents)
    decks = [printed.deck(name).cards() for name in state.DECKS]
    central = decks.pop()
    cards = ["none", *state.CARDS]
    # Of each kind, if the wonders that have most of it are in play.
    most = [
        central.count(kind) + sum(sorted((deck.count(kind) for deck in decks), reverse=True)[:players])
        for kind in range(state.KINDS)
    ]
    horns = most[state.RED1] + 2 * most[state.RED2]
    red = sum(most[state.RED0 : state.RED2 + 1])
    shields = red + printed.tokens.tactics_shields + printed.rhodes.shields * len(printed.wonders.rhodes.effects)
    tokens = sum(printed.copies(token) for token in state.TOKENS)
    found = [
        category("turn", players - 1, -1, tells="whose turn; -1: the game is over"),
        category("phase", state.PHASES, tells="what is asked"),
        number("conflict.turned", printed.conflict.tokens[players - 2], tells="conflict tokens on their battle side"),
        category("cat", players - 1, -1, tells="who has it; -1: nobody"),
        number("stack", tokens, tells="progress tokens face down"),
        number(
            "military.left", printed.conflict.military_supply, -1, tells="victory tokens in the supply; -1: no limit"
        ),
        bits("open_wonders", state.WONDERS, tells="those that may still be chosen"),
        state.OPTIONS.observed(players),
        bits("extras", state.TOKENS[: state.EXTRA_TOKENS], tells="tokens that give another card now"),
        bits("used", state.TOKENS[: state.ENGINEERING + 1], tells="tokens used this turn"),
        bits("gained", state.TOKENS, tells="tokens gained this turn"),
        number("central.left", len(central), tells="cards left in the central deck"),
        category(
            "central.top", ["unknown", *state.CARDS], tells="its top card, if the cat has shown it to the observer"
        ),
        category(
            "looked.deck",
            ["none", *(f"player.{player}" for player in range(players))],
            tells="whose deck Halicarnassus looks at, if the observer sees it",
        ),
    ]
    found += [
        number(f"looked.{card}", printed.halicarnassus.looks_at, tells="cards of each kind that it looks at")
        for card in state.CARDS
    ]
    found += [
        number(f"offer.{token}", printed.copies(token), tells="progress tokens face up") for token in state.TOKENS
    ]
    found += [
        number(f"discard.{state.CARDS[kind - 1]}", most[kind], tells="cards of each kind that can be discarded")
        for kind in DISCARDED
    ]
    for player in (f"player.{player}" for player in range(players)):
        found += [
            category(f"{player}.wonder", ["none", *state.WONDERS]),
            bits(f"{player}.built", [str(stage + 1) for stage in range(state.STAGES)], tells="stages"),
            number(f"{player}.deck.left", max(map(len, decks)), tells="cards left in the deck of that wonder"),
            category(f"{player}.deck.top", cards),
            bits(f"{player}.tokens", state.TOKENS),
            number(f"{player}.culture", printed.tokens.copies.culture, tells="how many tokens of that name"),
            number(f"{player}.military", 2 * (horns // printed.conflict.tokens[players - 2]), tells="victory tokens"),
            number(f"{player}.shields", shields),
            number(
                f"{player}.score", MOST_POINTS, tells="without the tokens that count at the end; more is shown as this"
            ),
            number(f"{player}.saw_central", 1, tells="has been shown the top card of the central deck"),
        ]
        found += [
            number(f"{player}.cards.{card}", most[kind], tells="cards of each kind in front of the player")
            for kind, card in enumerate(state.CARDS, start=1)
        ]
    return tuple(found)


@kernel
def observe(s: Record, seat: int, out: Record) -> int:
    """Write what a seat (-1: a spectator, in the place of the first seat) sees, column by column; return how many."""
    out_of_line()
    players = s.players + 0
    me = max(seat, 0)
    laid_out = s.phase != state.PICK
    turn = s.turn - me
    cat = s.cat - me
    out.values[0] = -1 if s.finished else turn if turn >= 0 else turn + players
    out.values[1] = s.phase
    out.values[2] = s.turned
    out.values[3] = -1 if s.cat < 0 else cat if cat >= 0 else cat + players
    out.values[4] = s.stack_left
    out.values[5] = s.supply
    out.values[6] = s.open_wonders
    out.values[7] = s.observed_options
    out.values[8] = s.triggered & ~s.used
    out.values[9] = s.used
    out.values[10] = s.gained
    out.values[11] = s.deck_left[state.CENTRAL]
    out.values[12] = top_of(s, state.CENTRAL) if seat >= 0 and laid_out and s.knows >> me & 1 else 0
    out.values[13] = 0
    for i in range(28):
        out.values[14 + i] = 0
    if s.phase == state.KEEP and (s.reveal_public or seat == s.turn):
        observe_looked(s, me, out)
    for place in range(s.face_up):
        token = s.offer[place] + 0
        if token > 0:
            out.values[28 + token - 1] += 1
    for kind in range(6):
        out.values[42 + kind] = s.discard[state.WOOD + kind]
    for kind in range(3):
        out.values[48 + kind] = s.discard[state.COMPASS + kind]
    out.values[51] = s.discard[state.RED1]
    out.values[52] = s.discard[state.RED2]
    n = 53
    player = me
    for _ in range(players):
        wonder = s.wonder[player] + 0
        out.values[n] = wonder + 1
        out.values[n + 1] = s.built[player]
        out.values[n + 2] = s.deck_left[wonder] if laid_out else 0
        out.values[n + 3] = top_of(s, wonder) if laid_out else 0
        out.values[n + 4] = s.owned[player]
        out.values[n + 5] = s.culture[player]
        out.values[n + 6] = s.military[player]
        out.values[n + 7] = s.shields[player]
        out.values[n + 8] = min(s.score[player], MOST_POINTS)
        out.values[n + 9] = s.knows >> player & 1
        for kind in range(14):
            out.values[n + 10 + kind] = s.cards[player][1 + kind]
        n += 24
        player = player + 1 if player + 1 < players else 0
    return n


@kernel
def observe_looked(s: Record, me: int, out: Record) -> None:
    """The cards that Halicarnassus looks at, and whose deck they are of."""
    for other in range(s.players):
        if s.wonder[other] == s.looking:
            out.values[13] = 1 + (other - me if other >= me else other - me + s.players)
    left = s.deck_left[s.looking] + 0
    for place in range(max(left - s.looks_at, 0), left):
        out.values[14 + s.deck[s.looking][place] - 1] += 1

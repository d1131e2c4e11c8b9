"""The rules of 7 Wonders: Architects, in the order of the specification.

Section numbers (6, 7, ...) and rulings (A1, ...) are those of the project's specification of the game.
Everything here runs interpreted and compiled alike: nested ``cards[seat][kind]``, no NumPy, no allocation.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.architects.payments import (
    can_build,
    legal_builds,
    paid_cards,
    renew_costs,
    usable,
    uses_engineering,
)
from ziggurat.games.architects.state import (
    A_ACCEPT,
    A_ANY,
    A_BUILD,
    A_CLAIM,
    A_DECLINE,
    A_DRAW,
    A_END,
    A_EXTRA,
    A_KEEP,
    A_LOOK,
    A_PICK,
    A_TOKEN,
    ACT,
    ALEXANDRIA,
    ALL_BUILT,
    ARCHITECTURE,
    BABYLON,
    BATTLE,
    BUILT,
    CAT,
    CENTRAL,
    CLAIMED,
    COIN,
    COMPASS,
    CULTURE,
    DECK_TOP,
    DECKS_EMPTY,
    DECLINED,
    DECOR,
    DISARMED,
    DRAW,
    ECONOMY,
    EDUCATION,
    EFFECT,
    EFFECT_LOST,
    ENGINEERING,
    EPHESUS,
    EXTRA_TOKENS,
    FINAL,
    FINISHED,
    FOUGHT,
    GIZA,
    GRANTED,
    HALICARNASSUS,
    HORNS,
    KEEP,
    LEFT,
    LOOKED,
    LOOKED_AT,
    MIDDLE,
    NO_DECK,
    NO_WONDER,
    OLYMPIA,
    PAID,
    PASSED,
    PAYMENTS,
    PEEKED,
    PICK,
    POLITICS,
    RED0,
    RED1,
    RED2,
    RESHUFFLED,
    RHODES,
    RIGHT,
    SAW,
    SAW_CARDS,
    SET_OF_THREE,
    SETS,
    SKIPPED,
    STACK,
    STARTED,
    STRATEGY,
    TACTICS,
    TOKEN_REVEALED,
    TOOK,
    TURN,
    VP2CAT,
    WONDER,
    WONDERS_CHOSEN,
    WONDERS_RANDOM,
)

# Who gave a card, besides the progress tokens (their numbers) and the wonders (from BY_WONDER on).
BY_TURN = -1
BY_WONDER = 20

# --- 6. Set-up ---------------------------------------------------------------------------------------------------


@kernel
def setup(s: Record, trace: Record) -> None:
    """Section 6. ``s`` is a template: decks full and in order, options and printed numbers set, generator keyed."""
    out_of_line()
    s.cat = NO_SEAT
    s.looking = NO_DECK
    s.start = 0 if s.first_seat else below(s.rng, s.players)
    s.turn = s.start
    note(trace, STARTED, s.start, 0, 0, 0, 0)
    for place in range(7):
        s.wonder[place] = place
    if s.wonder_rule != WONDERS_CHOSEN:
        shuffle(s.rng, s.wonder, 7)
    if s.wonder_rule == WONDERS_RANDOM:
        for seat in range(7):
            if seat < s.players:
                note(trace, WONDER, seat, s.wonder[seat], 0, 0, 0)
            else:
                s.wonder[seat] = NO_WONDER
        lay_out(s, trace)
        go_on(s, trace)
        return
    s.open_wonders = 0
    for place in range(7):
        # Chosen: all of them. Drafted: one more than there are players, so that the last to choose has a choice.
        if s.wonder_rule == WONDERS_CHOSEN or place <= s.players:
            s.open_wonders |= 1 << s.wonder[place]
        s.wonder[place] = NO_WONDER
    s.phase = PICK
    s.picks = s.players
    if s.wonder_rule != WONDERS_CHOSEN:
        s.turn = right_neighbour(s, s.start)  # who plays last chooses first


@kernel
def pick(s: Record, seat: int, wonder: int, trace: Record) -> None:
    """Section 6.1: wonders that are chosen or drafted, each once."""
    out_of_line()
    s.wonder[seat] = wonder
    s.open_wonders &= ~(1 << wonder)
    note(trace, WONDER, seat, wonder, 0, 0, 0)
    s.picks -= 1
    if s.picks > 0:
        s.turn = left_neighbour(s, seat) if s.wonder_rule == WONDERS_CHOSEN else right_neighbour(s, seat)
        return
    s.open_wonders = 0
    s.turn = s.start
    lay_out(s, trace)


@kernel
def lay_out(s: Record, trace: Record) -> None:
    """Sections 6.2 to 6.7, once everybody has a wonder."""
    out_of_line()
    for seat in range(s.players):
        deck = s.wonder[seat] + 0
        renew_costs(s, seat)
        shuffle(s.rng, s.deck[deck], s.deck_left[deck])
        note(trace, DECK_TOP, NO_SEAT, deck, top_of(s, deck), s.deck_left[deck], 0)
    shuffle(s.rng, s.deck[CENTRAL], s.deck_left[CENTRAL])
    shuffle(s.rng, s.stack, s.stack_left)
    for place in range(s.face_up):
        reveal_token(s, place, trace)
    begin_turn(s, trace)


@kernel
def left_neighbour(s: Record, seat: int) -> int:
    """Section 2: the player on the left plays next."""
    return seat + 1 if seat + 1 < s.players else 0


@kernel
def right_neighbour(s: Record, seat: int) -> int:
    return seat - 1 if seat > 0 else s.players - 1


@kernel
def deck_at(s: Record, seat: int, side: int) -> int:
    """Section 2: the own deck lies on the left, that of the right neighbour on the right."""
    if side == LEFT:
        return s.wonder[seat] + 0
    if side == RIGHT:
        return s.wonder[right_neighbour(s, seat)] + 0
    return CENTRAL


@kernel
def top_of(s: Record, deck: int) -> int:
    """The kind of the top card; 0 for an empty deck."""
    left = s.deck_left[deck] + 0
    return s.deck[deck][left - 1] + 0 if left > 0 else 0


@kernel
def reveal_token(s: Record, place: int, trace: Record) -> None:
    """A place on offer is filled from the stack; A20: it stays empty when the stack is gone."""
    s.offer[place] = 0
    if s.stack_left > 0:
        s.stack_left -= 1
        s.offer[place] = s.stack[s.stack_left]
        s.stack[s.stack_left] = 0
        note(trace, TOKEN_REVEALED, NO_SEAT, place, s.offer[place] - 1, 0, 0)


# --- 7. The turn -------------------------------------------------------------------------------------------------


@kernel
def actors(s: Record) -> int:
    """Bit mask of the seats that must decide: always one, until the end."""
    if s.finished:
        return 0
    return 1 << s.turn


@kernel
def finished(s: Record) -> bool:
    return s.finished != 0


@kernel
def offer(out: Record, n: int, action: int, allowed: bool) -> int:
    """Write an action that counts only if it is allowed: the processor, which cannot guess that, need not."""
    out.values[n] = action
    return n + (1 if allowed else 0)


@kernel
def concealed(s: Record) -> bool:
    """Every choice is seen by all at once."""
    return False


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    """Write the legal actions of a seat; return how many (0 when it owes no decision)."""
    if s.finished or seat != s.turn:
        return 0
    if s.phase == DRAW:
        n = offer(out, 0, A_DRAW + LEFT, s.deck_left[deck_at(s, seat, LEFT)] > 0)
        n = offer(out, n, A_DRAW + RIGHT, s.deck_left[deck_at(s, seat, RIGHT)] > 0)
        return offer(out, n, A_DRAW + MIDDLE, s.deck_left[CENTRAL] > 0)
    if s.phase == ACT:
        return legal_acts(s, seat, out)
    return legal_effects(s, seat, out)


@kernel
def legal_acts(s: Record, seat: int, out: Record) -> int:
    """Section 7.3 and section 16: builds, claims, extra cards; the end of the turn when nothing is forced (A30)."""
    out_of_line()
    n = legal_builds(s, seat, out)
    n = legal_claims(s, seat, out, n)
    claims = must_claim(s, seat)
    extras = s.triggered & ~s.used
    found = 0
    if extras:
        for token in range(EXTRA_TOKENS):
            if extras >> token & 1:
                for side in range(3):
                    allowed = s.deck_left[deck_at(s, seat, side)] > 0
                    n = offer(out, n, A_EXTRA + token * 3 + side, allowed)
                    found |= allowed
    if not claims and not must_build(s, seat) and (s.extra_optional or not found):
        n = offer(out, n, A_END, True)
    return n


@kernel
def legal_effects(s: Record, seat: int, out: Record) -> int:
    """What a wonder's effect asks (section 4), and which wonder to choose (section 6.1)."""
    out_of_line()
    n = 0
    if s.phase == PICK:
        for wonder in range(7):
            n = offer(out, n, A_PICK + wonder, s.open_wonders >> wonder & 1 != 0)
        return n
    if s.phase == KEEP:
        shown = 0
        left = s.deck_left[s.looking] + 0
        for place in range(left - 1, max(left - s.looks_at, 0) - 1, -1):
            kind = s.deck[s.looking][place] + 0
            n = offer(out, n, A_KEEP + kind, shown >> kind & 1 == 0)
            shown |= 1 << kind
        return n
    wonder = s.wonder[seat] + 0
    if wonder == ALEXANDRIA:
        for deck in range(8):
            n = offer(out, n, A_ANY + deck, in_play(s, deck) and s.deck_left[deck] > 0)
    elif wonder == BABYLON:
        n = legal_tokens(s, out, n, A_TOKEN)
    elif wonder == HALICARNASSUS:
        for side in range(2):
            n = offer(out, n, A_LOOK + side, s.deck_left[deck_at(s, seat, side)] > 0)  # A18
    else:
        n = offer(out, n, A_ACCEPT, True)
    return offer(out, n, A_DECLINE, s.effect_optional != 0)


@kernel
def in_play(s: Record, deck: int) -> bool:
    """Whether a deck lies on the table."""
    if deck == CENTRAL:
        return True
    for seat in range(s.players):
        if s.wonder[seat] == deck:
            return True
    return False


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """Play a legal action, then go on to where somebody has to decide."""
    if action < A_EXTRA:
        s.phase = ACT
        take(s, seat, deck_at(s, seat, action - A_DRAW), BY_TURN, trace)
    elif action < A_BUILD:
        token = (action - A_EXTRA) // 3
        s.used |= 1 << token  # A8: used when the card is taken
        take(s, seat, deck_at(s, seat, (action - A_EXTRA) % 3), token, trace)
    elif action < A_CLAIM:
        build(s, seat, (action - A_BUILD) // PAYMENTS, (action - A_BUILD) % PAYMENTS, trace)
    elif action < A_TOKEN:
        claim(s, seat, (action - A_CLAIM) // 15, (action - A_CLAIM) % 15, trace)
    elif action == A_END:
        note(trace, PASSED, seat, 0, 0, 0, 0)
        end_turn(s, trace)
    elif action >= A_PICK:
        pick(s, seat, action - A_PICK, trace)
    else:
        resolve(s, seat, action, trace)
    go_on(s, trace)


@kernel
def go_on(s: Record, trace: Record) -> None:
    """End the turn, and those of players who can do nothing, until somebody has to decide."""
    while s.phase == ACT and not s.finished and not is_asked(s, s.turn):
        end_turn(s, trace)


@kernel
def is_asked(s: Record, seat: int) -> bool:
    """Whether anything but the end of the turn is left to do after the main draw."""
    if must_claim(s, seat):
        return True
    if s.triggered & ~s.used and can_draw(s, seat):
        return True
    return can_build(s, seat, usable(s, seat, ECONOMY), usable(s, seat, ENGINEERING))


@kernel
def must_build(s: Record, seat: int) -> bool:
    """Section 8, A1, A11, A12: a stage that can be paid must be built."""
    return can_build(
        s,
        seat,
        usable(s, seat, ECONOMY) and s.economy_forces != 0,
        usable(s, seat, ENGINEERING) and s.engineering_forces != 0,
    )


@kernel
def can_draw(s: Record, seat: int) -> bool:
    """Whether one of the three decks holds a card."""
    return (
        s.deck_left[CENTRAL] > 0 or s.deck_left[deck_at(s, seat, LEFT)] > 0 or s.deck_left[deck_at(s, seat, RIGHT)] > 0
    )


@kernel
def begin_turn(s: Record, trace: Record) -> None:
    """Section 7.1. A24: the game ends when nothing is left on the table; who reaches no card draws none (A36)."""
    left = s.deck_left[CENTRAL] + 0
    if left == 0 and not cards_left(s):
        note(trace, DECKS_EMPTY, NO_SEAT, 0, 0, 0, 0)
        end_game(s, trace)
        return
    s.triggered = 0
    s.used = 0
    s.gained = 0
    note(trace, TURN, s.turn, 0, 0, 0, 0)
    if s.cat == s.turn and left > 0:  # A37: looking costs nothing, so it is not asked
        s.knows |= 1 << s.turn
        note(trace, PEEKED, s.turn, 0, 0, 0, 0)
        note(trace, SAW, s.turn, top_of(s, CENTRAL), 0, 0, 0)
    if left > 0 or can_draw(s, s.turn):
        s.phase = DRAW
    else:
        note(trace, SKIPPED, s.turn, 0, 0, 0, 0)
        s.phase = ACT


@kernel
def cards_left(s: Record) -> bool:
    """Whether any deck on the table holds a card."""
    out_of_line()
    for deck in range(8):
        if s.deck_left[deck] > 0 and in_play(s, deck):
            return True
    return False


@kernel
def end_turn(s: Record, trace: Record) -> None:
    """Section 7.4, A22: a battle, the end of the game, or the left neighbour."""
    complete = s.built[s.turn] == ALL_BUILT
    if s.turned >= s.conflict and (s.battle_first or not complete):
        fight(s, trace)
    if complete:
        end_game(s, trace)
    else:
        s.turn = left_neighbour(s, s.turn)
        begin_turn(s, trace)


# --- 8. Building stages ------------------------------------------------------------------------------------------


@kernel
def build(s: Record, seat: int, stage: int, payment: int, trace: Record) -> None:
    """Section 8: the cards go to the discard pile, the piece is turned, its effect happens at once."""
    out_of_line()
    wonder = s.wonder[seat] + 0
    engineering = uses_engineering(s, stage, payment)
    doubled = payment & 1
    points = s.stage_points[wonder][stage] + 0
    s.built[seat] |= 1 << stage
    renew_costs(s, seat)
    s.score[seat] += points
    note(trace, BUILT, seat, wonder * 8 + stage, points, doubled + 2 * engineering, s.built[seat])
    paid = paid_cards(s, stage, payment)
    for kind in range(1, COIN + 1):
        for _ in range(paid & 63):
            s.cards[seat][kind] -= 1
            s.discard[kind] += 1
            note(trace, PAID, seat, kind, 0, 0, 0)
        paid >>= 6
    if doubled:
        s.used |= 1 << ECONOMY  # A14
    if engineering:
        s.used |= 1 << ENGINEERING
    s.triggered |= 1 << ARCHITECTURE & active_tokens(s, seat)  # A16
    if s.effects[wonder] >> stage & 1:
        begin_effect(s, seat, trace)


@kernel
def active_tokens(s: Record, seat: int) -> int:
    """Bit mask of the tokens that work now; A10: perhaps not those gained this turn."""
    active = s.owned[seat] & ~s.used
    return active if s.same_turn else active & ~s.gained


# --- 4. The effects of the wonders -------------------------------------------------------------------------------


@kernel
def begin_effect(s: Record, seat: int, trace: Record) -> None:
    """Section 4: at once; what cannot happen is lost."""
    out_of_line()
    wonder = s.wonder[seat] + 0
    if wonder == GIZA:
        return
    if wonder == RHODES:
        s.shields[seat] += s.rhodes_shields
        return
    possible = False
    if wonder == ALEXANDRIA:
        possible = cards_left(s)
    elif wonder == BABYLON:
        possible = tokens_left(s)
    elif wonder == EPHESUS:
        possible = s.deck_left[CENTRAL] > 0
    else:
        possible = s.deck_left[deck_at(s, seat, LEFT)] > 0 or s.deck_left[deck_at(s, seat, RIGHT)] > 0
    if not possible:
        note(trace, EFFECT_LOST, seat, wonder, 0, 0, 0)
    elif s.effect_optional or wonder not in (EPHESUS, OLYMPIA):
        s.phase = EFFECT
    else:
        draw_for_effect(s, seat, trace)


@kernel
def draw_for_effect(s: Record, seat: int, trace: Record) -> None:
    """Ephesus: the central card. Olympia, A17: the cards of both sides; an empty deck gives nothing."""
    wonder = s.wonder[seat] + 0
    if wonder == EPHESUS:
        take(s, seat, CENTRAL, BY_WONDER + wonder, trace)
        return
    for side in range(2):
        deck = deck_at(s, seat, side)
        if s.deck_left[deck] > 0:
            take(s, seat, deck, BY_WONDER + wonder, trace)


@kernel
def resolve(s: Record, seat: int, action: int, trace: Record) -> None:
    """What the player chose for the wonder's effect."""
    out_of_line()
    wonder = s.wonder[seat] + 0
    s.phase = ACT
    if action == A_DECLINE:
        note(trace, DECLINED, seat, wonder, 0, 0, 0)
    elif action == A_ACCEPT:
        draw_for_effect(s, seat, trace)
    elif action < A_ANY:
        token = action - A_TOKEN
        note(trace, GRANTED, seat, token_named(s, token), 1 if token == STACK else 0, wonder, 0)
        take_token(s, seat, token, trace)
    elif action < A_LOOK:
        take(s, seat, action - A_ANY, BY_WONDER + wonder, trace)
    elif action < A_KEEP:
        look_at_cards(s, seat, deck_at(s, seat, action - A_LOOK), trace)
    else:
        keep_card(s, seat, action - A_KEEP, trace)


@kernel
def look_at_cards(s: Record, seat: int, deck: int, trace: Record) -> None:
    """Halicarnassus: the top five cards, or what there is; A38: they still lie on the deck."""
    s.looking = deck
    s.phase = KEEP
    count = min(s.looks_at, s.deck_left[deck])
    note(trace, LOOKED, seat, deck, count, 0, 0)
    code = LOOKED_AT if s.reveal_public else SAW_CARDS
    for place in range(s.deck_left[deck] - 1, s.deck_left[deck] - 1 - count, -1):
        note(trace, code, seat, s.deck[deck][place], deck, 0, 0)


@kernel
def keep_card(s: Record, seat: int, kind: int, trace: Record) -> None:
    """Halicarnassus: one card is kept, the others are shuffled back into the whole deck."""
    deck = s.looking + 0
    place = s.deck_left[deck] - 1
    while s.deck[deck][place] != kind:
        place -= 1
    s.deck_left[deck] -= 1
    left = s.deck_left[deck] + 0
    for i in range(place, left):
        s.deck[deck][i] = s.deck[deck][i + 1]
    s.deck[deck][left] = 0
    s.looking = NO_DECK
    shuffle(s.rng, s.deck[deck], left)
    receive(s, seat, kind, deck, BY_WONDER + HALICARNASSUS, trace)
    if left > 0:
        note(trace, RESHUFFLED, NO_SEAT, deck, left, 0, 0)
    note(trace, DECK_TOP, NO_SEAT, deck, top_of(s, deck), left, 0)


# --- 9. Science --------------------------------------------------------------------------------------------------


@kernel
def tokens_left(s: Record) -> bool:
    if s.stack_left > 0:
        return True
    for place in range(s.face_up):
        if s.offer[place] != 0:
            return True
    return False


@kernel
def must_claim(s: Record, seat: int) -> bool:
    """Section 9: two equal symbols or three different ones; A20: not when no token is left."""
    cards = s.cards[seat]
    compasses, gears, tablets = cards[COMPASS], cards[COMPASS + 1], cards[COMPASS + 2]
    if compasses + gears + tablets < 2:
        return False
    if compasses > 1 or gears > 1 or tablets > 1 or (compasses > 0 and gears > 0 and tablets > 0):
        return tokens_left(s)
    return False


@kernel
def has_set(s: Record, seat: int, green: int) -> bool:
    """A19: the owner chooses between a pair and a triple."""
    cards = s.cards[seat]
    if green == SET_OF_THREE:
        return cards[COMPASS] > 0 and cards[COMPASS + 1] > 0 and cards[COMPASS + 2] > 0
    return cards[COMPASS + green] > 1


@kernel
def legal_claims(s: Record, seat: int, out: Record, n: int) -> int:
    if must_claim(s, seat):
        for green in range(SETS):
            if has_set(s, seat, green):
                n = legal_tokens(s, out, n, A_CLAIM + green * 15)
    return n


@kernel
def legal_tokens(s: Record, out: Record, n: int, base: int) -> int:
    """Every kind of token on offer (A40: two Culture tokens are one choice) and the unseen one."""
    out_of_line()
    seen = 0
    for place in range(s.face_up):
        token = s.offer[place] + 0
        n = offer(out, n, base + token - 1, token != 0 and seen >> token & 1 == 0)
        seen |= 1 << token
    return offer(out, n, base + STACK, s.stack_left > 0)


@kernel
def claim(s: Record, seat: int, green: int, token: int, trace: Record) -> None:
    """Section 9: exactly the cards of the set are discarded."""
    out_of_line()
    note(trace, CLAIMED, seat, token_named(s, token), green, 1 if token == STACK else 0, 0)
    for symbol in range(3):
        count = 1 if green == SET_OF_THREE else 2 if symbol == green else 0
        s.cards[seat][COMPASS + symbol] -= count
        s.discard[COMPASS + symbol] += count
    take_token(s, seat, token, trace)


@kernel
def token_named(s: Record, token: int) -> int:
    """The token that a choice means; that of the stack is revealed when it is placed."""
    return s.stack[s.stack_left - 1] - 1 if token == STACK else token


@kernel
def take_token(s: Record, seat: int, choice: int, trace: Record) -> None:
    """Section 9: a face-up token is replaced at once from the stack."""
    token = token_named(s, choice)
    if choice == STACK:
        s.stack_left -= 1
        s.stack[s.stack_left] = 0
    else:
        place = 0
        while s.offer[place] != choice + 1:
            place += 1
        reveal_token(s, place, trace)
    s.owned[seat] |= 1 << token
    s.gained |= 1 << token
    if token == CULTURE:
        s.culture[seat] += 1
    elif token == TACTICS:
        s.shields[seat] += s.tactics_shields  # A32: at once


# --- 12. Taking cards --------------------------------------------------------------------------------------------


@kernel
def take(s: Record, seat: int, deck: int, by: int, trace: Record) -> None:
    """Take the top card of a deck that is not empty."""
    s.deck_left[deck] -= 1
    left = s.deck_left[deck] + 0
    card = s.deck[deck][left] + 0
    s.deck[deck][left] = 0
    if deck == CENTRAL:
        s.knows = 0
    receive(s, seat, card, deck, by, trace)
    note(trace, DECK_TOP, NO_SEAT, deck, top_of(s, deck) if deck != CENTRAL else 0, left, 0)


@kernel
def receive(s: Record, seat: int, card: int, deck: int, by: int, trace: Record) -> None:
    """Section 12: every card that comes to lie in front of a player has its full effect and can trigger tokens."""
    points = s.card_points[card] + 0
    s.cards[seat][card] += 1
    s.score[seat] += points
    note(trace, TOOK, seat, card, deck, by, points)
    s.triggered |= s.triggers[card] & active_tokens(s, seat)
    if card == VP2CAT:
        move_cat(s, seat, trace)
    elif card >= RED0:
        s.shields[seat] += 1
        if card > RED0:
            sound_horns(s, seat, card - RED0, trace)


# --- 10. Military ------------------------------------------------------------------------------------------------


@kernel
def sound_horns(s: Record, seat: int, horns: int, trace: Record) -> None:
    """Each horn turns a conflict token; A21: surplus horns do nothing."""
    turned = min(horns, s.conflict - s.turned)
    s.turned += turned
    if turned > 0:
        note(trace, HORNS, seat, turned, s.turned, s.conflict, 0)


@kernel
def fight(s: Record, trace: Record) -> None:
    """Section 10: all players compare shields; then the cards with horns are discarded, and peace returns."""
    out_of_line()
    note(trace, BATTLE, NO_SEAT, 0, 0, 0, 0)
    seat = s.turn + 0
    for _ in range(s.players):
        won = victories(s, seat)
        if s.supply >= 0:  # A34: clockwise from the active seat
            won = min(won, s.supply)
            s.supply -= won
        s.military[seat] += won
        s.score[seat] += won * s.military_points
        note(trace, FOUGHT, seat, s.shields[seat], won, won * s.military_points, 0)
        seat = left_neighbour(s, seat)
    for loser in range(s.players):
        for kind in range(RED1, RED2 + 1):
            count = s.cards[loser][kind] + 0
            if count > 0:
                s.cards[loser][kind] = 0
                s.discard[kind] += count
                s.shields[loser] -= count
                note(trace, DISARMED, loser, kind, count, 0, 0)
    s.turned = 0


@kernel
def victories(s: Record, seat: int) -> int:
    """Section 10: victory tokens of a seat in a battle, 0 to 2."""
    mine = s.shields[seat] + 0
    left = s.shields[left_neighbour(s, seat)] + 0
    if s.players > 2:
        right = s.shields[right_neighbour(s, seat)] + 0
        return (1 if mine > left else 0) + (1 if mine > right else 0)
    if mine <= left:
        return 0
    if left == 0 and s.zero_needs_two:
        return 2 if mine >= 2 else 1  # A26; A41 without this option
    return 2 if mine >= 2 * left else 1


# --- 11. Cat pawn ------------------------------------------------------------------------------------------------


@kernel
def move_cat(s: Record, seat: int, trace: Record) -> None:
    """Section 11: it comes to the taker at once, and stays with who has it."""
    owner = s.cat + 0
    if owner != seat:
        if owner != NO_SEAT:
            s.score[owner] -= s.cat_points
        s.score[seat] += s.cat_points
        s.cat = seat
        note(trace, CAT, seat, owner, s.cat_points, 0, 0)


# --- 13. End of the game -----------------------------------------------------------------------------------------


@kernel
def end_game(s: Record, trace: Record) -> None:
    """Section 13: the tokens that count at the end, then the winners."""
    out_of_line()
    for seat in range(s.players):
        for token in range(DECOR, CULTURE + 1):
            if s.owned[seat] >> token & 1:
                points = final_points(s, seat, token)
                s.score[seat] += points
                note(trace, FINAL, seat, token, s.culture[seat] if token == CULTURE else 1, points, 0)
    s.finished = 1
    complete = NO_SEAT
    for seat in range(s.players):
        if s.built[seat] == ALL_BUILT:
            complete = seat + 0
    note(trace, FINISHED, complete, winners(s), 0, 0, 0)


@kernel
def final_points(s: Record, seat: int, token: int) -> int:
    """Section 5: what a token gives at the end of the game, as things stand."""
    if token == DECOR:
        return s.decor[1] + 0 if s.built[seat] == ALL_BUILT else s.decor[0] + 0
    if token == POLITICS:
        return s.politics * s.cards[seat][VP2CAT]
    if token == STRATEGY:
        return s.strategy * s.military[seat]
    if token == EDUCATION:
        return s.education * tokens_of(s, seat)
    if token == CULTURE:
        return s.culture_points[1] + 0 if s.culture[seat] > 1 else s.culture_points[0] + 0
    return 0


@kernel
def tokens_of(s: Record, seat: int) -> int:
    """How many progress tokens a seat owns."""
    count = max(s.culture[seat] - 1, 0)
    owned = s.owned[seat] + 0
    while owned:
        owned &= owned - 1
        count += 1
    return count


@kernel
def stages_of(s: Record, seat: int) -> int:
    built = s.built[seat] + 0
    count = 0
    while built:
        built &= built - 1
        count += 1
    return count


@kernel
def winners(s: Record) -> int:
    """Section 13, A28: bit mask of the seats with most points; tied, with most stages; still tied, all of them."""
    best = -1
    mask = 0
    for seat in range(s.players):
        rank = (s.score[seat] + 1000) * 8 + stages_of(s, seat)
        if rank > best:
            best = rank
            mask = 1 << seat
        elif rank == best:
            mask |= 1 << seat
    return mask


@kernel
def scores(s: Record, out: Record) -> int:
    """Stages, blue cards, victory tokens and cat at any time; the tokens that count at the end only then.

    Returns how many seats there are.
    """
    for seat in range(s.players):
        out.values[seat] = s.score[seat]
    return s.players + 0

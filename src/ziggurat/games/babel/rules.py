"""The rules of Tower of Babel, in the order of the specification.

Section numbers (2, 4.2, ...) and rulings (R1, ...) are those of the project's specification of the game.
Everything here runs interpreted and compiled alike: nested ``hand[seat][kind]``, no NumPy, no allocation.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.babel.state import (
    A_ACCEPT,
    A_COMMIT,
    A_DECLINE,
    A_DISC,
    A_DOUBLE,
    A_DRAW,
    A_EXCHANGE,
    A_FAIL,
    A_LAY,
    A_PASS,
    A_TRADE,
    A_TRIPLE,
    ACCEPTED,
    ACTION_KINDS,
    BONUS,
    BONUS_ROWS,
    BUILT,
    BY_CLOSING,
    BY_DRAW,
    BY_EXCHANGE,
    BY_PASS,
    BY_SETUP,
    CHOSE,
    CLOSING,
    DISC_BONUS,
    DISC_LAID,
    DISCS,
    DOUBLE_TURN,
    DOUBLED,
    DRAW_CARDS,
    DREW,
    END_BONUS,
    EXCHANGE,
    EXCHANGED,
    EXHAUSTED,
    FAILED,
    FINISHED,
    GOT_ACTION,
    JOKER,
    KINDS,
    LAID,
    MOST_JOKERS,
    NO_DISC,
    OFFER,
    OFFERED,
    PAID,
    PASSED,
    PLACED,
    PLAYED_DRAW,
    REFUSAL,
    REFUSED,
    RESHUFFLED,
    REVEALED,
    ROWS,
    SAW_ACTION,
    SELECT,
    SPACES,
    STALLED,
    STARTED,
    TRIPLE_REFUSAL,
    TRIPLED,
    TURN,
    TURNED,
    WAYS,
    WONDER_COUNT,
    WONDER_DONE,
    WONDER_SCORED,
)

# --- 2. Set-up ---------------------------------------------------------------------------------------------------


@kernel
def setup(s: Record, trace: Record) -> None:
    """Section 2. ``s`` is a template: decks full and in order, discs unshuffled, options set, generator keyed."""
    out_of_line()
    s.chosen = NO_DISC
    for i in range(DISCS - 1, 0, -1):
        j = below(s.rng, i + 1)
        for kind in range(KINDS):
            kept = s.disc[i][kind] + 0
            s.disc[i][kind] = s.disc[j][kind]
            s.disc[j][kind] = kept
    for disc in range(DISCS):
        note_disc(s, DISC_LAID, NO_SEAT, disc, trace)
    shuffle(s.rng, s.action_deck, s.action_left)
    shuffle(s.rng, s.deck, s.deck_left)
    s.start = 0 if s.start_rule else below(s.rng, s.players)  # R20
    s.turn = s.start
    note(trace, STARTED, s.start, 0, 0, 0, 0)
    seat = s.start + 0
    for _ in range(s.players):
        for _ in range(s.start_hand):
            draw_card(s, seat, BY_SETUP, trace)
        seat = left_neighbour(s, seat)
    s.busy = 0
    note(trace, TURNED, s.turn, 0, 0, 0, 0)


@kernel
def note_disc(s: Record, code: int, seat: int, disc: int, trace: Record) -> None:
    """A row about a disc: which, and what it asks for, packed as ``16 * first + second`` of camel, crane and so on."""
    need = s.disc[disc]
    note(trace, code, seat, disc, need[0] * 16 + need[1], need[2] * 16 + need[3], 0)


@kernel
def left_neighbour(s: Record, seat: int) -> int:
    """Section 3: play goes clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


@kernel
def drawable(s: Record) -> int:
    """How many building cards can still be drawn."""
    return s.deck_left + s.discard[0] + s.discard[1] + s.discard[2] + s.discard[3]


@kernel
def draw_card(s: Record, seat: int, by: int, trace: Record) -> None:
    """Draw a building card. R7, R21: the discards are shuffled when one is needed; with none left nothing happens."""
    if s.deck_left == 0:
        if drawable(s) == 0:
            return
        reshuffle(s, trace)
    s.deck_left -= 1
    card = s.deck[s.deck_left] - 1
    s.deck[s.deck_left] = 0
    s.hand[seat][card] += 1
    s.busy = 1
    note(trace, DREW, seat, card, by, 0, 0)


@kernel
def reshuffle(s: Record, trace: Record) -> None:
    out_of_line()
    for kind in range(KINDS):
        for _ in range(s.discard[kind]):
            s.deck[s.deck_left] = kind + 1
            s.deck_left += 1
        s.discard[kind] = 0
    note(trace, RESHUFFLED, NO_SEAT, s.deck_left, 0, 0, 0)
    shuffle(s.rng, s.deck, s.deck_left)


# --- 4. The turn -------------------------------------------------------------------------------------------------


@kernel
def actors(s: Record) -> int:
    """Bit mask of the seats that must decide: several while offers are made, and when refused offers are asked.

    R26: an exchange that is begun is finished before anybody else goes on, or others could draw what it needs.
    """
    if s.finished:
        return 0
    if s.phase == OFFER or s.phase == REFUSAL:
        for seat in range(s.players):
            if s.exchanging[seat]:
                return 1 << seat
        return s.waiting + 0
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
    """Sections 4.2 and 7: offers lie face down until all have made theirs."""
    return bool(s.phase == OFFER)


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    """Write the legal actions of a seat; return how many (0 when it owes no decision)."""
    if seat < 0 or actors(s) >> seat & 1 == 0:
        return 0
    if s.exchanging[seat]:
        return legal_gifts(s, seat, out)
    if s.phase == TURN:
        n = offer(out, 0, A_PASS, True)
        for disc in range(DISCS):
            n = offer(out, n, A_DISC + disc, is_there(s, disc))
    elif s.phase == OFFER:
        n = legal_cards(s, seat, out)
        if size_of(s.laid[seat]) > 0:
            return n  # an offer that is begun is finished
    elif s.phase == SELECT:
        n = legal_selections(s, out)
    elif s.phase == REFUSAL:
        n = offer(out, 0, A_DECLINE, True)
        n = offer(out, n, A_TRIPLE, s.actions[seat][TRIPLE_REFUSAL] > 0)
    else:
        n = offer(out, 0, A_DECLINE, True)
        n = offer(out, n, A_DOUBLE, s.actions[seat][DOUBLE_TURN] > 0)
    # R10, R24: at every decision.
    if s.actions[seat][EXCHANGE] > 0 or s.actions[seat][DRAW_CARDS] > 0:
        some = drawable(s) > 0
        n = offer(out, n, A_EXCHANGE, s.actions[seat][EXCHANGE] > 0 and some and size_of(s.hand[seat]) > 0)
        n = offer(out, n, A_DRAW, s.actions[seat][DRAW_CARDS] > 0 and some)
    return n


@kernel
def is_there(s: Record, disc: int) -> bool:
    need = s.disc[disc]
    return (need[0] | need[1] | need[2] | need[3]) != 0


@kernel
def size_of(cards: Record) -> int:
    """How many cards there are of all types."""
    total: int = cards[0] + cards[1] + cards[2] + cards[3]
    return total


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """Play a legal action."""
    if action == A_PASS:
        note(trace, PASSED, seat, 0, 0, 0, 0)
        draw_card(s, seat, BY_PASS, trace)
        after_turn(s, trace)
    elif action < A_LAY:
        choose_disc(s, action - A_DISC, trace)
    elif action < A_COMMIT:
        lay_card(s, seat, action - A_LAY)
    elif action < A_ACCEPT:
        if s.exchanging[seat]:
            exchange(s, seat, trace)
        else:
            commit(s, seat, action - A_COMMIT, trace)
    elif action < A_FAIL:
        pay(s, seats_of(s, (action - A_ACCEPT) // WAYS), (action - A_ACCEPT) % WAYS, trace)
    elif action == A_FAIL:
        s.accepted = 0
        s.built = 0
        note(trace, FAILED, seat, s.chosen, 0, 0, 0)
        ask_refused(s, trace)
    else:
        play_card(s, seat, action, trace)


@kernel
def play_card(s: Record, seat: int, action: int, trace: Record) -> None:
    """Section 6: action cards, and declining to play one."""
    out_of_line()
    if action == A_EXCHANGE:
        use_card(s, seat, EXCHANGE)
        s.exchanging[seat] = 1
        s.last[seat] = 0
    elif action == A_DRAW:
        use_card(s, seat, DRAW_CARDS)
        note(trace, PLAYED_DRAW, seat, 0, 0, 0, 0)
        for _ in range(s.draw_cards):
            draw_card(s, seat, BY_DRAW, trace)
        after_card(s, seat, trace)
    elif action == A_DOUBLE:
        use_card(s, seat, DOUBLE_TURN)
        note(trace, DOUBLED, seat, 0, 0, 0, 0)
        s.phase = TURN
    elif s.phase == CLOSING:
        close_turn(s, trace)
    else:
        if action == A_TRIPLE:
            use_card(s, seat, TRIPLE_REFUSAL)
            s.tripled |= 1 << seat
            note(trace, TRIPLED, seat, 0, 0, 0, 0)
        answered(s, seat, trace)


@kernel
def use_card(s: Record, seat: int, kind: int) -> None:
    s.actions[seat][kind] -= 1
    s.action_used[kind] += 1


@kernel
def after_card(s: Record, seat: int, trace: Record) -> None:
    """Whoever has played the last action card is not asked any more what only holders of one are asked."""
    if not holds_action(s, seat):
        if s.phase == CLOSING:
            close_turn(s, trace)
        elif s.phase == REFUSAL:
            answered(s, seat, trace)


@kernel
def answered(s: Record, seat: int, trace: Record) -> None:
    """R13: a seat has said whether its refused offer counts three times."""
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        pay_refused(s, trace)


# --- Action card: exchange ---------------------------------------------------------------------------------------


@kernel
def legal_gifts(s: Record, seat: int, out: Record) -> int:
    """R26: one to five cards, named before drawing, no more than can be drawn; they are named in the order of types."""
    out_of_line()
    given = size_of(s.given[seat])
    n = 0
    if given < s.exchange_cards and given < drawable(s):
        for kind in range(s.last[seat], KINDS):
            n = offer(out, n, A_LAY + kind, s.hand[seat][kind] > 0)
    return offer(out, n, A_COMMIT, given > 0)


@kernel
def exchange(s: Record, seat: int, trace: Record) -> None:
    """R17: the replacements are drawn first, then the cards are discarded."""
    out_of_line()
    s.exchanging[seat] = 0
    s.last[seat] = 0  # an offer that follows begins with any type
    for kind in range(KINDS):
        for _ in range(s.given[seat][kind]):
            note(trace, EXCHANGED, seat, kind, 0, 0, 0)
            forget(s, seat, kind)
    for _ in range(size_of(s.given[seat])):
        draw_card(s, seat, BY_EXCHANGE, trace)
    for kind in range(KINDS):
        s.discard[kind] += s.given[seat][kind]
        s.given[seat][kind] = 0
    after_card(s, seat, trace)


@kernel
def forget(s: Record, seat: int, kind: int) -> None:
    """A card leaves the cards of a seat for all to see."""
    if s.known[seat][kind] > 0:
        s.known[seat][kind] -= 1


# --- 4.2 Build: B1, B2 -------------------------------------------------------------------------------------------


@kernel
def choose_disc(s: Record, disc: int, trace: Record) -> None:
    """B1. Whoever has nothing that could be laid or played is not asked."""
    out_of_line()
    s.chosen = disc
    s.phase = OFFER
    s.waiting = 0
    note_disc(s, CHOSE, s.turn, disc, trace)
    for seat in range(s.players):
        s.last[seat] = 0
        s.trade[seat] = 0
        if seat != s.turn and (size_of(s.hand[seat]) > 0 or holds_action(s, seat)):
            s.waiting |= 1 << seat
    if s.waiting == 0:
        reveal(s, trace)


@kernel
def holds_action(s: Record, seat: int) -> bool:
    """Whether a seat holds any action card: their number is public, their kinds are not."""
    for kind in range(ACTION_KINDS):
        if s.actions[seat][kind] > 0:
            return True
    return False


@kernel
def legal_cards(s: Record, seat: int, out: Record) -> int:
    """B2, R1, R2, R25: cards of any type, in the order of types, no more than the disc asks for; then with or without
    the trade card, which is never laid alone."""
    laid = size_of(s.laid[seat])
    n = 0
    if laid < size_of(s.disc[s.chosen]):
        for kind in range(s.last[seat], KINDS):
            n = offer(out, n, A_LAY + kind, s.hand[seat][kind] > 0)
    n = offer(out, n, A_COMMIT, not s.strict or valid_units(s, seat) <= units_left(s, seat))
    return offer(out, n, A_TRADE, laid > 0)


@kernel
def valid_units(s: Record, seat: int) -> int:
    """Units that an offer without the trade card needs (R30)."""
    total = 0
    for kind in range(KINDS):
        total += min(s.laid[seat][kind], s.disc[s.chosen][kind])
    return total


@kernel
def units_left(s: Record, seat: int) -> int:
    """R8: building pieces that a seat has not placed."""
    left = s.units_each + 0
    for wonder in range(WONDER_COUNT):
        left -= s.units[wonder][seat]
    return left


@kernel
def lay_card(s: Record, seat: int, kind: int) -> None:
    """A card of an offer, or one to be exchanged. Nobody else is told before the offer is complete."""
    s.hand[seat][kind] -= 1
    s.last[seat] = kind
    if s.exchanging[seat]:
        s.given[seat][kind] += 1
    else:
        s.laid[seat][kind] += 1


@kernel
def commit(s: Record, seat: int, trade: int, trace: Record) -> None:
    """B2, R22: only the number of cards shows, the trade card among them. All offers are revealed together."""
    s.trade[seat] = trade
    note(trace, LAID, seat, size_of(s.laid[seat]) + trade, 0, 0, 0)
    for kind in range(KINDS):
        if s.laid[seat][kind] > 0:
            note(trace, OFFERED, seat, kind, s.laid[seat][kind], trade, 0)
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        reveal(s, trace)


@kernel
def reveal(s: Record, trace: Record) -> None:
    """B2: cards of a wrong type, and those above the number that is asked for (R3), go back to the hand at once."""
    out_of_line()
    for seat in range(s.players):
        if seat == s.turn:
            continue
        valid = 0
        for kind in range(KINDS):
            laid = s.laid[seat][kind] + 0
            kept = min(laid, s.disc[s.chosen][kind])
            if s.strict and not s.trade[seat]:
                kept = min(kept, units_left(s, seat) - valid)
            s.laid[seat][kind] = kept
            s.hand[seat][kind] += laid - kept
            s.returned[seat][kind] = laid - kept
            s.known[seat][kind] = max(s.known[seat][kind], laid)
            valid += kept
            if laid > 0:
                note(trace, REVEALED, seat, kind, laid, kept, s.trade[seat])
        if valid == 0:
            s.trade[seat] = 0  # R4
    s.phase = SELECT


# --- B3, B4 ------------------------------------------------------------------------------------------------------


@kernel
def seats_of(s: Record, mask: int) -> int:
    """Opponents counted from the left neighbour, as a bit mask of seats."""
    seats = 0
    seat = left_neighbour(s, s.turn)
    while mask:
        if mask & 1:
            seats |= 1 << seat
        mask >>= 1
        seat = left_neighbour(s, seat)
    return seats


@kernel
def legal_selections(s: Record, out: Record) -> int:
    """B3: the sets of offers that can be accepted and completed; R5: or failure."""
    out_of_line()
    n = offer(out, 0, A_FAIL, True)
    ways = (min(s.actions[s.turn][JOKER], MOST_JOKERS) + 1) ** 2
    for mask in range(1 << (s.players - 1)):
        seats = seats_of(s, mask)
        if may_accept(s, seats):
            for way in range(ways):
                n = offer(out, n, A_ACCEPT + mask * WAYS + way, is_way(s, seats, way))
    return n


@kernel
def may_accept(s: Record, seats: int) -> bool:
    """B3: whether these offers may be accepted together."""
    trades = 0
    for seat in range(s.players):
        if seats >> seat & 1:
            if size_of(s.laid[seat]) == 0:
                return False  # R25
            trades += s.trade[seat]
    if trades > 1:
        return False
    for kind in range(KINDS):
        if missing(s, seats, kind) < 0:
            return False
    return True


@kernel
def missing(s: Record, seats: int, kind: int) -> int:
    """How many cards of a type the active player has to add; negative when the offers are too many."""
    need = s.disc[s.chosen][kind] + 0
    for seat in range(s.players):
        if seats >> seat & 1:
            need -= s.laid[seat][kind]
    return need


@kernel
def jokers_of(way: int) -> int:
    """How many jokers a way to pay uses."""
    jokers = 0
    while (jokers + 1) * (jokers + 1) <= way:
        jokers += 1
    return jokers


@kernel
def joker_cards(s: Record, way: int, kind: int) -> int:
    """R11: for how many cards of a type the jokers of a way stand; a disc asks for one type or for two."""
    jokers = jokers_of(way)
    first = way - jokers * jokers
    for other in range(kind):
        if s.disc[s.chosen][other] > 0:
            return 2 * jokers - first  # the second type
    return first


@kernel
def is_way(s: Record, seats: int, way: int) -> bool:
    """B4: whether hand and jokers make exactly what is missing. A joker stands for exactly two of the cards."""
    jokers = jokers_of(way)
    if jokers > s.actions[s.turn][JOKER]:
        return False
    units = 2 * jokers
    covered = 0
    for kind in range(KINDS):
        if s.disc[s.chosen][kind] > 0:
            need = missing(s, seats, kind)
            by_jokers = joker_cards(s, way, kind)
            if by_jokers > need or need - by_jokers > s.hand[s.turn][kind]:
                return False
            units += need - by_jokers
            covered += by_jokers
    if covered != 2 * jokers:
        return False
    if s.strict:
        for seat in range(s.players):
            if seats >> seat & 1 and s.trade[seat]:
                units += size_of(s.laid[seat])
        return units <= units_left(s, s.turn)
    return True


@kernel
def pay(s: Record, accepted: int, way: int, trace: Record) -> None:
    """B4: cards are spent, units placed, the disc goes to its owner."""
    out_of_line()
    s.accepted = accepted
    seat = s.turn + 0
    wonder = s.chosen // SPACES
    jokers = jokers_of(way)
    owner = seat
    units = 2 * jokers
    note(trace, ACCEPTED, seat, s.accepted, jokers, s.chosen, 0)
    for _ in range(jokers):
        use_card(s, seat, JOKER)
    for kind in range(KINDS):
        if s.disc[s.chosen][kind] > 0:
            own = missing(s, s.accepted, kind) - joker_cards(s, way, kind)
            units += own
            s.hand[seat][kind] -= own
            s.discard[kind] += own
            for _ in range(own):
                forget(s, seat, kind)
            if own > 0:
                note(trace, PAID, seat, kind, own, 0, 0)
    for other in range(s.players):
        if s.accepted >> other & 1:
            count = size_of(s.laid[other])
            for kind in range(KINDS):
                s.discard[kind] += s.laid[other][kind]
                for _ in range(s.laid[other][kind]):
                    forget(s, other, kind)
                s.laid[other][kind] = 0
            if s.trade[other]:
                owner = other
                units += count
            else:
                place(s, wonder, other, count, trace)
            s.trade[other] = 0
    place(s, wonder, seat, units, trace)
    note_disc(s, BUILT, owner, s.chosen, trace)
    types = 0
    for kind in range(KINDS):
        if s.disc[s.chosen][kind] > 0:
            types |= 1 << kind
        s.disc[s.chosen][kind] = 0
    s.owned[owner][types] += 1
    s.built = 1
    s.busy = 1
    ask_refused(s, trace)


@kernel
def place(s: Record, wonder: int, seat: int, units: int, trace: Record) -> None:
    if units > 0:
        s.units[wonder][seat] += units
        note(trace, PLACED, seat, wonder, units, 0, 0)


# --- B5, 4.3: refused offers -------------------------------------------------------------------------------------


@kernel
def ask_refused(s: Record, trace: Record) -> None:
    """R13, R23: everybody with a refused offer and any action card is asked; asking some would tell who has which."""
    s.phase = REFUSAL
    s.tripled = 0
    s.waiting = 0
    for seat in range(s.players):
        if seat != s.turn and size_of(s.laid[seat]) > 0 and holds_action(s, seat):
            s.waiting |= 1 << seat
    if s.waiting == 0:
        pay_refused(s, trace)


@kernel
def pay_refused(s: Record, trace: Record) -> None:
    """B5.2, 4.3, R27: points for each valid card of a refused offer; the cards go back to the hand."""
    out_of_line()
    for seat in range(s.players):
        count = size_of(s.laid[seat])
        if count > 0:
            tripled = s.tripled >> seat & 1
            points = count * (s.refused_triple if tripled else s.refused)
            s.score[seat] += points
            note(trace, REFUSED, seat, count, points, tripled, 0)
            for kind in range(KINDS):
                s.hand[seat][kind] += s.laid[seat][kind]
                s.laid[seat][kind] = 0
        for kind in range(KINDS):
            s.returned[seat][kind] = 0
        s.trade[seat] = 0
    s.tripled = 0
    wonder = s.chosen // SPACES
    s.chosen = NO_DISC
    s.accepted = 0
    if s.built:
        s.built = 0
        if not (is_there(s, wonder * 3) or is_there(s, wonder * 3 + 1) or is_there(s, wonder * 3 + 2)):
            complete_wonder(s, wonder, trace)
        if is_exhausted(s):
            note(trace, EXHAUSTED, NO_SEAT, 0, 0, 0, 0)
            end_game(s, trace)
            return
    after_turn(s, trace)


@kernel
def after_turn(s: Record, trace: Record) -> None:
    """R14, R23: whoever holds an action card is asked for a second turn before the closing draw."""
    if holds_action(s, s.turn):
        s.phase = CLOSING
    else:
        close_turn(s, trace)


@kernel
def close_turn(s: Record, trace: Record) -> None:
    """B5.6, R7: everybody draws a card, the active player first. R28: nothing moves any more, so the game ends."""
    out_of_line()
    seat = s.turn + 0
    for _ in range(s.players):
        draw_card(s, seat, BY_CLOSING, trace)
        seat = left_neighbour(s, seat)
    s.idle = 0 if s.busy else s.idle + 1
    s.busy = 0
    if s.idle >= 2 * s.players:
        note(trace, STALLED, NO_SEAT, 0, 0, 0, 0)
        end_game(s, trace)
        return
    s.turn = left_neighbour(s, s.turn)
    s.phase = TURN
    note(trace, TURNED, s.turn, 0, 0, 0, 0)


# --- 5, 6. A completed wonder ------------------------------------------------------------------------------------


@kernel
def complete_wonder(s: Record, wonder: int, trace: Record) -> None:
    """Sections 5 and 6: scored with the row of the value marker; the active player gets an action card (R16, R18)."""
    out_of_line()
    row = min(s.row, ROWS - 1)
    score_wonder(s, wonder, s.first[row], s.second[row], trace)
    note(trace, WONDER_DONE, NO_SEAT, wonder, row, 0, 0)
    s.row += 1
    for seat in range(s.players):
        s.units[wonder][seat] = 0
    if s.action_left > 0:
        s.action_left -= 1
        kind = s.action_deck[s.action_left] - 1
        s.action_deck[s.action_left] = 0
        s.actions[s.turn][kind] += 1
        note(trace, GOT_ACTION, s.turn, 0, 0, 0, 0)
        note(trace, SAW_ACTION, s.turn, kind, 0, 0, 0)


@kernel
def score_wonder(s: Record, wonder: int, first: int, second: int, trace: Record) -> None:
    """Section 5: by units; who shares the first place gets what the second is worth, and all others the flat points."""
    most, runner_up, leaders, followers = 0, 0, 0, 0
    for seat in range(s.players):
        units = s.units[wonder][seat] + 0
        if units > most:
            runner_up, followers = most, leaders
            most, leaders = units, 1
        elif units == most:
            leaders += 1
        elif units > runner_up:
            runner_up, followers = units, 1
        elif units == runner_up:
            followers += 1
    for seat in range(s.players):
        units = s.units[wonder][seat] + 0
        if units > 0:
            place_won = 3
            points = s.other + 0
            if units == most:
                place_won = 1
                points = first if leaders == 1 else second
            elif units == runner_up and leaders == 1 and followers == 1:
                place_won = 2
                points = second
            s.score[seat] += points
            note(trace, WONDER_SCORED, seat, wonder, units, place_won * 8 + (leaders if place_won == 1 else 1), points)


# --- 8. End of the game ------------------------------------------------------------------------------------------


@kernel
def is_exhausted(s: Record) -> bool:
    """Section 8.1: the last disc of a type has been taken; one with two colours counts for both."""
    for kind in range(KINDS):
        found = False
        for disc in range(DISCS):
            if s.disc[disc][kind] > 0:
                found = True
                break
        if not found:
            return True
    return False


@kernel
def end_game(s: Record, trace: Record) -> None:
    """Section 8.2, in this order."""
    out_of_line()
    for wonder in range(WONDER_COUNT):
        score_wonder(s, wonder, s.light_first, s.light_second, trace)
    for seat in range(s.players):
        score_discs(s, seat, trace)
        discs = disc_count(s, seat)
        points = discs * s.disc_points * s.actions[seat][DISC_BONUS]
        if points > 0:
            s.score[seat] += points
            note(trace, BONUS, seat, 4 + DISC_BONUS, discs, s.actions[seat][DISC_BONUS], points)
        points = s.end_points * s.actions[seat][END_BONUS]
        if points > 0:
            s.score[seat] += points
            note(trace, BONUS, seat, 4 + END_BONUS, 0, s.actions[seat][END_BONUS], points)
    s.finished = 1
    note(trace, FINISHED, NO_SEAT, winners(s), 0, 0, 0)


@kernel
def disc_count(s: Record, seat: int) -> int:
    count = 0
    for types in range(16):
        count += s.owned[seat][types]
    return count


@kernel
def score_discs(s: Record, seat: int, trace: Record) -> None:
    """Section 8.2.2: the bonus for discs of one type, each disc of two colours where it brings most."""
    chosen = best_assignment(s, seat)
    for kind in range(KINDS):
        count = s.owned[seat][1 << kind] + (chosen >> 4 * kind & 15)
        points = bonus_of(s, count)
        if points > 0:
            s.score[seat] += points
            note(trace, BONUS, seat, kind, count, chosen >> 4 * kind & 15, points)


@kernel
def bonus_of(s: Record, count: int) -> int:
    return s.bonus[min(count, BONUS_ROWS - 1)] + 0


@kernel
def best_assignment(s: Record, seat: int) -> int:
    """For how many discs of two colours each type counts, four bits a type, so that the bonus is highest."""
    pairs = 0
    for types in range(16):
        if types & types - 1:
            pairs += s.owned[seat][types]
    best, best_points = 0, -1
    for choice in range(1 << pairs):
        assigned = assigned_to(s, seat, choice)
        points = 0
        for kind in range(KINDS):
            points += bonus_of(s, s.owned[seat][1 << kind] + (assigned >> 4 * kind & 15))
        if points > best_points:
            best, best_points = assigned, points
    return best


@kernel
def assigned_to(s: Record, seat: int, choice: int) -> int:
    """One way to assign the discs of two colours: bit i of ``choice`` says which type the i-th of them takes."""
    assigned = 0
    for types in range(16):
        if types & types - 1:
            for _ in range(s.owned[seat][types]):
                low = lowest_type(types)
                kind = low if choice & 1 else lowest_type(types & ~(1 << low))
                assigned += 1 << 4 * kind
                choice >>= 1
    return assigned


@kernel
def lowest_type(types: int) -> int:
    kind = 0
    while types >> kind & 1 == 0:
        kind += 1
    return kind


@kernel
def winners(s: Record) -> int:
    """R12: bit mask of the seats with most points, who share the victory."""
    best = -1
    mask = 0
    for seat in range(s.players):
        if s.score[seat] > best:
            best = s.score[seat] + 0
            mask = 1 << seat
        elif s.score[seat] == best:
            mask |= 1 << seat
    return mask


@kernel
def scores(s: Record, out: Record) -> int:
    """The points of all seats so far; returns how many."""
    for seat in range(s.players):
        out.values[seat] = s.score[seat]
    return s.players + 0

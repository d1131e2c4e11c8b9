"""The kernels that write the network's inputs of an action."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.trace import NO_SEAT
from ziggurat.games.architects import choices, gains, state
from ziggurat.games.architects.decks import deck_at, left_neighbour, right_neighbour, top_of
from ziggurat.games.architects.gains import (
    ADVANCES,
    ADVANCING,
    BUILDS,
    COUNT,
    DIFFERENT,
    IDENTICAL,
    MISSING,
    STAGE_WORTH,
    WINS,
    WORTH,
    defeats,
    end_points,
    gain_of,
    gains_in,
    gains_of_cards,
    needs,
    needs_with,
    stage_count,
)
from ziggurat.games.architects.network.columns import (
    ACCEPT,
    ANY,
    BUILD,
    CENTRAL_PLACE,
    CLAIM,
    DECLINE,
    DRAW,
    END,
    EXTRA,
    KEEP,
    LOOK,
    OTHER_PLACE,
    PICK,
    TOKEN,
)
from ziggurat.games.architects.payments import COINS, FIELD, MASK, can_build, paid_cards, purse, uses_engineering
from ziggurat.games.architects.rules import victories
from ziggurat.games.architects.science import active_tokens, final_points, tokens_of, usable


@kernel
def tell_action(s: Record, seat: int, action: int, act: Record, out: Record) -> None:
    """Write the columns of a legal action of a seat, ``ActionColumns``, but for the first."""
    out_of_line()
    act.conflict__left = s.conflict - s.turned
    pending = s.triggered & ~s.used
    act.extras__after = few(pending & gains.EXTRAS)
    if action < choices.BUILD:
        act.type = DRAW
        if action >= choices.EXTRA:
            token = (action - choices.EXTRA) // 3
            act.type = EXTRA
            act.taken_token__used = token + 1
            pending &= ~(1 << token)
        deck = deck_at(s, seat, action % 3 if action < choices.EXTRA else (action - choices.EXTRA) % 3)
        tell_take(s, seat, deck, pending, act, out)
    elif action < choices.CLAIM:
        act.type = BUILD
        stage = (action - choices.BUILD) // choices.PAYMENTS
        tell_build(s, seat, stage, (action - choices.BUILD) % choices.PAYMENTS, act)
    elif action < choices.TOKEN:
        act.type = CLAIM
        green = (action - choices.CLAIM) // choices.OFFERED
        symbols = s.cards[seat][state.COMPASS] + s.cards[seat][state.GEAR] + s.cards[seat][state.TABLET]
        act.set = green + 1
        act.green__after = symbols - (3 if green == choices.SET_OF_THREE else 2)
        tell_token(s, seat, (action - choices.CLAIM) % choices.OFFERED, act)
    elif action < choices.ANY:
        act.type = TOKEN
        tell_token(s, seat, action - choices.TOKEN, act)
    elif action < choices.LOOK:
        act.type = ANY
        tell_take(s, seat, action - choices.ANY, pending, act, out)
    elif action < choices.KEEP:
        act.type = LOOK
        deck = deck_at(s, seat, action - choices.LOOK)
        act.deck = place_of(s, seat, deck)
        act.from_deck__left = s.deck_left[deck]
        tell_unseen(s, seat, deck, act, out)
    elif action < choices.ACCEPT:
        act.type = KEEP
        act.deck = place_of(s, seat, s.looking)
        act.from_deck__left = s.deck_left[s.looking]
        tell_card(s, seat, action - choices.KEEP, pending, act)
    elif action == choices.ACCEPT:
        act.type = ACCEPT
        tell_accept(s, seat, pending, act, out)
    elif action == choices.DECLINE:
        act.type = DECLINE
    elif action == choices.END:
        act.type = END
        act.forgoes__extras = act.extras__after
        economy, engineering = usable(s, seat, state.ECONOMY), usable(s, seat, state.ENGINEERING)
        act.forgoes__build = 1 if can_build(s, seat, economy, engineering) else 0
    else:
        act.type = PICK
        tell_pick(s, action - choices.PICK, act)


@kernel
def few(mask: int) -> int:
    """The number of bits in a mask, 3 or more as 3."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return min(count, 3)


@kernel
def balance(s: Record, seat: int, more: int) -> int:
    """Victories less defeats of a seat, if it had so many more shields."""
    s.shields[seat] += more
    found = victories(s, seat) - defeats(s, seat)
    s.shields[seat] -= more
    return found


# --- Cards -------------------------------------------------------------------------------------------------------


@kernel
def place_of(s: Record, seat: int, deck: int) -> int:
    """The place of a deck for a seat, as in ``PLACES``."""
    if deck == state.CENTRAL:
        return CENTRAL_PLACE
    if deck == s.wonder[seat]:
        return state.LEFT + 1
    return state.RIGHT + 1 if deck == deck_at(s, seat, state.RIGHT) else OTHER_PLACE


@kernel
def tell_take(s: Record, seat: int, deck: int, pending: int, act: Record, out: Record) -> None:
    """Write the columns of the top card of a deck; of the central one, unless the cat has shown it, of what it may
    be."""
    place = place_of(s, seat, deck)
    act.deck = place
    act.from_deck__left = s.deck_left[deck]
    if deck == state.CENTRAL:
        if s.knows >> seat & 1:
            tell_card(s, seat, top_of(s, deck), pending, act)
        else:
            act.extras__after = few(pending & gains.EXTRAS)
            tell_unseen(s, seat, deck, act, out)
        return
    kind = top_of(s, deck)
    tell_card(s, seat, kind, pending, act)
    # Two players may draw from a deck: its owner, and the one on the owner's left.
    other = left_neighbour(s, seat)
    if place == state.RIGHT + 1:
        other = right_neighbour(s, seat)
    denied = 0
    if place == OTHER_PLACE:
        while s.wonder[other] != deck:
            other = left_neighbour(s, other)
        second = left_neighbour(s, other)
        denied = gain_of(s, second, kind) & WORTH if second != seat else 0
    act.denies = max(denied, gain_of(s, other, kind) & WORTH)
    act.denies__next = 1 if other == left_neighbour(s, seat) else 0


@kernel
def tell_unseen(s: Record, seat: int, deck: int, act: Record, out: Record) -> None:
    """Write the columns of a card of a deck that may be any of those left in it."""
    out_of_line()
    gains_of_cards(s, seat, needs(s, seat), out)
    total = gains_in(s, deck, out)
    inverse = (100 << 16) // max(s.deck_left[deck], 1)
    act.worth = (total & WORTH) * inverse // (100 << 16)
    for field in range(5):
        act.does[field] = (total >> ADVANCES + 8 * field & COUNT) * inverse >> 16


@kernel
def tell_card(s: Record, seat: int, kind: int, pending: int, act: Record) -> None:
    """Write the columns of a card that the player sees; ``pending`` are the tokens that give another card, whatever it
    is."""
    out_of_line()
    found = gain_of(s, seat, kind)
    act.card = kind
    act.worth = found & WORTH
    for field in range(5):
        act.does[field] = 100 if found >> ADVANCES + 8 * field & COUNT else 0
    points = s.card_points[kind] + 0
    if kind == state.VP2CAT and s.cat != seat:
        points += s.cat_points
        act.pawn = 1 if s.cat == NO_SEAT else 3 if leads(s, s.cat) else 2
    act.points = points
    if kind >= state.RED0:
        horns = kind - state.RED0
        act.horns = horns
        act.conflict__left = s.conflict - s.turned - horns
        act.shields__win = found >> WINS & COUNT
        if s.turned < s.conflict <= s.turned + horns:
            battle = balance(s, seat, 1)
            act.battle = 1 if battle < 0 else 2 if battle == 0 else 3
            act.battle__swing = battle
    triggered = s.triggers[kind] & active_tokens(s, seat) & ~s.triggered
    act.extras__after = few((pending | triggered) & gains.EXTRAS)
    if found >> BUILDS & 1 and stage_count(s.built[seat]) == state.STAGES - 1:
        for stage in range(state.STAGES):
            if s.built[seat] >> stage & 1 == 0:
                tell_end(s, seat, stage, act)


@kernel
def leads(s: Record, seat: int) -> bool:
    """Whether nobody has more points."""
    for other in range(s.players):
        if s.score[other] > s.score[seat]:
            return False
    return True


@kernel
def tell_accept(s: Record, seat: int, pending: int, act: Record, out: Record) -> None:
    """Write the columns of an effect (section 4): the central card for Ephesus, those of both sides for Olympia."""
    if s.wonder[seat] != state.OLYMPIA:
        tell_take(s, seat, state.CENTRAL, pending, act, out)
        return
    left, right = top_of(s, deck_at(s, seat, state.LEFT)), top_of(s, deck_at(s, seat, state.RIGHT))
    tell_card(s, seat, left, pending, act)
    found = gain_of(s, seat, right)
    act.worth = act.worth + (found & WORTH)
    act.points = act.points + s.card_points[right]
    for field in range(5):
        if found >> ADVANCES + 8 * field & COUNT:
            act.does[field] = 100


# --- Stages ------------------------------------------------------------------------------------------------------


@kernel
def tell_end(s: Record, seat: int, stage: int, act: Record) -> None:
    """Write the columns of the game's end if a seat completes its wonder with a stage this turn."""
    out_of_line()
    battle = s.turned >= s.conflict and s.battle_first != 0
    mine = s.score[seat] + end_points(s, seat) + s.stage_points[s.wonder[seat]][stage]
    mine += (s.decor[1] - s.decor[0]) * (s.owned[seat] >> state.DECOR & 1)
    mine += s.military_points * victories(s, seat) if battle else 0
    best = -99
    for other in range(s.players):
        if other != seat:
            points = s.score[other] + end_points(s, other)
            points += s.military_points * victories(s, other) if battle else 0
            best = max(best, points)
    lead = mine - best
    act.completes = 1 if lead < 0 else 2 if lead == 0 else 3
    act.completes__lead = lead


@kernel
def tell_build(s: Record, seat: int, stage: int, payment: int, act: Record) -> None:
    """Write the columns of a stage, its cost, and what is left for the next one."""
    out_of_line()
    wonder, built = s.wonder[seat] + 0, s.built[seat] | 1 << stage
    act.points = s.stage_points[wonder][stage]
    act.stage = stage + 1
    if s.effects[wonder] >> stage & 1:
        act.stage__effect = 1
        if wonder == state.RHODES:
            act.shields__win = balance(s, seat, s.rhodes_shields + 0) - balance(s, seat, 0)
    if built == state.ALL_BUILT:
        tell_end(s, seat, stage, act)
    paid = paid_cards(s, stage, payment)
    engineering, doubled = uses_engineering(s, stage, payment), payment & 1
    act.pays__coins = paid >> COINS & MASK
    for kind in range(state.RESOURCES):
        act.pays[kind] = paid >> FIELD * kind & MASK
    act.pays__economy = doubled
    act.pays__engineering = 1 if engineering else 0
    active = active_tokens(s, seat)
    if active >> state.ARCHITECTURE & 1:
        act.extras__after = few((s.triggered & ~s.used | 1 << state.ARCHITECTURE) & gains.EXTRAS)
    left = purse(s, seat) - paid
    needed = needs_with(
        s,
        wonder,
        built,
        left,
        active >> state.ECONOMY & 1 != 0 and doubled == 0,
        active >> state.ENGINEERING & 1 != 0 and not engineering,
    )
    act.after__missing = 1 + (needed & MISSING)
    act.after__different = needed >> DIFFERENT & MISSING
    act.after__identical = needed >> IDENTICAL & MISSING
    act.after__worth = needed >> STAGE_WORTH
    act.after__coins = left >> COINS & MASK
    grey = 0
    for kind in range(state.RESOURCES):
        grey += left >> FIELD * kind & MASK
    act.after__grey = grey
    advancing = needed >> ADVANCING & gains.KINDS_MASK
    count = 0
    for place in range(s.deck_left[state.CENTRAL]):
        count += advancing >> s.deck[state.CENTRAL][place] & 1
    act.after__advances = 100 * count // max(s.deck_left[state.CENTRAL], 1)
    tops = advancing >> top_of(s, wonder) & 1
    act.after__tops = tops | (advancing >> top_of(s, deck_at(s, seat, state.RIGHT)) & 1) << 1


# --- Tokens, wonders ---------------------------------------------------------------------------------------------


@kernel
def token_points(s: Record, seat: int, token: int) -> int:
    """Section 5: what one more token gives a seat at the end, as things stand."""
    points = s.education * (s.owned[seat] >> state.EDUCATION & 1)
    if token == state.EDUCATION:
        return points + s.education * (tokens_of(s, seat) + 1)
    if token == state.CULTURE:
        first = s.culture_points[0] + 0
        return points + (s.culture_points[1] - first if s.culture[seat] else first)
    return points + final_points(s, seat, token)


@kernel
def tell_token(s: Record, seat: int, token: int, act: Record) -> None:
    """Write the columns of a progress token, or of the unseen one of the stack."""
    out_of_line()
    act.token = token + 1
    act.taken_token__points = token_points(s, seat, token)
    rival = 0
    if token >= state.DECOR and token != choices.STACK:
        for other in range(s.players):
            if other != seat:
                rival = max(rival, token_points(s, other, token))
    act.taken_token__rival = rival
    if token == state.TACTICS:
        swing = balance(s, seat, s.tactics_shields + 0)
        act.shields__win = swing - balance(s, seat, 0)


@kernel
def tell_pick(s: Record, wonder: int, act: Record) -> None:
    """Write the columns of a wonder that is chosen (section 6.1)."""
    points, effects = 0, stage_count(s.effects[wonder])
    for stage in range(state.STAGES):
        points += s.stage_points[wonder][stage]
    act.wonder = wonder + 1
    act.whole_wonder__points = points
    act.whole_wonder__effects = effects

"""What a network is told of an action: the columns, and the kernel that writes them."""

from __future__ import annotations

from ziggurat.core.features import bits, category, number
from ziggurat.core.inputs import clipped
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
    DOES,
    IDENTICAL,
    MISSING,
    NOTHING,
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
from ziggurat.games.architects.payments import COINS, FIELD, MASK, can_build, paid_cards, purse, uses_engineering
from ziggurat.games.architects.rules import victories
from ziggurat.games.architects.science import active_tokens, final_points, tokens_of, usable

TYPES = (
    *("draw", "extra", "build", "claim", "take_token", "take_any"),
    *("look", "keep", "accept", "decline", "end", "choose_wonder"),
)
DRAW, EXTRA, BUILD, CLAIM, TOKEN, ANY, LOOK, KEEP, ACCEPT, DECLINE, END, PICK = range(12)
# Where a card comes from; for a card that one wonder gives, from any deck.
PLACES = ("none", "left", "right", "central", "other")
OTHER_PLACE = 4
CENTRAL_PLACE = state.MIDDLE + 1

ACTION = (
    number("suggested", 1),
    category("type", TYPES),
    # A card that is taken, or the mean of those that it may be.
    category("deck", PLACES, tells="that the card comes from"),
    number("from_deck.left", 25, tells="its cards"),
    category("card", ("none", *state.CARDS), tells="none where the player cannot see which it is"),
    number("worth", 60, tells="in tenths of a point, the mean of the cards that it may be"),
    *(number(field, 100, tells="in how many of 100 cases the card does so") for field in DOES),
    number("points", 6, tells="of the card and the pawn, or of the stage"),
    category("pawn", ("none", "free", "rival", "leader"), tells="from whom the card takes it"),
    category("horns", 2, tells="that the card sounds"),
    category("conflict.left", 6, tells="horns that are left then until the battle"),
    category("battle", ("none", "lost", "even", "won"), tells="if the card brings it about"),
    number("battle.swing", 4, -4, tells="victories less defeats in it"),
    category("shields.win", 3, tells="tokens in the next battle that its shields win or deny, 3 or more"),
    number("denies", 60, tells="what the card is worth to the other who may draw it"),
    number("denies.next", 1, tells="that one plays next"),
    category("taken_token.used", ("none", *state.TOKENS[: state.EXTRA_TOKENS]), tells="that gives the extra card"),
    category("extras.after", 3, tells="further cards that may be taken then"),
    # A stage.
    category("stage", ("none", "1", "2", "3", "4", "5")),
    number("stage.effect", 1),
    category(
        "completes", ("no", "losing", "tied", "winning"), tells="the wonder, at once or by the card; and how it ends"
    ),
    number("completes.lead", 15, -15, tells="before the best other seat then"),
    category("pays.coins", 4),
    *(number(f"pays.{kind}", 4) for kind in state.CARDS[: state.RESOURCES]),
    number("pays.economy", 1),
    number("pays.engineering", 1),
    category("after.missing", ("none", "0", "1", "2", "3", "4", "complete"), tells="units to the next stage then"),
    category("after.different", NOTHING, tells="to the next stage of different resources"),
    category("after.identical", NOTHING),
    number("after.worth", 100, tells="of the next stage then, in tenths of a point"),
    category("after.coins", 3),
    number("after.grey", 5),
    number("after.advances", 60, tells="per cent of the central deck that advance the next stage then"),
    bits("after.tops", ("left", "right"), tells="top cards that do so"),
    # A progress token.
    category("set", ("none", "compass", "gear", "tablet", "three"), tells="the symbols that are turned in"),
    category("green.after", 3, tells="symbols that are left"),
    category("token", ("none", *choices.ON_OFFER)),
    number("taken_token.points", 12, tells="as if the game ended now"),
    number("taken_token.rival", 12, tells="the same for the other seat that it gives most"),
    # Doing without, and choosing a wonder.
    category("forgoes.extras", 3, tells="extra cards that are not taken"),
    number("forgoes.build", 1, tells="a stage could be built"),
    category("wonder", ("none", *state.WONDERS)),
    number("whole_wonder.points", 30),
    number("whole_wonder.effects", 3),
)
COLUMNS = len(ACTION)


@kernel
def action_inputs(s: Record, seat: int, action: int, out: Record) -> int:
    """Write the columns of ``ACTION`` for a legal action, but for the first; return how many."""
    out_of_line()
    for i in range(1, COLUMNS):
        out.inputs[i] = 0
    out.inputs[14] = clipped(s.conflict - s.turned, 0, 6)
    pending = s.triggered & ~s.used
    out.inputs[21] = few(pending & gains.EXTRAS)
    if action < choices.BUILD:
        out.inputs[1] = DRAW
        if action >= choices.EXTRA:
            token = (action - choices.EXTRA) // 3
            out.inputs[1] = EXTRA
            out.inputs[20] = token + 1
            pending &= ~(1 << token)
        deck = deck_at(s, seat, action % 3 if action < choices.EXTRA else (action - choices.EXTRA) % 3)
        take_inputs(s, seat, deck, pending, out)
    elif action < choices.CLAIM:
        out.inputs[1] = BUILD
        stage = (action - choices.BUILD) // choices.PAYMENTS
        build_inputs(s, seat, stage, (action - choices.BUILD) % choices.PAYMENTS, out)
    elif action < choices.TOKEN:
        out.inputs[1] = CLAIM
        green = (action - choices.CLAIM) // choices.OFFERED
        symbols = s.cards[seat][state.COMPASS] + s.cards[seat][state.GEAR] + s.cards[seat][state.TABLET]
        out.inputs[42] = green + 1
        out.inputs[43] = clipped(symbols - (3 if green == choices.SET_OF_THREE else 2), 0, 3)
        token_inputs(s, seat, (action - choices.CLAIM) % choices.OFFERED, out)
    elif action < choices.ANY:
        out.inputs[1] = TOKEN
        token_inputs(s, seat, action - choices.TOKEN, out)
    elif action < choices.LOOK:
        out.inputs[1] = ANY
        take_inputs(s, seat, action - choices.ANY, pending, out)
    elif action < choices.KEEP:
        out.inputs[1] = LOOK
        deck = deck_at(s, seat, action - choices.LOOK)
        out.inputs[2] = place_of(s, seat, deck)
        out.inputs[3] = min(s.deck_left[deck], 25)
        unseen_inputs(s, seat, deck, out)
    elif action < choices.ACCEPT:
        out.inputs[1] = KEEP
        out.inputs[2] = place_of(s, seat, s.looking)
        out.inputs[3] = min(s.deck_left[s.looking], 25)
        card_inputs(s, seat, action - choices.KEEP, pending, out)
    elif action == choices.ACCEPT:
        out.inputs[1] = ACCEPT
        accept_inputs(s, seat, pending, out)
    elif action == choices.DECLINE:
        out.inputs[1] = DECLINE
    elif action == choices.END:
        out.inputs[1] = END
        out.inputs[47] = out.inputs[21]
        economy, engineering = usable(s, seat, state.ECONOMY), usable(s, seat, state.ENGINEERING)
        out.inputs[48] = 1 if can_build(s, seat, economy, engineering) else 0
    else:
        out.inputs[1] = PICK
        pick_inputs(s, action - choices.PICK, out)
    return COLUMNS


@kernel
def few(mask: int) -> int:
    """How many bits a mask has, 3 or more as 3."""
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
    """Where a deck lies for a seat, as in ``PLACES``."""
    if deck == state.CENTRAL:
        return CENTRAL_PLACE
    if deck == s.wonder[seat]:
        return state.LEFT + 1
    return state.RIGHT + 1 if deck == deck_at(s, seat, state.RIGHT) else OTHER_PLACE


@kernel
def take_inputs(s: Record, seat: int, deck: int, pending: int, out: Record) -> None:
    """The top card of a deck; of the central one, unless the cat has shown it, what it may be."""
    place = place_of(s, seat, deck)
    out.inputs[2] = place
    out.inputs[3] = min(s.deck_left[deck], 25)
    if deck == state.CENTRAL:
        if s.knows >> seat & 1:
            card_inputs(s, seat, top_of(s, deck), pending, out)
        else:
            out.inputs[21] = few(pending & gains.EXTRAS)
            unseen_inputs(s, seat, deck, out)
        return
    kind = top_of(s, deck)
    card_inputs(s, seat, kind, pending, out)
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
    out.inputs[18] = min(max(denied, gain_of(s, other, kind) & WORTH), 60)
    out.inputs[19] = 1 if other == left_neighbour(s, seat) else 0


@kernel
def unseen_inputs(s: Record, seat: int, deck: int, out: Record) -> None:
    """A card of a deck that may be any of those left in it."""
    out_of_line()
    gains_of_cards(s, seat, needs(s, seat), out)
    total = gains_in(s, deck, out)
    inverse = (100 << 16) // max(s.deck_left[deck], 1)
    out.inputs[5] = min((total & WORTH) * inverse // (100 << 16), 60)
    for field in range(5):
        out.inputs[6 + field] = min((total >> ADVANCES + 8 * field & COUNT) * inverse >> 16, 100)


@kernel
def card_inputs(s: Record, seat: int, kind: int, pending: int, out: Record) -> None:
    """A card that the player sees; ``pending`` are the tokens that give another card, whatever it is."""
    out_of_line()
    found = gain_of(s, seat, kind)
    out.inputs[4] = kind
    out.inputs[5] = min(found & WORTH, 60)
    for field in range(5):
        out.inputs[6 + field] = 100 if found >> ADVANCES + 8 * field & COUNT else 0
    points = s.card_points[kind] + 0
    if kind == state.VP2CAT and s.cat != seat:
        points += s.cat_points
        out.inputs[12] = 1 if s.cat == NO_SEAT else 3 if leads(s, s.cat) else 2
    out.inputs[11] = min(points, 6)
    if kind >= state.RED0:
        horns = kind - state.RED0
        out.inputs[13] = horns
        out.inputs[14] = clipped(s.conflict - s.turned - horns, 0, 6)
        out.inputs[17] = min(found >> WINS & COUNT, 3)
        if s.turned < s.conflict <= s.turned + horns:
            battle = balance(s, seat, 1)
            out.inputs[15] = 1 if battle < 0 else 2 if battle == 0 else 3
            out.inputs[16] = battle
    triggered = s.triggers[kind] & active_tokens(s, seat) & ~s.triggered
    out.inputs[21] = few((pending | triggered) & gains.EXTRAS)
    if found >> BUILDS & 1 and stage_count(s.built[seat]) == state.STAGES - 1:
        for stage in range(state.STAGES):
            if s.built[seat] >> stage & 1 == 0:
                end_inputs(s, seat, stage, out)


@kernel
def leads(s: Record, seat: int) -> bool:
    """Whether nobody has more points."""
    for other in range(s.players):
        if s.score[other] > s.score[seat]:
            return False
    return True


@kernel
def accept_inputs(s: Record, seat: int, pending: int, out: Record) -> None:
    """Section 4: the central card for Ephesus, those of both sides for Olympia."""
    if s.wonder[seat] != state.OLYMPIA:
        take_inputs(s, seat, state.CENTRAL, pending, out)
        return
    left, right = top_of(s, deck_at(s, seat, state.LEFT)), top_of(s, deck_at(s, seat, state.RIGHT))
    card_inputs(s, seat, left, pending, out)
    found = gain_of(s, seat, right)
    out.inputs[5] = min(out.inputs[5] + (found & WORTH), 60)
    out.inputs[11] = min(out.inputs[11] + s.card_points[right], 6)
    for field in range(5):
        if found >> ADVANCES + 8 * field & COUNT:
            out.inputs[6 + field] = 100


# --- Stages ------------------------------------------------------------------------------------------------------


@kernel
def end_inputs(s: Record, seat: int, stage: int, out: Record) -> None:
    """How the game ends if a seat completes its wonder with a stage this turn."""
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
    out.inputs[24] = 1 if lead < 0 else 2 if lead == 0 else 3
    out.inputs[25] = clipped(lead, -15, 15)


@kernel
def build_inputs(s: Record, seat: int, stage: int, payment: int, out: Record) -> None:
    """A stage, what it costs, and what is left for the next one."""
    out_of_line()
    wonder, built = s.wonder[seat] + 0, s.built[seat] | 1 << stage
    out.inputs[11] = min(s.stage_points[wonder][stage], 6)
    out.inputs[22] = stage + 1
    if s.effects[wonder] >> stage & 1:
        out.inputs[23] = 1
        if wonder == state.RHODES:
            out.inputs[17] = clipped(balance(s, seat, s.rhodes_shields + 0) - balance(s, seat, 0), 0, 3)
    if built == state.ALL_BUILT:
        end_inputs(s, seat, stage, out)
    paid = paid_cards(s, stage, payment)
    engineering, doubled = uses_engineering(s, stage, payment), payment & 1
    out.inputs[26] = min(paid >> COINS & MASK, 4)
    for kind in range(state.RESOURCES):
        out.inputs[27 + kind] = min(paid >> FIELD * kind & MASK, 4)
    out.inputs[32] = doubled
    out.inputs[33] = 1 if engineering else 0
    active = active_tokens(s, seat)
    if active >> state.ARCHITECTURE & 1:
        out.inputs[21] = few((s.triggered & ~s.used | 1 << state.ARCHITECTURE) & gains.EXTRAS)
    left = purse(s, seat) - paid
    needed = needs_with(
        s,
        wonder,
        built,
        left,
        active >> state.ECONOMY & 1 != 0 and doubled == 0,
        active >> state.ENGINEERING & 1 != 0 and not engineering,
    )
    out.inputs[34] = 1 + (needed & MISSING)
    out.inputs[35] = needed >> DIFFERENT & MISSING
    out.inputs[36] = needed >> IDENTICAL & MISSING
    out.inputs[37] = min(needed >> STAGE_WORTH, 100)
    out.inputs[38] = min(left >> COINS & MASK, 3)
    grey = 0
    for kind in range(state.RESOURCES):
        grey += left >> FIELD * kind & MASK
    out.inputs[39] = min(grey, 5)
    advancing = needed >> ADVANCING & gains.KINDS_MASK
    count = 0
    for place in range(s.deck_left[state.CENTRAL]):
        count += advancing >> s.deck[state.CENTRAL][place] & 1
    out.inputs[40] = min(100 * count // max(s.deck_left[state.CENTRAL], 1), 60)
    tops = advancing >> top_of(s, wonder) & 1
    out.inputs[41] = tops | (advancing >> top_of(s, deck_at(s, seat, state.RIGHT)) & 1) << 1


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
def token_inputs(s: Record, seat: int, token: int, out: Record) -> None:
    """A progress token, or the unseen one of the stack."""
    out_of_line()
    out.inputs[44] = token + 1
    out.inputs[45] = clipped(token_points(s, seat, token), 0, 12)
    rival = 0
    if token >= state.DECOR and token != choices.STACK:
        for other in range(s.players):
            if other != seat:
                rival = max(rival, token_points(s, other, token))
    out.inputs[46] = clipped(rival, 0, 12)
    if token == state.TACTICS:
        swing = balance(s, seat, s.tactics_shields + 0)
        out.inputs[17] = clipped(swing - balance(s, seat, 0), 0, 3)


@kernel
def pick_inputs(s: Record, wonder: int, out: Record) -> None:
    """Section 6.1: a wonder that is chosen."""
    points, effects = 0, stage_count(s.effects[wonder])
    for stage in range(state.STAGES):
        points += s.stage_points[wonder][stage]
    out.inputs[49] = wonder + 1
    out.inputs[50] = clipped(points, 0, 30)
    out.inputs[51] = min(effects, 3)

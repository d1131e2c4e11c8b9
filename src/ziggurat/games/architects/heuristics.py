"""The heuristic: what a card, a stage and a token are worth to a seat, in hundredths of a point.

Not rules: nothing here decides what is legal. The weights are in weights.toml, found by ``ziggurat tune``.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below
from ziggurat.games.architects import choices, state
from ziggurat.games.architects.decks import deck_at, top_of
from ziggurat.games.architects.payments import COINS, MASK, MOST, any_build, is_available, paid_cards, purse, short_of
from ziggurat.games.architects.rules import legal, victories
from ziggurat.games.architects.science import active_tokens, final_points, must_claim, tokens_of, usable

# By these names in weights.toml; a constant is the place of its weight in ``out.weights``.
WEIGHTS = (
    "stage_base",
    "stage_effect",
    "spare",
    "coin_more",
    "extra_card",
    "new_token",
    "green_first",
    "green_second",
    "shield",
    "later",
    "pawn",
    "stack_first",
    "stack_later",
    "extra_token",
    "extra_token_now",
    "saving",
    "tactics_now",
    "tactics_later",
    "culture_first",
    "culture_second",
    "education_now",
    "education_later",
    "token_later",
    "next_stage",
)
STAGE_BASE = 0  # coming nearer to the end, and what it allows
STAGE_EFFECT = 1  # a stage that does something
SPARE = 2  # a resource that helps no stage now
COIN_MORE = 3  # what a coin is worth above a resource
EXTRA_CARD = 4  # taking another card in the same turn
NEW_TOKEN = 5  # a green card that completes a set
GREEN_FIRST = 6  # the first green card of a set
GREEN_SECOND = 7  # the second one
SHIELD = 8  # beside the victories that it brings
LATER = 9  # per cent: a victory that is not certain yet
PAWN = 10  # per cent of the pawn's points, since others may take it away
STACK_FIRST = 11  # a token from the stack, unseen
STACK_LATER = 12  # and per stage to come
EXTRA_TOKEN = 13  # a token that gives cards, per stage to come
EXTRA_TOKEN_NOW = 14  # and at any time
SAVING = 15  # a token that makes stages cheaper, per stage to come
TACTICS_NOW = 16  # its shields now
TACTICS_LATER = 17  # and per stage to come
CULTURE_FIRST = 18  # the first Culture
CULTURE_SECOND = 19  # the second one
EDUCATION_NOW = 20  # per token, this one too
EDUCATION_LATER = 21  # and per stage to come
TOKEN_LATER = 22  # any other token: per stage to come, beside its points
NEXT_STAGE = 23  # a payment after which the next stage can be built

LEAST = -1 << 40  # less than anything is worth
WORTHS = 1000  # what a card of every kind is worth: places of ``out.values`` behind the legal actions


@kernel
def weigh_cards(s: Record, seat: int, out: Record) -> None:
    """Write the worth of taking a card of every kind, in the place of its kind behind ``WORTHS``."""
    out_of_line()
    out.values[WORTHS] = 0  # no card
    weigh_resources(s, seat, out)
    pawn = s.cat_points * out.weights[PAWN] if s.cat != seat else 0
    out.values[WORTHS + state.VP3] = 0
    out.values[WORTHS + state.VP2CAT] = pawn + 100 * s.politics * (s.owned[seat] >> state.POLITICS & 1)
    for kind in range(state.COMPASS, state.TABLET + 1):
        out.values[WORTHS + kind] = green_worth(s, seat, kind, out)
    weigh_shields(s, seat, out)
    triggers = active_tokens(s, seat) & ~s.triggered
    for kind in range(1, state.KINDS):
        extra = out.weights[EXTRA_CARD] if s.triggers[kind] & triggers else 0
        out.values[WORTHS + kind] += 100 * s.card_points[kind] + extra


@kernel
def weigh_resources(s: Record, seat: int, out: Record) -> None:
    """Weigh grey cards and coins: how much nearer they bring the best stage."""
    wonder, built = s.wonder[seat] + 0, s.built[seat] + 0
    economy = 1 if usable(s, seat, state.ECONOMY) else 0
    engineering = usable(s, seat, state.ENGINEERING)
    cards = s.cards[seat]
    # Grey cards that are different, that are alike, and all of them; as in a purse.
    distinct, most, total = 0, 0, 0
    for kind in range(1, state.COIN):
        held = min(cards[kind], MOST)
        distinct += 1 if held > 0 else 0
        most = max(most, held)
        total += held
    coins = min(cards[state.COIN], MOST)
    new_type, one_alike, coin = 0, 0, 0  # what is worth a type that one does not hold, one more of most, a coin
    for stage in range(state.STAGES):
        if is_available(s, wonder, built, stage):
            worth = out.weights[STAGE_BASE] + 100 * s.stage_points[wonder][stage]
            worth += out.weights[STAGE_EFFECT] if s.effects[wonder] >> stage & 1 else 0
            grey = total if engineering else most if s.identical[stage] else distinct
            before = short_of(s, stage, grey, coins, economy)
            nearer = nearness(worth, before, short_of(s, stage, grey + 1, coins, economy))
            coin = max(coin, nearness(worth, before, short_of(s, stage, grey, coins + 1, economy)))
            if engineering or s.identical[stage]:
                one_alike = max(one_alike, nearer)
            if engineering or not s.identical[stage]:
                new_type = max(new_type, nearer)
    for kind in range(1, state.COIN):
        worth = new_type if engineering or cards[kind] == 0 else 0
        if engineering or min(cards[kind], MOST) == most:
            worth = max(worth, one_alike)
        out.values[WORTHS + kind] = worth + out.weights[SPARE]
    out.values[WORTHS + state.COIN] = coin + out.weights[SPARE] + out.weights[COIN_MORE]


@kernel
def nearness(worth: int, before: int, after: int) -> int:
    """The worth to a stage that fewer units are missing than before."""
    return worth // (after + 1) - worth // (before + 2) if after < before else 0


@kernel
def weigh_shields(s: Record, seat: int, out: Record) -> None:
    """Weigh red cards: victories that a shield wins for oneself and takes from others, now or later."""
    before = battle_worth(s, seat)
    s.shields[seat] += 1
    after = battle_worth(s, seat)
    s.shields[seat] -= 1
    shield, later = out.weights[SHIELD], out.weights[LATER]
    for horns in range(3):
        worth = shield + (after - before) * later // 100
        if horns > 0:
            worth += after * later * (s.turned + horns) // (s.conflict * 200) - shield // 2
        if s.turned + horns >= s.conflict:
            worth = after  # the battle comes this turn
        out.values[WORTHS + state.RED0 + horns] = worth


@kernel
def battle_worth(s: Record, seat: int) -> int:
    """The worth of a battle for a seat against the others if it came now."""
    others = s.players - 1
    worth = 0
    for other in range(s.players):
        won = 100 * s.military_points * victories(s, other)
        worth += won * others if other == seat else -won
    return worth // others


@kernel
def green_worth(s: Record, seat: int, kind: int, out: Record) -> int:
    s.cards[seat][kind] += 1
    complete = must_claim(s, seat)
    s.cards[seat][kind] -= 1
    if complete:
        return out.weights[NEW_TOKEN]
    held = s.cards[seat][state.COMPASS] + s.cards[seat][state.COMPASS + 1] + s.cards[seat][state.COMPASS + 2]
    return out.weights[GREEN_SECOND] if held else out.weights[GREEN_FIRST]


@kernel
def deck_worth(s: Record, seat: int, deck: int, out: Record) -> int:
    """The worth of a deck's top card; for the central deck, unless the cat has shown it, the mean of what it may
    hold."""
    if deck != state.CENTRAL or s.knows >> seat & 1:
        return out.values[WORTHS + top_of(s, deck)] + 0
    left = s.deck_left[state.CENTRAL] + 0
    total = 0
    for place in range(left):
        total += out.values[WORTHS + s.deck[state.CENTRAL][place]]
    return total // max(left, 1)


@kernel
def token_worth(s: Record, seat: int, token: int, out: Record) -> int:
    """The worth of a progress token; those that work in the turns to come are worth less the fewer come."""
    furthest = 0
    for other in range(s.players):
        count = 0
        for stage in range(state.STAGES):
            count += s.built[other] >> stage & 1
        furthest = max(furthest, count)
    ahead = state.STAGES - furthest  # the stages that the game lasts at least
    if token == choices.STACK:
        return out.weights[STACK_FIRST] + out.weights[STACK_LATER] * ahead
    if token < state.EXTRA_TOKENS:
        return out.weights[EXTRA_TOKEN] * ahead + out.weights[EXTRA_TOKEN_NOW]
    if token in (state.ECONOMY, state.ENGINEERING):
        return out.weights[SAVING] * ahead if s.built[seat] != state.ALL_BUILT else 0
    if token == state.TACTICS:
        return out.weights[TACTICS_NOW] + out.weights[TACTICS_LATER] * ahead
    if token == state.CULTURE:
        return out.weights[CULTURE_SECOND] if s.culture[seat] else out.weights[CULTURE_FIRST]
    if token == state.EDUCATION:
        return out.weights[EDUCATION_NOW] * (tokens_of(s, seat) + 1) + out.weights[EDUCATION_LATER] * ahead
    worth = 100 * final_points(s, seat, token)
    return worth if token == state.DECOR else worth + out.weights[TOKEN_LATER] * ahead


@kernel
def build_worth(s: Record, seat: int, stage: int, payment: int, out: Record) -> int:
    """The worth of a stage, less what its payment spends."""
    wonder = s.wonder[seat] + 0
    worth = 2000 + 100 * s.stage_points[wonder][stage]
    if s.effects[wonder] >> stage & 1:
        worth += out.weights[STAGE_EFFECT]
    paid = paid_cards(s, stage, payment)
    worth -= (paid >> COINS & MASK) * out.weights[COIN_MORE]
    left = purse(s, seat) - paid
    built = s.built[seat] | 1 << stage
    if any_build(s, wonder, built, left, False, False):
        worth += out.weights[NEXT_STAGE]
    return worth


@kernel
def action_worth(s: Record, seat: int, action: int, out: Record) -> int:
    """The worth of a legal action, if its cards are weighed; only actions of the same moment are compared."""
    if action < choices.EXTRA:
        return deck_worth(s, seat, deck_at(s, seat, action), out)
    if action < choices.BUILD:
        return deck_worth(s, seat, deck_at(s, seat, (action - choices.EXTRA) % 3), out)
    if action < choices.CLAIM:
        return build_worth(
            s, seat, (action - choices.BUILD) // choices.PAYMENTS, (action - choices.BUILD) % choices.PAYMENTS, out
        )
    if action < choices.TOKEN:
        return 1000 + token_worth(s, seat, (action - choices.CLAIM) % choices.OFFERED, out)
    if action < choices.ANY:
        return token_worth(s, seat, action - choices.TOKEN, out)
    if action < choices.LOOK:
        return deck_worth(s, seat, action - choices.ANY, out)
    if action < choices.KEEP:
        return s.deck_left[deck_at(s, seat, action - choices.LOOK)] + 0
    if action < choices.KEEP + state.KINDS:
        return out.values[WORTHS + action - choices.KEEP] + 0
    return -1000 if action == choices.END else 0


@kernel
def takes_card(action: int) -> bool:
    """Whether an action is worth what a card is."""
    if action < choices.BUILD or choices.ANY <= action < choices.LOOK:
        return True
    return choices.KEEP <= action < choices.KEEP + state.KINDS


@kernel
def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    """The heuristic's action: the one of highest worth; ties are broken at random."""
    out_of_line()
    n = legal(s, seat, out)
    if n == 1:
        return out.values[0] + 0
    best, best_worth, ties = out.values[0], LEAST, 0
    weighed = False
    for i in range(n):
        action = out.values[i]
        if not weighed and takes_card(action):
            weigh_cards(s, seat, out)
            weighed = True
        worth = action_worth(s, seat, action, out)
        if worth > best_worth:
            best, best_worth, ties = action, worth, 1
        elif worth == best_worth:
            ties += 1
            if below(rng, ties) == 0:
                best = action
    return best

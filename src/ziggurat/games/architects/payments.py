"""Section 8: what a stage costs, every way to pay it, and how many stages can be built.

The cards that may pay are one number, a purse: six bits for each resource and for coins. Functions of numbers can be
called again and again while looking ahead, and nothing has to be undone.

The grey cards of a payment are a multiset, which has a number: by size, then by the combinatorial number system.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.trace import offer
from ziggurat.games.architects import choices, state
from ziggurat.games.architects.science import usable

FIELD = 6
MASK = (1 << FIELD) - 1
COINS = FIELD * state.RESOURCES  # where the coins stand in a purse
NEVER = 99  # the cost of a stage that there is not
MOST = 31  # more of a kind than all stages together can cost
ONE_OF_EACH = sum(1 << FIELD * kind for kind in range(state.RESOURCES))
TOPS = ONE_OF_EACH << FIELD - 1  # the highest bit for every resource, which MOST leaves free
COUNT_SHIFT = 16  # above any action: how many builds are possible after one

_SETS = [
    cards
    for size in range(choices.MOST_GREY + 1)
    for cards in sorted(combinations_with_replacement(range(state.RESOURCES), size), key=lambda cards: cards[::-1])
]
SET_NUMBERS = {cards: number for number, cards in enumerate(_SETS)}
NO_SET = choices.GREY_SETS  # no purse holds it
# Tables of sets, for any index of so many bits: compiled code need not ask whether a masked one has its place there.
SET_BITS, TYPES_BITS, TYPE_BITS = 0b1111111, 0b11111, 0b111111
GREY_CARDS = (*[sum(1 << FIELD * kind for kind in cards) for cards in _SETS], TOPS, TOPS)
# In the order in which payments are listed: by how many cards of the first type, then of the next one, and so on.
LISTED = (
    *sorted(SET_NUMBERS.values(), key=lambda number: [_SETS[number].count(kind) for kind in range(state.RESOURCES)]),
    NO_SET,
    NO_SET,
)
# The set of some types, of which the first has the highest bit, and how many they are.
OF_TYPES = tuple(
    SET_NUMBERS.get(tuple(kind for kind in range(state.RESOURCES) if types << kind & 0b10000), NO_SET)
    for types in range(TYPES_BITS + 1)
)
HOW_MANY = tuple(types.bit_count() for types in range(TYPES_BITS + 1))
# The set of cards of one type, by type and size.
OF_TYPE = tuple(SET_NUMBERS.get((place >> 3,) * (place & 7), NO_SET) for place in range(TYPE_BITS + 1))


@kernel
def purse(s: Record, seat: int) -> int:
    """The grey and yellow cards of a seat."""
    packed = 0
    cards = s.cards[seat]
    for kind in range(state.COIN, 0, -1):
        packed = packed << FIELD | min(cards[kind], MOST)
    return packed


@kernel
def is_available(s: Record, wonder: int, built: int, stage: int) -> bool:
    """Section 4: not built, and every stage of all lower levels is."""
    below = s.requires[wonder][stage] + 0
    return built >> stage & 1 == 0 and built & below == below


@kernel
def renew_costs(s: Record, seat: int) -> None:
    """Cache the cheapest stages that a seat may build: needed at every decision, changed by every stage."""
    out_of_line()
    different, identical = NEVER, NEVER
    wonder, built = s.wonder[seat] + 0, s.built[seat] + 0
    for stage in range(state.STAGES):
        cost = s.cost[stage] if is_available(s, wonder, built, stage) else NEVER
        different = min(different, NEVER if s.identical[stage] else cost)
        identical = min(identical, cost if s.identical[stage] else NEVER)
    s.least[seat][0] = different
    s.least[seat][1] = identical


@kernel
def can_build(s: Record, seat: int, economy: bool, engineering: bool) -> bool:
    """Whether a seat can pay any stage that it may build."""
    cards, least = s.cards[seat], s.least[seat]
    coins = cards[state.COIN]
    distinct, most, total = 0, 0, 0
    for kind in range(1, state.COIN):
        held = cards[kind]
        distinct += 1 if held > 0 else 0
        most = max(most, held)
        total += held
    units = coins + (1 if economy and coins > 0 else 0)
    if engineering and total + units >= min(least[0], least[1]):
        return True
    return (distinct + units >= least[0]) | (most + units >= least[1])


@kernel
def any_build(s: Record, wonder: int, built: int, packed: int, economy: bool, engineering: bool) -> bool:
    """Whether any available stage can be paid."""
    coins = packed >> COINS & MASK
    distinct, most, total = 0, 0, 0
    for _ in range(state.RESOURCES):
        held = packed & MASK
        distinct += 1 if held > 0 else 0
        most = max(most, held)
        total += held
        packed >>= FIELD
    units = coins + (1 if economy and coins > 0 else 0)
    for stage in range(state.STAGES):
        if is_available(s, wonder, built, stage):
            have = total if engineering else most if s.identical[stage] else distinct
            if have + units >= s.cost[stage]:
                return True
    return False


@kernel
def missing_units(s: Record, packed: int, stage: int, economy: int, engineering: bool) -> int:
    """The missing units of a purse for a stage; ``economy`` is 1 if a coin may be doubled."""
    coins = packed >> COINS & MASK
    distinct, most, total = 0, 0, 0
    for _ in range(state.RESOURCES):
        held = packed & MASK
        distinct += 1 if held > 0 else 0
        most = max(most, held)
        total += held
        packed >>= FIELD
    return short_of(s, stage, total if engineering else most if s.identical[stage] else distinct, coins, economy)


@kernel
def short_of(s: Record, stage: int, grey: int, coins: int, economy: int) -> int:
    """The missing units of a stage after so many grey cards that go together, and coins."""
    return max(s.cost[stage] - min(grey, s.cost[stage]) - coins - (economy if coins > 0 else 0), 0)


@kernel
def grey_cards(number: int) -> int:
    """The purse of the multiset of grey cards with a number."""
    return GREY_CARDS[number & SET_BITS]


@kernel
def set_size(grey: int) -> int:
    """The number of cards in a multiset: so few that the product adds them up in the highest field."""
    return grey * ONE_OF_EACH >> COINS - FIELD & MASK


@kernel
def size_of(grey: int) -> int:
    """The number of grey cards in a purse."""
    size = 0
    for _ in range(state.RESOURCES):
        size += grey & MASK
        grey >>= FIELD
    return size


@kernel
def fits(identical: int, grey: int) -> bool:
    """Whether a multiset is of one type, or of different types."""
    types = grey + TOPS - ONE_OF_EACH & TOPS  # a bit for each type
    return types & types - 1 == 0 if identical else grey & ~ONE_OF_EACH == 0


@kernel
def uses_engineering(s: Record, stage: int, payment: int) -> bool:
    """A35: Engineering is used only where the cards do not fit."""
    return not fits(s.identical[stage], grey_cards(payment >> 1))


@kernel
def paid_cards(s: Record, stage: int, payment: int) -> int:
    """The purse of a payment: its grey cards, and coins for what is missing; a doubled coin stands for two units."""
    grey = grey_cards(payment >> 1)
    coins = s.cost[stage] - set_size(grey) - (payment & 1)
    return grey | coins << COINS


@kernel
def is_covered(packed: int, grey: int) -> bool:
    """Whether a purse holds these grey cards."""
    return (packed | TOPS) - grey & TOPS == TOPS


@kernel
def enough_coins(packed: int, missing: int, doubled: int) -> bool:
    """Whether a purse has the coins for so many missing units; a doubled one makes two."""
    return (missing >= 2 * doubled) & (missing - doubled <= packed >> COINS & MASK)


@kernel
def may_pay(s: Record, packed: int, stage: int, payment: int) -> bool:
    """Whether a payment is exact, can be made from a purse, and is allowed by the options (sections 8 and 15.1), if its
    tokens may be used."""
    grey = grey_cards(payment >> 1)
    missing = s.cost[stage] - set_size(grey)
    if not is_covered(packed, grey) or not enough_coins(packed, missing, payment & 1):
        return False
    return missing == 0 or not s.missing_only or may_use_coins(s, packed, stage, grey)


@kernel
def may_use_coins(s: Record, packed: int, stage: int, grey: int) -> bool:
    """A3, A29: whether coins with these grey cards replace none that one holds."""
    out_of_line()
    size = set_size(grey)
    if not fits(s.identical[stage], grey):
        return size == size_of(packed)  # Engineering: grey cards first
    if not s.identical[stage]:
        return size == types_in(packed)
    if size == 0:
        return types_in(packed) < state.RESOURCES  # coins alone stand for a type that one does not hold
    for _ in range(state.RESOURCES):
        if grey & MASK:
            return grey & MASK == packed & MASK
        grey >>= FIELD
        packed >>= FIELD
    return True


@kernel
def types_in(packed: int) -> int:
    """The number of types of grey cards in a purse."""
    types = 0
    for _ in range(state.RESOURCES):
        types += 1 if packed & MASK else 0
        packed >>= FIELD
    return types


# --- Every payment -----------------------------------------------------------------------------------------------


@kernel
def legal_builds(s: Record, seat: int, out: Record) -> int:
    """Write every build that is legal now, one action for each stage and payment; return how many."""
    economy, engineering = usable(s, seat, state.ECONOMY), usable(s, seat, state.ENGINEERING)
    if not can_build(s, seat, economy, engineering):
        return 0
    packed = purse(s, seat)
    wonder, built = s.wonder[seat] + 0, s.built[seat] + 0
    n = 0
    for stage in range(state.STAGES):
        if is_available(s, wonder, built, stage):
            n = payments(s, packed, stage, economy, engineering, out, n)
    if s.maximal and n > 1 and stages_within(s, built, packed, economy) > 1:
        n = keep_maximal(s, wonder, built, packed, economy, engineering, out, n)
    return n


@kernel
def payments(s: Record, packed: int, stage: int, economy: bool, engineering: bool, out: Record, n: int) -> int:
    """Add the ways to pay a stage from a purse."""
    out_of_line()
    if engineering:
        for place in range(choices.GREY_SETS):
            grey_set = LISTED[place & SET_BITS]
            grey = grey_cards(grey_set)
            n = add_payment(s, packed, stage, grey_set, set_size(grey), is_covered(packed, grey), economy, out, n)
    elif s.identical[stage]:
        n = add_payment(s, packed, stage, 0, 0, True, economy, out, n)  # coins alone
        for kind in range(state.RESOURCES):
            held = packed >> FIELD * kind & MASK
            for size in range(1, s.cost[stage] + 1):
                grey_set = OF_TYPE[(kind << 3 | size) & TYPE_BITS]
                n = add_payment(s, packed, stage, grey_set, size, size <= held, economy, out, n)
    else:
        all_types = types_held(packed)
        types = 0
        while True:
            grey_set, size = OF_TYPES[types & TYPES_BITS], HOW_MANY[types & TYPES_BITS]
            n = add_payment(s, packed, stage, grey_set, size, True, economy, out, n)
            types = types - all_types & all_types  # the next set of types that are held
            if types == 0:
                break
    return n


@kernel
def types_held(packed: int) -> int:
    """The types of grey cards in a purse, by bits, the first type the highest."""
    types = 0
    for _ in range(state.RESOURCES):
        types = types << 1 | (1 if packed & MASK else 0)
        packed >>= FIELD
    return types


@kernel
def add_payment(
    s: Record, packed: int, stage: int, grey_set: int, size: int, held: bool, economy: bool, out: Record, n: int
) -> int:
    """Add a payment with a multiset of so many grey cards, if these are held and coins make the rest: once with single
    coins only and once with a doubled one."""
    missing = s.cost[stage] - size
    if s.missing_only and missing > 0:
        held = held and may_use_coins(s, packed, stage, grey_cards(grey_set))
    action = choices.BUILD + stage * choices.PAYMENTS + 2 * grey_set
    n = offer(out, n, action, held & enough_coins(packed, missing, 0))
    if economy:
        n = offer(out, n, action + 1, held & enough_coins(packed, missing, 1))
    return n


# --- A5: as many stages as possible ------------------------------------------------------------------------------


@kernel
def stages_within(s: Record, built: int, packed: int, economy: bool) -> int:
    """An upper bound of the stages that can be built, by the number of cards."""
    coins = packed >> COINS & MASK
    units = size_of(packed) + coins + (1 if economy and coins > 0 else 0)
    count = 0
    for cost in range(1, choices.MOST_GREY + 1):
        for stage in range(state.STAGES):
            if built >> stage & 1 == 0 and s.cost[stage] == cost and units >= cost:
                units -= cost
                count += 1
    return count


@kernel
def keep_maximal(
    s: Record, wonder: int, built: int, packed: int, economy: bool, engineering: bool, out: Record, n: int
) -> int:
    """A5, A31: drop the builds after which fewer stages could be built than are possible now."""
    out_of_line()
    best = 0
    for i in range(n):
        action = out.values[i]
        count = 1 + builds_after(s, wonder, built, packed, economy, engineering, action)
        doubled, engineered = action_uses(s, action)
        if (s.economy_forces or not doubled) and (s.engineering_forces or not engineered):
            best = max(best, count)
        out.values[i] = action | count << COUNT_SHIFT
    kept = 0
    for i in range(n):
        action = out.values[i]
        out.values[kept] = action & (1 << COUNT_SHIFT) - 1
        if action >> COUNT_SHIFT >= best:
            kept += 1
    return kept


@kernel
def action_uses(s: Record, action: int) -> tuple[bool, bool]:
    """Whether a build uses Economy and Engineering."""
    payment = (action - choices.BUILD) % choices.PAYMENTS
    return payment & 1 != 0, uses_engineering(s, (action - choices.BUILD) // choices.PAYMENTS, payment)


@kernel
def builds_after(s: Record, wonder: int, built: int, packed: int, economy: bool, engineering: bool, action: int) -> int:
    """How many further forced builds are possible after a build."""
    stage, payment = (action - choices.BUILD) // choices.PAYMENTS, (action - choices.BUILD) % choices.PAYMENTS
    doubled, engineered = action_uses(s, action)
    return most_builds(
        s,
        wonder,
        built | 1 << stage,
        packed - paid_cards(s, stage, payment),
        economy and not doubled and s.economy_forces != 0,
        engineering and not engineered and s.engineering_forces != 0,
    )


@kernel
def most_builds(s: Record, wonder: int, built: int, packed: int, economy: bool, engineering: bool) -> int:
    """The greatest number of stages that can be built from a purse."""
    out_of_line()
    if not any_build(s, wonder, built, packed, economy, engineering):
        return 0
    limit = stages_within(s, built, packed, economy)
    best = 1
    for stage in range(state.STAGES):
        if is_available(s, wonder, built, stage):
            for payment in range(choices.PAYMENTS):
                if best == limit:
                    return best
                engineered = uses_engineering(s, stage, payment)
                allowed = (economy or payment & 1 == 0) and (engineering or not engineered)
                if allowed and may_pay(s, packed, stage, payment):
                    further = most_builds(
                        s,
                        wonder,
                        built | 1 << stage,
                        packed - paid_cards(s, stage, payment),
                        economy and payment & 1 == 0,
                        engineering and not engineered,
                    )
                    best = max(best, 1 + further)
    return best

"""Section 8: what a stage costs, every way to pay it, and how many stages can be built.

The cards that may pay are one number, a purse: six bits for each resource and for coins. Functions of numbers can be
called again and again while looking ahead, and nothing has to be undone.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.architects import choices, state
from ziggurat.games.architects.science import usable

FIELD = 6
MASK = (1 << FIELD) - 1
COINS = FIELD * state.RESOURCES  # where the coins stand in a purse
NEVER = 99  # the cost of a stage that there is not
MOST = 31  # more of a kind than all stages together can cost
COUNT_SHIFT = 16  # above any action: how many builds are possible after one


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
    """Remember the cheapest stages that a seat may build: asked at every decision, changed by every stage."""
    out_of_line()
    for identical in range(2):
        least = NEVER
        for stage in range(state.STAGES):
            if s.identical[stage] == identical and is_available(s, s.wonder[seat], s.built[seat], stage):
                least = min(least, s.cost[stage])
        s.least[seat][identical] = least


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
    """How many more units than a purse makes a stage needs; ``economy`` is 1 if a coin may be doubled."""
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
    """How many more units a stage needs than so many grey cards that go together, and coins, make."""
    return max(s.cost[stage] - min(grey, s.cost[stage]) - coins - (economy if coins > 0 else 0), 0)


@kernel
def grey_cards(number: int) -> int:
    """The purse of the multiset of grey cards with a number: by size, then by the combinatorial number system."""
    size = 0
    while size < choices.MOST_GREY and number >= multisets(state.RESOURCES, size):
        number -= multisets(state.RESOURCES, size)
        size += 1
    packed = 0
    for i in range(size, 0, -1):
        kind = state.RESOURCES - 1
        while multisets(kind, i) > number:
            kind -= 1
        number -= multisets(kind, i)
        packed += 1 << FIELD * kind
    return packed


@kernel
def multisets(kinds: int, size: int) -> int:
    """How many multisets of ``size`` (0 to 4) there are of ``kinds`` kinds."""
    if size == 0:
        return 1
    if size == 1:
        return kinds
    if size == 2:
        return kinds * (kinds + 1) // 2
    if size == 3:
        return kinds * (kinds + 1) * (kinds + 2) // 6
    return kinds * (kinds + 1) * (kinds + 2) * (kinds + 3) // 24


@kernel
def smaller_sets(size: int) -> int:
    """The number of the first multiset of a size."""
    if size < 2:
        return size
    if size == 2:
        return 6
    return 21 if size == 3 else 56


@kernel
def size_of(grey: int) -> int:
    """How many grey cards a purse holds."""
    size = 0
    for _ in range(state.RESOURCES):
        size += grey & MASK
        grey >>= FIELD
    return size


@kernel
def fits(identical: int, grey: int) -> bool:
    """Whether grey cards are all of one type, or all of different types."""
    kinds, most = 0, 0
    for _ in range(state.RESOURCES):
        kinds += 1 if grey & MASK else 0
        most = max(most, grey & MASK)
        grey >>= FIELD
    return kinds <= 1 if identical else most <= 1


@kernel
def uses_engineering(s: Record, stage: int, payment: int) -> bool:
    """A35: Engineering is used only where the cards do not fit."""
    return not fits(s.identical[stage], grey_cards(payment >> 1))


@kernel
def paid_cards(s: Record, stage: int, payment: int) -> int:
    """The purse of a payment: its grey cards, and coins for what is missing; a doubled coin stands for two units."""
    grey = grey_cards(payment >> 1)
    coins = s.cost[stage] - size_of(grey) - (payment & 1)
    return grey | coins << COINS


@kernel
def is_covered(packed: int, grey: int) -> bool:
    """Whether a purse holds these grey cards."""
    for _ in range(state.RESOURCES):
        if grey & MASK > packed & MASK:
            return False
        grey >>= FIELD
        packed >>= FIELD
    return True


@kernel
def may_pay(s: Record, packed: int, stage: int, payment: int, economy: bool, engineering: bool) -> bool:
    """Whether a payment is exact, can be made from a purse, and is allowed by the options (sections 8 and 15.1)."""
    grey = grey_cards(payment >> 1)
    size = size_of(grey)
    missing = s.cost[stage] - size
    if missing < 0 or not is_covered(packed, grey):
        return False
    return may_use_coins(s, packed, stage, grey, size, payment & 1, economy) and (
        engineering or fits(s.identical[stage], grey)
    )


@kernel
def may_use_coins(s: Record, packed: int, stage: int, grey: int, size: int, doubled: int, economy: bool) -> bool:
    """Whether the coins suffice; A3, A29: with ``missing_only`` they may not replace cards that one holds."""
    missing = s.cost[stage] - size
    coins = missing - doubled
    if coins > packed >> COINS & MASK:
        return False
    if doubled and (not economy or missing < 2):
        return False
    if missing == 0 or not s.missing_only:
        return True
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
    """How many types of grey cards a purse holds."""
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
        return add_payments(s, packed, stage, choices.MOST_GREY, 0, 0, 0, 0, economy, out, n)
    if not s.identical[stage]:
        return add_payments(s, packed, stage, 1, 0, 0, 0, 0, economy, out, n)
    n = add_payment(s, packed, stage, 0, 0, 0, economy, out, n)  # coins alone
    for kind in range(state.RESOURCES):
        number = 0
        for size in range(1, min(packed >> FIELD * kind & MASK, s.cost[stage]) + 1):
            number += multisets(kind, size)
            n = add_payment(s, packed, stage, size << FIELD * kind, number, size, economy, out, n)
    return n


@kernel
def add_payments(
    s: Record,
    packed: int,
    stage: int,
    most: int,
    kind: int,
    grey: int,
    number: int,
    size: int,
    economy: bool,
    out: Record,
    n: int,
) -> int:
    """Add the payments that begin with ``grey``, of which ``size`` cards are chosen, with at most ``most`` of each kind
    from ``kind`` on."""
    out_of_line()
    while kind < state.RESOURCES and packed >> FIELD * kind & MASK == 0:
        kind += 1
    if kind == state.RESOURCES:
        return add_payment(s, packed, stage, grey, number, size, economy, out, n)
    for count in range(min(packed >> FIELD * kind & MASK, most, s.cost[stage] - size) + 1):
        if count > 0:
            number += multisets(kind, size + count)
            grey += 1 << FIELD * kind
        n = add_payments(s, packed, stage, most, kind + 1, grey, number, size + count, economy, out, n)
    return n


@kernel
def add_payment(
    s: Record, packed: int, stage: int, grey: int, number: int, size: int, economy: bool, out: Record, n: int
) -> int:
    """Add a payment with these grey cards, once with single coins only and once with a doubled one, where possible.

    ``number`` is that of the multiset among those of its size.
    """
    number = 2 * (smaller_sets(size) + number)
    for doubled in range(2 if economy else 1):
        if may_use_coins(s, packed, stage, grey, size, doubled, economy):
            out.values[n] = choices.BUILD + stage * choices.PAYMENTS + number + doubled
            n += 1
    return n


# --- A5: as many stages as possible ------------------------------------------------------------------------------


@kernel
def stages_within(s: Record, built: int, packed: int, economy: bool) -> int:
    """No more stages than this can be built, as the number of cards goes."""
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
                if best < limit and may_pay(s, packed, stage, payment, economy, engineering):
                    further = most_builds(
                        s,
                        wonder,
                        built | 1 << stage,
                        packed - paid_cards(s, stage, payment),
                        economy and payment & 1 == 0,
                        engineering and not uses_engineering(s, stage, payment),
                    )
                    best = max(best, 1 + further)
    return best

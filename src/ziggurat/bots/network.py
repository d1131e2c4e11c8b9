"""A small value and policy network, compiled with the rules: playing needs no library for networks.

Columns of small integers (``ziggurat.core.inputs``) are spread over places: a number over one, the values of a category
and the bits of a set over one each. Most places hold 0, so the first layer adds up only the rows of those that do not,
and mostly only of those that are not what they were a position, or an action, before, as in NNUE. Every seat has a
hidden layer of its own with the same weights: what it is itself, what the others are added up, and the table. So one
network serves tables of every size, and no seat is different from another.

    value    hidden[i] = relu(bias + T table + S seat[i] + O sum of seat[j], j not i)     of VALUE units
             second[i] = relu(U hidden[i] + b), out[i] = V second[i] + c                  winning and standing
    choice   hidden = relu(bias + T' table + S' seat[i] + O' sum of open seat[j] + A action), of CHOICE units at most
             preference = w hidden

Winning is shared among the seats by a softmax; standing, from 0 to 1, says how far ahead a seat will be at the end.
What an action is worth is judged only by what the seat that decides can see.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ziggurat.core import limits
from ziggurat.core.bits import lowest_bit
from ziggurat.core.engine import actors, legal, lowest_seat, play, redeal, scores, suggest, winners
from ziggurat.core.features import CATEGORY, NUMBER
from ziggurat.core.inputs import action_inputs, seat_inputs, table_inputs
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.lanes import COLUMNS, add_rows, positive, unequal
from ziggurat.core.random import below

VALUE = 96
SECOND = 32
CHOICE = 128
"""Units at most; a network says how many it has."""
TABLE, SEAT, ACTION = range(3)
"""The kinds of columns, in this order in ``columns`` and ``scale``."""

f4 = np.float32
NONE = f4(0)
NET = np.dtype(
    [
        # What is added up comes first, each array at an address that its vectors divide, see ``learned.assembled``.
        ("value_bias", f4, (VALUE,)),
        ("value_table", f4, (limits.PLACES, VALUE)),
        ("value_seat", f4, (limits.PLACES, VALUE)),  # less what stands in value_others, where the seat is counted too
        ("value_others", f4, (limits.PLACES, VALUE)),
        ("second_bias", f4, (SECOND,)),
        ("second", f4, (VALUE, SECOND)),
        ("value_out", f4, (2, SECOND)),
        ("choice_bias", f4, (CHOICE,)),
        ("choice_table", f4, (limits.PLACES, CHOICE)),
        ("choice_seat", f4, (limits.PLACES, CHOICE)),
        ("choice_others", f4, (limits.PLACES, CHOICE)),
        ("choice_action", f4, (limits.PLACES, CHOICE)),
        ("choice_out", f4, (CHOICE,)),
        # Of every column of each kind: what it is, its lowest value, its first place, and its highest value.
        ("columns", np.int32, (3 * limits.INPUTS, 4)),
        ("scale", f4, (3 * limits.INPUTS,)),
        # The columns that it has learned, in the order in which they are added up, and how many these are of each kind.
        ("order", np.int32, (3 * limits.INPUTS,)),
        ("known", np.int64, (3,)),
        ("in_order", np.int64),  # whether these are all of the first columns, in their own order
        ("open", np.int64),  # of a seat's, so many are first that all see
        ("ready", np.int64),  # 0: there are no weights
        ("units", np.int64),  # of the preferences
        ("value_out_bias", f4, (2,)),
    ]
)
# What a network writes to.
ACTIVATIONS = np.dtype(
    [
        ("whole", f4, (VALUE,)),
        ("own", f4, (limits.SEATS, VALUE)),
        ("second", f4, (SECOND,)),
        ("context", f4, (limits.SEATS, CHOICE)),  # by the seat that decides
        ("running", f4, (CHOICE,)),
        ("hidden", f4, (CHOICE,)),
        # Places, or units, that are not 0, and what each counts.
        ("places", np.int64, (limits.PLACES,)),
        ("factors", f4, (limits.PLACES,)),
        # What the sums were told of the table and of every seat, and behind them all what the values were told; how
        # often they were told since they were made anew; and what was told of the action before.
        ("heard", np.int16, (limits.SEATS + 1, 1 + limits.SEATS, limits.INPUTS)),
        ("uses", np.int64, (limits.SEATS + 1,)),
        ("before", np.int16, (limits.INPUTS,)),
        # By seat: the chance of winning, and the standing, from 0 to 1.
        ("win", np.float64, (limits.SEATS,)),
        ("standing", np.float64, (limits.SEATS,)),
        # The same of many games, added up.
        ("wins", np.float64, (limits.SEATS,)),
        ("standings", np.float64, (limits.SEATS,)),
        # The actions that were judged, and how likely each is to be chosen.
        ("n", np.int64),
        ("actions", np.int64, (limits.LEGAL,)),
        ("prior", np.float64, (limits.LEGAL,)),
    ]
)


@kernel
def spread(net: Record, first: int, n: int, before: Any, fresh: bool, activations: Record, out: Record) -> int:
    """List the changed inputs of the first ``n`` columns that the network knows, numbered from ``first`` on: where
    ``out.inputs`` differs from ``before``, and by how much; if the sums are recomputed (``fresh``), all places that are
    not 0. Return how many there are."""
    out_of_line()
    count = 0
    if fresh or not net.in_order:
        for j in range(n):
            i = net.order[first + j] + 0
            if fresh or out.inputs[i] != before[i]:
                count = spread_one(net, first, i, before, fresh, activations, count, out)
    else:
        for begin in range(0, n, COLUMNS):
            columns = unequal(out.inputs, before, begin) & (1 << min(n - begin, COLUMNS)) - 1
            while columns:
                i = begin + lowest_bit(columns)
                columns &= columns - 1
                count = spread_one(net, first, i, before, fresh, activations, count, out)
    return count


@kernel
def spread_one(
    net: Record, first: int, i: int, before: Any, fresh: bool, activations: Record, count: int, out: Record
) -> int:
    """List the changed inputs of one column, behind the ``count`` places that are listed."""
    column = first + i
    told = net.columns[column]
    value, old = min(max(out.inputs[i], told[1]), told[3]) + 0, before[i] + 0
    if value == old and not fresh:
        return count  # beyond the bounds, as it was before
    before[i] = value
    kind, place, scale = told[0] + 0, told[2] + 0, net.scale[column]
    if kind == NUMBER:
        activations.places[count] = place
        activations.factors[count] = (value if fresh else value - old) * scale
        count += 1 if value or not fresh else 0
    elif kind == CATEGORY:
        activations.places[count] = place + value - told[1]
        activations.factors[count] = scale
        count += 1
        if not fresh:
            activations.places[count] = place + old - told[1]
            activations.factors[count] = -scale
            count += 1
    else:
        changed = value if fresh else value ^ old
        while changed:
            activations.places[count] = place
            activations.factors[count] = scale if value & 1 else -scale
            count += changed & 1
            place += 1
            value >>= 1
            changed >>= 1
    return count


USES_PER_REFRESH = 16


@kernel
def is_fresh(activations: Record, what: int) -> bool:
    """Whether sums are recomputed from scratch: at the beginning, and now and then, so that rounding errors do not
    accumulate."""
    uses = activations.uses[what] + 0
    activations.uses[what] = (uses + 1) % USES_PER_REFRESH
    return bool(uses == 0)


@kernel
def forget(activations: Record) -> None:
    """Invalidate the accumulated sums: what follows does not depend on them, not even by a rounding."""
    for what in range(limits.SEATS + 1):
        activations.uses[what] = 0


@kernel
def live(hidden: Any, width: int, activations: Record) -> int:
    """List the active units (above 0), as ``spread`` lists places; return how many there are."""
    count = 0
    for begin in range(0, width, COLUMNS):
        units = positive(hidden, begin)
        while units:
            k = begin + lowest_bit(units)
            activations.places[count] = k
            activations.factors[count] = hidden[k]
            count += 1
            units &= units - 1
    return count


@kernel
def weighed(hidden: Any, weights: Any, width: int) -> float:
    """Return the dot product of the active units with their weights, summed in halves: many at a time, where one after
    the other would wait. ``hidden`` is used up."""
    for k in range(width):
        hidden[k] = hidden[k] * weights[k] if hidden[k] > 0 else NONE
    while width > 1:
        half = (width + 1) // 2
        for k in range(width - half):
            hidden[k] += hidden[k + half]
        width = half
    return float(hidden[0])


@kernel
def evaluate(s: Record, net: Record, activations: Record, out: Record) -> None:
    """Compute every seat's chance of winning and standing at the end, into ``activations.win`` and
    ``activations.standing``."""
    out_of_line()
    whole, heard = activations.whole, activations.heard[limits.SEATS]
    fresh = is_fresh(activations, limits.SEATS)
    if fresh:
        for k in range(VALUE):
            whole[k] = net.value_bias[k]
    table_inputs(s, out)
    n = spread(net, 0, net.known[0] + 0, heard[0], fresh, activations, out)
    add_rows(net.value_table, activations.places, activations.factors, n, whole)
    for seat in range(s.players):
        own = activations.own[seat]
        if fresh:
            for k in range(VALUE):
                own[k] = 0
        seat_inputs(s, seat, out)
        n = spread(net, limits.INPUTS, net.known[1] + 0, heard[1 + seat], fresh, activations, out)
        add_rows(net.value_others, activations.places, activations.factors, n, whole)
        add_rows(net.value_seat, activations.places, activations.factors, n, own)
    most = -1.0e9
    for seat in range(s.players):
        own, second, hidden = activations.own[seat], activations.second, activations.hidden
        for j in range(SECOND):
            second[j] = net.second_bias[j]
        for k in range(VALUE):
            hidden[k] = own[k] + whole[k]
        add_rows(net.second, activations.places, activations.factors, live(hidden, VALUE, activations), second)
        win, standing = net.value_out_bias[0] + 0.0, net.value_out_bias[1] + 0.0
        for j in range(SECOND):  # whether a unit is above 0 nobody can guess, so it is no branch
            win += net.value_out[0][j] * second[j] if second[j] > 0 else NONE
            standing += net.value_out[1][j] * second[j] if second[j] > 0 else NONE
        activations.win[seat] = win
        activations.standing[seat] = 1.0 / (1.0 + math.exp(-standing))
        most = max(most, win)
    if s.players == 1:
        activations.win[0] = 1.0 / (1.0 + math.exp(-activations.win[0]))
        return
    total = 0.0
    for seat in range(s.players):
        activations.win[seat] = math.exp(activations.win[seat] - most)
        total += activations.win[seat]
    for seat in range(s.players):
        activations.win[seat] /= total


@kernel
def policy(s: Record, net: Record, activations: Record, seat: int, guess: int, out: Record) -> None:
    """Compute the policy, the probability of each of ``activations.actions``, into ``activations.prior``.

    ``guess`` is the heuristic's choice.
    """
    out_of_line()
    context, units = activations.context[seat], net.units + 0
    heard, fresh = activations.heard[seat], is_fresh(activations, seat)
    if fresh:
        for k in range(units):
            context[k] = net.choice_bias[k]
    table_inputs(s, out)
    n = spread(net, 0, net.known[0] + 0, heard[0], fresh, activations, out)
    add_rows(net.choice_table, activations.places, activations.factors, n, context)
    for other in range(s.players):
        seat_inputs(s, other, out)
        if other == seat:
            n = spread(net, limits.INPUTS, net.known[1] + 0, heard[1 + other], fresh, activations, out)
            add_rows(net.choice_seat, activations.places, activations.factors, n, context)
        else:
            n = spread(net, limits.INPUTS, net.open + 0, heard[1 + other], fresh, activations, out)
            add_rows(net.choice_others, activations.places, activations.factors, n, context)
    running, hidden = activations.running, activations.hidden
    for k in range(units):
        running[k] = context[k]
    most = -1.0e9
    for i in range(activations.n):
        action_inputs(s, seat, activations.actions[i], out)
        out.inputs[0] = 1 if activations.actions[i] == guess else 0
        n = spread(net, 2 * limits.INPUTS, net.known[2] + 0, activations.before, i == 0, activations, out)
        add_rows(net.choice_action, activations.places, activations.factors, n, running)
        for k in range(units):
            hidden[k] = running[k]
        preference = weighed(hidden, net.choice_out, units)
        activations.prior[i] = preference
        most = max(most, preference)
    total = 0.0
    for i in range(activations.n):
        activations.prior[i] = math.exp(activations.prior[i] - most)
        total += activations.prior[i]
    for i in range(activations.n):
        activations.prior[i] /= total


@kernel
def outcome(s: Record, activations: Record, width: float, win: float, rank: float, out: Record) -> None:
    """Compute the outcome of a finished game: everybody's share of the win, into ``activations.win``, and the value of
    the end, into ``activations.standing``: so much for the win, so much for the rank, and the rest for how far ahead of
    the best rival."""
    n = scores(s, out)
    if s.players > 1:  # an owner who is no seat is a rival only of who plays alone
        n = s.players + 0
    mask = winners(s)
    winning = 0
    for seat in range(n):
        winning += mask >> seat & 1
    for seat in range(s.players):
        own = out.values[seat]
        behind = 0.0
        rival = -1000000
        for other in range(n):
            if other != seat:
                rival = max(rival, out.values[other])
                if out.values[other] < own:
                    behind += 1.0
                elif out.values[other] == own:
                    behind += 0.5
        if n < 2:
            rival, behind, rivals = 0, 0.0, 1
        else:
            rivals = n - 1
        margin = math.tanh((own - rival) / (width * (abs(own) + abs(rival)) + 3.0))
        won = 1.0 / winning if mask >> seat & 1 else 0.0
        activations.win[seat] = won
        activations.standing[seat] = win * won + rank * behind / rivals + (1.0 - win - rank) * (0.5 + 0.5 * margin)


# What ``query`` does.
DESCRIBE, JUDGE, EVALUATE, SETTLE = range(4)
WIDTH, RANK = 0.2, 1 / 7
"""How the standing is told that a network learns: as a search rewards it by default."""


@kernel
def query(
    op: int, states: Record, nets: Record, memories: Record, rngs: Record, outs: Record, seat: int, rows: Any
) -> int:
    """Answer a query about the position ``states[0]``; returns how many legal actions ``seat`` has, or 0.

    JUDGE and DESCRIBE write the actions of ``seat`` to the activations; JUDGE how likely each is to be chosen; EVALUATE
    what the position is worth, of several the last one, SETTLE what it was worth at the end. DESCRIBE writes what the
    network is told to ``rows``: the table, every seat, every action.
    """
    s, net, activations, out = states[0], nets[0], memories[0], outs[0]
    forget(activations)
    if op == EVALUATE:
        for i in range(len(states)):
            evaluate(states[i], net, activations, out)
        return 0
    if op == SETTLE:
        outcome(s, activations, WIDTH, 0.0, RANK, out)
        return 0
    activations.n = legal(s, seat, out)
    for i in range(activations.n):
        activations.actions[i] = out.values[i]
    guess = suggest(s, seat, rngs[0], out)
    if op == JUDGE:
        policy(s, net, activations, seat, guess, out)
        return int(activations.n)
    n = table_inputs(s, out)
    for column in range(n):
        rows[0, column] = out.inputs[column]
    for other in range(s.players):
        n = seat_inputs(s, other, out)
        for column in range(n):
            rows[1 + other, column] = out.inputs[column]
    for i in range(activations.n):
        n = action_inputs(s, seat, activations.actions[i], out)
        out.inputs[0] = 1 if activations.actions[i] == guess else 0
        for column in range(n):
            rows[1 + s.players + i, column] = out.inputs[column]
    return int(activations.n)


PREFERENCE_STEPS = 1 << 24
"""Steps in which a preference is drawn."""


@kernel
def preferred_one(activations: Record, rng: Record) -> int:
    """Draw one of the evaluated actions, in proportion to the square of its policy."""
    total = 0.0
    for i in range(activations.n):
        total += activations.prior[i] * activations.prior[i]
    left = below(rng, PREFERENCE_STEPS) * total / PREFERENCE_STEPS
    for i in range(activations.n):
        left -= activations.prior[i] * activations.prior[i]
        if left < 0:
            return int(activations.actions[i])
    return int(activations.actions[activations.n - 1])


@kernel
def self_play_steps(
    states: Record, nets: Record, memories: Record, rngs: Record, traces: Record, outs: Record, decisions: int, odd: int
) -> int:
    """Play so many decisions by the network's policy, or by the heuristic where there is no network.

    Args:
        odd: decisions in a thousand in which any action is played.

    Returns:
        The seat that decides next, or -1 when the game is over.
    """
    s, net, activations, rng, out = states[0], nets[0], memories[0], rngs[0], outs[0]
    forget(activations)
    played = 0
    mask = actors(s)
    while mask:
        actor = lowest_seat(mask)
        n = legal(s, actor, out)
        action = out.values[0] + 0
        if n > 1:
            if played == decisions:
                return actor
            played += 1
            if below(rng, 1000) < odd:
                action = out.values[below(rng, n)] + 0
            elif net.ready:
                activations.n = n
                for i in range(n):
                    activations.actions[i] = out.values[i]
                policy(s, net, activations, actor, suggest(s, actor, rng, out), out)
                action = preferred_one(activations, rng)
            else:
                action = suggest(s, actor, rng, out)
        play(s, actor, action, traces[0])
        mask = actors(s)
    return -1


@kernel
def rollout(
    states: Record, memories: Record, rngs: Record, traces: Record, outs: Record, seat: int, number: int
) -> int:
    """Play rollouts of the heuristic from ``states[0]``; what ``seat`` does not know is dealt again in each.

    What every seat has on average goes to ``activations.win`` and ``activations.standing``. ``states[1]`` is scratch.
    Returns how many games there were.
    """
    activations, rng, out = memories[0], rngs[0], outs[0]
    players = states[0].players + 0
    for k in range(players):
        activations.wins[k] = 0.0
        activations.standings[k] = 0.0
    for _ in range(number):
        states[1] = states[0]
        s = states[1]
        redeal(s, seat, rng)
        mask = actors(s)
        while mask:
            actor = lowest_seat(mask)
            play(s, actor, suggest(s, actor, rng, out), traces[0])
            mask = actors(s)
        outcome(s, activations, WIDTH, 0.0, RANK, out)
        for k in range(players):
            activations.wins[k] += activations.win[k]
            activations.standings[k] += activations.standing[k]
    for k in range(players):
        activations.win[k] = activations.wins[k] / number
        activations.standing[k] = activations.standings[k] / number
    return number

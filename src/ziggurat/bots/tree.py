"""Information-set Monte Carlo tree search, compiled with the rules of each game.

One iteration: what the searching seat does not know is dealt anew; the tree is descended while it knows the way; one
decision is added; the game is played to its end by the heuristic, now and then at random; and every decision on the way
learns what its own seat got (max^n). See Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
IEEE Transactions on Computational Intelligence and AI in Games 4 (2012).

A node is what one seat has seen since the root (the multiple-observer variant): its key is a hash of the actions that
the seat knows of, so that nobody in the tree answers to a choice that is still a secret, and of what lies open, so that
an answer is learned for the cards that came and not for all that might have come. Simultaneous choices are made one
after another in that way. Hidden cards are part of the key only for the searching seat; because not every action is
possible in every deal of the others, a bound counts how often an action could have been chosen.

Nothing here reads the truth: the root is a redealt position, and every iteration deals again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ziggurat.bots.network import ACTIVATIONS, NET, evaluate, outcome, policy, query, rollout, self_play_steps
from ziggurat.bots.pairs import ACCUMULATORS, PAIR, compare
from ziggurat.core import limits
from ziggurat.core.engine import actors, concealed, legal, lowest_seat, observe, play, redeal, suggest
from ziggurat.core.game import Game
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import RNG, below
from ziggurat.core.runtime import Program
from ziggurat.core.trace import OUT, TRACE

NODES = 1 << 16
EDGES = 1 << 19
BUCKETS = 1 << 17
DEPTH = 128
"""Decisions of a path that the tree can hold; forced ones take no room."""
FADING_TRIES = 500
"""Tries after which half of the prior's advantage is gone in the decision that is searched for; and after which half of
``mix`` counts: few games to the end tell little, many tell what the network does not know."""
LEAST_PART = 0.1
"""Of a game to the end: what would count less is not played."""

TREE = np.dtype(
    [
        # By node and by edge, 0 being none. `sum` and `gain` are rewards added up.
        ("key", np.int64, (NODES,)),
        ("sum", np.float64, (NODES,)),
        ("gain", np.float64, (EDGES,)),
        ("visits", np.int32, (NODES,)),
        ("first", np.int32, (NODES,)),
        ("next", np.int32, (EDGES,)),
        ("tries", np.int32, (EDGES,)),
        ("chances", np.int32, (EDGES,)),
        ("action", np.int16, (EDGES,)),
        ("prior", np.int16, (EDGES,)),  # the network's preference in parts of WHOLE, or UNKNOWN
        ("bucket", np.int32, (BUCKETS,)),
        # How many are used, and the node of the decision that is searched for.
        ("nodes", np.int64),
        ("edges", np.int64),
        ("root", np.int64),
        # What every seat has seen at the root, and in the present iteration; what is chosen and not yet shown.
        ("origin", np.int64),
        ("seen", np.int64, (limits.SEATS,)),
        ("secret", np.int64),
        # The path of the present iteration.
        ("depth", np.int64),
        ("path_node", np.int32, (DEPTH,)),
        ("path_edge", np.int32, (DEPTH,)),
        ("path_seat", np.int32, (DEPTH,)),
        ("reward", np.float64, (limits.SEATS,)),
        # What the network thought of it.
        ("thought", np.float64, (limits.SEATS,)),
        ("likely", np.float64, (limits.SEATS,)),
        # Games that were played to their end, and how many of them each seat won.
        ("games", np.int64),
        ("won", np.float64, (limits.SEATS,)),
        # The edge of an action at the node at hand.
        ("edge_of", np.int32, (limits.ACTIONS,)),
        # Whether a choice of the present iteration is not yet shown to all.
        ("pending", np.int64),
        # Settings, see SearchConfig.
        ("explore", np.float64),
        ("root_trust", np.float64),
        ("trust", np.float64),
        ("width", np.float64),
        ("random", np.int64),
        ("share_win", np.float64),
        ("share_rank", np.float64),
        ("flat", np.int64),
        ("learned", np.int64),  # whether a network judges
        ("ahead", np.int64),  # decisions of the heuristic before it does
        ("mix", np.float64),  # of the heuristic's game to the end
        ("doubt", np.float64),  # of its preferences in the decision itself
        ("forced", np.int64),  # the only action that is tried at the root, counted from 1; 0: all of them
    ]
)
GROWN = ("key", "sum", "gain", "visits", "first", "next", "tries", "chances", "action", "prior")
"""What is written for a node or an edge when it is added, and need not be cleared before."""
MASK = (1 << 62) - 1
ODD = 0x1E3779B97F4A7C15
NO_NODE = 0
UNKNOWN = -1
WHOLE = 30_000
STOP = -1


@kernel
def mix(key: int, value: int) -> int:
    """Return a hash of a key and one more value: below 2**62, the same in both backings."""
    key = (key ^ value + 0x51ED27) * ODD & MASK
    key ^= key >> 29
    key = key * ODD & MASK
    return key ^ key >> 31


@kernel
def find(tree: Record, key: int) -> int:
    """Return the node with this key; NO_NODE if there is none."""
    place = key & BUCKETS - 1
    while tree.bucket[place] != NO_NODE:
        node: int = tree.bucket[place] + 0
        if tree.key[node] == key:
            return node
        place = place + 1 & BUCKETS - 1
    return NO_NODE


@kernel
def add_node(tree: Record, key: int) -> int:
    """Add a node; return NO_NODE when there is no room."""
    if tree.nodes >= NODES - 1:
        return NO_NODE
    tree.nodes += 1
    node: int = tree.nodes + 0
    tree.key[node] = key
    tree.sum[node], tree.visits[node], tree.first[node] = 0.0, 0, 0
    place = key & BUCKETS - 1
    while tree.bucket[place] != NO_NODE:
        place = place + 1 & BUCKETS - 1
    tree.bucket[place] = node
    return node


@kernel
def add_edge(tree: Record, node: int, action: int) -> int:
    """Add an edge to a node; return 0 when there is no room."""
    if tree.edges >= EDGES - 1:
        return 0
    tree.edges += 1
    edge: int = tree.edges + 0
    tree.gain[edge], tree.tries[edge], tree.chances[edge] = 0.0, 0, 0
    tree.action[edge] = action
    tree.prior[edge] = UNKNOWN
    tree.next[edge] = tree.first[node]
    tree.first[node] = edge
    return edge


@kernel
def trusted(tree: Record, node: int, activations: Record, guess: int) -> None:
    """Compute the prior of each action without a network: the heuristic's choice first, the others alike."""
    trust = tree.trust + 0.0
    if tree.depth == 0:
        trust = tree.root_trust + (trust - tree.root_trust) * FADING_TRIES / (FADING_TRIES + tree.visits[node])
    rest = (1.0 - trust) / (activations.n - 1)
    for i in range(activations.n):
        activations.prior[i] = trust if activations.actions[i] == guess else rest


@kernel
def open_edges(tree: Record, node: int, shut: bool) -> None:
    """Index the edges of a node by action; 0 for an action without one."""
    edge = tree.first[node] + 0
    while edge:
        tree.edge_of[tree.action[edge]] = 0 if shut else edge
        edge = tree.next[edge] + 0


@kernel
def preferred(
    s: Record, tree: Record, net: Record, activations: Record, actor: int, node: int, rng: Record, out: Record
) -> None:
    """Compute the network's prior of each action, queried once for every decision in the tree.

    In the decision itself its preferences count for less, the more often that was looked at.
    """
    new = False
    for i in range(activations.n):
        edge = tree.edge_of[activations.actions[i]] + 0
        new = new or edge == 0 or tree.prior[edge] < 0
    if new:
        policy(s, net, activations, actor, suggest(s, actor, rng, out), out)
    doubt = 0.0
    if tree.depth == 0:
        doubt = tree.doubt * tree.visits[node] / (FADING_TRIES + tree.visits[node])
    for i in range(activations.n):
        edge = tree.edge_of[activations.actions[i]] + 0
        if edge == 0:
            edge = add_edge(tree, node, activations.actions[i])
            tree.edge_of[activations.actions[i]] = edge
        if edge:
            if tree.prior[edge] < 0:
                tree.prior[edge] = int(activations.prior[i] * WHOLE + 0.5)
            activations.prior[i] = tree.prior[edge] / WHOLE
        activations.prior[i] += doubt * (1.0 / activations.n - activations.prior[i])


@kernel
def select(tree: Record, node: int, activations: Record, rng: Record) -> int:
    """Return the legal action with the highest upper confidence bound; ties are broken at random. The node's edges are
    open.

    An action that was never tried counts as an average one that was tried once.
    """
    out_of_line()
    average = tree.sum[node] / tree.visits[node]
    best: int = activations.actions[0] + 0
    best_bound, ties = -1.0e9, 1
    for i in range(activations.n):
        action = activations.actions[i]
        edge = tree.edge_of[action] + 0
        prior = activations.prior[i]
        if edge:
            tree.chances[edge] += 1
        if edge and tree.tries[edge]:
            tries = tree.tries[edge]
            bound = tree.gain[edge] / tries
            bound += tree.explore * prior * math.sqrt(tree.chances[edge]) / (1 + tries)
        else:
            bound = average + tree.explore * prior * math.sqrt(tree.visits[node])
        if bound > best_bound:
            best, best_bound, ties = action + 0, bound, 1
        elif bound == best_bound:
            ties += 1
            if below(rng, ties) == 0:
                best = action + 0
    return best


@kernel
def note_seen(s: Record, tree: Record, actor: int, action: int, secret: bool, last: bool) -> None:
    """Add an action to what every seat has seen of the path: a secret one when all have chosen."""
    told = mix(actor + 1, action)
    if secret:
        tree.seen[actor] = mix(tree.seen[actor], told)
        tree.secret = mix(tree.secret, told)
        if last or not concealed(s):
            for seat in range(s.players):
                tree.seen[seat] = mix(tree.seen[seat], tree.secret)
            tree.secret = 0
    else:
        for seat in range(s.players):
            tree.seen[seat] = mix(tree.seen[seat], told)


@kernel
def sight(s: Record, seat: int, out: Record) -> int:
    """Return a hash of what a seat sees; of what everybody sees for seat -1."""
    out_of_line()
    n = observe(s, seat, out)
    one, two, three, four = 0, 1, 2, 3  # side by side, for none has to wait for another
    i = 0
    while i < n - 7:  # two at once, for they have less than 31 bits
        one = (one ^ out.values[i] + (out.values[i + 1] << 31) + 0x51ED27) * ODD & MASK
        two = (two ^ out.values[i + 2] + (out.values[i + 3] << 31) + 0x51ED27) * ODD & MASK
        three = (three ^ out.values[i + 4] + (out.values[i + 5] << 31) + 0x51ED27) * ODD & MASK
        four = (four ^ out.values[i + 6] + (out.values[i + 7] << 31) + 0x51ED27) * ODD & MASK
        i += 8
    while i < n:
        one = (one ^ out.values[i] + 0x51ED27) * ODD & MASK
        i += 1
    return mix(mix(mix(one ^ one >> 31, two ^ two >> 31), three ^ three >> 31), four ^ four >> 31)


@kernel
def decide(
    s: Record, tree: Record, net: Record, activations: Record, actor: int, view: int, rng: Record, out: Record
) -> int:
    """Return the action of a decision inside the tree, which the path records; at the first visit it is the
    heuristic's.

    STOP where the network is to judge at once.
    """
    key = mix(mix(tree.seen[actor], actor), view)
    node = find(tree, key)
    forced = tree.forced - 1 if tree.depth == 0 else -1
    asks = tree.learned != 0 and node != NO_NODE and forced < 0 and (tree.flat == 0 or tree.depth == 0)
    action = 0 if asks else suggest(s, actor, rng, out)
    guess = action
    if forced >= 0:
        action = forced
    if node == NO_NODE:
        node = add_node(tree, key)
        # A search of one iteration finds something too: there is always an action behind the decision itself.
        if tree.learned and tree.ahead == 0 and tree.depth > 0 and node != NO_NODE:
            action = STOP
    elif forced >= 0:
        pass
    elif tree.flat == 0 or tree.depth == 0:
        open_edges(tree, node, False)
        if asks:
            preferred(s, tree, net, activations, actor, node, rng, out)
        else:
            trusted(tree, node, activations, guess)
        action = select(tree, node, activations, rng)
        open_edges(tree, node, True)
    else:
        node = NO_NODE
    if node == NO_NODE:
        tree.depth = DEPTH  # no room: what follows is a playout
        return action
    if tree.depth == 0:
        tree.root = node
    edge = 0  # what a path learns on none is nobody's
    if action != STOP:
        edge = tree.first[node] + 0
        while edge and tree.action[edge] != action:
            edge = tree.next[edge] + 0
        if edge == 0:
            edge = add_edge(tree, node, action)
            if edge == 0:
                tree.depth = DEPTH
                return action
    tree.path_node[tree.depth] = node
    tree.path_edge[tree.depth] = edge
    tree.path_seat[tree.depth] = actor
    tree.depth += 1
    return action


@kernel
def descend(
    s: Record, tree: Record, net: Record, activations: Record, rng: Record, trace: Record, out: Record, first: int
) -> int:
    """Play down the tree to its edge, first the decision of ``first``, and add a decision; returns the length of the
    path."""
    out_of_line()
    for seat in range(s.players):
        tree.seen[seat] = tree.origin
    tree.secret = 0
    tree.depth = 0
    tree.pending = 0
    length = 0
    actor = first
    mask = actors(s)
    while mask:
        if actor < 0:
            actor = lowest_seat(mask)
        n = legal(s, actor, out)
        action = out.values[0] + 0
        inside = True
        if n > 1:
            activations.n = n
            for i in range(n):
                activations.actions[i] = out.values[i]
            view = sight(s, actor if actor == first else -1, out)
            before = tree.nodes + 0
            action = decide(s, tree, net, activations, actor, view, rng, out)
            # One decision is added in an iteration.
            inside = tree.depth < DEPTH and tree.nodes == before
            length = tree.depth if tree.depth < DEPTH else length
            if action == STOP:
                return length
        secret = concealed(s)
        alone = mask == 1 << actor
        play(s, actor, action, trace)
        mask = actors(s)
        last = alone and mask != 1 << actor
        tree.pending = 1 if secret and not last and concealed(s) else 0
        if not inside:
            return length
        note_seen(s, tree, actor, action, secret, last)
        actor = -1
    return length


@kernel
def iterate(
    s: Record, tree: Record, net: Record, activations: Record, rng: Record, trace: Record, out: Record, first: int
) -> None:
    """Do one iteration: play a redealt position to its end, or to where the network evaluates it, and back up the
    value."""
    out_of_line()
    length = descend(s, tree, net, activations, rng, trace, out, first)
    left = tree.ahead - 1
    thinking = tree.learned != 0
    part = tree.mix * tree.visits[tree.root] / (FADING_TRIES + tree.visits[tree.root])
    if part < LEAST_PART:
        part = 0.0
    mask = actors(s)
    while mask:
        # What is chosen but not yet shown would be judged by nobody.
        if thinking and left <= 0 and tree.pending == 0:
            think(s, tree, net, activations, out)
            thinking = False
            if part == 0.0:
                break
        left -= 1
        actor = lowest_seat(mask)
        if tree.random > 0 and below(rng, 1000) < tree.random:
            action = out.values[below(rng, legal(s, actor, out))] + 0
        else:
            action = suggest(s, actor, rng, out)
        secret = concealed(s)
        alone = mask == 1 << actor
        play(s, actor, action, trace)
        mask = actors(s)
        tree.pending = 1 if secret and not (alone and mask != 1 << actor) and concealed(s) else 0
    if tree.learned == 0 or thinking:
        part = 1.0
    reward(s, tree, activations, part, out)
    for i in range(length):
        won = tree.reward[tree.path_seat[i]]
        node, edge = tree.path_node[i], tree.path_edge[i]
        tree.sum[node] += won
        tree.visits[node] += 1
        tree.gain[edge] += won
        tree.tries[edge] += 1


@kernel
def think(s: Record, tree: Record, net: Record, activations: Record, out: Record) -> None:
    """Compute the network's value of a position for every seat, from 0 to 1, and its chance of winning."""
    evaluate(s, net, activations, out)
    for seat in range(s.players):
        win = activations.win[seat]
        tree.likely[seat] = win
        tree.thought[seat] = tree.share_win * win + (1.0 - tree.share_win) * activations.standing[seat]


@kernel
def reward(s: Record, tree: Record, activations: Record, part: float, out: Record) -> None:
    """Compute the reward of a game for every seat, from 0 to 1: winning, rank, and the margin to the best rival. So
    much of it is how it ended, if it did, the rest what the network thought on the way."""
    tree.games += 1
    if part > 0.0:
        outcome(s, activations, tree.width, tree.share_win, tree.share_rank, out)
    for seat in range(s.players):
        if part == 1.0:
            tree.reward[seat] = activations.standing[seat]
            tree.won[seat] += activations.win[seat]
        elif part == 0.0:
            tree.reward[seat] = tree.thought[seat]
            tree.won[seat] += tree.likely[seat]
        else:
            tree.reward[seat] = part * activations.standing[seat] + (1.0 - part) * tree.thought[seat]
            tree.won[seat] += part * activations.win[seat] + (1.0 - part) * tree.likely[seat]


@kernel
def search(
    states: Record,
    trees: Record,
    nets: Record,
    memories: Record,
    rngs: Record,
    traces: Record,
    outs: Record,
    seat: int,
    iterations: int,
) -> int:
    """Search for the best action of ``seat`` in ``states[0]``; ``states[1]`` is scratch.

    ``memories`` are fresh when a search begins and are kept from call to call: the number of calls changes nothing.

    Returns how many nodes the tree has.
    """
    for _ in range(iterations):
        states[1] = states[0]
        redeal(states[1], seat, rngs[0])
        iterate(states[1], trees[0], nets[0], memories[0], rngs[0], traces[0], outs[0], seat)
    return int(trees[0].nodes)


def _arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    from numba import int64, typeof

    states, trees, nets, memories, sums, pairs, rngs, traces, outs = (
        typeof(np.zeros(1, dtype=record))
        for record in (game.record, TREE, NET, ACTIVATIONS, ACCUMULATORS, PAIR, RNG, TRACE, OUT)
    )
    return {
        "search": (states, trees, nets, memories, rngs, traces, outs, int64, int64),
        "query": (int64, states, nets, memories, rngs, outs, int64, int64[:, ::1]),
        "self_play_steps": (states, nets, memories, rngs, traces, outs, int64, int64),
        "rollout": (states, memories, rngs, traces, outs, int64, int64),
        "compare": (states, sums, pairs, rngs, traces, outs, int64, int64),
    }


SEARCHING = Program(
    "search",
    {"search": search, "query": query, "self_play_steps": self_play_steps, "rollout": rollout, "compare": compare},
    (
        "ziggurat.bots.tree",
        "ziggurat.bots.network",
        "ziggurat.bots.pairs",
        "ziggurat.core.inputs",
        "ziggurat.core.lanes",
        "ziggurat.core.parts",
    ),
    {"tree": TREE, "net": NET, "activations": ACTIVATIONS, "accumulators": ACCUMULATORS, "pair": PAIR},
    _arguments,
    silent=frozenset({"search", "query", "self_play_steps", "rollout"}),
)
"""The tree search and the comparison of two moves, compiled apart from the rules so that no table waits for them."""

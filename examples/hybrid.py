"""The published recipe of an agent for 7 Wonders: Architects with two players, on our rules and with our network.

    ziggurat arena place architects --players 2 --agent examples.hybrid:Hybrid

What its description says (a self-play agent that takes about 2 seconds a move), and this does: PUCT with first-play
urgency and 600 simulations; the deck is what nobody has seen of it, and whatever a card that is turned up leads to is a
node of its own, reached by drawing it; a network gives the priors; a leaf is worth one half what the network says and
one half how a game of the heuristic from there ends; the move that was visited most is played. Its network learned to
imitate its heuristic; ours has learned by playing against itself, so this is the recipe, and not that agent.
"""

import math

import numpy as np

from ziggurat.bots.learned import network_of
from ziggurat.bots.probe import NetworkProbe
from ziggurat.core.runtime import prepare

SIMULATIONS, EXPLORE, URGENCY, BLEND = 600, 1.5, 0.2, 0.5


class Node:
    """A decision: whose it is, and for every action its prior, visits and the sum of what it was worth to that seat."""

    def __init__(self, seat, actions, priors):
        self.seat, self.visits, self.worth = seat, 0, 0.0
        self.edges = {int(action): [float(prior), 0, 0.0] for action, prior in zip(actions, priors, strict=True)}
        self.after = {}  # by action and what it led to

    def best(self, legal):
        """The action to be tried now, of those that are legal with the cards as they were dealt this time."""
        known = [(action, self.edges.setdefault(action, [1e-3, 0, 0.0])) for action in legal]
        usual = self.worth / self.visits - URGENCY if self.visits else 0.5

        def bound(edge):
            prior, visits, worth = edge
            value = worth / visits if visits else usual
            return value + EXPLORE * prior * math.sqrt(max(1, self.visits)) / (1 + visits)

        return max(known, key=lambda one: bound(one[1]))[0]


class Hybrid:
    """The agent, as docs/agents.md has it."""

    def __init__(self, game):
        prepare(game)
        self.probe = NetworkProbe(game, network_of(game))

    def choose(self, belief, legal, rng):
        root = self._node(belief.sample(), belief.seat)
        for _ in range(SIMULATIONS):
            self._simulate(root, belief.sample(), rng)
        return max(legal, key=lambda action: root.edges.get(action, (0, 0))[1])

    def _node(self, position, seat):
        return Node(seat, *self.probe.preferences(position, seat))

    def _simulate(self, node, position, rng):
        path = []
        while True:
            action = node.best(position.legal(node.seat))
            path.append((node, action))
            position.play(node.seat, action)
            if position.finished:
                value = self.probe.settle(position).win
                break
            seat = position.actors[0]
            place = (action, position.observe(seat).tobytes())  # what the next seat sees tells what came out
            if place not in node.after:
                node.after[place] = self._node(position, seat)
                played = self.probe.rollouts(position, seat, 1, rng).win
                value = (1 - BLEND) * self.probe.evaluate(position).win + BLEND * played
                break
            node = node.after[place]
        for node, action in path:
            edge, worth = node.edges[action], float(np.asarray(value)[node.seat])
            edge[1] += 1
            edge[2] += worth
            node.visits += 1
            node.worth += worth

"""A small game whose record is declared by its fields, with as little more as a game needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.core.lotus import choices, rules, state

from ziggurat.core.decision import About
from ziggurat.core.engine import RULES
from ziggurat.core.events import Events
from ziggurat.core.game import Components, Game
from ziggurat.core.trace import Phrase
from ziggurat.core.usual import any_options, as_they_are, in_one_step, no_preview


def template(values: Any, players: int, options: Any) -> np.ndarray:
    """Every card three times, and one charm of each kind."""
    deck = [card for card in range(1, len(state.CARDS) + 1) for _ in range(state.COPIES)]
    return state.FIELDS.template(players, options, deck=deck, box=range(1, len(state.CHARMS) + 1), deal=2)


def made(fields: Any = state.FIELDS, **more: Any) -> Game:
    """The game, or one with something else in it."""
    readers = fields.readers(__name__)
    kernels = fields.kernels(__name__)
    own = {name: getattr(rules, name) for name in RULES if hasattr(rules, name)}
    game = Game(
        **{
            "id": "lotus",
            "version": "1",
            "min_players": 2,
            "max_players": state.MAX_PLAYERS,
            "space": choices.SPACE,
            "events": Events(),
            "rules": {**kernels, **own},
            "kernel_modules": (f"{__name__}.rules", f"{__name__}.state", f"{__name__}.choices"),
            "components_type": Any,
            "check_components": None,
            "template": template,
            "check_options": any_options,
            "longest_game": lambda values, players: 100,
            "ask": lambda s, seat: Phrase("ask"),
            "choice": lambda s, seat, action: choices.SPACE.choice(action),
            "describe": lambda s, seat, steps: choices.SPACE.choice(steps[0]).words,
            "refusals": lambda s, seat, legal: [],
            "preview": no_preview,
            "arrange": as_they_are,
            "in_move": in_one_step,
            "write_step": lambda s, action: choices.SPACE.write(action),
            "write_move": lambda s, steps: choices.SPACE.write(steps[0]),
            "read_move": lambda s, seat, text: [choices.SPACE.read(text)],
            "scores_from_events": lambda events, players: [],
            "winners": lambda s: [seat for seat in range(s.players) if s.finished and rules.winners(s) >> seat & 1],
            "about": lambda s, values, seat, piece: About(piece, Phrase(piece), [], [], ""),
            "weight_names": (),
            **readers,
            **more,
        }
    )
    vars(game)["components"] = Components("", None, "0", True)
    vars(game)["weights"] = {}
    return game


GAME = made()

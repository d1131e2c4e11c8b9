"""What people with the box would type into the pad of Tower of Babel."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.games.pads import Impossible
from tests.games.table import record

from ziggurat import Position
from ziggurat.games.babel import state

OTHERS = (
    """
    bonus.points = [0, 1, 2, 9, 9, 30, 31]
    two_colour.discs = [
        { camel = 2, mason = 3 }, { camel = 3, mason = 2 }, { crane = 1, ship = 4 }, { ship = 2, camel = 3 }
    ]
    offers = { refused = 2, refused_triple = 7 }
    [wonders]
    first = [8, 8, 9, 9, 20, 30, 40]
    second = [8, 1, 0, 9, 9, 9, 9]
    other = 5
    light_first = 4
    light_second = 4
    """,
    """
    [actions]
    disc_points = 2
    end_points = 9
    copies.disc_bonus = 6
    copies.end_bonus = 7
    """,
)

IMPOSSIBLE: tuple[Impossible, ...] = (
    (3, {}, {"done.1.0": "19"}, {"most": {"done.1.0"}}),
    (3, {}, {"done.1.0": "10", "done.1.1": "9"}, {"houses_many": {"done.1.0", "done.1.1", "done.1.2"}}),
    (3, {}, {"done.1.0": "3", "done.1.1": "3", "done.1.2": "0"}, {"houses_few": {f"done.1.{o}" for o in range(3)}}),
    (3, {}, {"done.1.0": "3"}, {}),
    (3, {}, {"light.zeus.1": "13"}, {"light_many": {f"light.zeus.{owner}" for owner in range(3)}}),
    (3, {}, {"disc.ship.0": "4", "disc.ship.2": "3"}, {"discs": {f"disc.ship.{owner}" for owner in range(3)}}),
    (3, {}, {"disc_bonus.0": "2", "disc_bonus.2": "1"}, {"copies": {f"disc_bonus.{owner}" for owner in range(3)}}),
    (3, {"two_colour_discs": "yes"}, {"disc.ship.0": "6"}, {"most": {"disc.ship.0"}}),
    (3, {"points": "board"}, {"track.0": "-3"}, {"negative": {"track.0"}}),
)


def options(position: Position, rng: random.Random) -> dict[str, str]:
    same = {name: position.options[name] for name in ("two_colour_discs", "action_cards")}
    return {**same, "points": rng.choice(("here", "board"))}


def typed(position: Position, options: Mapping[str, str]) -> dict[str, int]:
    s = record(position)
    seats = range(s.players)
    counts: dict[str, int] = {}
    refused, tripled = [0] * s.players, [0] * s.players
    track = [0] * s.players
    houses = [0] * s.players
    done = 0
    log = position.events
    over = next((at for at, event in enumerate(log) if event.type in ("exhausted", "stalled")), len(log))
    # What ends the game is announced before the offers and the wonder of its last turn are paid.
    final = max((at for at, event in enumerate(log) if event.type == "wonder_done"), default=0)
    for at, event in enumerate(log):
        seat, points = event.seat, event.args.get("points", 0)
        if event.type == "refused":
            assert seat is not None
            track[seat] += points
            (tripled if event.args["triple"] else refused)[seat] += event.args["count"]
        elif event.type == "wonder_scored" and (at < over or at < final):
            assert seat is not None
            track[seat] += points
            houses[seat] = event.args["units"]
        elif event.type == "wonder_done":
            done += 1
            counts |= {f"done.{done}.{one}": houses[one] for one in seats}
            houses = [0] * s.players
    if options["points"] == "board":
        counts = {f"track.{seat}": track[seat] for seat in seats}
    else:
        counts |= {f"refused.{seat}": refused[seat] for seat in seats}
        if options["action_cards"] == "yes":
            counts |= {f"tripled.{seat}": tripled[seat] for seat in seats}
    for wonder, name in enumerate(state.WONDERS):
        counts |= {f"light.{name}.{seat}": s.units[wonder][seat] for seat in seats}
    for kind, name in enumerate(state.TYPES):
        counts |= {f"disc.{name}.{seat}": s.owned[seat][1 << kind] for seat in seats}
    if options["two_colour_discs"] == "yes":
        counts |= pairs(position, [list(s.owned[seat]) for seat in seats])
    if options["action_cards"] == "yes":
        counts |= {f"disc_bonus.{seat}": s.actions[seat][state.DISC_BONUS] for seat in seats}
        counts |= {f"end_bonus.{seat}": s.actions[seat][state.END_BONUS] for seat in seats}
    return counts


def pairs(position: Position, owned: list[list[int]]) -> dict[str, int]:
    """Who has each disc of two colours, or nobody."""
    found = {}
    for at, disc in enumerate(position.components.values.two_colour.discs):
        types = sum(1 << kind for kind, number in enumerate(disc.needs()) if number)
        holder = next((seat for seat, mine in enumerate(owned) if mine[types]), None)
        if holder is not None:
            owned[holder][types] -= 1
        found[f"pair.{at}"] = 0 if holder is None else holder + 1
    return found

"""Generic kernels: the same few loops for every game, compiled once per game with that game's rules in them.

The names in RULES below are globals that ``compile_kernels`` replaces; the functions here are never called as they stand.
A record must not cross the border between Python and compiled code (16 us with 100 fields), so all take ``states, index``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import below, reseed_from

RULES = ("setup", "actors", "legal", "play", "finished", "scores", "redeal", "observe", "suggest")

setup: Callable[..., None]
actors: Callable[..., int]
legal: Callable[..., int]
play: Callable[..., None]
finished: Callable[..., bool]
scores: Callable[..., None]
redeal: Callable[..., None]
observe: Callable[..., int]
suggest: Callable[..., int]
setup = actors = legal = play = finished = scores = redeal = observe = suggest = None  # type: ignore[assignment]

# Layout of the buffer that ``step`` and ``look`` fill: the acting seats, then a count and the actions of one seat.
ACTORS, COUNT, ACTIONS = 0, 1, 2


@kernel
def lowest_seat(mask: int) -> int:
    """The lowest seat named by a bit mask, or -1."""
    seat = 0
    while mask:
        if mask & 1:
            return seat
        mask >>= 1
        seat += 1
    return -1


@kernel
def look(states: Record, index: int, out: Record) -> int:
    """Write who must decide, and the legal actions of the lowest such seat; return the number of actions."""
    s = states[index]
    mask = actors(s)
    out[0] = mask
    n = 0
    if mask:
        n = legal(s, lowest_seat(mask), out[2:])
    out[1] = n
    return n


@kernel
def start(states: Record, index: int, trace: Record, out: Record) -> int:
    """Set up a game on a template record whose generator is keyed, then ``look``."""
    s = states[index]
    setup(s, trace)
    return look(states, index, out)


@kernel
def step(states: Record, index: int, seat: int, action: int, trace: Record, out: Record) -> int:
    """Play one action if it is legal, then ``look``. Returns -1 and changes nothing when it is not."""
    s = states[index]
    n = legal(s, seat, out[2:])
    for i in range(n):
        if out[2 + i] == action:
            if len(trace) > 0:
                trace[0][0] = 0
            play(s, seat, action, trace)
            return look(states, index, out)
    return -1


@kernel
def legal_of(states: Record, index: int, seat: int, out: Record) -> int:
    return legal(states[index], seat, out)


@kernel
def redeal_at(states: Record, index: int, seat: int, rngs: Record) -> None:
    redeal(states[index], seat, rngs[0])


@kernel
def observe_at(states: Record, index: int, seat: int, out: Record) -> int:
    return observe(states[index], seat, out)


@kernel
def suggest_at(states: Record, index: int, seat: int, rngs: Record) -> int:
    return suggest(states[index], seat, rngs[0])


@kernel
def scores_of(states: Record, index: int, out: Record) -> None:
    scores(states[index], out)


@kernel
def play_random(states: Record, index: int, rng: Record, trace: Record, out: Record, limit: int) -> int:
    """Play uniformly random actions to the end of the game (at most ``limit``); return how many."""
    s = states[index]
    decisions = 0
    while decisions < limit:
        mask = actors(s)
        if mask == 0:
            break
        seat = lowest_seat(mask)
        n = legal(s, seat, out)
        play(s, seat, out[below(rng, n)], trace)
        decisions += 1
    return decisions


@kernel
def random_games(
    states: Record, rngs: Record, trace: Record, out: Record, totals: Record, results: Record, games: int, limit: int
) -> int:
    """Play ``games`` whole random games on ``states[1]`` from the template ``states[0]``.

    ``results[game]`` receives the scores of the seats, ``totals[0]`` the number of decisions. Returns the games that
    did not end within ``limit`` decisions, which is always 0 for rules without dead ends.
    """
    unfinished = 0
    decisions = 0
    for game in range(games):
        states[1] = states[0]
        reseed_from(states[1].rng, rngs[0])
        setup(states[1], trace)
        decisions += play_random(states, 1, rngs[0], trace, out, limit)
        if not finished(states[1]):
            unfinished += 1
        scores(states[1], results[game])
    totals[0] += decisions
    return unfinished


@kernel
def bot_games(
    states: Record,
    rngs: Record,
    brains: Record,
    trace: Record,
    out: Record,
    totals: Record,
    results: Record,
    games: int,
    first: int,
    limit: int,
) -> int:
    """As ``random_games``, with ``brains[k] = 1`` for a player who follows ``suggest`` on a redealt copy (a fair belief).

    Players change chairs from game to game: player ``(seat + game) % players`` sits at ``seat``, and results are per player.
    """
    unfinished = 0
    players = len(brains)
    for game in range(games):
        states[1] = states[0]
        reseed_from(states[1].rng, rngs[0])
        setup(states[1], trace)
        decisions = 0
        while decisions < limit:
            mask = actors(states[1])
            if mask == 0:
                break
            seat = lowest_seat(mask)
            if brains[(seat + first + game) % players] == 1:
                states[2] = states[1]
                redeal(states[2], seat, rngs[0])
                action = suggest(states[2], seat, rngs[0])
            else:
                action = out[below(rngs[0], legal(states[1], seat, out))]
            play(states[1], seat, action, trace)
            decisions += 1
        if not finished(states[1]):
            unfinished += 1
        totals[0] += decisions
        scores(states[1], out)
        for seat in range(players):
            results[game][(seat + first + game) % players] = out[seat]
    return unfinished


KERNELS: dict[str, Any] = {
    f.__name__: f
    for f in (
        look,
        start,
        step,
        legal_of,
        redeal_at,
        observe_at,
        suggest_at,
        scores_of,
        random_games,
        bot_games,
    )
}

"""Generic kernels: the same few loops for every game, compiled once per game with that game's rules in them.

The names in RULES below are globals that ``Kernels`` replaces; nothing here is called as it stands.
A record must not cross the border between Python and compiled code (16 us with 100 fields); an array of records may,
but each costs a quarter of a microsecond, so a position and its buffers cross together, as one workspace.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ziggurat.core import limits
from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import begin_part, below, reseed_from
from ziggurat.core.trace import FOR_ALL, GOES_ON, ROWS, WIDTH

RULES = ("setup", "actors", "legal", "play", "scores", "winners", "concealed", "redeal", "observe", "suggest")

setup: Callable[..., None]
actors: Callable[..., int]
legal: Callable[..., int]
play: Callable[..., None]
scores: Callable[..., int]
winners: Callable[..., int]
concealed: Callable[..., bool]
redeal: Callable[..., None]
observe: Callable[..., int]
suggest: Callable[..., int]
setup = actors = legal = play = scores = winners = concealed = redeal = observe = suggest = None  # type: ignore[assignment]


@kernel
def lowest_seat(mask: int) -> int:
    """The lowest seat named by a bit mask, or -1."""
    lowest = mask & -mask  # without a loop, whose length the processor could not guess
    seat = 1 if lowest & 0b10101010 else 0
    seat += 2 if lowest & 0b11001100 else 0
    seat += 4 if lowest & 0b11110000 else 0
    return seat if mask else -1


# How a game ended for every player: points, and 1 for who has won. Only the rules know how ties are broken, and that
# nobody has won when an owner who is no player has, as Hal may in Ginkgopolis. Besides, the number of decisions, and of
# the rows of a log (see ``games``) up to the end of this game.
RESULT = np.dtype(
    [
        ("score", np.int64, (limits.SEATS,)),
        ("won", np.int64, (limits.SEATS,)),
        ("decisions", np.int64),
        ("rows", np.int64),
    ]
)

# The code of a row that a log has before what a decision does: its seat and its action follow.
DECISION_CODE = -1

# What ``look`` returns, in one number because each further result costs a look-up in Python.
ACTORS_MASK = (1 << limits.SEATS) - 1
COUNT_SHIFT = limits.SEATS
COUNT_MASK = (1 << limits.LEGAL.bit_length()) - 1
CONCEALED_SHIFT = COUNT_SHIFT + limits.LEGAL.bit_length()
ROWS_SHIFT = CONCEALED_SHIFT + 1


@kernel
def look(s: Record, trace: Record, out: Record) -> int:
    """Write the legal actions of the lowest seat that must decide.

    Returns the bit mask of the seats that must decide, the number of actions, whether choices are made in secret now,
    and the number of trace rows written.
    """
    mask = actors(s)
    n = 0
    seen: int = (trace.used << ROWS_SHIFT) | mask
    if mask:
        n = legal(s, lowest_seat(mask), out)
        if concealed(s):
            seen |= 1 << CONCEALED_SHIFT
    return seen | (n << COUNT_SHIFT)


@kernel
def step(workspaces: Record, seat: int, action: int) -> int:
    """Play one action if it is legal, then ``look``. Returns -1 and changes nothing when it is not."""
    s, trace, out = workspaces[0].state, workspaces[0].trace, workspaces[0].out
    n = legal(s, seat, out)
    for i in range(n):
        if out.values[i] == action:
            trace.used = 0
            play(s, seat, action, trace)
            return look(s, trace, out)
    return -1


# What ``call`` does, see there.
START, LOOK, LEGAL, REDEAL, OBSERVE, SUGGEST, LEARN, SCORES = range(8)


@kernel
def play_again(workspaces: Record, workspace: int, seat: int, check: bool) -> bool:
    """Replay the steps in ``workspaces[0].out``, behind their number, on another workspace; return whether they were
    legal."""
    steps, s, trace, out = (
        workspaces[0].out.values,
        workspaces[workspace].state,
        workspaces[workspace].trace,
        workspaces[workspace].out,
    )
    trace.used = 0
    for i in range(1, steps[0] + 1):
        if check:
            n = legal(s, seat, out)
            known = False
            for j in range(n):
                known = known or out.values[j] == steps[i]
            if not known:
                return False
        play(s, seat, steps[i], trace)
    return True


@kernel
def looks_alike(workspaces: Record, seat: int) -> bool:
    """Whether a seat was told the same on two workspaces, and sees the same now."""
    one, other = workspaces[1].trace, workspaces[2].trace
    kinds = workspaces[0].out.values[0] + 1
    if one.used != other.used or one.used > ROWS:
        return False
    told = True
    for row in range(one.used):
        kind = workspaces[0].out.values[kinds + one.rows[row][0]]
        if kind != GOES_ON:
            told = kind == FOR_ALL or one.rows[row][1] == seat
        if told:
            for column in range(WIDTH):
                if one.rows[row][column] != other.rows[row][column]:
                    return False
        elif one.rows[row][0] != other.rows[row][0]:
            return False
    n = observe(workspaces[1].state, seat, workspaces[1].out)
    if observe(workspaces[2].state, seat, workspaces[2].out) != n:
        return False
    for i in range(n):
        if workspaces[1].out.values[i] != workspaces[2].out.values[i]:
            return False
    return True


@kernel
def learn(workspaces: Record, seat: int, rngs: Record) -> int:
    """Whether a move of a seat reveals something to it (0 or 1), see ``Position.learns``.

    ``workspaces[0]`` holds the position before it, and in ``out`` the number of steps, the steps, and who may read what
    by code; two more are for trying it. ``seat`` is what ``call`` was given: the number of trials, and the seat.
    """
    trials, seat = seat >> 8, seat & 255
    workspaces[1].state = workspaces[0].state
    play_again(workspaces, 1, seat, False)
    for _ in range(trials):
        workspaces[2].state = workspaces[0].state
        redeal(workspaces[2].state, seat, rngs[0])
        if not play_again(workspaces, 2, seat, True) or not looks_alike(workspaces, seat):
            return 1
    return 0


@kernel
def call(op: int, workspaces: Record, seat: int, rngs: Record) -> int:
    """Dispatch the less frequent queries behind one entry: each entry is compiled with all of the rules.

    START sets up a game on a template record whose generator is keyed, then looks; LOOK is ``look``; LEGAL and OBSERVE
    write the actions or the features of a seat and return how many; REDEAL replaces what a seat does not see, by
    chance from ``rngs[0]``; SUGGEST returns the action that the game's heuristic would play; LEARN is ``learn``; SCORES
    writes the points of all owners and returns how many.
    """
    s, trace, out = workspaces[0].state, workspaces[0].trace, workspaces[0].out
    trace.used = 0
    if op == START:
        setup(s, trace)
        return look(s, trace, out)
    if op == LOOK:
        return look(s, trace, out)
    if op == LEGAL:
        return legal(s, seat, out)
    if op == REDEAL:
        redeal(s, seat, rngs[0])
        return 0
    if op == OBSERVE:
        return observe(s, seat, out)
    if op == LEARN:
        return learn(workspaces, seat, rngs)
    if op == SCORES:
        return scores(s, out)
    return suggest(s, seat, rngs[0], out)


@kernel
def note_end(result: Record, s: Record, out: Record, players: int, shift: int) -> None:
    """Write the result of a game for every player; at ``seat`` sat player ``(seat + shift) % players``."""
    scores(s, out)
    won = winners(s)
    for seat in range(players):
        player = (seat + shift) % players
        result.score[player] = out.values[seat]
        result.won[player] = won >> seat & 1


@kernel
def games(
    states: Record,
    rngs: Record,
    brains: Record,
    traces: Record,
    outs: Record,
    results: Record,
    log: Record,
    number: int,
    first: int,
    limit: int,
) -> int:
    """Play ``number`` whole games on ``states[1]`` from the template ``states[0]``.

    ``brains[k]`` says how player k decides: 0 uniformly at random, 1 by ``suggest`` on a redealt copy, which is a fair
    belief, with the weights in ``outs[1 + k]``. Players change chairs: in game g, counted from ``first``, player
    ``(seat + g) % players`` sits at ``seat``. ``rngs[0]`` is everybody's chance, and deals too unless there is a second
    generator for that, which gives every deal to as many games in a row as there are players: so everybody has it at
    every seat. Each game begins a part of its own of a generator, so that it follows from key and number alone.
    ``results[game]`` receives how it ended for every player, and after how many decisions; ``states[3 + game]`` its
    last position, if there are so many. ``log`` of shape (rows, WIDTH) receives the rows of the trace, which must be on
    then, and those of ``DECISION_CODE``; of shape (0, WIDTH) nothing.

    Returns how many games were played: fewer than ``number`` if one did not end within ``limit`` decisions, which rules
    without dead ends do, or found no more room in ``log``; -1 when one action wrote more rows than there is room for.
    """
    players = len(brains)
    rng = rngs[0]
    dealer = rngs[len(rngs) - 1]
    out, trace = outs[0], traces[0]
    s = states[1]
    room = len(log)
    used = 0
    for game in range(number):
        begin_part(rng, first + game)
        if len(rngs) > 1:
            begin_part(dealer, (first + game) // players)
        states[1] = states[0]
        reseed_from(s.rng, dealer)
        trace.used = 0
        setup(s, trace)
        decisions = 0
        shift = (first + game) % players
        while True:
            if room:
                if trace.used > ROWS:
                    return -1
                if used + trace.used >= room:
                    return game
                for i in range(trace.used):
                    for column in range(WIDTH):
                        log[used, column] = trace.rows[i][column]
                    used += 1
                trace.used = 0
            mask = actors(s)
            if mask == 0:
                break
            if decisions == limit:
                return game
            seat = lowest_seat(mask)
            player = seat + shift if seat + shift < players else seat + shift - players
            if brains[player] == 0:
                action = out.values[below(rng, legal(s, seat, out))]
            else:
                states[2] = states[1]
                redeal(states[2], seat, rng)
                action = suggest(states[2], seat, rng, outs[1 + player])
            if room:
                for column in range(WIDTH):
                    log[used, column] = 0
                log[used, 0] = DECISION_CODE
                log[used, 1] = seat
                log[used, 2] = action
                used += 1
            play(s, seat, action, trace)
            decisions += 1
        results[game].decisions = decisions
        results[game].rows = used
        if 3 + game < len(states):
            states[3 + game] = states[1]
        note_end(results[game], s, out, players, shift)
    return number

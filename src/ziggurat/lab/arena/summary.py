"""The summary of a run, computed from its games alone, when they are played and when they are verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

import ziggurat
from ziggurat.bots import analyse
from ziggurat.core.text import catalogue
from ziggurat.lab.arena import protocol
from ziggurat.lab.arena.game import ArenaGames
from ziggurat.lab.arena.protocol import DealGroup
from ziggurat.lab.arena.records import (
    RECORD_DIGITS,
    ArenaConfig,
    ArenaResults,
    GameRecord,
    MeanRegret,
    Regret,
    WorstMove,
)
from ziggurat.lab.intervals import student, wilson

MOVES_JUDGED_AGAIN, JUDGED_AGAIN_FACTOR = 8, 10
"""Moves that are judged again at the end, and with how many times the iterations."""


def results_of(config: ArenaConfig, records: Sequence[GameRecord], worst: list[WorstMove]) -> ArenaResults:
    """Return the results of some whole groups, with the moves that were judged again."""
    groups = protocol.groups_of(records, config.players)
    regrets = [one for record in records for one in record.regrets]
    kinds = [name for name, _ in Counter(one.kind for one in regrets).most_common()]
    phases = sorted({one.phase for one in regrets})
    opponents = [one.name for one in config.ladder.anchors if any(one.name in group.opponents for group in groups)]
    costs: Counter[str] = Counter()
    for record in records:
        costs.update(record.costs)
    return ArenaResults(
        config=config,
        games=list(records),
        place=protocol.place_of(config, records),
        reached=protocol.reached(config, records),
        by_opponent=[_against(name, groups) for name in opponents],
        regret=_mean("all", records, lambda one: True) if regrets else None,
        by_phase=[_mean(str(phase), records, lambda one, at=phase: one.phase == at) for phase in phases],  # type: ignore[misc]
        by_kind=[_mean(kind, records, lambda one, at=kind: one.kind == at) for kind in kinds],  # type: ignore[misc]
        worst=worst,
        failures=dict(sorted(Counter(one.failure_kind for one in records if one.failure_kind).items())),
        costs={name: round(amount, RECORD_DIGITS) for name, amount in sorted(costs.items())},
    )


def worst_of(games: ArenaGames, records: Sequence[GameRecord]) -> list[WorstMove]:
    """Return the most costly decisions, judged again; the games have to be prepared."""
    config = games.config
    every = [(one.lost, record, one) for record in records for one in record.regrets]
    every.sort(key=lambda found: (-found[0], found[1].game, found[2].move))
    says = catalogue("en", games.game, "why")
    found = []
    for _, record, one in every[:MOVES_JUDGED_AGAIN]:
        move = games.moves_of(record)[one.move - 1]
        chance = ziggurat.generator(protocol.key("worst", record.game, one.move))
        said = analyse(move.before, move.seat, move.steps, JUDGED_AGAIN_FACTOR * config.iterations, chance)
        judged = said.judgement
        assert judged is not None
        why = [says.say(phrase) for phrase in judged.why]
        best = said.advice.move.notation
        found.append(WorstMove(record.game, one.move, round(said.difference, RECORD_DIGITS), one.made, best, why))
    return sorted(found, key=lambda one: -one.lost)


def _against(name: str, groups: Sequence[DealGroup]) -> MeanRegret:
    """Return the part of games in which the agent finished ahead of an anchor, with Wilson's interval."""
    found, games = [], 0
    for group in groups:
        if name in group.opponents:
            ahead = []
            for record in group.records:
                own = record.places[record.chair - 1]
                theirs = [record.places[seat] for seat, other in enumerate(record.seats) if other == name]
                ahead += [0.5 if own == other else float(own < other) for other in theirs]
            found.append(float(np.mean(ahead)))
            games += len(group.records)
    mean = float(np.mean(found))
    return MeanRegret(name, games, *(round(one, RECORD_DIGITS) for one in (mean, *wilson(mean, games))))


def _mean(name: str, records: Sequence[GameRecord], of: Callable[[Regret], bool]) -> MeanRegret:
    """Return a mean over decisions, which are clustered by game (a ratio of means)."""
    sums = [(sum(one.lost for one in r.regrets if of(one)), sum(1 for one in r.regrets if of(one))) for r in records]
    sums = [one for one in sums if one[1]]
    number = sum(n for _, n in sums)
    mean = sum(lost for lost, _ in sums) / number
    off = np.array([lost - mean * n for lost, n in sums])
    games = len(sums)
    half = student(games - 1) * float(np.sqrt(games / (games - 1) * (off @ off))) / number if games > 1 else 1.0
    return MeanRegret(
        name, number, round(mean, RECORD_DIGITS), round(mean - half, RECORD_DIGITS), round(mean + half, RECORD_DIGITS)
    )

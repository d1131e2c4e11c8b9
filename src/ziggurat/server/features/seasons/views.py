"""A season as its group sees it: an allow-list; the secret only when it is over."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from ziggurat.server.features.seasons.messages import (
    SeasonBrief,
    SeasonInfo,
    SeasonPersonInfo,
    SeasonRoundInfo,
    SeasonTableInfo,
)
from ziggurat.server.features.seasons.rows import SeasonPerson
from ziggurat.server.features.seasons.service import KnownSeason
from ziggurat.server.features.seasons.state import SeasonState

FORMULA = re.compile(r"^[=+\-@\t\r]")
"""How a cell begins that a spreadsheet would work out."""


def may_enter(state: SeasonState) -> bool:
    """Whether people may enter a season now."""
    return not state.closed and (not state.started or state.round + 1 <= state.terms.late_until)


def season_info(
    known: KnownSeason, people: Sequence[SeasonPerson], tables: Mapping[tuple[int, int], str], me: str
) -> SeasonInfo:
    """Return a season for one of its group."""
    state, season = known.state, known.season
    you = next((one.who for one in people if one.person == me), None)
    names = {one.who: one.name or None for one in people}
    wishes: dict[int, Literal["absent", "stand_in"]] = {}
    for round in range(state.round + 1, state.terms.rounds + 1):
        if you in state.absences.get(round, set()):
            wishes[round] = "absent"
        elif you in state.standing_in.get(round, []):
            wishes[round] = "stand_in"
    return SeasonInfo(
        id=season.id,
        group=season.group,
        terms=state.terms,
        commitment=state.commitment,
        beacon=state.beacon,
        secret=season.secret.hex() if state.closed else None,
        started=state.started,
        closed=state.closed,
        may_enter=may_enter(state),
        you=you,
        people=[
            SeasonPersonInfo(
                one.who, names.get(one.who), one.gone, one.since, one.part or None if state.started else None
            )
            for one in state.people.values()
        ],
        rounds=[_round(state, round, tables) for round in range(1, state.round + 1)],
        standings=state.standings() if state.people else [],
        wishes=wishes,
        next=state.round + 1 if state.round < state.terms.rounds and not state.closed else None,
    )


def _round(state: SeasonState, round: int, tables: Mapping[tuple[int, int], str]) -> SeasonRoundInfo:
    draw = state.draws[round - 1]
    found = []
    for number, table in enumerate(draw.tables, start=1):
        opened, end = state.opened.get((round, number)), state.ended.get((round, number))
        found.append(
            SeasonTableInfo(
                number=number,
                game=table.game,
                division=table.division,
                people=[*table.people],
                seats=[*opened.seats] if opened is not None else None,
                table=tables.get((round, number)),
                days=opened is not None and opened.days,
                scores=[*end.scores] if end is not None else None,
                points=[*state.points(round, number)] if end is not None else None,
                absent=[*end.absent] if end is not None else [],
            )
        )
    return SeasonRoundInfo(
        round=round,
        tables=found,
        rests=[*draw.rests],
        absent=[*draw.absent],
        reserve=state.reserve(round),
        here=[*state.here.get(round, {})],
        fingerprint=draw.fingerprint,
    )


def season_brief(known: KnownSeason, people: Sequence[SeasonPerson], me: str) -> SeasonBrief:
    """Return a season for a list."""
    state = known.state
    names = {one.who: one.name or None for one in people}
    rows = state.standings() if state.complete_rounds() else []
    mine = next((state.people[one.who] for one in people if one.person == me), None)
    return SeasonBrief(
        id=known.season.id,
        name=state.terms.name,
        people=len(state.active),
        round=state.round,
        rounds=state.terms.rounds,
        starts=state.terms.starts[0],
        started=state.started,
        closed=state.closed,
        entered=mine is not None and not mine.gone,
        may_enter=may_enter(state),
        leader=names.get(rows[0].who) if rows else None,
    )


def season_csv(known: KnownSeason, people: Sequence[SeasonPerson]) -> str:
    """Return a season as CSV: a line for each seat of each table that has ended."""
    state = known.state
    names = {one.who: one.name for one in people}
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(["round", "table", "division", "game", "seat", "number", "name", "score", "points", "absent"])
    for round, number in sorted(state.ended):
        drawn, end = state.draws[round - 1].tables[number - 1], state.ended[round, number]
        for seat, (who, points) in enumerate(zip(drawn.people, state.points(round, number), strict=True)):
            name = names.get(who) or ""
            said = f"'{name}" if FORMULA.match(name) else name
            absent = int(seat in end.absent)
            table.writerow(
                [round, number, drawn.division, drawn.game, seat + 1, who, said, end.scores[seat], points, absent]
            )
    return out.getvalue()

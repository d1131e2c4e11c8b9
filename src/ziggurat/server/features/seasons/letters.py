"""The letter of a week: how the last round went for a person, how they stand, and with whom they play next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from ziggurat.core.text import Catalogue
from ziggurat.server.domain.people import fit_to_show
from ziggurat.server.feature import Letter
from ziggurat.server.features.seasons import rows
from ziggurat.server.features.seasons.beacon import commitment
from ziggurat.server.features.seasons.standings import FULL
from ziggurat.server.features.seasons.state import SeasonState, fold
from ziggurat.server.words import words

LETTER_KIND = "season"


def about(id: str, round: int) -> str:
    """Return what a letter is about: a season, and the round that was drawn; 0: it is over."""
    return f"{id}:{round}"


def write(connection: sa.Connection, about: str, person: str, language: str) -> Letter | None:
    """Write the letter of a person; None: the season has gone on, or is not theirs any more."""
    id, _, number = about.partition(":")
    season, who = rows.load(connection, id), rows.who_is(connection, id, person)
    if season is None or who is None:
        return None
    state = fold(season.terms, commitment(season.secret), rows.events_of(connection, id), checks=False)
    if int(number) != (0 if state.closed else state.round):
        return None
    names = rows.names_of(rows.people_of(connection, id))
    return letter(state, id, who, names, words(language))


def letter(state: SeasonState, id: str, who: int, names: Mapping[int, str], say: Catalogue) -> Letter:
    """Return the letter of a person in words."""

    def name(one: int) -> str:
        return fit_to_show(names[one]) if one in names else say("season.letter.somebody", n=one)

    terms, complete = state.terms, state.complete_rounds()
    told = [*_last_round(state, complete, who, name, say), *_standing(state, complete, who, name, say)]
    if not state.closed and state.draws:
        told += _next_round(state, who, name, say)
    title = say("season.letter.over" if state.closed else "season.letter.title", name=terms.name, round=state.round)
    return Letter(title, " ".join(told), f"#/season/{id}")


def _ten(points: int, say: Catalogue) -> str:
    shown = f"{points * 10 / FULL:.1f}".removesuffix(".0")
    return shown.replace(".", say("season.letter.point"))


def _last_round(state: SeasonState, round: int, who: int, name: Callable[[int], str], say: Catalogue) -> list[str]:
    at = state.table_of(round, who) if round else None
    if at is None:
        return []
    people, points = state.draws[round - 1].tables[at - 1].people, state.points(round, at)
    mine = points[people.index(who)]
    place = 1 + sum(one > mine for one in points)
    others = [name(one) for one in people if one != who]
    kind = "won" if place == 1 else "placed"
    return [say(f"season.letter.{kind}", place=place, names=others, points=_ten(mine, say))]


def _standing(state: SeasonState, round: int, who: int, name: Callable[[int], str], say: Catalogue) -> list[str]:
    if round == 0:
        return []
    table = state.standings(round)
    row = next(row for row in table if row.who == who)
    leader = next(other for other in table if other.division == row.division and other.place == 1)
    before = {one.who: one.place for one in state.standings(round - 1)} if round > 1 else {}
    moved = before.get(who, row.place) - row.place
    if row.place == 1:
        key = "season.letter.over.first" if state.closed else "season.letter.first"
        said = say(key, points=_ten(row.points, say))
    else:
        behind = _ten(leader.points - row.points, say)
        key = "season.letter.over.place" if state.closed else "season.letter.place"
        said = say(key, place=row.place, name=name(leader.who), behind=behind)
    if moved > 0 and row.place > 1 and not state.closed:
        said += " " + say("season.letter.up", n=moved)
    return [said]


def _next_round(state: SeasonState, who: int, name: Callable[[int], str], say: Catalogue) -> list[str]:
    at = state.table_of(state.round, who)
    if at is None:
        return [say("season.letter.no_table")] if who in state.present(state.round) else []
    zone = state.terms.zone or "UTC"
    begins = datetime.fromtimestamp(state.terms.starts[state.round - 1], ZoneInfo(zone))
    table = state.draws[-1].tables[at - 1]
    game = words(say.language, table.game)("name")
    others = [name(one) for one in table.people if one != who]
    return [say("season.letter.next", moment=f"{begins:%Y-%m-%d %H:%M}", zone=zone, game=game, names=others)]

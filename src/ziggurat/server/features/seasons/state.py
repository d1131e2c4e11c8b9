"""The state of a season: what follows from its terms and from all that has happened, in order.

No clock and no database is asked here. What happens by itself is due at a moment (`due`), everything else is done by
people. The same functions refuse what cannot be when it happens, and when a stranger goes through the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import msgspec

from ziggurat.server.features.seasons import beacon, schedule
from ziggurat.server.features.seasons.beacon import PART_DIGITS, Lots
from ziggurat.server.features.seasons.schedule import pair, table_sizes
from ziggurat.server.features.seasons.standings import Standing, standings, table_points
from ziggurat.server.features.seasons.terms import MAX_PEOPLE, SeasonError, SeasonTerms, encoded

EARLY_SECONDS = 1800
"""Seconds before an evening from which on people may say that they are there."""
SWISS_CHUNK = 24
"""People who stand in a row, among whom those who stand alike are looked for at once."""
SWISS_MEETING = 8
"""By how much one meeting counts, where two who stand next to each other count one."""
Moment = Annotated[int, msgspec.Meta(ge=0, le=2**40)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Points = Annotated[int, msgspec.Meta(ge=-1_000_000_000, le=1_000_000_000)]


class SeasonEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True):
    """Something that happened in a season. People are numbers, in the order in which they entered."""

    at: Moment


class Entered(SeasonEvent, frozen=True, tag="entered"):
    """A person entered. `part`: theirs of the beacon; empty after the start. `division`: that which they reached in the
    group's season before (`SeasonState.next_divisions`), counted from 1; 0: none."""

    who: Number
    part: Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64})?$(?!\n)")] = ""
    division: Number = 0


class Started(SeasonEvent, frozen=True, tag="started"):
    """The first round is about to be drawn, and all parts are published."""


class RoundAbsence(SeasonEvent, frozen=True, tag="absence"):
    """A person said that they are absent in a round, or are not."""

    who: Number
    round: Number
    absent: bool = True


class StandIn(SeasonEvent, frozen=True, tag="stands_in"):
    """A person said that they come in a round only to sit in where somebody is missing, or that they do not."""

    who: Number
    round: Number
    ready: bool = True


class DrawnTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a round as it was drawn: its game, and who sits on which seat."""

    game: Annotated[str, msgspec.Meta(max_length=60)]
    people: Annotated[tuple[Number, ...], msgspec.Meta(min_length=2, max_length=7)]
    division: Number


class Drawn(SeasonEvent, frozen=True, tag="drawn"):
    """A round was drawn. `solver`: with the solver, which has proved what it was asked; without it the tables are those
    that were found by exchanges. `rests`: who is there, and has no table because of the numbers."""

    round: Number
    solver: bool
    tables: Annotated[tuple[DrawnTable, ...], msgspec.Meta(max_length=MAX_PEOPLE)]
    rests: Annotated[tuple[Number, ...], msgspec.Meta(max_length=MAX_PEOPLE)]


class Here(SeasonEvent, frozen=True, tag="here"):
    """A person is there for the round that was drawn last."""

    who: Number


class ByDays(SeasonEvent, frozen=True, tag="by_days"):
    """A person would play their table of the round by days."""

    who: Number


class Opened(SeasonEvent, frozen=True, tag="opened"):
    """A table began. `seats`: who sits there; 0: a bot. `days`: it is played by days."""

    round: Number
    table: Number
    seats: Annotated[tuple[Number, ...], msgspec.Meta(max_length=7)]
    days: bool


class TableEnded(SeasonEvent, frozen=True, tag="ended"):
    """A table ended. `over`: by the rules of its game, otherwise as it stood. `absent`: seats whose people were not
    there, or left. `moves`: SHA-256 of the moves, a line each."""

    round: Number
    table: Number
    scores: Annotated[tuple[Points, ...], msgspec.Meta(max_length=7)]
    winners: Annotated[tuple[Number, ...], msgspec.Meta(max_length=7)]
    over: bool
    absent: Annotated[tuple[Number, ...], msgspec.Meta(max_length=7)]
    moves: Annotated[str, msgspec.Meta(max_length=64)]


class Gone(SeasonEvent, frozen=True, tag="gone"):
    """A person left the season: they are drawn no more, and keep their place."""

    who: Number


class Closed(SeasonEvent, frozen=True, tag="closed"):
    """The season is over: the secret is told."""


AnyEvent = Entered | Started | RoundAbsence | StandIn | Drawn | Here | ByDays | Opened | TableEnded | Gone | Closed
EVENT_TYPES = (Entered, Started, RoundAbsence, StandIn, Drawn, Here, ByDays, Opened, TableEnded, Gone, Closed)


class DrawDue(NamedTuple):
    """A round has to be drawn (`SeasonState.drawing`)."""

    round: int


class TimeUp(NamedTuple):
    """The tables of a round that are not over have to end as they stand."""

    round: int


def moves_digest(moves: Iterable[str]) -> str:
    """Return the digest of a table's moves, each with its seat, counted from 1, and its notation."""
    return hashlib.sha256("\n".join(moves).encode()).hexdigest()


@dataclass
class RoundDraw:
    """A round that was drawn.

    Attributes:
        fingerprint: of all that had happened: whoever has noted it can tell later that nothing was changed.
    """

    round: int
    tables: tuple[DrawnTable, ...]
    rests: tuple[int, ...]
    absent: tuple[int, ...]
    fingerprint: str
    solver: bool


@dataclass
class SeasonEntry:
    """A person of a season. `since`: the first round for which they could be drawn."""

    who: int
    part: str
    seeding: int
    since: int
    division: int = 0
    gone: bool = False


@dataclass
class SeasonState:
    """A season at one moment; `apply` takes it on."""

    terms: SeasonTerms
    commitment: str
    checks: bool = True
    """Whether draws are drawn again and compared; the server believes its own, for they take long."""
    people: dict[int, SeasonEntry] = field(default_factory=dict)
    beacon: str = ""
    draws: list[RoundDraw] = field(default_factory=list)
    absences: dict[int, set[int]] = field(default_factory=dict)
    standing_in: dict[int, list[int]] = field(default_factory=dict)
    here: dict[int, dict[int, int]] = field(default_factory=dict)
    by_days: dict[int, set[int]] = field(default_factory=dict)
    opened: dict[tuple[int, int], Opened] = field(default_factory=dict)
    ended: dict[tuple[int, int], TableEnded] = field(default_factory=dict)
    met: dict[tuple[int, int], int] = field(default_factory=dict)
    sat: dict[int, list[int]] = field(default_factory=dict)
    played: dict[tuple[int, str], int] = field(default_factory=dict)
    divisions: list[dict[int, int]] = field(default_factory=list)
    """Of each stage: the division of each person, counted from 1."""
    closed: bool = False
    last: int = 0
    """When something happened last."""

    # --- What can be asked -------------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The round that was drawn last; 0: none was."""
        return len(self.draws)

    @property
    def started(self) -> bool:
        """Whether the parts are published."""
        return bool(self.beacon)

    @property
    def active(self) -> list[int]:
        """The people who have not left."""
        return [one.who for one in self.people.values() if not one.gone]

    def present(self, round: int) -> list[int]:
        """Return the people who are to play in a round, as far as is known."""
        away = self.absences.get(round, set()) | {*self.standing_in.get(round, [])}
        return [one.who for one in self.people.values() if not one.gone and one.since <= round and one.who not in away]

    def reserve(self, round: int) -> list[int]:
        """Return the people who may sit in for others in a round that was drawn: those who said so, and who rest."""
        return [*self.standing_in.get(round, []), *self.draws[round - 1].rests]

    def table_of(self, round: int, who: int) -> int | None:
        """Return the number of a person's table in a round that was drawn."""
        tables = self.draws[round - 1].tables
        return next((at for at, table in enumerate(tables, start=1) if who in table.people), None)

    def unopened(self) -> list[int]:
        """Return the tables of the last round that have not begun."""
        if not self.draws:
            return []
        return [at for at in range(1, len(self.draws[-1].tables) + 1) if (self.round, at) not in self.opened]

    def going(self) -> list[int]:
        """Return the tables of the last round that have begun, and have not ended."""
        return [at for (round, at) in self.opened if round == self.round and (round, at) not in self.ended]

    def standings(self, round: int | None = None) -> list[Standing]:
        """Return the table of the season after a round; without one, after the last whose tables have all ended."""
        return standings(self, self.complete_rounds() if round is None else round)

    def complete_rounds(self) -> int:
        """Return the number of rounds of which all tables have ended."""
        return self.round - bool(self.draws and (self.unopened() or self.going()))

    def fingerprint(self) -> str:
        """Return the fingerprint of all that people did and that came of it, without moments: SHA-256."""
        said: list[object] = [self.terms.digest, self.commitment, self.beacon]
        said.append([[one.who, one.part, one.seeding, one.since, one.gone] for one in self.people.values()])
        said.append(sorted([round, sorted(some)] for round, some in self.absences.items() if some))
        said.append(sorted([round, sorted(some)] for round, some in self.standing_in.items() if some))
        said.append(sorted([round, sorted(some)] for round, some in self.here.items() if some))
        said.append(sorted([round, sorted(some)] for round, some in self.by_days.items() if some))
        for place in sorted(self.ended):
            end, begun = self.ended[place], self.opened[place]
            said.append([*place, begun.seats, begun.days, end.scores, end.winners, end.over, end.absent, end.moves])
        return hashlib.sha256(encoded(said)).hexdigest()

    def key_of(self, round: int, table: int, secret: bytes, kind: str) -> bytes:
        """Return the seed of a table that has begun, or its salt."""
        draw = self.draws[round - 1]
        drawn, opened = draw.tables[table - 1], self.opened[round, table]
        seats = "-".join(map(str, opened.seats))
        place = (round, table, drawn.game, "-".join(map(str, drawn.people)), seats, draw.fingerprint)
        return beacon.table_key(secret, kind, self.beacon, place)

    # --- What happens by itself --------------------------------------------------------------------------------------

    def due(self) -> tuple[int, AnyEvent | DrawDue | TimeUp] | None:
        """Return what happens by itself next, and when; None: nothing will."""
        if self.closed:
            return None
        terms = self.terms
        if not self.started:
            at = terms.drawn_at(1)
            return at, Started(at=at) if len(self.active) >= terms.sizes_least else Closed(at=at)
        if self.round == 0:
            return terms.drawn_at(1), DrawDue(1)
        begins = terms.starts[self.round - 1]
        waiting = self.unopened()
        if waiting:
            if (ready := self._ready(waiting)) is not None:
                return ready
            at = begins if terms.play == "days" else begins + terms.wait
            return at, self.opening(waiting[0], at, late=True)
        over = terms.over_at(self.round)
        if self.going():
            if empty := [at for at in self.going() if not any(self.opened[self.round, at].seats)]:
                return self.last, self.nobody_came(empty[0])
            return over, TimeUp(self.round)
        if self.round == terms.rounds:
            return self.last, Closed(at=self.last)
        return over, DrawDue(self.round + 1)

    def nobody_came(self, table: int) -> TableEnded:
        """Return the end of a table to which nobody came: there is no game, and no points."""
        seats = len(self.opened[self.round, table].seats)
        return TableEnded(
            at=self.last,
            round=self.round,
            table=table,
            scores=(0,) * seats,
            winners=(),
            over=False,
            absent=tuple(range(seats)),
            moves=moves_digest(()),
        )

    def _ready(self, waiting: Iterable[int]) -> tuple[int, Opened] | None:
        """Return the opening of a table all of whose people are there, or wish to play by days."""
        here, slow = self.here.get(self.round, {}), self.by_days.get(self.round, set())
        for at in waiting:
            people = self.draws[-1].tables[at - 1].people
            if self.terms.play != "days" and all(one in here for one in people):
                moment = max(self.terms.starts[self.round - 1], self.last)
                return moment, self.opening(at, moment)
            if self.terms.play == "mixed" and all(one in slow for one in people):
                return self.last, self.opening(at, self.last)
        return None

    def opening(self, table: int, at: int, late: bool = False) -> Opened:
        """Return the opening of a table of the last round. `late`: it waits no longer for those who are not there."""
        terms, round = self.terms, self.round
        people = self.draws[-1].tables[table - 1].people
        here, slow = self.here.get(round, {}), self.by_days.get(round, set())
        coming = all(one in here for one in people)
        days = terms.play == "days" or (
            terms.play == "mixed" and not coming and (late or all(p in slow for p in people))
        )
        if days or coming:
            return Opened(at=at, round=round, table=table, seats=people, days=days)
        # Those who stand in sit down where people are missing, in an order by lot; each at one table.
        taken = {one for (r, _), other in self.opened.items() if r == round for one in other.seats}
        taken |= {one for drawn in self.draws[-1].tables for one in drawn.people}
        ready = [one for one in self.reserve(round) if one in here and one not in taken]
        order = Lots(self.beacon, f"substitutes {round}").shuffled(sorted(ready))
        seats = tuple(one if one in here else (order.pop(0) if order else 0) for one in people)
        return Opened(at=at, round=round, table=table, seats=seats, days=False)

    # --- What happens ------------------------------------------------------------------------------------------------

    def apply(self, event: AnyEvent) -> None:
        """Take the season on by an event.

        Raises SeasonError, with what would be right, where it cannot happen now; then nothing has changed.
        """
        if self.closed:
            raise SeasonError("The season is over.", why="over")
        if event.at < self.last:
            raise SeasonError(f"This happened at {event.at}, before what stands before it ({self.last}).")
        if isinstance(event, Entered):
            self._enter(event)
        elif isinstance(event, Started):
            self._start(event)
        elif isinstance(event, RoundAbsence):
            self._absence(event)
        elif isinstance(event, StandIn):
            self._stand_in(event)
        elif isinstance(event, Drawn):
            self._draw(event)
        elif isinstance(event, Here | ByDays):
            self._present(event)
        elif isinstance(event, Opened):
            self._open(event)
        elif isinstance(event, TableEnded):
            self._end(event)
        elif isinstance(event, Gone):
            self._entrant(event.who).gone = True
        else:
            self._close(event)
        self.last = event.at

    def _entrant(self, who: int) -> SeasonEntry:
        if who not in self.people:
            raise SeasonError(f"Nobody has entered as {who}.")
        one = self.people[who]
        if one.gone:
            raise SeasonError(f"{who} has left the season.", why="left")
        return one

    def _enter(self, event: Entered) -> None:
        if len(self.people) >= MAX_PEOPLE:
            raise SeasonError(f"A season has at most {MAX_PEOPLE} people.", why="full", most=MAX_PEOPLE)
        if event.who != len(self.people) + 1:
            raise SeasonError(f"The next person to enter is {len(self.people) + 1}, not {event.who}.")
        if self.started and self.round + 1 > self.terms.late_until:
            raise SeasonError(
                f"Until round {self.terms.late_until} people may enter; it is drawn.",
                why="entry_over",
                round=self.terms.late_until,
            )
        if self.started and event.part:
            raise SeasonError("The parts of the beacon are published; who comes later has none.")
        if not self.started and event.part == "":
            raise SeasonError(f"Whoever enters before the start sends a part of the beacon: {PART_DIGITS} digits.")
        if not self.started and any(one.part == event.part for one in self.people.values()):
            raise SeasonError("Somebody has sent the same part; a part is drawn at random.")
        self.people[event.who] = SeasonEntry(event.who, event.part, event.division, self.round + 1)
        if self.started and self.divisions:  # who comes later comes last
            for stage in range(len(self.divisions)):
                self.divisions[stage][event.who] = max(self.divisions[stage].values(), default=1)
            self.people[event.who].division = self.divisions[-1][event.who]

    def _start(self, event: Started) -> None:
        if self.started:
            raise SeasonError("The season has started already.")
        if event.at < self.terms.drawn_at(1):
            raise SeasonError(f"It starts at {self.terms.drawn_at(1)}, not at {event.at}.")
        if len(self.active) < self.terms.sizes_least:
            raise SeasonError(f"At least {self.terms.sizes_least} people are needed.")
        parts = [(one.who, one.part) for one in self.people.values()]
        self.beacon = beacon.beacon(self.commitment, self.terms.digest, parts)
        self._divide(1)

    def _divide(self, round: int) -> None:
        """Put people into divisions at the beginning of a stage."""
        if self.terms.pairing != "divisions":
            self.divisions = [dict.fromkeys(self.people, 1)]
        elif round == 1:
            order = Lots(self.beacon, "divisions").shuffled(self.people)
            order.sort(key=lambda who: self.people[who].seeding or MAX_PEOPLE)
            count = max(1, -(-len(order) // self.terms.division))
            self.divisions = [{who: at * count // len(order) + 1 for at, who in enumerate(order)}]
        else:
            self.divisions.append(self._moved(self.divisions[-1], round))
        for who, division in self.divisions[-1].items():
            self.people[who].division = division

    def next_divisions(self) -> dict[int, int]:
        """Return the divisions with which people enter the season after this one: as it ended, after promotion and
        relegation. None of a season that has no divisions or is not over."""
        if self.terms.pairing != "divisions" or not self.closed or not self.draws:
            return {}
        return self._moved(self.divisions[-1], self.terms.rounds + 1)

    def _moved(self, now: Mapping[int, int], round: int) -> dict[int, int]:
        """Return the divisions after promotion and relegation."""
        rows = [row for row in standings(self, round - 1) if not self.people[row.who].gone]
        found = dict(now)
        last = max(now.values(), default=1)
        for division in range(1, last):
            upper = [row.who for row in rows if row.division == division]
            lower = [row.who for row in rows if row.division == division + 1]
            moves = min(self.terms.moves, len(upper) // 2, len(lower) // 2)
            for who in upper[len(upper) - moves :]:
                found[who] = division + 1
            for who in lower[:moves]:
                found[who] = division
        return found

    def _absence(self, event: RoundAbsence) -> None:
        self._entrant(event.who)
        if not self.round < event.round <= self.terms.rounds:
            raise SeasonError(
                f"Round {event.round} is drawn already, or there is no such round.", why="drawn", round=event.round
            )
        away = self.absences.setdefault(event.round, set())
        (away.add if event.absent else away.discard)(event.who)

    def _stand_in(self, event: StandIn) -> None:
        self._entrant(event.who)
        if not self.round < event.round <= self.terms.rounds:
            raise SeasonError(
                f"Round {event.round} is drawn already, or there is no such round.", why="drawn", round=event.round
            )
        if self.terms.play == "days":
            raise SeasonError("Nobody sits in for others where all is played by days.", why="nobody_sits_in")
        ready = self.standing_in.setdefault(event.round, [])
        if event.ready and event.who not in ready:
            ready.append(event.who)
        elif not event.ready and event.who in ready:
            ready.remove(event.who)

    def _present(self, event: Here | ByDays) -> None:
        self._entrant(event.who)
        if not self.round or self.table_of(self.round, event.who) is None:
            if isinstance(event, ByDays) or not self.round or event.who not in self.reserve(self.round):
                raise SeasonError(f"{event.who} has no table in round {self.round}.", why="no_table", round=self.round)
        elif (self.round, self.table_of(self.round, event.who)) in self.opened:
            raise SeasonError("This table has begun.", why="begun")
        if isinstance(event, ByDays):
            if self.terms.play != "mixed":
                raise SeasonError("How the rounds are played is said in the terms.", why="terms_say")
            self.by_days.setdefault(self.round, set()).add(event.who)
            return
        if self.terms.play == "days":
            raise SeasonError("Tables by days begin by themselves.", why="by_itself")
        if event.at < self.terms.starts[self.round - 1] - EARLY_SECONDS:
            raise SeasonError(
                f"From {EARLY_SECONDS // 60} minutes before the beginning one can say that one is there.",
                why="early",
                minutes=EARLY_SECONDS // 60,
            )
        self.here.setdefault(self.round, {})[event.who] = event.at

    def _draw(self, event: Drawn) -> None:
        if not self.started:
            raise SeasonError("The season has not started.")
        if event.round != self.round + 1 or event.round > self.terms.rounds:
            raise SeasonError(f"The next round to be drawn is {self.round + 1} of {self.terms.rounds}.")
        if self.unopened() or self.going():
            raise SeasonError(f"Tables of round {self.round} have not ended.")
        if event.at < self.terms.drawn_at(event.round):
            raise SeasonError(f"Round {event.round} is drawn at {self.terms.drawn_at(event.round)}, not before.")
        if self.checks and (right := self.drawing(event.round, event.at, event.solver)) != event:
            raise SeasonError(_other_draw(event, right))
        self._begin_stage(event.round)
        away = tuple(sorted(self.absences.get(event.round, set())))
        draw = RoundDraw(event.round, event.tables, event.rests, away, self.fingerprint(), event.solver)
        self.draws.append(draw)
        for table in draw.tables:
            for seat, who in enumerate(table.people):
                self.sat.setdefault(who, [0] * 8)[seat] += 1
                self.played[who, table.game] = self.played.get((who, table.game), 0) + 1
                for other in table.people[seat + 1 :]:
                    self.met[pair(who, other)] = self.met.get(pair(who, other), 0) + 1

    def _begin_stage(self, round: int) -> None:
        stages = self.terms.pairing == "divisions" and round > 1
        if stages and len(self.divisions) <= self.terms.stage_of(round):
            self._divide(round)

    def drawing(self, round: int, at: int, solver: bool = True) -> Drawn:
        """Return the draw of the next round: it follows from the terms, the beacon and what has happened.

        Takes seconds for hundreds of people. Raises `schedule.Unproved` where the solver was asked for more than it can
        prove within its bound: then the draw is made without it.
        """
        terms = self.terms
        self._begin_stage(round)
        present = self.present(round)
        tables = list[DrawnTable]()
        for division in sorted({self.people[who].division for who in present}):
            here = [who for who in present if self.people[who].division == division]
            lots = Lots(self.beacon, f"draw {round} {division}")
            for rounds, rank in self._groups(here, division, round, lots):
                for people in schedule.draw(rounds, terms.sizes, self._weighed(), lots, rank, solver):
                    game = self._game_for(people, lots)
                    tables.append(DrawnTable(game, schedule.seated(people, self.sat, lots), division))
        seated = {who for table in tables for who in table.people}
        rests = tuple(sorted(who for who in present if who not in seated))
        return Drawn(at=at, round=round, solver=solver, tables=tuple(tables), rests=rests)

    def _weighed(self) -> dict[tuple[int, int], int]:
        if self.terms.pairing != "swiss":
            return self.met
        return {two: SWISS_MEETING * times for two, times in self.met.items()}

    def _groups(
        self, here: list[int], division: int, round: int, lots: Lots
    ) -> list[tuple[list[list[int]], dict[int, int] | None]]:
        """Return who plays in this round and in later ones, in groups that are drawn for themselves; and how people
        stand, where those who stand alike are to meet."""
        sizes = self.terms.sizes
        if self.terms.pairing == "swiss":
            known = [row.who for row in self.standings(round - 1) if row.who in here] if round > 1 else []
            playing = self._without_rests([*known, *(who for who in lots.shuffled(here) if who not in known)], lots)
            left, found = [*table_sizes(len(playing), sizes)], list[tuple[list[list[int]], dict[int, int] | None]]()
            while left:
                chunk = 0
                while left and (chunk == 0 or chunk + left[0] <= SWISS_CHUNK):
                    chunk += left.pop(0)
                group, playing = playing[:chunk], playing[chunk:]
                found.append(([group], {who: at for at, who in enumerate(group)} if round > 1 else None))
            return found
        rounds = [self._without_rests(here, lots)]
        for later in range(round + 1, self.terms.last_of_stage(round) + 1):
            ahead = [who for who in self.present(later) if self.people[who].division == division]
            rounds.append(ahead[: sum(table_sizes(len(ahead), sizes))])
        return [(rounds, None)] if rounds[0] else []

    def _without_rests(self, people: list[int], lots: Lots) -> list[int]:
        """Return the people for whom there are seats: those rest who have rested least often, by lot."""
        over = len(people) - sum(table_sizes(len(people), self.terms.sizes))
        if over == 0:
            return people
        rested = {who: sum(who in draw.rests for draw in self.draws) for who in people}
        order = sorted(lots.shuffled(people), key=lambda who: rested[who])
        rest = {*order[:over]}
        return [who for who in people if who not in rest]

    def _game_for(self, people: tuple[int, ...], lots: Lots) -> str:
        """Return the game of a table: that which its people have played least."""
        fits = [one for one in self.terms.games if len(people) in one.sizes]
        order = lots.shuffled(range(len(fits)))

        def often(game: str) -> int:
            return sum((times := self.played.get((who, game), 0)) * (times + 1) for who in people)

        return min((fits[at].game for at in order), key=often)

    def _open(self, event: Opened) -> None:
        if event.round != self.round or event.table not in self.unopened():
            raise SeasonError(f"There is no table {event.table} of round {event.round} that has yet to begin.")
        terms, begins = self.terms, self.terms.starts[self.round - 1]
        ready = self._ready([event.table])
        if ready is not None:
            right = ready[1]
            if event.at < begins and not right.days:
                raise SeasonError(f"The round begins at {begins}.")
        else:
            if event.at < (begins if terms.play == "days" else begins + terms.wait):
                raise SeasonError("Not all of its people are there, and it has not waited long enough for them.")
            if event.table != self.unopened()[0]:
                raise SeasonError(f"Table {self.unopened()[0]} begins before it.")
            right = self.opening(event.table, event.at, late=True)
        if (right.seats, right.days) != (event.seats, event.days):
            how = "by days" if right.days else "at the evening"
            raise SeasonError(f"Who sits there is {list(right.seats)}, {how}, not {list(event.seats)}.")
        self.opened[event.round, event.table] = event

    def _end(self, event: TableEnded) -> None:
        place = event.round, event.table
        if place not in self.opened or place in self.ended:
            raise SeasonError(f"There is no table {event.table} of round {event.round} that could end.")
        seats = len(self.opened[place].seats)
        if len(event.scores) != seats:
            raise SeasonError(f"Table {event.table} has {seats} seats.")
        if any(seat >= seats for seat in (*event.absent, *event.winners)):
            raise SeasonError(f"Table {event.table} has seats 0 to {seats - 1}.")
        if [*event.absent] != sorted({*event.absent}) or [*event.winners] != sorted({*event.winners}):
            raise SeasonError("Seats stand once each, and in order.")
        drawn = self.draws[event.round - 1].tables[event.table - 1].people
        missing = [at for at, who in enumerate(drawn) if self.opened[place].seats[at] != who]
        if not {*missing} <= {*event.absent}:
            raise SeasonError("Whoever did not come to the table is absent there.")
        nobody = self.nobody_came(event.table)
        if not any(self.opened[place].seats) and event != msgspec.structs.replace(nobody, at=event.at):
            raise SeasonError("Nobody came to this table: there are no points.")
        self.ended[place] = event

    def _close(self, event: Closed) -> None:
        if not self.started:
            if event.at < self.terms.drawn_at(1) or len(self.active) >= self.terms.sizes_least:
                raise SeasonError("The season has not started.")
        elif self.round < self.terms.rounds or self.unopened() or self.going():
            raise SeasonError("Rounds or tables are left.")
        self.closed = True

    def points(self, round: int, table: int) -> tuple[int, ...]:
        """Return the points of a table that has ended, for those who were drawn there."""
        return table_points(self.ended[round, table])


def fold(terms: SeasonTerms, commitment: str, events: Iterable[AnyEvent], checks: bool = True) -> SeasonState:
    """Return the state of a season after all that has happened. Raises SeasonError."""
    state = SeasonState(terms, commitment, checks)
    for event in events:
        state.apply(event)
    return state


def _other_draw(said: Drawn, right: Drawn) -> str:
    for at, (one, other) in enumerate(zip(said.tables, right.tables, strict=False), start=1):
        if one != other:
            return f"Table {at} of round {said.round} is {_table(one)}; the beacon draws {_table(other)}."
    if len(said.tables) != len(right.tables):
        return f"Round {said.round} has {len(said.tables)} tables; the beacon draws {len(right.tables)}."
    return f"In round {said.round} {list(said.rests)} rest; by the beacon {list(right.rests)} do."


def _table(table: DrawnTable) -> str:
    return f"{table.game} with {' '.join(map(str, table.people))}"

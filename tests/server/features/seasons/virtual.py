"""A season in virtual time: people who come, stay away and leave as chance has it, and games that are really played or
only made up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import msgspec
from tests.example import EXAMPLE

import ziggurat
from ziggurat.server.features.seasons.beacon import commitment
from ziggurat.server.features.seasons.file import SeasonRecord
from ziggurat.server.features.seasons.state import (
    AnyEvent,
    ByDays,
    Closed,
    DrawDue,
    Drawn,
    Entered,
    Gone,
    Here,
    Opened,
    RoundAbsence,
    SeasonState,
    StandIn,
    TableEnded,
    TimeUp,
    moves_digest,
)
from ziggurat.server.features.seasons.terms import DAY_SECONDS, SeasonGame, SeasonTerms, complete

BEGIN = 1_800_000_000
WEEK = 7 * DAY_SECONDS
SECRET = bytes(range(32))


def weeks(rounds: int, **terms: object) -> SeasonTerms:
    """Terms of a season of weeks."""
    starts = tuple(BEGIN + WEEK * round for round in range(rounds))
    usual: dict[str, object] = {
        "name": "Autumn",
        "games": (SeasonGame(EXAMPLE, (4, 3, 5)),),
        "starts": starts,
        "ends": starts[-1] + 6 * DAY_SECONDS,
        "late_until": min(3, rounds),
    }
    return complete(SeasonTerms(**usual | terms))  # type: ignore[arg-type]


@dataclass
class VirtualSeason:
    """A season that is played.

    Attributes:
        habits: how often people are absent and say so, do not come, come late to the season, or leave it (in a round).
        game: makes the end of a table.
    """

    terms: SeasonTerms
    people: int
    seed: int = 1
    habits: tuple[float, float, float, float] = (0.1, 0.1, 0.0, 0.0)
    real: bool = False
    checks: bool = False
    events: list[AnyEvent] = field(default_factory=list)
    moves: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    watch: Callable[[SeasonState], None] = lambda state: None

    def __post_init__(self) -> None:
        self.state = SeasonState(self.terms, commitment(SECRET), self.checks)
        self.chance = Random(self.seed)

    def do(self, event: AnyEvent) -> None:
        self.state.apply(event)
        self.events.append(event)

    def enter(self) -> None:
        part = "" if self.state.started else f"{self.chance.getrandbits(256):064x}"
        self.do(Entered(at=self.now(BEGIN - WEEK), who=len(self.state.people) + 1, part=part))

    def now(self, at: int) -> int:
        return max(at, self.state.last)

    def play(self, rounds: int | None = None) -> VirtualSeason:
        """Play on until the end, or until so many rounds are complete."""
        away, _, late, _ = self.habits
        while len(self.state.people) < self.people * (1 - late) and not self.state.started:
            self.enter()
        while (due := self.state.due()) is not None and not (rounds and self.state.complete_rounds() >= rounds):
            at, what = due
            at = self.now(at)
            if isinstance(what, DrawDue):
                for who in self.state.active:
                    if self.chance.random() < away:
                        self.do(RoundAbsence(at=self.state.last, who=who, round=what.round))
                    elif away and self.terms.play != "days" and self.chance.random() < 0.1:
                        self.do(StandIn(at=self.state.last, who=who, round=what.round))
                self.do(self.state.drawing(what.round, at))
                self.watch(self.state)
                self._come()
            elif isinstance(what, TimeUp):
                for table in self.state.going():
                    self.end(table)
            else:
                self.do(msgspec.structs.replace(what, at=at))
        return self

    def _come(self) -> None:
        _, missing, _, leaving = self.habits
        round, terms = self.state.round, self.terms
        begins = terms.starts[round - 1]
        for who in self.state.active:
            if terms.play != "days" and self.chance.random() >= missing and not self.opened(who):
                if self.state.table_of(round, who) is not None or who in self.state.reserve(round):
                    self.do(Here(at=self.now(begins - 60), who=who))
            elif terms.play == "mixed" and not self.opened(who) and self.state.table_of(round, who) is not None:
                self.do(ByDays(at=self.state.last, who=who))
            if self.chance.random() < leaving:
                self.do(Gone(at=self.state.last, who=who))
        while round < terms.late_until and len(self.state.people) < self.people and self.chance.random() < 0.9:
            self.enter()

    def opened(self, who: int) -> bool:
        return (self.state.round, self.state.table_of(self.state.round, who)) in self.state.opened

    def end(self, table: int, over: bool = True) -> None:
        """End a table of the round."""
        round = self.state.round
        opened: Opened = self.state.opened[round, table]
        drawn = self.state.draws[-1].tables[table - 1]
        seats = len(opened.seats)
        absent = tuple(at for at in range(seats) if opened.seats[at] != drawn.people[at])
        if self.real:
            scores, winners, moves = self._game(round, table, over)
            self.moves[round, table] = moves
        else:
            moves = []
            scores = tuple(self.chance.randrange(60) for _ in range(seats))
            winners = tuple(at for at in range(seats) if scores[at] == max(scores))
        at = self.now(self.state.terms.starts[round - 1] + 3600)
        self.do(
            TableEnded(
                at=at,
                round=round,
                table=table,
                scores=scores,
                winners=winners if over else (),
                over=over,
                absent=absent,
                moves=moves_digest(moves),
            )
        )

    def _game(self, round: int, table: int, over: bool) -> tuple[tuple[int, ...], tuple[int, ...], list[str]]:
        drawn = self.state.draws[-1].tables[table - 1]
        terms = next(game for game in self.terms.games if game.game == drawn.game)
        seed = self.state.key_of(round, table, SECRET, "seed")
        position = ziggurat.new(drawn.game, players=len(drawn.people), seed=seed, options=terms.options)
        moves = list[str]()
        while not position.finished and (over or len(moves) < 20):
            seat = position.actors[0]
            steps = list[int]()
            ahead = position.copy()
            while seat in ahead.actors and (not steps or ahead.in_move):
                steps.append(self.chance.choice(ahead.legal(seat)))
                ahead.play(seat, steps[-1])
            moves.append(f"{seat + 1} {position.write_move(steps)}")
            position.play_all(seat, steps)
        return tuple(position.scores), tuple(sorted(position.winners)), moves

    def record(self, secret: bool = True) -> SeasonRecord:
        """What of the season cannot be computed."""
        names = {who: f"Player {who}" for who in self.state.people}
        keys = {
            p: (self.state.key_of(*p, SECRET, "seed"), self.state.key_of(*p, SECRET, "salt")) for p in self.state.opened
        }
        told = SECRET if secret and self.events and isinstance(self.events[-1], Closed) else None
        return SeasonRecord(self.terms, self.state.commitment, names, self.events, self.moves, told, keys)


def must_hold(season: VirtualSeason) -> None:
    """Go through a season that is over: every table began and ended in its time, nobody played twice at once, whoever
    had left was drawn no more, and all ended."""
    state, terms = season.state, season.terms
    assert state.closed
    gone: set[int] = set()
    drawn: dict[int, int] = {}
    for event in season.events:
        if isinstance(event, Gone):
            gone.add(event.who)
        elif isinstance(event, Drawn):
            at = [who for table in event.tables for who in table.people]
            assert len(at) == len({*at}), "nobody is drawn twice"
            assert not gone & {*at}, "nobody is drawn who has left"
            assert not {*at} & {*event.rests}
            drawn[event.round] = event.at
        elif isinstance(event, Opened):
            begins = terms.starts[event.round - 1]
            latest = max(drawn[event.round], begins + (0 if terms.play == "days" else terms.wait))
            assert event.at <= latest, "no table waits longer than its rule says"
    for round in range(1, state.round + 1):
        seats = [who for (r, _), opened in state.opened.items() if r == round for who in opened.seats if who]
        assert len(seats) == len({*seats}), "nobody plays twice at once"
        for number in range(1, len(state.draws[round - 1].tables) + 1):
            assert state.ended[round, number].at <= terms.over_at(round), "all end in time"
    rows = state.standings()
    assert sorted(row.who for row in rows) == sorted(state.people)

"""What must be so whatever people do: looked at after each change, answer and step, by arithmetic of its own."""

from __future__ import annotations

import logging
import random
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING, cast

import msgspec
import sqlalchemy as sa
from tests.server.people_world import PER_ADDRESS, PER_PERSON, PLAIN, Browser, Follower, HttpAnswer, Human, Live, World
from tests.server.player import Json

from ziggurat import generator
from ziggurat.bots import BOTS
from ziggurat.core.languages import LANGUAGES
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.clock import Clock
from ziggurat.server.domain.open_table import is_listed, listing
from ziggurat.server.domain.patience import patience_of
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.table import LogEntry, Seat, Table
from ziggurat.server.features.daily.models import deals
from ziggurat.server.features.daily.rows import seeds
from ziggurat.server.features.daily.rules import day_of
from ziggurat.server.features.groups.models import group_members
from ziggurat.server.features.open_tables.live import GATHER_SECONDS
from ziggurat.server.features.open_tables.live import Follower as OpenFollower
from ziggurat.server.features.talk import models as talk
from ziggurat.server.live.activity import notes
from ziggurat.server.live.delta import changed
from ziggurat.server.store import models

if TYPE_CHECKING:
    from tests.server.people_features import FeatureActs

KINDS = {
    "time": "time came back, or a clock stands",
    "bound": "somebody is bound by what they did not agree to",
    "forced": "an answer that was forced cost somebody their seat",
    "alone": "bots play on where nobody is left",
    "host": "nobody who is there can begin",
    "note": "something is told with a wrong name",
    "quota": "more tables than somebody may make",
    "nothing": "a change that changes nothing, or an answer that was given already",
    "many": "more changes than a seat can need",
    "secret": "somebody is told what is not theirs to know",
    "talk": "somebody speaks more than they may",
    "person": "somebody is another person",
    "program": "a program does what its token does not let it do, or at a table that lets none",
    "planted": "whoever planted a token is a person who has got a way back since",
    "twice": "somebody sits on two seats of a game that is not over",
    "device": "somebody has another's seat on their device, or a companion has what only a person has",
    "list": "the list of open tables is not what is open, or not the same for all",
    "blocked": "somebody has sat down with a person who does not want to meet them",
    "asked": "somebody is asked to sit down by a person with whom they do not sit down",
    "name": "two people at a table can be mistaken for one another",
    "terms": "a table says what nobody can be held to",
    "rest": "a bot that sat down for a moment has given somebody new time",
    "forgotten": "something is left of a person who was deleted",
    "error": "the server made a mistake",
    "refused": "something was refused, and done",
}
"""What can be found."""
HERE = {"live": 300.0, "days": 86_400.0}
"""Seconds for which somebody who was connected still has to be asked; without a clock as in a live game."""
MOST, TOPICS, WISHED = 200, 4, 300.0
"""Changes of a kind of a seat, besides moves; wishes of a kind of a seat, in so many seconds."""
SLACK = 1.0
"""Seconds by which two ways of counting may differ."""
SECRETS = re.compile(rb"[A-Za-z0-9_-]{12,}")
WORD = re.compile(rb"word-[0-9]{6}")
"""What somebody has said, and nobody else."""
LINES, SPELL = 8, 20.0
"""Of a person at a table in so many seconds, at most."""
NEVER: frozenset[Human] = frozenset()
SAME = b'"view":{"fields":{},"items":{}}'
"""In a frame that tells of no card and no piece."""


LOOKS = ("me", "tables", "turns", "")
"""What programs may ask for anywhere, by the end of the path; a table itself has none."""
BY_TOKEN = {
    **dict.fromkeys(LOOKS, ("read", "play", "bot")),
    **dict.fromkeys(("moves", "commands", "belief"), ("play", "bot")),
    **dict.fromkeys(("join", "accept", "leave"), ("bot",)),
}
"""Which tokens do what."""


class Finding(Exception):
    """What was found: of which kind, and what was seen."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind} ({KINDS[kind]}): {text}")
        self.kind = kind


@dataclass(eq=False)
class Token:
    """What is known of a session's token: who knows it, why it is worth nothing any more, and who it must never be,
    or what it is that was found."""

    known: set[Human]
    dead: str = ""
    never: dict[str, str] = field(default_factory=dict)
    person: str | None = None


@dataclass(eq=False)
class Program:
    """A program's token: whose it is, what it is for, until when it holds, and why it holds no more."""

    secret: str
    id: str
    human: Human
    person: str
    scope: str
    until: float
    dead: str = ""


class Log(logging.Handler):
    """Hears what the server writes down of its mistakes."""

    def __init__(self, checks: Checks) -> None:
        super().__init__(logging.WARNING)
        self.checks = checks

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of a line."""
        if record.levelno >= logging.ERROR:
            self.checks.failed("error", record.getMessage())
        else:
            self.checks.warnings[record.getMessage()[:60]] += 1


@contextmanager
def heard(checks: Checks) -> Iterator[None]:
    """Listen to what the server writes down meanwhile."""
    log = Log(checks)
    logging.getLogger().addHandler(log)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(log)


class Checks:
    """Watches a world."""

    def __init__(self, world: World, chance: random.Random) -> None:
        self.world, self.chance = world, chance
        self.found: list[Finding] = []
        self.warnings: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.tables: dict[str, Table] = {}
        self.everybody: list[Human] = []
        self.features: list[FeatureActs] = []
        self.changes: list[tuple[str, LogEntry]] = []
        """Of this step."""
        self.said: dict[tuple[str, str], list[tuple[str | None, Json]]] = defaultdict(list)
        """By table and message: who has said what."""
        self.tokens: dict[str, Token] = {}
        self.programs: list[Program] = []
        self.legit: dict[str, set[Human]] = defaultdict(set)
        """Who may be a person of the server's."""
        self.maker: dict[str, Human] = {}
        """Who was a person first."""
        self.given: dict[str, set[Human]] = defaultdict(set)
        """Who may know of a table, or has its invitation."""
        self.made_by: dict[str, str] = {}
        """Who asked for a table, by table."""
        self.words: dict[bytes, tuple[str, str | None, bool]] = {}
        """What was said: at which table, by whom, and whether only onlookers hear it as long as the game goes on."""
        self._spoke: dict[tuple[str, str | None], deque[float]] = defaultdict(lambda: deque(maxlen=LINES + 1))
        self.hidden: dict[str, str] = {}
        """Secrets that are told nobody (again), and what they are."""
        self.members: dict[str, set[str]] = defaultdict(set)
        """Who has founded a group or joined it, by it and by its link."""
        self.guardians: dict[str, str] = {}
        """Of companions: on whose device they play."""
        self._news = 0.0, b""
        """When something was said last to all who follow the list, and what."""
        self.deals: dict[str, tuple[str, date]] = {}
        self.links: dict[str, str] = {}
        """The tables that links show, by their secrets."""
        self.shows: dict[str, dict[Human, bool]] = defaultdict(dict)
        """Of a table: who has said last that it is shown, or is not."""
        self.joined: dict[str, set[Human]] = defaultdict(set)
        """Who has done something as a guest, by whom that is now."""
        self._left: dict[str, dict[int, list[tuple[float, float, float]]]] = defaultdict(dict)
        self._spent: dict[tuple[str, int], float] = defaultdict(float)
        self._ran_out: set[tuple[str, int]] = set()
        self._looked: dict[str, float] = {}
        self._here: dict[tuple[str, str], float] = {}
        self._stood_up: set[tuple[str, str]] = set()
        self._agreed: dict[tuple[str, str], set[tuple[int, str | None]]] = defaultdict(set)
        self._often: Counter[tuple[str, int, str]] = Counter()
        self._wished: dict[tuple[str, int, str], deque[float]] = defaultdict(lambda: deque(maxlen=TOPICS + 1))
        self._made: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=PER_ADDRESS + 1))
        world.bus.on_change.insert(0, self._changed)
        world.on_list = self._lists
        world.on_frame, world.on_said, world.on_left = self._frame, self._message, self._gone
        world.on_answer, world.failed = self._answered, self.failed
        world.refused = lambda code: self.refusals.update([code])

    def failed(self, kind: str, text: str) -> None:
        """Note a finding."""
        self.found.append(Finding(kind, text))

    def must(self, condition: bool, kind: str, text: str) -> None:
        """Note a finding unless something is so."""
        if not condition:
            self.failed(kind, text)

    # --- Tables, change by change ---

    def _changed(self, id: str, seq: int, table: Table | None) -> None:
        if table is None:  # what another worker would have changed; here there is none
            return self.must(self.tables[id].seq >= seq, "error", f"{id} is at {seq}, and nobody was told")
        before, now = self.tables.get(id), self.world.watch.time()
        self.tables[id] = table
        for seat in table.seats:
            if seat.guardian is not None:
                self.guardians[seat.person or seat.kept or ""] = seat.guardian
            for person in (seat.person, seat.kept, seat.guardian):
                self.given[id] |= self.legit[person] if person else set()
        self.given[id] |= self.legit[table.host]
        if is_listed(table):
            self.given[id] |= set(self.everybody)  # it is in the list; its invitation is not
        if table.spawned is not None:
            self.given[table.spawned.id] = self.given[id]
        if table.status == "playing" and table.deal is None and table.scenario is None:
            self.hidden |= {key.hex(): f"the shuffle of {id}" for key in (table.seed, table.salt) if key}
        elif table.over and table.seed and table.salt:
            self.hidden.pop(table.seed.hex(), None)
            self.hidden.pop(table.salt.hex(), None)
        people = [seat.person for seat in table.seats if seat.person is not None]
        twice = table.status in ("waiting", "playing") and len({*people}) < len(people)
        self.must(not twice, "twice", f"{id} at {seq}, {table.changes[-1].kind}")
        self._asked(before, table)
        self._terms(table)
        if before is None:
            self._came(table, now)
        else:
            change = table.changes[-1]
            self.changes.append((id, change))
            for check in (
                *(self._time, self._bound, self._alone, self._host),
                *(self._rows, self._by_whom, self._become, self._meet, self._companions),
            ):
                check(before, table, change, now)
        for feature in self.features:
            feature.changed(before, table)
        self._looked[id] = now

    def _came(self, table: Table, now: float) -> None:
        """A table is made: whoever asked for it has used some of their quota, and of their address's."""
        if table.invite:
            self.given[table.invite] = self.given[table.id]
        ways = [asked for asked in self.world.asking if asked[1] == "POST"]
        self.given[table.id] |= {asked[0].human for asked in ways}
        makers = {(self.person_of(one[0]) or table.host, one[0].address) for one in ways}
        # Whoever makes a table is its host; a browser that was somebody's may be a newcomer's by now.
        elsewhere = min(makers, default=(table.host, ""))[1]
        person, address = next((one for one in makers if one[0] == table.host), (table.host, elsewhere))
        self.made_by[table.id] = person
        for whose, most in ((person, PER_PERSON), (address, PER_ADDRESS)) if person != HOUSE_PERSON.id else ():
            made = self._made[whose]
            made.append(now)
            many = sum(at > now - 3600 + SLACK for at in made)
            self.must(many <= most, "quota", f"{many} tables in an hour by {whose}, by {[way[2] for way in ways]}")
        if table.deal is not None:
            today, day = day_of(now), date.fromisoformat(table.deal)
            late = today - day != timedelta(1)
            self.must(late, "secret", f"the deal of {day} is practised on {today}, while a try of it counts")

    def _become(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """What somebody did as a guest is done by whom they have become."""
        if change.kind == "owner":
            for was, seat in zip(before.seats, after.seats, strict=True):
                self.joined[seat.owner or ""] |= self.legit[was.owner or ""] | self.joined[was.owner or ""]

    def _meet(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """Nobody sits down with a person whom they have blocked, or who has blocked them."""
        were, are = ({seat.owner for seat in table.seats if seat.person} for table in (before, after))
        if are <= were or change.kind == "owner":
            return
        with self.world.engine.connect() as connection:
            pairs = connection.execute(sa.select(models.blocks.c.person, models.blocks.c.blocked)).all()
        wrong = [(one, other) for one, other in pairs if {one, other} <= are and not {one, other} <= were]
        self.must(not wrong, "blocked", f"{after.id} at {after.seq}, {change.kind}: {wrong}")

    def _companions(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """A companion is nobody's host, is never asked on their own, and sits only where their guardian sits."""
        says = f"{after.id} at {after.seq}, {change.kind}"
        self.must(after.host not in self.guardians, "device", f"a companion is the host of {says}")
        there = {seat.person for seat in after.seats} | {seat.kept for seat in after.seats}
        for seat in after.seats:
            if seat.guardian is not None and seat.person is not None:
                alone = after.status == "waiting" and seat.guardian not in there
                self.must(not alone, "device", f"seat {seat.seat} is left without a guardian: {says}")

    def _asked(self, before: Table | None, table: Table) -> None:
        """Nobody is asked to sit down by who has blocked them, or whom they have; and all can be told apart there."""
        known = {seat.kept for seat in before.seats} if before is not None else set()
        asked = {seat.guardian or seat.kept for seat in table.seats if seat.kept not in {None, *known}}
        if asked:
            with self.world.engine.connect() as connection:
                pairs = {(one.person, one.blocked) for one in connection.execute(sa.select(models.blocks))}
            wrong = [one for one in asked if {(one, table.host), (table.host, one)} & pairs]
            self.must(not wrong, "asked", f"{table.id} at {table.seq}, {table.changes[-1].kind}: {wrong}")
        names = [seat.name for seat in table.seats if seat.name]
        alike = [(one, other) for one, other in combinations(names, 2) if one.casefold() == other.casefold()]
        self.must(not alike, "name", f"{table.id} at {table.seq}, {table.changes[-1].kind}: {alike}")

    def _terms(self, table: Table) -> None:
        """Whoever is named as the bot of a seat can play; the terms of an open table are fit to be read."""
        terms, names = table.policy.terms, {seat.bot for seat in table.seats if seat.bot is not None}
        if terms is not None and terms.bot is not None:
            names.add(terms.bot)
        says = f"{table.id} at {table.seq}, {table.changes[-1].kind}: {terms}, {names}"
        self.must(names <= {*BOTS}, "terms", says)
        self.must(terms is None or terms.language in ("", *LANGUAGES), "terms", says)
        self.must((terms is not None) == (table.policy.join == "anyone"), "terms", says)

    def _due(self, table: Table, seat: int) -> bool:
        return table.status == "playing" and seat in table.people_due and not table.paused

    def _time(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """Whoever comes to where they were has no more time than when they left; nor ever more without a reason."""
        if before.time is None or after.time is None or change.kind in ("terms", "order", "lots"):
            return
        id, control = after.id, after.time.control
        live = control.kind == "live"
        was, there = _top(before), _top(after)
        old = [_left(clock, now, live) for clock in before.time.seats]
        for seat, clock in enumerate(before.time.seats):
            self._spent[id, seat] += now - self._looked[id] if clock.since is not None else 0.0
        if was != there:
            spent = [self._spent[id, seat] for seat in range(len(old))]
            self._left[id][was] = [(*one, used) for one, used in zip(old, spent, strict=True)]
        if change.kind == "timeout":
            self._ran_out.add((id, change.steps[0]))
        bounds = self._left[id].get(there) if was != there else None
        for seat, (clock, given) in enumerate(zip(before.time.seats, after.time.seats, strict=True)):
            place = f"seat {seat} of {id} at {after.seq}, {change.kind}"
            stands = self._due(after, seat) and given.since is None and not given.flagged
            forced = after.position is not None and after.position.forced(seat) is not None
            self.must(not stands or forced, "time", f"the clock of {place} stands")
            if (given == clock and bounds is None) or after.seats[seat].bot is not None:
                continue  # where a bot plays, what counts is what somebody has who comes back
            (total, reserve), (most, kept) = _left(given, now, live), old[seat]
            alone = before.position is not None and before.position.sole(seat) is not None
            if (change.kind, change.seat) == ("move", seat) and alone and before.seats[seat].plays:
                kept = clock.reserve  # an answer without a choice costs none, however late it is given
                most = max(most, kept)
            again = (id, seat) in self._ran_out or before.seats[seat].bot is not None
            if change.kind in ("back", "wait", "handed", "outage") and (again or change.kind == "outage"):
                if change.kind != "outage" and (id, seat) not in self._ran_out:
                    self.must(
                        total <= most + SLACK and reserve <= kept + SLACK,
                        "rest",
                        f"{place}: {most:.1f} to {total:.1f} s",
                    )
                self._ran_out.discard((id, seat))
                for situation in self._left[id].values():  # the time before counts no more
                    situation[seat] = (float("inf"), float("inf"), 0.0)
                most, kept = control.step + max(kept, control.more), max(kept, control.more)
                most, kept = (float("inf"), float("inf")) if change.kind == "outage" else (most, kept)
            elif bounds is not None:
                most, kept, used = bounds[seat]
                # Of a decision that nobody has to make any more the own time is no loss.
                most = max(0.0, most - (self._spent[id, seat] - used if live and self._due(after, seat) else 0.0))
            elif seat in after.actors and (seat not in before.actors or (change.kind, change.seat) == ("move", seat)):
                most = control.step + kept
            says = f"{place} has {total:.1f} s ({reserve:.1f} of reserve), and may have {most:.1f} ({kept:.1f})"
            self.must(total <= most + SLACK and reserve <= kept + SLACK, "time", says)

    def here(self, table: Table, seat: Seat, now: float, ago: float) -> bool:
        """Whether the person of a seat is connected, or was so many seconds ago."""
        person = seat.person
        if seat.kind != "human" or person is None:
            return False
        owner = seat.guardian or person  # who has a device is here with all who play on it
        there = any(live.table == table.id and live.owner == owner and not live.ended for live in self.world.lives)
        return there or now - self._here.get((table.id, owner), float("-inf")) <= ago - SLACK

    def _bound(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """What all have to agree to, all have agreed to who are there; it is told who asked for it."""
        self._answers(before, change)
        vote, wish, id = before.vote, before.undo, after.id
        ended = after.status == "ended" != before.status and change.kind != "host_end"
        ended = ended and not any(feature.explains(before, change) for feature in self.features)
        paused = after.paused and not before.paused
        if change.kind == "timeout":
            gone = change.steps[0]
            forced = before.position is not None and before.position.sole(gone) is not None
            kept = not self._due(before, gone)
            self.must(kept or not forced, "forced", f"seat {gone} of {id} at {after.seq}")
        if not (ended or paused or (change.kind == "undo" and wish is not None)):
            if change.kind == "undo":
                taken = [one for one in after.changes if one.undone == after.seq]
                mine = all(one.seat == change.seat for one in taken)
                free = mine and bool(taken) and rules_gateway.showed_nothing(before, min(one.seq for one in taken))
                self.must(free or not after.others(change.seat or 0), "bound", f"free undo at {id}, {after.seq}")
            elif change.kind == "stand_in" and change.notation:
                self._sat_down(before, after, change, now)
            return
        kind, asker = ("undo", wish.by) if change.kind == "undo" and wish else ("vote", vote.by if vote else None)
        asker = change.seat if asker is None or (kind == "vote" and vote and vote.kind == "time") else asker
        yes = self._agreed[id, kind] | {(asker, before.seats[asker].person)} if asker is not None else set()
        for person, message in self.said[id, change.client_id or ""]:
            if message.get("agree") and (seat := before.seat_of(person)):
                yes = yes | {(seat.seat, person)}
        ago = HERE[before.time.control.kind if before.time is not None else "live"]
        voices = {guardian_of(before, person) for _, person in yes}  # one device has one voice
        missing = [
            one
            for one in before.seats
            if self.here(before, one, now, ago) and guardian_of(before, one.person) not in voices
        ]
        bots = [one.seat for one in missing if one.bot]
        away = [one.seat for one in missing if one.away]
        says = (
            f"{change.kind} at {id}, {after.seq}: {[one.seat for one in missing]} of {len(after.seats)} did not agree"
        )
        self.must(not missing, "bound", f"{says} (bots play for {bots}, left: {away})")
        told = [note.seat for note in notes(after, before.seq, None)]
        self.must(told == [asker], "note", f"{change.kind} at {id} is told of {told}, and {asker} asked for it")

    def _answers(self, before: Table, change: LogEntry) -> None:
        """Only who was asked answers, and once."""
        id, kind = before.id, "undo" if change.kind.startswith("undo") else "vote"
        asked = before.undo if kind == "undo" else before.vote
        if change.kind.endswith("_ask"):
            self._agreed[id, kind] = set()
        elif change.kind in ("undo_yes", "undo_no", "vote_yes", "vote_no", "wait") and change.seat is not None:
            lapsed = change.kind == "wait" and change.client_id is None  # who would wait once more is named by it
            heard = ("agreed", "said") if lapsed else ("agreed", "said", "again")
            answered: tuple[int, ...] = sum((getattr(asked, name, ()) for name in heard), ())
            self.must(change.seat not in answered, "nothing", f"{change.kind} by {change.seat} of {id} once more")
            own = asked is not None and asked.by == change.seat and change.kind in ("undo_yes", "vote_yes", "wait")
            self.must(asked is not None and not own, "nothing", f"{change.kind} by {change.seat} of {id}, not asked")
            if change.kind.endswith("yes"):
                self._agreed[id, kind].add((change.seat, before.seats[change.seat].person))

    def _sat_down(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """A bot plays for somebody: they are gone, and all who are here have agreed."""
        gone = before.seats[change.steps[0]]
        yes = set[int | None]()
        for one in after.changes:
            refused = one.kind == "stand_in_no" and one.steps == change.steps
            if refused or (one.kind in ("back", "handed") and one.seat == gone.seat):
                yes.clear()
            elif one.kind == "stand_in" and one.steps == change.steps:
                yes.add(one.seat)
        asked = {one.seat for one in before.seats if one.plays and not one.away and one is not gone}
        voices = {before.seats[seat].guardian or before.seats[seat].person for seat in yes if seat is not None}
        asked = {seat for seat in asked if (before.seats[seat].guardian or before.seats[seat].person) not in voices}
        missing = {seat for seat in asked if self.here(before, before.seats[seat], now, 0.0)}
        there = before.by_days or (not gone.away and self.here(before, gone, now, patience_of(before)))
        people = {one.guardian or one.person for one in before.seats if one.person is not None and not one.resigned}
        late = any(one.kind == "late" and one.seat == gone.seat for one in before.changes)
        alone = len(voices) < min(2, len(people) - 1) and not late
        says = f"a bot for {gone.seat} of {after.id} at {after.seq}: not asked {missing}, still there: {there}"
        self.must(not missing and not there and not alone, "bound", f"{says}, by one alone: {alone}")

    def _alone(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """Bots wait for people."""
        if change.kind != "move" or change.client_id is not None or change.seat is None:
            return
        human = any(seat.kind == "human" for seat in before.seats)
        left = any(seat.plays for seat in before.seats)
        bot = before.seats[change.seat].bot is not None
        self.must(not (bot and human and not left), "alone", f"seat {change.seat} of {after.id} at {after.seq}")

    def _host(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """A waiting room is somebody's who is there, if anybody is."""
        if change.kind == "leave" and change.seat is not None:
            self._stood_up.add((after.id, before.seats[change.seat].person or ""))
        there = [seat.person for seat in after.seats if seat.person is not None]
        self._stood_up -= {(after.id, person) for person in there}
        lost = after.status == "waiting" and bool(there) and (after.id, after.host) in self._stood_up
        self.must(
            not lost, "host", f"{after.id} at {after.seq}, {change.kind}: the host stood up, {len(there)} sit there"
        )

    def _rows(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """Changes change something, and there are not too many."""
        id, seat = after.id, change.seat
        same = before.seq + 1 == after.seq and _told(before) == _told(after)
        self.must(
            not same or change.kind in ("stand_in", "stand_in_no", "bot_failed", "lots"),
            "nothing",
            f"{change.kind} by {seat} of {id}",
        )
        if seat is not None and change.kind not in ("move", "join", "leave", "seat"):
            self._often[id, seat, change.kind] += 1
            many = self._often[id, seat, change.kind]
            self.must(many <= MOST, "many", f"{change.kind} {many} times by seat {seat} of {id}")
        if change.kind in ("undo_ask", "end_ask", "pause_ask") and seat is not None:
            wished = self._wished[id, seat, change.kind]
            wished.append(now)
            lately = sum(at > now - WISHED + SLACK for at in wished)
            self.must(lately <= TOPICS, "many", f"{change.kind} {lately} times by seat {seat} of {id}")

    def _by_whom(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """What is done on a seat is done by whose it is."""
        if change.client_id is None or change.seat is None or change.kind in ("end", "pause", "undo"):
            return
        speakers = [person for person, _ in self.said[after.id, change.client_id]]
        if not speakers and any(feature.explains(before, change) for feature in self.features):
            return
        owner = before.seats[change.seat].person
        self.must(owner in speakers, "person", f"{change.kind} on seat {change.seat} of {after.id} by another")

    # --- Talk ---

    def new_word(self, live: Live) -> str:
        """Return a word that somebody is about to say."""
        table = self.tables[live.table]
        bench = table.status == "playing" and table.seat_of(live.person) is None
        word = f"word-{len(self.words):06}"
        self.words[word.encode()] = live.table, live.owner, bench
        return word

    def _hears(self, live: Live, text: bytes) -> None:
        """Only those hear a word who may: at its table, and of the bench those who do not play."""
        for word in WORD.findall(text):
            table_id, person, bench = self.words[word]
            table = self.tables[live.table]
            self.must(table_id == live.table, "secret", f"{word!r} of {table_id} is heard at {live.table}")
            plays = not table.over and table.seat_of(live.person) is not None and table.status == "playing"
            self.must(not (bench and plays), "secret", f"{live.browser.human.name} hears the bench of {table_id}")
            if b'"type":"said"' in text and live.owner == person:
                spoke = self._spoke[live.table, f"{person} {id(live)}"]
                spoke.append(msgspec.json.decode(text)["line"]["at"] / 1000)
                many = sum(at > spoke[-1] - SPELL + SLACK for at in spoke)
                self.must(many <= LINES, "talk", f"{many} lines in {SPELL} s by {live.browser.human.name}")

    # --- Sockets ---

    def _message(self, live: Live, message: Json) -> None:
        if "id" in message:
            self.said[live.table, message["id"]].append((live.person, message))

    def _gone(self, live: Live) -> None:
        if live in self.world.lives:
            self.world.lives.remove(live)
        if live.owner is not None:
            self._here[live.table, live.owner] = self.world.watch.time()

    def _frame(self, live: Live, text: bytes) -> None:
        self.scan(live.browser.human, text, f"a frame of {live.table}", live.table.encode())
        self._sent(live.browser, live.owner, text, f"a frame of {live.table}")
        self._hears(live, text)
        if live.table in self.tables and text[9:20].startswith((b"update", b"news")):
            self._one_hand(live, text)
        if b'"code":"internal"' in text:
            self.failed("error", text.decode()[:300])
        if text.startswith((b'{"type":"room"', b'{"type":"pointed"', b'{"type":"invited_on"')):
            self.must(self.tables[live.table].over, "secret", f"{live.table} is looked through before its end")
        if b'"private":true' in text:
            table = self.tables[live.table]
            seat = table.seat_of(live.person)
            for event in msgspec.json.decode(text).get("events", ()):
                mine = seat is not None and event.get("seat") == seat.seat
                self.must(mine or not event.get("private"), "secret", f"an event of {live.table} that is another's")

    def _one_hand(self, live: Live, text: bytes) -> None:
        """A page is sent one seat's view at a time, and only by the person on whose device that seat is played."""
        table = self.tables[live.table]
        seat = table.seat_of(live.person)
        if SAME in text:
            return  # the news that a guest has signed in as somebody is told to whoever was the guest
        if seat is not None and seat.person in self.guardians and table.status == "playing":
            human, owner = live.browser.human, seat.guardian
            self.must(human in self.legit[owner or ""], "device", f"{human.name} has seat {seat.seat} of {table.id}")
        if table.position is not None and any(one.guardian for one in table.seats):
            said = msgspec.json.decode(text)
            live.view = said["view"] if said["type"] == "update" else changed(live.view, said["view"])
            if said["seq"] == table.seq:
                sees = msgspec.json.decode(msgspec.json.encode(table.position.view(seat.seat if seat else None)))
                place = f"seat {seat.seat if seat else None} of {table.id}"
                self.must(live.view == sees, "secret", f"{live.browser.human.name} sees more than {place} does")

    def _lists(self, follower: Follower, text: bytes) -> None:
        """The list is the same bytes for all, and says of nobody who they are."""
        self.scan(follower.browser.human, text, "the list of open tables", b"")
        self._sent(follower.browser, follower.person, text, "the list of open tables")
        told = {raw.decode() for raw in SECRETS.findall(text)}
        self.must(not told & {*self.legit, *self.guardians}, "secret", f"a person's id is in the list: {text[:200]!r}")
        if text.startswith(b'{"type":"open_changes"'):
            at, same = self._news
            now = self.world.watch.time()
            self.must(at != now or same == text, "list", f"{follower.browser.human.name} is told something else")
            self._news = now, text

    def open_list(self) -> None:
        """Whoever follows the list knows by now which tables are open, all the same, as they are; but those of people
        who had blocked them when they began to follow."""
        listed = {id: one for id, table in self.tables.items() if (one := listing(table))}
        lately = self.world.watch.time() - 2 * GATHER_SECONDS
        for follower in self.world.followers:
            if not (follower.slow or follower.ended):
                name, known = follower.browser.human.name, follower.known
                blocking = cast(OpenFollower, follower.listener).blocking
                shown = {id: one.table for id, one in listed.items() if one.people.isdisjoint(blocking)}
                are = {id: msgspec.to_builtins(table) for id, table in shown.items()}
                differ = sorted(id for id in {*are, *known} if are.get(id) != known.get(id))
                differ = [id for id in differ if self.tables[id].updated < lately]
                self.must(not differ, "list", f"{name} knows {[known.get(id) for id in differ]}, {differ} is otherwise")

    # --- Secrets ---

    def scan(self, human: Human, text: bytes, what: str, said: bytes) -> None:
        """Look for what somebody may not know in what they are told, and have not `said` themselves."""
        for raw in {*SECRETS.findall(text)}:
            word = raw.decode()
            if raw in said:
                continue
            if word in self.hidden:
                self.failed("secret", f"{human.name} reads {self.hidden[word]} in {what}")
            elif word in self.tokens:
                self.failed("secret", f"{human.name} reads a session's token in {what}")
            elif word in self.deals and self.world.watch.time() < _over(self.deals[word][1]):
                self.failed("secret", f"{human.name} reads the shuffle of {self.deals[word]} in {what}")
            elif (
                word in self.given
                and not human.hosts
                and human not in self.given[word]
                and not self._belongs(human, word)
            ):
                self.failed("secret", f"{human.name} reads of a table, {word}, in {what}")

    def _sent(self, browser: Browser, person: str | None, text: bytes, what: str) -> None:
        for feature in self.features:
            feature.sent(browser, person, text, what)

    def _know_deals(self) -> None:
        """Look up what the deals follow from of which anybody was told."""
        with self.world.engine.connect() as connection:
            rows = connection.execute(sa.select(deals.c.game, deals.c.day)).all()
            for game, said in rows if len(rows) > len(self.deals) / 2 else ():
                day = date.fromisoformat(said)
                for key in seeds(connection, game, [day])[day].keys:
                    self.deals[key.hex()] = game, day

    def _belongs(self, human: Human, word: str) -> bool:
        """Whether a person that somebody may be has to do with a table; once known it stays."""
        table = self.tables.get(word) or next((t for t in self.tables.values() if t.invite == word), None)
        if table is None:  # whoever sits at a table of a group knows which, which opens nothing
            of = [one.id for one in self.tables.values() if one.group == word]
            return self.is_of_group(human, word) or any(self._belongs(human, id) for id in of)
        people = {table.host, self.made_by[table.id], *(s.person for s in table.seats), *(s.kept for s in table.seats)}
        in_group = table.group is not None and human in self.given[table.group]
        with self.world.engine.connect() as connection:  # a guest whom several are has spoken there, say
            said = sa.select(talk.said.c.person).where(talk.said.c.table_id == table.id)
            people |= {*connection.execute(said).scalars()}
        if not in_group and not any(human in self.legit[person] for person in people if person):
            return False
        self.given[word].add(human)
        return True

    def is_of_group(self, human: Human, word: str) -> bool:
        """Whether a person that somebody may be belongs to a group; once known it stays."""
        of, group = group_members.c, models.groups.c
        query = sa.select(of.person).join(models.groups, group.id == of.group_id)
        with self.world.engine.connect() as connection:
            people = connection.execute(query.where(sa.or_(group.id == word, group.invite == word))).scalars().all()
        if any(human in self.legit[person] for person in people):
            self.given[word].add(human)
        return human in self.given[word]

    def redealt(self) -> None:
        """At some table, what some seat sees is the same in a world that it cannot tell from this one."""
        tables = [table for table in self.tables.values() if table.status == "playing" and table.position is not None]
        if not tables:
            return
        table = self.chance.choice(tables)
        assert table.position is not None
        seat, truth = self.chance.randrange(len(table.seats)), table.position
        other = truth.redeal(seat, generator(self.chance.getrandbits(64)))
        for one, same in ((truth.view(seat), other.view(seat)), (truth.decision(seat), other.decision(seat))):
            told = msgspec.json.encode(one) == msgspec.json.encode(same)
            self.must(told, "secret", f"seat {seat} of {table.id} at {table.seq} sees what it may not know")

    # --- Persons ---

    def person_of(self, browser: Browser) -> str | None:
        """Return whose a browser was when that was looked at last."""
        token = self.tokens.get(browser.token)
        return token.person if token is not None and not token.dead else None

    def _answered(self, browser: Browser, method: str, path: str, answer: HttpAnswer) -> None:
        human, sent = browser.human, answer.sent
        if path.startswith("/api/day"):
            self._know_deals()
        self.scan(human, answer.body, f"{method} {path}", answer.asked)
        self._sent(browser, self.person_of(browser), answer.body, f"{method} {path}")
        for word in WORD.findall(answer.body):
            speaker = self.words[word][1] or ""
            joined = self.legit[self.person_of(browser) or ""]  # what a guest said is whose they have become
            theirs = human in self.legit[speaker] or (human in joined and self.legit[speaker] <= joined)
            mine = path == "/api/me/everything" and theirs
            # A host may read what was reported, and what a person said where no game goes on.
            saved = path.endswith("/everything") and self.tables[self.words[word][0]].status != "playing"
            mine = mine or (human.hosts and (path.startswith("/api/host/reports") or saved))
            self.must(mine, "secret", f"{human.name} reads {word!r} in {method} {path}")
        mistaken = answer.status >= 500 and answer.status != 503
        self.must(not mistaken, "error", f"{method} {path}: {answer.status} {answer.body[:300]!r}")
        for token in filter(None, answer.given.values()):
            says = "plain cookie is handed on over https" if browser.https and sent == token else "token is given again"
            self.must(token not in self.tokens, "person", f"a {says}: {method} {path} of {human.name}")
            self.tokens.setdefault(token, Token(set())).known.add(human)
            human.tokens.append(token)
        if path.endswith("/showing") and method == "PUT" and answer.status == 200:
            self.shows[path.split("/")[3]][human] = answer.json["mine"]["agree"]
        if path == "/api/shown" and answer.status == 200:
            self._shown(self.tables[next(id for secret, id in self.links.items() if secret.encode() in answer.asked)])
        if path == "/api/sign-in" and answer.status == 200:
            self._signed_in(human, answer.json["id"], sent)
        if answer.given and sent in self.tokens and sent not in answer.given.values():
            self.tokens[sent].dead = f"replaced by {method} {path} of {human.name}"

    def signed_out(self, person: str, why: str) -> None:
        """A person is signed out everywhere: nobody is them by a token of before."""
        for token in self.tokens.values():
            if token.person == person and not token.dead:
                token.dead = why
        self.without_programs(person, why)

    def without_programs(self, person: str | None, why: str) -> None:
        """No token of a person's programs holds any more."""
        for one in self.programs:
            if one.person == person and not one.dead:
                one.dead = why

    def did(self, one: Program, secret: str, table: Table, path: str, answer: HttpAnswer) -> None:
        """A program has done something at a table as that was before, or would have."""
        what = f"{path} at {table.id} by a {one.scope} token of {self._names(one.person)}: {answer.status}"
        self.must(not answer.given, "person", f"a program is given a cookie: {what}")
        lasts = secret == one.secret and not one.dead and self.world.watch.time() < one.until + SLACK
        self.must(lasts or answer.status == 401, "program", f"{what}, and it {one.dead or 'is over, or none'}")
        if answer.status >= 400:
            return
        verb = path.rpartition("/")[2]
        self.must(one.scope in BY_TOKEN.get(verb, ()), "program", f"{what}, which it is not for")
        lets = table.policy.programs and table.deal is None
        # Who sits there already joins by doing nothing; and whoever waits may get up again.
        sits = verb == "join" and table.seat_of(one.person) is not None
        sits = sits or (verb == "leave" and table.status != "playing")
        self.must(verb in LOOKS or lets or sits, "program", f"{what}, and the table lets no program do this")

    def _shown(self, table: Table) -> None:
        """A game is shown to whoever has its link: all who played have said so, and none of them otherwise since."""
        for seat in (seat for seat in table.seats if seat.kind == "human"):
            owner = seat.owner or ""
            spoke_for = self.legit[owner] | self.joined[owner]
            says = seat.person is not None and any(self.shows[table.id].get(one) for one in spoke_for)
            self.must(says, "secret", f"{table.id} is shown, and seat {seat.seat} has not agreed")

    def _signed_in(self, human: Human, person: str, sent: str) -> None:
        """Somebody has signed in as a person, in a browser that had a token before: others who know it are not them."""
        self.legit[person].add(human)
        if sent in self.tokens and self.tokens[sent].known - self.legit[person]:
            self.tokens[sent].never[person] = "person"

    def has_way_back(self, human: Human, person: str, token: str) -> None:
        """Somebody has made a way back to a person who was another's, without knowing it: that one is not them."""
        if token in self.tokens and human is not self.maker[person] and self.maker[person] in self.tokens[token].known:
            self.tokens[token].never[person] = "planted"

    async def who_is(self, token: str) -> str | None:
        """Ask the server who has a token, and see that it is nobody else."""
        known = self.tokens[token]
        browser = Browser(Human("somebody who asks"), "192.0.2.99", jar={PLAIN: token})
        person: str | None = (await self.world.http(browser, "GET", "/api/me")).json["id"]
        if person is None:
            known.person = None
            return None
        if not self.legit[person]:
            self.legit[person] |= known.known
            (self.maker[person],) = known.known
        knows = sorted(human.name for human in known.known)
        self.must(not known.dead, "person", f"a token of {knows} is somebody, and was {known.dead}")
        self.must(
            person not in known.never,
            known.never.get(person, "person"),
            f"a token that {knows} know is {self._names(person)}",
        )
        strangers = known.known - self.legit[person]
        self.must(not strangers, "person", f"a token of {knows} is {self._names(person)}")
        known.person = person
        return person

    def _names(self, person: str) -> str:
        return " or ".join(sorted(human.name for human in self.legit[person])) or "nobody that is known"


# --- Arithmetic of one's own ------------------------------------------------------------------------------------------


def guardian_of(table: Table, person: str | None) -> str | None:
    """Return by whose device a person at a table is heard: their own, or that of whom they play with."""
    return next((seat.guardian for seat in table.seats if person and seat.person == person and seat.guardian), person)


def _top(table: Table) -> int:
    """Which situation a table is in: by the last move that stands, which was made in one alone."""
    return next((one.seq for one in reversed(table.changes) if one.kind in ("start", "move") and not one.undone), 0)


def _left(clock: Clock, now: float, live: bool) -> tuple[float, float]:
    """Return what a clock has left, and of that what is reserve. In games of days what has run is not counted: at
    night, say, it has not."""
    run = now - clock.since if live and clock.since is not None else 0.0
    reserve = max(0.0, clock.reserve - max(0.0, run - clock.delay_left))
    return max(0.0, clock.delay_left - run) + reserve, reserve


def _told(table: Table) -> list[object]:
    """Return what there is to be told of a table: what was agreed twice is agreed once."""
    undo, vote = table.undo, table.vote
    return [
        undo and (undo.by, undo.to, frozenset(undo.agreed), undo.until),
        vote and (vote.kind, vote.by, vote.seconds, frozenset(vote.said), frozenset(vote.again), vote.until),
        (table.seats, table.status, table.host, table.invite, table.rematch, table.time, table.result, table.policy),
        (table.options, table.pace, table.hints, table.patience),
        _top(table),
    ]


def _over(day: date) -> float:
    """Return when no try of a day's deal can count any more."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + 2 * 86_400

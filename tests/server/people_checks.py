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

import msgspec
import sqlalchemy as sa
from tests.server.people_world import PER_ADDRESS, PER_PERSON, PLAIN, Browser, HttpAnswer, Human, Live, World
from tests.server.player import Json

from ziggurat import generator
from ziggurat.server.domain.clock import Clock
from ziggurat.server.domain.daily import day_of
from ziggurat.server.domain.table import LogEntry, Seat, Table
from ziggurat.server.live.activity import notes
from ziggurat.server.store import models
from ziggurat.server.store.daily import seeds

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
    "person": "somebody is another person",
    "planted": "whoever planted a token is a person who has got a way back since",
    "twice": "somebody sits on two seats of a game that is not over",
    "rest": "a bot that sat down for a moment has given somebody new time",
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
NEVER: frozenset[Human] = frozenset()


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
        self.changes: list[tuple[str, LogEntry]] = []
        """Of this step."""
        self.said: dict[tuple[str, str], list[tuple[str | None, Json]]] = defaultdict(list)
        """By table and message: who has said what."""
        self.tokens: dict[str, Token] = {}
        self.legit: dict[str, set[Human]] = defaultdict(set)
        """Who may be a person of the server's."""
        self.maker: dict[str, Human] = {}
        """Who was a person first."""
        self.given: dict[str, set[Human]] = defaultdict(set)
        """Who may know of a table, or has its invitation."""
        self.made_by: dict[str, str] = {}
        """Who asked for a table, by table."""
        self.hidden: dict[str, str] = {}
        """Secrets that are told nobody (again), and what they are."""
        self.deals: dict[str, tuple[str, date]] = {}
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
        assert table is not None
        before, now = self.tables.get(id), self.world.watch.time()
        self.tables[id] = table
        for seat in table.seats:
            self.given[id] |= self.legit[seat.person] if seat.person else set()
        self.given[id] |= self.legit[table.host]
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
        if before is None:
            self._came(table, now)
        else:
            change = table.changes[-1]
            self.changes.append((id, change))
            for check in (self._time, self._bound, self._alone, self._host, self._rows, self._by_whom):
                check(before, table, change, now)
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
        for whose, most in ((person, PER_PERSON), (address, PER_ADDRESS)):
            made = self._made[whose]
            made.append(now)
            many = sum(at > now - 3600 + SLACK for at in made)
            self.must(many <= most, "quota", f"{many} tables in an hour by {whose}, by {[way[2] for way in ways]}")
        if table.deal is not None:
            today, day = day_of(now), date.fromisoformat(table.deal)
            late = today - day != timedelta(1)
            self.must(late, "secret", f"the deal of {day} is practised on {today}, while a try of it counts")

    def _due(self, table: Table, seat: int) -> bool:
        return table.status == "playing" and seat in table.people_due and not table.paused

    def _time(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """Whoever comes to where they were has no more time than when they left; nor ever more without a reason."""
        if before.time is None or after.time is None:
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
        there = any(live.table == table.id and live.person == person and not live.ended for live in self.world.lives)
        return there or now - self._here.get((table.id, person), float("-inf")) <= ago - SLACK

    def _bound(self, before: Table, after: Table, change: LogEntry, now: float) -> None:
        """What all have to agree to, all have agreed to who are there; it is told who asked for it."""
        self._answers(before, change)
        vote, wish, id = before.vote, before.undo, after.id
        ended = after.status == "ended" != before.status
        paused = after.paused and not before.paused
        if change.kind == "timeout":
            gone = change.steps[0]
            forced = before.position is not None and before.position.forced(gone) is not None
            kept = before.seats[gone].by_hand or not self._due(before, gone)
            self.must(kept or not forced, "forced", f"seat {gone} of {id} at {after.seq}")
        if not (ended or paused or (change.kind == "undo" and wish is not None)):
            if change.kind == "undo":
                taken = [one for one in after.changes if one.undone == after.seq]
                mine = len(taken) == 1 and taken[0].seat == change.seat and taken[0].quiet
                self.must(mine or not after.others(change.seat or 0), "bound", f"free undo at {id}, {after.seq}")
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
        missing = [
            one for one in before.seats if self.here(before, one, now, ago) and (one.seat, one.person) not in yes
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
            answered: tuple[int, ...] = getattr(asked, "agreed", ()) or getattr(asked, "said", ())
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
            if one.kind in ("back", "handed") and one.seat == gone.seat:
                yes.clear()
            elif one.kind == "stand_in" and one.steps == change.steps:
                yes.add(one.seat)
        asked = {one.seat for one in before.seats if one.plays and not one.away and one is not gone}
        missing = {seat for seat in asked - yes if self.here(before, before.seats[seat], now, 0.0)}
        there = not gone.away and self.here(before, gone, now, before.patience)
        says = f"a bot for {gone.seat} of {after.id} at {after.seq}: not asked {missing}, still there: {there}"
        self.must(not missing and not there, "bound", says)

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
        self.must(not same or change.kind in ("stand_in", "bot_failed"), "nothing", f"{change.kind} by {seat} of {id}")
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
        owner = before.seats[change.seat].person
        self.must(owner in speakers, "person", f"{change.kind} on seat {change.seat} of {after.id} by another")

    # --- Sockets ---

    def _message(self, live: Live, message: Json) -> None:
        if "id" in message:
            self.said[live.table, message["id"]].append((live.person, message))

    def _gone(self, live: Live) -> None:
        if live in self.world.lives:
            self.world.lives.remove(live)
        if live.person is not None:
            self._here[live.table, live.person] = self.world.watch.time()

    def _frame(self, live: Live, text: bytes) -> None:
        self.scan(live.browser.human, text, f"a frame of {live.table}", live.table.encode())
        if b'"code":"internal"' in text:
            self.failed("error", text.decode()[:300])
        if b'"private":true' in text:
            table = self.tables[live.table]
            seat = table.seat_of(live.person)
            for event in msgspec.json.decode(text).get("events", ()):
                mine = seat is not None and event.get("seat") == seat.seat
                self.must(mine or not event.get("private"), "secret", f"an event of {live.table} that is another's")

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
            elif word in self.given and human not in self.given[word] and not self._belongs(human, word):
                self.failed("secret", f"{human.name} reads of a table, {word}, in {what}")

    def _know_deals(self) -> None:
        """Look up what the deals follow from of which anybody was told."""
        with self.world.engine.connect() as connection:
            rows = connection.execute(sa.select(models.deals.c.game, models.deals.c.day)).all()
            for game, said in rows if len(rows) > len(self.deals) / 2 else ():
                day = date.fromisoformat(said)
                for key in seeds(connection, game, [day])[day].keys:
                    self.deals[key.hex()] = game, day

    def _belongs(self, human: Human, word: str) -> bool:
        """Whether a person that somebody may be has to do with a table; once known it stays."""
        table = self.tables.get(word) or next((t for t in self.tables.values() if t.invite == word), None)
        if table is None:
            return False
        people = (table.host, self.made_by[table.id], *(seat.person or "" for seat in table.seats))
        if not any(human in self.legit[person] for person in people):
            return False
        self.given[word].add(human)
        return True

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
        mistaken = answer.status >= 500 and answer.status != 503
        self.must(not mistaken, "error", f"{method} {path}: {answer.status} {answer.body[:300]!r}")
        for token in filter(None, answer.given.values()):
            says = "plain cookie is handed on over https" if browser.https and sent == token else "token is given again"
            self.must(token not in self.tokens, "person", f"a {says}: {method} {path} of {human.name}")
            self.tokens.setdefault(token, Token(set())).known.add(human)
            human.tokens.append(token)
        if path == "/api/sign-in" and answer.status == 200:
            self._signed_in(human, answer.json["id"], sent)
        if answer.given and sent in self.tokens and sent not in answer.given.values():
            self.tokens[sent].dead = f"replaced by {method} {path} of {human.name}"

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
        vote and (vote.kind, vote.by, vote.seconds, frozenset(vote.said), vote.until),
        (table.seats, table.status, table.host, table.invite, table.rematch, table.time, table.result),
        _top(table),
    ]


def _over(day: date) -> float:
    """Return when no try of a day's deal can count any more."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + 2 * 86_400

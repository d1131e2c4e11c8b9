"""A fuzzer of people: they do whatever persons can do at tables, and what must be so is so after each step.

    python -m tests.server.people --games 1000 --seed 1     for hours; exits with 1 when something is found
    python -m tests.server.people --games 1 --seed 17       plays the game of a seed once more, to the same end
    python -m tests.server.people --games 20 --all          goes on, and tells what is found first of each kind

A game is a server of its own with five people, who have several browsers, and one of whom means ill. They do everything
over the wire. Time passes when they wait.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
import zlib
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.migrated import lay
from tests.server.people_checks import KINDS, Checks, Finding, Program, heard
from tests.server.people_features import NotNow, acts_of_features, rows_naming
from tests.server.people_world import (
    PLAIN,
    Browser,
    HttpAnswer,
    Human,
    Live,
    Loop,
    VirtualClock,
    World,
    any_move,
    midway,
    ruled,
)
from tests.server.player import Json

import ziggurat
from ziggurat.core.runtime import is_compiled, prepare
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.features.daily.rules import day_of
from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.programs.rules import SCOPES
from ziggurat.server.features.talk.models import said

STEPS = 600
"""Of a game."""
LATEST = 25
"""Actions that are told with a finding."""
NAMES = ("Ann", "Bob", "Cat", "Dan", "Mallory")
ADDRESSES = ("192.0.2.1", "192.0.2.1", "192.0.2.3", "192.0.2.4", "198.51.100.6")
"""Ann and Bob live together."""
OFTEN: dict[float, tuple[str, ...]] = {
    26: ("move",),
    14: ("wait",),
    10: ("sit", "vote"),
    8: ("make", "undo", "answer_undo"),
    6: ("connect", "disconnect", "look"),
    4: ("start", "stand_in", "day", "talk"),
    3: ("ask_end", "ask_pause", "resume", "back", "stay_away", "leave", "hand", "sign_in", "pipeline"),
    2: (
        "read_talk",
        "open",
        "find",
        "moves",
        "vacation",
        "ask",
        "after",
        "rematch",
        "used_id",
        "not_asked",
        "stranger",
        "me",
        "way_back",
        "way",
        "sofa",
        "companion",
        "device",
        "follow",
        "room",
        "program",
    ),
    1: ("chatter", "report", "slow", "seat", "again", "keep", "sign_out", "plant", "know", "group", "token"),
    0.5: ("repeat", "forget"),
}
FEATURES = acts_of_features()
WEIGHTS = {name: weight for weight, names in OFTEN.items() for name in names}
WEIGHTS |= {f"{name}.{act}": often for name, acts in FEATURES.items() for act, often in acts.OFTEN.items()}
"""How often what is done; what is of a feature has its name before."""
CLOCKS = ("live", "live", "days", "")
ANSWERS: list[Json] = [{"type": kind, "agree": yes} for kind in ("vote", "undo_answer") for yes in (True, False)]
TOPICS: list[Json] = [*({"type": kind} for kind in ("undo", "ask_end", "resume")), {"type": "ask_pause", "seconds": 60}]
TRIED = {"GET": ["", "/history", "/replay", "/hand", "/showing"], "POST": ["/rematch", "/start", "/hand"], "live": [""]}
"""By Mallory, at tables that are not hers."""
WAITS = {(1, 8): 50, (10, 90): 30, (120, 900): 12, (3600, 18_000): 5, (86_400, 86_400): 3}
"""Seconds, least and most, and how often."""
REPEATED = ("undo_answer", "ask_end", "ask_pause", "by_hand", "away", "undo", "vote")
"""What is done again and again."""


@dataclass
class GameReport:
    """What came of a game."""

    steps: int = 0
    acts: int = 0
    """Requests, messages and moments."""
    did: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    found: list[tuple[int, Finding]] = field(default_factory=list)
    """By step."""
    latest: list[str] = field(default_factory=list)
    """What was done last before the first of them."""
    trail: int = 0
    """What all that was done and answered comes to: the same for the same seed."""

    def add(self, other: GameReport) -> None:
        """Count what came of another one."""
        self.steps, self.acts = self.steps + other.steps, self.acts + other.acts
        for mine, theirs in (
            (self.did, other.did),
            (self.refusals, other.refusals),
            (self.warnings, other.warnings),
        ):
            mine.update(theirs)


class Game:
    """People before a server."""

    def __init__(self, world: World, checks: Checks, chance: random.Random) -> None:
        self.world, self.checks, self.chance = world, checks, chance
        self.people = [Human(name) for name in NAMES]
        for human, address in zip(self.people, ADDRESSES, strict=True):
            human.browsers = [Browser(human, address, https=chance.random() < 0.2) for _ in range(2)]
        self.mallory = self.people[-1]
        hanna = Human("Hanna", hosts=True)
        hanna.browsers = [Browser(hanna, "198.51.100.7")]
        self.hanna = hanna.browsers[0]
        checks.everybody = self.people
        # Each game is another one: of all that may be done some is done often, and some hardly ever.
        self.weights = [weight * chance.choice([0.3, 1, 1, 1, 3]) for weight in WEIGHTS.values()]
        self.favourite, self.clocks = chance.choice([*ziggurat.registered_games()]), chance.choice(CLOCKS)
        self.said: deque[str] = deque(maxlen=LATEST)
        self.result = GameReport()
        self.offers: list[tuple[str, str]] = []
        """Tables and the secrets by which a seat there can be taken."""
        self.handles: list[str] = []
        """By what names people have spoken of others."""
        self.groups: list[tuple[str, str]] = []
        """Groups and the secrets of their links."""
        self._ids = 0
        self.features = {name: acts(self) for name, acts in FEATURES.items()}
        checks.features = [*self.features.values()]

    # --- Who does something, and where ---

    def tell(self, what: str, answer: HttpAnswer | str | None = None) -> None:
        """Note what was done, and how it was answered."""
        self.result.acts += 1
        came = answer.code or answer.status if isinstance(answer, HttpAnswer) else answer
        self.said.append(f"{what}: {came}" if came else what)
        self.result.trail = zlib.crc32(self.said[-1].encode(), self.result.trail)

    def by_chance(self, probability: float) -> bool:
        """Return whether it happens."""
        return self.chance.random() < probability

    def anybody(self) -> Browser:
        """Return a browser."""
        return self.chance.choice(self.chance.choice(self.people).browsers)

    def browser_of(self, person: str | None) -> Browser | None:
        """Return a browser in which somebody is, if there is one."""
        person = self.checks.guardians.get(person or "", person)
        found = [one for human in self.people for one in human.browsers if self.checks.person_of(one) == person]
        return self.chance.choice(found) if found and person is not None else None

    def somebodys(self, *people: str | None) -> Browser:
        """Return a browser in which one of these is."""
        browser = self.browser_of(self.chance.choice([person for person in people if person] or [None]))
        if browser is None:
            raise NotNow
        return browser

    def table(self, fits: Callable[[Table], Any]) -> Table:
        """Return a table, one of the later ones rather than of those before."""
        found = [table for table in self.checks.tables.values() if fits(table)]
        if not found:
            raise NotNow
        return found[max(self.chance.randrange(len(found)) for _ in range(2))]

    def player(self, fits: Callable[[Table, Seat], Any]) -> tuple[Table, Seat, Browser]:
        """Return somebody at a running table, and the browser in which they are."""

        def some(table: Table) -> list[Seat]:
            return [seat for seat in table.seats if seat.person and fits(table, seat)]

        table = self.table(lambda table: table.status == "playing" and some(table))
        seat = self.chance.choice(some(table))
        return table, seat, self.somebodys(seat.person)

    async def live(self, table: str, browser: Browser, invite: str = "", seat: Seat | None = None) -> Live:
        """Return a socket of a browser's at a table, perhaps a new one; that which speaks for a `seat`, if one is
        named."""
        person, companion = self.checks.person_of(browser), seat if seat is not None and seat.guardian else None
        speaks = person if companion is None else companion.person
        for live in self.world.lives:
            if (live.table, live.browser, live.owner, live.person) == (table, browser, person, speaks):
                return live
        if companion is not None:
            return await self._opened_as(table, browser, companion)
        return await self._opened(table, browser, invite)

    async def _opened_as(self, table: str, browser: Browser, seat: Seat) -> Live:
        owner = self.checks.person_of(browser)
        live = await self.world.connect_as(browser, owner, table, seat.seat, seat.person)
        live.say(type="hello", since=None)
        await self.world.idle()
        return live

    async def _opened(self, table: str, browser: Browser, invite: str = "") -> Live:
        live = await self.world.connect(browser, self.checks.person_of(browser), table, invite)
        live.say(type="hello", since=None)
        await self.world.idle()
        return live

    def id(self) -> str:
        """Return an id for a message."""
        self._ids += 1
        return f"m{self._ids}"

    async def deed(self, live: Live, **message: Any) -> None:
        """Have something done over a socket; what is refused must change nothing."""
        id = message.setdefault("id", self.id())
        live.say(**message)
        await self.world.idle()
        code = live.answers.get(id, "not answered")
        done = [change for table, change in self.checks.changes if table == live.table and change.client_id == id]
        self.checks.must(not code or not done or code == "not answered", "refused", f"{message}: {code}, {done}")
        words = " ".join(f"{value}" for value in message.values())
        self.tell(f"{live.browser.human.name} at {live.table}: {words[:60]}", code or "done")

    async def http(self, browser: Browser, method: str, path: str, body: Any = None, **headers: str) -> HttpAnswer:
        """Ask for something; what is refused must change nothing, and a new token is looked at."""
        before = len(self.checks.changes)
        answer = await self.world.http(browser, method, path, body, **headers)
        if answer.status >= 400:
            done = [change.kind for _, change in self.checks.changes[before:] if change.seat is not None]
            done = [kind for kind in done if kind not in ("move", "program", "absent")]  # which happen by themselves
            self.checks.must(not done, "refused", f"{method} {path}: {answer.code}, {done}")
        self.tell(f"{browser.human.name} {'https ' * browser.https}{method} {path} {body or ''}"[:120], answer)
        if answer.given:
            if browser.token in self.checks.tokens:
                await self.checks.who_is(browser.token)
            await self.world.idle()
        return answer

    async def everybody_is_who_they_are(self) -> None:
        """After somebody has come, gone or become another: whoever knows a token is whose it may be."""
        for token, known in [*self.checks.tokens.items()]:
            if not known.dead or self.by_chance(0.1):
                await self.checks.who_is(token)

    # --- Tables come and go ---

    def _clock(self) -> Json | None:
        chance = self.chance
        clock: Json = {"then": chance.choice(["bot", "bot", "ask", "nothing"])}
        kind = self.clocks if self.by_chance(0.6) else chance.choice(CLOCKS)
        if kind == "live":
            return {"kind": kind, "reserve": chance.choice([0, 0, 30, 120]), "step": chance.choice([3, 3, 30]), **clock}
        clock |= {"reserve": chance.choice([0, 86_400]), "step": chance.choice([3600, 7 * 3600])}
        clock |= {"nights": self.by_chance(0.5), "vacation": chance.choice([0, 3])}
        return {"kind": kind, **clock} if kind else None

    async def make(self) -> None:
        """Make a table, for oneself alone, for friends, or without oneself; from the beginning or midway."""
        chance, browser = self.chance, self.anybody()
        game = ziggurat.game(self.favourite if self.by_chance(0.7) else chance.choice([*ziggurat.registered_games()]))
        seats = chance.randint(max(2, game.min_players), max(2, game.min_players, min(3, game.max_players)))
        others = [chance.choice(["open", "open", "open", "random", "builder"]) for _ in range(seats - 1)]
        wishes = [{"kind": "me" if self.by_chance(0.95) else "open"}]
        wishes += [{"kind": "open"} if one == "open" else {"kind": "bot", "bot": one} for one in others]
        body: Json = {"game": game.id, "seats": wishes, "pace": chance.choice(["instant", "calm"])}
        body["policy"] = {"programs": self.by_chance(0.3)}
        body |= {"hints": self.by_chance(0.3), "time": self._clock(), "zone": chance.choice(["", "Europe/Budapest"])}
        if self.by_chance(0.45):
            body["scenario"] = midway(game.id, seats, chance.randrange(6))
        answer = await self.http(browser, "POST", "/api/tables", body)
        if answer.status == 201:
            await self.live(answer.json["id"], browser)
            for _ in range(chance.randint(0, seats)):
                await self.sit()

    async def open(self) -> None:
        """Make a table that anybody may join; strangers read the list."""
        chance, browser = self.chance, self.anybody()
        game = ziggurat.game(self.favourite)
        seats = chance.randint(max(2, game.min_players), max(2, game.min_players, min(3, game.max_players)))
        terms = {"wait": 60, "bot": chance.choice(["random", "builder", None]), "language": "en"}
        body: Json = {"game": game.id, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)], "pace": "calm"}
        body |= {"time": self._clock(), "policy": {"join": "anyone", "terms": terms}}
        await self.http(browser, "POST", "/api/tables", body)
        await self.http(self.anybody(), "GET", "/api/open-tables")

    async def find(self) -> None:
        """Look for a table, perhaps twice with one request, and perhaps sit down at one that is shown; or late."""
        browser, id = self.anybody(), self.id()
        tempo, company = self.chance.choice(["live", "evening"]), self.chance.choice(["people", "bots", "bots"])
        wish = {"games": [self.favourite], "tempo": tempo, "company": company, "name": browser.human.name}
        answers = [
            await self.http(browser, "POST", "/api/open-tables/find", {"id": id, **wish})
            for _ in range(self.chance.randint(1, 2))
        ]
        found = {answer.json["id"] for answer in answers if answer.status == 200}
        same = len({answer.sent for answer in answers[1:]} | {browser.token}) == 1
        self.checks.must(len(found) <= 1 or not same, "twice", f"one request has found {found}")
        for id in found:
            await self.live(id, browser)
        late = self.anybody()
        for one in (await self.http(late, "GET", "/api/open-tables")).json[:2]:
            body = {"invite": "", "name": late.human.name}
            await self.http(late, "POST", f"/api/tables/{one['id']}/join", body)

    async def sit(self) -> None:
        """Follow an invitation and sit down, or only look on; whoever comes last may find that it begins."""
        table, browser = self.table(lambda table: table.status == "waiting" and table.invite), self.anybody()
        for known in (table.id, table.invite or ""):
            self.checks.given[known].add(browser.human)
        if self.by_chance(0.1):
            await self._opened(table.id, browser, table.invite or "")
            return self.tell(f"{browser.human.name} looks on at {table.id}")
        name = browser.human.name + self.chance.choice(["", " of the house"])
        wish: Json = {"invite": table.invite, "name": name, "zone": self.chance.choice(["", "Europe/London"])}
        answer = await self.http(browser, "POST", f"/api/tables/{table.id}/join", wish)
        if answer.status == 200 and self.by_chance(0.8):
            await self.live(table.id, browser)
            host = self.browser_of(table.host)
            if host is not None and all(seat.kind != "open" for seat in self.checks.tables[table.id].seats):
                await self.http(host, "POST", f"/api/tables/{table.id}/start")
                if self.by_chance(0.4) and self.checks.tables[table.id].status == "playing":
                    await self.play_on(table.id)

    async def sofa(self) -> None:
        """Make a table with somebody who plays on the same device, perhaps for others too."""
        chance, browser = self.chance, self.anybody()
        game = ziggurat.game(self.favourite)
        others: list[Json] = [{"kind": "companion", "name": "Zoe"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}]
        seats = [{"kind": "me"}, others[0], *chance.choices(others[1:], k=chance.randint(0, 1))]
        body: Json = {"game": game.id, "seats": seats, "pace": "calm", "time": self._clock()}
        answer = await self.http(browser, "POST", "/api/tables", body)
        if answer.status == 201 and self.by_chance(0.6):
            await self.sit()

    async def companion(self) -> None:
        """Seat somebody on one's own device, who may and who may not."""
        table = self.table(lambda table: table.status == "waiting" and any(seat.kind == "open" for seat in table.seats))
        seat = self.chance.choice([seat for seat in table.seats if seat.kind == "open"])
        name = self.chance.choice(["Zoe", "Yve", "Xia", table.seats[0].name])
        sits = self.by_chance(0.8)
        browser = self.somebodys(*(seat.person for seat in table.seats)) if sits else self.anybody()
        person = self.checks.person_of(browser)
        answer = await self.http(
            browser, "POST", f"/api/tables/{table.id}/companions", {"seat": seat.seat, "name": name}
        )
        seated = answer.status == 200
        self.checks.must(not seated or table.seat_of(person) is not None, "device", f"{table.id} has a companion")

    async def device(self) -> None:
        """Hand the device to another who plays on it: the page closes, and opens for them. Or speak for somebody who
        does not play there."""
        if self.by_chance(0.3):
            return await self._speak_for_another()
        table, seat, browser = self.player(lambda table, seat: bool(table.companions(seat.seat)))
        for live in [one for one in self.world.lives if (one.table, one.browser) == (table.id, browser)]:
            live.leave()
        await self.world.idle()
        table = self.checks.tables[table.id]
        live = await self.live(table.id, browser, seat=table.seats[seat.seat])
        self.tell(f"{browser.human.name} hands the device to seat {seat.seat} at {table.id}")
        if seat.seat in table.actors and seat.plays:
            await self._moves(live, seat.seat)

    async def _speak_for_another(self) -> None:
        table, browser = self.table(lambda table: any(seat.person for seat in table.seats)), self.anybody()
        seat = self.chance.choice(table.seats)
        if (person := self.checks.person_of(browser)) is None:
            raise NotNow  # who is nobody speaks for nobody
        live = await self._opened_as(table.id, browser, seat)
        seat = self.checks.tables[table.id].seats[seat.seat]
        mine = person in (seat.person, seat.guardian)
        self.tell(f"{browser.human.name} speaks for seat {seat.seat} at {table.id}", "refused" if live.ended else "")
        says = f"{browser.human.name} speaks for seat {seat.seat} of {table.id}"
        self.checks.must(mine or live.ended, "device", says)
        if not mine:
            live.leave()
            await self.world.idle()

    async def follow(self) -> None:
        """Follow the list of open tables; all who do so know it as it is."""
        browser = self.anybody()
        if len(self.world.followers) > 4 or (self.world.followers and self.by_chance(0.2)):
            self.chance.choice(self.world.followers).leave()
        else:
            await self.world.follow(browser, self.checks.person_of(browser))
        await self.pass_time(1.0)
        for follower in self.world.followers:
            follower.read_on(self.by_chance(0.1))
        await self.world.idle()
        self.tell(f"{browser.human.name} follows the list of {len(self.world.followers)}")
        self.checks.open_list()

    async def start(self) -> None:
        """Begin, who may and who may not."""
        table = self.table(lambda table: table.status == "waiting")
        browser = self.anybody() if self.by_chance(0.3) else self.somebodys(table.host)
        await self.http(browser, "POST", f"/api/tables/{table.id}/start")

    async def seat(self) -> None:
        """Change a seat in a waiting room, a person's as well."""
        table = self.table(lambda table: table.status == "waiting")
        wish = {"kind": "open"} if self.by_chance(0.5) else {"kind": "bot", "bot": "random"}
        browser = self.anybody() if self.by_chance(0.3) else self.somebodys(table.host)
        seat = {"seat": self.chance.randrange(len(table.seats))}
        await self.http(browser, "POST", f"/api/tables/{table.id}/seats", {**wish, **seat})

    async def room(self) -> None:
        """In a waiting room: other terms, another order, another host, or a companion; who may and who may not."""
        table, chance = self.table(lambda table: table.status == "waiting"), self.chance
        browser = self.anybody() if self.by_chance(0.3) else self.somebodys(table.host)
        path, seat = f"/api/tables/{table.id}", chance.randrange(len(table.seats))
        match chance.choice(["terms", "terms", "order", "host", "host", "companion"]):
            case "terms":
                terms: Json = {"bot": chance.choice(["random", None, "hal"]), "language": chance.choice(["hu", "x"])}
                policy: Json = {"join": table.policy.join, "terms": chance.choice([None, terms])}
                wish: Json = {"options": table.options, "time": self._clock(), "policy": policy}
                await self.http(browser, "POST", f"{path}/terms", wish)
            case "order":
                await self.http(browser, "POST", f"{path}/order", {"order": None})
            case "host":
                await self.http(browser, "POST", f"{path}/host", {"seat": chance.choice([None, seat])})
            case _:
                names = [one.name for one in table.seats if one.name]
                sits = self.somebodys(*(one.person for one in table.seats))
                wish = {"seat": seat, "name": chance.choice([*names, "Little one"])}
                await self.http(sits, "POST", f"{path}/companions", wish)

    async def leave(self) -> None:
        """Get up."""
        table = self.table(lambda table: table.status in ("waiting", "playing") and any(s.person for s in table.seats))
        await self.http(self.somebodys(*(s.person for s in table.seats)), "POST", f"/api/tables/{table.id}/leave")

    async def rematch(self) -> None:
        """Play again with the same people, whoever asks for it."""
        table = self.table(lambda table: table.over)
        browser = self.somebodys(table.host, *(seat.person for seat in table.seats))
        await self.http(browser, "POST", f"/api/tables/{table.id}/rematch")

    async def after(self) -> None:
        """After a game: lead, point, try another move, play on from there, and show it to others or not."""
        table = self.table(lambda table: table.over and table.deal is None and table.position is not None)
        browser = self.somebodys(*(seat.person for seat in table.seats))
        path, moment = f"/api/tables/{table.id}", self.chance.choice([change.seq for change in table.story()] or [1])
        others: list[Json] = [{"kind": "bot", "bot": "random"}, {"kind": "open"}]
        seats: list[Json] = [{"kind": "me"}, *(self.chance.choice(others) for _ in table.seats[1:])]
        wish: Json
        match self.chance.choice(["lead", "at", "point", "try", "play on", "show", "show", "look", "look"]):
            case "lead":
                await self.deed(await self.live(table.id, browser), type="lead", lead=self.by_chance(0.8))
            case "at":
                await self.deed(await self.live(table.id, browser), type="at", seq=moment)
            case "point":
                piece = self.chance.choice(table.position.named) if table.position is not None else "x"
                await self.deed(await self.live(table.id, browser), type="point", piece=piece)
            case "try":
                line = [{"seat": self.chance.randrange(len(seats)), "steps": [self.chance.randrange(40)]}]
                await self.http(browser, "POST", f"{path}/what-if", {"seq": moment, "line": line})
            case "play on":
                wish = {"seq": moment, "seats": seats, "again": self.by_chance(0.5)}
                await self.http(browser, "POST", f"{path}/play-on", wish)
            case "show":
                wish = {"agree": self.by_chance(0.8), "named": self.by_chance(0.5)}
                answer = await self.http(browser, "PUT", f"{path}/showing", wish)
                if answer.status == 200 and answer.json["secret"]:
                    self.checks.links[answer.json["secret"]] = table.id
            case _:
                if not self.checks.links:
                    raise NotNow
                secret = self.chance.choice([*self.checks.links])
                await self.http(self.anybody(), "GET", "/api/shown", x_game=secret)

    async def again(self) -> None:
        """End and begin again, as often as one is let."""
        table, _, browser = self.player(lambda table, _: sum(bool(seat.person) for seat in table.seats) == 1)
        for _ in range(self.chance.randint(2, 9)):
            await self.deed(await self.live(table.id, browser), type="ask_end")
            answer = await self.http(browser, "POST", f"/api/tables/{table.id}/rematch")
            if answer.status != 200:
                break
            table = self.checks.tables[answer.json["id"]]

    async def hand(self) -> None:
        """Hand a seat on, or take one that is handed on."""
        if self.offers and self.by_chance(0.6):
            (id, secret), browser = self.chance.choice(self.offers), self.anybody()
            self.checks.given[id].add(browser.human)
            await self.http(browser, "GET", f"/api/tables/{id}/take", x_invite=secret)
            wish = {"secret": secret, "name": browser.human.name + " II"}
            await self.http(browser, "POST", f"/api/tables/{id}/take", wish)
            return
        table = self.table(lambda table: table.status in ("waiting", "playing") and any(s.person for s in table.seats))
        browser = self.somebodys(*(seat.person for seat in table.seats))
        answer = await self.http(browser, "POST", f"/api/tables/{table.id}/hand")
        if answer.status == 200:
            self.offers.append((table.id, answer.json["secret"]))
            self.checks.hidden[answer.json["secret"]] = "a seat's link"

    async def keep(self) -> None:
        """Keep a seat after all, or look whether it is offered."""
        table, _, browser = self.player(lambda table, _: any(id == table.id for id, _ in self.offers))
        await self.http(browser, self.chance.choice(["GET", "DELETE"]), f"/api/tables/{table.id}/hand")

    # --- Sockets ---

    async def connect(self) -> None:
        """Open a table, also in a second window, and see what one's own seat sees."""
        table, seat, browser = self.player(lambda table, seat: True)
        live = await (self._opened_as(table.id, browser, seat) if seat.guardian else self._opened(table.id, browser))
        now, name = self.checks.tables[table.id], browser.human.name
        told = msgspec.json.decode(live.update) if live.update else {"seq": 0}
        if told["seq"] == now.seq and now.position is not None:
            sees = msgspec.json.decode(msgspec.json.encode(now.position.view(seat.seat)))
            self.checks.must(told["view"] == sees, "secret", f"{name} sees another's view of {table.id}")
        self.tell(f"{name} opens {table.id}")

    async def disconnect(self) -> None:
        """Close one window, and perhaps others."""
        if not self.world.lives:
            raise NotNow
        one = self.chance.choice(self.world.lives)
        for live in [live for live in self.world.lives if live is one or self.by_chance(0.1)]:
            live.leave()
        await self.world.idle()
        self.tell(f"{one.browser.human.name} closes {one.table}")

    async def slow(self) -> None:
        """Read nothing for a while, or read on."""
        for live in self.world.lives:
            live.read_on(self.by_chance(0.1))
        await self.world.idle()
        self.tell("some read slowly")

    # --- Playing ---

    async def move(self) -> None:
        """Make a move."""
        table, seat, browser = self.player(lambda table, seat: seat.plays and seat.seat in table.actors)
        await self._moves(await self.live(table.id, browser, seat=seat), seat.seat)

    async def _moves(self, live: Live, seat: int) -> None:
        """Make a move, and perhaps want it back at once, above all where others have no choice what to answer."""
        await self.deed(live, **self.move_of(self.checks.tables[live.table], seat))
        table = self.checks.tables[live.table]
        forced = [one for one in table.people_due if table.position and table.position.forced(one) is not None]
        if forced and self.by_chance(0.8):
            for other in self.chance.sample(table.seats, len(table.seats)):
                browser = self.browser_of(other.person)
                if browser is not None and other.seat not in forced and self.checks.tables[live.table].undo is None:
                    await self.deed(await self.live(live.table, browser, seat=other), type="undo")
            ends = [table.time.seats[one].until or 0.0 for one in forced] if table.time is not None else []
            await self.pass_time(max([4.0, *(end - self.world.watch.time() + 1.0 for end in ends)]))
        elif self.by_chance(0.1):
            await self.deed(live, type="undo")

    def move_of(self, table: Table, seat: int) -> Json:
        """Return the message of a move, which may be a wrong one."""
        if table.position is None:
            raise NotNow
        acts = table.status == "playing" and seat in table.position.actors
        steps = any_move(table.position, seat, self.chance) if acts else [0]
        # Rather one after which others have no choice what to answer.
        for _ in range(15 * acts * (table.scenario is not None and self.by_chance(0.7))):
            ahead = table.position.copy()
            ahead.play_all(seat, steps)
            if any(ahead.forced(other) is not None for other in ahead.actors if table.seats[other].plays):
                break
            steps = any_move(table.position, seat, self.chance)
        if self.by_chance(0.03):
            steps = self.chance.choice([steps[:-1] or [1], [*steps, steps[0]], [10**6]])
        seq = table.seq if self.by_chance(0.95) else self.chance.randint(0, table.seq + 1)
        return {"type": "move", "id": self.id(), "seq": seq, "steps": steps}

    async def moves(self) -> None:
        """Come back to a table, all who sit there, and play on for a while."""
        table = self.table(lambda table: table.status == "playing" and any(seat.person for seat in table.seats))
        await self.play_on(table.id)

    async def play_on(self, id: str) -> None:
        """Have all who sit at a table come back to it, and play on for a while."""
        for seat in self.checks.tables[id].seats:
            browser = self.browser_of(seat.person)
            if browser is not None and self.by_chance(0.9):
                live = await self.live(id, browser, seat=seat)
                if seat.bot is not None or seat.away:
                    await self.deed(live, type="back")
        for _ in range(self.chance.randint(3, 15)):
            table = self.checks.tables[id]
            if not table.people_due:
                break
            seat = table.seats[table.people_due[0]]
            await self._moves(await self.live(id, self.somebodys(seat.person), seat=seat), seat.seat)
            await self.pass_time(self.chance.uniform(0.1, 1.5))

    async def _say(self, fits: Callable[[Table, Seat], Any], **message: Any) -> None:
        table, seat, browser = self.player(fits)
        await self.deed(await self.live(table.id, browser, seat=seat), **message)

    async def undo(self) -> None:
        """Take a move back, or ask for it; most often whoever has just moved."""
        just = self.by_chance(0.7)
        await self._say(lambda table, seat: not just or table.changes[-1].seat == seat.seat, type="undo")

    async def answer_undo(self) -> None:
        """Agree to an undo or not, also once more, or withdraw it."""
        await self._answer("undo_answer", lambda table: table.undo)

    async def _answer(self, kind: str, asked: Callable[[Table], Any]) -> None:
        table, seat, browser = self.player(lambda table, _: asked(table) is not None)
        live = await self.live(table.id, browser, seat=seat)
        await self.deed(live, type=kind, agree=self.by_chance(0.7))
        if self.by_chance(0.3):
            await self.deed(live, type=kind, agree=self.by_chance(0.7))

    async def ask_end(self) -> None:
        """Ask to end the game."""
        await self._say(lambda table, _: table.deal is None, type="ask_end")

    async def ask_pause(self) -> None:
        """Ask for a pause."""
        seconds = self.chance.choice([60, 3600, 0])
        await self._say(lambda table, _: table.time is not None, type="ask_pause", seconds=seconds)

    async def vote(self) -> None:
        """Answer what is asked, also once more, or withdraw it."""
        await self._answer("vote", lambda table: table.vote)

    async def resume(self) -> None:
        """End a pause."""
        await self._say(lambda table, _: table.paused, type="resume")

    async def stand_in(self) -> None:
        """Want a bot to play for somebody, or not."""

        def gone(table: Table) -> list[int]:
            return [seat.seat for seat in table.seats if seat.kind == "human" and seat.bot is None]

        table, seat, browser = self.player(lambda table, _: len(gone(table)) > 1)
        wish = {"type": "stand_in", "seat": self.chance.choice(gone(table)), "agree": self.by_chance(0.8)}
        await self.deed(await self.live(table.id, browser, seat=seat), **wish)

    async def back(self) -> None:
        """Play again instead of the bot."""
        await self._say(lambda _, seat: seat.bot is not None or seat.away, type="back")

    async def vacation(self) -> None:
        """Take days off, or come back from them."""
        days = self.chance.choice([0, 1, 2, 40])
        await self._say(lambda table, _: table.time and table.time.control.vacation, type="vacation", days=days)

    async def stay_away(self) -> None:
        """Close all windows of a table, and stay away for longer than the others are patient."""
        table, seat, browser = self.player(lambda table, seat: seat.plays)
        for live in [live for live in self.world.lives if (live.table, live.owner) == (table.id, seat.owner)]:
            live.leave()
        await self.pass_time(self.chance.choice([61.0, 61.0, 400.0]))
        self.tell(f"{browser.human.name} is gone from {table.id}")
        for other in self.checks.tables[table.id].seats:
            theirs = self.browser_of(other.person)
            if other.seat != seat.seat and theirs is not None and self.by_chance(0.8):
                await self.deed(await self.live(table.id, theirs, seat=other), type="stand_in", seat=seat.seat)

    async def ask(self) -> None:
        """Ask for a hint, for what a move would do, and what a piece is."""
        table, seat, browser = self.player(lambda table, _: table.position is not None)
        live, table = await self.live(table.id, browser, seat=seat), self.checks.tables[table.id]
        move, named = self.move_of(table, seat.seat), table.position.named if table.position is not None else []
        preview = {"type": "preview", "seq": table.seq, "steps": move["steps"][:1]}
        about = {"type": "about", "pieces": [self.chance.choice(named)]}
        await self.deed(live, **self.chance.choice([about, preview, {"type": "hint", "seq": table.seq}]))

    async def _talker(self) -> Live:
        """Return a socket of somebody who knows a table: they sit there, look on, or wait."""
        browser = self.anybody()
        known = self.checks.given
        table = self.table(lambda table: browser.human in known[table.id] and table.status != "expired")
        live = await self.live(table.id, browser, table.invite or "")
        if live.ended:
            raise NotNow
        return live

    async def talk(self) -> None:
        """Say a phrase, or a text that nobody else says."""
        live = await self._talker()
        if self.by_chance(0.3):
            return await self.deed(live, type="say", phrase="hello")
        word = self.checks.new_word(live)
        await self.deed(live, type="say", text=f"Listen: {word} <b>!")

    async def chatter(self) -> None:
        """Say very much at once."""
        live = await self._talker()
        for _ in range(self.chance.choice([12, 40])):
            live.say(type="say", text=self.checks.new_word(live), id=self.id())
        await self.world.idle()
        self.tell(f"{live.browser.human.name} chatters at {live.table}")

    async def read_talk(self) -> None:
        """Read what was said."""
        before = self.chance.choice([None, None, round(1000 * self.world.watch.time())])
        live, id = await self._talker(), self.id()
        live.say(type="talk", most=self.chance.choice([1, 5, 50]), before=before, id=id)
        await self.world.idle()
        self.tell(f"{live.browser.human.name} reads at {live.table}", live.answers.get(id))

    async def report(self) -> None:
        """Report a line, whether one may hear it or not."""
        live = await self._talker()
        with self.world.engine.connect() as connection:
            lines = connection.execute(sa.select(said).where(said.c.table_id == live.table)).all()
        if not lines:
            raise NotNow
        line, table = self.chance.choice(lines), self.checks.tables[live.table]
        path, secret = f"/api/tables/{live.table}/reports", {"x_invite": table.invite or ""}
        answer = await self.http(live.browser, "POST", path, {"line": line.at}, **secret)
        silent = line.audience == "bench" and not table.over and table.seat_of(live.person) is not None
        self.checks.must(not silent or answer.status >= 400, "secret", f"a line of the bench is reported at {table.id}")

    async def host(self) -> None:
        """A host of the service does something about a person or a table; for everybody else there is no such page."""
        if not self.hanna.human.tokens:
            token = f"token-{self.id()}"
            with self.world.engine.begin() as connection:
                hosting.offer(connection, token, first=True)
            answer = await self.http(self.hanna, "POST", "/api/me/host", {"token": token})
            self.checks.must(answer.status == 204, "person", f"the host is none: {answer.code}")
        other, path = self.anybody(), self.chance.choice(["", "/reports", "/people", "/tables", "/deeds"])
        answer = await self.http(other, "GET", f"/api/host{path}")
        self.checks.must(answer.status == 404, "secret", f"{other.human.name} reads /api/host{path}: {answer.status}")
        await self.chance.choice([self._host_person, self._host_person, self._host_table, self._host_reports])()
        await self.everybody_is_who_they_are()

    async def _host_reports(self) -> None:
        for report in (await self.http(self.hanna, "GET", "/api/host/reports")).json[:1]:
            told = {"done": "Talked.", "to_person": "warned", "to_reporter": "thanks"}
            answer = await self.http(self.hanna, "POST", f"/api/host/reports/{report['id']}", told)
            self.checks.must(answer.status == 204, "error", f"a report is not settled: {answer.code}")

    async def _host_person(self) -> None:
        found = (await self.http(self.hanna, "GET", "/api/host/people")).json
        row = self.chance.choice([one for one in found if not one["host"]] or [None])
        if row is None:
            raise NotNow
        person, path = row["id"], f"/api/host/people/{row['id']}"
        do = self.chance.choice(["rename", "sign_out", "bar", "word", "everything"])
        if do == "everything":
            told = (await self.http(self.hanna, "POST", f"{path}/everything", {})).json
            running = [one for one in told["tables"] if one["status"] == "playing" and one["changes"]]
            self.checks.must(not running, "secret", f"the host reads moves of {person}")
            return
        more: dict[str, Json] = {
            "rename": {"name": f"R{self.id()}"},
            "bar": {"days": 1, "network": self.by_chance(0.5)},
            "word": {"phrase": "looked"},
        }
        await self.http(self.hanna, "POST", path, {"do": do, **more.get(do, {})})
        await self.world.idle()
        if do == "sign_out":
            self.checks.signed_out(person, "ended by a host")
        if do == "bar":
            self.checks.without_programs(person, "was ended by a host")
            mine = [live.table for live in self.world.lives if live.person == person and not live.ended]
            self.checks.must(not mine, "secret", f"{person} is shut out, and follows {mine}")
            # A companion has no browser; whoever has them on their device is not shut out.
            browser = self.browser_of(person) if person not in self.checks.guardians else None
            if browser is not None:
                answer = await self.http(browser, "GET", "/api/tables")
                self.checks.must(answer.code == "barred", "person", f"{person} is shut out, and is told {answer.code}")
            await self.http(self.hanna, "POST", path, {"do": "unbar"})

    async def _host_table(self) -> None:
        table = self.table(lambda table: table.status in ("waiting", "playing") and table.deal is None)
        do = self.chance.choice(["lock", "unlock", "give", "end"])
        await self.http(self.hanna, "POST", f"/api/host/tables/{table.id}", {"do": do, "seat": 0})

    async def pipeline(self) -> None:
        """Say several things at once, several people too."""
        table, _, _ = self.player(lambda table, seat: seat.plays)
        there = [(seat, one) for seat in table.seats if (one := self.browser_of(seat.person))]
        lives = [await self.live(table.id, one, seat=seat) for seat, one in there]
        table = self.checks.tables[table.id]
        for _ in range(self.chance.randint(2, 6)):
            live = self.chance.choice(lives or [await self.live(table.id, self.anybody())])
            seat = table.seat_of(live.person)
            says = [*ANSWERS, *TOPICS, *([self.move_of(table, seat.seat)] * 4 if seat is not None else [])]
            message = {**self.chance.choice(says), "id": self.id()}
            live.say(**message)
            self.tell(f"{live.browser.human.name} at {table.id} at once: {message['type']}")
        await self.world.idle()

    async def repeat(self) -> None:
        """Do one thing, or two that take each other back, again and again."""
        table, seat, browser = self.player(lambda table, seat: seat.plays)
        times, live = self.chance.choice([8, 8, 30, 30, 250]), await self.live(table.id, browser, seat=seat)
        wish = self.chance.choice(REPEATED)
        self.tell(f"{browser.human.name} repeats {wish} {times} times at {table.id}")
        for number in range(times):
            if wish == "by_hand":
                await self.http(browser, "PUT", "/api/me", {"by_hand": number % 2 == 0})
            elif wish == "away":
                await self.http(browser, "POST", f"/api/tables/{table.id}/leave")
                await self.deed(live, type="back")
            elif wish == "undo":
                await self.deed(live, **self.move_of(self.checks.tables[table.id], seat.seat))
                await self.deed(live, type="undo")
                await self.deed(live, type="undo_answer", agree=False)
            elif wish in ("undo_answer", "vote"):
                await self.deed(live, type=wish, agree=True)
            else:
                await self.deed(live, type=wish, **({"seconds": 60} if wish == "ask_pause" else {}))
                await self.deed(live, type="vote", agree=False)
                await self.deed(live, type="resume")
            if self.checks.found or browser.token not in self.checks.tokens:
                break

    async def used_id(self) -> None:
        """Use an id once more, that of the same message or another's."""
        table, _, browser = self.player(lambda table, seat: True)
        every = ((id, said) for (there, id), all in self.checks.said.items() if there == table.id for _, said in all)
        used = [(id, said) for id, said in every if said["type"] != "say"]  # whose words they are is looked at
        if not used:
            raise NotNow
        (id, said), live = self.chance.choice(used[-12:]), await self.live(table.id, browser)
        live.say(**{**self.chance.choice([said, *TOPICS, {"type": "back"}]), "id": id})
        await self.world.idle()
        self.tell(f"{browser.human.name} uses {id} again at {table.id}", live.answers.get(id))

    async def not_asked(self) -> None:
        """Answer what one was not asked, say what one is no party to."""
        live = await self.live(self.table(lambda table: table.status == "playing").id, self.anybody())
        others: list[Json] = [{"type": "back"}, {"type": "stand_in", "seat": 0, "agree": self.by_chance(0.5)}]
        await self.deed(live, **self.chance.choice([*ANSWERS, *TOPICS, *others]))

    async def stranger(self) -> None:
        """Try to open what is not one's own."""
        table, browser = self.table(lambda table: True), self.chance.choice(self.mallory.browsers)
        member = table.is_member(self.checks.person_of(browser)) or self.mallory in self.checks.given[table.id]
        method, parts = self.chance.choice([*TRIED.items()])
        member = member or (table.policy.watch == "anyone" and method != "POST")
        if method == "live":
            live = await self.world.connect(browser, self.checks.person_of(browser), table.id)
            self.checks.must(member or live.ended, "secret", f"Mallory is let in at {table.id}")
            live.leave()
            await self.world.idle()
            return self.tell(f"Mallory opens {table.id}")
        path = f"/api/tables/{table.id}{self.chance.choice(parts)}"
        answer = await self.http(browser, method, path)
        self.checks.must(member or answer.status >= 400, "secret", f"Mallory gets {path}: {answer.status}")

    async def look(self) -> None:
        """Look at what is mine: tables, whose turn it is, everything, and games that are over."""
        browser = self.anybody()
        paths = ["/api/tables", "/api/turns", "/api/me", "/api/me/account", "/api/me/everything"]
        if self.by_chance(0.5):
            table = self.table(lambda table: table.over)
            browser = self.browser_of(self.chance.choice(table.seats).person) or browser
            seq = table.story()[-1].seq if table.story() else 1
            paths = [f"/api/tables/{table.id}{part}" for part in ("", "/history", "/replay", f"/review/{seq}")]
        await self.http(browser, "GET", self.chance.choice(paths))

    async def wait(self) -> None:
        """Let time pass."""
        least, most = self.chance.choices([*WAITS], [*WAITS.values()])[0]
        seconds = self.chance.uniform(least, most)
        await self.pass_time(seconds)
        self.tell(f"{seconds:.1f} s pass")

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, from one thing that is due to the next."""

        def ticks() -> list[float]:
            tables = [table for table in self.checks.tables.values() if table.status == "playing"]
            soon = [self.world.watch.time() + self.world.settings.forced[1] + 0.1] * any(
                table.forced for table in tables
            )
            of_features = [tick for acts in self.checks.features for tick in acts.ticks()]
            return [*soon, *of_features, *(tick for table in tables if (tick := table.tick) is not None)]

        await self.world.pass_time(seconds, ticks)

    # --- Who somebody is ---

    async def know(self) -> None:
        """Invite or block a person one knows, or block them no more, perhaps by the name that another has for them."""
        browser = self.anybody()
        found = (await self.http(browser, "GET", "/api/people")).json
        mine = [one["id"] for one in (*found["played"], *found["blocked"])]
        names = self.handles[-3:] if self.by_chance(0.1) else mine
        if not names:
            raise NotNow
        name = self.chance.choice(names)
        self.handles.append(name)
        if found["tables"] and self.by_chance(0.5):
            table = self.chance.choice(found["tables"])["id"]
            await self.http(browser, "POST", f"/api/tables/{table}/invite", {"person": name})
            asked = self.checks.tables[table]
            browsers = [self.browser_of(seat.kept) for seat in asked.seats if seat.kept]
            if browsers and browsers[-1] is not None:
                answer = self.chance.choice(["accept", "accept", "leave"])
                await self.http(browsers[-1], "POST", f"/api/tables/{table}/{answer}")
        elif self.by_chance(0.5):
            await self.http(browser, "POST", "/api/blocks", {"person": name})
        else:
            await self.http(browser, "DELETE", f"/api/blocks/{name}")

    async def group(self) -> None:
        """Found a group, follow its link, make a table for it, look at it, end its link, come to its evening, or leave
        it."""
        whats = ["found", "join", "join", "look", "table", "renew", "evening", "come", "leave"]
        browser, what = self.anybody(), self.chance.choice(whats)
        if what == "found" or not self.groups:
            wish: Json = {"name": "Friday", "called": browser.human.name}
            answer = await self.http(browser, "POST", "/api/groups", wish)
            if answer.status == 201:
                await self.look_at_group(browser, answer.json["id"])
            return
        id, secret = self.chance.choice(self.groups[-4:])
        if what == "join":
            self.checks.given[id].add(browser.human)
            self.checks.given[secret].add(browser.human)
            wish = {"invite": secret, "name": browser.human.name}
            await self.http(browser, "POST", f"/api/groups/{id}/join", wish)
        elif what == "table":
            game = ziggurat.game(self.favourite)
            seats = [{"kind": "me"}, *[{"kind": "open"}] * (max(2, game.min_players) - 1)]
            wish = {"game": game.id, "seats": seats, "group": id, "call": self.by_chance(0.5)}
            await self.http(browser, "POST", "/api/tables", wish)
        elif what == "renew":
            await self.http(browser, "PUT", f"/api/groups/{id}", {"link": "renew"})
        elif what == "evening":
            evening = {"weekday": self.chance.randrange(7), "time": "19:30", "zone": "Europe/Budapest"}
            await self.http(browser, "PUT", f"/api/groups/{id}", {"evening": evening})
        elif what == "come":
            seen = await self.http(browser, "GET", f"/api/groups/{id}")
            if seen.status == 200 and seen.json["evening"]:
                wish = {"evening": seen.json["evening"]["next"], "comes": self.chance.choice([True, False, None])}
                await self.http(browser, "PUT", f"/api/groups/{id}/evening", wish)
        elif what == "leave":
            await self.http(browser, "POST", f"/api/groups/{id}/leave")
        await self.look_at_group(browser, id)

    async def look_at_group(self, browser: Browser, id: str) -> None:
        """Look at a group, and learn the secret of its link."""
        # Who has founded it, or followed its link, may know of it; others are told nothing.
        known = self.checks.given[id] or {browser.human}
        self.checks.given[id] = known
        answer = await self.world.http(browser, "GET", f"/api/groups/{id}")
        belongs = answer.status == 200
        theirs = browser.human in known or self.checks.is_of_group(browser.human, id)
        self.checks.must(not belongs or theirs, "secret", f"{browser.human.name} sees the group {id}")
        if belongs and (person := self.checks.person_of(browser)) is not None:
            self.checks.members[id].add(person)
        if belongs and answer.json["invite"]:
            self.checks.given[answer.json["invite"]] = known
            self.checks.members[answer.json["invite"]] = self.checks.members[id]
            self.groups.append((id, answer.json["invite"]))

    async def me(self) -> None:
        """Say a name, or who gives forced answers, perhaps come by the other way."""
        browser = self.anybody()
        browser.https ^= self.by_chance(0.3)
        name = browser.human.name if self.by_chance(0.8) else self.chance.choice(NAMES)
        wish: Json = {"by_hand": self.by_chance(0.5)} if self.by_chance(0.5) else {"name": name}
        await self.http(browser, "PUT", "/api/me", wish)

    async def way(self) -> None:
        """Come by the other way: http or https."""
        browser = self.anybody()
        browser.https ^= True
        await self.http(browser, "GET", "/api/me")

    async def way_back(self) -> None:
        """Make codes or a link by which one comes back."""
        await self._way_back(self.anybody(), codes=self.by_chance(0.6))

    async def _way_back(self, browser: Browser, *, codes: bool) -> None:
        answer = await self.http(browser, "POST", "/api/me/codes" if codes else "/api/me/link")
        person = self.checks.person_of(browser)
        if answer.status != 200 or person is None:
            return
        made: list[str] = answer.json["codes"] if codes else [answer.json["secret"]]
        self.checks.hidden |= dict.fromkeys(made, "a way back")
        browser.human.ways.extend(made[:3])
        if codes:  # who has a way back is somebody for sure
            self.checks.has_way_back(browser.human, person, answer.sent)
            await self.everybody_is_who_they_are()

    async def token(self) -> None:
        """Make a token for a program, or withdraw one."""
        browser = self.anybody()
        person = await self.checks.who_is(browser.token) if browser.token in self.checks.tokens else None
        mine = [one for one in self.checks.programs if one.person == person and not one.dead]
        if mine and self.by_chance(0.3):
            one = self.chance.choice(mine)
            if (await self.http(browser, "DELETE", f"/api/me/tokens/{one.id}")).status == 204:
                one.dead = "was withdrawn"
            return
        if person is not None and self.by_chance(0.5):
            await self._way_back(browser, codes=True)  # a guest has no tokens
            person = self.checks.person_of(browser)
        scope, days = self.chance.choice(SCOPES), self.chance.choice([1, 90])
        answer = await self.http(browser, "POST", "/api/me/tokens", {"name": "Robo", "scope": scope, "days": days})
        if answer.status == 200 and person is not None:
            secret, made = answer.json["token"], answer.json["mine"][0]
            until = self.world.watch.time() + days * 86_400
            self.checks.programs.append(Program(secret, made["id"], browser.human, person, scope, until))
            self.checks.hidden[secret] = "a program's token"

    async def program(self) -> None:
        """A program comes by a token, which may hold no more, or be wrong, beside somebody's cookie, and does what it
        may or may not do."""
        if not self.checks.programs:
            raise NotNow
        one = self.chance.choice(self.checks.programs[-6:])
        secret = one.secret if self.by_chance(0.95) else one.secret[:-2] + "xx"
        jar = dict(self.anybody().jar) if self.by_chance(0.3) else {}
        browser = Browser(one.human, one.human.browsers[0].address, jar=jar)
        by_token = {"authorization": f"Bearer {secret}"}
        sits = self.by_chance(0.8)
        table = self.table(lambda table: table.seat_of(one.person) is not None or not sits)
        path, seat = f"/api/tables/{table.id}", table.seat_of(one.person)
        what = self.chance.choice(["moves"] * 6 + ["commands", "look", "join", "join", "belief", "leave", "forbidden"])
        if what == "look":
            for path in ("/api/me", "/api/tables", "/api/turns", f"/api/tables/{table.id}/"):
                answer = await self.http(browser, "GET", path.rstrip("/"), **by_token)
                self.checks.did(one, secret, table, path, answer)
                mine = path != "/api/me" or answer.status >= 400 or answer.json["id"] == one.person
                self.checks.must(mine, "person", f"a program of {one.human.name} is somebody else")
        elif what == "forbidden":
            never = [("POST", "/api/tables"), ("GET", "/api/me/everything"), ("GET", "/api/me/tokens")]
            method, path = self.chance.choice([*never, ("DELETE", "/api/me"), ("POST", f"{path}/rematch")])
            wish: Json = {"game": self.favourite, "seats": [{"kind": "me"}]}
            answer = await self.http(browser, method, path, wish if path == "/api/tables" else None, **by_token)
            self.checks.must(answer.status in (401, 403), "program", f"{method} {path} by a token: {answer.status}")
        elif what == "belief":
            answer = await self.http(browser, "GET", f"{path}/belief", **by_token)
            self.checks.did(one, secret, table, f"{path}/belief", answer)
        else:
            for known in (table.id, table.invite or ""):
                self.checks.given[known].add(one.human)
            body: Json = {}
            if what == "join":
                body = {"invite": table.invite or "", "name": "Robo"}
            elif what == "moves":
                body = self.move_of(table, seat.seat if seat is not None else 0)
                del body["type"]
            elif what == "commands":
                body = {**self.chance.choice(ANSWERS), "id": self.id()}
            if "id" in body:
                self.checks.said[table.id, body["id"]].append((one.person, {"type": what, **body}))
            answer = await self.http(browser, "POST", f"{path}/{what}", body or None, **by_token)
            self.checks.did(one, secret, table, f"{path}/{what}", answer)
        self.tell(f"by a token of {one.human.name}")

    async def sign_in(self) -> None:
        """Come back by a code or a link of one's own, or guess one; rarely by a friend's."""
        browser = self.anybody()
        friend = self.by_chance(0.1) and browser.human is not self.mallory
        await self._sign_in(browser, self.chance.choice(self.people) if friend else browser.human)

    async def _sign_in(self, browser: Browser, whose: Human) -> None:
        secret = self.chance.choice(whose.ways) if whose.ways and self.by_chance(0.95) else "abcd-efgh-jkmn"
        answer = await self.http(browser, "POST", "/api/sign-in", {"secret": secret})
        if answer.status == 200:
            await self.world.idle()
            await self.everybody_is_who_they_are()

    async def sign_out(self) -> None:
        """Sign out here, or everywhere else."""
        which = self.chance.choice(["here", "others", "others", "nonsense"])
        await self._end(f"/api/me/devices/{which}", lambda here: here == (which == "here"))

    async def forget(self) -> None:
        """Be forgotten."""
        await self._end("/api/me", lambda here: True)

    async def _end(self, path: str, ends: Callable[[bool], bool]) -> None:
        browser = self.anybody()
        await self.everybody_is_who_they_are()
        person = self.checks.person_of(browser)
        mine = [one for one in self.checks.tokens.values() if one.person == person is not None and not one.dead]
        answer = await self.http(browser, "DELETE", path)
        if answer.status == 204:
            for token in mine:
                if ends(token is self.checks.tokens[answer.sent]):
                    token.dead = f"ended by DELETE {path} of {browser.human.name}"
            if not path.endswith("here"):
                self.checks.without_programs(person, f"was ended by DELETE {path}")
            await self.everybody_is_who_they_are()
            if path == "/api/me" and person is not None:
                for acts in self.checks.features:
                    acts.forgotten(person)
                left = {*rows_naming(self.checks, person)}
                self.checks.must(not left, "forgotten", f"rows of a deleted person are left: {left}")

    async def plant(self) -> None:
        """Mallory puts a cookie that she has had into somebody's browser, or her own."""
        token, browser = self.chance.choice(self.mallory.tokens[-3:]), self.anybody()
        person = await self.checks.who_is(token)
        browser.jar[PLAIN] = token
        self.checks.tokens[token].known.add(browser.human)
        if person is not None:
            self.checks.legit[person].add(browser.human)
        self.tell(f"Mallory plants a token of {person} into a browser of {browser.human.name}")
        if self.by_chance(0.5):
            await self._sign_in(browser, browser.human)

    async def day(self) -> None:
        """Look at the day's deals, play today's or an earlier one."""
        browser, game = self.anybody(), self.chance.choice([*ziggurat.registered_games()])
        if self.by_chance(0.4):
            await self.http(browser, "GET", "/api/day" + self.chance.choice(["", f"/{game}"]))
            return
        today = day_of(self.world.watch.time())
        day = today - timedelta(self.chance.choice([0, 0, 0, 1, 1, 2, -1]))
        answer = await self.http(browser, "POST", f"/api/day/{game}", {"day": f"{day}", "pace": "instant"})
        if answer.status == 201:
            live = await self.live(answer.json["id"], browser)
            for _ in range(self.chance.choice([0, 3, 3, 120])):
                table = self.checks.tables[live.table]
                seat = table.seat_of(live.person)
                if seat is None or seat.seat not in table.actors:
                    break
                await self.deed(live, **self.move_of(table, seat.seat))

    # --- Step by step ---

    async def step(self) -> str:
        """Do something, and look whether all is as it must be; return what was done."""
        self.checks.changes.clear()
        done = ""
        while not done:
            name = self.chance.choices([*WEIGHTS], self.weights)[0]
            feature, _, act = name.rpartition(".")
            action: Callable[[], Awaitable[None]] = getattr(self.features[feature] if feature else self, act)
            with suppress(NotNow):
                await action()
                done = name
        await self.world.idle()
        await self.pass_time(self.chance.uniform(0.1, 2.0))
        if self.by_chance(0.3):
            await self.checks.who_is(self.chance.choice([*self.checks.tokens]))
        if self.result.steps % 50 == 49:
            self.checks.redealt()
        for acts in self.checks.features:
            await acts.stepped()
        return done

    async def play(self, steps: int, over: Collection[str], on: bool) -> None:
        """Take so many steps, or as many as it takes until something is found that is not passed over."""
        for browser in [human.browsers[0] for human in self.people]:
            await self.http(browser, "PUT", "/api/me", {"name": browser.human.name})
        while self.result.steps < steps:
            self.result.did[await self.step()] += 1
            self.result.steps += 1
            if self._finds(over) and not on:
                return
        for acts in self.checks.features:
            await acts.ended()
        self._finds(over)

    def _finds(self, over: Collection[str]) -> bool:
        """Note what was found, and return whether something was."""
        news = [one for one in self.checks.found if one.kind not in over]
        self.checks.found.clear()
        if news and not self.result.found:
            self.result.latest = [*self.said]
        self.result.found += [(self.result.steps, one) for one in news]
        return bool(news)


def load_rules(*, made: bool = False) -> None:
    """Play by compiled rules, where they are compiled already or are to be `made`: the same games, sooner."""
    for game in ziggurat.registered_games().values():
        if made or is_compiled(game):
            prepare(game)


def play(seed: int, steps: int = STEPS, over: Collection[str] = (), on: bool = False) -> GameReport:
    """Play one game; `over`: kinds of findings that are passed over; `on`: go on after a finding."""
    watch, chance = VirtualClock(), random.Random(f"people {seed}")
    result = GameReport()

    async def run(folder: Path, loop: Loop) -> None:
        nonlocal result
        world = World(folder, watch, loop)
        async with world.open():
            checks = Checks(world, random.Random(f"checks {seed}"))
            game = Game(world, checks, chance)
            result = game.result
            with heard(checks):
                await game.play(steps, over, on)
            result.refusals, result.warnings = checks.refusals, checks.warnings
            result.latest = result.latest or [*game.said]

    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder))
        with ruled(f"{seed}", watch), pytest.MonkeyPatch.context() as patch:
            for acts in FEATURES.values():
                acts.rule(patch)
            loop = Loop(watch)
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(run(Path(folder), loop))
    return result


def finds(seed: int, kinds: str) -> bool:
    """Return whether something of a kind is found in a game."""
    load_rules()
    return bool(play(seed, over={*KINDS} - {kinds}).found)


def main() -> None:
    """Play games, and say what was done and found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others have those after it")
    parser.add_argument("--steps", type=int, default=STEPS, help="of each game")
    parser.add_argument("--all", action="store_true", help="go on after a finding; tell the first of each kind")
    parser.add_argument("--but", default="", metavar="KINDS", help=f"pass these over: {', '.join(KINDS)}")
    parser.add_argument("--compile", action="store_true", help="the rules first, for a minute or two: it goes faster")
    parser.add_argument("--host", type=float, default=0.0, metavar="WEIGHT", help="how often a host does something")
    wish = parser.parse_args()
    if wish.host:
        WEIGHTS["host"] = wish.host
    load_rules(made=wish.compile)
    begun, whole, first = time.perf_counter(), GameReport(), dict[str, str]()
    for seed in range(wish.seed, wish.seed + wish.games):
        result = play(seed, wish.steps, wish.but.split(","), wish.all)
        whole.add(result)
        for step, finding in result.found:
            if finding.kind not in first:
                first[finding.kind] = f"seed {seed}, step {step}, {finding}"
                print(first[finding.kind], flush=True)
        gc.collect()
        so_far = f"{whole.steps} in all, {whole.steps / (time.perf_counter() - begun):.0f} a second"
        print(f"game {seed}: {result.steps} steps, {result.trail:08x}; {so_far}", flush=True)
        if result.found and not wish.all:
            print("\n".join(["The last things that were done:", *result.latest]))
            break
    print(f"{whole.steps} steps of {whole.acts} acts: {dict(whole.did.most_common())}")
    print(f"refused: {dict(whole.refusals.most_common())}")
    print(f"warnings: {dict(whole.warnings.most_common())}")
    print(f"found: {len(first)} kinds of findings" if first else "Nothing was found.")
    sys.exit(1 if first else 0)


if __name__ == "__main__":
    main()

"""A fuzzer of people: they do whatever persons can do at tables, in any order, and what must be so is so after each step.

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
import logging
import random
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import ziggurat
from tests.server.migrated import lay
from tests.server.people_checks import KINDS, Checks, Finding, Log
from tests.server.people_world import PLAIN, Answer, Browser, Human, Live, Loop, Watch, World, any_move, midway, ruled
from tests.server.player import Json

from ziggurat.core.runtime import is_compiled, prepare
from ziggurat.server.verbs.deal import day_of
from ziggurat.server.verbs.table import Seat, Table

STEPS = 600
"""Of a game."""
LATEST = 25
"""Actions that are told with a finding."""
NAMES = ("Ann", "Bob", "Cat", "Dan", "Mallory")
ADDRESSES = ("192.0.2.1", "192.0.2.1", "192.0.2.3", "192.0.2.4", "198.51.100.6")
"""Ann and Bob live together."""
WEIGHTS = {
    **{"move": 26, "moves": 2, "undo": 8, "answer_undo": 8, "ask_end": 3, "ask_pause": 3, "vote": 10, "resume": 3},
    **{"stand_in": 4, "back": 3, "vacation": 2, "stay_away": 3, "connect": 6, "disconnect": 5, "slow": 1, "ask": 2},
    **{"make": 8, "sit": 10, "seat": 1, "start": 4, "leave": 3, "rematch": 2, "again": 1, "hand": 3, "keep": 1},
    **{"wait": 14, "pipeline": 3, "repeat": 0.6, "used_id": 2, "not_asked": 2, "stranger": 2, "look": 5},
    **{"me": 2, "way_back": 2, "sign_in": 3, "sign_out": 1, "forget": 0.3, "plant": 1, "way": 2, "day": 4},
}
"""How often what is done."""
CLOCKS = ("live", "live", "days", "")
REPEATED = ("undo_answer", "ask_end", "ask_pause", "by_hand", "away", "undo", "vote")
"""What is done again and again."""


@dataclass
class Result:
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


class Game:
    """People before a server."""

    def __init__(self, world: World, checks: Checks, chance: random.Random) -> None:
        self.world, self.checks, self.chance = world, checks, chance
        self.people = [Human(name) for name in NAMES]
        for human, address in zip(self.people, ADDRESSES, strict=True):
            human.browsers = [Browser(human, address, https=chance.random() < 0.2) for _ in range(2)]
        self.mallory = self.people[-1]
        # Each game is another one: of all that may be done some is done often, and some hardly ever.
        self.weights = [weight * chance.choice([0.3, 1, 1, 1, 3]) for weight in WEIGHTS.values()]
        self.favourite, self.clocks = chance.choice([*ziggurat.games()]), chance.choice(CLOCKS)
        self.said: deque[str] = deque(maxlen=LATEST)
        self.result = Result()
        self.offers: list[tuple[str, str]] = []
        """Tables and the secrets by which a seat there can be taken."""
        self._ids = 0

    # --- Who does something, and where ---

    def tell(self, what: str, answer: Answer | str | None = None) -> bool:
        """Note what was done, and how it was answered."""
        self.result.acts += 1
        came = answer.code or answer.status if isinstance(answer, Answer) else answer
        self.said.append(f"{what}: {came}" if came else what)
        self.result.trail = hash((self.result.trail, *map(ord, self.said[-1]))) & 0xFFFFFFFFFFFF
        return True

    def anybody(self) -> Browser:
        """Return a browser."""
        return self.chance.choice(self.chance.choice(self.people).browsers)

    def browser_of(self, person: str | None) -> Browser | None:
        """Return a browser in which somebody is."""
        found = [one for human in self.people for one in human.browsers if self.checks.person_of(one) == person]
        return self.chance.choice(found) if found and person is not None else None

    def table(self, fits: Callable[[Table], Any]) -> Table | None:
        """Return a table, one of the later ones rather than of those before."""
        found = [table for table in self.checks.tables.values() if fits(table)]
        return found[max(self.chance.randrange(len(found)) for _ in range(2))] if found else None

    def player(self, fits: Callable[[Table, Seat], Any]) -> tuple[Table, Seat, Browser] | None:
        """Return somebody at a running table, and the browser in which they are."""

        def some(table: Table) -> list[Seat]:
            return [seat for seat in table.seats if seat.person and fits(table, seat)]

        table = self.table(lambda table: table.status == "playing" and some(table))
        seat = self.chance.choice(some(table)) if table is not None else None
        browser = self.browser_of(seat.person) if seat is not None else None
        return (table, seat, browser) if table and seat and browser else None

    async def live(self, table: str, browser: Browser, invite: str = "") -> Live:
        """Return a socket of a browser's at a table, perhaps a new one."""
        person = self.checks.person_of(browser)
        for live in self.world.lives:
            if (live.table, live.browser, live.person) == (table, browser, person):
                return live
        return await self._opened(table, browser, invite)

    async def _opened(self, table: str, browser: Browser, invite: str = "") -> Live:
        live = await self.world.connect(browser, self.checks.person_of(browser), table, invite)
        live.say(type="hello", since=None)
        await self.world.idle()
        return live

    def id(self) -> str:
        """Return an id for a message."""
        self._ids += 1
        return f"m{self._ids}"

    async def deed(self, live: Live, **message: Any) -> bool:
        """Have something done over a socket; what is refused must change nothing."""
        id = message.setdefault("id", self.id())
        live.say(**message)
        await self.world.idle()
        code = live.answers.get(id, "not answered")
        done = [change for table, change in self.checks.changes if table == live.table and change.client_id == id]
        self.checks.must(not code or not done or code == "not answered", "refused", f"{message}: {code}, {done}")
        words = " ".join(f"{value}" for value in message.values())
        return self.tell(f"{live.browser.human.name} at {live.table}: {words[:60]}", code or "done")

    async def http(self, browser: Browser, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Ask for something; what is refused must change nothing, and a new token is looked at."""
        before = len(self.checks.changes)
        answer = await self.world.http(browser, method, path, body, **headers)
        if answer.status >= 400:
            done = [change.kind for _, change in self.checks.changes[before:] if change.seat is not None]
            self.checks.must(not set(done) - {"move"}, "refused", f"{method} {path}: {answer.code}, {done}")
        self.tell(f"{browser.human.name} {'https ' * browser.https}{method} {path} {body or ''}"[:120], answer)
        if answer.given:
            if browser.token in self.checks.tokens:
                await self.checks.who_is(browser.token)
            await self.world.idle()
        return answer

    async def everybody_is_who_they_are(self) -> None:
        """After somebody has come, gone or become another: whoever knows a token is whose it may be."""
        for token, known in [*self.checks.tokens.items()]:
            if not known.dead or self.chance.random() < 0.1:
                await self.checks.who_is(token)

    # --- Tables come and go ---

    def _clock(self) -> Json | None:
        chance = self.chance
        clock: Json = {"then": chance.choice(["bot", "bot", "ask", "nothing"])}
        kind = self.clocks if chance.random() < 0.6 else chance.choice(CLOCKS)
        if kind == "live":
            return {"kind": kind, "reserve": chance.choice([0, 0, 30, 120]), "step": chance.choice([3, 3, 30]), **clock}
        clock |= {"reserve": chance.choice([0, 86_400]), "step": chance.choice([3600, 7 * 3600])}
        clock |= {"nights": chance.random() < 0.5, "vacation": chance.choice([0, 3])}
        return {"kind": kind, **clock} if kind else None

    async def make(self) -> bool:
        """Make a table, for oneself alone, for friends, or without oneself."""
        chance, browser = self.chance, self.anybody()
        game = ziggurat.game(self.favourite if chance.random() < 0.7 else chance.choice([*ziggurat.games()]))
        seats = chance.randint(max(2, game.min_players), max(2, game.min_players, min(3, game.max_players)))
        others = [chance.choice(["open", "open", "open", "random", "builder"]) for _ in range(seats - 1)]
        wishes = [{"kind": "me" if chance.random() < 0.95 else "open"}]
        wishes += [{"kind": "open"} if one == "open" else {"kind": "bot", "bot": one} for one in others]
        body = {"game": game.id, "seats": wishes, "pace": chance.choice(["instant", "calm"]), "patience": 15}
        body |= {"hints": chance.random() < 0.3, "time": self._clock(), "zone": chance.choice(["", "Europe/Budapest"])}
        if chance.random() < 0.35:
            body["scenario"] = midway(game.id, seats, chance.randrange(6))
        answer = await self.http(browser, "POST", "/api/tables", body)
        if answer.status == 201:
            await self.live(answer.json["id"], browser)
            for _ in range(chance.randint(0, seats)):
                await self.sit()
        return True

    async def sit(self) -> bool:
        """Follow an invitation and sit down, or only look on."""
        table = self.table(lambda table: table.status == "waiting" and table.invite)
        if table is None:
            return False
        browser = self.anybody()
        for known in (table.id, table.invite or ""):
            self.checks.given[known].add(browser.human)
        if self.chance.random() < 0.1:
            await self._opened(table.id, browser, table.invite or "")
            return self.tell(f"{browser.human.name} looks on at {table.id}")
        name = browser.human.name + self.chance.choice(["", " of the house"])
        wish: Json = {"invite": table.invite, "name": name, "zone": self.chance.choice(["", "Europe/London"])}
        answer = await self.http(browser, "POST", f"/api/tables/{table.id}/join", wish)
        if answer.status == 200 and self.chance.random() < 0.8:
            await self.live(table.id, browser)
            if all(seat.kind != "open" for seat in self.checks.tables[table.id].seats):
                await self._start(self.checks.tables[table.id])
                if self.chance.random() < 0.4 and self.checks.tables[table.id].status == "playing":
                    await self._play_on(self.checks.tables[table.id])
        return True

    async def _start(self, table: Table, browser: Browser | None = None) -> bool:
        browser = browser or self.browser_of(table.host)
        if browser is None:
            return False
        await self.http(browser, "POST", f"/api/tables/{table.id}/start")
        return True

    async def start(self) -> bool:
        """Begin, who may and who may not."""
        table = self.table(lambda table: table.status == "waiting")
        return table is not None and await self._start(table, self.chance.choice([None, None, self.anybody()]))

    async def seat(self) -> bool:
        """Change a seat in a waiting room, a person's as well."""
        table = self.table(lambda table: table.status == "waiting")
        browser = self.browser_of(table.host) if table is not None else None
        if table is None or browser is None:
            return False
        kind = self.chance.choice([{"kind": "open"}, {"kind": "bot", "bot": "random"}])
        wish = {"seat": self.chance.randrange(len(table.seats)), **kind}
        await self.http(
            self.chance.choice([browser, browser, self.anybody()]), "POST", f"/api/tables/{table.id}/seats", wish
        )
        return True

    async def leave(self) -> bool:
        """Get up."""
        table = self.table(lambda table: table.status in ("waiting", "playing") and any(s.person for s in table.seats))
        if table is None:
            return False
        browser = self.browser_of(self.chance.choice([seat.person for seat in table.seats if seat.person]))
        if browser is None:
            return False
        await self.http(browser, "POST", f"/api/tables/{table.id}/leave")
        return True

    async def rematch(self) -> bool:
        """Play again with the same people, whoever asks for it."""
        table = self.table(lambda table: table.over)
        if table is None:
            return False
        members = [*(seat.person for seat in table.seats if seat.person), table.host]
        browser = self.browser_of(self.chance.choice(members)) or self.anybody()
        await self.http(browser, "POST", f"/api/tables/{table.id}/rematch")
        return True

    async def again(self) -> bool:
        """End and begin again, as often as one is let."""
        found = self.player(lambda table, seat: sum(bool(other.person) for other in table.seats) == 1)
        if found is None:
            return False
        table, _, browser = found
        for _ in range(self.chance.randint(2, 9)):
            await self.deed(await self.live(table.id, browser), type="ask_end")
            answer = await self.http(browser, "POST", f"/api/tables/{table.id}/rematch")
            if answer.status != 200:
                break
            table = self.checks.tables[answer.json["id"]]
        return True

    async def hand(self) -> bool:
        """Hand a seat on, or take one that is handed on."""
        secret: str | None = None
        if self.offers and self.chance.random() < 0.6:
            (id, secret), browser = self.chance.choice(self.offers), self.anybody()
            self.checks.given[id].add(browser.human)
            await self.http(browser, "GET", f"/api/tables/{id}/take", x_invite=secret)
            await self.http(
                browser, "POST", f"/api/tables/{id}/take", {"secret": secret, "name": browser.human.name + " II"}
            )
            return True
        table = self.table(lambda table: table.status in ("waiting", "playing") and any(s.person for s in table.seats))
        person = self.chance.choice([s.person for s in table.seats if s.person]) if table is not None else None
        browser_of = self.browser_of(person)
        if table is None or browser_of is None:
            return False
        answer = await self.http(browser_of, "POST", f"/api/tables/{table.id}/hand")
        if answer.status == 200:
            self.offers.append((table.id, answer.json["secret"]))
            self.checks.hidden[answer.json["secret"]] = "a seat's link"
        return True

    async def keep(self) -> bool:
        """Keep a seat after all."""
        found = self.player(lambda table, seat: any(id == table.id for id, _ in self.offers))
        if found is None:
            return False
        await self.http(found[2], self.chance.choice(["GET", "DELETE"]), f"/api/tables/{found[0].id}/hand")
        return True

    # --- Sockets ---

    async def connect(self) -> bool:
        """Open a table, also in a second window."""
        found = self.player(lambda table, seat: True)
        if found is None:
            return False
        table, seat, browser = found
        live = await self._opened(table.id, browser)
        now = self.checks.tables[table.id]
        told = msgspec.json.decode(live.update) if live.update else {"seq": 0}
        if told["seq"] == now.seq and now.position is not None:
            sees = msgspec.json.decode(msgspec.json.encode(now.position.view(seat.seat)))
            self.checks.must(told["view"] == sees, "secret", f"{browser.human.name} sees another's view of {table.id}")
        return self.tell(f"{browser.human.name} opens {table.id}")

    async def disconnect(self) -> bool:
        """Close one window, or all."""
        if not self.world.lives:
            return False
        one = self.chance.choice(self.world.lives)
        for live in [live for live in self.world.lives if live is one or self.chance.random() < 0.1]:
            live.leave()
        await self.world.idle()
        return self.tell(f"{one.browser.human.name} closes {one.table}")

    async def slow(self) -> bool:
        """Read nothing for a while, or read on."""
        for live in self.world.lives:
            live.read_on(self.chance.random() < 0.1)
        await self.world.idle()
        return self.tell("some read slowly")

    # --- Playing ---

    async def move(self) -> bool:
        """Make a move, or answer that one is another's."""
        found = self.player(lambda table, seat: seat.plays and seat.seat in table.actors)
        if found is None:
            return False
        table, seat, browser = found
        return await self._moves(await self.live(table.id, browser), seat.seat)

    async def _moves(self, live: Live, seat: int) -> bool:
        """Make a move, and perhaps want it back at once, above all where others have no choice what to answer."""
        await self.deed(live, **self._move(self.checks.tables[live.table], seat))
        table = self.checks.tables[live.table]
        forced = any(other != seat and table.position and table.position.forced(other) for other in table.people_due)
        if self.chance.random() < (0.5 if forced else 0.1):
            await self.deed(live, type="undo")
        return True

    def _move(self, table: Table, seat: int) -> Json:
        assert table.position is not None
        acts = table.status == "playing" and seat in table.position.actors
        steps = any_move(table.position, seat, self.chance) if acts else [0]
        for _ in range(5 * acts * (self.chance.random() < 0.4)):  # rather one after which others have no choice
            ahead = table.position.copy()
            ahead.play_all(seat, steps)
            if any(ahead.forced(other) is not None for other in ahead.actors if table.seats[other].plays):
                break
            steps = any_move(table.position, seat, self.chance)
        if self.chance.random() < 0.03:
            steps = self.chance.choice([steps[:-1] or [1], [*steps, steps[0]], [10**6]])
        seq = table.seq if self.chance.random() < 0.95 else self.chance.randint(0, table.seq + 1)
        return {"type": "move", "id": self.id(), "seq": seq, "steps": steps}

    async def moves(self) -> bool:
        """Come back to a table, all who sit there, and play on for a while."""
        table = self.table(lambda table: table.status == "playing" and any(seat.person for seat in table.seats))
        return table is not None and await self._play_on(table)

    async def _play_on(self, table: Table) -> bool:
        for seat in table.seats:
            browser = self.browser_of(seat.person)
            if browser is not None and self.chance.random() < 0.9:
                live = await self.live(table.id, browser)
                if seat.bot is not None or seat.away:
                    await self.deed(live, type="back")
        for _ in range(self.chance.randint(3, 15)):
            table = self.checks.tables[table.id]
            seat = next((table.seats[one] for one in table.people_due), None)
            browser = self.browser_of(seat.person) if seat is not None else None
            if browser is None or seat is None:
                break
            await self._moves(await self.live(table.id, browser), seat.seat)
            await self._pass(self.chance.uniform(0.1, 1.5))
        return True

    async def _say(self, fits: Callable[[Table, Seat], Any], **message: Any) -> bool:
        found = self.player(fits)
        return found is not None and await self.deed(await self.live(found[0].id, found[2]), **message)

    async def undo(self) -> bool:
        """Take a move back, or ask for it; most often whoever has just moved."""
        just = self.chance.random() < 0.7
        return await self._say(lambda table, seat: not just or table.changes[-1].seat == seat.seat, type="undo")

    async def answer_undo(self) -> bool:
        """Agree to an undo or not, also once more, or withdraw it."""
        return await self._answer("undo_answer", lambda table: table.undo)

    async def _answer(self, kind: str, asked: Callable[[Table], Any]) -> bool:
        found = self.player(lambda table, _: asked(table) is not None)
        if found is None:
            return False
        live = await self.live(found[0].id, found[2])
        await self.deed(live, type=kind, agree=self.chance.random() < 0.7)
        if self.chance.random() < 0.3:
            await self.deed(live, type=kind, agree=self.chance.random() < 0.7)
        return True

    async def ask_end(self) -> bool:
        """Ask to end the game."""
        return await self._say(lambda table, _: table.deal is None, type="ask_end")

    async def ask_pause(self) -> bool:
        """Ask for a pause."""
        seconds = self.chance.choice([60, 3600, 0])
        return await self._say(lambda table, _: table.time is not None, type="ask_pause", seconds=seconds)

    async def vote(self) -> bool:
        """Answer what is asked, also once more, or withdraw it."""
        return await self._answer("vote", lambda table: table.vote)

    async def resume(self) -> bool:
        """End a pause."""
        return await self._say(lambda table, _: table.paused, type="resume")

    async def stand_in(self) -> bool:
        """Want a bot to play for somebody."""

        def gone(table: Table) -> list[int]:
            return [seat.seat for seat in table.seats if seat.kind == "human" and seat.bot is None]

        found = self.player(lambda table, seat: len(gone(table)) > 1)
        if found is None:
            return False
        seat = self.chance.choice(gone(found[0]))
        return await self.deed(await self.live(found[0].id, found[2]), type="stand_in", seat=seat)

    async def back(self) -> bool:
        """Play again instead of the bot."""
        return await self._say(lambda _, seat: seat.bot is not None or seat.away, type="back")

    async def vacation(self) -> bool:
        """Take days off, or come back from them."""
        days = self.chance.choice([0, 1, 2, 40])
        return await self._say(lambda table, _: table.time and table.time.control.vacation, type="vacation", days=days)

    async def stay_away(self) -> bool:
        """Close all windows of a table and stay away for longer than the others are patient; they may let a bot play."""
        found = self.player(lambda table, seat: seat.plays)
        if found is None:
            return False
        table, seat, browser = found
        for live in [live for live in self.world.lives if (live.table, live.person) == (table.id, seat.person)]:
            live.leave()
        await self._pass(self.chance.choice([16.0, 16.0, 400.0]))
        self.tell(f"{browser.human.name} is gone from {table.id}")
        for other in self.checks.tables[table.id].seats:
            theirs = self.browser_of(other.person)
            if other is not seat and theirs is not None and self.chance.random() < 0.8:
                await self.deed(await self.live(table.id, theirs), type="stand_in", seat=seat.seat)
        return True

    async def ask(self) -> bool:
        """Ask for a hint, for what a move would do, and what a piece is."""
        found = self.player(lambda table, seat: table.position is not None)
        if found is None:
            return False
        table, seat, browser = found
        live = await self.live(table.id, browser)
        table = self.checks.tables[table.id]
        if table.position is None or table.status != "playing":
            return False
        about = {"type": "about", "pieces": [self.chance.choice(table.position.named)]}
        preview = {"type": "preview", "seq": table.seq, "steps": self._move(table, seat.seat)["steps"][:1]}
        await self.deed(live, **self.chance.choice([about, preview, {"type": "hint", "seq": table.seq}]))
        return True

    async def pipeline(self) -> bool:
        """Say several things at once, several people too."""
        found = self.player(lambda table, seat: seat.plays)
        if found is None:
            return False
        table = found[0]
        lives = [await self.live(table.id, one) for s in table.seats if (one := self.browser_of(s.person))]
        table = self.checks.tables[table.id]
        for _ in range(self.chance.randint(2, 6)):
            live = self.chance.choice(lives)
            seat = table.seat_of(live.person)
            asking = [{"type": "undo"}, {"type": "ask_end"}, {"type": "resume"}, {"type": "ask_pause", "seconds": 60}]
            answering = [{"type": kind, "agree": agree} for kind in ("vote", "undo_answer") for agree in (True, False)]
            move = [self._move(table, seat.seat)] * 4 if seat is not None and table.position is not None else []
            message = {"id": self.id(), **self.chance.choice([*asking, *answering, *move])}
            live.say(**message)
            self.tell(f"{live.browser.human.name} at {table.id} at once: {message['type']}")
        await self.world.idle()
        return True

    async def repeat(self) -> bool:
        """Do one thing, or two that take each other back, again and again."""
        found = self.player(lambda table, seat: seat.plays)
        if found is None:
            return False
        table, seat, browser = found
        times, live = self.chance.choice([8, 8, 30, 30, 250]), await self.live(table.id, browser)
        wish = self.chance.choice(REPEATED)
        self.tell(f"{browser.human.name} repeats {wish} {times} times at {table.id}")
        for number in range(times):
            if wish == "by_hand":
                await self.http(browser, "PUT", "/api/me", {"by_hand": number % 2 == 0})
            elif wish == "away":
                await self.http(browser, "POST", f"/api/tables/{table.id}/leave")
                await self.deed(live, type="back")
            elif wish == "undo":
                await self.deed(live, **self._move(self.checks.tables[table.id], seat.seat))
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
        return True

    async def used_id(self) -> bool:
        """Use an id once more, that of the same message or another's."""
        found = self.player(lambda table, seat: True)
        if found is None:
            return False
        used = [(id, said) for (table, id), all in self.checks.said.items() if table == found[0].id for _, said in all]
        if not used:
            return False
        (id, said), live = self.chance.choice(used[-12:]), await self.live(found[0].id, found[2])
        other = {"type": self.chance.choice(["undo", "ask_end", "resume", "back"])}
        live.say(**{**self.chance.choice([said, other]), "id": id})
        await self.world.idle()
        return self.tell(f"{found[2].human.name} uses {id} again at {found[0].id}", live.answers.get(id))

    async def not_asked(self) -> bool:
        """Answer what one was not asked, say what one is no party to."""
        table = self.table(lambda table: table.status == "playing")
        if table is None:
            return False
        live = await self.live(table.id, self.anybody())
        says: list[Json] = [
            {"type": kind, "agree": agree} for kind in ("vote", "undo_answer") for agree in (True, False)
        ]
        says += [{"type": "resume"}, {"type": "back"}, {"type": "stand_in", "seat": 0}, {"type": "undo"}]
        return await self.deed(live, **self.chance.choice(says))

    async def stranger(self) -> bool:
        """Try to open what is not one's own."""
        table = self.table(lambda table: True)
        if table is None:
            return False
        browser, kind = self.chance.choice(self.mallory.browsers), self.chance.choice(["GET", "POST", "live"])
        member = table.is_member(self.checks.person_of(browser)) or self.mallory in self.checks.given[table.id]
        if kind == "live":
            live = await self.world.connect(browser, self.checks.person_of(browser), table.id)
            self.checks.must(member or live.ended, "secret", f"Mallory is let in at {table.id}")
            live.leave()
            await self.world.idle()
            return self.tell(f"Mallory opens {table.id}")
        path = self.chance.choice(
            ["", "/history", "/replay", "/hand"] if kind == "GET" else ["/rematch", "/start", "/hand"]
        )
        answer = await self.http(browser, kind, f"/api/tables/{table.id}{path}")
        self.checks.must(
            member or answer.status >= 400, "secret", f"Mallory gets {path} of {table.id}: {answer.status}"
        )
        return True

    async def look(self) -> bool:
        """Look at what is mine: tables, whose turn it is, everything, and games that are over."""
        browser, table = self.anybody(), self.table(lambda table: table.over)
        mine = ["/api/tables", "/api/turns", "/api/me", "/api/me/account", "/api/me/everything"]
        if table is not None and self.chance.random() < 0.5:
            browser = self.browser_of(self.chance.choice(table.seats).person) or browser
            seq = table.story()[-1].seq if table.story() else 1
            mine = [f"/api/tables/{table.id}{part}" for part in ("", "/history", "/replay", f"/review/{seq}")]
        await self.http(browser, "GET", self.chance.choice(mine))
        return True

    async def wait(self) -> bool:
        """Let time pass."""
        kind = self.chance.choices(
            [(1, 8), (10, 90), (120, 900), (3600, 5 * 3600), (86_400, 86_400)], [50, 30, 12, 5, 3]
        )
        seconds = self.chance.uniform(*kind[0])
        await self._pass(seconds)
        return self.tell(f"{seconds:.1f} s pass")

    async def _pass(self, seconds: float) -> None:
        await self.world.pass_time(
            seconds, lambda: [tick for table in self.checks.tables.values() if (tick := table.tick) is not None]
        )

    # --- Who somebody is ---

    async def me(self) -> bool:
        """Say a name, or who gives forced answers, or come by the other way."""
        browser = self.anybody()
        if self.chance.random() < 0.3:
            browser.https = not browser.https
        wish: Json = self.chance.choice([{"by_hand": self.chance.random() < 0.5}, {"name": browser.human.name}])
        await self.http(browser, "PUT", "/api/me", wish)
        return True

    async def way_back(self) -> bool:
        """Make codes or a link by which one comes back."""
        browser, codes = self.anybody(), self.chance.random() < 0.6
        answer = await self.http(browser, "POST", "/api/me/codes" if codes else "/api/me/link")
        person = self.checks.person_of(browser)
        if answer.status != 200 or person is None:
            return True
        made: list[str] = answer.json["codes"] if codes else [answer.json["secret"]]
        self.checks.hidden |= dict.fromkeys(made, "a way back")
        (browser.human.codes if codes else browser.human.links).extend(made[:3])
        if codes:  # who has a way back is somebody for sure
            self.checks.has_way_back(browser.human, person, answer.sent)
            await self.everybody_is_who_they_are()
        return True

    async def sign_in(self) -> bool:
        """Come back by a code or a link of one's own, or guess one; rarely by a friend's."""
        browser = self.anybody()
        whose = (
            browser.human
            if self.chance.random() < 0.9 or browser.human is self.mallory
            else self.chance.choice(self.people)
        )
        ways = whose.codes + whose.links
        secret = self.chance.choice(ways) if ways and self.chance.random() < 0.95 else "abcd-efgh-jkmn"
        answer = await self.http(browser, "POST", "/api/sign-in", {"secret": secret})
        if answer.status == 200:
            self.checks.signed_in(browser, answer.json["id"], answer.sent)
            await self.world.idle()
            await self.everybody_is_who_they_are()
        return True

    async def sign_out(self) -> bool:
        """Sign out here, or everywhere else."""
        browser, which = self.anybody(), self.chance.choice(["here", "others", "others", "nonsense"])
        person = await self.checks.who_is(browser.token) if browser.token in self.checks.tokens else None
        await self.everybody_is_who_they_are()
        mine = self.checks.ask_who(person) if person is not None else []
        answer = await self.http(browser, "DELETE", f"/api/me/devices/{which}")
        if answer.status == 204:
            for token in mine:
                if (token is self.checks.tokens[answer.sent]) == (which == "here"):
                    token.dead = f"signed out by {browser.human.name}"
            await self.everybody_is_who_they_are()
        return True

    async def forget(self) -> bool:
        """Be forgotten."""
        browser = self.anybody()
        person = await self.checks.who_is(browser.token) if browser.token in self.checks.tokens else None
        await self.everybody_is_who_they_are()
        mine = self.checks.ask_who(person) if person is not None else []
        answer = await self.http(browser, "DELETE", "/api/me")
        if answer.status == 204:
            for token in mine:
                token.dead = f"forgotten by {browser.human.name}"
            await self.everybody_is_who_they_are()
        return True

    async def plant(self) -> bool:
        """Mallory puts a cookie into somebody's browser, or her own: one that she has had."""
        if not self.mallory.tokens:
            return False
        token = self.chance.choice(self.mallory.tokens[-3:])
        browser = self.chance.choice(self.chance.choice(self.people).browsers)
        person = await self.checks.who_is(token)
        browser.jar[PLAIN] = token
        self.checks.tokens[token].known.add(browser.human)
        if person is not None:
            self.checks.legit[person].add(browser.human)
        self.tell(f"Mallory plants a token of {person} into a browser of {browser.human.name}")
        if self.chance.random() < 0.5 and (browser.human.codes or browser.human.links):
            secret = self.chance.choice(browser.human.codes + browser.human.links)
            answer = await self.http(browser, "POST", "/api/sign-in", {"secret": secret})
            if answer.status == 200:
                self.checks.signed_in(browser, answer.json["id"], answer.sent)
                await self.everybody_is_who_they_are()
        return True

    async def way(self) -> bool:
        """Come by the other way: http or https."""
        browser = self.anybody()
        browser.https = not browser.https
        await self.http(browser, "GET", "/api/me")
        return True

    async def day(self) -> bool:
        """Look at the day's deals, play today's or an earlier one."""
        browser, game = self.anybody(), self.chance.choice([*ziggurat.games()])
        today = day_of(self.world.watch.time())
        days = [today.fromordinal(today.toordinal() - ago) for ago in (0, 0, 0, 1, 1, 2, -1)]
        day, what = self.chance.choice(days), self.chance.choice(["/api/day", f"/api/day/{game}", "", "", ""])
        if what:
            await self.http(browser, "GET", what)
            return True
        answer = await self.http(browser, "POST", f"/api/day/{game}", {"day": f"{day}", "pace": "instant"})
        if answer.status == 201:
            await self.live(answer.json["id"], browser)
            for _ in range(self.chance.choice([0, 3, 3, 120])):
                table = self.checks.tables[answer.json["id"]]
                seat = table.seat_of(self.checks.person_of(browser))
                if seat is None or seat.seat not in table.actors:
                    break
                await self.deed(await self.live(table.id, browser), **self._move(table, seat.seat))
        return True

    # --- Step by step ---

    async def step(self) -> str:
        """Do something, and look whether all is as it must be; return what was done."""
        self.checks.changes.clear()
        while True:
            name = self.chance.choices([*WEIGHTS], self.weights)[0]
            action: Callable[[], Awaitable[bool]] = getattr(self, name)
            if await action():
                break
        await self.world.idle()
        await self._pass(self.chance.uniform(0.1, 2.0))
        if self.checks.tokens and self.chance.random() < 0.3:
            await self.checks.who_is(self.chance.choice([*self.checks.tokens]))
        if self.result.steps % 50 == 49:
            self.checks.redealt()
        return name

    async def play(self, steps: int, over: set[str], on: bool) -> None:
        """Take so many steps, or as many as it takes until something is found that is not passed over."""
        for browser in [human.browsers[0] for human in self.people]:
            await self.http(browser, "PUT", "/api/me", {"name": browser.human.name})
        while self.result.steps < steps:
            name = await self.step()
            self.result.did[name] += 1
            self.result.steps += 1
            news = [one for one in self.checks.found if one.kind not in over]
            self.checks.found.clear()
            if news and not self.result.found:
                self.result.latest = [*self.said]
            self.result.found += [(self.result.steps, one) for one in news]
            if news and not on:
                return


def load_rules() -> None:
    """Have compiled rules played by where they are compiled already: the same games, sooner."""
    for game in ziggurat.games().values():
        if is_compiled(game):
            prepare(game)


def play(seed: int, steps: int = STEPS, over: set[str] | None = None, on: bool = False) -> Result:
    """Play one game; `over`: kinds of findings that are passed over; `on`: go on after a finding."""
    watch = Watch()
    chance, result = random.Random(f"people {seed}"), Result()

    async def run(folder: Path, loop: Loop) -> None:
        nonlocal result
        world = World(folder, chance, watch, loop)
        async with world.open():
            checks = Checks(world, random.Random(f"checks {seed}"))
            log = Log(checks)
            logging.getLogger().addHandler(log)
            game = Game(world, checks, chance)
            result = game.result
            try:
                await game.play(steps, over or set(), on)
            finally:
                logging.getLogger().removeHandler(log)
                result.refusals, result.warnings = checks.refusals, checks.warnings
                result.latest = result.latest or [*game.said]

    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder))
        with ruled(f"{seed}", watch):
            loop = Loop(watch)
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(run(Path(folder), loop))
    return result


def main() -> None:
    """Play games, and say what was done and found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others have those after it")
    parser.add_argument("--steps", type=int, default=STEPS, help="of each game")
    parser.add_argument("--all", action="store_true", help="go on after a finding; tell the first of each kind")
    parser.add_argument("--but", default="", metavar="KINDS", help=f"pass these over: {', '.join(KINDS)}")
    wish = parser.parse_args()
    load_rules()
    begun, whole = time.perf_counter(), Result()
    first: dict[str, str] = {}
    for seed in range(wish.seed, wish.seed + wish.games):
        result = play(seed, wish.steps, set(wish.but.split(",")), wish.all)
        whole.steps += result.steps
        whole.acts += result.acts
        for mine, theirs in (
            (whole.did, result.did),
            (whole.refusals, result.refusals),
            (whole.warnings, result.warnings),
        ):
            mine.update(theirs)
        for step, finding in result.found:
            if finding.kind not in first:
                first[finding.kind] = f"seed {seed}, step {step}, {finding}"
                print(first[finding.kind], flush=True)
        gc.collect()
        rate = whole.steps / (time.perf_counter() - begun)
        print(
            f"game {seed}: {result.steps} steps, {result.trail:012x}; {whole.steps} in all, {rate:.0f} a second",
            flush=True,
        )
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

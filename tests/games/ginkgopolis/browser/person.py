"""Somebody who plays Ginkgopolis by clicking."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from playwright.sync_api import Locator
from tests.browser.person import Json, Person
from tests.games.ginkgopolis.browser.prepared import MARKER, best_cell, best_use


class Ginkgopolis(Person):
    """Builds in three rounds of four if there is a tile for it, and else gathers what is missing."""

    game = "ginkgopolis"
    rather: Collection[str] = ()
    """What is done with a card if it can be."""

    def called(self, seat: int) -> str:
        """The name of an owner, as the page says it."""
        view, seats = self.state["view"], self.state["table"]["seats"]
        if view["builders"][seat]["hal"]:
            return self.say("label.neutral")
        bot = seats[seat]["bot"]
        if not bot:
            return str(seats[seat]["name"])
        bots = [one["seat"] for one in seats if one["kind"] == "bot"]
        alike = [one for one in seats if one["bot"] == bot]
        # Several of a kind have names of their own.
        return self.say(f"ui.bot.{bot}" if len(alike) == 1 else f"ui.bot.name.{bots.index(seat) + 1}")

    def picture(self) -> list[str]:
        return [self.page.get_by_role("main").aria_snapshot()]

    # --- What others have ---

    def details(self, name: str) -> Locator:
        """Everything that is known of somebody, when it is opened."""
        return self.page.get_by_role("dialog", name=name, exact=True)

    def opens(self, seat: int, inside: Locator | None = None) -> Locator:
        """What opens everything that is known of somebody else."""
        name = self.say("label.tableau_of", self.called, seat=seat)
        return (inside or self.page).get_by_role("button", name=name, exact=True)

    @property
    def counted(self) -> Locator:
        """The lines of the log in which districts were counted."""
        titles = (re.escape(self.say("district.title", colour=colour)) for colour in ("red", "yellow", "blue"))
        log = self.page.get_by_role("list", name=self.say("ui.table.log"), exact=True)
        return log.get_by_role("button", name=re.compile("|".join(titles)))

    # --- What is one's own ---

    @property
    def tableau(self) -> Locator:
        """What opens everything that is one's own: on a phone its sums."""
        name = re.compile(rf"^{re.escape(self.say('label.tableau'))}(:|$)")
        return self.page.get_by_role("button", name=name).first

    @property
    def you(self) -> int:
        """One's seat."""
        return int(self.state["view"]["seat"])

    @property
    def own(self) -> Json:
        view = self.state["view"]
        builder: Json = view["builders"][view["seat"]]
        return builder

    def card(self, card: str) -> Locator:
        """A card in the hand."""
        return self._in_hand(self.say("label.card", card=card), r"\. ")

    def tile(self, tile: str) -> Locator:
        """A tile behind the screen."""
        return self._in_hand(self.say("label.tile", tile=tile), ",")

    def _in_hand(self, words: str, more: str) -> Locator:
        name = re.compile(f"^{re.escape(words)}({more}|$)")
        return self.region("label.hand").get_by_role("button", name=name)

    @property
    def fresh(self) -> Locator:
        """What asks for a new hand, and says how often that can be asked."""
        name = re.compile(rf"^{re.escape(self.say('label.new_hand'))} \d+$")
        return self.region("label.hand").get_by_role("button", name=name)

    @property
    def characters(self) -> Locator:
        """Those that are passed round, one of which is kept."""
        return self.region("label.characters_draft").get_by_role("button")

    # --- The city ---

    @property
    def city(self) -> Locator:
        return self.page.get_by_role("group", name=self.say("label.city"), exact=True)

    @property
    def cells(self) -> Locator:
        """Buildings, markers and what may be chosen: from north to south, and there from west to east."""
        zoom = "|".join(re.escape(self.say(f"label.zoom_{key}")) for key in ("in", "out", "fit"))
        return self.city.get_by_role("button", name=re.compile(f"^(?!({zoom})$)"))

    def building(self, tile: str) -> Locator:
        """The building that shows a tile."""
        colour, number = tile.split()
        free = self.say("label.building_free", colour=colour, number=int(number), height=1)
        return self._cell(free.partition(",")[0], ",")

    def marker(self, letter: str) -> Locator:
        return self._cell(self.say("label.marker", marker=letter), ";")

    def _cell(self, words: str, more: str) -> Locator:
        return self.city.get_by_role("button", name=re.compile(f"^{re.escape(words)}({more}|$)"))

    def named(self, card: str) -> Locator:
        """The building, or the marker, that a card names."""
        return self.marker(card) if len(card) == 1 else self.building(card)

    @property
    def targets(self) -> list[tuple[Json, Locator]]:
        """Where a marker may go, or which one makes room; each as the choice and where it is touched."""
        choices = [choice for choice in self.legal if choice["type"] in MARKER]
        choices.sort(key=lambda choice: (-choice["y"], choice["x"]))
        moving = self.state["view"]["moving"]
        found = []
        nth = 0
        for choice in choices:
            if choice["type"] == "shift":
                words = self.say("label.shift_this", marker=choice["marker"])
                found.append((choice, self._target(words).first))
            else:
                found.append((choice, self._target(self.say("label.move_here", marker=moving)).nth(nth)))
                nth += 1
        return found

    def _target(self, words: str) -> Locator:
        return self.city.get_by_role("button", name=re.compile(re.escape(words)))

    @property
    def answers(self) -> list[Locator]:
        places = [self.say(key, marker="§") for key in ("label.move_here", "label.shift_this")]
        words = "|".join(re.escape(place).replace("§", "[A-L]") for place in places)
        targets = self.city.get_by_role("button", name=re.compile(words))
        return [self.characters, targets, self.region("label.hand").get_by_role("button")]

    # --- Moves ---

    def confirm(self, label: str, **args: Any) -> None:
        """Confirm the move, and wait until the page shows it: others may decide at the same time."""
        assert self.socket
        with self.socket.expect_event(
            "framereceived", lambda frame: json.loads(frame)["type"] in ("ack", "error")
        ) as told:
            self.press(self.button(label, self.bar, **args))
        answer = json.loads(told.value)
        assert answer["type"] == "ack", answer
        self.catch_up(answer["seq"])

    def play(self) -> str:
        """Decide once, as a whole; return what was done."""
        phase = str(self.state["view"]["phase"])
        if phase == "choose":
            card, use = best_use(self.state, self.rather)
            return self.play_card(card, use)
        if phase == "draft":
            self.press(self.characters.first)
            self.confirm("confirm.pick")
        elif phase == "good":
            self.confirm("confirm.take", good=self.legal[-1]["good"])
        elif phase == "marker":
            return self.move_marker(best_cell(self.state))
        else:
            self.give_back(*self.own["tiles"][:1])
        return phase

    def play_card(self, card: str, use: Json) -> str:
        """Lay a card down, alone or with a tile."""
        self.press(self.card(card))
        if use["tile"]:
            self.press(self.tile(use["tile"]))
            if use["payable"]:
                self.confirm(f"confirm.{use['kind']}")
            else:
                self.confirm("confirm.with_tile", card=card, tile=use["tile"])
        elif self.own["tiles"]:
            self.confirm("confirm.alone", card=card)
        else:
            self.confirm("confirm.exploit")
        return str(use["kind"])

    def move_marker(self, wanted: Json) -> str:
        """Put the marker there, or let another one make room."""
        self.press(next(place for choice, place in self.targets if choice["action"] == wanted["action"]))
        self.confirm(f"confirm.{wanted['type']}")
        return str(wanted["type"])

    def give_back(self, *tiles: str) -> None:
        each = self.state["decision"]["ask"]["args"]["points"]
        for tile in tiles:
            self.press(self.tile(tile))
        if tiles:
            self.confirm("confirm.return", count=len(tiles), points=each * len(tiles))
        else:
            self.confirm("confirm.done")

"""Somebody who plays Tower of Babel by clicking."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect
from tests.browser.person import Json, Person


class Babel(Person):
    """Builds what can nearly be paid, and offers two cards of what is asked for."""

    game = "babel"
    trades = False
    """Does the trade card go with every offer?"""
    idles = False
    """Is there nothing left to build for?"""

    def picture(self) -> list[str]:
        return [self.page.get_by_role("main").aria_snapshot()]

    # --- What lies on the table ---

    def disc(self, wonder: str, space: int) -> Locator:
        """A disc that can be chosen now."""
        site = self.page.get_by_role("region", name=self.say(f"wonder.{wonder}.title"), exact=True)
        wonders = {one["wonder"]: one["discs"] for one in self.state["view"]["wonders"]}
        needs = [f"{card} {count}" for card, count in wonders[wonder][space].items()]
        name = self.say("label.choose_disc", needs=needs, wonder=wonder)
        # Of equal ones each says where it lies.
        return site.get_by_role("button", name=re.compile(rf"^{re.escape(name)}(,|$)")).first

    def hand(self, card: str) -> Locator:
        """The cards of a type that are still in the hand."""
        count = self.say("label.count_of", count=0, card=card).partition("0")
        name = re.compile(rf"^{re.escape(count[0])}\d+{re.escape(count[2])}(,|$)")
        return self.region("label.hand").get_by_role("button", name=name)

    @property
    def ways(self) -> Locator:
        """The combinations of offers, and giving the build up."""
        return self.region("label.combinations").get_by_role("button")

    @property
    def answers(self) -> list[Locator]:
        words = self.say("label.choose_disc", needs=[], wonder="").partition(":")[0]
        discs = self.page.get_by_role("button", name=re.compile(f"^{re.escape(words)}:"))
        return [self.ways, discs, self.region("label.hand").get_by_role("button")]

    # --- Moves ---

    def play(self) -> str:
        """Decide once, as a whole; return what was done."""
        state = self.state
        phase = str(state["view"]["phase"])
        if phase == "turn":
            return self.turn(state)
        if phase == "offer":
            return self.make_offer(state)
        if phase == "select":
            return self.choose_offers()
        return self.answer_card()

    def turn(self, state: Json) -> str:
        view = state["view"]
        hand = view["builders"][view["seat"]]["hand"]

        def lacking(choice: Json) -> int:
            discs = next(one["discs"] for one in view["wonders"] if one["wonder"] == choice["wonder"])
            return sum(max(count - hand[card], 0) for card, count in discs[choice["space"]].items())

        best = min((one for one in state["decision"]["legal"] if one["type"] == "choose"), key=lacking)
        if self.idles or lacking(best) > 2:
            self.confirm("confirm.pass")
            return "pass"
        self.press(self.disc(best["wonder"], best["space"]))
        self.confirm("confirm.choose")
        return "choose"

    def make_offer(self, state: Json) -> str:
        view = state["view"]
        hand = view["builders"][view["seat"]]["hand"]
        wanted = [card for card, count in view["chosen"]["needs"].items() for _ in range(min(count, hand[card]))][:2]
        for card in wanted:
            self.press(self.hand(card))
        if wanted and self.trades:
            with_it = self.button("confirm.with_trade", self.bar)
            expect(with_it).not_to_contain_class("primary")
            self.press(self.button("label.trade_card", self.region("label.hand")))
            expect(self.button("label.trade_card", self.region("label.hand"))).to_have_attribute("aria-pressed", "true")
            expect(with_it).to_contain_class("primary")
            self.confirm("confirm.with_trade")
            return "trade"
        self.confirm("confirm.commit", count=len(wanted))
        return "offer" if wanted else "nothing"

    def choose_offers(self) -> str:
        self.press(self.ways.first)
        for deed in ("accept", "fail"):
            if self.button(f"confirm.{deed}", self.bar).count():
                self.confirm(f"confirm.{deed}")
                return deed
        raise AssertionError(f"nothing to confirm: {self.bar.inner_text()}")

    def answer_card(self) -> str:
        """Decline to play an action card."""
        decline = next(choice for choice in self.legal if choice["type"] == "decline")
        self.confirm(f"confirm.{decline['means']}")
        return "decline"

"""Somebody who plays Alhambra by clicking."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect
from tests.browser.person import Person


class Alhambra(Person):
    """Buys exactly when possible, else takes money."""

    game = "alhambra"
    table = ("label.market", "label.open_money", "label.hand", "label.your_buildings")

    @property
    def yard(self) -> Locator:
        return self.region("label.market").get_by_role("button")

    @property
    def open_money(self) -> Locator:
        return self.region("label.open_money").get_by_role("button")

    @property
    def hand(self) -> Locator:
        return self.region("label.hand").get_by_role("button")

    @property
    def answers(self) -> list[Locator]:
        return [self.open_money, self.yard]

    def take_money(self) -> None:
        """Take the most valuable money card."""
        cards = self.possible(self.open_money)
        worth = [int((re.findall(r"\d+", card.inner_text()) or ["0"])[0]) for card in cards]
        self.press(cards[worth.index(max(worth))])
        expect(self.bar).to_contain_text(self.say("preview.take", total=max(worth)))
        self.confirm("confirm.take")

    def offer(self, building: Locator) -> str:
        """Choose a building; return `exact` or `over`, as the bar says of the payment that is suggested."""
        self.press(building)
        expect(self.button("confirm.keep", self.bar)).to_be_visible()
        return "exact" if self.says_exact() else "over"

    def says_exact(self) -> bool:
        # "{total} of {price} {currency}: exact, you play again." -> what follows the colon
        return self.say("preview.exact").rpartition(":")[2].strip() in self.bar.inner_text()

    def play(self, *, hurry: bool = False) -> str:
        """Play a whole move as a sensible person does, or a spendthrift; return `exact`, `over` or `take`."""
        wasteful = None
        for building in self.possible(self.yard):
            if (payment := self.offer(building)) == "exact" or hurry:
                self.confirm("confirm.keep")
                return payment
            wasteful = building
            self.take_back()
        if wasteful and (not self.possible(self.open_money) or self.hand.count() > 9):
            self.offer(wasteful)
            self.confirm("confirm.keep")
            return "over"
        self.take_money()
        return "take"

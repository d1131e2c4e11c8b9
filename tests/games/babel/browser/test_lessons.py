"""Lessons: what was done wrong is laid back on the board; that every step can be done is seen in all games alike."""

from __future__ import annotations

from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.pupil import Pupil
from tests.games.babel.browser.person import Babel


class Builder:
    """What is touched in the lessons."""

    def __init__(self, ada: Babel) -> None:
        self.ada = ada
        self.pupil = Pupil(ada)

    def build(self, wonder: str, needs: str) -> None:
        site = self.ada.page.get_by_role("region", name=self.ada.say(f"wonder.{wonder}.title"), exact=True)
        name = self.ada.say("label.choose_disc", needs=[needs], wonder=wonder)
        self.ada.press(site.get_by_role("button", name=name, exact=True))
        self.pupil.confirm("confirm.choose")

    def accept(self, way: int) -> None:
        """Accept offers, by their place in the list of the ways to build."""
        self.ada.press(self.ada.ways.nth(way))
        self.pupil.confirm("confirm.accept")

    def offer(self, card: str, count: int) -> None:
        """With the trade card."""
        for _ in range(count):
            self.ada.press(self.ada.hand(card))
        self.ada.press(self.trade_card)
        expect(self.trade_card).to_have_attribute("aria-pressed", "true")
        self.pupil.confirm("confirm.with_trade")

    @property
    def trade_card(self) -> Locator:
        return self.ada.button("label.trade_card", self.ada.region("label.hand"))

    def is_told(self, key: str, onwards: bool = True, **args: list[str]) -> None:
        self.pupil.is_told(key, **args)
        if onwards:
            self.pupil.press("next")


def test_what_was_wrong_is_not_chosen_any_more(house: House, visitor: Invite) -> None:
    ada = visitor(house, Babel)
    builder = Builder(ada)
    ada.page.goto("/#/learn/babel/points")
    builder.build("zeus", "ship 4")
    builder.is_told("points.set.fourth", needs=["ship 4"])
    # Neither what was accepted in vain, nor the trade card of an offer that was not right.
    builder.accept(1)
    builder.is_told("points.wonder.tie", onwards=False)
    others = ada.page.get_by_role("group", name=ada.say("ui.table.opponents"), exact=True)
    expect(others.get_by_role("button")).to_have_count(2)
    assert not ada.chosen(others.get_by_role("button"))
    builder.accept(2)
    builder.is_told("points.wonder.most")
    builder.accept(1)
    builder.is_told("points.turned.houses")
    builder.offer("ship", 2)
    builder.is_told("points.trade.little", onwards=False)
    expect(builder.trade_card).to_have_attribute("aria-pressed", "false")
    builder.offer("ship", 3)
    builder.is_told("points.trade.disc", onwards=False)

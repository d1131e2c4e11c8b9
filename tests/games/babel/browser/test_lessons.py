"""Lessons: whoever has never heard of the game does every step of them on the board."""

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
        """Accept offers, by their place in the list of the ways to build; the last one is to give up."""
        self.ada.press(self.ada.ways.nth(way))
        self.pupil.confirm("confirm.fail" if way < 0 else "confirm.accept")

    def offer(self, card: str, count: int, trade: bool = False) -> None:
        for _ in range(count):
            self.ada.press(self.ada.hand(card))
        if trade:
            self.ada.press(self.trade_card)
            expect(self.trade_card).to_have_attribute("aria-pressed", "true")
            return self.pupil.confirm("confirm.with_trade")
        self.ada.press(self.ada.button("confirm.commit", self.ada.bar, count=count))

    @property
    def trade_card(self) -> Locator:
        return self.ada.button("label.trade_card", self.ada.region("label.hand"))

    def is_told(self, key: str, onwards: bool = True, **args: list[str]) -> None:
        self.pupil.is_told(key, **args)
        if onwards:
            self.pupil.press("next")


def test_all_lessons_on_the_board(house: House, visitor: Invite) -> None:
    ada = visitor(house, Babel)
    builder = Builder(ada)
    pupil = builder.pupil
    pupil.begin()
    builder.build("pyramids", "ship 4")
    builder.is_told("together.disc.ship", needs=["ship 4"], onwards=False)
    builder.build("zeus", "ship 5")
    builder.is_told("together.disc.offers")
    builder.accept(1)
    builder.is_told("together.accept.one")
    pupil.confirm("confirm.pass")
    builder.is_told("together.pass.two")
    builder.offer("camel", 2)
    builder.is_told("together.offer.helped")
    pupil.choose("together", "bluff", "open")
    pupil.press("next_lesson")

    builder.build("zeus", "ship 4")
    builder.is_told("points.set.fourth", needs=["ship 4"])
    # What was accepted in vain is not chosen any more, nor is the trade card of an offer that was not right.
    builder.accept(1)
    builder.is_told("points.wonder.tie", onwards=False)
    others = ada.page.get_by_role("group", name=ada.say("ui.table.opponents"), exact=True)
    expect(others.get_by_role("button")).to_have_count(2)
    assert not ada.chosen(others.get_by_role("button"))
    builder.accept(2)
    builder.is_told("points.wonder.most")
    builder.accept(1)
    builder.is_told("points.turned.houses")
    builder.offer("ship", 2, trade=True)
    builder.is_told("points.trade.little", onwards=False)
    expect(builder.trade_card).to_have_attribute("aria-pressed", "false")
    builder.offer("ship", 3, trade=True)
    builder.is_told("points.trade.disc")
    builder.offer("crane", 4)
    pupil.is_told("points.refused.points")
    pupil.press("next_lesson")

    # The way with the Joker is the one that costs most.
    builder.accept(3)
    builder.is_told("end.joker.alone")
    pupil.confirm("confirm.double")
    builder.is_told("end.double.again")
    # Whose offer was accepted is told by what has happened before.
    expect(others).to_contain_text(ada.say("label.accepted"))
    pupil.confirm("confirm.triple")
    builder.is_told("end.prize.nine")
    builder.accept(-1)
    builder.is_told("end.give_up.kept")
    builder.accept(2)
    pupil.is_told("end.last.won")
    expect(ada.bar).to_contain_text(ada.say("ask.finished"))

"""With the box: points are counted on a phone, which keeps them and needs no connection; evenings are kept beside."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import check
from tests.browser.person import Anybody
from tests.runs import often

import ziggurat

Walk = Callable[["Counter"], Iterator[str]]


class Counter(Anybody):
    """Somebody who counts the points of the game that stands for all of them."""

    def open(self) -> None:
        """The third touch of the first page is in the first number."""
        self.home()
        self.more("ui.home.box")
        self.press(self.cells.first)
        expect(self.cells.first).to_be_focused()

    @property
    def cells(self) -> Locator:
        return self.page.get_by_role("group").get_by_role("textbox")

    @property
    def totals(self) -> list[int]:
        row = self.page.get_by_role("row", name=self.say("box.total"))
        return [int(text) for text in row.get_by_role("cell").all_inner_texts()]

    def tab(self, name: str) -> None:
        self.press(self.page.get_by_role("tab", name=self.say(f"box.tab.{name}"), exact=True))

    def count(self, *numbers: str) -> None:
        for cell, number in enumerate(numbers):
            self.cells.nth(cell).fill(number)


def pads(ada: Counter) -> Iterator[str]:
    """The pad of each game, one with a mistake."""
    for game in ziggurat.registered_games():
        ada.page.goto(f"/#/box/{game}")
        expect(ada.page.get_by_role("heading", level=1)).to_contain_text(ada.say("box.title"))
        expect(ada.cells.first).to_be_visible()
        if game == ada.game:
            ada.count("2", "2", "1", "99")
            expect(ada.page.get_by_text(ada.say("box.wrong", n=1))).to_be_visible()
            expect(ada.button("box.keep")).to_be_disabled()
            ada.press(ada.page.locator("summary").first)
        yield f"pad of {game}"


def around(ada: Counter) -> Iterator[str]:
    """What there is besides."""
    ada.page.goto(f"/#/box/{ada.game}")
    for _ in range(2):
        ada.count("3", "2", "1", "3")
        ada.press(ada.button("box.keep"))
        expect(ada.page.get_by_role("img")).to_be_visible()
        ada.tab("pad")
    ada.tab("setup")
    ada.press(ada.page.get_by_role("checkbox").first)
    yield "set-up"
    ada.tab("begins")
    ada.press(ada.button("box.draw"))
    yield "who begins"
    ada.tab("timer")
    ada.press(ada.page.get_by_role("tabpanel").get_by_role("button").first)
    expect(ada.button("box.pause")).to_be_visible()
    yield "clock"
    ada.tab("evenings")
    yield "evenings"


@pytest.mark.parametrize(
    ("language", "phone", "walk"), [("en", False, around), ("hu", True, pads)], ids=["around", "pads"]
)
def test_the_box_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool, walk: Walk) -> None:
    ada = visitor(house, Counter, language=language, phone=phone)
    check(ada, walk(ada))


@often
def test_what_is_counted_stays_on_the_phone_and_needs_no_connection(own_house: House, visitor: Invite) -> None:
    ada = visitor(own_house, Counter, phone=True)
    ada.open()
    ada.count("3", "2", "1")
    wanted = ada.totals
    assert any(wanted)
    ada.cells.nth(4).fill("-1")
    # Whose entry it is stands before it.
    said = f"{ada.say('box.player', n=2)}: {ada.say('box.fault.negative')}"
    expect(ada.page.get_by_text(said, exact=True)).to_be_visible()
    assert ada.totals == wanted
    ada.cells.nth(4).fill("")
    expect(ada.page.get_by_text(ada.say("box.offline"))).to_be_visible()
    ada.patient = True
    own_house.power_cut()
    ada.reload()
    expect(ada.cells.first).to_have_value("3")
    assert ada.totals == wanted
    # In flight mode evenings are kept, come back when they were deleted, and go into a file.
    ada.press(ada.button("box.keep"))
    evening = ada.page.get_by_role("button", name=ada.say("box.delete", day="").strip())
    expect(evening).to_have_count(1)
    ada.press(evening)
    expect(evening).to_have_count(0)
    ada.press(ada.button("box.undelete"))
    expect(evening).to_have_count(1)
    with ada.page.expect_download() as saved:
        ada.press(ada.button("box.export"))
    kept = json.loads(saved.value.path().read_text(encoding="utf-8"))
    assert [one["points"] for one in kept["evenings"]] == [wanted]
    # The pad of another game opens too; nothing else does.
    other = list(ziggurat.registered_games())[-1]
    ada.page.evaluate(f"location.hash = '#/box/{other}'")
    ada.reload()
    expect(ada.cells.first).to_be_visible()
    ada.page.evaluate("location.hash = '#/'")
    ada.reload()
    expect(ada.page.get_by_role("heading", name="No connection")).to_be_visible()


def test_a_file_of_evenings_adds_what_is_new_and_nothing_that_is_none(house: House, visitor: Invite) -> None:
    ada = visitor(house, Counter)
    ada.page.goto(f"/#/box/{ada.game}")
    ada.tab("evenings")
    evening = {"id": "1", "game": ada.game, "at": "2026-01-02T20:00:00Z", "players": ["Bo", "Cy"], "points": [7, 9]}
    good = {"evenings": [{**evening, "winners": [1]}, {**evening, "id": "2", "winners": [0]}]}

    def read(file: object) -> None:
        buffer = json.dumps(file).encode()
        ada.page.locator("input[type=file]").set_input_files(
            {"name": "evenings.json", "mimeType": "application/json", "buffer": buffer}
        )

    for n in (2, 0):
        read(good)
        expect(ada.page.get_by_text(ada.say("box.import.done", n=n))).to_be_visible()
    nobody, words = {**evening, "winners": [2]}, {**evening, "points": ["7", 9]}
    wrong: list[object] = [[], {"evenings": [nobody]}, {"evenings": [words]}, 3]
    for bad in wrong:
        read(good)
        read(bad)
        expect(ada.page.get_by_text(ada.say("box.import.wrong"))).to_be_visible()
    ada.reload()
    ada.tab("evenings")
    expect(ada.page.get_by_text("Bo 7")).to_have_count(2)
    assert ada.page.get_by_role("tabpanel").locator("path.dot").count() == 4

"""Puzzles: a move is found or missed on the real board, and what it cost and why is told beside it."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.games.alhambra.browser.person import Alhambra

from ziggurat.core.puzzle import Puzzle, answers, book, position_of
from ziggurat.games.alhambra import GAME, choices


def a_purchase() -> Puzzle:
    """A puzzle where something is to be bought, and money lies there too."""
    for one in book(GAME).values():
        moves = answers(position_of(GAME, one), one.seat)
        if choices.BUY <= moves[one.best][0] < choices.PAY and moves[0] == [choices.TAKE + 1]:
            return one
    raise AssertionError("no puzzle is about a purchase")


def test_a_move_is_missed_explained_and_the_next_one_put(house: House, visitor: Invite) -> None:
    one = a_purchase()
    ada = visitor(house, Alhambra, phone=True, language="hu")
    ada.home()
    ada.press(ada.plate.get_by_role("link", name=ada.say("ui.home.find"), exact=True))
    expect(ada.region("find.title")).to_contain_text(ada.say("find.ask"))
    ada.page.goto(f"/#/find/alhambra/{one.name}")
    ada.reload()
    finder = ada.region("find.title")
    expect(finder).to_contain_text(ada.say("find.moves", n=len(one.costs)))
    # By keys alone.
    ada.open_money.first.focus()
    ada.page.keyboard.press("Enter")
    ada.button("confirm.take", ada.bar).focus()
    ada.page.keyboard.press("Enter")
    expect(finder).to_contain_text(ada.say("find.answer", move="").strip())
    expect(finder).to_contain_text(ada.say("find.rank", n=sum(cost.loss < one.costs[0].loss for cost in one.costs)))
    reasons = finder.get_by_role("list", name=ada.say("why.title"))
    expect(reasons.get_by_role("listitem")).to_have_count(len(one.why))
    for label in ("find.better", "find.yours"):
        expect(ada.page.get_by_text(ada.say(label), exact=True)).to_be_attached()
    expect(finder).to_contain_text(ada.say("find.progress", answered=1, all=len(book(GAME)), found=0))
    ada.press(ada.button("find.again", finder))
    expect(finder).to_contain_text(ada.say("find.counted_before"))
    ada.press(ada.button("find.skip", finder))
    expect(finder).not_to_contain_text(ada.say("find.counted_before"))
    expect(finder).to_contain_text(ada.say("find.ask"))

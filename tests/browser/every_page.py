"""A walk through every page and drawer that all games share, for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from playwright.sync_api import expect
from tests.browser.person import Person
from tests.browser.prepared import Table, make, play_badly
from tests.browser.windows import NOWHERE
from tests.patience import patience

import ziggurat
from ziggurat.core.lesson import Lesson, Step, lessons
from ziggurat.core.puzzle import book


def away_from_tables(ada: Person, waiting: Table) -> Iterator[str]:
    """Show one state after another; say which, and wait for the reader to look at it."""
    ada.home()
    expect(ada.page.get_by_role("listitem").filter(has_text=ada.name or "Ada").first).to_be_visible()
    yield "home"
    ada.press(ada.button("ui.settings.title"))
    yield from drawer(ada, "ui.settings.title", "settings")
    yield from before_a_game(ada)
    ada.page.goto(waiting.path)
    expect(ada.button("ui.wait.copy")).to_be_visible()
    yield "waiting room"
    ada.page.goto("/#/no/such/page")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(ada.say("ui.error.page_not_found"))
    yield "lost"


def before_a_game(ada: Person) -> Iterator[str]:
    """What each game has of its own before a table is set up."""
    ada.page.goto(f"/#/new/{ada.game}")
    expect(ada.page.get_by_role("combobox").first).to_be_visible()
    for summary in ada.page.locator("summary").all():
        ada.press(summary)
    yield "set-up"
    ada.press(ada.button("ui.rules.open"))
    expect(ada.drawer("ui.rules.title").get_by_role("heading", level=1)).to_be_visible()
    yield from drawer(ada, "ui.rules.title", "rules")


def rules(ada: Person) -> Iterator[str]:
    ada.page.goto(f"/#/rules/{ada.game}")
    expect(ada.page.get_by_role("heading", level=2).first).to_be_visible()
    yield "rules, a page of their own"


def learning(ada: Person) -> Iterator[str]:
    """Every step of every lesson, and what the first ones show to whoever asks."""
    assert ada.game
    coach = ada.region("learn.title")
    for lesson, step in steps_of(ada):
        yield f"lesson {lesson}, {step}"
        if ada.sees(ada.button("learn.show", coach)):
            ada.press(ada.button("learn.show", coach))
            yield f"lesson {lesson}, {step}, shown"
    ada.press(coach.get_by_role("button").first)
    expect(coach.get_by_role("navigation")).to_be_visible()
    yield "all lessons"


TAUGHT = "([game, lesson, steps]) => localStorage['ziggurat.lessons'] = JSON.stringify({[game]: {[lesson]: steps}})"


def steps_of(ada: Person) -> Iterator[tuple[str, str]]:
    """Go from step to step of all lessons, as they begin."""
    assert ada.game
    for lesson in lessons(ziggurat.game(ada.game)).values():
        for step in lesson.steps:
            to_step(ada, lesson, step)
            yield lesson.name, step.name


def to_step(ada: Person, lesson: Lesson, step: Step) -> None:
    """Go to a step of a lesson, as if all before it were done."""
    coach = ada.region("learn.title")
    ada.page.goto(NOWHERE)
    expect(coach).to_have_count(0)
    before = [one.name for one in lesson.steps[: lesson.steps.index(step)]]
    ada.page.evaluate(TAUGHT, [ada.game, lesson.name, before])
    ada.page.goto(f"/#/learn/{ada.game}/{lesson.name}")
    expect(coach).to_contain_text(ada.say(f"learn.{lesson.name}.{step.name}.goal"))


def finding(ada: Person) -> Iterator[str]:
    """A puzzle, and what is said to an answer."""
    assert ada.game
    name = next(iter(book(ziggurat.game(ada.game))))
    ada.page.goto(f"/#/find/{ada.game}/{name}")
    finder = ada.region("find.title")
    expect(finder).to_contain_text(ada.say("find.ask"))
    ada.at_table()
    yield "puzzle"
    ada.answer_a_puzzle()
    expect(ada.button("find.next", finder)).to_be_visible()
    yield "puzzle answered"


def with_all_seats_taken(ada: Person) -> Iterator[str]:
    """The largest table of a game, as it begins, and what opens there."""
    assert ada.game
    seats = ["mason"] * (ziggurat.game(ada.game).max_players - 1)
    ada.come_to(make(ada.base, ada.game, "me", *seats, cookie=ada.cookie, company=ada.company))
    expect(ada.bar).not_to_have_attribute("data-seq", "0")
    yield "table for all"
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    yield from drawer(ada, "ui.settings.title", "settings at a table")
    ada.press(ada.button("ui.rules.open").filter(visible=True))
    expect(ada.drawer("ui.rules.title").get_by_role("heading", level=1)).to_be_visible()
    yield from drawer(ada, "ui.rules.title", "rules at a table")
    ada.page.mouse.move(1, 1)
    ada.page.keyboard.press("w")
    what = ada.page.locator("dialog[open][aria-busy=false]")
    expect(what).to_be_visible()
    yield "what is what"
    ada.page.keyboard.press("Escape")
    ada.leaves(what)


def with_a_hint(ada: Person) -> Iterator[str]:
    """Where the server can say what a Master would do."""
    assert ada.game
    seats = ["mason"] * max(1, ziggurat.game(ada.game).min_players - 1)
    ada.come_to(make(ada.base, ada.game, "me", *seats, cookie=ada.cookie, hints=True))
    assert ada.my_turn()
    ada.press(ada.button("ui.hint.ask", ada.bar))
    expect(ada.button("ui.hint.play", ada.bar)).to_be_visible()
    yield "hint"


REVIEWED = patience(120_000)
"""Milliseconds in which a Master has found a move that could have been better, on a machine that does other things."""


@cache
def whole_game(base: str, game: str) -> Table:
    """A game of the smallest table, to its end."""
    return play_badly(base, make(base, game, "me", *["mason"] * max(1, ziggurat.game(game).min_players - 1)))


def with_a_review(ada: Person) -> Iterator[str]:
    """A finished game that a Master looks through."""
    assert ada.game
    table = whole_game(ada.base, ada.game)
    ada.become(table.cookie)
    ada.page.goto(table.path)
    ada.press(ada.button("ui.end.replay", ada.end))
    ada.press(ada.button("ui.review.title", ada.region("ui.replay.title")))
    review = ada.region("ui.review.title").first
    costly = review.get_by_role("list").last.get_by_role("button")
    expect(costly.first).to_be_visible(timeout=REVIEWED)
    if ada.sees(ada.button("ui.review.stop", review)):  # what is looked at stays as it is
        ada.press(ada.button("ui.review.stop", review))
    yield "review"
    ada.press(costly.first)
    expect(review.locator("[aria-current=step]")).to_be_visible()
    ada.page.wait_for_timeout(600)  # so long frames on the board bring what they are about into sight
    yield "review, a move that cost much"
    ada.become(ada.cookie)


def by_invitation(bela: Person, waiting: Table) -> Iterator[str]:
    bela.page.goto(f"/#/join/{waiting.id}/{waiting.invite}")
    expect(bela.button("ui.invite.join")).to_be_visible()
    yield "invitation"


def stepping(person: Person) -> Iterator[str]:
    """A finished game, move by move."""
    person.press(person.button("ui.end.replay", person.end))
    stepper = person.region("ui.replay.title")
    person.press(person.button("ui.replay.next", stepper))
    yield "stepping"


def opponents(person: Person) -> Iterator[str]:
    """The others, where they are in a drawer."""
    if person.sees(person.opponents):
        person.press(person.opponents)
        yield from drawer(person, "ui.table.opponents", "opponents")


def log(person: Person) -> Iterator[str]:
    """What happened, where it is in a drawer."""
    if person.sees(person.button("ui.table.log")):
        person.press(person.button("ui.table.log"))
        yield from drawer(person, "ui.table.log", "log")


def drawer(person: Person, title: str, state: str) -> Iterator[str]:
    opened = person.drawer(title)
    expect(opened).to_be_visible()
    yield state
    person.close(opened)

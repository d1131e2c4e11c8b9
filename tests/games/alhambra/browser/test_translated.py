"""A page that a browser translates stays right, and says why its words are not what the reader asked for."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.prepared import together
from tests.games.alhambra.browser.person import Alhambra

# As the translators of Chrome and Edge do it, but for the texts that say that they must not.
TRANSLATE = """
() => {
  document.documentElement.classList.add('translated-ltr')
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) if (texts.currentNode.data.trim()) found.push(texts.currentNode)
  for (const text of found) {
    const font = document.createElement('font')
    font.appendChild(document.createElement('font')).textContent = `Übersetzt: ${text.data}`
    text.replaceWith(font)
  }
}
"""


def test_a_translated_table_shows_what_happens(house: House, visitor: Invite) -> None:
    path, first, second = together(house.base, "Ada", "Bela", game="alhambra")
    ada = visitor(house, Alhambra, name="Ada", cookie=first)
    bela = visitor(house, Alhambra, name="Bela", cookie=second, theme="dark")
    for person in (ada, bela):
        person.page.goto(path)
        person.at_table()
        person.stay()
        person.page.wait_for_load_state("networkidle")
    mover, other = (ada, bela) if ada.whose_turn(bela) is ada else (bela, ada)
    waits = other.say("ui.table.waiting_for", seats=[mover.name])
    expect(other.bar).to_contain_text(waits)
    other.window.changed = True
    other.page.evaluate(TRANSLATE)
    expect(other.page.get_by_text(other.say("ui.translated"))).to_be_visible()
    mover.play()
    if mover.whose_turn(other) is other:
        expect(other.bar).not_to_contain_text(waits)
        expect(other.your_turn).to_be_attached()
    else:
        other.catch_up(mover.seq)
    expect(other.region("ui.table.log")).to_contain_text("Bela" if mover is bela else "Ada")
    expect(other.page.locator("body")).not_to_contain_text("Übersetzt")
    other.reload()  # nothing is left for the next one


def test_a_page_that_was_translated_at_once_is_written_again(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, theme="dark")
    ada.page.goto("about:blank")
    ada.home()
    ada.window.changed = True
    ada.page.evaluate(TRANSLATE)
    expect(ada.page.get_by_role("main")).to_contain_text("Übersetzt")
    ada.stay()
    expect(ada.page.locator("body")).not_to_contain_text("Übersetzt")
    expect(ada.page.get_by_text(ada.say("ui.translated"))).to_be_visible()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(ada.say("ui.home.title"))
    ada.reload()  # nothing is left for the next one


def test_the_rules_may_be_translated_and_nothing_else(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    ada.page.goto("/#/rules/alhambra")
    article = ada.page.get_by_role("article")
    expect(article).to_be_visible()
    assert article.evaluate("(e) => [e.translate, document.body.translate]") == [True, False]

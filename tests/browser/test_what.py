"""What is this? Whatever lies on a board says it to whoever asks, by mouse, finger or key; the rules are searched."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import THEMES, look
from tests.browser.person import Person
from tests.browser.prepared import make
from tests.example import EXAMPLE, WALKED

import ziggurat
from ziggurat.core.text import Catalogue
from ziggurat.server.api.rules import sections

PACKAGE = Path(ziggurat.__file__).parent
PIECE = ':is([data-what], [data-place]):not([data-what=""])'
BUTTON = f"main button{PIECE}, main button:has({PIECE}), main {PIECE} > button"
MOVE = 'main button[data-what=""]'
NAMES = f"""() => [...new Set([...document.querySelectorAll('main {PIECE}')]
  .filter((one) => one.getClientRects().length > 0)
  .map(({{ dataset: {{ what, place }} }}) => what ?? place.replaceAll(':', ' ')))]"""
"""Of all pieces that are drawn, what the page asks the server for."""
MOST = 60
"""The page asks about so many at once."""
FINGER = """async (one, types) => {
  for (const type of types) {
    const clientX = type === 'pointermove' ? 60 : 20
    const finger = { bubbles: true, pointerType: 'touch', pointerId: 7, clientX, clientY: 20 }
    one.dispatchEvent(new PointerEvent(type, finger))
    await new Promise((done) => setTimeout(done, 50))
  }
}"""


CLOSED_AT_ONCE = """() => new Promise((done) => {
  const opened = new MutationObserver(() => {
    const dialog = document.querySelector('dialog[open]')
    if (!dialog) return
    opened.disconnect()
    dialog.close()
    done()
  })
  opened.observe(document.body, { childList: true, subtree: true, attributes: true })
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'w', bubbles: true }))
})"""
"""Asks what lies on the table, and closes the answer before the server can give it."""


def somebody(invite: Invite, house: House, game: str, language: str, *, phone: bool = False) -> Person:
    """Whoever plays a game, and knows the words of this part."""
    kind = type("Asker", (Person,), {"game": game})
    ada: Person = invite(house, kind, language=language, phone=phone)
    parts = [PACKAGE / "text", PACKAGE / "games" / game / "text"]
    words = [json.loads((part / "what" / f"{language}.json").read_text(encoding="utf-8")) for part in parts]
    ada.words = Catalogue(language, {**ada.words.texts, **words[0], **words[1]})
    fewest = max(2, ziggurat.game(game).min_players)
    ada.come_to(make(house.base, game, "me", *["mason"] * (fewest - 1)))
    return ada


def answer(ada: Person) -> Locator:
    """What is shown, once all of it has come."""
    shown = ada.page.locator("dialog[open][aria-busy=false]")
    expect(shown).to_be_visible()
    expect(shown.locator(".notice")).to_have_count(0)
    return shown


@pytest.mark.parametrize(("game", "language"), list(zip(WALKED, ["en", "hu", "de", "en"], strict=False)))
def test_every_piece_of_a_board_is_asked_about_and_leads_into_the_rules(
    house: House, visitor: Invite, game: str, language: str
) -> None:
    ada = somebody(visitor, house, game, language)
    assert ada.my_turn()
    keys = ada.page.keyboard
    # Whatever the board shows has a name that the server knows: `w` on nothing lists all of it.
    names = ada.page.evaluate(NAMES)
    assert len(names) > 10
    ada.page.mouse.move(1, 1)
    keys.press("w")
    shown = answer(ada)
    expect(shown.get_by_role("heading", level=2)).to_have_text(ada.say("what.board"))
    assert shown.get_by_role("listitem").count() >= 5
    told = next(message["about"] for message in reversed(ada.heard) if message["type"] == "about")
    assert len(told) >= min(len(names), MOST), "each of them is answered, and what has come since"
    assert sum(bool(about["worth"]) for about in told) >= 3, "and many are worth something"
    keys.press("Escape")
    expect(shown).to_have_count(0)

    # A button that the focus is on: by key; what it says is worth something now, and where the rules say it.
    piece = ada.page.locator(BUTTON).filter(visible=True).last
    piece.focus()
    keys.press("w")
    shown = answer(ada)
    expect(shown.get_by_role("heading", level=2)).not_to_have_text(ada.say("what.board"))
    assert list(look(ada, "what is this", THEMES)) == []
    link = shown.get_by_role("button", name=ada.say("what.rule", section="").strip())
    expect(link).to_be_visible()
    ada.press(link)
    drawer = ada.drawer("ui.rules.title")
    expect(drawer.locator("h2.found, h3.found")).to_be_focused()

    # An everyday word finds the place; an arrow and Enter lead there.
    field = drawer.get_by_role("combobox", name=ada.say("what.search"))
    field.fill(ada.say("what.synonyms.end").split(",")[0])
    expect(drawer.get_by_role("option").first).to_be_visible()
    assert list(look(ada, "found in the rules", THEMES)) == []
    keys.press("ArrowDown")
    keys.press("Enter")
    found = drawer.locator(".found")
    expect(found).to_be_focused()
    expect(found).to_be_in_viewport()
    ada.close(drawer)
    expect(ada.bar).to_be_visible()
    # With a mouse: the other button.
    piece.click(button="right")
    expect(answer(ada).get_by_role("heading", level=2)).not_to_have_text(ada.say("what.board"))


def test_a_finger_that_rests_asks_and_one_that_taps_or_slips_does_not(house: House, visitor: Invite) -> None:
    game = next(iter(ziggurat.registered_games()))
    ada = somebody(visitor, house, game, "hu", phone=True)
    assert ada.my_turn()
    piece = ada.page.locator(BUTTON).filter(visible=True).first
    # The part that answers has come with a first question, so that what follows is quick.
    piece.evaluate(FINGER, ["pointerdown"])
    shown = answer(ada)
    assert list(look(ada, "what is this", THEMES)) == []
    ada.press(shown.get_by_role("button", name=ada.say("ui.common.close")))
    expect(shown).to_have_count(0)
    piece.evaluate(FINGER, ["pointerup"])
    # Half a second later than the last of these, which the page does one after another however slow the machine is,
    # nothing has been asked.
    piece.evaluate(FINGER, ["pointerdown", "pointerup", "pointerdown", "pointermove"])
    asked = "new Promise((done) => setTimeout(() => done(document.querySelectorAll('dialog[open]').length), 600))"
    assert ada.page.evaluate(asked) == 0


def test_what_is_closed_before_its_answer_comes_is_no_mistake(house: House, visitor: Invite) -> None:
    """The fixture looks at the console."""
    ada = somebody(visitor, house, EXAMPLE, "en")
    assert ada.my_turn()
    ada.page.evaluate(CLOSED_AT_ONCE)
    ada.leaves(ada.page.locator("dialog[open]"))
    ada.page.keyboard.press("w")
    expect(answer(ada)).not_to_be_empty()


def test_the_rules_are_read_without_a_table(house: House, visitor: Invite) -> None:
    game = next(iter(ziggurat.registered_games()))
    ada: Person = visitor(house, type("Reader", (Person,), {"game": game}), language="hu", phone=True)
    asked = Counter[str]()
    ada.page.on("request", lambda request: asked.update([request.url]))
    ada.home()
    ada.more("ui.home.rules")
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    expect(ada.page.locator("article [data-piece] svg[viewBox]").first).to_be_visible()
    assert list(look(ada, "rules", THEMES)) == []
    rules = {url: times for url, times in asked.items() if "/rules/" in url}
    assert set(rules.values()) == {1}, f"fetched more than once: {rules}"
    section = sections(game)[-3]
    ada.page.goto(f"/#/rules/{game}/{section}")
    expect(ada.page.locator(f"[id='{section}']")).to_be_focused()

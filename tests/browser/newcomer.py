"""Somebody on their own page, where they make ways back."""

from __future__ import annotations

import json
from collections.abc import Iterator

from playwright.sync_api import Locator, expect
from tests.browser.every_page import drawer
from tests.browser.person import Anybody
from tests.browser.prepared import newcomer

MAKE = """
async (body) => {
  const asked = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
  return (await (await fetch('/api/tables', asked)).json()).id
}
"""
INSIDE = {"transport": "internal", "protocol": "ctap2", "automaticPresenceSimulation": True}


class Newcomer(Anybody):
    """Somebody who makes ways back."""

    def own_page(self, base: str = "") -> None:
        """Open it, at another address of the server if need be."""
        self.page.goto(f"{base}/#/me")
        expect(self.named).to_be_visible()

    @property
    def named(self) -> Locator:
        return self.page.get_by_label(self.say("account.name"))

    @property
    def code(self) -> Locator:
        return self.page.get_by_label(self.say("account.back_code"))

    def say_name(self, name: str) -> None:
        self.named.fill(name)
        self.press(self.button("account.save"))
        self.until_told("account.saved")

    def make_table(self) -> str:
        """Make a table that waits for somebody; return its id."""
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "mason"}]
        wish = {"game": self.game, "seats": seats, "pace": "instant"}
        made: str = self.page.evaluate(MAKE, json.dumps(wish))
        return made

    def row(self, table: str) -> Locator:
        """A table among one's own on the first page."""
        return self.page.locator(f"a[href='#/table/{table}']").first

    def until_told(self, key: str) -> None:
        expect(self.page.get_by_text(self.say(key), exact=True).first).to_be_visible()

    def until_back(self, name: str) -> None:
        """Wait until the page has begun anew, as somebody."""
        expect(self.page.get_by_role("heading", level=1, name=self.say("ui.home.title"))).to_be_visible()
        assert self.page.evaluate("async () => (await (await fetch('/api/me')).json()).name") == name

    def make_codes(self) -> list[str]:
        self.press(self.button("account.codes_make"))
        shown = self.drawer("account.codes")
        expect(shown.get_by_role("listitem")).to_have_count(10)
        codes = shown.get_by_role("listitem").all_inner_texts()
        self.close(shown)
        return codes

    def make_token(self, name: str, scope: str) -> str:
        """Make a token for a program; its drawer stays open."""
        self.page.get_by_role("textbox", name=self.say("programs.name"), exact=True).fill(name)
        self.choose("programs.scope", f"programs.scope.{scope}")
        self.press(self.button("programs.make"))
        return self.drawer("programs.made").get_by_role("textbox", name=self.say("programs.token")).input_value()

    def hand_on(self, table: str) -> str:
        """Make a link for a friend who is to have one's seat; return it."""
        self.page.goto(f"/#/table/{table}")
        self.press(self.button("ui.wait.hand_on"))
        shown = self.drawer("hand.leave")
        self.press(self.button("hand.make", shown))
        link = shown.get_by_role("textbox").input_value()
        self.close(shown)
        return link

    def has_fingers(self) -> None:
        """A device that keeps passkeys, and is touched when it asks."""
        devtools = self.context.new_cdp_session(self.page)
        devtools.send("WebAuthn.enable")
        keeps = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
        devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {**INSIDE, **keeps}})


def own_pages(ada: Newcomer) -> Iterator[str]:
    """Show one state after another; say which, and wait for the reader to look at it."""
    ada.own_page()
    ada.say_name("Ada")
    expect(ada.button("account.delete")).to_be_visible()
    ada.page.get_by_role("radio", name=ada.say("mark.picture.owl"), exact=True).check(force=True)
    expect(ada.page.get_by_role("radiogroup", name=ada.say("mark.colour"))).to_be_visible()
    yield "me"
    ada.press(ada.button("account.codes_make"))
    yield from drawer(ada, "account.codes", "codes")
    ada.make_token("A board with sensors", "play")
    yield from drawer(ada, "programs.made", "token")
    expect(ada.button("programs.end_of", name="A board with sensors")).to_be_visible()
    yield "my programs"
    ada.press(ada.button("account.link_make"))
    yield from drawer(ada, "account.link", "link")
    ada.press(ada.button("account.delete"))
    yield from drawer(ada, "account.delete_title", "delete me")
    link = ada.hand_on(ada.make_table())
    ada.press(ada.button("ui.wait.hand_on"))
    expect(ada.button("hand.keep")).to_be_visible()
    yield from drawer(ada, "hand.leave", "leave")
    ada.page.goto(link)
    expect(ada.page.get_by_text(ada.say("hand.own"))).to_be_visible()
    yield "my own seat"
    ada.become(newcomer(ada.base, "Eve"))
    ada.reload()
    expect(ada.page.locator("form svg[preserveAspectRatio]")).to_be_visible()  # the picture of the game
    yield "take a seat"
    ada.page.goto("/#/me/nonsense")
    expect(ada.button("account.enter_yes")).to_be_visible()
    yield "enter"

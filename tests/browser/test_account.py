"""What only a browser does on one's own page: passkeys, and the way to a provider and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import check
from tests.browser.newcomer import Newcomer
from tests.runs import often
from tests.server.idp import CLIENT, SECRET, provider


@often
def test_a_passkey_brings_back(own_house: House, visitor: Invite) -> None:
    ada, base = visitor(own_house, Newcomer), own_house.base.replace("127.0.0.1", "localhost")
    ada.has_fingers()
    ada.own_page(base)
    ada.say_name("Ada")
    ada.press(ada.button("account.passkey_make"))
    ada.until_told("account.passkey_made")
    ada.until_told("account.kept")
    ada.press(ada.button("account.sign_out_here"))
    ada.until_back("")
    ada.own_page(base)
    expect(ada.named).to_have_value("")
    ada.press(ada.button("account.back_passkey"))
    ada.until_back("Ada")


def test_the_hosts_provider_brings_back(tmp_path: Path, visitor: Invite) -> None:
    with provider() as idp:
        said = {"ISSUER": idp.base, "CLIENT": CLIENT, "SECRET": SECRET, "NAME": "Our club"}
        settings: dict[str, Any] = {f"ZIGGURAT_OIDC_{name}": value for name, value in said.items()}
        with House(tmp_path, **settings) as house:
            ada, phone = visitor(house, Newcomer), visitor(house, Newcomer, phone=True, language="hu")
            ada.own_page()
            ada.say_name("Ada")
            ada.press(ada.button("account.provider_keep", provider="Our club"))
            ada.until_told("account.kept")
            expect(ada.named).to_have_value("Ada")
            check(phone, signs_in(phone))
            expect(phone.named).to_have_value("Ada")
            ada.press(ada.button("account.provider_forget"))
            ada.until_told("account.guest")
            idp.at_login = ("", "")  # is nobody
            phone.press(phone.button("account.back_provider", provider="Our club"))
            expect(phone.page.get_by_role("alert")).to_have_text(phone.say("account.error.bad_sign_in"))


def signs_in(phone: Newcomer) -> Iterator[str]:
    phone.own_page()
    yield "a provider"
    phone.press(phone.button("account.back_provider", provider="Our club"))
    expect(phone.button("account.delete")).to_be_visible()
    yield "signed in by a provider"

"""One's own page: coming back from another device, signing out, being forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.newcomer import Newcomer, own_pages
from tests.runs import often
from tests.server.idp import CLIENT, SECRET, provider


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_ones_own_page_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Newcomer, language=language, phone=phone)
    check(ada, own_pages(ada))


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


def test_a_phone_is_mine_by_a_link_and_signs_the_laptop_out(house: House, visitor: Invite) -> None:
    laptop, phone = visitor(house, Newcomer), visitor(house, Newcomer, phone=True)
    laptop.own_page()
    laptop.say_name("Ada")
    laptop.until_told("account.guest")
    laptop.until_told("account.passkeys_nowhere")
    table = laptop.make_table()
    link = laptop.make_link()
    phone.page.goto(link)
    phone.press(phone.button("account.enter_yes"))
    phone.until_back("Ada")
    expect(phone.row(table)).to_be_visible()
    phone.expects("403")
    phone.page.goto(link)
    phone.press(phone.button("account.enter_yes"))
    expect(phone.page.get_by_role("alert")).to_have_text(phone.say("account.error.bad_secret"))
    phone.own_page()
    phone.press(phone.button("account.sign_out_others"))
    expect(phone.button("account.sign_out_others")).to_have_count(0)
    laptop.reload()
    expect(laptop.named).to_have_value("")


def test_a_code_brings_back_and_what_a_guest_did_comes_along(house: House, visitor: Invite) -> None:
    ada, guest = visitor(house, Newcomer), visitor(house, Newcomer)
    ada.own_page()
    ada.say_name("Ada")
    ada.press(ada.button("account.sign_out_here"))
    ada.until_told("account.sign_out_guest")
    code, *_ = ada.make_codes()
    guest.expects("403")
    guest.own_page()
    table = guest.make_table()
    guest.code.fill("aaaa-bbbb-cccc")
    guest.press(guest.button("account.back_enter"))
    expect(guest.page.get_by_role("alert")).to_have_text(guest.say("account.error.bad_secret"))
    guest.code.fill(code.upper())
    guest.press(guest.button("account.back_enter"))
    guest.until_back("Ada")
    ada.home()
    expect(ada.row(table)).to_be_visible()
    ada.own_page()
    with ada.page.expect_download() as download:
        ada.press(ada.page.get_by_role("link", name=ada.say("account.data_get")))
    assert table in download.value.path().read_text()
    ada.press(ada.button("account.delete"))
    ada.press(ada.button("account.delete_yes"))
    ada.until_back("")
    expect(ada.row(table)).to_have_count(0)


def test_a_token_is_shown_once_and_holds_until_it_is_withdrawn(house: House, visitor: Invite) -> None:
    ada = visitor(house, Newcomer)
    ada.own_page()
    ada.say_name("Ada")
    expect(ada.page.get_by_text(ada.say("programs.guest"))).to_be_visible()
    ada.make_codes()
    token = ada.make_token("My bot", "bot")

    def whose() -> httpx.Response:
        return httpx.get(f"{house.base}/api/me", headers={"authorization": f"Bearer {token}"})

    assert whose().json()["name"] == "Ada"
    ada.close(ada.drawer("programs.made"))
    ada.reload()
    withdraw = ada.button("programs.end_of", name="My bot")
    expect(withdraw).to_be_visible()
    assert token not in ada.page.content()
    ada.press(withdraw)
    expect(withdraw).to_have_count(0)
    assert whose().status_code == 401


def test_a_mark_stands_beside_the_name_at_tables_from_now_on(house: House, visitor: Invite) -> None:
    ada = visitor(house, Newcomer)
    ada.own_page()
    ada.say_name("Ada")
    before = ada.make_table()
    for key in ("mark.picture.owl", "mark.colour.teal"):
        ada.page.get_by_role("radio", name=ada.say(key), exact=True).check(force=True)
    expect(ada.page.get_by_role("radio", name=ada.say("mark.colour.teal"), exact=True)).to_be_checked()
    expect(ada.button("account.delete")).to_be_enabled()  # it is saved
    table = ada.make_table()
    ada.home()
    seat = ada.row(table).get_by_text("Ada", exact=True)
    expect(seat.locator("svg")).to_have_count(2)  # the seat's own, and the mark
    expect(ada.row(before).get_by_text("Ada", exact=True).locator("svg")).to_have_count(1)


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

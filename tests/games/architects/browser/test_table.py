"""What is special about a table of Architects, by clicking: choices, decks that are far away, seven bots in a hurry."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import PATIENCE
from tests.browser.prepared import lay
from tests.browser.together import sit_down
from tests.games.architects.browser.person import PAYMENT, SET, WONDERS, Architects
from tests.runs import often

SEVEN = ["mason"] * 7


def test_one_of_several_payments_is_chosen(house: House, visitor: Invite) -> None:
    table = lay(house.base, "architects", "paying")
    ada = visitor(house, Architects)
    ada.come_to(table)
    assert ada.my_turn()
    assert ada.asked() == PAYMENT
    expect(ada.button("confirm.build", ada.bar)).to_have_count(0)
    wanted = ada.picks[-1]
    helping = {ada.say(f"token.{token}.with") for token in ("economy", "engineering")}
    paid = [paid for part in ada.caption(wanted).split(",") if (paid := part.strip()) not in helping]
    assert not ada.pick(wanted)
    # What will be paid lies chosen among one's own cards, and what will happen is said in words.
    colours = [ada.region(f"colour.{colour}.title").get_by_role("button") for colour in ("grey", "yellow")]
    chosen = [card.get_attribute("aria-label") or "" for cards in colours for card in ada.chosen(cards)]
    assert sorted(label.partition("×")[2].strip() for label in chosen) == sorted(set(paid))
    ada.take_back()
    assert ada.asked() == PAYMENT
    ada.pick(ada.picks[-1])
    ada.confirm("confirm.build")
    # "{seat} builds stage {stage} of {wonder} with {cards.acc}."
    told = ada.say("log.built", lambda seat: "Ada", seat=0, stage=0).partition("0")[0]
    expect(ada.region("ui.table.log").get_by_text(told).last).to_contain_text(paid[0])


def test_an_extra_card_is_taken_or_left(house: House, visitor: Invite) -> None:
    ada = visitor(house, Architects)
    for leave in (False, True):
        ada.sit("more")
        assert ada.asked() == "act_optional"
        expect(ada.bar).to_contain_text(ada.say("label.optional"))
        if leave:
            ada.end_turn()
            told = ada.say("log.passed", lambda seat: "Ada", seat=0)
            expect(ada.region("ui.table.log")).to_contain_text(told)
        else:
            name = ada.caption(ada.picks[0])
            assert ada.play() == "extra"
            expect(ada.region("ui.table.log")).to_contain_text(re.compile(f"Ada .*{name}"))


def test_symbols_are_turned_in_for_a_token(house: House, visitor: Invite) -> None:
    ada = visitor(house, Architects, language="hu", phone=True)
    ada.sit("claiming")
    if ada.asked().startswith("act"):
        ada.press(ada.button("confirm.claim", ada.bar))
    token = ada.possible(ada.offer)[0]
    name = (token.get_attribute("aria-label") or "").partition(".")[0]
    key = next(key for key, text in ada.words.texts.items() if key.startswith("token.") and text == name)
    ada.press(token)
    if ada.asked() == SET:
        ada.pick(ada.picks[0])
    ada.confirm("confirm.claim")
    ada.press(ada.button("ui.table.log"))
    told = ada.drawer("ui.table.log").get_by_role("listitem").filter(has_text=ada.say(f"{key}.acc"))
    expect(told.filter(has_text="Ada").first).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_light_of_alexandria_reaches_every_deck_of_seven(house: House, visitor: Invite, phone: bool) -> None:
    table = lay(house.base, "architects", "alexandria")
    ada = visitor(house, Architects, phone=phone)
    ada.come_to(table)
    assert ada.my_turn()
    assert ada.asked() == "effect.alexandria"
    titles = {
        wonder: re.compile(re.escape(ada.say(f"deck.{wonder}.title")) + r"\. ") for wonder in (*WONDERS, "central")
    }
    near = {wonder for wonder, title in titles.items() if ada.page.get_by_role("button", name=title).count()}
    assert "alexandria" in near
    assert "central" in near
    if phone:
        ada.press(ada.page.get_by_role("button", name=ada.say("ui.table.opponents")))
        expect(ada.drawer("ui.table.opponents")).to_be_visible()
    far = [wonder for wonder in titles if (phone and wonder not in near) or not phone]
    assert len(far) >= 5
    for wonder in far:
        deck = ada.page.get_by_role("button", name=titles[wonder])
        expect(deck).to_have_count(1)
        deck.scroll_into_view_if_needed()
        box = deck.bounding_box()
        wide = (ada.page.viewport_size or {"width": 0})["width"]
        assert box, f"{wonder} cannot be seen"
        assert min(box["width"], box["height"]) >= 24, wonder
        assert 0 <= box["x"] <= wide - box["width"], wonder
    not_empty = next(wonder for wonder in far if wonder not in ("alexandria", "central"))
    ada.take(ada.page.get_by_role("button", name=titles[not_empty]))
    if phone:
        ada.close(ada.drawer("ui.table.opponents"))
        ada.press(ada.button("ui.table.log"))
        log = ada.drawer("ui.table.log")
    else:
        log = ada.region("ui.table.log")
    expect(log).to_contain_text(re.compile(f"Ada .*{re.escape(ada.say(f'deck.{not_empty}.from'))}"))


def test_a_wonder_can_be_chosen_once(house: House, visitor: Invite) -> None:
    ada = visitor(house, Architects, name="Ada")
    bela = visitor(house, Architects, language="hu", phone=True, name="Béla")
    ada.set_up("open", name="Ada", wonders="chosen", first_player="first_seat")
    sit_down(ada, bela)
    assert ada.my_turn()
    expect(ada.gallery).to_have_count(7)
    expect(bela.gallery).to_have_count(7)
    bela.press(bela.wonder("giza"))
    expect(bela.bar.get_by_role("alert")).to_have_text(bela.say("refuse.not_your_turn"))
    ada.pick(ada.wonder("giza"))
    expect(ada.wonder("giza")).to_have_attribute("aria-pressed", "true")
    ada.confirm("confirm.choose_wonder")
    assert bela.my_turn()
    # What is taken is not there any more; who asks for it all the same is told why.
    expect(bela.gallery).to_have_count(6)
    expect(bela.wonder("giza")).to_have_count(0)
    refusals = {one["choice"]["wonder"]: one["reason"]["key"] for one in bela.heard[-1]["decision"]["refusals"]}
    assert refusals == {"giza": "refuse.wonder_taken"}
    bela.pick(bela.wonder("babylon"))
    bela.confirm("confirm.choose_wonder")
    assert ada.my_turn()
    expect(ada.page.get_by_role("heading", name=ada.say("wonder.giza.title"))).to_be_visible()
    expect(bela.page.get_by_role("heading", name=bela.say("wonder.babylon.title"))).to_be_visible()


@often
def test_seven_bots_play_to_the_end_while_somebody_watches(house: House, visitor: Invite) -> None:
    """Nobody sits at this table: whoever made it looks on."""
    eve = visitor(house, Architects)
    eve.come_to(lay(house.base, "architects", "seven", *SEVEN))
    expect(eve.over).to_be_visible(timeout=PATIENCE)
    expect(eve.end.get_by_role("row")).to_have_count(8)


def test_the_set_up_page_asks_for_the_wonders(house: House, visitor: Invite) -> None:
    """A house rule that is chosen reaches the table; what is for two players is not asked of three."""
    ada = visitor(house, Architects, name="Ada")
    ada.page.goto("/#/new/architects")
    rules = ada.page.locator("summary").filter(has_text=ada.say("ui.setup.house_rules"))
    ada.press(rules)
    shields = "option.two_player_zero_shield_needs_two"
    expect(ada.page.get_by_role("group", name=ada.say(shields), exact=True)).to_have_count(0)
    ada.choose("option.extra_card_optional", "option.extra_card_optional.no")
    expect(rules).to_contain_text(ada.say("ui.setup.house_rules_changed", n=1))
    fewer = f"{ada.say('ui.setup.fewer')}: {ada.say('ui.setup.seat', n=3)}"
    ada.press(ada.page.get_by_role("button", name=fewer))
    expect(ada.page.get_by_role("group", name=ada.say(shields), exact=True)).to_be_visible()
    ada.press(ada.button("ui.setup.start"))
    ada.at_table()
    listed = ada.page.request.get("/api/tables").json()
    assert listed[0]["options"]["extra_card_optional"] == "no"

"""A server that goes and comes back."""

from __future__ import annotations

import json
from socket import create_server
from urllib.parse import urlsplit

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.prepared import lay, make
from tests.games.alhambra.browser.person import Alhambra
from tests.runs import often


@often
def test_a_move_made_while_the_server_is_gone_arrives_when_it_is_back(own_house: House, visitor: Invite) -> None:
    ada = visitor(own_house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    assert ada.my_turn()
    ada.patient = True
    before = ada.bar.get_attribute("data-seq") or ""
    # The page gets what it can say of a piece; cut off in the middle, that would fail by another name.
    with ada.page.expect_event("requestfinished", lambda request: "/assets/Piece" in request.url):
        ada.press(ada.possible(ada.open_money)[0])
    expect(ada.button("confirm.take", ada.bar)).to_be_visible()
    own_house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    ada.press(ada.button("confirm.take", ada.bar))
    own_house.open()
    expect(ada.bar).not_to_contain_text(ada.say("ui.live.lost"))
    expect(ada.bar).not_to_have_attribute("data-seq", before)
    assert ada.my_turn()


def test_what_a_piece_is_cannot_come_while_the_server_is_gone_and_does_afterwards(
    own_house: House, visitor: Invite
) -> None:
    ada = visitor(own_house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    assert ada.my_turn()
    ada.patient = True
    own_house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    with ada.page.expect_event("requestfailed", lambda request: "/assets/" in request.url):
        ada.press(ada.possible(ada.open_money)[0])
    own_house.open()
    expect(ada.bar).not_to_contain_text(ada.say("ui.live.lost"))
    ada.page.keyboard.press("w")
    expect(ada.page.locator("dialog.piece-help")).to_be_visible()


def test_a_move_that_could_not_be_sent_says_so_and_gives_way_to_another(own_house: House, visitor: Invite) -> None:
    ada = visitor(own_house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    assert ada.my_turn()
    ada.page.wait_for_load_state("networkidle")
    ada.patient = True
    before = ada.seq
    first, second = ada.possible(ada.open_money)[:2]
    own_house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    ada.press(first)
    ada.press(ada.button("confirm.take", ada.bar))
    expect(ada.bar).to_contain_text(ada.say("ui.live.unsent"))
    ada.press(ada.button("ui.live.withdraw", ada.bar))
    expect(ada.bar).not_to_contain_text(ada.say("ui.live.unsent"))
    ada.press(first)
    ada.press(ada.button("confirm.take", ada.bar))
    expect(ada.bar).to_contain_text(ada.say("ui.live.unsent"))
    # Another choice takes its place.
    sent: list[str] = []
    ada.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame)["type"]))
    )
    ada.press(second)
    ada.press(ada.button("confirm.take", ada.bar))
    expect(ada.bar).to_contain_text(ada.say("ui.live.unsent"))
    own_house.open()
    ada.catch_up(before + 1)
    assert ada.my_turn()
    assert sent.count("move") == 1


def at_a_table_in_the_dark(house: House, visitor: Invite, script: str) -> Alhambra:
    """Somebody whose page runs a script is to move, and then the server ends."""
    ada = visitor(house, Alhambra)
    ada.page.add_init_script(script)
    ada.page.goto("about:blank")
    ada.set_up("mason")
    ada.at_table()
    assert ada.my_turn()
    ada.page.wait_for_load_state("networkidle")
    ada.patient = True
    house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    return ada


SLOW = """
const listens = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage')
Object.defineProperty(WebSocket.prototype, 'onmessage', {
  set(hear) { listens.set.call(this, (event) => (window.held ? held.push(() => hear(event)) : hear(event))) },
})
"""
ARRIVES = "for (const hear of held) hear(); held = null"


def test_a_move_made_while_the_connection_comes_back_is_sent(own_house: House, visitor: Invite) -> None:
    """It is open again, and the news that tell the page so are still on their way."""
    ada = at_a_table_in_the_dark(own_house, visitor, SLOW)
    before = ada.seq
    ada.page.evaluate("held = []")
    own_house.open()
    ada.page.wait_for_function("() => held.length")
    ada.press(ada.possible(ada.open_money)[0])
    ada.press(ada.button("confirm.take", ada.bar))
    ada.window.changed = True
    ada.page.evaluate(ARRIVES)
    ada.catch_up(before + 1)
    assert ada.my_turn()


COUNTED = """
const all = [], Real = WebSocket
window.WebSocket = class extends Real {
  constructor(at) {
    super(at)
    all.push(this)
  }
}
window.alive = () => all.filter((one) => one.readyState < WebSocket.CLOSING).length
"""


def test_whoever_tries_again_has_one_connection(own_house: House, visitor: Invite) -> None:
    """However often they do, while nobody answers."""
    ada = at_a_table_in_the_dark(own_house, visitor, COUNTED)
    with create_server(("127.0.0.1", urlsplit(own_house.base).port or 0)):
        for _ in range(5):
            ada.page.evaluate("dispatchEvent(new Event('online'))")
        assert ada.page.evaluate("alive()") == 1
    ada.troubles.clear()  # Chromium says of each that it came to nothing


def test_what_is_chosen_while_the_server_is_gone_is_looked_at_when_it_is_back(
    own_house: House, visitor: Invite
) -> None:
    ada = visitor(own_house, Alhambra)
    ada.come_to(lay(own_house.base, "alhambra", "late"))
    assert ada.my_turn()
    ada.page.wait_for_load_state("networkidle")
    ada.patient = True
    own_house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    ada.press(ada.possible(ada.yard)[0])
    own_house.open()
    expect(ada.button("confirm.keep", ada.bar)).to_be_enabled()


def test_whoever_goes_back_closes_the_drawer_and_stays_at_the_table(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, phone=True)
    ada.set_up("mason")
    ada.at_table()
    here = ada.page.url
    for drawer, opener in (("ui.settings.title", "ui.settings.title"), ("ui.table.log", "ui.table.log")):
        ada.press(ada.button(opener).filter(visible=True))
        expect(ada.drawer(drawer)).to_be_visible()
        ada.page.go_back()
        expect(ada.drawer(drawer)).to_have_count(0)
        assert ada.page.url == here
        ada.at_table()
    # Closed by hand it leaves nothing behind: the next way back leads away.
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    ada.close(ada.drawer("ui.settings.title"))
    ada.page.wait_for_function("() => !history.state?.drawer")
    ada.page.go_back()
    ada.bar.wait_for(state="detached")


# The link is followed while the entry of the closed drawer is still being left.
AT_ONCE = """
() => {
  const back = history.back.bind(history)
  history.back = () => {
    back()
    history.back = back
    document.querySelector('a[href="#/"]').click()
  }
}
"""


def test_a_link_that_is_followed_right_after_a_drawer_was_closed_leads_away(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    drawer = ada.drawer("ui.settings.title")
    expect(drawer).to_be_visible()
    ada.window.changed = True
    ada.page.evaluate(AT_ONCE)
    ada.press(ada.button("ui.common.close", drawer))
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(ada.say("ui.home.title"))
    ada.page.go_back()
    ada.at_table()
    ada.page.wait_for_function("() => !history.state?.drawer")


def test_a_link_in_a_drawer_needs_no_second_way_back(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    here = ada.page.url
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    ada.press(ada.page.get_by_role("link", name=ada.say("ui.settings.account")))
    ada.bar.wait_for(state="detached")
    ada.page.go_back()
    ada.at_table()
    assert ada.page.url == here
    ada.page.wait_for_function("() => !history.state?.drawer")
    ada.page.go_back()
    ada.bar.wait_for(state="detached")


def test_a_building_that_is_touched_asks_the_server_once(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    ada.sit("late")
    sent: list[str] = []
    assert ada.socket
    ada.socket.on("framesent", lambda frame: sent.append(json.loads(frame)["type"]))
    ada.press(ada.possible(ada.yard)[0])
    expect(ada.button("confirm.keep", ada.bar)).to_be_enabled()
    assert sent.count("preview") == 1


NOT_READY = """
const parse = JSON.parse
let times = 0
JSON.parse = (text) => {
  const { id, ...read } = parse(text)
  if (read?.type === 'hint' && times++ < 1) return { type: 'error', id, code: 'not_ready', detail: '', args: {} }
  return parse(text)
}
"""


def test_an_adviser_who_is_not_ready_is_asked_again(house_of_masters: House, visitor: Invite) -> None:
    house_of_masters.until_advisers_are_ready("alhambra")
    ada = visitor(house_of_masters, Alhambra, theme="dark")
    ada.page.add_init_script(NOT_READY)
    ada.page.goto("about:blank")
    ada.home()
    ada.press(ada.button("ui.home.play_now", ada.plate))
    ada.at_table()
    assert ada.my_turn()
    ada.press(ada.button("ui.hint.ask", ada.bar))
    expect(ada.bar).to_contain_text(ada.say("ui.hint.preparing"))
    expect(ada.button("ui.hint.play", ada.bar)).to_be_visible()
    ada.page.evaluate("localStorage.left = 1")  # nobody else gets this window


@often
def test_two_windows_of_one_person_show_one_game(house: House, visitor: Invite) -> None:
    """What is chosen in one is no move yet; what is played in one is played in both."""
    table = make(house.base, "alhambra", "me", "mason")
    here = visitor(house, Alhambra, name="Ada", cookie=table.cookie)
    there = visitor(house, Alhambra, name="Ada", cookie=table.cookie, language="hu", phone=True)
    for window in (here, there):
        window.come_to(table)
    for plays, waits in ((there, here), (here, there), (there, here)):
        assert plays.my_turn()
        assert waits.my_turn()
        waits.catch_up(plays.seq)
        waits.press(waits.possible(waits.open_money)[0])
        expect(waits.button("confirm.take", waits.bar)).to_be_visible()
        before = plays.seq
        plays.take_money()
        for window in (plays, waits):
            window.catch_up(before + 1)
        # What was chosen for the position before is forgotten, and refuses nothing.
        expect(waits.button("confirm.take", waits.bar)).to_have_count(0)
        expect(waits.bar.get_by_role("alert")).to_have_count(0)

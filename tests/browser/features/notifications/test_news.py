"""A push is shown, and opens the table; nobody is asked on loading."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.newcomer import Newcomer
from tests.runs import often

SUBSCRIBES = """
const keys = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}
let made = null
const subscription = () => ({
  unsubscribe: async () => (made = null),
  toJSON: () => ({ endpoint: 'https://127.0.0.1:9/push', expirationTime: null, keys }),
})
PushManager.prototype.subscribe = async (options) => {
  if (!options.userVisibleOnly || options.applicationServerKey.length !== 87) throw new Error('not asked so')
  return (made = subscription())
}
PushManager.prototype.getSubscription = async () => made
"""


def until(ada: Newcomer, condition: Any) -> None:
    """Wait for something outside of the page."""
    for _ in range(400):
        if condition():
            return
        ada.page.wait_for_timeout(50)
    raise AssertionError("it never came")


@often
def test_a_browser_is_told_by_a_button_and_a_push_opens_the_table(house: House, visitor: Invite) -> None:
    # A window of a size of its own, that nobody had before: they may have left a worker behind.
    ada = visitor(house, Newcomer, size=(1366, 767))
    ada.page.add_init_script(SUBSCRIBES)
    ada.context.grant_permissions(["notifications"], origin=house.base)
    ada.own_page()
    assert ada.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
    news = ada.region("news.set.title")
    ada.expects("400")  # the shared server sends nothing to this machine
    ada.press(ada.button("news.set.push", news))
    expect(ada.page.get_by_role("alert")).to_be_visible()
    registration = "const here = await navigator.serviceWorker.ready"
    assert ada.page.evaluate(f"async () => {{ {registration}; return here.active.scriptURL }}").endswith("/sw.js")
    table = ada.make_table()
    devtools = ada.context.new_cdp_session(ada.page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    until(ada, lambda: found)
    told = {"title": "Kártyák (Ann)", "body": "Te jössz.", "url": f"#/table/{table}", "tag": table, "key": "k"}
    end = {"url": "/api/news/end/x/y", "title": "Ide ne"}
    push = {"origin": house.base, "registrationId": found[0], "data": json.dumps({**told, "end": end})}
    look = (
        f"async () => {{ {registration}; return (await here.getNotifications()).map((n) => [n.title, n.body, n.tag]) }}"
    )

    def deliver(push: dict[str, str], came: Callable[[], Any]) -> None:
        """Chromium may lose a push that follows another: it is sent again, and shown once, as it has a tag."""
        for _ in range(10):
            devtools.send("ServiceWorker.deliverPushMessage", push)
            for _ in range(40):
                if came():
                    return
                ada.page.wait_for_timeout(50)
        raise AssertionError("it never came")

    deliver(push, lambda: ada.page.evaluate(look))
    assert ada.page.evaluate(look) == [["Kártyák (Ann)", "Te jössz.", table]]
    # What is sent for the same table replaces it; what comes after it is another's.
    again = {**push, "data": json.dumps({**told, "body": "Még mindig te jössz."})}
    deliver(again, lambda: ada.page.evaluate(look) == [["Kártyák (Ann)", "Még mindig te jössz.", table]])
    other = {**push, "data": json.dumps({**told, "tag": "another"})}
    deliver(other, lambda: "another" in [tag for *_, tag in ada.page.evaluate(look)])
    assert sorted(tag for *_, tag in ada.page.evaluate(look)) == sorted([table, "another"])

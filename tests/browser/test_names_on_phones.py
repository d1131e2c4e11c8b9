"""The other players in short: on a phone each name is whole, or says that it goes on, and runs into nothing."""

from __future__ import annotations

import pytest
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure_soon
from tests.browser.person import Person
from tests.browser.prepared import make
from tests.example import EXAMPLE
from tests.runs import often

import ziggurat

WINDOWS = ((320, 640), (360, 740), (390, 844), (640, 320), (740, 360), (844, 390))
SHORT = ("Ben", "Cleo", "Dan", "Eve", "Fay", "Gus")
LONG = ("Bartholomew", "Vendégfogadós", "MWMWMWMWMW", "Szilveszter", "Maximilian", "Illili")
CLOCKS = {
    "by days": {"kind": "days", "step": 86400, "reserve": 259200},
    "live": {"kind": "live", "step": 30, "reserve": 600},
}
TOPS = "(chips) => chips.map((chip) => chip.getBoundingClientRect().top)"
WRONG = ("cut", "touching", "crossed", "covered", "sideways")
MOST = (EXAMPLE, ziggurat.game(EXAMPLE).max_players, "live")
TABLES = [
    pytest.param(*table, marks=often if table == MOST else ())
    for game in ziggurat.registered_games()
    for players in range(ziggurat.game(game).min_players, ziggurat.game(game).max_players + 1)
    for table in ((game, players, which) for which in ("short", "long", *CLOCKS))
]


@pytest.mark.parametrize(("game", "players", "which"), TABLES)
def test_the_other_players_in_short_can_be_told_apart(
    house: House, visitor: Invite, game: str, players: int, which: str
) -> None:
    ada: Person = visitor(house, type("Somebody", (Person,), {"game": game}), phone=True, size=WINDOWS[0])
    names = (SHORT if which == "short" else LONG)[: players - 1]
    more = {"time": CLOCKS[which]} if which in CLOCKS else {}
    seats = ("me", *["mason"] * (players - 1))
    ada.come_to(make(house.base, game, *seats, cookie=ada.cookie, company=names, **more))
    wrong = []
    for width, height in WINDOWS:
        ada.page.set_viewport_size({"width": width, "height": height})
        faults = measure_soon(ada.page, touch=True, names=names, only=WRONG)
        wrong += [f"{width}x{height}: {fault}" for fault in faults]
        tops = ada.page.locator("[aria-haspopup=dialog] [data-place^='seat:']").evaluate_all(TOPS)
        wrong += [f"{width}x{height}: the players begin at {top}" for top in tops if top < -0.5]
    assert wrong == [], "\n".join(wrong)

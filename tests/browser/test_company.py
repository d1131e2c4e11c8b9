"""An evening with others, on any device: what is asked of people is seen at once, and what others do, too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.company_pages import at_the_end, ended
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.newcomer import Newcomer
from tests.browser.person import Anybody, Person
from tests.browser.prepared import COMPANY, Table, begin, in_a_thread, make, newcomer, play_on, seat_guest
from tests.example import EXAMPLE, SHORT
from tests.runs import often
from tests.server.player import visitor as player

import ziggurat

UPRIGHT, LYING, NARROW = (390, 844), (844, 390), (320, 640)


def box(place: Locator) -> tuple[float, float, float, float]:
    """Where something is: left, top, right and bottom."""
    expect(place).to_be_visible()
    found = place.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def test_who_invites_whom_is_seen_at_once_in_a_low_window(house: House, visitor: Invite) -> None:
    table = make(house.base, EXAMPLE, "me", "open")
    eve = visitor(house, Anybody, phone=True, size=LYING)
    eve.page.goto(f"/#/join/{table.id}/{table.invite}")
    title = eve.page.get_by_role("heading", level=1, name=eve.say("ui.invite.from", host="Ada", game=eve.say("name")))
    assert box(title)[3] < LYING[1], "it is below the picture"


@pytest.mark.parametrize("size", [(360, 740), (740, 360), (1280, 800)])
def test_what_everybody_waits_for_is_in_sight(house: House, visitor: Invite, size: tuple[int, int]) -> None:
    """However many sit there: the button that begins, for its host; for the invited, the one by which they sit down."""
    seats = ziggurat.game(EXAMPLE).max_players
    table = make(house.base, EXAMPLE, "me", *["open"] * (seats - 1))
    for name in (*COMPANY, "Cili", "Dan")[: seats - 1]:
        seat_guest(house.base, table, name)
    ada = visitor(house, Anybody, phone=size[0] < 1000, size=size, cookie=table.cookie)
    ada.page.goto(f"/#/table/{table.id}")
    place = box(ada.button("ui.wait.start"))
    assert place[3] <= size[1], "it has to be scrolled to"
    free = make(house.base, EXAMPLE, "me", *["open"] * (seats - 1))
    eve = visitor(house, Anybody, phone=size[0] < 1000, size=size)
    eve.page.goto(f"/#/join/{free.id}/{free.invite}")
    assert box(eve.button("ui.invite.join"))[3] <= size[1], "it has to be scrolled to"


@pytest.mark.parametrize("game", ziggurat.registered_games())
def test_that_a_bot_plays_for_somebody_is_seen_beside_their_name(house: House, visitor: Invite, game: str) -> None:
    """Also where most people sit, under the longest name, with a clock."""
    bots = ziggurat.game(game).max_players - 2
    live = {"kind": "live", "reserve": 600, "step": 30}
    table = make(house.base, game, "me", "open", *["random"] * bots, time=live)
    cookie = seat_guest(house.base, table, COMPANY[0])
    begin(house.base, table)
    ada: Person = visitor(house, type("Somebody", (Person,), {"game": game}), size=(1280, 800))
    ada.come_to(table)
    gone = ada.context.request.post(f"/api/tables/{table.id}/leave?bot=true", headers={"cookie": f"ziggurat={cookie}"})
    assert gone.ok, gone.text()
    sign = ada.page.get_by_title(ada.say("ui.seat.stand_in", name=COMPANY[0]))
    left, top, right, bottom = box(sign.first)
    assert min(right - left, bottom - top) >= 14, "it is clipped"


def test_a_table_is_looked_for_in_two_taps(house: House, visitor: Invite) -> None:
    """The list of open tables is followed by less important things, and what searches is in sight at once."""
    eve = visitor(house, Newcomer, language="hu", phone=True, size=UPRIGHT)
    eve.home()
    listed = eve.region("open.title")
    file = eve.page.get_by_role("link", name=eve.say("ui.home.replay"))
    assert box(file)[1] > box(listed.get_by_role("heading"))[3], "it stands above what most people come for"
    eve.press(eve.button("open.find"))
    asks = eve.drawer("open.find")
    assert box(eve.button("open.find.go", asks))[3] <= UPRIGHT[1], "it has to be scrolled to"


@often
def test_all_that_can_be_chosen_fits_on_a_narrow_phone(house: House, visitor: Invite) -> None:
    eve = visitor(house, Newcomer, language="hu", phone=True, size=NARROW)
    eve.home()
    eve.press(eve.button("open.find"))
    asks = eve.drawer("open.find")
    edge = box(asks.get_by_label(eve.say("open.name")))[2]
    strips = asks.locator(".strip")
    expect(strips).to_have_count(3)
    assert [box(strip)[2] <= edge for strip in strips.all()] == [True] * 3


@pytest.mark.parametrize("size", [UPRIGHT, LYING])
def test_a_finished_game_is_looked_through_on_a_phone(house: House, visitor: Invite, size: tuple[int, int]) -> None:
    """The slider is long enough for a finger, and nothing sticks to its neighbour."""
    game = ended(house.base)
    ann = visitor(house, Newcomer, name="Ann", phone=True, size=size)
    at_the_end(ann, game["table"], game["ann"])
    ann.press(ann.button("ui.end.replay"))
    slider = ann.page.get_by_role("slider", name=ann.say("ui.replay.title"))
    left, _, right, _ = box(slider)
    assert right - left > 200
    review, leave = (box(ann.button(key)) for key in ("ui.review.title", "ui.replay.leave"))
    assert leave[0] - review[2] >= 4
    if size == UPRIGHT:
        for key in ("room.what_if", "room.lead", "room.point"):
            left, _, right, _ = box(ann.button(key).locator("span"))
            assert right - left > 20, f"{key} is a sign without words"


@pytest.mark.parametrize("size", [UPRIGHT, LYING, (360, 740)])
def test_the_next_game_is_one_press_away(house: House, visitor: Invite, size: tuple[int, int]) -> None:
    bots = ziggurat.game(SHORT).max_players - 1
    table = play_on(house.base, make(house.base, SHORT, "me", *["random"] * bots))
    ann = visitor(house, Newcomer, name="Ann", phone=True, size=size)
    at_the_end(ann, table.id, table.cookie)
    expect(ann.page.get_by_text(ann.say("ui.end.other"), exact=True)).to_be_visible()
    for place in (ann.button("ui.end.rematch"), ann.page.get_by_text(ann.say("ui.end.other"), exact=True)):
        assert box(place)[3] <= size[1], "it has to be scrolled to"


def test_games_of_a_group_do_not_stick_to_each_other(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody, cookie=newcomer(house.base, "Ada"), phone=True, size=UPRIGHT)
    made = ada.context.request.post("/api/groups", data={"name": "Friday", "called": "Ada"}).json()
    ada.page.goto(f"/#/group/{made['id']}")
    ada.press(ada.button("folk.tonight"))
    games = ada.drawer("folk.tonight").locator("li .primary")
    first, second = box(games.nth(0)), box(games.nth(1))
    assert second[1] - first[3] >= 4, "one sticks to the other"


def scored(base: str) -> Table:
    """A game that goes on after a scoring."""
    table = make(base, EXAMPLE, "me", "random")

    async def play() -> None:
        async with player(base) as person:
            person.http.cookies.set("ziggurat", table.cookie)
            async with person.at(table.id) as live:
                while await live.turn() and not any(event["type"] == "round_scored" for event in live.log):
                    await live.move()

    in_a_thread(play)
    return table


def test_points_that_fall_are_nobodys_who_looks_on(house: House, visitor: Invite) -> None:
    table = scored(house.base)
    ada = visitor(house, Anybody)
    ada.become(table.cookie)
    invite = ada.context.request.get(f"/api/tables/{table.id}").json()["invite"]
    eve, screen = visitor(house, Anybody), visitor(house, Anybody, size=(1920, 1080))
    eve.page.goto(f"/#/table/{table.id}/{invite}")
    why = eve.bar.get_by_role("button", name=eve.say("scoring.why.title"))
    expect(why).to_be_visible()
    expect(why).not_to_contain_text(eve.say("label.points", points=0))
    # A big screen has nothing to press.
    screen.page.goto(f"/#/screen/{table.id}/{invite}")
    expect(screen.bar).to_be_visible()
    expect(screen.page.get_by_text(screen.say("scoring.why.title"))).to_be_hidden()

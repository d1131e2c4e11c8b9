"""What is special about a table of Ginkgopolis, by clicking: secrets, prices, markers, tiles that run out, the city."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.heard import SECRET, parts
from tests.browser.house import House
from tests.browser.keys import KeyboardPlayer, focused, press_until
from tests.browser.measure import settle
from tests.browser.person import Json
from tests.browser.prepared import lay, of_old
from tests.browser.together import sit_down_at
from tests.games.ginkgopolis.browser.person import Ginkgopolis
from tests.games.ginkgopolis.browser.prepared import ended
from tests.runs import often

# --- Secrets ---


def test_what_lies_face_down_is_on_one_screen_only(house: House, visitor: Invite) -> None:
    """Of chosen cards, of hands and of what screens hide, nothing is on the page or in the messages of others."""
    ada = visitor(house, Ginkgopolis, name="Ada")
    bela = visitor(house, Ginkgopolis, language="hu", theme="dark", name="Béla")
    sit_down_at(lay(house.base, "ginkgopolis", "secrets", "me", "open"), ada, bela)
    seen: Counter[str] = Counter()
    for person in (ada, bela):
        person.rather = ("urbanize",)
    for _ in range(2):  # each of them is first once
        a_round_in_secret(ada, bela, seen)
    assert {"tile hidden from Ada", "tile hidden from Béla", "known"} <= set(+seen), seen


def a_round_in_secret(ada: Ginkgopolis, bela: Ginkgopolis, seen: Counter[str]) -> None:
    first, second = (ada, bela) if ada.state["view"]["first"] == 0 else (bela, ada)
    choose_what_is_hidden(second, first, seen)
    what_is_secret_is_nowhere(first, second)
    first.play()
    second.catch_up(first.seq)
    # The first acts. As long as that takes a decision, the card of the second is still face down.
    while first.state["view"]["phase"] in ("good", "marker") and first.state["view"]["turn"] == first.you:
        hidden = second.own["chosen"]
        laid = "label.chosen_hidden_tile" if hidden["with_tile"] else "label.chosen_hidden"
        expect(first.player(second.name).get_by_role("img", name=first.say(laid), exact=True)).to_be_visible()
        what_is_secret_is_nowhere(first, second)
        # What is turned over, everybody sees.
        played = second.state["view"]["builders"][first.you]["played"]
        words = second.say("label.played", card=played["card"])
        shown = second.player(first.name).get_by_role("img", name=re.compile(f"^{re.escape(words)}"))
        expect(shown).to_be_visible()
        seen[f"tile hidden from {first.name}"] += hidden["with_tile"]
        first.play()
        second.catch_up(first.seq)
    # The rest of the round, tiles to give back among it. In the end everything is shown.
    while first.state["view"]["phase"] != "choose":
        if first.state["view"]["finished"]:
            return
        one, other = (first, second) if first.legal else (second, first)
        one.play()
        other.catch_up(one.seq)
    for one, other in ((first, second), (second, first)):
        what_is_secret_is_nowhere(one, other)
        seen["known"] += what_was_passed_is_remembered(one, other)


def choose_what_is_hidden(second: Ginkgopolis, first: Ginkgopolis, seen: Counter[str]) -> None:
    """Lay a card down with a tile if possible; the other page only says that it lies there."""
    second.play()
    first.catch_up(second.seq)
    chosen = second.own["chosen"]
    assert chosen["card"]
    laid = "label.chosen_hidden_tile" if chosen["with_tile"] else "label.chosen_hidden"
    expect(first.player(second.name).get_by_role("img", name=first.say(laid), exact=True)).to_be_visible()
    expect(second.bar).to_contain_text(second.say("ask.choose_waiting"))
    # Laid down it stays, and the page says so.
    second.press(second.card(second.own["hand"][0]))
    expect(second.bar.get_by_role("alert")).to_have_text(second.say("refuse.committed"))
    seen["chosen"] += 1


def what_is_secret_is_nowhere(reader: Ginkgopolis, other: Ginkgopolis) -> None:
    """Neither in the messages nor on the page, as a cheat reads it."""
    other.catch_up(reader.seq)
    reader.catch_up(other.seq)
    news = reader.heard[reader.read :]
    reader.read = len(reader.heard)
    for message in news:
        if message["type"] == "update" and message["view"]:
            hears_nothing_of_others(message, reader.you)
        for path, name, value in parts(message):
            assert name not in SECRET - {"deck"} or value is None, f"{path} = {value!r}"
    theirs = other.own
    hidden = {*theirs["tiles"]}
    if theirs["chosen"] and theirs["chosen"]["tile"]:
        hidden.add(theirs["chosen"]["tile"])
    # A tile that could not be paid for was turned over, and went back behind the screen.
    hidden -= {event["args"]["tile"] for event in told(reader) if event["type"] == "fell_back"}
    # What the reader had behind the screen and gave back may have been drawn by the other since.
    views = [message["view"] for message in reader.heard if message["type"] == "update" and message["view"]]
    hidden -= {tile for view in views for tile in view["builders"][reader.you]["tiles"] or ()}
    heard = json.dumps(news)
    page = str(reader.page.evaluate("document.documentElement.outerHTML"))
    for tile in hidden:
        assert f'"{tile}"' not in heard, f"{tile} was told"
        assert not re.search(rf"\b{re.escape(reader.say('label.card', card=tile))}\b", page), f"{tile} is on the page"


def told(person: Ginkgopolis) -> list[Json]:
    """Every event that was heard."""
    return [event for message in person.heard if message["type"] == "update" for event in message["events"]]


def hears_nothing_of_others(message: Json, seat: int) -> None:
    assert message["view"]["seat"] == message["table"]["you"] == seat
    # The piles are numbers, and nothing else.
    assert all(isinstance(message["view"][pile], int) for pile in ("deck", "discard", "tiles"))
    for event in message["events"]:
        secret = event.get("private") or event["type"] in ("chose", "drew_cards", "saw_tiles", "saw_returned")
        assert not secret or event["seat"] == seat, event
    for builder in message["view"]["builders"]:
        if builder["seat"] == seat or message["view"]["finished"]:
            continue
        for what in ("hand", "tiles", "points", "draft"):
            assert builder[what] is None, f"{what} of seat {builder['seat']}: {builder[what]}"
        if builder["chosen"]:
            assert builder["chosen"]["card"] is None
            assert builder["chosen"]["tile"] is None
        if message["view"]["phase"] == "draft":
            assert builder["characters"] == []


def what_was_passed_is_remembered(person: Ginkgopolis, left: Ginkgopolis) -> int:
    """The table remembers the cards that the left neighbour has just got from oneself, and no others."""
    view = person.state["view"]
    if view["round"] == 1 or view["finished"]:
        return 0
    earlier = [message["view"] for message in person.heard if message["type"] == "update" and message["view"]]
    hands = [one["builders"][person.you]["hand"] for one in earlier if one["round"] == view["round"] - 1]
    passed = {*max(hands, key=len)} - {person.own["played"]["card"]}
    known: list[str] = view["builders"][left.you]["known"]
    assert {*known} == passed
    assert {*known} <= {*left.own["hand"]}
    if known:
        begins = re.escape(person.say("label.known", cards=[]).strip())
        remembered = person.player(left.name).get_by_role("img", name=re.compile(f"^{begins}"))
        for card in known:
            words = re.escape(person.say("label.card", card=card))
            expect(remembered).to_have_accessible_name(re.compile(rf"\b{words}\b"))
    return len(known)


# --- What a card would do ---


def test_what_a_card_is_said_to_do_is_what_it_does(house: House, visitor: Invite) -> None:
    """Alone, with a tile at the edge, with a tile on a building: costs and gains are said before, and then happen."""
    ada = visitor(house, Ginkgopolis, name="Ada")
    ada.set_up(name="Ada")
    ada.at_table()
    seen: Counter[str] = Counter()
    games = 1
    while not (seen["exploit"] and seen["urbanize"] and seen["construct"] > 1 and seen["unpayable"]):
        state = ada.state
        if state["view"]["finished"]:
            games += 1
            assert games < 4, f"only seen: {seen}"
            ada.set_up()
            ada.at_table()
            continue
        if state["view"]["phase"] != "choose":
            ada.play()
            continue
        choices = [one for one in state["decision"]["legal"] if one["type"] == "card"]
        uses = [(choice["card"], use) for choice in choices for use in choice["uses"]]
        if not seen["unpayable"] and (dear := [one for one in uses if one[1]["tile"] and not one[1]["payable"]]):
            cannot_be_paid(ada, *dear[0])
            seen["unpayable"] += 1
        payable = [one for one in uses if one[1]["payable"]]
        card, use = min(payable, key=lambda one: (seen[one[1]["kind"]], -sum(one[1]["gains"].values())))
        seen[use["kind"]] += does_what_it_says(ada, card, use)


def row(ada: Ginkgopolis, use: Json) -> str:
    """What a use is called where it can be chosen."""
    words = [
        ada.say("use.with", tile=use["tile"]) if use["tile"] else ada.say("use.alone"),
        ada.say(f"trigger.{use['kind']}") if use["payable"] or not use["tile"] else ada.say("use.unpayable"),
        ada.say("use.costs", costs=ada.goods(use["costs"])) if use["payable"] and use["costs"] else "",
        ada.say("use.gains", gains=ada.goods(use["gains"])) if use["payable"] else "",
    ]
    return ", ".join(filter(None, words))


def cannot_be_paid(ada: Ginkgopolis, card: str, use: Json) -> None:
    """That is said in the row, at the tile and in the bar; it may be played all the same."""
    ada.press(ada.card(card))
    expect(ada.use(card, use["tile"])).to_have_accessible_name(row(ada, use))
    name = f"{ada.say('label.tile', tile=use['tile'])}, {ada.say('use.unpayable')}"
    expect(ada.tile(use["tile"])).to_have_accessible_name(name)
    ada.press(ada.tile(use["tile"]))
    expect(ada.bar).to_contain_text(ada.say("use.unpayable.help").rstrip("."))
    expect(ada.button("confirm.with_tile", ada.bar, card=card, tile=use["tile"])).to_be_visible()
    ada.take_back()


def does_what_it_says(ada: Ginkgopolis, card: str, use: Json) -> bool:
    """Say beforehand what it costs and gives; compare what is behind the screen afterwards, and what the log tells.

    False: it was the last one of the game, after which the city gives points, too.
    """
    before, left, heard = ada.own, ada.state["view"]["tiles"], len(ada.heard)
    ada.press(ada.card(card))
    expect(ada.card(card)).to_have_attribute("aria-pressed", "true")
    line = ada.use(card, use["tile"])
    expect(line).to_have_accessible_name(row(ada, use))
    ada.press(line)
    expect(line).to_have_attribute("aria-pressed", "true")
    gains, costs = use["gains"], use["costs"]
    # What another colour costs goes back to the supply; more than there is nobody gets.
    repaid = use["kind"] == "construct" and card.split()[0] != use["tile"].split()[0]
    most = {"resource": before["supply"] + repaid, "tile": left}
    got = {good: min(count, most.get(good, count)) for good, count in gains.items()}
    if got != gains:
        expect(ada.region("use.title")).to_contain_text(ada.say("use.supply_short"))
    ada.confirm(f"confirm.{use['kind']}")
    taken: Counter[str] = Counter()
    # What follows at once; markers that Hal has to move are no part of it.
    while (asked := ada.state["view"]["phase"]) in ("good", "marker") and ada.state["view"]["turn"] == 0:
        if asked == "good":
            taken[ada.legal[-1]["good"]] += 1
        ada.play()
    if ada.state["view"]["finished"]:
        return False
    after = ada.own
    events = [one for message in ada.heard[heard:] if message["type"] == "update" for one in message["events"]]
    back = [event["args"] for event in events if event["type"] == "got_back" and event["seat"] == 0]
    resources = got.get("resource", 0) + taken["resource"] - costs.get("resource", 0)
    points = got.get("point", 0) - costs.get("point", 0)
    tiles = got.get("tile", 0) + taken["tile"] - (use["tile"] is not None)
    assert after["resources"] - before["resources"] == resources + sum(one["resources"] for one in back), (use, events)
    assert after["points"] - before["points"] == points + sum(one["points"] for one in back), (use, events)
    assert after["tile_count"] - before["tile_count"] == tiles, (use, events)
    # What the page says is the same.
    mine = ada.region("label.tableau")
    expect(mine).to_contain_text(ada.say("label.resources_screen", count=after["resources"]))
    expect(mine).to_contain_text(ada.say("label.points", points=after["points"]))
    told = ada.region("ui.table.log")
    if use["kind"] == "construct":
        expect(mine).to_contain_text(ada.say("trigger.construct.title"))
        built = next(event["args"] for event in events if event["type"] == "constructed")
        assert built["cost"] == costs.get("point", 0)
        expect(told).to_contain_text(ada.say("log.constructed", ada.called, seat=0, **built))
        words = ada.say("label.building", ada.called, **of_tile(use["tile"]), height=built["height"], seat=0)
        expect(ada.building(use["tile"])).to_have_accessible_name(re.compile(f"^{re.escape(words)}(;|$)"))
    elif use["kind"] == "urbanize":
        # Until the deck is made anew, nobody has the card of the new building.
        site = next(
            one["site"] for one in ada.state["view"]["buildings"] if of_tile(use["tile"]).items() <= one.items()
        )
        assert site or any(event["type"] == "rebuilt" for event in events)
        words = ada.say("label.site")
        name = re.compile(f"; {re.escape(words)}(;|$)" if site else f"^(?!.*{re.escape(words)})")
        expect(ada.building(use["tile"])).to_have_accessible_name(name)
    else:
        expect(told).to_contain_text(ada.say("log.exploited", ada.called, seat=0, card=card))
    return True


def of_tile(tile: str) -> Json:
    colour, number = tile.split()
    return {"colour": colour, "number": int(number)}


# --- Markers ---


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_another_marker_makes_room(house: House, visitor: Invite, phone: bool) -> None:
    table = lay(house.base, "ginkgopolis", "shift")
    ada = visitor(house, Ginkgopolis, phone=phone, language="hu" if phone else "en")
    ada.come_to(table)
    assert ada.my_turn()
    moving = ada.state["view"]["moving"]
    expect(ada.bar).to_contain_text(ada.say("ask.marker_shift", marker=moving))
    targets = ada.targets
    assert targets
    neighbours = {choice["notation"] for choice, _ in targets}
    assert neighbours <= {"shift before", "shift after"}
    choice, place = targets[0]
    letter = letter_at(ada, choice)
    expect(place).to_have_accessible_name(re.compile(re.escape(ada.say("label.shift_this", marker=letter))))
    ada.press(place)
    expect(ada.button("confirm.shift", ada.bar)).to_be_visible()
    ada.take_back()
    ada.move_marker(choice)
    assert letter_at(ada, choice) in ("", moving)
    # Now there is a place, and the marker goes there.
    assert ada.my_turn()
    assert ada.state["view"]["moving"] == moving
    expect(ada.bar).to_contain_text(ada.say("ask.marker_special", marker=moving))
    seen = log(ada)
    expect(seen).to_contain_text(ada.say("log.marker_shifted", ada.called, seat=0, marker=letter))
    if phone:
        ada.close(ada.drawer("ui.table.log"))
    choice, _ = ada.targets[-1]
    ada.move_marker(choice)
    assert letter_at(ada, choice) == moving
    expect(ada.marker(moving)).to_be_visible()


def test_a_marker_goes_to_a_free_cell_only(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    ada.sit("marker")
    view = ada.state["view"]
    expect(ada.bar).to_contain_text(ada.say("ask.marker", marker=view["moving"]))
    other = next(marker["letter"] for marker in view["markers"] if marker["letter"] != view["moving"])
    ada.press(ada.marker(other))
    expect(ada.bar.get_by_role("alert")).to_have_text(ada.say("refuse.cell_taken"))
    # Touching the place again is enough.
    choice, place = ada.targets[0]
    ada.press(place)
    expect(ada.button("confirm.move", ada.bar)).to_be_visible()
    before = ada.bar.get_attribute("data-seq") or ""
    ada.press(place)
    expect(ada.bar).not_to_have_attribute("data-seq", before)
    assert letter_at(ada, choice) == view["moving"]


def test_a_marker_goes_far_away(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    ada.sit("far")
    moving = ada.state["view"]["moving"]
    expect(ada.bar).to_contain_text(ada.say("ask.marker_special", marker=moving))
    choice, _ = ada.targets[-1]
    ada.move_marker(choice)
    assert letter_at(ada, choice) == moving


def letter_at(ada: Ginkgopolis, at: Json) -> str:
    """The marker that lies in a cell."""
    markers = ada.state["view"]["markers"]
    return next((str(one["letter"]) for one in markers if (one["x"], one["y"]) == (at["x"], at["y"])), "")


def log(ada: Ginkgopolis) -> Locator:
    """What has happened; on a phone it opens, and has to be closed."""
    if not ada.phone:
        return ada.region("ui.table.log")
    ada.press(ada.button("ui.table.log"))
    expect(ada.drawer("ui.table.log")).to_be_visible()
    return ada.drawer("ui.table.log")


# --- Tiles, hands, characters ---


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_tiles_are_given_back_when_they_have_run_out(house: House, visitor: Invite, phone: bool) -> None:
    ada = visitor(house, Ginkgopolis, phone=phone, language="hu" if phone else "en")
    ada.sit("returning")
    own, each = ada.own, ada.state["decision"]["ask"]["args"]["points"]
    expect(ada.bar).to_contain_text(ada.say("ask.return", points=each))
    expect(ada.button("confirm.done", ada.bar)).to_be_visible()
    one, *others = own["tiles"]
    for tile in (one, *others, one):  # the first is kept after all
        ada.press(ada.tile(tile))
    expect(ada.tile(one)).to_have_attribute("aria-pressed", "false")
    for other in others:
        expect(ada.tile(other)).to_have_attribute("aria-pressed", "true")
    points = each * len(others)
    expect(ada.bar).to_contain_text(ada.say("preview.return", count=len(others), points=points))
    heard = len(ada.heard)
    ada.confirm("confirm.return", count=len(others), points=points)
    if not ada.my_turn():
        ada.close(ada.end)
    seen = log(ada)
    expect(seen).to_contain_text(ada.say("log.returned", ada.called, seat=0, count=len(others), points=points))
    expect(seen).to_contain_text(ada.say("log.tiles_out", times=1))
    told = [event for message in ada.heard[heard:] if message["type"] == "update" for event in message["events"]]
    assert {event["seat"] for event in told if event["type"] == "returned"} >= {0}
    assert all(event["seat"] == 0 for event in told if event["type"] == "saw_returned")
    assert [event["args"]["tiles"] for event in told if event["type"] == "saw_returned"] == [others]


def test_a_new_hand_twice(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, name="Ada")
    ada.set_up("mason", name="Ada")
    ada.at_table()
    assert ada.my_turn()
    for left in (1, 0):
        while ada.state["view"]["phase"] != "choose":
            ada.play()
            assert ada.my_turn()
        hand = ada.own["hand"]
        ada.press(ada.fresh)
        expect(ada.bar).to_contain_text(ada.say("label.new_hand.help"))
        ada.take_back()
        ada.press(ada.fresh)
        ada.confirm("confirm.new_hand")
        assert ada.my_turn()
        expect(ada.button("confirm.new_hand", ada.bar)).to_have_count(0)  # the other token is not offered at once
        assert ada.own["new_hands"] == left
        new = ada.own["hand"]
        assert len(new) == 4
        rebuilt = any(event["type"] == "rebuilt" for event in told(ada))
        assert rebuilt or not {*new} & {*hand}
        for card in new:
            expect(ada.card(card)).to_be_visible()
            box = ada.card(card).bounding_box()
            assert box
            assert box["width"] > 70, "there is room for whole cards"
        expect(ada.region("ui.table.log")).to_contain_text(ada.say("log.new_hand", ada.called, seat=0, left=left))
    ada.press(ada.fresh)
    expect(ada.bar.get_by_role("alert")).to_have_text(ada.say("refuse.new_hand"))


def test_a_mouse_that_rests_moves_nothing(house: House, visitor: Invite) -> None:
    """In a narrow window the hand lies below the city: if it became lower, the mouse would be over the city again."""
    ada = visitor(house, Ginkgopolis, name="Ada", size=(640, 900))
    ada.set_up("mason", name="Ada")
    ada.at_table()
    assert ada.my_turn()
    cards = [ada.card(card) for card in ada.own["hand"]]
    cards[0].click()
    expect(cards[0]).to_have_attribute("aria-pressed", "true")
    hand = ada.region("label.hand")
    boxes = []
    for card in cards:
        card.hover()
        settle(ada.page)
        boxes.append((hand.bounding_box(), ada.tile(ada.own["tiles"][0]).bounding_box()))
    assert boxes == boxes[:1] * 4


def test_characters_are_drafted(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, name="Ada")
    ada.set_up("mason", "mason", name="Ada", characters="draft")
    ada.at_table()
    kept: list[str] = []
    for round in range(3):
        assert ada.my_turn()
        expect(ada.bar).to_contain_text(ada.say("ask.draft"))
        expect(ada.characters).to_have_count(4 - round)
        offered = ada.own["draft"]
        ada.press(ada.characters.nth(1))
        expect(ada.characters.nth(1)).to_have_attribute("aria-pressed", "true")
        expect(ada.characters.nth(1)).to_contain_text(
            ada.say(f"colour.{offered[1].split()[0]}.role_title"), ignore_case=True
        )
        kept.append(offered[1])
        ada.confirm("confirm.pick")
    assert ada.my_turn()
    assert sorted(ada.own["characters"]) == sorted(kept)
    expect(ada.region("label.characters_draft")).to_have_count(0)
    expect(ada.city).to_be_visible()
    for card in ada.own["hand"]:
        expect(ada.card(card)).to_be_visible()
    for message in ada.heard:
        if message["type"] == "update" and message["view"]:
            hears_nothing_of_others(message, 0)
    # What the three give stands on one's own table.
    ada.press(ada.button("label.tableau", ada.region("label.tableau")))
    about = ada.details("Ada")
    for character in kept:
        expect(
            about.get_by_text(ada.say(f"colour.{character.split()[0]}.role_title"), exact=True).first
        ).to_be_visible()
    ada.close(about)


def test_hal_wins_against_whoever_only_gathers(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    ada.come_to(ended(house.base, "lost"))
    expect(ada.end).to_be_visible()
    expect(ada.end).to_contain_text(ada.say("hal.won"))
    ada.close(ada.end)
    expect(ada.over).to_be_visible()


def test_two_of_one_name_can_both_be_played_for(house: House, visitor: Invite) -> None:
    """All choose at once, and who has chosen waits for both."""
    at, cookie, *_ = of_old(house, "Ada", "Béla", "Béla", game="ginkgopolis")
    ada = visitor(house, Ginkgopolis, cookie=cookie, name="Ada")
    ada.page.goto(at)
    ada.at_table()
    assert ada.my_turn()
    ada.play()
    expect(ada.button("ui.stand_in.offer", ada.bar, player="Béla")).to_have_count(2)


# --- The city ---


def test_districts_and_who_leads_there(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    ada.sit("playing")
    titles = [ada.say("district.title", colour=colour) for colour in ("red", "yellow", "blue")]
    in_district = re.compile("|".join(map(re.escape, titles)))
    inside = ada.city.get_by_role("button", name=in_district)
    expect(inside).to_have_count(0)
    ada.press(ada.button("label.districts_show"))
    districts = ada.state["view"]["districts"]
    expect(inside).to_have_count(sum(len(district["buildings"]) for district in districts))
    buildings = ada.state["view"]["buildings"]
    for district in districts:
        leader = district["shares"][:1]
        who = (
            f"{ada.say('district.leader', ada.called, seat=leader[0]['owner'])}, "
            f"{ada.say('label.points', points=leader[0]['points'])}"
            if leader
            else ada.say("district.nobody")
        )
        for at in district["buildings"]:
            tile = f"{buildings[at]['colour']} {buildings[at]['number']}"
            expect(ada.building(tile)).to_have_accessible_name(re.compile(re.escape(who)))
    listed = ada.region("label.districts").get_by_role("listitem").filter(has_text=in_district)
    expect(listed).to_have_count(len(districts))
    shares = [share for district in districts for share in district["shares"]]
    for share in shares:
        args = {"seat": share["owner"], "resources": share["resources"], "points": share["points"]}
        expect(listed.filter(has_text=ada.say("district.share", ada.called, **args)).first).to_be_attached()
    ada.press(ada.button("label.districts_hide"))
    expect(inside).to_have_count(0)


@often
def test_the_city_is_moved_and_zoomed_by_mouse_and_keys(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    ada.sit("playing")
    ada.press(ada.button("label.zoom_fit"))
    everything_is_in_sight(ada)
    start = places(ada)
    middle = nearest_to_the_middle(ada)
    ada.city.get_by_role("button", name=middle, exact=True).focus()
    for key, wide in (("+", 1.25), ("-", 1.0)):
        ada.page.keyboard.press(key)
        assert_close(places(ada)[middle][2], start[middle][2] * wide)
    for button, wide in (("in", 1.25), ("out", 1.0)):
        ada.press(ada.button(f"label.zoom_{button}"))
        assert_close(places(ada)[middle][2], start[middle][2] * wide)

    # The wheel zooms at the pointer: what lies there stays there.
    x, y, wide = places(ada)[middle]
    ada.page.mouse.move(x, y)
    before = places(ada)
    ada.page.mouse.wheel(0, -300)
    moved(ada, middle, before)
    assert places(ada)[middle][2] > wide * 1.3
    assert_close(places(ada)[middle][0], x, 3)
    assert_close(places(ada)[middle][1], y, 3)

    # Dragging moves everything alike, and is no choice.
    before = places(ada)
    ada.page.mouse.down()
    ada.page.mouse.move(x + 20, y + 15, steps=4)
    ada.page.mouse.move(x + 40, y + 30, steps=4)
    ada.page.mouse.up()
    moved(ada, middle, before)
    for name, (left, top, wide) in places(ada).items():
        assert_close(left - before[name][0], 40, 2)
        assert_close(top - before[name][1], 30, 2)
        assert_close(wide, before[name][2])
    nothing_is_chosen(ada)
    ada.city.get_by_role("button", name=middle, exact=True).focus()
    ada.page.keyboard.press("0")
    everything_is_in_sight(ada)


def test_the_city_is_moved_and_zoomed_by_fingers(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, phone=True, language="hu")
    ada.sit("playing")
    ada.press(ada.button("label.zoom_fit"))
    everything_is_in_sight(ada)
    middle = nearest_to_the_middle(ada)
    fingers = Fingers(ada)

    # Two fingers that part.
    x, y, wide = places(ada)[middle]
    before = places(ada)
    fingers.go([(x - 30, y), (x + 30, y)], [(x - 45, y), (x + 45, y)], [(x - 60, y), (x + 60, y)])
    moved(ada, middle, before)
    assert_close(places(ada)[middle][2] / wide, 2, 0.2)
    assert_close(places(ada)[middle][0], x, 6)

    # One finger moves the city, and the page stays where it is.
    scrolled = ada.page.evaluate("scrollY")
    before = places(ada)
    fingers.go([(x, y)], [(x - 20, y - 15)], [(x - 40, y - 30)])
    moved(ada, middle, before)
    assert places(ada)[middle][0] < before[middle][0] - 20
    assert places(ada)[middle][1] < before[middle][1] - 15
    assert_close(places(ada)[middle][2], before[middle][2])
    assert ada.page.evaluate("scrollY") == scrolled
    nothing_is_chosen(ada)

    # A touch still chooses what a card names.
    ada.press(ada.button("label.zoom_fit"))
    everything_is_in_sight(ada)
    card = ada.own["hand"][0]
    ada.press(ada.named(card))
    expect(ada.card(card)).to_have_attribute("aria-pressed", "true")


class Fingers:
    """Several at once, which only the browser's own tools can move."""

    def __init__(self, person: Ginkgopolis) -> None:
        self.tools = person.context.new_cdp_session(person.page)

    def go(self, *path: list[tuple[float, float]]) -> None:
        """Touch, move, and let go."""
        for at, points in enumerate(path):
            self._send("touchMove" if at else "touchStart", points)
        self._send("touchEnd", [])

    def _send(self, kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        self.tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


Places = dict[str, tuple[float, float, float]]


def places(ada: Ginkgopolis) -> Places:
    """Where on the page everything in the city comes to rest: the middle of each cell, and how wide it is."""
    settle(ada.page)
    found: list[list[str | float]] = ada.cells.evaluate_all(
        "(all) => all.map((e) => [e.ariaLabel, e.getBoundingClientRect()])"
        ".map(([name, { x, y, width, height }]) => [name, x + width / 2, y + height / 2, width])"
    )
    return {str(name): (float(x), float(y), float(wide)) for name, x, y, wide in found}


def moved(ada: Ginkgopolis, name: str, before: Places) -> None:
    """Wait until something is not where it was."""
    cell = ada.city.get_by_role("button", name=name, exact=True).element_handle()
    ada.page.wait_for_function(
        "([e, x, wide]) => Math.abs(e.getBoundingClientRect().x + e.getBoundingClientRect().width / 2 - x) > 1"
        " || Math.abs(e.getBoundingClientRect().width - wide) > 1",
        arg=[cell, before[name][0], before[name][2]],
    )


def nearest_to_the_middle(ada: Ginkgopolis) -> str:
    """The name of the building that lies most in the middle of what is seen."""
    box = ada.city.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    markers = {ada.say("label.marker", marker=letter) for letter in "ABCDEFGHIJKL"}
    found = {name: at for name, at in places(ada).items() if name.partition(";")[0] not in markers}
    return min(found, key=lambda name: abs(found[name][0] - x) + abs(found[name][1] - y))


def everything_is_in_sight(ada: Ginkgopolis) -> None:
    box = ada.city.bounding_box()
    assert box
    for name, (x, y, _) in places(ada).items():
        assert box["x"] < x < box["x"] + box["width"], name
        assert box["y"] < y < box["y"] + box["height"], name


def nothing_is_chosen(ada: Ginkgopolis) -> None:
    expect(ada.bar.get_by_role("alert")).to_have_count(0)
    expect(ada.button("ui.table.take_back", ada.bar)).to_have_count(0)
    expect(ada.bar).to_contain_text(ada.say("ask.choose"))


def assert_close(value: float, wanted: float, by: float = 1) -> None:
    assert abs(value - wanted) <= by, f"{value}, not {wanted}"


def test_a_whole_move_of_ginkgopolis_by_keys_alone(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    ada.sit("playing")
    keys = ada.page.keyboard
    choices = [one for one in ada.legal if one["type"] == "card"]
    card, use = next((one["card"], use) for one in choices for use in one["uses"] if use["tile"] and use["payable"])

    # The city is one stop; arrows walk from cell to cell, wherever the mouse was left.
    ada.city.hover()
    press_until(ada, "Tab", focused(ada.cells), "the city")
    keys.press("Tab")
    assert not focused(ada.cells)()
    keys.press("Shift+Tab")
    walk(ada, card)
    expect(ada.named(card)).to_have_accessible_name(re.compile(re.escape(ada.say("label.named_by", card=card))))
    expect(
        ada.region("use.title").get_by_role("heading", name=ada.say("label.card", card=card), exact=True)
    ).to_be_visible()
    keys.press("Enter")
    expect(ada.card(card)).to_have_attribute("aria-pressed", "true")
    assert focused(ada.named(card))()
    keys.press("Escape")
    expect(ada.card(card)).to_have_attribute("aria-pressed", "false")
    keys.press("Enter")
    expect(ada.bar).to_contain_text(ada.say("ask.choose_tile", card=card))

    # Then a tile, and the button that confirms.
    tiles = ada.page.get_by_role("group", name=ada.say("label.tiles"), exact=True).get_by_role("button")
    press_until(ada, "Tab", focused(tiles), "the tiles")
    here = [ada.tile(tile) for tile in ada.own["tiles"]]
    press_until(ada, "ArrowLeft", focused(here[0]), "the first tile")
    press_until(ada, "ArrowRight", focused(ada.tile(use["tile"])), "the tile that is wanted")
    keys.press(" ")
    expect(ada.tile(use["tile"])).to_have_attribute("aria-pressed", "true")
    deed = ada.button(f"confirm.{use['kind']}", ada.bar)
    press_until(ada, "Shift+Tab", focused(deed), "the button that confirms")
    before = ada.bar.get_attribute("data-seq") or ""
    keys.press("Enter")
    expect(ada.bar).not_to_have_attribute("data-seq", before)
    if ada.my_turn():
        KeyboardPlayer(ada).is_asked_next()


def walk(ada: Ginkgopolis, card: str) -> None:
    """To what a card names, by arrows, as the names of the cells tell where it lies."""
    view = ada.state["view"]
    marked = {marker["letter"]: (marker["x"], marker["y"]) for marker in view["markers"]}
    built = {f"{one['colour']} {one['number']}": (one["x"], one["y"]) for one in view["buildings"]}
    goal = {**marked, **built}[card]
    cells = {token: ada.named(token) for token in (*marked, *built)}
    where = {**marked, **built}
    for _ in range(40):
        here = next(token for token, cell in cells.items() if focused(cell)())
        x, y = (goal[axis] - where[here][axis] for axis in (0, 1))
        if (x, y) == (0, 0):
            return
        # First along the rows, which are whole; at the edge of the city the arrows find what lies nearest.
        ada.page.keyboard.press(
            ("ArrowRight" if x > 0 else "ArrowLeft") if x else ("ArrowUp" if y > 0 else "ArrowDown")
        )
    raise AssertionError(f"the arrows do not lead to {card}")


def test_what_is_refused_says_why(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    ada.sit("playing")
    alert = ada.bar.get_by_role("alert")
    ada.press(ada.tile(ada.own["tiles"][0]))
    expect(alert).to_have_text(ada.say("refuse.card_first"))
    ada.press(ada.button("label.zoom_fit"))
    view, hand = ada.state["view"], ada.own["hand"]
    for building in view["buildings"]:
        tile = f"{building['colour']} {building['number']}"
        if tile not in hand:
            ada.press(ada.building(tile))
            expect(alert).to_have_text(ada.say("refuse.site" if building["site"] else "refuse.no_card_for_building"))
    for marker in view["markers"]:
        if marker["letter"] not in hand:
            ada.press(ada.marker(marker["letter"]))
            expect(alert).to_have_text(ada.say("refuse.no_card_for_marker"))
    # What a card names is chosen there too, and let go again; looking at a card is enough to see what it would do.
    for card in hand:
        ada.card(card).hover()
        expect(ada.use(card, None)).to_be_visible()
        ada.press(ada.named(card))
        expect(alert).to_have_count(0)
        expect(ada.card(card)).to_have_attribute("aria-pressed", "true")
    ada.press(ada.named(hand[-1]))
    nothing_is_chosen(ada)

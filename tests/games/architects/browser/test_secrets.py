"""What the cat shows is for one pair of eyes: everything that reaches the other browsers is read."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.prepared import lay
from tests.games.architects.browser.person import MATERIAL, Architects


def still_knows(person: Architects, seat: int) -> bool:
    """Whether somebody was shown the central card that lies on top now."""
    events = [event for update in person.heard if update["type"] == "update" for event in update["events"]]
    shown = [at for at, event in enumerate(events) if event["type"] == "saw" and event["seat"] == seat]
    taken = [at for at, event in enumerate(events) if event["type"] == "took" and event["args"]["deck"] == "central"]
    return max(shown, default=-1) > max(taken, default=-1)


def sit_two_down(eve: Architects, ada: Architects, bela: Architects) -> None:
    """At a new table, which one has made who looks on."""
    for one in (eve, ada, bela):
        one.heard.clear()
    table = lay(eve.base, "architects", "cat", "open", "open")
    eve.become(table.cookie)
    eve.page.goto(table.path)
    for guest in (ada, bela):
        guest.likes = ("vp2cat", *MATERIAL)
        guest.page.goto(f"/#/join/{table.id}/{table.invite}")
        guest.page.get_by_label(guest.say("ui.invite.name")).fill(guest.name)
        guest.press(guest.button("ui.invite.join"))
        expect(eve.page.get_by_text(guest.name)).to_be_visible()
    eve.press(eve.button("ui.wait.start"))
    for one in (eve, ada, bela):
        one.at_table()


def test_what_the_cat_shows_is_on_one_screen_only(house: House, visitor: Invite) -> None:
    """Two play, and whoever made the table looks on: the card is on the page and in the messages of one of them."""
    eve = visitor(house, Architects, name="Eve")
    ada = visitor(house, Architects, name="Ada")
    bela = visitor(house, Architects, language="hu", phone=True, name="Béla")
    people = (eve, ada, bela)
    shown = re.compile("|".join(re.escape(one.say("label.cat_shows").partition("{")[0]) for one in (ada, bela)))
    looks = 0
    while looks < 2:  # in some games nobody keeps the cat for long
        sit_two_down(*people)
        while looks < 2 and (person := ada.whose_turn(bela)):
            assert isinstance(person, Architects)
            assert person.my_turn()
            # Whoever has the cat is shown a card at the beginning of the turn.
            others = [(seat, one) for seat, one in enumerate((ada, bela)) if one is not person]
            for _, other in others:
                other.catch_up(person.seq)
            # Who had the cat before may still know the card, if nobody has taken it.
            alone = not any(still_knows(other, seat) for seat, other in others)
            label = person.deck("central").get_attribute("aria-label") or ""
            if alone and person.asked() == "draw" and shown.search(label):
                looks += 1
                events = {one.name: [message for message in one.heard if message["type"] == "update"] for one in people}
                own = events[person.name]
                card = own[-1]["view"]["central"]["seen"]
                told = [event for update in own for event in update["events"] if event["type"] == "saw"]
                assert told[-1]["args"]["card"] == card
                assert person.say(f"card.{card}") in label
                names = [ada.name, bela.name]
                assert person.say("log.saw", names.__getitem__, seat=told[-1]["seat"], card=card) in everything(person)
                for other in (one for one in people if one is not person):
                    other.catch_up(person.seq)
                    page = everything(other)
                    assert not shown.search(page), other.name
                    sentences = [other.say("log.saw", names.__getitem__, seat=seat, card=card) for seat in (0, 1)]
                    assert other is not eve or not any(sentence in page for sentence in sentences)
                    assert sentences[told[-1]["seat"]] not in page
                    expect(other.deck("central")).to_have_accessible_name(re.compile(other.say("label.face_down")))
                    expect(other.deck("central")).to_have_accessible_name(re.compile(person.name))
                    hears(other, events[other.name])
            person.play()
            ada.catch_up(bela.seq)


def everything(person: Architects) -> str:
    """The page as a cheat reads it, with what is hidden and what is only said aloud."""
    return str(person.page.evaluate("document.documentElement.outerHTML"))


def hears(person: Architects, updates: list[dict[str, Any]]) -> None:
    """What somebody may hear who has seen nothing themselves since: no card under the cat's paw."""
    seat = updates[-1]["view"]["seat"]
    for update in updates:
        private = [event for event in update["events"] if event.get("private") or event["type"] in ("saw", "saw_cards")]
        assert all(event["seat"] == seat for event in private), private
        assert update["table"]["you"] == seat
    assert updates[-1]["view"]["central"]["seen"] is None

"""Every page and drawer, in both languages, on a desktop and a phone, light and dark: for everybody to use."""

from __future__ import annotations

from functools import cache

import pytest
from tests.browser.every_page import away_from_tables, by_invitation
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import THEMES, axe, check
from tests.browser.person import Person
from tests.browser.prepared import Table, lay, make, play_on
from tests.games.alhambra.browser.every_page import at_the_end, at_the_table
from tests.games.alhambra.browser.person import Alhambra


@pytest.mark.parametrize(("language", "phone"), [("en", False), ("hu", True)], ids=["desktop", "phone"])
def test_every_page_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    """What all games share, and everything of Alhambra: what is light in one language is dark in the other."""
    themes = THEMES if language == "en" else THEMES[::-1]
    waiting, playing, finished = evening(house.base)

    def come(cookie: str = "") -> Alhambra:
        return visitor(house, Alhambra, language=language, phone=phone, cookie=cookie, reduced_motion="reduce")

    ada, winner, host, bela = come(playing.cookie), come(finished.cookie), come(waiting.cookie), come()
    check(ada, at_the_table(ada, playing), themes)
    check(winner, at_the_end(winner, finished), themes)
    check(host, away_from_tables(host, waiting), themes)
    check(bela, by_invitation(bela, waiting), themes)


@cache
def evening(base: str) -> tuple[Table, Table, Table]:
    """A table of Alhambra of every kind."""
    return (
        make(base, "alhambra", "me", "open", "mason"),
        lay(base, "alhambra", "late"),
        play_on(base, lay(base, "alhambra", "ending")),
    )


def test_the_checker_finds_what_is_wrong(house: House, visitor: Invite) -> None:
    """A checker that is never heard may be asleep."""
    eve = visitor(house, Person)
    eve.home()
    eve.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [found["id"] for found in axe(eve.page)] == ["button-name"]

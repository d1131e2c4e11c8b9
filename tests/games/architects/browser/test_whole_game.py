"""Two people with browsers of their own and a bot play Architects to the end, by clicking and nothing else."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Person
from tests.browser.prepared import lay
from tests.browser.sofa import hand_to_and_fro, on_one_device
from tests.browser.together import Points, play_again, reload_goes_on_where_it_was, see_the_same_end, sit_down_at
from tests.games.architects.browser.person import GREEN, HORNS, MATERIAL, Architects


def test_two_browsers_and_a_bot_play_to_the_end(house: House, visitor: Invite) -> None:
    ada = visitor(house, Architects, language="en", name="Ada")
    bela = visitor(house, Architects, language="hu", phone=True, name="Béla")
    sit_down_at(lay(house.base, "architects", "together", "me", "open", "mason"), ada, bela)
    for person in (ada, bela):  # or the page builds where there is no choice
        assert person.context.request.put("/api/me", data={"by_hand": True}).ok
    seen = play_to_the_end(ada, bela)
    for what in ("impossible for Ada", "impossible for Béla", "draw", "build", "claim", "reload", "battle"):
        assert seen[what], f"{what} was never seen in {seen}"
    see_the_same_end([ada, bela], ["mason"], breakdown)
    play_again(ada, bela)


def test_two_on_a_sofa_who_have_no_secrets_see_no_curtain(house: House, visitor: Invite) -> None:
    ada = visitor(house, Architects)
    on_one_device(ada, "mason")
    curtains, movers = hand_to_and_fro(ada, ada.play, 4)
    assert movers == 2
    assert curtains == 0, "what nobody must hide is shown to the next one at once"


def play_to_the_end(ada: Architects, bela: Architects) -> Counter[str]:
    """Play for both; try on the way what people try. Return what was seen."""
    seen: Counter[str] = Counter()
    while person := ada.whose_turn(bela):
        assert isinstance(person, Architects)
        assert person.my_turn()
        seen["moves"] += 1
        impossible = f"impossible for {person.name}"
        if not seen[impossible] and what_is_impossible_says_why(person):
            seen[impossible] += 1
            ada.catch_up(bela.seq)
            continue
        if seen["moves"] == 4:
            seen["reload"] += reload_goes_on_where_it_was(ada)
            seen["reload"] += reload_goes_on_where_it_was(bela)
        if not seen["battle"]:
            seen["battle"] += the_numbers_of_a_battle_are_in_the_log(ada)
        if seen["claim"] and seen["battle"]:
            ada.likes = bela.likes = (*MATERIAL, *GREEN, *HORNS)  # build, to come to an end
        if person.asked() == "act_optional" and seen["extra"] and not seen["passed"]:
            person.end_turn()
            seen["passed"] += 1
        else:
            seen[person.play()] += 1
        ada.catch_up(bela.seq)
    return seen


def what_is_impossible_says_why(person: Architects) -> bool:
    """LOOK 3: what you cannot do does not answer with silence."""
    if person.asked() != "draw":
        return False
    alert = person.bar.get_by_role("alert")
    person.press(person.stage(5))
    reasons = [person.say(f"refuse.{reason}") for reason in ("draw_first", "stage_locked")]
    expect(alert).to_have_text(re.compile("|".join(map(re.escape, reasons))))
    person.press(person.offer.first)  # what it does, and why it cannot be had
    expect(alert).to_contain_text(person.say("refuse.draw_first"))
    if not person.phone:
        person.press(person.page.get_by_role("group", name="Béla").get_by_role("button"))
        expect(alert).to_have_text(person.say("refuse.out_of_reach"))
    person.take(person.best_deck())
    expect(alert).to_have_count(0)
    return True


def the_numbers_of_a_battle_are_in_the_log(person: Architects) -> bool:
    """Whoever lost asks why: the log opens on the shields of both sides."""
    if person.battles.count() == 0:
        return False
    shields = re.findall(r"\d+", person.battles.first.inner_text())
    person.press(person.battles.first)
    battle = person.drawer("label.battle")
    rows = battle.get_by_role("row").all()[1:]
    cells = [row.get_by_role("cell").all_inner_texts() for row in rows]
    assert [cell[0] for cell in cells] == shields[: len(rows)]
    assert [cell[1].strip("+").replace("–", "0") for cell in cells] == shields[len(rows) :]
    for cell in cells:
        assert int(cell[2].strip("+").replace("–", "0")) == 3 * int(cell[1].strip("+").replace("–", "0"))
    person.close(battle)
    return True


def breakdown(person: Person, names: dict[str, int]) -> Points:
    """The points of every seat by where they come from, and in total."""
    table = person.end.get_by_role("table", name=person.say("label.breakdown"))
    expect(table).to_be_visible()  # it comes a little after the dialog
    points: Points = {}
    for row in table.get_by_role("row").all()[1:]:
        called = row.get_by_role("rowheader").inner_text().split("\n")[0].strip()
        points[names[called]] = [int(cell) for cell in row.get_by_role("cell").all_inner_texts()]
    # The sum has a sign as well, for where its word is wider than its column.
    headings = [heading.split("\n")[0].strip() for heading in table.get_by_role("columnheader").all_inner_texts()]
    sources = [person.say(f"tally.{source}") for source in ("stages", "cards", "military", "cat", "tokens")]
    assert headings == [person.say("label.player"), *sources, person.say("label.total")]
    return points

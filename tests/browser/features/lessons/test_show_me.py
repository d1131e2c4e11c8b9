"""Whoever asks a lesson to be shown what is right is led to it: what is framed can be pressed, and is right."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Person
from tests.browser.pupil import Pupil
from tests.example import TAUGHT

import ziggurat
from ziggurat.core.lesson import lessons

UNTAUGHT = "() => localStorage.removeItem('ziggurat.lessons')"
STILL = """
() => {
  const known = (window.__known ??= new Map())
  const found = new Map()
  const said = document.querySelector('.told .said')
  for (const frame of said ? [] : document.querySelectorAll('.highlights .better:not(.words)')) {
    const { left, top, width, height } = frame.getBoundingClientRect()
    for (const [right, down] of [[3, 3], [1, 3], [5, 3], [3, 1], [3, 5]]) {
      const [x, y] = [left + (width * right) / 6, top + (height * down) / 6]
      const one = document.elementFromPoint(x, y)?.closest('button, a')
      if (!one || one.disabled || one.closest('.beside')?.querySelector('.told') || found.has(one)) continue
      if (!known.has(one)) known.set(one, known.size)
      const last = !!one.dataset.place?.startsWith('deed:')
      found.set(one, { x, y, id: known.get(one), last, chosen: one.ariaPressed === 'true' })
    }
  }
  const all = [...found.values()]
  const now = JSON.stringify(all)
  window.__frames = now === window.__before && window.__asked === 0 ? window.__frames + 1 : 0
  window.__before = now
  if (window.__frames < 6 || (!all.length && !said)) return null
  window.__frames = 0
  return all
}
"""
"""What can be pressed within the frames, whether it is chosen already, and whether it confirms a move; null as long as
anything changes from one picture to the next, or an answer of the server is awaited."""
MOST = 12
"""Things that have to be touched for a move."""


ASKS = """
window.__asked = 0
const asks = window.fetch
window.fetch = async (...about) => {
  window.__asked += 1
  try {
    return await asks(...about)
  } finally {
    setTimeout(() => (window.__asked -= 1))
  }
}
"""
"""Knows whether the page waits for an answer of the server."""


def framed(ada: Person) -> list[dict[str, float]]:
    """What is framed, when it lies still and nothing is asked any more; empty when the coach has answered."""
    found: list[dict[str, float]] = ada.page.wait_for_function(STILL).json_value()
    return found


def follow(ada: Person, pupil: Pupil, where: str) -> None:
    """Press what is framed until the coach says that it is right."""
    said = pupil.coach.locator(".said")
    pressed: dict[float, int] = {}
    for _ in range(MOST):
        there = framed(ada)
        if said.count():
            break
        assert there, f"{where}: nothing that is framed can be pressed"
        # What confirms the move comes last; before it what is not chosen yet, and has been pressed least.
        next_one = min(there, key=lambda one: (not one["last"], one["chosen"], pressed.get(one["id"], 0)))
        pressed[next_one["id"]] = pressed.get(next_one["id"], 0) + 1
        if ada.phone:
            ada.page.touchscreen.tap(next_one["x"], next_one["y"])
        else:
            ada.page.mouse.click(next_one["x"], next_one["y"])
        if next_one["last"]:
            expect(said).to_be_visible()
    assert said.count(), f"{where}: {MOST} things were pressed, and no move came of it"
    assert "right" in (said.get_attribute("class") or ""), f"{where}: what was shown is wrong"


# One device for each game, the phone a small one, where most has to be led to: the coach is the same for all, and the
# gallery takes its pictures on every device.
@pytest.mark.parametrize(("game", "phone"), [(game, at % 2 == 0) for at, game in enumerate(TAUGHT)])
def test_what_a_lesson_shows_can_be_pressed_and_is_right(house: House, visitor: Invite, game: str, phone: bool) -> None:
    size = (320, 640) if phone else None
    ada: Person = visitor(house, type("Learner", (Person,), {"game": game}), phone=phone, size=size)
    pupil = Pupil(ada)
    ada.page.add_init_script(ASKS)
    ada.page.goto("/robots.txt")
    ada.page.evaluate(UNTAUGHT)
    for lesson in lessons(ziggurat.game(game)).values():
        ada.page.goto(f"/#/learn/{game}/{lesson.name}")
        for at, step in enumerate(lesson.steps):
            where = f"{lesson.name}.{step.name}"
            pupil.is_told(f"{where}.goal")
            if step.answers:
                expect(ada.bar).to_be_visible()
                pupil.press("show")
                follow(ada, pupil, f"{game}, {where}")
            else:
                pupil.press(f"{where}.{step.right}")
            if at + 1 < len(lesson.steps):
                pupil.press("next")

"""What measures a page finds each fault, wherever it is planted: a check that is never heard may be asleep."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.browser.every_page import to_step
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import AFTER_A_MOVE, Fault, measure, measure_soon, pieces
from tests.browser.person import Person
from tests.browser.prepared import HOST, make
from tests.browser.windows import Look, Windows
from tests.example import EXAMPLE, SEATS
from tests.runs import often

import ziggurat
from ziggurat.core.lesson import lessons

# With these a fault is planted on a table, in something that is there or beside it; `undo` takes it away.
TOOLS = """
const main = document.querySelector('main')
const inSight = (e) => {
  const { left, top, right, bottom, width } = e.getBoundingClientRect()
  return width > 20 && left > 0 && top > 0 && right < innerWidth && bottom < innerHeight
}
const pieces = [...main.querySelectorAll('[data-place]')].filter((e) => inSight(e) && e.childElementCount > 0)
const buttons = [...main.querySelectorAll('button')].filter(inSight)
const bar = main.querySelector('[data-seq]')
const boxOf = (e) => e.getBoundingClientRect()
const window_ = { left: 0, top: 0, width: innerWidth, height: innerHeight }
const plant = (html, { left, top, width, height } = { left: 20, top: 60, width: 200, height: 90 }) => {
  const planted = document.createElement('div')
  planted.innerHTML = html
  const at = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
  Object.assign(planted.style, { position: 'fixed', zIndex: 9, background: 'white', ...at })
  main.append(planted)
  undo = () => planted.remove()
  return planted
}
const change = (e, style) => {
  const before = e.getAttribute('style')
  Object.assign(e.style, style)
  undo = () => (before === null ? e.removeAttribute('style') : e.setAttribute('style', before))
}
"""

OVER = "position: absolute; left: 0; top: 0"
PLANTED = {
    "invisible": (
        "change(pieces[0], { opacity: 0 })",
        "change(pieces.at(-1).parentElement, { opacity: 0.02 })",
        "const gone = pieces[1].animate({ opacity: 0 }, { duration: 1, fill: 'forwards' }); undo = () => gone.cancel()",
        "change(bar, { opacity: 0 })",
    ),
    "covered piece": (
        "plant('', boxOf(pieces[0]))",
        "plant('<img alt width=100% height=100%>', boxOf(pieces.at(-1)))",
        "plant('<svg width=100% height=100%><rect width=100% height=100% /></svg>', boxOf(pieces[1]))",
        # A word to the person is no better than anything else that floats.
        "plant('<aside style=\"height: 100%; background: gold\">A word</aside>', boxOf(pieces[0]))",
    ),
    "blocked": (
        "plant('<button>Over</button>', boxOf(buttons[0]))",
        "plant('', boxOf(buttons.at(-1)))",
        "plant('', window_).style.background = 'transparent'",
        "plant('<button>Under</button><button style=\"position: relative; top: -44px; height: 44px\">Over</button>')"
        ".style.display = 'grid'",
    ),
    "covered": (
        "plant('<p>Under</p><i style=\"position: absolute; inset: 0; background: gold; pointer-events: none\"></i>')",
        f"plant('<button>Price 7<b style=\"{OVER}; background: red\">A large tag</b></button>')",
        "plant('<p>Under</p><p style=\"margin-top: -22px; background: navy; height: 30px\"></p>')",
        f"plant('<p>Under a picture</p><img alt width=99 height=60 style=\"{OVER}\">')",
    ),
    "crossed": (
        "plant('<p>One sentence</p><p style=\"margin-top: -20px\">Another one</p>')",
        f'plant(\'<b style="{OVER}">12</b><b style="{OVER}; margin: 3px">7</b>\')',
        "plant('<p style=\"line-height: 0.3\">Lines of a heading<br><i>that are too near</i></p>')",
        f'plant(\'<p style="width: 60px; white-space: nowrap">Wider than its place</p>'
        f'<p style="{OVER}; margin-left: 80px">A neighbour</p>\')',
    ),
    "touching": (
        "plant('<p><b>Cle</b><b>0</b></p>')",
        "plant('<p>You have muted Fay.<span>Reported. Thank you.</span></p>')",
        'plant(\'<div style="display: flex"><i>Ven</i><b style="font-size: 20px">14</b></div>\')',
        f'plant(\'<b style="{OVER}; right: 100px; left: auto">Ben</b><b style="{OVER}; left: 100px">7</b>\')',
    ),
    "cut": (
        'plant(\'<p style="width: 60px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">Stonemasons'
        "</p>')",
        "plant('<div style=\"height: 12px; overflow: hidden\"><p>So high<br>and higher</p></div>')",
        "plant('<p style=\"position: absolute; left: -60px\">Out of the window</p>')",
        'plant(\'<div style="width: 90px; overflow: clip"><button style="width: 150px">Build</button></div>\')',
        # Wider than its button, or than the sheet on which it lies; higher than it.
        "plant('<button style=\"width: 60px; white-space: nowrap\">Stonemasons</button>')",
        "plant('<p style=\"margin-left: 150px; white-space: nowrap\">Two words</p>')",
        "plant('<p style=\"margin-top: -12px\">Above its sheet</p>')",
    ),
    "broken word": (
        "plant('<p style=\"width: 70px; overflow-wrap: anywhere\">Stonemasonry</p>')",
        "plant('<p style=\"width: 70px; word-break: break-all\">The stonemasonry</p>')",
        "plant('<button style=\"width: 70px; overflow-wrap: anywhere\">hasznosításkor</button>')",
        "plant('<table style=\"width: 50px; table-layout: fixed; overflow-wrap: anywhere\"><td>Resources</table>')",
    ),
    "small": (
        "plant('<button style=\"min-height: 0; width: 10px; height: 10px; padding: 0; border: 0\">X</button>')",
        "plant('<span data-place=planted style=\"display: block; width: 10px; height: 10px\"><i>1</i></span>')",
        'plant(\'<a href="#/" style="display: block; width: 50px; height: 10px">Home</a>\')',
        "plant('<button style=\"transform: scale(0.2)\">Small because it is drawn so</button>')",
    ),
    "asked": (
        "change(bar, { position: 'fixed', top: `${innerHeight - 10}px` })",
        "change(bar, { position: 'fixed', top: '-30px' })",
        "const words = [...bar.childNodes]; bar.replaceChildren(document.createElement('button'));"
        " undo = () => bar.replaceChildren(...words)",
        "change(bar.querySelector('p'), { position: 'fixed', top: `${innerHeight - 5}px` })",
        "change(bar.querySelector('.words'), { height: '9px', overflowY: 'scroll', backgroundAttachment: 'scroll' })",
    ),
    "named twice": (
        "plant('<button>The market</button><button>The market</button>')",
        "plant('<button aria-label=\"The market\">1</button><button>The <b>market</b></button>')",
        'plant(\'<section><a href="#/">A place</a><a href="#/x">A <img alt=place></a></section>\')',
        "plant('<button><i data-place=one></i>Corner</button><button><i data-place=two></i>Corner</button>')",
    ),
    "empty": (
        "change(main, { display: 'none' })",
        "change(document.body, { visibility: 'hidden' })",
        "change(main, { transform: 'translateX(-200vw)' })",
        "const all = [...main.childNodes]; all.forEach((one) => one.remove()); undo = () => main.append(...all)",
    ),
    "sideways": (
        "change(main, { width: '3000px' })",
        "plant('<div style=\"width: 99px; overflow: auto\"><table><td>Anybody<td>Stonemasons<td>7</table></div>')",
        "plant('', { left: 0, top: 0, width: 4000, height: 9 }).style.position = 'absolute'",
        'plant(\'<div style="width: 120px; overflow-x: auto; white-space: nowrap"><button style="width: 115px">One'
        '</button><button style="width: 115px">Another</button></div>\')',
        "change(bar, { marginRight: '-400px' })",
    ),
}
"""Four of each kind, or more."""


def at_a_table(house: House, visitor: Invite, *, phone: bool = False) -> Page:
    kind = type("Somebody", (Person,), {"game": EXAMPLE})
    ada: Person = visitor(house, kind, phone=phone)
    ada.come_to(make(house.base, EXAMPLE, "me", *["mason"] * (SEATS - 1)))
    assert ada.my_turn()
    expect(ada.bar).not_to_have_attribute("data-seq", "0")
    return ada.page


def plant(page: Page, how: str) -> None:
    page.evaluate(f"() => {{ let undo\n{TOOLS}\n{how}\nwindow.undo = undo }}")


def kinds(faults: list[Fault]) -> set[str]:
    return {fault.kind for fault in faults}


def test_what_is_planted_is_found_and_nothing_else(house: House, visitor: Invite) -> None:
    page = at_a_table(house, visitor)
    assert measure(page) == []
    for kind, plants in PLANTED.items():
        for how in plants:
            plant(page, how)
            assert kinds(measure(page, only=[kind])) == {kind}, f"not found: {how}"
            if kind in AFTER_A_MOVE:
                assert kind in kinds(pieces(page)), f"not found after a move: {how}"
            page.evaluate("window.undo()")
        assert measure(page) == []


TASKS = (
    "change(panel.querySelector('.goal'), { position: 'relative', top: '2000px' })",
    "plant('', boxOf(panel.querySelector('.goal')))",
    "change(panel.querySelector('.deeds button'), { transform: 'translateX(-300vw)' })",
    "change(panel.querySelector('.told'), { height: '20px', overflowY: 'scroll', backgroundAttachment: 'scroll' })",
)


@often
def test_what_a_lesson_asks_is_missed_where_it_is_not_in_sight(house: House, visitor: Invite) -> None:
    ada: Person = visitor(house, type("Somebody", (Person,), {"game": EXAMPLE}), phone=True, size=(390, 844))
    lesson = next(iter(lessons(ziggurat.game(EXAMPLE)).values()))
    to_step(ada, lesson, lesson.steps[0])
    assert measure_soon(ada.page, only=["task"]) == []
    for how in TASKS:
        plant(ada.page, f"const panel = main.querySelector('.beside')\n{how}")
        assert kinds(measure(ada.page, only=["task"])) == {"task"}, f"not found: {how}"
        ada.page.evaluate("window.undo()")
    assert measure(ada.page, only=["task"]) == []


def test_fingers_want_more_room_on_a_board(house: House, visitor: Invite) -> None:
    page = at_a_table(house, visitor, phone=True)
    plant(page, "plant('<button style=\"min-height: 0; width: 40px; height: 40px\">A</button>')")
    assert any("“A” is 40 x 40, not 44" in fault.says for fault in measure(page, touch=True))
    assert not any("“A”" in fault.says for fault in measure(page))


def test_a_name_may_break_where_it_is_wider_than_a_line(house: House, visitor: Invite) -> None:
    page = at_a_table(house, visitor)
    name = "W" * 24
    for style, told in (
        ("width: 150px; overflow-wrap: anywhere", False),
        ("width: 500px; word-break: break-all", True),
    ):
        plant(page, f"plant('<p style=\"{style}\">An offer of all of the builders, of whom one is {name}</p>')")
        assert ("broken word" in kinds(measure(page, names=[name]))) is told
        page.evaluate("window.undo()")


@often
def test_nothing_is_measured_while_something_travels(house: House, visitor: Invite) -> None:
    page = at_a_table(house, visitor)
    veil = "() => pieces[0].animate({ opacity: [0, 0] }, { duration: 100 })"
    plant(page, f"const often = setInterval({veil}, 200); undo = () => clearInterval(often)")
    for _ in range(30):
        assert pieces(page) == []
    page.evaluate("window.undo()")


def test_the_next_one_finds_a_window_of_the_usual_size(house: House, windows: Windows) -> None:
    look = Look(house.base)
    lent = windows.lend(look)
    lent.page.goto(house.base)
    usual = lent.page.viewport_size
    lent.page.set_viewport_size({"width": 320, "height": 640})
    windows.take_back(lent, good=True)
    again = windows.lend(look)
    assert again is lent
    assert again.page.viewport_size == usual
    windows.take_back(again, good=True)


def test_a_name_is_cut_where_a_sign_says_so_and_enough_of_it_is_left(house: House, visitor: Invite) -> None:
    page = at_a_table(house, visitor)

    def said(how: str) -> set[str]:
        plant(page, how)
        found = measure(page, names=[HOST], only=("cut", "broken word"))
        page.evaluate("window.undo()")
        return kinds(found)

    def cut(width: int, more: str = "text-overflow: ellipsis") -> str:
        return f'<p style="width: {width}px; overflow: hidden; white-space: nowrap; {more}">{HOST}</p>'

    assert said(f"plant('{cut(90)}')") == set()
    assert said(f"plant('{cut(20)}')") == {"cut"}
    assert said(f"plant('{cut(90, 'text-overflow: clip')}')") == {"cut"}
    # Somewhere down in what scrolls.
    far = f'<div style="height: 40px; overflow-y: auto"><p style="height: 300px">Above</p>{cut(90)}</div>'
    assert said(f"plant('{far}')") == set()
    broken = '<p style="width: 90px; overflow-wrap: anywhere">Waiting for ' + HOST + "</p>"
    assert said(f"plant('{broken}')") == set()
    # What stands on a button that opens all of it may be short; letters without a sign are no name.
    assert said(f"plant('<button aria-haspopup=dialog>{cut(20)}</button>')") == set()
    assert said(f"plant('<p>{HOST[:3]}</p>')") == {"cut"}
    assert said(f"plant('<p>{HOST[:1]}.</p><p>{HOST[:3]}…</p><p>{HOST}</p>')") == set()

"""Bots that are classes of other people's, and what becomes of their mistakes."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.example import GAME, SEATS

import ziggurat
from ziggurat.bots import Belief
from ziggurat.bots.entrants import entrant, entrants
from ziggurat.bots.outside import Limits
from ziggurat.core.errors import BotFailed, UnknownBot

MODULE = """
class Last:
    def choose(self, belief, legal, rng):
        return legal[-1]

class Knows(Last):
    def __init__(self, game):
        self.game = game

def made(game):
    return Last()

class Nothing:
    pass

class Outer:
    class Inner(Last):
        pass

number = 5
"""


class First:
    """The first legal action."""

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        return legal[0]


class Named(First):
    name = "my favourite"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "zoo_bots.py").write_text(MODULE, encoding="utf-8")
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("zoo_")]:
        del sys.modules[name]


def choose(given: Any, limits: Limits | None = None) -> int:
    now, rng = ziggurat.new(GAME, players=SEATS, seed=3), ziggurat.generator(1)
    seat = now.actors[0]
    bot = entrant(given, GAME, limits or Limits()).bot()
    return bot.choose(Belief(now, seat, rng), now.legal(seat), rng)


def legal() -> list[int]:
    now = ziggurat.new(GAME, players=SEATS, seed=3)
    return now.legal(now.actors[0])


@pytest.mark.parametrize("name", ["Last", "Knows", "made", "Outer.Inner"])
def test_a_class_or_function_in_the_current_folder_plays(name: str) -> None:
    text = f"zoo_bots:{name}"
    assert entrant(text, GAME).name == text
    assert choose(text) == legal()[-1]


def test_a_class_or_a_bot_itself_plays() -> None:
    assert [one.name for one in entrants([First, Named(), "greedy"], GAME)] == ["First", "my favourite", "greedy"]
    assert choose(First) == choose(Named()) == legal()[0]
    with pytest.raises(UnknownBot, match="First is named 2 times; give each an attribute `name`"):
        entrants([First(), First()], GAME)


def test_one_is_made_for_each_seat_and_one_that_is_made_plays_all() -> None:
    made: list[Any] = []

    class Counts(First):
        def __init__(self) -> None:
            made.append(self)

    for given, number in ((lambda: Counts, 2), (Counts, 3)):
        one = entrant(given(), GAME)
        for _ in range(2):
            bot = one.bot()
            now, rng = ziggurat.new(GAME, players=SEATS, seed=3), ziggurat.generator(1)
            for _ in range(2):
                bot.choose(Belief(now, now.actors[0], rng), now.legal(now.actors[0]), rng)
        assert len(made) == number


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("zoo_nothing:Bot", "no bot and no module 'zoo_nothing'"),
        ("zoo_bots:Lost", "module 'zoo_bots' has no 'Lost'"),
        ("zoo_bots:number", "zoo_bots:number is no bot: it needs a method choose(belief, legal, rng)"),
        ("zoo_bots:Nothing", "needs a method choose"),
        ("zoo_broken:Bot", "module 'zoo_broken' of 'zoo_broken:Bot' cannot be imported: NameError: name 'oops'"),
        ("zoo_needs:Bot", "needs 'zoo_gone', which is not there"),
        ("zoo_script:Bot", "cannot be imported: SystemExit: 0"),
        (5, "int is no bot"),
        (dict, "dict is no bot"),
    ],
)
def test_what_is_no_bot_is_refused_at_once(given: Any, said: str, folder: Path) -> None:
    (folder / "zoo_broken.py").write_text("oops", encoding="utf-8")
    (folder / "zoo_needs.py").write_text("import zoo_gone", encoding="utf-8")
    (folder / "zoo_script.py").write_text("import sys; sys.exit(0)", encoding="utf-8")
    with pytest.raises(UnknownBot) as error:
        entrant(given, GAME)
    assert said in str(error.value)


def test_what_it_raises_is_its_failure_with_the_place() -> None:
    class Breaks:
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            raise ValueError("no\nweights")

    class Leaves:
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            sys.exit(3)

    class Unmade(First):
        def __init__(self, game: Any) -> None:
            raise RuntimeError

    class Speechless(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    class Mute:
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            raise Speechless

    with pytest.raises(BotFailed, match=r"^raised Speechless \("):
        choose(Mute)
    with pytest.raises(BotFailed, match=r"^raised ValueError: no weights \(test_classes.py, line \d+\)$"):
        choose(Breaks)
    with pytest.raises(BotFailed, match=r"^raised SystemExit: 3"):
        choose(Leaves)
    with pytest.raises(BotFailed, match=r"^raised RuntimeError \("):
        choose(Unmade)


def test_ctrl_c_is_not_its_failure() -> None:
    class Interrupted:
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        choose(Interrupted)


@pytest.mark.parametrize("answer", [-1, None, "fly", 0.0, [0]])
def test_an_answer_that_is_not_legal_is_its_failure(answer: Any) -> None:
    class Wrong:
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> Any:
            return answer

    with pytest.raises(BotFailed, match="which is not legal; legal are: ") as error:
        choose(Wrong)
    assert error.value.kind == "illegal"


class Exits:
    def __index__(self) -> int:
        sys.exit(3)


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


class Words(str):
    def split(self, *_: Any) -> Any:
        raise ValueError


@pytest.mark.parametrize(
    "answer", [Exits(), Unprintable(), Words("fly"), 10**5000], ids=["exits", "unprintable", "words", "long"]
)
def test_an_answer_that_breaks_when_it_is_looked_at_is_its_failure(answer: Any) -> None:
    class Answers:
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> Any:
            return answer

    with pytest.raises(BotFailed, match=r"^raised (SystemExit|RuntimeError|ValueError)"):
        choose(Answers)


def test_one_that_does_not_let_itself_be_interrupted_is_late_all_the_same() -> None:
    class Holds(First):
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            until = time.monotonic() + 0.05
            while time.monotonic() < until:
                with suppress(BaseException):
                    while time.monotonic() < until:
                        pass
            return legal[0]

    with pytest.raises(BotFailed, match=r"^said nothing for 0\.02 s") as error:
        choose(Holds, Limits(decision=0.02))
    assert error.value.kind == "late"


def test_numbers_of_numpy_and_notation_are_answers() -> None:
    class Clever:
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> Any:
            assert belief.view == belief.sample().view(belief.seat)
            assert (belief.observation == belief.sample().observe(belief.seat)).all()
            return belief.choice(legal[-1]).notation if belief.observation.any() else np.int64(legal[-1])

    assert choose(Clever) == legal()[-1]


def test_one_that_never_answers_is_interrupted_and_soon_left_alone() -> None:
    class Hangs:
        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            while True:
                with suppress(Exception):
                    time.sleep(1000)

    one = entrant(Hangs, GAME, Limits(decision=0.01, tries=2))
    now, rng = ziggurat.new(GAME, players=SEATS, seed=3), ziggurat.generator(1)
    kinds = []
    for _ in range(3):
        with pytest.raises(BotFailed) as error:
            one.bot().choose(Belief(now, now.actors[0], rng), now.legal(now.actors[0]), rng)
        kinds.append(error.value.kind)
    assert kinds == ["late", "late", "resting"]

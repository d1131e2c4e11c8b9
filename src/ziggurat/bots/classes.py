"""Python classes as bots: any class with ``choose(belief, legal, rng)`` can play."""

from __future__ import annotations

import importlib
import inspect
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import numpy as np

from ziggurat.bots.belief import Belief, Bot
from ziggurat.bots.outside import USUAL_LIMITS, CostAmount, CostName, Limits, Patience, chosen
from ziggurat.core.errors import BotFailed, UnknownBot
from ziggurat.core.game import Game

INTERRUPT_SECONDS = 0.5
"""Seconds after which a bot that does not let itself be interrupted is interrupted again."""


class _TooLate(BaseException):
    """The timeout that is raised in a bot; no ``except Exception`` of its own catches it."""


class PythonBot(Bot):
    """A bot written in Python, one for each seat of each game where it is a class.

    Args:
        made: a class, or a function that makes one; called with the game, or without arguments if it takes none. Or
            one that is made, and plays all seats of all games.
        patience: of all bots that are made of it.
    """

    def __init__(self, made: Any, game: Game, limits: Limits = USUAL_LIMITS, patience: Patience | None = None) -> None:
        self.game = game
        self.limits = limits
        self.patience = patience or Patience(limits)
        self._made = made
        self._bot: Any = made if _plays(made) else None

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        """See `Bot.choose`.

        Raises:
            BotFailed: when it does not choose one of them in time.
        """
        self.patience.check()
        try:
            if self._bot is None:
                self._bot = self._make()
            with limited(self.limits.decision, f"said nothing for {self.limits.decision:g} s"), _blamed():
                # What it answers may be an object of its own, which is asked what it is.
                number = chosen(self._bot.choose(belief, belief.game.listed(list(legal)), rng), legal, belief)
        except BotFailed as error:
            self.patience.failed(error)
            raise
        self.patience.answered()
        return number

    @property
    def costs(self) -> dict[str, float]:
        """The costs of its decisions: its attribute ``costs``, if it has one."""
        try:
            return msgspec.convert(getattr(self._bot, "costs", {}), dict[CostName, CostAmount])
        except Exception:
            return {}

    def _make(self) -> Any:
        with limited(self.limits.start, f"was not made within {self.limits.start:g} s"), _blamed():
            bot = self._made(self.game) if _takes_game(self._made) else self._made()
            plays = _plays(bot)
        if not plays:
            raise BotFailed(f"is {type(bot).__name__}, which has no method choose(belief, legal, rng)", "start")
        return bot


def _plays(bot: Any) -> bool:
    return not isinstance(bot, type) and callable(getattr(bot, "choose", None))


def _takes_game(made: Callable[..., Any]) -> bool:
    try:
        inspect.signature(made).bind(None)
    except TypeError:
        return False
    except ValueError:  # written in C
        return False
    return True


@contextmanager
def _blamed() -> Iterator[None]:
    """Turn every error of a bot's code into a failure of that bot alone."""
    try:
        yield
    except (_TooLate, KeyboardInterrupt, BotFailed):
        raise
    except BaseException as error:
        places = [place for place in traceback.extract_tb(error.__traceback__) if place.filename != __file__]
        where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
        said = _said(error)
        raise BotFailed(f"raised {type(error).__name__}{f': {said}' if said else ''}{where}", "error") from error


def _said(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:200]
    except Exception:  # an exception of its own, that cannot say what it is
        return ""


@contextmanager
def limited(seconds: float, what: str) -> Iterator[None]:
    """Interrupt Python code at a time limit, where that is possible: in the main thread of a Unix process.

    Raises:
        BotFailed: then; and at the end, for code that was not, or did not let itself be, interrupted.
    """
    began = time.monotonic()
    with _interrupted(seconds, what):
        yield
    if time.monotonic() - began > seconds:
        raise BotFailed(what, "late")


@contextmanager
def _interrupted(seconds: float, what: str) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    armed = True

    def ring(number: int, frame: FrameType | None) -> None:
        if armed:
            raise _TooLate

    before = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, INTERRUPT_SECONDS)
    try:
        try:
            yield
        finally:
            armed = False
    except _TooLate:
        raise BotFailed(what, "late") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, interval)
        signal.signal(signal.SIGALRM, before or signal.SIG_DFL)


def find(text: str) -> None:
    """Find the module of ``my_module:MyBot`` without importing it.

    Raises:
        UnknownBot: when it is not there.
    """
    _look_here()
    module = text.partition(":")[0].partition(".")[0]
    if find_spec(module) is None:
        raise UnknownBot(f"there is no bot and no module {module!r} for {text!r}", bot=text)


def _look_here() -> None:
    here = os.getcwd()  # noqa: PTH109
    if here not in sys.path:
        sys.path.insert(0, here)


def named(text: str) -> Any:
    """Import what ``my_module:MyBot`` names; modules are looked for in the current folder, too.

    Raises:
        UnknownBot: when there is no such thing, or its module cannot be imported, saying why.
    """
    module, _, name = text.partition(":")
    _look_here()
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or module
        if missing == module or module.startswith(f"{missing}."):
            raise UnknownBot(f"there is no bot and no module {module!r} for {text!r}", bot=text) from None
        raise UnknownBot(f"module {module!r} of {text!r} needs {missing!r}, which is not there", bot=text) from error
    except (Exception, SystemExit) as error:  # a script ends when it is done
        why = f"{type(error).__name__}: {_said(error)}"
        raise UnknownBot(f"module {module!r} of {text!r} cannot be imported: {why}", bot=text) from error
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise UnknownBot(f"module {module!r} has no {name!r} for {text!r}", bot=text) from None
    check(found, text)
    return found


def check(made: Any, text: str) -> None:
    """Whether something can be a bot.

    Raises:
        UnknownBot: when it cannot.
    """
    if _plays(made) or (isinstance(made, type) and callable(getattr(made, "choose", None))):
        return
    if callable(made) and not isinstance(made, type):
        return  # a function that makes one
    raise UnknownBot(f"{text} is no bot: it needs a method choose(belief, legal, rng)", bot=text)

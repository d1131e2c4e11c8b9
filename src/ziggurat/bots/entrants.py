"""Bot specifications: a name, a search with a budget, or a bot from outside, parsed and turned into a bot."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ziggurat.bots import classes
from ziggurat.bots.belief import Bot
from ziggurat.bots.classes import PythonBot
from ziggurat.bots.levels import BOTS, searches
from ziggurat.bots.outside import USUAL_LIMITS, ExternalBot, Limits, Patience, address, arguments
from ziggurat.bots.search import Budget, SearchBot, SearchConfig
from ziggurat.core.errors import BadBudget, UnknownBot
from ziggurat.core.game import Game

SEARCH_KINDS: Mapping[str, Mapping[str, bool]] = {"search": {}, "classic": {"learned": False}, "flat": {"flat": True}}
"""Searches that need a budget, and what sets them apart: a classic one plays every game to its end."""
OUTSIDE_PREFIXES = ("cmd:", "tcp:")
"""How bots begin that speak the protocol of docs/agents.md."""
NAME_CHARACTERS = 60
"""Characters of the longest name of a bot."""
VISITOR_ITERATIONS = 20_000
"""Of a search that a client of somebody else's asks for, at most."""
_VISITOR_SEARCH = re.compile(r"search:(\d{1,5})", re.ASCII)
_LABEL = re.compile(r"\s*([^:=,'\"]+?)\s*=(.+)", re.DOTALL)
_CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_PART = re.compile(r"""(?:[^,'"]|'[^']*'|"[^"]*"|['"])+""")


@dataclass(frozen=True)
class BotSpec:
    """The specification of a bot, parsed once from its text; it makes the bot for every game.

    Attributes:
        name: what results call it; the same bot has one name however it was written.
        text: what makes it, in another process too; nothing where it is an object of Python.
        budget, config: of a search named with its budget, else None.
        factory: a class, or an object, of another author.
    """

    name: str
    game: Game
    text: str
    budget: Budget | None = None
    config: SearchConfig | None = None
    factory: Any = None
    limits: Limits = USUAL_LIMITS
    patience: Patience | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle for another process: made there from the text, or from the object, with programs and patience of its
        own."""
        return _sent, (self.text or self.factory, self.game, self.limits, self.name)

    def bot(self) -> Bot:
        """Return a new bot, for one seat of one game."""
        if self.budget is not None:
            return SearchBot(self.game, self.budget, config=self.config)
        if self.factory is not None:
            return PythonBot(self.factory, self.game, self.limits, self.patience)
        if self.text.startswith(OUTSIDE_PREFIXES):
            return ExternalBot(self.text, self.limits)
        return BOTS[self.text](self.game)

    @property
    def outside(self) -> bool:
        """Whether the bot is from outside: it may fail, and has no time limit but ours."""
        return self.factory is not None or self.text.startswith(OUTSIDE_PREFIXES)

    @property
    def searches(self) -> bool:
        """Whether the bot needs its game's compiled search."""
        return self.budget is not None or searches(self.text, self.game)

    @property
    def by_clock(self) -> bool:
        """Whether its choices are known to depend on how fast the machine is."""
        bot = None if self.outside else self.bot()
        return isinstance(bot, SearchBot) and bot.budget.seconds is not None

    def timeless(self) -> Bot:
        """Return a deterministic bot, without a clock: its moves follow from what its seat sees and its seed alone.

        Raises:
            BadBudget: when the clock is all that bounds it.
        """
        bot = self.bot()
        if isinstance(bot, SearchBot):
            bot.budget = Budget(bot.budget.iterations)
        return bot


def _sent(given: Any, game: Game, limits: Limits, name: str) -> BotSpec:
    return replace(entrant(given, game, limits), name=name)


def entrants(given: Sequence[Any], game: Game, limits: Limits = USUAL_LIMITS) -> list[BotSpec]:
    """Return the bots of a tournament, each under a name of its own.

    Raises:
        UnknownBot, BadBudget: see :func:`entrant`; also for a bot that is named twice.
    """
    found = [entrant(one, game, limits) for one in given]
    names = [_name(one.name) for one in found]
    for name in names:
        if names.count(name) > 1:
            own = any(one.name == name and not one.text for one in found)
            more = "; give each an attribute `name`" if own else ""
            raise UnknownBot(f"a tournament is between different bots: {name} is named {names.count(name)} times{more}")
    return found


def split(text: str) -> list[str]:
    """Split the texts of several bots at commas; a command with a comma in it stands in quotation marks."""
    return [part.strip() for part in _PART.findall(text)] or [""]


def repeatable(given: str, game: Game, what: str) -> BotSpec:
    """Return the bot that a text names, if it is deterministic.

    Args:
        what: a clause that says why it must.

    Raises:
        UnknownBot, BadBudget: for what is none, is a program outside, or goes by the clock alone.
    """
    found = entrant(given, game)
    if found.text.startswith(OUTSIDE_PREFIXES):
        raise UnknownBot(f"{what}, so its bots are of this program or a class, not {given!r}")
    if found.budget is not None and found.budget.iterations is None:
        raise BadBudget(f"{what}, so a budget is of iterations (search:100), not {given!r}")
    return found


def entrant(given: Any, game: Game, limits: Limits = USUAL_LIMITS, *, name: str | None = None) -> BotSpec:
    """Return the bot that a text names.

    * ``greedy``: a bot that comes with the game.
    * ``search:800``, ``flat:0.5s``, ``search:800:explore=0.7``: a search. A budget is a number of iterations for each
      decision, or of seconds with an ``s``; settings of :class:`ziggurat.bots.SearchConfig` may follow it.
    * ``my_module:MyBot``: a class in Python, or a function that makes a bot.
    * ``cmd:python my_bot.py``: a program; ``tcp:127.0.0.1:9000``: one that listens at a socket (docs/agents.md).

    ``me=cmd:./bot`` gives it another name, as ``name`` does. In Python it may be the class, or the bot, itself. What
    was read already is returned as it is.

    Raises:
        UnknownBot: with those that there are, or for what cannot be started at all.
        BadBudget: for a budget that is none, for settings that there are not, and for a budget of a bot without one.
    """
    if name is not None:
        return replace(entrant(given, game, limits), name=_name(name))
    if isinstance(given, BotSpec):
        return given
    if not isinstance(given, str):
        name = getattr(given, "name", None)
        usual = given.__name__ if hasattr(given, "__name__") else type(given).__name__
        shown = name if isinstance(name, str) and name else usual
        classes.check(given, shown)
        return BotSpec(_name(shown), game, "", factory=given, limits=limits, patience=Patience(limits))
    if label := _LABEL.fullmatch(given):
        return entrant(label[2], game, limits, name=label[1])
    text = given.strip()
    if text.startswith(OUTSIDE_PREFIXES):
        address(text) if text.startswith("tcp:") else arguments(text)
        return BotSpec(text, game, text, limits=limits)
    kind, *rest = (part.strip() for part in text.split(":"))
    if kind in SEARCH_KINDS:
        if not rest:
            raise BadBudget(f"{kind!r} needs a budget, such as {kind}:800 (iterations) or {kind}:0.5s (seconds)")
        budget, settings = _budget(rest[0], text), _settings(rest[1:], text, game)
        amount = f"{budget.seconds:g}s" if budget.iterations is None else f"{budget.iterations}"
        name = ":".join(
            [
                kind,
                amount,
                *(
                    f"{key}={value}" if isinstance(value, str) else f"{key}={value:g}"
                    for key, value in sorted(settings.items())
                ),
            ]
        )
        return BotSpec(name, game, name, budget, SearchConfig(**{**settings, **SEARCH_KINDS[kind]}))
    if kind not in BOTS:
        if _CLASS.fullmatch(text):
            return BotSpec(text, game, text, factory=classes.named(text), limits=limits, patience=Patience(limits))
        known = f"{', '.join(BOTS)}, search:N, classic:N, flat:N, my_module:MyBot, cmd:PROGRAM, tcp:HOST:PORT"
        raise UnknownBot(f"there is no bot {kind!r}; there are: {known}", bot=kind)
    if rest:
        raise BadBudget(f"{kind} has a budget of its own: {text!r} is not possible, search:{rest[0]} may be")
    return BotSpec(kind, game, kind)


def own_entrant(text: str, game: Game, *, name: str | None = None) -> BotSpec:
    """Return the built-in bot that a text names; for a text from somebody else's file, which must not start programs.

    Raises:
        UnknownBot, BadBudget: see :func:`entrant`; also for a program, a socket, a class or a network of others.
    """
    kind = text.partition(":")[0].strip()
    if kind not in BOTS and kind not in SEARCH_KINDS:
        known = f"{', '.join(BOTS)}, search:N, classic:N, flat:N"
        raise UnknownBot(
            f"a bot that a file names is one of ours, not {text[:80]!r}; there are: {known}", bot=kind[:80]
        )
    found = entrant(text, game, name=name)
    if found.config is not None and found.config.network:
        raise UnknownBot(
            f"a bot that a file names has the game's own network, not one in a file: {text[:80]!r}", bot=kind
        )
    return found


def visitor_entrant(text: str, game: Game) -> BotSpec:
    """Return the bot that somebody else's client asks for: none that starts a program, reads a file of this machine or
    searches without end.

    Raises:
        UnknownBot: with those that there are.
    """
    search = _VISITOR_SEARCH.fullmatch(text)
    if text not in BOTS and not (search and 1 <= int(search[1]) <= VISITOR_ITERATIONS):
        known = ", ".join(BOTS)
        raise UnknownBot(
            f"bots are {known}, or search:N with N from 1 to {VISITOR_ITERATIONS}, not {text[:40]!r}", bot=text
        )
    return entrant(text, game)


def check(text: str, game: Game) -> None:
    """Whether a text names a bot, as far as can be seen without importing anybody's code.

    Raises:
        UnknownBot, BadBudget: see :func:`entrant`.
    """
    if _CLASS.fullmatch(text) and text.partition(":")[0] not in (*BOTS, *SEARCH_KINDS, "cmd", "tcp"):
        classes.find(text)
    else:
        entrant(text, game)


def _name(text: str) -> str:
    if len(text) > NAME_CHARACTERS or not text.isprintable():
        raise UnknownBot(
            f"a bot's name has up to {NAME_CHARACTERS} characters that can be printed, not {text[:80]!r}", bot=text
        )
    return text


def _budget(amount: str, text: str) -> Budget:
    try:
        given: dict[str, Any] = {"seconds": float(amount[:-1])} if amount.endswith("s") else {"iterations": int(amount)}
    except ValueError:
        raise BadBudget(
            f"a budget is a number of iterations, such as 800, or of seconds, such as 0.5s, not {amount!r} in {text!r}"
        ) from None
    return Budget(**given)


def _settings(pairs: Sequence[str], text: str, game: Game) -> dict[str, Any]:
    usual: Mapping[str, Any] = {
        field.name: field.default for field in fields(SearchConfig) if field.name not in ("flat", "learned")
    }
    usual = {**usual, "trust": game.trust, "ahead": 0, "mix": 0.0}
    found: dict[str, Any] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        if key not in usual:
            raise BadBudget(f"a search has no setting {key!r} in {text!r}; there are: {', '.join(usual)}")
        try:
            found[key] = type(usual[key])(value)
        except ValueError:
            raise BadBudget(f"{key} is a number such as {usual[key]:g}, not {value!r} in {text!r}") from None
    return found

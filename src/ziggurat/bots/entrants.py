"""Who plays: bots from what names them, and searches with a budget of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ziggurat.bots.belief import Bot
from ziggurat.bots.levels import BOTS
from ziggurat.bots.search import Budget, Plan, SearchBot
from ziggurat.core.errors import BadBudget, UnknownBot
from ziggurat.core.game import Game

KINDS = {"search": False, "flat": True}
"""Searches that need a budget: whether they are flat."""


@dataclass(frozen=True)
class Entrant:
    """A bot that can be made anew for every game.

    Attributes:
        name: what results call it; the same bot has one name however it was written.
        budget, plan: of a search named with its budget, else None.
    """

    name: str
    game: Game
    budget: Budget | None = None
    plan: Plan | None = None

    def bot(self) -> Bot:
        if self.budget is not None:
            return SearchBot(self.game, self.budget, plan=self.plan)
        return BOTS[self.name](self.game)

    @property
    def searches(self) -> bool:
        return isinstance(self.bot(), SearchBot)

    @property
    def by_clock(self) -> bool:
        """Whether its choices depend on how fast the machine is."""
        bot = self.bot()
        return isinstance(bot, SearchBot) and bot.budget.seconds is not None


def entrants(texts: Sequence[str], game: Game) -> list[Entrant]:
    """All that play.

    Raises:
        UnknownBot, BadBudget: see :func:`entrant`; also for a bot that is named twice.
    """
    found = [entrant(text, game) for text in texts]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise UnknownBot(f"a tournament is between different bots: {name} is named {names.count(name)} times")
    return found


def entrant(text: str, game: Game) -> Entrant:
    """A bot from what names it: ``greedy``, ``search:800``, ``flat:0.5s``, ``search:800:explore=0.7``.

    A budget is a number of iterations for each decision, or of seconds with an ``s``. Settings of
    :class:`ziggurat.bots.Plan` may follow it.

    Raises:
        UnknownBot: with those that there are.
        BadBudget: for a budget that is none, for settings that there are not, and for a budget of a bot without one.
    """
    kind, *rest = (part.strip() for part in text.split(":"))
    if kind in KINDS:
        if not rest:
            raise BadBudget(f"{kind!r} needs a budget, such as {kind}:800 (iterations) or {kind}:0.5s (seconds)")
        budget, settings = _budget(rest[0], text), _settings(rest[1:], text, game)
        amount = f"{budget.seconds:g}s" if budget.iterations is None else f"{budget.iterations}"
        name = ":".join([kind, amount, *(f"{key}={value:g}" for key, value in sorted(settings.items()))])
        return Entrant(name, game, budget, Plan(**settings, flat=KINDS[kind]))
    if kind not in BOTS:
        raise UnknownBot(f"there is no bot {kind!r}; there are: {', '.join(BOTS)}, search:N, flat:N", bot=kind)
    if rest:
        raise BadBudget(f"{kind} has a budget of its own: {text!r} is not possible, search:{rest[0]} may be")
    return Entrant(kind, game)


def _budget(amount: str, text: str) -> Budget:
    try:
        return Budget(seconds=float(amount[:-1])) if amount.endswith("s") else Budget(iterations=int(amount))
    except ValueError:
        raise BadBudget(
            f"a budget is a number of iterations, such as 800, or of seconds, such as 0.5s, not {amount!r} in {text!r}"
        ) from None


def _settings(pairs: Sequence[str], text: str, game: Game) -> dict[str, Any]:
    usual: Mapping[str, Any] = {field.name: field.default for field in fields(Plan) if field.name != "flat"}
    usual = {**usual, "trust": game.trust}
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

"""Bots: players that are programs.

A bot is handed a :class:`Belief`, never a position: what its seat may know, filled up at random where it knows nothing.
That is enforced by type: ``choose`` has no other way to the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ziggurat.core.lazy import attribute_of

if TYPE_CHECKING:
    from ziggurat.bots.advice import Advice, Analysis, CandidateMove, Judgement, advise, analyse, judge
    from ziggurat.bots.belief import Belief, Bot
    from ziggurat.bots.fallible import Errors, FallibleBot
    from ziggurat.bots.levels import BOTS, bot, meanwhile, searches, timeless
    from ziggurat.bots.playing import Chooser, chooser, decide
    from ziggurat.bots.search import Budget, Candidate, SearchBot, SearchConfig, Searcher
    from ziggurat.bots.simple import GreedyBot, RandomBot, draw
    from ziggurat.bots.tree import SEARCHING

__all__ = [
    "BOTS",
    "SEARCHING",
    "Advice",
    "Analysis",
    "Belief",
    "Bot",
    "Budget",
    "Candidate",
    "CandidateMove",
    "Chooser",
    "Errors",
    "FallibleBot",
    "GreedyBot",
    "Judgement",
    "RandomBot",
    "SearchBot",
    "SearchConfig",
    "Searcher",
    "advise",
    "analyse",
    "bot",
    "chooser",
    "decide",
    "draw",
    "judge",
    "meanwhile",
    "searches",
    "timeless",
]

if not TYPE_CHECKING:  # a type checker knows the names from above
    __getattr__ = attribute_of(
        __name__,
        {
            **dict.fromkeys(
                ("Advice", "Analysis", "CandidateMove", "Judgement", "advise", "analyse", "judge"),
                "ziggurat.bots.advice",
            ),
            **dict.fromkeys(("Belief", "Bot"), "ziggurat.bots.belief"),
            **dict.fromkeys(("Errors", "FallibleBot"), "ziggurat.bots.fallible"),
            **dict.fromkeys(("BOTS", "bot", "meanwhile", "searches", "timeless"), "ziggurat.bots.levels"),
            **dict.fromkeys(("Chooser", "chooser", "decide"), "ziggurat.bots.playing"),
            **dict.fromkeys(("Budget", "Candidate", "SearchBot", "SearchConfig", "Searcher"), "ziggurat.bots.search"),
            **dict.fromkeys(("GreedyBot", "RandomBot", "draw"), "ziggurat.bots.simple"),
            **dict.fromkeys(("SEARCHING",), "ziggurat.bots.tree"),
        },
    )

"""The configuration of a study, in plain data: its questions about a game, and the games that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

import ziggurat
from ziggurat.bots.entrants import OUTSIDE_PREFIXES, BotSpec, entrant
from ziggurat.core.errors import BadBudget, BadOption, UnknownBot
from ziggurat.core.game import Components, Game
from ziggurat.core.seed import parse_seed

LEVELS = ("apprentice", "mason", "builder")
QUICK_GAMES_PER_GAME = 50
"""Games of the heuristic for each game of the bots that are studied: a hundred take the time of one."""
OF_AN_OPTION = 10
"""Games of the heuristic with an option changed, in the same way."""
REPLAYS_PER_DEAL = 2
"""How often a deal is played with everybody at the same seat."""
MOMENTS_PER_GAME = 8
"""Decisions that are looked at in a game, one of every eighth of it."""
GAMES_PER_JOB = {"games": 10, "openings": 10, "quick": 250, "option": 250, "levels": 2, "moments": 4}
"""Games, or deals, in a job: about a second."""


class StudyConfig(msgspec.Struct, frozen=True):
    """The configuration of a study.

    Attributes:
        made_with: versions, see ``ziggurat.versions``; nobody here observes, so that of observations is not among them.
        players: the numbers of players that are studied.
        games: of the bots that are studied, for each number of players; all other games are in proportion.
        bots: what names the bot that plays at all seats.
        levels: what names bots of different strength, from the weakest, for the question of luck and skill.
        numbers: text of the components if they are not the usual ones.
        seed: 64 hexadecimal digits.
    """

    made_with: dict[str, str]
    game: str
    players: tuple[int, ...]
    games: int
    bots: str
    levels: tuple[str, ...]
    options: dict[str, str]
    numbers: str | None
    seed: str

    @classmethod
    def of(
        cls,
        game: Game,
        *,
        players: Sequence[int] | None,
        games: int,
        bots: str,
        levels: Sequence[str],
        options: Mapping[str, str],
        components: Components,
        seed: int | str | bytes | None,
    ) -> StudyConfig:
        """Check and return a configuration.

        Raises:
            BadOption, BadSeed, UnknownBot, BadBudget: saying what would have been right.
        """
        if game.facts is None:
            raise BadOption(f"{game.id} does not say what there is to know about a finished game")
        fewest = max(2, game.min_players)
        numbers = tuple(players or range(fewest, min(game.max_players, fewest + 2) + 1))
        if min(numbers) < 2:
            raise BadOption("a study compares players: for 2 of them or more, not for 1", players=min(numbers))
        if len(set(numbers)) < len(numbers):
            raise BadOption(f"every number of players is studied once, not as in {', '.join(map(str, numbers))}")
        for number in numbers:
            complete = game.check_setup(number, options)
        if games < 20:
            raise BadOption(f"a study takes at least 20 games for each number of players, not {games}")
        if len(levels) < 2:
            raise BadOption("luck and skill are told apart by two levels or more, such as mason,builder")
        for name in (bots, *levels):
            studied(name, game)
        return cls(
            made_with={
                name: text for name, text in ziggurat.versions(game, components).items() if name != "observations"
            },
            game=game.id,
            players=numbers,
            games=games,
            bots=bots,
            levels=tuple(levels),
            options=game.changed({name: value for name, value in complete.items() if name in options}),
            numbers=components.own_text,
            seed=parse_seed(seed).hex(),
        )

    @property
    def components(self) -> Components:
        return ziggurat.game(self.game).components_of(self.numbers)

    def contests(self, players: int) -> list[tuple[str, ...]]:
        """Return the pairings that tell luck from skill: equals, neighbours in strength, and the most unequal two.

        Where there are more seats than levels, the strongest sits at several.
        """
        found = [(self.bots,) * players]
        ladder = (*self.levels, *[self.levels[-1]] * (players - len(self.levels)))
        found += [ladder[first : first + players] for first in range(len(ladder) - players + 1)]
        if players == 2 and len(self.levels) > 2:
            found.append((self.levels[0], self.levels[-1]))
        return found

    def variants(self, players: int) -> Iterator[tuple[str, str]]:
        """Yield every option with each value other than the study's own."""
        game = ziggurat.game(self.game)
        usual = game.check_setup(players, self.options)
        for option in game.options:
            if option.fits(players):
                for value in option.choices:
                    try:
                        game.check_setup(players, {**self.options, option.name: value})
                    except BadOption:  # it needs another option as well
                        continue
                    if value != usual[option.name]:
                        yield option.name, value

    def jobs(self) -> list[Job]:
        """Return all jobs, in order."""
        found: list[Job] = []
        for players in self.players:
            deals = max(10, self.games // (2 * players))
            wanted = [
                ("games", "", self.games),
                ("quick", "", self.games * QUICK_GAMES_PER_GAME),
                ("openings", "", self.games // 2),
                ("moments", "", max(8, self.games // 4)),
                *(("option", f"{name}={value}", self.games * OF_AN_OPTION) for name, value in self.variants(players)),
                *(("levels", ",".join(contest), deals) for contest in self.contests(players)),
            ]
            for sample, variant, number in wanted:
                step = GAMES_PER_JOB[sample]
                found += [
                    Job(sample, variant, players, first, min(step, number - first)) for first in range(0, number, step)
                ]
        return found


class Job(NamedTuple):
    """A job: consecutive games of a sample.

    Attributes:
        sample: what for: a key of ``GAMES_PER_JOB``.
        variant: the option and its value, or who meets.
        first, number: which games, or deals, from 0.
    """

    sample: str
    variant: str
    players: int
    first: int
    number: int

    @property
    def games(self) -> int:
        """Return the number of games: a deal is played with every bot at every seat, several times."""
        return self.number * (self.players * REPLAYS_PER_DEAL if self.sample == "levels" else 1)


def studied(text: str, game: Game) -> BotSpec:
    """Return a bot that can play without a clock.

    Raises:
        UnknownBot, BadBudget: for what is none, is not here, or goes by the clock alone.
    """
    if text.startswith(OUTSIDE_PREFIXES):
        raise UnknownBot(f"a study can be repeated exactly, so its bots are of this program or a class, not {text!r}")
    found = entrant(text, game)
    if found.budget is not None and found.budget.iterations is None:
        raise BadBudget(f"a study can be repeated exactly, so a budget is of iterations (search:100), not {text!r}")
    return found

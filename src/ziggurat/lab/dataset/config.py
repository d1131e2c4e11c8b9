"""The configuration of a dataset, in plain data: everything that decides its bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

import ziggurat
from ziggurat.bots.entrants import repeatable
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Components, Game
from ziggurat.core.setup import Setup
from ziggurat.lab.results import command_of
from ziggurat.lab.simulate import Simulation

MOST_GAMES = 1 << 31
GAMES_PER_SHARD = 1000
"""Games in a file, unless another number is asked for: some tens of megabytes while they are worked on."""


class GameRange(NamedTuple):
    """A range of consecutive games.

    Attributes:
        first: number of the first of them, from 0.
    """

    first: int
    number: int


class DatasetConfig(msgspec.Struct, frozen=True):
    """The configuration of a dataset.

    Attributes:
        made_with: ``ziggurat.versions``, and the version of Polars, which decides the bytes of a file.
        bots: what names the bot of each player.
        options: all of them with their values.
        numbers: text of the components if they are not the usual ones.
        seed: 64 hexadecimal digits.
        shard: games in a file.
        values: iterations of the search that says what a decision is worth; 0 for none.
    """

    made_with: dict[str, str]
    game: str
    players: int
    games: int
    bots: tuple[str, ...]
    options: dict[str, str]
    numbers: str | None
    seed: str
    shard: int
    values: int

    @classmethod
    def of(
        cls,
        game: str | Game,
        *,
        games: int,
        bots: Sequence[str],
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        seed: int | str | bytes | None = None,
        shard: int = GAMES_PER_SHARD,
        values: int = 0,
    ) -> DatasetConfig:
        """Check and return a configuration.

        Raises:
            UnknownGame, BadOption, BadSeed, UnknownBot, BadBudget: saying what would have been right.
        """
        from polars import __version__ as polars_version

        for what, number, least, most in (
            ("games", games, 1, MOST_GAMES),
            ("games in a shard", shard, 1, 1_000_000),
            ("iterations for a value", values, 0, 10_000_000),
        ):
            if not least <= number <= most:
                raise BadOption(f"a data set has {least} to {most} {what}, not {number}")
        setup = Setup.of(game, len(bots), options, components, seed)
        return cls(
            made_with={**ziggurat.versions(setup.game, setup.components), "polars": polars_version},
            game=setup.game.id,
            players=setup.players,
            games=games,
            bots=tuple(repeatable(bot, setup.game, "a data set can be made again to the byte").text for bot in bots),
            options=setup.options,
            numbers=setup.components.own_text,
            seed=setup.seed.hex(),
            shard=shard,
            values=values,
        )

    def simulation(self) -> Simulation:
        """Return the configuration of the simulation that plays its games."""
        components = ziggurat.game(self.game).components_of(self.numbers)
        return Simulation.of(self.game, self.bots, bytes.fromhex(self.seed), self.options, components, timeless=True)

    @property
    def command(self) -> str:
        """Return the command that makes the same dataset again."""
        short = msgspec.structs.replace(self, bots=self.bots[:1]) if len(set(self.bots)) == 1 else self
        chosen = [name for name, usual in (("shard", GAMES_PER_SHARD), ("values", 0)) if getattr(self, name) != usual]
        return command_of("dataset", short, ("players", "games", "bots", *chosen))

    @property
    def shards(self) -> list[GameRange]:
        """Return the range of games of each file."""
        return [GameRange(first, min(self.shard, self.games - first)) for first in range(0, self.games, self.shard)]

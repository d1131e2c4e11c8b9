"""The verification of a results file: what of it follows from the protocol, and what is taken on trust."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec

import ziggurat
from ziggurat.core.errors import BadOption, ComponentsError, UnknownGame
from ziggurat.lab.arena import protocol
from ziggurat.lab.arena.game import ArenaGames, own_agent
from ziggurat.lab.arena.ladder import digest
from ziggurat.lab.arena.records import ArenaConfig, ArenaResults, GameRecord, decoded, encoded, must_stand
from ziggurat.lab.arena.summary import results_of, worst_of
from ziggurat.lab.results import ResultsError, read_bytes
from ziggurat.lab.work import Workers, as_done


class ArenaVerdict(msgspec.Struct, frozen=True):
    """The verdict on a results file, in sentences.

    Attributes:
        own: what the run chose that the protocol leaves to nobody; nothing where its place can be compared.
        proved: what was computed again.
        believed: what only the file says.
    """

    results: ArenaResults
    own: list[str]
    proved: list[str]
    believed: list[str]

    @property
    def first(self) -> str:
        """Return the sentence that is to be read first: whether the run followed the protocol."""
        if self.own:
            return f"its own, not the protocol's: {', '.join(self.own)}"
        return f"the protocol's, on the ladder that comes with the game (digest {digest(self.results.config.ladder)})"


class ArenaCheck:
    """The verification of a file: reading it finds faults without a game being played, `play` finds the rest.

    It starts no program and imports no class that the file names.

    Raises:
        ResultsError, UnknownBot, BadBudget: naming the first thing that does not follow.
    """

    def __init__(self, file: str | Path) -> None:
        self.file = Path(file)
        self._data = read_bytes(self.file)
        self.results = decoded(self.file, self._data)
        config, games = self.results.config, self.results.games
        try:
            _must_be_of_here(config)
            if encoded(self.results) != self._data:
                raise ResultsError("it is not written as it would be: other keys, spaces, digits or order")
            _must_be_possible(config)
            for record in games:
                must_stand(record)
            protocol.must_follow(config, games)
            if not protocol.over(config, games):
                left = protocol.bound(config) - len(games)
                raise ResultsError(
                    f"it is not over: of at most {protocol.bound(config)} games {left} are missing, and the place is"
                    f" not known to {config.points:g} points; 'ziggurat arena place' with --resume goes on"
                )
        except ResultsError as error:
            raise self._named(error) from None
        self._games = ArenaGames(config, own_agent(config))

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Replay all games; yields the number of games replayed since the last time.

        Raises:
            ResultsError: naming the first thing that does not follow.
        """
        there = self.results
        try:
            with closing(as_done(partial(_again, self._games), there.games, workers)) as done:
                for place, record in done:
                    if record != there.games[place]:
                        raise ResultsError(f"game {record.game}: {_difference(there.games[place], record)}")
                    yield 1
            self._games.prepare()
            fresh = results_of(there.config, there.games, worst_of(self._games, there.games))
            if encoded(fresh) != self._data:
                raise ResultsError(f"its games are as it says, but {_difference(there, fresh)}")
        except ResultsError as error:
            raise self._named(error) from None

    def verdict(self) -> ArenaVerdict:
        """Return the verdict when every game was replayed."""
        config = self.results.config
        follows = self._games.agent is not None
        return ArenaVerdict(
            self.results, protocol.own(config), _proved(self.results, follows), _believed(self.results, follows)
        )

    def _named(self, error: ResultsError) -> ResultsError:
        return ResultsError(f"{self.file}: {error}")


def verify(file: str | Path, workers: Workers = 1) -> ArenaVerdict:
    """Replay the games of a results file, and return what of it follows from the protocol and what is taken on trust.

    Raises:
        ResultsError, UnknownBot, BadBudget: naming the first thing that does not follow.
    """
    check = ArenaCheck(file)
    for _ in check.play(workers):
        pass
    return check.verdict()


def _again(games: ArenaGames) -> Callable[[GameRecord], GameRecord]:
    games.prepare()
    return games.play_again


def _difference(there: msgspec.Struct, fresh: msgspec.Struct) -> str:
    for name in there.__struct_fields__:
        old, new = getattr(there, name), getattr(fresh, name)
        if old != new:
            return f"{name} is {str(new)[:200]}, not {str(old)[:200]}"
    return "it is written otherwise"


def _must_be_of_here(config: ArenaConfig) -> None:
    try:
        game = ziggurat.game(config.game)
    except UnknownGame as error:
        raise ResultsError(error.detail) from None
    if config.rules != game.version:
        raise ResultsError(f"it was played by version {config.rules[:40]} of the rules; these are {game.version}")
    if config.ziggurat != ziggurat.__version__:
        raise ResultsError(
            f"it was made by Ziggurat {config.ziggurat[:40]}, whose anchors may play otherwise than those of"
            f" {ziggurat.__version__}, which this is"
        )


def _must_be_possible(config: ArenaConfig) -> None:
    try:
        protocol.must_hold(config)
    except (BadOption, ComponentsError) as error:
        raise ResultsError(f"its configuration cannot be: {error}") from None


def _proved(results: ArenaResults, follows: bool) -> list[str]:
    config, games = results.config, results.games
    chairs = [f"{one.chair} " for one in games]
    every = sum(len(one.moves) for one in games)
    own = sum(
        text.startswith(chair) for one, chair in zip(games, chairs, strict=True) for text in one.moves[: one.failed_at]
    )
    after = sum(
        text.startswith(chair)
        for one, chair in zip(games, chairs, strict=True)
        if one.failed_at is not None
        for text in one.moves[one.failed_at :]
    )
    regrets = sum(len(one.regrets) for one in games)
    ends = f"the place was known to {config.points:g} points" if results.reached else "its bound on games was met"
    said = [
        f"{len(games)} games of {config.game} with {config.players} players are all that the protocol has until"
        f" {ends}: none is left out, and deals, line-ups and chairs are the protocol's",
        f"{every - own - after} moves of anchors are what these play",
        f"{own} moves of the agent are what {config.agent_text} plays"
        if follows
        else f"{own} moves of the agent are legal",
    ]
    if after:
        said.append(f"{after} moves after failures are the heuristic's")
    if results.place is not None:
        found = results.place
        said.append(f"places, luck and the rating follow: {found.rating:.0f}, 95 % {found.low:.0f} to {found.high:.0f}")
    else:
        said.append("places and luck follow; a single deal makes no rating")
    if regrets:
        said.append(f"{regrets} regrets, and {len(results.worst)} decisions judged again, are what the search says")
    else:
        said.append("no regret was asked for, and none was judged")
    return [*said, "every byte of the file follows from its games"]


def _believed(results: ArenaResults, follows: bool) -> list[str]:
    config, games = results.config, results.games
    seconds = f"the {sum(one.seconds for one in games):,.1f} seconds that it took"
    costs = ", ".join(f"{amount:,.6g} {name}" for name, amount in results.costs.items())
    failed = sum(results.failures.values())
    made = f", made by {config.agent_text!r:.80}" if config.agent_text else ""
    said = [f"that the agent is called {config.agent!r}{made}"]
    if not follows:
        said[0] += ", and that it made these moves, knowing no more than its seat: the deals are the same for everybody"
        kinds = ", ".join(f"{kind} {times}" for kind, times in results.failures.items())
        said.append(f"that it failed in {failed} games ({kinds}), and why" if failed else "that it never failed")
    said.append(f"{seconds}, and its costs: {costs}" if costs else seconds)
    said.append("that no other run of it was thrown away")
    return said

"""One game of the arena: who sits where, how it is played or played again, and what it says."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Bot, Chooser, SearchBot, analyse, chooser, draw
from ziggurat.bots.entrants import BotSpec, entrant, own_entrant
from ziggurat.bots.outside import LEGAL, Limits
from ziggurat.core import runtime
from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position
from ziggurat.core.setup import Setup
from ziggurat.lab.arena.luck import Played, luck
from ziggurat.lab.arena.records import DIGITS, ArenaConfig, ArenaError, GameRecord, Regret
from ziggurat.lab.loop import play_out
from ziggurat.lab.tournament.match import MatchOutcome, played_out, result

PHASES = 8


class Seats(NamedTuple):
    """A game before it begins: its group, from 0, the agent's chair, from 0, and the opponents around the table."""

    group: int
    chair: int
    opponents: tuple[str, ...]


class ArenaGames:
    """The games of a run, ready to be played; the same everywhere for the same configuration.

    Args:
        agent: None where games are only played again.
    """

    def __init__(self, config: ArenaConfig, agent: BotSpec | None) -> None:
        self.config = config
        self.agent = agent
        game = ziggurat.game(config.game)
        components = game.components_of(config.components_text)
        self.setup = Setup.of(game, config.players, config.options, components, config.seed)
        self.game = game
        self.anchors = {one.name: own_entrant(one.text, game, name=one.name) for one in config.ladder.anchors}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.config, self.agent)

    def prepare(self) -> None:
        """Compile what the games need, or load it from the cache."""
        ziggurat.prepare(self.game)
        runtime.prepare(self.game, program=SEARCHING)

    def around(self, group: int, opponents: Sequence[str]) -> tuple[str, ...]:
        """Some opponents in an order around the table, drawn for each group."""
        rng, order = ziggurat.generator(self._key("order", group)), list(opponents)
        for i in range(len(order) - 1, 0, -1):
            j = draw(rng, i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    def play(self, seats: Seats) -> GameRecord:
        """Play a game."""
        assert self.agent is not None
        names, specs = self._at_table(seats)
        own = self.agent.timeless() if _can_be_timeless(self.agent) else self.agent.bot()
        bots: list[Bot] = [own if one is None else one.timeless() for one in specs]
        moves: list[Played] = []
        found = played_out(self._position(seats), bots, self._chances(seats), watch=_keep(moves))
        return self._record(seats, names, moves, found)

    def play_again(self, record: GameRecord) -> GameRecord:
        """Play a game again as a record says the agent did, and return the record that follows.

        Raises:
            ArenaError: when it cannot have happened.
        """
        number, config = record.game, self.config
        chair, group = record.chair - 1, record.group - 1
        seated = [*record.seats[chair + 1 :], *record.seats[:chair]]
        if record.seats[chair : chair + 1] != [config.agent] or strange(seated, self.anchors):
            raise ArenaError(f"game {number}: its seats are not the agent's and anchors': {record.seats}")
        seats = Seats(group, chair, tuple(seated))
        _, specs = self._at_table(seats)
        chances = self._chances(seats)
        own = f"{record.chair} "
        said = iter([text.removeprefix(own) for text in record.moves if text.startswith(own)])
        choosers = [
            _as_said(said, number) if spec is None else chooser(spec.timeless(), chances[seat])
            for seat, spec in enumerate(specs)
        ]
        moves: list[Played] = []
        position = play_out(self._position(seats), choosers, watch=_keep(moves))
        if next(said, None) is not None:
            raise ArenaError(f"game {number}: it is over before the agent has made all its moves")
        failed = {chair} if record.failure is not None else set()
        scores, wins, places = result(position.scores, position.winners, failed)
        found = MatchOutcome(scores, wins, places, {}, [], [])
        again = self._record(seats, list(record.seats), moves, found, record)
        if again.moves != record.moves:
            at = next((i for i, (a, b) in enumerate(zip(again.moves, record.moves, strict=False)) if a != b), -1)
            raise ArenaError(
                f"game {number}: move {at + 1} is {record.moves[at]!r}; the anchor there plays {again.moves[at]!r}"
            )
        return again

    def _at_table(self, seats: Seats) -> tuple[list[str], list[BotSpec | None]]:
        """Names and anchors by seat, none at the agent's; the opponents follow the agent around the table."""
        around: list[tuple[str, BotSpec | None]] = [(self.config.agent, None)]
        around += [(name, self.anchors[name]) for name in seats.opponents]
        turned = [around[(seat - seats.chair) % len(around)] for seat in range(len(around))]
        return [name for name, _ in turned], [spec for _, spec in turned]

    def _position(self, seats: Seats) -> Position:
        return self.setup.position(self._key("deal", seats.group), trace=False)

    def _chances(self, seats: Seats) -> list[np.ndarray]:
        return [
            ziggurat.generator(self._key("chance", seats.group, seats.chair, seat))
            for seat in range(self.setup.players)
        ]

    def _key(self, *what: str | int) -> bytes:
        return hashlib.sha256(self.setup.seed + " ".join(map(str, ("arena", *what))).encode()).digest()

    def _record(
        self,
        seats: Seats,
        names: list[str],
        moves: list[Played],
        found: MatchOutcome,
        known: GameRecord | None = None,
    ) -> GameRecord:
        """What a game says. What cannot be computed again, time and failures, is taken from what is known."""
        chair, players = seats.chair, self.setup.players
        number = seats.group * players + chair + 1
        failure, kind = found.failures.get(chair), found.kinds.get(chair)
        failed_at = found.failed_at.get(chair)
        if known is None:
            costs = {name: round(amount, DIGITS) for name, amount in sorted(found.costs[chair].items())}
            decisions, seconds = found.decisions[chair], round(found.seconds[chair], 3)
            failure = failure.partition(LEGAL)[0] if failure is not None else None
        else:
            costs, decisions, seconds = known.costs, known.decisions, known.seconds
            failure, kind, failed_at = known.failure, known.failure_kind, known.failed_at
        others = [found.places[seat] for seat in range(players) if seat != chair]
        own = found.places[chair]
        ahead = sum(0.5 if own == other else float(own < other) for other in others) / len(others)
        chance = ziggurat.generator(self._key("luck", number))
        fortune = luck(moves, chair, self._at_table(seats)[1], chance)
        return GameRecord(
            game=number,
            group=seats.group + 1,
            chair=chair + 1,
            seats=names,
            moves=[f"{move.seat + 1} {move.before.write_move(move.steps)}" for move in moves],
            scores=found.scores,
            places=found.places,
            ahead=round(ahead, DIGITS),
            luck=round(fortune, DIGITS),
            regrets=self._regrets(number, chair, moves if failed_at is None else moves[:failed_at], len(moves)),
            decisions=decisions,
            seconds=seconds,
            costs=costs,
            failure=failure,
            failure_kind=kind,
            failed_at=failed_at,
        )

    def _regrets(self, number: int, chair: int, moves: list[Played], length: int) -> list[Regret]:
        """What some of the agent's own decisions cost, drawn by lot among those in which it had a choice."""
        asked = [at for at, move in enumerate(moves) if move.seat == chair and _branch(move) is not None]
        rng = ziggurat.generator(self._key("judged", number))
        for i in range(len(asked) - 1, 0, -1):
            j = draw(rng, i + 1)
            asked[i], asked[j] = asked[j], asked[i]
        found = []
        for at in sorted(asked[: self.config.judged]):
            move = moves[at]
            chance = ziggurat.generator(self._key("judge", number, at))
            said = analyse(move.before, chair, move.steps, self.config.iterations, chance, explain=False)
            found.append(
                Regret(
                    at + 1,
                    1 + at * PHASES // length,
                    _branch(move) or "",
                    round(said.difference, DIGITS),
                    move.before.write_move(move.steps),
                    said.advice.move.notation,
                )
            )
        return found

    def moves_of(self, record: GameRecord) -> list[Played]:
        """The moves of a game that was recorded."""
        position = self._position(Seats(record.group - 1, record.chair - 1, ()))
        found = []
        for text in record.moves:
            who, _, notation = text.partition(" ")
            seat = int(who) - 1
            steps = tuple(position.read_move(notation, seat))
            found.append(Played(position.copy(), seat, steps))
            position.play_all(seat, steps)
        return found


def strange(seated: Sequence[str], anchors: dict[str, BotSpec]) -> bool:
    """Whether somebody sits there who is no anchor."""
    return any(name not in anchors for name in seated)


def _keep(moves: list[Played]) -> Callable[[Position, int, list[int]], None]:
    def keep(before: Position, seat: int, steps: list[int]) -> None:
        # As its notation is read, so that what is computed here is computed from a file as well.
        moves.append(Played(before, seat, tuple(before.read_move(before.write_move(steps), seat))))

    return keep


def _branch(move: Played) -> str | None:
    """The type of the first action of a move in which there was a choice."""
    here = move.before.copy(events=False)
    for action in move.steps:
        if len(here.legal(move.seat)) > 1:
            return here.choice(move.seat, action).type
        here.play(move.seat, action)
    return None


def _can_be_timeless(agent: BotSpec) -> bool:
    """Whether it is one of ours, and something else than the clock bounds it."""
    if agent.outside:
        return False
    bot = agent.bot()
    return not isinstance(bot, SearchBot) or bot.budget.iterations is not None


def _as_said(said: Any, number: int) -> Chooser:
    """Choose what a record says, step by step."""
    left: list[int] = []

    def choose(position: Position, seat: int, legal: list[int]) -> int:
        if not left:
            text = next(said, None)
            if text is None:
                raise ArenaError(f"game {number}: the agent makes fewer moves than the game has")
            try:
                left.extend(position.read_move(text, seat))
            except IllegalAction as error:
                raise ArenaError(f"game {number}: {text!r} is not legal there: {error.detail}") from None
        action = left.pop(0)
        if action not in legal:
            raise ArenaError(f"game {number}: the agent plays what is not legal")
        return action

    return choose


def agent_of(text: Any, game: Any, seconds: float, name: str | None) -> BotSpec:
    """The agent that a text names."""
    return entrant(text, game, Limits(decision=seconds), name=name)

"""One game of the arena: its seating, playing or replaying it, and its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Bot, Chooser, GreedyBot, SearchBot, analyse, chooser, draw
from ziggurat.bots.entrants import BotSpec, entrant, own_entrant
from ziggurat.bots.outside import LEGAL_SEPARATOR, Limits
from ziggurat.core.errors import BadBudget, IllegalAction, UnknownBot
from ziggurat.core.position import Position
from ziggurat.core.runtime import PLAYING
from ziggurat.core.setup import Setup
from ziggurat.lab.arena.luck import Played, luck
from ziggurat.lab.arena.protocol import ARENA_SEED, Seats, around, key
from ziggurat.lab.arena.records import RECORD_DIGITS, ArenaConfig, GameRecord, Regret, must_stand
from ziggurat.lab.loop import play_out, prepare_all
from ziggurat.lab.results import ResultsError
from ziggurat.lab.tournament.match import played_out, result

PHASES = 8


class ArenaGames:
    """The games of a run, ready to be played; the same everywhere for the same configuration.

    Args:
        agent: where games are only played again, the agent if it is one of ours, see `own_agent`, or None.
    """

    def __init__(self, config: ArenaConfig, agent: BotSpec | None) -> None:
        self.config = config
        self.agent = agent
        game = ziggurat.game(config.game)
        components = game.components_of(config.components_text)
        self.setup = Setup.of(game, config.players, config.options, components, ARENA_SEED)
        self.game = game
        self.anchors = {one.name: own_entrant(one.text, game, name=one.name) for one in config.ladder.anchors}
        for one in self.anchors.values():
            one.timeless()  # what only a clock bounds is refused now

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.config, self.agent)

    def prepare(self) -> None:
        """Compile what the games need, or load it from the cache."""
        prepare_all(self.game, (PLAYING, SEARCHING))

    def play(self, seats: Seats) -> GameRecord:
        """Play a game, and return its record."""
        assert self.agent is not None
        own = self.agent.timeless() if _can_be_timeless(self.agent) else self.agent.bot()
        bots: list[Bot] = [own if one is None else one.timeless() for one in self._at_table(seats)]
        moves: list[Played] = []
        found = played_out(
            self._position(seats),
            bots,
            self._chances(seats),
            watch=_keep(moves),
            heuristic=[_heuristic(seats)] * len(bots),
        )
        chair = seats.chair
        failure = found.failures.get(chair)
        return self._record(
            seats,
            moves,
            found.scores,
            found.places,
            seconds=round(found.seconds[chair], 3),
            costs={name: round(amount, RECORD_DIGITS) for name, amount in sorted(found.costs[chair].items())},
            failure=failure.partition(LEGAL_SEPARATOR)[0] if failure is not None else None,
            failure_kind=found.kinds.get(chair),
            failed_at=found.failed_at.get(chair),
        )

    def play_again(self, record: GameRecord) -> GameRecord:
        """Replay a game and return the record that follows: the agent makes its recorded moves, or chooses anew where
        it is one of ours.

        Raises:
            ResultsError: when it cannot have happened.
        """
        number, chair = record.game, record.chair - 1
        seats = Seats(record.group - 1, chair, (*record.seats[chair + 1 :], *record.seats[:chair]))
        chances = self._chances(seats)
        if self.agent is not None and record.failure is not None:
            raise ResultsError(f"game {number}: the agent is {self.agent.text}, one of ours, which do not fail")
        moves: list[Played] = []
        keep = _keep(moves)

        def compare(before: Position, seat: int, steps: list[int]) -> None:
            keep(before, seat, steps)
            at, [played] = len(moves), _written(moves[-1:])
            there = record.moves[at - 1] if at <= len(record.moves) else "nothing"
            if played != there:
                raise ResultsError(
                    f"game {number}: move {at} is {there!r:.80}; {_who(record, at, seat)} {played!r:.80}"
                )

        said = _Said(record, moves, self._agent(chances[chair]), chooser(GreedyBot(), _heuristic(seats)))
        choosers = [
            said.choose if spec is None else chooser(spec.timeless(), chances[seat])
            for seat, spec in enumerate(self._at_table(seats))
        ]
        position = play_out(self._position(seats), choosers, watch=compare)
        if more := record.moves[len(moves) :]:
            raise ResultsError(f"game {number}: it is over after move {len(moves)}, and {more[0]!r:.80} follows")
        scores, _, places = result(position.scores, position.winners, set() if record.failure is None else {chair})
        if (failed := record.failed_at) is not None and (
            failed >= len(moves) or moves[failed].seat != chair or not _branches(moves[failed])
        ):
            raise ResultsError(
                f"game {number}: the agent cannot have failed after {failed} moves: it had no choice there"
            )
        return self._record(
            seats,
            moves,
            scores,
            places,
            seconds=round(record.seconds, 3),
            costs={name: round(amount, RECORD_DIGITS) for name, amount in sorted(record.costs.items())},
            failure=record.failure,
            failure_kind=record.failure_kind,
            failed_at=record.failed_at,
        )

    def _agent(self, rng: np.ndarray) -> Chooser | None:
        return None if self.agent is None else chooser(self.agent.timeless(), rng)

    def _at_table(self, seats: Seats) -> list[BotSpec | None]:
        """Return the anchors by seat, None at the agent's."""
        return [
            None if seat == seats.chair else self.anchors[name]
            for seat, name in enumerate(around(self.config.agent, seats))
        ]

    def _position(self, seats: Seats) -> Position:
        return self.setup.position(key("deal", seats.group), trace=False)

    def _chances(self, seats: Seats) -> list[np.ndarray]:
        return [ziggurat.generator(key("chance", seats.group, seats.chair, seat)) for seat in range(self.setup.players)]

    def _record(
        self,
        seats: Seats,
        moves: list[Played],
        scores: list[int | None],
        places: list[int],
        *,
        seconds: float,
        costs: dict[str, float],
        failure: str | None,
        failure_kind: str | None,
        failed_at: int | None,
    ) -> GameRecord:
        """Return the record of a game."""
        chair, players = seats.chair, self.setup.players
        number = seats.group * players + chair + 1
        others = [places[seat] for seat in range(players) if seat != chair]
        own = places[chair]
        ahead = sum(0.5 if own == other else float(own < other) for other in others) / len(others)
        fortune = luck(moves, chair, self._at_table(seats), ziggurat.generator(key("luck", number)))
        before = moves if failed_at is None else moves[:failed_at]
        found = GameRecord(
            game=number,
            group=seats.group + 1,
            chair=chair + 1,
            seats=around(self.config.agent, seats),
            moves=_written(moves),
            scores=scores,
            places=places,
            ahead=round(ahead, RECORD_DIGITS),
            luck=round(fortune, RECORD_DIGITS),
            regrets=self._regrets(number, chair, before, len(moves)),
            decisions=sum(len(_branches(move)) for move in before if move.seat == chair) + (failure is not None),
            seconds=seconds,
            costs=costs,
            failure=failure,
            failure_kind=failure_kind,
            failed_at=failed_at,
        )
        must_stand(found)
        return found

    def _regrets(self, number: int, chair: int, moves: list[Played], length: int) -> list[Regret]:
        """Return the regrets of some of the agent's own decisions, drawn at random among those in which it had a
        choice."""
        asked = [at for at, move in enumerate(moves) if move.seat == chair and _branches(move)]
        rng = ziggurat.generator(key("judged", number))
        for i in range(len(asked) - 1, 0, -1):
            j = draw(rng, i + 1)
            asked[i], asked[j] = asked[j], asked[i]
        found = []
        for at in sorted(asked[: self.config.judged]):
            move = moves[at]
            chance = ziggurat.generator(key("judge", number, at))
            said = analyse(move.before, chair, move.steps, self.config.iterations, chance, explain=False)
            found.append(
                Regret(
                    at + 1,
                    1 + at * PHASES // length,
                    _branches(move)[0],
                    round(said.difference, RECORD_DIGITS),
                    move.before.write_move(move.steps),
                    said.advice.move.notation,
                )
            )
        return found

    def moves_of(self, record: GameRecord) -> list[Played]:
        """Return the moves of a recorded game."""
        position = self._position(Seats(record.group - 1, record.chair - 1, ()))
        found = []
        for text in record.moves:
            who, _, notation = text.partition(" ")
            seat = int(who) - 1
            steps = tuple(position.read_move(notation, seat))
            found.append(Played(position.copy(), seat, steps))
            position.play_all(seat, steps)
        return found


def own_agent(config: ArenaConfig) -> BotSpec | None:
    """Return the agent, if its text names a deterministic one of ours, without a clock: then its moves can be verified,
    too."""
    try:
        spec = own_entrant(config.agent_text, ziggurat.game(config.game))
    except (UnknownBot, BadBudget):
        return None
    return spec if _can_be_timeless(spec) else None


def _heuristic(seats: Seats) -> np.ndarray:
    """Return the generator of the heuristic that goes on for a failed agent: its own, so that it follows from the
    file."""
    return ziggurat.generator(key("heuristic", seats.group, seats.chair))


def _written(moves: Sequence[Played]) -> list[str]:
    return [f"{move.seat + 1} {move.before.write_move(move.steps)}" for move in moves]


def _who(record: GameRecord, at: int, seat: int) -> str:
    if seat != record.chair - 1:
        return "the anchor there plays"
    failed = record.failed_at is not None and at > record.failed_at
    return "the heuristic goes on there, and plays" if failed else "the agent there plays"


def _keep(moves: list[Played]) -> Callable[[Position, int, list[int]], None]:
    def keep(before: Position, seat: int, steps: list[int]) -> None:
        # As its notation is read, so that what is computed here is computed from a file as well.
        moves.append(Played(before, seat, tuple(before.read_move(before.write_move(steps), seat))))

    return keep


def _branches(move: Played) -> list[str]:
    """Return the types of the actions of a move in which there was a choice."""
    here, found = move.before.copy(events=False), []
    for action in move.steps:
        if len(here.legal(move.seat)) > 1:
            found.append(here.choice(move.seat, action).type)
        here.play(move.seat, action)
    return found


def _can_be_timeless(agent: BotSpec) -> bool:
    """Whether the agent is one of ours, and something else than the clock bounds its search."""
    if agent.outside:
        return False
    bot = agent.bot()
    return not isinstance(bot, SearchBot) or bot.budget.iterations is not None


class _Said:
    """A bot that makes the agent's recorded moves, and the heuristic's from where the agent failed.

    Args:
        moves: of the game so far; they grow.
        agent: chooses as the agent does, where that follows.
    """

    def __init__(self, record: GameRecord, moves: list[Played], agent: Chooser | None, heuristic: Chooser) -> None:
        self._record, self._moves, self._agent, self._heuristic = record, moves, agent, heuristic
        self._left: list[int] = []

    def choose(self, position: Position, seat: int, legal: list[int]) -> int:
        at, record = len(self._moves), self._record
        if record.failed_at is not None and at >= record.failed_at:
            return self._heuristic(position, seat, legal)
        if self._agent is not None:
            return self._agent(position, seat, legal)
        try:
            if not self._left:
                self._left = self._read(position, seat)
            if (action := self._left.pop(0)) not in legal:
                raise IllegalAction(f"{position.choice(seat, action).notation!r} is not possible now")
        except IllegalAction as error:
            said = record.moves[at] if at < len(record.moves) else "nothing"
            raise ResultsError(
                f"game {record.game}: move {at + 1}, {said!r:.80}, cannot be made in the deal of group {record.group}:"
                f" {error.detail}"
            ) from None
        return action

    def _read(self, position: Position, seat: int) -> list[int]:
        at, moves = len(self._moves), self._record.moves
        who, _, text = (moves[at] if at < len(moves) else "").partition(" ")
        if who != str(seat + 1):
            raise IllegalAction(f"it is the turn of the agent, at seat {seat + 1}")
        return list(position.read_move(text, seat))


def agent_of(text: Any, game: Any, seconds: float, name: str | None) -> BotSpec:
    """Return the agent that a text names."""
    return entrant(text, game, Limits(decision=seconds), name=name)

"""Puzzles: positions from games in which one move is clearly better than all others, with its certainty.

Bots that err now and then play games; some of the decisions in them are looked at. All whole moves are played on in the
same redeals, first in few games, then the best ones in more: so most positions are dropped soon. What is left must pass
three tests on chance that chose nothing: the best move wins more than the second best by a margin that the interval of
the paired difference lies beyond; a search, which looks further, begins with it at two budgets. Then every move is
valued on fresh redeals, which is what answers are graded by.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ziggurat.bots import Belief, Budget, Searcher, decide
from ziggurat.bots.reasons import PairedRollouts, compared_with, reasons
from ziggurat.core.errors import FileError
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.puzzle import MOST_MOVES, Cost, Puzzle, answers, fits
from ziggurat.core.seed import generator
from ziggurat.core.whole_files import write_whole
from ziggurat.lab.simulate import DECISION_LIMIT

PLAYER_BOT = "mason"
"""The bot that plays the games from which positions are taken."""
FEWEST_MOVES = 3
"""The fewest whole moves of a puzzle."""
LOOKED_AT = 6
"""Decisions of a game that are looked at."""
ELIMINATION_ROUNDS = ((32, 10, -0.05), (96, 5, 0.0), (256, 3, 0.03), (400, 3, 0.04))
"""Games for each move that is left, how many moves are left after them, and by how much the best one must win more than
the second, or the position is dropped."""
PROOF_GAMES = 1500
"""Games by which the best move is proved to be it, and by which the closest others are valued."""
VALUING_GAMES, CLOSEST_MOVES = 300, 4
"""Games by which every move is valued, and how many are so in more of them."""
LEAST_MARGIN = 0.03
"""By so much of the chance of winning the best move is better, 99 times in 100."""
SURE_ERRORS = 2.58
SEARCH_BUDGETS = (1000, 4000)
"""Iterations of the searches that must begin with the same step."""
MOST_OBVIOUS_SHARE = 0.7
"""At most this part of a book is what the heuristic plays, too."""


class Found(msgspec.Struct, frozen=True):
    """A puzzle with its evidence: by how much its best move wins more than the second, and the error of that; what kind
    of move is best, and how far the game was, in per cent of its decisions."""

    puzzle: Puzzle
    gap: float
    error: float
    kind: str
    moment: int = 0


class Deal(msgspec.Struct, frozen=True):
    """The result of searching a game for a puzzle."""

    deal: int
    looked: int
    found: list[Found]


class Values(NamedTuple):
    """The results of moves in the same redeals: games won, and the margin at the end, by move and game."""

    won: np.ndarray
    margin: np.ndarray

    def order(self) -> list[int]:
        """Return the moves, best first: by games won, and the margin where few games were played."""
        spread = float(self.margin.std()) or 1.0
        worth = self.won.mean(axis=1) + 0.1 * self.margin.mean(axis=1) / spread
        return [int(move) for move in np.argsort(-worth, kind="stable")]


def _key(*parts: Any) -> bytes:
    return hashlib.sha256(" ".join(map(str, parts)).encode()).digest()


def values(position: Position, seat: int, moves: list[list[int]], games: int, key: bytes) -> Values:
    """Play moves on, all of them in the same redeals, and return their results."""
    won, margin = [], []
    for first in range(0, len(moves), 2):
        both = moves[first], moves[min(first + 1, len(moves) - 1)]
        played = PairedRollouts(position, seat, generator(key)).play(*both, games)
        for side in range(min(2, len(moves) - first)):
            won.append(played.games["won"][:, side, seat])
            margin.append(played.margins[:, side])
    return Values(np.array(won), np.array(margin))


def _gap(found: Values, best: int, second: int) -> tuple[float, float]:
    difference = found.won[best] - found.won[second]
    return float(difference.mean()), float(difference.std(ddof=1) / np.sqrt(len(difference)))


def _survivors(position: Position, seat: int, moves: list[list[int]], key: bytes) -> list[int]:
    """Return the moves that survive the elimination rounds; none where the two best are too close."""
    left = list(range(len(moves)))
    for number, (games, kept, least) in enumerate(ELIMINATION_ROUNDS):
        found = values(position, seat, [moves[place] for place in left], games, _key(key.hex(), number))
        order = found.order()
        if _gap(found, order[0], order[1])[0] < least:
            return []
        left = [left[place] for place in order[:kept]]
    return left


def examine(position: Position, seat: int, key: bytes) -> Found | None:
    """Return the puzzle in a position, if there is one.

    Args:
        key: 32 bytes that all chance follows from.
    """
    position = position.redeal(seat, generator(_key(key.hex(), "deal")))
    moves = answers(position, seat)
    if not FEWEST_MOVES <= len(moves) <= MOST_MOVES:
        return None
    left = _survivors(position, seat, moves, key)
    if not left:
        return None
    best = left[0]
    proof = values(position, seat, [moves[place] for place in left], PROOF_GAMES, _key(key.hex(), "proof"))
    second = max(range(1, len(left)), key=lambda place: float(proof.won[place].mean()))
    gap, error = _gap(proof, 0, second)
    if gap - SURE_ERRORS * error < LEAST_MARGIN or not _search_agrees(position, seat, moves[best], key):
        return None
    costs = _costs(position, seat, moves, best, key)
    others = [place for place in range(len(moves)) if place != best]
    if min(costs[place].loss for place in others) <= 0:
        return None
    second = min(others, key=lambda place: costs[place].loss)
    gap, error = costs[second].loss / 1000, costs[second].error / 1000
    usual = _usual(position, seat, moves, key)
    rival = second if usual is None or usual == best else usual
    pairs = PairedRollouts(position, seat, generator(_key(key.hex(), "why"))).play(
        moves[best], moves[rival], PROOF_GAMES
    )
    why = reasons(pairs, compared_with(position.describe(seat, moves[rival]).words))
    if not why or why[0].key not in ("why.wins", "why.ahead"):
        return None
    rating = _rating(costs, usual == best)
    name = key[:4].hex()
    found = Puzzle(
        name, position.players, seat, position.to_bytes(), costs, -1 if usual is None else usual, why, rating
    )
    return Found(found, gap, error, position.describe(seat, moves[best]).words.key, position.rows_written)


def _search_agrees(position: Position, seat: int, best: list[int], key: bytes) -> bool:
    for budget in SEARCH_BUDGETS:
        rng = generator(_key(key.hex(), "search", budget))
        [first, *_] = Searcher(position.game).think(Belief(position, seat, rng), Budget(iterations=budget), rng)
        # Several whole moves may begin alike; of those the redeals tell.
        if first.action != best[0]:
            return False
    return True


def _costs(position: Position, seat: int, moves: list[list[int]], best: int, key: bytes) -> list[Cost]:
    """Return the cost of every move, in fresh redeals, by which neither the best move nor the position was chosen.

    Those that cost least are valued in more of them.
    """
    costs = {}
    dear = [place for place in range(len(moves)) if place != best]
    for number, (games, most) in enumerate(((VALUING_GAMES, len(moves)), (PROOF_GAMES, CLOSEST_MOVES))):
        near = dear[:most]
        both = [moves[best], *(moves[place] for place in near)]
        worth = values(position, seat, both, games, _key(key.hex(), number, "values"))
        for at, place in enumerate(near, start=1):
            gap, error = _gap(worth, 0, at)
            costs[place] = Cost(round(1000 * gap), max(1, round(1000 * error)))
        dear.sort(key=lambda place: costs[place].loss)
    return [costs.get(place, Cost(0, 0)) for place in range(len(moves))]


def _usual(position: Position, seat: int, moves: list[list[int]], key: bytes) -> int | None:
    """Return the index of the heuristic's move, if it is among the moves."""
    steps = decide(position, seat, "greedy", generator(_key(key.hex(), "usual")))
    after = position.copy()
    after.play_all(seat, steps)
    for place, other in enumerate(moves):
        known = position.copy()
        known.play_all(seat, other)
        if known.to_bytes() == after.to_bytes():
            return place
    return None


def _rating(costs: list[Cost], obvious: bool) -> int:
    """Return a first rating: higher with more moves, with cheaper ones, and where the heuristic is wrong."""
    losses = sorted(cost.loss for cost in costs)[1:4]
    near = 150 * sum(loss < 60 for loss in losses) / len(losses)
    return round(1250 + 60 * math.log2(len(costs)) + near + (0 if obvious else 150))


def deals(game: Game, seed: bytes, first: int = 0) -> Iterator[Deal]:
    """Search one game after another for puzzles, for ever; each follows from the seed and its number alone.

    Args:
        first: the number of the first one.
    """
    number = first
    few, many = max(2, game.min_players), game.max_players
    while True:
        players = few + number % (many - few + 1)
        yield _deal(game, seed, number, players)
        number += 1


def _deal(game: Game, seed: bytes, number: int, players: int) -> Deal:
    key = _key(seed.hex(), game.id, number)
    rng = generator(key)
    position = Position.new(game, players, seed=_key(key.hex(), "deal"))
    moments: list[tuple[Position, int]] = []
    while not position.finished:
        seat = position.actors[0]
        if len(position.legal(seat)) > 1 and position.forced(seat) is None:
            moments.append((position.copy(), seat))
        position.play_all(seat, decide(position, seat, PLAYER_BOT, rng))
    chance = np.random.default_rng(np.frombuffer(key, dtype=np.uint32))
    chosen = sorted(chance.choice(len(moments), size=min(LOOKED_AT, len(moments)), replace=False).tolist())
    found = []
    for place in chosen:
        before, seat = moments[place]
        one = examine(before, seat, _key(key.hex(), place))
        if one is not None:
            found.append(msgspec.structs.replace(one, moment=round(100 * place / len(moments))))
    return Deal(number, len(chosen), found)


def gather(game: Game, seed: bytes, number: int, file: Path, advance: Callable[[int], None]) -> list[Found]:
    """Find so many puzzles. Each game that was searched is a line of a file; an existing file is continued.

    The same however often it was interrupted.

    Args:
        advance: called with the number of puzzles found since the last call.

    Raises:
        FileError: when a line is damaged, games are missing, or puzzles are of another game or seed, or of a game whose
            positions were kept otherwise: a book with one of them would have none.
    """
    known = read(file)
    for line, deal in enumerate(known, start=1):
        if deal.deal != line - 1:
            raise FileError(f"{file} has game {deal.deal} there, not {line - 1}: lines are missing, or too many", line)
        if not all(_is_of(game, seed, deal.deal, one) for one in deal.found):
            raise FileError(f"{file} has a puzzle that is not of {game.id} and this seed; begin another", line)
        if not all(fits(game, one.puzzle) for one in deal.found):
            raise FileError(f"{file} has puzzles whose positions are not those of {game.id} now; begin another", line)
    found = [one for deal in known for one in deal.found]
    advance(len(found))
    if len(found) < number:
        with file.open("ab") as stream:
            for deal in deals(game, seed, len(known)):
                stream.write(msgspec.json.encode(deal) + b"\n")
                stream.flush()
                found += deal.found
                advance(len(deal.found))
                if len(found) >= number:
                    break
    return found


def _is_of(game: Game, seed: bytes, deal: int, found: Found) -> bool:
    """Whether a puzzle may be from that game: its name follows from seed, game and decision."""
    key = _key(seed.hex(), game.id, deal).hex()
    return any(_key(key, place)[:4].hex() == found.puzzle.name for place in range(DECISION_LIMIT))


def read(file: Path) -> list[Deal]:
    """Read the lines of a file; an incomplete last line is cut off.

    Raises:
        FileError: naming a line that is damaged.
    """
    if not file.exists():
        return []
    whole, _, rest = file.read_bytes().rpartition(b"\n")
    if rest:
        write_whole(file, whole + b"\n" * bool(whole))
    found = []
    for number, line in enumerate(whole.split(b"\n") if whole else [], start=1):
        try:
            found.append(msgspec.json.decode(line, type=Deal))
        except msgspec.MsgspecError as error:
            raise FileError(f"{file} is damaged ({error})", number) from None
    return found


def report(found: Sequence[Found], looked: int) -> Iterator[str]:
    """Yield lines on how certain the puzzles are."""
    gaps = np.array([one.gap for one in found])
    errors = np.array([one.error for one in found])
    low = gaps - 1.96 * errors
    wrong = [one.puzzle.usual != one.puzzle.best for one in found]
    yield f"{len(found)} puzzles of {looked} positions looked at"
    yield f"what the second best move costs: {_spread(100 * gaps)} % of the chance of winning"
    yield f"the lower end of its 95 % interval, on fresh redeals: {_spread(100 * low)} %"
    yield f"that is above 0 in {np.mean(low > 0):.1%}"
    yield f"the heuristic plays another move in {np.mean(wrong):.0%}"
    yield f"whole moves to choose from: {_spread(np.array([len(one.puzzle.costs) for one in found]))}"


def _spread(numbers: np.ndarray) -> str:
    return f"{np.median(numbers):.1f} ({np.quantile(numbers, 0.05):.1f} to {np.quantile(numbers, 0.95):.1f})"


def select(found: Sequence[Found], number: int) -> list[Puzzle]:
    """Select so many for a book: certain on fresh redeals too, not too many obvious ones, and some of every kind of
    decision and number of players."""
    sure = [one for one in found if one.gap - 1.96 * one.error > 0]
    groups: dict[tuple[bool, str, int], list[Found]] = {}
    for one in sure:
        groups.setdefault((one.puzzle.usual == one.puzzle.best, one.kind, one.puzzle.players), []).append(one)
    hard = _in_turn([group for key, group in sorted(groups.items()) if not key[0]])
    obvious = _in_turn([group for key, group in sorted(groups.items()) if key[0]])
    hard = hard[:number]
    most = min(number - len(hard), round(len(hard) * MOST_OBVIOUS_SHARE / (1 - MOST_OBVIOUS_SHARE)))
    return [*{one.puzzle.name: one.puzzle for one in [*hard, *obvious[:most]]}.values()]


def _in_turn(groups: Sequence[Sequence[Found]]) -> list[Found]:
    """Return items of the groups in turn (round-robin), until all are there."""
    longest = max(map(len, groups), default=0)
    return [group[place] for place in range(longest) for group in groups if place < len(group)]

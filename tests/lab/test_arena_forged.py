"""Forged results of an arena: what follows is computed again, as a cheat would, and the fault is found and named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests import runs
from tests.cli.fixtures import Cli, cli  # noqa: F401
from tests.example import SHORT

import ziggurat
from ziggurat.bots import Belief, draw
from ziggurat.core.errors import BadBudget, BotFailed, UnknownBot
from ziggurat.lab.arena import (
    Anchor,
    Arena,
    ArenaCheck,
    ArenaConfig,
    ArenaResults,
    GameRecord,
    Ladder,
    protocol,
    verify,
)
from ziggurat.lab.arena import arena as running
from ziggurat.lab.arena import luck as fortune
from ziggurat.lab.arena.game import ArenaGames
from ziggurat.lab.arena.ladder import digest, kept, ladder_of
from ziggurat.lab.arena.page import page
from ziggurat.lab.arena.records import encoded, load
from ziggurat.lab.arena.summary import results_of, worst_of
from ziggurat.lab.results import ResultsError
from ziggurat.lab.tournament import schedule

pytestmark = pytest.mark.slow

GAME = ziggurat.game(SHORT)
PLAYERS = max(2, GAME.min_players)
MORE = PLAYERS + 1
RATINGS = {"builder": 1200.0, "mason": 1100.0, "greedy": 1000.0, "apprentice": 800.0, "random": 600.0}
QUICK: dict[str, Any] = {"judged": 1, "iterations": 2}
Records = list[GameRecord]


class Honest:
    """Plays the first action that is legal."""

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        return legal[0]


class Failing:
    """Plays the last action that is legal, and fails at its tenth decision."""

    def __init__(self) -> None:
        self.asked = 0
        self.costs = {"tokens": 0.0}

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        self.asked += 1
        self.costs["tokens"] += 5
        if self.asked == 10:
            raise BotFailed("had enough", "ended")
        return legal[-1]


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    """Luck by few deals: a game costs hundredths of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fortune, "REDEALS_PER_ACTION", 1)
        yield


def ladder_for(players: int) -> Ladder:
    anchors = [Anchor(name, name, rating, rating - 10, rating + 10, 100) for name, rating in RATINGS.items()]
    covariance = [[25.0 * (i == j) for j in range(5)] for i in range(5)]
    setup = (GAME.version, GAME.components.digest, GAME.check_setup(players, {}), ziggurat.__version__, "00" * 32)
    return Ladder(SHORT, players, *setup, 100, 50, anchors, covariance)


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("ladder") / "ladder.json"
    file.write_bytes(msgspec.json.encode([ladder_for(PLAYERS), ladder_for(MORE)]))
    return file


def played(ladder: Path, out: Path, agent: Any = Honest, *, groups: int, players: int = PLAYERS, **more: Any) -> Path:
    usual = {"points": 1, "ladder": ladder, **QUICK}
    arena = Arena(SHORT, agent, players=players, games=groups * players, out=out, **{**usual, **more})
    sum(arena.play())
    return out / "arena.json"


@pytest.fixture(scope="module")
def long(ladder: Path, tmp_path_factory: pytest.TempPathFactory) -> ArenaResults:
    """Four batches, which its bound has ended."""
    return load(played(ladder, tmp_path_factory.mktemp("long"), groups=16))


@pytest.fixture(scope="module")
def short(ladder: Path, tmp_path_factory: pytest.TempPathFactory) -> ArenaResults:
    """Two groups."""
    return load(played(ladder, tmp_path_factory.mktemp("short"), groups=2))


@pytest.fixture(scope="module")
def failed(ladder: Path, tmp_path_factory: pytest.TempPathFactory) -> ArenaResults:
    return load(played(ladder, tmp_path_factory.mktemp("failed"), Failing, groups=2))


@pytest.fixture(scope="module")
def ours(ladder: Path, tmp_path_factory: pytest.TempPathFactory) -> ArenaResults:
    return load(played(ladder, tmp_path_factory.mktemp("ours"), "apprentice", groups=2))


def forged(there: ArenaResults, records: Records, worst: Any = None, **changed: Any) -> ArenaResults:
    """Everything else computed as a cheat would, with our own functions."""
    config = msgspec.structs.replace(there.config, **changed)
    again = worst_of(ArenaGames(config, None), records) if worst is None else worst
    return results_of(config, records, again)


def refused(results: ArenaResults | bytes, tmp_path: Path) -> str:
    """Why a file is refused; without its name."""
    file = tmp_path / "forged.json"
    file.write_bytes(results if isinstance(results, bytes) else encoded(results))
    with pytest.raises(ResultsError) as found:
        verify(file)
    assert str(found.value).startswith(f"{file}")
    return str(found.value).removeprefix(f"{file}: ")


def first_line(results: ArenaResults, tmp_path: Path) -> str:
    file = tmp_path / "changed.json"
    file.write_bytes(encoded(results))
    return verify(file).first


def renumbered(records: Sequence[GameRecord]) -> Records:
    players = len(records[0].seats)
    return [
        msgspec.structs.replace(one, game=at + 1, group=1 + at // players, chair=1 + at % players)
        for at, one in enumerate(records)
    ]


def changed(record: GameRecord, **more: Any) -> GameRecord:
    return msgspec.structs.replace(record, **more)


def group(*numbers: int) -> set[int]:
    return set(numbers)


# Which games there are, and in which order.


@pytest.mark.parametrize("left_out", [group(1, 2, 3), group(5, 9, 12), group(14, 15, 16), group(2), group(16)])
@pytest.mark.parametrize("again", [False, True], ids=["numbers kept", "numbered again"])
def test_groups_left_out(long: ArenaResults, tmp_path: Path, left_out: set[int], again: bool) -> None:
    """Whoever plays many games may not publish the best of them."""
    games = [one for one in long.games if one.group not in left_out]
    ends = max(left_out) == 16
    asked = {"games": len(games)} if not ends else {}
    said = refused(forged(long, renumbered(games) if again else games, long.worst, **asked), tmp_path)
    number = (min(left_out) - 1) * PLAYERS + 1
    if ends:
        assert said.startswith("it is not over")
        assert f"{len(long.games) - len(games)} are missing" in said
    elif again:
        assert "the protocol seats" in said or "cannot be made in the deal" in said or "the anchor there plays" in said
    else:
        assert said.startswith(f"game {number}, of group {min(left_out)} with the agent at chair 1, is missing")


def test_the_same_bound_with_fewer_games(long: ArenaResults, tmp_path: Path) -> None:
    """It ended when its place looked good: at a boundary, and within a batch."""
    for groups in (13, 12, 3, 1, 0):
        said = refused(forged(long, long.games[: groups * PLAYERS], []), tmp_path)
        assert f"it is not over: of at most {16 * PLAYERS} games {(16 - groups) * PLAYERS} are missing" in said
        assert "--resume goes on" in said


def test_a_good_moment_within_a_batch_is_no_end(long: ArenaResults, tmp_path: Path) -> None:
    """Its place was known to the points that it claims, but nobody looked there."""
    halves = [place.by_games for groups in (12, 13, 14, 15) if (place := place_at(long, groups))]
    best = min(halves)
    groups = 12 + halves.index(best)
    assert groups > 12, "choose another agent: more games say less of this one"
    cut = forged(long, long.games[: groups * PLAYERS], [], points=best)
    assert cut.reached
    assert refused(cut, tmp_path).startswith("it is not over")


def place_at(there: ArenaResults, groups: int) -> Any:
    return protocol.place_of(there.config, there.games[: groups * PLAYERS])


def test_a_bound_that_was_claimed_after_the_games_is_told_first(long: ArenaResults, tmp_path: Path) -> None:
    games = long.games[: 3 * PLAYERS]
    said = first_line(forged(long, games, games=len(games)), tmp_path)
    assert said.startswith("its own, not the protocol's: ")
    assert f"at most {len(games)} games rather than 400" in said
    assert "1 points either way rather than 40" in said
    assert said in page(forged(long, games, games=len(games))).replace("&#x27;", "'")


def test_more_games_than_the_bound(long: ArenaResults, tmp_path: Path) -> None:
    said = refused(forged(long, long.games, long.worst, games=4), tmp_path)
    assert said == f"there are {16 * PLAYERS} games; its own bound ends them after {-(-4 // PLAYERS) * PLAYERS}"


def test_gone_on_after_the_end(long: ArenaResults, tmp_path: Path) -> None:
    said = refused(forged(long, long.games, long.worst, points=900.0), tmp_path)
    assert said.startswith(f"game {12 * PLAYERS + 1} was played after the end: after game {12 * PLAYERS} the place was")


STRUCTURE: dict[str, tuple[Callable[[Records], Records], str]] = {
    "a chair left out": (
        lambda games: games[:1] + games[2:],
        "game 2, of group 1 with the agent at chair 2, is missing",
    ),
    "the last chair left out": (lambda games: games[:-1], f"group 2 has no game with the agent at chair {PLAYERS}"),
    "a chair doubled": (lambda games: [games[0], *games], "game 2, of group 1 with the agent at chair 2, is missing"),
    "a chair doubled, numbered again": (lambda games: renumbered([games[0], *games[:1], *games[2:]]), "game 2 seats"),
    "games in another order": (lambda games: games[::-1], "game 1, of group 1 with the agent at chair 1, is missing"),
    "groups in another order": (lambda games: games[PLAYERS:] + games[:PLAYERS], "is missing or out of place"),
    "numbered from 0": (lambda games: [changed(one, game=one.game - 1) for one in games], "there stands game 0"),
    "groups numbered otherwise": (
        lambda games: [changed(one, group=one.group + 1) for one in games],
        "of group 2 with",
    ),
    "a chair of its own": (lambda games: [changed(games[0], chair=0), *games[1:]], "at chair 0"),
    "numbers far away": (
        lambda games: [changed(one, game=one.game + 10**15) for one in games],
        "there stands game 1000",
    ),
    "another anchor named": (lambda games: [changed(one, seats=swapped(one)) for one in games], "the protocol seats"),
    "nobody there": (lambda games: [changed(games[0], seats=[]), *games[1:]], "the protocol seats"),
    "the agent twice": (
        lambda games: [changed(games[0], seats=["Honest"] * PLAYERS), *games[1:]],
        "the protocol seats",
    ),
}


def swapped(record: GameRecord) -> list[str]:
    return [one if one == "Honest" else next(name for name in RATINGS if name != one) for one in record.seats]


@pytest.mark.parametrize("what", STRUCTURE)
def test_games_out_of_place(short: ArenaResults, tmp_path: Path, what: str) -> None:
    forge, fault = STRUCTURE[what]
    # What a cheat would compute of it is not there yet where the order is looked at first.
    assert fault in refused(msgspec.structs.replace(short, games=forge(short.games)), tmp_path)


def test_weaker_opponents_really_played(
    ladder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: ArenaResults
) -> None:
    """Nothing is changed afterwards: the games were played so."""
    with monkeypatch.context() as patch:
        patch.setattr(protocol, "_nearest", lambda ladder, seats, guess, used: ["random"] * seats)
        file = played(ladder, tmp_path / "weak", groups=2)
        assert len(ArenaCheck(file).results.games) == 2 * PLAYERS
    said = refused(file.read_bytes(), tmp_path)
    assert said.startswith("game 1 seats Honest, random; by the games before it the protocol seats Honest, ")


def test_later_opponents_follow_from_earlier_results(
    ladder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first batch is as it has to be; in the second the agent's place counts for nothing."""
    with monkeypatch.context() as patch:
        nearest = protocol._nearest
        patch.setattr(protocol, "_nearest", lambda ladder, seats, guess, used: nearest(ladder, seats, 1000.0, used))
        file = played(ladder, tmp_path / "stays", groups=8)
    assert f"game {4 * PLAYERS + 1} seats" in refused(file.read_bytes(), tmp_path)


@pytest.mark.skipif(GAME.max_players < MORE, reason="needs two opponents, who have an order")
def test_the_order_around_the_table(ladder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(protocol, "shuffled", lambda rng, opponents: schedule.shuffled(rng, opponents)[::-1])
        file = played(ladder, tmp_path / "turned", groups=1, players=MORE)
    said = refused(file.read_bytes(), tmp_path)
    assert said.startswith("game 1 seats Honest, ")
    assert "the protocol seats Honest, " in said


def test_another_seed(ladder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody publishes the best of ten."""
    with monkeypatch.context() as patch:
        patch.setattr(protocol, "ARENA_SEED", bytes(32))
        file = played(ladder, tmp_path / "lucky", groups=2)
        assert verify(file).results.games
    said = refused(file.read_bytes(), tmp_path)
    assert "cannot be made in the deal of group 1" in said or "the anchor there plays" in said or "the protocol" in said
    with pytest.raises(TypeError, match="seed"):
        Arena(SHORT, Honest, players=PLAYERS, seed=2)  # type: ignore[call-arg]


# What is said of a game.


def other_move(results: ArenaResults, number: int, agent: bool, first: int = 0) -> tuple[int, str]:
    """A move of the agent, or of an anchor, that could have been another one, from a certain move on."""
    record = results.games[number]
    for at, move in enumerate(ArenaGames(results.config, None).moves_of(record)):
        here = move.before.copy()
        others = [one for one in here.legal(move.seat) if one != move.steps[0]]
        if (
            at >= first
            and (move.seat == record.chair - 1) == agent
            and others
            and not _goes_on(here, move.seat, others[0])
        ):
            return at, f"{move.seat + 1} {move.before.write_move((others[0],))}"
    raise AssertionError("nobody had a choice")


def _goes_on(position: Any, seat: int, action: int) -> bool:
    there = position.copy()
    there.play(seat, action)
    return bool(there.in_move)


def with_move(record: GameRecord, at: int, text: str) -> GameRecord:
    return changed(record, moves=[*record.moves[:at], text, *record.moves[at + 1 :]])


def worse(record: GameRecord) -> list[Any]:
    return [msgspec.structs.replace(one, lost=one.lost - 0.3) for one in record.regrets]


GAMES: dict[str, tuple[Callable[[GameRecord], GameRecord], str]] = {
    "more luck": (lambda one: changed(one, luck=one.luck - 0.5), "game 2: luck is "),
    "no luck": (lambda one: changed(one, luck=0.0), "game 2: luck is "),
    "less regret": (lambda one: changed(one, regrets=worse(one)), "game 2: regrets is "),
    "no regret": (lambda one: changed(one, regrets=[]), "game 2: regrets is "),
    "ahead": (lambda one: changed(one, ahead=0.75), "game 2: ahead is "),
    "scores": (lambda one: changed(one, scores=[(score or 0) + 1 for score in one.scores]), "game 2: scores is "),
    "places": (lambda one: changed(one, places=[1] * PLAYERS), "game 2: places is "),
    "decisions": (lambda one: changed(one, decisions=one.decisions + 1), "game 2: decisions is "),
    "a move appended": (lambda one: changed(one, moves=[*one.moves, one.moves[-1]]), "game 2: it is over after move "),
    "the last move left out": (lambda one: changed(one, moves=one.moves[:-1]), "'nothing'"),
    "a move left out": (lambda one: changed(one, moves=one.moves[:20] + one.moves[21:]), "game 2: move 2"),
    "nobody ahead of so many": (lambda one: changed(one, ahead=1.5), "nobody is ahead of 1.5 of the opponents"),
    "luck without end": (lambda one: changed(one, luck=-2e4), "with a luck of -20000"),
    "all moves left out": (lambda one: changed(one, moves=[]), "game 2: move 1"),
    "an illegal move": (lambda one: with_move(one, 0, "1 castle kingside"), "game 2: move 1"),
    "a move of nobody": (lambda one: with_move(one, 0, "9"), "game 2: move 1"),
    "a move spelled otherwise": (lambda one: with_move(one, 0, one.moves[0] + " "), "game 2: move 1"),
    "time below nothing": (lambda one: changed(one, seconds=-1.0), "game 2: 'seconds' is -1"),
    "a cost below nothing": (lambda one: changed(one, costs={"tokens": -3.0}), "game 2: 'tokens' is -3"),
    "a name of a cost": (lambda one: changed(one, costs={"a\nb": 3.0}), "what an agent takes"),
    "a failure without its kind": (lambda one: changed(one, failure="was late"), "game 2: failure, failure_kind and"),
    "a kind without a failure": (lambda one: changed(one, failure_kind="late"), "stand together"),
    "a kind that is none": (lambda one: failing(one, 0, kind="tired"), "a failure is of the kinds start, late"),
    "a failure without words": (lambda one: failing(one, 0, said=""), "a sentence that can be printed"),
    "a failure after the end": (lambda one: failing(one, len(one.moves)), "so nobody failed after "),
    "a failure before the beginning": (lambda one: failing(one, -1), "so nobody failed after -1"),
    "a failure invented": (lambda one: failing(one, 0), "the heuristic goes on there, and plays"),
}


def failing(record: GameRecord, at: int, kind: str = "late", said: str = "was late") -> GameRecord:
    """As results would be if the agent had failed; it is last."""
    own = record.chair - 1
    scores = [None if seat == own else score for seat, score in enumerate(record.scores)]
    places = [PLAYERS if seat == own else 1 for seat in range(PLAYERS)]
    return changed(
        record, failure=said, failure_kind=kind, failed_at=at, scores=scores, places=places, ahead=0.0, regrets=[]
    )


@pytest.mark.parametrize("what", GAMES)
def test_a_game_is_not_as_it_says(short: ArenaResults, tmp_path: Path, what: str) -> None:
    forge, fault = GAMES[what]
    games = [forge(one) if one.game == 2 else one for one in short.games]
    assert fault in refused(forged(short, games, short.worst), tmp_path)


def test_a_move_of_an_anchor(short: ArenaResults, tmp_path: Path) -> None:
    at, text = other_move(short, 1, agent=False)
    games = [short.games[0], with_move(short.games[1], at, text), *short.games[2:]]
    said = refused(forged(short, games, short.worst), tmp_path)
    assert said.startswith(f"game 2: move {at + 1} is {text!r}; the anchor there plays ")


def test_a_better_move_of_the_agent(short: ArenaResults, tmp_path: Path) -> None:
    """It leads elsewhere: what came after it cannot have come."""
    at, text = other_move(short, 1, agent=True)
    games = [short.games[0], with_move(short.games[1], at, text), *short.games[2:]]
    said = refused(forged(short, games, short.worst), tmp_path)
    assert said.startswith("game 2: ")


def test_moves_of_another_game(short: ArenaResults, tmp_path: Path) -> None:
    one, other = short.games[0], short.games[PLAYERS]
    games = [changed(one, moves=other.moves), *short.games[1:]]
    assert "game 1: move " in refused(forged(short, games, short.worst), tmp_path)


def test_what_an_agent_of_ours_plays_follows(ours: ArenaResults, tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    file.write_bytes(encoded(ours))
    verdict = verify(file)
    assert any(said.endswith("moves of the agent are what apprentice plays") for said in verdict.proved)
    assert not any("made these moves" in said for said in verdict.believed)
    better = forged(ours, ours.games, agent_text="greedy")
    assert "the agent there plays" in refused(better, tmp_path)
    late = [failing(ours.games[0], 0), *ours.games[1:]]
    assert "one of ours, which do not fail" in refused(forged(ours, late, ours.worst), tmp_path)


# Failures.


def test_a_failure_that_is_moved(failed: ArenaResults, tmp_path: Path) -> None:
    assert failed.failures == {"ended": 2 * PLAYERS}
    record = failed.games[0]
    assert record.failed_at is not None
    own = [at for at, text in enumerate(record.moves) if text.startswith(f"{record.chair} ")]
    games = [changed(record, failed_at=own[0]), *failed.games[1:]]
    assert "the heuristic goes on there, and plays" in refused(forged(failed, games, failed.worst), tmp_path)
    other = next(at for at in range(len(record.moves)) if at not in own and at > record.failed_at)
    games = [changed(record, failed_at=other), *failed.games[1:]]
    assert f"cannot have failed after {other} moves" in refused(forged(failed, games, failed.worst), tmp_path)


def test_what_goes_on_for_it_follows(failed: ArenaResults, tmp_path: Path) -> None:
    record = failed.games[0]
    assert record.failed_at is not None
    at, text = other_move(failed, 0, agent=True, first=record.failed_at)
    games = [with_move(record, at, text), *failed.games[1:]]
    said = refused(forged(failed, games, failed.worst), tmp_path)
    assert f"move {at + 1} is {text!r}; the heuristic goes on there, and plays" in said


def test_a_failure_that_is_hidden_by_half(failed: ArenaResults, tmp_path: Path) -> None:
    none = {"failure": None, "failure_kind": None, "failed_at": None}
    games = [changed(failed.games[0], **none), *failed.games[1:]]
    assert "game 1: scores is" in refused(forged(failed, games, failed.worst), tmp_path)
    assert "failures is" in refused(msgspec.structs.replace(failed, failures={}), tmp_path)


def test_what_only_the_file_says_is_named(failed: ArenaResults, short: ArenaResults, tmp_path: Path) -> None:
    """A cheat who makes the heuristic's moves the agent's own is not found, and so is told as believed."""
    file = tmp_path / "failed.json"
    file.write_bytes(encoded(failed))
    verdict = verify(file)
    assert any("moves after failures are the heuristic's" in said for said in verdict.proved)
    assert f"that it failed in {2 * PLAYERS} games (ended {2 * PLAYERS}), and why" in verdict.believed
    assert any(said.endswith(f"its costs: {50 * 2 * PLAYERS} tokens") for said in verdict.believed)
    file.write_bytes(encoded(short))
    verdict = verify(file)
    assert "that it never failed" in verdict.believed
    assert "that no other run of it was thrown away" in verdict.believed
    assert any("'Honest', and that it made these moves" in said for said in verdict.believed)


# What follows from the games.


RESULTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "place": lambda said: said["place"].__setitem__("rating", 1500.0),
    "no place": lambda said: said.__setitem__("place", None),
    "reached": lambda said: said.__setitem__("reached", True),
    "by_opponent": lambda said: said["by_opponent"][0].__setitem__("mean", 1.0),
    "by_phase": lambda said: said["by_phase"].pop(),
    "by_kind": lambda said: said["by_kind"].pop(),
    "regret": lambda said: said["regret"].__setitem__("mean", 0.0),
    "worst": lambda said: said.__setitem__("worst", []),
    "worst of fewer": lambda said: said["worst"].pop(0),
    "worst made milder": lambda said: said["worst"][0].__setitem__("lost", -1.0),
    "worst by other words": lambda said: said["worst"][0].__setitem__("why", ["It was luck."]),
    "failures": lambda said: said.__setitem__("failures", {"late": 1}),
    "costs": lambda said: said.__setitem__("costs", {"tokens": 1.0}),
}


@pytest.mark.parametrize("what", RESULTS)
def test_results_that_do_not_follow(short: ArenaResults, tmp_path: Path, what: str) -> None:
    said = msgspec.to_builtins(short)
    RESULTS[what](said)
    found = refused(msgspec.convert(said, ArenaResults), tmp_path)
    assert found.startswith(f"its games are as it says, but {what.split()[-1 if what == 'no place' else 0]} is ")


# What was played by.


def other_ladder(config: ArenaConfig, **more: Any) -> Ladder:
    return msgspec.structs.replace(config.ladder, **more)


CONFIG: dict[str, tuple[Callable[[ArenaConfig], dict[str, Any]], str]] = {
    "rules": (lambda config: {"rules": "0"}, "played by version 0 of the rules"),
    "ziggurat": (lambda config: {"ziggurat": "0.0.1"}, "made by Ziggurat 0.0.1"),
    "game": (lambda config: {"game": "chess"}, "there is no game 'chess'"),
    "format": (lambda config: {"format": 1}, "is of format 1; this program reads format 2"),
    "players": (lambda config: {"players": 99}, "its configuration cannot be: "),
    "one player": (lambda config: {"players": 1}, "its configuration cannot be: "),
    "components": (lambda config: {"components": "00" * 32}, "the printed numbers have the digest"),
    "usual components as text": (lambda config: {"components_text": "# mine\n"}, "the printed numbers have the digest"),
    "damaged components": (lambda config: {"components_text": "= 1"}, "its configuration cannot be: "),
    "options": (lambda config: {"options": {**config.options, "house_rule": "yes"}}, "its configuration cannot be: "),
    "iterations": (lambda config: {"iterations": 0}, "a decision is judged with 1 to"),
    "judged": (lambda config: {"judged": -1}, "judges 0 or more decisions"),
    "bound": (lambda config: {"games": 0}, "at least 1 game"),
    "points": (lambda config: {"points": -1.0}, "more than 0 points"),
    "seconds": (lambda config: {"seconds": 0.0}, "more than 0 seconds"),
    "the name of an anchor": (lambda config: {"agent": "mason"}, "no anchor's, not 'mason'"),
    "a name for a terminal": (lambda config: {"agent": "\x1b[2J"}, "a name that can be printed"),
    "a ladder of others": (lambda config: {"ladder": other_ladder(config, players=MORE)}, "the ladder is one of other"),
    "a ladder of old": (lambda config: {"ladder": other_ladder(config, rules="0")}, "the ladder is one of other rules"),
    "no ladder": (lambda config: {"ladder": other_ladder(config, anchors=[])}, "the ladder has no anchors"),
    "a ladder that is sure": (lambda config: {"ladder": other_ladder(config, covariance=[])}, "how sure their ratings"),
    "a ladder without end": (lambda config: {"ladder": other_ladder(config, covariance=[[1e308] * 5] * 5)}, "how sure"),
    "a ladder of one": (
        lambda config: {"ladder": other_ladder(config, anchors=config.ladder.anchors[:1] * 5)},
        "or two of one name",
    ),
}


@pytest.mark.parametrize("what", CONFIG)
def test_what_was_played_by(short: ArenaResults, tmp_path: Path, what: str) -> None:
    change, fault = CONFIG[what]
    config = msgspec.structs.replace(short.config, **change(short.config))
    assert fault in refused(msgspec.structs.replace(short, config=config), tmp_path)


def test_another_ladder_is_told_first(short: ArenaResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 points more for every anchor: all follows from it, so it is the first thing that is said."""
    monkeypatch.setattr(protocol, "kept", lambda game: [ladder_for(MORE), ladder_for(PLAYERS)])
    assert "the ladder" not in first_line(short, tmp_path)
    stronger = [msgspec.structs.replace(one, rating=one.rating + 500) for one in short.config.ladder.anchors]
    ladder = other_ladder(short.config, anchors=stronger)
    said = first_line(forged(short, short.games, ladder=ladder), tmp_path)
    there = f"the package's has {digest(ladder_for(PLAYERS))}"
    assert said.startswith(f"its own, not the protocol's: the ladder (digest {digest(ladder)}; {there})")


def test_only_the_usual_is_the_protocols(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each choice that is left is told, also one point of one anchor of the ladders that come with the games."""
    known = ladder_of(GAME, PLAYERS, GAME.check_setup(PLAYERS, {}), GAME.components.digest)
    config = Arena(SHORT, Honest, players=PLAYERS).config
    assert config.ladder == known
    assert known in kept(GAME)
    assert protocol.own(config) == []
    one = msgspec.structs.replace(known.anchors[0], rating=known.anchors[0].rating + 1)
    mine = other_ladder(config, anchors=[one, *known.anchors[1:]])
    for change, said in (
        ({"games": 60}, "at most 60 games rather than 400"),
        ({"points": 50.0}, "50 points either way rather than 40"),
        ({"judged": 0}, "0 decisions of a game judged rather than 6"),
        ({"iterations": 100}, "100 iterations for each rather than 200"),
        ({"seconds": 60.0}, "60 seconds for a decision rather than 10"),
        ({"ladder": mine}, f"the ladder (digest {digest(mine)}; the package's has {digest(known)})"),
        ({"options": {**config.options, **dict.fromkeys(list(config.options)[:1], "x")}}, "the option "),
        ({"components_text": "x"}, f"the printed numbers (digest {config.components[:12]})"),
    ):
        found = protocol.own(msgspec.structs.replace(config, **change))
        assert not found if "option " in said and not config.options else found[0].startswith(said)


# Bytes.


BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a doubled key": (lambda data: data.replace(b'"reached":', b'"reached":true,"reached":'), "is not written as"),
    "a field more": (lambda data: data.replace(b'"reached":', b'"note":"best",\n"reached":'), "is not written as"),
    "a field more in a game": (lambda data: data.replace(b'"luck":', b'"skill":1,"luck":', 1), "is not written as"),
    "a field less": (lambda data: data.replace(b'"reached":false,\n', b""), "holds something else"),
    "on one line": (lambda data: data.replace(b"\n", b""), "is not written as"),
    "indented": (lambda data: json.dumps(json.loads(data), indent=1).encode(), "is not written as"),
    "a space more": (lambda data: data + b" ", "is not written as"),
    "digits more": (lambda data: data.replace(b'"points":1.0', b'"points":1.00'), "is not written as"),
    "a whole number": (lambda data: data.replace(b'"points":1.0', b'"points":1'), "is not written as"),
    "letters written otherwise": (lambda data: data.replace(b'"Honest"', b'"\\u0048onest"'), "is not written as"),
    "a mark at the beginning": (lambda data: b"\xef\xbb\xbf" + data, "holds something else"),
    "no number": (lambda data: data.replace(b'"points":1.0', b'"points":NaN'), "holds something else"),
    "no end": (lambda data: data.replace(b'"points":1.0', b'"points":1e999'), "holds something else"),
    "cut off": (lambda data: data[: len(data) // 2], "holds something else"),
    "two files": (lambda data: data + data, "holds something else"),
    "nothing": (lambda data: b"", "holds something else"),
    "not a text": (lambda data: data.replace(b'"Honest"', b'"\xff"'), "holds something else"),
}


@pytest.mark.parametrize("what", BYTES)
def test_bytes(short: ArenaResults, tmp_path: Path, what: str) -> None:
    change, fault = BYTES[what]
    data = encoded(short)
    assert change(data) != data
    file = tmp_path / "forged.json"
    file.write_bytes(change(data))
    with pytest.raises(ResultsError, match=fault):
        ArenaCheck(file)


# The end, going on, and the command.


def test_a_run_goes_on_across_its_bound(long: ArenaResults, ladder: Path, tmp_path: Path) -> None:
    """Ended within a batch and gone on with, it has the games of a run that was never ended."""
    played(ladder, tmp_path, groups=6)
    assert len(verify(tmp_path / "arena.json").results.games) == 6 * PLAYERS
    file = played(ladder, tmp_path, groups=9, resume=True)
    games = [changed(one, seconds=0.0) for one in load(file).games]
    assert games == [changed(one, seconds=0.0) for one in long.games[: 9 * PLAYERS]]
    assert len(verify(file).results.games) == 9 * PLAYERS
    for asked, fault in (
        ({"groups": 4}, f"there are {9 * PLAYERS} games; its own bound ends them after {4 * PLAYERS}"),
        ({"groups": 9, "judged": 2}, "was begun with judged "),
    ):
        with pytest.raises(ResultsError, match=fault):
            played(ladder, tmp_path, resume=True, **asked)


def test_other_points_that_would_have_ended_it(long: ArenaResults, ladder: Path, tmp_path: Path) -> None:
    (tmp_path / "arena.json").write_bytes(encoded(long))
    with pytest.raises(ResultsError, match=r"cannot go on with .* 900 points .* was played after the end"):
        played(ladder, tmp_path, groups=20, points=900, resume=True)
    assert (tmp_path / "arena.json").read_bytes() == encoded(long)


def test_a_chosen_game_is_not_gone_on_with(long: ArenaResults, ladder: Path, tmp_path: Path) -> None:
    games = [one for one in long.games if one.group != 2]
    (tmp_path / "arena.json").write_bytes(encoded(results_of(long.config, games, [])))
    with pytest.raises(ResultsError, match=rf"game {PLAYERS + 1}, of group 2 .* is missing"):
        played(ladder, tmp_path, groups=16, resume=True)


def test_the_command_says_what_it_proves(cli: Cli, short: ArenaResults, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "arena.json"
    file.write_bytes(encoded(short))
    found = cli("arena", "verify", "arena.json", "--workers", "1")
    assert (found.code, found.err) == (0, "")
    first, *others = found.out.splitlines()
    assert first.startswith("arena.json: its own, not the protocol's: the ladder (digest ")
    judged, not_judged, believed = others[-3:]
    assert others[0] == "proved:"
    assert judged == f"judged: {len(short.games)} of {len(short.games)} games played again"
    assert not_judged == "not judged: nothing"
    assert believed.startswith("believed from the file: ")
    for data, fault in (
        (encoded(forged(short, [], [])), "it is not over"),
        (encoded(forged(short, short.games[:PLAYERS], [])), "it is not over"),
        (b"{}", "damaged, or holds something else"),
    ):
        file.write_bytes(data)
        found = cli("arena", "verify", "arena.json", "--workers", "1")
        assert (found.code, found.out) == (1, "")
        assert found.err.startswith("ziggurat: arena.json is not verified: ")
        assert fault in found.err
    assert "no such option" in cli("arena", "place", SHORT, "--agent", "mason", "--seed", "2").err.lower()


@runs.whole
def test_a_real_run_on_the_ladder_that_is_kept(tmp_path: Path) -> None:
    """Of all anchors, luck as usual; stopped by its points."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fortune, "REDEALS_PER_ACTION", 12)
        arena = Arena(SHORT, "mason", players=PLAYERS, points=150, out=tmp_path)
        sum(arena.play(2))
        verdict = verify(tmp_path / running.ARENA_FILE, 2)
    assert arena.results.reached
    assert verdict.own == ["150 points either way rather than 40"]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a file."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in inside:
        yield from places(inner, (*path, name))


@pytest.mark.filterwarnings("error")
def test_anything_anywhere_is_refused_or_told(short: ArenaResults, tmp_path: Path) -> None:
    """A missing or strange value is refused in a sentence, unless the verdict says that it is own or believed."""
    data, file = encoded(short), tmp_path / "forged.json"
    honest = json.loads(data)
    rng, where = ziggurat.generator(1), [path for path in places(honest) if path]
    strange = [None, -1, 0, 2, 10**18, 1e308, -1e308, 0.5, "", "1 a", "mason", [], {}, True, [1], {"a": 1}]
    for _ in range(runs.number(100, 1500)):
        said = json.loads(data)
        path = where[draw(rng, len(where))]
        holder = said
        for name in path[:-1]:
            holder = holder[name]
        if draw(rng, 6):
            holder[path[-1]] = strange[draw(rng, len(strange))]
        else:
            del holder[path[-1]]
        try:
            file.write_bytes(encoded(msgspec.convert(said, ArenaResults)))
        except (msgspec.MsgspecError, ValueError):
            file.write_bytes(json.dumps(said).encode())
        if file.read_bytes() == data:
            continue
        try:
            verdict = verify(file)
        except (ResultsError, UnknownBot, BadBudget):
            continue
        believed = path[-1] == "seconds" or path[-2:-1] == ("costs",)
        assert believed or (path[0] == "config" and verdict.own), path

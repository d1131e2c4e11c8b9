"""With a Numba that is not as we know it the rules are compiled the slow way, for the same results."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import typed_passes
from tests.core.test_kernel import TOY
from tests.testing.bazaar import GAME

from ziggurat.core import codegen, lowering, trial
from ziggurat.core.engine import RESULT
from ziggurat.core.kernel import cache_root
from ziggurat.core.runtime import LOG, Runtime
from ziggurat.core.seed import generator
from ziggurat.core.trace import WIDTH, new_outs, new_trace

GAMES = 40


def forget() -> None:
    """Let this process find out again."""
    trial.lacking.cache_clear()
    trial.warn.cache_clear()


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    forget()
    yield
    forget()


def test_this_numba_is_as_we_know_it() -> None:
    assert trial.lacking() == ""


@pytest.mark.parametrize(
    "ours",
    [
        *(lowering.Lower, lowering.Lowering, lowering.Steps),
        *(codegen._inner(), codegen._entry(silent=False), codegen.passes(inner=True)),
    ],
    ids=lambda ours: ours.__name__,
)
def test_what_we_put_in_the_place_of_another_has_to_be_there(ours: type) -> None:
    (theirs,) = ours.__bases__
    known = {"_abc_impl", *trial.HOOKS[f"{theirs.__module__}:{theirs.__qualname__}"]}
    assert {name for name in vars(ours) if hasattr(theirs, name) and not name.startswith("__")} <= known


class OneMore(typed_passes.NoPythonBackend):  # type: ignore[misc]
    def run_pass(self, state: Any, more: Any) -> Any:
        return super().run_pass(state)


def renamed(patch: pytest.MonkeyPatch) -> None:
    """What we call in it, but Numba by another way, so that it still compiles."""
    patch.delattr(typed_passes, "NoPythonBackend")


def called_otherwise(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(typed_passes, "NoPythonBackend", OneMore)


def calls_otherwise(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(codegen, "_index", lambda context, builder, kind, index: index)


def never_calls(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(trial.HOOKS, "numba.core.codegen:JITCodeLibrary", ["finalize", "_optimize_final_module_2"])


def means_something_else(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(lowering.ARITHMETIC, operator.mul, "add")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (renamed, "has no attribute 'NoPythonBackend'"),
        (called_otherwise, "TypeError"),
        (calls_otherwise, "argument"),
        (never_calls, "no numba.core.codegen:JITCodeLibrary._optimize_final_module_2"),
        (means_something_else, "computes something else"),
    ],
)
def test_another_numba_compiles_the_slow_way_and_the_log_says_why(
    change: Callable[[pytest.MonkeyPatch], None],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    change(monkeypatch)
    assert said in trial.lacking()
    for _ in ("compiled", "loaded"):
        toy = Runtime(GAME, TOY)
        toy.prepare(cache=tmp_path)
        assert [toy.kernels[name](21) for name in TOY.kernels] == [42, 63, 84]
    assert [sum(one.stats.cache_hits.values()) for one in toy.kernels.values()] == [1, 1, 1]
    (line,) = caplog.messages
    assert said in line
    assert trial.KNOWN in line


def played(rules: Runtime, players: int) -> list[bytes]:
    """Games at random and by the heuristic: how they ended, in what positions, and everything that happened."""
    states = np.zeros(3 + GAMES, dtype=GAME.record)
    states[0] = GAME.template(GAME.components.values, players, {})[0]
    results, log = np.zeros(GAMES, dtype=RESULT), np.zeros((GAMES * 100, WIDTH), dtype=np.int16)
    who, weights = np.arange(players, dtype=np.int64) % 2, new_outs([()] * players)
    games = rules.kernels["log"]
    assert games(states, generator(players), who, new_trace(), weights, results, log, GAMES, 0, 1000) == GAMES
    return [states[3:].tobytes(), results.tobytes(), log.tobytes()]


@pytest.mark.slow
def test_whole_games_are_the_same_to_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling takes ten seconds, so this is kept from one run of the tests to the next."""
    usual, slow = Runtime(GAME, LOG), Runtime(GAME, LOG)
    usual.prepare()
    renamed(monkeypatch)
    forget()
    slow.prepare(cache=cache_root() / "slow")
    assert trial.warn.cache_info().currsize == 1
    for players in range(GAME.min_players, GAME.max_players + 1):
        assert played(slow, players) == played(usual, players)

"""A folder of results: begun, gone on with, and refused where something else was begun in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest

from ziggurat.lab.results import ResultsError, open_or_resume, packed, read_json, saving, unpacked, write_json


class Config(msgspec.Struct, frozen=True):
    options: dict[str, str]
    games: int = 10
    bots: tuple[str, ...] = ("greedy", "random")
    seed: str = "01" + 31 * "00"


class Pair(NamedTuple):
    one: np.ndarray
    other: np.ndarray


ASKED = Config({"order": "usual"})


def opened(file: Path, config: Config = ASKED, **more: Any) -> tuple[Config, Config | None]:
    return open_or_resume(file, config, lambda there: read_json(there, Config), **{"resume": True, **more})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The configuration in a folder that was begun."""
    file = tmp_path / "new" / "config.json"
    assert opened(file, resume=False) == (ASKED, None)
    write_json(file, ASKED)
    return file


def test_the_same_is_gone_on_with_if_one_says_so(file: Path) -> None:
    assert opened(file) == (ASKED, ASKED)
    with pytest.raises(ResultsError, match="new has results already: go on with --resume, or choose another folder"):
        opened(file, resume=False)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"games": 11}, "games 10, not 11"),
        ({"bots": ("greedy",)}, "bots greedy,random, not greedy"),
        ({"options": {"order": "other"}}, "order usual, not other"),
        ({"options": {}}, r"order usual, not \(none\)"),
        ({"seed": 32 * "00"}, "seed 1, not 0"),
    ],
)
def test_the_field_that_differs_is_named(file: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(ResultsError, match=f"new was begun with {said}: go on as it was begun, or choose another"):
        opened(file, msgspec.structs.replace(ASKED, **change))


def test_bounds_may_be_other_ones_and_the_seed_that_of_the_folder(file: Path) -> None:
    more = msgspec.structs.replace(ASKED, games=11)
    assert opened(file, more, bounds=("games",)) == (more, ASKED)
    assert opened(file, msgspec.structs.replace(ASKED, seed=32 * "00"), any_seed=True) == (ASKED, ASKED)


def test_arrays_that_were_cut_off_are_none() -> None:
    data = packed(Pair(np.arange(3), np.ones((2, 2))))
    found = unpacked(data, Pair)
    assert found is not None
    assert found.one.tolist() == [0, 1, 2]
    assert unpacked(data[:-30], Pair) is None


def test_results_are_saved_after_the_first_one_and_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 0.0, 5.0, 10.0, 10.0])
    monkeypatch.setattr("ziggurat.lab.results.time.monotonic", lambda: next(now))
    done: list[int] = []
    saved: list[list[int]] = []
    for number in saving(range(3), lambda: saved.append(list(done))):
        done.append(number)
    assert saved == [[0], [0, 1, 2]]

"""The example that learns: how it is trained where PyTorch is there, and how it plays in any case."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests import runs

import ziggurat
from ziggurat.lab.tournament import tournament

EXAMPLE = Path(__file__).parents[3] / "examples/pupil.py"
GAME = "architects"


class Stub:
    """Instead of what has been learned: plays the first action that is legal."""

    def __init__(self) -> None:
        self.versions = ziggurat.versions(GAME)

    def predict(self, seen: np.ndarray, action_masks: np.ndarray, deterministic: bool) -> tuple[np.ndarray, None]:
        assert deterministic
        assert (seen.dtype.name, seen.shape[-1]) == ("float32", 240)
        assert seen.shape[:-1] == action_masks.shape[:-1]
        return action_masks.argmax(axis=-1), None


def example() -> Any:
    spec = spec_from_file_location("pupil", EXAMPLE)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def stub() -> Stub:
    return Stub()


@pytest.fixture
def untrained(stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example without PyTorch."""
    monkeypatch.chdir(tmp_path)
    Path("pupil.zip").touch()
    learner = SimpleNamespace(load=lambda file, device: stub)
    names: dict[str, dict[str, Any]] = {
        "torch": {"set_num_threads": lambda n: None},
        "sb3_contrib": {"MaskablePPO": learner},
        "stable_baselines3": {},
        "stable_baselines3.common": {},
        "stable_baselines3.common.callbacks": {"BaseCallback": object},
        "ziggurat.rl.stable_baselines3": {"vec_env": None},
    }
    with monkeypatch.context() as patch:  # while it is imported only: others look whether PyTorch is there
        for name, inside in names.items():
            module = ModuleType(name)
            vars(module).update(inside)
            patch.setitem(sys.modules, name, module)
        return example()


@runs.whole
def test_the_pupil_plays_in_tournaments(untrained: Any) -> None:
    rows = tournament(GAME, [untrained.Pupil, "random"], players=2, games=2, seed=1, workers=1).rows
    assert rows["failure"].to_list() == [None] * 4


def test_the_pupil_says_why_it_does_not_play(untrained: Any, stub: Stub) -> None:
    rows = tournament(GAME, [untrained.Pupil, "random"], players=3, games=6, seed=1, workers=1).rows
    said = {text for text in rows["failure"] if text}
    assert [text.partition(" (")[0] for text in said] == [
        "raised ValueError: pupil.zip has learned to play with 2 players, not with 3"
    ]
    stub.versions = {**stub.versions, "observations": "others"}
    with pytest.raises(ValueError, match="has learned with other observations: train it again"):
        untrained.Pupil(ziggurat.game(GAME))
    Path("pupil.zip").unlink()
    untrained.load.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"python examples/pupil\.py makes it"):
        untrained.Pupil(ziggurat.game(GAME))


def test_it_is_evaluated_in_one_game_a_deal(untrained: Any, stub: Stub) -> None:
    table = untrained.evaluate(stub, "greedy", 200)
    assert (table.lengths > 0).all()
    assert (table.outside.sum(axis=0) == 100).all()
    assert table.shares[table.outside == 1].mean() < 0.4


@pytest.mark.skipif(not find_spec("sb3_contrib"), reason="needs the extra `train`")
def test_it_learns_and_plays_what_it_has_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = example()
    monkeypatch.chdir(tmp_path)
    model, curve = module.train(1024, games=16)
    model.save(module.FILE)
    assert [decisions for decisions, _ in curve] == [1024]
    rows = tournament(GAME, [module.Pupil, "random"], players=2, games=2, seed=1, workers=1).rows
    assert rows["failure"].to_list() == [None] * 4

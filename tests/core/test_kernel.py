"""The cache of compiled rules: found again when nothing changed, never used when a source did."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest
from tests import runs
from tests.example import GAME, SEATS

import ziggurat
from ziggurat.core import limits
from ziggurat.core import runtime as runtimes
from ziggurat.core.engine import lowest_seat
from ziggurat.core.kernel import Compiler, Kernels, cache_root, is_kernel, kernel, sources_digest
from ziggurat.core.runtime import GAMES, PLAYING, Program, Runtime, runtime

OUTER = """
from ziggurat.core.kernel import kernel
from {inner} import inner

@kernel
def outer(x):
    return inner(x) + 1
"""
INNER = """
from ziggurat.core.kernel import kernel

FACTOR = {factor}

@kernel
def inner(x):
    return x * FACTOR
"""


def load(name: str, file: Path) -> ModuleType:
    """Import a file as a new process would."""
    sys.modules.pop(name, None)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def compile_once(folder: Path, factor: int, cache: Path | None = None) -> tuple[int, str, int]:
    """Write two modules, compile the outer one, call it; the result, the digest, and how often the cache was hit."""
    names = {name: f"ziggurat_test_{name}" for name in ("inner", "outer")}
    files = [folder / f"{name}.py" for name in names.values()]
    files[0].write_text(INNER.format(factor=factor))
    files[1].write_text(OUTER.format(inner=names["inner"]))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        load(names["inner"], files[0])
        module = load(names["outer"], files[1])
    finally:
        sys.dont_write_bytecode = before
    digest = sources_digest(files)
    kernels = Kernels({"outer": module.outer}, Compiler("test", {}, cached=True), (cache or folder) / digest)
    result = kernels.functions["outer"](np.int64(5))
    for name in names.values():
        sys.modules.pop(name)
    return int(result), digest, sum(kernels.functions["outer"].stats.cache_hits.values())


def test_a_changed_callee_is_never_answered_from_the_cache(tmp_path: Path) -> None:
    first, digest, hits = compile_once(tmp_path, 10)
    assert (first, hits) == (51, 0)
    again, same, hits = compile_once(tmp_path, 10)
    assert (again, same, hits) == (51, digest, 1)
    changed, other, hits = compile_once(tmp_path, 70)
    assert (changed, hits) == (351, 0)
    assert other != digest


def test_checkouts_of_the_same_sources_share_what_is_compiled(tmp_path: Path) -> None:
    hits = []
    for checkout in ("one", "two", "one"):
        folder = tmp_path / checkout
        folder.mkdir(exist_ok=True)
        result, _, found = compile_once(folder, 10, tmp_path / "cache")
        assert result == 51
        hits.append(found)
    assert hits == [0, 1, 1]


def test_the_key_changes_with_every_source_of_a_game(tmp_path: Path) -> None:
    sources = PLAYING.sources(GAME)
    names = {path.stem for path in sources}
    assert names >= {"rules", "state", "belief", "heuristics", "engine", "kernel", "random", "trace"}
    copies = []
    for number, path in enumerate(sources):
        copy = tmp_path / str(number) / path.name
        copy.parent.mkdir()
        copy.write_bytes(path.read_bytes())
        copies.append(copy)
    unchanged = sources_digest(copies)
    assert unchanged == sources_digest(sources)
    assert unchanged == sources_digest(copies[::-1])
    for copy in copies:
        text = copy.read_bytes()
        copy.write_bytes(text + b"#")
        assert sources_digest(copies) != unchanged, copy.name
        copy.write_bytes(text)


def test_programs_that_write_down_what_happens_are_kept_apart_from_silent_ones(tmp_path: Path) -> None:
    """Numba itself would take the one for the other: neither its sources nor its types differ."""
    silent, loud = (
        runtimes._folder(GAME, replace(GAMES, silent=frozenset(some)), tmp_path) for some in (["games"], [])
    )
    assert runtimes._folder(GAME, GAMES, tmp_path) == silent != loud


def test_checked_and_unchecked_code_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    _, checked, _ = compile_once(tmp_path, 10)
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    _, usual, hits = compile_once(tmp_path, 10)
    assert checked != usual
    assert hits == 0


def test_the_folder_of_the_cache_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    monkeypatch.delenv("ZIGGURAT_CACHE")
    assert cache_root().name == "kernels"


def test_a_marked_function_runs_as_plain_python() -> None:
    @kernel
    def double(x: int) -> int:
        return 2 * x

    assert double(21) == 42
    assert is_kernel(double)
    assert not is_kernel(len)


def test_a_compiler_that_fails_leaves_the_game_playable(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left on device")

    broken = Runtime(GAME)
    monkeypatch.setattr("ziggurat.core.runtime.compile_all", fail)
    monkeypatch.setattr("ziggurat.core.position.runtime", lambda game: broken)
    with pytest.raises(OSError, match="no space"):
        broken.prepare()
    position = ziggurat.new(GAME, SEATS, seed=1)
    position.play(position.actors[0], position.legal(position.actors[0])[0])
    assert not broken.ready


@kernel
def twice(x: int) -> int:
    return 2 * x


@kernel
def thrice(x: int) -> int:
    return x + twice(x)


@kernel
def silently(x: int) -> int:
    return twice(twice(x))


# A program as any other, but compiled in a moment.
TOY = Program(
    "toy",
    {"twice": twice, "thrice": thrice, "silently": silently},
    (),
    {},
    lambda game: dict.fromkeys(("twice", "thrice", "silently"), (numba.int64,)),
    silent=frozenset({"silently"}),
)


def test_all_entries_are_found_in_the_cache(tmp_path: Path) -> None:
    """What is compiled as one lies in several files, of which one holds the machine code of all."""
    Runtime(GAME, TOY).prepare(cache=tmp_path)
    again = Runtime(GAME, TOY)
    again.prepare(cache=tmp_path)
    assert {name: function(21) for name, function in again.kernels.items()} == {
        "twice": 42,
        "thrice": 63,
        "silently": 84,
    }
    assert [sum(function.stats.cache_hits.values()) for function in again.kernels.values()] == [1, 1, 1]


@pytest.mark.parametrize("which", range(3))
def test_a_damaged_cache_is_made_again(tmp_path: Path, which: int) -> None:
    first = Runtime(GAME, TOY)
    first.prepare(cache=tmp_path)
    compiled = sorted(tmp_path.rglob("*.nbc"))
    assert len(compiled) == 3
    compiled[which].write_bytes(b"damaged")
    again = Runtime(GAME, TOY)
    again.prepare(cache=tmp_path)
    assert again.kernels["twice"](21) == 42
    assert all(file.read_bytes() != b"damaged" for file in tmp_path.rglob("*.nbc"))


@kernel
def at(numbers: np.ndarray, index: int) -> int:
    return int(numbers[index])


def test_the_tests_compile_with_every_index_checked() -> None:
    compiled = Kernels({"at": at}, Compiler("test", {}, cached=False), None).functions["at"]
    assert compiled(np.arange(3), 2) == 2
    with pytest.raises(IndexError):
        compiled(np.arange(3), 3)


SIDE_BY_SIDE = """
import threading, ziggurat
from ziggurat.core.runtime import prepare, runtime

threads = [threading.Thread(target=prepare, args=(game,)) for game in ziggurat.registered_games().values()]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for game in ziggurat.registered_games().values():
    assert runtime(game).ready, game.id
    position = ziggurat.new(game, players=game.max_players, seed=1)
    for _ in range(5):
        position.play(position.actors[0], position.legal(position.actors[0])[0])
"""


@runs.whole
def test_games_are_loaded_side_by_side() -> None:
    """Each by a thread of its own, as by a server whose first visitors sit down at tables of different games."""
    ran = subprocess.run([sys.executable, "-c", SIDE_BY_SIDE], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_variant_of_a_game_has_kernels_of_its_own_whichever_is_asked_for_first() -> None:
    variant = replace(GAME, rules={**GAME.rules, "winners": lambda s: 0})
    assert runtime(variant) is not runtime(GAME)
    assert runtime(variant).game is variant
    assert runtime(GAME).game.rules == GAME.rules
    assert runtime(replace(GAME, max_players=2)) is runtime(GAME), "the same rules, the same kernels"


def test_the_lowest_seat_of_a_mask() -> None:
    assert limits.SEATS <= 8, "lowest_seat looks at 8 bits"
    for mask in range(1 << limits.SEATS):
        seats = [seat for seat in range(limits.SEATS) if mask >> seat & 1]
        assert lowest_seat(mask) == min(seats, default=-1)

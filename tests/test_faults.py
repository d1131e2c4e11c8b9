"""The list of planted faults does not rot: each still fits the source, in one line (`python -m tests.faults`)."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.faults import first
from tests.faults.__main__ import main
from tests.faults.near import about, near
from tests.faults.plant import ROOT, SPREAD, kept, mistakes


def test_each_fault_fits_its_file_once_and_changes_one_line() -> None:
    faults = kept()
    for fault in faults:
        before = (ROOT / fault.file).read_text(encoding="utf-8")
        old, new = before.splitlines(), fault.planted(before).splitlines()
        assert len(old) - len(new) in (0, 1), fault.id
        changed = [at for at, line in enumerate(old) if at >= len(new) or line != new[at]]
        assert changed, f"{fault.id} changes nothing"
        again = old[: changed[0]] + new[changed[0] : changed[0] + 1 - len(old) + len(new)] + old[changed[0] + 1 :]
        assert again == new, f"{fault.id} changes more than a line"
    assert len({fault.id for fault in faults}) == len(faults)
    assert Counter(fault.floor for fault in faults) <= Counter(SPREAD)
    assert [fault.id for fault in faults if bool(fault.seen) == bool(fault.why)] == [], "a test sees it, or none should"


@pytest.mark.parametrize(
    ("suffix", "text", "wanted"),
    [
        (".py", "def f(a: int, b: int) -> int:\n    return a - b\n", "    return b - b\n"),
        (".py", "if a < b and not c:\n    n += 1\n", "    pass\n"),
        (".py", "if a < b and not c:\n    n += 1\n", "if a <= b and not c:\n"),
        (".py", "if a < b and not c:\n    n += 1\n", "if a < b or not c:\n"),
        (".py", "if a < b and not c:\n    n += 1\n", "if a < b and c:\n"),
        (".svelte", '<p role="status" class:warm={late}>{#if !late}\n', "<p class:warm={late}>{#if !late}\n"),
        (".ts", "  return seat === 0 ? mine : theirs\n", "  return seat !== 0 ? mine : theirs\n"),
        (".ts", "  return seat === 0 ? mine : theirs\n", "  return seat === 0 ? theirs : mine\n"),
        (".json", '{\n  "a": "{seat.acc} took {n}",\n  "b": "x"\n}\n', '  "a": "{seat} took {n}",\n'),
        (".json", '{\n  "a": "{seat.acc} took {n}",\n  "b": "x"\n}\n', '  "a": "x",\n'),
        (".toml", "points = [0, 5]\n", "points = [0, 6]\n"),
    ],
)
def test_mistakes_are_of_the_kind_that_people_make(suffix: str, text: str, wanted: str) -> None:
    assert wanted in [line for _, line in mistakes(suffix, text)]


def test_a_server_starts_in_a_run_with_a_fault() -> None:
    """It refuses settings that it does not know, and then all of its tests would seem to see every fault."""
    assert [name for name in (first.ASKED, first.FAILED) if name.startswith("ZIGGURAT_")] == []


def test_what_looks_at_a_game_comes_after_what_is_near() -> None:
    [game, *_] = sorted(path.name for path in (ROOT / "tests/games").iterdir() if (path / "faults.toml").exists())
    file = f"src/ziggurat/games/{game}/view.py"
    nearest = near(ROOT, file)
    assert f"tests/games/{game}/test_features.py" in nearest
    assert all((ROOT / test).exists() for test in nearest)
    assert about(file)[:3] == ["tests", "-k", game]
    assert about("src/ziggurat/server/live/hub.py") == about("web/src/App.svelte") == []


def test_an_unknown_fault_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "rules-1000"]) == 2
    assert "no fault rules-1000; there are rules-" in capsys.readouterr().err

"""What the page's tests are told is what the server tells today (`recorded.py`)."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest
from tests.server.recorded import tell, told_in

FOLDERS = told_in()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_recorded_stories_are_those_of_today(folder: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    told = {folder / f"{name}.json": text for name, text in tell(FOLDERS[folder], tmp_path).items()}
    if request.config.getoption("--update-golden"):
        folder.mkdir(exist_ok=True)
        for file in set(folder.glob("*")) - told.keys():
            file.unlink()
        for file, text in told.items():
            file.write_text(text, encoding="utf-8")
    assert set(folder.glob("*")) == told.keys(), "--update-golden writes and clears away"
    for file, text in told.items():
        kept = file.read_text(encoding="utf-8").splitlines()
        differs = difflib.unified_diff(kept, text.splitlines(), file.name, "now", lineterm="", n=0)
        lines = [line[:500] for line in differs]
        assert lines == [], "\n".join([*lines[:12], "--update-golden writes it anew"])

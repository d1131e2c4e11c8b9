"""What the page's tests are told is what the server tells today (`recorded.py`)."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.recorded import tell, told_in

pytestmark = pytest.mark.slow  # begins with the longest

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


SECRET = {"scenario", "seed", "salt", "deck", "money_cards", "building_cards", "invite_hash", "record", "state"}
"""Fields that nobody may be sent; what a pile holds is a list."""


def parts(thing: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every field of a message: its path, its name, its value."""
    if isinstance(thing, dict):
        for name, value in thing.items():
            yield f"{path}.{name}", name, value
            yield from parts(value, f"{path}.{name}")
    elif isinstance(thing, list):
        for at, value in enumerate(thing):
            yield from parts(value, f"{path}[{at}]")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_no_message_holds_what_its_reader_must_not_know(folder: Path) -> None:
    """As long as the game goes on."""
    for file in folder.glob("*.json"):
        you = None
        for line in json.loads(file.read_text(encoding="utf-8")):
            for message in (line.get("answer"), *line.get("hears", ())):
                if isinstance(message, dict) and message.get("type") == "update":
                    you = message["table"]["you"]
                for path, name, value in parts(message):
                    told = value is not None and (name != "deck" or isinstance(value, list))
                    assert name not in SECRET or not told or over(line), f"{file.name}: {path} = {value!r}"
                for event in message.get("events", ()) if isinstance(message, dict) else ():
                    assert not event.get("private") or event["seat"] == you, f"{file.name}: {event}"


def over(line: Any) -> bool:
    """Whether something is told of a game that is over."""
    return any(name == "status" and value in ("finished", "ended") for _, name, value in parts(line))

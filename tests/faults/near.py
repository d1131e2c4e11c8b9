"""Which tests stand nearest to a file: those that a person would run first."""

from __future__ import annotations

import re
from pathlib import Path

MOST = 5
"""So many files at most: what is left is for the run of everything."""
GENERAL = ("tests/core/test_text.py", "tests/core/test_catalogues.py", "tests/test_words_said.py")


SOONER = ("test_golden", "test_rulings", "test_scoring", "test_belief", "test_log", "test_components")
"""What sees most and soonest of a game."""

ALSO = {"view": ("features", "terminal", "about"), "actions": ("preview", "decisions")}
"""What else looks at a file of a game."""


def near(root: Path, file: str) -> list[str]:
    """Files of tests, nearest first: named like the file, or which import it, or in the folder of its game."""
    path = Path(file)
    if path.parts[0] == "web":
        return []
    game = path.parts[3] if path.parts[2] == "games" else ""
    module = ".".join(path.with_suffix("").parts[1:])
    package, _, name = module.rpartition(".")
    imports = re.compile(rf"\b{re.escape(module)}\b|from {re.escape(package)} import [^\n]*\b{name}\b")
    topics = ["words"] if path.suffix == ".json" else [path.stem, *path.parts[4:-1], *path.stem.split("_")]
    topics += ALSO.get(path.stem, ()) if game else ()
    found = [(False, -1, place) for place in GENERAL] if path.suffix == ".json" else []
    for test in sorted(root.glob("tests/**/test_*.py")):
        place = test.relative_to(root)
        if "browser" in place.parts:
            continue
        alike = [at for at, topic in enumerate(topics) if len(topic) > 2 and topic.removesuffix("s") in test.stem]
        if game and place.parts[1:3] == ("games", game):
            if alike or test.stem in SOONER:
                found.append((not alike, SOONER.index(test.stem) if test.stem in SOONER else -1, place.as_posix()))
        elif not game and path.suffix == ".py" and (alike or imports.search(test.read_text())):
            elsewhere = place.parts[1] not in path.parts
            found.append((elsewhere, alike[0] if alike else len(topics), place.as_posix()))
    names = [name for *_, name in sorted(found)]
    return names[:MOST]


def about(file: str) -> list[str]:
    """What to say to pytest for all tests that are named after the game to which a file belongs, but for pictures."""
    path = Path(file)
    return ["tests", "-k", path.parts[3], "-m", "not browser"] if path.parts[2] == "games" else []

"""What we lay for translators is read by the libraries of others, and what those write is read by us.

`translate-toolkit` is what Weblate reads files with; `polib` is what most scripts read them with.
"""

from __future__ import annotations

from pathlib import Path

import polib
import pytest
from translate.storage.pypo import pofile

import ziggurat
from ziggurat.testing import po
from ziggurat.testing.translation import Translation

ENTRIES = Translation(Path(ziggurat.__file__).parent, "de").entries(all_texts=True)
KNOWN = [(one.name, one.source, one.translation) for one in ENTRIES]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "de.po"
    path.write_text(po.written("de", ENTRIES), encoding="utf-8")
    return path


def read(path: Path) -> list[tuple[str, str, str]]:
    return [(one.name, one.source, one.translation) for one in po.read(path.read_text(encoding="utf-8"))[1]]


def test_polib_reads_every_text_with_its_notes_and_writes_it_for_us(file: Path) -> None:
    found = polib.pofile(str(file))
    assert found.metadata["Language"] == "de"
    assert [(one.msgctxt, one.msgid, one.msgstr) for one in found] == KNOWN
    assert [one.comment.splitlines() for one in found] == [one.notes for one in ENTRIES]
    assert [set(one.flags) for one in found] == [one.flags for one in ENTRIES]
    found[0].msgstr = "Anders"
    found.save(str(file))
    assert read(file) == [(*KNOWN[0][:2], "Anders"), *KNOWN[1:]]


def test_weblates_library_reads_every_text_with_its_notes_and_writes_it_for_us(file: Path) -> None:
    store = pofile.parsefile(str(file))
    units = [unit for unit in store.units if not unit.isheader()]
    assert [(unit.getcontext(), str(unit.source), str(unit.target)) for unit in units] == KNOWN
    assert all("Read by " in unit.getnotes("developer") for unit in units)
    assert all(unit.hastypecomment("icu-message-format") for unit in units)
    units[0].target = "Anders"
    file.write_bytes(bytes(store))
    assert read(file) == [(*KNOWN[0][:2], "Anders"), *KNOWN[1:]]

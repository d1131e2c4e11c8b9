"""Files that are written whole or not at all."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests import runs
from tests.example import EXAMPLE, GAME

import ziggurat
from ziggurat.core.runtime import GAMES, LOG, prepare
from ziggurat.core.whole_files import check_writable, replacing, write_whole

SOURCE = Path(ziggurat.__file__).parent


def test_what_fails_in_the_middle_leaves_the_file_before(tmp_path: Path) -> None:
    file = tmp_path / "kept.txt"
    write_whole(file, "before\n")
    file.chmod(0o640)

    def interrupted() -> None:
        with replacing(file) as fresh:
            fresh.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_bytes() == b"before\n"
    write_whole(file, "after\n")
    assert file.read_bytes() == b"after\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_and_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write_whole(link, "through")
    assert link.is_symlink()
    assert file.read_text() == "through"
    write_whole(Path(os.devnull), "gone")
    assert not Path(os.devnull).is_file()


def test_to_find_out_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    check_writable(file)
    assert list(tmp_path.iterdir()) == []
    file.write_text("before")
    check_writable(file)
    assert file.read_text() == "before"
    for wrong in (tmp_path, file / "below", tmp_path / "none" / "file"):
        with pytest.raises(OSError, match=r"directory|Is a"):
            check_writable(wrong)


@pytest.mark.parametrize("option", runs.each(["--out", "--log", "--replay"], often=["--out"]))
def test_a_disk_that_is_full_is_one_sentence_and_the_file_before_stays(tmp_path: Path, option: str) -> None:
    """A bound on the size of files stands for the disk: the system refuses a write in the same place."""
    file = tmp_path / "file"
    file.write_text("before")
    for compiled in (GAMES, LOG):
        prepare(GAME, program=compiled)
    program = (
        "import resource, sys;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)); from ziggurat.cli import main; sys.exit(main())"
    )
    line = ["simulate", EXAMPLE, "--games", "1" if option == "--replay" else "300", option, str(file)]
    ran = subprocess.run([sys.executable, "-B", "-c", program, *line], capture_output=True, text=True)
    assert ran.stderr.splitlines()[-1] == f"ziggurat: cannot write {file}: file too large", ran.stderr
    assert ran.returncode == 2
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


WRITES_BESIDE = {
    "core/whole_files.py": "it is what the others call",
    "cli/app.py": "a formatter of help",
    "cli/files.py": "beside, by `replacing`",
    "cli/new_game.py": "never over a file that is there",
    "core/kernel.py": "the cache's lock",
    "lab/puzzles.py": "a line more at the end, and what is cut off is made again",
    "server/": "folders that are renamed when they are whole, and the database's own files",
}
"""Where else files are opened to be written, and why."""


def test_nobody_writes_over_a_file_by_another_way() -> None:
    found = set()
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            modes = [one.value for one in node.args if isinstance(one, ast.Constant)]
            writes = name == "open" and any(isinstance(mode, str) and set(mode) & set("wax") for mode in modes)
            if writes or name in ("write_text", "write_bytes", "write_csv", "sink_parquet"):
                found.add(file.relative_to(SOURCE).as_posix())
    assert {one for one in found if not one.startswith(tuple(WRITES_BESIDE))} == set()

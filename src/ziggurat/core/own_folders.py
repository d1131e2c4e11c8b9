"""Output folders of commands: a command writes into an empty folder, or into one that it has filled before, and no
other."""

from __future__ import annotations

from pathlib import Path

from ziggurat.core.errors import ZigguratError

PAGE_FILE = "index.html"
GENERATOR_TAG = '<meta name="generator" content="Ziggurat">'
"""Stands in every page of ours, so that another is not taken for one."""
FORMER_STYLE = "--ground: #efe4cd; --paper: #fcf7ea;"
"""Stood in pages before that."""


class StrangeFolder(ZigguratError):
    """A folder with foreign files, which must not be overwritten."""

    code = "strange_folder"


def must_be_ours(folder: Path, mark: str | None, *, page: bool = False) -> None:
    """Check before any work that no foreign file will be overwritten; nothing changes.

    Args:
        folder: it may be absent, or empty.
        mark: a file that lies in every folder that the same command has filled; None where it fills only new ones.
        page: whether an ``index.html`` is written.

    Raises:
        StrangeFolder: saying what is there, and what would be right; also where it cannot be read.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise StrangeFolder(f"cannot write {folder}: it is a file; name a folder that is empty, or not there yet")
    try:
        there = sorted(one.name for one in folder.iterdir() if not is_unfinished(one))
    except OSError as error:
        raise StrangeFolder(f"cannot read {folder}: {(error.strerror or str(error)).lower()}") from None
    if there and not (mark and (folder / mark).is_file()):
        named = ", ".join(there[:3]) + (", ..." if len(there) > 3 else "")
        earlier = f" and no {mark} of an earlier run" if mark else ""
        raise StrangeFolder(f"{folder} holds something else ({named}){earlier}: name an empty folder, or a new one")
    if page and PAGE_FILE in there and not _is_our_page(folder / PAGE_FILE):
        raise StrangeFolder(
            f"{folder / PAGE_FILE} is no page of ours, and would be written over: move it away, or name another folder"
        )


def is_unfinished(file: Path) -> bool:
    """Whether a folder was left by a process of ours that was killed while it wrote."""
    return file.name.startswith(".") and file.name.endswith(".new") and file.is_file()


def _is_our_page(page: Path) -> bool:
    if not page.is_file():
        return False
    with page.open("rb") as stream:
        head = stream.read(4096).decode("utf-8", "replace")
    return GENERATOR_TAG in head or FORMER_STYLE in head

"""What the commands have in common that write a pull request into a checkout of another project."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ziggurat.core.errors import ZigguratError


def write_into(write: Callable[[Path], Sequence[Path]], module: str, project: str, arguments: Sequence[str]) -> int:
    """Write what a pull request needs into the checkout that is named, and say which files are new or changed.

    Args:
        module: by which the command is called.
        project: whose checkout it has to be.

    Returns:
        The exit code: 2 without a folder, 1 where it could not be written.
    """
    if len(arguments) != 1:
        print(f"usage: python -m {module} FOLDER, which is a checkout of {project}", file=sys.stderr)
        return 2
    try:
        written = write(Path(arguments[0]))
    except (ZigguratError, OSError) as error:
        print(getattr(error, "detail", error), file=sys.stderr)
        return 1
    print("\n".join(map(str, written)))
    return 0

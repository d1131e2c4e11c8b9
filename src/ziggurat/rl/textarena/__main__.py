"""``python -m ziggurat.rl.textarena FOLDER`` writes what a pull request to TextArena needs into a checkout of it."""

from __future__ import annotations

import sys
from pathlib import Path

from ziggurat.core.errors import ZigguratError
from ziggurat.rl.textarena.pull_request import write


def main(arguments: list[str]) -> int:
    """Write it, and say which files are new or changed."""
    if len(arguments) != 1:
        print("usage: python -m ziggurat.rl.textarena FOLDER, which is a checkout of TextArena", file=sys.stderr)
        return 2
    try:
        written = write(Path(arguments[0]))
    except (ZigguratError, OSError) as error:
        print(getattr(error, "detail", error), file=sys.stderr)
        return 1
    print("\n".join(map(str, written)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

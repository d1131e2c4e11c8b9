"""``python -m ziggurat.rl.kaggle FOLDER`` writes what a pull request to kaggle-environments needs into a checkout."""

from __future__ import annotations

import sys
from pathlib import Path

from ziggurat.core.errors import ZigguratError
from ziggurat.rl.kaggle.pull_request import write


def main(arguments: list[str]) -> int:
    """Write it, and say which files are new or changed."""
    if len(arguments) != 1:
        print("usage: python -m ziggurat.rl.kaggle FOLDER, which is a checkout of kaggle-environments", file=sys.stderr)
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

"""``python -m ziggurat.rl.textarena FOLDER`` writes what a pull request to TextArena needs into a checkout of it."""

from __future__ import annotations

import sys

from ziggurat.rl.checkouts import write_into
from ziggurat.rl.textarena.pull_request import write

if __name__ == "__main__":
    sys.exit(write_into(write, "ziggurat.rl.textarena", "TextArena", sys.argv[1:]))

"""``python -m ziggurat.rl.kaggle FOLDER`` writes what a pull request to kaggle-environments needs into a checkout."""

from __future__ import annotations

import sys

from ziggurat.rl.checkouts import write_into
from ziggurat.rl.kaggle.pull_request import write

if __name__ == "__main__":
    sys.exit(write_into(write, "ziggurat.rl.kaggle", "kaggle-environments", sys.argv[1:]))

"""``python -m ziggurat.rl.openenv``: the server."""

from __future__ import annotations

import sys

from ziggurat.rl import openenv


def main() -> None:
    """Serve the games, or say what is missing."""
    try:
        serve = openenv.main
    except ModuleNotFoundError as error:
        sys.exit(f"ziggurat: {error}")
    serve()


if __name__ == "__main__":
    main()

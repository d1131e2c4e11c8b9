"""The server as OpenEnv's programs start it (`openenv serve`, `uv run server`, `uvicorn server.app:app`)."""

from ziggurat.rl.openenv import application
from ziggurat.rl.openenv import main as serve

app = application()


def main() -> None:
    """Serve the games, until it is interrupted."""
    serve()


if __name__ == "__main__":
    main()

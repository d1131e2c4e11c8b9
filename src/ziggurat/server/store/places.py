"""The location of a database: a folder that no other server uses, or a PostgreSQL URL."""

from __future__ import annotations

import importlib.util
import sqlite3
from urllib.parse import urlsplit

from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings


def check_url(url: str | None) -> None:
    """Raise StartError for a URL of no PostgreSQL database."""
    if url is None:
        return
    if url.partition("://")[0] not in ("postgresql", "postgres", "postgresql+asyncpg"):
        raise StartError("A database URL begins with postgresql://; without one SQLite is used.")
    try:
        _ = urlsplit(url).port
    except ValueError:
        raise StartError("A database URL is written postgresql://USER@HOST:PORT/NAME.") from None
    if importlib.util.find_spec("asyncpg") is None:
        raise StartError("PostgreSQL needs its driver: pip install 'ziggurat-games[postgres]'.")


class FolderLock:
    """A lock that keeps a second server out of the folder: it would not hear of the first one's changes.

    SQLite's own lock is used, on a file in the folder: it works everywhere and ends with the process.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.connection: sqlite3.Connection | None = None

    def __enter__(self) -> None:
        if not self.settings.sqlite:
            return
        folder = self.settings.data
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.connection = sqlite3.connect(folder / "ziggurat.lock", timeout=0, isolation_level=None)
            self.connection.execute("BEGIN EXCLUSIVE")
        except OSError as error:
            raise StartError(
                f"The data folder {folder} cannot be used: {(error.strerror or str(error)).lower()}."
            ) from None
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise StartError(f"Another Ziggurat is already using the data folder {folder}.") from None
            raise StartError(f"The data folder {folder} cannot be written: {error}.") from None
        except sqlite3.DatabaseError as error:
            raise StartError(f"The file {folder / 'ziggurat.lock'} is damaged ({error}); delete it.") from None

    def __exit__(self, *_: object) -> None:
        if self.connection is not None:
            self.connection.close()

"""The common parts of commands about a server's database: its settings, and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.files import CommandProblem
from ziggurat.cli.options import together
from ziggurat.cli.progress import Advance, progress

if TYPE_CHECKING:
    from ziggurat.server.settings import Settings

database_options = together(
    click.option("--data", type=click.Path(path_type=Path), help="Folder of the tables (default: your data folder)."),
    click.option("--database", metavar="URL", help="A PostgreSQL database instead of a file in the data folder."),
)


@contextmanager
def refusing() -> Iterator[None]:
    """Turn an error of a database or a copy into one sentence."""
    from ziggurat.server.problems import StartError

    try:
        yield
    except StartError as error:
        raise CommandProblem(str(error)) from None


def settings_of(data: Path | None, database: str | None) -> Settings:
    """Return the settings of the database that a command line names."""
    from ziggurat.server.settings import Settings, default_data
    from ziggurat.server.store.places import check_url

    if data is not None and database is not None:
        raise CommandProblem("say --data or --database, not both")
    check_url(database)
    return Settings(data=data.expanduser() if data is not None else default_data(), database_url=database)


class Bar:
    """A progress bar that begins when it is known how much there is to do."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._open = ExitStack()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def begin(self, total: int) -> Advance:
        """Show the bar."""
        return self._open.enter_context(progress(self._title, total))

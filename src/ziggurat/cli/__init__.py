"""The command line: ``ziggurat ...``. One file per command; nothing is imported before it is needed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main", "run"]


def main() -> NoReturn:
    """Run the installed command ``ziggurat``."""
    sys.exit(run())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (by default the one of this process); return the exit code.

    0 is success; 2 means that something was wrong with what was asked for, said in one line on stderr.
    """
    import click

    from ziggurat.cli.app import app
    from ziggurat.core.errors import ZigguratError

    stdout = sys.stdout
    try:
        code = app.main(None if arguments is None else list(arguments), prog_name="ziggurat", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "ziggurat"
        return _complain(f"{error.format_message()} ('{where} --help' shows what is possible)", 2)
    except click.ClickException as error:
        return _complain(error.format_message(), 2)
    except ZigguratError as error:
        return _complain(str(error), 2)
    except BrokenPipeError:
        return _seen_enough()
    except SystemExit as error:
        # Click notices it by itself, puts something else in its place, and exits; other exits mean what they say.
        if sys.stdout is not stdout:
            return _seen_enough()
        if isinstance(error.code, str):
            return _complain(error.code, 1)
        return int(error.code or 0)
    except (KeyboardInterrupt, click.exceptions.Abort):
        return _complain("interrupted", 130)


def _complain(message: str, code: int) -> int:
    print(f"ziggurat: {' '.join(message.split())}", file=sys.stderr)
    return code


def _seen_enough() -> int:
    """Return the exit code when the reader, such as `head`, has closed the pipe: that is no failure.

    Python flushes stdout once more when it exits, which would complain again.
    """
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0

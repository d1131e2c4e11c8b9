"""The process that makes and checks copies at night, with the lowest priority.

python -m ziggurat.server.features.copies.night

is started by `service`, which tells it what to do on its standard input.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies import checking
from ziggurat.server.features.copies.archive import CopyError
from ziggurat.server.features.copies.originals import must_be_latest
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings
from ziggurat.server.verdict import CopyVerdict, write_verdict

ABANDONED_SECONDS = 86_400.0
"""Seconds after which what is left of a copy that was never whole is deleted."""


class NightOrders(msgspec.Struct):
    """The configuration that the process reads at its start."""

    data: str
    database_url: str | None
    copies: str
    kept: int


def night(settings: Settings, folder: Path, kept: int) -> CopyVerdict:
    """Make a copy, verify all, open and check the newest, and delete those beyond the number to be kept."""
    begun = time.time()
    trouble: list[str] = []
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        must_be_latest(settings, folder)
        copies.backup(settings, folder)
    except (StartError, OSError) as error:
        trouble.append(f"No copy was made: {_said(error)}")
    there = copies.all_in(folder)
    newest = there[0] if there else None
    if newest is None:
        trouble.append(f"There is no copy in {folder}.")
    damaged = []
    judged = ""
    for copy in there:
        try:
            if copy == newest:
                found = checking.check_copy(copy, settings)
                if found.wrong:
                    raise CopyError(f"In the copy {copy.name} {len(found.wrong)} are wrong: {checking.summed(found)}.")
                judged = f"games played again: {found.played} of {found.dealt}"
            else:
                copies.must_be_whole(copy, copies.manifest_of(copy))
        except (StartError, OSError) as error:
            damaged.append(copy.name)
            trouble.append(_said(error))
    # Copies that are good are not given up for one that is not.
    stay = copies.keep_newest(folder, kept) if not trouble else len(there)
    copies.tidy(folder, ABANDONED_SECONDS)
    return _verdict(begun, newest, trouble, damaged, stay, judged)


def _said(error: BaseException) -> str:
    if isinstance(error, OSError):
        return f"{(error.strerror or type(error).__name__).lower()}."
    return str(error)


def _verdict(
    begun: float, newest: Path | None, trouble: list[str], damaged: list[str], kept: int, judged: str
) -> CopyVerdict:
    verdict = CopyVerdict(time.time(), not trouble, " ".join(trouble), kept=kept, damaged=damaged)
    verdict.seconds = verdict.at - begun
    if newest is not None:
        verdict.newest = newest.name
        verdict.bytes = sum(one.stat().st_size for one in newest.iterdir())
        with suppress(CopyError):
            manifest = copies.manifest_of(newest)
            verdict.made = manifest.seconds
            if not trouble:
                verdict.says = (
                    f"The copy {newest.name} was made, opened and checked in {verdict.seconds:.0f} s: "
                    f"{verdict.bytes / 1e6:.1f} MB, tables: {manifest.rows['tables']}, {judged}, copies kept: {kept}."
                )
    return verdict


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main() -> int:
    """Make the night's copies as the service has configured it."""
    with suppress(OSError, AttributeError):
        os.nice(19)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    orders = msgspec.json.decode(sys.stdin.buffer.read(), type=NightOrders)
    folder = Path(orders.copies)
    settings = Settings(data=Path(orders.data), database_url=orders.database_url)
    verdict = night(settings, folder, orders.kept)
    write_verdict(folder, verdict)
    return 0 if verdict.good else 1


if __name__ == "__main__":
    sys.exit(main())

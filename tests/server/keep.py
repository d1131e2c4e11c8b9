"""Keeps a database as the program of a source tree makes it: for `test_upgrades.py`, by whose schema comes next.

    python tests/server/keep.py SOURCE tests/server/kept

starts the server of the tree in the folder SOURCE (a worktree of the commit before the migration that is new, or this
tree itself before the migration is written), plays a few tables at it by the client of its own tests, kills it as a
power cut would, and writes the database as SQL, compressed, to `vNNNN.sql.xz`.
"""

from __future__ import annotations

import asyncio
import lzma
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

GAMES = (
    ("alhambra", False, 6),
    ("architects", False, 3),
    ("babel", False, 3),
    ("ginkgopolis", False, 2),
    ("ginkgopolis", True, 12),
)
"""Games of Ann and Bob, or of Ann alone, in which so many moves are made."""
ENVIRONMENT = {
    "ZIGGURAT_PREPARE": "0",
    "ZIGGURAT_COPIES": "0",
    "ZIGGURAT_FORCED": "0.02-0.05",
    "ZIGGURAT_DEAL_BOTS": "0",
    "ZIGGURAT_REQUESTS": "1000000",
    "ZIGGURAT_SHARE": "1",
    "ZIGGURAT_QUOTA": "1000",
    "ZIGGURAT_PATIENCE": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}


async def play(base: str) -> None:
    """Some games in the middle, one that is over, one that nobody has begun."""
    from tests.server.player import visitor

    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        for game, alone, moves in GAMES:
            if alone:
                table = await ann.table("me", game=game)
            else:
                table = await ann.table("me", "open", *(["random"] if game == "babel" else []), game=game)
                await bob.join(table, "Bob")
                await ann.post(f"/api/tables/{table['id']}/start", {})
            async with AsyncExitStack() as there:
                people = [ann] if alone else [ann, bob]
                lives = [await there.enter_async_context(person.at(table["id"])) for person in people]
                for _ in range(moves):
                    await one_move(await who_decides(*lives))
        over = await ann.table("me", "random", game="architects")
        async with ann.at(over["id"]) as live:
            while not live.over:
                await live.until(lambda: live.legal or live.over)
                if live.legal:
                    await one_move(live)
        await ann.table("me", "open", game="alhambra")


async def who_decides(*there: Any) -> Any:
    """Wait until one of them is asked."""
    waits = [asyncio.ensure_future(live.until(lambda live=live: live.legal)) for live in there]
    done, late = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in late:
        wait.cancel()
    return next(live for live, wait in zip(there, waits, strict=True) if wait in done)


async def one_move(live: Any) -> None:
    """The first complete move."""
    steps = [live.legal[0]["action"]]
    seq = live.state["seq"]
    for _ in range(12):
        answer = await live.reply(type="move", seq=seq, steps=steps)
        if answer["type"] == "ack":
            await live.until(lambda: live.state["seq"] > seq)
            return
        assert answer["code"] == "unfinished_move", answer
        preview = (await live.reply(type="preview", seq=seq, steps=steps))["preview"]
        [step, *_] = preview["confirm"] or preview["add"]
        steps.append(step if isinstance(step, int) else step["action"])
    raise AssertionError("no move was complete")


def main() -> None:
    """See above."""
    source, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    os.environ.update(ENVIRONMENT)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(source / "src"), str(source)])
    sys.path[:0] = [str(source / "src"), str(source)]
    with TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "ziggurat.server", "--port", "0", "--data", folder],
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        )
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+?(?=/ )", process.stdout.readline())
            assert found, "it did not start"
            asyncio.run(play(found[0]))
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        with sqlite3.connect(Path(folder) / "ziggurat.db") as database:
            [revision] = database.execute("SELECT version_num FROM alembic_version").fetchone()
            text = "\n".join(database.iterdump())
        out.mkdir(parents=True, exist_ok=True)
        file = out / f"v{revision}.sql.xz"
        file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
        print(file, file.stat().st_size)


if __name__ == "__main__":
    main()

"""What is done on a cluster: `python -m tests.lab.on_cluster`, in an empty folder.

A process of its own, because Ray ends one that has lost its cluster.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import partial
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

from tests.example import EXAMPLE, GAME
from tests.lab.test_work import Squares

from ziggurat.cli import run
from ziggurat.lab import work
from ziggurat.lab.tune import Tuner

SIMULATED = ("simulate", EXAMPLE, "--players", "3", "--seed", "1")
COMPILED = (*SIMULATED, "--bots", "greedy,random,random", "--games", "1200")
OTHERS = (*SIMULATED, "--bots", "greedy,mason,random", "--games", "6")
PLAYED = ("tournament", EXAMPLE, "--players", "2", "--bots", "greedy,random,mason", "--seed", "3", "--json")


def said(line: Sequence[str]) -> str:
    """What a command says."""
    with redirect_stdout(io.StringIO()) as out:
        assert run(line) == 0
    return out.getvalue()


def simulated(workers: str) -> list[str]:
    return [
        said((*line, "--workers", workers, "--out", f"{workers}-{number}.parquet"))
        for number, line in enumerate((COMPILED, OTHERS))
    ]


def kept(workers: str) -> list[str]:
    """The digests of all files of two data sets: in compiled code, and game by game."""
    found = []
    for number, bots in enumerate(("greedy,random,random", "greedy,mason,random")):
        folder = Path(f"set-{workers}-{number}")
        line = ("dataset", EXAMPLE, "--players", "3", "--seed", "1", "--bots", bots, "--games", "7", "--shard", "3")
        said((*line, "--workers", workers, "--out", str(folder)))
        files = sorted(one for one in folder.rglob("*") if one.is_file())
        found += [f"{one.relative_to(folder)} {sha256(one.read_bytes()).hexdigest()}" for one in files]
    return found


def tuned(workers: work.Workers) -> dict[str, int]:
    tuner = Tuner(GAME, players=3, games=9, seed=3, workers=workers)
    for _ in tuner.step():
        pass
    return tuner.best


def problem(jobs: Squares) -> str:
    """What is raised, with its notes."""
    try:
        list(work.in_order(jobs, range(9), "ray"))
    except Exception as error:
        return "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])])
    return ""


def main() -> None:
    found = {"simulated": simulated("ray")}
    said((*PLAYED, "--games", "6", "--workers", "ray", "--out", "far"))
    found["played"] = [said((*PLAYED, "--games", "12", "--workers", "ray", "--out", "far", "--resume"))]
    found["kept"] = kept("ray")
    found["tuned"] = [json.dumps(tuned("ray"))]
    found["broken"] = [problem(Squares(breaks=7))]
    with patch.object(work, "digest", partial(str, "another")):
        found["another"] = [problem(Squares())]
    Path("found.json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()

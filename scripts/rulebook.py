"""What engines with planted mistakes score: the table of docs/benchmark-rules.md, measured anew.

    .venv/bin/python scripts/rulebook.py [GAME ...]

Each mistake of `tests/games/*/mistakes.toml` is planted in our rules and judged by the exam of seed 1, and so are our
rules without one and an engine that implements nothing. All of it takes half an hour on one core; with names of games
only their part of the table is measured, and the rest stays.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import ziggurat
from ziggurat.lab.rulebook.baseline import write_own
from ziggurat.lab.rulebook.brief import write_brief
from ziggurat.lab.rulebook.engines import Engine, EngineLimits
from ziggurat.lab.rulebook.exam import PARTS, Exam, Maker
from ziggurat.lab.rulebook.judge import RulesJudge, RulesVerdict
from ziggurat.lab.rulebook.own import mistakes_in

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmark-rules.md"
SEED = 1
PATIENT = EngineLimits(start=120, answer=120, whole=36_000)


def main(games: list[str]) -> None:
    for game in games or sorted(ziggurat.registered_games()):
        mistakes = ROOT / "tests" / "games" / game / "mistakes.toml"
        if mistakes.is_file():
            lines = "\n".join(table(game, mistakes))
            text = PAGE.read_text(encoding="utf-8")
            pattern = rf"(<!-- {game} -->\n).*?(<!-- end -->)"
            text = re.sub(pattern, rf"\1{lines}\n\2", text, flags=re.DOTALL)
            PAGE.write_text(text, encoding="utf-8")


def table(game: str, mistakes: Path) -> Iterator[str]:
    """The lines of one game's table."""
    chosen = ziggurat.game(game)
    exam = Maker(chosen, SEED).exam()
    yield f"| Engine | Score | {' | '.join(PARTS)} | Named |"
    yield f"|---|---:|{'---:|' * len(PARTS)}---|"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_own(chosen, place)
        yield row("our own rules", judged(place, exam))
        for mistake in mistakes_in(mistakes):
            write_own(chosen, place, f"{mistakes}:{mistake.name}")
            verdict = judged(place, exam)
            right = "" if verdict.rule == mistake.rule else f" (not *{mistake.rule}*)"
            yield row(mistake.said.rstrip("."), verdict) + right
            print(f"{game} {mistake.name} {verdict.score}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        write_brief(chosen, Path(folder))
        yield row("nothing is written", judged(Path(folder), exam))


def judged(folder: Path, exam: Exam) -> RulesVerdict:
    engine = Engine(folder, exam.game.id, PATIENT)
    try:
        return RulesJudge(exam, engine).judge()
    finally:
        engine.close()


def row(name: str, verdict: RulesVerdict) -> str:
    parts = " | ".join(short(part.score) for part in verdict.parts)
    return f"| {name} | {short(verdict.score)} | {parts} | {verdict.rule} |"


def short(score: float) -> str:
    return "1" if score == 1 else f"{score:.4f}".rstrip("0").rstrip(".")


if __name__ == "__main__":
    main(sys.argv[1:])

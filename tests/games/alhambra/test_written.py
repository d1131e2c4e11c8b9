"""An engine that shows too much: nothing but the part on secrets finds it."""

from __future__ import annotations

from pathlib import Path

import ziggurat
from ziggurat.lab.rulebook.engines import Engine, EngineLimits
from ziggurat.lab.rulebook.exam import Amounts, Maker
from ziggurat.lab.rulebook.judge import RulesJudge, RulesVerdict

WRITTEN = Path(__file__).parent / "written"
SHORT = Amounts(games=1, counted=1, nodes=10, deepest=2, wishes=2, twins=4, questions=12, question_games=3, longest=40)


def verdict_on(folder: Path, amounts: Amounts) -> RulesVerdict:
    engine = Engine(folder, "alhambra", EngineLimits(start=60, answer=60))
    try:
        return RulesJudge(Maker(ziggurat.game("alhambra"), 3, amounts).exam(), engine).judge()
    finally:
        engine.close()


def test_what_a_seat_cannot_know_is_missed_in_no_view(tmp_path: Path) -> None:
    """It shows the next building, in a field that nobody has asked for."""
    (tmp_path / "engine.py").write_text(
        f"""import sys
from importlib.util import module_from_spec, spec_from_file_location

spec = spec_from_file_location("written", {str(WRITTEN / "engine.py")!r})
written = module_from_spec(spec)
spec.loader.exec_module(written)


class Engine(written.Engine):
    def view(self, seat):
        return {{**super().view(seat), "next": self.buildings}}
""",
        encoding="utf-8",
    )
    verdict = verdict_on(tmp_path, SHORT)
    scores = {part.part: part.score for part in verdict.parts}
    assert scores["games"] == 1
    assert scores["secrets"] < 1
    assert {one.kind for one in verdict.differences} == {"secret"}
    assert "next" in verdict.differences[0].said

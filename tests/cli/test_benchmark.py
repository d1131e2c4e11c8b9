"""``ziggurat benchmark``, as its page shows it."""

from __future__ import annotations

import json
import re
import shlex
from functools import partial
from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.example import needs

import ziggurat
from ziggurat.lab.rulebook.exam import Amounts, Maker

pytestmark = needs("alhambra")
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "benchmark-rules.md"


SMALL = Amounts(games=1, counted=1, nodes=5, deepest=1, wishes=1, twins=1, questions=6, question_games=3, longest=20)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exams are short."""
    monkeypatch.setattr("ziggurat.lab.rulebook.exam.Maker", partial(Maker, amounts=SMALL))


@pytest.mark.usefixtures("short")
def test_a_brief_is_written_and_its_empty_interface_scores_0(cli: Cli, tmp_path: Path) -> None:
    folder = str(tmp_path / "brief")
    assert "engine.py" in cli("benchmark", "brief", "alhambra", "--out", folder).out
    assert cli("benchmark", "brief", "alhambra", "--out", folder).code == 0  # over its own
    ran = cli("benchmark", "rules", folder, "--game", "alhambra", "--out", str(tmp_path / "verdict.json"))
    assert ran.code == 0
    assert ran.out.startswith("alhambra: score 0.0000 of 1 (seed 1)")
    assert ran.out.count("NotImplementedError") == 1  # each sentence once
    verdict = json.loads((tmp_path / "verdict.json").read_text())
    assert verdict["score"] == 0
    assert verdict["versions"]["game"] == "alhambra"
    assert sum(part["weight"] for part in verdict["parts"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rules", "nowhere", "--game", "alhambra"), "nowhere is not there: name the folder with the engine"),
        (("rules", ".", "--game", "nothing"), "nothing"),
        (("rules", ".", "--game", "alhambra", "--seed", "x"), "x"),
        (("brief", "alhambra", "--out", "full"), "full holds something else (mine.txt)"),
        (("own", "alhambra", "--out", "new", "--mistake", "nowhere.toml:x"), "cannot read nowhere.toml"),
        (("own", "alhambra", "--out", "new", "--mistake", "x"), "cannot read x"),
        (("own", "alhambra", "--out", "new", "--mistake", "full/mine.txt:x"), "is no file of mistakes"),
        (("rules", "hidden", "--game", "alhambra"), "is a brief with hidden names"),
    ],
)
def test_bad_input_is_one_sentence(
    words: tuple[str, ...], said: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "judged.json").write_text('{"hidden": true}', encoding="utf-8")
    (tmp_path / "hidden" / "engine.py").write_text("", encoding="utf-8")
    ran = cli("benchmark", *words)
    assert ran.code != 0
    assert said in ran.err
    assert ran.err.count("\n") <= 3


@runs.whole
def test_every_command_of_the_page_runs(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = re.findall(r"^    ziggurat (benchmark .*?)(?:  +#.*)?$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == 8
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    scores = []
    for line in lines:
        ran = cli(*shlex.split(line))
        assert ran.code == 0, ran.err
        scores += [float(found) for found in re.findall(r"score ([\d.]+) of 1", ran.out)]
    assert scores[:3] == [0, 1, 1]
    assert 0 < scores[3] < 1


def test_the_page_has_the_mistakes_and_that_all_are_named() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for game in ziggurat.registered_games():
        file = ROOT / "tests" / "games" / game / "mistakes.toml"
        if file.is_file():
            for said in re.findall(r'^said = "(.*?)\.?"$', file.read_text(encoding="utf-8"), re.MULTILINE):
                assert f"| {said} |" in text
    assert "(not *" not in text

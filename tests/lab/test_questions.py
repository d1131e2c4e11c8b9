"""Questions about positions that nobody has seen: that they are answered by the rules, tell nothing that is hidden, can
be answered from what is drawn, and not by guessing."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests import runs
from tests.example import EXAMPLE, GAME

import ziggurat
from ziggurat.cli.app import app
from ziggurat.core.errors import ZigguratError
from ziggurat.core.own_folders import StrangeFolder
from ziggurat.core.seed import generator
from ziggurat.core.text import differences
from ziggurat.lab.questions import (
    QuestionSet,
    QuestionsProblem,
    asking,
    baseline,
    kinds,
    make,
    read_answers,
    scene,
    score,
    write_answers,
)
from ziggurat.lab.questions import folder as writing
from ziggurat.lab.questions.asking import Made, questions, quotas
from ziggurat.lab.questions.files import ANSWERS, HANDED_OUT, QUESTIONS, SET
from ziggurat.lab.questions.kinds import KINDS, may
from ziggurat.lab.questions.scoring import position_of, table
from ziggurat.lab.questions.sheet import SheetPlace, label, sheet
from ziggurat.lab.questions.variants import other_numbers
from ziggurat.lab.questions.words import languages

SEED = bytes(31) + b"\x07"
FEW = 10
"""Questions of the small set, of one game."""


@pytest.fixture(scope="module")
def quick() -> Iterator[None]:
    """Little is looked at before the first question: what is looked at here is what is asked."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asking, "WARM_UP", 0)
        patched.setattr(scene, "REDEALS", 24)
        patched.setattr(kinds, "SOME_DEALS", 12)
        patched.setattr(kinds, "PROOF_GAMES", 200)
        yield


@pytest.fixture(scope="module")
def made(quick: None, tmp_path_factory: pytest.TempPathFactory) -> list[Made]:
    """The questions of the small set, before they are written."""
    return [*questions([GAME], SEED, FEW, "en")]


@pytest.fixture(scope="module")
def folder(made: list[Made], tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("questions") / "set"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(writing, "questions", lambda *args: iter(made))
        make([GAME], to, seed=SEED, count=FEW, track="text")
    return to


@pytest.fixture(scope="module")
def few(folder: Path) -> QuestionSet:
    return QuestionSet(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


# --- What is made ---


@runs.whole
def test_the_same_seed_makes_the_same_bytes_and_another_one_other_questions(
    quick: None, folder: Path, tmp_path: Path
) -> None:
    make([GAME], tmp_path / "same", seed=SEED, count=FEW, track="text")
    assert contents(tmp_path / "same") == contents(folder)
    make([GAME], tmp_path / "other", seed=bytes(32), count=FEW, track="text")
    texts = [{one.text for one in QuestionSet(at).questions.values()} for at in (folder, tmp_path / "other")]
    assert not texts[0] & texts[1]


def test_what_is_handed_out_holds_no_answer_no_seed_and_no_position(folder: Path, few: QuestionSet) -> None:
    assert sorted(file.name for file in folder.iterdir()) == [ANSWERS, HANDED_OUT]
    for line in (folder / HANDED_OUT / QUESTIONS).read_text(encoding="utf-8").splitlines():
        assert not {"answer", "state", "steps", "usual", "chance", "seed"} & json.loads(line).keys()
    about = json.loads((folder / HANDED_OUT / SET).read_text(encoding="utf-8"))
    assert "seed" not in about
    assert about["versions"][EXAMPLE]["rules"] == GAME.version
    assert all((folder / HANDED_OUT / one.rules).is_file() for one in few.questions.values())


def test_a_position_dealt_again_has_the_same_text_and_picture(few: QuestionSet) -> None:
    rng = generator(3)
    for one in few.questions.values():
        position = position_of(one, few.answers[one.id])
        again = position.redeal(one.seat, rng)
        assert again.svg(one.seat) == position.svg(one.seat)


def test_moves_that_are_right_can_be_made_and_others_cannot(few: QuestionSet) -> None:
    looked = 0
    for one in few.questions.values():
        steps = few.answers[one.id].steps
        for words in steps.values():
            looked += 1
            position_of(one, few.answers[one.id]).after_move(one.seat, words)
        if one.kind in ("may", "which"):
            assert set(steps) == set(str(few.answers[one.id].answer))
        elif one.kind == "may_not":
            assert set(steps) == set(one.options) - {few.answers[one.id].answer}
    assert looked > 4


def test_every_tier_is_there_and_no_question_twice(few: QuestionSet) -> None:
    asked = [*few.questions.values()]
    assert len(asked) == FEW
    assert {one.tier for one in asked} == {1, 2, 3}
    assert len({(one.text, one.question) for one in asked}) == FEW
    assert all(len(set(one.options.values())) == len(one.options) for one in asked)
    assert all((one.form == "number") == (one.most is not None) == (not one.options) for one in asked)


@pytest.mark.parametrize("share", [0, 1, 17, 100, 401])
def test_the_kinds_have_their_shares(share: int) -> None:
    parts = quotas(share)
    assert sum(parts.values()) == share
    assert all(abs(parts[kind.name] - share * kind.share / sum(one.share for one in KINDS)) < 1 for kind in KINDS)


def in_picture(drawing: str) -> str:
    return " ".join(unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", drawing))


def pieces_of(text: str) -> Counter[str]:
    """The numbers and words of a text; signs may be drawn otherwise."""
    return Counter(re.findall(r"[^\W_]+", text))


def test_the_picture_tells_what_the_text_tells(few: QuestionSet) -> None:
    for one in few.questions.values():
        drawn = pieces_of(in_picture(position_of(one, few.answers[one.id]).svg(one.seat)))
        assert not pieces_of(one.text) - drawn


@runs.whole
@pytest.mark.parametrize("name", sorted(ziggurat.registered_games()))
def test_a_set_of_each_game(name: str) -> None:
    game = ziggurat.game(name)
    ziggurat.prepare(game)
    letters: dict[tuple[str, int], Counter[str]] = {}
    found: Counter[str] = Counter()
    for made in questions([game], SEED, 48, "en"):
        one, answer = made.question, made.answer
        found[one.kind] += 1
        if one.form == "choice":
            letters.setdefault((one.kind, len(one.options)), Counter())[str(answer.answer)] += 1
        drawn = pieces_of(in_picture(made.scene.drawing))
        assert not pieces_of(one.text) - drawn
        if one.kind in ("cell", "line") and one.options:
            assert not pieces_of(one.options[str(answer.answer)]) - drawn
        again = made.scene.position.redeal(one.seat, generator(5))
        assert again.svg(one.seat) == made.scene.drawing
    for (_, options), counted in letters.items():
        assert max(counted.values()) - min(counted[letter] for letter in "ABCDEF"[:options]) <= 1
    assert len(found) >= 12


@runs.whole
@pytest.mark.parametrize("language", languages())
def test_a_set_in_each_language(language: str, tmp_path: Path, few: QuestionSet) -> None:
    make([GAME], tmp_path / "set", seed=SEED, count=6, track="text", language=language)
    asked = QuestionSet(tmp_path / "set").questions
    english = {one.question for one in few.questions.values()}
    assert not any("{" in one.question for one in asked.values())
    assert language == "en" or not english & {one.question for one in asked.values()}


def test_the_words_are_the_same_in_all_languages() -> None:
    folder = Path(ziggurat.__file__).parent / "lab" / "questions" / "words"
    texts = {
        language: json.loads((folder / f"{language}.json").read_text(encoding="utf-8")) for language in languages()
    }
    assert {"en", "hu"} <= texts.keys()
    assert [*differences(texts)] == []


# --- What can be told from the drawing ---


def test_an_answer_that_is_not_drawn_is_noticed(made: list[Made]) -> None:
    from ziggurat.lab.questions.drawn import ChangingNumbers

    numbers, seen = ChangingNumbers(), made[0].scene
    rng = generator(1)
    position = ziggurat.new(EXAMPLE, seen.players, seed=11)
    while not position.finished and len(position.history) < 150:
        position.play(position.actors[0], position.suggest(rng))
        numbers.add(position)
    assert numbers.follows(seen, lambda world: world.scores()[seen.seat])
    # Everything that there is, of which the drawing tells only a part.
    assert not numbers.follows(seen, lambda world: repr(vars(world.lists)))


def test_an_endless_or_broken_position_is_no_reason_to_fail(made: list[Made]) -> None:
    from ziggurat.lab.questions.drawn import ChangingNumbers

    def breaks(world: Any) -> int:
        calls.append(1)
        if len(calls) > 1:
            raise IndexError
        return 1

    calls: list[int] = []
    numbers, seen = ChangingNumbers(), made[0].scene
    numbers.add(ziggurat.new(EXAMPLE, seen.players, seed=4))
    assert numbers.follows(seen, breaks)
    assert len(calls) > 1


def test_a_scene_forgets_what_its_seat_does_not_know(made: list[Made]) -> None:
    assert made[0].scene.position.history == []
    assert made[0].scene.position.seed is None


def test_near_misses_differ_in_one_number() -> None:
    from ziggurat.core.trace import Phrase

    found = list(other_numbers(Phrase("x", {"count": 2, "seat": 1, "what": "a", "seats": [0, 1]}), 3))
    assert {phrase.args["count"] for phrase in found if phrase.args["seats"] == [0, 1]} == {0, 1, 3, 4, 5}
    assert all(phrase.args["seat"] == 1 for phrase in found)  # of another seat the same might be true
    assert [0, 2] in [phrase.args["seats"] for phrase in found]


def test_a_board_is_read_cell_by_cell() -> None:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    one = Table("Player", "Hand", "+", title="Players")
    one.add_row("> Ada", "3*", "x")
    one.add_row("Ben", "·", "y")
    yard = Table("● yellow", "blue", title="Yard")
    yard.add_row("Tower 3", "")
    read = sheet(Group(one, yard, Text("Open money: red 5   blue 3")))
    assert read.cells[SheetPlace("Players", "Ada", "Hand")] == ("3*", 3)
    assert SheetPlace("Players", "Ben", "Hand") not in read.cells
    assert read.cells[SheetPlace("Yard", "", "yellow")] == ("Tower 3", None)
    assert read.lines == {"Open money": ("red 5", "blue 3")}
    assert label("Seat 2 <") == "Seat 2"


def test_what_cannot_be_asked_is_not(made: list[Made]) -> None:
    over = made[0].scene.position.copy()
    rng = generator(2)
    while not over.finished:
        over.play(over.actors[0], over.suggest(rng))
    ended = scene.Scene(over, 0, "en", rng, random.Random(1))
    from ziggurat.lab.questions.drawn import ChangingNumbers

    assert may(ended, ChangingNumbers(), lambda key, **args: key) is None


# --- Scoring ---


def test_the_right_answers_are_all_right(few: QuestionSet, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(write_answers({one.id: one.answer for one in few.answers.values()}), encoding="utf-8")
    report = score(few, read_answers(few.questions, file))
    assert report.all.right == report.all.questions == report.all.answered == FEW
    assert report.all.high == 1 > report.all.low
    for name in ("tier", "game", "kind"):
        assert sum(one.questions for one in report.by[name].values()) == FEW
    assert len(table(report)) == 2 + sum(map(len, report.by.values()))


def test_at_random_it_is_chance_and_the_heuristic_is_between(few: QuestionSet) -> None:
    times = 300
    by_chance = sum(score(few, baseline(few, "random", seed)).all.right for seed in range(times)) / times
    expected = sum(one.chance for one in few.answers.values())
    spread = sum(one.chance * (1 - one.chance) for one in few.answers.values()) ** 0.5
    assert abs(by_chance - expected) < 4 * spread / times**0.5
    by_heuristic = sum(score(few, baseline(few, "greedy", seed)).all.right for seed in range(20)) / 20
    assert expected - 4 * spread / 20**0.5 < by_heuristic < FEW


def test_what_is_not_answered_is_not_right(few: QuestionSet, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    first, second, *_ = few.answers.values()
    file.write_text(write_answers({first.id: first.answer}) + f'{{"id": "{second.id}", "answer": null}}\n')
    report = score(few, read_answers(few.questions, file))
    assert (report.all.right, report.all.answered) == (1, 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("what", "line 2 is no answer"),
        ('{"id": 3, "answer": "A"}', "line 2 is no answer"),
        ('{"id": "q9999", "answer": "A"}', "no question of this set"),
        ('{"id": "CHOICE", "answer": "Z"}', "one letter of A, B"),
        ('{"id": "CHOICE", "answer": "AB"}', "one letter of A, B"),
        ('{"id": "CHOICE", "answer": 7}', "one letter of A, B"),
        ('{"id": "NUMBER", "answer": "many"}', "a whole number from 0 to"),
        ('{"id": "NUMBER", "answer": "-1"}', "a whole number from 0 to"),
        ('{"id": "NUMBER", "answer": 1000000}', "a number of at most"),
        ('{"id": "FIRST", "answer": null}', "again, which line 1 has answered"),
    ],
)
def test_answers_that_are_none_are_refused_in_a_sentence(
    few: QuestionSet, tmp_path: Path, line: str, said: str
) -> None:
    asked = [*few.questions.values()]
    names = {
        "CHOICE": next(one.id for one in asked[1:] if one.form == "choice"),
        "NUMBER": next(one.id for one in asked[1:] if one.form == "number"),
        "FIRST": asked[0].id,
    }
    for name, number in names.items():
        line = line.replace(name, number)
    file = tmp_path / "answers.jsonl"
    file.write_text(f'{{"id": "{asked[0].id}", "answer": null}}\n{line}\n', encoding="utf-8")
    with pytest.raises(QuestionsProblem, match=re.escape(said)) as refused:
        read_answers(few.questions, file)
    assert "\n" not in str(refused.value)


def test_files_that_are_too_large_missing_or_changed_are_refused(folder: Path, tmp_path: Path) -> None:
    few = QuestionSet(folder)
    large = tmp_path / "large"
    with large.open("wb") as stream:
        stream.truncate(1_000_000_000)
    for file, said in ((large, "has 1,000 MB; at most 4 MB are read"), (tmp_path / "no", "no such file")):
        with pytest.raises(QuestionsProblem, match=said):
            read_answers(few.questions, file)
    with pytest.raises(QuestionsProblem, match="is no set of questions"):
        QuestionSet(tmp_path)
    copied = tmp_path / "copied"
    for name, data in contents(folder).items():
        (copied / name).parent.mkdir(parents=True, exist_ok=True)
        (copied / name).write_bytes(data)
    with (copied / HANDED_OUT / QUESTIONS).open("ab") as stream:
        stream.write(b"\n")
    with pytest.raises(QuestionsProblem, match="was changed"):
        QuestionSet(copied)
    (copied / ANSWERS).write_text("{}", encoding="utf-8")
    with pytest.raises(QuestionsProblem, match="is damaged"):
        QuestionSet(copied)
    (copied / ANSWERS).unlink()
    with pytest.raises(QuestionsProblem, match="it is what was handed out"):
        QuestionSet(copied)


def test_a_set_of_other_rules_is_refused_by_the_heuristic(folder: Path, tmp_path: Path) -> None:
    for name, data in contents(folder).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    file = tmp_path / HANDED_OUT / SET
    about = json.loads(file.read_text(encoding="utf-8"))
    about["versions"][EXAMPLE]["rules"] = "0"
    about["ziggurat"] = "0.0"
    file.write_text(json.dumps(about), encoding="utf-8")
    older = QuestionSet(tmp_path)
    assert "made by version 0.0" in older.differs()
    assert baseline(older, "random")
    with pytest.raises(QuestionsProblem, match="other rules of"):
        baseline(older, "greedy")


def test_a_folder_of_somebody_else_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(StrangeFolder):
        make([GAME], tmp_path, seed=SEED, count=1, track="text")
    for more in ({"language": "xx"}, {"track": "smell"}, {"count": 0}):
        with pytest.raises(QuestionsProblem):
            make([GAME], tmp_path / "new", seed=SEED, **{"track": "text", **more})  # type: ignore[arg-type]


def test_a_set_that_was_not_finished_is_made_again(
    made: list[Made], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*args: Any) -> Iterator[Made]:
        yield made[0]
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "questions", ended)
    with pytest.raises(KeyboardInterrupt):
        make([GAME], tmp_path, seed=SEED, count=2, track="text")
    with pytest.raises(QuestionsProblem, match="is no set of questions"):
        QuestionSet(tmp_path)
    monkeypatch.setattr(writing, "questions", lambda *args: iter(made[:2]))
    make([GAME], tmp_path, seed=SEED, count=2, track="text")
    assert len(QuestionSet(tmp_path).questions) == 2


def test_the_command_says_what_is_wrong_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    run = CliRunner()
    answers = tmp_path / "random.jsonl"
    done = run.invoke(app, ["questions", "answer", str(folder), "--by", "random", "--out", str(answers)])
    assert done.exit_code == 0, done.output
    done = run.invoke(app, ["questions", "score", str(folder), str(answers)])
    assert done.exit_code == 0
    assert "tier 1" in done.output
    done = run.invoke(app, ["questions", "score", str(folder), str(answers), "--json"])
    assert json.loads(done.output)["all"]["questions"] == FEW
    done = run.invoke(app, ["questions", "score", str(tmp_path), str(answers)])
    assert isinstance(done.exception, ZigguratError)
    assert "\n" not in str(done.exception)

"""The benchmark of engines: its exam, its judge, and what engines of strangers may do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from tests import runs

import ziggurat
from ziggurat.core.dealing import NotJudged, judged
from ziggurat.core.text import rules_text
from ziggurat.lab.rulebook.baseline import NoMistake, write_own
from ziggurat.lab.rulebook.brief import HiddenProse, hidden_names, is_hidden, write_brief
from ziggurat.lab.rulebook.engines import Engine, EngineLimits, NoEngine
from ziggurat.lab.rulebook.exam import PARTS, WEIGHTS, Amounts, Exam, Maker, Recorder, Script, branches
from ziggurat.lab.rulebook.judge import RulesJudge, RulesVerdict
from ziggurat.lab.rulebook.names import same_names
from ziggurat.lab.rulebook.own import Mistake, mistakes_in
from ziggurat.lab.rulebook.world import Rules, World


def has_judged(game: str) -> bool:
    try:
        judged(ziggurat.game(game))
    except NotJudged:
        return False
    return True


GAMES = [game for game in ziggurat.registered_games() if has_judged(game)]
FIRST = GAMES[0]
HERE = Path(__file__).parents[1] / "games"
# With every change one game, all of them in the whole run.
BY_TURNS = [FIRST, *(pytest.param(game, marks=runs.whole) for game in GAMES[1:])]
MISTAKES = {game: mistakes_in(file) for game in GAMES if (file := HERE / game / "mistakes.toml").is_file()}
# Engines that were written from the brief alone, in Python without packages.
WRITTEN = {game: file.parent for game in GAMES if (file := HERE / game / "written" / "engine.py").is_file()}
SMALL = Amounts(games=1, counted=1, nodes=10, deepest=2, wishes=1, twins=2, questions=12, question_games=3, longest=30)
PATIENT = EngineLimits(start=60, answer=60)


@cache
def small(game: str) -> Exam:
    return Maker(ziggurat.game(game), 1, SMALL).exam()


@cache
def whole(game: str) -> Exam:
    return Maker(ziggurat.game(game), 1).exam()


def verdict_on(folder: Path, exam: Exam, hide: str | None = None, limits: EngineLimits = PATIENT) -> RulesVerdict:
    names = same_names() if hide is None else hidden_names(exam.game, hide)
    engine = Engine(folder, exam.game.id, limits)
    try:
        return RulesJudge(exam, engine, names).judge()
    finally:
        engine.close()


# --- What games say -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_section_that_is_named_is_a_heading_of_the_rules(game: str) -> None:
    declared, text = judged(ziggurat.game(game)), rules_text(game, "en") or ""
    headings = {line.lstrip("#").strip() for line in text.splitlines() if line.startswith("#")}
    named = {
        *declared.actions.values(),
        *declared.events.values(),
        *(entry[-1] for entry in declared.fields.values()),
        *(rule for _, _, rule, _ in declared.chances()),
        declared.ends,
    }
    assert named <= headings


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_says_of_its_parts_is_there(game: str) -> None:
    chosen = ziggurat.game(game)
    declared = judged(chosen)
    assert set(declared.actions) == set(chosen.space.types)
    assert set(declared.events) <= set(chosen.event_types)
    assert {cause for entry in declared.fields.values() for cause in entry[:-1]} <= set(declared.events)
    view = World(Rules(chosen), chosen.max_players, {}, Recorder(Maker(chosen, 1)._chance("x"))).view(0)

    def there(path: str) -> bool:
        first, _, rest = path.partition(".")
        value = view.get(first)
        one = value[0] if isinstance(value, list) and value else value
        return first in view and (not rest or one is None or rest in one)

    assert [path for path in declared.fields if path and not there(path)] == []


# --- The exam -----------------------------------------------------------------------------------------------------


def test_the_weights_of_the_parts_are_one_together() -> None:
    assert list(WEIGHTS) == list(PARTS)
    assert round(sum(WEIGHTS.values()), 12) == 1


def test_the_same_seed_asks_the_same_and_another_something_else() -> None:
    again, other = (Maker(ziggurat.game(FIRST), seed, SMALL).exam() for seed in (1, 2))
    assert again.scripts == small(FIRST).scripts
    assert other.scripts != again.scripts


@pytest.mark.parametrize("game", GAMES)
def test_an_exam_has_all_its_parts(game: str) -> None:
    exam = small(game)
    assert {script.part for script in exam.scripts} == set(PARTS)
    assert sum(len(script.questions) for script in exam.scripts) == SMALL.questions
    twins = [script for script in exam.scripts if script.twin is not None]
    assert len(twins) == SMALL.twins
    for script in twins:
        assert script.twin is not None
        assert [move.look.views for move in script.moves] == [move.look.views for move in script.twin.moves]
        assert (script.deals, script.moves) != (script.twin.deals, script.twin.moves)


# --- The judge ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", BY_TURNS)
def test_our_own_rules_score_exactly_1(game: str, tmp_path: Path) -> None:
    write_own(ziggurat.game(game), tmp_path)
    verdict = verdict_on(tmp_path, small(game))
    assert (verdict.score, verdict.differences, verdict.ended) == (1.0, [], "")


@runs.whole
@pytest.mark.parametrize("game", GAMES)
def test_our_own_rules_score_exactly_1_in_a_whole_exam_with_hidden_names(game: str, tmp_path: Path) -> None:
    write_own(ziggurat.game(game), tmp_path, hide="x")
    verdict = verdict_on(tmp_path, whole(game), "x")
    assert (verdict.score, verdict.differences, verdict.ended) == (1.0, [], "")
    assert next(part.asked for part in verdict.parts if part.part == "questions") == 200


@pytest.mark.parametrize("game", [*WRITTEN][:1])
def test_an_engine_that_was_written_from_the_brief_scores_1(game: str) -> None:
    verdict = verdict_on(WRITTEN[game], small(game))
    assert (verdict.score, verdict.differences) == (1.0, [])


@runs.whole
@pytest.mark.parametrize("game", WRITTEN)
def test_an_engine_that_was_written_from_the_brief_scores_1_in_a_whole_exam(game: str) -> None:
    exam = Maker(ziggurat.game(game), 3).exam()
    verdict = verdict_on(WRITTEN[game], exam)
    assert (verdict.score, verdict.differences) == (1.0, [])


@pytest.mark.parametrize("game", [*MISTAKES][:1])
def test_a_planted_mistake_is_found_and_named(game: str, tmp_path: Path) -> None:
    mistake = MISTAKES[game][0]
    assert_found(game, mistake, small(game), tmp_path)


@runs.whole
@pytest.mark.parametrize(
    ("game", "name"), [(game, mistake.name) for game, mistakes in MISTAKES.items() for mistake in mistakes]
)
def test_every_planted_mistake_is_found_and_named(game: str, name: str, tmp_path: Path) -> None:
    mistake = next(one for one in MISTAKES[game] if one.name == name)
    assert_found(game, mistake, whole(game), tmp_path)


def assert_found(game: str, mistake: Mistake, exam: Exam, folder: Path) -> None:
    file = HERE / game / "mistakes.toml"
    write_own(ziggurat.game(game), folder, f"{file}:{mistake.name}")
    verdict = verdict_on(folder, exam)
    assert verdict.score < 1
    assert verdict.rule == mistake.rule
    assert mistake.rule in {one.rule for one in verdict.differences}


@pytest.mark.parametrize("game", MISTAKES)
def test_there_are_ten_mistakes_each_in_a_text_that_is_there_once(game: str) -> None:
    chosen = ziggurat.game(game)
    assert len({mistake.name for mistake in MISTAKES[game]}) == 10
    for mistake in MISTAKES[game]:
        text = (chosen.folder / mistake.file).read_text(encoding="utf-8")
        made = mistake.made(text)
        assert made != text
        if mistake.file.endswith(".toml"):
            chosen.load_components(made)
        else:
            compile(made, mistake.file, "exec")


def test_the_first_difference_is_told_in_words(tmp_path: Path) -> None:
    exam = small(FIRST)
    script = next(script for script in exam.scripts if script.part == "games")
    move = script.moves[-1]
    look = move.look
    changed = replace(look, actors=(), legal={}, result={"scores": [1], "winners": [0]})
    other = replace(exam, scripts=(replace(script, moves=(*script.moves[:-1], replace(move, look=changed))),))
    write_own(exam.game, tmp_path)
    (found,) = verdict_on(tmp_path, other).differences
    assert found.after == len(script.moves) - 1
    assert (found.right, found.asked) == (len(script.moves), len(script.moves) + 1)
    assert "the result is {'scores': [1], 'winners': [0]} by the rules, and not there yet" in found.said
    assert found.rule == judged(exam.game).ends


# --- Engines of strangers -----------------------------------------------------------------------------------------


def one_game(game: str = FIRST) -> Exam:
    exam = small(game)
    return replace(exam, scripts=tuple(script for script in exam.scripts if script.part == "games")[:1])


def engine_of(folder: Path, body: str) -> Path:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (folder / "engine.py").write_text(f"class Engine:\n{lines}\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def __init__(self, *all): raise NotImplementedError", "NotImplementedError (engine.py, line 2, __init__)"),
        ("def __init__(self, *all):\n    print(1 / 0)", "ZeroDivisionError: division by zero"),
        ("def __init__(self, *all):\n    import os; os._exit(3)", "ended with code 3"),
        ("def __init__(self, *all):\n    raise SystemExit(4)", "failed: SystemExit: 4"),
        ("pass", "TypeError"),
        ("def __init__(self, n, o, chance): chance.shuffle('stones', ['a', 'b'])", "shuffles 'stones'"),
        ("def __init__(self, n, o, chance): self.actors = lambda: 1", "TypeError"),
        ("def __init__(self, *all):\n    import os\n    os.write(1, b'x' * (1 << 21))", "nothing"),
        ("def __init__(self, *all): pass\ndef actors(self): return {self}", "failed: "),
    ],
)
def test_what_fails_is_one_sentence(body: str, said: str, tmp_path: Path) -> None:
    verdict = verdict_on(engine_of(tmp_path, body), one_game())
    assert verdict.score == 0
    (found,) = verdict.differences
    assert "\n" not in found.said
    if said != "nothing":
        assert said in found.said


JUNK = """
import json, random, sys
deep = "[" * 400 + "]" * 400
values = ["null", "1", "true", '"x"', "[]", "{}", "[1]", '[["x"]]', '{"0": 1}', '{"0": ["x"], "1": [2]}', deep, "1e999"]
chance = random.Random(SEED)
print('{"ready": true}', flush=True)
next(sys.stdin)
for line in sys.stdin:
    keys = ["actors", "legal", "views", "result", "ask", "name", "cards", "of", "error"]
    some = chance.sample(keys[: chance.choice([4, 4, 4, 9])], chance.randrange(1, 5))
    print("{" + ", ".join(f'"{key}": {chance.choice(values)}' for key in some) + "}", flush=True)
"""


@pytest.mark.parametrize("seed", range(2))
def test_no_answer_can_break_the_judge(seed: int, tmp_path: Path) -> None:
    code = JUNK.replace("SEED", str(seed))
    (tmp_path / "engine.json").write_text(json.dumps({"command": ["python3", "-c", code]}), encoding="utf-8")
    verdict = verdict_on(tmp_path, small(FIRST), "x" if seed else None)
    assert verdict.score < 0.2
    assert all(one.said and "\n" not in one.said for one in verdict.differences)


def test_printing_is_no_answer(tmp_path: Path) -> None:
    verdict = verdict_on(engine_of(tmp_path, "print('{\"ready\": true}')\ndef __init__(self, *all): pass"), one_game())
    assert "AttributeError" in verdict.differences[0].said


def test_an_endless_loop_is_ended_and_given_up(tmp_path: Path) -> None:
    exam = small(FIRST)
    folder = engine_of(tmp_path, "def __init__(self, *all):\n    while True: pass")
    verdict = verdict_on(folder, exam, limits=EngineLimits(answer=0.2, deaths=2))
    assert verdict.score == 0
    assert "said nothing for" in verdict.differences[0].said
    assert verdict.ended == "the engine was not asked to the end: it ended or said nothing 2 times"


def test_a_program_that_floods_its_output_is_ended(tmp_path: Path) -> None:
    code = "import sys\nfor _ in range(1 << 30): sys.stdout.write('x' * (1 << 16))"
    (tmp_path / "engine.json").write_text(json.dumps({"command": ["python3", "-c", code]}), encoding="utf-8")
    with pytest.raises(NoEngine, match="sent a line longer than 1024 KiB"):
        Engine(tmp_path, FIRST).start()


def test_memory_is_bounded(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    folder = engine_of(tmp_path, "def __init__(self, *all): self.all = bytearray(1 << 30)")
    verdict = verdict_on(folder, one_game(), limits=replace(PATIENT, memory=256))
    assert "MemoryError" in verdict.differences[0].said


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "holds no engine: neither engine.py nor engine.toml nor engine.json"),
        ({"engine.toml": "command = "}, "cannot be read"),
        ({"engine.json": "[1]"}, "names no command"),
        ({"engine.toml": "command = []"}, "names no command"),
        ({"engine.toml": 'command = ["no-such-program"]'}, "no-such-program: no such file or directory"),
        ({"engine.toml": 'command = ["true"]'}, "ended with code 0"),
        ({"engine.toml": 'command = ["echo", "hello"]'}, "which is no object in JSON"),
        ({"engine.toml": 'command = ["echo", "{}"]'}, "answered the hello with {}"),
        ({"engine.py": "class Engine:\n  def"}, "engine.py, line 2: invalid syntax"),
        ({"engine.py": "x = 1"}, "has no attribute 'Engine'"),
        ({"engine.py": "import ziggurat"}, "No module named 'ziggurat'"),
    ],
)
def test_what_cannot_be_started_is_said_in_one_sentence(files: dict[str, str], said: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(NoEngine, match=re.escape(said)) as raised:
        Engine(tmp_path, FIRST, PATIENT).start()
    assert "\n" not in raised.value.detail


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(NoEngine, match="is not there"):
        Engine(tmp_path / "nowhere", FIRST)


def test_a_mistake_that_is_none(tmp_path: Path) -> None:
    game = ziggurat.game(FIRST)
    with pytest.raises(NoMistake, match="no such file"):
        write_own(game, tmp_path, "nowhere.toml:x")
    (tmp_path / "m.toml").write_text("mistakes = []", encoding="utf-8")
    with pytest.raises(NoMistake, match="has no mistake 'x'"):
        write_own(game, tmp_path, f"{tmp_path / 'm.toml'}:x")


# --- The brief ----------------------------------------------------------------------------------------------------


def words_of(script: Script) -> Iterator[str]:
    """All words that a judge says, or wants to hear."""
    looks = [script.look, *(move.look for move in script.moves)]
    looks += [branch.move.look for branch in branches(script.tree)]
    deals = [*script.deals, *(deal for move in script.moves for deal in move.deals)]
    texts = [json.dumps([look.views, look.result, [*look.legal.values()]]) for look in looks]
    texts += [text for deal in deals for text in (deal.name, *deal.order)]
    for text in texts:
        yield from re.findall(r"[A-Za-z_]+", text)


@pytest.mark.parametrize("hide", [None, "x"])
@pytest.mark.parametrize("game", BY_TURNS)
def test_the_brief_has_every_word_that_the_judge_uses(game: str, hide: str | None, tmp_path: Path) -> None:
    chosen = ziggurat.game(game)
    files = write_brief(chosen, tmp_path, hide)
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    said = {*re.findall(r"[A-Za-z_]+", text), *re.findall(r"\w+", text)}
    names = same_names() if hide is None else hidden_names(chosen, hide)
    asked = {word for script in small(game).scripts for word in words_of(script)}
    options = {text for option in chosen.options for text in (option.name, *option.choices)}
    assert {names.hide(word) for word in asked | options} - said == set()
    assert is_hidden(tmp_path) == (hide is not None)


@pytest.mark.parametrize("game", BY_TURNS)
def test_hidden_names_are_nowhere_in_the_brief(game: str, tmp_path: Path) -> None:
    chosen = ziggurat.game(game)
    names = hidden_names(chosen, "x")
    prose = HiddenProse(chosen, names)
    hidden = {word for word in names.words if prose(word) != word and len(word) > 3}
    for file in write_brief(chosen, tmp_path, "x"):
        text = file.read_text(encoding="utf-8").lower()
        assert not {word for word in hidden if re.search(rf"\b{word}s?\b", text)}, file.name
        assert game not in text
    assert names.reveal(names.hide(sorted(names.words))) == sorted(names.words)


def test_the_empty_interface_scores_nothing(tmp_path: Path) -> None:
    write_brief(ziggurat.game(FIRST), tmp_path)
    verdict = verdict_on(tmp_path, one_game())
    assert verdict.score == 0
    assert "NotImplementedError" in verdict.differences[0].said

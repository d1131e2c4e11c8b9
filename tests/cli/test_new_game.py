"""A stranger's first game: laid by a command, played at once, and told what it lacks."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE

import ziggurat
import ziggurat.games
from ziggurat.cli import new_game
from ziggurat.core import registry
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import catalogue

ROOT = Path(__file__).parents[2]
GUIDE = " (docs/adding-a-game.md)\n"
WORDS = {
    "name": "Stranger",
    "move.lay": "lay {card}",
    "log.drew": "{seat} draws {card}",
    "log.finished": "over",
    "log.laid": "{seat} lays {card}",
    "log.won": "{seat} wins",
    "menu.help": "Such as lay 7.",
    "refuse.not_your_turn": "It is not your turn.",
    **{f"field.{name}": f"The {name}" for name in ("deck_left", "discard", "hand", "hand_left", "laid", "rounds")},
}
"""All that the game which is laid has to say."""
FILES = ["__init__.py", "choices.py", "rules.py", "state.py"]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A source tree without games, whose games are found beside those that there are."""
    root = tmp_path / "tree"
    games = root / "src/ziggurat/games"
    games.mkdir(parents=True)
    (root / "tests").mkdir()
    monkeypatch.setattr(new_game, "_root", lambda: root)
    monkeypatch.setattr(ziggurat.games, "__path__", [*ziggurat.games.__path__, str(games)])
    registry.games.cache_clear()
    yield root
    registry.games.cache_clear()
    monkeypatch.undo()
    for name in {*registry.loaded} - {*registry.names()}:
        del registry.loaded[name]
    for name in [name for name in sys.modules if name.startswith("ziggurat.games.stranger")]:
        del sys.modules[name]


def changed(tree: Path, game: str, file: str, old: str, new: str) -> None:
    """Edit a file of a game."""
    path = tree / "src/ziggurat/games" / game / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_four_files_are_laid_and_a_test(cli: Cli, tree: Path) -> None:
    ran = cli("new-game", "stranger")
    assert (ran.code, ran.err) == (0, "")
    folder = tree / "src/ziggurat/games/stranger"
    assert sorted(path.name for path in folder.iterdir()) == FILES
    assert (tree / "tests/games/stranger/test_rules.py").is_file()
    assert "src/ziggurat/games/stranger/rules.py\n" in ran.out
    assert not [path for path in tree.rglob("*.py") if "ample" in path.read_text(encoding="utf-8")]


@pytest.mark.usefixtures("few_worlds")
def test_what_is_laid_is_played_and_passes_its_own_tests(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_1")
    ran = cli("check-game", "stranger_1", "--interpreted", "--games", "2")
    assert (ran.code, ran.err) == (0, "")
    assert "stranger_1: nothing is wrong in what was judged" in ran.out
    assert "judged: 4 of 4 games played to their end" in ran.out
    file = tree / "tests/games/stranger_1/test_rules.py"
    spec = importlib.util.spec_from_file_location("stranger_tests", file)
    assert spec is not None
    assert spec.loader is not None
    tests = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tests)
    vars(tests)["check_game"] = lambda game: None  # it has been checked
    found = [test for name, test in inspect.getmembers(tests, inspect.isfunction) if name.startswith("test_")]
    assert len(found) == 3
    for test in found:
        test()


@runs.whole
def test_it_is_simulated_by_compiled_rules(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_2")
    ran = cli("simulate", "stranger_2", "--games", "20", "--seed", "1", "--players", "4", "--bots", "greedy")
    assert ran.code == 0, ran.err
    assert "12.0 decisions per game" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stranger", "stranger_of_long_name_24"])
def test_what_is_laid_passes_lint(cli: Cli, tree: Path, game: str) -> None:
    cli("new-game", game)
    made = [str(path) for path in tree.rglob("*.py")]
    pytest.importorskip("ruff")
    for action in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *action, "--config", str(ROOT / "pyproject.toml"), *made]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["", "2fast", "Stranger", "stran-ger", "stran__ger", "class", "_x", "../x", "a" * 25])
def test_what_is_no_id_is_refused(cli: Cli, tree: Path, name: str) -> None:
    ran = cli("new-game", "--", name)
    assert (ran.code, ran.out) == (2, "")
    assert "is no id of a game: up to 24 small letters" in ran.err
    assert not list(tree.rglob("*.py"))


def test_a_word_that_the_code_uses_is_refused(cli: Cli, tree: Path) -> None:
    """Not where people alone are told it."""
    file = tree / "src/ziggurat/core/dice.py"
    file.parent.mkdir(parents=True)
    file.write_text('"""Of skyline and harbour."""\n\nharbour = 1  # skyline\n', encoding="utf-8")
    ran = cli("new-game", "harbour")
    assert (ran.code, ran.out) == (2, "")
    assert "'harbour' is a word that src/ziggurat/core/dice.py uses already" in ran.err
    assert cli("new-game", "skyline").code == 0


@pytest.mark.parametrize("folder", ["src/ziggurat/games/taken", "tests/games/taken", "docs/games/taken"])
def test_what_is_there_is_never_overwritten(cli: Cli, tree: Path, folder: str) -> None:
    mine = tree / folder / "rules.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", encoding="utf-8")
    ran = cli("new-game", "taken")
    assert (ran.code, ran.err) == (2, f"ziggurat: there is a game 'taken' already: {folder}\n")
    assert list(tree.rglob("*.py")) == [mine]
    assert mine.read_text(encoding="utf-8") == "mine"


def test_in_this_tree_a_game_that_is_there_is_not_laid_again(cli: Cli) -> None:
    ran = cli("new-game", EXAMPLE)
    assert (ran.code, ran.out) == (2, "")
    assert f"there is a game {EXAMPLE!r} already" in ran.err


def test_where_there_is_no_source_tree_no_game_is_made(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ziggurat, "__file__", str(tmp_path / "lib/ziggurat/__init__.py"))
    ran = cli("new-game", "stranger")
    assert (ran.code, ran.out) == (2, "")
    assert "is made in a source tree" in ran.err


def test_what_is_missing_is_said_before_anything_else(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_3")
    changed(tree, "stranger_3", "rules.py", "def legal(", "def lawful(")
    ran = cli("check-game", "stranger_3")
    assert ran.code == 1
    assert "stranger_3 cannot be played yet" in ran.out
    assert "rules.py needs the function legal(s, seat, out) -> int" in ran.out


def test_a_field_that_is_misspelt_is_named_with_its_line(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_8")
    changed(tree, "stranger_8", "rules.py", "s.rounds += 1", "s.round += 1")
    ran = cli("check-game", "stranger_8", "--interpreted")
    assert ran.code == 1
    assert re.search(
        r"wrong +stranger_8: rules.py, line \d+: s.round is no field of the record; is 'rounds' meant", ran.out
    )


def test_a_folder_of_rules_that_lacks_something_is_not_done(
    cli: Cli, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("new-game", "stranger_9")
    pages = tree / "docs/games/stranger_9"
    pages.mkdir(parents=True)
    (pages / "rules.en.md").write_text("# Stranger", encoding="utf-8")
    monkeypatch.setattr("ziggurat.cli.check_game.source_tree", lambda: tree)
    monkeypatch.setattr("ziggurat.testing.check_game", lambda *_, **__: None)
    ran = cli("check-game", "stranger_9", "--interpreted")
    assert ran.code == 1
    assert "missing   docs/games/stranger_9/rules.hu.md, docs/games/stranger_9/rules.de.md, " in ran.out
    assert "nothing is wrong" not in ran.out


def test_weights_without_their_names_are_told(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_7")
    (tree / "src/ziggurat/games/stranger_7/weights.toml").write_text("high = 1\n", encoding="utf-8")
    ran = cli("check-game", "stranger_7")
    assert ran.code == 1
    assert "heuristics.py needs WEIGHTS, of type tuple" in ran.out


def test_what_a_game_says_itself_comes_before_what_follows_from_its_fields(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_8")
    folder = tree / "src/ziggurat/games/stranger_8"
    (folder / "scenario.py").write_text("def count_pieces(s): return {'all': 20}\n", encoding="utf-8")
    (folder / "view.py").write_text("def secrets(s): return {'everything': 1}\n", encoding="utf-8")
    game = registry.load("stranger_8")
    assert game.count_pieces(None) == {"all": 20}
    assert game.secrets(None) == {"everything": 1}
    assert game.named(None, None)[:3] == ["1", "2", "3"], "what it does not say follows"


def test_a_rule_that_is_wrong_is_found(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_4")
    changed(tree, "stranger_4", "rules.py", "note(trace, choices.WON, best, 1)", "note(trace, choices.WON, best, 2)")
    ran = cli("check-game", "stranger_4", "--interpreted", "--games", "1")
    assert ran.code == 1
    assert "the scores that the events explain are not the scores" in ran.out
    assert "nothing is wrong" not in ran.out


def test_the_table_tells_what_a_game_has_and_what_it_may_have(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_5")
    folder = tree / "src/ziggurat/games/stranger_5"
    (folder / "text").mkdir()
    words = {"name": "Stranger", "log.drew": "{seat} draws", "log.laid": "{seat} lays {card}"}
    for language in LANGUAGES:
        (folder / "text" / f"{language}.json").write_text(json.dumps(words), encoding="utf-8")
    ran = cli("check-game", "stranger_5", "--interpreted", "--games", "1")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert any(line.startswith("done rules") for line in lines)
    assert any(line.startswith("done words") for line in lines)
    assert any(line.startswith("optional heuristic heuristics.py") for line in lines)
    assert any(line.startswith("missing words text/ 'log.won'") for line in lines)
    assert any(line.startswith("missing words text/ 'log.finished'") for line in lines)
    assert ran.code == 1
    assert "the catalogues have no 'log.won'" in ran.out


@pytest.mark.parametrize(
    ("suggests", "says"),
    [
        ("choices.LAY + 20 - legal(s, seat, out) * 0", "which is none of"),
        ("out.values[legal(s, seat, out) - 1 - s.deck[0] % 2 * (s.turn == seat and s.rounds < 1)]", "something else"),
    ],
    ids=["illegal", "by the deck"],
)
def test_a_heuristic_that_is_wrong_is_told(cli: Cli, tree: Path, suggests: str, says: str) -> None:
    cli("new-game", "stranger_11")
    text = f"""
from ziggurat.core.kernel import Record, kernel
from ziggurat.games.stranger_11 import choices
from ziggurat.games.stranger_11.rules import legal


@kernel
def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    return {suggests}
"""
    (tree / "src/ziggurat/games/stranger_11/heuristics.py").write_text(text, encoding="utf-8")
    ran = cli("check-game", "stranger_11", "--interpreted", "--games", "2")
    assert ran.code == 1
    assert "the heuristic suggests seat" in ran.out
    assert says in ran.out


@pytest.mark.parametrize(
    ("key", "english", "other", "says"),
    [
        ("field.deck_left", None, None, "the catalogues have no 'field.deck_left'"),
        ("menu.help", None, None, "the catalogues have no 'menu.help'"),
        ("log.drew", "{seat} draws {card}", "{seat} húz egy {card}-t", "log.drew (hu) has '}-t'"),
        ("mood.old", "Once", "Egyszer", "nothing says 'mood.old'"),
        ("move.jump", "jump", "ugrik", "nothing says 'move.jump'"),
    ],
)
def test_a_mistake_in_words_is_told(
    cli: Cli, tree: Path, key: str, english: str | None, other: str | None, says: str
) -> None:
    cli("new-game", "stranger_8")
    folder = tree / "src/ziggurat/games/stranger_8/text"
    folder.mkdir()
    for language in LANGUAGES:
        words = {**WORDS, key: english if language == LANGUAGES[0] else other}
        said = {key: text for key, text in words.items() if text is not None}
        (folder / f"{language}.json").write_text(json.dumps(said), encoding="utf-8")
    ran = cli("check-game", "stranger_8", "--interpreted", "--games", "1")
    assert ran.code == 1
    assert says in ran.out


def test_a_kernel_that_is_named_with_its_file_is_told(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_9")
    helper = tree / "src/ziggurat/games/stranger_9/deals.py"
    helper.write_text((helper.parent / "rules.py").read_text(encoding="utf-8"), encoding="utf-8")
    changed(tree, "stranger_9", "rules.py", "import choices, state", "import choices, deals, state")
    changed(tree, "stranger_9", "rules.py", "        end_round(s, trace)", "        deals.end_round(s, trace)")
    ran = cli("check-game", "stranger_9", "--interpreted")
    assert ran.code == 1
    assert "deals.end_round is a kernel: import it by its name, and call it end_round(...)" in ran.out


@runs.whole
def test_with_words_a_heuristic_and_reasons_it_still_holds(cli: Cli, tree: Path) -> None:
    game = "stranger_6"
    cli("new-game", game)
    folder = tree / "src/ziggurat/games" / game
    what = {"what.hand.name": "A hand", "what.hand": "Three cards."}
    for card in range(1, 21):
        what |= {f"what.{card}.name": f"Card {card}", f"what.{card}": f"It beats all below {card}."}
    files = {"text": WORDS, "text/what": what}
    for place, texts in files.items():
        (folder / place).mkdir()
        for language in LANGUAGES:
            (folder / place / f"{language}.json").write_text(json.dumps(texts), encoding="utf-8")
    module = f"from ziggurat.games.{game} import choices\nfrom ziggurat.core.parts import Parts\n"
    parts = "PARTS = Parts(choices.EVENTS)\nPARTS.points(choices.WON, 'rounds')\n"
    (folder / "reasons.py").write_text(module + parts, encoding="utf-8")
    heuristic = f"""
from ziggurat.core.kernel import Record, kernel
from ziggurat.games.{game}.rules import legal


@kernel
def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    return out.values[legal(s, seat, out) - 1]
"""
    (folder / "heuristics.py").write_text(heuristic, encoding="utf-8")
    ran = cli("check-game", game, "--interpreted", "--games", "1")
    assert (ran.code, ran.err) == (0, ""), ran.out
    assert "missing" not in ran.out
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    for part in ("words", "heuristic", "parts", "about", "scenarios"):
        assert any(line.startswith(f"done {part}") for line in lines), part
    assert cli("tune", game).err == f"ziggurat: {game} has no weights: its heuristic goes by none" + GUIDE
    assert (
        cli("learn", game, "--out", "there").err
        == f"ziggurat: {game} has no inputs: it tells a network nothing" + GUIDE
    )
    assert cli("components", game).out == f"# {game} has no printed numbers that could be changed\n"


def test_a_game_that_there_is_has_more(cli: Cli) -> None:
    from ziggurat.cli.check_game import PARTS

    game = ziggurat.game(EXAMPLE)
    lacking = {part.name for part in PARTS if not part.has(game)}
    assert lacking <= {"options", "moves", "terminal"}


def test_a_game_that_cannot_be_bound_is_left_out_and_says_why(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_broken")
    (tree / "src/ziggurat/games/stranger_broken/state.py").write_text(
        "MAX_PLAYERS = HAND = 3\nCARDS = 20\n", encoding="utf-8"
    )
    ran = cli("games")
    assert ran.code == 0
    assert EXAMPLE in ran.out
    assert "stranger_broken" not in ran.out
    for words in (["simulate", "stranger_broken"], ["check-game", "stranger_broken"]):
        ran = cli(*words)
        assert ran.code != 0
        assert "Traceback" not in ran.err
        assert "see docs/adding-a-game.md" in ran.out + ran.err


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("rules.py", "x = (", "'(' was never closed (rules.py, line 1)"),
        (
            "rules.py",
            "import no_such_module",
            "No module named 'no_such_module', in line 1 of ziggurat.games.{game}.rules",
        ),
        ("state.py", "\n1 // 0", "ZeroDivisionError: integer division or modulo by zero, in line 2 of"),
        ("__init__.py", "", "__init__.py needs GAME, of type Game"),
        ("__init__.py", "GAME = 1", "__init__.py needs GAME, of type Game"),
    ],
    ids=["syntax", "import", "error", "empty", "no game"],
)
def test_no_code_of_one_game_takes_away_the_others(cli: Cli, tree: Path, file: str, text: str, says: str) -> None:
    game = "stranger_broken"
    cli("new-game", game)
    (tree / "src/ziggurat/games" / game / file).write_text(text, encoding="utf-8")
    ran = cli("games")
    assert (ran.code, ran.err) == (0, "")
    assert EXAMPLE in ran.out
    for words, code in ((["simulate", game], 2), (["check-game", game], 1)):
        ran = cli(*words)
        assert ran.code == code
        assert says.format(game=game) in ran.out + ran.err


def test_a_damaged_book_of_puzzles_is_told_in_a_line(cli: Cli, tree: Path) -> None:
    cli("new-game", "stranger_10")
    (tree / "src/ziggurat/games/stranger_10/puzzles.xz").write_bytes(b"damaged")
    ran = cli("check-game", "stranger_10", "--interpreted", "--games", "1")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("wrong     puzzles.xz is damaged, or no book of puzzles (")
    assert ran.out.count("\n") == 1


@pytest.mark.parametrize("words", [b'{"name": "Stranger",', b'{"name": 1}', b"\xff"], ids=["cut", "number", "no text"])
def test_words_that_cannot_be_read_are_told_in_a_line(cli: Cli, tree: Path, words: bytes) -> None:
    cli("new-game", "stranger_9")
    folder = tree / "src/ziggurat/games/stranger_9/text"
    folder.mkdir()
    (folder / "hu.json").write_bytes(words)
    ran = cli("check-game", "stranger_9", "--interpreted", "--games", "1")
    assert ran.code == 2
    assert ran.err.startswith("ziggurat: stranger_9: text/hu.json is no catalogue: ")
    assert cli("games", "--lang", "en").code == 0, "what it says in the other language can be read"


def test_a_game_that_there_is_not_is_named(cli: Cli) -> None:
    ran = cli("check-game", "nothing")
    assert (ran.code, ran.out) == (2, "")
    assert "there is no game 'nothing'; there are: " in ran.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_words_it_is_listed_and_played_in_every_language(cli: Cli, tree: Path, language: str) -> None:
    game = f"stranger_{language}"
    cli("new-game", game)
    listed = cli("games", "--lang", language)
    assert listed.code == 0
    assert f"{game}: Stranger {language.title()}.\n" in listed.out
    ran = cli("play", game, "--players", "2", "--seed", "1", "--bots", "random", "--lang", language, typed="1\n" * 9)
    assert (ran.code, ran.err) == (0, "")
    assert "drew (card 8)" in ran.out
    assert catalogue(language)("ui.game.turn") in ran.out

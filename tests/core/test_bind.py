"""A game is found by the names of its files and functions; what is missing is named, with what it has to return."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.example import GAME

import ziggurat
from ziggurat.core import usual
from ziggurat.core.bind import FUNCTIONS, GAME_OBJECTS, KERNELS, NETWORK_KERNELS, bind
from ziggurat.core.errors import NotationError, ScenarioError, UnknownPiece
from ziggurat.core.game import Game
from ziggurat.core.options import Options
from ziggurat.core.trace import Phrase

EXAMPLE, KIND = f"ziggurat.games.{GAME.id}", GAME.components_type.__name__
SIZES = GAME.min_players, GAME.max_players
NUMBER = count()
RULES = [
    (file, says)
    for files, says in [*KERNELS.values(), *FUNCTIONS.values(), *NETWORK_KERNELS.values()]
    for file in files.split()
    if find_spec(f"{EXAMPLE}.{file}")
]
# Of every piece the file in which it stands, and its name there: what a game needs, and what it may lack.
THERE = [(files.split()[0], name) for files, name, _ in GAME_OBJECTS.values()]
THERE += [(file, says.partition("(")[0]) for file, says in RULES]
THERE = [(file, name) for file, name in THERE if hasattr(import_module(f"{EXAMPLE}.{file}"), name)]
WRITING = {says.partition("(")[0] for _, says in NETWORK_KERNELS.values()}
# What nobody else can say of a game that has components, secrets, and actions whose notation depends on the position.
NEEDS = {"RECORD", "SPACE", "EVENTS", "setup", "legal", "play", "observe", "redeal", "public", "own", "secrets"}
NEEDS |= {"choice", "write_step", "read_move", "observation", "template", "longest"}
NEEDED = [(file, name) for file, name in THERE if name in NEEDS]
Toy = Callable[..., Game]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    """Binds a game of all pieces of another one, without some, or with a file that ends otherwise."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def bound(*without: tuple[str, str], file: str = "", end: str = "", **more: Any) -> Game:
        package = f"toys{next(NUMBER)}"
        folder = tmp_path / package / "toy"
        folder.mkdir(parents=True)
        files = {"components": f"from {EXAMPLE}.components import {KIND} as ToyComponents\n"}
        for where, name in THERE:
            if (where, name) not in without:
                files[where] = files.get(where, "") + f"from {EXAMPLE}.{where} import {name}\n"
        if file:
            files[file] = files.get(file, "") + end
        for where, text in files.items():
            at = folder / f"{where.replace('.', '/')}.py"
            at.parent.mkdir(exist_ok=True)
            at.write_text(text, encoding="utf-8")
        return bind(f"{package}.toy", version="7", players=SIZES, trust=0.3, **more)

    return bound


def home(game: Game, field: str) -> str:
    """The module in which a function of a game was written."""
    return getattr(getattr(game, field), "__module__", "")


def test_a_game_is_what_its_folder_holds(toy: Toy) -> None:
    game = toy()
    assert (game.id, game.version, game.min_players, game.max_players, game.trust) == ("toy", "7", *SIZES, 0.3)
    own = [field for field in (*GAME_OBJECTS, *FUNCTIONS) if home(GAME, field) != usual.__name__]
    assert len(own) > 20
    for field in (*own, "rules", "components_type"):
        assert getattr(game, field) == getattr(GAME, field), field
    assert [home(game, field) for field in FUNCTIONS] == [home(GAME, field) for field in FUNCTIONS]


@pytest.mark.parametrize(("file", "name"), NEEDED, ids=lambda value: str(value))
def test_what_is_missing_is_named_with_what_it_returns(toy: Toy, file: str, name: str) -> None:
    with pytest.raises(TypeError) as caught:
        toy((file, name))
    message = str(caught.value)
    assert re.search(rf"^toy: .*\b{file.replace('.', '/')}\.py( or \w+\.py)? needs ", message), message
    returns = r"\(.*\) -> .+" if name.islower() else ", of type [A-Za-z]+"
    assert re.search(rf" {name}{returns}; see docs/adding-a-game\.md$", message), message


def test_a_file_that_is_missing_is_named(toy: Toy) -> None:
    with pytest.raises(TypeError, match=r"belief\.py needs the function redeal\(s, seat, rng\) -> None, once it has"):
        toy(*[one for one in THERE if one[0] == "belief"])


def test_what_most_games_say_alike_need_not_be_said(toy: Toy) -> None:
    game = toy(*[(file, name) for file, name in THERE if name not in NEEDS])
    assert (game.inputs, game.parts, game.facts, game.forced) == (None, None, None, None)
    assert (game.options, game.weight_names) == (Options(), ())
    assert not set(NETWORK_KERNELS) & set(game.rules)
    for rule in ("actors", "concealed", "scores", "winners"):
        assert game.rules[rule] is getattr(usual, rule)
    assert game.rules["suggest"].__globals__["legal"] is GAME.rules["legal"]
    assert game.arrange((3, 1)) == [3, 1]
    assert not game.in_move(None)
    assert (game.refusals(None, 0, [1]), game.count_pieces(None), game.named(None, None)) == ([], {}, [])
    assert game.check_options(2, {}) is None  # type: ignore[func-returns-value]
    assert game.check_components(None) is None  # type: ignore[func-returns-value]
    with pytest.raises(NotationError, match="nothing to preview"):
        game.preview(None, 0, [1])
    with pytest.raises(ScenarioError, match="has no scenarios"):
        game.arrange_scenario(None, {}, None)
    with pytest.raises(UnknownPiece, match="no piece of this game"):
        game.about(None, None, 0, "dragon")


def test_usual_readers_go_by_the_rules_of_the_game(toy: Toy) -> None:
    game = toy(*[(file, name) for file, name in THERE if name not in NEEDS | {"actors", "winners"}])
    position = ziggurat.new(GAME.id, players=2, seed=1)
    record = position._read()
    (seat,) = position.actors
    assert game.ask(record, seat) == Phrase("ui.game.turn")
    assert game.ask(record, 1 - seat) is None
    assert game.ask(record, None) is None
    assert game.winners(record) == []
    action = position.legal(seat)[0]
    assert game.write_move(record, [action]) == position.write_step(action)
    assert game.describe(record, seat, [action]) == position.choice(seat, action).words
    both = game.describe(record, seat, [action, action])
    assert both == Phrase("ui.game.steps", {"steps": [position.choice(seat, action).words] * 2})


def test_a_game_that_hides_nothing_needs_no_belief(toy: Toy) -> None:
    game = toy(("belief", "redeal"), ("view", "secrets"))
    assert game.rules["redeal"] is usual.redeal
    assert game.secrets(None) == {}


def test_the_longest_game_may_be_given(toy: Toy) -> None:
    without = ("components", "longest")
    assert toy(without, longest=60).longest_game(None, 2) == 60
    assert toy(without, longest=lambda players: 10 * players).longest_game(None, 3) == 30
    with pytest.raises(TypeError, match="or bind is given longest"):
        toy(without)


def test_what_would_have_to_be_in_the_record_is_said(toy: Toy) -> None:
    state = "import numpy as np\nRECORD = np.dtype([('players', np.int8)])"
    with pytest.raises(
        TypeError, match=r"needs the function actors.*where the record has the fields turn and finished"
    ):
        toy(("state", "RECORD"), ("rules", "actors"), file="state", end=state)


@pytest.mark.parametrize(
    ("file", "end", "message"),
    [
        ("belief", "def redeal(s, seat, rng): ...", r"belief\.py needs the function redeal.*marked with @kernel"),
        ("view", "def secrets(s, seat): ...", r"view\.py has another function than secrets\(s\) -> dict"),
        ("choices", "SPACE = ()", r"choices\.py needs SPACE, of type Space;"),
    ],
)
def test_something_else_of_that_name_is_refused(toy: Toy, file: str, end: str, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        toy(file=file, end=end)


def test_a_file_that_cannot_be_read_is_not_taken_for_a_missing_one(toy: Toy) -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        toy(file="facts", end="import no_such_module")


@pytest.mark.parametrize("name", ziggurat.registered_games())
def test_every_module_with_a_kernel_is_known(name: str) -> None:
    """A kernel that no rule reaches is one that nobody needs."""
    game = ziggurat.game(name)
    files = (path for path in Path(str(game.folder)).glob("*.py") if "\n@kernel\n" in path.read_text(encoding="utf-8"))
    assert {f"ziggurat.games.{name}.{file.stem}" for file in files} <= set(game.kernel_modules)

"""Small searches find what they found before, node by node, in both backings; ten planted changes are all seen."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import pytest
from tests import runs
from tests.example import SEARCHED
from tests.games.trees import CASES, Case, compiled, differences, interpreted, rules_of

import ziggurat
from ziggurat.bots import network, tree

OFTEN = [case for case in CASES if case.game in SEARCHED]
PLANTED = [
    (tree, "math.sqrt(tree.chances[edge]) / (1 + tries)", "math.sqrt(tree.chances[edge]) / (2 + tries)"),
    (tree, "average = tree.sum[node] / tree.visits[node]", "average = 0.5"),
    (tree, "            tree.chances[edge] += 1\n", "            tree.chances[edge] += 2\n"),
    (tree, "doubt = tree.doubt * tree.visits[node]", "doubt = 0 * tree.visits[node]"),
    (tree, "trust = tree.root_trust + (trust", "trust = 0.02 + tree.root_trust + (trust"),
    (tree, "tree.gain[edge] += won", "tree.gain[edge] += won if i > 0 else 0.98 * won"),
    (tree, "sight(s, actor if actor == first else -1, out)", "sight(s, actor, out)"),
    (tree, "left = tree.ahead - 1", "left = tree.ahead"),
    (tree, "won = tree.reward[tree.path_seat[i]]", "won = tree.reward[first]"),
    (tree, "tree.secret = mix(tree.secret, told)", "tree.secret = 0"),
    (tree, "tree.seen[actor] = mix(tree.seen[actor], told)", "pass"),
    (tree, "tree.reward[seat] = tree.thought[seat]", "tree.reward[seat] = tree.likely[seat]"),
    (network, "hidden[k] = own[k] + whole[k]", "hidden[k] = own[k] + 0.9 * whole[k]"),
    (
        network,
        "out.inputs[0] = 1 if activations.actions[i] == guess else 0\n        n =",
        "out.inputs[0] = 1\n        n =",
    ),
    (network, "add_rows(net.choice_others, activations.places, activations.factors, n, context)", "pass"),
]


@pytest.mark.parametrize("case", runs.each(CASES, often=OFTEN, ids=lambda case: f"{case.game}-{case.file.stem}"))
def test_a_search_finds_what_it_found(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = case.file.read_text(encoding="utf-8")
    assert differences(compiled(case), wanted) == [], "python -m tests.games.trees writes the files anew"
    for module, name, rule in rules_of(ziggurat.game(case.game)):
        monkeypatch.setattr(module, name, rule)
    assert differences(interpreted(case), wanted) == []


@pytest.mark.parametrize("case", CASES[:1], ids=lambda case: f"{case.game}-{case.file.stem}")
def test_what_was_left_in_memory_makes_no_difference(case: Case) -> None:
    assert compiled(case, left=77) == compiled(case, left=0)


def changed(module: ModuleType, old: str, new: str) -> dict[str, Any]:
    """The names of a module in which a line is another."""
    source = inspect.getsource(module)
    assert source.count(old) >= 1, old
    names = dict(vars(module))
    exec(compile(source.replace(old, new), module.__file__ or "", "exec"), names)
    return names


@pytest.mark.slow
@pytest.mark.parametrize(("module", "old", "new"), PLANTED, ids=lambda value: value if isinstance(value, str) else "")
@runs.whole
def test_a_planted_change_of_the_search_is_seen(
    module: ModuleType, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = changed(module, old, new)
    seen = []
    for case in CASES:
        given = {name: rule for _, name, rule in rules_of(ziggurat.game(case.game))}
        if module is network:  # the search calls what it has of it
            names.update(given)
            monkeypatch.setattr(tree, "evaluate", names["evaluate"])
            monkeypatch.setattr(tree, "policy", names["policy"])
        for other, name, rule in rules_of(ziggurat.game(case.game)):
            monkeypatch.setattr(other, name, rule)
        if module is tree:
            names.update(given)
            monkeypatch.setattr(tree, "search", names["search"])
        seen += differences(interpreted(case), case.file.read_text(encoding="utf-8"))[:1]
        if seen:
            return
    raise AssertionError("no search differs")

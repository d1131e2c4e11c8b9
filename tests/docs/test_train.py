"""The notebook that trains an agent is kept as it was run, from top to bottom, and asks for what there is."""

from __future__ import annotations

import ast
import re
from typing import Any

import msgspec
from tests.docs.pages import DOCS, ROOT

NOTEBOOK = DOCS / "train.ipynb"
CELLS: list[dict[str, Any]] = msgspec.json.decode(NOTEBOOK.read_bytes())["cells"]
CODE = [cell for cell in CELLS if cell["cell_type"] == "code"]
SOURCE = "\n".join("".join(cell["source"]) for cell in CODE)


def test_it_was_run_in_one_go_without_a_failure() -> None:
    """When this fails: run it anew, `jupyter nbconvert --execute --inplace docs/train.ipynb`."""
    assert [cell["execution_count"] for cell in CODE] == [*range(1, len(CODE) + 1)]
    outputs = [output for cell in CODE for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} <= {"stream", "execute_result", "display_data"}
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)
    assert NOTEBOOK.stat().st_size < 300_000


def test_it_tells_nothing_of_the_machine() -> None:
    assert not re.search(r"/(home|root|tmp|work|Users)/", NOTEBOOK.read_text(encoding="utf-8"))


def test_what_it_asks_of_the_example_is_there() -> None:
    example = ast.parse((ROOT / "examples/pupil.py").read_text(encoding="utf-8"))
    there = {node.name for node in example.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in example.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            there |= {target.id for target in node.targets[0].elts if isinstance(target, ast.Name)}
    asked = {
        node.attr
        for node in ast.walk(ast.parse(SOURCE))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "pupil"
    }
    assert {"train", "evaluate"} <= asked <= there


def test_it_shows_that_the_agent_is_better() -> None:
    said = "".join("".join(output.get("text", "")) for cell in CODE for output in cell["outputs"])
    lows = dict(re.findall(r"against (\w+): .* interval ([\d.]+)% to", said))
    assert {"greedy", "random"} <= lows.keys()
    assert min(map(float, lows.values())) > 50

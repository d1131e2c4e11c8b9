"""What the README shows works as it stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert re.match(r"\[\d+, \d+, \d+\] \[", capsys.readouterr().out)


def links(text: str) -> list[str]:
    return [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_its_links_lead_somewhere(page: str) -> None:
    found = links((ROOT / page).read_text(encoding="utf-8"))
    assert found
    missing = [link for link in found if not (ROOT / link).exists()]
    assert not missing

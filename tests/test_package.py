"""What would be published holds what it should; `scripts/package.py` installs it, too, and tries it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from tests.docs.pages import ROOT, script
from tests.example import EXAMPLE

import ziggurat

PACKAGE = script("package")
WEB = script("web").Web(ROOT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not WEB.is_current():
        pytest.skip("the browser part is not built")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


def test_a_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    PACKAGE.check_wheel(wheel, ROOT)
    names = {*zipfile.ZipFile(wheel).namelist()}
    assert {"ziggurat/py.typed", "ziggurat/server/static/index.html"} <= names
    home = f"ziggurat/games/{EXAMPLE}"
    assert {
        f"{home}/components.toml",
        f"{home}/weights.toml",
        f"{home}/puzzles.xz",
        f"{home}/text/hu.json",
    } <= names
    assert f"ziggurat/docs/games/{EXAMPLE}/rules.hu.md" in names


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda names: {name for name in names if name != "ziggurat/py.typed"}, "missing: ziggurat/py.typed"),
        (lambda names: {*names, "tests/__init__.py"}, "not meant: tests/__init__.py"),
        (lambda names: {name for name in names if "LICENSE" not in name}, "missing in dist-info: licenses/LICENSE"),
    ],
)
def test_a_file_that_is_missing_or_not_meant_is_found(change: object, said: str, wheel: Path, tmp_path: Path) -> None:
    assert callable(change)
    spoilt = tmp_path / wheel.name
    with zipfile.ZipFile(spoilt, "w") as archive:
        for name in change(zipfile.ZipFile(wheel).namelist()):
            archive.writestr(name, "")
    with pytest.raises(PACKAGE.Wrong, match=re.escape(said)):
        PACKAGE.check_wheel(spoilt, ROOT)


def test_its_description_can_be_read_where_our_files_are_not(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
    about = message_from_bytes(archive.read(name))
    text = about.get_payload()
    assert isinstance(text, str)
    assert "# Ziggurat" in text
    assert re.findall(r"\]\((?!https?:)[^)]*\)|!\[", text) == []
    assert about["Description-Content-Type"] == "text/markdown"
    assert about["Version"] == ziggurat.__version__


def test_it_says_which_versions_of_python_it_is_for() -> None:
    """Those that are tried: the lowest is the lowest that installs."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = [int(minor) for minor in re.findall(r'"Programming Language :: Python :: 3\.(\d+)"', text)]
    assert f'requires-python = ">=3.{named[0]}"' in text
    assert named == sorted(named)


def test_every_extra_is_explained() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    assert [extra for extra in extras if f"`{extra}`" not in page] == []

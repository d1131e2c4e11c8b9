"""What would be published holds what it should; `scripts/package.py` installs it, too, and tries it."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from functools import cache
from pathlib import Path

import pytest
from tests import runs
from tests.docs.pages import ROOT, script
from tests.example import EXAMPLE

import ziggurat
from ziggurat.core import trial
from ziggurat.server import serve
from ziggurat.server.services.newer import newest
from ziggurat.server.store import migrate

PACKAGE = script("package")
RELEASE = script("release")
WEB = script("web").Web(ROOT)
NAME = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"]
REGISTRY_HOSTS = ("pypi.", "pythonhosted.", "npmjs.", "deb.debian.")
REGISTRY = re.compile(r"\bpypi\.org|pythonhosted\.org|\bnpmjs\.(?:org|com)|\bdeb\.debian\.org")
# On the package index `ziggurat` is somebody else's: it is never what is installed, nor what an installation is called.
NOT_OURS = re.compile(
    r"(?<![\w.-])ziggurat\\?\["  # with extras
    r"|\b(?:pip3?|pipx|uv|uvx|conda|poetry)(?: \S+)*? \\?[\"']?ziggurat(?:[=<>~!@][^\s`]*)?\\?[\"']?(?=[\s`),;.]|$)"
    r"|\b(?:version|metadata|requires|distribution)\([\"']ziggurat[\"']\)\[?"
    r"|dist/ziggurat-"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not WEB.is_current():
        pytest.skip("the browser part is not built")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


@runs.whole
def test_a_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    PACKAGE.check_wheel(wheel, ROOT)
    names = {*zipfile.ZipFile(wheel).namelist()}
    assert {"ziggurat/py.typed", "ziggurat/server/static/index.html"} <= names
    home = f"ziggurat/games/{EXAMPLE}"
    assert {f"{home}/components.toml", f"{home}/weights.toml", f"{home}/puzzles.xz", f"{home}/text/hu.json"} <= names
    assert f"ziggurat/docs/games/{EXAMPLE}/rules.hu.md" in names


@runs.whole
def test_a_file_that_is_missing_or_not_meant_is_found(wheel: Path, tmp_path: Path) -> None:
    names = {*zipfile.ZipFile(wheel).namelist()}
    spoilt = tmp_path / wheel.name
    for inside, said in (
        (names - {"ziggurat/py.typed"}, "missing: ziggurat/py.typed"),
        (names | {"tests/__init__.py"}, "not meant: tests/__init__.py"),
        ({name for name in names if "LICENSE" not in name}, "missing in dist-info: licenses/LICENSE"),
    ):
        with zipfile.ZipFile(spoilt, "w") as archive:
            for name in inside:
                archive.writestr(name, "")
        with pytest.raises(PACKAGE.Wrong, match=re.escape(said)):
            PACKAGE.check_wheel(spoilt, ROOT)


@runs.whole
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


INSIDE = (
    "numba.core",
    "numba.np",
    "numba.cpython",
    "llvmlite",
    "uvicorn.protocols",
    "websockets.frames",
    "websockets.utils",
)
"""Parts of other packages that their authors change without a word, besides those whose names begin with `_`."""


MAY_BE_INSIDE = re.compile(rf"^ *(from|import) .*(\._|\b({'|'.join(map(re.escape, INSIDE))}))", re.MULTILINE)
"""What a file has that is worth reading as a program: few have it."""


def private_parts() -> set[str]:
    """The packages of which the program uses such parts."""
    found = set()
    for file in (ROOT / "src").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if MAY_BE_INSIDE.search(text) else ():
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for module in modules:
                if module.startswith(INSIDE) or any(part.startswith("_") for part in module.split(".")[1:]):
                    found.add(module.partition(".")[0])
    return found - {"ziggurat", "llvmlite"}  # llvmlite comes with numba, and of its version


def test_what_we_use_private_parts_of_has_an_upper_bound() -> None:
    """A new release of theirs would break ours that day: whoever installs with pip reads no constraints."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    bounded = {re.split(r"[^\w-]", one)[0] for one in wanted if re.search(r",<[\d.]+$", one)}
    assert {"numba", "uvicorn", "websockets", "h11"} <= private_parts()
    assert private_parts() <= bounded
    assert {trial.KNOWN, *serve.PACKAGES} <= set(wanted), "what people are told to install instead"


def test_every_extra_is_explained() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    assert [extra for extra in extras if f"`{extra}`" not in page] == []


@cache
def ours() -> dict[str, str]:
    """Every text of the repository, by its place."""
    texts = {}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for place in listed.split("\0"):
        path = ROOT / place
        if place and path.is_file() and place != "tests/test_package.py":
            try:
                texts[place] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
    return texts


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="not a checkout")
def test_no_text_sends_anybody_to_a_name_that_is_not_ours() -> None:
    texts = ours()
    assert len(texts) > 500
    # The folder of a package, which is found by its import name.
    allowed = {'files("ziggurat")'}
    found = {
        (place, name)
        for place, text in texts.items()
        for line in text.splitlines()
        if "ziggurat" in line
        for name in NOT_OURS.findall(line)
    }
    assert {(place, name) for place, name in found if name not in allowed} == set()
    assert sum(f"{NAME}[" in text for text in texts.values()) > 10


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="not a checkout")
def test_no_text_has_the_address_of_a_registry() -> None:
    """Everybody has their own, of which the installers know."""
    # A text is searched ten times as fast for words as for a pattern.
    likely = [place for place, text in ours().items() if any(host in text for host in REGISTRY_HOSTS)]
    assert [place for place in likely if REGISTRY.search((ROOT / place).read_text(encoding="utf-8"))] == []
    for host in ("https://py" + "pi.org/project/x", "registry.npm" + "js.org", "files.python" + "hosted.org"):
        assert REGISTRY.search(f"see {host}.")
        assert any(one in host for one in REGISTRY_HOSTS)


def test_a_name_that_is_not_ours_is_found() -> None:
    for text, found in (
        ("pip install 'ziggurat[lab]'", True),
        ('`pip install \\"ziggurat[train,lab]\\"`', True),
        ("Run `pip install ziggurat`.", True),
        ("pip install --no-index --find-links files ziggurat", True),
        ("uvx ziggurat serve", True),
        ("pipx install ziggurat==0.2.0", True),
        ('metadata("ziggurat")', True),
        (f"pip install '{NAME}[lab]'", False),
        (f"pip install {NAME}", False),
        ("pip install .", False),
        ("git clone somewhere/ziggurat && pip install ziggurat/", False),
        ("ziggurat serve", False),
    ):
        assert bool(NOT_OURS.search(text)) is found, text


@runs.whole
def test_what_is_imported_and_typed_keeps_its_name(wheel: Path) -> None:
    assert wheel.name.startswith(f"{NAME.replace('-', '_')}-{ziggurat.__version__}-")
    archive = zipfile.ZipFile(wheel)
    [place] = [name for name in archive.namelist() if name.endswith("/entry_points.txt")]
    assert "ziggurat = ziggurat.cli:main" in archive.read(place).decode()
    [place] = [name for name in archive.namelist() if name.endswith("/METADATA")]
    assert message_from_bytes(archive.read(place))["Name"] == NAME == script("installed").DISTRIBUTION


class TestNodeToBuildWith:
    """`scripts/package.py` builds in an environment of its own, to which a Node.js of this Python is of no use."""

    @pytest.fixture
    def tree(self, tmp_path: Path) -> Path:
        (tmp_path / "web").mkdir()
        (tmp_path / "web/package.json").write_text("{}")
        return tmp_path

    def test_it_is_fetched_where_none_is_on_path(self, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tree))
        assert PACKAGE.node_to_build(tree) == [PACKAGE.web.NODE_FROM_PYPI]

    def test_one_that_is_too_old_does_not_help(self, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("node", "npm"):
            program = tree / name
            program.write_text("#!/bin/sh\necho v18.19.0\n")
            program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tree), prepend=":")
        assert PACKAGE.node_to_build(tree) == [PACKAGE.web.NODE_FROM_PYPI]
        (tree / "node").write_text("#!/bin/sh\necho v22.12.0\n")
        assert PACKAGE.node_to_build(tree) == []

    def test_what_is_built_needs_none(self, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tree))
        (tree / "web/package.json").unlink()
        assert PACKAGE.node_to_build(tree) == []


class TestReleasePage:
    """`scripts/release.py` writes it."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        for end in ("-py3-none-any.whl", ".tar.gz"):
            (tmp_path / f"ziggurat_games-{ziggurat.__version__}{end}").write_bytes(end.encode())
        return tmp_path

    @pytest.fixture
    def tree(self, tmp_path: Path) -> Path:
        root = tmp_path / "tree"
        schema = max((ROOT / "src/ziggurat/server/store/migrations/versions").glob("v*.py"))
        for place in ("src/ziggurat/version.py", schema.relative_to(ROOT)):
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / place, root / place)
        (root / "CHANGELOG.md").write_text(
            f"# What changed\n\n## Unreleased\n\n## {ziggurat.__version__} - 2026-12-01\n\n### Added\n\n"
            "* A thing, and\n  more. ([Here](docs/a.md), [there](docs/b.md#c))\n\n## 0.0.1 - 2026-01-01\n\n* Old.\n"
        )
        return root

    def test_it_says_what_a_reader_needs(self, folder: Path, tree: Path) -> None:
        page = RELEASE.page(folder, tree)
        assert f"# Ziggurat {ziggurat.__version__}\n\n2026-12-01" in page
        assert f"pip install '{NAME}'" in page
        assert "* A thing, and\n  more.\n" in page
        assert "Old." not in page
        assert "](docs/" not in page
        assert f"schema {migrate.HEAD}" in page
        assert hashlib.sha256(b".tar.gz").hexdigest() in page

    def test_what_newer_servers_are_told_is_what_they_read(self, folder: Path) -> None:
        told = json.dumps({"version": RELEASE.version()}).encode()
        assert newest(told) == ziggurat.__version__

    def test_nothing_is_released_with_changes_that_have_no_version(self, folder: Path, tree: Path) -> None:
        text = (tree / "CHANGELOG.md").read_text()
        (tree / "CHANGELOG.md").write_text(text.replace("## Unreleased\n", "## Unreleased\n\n* Something.\n"))
        with pytest.raises(RELEASE.Wrong, match="Unreleased"):
            RELEASE.page(folder, tree)
        (tree / "CHANGELOG.md").write_text("# What changed\n\n## Unreleased\n")
        with pytest.raises(RELEASE.Wrong, match="has no section"):
            RELEASE.page(folder, tree)

    def test_files_of_another_version_are_not_released(self, folder: Path, tree: Path) -> None:
        next(folder.glob("*.whl")).unlink()
        with pytest.raises(RELEASE.Wrong, match=r"has no ziggurat_games-.*\.whl"):
            RELEASE.page(folder, tree)

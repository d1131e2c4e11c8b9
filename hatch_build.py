"""Hooks of the package: the browser part, compiled from `web/`, goes into it, and README.md becomes its description.

The first runs for wheels, source distributions and editable installs. It does nothing when `web/` is as it was at the
last build, and asks for PyPI's Node.js only when there is something to build and no new enough Node.js on PATH.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

if TYPE_CHECKING:
    import web
else:
    # A build starts in its own environment, where this folder is not on the import path.
    spec = importlib.util.spec_from_file_location("ziggurat_web_build", Path(__file__).parent / "scripts/web.py")
    web = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(web)


class WebBuildHook(BuildHookInterface[Any]):
    """Hatchling finds this class by its base."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs beyond hatchling, decided before it begins."""
        needs_node = not web.Web(Path(self.root)).is_current() and web.find_node() is None
        return [web.NODE_FROM_PYPI] if needs_node else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the browser part before hatchling collects the files. `version`: "standard" or "editable"."""
        source = web.Web(Path(self.root))
        if not source.is_current():
            node = web.find_node()
            if node is None:  # only without build isolation
                raise RuntimeError(f"building web/ needs Node.js: pip install '{web.NODE_FROM_PYPI}'")
            source.build(node, lambda line: print(line, file=sys.stderr))
        if version == "standard" and self.target_name == "wheel":
            # The server shows the rules; in a source tree it reads them where they are written.
            for page in Path(self.root, "docs/games").glob("*/rules.*.md"):
                build_data["force_include"][str(page)] = f"ziggurat/docs/games/{page.parent.name}/{page.name}"


def description(readme: str) -> str:
    """README.md where the files are not that it shows and links to: what stands in a link stays, pictures go."""
    without_pictures = re.sub(r"^!\[[^]]*\]\([^)]*\)\n\n?", "", readme, flags=re.MULTILINE)
    return re.sub(r"\[([^]]*)\]\((?![a-z]+:)[^)]*\)", r"\1", without_pictures)


class Description(MetadataHookInterface):
    """Hatchling finds this class by its base."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add what `pyproject.toml` calls dynamic."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": description(readme)}

"""How Sphinx builds the site; see scripts/site.py. Colours and fonts are those of the page, read from its own files."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

import ziggurat  # noqa: E402

project = "Ziggurat"
author = "The Ziggurat authors"
project_copyright = "the Ziggurat authors, MIT licence"
version = release = ziggurat.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["**/*.html"]
highlight_language = "none"

# Markdown as it is on the pages: links to headings, tables, code in fences.
myst_heading_anchors = 3
# And what is cut short with an ellipsis is no JSON to the highlighter.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
# A notebook is shown with what it printed when it was run last; nothing of it is fetched from elsewhere.
nb_execution_mode = "off"
nb_ipywidgets_js: dict[str, dict[str, str]] = {}

autodoc_member_order = "bysource"
autodoc_inherit_docstrings = False
# What an extra brings is large: its names are enough to tell what is built on them.
autodoc_mock_imports = [name for name in ("ray", "stable_baselines3", "torch") if find_spec(name) is None]
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
napoleon_use_ivar = True
napoleon_use_rtype = False
napoleon_numpy_docstring = False


def tokens(selector: str) -> dict[str, str]:
    """The colours that the page gives to a theme."""
    text = (ROOT / "web/src/styles/tokens.css").read_text(encoding="utf-8")
    block = text.split(f"{selector} {{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): ([^;]+);", block))


def variables(selector: str) -> dict[str, str]:
    """Those that the theme of the site asks for."""
    of = tokens(selector)
    return {
        "color-background-primary": of["paper"],
        "color-background-secondary": of["ground"],
        "color-background-hover": of["paper-2"],
        "color-background-hover--transparent": "transparent",
        "color-background-border": of["line"],
        "color-background-item": of["paper-2"],
        "color-foreground-primary": of["ink"],
        "color-foreground-secondary": of["ink-soft"],
        "color-foreground-muted": of["ink-soft"],
        "color-foreground-border": of["line-strong"],
        "color-announcement-background": of["accent"],
        "color-announcement-text": of["accent-ink"],
        "color-brand-primary": of["accent"],
        "color-brand-content": of["accent"],
        "color-brand-visited": of["accent"],
        "color-highlight-on-target": of["accent-wash"],
        "color-highlighted-background": of["accent-wash"],
        "color-api-background": of["paper-2"],
        "color-api-background-hover": of["accent-wash"],
        "color-api-overall": of["ink-soft"],
        "color-api-name": of["accent"],
        "color-api-pre-name": of["ink-soft"],
        "color-inline-code-background": of["paper-2"],
        "color-card-background": of["paper-2"],
        "color-card-border": of["line"],
        "color-table-header-background": of["paper-2"],
        "color-table-border": of["line"],
        "color-sidebar-link-text--top-level": of["accent"],
        "color-code-background": of["paper-2"],
        "color-code-foreground": of["ink"],
        "color-focus": of["focus"],
    }


html_theme = "furo"
html_title = "Ziggurat"
html_static_path = ["static", str(ROOT / "web/art")]
html_css_files = ["site.css"]
html_favicon = str(ROOT / "web/public/favicon.svg")
html_copy_source = False
html_domain_indices = False  # the pages of the interface are by module
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "font-stack": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
        "font-stack--headings": "Alegreya, 'Iowan Old Style', 'Palatino Linotype', Georgia, serif",
        **variables(":root"),
    },
    "dark_css_variables": variables(":root[data-theme='dark']"),
    "light_logo": "icon.svg",
    "dark_logo": "icon.svg",
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def reads_well(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """What the theme leaves out for whoever has the page read aloud, or has no mouse, or reads it on a phone."""
    if language := Path(pagename).suffix[1:]:  # rules.hu
        context["language"] = language
    body = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    context["body"] = body.replace('<span class="pre">--', '<span class="pre whole">--')
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Any) -> None:
    """Sphinx calls this."""
    app.connect("html-page-context", reads_well, priority=900)  # after the theme

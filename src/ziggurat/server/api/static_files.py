"""Static files of the built web part, or a page that says how to build it."""

from __future__ import annotations

from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any

from litestar import MediaType, Response

from ziggurat.core.languages import LANGUAGES
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import spoken
from ziggurat.server.problems import Problem
from ziggurat.server.services.standby import Standby
from ziggurat.server.settings import Settings
from ziggurat.server.words import words

NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Ziggurat</title>
<h1>The web part is not built</h1>
<p>The server runs and answers under <code>/api</code>, but this installation has no web pages.
Run <code>./play</code> in the source folder, which builds them, or install with <code>pip install .</code>.</p>
</html>
"""
# File names with a hash of their content never change what they hold.
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
SERVER_PATHS = ("/api/", "/schema/")
# What the system thinks of such names differs from one to the next.
MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
# What browsers ask for that have read no page of ours yet.
PATH_ALIASES = {"/favicon.ico": "/icon-192.png"}
# Written next to each text when the web part is built (web/scripts/compress.mjs); the smallest first.
ENCODINGS = {"br": ".br", "gzip": ".gz"}


BODY_TAG = b'<body translate="no">'
"""Where the page's own content begins."""


def is_page(path: str) -> bool:
    """Whether a path belongs to the web part and not to the API."""
    return not f"{path}/".startswith(SERVER_PATHS)


def is_document(path: str) -> bool:
    """Whether a path is answered with the page itself, and not with one of its files."""
    return is_page(path) and Path(path).suffix in ("", ".html") and not _is_dotted(path)


def _is_dotted(path: str) -> bool:
    """Whether a path has a segment that begins with a dot, or goes up; no file of ours does."""
    return any(part.startswith(".") for part in path.split("/"))


def _inside(folder: Path, path: str) -> Path | None:
    """Return the file of a path, if it lies in the folder."""
    if "\0" in path or "\\" in path or _is_dotted(path):
        return None
    try:
        file = (folder / path.lstrip("/")).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except OSError:  # a name that is longer than any file's
        return None


def accepted(header: str) -> list[str]:
    """Return our encodings that an Accept-Encoding header allows, its favourite first (RFC 9110, 12.5.3)."""
    weights: dict[str, float] = {}
    for part in header.split(","):
        coding, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = next((value for name in parameters if (value := name.removeprefix("q=")) != name), "1")
        try:
            weights[coding] = float(weight)
        except ValueError:
            weights[coding] = 0.0
    plain = weights.get("identity", 0.0)
    liked = {coding: weights.get(coding, weights.get("*", 0.0)) for coding in ENCODINGS}
    return sorted((one for one in ENCODINGS if liked[one] > 0 and liked[one] >= plain), key=lambda one: -liked[one])


def _knows(request: AnyRequest, tag: str) -> bool:
    """Whether a browser has the current version, by its If-None-Match header."""
    known = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    return tag in known or "*" in known


def _said(request: AnyRequest, file: Path, cache: str) -> Response[Any]:
    """Return a file in the smallest encoding that the browser accepts, and in its language."""
    headers = {"cache-control": cache}
    file, has_languages = _in_language(file, spoken(request)) if cache == ASK_AGAIN else (file, False)
    forms = {coding: form for coding, end in ENCODINGS.items() if (form := file.with_name(file.name + end)).is_file()}
    varies = [name for name, does in {"accept-encoding": forms, "accept-language": has_languages}.items() if does]
    if varies:
        headers["vary"] = ", ".join(varies)
    coding = next((one for one in accepted(request.headers.get("accept-encoding", "")) if one in forms), None)
    if coding:
        headers["content-encoding"] = coding
    content = (forms[coding] if coding else file).read_bytes()
    # Of the content, since a package may give every file the same date; so each form has its own.
    headers["etag"] = tag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
    if _knows(request, tag):
        headers.pop("content-encoding", None)
        return Response(None, status_code=304, headers=headers)
    return Response(content, media_type=MEDIA_TYPES.get(file.suffix, "application/octet-stream"), headers=headers)


def banner(language: str) -> bytes:
    """Return the banner above every page of a restored copy.

    One line, which opens: a low window has no height to give away.
    """
    say = words(language)
    style = "padding:0 12px;font-size:13px;line-height:1.3;text-align:center;color:#fff;background:#8a1c1c"
    line = f'<summary style="padding:4px 0"><b>{escape(say("quiet.copy_short"))}</b></summary>'
    said = f"<p>{escape(say('quiet.copy'))}</p>"
    return f'<aside lang="{language}" style="{style}"><details>{line}{said}</details></aside>'.encode()


def _in_language(file: Path, language: str) -> tuple[Path, bool]:
    """Return a file in a language, `index.de.html`, where there are such beside it (web/scripts/pages.mjs), and whether
    there are: before a page has its words, a browser has said no more than what it accepts."""
    there = [file.with_suffix(f".{one}{file.suffix}") for one in LANGUAGES[1:]]
    own = next((one for one in there if one.suffixes[-2] == f".{language}" and one.is_file()), file)
    return own, any(one.is_file() for one in there)


def _with_banner(request: AnyRequest, index: Path) -> Response[Any]:
    content = index.read_bytes().replace(BODY_TAG, BODY_TAG + banner(spoken(request)), 1)
    tag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
    headers = {"cache-control": ASK_AGAIN, "etag": tag, "vary": "accept-language"}
    if _knows(request, tag):
        return Response(None, status_code=304, headers=headers)
    return Response(content, media_type=MEDIA_TYPES[".html"], headers=headers)


def page(request: AnyRequest, settings: Settings, standby: Standby) -> Response[Any]:
    """Return a file of the web part; a path that names no file is a route of the page, so it gets the page itself.

    Programs ask every host for files such as `/llms.txt`; a page in their place would only mislead them.
    """
    path = request.scope["path"]
    file = _inside(settings.static, PATH_ALIASES.get(path, path))
    if file is None and not is_document(path):
        raise Problem(404, "not_found", f"There is nothing at {path[:200]}.", path=path[:200])
    if file is not None and file.name != "index.html":
        return _said(request, file, FOR_EVER if path.startswith("/assets/") else ASK_AGAIN)
    index = settings.static / "index.html"
    if not index.is_file():
        return Response(NOT_BUILT, media_type=MediaType.HTML, headers={"cache-control": "no-store"}, status_code=503)
    return (
        _with_banner(request, _in_language(index, spoken(request))[0])
        if standby.on
        else _said(request, index, ASK_AGAIN)
    )

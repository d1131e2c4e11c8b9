"""The built web part, or a page that says how to build it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response
from litestar.response import File

from ziggurat.server.problems import Problem
from ziggurat.server.settings import Settings

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


def is_page(path: str) -> bool:
    """Whether a path belongs to the browser's part and not to the API."""
    return not f"{path}/".startswith(SERVER_PATHS)


def _inside(folder: Path, path: str) -> Path | None:
    """Return the file that a path names, if it lies in the folder."""
    if "\0" in path or "\\" in path:
        return None
    try:
        file = (folder / path.lstrip("/")).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except OSError:  # a name that is longer than any file's
        return None


def page(request: Request[Any, Any, Any], settings: Settings) -> Response[Any]:
    """Return a file of the web part; any other path is a place inside it, so it gets the one page there is."""
    path = request.scope["path"]
    file = _inside(settings.static, path)
    if file is None and Path(path).suffix and path.startswith("/assets/"):
        raise Problem(404, "not_found", f"There is nothing at {path[:200]}.", path=path[:200])
    if file is not None and file.name != "index.html":
        cache = FOR_EVER if path.startswith("/assets/") else ASK_AGAIN
        return File(file, content_disposition_type="inline", filename=file.name, headers={"cache-control": cache})
    index = settings.static / "index.html"
    if not index.is_file():
        return Response(NOT_BUILT, media_type=MediaType.HTML, headers={"cache-control": "no-store"}, status_code=503)
    return Response(index.read_bytes(), media_type=MediaType.HTML, headers={"cache-control": ASK_AGAIN})

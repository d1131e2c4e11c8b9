"""Error handlers: every exception becomes a problem document."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from litestar import Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)

from ziggurat.core.errors import ZigguratError
from ziggurat.server.api.parts import part
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.static_files import is_page, page
from ziggurat.server.counters import STORAGE_CODE, counters
from ziggurat.server.problems import RETRY_KEY, Problem, by_the_rules, unexpected
from ziggurat.server.services.search_pool import SearchProcessLost
from ziggurat.server.store.trouble import is_away, is_of_values


def _answer(problem: Problem, headers: dict[str, str] | None = None) -> Response[Any]:
    counters.refused(problem.status, problem.code)
    return Response(
        problem.document(),
        status_code=problem.status,
        media_type="application/problem+json",
        headers={**(headers or {}), **problem.headers},
    )


def on_problem(_: AnyRequest, error: Problem) -> Response[Any]:
    """Answer a refusal of ours with its problem document."""
    return _answer(error)


def on_ziggurat_error(_: AnyRequest, error: ZigguratError) -> Response[Any]:
    """Answer a refusal by the rules: something does not exist or is not allowed."""
    return _answer(by_the_rules(error))


def _wrong(extra: Any) -> str:
    """Return the validation error of a body or a parameter: what is wrong, and where."""
    if not isinstance(extra, list):
        return ""
    parts = [f"{item.get('key') or 'body'}: {item.get('message', '')}" for item in extra if isinstance(item, dict)]
    return "; ".join(parts)


def on_http_error(request: AnyRequest, error: HTTPException) -> Response[Any]:
    """Answer a refusal by Litestar."""
    headers = dict(error.headers or {})
    path, method = request.scope["path"][:200], request.method
    hidden = request.scope["path"].startswith("/api/host") and isinstance(error, MethodNotAllowedException)
    if isinstance(error, NotFoundException) or hidden:
        headers.clear()  # what is there for hosts alone does not say what it takes
        problem = Problem(404, "not_found", f"There is nothing at {path}.", path=path)
    elif isinstance(error, MethodNotAllowedException):
        allowed = headers.get("allow") or headers.get("Allow", "")
        says = f"; use {allowed}" if allowed else ""
        problem = Problem(
            405, "method_not_allowed", f"{path} does not take {method}{says}.", method=method, allowed=allowed
        )
    elif error.status_code == 413:
        problem = Problem(413, "too_large", "This request is larger than any that could be meant.")
    elif isinstance(error, ValidationException):
        problem = Problem(400, "bad_request", f"This request is not understood: {_wrong(error.extra) or error.detail}.")
    elif isinstance(error, ClientException):
        cause = error.__cause__ or error
        problem = Problem(error.status_code, "bad_request", f"This request is not understood: {cause}.")
    else:
        problem = unexpected(error)
    return _answer(problem, headers)


def on_no_text(_: AnyRequest, _error: UnicodeDecodeError) -> Response[Any]:
    """Answer a body or a parameter that is not UTF-8."""
    return _answer(Problem(400, "bad_request", "This request is not understood: it is not UTF-8."))


def trouble(error: Exception) -> Problem:
    """Return the answer to an unexpected exception: the database is locked, full or gone, or we have a bug."""
    if isinstance(error, SearchProcessLost):  # which is an outage, too
        return Problem(503, "busy", "No process can think about this at the moment; try again.", **{RETRY_KEY: 5})
    if is_of_values(error):
        return Problem(400, "bad_request", "This request is not understood: it holds what cannot be stored.")
    if not is_away(error):  # an outage is one line in the log, and not one for everybody who meets it
        ours = unexpected(error)
        if not isinstance(error, sa.exc.DBAPIError):
            return ours
    says = "The database cannot be used at the moment; nothing was changed. Try again."
    return Problem(503, STORAGE_CODE, says, **{RETRY_KEY: 5})


def on_anything(_: AnyRequest, error: Exception) -> Response[Any]:
    """Answer any other exception, which is a bug of ours."""
    return _answer(trouble(error))


def page_or_not_found(request: AnyRequest, error: NotFoundException) -> Response[Any]:
    """Answer an unknown path: with the page, unless the path belongs to the API."""
    if request.method in ("GET", "HEAD") and is_page(request.scope["path"]):
        try:
            return page(request, part(request, "settings"), part(request, "standby"))
        except Problem as problem:
            return _answer(problem)
    return on_http_error(request, error)

"""Strict reading of a request body: declared as JSON, with values of exactly the right types."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import InternalServerException

from ziggurat.server.api.endpoints import declared, must_be_short, must_say_so_short
from ziggurat.server.problems import Problem

AnyRequest = Request[Any, Any, Any]


class StrictJsonRequest(AnyRequest):
    """A request whose body is parsed into the struct that its handler takes.

    Litestar would read it loosely, a text of digits as a number. A page of another site can send only bodies that do
    not say that they are JSON without asking first.
    """

    async def body(self) -> bytes:
        """Return the body; refuse one that is longer than any endpoint takes, and a request whose sender disconnects
        before it is complete: that is no bug of ours."""
        most = declared(self.route_handler).body
        must_say_so_short(self, most)
        try:
            found = await super().body()
            must_be_short(len(found), most)
            return found
        except InternalServerException:
            raise Problem(400, "bad_request", "This request is not understood: it ended before its body.") from None

    async def json(self) -> Any:
        """Return the body parsed into the handler's struct."""
        kind = self.headers.get("content-type", "")
        if kind.partition(";")[0].strip().lower() != "application/json":
            raise Problem(
                415,
                "bad_content_type",
                f"Send JSON and say so: Content-Type: application/json, not {kind[:80] or 'none'!r}.",
            )
        field = self.route_handler.parsed_data_field
        try:
            return msgspec.json.decode(await self.body(), type=field.annotation if field else Any)
        except RecursionError:
            raise Problem(400, "bad_request", "This request is not understood: it is nested too deeply.") from None
        except msgspec.DecodeError as error:
            raise Problem(400, "bad_request", f"This request is not understood: {error}.") from None

"""`/api/tables/{id}/reports` and `/api/names/reports`: report a line of the talk, or a name, to the operators."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat.server.api.endpoints import SMALL_BODY, Endpoint
from ziggurat.server.api.guard import INVITED, PERSON, asker, asker_or_none
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import Handle
from ziggurat.server.features.talk.rules import Concern
from ziggurat.server.features.talk.service import TalkService
from ziggurat.server.problems import Problem
from ziggurat.server.services.acquaintances import Acquaintances


class LineReport(msgspec.Struct, forbid_unknown_fields=True):
    """A report of a line, by its number (`SaidLine.at`), and the reason; `block`: its speaker is blocked, too."""

    line: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    about: Concern = "other"
    block: bool = False


@post(
    "/api/tables/{table_id:str}/reports",
    status_code=204,
    summary="Report what somebody has said",
    endpoint=Endpoint(INVITED, rates=("reports",), body=SMALL_BODY, rows=("reports", "report_lines", "blocks")),
)
async def report_line(
    request: AnyRequest,
    talk_service: NamedDependency[TalkService],
    table_id: FromPath[str],
    data: JSONBody[LineReport],
) -> None:
    """Report a line, with those around it, to the operators. Repeating it changes nothing."""
    person = asker_or_none(request)
    if person is None:
        raise Problem(409, "name_first", "Say what you are called before you report a line.")
    await talk_service.report(table_id, data.line, person.id, data.about, data.block)


class NameReport(msgspec.Struct, forbid_unknown_fields=True):
    """A report of a person's name."""

    person: Handle


@post(
    "/api/names/reports",
    status_code=204,
    summary="Report a name",
    endpoint=Endpoint(PERSON, rates=("reports",), body=SMALL_BODY, rows=("reports",)),
)
async def report_name(
    request: AnyRequest,
    talk_service: NamedDependency[TalkService],
    acquaintances: NamedDependency[Acquaintances],
    data: JSONBody[NameReport],
) -> None:
    """Report the name that a person had at the last table with the asker. Repeating it changes nothing."""
    me = asker(request)
    other = (await acquaintances.find(me.id, [data.person]))[data.person]
    await talk_service.report_name(me.id, other.person)


ROUTES = (report_line, report_name)

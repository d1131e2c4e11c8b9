"""The messages of the talk, on the socket of a table."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ziggurat.server.features.talk.lines import TalkAnswer
from ziggurat.server.features.talk.relay import lines_for
from ziggurat.server.features.talk.rules import LINES_PER_PAGE, Saying
from ziggurat.server.features.talk.service import TalkService
from ziggurat.server.live.messages import Ack, Asked, Id, SocketMessage

SAY_SECONDS = 0.003
"""Of an address's share of the time, for what is said, and for what asks what was: all workers and sockets of the table
are told."""


class Say(msgspec.Struct, tag="say", forbid_unknown_fields=True):
    """Say a ready phrase, or a text, to those who hear me. The same `id` again is the same line again."""

    id: Id
    phrase: Saying | None = None
    text: str = ""
    """As long as a message may be: the answer says how long a line may be."""


class AskTalk(msgspec.Struct, tag="talk", forbid_unknown_fields=True):
    """What was said last, or before the line `before`?"""

    id: Id
    before: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None
    most: Annotated[int, msgspec.Meta(ge=1, le=LINES_PER_PAGE)] = LINES_PER_PAGE


async def say(asked: Asked, message: Say) -> Ack:
    """Say a line."""
    talk: TalkService = asked.parts["talk_service"]
    there = asked.connection
    await talk.say(there.table, there.owner, there.person, asked.who.address, message.id, message.phrase, message.text)
    table = await talk.table_service.get(there.table)
    return Ack(message.id, table.seq)


async def tell_page(asked: Asked, message: AskTalk) -> TalkAnswer:
    """Return the last lines, or those before a line."""
    talk: TalkService = asked.parts["talk_service"]
    id, person = asked.connection.table, asked.connection.owner
    lines = await talk.page(id, person, message.before, message.most)
    return TalkAnswer(message.id, lines_for(id, person, lines), len(lines) == message.most)


MESSAGES = {
    Say: SocketMessage("anyone", rows=("said",), seconds=SAY_SECONDS, answer=say),
    AskTalk: SocketMessage("anyone", seconds=SAY_SECONDS, answer=tell_page),
}

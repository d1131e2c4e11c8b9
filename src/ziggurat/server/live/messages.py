"""The messages of the socket."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from ziggurat.bots import Advice
from ziggurat.core.decision import About, Decision, Preview
from ziggurat.server.api.schemas import Pieces, Steps, TableInfo
from ziggurat.server.domain.table import Sent
from ziggurat.server.live.delta import Changes

Id = Annotated[str, msgspec.Meta(pattern=r"^[!-~]{1,64}$(?!\n)")]
Seq = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class Hello(msgspec.Struct, tag="hello", forbid_unknown_fields=True):
    """The first message: what the client has seen already."""

    since: Seq | None = None


class MoveCommand(msgspec.Struct, tag="move", forbid_unknown_fields=True):
    """A whole move, chosen at `seq`. The same `id` again is the same move again: a client makes its ids at random."""

    id: Id
    seq: Seq
    steps: Annotated[Steps, msgspec.Meta(min_length=1)]


class AskPreview(msgspec.Struct, tag="preview", forbid_unknown_fields=True):
    """What would an unfinished move do?"""

    id: Id
    seq: Seq
    steps: Steps


class AskAbout(msgspec.Struct, tag="about", forbid_unknown_fields=True):
    """What are these pieces, and what are they worth to me?"""

    id: Id
    pieces: Pieces


class AskUndo(msgspec.Struct, tag="undo", forbid_unknown_fields=True):
    """Take my last move back."""

    id: Id


class AnswerUndo(msgspec.Struct, tag="undo_answer", forbid_unknown_fields=True):
    """Agree, or not, to another player's undo."""

    id: Id
    agree: bool


class AgreeToSubstitute(msgspec.Struct, tag="stand_in", forbid_unknown_fields=True):
    """Agree that a bot plays for a seat whose owner is gone; who says it first suggests it."""

    id: Id
    seat: Annotated[int, msgspec.Meta(ge=0, le=15)]  # what is no seat of the table gets a better answer there


class AskPause(msgspec.Struct, tag="ask_pause", forbid_unknown_fields=True):
    """Let us pause for so many seconds."""

    id: Id
    seconds: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class AskEnd(msgspec.Struct, tag="ask_end", forbid_unknown_fields=True):
    """Let us end this game as it is."""

    id: Id


class AnswerVote(msgspec.Struct, tag="vote", forbid_unknown_fields=True):
    """Agree, or not, to what the people are asked."""

    id: Id
    agree: bool


class Resume(msgspec.Struct, tag="resume", forbid_unknown_fields=True):
    """End the pause."""

    id: Id


class Back(msgspec.Struct, tag="back", forbid_unknown_fields=True):
    """Let me play again instead of the bot."""

    id: Id


class Vacation(msgspec.Struct, tag="vacation", forbid_unknown_fields=True):
    """Take so many days off from now on; 0: I am back."""

    id: Id
    days: Annotated[int, msgspec.Meta(ge=0, le=366)]


class AskHint(msgspec.Struct, tag="hint", forbid_unknown_fields=True):
    """What would a Master do?"""

    id: Id
    seq: Seq


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """Is anybody there?"""


class PageVisible(msgspec.Struct, tag="seen", forbid_unknown_fields=True):
    """Is the page visible? It is, until it says otherwise."""

    seen: bool


TableCommand = (
    MoveCommand | AskUndo | AnswerUndo | AgreeToSubstitute | AskPause | AskEnd | AnswerVote | Resume | Back | Vacation
)
"""What changes the table."""
ToServer = Hello | TableCommand | AskPreview | AskAbout | AskHint | Ping | PageVisible


class ActivityEntry(msgspec.Struct):
    """What happened among the people at a table, for the log: in words `note.<kind>` of the catalogue.

    `at`: seconds since 1970. `after`: how many events of the same message were before it.
    """

    seq: int
    at: float
    after: int
    kind: str
    seat: int | None
    args: dict[str, int | str]


class UndoWish(msgspec.Struct):
    """An undo that waits for answers; `ask`: for yours."""

    by: int
    ask: bool


class Snapshot(msgspec.Struct, tag="update", omit_defaults=True):
    """The table at `seq`. `events` happened after `from`; when that is 0 they are all there are.

    `asked`: since when you are asked what you are asked now; null when nothing is.
    """

    seq: int
    from_: int = msgspec.field(name="from")
    table: Annotated[Any, TableInfo]
    view: Any
    """The game's own struct; null before the start."""
    decision: Annotated[Any, Decision]
    events: list[Sent]
    undo: UndoWish | None
    can_undo: Literal["free", "ask"] | None
    asked: int | None
    notes: list[ActivityEntry] = []


class Delta(msgspec.Struct, tag="news", omit_defaults=True):
    """What changed since the update, or the news, before it on the same socket; a decision that is null is the same.

    Everything else is as in an update.
    """

    seq: int
    from_: int = msgspec.field(name="from")
    table: Annotated[Any, Changes]
    view: Annotated[Any, Changes]
    decision: Annotated[Any, Decision] | None
    events: list[Sent]
    undo: UndoWish | None
    can_undo: Literal["free", "ask"] | None
    asked: int | None
    notes: list[ActivityEntry] = []


class Ack(msgspec.Struct, tag="ack"):
    """The message is carried out and durable, since `seq`."""

    id: str
    seq: int


class PreviewAnswer(msgspec.Struct, tag="preview"):
    """What the unfinished move would do."""

    id: str
    seq: int
    preview: Preview


class AboutAnswer(msgspec.Struct, tag="about"):
    """What the pieces are, in the order in which they were asked for."""

    id: str
    seq: int
    about: list[About]


class HintAnswer(msgspec.Struct, tag="hint"):
    """A whole move that a Master would make, in steps and in notation, and every seat's chance of winning after it."""

    id: str
    seq: int
    advice: Annotated[Any, Advice]


class ErrorAnswer(msgspec.Struct, tag="error"):
    """A message that was refused and changed nothing; `id` is null when it could not be read."""

    id: str | None
    code: str
    detail: str
    args: dict[str, Any]


class Presence(msgspec.Struct, tag="presence"):
    """Which seats are here."""

    online: list[int]


class Thinking(msgspec.Struct, tag="thinking"):
    """A bot has begun to think."""

    seat: int


class Pong(msgspec.Struct, tag="pong"):
    """I am there; `now`: seconds since 1970, by the clock of the tables."""

    now: float


ToPage = Snapshot | Delta | Ack | PreviewAnswer | AboutAnswer | HintAnswer | ErrorAnswer | Presence | Thinking | Pong


_decoder: msgspec.json.Decoder[ToServer] = msgspec.json.Decoder(ToServer)


def decode(raw: str) -> ToServer:
    """Read a message. Raises msgspec.DecodeError."""
    return _decoder.decode(raw)


class SocketMessage(NamedTuple):
    """A message on a table's socket. `kinds`: of the changes that it may write (`domain.bounds`)."""

    who: Literal["anyone", "seated"]
    kinds: tuple[str, ...] = ()


MESSAGES: dict[type[ToServer], SocketMessage] = {
    Hello: SocketMessage("anyone"),
    Ping: SocketMessage("anyone"),
    PageVisible: SocketMessage("anyone"),
    AskAbout: SocketMessage("anyone"),
    AskPreview: SocketMessage("seated"),
    AskHint: SocketMessage("seated"),
    MoveCommand: SocketMessage("seated", ("move",)),
    AskUndo: SocketMessage("seated", ("undo", "undo_ask")),
    AnswerUndo: SocketMessage("seated", ("undo", "undo_yes", "undo_no")),
    AgreeToSubstitute: SocketMessage("seated", ("stand_in",)),
    AskPause: SocketMessage("seated", ("pause_ask", "pause")),
    AskEnd: SocketMessage("seated", ("end_ask", "end")),
    AnswerVote: SocketMessage("seated", ("vote_yes", "vote_no", "pause", "end", "wait", "timeout")),
    Resume: SocketMessage("seated", ("resume",)),
    Back: SocketMessage("seated", ("back",)),
    Vacation: SocketMessage("seated", ("vacation", "holiday_over")),
}
"""The messages of those who may follow the table. Each has at most `Settings.socket_message_bytes`."""

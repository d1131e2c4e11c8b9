"""The messages of the socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from ziggurat.bots import Advice
from ziggurat.core.decision import About, Decision, Preview
from ziggurat.server.api.schemas import Pieces, Steps, TableInfo
from ziggurat.server.domain.policy import Watching
from ziggurat.server.domain.table import Sent
from ziggurat.server.feature import features
from ziggurat.server.live.delta import Changes

if TYPE_CHECKING:
    from ziggurat.server.domain.table import Table
    from ziggurat.server.live.hub import Connection
    from ziggurat.server.services.rate_limits import ClientKey

SEEN_SECONDS = 0.005
"""Of an address's share of the time, for what all workers are told, such as whether a page is seen."""
Id = Annotated[str, msgspec.Meta(pattern=r"^[!-~]{1,64}$(?!\n)")]
Seq = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class Hello(msgspec.Struct, tag="hello", forbid_unknown_fields=True):
    """The handshake: the seq that the client has seen."""

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


class Resign(msgspec.Struct, tag="resign", forbid_unknown_fields=True):
    """I give this game up for good; a bot plays it to the end."""

    id: Id


class AskUndo(msgspec.Struct, tag="undo", forbid_unknown_fields=True):
    """Take my last move back. `ask`: ask the others if they have to agree; else that is refused as `undo_asks`."""

    id: Id
    ask: bool = True


class AnswerUndo(msgspec.Struct, tag="undo_answer", forbid_unknown_fields=True):
    """Agree, or not, to another player's undo."""

    id: Id
    agree: bool


class AgreeToSubstitute(msgspec.Struct, tag="stand_in", forbid_unknown_fields=True):
    """Agree, or not, that a bot plays for a seat whose owner is gone; who agrees first suggests it."""

    id: Id
    seat: Annotated[int, msgspec.Meta(ge=0, le=15)]  # what is no seat of the table gets a better answer there
    agree: bool = True


class AskPause(msgspec.Struct, tag="ask_pause", forbid_unknown_fields=True):
    """Let us pause for so many seconds."""

    id: Id
    seconds: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class AskEnd(msgspec.Struct, tag="ask_end", forbid_unknown_fields=True):
    """Let us end this game as it is."""

    id: Id


class AskWatch(msgspec.Struct, tag="ask_watch", forbid_unknown_fields=True):
    """Let fewer people look on, from now on; or, if the others agree, more."""

    id: Id
    watch: Watching


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
    MoveCommand
    | AskUndo
    | AnswerUndo
    | AgreeToSubstitute
    | AskPause
    | AskEnd
    | AskWatch
    | AnswerVote
    | Resume
    | Resign
    | Back
    | Vacation
)
"""What changes the table."""


class ActivityEntry(msgspec.Struct):
    """An activity of the people at a table, for the log: in words `note.<kind>` of the catalogue.

    `at`: seconds since 1970. `after`: how many events of the same message were before it.
    """

    seq: int
    at: float
    after: int
    kind: str
    seat: int | None
    args: dict[str, int | str]


class UndoWish(msgspec.Struct):
    """A request for an undo that waits for answers. `asked`: whose. `events`: how many of the latest events would be
    undone, of which the first `move` are those of the move itself; what followed goes with it.
    """

    by: int
    asked: list[int]
    events: int
    move: int


class Snapshot(msgspec.Struct, tag="update", omit_defaults=True):
    """The table at `seq`. `events` happened after `from`; when that is 0 they are all there are.

    `asked`: since when you are asked what you are asked now; null when nothing is. `by_bot`: you have come back and not
    moved since; a bot has made so many moves for you, which can be taken back as your own (`can_undo`).
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
    by_bot: int = 0


class Delta(msgspec.Struct, tag="news", omit_defaults=True):
    """The changes since the snapshot or delta before it on the same socket; a decision that is null is the same.

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
    by_bot: int = 0


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
    """The seats that are present; the other fields as in `TableInfo`."""

    online: list[int]
    onlookers: int
    host_here: bool


class Thinking(msgspec.Struct, tag="thinking"):
    """A bot has begun to think."""

    seat: int


class Pong(msgspec.Struct, tag="pong"):
    """I am there; `now`: seconds since 1970, by the clock of the tables."""

    now: float


ToPage = Snapshot | Delta | Ack | PreviewAnswer | AboutAnswer | HintAnswer | ErrorAnswer | Presence | Thinking | Pong
"""What the page is told of the table itself."""


class Asked(NamedTuple):
    """The sender of a message: where they said it, and who they are.

    `parts`: what the application is made of, by name. `seat`: of who sits there; null: they look on. `table`: as it
    was when the message was read; null where the message does not ask for it.
    """

    parts: Mapping[str, Any]
    connection: Connection
    who: ClientKey
    table: Table | None
    seat: int | None


class SocketMessage(NamedTuple):
    """The declaration of a message on a table's socket, which the socket enforces before it answers. Each has at most
    `Settings.socket_message_bytes`.

    Attributes:
        who: who may say it.
        kinds: of the changes that it may write (`domain.bounds`).
        rows: the tables of the database to which it may add rows, besides those of a change.
        seconds: what it takes of an address's share of the loop's time, besides what is computed.
        answer: a feature's answer; what the table answers itself has none.
    """

    who: Literal["anyone", "seated"]
    kinds: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    seconds: float = 0.0
    answer: Callable[[Asked, Any], Awaitable[msgspec.Struct | None]] | None = None


MESSAGES: dict[type[msgspec.Struct], SocketMessage] = {
    Hello: SocketMessage("anyone"),
    Ping: SocketMessage("anyone"),
    PageVisible: SocketMessage("anyone", seconds=SEEN_SECONDS),
    AskAbout: SocketMessage("anyone"),
    AskPreview: SocketMessage("seated"),
    AskHint: SocketMessage("seated"),
    MoveCommand: SocketMessage("seated", ("move",)),
    AskUndo: SocketMessage("seated", ("undo", "undo_ask")),
    AnswerUndo: SocketMessage("seated", ("undo", "undo_yes", "undo_no")),
    AgreeToSubstitute: SocketMessage("seated", ("stand_in", "stand_in_no")),
    AskPause: SocketMessage("seated", ("pause_ask", "pause")),
    AskEnd: SocketMessage("seated", ("end_ask", "end")),
    AskWatch: SocketMessage("seated", ("watch_ask", "watch")),
    AnswerVote: SocketMessage("seated", ("vote_yes", "vote_no", "pause", "end", "watch", "wait", "timeout")),
    Resume: SocketMessage("seated", ("resume",)),
    Back: SocketMessage("seated", ("back",)),
    Resign: SocketMessage("seated", ("resign",)),
    Vacation: SocketMessage("seated", ("vacation", "holiday_over")),
}
"""The messages of those who may follow the table, but for those of features (`ServerFeature.messages`)."""


@cache
def all_messages() -> dict[type[msgspec.Struct], SocketMessage]:
    """Return every type of message that followers of a table may send."""
    return {
        kind: one for some in (MESSAGES, *(feature.messages for feature in features())) for kind, one in some.items()
    }


def all_news() -> tuple[type[msgspec.Struct], ...]:
    """Return every type of message that followers of a table are sent."""
    return (*get_args(ToPage), *(kind for feature in features() for kind in feature.news))


@cache
def _decoder() -> msgspec.json.Decoder[msgspec.Struct]:
    return msgspec.json.Decoder(reduce(or_, all_messages()))


def decode(raw: str) -> msgspec.Struct:
    """Read a message. Raises msgspec.DecodeError."""
    return _decoder().decode(raw)

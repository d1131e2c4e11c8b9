"""The messages of the socket."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from ziggurat.bots import Advice
from ziggurat.core.decision import About, Decision, Preview
from ziggurat.server.api.schemas import Pieces, Steps, TableInfo
from ziggurat.server.domain.policy import Watching
from ziggurat.server.domain.table import Sent
from ziggurat.server.features.review.what_if import Line
from ziggurat.server.features.talk.rules import PAGE, Saying
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


class Lead(msgspec.Struct, tag="lead", forbid_unknown_fields=True):
    """After the game: I lead through it from now on, or not any more."""

    id: Id
    lead: bool


class LookAt(msgspec.Struct, tag="at", forbid_unknown_fields=True):
    """I lead, and go to the moment after the change `seq`, and along a line that is tried from there."""

    id: Id
    seq: Seq
    line: Line = []


class PointAt(msgspec.Struct, tag="point", forbid_unknown_fields=True):
    """After the game: show all a piece, by its name; of several of the same name the one at a place."""

    id: Id
    piece: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    place: Annotated[str, msgspec.Meta(max_length=60)] = ""


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """Is anybody there?"""


class PageVisible(msgspec.Struct, tag="seen", forbid_unknown_fields=True):
    """Is the page visible? It is, until it says otherwise."""

    seen: bool


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
    most: Annotated[int, msgspec.Meta(ge=1, le=PAGE)] = PAGE


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
RoomMessage = Lead | LookAt | PointAt
"""What the others hear at once, and nothing is kept of."""
ToServer = Hello | TableCommand | AskPreview | AskAbout | AskHint | Ping | PageVisible | Say | AskTalk | RoomMessage


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
    """An undo that waits for answers. `asked`: whose. `events`: how many of the latest events would be undone, of which
    the first `move` are those of the move itself; what followed goes with it.
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
    """Which seats are here; the others as in `TableInfo`."""

    online: list[int]
    onlookers: int
    host_here: bool


class Thinking(msgspec.Struct, tag="thinking"):
    """A bot has begun to think."""

    seat: int


class Room(msgspec.Struct, tag="room"):
    """After the game: which seat leads through it, if one does, and where it is."""

    leader: int | None
    seq: int | None
    line: Line


class Pointed(msgspec.Struct, tag="pointed"):
    """A seat points at a piece."""

    seat: int
    piece: str
    place: str


class InvitedOn(msgspec.Struct, tag="invited_on"):
    """A seat has laid a table that goes on from a moment of this game, where a seat is kept for you."""

    seat: int
    table: str


class Pong(msgspec.Struct, tag="pong"):
    """I am there; `now`: seconds since 1970, by the clock of the tables."""

    now: float


class SaidLine(msgspec.Struct, omit_defaults=True):
    """A line that somebody has said: a ready `phrase` or a `text`.

    `at`: when, in milliseconds since 1970; no two lines of a table have the same. `who`: the same for all lines of a
    person, at all tables, and another one for each reader. `bench`: said among onlookers, while the game ran.
    """

    at: int
    who: str
    name: str
    """What the speaker was called then."""
    seat: int | None = None
    """Where they sat; null: they looked on."""
    mine: bool = False
    bench: bool = False
    phrase: str = ""
    text: str = ""


class Said(msgspec.Struct, tag="said"):
    """Somebody has said something."""

    line: SaidLine


class TalkAnswer(msgspec.Struct, tag="talk"):
    """What was said, the oldest line first; `more`: before it, too."""

    id: str
    lines: list[SaidLine]
    more: bool


class HouseNews(msgspec.Struct, tag="house"):
    """Hosts of the service say something else than before: `GET /api/house` tells it."""


RoomNews = Room | Pointed | InvitedOn
"""Of the room after the game."""
ToPage = (
    Snapshot
    | Delta
    | Ack
    | PreviewAnswer
    | AboutAnswer
    | HintAnswer
    | ErrorAnswer
    | Presence
    | Thinking
    | Pong
    | Said
    | TalkAnswer
    | HouseNews
    | RoomNews
)


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
    Say: SocketMessage("anyone"),
    AskTalk: SocketMessage("anyone"),
    AskPreview: SocketMessage("seated"),
    AskHint: SocketMessage("seated"),
    Lead: SocketMessage("seated"),
    LookAt: SocketMessage("seated"),
    PointAt: SocketMessage("seated"),
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
"""The messages of those who may follow the table. Each has at most `Settings.socket_message_bytes`."""

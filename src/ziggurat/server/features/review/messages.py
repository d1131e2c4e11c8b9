"""The after-game room, on the socket of its table: who leads through the game, at which moment, and what is pointed
at."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec

from ziggurat.server.features.review import rooms
from ziggurat.server.features.review.rooms import PointedAt, RoomNews, Rooms, RoomState
from ziggurat.server.features.review.what_if import Line
from ziggurat.server.live.hub import Connection, Hub
from ziggurat.server.live.messages import SEEN_SECONDS, Ack, Asked, Id, Seq, SocketMessage


class Lead(msgspec.Struct, tag="lead", forbid_unknown_fields=True):
    """After the game: I lead through it from now on, or not any more."""

    id: Id
    lead: bool


class LookAt(msgspec.Struct, tag="at", forbid_unknown_fields=True):
    """The leader goes to the moment after the change `seq`, and along a line that is tried from there."""

    id: Id
    seq: Seq
    line: Line = []


class PointAt(msgspec.Struct, tag="point", forbid_unknown_fields=True):
    """After the game: point at a piece for all, by its name; of several of the same name at the one at a place."""

    id: Id
    piece: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    place: Annotated[str, msgspec.Meta(max_length=60)] = ""


class Room(msgspec.Struct, tag="room"):
    """The state of the after-game room: which seat leads, if one does, and the moment."""

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


RoomMessage = Lead | LookAt | PointAt
"""What the others hear at once, and nothing is kept of."""


async def do_in_room(asked: Asked, message: RoomMessage) -> Ack:
    """Do what a seat asks for in the after-game room. Raises Problem."""
    there: Rooms = asked.parts["rooms"]
    table, seat = asked.table, asked.seat
    assert table is not None
    assert seat is not None
    async with asked.connection.share:
        match message:
            case Lead(lead=True):
                there.lead(table, seat)
            case Lead():
                there.resign(table.id, seat)
            case LookAt(seq=seq, line=line):
                there.look_at(table, seat, seq, line)
            case PointAt(piece=piece, place=place):
                there.point(table, seat, piece, place)
    return Ack(message.id, table.seq)


MESSAGES = {kind: SocketMessage("seated", seconds=SEEN_SECONDS, answer=do_in_room) for kind in (Lead, LookAt, PointAt)}
NEWS = (Room, Pointed, InvitedOn)


def follow(there: Rooms, hub: Hub) -> None:
    """Connect the sockets of a worker with the after-game rooms: both are told of the other's changes."""

    def greeted(connection: Connection) -> None:
        if (state := there.state(connection.table)) is not None:
            connection.send(_room(state))

    def left(connection: Connection) -> None:
        # Who leads and is gone does not lead; another window of theirs goes on with it.
        if connection.seat is not None and all(other.seat != connection.seat for other in hub.at(connection.table)):
            there.resign(connection.table, connection.seat)

    hub.on_greeted.append(greeted)
    hub.on_left.append(left)
    there.on_news.append(partial(_tell, hub))


def _room(state: RoomState) -> Room:
    return Room(state.seat, state.seq, state.line)


def _tell(hub: Hub, news: RoomNews) -> None:
    message: Room | Pointed | InvitedOn
    seats: list[int] | None = None
    match news:
        case RoomState():
            message = _room(news)
        case PointedAt():
            message = Pointed(news.seat, news.piece, news.place)
        case rooms.InvitationNews():
            message, seats = InvitedOn(news.seat, news.laid), news.seats
    for connection in hub.at(news.table):
        if connection.greeted and (seats is None or connection.seat in seats):
            connection.send(message)

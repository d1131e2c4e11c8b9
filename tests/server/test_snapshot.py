"""What is kept from one moment of a table to the next: nobody is told otherwise than if all were made anew, and nobody
more than the rules show to their seat."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.example import EXAMPLE
from tests.server.player import idle

import ziggurat
from ziggurat import Position
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import move
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, come_back, join, leave
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import agree_to_substitute
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.undo import answer, can_undo, undo
from ziggurat.server.live.delta import changed, encode
from ziggurat.server.live.snapshot import SentState, TableSnapshot
from ziggurat.server.services.bus import Bus
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow


def people(game: str, players: int) -> Table:
    """A game that has just begun."""
    table = create(NewTable(game, [NewSeat("me"), *[NewSeat("open")] * (players - 1)]), Person("p0", "P0", "en"))
    for number in range(1, players):
        table = join(table, Join(table.invite or "", f"P{number}"), Person(f"p{number}", f"P{number}", "en"))
    return start(table)


def some_move(position: Position, seat: int, chance: random.Random) -> tuple[int, ...]:
    tried, steps = position.copy(), list[int]()
    while not steps or tried.in_move:
        steps.append(chance.choice(tried.legal(seat)))
        tried.play(seat, steps[-1])
    return tuple(steps)


def only_what_is_theirs(table: Table, seat: int | None, told: Any) -> None:
    """What the rules show to a seat, or to whoever looks on, is looked through by `check_game`."""
    assert table.position is not None
    assert told["view"] == msgspec.json.decode(encode(table.position.view(seat)))
    assert all(event["seat"] == seat for event in told["events"] if event.get("private"))
    assert told["table"]["you"] == seat
    assert (told["table"]["seed"], told["table"]["salt"]).count(None) == (0 if table.over else 2)
    assert seat in table.actors or idle(told["decision"])


class Followers:
    """Everybody at a table, and somebody who looks on, each with what they were told bit by bit."""

    def __init__(self, table: Table, bus: Bus) -> None:
        self.bus = bus
        self.told: dict[str | None, tuple[SentState | None, int | None, Any]] = dict.fromkeys(
            (None, *(seat.person for seat in table.seats)), (None, None, None)
        )
        self.moment: TableSnapshot | None = None

    def follow(self, table: Table) -> None:
        if self.moment is not None and table.seq % 3 == 0:
            self.moment._rest()  # as where moves are slow
        self.moment = TableSnapshot(table, self.bus, self.moment)
        anew = TableSnapshot(table, self.bus, None)
        for person, (said, seen, had) in self.told.items():
            _, now, frame = self.moment.frame(person, said, seen or 0)
            news = msgspec.json.decode(frame)
            if news["type"] == "news":
                parts = {part: changed(had[part], news[part]) for part in ("table", "view")}
                news = {**news, "type": "update", **parts, "decision": news["decision"] or had["decision"]}
            whole = msgspec.json.decode(anew.frame(person, None, seen or 0)[2])
            assert news == whole
            seat = table.seat_of(person)
            only_what_is_theirs(table, seat.seat if seat else None, whole)
            self.told[person] = now, table.seq, news


@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), [EXAMPLE]))
async def test_a_whole_game_is_followed(game: str) -> None:
    chance = random.Random(game)
    for players in sorted({max(2, ziggurat.game(game).min_players), ziggurat.game(game).max_players}):
        table, bus = people(game, players), Bus(Settings())
        bus.announce_presence(table.id, list(range(players)))
        followers = Followers(table, bus)
        followers.follow(table)
        while table.status == "playing":
            assert table.position is not None
            seat = chance.choice(table.actors)
            table = move(table, seat, f"m{table.seq}", table.seq, some_move(table.position, seat, chance))
            followers.follow(table)


@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), [EXAMPLE]))
async def test_what_people_do_besides_is_followed(game: str) -> None:
    """Somebody goes, is seen to be gone, is stood in for and comes back; moves are taken back."""
    chance = random.Random(game)
    players = max(2, ziggurat.game(game).min_players)
    table, bus = people(game, players), Bus(Settings())
    bus.announce_presence(table.id, list(range(players)))
    followers = Followers(table, bus)

    def moves() -> Table:
        seat = table.actors[0]
        assert table.position is not None
        return move(table, seat, f"m{table.seq}", table.seq, some_move(table.position, seat, chance))

    followers.follow(table)
    for _ in range(4):
        mover = table.actors[0]
        table = moves()
        followers.follow(table)
        if can_undo(table, mover):
            table = undo(table, mover, f"u{table.seq}")
            followers.follow(table)
        for other in range(players):
            if table.undo is not None and other != mover:
                table = answer(table, other, f"a{table.seq}", agree=True)
                followers.follow(table)
        table = moves()
        followers.follow(table)
    bus.announce_presence(table.id, [0])
    followers.follow(table)
    table = agree_to_substitute(table, 0, "s", 1, lambda seat: 1000.0 if seat else 0.0)
    followers.follow(table)
    table = come_back(table, "p1")
    followers.follow(table)
    bus.announce_presence(table.id, list(range(players)))
    followers.follow(table)
    table = leave(table, "p1")
    followers.follow(table)


async def test_what_is_told_is_kept_in_few_pieces_when_a_table_rests() -> None:
    """A thousand tables of four: what is printed once for all, of their seats each once, of long questions a mark."""
    game = next(iter(ziggurat.registered_games()))
    bus, said = Bus(Settings()), list[SentState]()
    for table in (people(game, 2), people(game, 2)):
        moment: TableSnapshot | None = None
        for _ in range(2):
            moment = TableSnapshot(table, bus, moment)
            said += [moment.frame(seat.person, None, 0)[1] for seat in table.seats]
            moment._rest()
            assert table.position is not None
            steps = some_move(table.position, table.actors[0], random.Random(1))
            table = move(table, table.actors[0], "m", table.seq, steps)
    assert max(len(one.decision) for one in said) < 200
    first, second = said[0], said[-1]
    options, seats = b'"options":', b'"seats":'
    assert first.info.shared.fields[options] is second.info.shared.fields[options]
    ann, bob = said[-2:]
    assert ann.info.shared.fields[seats][1] is ann.info.own[seats][1]
    assert ann.info.own[seats][0] is not bob.info.own[seats][0] is ann.info.shared.fields[seats][0]
    assert not hasattr(table, "__dict__")

"""Open tables as a server has them: the list, the socket of those who follow it, the search, and who is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from msgspec.structs import replace
from tests.example import EXAMPLE
from tests.server.features.notifications.test_notification_tables import worker
from tests.server.features.notifications.test_notifications import ANN, BOB, CID, WAIT, House
from tests.server.features.notifications.test_notifications import believed as believed
from tests.server.features.notifications.test_notifications import house as house
from tests.server.fixtures import MOSTLY_SQLITE, NewDatabase
from tests.server.player import PATIENCE, Json, Player, visitor
from tests.server.test_clock import PEOPLE
from tests.server.test_workers import until
from websockets.asyncio.client import connect

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import OpenTerms, TablePolicy
from ziggurat.server.domain.seating import ChangeSeat, Join, change_seat, join, leave
from ziggurat.server.domain.table import FULL_TABLE_SECONDS, Table
from ziggurat.server.features.open_tables import find
from ziggurat.server.features.open_tables import models as rows_of
from ziggurat.server.features.open_tables import rows as open_tables
from ziggurat.server.features.open_tables.attendance import GONE_SECONDS, GRACE_SECONDS, NO_SHOW_SECONDS, absences
from ziggurat.server.features.open_tables.find import Find
from ziggurat.server.features.open_tables.rows import WISH_KEPT_SECONDS, Wish
from ziggurat.server.features.open_tables.service import OpenTables
from ziggurat.server.live.activity import notes
from ziggurat.server.problems import Problem
from ziggurat.server.services.clocks import Clocks
from ziggurat.server.store import blocks, models, people

DATABASES = MOSTLY_SQLITE
LIVE = {"kind": "live", "reserve": 600, "step": 30}
TERMS = {"wait": 600, "bot": "random"}
OPEN: Json = {"policy": {"join": "anyone", "terms": TERMS}}


def wish(id: str, **more: Any) -> Json:
    return {"id": id, "games": [EXAMPLE], "tempo": "live", **more}


class Follower:
    """A page that shows the list."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.tables: dict[str, Json] = {}
        self.frames: list[Json] = []

    async def hear(self) -> Json:
        """Wait for the next frame."""
        async with asyncio.timeout(PATIENCE):
            said: Json = json.loads(await self.connection.recv())
        self.frames.append(said)
        if said["type"] == "open":
            self.tables = {}
        self.tables |= {one["id"]: one for one in said["tables"]}
        for id in said.get("gone", ()):
            self.tables.pop(id, None)
        return said

    async def until(self, id: str, seen: Any) -> Json | None:
        """Wait until a table is shown as it should be."""
        while not seen(self.tables.get(id)):
            await self.hear()
        return self.tables.get(id)


@asynccontextmanager
async def following(player: Player) -> AsyncIterator[Follower]:
    url = f"{player.base.replace('http', 'ws', 1)}/api/open-tables/live"
    async with connect(url, additional_headers=player.cookie) as connection:
        follower = Follower(connection)
        assert (await follower.hear())["type"] == "open"
        yield follower


def kinds(one: Json) -> list[str]:
    return [seat["kind"] for seat in one["seats"]]


async def test_a_stranger_sees_an_open_table_live_and_sits_down_with_one_request(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve, following(eve) as list_of_eve:
        table = await ann.table("me", "open", "open", time=LIVE, **OPEN)
        told = await list_of_eve.until(table["id"], bool)
        assert told is not None
        assert told in await eve.get("/api/open-tables")
        assert (kinds(told), told["tempo"]) == (["human", "open", "open"], "live")
        assert "ziggurat" not in eve.http.cookies, "nobody becomes a guest by looking"
        whole = json.dumps([await eve.get("/api/open-tables"), list_of_eve.frames])
        assert table["invite"] not in whole
        me = (await ann.get("/api/me"))["id"]
        assert me not in whole

        joined = await eve.post(f"/api/tables/{table['id']}/join", {"invite": "", "name": "Eve"})
        assert joined["you"] == 1
        await list_of_eve.until(table["id"], lambda one: kinds(one) == ["human", "human", "open"])
        await ann.post(f"/api/tables/{table['id']}/seats", {"seat": 2, "kind": "bot", "bot": "random"})
        await list_of_eve.until(table["id"], lambda one: one is None)
        async with ann.at(table["id"]) as live, eve.at(table["id"]):
            await live.until(lambda: live.state["table"]["status"] == "playing")  # by itself: it is full


async def test_what_is_invited_to_is_in_no_list(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve, following(eve) as list_of_eve:
        hidden = await ann.table("me", "open")
        shown = await ann.table("me", "open", **OPEN)
        await list_of_eve.until(shown["id"], bool)
        assert hidden["id"] not in json.dumps([list_of_eve.frames, await eve.get("/api/open-tables")])
        answer = await eve.http.post(f"/api/tables/{hidden['id']}/join", json={"invite": "", "name": "Eve"})
        assert answer.json()["code"] == "bad_invite"
        assert (await eve.http.get(f"/api/tables/{hidden['id']}")).status_code == 404


async def test_changes_that_follow_each_other_are_sent_together(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve, following(eve) as list_of_eve:
        table = await ann.table("me", "open", "open", **OPEN)
        await list_of_eve.until(table["id"], bool)
        before = len(list_of_eve.frames)
        for _ in range(10):
            await ann.post(f"/api/tables/{table['id']}/seats", {"seat": 1, "kind": "bot", "bot": "random"})
            await ann.post(f"/api/tables/{table['id']}/seats", {"seat": 1, "kind": "open"})
        await ann.post(f"/api/tables/{table['id']}/seats", {"seat": 1, "kind": "bot", "bot": "greedy"})
        await list_of_eve.until(table["id"], lambda one: one["seats"][1]["bot"] == "greedy")
        assert len(list_of_eve.frames) - before <= 12, "21 changes, at most four frames a second"


async def test_who_says_something_to_the_list_is_shown_out(base: str) -> None:
    async with visitor(base) as eve, following(eve) as list_of_eve:
        await list_of_eve.connection.send("x" * 100)
        await list_of_eve.connection.wait_closed()
        assert list_of_eve.connection.close_code == 4400


async def test_two_who_look_for_the_same_find_each_other(base: str) -> None:
    async with visitor(base) as ann, visitor(base) as bob, visitor(base) as cid:
        body = {"strength": "experienced", "tempo": "days", "games": [EXAMPLE]}
        found = await asyncio.gather(
            *(
                player.post("/api/open-tables/find", {"id": f"find-{name}", "name": name, **body})
                for player, name in ((ann, "Ann"), (bob, "Bob"), (cid, "Cid"))
            )
        )
        assert len({table["id"] for table in found}) == 1, "one has opened it, the others sit down"
        assert {table["you"] for table in found} == {0, 1, 2}
        assert sum(table["host"] for table in found) == 1
        assert (await bob.get("/api/me"))["name"] == "Bob", "a name typed once is kept"


async def test_before_a_table_is_opened_what_is_close_to_it_is_told(base: str) -> None:
    """The same at the door where one is looked for and where one is set up; nobody who asks is made a guest."""
    async with visitor(base, "Ann") as ann, visitor(base) as eve:
        made = await ann.post("/api/open-tables/find", wish("a", tempo="days"))
        near = await eve.post("/api/open-tables/near", {"id": "x", "games": [EXAMPLE], "tempo": "live"})
        assert ["tempo"] in [one["misses"] for one in near if one["table"]["id"] == made["id"]]
        hers = await ann.post("/api/open-tables/near", {"id": "x", "games": [EXAMPLE]})
        assert made["id"] not in [one["table"]["id"] for one in hers]
        assert "ziggurat" not in eve.http.cookies
        sits = await eve.post("/api/open-tables/find", {"id": "b", "games": [EXAMPLE], "name": "Eve"})
        assert not sits["host"], "one that waits at any pace, before one more is opened"


async def test_the_same_request_again_finds_the_same_table(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        once = await ann.post("/api/open-tables/find", wish("a", company="people"))
        again = await asyncio.gather(
            *(ann.post("/api/open-tables/find", wish("a", company="people")) for _ in range(3))
        )
        assert {one["id"] for one in again} == {once["id"]}
        stored = (await ann.get("/api/me/everything"))["open_tables"]["found"]
        assert stored == [{"table": once["id"], "request": "a"}]
        other = await ann.post("/api/open-tables/find", wish("b", company="people"))
        assert other["id"] != once["id"], "another wish; and nobody is led to their own table"


async def test_a_nameless_person_is_asked_for_a_name_and_an_unknown_game_is_refused(base: str) -> None:
    async with visitor(base) as eve:
        answer = await eve.http.post("/api/open-tables/find", json=wish("a"))
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_name")
        answer = await eve.http.post("/api/open-tables/find", json=wish("a", games=["chess"], name="Eve"))
        assert answer.status_code in (400, 404)
        assert "ziggurat" not in eve.http.cookies, "and is nobody still"


async def test_one_person_has_room_for_so_many_open_tables(house: House) -> None:
    for _ in range(open_tables.MOST_TABLES_OF_PERSON):
        table = await opens(house)
    with pytest.raises(Problem) as refused:
        await opens(house)
    assert (refused.value.status, refused.value.code) == (409, "too_many_open")
    await opens(house, BOB)
    await house.table()  # friends may still be invited
    await house.table_service.change(table.id, lambda t: join(t, Join("", "Cid"), CID))  # it is full
    await opens(house)


async def test_a_late_person_takes_a_bots_seat_in_the_middle_of_a_game(house: House) -> None:
    listed = OpenTables(house.table_service, house.table_service.bus)
    await listed.open()
    clocks = Clocks(house.settings, house.table_service)
    seats, terms = [NewSeat("me"), NewSeat("open"), NewSeat("bot", "greedy")], OpenTerms(bot="random")
    wishes = NewTable(EXAMPLE, seats, policy=TablePolicy(join="anyone", terms=terms))
    table = await house.table_service.add(create(wishes, ANN), "here")
    house.table_service.bus.announce_presence(table.id, [0])
    house.now += terms.wait + 1
    await clocks.look()
    one = listed.get(table.id)
    assert one is not None
    assert one.running
    assert [seat.free for seat in one.seats] == [False, True, False]
    house.table_service.forget()
    assert (await house.database.read(open_tables.find))[0].table == one, "as another worker reads it"

    late = await house.table_service.change(table.id, lambda t: join(t, Join("", "Cid"), CID))
    house.table_service.forget()
    read = await house.table_service.get(table.id)
    assert read.seats == late.seats
    assert (read.seats[1].name, read.seats[1].bot) == ("Cid", None)
    assert [note.kind for note in notes(read, 1, 0)] == ["fill", "late"], "everybody is told"
    assert listed.get(table.id) is None
    assert await house.database.read(open_tables.find) == []
    await listed.close()


# --- Who is there --------------------------------------------------------------------------------------------------


def ghostly(tempo: str) -> Table:
    """A table that a search of Ann's has opened, at which a search of Bob's has found a seat: one is left."""
    looks = Find("x", [EXAMPLE], tempo, name="Ann")  # type: ignore[arg-type]
    return join(create(find.new_table(looks), ANN), Join("", "Bob"), BOB)


@pytest.mark.parametrize("tempo", ["live", "evening", "days"])
async def test_no_table_begins_with_somebody_who_never_came(house: House, tempo: str) -> None:
    """They have a minute; then the seat is free again, and who is there is told."""
    service = house.table_service
    service.bus.began = house.now - 1
    clocks = Clocks(house.settings, service)
    table = await service.add(ghostly(tempo), "here")
    service.bus.announce_presence(table.id, [0])
    await service.change(table.id, lambda t: change_seat(t, ChangeSeat(2, "bot", "greedy"), ANN.id))
    for seconds in (FULL_TABLE_SECONDS + 1, NO_SHOW_SECONDS - 10):
        house.now += seconds
        await clocks.look()
        assert (await service.get(table.id)).status == "waiting", "for Bob, who may still be on the way"
    house.now += 10
    await clocks.look()
    now = await service.get(table.id)
    assert (now.status, [seat.kind for seat in now.seats]) == ("waiting", ["human", "open", "bot"])
    told = notes(now, 1, 0)[-1]
    assert (told.kind, told.args) == ("absent", {"name": "Bob"})
    # Whoever comes is there, and it begins.
    await service.change(table.id, lambda t: join(t, Join("", "Cid"), CID))
    service.bus.announce_presence(table.id, [0, 1])
    house.now += FULL_TABLE_SECONDS + 1
    await clocks.look()
    assert (await service.get(table.id)).status == "playing"


async def test_whoever_is_gone_for_a_moment_is_there_and_by_days_for_as_long_as_they_like(house: House) -> None:
    service = house.table_service
    service.bus.began = house.now - 1
    for tempo, gone, starts in (("live", 20, True), ("live", 40, False), ("evening", 40, False), ("days", 4000, True)):
        table = await service.add(ghostly(tempo), "here")
        service.bus.announce_presence(table.id, [0, 1])
        service.bus.announce_presence(table.id, [0])
        table = await service.change(table.id, lambda t: change_seat(t, ChangeSeat(2, "bot", "greedy"), ANN.id))
        house.now += gone
        assert bool(absences(table, service.bus)) is not starts, (tempo, gone)


async def test_nobody_is_led_to_a_table_at_which_nobody_is(house: House) -> None:
    service = house.table_service
    service.bus.began = house.now - 1
    listed = OpenTables(service, service.bus)
    table = await service.add(ghostly("live"), "here")

    async def found(name: str) -> bool:
        looks = Find(name, [EXAMPLE], "live", name=name)
        return (await listed.find(looks, replace(CID, id=name, name=name), "there")).id == table.id

    for person in ("dan", "eve"):
        await house.database.write(partial(people.insert, person=replace(CID, id=person, name=person), token=person))
    service.bus.announce_presence(table.id, [0])
    house.now += 100
    assert await found("dan")
    await service.change(table.id, lambda t: leave(t, "dan"))
    service.bus.announce_presence(table.id, [])
    house.now += GRACE_SECONDS + 1
    assert not await found("eve")


async def test_seats_at_a_table_of_the_list_are_looked_after(house: House) -> None:
    """Also where a seat is free, and nothing else is due for long."""
    service = house.table_service
    service.bus.began = house.now - 1
    listed = OpenTables(service, service.bus)
    await listed.open()
    table = await service.add(ghostly("evening"), "here")
    service.bus.announce_presence(table.id, [0])
    for seconds, sits in ((NO_SHOW_SECONDS - 1, "human"), (2, "open")):
        house.now += seconds
        await listed._look_after()
        assert (await service.get(table.id)).seats[1].kind == sits
    # Who has been there, and is gone, keeps nobody waiting.
    service.bus.announce_presence(table.id, [])
    for seconds, host in ((GONE_SECONDS - 1, ANN.id), (2, None)):
        house.now += seconds
        await listed._look_after()
        assert (await service.get(table.id)).seats[0].person == host
    await listed.close()
    assert listed.get(table.id) is None, "nobody sits there"


# --- Who is told ---------------------------------------------------------------------------------------------------


async def test_wishes_are_kept_shown_and_bounded(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        assert await ann.get("/api/me/wishes") == {"wishes": [], "most": 3}
        wanted = [{"games": [EXAMPLE, EXAMPLE], "tempos": ["days", "live"]}]
        kept = (await ann.http.put("/api/me/wishes", json={"wishes": wanted})).json()
        assert [(one["games"], one["tempos"]) for one in kept["wishes"]] == [([EXAMPLE], ["days", "live"])]
        assert (await ann.get("/api/me/wishes"))["wishes"][0]["games"] == [EXAMPLE]
        assert (await ann.get("/api/me/everything"))["open_tables"]["wishes"][0]["tempos"] == ["days", "live"]
        for wrong in ([*wanted] * 4, [{"games": [], "tempos": ["live"]}], [{"games": [EXAMPLE], "tempos": ["fast"]}]):
            assert (await ann.http.put("/api/me/wishes", json={"wishes": wrong})).status_code == 400
        assert (await ann.http.put("/api/me/wishes", json={"wishes": []})).json()["wishes"] == []


async def wishes(house: House, person: Person, *tempos: Any) -> None:
    wanted = [Wish([EXAMPLE], [*tempos] or ["evening"])]
    await house.database.write(partial(open_tables.set_wishes, person=person.id, wanted=wanted, now=house.now))


async def opens(house: House, person: Person = ANN) -> Table:
    terms = OpenTerms(wait=3 * 86_400, bot=None)
    policy = TablePolicy(join="anyone", terms=terms)
    seats = [NewSeat("me"), NewSeat("open")]
    return await house.table_service.add(create(NewTable(EXAMPLE, seats, policy=policy), person), "here")


async def told(house: House, later: float = WAIT + 60) -> list[tuple[str, str]]:
    house.hooks.got.clear()
    await house.deliver(later)
    return [(line["table"], kind) for one in house.hooks.got for line in one.json["news"] for kind in line["kinds"]]


async def test_who_wishes_for_such_a_table_is_told_of_it_once(house: House) -> None:
    await house.hook(BOB)
    await wishes(house, BOB, "evening", "days")
    table = await opens(house)
    assert await told(house) == [(table.id, "open")]
    (line,) = house.hooks.got[0].json["news"]
    assert line["url"].endswith(f"#/join/{table.id}/-")
    assert await told(house) == []
    await opens(house)
    assert await told(house) == [], "not again at once, however many are opened"
    house.now += open_tables.WISH_APART_SECONDS
    other = await opens(house)
    assert await told(house) == [(other.id, "open")]


async def test_who_does_not_sit_down_with_a_person_is_not_told_of_their_table(house: House) -> None:
    """Nor does the table use up for others what they are told."""
    for one in (BOB, CID):
        await house.hook(one)
        await wishes(house, one)
    await house.database.write(partial(blocks.add, person=BOB.id, blocked=ANN.id, name="Ann"))
    await house.database.write(partial(blocks.add, person=ANN.id, blocked=CID.id, name="Cid"))
    await opens(house)
    assert await told(house) == []
    await house.database.write(partial(people.insert, person=PEOPLE[3], token="dan"))
    other = await opens(house, PEOPLE[3])
    assert await told(house) == [(other.id, "open")] * 2


async def test_who_wishes_for_another_pace_or_long_ago_is_told_nothing(house: House) -> None:
    await house.hook(BOB)
    await wishes(house, BOB, "live")
    await opens(house)
    assert await told(house) == []
    await wishes(house, BOB)
    house.now += WISH_KEPT_SECONDS + 1
    await opens(house)
    assert await told(house) == []
    await house.database.write(partial(open_tables.forget_wishes, now=house.now))
    assert await house.database.read(lambda c: c.execute(sa.select(rows_of.wishes)).all()) == []


async def test_what_is_full_or_ones_own_is_no_news(house: House) -> None:
    await house.hook(BOB)
    await house.hook(ANN)
    await wishes(house, BOB)
    await wishes(house, ANN)
    table = await opens(house)
    await house.table_service.change(table.id, lambda t: join(t, Join("", "Cid"), CID))
    assert "open" not in [kind for _, kind in await told(house)]


async def blocks_person(house: House, person: Person, blocked: Person) -> None:
    await house.database.write(partial(blocks.add, person=person.id, blocked=blocked.id, name=blocked.name))


async def test_a_table_that_nobody_tells_uses_up_no_wish(house: House) -> None:
    await house.hook(BOB)
    await wishes(house, BOB)
    await blocks_person(house, BOB, ANN)
    await opens(house)
    assert await told(house) == []
    table = await opens(house, CID)
    assert await told(house) == [(table.id, "open")]


@pytest.mark.parametrize("blocker", [ANN, BOB])
async def test_find_leads_nobody_to_whom_they_must_not_meet(house: House, blocker: Person) -> None:
    listed = OpenTables(house.table_service, house.table_service.bus)
    await blocks_person(house, blocker, BOB if blocker is ANN else ANN)
    theirs = [await opens(house) for _ in range(open_tables.MOST_TABLES_OF_PERSON)]
    house.now += 10  # whose table is the oldest comes first
    another = await opens(house, CID)
    found = await listed.find(Find("f", [EXAMPLE], "evening", "people", "Bob"), BOB, "there")
    assert found.id == another.id, "however many stand before it"
    found = await listed.find(Find("g", [EXAMPLE], "evening", "people", "Bob"), BOB, "there")
    assert (found.host, len(theirs)) == (BOB.id, open_tables.MOST_TABLES_OF_PERSON), "rather than theirs one is opened"


async def test_a_guests_wishes_become_those_of_who_they_are(house: House) -> None:
    await wishes(house, BOB)
    await house.database.write(partial(open_tables.become, guest=BOB.id, person=ANN.id))
    assert len(await house.database.read(partial(open_tables.wishes_of, person=ANN.id, now=house.now))) == 1
    assert await house.database.read(partial(open_tables.wishes_of, person=BOB.id, now=house.now)) == []


# --- Between workers -----------------------------------------------------------------------------------------------


async def test_a_worker_hears_of_tables_that_another_opens_fills_and_ends(new_database: NewDatabase) -> None:
    url = new_database()
    async with worker("a", url) as a, worker("b", url) as b:
        await a.database.write(partial(people.insert, person=ANN, token="ann"))
        await a.database.write(partial(people.insert, person=BOB, token="bob"))
        before = await a.add(_open(), "here")
        there = OpenTables(b, b.bus)
        await there.open()
        assert [one.id for one in there.tables()] == [before.id], "those that were there"
        table = await a.add(_open(), "here")
        await until(lambda: there.get(table.id) is not None)
        await a.change(table.id, lambda t: change_seat(t, ChangeSeat(2, "bot", "random"), ANN.id))
        await until(lambda: (one := there.get(table.id)) is not None and one.seats[2].kind == "bot")
        await a.change(table.id, lambda t: join(t, Join("", "Bob"), BOB))
        await until(lambda: there.get(table.id) is None)
        assert [one.id for one in there.tables()] == [before.id]
        await there.close()


async def test_of_two_workers_one_opens_a_table_for_the_same_wish(new_database: NewDatabase) -> None:
    url = new_database()
    async with worker("a", url) as a, worker("b", url) as b:
        await a.database.write(partial(people.insert, person=ANN, token="ann"))
        await a.database.write(partial(people.insert, person=BOB, token="bob"))
        for number in range(8):  # whoever comes first
            lists = OpenTables(a, a.bus), OpenTables(b, b.bus)
            wishes = (Find(f"{name}{number}", [EXAMPLE], "evening", name=name) for name in ("Ann", "Bob"))
            found = await asyncio.gather(
                *(one.find(looks, person, "") for one, looks, person in zip(lists, wishes, (ANN, BOB), strict=True))
            )
            one, other = found
            assert one.id == other.id
            again = await lists[1].find(Find(f"Bob{number}", [EXAMPLE], "evening", name="Bob"), BOB, "")
            assert again.id == one.id
            for person in (ANN, BOB):
                await a.change(one.id, partial(leave, person=person.id))


async def test_the_same_request_at_two_workers_sits_down_once(new_database: NewDatabase) -> None:
    url = new_database()
    async with worker("a", url) as a, worker("b", url) as b:
        await a.database.write(partial(people.insert, person=ANN, token="ann"))
        for number in range(5):
            lists = OpenTables(a, a.bus), OpenTables(b, b.bus)
            looks = Find(f"x{number}", [EXAMPLE], "evening", name="Ann")
            one, other = await asyncio.gather(*(there.find(looks, ANN, "") for there in lists))
            assert one.id == other.id
        count = sa.select(sa.func.count()).select_from(models.tables)
        assert await a.database.read(lambda c: c.execute(count).scalar_one()) == 5


def _open() -> Table:
    policy = TablePolicy(join="anyone", terms=OpenTerms(wait=600, bot="random"))
    return create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open"), NewSeat("open")], policy=policy), ANN)

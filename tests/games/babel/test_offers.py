"""Secret offers of Tower of Babel: what several people decide at once is shown when all of them have decided."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from tests import runs
from tests.server.player import Json, Live, Player, idle, visitor
from tests.server.process import server

from ziggurat.server.store.models import tables

FIRST_SEAT = {"first_player": "first_seat"}


@asynccontextmanager
async def laying(base: str) -> AsyncIterator[tuple[Live, Live, Live, Live]]:
    """Ann has chosen a disc, Bob and Cleo lay their offers, and Eve looks on."""
    async with (
        visitor(base, "Ann") as ann,
        visitor(base, "Bob") as bob,
        visitor(base, "Cleo") as cleo,
        visitor(base) as eve,
    ):
        table = await ann.table("me", "open", "open", game="babel", options=FIRST_SEAT)
        await bob.join(table, "Bob")
        await cleo.join(table, "Cleo")
        await ann.post(f"/api/tables/{table['id']}/start")
        async with AsyncExitStack() as stack:
            a, b, c = [await stack.enter_async_context(player.at(table["id"])) for player in (ann, bob, cleo)]
            e = await stack.enter_async_context(eve.at(table["id"], invite=table["invite"]))
            await a.turn()
            await a.move([smallest_disc(a)])
            for live in (b, c, e):
                await live.until(lambda live=live: live.state["seq"] >= a.state["seq"])  # type: ignore[misc]
            yield a, b, c, e


def smallest_disc(live: Live) -> int:
    """The disc that asks for the fewest cards: nearly every hand is too large for it."""
    wonders = {wonder["wonder"]: wonder["discs"] for wonder in live.state["view"]["wonders"]}

    def size(choice: Json) -> int:
        return sum(wonders[choice["wonder"]][choice["space"]].values())

    discs = [choice for choice in live.legal if choice["type"] == "choose"]
    return int(min(discs, key=size)["action"])


def seat_of(live: Live) -> int | None:
    seat: int | None = live.state["table"]["you"]
    return seat


def hand_of(live: Live) -> list[str]:
    """The cards of one's own hand."""
    view = live.state["view"]
    return [name for name, count in view["builders"][view["seat"]]["hand"].items() for _ in range(count)]


def offer_of(live: Live, cards: list[str], end: str = "commit") -> list[int]:
    """The steps of an offer. Committing goes by numbers that follow the last card's."""
    lays = {card: 25 + number for number, card in enumerate(live.state["view"]["types"])}
    for choice in live.legal:
        if choice["type"] == "lay":
            assert lays[choice["card"]] == choice["action"]
    commit = next(choice["action"] for choice in live.legal if choice["type"] == "commit")
    return [*(lays[card] for card in cards), commit + (end == "trade")]


def sealed(live: Live) -> int:
    """No message shows an offer of somebody else before the reveal; returns how many showed one face down."""
    seat, face_down, waiting = seat_of(live), 0, dict[int, int]()
    for message in live.messages:
        if message["type"] != "update":
            assert "offered" not in json.dumps(message)
            continue
        if message["from"] == 0:
            waiting.clear()
        for event in message["events"]:
            assert not event.get("private") or event["seat"] == seat
            if event["type"] == "chose":
                waiting.clear()
            elif event["type"] == "laid":
                assert set(event["args"]) == {"count"}
                waiting[event["seat"]] = event["args"]["count"]
            elif event["type"] in ("offered", "drew_cards", "saw_action"):
                assert event["seat"] == seat
        view = message["view"]
        if view is None:
            continue
        for builder in view["builders"]:
            own = builder["seat"] == seat
            assert (builder["hand"] is None) != own
            assert (builder["actions"] is None) != own
            offer = builder["offer"]
            if view["phase"] == "offer":
                assert "revealed" not in {event["type"] for event in message["events"][-1:]}
                if offer is not None and not own:
                    assert (offer["cards"], offer["trade"], offer["returned"]) == (None, None, None)
                    assert offer["count"] == waiting.get(builder["seat"], 0)
                    face_down += 1
        if seat not in message["table"]["actors"]:
            assert idle(message["decision"])
    return face_down


# --- People ------------------------------------------------------------------------------------------------------


async def test_an_offer_travels_to_its_own_seat_alone_until_the_last_one_is_in(base: str) -> None:
    async with laying(base) as (a, b, c, e):
        seq, cards = b.state["seq"], hand_of(b)[:2]
        assert (await b.move(offer_of(b, cards, "trade")))["type"] == "ack"
        for live in (a, b, c, e):
            await live.until(lambda live=live: live.state["seq"] == seq + 1)  # type: ignore[misc]
            assert live.state["table"]["actors"] == [2]
            assert [event["type"] for event in live.state["events"]][:1] == ["laid"]
            assert live.state["events"][0]["args"] == {"count": 3}
            offer = live.state["view"]["builders"][1]["offer"]
            if live is b:
                assert (offer["count"], offer["trade"], sum(offer["cards"].values())) == (3, True, 2)
            else:
                assert len(live.state["events"]) == 1
                assert offer == {"count": 3, "cards": None, "trade": None, "returned": None}
                assert live.state["view"]["builders"][1]["cards"] == 2
        assert (await c.move(offer_of(c, hand_of(c)[:1])))["type"] == "ack"
        for live in (a, b, c, e):
            await live.until(lambda live=live: live.state["seq"] == seq + 2)  # type: ignore[misc]
            revealed = [event for event in live.state["events"] if event["type"] == "revealed"]
            assert [event["seat"] for event in revealed] == [1, 2]
            assert sorted(revealed[0]["args"]["cards"] + revealed[0]["args"]["returned"]) == sorted(cards)
        assert [sealed(live) > 0 for live in (a, b, c, e)] == [True, False, True, True]
        assert all("offered" not in json.dumps(message) for live in (a, e) for message in live.messages)


async def test_who_comes_later_to_the_table_sees_no_more(base: str) -> None:
    """A whole log, after the line was lost, is as careful as single updates."""
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Cleo") as cleo:
        table = await ann.table("me", "open", "open", game="babel", options=FIRST_SEAT)
        path = f"/api/tables/{table['id']}"
        await bob.join(table, "Bob")
        await cleo.join(table, "Cleo")
        await ann.post(f"{path}/start")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await a.turn()
            await a.move([smallest_disc(a)])
            await b.turn()
            await b.move(offer_of(b, hand_of(b)[:2]))
        async with ann.at(table["id"]) as a, cleo.at(table["id"]) as c:
            assert sealed(a) == sealed(c) == 1
            assert [event["args"] for event in a.log if event["type"] == "laid"] == [{"count": 2}]
        for visited in (f"{path}/history", f"{path}/replay"):
            assert (await ann.http.get(visited)).status_code == 409
        shown = await ann.get(path)
        shown.pop("laid")  # whether the table was laid from a scenario, which is no offer
        assert not {"offer", "laid", "commit"} & set(json.dumps(shown).split('"'))


async def test_a_committed_offer_is_neither_changed_nor_sent_twice_nor_taken_back(base: str) -> None:
    async with laying(base) as (a, b, c, e):
        seq, cards = b.state["seq"], hand_of(b)
        steps, other = offer_of(b, cards[:1]), offer_of(b, cards[1:3], "trade")
        first = await b.reply(type="move", id="offer", seq=seq, steps=steps)
        assert first == {"type": "ack", "id": "offer", "seq": seq + 1}
        await b.until(lambda: b.state["seq"] == seq + 1)
        view = b.state["view"]

        async def refused(code: str, **message: Any) -> None:
            answer = await b.reply(**message)
            assert (answer["type"], answer["code"]) == ("error", code)
            assert answer["detail"].endswith(".")

        assert await b.reply(type="move", id="offer", seq=seq, steps=steps) == first  # only the line was lost
        await refused("id_reused", type="move", id="offer", seq=seq, steps=other)
        await refused("stale", type="move", seq=seq, steps=other)
        await refused("not_your_turn", type="move", seq=seq + 1, steps=other)
        await refused("not_your_turn", type="move", seq=seq + 1, steps=steps)
        await refused("not_your_turn", type="preview", seq=seq + 1, steps=other[:-1])
        assert b.state["can_undo"] is None
        await refused("nothing_to_undo", type="undo")
        for live in (a, b, c, e):
            await live.until_seq(seq + 1)
            assert live.state["undo"] is None
        assert b.state["view"] == view
        # A choice that Cleo made before Bob's offer arrived still counts: both decide at once.
        assert (await c.reply(type="move", seq=seq, steps=offer_of(c, [])))["type"] == "ack"
        await a.until(lambda: a.state["view"]["phase"] == "select")
        found = a.state["view"]["builders"][1]["offer"]
        laid = [name for name in found["cards"] for _ in range(found["cards"][name] + found["returned"][name])]
        assert laid == cards[:1]


async def test_offers_that_are_not_possible_change_nothing(sqlite_base: str) -> None:
    async with laying(sqlite_base) as (a, b, c, e):
        seq, cards = b.state["seq"], hand_of(b)
        limit = sum(b.state["view"]["chosen"]["needs"].values())
        missing = next((name for name in b.state["view"]["types"] if name not in cards), None)
        wrong: list[tuple[str, list[int]]] = [
            ("unfinished_move", offer_of(b, cards[:1])[:-1]),
            ("illegal_action", [offer_of(b, [], "trade")[-1]]),
            ("too_many_steps", offer_of(b, cards[:1]) + offer_of(b, [])),
            ("illegal_action", [2_000_000_000]),
            ("illegal_action", [0]),
        ]
        if limit < len(cards):
            wrong.append(("illegal_action", offer_of(b, cards[: limit + 1])))
            wrong.append(("illegal_action", offer_of(b, cards[: limit + 1], "trade")))
        if missing:
            wrong.append(("illegal_action", offer_of(b, [missing])))
        for code, steps in wrong:
            answer = await b.reply(type="move", seq=seq, steps=steps)
            assert (answer["type"], answer["code"]) == ("error", code), (steps, answer)
        answer = await a.reply(type="move", seq=seq, steps=offer_of(b, cards[:1]))
        assert answer["code"] == "not_your_turn"
        answer = await e.reply(type="move", seq=seq, steps=offer_of(b, cards[:1]))
        assert answer["code"] == "not_seated"
        for live in (a, b, c, e):
            assert live.state["seq"] == seq
        assert hand_of(b) == cards
        assert (await b.move(offer_of(b, cards[:1])))["type"] == "ack"


async def test_a_preview_of_an_offer_is_for_oneself(sqlite_base: str) -> None:
    async with laying(sqlite_base) as (a, b, c, e):
        seen = [len(live.messages) for live in (a, c, e)]
        cards = hand_of(b)[:2]
        answer = await b.reply(type="preview", seq=b.state["seq"], steps=offer_of(b, cards)[:-1])
        assert {phrase["key"] for phrase in answer["preview"]["say"]} <= {"preview.offer", "preview.bluff"}
        assert len(answer["preview"]["confirm"]) == 2
        for live, count in zip((a, c, e), seen, strict=True):
            await live.send(type="ping")
            await live.until(lambda live=live: live.messages[-1]["type"] == "pong")  # type: ignore[misc]
            assert len(live.messages) == count + 1


async def test_offers_that_arrive_at_the_same_moment(base: str) -> None:
    async with laying(base) as (a, b, c, e):
        offers = [(live, live.state["seq"], offer_of(live, hand_of(live)[:1])) for live in (b, c)]
        answers = await asyncio.gather(
            *(live.reply(type="move", seq=seq, steps=steps) for live, seq, steps in offers),
            *(live.reply(type="move", id="again", seq=seq, steps=steps) for live, seq, steps in offers),
        )
        kinds = sorted(answer["type"] if answer["type"] == "ack" else answer["code"] for answer in answers)
        assert kinds[:2] == ["ack", "ack"]
        assert set(kinds[2:]) <= {"stale", "not_your_turn"}
        await e.until(lambda: e.state["view"]["phase"] == "select")
        assert [event["type"] for event in e.log].count("laid") == 2
        assert all(sealed(live) >= 0 for live in (a, b, c, e))


# --- Whole games, and bots ---------------------------------------------------------------------------------------


def any_move(live: Live, chance: random.Random) -> list[int]:
    """A whole move at random; with a taste for building."""
    view = live.state["view"]
    types = {choice["type"] for choice in live.legal}
    if view["phase"] == "offer" and "commit" in types:
        limit = sum(view["chosen"]["needs"].values())
        cards = chance.sample(hand_of(live), min(len(hand_of(live)), limit, chance.randrange(5)))
        return offer_of(live, cards, chance.choice(["commit", "trade"]) if cards else "commit")
    liked = [choice for choice in live.legal if choice["type"] in ("accept", "choose", "triple", "draw")]
    others = [choice for choice in live.legal if choice["type"] != "exchange"]
    return [chance.choice(liked or others)["action"]]


async def play_on(live: Live, seed: int) -> None:
    chance = random.Random(seed)
    while await live.turn():
        answer = await live.move(any_move(live, chance))
        assert answer["type"] == "ack" or answer["code"] == "stale", answer


@runs.whole
async def test_no_offer_of_a_person_or_a_bot_travels_too_early_in_a_whole_game(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base, "Bob") as bob, visitor(sqlite_base) as eve:
        table = await ann.table("me", "open", "greedy", "random", game="babel")
        await bob.join(table, "Bob")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b, eve.at(table["id"], invite=table["invite"]) as e:
            await ann.post(f"/api/tables/{table['id']}/start")
            await asyncio.gather(play_on(a, 1), play_on(b, 2))
            for live in (a, b, e):
                await live.until_over()
            assert min(sealed(live) for live in (a, b, e)) > 10
            assert [event for event in a.log if not event.get("private")] == e.log
            assert {event["type"] for event in e.log} >= {"laid", "revealed", "accepted", "built", "refused"}
            assert "offered" not in {event["type"] for event in e.log}
            assert {event["seat"] for event in e.log if event["type"] == "laid"} == {0, 1, 2, 3}
            frames = (await ann.get(f"/api/tables/{table['id']}/history"))["frames"]
        told = [event for frame in frames for event in frame["events"] if event["type"] == "offered"]
        assert {event["seat"] for event in told} == {0, 1, 2, 3}, "when the game is over everything may be read"


async def test_bots_lay_before_a_person_does_and_show_only_how_many(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("greedy", "me", "greedy", "random", game="babel", options=FIRST_SEAT)
        async with ann.at(table["id"]) as a:
            while True:
                await a.turn()
                if a.state["view"]["phase"] == "offer":
                    break
                await a.move([next(choice["action"] for choice in a.legal if choice["type"] in ("pass", "decline"))])
            await a.until(lambda: a.state["table"]["actors"] == [1])
            assert sealed(a) >= 2
            laid = [a.state["view"]["builders"][seat]["offer"] for seat in (2, 3)]
            assert all(offer["cards"] is None for offer in laid)
            await a.move(offer_of(a, hand_of(a)[:1]))
            await a.until(lambda: any(event["type"] == "revealed" for event in a.log))
            assert sealed(a) >= 2


# --- A server that dies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own_url", "snapshot"),
    [pytest.param("sqlite", False, id="log"), pytest.param("postgresql", True, id="snapshot", marks=runs.whole)],
    indirect=["own_url"],
)
async def test_offers_outlive_the_server_and_stay_secret(data: Path, own_url: str | None, snapshot: bool) -> None:
    async with (
        httpx.AsyncClient(verify=False) as one,
        httpx.AsyncClient(verify=False) as two,
        httpx.AsyncClient(verify=False) as three,
    ):
        clients = (one, two, three)
        with server(data, own_url, ZIGGURAT_LEASE="1") as first:
            ann, bob, cleo = await seated(clients, first.base, ("Ann", "Bob", "Cleo"))
            table = await ann.table("me", "open", "open", game="babel", options=FIRST_SEAT)
            await bob.join(table, "Bob")
            await cleo.join(table, "Cleo")
            await ann.post(f"/api/tables/{table['id']}/start")
            async with ann.at(table["id"]) as a, bob.at(table["id"]) as b, cleo.at(table["id"]) as c:
                await a.turn()
                await a.move([smallest_disc(a)])
                await b.turn()
                cards, steps = hand_of(b)[:2], offer_of(b, hand_of(b)[:2], "trade")
                asked = b.state["seq"]
                answer = await b.reply(type="move", id="offer", seq=asked, steps=steps)
                assert answer["type"] == "ack"
                await c.until(lambda: c.state["seq"] == answer["seq"])
                await b.until(lambda: b.state["seq"] == answer["seq"])
                before = b.state["view"]
                first.kill()
        if not snapshot:
            await first.in_database(
                lambda connection: connection.execute(sa.update(tables).values(snapshot=None)).close()
            )
        with server(data, own_url, ZIGGURAT_LEASE="1") as second:
            for client in clients:
                client.base_url = httpx.URL(second.base)
            ann, bob, cleo = (Player(client, second.base) for client in clients)
            async with ann.at(table["id"]) as a, bob.at(table["id"]) as b, cleo.at(table["id"]) as c:
                assert sealed(a) == sealed(c) == 1
                assert b.state["view"] == before
                assert await b.reply(type="move", id="offer", seq=asked, steps=steps) == answer
                assert (await b.reply(type="move", seq=answer["seq"], steps=steps))["code"] == "not_your_turn"
                assert (await b.reply(type="undo"))["code"] == "nothing_to_undo"
                assert (await c.move(offer_of(c, [])))["type"] == "ack"
                await a.until(lambda: a.state["view"]["phase"] == "select")
                [revealed] = [event for event in a.log if event["type"] == "revealed"]
                assert sorted(revealed["args"]["cards"] + revealed["args"]["returned"]) == sorted(cards)
                assert revealed["args"]["trade"] is True


async def seated(clients: tuple[httpx.AsyncClient, ...], base: str, names: tuple[str, ...]) -> list[Player]:
    found = []
    for client, name in zip(clients, names, strict=True):
        client.base_url = httpx.URL(base)
        assert (await client.put("/api/me", json={"name": name})).status_code == 200
        found.append(Player(client, base))
    return found

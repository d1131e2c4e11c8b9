"""R23: who holds no card that could be played declines by itself, and nobody sees that there was no choice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.player import Json, Live, Player, visitor
from tests.server.process import Server, server

from ziggurat import Position
from ziggurat.core.scenario import reached
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import move, play_bot, play_forced
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import agree_to_substitute
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.undo import answer, can_undo, undo

PEOPLE = ("Ann", "Bob", "Cleo", "Dora")
ALONE = "1 accept none"


def offered(*moves: str, **cards: str) -> str:
    """Ann has chosen a disc, and the others have made their offers; each holds an action card or none."""
    held = ", ".join(f'{seat.removeprefix("seat")} = ["{card}"]' for seat, card in cards.items())
    made = [*(f"{seat} offer ship" for seat in (2, 3, 4)), *moves]
    return f"""
        game = "babel"
        players = 4
        moves = {["1 choose zeus 1", *made]}
        [position]
        turn = 1
        discs.zeus = ["ship 4", "camel 3", "crane 3"]
        hands = {{ 1 = {{ ship = 5 }}, 2 = {{ ship = 3 }}, 3 = {{ ship = 2 }}, 4 = {{ ship = 1 }} }}
        actions = {{ {held} }}
    """


def refused(**cards: str) -> str:
    """Ann has built alone; those who hold action cards are asked about their refused offers."""
    return offered(ALONE, **cards)


def table(scenario: str) -> Table:
    """A table of four people, as it is made for them."""
    wish = NewTable("babel", [NewSeat("me"), *[NewSeat("open")] * 3], pace="instant", scenario=scenario)
    made = create(wish, Person("Ann", "Ann", "en"))
    for name in PEOPLE[1:]:
        made = join(made, Join(made.invite or "", name), Person(name, name, "en"))
    return start(made)


def read(table: Table, seat: int, text: str) -> tuple[int, ...]:
    assert table.position is not None
    return tuple(table.position.read_move(text, seat))


def passed(card: str) -> Table:
    """Ann has passed with an action card in her hand, and is asked whether she takes a second turn."""
    begun = table(f"""
        game = "babel"
        players = 4
        [position]
        turn = 1
        actions = {{ 1 = ["{card}"] }}
    """)
    return move(begun, 0, "pass", begun.seq, read(begun, 0, "pass"))


def answering(after: str, data: Path, url: str | None = None) -> AbstractContextManager[Server]:
    """A server that plays forced answers after so many seconds."""
    return server(data, url, ZIGGURAT_FORCED=after, ZIGGURAT_LEASE="1", ZIGGURAT_SCENARIOS="1")


@asynccontextmanager
async def seated(base: str, **wish: Any) -> AsyncIterator[tuple[Json, list[Player]]]:
    """A table of four people that begins as a scenario says; none of them has it open."""
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(visitor(base, name)) for name in PEOPLE]
        made = await people[0].table("me", "open", "open", "open", game="babel", **wish)
        for name, person in zip(PEOPLE[1:], people[1:], strict=True):
            await person.join(made, name)
        await people[0].post(f"/api/tables/{made['id']}/start")
        yield made, people


@asynccontextmanager
async def at(table: Json, people: Sequence[Player]) -> AsyncIterator[list[Live]]:
    """People who have a table before them."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(person.at(table["id"])) for person in people]


async def until_asked(ann: Player, table: Json, seats: list[int]) -> None:
    """Wait until these seats are asked, without a connection to the table."""
    async with asyncio.timeout(60):
        while (await ann.get(f"/api/tables/{table['id']}"))["actors"] != seats:
            await asyncio.sleep(0.05)


async def build_alone(ann: Live, *others: Live) -> None:
    """Ann refuses all offers, before everybody's eyes."""
    [alone] = [choice["action"] for choice in ann.legal if choice["notation"] == "accept none"]
    seq = ann.state["seq"]
    assert (await ann.move([alone]))["type"] == "ack"
    for live in others:
        await live.until(lambda live=live: live.state["seq"] > seq)  # type: ignore[misc]


# --- The rules say so --------------------------------------------------------------------------------------------


def test_an_answer_is_forced_where_one_can_only_decline() -> None:
    position = reached(refused(seat2="joker", seat3="triple_refusal", seat4="draw"))
    assert [position.forced(seat) is not None for seat in range(4)] == [False, True, False, False]
    assert position.forced(1) == position.read_move("decline", 1)[0]
    assert [position.decision(seat).forced for seat in (1, 2)] == [True, False]


def test_a_single_legal_move_of_another_kind_is_for_its_player_to_make() -> None:
    """Who has no cards to offer can only offer nothing, and does so."""
    position: Position = reached("""
        game = "babel"
        players = 3
        moves = ["1 choose zeus 1"]
        [position]
        turn = 1
        discs.zeus = ["ship 4", "camel 3", "crane 3"]
        hands = { 1 = {}, 2 = {}, 3 = {} }
        actions = { 2 = ["joker"] }
    """)
    assert (position.actors, len(position.legal(1))) == ((1,), 1)
    assert position.forced(1) is None


# --- What happens at a table -------------------------------------------------------------------------------------


def test_a_forced_answer_is_played_once_and_only_while_it_is_owed() -> None:
    before = table(refused(seat2="joker", seat3="triple_refusal"))
    assert set(before.forced) == {1}
    after = play_forced(before, 1, before.seq)
    assert after.changes[-1].forced
    assert after.actors == (2,)
    assert play_forced(after, 1, before.seq) is after, "it is not owed any more"
    assert play_forced(before, 2, before.seq) is before, "Cleo can choose"


def test_a_choice_made_meanwhile_still_counts() -> None:
    """Several are asked at once, in any order: a forced answer makes nobody's choice stale, nor a bot's thought."""
    before = table(refused(seat2="joker", seat3="triple_refusal"))
    triple = read(before, 2, "triple")
    after = play_forced(before, 1, before.seq)
    assert move(after, 2, "one", before.seq, triple).changes[-1].steps == triple
    seats = after.with_seat(replace(after.seats[2], bot="greedy"))
    assert play_bot(replace(after, seats=seats), 2, "greedy", before.seq, triple).changes[-1].steps == triple
    assert play_bot(after, 2, "greedy", before.seq, triple) is after, "Cleo came back, and plays herself"


def test_what_is_forced_is_played_while_an_undo_waits_and_a_stand_in_answers_itself() -> None:
    """Their clocks go on; and the wish stands, for who chose the same answer would not have refused it either."""
    before = passed("joker")
    assert set(before.forced) == {0}, "asked for a second turn"
    asked = undo(before, 0, "undo")
    assert (set(asked.forced), asked.due) == ({0}, True)
    played = play_forced(asked, 0, asked.seq)
    assert played.undo == asked.undo
    for other in (1, 2):
        played = answer(played, other, "yes", agree=True)
    back = answer(played, 3, "yes", agree=True)
    assert (back.undo, back.actors, len(back.story())) == (None, (0,), 1), "from before the pass"
    chosen = undo(passed("double_turn"), 0, "undo")
    assert move(chosen, 0, "m", chosen.seq, read(chosen, 0, "decline")).undo == chosen.undo
    assert move(chosen, 0, "m", chosen.seq, read(chosen, 0, "double")).undo is None
    stood_in = before
    for seat in (1, 2):
        stood_in = agree_to_substitute(stood_in, seat, f"gone {seat}", 0, lambda one: 0.0 if one in (1, 2) else 301.0)
    assert (stood_in.forced, stood_in.bot_due) == ({}, 0)
    assert play_forced(stood_in, 0, before.seq) is stood_in


def declined(before: Table, seat: int) -> Table:
    """The rules decline for the seat, or its player does, who could do otherwise."""
    if seat in before.forced:
        return play_forced(before, seat, before.seq)
    return move(before, seat, "declined", before.seq, read(before, seat, "decline"))


def test_taking_back_goes_to_the_last_decision_that_everybody_knows_of() -> None:
    """Not to a forced answer, which would only be played again; nor to one that was chosen, or the others would learn
    from the difference who holds which action card."""
    for card, forced in (("joker", True), ("double_turn", False)):
        before = passed(card)
        assert (0 in before.forced) == forced
        after = declined(before, 0)
        wish = undo(after, 0, "undo").undo
        assert wish is not None
        assert wish.to == before.seq, "from before the pass"


def test_what_can_be_taken_back_does_not_tell_what_was_forced() -> None:
    """Bob declines while Cleo thinks: his answer showed him nothing, and still he cannot take it back at once."""
    found = []
    for card in ("joker", "triple_refusal"):
        after = declined(table(refused(seat2=card, seat3="triple_refusal")), 1)
        assert after.actors == (2,)
        found.append(can_undo(after, 1))
    assert found == [None, None], "it is his only move at this table"


# --- The server plays it -----------------------------------------------------------------------------------------


async def test_with_nobody_there_the_table_goes_on(data: Path, own_url: str | None) -> None:
    """No page is open, and no bot sits there."""
    with answering("0.2-0.4", data, own_url) as running:
        async with seated(running.base, scenario=refused(seat2="joker", seat3="disc_bonus")) as (made, (ann, *_)):
            await until_asked(ann, made, [1])  # Bob, whose turn is next


async def test_it_outlives_the_server(data: Path, own_url: str | None) -> None:
    async with httpx.AsyncClient(verify=False) as http:
        with answering("60", data, own_url) as first:
            async with seated(first.base, scenario=refused(seat3="joker")) as (made, people):
                async with at(made, people[1:3]) as (bob, cleo):
                    assert cleo.state["decision"]["forced"]
                    assert bob.state["table"]["actors"] == [2]
                http.cookies = people[0].http.cookies
                first.kill()
        with answering("0.1", data, own_url) as second:
            http.base_url = httpx.URL(second.base)
            await until_asked(Player(http, second.base), made, [1])


async def test_who_can_choose_waits_for_nobody(data: Path) -> None:
    scenario = offered(seat2="joker", seat3="triple_refusal", seat4="disc_bonus")
    with answering("60", data) as running:
        async with seated(running.base, scenario=scenario) as (made, people), at(made, people) as lives:
            ann, bob, cleo, dora = lives
            await build_alone(ann, bob, cleo, dora)
            assert [live.state["decision"]["forced"] for live in lives] == [False, True, False, True]
            triple = [choice["action"] for choice in cleo.legal if choice["type"] == "triple"]
            assert (await cleo.move(triple))["type"] == "ack"
            assert cleo.state["table"]["actors"] == [1, 3]
            assert "thinking" not in {message["type"] for live in lives for message in live.messages}


@pytest.mark.parametrize("pace", ["instant", "calm"])
async def test_nobody_else_can_tell_a_forced_answer_from_a_chosen_one(data: Path, pace: str) -> None:
    """Two tables, alike to everybody but Bob, who can only decline at one of them and chooses to at the other."""
    seen: list[list[Any]] = []
    with answering("0.6", data) as running:
        for card in ("joker", "triple_refusal"):
            scenario = offered(seat2=card, seat3="triple_refusal")
            async with (
                seated(running.base, scenario=scenario, pace=pace) as (made, people),
                at(made, people) as (ann, bob, cleo, dora),
            ):
                await build_alone(ann, bob, cleo, dora)
                assert bob.state["decision"]["forced"] == (card == "joker")
                if card != "joker":
                    await bob.move([choice["action"] for choice in bob.legal if choice["type"] == "decline"])
                others = (ann, cleo, dora)
                for live in others:
                    await live.until(lambda live=live: live.state["table"]["actors"] == [2])  # type: ignore[misc]
                seen.append([[timeless(one, made) for one in live.messages if told(one)] for live in others])
    assert seen[0] == seen[1]


def told(message: Json) -> bool:
    """Whether a message is about the game: who is here comes when it comes."""
    return bool(message["type"] != "presence")


def timeless(message: Json, table: Json) -> Any:
    """A message without the name of its table, the times of day and the text that the cards were laid out from."""
    if message["type"] != "update":
        return message["type"]
    message = json.loads(json.dumps(message).replace(table["id"], "table").replace(table["invite"], "invite"))
    for name in ("created", "updated", "scenario"):
        message["table"].pop(name, None)
    for seat in message["table"]["seats"]:
        del seat["online"]
    return message

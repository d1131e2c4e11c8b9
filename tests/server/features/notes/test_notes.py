"""Notes at a table: one's own while the game runs, and read after it by those on whom all agree."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, SEATS
from tests.server.fixtures import MOSTLY_SQLITE, on_both, own_on_both
from tests.server.player import Json, Live, Player, visitor
from tests.server.test_http import problem

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.features.notes import rows
from ziggurat.server.features.notes.models import note_readers, notes
from ziggurat.server.features.notes.rows import Note
from ziggurat.server.features.notes.rules import (
    MOST_CHARACTERS,
    MOST_CHARACTERS_OF_ALL,
    MOST_NOTES,
    NOTE_RATE,
    agreed,
)
from ziggurat.server.problems import Problem
from ziggurat.server.store import log, people
from ziggurat.server.store.database import Database

DATABASES = MOSTLY_SQLITE
BOTS = ["random"] * (SEATS - 2)


class Two(NamedTuple):
    """Two people at a table that has begun."""

    ann: Player
    bob: Player
    id: str
    invite: str

    @property
    def path(self) -> str:
        return f"/api/tables/{self.id}/notes"


@asynccontextmanager
async def two(base: str, **more: Any) -> AsyncIterator[Two]:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await ann.table("me", "open", *BOTS, **more)
        await bob.join(table, "Bob")
        await ann.post(f"/api/tables/{table['id']}/start")
        yield Two(ann, bob, table["id"], table["invite"])


async def write(who: Player, path: str, seq: int, text: str, before: str = "") -> Json:
    answer = await who.http.put(f"{path}/{seq}", json={"text": text, "before": before})
    assert answer.status_code == 200, answer.text
    saved: Json = answer.json()
    return saved


async def let_read(who: Player, path: str, readers: str) -> Json:
    answer = await who.http.put(f"{path}/readers", json={"readers": readers})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def texts(found: Json, whose: str = "mine") -> list[str]:
    return [note["text"] for note in found[whose]]


async def move(a: Live, b: Live) -> None:
    """One move, of whoever of the two is to move."""
    await a.until(lambda: {0, 1} & {*a.state["table"]["actors"]})
    mover, other = (a, b) if 0 in a.state["table"]["actors"] else (b, a)
    assert await mover.turn()
    await mover.move()
    await other.until_seq(mover.state["seq"])


async def end(game: Two) -> None:
    """Both agree to end the game."""
    async with game.ann.at(game.id) as a, game.bob.at(game.id) as b:
        assert (await a.reply(type="ask_end"))["type"] == "ack"
        await b.until(lambda: b.state["table"]["vote"] or b.state["table"]["status"] == "ended")
        assert (await b.reply(type="vote", agree=True))["type"] == "ack"
        await a.until(lambda: a.state["table"]["status"] == "ended")


# --- While it runs -------------------------------------------------------------------------------------------------


@on_both
async def test_notes_are_the_writers_alone_about_the_table_and_at_a_move(base: str) -> None:
    async with two(base) as game:
        async with game.ann.at(game.id) as a, game.bob.at(game.id) as b:
            await move(a, b)
            seq = a.state["seq"]
        await write(game.ann, game.path, 0, "Bob hoards blue.")
        saved = await write(game.ann, game.path, seq, "Why did he take\nthat?")
        assert (saved["seq"], saved["text"]) == (seq, "Why did he take\nthat?")
        assert saved["move"] >= 1
        await write(game.bob, game.path, 0, "Ann looks nervous.")
        found = await game.ann.get(game.path)
        assert texts(found) == ["Bob hoards blue.", "Why did he take\nthat?"]
        assert [note["move"] for note in found["mine"]] == [0, saved["move"]]
        assert (found["theirs"], found["agreed"], found["seat"]) == ([], {}, 0)
        assert texts(await game.bob.get(game.path)) == ["Ann looks nervous."]
        async with visitor(base, "Eve") as eve:
            problem(await eve.http.get(game.path), 404, "unknown_table")
            looks = await eve.get(game.path, headers={"X-Invite": game.invite})
            assert (looks["mine"], looks["theirs"], looks["seat"], looks["agreed"]) == ([], [], None, {})


async def test_nobody_else_is_told_that_one_writes(base: str) -> None:
    """Neither by a message, nor by the number, the log or the moment of the table."""
    async with two(base) as game, game.bob.at(game.id) as b:
        before = await game.bob.get(f"/api/tables/{game.id}")
        heard = len(b.messages)
        for text in ("S", "Se", "Secret"):
            await write(game.ann, game.path, 0, text, text[:-1] if len(text) == 2 else "" if text == "S" else "Se")
        assert (await b.reply(type="talk", most=1))["type"] != "error"  # whatever was sent before is here now
        news = [message for message in b.messages[heard:] if message["type"] not in ("talk", "thinking", "pong")]
        assert all("Secret" not in str(message) and "note" not in message["type"] for message in news)
        after = await game.bob.get(f"/api/tables/{game.id}")
        assert {key: before[key] for key in ("seq", "updated", "seats")} == {
            key: after[key] for key in ("seq", "updated", "seats")
        }


async def test_who_looks_on_or_only_made_the_table_writes_nothing(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Eve") as eve:
        table = await ann.table(*["random"] * SEATS)
        path = f"/api/tables/{table['id']}/notes"
        problem(await ann.http.put(f"{path}/0", json={"text": "x"}), 403, "not_seated")
        problem(await eve.http.put(f"{path}/0", json={"text": "x"}), 404, "unknown_table")
        problem(await ann.http.put(f"{path}/readers", json={"readers": "players"}), 403, "not_seated")


@pytest.mark.parametrize(
    ("seq", "body", "status", "code"),
    [
        (10_000, {"text": "x"}, 409, "no_moment"),
        (-1, {"text": "x"}, 409, "no_moment"),
        (0, {"text": "x" * (MOST_CHARACTERS + 1)}, 409, "note_long"),
        (0, {"text": "a\0b"}, 409, "note_not_text"),
        (0, {"text": "a\x1b[31m"}, 409, "note_not_text"),
        (0, {"text": 7}, 400, "bad_request"),
        (0, {}, 400, "bad_request"),
        (0, {"text": "x", "person": "bob"}, 400, "bad_request"),
        (0, {"text": "x" * 40_000}, 413, "too_large"),
    ],
)
async def test_what_cannot_be_a_note_is_refused_with_what_would_be_right(
    base: str, seq: int, body: Json, status: int, code: str
) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        path = f"/api/tables/{table['id']}/notes"
        problem(await ann.http.put(f"{path}/{seq}", json=body), status, code)
        assert (await ann.get(path))["mine"] == []


async def test_half_a_character_is_refused(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        json = {"content-type": "application/json"}
        path = f"/api/tables/{table['id']}/notes/0"
        answer = await ann.http.put(path, content=b'{"text": "\\ud800"}', headers=json)
        assert 400 <= answer.status_code < 500, answer.text


@on_both
async def test_two_windows_do_not_overwrite_each_other_and_a_repetition_changes_nothing(base: str) -> None:
    async with two(base) as game:
        await write(game.ann, game.path, 0, "One")
        assert await write(game.ann, game.path, 0, "One") == await write(game.ann, game.path, 0, "One", "whatever")
        answer = await game.ann.http.put(f"{game.path}/0", json={"text": "Two", "before": ""})
        assert problem(answer, 409, "note_changed")["args"] == {"text": "One"}
        await write(game.ann, game.path, 0, "One\nTwo", "One")
        gone = await game.ann.http.put(f"{game.path}/0", json={"text": "", "before": "One"})
        assert problem(gone, 409, "note_changed")["args"] == {"text": "One\nTwo"}
        await write(game.ann, game.path, 0, " \n", "One\nTwo")
        assert (await game.ann.get(game.path))["mine"] == []
        # Both begin at the same moment.
        sent = [game.ann.http.put(f"{game.path}/0", json={"text": text}) for text in ("left", "right")]
        codes = sorted(answer.status_code for answer in await asyncio.gather(*sent))
        assert codes == [200, 409]


async def test_it_cannot_be_saved_without_end(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        path, before = f"/api/tables/{table['id']}/notes/0", ""
        for number in range(NOTE_RATE[0] + 20):
            answer = await ann.http.put(path, json={"text": str(number), "before": before})
            if answer.status_code == 429:
                break
            before = str(number)
        assert problem(answer, 429, "too_fast")["args"]["retry"] >= 1


# --- After it ------------------------------------------------------------------------------------------------------


@on_both
async def test_after_the_game_the_notes_are_read_by_whom_all_agree_on(base: str) -> None:
    async with two(base) as game, visitor(base, "Eve") as eve:
        watch = {"headers": {"X-Invite": game.invite}}
        await write(game.ann, game.path, 1, "Mine")
        problem(await game.ann.http.put(f"{game.path}/readers", json={"readers": "players"}), 409, "not_over")
        await end(game)
        found = await let_read(game.ann, game.path, "watchers")
        assert (found["readers"], found["said"]) == ("nobody", "watchers")
        assert found["agreed"] == {"0": "watchers", "1": "nobody"}
        seen = await game.bob.get(game.path)
        assert (seen["theirs"], seen["agreed"]) == ([], {"0": "watchers", "1": "nobody"})
        # Bob wrote nothing, and is asked all the same.
        found = await let_read(game.bob, game.path, "players")
        assert found["readers"] == "players"
        assert [(note["text"], note["seat"]) for note in found["theirs"]] == [("Mine", 0)]
        looks = await eve.get(game.path, **watch)
        assert (looks["theirs"], looks["agreed"]) == ([], {})
        await let_read(game.bob, game.path, "watchers")
        looks = await eve.get(game.path, **watch)
        assert (texts(looks, "theirs"), looks["agreed"], looks["readers"]) == (["Mine"], {}, "watchers")
        # What is written later is read too, and not any more as soon as one of them says so.
        await write(game.bob, game.path, 0, "Well played")
        assert texts(await eve.get(game.path, **watch), "theirs") == ["Well played", "Mine"]
        assert (await let_read(game.bob, game.path, "nobody"))["theirs"] == []
        assert (await eve.get(game.path, **watch))["theirs"] == []
        assert texts(await game.ann.get(game.path), "theirs") == []


async def test_a_wrong_word_about_readers_says_which_there_are(base: str) -> None:
    async with two(base) as game:
        said = problem(await game.ann.http.put(f"{game.path}/readers", json={"readers": "all"}), 400, "bad_request")
        assert "readers" in said["detail"]


async def test_a_person_who_is_gone_leaves_no_note_and_need_not_agree(base: str) -> None:
    async with two(base) as game:
        await write(game.ann, game.path, 0, "Stays")
        await write(game.bob, game.path, 0, "Goes")
        told = (await game.bob.get("/api/me/everything"))["notes"]
        assert [(one["table"], one["seq"], one["text"]) for one in told["written"]] == [(game.id, 0, "Goes")]
        await end(game)
        await let_read(game.ann, game.path, "watchers")
        assert (await game.bob.http.delete("/api/me")).status_code == 204
        async with visitor(base, "Eve") as eve:
            looks = await eve.get(game.path, headers={"X-Invite": game.invite})
            assert texts(looks, "theirs") == ["Stays"]


async def test_the_replay_file_has_no_notes_even_when_all_agree(base: str) -> None:
    async with two(base) as game:
        await write(game.ann, game.path, 0, "Nobody reads this there")
        await end(game)
        for who in (game.ann, game.bob):
            await let_read(who, game.path, "watchers")
        replay = await game.bob.http.get(f"/api/tables/{game.id}/replay")
        assert replay.status_code == 200
        assert "Nobody reads this" not in replay.text


async def test_a_program_with_a_token_reads_no_notes(base: str) -> None:
    async with two(base) as game:
        await write(game.ann, game.path, 0, "Not for programs")
        await game.ann.post("/api/me/codes")
        made = await game.ann.post("/api/me/tokens", {"name": "x", "scope": "bot", "days": 1})
        bearer = {"authorization": f"Bearer {made['token']}"}
        async with visitor(base) as program:
            answer = await program.http.get(game.path, headers=bearer)
            assert answer.status_code == 403, answer.text


async def test_what_a_guest_wrote_comes_with_them(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Ann 2") as guest:
        code = (await ann.post("/api/me/codes"))["codes"][0]
        table = await guest.table("me", *["random"] * (SEATS - 1))
        path = f"/api/tables/{table['id']}/notes"
        await write(guest, path, 0, "As a guest")
        await guest.post("/api/sign-in", {"secret": code})
        assert texts(await guest.get(path)) == texts(await ann.get(path)) == ["As a guest"]
        assert texts((await ann.get("/api/me/everything"))["notes"], "written") == ["As a guest"]


def test_a_running_game_is_read_by_nobody_whatever_was_said() -> None:
    running = create(NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("bot", bot="random")] * (SEATS - 1)]), ANN)
    assert agreed(running, {ANN.id: "watchers"}) == "nobody"
    assert agreed(replace(running, status="ended"), {ANN.id: "watchers"}) == "watchers"
    assert agreed(replace(running, status="ended"), {}) == "nobody"


# --- Rows ----------------------------------------------------------------------------------------------------------


ANN, GUEST = Person("ann", "Ann", "en"), Person("guest", "Ann 2", "en")


@pytest.fixture
async def table(database: Database) -> str:
    """A table of Ann's, who has a browser, as has a guest."""
    made = create(NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)]), ANN)
    for person in (ANN, GUEST):
        await database.write(partial(people.insert, person=person, token=person.id))
    await database.write(partial(log.insert, table=made))
    return made.id


async def put(database: Database, table: str, person: Person, seq: int, text: str, before: str = "") -> Note | Problem:
    job = partial(rows.write, table=table, person=person.id, seq=seq, text=text, before=before)
    try:
        return await database.write(job)
    except Problem as refused:
        return refused


async def notes_of(database: Database, table: str, person: Person) -> list[tuple[int, str]]:
    found = await database.read(lambda c: rows.of_people(c, table, [person.id]))
    return [(note.seq, note.text) for note in found]


async def test_notes_have_a_number_and_a_length_altogether(database: Database, table: str) -> None:
    for seq in range(MOST_NOTES):
        assert isinstance(await put(database, table, ANN, seq, "x"), Note)
    refused = await put(database, table, ANN, MOST_NOTES, "x")
    assert isinstance(refused, Problem)
    assert (refused.code, refused.args_["max"]) == ("many_notes", MOST_NOTES)
    assert isinstance(await put(database, table, GUEST, MOST_NOTES, "another person's"), Note)
    for seq in range(MOST_CHARACTERS_OF_ALL // MOST_CHARACTERS - 1):
        assert isinstance(await put(database, table, ANN, seq, "x" * MOST_CHARACTERS, "x"), Note)
    refused = await put(database, table, ANN, MOST_NOTES - 1, "x" * MOST_CHARACTERS, "x")
    assert isinstance(refused, Problem)
    assert (refused.code, refused.args_["max"]) == ("notes_full", MOST_CHARACTERS_OF_ALL)
    assert isinstance(await put(database, table, ANN, MOST_NOTES - 1, "", "x"), Note)
    assert len(await notes_of(database, table, ANN)) == MOST_NOTES - 1


@own_on_both
async def test_nothing_is_lost_when_a_guest_becomes_a_person_who_wrote_too(database: Database, table: str) -> None:
    for person, seq, text in ((ANN, 0, "Ann"), (GUEST, 0, "guest"), (GUEST, 3, "at three"), (ANN, 4, "same")):
        await put(database, table, person, seq, text)
    await put(database, table, GUEST, 4, "same")
    await database.write(lambda c: rows.let_read(c, table, ANN.id, "watchers"))
    await database.write(lambda c: rows.let_read(c, table, GUEST.id, "players"))
    await database.write(lambda c: rows.become(c, GUEST.id, ANN.id))
    assert await notes_of(database, table, ANN) == [(0, "Ann\nguest"), (3, "at three"), (4, "same")]
    assert await notes_of(database, table, GUEST) == []
    assert await database.read(lambda c: rows.readers_of(c, table)) == {ANN.id: "players"}


@own_on_both
async def test_notes_go_with_their_table_and_with_their_person(database: Database, table: str) -> None:
    async def kept() -> list[int]:
        def count(connection: sa.Connection) -> list[int]:
            counts = [sa.select(sa.func.count()).select_from(one) for one in (notes, note_readers)]
            return [int(connection.execute(one).scalar_one()) for one in counts]

        return await database.read(count)

    for person in (ANN, GUEST):
        await put(database, table, person, 0, "x")
        await database.write(partial(rows.let_read, table=table, person=person.id, readers="players"))
    assert await kept() == [2, 2]
    await database.write(lambda c: rows.forget(c, GUEST.id))
    assert await kept() == [1, 1]
    await database.write(lambda c: rows.forget_tables(c, [table]))
    assert await kept() == [0, 0]

"""Tables that are laid out from a scenario file: the text is the truth, and everybody is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from tests import runs
from tests.example import needs
from tests.server.inside import browser
from tests.server.player import Player, visitor
from tests.server.process import launch, server

import ziggurat
from ziggurat.core.scenario import reached
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.scenarios import table_from_scenario
from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.models import tables
from ziggurat.server.worker import write_laid

pytestmark = [needs("alhambra"), pytest.mark.slow]
OTHER = next(game for game in ziggurat.registered_games() if game != "alhambra")

LATE = """
game = "alhambra"
players = 3
moves = ["2 take green 9"]
[options]
refill_order = "buildings_first"
[position]
turn = 2
slots = ["garden 10", "tower 13", "arcades 8", "pavilion 5"]
open_money = ["green 9", "blue 1", "orange 3", "yellow 2"]
hands = { 1 = ["green 1"], 2 = ["blue 2"], 3 = ["yellow 5"] }
built = { 1 = { garden = 2 }, 2 = { garden = 1 } }
building_deck_left = 0
money_deck = ["blue 8", "yellow 1"]
scored = ["A", "B"]
scores = [4, 3, 2]
"""
"""Seat 2 has taken the green 9, and nobody can buy yet; the first purchase ends the game."""

SEATS = [{"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "greedy"}, {"kind": "me"}]


async def lay(ann: Player, text: str = LATE, seats: Any = SEATS) -> dict[str, Any]:
    body = {"game": "alhambra", "pace": "instant", "seats": seats, "scenario": text}
    table: dict[str, Any] = await ann.post("/api/tables", body, 201)
    return table


async def test_a_table_begins_where_the_moves_of_the_file_end(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await lay(ann, seats=[{"kind": "bot", "bot": "random"}, {"kind": "open"}, {"kind": "me"}])
        await bob.join(table, "Bob")
        await ann.post(f"/api/tables/{table['id']}/start")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            position = reached(LATE)
            assert position.actors == (2,)
            for live, seat in ((a, 2), (b, 1)):
                first = next(message for message in live.messages if message["type"] == "update")
                owners = first["view"]["owners"]
                assert [owner["score"] for owner in owners] == [4, 3, 2]
                assert [owner["seat"] for owner in owners if owner["hand"] is not None] == [seat]
                assert [event["type"] for event in first["events"]][:1] == ["took"], "what the file tells is in the log"
            assert a.legal


async def test_everybody_who_looks_is_told_and_nothing_is_promised(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base) as eve:
        usual = await ann.table("me", "random")
        assert usual["laid"] is False
        table = await lay(ann, seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])
        path = f"/api/tables/{table['id']}"
        before_sitting = await bob.get(path, params={"invite": table["invite"]})
        await bob.join(table, "Bob")
        await eve.join(table, "Eve")
        await ann.post(f"{path}/start")
        async with ann.at(table["id"]) as live:
            told = [table, before_sitting, await bob.get(path), live.state["table"], (await eve.get("/api/tables"))[0]]
        assert all(info["laid"] for info in told)
        assert [info[what] for info in told for what in ("seed_hash", "seed", "salt")] == [None] * 15


async def test_a_laid_game_is_played_taken_back_looked_at_and_taken_away(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await lay(ann)
        path = f"/api/tables/{table['id']}"
        async with ann.at(table["id"]) as live:
            await live.turn()
            beginning = live.state
            assert live.state["can_undo"] is None, "what the file tells cannot be taken back"
            await live.move(live.takes()[:1])
            await live.turn()
            await live.reply(type="undo")
            await live.until(lambda: live.state["from"] == 0)
            assert live.state["view"] == beginning["view"]
            await live.play()
            over, log = live.state["table"], live.log
        assert [over[what] for what in ("seed_hash", "seed", "salt")] == [None] * 3
        frames = (await ann.get(f"{path}/history"))["frames"]
        assert [event for frame in frames for event in frame["events"]] == log
        text = (await ann.http.get(f"{path}/replay")).text
        assert text.endswith(f"\n[scenario]\n{LATE.rstrip()}\n")
        assert ziggurat.Replay.parse(text).verify().scores == over["scores"]
        assert (await ann.http.get(f"{path}/review/{frames[-1]['seq']}")).status_code in (200, 503)
        again = await ann.post(f"{path}/rematch")
        assert again["laid"]
        async with ann.at(again["id"]) as live:
            assert live.log[0] == log[0]


async def test_without_the_snapshot_the_text_and_the_log_tell_the_same(data: Path, own_url: str | None) -> None:
    async with httpx.AsyncClient(verify=False) as http:
        with server(data, own_url, ZIGGURAT_SCENARIOS="1") as first:
            http.base_url = httpx.URL(first.base)
            ann = Player(http, first.base)
            table = await lay(ann)
            async with ann.at(table["id"]) as live:
                await live.turn()
                await live.move(live.takes()[:1])
                await live.turn()
                before, log = live.state, live.log
        await first.in_database(lambda c: c.execute(sa.update(tables).values(snapshot=None)).close())
        # A server that lays no tables for visitors goes on with those that it has.
        with server(data, own_url, ZIGGURAT_SCENARIOS="") as second:
            http.base_url = httpx.URL(second.base)
            async with Player(http, second.base).at(table["id"]) as live:
                assert live.state["table"]["laid"]
                assert live.state["view"] == before["view"]
                assert live.state["decision"] == before["decision"]
                assert live.log == log
                await live.play()
                assert live.over


def test_a_scenario_that_no_table_can_be_laid_from(tmp_path: Path) -> None:
    wrong: list[tuple[Any, str, str]] = [
        ({"scenario": LATE.replace("garden 10", "garden 99")}, "bad_scenario", "Line 9: 'garden 99'"),
        ({"scenario": LATE.replace("2 take", "3 take")}, "bad_scenario", "Line 4: '3 take green 9' cannot be played"),
        ({"scenario": "no = 'scenario'"}, "bad_scenario", "unknown field"),
        ({"scenario": LATE, "options": {"refill_order": "buildings_first"}}, "bad_request", "send neither"),
        ({"scenario": LATE, "components": ""}, "bad_request", "send neither"),
        ({"scenario": LATE, "seats": SEATS[:2]}, "bad_request", "3 players, not 2"),
        ({"scenario": f'game = "{OTHER}"\nplayers = 3'}, "bad_request", f"{OTHER}, not of alhambra"),
    ]
    with browser(tmp_path, scenarios=True) as ann:
        for more, code, says in wrong:
            answer = ann.post("/api/tables", json={"game": "alhambra", "seats": SEATS, **more})
            assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
            assert says in answer.json()["detail"]
            assert "set-cookie" not in answer.headers


def test_a_position_without_a_decision_is_no_table() -> None:
    over = LATE.replace("garden 10", "")
    with pytest.raises(ziggurat.ZigguratError, match="the game is over in this position"):
        table_from_scenario(over)


def test_visitors_lay_no_tables_unless_the_server_is_set_up_for_it(tmp_path: Path) -> None:
    assert Settings().scenarios is False
    with browser(tmp_path) as eve:
        answer = eve.post("/api/tables", json={"game": "alhambra", "seats": SEATS, "scenario": LATE})
        assert (answer.status_code, answer.json()["code"]) == (403, "no_scenarios")
        assert "set-cookie" not in answer.headers
        assert eve.get("/api/tables").json() == []


async def test_whoever_runs_the_server_lays_a_table_for_whoever_follows_its_link(
    data: Path, own_url: str | None
) -> None:
    """It starts when the last one has sat down, since nobody is its host."""
    with server(data, own_url) as running:
        for seats in ([], ["open", "mason", "open"]):
            database = open_database(running.settings)
            link = await write_laid(database, table_from_scenario(LATE, seats))
            await database.close()
            id, invite = link.removeprefix("#/join/").split("/")
            missing = seats.count("open") or 1
            for number in range(missing):
                async with visitor(running.base) as guest:
                    table = await guest.join({"id": id, "invite": invite}, f"Guest {number}")
                    assert table["laid"]
                    assert table["status"] == ("playing" if number == missing - 1 else "waiting")
                    assert not table["host"]
                    assert HOUSE_PERSON.id not in str(table)
            async with visitor(running.base) as late:
                answer = await late.http.post(f"/api/tables/{id}/join", json={"invite": invite, "name": "Late"})
                assert answer.json()["code"] == "already_started"


@runs.whole
async def test_the_command_starts_a_server_and_prints_the_link(tmp_path: Path) -> None:
    (tmp_path / "late.toml").write_text(LATE)
    arguments = [str(tmp_path / "late.toml"), "--table", "--port", "0", "--no-browser", "--data", str(tmp_path)]
    process = launch("scenario", *arguments, module="ziggurat.cli")
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("The table is at http://127.0.0.1:"), line
        base, _, link = line.split()[4].partition("/#/join/")
        id, invite = link.split("/")
        async with visitor(base) as ann:
            table = await ann.join({"id": id, "invite": invite}, "Ann")
            assert table["you"] == 2
            async with ann.at(id) as live:
                assert await live.turn()
    finally:
        process.terminate()
        process.communicate(timeout=60)

"""The printed numbers as JSON, for whoever counts points with the box."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.example import EXAMPLE, GAME
from tests.server.inside import house
from tests.server.player import visitor

import ziggurat
from ziggurat.server.domain.create import COMPONENTS_CHARACTERS
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, prepare=False)


async def test_printed_numbers_are_read_as_for_a_table_and_nothing_is_kept(settings: Settings) -> None:
    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}") as player:
        ada = player.http
        for game in ziggurat.registered_games().values():
            said = (await ada.get(f"/api/games/{game.id}/printed")).json()
            assert said == {
                "digest": game.components.digest,
                "own": False,
                "values": msgspec.to_builtins(game.components.values),
            }
        address = f"/api/games/{EXAMPLE}/printed"
        text = f"{GAME.components_text()}\n# the same\n"
        assert (await ada.post(address, json={"components": text})).json() == (await ada.get(address)).json()
        wrong = await ada.post(address, json={"components": "\n\nnope = 3"})
        assert (wrong.status_code, wrong.json()["code"], wrong.json()["args"]["line"]) == (400, "bad_components", 3)
        for body in ({}, {"components": 3}, {"components": "#" * (COMPONENTS_CHARACTERS + 1)}):
            assert (await ada.post(address, json=body)).status_code == 400
        assert (await ada.post("/api/games/nothing/printed", json={"components": text})).status_code == 404
        assert (await ada.get("/api/games/nothing/printed")).status_code == 404
        assert "set-cookie" not in wrong.headers

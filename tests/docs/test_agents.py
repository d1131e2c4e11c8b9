"""The program that the page on bots of one's own shows is all of one."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from tests import runs
from tests.docs.pages import DOCS
from tests.example import needs

import ziggurat
from ziggurat.bots.outside import BotHello, BotReply, BotRequest, End, Wants
from ziggurat.lab.tournament import tournament

TEXT = (DOCS / "agents.md").read_text(encoding="utf-8")
GAME = "alhambra"
pytestmark = [needs("alhambra"), pytest.mark.slow]


@runs.whole
def test_the_program_on_the_page_plays(tmp_path: Path) -> None:
    code = re.search(r"```python\n(import json.*?)```", TEXT, re.DOTALL)
    assert code
    file = tmp_path / "my_bot.py"
    file.write_text(code[1], encoding="utf-8")
    bot = f"me=cmd:{shlex.quote(sys.executable)} -I -S {file}"
    rows = tournament(GAME, ["random", bot], players=2, games=2, seed=1).rows
    assert rows["failure"].to_list() == [None] * 4


def test_the_messages_on_the_page_are_those_that_there_are() -> None:
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
    kinds = [BotHello, Wants, BotRequest, BotReply, End]
    assert [{*message} - {"type"} for message in shown] == [{*kind.__struct_fields__} for kind in kinds]
    hello, game = shown[0], ziggurat.game(GAME)
    assert (hello["game"], hello["actions"]) == (game.id, game.actions)
    assert {*hello["versions"]} <= {*ziggurat.versions(game)}
    columns = {column.name: column for column in game.features(hello["players"])}
    for column in hello["columns"]:
        assert (column["low"], column["high"]) == (columns[column["name"]].low, columns[column["name"]].high)

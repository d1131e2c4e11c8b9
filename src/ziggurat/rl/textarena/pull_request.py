"""What a pull request to TextArena needs, written into a checkout of it: a folder of an environment, its
registration, and its lines in their list of games."""

from __future__ import annotations

from pathlib import Path

import ziggurat
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.text import catalogue
from ziggurat.core.whole_files import write_whole
from ziggurat.rl.textarena import env_id

FOLDER = "Ziggurat"
ENVS = Path("textarena", "envs")

ENV = '''\
"""Board games with hidden cards; their rules are in the package `ziggurat-games`."""

try:
    from ziggurat.rl.textarena.env import TextArenaGame as ZigguratEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("The ziggurat environments need: pip install ziggurat-games") from error

__all__ = ["ZigguratEnv"]
'''
TEST = '''\
"""Whole games by a player that knows nothing but what it is sent."""

import random
import re

import pytest

import textarena as ta

GAMES = {games}


def test_reset():
    env = ta.make("{first}-raw")
    with pytest.raises(ValueError):
        env.reset(num_players=99)
    with pytest.raises(ValueError):
        ta.make("{first}", rules="some")


@pytest.mark.parametrize("env_id, players", GAMES)
def test_random_play(env_id, players):
    chance = random.Random(1)
    env = ta.make(env_id)
    env.reset(num_players=players, seed=1)
    done = False
    while not done:
        player, observation = env.get_observation()
        numbers = re.findall(r"^\\[(\\d+)\\] ", observation, re.MULTILINE)
        done, _ = env.step(f"I choose [{{chance.choice(numbers)}}]")
    rewards, info = env.close()
    assert set(rewards) == set(range(players)) and max(rewards.values()) <= 1 and min(rewards.values()) >= -1
    assert not any(one["invalid_move"] for one in info.values())


@pytest.mark.parametrize("env_id, players", GAMES)
def test_invalid_answers(env_id, players):
    env = ta.make(env_id)
    env.reset(num_players=players, seed=1)
    done = False
    while not done:
        env.get_observation()
        done, _ = env.step("[no such thing]")
    rewards, info = env.close()
    assert sum(one["invalid_move"] for one in info.values()) == players - 1
    assert sorted(rewards.values()) == [-1] * (players - 1) + [1]
'''
REGISTRATION = """

# Ziggurat: board games for several players with hidden cards; pip install ziggurat-games
ZIGGURAT_WRAPPERS = {{"default": [GameBoardObservationWrapper, ActionFormattingWrapper], \
"-train": [GameBoardObservationWrapper, ActionFormattingWrapper], "-history": DEFAULT_WRAPPERS}}
{lines}
"""
LINE = 'register_with_versions(id="{id}", entry_point="textarena.envs.Ziggurat.env:ZigguratEnv", \
wrappers=ZIGGURAT_WRAPPERS, game="{game}")'
README = """\
# Ziggurat

Board games for several players with hidden cards. Their rules come from a package: `pip install ziggurat-games`.

| **Env-ID** | **Game** | **Players** |
|------------|----------|:-----------:|
{rows}

**Action Space:** each question has a numbered list of all that the player may do. The answer ends with one of the
list in square brackets: its number, as `[2]`, or what stands beside it. Only the last brackets count.

| **Condition** | **Reward** |
|---------------|------------|
| at the end | in equal steps from `+1` for the winners to `-1` for the last |
| more wrong answers in a row than `error_allowance` | `-1`; of two players the other wins, among more a program \
plays the seat on |

| **Argument** | **Meaning** |
|--------------|-------------|
| `rules` | how much of the rules the prompt has: `all`, `play` (default), `minute` or `none` |
| `error_allowance` | wrong answers in a row that cost nothing (default 1) |
| `options` | of the game |

| **Full Env-ID format** | **Default Wrappers** |
|------------------------|----------------------|
| `ziggurat-{{game}}-v0` | `GameBoardObservationWrapper`, `ActionFormattingWrapper` |
| `ziggurat-{{game}}-v0-train` | `GameBoardObservationWrapper`, `ActionFormattingWrapper` |
| `ziggurat-{{game}}-v0-history` | `LLMObservationWrapper`, `ActionFormattingWrapper` |
| `ziggurat-{{game}}-v0-raw` | *None* |
"""
ROW = "| {number}      | [`{id}`](#ziggurat) | {players} |      ✗      |        |         |         |          |"
TABLE = "# Multi-player Environments"


def write(checkout: Path) -> list[Path]:
    """Write what the pull request needs; return the files that are new or changed.

    Raises:
        BadOption: for a folder that is no checkout of TextArena.
    """
    envs = checkout / ENVS
    registry = envs / "__init__.py"
    if not registry.is_file() or "register_with_versions" not in registry.read_text(encoding="utf-8"):
        raise BadOption(f"{checkout} is no checkout of TextArena: it has no {ENVS / '__init__.py'} with its games")
    games = [game for game in ziggurat.registered_games().values() if game.max_players > 1]
    folder = envs / FOLDER
    folder.mkdir(exist_ok=True)
    tables = [(env_id(game.id), players) for game in games for players in {max(2, game.min_players), game.max_players}]
    texts = {
        folder / "__init__.py": "",
        folder / "env.py": ENV,
        folder / "README.md": README.format(rows="\n".join(map(_row, games))),
        folder / "test_ziggurat.py": TEST.format(games=sorted(tables), first=env_id(games[0].id)),
        registry: _registered(registry.read_text(encoding="utf-8"), games),
    }
    listing = envs / "README.md"
    if listing.is_file():
        texts[listing] = _listed(listing.read_text(encoding="utf-8"), games)
    for path, text in texts.items():
        write_whole(path, text)
    return list(texts)


def _players(game: Game) -> str:
    least = max(2, game.min_players)
    return str(least) if least == game.max_players else f"{least}-{game.max_players}"


def _row(game: Game) -> str:
    return f"| `{env_id(game.id)}` | {catalogue('en', game)('name')} | {_players(game)} |"


def _registered(text: str, games: list[Game]) -> str:
    if "ZIGGURAT_WRAPPERS" in text:
        return text
    lines = "\n".join(LINE.format(id=env_id(game.id), game=game.id) for game in games)
    return text.rstrip("\n") + REGISTRATION.format(lines=lines)


def _listed(text: str, games: list[Game]) -> str:
    """Return their list of games with rows at the end of the table, and a section."""
    if "(#ziggurat)" in text or TABLE not in text:
        return text
    before, after = text.split(TABLE, 1)
    lines = after.split("\n")
    begin = next(number for number, line in enumerate(lines) if line.startswith("|"))
    end = next(number for number, line in enumerate(lines) if number > begin and not line.startswith("|"))
    first = end - begin - 1  # the head and what separates it are no games
    rows = [
        ROW.format(number=first + number, id=env_id(game.id), players=_players(game))
        for number, game in enumerate(games)
    ]
    said = README.format(rows="\n".join(map(_row, games))).replace("# Ziggurat", "## `Ziggurat`", 1)
    head = '<details><summary><strong>Ziggurat [2+ Players]</strong></summary><a id="ziggurat"></a><hr>'
    text = before + TABLE + "\n".join([*lines[:end], *rows, *lines[end:]])
    return f"{text.rstrip()}\n\n{head}\n\n{said}\n<hr></details>\n"

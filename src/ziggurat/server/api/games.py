"""`/api/games`: the games, their options and their rules. This module names no game."""

from __future__ import annotations

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

import ziggurat
from ziggurat.bots.levels import LEVELS
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.registry import games
from ziggurat.core.text import rules_file
from ziggurat.core.usual import NoComponents
from ziggurat.server.api.endpoints import ANYONE, READ_SCOPES, Endpoint
from ziggurat.server.api.rules import page
from ziggurat.server.problems import Problem
from ziggurat.server.settings import Settings


class OptionInfo(msgspec.Struct):
    """A rule that the people at a table choose. No choices: free text."""

    name: str
    choices: list[str]
    default: str
    players: tuple[int, int] | None


class GameInfo(msgspec.Struct):
    """A game that can be played."""

    id: str
    min_players: int
    max_players: int
    options: list[OptionInfo]
    bots: list[str]
    host_bots: list[str]
    """Bots that the host has added, by their names; a seat calls them `host:NAME`."""
    version: str
    components: bool
    """Whether it has printed numbers that people may change."""


@get("/api/games", summary="The games that can be played", endpoint=Endpoint(ANYONE, programs=READ_SCOPES))
async def list_games(settings: NamedDependency[Settings]) -> list[GameInfo]:
    """Return every game with its options and bots."""
    return [
        GameInfo(
            game.id,
            game.min_players,
            game.max_players,
            [OptionInfo(o.name, list(o.choices), o.default, o.players) for o in game.options],
            list(LEVELS),
            [bot.name for bot in settings.house_bots(game.id).values()],
            game.version,
            game.components_type is not NoComponents,
        )
        for game in games().values()
    ]


@get(
    "/api/games/{game_id:str}/components",
    media_type=MediaType.TEXT,
    summary="The printed numbers of a game, as TOML",
    endpoint=Endpoint(ANYONE, programs=READ_SCOPES),
)
async def get_components(game_id: FromPath[str]) -> str:
    """Return the default components file, a template for one's own."""
    return ziggurat.game(game_id).components_text()


@get(
    "/api/games/{game_id:str}/rules/{language:str}",
    summary="The rules of a game, as a fragment of HTML",
    endpoint=Endpoint(ANYONE, programs=READ_SCOPES),
)
async def get_rules(game_id: FromPath[str], language: FromPath[str]) -> Response[str]:
    """Return the rules of a game in our own words."""
    game = ziggurat.game(game_id)
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise Problem(
            404, "unknown_language", f"The rules are written in {known}, not in {language[:20]!r}.", known=LANGUAGES
        )
    path = rules_file(game.id, language)
    if path is None:
        raise Problem(404, "no_rules", "The rules of this game are not installed.", game=game.id)
    return Response(page(game.id, path), media_type=MediaType.HTML)

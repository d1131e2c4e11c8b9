"""The tools of the Model Context Protocol server, and their answers."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field, Strict

import ziggurat
from ziggurat.bots import BOTS
from ziggurat.bots.entrants import VISITOR_ITERATIONS
from ziggurat.core.board import board_of
from ziggurat.core.errors import ZigguratError
from ziggurat.core.in_words import action_texts, observation_text, seat_names
from ziggurat.core.languages import LANGUAGES, Language
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue, rules_text
from ziggurat.mcp.arguments import PlainServer
from ziggurat.mcp.tables import McpTable, McpTables, NotToBeHad

PAGE_CHARACTERS = 6_000
"""Characters of the rules in one answer."""
MOST_WAIT_SECONDS = 30.0
"""Seconds that a client may wait for its turn in one call, at most."""
MOST_EVENTS = 60
"""Events that are told at once, at most: the last ones."""

INSTRUCTIONS = """\
Board games with hidden cards, for any number of your own seats against bots or other clients. `games` lists them,
`rules` teaches one, `begin` deals one and gives a key. Then, until it is over: `observe` says what your seat sees and
what it may do, `act` plays one of these. Moves of several steps are played step by step, or at once in notation. Seats
count from 0 in numbers, and from 1 in sentences. Games are kept in memory: they end with this server."""

Whole = Annotated[int, Strict()]
"""A whole number, and not true or 1.0, which would count as 1."""
InLanguage = Annotated[Language, Field(description="of the sentences")]
Key = Annotated[str, Field(max_length=40, description="the secret that `begin` or `join` gave")]
Seat = Annotated[
    Whole | None, Field(ge=0, le=15, description="one of yours, from 0; by default the one that must decide")
]
Action = Annotated[
    Whole | Annotated[str, Field(max_length=300)],
    Field(description="the number of a legal action, or a whole move in notation"),
]
Wait = Annotated[
    float,
    Field(
        strict=True,
        ge=0,
        le=MOST_WAIT_SECONDS,
        description="seconds to wait until the seat must decide, if it need not",
    ),
]
Bot = Annotated[str, Field(max_length=40)]
F = TypeVar("F", bound=Callable[..., Awaitable[Any]])


@dataclass
class GameToBegin:
    """A game that can be begun."""

    id: str
    name: str
    players: list[int]
    """The least and the most."""
    options: dict[str, list[str]]
    """Their values, the usual one first."""


@dataclass
class GamesInfo:
    games: list[GameToBegin]
    bots: list[str]
    """Who can play the other seats, the weakest first; besides them search:N, a search of so many iterations."""


@dataclass
class RulesPage:
    text: str
    page: int
    pages: int


@dataclass
class Begun:
    """A game of the client's, with its key."""

    key: str
    """Say it with every call; whoever has it plays for you."""
    seats: list[int]
    """For which it speaks."""
    invite: str | None
    """By which other clients take the free seats, with `join`."""


@dataclass
class LegalAction:
    action: int
    notation: str
    words: str


@dataclass
class Observation:
    """A seat's observation, and its choices."""

    seat: int
    text: str
    """What it sees, in words."""
    news: list[str]
    """What has happened since it was last told."""
    asked: bool
    """Whether it must decide now."""
    waits_for: list[int]
    """All seats that must decide now; several where the game has them decide at the same time."""
    legal: list[LegalAction]
    over: bool
    scores: list[int] | None
    """Points, when it is over."""
    winners: list[int]


@dataclass
class AboutPiece:
    piece: str
    name: str
    what: list[str]
    worth: list[str]
    """To this seat, now."""


def refusing(tool: F) -> F:
    """Turn an error into a refusal that says what would be right."""

    @functools.wraps(tool)
    async def called(*given: Any, **named: Any) -> Any:
        try:
            return await tool(*given, **named)
        except ZigguratError as error:
            raise ToolError(error.detail) from None

    return called  # type: ignore[return-value]


def _observed(table: McpTable, seat: int, language: str) -> Observation:
    position, say = table.position, catalogue(language, table.position.game)
    name = seat_names(say, position)
    unsaid = board_of(position.game.id).unsaid
    news = [say.event(event, name) for event in table.news(seat) if event.type not in unsaid]
    return observation(position, seat, language, news[-MOST_EVENTS:], waits=table.waits_for_people)


def observation(position: Position, seat: int, language: str, news: list[str], *, waits: bool = False) -> Observation:
    """Return a seat's observation and its choices. `waits`: the game has not begun."""
    legal = [] if waits else position.legal(seat)
    words = action_texts(position, seat, legal, language)
    return Observation(
        seat=seat,
        text=observation_text(position, seat, language),
        news=news,
        asked=bool(legal),
        waits_for=[] if waits else [*position.actors],
        legal=[
            LegalAction(action, position.write_step(action), said) for action, said in zip(legal, words, strict=True)
        ],
        over=position.finished,
        scores=position.scores if position.finished else None,
        winners=position.winners,
    )


def described(position: Position, seat: int, pieces: Sequence[str], language: str) -> list[AboutPiece]:
    """Return descriptions of pieces, and what they are worth to a seat.

    Raises:
        UnknownPiece.
    """
    say = catalogue(language, position.game)
    name = seat_names(say, position)
    return [
        AboutPiece(
            one.piece,
            say.say(one.name, name),
            [say.say(phrase, name) for phrase in one.what],
            [say.say(phrase, name) for phrase in one.worth],
        )
        for one in position.about(seat, pieces)
    ]


def unlogged_server(name: str, instructions: str) -> MCPServer[Any]:
    """Return a server without tools, which does not log each request."""
    return PlainServer(name, instructions=instructions, version=ziggurat.__version__, log_level="WARNING")


def with_rules(made: MCPServer[Any]) -> None:
    """Add the tools that list the games and read their rules."""

    @made.tool(name="games")
    @refusing
    async def list_games() -> GamesInfo:
        """List the games that can be played here, how many play, their options, and the bots."""
        found = []
        for game in ziggurat.registered_games().values():
            values = {one.name: _usual_first(one.choices, one.default) for one in game.options}
            title = catalogue("en", game)("name")
            found.append(GameToBegin(game.id, title, [game.min_players, game.max_players], values))
        return GamesInfo(found, list(BOTS))

    @made.tool()
    @refusing
    async def rules(
        game: Annotated[str, Field(max_length=40)],
        page: Annotated[Whole, Field(ge=1, le=100)] = 1,
        language: InLanguage = LANGUAGES[0],
    ) -> RulesPage:
        """Read the rules of a game, page by page."""
        text = rules_text(ziggurat.game(game).id, language)
        if text is None:
            raise NotToBeHad(f"the rules of {game} are not written down here")
        pages = _pages(text)
        if page > len(pages):
            raise NotToBeHad(f"the rules of {game} have {len(pages)} pages, not {page}")
        return RulesPage(pages[page - 1], page, len(pages))


def mcp_server(tables: McpTables | None = None) -> MCPServer[Any]:
    """Return a server with games of its own."""
    games = tables if tables is not None else McpTables()
    made = unlogged_server("ziggurat", INSTRUCTIONS)
    with_rules(made)

    @made.tool()
    @refusing
    async def begin(
        game: Annotated[str, Field(max_length=40, description="an id of `games`")],
        players: Annotated[Whole, Field(ge=1, le=15)],
        seats: Annotated[list[Whole], Field(min_length=1, max_length=15, description="that you play, from 0")] = [0],  # noqa: B006
        free: Annotated[
            list[Whole], Field(max_length=15, description="that wait for other clients; the game begins with the last")
        ] = [],  # noqa: B006
        opponents: Annotated[
            Bot | Annotated[list[Bot], Field(max_length=15)],
            Field(description=f"bots of all other seats, or a list; search:N has N up to {VISITOR_ITERATIONS}"),
        ] = "builder",
        options: Annotated[dict[str, str], Field(max_length=20, description="other than usual")] = {},  # noqa: B006
        seed: Annotated[
            Whole | None,
            Field(ge=0, lt=2**63, description="deals the same cards each time; for games without free seats alone"),
        ] = None,
    ) -> Begun:
        """Begin a game. It ends with this server: nothing of it is kept when the server is started anew."""
        key, table = await games.begin(game, players, seats, free, opponents, options, seed)
        return Begun(key, seats, table.invite if free else None)

    @made.tool()
    @refusing
    async def join(invite: Annotated[str, Field(max_length=40)]) -> Begun:
        """Take a free seat at another client's game."""
        key, _, seat = await games.join(invite)
        return Begun(key, [seat], None)

    @made.tool()
    @refusing
    async def observe(key: Key, seat: Seat = None, language: InLanguage = LANGUAGES[0], wait: Wait = 0) -> Observation:
        """See what a seat of yours sees: the table in words, what has happened, and what it may do now."""
        table, own = games.seat(key, seat)
        await table.catch_up()
        if wait:
            await table.wait(own, wait)
            table, own = games.seat(key, seat)
        return _observed(table, own, language)

    @made.tool()
    @refusing
    async def act(key: Key, action: Action, seat: Seat = None, language: InLanguage = LANGUAGES[0]) -> Observation:
        """Play an action. The answer is what the seat sees when the bots have played."""
        table, own = games.seat(key, seat)
        await table.act(own, action)
        return _observed(table, own, language)

    @made.tool()
    @refusing
    async def about(
        key: Key,
        pieces: Annotated[list[Annotated[str, Field(max_length=80)]], Field(min_length=1, max_length=8)],
        seat: Seat = None,
        language: InLanguage = LANGUAGES[0],
    ) -> list[AboutPiece]:
        """Ask what pieces are and do, by their names in notation, and what they are worth to a seat of yours now."""
        table, own = games.seat(key, seat)
        return described(table.position, own, pieces, language)

    @made.tool()
    @refusing
    async def leave(key: Key) -> str:
        """Give your seats up: bots play on where others are left."""
        await games.leave(key)
        return "The key is worth nothing any more."

    return made


def _usual_first(choices: Sequence[str], usual: str) -> list[str]:
    return [usual, *(one for one in choices if one != usual)]


def _pages(text: str) -> list[str]:
    """Split a text between paragraphs."""
    pages = [""]
    for paragraph in text.split("\n\n"):
        if pages[-1] and len(pages[-1]) + len(paragraph) > PAGE_CHARACTERS:
            pages.append("")
        pages[-1] += paragraph + "\n\n"
    return [page.rstrip() for page in pages]

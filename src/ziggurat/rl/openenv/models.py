"""What client and server say to each other, as OpenEnv's models: the fields of :mod:`ziggurat.rl.openenv.session`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from ziggurat.rl.openenv.arguments import MOST_SEATS
from ziggurat.rl.openenv.session import SeatTold, SessionFacts


class ZigguratAction(Action):
    """An answer of a seat."""

    action: StrictInt | StrictStr = Field(
        description="the number of a legal action, or a move in notation: `legal` lists both"
    )
    seat: StrictInt | None = Field(
        default=None,
        ge=0,
        lt=MOST_SEATS,
        description="one of the session's, from 0; by default the one that was asked",
    )


class ZigguratChoice(BaseModel):
    """A legal action."""

    model_config = ConfigDict(extra="forbid")

    action: int = Field(description="its number")
    notation: str
    words: str


class ZigguratObservation(Observation):
    """What a seat sees, what it may do, and at the end how the game went. `reward` is this seat's."""

    game: str = ""
    players: int = 0
    seat: int = Field(default=0, description="whose observation this is; an action is this seat's unless it says other")
    text: str = Field(default="", description="what the seat sees, and what it is asked: at most 2,000 characters")
    news: list[str] = Field(default_factory=list, description="what has happened since the seat was last told")
    asked: bool = Field(default=False, description="whether the seat must decide now")
    waits_for: list[int] = Field(default_factory=list, description="all seats that must decide now")
    legal: list[ZigguratChoice] = Field(default_factory=list, description="what the seat may do now")
    error: str | None = Field(
        default=None, description="why the last answer was refused, and what would be right; nothing has changed then"
    )
    tries_left: int = Field(default=0, description="answers that may still be refused before the game is lost")
    prompt: str = Field(default="", description="all of this as one text, for a language model")
    rules: str | None = Field(default=None, description="the rules of the game, if `reset` was asked for them")
    scores: list[int] | None = Field(default=None, description="points of all seats, when the game is over")
    winners: list[int] = Field(default_factory=list)
    returns: list[float] | None = Field(default=None, description="of all seats, when the game is over: zero-sum")


class ZigguratSessionState(State):
    """What is known about a session whoever looks: nothing that a seat is not shown."""

    game: str | None = None
    players: int = 0
    seats: list[int] = Field(default_factory=list, description="that this session plays")
    opponents: dict[str, str] = Field(default_factory=dict, description="the bots, by the number of their seat")
    options: dict[str, str] = Field(default_factory=dict)
    language: str = "en"
    rewards: str = "returns"
    waits_for: list[int] = Field(default_factory=list, description="all seats that must decide now")
    done: bool = False
    scores: list[int] | None = Field(default=None, description="points of all seats, when the game is over")


def observation_of(told: SeatTold) -> ZigguratObservation:
    """What a seat is told, as OpenEnv's observation."""
    return ZigguratObservation(**fields_of(told))


def fields_of(told: SeatTold) -> dict[str, Any]:
    """What a seat is told, by name."""
    return {**asdict(told), "prompt": told.prompt}


def state_of(facts: SessionFacts) -> ZigguratSessionState:
    """What is known about a session, as OpenEnv's state."""
    return ZigguratSessionState(**asdict(facts))

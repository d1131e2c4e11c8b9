"""Burrow bound as a game. It lies in no room of the house, so it says itself where its files are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from tests.testing.burrow import events, rules
from tests.testing.burrow.choices import ANIMALS, SPACE

from ziggurat.core.actions import Choice
from ziggurat.core.decision import About, Preview
from ziggurat.core.errors import NotationError, UnknownPiece
from ziggurat.core.features import Feature
from ziggurat.core.game import Game
from ziggurat.core.trace import Phrase


class OutsideGame(Game):
    @cached_property
    def folder(self) -> Traversable:
        return Path(__file__).parent


class Components(msgspec.Struct):
    game: str
    format: int
    turns: int


class Player(msgspec.Struct, frozen=True):
    """What it hides and has buried, and the bottom of the deck if it knows that, are for itself."""

    score: int
    hidden: int
    hand: dict[str, int] | None
    buried: int
    grave: dict[str, int] | None
    bottom: str | None


class View(msgspec.Struct, frozen=True):
    players: int
    turn: int
    actors: list[int]
    deck: int
    shown: dict[str, int]
    seats: list[Player]
    notes: list[Any] = []  # for leaks


def named(counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(ANIMALS, counts, strict=True))


def public(s: Any, values: Any) -> View:
    mask = rules.actors(s)
    return View(
        players=s.players,
        turn=s.turn,
        actors=[seat for seat in range(s.players) if mask >> seat & 1],
        deck=s.deck_left,
        shown=named(s.shown),
        seats=[
            Player(s.score[seat], sum(s.hand[seat]), None, sum(s.buried[seat]), None, None) for seat in range(s.players)
        ],
    )


def own(s: Any, seat: int | None, public: View, everything: bool = False) -> View:
    seats = []
    for other, player in enumerate(public.seats):
        if everything or other == seat:
            bottom = ANIMALS[s.deck[0] - 1] if s.knows >> other & 1 else None
            player = replace(player, hand=named(s.hand[other]), grave=named(s.buried[other]), bottom=bottom)
        seats.append(player)
    return replace(public, seats=seats)


def winners(s: Any) -> list[int]:
    mask = rules.winners(s) if s.turns_left == 0 else 0
    return [seat for seat in range(s.players) if mask >> seat & 1]


def secrets(s: Any) -> dict[str, Any]:
    return {
        "deck": [ANIMALS[card - 1] for card in reversed(s.deck[: s.deck_left])],
        "hands": [named(hand) for hand in s.hand[: s.players]],
        "buried": [named(pile) for pile in s.buried[: s.players]],
    }


def ask(s: Any, seat: int | None) -> Phrase | None:
    if seat is None or not rules.actors(s) >> seat & 1:
        return None
    return Phrase("ask.bury" if s.waiting else "ask.turn")


def choice(s: Any, seat: int, action: int) -> Choice:
    return SPACE.choice(action)


def describe(s: Any, seat: int, steps: Sequence[int]) -> Phrase:
    return SPACE.choice(steps[0]).words


def refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Any]:
    return []


def preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    raise NotationError("every move is a single step")


def write_move(s: Any, steps: Sequence[int]) -> str:
    return SPACE.write(steps[0])


def read_move(s: Any, seat: int, text: str) -> list[int]:
    return [SPACE.read(text)]


def about(s: Any, values: Any, seat: int | None, piece: str) -> About:
    if piece not in ANIMALS:
        raise UnknownPiece(f"{piece[:40]!r} is no animal", piece=piece[:40])
    worth = [] if seat is None else [Phrase("what.held", {"count": s.hand[seat][ANIMALS.index(piece)]})]
    return About(piece, Phrase(f"animal.{piece}"), [Phrase("what.animal")], worth, "burrow")


def count_pieces(s: Any) -> dict[str, int]:
    piles = [*s.hand[: s.players], *s.buried[: s.players], s.shown]
    deck = s.deck[: s.deck_left]
    return {name: sum(pile[kind] for pile in piles) + deck.count(kind + 1) for kind, name in enumerate(ANIMALS)}


def template(values: Components, players: int, options: Mapping[str, str]) -> np.ndarray:
    states = np.zeros(1, dtype=rules.RECORD)
    states[0]["players"] = players
    states[0]["turns_left"] = values.turns * players
    return states


def features(players: int) -> list[Feature]:
    return [
        Feature("deck", 0, rules.CARDS),
        Feature("turns", 0, 100),
        *(Feature(f"hand.{name}", 0, rules.HAND) for name in ANIMALS),
    ]


GAME = OutsideGame(
    id="burrow",
    version="1",
    min_players=2,
    max_players=4,
    options=(),
    record=rules.RECORD,
    space=SPACE,
    events=events.EVENTS,
    rules={
        name: getattr(rules, name)
        for name in (
            *("setup", "actors", "legal", "play", "scores", "winners", "concealed", "redeal", "observe", "suggest"),
        )
    },
    kernel_modules=tuple(f"tests.testing.burrow.{name}" for name in ("rules", "choices", "events")),
    components_type=Components,
    check_components=lambda values: None,
    template=template,
    check_options=lambda players, options: None,
    longest_game=lambda values, players: values.turns * players * (1 + players),
    public=public,
    own=own,
    ask=ask,
    choice=choice,
    describe=describe,
    refusals=refusals,
    preview=preview,
    arrange=list,
    in_move=lambda s: False,
    winners=winners,
    secrets=secrets,
    write_step=lambda s, action: SPACE.write(action),
    write_move=write_move,
    read_move=read_move,
    arrange_scenario=lambda s, given, values: None,
    scores_from_events=events.scores_from_events,
    count_pieces=count_pieces,
    about=about,
    named=lambda s, values: list(ANIMALS),
    features=features,
    weight_names=(),
)

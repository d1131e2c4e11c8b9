"""Creating a table, and another one for the same people."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Literal

import msgspec

import ziggurat
from ziggurat.bots import BOTS
from ziggurat.core import limits
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.clock import Time, TimeControl, begun
from ziggurat.server.domain.clock import check as check_time
from ziggurat.server.domain.people import Person, fit_to_show, hashed
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import SUBSTITUTE
from ziggurat.server.domain.table import Pace, Seat, Table
from ziggurat.server.problems import Problem

# What is typed into a field.
Text = Annotated[str, msgspec.Meta(max_length=200)]
COMPONENTS = 12_000
"""Characters of a file of components: three times as many as the longest of ours has. What is made to take long is read
in a hundredth of a second."""
# No letters that are mistaken for one another when a link is typed.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


class NewSeat(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to sit on a chair of a new table."""

    kind: Literal["me", "open", "bot"]
    bot: str | None = None


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be made. It starts at once when no seat is open, unless `start` is false.

    `hints`: at their turn people may ask what a Master would do. `patience`: seconds of absence before a bot may play
    for a person. `scenario`: the text of a file that says from which position the game begins, with its own options and
    components; taken only by servers that are set up for it. `time`: the clock; without one nobody is in a hurry.
    `zone`: the time zone of the maker, such as Europe/Budapest; it says when their nights are.
    """

    game: Text
    seats: Annotated[list[NewSeat], msgspec.Meta(min_length=1, max_length=limits.SEATS)]
    options: dict[str, Text] = {}
    components: Annotated[str, msgspec.Meta(max_length=COMPONENTS)] | None = None
    pace: Pace = "calm"
    hints: bool = False
    patience: Annotated[int, msgspec.Meta(ge=0, le=86_400)] = 45
    start: bool = True
    scenario: Annotated[str, msgspec.Meta(max_length=100_000)] | None = None
    time: TimeControl | None = None
    zone: Text = ""


def new_id() -> str:
    """Return a name for a table: short enough to be read out, too many to be guessed."""
    return "".join(secrets.choice(ALPHABET) for _ in range(12))


def check_bot(bot: str | None, hosted: Collection[str] = ()) -> str:
    """Return the bot if there is such a one, those `hosted` by the server included."""
    if bot is None or (bot not in BOTS and bot not in hosted):
        there = [*BOTS, *hosted]
        known = ", ".join(there)
        raise Problem(400, "unknown_bot", f"There is no bot {bot!r}; there are: {known}.", bot=bot, known=there)
    return bot


def _seat(number: int, wish: NewSeat, person: Person, hosted: Collection[str]) -> Seat:
    if wish.kind == "bot":
        return Seat(number, "bot", bot=check_bot(wish.bot, hosted))
    if wish.bot is not None:
        raise Problem(400, "bad_request", f"seats[{number}]: only a seat of kind 'bot' names a bot.")
    if wish.kind == "me":
        name = fit_to_show(person.name)
        return Seat(number, "human", name, person=person.id, by_hand=person.by_hand, mark=person.mark)
    return Seat(number, "open")


def _table(
    game: ziggurat.Game,
    host: str,
    seats: tuple[Seat, ...],
    options: Mapping[str, str],
    components: str | None,
    pace: Pace,
    hints: bool,
    patience: int,
    scenario: str | None,
    clock: Time | None,
) -> Table:
    now = time.time()
    invite = secrets.token_urlsafe(16)
    # Refuses what the rules do not know before anything is written.
    options, digest, is_default = rules_gateway.check(game, len(seats), options, components)
    table = Table(
        id=new_id(),
        game=game.id,
        rules=game.version,
        host=host,
        options=options,
        components=None if is_default else components,
        components_digest=digest,
        pace=pace,
        hints=hints,
        patience=patience,
        scenario=scenario,
        created=now,
        invite=invite,
        invite_hash=hashed(invite),
        seats=seats,
        time=clock,
    )
    return table.after("created")


def create(wish: NewTable, person: Person, hosted: Collection[str] = ()) -> Table:
    """Return the table that a person asks for, started if nobody is missing. `hosted`: the host's own bots."""
    game = ziggurat.game(wish.game)
    if sum(seat.kind == "me" for seat in wish.seats) > 1:
        raise Problem(400, "bad_request", "seats: one person sits on one seat; at most one seat is of kind 'me'.")
    seats = tuple(_seat(number, seat, person, hosted) for number, seat in enumerate(wish.seats))
    options, components = wish.options, wish.components
    if wish.scenario is not None:
        if options or components is not None:
            raise Problem(400, "bad_request", "scenario: the file says the options and components; send neither.")
        options, components = _as_in(wish.scenario, game, len(seats))
    clock = None
    if control := check_time(wish.time):
        check_bot(control.bot)
        clock = begun(control, [wish.zone if seat.person is not None else "" for seat in seats])
    table = _table(
        game, person.id, seats, options, components, wish.pace, wish.hints, wish.patience, wish.scenario, clock
    )
    full = all(seat.kind != "open" for seat in seats)
    return start(table) if full and wish.start else table


def _as_in(scenario: str, game: ziggurat.Game, players: int) -> tuple[dict[str, str], str | None]:
    """Return the options and components of a scenario, once it is known that a table can be laid from it."""
    position = rules_gateway.scenario_position(scenario)
    if position.game is not game:
        raise Problem(400, "bad_request", f"scenario: the file is of {position.game.id}, not of {game.id}.")
    if position.players != players:
        raise Problem(400, "bad_request", f"seats: the scenario is for {position.players} players, not {players}.")
    return dict(position.options), position.components.own_text


def _again(seat: Seat) -> Seat:
    """Return a seat for the next game: its person plays again instead of a bot; a bot plays for one who is no more."""
    if seat.kind == "human" and seat.person is None:
        return Seat(seat.seat, "bot", bot=SUBSTITUTE)
    return replace(seat, away=False, bot=seat.bot if seat.kind == "bot" else None)


def play_again(table: Table, person: str) -> Table:
    """Return a finished table with a new one, started, for the same people. The first who asks makes it, and is its
    host: it counts as one of their tables (`store.quotas`).

    Where the cards were laid out they are laid out again.
    """
    if table.rematch is not None:
        return table
    seats = tuple(map(_again, table.seats))
    # A guest and who they turned out to be may have sat there both: one person has one seat.
    people = [seat.person for seat in seats]
    seats = tuple(
        Seat(seat.seat, "bot", bot=SUBSTITUTE) if seat.person and seat.person in people[: seat.seat] else seat
        for seat in seats
    )
    again = _table(
        ziggurat.game(table.game),
        person,
        seats,
        table.options,
        table.components,
        table.pace,
        table.hints,
        table.patience,
        table.scenario,
        begun(table.time.control, [clock.zone for clock in table.time.seats]) if table.time is not None else None,
    )
    return table.after("rematch", rematch=again.id, spawned=start(again))

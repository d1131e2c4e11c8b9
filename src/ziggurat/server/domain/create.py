"""Creating a table: its seats, its policy and its id."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace as changed

import ziggurat
from ziggurat.bots import BOTS
from ziggurat.core import limits
from ziggurat.core.languages import LANGUAGES
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.clock import Time, TimeControl, begun
from ziggurat.server.domain.clock import check as check_time
from ziggurat.server.domain.guards import must_all_be_told_apart
from ziggurat.server.domain.invite import Invited, kept_for
from ziggurat.server.domain.patience import fitting
from ziggurat.server.domain.people import Person, fit_to_show, hashed, named_for
from ziggurat.server.domain.policy import USUAL_POLICY, OpenTerms, TablePolicy, agreed_by, among_invited
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Pace, Seat, Table
from ziggurat.server.problems import Problem

# What is typed into a field.
Text = Annotated[str, msgspec.Meta(max_length=200)]
Patience = Annotated[int, msgspec.Meta(ge=0, le=86_400)]
"""Seconds of absence before a bot may play for a person."""
COMPONENTS_CHARACTERS = 12_000
"""Characters of a file of components: three times as many as the longest of ours has. What is made to take long is read
in a hundredth of a second."""
# No letters that are mistaken for one another when a link is typed.
LINK_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


class NewSeat(msgspec.Struct, forbid_unknown_fields=True):
    """The person or bot wanted on one seat of a new table."""

    kind: Literal["me", "open", "bot", "companion"]
    bot: str | None = None
    name: Text = ""
    """Of a companion, who plays on the maker's device."""
    invite: Text = ""
    """For whom an open seat is kept: a handle (`domain.invite`)."""


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be made. It starts at once when no seat is open, unless `start` is false.

    `hints`: at their turn people may ask what a Master would do. `patience`: seconds of absence before a bot may play
    for a person; null: what is usual at its pace (`domain.patience`). `scenario`: the text of a file that says from
    which position the game begins, with its own options and components; taken only by servers that are set up for it.
    `time`: the clock; without one nobody is in a hurry. `zone`: the time zone of the maker, such as Europe/Budapest; it
    says when their nights are. `policy`: who may join, watch and talk. `group`: for which group it is made; `call`: its
    people are told.
    """

    game: Text
    seats: Annotated[list[NewSeat], msgspec.Meta(min_length=1, max_length=limits.SEATS)]
    options: dict[str, Text] = {}
    components: Annotated[str, msgspec.Meta(max_length=COMPONENTS_CHARACTERS)] | None = None
    pace: Pace = "calm"
    hints: bool = False
    patience: Patience | None = None
    start: bool = True
    scenario: Annotated[str, msgspec.Meta(max_length=100_000)] | None = None
    time: TimeControl | None = None
    zone: Text = ""
    policy: TablePolicy = USUAL_POLICY
    group: Text | None = None
    call: bool = False


def new_id() -> str:
    """Return a table id at random: short enough to be read out, too many to be guessed."""
    return "".join(secrets.choice(LINK_ALPHABET) for _ in range(12))


def check_bot(bot: str | None, house_bots: Collection[str] = ()) -> str:
    """Return the name of a bot that exists, a `house_bots` one included; refuse others."""
    if bot is None or (bot not in BOTS and bot not in house_bots):
        there = [*BOTS, *house_bots]
        known = ", ".join(there)
        raise Problem(400, "unknown_bot", f"There is no bot {bot!r}; there are: {known}.", bot=bot, known=there)
    return bot


def _seat(
    number: int, wish: NewSeat, person: Person, house_bots: Collection[str], guests: Mapping[str, Invited]
) -> Seat:
    if wish.kind == "bot":
        return Seat(number, "bot", bot=check_bot(wish.bot, house_bots))
    if wish.bot is not None:
        raise Problem(400, "bad_request", f"seats[{number}]: only a seat of kind 'bot' names a bot.")
    if wish.kind == "me":
        name = fit_to_show(person.name)
        return Seat(number, "human", name, person=person.id, by_hand=person.by_hand, mark=person.mark)
    if wish.kind == "companion":
        return companion(number, wish.name, person.id)
    if wish.invite:
        if wish.invite not in guests:
            raise Problem(400, "bad_request", f"seats[{number}].invite: nobody is invited by name here.")
        return kept_for(number, guests[wish.invite])
    return Seat(number, "open")


def companion(seat: int, name: str, guardian: str) -> Seat:
    """Return a seat with a person on it who plays on the device of another (`domain.companions`)."""
    # Whoever types no name for them has them called by their number.
    return Seat(seat, "human", named_for(name), person=secrets.token_hex(8), guardian=guardian)


def new_table(
    game: ziggurat.Game,
    host: str,
    seats: tuple[Seat, ...],
    options: Mapping[str, str],
    components: str | None,
    pace: Pace,
    hints: bool,
    patience: int | None,
    scenario: str | None,
    clock: Time | None,
    policy: TablePolicy,
    invite: str | None = None,
) -> Table:
    """Return a waiting table, once the rules know its options and components."""
    now = time.time()
    invite = invite or secrets.token_urlsafe(16)
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
        patience=fitting(patience, clock.control if clock is not None else None),
        scenario=scenario,
        created=now,
        invite=invite,
        invite_hash=hashed(invite),
        seats=seats,
        time=clock,
        policy=policy,
    )
    return table.after("created")


def create(
    wish: NewTable, person: Person, house_bots: Collection[str] = (), guests: Mapping[str, Invited] | None = None
) -> Table:
    """Return the table that a person asks for, started if nobody is missing.

    Args:
        house_bots: the house bots.
        guests: for whom seats are kept, by their handles.
    """
    game = ziggurat.game(wish.game)
    if sum(seat.kind == "me" for seat in wish.seats) > 1:
        raise Problem(400, "bad_request", "seats: one person sits on one seat; at most one seat is of kind 'me'.")
    seats = tuple(_seat(number, seat, person, house_bots, guests or {}) for number, seat in enumerate(wish.seats))
    must_all_be_told_apart(seats)
    if any(seat.guardian is not None for seat in seats) and not any(seat.kind == "me" for seat in wish.seats):
        raise Problem(400, "bad_request", "seats: a companion plays on your device; sit down there, too.")
    options, components = wish.options, wish.components
    if wish.scenario is not None:
        if options or components is not None:
            raise Problem(400, "bad_request", "scenario: the file says the options and components; send neither.")
        options, components = _as_in(wish.scenario, game, len(seats))
    clock = None
    if control := check_time(wish.time):
        check_bot(control.bot)
        clock = begun(control, [wish.zone if seat.person is not None else "" for seat in seats])
    table = new_table(
        game,
        person.id,
        seats,
        options,
        components,
        wish.pace,
        wish.hints,
        wish.patience,
        wish.scenario,
        clock,
        agreed_policy(wish.policy, house_bots),
    )
    if wish.group is not None:
        table = replace(table, group=wish.group)
    full = all(seat.kind != "open" for seat in seats)
    return start(table) if full and wish.start else table


def agreed_policy(policy: TablePolicy, house_bots: Collection[str]) -> TablePolicy:
    """Return a policy as it is stored: with checked terms at a table that anybody may join, without terms at others."""
    policy = agreed_by(policy)
    if policy.join != "anyone":
        return among_invited(policy)
    terms = policy.terms or OpenTerms()
    if terms.bot is not None:
        check_bot(terms.bot, house_bots)
    if terms.language and terms.language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise Problem(400, "bad_request", f"policy.terms.language: {known}, not {terms.language!r}.")
    return changed(policy, terms=terms)


def _as_in(scenario: str, game: ziggurat.Game, players: int) -> tuple[dict[str, str], str | None]:
    """Return the options and components of a scenario, once it is known that a table can be laid from it."""
    position = rules_gateway.scenario_position(scenario)
    if position.game is not game:
        raise Problem(400, "bad_request", f"scenario: the file is of {position.game.id}, not of {game.id}.")
    if position.players != players:
        raise Problem(400, "bad_request", f"seats: the scenario is for {position.players} players, not {players}.")
    return dict(position.options), position.components.own_text

"""Forged files of seasons: each is refused, with the line that differs.

Whoever forges has the secret (it stands in the file), and works out again whatever follows: `again` does so for all
that can be computed without playing other games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.server.features.seasons.virtual import SECRET, VirtualSeason, weeks

from ziggurat.server.features.seasons import file as season_file
from ziggurat.server.features.seasons.beacon import commitment
from ziggurat.server.features.seasons.file import SeasonFileError, SeasonRecord, verify, write
from ziggurat.server.features.seasons.state import (
    Drawn,
    Entered,
    Here,
    Opened,
    RoundAbsence,
    StandIn,
    Started,
    TableEnded,
)
from ziggurat.server.features.seasons.terms import SeasonError, SeasonGame

Json = dict[str, Any]
Lines = list[Json]
change = msgspec.structs.replace


def eventful(played: VirtualSeason) -> bool:
    """Whether everything happens in a season that somebody could forge."""
    opened = [event for event in played.events if isinstance(event, Opened)]
    drawn = {(draw.round, at): table for draw in played.state.draws for at, table in enumerate(draw.tables, start=1)}
    sat_in = [
        event for event in opened if any(who not in (0, *drawn[event.round, event.table].people) for who in event.seats)
    ]
    kinds = {type(event) for event in played.events}
    tables = [len(draw.tables) for draw in played.state.draws]
    return bool({RoundAbsence, StandIn} <= kinds and sat_in and min(tables) > 1 and any(0 in e.seats for e in opened))


@cache
def season() -> VirtualSeason:
    """Three rounds of eight people, really played: somebody is absent, somebody does not come, somebody sits in."""

    def made(seed: int, *, real: bool) -> VirtualSeason:
        habits = (0.1, 0.15, 0.0, 0.0)
        return VirtualSeason(weeks(3, free_absences=1), 8, seed=seed, habits=habits, real=real).play()

    for seed in range(1, 100):
        # The games take their chance from the same source: what happens between them differs.
        if eventful(made(seed, real=False)) and eventful(played := made(seed, real=True)):
            return played
    raise AssertionError("no season has everything")


@cache
def genuine() -> bytes:
    return write(season().record())


def lines() -> Lines:
    return [msgspec.json.decode(line) for line in genuine().splitlines()]


def sealed(forged: Lines) -> bytes:
    """The file with a digest that is right for it."""
    text = b"".join(msgspec.json.encode(line) + b"\n" for line in forged[:-1])
    end = {"line": "end", "lines": len(forged) - 1, "digest": hashlib.sha256(text).hexdigest()}
    return text + msgspec.json.encode(end) + b"\n"


def again(record: SeasonRecord) -> bytes:
    """The file of a record, with everything computed again but the games, which nobody played."""
    finals = {}
    for event, line in zip(lines(), lines()[1:], strict=False):
        if line.get("line") == "game":
            finals[event["round"], event["table"]] = line
    patch = pytest.MonkeyPatch()
    games = iter(
        [finals[e.round, e.table] for e in record.events if isinstance(e, TableEnded) and (e.round, e.table) in finals]
    )

    def stub(game: str, players: int, options: Any, seed: bytes, moves: Any) -> Any:
        return SimpleNamespace(options=options, final=next(games)["final"])

    patch.setattr(season_file, "play", stub)
    patch.setattr(season_file, "final_digest", lambda position: position.final)
    try:
        return write(record)
    finally:
        patch.undo()


def find(forged: Lines, nth: int = 0, **fields: Any) -> int:
    places = [at for at, line in enumerate(forged) if all(line.get(name) == value for name, value in fields.items())]
    return places[nth]


# --- Forgeries of lines ---


def a_game_left_out(forged: Lines) -> int:
    at = find(forged, event="ended", round=2)
    del forged[at : at + 2]
    # The standings, or the next draw, come too soon.
    return next(
        other
        for other in range(at, len(forged))
        if forged[other].get("event") != "ended" and forged[other].get("line") != "game"
    )


def a_table_left_out_of_its_round(forged: Lines) -> int:
    at = find(forged, event="drawn", round=2)
    forged[at]["tables"].pop()
    return at


def a_result_changed(forged: Lines) -> int:
    at = find(forged, event="ended", round=1)
    forged[at]["scores"][0] += 1
    return at


def another_winner(forged: Lines) -> int:
    at = find(forged, event="ended", round=3)
    forged[at]["winners"] = [(forged[at]["winners"][0] + 1) % len(forged[at]["scores"])]
    return at


def a_move_changed(forged: Lines) -> int:
    at = find(forged, line="game")
    forged[at]["moves"][5], forged[at]["moves"][8] = forged[at]["moves"][8], forged[at]["moves"][5]
    return at


def moves_cut(forged: Lines) -> int:
    at = find(forged, line="game", nth=-1)
    del forged[at]["moves"][-6:]
    return at - 1  # the end of the table says another result than its moves


def a_round_drawn_again(forged: Lines) -> int:
    at = find(forged, event="drawn", round=2)
    one, other = (table["people"] for table in forged[at]["tables"][:2])
    one[0], other[0] = other[0], one[0]
    return at


def seats_exchanged(forged: Lines) -> int:
    at = find(forged, event="drawn", round=1)
    forged[at]["tables"][0]["people"].reverse()
    return at


def a_seed_that_does_not_follow(forged: Lines) -> int:
    at = find(forged, line="game")
    forged[at]["seed"] = "ab" * 32
    return at


def a_seed_with_a_hash_that_fits(forged: Lines) -> int:
    ended = find(forged, event="ended")
    seed, salt = bytes.fromhex("ab" * 32), bytes.fromhex(forged[ended + 1]["salt"])
    forged[ended + 1]["seed"] = seed.hex()
    opened = find(forged, event="opened", round=forged[ended]["round"], table=forged[ended]["table"])
    forged[opened + 1]["hash"] = hashlib.sha256(salt + seed).hexdigest()
    return opened + 1


def another_hash(forged: Lines) -> int:
    at = find(forged, line="hash", nth=1)
    forged[at]["hash"] = "0" * 64
    return at


def another_beacon(forged: Lines) -> int:
    at = find(forged, line="beacon")
    forged[at]["beacon"] = "0" * 64
    return at


def another_fingerprint(forged: Lines) -> int:
    at = find(forged, line="fingerprint", nth=1)
    forged[at]["fingerprint"] = "0" * 64
    return at


def a_bot_for_somebody_who_was_there(forged: Lines) -> int:
    at = next(at for at, line in enumerate(forged) if line.get("event") == "opened" and 0 not in line["seats"])
    forged[at]["seats"][1] = 0
    return at


def rounds_in_another_order(forged: Lines) -> int:
    second, third = find(forged, event="drawn", round=2), find(forged, event="drawn", round=3)
    closed = find(forged, event="closed")
    forged[second:closed] = [*forged[third:closed], *forged[second:third]]
    return second


def points_changed(forged: Lines) -> int:
    at = find(forged, line="standings", round=2)
    forged[at]["rows"][0]["points"] += 10
    return at


def two_places_exchanged(forged: Lines) -> int:
    at = find(forged, line="standings", round=3)
    rows = forged[at]["rows"]
    rows[0]["who"], rows[1]["who"] = rows[1]["who"], rows[0]["who"]
    return at


def a_tie_parted_otherwise(forged: Lines) -> int:
    at = find(forged, line="standings", round=1)
    forged[at]["rows"][1]["ties"][0] += 1
    return at


def drawn_before_its_time(forged: Lines) -> int:
    at = find(forged, event="drawn", round=1)
    forged[at]["at"] -= 3600
    return at


def a_moment_set_back(forged: Lines) -> int:
    at = find(forged, event="drawn", round=3)
    forged[at]["at"] = forged[find(forged, event="drawn", round=2)]["at"]
    return at


def a_line_twice(forged: Lines) -> int:
    at = find(forged, event="here", nth=1)
    forged.insert(at, forged[find(forged, event="started")])
    return at


def more_behind_the_end(forged: Lines) -> int:
    forged.insert(-1, dict(forged[find(forged, line="names")]))
    return len(forged) - 2


def cut_and_ended_anew(forged: Lines) -> int:
    at = find(forged, event="ended", round=3)
    del forged[at + 1 : -1]
    return at


def the_secret_left_out(forged: Lines) -> int:
    """The shuffles could be no more compared with the beacon."""
    at = find(forged, line="secret")
    del forged[at]
    at_hash = find(forged, line="hash")
    forged[at_hash]["hash"] = "1" * 64
    return at_hash


def another_format(forged: Lines) -> int:
    forged[0]["format"] = 2
    return 0


def other_rules(forged: Lines) -> int:
    forged[0]["terms"]["games"][0]["rules"] = "0"
    return 0


def terms_changed(forged: Lines) -> int:
    forged[0]["terms"]["free_absences"] = 3
    return 0


def unknown_fields(forged: Lines) -> int:
    forged[3]["note"] = "trust me"
    return 3


OF_LINES: list[Callable[[Lines], int]] = [
    a_game_left_out,
    a_table_left_out_of_its_round,
    a_result_changed,
    another_winner,
    a_move_changed,
    moves_cut,
    a_round_drawn_again,
    seats_exchanged,
    a_seed_that_does_not_follow,
    a_seed_with_a_hash_that_fits,
    another_hash,
    another_beacon,
    another_fingerprint,
    a_bot_for_somebody_who_was_there,
    rounds_in_another_order,
    points_changed,
    two_places_exchanged,
    a_tie_parted_otherwise,
    drawn_before_its_time,
    a_moment_set_back,
    a_line_twice,
    more_behind_the_end,
    cut_and_ended_anew,
    the_secret_left_out,
    another_format,
    other_rules,
    terms_changed,
    unknown_fields,
]


def test_the_file_is_made_again_to_the_byte() -> None:
    verdict = verify(genuine())
    assert verdict.lines == genuine().count(b"\n")
    assert verdict.games == verdict.shuffles == len(season().moves) >= 6
    assert verdict.state.closed
    assert verdict.state.standings() == season().state.standings()
    assert sealed(lines()) == genuine()  # a forger would write it so


@pytest.mark.parametrize("forge", OF_LINES, ids=lambda forge: forge.__name__)
def test_a_forged_line_is_found(forge: Callable[[Lines], int]) -> None:
    forged = lines()
    at = forge(forged)
    with pytest.raises(SeasonFileError) as refused:
        verify(sealed(forged))
    assert refused.value.line == at + 1, refused.value.detail


# --- Forgeries of what happened, with everything that follows computed again ---


def changed_record(change_events: Callable[[list[Any]], object], **fields: Any) -> SeasonRecord:
    record = season().record()
    events = [*record.events]
    change_events(events)
    record = deepcopy(record)
    record.events = events
    for name, value in fields.items():
        setattr(record, name, value)
    return record


def _place(events: list[Any], kind: type, **fields: Any) -> int:
    return next(
        at
        for at, event in enumerate(events)
        if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
    )


def an_absence_invented(events: list[Any]) -> Json:
    """Of somebody who rested anyway, where that is so; no draw differs, but every later shuffle does."""
    at = _place(events, Drawn, round=3)
    rests = events[at].rests
    who = rests[0] if rests else 1
    events.insert(at, RoundAbsence(at=events[at].at, who=who, round=3))
    return {"event": "drawn", "round": 3}


def an_absence_taken_away(events: list[Any]) -> Json:
    at = _place(events, RoundAbsence, absent=True)
    round = events.pop(at).round
    return {"event": "drawn", "round": round}


def a_part_changed(events: list[Any]) -> Json:
    at = _place(events, Entered, who=2)
    events[at] = change(events[at], part="5" * 64)
    return {"event": "drawn", "round": 1}


def somebody_added(events: list[Any]) -> Json:
    at = _place(events, Started)
    events.insert(at, Entered(at=events[at - 1].at, who=9, part="7" * 64))
    return {"event": "drawn", "round": 1}


def somebody_taken_out(events: list[Any]) -> Json:
    """All that they did goes too, and others sit in their places."""
    events[:] = [event for event in events if getattr(event, "who", 0) != 8]
    for at, event in enumerate(events):
        if isinstance(event, Drawn):
            tables = tuple(change(t, people=tuple(1 if w == 8 else w for w in t.people)) for t in event.tables)
            events[at] = change(event, tables=tables)
        elif isinstance(event, Opened):
            events[at] = change(event, seats=tuple(1 if who == 8 else who for who in event.seats))
    return {"event": "drawn", "round": 1}


def a_stand_in_invented(events: list[Any]) -> Json:
    at = _place(events, Drawn, round=2)
    here = {event.who for event in events if isinstance(event, StandIn)}
    who = next(who for who in range(1, 9) if who not in here)
    events.insert(at, StandIn(at=events[at].at, who=who, round=2))
    return {"event": "drawn", "round": 2}


def somebody_was_there_after_all(events: list[Any]) -> Json:
    at = next(at for at, event in enumerate(events) if isinstance(event, Opened) and 0 in event.seats)
    round, table = events[at].round, events[at].table
    people = season().state.draws[round - 1].tables[table - 1].people
    who = people[events[at].seats.index(0)]
    begin = _place(events, Drawn, round=round)
    events.insert(begin + 1, Here(at=season().terms.starts[round - 1], who=who))
    events[_place(events, Opened, round=round, table=table)] = change(
        events[_place(events, Opened, round=round, table=table)], seats=people
    )
    return {"line": "game", "round": round, "table": table}


def a_game_exchanged(events: list[Any]) -> Json:
    """The results of two tables change places, with their moves."""
    one, other = [at for at, event in enumerate(events) if isinstance(event, TableEnded) and event.round == 1][:2]
    first, second = events[one], events[other]
    if len(first.scores) == len(second.scores):
        events[one] = change(second, table=first.table, absent=first.absent)
        events[other] = change(first, table=second.table, absent=second.absent)
    else:
        events[one] = change(first, winners=(), over=False)
    return {"event": "ended", "round": 1, "table": first.table}


# Each returns of which line it is said.
OF_EVENTS: list[Callable[[list[Any]], Json]] = [
    an_absence_invented,
    an_absence_taken_away,
    a_part_changed,
    somebody_added,
    somebody_taken_out,
    a_stand_in_invented,
    somebody_was_there_after_all,
    a_game_exchanged,
]


@pytest.mark.parametrize("forge", OF_EVENTS, ids=lambda forge: forge.__name__)
def test_what_did_not_happen_is_found(forge: Callable[[list[Any]], Json]) -> None:
    found: list[Json] = []
    # Whoever forges so can write all of it: nothing but the verification stands in the way.
    forged = again(changed_record(lambda events: found.append(forge(events))))
    assert forged != genuine()
    with pytest.raises(SeasonFileError) as refused:
        verify(forged)
    assert refused.value.line is not None
    named = msgspec.json.decode(forged.splitlines()[refused.value.line - 1])
    if named.get("line") == "game":  # it stands behind the end of its table
        named = {"line": "game"} | msgspec.json.decode(forged.splitlines()[refused.value.line - 2])
    assert found[0].items() <= named.items(), refused.value.detail


def test_other_terms_are_found_though_all_is_computed_again() -> None:
    terms = weeks(3, free_absences=3)
    with pytest.raises(SeasonFileError, match="line"):
        verify(again(changed_record(lambda events: None, terms=terms)))


def test_another_secret_is_found_though_all_is_computed_again() -> None:
    other = bytes(reversed(SECRET))
    with pytest.raises(SeasonFileError, match="line"):
        verify(again(changed_record(lambda events: None, secret=other, commitment=commitment(other))))


def test_another_secret_than_the_published_one_is_found() -> None:
    forged = lines()
    at = find(forged, line="secret")
    forged[at]["secret"] = "5" * 64
    with pytest.raises(SeasonFileError) as refused:
        verify(sealed(forged))
    assert "The secret" in refused.value.detail or refused.value.line is not None


@pytest.mark.parametrize("left", [0, 1, 1000, -1, -40])
def test_a_file_that_is_cut_is_refused(left: int) -> None:
    with pytest.raises(SeasonFileError):
        verify(genuine()[:left])


@pytest.mark.parametrize("junk", [b"", b"\n", b"{}\n", b"\xff\xfe\n", b"[1]\n{}\n", b"ziggurat replay 1\n"])
def test_what_is_no_season_is_refused(junk: bytes) -> None:
    with pytest.raises(SeasonFileError):
        verify(junk)


def test_every_single_line_counts() -> None:
    """Without any one of its lines the file is refused, whichever it is."""
    whole = lines()
    for at in range(0, len(whole) - 1, runs.number(17, 5)):
        forged = [*whole[:at], *whole[at + 1 :]]
        with pytest.raises(SeasonFileError):
            verify(sealed(forged))


def test_a_season_that_goes_on_has_a_file_too() -> None:
    played = VirtualSeason(weeks(3), 7, seed=5, real=True).play(1)
    record = played.record()
    assert record.secret is None
    verdict = verify(write(record))
    assert (verdict.games, verdict.shuffles) == (len(played.moves), 0)
    assert not verdict.state.closed


def test_games_are_named() -> None:
    with pytest.raises(SeasonError, match="there is no game 'nine'"):
        weeks(2, games=(SeasonGame("nine", (2,)),))

"""People who are away: what can be done in their place, and what they find when they are back, at every door."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.example import EXAMPLE
from tests.server.inside import browser
from tests.server.test_clock import DAYS, LIVE, PEOPLE, Play, person, refused
from tests.server.watch import Watch

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.again import accept, play_again
from ziggurat.server.domain.clock import DAY_SECONDS, TimeControl
from ziggurat.server.domain.companions import SeatCompanion, seat_companion
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import play_bot
from ziggurat.server.domain.patience import PATIENCE_SECONDS, patience_of
from ziggurat.server.domain.policy import OpenTerms, TablePolicy
from ziggurat.server.domain.seating import Join, come_back, join, leave
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import agree_to_substitute, moves_by_substitute, played_for
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import pass_time
from ziggurat.server.domain.undo import can_undo, undo
from ziggurat.server.domain.votes import answer_vote, ask_end, asked
from ziggurat.server.domain.waiting import NewHost, Terms, change_host, change_terms
from ziggurat.server.features.notifications.rules import notices
from ziggurat.server.features.open_tables import find
from ziggurat.server.live.activity import notes
from ziggurat.server.problems import Problem

CONTROLS = {"live": LIVE, "evening": None, "days": DAYS}
LEAST = {"live": 30, "evening": 120}
YEAR = 365.0 * DAY_SECONDS
Gone = Callable[[int], float]


def gone(*seats: int, seconds: float = YEAR) -> Gone:
    """These seats have not been connected for so long, all others are here."""
    return lambda seat: seconds if seat in seats else 0.0


def wish(control: TimeControl | None, **more: Any) -> NewTable:
    return NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], time=control, **more)


def sat_down(table: Table) -> Table:
    for other in PEOPLE[1 : len(table.seats)]:
        table = join(table, Join(table.invite or "", other.name), other)
    return start(table)


# --- Patience follows the pace, at every door by which a table or a number comes ------------------------------------


def made(control: TimeControl | None) -> Table:
    return create(wish(control), PEOPLE[0])


def changed_terms(control: TimeControl | None) -> Table:
    """From another pace, in the waiting room."""
    for other in CONTROLS.values():
        table = change_terms(create(wish(other), PEOPLE[0]), Terms(time=control), PEOPLE[0].id)
    return table


def found(control: TimeControl | None) -> Table:
    tempo: Any = next(name for name, one in CONTROLS.items() if one is control)
    new = find.new_table(find.Find("w", [EXAMPLE], tempo))
    return create(msgspec.structs.replace(new, seats=new.seats[:2]), PEOPLE[0])


def of_a_group(control: TimeControl | None) -> Table:
    return create(wish(control, group="g", call=True), PEOPLE[0])


def again(control: TimeControl | None) -> Table:
    """The next game of a table of before, when 45 seconds were usual."""
    old = replace(sat_down(made(control)), patience=45, status="finished")
    table = play_again(old, PEOPLE[0].id).spawned
    assert table is not None
    return table


def goes_on(control: TimeControl | None) -> Table:
    """From a moment of a game: with the number of the table of before."""
    return create(wish(control, patience=45, start=False), PEOPLE[0])


def kept(control: TimeControl | None) -> Table:
    """Read from a database of before."""
    return replace(made(control), patience=0)


@pytest.mark.parametrize("door", [made, changed_terms, found, of_a_group, again, goes_on, kept])
@pytest.mark.parametrize("tempo", CONTROLS)
def test_patience_follows_the_pace(tempo: Any, door: Callable[[TimeControl | None], Table]) -> None:
    table = door(CONTROLS[tempo])
    patience = patience_of(table)
    if door in (again, goes_on, kept):
        assert patience == (DAY_SECONDS if tempo == "days" else max(LEAST[tempo], 0 if door is kept else 45))
    else:
        assert patience == PATIENCE_SECONDS[tempo]
    waiting = join(table, Join(table.invite or "", "Bob"), PEOPLE[1]) if table.kept_seat("bob") is None else table
    assert refusal(change_host, waiting, NewHost(None), PEOPLE[1].id, patience - 1).code in ("host_here", "not_seated")
    playing = accept(table, PEOPLE[1]) if table.kept_seat("bob") is not None else start(waiting)
    if playing.status != "playing":
        playing = start(playing)
    if tempo == "days":
        problem = refusal(agree_to_substitute, playing, 0, "s", 1, gone(1))
        assert problem.code == "clock_decides"
    else:
        assert refusal(agree_to_substitute, playing, 0, "s", 1, gone(1, seconds=patience - 1)).code == "not_gone_long"
        assert agree_to_substitute(playing, 0, "s", 1, gone(1, seconds=patience)).seats[1].bot


def refusal(act: Callable[..., Any], *given: Any) -> Problem:
    with pytest.raises(Problem) as told:
        act(*given)
    return told.value


def test_a_number_that_does_not_fit_the_pace_is_refused_by_a_sentence(tmp_path: Path) -> None:
    """By whoever sends it: the page, a program, a model."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    with browser(tmp_path) as ann:
        id = ann.post("/api/tables", json={"game": EXAMPLE, "seats": seats}).json()["id"]
        for tempo, control in CONTROLS.items():
            time = msgspec.to_builtins(control)
            for path, body in (("/api/tables", {"game": EXAMPLE, "seats": seats}), (f"/api/tables/{id}/terms", {})):
                sent = {**body, "time": time, "patience": LEAST.get(tempo, 60) - (tempo != "days")}
                answer = ann.post(path, json=sent)
                assert answer.status_code == 400, (path, tempo)
                says = "none by days" if tempo == "days" else f"at least {LEAST[tempo]} seconds"
                assert f"patience: {says}" in answer.json()["detail"]
                assert ann.post(path, json={**sent, "patience": None}).json()["patience"] == PATIENCE_SECONDS[tempo]  # type: ignore[index]


# --- Never one person alone -----------------------------------------------------------------------------------------


def playing(watch: Watch, control: TimeControl | None = None, people: int = 3) -> Play:
    return Play(watch, control, people=people)


def substitute(play: Play, seat: int, absent: Gone) -> None:
    play.does(agree_to_substitute, seat, "s", 2, absent)


def end(play: Play, seat: int, absent: Gone) -> None:
    for other in (1, 2):
        play.does(leave, person(play, other))
    play.watch.now += YEAR
    play.does(ask_end, seat, "e", absent)


def impatience(play: Play, seat: int, absent: Gone) -> None:
    """The time of a player has run out, and the table asks."""
    late = play.mover
    play.passes(320)
    here = next(other for other in range(3) if other != late)
    play.does(leave, person(play, 3 - late - here))
    play.does(answer_vote, here, "v", False)


@pytest.mark.parametrize("door", [substitute, end, impatience])
def test_nobody_decides_alone_about_the_game_of_several_others(watch: Watch, door: Callable[..., None]) -> None:
    ask = msgspec.structs.replace(LIVE, then="ask")
    play = playing(watch, ask if door is impatience else None)
    with suppress(Problem):
        door(play, 0, gone(1, 2))
    assert play.table.status == "playing"
    assert not any(seat.bot for seat in play.table.seats)


def test_one_who_is_asked_and_says_nothing_has_not_agreed(watch: Watch) -> None:
    """Who was here a moment ago is asked, too, and for as long as with a pause."""
    play = playing(watch, people=4)
    play.does(agree_to_substitute, 0, "s", 3, gone(3))
    moment = gone(2, 3, seconds=301.0)
    play.does(agree_to_substitute, 1, "t", 3, lambda seat: 299.0 if seat == 2 else moment(seat))
    assert play.table.seats[3].bot is None, "Cid's train is in a tunnel"
    refused("others_asked", play, agree_to_substitute, 1, "u", 3, lambda seat: 299.0 if seat == 2 else moment(seat))
    refused("agreed_already", play, agree_to_substitute, 1, "u", 3, gone(3))
    play.does(agree_to_substitute, 1, "u", 3, moment)
    assert play.table.seats[3].bot
    two = playing(watch, people=2)
    two.does(agree_to_substitute, 0, "s", 1, gone(1))
    assert two.table.seats[1].bot, "of two people the other decides"


def test_people_on_one_device_have_one_voice(watch: Watch) -> None:
    table = create(NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * 3]), PEOPLE[0])
    table = seat_companion(table, SeatCompanion(1, "Anja"), PEOPLE[0].id)
    for other in PEOPLE[1:3]:
        table = join(table, Join(table.invite or "", other.name), other)
    table = start(table)
    for seat in (0, 1):
        table = agree_to_substitute(table, seat, f"s{seat}", 3, gone(2, 3))
    assert table.seats[3].bot is None
    assert agree_to_substitute(table, 2, "s", 3, gone(3)).seats[3].bot


def test_by_days_who_got_up_is_asked_and_told_as_any_other(watch: Watch) -> None:
    play = playing(watch, DAYS)
    late = play.mover
    others = [seat for seat in range(3) if seat != late]
    play.does(leave, person(play, others[0]))
    play.does(ask_end, others[1], "e", gone(*range(3)))
    assert set(asked(play.table)) == {late, others[0]}
    play.does(answer_vote, others[1], "n", False)
    before = play.table
    while others[0] not in play.table.actors:
        before = play.table
        play.moves()
    told = [one.kind for one in notices(before, play.table) if person(play, others[0]) in one.people]
    assert told == ["turn"]


# --- Who leaves with a bot, and who comes back -----------------------------------------------------------------------


@pytest.mark.parametrize("tempo", CONTROLS)
def test_who_leaves_puts_a_bot_there_and_is_told_what_it_played(watch: Watch, tempo: str) -> None:
    play = playing(watch, CONTROLS[tempo], people=2)
    seat = play.mover
    while seat == play.mover:
        play.moves()
    before = play.table
    play.does(leave, person(play, seat), True)
    assert play.table.seats[seat].bot, "nobody else is asked: it is their own seat"
    assert [one.kind for one in notices(before, play.table)] == ["bot"]
    note = notes(play.table, before.seq, None)[0]
    assert (note.kind, note.args) == ("away", {"bot": play.table.seats[seat].bot})
    played = 0
    while played < 2 or seat in play.table.actors:
        if play.mover == seat:
            steps = tuple(play.table.position.game.arrange(list(whole(play.table, seat))))  # type: ignore[union-attr]
            play.does(play_bot, seat, play.table.seats[seat].bot, play.table.seq, steps)
            played += 1
        else:
            play.moves()
    assert played_for(play.table, seat) == 0, "they are not back yet"
    play.does(come_back, person(play, seat))
    assert played_for(play.table, seat) == played
    assert moves_by_substitute(play.table)[seat][0] == played
    assert can_undo(play.table, seat) == "ask"
    assert (play.table.seats[seat].bot, play.table.seats[seat].away) == (None, False)
    while seat not in play.table.actors:
        play.moves()
    play.moves(seat)
    assert played_for(play.table, seat) == 0, "they play on"


def whole(table: Table, seat: int) -> list[int]:
    from tests.example import first_move

    assert table.position is not None
    return list(first_move(table.position, seat))


@pytest.mark.parametrize("showed", [False, True])
def test_what_a_bot_played_is_taken_back_at_once_if_it_concerns_nobody(
    watch: Watch, showed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of its moves together: they showed nothing, and nobody has moved since."""
    play = playing(watch, people=2)
    seat = play.mover
    play.does(leave, person(play, seat), True)
    before = play.table.position
    assert before is not None
    play.does(play_bot, seat, play.table.seats[seat].bot, play.table.seq, tuple(whole(play.table, seat)))
    one = watch.shown(play.table, nothing=True)
    again = replace(one.changes[-1], seq=one.seq + 1)
    two = watch.shown(replace(one, seq=again.seq, changes=(*one.changes, again)), nothing=not showed)
    monkeypatch.setattr(rules_gateway, "replay", lambda table: before)
    back = come_back(two, person(play, seat))
    assert can_undo(back, seat) == "free", "unless it showed something, which is looked at when it is wanted"
    assert undo(back, seat, "w").changes[-1].kind == ("undo_ask" if showed else "undo")
    if showed:
        with pytest.raises(Problem, match="the others have to agree"):
            undo(back, seat, "w", ask=False)
    play.table = come_back(one, person(play, seat))
    play.does(undo, seat, "u")
    assert play.table.position is not None
    assert play.table.position.to_bytes() == before.to_bytes()
    assert played_for(play.table, seat) == 0


def test_a_bot_comes_back_to_the_seats_that_it_kept_warm(watch: Watch) -> None:
    """Two guests who come late and go leave nobody alone with two empty chairs."""
    policy = TablePolicy("anyone", watch="nobody", terms=OpenTerms(60, "random"))
    table = create(NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * 2], policy=policy), PEOPLE[0])
    watch.now += 61
    table = pass_time(pass_time(table, watch.now), watch.now)
    for other in PEOPLE[1:3]:
        table = join(table, Join("", other.name), other)
    left = leave(leave(table, PEOPLE[1].id), PEOPLE[2].id)
    assert [seat.bot is not None for seat in left.seats] == [False, True, True]
    # Who only closes the page: the one who is left says so.
    for seat in (1, 2):
        table = agree_to_substitute(table, 0, f"s{seat}", seat, gone(1, 2))
    assert [seat.bot is not None for seat in table.seats] == [False, True, True]


# --- One wait is one wait --------------------------------------------------------------------------------------------


def test_whoever_has_waited_once_does_not_speak_for_the_others_again(watch: Watch) -> None:
    play = playing(watch, msgspec.structs.replace(LIVE, then="ask", bot="random"))
    late = play.mover
    patient, other = (seat for seat in range(3) if seat != late)
    play.passes(315)
    play.does(answer_vote, patient, "v", True)
    assert play.table.vote is None
    play.passes(90)
    assert set(asked(play.table)) == {patient, other}, "asked anew"
    play.does(answer_vote, patient, "w", True)
    assert play.table.vote is not None, "that was one wait"
    assert asked(play.table) == (other,)
    play.does(answer_vote, other, "w", True)
    assert play.table.vote is None, "the other has waited for them as well"
    play.passes(90)
    play.does(answer_vote, patient, "x", True)
    play.does(answer_vote, other, "x", False)
    assert play.table.seats[late].bot == "random"


def test_where_somebody_waits_once_more_and_nobody_objects_they_wait(watch: Watch) -> None:
    play = playing(watch, msgspec.structs.replace(LIVE, then="ask"))
    late = play.mover
    patient = next(seat for seat in range(3) if seat != late)
    play.passes(315)
    play.does(answer_vote, patient, "v", True)
    play.passes(90)
    play.does(answer_vote, patient, "w", True)
    play.passes(LIVE.answer)
    assert (play.table.vote, play.table.seats[late].bot) == (None, None)
    # Between two the other may wait as often as they like.
    two = playing(watch, msgspec.structs.replace(LIVE, then="ask"), people=2)
    late = two.mover
    two.passes(315)
    for number in range(3):
        two.does(answer_vote, 1 - late, f"v{number}", True)
        assert two.table.vote is None
        two.passes(90)

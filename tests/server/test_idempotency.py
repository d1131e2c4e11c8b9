"""A message that arrives twice is carried out once: every command of a table, by the rule of `domain.idempotency`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
import pytest
from tests.server.test_clock import DAYS, LIVE, PEOPLE, Play, person
from tests.server.test_undo_rules import whole_move
from tests.server.watch import Watch

from ziggurat.server import domain
from ziggurat.server.domain.clock import TimeControl
from ziggurat.server.domain.ownership import forget
from ziggurat.server.domain.seating import come_back, leave
from ziggurat.server.domain.substitutes import agree_to_substitute
from ziggurat.server.domain.undo import undo
from ziggurat.server.domain.votes import ask_end, ask_pause
from ziggurat.server.live import messages as m
from ziggurat.server.live.commands import command
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate

COMMANDS: tuple[type[m.TableCommand], ...] = get_args(m.TableCommand)
ID = "once"


class Said(NamedTuple):
    """A message that is right at a table: who says it, what it leads to, and what would be another message, if the
    same type can say anything else."""

    seat: int
    message: m.TableCommand
    kind: str
    other: m.TableCommand | None = None


def moves(play: Play, quiet: bool) -> int:
    """Make a move by which something is learnt, or nothing; return who."""
    seat = play.mover
    play.moves(seat)
    play.watch.shown(play.table, nothing=quiet)
    return seat


def move(play: Play) -> Said:
    steps = [*whole_move(play.table, play.mover)]
    message = m.MoveCommand(ID, play.table.seq, steps)
    return Said(play.mover, message, "move", m.MoveCommand(ID, play.table.seq, [*steps, 0]))


def half_a_move(play: Play) -> Said:
    """What a move begins with is another move."""
    said = move(play)
    assert isinstance(said.message, m.MoveCommand)
    return said._replace(other=m.MoveCommand(ID, play.table.seq, said.message.steps[:-1]))


def undo_at_once(play: Play) -> Said:
    return Said(moves(play, quiet=True), m.AskUndo(ID), "undo")


def undo_by_consent(play: Play) -> Said:
    return Said(moves(play, quiet=False), m.AskUndo(ID), "undo_ask")


def answer(play: Play, agree: bool, kind: str) -> Said:
    seat = moves(play, quiet=False)
    play.does(undo, seat, "u")
    other = next(one for one in range(len(play.table.seats)) if one != seat)
    return Said(other, m.AnswerUndo(ID, agree), kind, m.AnswerUndo(ID, not agree))


def bot_for_a_leaver(play: Play) -> Said:
    play.does(leave, person(play, 1))
    play.watch.now += 60
    return Said(0, m.AgreeToSubstitute(ID, 1), "stand_in", m.AgreeToSubstitute(ID, 2))


def no_bot_for_a_leaver(play: Play) -> Said:
    play.does(leave, person(play, 1))
    play.watch.now += 60
    play.does(agree_to_substitute, 0, "a", 1, lambda seat: 60.0 * (seat == 1))
    return Said(2, m.AgreeToSubstitute(ID, 1, False), "stand_in_no", m.AgreeToSubstitute(ID, 2, False))


def pause(play: Play) -> Said:
    return Said(0, m.AskPause(ID, 600), "pause_ask", m.AskPause(ID, 660))


def pause_alone(play: Play) -> Said:
    play.does(forget, person(play, 1))
    return Said(0, m.AskPause(ID, 600), "pause", m.AskPause(ID, 660))


def close_to_onlookers(play: Play) -> Said:
    return Said(0, m.AskWatch(ID, "nobody"), "watch", m.AskWatch(ID, "anyone"))


def open_to_onlookers(play: Play) -> Said:
    return Said(0, m.AskWatch(ID, "anyone"), "watch_ask")


def end(play: Play) -> Said:
    return Said(0, m.AskEnd(ID), "end_ask")


def end_alone(play: Play) -> Said:
    play.does(forget, person(play, 1))
    return Said(0, m.AskEnd(ID), "end")


def vote_to_pause(play: Play) -> Said:
    play.does(ask_pause, 1, "p", 600)
    return Said(0, m.AnswerVote(ID, True), "pause", m.AnswerVote(ID, False))


def vote_to_end(play: Play, agree: bool, kind: str) -> Said:
    play.does(ask_end, 1, "e")
    return Said(0, m.AnswerVote(ID, agree), kind, m.AnswerVote(ID, not agree))


def vote_to_wait(play: Play, agree: bool, kind: str) -> Said:
    seat = play.mover
    play.passes(400)
    return Said(1 - seat, m.AnswerVote(ID, agree), kind, m.AnswerVote(ID, not agree))


def go_on(play: Play) -> Said:
    play.does(leave, person(play, 1))
    play.does(ask_pause, 0, "p", 600)
    return Said(0, m.Resume(ID), "resume")


def back(play: Play) -> Said:
    play.does(leave, person(play, 0))
    return Said(0, m.Back(ID), "back")


def give_up(play: Play) -> Said:
    return Said(0, m.Resign(ID), "resign")


def vacation(play: Play) -> Said:
    return Said(0, m.Vacation(ID, 2), "vacation", m.Vacation(ID, 3))


def end_of_vacation(play: Play) -> Said:
    said = vacation(play)
    tells(play, said._replace(message=m.Vacation("v", 2)))
    return said._replace(message=m.Vacation(ID, 0), kind="holiday_over", other=m.Vacation(ID, 1))


ASKS = msgspec.structs.replace(LIVE, then="ask", bot="random")
FREE = msgspec.structs.replace(DAYS, vacation=5)
CASES: list[tuple[TimeControl, int, Callable[[Play], Said]]] = [
    (LIVE, 2, move),
    (LIVE, 2, half_a_move),
    (LIVE, 2, undo_at_once),
    (LIVE, 2, undo_by_consent),
    (LIVE, 2, partial(answer, agree=True, kind="undo")),
    (LIVE, 3, partial(answer, agree=True, kind="undo_yes")),
    (LIVE, 2, partial(answer, agree=False, kind="undo_no")),
    (LIVE, 2, bot_for_a_leaver),
    (LIVE, 4, no_bot_for_a_leaver),
    (LIVE, 2, pause),
    (LIVE, 2, pause_alone),
    (LIVE, 2, close_to_onlookers),
    (LIVE, 2, open_to_onlookers),
    (LIVE, 2, end),
    (LIVE, 2, end_alone),
    (LIVE, 2, vote_to_pause),
    (LIVE, 2, partial(vote_to_end, agree=True, kind="end")),
    (LIVE, 3, partial(vote_to_end, agree=True, kind="vote_yes")),
    (LIVE, 2, partial(vote_to_end, agree=False, kind="vote_no")),
    (ASKS, 2, partial(vote_to_wait, agree=True, kind="wait")),
    (ASKS, 2, partial(vote_to_wait, agree=False, kind="timeout")),
    (LIVE, 2, go_on),
    (LIVE, 2, back),
    (LIVE, 3, give_up),
    (FREE, 2, vacation),
    (FREE, 2, end_of_vacation),
]
"""What can be said at a table: its clock, how many people sit there, and how it comes to be said."""
EVERY: dict[type[m.TableCommand], m.TableCommand] = {
    m.MoveCommand: m.MoveCommand(ID, 1, [0]),
    m.AskUndo: m.AskUndo(ID),
    m.AnswerUndo: m.AnswerUndo(ID, True),
    m.AgreeToSubstitute: m.AgreeToSubstitute(ID, 0),
    m.AskPause: m.AskPause(ID, 600),
    m.AskWatch: m.AskWatch(ID, "nobody"),
    m.AskEnd: m.AskEnd(ID),
    m.AnswerVote: m.AnswerVote(ID, True),
    m.Resume: m.Resume(ID),
    m.Resign: m.Resign(ID),
    m.Back: m.Back(ID),
    m.Vacation: m.Vacation(ID, 2),
}


def service(folder: Path = Path()) -> TableService:
    settings = Settings(data=folder, prepare=False)
    return TableService(settings, open_database(settings), Bus(settings), CompiledRules(settings))


SERVICE = service()


def tells(play: Play, said: Said) -> None:
    """Do what a message asks for."""
    play.does(command(said.message, play.table.id, play.table.seats[said.seat], SERVICE))


def is_refused(play: Play, seat: int, message: m.TableCommand) -> bool:
    """Whether a message is refused because its id is another's."""
    with pytest.raises(Problem) as told:
        command(message, play.table.id, play.table.seats[seat], SERVICE)(play.table)
    return told.value.code == "id_reused"


def id_of(case: tuple[TimeControl, int, Callable[[Play], Said]]) -> str:
    made = case[2]
    return f"{made.func.__name__}-{made.keywords['kind']}" if isinstance(made, partial) else made.__name__


@pytest.mark.parametrize("case", CASES, ids=id_of)
def test_the_same_again_does_nothing_and_something_else_is_refused(
    case: tuple[TimeControl, int, Callable[[Play], Said]], watch: Watch
) -> None:
    control, players, made = case
    play = Play(watch, control, people=players)
    said = made(play)
    before = play.table
    tells(play, said)
    after = play.table
    assert [change.kind for change in after.since(before.seq)] == [said.kind]
    known = after.known(said.seat, ID)
    assert known is not None, "the id is remembered"
    assert known.seq == after.seq
    watch.now += 5
    tells(play, said)
    assert play.table is after, "a second time nothing is done"
    assert said.other is None or is_refused(play, said.seat, said.other)
    for type_, message in EVERY.items():
        assert isinstance(said.message, type_) or is_refused(play, said.seat, message), type_.__name__
    # It is one seat's message: another one may use the same id.
    assert all(after.known(seat.seat, ID) is None for seat in after.seats if seat.seat != said.seat)


def test_every_command_is_held_to_the_rule(watch: Watch) -> None:
    """Who adds a command adds it here: to what is said twice, and to what another one is not taken for."""
    shown = set()
    for control, players, made in CASES:
        shown.add(type(made(Play(watch, control, people=players)).message))
    assert shown == set(COMMANDS)
    assert set(EVERY) == set(COMMANDS)


def test_an_id_is_remembered_however_much_happens(watch: Watch) -> None:
    play = Play(watch, LIVE)
    said = move(play)
    tells(play, said)
    for _ in range(60):
        play.does(leave, person(play, 1))
        play.does(come_back, person(play, 1))
    after = play.table
    tells(play, said)
    assert play.table is after


def test_a_move_that_was_taken_back_is_not_made_again_by_the_same_message(watch: Watch) -> None:
    play = Play(watch, LIVE)
    said = move(play)
    tells(play, said)
    watch.shown(play.table, nothing=True)
    play.does(undo, said.seat, "u")
    after = play.table
    assert after.changes[-1].kind == "undo"
    tells(play, said)
    assert play.table is after


def test_a_move_may_be_sent_again_by_a_page_that_has_seen_more(watch: Watch) -> None:
    play = Play(watch, LIVE)
    said = move(play)
    assert isinstance(said.message, m.MoveCommand)
    tells(play, said)
    after = play.table
    tells(play, said._replace(message=m.MoveCommand(ID, after.seq, said.message.steps)))
    assert play.table is after


def test_a_message_that_changed_nothing_is_decided_anew(watch: Watch) -> None:
    play = Play(watch, LIVE)
    with pytest.raises(Problem, match="not paused"):
        tells(play, Said(0, m.Resume(ID), "resume"))
    play.does(leave, person(play, 1))
    play.does(ask_pause, 0, "p", 600)
    assert play.table.paused
    tells(play, Said(0, m.Resume(ID), "resume"))
    assert not play.table.paused


def test_a_seat_that_was_handed_on_does_not_do_what_its_last_owner_says(watch: Watch) -> None:
    play = Play(watch, LIVE)
    does = command(m.AskEnd(ID), play.table.id, play.table.seats[0], SERVICE)
    table = replace(play.table, seats=play.table.with_seat(replace(play.table.seats[0], person="another")))
    with pytest.raises(Problem, match="looking on") as refused:
        does(table)
    assert (refused.value.status, refused.value.code) == (403, "not_seated")


async def test_an_id_is_remembered_by_whoever_reads_the_table(tmp_path: Path, watch: Watch) -> None:
    """A restart, or another worker: what was said stands in the log."""
    table_service = service(tmp_path)
    await migrate(table_service.database, None)
    await table_service.database.open()
    try:
        for one in PEOPLE[:2]:
            await table_service.database.write(partial(people.insert, person=one, token=one.id))
        table = await table_service.add(Play(watch, LIVE).table, "127.0.0.1")
        chair = table.seats[0]
        first = await table_service.change(table.id, command(m.AskPause(ID, 600), table.id, chair, table_service))
        table_service.forget()
        again = await table_service.change(table.id, command(m.AskPause(ID, 600), table.id, chair, table_service))
        assert again.seq == first.seq
        with pytest.raises(Problem, match="used for something else"):
            await table_service.change(table.id, command(m.AskPause(ID, 660), table.id, chair, table_service))
    finally:
        await table_service.settle()
        await table_service.database.close()


def test_an_id_is_written_in_one_place() -> None:
    """A change has the id of a message from nowhere else, so that whatever has one went through the rule."""
    writes = []
    server = Path(domain.__file__).parents[1]
    for file in [*server.glob("domain/*.py"), *server.glob("features/*/*.py")]:
        if file.name == "rows.py":  # what is stored of a wish
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and any(word.arg == "client_id" for word in node.keywords):
                writes.append(file.name)
    assert writes == ["idempotency.py"]

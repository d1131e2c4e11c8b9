"""What counts for levels: each rule, at tables without a server."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed
from tests.example import EXAMPLE, SEATS

import ziggurat
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.domain.resign import resign
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import PlayedFrom, Result, Table
from ziggurat.server.domain.votes import answer_vote, ask_end
from ziggurat.server.features.levels.fit import CountedGame, PartShare, Side
from ziggurat.server.features.levels.metre import metre_of
from ziggurat.server.features.levels.rules import counted, games_to_go, height, places_in, why_not_begun

ANN, BOB = Person("ann", "Ann", "en"), Person("bob", "Bob", "en")


def begun(*people: Person, seats: int = SEATS, bot: str = "builder", **terms: object) -> Table:
    """A table of some people, the rest bots, whose game has begun."""
    kinds = ["me", *["open"] * (len(people) - 1), *["bot"] * (seats - len(people))]
    wanted = [NewSeat(kind, bot if kind == "bot" else None) for kind in kinds]  # type: ignore[arg-type]
    table = create(NewTable(EXAMPLE, wanted, start=False, **terms), people[0])  # type: ignore[arg-type]
    for person in people[1:]:
        table = join(table, Join(table.invite or "", person.name), person)
    return table if table.status == "playing" else start(table)


def over(table: Table, *scores: int) -> Table:
    """The table at the end of its game; who has most points has won."""
    points = [*scores, *range(30, 30 - len(table.seats) + len(scores), -1)]
    winners = [seat for seat, score in enumerate(points) if score == max(points)]
    return table.after("move", status="finished", result=Result(points, winners))


def moved(table: Table, seat: int, times: int = 1) -> Table:
    for _ in range(times):
        table = table.after("move", seat)
    return table


def shape(table: Table) -> list[tuple[int, list[tuple[str, float]]]]:
    game = counted(table)
    assert isinstance(game, CountedGame), game
    return [(side.place, [(share.who, share.part) for share in side.shares]) for side in game.sides]


def test_a_finished_game_says_who_came_before_whom() -> None:
    table = over(begun(ANN, BOB), 50, 20)
    found = counted(table)
    assert isinstance(found, CountedGame)
    assert (found.id, found.ended, found.players, found.last) == (table.id, table.updated, SEATS, ())
    assert [side.place for side in found.sides] == [1, SEATS, *range(2, SEATS)]
    assert [side.shares[0].who for side in found.sides[:3]] == ["seat:0", "seat:1", "bot:builder"]


def test_who_ties_has_the_same_place_and_who_won_is_before_who_has_as_many_points() -> None:
    assert places_in(Result([5, 9, 9, 2, 5], [1, 2])) == [3, 1, 1, 5, 3]
    assert places_in(Result([9, 9, 1], [1])) == [2, 1, 3]


def test_a_game_that_goes_on_does_not_count_yet() -> None:
    assert counted(begun(ANN)) == "open"


@pytest.mark.parametrize(
    ("why", "table"),
    [
        ("off", lambda: begun(ANN, policy=TablePolicy(counted=False))),
        ("hints", lambda: begun(ANN, hints=True)),
        ("copy", lambda: replace(begun(ANN), played_from=PlayedFrom(0.0, 3))),
        ("laid", lambda: replace(begun(ANN), scenario="game = ...")),
        ("deal", lambda: replace(begun(ANN), deal="2026-11-24")),
        ("numbers", lambda: replace(begun(ANN), components="own")),
        ("metre", lambda: replace(begun(ANN), seats=begun(ANN).seats * 9)),
    ],
)
def test_what_was_not_begun_so_does_not_count(why: str, table: object) -> None:
    made = table()  # type: ignore[operator]
    assert why_not_begun(made) == why
    assert counted(made.after("move", status="finished", result=Result([1] * len(made.seats), [0]))) == why


def test_a_game_alone_does_not_count() -> None:
    table = begun(ANN)
    alone = replace(table, seats=table.seats[:1])
    assert why_not_begun(alone) == "alone"


def test_two_people_on_one_device_are_not_told_apart() -> None:
    table = begun(ANN, BOB)
    assert why_not_begun(replace(table, seats=table.with_seat(replace(table.seats[1], guardian="ann")))) == "device"


def test_who_plays_with_bots_alone_takes_nothing_back() -> None:
    """Nobody is asked there, also when a card was seen."""
    table = begun(ANN)
    assert counted(over(table.after("undo", 0))) == "taken_back"
    friends = begun(ANN, BOB)
    assert isinstance(counted(over(friends.after("undo", 0))), CountedGame)


def test_a_game_that_all_agree_to_end_does_not_count() -> None:
    table = answer_vote(ask_end(begun(ANN, BOB), 0, "e"), 1, "y", True)
    assert table.status == "ended"
    assert counted(table) == "agreed"


def test_who_ends_a_game_against_bots_has_left_it() -> None:
    """There is nobody to agree with, and whoever is about to lose would."""
    for table in (ask_end(begun(ANN), 0, "e"), resign(begun(ANN), 0, "r")):
        assert table.status == "ended"
        found = counted(table)
        assert isinstance(found, CountedGame)
        assert found.last == ("seat:0",)
        assert {share.who for side in found.sides for share in side.shares} == {"bot:builder"}


def test_who_resigns_is_last_and_the_others_count_as_what_played_there() -> None:
    table = resign(moved(begun(ANN, BOB), 0, 3), 0, "r")
    assert table.status == "playing"
    found = counted(over(moved(table, 0, 1), 50, 20))
    assert isinstance(found, CountedGame)
    assert found.last == ("seat:0",)
    assert found.sides[0] == Side(1, (PartShare("seat:0", 0.75), PartShare("bot:builder", 0.25)))


def test_a_bot_that_played_for_somebody_has_its_share() -> None:
    table = moved(begun(ANN, BOB), 0, 2).after("away", 0, steps=(0,), notation="mason")
    table = moved(table, 0, 1).after("back", 0, steps=(0,))
    assert shape(over(moved(table, 0, 1), 50))[0] == (1, [("seat:0", 0.75), ("bot:mason", 0.25)])


def test_who_was_gone_at_the_end_has_left_unless_it_was_for_some_moves_only() -> None:
    def gone(moves: int) -> Table:
        table = moved(begun(ANN, BOB), 0, 19)
        table = table.after("away", 0, steps=(0,), notation="builder")
        table = replace(table, seats=table.with_seat(replace(table.seats[0], bot="builder", away=True)))
        return over(moved(table, 0, moves), 50)

    late, early = counted(gone(1)), counted(gone(19))
    assert isinstance(late, CountedGame)
    assert isinstance(early, CountedGame)
    assert late.last == ()
    assert early.last == ("seat:0",)


def test_who_came_late_to_a_bots_seat_counts_for_nothing() -> None:
    table = begun(ANN, BOB).after("late", 1)
    assert [who for _, side in shape(over(table, 50)) for who, _ in side].count("seat:1") == 0


def test_a_seat_that_went_from_hand_to_hand_counts_for_nothing() -> None:
    table = begun(ANN, BOB).after("handed", 1)
    assert "seat:1" not in [who for _, side in shape(over(table, 50)) for who, _ in side]


def test_a_persons_program_counts_for_nothing() -> None:
    table = begun(ANN, BOB)
    table = replace(table, seats=table.with_seat(replace(table.seats[1], program="bot")))
    assert "seat:1" not in [who for _, side in shape(over(table, 50)) for who, _ in side]


def test_bots_of_the_house_are_not_on_the_metre() -> None:
    table = begun(ANN, BOB)
    seats = tuple(replace(seat, bot="host:mine") if seat.kind == "bot" else seat for seat in table.seats)
    assert len(shape(over(replace(table, seats=seats), 50))) == 2


def test_games_of_bots_alone_do_not_count() -> None:
    table = begun(ANN)
    bots = tuple(replace(seat, kind="bot", person=None, bot="mason") for seat in table.seats)
    assert counted(over(replace(table, seats=bots))) == "nobody"


def test_the_terms_of_a_rematch_are_those_of_the_game_before() -> None:
    assert changed(TablePolicy(counted=False), watch="anyone").counted is False
    assert TablePolicy().counted


def test_every_game_has_a_metre_for_each_number_of_seats() -> None:
    for id in ziggurat.registered_games():
        game, metre = ziggurat.game(id), metre_of(id)
        if metre.places:
            assert metre.usable
            assert set(metre.luck) == set(range(max(2, game.min_players), game.max_players + 1))
            lucks = [metre.luck[n] for n in sorted(metre.luck)]
            assert lucks[0] == min(lucks), "of two, luck decides least"


def test_heights_rise_with_places() -> None:
    rungs = (100.0, 200.0, 400.0, 500.0, 700.0)
    assert [height(place, rungs) for place in (0, 100, 150, 300, 700, 900)] == [-1, 0, 0.5, 1.5, 4, 5]


def test_who_has_played_nothing_is_told_how_many_games_it_takes() -> None:
    metre = metre_of(EXAMPLE)
    assert 3 <= games_to_go(None, metre) <= 99

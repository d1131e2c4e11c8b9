"""How a game looks in the terminal."""

from __future__ import annotations

import msgspec
from rich.console import Console
from tests.example import EXAMPLE, SEATS

import ziggurat
from ziggurat.cli.screen import Screen
from ziggurat.core.board import board_of
from ziggurat.core.text import catalogue


def shown(view: msgspec.Struct) -> str:
    console = Console(width=200)
    with console.capture() as captured:
        console.print(board_of("some_other_game").show(view, catalogue("en"), lambda seat: f"seat {seat + 1}"))
    return captured.get()


def test_a_game_without_a_board_of_its_own_is_shown_field_by_field() -> None:
    board = board_of("some_other_game")
    position = ziggurat.new(EXAMPLE, SEATS, seed=1)
    screen = Screen(position.game, "en", SEATS)
    with screen.console.capture() as captured:
        screen.show(board.show(position.view(0), screen.say, screen.name))
    shown = captured.get()
    assert all(f"'{field}'" in shown for field in position.view(0).__struct_fields__)
    [choice, *_] = position.decision(position.actors[0]).legal
    assert board.choice(choice, position.view(0), screen.say, screen.name) == screen.say.say(choice.words, screen.name)


def test_what_there_is_none_of_is_left_out() -> None:
    class Hand(msgspec.Struct):
        cards: dict[str, int]
        prices: dict[str, int | None]

    assert shown(Hand({"red": 0, "blue": 2}, {"red": 0, "blue": None})) == (
        "{'cards': {'blue': 2}, 'prices': {'red': 0, 'blue': None}}\n"
    )


def test_seats_have_names_because_people_do_not_count_from_0() -> None:
    class Hand(msgspec.Struct):
        seat: int
        seats_left: int

    class View(msgspec.Struct):
        turn: int
        bid_seat: int | None
        actors: list[int]
        finished: bool
        seats: list[Hand]

    assert shown(View(1, 0, [0, 1], False, [Hand(0, 2)])) == (
        "{'turn': 'seat 2', 'bid_seat': 'seat 1', 'actors': ['seat 1', 'seat 2'], 'finished': False, "
        "'seats': [{'seat': 'seat 1', 'seats_left': 2}]}\n"
    )
    assert shown(View(-1, None, [], True, [])) == (
        "{'turn': -1, 'bid_seat': None, 'actors': [], 'finished': True, 'seats': []}\n"
    )

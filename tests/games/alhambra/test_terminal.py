"""A person at a table of Alhambra in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli

from ziggurat import Replay
from ziggurat.cli.screen import Screen
from ziggurat.core.languages import LANGUAGES

pytestmark = pytest.mark.slow

# Against chance, so that the same happens whatever the heuristic thinks.
PLAY = ("play", "alhambra", "--seed", "3", "--players", "2", "--bots", "random")
TO_THE_END = "1\n\n\n" * 200  # always the first choice; a lone Enter is asked again or accepts what is suggested


def test_a_whole_game_by_pressing_enter(cli: Cli, tmp_path: Path) -> None:
    ran = cli(*PLAY, "--replay", "mine.txt", typed=TO_THE_END)
    assert ran.code == 0
    assert ran.err == ""
    assert "Scoring A" in ran.out
    assert "Where the points come from" in ran.out
    assert "won" in ran.out.splitlines()[-2]
    replay = Replay.parse((tmp_path / "mine.txt").read_text(encoding="utf-8"))
    assert replay.verify().finished
    assert replay.names == ["Guest", "Wanderer"]


def test_the_same_answers_give_the_same_game(cli: Cli) -> None:
    assert cli(*PLAY, typed=TO_THE_END[:60]) == cli(*PLAY, typed=TO_THE_END[:60])


@pytest.mark.parametrize("language", LANGUAGES)
@runs.whole
def test_every_word_is_in_the_language(cli: Cli, language: str) -> None:
    ran = cli(*PLAY, "--lang", language, typed="?\np\n" + TO_THE_END)
    english = {"Construction yard", "Your move", "Possible moves", "takes money", "Scoring", "blue", "Points"}
    found = {word for word in english if word in ran.out.partition("take blue 5")[0] + ran.out.partition("Seed")[2]}
    assert ran.code == 0
    assert (found == english) if language == "en" else (found == set())


def test_the_board_shows_what_a_player_needs(cli: Cli) -> None:
    out = cli(*PLAY, typed="q\n").out
    assert "● yellow           ▲ green            ■ blue             ◆ orange" in out
    assert "Your hand: ● yellow 8 7 = 15" in out
    assert "Open money: " in out
    assert "Neutral player" in out
    assert "Wanderer takes money: yellow 5." in out


def test_an_exact_payment_is_said_before_it_is_confirmed(cli: Cli) -> None:
    out = cli(*PLAY, typed="take green 8\n").out
    assert "exact, you play again" in out  # in the menu, before anything is chosen
    assert "buys" not in out.rpartition("Possible moves")[2]


def test_a_payment_is_typed_by_its_cards_and_taken_back(cli: Cli) -> None:
    out = cli(*PLAY, typed="buy pavilion 4\n8 7\nu\nu\n7\nu\n\nkeep\n").out
    assert "You pay 15 yellow for 4, 11 too much" in out
    assert "Guest buys pavilion 4" in out


def test_a_purchase_may_begin_with_its_lowest_card(cli: Cli) -> None:
    """The rules pay from the highest card down; here the 9, without which the price is not reached, comes later."""
    play = (*PLAY[:3], "4", *PLAY[4:])
    out = cli(*play, typed="buy tower 9 blue with 2 ...\n9\nkeep\n").out
    assert "not possible" not in out
    assert "Guest buys tower 9" in out


def test_a_purchase_for_the_neutral_player(cli: Cli) -> None:
    out = cli(*PLAY, typed="1\n7 give\n").out
    assert "Guest buys pavilion 4 for the neutral player, paying 7 yellow" in out


def test_a_whole_move_in_notation_needs_no_confirmation(cli: Cli) -> None:
    out = cli(*PLAY, typed="buy pavilion 4 yellow with 7\n").out
    assert "Guest buys pavilion 4, paying 7 yellow (yellow 7)." in out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("99", 'I did not understand "99". Type a number from 1 to 6'),
        ("0", 'I did not understand "0"'),
        ("", 'I did not understand ""'),
        ("take", 'I did not understand "take"'),
        ("take blue 9", "Not possible: no blue 9 lies open"),
        ("take blue 3 green 8", "Not possible: These make 11."),
        ("buy garden 10", "Not possible: 10 green needed, you have 2."),
        ("buy castle 3", "Not possible: no castle 3 lies open"),
        ("buy pavilion 4 with 9", "Not possible: "),
        ("1\n5", 'I did not understand "5". You can type: 8'),
        ("1\n7 7", 'I did not understand "7". You can type: 8'),
        ("1\ngive", 'I did not understand "give"'),
        ("1\n7 keep 8", 'I did not understand "8". You can type: keep'),
    ],
)
def test_what_is_not_possible_is_explained_and_asked_again(cli: Cli, typed: str, said: str) -> None:
    ran = cli(*PLAY, typed=typed + "\n")
    assert said in ran.out
    assert ran.out.endswith("Goodbye.\n")
    assert ran.code == 0


def test_the_end_of_the_input_and_q_say_goodbye_and_keep_the_game(cli: Cli, tmp_path: Path) -> None:
    for typed in ("1\n\n\nq\n", "1\n\n\n", "1\n\nq\n"):
        ran = cli(*PLAY, "--replay", "mine.txt", typed=typed)
        assert ran.code == 0
        assert "Goodbye." in ran.out
        assert not Replay.parse((tmp_path / "mine.txt").read_text(encoding="utf-8")).verify().finished


def test_ctrl_c_says_goodbye(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def press(screen: Screen, prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Screen, "read", press)
    ran = cli(*PLAY)
    assert ran.code == 0
    assert ran.out.endswith("Goodbye.\n")


def test_rules_can_be_read_at_the_table(cli: Cli) -> None:
    assert "Alhambra" in cli(*PLAY, typed="r\n").out.rpartition("Your move: ")[0].rpartition("Possible moves")[2]


def test_six_players_with_bots_of_both_kinds(cli: Cli) -> None:
    ran = cli("play", "alhambra", "--bots", "mason,random,mason,random,mason", "--seed", "1", typed="q\n")
    assert ran.code == 0
    assert {"Mason 3", "Wanderer 2"} <= {" ".join(line.split()[:2]) for line in ran.out.splitlines()}


def test_options_change_the_game(cli: Cli) -> None:
    line = ("simulate", "alhambra", "--games", "20", "--seed", "1")
    usual, other = cli(*line), cli(*line, "--option", "start_player=lowest_total")
    assert "start_player=lowest_total" in other.out
    assert usual.out.splitlines()[2:] != other.out.splitlines()[2:]


@pytest.mark.parametrize(
    ("language", "seen", "empty"), [("en", "seen by all", "unknown"), ("hu", "mindenki látta", "ismeretlen")]
)
def test_hands_that_are_remembered_are_listed(cli: Cli, language: str, seen: str, empty: str) -> None:
    out = cli(*PLAY, "--lang", language, "--option", "open_hands=remembered", typed="q\n").out
    assert f", {seen}: " in out
    assert empty not in out
    assert seen not in cli(*PLAY, "--lang", language, typed="q\n").out

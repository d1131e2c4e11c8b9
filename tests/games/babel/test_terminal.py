"""Tower of Babel in the terminal: offers in secret, offers accepted, cards of both kinds played."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli

import ziggurat
from ziggurat import Position, Replay
from ziggurat.cli.screen import Screen
from ziggurat.cli.table import TerminalTable
from ziggurat.core.scenario import Scenario, build

pytestmark = pytest.mark.slow

PLAY = ("play", "babel", "--seed", "3", "--players", "4")


def somebody(seed: int, lines: int = 4000) -> str:
    """What a person types who tries everything."""
    dice = random.Random(seed)
    words = [
        "1",
        "2",
        "3",
        "7",
        "",
        "ship",
        "camel mason",
        "done",
        "trade",
        "u",
        "offer nothing",
        "accept none",
        "fail",
    ]
    words += ["exchange", "exchange camel crane", "draw", "double", "triple", "decline", "crane, done", "p"]
    return "\n".join(dice.choice(words) for _ in range(lines)) + "\n"


@pytest.mark.parametrize(
    ("seed", "language", "options"),
    [
        (1, "en", ()),
        pytest.param(3, "de", (), marks=runs.whole),
        pytest.param(2, "hu", ("--option", "two_colour_discs=yes", "--option", "strict_units=yes"), marks=runs.whole),
    ],
)
def test_whoever_tries_everything_comes_to_the_end(
    cli: Cli, tmp_path: Path, seed: int, language: str, options: tuple[str, ...]
) -> None:
    ran = cli(*PLAY, *options, "--lang", language, "--replay", "mine.txt", typed=somebody(seed))
    assert (ran.code, ran.err) == (0, "")
    replay = Replay.parse((tmp_path / "mine.txt").read_text(encoding="utf-8"))
    assert replay.verify().finished
    assert ("Where the points come from" in ran.out) == (language == "en")


def test_the_table_shows_discs_and_values_and_no_set_up_disc_by_disc(cli: Cli) -> None:
    out = cli(*PLAY, typed="q\n").out
    assert "Lighthouse" in out
    assert "Value table: ▶8/4" in out
    assert "Bonus table: 2→5" in out
    assert "Trade card" in out
    assert "space 1" not in out


def seated(turn: int, hands: dict[str, dict[str, int]], actions: dict[str, list[str]] | None = None) -> Position:
    """A start of a turn of seat ``turn``, counted from 1; the person sits at seat 1."""
    discs = {"zeus": ["ship 5", "camel 4", "crane 3"]}
    arranged = {"turn": turn, "hands": hands, "actions": actions or {}, "discs": discs}
    return build(Scenario(game="babel", players=3, seed=7, position=arranged))


@pytest.fixture
def read_by(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[Position, str], str]:
    """What Ann reads who sits at seat 1, types this and leaves."""

    def play(position: Position, typed: str) -> str:
        screen = Screen(position.game, "en", position.players, ["Ann", "Ben", "Cleo"], you=0)
        lines = iter(typed.splitlines())
        monkeypatch.setattr(Screen, "read", lambda self, prompt: next(lines, None))
        TerminalTable(position, screen, ["", "greedy", "greedy"], ziggurat.generator(1)).play()
        return capsys.readouterr().out

    return play


def asked_for_an_offer(hand: dict[str, int], actions: dict[str, list[str]] | None = None) -> Position:
    """Ben builds ship 5; Ann and Cleo are asked."""
    position = seated(2, {"1": hand, "2": {"ship": 2}, "3": {"ship": 3}}, actions)
    position.play_all(1, position.read_move("choose zeus 1"))
    return position


ReadBy = Callable[[Position, str], str]


def test_an_offer_is_typed_card_by_card(read_by: ReadBy) -> None:
    out = read_by(asked_for_an_offer({"ship": 2, "camel": 1}), "lay ship\nship camel\nu\ntrade\n")
    assert "You offer 2 cards, of at most 5." in out
    assert "2 fit; 1 is a bluff and comes back to your hand." in out
    assert "Enter, done: Offer 2 cards" in out
    assert "Ann lays 3 cards face down." in out
    assert "Ann secretly offers 2 ships, with the trade card." in out


def test_what_others_offer_shows_when_the_last_offer_is_made(read_by: ReadBy) -> None:
    position = asked_for_an_offer({"ship": 1, "camel": 1})
    position.play_all(2, position.read_move("offer ship ship ship", 2))
    out = read_by(position, "offer ship camel\n")
    before, _, after = out.rpartition("Ann lays 2 cards face down.")
    assert "3 cards face down" in before
    assert "Cleo offers" not in before
    assert "Cleo offers 3 ships." in after
    assert "Ann offers a ship. Back in hand: a camel." in after


def test_an_answer_that_is_forced_is_not_asked_for(read_by: ReadBy) -> None:
    """R23: Ann's card does not help her refused offer; the game goes on to Ben's, Cleo's, and her own next turn."""
    position = asked_for_an_offer({"ship": 2, "camel": 1}, {"1": ["joker"]})
    position.play_all(2, position.read_move("offer nothing", 2))
    position.play_all(0, position.read_move("offer ship ship", 0))
    position.play_all(1, position.read_move("fail", 1))
    assert (position.actors, position.forced(0)) == ((0,), position.read_move("decline", 0)[0])
    out = read_by(position, "")
    before, _, after = out.partition("Ann, offer not accepted (2 cards): 2 points.")
    assert "Your turn" not in before
    assert "Your turn" in after


def test_nothing_is_an_offer_too(read_by: ReadBy) -> None:
    assert "Ann offers nothing." in read_by(asked_for_an_offer({"camel": 1}), "offer nothing\n")


def test_a_combination_says_what_it_gives_to_whom(read_by: ReadBy) -> None:
    position = seated(1, {"1": {"ship": 4}, "2": {"ship": 1}, "3": {"ship": 2}})
    position.play_all(0, position.read_move("choose zeus 1"))
    position.play_all(1, position.read_move("offer ship", 1))
    position.play_all(2, position.read_move("offer ship ship with trade", 2))
    out = read_by(position, "accept 2 3\n")
    said = (
        "You accept the offers of Ben and Cleo. You add 2 ships. You place 4 houses. The disc goes to Cleo. "
        "Ben places 1 house."
    )
    assert said in " ".join(out.split())
    assert "Ann accepts the offers of Ben and Cleo, adding 2 ships." in out
    assert "The disc of 5 ships goes to Cleo." in out


def test_a_combination_that_cannot_be_is_explained(read_by: ReadBy) -> None:
    position = seated(1, {"1": {"ship": 4}, "2": {"ship": 3}, "3": {"ship": 3}})
    position.play_all(0, position.read_move("choose zeus 1"))
    position.play_all(1, position.read_move("offer ship ship ship", 1))
    position.play_all(2, position.read_move("offer ship ship ship", 2))
    assert "Together these are 6 ships, but only 5 may be used." in read_by(position, "accept 2 3\n")


def test_an_exchange_is_typed_card_by_card(read_by: ReadBy) -> None:
    out = read_by(seated(1, {"1": {"camel": 2, "ship": 1}}, {"1": ["exchange"]}), "exchange ...\ncamel ship\ndone\n")
    assert "Exchange: Discard up to 5 building cards" in out
    assert "You exchange 2 cards, of at most 5." in out
    assert "Ann plays Exchange and discards a camel and a ship." in out
    assert "Ann draws 2 cards in exchange." in out


def test_points_so_far_name_their_reasons(read_by: ReadBy) -> None:
    position = seated(1, {"1": {"ship": 4}, "2": {"ship": 3}, "3": {}})
    position.play_all(0, position.read_move("choose zeus 1"))
    position.play_all(1, position.read_move("offer ship ship", 1))
    out = read_by(position, "fail\np\n")
    assert "Ben, offer not accepted (2 cards): 2 points." in out
    assert "Offers not accepted" in out.rpartition("Where the points come from")[2]

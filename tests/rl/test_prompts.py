"""What language models are told, and how their answers are read; without anybody else's package."""

from __future__ import annotations

import random
import re
from copy import deepcopy
from pathlib import Path

import pytest
from tests import runs
from tests.example import EXAMPLE, GAME, LARGEST, SEARCHED, SEATS, TABLES

import ziggurat
from ziggurat.core.errors import BadOption
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.rl import prompts
from ziggurat.rl.prompts import AnswerError, TextChoice
from ziggurat.rl.textarena import pull_request
from ziggurat.rl.textarena.table import TextTable, question

CHOICES = [
    TextChoice(1, 7, "take blue 4", "take blue 4"),
    TextChoice(2, 9, "buy tower 7", "buy the tower 7, paid in blue"),
    TextChoice(3, 8, "keep", "build it in front of you"),
]
MOST_LISTED = 3000
"""Characters of a list, at most: more than any game of ours needs."""


def client(text: str, chance: random.Random) -> str:
    """A player that knows nothing but the text: it finds the list, and names one of it in one of three ways."""
    number, said = chance.choice(re.findall(r"^\[(\d+)\] (.+)$", text, re.MULTILINE))
    notation, _, words = said.partition(" - ")
    return f"[Perhaps {said}?] I think [{chance.choice([number, notation, words or number])}]"


def play(table: TextTable, chance: random.Random) -> int:
    """Play to the end by the client; return how many answers it took."""
    answers = 0
    while not table.over:
        table.answer(client(table.question(), chance))
        answers += 1
    return answers


@pytest.mark.parametrize(
    "answer",
    ["[1]", "I take it.\n\n[ 1 ]", "[3] or [2]? [take blue 4]", "[Take  Blue 4.]", "take blue 4", "[1"],
)
def test_an_answer_is_what_its_last_brackets_name(answer: str) -> None:
    assert prompts.read_answer(answer, CHOICES).action == 7


def test_only_the_end_of_an_answer_is_read() -> None:
    assert prompts.read_answer("[2]" + "x" * 10**6 + "[3]", CHOICES).action == 8
    with pytest.raises(AnswerError, match="no square brackets"):
        prompts.read_answer("[2]" + "x" * 10**6, CHOICES)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "[]",
        "[0]",
        "[4]",
        "[٣]",
        "[take blue]",
        "[1] [pass]",
        "I pass",
        "[" * 5000,
        "[1" + "0" * 4000 + "]",
        "[\ud800]",
    ],
)
def test_a_wrong_answer_is_told_what_would_be_right(answer: str) -> None:
    with pytest.raises(AnswerError, match=r"number from 1 to 3, as \[1\], or .*\[take blue 4\]") as found:
        prompts.read_answer(answer, CHOICES)
    assert len(found.value.detail) < 300


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_prompt_has_the_rules_that_players_need(game: str, players: int) -> None:
    told = ziggurat.game(game)
    sizes = [len(prompts.rules_for_prompt(told, players, amount)) for amount in ("none", "minute", "play", "all")]
    assert sizes == sorted(sizes)
    if sizes[-1]:
        assert 0 < sizes[1] < 2_000
        assert sizes[2] < 15_000


def test_an_amount_of_rules_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadOption, match="all, play, minute, none"):
        TextTable(GAME, SEATS, rules="some")  # type: ignore[arg-type]


def asked(table: TextTable, position: Position, seat: int) -> str:
    """The question at a position that looks the same to the seat, without what has happened before."""
    return question(position, seat, prompts.choices(position, seat, table.names), table.names, position.rows_written)


@pytest.mark.parametrize(("game", "players"), runs.each(TABLES, often=[one for one in LARGEST if one[0] in SEARCHED]))
def test_whole_games_are_played_by_somebody_who_knows_nothing_but_the_text(game: str, players: int) -> None:
    """At every question: the list is complete, and what the seat does not know is dealt again: the same is sent."""
    table, chance = TextTable(ziggurat.game(game), players, seed=11), random.Random(3)
    again, hidden, answers = ziggurat.generator(9), 0, 0
    told = dict.fromkeys(range(players), 0)
    say = catalogue("en", table.game)
    openings = [table.opening(seat, 1) for seat in range(players)]
    while not table.over:
        seat, text = table.asked, table.question()
        assert seat is not None
        position = table.at_once.sight(seat)
        happened = prompts.news(position, seat, table._told[seat], table.names)
        told[seat] += len(happened)
        assert "\n".join(happened) in text
        unread = [event for event in position.events_since(table._told[seat]) if not event.may_read(seat)]
        assert not {say.event(event, table.names.__getitem__) for event in unread} & {*happened}
        listed = re.findall(r"^\[(\d+)\] ", text, re.MULTILINE)
        assert [int(number) for number in listed] == [*range(1, len(position.legal(seat)) + 1)]
        assert len(text) < prompts.MOST_SEEN + prompts.MOST_NEWS + MOST_LISTED
        if answers % 6 == 0:
            assert "\n…" not in prompts.seen(position, seat, table.names)
            for one in table.offered:
                assert prompts.read_answer(f"[{one.notation}]", table.offered) == one
            twin = position.redeal(seat, again)
            hidden += twin.secrets() != position.secrets()
            assert asked(table, twin, seat) == asked(table, position, seat)
        table.answer(client(text, chance))
        answers += 1
    assert answers > 20
    assert table.position.finished
    assert not table.lost
    assert hidden or players == 1
    for seat, lines in told.items():
        # Once: what it did in a decision at the same time, a second time with what the others did.
        assert lines < 2 * len(table.position.events_for(seat, 0))
    assert [table.opening(seat, 1) for seat in range(players)] == openings


@pytest.mark.parametrize(("game", "players"), runs.each(TABLES, often=LARGEST))
def test_of_those_who_decide_at_the_same_time_nobody_learns_what_another_chooses(game: str, players: int) -> None:
    """Whatever those before it choose, a seat is sent the same; and other choices are told when all have chosen."""
    table, chance = TextTable(ziggurat.game(game), players, seed=6), random.Random(6)
    compared = answered = 0
    while not table.over and compared < 4 and answered < 80:
        position = table.position
        if position.concealed and len(position.actors) > 1 and len(table.at_once.waiting) > 1:
            first, second = table.at_once.waiting[:2]
            sent, chose = set(), set()
            for _ in range(4):
                twin, answers = deepcopy(table), []
                while twin.asked == first:
                    answers.append(client(twin.question(), chance))
                    twin.answer(answers[-1])
                chose.add(tuple(answers))
                if twin.asked == second:
                    sent.add(twin.question())
            assert len(sent) <= 1
            compared += len(chose) > 1 and len(sent) == 1
        answered += 1
        table.answer(client(table.question(), chance))


def test_rewards_go_from_the_winners_to_the_last() -> None:
    table = TextTable(GAME, SEATS, seed=1)
    play(table, random.Random(1))
    rewards, scores = table.rewards(), table.position.scores
    winners = table.position.winners or ()
    assert {seat for seat, reward in rewards.items() if reward == 1} == {*winners}
    assert min(rewards.values()) == -1
    rest = [seat for seat in rewards if seat not in winners]
    assert all((scores[one] < scores[other]) == (rewards[one] < rewards[other]) for one in rest for other in rest)


def test_who_has_lost_by_wrong_answers_is_played_on_and_comes_last() -> None:
    table = TextTable(GAME, SEATS, seed=1)
    seat = table.asked
    assert seat is not None
    table.give_up(seat)
    assert table.asked != seat
    play(table, random.Random(1))
    assert table.position.finished
    assert table.rewards()[seat] == -1
    assert max(reward for one, reward in table.rewards().items() if one != seat) == 1
    assert f"Lost by wrong answers: Player {seat}" in table.result()


def test_the_last_one_left_wins_at_once() -> None:
    table = TextTable(GAME, SEATS, seed=1)
    for seat in range(1, SEATS):
        table.give_up(seat)
    assert table.over
    assert table.asked is None
    assert table.rewards() == {0: 1.0, **dict.fromkeys(range(1, SEATS), -1.0)}
    with pytest.raises(BadOption, match="over"):
        table.question()


def test_the_files_of_the_pull_request_go_into_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no checkout of TextArena"):
        pull_request.write(tmp_path)
    envs = tmp_path / "textarena" / "envs"
    envs.mkdir(parents=True)
    registry, listing = envs / "__init__.py", envs / "README.md"
    registry.write_text("from textarena.envs.registration import register_with_versions")
    table = "# Multi-player Environments (2)\n| Nr | Env-id |\n| - | - |\n| 1 | a |\n| 2 | b |\n\n# Other\n"
    listing.write_text(table)
    written = pull_request.write(tmp_path)
    assert {path.relative_to(envs).as_posix() for path in written} == {
        "__init__.py",
        "README.md",
        "Ziggurat/__init__.py",
        "Ziggurat/env.py",
        "Ziggurat/README.md",
        "Ziggurat/test_ziggurat.py",
    }
    for path in written:
        if path.suffix == ".py":
            compile(path.read_text(), str(path), "exec")
    assert f'game="{EXAMPLE}"' in registry.read_text()
    lines = listing.read_text().split("\n")
    assert lines[4].startswith("| 2 |")
    assert lines[5].startswith("| 3 ")
    before = [path.read_text() for path in written]
    pull_request.write(tmp_path)
    assert [path.read_text() for path in written] == before

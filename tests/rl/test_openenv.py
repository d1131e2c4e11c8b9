"""A game of a client of OpenEnv, without OpenEnv: what is begun, told and refused."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from typing import Any

import pytest
from tests import runs
from tests.example import EXAMPLE, SEATS
from tests.rl.tables import SMALL, SOME_SMALL, TABLES

import ziggurat
from ziggurat.bots import Bot, Budget, GreedyBot, SearchBot, playing
from ziggurat.core.errors import UnknownBot, UnknownGame, ZigguratError
from ziggurat.core.in_words import seat_names
from ziggurat.core.text import catalogue
from ziggurat.rl import openenv
from ziggurat.rl.openenv import session as sessions
from ziggurat.rl.openenv.arguments import ARGUMENTS, BadArgument, checked, schema_of
from ziggurat.rl.openenv.session import (
    ACT,
    BEGIN,
    MOST_REFUSALS,
    GameHouse,
    HouseFull,
    NoGameYet,
    SeatTold,
    Session,
    games_there,
    rules_page,
)

pytestmark = pytest.mark.slow

QUICK = {"players": SEATS, "game": EXAMPLE, "opponents": "greedy"}
WRONG: list[Any] = [None, True, 1.0, 0.5, -1, 10**30, "", "x" * 1000, "\0\n", [], [1], {}, {"a": 1}, "no such move"]


def begun(**given: Any) -> tuple[Session, SeatTold]:
    one = Session(GameHouse())
    return one, one.begin({**QUICK, **given})


def whole(one: Session, told: SeatTold, chance: Random) -> Iterator[SeatTold]:
    """Play a game to its end by numbers and in notation; all that was told."""
    yield told
    while not told.done:
        choice = chance.choice(told.legal)
        told = one.act({"action": chance.choice([choice.action, choice.notation, str(choice.action)])})
        assert told.error is None
        yield told


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_whole_games_are_played(game: str, players: int) -> None:
    seats = [players - 1] if players < 3 else [0, players - 1]
    one, first = begun(game=game, players=players, seats=seats, seed=players)
    told = list(whole(one, first, Random(1)))
    last = told[-1]
    assert {said.seat for said in told} == {*seats}
    assert all(said.seat in said.waits_for and said.asked and said.legal for said in told[:-1])
    assert all(said.reward == 0.0 for said in told[1:-1])
    assert all(len(said.text) <= 2000 for said in told)
    assert last.returns is not None
    assert last.reward == last.returns[last.seat]
    assert players == 1 or sum(last.returns) == pytest.approx(0)
    assert (last.legal, last.waits_for, last.asked, one.facts.done) == ([], [], False, True)
    assert one.facts.step_count == len(told) - 1
    after = one.act({"action": 0})
    assert (after.error, after.reward, after.done) == (
        "the game is over; another one begins with `reset`",
        0.0,
        True,
    )
    again, first = begun(game=game, players=players, seats=seats, seed=players)
    assert [asdict(said) for said in whole(again, first, Random(1))] == [asdict(said) for said in told]


@pytest.mark.parametrize(("game", "players"), SOME_SMALL)
def test_what_a_seat_is_told_never_depends_on_what_is_hidden(game: str, players: int) -> None:
    """Everything that can be asked, when the hidden cards are dealt again: texts, choices, refusals, pieces, facts."""
    own = [0, 1] if players > 2 else [1]
    one, told = begun(game=game, players=players, seats=own, seed=3)
    chance, rng, differ = Random(3), ziggurat.generator(3), 0
    for _ in range(runs.number(8, 60)):
        play = one._play
        assert play is not None
        position = play.position
        for seat in own:
            expected = everything(one, seat)
            for _ in range(2):
                play.position = position.redeal(seat, rng)
                differ += play.position.secrets() != position.secrets()
                assert everything(one, seat) == expected
            play.position = position
        told = one.act({"action": chance.choice(told.legal).action})
        if told.done:
            break
    assert differ > 0


def everything(one: Session, seat: int) -> list[Any]:
    """All that a client can be told without playing on, as a seat."""
    play = one._play
    assert play is not None
    position = play.position
    play.told = dict.fromkeys(play.seats, position.rows_written)
    heard: list[Any] = [one.observe({"seat": seat}), one.facts.__dict__ | {"step_count": 0}]
    heard += one.about({"pieces": position.named[:8], "seat": seat})
    illegal = [action for action in range(0, position.game.actions, 7) if action not in position.legal(seat)]
    for wrong in (*illegal[:5], "no such move", "x" * 400):
        play.refusals = 0
        heard.append(one.act({"action": wrong, "seat": seat}))
        heard.append(heard[-1].prompt)
    play.refusals = 0
    return heard


def test_news_are_of_events_that_the_seat_may_read() -> None:
    hidden = 0
    for game, players in SMALL:
        one, first = begun(game=game, players=players, seats=[0], seed=5)
        told = list(whole(one, first, Random(5)))
        position = one._play.position  # type: ignore[union-attr]
        say = catalogue("en", position.game)
        name = seat_names(say, position)
        secret = [say.event(event, name) for event in position.events if not event.may_read(0)]
        said = [sentence for one_told in told for sentence in one_told.news]
        assert said
        assert not {*secret} & {*said}, game
        hidden += len(secret)
    assert hidden > 0, "no game has events that some may not read"


def test_a_wrong_answer_is_refused_and_the_eighth_in_a_row_loses() -> None:
    one, told = begun()
    position = one._play.position  # type: ignore[union-attr]
    before = position.to_bytes()
    for number in range(1, MOST_REFUSALS):
        refused = one.act({"action": WRONG[number]})
        assert refused.error
        assert (refused.tries_left, refused.reward, refused.done) == (MOST_REFUSALS - number, 0.0, False)
        assert refused.legal == told.legal
        assert position.to_bytes() == before
    assert one.act({"action": told.legal[0].action}).tries_left == MOST_REFUSALS
    for _ in range(MOST_REFUSALS):
        last = one.act({"action": "no such move"})
    assert (last.reward, last.done, last.returns, last.scores) == (-1.0, True, None, None)
    assert str(last.error).endswith("refused answer 8 in a row, so the game is lost")
    assert one.facts.done
    assert one.begin(QUICK).done is False


def test_a_share_of_the_win_is_a_reward_too() -> None:
    one, first = begun(rewards="share", seats=[*range(SEATS)], seed=2)
    *_, last = whole(one, first, Random(2))
    assert last.reward == (1 / len(last.winners) if last.seat in last.winners else 0.0)
    one, _ = begun(rewards="share")
    assert [one.act({"action": -1}).reward for _ in range(MOST_REFUSALS)] == [0.0] * MOST_REFUSALS


def test_every_wrong_argument_is_refused_with_one_sentence() -> None:
    one, told = begun()
    calls: list[tuple[str, Any, tuple[str, ...]]] = [
        ("begin", one.begin, BEGIN),
        ("observe", one.observe, ("seat",)),
        ("about", one.about, ("pieces", "seat")),
        ("rules", rules_page, ("game", "page", "language")),
    ]
    needed: dict[str, dict[str, Any]] = {"about": {"pieces": ["none"]}, "rules": {"game": EXAMPLE}}
    refused = 0
    for what, call, allowed in calls:
        right = needed.get(what, {})
        for name in (*allowed, "nonsense"):
            for value in WRONG:
                if value is None or (name in ARGUMENTS and what == "begin" and ARGUMENTS[name].fits(value)):
                    continue
                try:
                    call({**right, name: value})
                except ZigguratError as error:
                    refused += 1
                    plain(error.detail)
    assert refused > 150
    for value in WRONG:
        with pytest.raises(BadArgument, match="has arguments by name"):
            checked("a step", [value], ACT)
    assert one.observe({}).legal == told.legal, "nothing has changed"


def plain(said: str) -> None:
    assert 0 < len(said) < 400, said
    assert not re.search(r"Traceback|Error|0x[0-9a-f]{6}|\.py\b|\n", said), said


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"game": "none"}, "there is no game 'none'; there are: "),
        ({"players": 15}, "players"),
        ({"seats": [0, 0]}, f"seats are different numbers from 0 to {SEATS - 1}"),
        ({"seats": [SEATS]}, f"seats are different numbers from 0 to {SEATS - 1}"),
        ({"opponents": ["greedy"] * SEATS}, "bots play the seats"),
        ({"opponents": "cmd:true"}, "bots are random"),
        ({"opponents": "search:0"}, "bots are random"),
        ({"opponents": "tests.rl.test_openenv:Slow"}, "bots are random"),
        ({"options": {"none": "x"}}, "none"),
        ({"seed": -1}, "seed is a whole number from 0 to"),
        ({"language": "xx"}, 'language is "en" or'),
    ],
)
def test_a_game_that_cannot_be_is_refused(given: dict[str, Any], says: str) -> None:
    one, told = begun()
    with pytest.raises(ZigguratError) as error:
        one.begin({**QUICK, **given})
    assert says in error.value.detail
    plain(error.value.detail)
    assert one.observe({}).legal == told.legal, "the game before goes on"


def test_there_are_no_more_games_than_there_are_places() -> None:
    house = GameHouse(QUICK, most=2)
    first, second, third = (Session(house) for _ in range(3))
    first.begin({})
    first.begin({})
    second.begin({})
    with pytest.raises(HouseFull, match="all 2 places"):
        third.begin({})
    second.close()
    second.close()
    third.begin({})
    with pytest.raises(NoGameYet, match="has ended"):
        second.act({"action": 0})
    with pytest.raises(NoGameYet, match="has ended"):
        second.begin({})
    with pytest.raises(NoGameYet, match="no game has begun"):
        Session(house).act({"action": 0})


def test_what_is_usual_in_a_house() -> None:
    house = GameHouse({**QUICK, "language": "hu", "rules": True})
    told = Session(house).begin({})
    assert (told.game, told.players) == (EXAMPLE, SEATS)
    assert told.rules
    assert "választ" in told.text.lower() or told.text != begun()[1].text
    with pytest.raises(BadArgument):
        GameHouse({"players": "three"})
    with pytest.raises(UnknownGame):
        GameHouse({"game": "none"})


def test_an_agent_cannot_put_a_game_of_its_trainer_aside() -> None:
    one, told = begun()
    with pytest.raises(NoGameYet, match="begun for you"):
        one.begin(QUICK, by_trainer=False)
    assert one.observe({}).legal == told.legal
    own = Session(GameHouse())
    own.begin(QUICK, by_trainer=False)
    own.begin(QUICK, by_trainer=False)


def test_bots_answer_within_the_seconds_of_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search stops when they are over; whoever comes after it plays by the heuristic."""
    asked: list[Bot] = []
    truly = playing.decide

    def watched(position: Any, seat: int, player: Bot, rng: Any) -> list[int]:
        asked.append(player)
        return truly(position, seat, player, rng)

    monkeypatch.setattr(sessions, "decide", watched)
    one = Session(GameHouse(seconds=1e-9))
    one.begin({**QUICK, "players": 2, "seats": [0], "opponents": "search:20000", "seed": 1})
    while not asked:
        one.act({"action": one.observe({}).legal[0].action})
    assert all(isinstance(bot, GreedyBot) for bot in asked)
    asked.clear()
    unhurried = Session(GameHouse(seconds=5.0))
    unhurried.begin({**QUICK, "players": 2, "seats": [0], "opponents": "search:3", "seed": 1})
    while not asked:
        unhurried.act({"action": unhurried.observe({}).legal[0].action})
    budgets = [bot.budget for bot in asked if isinstance(bot, SearchBot)]
    assert budgets
    assert all(budget.iterations == 3 and budget.seconds is not None and budget.seconds <= 5.0 for budget in budgets)
    [bot] = unhurried._play.bots.values()  # type: ignore[union-attr]
    assert isinstance(bot, SearchBot)
    assert bot.budget == Budget(3)


def test_the_games_their_rules_and_the_schemas_of_calls() -> None:
    assert [game["id"] for game in games_there()["games"]] == [*ziggurat.registered_games()]
    first = rules_page({"game": EXAMPLE})
    pages = [rules_page({"game": EXAMPLE, "page": page + 1})["text"] for page in range(first["pages"])]
    assert pages[0] == first["text"]
    assert all(len(page) < 10_000 for page in pages)
    with pytest.raises(BadArgument, match="pages, not 99"):
        rules_page({"game": EXAMPLE, "page": 99})
    schema = schema_of(ACT, ("action",))
    assert [*schema["properties"]] == [*ACT]
    assert schema["required"] == ["action"]


def test_without_openenv_it_is_said_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("openenv", "ziggurat.rl.openenv.client", "ziggurat.rl.openenv.models"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "openenv", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "ziggurat-games\[openenv\]"'):
        openenv.ZigguratEnv  # noqa: B018
    with pytest.raises(AttributeError):
        openenv.nothing_such  # noqa: B018


def test_a_bot_that_starts_a_program_is_none() -> None:
    with pytest.raises(UnknownBot):
        begun(opponents="tcp:127.0.0.1:1")

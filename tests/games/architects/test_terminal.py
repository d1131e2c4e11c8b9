"""Architects in the terminal and in the files that commands write."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.cli.fixtures import Cli
from tests.games.architects import by_hand
from tests.games.architects.reader import Reader

from ziggurat import Event, Replay
from ziggurat.lab import batches

pytestmark = pytest.mark.slow

PLAY = ("play", "architects", "--seed", "17", "--players", "3")
TO_THE_END = "1\n" * 400  # always the first choice


def test_a_whole_game_in_the_terminal(cli: Cli, tmp_path: Path) -> None:
    ran = cli(*PLAY, "--replay", "mine.txt", typed=TO_THE_END)
    assert (ran.code, ran.err) == (0, "")
    assert Replay.parse((tmp_path / "mine.txt").read_text(encoding="utf-8")).verify().finished
    assert cli("verify", "mine.txt").code == 0
    assert cli("replay", "mine.txt").code == 0


def test_the_terminal_says_what_the_cat_shows_to_its_owner_alone(cli: Cli) -> None:
    """Of the bots' looks it says only that they looked."""
    ran = cli(*PLAY, "--replay", "mine.txt", typed=TO_THE_END)
    replay = Replay.parse(Path("mine.txt").read_text(encoding="utf-8"))
    events = replay.verify().events
    names = replay.names
    shown = "\n".join(line.strip() for line in ran.out.splitlines())
    for seat in range(3):
        looks = [event for event in events if event.type == "saw" and event.seat == seat]
        told = shown.count(f"The cat shows {names[seat]} the top card")
        assert looks, "nobody had the cat: choose another seed"
        assert told == (len(looks) if seat == 0 else 0)


@pytest.mark.parametrize(
    ("players", "bots", "wonders"),
    [
        (2, "random", "random"),
        (3, "greedy", "random"),
        (7, "random", "random"),
        (3, "random", "chosen"),
        (4, "random", "drafted"),
    ],
)
def test_the_event_log_can_be_followed_from_its_lines_alone(cli: Cli, players: int, bots: str, wonders: str) -> None:
    """What is taken lay on top, tokens come from where they lay, and what may be built is what ``by_hand`` finds."""
    line = ("simulate", "architects", "--players", str(players), "--games", "2", "--seed", "4", "--bots", bots)
    ran = cli(*line, "--option", f"wonders={wonders}", "--log", "log.jsonl", "--legal")
    assert ran.code == 0, ran.err
    follower = Follower()
    for text in Path("log.jsonl").read_text(encoding="utf-8").splitlines():
        follower.line(json.loads(text))
    assert follower.ended == 2
    assert follower.followed > 100
    assert follower.builds > 10


class Follower:
    """Follows the log of games with default options but for ``wonders``; any disagreement is an AssertionError."""

    def __init__(self) -> None:
        self.ended = self.followed = self.builds = 0

    def line(self, line: dict[str, Any]) -> None:
        getattr(self, f"_{line['kind']}")(line)

    def _game(self, line: dict[str, Any]) -> None:
        self.reader = Reader(line["players"], limited=False)
        self.decks: dict[str, list[str]] = {}
        self.stack: list[str] = []

    def _table(self, line: dict[str, Any]) -> None:
        wonders = [builder["wonder"] for builder in line["view"]["builders"]]
        assert wonders == [self.reader.wonders.get(seat) for seat in range(self.reader.players)]

    def _hidden(self, line: dict[str, Any]) -> None:
        """What is not known before the game begins, and after a deck is shuffled."""
        if self.decks:
            assert {name: Counter(cards) for name, cards in line["decks"].items()} == {
                name: Counter(cards) for name, cards in self.decks.items()
            }
            assert line["stack"] == self.stack
        self.decks, self.stack = line["decks"], line["stack"]
        laid_out = len(self.reader.wonders) == self.reader.players
        assert set(self.decks) == (set(self.reader.decks) if laid_out else set())
        for name, cards in self.decks.items():
            top, left = self.reader.decks[name]
            assert len(cards) == left
            assert name == "central" or cards[:1] == ([top] if top else [])

    def _event(self, line: dict[str, Any]) -> None:
        args = line["args"]
        if line["type"] == "took":
            deck = self.decks[args["deck"]]
            [card] = args["cards"]
            place = deck.index(card)
            assert place < (5 if args["by"] == "halicarnassus" else 1)
            deck.pop(place)
        elif line["type"] == "saw":
            assert args["card"] == self.decks["central"][0]
        elif line["type"] == "looked":
            assert args["cards"] == self.decks[args["deck"]][:5]
        elif line["type"] == "token_revealed" and self.decks:
            assert self.stack.pop(0) == args["token"]
        elif line["type"] in ("claimed", "granted"):
            if args["stack"]:
                assert self.stack.pop(0) == args["token"]
            else:
                assert args["token"] in self.reader.offer.values()
        self.reader.read(Event(line["type"], line["seat"], args))

    def _decision(self, line: dict[str, Any]) -> None:
        reader, seat, legal = self.reader, line["seat"], line["legal"]
        self.followed += 1
        assert line["chosen"] in legal
        if legal[0].startswith("wonder"):
            assert not self.decks
            return
        assert seat == reader.turn
        if not any(text.startswith(("build", "claim", "extra", "end")) for text in legal):
            return
        cards = reader.cards[seat]
        tokens = set(reader.tokens[seat]) - reader.used
        hand = by_hand.Hand(
            tuple(cards[kind] for kind in by_hand.GREY), cards["coin"], "economy" in tokens, "engineering" in tokens
        )
        wanted = set()
        wonder, built = reader.wonders[seat], frozenset(reader.built[seat])
        for stage, payment in by_hand.legal_builds(wonder, built, hand, by_hand.Policy()):
            words = list(payment.cards())
            wanted.add(f"build {stage} with {' '.join([*words[:-1], 'coin2'] if payment.economy else words)}")
        assert {text for text in legal if text.startswith("build")} == wanted
        self.builds += bool(wanted)
        claims = {text.partition(" for ")[0] for text in legal if text.startswith("claim")}
        sets = {f"claim {symbol} {symbol}" for symbol in by_hand.SYMBOLS if cards[symbol] > 1}
        if all(cards[symbol] for symbol in by_hand.SYMBOLS):
            sets.add("claim compass gear tablet")
        assert claims == (sets if self.stack or any(reader.offer.values()) else set())
        assert ("end" in legal) is not bool(wanted or claims)

    def _end(self, line: dict[str, Any]) -> None:
        assert line["scores"] == [self.reader.scores[seat] for seat in range(self.reader.players)]
        assert line["winners"] == self.reader.winners
        self.ended += 1


def test_ties_are_broken_by_the_rules() -> None:
    """7 Wonders: Architects, A28: of those with as many points who has more stages wins."""
    [batch] = batches("architects", ["random"] * 2, games=400, seed=3, size=400)
    tied = batch.scores[:, 0] == batch.scores[:, 1]
    assert {tuple(wins) for wins in batch.wins[tied].tolist()} >= {(1.0, 0.0), (0.0, 1.0)}


def test_a_bot_of_ones_own_sits_here_too_and_when_it_fails_the_heuristic_moves(cli: Cli) -> None:
    ran = cli("play", "architects", "--seed", "4", "--bots", "Gone=cmd:cat,greedy", typed="1\nq\n")
    assert "Gone sent '{" in ran.out
    assert "which is no answer to a decision" in " ".join(ran.out.split())
    assert (ran.code, "Goodbye." in ran.out) == (0, True)

"""A game among players that are sent texts and answer in texts, one after the other; without TextArena."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ziggurat
from ziggurat.bots import Bot, GreedyBot, decide
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.rl import prompts
from ziggurat.rl.at_once import AtOnce
from ziggurat.rl.prompts import Rules, TextChoice

HOW_TO_ANSWER = """\
# How to answer

When you must decide you are shown what has happened, what you see, and a numbered list of all that you may do now. \
End your message with one of the list in square brackets: its number, as [2], or what stands beside it in the list. \
Only the last square brackets count, and nobody else reads what you write before them. A turn may take several such \
answers, one for each step. Where several players decide at the same time, nobody learns what the others choose \
before all have chosen.
{mistakes}"""
MISTAKES = """\
An answer that is not in the list changes nothing: you are told why and asked again, {times}. With one more {after}."""
AFTER = {True: "you lose, and your opponent wins", False: "you lose: a program plays your seat to the end"}


def question(
    position: Position, seat: int, offered: Sequence[TextChoice], names: Sequence[str], told: int, wrong: str = ""
) -> str:
    """Return what a seat is sent that must decide.

    Args:
        told: what has happened since this mark of ``rows_written`` is told.
        wrong: what was wrong with its last answer.
    """
    parts = [wrong] if wrong else []
    if happened := prompts.news(position, seat, told, names):
        parts.append("What has happened since you were asked last:\n" + "\n".join(happened))
    parts.append(f"What you see as {names[seat]}:\n" + prompts.seen(position, seat, names))
    parts.append("What you may do; answer with one of these in square brackets:\n" + prompts.listed(offered))
    return "\n\n".join(parts)


class TextTable:
    """A game with its names, what each seat was told, and who has lost by wrong answers.

    Where several seats decide at once they are asked one after the other, and none is told of the others' choices
    before all have chosen. What a seat need not decide is played for it. A seat that has lost is played by the
    heuristic, so that the others can go on.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        seed: int | None = None,
        options: Mapping[str, str] | None = None,
        rules: Rules = "play",
    ) -> None:
        """
        Raises:
            BadOption: for a number of players or an option that the game does not have.
            BadSeed.
        """
        self.game = game
        self.rules = prompts.check_amount(rules)
        self.options = dict(options or {})
        self.at_once = AtOnce(ziggurat.new(game, players, seed=seed, options=self.options))
        self.names = prompts.player_names(players)
        self.lost: list[int] = []
        self._told = [0] * players
        self._bot: Bot = GreedyBot()
        self._chance = ziggurat.generator()
        self.offered: list[TextChoice] = []
        self._go_on()

    @property
    def position(self) -> Position:
        """What has been played."""
        return self.at_once.position

    @property
    def asked(self) -> int | None:
        """The seat that is asked; None when the game is over."""
        return None if self.over else self.at_once.waiting[0]

    @property
    def over(self) -> bool:
        """Whether the game has ended, or a single player is left of several."""
        return self.position.finished or self.alone

    @property
    def alone(self) -> bool:
        """Whether wrong answers have left nobody to play with."""
        return len(self.lost) >= max(self.position.players - 1, 1)

    def opening(self, seat: int, wrong_answers: int) -> str:
        """Return what a seat is told before the game: who it is, the rules, and how to answer.

        Args:
            wrong_answers: that it may give in a row.
        """
        players = self.position.players
        called = catalogue("en", self.game)("name")
        parts = [f"You are {self.names[seat]} in a game of {called}. {prompts.seated(players)}"]
        if self.options:
            parts.append("Options: " + ", ".join(f"{name}: {value}" for name, value in self.options.items()) + ".")
        if text := prompts.rules_for_prompt(self.game, players, self.rules):
            parts.append(text)
        times = "once" if wrong_answers == 1 else f"{wrong_answers} times in a row at most"
        after = AFTER[players == 2]
        said = (
            MISTAKES.format(times=times, after=after) if wrong_answers else f"After an answer not in the list {after}."
        )
        parts.append(HOW_TO_ANSWER.format(mistakes=said))
        return "\n\n".join(parts)

    def question(self, wrong: str = "") -> str:
        """Return what the seat that is asked is sent: what was wrong with its last answer, what has happened since
        it was asked last, what it sees, and all that it may do."""
        seat = self.asked
        if seat is None:
            raise BadOption("the game is over: nobody is asked")
        told = self._told[seat]
        return question(self.at_once.sight(seat), seat, self.offered, self.names, told, wrong)

    def answer(self, text: str) -> None:
        """Play what the seat that is asked has answered.

        Raises:
            AnswerError: when that is not in the list; nothing has changed then.
        """
        choice = prompts.read_answer(text, self.offered)
        seat, at_once = self.at_once.waiting[0], self.at_once
        # All that follows is new to the seat, its own choice too.
        sees, all_see = at_once.sight(seat).rows_written, self.position.rows_written
        at_once.play(seat, choice.action)
        self._told[seat] = sees if at_once.has_begun(seat) else all_see
        self._go_on()

    def give_up(self, seat: int) -> None:
        """Count a seat as lost, and let the heuristic play it."""
        if seat not in self.lost:
            self.lost.append(seat)
        self._go_on()

    def _go_on(self) -> None:
        """Play what nobody who plays has to decide."""
        at_once = self.at_once
        while not self.over:
            for seat in at_once.waiting:
                position = at_once.sight(seat)
                steps = position.imposed(seat)
                if steps is None and seat in self.lost:
                    steps = tuple(decide(position, seat, self._bot, self._chance))
                if steps is not None:
                    for step in steps:
                        at_once.play(seat, step)
                    break
            else:
                seat = at_once.waiting[0]
                self.offered = prompts.choices(at_once.sight(seat), seat, self.names)
                return
        self.offered = []

    def rewards(self) -> dict[int, float]:
        """Return the reward of each seat: in equal steps from 1 for the winners to -1 for the last, and -1 for who
        has lost by wrong answers."""
        position = self.position
        seats = range(position.players)
        if position.players == 1:
            return {0: -1.0 if self.lost else position.returns()[0]}
        winners = position.winners or ()
        standing = {
            seat: (seat not in self.lost, seat in winners, position.scores[seat] if position.finished else 0)
            for seat in seats
        }
        places = sorted(set(standing.values()))
        if len(places) == 1:
            return dict.fromkeys(seats, 0.0)
        last = len(places) - 1
        return {seat: -1.0 if seat in self.lost else (2 * places.index(standing[seat]) - last) / last for seat in seats}

    def result(self) -> str:
        """Return how the game has ended, in a sentence."""
        position = self.position
        lost = f" Lost by wrong answers: {', '.join(self.names[seat] for seat in self.lost)}." if self.lost else ""
        if not position.finished:
            return f"Nobody is left to play with.{lost}"
        scores = ", ".join(f"{name} {score}" for name, score in zip(self.names, position.scores, strict=True))
        winners = " and ".join(self.names[seat] for seat in position.winners or ()) or "nobody"
        return f"The game is over. Points: {scores}. Winner: {winners}.{lost}"

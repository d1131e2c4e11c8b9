"""Plays deals twice: the same moves have to lead to the same game.

python -m tests.server.same_deals --days 20 [--game GAME]

Once by rules that run interpreted, once compiled and with every position read back from what the database would hold;
the bots of the two think in different processes, and the second one's is ended after every fortieth move.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from datetime import date, timedelta

import msgspec

import ziggurat
from ziggurat import Position
from ziggurat.core.runtime import prepare
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.chance import chance
from ziggurat.server.domain.move import play
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.daily import rules as daily
from ziggurat.server.services.search_process import ANSWER_MARK, Choose, SentPosition

ANN = Person("ann", "Ann", "en")


class Mind:
    """A process that thinks."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def choose(self, table: Table, seat: int) -> tuple[int, ...]:
        if self.process is None:
            command = [sys.executable, "-m", "ziggurat.server.services.search_process"]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert table.position is not None
        moment = SentPosition.of(table.position)
        moment.history = []
        question = Choose(moment, seat, daily.DEAL_BOT, "", chance=chance(table, seat))
        self.process.stdin.write(msgspec.json.encode(question) + b"\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        assert said[:1] == ANSWER_MARK, said
        return tuple(msgspec.json.decode(said[1:], type=list[int]))

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def any_move(position: Position, seat: int, chance: random.Random) -> tuple[int, ...]:
    """Some whole move."""
    position, steps = position.copy(), list[int]()
    while not steps or position.in_move:
        steps.append(chance.choice(position.legal(seat)))
        position.play(seat, steps[-1])
    return tuple(steps)


def reread(table: Table) -> Table:
    """Return a table as another worker would read it."""
    assert table.position is not None
    return rules_gateway.restore(table, table.position.to_bytes())


def played(game: str, day: date, mind: Mind, *, restarts: bool) -> Table:
    """Return a whole game of a deal, in which the person's moves are the same every time."""
    table = daily.deal(game, day, daily.keys("secret", game, day), ANN, "instant")
    chance = random.Random(f"{game} {day}")
    while not table.over:
        assert table.position is not None
        seat = table.bot_due
        if seat is not None:
            steps = mind.choose(table, seat)
        else:
            seat = daily.seat_of(day)
            steps = any_move(table.position, seat, chance)
        table = play(table, seat, steps)
        if restarts:
            table = reread(table)
            if table.seq % 40 == 0:
                mind.end()
    return table


def same(one: Table, other: Table) -> bool:
    stories = [[(c.seat, c.steps, c.notation, tuple(c.events)) for c in table.story()] for table in (one, other)]
    return stories[0] == stories[1] and one.result == other.result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=5)
    parser.add_argument("--game", choices=ziggurat.registered_games(), action="append")
    asked = parser.parse_args()
    minds = Mind(), Mind()
    days = [date(2026, 1, 1) + timedelta(n) for n in range(asked.days)]
    for game in asked.game or ziggurat.registered_games():
        first = [played(game, day, minds[0], restarts=False) for day in days]
        assert all(table.position is not None and table.position._lists is not None for table in first), "interpreted"
        prepare(ziggurat.game(game))
        again = [played(game, day, minds[1], restarts=True) for day in days]
        differ = [str(day) for day, one, other in zip(days, first, again, strict=True) if not same(one, other)]
        moves = sum(len(table.story()) for table in first)
        print(f"{game}: {len(days)} deals, {moves} moves, {len(differ)} that differ {differ}", flush=True)
        if differ:
            sys.exit(1)
    for mind in minds:
        mind.end()


if __name__ == "__main__":
    main()

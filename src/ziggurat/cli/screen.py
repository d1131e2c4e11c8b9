"""The screen of a game in the terminal, whatever the game: its board, its events, its end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from ziggurat.cli.words import words
from ziggurat.core.board import board_of
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.trace import Event

PIPED_WIDTH = 100


class Screen:
    """A printer of a game in words. ``you`` is the seat whose hand is shown, or None for an onlooker."""

    def __init__(
        self, game: Game, language: str | None, players: int, names: Sequence[str] = (), you: int | None = None
    ) -> None:
        self.game = game
        self.say = words(language, game)
        self.names = list(names) or [self.say("ui.seat", n=seat + 1) for seat in range(players)]
        self.you = you
        self.game_board = board_of(game.id)
        self.console = Console(
            width=None if sys.stdout.isatty() else PIPED_WIDTH, highlight=False, soft_wrap=not sys.stdout.isatty()
        )

    def name(self, seat: int) -> str:
        """Return the name of a seat, or of an owner beyond the seats."""
        return self.names[seat] if seat < len(self.names) else self.say("label.neutral")

    def line(self, text: str = "", style: str = "") -> None:
        self.console.print(Text(text, style))

    def ask(self, key: str, **args: Any) -> None:
        """Print a text of the catalogue."""
        self.line(self.say(key, self.name, **args))

    def show(self, what: RenderableType) -> None:
        self.console.print(what)

    def menu(self, entries: Iterable[str]) -> None:
        """Print numbered lines; long ones are wrapped below their own beginning."""
        table = Grid.grid(padding=(0, 1, 0, 1))
        table.add_column(justify="right")
        for number, entry in enumerate(entries, start=1):
            table.add_row(str(number), Text(entry))
        self.show(Padding(table, (0, 0, 0, 2), expand=False))

    def heading(self, text: str) -> None:
        if self.console.is_terminal:
            self.console.print(Rule(escape(text), align="left", style="dim"))
        else:
            self.line(f"\n== {text}")

    def board(self, view: Any) -> None:
        self.show(self.game_board.show(view, self.say, self.name))

    def events(self, events: Sequence[Event], view: Any) -> None:
        """Print events, and after a scoring where its points come from. Without ``you`` also private events."""
        for event in events:
            unsaid = event.type in self.game_board.unsaid
            if unsaid or (self.you is not None and not event.may_read(self.you)):
                continue
            quiet = event.type in self.game_board.quiet
            text = Text(self.say.event(event, self.name), "dim" if quiet else "")
            if self.console.soft_wrap:  # padding would cut long lines off
                self.show(Text("  ").append_text(text))
            else:
                self.show(Padding(text, (0, 0, 0, 2), expand=False))
        explained = self.game_board.scoring(events, view, self.say, self.name)
        if explained is not None:
            self.show(explained)

    def end(self, position: Position) -> None:
        """Print the result, with where every point comes from."""
        self.heading(self.say("ui.end.title"))
        breakdown = self.game_board.breakdown(position.events, position.view_all(), self.say, self.name)
        if breakdown is not None:
            self.show(breakdown)
        for seat, points in sorted(
            enumerate(position.all_scores), key=lambda pair: (pair[0] >= len(self.names), -pair[1])
        ):
            self.line(f"  {self.name(seat)}: {points}")
        if self.you is None or self.you not in position.winners:
            # With no winner at the table, the game's own figure has won.
            self.ask("ui.end.won", winners=position.winners or [position.players])
        elif len(position.winners) == 1:
            self.ask("ui.end.you_won")
        else:
            self.ask("ui.end.you_shared", seats=[seat for seat in position.winners if seat != self.you])

    def read(self, prompt: str) -> str | None:
        """Return a line that the person types; None at the end of the input."""
        try:
            return self.console.input(Text(prompt, "bold")).strip()
        except EOFError:
            self.line()
            return None

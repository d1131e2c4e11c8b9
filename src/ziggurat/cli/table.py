"""A table in the terminal: one person and some bots, whatever the game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ziggurat.bots import Bot, GreedyBot, decide
from ziggurat.cli.screen import Screen
from ziggurat.core.actions import Choice
from ziggurat.core.decision import Preview
from ziggurat.core.errors import BotFailed, IllegalAction, UnfinishedMove
from ziggurat.core.position import Position
from ziggurat.core.replay import Move, Replay, record
from ziggurat.core.text import rules_text

YOU = 0


class Quit(Exception):
    """Raised when the person leaves: typed so, closed the input, or pressed Ctrl+C."""


class TerminalTable:
    """A table in the terminal, played to its end, or until the person leaves."""

    def __init__(self, position: Position, screen: Screen, bots: Sequence[str | Bot], rng: np.ndarray) -> None:
        """``bots``: the bot of every seat, or its name; the person's own entry is not read."""
        self.position = position
        self.screen = screen
        self.say = screen.say
        self._bots = bots
        self._rng = rng
        self._moves: list[Move] = []

    def play(self) -> None:
        screen, position = self.screen, self.position
        # A person alone plays against the game's own figure.
        others = [screen.name(seat) for seat in range(max(position.players, 2)) if seat != YOU]
        screen.heading(self.say("ui.cli.welcome", game=self.say("name"), you=screen.name(YOU), others=others))
        screen.line(self.say("ui.cli.help"), "dim")
        if position.seed is not None:
            screen.line(self.say("ui.cli.seed", seed=_readable(position.seed)), "dim")
        screen.events(position.events, position.view(YOU))
        try:
            while position.actors:
                seat = YOU if YOU in position.actors else position.actors[0]
                forced = position.forced(seat)
                if forced is not None:
                    self._play_move(seat, [forced])
                elif seat == YOU:
                    self._play_move(seat, self._choose())
                else:
                    self._play_move(seat, self._decided(seat))
            screen.end(position)
        except (Quit, KeyboardInterrupt):
            screen.line()
            screen.ask("ui.cli.bye")

    def replay(self) -> Replay:
        return record(self.position, self._moves, names=self.screen.names)

    def _play_move(self, seat: int, steps: Sequence[int]) -> None:
        text = self.position.write_move(steps)
        events = self.position.play_all(seat, steps)
        self._moves.append(Move(seat, text))
        self.screen.events(events, self.position.view(YOU))

    # --- The person's move ---

    def _decided(self, seat: int) -> list[int]:
        """Return the move of a bot; where a bot from outside fails, that of the game's heuristic."""
        try:
            return decide(self.position, seat, self._bots[seat], self._rng)
        except BotFailed as error:
            self.screen.line(f"{self.screen.name(seat)} {error.detail}", "dim")
            return decide(self.position, seat, GreedyBot(), self._rng)

    def _choose(self) -> list[int]:
        """Return a whole move, confirmed."""
        screen, position = self.screen, self.position
        view = position.view(YOU)
        screen.heading(self.say("ui.table.your_turn"))
        screen.board(view)
        decision = position.decision(YOU)
        if decision.ask is not None:
            screen.line(self.say.say(decision.ask, screen.name), "bold")
        choices = self._menu(decision.legal)
        while True:
            text = self._read(self.say("ui.cli.prompt"))
            if text == "u":
                continue  # nothing to take back yet
            steps = self._understand(text, choices)
            if steps is None:
                continue
            finished: list[int] | None
            try:
                position.after_move(YOU, steps)
                finished = self._arranged(steps)
            except UnfinishedMove:
                finished = self._finish(steps)
            except IllegalAction as error:
                self._refuse(error)
                continue
            if finished is not None:
                return finished
            choices = self._menu(choices)

    def _arranged(self, steps: Sequence[int]) -> list[int]:
        return self.position.game.arrange(steps)

    def _menu(self, legal: Sequence[Choice]) -> list[Choice]:
        """Print the choices, those with most to explain first."""
        view = self.position.view(YOU)
        choices = sorted(legal, key=lambda choice: choice.type)
        self.screen.ask("ui.cli.moves")
        self.screen.menu(
            self.screen.game_board.choice(choice, view, self.say, self.screen.name) + self._hint(choice)
            for choice in choices
        )
        return choices

    def _hint(self, choice: Choice) -> str:
        """Return the preview of the suggested way to carry a choice out."""
        try:
            preview = self.position.preview(YOU, [choice.action])
        except IllegalAction:  # a whole move by itself
            return ""
        if preview.then is None:
            return ""
        return "  · " + " ".join(self.say.say(phrase, self.screen.name) for phrase in preview.then.say)

    def _understand(self, text: str, choices: Sequence[Choice]) -> list[int] | None:
        if text.isascii() and text.isdecimal():
            if 1 <= int(text) <= len(choices):
                return [choices[int(text) - 1].action]
        elif text:
            try:
                return self.position.read_move(text, YOU)
            except IllegalAction as error:
                if " " in text:
                    self._refuse(error)
                    return None
        self.screen.ask("ui.cli.not_understood", text=text, max=len(choices))
        return None

    def _refuse(self, error: IllegalAction) -> None:
        reason = error.context.get("reason")
        sentence = self.say(reason["key"], self.screen.name, **reason["args"]) if reason else error.detail
        self.screen.ask("ui.cli.not_allowed", reason=sentence)

    # --- A move of several steps ---

    def _finish(self, steps: list[int]) -> list[int] | None:
        """Ask for the further steps of a move until it is confirmed; None when it is taken back."""
        steps = list(steps)
        while True:
            preview = self.position.preview(YOU, steps)
            self._step_menu(steps, preview)
            answer = self._read(self.say("ui.cli.prompt"))
            if answer == "u":
                if len(steps) == 1:
                    return None
                steps.pop()
            elif answer == "":
                if preview.suggest:
                    steps += [step.action for step in preview.suggest]
                elif preview.confirm:
                    return self._arranged([*steps, preview.confirm[0].action])
            else:
                finished = self._add(steps, answer.replace(",", " ").split())
                if finished:
                    return self._arranged(steps)

    def _add(self, steps: list[int], words: Sequence[str]) -> bool:
        """Add the steps that were typed, all or none; True when they finish the move."""
        longer = list(steps)
        for number, word in enumerate(words, start=1):
            preview = self.position.preview(YOU, longer)
            keys = self._keys(preview)
            if word not in keys:
                self.screen.ask("ui.cli.not_understood_step", text=word, keys=list(keys))
                return False
            longer.append(keys[word])
            if keys[word] in {confirmation.action for confirmation in preview.confirm} or self._is_whole(longer):
                if number < len(words):
                    self.screen.ask("ui.cli.not_understood_step", text=words[number], keys=[word])
                    return False
                steps[:] = longer
                return True
        steps[:] = longer
        return False

    def _is_whole(self, steps: Sequence[int]) -> bool:
        """Whether a step that may be added was the last one already."""
        try:
            self.position.after_move(YOU, steps)
        except IllegalAction:
            return False
        return True

    def _keys(self, preview: Preview) -> dict[str, int]:
        """Return the keys of the actions."""
        key = self.screen.game_board.key
        keys: dict[str, int] = {}
        for number, choice in enumerate(preview.add, start=1):
            keys[key(choice.notation) or str(number)] = choice.action
        for closing in preview.confirm:
            notation = self.position.write_step(closing.action)
            keys[key(notation) or notation] = closing.action
        return keys

    def _step_menu(self, steps: Sequence[int], preview: Preview) -> None:
        """Print the preview of the move so far, and how it can go on."""
        screen = self.screen
        screen.line(f"  {self.say.say(preview.ask, screen.name)}")
        for phrase in preview.say:
            screen.line(f"  {self.say.say(phrase, screen.name)}", "bold")
        labels = []
        keys = {action: key for key, action in self._keys(preview).items()}
        for choice in preview.add:
            key = keys[choice.action]
            labels.append(key if screen.game_board.key(choice.notation) else f"{key} {choice.notation}")
        if labels:
            screen.ask("ui.cli.add", choices=labels)
        for number, confirmation in enumerate(preview.confirm):
            enter = "Enter, " if number == 0 and not preview.suggest else ""
            notation = self.position.write_step(confirmation.action)
            key = screen.game_board.key(notation) or notation
            screen.line(f"  {enter}{key}: {self.say.say(confirmation.label, screen.name)}")
        if preview.suggest:
            said = self.position.preview(YOU, [*steps, *(step.action for step in preview.suggest)]).say
            what = [screen.game_board.key(step.notation) or step.notation for step in preview.suggest]
            screen.ask("ui.cli.suggest", choices=what)
            for phrase in said:
                screen.line(f"         {self.say.say(phrase, screen.name)}", "dim")

    # --- Commands ---

    def _read(self, prompt: str) -> str:
        """Return what the person types, once it is not a command for the terminal."""
        while True:
            text = self.screen.read(prompt)
            if text is None or text in ("q", "quit", "exit"):
                raise Quit
            if text in ("?", "h", "help"):
                self.screen.ask("ui.cli.help")
                if "menu.help" in self.say.texts:
                    self.screen.ask("menu.help")
            elif text == "r":
                self._rules()
            elif text == "p":
                self._points()
            else:
                return text

    def _rules(self) -> None:
        from rich.markdown import Markdown

        found = rules_text(self.position.game.id, self.say.language)
        if found is None:
            return self.screen.ask("ui.rules.failed")
        text = Markdown(found)
        if self.screen.console.is_terminal:
            with self.screen.console.pager(styles=True):
                self.screen.show(text)
        else:
            self.screen.show(text)

    def _points(self) -> None:
        board = self.screen.game_board
        found = board.breakdown(self.position.events, self.position.view(YOU), self.say, self.screen.name)
        if found is not None:
            self.screen.show(found)


def _readable(seed: bytes) -> str:
    number = int.from_bytes(seed, "little")
    return str(number) if number < 1 << 64 else seed.hex()

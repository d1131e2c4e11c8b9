"""A game that is played by our rules, interpreted, with chance that somebody else decides, in words that any program
understands: notations of actions, and views as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ziggurat.core.dealing import Dealer, DealtRules, judged
from ziggurat.core.game import Components, Game
from ziggurat.core.record import ListRecord, from_lists, states_of, to_lists
from ziggurat.core.trace import OUT, Event, ListTrace

ALWAYS_LEFT_OUT = frozenset({"game", "players", "seat", "actors", "finished", "winners"})
"""Fields of every view that say what is asked in another way."""


class Rules:
    """A game's rules, prepared for many worlds: copies of its kernels take a while."""

    def __init__(self, game: Game, components: Components | None = None) -> None:
        self.game = game
        self.components = components or game.components
        self.declared = judged(game)
        self.dealt = DealtRules(game)
        left_out = self.declared.left_out
        self._top = ALWAYS_LEFT_OUT | {path for path in left_out if "." not in path}
        self._inner: dict[str, set[str]] = {}
        for path in left_out:
            field, _, name = path.partition(".")
            if name:
                self._inner.setdefault(field, set()).add(name)

    def shown(self, view: Any) -> dict[str, Any]:
        """The fields of a view that a program is asked for, as plain data."""
        plain: dict[str, Any] = msgspec.to_builtins(view, str_keys=True)
        for name in self._top:
            plain.pop(name, None)
        for field, names in self._inner.items():
            value = plain[field]
            for one in value if isinstance(value, list) else [value]:
                for name in names:
                    one.pop(name, None)
        return plain


class World:
    """A game in progress."""

    def __init__(self, rules: Rules, players: int, options: Mapping[str, str], dealer: Dealer) -> None:
        game = rules.game
        self.rules, self.players = rules, players
        self.options = game.check_setup(players, options)
        template = game.template_states(rules.components, players, self.options)
        self.s = to_lists(states_of(template.tobytes(), game.record))
        self.events: list[Event] = []
        self._seats: list[int] = []
        trace = ListTrace(True)
        rules.dealt.setup(self.s, trace, dealer)
        self._look(trace)

    def copy(self) -> World:
        """Another one in the same position."""
        twin = object.__new__(World)
        twin.rules, twin.players, twin.options = self.rules, self.players, self.options
        states = states_of(bytes(self.rules.game.record.itemsize), self.rules.game.record)
        from_lists(self.s, states)
        twin.s = to_lists(states)
        twin.events, twin._seats = self.events, self._seats
        return twin

    @property
    def actors(self) -> list[int]:
        """The seats that must decide now; none when the game is over."""
        return self._seats

    def actions(self, seat: int) -> dict[str, int]:
        """The legal actions of a seat by their notation; of two with the same one the first counts."""
        if seat not in self._seats:
            return {}
        game, out = self.rules.game, ListRecord(OUT)
        n = game.rules["legal"](self.s, seat, out)
        found: dict[str, int] = {}
        for action in sorted(out.values[:n]):
            found.setdefault(self.notation(action), action)
        return found

    def notation(self, action: int) -> str:
        game = self.rules.game
        return game.space.write(action) if game.space[action].fixed else game.write_step(self.s, action)

    def play(self, seat: int, action: int, dealer: Dealer) -> None:
        """Play a legal action; ``events`` are those that it leads to."""
        trace = ListTrace(True)
        self.rules.dealt.play(self.s, seat, action, trace, dealer)
        self._look(trace)

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat, or a spectator, is shown: the fields that a program is asked for."""
        game = self.rules.game
        public = game.public(self.s, self.rules.components.values)
        return self.rules.shown(public if seat is None else game.own(self.s, seat, public, False))

    def views(self, seats: Sequence[int | None]) -> list[dict[str, Any]]:
        game = self.rules.game
        public = game.public(self.s, self.rules.components.values) if seats else None
        return [self.rules.shown(public if seat is None else game.own(self.s, seat, public, False)) for seat in seats]

    def result(self) -> dict[str, list[int]] | None:
        """Scores and winners; nothing before the end."""
        if self._seats:
            return None
        game, out = self.rules.game, ListRecord(OUT)
        owners = game.rules["scores"](self.s, out)
        return {"scores": list(out.values[:owners][: self.players]), "winners": game.winners(self.s)}

    @property
    def in_move(self) -> bool:
        return bool(self.rules.game.in_move(self.s))

    def _look(self, trace: ListTrace) -> None:
        game = self.rules.game
        self.events = game.events.read([list(row) for row in trace.rows[: trace.used]]) if trace.used else []
        mask = int(game.rules["actors"](self.s))
        self._seats = [seat for seat in range(self.players) if mask >> seat & 1]

"""The check of one whole game, from all sides after every action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from ziggurat.bots import decide, draw
from ziggurat.bots.levels import BOTS, BUDGETS
from ziggurat.core import replay
from ziggurat.core.errors import IllegalAction, UnfinishedMove, UnknownPiece
from ziggurat.core.fields.cards import HandField
from ziggurat.core.fields.kinds import NumberField
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.record import states_of
from ziggurat.core.seed import generator
from ziggurat.core.trace import Event
from ziggurat.testing.compared import Tried
from ziggurat.testing.context import Context, who
from ziggurat.testing.declared import fields_of, has_heuristic
from ziggurat.testing.futures import Futures
from ziggurat.testing.interpreted import InterpretedGame
from ziggurat.testing.secrecy import LONGEST, PIECES, Secrecy
from ziggurat.testing.typed import wrong_types
from ziggurat.testing.words import Words

# Of a game with more actions, so many are tried.
MOST_ACTIONS = 100
# So much of a name that is no piece is told back.
PIECE = 40
# One action of so many is any, in a game that is played as the heuristic suggests.
STRAY = 8
# In so many worlds that look the same to a seat the heuristic is asked.
ASKED = 3
_SIMPLE = (str, int, bool, type(None))


class CheckedGame:
    """A game played at random, or sensibly, with every check of this package."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, str],
        players: int,
        seed: int,
        *,
        closely: int = 30,
        sensibly: bool = False,
        tried: Tried | None = None,
    ) -> None:
        """``sensibly``: most actions are those that the heuristic suggests, which may lead where chance never does."""
        self.context = Context(game.id, players, dict(options), seed)
        self.rng = generator(seed)
        self.position = Position.new(game, players, seed=seed, options=options)
        self.silent = Position.new(game, players, seed=seed, options=options, trace=False)
        assert self.position.seed is not None
        self.interpreted = InterpretedGame(game, players, options, self.position.components, self.position.seed)
        self.secrecy = Secrecy(self.context, self.rng)
        self.futures = Futures(self.context, self.rng, tried)
        self.words = Words(self.context, game)
        self.pieces = self.position.pieces()
        self.moves: list[replay.Move] = []
        self._steps: list[int] = []
        self._mover = 0
        self._started = self.position
        self._closely, self._sensibly = closely, sensibly
        self._read = 0
        self._log: list[Event] = []

    def play_through(self) -> None:
        """Play to the end, and check at every step everything that must hold."""
        look_again, longest = 0, self.position.game.longest(self.position.players)
        while True:
            self._every_step()
            if self.context.played >= look_again or self.position.finished:
                self._looked_at_closely()
                look_again = self.context.played + 1 + draw(self.rng, 2 * self._closely)
            if self.position.finished:
                break
            self.context.expect(self.context.played < longest, f"the game has more than {longest} decisions")
            self._one_action()
        self._at_the_end()
        self._bots_finish_a_game()

    @property
    def happened(self) -> set[str]:
        """The types of the events so far."""
        return {event.type for event in self._log}

    # --- Playing ---

    def _one_action(self) -> None:
        position = self.position
        if not self._steps:  # where several decide at once, a move is still played whole
            self._mover = position.actors[draw(self.rng, len(position.actors))]
        seat = self._mover
        self.words.of(position.decision(seat))
        legal = position.legal(seat)
        action = legal[draw(self.rng, len(legal))]
        if self._sensibly and draw(self.rng, STRAY):
            action = self._suggested(position, seat)
        if not self._steps:
            self._started = position.copy()
        self._steps.append(action)
        position.play(seat, action)
        self.silent.play(seat, action)
        self.interpreted.play(seat, action)
        self.context.played += 1
        if not position.in_move:
            self._move_is_complete(seat)

    def _suggested(self, position: Position, seat: int) -> int:
        action = position.suggest(self.rng, seat)
        legal = position.legal(seat)
        self.context.expect(action in legal, f"the heuristic suggests {who(seat)} {action}, which is none of {legal}")
        return action

    def _move_is_complete(self, seat: int) -> None:
        """Check a move: its notation makes the round trip, and played in one piece it leads to the same position."""
        started, steps = self._started, self._steps
        text = started.write_move(steps)
        wanted = started.game.arrange(steps)
        self.context.equal(self._read_as(started, text, seat), wanted, f"{text!r} reads as another move")
        self.words.of(started.describe(seat, steps))
        again = started.copy()
        again.play_all(seat, steps)
        self.context.expect(again.to_bytes() == self.position.to_bytes(), f"{text!r} played at once leads elsewhere")
        self.moves.append(replay.Move(seat, text))
        self._steps = []

    def _read_as(self, position: Position, text: str, seat: int) -> list[int]:
        try:
            return position.read_move(text, seat)
        except IllegalAction as error:
            self.context.fail(f"the notation {text!r} of its own cannot be read: {error}")

    # --- Checks of every step ---

    def _every_step(self) -> None:
        self._backings_agree()
        self._somebody_can_act()
        position, context = self.position, self.context
        context.equal(position.pieces(), self.pieces, "pieces were lost or made")
        new = position.events_since(self._read)
        self._read = position.rows_written
        self._log += new
        for event in new:
            self._event_is_declared(event)
        most = position.game.max_players + 1
        counted = position.game.scores_from_events(self._log, most)[: len(position.all_scores)]
        context.equal(counted, position.all_scores, "the scores that the events explain are not the scores")

    def _backings_agree(self) -> None:
        context, position = self.context, self.position
        context.expect(
            position.to_bytes() == self.interpreted.to_bytes(), "compiled and interpreted rules lead to other positions"
        )
        context.expect(
            position.to_bytes() == self.silent.to_bytes(), "rules play differently when nobody keeps the events"
        )
        mask = self.interpreted.actors()
        context.equal(
            position.actors, tuple(seat for seat in range(16) if mask >> seat & 1), "the backings ask other seats"
        )
        for seat in range(position.players):
            context.equal(
                position.legal(seat), self.interpreted.legal(seat), f"the backings allow {who(seat)} other actions"
            )

    def _somebody_can_act(self) -> None:
        context, position = self.context, self.position
        context.equal(bool(position.actors), not position.finished, "a game goes on exactly while somebody must decide")
        if position.players > 1 or position.winners:  # whoever plays alone may lose to the game
            context.equal(bool(position.winners), position.finished, "there are winners exactly at the end")
        for seat in range(position.players):
            legal = position.legal(seat)
            context.equal(bool(legal), seat in position.actors, f"{who(seat)} has actions exactly while it must decide")
            context.equal(len(legal), len(set(legal)), f"an action of {who(seat)} is listed twice")
            context.expect(
                all(0 <= action < position.game.actions for action in legal), f"actions out of range: {legal}"
            )

    def _event_is_declared(self, event: Event) -> None:
        context, game = self.context, self.position.game
        context.expect(event.type in game.event_types, f"the event {event.type!r} is not one of Game.event_types")
        seats = self.position.players + 1  # an owner who is no seat comes last
        context.expect(
            event.seat is None or 0 <= event.seat < seats,
            f"the event {event.type!r} names seat {event.seat}: its first number is a seat, or NO_SEAT for nobody",
        )
        for name, value in event.args.items():
            items = value if isinstance(value, list) else [value]
            context.expect(
                all(isinstance(item, _SIMPLE) for item in items),
                f"{event.type}: {name} is neither simple nor a list of such",
            )
        context.equal(
            msgspec.json.decode(msgspec.json.encode(event), type=Event), event, f"{event.type} does not survive JSON"
        )
        self.words.of_event(event)

    # --- Checks of some steps ---

    def _looked_at_closely(self) -> None:
        self._types_are_true()
        self._observations_are_declared()
        self._numbers_keep_their_bounds()
        self._survives_bytes()
        self._copies_are_independent()
        self._illegal_actions_change_nothing()
        self._notation_of_every_action()
        self._everything_has_words()
        self._previews_can_be_followed()
        started = self._started if self._steps else self.position
        self.secrecy.check(self.position, started, self._steps)
        self._strange_pieces_are_refused()
        self._heuristic_sees_what_its_seat_sees()
        if not self.context.played:
            self.futures.check_start(self.position)
        self.futures.check(started)

    def _heuristic_sees_what_its_seat_sees(self) -> None:
        for seat in self.position.actors if has_heuristic(self.position.game) else ():
            chance = self.rng.copy()
            worlds = [self.position, *(self.position.redeal(seat, self.rng) for _ in range(ASKED))]
            found = {world.suggest(chance.copy(), seat) for world in worlds}
            self.context.expect(
                len(found) == 1, f"the heuristic suggests {who(seat)} something else where other things are hidden"
            )
            self._suggested(self.position, seat)

    def _types_are_true(self) -> None:
        """Check that views and choices conform to their structs."""
        position = self.position
        sent = [position.view(None), position.view_all()]
        for seat in range(position.players):
            decision = position.decision(seat)
            sent += [position.view(seat), *decision.legal, *(refusal.choice for refusal in decision.refusals)]
        for one in sent:
            if isinstance(one, msgspec.Struct):
                self.context.equal(wrong_types(one), [], "what is sent is not what its struct says")

    def _observations_are_declared(self) -> None:
        position, features = self.position, self.position.game.features(self.position.players)
        for seat in (*range(position.players), None):
            seen = position.observe(seat).tolist()
            self.context.equal(
                seen, self.interpreted.observe(seat), f"compiled and interpreted, {who(seat)} observes otherwise"
            )
            self.context.equal(len(seen), len(features), f"{who(seat)} observes other columns than are declared")
            wrong = {
                feature.name: value
                for feature, value in zip(features, seen, strict=True)
                if not feature.low <= value <= feature.high
            }
            self.context.expect(not wrong, f"{who(seat)} observes what is beyond its bounds: {wrong}")

    def _numbers_keep_their_bounds(self) -> None:
        """Check that with the printed components no number exceeds its field's bounds: it would be shown as less."""
        fields = fields_of(self.position.game)
        if fields is None:
            return
        record = states_of(self.position.to_bytes(), self.position.game.record)[0]
        for field in fields.shown:
            if isinstance(field, (NumberField, HandField)):
                low, high = (field.low, field.high) if isinstance(field, NumberField) else (0, field.most)
                numbers = np.ravel(record[field.name])
                self.context.expect(
                    bool((low <= numbers).all() and (numbers <= high).all()),
                    f"{field.name} holds {numbers.tolist()}, and its field says {low} to {high}",
                )

    def _survives_bytes(self) -> None:
        position = self.position
        again = Position.from_bytes(
            position.game, position.to_bytes(), players=position.players, options=position.options
        )
        self.context.expect(again.to_bytes() == position.to_bytes(), "bytes change by being read and written")
        for seat in (*range(position.players), None):
            self.context.equal(
                again.view(seat), position.view(seat), f"{who(seat)} sees something else after reading bytes"
            )
            view = position.view(seat)
            self.context.equal(
                msgspec.json.decode(msgspec.json.encode(view), type=type(view)), view, "a view is not JSON"
            )
        self.context.equal(again.actors, position.actors, "others must decide after reading bytes")

    def _copies_are_independent(self) -> None:
        before, events = self.position.to_bytes(), len(self.position.events)
        copy = self.position.copy()
        self.context.expect(copy.to_bytes() == before, "a copy is not equal")
        if copy.actors:
            seat = copy.actors[0]
            legal = copy.legal(seat)
            legal.clear()  # what was handed out belongs to whoever asked
            copy.play(seat, copy.legal(seat)[-1])
        self.context.expect(self.position.to_bytes() == before, "playing on a copy changed the original")
        self.context.equal(len(self.position.events), events, "playing on a copy changed the events of the original")

    def _illegal_actions_change_nothing(self) -> None:
        position = self.position
        before, events = position.to_bytes(), position.rows_written
        for seat in (-1, *range(position.players), position.players, 99):
            legal = position.legal(seat) if 0 <= seat < position.players else []
            numbers: Iterable[Any] = (*self._some_actions(), 2**31, -(2**63), 2**80, "0", 0.5, None)
            for action in numbers:
                if action not in legal:
                    self._is_refused(seat, action)
        for seat in position.actors:
            legal = position.legal(seat)
            self._is_refused(seat, position.game.actions, first=legal[0])
        self.context.expect(position.to_bytes() == before, "a refused action changed the position")
        self.context.equal(position.rows_written, events, "a refused action left events")
        self._backings_agree()

    def _some_actions(self) -> list[int]:
        """Return all action numbers and both neighbours; of very many a random sample."""
        every = range(-1, self.position.game.actions + 1)
        if len(every) <= MOST_ACTIONS:
            return list(every)
        return [every[0], every[-1], *(every[draw(self.rng, len(every))] for _ in range(MOST_ACTIONS))]

    def _is_refused(self, seat: int, action: Any, *, first: int | None = None) -> None:
        tried = action if first is None else [first, action]
        try:
            if first is None:
                self.position.play(seat, action)
            else:
                self.position.play_all(seat, [first, action])
        except IllegalAction as error:
            self.context.expect(bool(str(error)), f"action {tried!r} of {who(seat)} is refused without a reason")
        except Exception as error:
            self.context.fail(f"action {tried!r} of {who(seat)} raises {error!r} instead of IllegalAction")
        else:
            self.context.fail(f"action {tried!r} of {who(seat)} is not legal, and was played")

    def _notation_of_every_action(self) -> None:
        position = self.position
        for seat in position.actors:
            texts: dict[str, int] = {}
            for action in position.legal(seat):
                text = position.write_step(action)
                self.context.expect(text not in texts, f"the actions {texts.get(text)} and {action} are both {text!r}")
                texts[text] = action
                self.context.equal(self._read_as(position, text, seat), [action], f"{text!r} reads as another action")
            forced = position.forced(seat)
            self.context.expect(forced in (None, *position.legal(seat)[:1]), f"{who(seat)} is forced to play {forced}")
            self.context.expect(
                forced is None or len(texts) == 1, f"{who(seat)} is forced, and could play {', '.join(texts)}"
            )
            imposed = position.imposed(seat)
            if imposed is not None and forced is None:
                unseen = position.redeal(None, self.rng).legal(seat)
                self.context.equal(unseen, [imposed[0]], f"not everybody can tell that {who(seat)} has one move alone")
            choices = position.decision(seat).legal
            listed = position.game.listed(position.legal(seat))
            self.context.equal(sorted(listed), sorted(texts.values()), "decision lists other actions")
            self.context.equal([choice.action for choice in choices], listed, "decision lists actions in another order")
            self.context.expect(
                all(texts.get(choice.notation) == choice.action for choice in choices), "decision has another notation"
            )

    def _everything_has_words(self) -> None:
        """Check that everything shown, asked, possible or not has words, and what each step would mean."""
        position, words = self.position, self.words
        words.of(position.view_all())
        for seat in (*range(position.players), None):
            decision = position.decision(seat)
            self.context.expect(
                seat not in position.actors or decision.ask is not None, f"{who(seat)} must decide and is asked nothing"
            )
            words.of(position.view(seat), decision)
            if seat is not None:
                for choice in decision.legal:
                    words.of(position.describe(seat, [choice.action]))
                    self._preview_has_words(position, seat, [choice.action])
        pieces = position.named
        if position.game.text("en", "what"):
            nothing = [about.piece for about in position.about(None, pieces) if not about.what]
            self.context.equal(nothing, [], "of these pieces nothing is said: text/what has no what.<piece> for them")
        for seat in (*range(position.players), None):
            words.of(
                position.about(seat, [pieces[draw(self.rng, len(pieces))] for _ in range(min(PIECES, len(pieces)))])
            )
        if self._steps:
            self._preview_has_words(self._started, self._mover, self._steps)

    def _strange_pieces_are_refused(self) -> None:
        """Check that an unknown piece is refused, and its name quoted as far as a person reads."""
        named = self.position.named
        for strange in ("", "dragon", "é" * 60, *(f"{named[0]} " for _ in named[:1])):
            try:
                self.position.about(None, [strange])
            except UnknownPiece as error:
                said = error.context.get("piece")
                self.context.equal(said, strange[:PIECE], f"UnknownPiece for {strange!r} names the piece otherwise")
            else:
                self.context.fail(f"{strange!r} is no piece, and about answers it: that is an UnknownPiece")

    def _preview_has_words(self, position: Position, seat: int, steps: Sequence[int]) -> None:
        try:
            preview = position.preview(seat, steps)
        except IllegalAction:
            return
        self.words.of(preview)

    def _previews_can_be_followed(self) -> None:
        """Check that previews lead to a move: their offers, in any order, make one at last, and never an impossible
        one."""
        position = self._started if self._steps else self.position
        for seat in position.actors:
            offered = position.legal(seat)
            steps: list[int] = []
            while offered:
                steps.append(offered[(self.context.played + len(steps)) % len(offered)])  # another way each time
                offered = self._offered(position, seat, steps)

    def _offered(self, position: Position, seat: int, steps: Sequence[int]) -> list[int]:
        """Return what may follow some offered steps; nothing when they are a move."""
        try:
            position.after_move(seat, steps)
            return []
        except UnfinishedMove:
            pass
        except IllegalAction as error:
            self.context.fail(f"{position.write_move(steps)!r} was offered by a preview and is refused: {error}")
        try:
            preview = position.preview(seat, steps)
        except IllegalAction:
            return []
        return [one.action for one in preview.add] + [one.action for one in preview.confirm]

    # --- At the end ---

    def _at_the_end(self) -> None:
        position, context = self.position, self.context
        context.expect(
            set(position.winners) <= set(range(position.players)), f"winners are no seats: {position.winners}"
        )
        written = replay.record(position, self.moves).dump()
        again = replay.Replay.parse(written)
        context.equal(again.dump(), written, "a replay changes by being read and written")
        end = again.verify()
        context.expect(end.to_bytes() == position.to_bytes(), "the replay leads to another position")
        context.equal(end.events, position.events, "the replay tells other events")

    def _bots_finish_a_game(self) -> None:
        game, players = self.position.game, self.position.players
        for name in BOTS:
            if name in BUDGETS:  # the search is the same for all games, and has tests of its own
                continue
            table = Position.new(game, players, seed=self.context.seed, options=self.context.options)
            for _ in range(LONGEST):
                if table.finished:
                    break
                seat = table.actors[0]
                before = table.to_bytes()
                steps = decide(table, seat, name, self.rng, hurry=True)
                self.context.expect(
                    table.to_bytes() == before, f"the bot {name!r} changed the position that it was asked about"
                )
                table.play_all(seat, steps)
            self.context.expect(table.finished, f"the bot {name!r} does not finish a game in {LONGEST:,} moves")

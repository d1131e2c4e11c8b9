"""An exam: what an engine is asked, with the answers, worked out by our rules from a seed.

Everything in it is plain words and numbers, as an engine sees them. It has five parts: ``counts`` of positions to a
depth, whole ``games``, ``options``, ``secrets`` and ``questions``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.record import to_lists
from ziggurat.core.seed import generator
from ziggurat.core.trace import Event, list_out
from ziggurat.lab.rulebook.world import Rules, World

PARTS = ("counts", "games", "options", "secrets", "questions")
WEIGHTS = {"counts": 0.2, "games": 0.4, "options": 0.15, "secrets": 0.1, "questions": 0.15}
"""Of the parts in the score; together 1."""
QUESTIONS = 200


@dataclass(frozen=True)
class Amounts:
    """How much an exam asks.

    Attributes:
        games: for each number of players.
        counted: positions from which ways to go on are counted, for each number of players.
        nodes: positions that are looked at from one of them, at most.
        deepest: actions that are looked ahead, at most.
        wishes: choices of options, at most; fewer than there are are the first ones.
        twins: games that are dealt again.
        question_games: games in which questions are asked.
        longest: actions of a game, at most: a longer one is not played to its end.
    """

    games: int = 3
    counted: int = 3
    nodes: int = 250
    deepest: int = 4
    wishes: int = 1000
    twins: int = 12
    questions: int = QUESTIONS
    question_games: int = 40
    longest: int = 600


@dataclass(frozen=True)
class ChanceOutcome:
    """Something that chance decides: a pile that is shuffled, or a number that is drawn."""

    name: str
    order: tuple[str, ...] = ()
    of: int = 0
    drawn: int = 0

    @property
    def is_draw(self) -> bool:
        return self.of > 0


@dataclass(frozen=True)
class Look:
    """What there is to see of a position.

    Attributes:
        legal: the notations of the legal actions of every seat that must decide.
        seats: whose views are asked for; None is a spectator.
        result: scores and winners at the end.
    """

    actors: tuple[int, ...]
    legal: Mapping[int, tuple[str, ...]]
    seats: tuple[int | None, ...] = ()
    views: tuple[Any, ...] = ()
    result: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ExamMove:
    """An action, what chance decides in it, and how it then looks."""

    seat: int
    action: str
    type: str
    deals: tuple[ChanceOutcome, ...]
    look: Look
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Branch:
    """A move, with all ways to go on after it, if these are looked at."""

    move: ExamMove
    then: tuple[Branch, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question about the position after so many actions of a game.

    Attributes:
        kind: ``may``: whether a seat may play an action; ``becomes``: what a field of a view is after an action, which
            may be played; ``wins``: who wins, after the last action.
        seat, action: of whom, and which; the seat whose view it is, for ``becomes``, is that of the look.
        field: dotted, with places in lists.
        rule: the section of the rules, by its heading in English.
    """

    after: int
    kind: str
    seat: int
    action: str
    rule: str
    answer: Any
    field: tuple[str | int, ...] = ()
    move: ExamMove | None = None


@dataclass(frozen=True)
class Script:
    """A game from its set-up on.

    Attributes:
        part: of the exam.
        title: what is particular about it, in English.
        judged_from: the first action whose look counts: what comes before only leads there.
        tree: from the last position, all ways to go on.
        twin: the same for one seat, with other secrets: they are compared.
        observer: that seat.
    """

    part: str
    title: str
    players: int
    options: Mapping[str, str]
    deals: tuple[ChanceOutcome, ...]
    look: Look
    moves: tuple[ExamMove, ...]
    judged_from: int = 0
    tree: tuple[Branch, ...] = ()
    questions: tuple[Question, ...] = ()
    twin: Script | None = None
    observer: int = 0
    events: tuple[Event, ...] = ()

    @property
    def size(self) -> int:
        """How many answers of an engine count."""
        if self.part == "counts":
            return sum(1 for _ in branches(self.tree))
        if self.part == "questions":
            return len(self.questions)
        return len(self.moves) + 1


@dataclass(frozen=True)
class Exam:
    game: Game
    seed: int
    scripts: tuple[Script, ...]
    rules: Rules = field(compare=False)


def branches(tree: Sequence[Branch]) -> Iterator[Branch]:
    for branch in tree:
        yield branch
        yield from branches(branch.then)


# --- Chance ----------------------------------------------------------------------------------------------------------


class Recorder:
    """Chance from a seed, written down; what is ``given`` comes again as it was, while it fits."""

    def __init__(self, chance: random.Random, given: Sequence[ChanceOutcome] = ()) -> None:
        self._chance = chance
        self._given = list(given)
        self._deals: list[ChanceOutcome] = []

    def shuffle(self, name: str, items: list[str]) -> list[int]:
        places = list(range(len(items)))
        wanted = self._again(name)
        if wanted is not None and sorted(wanted.order) == sorted(items):
            order = places_of(wanted.order, items)
        else:
            order = places
            self._chance.shuffle(order)
        self._deals.append(ChanceOutcome(name, tuple(items[place] for place in order)))
        return order

    def draw(self, name: str, of: int) -> int:
        wanted = self._again(name)
        drawn = wanted.drawn if wanted is not None and wanted.of == of else self._chance.randrange(of)
        self._deals.append(ChanceOutcome(name, of=of, drawn=drawn))
        return drawn

    def taken(self) -> tuple[ChanceOutcome, ...]:
        """What was dealt since this was asked last."""
        deals = tuple(self._deals)
        self._deals.clear()
        return deals

    def _again(self, name: str) -> ChanceOutcome | None:
        if self._given and self._given[0].name == name:
            return self._given.pop(0)
        self._given.clear()
        return None


def places_of(order: Sequence[str], items: Sequence[str]) -> list[int]:
    """The places in ``items`` of the same items in another order; equal ones in the order in which they lie."""
    where: dict[str, list[int]] = {}
    for place in range(len(items) - 1, -1, -1):
        where.setdefault(items[place], []).append(place)
    return [where[item].pop() for item in order]


# --- Games -----------------------------------------------------------------------------------------------------------


class Maker:
    """Makes scripts from our rules."""

    def __init__(self, game: Game, seed: int, amounts: Amounts = Amounts()) -> None:
        self.game, self.seed, self.amounts = game, seed, amounts
        self.rules = Rules(game)
        self._weights = list_out(game.weight_values)
        self._asked_about: Counter[str] = Counter()

    def exam(self, done: Callable[[int], None] = lambda number: None) -> Exam:
        """Make all parts; ``done`` is told of each."""
        scripts: list[Script] = []
        for part in PARTS:
            scripts += getattr(self, f"_{part}")()
            done(1)
        return Exam(self.game, self.seed, tuple(scripts), self.rules)

    def opening(self, players: int, options: Mapping[str, str]) -> Script:
        """A game before its first action."""
        return self._play("games", "", players, options, self._chance("opening"), 0)[0]

    def game_of(self, players: int, number: int, shown: str = "all") -> Script:
        """A game with the usual options, as the part ``games`` has them."""
        chance = self._chance("games", players, number)
        return self._play("games", "usual options", players, {}, chance, self.amounts.longest, shown)[0]

    def set_ups(self) -> Iterator[tuple[int, dict[str, str]]]:
        """All numbers of players with the usual options, and every choice of every option."""
        for players in self._counts_of_players:
            yield players, {}
        for _, players, options in self._wishes():
            yield players, options

    def _chance(self, *what: object) -> random.Random:
        return random.Random(" ".join(map(str, (self.game.id, self.seed, *what))))

    @property
    def _counts_of_players(self) -> range:
        return range(self.game.min_players, self.game.max_players + 1)

    def _play(
        self,
        part: str,
        title: str,
        players: int,
        options: Mapping[str, str],
        chance: random.Random,
        most: int,
        shown: str = "all",
    ) -> tuple[Script, World]:
        """A game, its actions by turns at random and by the heuristic.

        Args:
            shown: whose views are asked for: of ``all``, of ``some``: a spectator and whoever has just acted; only the
                ``spectator``'s, or of ``nobody``.
        """
        recorder = Recorder(chance)
        world = World(self.rules, players, options, recorder)
        everybody: tuple[int | None, ...] = (None, *range(players))
        seats = everybody if shown in ("all", "some") else (None,) if shown == "spectator" else ()
        deals, look, events = recorder.taken(), look_of(world, seats), tuple(world.events)
        bold = chance.choice((0.3, 0.7, 1.0))  # how often a seat plays at random
        source = to_lists(generator(chance.randrange(1 << 60)))
        moves: list[ExamMove] = []
        while world.actors and len(moves) < most:
            seat = chance.choice(world.actors)
            actions = world.actions(seat)
            if chance.random() < bold:
                chosen = chance.choice(list(actions))
            else:
                chosen = world.notation(self.game.rules["suggest"](world.s, seat, source, self._weights))
            now = (None, seat) if shown == "some" else seats
            moves.append(self._move(world, seat, chosen, actions[chosen], recorder, now))
        script = Script(part, title, players, dict(options), deals, look, tuple(moves), events=events)
        return script, world

    def _move(
        self,
        world: World,
        seat: int,
        notation: str,
        action: int,
        recorder: Recorder,
        seats: tuple[int | None, ...],
    ) -> ExamMove:
        kind = self.game.space[action].type
        world.play(seat, action, recorder)
        return ExamMove(seat, notation, kind, recorder.taken(), look_of(world, seats), tuple(world.events))

    def _games(self) -> Iterator[Script]:
        for players in self._counts_of_players:
            for number in range(self.amounts.games):
                yield self.game_of(players, number)

    def _options(self) -> Iterator[Script]:
        for title, players, options in islice(self._wishes(), self.amounts.wishes):
            chance = self._chance("options", title, players)
            yield self._play("options", title, players, options, chance, self.amounts.longest, "some")[0]

    def _wishes(self) -> Iterator[tuple[str, int, dict[str, str]]]:
        """Every choice of every option that is not the usual one, by the fewest and the most players it is for."""
        for option in self.game.options:
            low, high = option.players or (self.game.min_players, self.game.max_players)
            for choice in option.choices:
                if choice == option.default:
                    continue
                for players in sorted({low, high}):
                    options = {option.name: choice}
                    try:
                        self.game.check_setup(players, options)
                    except BadOption:
                        continue
                    yield f"{option.name}={choice}", players, options

    def _counts(self) -> Iterator[Script]:
        for players in self._counts_of_players:
            for number in range(self.amounts.counted):
                chance = self._chance("counts", players, number)
                whole, _ = self._play("counts", "", players, {}, chance, self.amounts.longest, shown="nobody")
                # The opening, then further and further on.
                after = len(whole.moves) * number // self.amounts.counted
                recorder = Recorder(chance, whole.deals)
                world = World(self.rules, players, {}, recorder)
                for move in whole.moves[:after]:
                    given = Recorder(chance, move.deals)
                    world.play(move.seat, world.actions(move.seat)[move.action], given)
                depth, tree = self._tree(world, chance)
                title = (
                    f"{depth} action{'s' * (depth > 1)} ahead, {'from the opening' if not after else f'after {after}'}"
                )
                yield Script("counts", title, players, {}, whole.deals, whole.look, whole.moves[:after], after, tree)

    def _tree(self, world: World, chance: random.Random) -> tuple[int, tuple[Branch, ...]]:
        """All ways to go on, as deep as their number allows; the lowest of the seats that decide at once goes first."""
        depth = 0
        tree: tuple[Branch, ...] = ()
        width = len(world.actions(world.actors[0])) if world.actors else 0
        size = width
        while world.actors and depth < self.amounts.deepest and (depth == 0 or size <= self.amounts.nodes):
            depth += 1
            tree = self._ahead(world, depth, chance)
            size = sum(1 for _ in branches(tree)) * max(width, 2)
        return depth, tree

    def _ahead(self, world: World, depth: int, chance: random.Random) -> tuple[Branch, ...]:
        if not world.actors or depth == 0:
            return ()
        seat, found = world.actors[0], []
        for notation, action in world.actions(seat).items():
            ahead, recorder = world.copy(), Recorder(random.Random(chance.random()))
            move = self._move(ahead, seat, notation, action, recorder, ())
            found.append(Branch(move, self._ahead(ahead, depth - 1, chance)))
        return tuple(found)

    # --- Secrets ---

    def _secrets(self) -> Iterator[Script]:
        found = 0
        for number in range(20 * self.amounts.twins):
            if found == self.amounts.twins:
                return
            chance = self._chance("secrets", number)
            players = self._counts_of_players[number % len(self._counts_of_players)]
            whole, _ = self._play("secrets", "", players, {}, chance, self.amounts.longest, shown="nobody")
            observer = chance.randrange(players)
            pair = (
                self._dealt_again(whole, observer, chance)
                if number % 2
                else self._chosen_again(whole, observer, chance)
            )
            if pair is not None:
                found += 1
                yield pair

    def _dealt_again(self, whole: Script, observer: int, chance: random.Random) -> Script | None:
        """The beginning of a game, with another in which two cards have changed places that a seat cannot tell."""
        seen: list[Any] = []
        most = chance.randrange(len(whole.moves) // 8, len(whole.moves) * 3 // 4 + 1)
        piles = [place for place, deal in enumerate(whole.deals) if len(deal.order) > 1]
        for attempt in range(60 if piles else 0):
            deals, place = list(whole.deals), chance.choice(piles)
            order = list(deals[place].order)
            # What lies deep is more likely to be unseen.
            one, other = chance.sample(range(len(order) // 2 if attempt % 3 and len(order) > 3 else 0, len(order)), 2)
            if order[one] == order[other]:
                continue
            order[one], order[other] = order[other], order[one]
            deals[place] = ChanceOutcome(deals[place].name, tuple(order))
            if not self._looks_the_same(whole, deals, whole.moves[:most], observer, seen):
                continue
            pair = self._side_by_side(
                whole, deals, whole.moves[:most], observer, chance, f"{deals[place].name} dealt again"
            )
            if pair is not None:
                return pair
        return None

    def _looks_the_same(
        self, whole: Script, deals: Sequence[ChanceOutcome], moves: Sequence[ExamMove], observer: int, seen: list[Any]
    ) -> bool:
        """Whether a seat sees the same all the time when this was dealt. ``seen`` is what it saw, as far as known."""
        for number, world in enumerate(self._worlds(whole, deals, moves)):
            if number == len(seen):
                seen.extend(
                    other.view(observer) for other in self._worlds(whole, whole.deals, moves) if other is not None
                )
            if world is None or seen[number] != world.view(observer):
                return False
        return True

    def _worlds(
        self, whole: Script, deals: Sequence[ChanceOutcome], moves: Sequence[ExamMove]
    ) -> Iterator[World | None]:
        """The same world after every action of a game; at last None, where one cannot be played."""
        world = World(self.rules, whole.players, whole.options, Recorder(random.Random(0), deals))
        yield world
        for number, move in enumerate(moves):
            action = world.actions(move.seat).get(move.action)
            if action is None:
                yield None
                return
            world.play(move.seat, action, Recorder(random.Random(number), move.deals))
            yield world

    def _chosen_again(self, whole: Script, observer: int, chance: random.Random) -> Script | None:
        """The same, with another action of somebody else that the seat cannot tell."""
        for _ in range(30):
            after = chance.randrange(len(whole.moves))
            move = whole.moves[after]
            before = whole.moves[after - 1].look if after else whole.look
            if move.seat == observer or len(before.actors) < 2:
                continue
            for other in chance.sample(before.legal[move.seat], len(before.legal[move.seat]))[:3]:
                if other != move.action:
                    changed = ExamMove(move.seat, other, move.type, move.deals, move.look)
                    moves = [*whole.moves[:after], changed]
                    pair = self._side_by_side(whole, whole.deals, moves, observer, chance, "another choice in secret")
                    if pair is not None:
                        return pair
        return None

    def _side_by_side(
        self,
        whole: Script,
        deals: Sequence[ChanceOutcome],
        moves: Sequence[ExamMove],
        observer: int,
        chance: random.Random,
        title: str,
    ) -> Script | None:
        """Two games whose secrets differ and that look the same to a seat all the time; None if it could tell them."""
        recorders = [Recorder(chance, whole.deals), Recorder(chance, deals)]
        worlds = [World(self.rules, whole.players, whole.options, recorder) for recorder in recorders]
        dealt = [recorder.taken() for recorder in recorders]
        looks = [look_of(world, (observer,)) for world in worlds]
        made: list[list[ExamMove]] = [[], []]
        if looks[0].views != looks[1].views:
            return None
        for number, other in enumerate(moves):
            for side, world in enumerate(worlds):
                move = (whole.moves[number], other)[side]
                action = world.actions(move.seat).get(move.action)
                if action is None:
                    return None
                recorder = Recorder(
                    random.Random(number), made[0][-1].deals if side and len(made[0]) > number else move.deals
                )
                made[side].append(self._move(world, move.seat, move.action, action, recorder, (observer,)))
            if made[0][-1].look.views != made[1][-1].look.views:
                return None
        if self.game.secrets(worlds[0].s) == self.game.secrets(worlds[1].s):
            return None
        first, second = (
            Script("secrets", title, whole.players, whole.options, dealt[side], looks[side], tuple(made[side]))
            for side in range(2)
        )
        return Script(
            "secrets",
            title,
            first.players,
            first.options,
            first.deals,
            first.look,
            first.moves,
            twin=second,
            observer=observer,
        )

    # --- Questions ---

    def _questions(self) -> Iterator[Script]:
        number, each = self.amounts.question_games, self.amounts.questions // self.amounts.question_games
        for game in range(number):
            chance = self._chance("questions", game)
            players = self._counts_of_players[game % len(self._counts_of_players)]
            usual: dict[str, str] = {}
            options = dict(
                chance.choice([usual, usual, usual, *[wish for _, n, wish in self._wishes() if n == players]])
            )
            whole, _ = self._play("questions", "", players, options, chance, self.amounts.longest, "spectator")
            kinds = ["may", "may", "may", "becomes", "becomes"] * each
            questions = [question for kind in kinds[:each] if (question := self._rarest(kind, whole, chance))]
            if whole.moves[-1].look.result is not None and game % 2:
                last = whole.moves[-1]
                questions[-1:] = [
                    Question(
                        len(whole.moves) - 1,
                        "wins",
                        last.seat,
                        last.action,
                        self.rules.declared.ends,
                        list((last.look.result or {})["winners"]),
                        move=last,
                    )
                ]
            title = ", ".join(f"{name}={value}" for name, value in options.items()) or "usual options"
            asked = tuple(sorted(questions, key=lambda question: question.after))
            yield Script("questions", title, players, options, whole.deals, whole.look, whole.moves, questions=asked)

    def _rarest(self, kind: str, whole: Script, chance: random.Random) -> Question | None:
        """Of some questions one about a section that has been asked about least, so that all have their share."""
        some = [question for _ in range(12) if (question := self._question(kind, whole, chance))]
        if not some:
            return None
        best = min(some, key=lambda question: self._asked_about[question.rule])
        self._asked_about[best.rule] += 1
        return best

    def _question(self, kind: str, whole: Script, chance: random.Random) -> Question | None:
        for _ in range(200):
            after = chance.randrange(len(whole.moves))
            move, before = whole.moves[after], whole.moves[after - 1].look if after else whole.look
            if kind == "may":
                yes = chance.random() < 0.5
                seat = move.seat
                if yes:
                    action = chance.choice(before.legal[seat])
                else:  # what could be done a while ago, or later
                    near = whole.moves[max(0, after - 12) : after + 12]
                    others = {one for other in near for one in other.look.legal.get(seat, ())}
                    action = chance.choice(sorted(others - set(before.legal[seat])) or [""])
                rule = self._rule_of(action) if action else None
                if rule is not None:
                    return Question(after, kind, seat, action, rule, yes)
            else:
                found = self._changed(whole, after, chance)
                if found is not None:
                    path, value = found
                    rule, _ = section_of(self.rules, path, move.events)
                    return Question(after, kind, move.seat, move.action, rule, value, path, move)
        return None

    def _changed(self, whole: Script, after: int, chance: random.Random) -> tuple[tuple[str | int, ...], Any] | None:
        """A field of the spectator's view that an action changes."""
        before = whole.moves[after - 1].look if after else whole.look
        old, new = before.views[0], whole.moves[after].look.views[0]
        found = [path for path in differences(old, new) if is_simple(at(new, path))]
        if not found:
            return None
        path = chance.choice(found)
        return path, at(new, path)

    def _rule_of(self, notation: str) -> str | None:
        return rule_of(self.rules, notation)


def look_of(world: World, seats: Sequence[int | None]) -> Look:
    return Look(
        tuple(world.actors),
        {seat: tuple(sorted(world.actions(seat))) for seat in world.actors},
        tuple(seats),
        tuple(world.views(seats)),
        world.result(),
    )


# --- Where the rules speak of something ------------------------------------------------------------------------------


def rule_of(rules: Rules, notation: str) -> str | None:
    """The section of an action, by the first words of its notation; None for what begins like none."""
    best = ""
    for declared in rules.game.space.types.values():
        words = declared.notation.partition("{")[0].strip()
        if (notation == words or notation.startswith(f"{words} ")) and len(words) > len(best):
            best, kind = words, declared.type
    return rules.declared.actions.get(kind) if best else None


def section_of(rules: Rules, path: Sequence[str | int], events: Sequence[Event]) -> tuple[str, bool]:
    """The section of a field of a view, where it changed while this happened; and whether it follows from an event.

    What happened to the seat whose field it is counts first.
    """
    names = [str(name) for name in path if not isinstance(name, int)]
    place = next((name for name in path if isinstance(name, int)), None)
    fields, known = rules.declared.fields, rules.declared.events
    entry = next(
        (fields[".".join(names[:n])] for n in range(len(names), 0, -1) if ".".join(names[:n]) in fields), fields[""]
    )
    *causes, otherwise = entry
    of_seat = {event.type for event in events if event.seat in (None, place)}
    of_all = {event.type for event in events}
    for happened in (of_seat, of_all):
        for cause in causes:
            if cause in happened:
                return known[cause], True
    return otherwise, False


def differences(one: Any, other: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places at which two pieces of plain data differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            if name not in one or name not in other:
                yield (*path, name)
            else:
                yield from differences(one[name], other[name], (*path, name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (a, b) in enumerate(zip(one, other, strict=False)):
            yield from differences(a, b, (*path, place))
    elif one != other or isinstance(one, bool) != isinstance(other, bool):
        yield path


NOTHING = object()


def at(data: Any, path: Sequence[str | int]) -> Any:
    """What is at a place of plain data; ``NOTHING`` where there is no such place."""
    for name in path:
        try:
            data = data[name]
        except (KeyError, IndexError, TypeError):
            return NOTHING
    return data


def is_simple(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, str))

"""The judge: asks an engine an exam, and says where it first differs from the rules, in words and with the section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import msgspec

from ziggurat.core.text import catalogue
from ziggurat.core.trace import Event
from ziggurat.core.versions import versions
from ziggurat.lab.rulebook.engines import Engine, EngineFailed
from ziggurat.lab.rulebook.exam import (
    NOTHING,
    PARTS,
    WEIGHTS,
    Branch,
    ChanceOutcome,
    Exam,
    ExamMove,
    Look,
    Question,
    Script,
    at,
    differences,
    rule_of,
    section_of,
)
from ziggurat.lab.rulebook.names import HiddenNames, same_names

MOST_SHOWN = 4
"""Things of a kind in one sentence."""
TOO_DEEP = "the engine's answer is nested too deeply"
ROOT, AHEAD = 1, 2
"""Numbers of an engine's games: that of a script, and the first of those that are copied from it."""


class Difference(msgspec.Struct, frozen=True):
    """Where an engine first differs from the rules in one game of the exam.

    Attributes:
        part, title: of the exam.
        players: how many play.
        after: actions that came before.
        seat, action: what was done then; nothing at the set-up.
        kind: ``failed``, ``chance``, ``view``, ``result``, ``actors``, ``legal``, ``secret``, ``question``.
        rule: the section of the rules, by its heading in English.
        said: what is different, in English.
        happened: what happens by the rules, as the log of a table has it.
        right, asked: how many of the answers in this game were right, and how many there are.
    """

    part: str
    title: str
    players: int
    after: int
    seat: int | None
    action: str
    kind: str
    rule: str
    said: str
    happened: list[str]
    right: int
    asked: int


class PartScore(msgspec.Struct, frozen=True):
    """The score of one part.

    Attributes:
        score: 0 to 1: the mean over the part's games of the share of right answers.
        games: how many there are; ``whole`` is how many were right to their end.
    """

    part: str
    weight: float
    score: float
    games: int
    whole: int
    right: int
    asked: int


class RulesVerdict(msgspec.Struct, frozen=True):
    """What the judge says.

    Attributes:
        score: 0 to 1; 1 only where every answer was right. Rounded down to four digits.
        rule: the section to which most of the differences belong; empty where there are none.
        ended: why the engine was not asked to the end, if so.
    """

    game: str
    seed: int
    score: float
    rule: str
    parts: list[PartScore]
    differences: list[Difference]
    ended: str
    versions: dict[str, str]


class _Differs(Exception):
    """An answer that differs."""

    def __init__(self, kind: str, rule: str, said: str) -> None:
        super().__init__(said)
        self.kind, self.rule, self.said = kind, rule, said


@dataclass
class _Chance:
    """Tells an engine what chance decides in one action."""

    deals: list[ChanceOutcome]
    rules: Mapping[str, str]
    names: HiddenNames
    wrong: _Differs | None = None

    def __call__(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer a question; for one that the rules do not ask, say so and remember it."""
        what, name = asked.get("ask"), asked.get("name")
        if what not in ("shuffle", "draw"):
            return self._no("", f"it asks for {str(what)[:40]!r}; chance is asked for with 'shuffle' or 'draw'")
        drawing = what == "draw"
        deal = next((one for one in self.deals if one.is_draw == drawing and self.names.hide(one.name) == name), None)
        if deal is None:
            verb = "draws" if drawing else "shuffles"
            real = self.names.reveal(str(name)[:60])
            return self._no(self.rules.get(real, ""), f"the engine {verb} {real!r}, and the rules do not now")
        rule = self.rules.get(deal.name, "")
        if drawing:
            if asked.get("of") != deal.of:
                said = f"the engine draws {deal.name!r} from {str(asked.get('of'))[:20]}, and the rules from {deal.of}"
                return self._no(rule, said)
            self.deals.remove(deal)
            return {"drawn": deal.drawn}
        cards = asked.get("cards")
        order = [self.names.hide(one) for one in deal.order]
        if not isinstance(cards, list) or not all(isinstance(one, str) for one in cards):
            return self._no(rule, f"the engine shuffles {deal.name!r} without a list of texts")
        if sorted(cards) != sorted(order):
            return self._no(rule, f"the engine shuffles {deal.name!r} with other cards: {self._compared(cards, order)}")
        self.deals.remove(deal)
        return {"order": order}

    def _compared(self, cards: list[str], order: list[str]) -> str:
        given, wanted = Counter(cards), Counter(order)
        named = [
            f"{self.names.reveal(str(one)[:40])!r} {given[one]} times, by the rules {wanted[one]} times"
            for one in [*wanted, *(one for one in given if one not in wanted)]
            if given[one] != wanted[one]
        ]
        return _some(named)

    def _no(self, rule: str, said: str) -> Mapping[str, Any]:
        self.wrong = self.wrong or _Differs("chance", rule, said)
        return {"no": said}


@dataclass
class RulesJudge:
    """A judge of one engine by one exam."""

    exam: Exam
    engine: Engine
    names: HiddenNames = field(default_factory=same_names)

    def __post_init__(self) -> None:
        self.chances = {name: rule for _, name, rule, _ in self.exam.rules.declared.chances()}
        self.say = catalogue("en", self.exam.game)

    def judge(self, done: Callable[[int], None] = lambda number: None) -> RulesVerdict:
        """Ask everything; return the verdict. ``done`` is told of every script."""
        self.engine.restart_clock()
        found: list[Difference] = []
        scores: dict[str, list[tuple[int, int]]] = {part: [] for part in PARTS}
        for script in self.exam.scripts:
            wrong: list[Difference] = []
            right = 0
            if not self.engine.given_up:
                right, wrong = self._asked(script)
            scores[script.part].append((right, script.size))
            found += wrong
            done(1)
        ended = ""
        if self.engine.given_up:
            ended = f"the engine was not asked to the end: it ended or said nothing {self.engine.deaths} times"
            if not self.engine.deaths:
                ended = "the engine was not asked to the end: it took too long"
        return self._verdict(scores, found, ended)

    def _verdict(
        self, scores: Mapping[str, list[tuple[int, int]]], found: list[Difference], ended: str
    ) -> RulesVerdict:
        parts, total, weights = [], Fraction(0), Fraction(0)
        for part, results in scores.items():
            if not results:
                continue
            score = sum((Fraction(right, max(size, 1)) for right, size in results), Fraction(0)) / len(results)
            weight = Fraction(WEIGHTS[part]).limit_denominator(1000)
            total, weights = total + weight * score, weights + weight
            whole = sum(right == size for right, size in results)
            right, asked = (sum(column) for column in zip(*results, strict=False))
            parts.append(PartScore(part, float(weight), _down(score), len(results), whole, right, asked))
        rule = _blamed(found)
        known = versions(self.exam.game)
        overall = _down(total / weights) if weights else 0.0
        return RulesVerdict(self.exam.game.id, self.exam.seed, overall, rule, parts, found, ended, known)

    def _asked(self, script: Script) -> tuple[int, list[Difference]]:
        """How many answers were right in a script, and where the others began."""
        run = _Run(self, script)
        try:
            if script.part == "questions":
                return run.questions()
            run.play()
        except _Differs as why:
            return run.right, [run.difference(why)]
        except RecursionError:
            return run.right, [run.difference(_Differs("failed", "", TOO_DEEP))]
        return run.right, []


class _Run:
    """One script that is asked: how far it came."""

    def __init__(self, judge: RulesJudge, script: Script) -> None:
        self._judge, self._script = judge, script
        self._names, self._rules = judge.names, judge.exam.rules
        self.right = 0
        self._after = 0
        self._move: ExamMove | None = None

    def play(self) -> None:
        """Play it, and compare.

        Raises:
            _Differs: at the first difference.
        """
        script = self._script
        if script.part == "secrets":
            self._twins()
            return
        judged = script.judged_from == 0
        self._begin(script, script.look if judged else None)
        self.right += script.part != "counts"
        for number, move in enumerate(script.moves, 1):
            self._step(ROOT, move, move.look if number > script.judged_from else None)
            self._after = number
            self.right += script.part != "counts"
        self._ahead(ROOT, script.tree, AHEAD)

    def _ahead(self, game: int, tree: Sequence[Branch], copied: int) -> None:
        after = self._after
        for branch in tree:
            self._after = after
            self._ask({"do": "copy", "game": game, "as": copied}, ())
            self._step(copied, branch.move, branch.move.look)
            self.right += 1
            self._after = after + 1
            self._ahead(copied, branch.then, copied + 1)
            self._ask({"do": "drop", "game": copied}, ())

    def _twins(self) -> None:
        """Both games look the same to one seat, whatever the engine shows."""
        script = self._script
        assert script.twin is not None
        shown = []
        for side in (script, script.twin):
            looks = [self._begin(side, None)]
            for number, move in enumerate(side.moves, 1):
                looks.append(self._step(ROOT, move, None, legal=True))
                self._after = number
            shown.append(looks)
            self._after, self._move = 0, None
        for number, (one, other) in enumerate(zip(*shown, strict=False)):
            self._after, self._move = max(number - 1, 0), script.moves[number - 1] if number else None
            path = next(differences(one.get("views"), other.get("views")), None)
            if path is not None:
                field = _dotted(self._plain(path[1:]))
                rule, _ = section_of(self._rules, self._plain(path[1:]), ())
                said = (
                    f"{field} in the engine's view for seat {script.observer} changes with what that seat cannot know "
                    f"({script.title})"
                )
                raise _Differs("secret", rule, said)
            self.right += 1

    def questions(self) -> tuple[int, list[Difference]]:
        """Ask its questions; the game goes on as long as the engine can play it."""
        script, wrong = self._script, list[Difference]()
        waiting = list(script.questions)
        try:
            look = self._begin(script, None, legal=True)
            for number, move in enumerate(script.moves):
                self._after = number
                while waiting and waiting[0].after == number and waiting[0].kind != "wins":
                    question = waiting.pop(0)
                    try:
                        self._answered(question, look)
                        self.right += 1
                    except _Differs as why:
                        wrong.append(self.difference(why, question.move))
                if not waiting:
                    break
                soon = waiting[0].after == number + 1
                look = self._step(ROOT, move, None, legal=soon)
            for question in waiting:  # who wins
                self._win(question, look)
                self.right += 1
        except _Differs as why:
            wrong.append(self.difference(why))
        return self.right, wrong

    def _answered(self, question: Question, look: Mapping[str, Any]) -> None:
        hide = self._names.hide
        if question.kind == "may":
            legal = look.get("legal")
            listed = legal.get(str(question.seat), []) if isinstance(legal, dict) else []
            found = isinstance(listed, list) and hide(question.action) in listed
            if found != question.answer:
                yes, no = ("may", "not listed") if question.answer else ("may not", "listed")
                said = (
                    f"may seat {question.seat} do {question.action!r}? By the rules it {yes}; by the engine it is {no}"
                )
                raise _Differs("question", question.rule, said)
            return
        assert question.move is not None
        self._ask({"do": "copy", "game": ROOT, "as": AHEAD}, ())
        try:
            then = self._step(AHEAD, question.move, None, views=(None,), legal=False)
        except _Differs as why:
            raise _Differs(why.kind, question.rule, why.said) from None
        views = then.get("views")
        value = at(views[0], hide(list(question.field))) if isinstance(views, list) and views else NOTHING
        self._ask({"do": "drop", "game": AHEAD}, ())
        if value is NOTHING or value != hide(question.answer):
            field = _dotted(question.field)
            said = f"what is {field} then? By the rules {question.answer!r}; by the engine {self._value(value)}"
            raise _Differs("question", question.rule, said)

    def _win(self, question: Question, look: Mapping[str, Any]) -> None:
        result = look.get("result")
        winners = result.get("winners") if isinstance(result, dict) else None
        if winners != question.answer:
            said = f"who wins? By the rules seats {question.answer}; by the engine {str(winners)[:60]}"
            raise _Differs("question", question.rule, said)

    # --- One answer ---

    def _begin(self, script: Script, expected: Look | None, legal: bool = True) -> Mapping[str, Any]:
        seats = expected.seats if expected is not None else script.look.seats if script.part == "secrets" else ()
        question = {
            "do": "new",
            "game": ROOT,
            "players": script.players,
            "options": self._names.hide(dict(script.options)),
            "views": list(seats),
            "legal": legal,
        }
        self._move = None
        answer = self._ask(question, script.deals)
        if expected is not None:
            self._compare(answer, expected, script.events)
        return answer

    def _step(
        self,
        game: int,
        move: ExamMove,
        expected: Look | None,
        views: Sequence[int | None] | None = None,
        legal: bool = False,
    ) -> Mapping[str, Any]:
        self._move = move
        if views is None:
            views = (
                expected.seats if expected is not None else move.look.seats if self._script.part == "secrets" else ()
            )
        question = {
            "do": "play",
            "game": game,
            "seat": move.seat,
            "action": self._names.hide(move.action),
            "views": list(views),
            "legal": legal or expected is not None,
        }
        answer = self._ask(question, move.deals)
        if expected is not None:
            self._compare(answer, expected, move.events)
        return answer

    def _ask(self, question: Mapping[str, Any], deals: Sequence[ChanceOutcome]) -> Mapping[str, Any]:
        """Return the engine's answer.

        Raises:
            _Differs: when it has none, or chance decides something else than by the rules.
        """
        chance = _Chance(list(deals), self._judge.chances, self._names)
        try:
            answer = self._judge.engine.ask(question, chance)
        except EngineFailed as error:
            if chance.wrong is not None and not error.ended:
                raise chance.wrong from None
            rule = (
                rule_of(self._rules, self._move.action) if self._move else next(iter(self._judge.chances.values()), "")
            )
            raise _Differs("failed", rule or "", f"the engine {error.detail}") from None
        if chance.wrong is not None:
            raise chance.wrong
        if chance.deals:
            deal = chance.deals[0]
            verb = "draw" if deal.is_draw else "shuffle"
            said = f"the rules {verb} {deal.name!r} now, and the engine does not ask for it"
            raise _Differs("chance", self._judge.chances.get(deal.name, ""), said)
        return answer

    def _compare(self, answer: Mapping[str, Any], expected: Look, events: Sequence[Event]) -> None:
        """Compare an answer with how it looks by the rules: what happened, then who decides, then what may be done."""
        hide = self._names.hide
        views = answer.get("views")
        if not isinstance(views, list) or len(views) != len(expected.views):
            if expected.views:
                raise _Differs("view", "", f"the engine answers without the {len(expected.views)} views asked for")
            views = []
        for seat, view, shown in zip(expected.seats, expected.views, views, strict=False):
            wanted = hide(view)
            if wanted == shown and not _booleans_differ(wanted, shown):
                continue
            paths = [self._plain(path) for path in differences(wanted, shown)]
            paths = [path for path in paths if at(view, path) is not NOTHING]  # what it shows besides is its own affair
            if not paths:
                continue
            path = min(paths, key=self._weight_of)
            value = at(shown, hide(list(path))) if isinstance(shown, dict) else shown
            who = "a spectator" if seat is None else f"seat {seat}"
            wanted, found = _short(at(view, path)), self._value(value)
            said = f"{_dotted(path)} is {wanted} by the rules, and {found} in the engine's view for {who}"
            rule, caused = section_of(self._rules, path, events)
            seat = self._goes_on_differently(answer, expected)
            if seat is not None:
                turn, told = section_of(self._rules, ("turn",), events)
                rule = turn if told else rule if caused else self._rule_of_turn(answer, expected, seat) or rule
            raise _Differs("view", rule, said)
        if expected.result != answer.get("result"):
            wanted, found = _result(expected.result), _result(answer.get("result"))
            said = f"the result is {wanted} by the rules, and {found} by the engine"
            raise _Differs("result", self._rules.declared.ends, said)
        actors = answer.get("actors")
        if not isinstance(actors, list) or sorted(map(str, actors)) != sorted(map(str, expected.actors)):
            seat = self._goes_on_differently(answer, expected)
            rule = self._rule_of_turn(answer, expected, seat) if seat is not None else ""
            rule = rule or section_of(self._rules, ("turn",), events)[0]
            said = f"seats {list(expected.actors)} decide by the rules, and seats {str(actors)[:60]} by the engine"
            raise _Differs("actors", rule, said)
        self._compare_legal(answer.get("legal"), expected)

    def _goes_on_differently(self, answer: Mapping[str, Any], expected: Look) -> int | None:
        """The seat that has just acted, if it goes on by the rules and not by the engine, or the other way round."""
        actors = answer.get("actors")
        if self._move is None or not isinstance(actors, list):
            return None
        seat = self._move.seat
        return seat if (seat in expected.actors) != (seat in actors) else None

    def _rule_of_turn(self, answer: Mapping[str, Any], expected: Look, seat: int) -> str:
        """The section of what a seat could do if it went on; empty where it is not a single one."""
        legal = answer.get("legal")
        if seat in expected.actors:
            could = list(expected.legal[seat])
        else:
            listed = legal.get(str(seat)) if isinstance(legal, dict) else None
            listed = listed if isinstance(listed, list) else []
            could = [self._names.reveal(one) for one in listed if isinstance(one, str)]
        rules = {rule for one in could if (rule := rule_of(self._rules, one))}
        return rules.pop() if len(rules) == 1 else ""

    def _compare_legal(self, legal: Any, expected: Look) -> None:
        for seat, actions in expected.legal.items():
            listed = legal.get(str(seat)) if isinstance(legal, dict) else None
            if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
                raise _Differs("legal", "", f"the engine lists no legal actions of seat {seat}")
            wanted = {self._names.hide(one): one for one in actions}
            lacking = [one for hidden, one in wanted.items() if hidden not in listed]
            if lacking:
                said = f"seat {seat} may do {_some([repr(one) for one in lacking])}, which the engine does not list"
                raise _Differs("legal", rule_of(self._rules, lacking[0]) or "", said)
            beyond = [self._names.reveal(one) for one in listed if one not in wanted]
            if beyond:
                said = f"the engine lists {_some([repr(one[:80]) for one in beyond])}, which seat {seat} may not do"
                raise _Differs("legal", rule_of(self._rules, beyond[0]) or "", said)

    def _plain(self, path: Sequence[str | int]) -> tuple[str | int, ...]:
        """A path in our own words."""
        return tuple(self._names.reveal(name) if isinstance(name, str) else name for name in path)

    def _value(self, value: Any) -> str:
        """A value that an engine gave, for a sentence."""
        if value is NOTHING:
            return "not there"
        return _short(self._names.reveal(value))

    def _weight_of(self, path: Sequence[str | int]) -> int:
        """The most telling field first, in the order in which the game declares them."""
        fields = list(self._rules.declared.fields)
        names = [str(name) for name in path if not isinstance(name, int)]
        for n in range(len(names), 0, -1):
            if (name := ".".join(names[:n])) in fields:
                return fields.index(name)
        return len(fields)

    def difference(self, why: _Differs, move: ExamMove | None = None) -> Difference:
        move, script = move or self._move, self._script
        events = move.events if move is not None else script.events
        happened = [self._judge.say.event(event) for event in events if event.private is not True][-MOST_SHOWN:]
        return Difference(
            part=script.part,
            title=script.title,
            players=script.players,
            after=self._after,
            seat=move.seat if move else None,
            action=move.action if move else "",
            kind=why.kind,
            rule=why.rule,
            said=why.said,
            happened=happened,
            right=self.right,
            asked=script.size,
        )


def _blamed(found: Sequence[Difference]) -> str:
    """The section to which most differences belong: of games that were compared from their beginning on, if there are
    such, since others only show what follows from a difference."""
    for parts in (("games", "options"), ("counts", "secrets"), ("questions",)):
        blamed = [one.rule for one in found if one.part in parts and one.rule]
        if blamed:
            return Counter(blamed).most_common(1)[0][0]
    return ""


def _booleans_differ(one: Any, other: Any) -> bool:
    """Whether a number stands for a truth value, which Python takes for equal."""
    return next(differences(one, other), None) is not None


def _dotted(path: Sequence[str | int]) -> str:
    """``owners[1].score``"""
    text = "".join(f"[{name}]" if isinstance(name, int) else f".{name}" for name in path)
    return text.removeprefix(".") or "the whole view"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:100]}..."


def _result(result: Any) -> str:
    return "not there yet" if result is None else _short(result)


def _some(things: Sequence[str]) -> str:
    more = len(things) - MOST_SHOWN
    return ", ".join(things[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _down(score: Fraction) -> float:
    """A score, rounded down, so that 1 stands for all alone."""
    return int(score * 10000) / 10000

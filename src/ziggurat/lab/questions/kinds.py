"""The kinds of questions, each a function from a scene to a question, or to None where it has nothing to ask there.

Every answer is worked out by the rules: by what is legal, by playing on a copy, by what the game says of its pieces, by
dealing again. No kind knows a game: it asks in the words of the game's board, of its moves and of its pieces.

Tier 1 reads what is there, tier 2 applies rules to it, tier 3 looks ahead and says what is worth most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ziggurat.bots import Belief, Budget, Searcher, decide
from ziggurat.core.actions import Choice
from ziggurat.core.errors import ZigguratError
from ziggurat.core.position import Position
from ziggurat.core.puzzle import MOST_MOVES, answers
from ziggurat.core.text import SEAT_ARGS, Catalogue, parse
from ziggurat.core.trace import Phrase
from ziggurat.lab.puzzles import values
from ziggurat.lab.questions.draft import AnswerOption, Draft, number, one_of
from ziggurat.lab.questions.drawn import ChangingNumbers, TriedWorld
from ziggurat.lab.questions.scene import Scene, WholeMove, same
from ziggurat.lab.questions.sheet import Sheet, SheetPlace
from ziggurat.lab.questions.variants import key_of, other_moves, other_numbers, other_pieces, pool, without

OPTIONS = 4
SEVERAL = 5
"""Options of which any number may be right."""
SOME_DEALS = 40
"""Deals of the first look."""
SURE_SHARE = 0.1
"""What cannot be told beforehand has to differ in this part of the deals at least."""
PIECES = 24
"""Pieces that are looked at for a question about one."""
STEPS_LOOKED_AT = 6
"""Steps of either sort of which it is found out whether the drawing tells them."""
FIRST_GAMES, FIRST_GAP, PROOF_GAMES = 60, 0.1, 1200
LEAST_GAP, SURE_ERRORS = 0.05, 3.3
"""By so much of the chance of winning the best of the options is better than each other one, 999 times in 1,000."""
SEARCH_ITERATIONS = 800
FEWEST_WORDS = 3
"""Of what several sentences have in common."""
BLANK, REST = "____", "…"

Asker = Callable[[Scene, ChangingNumbers, Callable[..., str]], Draft | None]
"""(scene, numbers that change, words of questions) -> a question."""


class Kind(NamedTuple):
    """A kind of question.

    Attributes:
        share: how many there are of it, compared with others.
    """

    name: str
    tier: int
    share: int
    ask: Asker


# --- Tier 1: what is there ---


def cell(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask for what stands in a cell of a table."""
    places = [place for place in scene.sheet.cells if _tells(scene, place)]
    for place in scene.chance.sample(places, len(places)):
        at, column = scene.sheet.cells[place], scene.sheet.column(place)
        asked = words("cell", **_where(place, words))
        if at.number is not None:
            return number(asked, at.number, max(cell.number or 0 for cell in column.values()))
        others = sorted({other.text for other in scene.sheet.cells.values() if other.number is None} - {at.text})
        near = [text for text in others if any(text == cell.text for cell in column.values())]
        if len(near) >= 2 or (place.row == "" and len(others) >= OPTIONS - 1):
            wrong = (scene.chance.sample(near, len(near)) if near else scene.chance.sample(others, OPTIONS - 1))[:3]
            return one_of(asked, at.text, wrong)
    return None


def total(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask for the sum of the numbers of several seats."""
    found = [one for one in _by_seat(scene) if len(one.numbers) > 1]
    if not found:
        return None
    one = scene.chance.choice(found)
    every = [*one.numbers.values()]
    return number(words("total", where=one.where(words), seats=", ".join(one.numbers)), sum(every), sum(every))


def most(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask which seat has the highest or the lowest number."""
    found = list(_by_seat(scene))
    for one in scene.chance.sample(found, len(found)):
        highest = scene.chance.random() < 0.5 or len(one.numbers) < scene.players
        pick = max if highest else min
        first = [seat for seat, has in one.numbers.items() if has == pick(one.numbers.values())]
        if len(one.numbers) >= 3 and len(first) == 1:
            asked = words("most.highest" if highest else "most.lowest", where=one.where(words))
            wrong = [seat for seat in one.numbers if seat != first[0]]
            return one_of(asked, first[0], scene.chance.sample(wrong, min(len(wrong), 3)), spread=first[0])
    return None


def line(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask for what stands behind a label."""
    begun = _begun(scene)
    same_as_ever = scene.sheet_of(begun, begun.actors[0]).lines
    lines = {
        head: pieces
        for head, pieces in scene.sheet.lines.items()
        if len(pieces) > 1 and len({*pieces} - {*same_as_ever.get(head, ())}) > 1
    }
    if not lines:
        return None
    head = scene.chance.choice(sorted(lines))
    pieces = lines[head]
    found = [*{REST.join(one): one for one in other_pieces(pieces, scene.chance)}.values()]
    found = [one for one in found if one != pieces]
    if len(found) < OPTIONS - 1:
        return None
    wrong = scene.chance.sample(found, OPTIONS - 1)
    return one_of(words("line", label=head), "  ".join(pieces), ["  ".join(one) for one in wrong])


def lies(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask what is true of a piece or a place, of what changes in a game."""
    return _about(scene, numbers, words, lambda about: about.what, "lies", changing=True)


def hidden(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask which fact the seat cannot know, or alone can know: what others are shown, and it is not."""
    mine = scene.sheet
    known: list[tuple[int, SheetPlace | str]] = [(scene.seat, head) for head in mine.lines]
    unknown: list[tuple[int, SheetPlace | str]] = []
    for seat in range(scene.players):
        if seat == scene.seat:
            continue
        shown = scene.sheet_of(scene.position, seat)
        every: list[SheetPlace | str] = [*shown.lines, *shown.cells]
        known += [(seat, one) for one in every if _at(mine, one) == _at(shown, one)]
        differ = [one for one in every if _at(mine, one) != _at(shown, one)]
        for deals in (scene.deals[:6], scene.deals[:48]):
            in_deals = [scene.sheet_of(deal, seat) for deal in deals] if differ else []
            differ = [one for one in differ if _unsure([repr(_at(sheet, one)) for sheet in in_deals])]
        unknown += [(seat, one) for one in differ]
    if not unknown:
        return None
    scene.chance.shuffle(known)
    known.sort(key=lambda one: isinstance(one[1], SheetPlace))
    return _known_or_not(scene, words, "hidden", known, unknown, lambda one: _shown(scene, words, *one))


# --- Tier 2: the rules ---


def may(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask which of several moves can be made."""
    good, bad = _good_and_bad(scene)
    if not good or len(bad) < OPTIONS - 1:
        return None
    right = scene.chance.choice(good)
    return one_of(words("may"), right, _mixed(scene, bad, right)[: OPTIONS - 1])


def may_not(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask which of several moves cannot be made."""
    good, bad = _good_and_bad(scene)
    if len(good) < OPTIONS - 1 or not bad:
        return None
    wrong = scene.chance.choice(bad)
    return one_of(words("may_not"), wrong, _mixed(scene, good, wrong)[: OPTIONS - 1])


def which(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask which ones of several moves can be made, however many."""
    good, bad = _good_and_bad(scene)
    right = scene.chance.randint(1, SEVERAL - 1)
    if len(good) < right or len(bad) < SEVERAL - right:
        return None
    chosen = scene.chance.sample(good, right)
    return Draft(words("which"), chosen, _mixed(scene, bad, chosen[0])[: SEVERAL - right], several=True, spread=right)


def worth(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask what a piece means for the seat now."""
    return _about(scene, numbers, words, lambda about: about.worth, "worth", changing=False)


def becomes(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask what a number on the board is after a move, or after the moves of several seats."""
    for moves, after in _sequences(scene):
        first = scene.sheet_of(after[0])
        places = [
            place
            for place, now in scene.sheet.cells.items()
            if now.number is not None and _number_at(first, place) is not None
            if _number_at(first, place) != now.number and _tells(scene, place)
        ]
        for deals in (after[1:SOME_DEALS], after[SOME_DEALS:]):
            sheets = [first, *(scene.sheet_of(one) for one in deals if places)]
            places = [place for place in places if same([_number_at(one, place) for one in sheets])]
        for place in scene.chance.sample(places, len(places)):
            right = _number_at(first, place)
            assert right is not None

            def answer(
                world: TriedWorld, place: SheetPlace = place, moves: list[tuple[int, WholeMove]] = moves
            ) -> int | None:
                for seat, move in moves:
                    world.play(seat, move.steps)
                return _number_at(world.sheet(scene), place)

            if right >= 0 and numbers.follows(scene, answer):
                largest = max(cell.number or 0 for cell in scene.sheet.column(place).values())
                told = _told(scene, words, moves)
                return number(f"{told} {words('becomes', **_where(place, words))}", right, max(largest, right))
    return None


def points(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask how many points a move brings at once."""
    for moves, after in _sequences(scene):
        gains = [one.scores[scene.seat] - scene.position.scores[scene.seat] for one in after]
        if not same(gains) or gains[0] < 0 or (gains[0] == 0 and not _some_gain(scene)):
            continue

        def answer(world: TriedWorld, moves: list[tuple[int, WholeMove]] = moves) -> int:
            before = world.scores()[scene.seat]
            for seat, move in moves:
                world.play(seat, move.steps)
            return world.scores()[scene.seat] - before

        told = _told(scene, words, moves)
        if not _leaks(told, gains[0]) and numbers.follows(scene, answer):
            return number(f"{told} {words('points' if len(moves) == 1 else 'points.all')}", gains[0], 8)
    return None


def after(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask who has to decide after a move."""
    if scene.players < 3:
        return None
    for moves, after in _sequences(scene, longest=1):
        actors = [one.actors for one in after]
        if not same(actors) or len(actors[0]) != 1:
            continue
        [right] = actors[0]

        def answer(world: TriedWorld, moves: list[tuple[int, WholeMove]] = moves) -> int:
            for seat, move in moves:
                world.play(seat, move.steps)
            return world.actors()

        if numbers.follows(scene, answer):
            others = [seat for seat in range(scene.players) if seat != right]
            others = sorted(scene.chance.sample(others, min(len(others), OPTIONS - 1)))
            asked = f"{_told(scene, words, moves)} {words('next')}"
            away = (right - scene.seat) % scene.players
            return one_of(asked, scene.names(right), [scene.names(seat) for seat in others], spread=away)
    return None


def unknown(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask what cannot be told before a move, or alone can be told."""
    for moves, after in _sequences(scene, longest=1):
        sheets = [scene.sheet_of(one) for one in after[:SOME_DEALS]]
        first = sheets[0]
        every: list[SheetPlace | str] = [*first.cells, *first.lines]
        both = [one for one in every if _at(scene.sheet, one) is not None]
        sure = [one for one in both if same([_at(other, one) for other in sheets])]
        open_ = [one for one in both if _unsure([repr(_at(other, one)) for other in sheets])]
        if not open_ or all(_at(first, one) == _at(scene.sheet, one) for one in sure):
            continue
        sheets += [scene.sheet_of(one) for one in after[SOME_DEALS:]]
        sure = [one for one in sure if same([_at(other, one) for other in sheets])]
        moved = [one for one in sure if _at(first, one) != _at(scene.sheet, one)]
        if moved:
            told = _told(scene, words, moves)
            known = [*moved, *scene.chance.sample(sure, len(sure))]
            known = list(dict.fromkeys(known))
            draft = _known_or_not(scene, words, "unknown", known, open_, lambda one: _spot(one, words))
            if draft is not None:
                return draft._replace(ask=f"{told} {draft.ask}")
    return None


# --- Tier 3: looking ahead ---


def highest(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask which piece gives most points, in the game's own sentence about them."""
    by_key: dict[tuple[str, int], dict[str, tuple[str, Phrase]]] = {}
    named = scene.position.named
    for piece in scene.chance.sample(named, min(len(named), 3 * PIECES)):
        about = scene.about(piece)
        keys = Counter(phrase.key for phrase in about.worth)
        for place, phrase in enumerate(about.worth):
            name = scene.words(about.name)
            if (
                type(phrase.args.get("points")) is int
                and keys[phrase.key] == 1
                and _names_its_seat(scene, phrase, name)
            ):
                by_key.setdefault((phrase.key, place), {}).setdefault(name, (piece, phrase))
    for (_, place), found in sorted(by_key.items(), key=lambda one: scene.chance.random()):
        ranked = sorted(found.items(), key=lambda one: (-_points(one[1][1]), one[0]))
        chosen = _distinct(ranked, scene)
        if len(chosen) < 3:
            continue
        sentence = _pattern(scene, [phrase for _, (_, phrase) in chosen])
        pieces = [piece for _, (piece, _) in chosen]

        def answer(world: TriedWorld, pieces: list[str] = pieces, place: int = place) -> list[Any]:
            told = [world.game.about(world.lists, world.values, scene.seat, piece) for piece in pieces]
            worths = [_points(about.worth[place]) for about in told]
            return [number == max(worths) for number in worths]

        if (
            BLANK in sentence
            and sum(map(str.isalpha, sentence.split())) >= FEWEST_WORDS
            and numbers.follows(scene, answer)
        ):
            names = [name for name, _ in chosen]
            return one_of(words("highest", sentence=sentence), names[0], names[1:])
    return None


def most_points(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask which move brings most points at once."""
    gains = _gains(scene)
    if gains is None or len(set(gains.values())) < 2:
        return None
    by_words = {move.words: move for move in scene.moves}
    best = max(gains.values())
    top = [said for said, gain in gains.items() if gain == best]
    lower = [said for said, gain in gains.items() if gain < best]
    if len(lower) < 2 or any(_leaks(said, gain) for said, gain in gains.items()):
        return None
    right = scene.chance.choice(top)
    near = sorted(scene.chance.sample(lower, len(lower)), key=lambda said: -gains[said])[: OPTIONS - 1]
    chosen = [by_words[said] for said in (right, *near)]

    def answer(world: TriedWorld) -> list[bool]:
        scores = []
        for move in chosen:
            tried = TriedWorld(world.game, world.states, world.values)
            tried.play(scene.seat, move.steps)
            scores.append(tried.scores()[scene.seat])
        return [score == max(scores) for score in scores]

    if not numbers.follows(scene, answer):
        return None
    return one_of(words("most_points"), *_as_options(chosen))


def reach(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask how many points the seat can have at most after its move."""
    gains = _gains(scene)
    if gains is None or len(set(gains.values())) < 2:
        return None
    now = scene.position.scores[scene.seat]
    steps = decide(scene.position, scene.seat, "greedy", scene.rng)
    made = scene.position.copy(events=False)
    made.play_all(scene.seat, steps)
    best = now + max(gains.values())
    moves = scene.moves

    def answer(world: TriedWorld) -> int:
        scores = []
        for move in moves:
            tried = TriedWorld(world.game, world.states, world.values)
            tried.play(scene.seat, move.steps)
            scores.append(tried.scores()[scene.seat])
        return max(scores)

    if len(moves) > 12 or not numbers.follows(scene, answer):
        return None
    return number(words("reach"), best, best, usual=made.scores[scene.seat])


def best(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask which move wins most often: only where the others are clearly worse."""
    position, seat = scene.position, scene.seat
    moves = answers(position, seat)
    if not 3 <= len(moves) <= MOST_MOVES:
        return None
    first = values(position, seat, moves, FIRST_GAMES, scene.chance.randbytes(32))
    order = first.order()
    share = first.won.mean(axis=1)
    top, far = order[0], [place for place in order[1:] if share[order[0]] - share[place] > FIRST_GAP]
    if len(far) < 2:
        return None
    usual = _place_of(scene, moves, decide(position, seat, "greedy", scene.rng))
    near = far[:1] + scene.chance.sample(far[1:], min(len(far) - 1, OPTIONS - 2))
    if usual in far and usual not in near:
        near[-1] = usual
    chosen = [moves[place] for place in (top, *near)]
    proof = values(position, seat, chosen, PROOF_GAMES, scene.chance.randbytes(32))
    for place in range(1, len(chosen)):
        gap = proof.won[0] - proof.won[place]
        if gap.mean() - SURE_ERRORS * gap.std(ddof=1) / np.sqrt(len(gap)) < LEAST_GAP:
            return None
    found = Searcher(scene.game).think(Belief(position, seat, scene.rng), Budget(SEARCH_ITERATIONS), scene.rng)
    worths = {one.action: one.worth for one in found}
    firsts = [worths.get(steps[0], 0.0) for steps in chosen]
    if firsts[0] < max(firsts):
        return None
    said = [AnswerOption(scene.words(position.describe(seat, steps).words), steps) for steps in chosen]
    if len({option.words for option in said}) < len(said):
        return None
    return one_of(words("best"), said[0], said[1:])


def then_may(scene: Scene, numbers: ChangingNumbers, words: Callable[..., str]) -> Draft | None:
    """Ask what the next seat may do, or may not do, after a move."""
    for moves, after in _sequences(scene, longest=1):
        actors = [one.actors for one in after]
        if not same(actors) or len(actors[0]) != 1:
            continue
        [actor] = actors[0]
        named = NamedSteps(scene)
        named.read(scene.position, scene.seat)
        refused = set.intersection(*(named.read(one, actor) for one in after[:SOME_DEALS]))
        said = [_step_words(scene, one, actor) for one in after[:SOME_DEALS]]
        theirs = [{*one.legal(actor)} for one in after]
        sure, ever = set.intersection(*theirs), set.union(*theirs)
        # What lies there after the move may be another card in each deal: only what is called the same in all counts.
        always, sometimes = set.intersection(*said), set.union(*said)
        before = _step_words(scene, scene.position, scene.seat)
        good = [step for step in sorted(always) if named.actions[step] & sure]
        bad = [step for step in sorted((refused | before) - sometimes) if not named.actions[step] & ever]
        good, bad = (scene.chance.sample(some, min(len(some), STEPS_LOOKED_AT)) for some in (good, bad))
        three = OPTIONS - 1
        if not good or not bad or (len(good) < three and len(bad) < three):
            continue

        def answers(
            world: TriedWorld,
            steps: Sequence[str] = (*good, *bad),
            moves: Sequence[tuple[int, WholeMove]] = moves,
            actor: int = actor,
            actions: Mapping[str, set[int]] = named.actions,
        ) -> list[bool]:
            for seat, move in moves:
                world.play(seat, move.steps)
            legal = {*world.legal(actor)}
            return [bool(actions[step] & legal) for step in steps]

        told = numbers.following(scene, answers)
        good, bad = (
            [step for place, step in enumerate((*good, *bad)) if place in told and step in some] for some in (good, bad)
        )
        if len(good) >= three and bad and (len(bad) < three or scene.chance.random() < 0.5):
            key, right, wrong = "then_may_not", bad[0], good[:three]
        elif good and len(bad) >= three:
            key, right, wrong = "then_may", good[0], bad[:three]
        else:
            continue
        asked = words(f"{key}.own" if actor == scene.seat else key, seat=scene.names(actor))
        return one_of(f"{_told(scene, words, moves)} {asked}", right, wrong, spread=key)
    return None


class NamedSteps:
    """First steps of moves in words, with the actions that are called so."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.actions: dict[str, set[int]] = {}

    def read(self, position: Position, seat: int) -> set[str]:
        """Add what a seat can do, and what it is told that it cannot do; return the latter."""
        decision = position.decision(seat)
        refused = {self._add(refusal.choice) for refusal in decision.refusals}
        return refused - {self._add(choice) for choice in decision.legal}

    def _add(self, choice: Choice) -> str:
        words = self.scene.words(choice.words)
        self.actions.setdefault(words, set()).add(choice.action)
        return words


# --- What they share ---


def _where(place: SheetPlace, words: Callable[..., str]) -> dict[str, str]:
    return {"where": words("where.row" if place.row else "where", **place._asdict())}


def _spot(one: SheetPlace | str, words: Callable[..., str]) -> str:
    """Return a cell, or what stands behind a label, in words."""
    return words("spot.line", label=one) if isinstance(one, str) else _where(one, words)["where"]


def _shown(scene: Scene, words: Callable[..., str], seat: int, one: SheetPlace | str) -> str:
    if seat == scene.seat:
        return words("shown.own", spot=_spot(one, words))
    return words("shown", seat=scene.names(seat), spot=_spot(one, words))


def _at(shown: Sheet, one: SheetPlace | str) -> Any:
    return shown.lines.get(one) if isinstance(one, str) else shown.cells.get(one)


def _tells(scene: Scene, place: SheetPlace) -> bool:
    """Whether the column of a cell can be asked for: it has a name, and more than one thing stands in it."""
    if not any(map(str.isalpha, place.column)) and place.column != "#":
        return False
    return not place.row or len({cell.text for cell in scene.sheet.column(place).values()}) > 1


def _number_at(shown: Sheet, place: SheetPlace) -> int | None:
    cell = shown.cells.get(place)
    return cell.number if cell else None


class BySeat(NamedTuple):
    """A row or a column of a table with a number for each seat, or for those that have any."""

    table: str
    row: str
    column: str
    numbers: dict[str, int]

    def where(self, words: Callable[..., str]) -> str:
        key = "where.only_row" if self.row else "where"
        return words(key, table=self.table, row=self.row, column=self.column)


def _by_seat(scene: Scene) -> Iterator[BySeat]:
    seats = [scene.names(seat) for seat in range(scene.players)]
    shown = scene.sheet.cells
    for table, row in dict.fromkeys((place.table, place.row) for place in shown if place.column in seats):
        line = {place.column: cell.number for place, cell in shown.items() if (place.table, place.row) == (table, row)}
        if row and (found := _all_numbers(line, seats)):
            yield BySeat(table, row, "", found)
    for table, column in dict.fromkeys((place.table, place.column) for place in shown if place.row in seats):
        line = {
            place.row: cell.number for place, cell in shown.items() if (place.table, place.column) == (table, column)
        }
        if any(map(str.isalpha, column)) and (found := _all_numbers(line, seats)):
            yield BySeat(table, "", column, found)


def _all_numbers(line: Mapping[str, int | None], seats: Sequence[str]) -> dict[str, int]:
    """Return the numbers of the seats; nothing where one of them has something else."""
    of_seats = {seat: line[seat] for seat in seats if seat in line}
    return {seat: has for seat, has in of_seats.items() if has is not None} if None not in of_seats.values() else {}


def _unsure(said: Sequence[str]) -> bool:
    """Whether no single thing is said in nearly all deals."""
    [(_, often)] = Counter(said).most_common(1)
    return often <= (1 - SURE_SHARE) * len(said)


def _known_or_not(
    scene: Scene,
    words: Callable[..., str],
    key: str,
    known: Sequence[Any],
    unknown: Sequence[Any],
    told: Callable[[Any], str],
) -> Draft | None:
    """Ask for the one that is not known among some that are, or the other way round."""
    three = OPTIONS - 1
    if len(unknown) >= three and known and scene.chance.random() < 0.5:
        right, wrong, key = scene.chance.choice([*known[:4]]), scene.chance.sample([*unknown], three), f"{key}.known"
    elif unknown and len(known) >= three:
        right, wrong = scene.chance.choice([*unknown]), scene.chance.sample([*known[:12]], three)
    else:
        return None
    return one_of(words(key), told(right), [told(one) for one in wrong], spread=(key, told(right)))


def _step_words(scene: Scene, position: Position, seat: int) -> set[str]:
    return {scene.words(position.choice(seat, action).words) for action in position.legal(seat)}


def _refused_words(scene: Scene, position: Position, seat: int) -> set[str]:
    return {scene.words(refusal.choice.words) for refusal in position.decision(seat).refusals}


def _good_and_bad(scene: Scene) -> tuple[list[AnswerOption], list[AnswerOption]]:
    """Return moves that can be made, and near misses that cannot: first steps with those that are refused, or whole
    moves with one thing in them changed."""
    first = scene.chance.random() < 0.5
    for steps in (first, not first):
        good, bad = _steps(scene) if steps else _whole_moves(scene)
        if good and bad:
            return good, bad
    return [], []


def _steps(scene: Scene) -> tuple[list[AnswerOption], list[AnswerOption]]:
    position, seat = scene.position, scene.seat
    legal = {scene.words(position.choice(seat, action).words): action for action in position.legal(seat)}
    bad = sorted(_refused_words(scene, position, seat) - legal.keys())
    good = [AnswerOption(said, _completed(position, seat, action)) for said, action in legal.items()]
    return good, [AnswerOption(said) for said in bad]


def _completed(position: Position, seat: int, action: int) -> list[int]:
    """Return a whole move that begins with an action."""
    steps, after = [action], position.copy(events=False)
    after.play(seat, action)
    while after.in_move and seat in after.actors:
        steps.append(after.legal(seat)[0])
        after.play(seat, steps[-1])
    return steps


def _whole_moves(scene: Scene) -> tuple[list[AnswerOption], list[AnswerOption]]:
    moves = scene.moves
    known = {key_of(move.phrase) for move in moves}
    said = {move.words for move in moves}
    named = pool(move.phrase for move in moves)
    bad: dict[str, AnswerOption] = {}
    for move in scene.chance.sample(moves, min(len(moves), 12)):
        fields = scene.game.space[move.steps[0]].fields
        for other in other_moves(move.phrase, named, fields, whole=len(move.steps) > 1):
            text = scene.words(other)
            if text not in said and key_of(other) not in known:
                bad[text] = AnswerOption(text)
    return [AnswerOption(scene.words(move.phrase), move.steps) for move in moves], [bad[text] for text in sorted(bad)]


def _mixed(scene: Scene, options: Sequence[AnswerOption], beside: AnswerOption) -> list[AnswerOption]:
    """Return options in an order of chance, those first that begin as another one does."""
    start = beside.words.split(" ")[0]
    order = {option.words: (option.words.split(" ")[0] != start, scene.chance.random()) for option in options}
    like = sorted(options, key=lambda option: order[option.words])
    return like if scene.chance.random() < 0.7 else scene.chance.sample([*options], len(options))


def _about(
    scene: Scene,
    numbers: ChangingNumbers,
    words: Callable[..., str],
    part: Callable[[Any], Sequence[Phrase]],
    key: str,
    *,
    changing: bool,
) -> Draft | None:
    """Ask for a number in what the game says of a piece, or which of several such sentences is true."""
    named = scene.position.named
    fresh = _fresh(scene) if changing else None
    for piece in scene.chance.sample(named, min(len(named), PIECES)):
        about = scene.about(piece)
        said = part(about)
        usable = [place for place, phrase in enumerate(said) if any(True for _ in other_numbers(phrase, scene.players))]
        if fresh is not None:
            usable = [place for place in usable if said[place] not in fresh]
        for place in scene.chance.sample(usable, len(usable)):
            right = said[place]

            def answer(world: TriedWorld, piece: str = piece, place: int = place) -> Any:
                told = part(world.game.about(world.lists, world.values, scene.seat, piece))[place]
                return scene.words(told)

            draft = _sentence(scene, words, about, right, key)
            if draft is not None and numbers.follows(scene, answer):
                return draft
    return None


def _sentence(scene: Scene, words: Callable[..., str], about: Any, phrase: Phrase, key: str) -> Draft | None:
    printed = "" if key == "lies" else " ".join(map(scene.words, about.what))
    asked: dict[str, str] = {"name": scene.words(about.name), "printed": printed}
    blanks = [
        (int(value), text)
        for name, value in phrase.args.items()
        if type(value) is int and (text := _blank(scene, phrase, name, value))
        if str(value) not in re.findall(r"[0-9]+", asked["name"])  # "stage 2" says which stage it is
    ]
    if blanks and scene.chance.random() < 0.6:
        right, sentence = scene.chance.choice(blanks)
        return number(words(f"{key}.blank", sentence=sentence, **asked), right, right)
    true = scene.words(phrase)
    others = [*{scene.words(other): other for other in other_numbers(phrase, scene.players)}]
    wrong = [text for text in others if text != true]
    if len(wrong) < OPTIONS - 1:
        return None
    return one_of(words(key, **asked), true, scene.chance.sample(wrong, OPTIONS - 1))


def _blank(scene: Scene, phrase: Phrase, name: str, value: int) -> str:
    """Return a sentence with a blank for one of its numbers; empty where that would leave something else in it that
    tells the number, such as a plural."""
    if value < 0:
        return ""
    mark = 97531
    shown = scene.words(Phrase(phrase.key, {**phrase.args, name: mark}))
    if shown.count(str(mark)) != 1 or shown.replace(str(mark), str(value)) != scene.words(phrase):
        return ""
    return shown.replace(str(mark), BLANK)


def _pattern(scene: Scene, phrases: Sequence[Phrase]) -> str:
    """Return what several sentences have in common: a blank for the points, and dots for what differs besides."""
    args = phrases[0].args
    differ = {name for name in args if not same([phrase.args.get(name) for phrase in phrases])}
    text = without(parse(scene.say.texts[phrases[0].key]), differ - {"points"}, REST)
    said = Catalogue(scene.language, {**scene.say.texts, "pattern": text}, scene.game.id)
    return " ".join(said("pattern", scene.names, **{**args, "points": BLANK}).split())


def _points(phrase: Phrase) -> int:
    number = phrase.args["points"]
    assert isinstance(number, int)
    return number


def _names_its_seat(scene: Scene, phrase: Phrase, name: str) -> bool:
    """Whether a sentence is about the seat that is asked, or one that the piece's name tells."""
    seats = [seat for arg, seat in phrase.args.items() if arg in SEAT_ARGS and isinstance(seat, int)]
    return all(seat == scene.seat or scene.names(seat) in name for seat in seats)


def _distinct(ranked: Sequence[tuple[str, tuple[str, Phrase]]], scene: Scene) -> list[tuple[str, tuple[str, Phrase]]]:
    """Return the best of some pieces, if it is the best alone, and others that give less."""
    if len(ranked) < 3:
        return []
    points = [_points(phrase) for _, (_, phrase) in ranked]
    lower = [one for one, number in zip(ranked, points, strict=True) if number < points[0]]
    top = [one for one, number in zip(ranked, points, strict=True) if number == points[0]]
    unlike = [*{repr(one[1][1]): one for one in lower}.values()]
    if len(unlike) < 2:
        return []
    return [scene.chance.choice(top), *scene.chance.sample(unlike, min(len(unlike), OPTIONS - 1))]


def _begun(scene: Scene) -> Position:
    """Return a game that has just begun, of as many."""
    return Position.new(scene.game, scene.players, seed=0)


_FRESH: dict[tuple[str, int], list[Phrase]] = {}


def _fresh(scene: Scene) -> list[Phrase]:
    """Return what the game says of its pieces in a game that has just begun."""
    key = (scene.game.id, scene.players)
    if key not in _FRESH:
        begun = _begun(scene)
        _FRESH[key] = [phrase for about in begun.about(begun.actors[0], begun.named) for phrase in about.what]
    return _FRESH[key]


def _sequences(scene: Scene, longest: int = 2) -> Iterator[tuple[list[tuple[int, WholeMove]], list[Position]]]:
    """Yield some moves of the seat, with those of others that have to follow, or may: and the positions after them in
    every deal."""
    moves = scene.moves
    for move in scene.chance.sample(moves, min(len(moves), 6)):
        made = [(scene.seat, move)]
        after = scene.after([(scene.seat, move.steps)])
        if not after:
            continue
        yield made, after
        if longest > 1 and scene.chance.random() < 0.6:
            more = _continued(scene, made, after)
            if more is not None:
                yield more


def _continued(
    scene: Scene, made: list[tuple[int, WholeMove]], after: list[Position]
) -> tuple[list[tuple[int, WholeMove]], list[Position]] | None:
    """Return the same with a move of the next seat that it can make in every deal."""
    actors = [one.actors for one in after]
    if not same(actors) or not actors[0] or len(actors[0]) > 2:
        return None
    actor = actors[0][0]
    theirs = scene.moves_of(after[0], actor)
    for move in scene.chance.sample(theirs, min(len(theirs), 8)):
        both = [*made, (actor, move)]
        reached = scene.after([(seat, one.steps) for seat, one in both])
        if reached and same([one.describe(actor, move.steps).words for one in after[:16]]):
            return both, reached
    return None


def _told(scene: Scene, words: Callable[..., str], moves: Sequence[tuple[int, WholeMove]]) -> str:
    """Return moves in words, one after the other."""
    first, *others = moves
    said = [words("told", move=first[1].words)]
    for seat, move in others:
        key = "told.then.own" if seat == scene.seat else "told.then"
        said.append(words(key, seat=scene.names(seat), move=move.words))
    return " ".join(said)


def _leaks(told: str, gain: int) -> bool:
    """Whether the words of a move say how many points it brings."""
    return gain != 0 and f"+{gain}" in told


def _some_gain(scene: Scene) -> bool:
    """Whether any other move brings points at once."""
    return any(one.scores[scene.seat] > scene.position.scores[scene.seat] for one in _each_after(scene))


def _each_after(scene: Scene) -> Iterator[Position]:
    for move in scene.moves[:40]:
        after = scene.position.copy(events=False)
        after.play_all(scene.seat, move.steps)
        yield after


def _gains(scene: Scene) -> dict[str, int] | None:
    """Return the points that every move brings at once; None where one of them depends on what is hidden."""
    if not 2 <= len(scene.moves) <= 40:
        return None
    now = scene.position.scores[scene.seat]
    if same([one.scores[scene.seat] for one in _each_after(scene)]):
        return None
    found = {}
    for move in scene.moves:
        scores = [one.scores[scene.seat] for one in scene.after([(scene.seat, move.steps)])]
        if not same(scores):
            return None
        found[move.words] = scores[0] - now
    return found


def _as_options(moves: Sequence[WholeMove]) -> tuple[AnswerOption, list[AnswerOption]]:
    first, *others = (AnswerOption(" ".join(move.words.split()), move.steps) for move in moves)
    return first, others


def _place_of(scene: Scene, moves: Sequence[Sequence[int]], steps: Sequence[int]) -> int | None:
    made = scene.position.copy(events=False)
    made.play_all(scene.seat, steps)
    for place, other in enumerate(moves):
        after = scene.position.copy(events=False)
        try:
            after.play_all(scene.seat, other)
        except ZigguratError:
            continue
        if after.to_bytes() == made.to_bytes():
            return place
    return None


KINDS = (
    Kind("cell", 1, 3, cell),
    Kind("total", 1, 2, total),
    Kind("most", 1, 2, most),
    Kind("line", 1, 3, line),
    Kind("lies", 1, 3, lies),
    Kind("hidden", 1, 3, hidden),
    Kind("may", 2, 3, may),
    Kind("may_not", 2, 2, may_not),
    Kind("which", 2, 3, which),
    Kind("worth", 2, 4, worth),
    Kind("becomes", 2, 4, becomes),
    Kind("points", 2, 2, points),
    Kind("next", 2, 3, after),
    Kind("unknown", 2, 3, unknown),
    Kind("highest", 3, 3, highest),
    Kind("most_points", 3, 2, most_points),
    Kind("reach", 3, 2, reach),
    Kind("best", 3, 6, best),
    Kind("then_may", 3, 3, then_may),
)
"""All kinds, in the order of their tiers."""

"""Making a set of questions from a seed: games of bots of mixed strength, moments of them, a question for each."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ziggurat.bots import decide
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.lab.questions.draft import LETTERS, AnswerOption, Draft
from ziggurat.lab.questions.drawn import ChangingNumbers
from ziggurat.lab.questions.files import Form, RightAnswer, SheetQuestion
from ziggurat.lab.questions.kinds import KINDS, Kind
from ziggurat.lab.questions.scene import Scene
from ziggurat.lab.questions.words import words_of

PLAYERS = ("random", "greedy", "apprentice", "mason", "builder")
"""The bots that play the games: so there are positions of all sorts."""
MOMENTS = 8
"""Moments of a game that are looked at."""
MOST_OF_A_GAME = 4
"""Questions of one game, at most."""
TRIED = 5
"""Kinds that are tried at a moment."""
MOST_DEALS = 10
"""Games without any question of a kind, after which there is none of it: some games have nothing to ask of a kind."""
MOST_ALIKE = 0.25
"""The largest part of the answers of a kind that may be the same."""
WARM_UP, SAMPLED_EVERY = 3, 3
"""Games with each number of players from which it is learned which numbers of a position change, and how many of their
positions: one of so many."""


class Made:
    """A question with its answer and the position that is drawn for it."""

    def __init__(self, question: SheetQuestion, answer: RightAnswer, scene: Scene) -> None:
        self.question = question
        self.answer = answer
        self.scene = scene


def _key(*parts: Any) -> bytes:
    return hashlib.sha256(" ".join(map(str, parts)).encode()).digest()


def questions(games: Sequence[Game], seed: bytes, count: int, language: str) -> Iterator[Made]:
    """Yield questions about positions of some games, in equal parts; each follows from the seed."""
    numbers = Numbering()
    for place, game in enumerate(games):
        share = count * (place + 1) // len(games) - count * place // len(games)
        yield from _of_game(game, seed, share, language, numbers)


class Numbering:
    """What has been asked in a set: the numbers of questions, where right options stood, and how often an answer was
    right."""

    def __init__(self) -> None:
        self.made = 0
        self.texts: set[str] = set()
        self.letters: dict[tuple[str, int], Counter[int]] = {}
        self.sets: dict[tuple[str, int], Counter[str]] = {}

    def next_id(self) -> str:
        self.made += 1
        return f"q{self.made:04}"

    def place(self, kind: str, options: int, chance: random.Random) -> int:
        """Return a place for the right option: one that has been right least often."""
        used = self.letters.setdefault((kind, options), Counter())
        least = min(used[place] for place in range(options))
        place = chance.choice([place for place in range(options) if used[place] == least])
        used[place] += 1
        return place


def _of_game(game: Game, seed: bytes, share: int, language: str, numbering: Numbering) -> Iterator[Made]:
    left = quotas(share)
    of_tier = {tier: sum(left[kind.name] for kind in KINDS if kind.tier == tier) for tier in (1, 2, 3)}
    asked: Counter[str] = Counter()
    alike: dict[str, Counter[Any]] = {kind.name: Counter() for kind in KINDS}
    vain: Counter[str] = Counter()
    changing = ChangingNumbers()
    deal = 0
    while sum(left.values()):
        key = _key(seed.hex(), game.id, deal)
        chance = random.Random(key)
        moments = list(_moments(game, key, chance, language, deal, changing))
        if deal < WARM_UP * (game.max_players - max(2, game.min_players) + 1):
            deal += 1
            continue
        found = 0
        tried: set[str] = set()
        for scene in moments:
            if found == MOST_OF_A_GAME or not sum(left.values()):
                break
            for kind in _wanted(left, asked, chance):
                tried.add(kind.name)
                made = _ask(scene, kind, changing, alike[kind.name], left[kind.name] + asked[kind.name], numbering)
                if made is not None:
                    asked[kind.name] += 1
                    left[kind.name] -= 1
                    vain[kind.name] = 0
                    found += 1
                    yield made
                    break
        for name in tried:
            vain[name] += 1
        _redistribute(left, asked, vain, of_tier)
        deal += 1


def quotas(share: int) -> dict[str, int]:
    """Return how many questions of each kind a game has."""
    all_shares = sum(kind.share for kind in KINDS)
    exact = {kind.name: share * kind.share / all_shares for kind in KINDS}
    whole = {name: int(number) for name, number in exact.items()}
    for name in sorted(exact, key=lambda one: whole[one] - exact[one])[: share - sum(whole.values())]:
        whole[name] += 1
    return whole


def _redistribute(left: dict[str, int], asked: Counter[str], vain: Counter[str], of_tier: dict[int, int]) -> None:
    """Give what cannot be asked of a kind to the others of its tier, to those most of which there are fewest."""
    for kind in KINDS:
        if left[kind.name] and vain[kind.name] >= MOST_DEALS:
            others = [one.name for one in KINDS if one.tier == kind.tier and vain[one.name] < MOST_DEALS]
            others = others or [one.name for one in KINDS if vain[one.name] < MOST_DEALS]
            if not others:
                raise RuntimeError("no kind has anything more to ask")
            for _ in range(left[kind.name]):
                left[min(others, key=lambda one: (left[one] + asked[one], one))] += 1
            left[kind.name] = 0


def _wanted(left: dict[str, int], asked: Counter[str], chance: random.Random) -> list[Kind]:
    """Return some kinds of which questions are missing, those first of which most are."""
    missing = [kind for kind in KINDS if left[kind.name]]
    order = {kind.name: left[kind.name] / (left[kind.name] + asked[kind.name]) + chance.random() for kind in missing}
    return sorted(missing, key=lambda kind: -order[kind.name])[:TRIED]


def _moments(
    game: Game, key: bytes, chance: random.Random, language: str, deal: int, changing: ChangingNumbers
) -> Iterator[Scene]:
    """Yield moments of a game, in an order of chance; its positions tell which numbers change."""
    few = max(2, game.min_players)
    players = few + deal % (game.max_players - few + 1)
    bots = [chance.choice(PLAYERS) for _ in range(players)]
    rng = generator(key)
    position = Position.new(game, players, seed=_key(key.hex(), "deal"), trace=False)
    seen: list[tuple[Position, int]] = []
    while not position.finished:
        seat = position.actors[0]
        if len(position.legal(seat)) > 1 and position.forced(seat) is None:
            seen.append((position.copy(events=False), seat))
        if len(position.history) % SAMPLED_EVERY == 0:
            changing.add(position)
        position.play_all(seat, decide(position, seat, bots[seat], rng))
    for place in chance.sample(range(len(seen)), min(MOMENTS, len(seen))):
        before, seat = seen[place]
        own = _key(key.hex(), place)
        yield Scene(before, seat, language, generator(own), random.Random(own))


def _ask(
    scene: Scene, kind: Kind, changing: ChangingNumbers, alike: Counter[Any], quota: int, numbering: Numbering
) -> Made | None:
    say = words_of(scene.language)
    draft = kind.ask(scene, changing, say)
    if draft is None or "…" in scene.text.split("\n"):
        return None
    if alike[draft.spread] >= max(2, round(MOST_ALIKE * quota)) and draft.spread is not None:
        return None
    made = _numbered(scene, kind, draft, say, numbering)
    if made is not None:
        alike[draft.spread] += 1
    return made


def _numbered(scene: Scene, kind: Kind, draft: Draft, say: Callable[..., str], numbering: Numbering) -> Made | None:
    """Return a question with its options in an order of chance; None where it has been asked before, or its options are
    not different."""
    asked = f"{say('who', seat=scene.names(scene.seat))} {draft.ask}"
    mark = f"{scene.text}\n{asked}"
    if mark in numbering.texts:
        return None
    options: list[AnswerOption] = []
    form: Form
    if isinstance(draft.right, int):
        form, told = "number", say("form.number", most=draft.most)
        right: int | str = draft.right
        chances = draft.most + 1
    else:
        words = [option.words for option in (*draft.right, *draft.wrong)]
        if len(set(words)) < len(words) or len(words) < 2:
            return None
        if draft.several:
            form, told = "several", say("form.several")
            options = scene.chance.sample([*draft.right, *draft.wrong], len(words))
            chances = 2 ** len(words) - 1
        else:
            form, told = "choice", say("form.choice")
            options = scene.chance.sample([*draft.wrong], len(draft.wrong))
            options.insert(numbering.place(kind.name, len(words), scene.chance), draft.right[0])
            chances = len(words)
        right = "".join(letter for letter, one in zip(LETTERS, options, strict=False) if one in draft.right)
    numbering.texts.add(mark)
    name = numbering.next_id()
    question = SheetQuestion(
        id=name,
        game=scene.game.id,
        players=scene.players,
        seat=scene.seat,
        tier=kind.tier,
        kind=kind.name,
        question=asked,
        options={letter: one.words for letter, one in zip(LETTERS, options, strict=False)},
        form=form,
        most=draft.most if form == "number" else None,
        answer_with=told,
        text=scene.text,
    )
    steps = {letter: one.steps for letter, one in zip(LETTERS, options, strict=False) if one.steps}
    answer = RightAnswer(
        id=name, answer=right, chance=1 / chances, steps=steps, usual=draft.usual, state=scene.position.to_bytes()
    )
    return Made(question, answer, scene)
